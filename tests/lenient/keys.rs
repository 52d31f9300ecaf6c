//! Keys without quotes.

use crate::common::rows::{Row, check, row};

const BARE: &[Row] = &[
    row(r#"{name: "Ann"}"#, r#"{"name":"Ann"}"#, "bare_key"),
    row("{\n  name: \"Ann\",\n  age: 7\n}", r#"{"name":"Ann","age":7}"#, "bare_key bare_key"),
    row(
        r#"{"o": {first name: "Ann", last name: "Lee"}}"#,
        r#"{"o":{"first name":"Ann","last name":"Lee"}}"#,
        "bare_key bare_key",
    ),
    row(
        r#"{"x": 1, a-b: 2, c_d: 3, $e: 4, f.g: 5}"#,
        r#"{"x":1,"a-b":2,"c_d":3,"$e":4,"f.g":5}"#,
        "bare_key bare_key bare_key bare_key",
    ),
    row(r#"{"x": 1, 2: "two"}"#, r#"{"x":1,"2":"two"}"#, "bare_key"),
    row(r#"{"x": 1, true: "yes", null: []}"#, r#"{"x":1,"true":"yes","null":[]}"#, "bare_key bare_key"),
    row(r#"{"x": 1, y :2}"#, r#"{"x":1,"y":2}"#, "bare_key"),
    row(r#"{"o": {é: 1, 名前: 2}}"#, r#"{"o":{"é":1,"名前":2}}"#, "bare_key bare_key"),
    row("[{id: 1}, {id: 2}]", r#"[{"id":1},{"id":2}]"#, "bare_key bare_key"),
    row(r#"{"o": {a: {b: {c: []}}}}"#, r#"{"o":{"a":{"b":{"c":[]}}}}"#, "bare_key bare_key bare_key"),
    // Between members with a comma missing.
    row(r#"{"x": {} y: 1}"#, r#"{"x":{},"y":1}"#, "missing_comma bare_key"),
    row(r#"{"x": "one" y: "two"}"#, r#"{"x":"one","y":"two"}"#, "missing_comma bare_key"),
    row(r#"{"x": 1, y = 2, z => 3}"#, r#"{"x":1,"y":2,"z":3}"#, "bare_key missing_colon bare_key missing_colon"),
    row(r#"{"x": 1, y: }"#, r#"{"x":1,"y":null}"#, "bare_key missing_value"),
    // The quotes behind it are those of its value.
    row(r#"{key "value", "b": 1}"#, r#"{"key":"value","b":1}"#, "bare_key missing_colon"),
];

#[test]
fn bare_keys_are_read() {
    check(BARE);
}
