//! The server: files, errors, limits.

use serde_json::{Value, json};

use crate::server::Pace;
use crate::server::answers::KEPT;
use crate::site::{Known, SCENARIOS, Site, expected};

#[test]
fn the_page_is_served() {
    let site = Site::stepwise();
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/style.css", "text/css; charset=utf-8"),
        ("/app.js", "text/javascript; charset=utf-8"),
        ("/view.js", "text/javascript; charset=utf-8"),
        ("/wire.js", "text/javascript; charset=utf-8"),
        ("/delta.js", "text/javascript; charset=utf-8"),
        ("/icon.svg", "image/svg+xml; charset=utf-8"),
    ] {
        let response = site.get(path);
        assert_eq!((response.status(), response.header("content-type")), (200, Some(kind)), "{path}");
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(response.header("cache-control"), Some("no-store"));
        assert!(response.header("content-security-policy").unwrap().starts_with("default-src 'self';"));
        assert!(!response.text().is_empty());
    }
}

#[test]
fn no_other_file_is() {
    let site = Site::stepwise();
    for path in [
        "/index.html",
        "/main.rs",
        "/recordings/tasting.jsonl",
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/..%2fserver%2fmod.rs",
        "//etc/passwd",
        "/style.css/",
        "/style.css%00",
        "/answers",
    ] {
        let response = site.get(path);
        assert!(matches!(response.status(), 400 | 404 | 405), "{path}: {}", response.status());
        assert_eq!(response.text(), "", "{path}");
    }
}

#[test]
fn the_scenarios_are_listed() {
    let list = Site::stepwise().get("/scenarios").json();
    let ids: Vec<_> = list.as_array().unwrap().iter().map(|scenario| scenario["id"].as_str().unwrap()).collect();
    assert_eq!(ids, SCENARIOS);
    for scenario in list.as_array().unwrap() {
        for field in ["name", "provider", "question"] {
            assert!(!scenario[field].as_str().unwrap().is_empty());
        }
    }
}

/// A page of another site reaches this server under the name of its own (DNS rebinding).
#[test]
fn nobody_is_served_under_another_name() {
    let site = Site::stepwise();
    let port = site.address.port();
    let status = |host: &str| site.request_as(host, "GET", "/scenarios", &[], "").status();
    for host in ["localhost", "127.0.0.1", &format!("localhost:{port}"), &format!("127.0.0.1:{port}")] {
        assert_eq!(status(host), 200, "{host}");
    }
    for host in ["", "example.com", "localhost.example.com", "127.0.0.1.example.com", &format!("example.com:{port}")] {
        assert_eq!(status(host), 421, "{host}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let site = Site::stepwise();
    let json = [("Content-Type", "application/json")];
    let ask = |headers: &[_], body: &str| site.request("POST", "/answers", headers, body).status();
    assert_eq!(ask(&json, r#"{"scenario": "tasting", "question": "?"}"#), 201);
    assert_eq!(ask(&json, r#"{"scenario": "../tasting", "question": "?"}"#), 422);
    assert_eq!(ask(&json, r#"{"scenario": "tasting"}"#), 422);
    assert_eq!(ask(&json, "{"), 400);
    assert_eq!(ask(&json, &json!({"scenario": "tasting", "question": "?".repeat(5000)}).to_string()), 413);
    assert_eq!(ask(&[], r#"{"scenario": "tasting", "question": "?"}"#), 415);
    assert_eq!(site.get("/answers").status(), 405);
}

#[test]
fn what_is_not_there_is_not_found() {
    let site = Site::stepwise();
    let answer = site.ask("tasting");
    let (run, _) = answer.split_once('-').unwrap();
    for id in ["1", "..", &format!("{run}-2"), &format!("{run}-0")] {
        assert_eq!(site.get(&format!("/answers/{id}")).status(), 404);
        assert_eq!(site.get(&format!("/answers/{id}/events")).status(), 404);
        for action in ["stop", "disconnect", "step/1"] {
            assert_eq!(site.post(&format!("/answers/{id}/{action}")).status(), 404, "{id} {action}");
        }
    }
    // Only tests step.
    let site = Site::new(Pace::Fast);
    let answer = site.ask("tasting");
    assert_eq!(site.post(&format!("/answers/{answer}/step/1")).status(), 405);
}

#[test]
fn an_answer_says_what_it_answers() {
    let site = Site::stepwise();
    let about = site.get(&format!("/answers/{}", site.ask("cider"))).json();
    assert_eq!(about["question"], "Well?");
    assert_eq!((&about["scenario"]["id"], &about["scenario"]["provider"]), (&json!("cider"), &json!("Ollama")));
}

#[test]
fn a_viewer_gets_the_document() {
    let site = Site::new(Pace::Fast);
    for scenario in SCENARIOS {
        let known = Known::all(site.events(&site.ask(scenario), None));
        assert_eq!(known.answer, expected(scenario), "{scenario}");
        assert!(known.bubbles().len() >= 2);
        assert!(known.end.is_object());
    }
}

/// How each of them ends.
#[test]
fn the_end_is_told_as_what_it_is() {
    let site = Site::new(Pace::Fast);
    let known = |scenario| Known::all(site.events(&site.ask(scenario), None));

    let whole = known("broken_cases");
    let end = json!({"outcome": "complete", "stop_reason": "stop", "errors": [], "repairs": 0, "is_stopped": false});
    assert_eq!(whole.end, end);
    assert_eq!(whole.finals.last().map(String::as_str), Some(""));
    assert_eq!((whole.outside.as_str(), whole.calls.len()), ("", 0));

    let call = known("charged_twice");
    assert_eq!((&call.end["outcome"], &call.end["stop_reason"]), (&json!("repaired"), &json!("tool_use")));
    assert_eq!((&call.end["repairs"], &call.end["errors"]), (&json!(0), &json!([])));
    assert_eq!((call.outside.trim(), call.before.as_slice()), ("Of course.", [true].as_slice()));
    assert!(call.thinking.starts_with("Two charges"));
    assert_eq!(call.calls[0], json!({"state": "started", "call": 0, "name": "page_admin"}));
    assert_eq!(call.calls[1]["arguments"]["answer_before"], "18:00");
    assert_eq!(call.calls.len(), 2);

    let cut = known("tasting");
    assert_eq!((&cut.end["outcome"], &cut.end["stop_reason"]), (&json!("truncated"), &json!("length")));
    assert!(cut.is_final("/bubbles/1") && !cut.is_final("/bubbles/2") && !cut.is_final(""));
    assert!(cut.bubbles()[2].ends_with("for the end a"));

    let error = known("birthday");
    assert_eq!(error.end["errors"], json!(["Overloaded (overloaded_error)"]));
    assert_eq!(error.end["outcome"], "truncated");
    assert!(error.is_final("/bubbles/0") && !error.is_final("/bubbles/1/text"));
    assert!(error.bubbles()[1].ends_with("ready to dri"));

    let damaged = known("cider");
    assert_eq!((&damaged.end["outcome"], &damaged.answer["is_adult"]), (&json!("repaired"), &json!(false)));
    assert!(damaged.end["repairs"].as_u64().unwrap() > 5);
    assert!(damaged.bubbles()[0].contains(r#""anyone under 18", even"#));
    assert!(damaged.outside.contains("Cider has alcohol"));
}

#[test]
fn a_stopped_answer_keeps_what_came() {
    let site = Site::stepwise();
    let answer = site.ask("broken_cases");
    site.step(&answer, 40);
    let events = site.events(&answer, None);
    for _ in 0..2 {
        assert_eq!(site.post(&format!("/answers/{answer}/stop")).status(), 204);
    }
    let known = Known::all(events);
    assert_eq!((&known.end["is_stopped"], &known.end["errors"]), (&json!(true), &json!([])));
    assert!(!known.bubbles().is_empty() && !known.is_final(""));
    let whole = expected("broken_cases");
    let first = whole["bubbles"][0]["text"].as_str().unwrap();
    assert!(first.starts_with(known.bubbles()[0]));
    // It reads no further.
    assert_eq!(site.step(&answer, 100), site.step(&answer, 0));
}

#[test]
fn one_that_pauses_can_be_stopped() {
    let site = Site::new(Pace::Recorded);
    let answer = site.ask("tasting");
    let events = site.events(&answer, None);
    assert_eq!(site.post(&format!("/answers/{answer}/stop")).status(), 204);
    assert_eq!(Known::all(events).end["is_stopped"], true);
}

#[test]
fn the_oldest_answer_makes_room() {
    let site = Site::stepwise();
    let oldest = site.ask("tasting");
    site.step(&oldest, 30);
    let events = site.events(&oldest, None);
    let others: Vec<_> = (0..KEPT).map(|_| site.ask("tasting")).collect();
    assert_eq!(site.get(&format!("/answers/{oldest}/events")).status(), 404);
    assert!(others.iter().all(|id| site.get(&format!("/answers/{id}")).status() == 200));
    // Its model was stopped, and whoever looked at it is told.
    let known = Known::all(events);
    assert_eq!(known.end["is_stopped"], true);
}

#[test]
fn the_recordings_have_a_pace() {
    for scenario in SCENARIOS {
        let file = format!("{}/examples/chat_page/recordings/{scenario}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let file = std::fs::read_to_string(file).unwrap();
        let reads: Vec<(u64, String)> = file.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
        let all: u64 = reads.iter().map(|(pause, _)| pause).sum();
        assert!((2_000..10_000).contains(&all) && reads.len() > 40, "{scenario}: {all} ms");
        assert!(reads.iter().all(|(_, read)| !read.is_empty()));
        let about: Value = serde_json::from_str(file.lines().next().unwrap()).unwrap();
        assert!(about["name"].is_string());
    }
}
