//! Whole documents, with `serde_json` as the judge, and the options that change what a document is.

mod common;

use common::generate::{VALID, damaged, documents, number};
use common::tree::{Tree, same_value};
use common::view::{root, tree};
use common::{DIALECTS, config, finished, lenient, options, strict};
use jsonrill::{
    Dialect, Duplicates, End, Expect, Finished, Limits, Options, Outcome, Parser, Role, Roots, State, WarningKind,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn warnings(finished: &Finished) -> Vec<WarningKind> {
    finished.warnings().iter().map(|warning| warning.kind).collect()
}

/// The values of all documents, in order.
fn all(finished: &Finished) -> Vec<Value> {
    finished.documents().map(|document| document.snapshot.to_value()).collect()
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn documents_are_what_serde_json_says(text in documents(VALID)) {
        let judge: Value = serde_json::from_str(&text).unwrap();
        for finished in [strict(&text), lenient(&text)] {
            prop_assert_eq!(finished.outcome(), Outcome::Complete);
            prop_assert!(finished.error().is_none() && finished.cut().is_none());
            let snapshot = finished.snapshot();
            prop_assert!(same_value(&snapshot.to_value(), &judge));
            prop_assert!(same_value(&serde_json::to_value(snapshot).unwrap(), &judge));
            prop_assert!(same_value(&serde_json::from_str(&snapshot.to_string()).unwrap(), &judge));
            prop_assert!(same_value(&snapshot.deserialize::<Value>().unwrap(), &judge));
        }
    }

    #[test]
    fn strict_accepts_what_serde_json_accepts(input in damaged()) {
        let finished = strict(&input);
        match serde_json::from_slice::<Value>(&input) {
            Ok(judge) => {
                prop_assert!(finished.is_complete());
                // `serde_json` keeps the last of repeated keys.
                if finished.warnings().is_empty() {
                    prop_assert!(same_value(&finished.snapshot().to_value(), &judge));
                }
            }
            // A lone surrogate becomes U+FFFD, and a number keeps its text however large it is.
            Err(error) if error.to_string().contains("surrogate") || error.to_string().contains("hex escape") => {}
            Err(error) if error.to_string().contains("out of range") => {}
            Err(error) => {
                prop_assert!(!finished.is_complete(), "{}", error);
                prop_assert_eq!(finished.outcome() == Outcome::Malformed, finished.error().is_some());
                // What is cut for one is cut for the other.
                if finished.outcome() == Outcome::Truncated {
                    prop_assert!(error.is_eof(), "{}", error);
                }
            }
        }
    }

    #[test]
    fn numbers_keep_their_text(text in number()) {
        for document in [text.clone(), format!("[{text}]"), format!("{{\"n\":\n{text}\t}}")] {
            for finished in [strict(&document), lenient(&document)] {
                let snapshot = finished.snapshot();
                let paths = ["", "/0", "/n"];
                let path = paths.iter().find(|path| snapshot.at(**path).number_text().is_some()).unwrap();
                let value = snapshot.at(*path);
                prop_assert_eq!(value.number_text(), Some(text.as_str()));
                prop_assert_eq!(value.to_string(), text.clone());
                prop_assert_eq!(value.as_f64(), text.parse().ok());
                if !text.contains(['.', 'e', 'E']) && text != "-0" {
                    prop_assert_eq!(value.as_i64(), text.parse().ok());
                    prop_assert_eq!(value.as_u64(), text.parse().ok());
                }
            }
        }
    }
}

#[test]
fn numbers_beyond_a_double_are_valid_and_keep_their_text() {
    for text in ["1e400", "-1e9999", "1e-400", "123456789012345678901234567890123456789012345678901234567890e300"] {
        for finished in [strict(format!("[{text}]")), lenient(format!("{{\"n\": {text}}}"))] {
            assert_eq!(finished.outcome(), Outcome::Complete, "{text}");
            let number = finished.snapshot().root().elements().next().unwrap();
            assert_eq!(number.number_text(), Some(text));
            assert!(finished.snapshot().to_string().contains(text));
        }
    }
}

#[test]
fn errors_say_where_they_are() {
    // Input, byte offset, line, column in characters.
    let cases: &[(&[u8], u64, u32, u32)] = &[
        (b"[1,]", 3, 1, 4),
        (b"[1 2]", 3, 1, 4),
        (b"{\"a\" 1}", 5, 1, 6),
        (b"{\"a\":1,}", 7, 1, 8),
        (b"{a: 1}", 1, 1, 2),
        (b"{1: 1}", 1, 1, 2),
        (b"[01]", 2, 1, 3),
        (b"[-x]", 2, 1, 3),
        (b"[1.]", 3, 1, 4),
        (b"[.5]", 1, 1, 2),
        (b"[+1]", 1, 1, 2),
        (b"[1e]", 3, 1, 4),
        (b"[tru]", 4, 1, 5),
        (b"[nulL]", 4, 1, 5),
        (b"[1}", 2, 1, 3),
        (b"{\"a\":1]", 6, 1, 7),
        (b"]", 0, 1, 1),
        (b"{} {}", 3, 1, 4),
        (b"1 2", 2, 1, 3),
        (b"hello", 0, 1, 1),
        (b"'a'", 0, 1, 1),
        (b"// c\n{}", 0, 1, 1),
        (b"\xef\xbb\xbf{}", 0, 1, 1),
        (b"{\n  \"a\": tru,\n", 12, 2, 11),
        (b"{\r\n\r\n  x", 7, 3, 3),
        ("{\"é🌶\": x}".as_bytes(), 11, 1, 8),
        ("[\"日本\",\n \"語\", x]".as_bytes(), 19, 2, 7),
        (b"[\"a\x01\"]", 3, 1, 4),
        (b"[\"a\nb\"]", 3, 1, 4),
        (b"[\0]", 1, 1, 2),
        (b"[\x0c]", 1, 1, 2),
        (b"[\"\\q\"]", 3, 1, 4),
        (b"[\"\\u12g4\"]", 6, 1, 7),
    ];
    for (input, offset, line, column) in cases {
        let shown = String::from_utf8_lossy(input);
        let finished = strict(input);
        assert_eq!(finished.outcome(), Outcome::Malformed, "{shown:?}");
        let error = finished.error().unwrap_or_else(|| panic!("{shown:?} has an error"));
        let place = (error.offset(), error.line(), error.column());
        assert_eq!(place, (*offset, Some(*line), Some(*column)), "{shown:?}: {error}");
        assert!(!error.is_limit());
        assert!(!error.expected().is_empty() && !error.kind().as_str().is_empty(), "{shown:?}: {error}");
        assert!(error.to_string().contains(&line.to_string()), "{error}");
        assert!(serde_json::from_slice::<Value>(input).is_err(), "{shown:?}");
    }
}

#[test]
fn what_came_before_an_error_stays_readable() {
    let cases = [
        (r#"{"a": [1, "x", nope]}"#, json!({"a": [1, "x"]})),
        (r#"{"a": 1, "b" 2}"#, json!({"a": 1})),
        (r#"["done", "half\q"]"#, json!(["done", "half"])),
        (r#"{"n": 12x}"#, json!({"n": 12})),
        (r#"{"n": 1.x}"#, json!({"n": 1})),
        (r#"{"a": {}} extra"#, json!({"a": {}})),
    ];
    for (text, expected) in cases {
        let mut parser = Parser::strict();
        let update = parser.feed(text);
        let error = update.error().expect("an error").clone();
        assert_eq!(update.snapshot().to_value(), expected, "{text}");
        // The error stays, whatever comes and however it ends.
        assert_eq!(parser.feed("]}").error().map(ToString::to_string), Some(error.to_string()));
        let finished = parser.finish(End::Stopped);
        assert_eq!(finished.outcome(), Outcome::Malformed, "{text}");
        assert_eq!(finished.snapshot().to_value(), expected, "{text}");
        assert!(!finished.is_complete(), "{text}");
        assert_eq!(finished.error().map(ToString::to_string), Some(error.to_string()));
    }
}

#[test]
fn deep_documents() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let objects = |depth: usize| format!("{}{{}}{}", "{\"a\":".repeat(depth - 1), "}".repeat(depth - 1));
    for text in [nested(120), objects(120)] {
        let judge: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(strict(&text).snapshot().to_value(), judge);
        assert_eq!(lenient(&text).snapshot().to_value(), judge);
    }
    for dialect in DIALECTS {
        for text in [nested(512), objects(512)] {
            let whole = finished(&options(dialect), &text, End::Unknown);
            assert_eq!(whole.outcome(), Outcome::Complete);
            assert_eq!(tree(whole.snapshot().root()).unwrap().depth(), 512);
            assert_eq!(whole.snapshot().to_string(), text);
            assert!(whole.snapshot().deserialize::<Value>().is_ok());
        }
        for (text, offset) in [(nested(513), 512), (objects(513), 512 * 5)] {
            let stopped = finished(&options(dialect), &text, End::Unknown);
            assert_eq!(stopped.outcome(), Outcome::Limit);
            let error = stopped.error().unwrap();
            assert!(error.is_limit());
            assert_eq!(error.offset(), offset);
            assert_eq!(tree(stopped.snapshot().root()).unwrap().depth(), 512);
        }
    }
    // A greater limit than the greatest is that one.
    let greedy = Options::strict().limits(Limits::new().depth(100_000));
    assert_eq!(finished(&greedy, nested(513), End::Unknown).outcome(), Outcome::Limit);
}

mod duplicates {
    use super::*;

    const TEXT: &str = r#"{"a":1,"b":{"x":1,"x":[2]},"a":"two","c":null,"a":3}"#;

    fn read(text: &str, duplicates: Duplicates, dialect: Dialect) -> Finished {
        finished(&options(dialect).duplicates(duplicates), text, End::Unknown)
    }

    #[test]
    fn the_first_stays_and_the_others_are_told() {
        for dialect in DIALECTS {
            let finished = read(TEXT, Duplicates::First, dialect);
            assert_eq!(finished.outcome(), Outcome::Complete);
            assert_eq!(finished.snapshot().to_string(), r#"{"a":1,"b":{"x":1},"c":null}"#);
            let snapshot = finished.snapshot();
            let sources: Vec<_> =
                finished.warnings().iter().map(|warning| snapshot.source(warning.span).into_owned()).collect();
            assert_eq!(warnings(&finished), [WarningKind::DuplicateKey; 3]);
            for (source, key) in sources.iter().zip(["\"x\"", "\"a\"", "\"a\""]) {
                assert!(source.starts_with(key) || key.contains(source.as_str()), "{source:?}");
            }
        }
    }

    #[test]
    fn the_last_replaces() {
        for dialect in DIALECTS {
            let finished = read(TEXT, Duplicates::Last, dialect);
            assert_eq!(finished.outcome(), Outcome::Complete);
            assert_eq!(finished.snapshot().to_value(), serde_json::from_str::<Value>(TEXT).unwrap());
            assert_eq!(warnings(&finished).len(), 3);
        }
    }

    #[test]
    fn with_the_last_nothing_in_an_open_object_is_final() {
        for dialect in DIALECTS {
            let options = options(dialect).duplicates(Duplicates::Last);
            let mut parser = Parser::with_options(options);
            let update = parser.feed(r#"{"o":{"x":[1,2]},"list":["a","#);
            for path in ["", "/o", "/o/x", "/o/x/0", "/list", "/list/0"] {
                assert_eq!(update.state(path), State::Growing, "{path} in {dialect:?}");
            }
            let mut replica = update.snapshot().to_value();
            let update = parser.feed(r#""b"],"o":"#);
            assert_eq!(update.state("/list"), State::Growing);
            update.delta().apply(&mut replica).unwrap();
            let update = parser.feed("7 ,");
            update.delta().apply(&mut replica).unwrap();
            assert_eq!(replica, json!({"o": 7, "list": ["a", "b"]}));
            let replaced = update.delta().to_ops();
            let replaced = serde_json::to_string(&replaced).unwrap();
            assert!(replaced.contains(r#""op":"replace","path":"/o""#), "{replaced}");
            let update = parser.feed(r#""z":0}"#);
            for path in ["", "/o", "/list", "/list/1", "/z"] {
                assert_eq!(update.state(path), State::Final, "{path} in {dialect:?}");
            }
        }
        // In an array the elements of which are closed, nothing can be taken back.
        let mut parser = Parser::with_options(Options::strict().duplicates(Duplicates::Last));
        assert!(parser.feed(r#"[{"x":1}, "a", "#).is_final("/0/x"));
    }

    #[test]
    fn an_error_stops_at_the_second_key() {
        for dialect in DIALECTS {
            let finished = read(TEXT, Duplicates::Error, dialect);
            assert_eq!(finished.outcome(), Outcome::Malformed);
            assert_eq!(finished.snapshot().to_value(), json!({"a": 1, "b": {"x": 1}}));
            let offset = finished.error().unwrap().offset();
            let second = TEXT.find(r#""x":[2]"#).unwrap() as u64;
            assert!((second..=second + 4).contains(&offset), "{offset}");
            assert_eq!(read(r#"{"a":1,"b":{"a":2}}"#, Duplicates::Error, dialect).outcome(), Outcome::Complete);
        }
    }

    #[test]
    fn keys_are_compared_as_text_not_as_spelled() {
        let finished = read(r#"{"A":1,"\u0041":2,"a":3,"A ":4}"#, Duplicates::First, Dialect::Strict);
        assert_eq!(finished.snapshot().to_string(), r#"{"A":1,"a":3,"A ":4}"#);
        assert_eq!(warnings(&finished), [WarningKind::DuplicateKey]);
    }

    #[test]
    fn in_objects_that_are_large_too() {
        let members: Vec<_> = (0..200).map(|index| format!("\"k{}\":{index}", index % 150)).collect();
        let text = format!("{{{}}}", members.join(","));
        let judge: Value = serde_json::from_str(&text).unwrap();
        let last = read(&text, Duplicates::Last, Dialect::Strict);
        assert_eq!(last.snapshot().to_value(), judge);
        let first = read(&text, Duplicates::First, Dialect::Strict);
        assert_eq!(first.snapshot().root().len(), 150);
        assert!((0..150).all(|index| first.snapshot().root().get(format!("k{index}").as_str()) == index));
        let error = read(&text, Duplicates::Error, Dialect::Strict);
        assert_eq!(error.snapshot().root().len(), 150);
    }
}

mod roots {
    use super::*;

    fn read(text: &str, roots: Roots, dialect: Dialect) -> Finished {
        finished(&options(dialect).roots(roots), text, End::Unknown)
    }

    #[test]
    fn many_are_documents_of_their_own() {
        let texts = [
            "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n",
            "{\"a\":1}{\"a\":2}{\"a\":3}",
            " {\"a\":1} \r\n\r\n {\"a\":2}\t{\"a\":3}",
        ];
        for text in texts {
            for dialect in DIALECTS {
                let finished = read(text, Roots::Many, dialect);
                assert_eq!(finished.outcome(), Outcome::Complete, "{text:?} in {dialect:?}");
                assert_eq!(all(&finished), [json!({"a": 1}), json!({"a": 2}), json!({"a": 3})]);
                let numbers: Vec<_> = finished.documents().map(|document| document.number).collect();
                assert_eq!(numbers, [0, 1, 2]);
                for document in finished.documents() {
                    assert!(document.is_complete);
                    let source = &text[document.span.start as usize..document.span.end as usize];
                    assert_eq!(document.snapshot.to_value(), serde_json::from_str::<Value>(source).unwrap());
                }
            }
        }
    }

    #[test]
    fn many_of_every_kind() {
        let finished = read("1 \"two\" [3] null {} -4.5 true", Roots::Many, Dialect::Strict);
        assert_eq!(
            all(&finished),
            [json!(1), json!("two"), json!([3]), json!(null), json!({}), json!(-4.5), json!(true)]
        );
        assert!(finished.is_complete());
    }

    #[test]
    fn many_small_arrays() {
        for dialect in DIALECTS {
            for text in ["[1]\n[]\n[[true]]\n", "{\"a\": 0}\n[3]\n[]"] {
                let finished = read(text, Roots::Many, dialect);
                let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
                assert_eq!(all(&finished), lines.collect::<Vec<_>>(), "{text:?} in {dialect:?}");
                assert_eq!(finished.outcome(), Outcome::Complete, "{text:?} in {dialect:?}");
                assert!(finished.skipped().is_empty(), "{text:?} in {dialect:?}");
            }
        }
    }

    #[test]
    fn many_that_are_cut_are_truncated() {
        let lines = ["{\"a\":[1]}", "[2]", "{}", "{\"b\":\"x\"}"];
        let text = lines.join("\n");
        for dialect in DIALECTS {
            for at in 1..=text.len() {
                let finished = read(&text[..at], Roots::Many, dialect);
                let place = format!("{:?} in {dialect:?}", &text[..at]);
                let begun = text[..at].trim_end().lines().count();
                let whole = lines.contains(&text[..at].trim_end().lines().last().unwrap());
                let outcome = if whole { Outcome::Complete } else { Outcome::Truncated };
                assert_eq!(finished.outcome(), outcome, "{place}");
                let complete = finished.documents().filter(|document| document.is_complete).count();
                assert_eq!(finished.documents().count(), begun, "{place}");
                assert_eq!(complete, begun - usize::from(!whole), "{place}");
            }
        }
    }

    #[test]
    fn each_feed_says_which_documents_it_touched() {
        for dialect in DIALECTS {
            let mut parser = Parser::with_options(options(dialect).roots(Roots::Many));
            let update = parser.feed(r#"{"a":"x"#);
            assert_eq!((update.document(), update.parts().count()), (0, 1));
            let update = parser.feed(r#"y"}{"b":2}{"c":3,"#);
            let parts: Vec<_> = update.parts().map(|part| (part.document(), part.snapshot().to_value())).collect();
            assert_eq!(parts, [(0, json!({"a": "xy"})), (1, json!({"b": 2})), (2, json!({"c": 3}))], "{dialect:?}");
            assert_eq!(update.document(), 2);
            assert_eq!(update.snapshot().to_value(), json!({"c": 3}));
            let first = update.parts().next().unwrap();
            assert_eq!(first.delta().to_value(), json!({"a": "y"}));
            assert!(first.is_final(""));
            assert!(!update.is_final(""));
            let finished = parser.finish(End::Unknown);
            assert_eq!(finished.outcome(), Outcome::Truncated);
            let complete: Vec<_> = finished.documents().map(|document| document.is_complete).collect();
            assert_eq!(complete, [true, true, false]);
        }
    }

    #[test]
    fn the_last_is_the_answer() {
        let finished = read(r#"{"a":1} wait, no: {"a":2}"#, Roots::Last, Dialect::Lenient);
        assert_eq!(finished.snapshot().to_value(), json!({"a": 2}));
        assert_eq!(all(&finished), [json!({"a": 1}), json!({"a": 2})]);
        let finished = read("{\"a\":1}\n[2,3]", Roots::Last, Dialect::Strict);
        assert_eq!(finished.snapshot().to_value(), json!([2, 3]));
    }

    #[test]
    fn the_last_as_it_streams() {
        let mut parser = Parser::with_options(Options::new().roots(Roots::Last));
        assert_eq!(parser.feed(r#"{"draft": 1}"#).document(), 0);
        let update = parser.feed(r#" Better: {"final": [1,"#);
        assert_eq!(update.document(), 1);
        assert_eq!(update.snapshot().to_value(), json!({"final": [1]}));
    }

    #[test]
    fn one_keeps_the_first_and_shows_the_others_among_the_documents() {
        let finished = read(r#"{"a":1} and {"b":2}"#, Roots::One, Dialect::Lenient);
        assert_eq!(finished.snapshot().to_value(), json!({"a": 1}));
        assert_eq!(all(&finished), [json!({"a": 1}), json!({"b": 2})]);
        assert_eq!(finished.outcome(), Outcome::Repaired);
        assert!(finished.is_complete());
        let finished = read(r#"{"a":1} {"b":2}"#, Roots::One, Dialect::Strict);
        assert_eq!(finished.outcome(), Outcome::Malformed);
        assert_eq!(finished.error().unwrap().offset(), 8);
    }
}

mod expected_kind {
    use super::*;

    #[test]
    fn lenient_looks_for_it() {
        let text = "Items [\"a\", \"b\"] in {\"k\": [1, 2]}.";
        let cases = [
            (Expect::Any, json!(["a", "b"])),
            (Expect::Array, json!(["a", "b"])),
            (Expect::Object, json!({"k": [1, 2]})),
        ];
        for (expect, value) in cases {
            let finished = finished(&Options::new().expect(expect), text, End::Unknown);
            assert_eq!(finished.snapshot().to_value(), value, "{expect:?}");
        }
        let finished = finished(&Options::new().expect(Expect::Array), "{\"k\": 1} [2, 3]", End::Unknown);
        assert_eq!(finished.snapshot().to_value(), json!([2, 3]));
    }

    #[test]
    fn another_kind_is_not_the_answer() {
        for (expect, text) in
            [(Expect::Object, "[1, 2]"), (Expect::Array, "{\"a\": 1}"), (Expect::Object, "42"), (Expect::Array, "true")]
        {
            for dialect in DIALECTS {
                let finished = finished(&options(dialect).expect(expect), text, End::Unknown);
                assert!(!finished.is_complete(), "{text} in {dialect:?} for {expect:?}");
                assert!(finished.into_complete().is_err());
            }
        }
        for (expect, text) in [(Expect::Object, "{\"a\": 1}"), (Expect::Array, "[1, 2]")] {
            for dialect in DIALECTS {
                let finished = finished(&options(dialect).expect(expect), text, End::Unknown);
                assert_eq!(finished.outcome(), Outcome::Complete, "{text} in {dialect:?} for {expect:?}");
            }
        }
    }
}

mod arguments {
    use super::*;

    fn read(text: &str) -> Finished {
        finished(&Options::new().role(Role::Arguments), text, End::Unknown)
    }

    #[test]
    fn no_text_is_an_empty_object() {
        for text in ["", " ", " \n\t"] {
            for dialect in DIALECTS {
                let finished = finished(&options(dialect).role(Role::Arguments), text, End::Unknown);
                assert_eq!(finished.outcome(), Outcome::Complete, "{text:?}");
                assert_eq!(finished.snapshot().to_value(), json!({}));
                assert!(finished.into_complete().is_ok());
            }
        }
        assert_eq!(lenient("").outcome(), Outcome::Empty);
    }

    #[test]
    fn an_empty_object_gives_way_to_a_real_one() {
        let finished = read(r#"{}{"stock": "MSFT"}"#);
        assert_eq!(finished.snapshot().to_value(), json!({"stock": "MSFT"}));
        assert_eq!(all(&finished), [json!({}), json!({"stock": "MSFT"})]);
        assert_eq!(read("{}").snapshot().to_value(), json!({}));
        assert_eq!(read("{}").outcome(), Outcome::Complete);
        // An answer is what came first.
        assert_eq!(lenient(r#"{}{"stock": "MSFT"}"#).snapshot().to_value(), json!({}));
    }

    #[test]
    fn an_empty_object_is_shown_at_the_end() {
        let mut parser = Parser::with_options(Options::new().role(Role::Arguments));
        assert!(!parser.feed("{}").snapshot().is_started());
        assert_eq!(parser.finish(End::Stopped).snapshot().to_value(), json!({}));
    }

    #[test]
    fn two_values_for_one_key_are_malformed_if_they_differ() {
        for dialect in DIALECTS {
            let read = |text: &str| finished(&options(dialect).role(Role::Arguments), text, End::Unknown);
            for text in [
                r#"{"path":"a","path":"b"}"#,
                r#"{"o":{"n":1,"n":2}}"#,
                r#"{"a":[1,2],"a":[1,2,3]}"#,
                r#"{"a":{"x":1},"a":{"x":1,"y":2}}"#,
                r#"{"a":1,"a":"1"}"#,
                r#"{"a":null,"a":false}"#,
            ] {
                let finished = read(text);
                assert_eq!(finished.outcome(), Outcome::Malformed, "{text}");
                assert!(finished.into_complete().is_err(), "{text}");
            }
            for text in [
                r#"{"path":"a","path":"a"}"#,
                r#"{"path":"a","path":"\u0061"}"#,
                r#"{"a":[1,{"b":null}],"a": [ 1, {"b":null} ]}"#,
                r#"{"o":{"n":true,"n":true}}"#,
            ] {
                let finished = read(text);
                assert_eq!(finished.outcome(), Outcome::Complete, "{text}");
                assert!(warnings(&finished).contains(&WarningKind::DuplicateKey), "{text}");
            }
        }
    }

    #[test]
    fn trailing_reasoning_does_not_spoil_them() {
        let finished = read("{\"query\": \"TO-DO\", \"limit\": 10}\n\nNow I search.");
        assert_eq!(finished.snapshot().to_value(), json!({"query": "TO-DO", "limit": 10}));
        assert!(finished.is_complete());
    }
}

mod ends {
    use super::*;

    #[test]
    fn a_root_number_is_whole_unless_the_text_is_said_to_be_cut() {
        for dialect in DIALECTS {
            let read = |end| finished(&options(dialect), "42", end);
            for end in [End::Stopped, End::Unknown] {
                assert_eq!(read(end).outcome(), Outcome::Complete);
                assert!(read(end).snapshot().is_final(""));
            }
            let cut = read(End::Truncated);
            assert_eq!(cut.outcome(), Outcome::Truncated);
            assert_eq!(cut.snapshot().to_value(), json!(42));
            assert_eq!(cut.snapshot().state(""), State::Growing);
        }
    }

    #[test]
    fn stop_reasons_are_read() {
        for (reason, end) in [
            ("stop", End::Stopped),
            ("end_turn", End::Stopped),
            ("tool_calls", End::Stopped),
            ("STOP", End::Stopped),
            ("length", End::Truncated),
            ("max_tokens", End::Truncated),
            ("MAX_TOKENS", End::Truncated),
            ("", End::Unknown),
            ("something new", End::Unknown),
        ] {
            assert_eq!(End::from_stop_reason(reason), end, "{reason:?}");
        }
    }

    #[test]
    fn the_cut_says_where_the_text_stopped() {
        // Text, state, what was in flight, missing closers.
        let cases = [
            (r#"{"a": "b"#, "in_string", Some("/a"), "\"}"),
            (r#"{"a": "b\"#, "in_escape", Some("/a"), "\"}"),
            (r#"{"a": "b\u00"#, "in_escape", Some("/a"), "\"}"),
            (r#"{"x": {"ab"#, "in_key", Some("/x"), "}}"),
            (r#"{"x": {"ab""#, "after_key", Some("/x/ab"), "}}"),
            (r#"{"x": {"ab": "#, "after_colon", Some("/x/ab"), "}}"),
            (r#"{"x": [1, -2.5e"#, "in_number", Some("/x/1"), "]}"),
            (r#"{"x": [1, tr"#, "in_keyword", Some("/x/1"), "]}"),
            (r#"{"x": [1, "#, "between_members", Some("/x"), "]}"),
            (r#"{"x": [{}, {"a": 1}"#, "between_members", Some("/x"), "]}"),
            (r#"{"x": {"#, "between_members", Some("/x"), "}}"),
        ];
        for dialect in DIALECTS {
            for (text, state, open, closers) in cases {
                let finished = finished(&options(dialect), text, End::Truncated);
                let cut = finished.cut().unwrap_or_else(|| panic!("{text:?} is cut"));
                let found = (cut.offset(), cut.state().as_str(), cut.open(), cut.closers());
                assert_eq!(found, (text.len() as u64, state, open, closers), "{text:?} in {dialect:?}");
            }
            // Where nothing is open, nothing is cut.
            for text in ["", "  ", r#"{"a": 1}"#] {
                assert!(finished(&options(dialect), text, End::Truncated).cut().is_none(), "{text:?}");
            }
        }
    }

    #[test]
    fn nothing_is_read_after_the_end() {
        let mut parser = Parser::strict();
        parser.feed("[1");
        let before = parser.finish(End::Stopped).snapshot().to_value();
        let update = parser.feed(", 2]");
        assert_eq!(update.error().map(|error| error.kind().as_str()), Some("finished"));
        assert!(update.delta().is_empty());
        assert_eq!(update.snapshot().to_value(), before);
        assert_eq!(before, json!([1]));
    }

    #[test]
    fn a_value_that_is_not_whole_is_another_type() {
        let incomplete = strict(r#"{"a": [1, 2"#).into_complete().unwrap_err();
        assert_eq!(incomplete.outcome(), Outcome::Truncated);
        assert_eq!(incomplete.snapshot().to_value(), json!({"a": [1, 2]}));
        assert!(incomplete.finished().cut().is_some());
        let error: Box<dyn std::error::Error> = Box::new(incomplete);
        assert!(!error.to_string().is_empty());
        let complete = strict(r#"{"a": [1, 2]}"#).into_complete().unwrap();
        assert_eq!(complete.at("/a/1"), 2);
        // Repaired text was whole, too.
        let repaired = lenient("Here: {\"a\": 1,}").into_complete().unwrap();
        assert_eq!(repaired.to_value(), json!({"a": 1}));
    }
}

#[test]
fn lone_surrogates_are_replaced_and_told() {
    let cases = [
        (r#""a\ud83d b""#, "a\u{FFFD} b", 1),
        (r#""x\udf78\ud83cy""#, "x\u{FFFD}\u{FFFD}y", 2),
        (r#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀", 1),
        (r#""\ud83d\n""#, "\u{FFFD}\n", 1),
        (r#""\ud83d""#, "\u{FFFD}", 1),
        (r#""\ud83d\ude00""#, "😀", 0),
        (r#""\ufffd""#, "\u{FFFD}", 0),
    ];
    for (text, expected, count) in cases {
        for dialect in DIALECTS {
            let document = format!("[{text}]");
            let finished = finished(&options(dialect), &document, End::Unknown);
            assert_eq!(finished.outcome(), Outcome::Complete, "{text}");
            assert_eq!(finished.snapshot().at("/0"), expected, "{text}");
            let told: u64 = finished.warnings().iter().map(|warning| u64::from(warning.count)).sum();
            assert_eq!(told, count, "{text}");
            assert!(warnings(&finished).iter().all(|kind| *kind == WarningKind::LoneSurrogate));
        }
    }
}

#[test]
fn keys_are_data() {
    let text = r#"{"__proto__":0,"constructor":{"prototype":1},"":{"":2},"a/b":3,"m~n":4,"~1":5,"0":6}"#;
    for finished in [strict(text), lenient(text)] {
        let snapshot = finished.snapshot();
        assert_eq!(snapshot.to_string(), text);
        for (path, value) in [
            ("/__proto__", 0),
            ("/constructor/prototype", 1),
            ("//", 2),
            ("/a~1b", 3),
            ("/m~0n", 4),
            ("/~01", 5),
            ("/0", 6),
        ] {
            assert_eq!(snapshot.at(path), value, "{path}");
            assert_eq!(snapshot.at(path).path(), path);
        }
    }
}

#[test]
fn without_the_source_the_values_are_the_same() {
    let text = r#"Hi {"a": ["x", 1.50, {"b": "\u00e9"}], "c": true} bye"#;
    let with = lenient(text);
    let without = finished(&Options::new().keep_source(false), text, End::Unknown);
    assert_eq!(root(without.snapshot()), root(with.snapshot()));
    assert_eq!(without.outcome(), with.outcome());
    assert_eq!(without.snapshot().root().span(), with.snapshot().root().span());
    assert_eq!(with.snapshot().text(), text);
    assert!(without.snapshot().text().len() < text.len());
    assert_eq!(root(without.snapshot()).map(|tree| Tree::count(&tree)), Some(7));
}
