//! Where a server is.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

use crate::model::{ModelError, ModelErrorKind};

/// The address that the paths of a form stand behind: `https://api.openai.com/v1`.
#[derive(Clone)]
pub(super) struct Address(Cow<'static, str>);

impl Address {
    /// That of a provider.
    pub(super) const fn known(url: &'static str) -> Self {
        Self(Cow::Borrowed(url))
    }

    /// Checks an address. Errors do not repeat it: it may have a key in it, in a place where none belongs.
    pub(super) fn new(text: &str) -> Result<Self, ModelError> {
        let mut url = parse(text)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(refused("the model's address begins neither with http:// nor with https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("the model's address has a user or a password in it, where a key has no place"));
        }
        url.set_fragment(None);
        Ok(Self(String::from(url).into()))
    }

    /// The address with this path behind its own. It keeps its query, in which some servers have a version.
    pub(super) fn join(&self, path: &str) -> Result<Url, ModelError> {
        let mut url = parse(&self.0)?;
        let joined = format!("{}/{path}", url.path().trim_end_matches('/'));
        url.set_path(&joined);
        Ok(url)
    }

    /// Whether what is sent there is encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// Whether it is on this machine.
    pub(super) fn is_local(&self) -> bool {
        let host = self.host();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        address.map_or(host == "localhost", |address| address.is_loopback())
    }

    /// The name of the machine.
    pub(super) fn host(&self) -> String {
        parse(&self.0).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
    }
}

fn parse(text: &str) -> Result<Url, ModelError> {
    Url::parse(text.trim())
        .map_err(|_| refused("the model's address is none: it should be like https://example.org/v1"))
}

fn refused(what: &str) -> ModelError {
    ModelError::of_kind(ModelErrorKind::Setup, what)
}

/// Without the query, which may have a key in it.
impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.split('?').next().unwrap_or_default();
        formatter.write_str(shown.trim_end_matches('/'))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_behind_it() {
        for (base, joined) in [
            ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
            ("https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"),
            ("http://[::1]:8080", "http://[::1]:8080/chat/completions"),
            ("https://x.org/a%20b?api-version=1#top", "https://x.org/a%20b/chat/completions?api-version=1"),
        ] {
            assert_eq!(Address::new(base).unwrap().join("chat/completions").unwrap().as_str(), joined);
        }
    }

    #[test]
    fn what_is_refused_is_not_repeated() {
        for text in [
            "",
            "sk-1",
            "sk-1.example.org/v1",
            "file:///sk-1",
            "data:sk-1",
            "https://sk-1@x.org",
            "http://u:sk-1@x.org/",
        ] {
            let error = Address::new(text).unwrap_err();
            assert_eq!(error.kind(), ModelErrorKind::Setup, "{text}");
            assert!(!format!("{error} {error:?}").contains("sk-1"), "{error:?}");
        }
    }

    #[test]
    fn what_is_on_this_machine() {
        let is_local = |base| Address::new(base).unwrap().is_local();
        assert!(is_local("http://localhost:1") && is_local("http://127.1:1/v1") && is_local("http://[::1]"));
        assert!(
            !is_local("http://localhost.example.org") && !is_local("https://10.0.0.1") && !is_local("http://[::2]")
        );
    }

    #[test]
    fn a_query_is_not_shown() {
        let address = Address::new("https://x.org:8443/v1?key=sk-1").unwrap();
        assert_eq!(format!("{address} {address:?}"), "https://x.org:8443/v1 https://x.org:8443/v1");
    }
}
