//! Repairs, contexts and chunks: what the command line prints, over HTTP.

use serde_json::{Value, json};

use crate::client::Request;
use crate::common::process::run;
use crate::server::Server;

const DAMAGED: &str =
    "Here: ```json\n{\"z\": 1.50, \"a\": [1e400, 12345678901234567890123, ], name: 'Ada', \"note\": \"cut he";

#[test]
fn a_repair_says_what_the_command_line_says() {
    let server = Server::new();
    let many = "{\"id\": 1}{\"id\": 2,}";
    for (text, query, args) in [
        (DAMAGED, "", &[][..]),
        ("[1, 2]", "", &[]),
        ("no json", "", &[]),
        ("", "", &[]),
        ("]", "", &[]),
        (many, "?roots=many", &["--roots", "many"]),
        (many, "?roots=last&end=truncated", &["--roots", "last", "--end", "truncated"]),
        ("", "?role=arguments", &["--role", "arguments"]),
        ("[1] {\"a\": 1, \"a\": 2}", "?expect=object&duplicates=last", &["--expect", "object", "--duplicates", "last"]),
        ("hm </think> [1]", "?reasoning_expected=true", &["--reasoning-expected"]),
        ("\"[1, 2\"", "?unwrap_string=true", &["--unwrap-string"]),
    ] {
        let printed = run(&[&["repair", "--json"], args].concat(), text).stdout;
        let expected = printed.trim_end().strip_suffix('}').unwrap().to_owned() + ",\"source\":\"rules\"}\n";
        let path = format!("/api/repair{query}");
        let as_json = json!({"text": text}).to_string();
        let said = [
            Request::text(&path, text),
            Request::json(&path, as_json),
            Request::new("POST", &path).header("content-type", "application/octet-stream").body(text),
        ];
        // Nothing, of which nothing is said, is no body.
        let unsaid = (!text.is_empty()).then(|| Request::new("POST", &path).body(text));
        for request in said.into_iter().chain(unsaid) {
            let response = server.ask(request);
            assert_eq!((response.status(), response.header("content-type")), (200, Some("application/json")));
            // To the byte: numbers as they were spelled, keys in their order.
            assert_eq!(response.text(), expected, "{text}");
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_repaired_too() {
    let server = Server::new();
    let request = Request::new("POST", "/api/repair").header("content-type", "application/octet-stream");
    let response = server.ask(request.body(b"{\"a\": \"\xff\"}"));
    assert_eq!(response.value()["text"], "{\"a\": \"\u{fffd}\"}");
    assert_eq!(response.value()["repairs"][0]["kind"], "invalid_utf8");
}

#[test]
fn a_strict_repair_repairs_nothing() {
    let server = Server::new();
    let value = server.ask(Request::text("/api/repair?dialect=strict", "[1, 2, x]")).value();
    assert_eq!((&value["outcome"], &value["text"]), (&json!("malformed"), &json!("[1, 2]")));
}

#[test]
fn contexts_say_what_the_command_line_says() {
    let server = Server::new();
    for (text, query, args) in [
        (DAMAGED, "", &[][..]),
        ("[1, 2]", "", &[]),
        ("none", "", &[]),
        (DAMAGED, "?budget=3&overlap=5&limit=200", &["--budget", "3", "--overlap", "5", "--limit", "200"]),
        ("[1, x]", "?dialect=strict", &["--dialect", "strict"]),
        ("[1] [2", "?roots=last", &["--roots", "last"]),
    ] {
        let expected = run(&[&["contexts"], args].concat(), text).line();
        let path = format!("/api/contexts{query}");
        for request in [Request::text(&path, text), Request::json(&path, json!({"text": text}).to_string())] {
            let response = server.ask(request);
            assert_eq!(response.status(), 200, "{}", response.text());
            let mut value = response.value();
            let more = value.as_object_mut().unwrap();
            assert!(more.remove("outcome").is_some() && more.remove("error").is_some());
            assert_eq!(value, expected, "{text}");
        }
    }
    let malformed = server.ask(Request::text("/api/contexts?dialect=strict", "[1, x]")).value();
    assert_eq!((&malformed["outcome"], malformed["error"]["code"].is_string()), (&json!("malformed"), true));
}

#[test]
fn contexts_join_rounds() {
    let server = Server::new();
    let rounds = json!({"rounds": ["{\"items\": [{\"id\": 1}, {\"id\"", ": 2}, {\"id\": 3, \"na"]});
    let value = server.ask(Request::json("/api/contexts", rounds.to_string())).value();
    assert_eq!(value["complete_part"], "{\"items\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]}");
    assert_eq!(value["outcome"], "truncated");
    let none = server.ask(Request::json("/api/contexts", "{\"rounds\": []}")).value();
    assert_eq!((&none["outcome"], &none["complete_part"]), (&json!("empty"), &json!("")));
}

#[test]
fn chunks_are_those_of_the_command_line() {
    let server = Server::new();
    let long = format!("[{}]", (0..9000).map(|n| format!("{{\"id\": {n}.0}}")).collect::<Vec<_>>().join(", "));
    let cut = DAMAGED.replace("1e400", "1e40");
    let sentence = "{\"a\": \"One two. Three four. Five.\"}";
    for (text, query, args) in [
        (long.as_str(), "max=1000", &["--max", "1000"][..]),
        (&long, "max=1000&min=900&documents=true", &["--max", "1000", "--min", "900", "--documents"]),
        (&cut, "max=40", &["--max", "40"]),
        (sentence, "max=26&cut_strings=word&bytes=true", &["--max", "26", "--cut-strings", "word", "--bytes"]),
        ("{\"a\": [1, 2]}", "max=9&convert_lists=true", &["--max", "13", "--convert-lists"]),
        (sentence, "max=30&compat=langchain", &["--max", "30", "--compat", "langchain"]),
        (
            "{\"a\": 1, \"b\": {\"c\": 2}}",
            "max=12&compat=langchain&documents=true",
            &["--max", "12", "--compat", "langchain", "--documents"],
        ),
        ("[]", "max=10", &["--max", "10"]),
    ] {
        let query = if query.starts_with("max=9&") { "max=13&convert_lists=true" } else { query };
        let printed = run(&[&["split"], args].concat(), text).code(0).stdout;
        let path = format!("/api/split?{query}");
        let lines = server.ask(Request::text(&path, text).header("accept", "application/x-ndjson"));
        assert_eq!((lines.status(), lines.header("content-type")), (200, Some("application/x-ndjson")), "{query}");
        assert_eq!(lines.text(), printed, "{query}");
        let array = server.ask(Request::text(&path, text));
        assert_eq!(array.header("content-type"), Some("application/json"));
        let chunks: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(array.value(), Value::Array(chunks), "{query}");
        let outcome = if text == cut { "truncated" } else { "complete" };
        assert_eq!(array.header("jsonrill-outcome"), Some(outcome));
    }
}

#[test]
fn what_to_split_may_be_in_an_object() {
    let server = Server::new();
    let split = |body: &str| server.ask(Request::json("/api/split", body));
    let response = split(r#"{"document": {"b": 1.0, "a": [1e400, 2]}, "max": 18}"#);
    assert_eq!(response.text(), "[{\"b\":1.0},\n{\"a\":[1e400,2]}]\n");
    assert_eq!(split(r#"{"text": "{a: 1}", "max": 100}"#).text(), "[{\"a\": 1}]\n".replace(": ", ":"));
    assert_eq!(split(r#"{"document": null, "max": 100}"#).text(), "[null]\n");
    // The body's word counts.
    let both = server.ask(Request::json("/api/split?max=3&documents=true", r#"{"document": [1, 2], "max": 90}"#));
    assert_eq!(both.value()[0]["page_content"], "[1,2]");
}

#[test]
fn what_cannot_be_split_is_refused() {
    let server = Server::new();
    let split = |query: &str, text: &str| server.ask(Request::text(&format!("/api/split{query}"), text));
    assert!(split("?max=10", "{\"a\": \"0123456789\"}").refused_plainly(422).contains("/a"));
    assert!(split("?max=10", "none").refused_plainly(422).contains("no JSON"));
    assert!(split("?max=10", "tru").refused_plainly(422).contains("nothing"));
    assert!(split("", "[1]").refused_plainly(400).contains("max is missing"));
    assert!(split("?max=0", "[1]").refused_plainly(400).contains("at least 1"));
    assert!(split("?max=5&min=6", "[1]").refused_plainly(400).contains("min is larger"));
    assert!(split("?max=5&compat=langchain&bytes=true", "[1]").refused_plainly(400).contains("compat"));
    let object = |body: &str| server.ask(Request::json("/api/split?max=9", body)).refused_plainly(400);
    assert!(object("{}").contains("a document, or a text"));
    assert!(object(r#"{"text": "1", "document": 1}"#).contains("not both"));
}
