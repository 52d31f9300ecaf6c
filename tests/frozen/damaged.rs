//! Damaged texts, and JSON in prose, fences and reasoning, cut at every byte: whatever they read as, what is frozen is
//! that reading, and the parser goes on unharmed.

use jsonrill::{
    ContextOptions, Dialect, Duplicates, End, Expect, Limits, Options, Outcome, Parser, Places, Role, Roots,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde::de::IgnoredAny;

use crate::common::generate::{Input, MESSY, anything, damaged, enveloped, soup, twin_objects};
use crate::common::tree::Tree;
use crate::common::view::{ending, root, view};
use crate::common::{DIALECTS, config, options, strict};
use crate::every_cut::{cuts, valid_length};
use crate::outputs::{difference, outputs, scalar_in_flight, without};
use crate::texts::{DAMAGED, HOPELESS, SEVERAL, around_json};

/// What is wrong at one cut, if anything is.
fn at_cut(options: &Options, prefix: &[u8]) -> Result<(), String> {
    let mut parser = Parser::with_options(*options);
    parser.push(prefix);
    let frozen = parser.freeze();
    let finished = parser.finish(End::Truncated);
    if let Some(difference) = difference(&outputs(&frozen), &outputs(finished.frozen())) {
        return Err(format!("before and after the end: {difference}"));
    }
    let cut = frozen.cut();
    if let Some(cut) = finished.cut()
        && cut != frozen.cut()
    {
        return Err(format!("{cut:?} is not {:?}", frozen.cut()));
    }
    // The complete part is valid JSON with the value that is shown at the end.
    let part = frozen.complete_part();
    let shown = root(finished.snapshot());
    let scalar = scalar_in_flight(&frozen, &finished);
    // Where the last member of a name counts, a number in flight may stand for one that was there before.
    if scalar.is_some() && options.duplicates(Duplicates::Last) == *options {
        return Ok(());
    }
    reads_as(&part, without(shown.clone(), scalar).as_ref())?;
    let kept = frozen.complete_part_with(&ContextOptions::new().keep_scalars(true));
    reads_as(&kept, shown.as_ref())?;
    if cut.open().is_none() && !(cut.closers().is_empty() && cut.in_flight().is_empty()) {
        return Err(format!("nothing is open: {cut:?}"));
    }
    // What is told about the text is in the text, up to an error. What is held may be one if nothing more comes.
    if finished.error().is_some() {
        return Ok(());
    }
    // Behind a closing tag or fence the text may not be the answer's any more.
    let offset = usize::try_from(cut.offset()).unwrap();
    if offset > prefix.len() {
        return Err(format!("the offset is {offset}"));
    }
    let (prefix, behind) = prefix.split_at(offset);
    // In the strict dialect half a character outside a string is an error, once it is all.
    let is_half = std::str::from_utf8(behind).is_err_and(|error| error.error_len().is_none());
    if !(behind.is_empty()
        || is_half
        || behind.starts_with(b"<")
        || behind.starts_with(b"`")
        || behind.starts_with(b"~"))
    {
        return Err(format!("the offset is {offset}"));
    }
    // Half a character is where the character is.
    let place = Places::new(prefix).at(u32::try_from(valid_length(prefix)).unwrap());
    if cut.place() != Some(place) {
        return Err(format!("the place is {:?}, not {place:?}", cut.place()));
    }
    let text = String::from_utf8_lossy(&prefix[..valid_length(prefix)]);
    let overlap = frozen.overlap();
    if !text.ends_with(&overlap.text) {
        return Err(format!("{overlap:?} is not at the end of the text"));
    }
    if !text.ends_with(cut.in_flight()) {
        return Err(format!("{:?} in flight is not at the end of the text", cut.in_flight()));
    }
    let whole = frozen.hierarchy_with(&ContextOptions::new().budget_limit(usize::MAX));
    let is_there = if cut.open().is_some() { text.ends_with(&whole) } else { text.contains(&whole) };
    if !is_there {
        return Err(format!("the hierarchy {whole:?} is not in the text"));
    }
    if !whole.ends_with(&overlap.text) {
        return Err(format!("the hierarchy {whole:?} does not end with {overlap:?}"));
    }
    let limited = frozen.hierarchy_with(&ContextOptions::new().total_limit(Some(150)));
    if limited.chars().count() > 150 {
        return Err(format!("{limited:?} is longer than 150"));
    }
    Ok(())
}

fn reads_as(part: &str, wanted: Option<&Tree>) -> Result<(), String> {
    if part.is_empty() {
        return if wanted.is_none() { Ok(()) } else { Err(format!("nothing, not {wanted:?}")) };
    }
    serde_json::from_str::<IgnoredAny>(part).map_err(|error| format!("{part} is no JSON: {error}"))?;
    let read = strict(part);
    if read.outcome() != Outcome::Complete || !read.warnings().is_empty() {
        return Err(format!("{part} is {}, {:?}", read.outcome(), read.warnings()));
    }
    let read = root(read.snapshot());
    if read.as_ref() == wanted { Ok(()) } else { Err(format!("{part} is not {wanted:?}")) }
}

/// Freezing at each byte changes nothing of what comes.
fn unharmed(options: &Options, text: &[u8]) -> Result<(), String> {
    for end in crate::common::ENDS {
        let [mut frozen, mut other] = [(); 2].map(|()| Parser::with_options(*options));
        for (at, byte) in text.iter().enumerate() {
            drop(frozen.freeze());
            frozen.push([*byte]);
            other.push([*byte]);
            if at % 5 == 0 && end == End::Unknown && view(&mut frozen) != view(&mut other) {
                return Err(format!("freezing changed what is shown at {at}"));
            }
        }
        drop(frozen.freeze());
        if ending(&frozen.finish(end)) != ending(&other.finish(end)) {
            return Err(format!("freezing changed what is read at the end, {end:?}"));
        }
    }
    Ok(())
}

fn fault(options: &Options, text: &[u8]) -> Option<String> {
    let name = |at: usize| format!("{:?} cut at {at}", String::from_utf8_lossy(&text[..at]));
    cuts(text, 200)
        .find_map(|at| Some(format!("{}: {}", name(at), at_cut(options, &text[..at]).err()?)))
        .or_else(|| Some(format!("{}: {}", name(text.len()), unharmed(options, text).err()?)))
}

fn check<'a>(options: &Options, texts: impl Iterator<Item = &'a str>) {
    let faults: Vec<String> = texts.filter_map(|text| fault(options, text.as_bytes())).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn damaged_texts() {
    check(&options(Dialect::Lenient), DAMAGED.iter().chain(HOPELESS).copied());
}

#[test]
fn damaged_texts_in_strict() {
    check(&options(Dialect::Strict), DAMAGED.iter().chain(HOPELESS).copied());
}

#[test]
fn what_is_around_the_json() {
    check(&options(Dialect::Lenient), around_json());
}

#[test]
fn several_documents() {
    for roots in [Roots::Last, Roots::Many] {
        for dialect in DIALECTS {
            check(&options(dialect).roots(roots), SEVERAL.iter().copied());
        }
    }
}

#[test]
fn other_options() {
    let lenient = options(Dialect::Lenient);
    let limits = Limits::new().depth(3).bytes(40).nodes(6);
    for options in [
        lenient.role(Role::Arguments),
        lenient.unwrap_string(true),
        lenient.duplicates(Duplicates::Last),
        lenient.duplicates(Duplicates::Error),
        lenient.expect(Expect::Array),
        lenient.expect(Expect::Object),
        lenient.reasoning_expected(true),
        lenient.limits(limits),
        options(Dialect::Strict).limits(limits),
    ] {
        let texts = [
            "",
            "{\"a\": 1, \"a\": {\"b\": [2], \"b\": 3}, \"c\": \"d\"}",
            "\"{\\\"a\\\": [1, \\\"two\\\", {\\\"b\\\": 1.5}]}\"",
            "[{\"a\": \"b\"}, [[[[1]]]], 2, 3, 4, 5, 6, 7]",
            "so {} it is</think>{\"a\": [\"b\", 1",
            "Hm. [1, \"two\"] or {'a': x y, b: (1, 2",
            "{\"q\": \"x \"y\" z\", \"n\": 12:30, \"o\": {\"p\": [1, 2}, \"r\": Tru",
        ];
        check(&options, texts.into_iter());
    }
}

/// Where something was repaired, the value counts, and the spelling where it was right.
#[test]
fn complete_parts_of_repaired_texts() {
    for (text, value) in [
        ("{'a': 'b', c: [1.50, 2,", r#"{"a":"b","c":[1.50,2]}"#),
        ("{\"a\": \"say \"hi\" to", r#"{"a":"say \"hi\" to"}"#),
        ("{\"a\": True, \"b\": None, \"c\": (1, 2", r#"{"a":true,"b":null,"c":[1]}"#),
        ("```json\n{\"a\": [1 2 3 // so\n", r#"{"a":[1,2,3]}"#),
        ("{\"a\": \"one\ntwo", r#"{"a":"one\ntwo"}"#),
        ("{\"a\": \"C:\\dir", r#"{"a":"C:\\dir"}"#),
        ("{\"a\": \"\\ud83dx", "{\"a\":\"\u{fffd}x\"}"),
        ("{\"a\": 1, \"a\": 2, \"b\": \"c", r#"{"a":1,"b":"c"}"#),
        ("{\"a\": 1, \"a\": [2, 3", r#"{"a":1}"#),
        ("{\"a\": \"b, \"c\": \"d", r#"{"a":"b","c":"d"}"#),
    ] {
        let mut parser = Parser::new();
        parser.push(text);
        let part = parser.freeze().complete_part();
        let [got, wanted] = [part.as_str(), value].map(|json| root(strict(json).snapshot()));
        assert_eq!(got, wanted, "{text:?} gives {part}");
    }
}

fn some_options() -> impl Strategy<Value = Options> {
    let roots = select(vec![Roots::One, Roots::One, Roots::Last, Roots::Many]);
    let duplicates = select(vec![Duplicates::First, Duplicates::Last, Duplicates::Error]);
    (select(DIALECTS.to_vec()), roots, duplicates)
        .prop_map(|(dialect, roots, duplicates)| options(dialect).roots(roots).duplicates(duplicates))
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn anything_at_all(input in anything(), options in some_options()) {
        prop_assert_eq!(fault(&options, &input), None);
    }

    #[test]
    fn messy_documents(twin in twin_objects(MESSY)) {
        prop_assert_eq!(fault(&options(Dialect::Lenient), twin.messy.as_bytes()), None);
    }

    #[test]
    fn wounded_documents(input in prop_oneof![damaged(), soup()]) {
        prop_assert_eq!(fault(&options(Dialect::Lenient), &input), None);
    }

    #[test]
    fn documents_in_what_models_write(envelope in enveloped()) {
        prop_assert_eq!(fault(&options(Dialect::Lenient), envelope.text.as_bytes()), None);
    }

    #[test]
    fn bytes_that_are_no_text(bytes in prop::collection::vec(select(b"{}[]\":,\\ud83a\xff\xc3\xf0\x9f\x98 1n-.e\n".to_vec()), 0..60)) {
        prop_assert_eq!(fault(&options(Dialect::Lenient), &Input(bytes.clone())), None);
        prop_assert_eq!(fault(&options(Dialect::Strict), &Input(bytes)), None);
    }
}

/// What is dropped of a second document is none of the first.
#[test]
fn a_member_that_another_document_has_twice() {
    assert_eq!(fault(&options(Dialect::Lenient), &Input(br#"{"id"} {"":"","":"#.to_vec())), None);
}

/// Whether the last key is the first one again shows when it is known that nothing follows.
#[test]
fn an_error_that_the_end_shows() {
    let options = options(Dialect::Lenient).duplicates(Duplicates::Error);
    assert_eq!(fault(&options, &Input(b"{\"a\":1\"a\"<".to_vec())), None);
}

/// The letters before a quote are no text, and the quote is one character.
#[test]
fn strings_with_a_prefix() {
    for text in ["[f\u{201c}alse,", "{\"a\": 1, \"b\": r'raw", "[\"x\", b\"ytes"] {
        let mut parser = Parser::new();
        parser.push(text);
        assert_eq!(parser.freeze().hierarchy(), text);
    }
}

/// The letter before one string is not before a later one.
#[test]
fn strings_behind_one_with_a_prefix() {
    let mut parser = Parser::new();
    parser.push(r#"{"a": [u"x", """several words"#);
    let hierarchy = parser.freeze().hierarchy_with(&ContextOptions::new().budget_limit(3));
    assert!(hierarchy.ends_with(r#" """...rds"#), "{hierarchy}");
}

/// With no budget for strings, those with half of their quotes are left out as well, and in a document that is escaped as
/// a whole the quotes stay as they are.
#[test]
fn damaged_strings_are_left_out() {
    for (text, hierarchy) in [
        (r#"{"a": "b, "c": 1"#, r#"{"a": "...", "c": 1"#),
        (r#"{"a": b", "c": 1"#, r#"{"a": "...", "c": 1"#),
        (r#"{\"a\": \"b\", \"c\": 1"#, r#"{\"a\": \"...\", \"c\": 1"#),
        (r#""{""a"": ""b"", ""c"": 1"#, r#"{""a"": ""..."", ""c"": 1"#),
    ] {
        let mut parser = Parser::new();
        parser.push(text);
        assert_eq!(parser.freeze().hierarchy_with(&ContextOptions::new().budget_limit(0)), hierarchy, "{text}");
    }
}

/// Of several scalars the last may be cut, and is what the next response goes on with.
#[test]
fn a_scalar_in_flight_behind_others() {
    let mut parser = Parser::with_options(Options::new().roots(Roots::Many));
    parser.push("8\n45");
    let frozen = parser.freeze();
    assert_eq!((frozen.cut().state().as_str(), frozen.cut().in_flight()), ("in_number", "45"));
    assert_eq!(frozen.hierarchy(), "45");
}

#[test]
fn a_conflict_is_behind_its_member_however_that_came() {
    for dialect in DIALECTS {
        for value in ["\"d\"", "1", "true", "[1]", "{\"b\": 2}"] {
            let text = format!("[{{\"a\": {{}}, \"a\": {value}, \"c\": 3}}]");
            for size in [1, 3, 100] {
                let mut parser = Parser::with_options(Options::new().dialect(dialect).role(Role::Arguments));
                text.as_bytes().chunks(size).for_each(|chunk| parser.push(chunk));
                let frozen = parser.freeze();
                assert_eq!(frozen.complete_part(), "[{\"a\": {}}]", "{text} in pieces of {size}");
                assert_eq!(frozen.cut().state().as_str(), "between_members", "{text} in pieces of {size}");
            }
        }
    }
}

/// The closer that a key showed to be missing is missing in the source, also where the key is refused.
#[test]
fn a_key_that_is_refused_behind_a_missing_closer() {
    let mut parser = Parser::with_options(Options::new().duplicates(Duplicates::Error));
    parser.push("{\"a\": [1\"a\": {");
    assert!(parser.error().is_some());
    assert_eq!(parser.freeze().complete_part(), "{\"a\": [1]}");
}

/// In the strict dialect it is an error once it is all; what is before the backslash stays.
#[test]
fn half_a_character_behind_a_backslash() {
    for text in [&b"\"\\\xE2\x80"[..], b"[1, \"ab\\\xF0\x9F\x98", b"{\"a\": \"b\\\xC3", b"\"\\\"\\\xEF\xBC"] {
        for dialect in DIALECTS {
            assert_eq!(fault(&options(dialect), text), None);
        }
    }
}

/// How a root is read that was given up says nothing of the next, and what is wrong in it hides nothing around that.
#[test]
fn roots_behind_one_that_was_given_up() {
    for text in [
        &br#"{\""{//["\"#[..],
        br#"{\""{//{"":"\"#,
        br#"{\""{//["\"a\\"#,
        br#""[a]{""a":1}"#,
        b"\"[/{\\\\\x8C{\\\"\":\"",
    ] {
        assert_eq!(fault(&options(Dialect::Lenient), text), None);
    }
}
