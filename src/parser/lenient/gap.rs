//! White space behind what waits for the byte behind it.

use std::mem;

use super::super::machine::{Machine, Stop, offset};
use super::ahead::Places;

/// The white space, and where it is: what means nothing in it was skipped, so it may lie in several stretches.
#[derive(Default)]
pub(in super::super) struct Gap {
    text: String,
    places: Places,
}

impl Gap {
    pub(in super::super) fn clear(&mut self) {
        self.text.clear();
        self.places.clear();
    }

    #[inline]
    pub(in super::super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Blanks that lie at `at`.
    pub(super) fn push(&mut self, blanks: &str, at: u32) {
        if !blanks.is_empty() {
            push(&mut self.places, offset(self.text.len()), at);
            self.text.push_str(blanks);
        }
    }
}

/// From its byte `length` on a text lies at `at`.
pub(super) fn push(places: &mut Places, length: u32, at: u32) {
    if places.last().map(|(from, start)| start + (length - from)) != Some(at) {
        places.push((length, at));
    }
}

impl Machine {
    /// The gap is text.
    pub(super) fn take_gap(&mut self) -> String {
        self.lenient.gap.places.clear();
        mem::take(&mut self.lenient.gap.text)
    }

    /// Reads text again that begins at `at`, and what was the gap behind it.
    pub(super) fn replay_with_gap(&mut self, mut text: String, at: u32, gap: Gap) -> Result<(), Stop> {
        let mut places = self.lenient.holes.places(at, text.len());
        for (from, at) in gap.places {
            push(&mut places, offset(text.len()) + from, at);
        }
        text.push_str(&gap.text);
        self.read_stretches(&text, &places)
    }
}
