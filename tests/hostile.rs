//! Input that nobody wants to get: each test says what becomes of it, and what it may cost.
//!
//! Cost is counted in bytes that are allocated at the same time and in allocations, never in time.

#[path = "../benches/shared/counting.rs"]
mod counting;

mod common;

use std::fmt::Write as _;

use common::{DIALECTS, ENDS, finished, lenient, options, strict};
use counting::Counting;
use jsonrill::{
    Dialect, Duplicates, End, Finished, Limits, Options, Outcome, Parser, RepairKind, Roots, SkipKind, State,
};
use serde_json::json;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that `work` held at a time, and how often it asked for some.
fn cost<T>(work: impl FnOnce() -> T) -> (T, usize, u64) {
    counting::start();
    let result = work();
    let heap = counting::stop();
    (result, usize::try_from(heap.peak).unwrap_or(0), heap.allocations)
}

/// Feeds `input` in network-sized pieces, holding on to the newest snapshot.
fn stream(options: &Options, input: &[u8]) -> Finished {
    let mut parser = Parser::with_options(*options);
    let mut _held = parser.snapshot();
    for chunk in input.chunks(16 * 1024) {
        _held = parser.feed(chunk).snapshot().clone();
    }
    parser.finish(End::Unknown)
}

const MILLION: usize = 1_000_000;

#[test]
fn invalid_utf8_is_an_error_in_strict() {
    // Input, and the bytes at one of which the error is.
    let cases: &[(&[u8], std::ops::RangeInclusive<u64>)] = &[
        (b"[\"a\xff\"]", 3..=3),
        (b"[\"\xc3\"]", 2..=3),
        (b"[\"\xc3(\"]", 2..=3),
        (b"[\"\x80\"]", 2..=2),
        (b"[\"\xed\xa0\x80\"]", 2..=3),
        (b"[\"\xf4\x90\x80\x80\"]", 2..=3),
        (b"[\"\xc0\xaf\"]", 2..=2),
        (b"[\"\xf0\x9f\x98\"]", 2..=5),
        (b"{\"\xff\": 1}", 2..=2),
        (b"[1, \xff]", 4..=4),
        (b"\xff", 0..=0),
    ];
    for (input, place) in cases {
        let finished = strict(input);
        assert_eq!(finished.outcome(), Outcome::Malformed, "{input:?}");
        let offset = finished.error().unwrap().offset();
        assert!(place.contains(&offset), "{input:?} at {offset}");
    }
    // Half a character at the end is cut, not wrong.
    let cut = strict(b"[\"a\xf0\x9f");
    assert_eq!(cut.outcome(), Outcome::Truncated);
    assert_eq!(cut.snapshot().to_value(), json!(["a"]));
}

#[test]
fn invalid_utf8_is_replaced_and_told_in_lenient() {
    let cases: &[&[u8]] = &[
        b"{\"a\": \"x\xffy\"}",
        b"{\"a\": \"\xc3\"}",
        b"{\"a\": \"\xc3(\"}",
        b"{\"a\": \"\x80\x80\"}",
        b"{\"a\": \"\xed\xa0\x80\"}",
        b"{\"a\": \"\xf0\x9f\x98\xf0\x9f\x98\x80\"}",
        b"{\"k\xff\": 1}",
    ];
    for input in cases {
        let finished = lenient(input);
        assert_eq!(finished.outcome(), Outcome::Repaired, "{input:?}");
        assert!(finished.is_complete());
        assert!(finished.repairs().iter().all(|repair| repair.kind == RepairKind::InvalidUtf8));
        assert!(!finished.repairs().is_empty());
        // Replaced as the standard library does it: one U+FFFD for each maximal wrong sequence.
        let replaced = String::from_utf8_lossy(input);
        let judge: serde_json::Value = serde_json::from_str(&replaced).unwrap();
        assert_eq!(finished.snapshot().to_value(), judge, "{input:?}");
        assert_eq!(finished.snapshot().text(), replaced);
        for repair in finished.repairs() {
            let wrong = &input[repair.span.range()];
            assert!(std::str::from_utf8(wrong).is_err(), "{wrong:?} is fine");
        }
    }
    // In the prose, too.
    let finished = lenient(b"caf\xe9: {\"a\": 1}");
    assert_eq!(finished.snapshot().to_value(), json!({"a": 1}));
    assert_eq!(finished.snapshot().text(), "caf\u{FFFD}: {\"a\": 1}");
    assert_eq!(finished.outcome(), Outcome::Repaired);
}

#[test]
fn no_input_and_blank_input_are_empty() {
    for text in ["", " ", "\n\t\r\n", &" ".repeat(MILLION)] {
        for dialect in DIALECTS {
            for end in ENDS {
                let finished = finished(&options(dialect), text, end);
                assert_eq!(finished.outcome(), Outcome::Empty);
                assert!(!finished.is_complete() && !finished.snapshot().is_started());
                assert!(finished.error().is_none() && finished.skipped().is_empty());
                assert_eq!(finished.snapshot().to_value(), json!(null));
                assert_eq!(finished.snapshot().state(""), State::Pending);
                assert_eq!(finished.documents().count(), 0);
                assert!(finished.update().delta().is_empty());
            }
        }
    }
}

#[test]
fn prose_alone_is_empty_and_skipped() {
    let text = "I am sorry, but I cannot do that. ".repeat(1000);
    let finished = lenient(&text);
    assert_eq!(finished.outcome(), Outcome::Empty);
    assert!(!finished.snapshot().is_started());
    let skipped: Vec<_> = finished.skipped().iter().map(|skip| (skip.kind, skip.span.start)).collect();
    assert_eq!(skipped, [(SkipKind::Prose, 0)]);
    let shown: String = finished.snapshot().outside().map(|outside| outside.text.into_owned()).collect();
    assert_eq!(shown.trim(), text.trim());
    let strict = strict(&text);
    assert_eq!(strict.outcome(), Outcome::Malformed);
    assert_eq!(strict.error().unwrap().offset(), 0);
}

#[test]
fn null_bytes() {
    assert_eq!(strict(b"\0").outcome(), Outcome::Malformed);
    assert_eq!(strict(b"[1,\0 2]").error().unwrap().offset(), 3);
    assert_eq!(strict(b"[\"\0\"]").error().unwrap().offset(), 2);
    assert_eq!(strict(b"[1]\0").outcome(), Outcome::Malformed);
    let inside = lenient(b"{\"a\": \"x\0y\"}");
    assert_eq!(inside.snapshot().to_value(), json!({"a": "x\0y"}));
    assert_eq!(inside.repairs().iter().next().unwrap().kind, RepairKind::ControlCharacter);
    let around = lenient(b"\0\0{\"a\": 1}\0");
    assert_eq!(around.snapshot().to_value(), json!({"a": 1}));
    assert_eq!(around.outcome(), Outcome::Repaired);
    let only = lenient(vec![0; MILLION]);
    assert_eq!(only.outcome(), Outcome::Empty);
    assert!(!only.skipped().is_empty());
}

#[test]
fn a_million_opening_brackets_stop_at_the_depth_limit() {
    for (open, dialect) in
        [("[", Dialect::Strict), ("{\"a\":", Dialect::Strict), ("[", Dialect::Lenient), ("{\"a\":", Dialect::Lenient)]
    {
        let text = open.repeat(MILLION);
        let (finished, peak, calls) = cost(|| stream(&options(dialect), text.as_bytes()));
        assert_eq!(finished.outcome(), Outcome::Limit, "{open} in {dialect:?}");
        let error = finished.error().unwrap();
        assert!(error.is_limit());
        assert_eq!(error.offset(), 512 * open.len() as u64, "{open} in {dialect:?}");
        // No more than the source is kept, and the document is small.
        assert!(peak < 3 * text.len() + 4_000_000, "{peak} bytes for {}", text.len());
        assert!(calls < 3_000, "{calls} allocations");
        // What was read closes well.
        assert!(finished.snapshot().to_string().len() < 600 * (open.len() + 1));
    }
}

#[test]
fn a_million_closing_brackets_are_text_or_an_error() {
    let text = "]}".repeat(MILLION / 2);
    assert_eq!(strict(&text).error().unwrap().offset(), 0);
    let (finished, peak, _) = cost(|| stream(&options(Dialect::Lenient), text.as_bytes()));
    assert_eq!(finished.outcome(), Outcome::Empty);
    assert!(peak < 4 * text.len() + 4_000_000, "{peak}");
}

#[test]
fn a_string_of_50_megabytes() {
    let body = "All work and no play, \\\"said\\\" he\\n".repeat(50_000_000 / 35);
    let text = format!("{{\"s\":\"{body}\"}}");
    drop(body);
    for dialect in DIALECTS {
        let (finished, peak, calls) = cost(|| stream(&options(dialect), text.as_bytes()));
        assert_eq!(finished.outcome(), Outcome::Complete);
        let read = finished.snapshot().at("/s").as_str().unwrap();
        assert_eq!(read.len(), (text.len() - 8) / 35 * 32);
        assert!(read.ends_with("\"said\" he\n"));
        assert!(peak < 4 * text.len(), "{peak} bytes for {}", text.len());
        assert!(calls < 10_000, "{calls} allocations");
    }
}

#[test]
fn an_object_with_a_million_keys() {
    let mut text = String::from("{");
    for index in 0..MILLION {
        write!(text, "\"key{index}\":{index},").unwrap();
    }
    text.pop();
    text.push('}');
    for dialect in DIALECTS {
        let (finished, peak, calls) = cost(|| stream(&options(dialect), text.as_bytes()));
        assert_eq!(finished.outcome(), Outcome::Complete);
        let root = finished.snapshot().root();
        assert_eq!(root.len(), MILLION);
        for index in (0..MILLION).step_by(997) {
            assert_eq!(root.get(format!("key{index}").as_str()), index);
        }
        assert!(!root.get("key1000000").exists());
        assert!(root.members().map(|(_, value)| value).eq(0..MILLION));
        assert!(peak < 16 * text.len(), "{peak} bytes for {}", text.len());
        assert!(calls < 10_000, "{calls} allocations");
    }
}

#[test]
fn a_million_equal_keys() {
    let text = format!("{{{}\"k\":1}}", "\"k\":0,".repeat(MILLION - 1));
    for (duplicates, value) in [(Duplicates::First, 0), (Duplicates::Last, 1)] {
        for dialect in DIALECTS {
            let options = options(dialect).duplicates(duplicates);
            let (finished, peak, _) = cost(|| stream(&options, text.as_bytes()));
            assert_eq!(finished.outcome(), Outcome::Complete);
            assert_eq!(finished.snapshot().to_value(), json!({"k": value}), "{duplicates:?}");
            // Warnings are capped and counted.
            let told: u64 = finished.warnings().iter().map(|warning| u64::from(warning.count)).sum();
            assert_eq!(told + finished.warnings().omitted(), MILLION as u64 - 1);
            assert!(finished.warnings().len() < 100_000);
            assert!(peak < 32 * text.len(), "{peak} bytes for {}", text.len());
        }
    }
    let stopped = finished(&Options::strict().duplicates(Duplicates::Error), &text, End::Unknown);
    assert_eq!(stopped.outcome(), Outcome::Malformed);
    assert!((7..=11).contains(&stopped.error().unwrap().offset()));
}

#[test]
fn chunks_of_no_bytes_cost_nothing() {
    for dialect in DIALECTS {
        let mut parser = Parser::with_options(options(dialect));
        assert!(!parser.feed("").snapshot().is_started());
        for chunk in ["", "{\"a\"", "", ":", "", "\"x", "", "y\"", "", ",\"b\":1", "", "}", ""] {
            let before = parser.snapshot();
            let update = parser.feed(chunk);
            if chunk.is_empty() {
                assert!(update.delta().is_empty());
                assert_eq!(update.snapshot().to_value(), before.to_value());
            }
        }
        assert_eq!(parser.snapshot().to_value(), json!({"a": "xy", "b": 1}));
        let sequence = parser.feed("").sequence();
        let ((), peak, calls) = cost(|| (0..100_000).for_each(|_| drop(parser.feed(b""))));
        assert_eq!(parser.feed("").sequence(), sequence + 100_001, "each feed is numbered");
        assert!(peak < 10_000 && calls < 100, "{peak} bytes, {calls} allocations");
        assert_eq!(parser.finish(End::Unknown).outcome(), Outcome::Complete);
    }
}

#[test]
fn twenty_thousand_false_openers() {
    for (opener, count) in
        [("{ not json ", 20_000), ("[ neither, ", 20_000), ("{\"almost\" ", 20_000), ("[[x ", 20_000)]
    {
        let text = opener.repeat(count) + "{\"a\":1}";
        let (finished, peak, calls) = cost(|| stream(&options(Dialect::Lenient), text.as_bytes()));
        assert_eq!(finished.snapshot().to_value(), json!({"a": 1}), "{opener}");
        assert_eq!(finished.outcome(), Outcome::Repaired, "{opener}");
        assert!(peak < 16 * text.len() + 4_000_000, "{peak} bytes for {}", text.len());
        assert!(calls < 20 * count as u64, "{calls} allocations");
    }
}

#[test]
fn thousands_of_fence_lines() {
    let text = "```\n".repeat(5_000) + "{\"a\":1}";
    let (finished, peak, _) = cost(|| stream(&options(Dialect::Lenient), text.as_bytes()));
    assert_eq!(finished.snapshot().to_value(), json!({"a": 1}));
    assert!(peak < 1_000_000, "{peak}");
}

#[test]
fn ten_megabytes_of_quotes() {
    let text = "\"".repeat(10_000_000);
    let strict = strict(&text);
    assert_eq!(strict.outcome(), Outcome::Malformed);
    assert_eq!(strict.error().unwrap().offset(), 2);
    let (finished, peak, _) = cost(|| stream(&options(Dialect::Lenient), text.as_bytes()));
    assert!(!finished.is_complete());
    assert!(!finished.skipped().is_empty());
    assert!(peak < 8 * text.len(), "{peak} bytes for {}", text.len());
    // Within a document they are where it stops; nothing after is read.
    let text = format!("{{\"a\": {text}");
    let (finished, peak, _) = cost(|| stream(&options(Dialect::Lenient), text.as_bytes()));
    assert!(matches!(finished.outcome(), Outcome::Malformed | Outcome::Truncated));
    assert!(!finished.is_complete());
    assert!(peak < 8 * text.len(), "{peak} bytes for {}", text.len());
}

/// What is found in a text that is read again, for the end of a string was missing, is counted once, be it that many
/// were told before.
#[test]
fn what_is_read_again_is_counted_once() {
    let count = |members: usize| {
        let mut text = String::from("{");
        for number in 0..members {
            write!(text, "\"k{number}\": \"x\u{1}y,\n \n").unwrap();
        }
        let finished = lenient(text + "\"z\": 1}");
        let told: u64 = finished.repairs().iter().map(|repair| u64::from(repair.count)).sum();
        told + finished.repairs().omitted()
    };
    let (one, two) = (count(1000), count(2000));
    assert_eq!(count(12_000), one + 11 * (two - one));
}

#[test]
fn ten_megabytes_of_repairs_are_few_reports() {
    let text = format!("{{\"a\": \"{}\"}}", "\n".repeat(10_000_000));
    let (finished, peak, _) = cost(|| stream(&options(Dialect::Lenient), text.as_bytes()));
    assert_eq!(finished.outcome(), Outcome::Repaired);
    assert_eq!(finished.snapshot().at("/a").as_str().map(str::len), Some(10_000_000));
    let told: u64 = finished.repairs().iter().map(|repair| u64::from(repair.count)).sum();
    assert_eq!((finished.repairs().len(), told), (1, 10_000_000), "one run");
    assert!(peak < 4 * text.len(), "{peak}");

    let text = format!("{{\"a\": \"{}\"}}", "\\q_".repeat(MILLION));
    let (finished, peak, _) = cost(|| stream(&options(Dialect::Lenient), text.as_bytes()));
    let told: u64 = finished.repairs().iter().map(|repair| u64::from(repair.count)).sum();
    assert_eq!(told + finished.repairs().omitted(), MILLION as u64);
    assert!(finished.repairs().len() < 100_000);
    assert!(peak < 8 * text.len(), "{peak}");
}

#[test]
fn a_million_blanks_where_a_member_could_come() {
    let text = format!("{{\"a\": [{{\"t\": \"abc\"{}", " ".repeat(MILLION));
    for dialect in DIALECTS {
        let (finished, peak, _) = cost(|| stream(&options(dialect), text.as_bytes()));
        assert_eq!(finished.outcome(), Outcome::Truncated);
        assert_eq!(finished.snapshot().to_value(), json!({"a": [{"t": "abc"}]}));
        assert_eq!(finished.cut().unwrap().closers(), "}]}");
        assert!(peak < 4 * text.len(), "{peak}");
    }
}

#[test]
fn a_number_of_a_million_digits() {
    let digits = "1234567890".repeat(MILLION / 10);
    let text = format!("[{digits}, 0.{digits}, 1]");
    for dialect in DIALECTS {
        let (finished, peak, _) = cost(|| stream(&options(dialect), text.as_bytes()));
        assert_eq!(finished.outcome(), Outcome::Complete);
        assert_eq!(finished.snapshot().at("/0").number_text(), Some(digits.as_str()));
        assert_eq!(finished.snapshot().at("/1").as_f64(), Some(0.123_456_789_012_345_68));
        assert_eq!(finished.snapshot().at("/0").as_i64(), None);
        assert!(peak < 8 * text.len(), "{peak}");
    }
}

#[test]
fn a_key_of_a_megabyte() {
    let key = "k".repeat(MILLION);
    for dialect in DIALECTS {
        let finished = stream(&options(dialect), format!("{{\"{key}\": {{\"x\": 1}}}}").as_bytes());
        assert_eq!(finished.snapshot().at([key.as_str().into(), "x".into()]), 1);
        assert_eq!(finished.snapshot().at(&*format!("/{key}/x")).path().len(), MILLION + 3);
    }
}

#[test]
fn a_hundred_thousand_documents() {
    let text = "{\"a\":[1]}\n".repeat(100_000);
    let options = Options::strict().roots(Roots::Many);
    let (count, peak, _) = cost(|| {
        let mut parser = Parser::with_options(options);
        let mut ended = 0;
        for chunk in text.as_bytes().chunks(16 * 1024) {
            let update = parser.feed(chunk);
            ended += update.parts().filter(|part| part.is_final("")).count();
        }
        let finished = parser.finish(End::Unknown);
        assert_eq!(finished.outcome(), Outcome::Complete);
        assert!(ended >= 99_999, "{ended}");
        finished.documents().filter(|document| document.is_complete).count()
    });
    assert_eq!(count, 100_000);
    assert!(peak < 400 * 100_000, "{peak} bytes, {} a document", peak / 100_000);
}

#[test]
fn limits_bound_what_is_kept() {
    let options = Options::new().limits(Limits::new().bytes(1000).nodes(100));
    let text = format!("[{}", "[1,2],".repeat(MILLION));
    let (finished, peak, _) = cost(|| stream(&options, text.as_bytes()));
    assert_eq!(finished.outcome(), Outcome::Limit);
    assert!(finished.snapshot().to_string().len() < 1000);
    assert!(peak < 2 * text.len(), "{peak}");
}

/// Each of them could be the answer if nothing stronger came, and the first is.
#[test]
fn a_million_notes() {
    let text = "[1] ".repeat(1_000_000);
    let mut parser = Parser::new();
    for chunk in text.as_bytes().chunks(64 * 1024) {
        parser.push(chunk);
    }
    let finished = parser.finish(End::Stopped);
    assert_eq!(finished.snapshot().to_string(), "[1]");
    assert_eq!(finished.documents().count(), 1_000_000);
    assert_eq!(finished.skipped().len(), 1);
}

/// A name that comes again and again, and others between.
#[test]
fn members_replaced_a_million_times() {
    let text = format!("{{{}\"end\":0}}", "\"a\":1,\"b\":[2],".repeat(300_000));
    let mut parser = Parser::with_options(Options::new().duplicates(Duplicates::Last));
    for chunk in text.as_bytes().chunks(1000) {
        let update = parser.feed(chunk);
        assert!(update.delta().ops().count() < 10_000);
    }
    let finished = parser.finish(End::Stopped);
    assert_eq!(finished.snapshot().to_string(), r#"{"a":1,"b":[2],"end":0}"#);
}

/// Two names that come in turn: each is found without walking all that was replaced.
#[test]
fn two_names_replaced_in_turn() {
    let text = format!("{{{}{}\"c\":1}}", "\"a\":1,".repeat(300_000), "\"b\":1,".repeat(300_000));
    let mut parser = Parser::with_options(Options::new().duplicates(Duplicates::Last));
    parser.push(text.as_str());
    let finished = parser.finish(End::Stopped);
    assert_eq!(finished.snapshot().to_string(), r#"{"a":1,"b":1,"c":1}"#);
    assert!((0..1000).all(|_| finished.snapshot().at("/c") == 1));
}

/// Candidates that are abandoned again and again, each large enough for the index.
#[test]
fn large_objects_abandoned_again_and_again() {
    let members: String = (0..40).flat_map(|n| ["\"k".to_owned(), n.to_string(), "\":1,".to_owned()]).collect();
    let text = format!("{{\"a\":1}}{}", format!("{{{members}x ").repeat(20_000));
    let finished = lenient(text.as_str());
    assert_eq!((finished.outcome(), finished.snapshot().to_string().as_str()), (Outcome::Repaired, r#"{"a":1}"#));
}

/// A copy is as quick to make and to read as what it is copied from.
#[test]
fn a_large_part_is_detached() {
    let members: Vec<_> = (0..100_000).map(|n| format!("\"key {n}\":{n}")).collect();
    let text = format!("{{\"part\":{{{}}}}}", members.join(","));
    let finished = strict(text.as_str());
    let part = finished.snapshot().detach("/part").unwrap();
    for n in (0..100_000).step_by(7) {
        assert_eq!(part.get(format!("key {n}").as_str()), n);
    }
}

/// An array that could have been prose to its end is found in like any other.
#[test]
fn a_large_array_without_strong_elements() {
    let elements: Vec<_> = (0..200_000).map(|n| format!("[{n}]")).collect();
    let finished = lenient(format!("[{}]", elements.join(",")).as_str());
    for n in (0..200_000).step_by(3) {
        assert_eq!(finished.snapshot().root().get(n).get(0), n);
    }
}

/// A long key over many elements: the delta is applied without a path for each.
#[test]
fn long_paths_are_not_kept() {
    let text = format!("{{\"{}\":[{}0]}}", "k".repeat(40_000), "1,".repeat(40_000));
    let mut parser = Parser::strict();
    let update = parser.feed(text.as_str());
    let mut replica = json!(null);
    let ((), peak, _) = cost(|| update.delta().apply(&mut replica).unwrap());
    assert_eq!(replica, update.snapshot().to_value());
    assert!(peak < 100 * text.len(), "{peak}");
}

/// Every rule that looks at what it has read so far must not do so again and again.
#[test]
fn damage_that_goes_on_and_on_is_read_in_linear_time() {
    let patterns = [
        ("{\"a\": 1", ",1"),
        ("{a: b", ",b"),
        ("{a: b", "\nb"),
        ("{a: b", " #"),
        ("{\"a\"", " b\""),
        ("{", "\"a\" "),
        ("{", "\"a\" 1 "),
        ("{\"a\": \"x", " \"y"),
        ("{\"a\": \"x", "\", "),
        ("{\"a\": \"{", "\"}"),
        ("[\"a", "\", \"b"),
        ("{\"a\": \"x", "}, \"b"),
        ("{'a': '", "b'c "),
        ("[f(", "g("),
        ("[", "/**/"),
        ("{\\\"a\\\": ", "\\\"b"),
    ];
    for (head, more) in patterns {
        // A megabyte: read more than once a byte, it would take hours.
        let text = format!("{head}{}", more.repeat(1_000_000 / more.len()));
        let (_, peak, _) = cost(|| stream(&options(Dialect::Lenient), text.as_bytes()));
        assert!(peak < 100 * text.len(), "{peak} bytes for {head}{more}");
    }
}

/// A text that was cut, and a round of so many bytes, in network-sized pieces.
fn joined(first: &str, round: &str) -> Finished {
    let mut parser = Parser::new();
    parser.push(first);
    parser.next_round();
    for chunk in round.as_bytes().chunks(16 * 1024) {
        parser.push(chunk);
    }
    parser.finish(End::Unknown)
}

/// What goes on with nothing that could follow is held to its end, and looked at a few times only.
#[test]
fn a_round_of_ten_megabytes_that_is_no_json() {
    let first = format!("{{\"items\": [{}", "{\"id\": 1, \"name\": \"abc\"}, ".repeat(40));
    for unit in ["lorem ipsum dolor ", "@#\u{1}%", "    ", "`", "Here is ", "{\"a\":", "["] {
        let round = unit.repeat(10_000_000 / unit.len());
        let (finished, peak, calls) = cost(|| joined(&first, &round));
        assert!(!finished.is_complete(), "{unit}");
        assert_eq!(finished.snapshot().at("/items/39/name"), "abc", "{unit}");
        assert!(peak < 4 * round.len(), "{peak} bytes for {unit}");
        assert!(calls < 10_000, "{calls} allocations for {unit}");
    }
}

#[test]
fn a_round_of_ten_megabytes_in_an_open_string() {
    let first = format!("{{\"items\": [{}{{\"name\": \"Bo", "{\"id\": 1, \"name\": \"abc\"}, ".repeat(40));
    for unit in ["lorem ipsum dolor ", "a", "\\", "\n"] {
        let round = unit.repeat(10_000_000 / unit.len());
        let (finished, peak, calls) = cost(|| joined(&first, &round));
        assert_eq!(finished.outcome(), Outcome::Truncated, "{unit}");
        assert!(peak < 4 * round.len(), "{peak} bytes for {unit}");
        assert!(calls < 1000, "{calls} allocations for {unit}");
    }
}

#[test]
fn thousands_of_rounds_of_a_few_bytes() {
    const ROUNDS: usize = 2000;
    for (first, round) in
        [("{\"a\": [1, ", ""), ("{\"a\": [1, ", " "), ("{\"a\": [1, ", "Sorry."), ("[", "12, "), ("{\"a\": \"x", "ab ")]
    {
        let (finished, peak, calls) = cost(|| {
            let mut parser = Parser::new();
            parser.push(first);
            for _ in 0..ROUNDS {
                parser.next_round();
                parser.push(round);
            }
            parser.finish(End::Unknown)
        });
        assert_eq!(finished.seams().len(), ROUNDS);
        assert!(peak < 1_000_000, "{peak} bytes for {round:?}");
        assert!(calls < 200 * ROUNDS as u64, "{calls} allocations for {round:?}");
    }
}

/// A round of which every byte, or each level, could be looked at again for each of the others.
#[test]
fn rounds_that_repeat_what_is_long() {
    const LEVELS: usize = 500;
    let names = |count: usize| (0..count).map(|number| format!("\"m{number}\": 1, ")).collect::<Vec<_>>();
    let forwards = names(50_000);
    let backwards: String = forwards.iter().rev().map(String::as_str).collect();
    let cases = [
        // A run of blanks, which in a string are text like any other.
        ("blanks in a string", "{\"a\": \"x".to_owned() + &"\n".repeat(MILLION), None),
        // Members that are said again in another order, while the member that is cut has a long name.
        (
            "members before a long name",
            format!("{{{}\"{}\": \"x", forwards.concat(), "k".repeat(MILLION)),
            Some(format!("{{{backwards}\"new\": 1}}")),
        ),
        // Open containers whose keys no quote begins, behind text that has none either.
        (
            "escaped keys",
            format!("{{\\\"f\\\": \\\"{}\\\", {}", "x".repeat(MILLION), "\\\"a\\\": {".repeat(LEVELS)),
            None,
        ),
        // Levels that are all alike, and a round that says all of them again but for the end.
        (
            "levels that are alike",
            "[{\"a\":".repeat(LEVELS / 2) + "[" + &"1,".repeat(100_000),
            Some("[{\"a\":".repeat(LEVELS / 2) + "[" + &"1,".repeat(90_000) + "2]"),
        ),
    ];
    for (what, first, round) in cases {
        let round = round.unwrap_or_else(|| first.clone());
        let (finished, peak, calls) = cost(|| joined(&first, &round));
        assert_eq!(finished.seams().len(), 1, "{what}");
        let bytes = first.len() + round.len();
        assert!(peak < 100 * bytes, "{peak} bytes for {what}");
        assert!(calls < bytes as u64, "{calls} allocations for {what}");
    }
}

/// What looks ahead as far as it may at each byte, and finds nothing.
#[test]
fn nothing_to_be_found_ahead() {
    for (head, more) in [
        ("{\"a\": \"x", "\"#"),
        ("{\"a\": \"x", "\"/*"),
        ("[b", "' c"),
        ("{a: b", " \"#"),
        ("{\"a\": []", " oops"),
        ("[[]", " oops y"),
    ] {
        let text = format!("{head}{}", more.repeat(MILLION / more.len()));
        let (_, peak, _) = cost(|| stream(&options(Dialect::Lenient), text.as_bytes()));
        assert!(peak < 40 * text.len(), "{peak} bytes for {head}{more}");
    }
}
