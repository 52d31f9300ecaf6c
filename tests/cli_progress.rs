//! `jsonrill progress`, run as a process.
#![cfg(feature = "cli")]

mod common;

use common::process::{Run, Temp, run, run_unheard, run_unread};
use serde_json::json;

const KPIS: &str = r#"[
    {"id": "items", "description": "all of them", "jsonPath": "$.items", "targetValue": 4, "currentValue": 9},
    {"id": "tags", "jsonPath": "$.items[*].tags", "targetValue": "8"}
]"#;
const CUT: &str = r#"{"items": [{"tags": ["a", "b"]}, {"tags": ["c"]}, "#;

/// `jsonrill progress --kpis FILE ARGS`, with `input` on standard input.
fn progress(kpis: &str, args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let kpis = Temp::new(kpis);
    run(&[&["progress", "--kpis", kpis.path()], args].concat(), input)
}

#[test]
fn one_line_about_a_cut_text() {
    let run = progress(KPIS, &[], CUT).code(2);
    assert_eq!(run.stderr, "");
    assert_eq!(
        run.stdout,
        "{\"kpis\":[{\"id\":\"items\",\"current\":2,\"target\":4,\"ratio\":0.5},\
         {\"id\":\"tags\",\"current\":3,\"target\":8,\"ratio\":0.375}],\"ratio\":0.4375,\
         \"outcome\":\"truncated\",\"complete\":false}\n"
    );
}

#[test]
fn a_file_or_standard_input() {
    let file = Temp::new(CUT);
    let expected = progress(KPIS, &[], CUT).stdout;
    assert_eq!(progress(KPIS, &[file.path()], "").code(2).stdout, expected);
    assert_eq!(progress(KPIS, &["-"], CUT).code(2).stdout, expected);
    // In prose and a fence, and re-read as it is.
    assert_eq!(progress(KPIS, &[], format!("Sure:\n```json\n{CUT}")).code(2).stdout, expected);
}

/// Several files are the responses of several rounds: what is measured is what they make together.
#[test]
fn rounds() {
    let (first, second) = (Temp::new(CUT), Temp::new("```json\n{\"tags\": [\"c\"]}, {\"tags\": [\"d\""));
    let line = progress(KPIS, &[first.path(), second.path()], "").code(2).line();
    assert_eq!((&line["kpis"][0]["current"], &line["kpis"][1]["current"]), (&json!(3), &json!(4)));
    assert_eq!((&line["outcome"], &line["complete"]), (&json!("truncated"), &json!(false)));
    let before = Temp::new(progress(KPIS, &[first.path()], "").code(2).stdout);
    let args = ["--last", before.path(), first.path(), second.path(), "-"];
    assert_eq!(progress(KPIS, &args, "]}]}").code(0).line()["verdict"], json!([true, "Complete"]));
    let args = ["--last", before.path(), first.path(), "-"];
    let run = progress(KPIS, &args, "I am sorry, I cannot go on.").code(2);
    assert_eq!(run.line()["verdict"], json!([false, "No progress"]));
    let twice = progress(KPIS, &["-", "-"], "").code(1);
    assert_eq!(twice.stderr, "jsonrill: standard input can be only one of the responses\n");
}

#[test]
fn verdicts_beside_the_last_values() {
    for (last, verdict, reason) in [
        (r#"{"items": 1, "tags": 3}"#, json!([true, "Progress"]), "`items` went from 1 to 2 of 4"),
        (
            r#"{"items": 2, "tags": "3"}"#,
            json!([false, "No progress"]),
            "nothing grew: `items` stays at 2 of 4, `tags` stays at 3 of 8",
        ),
        (r#"{"items": 3, "tags": 1}"#, json!([false, "KPI went backwards"]), "`items` went from 3 to 2 of 4"),
        ("{}", json!([true, "Progress"]), "`items` went from 0 to 2 of 4, `tags` went from 0 to 3 of 8"),
        (
            "{\"items\": 9}\n{\"items\": 2, \"tags\": 2, \"other\": 7}\n",
            json!([true, "Progress"]),
            "`tags` went from 2 to 3 of 8",
        ),
    ] {
        let last = Temp::new(last);
        let line = progress(KPIS, &["--last", last.path()], CUT).code(2).line();
        assert_eq!((&line["verdict"], line["reason"].as_str()), (&verdict, Some(reason)));
    }
    let last = Temp::new("{\"items\": 1.5}");
    let line = progress(KPIS, &["--last", last.path()], CUT).code(2).line();
    assert_eq!((&line["kpis"][0]["last"], &line["kpis"][1]["last"]), (&json!(1.5), &json!(0)));
}

#[test]
fn from_round_to_round() {
    // The output of one round is the `--last` of the next.
    let round = |last: &str, input: &str| {
        let last = Temp::new(last);
        progress(KPIS, &["--last", last.path()], input)
    };
    let first = progress(KPIS, &[], r#"{"items": [{"tags": ["a"#).code(2).stdout;
    let second = round(&first, CUT).code(2);
    assert_eq!(second.line()["verdict"], json!([true, "Progress"]));
    let third = round(&second.stdout, CUT).code(2);
    assert_eq!(third.line()["verdict"], json!([false, "No progress"]));
    let log = format!("{first}{}", second.stdout);
    let fourth = round(&log, &format!("{CUT}{{}}]}}")).code(0);
    assert_eq!(fourth.line()["verdict"], json!([true, "Complete"]));
    assert_eq!(fourth.line()["reason"], "the JSON is complete");
    // All targets reached, and still open.
    let kpis = r#"{"id": "items", "path": "items", "target": 2}"#;
    let last = Temp::new("{}");
    let line = progress(kpis, &["--last", last.path()], CUT).code(2).line();
    assert_eq!((&line["verdict"], &line["complete"]), (&json!([true, "Complete"]), &json!(false)));
    assert_eq!(line["reason"], "all targets are reached");
}

#[test]
fn exit_codes_are_those_of_the_text() {
    let kpis = r#"{"kpis": [{"id": "all", "jsonPath": "leaves()", "targetValue": null}]}"#;
    for (args, input, code, outcome, current) in [
        (&[][..], "[1, 2]", 0, "complete", 2),
        (&[], "[1, 2,]", 0, "repaired", 2),
        (&[], "[1, 2", 2, "truncated", 2),
        (&[], "Sorry.", 3, "empty", 0),
        (&["--dialect", "strict"], "[1, 2, !", 3, "malformed", 2),
        (&["--roots", "last"], "[\"x\"] [\"x\", \"y\", \"z\"]", 0, "repaired", 3),
        (&["--role", "arguments", "--end", "stopped"], "", 0, "complete", 0),
        (&["--role", "arguments"], "[1, 2]", 3, "malformed", 2),
    ] {
        let run = progress(kpis, args, input).code(code);
        assert_eq!(run.stderr.is_empty(), code != 3, "{input}: {}", run.stderr);
        let expected = json!({
            "kpis": [{"id": "all", "current": current, "target": null, "ratio": null}], "ratio": null,
            "outcome": outcome, "complete": code == 0,
        });
        assert_eq!(run.line(), expected, "{input}");
    }
}

#[test]
fn kpis_as_a_model_writes_them() {
    let kpis = "Here they are:\n```json\n{kpis: [{'id': 'n', path: 'items', target: 4,},]}\n```\nDone.";
    let line = progress(kpis, &[], CUT).code(2).line();
    assert_eq!(line["kpis"][0]["ratio"], 0.5);
}

#[test]
fn what_cannot_be_used_is_exit_1() {
    for (kpis, message) in [
        ("", "there are no KPIs"),
        ("[]", "there are no KPIs"),
        (r#"[{"id": "a", "jsonPath": "a"}]"#, "KPI `a` has no `targetValue`"),
        (r#"[{"id": "a", "jsonPath": "a[", "targetValue": 1}]"#, "`a[` is no path"),
        (r#"[{"id": "a", "jsonPath": "/s/*/i", "targetValue": 1}]"#, "a query counts all, as in `a[*].b`"),
        (r#"[{"id": "a", "jsonPath": "s/0/i", "targetValue": 1}]"#, "a JSON pointer begins with one"),
        (r#"[{"id": "a", "jsonPath": "$..a..b", "targetValue": 1}]"#, "may cost too much"),
        (r#"[{"id": "a", "jsonPath": "a", "targetValue": 1}"#, "the KPIs are not whole"),
    ] {
        let run = progress(kpis, &[], CUT).code(1);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.starts_with("jsonrill: cannot use ") && run.stderr.contains(message), "{}", run.stderr);
    }
    for (last, message) in [("", "it is empty"), ("{", "EOF"), ("[1]", "expected an object"), ("{\"a\": []}", "`a`")] {
        let last = Temp::new(last);
        let run = progress(KPIS, &["--last", last.path()], CUT).code(1);
        assert!(run.stdout.is_empty() && run.stderr.contains(message), "{}", run.stderr);
    }
    let missing = "/nonexistent/kpis.json";
    for args in
        [&["progress", "--kpis", missing][..], &["progress"], &["progress", "--kpis", missing, "--last", missing]]
    {
        let run = run(args, CUT).code(1);
        assert!(run.stdout.is_empty() && !run.stderr.is_empty());
    }
    assert!(progress(KPIS, &[missing], "").code(1).stderr.contains(missing));
}

#[test]
fn help_and_output_that_nobody_reads() {
    let help = run(&["progress", "--help"], "").code(0).stdout;
    for word in ["--kpis", "--last", "--end", "--dialect", "No progress", "RFC 9535", "[FILE]..."] {
        assert!(help.contains(word), "{word}: {help}");
    }
    assert!(run(&["--help"], "").code(0).stdout.contains("progress"));
    let (kpis, text) = (Temp::new(KPIS), Temp::new("no JSON"));
    let args = ["progress", "--kpis", kpis.path(), text.path()];
    assert_eq!(run_unheard(&args).0, 3);
    let text = Temp::new(CUT);
    let args = ["progress", "--kpis", kpis.path(), text.path()];
    // It may have written its line before the reader was gone.
    let (code, messages) = run_unread(&args);
    assert!([0, 2].contains(&code) && messages.is_empty(), "{code} {messages}");
}
