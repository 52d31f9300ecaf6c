//! The start of a round, held until it is known how it goes on.

use crate::frozen::CutState;

use super::SeamKind;
use super::before::Before;
use super::decide::Reading;
use super::decision::Decision;
use super::junk::{Around, Fits, Junk, Look, has_structure, is_refusal, junk};
use super::lanes::Lane;
use super::path::Repeats;
use super::plain::{Plain, as_it_is};

/// How much of a round is held that does not repeat anything, in bytes.
pub(super) const HELD: usize = 512;

/// The start of a round.
pub(super) struct Head {
    pub(super) before: Before,
    pub(super) round: Vec<u8>,
    /// At which length it is looked at again.
    next: usize,
    /// How much of it repeats what there is.
    repeated: usize,
    /// What is before its text, once that is known, and the repeats from there.
    around: Option<Around>,
    lanes: Vec<Lane>,
    repeats: Repeats,
}

impl Head {
    pub(super) fn new(before: Before) -> Self {
        let lanes = Lane::all(&before, 0);
        Self { before, round: Vec::new(), next: 1, repeated: 0, around: None, lanes, repeats: Repeats::default() }
    }

    /// Takes one more byte.
    pub(super) fn push(&mut self, byte: u8) -> Option<Decision> {
        self.round.push(byte);
        let length = self.round.len();
        if self.is_repeating() {
            (self.next, self.repeated) = (length + 1, length);
            return None;
        }
        if length < self.next {
            return None;
        }
        // The longer nothing is repeated, the less often, so that the work is linear.
        let longest = self.around.as_ref().map_or(0, Around::end) + HELD;
        let next = length + 1 + (length - self.repeated) / 16;
        self.next = if length < longest { next.min(longest) } else { next };
        self.decide(false)
    }

    /// How the round goes on, if that is known. With `is_end` nothing more comes.
    pub(super) fn decide(&mut self, is_end: bool) -> Option<Decision> {
        // In a string its blanks may be text.
        let is_none = self.round.is_empty() || !self.before.is_in_text();
        let empty = || Decision::nothing(SeamKind::Empty, self.round.len(), is_none);
        if self.round.trim_ascii().is_empty() {
            return is_end.then(empty);
        }
        if self.round.len() < HELD && is_refusal(&self.round, is_end) && !has_structure(&self.round) {
            // In a string that may be its text.
            let is_certain = !self.before.is_in_text();
            return is_end.then(|| Decision::nothing(SeamKind::Refused, self.round.len(), is_certain));
        }
        self.find_start(is_end);
        let around = self.around.clone()?;
        if self.is_repeating() && !is_end {
            return None;
        }
        let Self { before, round, lanes, repeats, .. } = self;
        let start = around.end();
        let text = round.get(start..).unwrap_or_default();
        let decision = if text.trim_ascii().is_empty() {
            // An introduction to nothing.
            is_end.then(|| Decision::nothing(SeamKind::Empty, round.len(), true))?
        } else {
            Reading { before, round, start, lanes, is_end }.decide(repeats)?
        };
        let is_certain = decision.is_certain && !around.is_doubtful && before.is_sure;
        let around = around.pieces.into_iter().chain(decision.around).collect();
        Some(Decision { around, is_certain, ..decision })
    }

    /// Whether the round repeats what there is, as far as it has come.
    fn is_repeating(&mut self) -> bool {
        for lane in &mut self.lanes {
            lane.read(&self.before, &self.round);
        }
        self.lanes.iter().any(Lane::is_alive)
    }

    /// Finds where the text of the round begins, behind what is around it.
    fn find_start(&mut self, is_end: bool) {
        if self.around.is_some() {
            return;
        }
        let is_repeating = self.is_repeating();
        if is_repeating && !is_end {
            return;
        }
        let is_repeat = is_repeating || self.lanes.iter().filter_map(|lane| lane.best).any(|best| best.tokens > 2);
        let before = &self.before;
        // (Words are a bare key as well.)
        let as_json = |line: &[u8]| as_it_is(before, line) != Plain::No;
        let is_token = matches!(before.state, CutState::InNumber | CutState::InKeyword);
        let has_words = before.is_plain && !is_token && !is_repeat;
        let as_json = has_words.then_some(&as_json as Look<'_>);
        let fits = Fits { as_json, in_text: before.is_in_text(), is_over: is_end };
        let Junk::Until(around) = junk(&self.round, is_end || self.round.len() > HELD, &fits) else { return };
        if around.end() > 0 {
            self.lanes = Lane::all(&self.before, around.end());
        }
        self.around = Some(around);
    }
}
