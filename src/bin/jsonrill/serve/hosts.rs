//! What a browser may be made to do: names under which the service is asked, and pages that ask it.
//!
//! On loopback the service may be open, and any page that its user visits can send requests to it. Two things stop
//! that. A page of another site says so in `Origin`, and is refused; there are no CORS headers, so it could not read an
//! answer either. And a name of another site that was made to lead here (DNS rebinding) stands in `Host`.

use std::net::IpAddr;

use axum::http::header::{HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};

use super::failure::Failure;

/// Where a request comes from, as browsers say also where there is no `Origin`.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Names under which the service may be asked.
#[derive(Debug)]
pub(crate) struct Hosts {
    is_loopback: bool,
    allowed: Vec<String>,
}

impl Hosts {
    pub(crate) fn new(listen: IpAddr, allowed: &[String]) -> Self {
        Self {
            is_loopback: listen.is_loopback(),
            allowed: allowed.iter().map(|name| name.to_ascii_lowercase()).collect(),
        }
    }

    /// Refuses requests that a page of another site has a browser send.
    pub(crate) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let refuse = |why| Err(Failure::new(StatusCode::FORBIDDEN, why));
        let text = |name| headers.get(&name).map(|value| value.to_str().unwrap_or_default());
        if headers.get_all(HOST).iter().count() > 1 {
            // Whoever stands in front of the service may go by the other one.
            return Err(Failure::bad_request("there is more than one Host header"));
        }
        // A target that has a host counts before the header.
        let host = uri.authority().map(Authority::as_str).or_else(|| text(HOST)).unwrap_or_default();
        let Some(host) = authority(host) else {
            return if self.is_any() { Ok(()) } else { refuse("the Host header is missing, or no host") };
        };
        if !(self.is_any() || self.is_ours(host.host())) {
            return refuse("the service is not known under the name in the Host header (see --allow-host)");
        }
        if let Some(origin) = text(ORIGIN) {
            let asking = origin.split_once("://").and_then(|(_, rest)| authority(rest));
            let is_ours = asking.is_some_and(|asking| asking == host || self.is_allowed(asking.host()));
            if !is_ours {
                return refuse("pages of other sites may not use the service");
            }
        }
        if text(FETCH_SITE) == Some("cross-site") && !headers.contains_key(ORIGIN) && uri.path() != "/" {
            return refuse("pages of other sites may not use the service");
        }
        Ok(())
    }

    /// Whether any name will do: the service is for others, and is not told its name.
    fn is_any(&self) -> bool {
        !self.is_loopback && self.allowed.is_empty()
    }

    fn is_ours(&self, host: &str) -> bool {
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let is_here = host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback());
        (self.is_loopback && is_here) || self.is_allowed(host)
    }

    fn is_allowed(&self, host: &str) -> bool {
        self.allowed.iter().any(|name| name.eq_ignore_ascii_case(host))
    }
}

/// A host, and a port where there is one: without a user.
fn authority(text: &str) -> Option<Authority> {
    text.parse().ok().filter(|authority: &Authority| !authority.as_str().contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked_at(target: &'static str, hosts: &Hosts, headers: &[(&'static str, &str)]) -> bool {
        let headers: Vec<(HeaderName, _)> =
            headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value);
        }
        hosts.check(&Uri::from_static(target), &map).is_ok()
    }

    fn asked(hosts: &Hosts, headers: &[(&'static str, &str)]) -> bool {
        asked_at("/api/repair", hosts, headers)
    }

    #[test]
    fn on_loopback_only_names_of_loopback_are_ours() {
        let hosts = Hosts::new(IpAddr::from([127, 0, 0, 1]), &[]);
        for host in ["localhost", "LocalHost:8787", "127.0.0.1:1", "127.9.9.9", "[::1]:80"] {
            assert!(asked(&hosts, &[("host", host)]), "{host}");
        }
        for host in [
            "",
            "example.com",
            "localhost.example.com",
            "127.0.0.1.nip.io",
            "10.0.0.1:8787",
            "a b",
            "0.0.0.0",
            "example.com@localhost",
        ] {
            assert!(!asked(&hosts, &[("host", host)]), "{host}");
        }
        let behind = Hosts::new(IpAddr::from([127, 0, 0, 1]), &["API.example.com".to_owned()]);
        assert!(asked(&behind, &[("host", "api.example.com")]) && asked(&behind, &[("host", "localhost")]));
        assert!(!asked(&behind, &[("host", "example.com")]));
    }

    #[test]
    fn a_request_has_one_host() {
        let hosts = Hosts::new(IpAddr::from([127, 0, 0, 1]), &[]);
        assert!(!asked(&hosts, &[("host", "localhost"), ("host", "example.com")]));
        let any = Hosts::new(IpAddr::from([0, 0, 0, 0]), &[]);
        assert!(!asked(&any, &[("host", "a.example.com"), ("host", "b.example.com")]));
        // That of the target is the one.
        assert!(!asked_at("http://example.com/api/repair", &hosts, &[("host", "localhost")]));
        assert!(asked_at("http://localhost/api/repair", &hosts, &[("host", "localhost")]));
    }

    #[test]
    fn elsewhere_any_name_is_unless_they_are_told() {
        let any = Hosts::new(IpAddr::from([0, 0, 0, 0]), &[]);
        assert!(asked(&any, &[("host", "example.com")]) && asked(&any, &[]));
        let told = Hosts::new(IpAddr::from([0, 0, 0, 0]), &["api.example.com".to_owned()]);
        assert!(asked(&told, &[("host", "api.example.com:443")]) && !asked(&told, &[("host", "localhost")]));
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let hosts = Hosts::new(IpAddr::from([127, 0, 0, 1]), &["api.example.com".to_owned()]);
        for (origin, is_fine) in [
            ("http://127.0.0.1:8787", true),
            ("https://api.example.com", true),
            ("http://127.0.0.1:8788", false),
            ("http://localhost:8787", false),
            ("https://example.com", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(asked(&hosts, &[("host", "127.0.0.1:8787"), ("origin", origin)]), is_fine, "{origin}");
        }
        assert!(!asked(&hosts, &[("host", "localhost"), ("sec-fetch-site", "cross-site")]));
        assert!(asked(&hosts, &[("host", "localhost"), ("sec-fetch-site", "same-origin")]));
    }
}
