//! `GET /`: a page that lets a person try the service.

use std::sync::OnceLock;

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest, Sha256};

use super::failure::FailureBody;

const PAGE: &str = include_str!("page.html");

/// A page to try the service
///
/// It needs no token; what it asks of the service does.
#[utoipa::path(
    get,
    path = "/",
    tag = "service",
    responses(
        (status = 200, description = "The page", body = String, content_type = "text/html; charset=utf-8"),
        (status = 403, description = "The service is not known under this name", body = FailureBody),
    )
)]
pub(crate) async fn page() -> Response {
    static POLICY: OnceLock<String> = OnceLock::new();
    let headers: [(HeaderName, &str); 5] = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY.get_or_init(policy)),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, PAGE).into_response()
}

/// The page's own script and style may run, and nothing else; it may talk to the service, and nobody else.
fn policy() -> String {
    let (script, style) = (hash("script"), hash("style"));
    format!(
        "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; connect-src 'self'; \
         img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// The hash of what is in the page's one element of this name.
fn hash(name: &str) -> String {
    let inside = PAGE
        .split_once(&format!("<{name}>"))
        .and_then(|(_, rest)| rest.split_once(&format!("</{name}>")))
        .map_or("", |(inside, _)| inside);
    BASE64.encode(Sha256::digest(inside))
}
