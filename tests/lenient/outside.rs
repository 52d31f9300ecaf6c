//! What stands in the document and is none of it: comments, dots, odd blanks, stray text; and documents that are
//! escaped as a whole.

use jsonrill::{Options, Outcome, Role};

use crate::common;
use crate::common::rows::{Row, check, row};

const COMMENTS: &[Row] = &[
    row("{\"a\": 1, // one\n \"b\": 2}", r#"{"a":1,"b":2}"#, "comment"),
    row("{\"a\": 1 // the \"last\", really: {\n}", r#"{"a":1}"#, "comment"),
    row("{\"a\": \"x\", # note\n \"b\": \"y\"}", r#"{"a":"x","b":"y"}"#, "comment"),
    row("{\"a\": /* why */ 1, /* , 9, */ \"b\": 2 /**/}", r#"{"a":1,"b":2}"#, "comment comment comment"),
    row("[\"a\", // first\n \"b\", // second\n 3 // third\n]", r#"["a","b",3]"#, "comment comment comment"),
    row("{\"l\": [1, /* two\n lines } ] */ 2]}", r#"{"l":[1,2]}"#, "comment"),
    row("{\"l\": [1, # one\n 2, # two\n]}", r#"{"l":[1,2]}"#, "comment extra_comma comment"),
    row("{\"x\": 0, \"a\" /* k */ : /* v */ {} // o\n}", r#"{"x":0,"a":{}}"#, "comment comment comment"),
    row("{\"a\": 1, // see http://x.example/ for 'more'\r\n \"b\": 2}", r#"{"a":1,"b":2}"#, "comment"),
    row("{\"a\": {\n // nothing yet\n}, \"b\": []}", r#"{"a":{},"b":[]}"#, "comment"),
    // Not inside strings.
    row(
        "{\"a\": \"// # /* */\", /* x */ \"b\": 'http://y'}",
        r#"{"a":"// # /* */","b":"http://y"}"#,
        "comment other_quotes",
    ),
];

const DOTS: &[Row] = &[
    row("[1, 2, ...]", "[1,2]", "extra_comma? ellipsis extra_comma?"),
    row("[1, 2, ..., 9]", "[1,2,9]", "extra_comma? ellipsis extra_comma?"),
    row(r#"["a", ... "z"]"#, r#"["a","z"]"#, "extra_comma? ellipsis missing_comma? extra_comma?"),
    row(r#"{"l": [..., 3]}"#, r#"{"l":[3]}"#, "ellipsis extra_comma?"),
    row(r#"{"a": 1, ...}"#, r#"{"a":1}"#, "extra_comma? ellipsis"),
    row(r#"{"a": 1, ..., "z": 26}"#, r#"{"a":1,"z":26}"#, "extra_comma? ellipsis extra_comma?"),
    row("{\"l\": [{\"a\": 1},\n  ...\n]}", r#"{"l":[{"a":1}]}"#, "extra_comma? ellipsis"),
];

const BLANKS: &[Row] = &[
    row("{\"a\":\u{a0}1}", r#"{"a":1}"#, "special_space"),
    row(
        "{\u{c}\"a\":\u{b}[1,\u{c}2]\u{c}}",
        r#"{"a":[1,2]}"#,
        "special_space special_space special_space special_space",
    ),
    row("{\"a\": 1,\u{3000}\"b\": [2]}", r#"{"a":1,"b":[2]}"#, "special_space"),
    row("{\u{2003}\"a\": \"x\"\u{2003}, \"b\": 1}", r#"{"a":"x","b":1}"#, "special_space special_space"),
    row("{\"l\": [1,\u{200b}2,\u{feff}3]}", r#"{"l":[1,2,3]}"#, "special_space special_space"),
    row("{\"a\"\u{a0}: true\u{a0}}", r#"{"a":true}"#, "special_space special_space"),
];

const STRAY: &[Row] = &[
    row(r#"{"a": [] oops, "b": 1}"#, r#"{"a":[],"b":1}"#, "stray_text"),
    row(r#"{"a": {"x": 1} etc, "b": 1}"#, r#"{"a":{"x":1},"b":1}"#, "stray_text"),
];

/// A whole document in a string, without the string's own quotes or with quotes that do not hold it.
const ESCAPED: &[Row] = &[
    row(r#"{\"a\": 1}"#, r#"{"a":1}"#, "escaped_document"),
    row(
        r#"{\"a\": \"x y\", \"l\": [1, \"z\", {\"b\": null}]}"#,
        r#"{"a":"x y","l":[1,"z",{"b":null}]}"#,
        "escaped_document",
    ),
    row(r#"[{\"a\": true}, {\"a\": \"\"}]"#, r#"[{"a":true},{"a":""}]"#, "escaped_document"),
    row(r#"[\"a\", \"b\"]"#, r#"["a","b"]"#, "escaped_document"),
    row(r#"[\n  \"a\",\n  \"say \\\"hi\\\"\"\n]"#, r#"["a","say \"hi\""]"#, "escaped_document"),
    row(r#"[1, \"a\", {\"b\": \"c\"}]"#, r#"[1,"a",{"b":"c"}]"#, "escaped_document"),
    row(r#"[[\"a\"], [\"b\"]]"#, r#"[["a"],["b"]]"#, "escaped_document"),
    // Brackets in prose, and escapes in a document that is not escaped.
    row(r#"The class [\n\r] and args[\"name\"], then {"a": 1}"#, r#"{"a":1}"#, "~"),
    row(r#"{\"say\": \"oh \\\"no\\\" he said\"}"#, r#"{"say":"oh \"no\" he said"}"#, "escaped_document"),
    row(r#"{\"re\": \"\d+ x\"}"#, r#"{"re":"\\d+ x"}"#, "escaped_document invalid_escape"),
    row(r#""{""a"": 1}""#, r#"{"a":1}"#, "doubled_document ~"),
    row(r#""{""a"": ""x y"", ""l"": [""z"", 2]}""#, r#"{"a":"x y","l":["z",2]}"#, "doubled_document ~"),
];

#[test]
fn comments_are_skipped() {
    check(COMMENTS);
}

#[test]
fn dots_for_what_is_left_out_are_skipped() {
    check(DOTS);
}

#[test]
fn odd_blanks_are_blanks() {
    check(BLANKS);
}

#[test]
fn stray_text_is_skipped() {
    check(STRAY);
}

#[test]
fn documents_escaped_as_a_whole_are_read() {
    check(ESCAPED);
}

/// A candidate that is escaped turns out to be none while some of it is held: what follows is read as it was written.
#[test]
fn what_was_held_of_an_escaped_candidate_is_read_as_it_was_written() {
    for text in [
        r#"{\""{\"a\\": 1}"#,
        r#"{\""{\"a\b", 2"#,
        r#"{\"a\" {"b": [1, 2]}"#,
        r#"{\"a\\\\" x {"b": "c"}"#,
        r#"{\"a\\ \" ``` {"b": "c"}"#,
    ] {
        common::laws::keep(&common::options(jsonrill::Dialect::Lenient), text.as_bytes()).unwrap();
        common::laws::splits_alike(text).unwrap();
        let finished = common::lenient(text);
        let snapshot = finished.snapshot();
        let Some(span) = snapshot.root().span() else { continue };
        assert!(text[span.start as usize..].starts_with(['{', '[']), "{text}: {span:?}");
    }
}

/// Valid JSON: a string that holds a document stays a string, but as the arguments of a call it is meant.
#[test]
fn a_document_in_a_string_is_unwrapped_for_arguments_alone() {
    let text = r#""{\"city\": \"Oslo\", \"days\": [1, 2]}""#;
    let as_answer = common::lenient(text);
    assert_eq!(as_answer.outcome(), Outcome::Complete);
    assert_eq!(as_answer.snapshot().at(""), r#"{"city": "Oslo", "days": [1, 2]}"#);
    let options = Options::new().role(Role::Arguments);
    let as_arguments = common::finished(&options, text, jsonrill::End::Stopped);
    assert_eq!(as_arguments.snapshot().to_string(), r#"{"city":"Oslo","days":[1,2]}"#);
    // An argument that is such a string is one.
    let text = r#"{"todos": "[{\"t\": \"a\"}]"}"#;
    let argument = common::finished(&options, text, jsonrill::End::Stopped);
    assert_eq!(argument.outcome(), Outcome::Complete);
    assert_eq!(argument.snapshot().at("/todos"), r#"[{"t": "a"}]"#);
}
