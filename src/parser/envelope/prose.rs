//! Prose, and where everything outside the JSON is written down.
//!
//! A stretch of prose begins with its first byte that is not blank and is shown as far as the piece goes; it ends where
//! something else begins. Blanks between other things are no prose.

use crate::document::{SkipKind, Span};

use super::super::machine::Machine;
use super::Before;

impl Machine {
    /// The byte at `at` is prose.
    #[inline]
    pub(super) fn prose_at(&mut self, at: u32) {
        let envelope = &mut self.envelope;
        envelope.line_start = false;
        envelope.behind_root = false;
        envelope.before = Before::Words;
        let start = envelope.bridge.take().unwrap_or(at);
        envelope.prose.get_or_insert(start);
    }

    /// All of `span` is prose.
    pub(in super::super) fn prose(&mut self, span: Span) {
        if !span.is_empty() {
            self.prose_at(span.start);
            self.end_prose(span.end);
            self.envelope.prose = Some(span.end);
        }
    }

    /// The prose that is being read, if there is any, goes up to `at`.
    pub(super) fn show_prose(&mut self, at: u32) {
        if let Some(start) = self.envelope.prose {
            self.skip(SkipKind::Prose, Span::new(start, at));
        }
    }

    /// Prose ends before `at`, if there is any.
    pub(super) fn end_prose(&mut self, at: u32) {
        self.show_prose(at);
        self.envelope.prose = None;
    }

    /// `span` is outside the JSON.
    pub(in super::super) fn skip(&mut self, kind: SkipKind, span: Span) {
        if kind != SkipKind::Prose {
            self.envelope.bridge = None;
        }
        match &mut self.envelope.weak {
            None => self.stream.outside(kind, span),
            Some((_, tiles)) => tiles.add(kind, span),
        }
    }

    /// Whether there is prose in the text.
    pub(in super::super) fn has_prose(&self) -> bool {
        let held = self.envelope.weak.iter().flat_map(|(_, tiles)| tiles.iter());
        let (count, end) = self.stream.seen();
        let shown = (0..count).filter_map(|number| self.stream.stream.tile(number, count, end));
        held.copied().chain(shown).any(|tile| tile.kind == SkipKind::Prose)
    }
}
