//! `jsonrill split`, run as a process: what it prints where, and how it ends.
#![cfg(feature = "cli")]

mod common;

use common::process::{Run, Temp, run, run_unread};
use serde_json::json;

/// `jsonrill split ARGS`, with `input` on standard input.
fn split(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    run(&[&["split"], args].concat(), input)
}

const TEXT: &str =
    r#"{ "title": "Alps", "peaks": [ {"name": "Dom", "m": 4546.0}, {"name": "Weisshorn", "m": 4506} ] }"#;

#[test]
fn a_chunk_a_line() {
    let file = Temp::new(TEXT);
    for run in
        [split(&["--max", "50", file.path()], ""), split(&["--max", "50"], TEXT), split(&["-", "--max", "50"], TEXT)]
    {
        let run = run.code(0);
        assert_eq!((&*run.stdout, &*run.stderr), (WHOLE, ""));
    }
}

/// Records stay whole.
const WHOLE: &str = "{\"title\":\"Alps\"}\n\
    {\"peaks\":[{\"name\":\"Dom\",\"m\":4546.0}]}\n\
    {\"peaks\":[{\"name\":\"Weisshorn\",\"m\":4506}]}\n";

#[test]
fn a_minimum_tears_records() {
    let run = split(&["--max", "50", "--min", "30"], TEXT).code(0);
    assert_eq!(run.stdout.lines().next(), Some(r#"{"title":"Alps","peaks":[{"name":"Dom"}]}"#));
}

#[test]
fn lists_become_objects_when_asked() {
    let run = split(&["--max", "40", "--convert-lists"], r#"{"a": [1, [], {"b": "x"}]}"#).code(0);
    assert_eq!(run.stdout, "{\"a\":{\"0\":1,\"1\":{},\"2\":{\"b\":\"x\"}}}\n");
}

#[test]
fn documents_say_what_they_hold() {
    let file = Temp::new(TEXT);
    for run in [split(&["--max", "50", "--documents"], TEXT), split(&["--max", "50", "--documents", file.path()], "")] {
        let lines = run.code(0).lines();
        assert_eq!(lines.len(), 3);
        assert_eq!(
            lines[2],
            json!({
                "page_content": "{\"peaks\":[{\"name\":\"Weisshorn\",\"m\":4506}]}",
                "metadata": {"pointer": "/peaks", "range": [1, 2], "first": "/peaks/1", "index": 2, "count": 3},
            })
        );
    }
}

#[test]
fn strings_are_cut_when_asked() {
    let text = format!(r#"{{"text": "{}"}}"#, "A sentence. ".repeat(10));
    let run = split(&["--max", "60"], &text).code(3);
    assert_eq!((&*run.stdout, &*run.stderr), ("", "jsonrill: the value at \"/text\" needs a chunk of more than 60\n"));
    let lines = split(&["--max", "60", "--cut-strings", "sentence", "--documents"], &text).code(0).lines();
    assert_eq!(lines[0]["page_content"], "{\"text\":\"A sentence. A sentence. A sentence. A sentence. \"}");
    assert_eq!(lines[0]["metadata"]["continued"], true);
    assert_eq!(lines[2]["metadata"]["continues"], true);
}

#[test]
fn bytes_may_count() {
    let text = r#"["éééé","é"]"#;
    assert_eq!(split(&["--max", "12"], text).code(0).stdout, format!("{text}\n"));
    assert_eq!(split(&["--max", "12", "--bytes"], text).code(0).stdout, "[\"éééé\"]\n[\"é\"]\n");
}

#[test]
fn as_the_python_package_prints_it() {
    let text = r#"{"a": [1, 2.50, "é"], "b": {"c": 1E2, "d": null}}"#;
    let run = split(&["--max", "40", "--min", "10", "--compat", "langchain"], text).code(0);
    assert_eq!(run.stdout, "{\"a\": [1, 2.5, \"\\u00e9\"]}\n{\"b\": {\"c\": 100.0, \"d\": null}}\n");
    let run =
        split(&["--max", "30", "--min", "10", "--compat", "langchain", "--convert-lists", "--documents"], text).code(0);
    assert_eq!(run.lines()[0], json!({"page_content": "{\"a\": {\"0\": 1, \"1\": 2.5}}", "metadata": {}}));

    let list = split(&["--max", "40", "--compat", "langchain"], "[1]").code(3);
    assert_eq!(
        (&*list.stdout, &*list.stderr),
        (
            "",
            "jsonrill: json_data must be a dict, got list. Top-level lists can be split by passing convert_lists=True.\n"
        )
    );
    assert_eq!(split(&["--max", "40", "--compat", "langchain"], "{\"a\": NaN}").code(0).stdout, "{\"a\": NaN}\n");
    for empty in ["{}", "null", "{\"a\":"] {
        let run = split(&["--max", "40", "--compat", "langchain"], empty).code(3);
        let cut = if empty == "{\"a\":" { "jsonrill: the JSON is truncated at byte 5 (after_colon)\n" } else { "" };
        let why = "jsonrill: the Python package makes no chunk of what is empty\n";
        assert_eq!((&*run.stdout, run.stderr), ("", format!("{cut}{why}")));
    }
    // Messy texts are read as in all other commands.
    assert_eq!(split(&["--max", "40", "--compat", "langchain"], "{a: 1,").code(0).stdout, "{\"a\": 1}\n");
}

#[test]
fn what_is_no_json_is_read_as_complete_reads_it() {
    let cut = split(&["--max", "100"], "Sure:\n```json\n{\"a\": [1, 2, \"x").code(0);
    assert_eq!(cut.stdout, "{\"a\":[1,2,\"x\"]}\n");
    assert_eq!(
        cut.stderr,
        "jsonrill: truncated: 0 repairs, 0 warnings, 2 skips\n\
         jsonrill: the JSON is truncated at byte 29 (in_string)\n"
    );
    for empty in ["", "\n", "No JSON."] {
        let run = split(&["--max", "100"], empty).code(3);
        assert_eq!((&*run.stdout, &*run.stderr), ("", "jsonrill: the text has no JSON\n"), "{empty:?}");
        split(&["--max", "100", "--compat", "langchain"], empty).code(3);
    }
    let deep = split(&["--max", "10000"], "[".repeat(600)).code(3);
    assert!(deep.stderr.contains("limit"), "{}", deep.stderr);
    assert_eq!(deep.stdout.trim_end(), format!("{}{}", "[".repeat(512), "]".repeat(512)));
}

/// Nothing is left out in silence.
#[test]
fn what_is_repaired_and_left_out_is_told() {
    for compat in [&[][..], &["--compat", "langchain", "--convert-lists"]] {
        let told = |text: &str| split(&[&["--max", "100"], compat].concat(), text).code(0).stderr;
        assert_eq!(told("{\"a\": 1}\n"), "");
        assert_eq!(told("{a: 1, 'b': 2,}"), "jsonrill: repaired: 3 repairs, 0 warnings, 0 skips\n");
        assert_eq!(
            told("{\"a\": 1}\n{\"b\": 2}\n"),
            "jsonrill: repaired: 0 repairs, 0 warnings, 1 skip\n\
             jsonrill: another document is in the text, which is not split\n"
        );
        assert!(told("{\"a\": 1}\n{\"b\": 2}\n{\"c\": 3}\n").contains("2 other documents"));
    }
}

#[test]
fn chunks_before_one_that_does_not_fit_are_printed() {
    let run = split(&["--max", "12"], r#"["12345", "12345", "1234567890"]"#).code(3);
    assert_eq!(run.stdout, "[\"12345\"]\n[\"12345\"]\n");
    assert_eq!(run.stderr, "jsonrill: the value at \"/2\" needs a chunk of more than 12\n");
}

/// A stream of OpenAI's form with this answer.
fn sse(text: &str) -> String {
    let (start, end) = text.split_at(text.len() / 2);
    let part = |text: &str| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": text}}]}));
    format!("{}{}data: [DONE]\n\n", part(start), part(end))
}

#[test]
fn the_answer_in_a_providers_stream_is_split() {
    let stream = sse(TEXT);
    let file = Temp::new(&stream);
    for run in [
        split(&["--max", "50", "--input", "sse"], &stream),
        split(&["--max", "50", "--input", "sse", "--provider", "openai", file.path()], ""),
    ] {
        let run = run.code(0);
        assert_eq!((&*run.stdout, &*run.stderr), (WHOLE, ""));
    }
    let langchain = ["--max", "40", "--min", "10", "--compat", "langchain", "--input", "sse"];
    assert_eq!(split(&langchain, sse("{\"a\": {\"b\": 1}}")).code(0).stdout, "{\"a\": {\"b\": 1}}\n");
    // What somebody has recorded chunk by chunk is a text, too.
    let recorded = format!("{}\n{}\n", json!(&TEXT[..20]), json!(&TEXT[20..]));
    assert_eq!(split(&["--max", "50", "--input", "chunks"], recorded).code(0).stdout, WHOLE);
    let nobody = split(&["--max", "50", "--provider", "openai"], TEXT).code(1);
    assert!(nobody.stderr.contains("--provider says whose stream it is"), "{}", nobody.stderr);
}

#[test]
fn a_stream_that_is_split_as_a_text_is_named() {
    let stream = sse(TEXT);
    let file = Temp::new(&stream);
    for run in [split(&["--max", "500"], &stream), split(&["--max", "500", file.path()], "")] {
        assert!(run.stderr.contains("--input sse reads the answer in it"), "{}", run.stderr);
        assert_eq!(run.stderr.matches("--input sse").count(), 1, "{}", run.stderr);
    }
}

#[test]
fn usage() {
    split(&[], "{}").code(1);
    split(&["--max", "x"], "{}").code(1);
    split(&["--max", "10", "--compat", "other"], "{}").code(1);
    split(&["--max", "10", "--compat", "langchain", "--bytes"], "{}").code(1);
    let larger = split(&["--max", "10", "--min", "11"], "{}").code(1);
    assert_eq!((&*larger.stdout, &*larger.stderr), ("", "jsonrill: --min 11 is larger than --max 10\n"));
    let none = split(&["--max", "0"], "{}").code(1);
    assert_eq!((&*none.stdout, &*none.stderr), ("", "jsonrill: --max must be at least 1\n"));
    split(&["--max", "10", "--min", "10"], "{}").code(0);
    let missing = split(&["--max", "10", "/no/such/file"], "").code(1);
    assert!(missing.stderr.starts_with("jsonrill: cannot open /no/such/file"), "{}", missing.stderr);
}

#[test]
fn a_large_file_has_no_bar_where_nobody_sees_it() {
    let record = r#"{"id": 1, "text": "some words to fill the record with"}"#;
    let file = Temp::new(format!("[{}]", vec![record; (17 << 20) / record.len()].join(",")));
    let run = split(&["--max", "5000", file.path()], "").code(0);
    assert_eq!(run.stderr, "");
    assert!(run.stdout.lines().all(|line| line.len() <= 5000));
    let held: usize = run.stdout.lines().map(|line| line.matches("\"id\"").count()).sum();
    assert_eq!(held, (17 << 20) / record.len());
    assert_eq!(run_unread(&["split", "--max", "5000", file.path()]), (0, String::new()));
}

/// Of a stream it reads the answer alone, and says who prints the arguments.
#[test]
fn options_that_it_has_not_are_explained() {
    for option in ["--role", "--call"] {
        let told = split(&["--max", "5", option, "1"], "").code(1).stderr;
        assert!(told.contains("jsonrill complete --role arguments") && !told.contains("--provider"), "{told}");
    }
    let told = run(&["watch", "--chunk", "0"], "").code(1).stderr;
    assert!(told.contains("it must be at least 1"), "{told}");
}
