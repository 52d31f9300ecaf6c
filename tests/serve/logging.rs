//! Request ids, the log, and the figures.

use serde_json::Value;

use crate::client::Request;
use crate::server::{Server, file, until};

#[test]
fn a_request_has_an_id_and_a_line_without_anything_that_is_in_it() {
    let tokens = file("tokens", "ada:hush-token\n");
    let server = Server::with(&["--token-file", &tokens]);
    let repair = |id: &str| Request::text("/api/repair?end=stopped", "[\"secret\",]").header("x-request-id", id);
    let given = server.ask(repair("trace-1.2_3").token("hush-token"));
    assert_eq!(given.header("x-request-id"), Some("trace-1.2_3"));
    let too_long = "x".repeat(129);
    let mut made = Vec::new();
    for id in ["", "with space", "é", "<script>", "a\"b", &too_long] {
        let response = server.ask(repair(id).token("hush-other"));
        response.refused(401);
        made.push(response.header("x-request-id").unwrap().to_owned());
    }
    made.push(server.get("/secret/path?secret=1").header("x-request-id").unwrap().to_owned());
    made.push(server.ask(Request::new("SECRET-secret", "/healthz")).header("x-request-id").unwrap().to_owned());
    assert!(
        made.iter().all(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'))
    );
    let count = made.len();
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), count);

    let log = server.log();
    for secret in ["secret", "SECRET", "hush", "script", "127.0.0.1"] {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
    }
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let requests: Vec<_> = lines.iter().filter(|line| line["message"] == "request").collect();
    assert_eq!(requests.len(), count + 1);
    let first = requests.iter().find(|line| line["request_id"] == "trace-1.2_3").unwrap();
    assert_eq!(
        (&first["route"], &first["status"], &first["caller"]),
        (&"/api/repair".into(), &200.into(), &"ada".into())
    );
    assert_eq!((&first["method"], &first["bytes_in"]), (&"POST".into(), &11.into()));
    assert!(first["bytes_out"].as_u64().unwrap() > 100 && first["milliseconds"].is_u64() && first["level"] == "INFO");
    assert!(requests.iter().any(|line| line["route"] == "none" && line["status"] == 404));
    assert!(made.iter().all(|id| requests.iter().any(|line| line["request_id"] == id.as_str())));
}

#[test]
fn what_was_done_is_counted() {
    let server = Server::new();
    server.ask(Request::text("/api/repair", "[1,]"));
    server.ask(Request::text("/api/repair", "[1]"));
    server.ask(Request::text("/api/repair", "[1"));
    server.get("/none");
    server.ask(Request::text("/api/stream", "[1]"));
    let count = |route: &str, status: u16| {
        server.figure(&format!("jsonrill_requests_total{{route=\"{route}\",status=\"{status}\"}}"))
    };
    // What is sent may be seen before it is counted.
    until("all are counted", || {
        (count("/api/repair", 200), count("none", 404), count("/api/stream", 200)) == (3, 1, 1)
    });
    for outcome in ["repaired", "complete", "truncated"] {
        assert_eq!(server.figure(&format!("jsonrill_repairs_total{{source=\"rules\",outcome=\"{outcome}\"}}")), 1);
    }
    assert_eq!(server.figure("jsonrill_request_body_bytes_total{route=\"/api/repair\"}"), 9);
    assert!(server.figure("jsonrill_response_body_bytes_total{route=\"/api/repair\"}") > 300);
    assert_eq!(server.figure("jsonrill_request_duration_seconds_count{route=\"/api/repair\"}"), 3);
    assert_eq!(server.figure("jsonrill_open_streams"), 0);
    let response = server.get("/metrics");
    assert!(response.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    assert!(response.text().ends_with("# EOF\n"));
}

#[test]
fn the_log_can_be_off() {
    let server = Server::with(&["--log", "off"]);
    assert_eq!(server.get("/healthz").status(), 200);
    assert_eq!(server.log(), "");
}
