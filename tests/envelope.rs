//! What models write around and into JSON, as far as the lenient dialect reads it so far: prose,
//! fences, think blocks, a BOM, several candidates, and within the document raw control characters,
//! invalid escapes and trailing commas.

#[path = "envelope/cases.rs"]
mod cases;
mod common;

use cases::{CANDIDATES, Case, FENCES, MARKS, PROSE, REASONING, TAGS};
use common::chunks::chunking;
use common::generate::{MESSY, enveloped, twin_containers};
use common::{config, lenient, options};
use jsonrill::{Dialect, Duplicates, End, Expect, Finished, Options, Outcome, Parser, Role, Roots, SkipKind};
use proptest::prelude::*;
use serde_json::{Value, json};

fn around(finished: &Finished) -> String {
    let snapshot = finished.snapshot();
    let mut tiles: Vec<(u32, &str)> =
        snapshot.outside().map(|outside| (outside.span.start, outside.kind.as_str())).collect();
    tiles.extend(snapshot.root().span().map(|span| (span.start, "|")));
    tiles.sort_unstable();
    tiles.dedup_by_key(|(_, kind)| *kind);
    tiles.into_iter().map(|(_, kind)| kind).collect::<Vec<_>>().join(" ")
}

/// What is wrong with a reading, if anything is.
fn fault(case: &Case, finished: &Finished) -> Option<String> {
    let value = if case.value.is_empty() { Value::Null } else { serde_json::from_str(case.value).unwrap() };
    let found = finished.snapshot().to_value();
    let started = !case.value.is_empty();
    let around = around(finished);
    let fault = if found != value || finished.snapshot().is_started() != started {
        format!("reads {found}, not {value}")
    } else if finished.outcome() != case.outcome || finished.is_complete() != started {
        format!("is {:?}, not {:?}", finished.outcome(), case.outcome)
    } else if finished.error().is_some() || !finished.repairs().is_empty() {
        format!("has {:?} and {:?}", finished.error(), finished.repairs())
    } else if !case.around.is_empty() && around != case.around {
        format!("has {around:?} around it, not {:?}", case.around)
    } else if finished.skipped().is_empty() != (case.outcome == Outcome::Complete) {
        format!("skips {:?}", finished.skipped())
    } else {
        return None;
    };
    Some(format!("{:?} {fault}", case.text))
}

#[test]
fn each_text_has_its_reading_whole_and_byte_by_byte() {
    let mut faults = Vec::new();
    for case in [PROSE, FENCES, REASONING, MARKS, TAGS, CANDIDATES].into_iter().flatten() {
        let mut parser = Parser::new();
        case.text.bytes().for_each(|byte| parser.push([byte]));
        let [whole, bytewise] =
            [lenient(case.text), parser.finish(End::Unknown)].map(|finished| fault(case, &finished));
        faults.extend(whole.or(bytewise));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn candidates_are_shown_when_they_are_strong() {
    // Text, what is shown then, and what is shown if it ends there.
    let cases = [
        ("{", "", "{}"),
        ("{\"a\"", "", "{}"),
        ("{\"a\":", "{}", "{}"),
        ("{\"a\": 1", "{\"a\":1}", "{\"a\":1}"),
        ("{}", "{}", "{}"),
        ("  []", "[]", "[]"),
        ("```json\n[]", "[]", "[]"),
        ("<think>.</think>{}", "{}", "{}"),
        ("Hi {}", "", "{}"),
        ("Hi []", "", "[]"),
        ("[", "", "[]"),
        ("[1", "", "[1]"),
        ("[1]", "", "[1]"),
        ("[1, 2,", "[1,2]", "[1,2]"),
        ("[\"a\",", "[\"a\"]", "[\"a\"]"),
        ("[[1", "", "[[1]]"),
        ("[[1, 2],", "[[1,2]]", "[[1,2]]"),
        ("[{", "", "[{}]"),
        ("[{\"a\":", "[{}]", "[{}]"),
        ("[{}, {\"a\": 1", "[{},{\"a\":1}]", "[{},{\"a\":1}]"),
        ("Hi {\"a\":", "{}", "{}"),
        ("42", "", "42"),
        ("\"text", "", "\"text\""),
        ("true", "", "true"),
        ("{x", "", ""),
        ("[x]", "", "[\"x\"]"),
    ];
    for (text, now, at_end) in cases {
        let mut parser = Parser::new();
        let update = parser.feed(text);
        let shown = |snapshot: &jsonrill::Snapshot| {
            if snapshot.is_started() { snapshot.to_string() } else { String::new() }
        };
        assert_eq!(shown(update.snapshot()), now, "{text:?}");
        // `[x]` and the like may be text by now, or held.
        assert_eq!(shown(parser.finish(End::Unknown).snapshot()), at_end, "{text:?} at its end");
    }
}

/// A note such as `[1]` is the answer of a text that has no other, but not of one that was cut before its answer.
#[test]
fn a_note_is_no_answer_of_a_text_that_was_cut() {
    // Text, outcome where the model stopped, outcome where it was cut.
    let cases = [
        ("See [1] for more.", Outcome::Repaired, Outcome::Empty),
        ("I put {} in it, sorry I cannot", Outcome::Repaired, Outcome::Empty),
        ("Sure, [1]: {\"intent\"", Outcome::Repaired, Outcome::Truncated),
        ("[1]", Outcome::Complete, Outcome::Complete),
        ("```json\n[1]\n```", Outcome::Repaired, Outcome::Repaired),
        ("See [1]: {\"a\": 1}", Outcome::Repaired, Outcome::Repaired),
    ];
    for (text, stopped, cut) in cases {
        for (end, outcome) in [(End::Stopped, stopped), (End::Unknown, stopped), (End::Truncated, cut)] {
            let mut parser = Parser::new();
            parser.feed(text);
            assert_eq!(parser.finish(end).outcome(), outcome, "{text:?} at {end:?}");
        }
    }
}

#[test]
fn a_fence_does_not_end_within_a_string() {
    let finished = lenient("```json\n{\"md\": \"\n```\nx\n```\n\"}\n```\nBye.");
    assert_eq!(finished.snapshot().to_value(), json!({"md": "\n```\nx\n```\n"}));
    assert_eq!(around(&finished), "fence | fence prose");
}

#[test]
fn reasoning_without_an_opening_tag() {
    let text = "perhaps {\"draft\": 1}\n</think>\n{\"final\": 2}";
    let read = |expected| {
        let mut parser = Parser::with_options(Options::new().reasoning_expected(expected));
        parser.feed(text);
        parser.finish(End::Stopped)
    };
    // The draft was shown before the tag came, and what was shown stays.
    assert_eq!(read(false).snapshot().to_value(), json!({"draft": 1}));
    assert_eq!(read(true).snapshot().to_value(), json!({"final": 2}));
    assert_eq!(around(&read(true)), "reasoning tag |");
}

#[test]
fn all_candidates_that_were_read_are_documents() {
    let cases = [
        ("{\"v\": 1} no: {\"v\": 2}", vec![json!({"v": 1}), json!({"v": 2})]),
        ("As in [1], it is {\"a\": 1}", vec![json!([1]), json!({"a": 1})]),
        ("{\"a\":1}\n[2, 3]\n{\"a\":3}", vec![json!({"a": 1}), json!([2, 3]), json!({"a": 3})]),
    ];
    for (text, expected) in cases {
        let finished = lenient(text);
        let documents: Vec<_> = finished.documents().map(|document| document.snapshot.to_value()).collect();
        assert_eq!(documents, expected, "{text:?}");
        assert!(finished.documents().all(|document| document.is_complete), "{text:?}");
        for document in finished.documents() {
            let source = &text[document.span.start as usize..document.span.end as usize];
            assert_eq!(serde_json::from_str::<Value>(source).unwrap(), document.snapshot.to_value());
        }
    }
}

#[test]
fn many_roots_between_prose() {
    let mut parser = Parser::with_options(Options::new().roots(Roots::Many));
    parser.feed("First {\"a\": 1}, then\n```json\n{\"b\": 2}\n```\nand [3, 4].");
    let finished = parser.finish(End::Unknown);
    let documents: Vec<_> = finished.documents().map(|document| document.snapshot.to_value()).collect();
    assert_eq!(documents, [json!({"a": 1}), json!({"b": 2}), json!([3, 4])]);
    assert_eq!(finished.outcome(), Outcome::Repaired);
}

#[test]
fn the_text_around_is_readable_as_it_streams() {
    let mut parser = Parser::new();
    let chat = |snapshot: &jsonrill::Snapshot| -> String {
        let prose = snapshot.outside().filter(|outside| outside.kind == SkipKind::Prose);
        prose.map(|outside| outside.text.into_owned()).collect()
    };
    let update = parser.feed("Here is ");
    assert_eq!(chat(update.snapshot()).trim_end(), "Here is");
    let update = parser.feed("your card:\n{\"a\"");
    assert_eq!(chat(update.snapshot()).trim_end(), "Here is your card:");
    let update = parser.feed(": 1} Any");
    assert!(chat(update.snapshot()).ends_with("Any"));
    let update = parser.feed("thing else?");
    assert!(chat(update.snapshot()).ends_with("Anything else?"));
    assert_eq!(update.snapshot().to_value(), json!({"a": 1}));
}

#[test]
fn a_weak_candidate_is_held_for_256_bytes() {
    let far = "and so on ".repeat(30);
    let mut parser = Parser::new();
    let shown = |snapshot: &jsonrill::Snapshot| -> String {
        snapshot.outside().map(|outside| outside.text.into_owned()).collect()
    };
    assert_eq!(shown(parser.feed("See [1], ").snapshot()), "See ");
    // Then it is shown with the prose around it, and is an answer all the same.
    assert_eq!(shown(parser.feed(&far).snapshot()), format!("See [1], {far}"));
    let finished = parser.finish(End::Unknown);
    assert_eq!(finished.snapshot().to_value(), json!([1]));
    let skipped: Vec<_> = finished.skipped().iter().map(|skip| skip.span.range()).collect();
    assert_eq!(skipped, [0..4, 7..309]);
}

#[test]
fn a_weak_root_before_blanks_alone_is_no_prose() {
    for text in ["[1]", "\u{feff}{}", "{\"a\"}", "[1, [2]]"] {
        let text = format!("{text}{}", "\r\n    ".repeat(100));
        let mut parser = Parser::new();
        for byte in text.bytes() {
            assert!(
                parser.feed([byte]).snapshot().outside().all(|outside| outside.kind != SkipKind::Prose),
                "{text:?}"
            );
        }
        let finished = parser.finish(End::Unknown);
        assert!(finished.is_complete(), "{text:?}");
        assert!(finished.skipped().iter().all(|skip| skip.kind != SkipKind::Prose), "{text:?}");
        assert_eq!(common::laws::nothing_is_lost(&finished, text.as_bytes()), Ok(()), "{text:?}");
    }
}

#[test]
fn what_strings_and_commas_lenient_reads() {
    // Text, the same in valid JSON, and the repairs that are told.
    let cases: &[(&str, &str, &[&str])] = &[
        ("{\"a\": \"x\ny\"}", r#"{"a":"x\ny"}"#, &["control_character"]),
        ("{\"a\": \"x\r\n\ty\"}", r#"{"a":"x\r\n\ty"}"#, &["control_character"]),
        ("{\"a\": \"\0\u{1}\u{1f}\"}", r#"{"a":"\u0000\u0001\u001f"}"#, &["control_character"]),
        ("{\"a\tb\": 1}", r#"{"a\tb":1}"#, &["control_character"]),
        (r#"{"a": "\d+ \$5 \H"}"#, r#"{"a":"\\d+ \\$5 \\H"}"#, &["invalid_escape"; 3]),
        (r#"{"a": "it\'s"}"#, r#"{"a":"it's"}"#, &["invalid_escape"]),
        (r#"{"a": "\u00zz \u12"}"#, r#"{"a":"\\u00zz \\u12"}"#, &["invalid_escape"; 2]),
        ("{\"a\": \"x\\\ny\"}", r#"{"a":"x\ny"}"#, &["invalid_escape", "control_character"]),
        ("{\"a\": \"\\é\"}", r#"{"a":"\\é"}"#, &["invalid_escape"]),
        (r#"{"k\q": 1}"#, r#"{"k\\q":1}"#, &["invalid_escape"]),
        (r#"{"a": [1, 2,]}"#, r#"{"a":[1,2]}"#, &["extra_comma"]),
        (r#"{"a": 1,}"#, r#"{"a":1}"#, &["extra_comma"]),
        ("{\"a\": [true , \n ] ,\t}", r#"{"a":[true]}"#, &["extra_comma"; 2]),
        (r#"["a", {"b": {},},]"#, r#"["a",{"b":{}}]"#, &["extra_comma"; 2]),
    ];
    for (text, clean, repairs) in cases {
        let finished = lenient(text);
        assert_eq!(finished.outcome(), Outcome::Repaired, "{text:?}");
        assert!(finished.is_complete() && finished.skipped().is_empty(), "{text:?}");
        assert_eq!(finished.snapshot().to_value(), serde_json::from_str::<Value>(clean).unwrap(), "{text:?}");
        let mut told: Vec<&str> = finished.repairs().iter().map(|repair| repair.kind.as_str()).collect();
        if repairs[0] == "control_character" {
            told.dedup();
        }
        assert_eq!(told, *repairs, "{text:?}");
        for repair in finished.repairs() {
            assert!(!repair.span.is_empty() && !repair.kind.message().is_empty());
            let source = finished.snapshot().source(repair.span).into_owned();
            let fits = match repair.kind.as_str() {
                "extra_comma" => source == ",",
                "invalid_escape" => source.starts_with('\\'),
                _ => source.chars().all(char::is_control),
            };
            assert!(fits, "{source:?} is no {:?}", repair.kind);
        }
        assert!(common::strict(text).outcome() == Outcome::Malformed, "{text:?}");
    }
}

/// The lenient dialect has a reading for everything but what an option forbids.
#[test]
fn what_an_option_forbids_is_malformed_where_it_is() {
    let text = r#"{"a": 1, "b": 2, "a": 3, "c": 4}"#;
    let finished = common::finished(&Options::new().duplicates(Duplicates::Error), text, End::Stopped);
    assert_eq!(finished.outcome(), Outcome::Malformed);
    assert_eq!(finished.error().unwrap().offset(), 17);
    assert_eq!(finished.snapshot().to_value(), json!({"a": 1, "b": 2}));
    assert!(finished.skipped().iter().any(|skip| skip.kind == SkipKind::Unread));
    assert!(finished.into_complete().is_err());
}

#[test]
fn lenient_is_sure_of_a_scalar_at_the_comma_or_closer_after_it() {
    // What is fed in turn, a path, and whether it is final after each.
    let cases: &[(&[&str], &str, &[bool])] = &[
        (&["{\"t\":\"x\"", " ", ",", "\"u\":"], "/t", &[false, false, true, true]),
        (&["{\"t\":\"x\"", "}"], "/t", &[false, true]),
        (&["{\"t\":[\"x\"", "\n]"], "/t/0", &[false, true]),
        (&["{\"t\":true", "\n", ","], "/t", &[false, false, true]),
        (&["{\"t\":[1", "2", ","], "/t/0", &[false, false, true]),
        (&["{\"t\":1", ", \"u\""], "/t", &[false, true]),
        (&["{\"t\":{\"u\":{}", "}"], "/t/u", &[true, true]),
        (&["{\"t\":[[]", "]"], "/t", &[false, true]),
    ];
    for (chunks, path, finals) in cases {
        let mut parser = Parser::new();
        for (chunk, expected) in chunks.iter().zip(*finals) {
            let update = parser.feed(chunk);
            assert_eq!(update.is_final(*path), *expected, "{path} after {chunk:?} of {chunks:?}");
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn what_is_around_a_document_never_changes_it(input in enveloped(), chunking in chunking()) {
        let mut parser = Parser::new();
        for chunk in chunking.cut(input.text.as_bytes()) {
            parser.feed(chunk);
        }
        let finished = parser.finish(End::Unknown);
        let clean = common::strict(&input.clean);
        prop_assert_eq!(finished.snapshot().to_string(), clean.snapshot().to_string());
        prop_assert!(finished.is_complete());
        let untouched = input.text.trim() == input.clean.trim();
        prop_assert_eq!(finished.outcome() == Outcome::Complete, untouched);
    }

    #[test]
    fn a_messy_document_reads_as_its_clean_twin(twin in twin_containers(MESSY), chunking in chunking()) {
        let mut parser = Parser::new();
        for chunk in chunking.cut(twin.messy.as_bytes()) {
            parser.feed(chunk);
        }
        let finished = parser.finish(End::Unknown);
        prop_assert_eq!(finished.snapshot().to_string(), common::strict(&twin.clean).snapshot().to_string());
        prop_assert!(finished.is_complete());
        prop_assert_eq!(finished.repairs().is_empty(), twin.messy == twin.clean);
        prop_assert!(finished.skipped().is_empty());
    }

    /// Text outside the JSON is shown once its kind is settled, and then only grows.
    #[test]
    fn the_text_around_only_grows(input in enveloped(), chunking in chunking()) {
        let mut parser = Parser::with_options(options(Dialect::Lenient));
        let mut before: Vec<(SkipKind, u32, u32)> = Vec::new();
        for chunk in chunking.cut(input.text.as_bytes()) {
            let update = parser.feed(chunk);
            let tiles = update.snapshot().outside().map(|outside| (outside.kind, outside.span.start, outside.span.end));
            let tiles: Vec<_> = tiles.collect();
            for (kind, start, end) in before {
                let kept = tiles.iter().any(|tile| tile.0 == kind && tile.1 == start && tile.2 >= end);
                prop_assert!(kept, "{:?} at {} was shown, now {:?}", kind, start, tiles);
            }
            before = tiles;
        }
    }
}

/// What is read beside the answer is found in the documents, and spoils nothing.
#[test]
fn other_documents_beside_the_answer() {
    let member = |n: usize| ["\"c".to_owned(), n.to_string(), "\":0,".to_owned()];
    let members = |count: usize| (0..count).flat_map(member).collect::<String>();
    // A large object that is abandoned leaves nothing behind that a later one could be taken for.
    let last = format!("{{{}\"z\":\"{}\",\"c39\":7,\"cy\":8}}", members(33), "ppc39".repeat(8));
    // The arrays in it are too many.
    let text = format!("{{\"A\":1}}{{{}\"d\":{}x] {last}", members(40), "[".repeat(512));
    for duplicates in [Duplicates::First, Duplicates::Error] {
        let finished = common::finished(&Options::new().duplicates(duplicates), text.as_str(), End::Stopped);
        assert_eq!(finished.snapshot().to_string(), "{\"A\":1}");
        let documents: Vec<_> = finished.documents().collect();
        assert_eq!(documents.len(), 2);
        assert_eq!(documents[1].snapshot.at("/c39"), 7);
        assert_eq!(documents[1].snapshot.source(documents[1].span), last);
        assert!(finished.warnings().is_empty());
    }
    let deep = format!("{{\"a\":1}} {}", "[".repeat(600));
    for (text, options) in [
        (deep.as_str(), Options::new()),
        ("{\"a\":1} {\"b\":2,\"b\":3}", Options::new().role(Role::Arguments)),
        ("{\"a\":1} {\"b\":2,\"b\":3}", Options::new().duplicates(Duplicates::Error)),
    ] {
        let finished = common::finished(&options, text, End::Stopped);
        assert_eq!(finished.outcome(), Outcome::Repaired, "{text:.30}");
        assert_eq!(finished.snapshot().at("/a"), 1, "{text:.30}");
    }
}

/// A member that was to replace another, in a document that is abandoned, replaces nothing in the next.
#[test]
fn what_was_to_be_replaced_is_forgotten_with_its_document() {
    let options = Options::new().duplicates(Duplicates::Last);
    let finished = common::finished(
        &options,
        &*format!(r#"{{"a":1}} {{"b":1,"b":{}x] {{"c":2,"d":3}}"#, "[".repeat(512)),
        End::Stopped,
    );
    let documents: Vec<_> = finished.documents().map(|document| document.snapshot.to_string()).collect();
    assert_eq!(documents, [r#"{"a":1}"#, r#"{"c":2,"d":3}"#]);
}

/// A character that is cut, or bytes that are none, behind and in a bare scalar.
#[test]
fn broken_characters_around_bare_scalars() {
    let cases: [(&[u8], &str, Outcome); 5] = [
        (b"\"\"\xe2\x82", "\"\"", Outcome::Repaired),
        (b"12\xe2", "12", Outcome::Repaired),
        (b"\"a\" \xe2", "\"a\"", Outcome::Repaired),
        (b"\"a\xe2", "\"a\"", Outcome::Truncated),
        (b"\"{\" \xff\": 1}", "{\" \u{fffd}\":1}", Outcome::Repaired),
    ];
    for (text, value, outcome) in cases {
        for size in 1..=text.len() {
            let mut parser = Parser::new();
            text.chunks(size).for_each(|chunk| parser.push(chunk));
            let finished = parser.finish(End::Stopped);
            assert_eq!((finished.snapshot().to_string().as_str(), finished.outcome()), (value, outcome), "{text:?}");
        }
    }
}

/// Blanks behind a note are prose if prose follows, however the text is cut.
#[test]
fn blanks_behind_a_note() {
    let text = format!("[1]{}x y", " ".repeat(300));
    let outside = |size: usize| {
        let mut parser = Parser::new();
        let snapshots: Vec<_> =
            text.as_bytes().chunks(size).map(|chunk| parser.feed(chunk).snapshot().clone()).collect();
        snapshots.last().unwrap().outside().map(|outside| outside.span).collect::<Vec<_>>()
    };
    assert_eq!(outside(1), outside(text.len()));
    assert_eq!(outside(1).len(), 1);
}

/// A scalar of which nothing can be shown is cut, not absent.
#[test]
fn a_scalar_that_has_only_begun_is_truncated() {
    for text in ["tru", "-", "\"ab", "1.", "[tru", "{\"a\": -"] {
        for dialect in common::DIALECTS {
            let finished = common::finished(&common::options(dialect), text, End::Unknown);
            assert_eq!(finished.outcome(), Outcome::Truncated, "{text}");
        }
    }
}

#[test]
fn the_last_root_is_never_skipped() {
    let finished = common::finished(&Options::new().roots(Roots::Last), "{\"a\":1} {\"b\":2} [1]", End::Stopped);
    assert_eq!(finished.snapshot().to_string(), "{\"b\":2}");
    let skipped: Vec<_> = finished.skipped().iter().map(|skip| (skip.kind, skip.span.range())).collect();
    assert_eq!(skipped, [(SkipKind::Document, 0..7), (SkipKind::Prose, 16..19)]);
}

/// Pieces of what is around JSON, whole and broken.
const PIECES: &[&str] = &[
    "{\"a\": 1}",
    "{}",
    "[1]",
    "[",
    "]",
    "{",
    "}",
    "[T",
    "[TOOL_CALLS]",
    "[TOOL",
    "INST]",
    "```",
    "````",
    "~~~",
    "`",
    "json",
    "\n",
    "\n",
    " ",
    "{x",
    "\"",
    "\": 2",
    "<think>",
    "</think>",
    "<thi",
    "<",
    ">",
    "/",
    "<|",
    "|>",
    "im_start",
    "channel",
    "analysis",
    "message",
    "<｜",
    "｜>",
    "<answer>",
    "</answer>",
    "<tool x=",
    "answer",
    "42",
    "word",
    "é",
    "\u{feff}",
    "=",
    "1, 2",
    "[THINK]",
    "[/THINK]",
];

/// What is shown of `text`: what is outside and what is in it.
fn shown(snapshot: &jsonrill::Snapshot) -> (Vec<(SkipKind, u32, u32)>, String) {
    let outside = snapshot.outside().map(|outside| (outside.kind, outside.span.start, outside.span.end));
    (outside.collect(), snapshot.to_string())
}

/// What a parser says in the end.
fn said(finished: &Finished) -> String {
    let documents: Vec<_> = finished.documents().map(|document| document.snapshot.to_string()).collect();
    let told = (finished.outcome(), finished.skipped(), finished.repairs());
    format!("{:?} {:?} {told:?}", shown(finished.snapshot()), documents)
}

proptest! {
    #![proptest_config(config(600))]

    /// Law 1 for what is around the JSON: after each byte the same is shown as of a text that ends there.
    #[test]
    fn what_is_around_is_read_by_the_bytes_so_far(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..12),
        broken in prop::option::weighted(0.2, any::<prop::sample::Index>()),
        roots in prop::sample::select(vec![Roots::One, Roots::Last, Roots::Many]),
        expect in prop::sample::select(vec![Expect::Any, Expect::Object, Expect::Array]),
        reasoning in prop::bool::weighted(0.2),
    ) {
        let options = Options::new().roots(roots).expect(expect).reasoning_expected(reasoning);
        let mut bytes = pieces.concat().into_bytes();
        if let Some(index) = broken {
            bytes.insert(index.index(bytes.len() + 1), 0xFF);
        }
        let mut parser = Parser::with_options(options);
        for end in 1..=bytes.len() {
            parser.push(&bytes[end - 1..end]);
            let mut whole = Parser::with_options(options);
            whole.push(&bytes[..end]);
            prop_assert_eq!(shown(&parser.snapshot()), shown(&whole.snapshot()), "at {} of {:?}", end, pieces);
        }
        let whole = common::finished(&options, bytes.as_slice(), End::Unknown);
        prop_assert_eq!(said(&parser.finish(End::Unknown)), said(&whole));
        let mut at = 0;
        for (_, start, end) in shown(whole.snapshot()).0 {
            prop_assert!(at <= start && start < end, "{:?}", shown(whole.snapshot()));
            at = end;
        }
        // Nothing is lost: every byte is blank, in a document, or skipped.
        let mut lost = bytes.clone();
        let documents: Vec<_> = whole.documents().map(|document| document.span).collect();
        for span in whole.skipped().iter().map(|skip| skip.span).chain(documents) {
            lost[span.range()].fill(b' ');
        }
        prop_assert!(lost.iter().all(u8::is_ascii_whitespace), "{:?} of {:?}", String::from_utf8_lossy(&lost), pieces);
    }
}

/// Each opener a million bytes long, in small chunks: were any of them quadratic, this would not end.
#[test]
fn a_megabyte_of_each_opener_is_read_in_linear_time() {
    let kinds = [
        "<",
        "<think",
        "`",
        "` ",
        "```",
        "```x",
        "```x` ",
        "~",
        "~~~\n",
        "<|",
        "<|a",
        "<|channel|>",
        "</",
        "<tool ",
        "[T ",
        "[TOOL_CALL",
        "[INST]",
        "{ not json ",
        "[x ",
        "]",
        "}",
        "\u{feff}",
        "<think></think>",
        "</think>",
        "[1] ",
        "x {} ",
    ];
    for reasoning in [false, true] {
        for kind in kinds {
            let text = format!("{}{{\"a\":1}}", kind.repeat(1_000_000 / kind.len()));
            let mut parser = Parser::with_options(Options::new().reasoning_expected(reasoning));
            text.as_bytes().chunks(64).for_each(|chunk| parser.push(chunk));
            let finished = parser.finish(End::Unknown);
            let lost = reasoning && !kind.contains("</think>");
            let found = finished.snapshot().to_string();
            assert!(lost || found == "{\"a\":1}", "{found} in {kind:?}");
        }
    }
}

/// A fence line is shown when its line has ended, or is too long to be held.
#[test]
fn what_a_fence_and_a_tag_hold() {
    let after = |chunks: &[&str]| {
        let mut parser = Parser::new();
        let snapshots: Vec<_> = chunks.iter().map(|chunk| parser.feed(*chunk).snapshot().clone()).collect();
        let outside = snapshots.last().unwrap().outside();
        outside.map(|outside| format!("{}:{}", outside.kind, outside.text)).collect::<Vec<_>>()
    };
    assert!(after(&["```json"]).is_empty());
    assert_eq!(after(&["```json", "\n"]), ["fence:```json\n"]);
    assert_eq!(after(&["Hi ```json"]), ["prose:Hi "]);
    assert_eq!(after(&["Hi ", "```x", "``` yes"]), ["prose:Hi ```x``` yes"]);
    let long = "x".repeat(200);
    assert_eq!(after(&["```", &long]), [format!("fence:```{long}")]);
    assert_eq!(after(&["Hi ```", &long]), [format!("prose:Hi ```{long}")]);
    assert_eq!(after(&["a <answ"]), ["prose:a "]);
    assert_eq!(after(&["a <answ", "er>"]), ["prose:a ", "tag:<answer>"]);
    assert_eq!(after(&["a <answ", " b"]), ["prose:a <answ b"]);
    assert_eq!(after(&["<answer ", &long]), Vec::<String>::new());
    assert_eq!(after(&["<answer ", &long, &long]), [format!("prose:<answer {long}{long}")]);
    assert_eq!(after(&["<|", &long]), [format!("prose:<|{long}")]);
    assert_eq!(after(&["<|im_start|>assis"]), ["tag:<|im_start|>assis"]);
    assert_eq!(after(&["<|im_start|>", "assistant Hi"]), ["tag:<|im_start|>assistant", "prose:Hi"]);
    assert_eq!(after(&["See [T", "OO] "]), ["prose:See [TOO] "]);
}

/// What was held as something else, and is the start of a root at the end of a text.
#[test]
fn a_bracket_that_was_held_is_a_root_that_was_cut() {
    for (text, value) in [("[", "[]"), ("Here: ```json {", "{}"), ("```json [ \n", "[]"), ("{} ```json {", "{}")] {
        let finished = lenient(text);
        assert_eq!(finished.snapshot().to_string(), value, "{text:?}");
        assert_eq!(finished.outcome() == Outcome::Truncated, !text.starts_with("{}"), "{text:?}");
    }
}

#[test]
fn reasoning_that_is_expected() {
    let cases = [
        ("a {\"a\": 0} <b> </think>{\"a\": 1}", r#"{"a":1}"#, "reasoning tag |"),
        ("<think>a {\"a\": 0}</think>{}", "{}", "reasoning tag |"),
        ("[1, 2][/THINK][3, 4]", "[3,4]", "reasoning tag |"),
        ("</thinking>[]", "[]", "tag |"),
        ("{\"a\": 1}", "null", "reasoning"),
    ];
    for (text, value, around_it) in cases {
        let finished = common::finished(&Options::new().reasoning_expected(true), text, End::Stopped);
        assert_eq!(
            (finished.snapshot().to_string().as_str(), around(&finished).as_str()),
            (value, around_it),
            "{text}"
        );
    }
}

#[test]
fn the_arguments_of_a_call() {
    let read = |text: &str| common::finished(&Options::new().role(Role::Arguments), text, End::Stopped);
    for (text, value) in [
        ("", "{}"),
        ("  \n", "{}"),
        ("{}", "{}"),
        // Valid JSON is read as it is.
        ("null", "null"),
        // `{}` is often a placeholder here.
        ("{}{\"stock\": \"MSFT\"}", r#"{"stock":"MSFT"}"#),
        ("<tool_call>{}</tool_call>", "{}"),
        ("{\"m\": \"})]}\"}", r#"{"m":"})]}"}"#),
    ] {
        assert_eq!(read(text).snapshot().to_string(), value, "{text:?}");
        assert!(read(text).is_complete(), "{text:?}");
    }
    let documents: Vec<_> = read("{}{\"a\": 1}").documents().map(|document| document.snapshot.to_string()).collect();
    assert_eq!(documents, ["{}", "{\"a\":1}"]);
}

#[test]
fn many_roots_with_all_kinds_of_things_between() {
    let cases: &[(&str, &[&str])] = &[
        ("{\"a\":1}{\"b\":2}", &["{\"a\":1}", "{\"b\":2}"]),
        ("{\"a\":1}\n\n\r\n{}\n42\n\"x\"\nnull\n[]\n", &["{\"a\":1}", "{}", "42", "\"x\"", "null", "[]"]),
        ("\u{feff}{\"a\":1}\n\u{feff}{\"b\":2}", &["{\"a\":1}", "{\"b\":2}"]),
        ("<tool_call>\n{}\n</tool_call>\n<tool_call>[1]</tool_call>", &["{}", "[1]"]),
        ("First:\n```json\n{\"a\":1}\n```\nthen [1] and\n~~~\n[]\n~~~", &["{\"a\":1}", "[]"]),
        ("{\"a\":1}}, {\"b\":2}<|im_end|>{\"c\":3}", &["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"]),
        ("<think>{\"a\":0}</think>\n{}\n<think>{}</think>\n[1]", &["{}", "[1]"]),
    ];
    for (text, expected) in cases {
        for size in [1, text.len()] {
            let mut parser = Parser::with_options(Options::new().roots(Roots::Many));
            text.as_bytes().chunks(size).for_each(|chunk| parser.push(chunk));
            let finished = parser.finish(End::Unknown);
            let documents: Vec<_> = finished.documents().map(|document| document.snapshot.to_string()).collect();
            assert_eq!(documents, *expected, "{text:?}");
        }
    }
}

#[test]
fn an_expected_kind_passes_over_the_other() {
    let read = |text: &str, expect| common::finished(&Options::new().expect(expect), text, End::Stopped);
    let finished = read("[TOOL_CALLS] [\"x\"] ```js [a]\n{\"a\": 1}", Expect::Object);
    assert_eq!(
        (finished.snapshot().to_string().as_str(), around(&finished).as_str()),
        ("{\"a\":1}", "tag prose fence |")
    );
    let finished = read("{\"a\": 1} ```js {\"a\": 1}\n[2, 3]", Expect::Array);
    assert_eq!(finished.snapshot().to_string(), "[2,3]");
    // A bracket at the end of the text may have been a tag, and is no root here.
    assert_eq!(around(&read("[", Expect::Object)), "prose");
}
