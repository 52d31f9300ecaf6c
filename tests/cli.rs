//! The command line, run as a process: every option, every exit code, every key of the contract.
#![cfg(feature = "cli")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use common::process::{Run, Temp, jsonrill, keys, run, run_unread};
use jsonrill::Op;
use serde_json::{Value, json};

const REPLY: &str = r#"{"title": "Grüße", "price": 1.50, "big": 123456789012345678901234567890, "tags": ["a\n", "🎉"], "user": {"name": "Ana", "ok": true, "none": null}}"#;

// --- running it -------------------------------------------------------------------------------------------------------

impl Run {
    fn feeds(&self) -> Vec<Value> {
        let mut lines = self.lines();
        lines.pop();
        lines
    }

    fn end(&self) -> Value {
        let end = self.lines().pop().expect("a last line");
        assert_eq!(end["end"], true, "{end}");
        end
    }
}

/// `jsonrill watch ARGS`, with `input` on standard input.
fn watch(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    run(&[&["watch"], args].concat(), input)
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("an array").iter().map(|item| item.as_str().expect("a string")).collect()
}

/// Applies the deltas of the lines to nothing.
fn replay<'a>(lines: impl IntoIterator<Item = &'a Value>) -> Value {
    let mut value = Value::Null;
    for line in lines {
        let ops: Vec<Op> = serde_json::from_value(line["delta"].clone()).expect("ops");
        for op in ops {
            op.apply(&mut value).unwrap_or_else(|error| panic!("{error}: {line}"));
        }
    }
    value
}

// --- lines ------------------------------------------------------------------------------------------------------------

#[test]
fn a_file_is_one_feed() {
    let file = Temp::new(REPLY);
    let run = watch(&[file.path()], "").code(0);
    let lines = run.lines();
    assert_eq!(lines.len(), 2, "{}", run.stdout);
    assert_eq!(keys(&lines[0]), ["ambiguity", "delta", "feed", "final", "open", "snapshot"]);
    assert_eq!(lines[0]["feed"], 1);
    assert_eq!(
        keys(&lines[1]),
        ["complete", "cut", "delta", "end", "error", "final", "outcome", "repairs", "skipped", "value", "warnings"]
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn a_line_says_all_that_a_feed_told() {
    let chunks =
        "\"{\\\"items\\\": [{\\\"id\\\": 1, \\\"name\\\": \\\"Fi\"\n\"rst\\\"}, {\\\"id\\\": 2\"\n\", \\\"x\\\"\"";
    let run = watch(&["--input", "chunks"], chunks).code(2);
    let lines = run.feeds();
    assert_eq!(lines.len(), 3);

    assert_eq!(lines[0]["snapshot"], json!({"items": [{"id": 1, "name": "Fi"}]}));
    assert_eq!(lines[0]["open"], "/items/0/name");
    assert_eq!(lines[0]["final"], json!(["/items/0/id"]));
    assert_eq!(
        lines[0]["ambiguity"],
        json!({"ambiguous": true, "fields": {"items": {"ambiguous": true, "items": [
            {"ambiguous": true, "fields": {"id": {"ambiguous": false}, "name": {"ambiguous": true}}}
        ]}}})
    );
    assert_eq!(replay(&lines[..1]), lines[0]["snapshot"]);

    assert_eq!(lines[1]["feed"], 2);
    assert_eq!(lines[1]["snapshot"], json!({"items": [{"id": 1, "name": "First"}, {"id": 2}]}));
    assert_eq!(lines[1]["open"], "/items/1/id");
    assert_eq!(lines[1]["final"], json!(["/items/0/name", "/items/0"]));
    assert!(
        lines[1]["delta"]
            .as_array()
            .unwrap()
            .contains(&json!({"op": "append", "path": "/items/0/name", "text": "rst"})),
        "{}",
        lines[1]["delta"]
    );

    // The number is final at the comma's follower (it may have been 2,5); the half member is in no view.
    assert_eq!(lines[2]["snapshot"], lines[1]["snapshot"]);
    assert_eq!(lines[2]["final"], json!(["/items/1/id"]));
    assert_eq!(lines[2]["open"], "/items/1");
}

#[test]
fn nothing_known_is_not_null() {
    let run = watch(&["--input", "chunks"], "\"Sure: \"\n\"{\\\"a\\\": null}\"").code(0);
    let lines = run.feeds();
    assert_eq!(lines[0]["snapshot"], Value::Null);
    assert_eq!(lines[0]["started"], false);
    assert_eq!(lines[0]["delta"], json!([]));
    assert_eq!(lines[0]["final"], json!([]));
    assert_eq!(lines[0]["open"], Value::Null);
    assert_eq!(lines[0]["ambiguity"], json!({"ambiguous": true}));
    assert!(lines[1].get("started").is_none());

    let run = watch(&["--dialect", "strict"], "null").code(0);
    assert_eq!(run.feeds()[0]["snapshot"], Value::Null);
    assert!(run.feeds()[0].get("started").is_none(), "a null that is there");
}

#[test]
fn numbers_and_key_order_are_the_source_s() {
    let text = r#"{"z": 1.50, "a": 123456789012345678901234567890, "m": -0, "b": 1E+2}"#;
    let run = watch(&[], text).code(0);
    for line in run.stdout.lines() {
        let value = r#"{"z":1.50,"a":123456789012345678901234567890,"m":-0,"b":1E+2}"#;
        if line.contains(r#""end":true"#) {
            assert!(line.contains(&format!(r#""value":{value}"#)), "{line}");
        } else {
            assert!(line.contains(&format!(r#""snapshot":{value}"#)), "{line}");
            assert!(line.contains(&format!(r#""op":"add","path":"","value":{value}"#)), "the delta too: {line}");
        }
    }
}

#[test]
fn deltas_add_up_to_the_value_however_the_text_is_cut() {
    let whole = watch(&["--emit", "final"], REPLY).code(0);
    assert_eq!(whole.stdout.lines().count(), 1);
    for size in ["1", "2", "3", "7", "64", "100000"] {
        for emit in ["lines", "deltas"] {
            let run = watch(&["--chunk", size, "--emit", emit], REPLY).code(0);
            assert_eq!(run.stdout.lines().last(), whole.stdout.lines().last(), "chunks of {size}: the last line");
            let lines = run.lines();
            assert_eq!(replay(&lines), whole.end()["value"], "chunks of {size}");
            for (index, line) in lines.iter().enumerate() {
                if emit == "lines" && index + 1 < lines.len() {
                    assert_eq!(replay(&lines[..=index]), line["snapshot"], "chunks of {size}, line {index}");
                    assert_eq!(line["feed"], index + 1);
                }
            }
        }
    }
}

#[test]
fn what_became_final_is_told_once_and_never_changes() {
    let run = watch(&["--chunk", "1"], REPLY).code(0);
    let lines = run.lines();
    let value = run.end()["value"].clone();
    let mut told: Vec<String> = Vec::new();
    for line in &lines {
        for path in strings(&line["final"]) {
            assert!(!told.iter().any(|earlier| earlier == path), "{path} twice");
            told.push(path.to_owned());
            if let Some(snapshot) = line.get("snapshot") {
                assert_eq!(snapshot.pointer(path), value.pointer(path), "{path} is final");
            }
        }
    }
    for path in ["", "/title", "/price", "/big", "/tags", "/tags/0", "/tags/1", "/user", "/user/name", "/user/ok"] {
        assert!(told.iter().any(|earlier| earlier == path), "{path:?} became final: {told:?}");
    }
}

#[test]
fn deltas_leaves_out_what_repeats() {
    let run = watch(&["--emit", "deltas", "--chunk", "9"], REPLY).code(0);
    for line in run.feeds() {
        assert!(line.get("snapshot").is_none() && line.get("ambiguity").is_none(), "{line}");
        assert!(line["delta"].is_array() && line["final"].is_array() && line.get("open").is_some(), "{line}");
    }
    assert!(run.end().get("value").is_some());
}

#[test]
fn final_prints_the_last_line_only() {
    let lines = watch(&["--chunk", "5"], REPLY).code(0);
    let last = watch(&["--chunk", "5", "--emit", "final"], REPLY).code(0);
    assert_eq!(Some(last.stdout.trim_end()), lines.stdout.lines().last());
}

// --- the last line ----------------------------------------------------------------------------------------------------

#[test]
fn the_last_line_of_a_complete_text() {
    let end = watch(&[], r#"{"a": [1, 2]}"#).code(0).end();
    assert_eq!(
        end,
        json!({
            "end": true, "delta": [], "final": [], "outcome": "complete", "complete": true, "value": {"a": [1, 2]},
            "repairs": [], "warnings": [], "skipped": [], "cut": end["cut"], "error": null
        })
    );
}

#[test]
fn the_last_line_of_a_repaired_text() {
    let text = "Here:\n```json\n{\"a\": \"x\ty\", \"b\": [1, 2,],}\n```\n";
    let run = watch(&[], text).code(0);
    let end = run.end();
    assert_eq!(end["outcome"], "repaired");
    assert_eq!(end["complete"], true);
    assert_eq!(end["value"], json!({"a": "x\ty", "b": [1, 2]}));
    let kinds: Vec<&str> = end["repairs"].as_array().unwrap().iter().map(|r| r["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["control_character", "extra_comma", "extra_comma"], "{end}");
    for repair in end["repairs"].as_array().unwrap() {
        assert_eq!(keys(repair), ["kind", "length", "message", "offset"]);
        let offset = usize::try_from(repair["offset"].as_u64().unwrap()).unwrap();
        let length = usize::try_from(repair["length"].as_u64().unwrap()).unwrap();
        let expected = if repair["kind"] == "control_character" { "\t" } else { "," };
        assert_eq!(&text[offset..offset + length], expected, "{repair}");
        assert!(!repair["message"].as_str().unwrap().is_empty());
    }
    let skipped = end["skipped"].as_array().unwrap();
    assert_eq!(skipped[0]["kind"], "prose", "{end}");
    assert_eq!(skipped[0]["start"], 0);
    assert!(skipped.iter().any(|skip| skip["kind"] == "fence"), "{end}");
    for skip in skipped {
        assert_eq!(keys(skip), ["end", "kind", "start"]);
    }
}

#[test]
fn the_last_line_of_a_truncated_text() {
    let run = watch(&[], r#"{"items": [{"id": 1, "name": "Thi"#).code(2);
    let end = run.end();
    assert_eq!(end["outcome"], "truncated");
    assert_eq!(end["complete"], false);
    assert_eq!(end["value"], json!({"items": [{"id": 1, "name": "Thi"}]}));
    assert_eq!(end["error"], Value::Null);
    assert_eq!(end["cut"], json!({"offset": 33, "state": "in_string", "open": "/items/0/name", "closers": "\"}]}"}));
}

#[test]
fn the_last_line_of_a_malformed_text() {
    let run = watch(&["--dialect", "strict"], r#"{"a": 1, "b": tru!, "c": 3}"#).code(3);
    let end = run.end();
    assert_eq!(end["outcome"], "malformed");
    assert_eq!(end["complete"], false);
    assert_eq!(end["value"], json!({"a": 1}), "what was read stays readable");
    assert_eq!(keys(&end["error"]), ["code", "message", "offset"]);
    assert_eq!(end["error"]["offset"], 17);
    assert!(!end["error"]["message"].as_str().unwrap().is_empty());
    assert!(!end["error"]["code"].as_str().unwrap().is_empty());
}

#[test]
fn no_json_at_all() {
    for input in ["", " \n", "Sorry, I can't help with that."] {
        let end = watch(&[], input).code(3).end();
        assert_eq!(end["outcome"], "empty", "{input:?}");
        assert_eq!(end["complete"], false);
        assert_eq!(end["value"], Value::Null);
    }
    assert_eq!(watch(&[], "").lines().len(), 1, "no bytes, no feed");
    assert_eq!(watch(&[Temp::new("").path()], "").lines().len(), 1, "an empty file has none either");
}

/// What `repair --json` says about a text, `watch` says in the same form; but places have a line and a column there.
#[test]
fn the_same_thing_has_the_same_form_in_all_commands() {
    fn holds(larger: &Value, smaller: &Value) -> bool {
        match (larger, smaller) {
            (Value::Array(larger), Value::Array(smaller)) => {
                larger.len() == smaller.len()
                    && larger.iter().zip(smaller).all(|(larger, smaller)| holds(larger, smaller))
            }
            (Value::Object(larger), Value::Object(smaller)) => {
                smaller.iter().all(|(key, smaller)| larger.get(key).is_some_and(|larger| holds(larger, smaller)))
            }
            _ => larger == smaller,
        }
    }
    let many = format!("[[\"\"]{}]", ", [1,]".repeat(10_002));
    for (text, args) in [
        ("Sure:\n```json\n{a: 1, \"b\": 2, \"b\": 3,}\n```\nDone.", &[][..]),
        ("[1, {\"a\": \"x", &[]),
        ("{\"a\": 1,\n \"a\": 2}", &["--duplicates", "error"]),
        ("Nothing.", &[]),
        (&many, &[]),
    ] {
        let watched = watch(&[&["--emit", "final"], args].concat(), text).end();
        let repaired = run(&[&["repair", "--json"], args].concat(), text).line();
        for key in ["outcome", "complete", "value", "repairs", "warnings", "skipped", "cut", "error"] {
            assert!(holds(&repaired[key], &watched[key]), "{key}: {} and {}", repaired[key], watched[key]);
        }
        assert_eq!(repaired.get("omitted"), watched.get("omitted"));
        if watched.get("omitted").is_some() {
            continue; // the same again and again, half of it would pass for a repeat
        }
        let first = Temp::new(&text[..text.len() / 2]);
        let next = Temp::new(&text[text.len() / 2..]);
        let joined = run(&[&["join", first.path(), next.path()], args].concat(), "").line();
        for key in ["outcome", "complete", "value", "repairs", "warnings", "skipped", "cut", "omitted", "error"] {
            let said =
                watched.get(key).filter(|said| joined.get(key).is_some() || **said != json!([]) && !said.is_null());
            assert_eq!(joined.get(key), said, "{key} of {text:.40}");
        }
    }
}

#[test]
fn a_limit_is_exit_3() {
    // Nested deeper than serde_json reads.
    let run = watch(&["--emit", "final"], "[".repeat(100_000)).code(3);
    assert!(run.stdout.contains(r#""outcome":"limit""#), "{}", run.stdout);
    assert!(run.stdout.contains(r#""code":"depth_limit","offset":512,"#), "{}", run.stdout);
}

// --- options ----------------------------------------------------------------------------------------------------------

#[test]
fn dialects() {
    let text = r#"{"a": [1, 2,]}"#;
    assert_eq!(watch(&["--dialect", "lenient"], text).code(0).end()["outcome"], "repaired");
    assert_eq!(watch(&["--dialect", "strict"], text).code(3).end()["outcome"], "malformed");
    assert_eq!(watch(&["--dialect", "strict"], REPLY).code(0).end()["outcome"], "complete");
}

#[test]
fn roots_one_skips_the_others() {
    let end = watch(&["--roots", "one"], "{\"a\": 1}\n{\"b\": 2}").code(0).end();
    assert_eq!(end["value"], json!({"a": 1}));
    assert_eq!(end["skipped"][0]["kind"], "document", "{end}");
    assert!(end.get("documents").is_none() && end.get("document").is_none());
}

#[test]
fn roots_last_takes_the_last() {
    for size in ["1", "4", "1000"] {
        let run = watch(&["--roots", "last", "--chunk", size], "{\"a\": 1}\n{\"b\": 2}").code(0);
        assert_eq!(run.end()["value"], json!({"b": 2}));
    }
}

#[test]
fn roots_many_numbers_its_documents() {
    let text = "{\"a\": \"x\"}\n{\"b\": [1]}\n[2, 3] 4";
    let mut last_lines = Vec::new();
    for size in ["1", "3", "8", "1000"] {
        let run = watch(&["--roots", "many", "--chunk", size], text).code(0);
        let end = run.end();
        assert_eq!(end["documents"], json!([{"a": "x"}, {"b": [1]}, [2, 3], 4]), "chunks of {size}");
        assert_eq!(end["value"], 4);
        // Each document's deltas add up, from nothing.
        let lines = run.lines();
        for (number, document) in end["documents"].as_array().unwrap().iter().enumerate() {
            let of_it: Vec<&Value> = lines.iter().filter(|line| line["document"] == number).collect();
            assert!(!of_it.is_empty(), "document {number} in chunks of {size}: {}", run.stdout);
            assert_eq!(&replay(of_it.iter().copied()), document, "document {number} in chunks of {size}");
        }
        let numbers: Vec<u64> = lines.iter().map(|line| line["document"].as_u64().expect("a number")).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
        last_lines.push(run.stdout.lines().last().unwrap().to_owned());
    }
    last_lines.dedup();
    assert_eq!(last_lines.len(), 1, "{last_lines:#?}");
}

#[test]
fn a_feed_with_many_documents_is_a_line_each() {
    let file = Temp::new("{\"a\": 1}{\"b\": 2}{\"c\": ");
    let run = watch(&["--roots", "many", file.path()], "").code(2);
    let lines = run.feeds();
    let told: Vec<(u64, u64)> =
        lines.iter().map(|line| (line["feed"].as_u64().unwrap(), line["document"].as_u64().unwrap())).collect();
    assert_eq!(told, [(1, 0), (1, 1), (1, 2)], "{}", run.stdout);
    assert_eq!(lines[0]["snapshot"], json!({"a": 1}));
    assert_eq!(lines[1]["snapshot"], json!({"b": 2}));
    assert_eq!(run.end()["document"], 2);
}

#[test]
fn role_arguments_may_be_empty() {
    let end = watch(&["--role", "arguments"], "").code(0).end();
    assert_eq!(end["value"], json!({}));
    assert_eq!(end["complete"], true);
    assert_eq!(end["outcome"], "complete");
    assert_eq!(replay([&end]), json!({}), "the end's delta brings it");
    watch(&["--role", "answer"], "").code(3);
}

#[test]
fn role_arguments_is_an_object() {
    for text in ["[1, 2]", "42", "[{\"a\": 1},]"] {
        let run = watch(&["--role", "arguments"], text).code(3);
        let end = run.end();
        assert_eq!((&end["outcome"], &end["complete"]), (&json!("malformed"), &json!(false)), "{text}");
        assert_ne!(end["value"], Value::Null, "what was read is there");
        assert_eq!(run.stderr, "jsonrill: the arguments are no object: the call is malformed\n");
    }
    let live = watch(&["--role", "arguments", "--emit", "live"], "[1, 2]").code(3);
    assert!(live.stdout.contains("malformed") && live.stdout.contains("no object"), "{}", live.stdout);
    // Some servers send this for none.
    assert_eq!(watch(&["--role", "arguments"], "null").code(0).end()["outcome"], "complete");
    // What is cut is that.
    assert_eq!(watch(&["--role", "arguments"], "[1, 2").code(2).end()["outcome"], "truncated");
    assert_eq!(watch(&["--role", "arguments"], "{\"a\": 1}").code(0).stderr, "");
}

#[test]
fn doubtful_repairs_are_named() {
    let end = watch(&[], "{\"a\": 1,, \"b\": , \"c\": [3}").code(0).end();
    let kinds: Vec<_> = end["repairs"].as_array().unwrap().iter().map(|repair| repair["kind"].clone()).collect();
    assert_eq!(kinds, ["extra_comma", "missing_value", "missing_closer"]);
    assert_eq!(end["doubtful"], json!([1, 2]));
    assert_eq!(watch(&[], "[1,]").code(0).end().get("doubtful"), None);
}

#[test]
fn duplicates() {
    let text = r#"{"a": 1, "b": 2, "a": 3}"#;
    let end = watch(&[], text).code(0).end();
    assert_eq!(end["value"], json!({"a": 1, "b": 2}));
    assert_eq!(end["warnings"][0]["kind"], "duplicate_key", "{end}");
    assert_eq!(keys(&end["warnings"][0]), ["kind", "length", "message", "offset"]);
    assert_eq!(watch(&["--duplicates", "first"], text).code(0).end(), end);

    for size in ["1", "1000"] {
        let run = watch(&["--duplicates", "last", "--chunk", size], text).code(0);
        assert_eq!(run.end()["value"], json!({"a": 3, "b": 2}));
        assert_eq!(replay(&run.lines()), json!({"a": 3, "b": 2}));
    }
    assert!(watch(&["--duplicates", "last", "--chunk", "1"], text).stdout.contains("\"replace\""));

    let end = watch(&["--duplicates", "error"], text).code(3).end();
    assert_eq!(end["outcome"], "malformed");
    // Two different values for an argument: nobody knows which one was meant.
    watch(&["--role", "arguments"], text).code(3);
}

#[test]
fn ends() {
    for (end, code) in [("stopped", 0), ("truncated", 2), ("unknown", 0)] {
        watch(&["--end", end], "42").code(code);
        watch(&["--end", end], "{\"a\": 1").code(2);
        watch(&["--end", end], "{\"a\": 1}").code(0);
    }
}

#[test]
fn chunk_cuts_a_file_and_a_stream_alike() {
    let file = Temp::new(REPLY);
    let of_file = watch(&["--chunk", "4", file.path()], "").code(0);
    assert_eq!(of_file.feeds().len(), REPLY.len().div_ceil(4));
    for args in [&["--chunk", "4"][..], &["--chunk", "4", "-"]] {
        assert_eq!(watch(args, REPLY).code(0).stdout, of_file.stdout);
    }
}

#[test]
fn delay_waits_after_every_feed() {
    let start = std::time::Instant::now();
    watch(&["--delay", "30", "--chunk", "3"], "{\"a\": 1}").code(0);
    assert!(start.elapsed().as_millis() >= 90);
}

// --- recorded chunks --------------------------------------------------------------------------------------------------

fn recorded(chunks: &[&[u8]]) -> String {
    let line = |chunk: &&[u8]| match std::str::from_utf8(chunk) {
        Ok(text) => json!(text).to_string(),
        Err(_) => json!({"base64": BASE64.encode(chunk)}).to_string(),
    };
    chunks.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn chunks_are_fed_as_recorded() {
    let bytes = REPLY.as_bytes();
    let umlaut = REPLY.find('ü').unwrap() + 1;
    let emoji = REPLY.find('🎉').unwrap() + 3;
    let input = recorded(&[&bytes[..umlaut], &bytes[umlaut..emoji], b"", &bytes[emoji..]]);
    assert!(input.contains("base64"), "{input}");
    let run = watch(&["--input", "chunks"], &input).code(0);
    let lines = run.feeds();
    assert_eq!(lines.len(), 4, "an empty chunk is a feed");
    assert_eq!(lines[0]["snapshot"], json!({"title": "Gr"}), "half a character is in no view");
    assert_eq!(lines[1]["snapshot"]["title"], "Grüße");
    assert_eq!(lines[2]["delta"], json!([]));
    assert_eq!(lines[2]["snapshot"], lines[1]["snapshot"]);
    assert_eq!(run.stdout.lines().last(), watch(&[], REPLY).stdout.lines().last());

    // From a file, with \r\n and a blank line; and cut again.
    let file = Temp::new(format!("{}\r\n\r\n", input.replace('\n', "\r\n")));
    assert_eq!(watch(&["--input", "chunks", file.path()], "").code(0).stdout, run.stdout);
    let recut = watch(&["--input", "chunks", "--chunk", "10", file.path()], "").code(0);
    assert_eq!(recut.stdout, watch(&["--chunk", "10"], REPLY).stdout);
}

#[test]
fn a_bad_chunk_says_its_line() {
    for bad in [
        "42",
        "nonsense",
        "{\"base64\": \"***\"}",
        "{\"base64\": 1}",
        "{\"text\": \"a\"}",
        "\"open",
        "[\"a\"]",
        "\"a\" \"b\"",
    ] {
        let run = watch(&["--input", "chunks"], format!("\"{{\"\n\n{bad}\n\"}}\"\n")).code(1);
        assert!(run.stderr.contains("line 3"), "{bad}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert_eq!(run.lines().len(), 1, "what came before it was told: {}", run.stdout);
        assert!(!run.stdout.contains("\"end\""), "there is no end");
    }
}

// --- as a program -----------------------------------------------------------------------------------------------------

#[test]
fn a_stream_is_told_as_it_arrives() {
    let mut child = jsonrill(&["watch"]).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    for (feed, (chunk, snapshot)) in
        [("{\"a\": \"x", json!({"a": "x"})), ("y", json!({"a": "xy"})), ("\"}", json!({"a": "xy"}))]
            .into_iter()
            .enumerate()
    {
        stdin.write_all(chunk.as_bytes()).expect("it reads");
        line.clear();
        // The next chunk is not written before the line is here.
        stdout.read_line(&mut line).expect("it writes");
        let line: Value = serde_json::from_str(&line).expect(&line);
        assert_eq!(line["feed"], feed + 1);
        assert_eq!(line["snapshot"], snapshot);
    }
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("it writes");
    assert_eq!(serde_json::from_str::<Value>(&rest).expect("the last line")["outcome"], "complete");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn usage_errors_are_exit_1() {
    for args in [
        &[][..],
        &["nonsense"],
        &["watch", "--nonsense"],
        &["watch", "--chunk", "0"],
        &["watch", "--chunk", "-1"],
        &["watch", "--chunk", "x"],
        &["watch", "--dialect", "loose"],
        &["watch", "--roots", "two"],
        &["watch", "--role", "x"],
        &["watch", "--duplicates", "x"],
        &["watch", "--end", "x"],
        &["watch", "--emit", "x"],
        &["watch", "--input", "x"],
        &["watch", "--delay", "soon"],
        &["watch", "a", "b"],
    ] {
        let run = run(args, "").code(1);
        assert_eq!(run.stdout, "", "{args:?}");
        assert!(!run.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn help_and_version_are_exit_0() {
    let help = run(&["watch", "--help"], "").code(0);
    for option in ["--input", "--chunk", "--dialect", "--roots", "--role", "--duplicates", "--end", "--emit", "--delay"]
    {
        assert!(help.stdout.contains(option), "{option}: {}", help.stdout);
    }
    let help = run(&["--help"], "").code(0);
    assert!(help.stdout.contains("watch") && help.stdout.contains("Exit codes"), "{}", help.stdout);
    let version = run(&["--version"], "").code(0);
    assert_eq!(version.stdout.trim(), concat!("jsonrill ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn input_that_cannot_be_read_is_exit_1() {
    let missing = "/nonexistent/jsonrill.json";
    let directory = std::env::temp_dir();
    for path in [Path::new(missing), &directory] {
        let path = path.to_str().expect("a UTF-8 path");
        let run = watch(&[path], "").code(1);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.starts_with("jsonrill: ") && run.stderr.contains(path), "{}", run.stderr);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let file = Temp::new(format!("[{}0]", "12345, ".repeat(20_000)));
    for args in [&["--emit", "deltas"][..], &["--emit", "lines", "--chunk", "20000"], &["--emit", "live"]] {
        assert_eq!(run_unread(&[&["watch"], args, &[file.path()]].concat()), (0, String::new()), "{args:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    let text = b"{\"a\": \"x\xFFy\"}";
    let lenient = watch(&[], text).code(0).end();
    assert_eq!(lenient["outcome"], "repaired");
    assert_eq!(lenient["value"], json!({"a": "x\u{FFFD}y"}));
    assert_eq!(lenient["repairs"][0]["kind"], "invalid_utf8");
    let strict = watch(&["--dialect", "strict"], text).code(3).end();
    assert_eq!(strict["error"]["offset"], 8);
}

// --- live -------------------------------------------------------------------------------------------------------------

#[test]
fn live_is_plain_when_nobody_is_there() {
    let run = watch(&["--emit", "live", "--chunk", "3"], REPLY).code(0);
    assert!(!run.stdout.contains('\x1b'), "no escape codes: {:?}", run.stdout);
    assert_eq!(run.stdout.matches("\"title\"").count(), 1, "the last state only: {}", run.stdout);
    let value: String = run.stdout.lines().take_while(|line| !line.starts_with("open:")).collect();
    assert_eq!(serde_json::from_str::<Value>(&value).expect(&value), serde_json::from_str::<Value>(REPLY).unwrap());
    assert!(run.stdout.contains(&format!("{} bytes", REPLY.len())), "{}", run.stdout);
    assert!(run.stdout.contains(&format!("{} feeds", REPLY.len().div_ceil(3))), "{}", run.stdout);
    assert!(run.stdout.contains("ns a feed · 0 repairs"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().last(), Some("complete"));
    // It says what is repaired where nothing in the JSON is.
    let run = watch(&["--emit", "live"], format!("Here: {REPLY}")).code(0);
    let told = "repaired: the JSON is as it was written, and what is around it was left out";
    assert!(run.stdout.contains("ns a feed · 0 repairs") && run.stdout.lines().last() == Some(told), "{}", run.stdout);
    let run = watch(&["--emit", "live"], "Here: {\"a\": 1,}").code(0);
    assert!(run.stdout.contains("ns a feed · 1 repair\n") && run.stdout.ends_with("\nrepaired\n"), "{}", run.stdout);
}

#[test]
fn live_shows_where_it_grows() {
    let run = watch(&["--emit", "live"], "Look:\n{\"a\": [1, {\"b\": \"gro").code(2);
    assert!(run.stdout.contains("\"b\": \"gro▌"), "{}", run.stdout);
    assert!(run.stdout.contains("open: /a/1/b"), "{}", run.stdout);
    assert!(run.stdout.contains("prose: Look:"), "{}", run.stdout);
    let last = "truncated: in_string, the text stops in /a/1/b, behind `\"gro`, and `\"}]}` is missing";
    assert_eq!(run.stdout.lines().last(), Some(last));
    // What is held is in no snapshot.
    let run = watch(&["--emit", "live"], "[{\"a\": tru").code(2);
    assert!(run.stdout.contains("open: /0/a"), "{}", run.stdout);
    assert!(run.stdout.ends_with("truncated: in_keyword, the text stops in /0/a, behind `tru`, and `}]` is missing\n"));

    let run = watch(&["--emit", "live", "--dialect", "strict"], "{\"a\": !").code(3);
    assert!(run.stdout.lines().last().unwrap().starts_with("malformed: "), "{}", run.stdout);
}

#[test]
fn live_lets_no_control_character_through() {
    let text = "{\"a\\u001b[2J\": \"\\u001b]0;x\\u0007\u{9b}31m\u{202e}\"} \x1b[31m";
    let run = watch(&["--emit", "live"], text);
    assert!(!run.stdout.chars().any(|c| c.is_control() && c != '\n'), "{:?}", run.stdout);
    assert!(!run.stdout.contains('\u{202e}'));
}

/// A message about a file names it, whatever reads it; about standard input alone there is nothing to name.
#[test]
fn messages_name_the_file_that_they_are_about() {
    let kpis = Temp::new(r#"[{"id": "n", "jsonPath": "leaves()", "targetValue": 6}]"#);
    let progress = ["progress", "--kpis", kpis.path()];
    let answer = "data: {\"choices\": [{\"delta\": {\"content\": \"{}\"}}]}\n\n";
    let failed = "data: {\"error\": {\"message\": \"overloaded\"}}\n\n";
    for (args, text) in [
        (&["repair"][..], "[1, 2"),
        (&["repair", "--require", "/a"], "{}"),
        (&["repair"], answer),
        (&["repair", "--input", "sse"], failed),
        (&["complete"], "none"),
        (&["complete", "--dialect", "strict"], "[1,]"),
        (&["contexts", "--dialect", "strict"], "[1,]"),
        (&["contexts"], answer),
        (&["contexts", "--input", "sse"], failed),
        (&progress, "none"),
        (&["split", "--max", "50"], "none"),
        (&["split", "--max", "50"], "[1, 2"),
        (&["split", "--max", "5"], r#"["long enough"]"#),
        (&["split", "--max", "50", "--compat", "langchain"], "{}"),
        (&["watch", "--input", "sse"], failed),
        (&["watch"], answer),
        (&["events", "--input", "sse"], "data: 1\n\ndata: half"),
        (&["message"], "data: oops\n\ndata: {\"error\": {\"message\": \"m\"}}\n\n"),
    ] {
        let file = Temp::new(text);
        let named = run(&[args, &[file.path()]].concat(), "").stderr;
        let unnamed = run(args, text).stderr;
        assert!(!named.is_empty(), "{args:?}");
        let prefix = format!("jsonrill: {}: ", file.path());
        assert!(named.lines().all(|line| line.starts_with(&prefix)), "{args:?}: {named}");
        assert_eq!(named.replace(&prefix, "jsonrill: "), unnamed, "{args:?}");
    }
    // A terminal may show it.
    let odd = std::env::temp_dir().join(format!("jsonrill-\u{1b}[31m-{}", std::process::id()));
    let told = run(&["repair", odd.to_str().unwrap()], "").code(1).stderr;
    assert!(!told.contains('\u{1b}') && told.starts_with("jsonrill: cannot open "), "{told}");
    // Of several files it is the one, or all.
    let (first, next) = (Temp::new("[1, "), Temp::new(answer));
    let told = run(&["join", first.path(), next.path()], "").stderr;
    assert!(told.contains(&format!("jsonrill: {}: the input is a provider's stream", next.path())), "{told}");
    let (first, next) = (Temp::new("[1, "), Temp::new("2,]"));
    let told = run(&["contexts", "--dialect", "strict", first.path(), next.path()], "").code(3).stderr;
    assert!(told.starts_with(&format!("jsonrill: {} and 1 more: the JSON is malformed", first.path())), "{told}");
}
