//! `POST /api/stream`: updates while the body comes in.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client::{Events, Request};
use crate::common::chunks::chunking;
use crate::common::config;
use crate::common::process::run;
use crate::server::{Server, until};

const TEXT: &str =
    "Here you are:\n```json\n{\"title\": \"Crêpes 🥞\", steps: [1, 2.50, {\"a\": \"b\\u00e9\"},], \"n\": 12";

fn open(server: &Server, query: &str) -> Events {
    let mut client = server.connect();
    client.begin(&Request::text(&format!("/api/stream{query}"), ""));
    client.events()
}

/// All events of a body that comes in at once.
fn events(server: &Server, query: &str, body: impl AsRef<[u8]>) -> Vec<(String, Value)> {
    let mut client = server.connect();
    client.send(&Request::text(&format!("/api/stream{query}"), body));
    client.events().collect()
}

#[test]
fn an_update_leaves_as_soon_as_its_bytes_have_come_in() {
    let server = Server::new();
    let mut events = open(&server, "");
    events.read_until(": open\n\n");
    let mut known = Value::Null;
    for (piece, value) in [
        ("{\"msg\": \"Hel", json!({"msg": "Hel"})),
        ("lo\", \"flags\": [tr", json!({"msg": "Hello", "flags": []})),
        ("ue, 4", json!({"msg": "Hello", "flags": [true, 4]})),
        ("2]", json!({"msg": "Hello", "flags": [true, 42]})),
    ] {
        // The next piece is sent when the update is here: no side waits for the other to end.
        let (name, update) = events.feed(piece);
        assert_eq!(name, "update");
        let ops: Vec<jsonrill::Op> = serde_json::from_value(update["delta"].clone()).unwrap();
        jsonrill::apply_all(&ops, &mut known).unwrap();
        assert_eq!(known, value);
    }
    let rest = events.finish();
    assert_eq!(rest.len(), 1);
    assert_eq!((rest[0].0.as_str(), &rest[0].1["outcome"]), ("end", &json!("truncated")));
    assert_eq!(rest[0].1["value"], known);
}

#[test]
fn the_events_are_the_lines_that_watch_prints() {
    let server = Server::new();
    let chat = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/chat.sse")).unwrap();
    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/streams/openai-chat-parallel-tools.sse");
    let tools = fs::read_to_string(tools).unwrap();
    let chunks = "\"[1, \"\n\n{\"base64\": \"MiwgMyI=\"}\n\"] x\"";
    for (body, query, args) in [
        (TEXT, "?chunk=5&emit=lines", &["--chunk", "5"][..]),
        (TEXT, "?chunk=5", &["--chunk", "5", "--emit", "deltas"]),
        (TEXT, "?emit=final", &["--emit", "final"]),
        (
            TEXT,
            "?emit=final&dialect=strict&end=truncated",
            &["--emit", "final", "--dialect", "strict", "--end", "truncated"],
        ),
        ("[1] [2] [3", "?roots=many&chunk=3&emit=lines", &["--roots", "many", "--chunk", "3"]),
        ("[1] [2] [3", "?roots=last&chunk=3&emit=lines", &["--roots", "last", "--chunk", "3"]),
        ("{\"a\": 1, \"a\": 2}", "?duplicates=last&emit=final", &["--duplicates", "last", "--emit", "final"]),
        ("", "?role=arguments", &["--role", "arguments", "--emit", "deltas"]),
        (chunks, "?input=chunks&emit=lines", &["--input", "chunks"]),
        (chunks, "?input=chunks&chunk=2&emit=lines", &["--input", "chunks", "--chunk", "2"]),
        (&chat, "?input=sse", &["--input", "sse", "--emit", "deltas"]),
        (&chat, "?input=sse&provider=openai&emit=lines", &["--input", "sse", "--provider", "openai"]),
        (
            &tools,
            "?input=sse&role=arguments&call=1&emit=final",
            &["--input", "sse", "--role", "arguments", "--call", "1", "--emit", "final"],
        ),
        (
            "{\"id\": 1}\n{\"id\": 2",
            "?input=ndjson&roots=many",
            &["--input", "ndjson", "--roots", "many", "--emit", "deltas"],
        ),
        (
            "[{\"id\": 1}, 7]",
            "?input=json-array&roots=many",
            &["--input", "json-array", "--roots", "many", "--emit", "deltas"],
        ),
        ("data: [1, \n\ndata: 2]\n\n", "?input=sse", &["--input", "sse", "--emit", "deltas"]),
    ] {
        let mut printed = run(&[&["watch"], args].concat(), body).lines();
        let events = events(&server, query, body);
        let (names, data): (Vec<_>, Vec<_>) = events.into_iter().filter(|(name, _)| name != "warning").unzip();
        assert_eq!(data, printed, "{query}");
        assert_eq!(names.last().map(String::as_str), Some("end"));
        printed.pop();
        assert!(names[..printed.len()].iter().all(|name| name == "update"));
    }
}

#[test]
fn what_is_wrong_with_a_providers_stream_is_told() {
    let server = Server::new();
    let body = "data: {\"error\": {\"message\": \"overloaded\", \"type\": \"server_error\"}}\n\n";
    let told = events(&server, "?input=sse&provider=openai", body);
    assert!(told[0].0 == "warning" && told[0].1["message"].as_str().unwrap().contains("overloaded"), "{told:?}");
    assert_eq!(told.last().unwrap().0, "end");
    let broken = events(&server, "?input=chunks", "\"[1\"\nnonsense\n");
    let (name, error) = broken.last().unwrap();
    assert_eq!((name.as_str(), &error["code"]), ("error", &json!(400)));
    assert!(error["message"].as_str().unwrap().contains("line 2"));
}

#[test]
fn how_the_body_is_cut_changes_nothing() {
    let server = Server::new();
    let chat = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/chat.sse")).unwrap();
    let expected = |query: &str, body: &str| events(&server, query, body);
    let cases = [
        ("?emit=final", TEXT),
        // With pieces of a size, or of the provider's, all updates are the same.
        ("?chunk=7&emit=lines", TEXT),
        ("?input=sse", chat.as_str()),
        ("?input=chunks&emit=lines", "\"[1, \"\n{\"base64\": \"MiwgMw==\"}\n\"]\"\n"),
    ];
    let whole = cases.map(|(query, body)| expected(query, body));
    proptest!(config(24), |(case in 0..cases.len(), chunking in chunking())| {
        let (query, body) = cases[case];
        let mut events = open(&server, query);
        for piece in chunking.cut(body.as_bytes()) {
            events.client.chunk(piece);
        }
        prop_assert_eq!(&events.finish(), &whole[case]);
    });
}

#[test]
fn a_client_that_goes_away_ends_its_stream() {
    let server = Server::new();
    let mut events = open(&server, "");
    events.feed("[1, ");
    assert_eq!(server.figure("jsonrill_open_streams"), 1);
    drop(events);
    until("it is closed", || server.figure("jsonrill_open_streams") == 0);
    // One that has said all it had to say, and is still sent to, as well.
    let mut client = server.connect();
    client.send(&Request::text("/api/stream?emit=lines&chunk=1", format!("[{}", "1, ".repeat(20_000))));
    drop(client);
    until("it is closed", || server.figure("jsonrill_open_streams") == 0);
}

#[test]
fn a_client_that_does_not_read_is_not_read_from() {
    let server = Server::new();
    let mut client = server.connect();
    client.begin(&Request::text("/api/stream?emit=lines&chunk=1", ""));
    // Each byte brings an update with everything before it: more than any buffer holds.
    let text = format!("[\"{}\"]", "x".repeat(30_000));
    client.chunk(&text);
    client.end();
    let mut events = client.events();
    let (mut count, mut last) = (0, None);
    for event in events.by_ref() {
        count += 1;
        last = Some(event);
        if count == 2 {
            // The rest waits, in no more memory than a frame: the service has not made it yet.
            let size = server.memory();
            assert!(size < 200_000, "{size} KB");
        }
    }
    assert_eq!(count, text.len() + 1);
    assert_eq!(last.unwrap().1["value"][0].as_str().unwrap().len(), 30_000);
}
