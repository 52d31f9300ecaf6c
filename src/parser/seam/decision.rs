//! How a round goes on.

use crate::document::{NodeKind, SkipKind, Span};
use crate::frozen::CutState;

use super::super::RepairKind;
use super::super::machine::offset;
use super::SeamKind;
use super::before::Before;
use super::head::HELD;
use super::lanes::{Match, missing};
use super::units::{Lexer, Next, Unit, blanks};

/// How a round goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) kind: SeamKind,
    /// How many of its bytes are not read as they are.
    pub(super) dropped: usize,
    /// How many of these, at their end, are read in another spelling: as what is supplied.
    pub(super) respelled: usize,
    /// What of them is around the text, not of it, and where each piece of that ends.
    pub(super) around: Vec<(SkipKind, usize)>,
    /// What is read in their place, and what that is called, if it is a repair.
    pub(super) supplied: Option<(String, Option<RepairKind>)>,
    /// The round is in the string that is cut, in other quotes than those, and the rest of it is not known.
    pub(super) is_in_other_quotes: bool,
    /// Where a closer stands that is left out, too.
    pub(super) surplus: Option<usize>,
    pub(super) is_certain: bool,
}

impl Decision {
    /// So many bytes are left out.
    pub(super) fn new(kind: SeamKind, dropped: usize, is_certain: bool) -> Self {
        Self {
            kind,
            dropped,
            respelled: 0,
            around: Vec::new(),
            supplied: None,
            is_in_other_quotes: false,
            surplus: None,
            is_certain,
        }
    }

    /// There is nothing of the document in it.
    pub(super) fn nothing(kind: SeamKind, length: usize, is_certain: bool) -> Self {
        Self { around: vec![(SkipKind::Prose, length)], ..Self::new(kind, length, is_certain) }
    }

    /// The rest, without so many bytes that are none of the text.
    pub(super) fn rest_behind(length: usize, is_certain: bool) -> Self {
        Self::nothing(SeamKind::Rest, length, is_certain)
    }

    /// How many of its bytes are left out.
    pub(super) fn told(&self) -> usize {
        self.dropped.saturating_sub(self.respelled)
    }

    /// Where what is supplied is read, in a round that begins at `start`.
    pub(super) fn place(&self, start: u32) -> Span {
        let from = if self.respelled > 0 { self.told() } else { 0 };
        Span::new(start + offset(from), start + offset(self.dropped))
    }

    /// How many bytes of the round come before what is read of it as it is.
    pub(super) fn left_out(&self) -> usize {
        self.surplus.unwrap_or(0).max(self.dropped)
    }

    /// The rest, without what is around it.
    pub(super) fn rest(start: usize, is_certain: bool) -> Self {
        Self::new(SeamKind::Rest, start, is_certain)
    }

    /// The rest, and the comma is missing that stands before it.
    pub(super) fn rest_behind_comma(start: usize, is_certain: bool) -> Self {
        let supplied = Some((",".to_owned(), Some(RepairKind::MissingComma)));
        Self { supplied, ..Self::rest(start, is_certain) }
    }

    /// What begins at `members` is new in the open container with this number.
    pub(super) fn members(before: &Before, level: usize, members: usize) -> Self {
        let closers = closed_down_to(before, level);
        Self {
            supplied: Some((closers, Some(RepairKind::MissingCloser))),
            ..Self::new(SeamKind::NewMembers, members, false)
        }
    }

    /// The rest begins behind a repeat. Where the round has the string that is cut in other quotes, or in none, the
    /// rest of that is read as if it had the same, behind half an escape if that is cut.
    ///
    /// None if more of the round has to be there. With `is_end` there is no more.
    pub(super) fn behind(
        before: &Before,
        round: &[u8],
        found: Match,
        kind: SeamKind,
        is_certain: bool,
        is_end: bool,
    ) -> Option<Self> {
        let mut decision = Self::new(kind, found.end, is_certain);
        let missing = found.completes.map(|character| missing(before.half_unit(), character).unwrap_or_default());
        decision.supplied = missing.clone().map(|missing| (missing, None));
        let (ours, theirs) = (&*before.closing, found.lexer.quote());
        let in_key = before.state == CutState::InKey;
        let is_same = theirs.map_or(ours.is_empty(), |quote| ours.as_bytes() == [quote]);
        if !before.is_in_text() || before.layer.is_some() || is_same || (theirs.is_none() && !in_key) {
            return Some(decision);
        }
        // From where the escape begins that is cut, for it may be that of a quote.
        let told = round.get(..found.end).unwrap_or_default();
        let half = if missing.is_none() && told.ends_with(before.half_unit()) { before.half_unit() } else { b"" };
        let start = found.end - half.len();
        let rest = round.get(start..).unwrap_or_default();
        let Some((length, text)) = in_quotes(rest, found.lexer, ours).filter(|(length, _)| *length <= HELD) else {
            decision.is_in_other_quotes = theirs.is_some();
            // It is read on as it is.
            decision.is_certain &= is_end;
            return (is_end || rest.len() >= HELD).then_some(decision);
        };
        let text = std::str::from_utf8(half).ok().and_then(|half| text.strip_prefix(half)).unwrap_or(&text);
        let repair = if theirs.is_some() { RepairKind::OtherQuotes } else { RepairKind::BareKey };
        if theirs.is_none() && rest.get(length).is_some_and(|end| ours.as_bytes() == [*end]) {
            // Only its first quote was not said again.
            return Some(decision);
        }
        (decision.dropped, decision.respelled) = (start + length, length);
        decision.supplied = Some((missing.unwrap_or_default() + text + ours, Some(repair)));
        Some(decision)
    }
}

/// The rest of a string or bare key: how many bytes it has with its quote, and what it is between other quotes.
fn in_quotes(rest: &[u8], mut lexer: Lexer, quote: &str) -> Option<(usize, String)> {
    let mut text = Vec::new();
    let mut at = 0;
    if !lexer.is_in_string() {
        while let Next::Unit(unit, next) = lexer.next(rest, at) {
            if unit.is(':') || unit == Unit::QUOTE || blanks(rest, at) > 0 {
                return Some((at, String::from_utf8_lossy(rest.get(..at)?).into_owned()));
            }
            at = next;
        }
        return None;
    }
    let theirs = lexer.quote();
    while let Next::Unit(unit, next) = lexer.next(rest, at) {
        if unit == Unit::QUOTE {
            return Some((next, String::from_utf8_lossy(&text).into_owned()));
        }
        let bytes = rest.get(at..next).unwrap_or_default();
        match bytes {
            // An escaped quote is the bare one in other quotes, and the other way round.
            [b'\\', escaped] if Some(*escaped) == theirs => text.push(*escaped),
            _ if bytes == quote.as_bytes() => text.extend([b"\\", bytes].concat()),
            _ => text.extend(bytes),
        }
        at = next;
    }
    None
}

/// What closes everything that is open in the container with this number, with a comma behind it.
fn closed_down_to(before: &Before, level: usize) -> String {
    let mut text = String::from(match before.state {
        CutState::InString | CutState::InEscape | CutState::InKey => &before.closing,
        CutState::AfterKey => ": null",
        CutState::AfterColon => " null",
        _ => "",
    });
    if before.state == CutState::InKey {
        text += ": null";
    }
    for open in before.open.iter().skip(level + 1).rev() {
        text.push(if open.kind == NodeKind::Object { '}' } else { ']' });
    }
    let is_inside = level + 1 < before.open.len();
    if is_inside || before.member.is_some() || !before.is_behind_comma {
        text.push(',');
    }
    text
}
