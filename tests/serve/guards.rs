//! Who is let in.

use crate::client::Request;
use crate::common::process::run;
use crate::server::{Server, file};

const CLOSED: [(&str, &str); 6] = [
    ("POST", "/api/generate/cc"),
    ("POST", "/api/repair"),
    ("POST", "/api/contexts"),
    ("POST", "/api/split"),
    ("POST", "/api/stream"),
    ("GET", "/metrics"),
];

#[test]
fn without_a_known_token_nothing_is_done() {
    let tokens = file("tokens", "# who may\n\nada:first-token\nsecond.token\n");
    let server = Server::start(&["--token-file", &tokens, "--token-env", "MORE"], &[("MORE", "eve:third=")]);
    for (method, path) in CLOSED {
        for request in [
            Request::new(method, path),
            Request::new(method, path).token("other"),
            Request::new(method, path).token("first-tokem"),
            Request::new(method, path).token("first-token2"),
            Request::new(method, path).token("ada:first-token"),
            Request::new(method, path).token(""),
            Request::new(method, path).header("authorization", "Basic first-token"),
            Request::new(method, path).header("authorization", "first-token"),
            Request::new(method, path).header("authorization", "Bearer\tfirst-token"),
            Request::new(method, path).token("first-token").token("other"),
            Request::new(method, path).token("first-token").token("first-token"),
            Request::new(method, &format!("{path}?token=first-token")),
        ] {
            let response = server.ask(request.clone());
            assert!(response.refused(401).contains("token"), "{request:?}");
            assert_eq!(response.header("www-authenticate"), Some("Bearer"));
        }
    }
    for token in ["first-token", "second.token", "third="] {
        assert_eq!(server.ask(Request::text("/api/repair", "[]").token(token)).status(), 200, "{token}");
        assert_eq!(server.ask(Request::get("/metrics").token(token)).status(), 200);
    }
    let lower = Request::text("/api/repair", "[]").header("authorization", "bearer first-token");
    assert_eq!(server.ask(lower).status(), 200);
    for path in ["/healthz", "/openapi.json", "/"] {
        assert_eq!(server.get(path).status(), 200, "{path}");
    }
}

#[test]
fn nobody_else_is_served_without_a_token() {
    let refused = run(&["serve", "--listen", "0.0.0.0:0"], "").code(1);
    assert!(refused.stderr.contains("open to others") && refused.stdout.is_empty(), "{}", refused.stderr);
    for (args, why) in [
        (&["--token-env", "JSONRILL_NO_SUCH_VARIABLE"][..], "the environment has no JSONRILL_NO_SUCH_VARIABLE"),
        (&["--token-file", "/no/such/file"], "cannot read /no/such/file"),
        (&["--token-file", &file("empty", "# none\n")], "it has no token"),
        (&["--token-file", &file("bad", "good\nhush hush\n")], "line 2"),
        (&["--timeout", "0"], "milliseconds"),
        (&["--max-streams", "0"], "a number"),
        (&["--listen", "here"], "--listen"),
        (&["--model", "parrot:polly"], "parrot"),
    ] {
        let run = run(&[&["serve", "--listen", "127.0.0.1:0"], args].concat(), "").code(1);
        assert!(run.stderr.contains(why) && !run.stderr.contains("hush"), "{args:?}: {}", run.stderr);
    }
    let server = Server::new();
    let taken = run(&["serve", "--listen", &server.address.to_string()], "").code(1);
    assert!(taken.stderr.contains("cannot listen"), "{}", taken.stderr);
}

#[test]
fn a_page_of_another_site_is_refused() {
    let server = Server::new();
    let own = format!("http://{}", server.address);
    let repair = || Request::text("/api/repair", "[]");
    assert_eq!(server.ask(repair().header("origin", &own)).status(), 200);
    for origin in ["http://example.com", "null", "http://localhost", "https://127.0.0.1.example.com"] {
        for request in
            [repair(), Request::text("/api/stream", "[]"), Request::get("/metrics"), Request::get("/nothing")]
        {
            let response = server.ask(request.header("origin", origin));
            assert!(response.refused_plainly(403).contains("other sites"), "{origin}");
            assert!(response.header("access-control-allow-origin").is_none());
        }
    }
    let preflight = Request::new("OPTIONS", "/api/repair").header("origin", "http://example.com");
    server.ask(preflight).refused_plainly(403);
    server.ask(repair().header("sec-fetch-site", "cross-site")).refused_plainly(403);
    assert_eq!(server.ask(repair().header("sec-fetch-site", "same-origin")).status(), 200);
}

#[test]
fn a_name_that_was_made_to_lead_here_is_refused() {
    let server = Server::new();
    let as_host = |host: &str| server.ask(Request::text("/api/repair", "[]").header("host", host));
    for host in ["localhost", "localhost:1234", "127.0.0.1", "[::1]:80"] {
        assert_eq!(as_host(host).status(), 200, "{host}");
    }
    for host in ["example.com", "localhost.example.com:8787", "10.0.0.1", ""] {
        assert!(as_host(host).refused_plainly(403).contains("Host"), "{host}");
    }
    let known = Server::with(&["--allow-host", "api.example.com"]);
    let request = |origin: &str| {
        let request = Request::text("/api/repair", "[]").header("host", "api.example.com");
        known.ask(request.header("origin", origin)).status()
    };
    assert_eq!((request("https://api.example.com"), request("https://example.com")), (200, 403));
}
