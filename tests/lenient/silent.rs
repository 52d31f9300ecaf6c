//! Where the design says nothing, or says two things: what a user expects. These rows are choices; another reading may
//! be as good, if it keeps the laws.

use crate::common::rows::{Row, check, row};
use jsonrill::End;

const CHOSEN: &[Row] = &[
    // A quote and a comma are missing: the line break stands for the comma.
    row("{\"a\": \"one\n \"b\": 2}", r#"{"a":"one","b":2}"#, "missing_quote missing_comma?"),
    // The rule names `, "key":` after closers; an element that is an object is as good.
    row(r#"[{"a": "x}, {"b": 1}]"#, r#"[{"a":"x"},{"b":1}]"#, "missing_quote"),
    row(r#"{"l": ["x], "b": 1}"#, r#"{"l":["x"],"b":1}"#, "missing_quote"),
    // A key with no closing quote before a value that is a string, and in the last member.
    row(r#"{"name: "Bo", "b": 1}"#, r#"{"name":"Bo","b":1}"#, "missing_quote"),
    row(r#"{"a": 1, "last: 2}"#, r#"{"a":1,"last":2}"#, "missing_quote"),
    // An element without its opening quote.
    row(r#"["x", y z", "w"]"#, r#"["x","y z","w"]"#, "missing_quote"),
    // `b` may be a prefix or the whole word.
    row(r#"{"a": b", "c": 1}"#, r#"{"a":"b","c":1}"#, "missing_quote"),
    // Opened by one quote, closed by another.
    row("{\"a\": “x\", \"b\": 1}", r#"{"a":"x","b":1}"#, "other_quotes"),
    // A path at the end of the document, or of an array.
    row(r#"{"p": "C:\Apps\"}"#, r#"{"p":"C:\\Apps\\"}"#, "invalid_escape invalid_escape|missing_quote")
        .at(End::Stopped),
    // Behind a quote anything but a comma, a closer or a member would be text, as `//` is in `"a" // b"`.
    row("{\"a\": \"x\" // the \"end\"\n}", r#"{"a":"x"}"#, "comment"),
    row("[\"a\" /* first */, \"b\" # second\n]", r#"["a","b"]"#, "comment comment"),
    // The same with values that could not be in a string.
    row(r#"["a" 1]"#, r#"["a",1]"#, "missing_comma"),
    row(r#"["a" {"b": 1} ["c"]]"#, r#"["a",{"b":1},["c"]]"#, "missing_comma missing_comma"),
    // Keywords in other cases.
    row(
        r#"{"a": TRUE, "b": FALSE, "c": NULL}"#,
        r#"{"a":true,"b":false,"c":null}"#,
        "foreign_keyword foreign_keyword foreign_keyword",
    ),
    row("{\"l\": [true false]}", r#"{"l":[true,false]}"#, "missing_comma"),
    // A number and a key on the next line, where the comma is missing.
    row("{\"a\": 1\n b: 2}", r#"{"a":1,"b":2}"#, "missing_comma bare_key"),
    row("{\"a\": hello\n \"b\": 2}", r#"{"a":"hello","b":2}"#, "bare_string missing_comma"),
    row(r#"{"a": -0x10}"#, r#"{"a":-16}"#, "number_spelling"),
    row(r#"{"a": 1+1}"#, r#"{"a":"1+1"}"#, "number_as_text"),
    // Full-width braces around all.
    // A semicolon, and two colons.
    row(r#"{"a": "x"; "b": 2}"#, r#"{"a":"x","b":2}"#, "*"),
    row(r#"{"a":: 1, "b": 2}"#, r#"{"a":1,"b":2}"#, "*"),
    // The root in a call, with what belongs to it.
    row(r#"cb({"a": 1});"#, r#"{"a":1}"#, "*"),
    row("callback([\"a\", 2])", r#"["a",2]"#, "*"),
    row("const x = {a: 1, b: [2]};", r#"{"a":1,"b":[2]}"#, "*"),
    // Keys of a set that is an object after all.
    row(r#"{"o": {{"a": 1}}, "b": 2}"#, r#"{"o":{"a":1},"b":2}"#, "*"),
    row(r#"{"a": 1, {"b": 2}}"#, r#"{"a":1,"b":2}"#, "*"),
    // A closer of the other kind that is at the same time the only one for its container.
    row(r#"[{"a": 1], {"b": 2}]"#, r#"[{"a":1},{"b":2}]"#, "*"),
    // One sign for three dots.
    row("{\"l\": [1, 2, …]}", r#"{"l":[1,2]}"#, "extra_comma? ellipsis extra_comma?"),
    // Text between elements, and behind a string.
    row(r#"[{"a": 1} and, {"b": 2}]"#, r#"[{"a":1},{"b":2}]"#, "stray_text"),
    // A document escaped as a whole, with its line breaks.
    row(r#"{\n  \"a\": 1,\n  \"b\": [2]\n}"#, r#"{"a":1,"b":[2]}"#, "escaped_document"),
];

#[test]
fn what_a_user_expects() {
    check(CHOSEN);
}
