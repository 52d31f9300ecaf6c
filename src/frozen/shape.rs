//! What a parser notes about the cut: all that the log and the source do not say themselves.

use crate::document::Span;

use super::CutState;

/// The state of a parser at the cut, in offsets of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    /// How far the text was read.
    pub(crate) offset: u32,
    pub(crate) state: CutState,
    /// The pointer of what was in flight.
    pub(crate) open: Option<String>,
    /// The quote and brackets that are missing.
    pub(crate) closers: String,
    /// Where the root is, as far as it has come.
    pub(crate) root: Option<Span>,
    /// Where the innermost open container begins.
    pub(crate) container: Option<u32>,
    /// The token in flight, or the scalar that ended last and may not be final: from its first byte on. Up to the end
    /// of what of it is settled: a string's whole characters, the longest number in a number.
    pub(crate) token: Option<Span>,
    /// How long the quote is that the string in flight was begun with, with the letters before it.
    pub(crate) quote: u32,
    /// Where the escape in flight begins.
    pub(crate) escape: u32,
    /// Where what is closed in the innermost container ends; blanks may be before it.
    pub(crate) settled: u32,
    /// Nothing in the root was repaired, nor is worth a warning.
    pub(crate) is_verbatim: bool,
    /// What of the source is no part of the root: the starts of rounds that were left out.
    pub(crate) dropped: Vec<Dropped>,
    /// Members were dropped, for their name was there before.
    pub(crate) has_dropped: bool,
}

/// A stretch of the source that is no part of the root, and what was read in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) span: Span,
    /// The last byte of it was read where that of the stretch is.
    pub(crate) supplied: String,
}

impl Dropped {
    /// Whether it lies in a stretch, or some of it does. One of no length does so where it is between two bytes of that.
    pub(crate) fn is_in(&self, stretch: Span) -> bool {
        let Span { start, end } = self.span;
        if start == end {
            return stretch.start < start && start < stretch.end;
        }
        stretch.start < end && start < stretch.end
    }

    /// Where so many bytes are read that stand in the place of a stretch. They may be more than that has, and are behind
    /// what is before it all the same.
    pub(crate) fn begin(stretch: Span, length: u32) -> u32 {
        stretch.end.saturating_sub(length).max(stretch.start)
    }

    /// What was read in its place as far as that lies in a stretch.
    pub(crate) fn supplied_in(&self, stretch: Span) -> &[u8] {
        let supplied = self.supplied.as_bytes();
        let length = u32::try_from(supplied.len()).unwrap_or(u32::MAX);
        let begin = Self::begin(self.span, length);
        let from = stretch.start.saturating_sub(begin).min(length);
        // What is longer than the stretch it replaces is at its end.
        let to = if stretch.end >= self.span.end { length } else { stretch.end.saturating_sub(begin).min(length) };
        supplied.get(from as usize..to as usize).unwrap_or_default()
    }
}

impl Shape {
    /// Whether a scalar is in flight.
    pub(crate) fn is_value_in_flight(&self) -> bool {
        self.is_string_in_flight() || matches!(self.state, CutState::InNumber | CutState::InKeyword)
    }

    /// Whether a string value is in flight.
    pub(crate) fn is_string_in_flight(&self) -> bool {
        matches!(self.state, CutState::InString | CutState::InEscape)
    }
}
