//! Numbers in other spellings, and what only begins like one.

use crate::common::rows::{Row, check, row};

/// The text of the number is its spelling in JSON.
const SPELLED: &[Row] = &[
    row(r#"{"a": +1, "b": 2}"#, r#"{"a":1,"b":2}"#, "number_spelling"),
    row(r#"{"v": [1.5, .25, 3]}"#, r#"{"v":[1.5,0.25,3]}"#, "number_spelling"),
    row(r#"{"v": [-.5, +.5]}"#, r#"{"v":[-0.5,0.5]}"#, "number_spelling number_spelling"),
    row(r#"{"a": 1., "b": 2}"#, r#"{"a":1,"b":2}"#, "number_spelling"),
    row(r#"{"a": 1.}"#, r#"{"a":1}"#, "number_spelling"),
    row(r#"{"a": 0x1F, "b": 0xff}"#, r#"{"a":31,"b":255}"#, "number_spelling number_spelling"),
    row(r#"{"a": 1_000, "b": 25_000_000}"#, r#"{"a":1000,"b":25000000}"#, "number_spelling number_spelling"),
    row("{\"a\": +7\n}", r#"{"a":7}"#, "number_spelling"),
    row(r#"{"a": +12.50}"#, r#"{"a":12.50}"#, "number_spelling"),
];

/// The exact text as a string: nothing is lost, and nothing is guessed.
const TEXT: &[Row] = &[
    row(r#"{"a": 01, "b": 007}"#, r#"{"a":"01","b":"007"}"#, "number_as_text number_as_text"),
    row(r#"{"a": -05}"#, r#"{"a":"-05"}"#, "number_as_text"),
    row(r#"{"f": 1/2, "n": 3}"#, r#"{"f":"1/2","n":3}"#, "number_as_text"),
    row(r#"{"t": 12:30, "u": 12:30:45}"#, r#"{"t":"12:30","u":"12:30:45"}"#, "number_as_text number_as_text"),
    row(r#"{"p": 10%, "q": 2.5%}"#, r#"{"p":"10%","q":"2.5%"}"#, "number_as_text number_as_text"),
    row(r#"{"s": 10 MB, "t": 3 red apples}"#, r#"{"s":"10 MB","t":"3 red apples"}"#, "number_as_text number_as_text"),
    row(r#"{"v": 1.2.3, "ip": 10.0.0.1}"#, r#"{"v":"1.2.3","ip":"10.0.0.1"}"#, "number_as_text number_as_text"),
    row(r#"{"d": 2025-06-07, "n": 1}"#, r#"{"d":"2025-06-07","n":1}"#, "number_as_text"),
    row(r#"{"d": 2025-06-07T08:09:10Z}"#, r#"{"d":"2025-06-07T08:09:10Z"}"#, "number_as_text"),
    row(r#"{"a": 12px, "b": 4e5f}"#, r#"{"a":"12px","b":"4e5f"}"#, "number_as_text number_as_text"),
    row(r#"{"l": [01, 1/3, 5%]}"#, r#"{"l":["01","1/3","5%"]}"#, "number_as_text number_as_text number_as_text"),
    row(r#"{"a": 10€, "b": 20 °C}"#, r#"{"a":"10€","b":"20 °C"}"#, "number_as_text number_as_text"),
    row(r#"{"a": 4 99, "b": 1}"#, r#"{"a":"4 99","b":1}"#, "number_as_text"),
    // A comma and a digit, in an object.
    row(r#"{"n": 1,234}"#, r#"{"n":"1,234"}"#, "number_as_text"),
    row(r#"{"n": 1,234,567, "m": 5}"#, r#"{"n":"1,234,567","m":5}"#, "number_as_text"),
    row(r#"{"n": 1,234.50, "m": [1,234]}"#, r#"{"n":"1,234.50","m":[1,234]}"#, "number_as_text"),
    row(r#"{"n": -1,5}"#, r#"{"n":"-1,5"}"#, "number_as_text"),
    row(r#"[{"n": 1,2}, 3,4]"#, r#"[{"n":"1,2"},3,4]"#, "number_as_text"),
];

#[test]
fn numbers_are_read_in_other_spellings() {
    check(SPELLED);
}

#[test]
fn what_only_begins_like_a_number_is_text() {
    check(TEXT);
}
