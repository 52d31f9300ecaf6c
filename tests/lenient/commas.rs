//! Commas and colons, missing and superfluous, and values that are not there.

use crate::common::rows::{Row, check, row};

const EXTRA: &[Row] = &[
    row("[1, 2,]", "[1,2]", "extra_comma"),
    row(r#"{"a": 1,}"#, r#"{"a":1}"#, "extra_comma"),
    row("{\"a\": [\"x\" ,\n] , }", r#"{"a":["x"]}"#, "extra_comma extra_comma"),
    row(r#"{"l": [,1, 2]}"#, r#"{"l":[1,2]}"#, "extra_comma"),
    row(r#"{"l": [, "a"]}"#, r#"{"l":["a"]}"#, "extra_comma"),
    row(r#"{,"a": 1}"#, r#"{"a":1}"#, "extra_comma"),
    row("[1,,2]", "[1,2]", "extra_comma"),
    row("[1, ,2]", "[1,2]", "extra_comma"),
    row("[\"a\",,,,\"b\"]", r#"["a","b"]"#, "extra_comma"),
    row(r#"{"a": 1,, "b": 2}"#, r#"{"a":1,"b":2}"#, "extra_comma"),
    row(r#"{"l": [,], "o": {,}}"#, r#"{"l":[],"o":{}}"#, "extra_comma extra_comma"),
    row(r#"{"l": [1,,], "b": {"c": "x",,}}"#, r#"{"l":[1],"b":{"c":"x"}}"#, "extra_comma extra_comma"),
    row(r#"["a", {"b": {},},]"#, r#"["a",{"b":{}}]"#, "extra_comma extra_comma"),
];

const MISSING: &[Row] = &[
    row("[1 2 3]", "[1,2,3]", "missing_comma missing_comma"),
    row("[1\n2]", "[1,2]", "missing_comma"),
    row(r#"["a" "b" "c d"]"#, r#"["a","b","c d"]"#, "missing_comma missing_comma"),
    row("[\"a\"\n\"b\"]", r#"["a","b"]"#, "missing_comma"),
    row(r#"[{"b": 1} ["c"] "d"]"#, r#"[{"b":1},["c"],"d"]"#, "missing_comma missing_comma"),
    row(r#"{"l": [1 "a"]}"#, r#"{"l":[1,"a"]}"#, "missing_comma"),
    row("[{\"a\": 1} {\"a\": 2}\n{\"a\": 3}]", r#"[{"a":1},{"a":2},{"a":3}]"#, "missing_comma missing_comma"),
    row(r#"[{"a": 1}{"a": 2}]"#, r#"[{"a":1},{"a":2}]"#, "missing_comma"),
    row("[[1, 2] [3, 4]]", "[[1,2],[3,4]]", "missing_comma"),
    row("[[1, 2][3, 4], 5]", "[[1,2],[3,4],5]", "missing_comma"),
    row(r#"{"a": 1 "b": 2}"#, r#"{"a":1,"b":2}"#, "missing_comma"),
    row(
        "{\"a\": 1\n\"b\": true\n\"c\": \"x\"\n\"d\": []}",
        r#"{"a":1,"b":true,"c":"x","d":[]}"#,
        "missing_comma missing_comma missing_comma",
    ),
    row(r#"{"a": "x" "b": "y"}"#, r#"{"a":"x","b":"y"}"#, "missing_comma"),
    row(r#"{"a": "two words" "b c": "y"}"#, r#"{"a":"two words","b c":"y"}"#, "missing_comma"),
    row(r#"{"a": {} "b": [1] "c": null}"#, r#"{"a":{},"b":[1],"c":null}"#, "missing_comma missing_comma"),
    row(r#"{"a": {"x": 1}"b": 2}"#, r#"{"a":{"x":1},"b":2}"#, "missing_comma"),
];

const COLONS: &[Row] = &[
    row(r#"{"x": 0, "a" 1}"#, r#"{"x":0,"a":1}"#, "missing_colon"),
    row(r#"{"x": 0, "a" "b", "c" "d"}"#, r#"{"x":0,"a":"b","c":"d"}"#, "missing_colon missing_colon"),
    row(r#"{"x": 0, "a" {"b": 1}, "c" [2]}"#, r#"{"x":0,"a":{"b":1},"c":[2]}"#, "missing_colon missing_colon"),
    row(r#"{"x": 0, "a" true}"#, r#"{"x":0,"a":true}"#, "missing_colon"),
    row(r#"{"x": 0, "a" = 1}"#, r#"{"x":0,"a":1}"#, "missing_colon"),
    row(r#"{"x": 0, "a"="b"}"#, r#"{"x":0,"a":"b"}"#, "missing_colon"),
    row(r#"{"x": 0, "a" => 1, "b"=>"c"}"#, r#"{"x":0,"a":1,"b":"c"}"#, "missing_colon missing_colon"),
    row(r#"{"o": {"a" => {"b" => [1]}}}"#, r#"{"o":{"a":{"b":[1]}}}"#, "missing_colon missing_colon"),
    row("{\"x\": 0, \"a\"：1，\"b\"： \"c\"}", r#"{"x":0,"a":1,"b":"c"}"#, "full_width full_width full_width"),
    row("{\"l\": [1，2， \"三，四\"]}", r#"{"l":[1,2,"三，四"]}"#, "full_width full_width"),
    // Before a container in an array, too, where it is one.
    row("[\"a b\"，{\"b\"：1}，[]]", r#"["a b",{"b":1},[]]"#, "full_width full_width full_width"),
    row("[\"a b\"，[1]，\"c\"，[[2]]，{}]", r#"["a b",[1],"c",[[2]],{}]"#, "*"),
    row("[\"他说\"好\"，[笑] 走了\", 1]", "[\"他说\\\"好\\\"，[笑] 走了\",1]", "*"),
    row(
        "{\"o\": ｛\"a\"：1｝, \"l\": ［2］}",
        r#"{"o":{"a":1},"l":[2]}"#,
        "full_width full_width full_width full_width full_width",
    ),
];

const NO_VALUE: &[Row] = &[
    row(r#"{"a": , "b": 1}"#, r#"{"a":null,"b":1}"#, "missing_value"),
    row(r#"{"a":,"b":1}"#, r#"{"a":null,"b":1}"#, "missing_value"),
    row(r#"{"a": 1, "b": }"#, r#"{"a":1,"b":null}"#, "missing_value"),
    row("{\"a\": {\"b\":\n}, \"c\": 1}", r#"{"a":{"b":null},"c":1}"#, "missing_value"),
    row(r#"{"a": 1, "b"}"#, r#"{"a":1,"b":null}"#, "missing_value"),
    row(r#"{"a": 1, "b", "c": 2}"#, r#"{"a":1,"b":null,"c":2}"#, "missing_value"),
    row(r#"{"a": , "b"}"#, r#"{"a":null,"b":null}"#, "missing_value missing_value"),
    row(r#"[{"a": }, {"b": 2}]"#, r#"[{"a":null},{"b":2}]"#, "missing_value"),
];

#[test]
fn extra_commas_are_dropped() {
    check(EXTRA);
}

#[test]
fn missing_commas_are_supplied() {
    check(MISSING);
}

#[test]
fn colons_are_supplied_and_read_in_other_signs() {
    check(COLONS);
}

#[test]
fn a_key_without_a_value_is_null() {
    check(NO_VALUE);
}
