//! `jsonrill repair`, run as a process: what it prints where, and how it ends.
#![cfg(feature = "cli")]

mod common;

use std::path::Path;

use common::process::{Run, Temp, run, run_unheard, run_unread};
use serde_json::json;

/// `jsonrill repair ARGS`, with `input` on standard input.
fn repair(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    run(&[&["repair"], args].concat(), input)
}

const MESSY: &str = "Sure:\n```json\n{\n\t\"path\": \"C:\\dir\",\n  \"名\": \"x\\qy\",\n  \"price\": 1.50,\n}\n```\n";
const MENDED: &str = "{\n\t\"path\": \"C:\\\\dir\",\n  \"名\": \"x\\\\qy\",\n  \"price\": 1.50\n}\n";

// --- the text ---------------------------------------------------------------------------------------------------------

#[test]
fn the_text_goes_to_standard_output_and_nothing_else() {
    let file = Temp::new(MESSY);
    for run in [repair(&[file.path()], ""), repair(&[], MESSY), repair(&["-"], MESSY)] {
        let run = run.code(0);
        assert_eq!((&*run.stdout, &*run.stderr), (MENDED, ""));
    }
}

#[test]
fn valid_json_comes_back_to_the_byte() {
    for text in ["{\"a\" : 1.0,\r\n \"\\u0062\":[ ]}\r\n", " [1, 2]\n\n", "\"x\"\n"] {
        let run = repair(&[], text).code(0);
        assert_eq!((&*run.stdout, &*run.stderr), (text, ""));
    }
    // A line that had no end gets one.
    assert_eq!(repair(&[], "[1]").code(0).stdout, "[1]\n");
}

/// What the text alone does not show. (The report and the object have the warnings.)
#[test]
fn members_that_are_left_out_are_told() {
    let text = "{\"a\": 1, \"a\": 2, \"b\": [{\"c\": 0, \"c\": 1}]}";
    let message = "jsonrill: 2 members are left out, for their objects have their keys more than once \
                   (--duplicates says which value stays)\n";
    for args in [&["repair"][..], &["repair", "--require", "/a"], &["repair", "--duplicates", "last"], &["complete"]] {
        assert_eq!(run(args, text).code(0).stderr, message, "{args:?}");
    }
    assert_eq!(repair(&["--json"], text).code(0).stderr, "");
    assert!(!repair(&["--report"], text).code(0).stderr.contains("left out"));
}

#[test]
fn exit_codes_and_messages_say_how_it_ended() {
    let cut = repair(&[], "{\"a\": [1, 2").code(2);
    assert_eq!(cut.stdout, "{\"a\": [1, 2]}\n");
    assert_eq!(cut.stderr, "jsonrill: the JSON is truncated at byte 11 (in_number)\n");

    for empty in ["", "\n", "No JSON."] {
        let run = repair(&[], empty).code(3);
        assert_eq!((&*run.stdout, &*run.stderr), ("", "jsonrill: the text has no JSON\n"), "{empty:?}");
    }

    let twice = repair(&["--duplicates", "error"], "{\"a\": 1,\n \"a\": 2}").code(3);
    assert_eq!(twice.stdout, "{\"a\": 1}\n");
    assert!(twice.stderr.starts_with("jsonrill: the JSON is malformed: duplicate key at byte 10 (line 2, column 2)"));

    let deep = repair(&[], "[".repeat(600)).code(3);
    assert_eq!(deep.stdout.trim_end(), format!("{}{}", "[".repeat(512), "]".repeat(512)));
    assert!(deep.stderr.contains("limit"), "{}", deep.stderr);
}

#[test]
fn options_are_those_of_watch() {
    let text = "{\"a\": 1, \"a\": 2}\n{\"b\": [3,\n4,]}";
    assert_eq!(repair(&["--duplicates", "last"], text).code(0).stdout, "{\"a\": 2}\n");
    assert_eq!(repair(&["--roots", "last"], text).code(0).stdout, "{\"b\": [3,\n4]}\n");
    assert_eq!(repair(&["--roots", "many"], text).code(0).stdout, "{\"a\": 1}\n{\"b\": [3, 4]}\n");
    assert_eq!(repair(&["--role", "arguments"], "").code(0).stdout, "{}\n");
    for more in [&[][..], &["--json"], &["--report"], &["--require", "/0"], &["--json", "--require", "/0"]] {
        let run = repair(&[&["--role", "arguments"], more].concat(), "[1, 2]").code(3);
        assert!(run.stderr.contains("the arguments are no object: the call is malformed\n"), "{}", run.stderr);
        let line = more.contains(&"--json").then(|| run.line());
        let error = json!({"code": "no_object", "offset": 0, "line": 1, "column": 1,
            "message": "the arguments are no object: the call is malformed"});
        assert!(line.as_ref().is_none_or(|line| line["outcome"] == "malformed" && line["complete"] == false));
        assert!(line.is_none_or(|line| line["error"] == error));
    }
    assert_eq!(repair(&["--end", "truncated"], "[1, 2").code(2).stdout, "[1, 2]\n");
    repair(&["--dialect", "strict"], text).code(1);
}

#[test]
fn bytes_that_are_no_text() {
    let run = repair(&["--report"], b"\xff\xfe{\"a\": \"x\xffy\"}\0").code(0);
    assert_eq!(run.stdout, "{\"a\": \"x\u{fffd}y\"}\n");
    assert!(run.stderr.contains("\n    \\xff\\xfe{\"a\": \"x\\xffy\"}␀\n"), "{}", run.stderr);
    let binary: Vec<u8> = (0..200_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[1]).collect();
    for args in [&[][..], &["--report"], &["--json"]] {
        assert!([0, 2, 3].contains(&repair(args, &binary).code), "{args:?}");
    }
}

#[test]
fn input_that_cannot_be_read_is_exit_1() {
    let directory = std::env::temp_dir();
    for path in [Path::new("/nonexistent/jsonrill.json"), &directory] {
        let path = path.to_str().expect("a UTF-8 path");
        let run = repair(&[path], "").code(1);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.starts_with("jsonrill: ") && run.stderr.contains(path), "{}", run.stderr);
    }
    assert!(repair(&["--no-such-option"], "").code(1).stderr.contains("--no-such-option"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let file = Temp::new(format!("[{}0,", "12345, ".repeat(50_000)));
    for args in [&[][..], &["--json"], &["--report"]] {
        assert_eq!(run_unread(&[&["repair"], args, &[file.path()]].concat()), (0, String::new()), "{args:?}");
    }
    // Whether somebody reads the messages does not matter.
    for args in [&[][..], &["--report"]] {
        let (code, stdout) = run_unheard(&[&["repair"], args, &[file.path()]].concat());
        assert!(stdout.ends_with(" 0]\n"));
        assert_eq!(code, 2, "{args:?}");
    }
}

#[test]
fn large_inputs() {
    let record = "{\"id\": 12345, \"path\": \"C:\\dir\", \"list\": [1, 2,],},\n";
    let text = format!("[\n{}", record.repeat(100_000));
    let run = repair(&["--report"], &text).code(2);
    assert_eq!(run.stdout.len(), text.len() - 100_000 - ",\n".len() + "\n]\n".len());
    assert!(run.stderr.ends_with("truncated: 300000 repairs, 0 warnings, 0 skips (290000 of them not listed)\n"));
    // All of it in one line.
    let run = repair(&["--report"], text.replace('\n', " ")).code(2);
    assert!(run.stderr.lines().all(|line| line.len() < 200));
}

// --- the report -------------------------------------------------------------------------------------------------------

#[test]
fn the_report_shows_each_place() {
    let run = repair(&["--report"], MESSY).code(0);
    assert_eq!(run.stdout, MENDED);
    let expected = "\
1:1 skip prose: text around the JSON
    Sure:
    ^^^^^
2:1 skip fence: code fence around the JSON
    ```json
    ^^^^^^^
4:13 repair invalid_escape: backslash that begins no escape read as text
        \"path\": \"C:\\dir\",
                   ^
5:10 repair invalid_escape: backslash that begins no escape read as text
      \"名\": \"x\\qy\",
              ^
6:16 repair extra_comma: comma with nothing before or behind it dropped
      \"price\": 1.50,
                   ^
8:1 skip fence: code fence around the JSON
    ```
    ^^^
repaired: 3 repairs, 0 warnings, 3 skips
";
    assert_eq!(run.stderr, expected);
}

#[test]
fn the_report_shows_where_the_text_ends() {
    let run = repair(&["--report"], "{\"a\": 1, \"a\": 2,\n \"b\": \"gro").code(2);
    let expected = "\
1:10 warning duplicate_key: key that its object has already
    {\"a\": 1, \"a\": 2,
             ^^^^^^
2:11 cut in_string: the text stops in /b, behind `\"gro`, and `\"}` is missing
     \"b\": \"gro
              ^
truncated: 0 repairs, 1 warning, 0 skips
";
    assert_eq!(run.stderr, expected);

    let told = |text: &str| {
        let report = repair(&["--report"], text).code(2).stderr;
        report.lines().find(|line| line.contains(" cut ")).expect("a cut").to_owned()
    };
    assert_eq!(told("[1, "), "1:5 cut between_members: the text stops in the root, and `]` is missing");
    assert_eq!(told("{\"a\""), "1:5 cut after_key: the text stops in /a, and `}` is missing");
    assert_eq!(
        told("[{\"a\n\u{9b}"),
        "2:2 cut in_key: the text stops in /0, behind `\"a\\n\\u009b`, and `}]` is missing"
    );
    assert_eq!(told("tru"), "1:4 cut in_keyword: the text stops in the root, behind `tru`");
    // Of what is long, the part that is nearest.
    let text = format!("{}{{\"key {}\": \"{}end", "[".repeat(100), "k".repeat(100), "long ".repeat(100));
    let expected = format!(
        "1:714 cut in_string: the text stops in …{}, behind `…{}end`, and `\"}}{}…` is missing",
        "k".repeat(59),
        &"long ".repeat(6)[4..],
        "]".repeat(17)
    );
    assert_eq!(told(&text), expected);

    let run = repair(&["--report", "--duplicates", "error"], "{\"a\": 1, \"a\": 2}").code(3);
    assert!(run.stderr.starts_with("1:10 error duplicate_key: duplicate key at byte 9"), "{}", run.stderr);
    assert_eq!(repair(&["--report"], "[1]").code(0).stderr, "complete: 0 repairs, 0 warnings, 0 skips\n");
}

#[test]
fn the_report_lets_no_control_character_through() {
    let text = "\u{1b}[2J \u{9b}31m \u{202e}\r {\"a\u{1b}]0;x\u{7}\": \"\u{7f}\t\",} \u{85}\n\u{2028}";
    let run = repair(&["--report"], text).code(0);
    assert!(!run.stderr.chars().any(|c| c.is_control() && c != '\n'), "{:?}", run.stderr);
    assert!(!run.stderr.contains(['\u{202e}', '\u{2028}']));
}

// --- what has to be there ---------------------------------------------------------------------------------------------

#[test]
fn required_values_by_the_rules_alone() {
    let text = "{name: \"Ada\", \"tags\": [], \"id\": }";
    let met = repair(&["--require", "/name", "--require", ""], text).code(0);
    assert_eq!((met.stdout.as_str(), met.stderr.as_str()), ("{\"name\": \"Ada\", \"tags\": [], \"id\": null}\n", ""));
    let missing = repair(&["--require", "/tags", "--require", "/id", "--require", "/x"], text).code(3);
    assert_eq!(missing.stdout, met.stdout);
    assert_eq!(missing.stderr, "jsonrill: required: /tags is empty, /id is null, /x is missing\n");
    let report = repair(&["--report", "--require", "/x"], text).code(3).stderr;
    assert!(report.ends_with("\nrequired: /x is missing\n") && !report.contains("model"), "{report}");
    let ran = repair(&["--json", "--require", "/x"], text).code(3);
    assert_eq!(ran.stderr, "jsonrill: required: /x is missing\n");
    let object = ran.line();
    assert_eq!(object["missing"], json!([{"pointer": "/x", "lack": "missing"}]));
    assert_eq!(repair(&["--json", "--require", "/name"], text).code(0).line().get("missing"), None);
    assert_eq!(
        (&object["model"]["source"], &object["model"]["error"]["code"]),
        (&json!("rules"), &json!("missing_fields"))
    );
    // A text that was cut stays one, unless something is missing.
    repair(&["--require", "/a"], "{\"a\": 1, \"b\": [").code(2);
    repair(&["--require", "/b"], "{\"a\": 1, \"b\": [").code(3);
    for (args, told) in
        [(["--require", "x"], "begins with a slash"), (["--require=/x", "--roots=many"], "--roots many")]
    {
        assert!(repair(&args, text).code(1).stderr.contains(told));
    }
}

// --- for programs -----------------------------------------------------------------------------------------------------

#[test]
fn json_has_it_all() {
    let text = "Bitte:\n{\"ä\": \"C:\\dir\", \"n\": [1.50, 123456789012345678901234567890],\n \"n\": 2,}";
    let run = repair(&["--json"], text).code(0);
    assert_eq!(run.stderr, "");
    let object = run.line();
    let expected = json!({
        "outcome": "repaired",
        "complete": true,
        "value": {"ä": "C:\\dir", "n": [1.5, 123_456_789_012_345_678_901_234_567_890_f64]},
        "text": "{\"ä\": \"C:\\\\dir\", \"n\": [1.50, 123456789012345678901234567890]}",
        "repairs": [
            {"kind": "invalid_escape", "offset": 17, "length": 1, "line": 2, "column": 10,
             "message": "backslash that begins no escape read as text"},
            {"kind": "extra_comma", "offset": 76, "length": 1, "line": 3, "column": 8,
             "message": "comma with nothing before or behind it dropped"},
        ],
        "warnings": [
            {"kind": "duplicate_key", "offset": 70, "length": 6, "line": 3, "column": 2,
             "message": "key that its object has already"},
        ],
        "skipped": [
            {"kind": "prose", "start": 0, "end": 7, "line": 1, "column": 1, "message": "text around the JSON"},
        ],
        "cut": null,
        "error": null,
    });
    assert_eq!(object, expected);
    // Numbers are as they were spelled, and members where they were.
    assert!(run.stdout.contains("\"value\":{\"ä\":\"C:\\\\dir\",\"n\":[1.50,123456789012345678901234567890]}"));
    assert!(run.stdout.starts_with("{\"outcome\":\"repaired\",\"complete\":true,\"value\":"));
}

#[test]
fn json_of_what_is_not_whole() {
    let empty = repair(&["--json"], "").code(3).line();
    assert_eq!(empty["cut"], json!(null));
    assert_eq!((&empty["outcome"], &empty["value"], &empty["text"]), (&json!("empty"), &json!(null), &json!("")));
    let cut = repair(&["--json", "--report"], "[1, 2").code(2);
    assert!(cut.stderr.ends_with("truncated: 0 repairs, 0 warnings, 0 skips\n"), "{}", cut.stderr);
    assert_eq!(cut.line()["complete"], false);
    assert_eq!(cut.line()["cut"], json!({"offset": 5, "state": "in_number", "open": "/1", "closers": "]"}));
    assert!(
        cut.stdout
            .contains(r#""skipped":[],"cut":{"offset":5,"state":"in_number","open":"/1","closers":"]"},"error":"#)
    );
    let error = &repair(&["--json", "--duplicates", "error"], "{\"a\": 1,\n \"a\": 2}").code(3).line()["error"];
    assert_eq!(error["code"], "duplicate_key");
    assert_eq!((&error["offset"], &error["line"], &error["column"]), (&json!(10), &json!(2), &json!(2)));
    let many = repair(&["--json", "--roots", "many"], "{\"a\": 1,}{\"b\": 2}").code(0).line();
    assert_eq!(many["documents"], json!([{"a": 1}, {"b": 2}]));
    assert_eq!(many["text"], "{\"a\": 1}\n{\"b\": 2}");
    // More than are listed are counted.
    let omitted = repair(&["--json"], format!("[[\"\"]{}]", ", [1,]".repeat(10_002))).code(0).line();
    assert_eq!((omitted["repairs"].as_array().map(Vec::len), &omitted["omitted"]), (Some(10_000), &json!(2)));
}

#[test]
fn the_answer_in_a_providers_stream_is_repaired() {
    let event = |text: &str, reason: Option<&str>| {
        format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}]}))
    };
    // The stop reason settles that a quote is missing, and the bracket is none of the text.
    let stream = |reason| event("Sure: {a: 1, \"note\": \"te", None) + &event("a}", Some(reason)) + "data: [DONE]\n\n";
    let run = repair(&["--input", "sse", "--report"], stream("stop")).code(0);
    assert_eq!(run.stdout, "{\"a\": 1, \"note\": \"tea\"}\n");
    // Places are those of the answer.
    assert!(run.stderr.contains("1:8 repair bare_key:"), "{}", run.stderr);
    assert_eq!(repair(&["--input", "sse"], stream("length")).code(2).stdout, "{\"a\": 1, \"note\": \"tea}\"}\n");
    let said = repair(&["--input", "sse", "--end", "stopped"], stream("length"));
    assert_eq!(said.code(0).stdout, "{\"a\": 1, \"note\": \"tea\"}\n");
}
