//! A table of malformed texts with what they read as.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jsonrill::{Dialect, End, Finished, Options, Outcome, RepairKind, Report};

use super::laws;
use super::view::root;
use super::{finished, options, strict};

/// One text with what is read of it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub text: &'static str,
    /// The value, in valid JSON, with the spelling of numbers and the order of members.
    pub value: &'static str,
    /// The repairs, in order: names with a blank between them. `a|b` is either, `a?` may be told or not; `~` says that
    /// something may be skipped as well, `*` that it does not matter what is told, if only something is.
    pub told: &'static str,
    pub outcome: Outcome,
    pub end: End,
}

/// A text that is repaired and whole.
pub const fn row(text: &'static str, value: &'static str, told: &'static str) -> Row {
    Row { text, value, told, outcome: Outcome::Repaired, end: End::Unknown }
}

impl Row {
    /// The text does not close its root.
    pub const fn cut(self) -> Self {
        Self { outcome: Outcome::Truncated, ..self }
    }

    /// What was said when the text ended.
    pub const fn at(self, end: End) -> Self {
        Self { end, ..self }
    }
}

/// Reads each row whole, at every split and byte by byte, with all laws.
pub fn check(rows: &[Row]) {
    let faults: Vec<String> = rows.iter().filter_map(|row| Some(format!("{:?} {}", row.text, fault(row)?))).collect();
    assert!(faults.is_empty(), "{} of {} rows:\n{}", faults.len(), rows.len(), faults.join("\n"));
}

fn fault(row: &Row) -> Option<String> {
    // One that panics is one of those that fail.
    let read = catch_unwind(AssertUnwindSafe(|| {
        let options = options(Dialect::Lenient);
        reading(row, &options)
            .and_then(|()| laws::keep(&options, row.text.as_bytes()))
            .and_then(|()| laws::splits_alike(row.text))
            .err()
    }));
    read.unwrap_or_else(|_| Some("panics".to_owned()))
}

fn reading(row: &Row, options: &Options) -> Result<(), String> {
    let finished = finished(options, row.text, row.end);
    let told: Vec<&str> = finished.repairs().iter().map(|repair| repair.kind.as_str()).collect();
    let shown = finished.snapshot();
    let value = if shown.is_started() { shown.to_string() } else { "nothing".to_owned() };
    let fail = |what: String| Err(format!("reads {value} ({}, {told:?}): {what}", finished.outcome()));
    if root(shown) != root(strict(row.value).snapshot()) {
        return fail(format!("not {}", row.value));
    }
    if finished.outcome() != row.outcome {
        return fail(format!("not {}", row.outcome));
    }
    if finished.error().is_some() {
        return fail(format!("{:?}", finished.error()));
    }
    let wanted: Vec<&str> = row.told.split_whitespace().filter(|name| !matches!(*name, "~" | "*")).collect();
    if row.told.contains('*') {
        if told.is_empty() && finished.skipped().is_empty() {
            return fail("and tells nothing".to_owned());
        }
    } else if !fits(&wanted, &told) {
        return fail(format!("not told {:?}", row.told));
    } else if !row.told.contains('~') && !finished.skipped().is_empty() {
        return fail(format!("skips {:?}", finished.skipped()));
    }
    if strict(row.text).outcome() == Outcome::Complete {
        return fail("but it is valid JSON".to_owned());
    }
    places(&finished, row.text).or_else(fail)?;
    // Of a text that was cut the last bytes may be no value yet.
    if row.outcome == Outcome::Truncated {
        Ok(())
    } else {
        laws::all_is_kept_or_told(&finished, row.text).or_else(fail)
    }
}

/// Whether what was told is what was wanted: see [`Row::told`].
fn fits(wanted: &[&str], told: &[&str]) -> bool {
    let Some((first, rest)) = wanted.split_first() else { return told.is_empty() };
    let name = first.trim_end_matches('?');
    let known = |name: &str| RepairKind::ALL.iter().any(|kind| kind.as_str() == name);
    assert!(name.split('|').all(known), "{name:?} is no kind of repair");
    let here =
        told.split_first().is_some_and(|(one, later)| name.split('|').any(|name| name == *one) && fits(rest, later));
    here || (first.ends_with('?') && fits(rest, told))
}

/// Repairs lie in the root, in the order of the text, each on what it is about.
fn places(finished: &Finished, text: &str) -> Result<(), String> {
    let Some(span) = finished.snapshot().root().span() else { return Ok(()) };
    let mut at = 0;
    for repair in finished.repairs() {
        if repair.span.start < at || repair.span.end as usize > text.len() {
            return Err(format!("{repair:?} is out of order"));
        }
        // A surplus closer may stand behind the root.
        if repair.span.start < span.start {
            return Err(format!("{repair:?} is before the root"));
        }
        at = repair.span.start;
        let source = text.get(repair.span.range()).ok_or_else(|| format!("{repair:?} cuts a character"))?;
        if !is_about(repair, source) {
            return Err(format!("{repair:?} is at {source:?}"));
        }
    }
    Ok(())
}

fn is_about(repair: &Report<RepairKind>, source: &str) -> bool {
    let only =
        |signs: &str| !source.is_empty() && source.chars().all(|sign| signs.contains(sign) || sign.is_whitespace());
    match repair.kind {
        RepairKind::ControlCharacter => !source.is_empty() && source.chars().all(char::is_control),
        RepairKind::InvalidEscape => source.starts_with('\\'),
        RepairKind::InnerQuote | RepairKind::DoubledQuote => only("\"'`“”‘’"),
        RepairKind::ExtraComma => only(",，"),
        RepairKind::Comment => source.starts_with("//") || source.starts_with("/*") || source.starts_with('#'),
        RepairKind::Ellipsis => only(".…"),
        RepairKind::SpecialSpace => !source.is_empty() && !source.contains(|sign: char| sign.is_alphanumeric()),
        RepairKind::WrongCloser | RepairKind::SurplusCloser => only("}])"),
        RepairKind::RepeatedBrace => only("{}"),
        RepairKind::BareKey
        | RepairKind::BareString
        | RepairKind::ForeignKeyword
        | RepairKind::NumberSpelling
        | RepairKind::NumberAsText
        | RepairKind::StrayText
        | RepairKind::FullWidth
        | RepairKind::OtherQuotes
        | RepairKind::Concatenation
        | RepairKind::Tuple
        | RepairKind::Set
        | RepairKind::Wrapper => !source.is_empty(),
        // Something is missing here: what is around it may be part of the place.
        _ => true,
    }
}
