//! Values that are bare words: text, keywords of other languages, calls.

use crate::common::rows::{Row, check, row};

const BARE: &[Row] = &[
    row(r#"{"a": hello}"#, r#"{"a":"hello"}"#, "bare_string"),
    row(r#"{"a": hello world, "b": 1}"#, r#"{"a":"hello world","b":1}"#, "bare_string"),
    row("{\"a\": hello  \n, \"b\": 1}", r#"{"a":"hello","b":1}"#, "bare_string"),
    row(
        r#"{"l": [red, dark green , blue]}"#,
        r#"{"l":["red","dark green","blue"]}"#,
        "bare_string bare_string bare_string",
    ),
    row(r#"{"a": some_name.v2, "b": a-b-c}"#, r#"{"a":"some_name.v2","b":"a-b-c"}"#, "bare_string bare_string"),
    row(r#"{"a": it's fine, "b": 1}"#, r#"{"a":"it's fine","b":1}"#, "bare_string"),
    row(r#"{"a": naïve 日本, "b": 1}"#, r#"{"a":"naïve 日本","b":1}"#, "bare_string"),
    // What begins like a keyword.
    row(
        r#"{"l": [truee, nullable, falsey]}"#,
        r#"{"l":["truee","nullable","falsey"]}"#,
        "bare_string bare_string bare_string",
    ),
    row(
        r#"{"a": true story, "b": null and void}"#,
        r#"{"a":"true story","b":"null and void"}"#,
        "bare_string bare_string",
    ),
    row(r#"{"a": None of these, "b": Nonesuch}"#, r#"{"a":"None of these","b":"Nonesuch"}"#, "bare_string bare_string"),
    row(r#"{"a": t, "b": nul, "c": fals}"#, r#"{"a":"t","b":"nul","c":"fals"}"#, "bare_string bare_string bare_string"),
    // What holds signs that mean something elsewhere.
    row(r#"{"u": http://x.example/y?z=1, "n": 1}"#, r#"{"u":"http://x.example/y?z=1","n":1}"#, "bare_string"),
    row(r#"{"c": #fff, "d": #00ff00}"#, r##"{"c":"#fff","d":"#00ff00"}"##, "bare_string bare_string"),
    row(r#"{"m": a@b.example, "p": /usr/bin}"#, r#"{"m":"a@b.example","p":"/usr/bin"}"#, "bare_string bare_string"),
];

const KEYWORDS: &[Row] = &[
    row(
        r#"{"a": True, "b": False, "c": None}"#,
        r#"{"a":true,"b":false,"c":null}"#,
        "foreign_keyword foreign_keyword foreign_keyword",
    ),
    row(r#"{"a": undefined, "b": 1}"#, r#"{"a":null,"b":1}"#, "foreign_keyword"),
    row(
        r#"{"l": [NaN, -Infinity, Infinity]}"#,
        r#"{"l":[null,null,null]}"#,
        "foreign_keyword foreign_keyword foreign_keyword",
    ),
    row(r#"{"l": [True , None]}"#, r#"{"l":[true,null]}"#, "foreign_keyword foreign_keyword"),
    row("{\"a\": True\n}", r#"{"a":true}"#, "foreign_keyword"),
];

const CALLS: &[Row] = &[
    row(r#"{"n": NumberLong(2)}"#, r#"{"n":2}"#, "wrapper"),
    row(r#"{"d": ISODate("2025-06-07"), "n": 1}"#, r#"{"d":"2025-06-07","n":1}"#, "wrapper"),
    row(r#"{"l": [ObjectId("ab"), ObjectId( "cd" )]}"#, r#"{"l":["ab","cd"]}"#, "wrapper wrapper"),
    row(r#"{"o": dict({"a": 1}), "s": list([1, 2])}"#, r#"{"o":{"a":1},"s":[1,2]}"#, "wrapper wrapper"),
    row(r#"{"a": f(g(1))}"#, r#"{"a":1}"#, "wrapper"),
    row(r#"{"s": frozenset({1, 2})}"#, r#"{"s":[1,2]}"#, "wrapper set"),
    // A word with a blank before the parenthesis is text.
    row(r#"{"a": print (it), "b": 1}"#, r#"{"a":"print (it)","b":1}"#, "bare_string"),
];

#[test]
fn bare_strings_are_read() {
    check(BARE);
}

#[test]
fn keywords_of_other_languages_are_read() {
    check(KEYWORDS);
}

#[test]
fn calls_are_unwrapped() {
    check(CALLS);
}

/// Bytes that are no text end what is held before them, and it is not lost.
#[test]
fn words_before_bytes_that_are_no_text() {
    let finished = crate::common::lenient(b"[ull```\xff]");
    assert_eq!(finished.snapshot().to_string(), r#"["ull```"]"#);
}
