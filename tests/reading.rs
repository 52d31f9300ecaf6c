//! The reading interface: paths, values, iteration, numbers, states, spans, serde, comparison, and
//! the views made of a snapshot.

mod common;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fmt::Debug;

use common::generate::anything;
use common::view::{tree, values};
use common::{DIALECTS, config, fed, lenient, options, strict};
use jsonrill::{
    Ambiguity, Complete, Delta, DeltaOp, DeserializeError, Dialect, Duplicates, End, Error, Finished, Incomplete, Kind,
    Lack, Op, Options, Parser, Roots, SkipKind, Snapshot, State, Step, Update, ValueRef,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::Deserialize;
use serde_json::{Value, json};

/// Strict, as far as `text` goes.
fn so_far(text: &str) -> Snapshot {
    Parser::strict().feed(text).snapshot().clone()
}

fn is_owned<T: Clone + Send + Sync + 'static>() {}
fn is_shared<T: Send + Sync>() {}
fn is_value<T: Copy + Send + Sync + Debug>() {}

#[test]
fn what_is_owned_can_go_anywhere() {
    is_owned::<Snapshot>();
    is_owned::<Update>();
    is_owned::<Op>();
    is_owned::<Error>();
    is_owned::<Options>();
    is_shared::<Parser>();
    is_shared::<Finished>();
    is_shared::<Complete>();
    is_shared::<Incomplete>();
    is_shared::<Delta<'_>>();
    is_shared::<Ambiguity<'_>>();
    is_shared::<DeserializeError>();
    is_value::<ValueRef<'_>>();
    is_value::<Step<'_>>();
    assert!(size_of::<ValueRef<'_>>() <= 16, "{} bytes", size_of::<ValueRef<'_>>());
}

const DOCUMENT: &str = r#"{"title": "Té \"x\"", "n": [1, -2.50, 18446744073709551615, 1e2, -0], "yes": true, "no": false, "nil": null, "o": {"a/b": {"m~n": [[], {}]}, "0": "zero", "": "empty"}}"#;

#[test]
fn paths_are_pointers_or_steps() {
    let snapshot = so_far(DOCUMENT);
    let cases: &[(&str, &[Step<'_>], Value)] = &[
        ("/title", &[Step::Key("title")], json!("Té \"x\"")),
        ("/n/0", &[Step::Key("n"), Step::Index(0)], json!(1)),
        ("/n/2", &[Step::Key("n"), Step::Index(2)], json!(u64::MAX)),
        ("/o/a~1b/m~0n/1", &[Step::Key("o"), Step::Key("a/b"), Step::Key("m~n"), Step::Index(1)], json!({})),
        ("/o/0", &[Step::Key("o"), Step::Key("0")], json!("zero")),
        ("/o/", &[Step::Key("o"), Step::Key("")], json!("empty")),
    ];
    for (pointer, steps, expected) in cases {
        for value in [snapshot.at(*pointer), snapshot.at(*steps), snapshot.root().at(*pointer)] {
            assert!(value.exists(), "{pointer}");
            assert_eq!(value.to_value(), *expected, "{pointer}");
            assert_eq!(value.path(), *pointer);
        }
    }
    assert_eq!(snapshot.at("").to_value(), snapshot.to_value());
    assert_eq!(snapshot.at([Step::from("n"), Step::from(1)]).number_text(), Some("-2.50"));
    let missing =
        ["/x", "/title/0", "/n/5", "/n/-1", "/n/01", "/n/x", "/n/-", "/n/0/0", "/o/a", "/nil/x", "title", "/o/a~2b"];
    for pointer in missing {
        assert!(!snapshot.at(pointer).exists(), "{pointer}");
    }
    assert!(!snapshot.at([Step::Index(0)]).exists());
    assert!(!snapshot.at([Step::Key("n"), Step::Key("0")]).exists());
}

#[test]
fn what_is_required_is_missing_until_it_is_final() {
    let required = ["/a", "/b/c", "/list/0", "/text", "/null", "/no pointer", "pointer"];
    let text = r#"{"a": 12, "b": {"c": {}}, "list": [0], "text": "", "null": null, "more": ""#;
    let missing = |options: Options, length: usize| {
        let mut parser = Parser::with_options(options);
        parser.push(&text[..length]);
        parser.snapshot().missing(required).into_iter().map(|field| (field.pointer, field.lack)).collect::<Vec<_>>()
    };
    for length in 0..=text.len() {
        let mut parser = Parser::strict();
        parser.push(&text[..length]);
        let snapshot = parser.snapshot();
        let found: Vec<_> = snapshot.missing(required).into_iter().map(|field| field.pointer).collect();
        let useless = |pointer: &str| {
            let value = snapshot.at(pointer);
            !value.is_final() || value.is_null() || value.is_empty() && value.as_f64().is_none()
        };
        let expected: Vec<_> = required.into_iter().filter(|pointer| useless(pointer)).collect();
        assert_eq!(found, expected, "{}", &text[..length]);
    }
    let field = |pointer: &str, lack| (pointer.to_owned(), lack);
    let never = [field("/no pointer", Lack::Missing), field("pointer", Lack::Missing)];
    let whole = [field("/b/c", Lack::Empty), field("/text", Lack::Empty), field("/null", Lack::Null)];
    assert_eq!(missing(Options::strict(), text.len()), [&whole[..], &never].concat());
    let begun = missing(Options::strict(), r#"{"a": 12, "b": {"c": {"#.len());
    assert_eq!(begun[..2], [field("/b/c", Lack::Growing), field("/list/0", Lack::Missing)]);
    // Where a later member may take the place of one, nothing is there for good.
    let replaced = missing(Options::strict().duplicates(Duplicates::Last), text.len());
    assert!(replaced.iter().filter(|(_, lack)| *lack == Lack::Growing).count() == 5, "{replaced:?}");
    assert!(Parser::new().snapshot().missing([""]).iter().all(|field| field.to_string() == "the root is missing"));
}

#[test]
fn a_missing_value_says_so_everywhere() {
    let snapshot = so_far(DOCUMENT);
    let missing = snapshot.at("/not/there");
    assert!(!missing.exists() && missing.kind().is_none() && !missing.is_null() && missing.is_empty());
    assert_eq!((missing.as_bool(), missing.as_str(), missing.as_f64()), (None, None, None));
    assert_eq!((missing.as_i64(), missing.as_u64(), missing.number_text()), (None, None, None));
    assert_eq!((missing.len(), missing.members().count(), missing.elements().count()), (0, 0, 0));
    assert!(missing.key().is_none() && missing.index().is_none() && missing.span().is_none());
    assert!(!missing.get("x").exists() && !missing.get(0).exists() && !missing.at("/x").exists());
    assert!(!missing.is_final());
    assert_eq!(missing.to_value(), Value::Null);
    assert!(missing.deserialize::<bool>().is_err());
    // Nothing equals it.
    assert_ne!(missing, "");
    assert!(missing != () && missing != 0 && missing != false && missing != Value::Null);
}

#[test]
fn values_are_read_as_what_they_are() {
    let snapshot = so_far(DOCUMENT);
    let root = snapshot.root();
    let kinds = [
        ("", Kind::Object),
        ("/title", Kind::String),
        ("/n", Kind::Array),
        ("/n/0", Kind::Number),
        ("/yes", Kind::Bool),
        ("/nil", Kind::Null),
    ];
    for (path, kind) in kinds {
        let value = snapshot.at(path);
        assert_eq!(value.kind(), Some(kind), "{path}");
        assert_eq!(value.is_null(), kind == Kind::Null);
        assert_eq!(value.as_bool().is_some(), kind == Kind::Bool);
        assert_eq!(value.as_str().is_some(), kind == Kind::String);
        assert_eq!(value.number_text().is_some(), kind == Kind::Number);
        assert_eq!(value.as_f64().is_some(), kind == Kind::Number);
    }
    assert_eq!((root.get("yes").as_bool(), root.get("no").as_bool()), (Some(true), Some(false)));
    assert_eq!(root.get("n").get(3).number_text(), Some("1e2"));
    assert_eq!((root.len(), root.get("n").len(), root.get("title").len()), (6, 5, 0));
    assert!(snapshot.at("/o/a~1b/m~0n/0").is_empty() && !root.is_empty());
}

#[test]
fn numbers_are_exact() {
    // Text, as i64, as u64, as f64.
    let cases = [
        ("0", Some(0), Some(0), 0.0),
        ("-1", Some(-1), None, -1.0),
        ("9223372036854775807", Some(i64::MAX), Some(9_223_372_036_854_775_807), 9_223_372_036_854_775_807.0),
        ("9223372036854775808", None, Some(9_223_372_036_854_775_808), 9_223_372_036_854_775_808.0),
        ("-9223372036854775808", Some(i64::MIN), None, -9_223_372_036_854_775_808.0),
        ("18446744073709551615", None, Some(u64::MAX), 18_446_744_073_709_551_615.0),
        ("18446744073709551616", None, None, 18_446_744_073_709_551_616.0),
        ("1.5", None, None, 1.5),
        ("1.0", None, None, 1.0),
        ("0.1", None, None, 0.1),
        ("123456789.123456789e-5", None, None, 1_234.567_891_234_568),
        ("5e-324", None, None, 5e-324),
    ];
    for (text, signed, unsigned, float) in cases {
        let float: f64 = float;
        let snapshot = so_far(&format!("[{text}]"));
        let number = snapshot.at("/0");
        assert_eq!(number.number_text(), Some(text));
        assert_eq!((number.as_i64(), number.as_u64()), (signed, unsigned), "{text}");
        assert_eq!(number.as_f64().map(f64::to_bits), Some(float.to_bits()), "{text}");
        assert_eq!(number.to_string(), text);
    }
    let snapshot = so_far("[-0]");
    assert!(snapshot.at("/0").as_f64().unwrap().is_sign_negative());
}

#[test]
fn containers_are_walked_in_the_order_of_the_source() {
    let snapshot = so_far(r#"{"z": 1, "a": [true, "x"], "m": {"q": null}, "b"#);
    let members: Vec<_> = snapshot.root().members().map(|(key, value)| (key, value.to_string())).collect();
    assert_eq!(members, [("z", "1".to_owned()), ("a", "[true,\"x\"]".to_owned()), ("m", "{\"q\":null}".to_owned())]);
    let elements: Vec<_> = snapshot.at("/a").elements().map(ValueRef::to_value).collect();
    assert_eq!(elements, [json!(true), json!("x")]);
    // The values of an object, too.
    assert_eq!(snapshot.root().elements().filter_map(ValueRef::key).collect::<String>(), "zam");
    assert_eq!(snapshot.at("/a").elements().filter_map(ValueRef::index).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(snapshot.at("/a").members().count(), 0);
    assert_eq!(snapshot.at("/z").elements().count(), 0);
    assert_eq!(snapshot.at("/m/q").key(), Some("q"));
    assert_eq!(snapshot.at("/a/1").index(), Some(1));
    assert_eq!((snapshot.root().key(), snapshot.at("/m").index()), (None, None));
    let paths: Vec<_> = snapshot.root().elements().map(ValueRef::path).collect();
    assert_eq!(paths, ["/z", "/a", "/m"]);
}

#[test]
fn what_walks_a_container_knows_how_much_is_left() {
    let snapshot = so_far(r#"{"z": 1, "a": [true, "x"], "m": {"q": null}, "b"#);
    let (mut members, mut elements) = (snapshot.root().members(), snapshot.root().elements());
    for left in (0..3).rev() {
        assert!(members.next().is_some() && elements.next().is_some());
        assert_eq!((members.len(), elements.len()), (left, left));
    }
    assert!(members.next().is_none() && elements.next().is_none());
    assert_eq!((members.len(), elements.len()), (0, 0));
    assert_eq!((snapshot.at("/z").elements().len(), snapshot.at("/none").members().len()), (0, 0));
}

#[test]
fn large_objects_are_found_by_key_while_they_grow() {
    let mut parser = Parser::strict();
    parser.feed("{");
    let mut held = Vec::new();
    for index in 0..500 {
        let update = parser.feed(format!("\"k{index}\": {index},"));
        assert_eq!(update.snapshot().at(&*format!("/k{index}")), index);
        held.push(update.snapshot().clone());
    }
    for (count, snapshot) in held.iter().enumerate() {
        assert_eq!(snapshot.root().len(), count + 1);
        for index in [0, count / 2, count, count + 1, 499] {
            let value = snapshot.root().get(format!("k{index}").as_str());
            assert_eq!(value.exists(), index <= count, "k{index} among {count}");
            assert!(index > count || value == index);
        }
    }
}

#[test]
fn an_empty_key_is_found_where_the_text_fills_a_block() {
    for length in 250..260 {
        for value in ["true".to_owned(), format!("{:?}", "y".repeat(600))] {
            let text = format!("{{\"a\": \"{}\", \"\": {value}, ", "x".repeat(length));
            let snapshot = so_far(&text);
            assert!(snapshot.at("/").exists() && snapshot.is_final("/"), "{length}");
            assert!(!snapshot.is_ambiguous("/"), "{length}");
        }
    }
}

#[test]
fn states_follow_the_open_path() {
    let snapshot = so_far(r#"{"a": {"x": 1, "y": [true]}, "b": ["done", {"c": "gro"#);
    let cases = [
        ("", State::Growing),
        ("/a", State::Final),
        ("/a/x", State::Final),
        ("/a/z", State::Absent),
        ("/a/y/0", State::Final),
        ("/a/y/1", State::Absent),
        ("/a/z/deep", State::Absent),
        ("/b", State::Growing),
        ("/b/0", State::Final),
        ("/b/1", State::Growing),
        ("/b/1/c", State::Growing),
        ("/b/1/d", State::Pending),
        ("/b/2", State::Pending),
        ("/later", State::Pending),
        ("/later/0/x", State::Pending),
        ("/b/0/x", State::Absent),
    ];
    for (path, state) in cases {
        assert_eq!(snapshot.state(path), state, "{path}");
        assert_eq!(snapshot.is_final(path), state == State::Final, "{path}");
        assert_eq!(snapshot.is_ambiguous(path), matches!(state, State::Growing | State::Pending), "{path}");
        assert_eq!(snapshot.ambiguity().state(path), state, "{path}");
        assert_eq!(snapshot.ambiguity().is_ambiguous(path), snapshot.is_ambiguous(path), "{path}");
        if snapshot.at(path).exists() {
            assert_eq!(snapshot.at(path).state(), state, "{path}");
            assert_eq!(snapshot.at(path).is_final(), state == State::Final, "{path}");
        }
    }
    assert_eq!(snapshot.open_path().as_deref(), Some("/b/1/c"));
    assert_eq!(
        snapshot.ambiguity().to_value(),
        json!({"ambiguous": true, "fields": {
            "a": {"ambiguous": false, "fields": {
                "x": {"ambiguous": false},
                "y": {"ambiguous": false, "items": [{"ambiguous": false}]},
            }},
            "b": {"ambiguous": true, "items": [
                {"ambiguous": false},
                {"ambiguous": true, "fields": {"c": {"ambiguous": true}}},
            ]},
        }})
    );
    let shown: Value = serde_json::from_str(&snapshot.ambiguity().to_string()).unwrap();
    assert_eq!(shown, snapshot.ambiguity().to_value());
    assert_eq!(snapshot.ambiguity().open_path().as_deref(), Some("/b/1/c"));
    assert_eq!(so_far("").ambiguity().to_value(), json!({"ambiguous": true}));
    assert_eq!(so_far("[1]").open_path(), None);
}

#[test]
fn spans_lead_back_to_the_source() {
    let text = "{ \"a\" : \"x\\u00e9\" , \"b\":[ 1.50 ,null ], \"c\":{}}";
    let snapshot = so_far(text);
    for (path, source) in
        [("", text), ("/a", "\"x\\u00e9\""), ("/b", "[ 1.50 ,null ]"), ("/b/0", "1.50"), ("/b/1", "null"), ("/c", "{}")]
    {
        let span = snapshot.at(path).span().unwrap();
        assert_eq!(snapshot.source(span), source, "{path}");
        assert_eq!(span.len() as usize, source.len());
        assert_eq!(&text[span.start as usize..span.end as usize], source);
    }
    assert_eq!(snapshot.text(), text);
}

#[derive(Debug, PartialEq, Deserialize)]
struct Card<'a> {
    title: &'a str,
    #[serde(borrow)]
    tags: Vec<&'a str>,
    score: f64,
    id: u64,
    note: Option<String>,
    by: BTreeMap<String, i8>,
    point: (i32, i32),
    #[serde(default)]
    missing: bool,
    action: Action,
    kind: Flat,
    initial: char,
    nothing: (),
}

#[derive(Debug, PartialEq, Deserialize)]
enum Action {
    Stop,
    Move { x: i32 },
    Say(String),
    Pair(u8, u8),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Flat {
    Text { body: String },
}

const CARD: &str = r#"{"card": {"title": "Tea", "tags": ["a", "b"], "score": 1.5, "id": 18446744073709551615,
    "note": null, "by": {"x": -128}, "point": [1, 2], "action": {"Move": {"x": -3}}, "ignored": [{}],
    "kind": {"type": "text", "body": "hi"}, "initial": "é", "nothing": null}}"#;

#[test]
fn own_types_are_read_and_text_is_borrowed() {
    let snapshot = so_far(CARD);
    let card: Card<'_> = snapshot.at("/card").deserialize().unwrap();
    assert_eq!(
        card,
        Card {
            title: "Tea",
            tags: vec!["a", "b"],
            score: 1.5,
            id: u64::MAX,
            note: None,
            by: BTreeMap::from([("x".to_owned(), -128)]),
            point: (1, 2),
            missing: false,
            action: Action::Move { x: -3 },
            kind: Flat::Text { body: "hi".to_owned() },
            initial: 'é',
            nothing: (),
        }
    );
    assert!(std::ptr::eq(card.title, snapshot.at("/card/title").as_str().unwrap()), "not a copy");
    let all: BTreeMap<String, Value> = snapshot.deserialize().unwrap();
    assert_eq!(all["card"]["tags"][1], "b");
    let actions = so_far(r#"["Stop", {"Say": "hi"}, {"Pair": [1, 2]}, {"Move": {"x": 1}}]"#);
    assert_eq!(
        actions.deserialize::<Vec<Action>>().unwrap(),
        [Action::Stop, Action::Say("hi".to_owned()), Action::Pair(1, 2), Action::Move { x: 1 }]
    );
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Id(u32);

#[test]
fn keys_are_read_as_what_they_spell() {
    let snapshot = so_far(r#"{"7": "a", "12": "b"}"#);
    assert_eq!(snapshot.deserialize::<BTreeMap<Id, &str>>().unwrap(), BTreeMap::from([(Id(7), "a"), (Id(12), "b")]));
    assert_eq!(
        snapshot.deserialize::<BTreeMap<Option<u8>, &str>>().unwrap(),
        BTreeMap::from([(Some(7), "a"), (Some(12), "b")])
    );
    let bytes: BTreeMap<&[u8], &str> = snapshot.deserialize().unwrap();
    assert_eq!(bytes, BTreeMap::from([(b"12".as_slice(), "b"), (b"7".as_slice(), "a")]));
    let owned: BTreeMap<CString, String> = snapshot.deserialize().unwrap();
    assert_eq!(owned[c"12"], "b");
    assert_eq!(
        so_far(r#"{"true": 1, "false": 2}"#).deserialize::<BTreeMap<bool, u8>>().unwrap(),
        BTreeMap::from([(false, 2), (true, 1)])
    );
    let error = snapshot.deserialize::<BTreeMap<bool, &str>>().unwrap_err();
    assert_eq!(error.to_string(), r#"invalid type: string "7", expected a boolean at "/7""#);
    let error = so_far(r#"{"x": 1}"#).deserialize::<BTreeMap<Id, u8>>().unwrap_err();
    assert_eq!(error.to_string(), r#"invalid type: string "x", expected u32 at "/x""#);
}

#[test]
fn text_is_read_as_bytes() {
    let snapshot = so_far(r#"{"text": "\u00e9t\u00e9", "list": [104, 105], "half": "so f"#);
    assert_eq!(snapshot.at("/text").deserialize::<&[u8]>().unwrap(), "été".as_bytes());
    assert_eq!(snapshot.at("/half").deserialize::<CString>().unwrap(), c"so f".to_owned());
    assert_eq!(snapshot.at("/list").deserialize::<CString>().unwrap(), c"hi".to_owned());
    let error = snapshot.at("/list").deserialize::<&[u8]>().unwrap_err();
    assert_eq!(error.to_string(), r#"invalid type: sequence, expected a borrowed byte array at "/list""#);
}

#[test]
fn a_value_that_does_not_fit_is_named() {
    let snapshot = so_far(
        r#"{"nil": null, "yes": true, "n": 7, "neg": -7, "f": 1.5, "big": 1e999, "a": [1, 2], "two": {"Stop": 1, "Say": 2}, "o": {"Stop": null}, "s": "Say"}"#,
    );
    let named = |path: &str| snapshot.at(path).deserialize::<Action>().unwrap_err().to_string();
    for (path, message) in [
        ("/nil", "invalid type: null, expected string or map at \"/nil\""),
        ("/yes", "invalid type: boolean `true`, expected string or map at \"/yes\""),
        ("/n", "invalid type: integer `7`, expected string or map at \"/n\""),
        ("/neg", "invalid type: integer `-7`, expected string or map at \"/neg\""),
        ("/f", "invalid type: floating point `1.5`, expected string or map at \"/f\""),
        ("/big", "invalid type: number out of range, expected string or map at \"/big\""),
        ("/a", "invalid type: sequence, expected string or map at \"/a\""),
        ("/two", "invalid value: map, expected map with a single key at \"/two\""),
        ("/s", "invalid type: unit variant, expected newtype variant at \"/s\""),
        ("/none", "there is no value here yet"),
    ] {
        assert_eq!(named(path), message);
    }
    assert_eq!(snapshot.at("/o").deserialize::<Action>().unwrap(), Action::Stop);
    let error = snapshot.at("/a").deserialize::<(u8,)>().unwrap_err();
    assert_eq!(error.to_string(), "invalid length 2, expected fewer elements in array at \"/a\"");
    let error = snapshot.deserialize::<Vec<u8>>().unwrap_err();
    assert_eq!(error.to_string(), "invalid type: map, expected a sequence at the root");
    assert_eq!((error.message(), error.path()), ("invalid type: map, expected a sequence", Some("")));
}

#[test]
fn what_does_not_fit_a_type_is_an_error() {
    let snapshot = so_far(r#"{"n": 300, "s": "x", "f": 1.5, "a": [1, "2"], "nil": null, "half": {"title": "T"#);
    assert!(snapshot.at("/n").deserialize::<u8>().is_err());
    assert!(snapshot.at("/n").deserialize::<String>().is_err());
    assert!(snapshot.at("/s").deserialize::<i32>().is_err());
    assert!(snapshot.at("/f").deserialize::<i32>().is_err());
    assert!(snapshot.at("/a").deserialize::<Vec<i32>>().is_err());
    assert!(snapshot.at("/nil").deserialize::<bool>().is_err());
    assert!(snapshot.at("/s").deserialize::<Action>().is_err());
    let error = snapshot.at("/half").deserialize::<Card<'_>>().unwrap_err();
    assert!(error.to_string().contains("tags"), "{error}");
    assert!(snapshot.at("/not there").deserialize::<Value>().is_err());
    assert_eq!(snapshot.at("/a").deserialize::<(i32, &str)>().unwrap(), (1, "2"));
    assert_eq!(snapshot.at("/n").deserialize::<f32>().unwrap().to_bits(), 300_f32.to_bits());
    assert_eq!(snapshot.at("/half/title").deserialize::<&str>().unwrap(), "T");
}

#[test]
fn a_snapshot_is_json_again() {
    let cases = [
        (
            r#" { "b" : [ 1.50 , 1e2 , -0 , 123456789012345678901234567890 ] , "a" : "\u00e9\n\"" } "#,
            "{\"b\":[1.50,1e2,-0,123456789012345678901234567890],\"a\":\"é\\n\\\"\"}",
        ),
        (r#"{"half": ["x", "y"#, r#"{"half":["x","y"]}"#),
        (r#"["\u0001\u001f\u007f\\/"]"#, "[\"\\u0001\\u001f\u{7f}\\\\/\"]"),
        ("[[],{},[{}]]", "[[],{},[{}]]"),
        (r#"{"__proto__": 0}"#, r#"{"__proto__":0}"#),
    ];
    for (text, shown) in cases {
        let snapshot = so_far(text);
        assert_eq!(snapshot.to_string(), shown);
        assert_eq!(snapshot.root().to_string(), shown);
        let value: Value = serde_json::from_str(shown).unwrap();
        assert_eq!(snapshot.to_value(), value);
        assert_eq!(serde_json::to_value(&snapshot).unwrap(), value);
        assert_eq!(serde_json::to_value(snapshot.root()).unwrap(), value);
        let written: Value = serde_json::from_str(&serde_json::to_string(&snapshot).unwrap()).unwrap();
        assert_eq!(written, value);
    }
    assert_eq!(so_far("").to_value(), Value::Null);
}

#[test]
fn comparison_is_by_value() {
    let snapshot = so_far(
        r#"{"s": "x", "i": 1, "f": 1.0, "h": 1.50, "t": true, "nil": null, "a": [1, "x"], "o": {"k": 1},
        "big": 9007199254740993, "huge": 18446744073709551616, "e": 1e2}"#,
    );
    let at = |path| snapshot.at(path);
    assert_eq!(at("/s"), "x");
    assert_eq!(at("/s"), String::from("x"));
    assert_ne!(at("/s"), "y");
    assert_ne!(at("/i"), "1");
    assert_eq!(at("/i"), 1);
    assert_eq!(at("/i"), 1_u8);
    assert_ne!(at("/i"), true);
    assert_ne!(at("/f"), 1);
    assert_eq!(at("/f"), 1.0);
    assert_eq!(at("/h"), 1.5);
    assert_ne!(at("/e"), 100);
    assert_eq!(at("/e"), 100.0);
    assert_eq!(at("/t"), true);
    assert_ne!(at("/t"), false);
    assert_eq!(at("/nil"), ());
    assert_ne!(at("/s"), ());
    assert_eq!(at("/big"), 9_007_199_254_740_993_i64);
    assert_ne!(at("/big"), 9_007_199_254_740_992_i64);
    assert_ne!(at("/big"), 9_007_199_254_740_992.0);
    assert_ne!(at("/huge"), u64::MAX);
    assert_eq!(at("/a"), json!([1, "x"]));
    assert_ne!(at("/a"), json!(["x", 1]));
    assert_ne!(at("/a"), json!([1]));
    assert_eq!(at("/o"), json!({"k": 1}));
    assert_ne!(at("/o"), json!({"k": 1.0}));
    assert_ne!(at("/o"), json!({"k": 1, "l": 2}));
    assert_ne!(at("/o"), json!([1]));
    assert_eq!(at("/nil"), Value::Null);
    assert_eq!(so_far(r#"{"b": 1, "a": [2]}"#), json!({"a": [2], "b": 1}));
    assert_ne!(so_far("{}"), json!([]));
}

#[test]
fn the_final_part_alone() {
    let snapshot = so_far(r#"{"a": "done", "n": [1, 2, 34], "o": {"x": null, "y": {"z": tru"#);
    assert_eq!(snapshot.final_only(), json!({"a": "done", "n": [1, 2, 34], "o": {"x": null}}));
    let snapshot = so_far(r#"{"a": "x", "list": [{"k": 1}, {"k": "gro"#);
    let sure = snapshot.final_only();
    assert_eq!(sure.at("/a"), "x");
    assert_eq!(sure.at("/list/0"), json!({"k": 1}));
    assert!(!sure.at("/list/1/k").exists());
    assert!(sure.is_ambiguous("/list") && sure.is_final("/list/0"));
    // The snapshot itself is as it was.
    assert_eq!(snapshot.at("/list/1/k"), "gro");
    let whole = so_far("[1, 2]");
    assert_eq!(whole.final_only(), json!([1, 2]));
    assert!(!so_far("\"text").final_only().is_started());
}

#[test]
fn numbers_in_flight_can_be_hidden() {
    for (text, shown) in [
        (r#"{"a": 1, "b": 2"#, json!({"a": 1})),
        ("[1, 23", json!([1])),
        ("[1, 23 ", json!([1, 23])),
        ("[1.5e", json!([])),
        (r#"{"a": "x"#, json!({"a": "x"})),
        ("[[1, 2], 3]", json!([[1, 2], 3])),
    ] {
        assert_eq!(so_far(text).without_number_in_flight(), shown, "{text}");
    }
    assert!(!so_far("12").without_number_in_flight().is_started());
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_views_made_of_a_snapshot_hold_what_they_promise(
        input in anything(), at in any::<Index>(), dialect in select(DIALECTS.to_vec()),
    ) {
        let snapshot = fed(&options(dialect), &input[..at.index(input.len() + 1)]).snapshot();
        let [sure, settled] = [snapshot.final_only(), snapshot.without_number_in_flight()];
        for value in values(&snapshot) {
            let path = value.path();
            let is_container = matches!(value.kind(), Some(Kind::Array | Kind::Object));
            if value.is_final() {
                prop_assert_eq!(tree(sure.at(&path)), tree(value), "final_only at {}", path);
                prop_assert!(sure.is_final(&path));
            } else if !is_container {
                prop_assert!(!sure.at(&path).exists(), "final_only at {}", path);
            }
            let in_flight = value.kind() == Some(Kind::Number) && !value.is_final();
            prop_assert_eq!(settled.at(&path).exists(), !in_flight, "without_number_in_flight at {}", path);
            if !is_container && !in_flight {
                prop_assert_eq!(tree(settled.at(&path)), tree(value));
            }
            let part = snapshot.detach(&path).unwrap();
            prop_assert_eq!(tree(part.root()), tree(value), "detach {}", path);
            prop_assert_eq!(part.state(""), value.state());
            prop_assert_eq!(part.root().path(), "");
        }
        prop_assert!(values(&sure).len() <= values(&snapshot).len());
    }
}

#[test]
fn a_part_can_be_taken_out() {
    let snapshot = so_far(r#"{"a": {"x": [1.50, "two", {"k": null}]}, "b": "gro"#);
    let part = snapshot.detach("/a/x").unwrap();
    drop(snapshot.clone());
    assert_eq!(part, json!([1.5, "two", {"k": null}]));
    assert_eq!(part.to_string(), r#"[1.50,"two",{"k":null}]"#);
    assert_eq!(part.at("/2/k").path(), "/2/k");
    assert!(part.is_final("") && part.is_final("/1"));
    let growing = snapshot.detach("/b").unwrap();
    assert_eq!(growing, json!("gro"));
    assert_eq!(growing.state(""), State::Growing);
    assert_eq!(snapshot.detach("").unwrap().to_value(), snapshot.to_value());
    assert!(snapshot.detach("/c").is_none());
}

#[test]
fn a_part_with_a_member_that_is_being_replaced_can_be_taken_out() {
    let options = Options::strict().duplicates(Duplicates::Last);
    for text in [
        r#"{"a": 1, "b": true, "a": "tex"#,
        r#"{"a": 1, "b": true, "a": [2, {"c": "d", "e": 3, "c": [4"#,
        r#"[{"a": 1, "b": {"c": 1, "d": 2, "c": 3"#,
    ] {
        let mut parser = Parser::with_options(options);
        let snapshot = parser.feed(text).snapshot().clone();
        let part = snapshot.detach("").unwrap();
        assert_eq!(part.to_string(), snapshot.to_string());
        assert_eq!(part.ambiguity().to_string(), snapshot.ambiguity().to_string());
        assert_eq!(part.open_path(), snapshot.open_path());
    }
}

#[test]
fn text_outside_comes_by_kind_in_order() {
    let text = "<think>hm</think>Here:\n```json\n{\"a\": 1}\n```\nBye.";
    let finished = lenient(text);
    let tiles: Vec<_> = finished.snapshot().outside().collect();
    for tile in &tiles {
        assert_eq!(tile.text, text[tile.span.start as usize..tile.span.end as usize], "{:?}", tile.kind);
    }
    let of = |kind| -> String {
        tiles.iter().filter(|tile| tile.kind == kind).map(|tile| tile.text.trim()).collect::<Vec<_>>().join("|")
    };
    assert!(of(SkipKind::Reasoning).contains("hm"));
    assert_eq!(of(SkipKind::Prose), "Here:|Bye.");
    assert_eq!(of(SkipKind::Fence), "```json|```");
    assert!(tiles.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
    assert_eq!(strict("{\"a\": 1}").snapshot().outside().count(), 0);
}

#[test]
fn text_outside_is_told_once_however_many_documents_there_are() {
    for roots in [Roots::Many, Roots::Last] {
        let mut parser = Parser::with_options(Options::new().roots(roots));
        let mut told = String::new();
        for chunk in ["Hi {\"a\": 1} the", "re {\"b\": 2} and", " {\"c\": 3} {\"d\"", ": 4} bye"] {
            let update = parser.feed(chunk);
            update.parts().for_each(|part| part.delta().outside().for_each(|text| told.push_str(&text.text)));
        }
        parser.finish(End::Stopped).update().delta().outside().for_each(|text| told.push_str(&text.text));
        assert_eq!(told.split_whitespace().collect::<Vec<_>>(), ["Hi", "there", "and", "bye"], "{roots:?}");
    }
}

#[test]
fn a_delta_is_a_list_of_operations() {
    let mut parser = Parser::strict();
    let ops = |update: &Update| serde_json::to_value(update.delta()).unwrap();
    let update = parser.feed(r#"{"msg": "Hel"#);
    assert_eq!(ops(&update), json!([{"op": "add", "path": "", "value": {"msg": "Hel"}}]));
    let update = parser.feed("lo");
    assert_eq!(ops(&update), json!([{"op": "append", "path": "/msg", "text": "lo"}]));
    assert_eq!(update.delta().to_value(), json!({"msg": "lo"}));
    let update = parser.feed("!\", \"n\": 1");
    let expected = json!([
        {"op": "append", "path": "/msg", "text": "!"},
        {"op": "final", "path": "/msg"},
        {"op": "add", "path": "/n", "value": 1},
    ]);
    assert_eq!(ops(&update), expected);
    assert_eq!(serde_json::from_str::<Value>(&update.delta().to_string()).unwrap(), expected);
    let update = parser.feed("2");
    assert_eq!(ops(&update), json!([{"op": "replace", "path": "/n", "value": 12}]));
    assert_eq!(update.delta().to_value(), json!({"n": 12}));
    let update = parser.feed(r#", "list": [{"k": []} "#);
    let mut seen = Vec::new();
    for op in update.delta().ops() {
        match op {
            DeltaOp::Add(value) => seen.push(format!("add {} {value}", value.path())),
            DeltaOp::Append(value, text) => seen.push(format!("append {} {text}", value.path())),
            DeltaOp::Replace(value) => seen.push(format!("replace {} {value}", value.path())),
            DeltaOp::Final(value) => seen.push(format!("final {}", value.path())),
        }
    }
    assert_eq!(seen.first().map(String::as_str), Some("final /n"));
    assert!(seen.contains(&"add /list [{\"k\":[]}]".to_owned()), "{seen:?}");
    assert_eq!(update.delta().ops().map(DeltaOp::path).last(), Some("/list/0".to_owned()));
    assert_eq!(update.delta().to_value(), json!({"list": {"0": {"k": {}}}}));
    let finals: Vec<_> = update.delta().finals().map(ValueRef::path).collect();
    assert_eq!(finals, ["/n", "/list/0/k", "/list/0"]);
    assert!(parser.feed(" ").delta().is_empty());
    let update = parser.feed("]}");
    assert_eq!(ops(&update), json!([{"op": "final", "path": "/list"}, {"op": "final", "path": ""}]));
    assert!(!update.delta().is_empty());
    assert_eq!(update.sequence(), 7);
    assert_eq!(update.document(), 0);
    assert!(parser.finish(End::Unknown).update().delta().is_empty());
}

#[test]
fn a_delta_rebuilds_a_replica_from_wherever_it_was() {
    let mut parser = Parser::strict();
    let start = parser.feed(r#"{"a": "x", "n": 1"#).snapshot().clone();
    parser.feed(r#"2, "b": [true, {"c": "y"#);
    parser.feed(r#"z"}], "d""#);
    let end = parser.feed(": null}").snapshot().clone();
    let delta = Delta::between(&start, &end);
    let mut replica = start.to_value();
    delta.apply(&mut replica).unwrap();
    assert_eq!(replica, json!({"a": "x", "n": 12, "b": [true, {"c": "yz"}], "d": null}));
    assert_eq!(replica, end.to_value());
    assert!(Delta::between(&end, &end).is_empty());
    let nothing = Parser::strict().snapshot();
    let mut replica = Value::Null;
    Delta::between(&nothing, &nothing).apply(&mut replica).unwrap();
    assert_eq!(replica, Value::Null);
}

/// Whatever a replica has, it is the newer document then: one of another root, of another parser, a part, an earlier one.
#[test]
fn a_delta_between_what_does_not_follow_is_all_of_the_newer() {
    let mut parser = Parser::with_options(Options::new().roots(Roots::Last));
    let mut snapshots = vec![parser.snapshot()];
    for chunk in ["a {\"a\": \"x", "y\", \"n\": 1", "2}", " b {\"b\": [", "3, {\"c\": 4", "}]", "}"] {
        snapshots.push(parser.feed(chunk).snapshot().clone());
    }
    snapshots.extend(snapshots.clone().iter().filter_map(|snapshot| snapshot.detach("")));
    snapshots.extend(snapshots[1].detach("/a"));
    let mut other = Parser::strict();
    snapshots.extend(["", "[", "1, \"a", "\"]"].map(|chunk| other.feed(chunk).snapshot().clone()));
    for old in &snapshots {
        for new in snapshots.iter().filter(|new| new.is_started()) {
            let mut replica = old.to_value();
            let delta = Delta::between(old, new);
            delta.apply(&mut replica).unwrap();
            assert_eq!(replica, new.to_value(), "from {old} to {new}");
            let ops: Value = serde_json::from_str(&delta.to_string()).unwrap();
            assert!(ops.is_array(), "from {old} to {new}");
            let finals = delta.finals().map(ValueRef::path).collect::<Vec<_>>();
            assert!(finals.iter().all(|path| new.is_final(path.as_str())), "from {old} to {new}: {finals:?}");
        }
    }
    let told: String =
        Delta::between(&snapshots[2], &snapshots[5]).outside().map(|text| text.text.into_owned()).collect();
    assert_eq!(told, "b ", "text outside is told once");
}

#[test]
fn an_operation_that_does_not_fit_is_an_error() {
    let mut replica = json!({"a": [1], "s": "x"});
    let bad = [
        Op::Append { path: "/a".into(), text: "y".into() },
        Op::Append { path: "/none".into(), text: "y".into() },
        Op::Replace { path: "/a/1".into(), value: json!(2) },
        Op::Add { path: "/s/0".into(), value: json!(2) },
        Op::Add { path: "/x/y".into(), value: json!(2) },
    ];
    for op in bad {
        let error = op.apply(&mut replica).unwrap_err();
        assert!(!error.to_string().is_empty(), "{op:?}");
        assert_eq!(replica, json!({"a": [1], "s": "x"}), "{op:?}");
    }
    Op::Append { path: "/s".into(), text: "y".into() }.apply(&mut replica).unwrap();
    Op::Add { path: "/a/1".into(), value: json!(2) }.apply(&mut replica).unwrap();
    Op::Final { path: "/s".into() }.apply(&mut replica).unwrap();
    assert_eq!(replica, json!({"a": [1, 2], "s": "xy"}));
}

#[test]
fn bytes_text_and_owned_buffers_can_be_fed() {
    let mut parser = Parser::with_options(Options::new().dialect(Dialect::Strict));
    parser.feed("[1,");
    parser.feed(String::from("2,"));
    parser.feed(b"3,");
    parser.feed(vec![b'4', b',']);
    parser.feed(&b"5"[..]);
    parser.push(bytes::Bytes::from_static(b","));
    let update = parser.feed(bytes::Bytes::from_static(b"6]"));
    assert_eq!(*update.snapshot(), json!([1, 2, 3, 4, 5, 6]));
    assert!(update.is_final(""));
}

#[test]
fn what_became_final_and_which_text_is_new() {
    let mut parser = Parser::new();
    let chunks = ["Look: {\"a\": \"He", "llo", "\", \"n\": 1", "2, \"list\": [", "\"x\", \"y", "z\"]", "} Bye", "."];
    let (mut text, mut item, mut prose, mut finals) = (String::new(), String::new(), String::new(), Vec::new());
    for (number, chunk) in chunks.iter().enumerate() {
        let update = parser.feed(chunk);
        text += update.delta().text("/a").unwrap_or_default();
        item += update.delta().text("/list/1").unwrap_or_default();
        prose.extend(update.delta().outside().map(|outside| outside.text.into_owned()));
        let paths = ["/a", "/n", "/list/0", "/list/1", "/list", "", "/missing"];
        finals.extend(paths.iter().filter(|path| update.became_final(**path)).map(|path| (number, *path)));
    }
    assert_eq!((text.as_str(), item.as_str(), prose.as_str()), ("Hello", "yz", "Look: Bye."));
    assert_eq!(finals, [(2, "/a"), (3, "/n"), (4, "/list/0"), (5, "/list/1"), (5, "/list"), (6, "")]);
    assert_eq!(parser.update().delta().text("/a"), None);
}

/// Paths of up to three tokens, and some with more: good, malformed and with indices of all lengths.
fn paths() -> Vec<String> {
    let tokens = ["", "a", "b~0", "y~1z", "~", "k", "0", "1", "2", "3", "01", "-", "12345678", "123456789012345678901"];
    let mut paths = vec![String::new(), "a".to_owned(), "0/1".to_owned(), "/b~0/0/1/k/0".to_owned()];
    let mut last = vec![String::new()];
    for _ in 0..3 {
        last = last.iter().flat_map(|path| tokens.map(|token| format!("{path}/{token}"))).collect();
        paths.extend(last.iter().cloned());
    }
    paths
}

#[test]
fn what_is_ambiguous_is_what_is_growing_or_pending() {
    let text = r#"{"a": [{"a": "one", "y/z": -2.5e1, "a": [1]}, "two", 12, [[]]], "b~": [[1, {"k": [null, ["é"#;
    let paths = paths();
    for options in [Options::strict(), Options::new(), Options::new().duplicates(Duplicates::Last)] {
        let mut parser = Parser::with_options(options);
        for end in 0..text.len() {
            let byte = &text.as_bytes()[end..=end];
            let snapshot = parser.feed(byte).snapshot().clone();
            for snapshot in [snapshot.final_only(), snapshot.without_number_in_flight(), snapshot] {
                for path in paths.iter().skip(end % 7).step_by(7) {
                    let expected = matches!(snapshot.state(path), State::Growing | State::Pending);
                    assert_eq!(snapshot.is_ambiguous(path), expected, "{path} in {snapshot}");
                }
                for steps in
                    [[Step::Key("a"), Step::Index(0)], [Step::Index(0), Step::Key("a")], [Step::Key("b~"), 1.into()]]
                {
                    let expected = matches!(snapshot.state(steps), State::Growing | State::Pending);
                    assert_eq!(snapshot.is_ambiguous(steps), expected, "{steps:?} in {snapshot}");
                }
            }
        }
    }
}

#[test]
fn minus_zero_is_no_integer() {
    let update = Parser::strict().feed("[-0, 0]");
    let [minus, zero] = [0, 1].map(|index| update.snapshot().get(index));
    assert_eq!((minus.as_i64(), minus.as_u64(), minus.as_f64()), (None, None, Some(-0.0)));
    assert_eq!((zero.as_i64(), zero.as_u64()), (Some(0), Some(0)));
}

/// Where a later member may replace an earlier one, nothing in an open object is final.
#[test]
fn what_may_be_replaced_is_not_final() {
    let mut parser = Parser::with_options(Options::new().duplicates(Duplicates::Last));
    parser.feed(r#"[1, {"a": {"b": [2"#);
    let update = parser.feed("]}, ");
    assert_eq!(update.snapshot().final_only(), json!([1]));
    assert!(!update.became_final("/1/a") && !update.became_final("/1/a/b") && !update.is_final("/1/a/b"));
    let update = parser.feed("\"c\": 3}");
    assert!(update.became_final("/1/a/b/0") && update.became_final("/1/a") && update.became_final("/1"));
}
