//! `jsonrill events`, `jsonrill message`, and `jsonrill watch` on a provider's stream.
#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::path::PathBuf;

use common::process::{Temp, keys, run};
use serde_json::{Value, json};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/streams");

/// The recorded streams: what is expected, and the path of the file.
fn transcripts() -> Vec<(Value, String)> {
    let files = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let expected: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    let read = |path: &PathBuf| serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap();
    expected
        .iter()
        .map(read)
        .map(|expected| (expected.clone(), format!("{FOLDER}/{}", expected["file"].as_str().unwrap())))
        .collect()
}

// --- message ----------------------------------------------------------------------------------------------------------

#[test]
fn transcripts_become_messages() {
    let transcripts = transcripts();
    assert_eq!(transcripts.len(), 8);
    for (expected, file) in transcripts {
        let (provider, wire) = (expected["provider"].as_str().unwrap(), expected["wire"].as_str().unwrap());
        let named = ["message", &file, "--provider", provider];
        for args in [
            &named[..],
            &[&named[..], &["--chunk", "1", "--input", wire]].concat(),
            &["message", &file, "--chunk", "7"],
        ] {
            let message = run(args, "").code(0).line();
            for key in ["content", "thinking", "tool_calls", "finish_reason", "error", "json", "json_complete"] {
                if let Some(expected) = expected.get(key) {
                    assert_eq!(&message[key], expected, "{file}: {key}");
                }
            }
            if expected.get("error").is_none() {
                assert_eq!(message["error"], json!(null), "{file}");
            }
        }
    }
}

#[test]
fn a_message_has_the_members_of_the_contract() {
    let stream = r#"data: {"choices":[{"delta":{"content":"{\"n\": 1.50}","reasoning":"r","tool_calls":[{"index":0,"function":{"name":"f"}}]}}]}

"#;
    let ran = run(&["message", "--provider", "auto"], stream).code(0);
    let message = ran.line();
    assert_eq!(
        keys(&message),
        [
            "call_outcomes",
            "content",
            "error",
            "errors",
            "finish_reason",
            "json",
            "json_complete",
            "thinking",
            "tool_calls"
        ]
    );
    assert_eq!(keys(&message["tool_calls"][0]), ["arguments", "complete", "id", "name", "raw_arguments"]);
    assert!(ran.stdout.contains(r#""json":{"n":1.50}"#), "numbers as they were written: {}", ran.stdout);
    assert_eq!((&message["thinking"], &message["json_complete"]), (&json!("r"), &json!(true)));
    assert_eq!(
        message["tool_calls"],
        json!([{"id": null, "name": "f", "arguments": null, "raw_arguments": "", "complete": false}])
    );
    assert_eq!(message["error"], json!({"code": "unended", "message": "the stream ended without its end marker"}));
}

/// What not every stream has comes behind what the contract names.
#[test]
fn a_refusal_the_cost_and_what_calls_amount_to() {
    let call = |index: u8, arguments: &str| json!({"index": index, "id": format!("c{index}"), "function": {"name": "f", "arguments": arguments}});
    let arguments = ["{\"a\": 1}", "{\"a\": 1,}", "{a: 1", "[1]", ""];
    let calls: Vec<_> = (0..).zip(arguments).map(|(index, text)| call(index, text)).collect();
    let delta = json!({"refusal": "No.", "tool_calls": calls});
    let stream = format!(
        "data: {}\n\ndata: {}\n\ndata: [DONE]\n\n",
        json!({"choices": [{"delta": delta, "finish_reason": "tool_calls"}]}),
        json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}),
    );
    let message = run(&["message"], stream).code(0).line();
    assert_eq!(message["refusal"], "No.");
    assert_eq!(message["usage"], json!({"input_tokens": 9, "output_tokens": 4}));
    assert_eq!(
        message["call_outcomes"],
        json!(["complete", "repaired", "truncated", "malformed", "complete"]),
        "{message}"
    );
    let complete: Vec<_> = message["tool_calls"].as_array().unwrap().iter().map(|call| &call["complete"]).collect();
    assert_eq!(complete, [true, true, false, false, true]);
    // Each choice has its own.
    let two = json!({"choices": [{"index": 0, "delta": {"content": "a"}}, {"index": 1, "delta": {"refusal": "b"}}]});
    let message = run(&["message"], format!("data: {two}\n\n")).code(0).line();
    assert_eq!((message.get("refusal"), message.get("usage"), message.get("call_outcomes")), (None, None, None));
    assert_eq!(message["choices"][1]["refusal"], "b");
}

#[test]
fn all_choices_are_printed_and_all_errors_told() {
    let stream = "data: oops\n\ndata: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"}},{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n\
                  data: {\"error\":{\"message\":\"m\",\n\ndata: {\"choices\":[],\"error\":{\"message\":\"m\"}}\n\n";
    let ran = run(&["message"], stream).code(0);
    let message = ran.line();
    assert_eq!((&message["content"], &message["error"]), (&json!("a"), &json!({"message": "m"})));
    let choices = message["choices"].as_array().unwrap();
    assert_eq!((&choices[1]["index"], &choices[1]["content"]), (&json!(1), &json!("b")));
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
}

#[test]
fn no_message_at_all() {
    assert_eq!(run(&["message"], "").code(3).line()["content"], "");
    run(&["message"], "data: {\"hello\":1}\n\n").code(3);
    // An error is printed and told, but is no message.
    let error = "data: {\"error\":{\"message\":\"Rate \\u001blimit\",\"code\":\"x\"}}\n\n";
    for (stream, told) in [("", "without its end"), ("{\"error\":\"no\"}", "no"), (error, "Rate ")] {
        let ran = run(&["message"], stream).code(3);
        assert!(ran.stderr.contains("there is no message") && ran.stderr.contains(told), "{}", ran.stderr);
        assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
        assert_ne!(ran.line()["error"], json!(null));
    }
    // What is no stream is not broken as one.
    for text in ["{\"a\": 1}", "{\"a\":\n 1", "Hello\n", "[1, 2]"] {
        let told = run(&["message"], text).code(3).stderr;
        assert_eq!(told, "jsonrill: there is no message: the input is no provider's stream\n", "{text:?}");
    }
    let wrong = run(&["message", "--provider", "pigeon"], "").code(1);
    assert!(wrong.stderr.contains("no provider `pigeon` is known, but openai"), "{}", wrong.stderr);
}

#[test]
fn a_stream_over_an_array_is_a_message_named_or_seen() {
    // As Gemini streams without `alt=sse`.
    let stream = concat!(
        "[{\n  \"candidates\": [{\"content\": {\"parts\": [{\"text\": \"{\\\"a\\\": [1, \"}]}, \"index\": 0}]\n}\n,\r\n",
        "{\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"2]}\"}]}, \"finishReason\": \"STOP\"}]}\n]"
    );
    for args in [
        &["message"][..],
        &["message", "--provider", "gemini"],
        &["message", "--provider", "gemini", "--input", "json-array", "--chunk", "1"],
        &["message", "--provider", "auto", "--chunk", "5"],
    ] {
        let message = run(args, stream).code(0).line();
        assert_eq!((&message["json"], &message["json_complete"]), (&json!({"a": [1, 2]}), &json!(true)), "{args:?}");
        assert_eq!((&message["finish_reason"], &message["error"]), (&json!("STOP"), &json!(null)));
    }
    let watched = ["watch", "--input", "json-array", "--provider", "gemini", "--emit", "final", "--chunk", "3"];
    assert_eq!(run(&watched, stream).code(0).line()["value"], json!({"a": [1, 2]}));
    let cut = &stream[..stream.find(",\r").unwrap()];
    assert_eq!(run(&watched, cut).code(2).line()["value"], json!({"a": [1]}));
    assert_eq!(run(&["events", "--input", "json-array"], stream).code(0).lines().len(), 2);
}

// --- events -----------------------------------------------------------------------------------------------------------

#[test]
fn transcripts_have_so_many_events() {
    for (expected, file) in transcripts() {
        let wire = expected["wire"].as_str().unwrap();
        let lines = run(&["events", &file, "--input", wire, "--chunk", "3"], "").code(0).lines();
        assert_eq!(lines.len(), usize::try_from(expected["payload_events"].as_u64().unwrap()).unwrap(), "{file}");
        assert!(lines.iter().all(|line| keys(line) == ["data", "event", "id", "json"] && line["json"].is_object()));
    }
}

#[test]
fn an_event_is_a_line() {
    let stream = "id: 7\nevent: x\ndata: {\"n\": 1.50}\n\ndata: text\n\ndata\n\ndata: [DONE]\n\n";
    let ran = run(&["events", "--input", "sse"], stream).code(0);
    assert_eq!(
        ran.stdout,
        "{\"event\":\"x\",\"id\":\"7\",\"data\":\"{\\\"n\\\": 1.50}\",\"json\":{\"n\":1.50}}\n\
         {\"event\":\"message\",\"id\":\"7\",\"data\":\"text\",\"json\":null}\n\
         {\"event\":\"message\",\"id\":\"7\",\"data\":\"\",\"json\":null}\n"
    );
    let lines = run(&["events", "--input", "json-array"], "[{\"n\":1},\n2]").code(0).lines();
    assert_eq!(
        lines,
        [
            json!({"event": null, "id": null, "data": "{\"n\":1}", "json": {"n": 1}}),
            json!({"event": null, "id": null, "data": "2", "json": 2})
        ]
    );
}

#[test]
fn what_a_stream_breaks_off_in_is_told() {
    let ran = run(&["events", "--input", "sse"], "data: 1\n\ndata: half").code(0);
    assert_eq!(
        (ran.lines().len(), ran.stderr.as_str()),
        (1, "jsonrill: the stream ended inside a payload, 4 bytes into it\n")
    );
    let ran = run(&["events", "--input", "ndjson"], "{\"a\":1}\n{\"a\":").code(0);
    assert_eq!((ran.lines().len(), ran.stderr.lines().count()), (1, 1));
    run(&["events", "--input", "sse"], ": nothing\n\n").code(3);
    run(&["events"], "").code(1);
}

// --- watch ------------------------------------------------------------------------------------------------------------

#[test]
fn the_answer_of_a_stream_is_watched_piece_by_piece() {
    let file = format!("{FOLDER}/openai-chat-structured.sse");
    let expected: Value =
        serde_json::from_slice(&fs::read(format!("{FOLDER}/openai-chat-structured.expected.json")).unwrap()).unwrap();
    for args in [&["--provider", "openai"][..], &[], &["--chunk", "1"], &["--provider", "auto", "--dialect", "strict"]]
    {
        let lines = run(&[&["watch", &file, "--input", "sse"], args].concat(), "").code(0).lines();
        assert_eq!(lines.len(), 31, "{args:?}"); // 30 pieces of text, and the end
        let end = &lines[30];
        assert_eq!((&end["value"], &end["outcome"]), (&expected["json"], &json!("complete")));
    }
}

#[test]
fn the_stop_reason_says_how_the_text_ends() {
    let stream = |reason: &str| {
        format!("data: {}\n\n", json!({"choices": [{"delta": {"content": "{\"a\": \"x}"}, "finish_reason": reason}]}))
    };
    let end = |args: &[&str], reason: &str| {
        let ran = run(&[&["watch", "--input", "sse", "--emit", "final"], args].concat(), stream(reason));
        (ran.code, ran.line()["value"]["a"].clone())
    };
    // A brace may be one, or text that was cut behind it.
    assert_eq!((end(&[], "stop"), end(&[], "length")), ((0, json!("x")), (2, json!("x}"))));
    // Who says otherwise is believed.
    assert_eq!(end(&["--end", "truncated"], "stop"), (2, json!("x}")));
}

#[test]
fn the_last_line_says_why_the_provider_stopped() {
    let content = "data: {\"choices\":[{\"delta\":{\"content\":\"[1, 2\"}}]}\n\n";
    let end = |rest: &str| {
        let watched = ["watch", "--input", "sse", "--emit", "final"];
        let end = run(&watched, format!("{content}{rest}")).code(2).line();
        (end["finish_reason"].clone(), end.get("stream_errors").cloned())
    };
    let stopped = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n";
    assert_eq!(end(stopped), (json!("length"), None));
    let failed = "data: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n";
    let overloaded = json!({"kind": "provider", "code": "529", "message": "overloaded"});
    assert_eq!((end(failed).0, &end(failed).1.unwrap()[0]), (json!(null), &overloaded));
    assert_eq!(end("").1.unwrap()[0]["kind"], "unended");
    let plain = run(&["watch", "--emit", "final"], "[1]").code(0).line();
    assert!(plain.get("finish_reason").is_none() && plain.get("stream_errors").is_none());
    let live = run(&["watch", "--input", "sse", "--emit", "live"], format!("{content}{failed}")).code(2);
    assert!(live.stdout.contains("overloaded"), "{}", live.stdout);
}

#[test]
fn arguments_are_watched_when_they_are_asked_for() {
    let file = format!("{FOLDER}/anthropic-thinking-tools.sse");
    let lines = run(&["watch", &file, "--input", "sse", "--role", "arguments"], "").code(0).lines();
    let end = lines.last().unwrap();
    assert_eq!(end["value"], json!({"location": "San Francisco, CA", "unit": "celsius"}));
    let answer = run(&["watch", &file, "--input", "sse", "--emit", "final"], "").code(3).line();
    assert_eq!(answer["outcome"], "empty"); // it is prose
}

#[test]
fn any_call_may_be_the_one_whose_arguments_are_read() {
    let file = format!("{FOLDER}/openai-chat-parallel-tools.sse");
    let calls = run(&["message", &file], "").code(0).line()["tool_calls"].clone();
    assert_eq!(calls.as_array().unwrap().len(), 3);
    for (number, call) in calls.as_array().unwrap().iter().enumerate() {
        let number = number.to_string();
        let args = ["--input", "sse", "--role", "arguments", "--call", &number];
        let watched = run(&[&["watch", &file, "--emit", "final"], &args[..]].concat(), "").code(0).line();
        assert_eq!(watched["value"], call["arguments"], "{number}");
        let completed = run(&[&["complete", &file], &args[..]].concat(), "").code(0).line();
        assert_eq!(completed, call["arguments"], "{number}");
    }
    // A call without arguments has `{}`; one that is not there has nothing.
    let args = ["watch", &file, "--input", "sse", "--role", "arguments", "--call", "3", "--emit", "final"];
    let none = run(&args, "");
    assert_ne!(none.code, 0, "{}", none.stdout);
    assert_eq!((&none.line()["complete"], none.line().get("value")), (&json!(false), Some(&json!(null))));
    let told = format!("jsonrill: {file}: there is no tool call 3: the stream has 3 calls\n");
    assert_eq!(none.stderr, format!("{told}jsonrill: {file}: the text has no JSON\n"));
    let answer = run(&["watch", &file, "--input", "sse", "--call", "1"], "").code(1);
    assert_eq!(answer.stderr, "jsonrill: --call says whose arguments are read: it needs --role arguments\n");
    let text = run(&["watch", "--role", "arguments", "--call", "1"], "{}").code(1);
    assert!(text.stderr.contains("it needs --input sse, ndjson or json-array"), "{}", text.stderr);
}

#[test]
fn lines_and_arrays_are_watched_too_and_errors_are_told() {
    let file = format!("{FOLDER}/ollama-chat.ndjson");
    let end = run(&["watch", &file, "--input", "ndjson", "--emit", "final"], "").code(0).line();
    assert_eq!(end["value"], json!({"say": "}\n{ 天気"}));
    let array = Temp::new(
        "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"[1, \"}]}}]},{\"error\":{\"message\":\"oops\"}}]",
    );
    let ran = run(&["watch", array.path(), "--input", "json-array", "--emit", "final"], "").code(2);
    let told = format!("jsonrill: {}: oops\n", array.path());
    assert_eq!((&ran.line()["value"], ran.stderr), (&json!([1]), told));
}

#[test]
fn payloads_of_nobody_are_the_text_themselves() {
    let pieces = "data: {\"a\": \"x\n\ndata: y\"}\n\ndata: [DONE]\n\n";
    for chunk in ["1", "1000"] {
        let lines = run(&["watch", "--input", "sse", "--chunk", chunk], pieces).code(0).lines();
        assert_eq!(
            (lines.len(), &lines[0]["snapshot"], &lines[2]["value"]),
            (3, &json!({"a": "x"}), &json!({"a": "xy"}))
        );
        let many = ["watch", "--input", "ndjson", "--roots", "many", "--emit", "final", "--chunk", chunk];
        assert_eq!(run(&many, "{\"n\":1}\n2\n{\"n\":3}").code(0).line()["documents"], json!([{"n": 1}, 2, {"n": 3}]));
        let many = ["watch", "--input", "json-array", "--roots", "many", "--emit", "final", "--chunk", chunk];
        assert_eq!(run(&many, "[{\"n\":1},{\"n\":2}]").code(0).line()["documents"], json!([{"n": 1}, {"n": 2}]));
    }
    // A sign of life says nothing of who lives.
    let ping = "data: {\"type\":\"ping\"}\n\n";
    let answer = json!({"choices": [{"delta": {"content": "{\"a\": 1}"}, "finish_reason": "stop"}]});
    let (answered, pieces_of) = (format!("{ping}data: {answer}\n\n"), format!("{ping}{pieces}"));
    for chunk in ["1", "1000"] {
        let watched = ["watch", "--input", "sse", "--emit", "final", "--chunk", chunk];
        assert_eq!(run(&watched, &answered).code(0).line()["value"], json!({"a": 1}));
        assert_eq!(run(&watched, &pieces_of).code(0).line()["value"], json!({"type": "ping"}));
    }
    // What they break off in is the text, too, and it is cut there.
    let many = ["watch", "--input", "ndjson", "--roots", "many", "--emit", "final"];
    let ran = run(&many, "{\"n\":1}\n{\"n\":2, \"m").code(2);
    assert_eq!(ran.line()["documents"], json!([{"n": 1}, {"n": 2}]));
    assert_eq!(ran.stderr, "jsonrill: the stream ended inside a payload, 10 bytes into it\n");
    let cut = run(&["watch", "--input", "sse", "--emit", "final"], "data: {\"a\": \"x\n\ndata: y").code(2);
    assert_eq!(cut.line()["value"], json!({"a": "xy"}));
    // Who is named is believed.
    run(&["watch", "--input", "sse", "--provider", "openai"], pieces).code(3);
    run(&["watch", "--input", "sse"], "").code(3);
    // And has a stream.
    let ran = run(&["watch", "--provider", "openai"], "{}").code(1);
    assert_eq!(
        ran.stderr,
        "jsonrill: --provider says whose stream it is: it needs --input sse, ndjson or json-array\n"
    );
}

/// A program that reads standard output sees that a piece of the text may be lost, whoever sent the stream.
#[test]
fn what_went_wrong_in_a_stream_is_in_the_json() {
    let piece = |text: &str| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
    let done = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let failed = "data: {\"error\":{\"message\":\"try again\",\"code\":\"overloaded\"}}\n\n";
    let kinds = |args: &[&str], stream: &str| {
        let line = run(&[args, &["--input", "sse"]].concat(), stream).line();
        let errors = line.get("stream_errors")?.as_array().unwrap().clone();
        assert!(errors.iter().all(|error| keys(error) == ["code", "kind", "message"]), "{line}");
        Some(errors.iter().map(|error| error["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    for args in [&["repair", "--json"][..], &["repair", "--json", "--require", "/0"], &["watch", "--emit", "final"]] {
        let whole = piece("[1, ") + &piece("2]") + done;
        assert_eq!(kinds(args, &whole), None, "{args:?}");
        let lost = piece("[1") + "data: {\"choi\n\n" + &piece("2]") + done;
        assert_eq!(kinds(args, &lost), Some(vec!["bad_payload".to_owned()]), "{args:?}");
        let unended = piece("[1, ") + &piece("2]");
        assert_eq!(kinds(args, &unended), Some(vec!["unended".to_owned()]), "{args:?}");
        assert_eq!(kinds(args, &(piece("[1, 2]") + failed)).unwrap()[0], "provider", "{args:?}");
        assert_eq!(kinds(args, "data: [1, \n\ndata: {\"a"), Some(vec!["unended".to_owned()]), "{args:?}");
        assert_eq!(run(args, "[1]").line().get("stream_errors"), None, "{args:?}");
    }
}

// --- what the text does not show --------------------------------------------------------------------------------------

/// What every command that reads an answer is run with.
fn readers(kpis: &str) -> [Vec<&str>; 7] {
    [
        vec!["watch"],
        vec!["repair"],
        vec!["contexts"],
        vec!["complete"],
        vec!["progress", "--kpis", kpis],
        vec!["split", "--max", "50"],
        vec!["join", "-"],
    ]
}

/// What each of them says on standard error of an input.
fn told(input: &[u8], rest: &[&str]) -> Vec<(String, String)> {
    let (kpis, empty) = (
        Temp::new(r#"[{"id": "a", "description": "b", "jsonPath": "c", "targetValue": 1, "currentValue": 0}]"#),
        Temp::new(""),
    );
    let readers = readers(kpis.path());
    let told = readers.iter().map(|reader| {
        let last = if reader[0] == "join" { vec![empty.path()] } else { vec![] };
        (reader[0].to_owned(), run(&[&reader[..], &last, rest].concat(), input).stderr)
    });
    told.collect()
}

#[test]
fn a_refusal_is_told_by_all_who_read_an_answer() {
    let words = format!("I will \u{1b}[31mnot. {}", "No. ".repeat(200));
    let stream = format!("data: {}\n\n", json!({"choices": [{"delta": {"refusal": words}, "finish_reason": "stop"}]}));
    for (command, told) in told(stream.as_bytes(), &["--input", "sse"]) {
        assert!(told.contains("the model refused: I will "), "{command}: {told}");
        assert!(!told.contains('\u{1b}') && told.lines().all(|line| line.chars().count() < 260), "{command}: {told}");
    }
}

#[test]
fn an_answer_that_is_in_tool_calls_is_told() {
    let call = json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "[1, 2]"}});
    // Also behind words, but not where they have JSON: that is the answer.
    let answered = |text: &str| {
        let delta = json!({"content": text, "tool_calls": [call]});
        format!("data: {}\n\ndata: [DONE]\n\n", json!({"choices": [{"delta": delta, "finish_reason": "tool_calls"}]}))
    };
    for (text, is_told) in [("I will look.", true), ("Here: {\"a\": 1}", false)] {
        for (command, told) in told(answered(text).as_bytes(), &["--input", "sse"]) {
            assert_eq!(told.contains("has no JSON, and there are tool calls (1)"), is_told, "{command}: {told}");
            assert_eq!(told.contains("the text has no JSON"), is_told, "{command}: {told}");
        }
    }
    let delta = json!({"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"});
    let stream = format!("data: {}\n\ndata: [DONE]\n\n", json!({ "choices": [delta] }));
    for (command, told) in told(stream.as_bytes(), &["--input", "sse"]) {
        assert!(told.contains("tool call") && told.contains("--role arguments"), "{command}: {told}");
    }
    // The text of the arguments is JSON, and the call is none.
    assert_eq!(run(&["message"], &stream).code(0).line()["call_outcomes"], json!(["malformed"]));
    let read = run(&["watch", "--input", "sse", "--role", "arguments", "--emit", "final"], &stream).code(3);
    let line = read.line();
    assert_eq!(
        (&line["outcome"], &line["complete"], &line["value"]),
        (&json!("malformed"), &json!(false), &json!([1, 2]))
    );
    assert_eq!(read.stderr, "jsonrill: the arguments are no object: the call is malformed\n");
    let object = stream.replace("[1, 2]", "{}");
    assert_eq!(run(&["watch", "--input", "sse", "--role", "arguments"], object).code(0).stderr, "");
}

/// Whoever reads an answer says that there is none, and whatever is printed.
#[test]
fn a_text_without_json_is_told() {
    for text in ["", "\n", "No JSON."] {
        for (command, told) in told(text.as_bytes(), &[]) {
            assert_eq!(told.matches("the text has no JSON").count(), 1, "{command}: {told}");
        }
        for args in [&["repair", "--json"][..], &["watch", "--emit", "final"], &["watch", "--emit", "live"]] {
            assert_eq!(run(args, text).code(3).stderr, "jsonrill: the text has no JSON\n", "{args:?}");
        }
    }
}

/// A provider's error has its own shape in `error`, and that of all others in `errors`.
#[test]
fn errors_have_one_form() {
    let text = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n";
    for (error, code, message) in [
        (json!({"message": "m", "code": 502, "extra": [1]}), json!("502"), "m"),
        (json!({"message": "m", "type": "overloaded_error"}), json!("overloaded_error"), "m"),
        (json!("m"), Value::Null, "m"),
    ] {
        let stream = format!("{text}data: {}\n\n", json!({"error": error}));
        let line = run(&["message"], stream).code(0).line();
        assert_eq!(line["error"], error);
        assert_eq!(line["errors"][0], json!({"kind": "provider", "code": code, "message": message}));
    }
    let line = run(&["message"], text).code(0).line();
    let message = "the stream ended without its end marker";
    assert_eq!(line["errors"], json!([{"kind": "unended", "code": null, "message": message}]));
    let line = run(&["message"], format!("{text}data: [DONE]\n\n")).code(0).line();
    assert_eq!((&line["error"], line.get("errors")), (&Value::Null, None));
}

#[test]
fn what_is_no_utf_8_is_told_by_all() {
    let utf_16: Vec<u8> = "\u{feff}{\"a\": 1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let other: Vec<u8> = "\u{feff}{\"a\": 1}".encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (input, name) in [(&utf_16[..], "UTF-16"), (&other[..], "UTF-16"), (b"\x1f\x8b\x08\0\0", "gzip")] {
        let looks = format!("looks like {name}");
        for rest in [&[][..], &["--input", "sse"]] {
            for (command, told) in told(input, rest) {
                assert_eq!(told.matches(&looks).count(), 1, "{command}: {told}");
            }
        }
        let file = Temp::new(input);
        for args in [
            &["split", "--max", "50", file.path()][..],
            &["join", "-", file.path()],
            &["watch", "--chunk", "1", file.path()],
            &["message", file.path()],
            &["events", "--input", "sse", file.path()],
        ] {
            let told = run(args, "").stderr;
            assert_eq!(told.matches(&looks).count(), 1, "{args:?}: {told}");
        }
    }
}
