//! What fuzzing, reviews and the suites of others found to be read wrongly, or otherwise by how it was cut.

use jsonrill::RepairKind;

use crate::common::rows::{Row, check, row};

const FOUND: &[Row] = &[
    // A quote of more than one byte behind a bare key.
    row("{\"k\": 1, foo ”: 2, \"b\": 3}", r#"{"k":1,"foo":2,"b":3}"#, "*"),
    // A call with nothing behind its comma gave a member without a key.
    row(r#"{"a": f([1],), "b": 2}"#, r#"{"a":[1],"b":2}"#, "*"),
    // Blanks before the comma: it groups no digits.
    row("{\"a\": 1 , \"b\": 2, \"c\": 3,4}", r#"{"a":1,"b":2,"c":"3,4"}"#, "number_as_text"),
    // A bracket where a key belongs does not take the rest with it.
    row(r#"{"a": 1, ["b": 2, "c": 3}"#, r#"{"a":1,"b":2,"c":3}"#, "*"),
    row(r#"{"a": 1, [2, 3], "c": 3}"#, r#"{"a":1,"c":3}"#, "*"),
    // What closes the envelope ends the answer.
    row("{\"s\": \"x\" /* y */ , \"t\": 1}", r#"{"s":"x","t":1}"#, "comment"),
    // JSON in a string, with quotes that are not escaped.
    row(r#"{"arguments": "{"a": "b"}", "d": 1}"#, r#"{"arguments":"{\"a\": \"b\"}","d":1}"#, "*"),
    row(
        r#"{"name": "f", "arguments": "{"a": "x", "b": 2}"}"#,
        r#"{"name":"f","arguments":"{\"a\": \"x\", \"b\": 2}"}"#,
        "*",
    ),
    row(
        "{\"code\": \"if (x == \"y\") { return \"z\"; }\", \"n\": 1}",
        r#"{"code":"if (x == \"y\") { return \"z\"; }","n":1}"#,
        "*",
    ),
    // A full-width comma behind an inner quote is text.
    row("{\"t\": \"他说\"你好\"，然后走了\", \"b\": 1}", "{\"t\":\"他说\\\"你好\\\"，然后走了\",\"b\":1}", "*"),
    // Inner quotes at the start, and in several elements.
    row(r#"{"a": ""Hello" she said", "b": 1}"#, r#"{"a":"\"Hello\" she said","b":1}"#, "*"),
    row(r#"["The "A" team", "the "B" team"]"#, r#"["The \"A\" team","the \"B\" team"]"#, "*"),
    // Values without an opening quote; a bare word before a key.
    row(r#"[3", "4"]"#, r#"["3","4"]"#, "*"),
    row(r#"{"status": success "code": 200}"#, r#"{"status":"success","code":200}"#, "*"),
    // Whose sibling it is, what follows the closer shows.
    row(r#"[{"a": 1, "b": ["x"}, {"a": 2}]"#, r#"[{"a":1,"b":["x"]},{"a":2}]"#, "*"),
    row(r#"{"m": [[1, 2}, [3, 4]]}"#, r#"{"m":[[1,2],[3,4]]}"#, "*"),
    // Commas missing with nothing between, and between lines.
    row(r#"{"a": "x""b": "y"}"#, r#"{"a":"x","b":"y"}"#, "*"),
    row("[\"a\"\n\"b\"\n3\ntrue]", r#"["a","b",3,true]"#, "*"),
    // A closer of nothing, and words behind it, are in the text.
    row(r#"["a"} c", 2]"#, r#"["a\"} c",2]"#, "inner_quote"),
    // In one line the quote may be one of the text.
    row(r#"["abc,"def"]"#, r#"["abc,\"def"]"#, "inner_quote"),
    row("[\n\"abc,\n\"def\"\n]", r#"["abc","def"]"#, "*"),
    // Other quotes are told once.
    row(r#"[u"""é""", 1]"#, r#"["é",1]"#, "other_quotes"),
    row(r#"{"a": """b""", "c": 1}"#, r#"{"a":"b","c":1}"#, "other_quotes"),
    row("[f'''b''', 1]", r#"["b",1]"#, "other_quotes"),
    row(r#"["", u"x", """y"""]"#, r#"["","x","y"]"#, "other_quotes other_quotes"),
    // What is skipped behind the quote that turns out to begin a key.
    row(r#"{"a: [1, {"/* d */b": 2}]}"#, r#"{"a":[1,{"b":2}]}"#, "missing_quote comment"),
    row(r#"{"a: [1, {"... b": 2}]}"#, r#"{"a":[1,{" b":2}]}"#, "missing_quote ellipsis"),
    row("{\"a: {\"\u{a0}b\": 2}}", r#"{"a":{"b":2}}"#, "missing_quote special_space"),
    // The root ends in what is read again while more is held; all around it is skipped, and told.
    row(r#"{\"a:{}}"w}"#, r#"{"a":{}}"#, "escaped_document missing_quote ~"),
    row(r#"{\"a:{}}"w"#, r#"{"a":{}}"#, "escaped_document missing_quote ~"),
    // A full-width sign that closes an escaped root, and what is right behind it.
    row(
        "{\\\"a\\\": [1｝{\\\"k\\\":1}",
        r#"{"a":[1]}"#,
        "escaped_document full_width missing_closer escaped_document ~",
    ),
    row(
        "{\\\"a\\\": [1｝x{\\\"k\\\":1}",
        r#"{"a":[1]}"#,
        "escaped_document full_width missing_closer escaped_document ~",
    ),
    // Held twice in one piece, and more of it to come.
    row(" ```json\n{\\\\\\\"\\\", \\\"d\\\": [1,\\n2\\u005d}]\n```", r#"["","d",[1,"2\\u005d"]]"#, "*"),
    // A quote around it all, behind a root that is closed only where the text ends.
    row(r#""[{""a"":[[0]}]""#, r#"[{"a":[[0]]}]"#, "doubled_document wrong_closer missing_closer ~"),
    // White space is skipped behind the quote of a key whose closing one is missing.
    row("{\"a: \"\u{a0}\nx\", \"b\": 1}", r#"{"a":"\nx","b":1}"#, "missing_quote special_space control_character"),
    row(
        "{\"a: {\"\u{a0}\nb\": 1}, \"c\": 2}",
        r#"{"a":{"\nb":1},"c":2}"#,
        "missing_quote special_space control_character",
    ),
    row(
        "{\"a: \" \u{feff}\t\u{b}\nx\"}",
        r#"{"a":" \t\nx"}"#,
        "missing_quote special_space control_character special_space control_character",
    ),
];

#[test]
fn what_was_found_stays_right() {
    check(FOUND);
}

/// What is skipped behind the quote of a key whose closing quote was missing is none of the white space around it.
#[test]
fn white_space_that_is_read_again_is_where_it_was() {
    for (text, expected) in [
        ("{\"a: \"\u{a0}\nb\"}", &["\n"][..]),
        ("{\"a: \"\u{a0}\u{a0}\r\nb\"}", &["\r\n"]),
        ("{\"a: \"\n\u{a0}\n\u{a0}\t/* é */\tb\"}", &["\n", "\n", "\t", "\t"]),
        ("{\"a: \" ... \nb\"}", &["\n"]),
    ] {
        let finished = crate::common::lenient(text);
        let controls = finished.repairs().iter().filter(|repair| repair.kind == RepairKind::ControlCharacter);
        let found: Vec<_> = controls.map(|repair| text.get(repair.span.range())).collect();
        let expected: Vec<_> = expected.iter().copied().map(Some).collect();
        assert_eq!(found, expected, "{text:?}: {:?}", finished.repairs());
    }
}

/// All quotes before a doubled key are its opening one, and none of them is counted again behind it.
#[test]
fn a_quote_in_a_doubled_key_is_where_it_is() {
    for (text, at) in [
        ("{\"\"\"\"ab\"c\":1}", 7),
        ("{\"\"ab\"c\"\":1}", 5),
        ("{\"\"\"\"1/2,],\u{ff5b}\"c\":\"\"},{1]}", 14),
        ("{\"\"\"\"é\"c\":1}", 7),
    ] {
        let finished = crate::common::lenient(text);
        let inner = finished.repairs().iter().find(|repair| repair.kind == RepairKind::InnerQuote);
        assert_eq!(inner.map(|repair| repair.span.range()), Some(at..at + 1), "{text:?}: {:?}", finished.repairs());
    }
}

/// A fence, a closing tag or a control token behind an open root: it is cut, and what follows is no part of it.
#[test]
fn what_closes_the_envelope_ends_the_answer() {
    for text in [
        "```json\n{\"a\": \"b\"\n```\nHope this helps: {\"x\": 1}!",
        "```json\n{\"a\": \"b\",\n```\nDone: see \"x\": it.",
        "<tool_call>\n{\"a\": \"b\"\n</tool_call>\nOK \"x\": 1",
        "{\"a\": \"b\"<|im_end|> x: 1",
        "<answer>\n{\"a\": b</answer>\nOK \"x\": 1",
    ] {
        let finished = crate::common::lenient(text);
        assert_eq!(finished.snapshot().to_string(), r#"{"a":"b"}"#, "{text:?}");
        assert_eq!(finished.outcome(), jsonrill::Outcome::Truncated, "{text:?}");
    }
}
