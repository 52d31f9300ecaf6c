//! `jsonrill join`, run as a process.
#![cfg(feature = "cli")]

mod common;

use common::process::{Run, Temp, run};
use serde_json::{Value, json};

/// `jsonrill join ARGS` of these responses.
fn join_with(args: &[&str], responses: &[&str]) -> Run {
    let files: Vec<Temp> = responses.iter().map(Temp::new).collect();
    let paths: Vec<&str> = files.iter().map(Temp::path).collect();
    run(&[&["join"], args, &paths].concat(), "")
}

fn join(responses: &[&str]) -> Run {
    join_with(&[], responses)
}

#[test]
fn the_exact_rest() {
    let run = join(&[r#"{"name": "Jane", "email": "jane@exa"#, r#"mple.org", "age": "#, "12.50}"]).code(0);
    assert_eq!(
        run.stdout,
        concat!(
            r#"{"outcome":"complete","complete":true,"#,
            r#""value":{"name":"Jane","email":"jane@example.org","age":12.50},"#,
            r#""seams":[{"kind":"rest","dropped":0,"offset":35},{"kind":"rest","dropped":0,"offset":53}],"#,
            r#""repairs":[],"cut":null}"#,
            "\n"
        )
    );
    assert_eq!(run.stderr, "");
}

/// Editors begin each file with a byte order mark, also one that goes on in a string.
#[test]
fn a_byte_order_mark_is_no_text() {
    for (first, next) in [
        (r#"{"name": "Ja"#, r#"ne"}"#),
        (r#"{"na"#, r#"me": "Jane"}"#),
        (r#"{"name": "#, r#""Jane"}"#),
        (r#"{"name": "Ja"#, r#"{"name": "Jane"}"#),
        (r#"{"name": "Ja"#, "```json\nne\"}\n```"),
    ] {
        let run = join(&[&format!("\u{feff}{first}"), &format!("\u{feff}{next}")]).code(0);
        assert_eq!(run.line()["value"], json!({"name": "Jane"}), "{next}");
        assert_eq!(run.line()["seams"], join(&[&format!("\u{feff}{first}"), next]).line()["seams"], "{next}");
    }
    // One that a model writes is in its text.
    let chunks = [r#""[\"a""#, r#""\ufeffb\"]""#];
    let value = &join_with(&["--input", "chunks"], &chunks).line()["value"];
    assert_eq!(value, &json!(["a\u{feff}b"]));
}

/// A number that was cut may go on, or begin again.
#[test]
fn a_seam_that_is_a_guess_is_named() {
    let (first, next) = (Temp::new(r#"{"age": 1"#), Temp::new("2}"));
    let run = run(&["join", first.path(), next.path()], "").code(0);
    assert_eq!(run.line()["value"], json!({"age": 12}));
    assert_eq!(run.line()["uncertain"], json!([0]));
    let message = "may have been joined wrongly: it was taken for the exact rest";
    assert_eq!(run.stderr, format!("jsonrill: {}: {message}\n", next.path()));
}

#[test]
fn a_repeat_of_the_end() {
    let first = r#"{"items": [{"id": 1, "name": "First"}, {"id": 2, "name": "Sec"#;
    let next = r#"{"id": 2, "name": "Second"}, {"id": 3, "name": "Third"}]}"#;
    let line = join(&[first, next]).code(0).line();
    let names: Vec<_> = line["value"]["items"].as_array().unwrap().iter().map(|item| item["name"].clone()).collect();
    assert_eq!(names, ["First", "Second", "Third"]);
    assert_eq!((&line["complete"], &line["seams"][0]["kind"]), (&json!(true), &json!("repeat")));
    assert_eq!(line["seams"][0]["dropped"], json!(r#"{"id": 2, "name": "Sec"#.len()));
}

/// What is left out, and whether the join is certain, a program can tell.
#[test]
fn what_is_left_out_is_listed() {
    let line = join(&["{\"a\": 1}", "{\"b\": 2}"]).code(0).line();
    assert_eq!((&line["outcome"], &line["repairs"]), (&json!("repaired"), &json!([])));
    assert_eq!(line["skipped"], json!([{"start": 8, "end": 16, "kind": "document"}]));
    assert_eq!(line.get("uncertain"), None);
    let line = join(&["{\"a\": [1, ", "2], \"a\": 3}"]).code(0).line();
    assert_eq!(line["warnings"][0]["kind"], "duplicate_key");
    let line = join_with(&["--dialect", "strict"], &["[1, ", "2,]"]).code(3).line();
    assert_eq!((&line["error"]["offset"], &line["skipped"][0]["kind"]), (&json!(6), &json!("unread")));
}

/// A file that nothing is taken of is named.
#[test]
fn a_file_without_any_of_the_document_is_named() {
    let told = |responses: [&str; 3]| {
        let files = responses.map(Temp::new);
        let stderr = run(&["join", files[0].path(), files[1].path(), files[2].path()], "").stderr;
        files.iter().fold(stderr, |told, file| told.replace(file.path(), "FILE"))
    };
    let behind = "jsonrill: FILE: it has nothing of the document, which ends before it\n";
    assert_eq!(told(["{\"a\": ", "2}", "2}"]), behind);
    assert_eq!(told(["{\"a\": 2}", "{\"b\": 2}", "\n"]), behind);
    assert_eq!(told(["{\"a\": [1, ", "I cannot go on.", "2]}"]), "jsonrill: FILE: it has nothing of the document\n");
    for whole in [["[1, ", "2, ", "3]"], ["[1, ", "", "3]"], ["{\"city\": \"Os", "{\"city\": \"Oslo\"}", " \n"]] {
        assert_eq!(told(whole), "", "{whole:?}");
    }
}

#[test]
fn still_cut() {
    let line = join(&["{\"a\": [1, 2, ", "3, \"fo"]).code(2).line();
    let cut = json!({"offset": 19, "state": "in_string", "open": "/a/3", "closers": "\"]}"});
    assert_eq!((&line["outcome"], &line["complete"], &line["cut"]), (&json!("truncated"), &json!(false), &cut));
    assert_eq!(line["value"], json!({"a": [1, 2, 3, "fo"]}));
}

#[test]
fn nothing_at_all() {
    let line = join(&["", ""]).code(3).line();
    assert_eq!((&line["outcome"], &line["value"], &line["cut"]), (&json!("empty"), &Value::Null, &Value::Null));
}

#[test]
fn repairs_are_reported() {
    let line = join(&["{\"a\": [1, 2,, ", "3]}"]).code(0).line();
    assert_eq!(line["outcome"], "repaired");
    assert_eq!((&line["repairs"][0]["kind"], &line["repairs"][0]["offset"]), (&json!("extra_comma"), &json!(12)));
}

#[test]
fn options() {
    join_with(&["--dialect", "strict"], &["[1, ", "2,]"]).code(3);
    join_with(&["--end", "stopped"], &["{\"a\": ", "\"x}"]).code(0);
    join_with(&["--end", "truncated"], &["{\"a\": ", "\"x}"]).code(2);
}

/// A file goes on with what is open; behind the end of a document another may begin.
#[test]
fn several_documents() {
    let responses = ["{\"a\": 1}\n{\"b\": [1, ", "2]}\n{\"c\": [3", ", 4]}"];
    for (roots, value) in [("one", json!({"a": 1})), ("last", json!({"c": [3, 4]})), ("many", json!({"c": [3, 4]}))] {
        assert_eq!(join_with(&["--roots", roots], &responses).code(0).line()["value"], value, "{roots}");
    }
    for (roots, value) in [("one", json!({"a": 1})), ("last", json!({"b": 2})), ("many", json!({"b": 2}))] {
        let line = join_with(&["--roots", roots], &["{\"a\": 1}", "{\"b\": 2}"]).code(0).line();
        assert_eq!(line["value"], value, "{roots}");
    }
}

#[test]
fn standard_input_is_one_of_them() {
    let (first, next) = (Temp::new("[1, "), Temp::new("2]"));
    assert_eq!(run(&["join", "-", next.path()], "[1, ").code(0).line()["value"], json!([1, 2]));
    assert_eq!(run(&["join", first.path(), "-"], "2]").code(0).line()["value"], json!([1, 2]));
    let twice = run(&["join", "-", "-"], "2]").code(1);
    assert_eq!(twice.stderr, "jsonrill: standard input can be only one of the responses\n");
}

#[test]
fn usage() {
    let first = Temp::new("[1, ");
    assert!(run(&["join", first.path()], "").code(1).stderr.contains("<NEXT>..."));
    let help = run(&["join", "--help"], "").code(0).stdout;
    assert!(help.contains("the value is the first (`--roots one`) or the last"), "{help}");
    assert!(run(&["join", first.path(), "no such file"], "").code(1).stderr.contains("cannot open no such file"));
}

/// A program that reads standard output sees that a stream broke off, and in which round.
#[test]
fn what_went_wrong_in_the_streams() {
    let event = |text: &str| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
    let done = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let failed = "data: {\"error\":{\"message\":\"try again\",\"code\":\"overloaded\"}}\n\n";
    let read = |first: &str, next: &str| join_with(&["--input", "sse"], &[first, next]);
    let whole = read(&(event("[1, ") + done), &(event("2]") + done)).code(0).line();
    assert_eq!(whole.get("stream_errors"), None);
    let broken = read(&event("[1, "), &(event("2]") + failed)).code(0).line();
    assert_eq!(broken["value"], json!([1, 2]));
    let errors = broken["stream_errors"].as_array().unwrap();
    let found: Vec<_> = errors.iter().map(|error| (&error["round"], &error["kind"], &error["code"])).collect();
    assert_eq!(found[0], (&json!(0), &json!("unended"), &Value::Null));
    assert_eq!(found[1], (&json!(1), &json!("provider"), &json!("overloaded")));
    assert_eq!(errors[1]["message"], "try again");
    // Of payloads that are the text as well.
    let payloads = join_with(&["--input", "sse"], &["data: [1, \n\ndata: {\"a", "data: \": 2}]\n\n"]).line();
    assert_eq!(
        (&payloads["stream_errors"][0]["round"], &payloads["stream_errors"][0]["kind"]),
        (&json!(0), &json!("unended"))
    );
    assert_eq!(join(&["[1, ", "2]"]).code(0).line().get("stream_errors"), None);
}

#[test]
fn repairs_that_are_doubtful_are_named() {
    let line = join(&["{\"a\": [1, 2,, ", "3}, \"b\": 4}"]).code(0).line();
    let kinds: Vec<_> = line["repairs"].as_array().unwrap().iter().map(|repair| repair["kind"].clone()).collect();
    assert_eq!(kinds[0], "extra_comma");
    assert_eq!(line["doubtful"], json!([1]), "{kinds:?}");
    assert_eq!(join(&["[1,, ", "2]"]).code(0).line().get("doubtful"), None);
}

#[test]
fn arguments_are_an_object() {
    let read = join_with(&["--role", "arguments"], &["[1, ", "2]"]).code(3);
    let line = read.line();
    assert_eq!(
        (&line["outcome"], &line["complete"], &line["value"]),
        (&json!("malformed"), &json!(false), &json!([1, 2]))
    );
    assert_eq!((&line["error"]["code"], &line["error"]["offset"]), (&json!("no_object"), &json!(0)));
    assert!(read.stderr.contains("the arguments are no object: the call is malformed"), "{}", read.stderr);
    join_with(&["--role", "arguments"], &["{\"a\": ", "2}"]).code(0);
}
