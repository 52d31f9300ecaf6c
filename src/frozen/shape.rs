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
    pub(crate) dropped: Vec<Span>,
    /// Members were dropped, for their name was there before.
    pub(crate) has_dropped: bool,
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
