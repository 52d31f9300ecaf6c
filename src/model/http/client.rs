//! The HTTP client.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, redirect};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::model::{ModelError, ModelErrorKind};

use super::address::Address;

/// A client for this address that follows no redirects. Its TLS is set up here, for by itself it would take that of the
/// whole process.
pub(super) fn client(address: &Address, connect_timeout: Duration) -> Result<Client, ModelError> {
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let tls = tls.with_safe_default_protocol_versions().map_err(failed)?;
    let tls = if address.is_encrypted() {
        tls.with_platform_verifier().map_err(failed)?
    } else {
        // A server nearby is reached where the machine trusts nobody, too.
        tls.with_root_certificates(RootCertStore::empty())
    };
    let mut tls = tls.with_no_client_auth();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let client = Client::builder()
        .tls_backend_preconfigured(tls)
        .connect_timeout(connect_timeout)
        .redirect(redirect::Policy::none())
        .user_agent(concat!("jsonrill/", env!("CARGO_PKG_VERSION")));
    // The proxies that the environment names are for what is elsewhere.
    let client = if address.is_local() { client.no_proxy() } else { client };
    client.build().map_err(failed)
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> ModelError {
    let what = format!("the HTTP client cannot be set up: {error}");
    ModelError::of_kind(ModelErrorKind::Setup, what).with_source(error)
}
