//! Repairs with a model's help.

use serde_json::{Value, json};

use crate::client::Request;
use crate::server::{Server, file, is_running, scratch, until};

/// The rules take it for `[3, "cups", "milk", true]`, and are not sure.
const DOUBTFUL: &str = r#"{"tea": [3, "cups", "milk": true}"#;
const MENDED: &str = r#"{"tea": [3, "cups"], "milk": true}"#;

fn server(replies: &[Value]) -> Server {
    let lines: Vec<_> = replies.iter().map(Value::to_string).collect();
    Server::with(&["--model", &format!("script:{}", file("script.jsonl", &lines.join("\n")))])
}

fn repair(server: &Server, body: &Value) -> Value {
    let response = server.ask(Request::json("/api/repair", body.to_string()));
    assert_eq!(response.status(), 200, "{}", response.text());
    response.value()
}

#[test]
fn a_model_is_asked_where_the_rules_are_not_enough() {
    let server = server(&[
        json!({"chunks": ["I cannot."], "stop_reason": "stop"}),
        json!({"chunks": ["```json\n", MENDED, "\n```"], "stop_reason": "stop", "usage": {"input_tokens": 70, "output_tokens": 12}}),
    ]);
    let body = json!({"text": DOUBTFUL, "model": true});
    let value = repair(&server, &body);
    assert_eq!(
        (&value["source"], &value["outcome"], &value["complete"]),
        (&json!("model"), &json!("repaired"), &json!(true))
    );
    assert_eq!(value["text"], MENDED);
    assert_eq!(value["value"], serde_json::from_str::<Value>(MENDED).unwrap());
    assert!(!value["repairs"].as_array().unwrap().is_empty());
    let part = &value["model"];
    assert_eq!(part["attempts"][0]["error"]["code"], "no_json");
    assert_eq!((&part["attempts"][1]["error"], &part["error"]), (&Value::Null, &Value::Null));
    assert_eq!((&part["comparison"]["lost"]["count"], &part["usage"]["input_tokens"]), (&json!(0), &json!(70)));

    // It is not asked again: the script has nothing more.
    let again = repair(&server, &body);
    assert_eq!(
        (&again["source"], &again["text"], &again["model"]["attempts"]),
        (&json!("cache"), &json!(MENDED), &json!([]))
    );
    for (source, count) in [("model", 1), ("cache", 1), ("rules", 0)] {
        let figure = format!("jsonrill_repairs_total{{source=\"{source}\",outcome=\"repaired\"}}");
        assert_eq!(server.figure(&figure), count, "{source}");
    }
    assert_eq!(server.figure("jsonrill_model_calls_total{purpose=\"repair\",result=\"refused\"}"), 1);
    assert_eq!(server.figure("jsonrill_model_calls_total{purpose=\"repair\",result=\"ok\"}"), 1);
}

#[test]
fn it_is_not_asked_where_they_are_or_where_nobody_wants_it() {
    let server = server(&[]);
    let enough = repair(&server, &json!({"text": "{a: [1, 2,]}", "model": true}));
    assert_eq!((&enough["source"], &enough["text"]), (&json!("rules"), &json!("{\"a\": [1, 2]}")));
    assert_eq!((&enough["model"]["attempts"], &enough["model"]["error"]), (&json!([]), &Value::Null));
    let unwanted = repair(&server, &json!({"text": DOUBTFUL}));
    assert_eq!((&unwanted["source"], &unwanted["model"]), (&json!("rules"), &Value::Null));
}

#[test]
fn an_answer_that_is_not_the_text_is_not_taken() {
    let invented = json!({"chunks": [r#"{"tea": [3, "mugs"], "milk": true}"#], "stop_reason": "stop"});
    let server = server(&[invented.clone(), invented]);
    let value = repair(&server, &json!({"text": DOUBTFUL, "model": true}));
    assert_eq!((&value["source"], &value["model"]["error"]["code"]), (&json!("rules"), &json!("different")));
    assert_eq!(value["model"]["attempts"].as_array().unwrap().len(), 2);
    // What the rules made of it is there.
    assert_eq!(value["text"], repair(&server, &json!({"text": DOUBTFUL}))["text"]);
}

#[test]
fn what_is_required_and_missing_is_named() {
    let server = Server::new();
    let value = repair(&server, &json!({"text": "{a: 1, b: \"\"}", "required": ["/a", "/b", "/c"]}));
    assert_eq!((&value["source"], &value["text"]), (&json!("rules"), &json!("{\"a\": 1, \"b\": \"\"}")));
    let error = &value["model"]["error"];
    assert_eq!(error["code"], "missing_fields");
    assert_eq!(error["fields"], json!([{"pointer": "/b", "lack": "empty"}, {"pointer": "/c", "lack": "missing"}]));
    let there = repair(&server, &json!({"text": "{a: 1}", "required": ["/a"]}));
    assert_eq!(there["model"]["error"], Value::Null);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let server = Server::new();
    let ask = |query: &str| {
        let body = json!({"text": DOUBTFUL, "model": true}).to_string();
        server.ask(Request::json(&format!("/api/repair{query}"), body))
    };
    assert!(ask("").refused_plainly(422).contains("without a model"));
    assert!(ask("?roots=many").refused_plainly(400).contains("roots=many"));
    let pointer = json!({"text": DOUBTFUL, "required": ["a"]}).to_string();
    assert!(server.ask(Request::json("/api/repair", pointer)).refused_plainly(400).contains("slash"));
}

#[cfg(unix)]
#[test]
fn a_large_text_is_mended_too_and_a_program_that_hangs_is_ended_with_its_client() {
    let path = scratch("pid");
    let program = format!("command:sh -c 'printf $$ > {}; exec sleep 1000'", path.display());
    let server = Server::with(&["--model", &program]);
    let pid = || std::fs::read_to_string(&path).unwrap_or_default();
    // The second is large: other requests do not wait for its turns.
    for records in [0, 20_000] {
        let _ = std::fs::remove_file(&path);
        let text = format!("[{}{DOUBTFUL}]", "{\"id\": 1}, ".repeat(records));
        let mut client = server.connect();
        client.send(&Request::json("/api/repair", json!({"text": text, "model": true}).to_string()));
        until("the program runs", || !pid().is_empty());
        let pid = pid();
        assert!(is_running(&pid));
        drop(client);
        until("it is ended", || !is_running(&pid));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn large_texts_that_wait_for_a_model_hold_no_threads() {
    const WAITING: usize = 24;
    let path = scratch("pids");
    let program = format!("command:sh -c 'echo $$ >> {}; exec sleep 1000'", path.display());
    let server = Server::with(&["--model", &program]);
    let running = || std::fs::read_to_string(&path).unwrap_or_default().lines().count();
    let text = format!("[{}{DOUBTFUL}]", "{\"id\": 1}, ".repeat(10_000));
    let mut clients = Vec::new();
    let mut threads = 0;
    for number in 1..=WAITING {
        let mut client = server.connect();
        client.send(&Request::json("/api/repair", json!({"text": text, "model": true}).to_string()));
        clients.push(client);
        until("the program runs", || running() == number);
        if number == 1 {
            threads = server.threads();
        }
    }
    assert!(server.threads() < threads + WAITING as u64 / 2, "{threads} threads, then {}", server.threads());
}
