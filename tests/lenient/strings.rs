//! What strings may hold that RFC 8259 forbids: control characters, and backslashes that begin no escape.

use crate::common::rows::{Row, check, row};

const CONTROL: &[Row] = &[
    row("{\"a\": \"one\ntwo\"}", r#"{"a":"one\ntwo"}"#, "control_character"),
    row("{\"a\": \"one\n\ntwo\", \"b\": 1}", r#"{"a":"one\n\ntwo","b":1}"#, "control_character"),
    row("{\"a\": \"one\n      two\", \"b\": 1}", r#"{"a":"one\n      two","b":1}"#, "control_character"),
    row("{\"a\": \"x\r\ny\"}", r#"{"a":"x\r\ny"}"#, "control_character"),
    row("{\"a\": \"\ttab\"}", r#"{"a":"\ttab"}"#, "control_character"),
    row("[\"\u{1b}[1mbold\u{1b}[0m\"]", r#"["\u001b[1mbold\u001b[0m"]"#, "control_character control_character"),
    row("{\"a\nb\": 1}", r#"{"a\nb":1}"#, "control_character"),
    // What follows a raw line break and looks like structure but is no `, "key":`.
    row("{\"a\": \"one\n}\n]\", \"b\": 1}", r#"{"a":"one\n}\n]","b":1}"#, "control_character control_character"),
    row("{\"a\": \"one,\ntwo\", \"b\": 1}", r#"{"a":"one,\ntwo","b":1}"#, "control_character"),
    row("{\"a\": \"- x: 1,\n- y: 2\n\"}", r#"{"a":"- x: 1,\n- y: 2\n"}"#, "control_character control_character"),
];

const ESCAPES: &[Row] = &[
    row(r#"{"a": "it\'s"}"#, r#"{"a":"it's"}"#, "invalid_escape"),
    row(r#"{"a": "pay \$9"}"#, r#"{"a":"pay \\$9"}"#, "invalid_escape"),
    row(r#"{"re": "\d+\.\d"}"#, r#"{"re":"\\d+\\.\\d"}"#, "invalid_escape invalid_escape invalid_escape"),
    row(r#"{"php": "use App\Http\Kernel;"}"#, r#"{"php":"use App\\Http\\Kernel;"}"#, "invalid_escape invalid_escape"),
    row(r#"{"a": "\u00zz"}"#, r#"{"a":"\\u00zz"}"#, "invalid_escape"),
    row(r#"{"dir": "D:\work\utils"}"#, r#"{"dir":"D:\\work\\utils"}"#, "invalid_escape invalid_escape"),
    row(
        r#"{"tex": "$\mathrm{F}_1$ + $\sum$"}"#,
        r#"{"tex":"$\\mathrm{F}_1$ + $\\sum$"}"#,
        "invalid_escape invalid_escape",
    ),
    row(r#"{"\w": 1}"#, r#"{"\\w":1}"#, "invalid_escape"),
    // Before a raw line break it is dropped.
    row("{\"a\": \"one\\\ntwo\"}", r#"{"a":"one\ntwo"}"#, "invalid_escape control_character"),
    // Those that are escapes stay what they are.
    row(r#"{"a": "\d\n\u0041"}"#, r#"{"a":"\\d\nA"}"#, "invalid_escape"),
];

/// A backslash before the closing quote: the path ends there if the text reads on as JSON.
const PATHS: &[Row] = &[
    row(r#"{"p": "C:\dir\", "b": 1}"#, r#"{"p":"C:\\dir\\","b":1}"#, "invalid_escape invalid_escape|missing_quote"),
    row(
        r#"{"p": "C:\My Files\", "q": "x", "n": [2]}"#,
        r#"{"p":"C:\\My Files\\","q":"x","n":[2]}"#,
        "invalid_escape invalid_escape|missing_quote",
    ),
    row(r#"{"p": "D:\", "q": true}"#, r#"{"p":"D:\\","q":true}"#, "invalid_escape|missing_quote"),
    row(
        "{\n \"p\": \"E:\\work\\\",\n \"q\": null\n}",
        r#"{"p":"E:\\work\\","q":null}"#,
        "invalid_escape invalid_escape|missing_quote",
    ),
    // A quote that is escaped inside, in a text that is malformed otherwise.
    row(r#"{"p": "a \"b\", c\d", "q": 1}"#, r#"{"p":"a \"b\", c\\d","q":1}"#, "invalid_escape"),
];

#[test]
fn control_characters_are_kept() {
    check(CONTROL);
}

#[test]
fn backslashes_that_begin_no_escape_are_text() {
    check(ESCAPES);
}

#[test]
fn a_path_ends_at_its_quote() {
    check(PATHS);
}
