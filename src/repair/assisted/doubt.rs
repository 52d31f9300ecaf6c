//! Whether the rules were enough, and where they were not.

use std::collections::BTreeSet;
use std::ops::Range;

use super::options::Ask;
use crate::parser::{Outcome, RepairKind};
use crate::repair::Repaired;

impl RepairKind {
    /// Whether the rule leaves out text, makes up a value, or guesses where an object or array begins or ends. Then
    /// what was read may not be what was meant, and it may be worth asking somebody who understands the text:
    /// [`repair_assisted`](crate::repair_assisted) does.
    ///
    /// ```
    /// use jsonrill::RepairKind;
    ///
    /// assert!(RepairKind::StrayText.is_doubtful());
    /// assert!(!RepairKind::ExtraComma.is_doubtful());
    /// ```
    #[must_use]
    pub const fn is_doubtful(self) -> bool {
        matches!(
            self,
            Self::StrayText
                | Self::MissingValue
                | Self::MissingOpener
                | Self::MissingCloser
                | Self::WrongCloser
                | Self::SurplusCloser
        )
    }

    /// Whether it is the borders of objects and arrays that were guessed, so that the damage may go beyond them.
    const fn is_about_borders(self) -> bool {
        self.is_doubtful() && !matches!(self, Self::StrayText | Self::MissingValue)
    }
}

/// What the rules did not mend, or may have mended wrongly.
#[derive(Debug)]
pub(super) struct Damage {
    /// Where it is in the text. `None` where that is nowhere in particular.
    pub(super) place: Option<Range<usize>>,
    /// Whether it may go beyond the object or array that it is in.
    pub(super) crosses_borders: bool,
}

/// Looks for it. `None` where the rules were enough.
pub(super) fn damage(text: &str, repaired: &Repaired, ask: Ask) -> Option<Damage> {
    let counts = |kind: RepairKind| kind.is_doubtful() || ask == Ask::Always;
    let mut reports = repaired.repairs().iter().filter(|repair| counts(repair.kind)).peekable();
    let first = reports.peek().map(|repair| repair.span.range());
    let goes_on = goes_on_behind_root(text, repaired);
    if first.is_none() && !goes_on && repaired.is_complete() {
        return None;
    }
    let crosses_borders = reports.clone().any(|repair| repair.kind.is_about_borders());
    let span = first.map(|first| {
        reports.fold(first, |span, repair| {
            span.start.min(repair.span.range().start)..span.end.max(repair.span.range().end)
        })
    });
    // Nobody knows where it is if not everything is listed, and what is behind the root is in nothing.
    let is_known = !goes_on
        && repaired.repairs().omitted() == 0
        && matches!(repaired.outcome(), Outcome::Repaired | Outcome::Truncated);
    Some(Damage { place: span.filter(|_| is_known), crosses_borders })
}

/// Whether the text was cut, and is sound up to there.
pub(super) fn is_merely_cut(repaired: &Repaired) -> bool {
    let is_doubtful = repaired.repairs().iter().any(|repair| repair.kind.is_doubtful());
    repaired.outcome() == Outcome::Truncated && !is_doubtful && repaired.repairs().omitted() == 0
}

/// The part of the text that the rules have not read, and that is to be in an answer all the same: what stands behind a
/// root that was closed too early (up to the last bracket) or behind an error, and all of a text in which they found no
/// JSON. Empty mostly.
pub(super) fn unread<'a>(text: &'a str, repaired: &Repaired) -> &'a str {
    let from = |start: usize| text.get(start..).unwrap_or_default();
    match (repaired.outcome(), repaired.error()) {
        (Outcome::Empty, _) => text,
        (_, Some(error)) => from(usize::try_from(error.offset()).unwrap_or(usize::MAX)),
        _ if goes_on_behind_root(text, repaired) => {
            let rest = from(repaired.snapshot().root().span().map_or(0, |span| span.range().end));
            rest.rfind(['}', ']']).and_then(|end| rest.get(..end)).unwrap_or(rest)
        }
        _ => "",
    }
}

/// Whether the root was closed too early: what stands behind it goes on as only its inside does.
fn goes_on_behind_root(text: &str, repaired: &Repaired) -> bool {
    let end = repaired.snapshot().root().span().map(|span| span.range().end);
    let Some(rest) = end.filter(|_| repaired.is_complete()).and_then(|end| text.get(end..)) else { return false };
    let mut rest = rest.trim_start().chars();
    rest.next().is_some_and(|sign| matches!(sign, ',' | ':' | '}' | ']')) && rest.as_str().contains('"')
}

/// What was wrong with a text, without where and how often: the outcome, the error, and the kinds of repairs.
pub(super) fn pattern(repaired: &Repaired) -> String {
    let kinds: BTreeSet<&str> = repaired.repairs().iter().map(|repair| repair.kind.as_str()).collect();
    let error = repaired.error().map_or("", |error| error.kind().as_str());
    let mut pattern = format!("{} {error}", repaired.outcome());
    for kind in kinds {
        pattern.push(' ');
        pattern.push_str(kind);
    }
    pattern
}
