//! One-shot repair: its laws as properties of generated input, and what comes out of texts that people have.

mod common;

use common::config;
use common::generate::{ANY_VALID, Input, VALID, anything, containers, damaged, documents, enveloped, soup};
use jsonrill::{
    Dialect, Duplicates, End, Expect, Limits, Options, Outcome, Parser, Repaired, Role, Roots, repair, repair_with,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

// --- laws -------------------------------------------------------------------------------------------------------------

/// What the strict parser reads, number for number as it is spelled; nothing if the text is no JSON.
fn strictly(text: &str) -> Option<String> {
    let mut parser = Parser::with_options(Options::strict().duplicates(Duplicates::Error));
    parser.push(text);
    let finished = parser.finish(End::Unknown);
    (finished.outcome() == Outcome::Complete).then(|| finished.snapshot().to_string())
}

/// What must hold for every repair of one document.
#[track_caller]
fn check(repaired: &Repaired) {
    let text = repaired.text();
    if !repaired.snapshot().is_started() {
        assert_eq!(text, "");
        assert_eq!(repaired.to_value(), None);
        return;
    }
    assert_eq!(strictly(text).as_deref(), Some(&*repaired.snapshot().to_string()), "{text:?}");
    check_with_serde(text, &repaired.to_value().expect("it is started"));
}

/// `serde_json` agrees, where it reads such a text at all: not beyond 128 levels, and no number beyond `f64`.
#[track_caller]
fn check_with_serde(text: &str, value: &Value) {
    match serde_json::from_str::<Value>(text) {
        Ok(parsed) => assert_eq!(&parsed, value, "{text:?}"),
        Err(error) if error.to_string().starts_with("number out of range") => {
            assert!(serde_json::from_str::<IgnoredAny>(text).is_ok(), "{text:?}");
        }
        Err(error) => assert!(error.to_string().starts_with("recursion limit"), "{error}: {text:?}"),
    }
}

/// A text without its blanks between tokens.
fn compact(text: &str) -> String {
    let mut in_string = false;
    let mut escaped = false;
    let keep = |c: &char| {
        if in_string {
            in_string = escaped || *c != '"';
            escaped = !escaped && *c == '\\';
            return true;
        }
        in_string = *c == '"';
        !matches!(c, ' ' | '\t' | '\r' | '\n')
    };
    text.chars().filter(keep).collect()
}

fn options() -> impl Strategy<Value = Options> {
    let limits = prop_oneof![
        3 => Just(Limits::default()),
        1 => (1..8_u32, 1..200_u32, 1..20_u32).prop_map(|(depth, bytes, nodes)| Limits::new().depth(depth).bytes(bytes).nodes(nodes)),
    ];
    (
        select(vec![Dialect::Lenient, Dialect::Lenient, Dialect::Strict]),
        select(vec![Roots::One, Roots::Last]),
        select(vec![Duplicates::First, Duplicates::Last, Duplicates::Error]),
        select(vec![Role::Answer, Role::Arguments]),
        select(vec![Expect::Any, Expect::Object, Expect::Array]),
        any::<bool>(),
        limits,
    )
        .prop_map(|(dialect, roots, duplicates, role, expect, source, limits)| {
            Options::new()
                .dialect(dialect)
                .roots(roots)
                .duplicates(duplicates)
                .role(role)
                .expect(expect)
                .keep_source(source)
                .limits(limits)
        })
}

fn end() -> impl Strategy<Value = End> {
    select(vec![End::Unknown, End::Stopped, End::Truncated])
}

/// Members that come twice, in any order and depth: where values and text go different ways.
fn repeated_members() -> impl Strategy<Value = String> {
    let member = (select(vec!["a", "b", "c"]), select(vec!["1", "[2, 3]", "\"x\"", "{\"a\": 4, \"b\": [5]}"]));
    let object = |blank: &'static str| {
        proptest::collection::vec(member.clone(), 0..8).prop_map(move |members| {
            let members: Vec<_> = members.iter().map(|(key, value)| format!("{blank}\"{key}\": {value}")).collect();
            format!("{{{}}}", members.join(","))
        })
    };
    (object(" "), object("\n  ")).prop_map(|(inner, outer)| {
        let inner = format!("{{\"b\": {inner}, \"a\": 0}}");
        outer.replace("\"x\"", &inner)
    })
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn the_text_is_json_and_reads_as_the_value(input in anything()) {
        check(&repair(&input));
    }

    #[test]
    fn so_it_is_with_damaged_documents(input in damaged()) {
        check(&repair(&input));
    }

    #[test]
    fn so_it_is_with_tokens_in_no_order(input in soup()) {
        check(&repair(&input));
    }

    #[test]
    fn so_it_is_with_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        check(&repair(&bytes));
    }

    #[test]
    fn so_it_is_with_the_start_of_a_document(text in documents(ANY_VALID), at in any::<Index>()) {
        let bytes = text.as_bytes();
        check(&repair(&bytes[..at.index(bytes.len() + 1)]));
    }

    #[test]
    fn so_it_is_with_all_options(input in anything(), options in options(), end in end()) {
        check(&repair_with(&input, options, end));
    }

    #[test]
    fn so_it_is_where_members_are_replaced(text in repeated_members(), cut in any::<Index>()) {
        let options = Options::new().duplicates(Duplicates::Last);
        for text in [&text[..], &text[..cut.index(text.len() + 1)]] {
            let repaired = repair_with(text, options, End::Unknown);
            check(&repaired);
            check(&repair(text));
            if repaired.is_complete() && repaired.warnings().is_empty() {
                prop_assert_eq!(repaired.text(), text);
            }
        }
    }

    #[test]
    fn valid_json_comes_back_to_the_byte(text in documents(VALID)) {
        let repaired = repair(&text);
        prop_assert_eq!(repaired.text(), &text);
        prop_assert_eq!(repaired.outcome(), Outcome::Complete);
    }

    #[test]
    fn so_does_all_valid_json_that_gives_no_warning(text in documents(ANY_VALID)) {
        let repaired = repair(&text);
        check(&repaired);
        prop_assert_eq!(repaired.outcome(), Outcome::Complete);
        if repaired.warnings().is_empty() {
            prop_assert_eq!(repaired.text(), text);
        }
    }

    #[test]
    fn what_is_repaired_needs_no_repair(input in anything()) {
        let once = repair(&input);
        let twice = repair(once.text());
        prop_assert_eq!(once.text(), twice.text());
        prop_assert!(twice.repairs().is_empty() && twice.warnings().is_empty() && twice.skipped().is_empty());
        let outcome = if once.text().is_empty() { Outcome::Empty } else { Outcome::Complete };
        prop_assert_eq!(twice.outcome(), outcome);
    }

    #[test]
    fn what_is_in_prose_and_fences_keeps_its_layout(envelope in enveloped()) {
        let repaired = repair(&envelope.text);
        check(&repaired);
        let clean: Value = serde_json::from_str(&envelope.clean).unwrap();
        prop_assert_eq!(repaired.to_value(), Some(clean));
    }

    #[test]
    fn undamaged_siblings_keep_their_bytes(
        before in containers(VALID),
        after in containers(VALID),
        damage in select(vec![r#""C:\dir""#, "[1, ]", "\"a\tb\"", r#""\ud800""#, r#"{"x": 1, "x": 2}"#]),
        as_members in any::<bool>(),
    ) {
        let (head, tail) = if as_members {
            (format!("{{\"before\" : {before} ,\n\"damage\": "), format!(",\t\"after\":{after}\n}}\n"))
        } else {
            (format!("[ {before},\r\n"), format!(" , {after} ]"))
        };
        let repaired = repair(format!("{head}{damage}{tail}"));
        check(&repaired);
        let mended = match damage {
            r#""C:\dir""# => r#""C:\\dir""#,
            "[1, ]" => "[1 ]",
            "\"a\tb\"" => r#""a\tb""#,
            r#""\ud800""# => "\"\u{fffd}\"",
            _ => r#"{"x": 1}"#,
        };
        prop_assert_eq!(repaired.text(), format!("{head}{mended}{tail}"));
    }

    #[test]
    fn a_cut_document_keeps_what_it_has(text in containers(VALID), at in any::<Index>()) {
        let at = at.index(text.len());
        let Some(head) = text.get(..at) else { return Ok(()) };
        let repaired = repair(head);
        check(&repaired);
        // All but the last tokens are there as they were.
        let finished = repaired.finished();
        if let Some(cut) = finished.cut().filter(|cut| cut.state() == jsonrill::CutState::BetweenMembers) {
            let kept = compact(head);
            let kept = kept.strip_suffix(',').unwrap_or(&kept);
            prop_assert_eq!(compact(repaired.text()), format!("{kept}{}", cut.closers()));
        }
    }

    #[test]
    fn of_many_each_has_its_line(texts in proptest::collection::vec(anything(), 0..4), end in end()) {
        let input = Input(texts.iter().map(|text| text.0.as_slice()).collect::<Vec<_>>().join(&b'\n'));
        let many = Options::new().roots(Roots::Many);
        let repaired = repair_with(&input, many, end);
        let lines: Vec<_> = repaired.text().lines().filter(|line| !line.trim_ascii().is_empty()).collect();
        let documents: Vec<_> =
            repaired.documents().filter(|document| document.snapshot.is_started()).collect();
        prop_assert_eq!(lines.len(), documents.len());
        for (line, document) in lines.iter().zip(&documents) {
            let shown = document.snapshot.to_string();
            prop_assert_eq!(strictly(line), Some(shown));
        }
        let again = repair_with(repaired.text(), many, End::Unknown);
        prop_assert_eq!(again.text(), repaired.text());
    }
}

// --- layout -----------------------------------------------------------------------------------------------------------

#[track_caller]
fn repairs_to(text: &str, expected: &str) {
    let repaired = repair(text);
    assert_eq!(repaired.text(), expected);
    check(&repaired);
}

#[test]
fn a_cut_text_is_closed_in_its_own_layout() {
    repairs_to(r#"{"items": [{"name": "Jane"}, {"name": "Jo"#, r#"{"items": [{"name": "Jane"}, {"name": "Jo"}]}"#);
    repairs_to("{\n  \"a\": [\n    1,\n    2", "{\n  \"a\": [\n    1,\n    2\n  ]\n}");
    repairs_to("{\r\n\t\"a\": {\r\n\t\t\"b\": [1, 2,", "{\r\n\t\"a\": {\r\n\t\t\"b\": [1, 2]\r\n\t}\r\n}");
    repairs_to("  [\n    {\n      \"a\": 1\n    },\n    {", "  [\n    {\n      \"a\": 1\n    },\n    {}\n  ]");
    // What is held is not there, and nothing is made up for it.
    repairs_to(r#"{"a": 1, "b"#, r#"{"a": 1}"#);
    repairs_to(r#"{"a": 1, "b": "#, r#"{"a": 1}"#);
    repairs_to(r#"{"a": 1, "b": tr"#, r#"{"a": 1}"#);
    repairs_to(r#"{"a": 1, "b": 1."#, r#"{"a": 1, "b": 1}"#);
    repairs_to("[\"\\u0061\" \n", "[\"\\u0061\"]");
    repairs_to(r#"{"a": "x\u00"#, r#"{"a": "x"}"#);
}

#[test]
fn commas_go_and_layout_stays() {
    repairs_to(
        "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2,\n  ],\n}\n",
        "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ]\n}\n",
    );
    repairs_to("[1,2 ,]", "[1,2]");
}

#[test]
fn spelling_stays_where_nothing_is_wrong() {
    repairs_to(
        "Look:\n```json\n{\"n\": [1.50, -0, 1E+05, 12345678901234567890123], \"s\": \"caf\\u00e9 \\/ \\ud83c\\udf89\", \"p\": \"C:\\dir\\u00e9\"}\n```\nBye",
        "{\"n\": [1.50, -0, 1E+05, 12345678901234567890123], \"s\": \"caf\\u00e9 \\/ \\ud83c\\udf89\", \"p\": \"C:\\\\diré\"}",
    );
    // Also that of keys.
    repairs_to("{\"a\\u0062\" :\t1, \"x\\y\"  : 2}", "{\"a\\u0062\" :\t1, \"x\\\\y\"  : 2}");
}

#[test]
fn a_number_that_no_value_holds_keeps_its_spelling() {
    let repaired = repair("[1e999, ]");
    assert_eq!(repaired.text(), "[1e999 ]");
    assert_eq!(repaired.to_value(), Some(json!([null])));
}

#[test]
fn duplicates_are_dropped_with_their_layout() {
    repairs_to(r#"{"a": 1, "a": 2, "b": 3}"#, r#"{"a": 1, "b": 3}"#);
    repairs_to("{\n  \"a\": 1,\n  \"a\": 2,\n  \"b\": 3\n}", "{\n  \"a\": 1,\n  \"b\": 3\n}");
    repairs_to(r#"{"a": 1, "a": [2, {"a": 3}]}"#, r#"{"a": 1}"#);
    let last = Options::new().duplicates(Duplicates::Last);
    let repaired = |text: &str| repair_with(text, last, End::Unknown).into_text();
    assert_eq!(repaired(r#"{"a": 1, "b": 2, "a": 3}"#), r#"{"a": 3, "b": 2}"#);
    assert_eq!(repaired(r#"{"a":1,"b":2,"a":3}"#), r#"{"a":3,"b":2}"#);
    assert_eq!(
        repaired("{\n  \"a\": 1,\n  \"b\": 2,\n  \"a\": [\n    3\n  ]\n}"),
        "{\n  \"a\": [\n    3\n  ],\n  \"b\": 2\n}"
    );
}

#[test]
fn nothing_is_nothing() {
    for text in ["", " \n", "No JSON here.", "\u{feff}", "```json\n```"] {
        let repaired = repair(text);
        assert_eq!((repaired.text(), repaired.outcome()), ("", Outcome::Empty), "{text:?}");
        assert_eq!(repaired.to_value(), None);
    }
    // A call without arguments is one.
    let arguments = repair_with(" ", Options::new().role(Role::Arguments), End::Stopped);
    assert_eq!((arguments.text().trim(), arguments.outcome()), ("{}", Outcome::Complete));
}

#[test]
fn errors_keep_what_came_before_them() {
    let strict = repair_with("{\n  \"a\": [1, 2],\n  \"b\": !\n}", Options::strict(), End::Unknown);
    assert_eq!(strict.outcome(), Outcome::Malformed);
    assert_eq!(strict.text(), "{\n  \"a\": [1, 2]\n}");
    let limits = Limits::new().bytes(9);
    let limited = repair_with("[\"a\", \"bcdefg\"]", Options::new().limits(limits), End::Unknown);
    assert_eq!(limited.outcome(), Outcome::Limit);
    assert_eq!(limited.text(), r#"["a", "bc"]"#);
}

#[test]
fn of_many_documents_each_is_a_line() {
    let many = Options::new().roots(Roots::Many);
    let lines = |text: &str| repair_with(text, many, End::Unknown).into_text();
    // JSON lines come back to the byte.
    for text in ["{\"a\": 1}\n{\"b\": [1, 2]}\n", "{\"a\": 1}\r\n\r\n{\"b\": 2}", "1\n2\n3\n"] {
        assert_eq!(lines(text), text);
    }
    assert_eq!(lines("{\"a\":\r1}\r{\"b\": 2}"), "{\"a\":1}\n{\"b\": 2}");
    assert_eq!(lines("{\"a\": 1}{\"b\": 2} {\"c\": 3}"), "{\"a\": 1}\n{\"b\": 2}\n{\"c\": 3}");
    assert_eq!(lines("{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n{}"), "{\"a\": 1, \"b\": [2]}\n{}");
    assert_eq!(lines("First:\n{\"a\": 1,}\nthen\n{\"b\": [2"), "{\"a\": 1}\n{\"b\": [2]}");
}

#[test]
fn deep_texts_are_closed() {
    let text = "[".repeat(512);
    let repaired = repair(&text);
    assert_eq!(repaired.text(), format!("{text}{}", "]".repeat(512)));
    assert_eq!(repair("[".repeat(100_000)).outcome(), Outcome::Limit);
}

#[test]
fn repaired_is_at_hand_in_every_form() {
    let repaired = repair("{\"a\": [1,]}");
    assert_eq!(repaired.to_string(), "{\"a\": [1]}");
    assert_eq!(repaired.snapshot().at("/a/0"), 1);
    assert_eq!(repaired.clone().into_text(), "{\"a\": [1]}");
    assert!(repaired.into_finished().into_complete().is_ok());
    assert!(repair("{\"a\": [1").into_finished().into_complete().is_err());
}

/// Twice the text may take about twice the time, whatever is in it. Steps are not counted here, so only what would take
/// minutes is noticed.
#[test]
fn long_texts_take_no_long_time() {
    let many = 200_000;
    let comments = format!("[1{}]", ", /* x */ 2".repeat(10_000));
    let blanks = format!("[{}1, {}]", " ".repeat(many), " ".repeat(many));
    let repeated = format!("{{{}\"z\": 1}}", "\"a\": 1, \"b\": 2, ".repeat(many / 4));
    let lines = format!("[\n{}", "{\n\"a\": [\n".repeat(200));
    let last = Options::new().duplicates(Duplicates::Last);
    let reversed: String =
        (0..50_000).chain((0..50_000).rev()).fold("{".to_owned(), |text, key| format!("{text}\"{key}\":1,"));
    for text in [&comments, &blanks, &repeated, &lines, &reversed] {
        check(&repair(text));
        check(&repair_with(text, last, End::Unknown));
    }
    let documents = "{\"a\": 1,}".repeat(many / 4);
    assert_eq!(
        repair_with(&documents, Options::new().roots(Roots::Many), End::Unknown).text().lines().count(),
        many / 4
    );
}

#[test]
fn what_was_done_is_written_as_json() {
    let repaired = repair(r#"Hm: {"a": 1, "a": 2,}"#);
    let told = json!([
        repaired.repairs().iter().collect::<Vec<_>>(),
        repaired.warnings().iter().collect::<Vec<_>>(),
        repaired.skipped().iter().collect::<Vec<_>>(),
    ]);
    let wanted = json!([
        [{"kind": "extra_comma", "offset": 19, "length": 1, "message": "comma with nothing before or behind it dropped"}],
        [{"kind": "duplicate_key", "offset": 13, "length": 6, "message": "key that its object has already"}],
        [{"kind": "prose", "offset": 0, "length": 4, "message": "text around the JSON"}],
    ]);
    assert_eq!(told, wanted);
}

/// Where a comma is supplied, the key behind it stays as it is spelled.
#[test]
fn keys_keep_their_spelling() {
    let repaired = repair(r#"{"\u0061": 1 "\u0062" : 2}"#);
    assert_eq!(repaired.text(), r#"{"\u0061": 1, "\u0062" : 2}"#);
}
