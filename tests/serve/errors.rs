//! Every error is JSON, and of one shape.

use crate::client::Request;
use crate::server::Server;

#[test]
fn what_leads_nowhere_is_an_error_in_the_one_shape() {
    let server = Server::new();
    for path in ["/nothing", "/api", "/api/repair/", "/api/generate", "/favicon.ico"] {
        assert!(server.get(path).refused_plainly(404).contains("no such route"), "{path}");
    }
    for (method, path, allowed) in [
        ("GET", "/api/repair", "POST"),
        ("DELETE", "/api/contexts", "POST"),
        ("PUT", "/api/split", "POST"),
        ("GET", "/api/stream", "POST"),
        ("POST", "/healthz", "GET,HEAD"),
        ("POST", "/", "GET,HEAD"),
        ("PATCH", "/metrics", "GET,HEAD"),
        ("TRACE", "/openapi.json", "GET,HEAD"),
    ] {
        let response = server.ask(Request::new(method, path));
        assert!(response.refused_plainly(405).contains("method"), "{path}");
        assert_eq!(response.header("allow"), Some(allowed), "{path}");
    }
    let generate = server.get("/api/generate/cc");
    generate.refused(405);
    assert_eq!(generate.value()["timeout"], 30_000);
}

#[test]
fn a_body_that_is_not_as_it_should_be_is_refused() {
    let server = Server::new();
    for path in ["/api/repair", "/api/contexts", "/api/split?max=10"] {
        for body in ["", "{", "[]", "null", r#"{"text": 5}"#, r#"{"text": "x", "texts": "y"}"#, r#"{"text": "\ud800"}"#]
        {
            let message = server.ask(Request::json(path, body)).refused_plainly(400);
            assert!(message.contains("the body"), "{path} {body}: {message}");
        }
        for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", "hm"] {
            let request = Request::new("POST", path).header("content-type", kind).body("{}");
            assert!(server.ask(request).refused_plainly(415).contains("text/plain"), "{path} {kind}");
        }
        let broken = {
            let mut client = server.connect();
            client.begin(&Request::text(path, ""));
            client.write(b"zz\r\n");
            client.answer()
        };
        broken.refused_plainly(400);
    }
}

#[test]
fn a_body_that_is_compressed_is_refused() {
    let server = Server::new();
    for path in ["/api/repair", "/api/contexts", "/api/split?max=10", "/api/stream"] {
        let gzip = server.ask(Request::text(path, b"\x1f\x8b").header("content-encoding", "gzip"));
        assert!(gzip.refused_plainly(415).contains("compressed"), "{path}");
        let plain = server.ask(Request::text(path, "[1]").header("content-encoding", "Identity"));
        assert_eq!(plain.status(), 200, "{path}");
    }
    let request = Request::json("/api/generate/cc", "{\"prompt\": \"x\"}").header("content-encoding", "br");
    assert!(server.ask(request).refused(400).contains("compressed"));
}

#[test]
fn what_contexts_are_asked_of_is_said() {
    let server = Server::new();
    for body in ["{}", "{\"rounds\": [5]}", "{\"text\": \"x\", \"rounds\": []}"] {
        let message = server.ask(Request::json("/api/contexts", body)).refused_plainly(400);
        assert!(message.contains("there must be a text, or rounds"), "{body}: {message}");
    }
}

#[test]
fn what_is_wrong_is_not_said_at_any_length() {
    let server = Server::new();
    let long = "é".repeat(10_000);
    let body = server.ask(Request::json("/api/repair", format!("{{\"text\": \"x\", \"model\": \"{long}\"}}")));
    let message = body.refused_plainly(400);
    assert!(message.starts_with("the body at line 1 column 20025 is not as it should be: "), "{message}");
    assert!(message.contains("é…") && message.len() < 500, "{message}");
    let query = server.ask(Request::text(&format!("/api/repair?{}=1", "a".repeat(10_000)), "[]"));
    let message = query.refused_plainly(400);
    assert!(message.starts_with("the query is not as it should be: ") && message.len() < 500, "{message}");
}

#[test]
fn no_body_is_an_error() {
    let server = Server::new();
    for path in ["/api/repair", "/api/contexts", "/api/split?max=10", "/api/stream"] {
        assert!(server.ask(Request::new("POST", path)).refused_plainly(400).contains("no body"), "{path}");
    }
}

#[test]
fn a_query_that_is_not_as_it_should_be_is_refused() {
    let server = Server::new();
    for path in [
        "/api/repair?root=many",
        "/api/repair?roots=all",
        "/api/repair?reasoning_expected=perhaps",
        "/api/contexts?budget=-1",
        "/api/contexts?budget=1&budget=2",
        "/api/split?max=ten",
        "/api/split?max=10&cut_strings=here",
        "/api/stream?input=xml",
        "/api/stream?emit=live",
        "/api/stream?chunk=0",
        "/api/stream?provider=openai",
        "/api/stream?input=sse&provider=nobody",
        "/api/stream?input=sse&chunk=4",
        "/api/stream?input=sse&call=1",
        "/api/stream?role=arguments&call=1",
    ] {
        assert!(!server.ask(Request::text(path, "[]")).refused_plainly(400).is_empty(), "{path}");
    }
}

#[test]
fn the_service_is_there_and_says_what_it_can_do() {
    let server = Server::new();
    let health = server.get("/healthz").value();
    assert_eq!(health, serde_json::json!({"status": "ok", "version": env!("CARGO_PKG_VERSION"), "model": false}));
    assert_eq!(server.ask(Request::new("HEAD", "/healthz")).status(), 200);
    let document = server.get("/openapi.json");
    assert_eq!((document.status(), document.header("content-type")), (200, Some("application/json")));
    let document = document.value();
    let mut paths: Vec<_> = document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    paths.sort_unstable();
    let routes = ["/", "/api/contexts", "/api/generate/cc", "/api/repair", "/api/split", "/api/stream"];
    assert_eq!(paths, [&routes[..], &["/healthz", "/metrics", "/openapi.json"]].concat());
    // Every error that is told of has the one shape, and every route that may be closed says so.
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let is_closed = path.starts_with("/api/") || path == "/metrics";
            assert_eq!(operation["security"].is_array(), is_closed, "{method} {path}");
            for (status, response) in operation["responses"].as_object().unwrap() {
                if status.as_str() >= "400" {
                    let schema = &response["content"]["application/json"]["schema"]["$ref"];
                    assert_eq!(schema, "#/components/schemas/Failure", "{path} {status}");
                }
            }
        }
    }
}

#[test]
fn a_connection_is_kept_for_more_requests() {
    let server = Server::new();
    let mut client = server.connect();
    for number in 0..50 {
        let value = client.ask(Request::text("/api/repair", format!("[{number},]"))).value();
        assert_eq!(value["value"][0], number);
        client.ask(Request::get("/none")).refused_plainly(404);
    }
}
