//! Brackets: sets, tuples, and closers that are wrong, surplus or missing. Damage stays local.

use crate::common::rows::{Row, check, row};

const SETS: &[Row] = &[
    row(r#"{"s": {"a", "b"}}"#, r#"{"s":["a","b"]}"#, "set"),
    row(r#"{"s": {1, 2, 3}, "n": 4}"#, r#"{"s":[1,2,3],"n":4}"#, "set"),
    row(r#"{"s": {7}}"#, r#"{"s":[7]}"#, "set"),
    row(r#"[{"a", "b"}, {"c": 1}]"#, r#"[["a","b"],{"c":1}]"#, "set"),
    row(r#"{"s": {[1], {"k": 2}}}"#, r#"{"s":[[1],{"k":2}]}"#, "set"),
    row(r#"{"s": {true, null}}"#, r#"{"s":[true,null]}"#, "set"),
    row(r#"{"a", "b"}"#, r#"["a","b"]"#, "set"),
];

const TUPLES: &[Row] = &[
    row(r#"{"p": (1, 2)}"#, r#"{"p":[1,2]}"#, "tuple"),
    row(r#"{"p": ("x", "y z"), "n": 1}"#, r#"{"p":["x","y z"],"n":1}"#, "tuple"),
    row(r#"{"p": (1, (2, 3), [4])}"#, r#"{"p":[1,[2,3],[4]]}"#, "tuple tuple"),
    row(r#"{"p": ()}"#, r#"{"p":[]}"#, "tuple"),
    row(r#"{"p": (1,)}"#, r#"{"p":[1]}"#, "tuple extra_comma?"),
    row(r#"[(1, "a"), (2, "b")]"#, r#"[[1,"a"],[2,"b"]]"#, "tuple tuple"),
    row(r#"{"p": ({"a": 1}, {"a": 2})}"#, r#"{"p":[{"a":1},{"a":2}]}"#, "tuple"),
    row(r#"{"p": （1, 2）}"#, r#"{"p":[1,2]}"#, "full_width tuple full_width"),
    // What a full-width bracket opened, one closes; elsewhere behind a quote in a string it is text.
    row(r#"{"a": （"x"）}"#, r#"{"a":["x"]}"#, "full_width tuple full_width"),
    row(r#"{"a"：（"x"， "y" ）， "b": 1}"#, r#"{"a":["x","y"],"b":1}"#, "full_width tuple full_width full_width"),
    row(r#"{"a": ("x"）}"#, r#"{"a":["x"]}"#, "tuple full_width"),
    row(r#"{"a"：［"x"］}"#, r#"{"a":["x"]}"#, "full_width full_width"),
    row(r#"{"a"：【"x"， "y"】}"#, r#"{"a":["x","y"]}"#, "full_width full_width full_width"),
    row(
        r#"{"a": 【x】, "b": （x）}"#,
        r#"{"a":["x"],"b":["x"]}"#,
        "full_width bare_string full_width full_width tuple bare_string full_width",
    ),
    row(r#"{"a": "他（说"你好"）了", "b": 【1】}"#, r#"{"a":"他（说\"你好\"）了","b":[1]}"#, "*"),
];

const WRONG: &[Row] = &[
    // Before `,` and a key it closes the innermost only.
    row(r#"{"t": ["a", "b"}, "n": 1}"#, r#"{"t":["a","b"],"n":1}"#, "wrong_closer"),
    row(r#"{"t": [1, 2 } , "n": [3]}"#, r#"{"t":[1,2],"n":[3]}"#, "wrong_closer"),
    row(r#"{"t": [}, "n": 1}"#, r#"{"t":[],"n":1}"#, "wrong_closer"),
    // Before a closer, too.
    row(r#"{"t": ["a", "b"}}"#, r#"{"t":["a","b"]}"#, "wrong_closer"),
    row(r#"{"o": {"t": [1}}}"#, r#"{"o":{"t":[1]}}"#, "wrong_closer"),
    row(r#"[{"a": 1]]"#, r#"[{"a":1}]"#, "wrong_closer"),
    // Before `,` and another value it is surplus.
    row(r#"{"a": [1}, 2]}"#, r#"{"a":[1,2]}"#, "surplus_closer"),
    row(r#"{"a": ["x"}, "y", "z"], "b": 1}"#, r#"{"a":["x","y","z"],"b":1}"#, "surplus_closer"),
    // At the end it closes all up to its opener.
    row(r#"{"a": 1, "b": [2}"#, r#"{"a":1,"b":[2]}"#, "missing_closer|wrong_closer"),
    row(r#"{"a": 1, "b": [}"#, r#"{"a":1,"b":[]}"#, "missing_closer|wrong_closer"),
    row(r#"[{"a": 1]"#, r#"[{"a":1}]"#, "missing_closer|wrong_closer"),
    row(r#"[{"a": {"b": "x"]"#, r#"[{"a":{"b":"x"}}]"#, "missing_closer|wrong_closer missing_closer?"),
    // Before prose as well.
    row("{\"a\": 1, \"b\": [2}\n\nThat is all.", r#"{"a":1,"b":[2]}"#, "missing_closer|wrong_closer ~"),
    // With no opener to match it is surplus.
    row(r#"{"a": [1]], "b": 2}"#, r#"{"a":[1],"b":2}"#, "surplus_closer"),
    row(r#"{"a": ["x"]]], "b": 2}"#, r#"{"a":["x"],"b":2}"#, "surplus_closer"),
    row(r#"[{"a": {"b": 1}}}, {"c": 2}]"#, r#"[{"a":{"b":1}},{"c":2}]"#, "surplus_closer"),
    row("[1, 2}, 3]", "[1,2,3]", "surplus_closer"),
];

/// What follows a closer too many is outside: a root that was closed never reopens.
const BEHIND: &[Row] = &[
    row(r#"{"a": 1}}"#, r#"{"a":1}"#, "surplus_closer? ~"),
    row(r#"{"a": [1]}]}"#, r#"{"a":[1]}"#, "surplus_closer? ~"),
    row("[1, 2]]\n", "[1,2]", "surplus_closer? ~"),
    row(r#"{"a": {"b": 1}}}, "c": 2}"#, r#"{"a":{"b":1}}"#, "surplus_closer? ~"),
];

const MISSING: &[Row] = &[
    row(r#"[{"a": 1, {"b": 2}]"#, r#"[{"a":1},{"b":2}]"#, "missing_closer"),
    row(r#"[{"a": "x", {"a": "y"}, {"a": "z"}]"#, r#"[{"a":"x"},{"a":"y"},{"a":"z"}]"#, "missing_closer"),
    row(r#"{"l": [{"a": 1, {"b": 2}], "n": 3}"#, r#"{"l":[{"a":1},{"b":2}],"n":3}"#, "missing_closer"),
    // A key right after an element that is no string: the array, in an object, has lost its closer.
    row(r#"{"a": [1, 2, "b": 3}"#, r#"{"a":[1,2],"b":3}"#, "missing_closer"),
    row(r#"{"a": [true, "b": [null, "c": "x"}"#, r#"{"a":[true],"b":[null],"c":"x"}"#, "missing_closer missing_closer"),
    row(r#"{"a": [{"x": 1}, "b": 2}"#, r#"{"a":[{"x":1}],"b":2}"#, "missing_closer"),
    row(r#"{"a": [[1], "b": {"c": 2}}"#, r#"{"a":[[1]],"b":{"c":2}}"#, "missing_closer"),
    // An array that is in no object: the element has lost its opener.
    row(r#"[1, "a": 2}]"#, r#"[1,{"a":2}]"#, "missing_opener"),
    row(r#"[{"a": 1}, "b": 2}, {"c": 3}]"#, r#"[{"a":1},{"b":2},{"c":3}]"#, "missing_opener"),
    row(r#"[{"a": 1}, "b": 2, "c": [3]}]"#, r#"[{"a":1},{"b":2,"c":[3]}]"#, "missing_opener"),
];

const BRACES: &[Row] = &[
    row(r#"{{"a": 1}}"#, r#"{"a":1}"#, "repeated_brace repeated_brace"),
    row(r#"{{"a": {"b": [2]}}}"#, r#"{"a":{"b":[2]}}"#, "repeated_brace repeated_brace"),
    row(r#"{{{"a": 1}}}"#, r#"{"a":1}"#, "repeated_brace repeated_brace"),
];

#[test]
fn values_in_braces_are_arrays() {
    check(SETS);
}

#[test]
fn values_in_parentheses_are_arrays() {
    check(TUPLES);
}

#[test]
fn closers_of_the_other_kind() {
    check(WRONG);
}

#[test]
fn a_closed_root_stays_closed() {
    check(BEHIND);
}

#[test]
fn what_is_missing_is_supplied() {
    check(MISSING);
}

#[test]
fn a_brace_too_many_is_skipped() {
    check(BRACES);
}
