//! `POST /api/generate/cc`.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Request, Response};
use crate::server::{Server, file, is_running, scratch, until};

fn ask(server: &Server, body: &Value) -> Response {
    server.ask(Request::json("/api/generate/cc", body.to_string()))
}

/// An error has these members, and no others.
#[track_caller]
fn refused(response: &Response, status: u16, timeout: u64, partial: Option<&str>) -> String {
    let message = response.refused(status);
    let mut expected = json!({"code": status, "success": false, "message": message, "timeout": timeout});
    if let Some(partial) = partial {
        expected["partialOutput"] = partial.into();
    }
    assert_eq!(response.value(), expected);
    message
}

fn script(lines: &str) -> String {
    format!("script:{}", file("script.jsonl", lines))
}

#[test]
fn a_prompt_is_answered() {
    let script = script("{\"chunks\": [\"Hello, \", \"world.\"], \"stop_reason\": \"stop\"}\n{\"chunks\": []}\n");
    let server = Server::with(&["--model", &script]);
    let response = ask(&server, &json!({"prompt": "Say hello."}));
    assert_eq!((response.status(), response.header("content-type")), (200, Some("application/json")));
    let value = response.value();
    let took = value["executionTime"].as_u64().unwrap();
    assert_eq!(value, json!({"code": 200, "success": true, "output": "Hello, world.", "executionTime": took}));
    assert_eq!(ask(&server, &json!({"prompt": "Say nothing.", "timeout": 5000})).value()["output"], "");
    assert_eq!(server.figure("jsonrill_model_calls_total{purpose=\"answer\",result=\"ok\"}"), 2);
    assert_eq!(server.get("/healthz").value()["model"], true);
}

#[cfg(unix)]
#[test]
fn the_prompt_is_what_a_program_reads() {
    let server = Server::with(&["--model", "command:cat"]);
    let prompt = "Two lines,\nwith “quotes”, é and 🎉; $(echo not run)";
    assert_eq!(ask(&server, &json!({"prompt": prompt})).value()["output"], prompt);
}

#[test]
fn a_bad_request_is_refused() {
    let server = Server::with(&["--model", &script(""), "--max-prompt", "10"]);
    for (body, why) in [
        (json!({}), "missing"),
        (json!({"prompt": ""}), "empty"),
        (json!({"prompt": " \n"}), "empty"),
        (json!({"prompt": 5}), "string"),
        (json!({"prompt": null}), "string"),
        (json!({"prompt": ["x"]}), "string"),
        (json!({"prompt": "0123456789x"}), "longer than 10 bytes"),
        (json!({"prompt": "x", "timeout": 0}), "timeout"),
        (json!({"prompt": "x", "timeout": "1000"}), "timeout"),
        (json!({"prompt": "x", "timeout": 600_001}), "timeout"),
        (json!({"prompt": "x", "timeout": 1.5}), "timeout"),
        (json!({"prompt": "x", "temperature": 1}), "other than"),
        (json!([]), "object"),
        (json!("prompt"), "object"),
    ] {
        let message = refused(&ask(&server, &body), 400, 30_000, None);
        assert!(message.contains(why), "{body}: {message}");
    }
    // The time that was asked for is the one that is told.
    refused(&ask(&server, &json!({"prompt": "", "timeout": 77})), 400, 77, None);
    let raw = |kind: &str, body: &str| {
        let request = Request::new("POST", "/api/generate/cc").header("content-type", kind).body(body);
        refused(&server.ask(request), 400, 30_000, None)
    };
    assert!(raw("application/json", "{\"prompt\": \"x\"").contains("JSON object"));
    assert!(raw("text/plain", "{\"prompt\": \"x\"}").contains("application/json"));
    assert!(raw("application/x-www-form-urlencoded", "prompt=x").contains("application/json"));
}

#[test]
fn a_model_that_fails_is_told_with_what_it_had_said() {
    let lines =
        "{\"chunks\": [\"Half of\"], \"error\": \"the line was lost\"}\n{\"chunks\": [], \"error\": \"busy\"}\n";
    let server = Server::with(&["--model", &script(lines)]);
    let message = refused(&ask(&server, &json!({"prompt": "x"})), 500, 30_000, Some("Half of"));
    assert!(message.contains("the line was lost"));
    refused(&ask(&server, &json!({"prompt": "x", "timeout": 123})), 500, 123, None);
    // The script has no more.
    refused(&ask(&server, &json!({"prompt": "x"})), 500, 30_000, None);
    assert_eq!(server.figure("jsonrill_model_calls_total{purpose=\"answer\",result=\"error\"}"), 3);
}

#[test]
fn without_a_model_there_is_no_answer() {
    let server = Server::new();
    let message = refused(&ask(&server, &json!({"prompt": "x"})), 500, 30_000, None);
    assert!(message.contains("without a model"));
}

#[test]
fn a_program_does_not_get_the_tokens_of_the_service() {
    let args = ["--token-env", "MORE", "--model", "command:sh -c 'echo ${MORE-none} ${OTHER-none}'"];
    let server = Server::start(&args, &[("MORE", "eve:third="), ("OTHER", "tea")]);
    let request = Request::json("/api/generate/cc", json!({"prompt": "x"}).to_string()).token("third=");
    assert_eq!(server.ask(request).value()["output"], "none tea\n");
}

#[test]
fn a_token_a_body_and_a_rate_are_refused_in_the_same_shape() {
    let tokens = file("tokens", "secret\n");
    let server = Server::with(&["--token-file", &tokens, "--max-body", "100", "--rate", "1"]);
    refused(&ask(&server, &json!({"prompt": "x"})), 401, 30_000, None);
    let long = Request::json("/api/generate/cc", json!({"prompt": "x".repeat(200)}).to_string()).token("secret");
    refused(&server.ask(long), 413, 30_000, None);
    let short = Request::json("/api/generate/cc", json!({"prompt": "x"}).to_string()).token("secret");
    let mut last = server.ask(short.clone());
    until("it is too often", || {
        last = server.ask(short.clone());
        last.status() == 429
    });
    refused(&last, 429, 30_000, None);
    assert!(last.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
}

#[cfg(unix)]
#[test]
fn a_model_that_takes_too_long_is_told_with_what_it_had_said() {
    let server = Server::with(&["--model", "command:sh -c 'printf Partly; exec sleep 1000'"]);
    // A machine that is busy may need more time to start the program.
    let mut timeout = 500;
    loop {
        let response = ask(&server, &json!({"prompt": "x", "timeout": timeout}));
        let has_said = response.value()["partialOutput"].is_string();
        let message = refused(&response, 408, timeout, has_said.then_some("Partly"));
        assert!(message.contains(&format!("{timeout} ms")), "{message}");
        if has_said {
            break;
        }
        timeout *= 2;
        assert!(timeout < 100_000);
    }
    assert!(server.figure("jsonrill_model_calls_total{purpose=\"answer\",result=\"timeout\"}") >= 1);
}

/// A program that says its process id in a file, and then nothing more.
#[cfg(unix)]
fn hanging(pid: &str) -> String {
    format!("command:sh -c 'printf $$ > {pid}; exec sleep 1000'")
}

#[cfg(unix)]
#[test]
fn a_client_that_goes_away_ends_the_program() {
    let path = scratch("pid");
    let server = Server::with(&["--model", &hanging(path.to_str().unwrap()), "--max-concurrent", "1"]);
    let mut client = server.connect();
    client.send(&Request::json("/api/generate/cc", r#"{"prompt": "x", "timeout": 600000}"#));
    let pid = || fs::read_to_string(&path).unwrap_or_default();
    until("the program runs", || !pid().is_empty());
    assert!(is_running(&pid()));
    // Meanwhile there is no room for another.
    let busy = server.ask(Request::text("/api/repair", "[]"));
    assert!(busy.refused_plainly(429).contains("open"));
    assert_eq!(busy.header("retry-after"), Some("1"));
    drop(client);
    until("the program is ended", || !is_running(&pid()));
    until("there is room", || server.ask(Request::text("/api/repair", "[]")).status() == 200);
}

#[cfg(unix)]
#[test]
fn the_end_of_the_service_ends_the_program_and_tells() {
    let path = scratch("pid");
    let server = Server::with(&["--model", &hanging(path.to_str().unwrap()), "--grace", "1"]);
    let mut client = server.connect();
    client.send(&Request::json("/api/generate/cc", r#"{"prompt": "x", "timeout": 600000}"#));
    let pid = || fs::read_to_string(&path).unwrap_or_default();
    until("the program runs", || !pid().is_empty());
    let pid = pid();
    server.signal("TERM");
    let message = refused(&client.answer(), 500, 600_000, None);
    assert!(message.contains("shutting down"), "{message}");
    until("the program is ended", || !is_running(&pid));
    assert_eq!(server.ended().0, Some(0));
}
