//! What the end of the text settles, by the reason it is given. A root that its own bytes did not close is truncated,
//! whatever is said.

use jsonrill::{End, Outcome, Parser, State};

use crate::common::rows::{Row, check, row};
use crate::common::{ENDS, finished, options};

const GIVEN_BACK: &str = "missing_quote";

const ENDINGS: &[Row] = &[
    // The closers are text, or the end of the string and all that is open.
    row(r#"{"a": "b, c}"#, r#"{"a":"b, c"}"#, GIVEN_BACK).at(End::Stopped),
    row(r#"{"a": "b, c}"#, r#"{"a":"b, c"}"#, GIVEN_BACK),
    row(r#"{"a": "b, c}"#, r#"{"a":"b, c}"}"#, "").cut().at(End::Truncated),
    row(r#"{"o": {"a": "x}}"#, r#"{"o":{"a":"x"}}"#, GIVEN_BACK).at(End::Stopped),
    row(r#"{"o": {"a": "x}}"#, r#"{"o":{"a":"x"}}"#, GIVEN_BACK),
    row(r#"{"o": {"a": "x}}"#, r#"{"o":{"a":"x}}"}}"#, "").cut().at(End::Truncated),
    row("{\"l\": [\"x\n]}", r#"{"l":["x"]}"#, GIVEN_BACK).at(End::Stopped),
    row("{\"l\": [\"x\n]}", r#"{"l":["x"]}"#, GIVEN_BACK),
    row(r#"{"l": [1, ["x]]}"#, r#"{"l":[1,["x"]]}"#, GIVEN_BACK),
    // Not exactly what is open: who knows.
    row(r#"{"o": {"a": "x}"#, r#"{"o":{"a":"x}"}}"#, "").cut(),
    row(r#"{"a": "x}}"#, r#"{"a":"x}}"}"#, "").cut(),
    row(r#"{"a": "x]"#, r#"{"a":"x]"}"#, "").cut(),
    // Those that the text itself has opened are its own.
    row(r#"{"a": "f {y}"#, r#"{"a":"f {y}"}"#, "").cut(),
    row(r#"{"a": "f {y}}"#, r#"{"a":"f {y}"}"#, GIVEN_BACK),
    row(r#"{"a": ["f [1]]}"#, r#"{"a":["f [1]"]}"#, GIVEN_BACK),
    row(r#"{"a": "if (x) { y(); }"#, r#"{"a":"if (x) { y(); }"}"#, "").cut(),
    // What is held at a cut is text.
    row(r#"{"a": "Hello,"#, r#"{"a":"Hello,"}"#, "").cut(),
    row(r#"{"a": "Hello,"#, r#"{"a":"Hello,"}"#, "").cut().at(End::Stopped),
    row(r#"{"a": "Hello,"#, r#"{"a":"Hello,"}"#, "").cut().at(End::Truncated),
    row("{\"a\": \"one\n", r#"{"a":"one\n"}"#, "control_character").cut(),
    row("{\"a\": \"one\n", r#"{"a":"one\n"}"#, "control_character").cut().at(End::Truncated),
    // A quote at the end closes.
    row(r#"{"a": "x""#, r#"{"a":"x"}"#, "").cut(),
    row(r#"{"a": "x" "#, r#"{"a":"x"}"#, "").cut().at(End::Stopped),
    row(r#"{"a": "say "hi""#, r#"{"a":"say \"hi"}"#, "inner_quote").cut().at(End::Truncated),
    row("{'a': 'x'", r#"{"a":"x"}"#, "other_quotes other_quotes").cut(),
    row("{'a': 'it", r#"{"a":"it"}"#, "other_quotes other_quotes").cut(),
    // Numbers and words.
    row(r#"{"n": 12,"#, r#"{"n":12}"#, "").cut(),
    row(r#"{"n": 12:3"#, r#"{"n":"12:3"}"#, "number_as_text").cut(),
    row(r#"{"a": hello wor"#, r#"{"a":"hello wor"}"#, "bare_string").cut(),
    row(r#"{"x": 1, ke"#, r#"{"x":1}"#, "bare_key?").cut(),
    row("{\nname: \"Bo\"", r#"{"name":"Bo"}"#, "bare_key").cut(),
    // Structure.
    row(r#"{"a": 1,,"#, r#"{"a":1}"#, "extra_comma?").cut(),
    row(r#"{"a": 1, /* no"#, r#"{"a":1}"#, "comment?").cut(),
    row(r#"{"a": (1, 2"#, r#"{"a":[1,2]}"#, "tuple").cut(),
    row(r#"{"a": f(1"#, r#"{"a":1}"#, "wrapper").cut(),
    row(r#"{"a": f(1)"#, r#"{"a":1}"#, "wrapper").cut(),
    row(r#"{\"a\": \"x"#, r#"{"a":"x"}"#, "escaped_document").cut(),
    row(r#"{"a": "x" + "#, r#"{"a":"x"}"#, "concatenation?").cut(),
    row(r#"{"a": "x" + "y"#, r#"{"a":"xy"}"#, "concatenation").cut(),
];

/// Rows are read for valid prefixes as well: those depart from RFC 8259 in being cut alone.
#[test]
fn the_end_settles_what_is_held() {
    check(ENDINGS);
}

/// Law 9: no stop reason makes a text whole that its own bytes did not close.
#[test]
fn no_reason_makes_a_cut_text_whole() {
    let texts = [
        "{\"a\": 1",
        "{\"a\": \"x",
        "{\"a\": \"x\"",
        "{\"a\": [1, 2]",
        "{\"a\": {\"b\": \"x}",
        "{a: hello",
        "{a: hello world",
        "{'a': 'b'",
        "{\"a\": 1, // }",
        "{\"a\": /* } */",
        "{\"a\": (1, 2)",
        "{\"a\": f(\"}\")",
        "{\"s\": {\"a\", \"b\"}",
        "[\"say \"hi\" now\"",
        "[1, 2, ...",
        "{\"a\" = 1",
        "{\"k\": 12:30",
        "{\\\"a\\\": 1",
    ];
    for text in texts {
        for end in ENDS {
            let finished = finished(&options(jsonrill::Dialect::Lenient), text, end);
            assert_eq!(finished.outcome(), Outcome::Truncated, "{text:?} at {end:?}: {finished:?}");
            assert_ne!(finished.snapshot().state(""), State::Final, "{text:?} at {end:?}");
            assert!(finished.into_complete().is_err());
        }
    }
}

/// What a cut leaves open stays open; what was given back to the structure is final.
#[test]
fn the_states_at_the_end() {
    let states = |text: &str, end: End, paths: &[&str]| -> Vec<State> {
        let mut parser = Parser::new();
        parser.push(text);
        let finished = parser.finish(end);
        paths.iter().map(|path| finished.snapshot().state(*path)).collect()
    };
    let text = r#"{"o": {"a": "x}}"#;
    assert_eq!(states(text, End::Stopped, &["", "/o", "/o/a"]), [State::Final; 3]);
    assert_eq!(states(text, End::Truncated, &["", "/o", "/o/a"]), [State::Growing; 3]);
    let text = r#"{"done": "y", "a": hello w"#;
    assert_eq!(states(text, End::Stopped, &["", "/done", "/a"]), [State::Growing, State::Final, State::Growing]);
}
