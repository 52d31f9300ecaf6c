//! `jsonrill contexts` and `jsonrill complete`, run as a process.
#![cfg(feature = "cli")]

mod common;

use std::fmt::Write as _;
use std::path::Path;

use common::process::{Run, Temp, keys, run, run_unheard, run_unread};
use serde_json::{Value, json};

const THIRD: &str =
    r#"{"items": [{"id": 1, "name": "First"}, {"id": 2, "name": "Second"}, {"id": 3, "name": "Third", "add"#;
const JANE: &str = r#"[{"id": 1, "name": "John"}, {"id": 2, "name": "Jane", "email": "jane@exa"#;

/// `jsonrill contexts ARGS`, with `input` on standard input.
fn contexts(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    run(&[&["contexts"], args].concat(), input)
}

/// `jsonrill complete ARGS`, with `input` on standard input.
fn complete(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    run(&[&["complete"], args].concat(), input)
}

/// What both print about a cut text, and nothing else.
#[track_caller]
fn shows(text: &str, overlap: &str, hierarchy: &str, part: &str, cut: &Value) {
    let run = contexts(&[], text).code(0);
    assert_eq!(run.stderr, "");
    let expected = json!({
        "overlap": overlap, "overlap_clipped": false, "hierarchy": hierarchy, "complete_part": part, "cut": cut,
    });
    assert_eq!(run.line(), expected, "{text}");
    if !part.is_empty() {
        let run = complete(&[], text).code(0);
        assert_eq!((run.stdout, run.stderr), (format!("{part}\n"), String::new()), "{text}");
        serde_json::from_str::<Value>(part).expect("valid JSON");
    }
}

fn cut(offset: usize, state: &str, open: &str, closers: &str) -> Value {
    json!({"offset": offset, "state": state, "open": open, "closers": closers})
}

// --- what is printed --------------------------------------------------------------------------------------------------

#[test]
fn worked_examples() {
    let text = r#"{"user": {"profile": {"bio": "Hello Wor"#;
    shows(
        text,
        r#"{"bio": "Hello Wor"#,
        text,
        r#"{"user": {"profile": {"bio": "Hello Wor"}}}"#,
        &cut(39, "in_string", "/user/profile/bio", "\"}}}"),
    );
    shows(
        THIRD,
        r#"{"id": 3, "name": "Third", "add"#,
        THIRD,
        r#"{"items": [{"id": 1, "name": "First"}, {"id": 2, "name": "Second"}, {"id": 3, "name": "Third"}]}"#,
        &cut(THIRD.len(), "in_key", "/items/2", "}]}"),
    );
    shows(
        JANE,
        r#"{"id": 2, "name": "Jane", "email": "jane@exa"#,
        JANE,
        &format!("{JANE}\"}}]"),
        &cut(JANE.len(), "in_string", "/1/email", "\"}]"),
    );
}

#[test]
fn the_line_has_its_keys_in_this_order() {
    let run = contexts(&[], JANE).code(0);
    assert_eq!(keys(&run.line()), ["complete_part", "cut", "hierarchy", "overlap", "overlap_clipped"]);
    assert_eq!(keys(&run.line()["cut"]), ["closers", "offset", "open", "state"]);
    let places: Vec<Option<usize>> =
        ["overlap", "overlap_clipped", "hierarchy", "complete_part", "cut", "offset", "state", "open", "closers"]
            .iter()
            .map(|key| run.stdout.find(&format!("\"{key}\":")))
            .collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{}", run.stdout);
}

#[test]
fn every_state_of_a_cut() {
    for (text, part, state, open, closers) in [
        ("", "", "before_root", None, ""),
        ("{", "{}", "between_members", Some(""), "}"),
        ("{\"a", "{}", "in_key", Some(""), "}"),
        ("{\"a\"", "{}", "after_key", Some("/a"), "}"),
        ("{\"a\": ", "{}", "after_colon", Some("/a"), "}"),
        ("{\"a\": \"x", "{\"a\": \"x\"}", "in_string", Some("/a"), "\"}"),
        ("{\"a\": \"x\\u00", "{\"a\": \"x\"}", "in_escape", Some("/a"), "\"}"),
        ("{\"a\": 1", "{}", "in_number", Some("/a"), "}"),
        ("{\"a\": nul", "{}", "in_keyword", Some("/a"), "}"),
        ("{\"a\": 1, ", "{\"a\": 1}", "between_members", Some(""), "}"),
        ("{\"a\": 1}", "{\"a\": 1}", "done", None, ""),
    ] {
        let line = contexts(&[], text).code(0).line();
        let expected = json!({"offset": text.len(), "state": state, "open": open, "closers": closers});
        assert_eq!((&line["cut"], &line["complete_part"]), (&expected, &json!(part)), "{text}");
    }
}

#[test]
fn a_file_and_standard_input_alike() {
    let file = Temp::new(THIRD);
    for command in ["contexts", "complete"] {
        let of_file = run(&[command, file.path()], "").code(0);
        for args in [&[command][..], &[command, "-"]] {
            assert_eq!(run(args, THIRD).code(0).stdout, of_file.stdout);
        }
    }
}

/// Several files are the responses of several rounds.
#[test]
fn rounds() {
    let responses = [
        r#"{"items": [{"id": 1}, {"id": 2, "name": "Ja"#,
        "Here is the rest:\n```json\n{\"id\": 2, \"name\": \"Jane\"}, {\"id\": 3, \"na",
        r#"me": "Jo"#,
    ];
    let files: Vec<Temp> = responses.iter().map(Temp::new).collect();
    let paths: Vec<&str> = files.iter().map(Temp::path).collect();
    let line = run(&[&["contexts"], &paths[..]].concat(), "").code(0).line();
    let part = line["complete_part"].as_str().expect("a text");
    let value = json!({"items": [{"id": 1}, {"id": 2, "name": "Jane"}, {"id": 3, "name": "Jo"}]});
    assert_eq!(serde_json::from_str::<Value>(part).expect("valid JSON"), value);
    assert_eq!(line["overlap"], r#"{"id": 3, "name": "Jo"#);
    let offset = responses.concat().len();
    assert_eq!(line["cut"], cut(offset, "in_string", "/items/2/name", "\"}]}"));
    assert_eq!(run(&[&["complete"], &paths[..]].concat(), "").code(0).stdout, format!("{part}\n"));
    // One of them may be standard input. A seam that is a guess is named, as `join` does.
    let first = Temp::new("[1, 2");
    let run_both = run(&["complete", first.path(), "-"], "3, 4").code(0);
    assert_eq!(run_both.stdout, "[1, 23]\n");
    assert_eq!(
        run_both.stderr,
        "jsonrill: standard input: may have been joined wrongly: it was taken for the exact rest\n"
    );
    for command in ["contexts", "complete"] {
        let twice = run(&[command, "-", "-"], "").code(1);
        assert_eq!(twice.stderr, "jsonrill: standard input can be only one of the responses\n");
        assert!(run(&[command, first.path(), "/nonexistent"], "").code(1).stderr.contains("cannot open /nonexistent"));
        assert!(run(&[command, "--help"], "").code(0).stdout.contains("[FILE]..."));
    }
}

#[test]
fn text_around_the_json() {
    let start = "Sure, {here} it is:\n```json\n";
    for around in ["", "\u{feff}", start, &format!("<think>[1] or {{\"a\": 2}}?</think>\n{start}")] {
        let text = format!("{around}{JANE}");
        shows(
            &text,
            r#"{"id": 2, "name": "Jane", "email": "jane@exa"#,
            JANE,
            &format!("{JANE}\"}}]"),
            &cut(text.len(), "in_string", "/1/email", "\"}]"),
        );
    }
    // Cut before the JSON: in prose, in a fence's line, in reasoning.
    for text in ["Sure, {here} it", "Sure:\n```js", "<think>{\"a\": [1, 2", "<thi"] {
        let line = contexts(&[], text).code(0).line();
        let cut = json!({"offset": text.len(), "state": "before_root", "open": null, "closers": ""});
        assert_eq!(
            (&line["overlap"], &line["hierarchy"], &line["complete_part"]),
            (&json!(""), &json!(""), &json!(""))
        );
        assert_eq!(line["cut"], cut, "{text}");
    }
    // And behind it.
    let line = contexts(&[], "```json\n[1, \"x\"]\n``").code(0).line();
    assert_eq!((&line["complete_part"], &line["cut"]["state"]), (&json!("[1, \"x\"]"), &json!("done")));
    assert_eq!(line["hierarchy"], "[1, \"x\"]");
    assert_eq!(complete(&[], "```json\n[1, \"x\"]\n```\nDone.").code(0).stdout, "[1, \"x\"]\n");
}

#[test]
fn a_complete_text_is_all_there() {
    let text = "{\"a\": [1.50, \"x\"],\n \"b\": {}}";
    let line = contexts(&[], text).code(0).line();
    let expected = json!({
        "overlap": "", "overlap_clipped": false, "hierarchy": text, "complete_part": text,
        "cut": {"offset": text.len(), "state": "done", "open": null, "closers": ""},
    });
    assert_eq!(line, expected);
    assert_eq!(complete(&[], text).code(0).stdout, format!("{text}\n"));
}

#[test]
fn damage_is_repaired_in_the_complete_part() {
    let text = "{path: 'C:\\dir', \"list\": [1, 2,], \"note\": \"say \"hi\" to";
    let part = complete(&[], text).code(0).stdout;
    let expected = json!({"path": "C:\\dir", "list": [1, 2], "note": "say \"hi\" to"});
    assert_eq!(serde_json::from_str::<Value>(&part).expect(&part), expected);
    let line = contexts(&[], text).code(0).line();
    assert_eq!(line["complete_part"], part.trim_end());
    // The others are the source as it is.
    assert!(line["hierarchy"].as_str().unwrap().starts_with("{path: 'C:\\dir'"), "{line}");
    assert!(line["overlap"].as_str().unwrap().ends_with("\"say \"hi\" to"), "{line}");
}

// --- options ----------------------------------------------------------------------------------------------------------

#[test]
fn the_budget_is_spent_from_the_cut_backwards() {
    let hierarchy = |budget: &str| contexts(&["--budget", budget], JANE).code(0).line()["hierarchy"].clone();
    assert_eq!(hierarchy("16"), JANE);
    assert_eq!(hierarchy("15"), JANE.replace("John", "..."));
    assert_eq!(hierarchy("8"), JANE.replace("John", "...").replace("Jane", "..."));
    let tail = JANE.replace("John", "...").replace("Jane", "...");
    assert_eq!(hierarchy("3"), tail.replace("jane@exa", "...exa"));
    assert_eq!(hierarchy("0"), tail.replace("jane@exa", "..."));
}

#[test]
fn the_overlap_keeps_its_end() {
    let overlap = |characters: &str| {
        let line = contexts(&["--overlap", characters], JANE).code(0).line();
        (line["overlap"].as_str().unwrap().to_owned(), line["overlap_clipped"].as_bool().unwrap())
    };
    let whole = r#"{"id": 2, "name": "Jane", "email": "jane@exa"#;
    assert_eq!(overlap("44"), (whole.to_owned(), false));
    assert_eq!(overlap("43"), (whole[1..].to_owned(), true));
    assert_eq!(overlap("3"), ("exa".to_owned(), true));
    assert_eq!(overlap("0"), (String::new(), true));
}

#[test]
fn the_limit_bounds_the_hierarchy() {
    let mut text = String::from("{\"title\": \"Stations\", \"stations\": [");
    for number in 0..5000 {
        let _ = write!(text, "{{\"id\": {number}, \"name\": \"Nørreport {number}\", \"lines\": [\"A\", \"B\"]}},\n  ");
    }
    text += "{\"id\": 5000, \"name\": \"Bysta";
    assert!(contexts(&[], &text).code(0).line()["hierarchy"].as_str().unwrap().len() > 100_000);
    for limit in [0, 1, 128, 200, 1000, 10_000] {
        let hierarchy = contexts(&["--limit", &limit.to_string()], &text).code(0).line()["hierarchy"].clone();
        let hierarchy = hierarchy.as_str().unwrap();
        let length = hierarchy.chars().count();
        assert!(length <= limit.max(128), "{length} characters, limit {limit}: {hierarchy}");
        assert!(hierarchy.contains(" elements left out */"), "{hierarchy}");
        assert!(hierarchy.starts_with("{\"title\": \""), "{hierarchy}");
        assert!(length > limit / 2, "{length} characters, limit {limit}: {hierarchy}");
        assert!(hierarchy.ends_with("Bysta"), "{hierarchy}");
    }
}

#[test]
fn huge_limits_and_none() {
    let without = contexts(&[], THIRD).code(0).stdout;
    let huge = u64::MAX.to_string();
    for option in ["--budget", "--overlap", "--limit"] {
        assert_eq!(contexts(&[option, &huge], THIRD).code(0).stdout, without, "{option}");
        for bad in ["-1", "x", "1.5", "", "99999999999999999999999999"] {
            let run = contexts(&[option, bad], THIRD).code(1);
            assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{option} {bad}");
        }
    }
    assert_eq!(contexts(&["--budget", &huge, "--overlap", &huge, "--limit", &huge], THIRD).code(0).stdout, without);
}

#[test]
fn keep_scalars() {
    for (text, without, with) in [
        ("[1, 2", "[1]\n", "[1, 2]\n"),
        ("[1, 2.", "[1]\n", "[1, 2]\n"),
        ("[1, -", "[1]\n", "[1]\n"),
        ("[1, tru", "[1]\n", "[1]\n"),
        ("[1, true", "[1, true]\n", "[1, true]\n"),
        ("{\"a\": 1, \"b\": 2", "{\"a\": 1}\n", "{\"a\": 1, \"b\": 2}\n"),
    ] {
        assert_eq!(complete(&[], text).code(0).stdout, without, "{text}");
        assert_eq!(complete(&["--keep-scalars"], text).code(0).stdout, with, "{text}");
    }
    assert_eq!(complete(&["--keep-scalars"], "12").code(0).stdout, "12\n");
}

#[test]
fn options_are_those_of_watch() {
    let text = "{\"a\": 1, \"a\": 2}\n{\"b\": [3,\n4,";
    for (args, part) in [
        (&[][..], "{\"a\": 1}\n"),
        (&["--duplicates", "last"], "{\"a\": 2}\n"),
        (&["--roots", "last"], "{\"b\": [3,\n4]}\n"),
        (&["--roots", "many"], "{\"b\": [3,\n4]}\n"),
    ] {
        assert_eq!(complete(args, text).code(0).stdout, part, "{args:?}");
        assert_eq!(contexts(args, text).code(0).line()["complete_part"], part.trim_end(), "{args:?}");
    }
    assert_eq!(complete(&["--expect", "array"], "{\"a\": 1} [\"x\"").code(0).stdout, "[\"x\"]\n");
    assert_eq!(complete(&["--reasoning-expected"], "{\"a\": 1}</think>[\"x\"").code(0).stdout, "[\"x\"]\n");
    assert_eq!(complete(&["--role", "arguments"], "{\"a\": \"x").code(0).stdout, "{\"a\": \"x\"}\n");
    for command in ["contexts", "complete"] {
        let run = run(&[command, "--end", "stopped"], text).code(1);
        assert!(run.stderr.contains("--end"), "these read a text as one that was cut: {}", run.stderr);
    }
}

// --- how it ends ------------------------------------------------------------------------------------------------------

#[test]
fn no_json_at_all() {
    for text in ["", " \n", "Sorry, I can't help with that.", "<think>[1, 2"] {
        let run = complete(&[], text).code(3);
        assert_eq!((&*run.stdout, &*run.stderr), ("", "jsonrill: the text has no JSON\n"), "{text:?}");
        let run = contexts(&[], text).code(0);
        let told = "jsonrill: the text has no JSON: there is nothing to go on with\n";
        assert_eq!((&run.line()["cut"]["state"], &*run.stderr), (&json!("before_root"), told), "{text:?}");
    }
    for text in ["12", "tru", "-"] {
        let run = complete(&[], text).code(3);
        assert_eq!((&*run.stdout, &*run.stderr), ("", "jsonrill: nothing of the JSON is whole before the cut\n"));
    }
}

#[test]
fn malformed_text_shows_what_there_is() {
    let text = "{\"a\": [1, 2],\n \"b\": tru!";
    let message = "jsonrill: the JSON is malformed: unexpected byte at byte 23 (line 2, column 10)";
    let run = complete(&["--dialect", "strict"], text).code(3);
    assert_eq!(run.stdout, "{\"a\": [1, 2]}\n");
    assert!(run.stderr.starts_with(message), "{}", run.stderr);
    let run = contexts(&["--dialect", "strict"], text).code(3);
    assert_eq!(run.line()["complete_part"], "{\"a\": [1, 2]}");
    assert_eq!(run.line()["cut"], cut(23, "in_keyword", "/b", "}"));
    assert!(run.stderr.starts_with(message), "{}", run.stderr);
    // The same is read as text where that is allowed, and valid JSON that is cut is no error.
    complete(&[], text).code(0);
    assert_eq!(complete(&["--dialect", "strict"], THIRD).code(0).stdout, complete(&[], THIRD).code(0).stdout);

    let run = complete(&["--duplicates", "error"], "{\"a\": 1,\n \"a\": 2").code(3);
    assert_eq!(run.stdout, "{\"a\": 1}\n");
    assert!(run.stderr.contains("duplicate key"), "{}", run.stderr);
}

#[test]
fn a_limit_is_exit_3() {
    let run = complete(&[], "[".repeat(600)).code(3);
    assert_eq!(run.stdout.trim_end(), format!("{}{}", "[".repeat(512), "]".repeat(512)));
    assert!(run.stderr.starts_with("jsonrill: the JSON is beyond a limit: "), "{}", run.stderr);
    let run = contexts(&[], "[".repeat(600)).code(3);
    assert_eq!(run.line()["cut"]["closers"], "]".repeat(512));
}

#[test]
fn input_that_cannot_be_read_is_exit_1() {
    let directory = std::env::temp_dir();
    for command in ["contexts", "complete"] {
        for path in [Path::new("/nonexistent/jsonrill.json"), &directory] {
            let path = path.to_str().expect("a UTF-8 path");
            let run = run(&[command, path], "").code(1);
            assert_eq!(run.stdout, "");
            assert!(run.stderr.starts_with("jsonrill: ") && run.stderr.contains(path), "{}", run.stderr);
        }
        assert!(run(&[command, "--no-such-option"], "").code(1).stderr.contains("--no-such-option"));
    }
}

#[test]
fn help_is_exit_0() {
    let help = run(&["contexts", "--help"], "").code(0).stdout;
    for option in ["--budget", "--overlap", "--limit", "--dialect", "--roots", "--duplicates", "500", "1000"] {
        assert!(help.contains(option), "{option}: {help}");
    }
    let help = run(&["complete", "--help"], "").code(0).stdout;
    assert!(help.contains("--keep-scalars") && !help.contains("--end"), "{help}");
    let help = run(&["--help"], "").code(0).stdout;
    assert!(help.contains("contexts") && help.contains("complete"), "{help}");
}

#[test]
fn bytes_that_are_no_text() {
    let text = b"\xff{\"a\": \"x\xffy\", \"b\": \"caf\xc3";
    let line = contexts(&[], text).code(0).line();
    assert_eq!(line["complete_part"], "{\"a\": \"x\u{fffd}y\", \"b\": \"caf\"}");
    assert_eq!(line["cut"], cut(text.len(), "in_string", "/b", "\"}"));
    assert_eq!(complete(&[], text).code(0).stdout, "{\"a\": \"x\u{fffd}y\", \"b\": \"caf\"}\n");
    let strict = complete(&["--dialect", "strict"], b"[\"x\", \"\xff").code(3);
    assert_eq!(strict.stdout, "[\"x\", \"\"]\n");

    let binary: Vec<u8> = (0..200_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[1]).collect();
    for command in ["contexts", "complete"] {
        assert!([0, 3].contains(&run(&[command], &binary).code), "{command}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let file = Temp::new(format!("[{}0,", "12345, ".repeat(50_000)));
    for command in ["contexts", "complete"] {
        assert_eq!(run_unread(&[command, file.path()]), (0, String::new()), "{command}");
    }
    // Whether somebody reads the messages does not matter.
    let file = Temp::new("[1, 2,");
    for command in ["contexts", "complete"] {
        let (code, stdout) = run_unheard(&[command, "--duplicates", "error", file.path()]);
        assert_eq!(code, 0);
        assert!(stdout.contains("[1, 2]"), "{stdout}");
    }
    let file = Temp::new("[1, !");
    for command in ["contexts", "complete"] {
        let (code, stdout) = run_unheard(&[command, "--dialect", "strict", file.path()]);
        assert_eq!(code, 3);
        assert!(stdout.contains("[1]"), "{stdout}");
    }
}

// --- a provider's stream ----------------------------------------------------------------------------------------------

/// A text as a stream of OpenAI's form, in pieces of five characters.
fn sse(text: &str, reason: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let event = |delta: Value, reason: Option<&str>| {
        format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}))
    };
    let mut stream = String::new();
    for piece in chars.chunks(5) {
        stream += &event(json!({"content": piece.iter().collect::<String>()}), None);
    }
    stream + &event(json!({}), Some(reason)) + "data: [DONE]\n\n"
}

#[test]
fn the_answer_in_a_providers_stream_is_read() {
    let stream = sse(THIRD, "length");
    for command in ["contexts", "complete"] {
        let expected = run(&[command], THIRD).code(0);
        for args in [&["--input", "sse"][..], &["--input", "sse", "--provider", "openai"]] {
            let found = run(&[&[command], args].concat(), &stream).code(0);
            assert_eq!((found.stdout, found.stderr), (expected.stdout.clone(), String::new()), "{command} {args:?}");
        }
    }
    // The rounds of an answer, each a stream. The provider says why the last one ends.
    let (first, second) = (Temp::new(&stream), Temp::new(sse("ress\": \"Rome\"}]}", "stop")));
    let join = run(&["join", "--input", "sse", first.path(), second.path()], "").code(0).line();
    assert_eq!((&join["outcome"], &join["value"]["items"][2]["address"]), (&json!("complete"), &json!("Rome")));
    let kpis = Temp::new(r#"[{"id": "n", "jsonPath": "/items", "targetValue": 6}]"#);
    let progress = run(&["progress", "--kpis", kpis.path(), "--input", "sse", first.path()], "").code(2).line();
    assert_eq!(progress["kpis"][0]["current"], 3);
    // A stream of anything else is the text in its payloads.
    let own = "data: {\"a\":\n\ndata:  [1, 2\n\n";
    assert_eq!(complete(&["--input", "sse"], own).code(0).stdout, "{\"a\": [1]}\n");
}

#[test]
fn the_arguments_in_a_providers_stream_are_read() {
    let call =
        |text: &str| json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": text}}]});
    let event = |delta: Value| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta}]}));
    let stream =
        event(json!({"content": "{\"not\": \"this\"}"})) + &event(call("{\"a\": [1, 2], \"b")) + "data: [DONE]\n\n";
    let found = complete(&["--input", "sse", "--role", "arguments"], stream).code(0);
    assert_eq!((found.stdout.as_str(), found.stderr.as_str()), ("{\"a\": [1, 2]}\n", ""));
}

#[test]
fn a_stream_that_is_read_as_a_text_is_named() {
    let stream = sse(THIRD, "length");
    let told = "jsonrill: the input is a provider's stream, read as if it were an answer: --input sse reads the answer in it\n";
    for args in [
        &["contexts"][..],
        &["complete"],
        &["repair"],
        &["watch", "--emit", "final"],
        &["watch", "--emit", "final", "--chunk", "8"],
    ] {
        let run = run(args, &stream);
        assert!(run.stderr.starts_with(told), "{args:?}: {}", run.stderr);
    }
    let elements = r#"[{"candidates": [{"content": {"parts": [{"text": "[1, 2"}]}}]},
        {"candidates": [{"content": {"parts": [{"text": "]"}]}, "finishReason": "STOP"}]}]"#;
    let named = run(&["repair"], elements).code(0).stderr;
    assert_eq!(named, told.replace("--input sse", "--input json-array"));
    assert_eq!(run(&["repair", "--input", "json-array"], elements).code(0).stdout, "[1, 2]\n");
    // What looks like a stream, and has nothing of a provider's.
    for text in ["data: {\"a\": 1}\n\n", "data: see below\n\n{\"choices\": [{\"delta\": {}}]}", THIRD, ""] {
        assert!(!contexts(&[], text).stderr.contains("stream"), "{text}");
    }
    let errors = "data: {\"error\": {\"message\": \"overloaded\"}}\n\n";
    assert!(contexts(&["--input", "sse"], errors).stderr.starts_with("jsonrill: overloaded\n"));
    let run = contexts(&["--provider", "openai"], THIRD).code(1);
    assert!(run.stderr.contains("it needs --input sse, ndjson or json-array"), "{}", run.stderr);
}
