//! Checkpoints: written, read back and gone on from, at every byte, as if nothing had happened; and nothing else is
//! taken for one.

use jsonrill::{Checkpoint, Dialect, Duplicates, End, Finished, Limits, Options, Parser, Role, Roots, Update};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::common::chunks::chunking;
use crate::common::generate::{ANY_VALID, anything, damaged, documents, soup};
use crate::common::view::{Ending, ending, view};
use crate::common::{DIALECTS, config, options};
use crate::outputs::{difference, outputs};
use crate::texts::{DAMAGED, HOPELESS, SEVERAL, around_json};

/// All that an update tells, as text.
fn told(update: &Update) -> Vec<String> {
    let part = |part: &Update| {
        let told = json!({
            "shown": part.snapshot().is_started().then(|| part.snapshot().to_string()),
            "text": part.snapshot().text(),
            "delta": part.delta().to_string(),
            "ambiguity": part.ambiguity().to_value(),
            "sequence": part.sequence(),
            "document": part.document(),
            "error": part.error().map(ToString::to_string),
        });
        told.to_string()
    };
    update.parts().map(part).collect()
}

fn ended(finished: &Finished) -> (Vec<String>, Ending) {
    (told(finished.update()), ending(finished))
}

fn written(checkpoint: &Checkpoint) -> String {
    serde_json::to_string(checkpoint).expect("it can be written")
}

fn read(text: &str) -> Result<Checkpoint, serde_json::Error> {
    serde_json::from_str(text)
}

/// Written and read back, through text.
fn through_text(checkpoint: &Checkpoint) -> Checkpoint {
    let back = read(&written(checkpoint)).expect("it can be read");
    assert_eq!(back, *checkpoint);
    back
}

/// Stopped and resumed at every byte, and gone on byte by byte to the end.
fn goes_on(options: &Options, text: &[u8], end: End) -> Result<(), String> {
    let mut parser = Parser::with_options(*options);
    let wanted: Vec<Vec<String>> = text.iter().map(|byte| told(&parser.feed([*byte]))).collect();
    let last = ended(&parser.finish(end));

    let mut parser = Parser::with_options(*options);
    for at in 0..=text.len() {
        let place = || format!("stopped at {at}, behind {:?}", String::from_utf8_lossy(&text[..at]));
        let frozen = parser.freeze();
        let checkpoint = through_text(&frozen.checkpoint().map_err(|error| format!("{}: {error}", place()))?);
        if checkpoint.length() != at as u64 && parser.error().is_none() {
            return Err(format!("{}: {} bytes", place(), checkpoint.length()));
        }
        let mut resumed = Parser::resume(&checkpoint);
        if view(&mut resumed) != view(&mut parser) {
            return Err(format!("{}: {:?} is not {:?}", place(), view(&mut resumed), view(&mut parser)));
        }
        let again = resumed.freeze();
        if let Some(difference) = difference(&outputs(&again), &outputs(&frozen)) {
            return Err(format!("{}: frozen again: {difference}", place()));
        }
        if again.checkpoint().as_ref() != Ok(&checkpoint) {
            return Err(format!("{}: {:?} is another checkpoint", place(), again.checkpoint()));
        }
        for (index, byte) in text.iter().enumerate().skip(at) {
            let told = told(&resumed.feed([*byte]));
            if told != wanted[index] {
                return Err(format!("{}: byte {index} told {told:?}, not {:?}", place(), wanted[index]));
            }
        }
        let ended = ended(&resumed.finish(end));
        if ended != last {
            return Err(format!("{}: ended as {ended:?}, not {last:?}", place()));
        }
        if let Some(byte) = text.get(at) {
            parser.feed([*byte]);
        }
    }
    Ok(())
}

fn check<'a>(options: &Options, texts: impl Iterator<Item = &'a str>) {
    let short = texts.filter(|text| text.len() <= 100);
    let faults: Vec<String> = short
        .filter_map(|text| Some(format!("{text:?} {}", goes_on(options, text.as_bytes(), End::Unknown).err()?)))
        .collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn damaged_texts_go_on() {
    check(&options(Dialect::Lenient), DAMAGED.iter().chain(HOPELESS).copied());
}

#[test]
fn strict_texts_go_on() {
    let texts =
        ["{\"a\": [1, -2.5e3, tru", "[1, 2}", "{\"a\": \"\\ud83d\\ude00\", \"a\": nul", "12", " \"é\\u00e9\" ", "[1]x"];
    check(&options(Dialect::Strict), texts.into_iter().chain(HOPELESS.iter().copied()));
}

#[test]
fn texts_around_json_go_on() {
    check(&options(Dialect::Lenient), around_json());
}

#[test]
fn several_documents_go_on() {
    for roots in [Roots::Last, Roots::Many] {
        for dialect in DIALECTS {
            check(&options(dialect).roots(roots), SEVERAL.iter().copied());
        }
    }
}

#[test]
fn limits_are_kept() {
    for limits in [
        Limits::new().bytes(20),
        Limits::new().nodes(5),
        Limits::new().depth(2),
        Limits::new().depth(0).bytes(0).nodes(0),
    ] {
        for dialect in DIALECTS {
            check(
                &options(dialect).limits(limits),
                ["{\"a\": [1, {\"b\": [2, 3, 4]}, 5], \"c\": 6}", "[[[[]]]]"].into_iter(),
            );
        }
    }
}

/// More text than the limit allows, in any of the rounds: those after it have nothing to be joined to.
#[test]
fn the_round_that_overflowed_is_kept() {
    let rounds = ["{\"a\": \"one t", "wo t", "hree", "", " four\"}"];
    for limit in 10..=24 {
        let mut parser = Parser::with_options(Options::new().limits(Limits::new().bytes(limit)));
        for (number, round) in rounds.iter().enumerate() {
            if number > 0 {
                parser.next_round();
            }
            parser.feed(*round);
            let resumed = Parser::resume(&through_text(&parser.freeze().checkpoint().unwrap()));
            assert_eq!(resumed.seams(), parser.seams(), "{limit} bytes, round {number}");
            assert_eq!(resumed.error(), parser.error(), "{limit} bytes, round {number}");
        }
        let finished = parser.finish(End::Stopped);
        let mut resumed = Parser::resume(&through_text(&finished.frozen().checkpoint().unwrap()));
        assert_eq!(resumed.finish(End::Stopped).seams(), finished.seams(), "{limit} bytes");
    }
}

#[test]
fn every_option_is_kept() {
    let lenient = options(Dialect::Lenient);
    for options in [
        lenient.role(Role::Arguments),
        lenient.unwrap_string(true),
        lenient.duplicates(Duplicates::Last),
        lenient.duplicates(Duplicates::Error),
        lenient.expect(jsonrill::Expect::Array),
        lenient.expect(jsonrill::Expect::Object),
        lenient.reasoning_expected(true),
        options(Dialect::Strict).duplicates(Duplicates::Last),
    ] {
        let texts = [
            "",
            "{\"a\": 1, \"a\": {\"b\": [2], \"b\": 3}, \"c\": \"d\"}",
            "\"{\\\"a\\\": [1, \\\"two\\\"]}\"",
            "[1, \"two\"] and {\"a\": [\"b\"",
            "so {} it is</think>{\"a\": [\"b\", 1",
        ];
        check(&options, texts.into_iter());
    }
}

#[test]
fn bytes_that_are_no_text_go_on() {
    for text in [
        &b"[\"a\xff\", \"\xc3\xa9\xc3\", \"\xf0\x9f\x98\"]"[..],
        b"\xff{\"a\xc3\": \"\xf0\x9f\x98\x80\"}\xff",
        b"\xe2\x80",
        b"{\"a\": \xc3",
    ] {
        for dialect in DIALECTS {
            assert_eq!(goes_on(&options(dialect), text, End::Unknown), Ok(()), "{}", text.escape_ascii());
        }
    }
}

#[test]
fn a_finished_text_goes_on_as_if_it_were_not() {
    for end in crate::common::ENDS {
        for text in [
            "",
            "{\"a\": [1, \"two, ",
            "[12",
            "12",
            "It is [1",
            "{\"a\": tru",
            "{\"a\": \"b\"",
            "{}",
            "{\"a\": 1}\n```",
        ] {
            let rest = "3, \"x\": \"y\"}]}, 4";
            let mut parser = Parser::new();
            parser.feed(text);
            let mut other = Parser::new();
            other.feed(text);
            let (before, finished) = (other.freeze(), parser.finish(end));
            let checkpoint = finished.frozen().checkpoint().unwrap();
            assert_eq!(Ok(&checkpoint), before.checkpoint().as_ref(), "{text:?}");
            let mut resumed = Parser::resume(&through_text(&checkpoint));
            assert_eq!(told(&resumed.feed(rest)), told(&other.feed(rest)), "{text:?} {end:?}");
            assert_eq!(ended(&resumed.finish(end)), ended(&other.finish(end)), "{text:?} {end:?}");
        }
    }
}

/// Freezing when finished changes nothing either.
#[test]
fn a_finished_parser_can_be_frozen() {
    let mut parser = Parser::new();
    parser.feed("{\"a\": [1, \"two, ");
    let before = outputs(&parser.freeze());
    let finished = parser.finish(End::Stopped);
    assert_eq!(outputs(finished.frozen()).contexts, before.contexts);
    drop(parser.freeze());
    assert_eq!(ended(&parser.finish(End::Stopped)).1, ending(&finished));
}

/// Through every way in and out that `serde_json` has.
#[test]
fn by_value_and_by_reader() {
    let mut parser = Parser::new();
    parser.feed("{\"a\\n\": \"é\u{1f600}\\u0000\u{7f}\", \"b\": [1, \"");
    let checkpoint = parser.freeze().checkpoint().unwrap();
    let value = serde_json::to_value(&checkpoint).unwrap();
    assert_eq!(serde_json::from_value::<Checkpoint>(value).unwrap(), checkpoint);
    let bytes = serde_json::to_vec_pretty(&checkpoint).unwrap();
    assert_eq!(serde_json::from_slice::<Checkpoint>(&bytes).unwrap(), checkpoint);
    assert_eq!(serde_json::from_reader::<_, Checkpoint>(&bytes[..]).unwrap(), checkpoint);
    assert!(format!("{checkpoint:?}").len() < 10_000);
}

fn a_checkpoint() -> Checkpoint {
    let mut parser = Parser::new();
    parser.feed("{\"a\": [1, ");
    parser.feed("\"tw");
    parser.push("o, \\u00e9");
    parser.freeze().checkpoint().unwrap()
}

#[test]
fn other_json_is_no_checkpoint() {
    for text in [
        "",
        "{}",
        "[]",
        "null",
        "0",
        "1",
        "-1.5",
        "true",
        "\"\"",
        "\"text\"",
        "[[]]",
        "[1,2,3]",
        "{\"version\":1}",
        "{\"text\":\"\"}",
    ] {
        assert!(read(text).is_err(), "{text:?} was taken");
    }
}

/// Every number in a value, each changed on its own.
fn tampered(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Number(number) => {
            let number = number.as_u64().unwrap_or(0);
            for other in
                [0, 1, number.wrapping_add(1), number.wrapping_sub(1), number + 1000, u64::MAX, u64::from(u32::MAX)]
            {
                found.push(json!(other));
            }
            found.extend([json!(-1), json!(0.5), json!(null), json!("1")]);
        }
        Value::String(text) => {
            found.extend([
                json!(""),
                json!(format!("{text}x")),
                json!(null),
                json!(1),
                json!([text]),
                json!(text.to_uppercase()),
            ]);
        }
        Value::Bool(value) => found.extend([json!(!value), json!(null), json!(1)]),
        Value::Null => found.extend([json!(0), json!(""), json!({})]),
        Value::Array(items) => {
            found.extend([json!([]), json!(null)]);
            for (index, item) in items.iter().enumerate() {
                let put = |other: Value| {
                    let mut items = items.clone();
                    items[index] = other;
                    json!(items)
                };
                found.extend(tampered(item).into_iter().map(put));
                let mut fewer = items.clone();
                fewer.remove(index);
                found.push(json!(fewer));
                let mut more = items.clone();
                more.insert(index, item.clone());
                found.push(json!(more));
            }
        }
        Value::Object(members) => {
            found.extend([json!({}), json!(null)]);
            for (key, member) in members {
                for other in tampered(member) {
                    let mut members = members.clone();
                    members.insert(key.clone(), other);
                    found.push(json!(members));
                }
                let mut fewer = members.clone();
                fewer.remove(key);
                found.push(json!(fewer));
            }
        }
    }
    found
}

#[test]
fn what_was_tampered_with_is_refused() {
    let checkpoint = a_checkpoint();
    let value = serde_json::to_value(&checkpoint).unwrap();
    for other in tampered(&value) {
        if let Ok(read) = serde_json::from_value::<Checkpoint>(other.clone()) {
            assert_eq!(read, checkpoint, "{other} was taken for {value}");
        }
    }
}

#[test]
fn another_version_is_refused_by_name() {
    let mut value = serde_json::to_value(a_checkpoint()).unwrap();
    let fields = value.as_object_mut().expect("an object");
    let version = fields.iter_mut().find(|(key, _)| key.contains("version")).expect("a version");
    *version.1 = json!(987);
    let error = serde_json::from_value::<Checkpoint>(value).expect_err("refused").to_string();
    assert!(error.contains("987") && error.contains("version"), "{error}");
}

/// A written checkpoint with one byte changed, lost or added is refused, or it is the same.
#[test]
fn no_byte_can_be_changed() {
    let checkpoint = a_checkpoint();
    let bytes = written(&checkpoint).into_bytes();
    let same_or_refused = |changed: &[u8]| {
        if let Ok(read) = serde_json::from_slice::<Checkpoint>(changed) {
            assert_eq!(read, checkpoint, "{} was taken", String::from_utf8_lossy(changed));
        }
    };
    for at in 0..bytes.len() {
        for mask in [0x01, 0x02, 0x10, 0x20, 0x40, 0x80] {
            let mut changed = bytes.clone();
            changed[at] ^= mask;
            same_or_refused(&changed);
        }
        let mut fewer = bytes.clone();
        fewer.remove(at);
        same_or_refused(&fewer);
        for byte in *b"0 x\"},:" {
            let mut more = bytes.clone();
            more.insert(at, byte);
            same_or_refused(&more);
        }
        same_or_refused(&bytes[..at]);
    }
}

fn any_options() -> impl Strategy<Value = Options> {
    let roots = select(vec![Roots::One, Roots::Last, Roots::Many]);
    let duplicates = select(vec![Duplicates::First, Duplicates::Last]);
    (select(DIALECTS.to_vec()), roots, duplicates)
        .prop_map(|(dialect, roots, duplicates)| options(dialect).roots(roots).duplicates(duplicates))
}

/// The first bytes of an input: stopping at each byte and going on from there is quadratic.
fn short(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(90)]
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn documents_go_on(text in documents(ANY_VALID), options in any_options(), end in select(crate::common::ENDS.to_vec())) {
        prop_assert_eq!(goes_on(&options, short(text.as_bytes()), end), Ok(()), "{}", text);
    }

    #[test]
    fn anything_goes_on(input in prop_oneof![anything(), damaged(), soup()], options in any_options(), end in select(crate::common::ENDS.to_vec())) {
        prop_assert_eq!(goes_on(&options, short(&input), end), Ok(()));
    }
}

proptest! {
    #![proptest_config(config(150))]

    /// With pushes and updates at any time, the next update is what it would have been.
    #[test]
    fn what_no_update_has_shown_is_in_the_next(
        input in anything(), options in any_options(), seen in any::<Index>(), stop in any::<Index>(),
    ) {
        let mut places = [seen.index(input.len() + 1), stop.index(input.len() + 1)];
        places.sort_unstable();
        let [seen, stop] = places;
        let mut parser = Parser::with_options(options);
        parser.feed(&input[..seen]);
        parser.push(&input[seen..stop]);
        let checkpoint = through_text(&parser.freeze().checkpoint().unwrap());
        let mut resumed = Parser::resume(&checkpoint);
        prop_assert_eq!(told(&resumed.update()), told(&parser.update()));
        prop_assert_eq!(told(&resumed.feed(&input[stop..])), told(&parser.feed(&input[stop..])));
        prop_assert_eq!(ended(&resumed.finish(End::Unknown)), ended(&parser.finish(End::Unknown)));
    }

    /// Pushed in whatever pieces, it is the same checkpoint.
    #[test]
    fn chunking_does_not_matter(input in anything(), options in any_options(), chunking in chunking()) {
        let [mut whole, mut pieces] = [(); 2].map(|()| Parser::with_options(options));
        whole.push(&*input);
        for chunk in chunking.cut(&input) {
            pieces.push(chunk);
        }
        let [one, other] = [&mut whole, &mut pieces].map(|parser| parser.freeze().checkpoint().unwrap());
        prop_assert_eq!(written(&one), written(&other));
        prop_assert_eq!(one, other);
    }

    #[test]
    fn no_document_is_a_checkpoint(text in documents(ANY_VALID)) {
        prop_assert!(read(&text).is_err());
    }

    /// One changed byte, in checkpoints of any text.
    #[test]
    fn no_byte_of_any_can_be_changed(input in anything(), at in any::<Index>(), mask in 1..=255_u8) {
        let mut parser = Parser::new();
        parser.feed(&*input);
        let checkpoint = parser.freeze().checkpoint().unwrap();
        let mut bytes = written(&checkpoint).into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= mask;
        if let Ok(read) = serde_json::from_slice::<Checkpoint>(&bytes) {
            prop_assert_eq!(read, checkpoint);
        }
    }
}
