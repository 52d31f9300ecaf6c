//! Valid JSON, and where a text stops being the start of it: judged by serde_json, and by the reader that the tests
//! have.

use std::fmt;

use jsonrill::{Duplicates, End, Finished, Options, Outcome, Parser, Snapshot};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::laws::may_become;
use crate::reference::{self, Rules, Visibility};
use crate::view::{agree, ending, root, states, values, view};
use crate::{is_valid, tree::Tree};

/// At how many places what is shown is compared; each costs two readings from the start.
const PLACES: usize = 8;

/// Law 5, and both halves of law 4, on valid JSON in pieces: strict and lenient show what may be shown, lenient never
/// more than strict, and at the end both tell the same.
pub fn dialects_agree(pieces: &[&[u8]]) -> Result<(), String> {
    let text = pieces.concat();
    let (mut strict, mut lenient) = (Parser::strict(), Parser::new());
    let step = pieces.len().div_ceil(PLACES);
    let mut fed = 0;
    for (index, piece) in pieces.iter().enumerate() {
        strict.push(piece);
        lenient.push(piece);
        fed += piece.len();
        if index % step == 0 {
            let place = |fault| format!("after {fed} bytes: {fault}");
            let (strict, lenient) = (strict.snapshot(), lenient.snapshot());
            shows(&strict, &text[..fed], Rules::Strict).map_err(place)?;
            shows(&lenient, &text[..fed], Rules::Lenient).map_err(place)?;
            may_become(lenient.root(), strict.root()).map_err(place)?;
        }
    }
    let (one, other) = (view(&mut strict), view(&mut lenient));
    if one.warnings != other.warnings {
        return Err(format!("strict warns {:?}, lenient {:?}", one.warnings, other.warnings));
    }
    let (strict, lenient) = (strict.finish(End::Unknown), lenient.finish(End::Unknown));
    let (one, other) = (ending(&strict), ending(&lenient));
    if one != other {
        return Err(format!("strict {one:?}, lenient {other:?}"));
    }
    let is_plain = lenient.repairs().is_empty() && lenient.skipped().is_empty();
    if lenient.outcome() != Outcome::Complete || !lenient.is_complete() || !is_plain {
        return Err(format!("{:?} with {:?} and {:?}", lenient.outcome(), lenient.repairs(), lenient.skipped()));
    }
    if lenient.snapshot().text().as_bytes() != text {
        return Err("the text is another".to_owned());
    }
    numbers(lenient.snapshot())
}

/// What is shown of the start of a valid text, and what of that is final.
fn shows(snapshot: &Snapshot, prefix: &[u8], rules: Rules) -> Result<(), String> {
    let expected = reference::read(prefix, rules);
    match (rules, reference::visibility(&expected, prefix)) {
        (Rules::Lenient, Visibility::Hidden) if snapshot.is_started() => return Err("shown too early".to_owned()),
        (Rules::Lenient, Visibility::Hidden) => return Ok(()),
        (Rules::Lenient, Visibility::Either) if !snapshot.is_started() => return Ok(()),
        _ => {}
    }
    let (found, states) = (root(snapshot), states(snapshot));
    if found != expected.tree || !agree(&states, &expected.marks) {
        return Err(format!("{found:?} {states:?}, and not {:?} {:?}", expected.tree, expected.marks));
    }
    Ok(())
}

/// Numbers have the text that they have in the source, and the value that Rust reads in it.
fn numbers(snapshot: &Snapshot) -> Result<(), String> {
    for value in values(snapshot) {
        let Some(text) = value.number_text() else { continue };
        let source = value.span().map(|span| snapshot.source(span).into_owned());
        // `-0` is a fraction, as for serde_json.
        let is_whole = text != "-0" && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let told = (value.as_i64(), value.as_u64());
        let expected = if is_whole { (text.parse().ok(), text.parse().ok()) } else { (None, None) };
        let double: f64 = text.parse().map_err(|error| format!("{text}: {error}"))?;
        let told_double = value.as_f64();
        if source.as_deref() != Some(text) || told != expected || told_double.is_some_and(|told| told != double) {
            return Err(format!("{text}: {source:?} {told:?} {told_double:?}, and not {expected:?} {double:?}"));
        }
        if told_double.is_none() && double.is_finite() {
            return Err(format!("{text} is no double"));
        }
    }
    Ok(())
}

/// Whether a valid text may begin so, as serde_json says. Of half a number or escape it says no, so that is made whole.
fn may_go_on(prefix: &[u8]) -> bool {
    let text = match std::str::from_utf8(prefix) {
        Err(error) if error.error_len().is_some() => return false,
        // Half a character is fine where a whole one is.
        Err(error) => [&prefix[..error.valid_up_to()], "\u{10ffff}".as_bytes()].concat(),
        Ok(_) => prefix.to_vec(),
    };
    let whole: &[&str] = if is_in_hex(&text) { &["0000"] } else { &["", "0"] };
    whole.iter().any(|more| match serde_json::from_slice::<IgnoredAny>(&[&text[..], more.as_bytes()].concat()) {
        Ok(_) => true,
        Err(error) => error.is_eof(),
    })
}

/// Whether the text ends behind `\u` and fewer than four bytes.
fn is_in_hex(text: &[u8]) -> bool {
    let (mut in_string, mut escaped, mut digits) = (false, false, 0);
    for byte in text {
        match byte {
            _ if digits > 0 => digits -= 1,
            _ if escaped => (escaped, digits) = (false, if *byte == b'u' { 4 } else { 0 }),
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ => {}
        }
    }
    digits > 0
}

/// An error of the strict dialect lies at the first byte with which no valid text begins.
pub fn error_is_first(finished: &Finished, text: &[u8]) -> Result<(), String> {
    let Some(error) = finished.error() else {
        return if may_go_on(text) { Ok(()) } else { Err("no error".to_owned()) };
    };
    let at = usize::try_from(error.offset()).map_err(|error| error.to_string())?;
    let wrong = |what: &str| Err(format!("{what}: {error} in {:?}", String::from_utf8_lossy(text)));
    let Some(before) = text.get(..at) else { return wrong("behind the end") };
    let lines = before.split(|byte| *byte == b'\n');
    let last = lines.clone().next_back().map_or(0, |line| String::from_utf8_lossy(line).chars().count());
    let place = (u32::try_from(lines.count()).ok(), u32::try_from(last + 1).ok());
    if (error.line(), error.column()) != place {
        return wrong("another line or column");
    }
    if !may_go_on(before) {
        return wrong("too late");
    }
    if error.is_limit() {
        return Ok(());
    }
    // An error in a character is told where that begins.
    let end = (at + 1..=text.len().min(at + 4)).find(|end| !may_go_on(&text[..*end]));
    let is_ascii = text.get(at).is_some_and(u8::is_ascii);
    match end {
        Some(end) if end == at + 1 || !is_ascii => Ok(()),
        _ => wrong("too early"),
    }
}

/// What serde_json reads: keys in order and as often as they come.
struct Read(Tree);

/// Which one of members of the same name there is, and where it stands.
fn add(members: &mut Vec<(String, Tree)>, key: String, value: Tree, duplicates: Duplicates) -> bool {
    match members.iter_mut().find(|(other, _)| *other == key) {
        Some((_, old)) if duplicates == Duplicates::Last => *old = value,
        Some(_) => return false,
        None => members.push((key, value)),
    }
    true
}

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Tree;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("JSON")
            }
            fn visit_unit<E>(self) -> Result<Tree, E> {
                Ok(Tree::Null)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
                Ok(Tree::Bool(value))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
                Ok(Tree::Number(value.to_string()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
                Ok(Tree::Number(value.to_string()))
            }
            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Tree, E> {
                if value.is_finite() { Ok(Tree::Number(value.to_string())) } else { Err(E::custom("not finite")) }
            }
            fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
                Ok(Tree::String(value.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Tree, A::Error> {
                let mut items = Vec::new();
                while let Some(Read(item)) = from.next_element()? {
                    items.push(item);
                }
                Ok(Tree::Array(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Tree, A::Error> {
                let mut members = Vec::new();
                while let Some((key, Read(value))) = from.next_entry()? {
                    members.push((key, value));
                }
                Ok(Tree::Object(members))
            }
        }
        from.deserialize_any(Any).map(Read)
    }
}

/// The tree with members of the same name as the option says; `None` where that is an error.
fn resolved(tree: Tree, duplicates: Duplicates) -> Option<Tree> {
    Some(match tree {
        Tree::Array(items) => {
            Tree::Array(items.into_iter().map(|item| resolved(item, duplicates)).collect::<Option<_>>()?)
        }
        Tree::Object(all) => {
            let mut members = Vec::new();
            for (key, value) in all {
                let value = resolved(value, duplicates)?;
                if !add(&mut members, key, value, duplicates) && duplicates == Duplicates::Error {
                    return None;
                }
            }
            Tree::Object(members)
        }
        scalar => scalar,
    })
}

/// Equal, where a number may be spelled otherwise and a decimal fraction differ in its last bit.
fn alike(own: &Tree, other: &Tree) -> bool {
    match (own, other) {
        (Tree::Number(own), Tree::Number(other)) => {
            let (one, two) = (own.parse::<f64>().unwrap_or(f64::NAN), other.parse::<f64>().unwrap_or(f64::NAN));
            own == other || (one - two).abs() <= f64::EPSILON * one.abs() * 2.0
        }
        (Tree::Array(own), Tree::Array(other)) => {
            own.len() == other.len() && own.iter().zip(other).all(|(own, other)| alike(own, other))
        }
        (Tree::Object(own), Tree::Object(other)) => {
            own.len() == other.len()
                && own.iter().zip(other).all(|((key, own), (same, other))| key == same && alike(own, other))
        }
        _ => own == other,
    }
}

/// With each way to read members of the same name, strict reads what serde_json reads, in the same order.
pub fn duplicates_agree(text: &[u8]) -> Result<(), String> {
    for duplicates in [Duplicates::First, Duplicates::Last, Duplicates::Error] {
        let mut parser = Parser::with_options(Options::strict().duplicates(duplicates));
        parser.push(text);
        let finished = parser.finish(End::Unknown);
        let expected = match serde_json::from_slice(text) {
            Ok(Read(tree)) => resolved(tree, duplicates),
            Err(error) => return has_no_value(&finished, &error),
        };
        let own = if finished.is_complete() { root(finished.snapshot()) } else { None };
        let is_same = match (&own, &expected) {
            (Some(own), Some(expected)) => alike(own, expected),
            (own, expected) => own.is_none() && expected.is_none(),
        };
        if !is_same {
            return Err(format!("{duplicates:?}: {own:?} is not {expected:?}"));
        }
    }
    Ok(())
}

/// Why serde_json has no value of a valid text: each reason is one that is seen here, too.
fn has_no_value(finished: &Finished, error: &serde_json::Error) -> Result<(), String> {
    let snapshot = finished.snapshot();
    let told = error.to_string();
    let is_seen = if told.contains("out of range") || told.contains("not finite") {
        values(snapshot).into_iter().any(|value| value.number_text().is_some() && value.as_f64().is_none())
    } else if told.contains("recursion limit") {
        root(snapshot).is_some_and(|root| root.depth() >= 127)
    } else {
        // With one surrogate alone there is no text.
        !finished.warnings().is_empty()
    };
    // A member that is dropped is not looked at.
    if is_seen || !finished.warnings().is_empty() || finished.error().is_some() { Ok(()) } else { Err(told) }
}

/// The text that a repair gives is valid, and serde_json reads in it what is shown.
pub fn reads_as(text: &str, snapshot: &Snapshot) -> Result<(), String> {
    if !is_valid(text.as_bytes()) {
        return Err(format!("not valid: {text:?}"));
    }
    let Ok(Read(read)) = serde_json::from_str(text) else { return Ok(()) };
    match root(snapshot) {
        Some(own) if alike(&own, &read) => Ok(()),
        own => Err(format!("{own:?} is not {read:?}")),
    }
}
