//! The limit of the whole hierarchy: far finished siblings fold into comments that say how many.

use jsonrill::{BUDGET_LIMIT, ContextOptions, End, Options, RepairKind, repair_with};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::common::generate::{ANY_VALID, documents};
use crate::common::{DIALECTS, config, fed, options};
use crate::every_cut::cuts;

/// The text without the comments that stand outside its strings, and what they say.
fn without_comments(text: &str) -> (String, Vec<String>) {
    let (mut kept, mut comments) = (String::new(), Vec::new());
    let mut rest = text;
    let mut in_string = false;
    while let Some(first) = rest.chars().next() {
        if !in_string && rest.starts_with("/*") {
            // (The end of a string, where the start of the text is left out, may look like the start of one.)
            let Some(end) = rest.find("*/").map(|end| end + 2) else { break };
            comments.push(rest[..end].to_owned());
            rest = &rest[end..];
            continue;
        }
        let length = if in_string && first == '\\' {
            1 + rest.chars().nth(1).map_or(0, char::len_utf8)
        } else {
            first.len_utf8()
        };
        in_string ^= first == '"';
        kept += &rest[..length];
        rest = &rest[length..];
    }
    (kept + rest, comments)
}

/// The smallest limit there is.
const LEAST: usize = 128;

/// The marker of a text that has not even room for its innermost level: what follows is the end of the text.
const CLIPPED: &str = "/* the start is left out */";

fn is_marker(comment: &str) -> bool {
    let words: Vec<&str> = comment.split(' ').collect();
    let (["/*", count, noun @ ("elements" | "members" | "element" | "member"), "left", "out", "*/"]
    | ["/*", count, "outer", noun @ ("level" | "levels"), "left", "out", "*/"]) = words[..]
    else {
        return comment == CLIPPED;
    };
    count.parse::<u64>().is_ok_and(|number| number > 0 && (number == 1) != noun.ends_with('s'))
}

fn folded(text: &[u8], options: &Options, limit: usize) -> Result<(), String> {
    let frozen = fed(options, text).freeze();
    // Half of the limit is for structure.
    let budget = BUDGET_LIMIT.min(limit.max(LEAST) / 2);
    let whole = frozen.hierarchy_with(&ContextOptions::new().budget_limit(budget));
    let got = frozen.hierarchy_with(&ContextOptions::new().total_limit(Some(limit)));
    let (limit, length) = (limit.max(LEAST), got.chars().count());
    if length > limit {
        return Err(format!("{length} characters, not {limit}: {got}"));
    }
    if whole.chars().count() <= limit {
        return if got == whole { Ok(()) } else { Err(format!("{got:?}, where {whole:?} has room")) };
    }
    let behind = got.rsplit("*/").next().unwrap_or_default();
    if !whole.ends_with(behind.trim_start()) {
        return Err(format!("{got:?} does not end as {whole:?}"));
    }
    let (kept, comments) = without_comments(&got);
    if let Some(other) = comments.iter().find(|comment| !is_marker(comment)) {
        return Err(format!("{other:?} is no marker"));
    }
    if comments.iter().any(|comment| comment == CLIPPED) {
        return Ok(());
    }
    // Levels that are left out need no closers.
    let left_out = comments.iter().filter(|comment| comment.contains("outer"));
    let left_out: usize = left_out.map(|comment| comment.split(' ').nth(1).unwrap().parse::<usize>().unwrap()).sum();
    // It reads as JSON: nothing but what the markers stand for has to be repaired.
    for (text, allowed) in
        [(&got, &[RepairKind::Comment, RepairKind::ExtraComma][..]), (&kept, &[RepairKind::ExtraComma])]
    {
        // In an object, so that it does not look like a note in prose.
        let repaired = repair_with(format!("{{\"text\": {text}"), Options::new(), End::Truncated);
        let told: Vec<RepairKind> = repaired.finished().repairs().iter().map(|repair| repair.kind).collect();
        if told.iter().any(|kind| !allowed.contains(kind)) {
            return Err(format!("{text:?} is repaired: {told:?}"));
        }
        // A marker has the comma behind it, too: one of its own says that something is to follow.
        let mut commas = repaired.finished().repairs().iter().filter(|repair| repair.kind == RepairKind::ExtraComma);
        let is_last = |end: usize| without_comments(&text[end - "{\"text\": ".len()..]).0.trim_ascii().is_empty();
        if commas.any(|comma| !is_last(comma.span.range().end)) {
            return Err(format!("{text:?} has a comma behind a marker"));
        }
        let cut = repaired.finished().cut().map(|cut| (cut.state(), cut.closers().len() - 1));
        let wanted = (!frozen.cut().closers().is_empty())
            .then(|| (frozen.cut().state(), frozen.cut().closers().len() - left_out));
        if wanted.is_some() && cut != wanted {
            return Err(format!("{text:?} is cut {cut:?}, not {wanted:?}"));
        }
    }
    Ok(())
}

/// Many records, in some layout.
fn records() -> BoxedStrategy<String> {
    let record = (0..2000_u32, "[a-z ]{0,12}", any::<bool>());
    (vec(record, 0..40), vec("[a-z]{1,6}", 0..12), select(vec![" ", "\n    ", ""]), any::<bool>())
        .prop_map(|(records, tags, blank, tail)| {
            let records: Vec<String> = records
                .iter()
                .map(|(id, name, active)| {
                    format!("{{{blank}\"id\": {id},{blank}\"name\": \"{name}\",{blank}\"active\": {active}{blank}}}")
                })
                .collect();
            let tags: Vec<String> = tags.iter().map(|tag| format!("\"{tag}\"")).collect();
            let tail = if tail { ",\"end\": {\"a\": 1, \"b\": [1, 2, 3]}" } else { "" };
            format!(
                "{{\"tags\": [{}], \"items\": [{blank}{}]{tail}}}",
                tags.join(", "),
                records.join(&format!(",{blank}"))
            )
        })
        .boxed()
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn records_fold(text in records(), limit in select(vec![0_usize, 64, 80, 100, 150, 200, 300, 500, 1000, 5000])) {
        for dialect in DIALECTS {
            for at in cuts(text.as_bytes(), 60) {
                let fault = folded(&text.as_bytes()[..at], &options(dialect), limit);
                prop_assert_eq!(fault, Ok(()), "{} in {:?}", at, dialect);
            }
        }
    }

    #[test]
    fn documents_fold(text in documents(ANY_VALID), limit in select(vec![0_usize, 64, 65, 80, 100, 150, 200, 500])) {
        for at in cuts(text.as_bytes(), 60) {
            for dialect in DIALECTS {
                let fault = folded(&text.as_bytes()[..at], &options(dialect), limit);
                prop_assert_eq!(fault, Ok(()), "{} in {:?}", at, dialect);
            }
        }
    }
}

fn hierarchy(text: &str, limit: usize) -> String {
    fed(&Options::new(), text).freeze().hierarchy_with(&ContextOptions::new().total_limit(Some(limit)))
}

#[test]
fn the_nearest_are_whole() {
    let records: Vec<String> = (1..=20).map(|id| format!("{{\"id\": {id}, \"name\": \"n{id}\"}}")).collect();
    let text = format!("{{\"items\": [{}, {{\"id\": 21, \"na", records.join(", "));
    let got = hierarchy(&text, 300);
    assert!(got.chars().count() <= 300, "{got}");
    assert!(got.starts_with("{\"items\": ["), "{got}");
    assert!(got.contains(" elements left out */"), "{got}");
    assert!(got.ends_with("{\"id\": 20, \"name\": \"n20\"}, {\"id\": 21, \"na"), "{got}");
    assert!(!got.contains("\"n1\""), "{got}");
    // What is left out and what is there make up all.
    let (_, comments) = without_comments(&got);
    let left_out: usize = comments[0].split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(left_out + got.matches("\"id\"").count(), 21, "{got}");
    // With room for all nothing is left out.
    assert_eq!(hierarchy(&text, 10_000), text);
}

#[test]
fn members_fold_too() {
    let members: Vec<String> = (1..=20).map(|id| format!("\"key{id}\": {id}")).collect();
    let text = format!("{{{}, \"last\": \"th", members.join(", "));
    let got = hierarchy(&text, 200);
    assert!(got.chars().count() <= 200, "{got}");
    assert!(got.contains(" members left out */"), "{got}");
    assert!(got.ends_with("\"key20\": 20, \"last\": \"th"), "{got}");
}

/// The open path alone may be longer than the limit.
#[test]
fn a_path_longer_than_the_limit() {
    for text in [
        "[".repeat(300),
        "{\"a\":".repeat(100),
        "{\"a key that goes on\": [".repeat(20) + "\"th",
        format!("{{\"{}\": [\"x", "k".repeat(200)),
        format!("{{\"{}", "k".repeat(200)),
        format!("[{}", "1".repeat(200)),
        format!("[{}", "1".repeat(127)),
        format!("[\"{}", "日".repeat(400)),
        format!("[\"{}", "\\ud83d\\ude00".repeat(40)),
        format!("{}1{}", "[".repeat(100), "]".repeat(99)),
    ] {
        for limit in [0, 64, 128, 200] {
            let got = hierarchy(&text, limit);
            assert!(got.chars().count() <= limit.max(LEAST), "{limit}: {got}");
            let last = text.chars().next_back().unwrap();
            assert!(got.ends_with(last) || got.ends_with("left out */"), "{got}");
            // What is left out is told.
            assert!(got == text || got.contains("left out */") || got.contains("\"..."), "{got}");
        }
    }
}

/// The strings of what is kept, beyond the budget for them, stand as `"..."`, and count as that.
#[test]
fn strings_left_out_of_what_is_kept() {
    let names: Vec<String> = (10..60).map(|number| format!("\"a name of a person {number}\"")).collect();
    let left_out = "\"...\", ".repeat(10);
    let kept = names[46..].join(", ");
    let wanted = format!("[/* 36 elements left out */ {left_out}{kept}, ");
    assert_eq!(hierarchy(&format!("[{}, ", names.join(", ")), 200), wanted);
}

/// The innermost level takes half of the room at first: those around it are not left with nothing.
#[test]
fn levels_around_the_innermost_are_kept_as_well() {
    let numbers: Vec<String> = (100..160).map(|number| number.to_string()).collect();
    let all = numbers.join(", ");
    let (outer, inner) = (numbers[53..].join(", "), numbers[39..].join(", "));
    let wanted = format!("[/* 53 elements left out */ {outer}, [/* 39 elements left out */ {inner}, ");
    assert_eq!(hierarchy(&format!("[{all}, [{all}, "), 200), wanted);
}

/// A comma that nothing follows says that something is to follow.
#[test]
fn the_comma_at_the_cut_stays() {
    let number = "1".repeat(200);
    for (rest, folded) in [(", ", ", "), (", 2", " 2"), (", {\"a\": ", " {\"a\": "), (", /* x", ", /* x")] {
        let wanted = format!("[/* 1 element left out */{folded}");
        assert_eq!(hierarchy(&format!("[{number}{rest}"), LEAST), wanted);
    }
    // A member that is dropped, for its key came before, follows as well.
    for rest in ["\"a\": ", "\"a\": 1", "\"a\": [1, ", "\"a\": {\"b\": 2}", "\"a\": 1, "] {
        let wanted = format!("{{/* 1 member left out */ {rest}");
        assert_eq!(hierarchy(&format!("{{\"a\": {number}, {rest}"), LEAST), wanted);
    }
}

/// Of the levels in a member that is dropped those around the innermost are counted, though nothing else is known of them.
#[test]
fn levels_in_a_member_that_is_dropped_are_counted() {
    let number = "1".repeat(200);
    for (inner, count) in [("{\"b\": 2", 2), ("[{\"b\": [2", 4)] {
        let folded = hierarchy(&format!("{{\"a\": 1, \"a\": [{number}, {inner}"), LEAST);
        let innermost = &inner[inner.rfind(['[', '{']).unwrap()..];
        assert_eq!(folded, format!("/* {count} outer levels left out */ {innermost}"));
    }
}
