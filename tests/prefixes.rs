//! Every prefix of realistic documents against the reference reader, and every two-way split
//! against the whole.

mod common;

use common::chunks::two_way_splits;
use common::generate::{ANY_VALID, VALID, damaged, documents};
use common::reference::{self, Reading, Rules, Stop, Visibility};
use common::tree::{Tree, same_value};
use common::view::{agree, ending, root, states};
use common::{DIALECTS, config, finished, options, rules};
use jsonrill::{Dialect, End, Parser, State};
use proptest::prelude::*;
use serde_json::Value;

/// What a user of the library would stream, each with something that is hard to cut.
const DOCUMENTS: &[(&str, &str)] = &[
    (
        "chat answer",
        r#"{"flags": {"urgent": false, "language": "en"}, "reply": "Dear Ms. Ahn,\n\nthank you — we \"see\" it.\n", "follow_up": null}"#,
    ),
    (
        "agent trace",
        r#"{"steps":[{"thought":"look it up","tool":"search","args":{"q":"\"tide tables\" 2026","limit":10}},{"tool":"read_file","args":{"path":"C:\\data\\tides.csv","lines":[1,200]},"result":"a,b\n1,2\n"},{"answer":"High tide: 04:12","confidence":0.87}],"cost":1.2e-3}"#,
    ),
    (
        "tool call arguments within a message",
        r#"{"role":"assistant","tool_calls":[{"id":"call_9","type":"function","function":{"name":"weather","arguments":"{\"city\": \"S\u00e3o Paulo\", \"days\": [1, 2], \"note\": \"\\\"soon\\\"\"}"}}]}"#,
    ),
    (
        "markdown in a string",
        r##"{"title":"Notes","md":"# Head\n\n* one `code`\n* two **bold**\n\n```json\n{\"a\": [1, 2], \"b\": \"}\"}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n","tags":[]}"##,
    ),
    (
        "several scripts",
        r#"{"日本語":"天気は晴れです。","emoji":"🌶️👩‍👩‍👧 ok","ελληνικά":["α","β\u03b3","\ud83d\ude00\uD834\uDD1E"],"mixed":"naïve café — “quoted”"}"#,
    ),
    (
        "numbers",
        "[0, -0, 1, -1, 10, 0.5, -0.25, 1.50, 1e5, 1E+5, 1e-5, -1.25E-10, 12345678901234567890, 0.1000, 1.0, 0e0]",
    ),
    ("escapes", r#"{"a\"b":"\"\\\/\b\f\n\r\t","u":"\u0041\u00DF\u6771\u0000","\u006bey":"tab\there","end":"\\"}"#),
    (
        "lone surrogates",
        r#"["\ud83d", "\ude00", "a\ud83db", "\ud83d\n", "\ud83d\ud83d\ude00", "\ude00\ud83d", "\ud83d\u0041"]"#,
    ),
    ("repeated keys", r#"{"id":1,"name":"first","id":2,"tags":["a"],"name":{"x":[1,{"id":3}]},"tags":[],"end":true}"#),
    (
        "pretty printed records",
        "[\n  {\n    \"id\": 1,\n    \"name\": \"Ada\",\n    \"active\": true\n  },\n  {\n    \"id\": 2,\n    \"name\": \"Grace\",\n    \"active\": false\n  }\n]\n",
    ),
    ("empty containers", r#" {"a":{},"b":[],"c":[{},[],[[]],{"d":{}}],"":"","e":{"":{"":[]}}} "#),
    ("keywords and blanks", "\t[ null , true , false , [ null ] , { \"k\" : true } ]\r\n"),
    ("a string alone", r#""a bare {\"string\": [1, 2]} \u00e9 🌶️""#),
    ("a number alone", "-12.50e+3"),
    ("a keyword alone", " false "),
    (
        "text that looks like structure",
        r#"{"s":["a,", ":1}", "],[", "{\"k\":", "```", "<think>", "it's", "\"", "//x", "}"],"t":"ends with a comma,","u":"] }"}"#,
    ),
];

#[test]
fn every_prefix_shows_what_the_reference_shows() {
    for (name, text) in DOCUMENTS {
        shows_what_the_reference_shows(name, text);
    }
}

/// What waits for what follows it does not wait for ever.
#[test]
fn every_prefix_of_long_white_space_shows_what_the_reference_shows() {
    for blanks in [" ", "\r\n ", "\t"] {
        let gap = blanks.repeat(280 / blanks.len());
        for text in [
            format!("[\"x\", 1{gap}, true{gap}]"),
            format!("[{{}}, \"x\"{gap}, 1.5e3{gap}]"),
            format!("{{\"a\"{gap}: {gap}null{gap}, \"b\": \"x, \"{gap}}}{gap}"),
            format!("{gap}[[\"x\"]{gap}]"),
        ] {
            shows_what_the_reference_shows("long white space", &text);
        }
    }
}

fn shows_what_the_reference_shows(name: &str, text: &str) {
    for dialect in DIALECTS {
        let mut parser = Parser::with_options(options(dialect));
        for at in 1..=text.len() {
            let prefix = &text.as_bytes()[..at];
            let update = parser.feed(&prefix[at - 1..]);
            let snapshot = update.snapshot();
            let place = format!("{name} in {dialect:?}, cut at {:?}", String::from_utf8_lossy(prefix));
            assert!(update.error().is_none(), "{place}: {:?}", update.error());
            let expected = reference::read(prefix, rules(dialect));
            match (rules(dialect), reference::visibility(&expected, prefix)) {
                (Rules::Lenient, Visibility::Hidden) => {
                    assert!(!snapshot.is_started(), "{place}: shown too early");
                    continue;
                }
                (Rules::Lenient, Visibility::Either) if !snapshot.is_started() => continue,
                _ => {}
            }
            assert_eq!(root(snapshot), expected.tree, "{place}");
            let states = states(snapshot);
            assert!(agree(&states, &expected.marks), "{place}: {states:?} for {:?}", expected.marks);
            let growing = states.into_iter().filter(|(_, state)| *state == State::Growing);
            let innermost = growing.map(|(path, _)| path).max_by_key(String::len);
            assert!(innermost.is_none() || snapshot.open_path() == innermost, "{place}");
        }
    }
}

#[test]
fn every_prefix_is_cut_where_the_reference_cuts_it() {
    for (name, text) in DOCUMENTS {
        for dialect in DIALECTS {
            for at in 0..text.len() {
                let prefix = &text.as_bytes()[..at];
                let expected = reference::read(prefix, Rules::Strict);
                let finished = finished(&options(dialect), prefix, End::Truncated);
                let place = format!("{name} in {dialect:?}, cut at {:?}", String::from_utf8_lossy(prefix));
                assert_eq!(finished.is_complete(), expected.stop == Stop::Done, "{place}");
                let open = expected.stop == Stop::Cut && !prefix.trim_ascii().is_empty();
                assert_eq!(finished.cut().is_some(), open, "{place}");
                // Strict shows no keyword in flight; at the end the same is shown in both dialects.
                if let Some(tree) = &expected.tree {
                    assert_eq!(root(finished.snapshot()).as_ref(), Some(tree), "{place}");
                }
                let Some(cut) = finished.cut() else { continue };
                assert_eq!(cut.offset(), at as u64, "{place}");
                assert_eq!(cut.closers(), reference::closers(prefix), "{place}");
            }
        }
    }
}

#[test]
fn every_two_way_split_is_the_whole() {
    for (name, text) in DOCUMENTS {
        for dialect in DIALECTS {
            let whole = ending(&finished(&options(dialect), text, End::Unknown));
            for [head, tail] in two_way_splits(text.as_bytes()) {
                let mut parser = Parser::with_options(options(dialect));
                parser.feed(head);
                parser.feed(tail);
                let split = ending(&parser.finish(End::Unknown));
                assert_eq!(split, whole, "{name} in {dialect:?} split at {}", head.len());
            }
        }
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn damaged_text_is_read_up_to_where_the_reference_stops(input in damaged()) {
        let finished = finished(&options(Dialect::Strict), &input, End::Unknown);
        let expected = reference::read(&input, Rules::Strict);
        let error = finished.error().map(|error| usize::try_from(error.offset()).unwrap());
        match &expected.stop {
            Stop::Bad(range) => {
                let inside = error.is_some_and(|offset| range.contains(&offset));
                prop_assert!(inside, "the error is at {:?}, not in {:?}", error, range);
            }
            Stop::Cut | Stop::Done => prop_assert_eq!(error, None),
        }
        prop_assert_eq!(root(finished.snapshot()), expected.tree);
    }

    /// The reference is judged too.
    #[test]
    fn the_reference_reads_documents_as_serde_json_does(text in documents(VALID)) {
        let judge: Value = serde_json::from_str(&text).unwrap();
        let read = reference::read(text.as_bytes(), Rules::Strict);
        let is_number = judge.is_number();
        prop_assert!(read.stop == Stop::Done || is_number);
        prop_assert!(same_value(&read.tree.unwrap().to_value(), &judge));
    }

    #[test]
    fn the_reference_rejects_what_serde_json_rejects(input in damaged()) {
        // `serde_json` takes no lone surrogates, and no number beyond a double.
        let read = reference::read(&input, Rules::Strict);
        let whole = match read {
            Reading { stop: Stop::Done, .. } => true,
            Reading { stop: Stop::Cut, tree: Some(Tree::Number(text)), .. } => {
                input.trim_ascii_start() == text.as_bytes()
            }
            _ => false,
        };
        match serde_json::from_slice::<Value>(&input) {
            Ok(_) => prop_assert!(whole),
            Err(error) if whole => {
                let told = error.to_string();
                prop_assert!(
                    told.contains("surrogate") || told.contains("out of range") || told.contains("hex escape"),
                    "{}", told
                );
            }
            Err(_) => {}
        }
    }

    /// The lenient rules show the same things as the strict ones, some of them later.
    #[test]
    fn the_lenient_reference_lags_the_strict_one(text in documents(ANY_VALID)) {
        for at in 0..=text.len() {
            let prefix = &text.as_bytes()[..at];
            let [strict, lenient] =
                [Rules::Strict, Rules::Lenient].map(|rules| reference::read(prefix, rules));
            for (pointer, mark) in &lenient.marks {
                let other = strict.marks.get(pointer);
                prop_assert!(other.is_some(), "{} is not in strict", pointer);
                prop_assert!(*mark != reference::Mark::Final || other == Some(mark));
            }
        }
    }
}
