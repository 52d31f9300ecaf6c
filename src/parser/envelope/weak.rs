//! Weak roots: what looks like JSON but may be a note in the prose, like `[1]`.
//!
//! The first weak root is held with what is outside the JSON behind it, for at most [`HOLD`] bytes; then, and where a
//! strong root comes, all of it is shown, the root as prose. If no strong one comes it is the answer all the same.

use crate::document::{SkipKind, Span, Tiles};

use super::super::machine::Machine;

/// How many bytes behind a weak root are held, so that a note does not stop the text.
const HOLD: u32 = 256;

impl Machine {
    /// A root ended that is weak.
    pub(in super::super) fn weak_root(&mut self, span: Span) {
        if self.document.is_none() && !self.envelope.has_weak {
            self.envelope.has_weak = true;
            self.envelope.weak = Some((span, Tiles::default()));
            self.envelope.prose = None;
        } else {
            self.prose(span);
        }
    }

    /// The weak root that is held is prose, for all that is known now, if `is_prose`; otherwise it is the answer. What
    /// is behind it can be shown.
    pub(in super::super) fn release_weak(&mut self, is_prose: bool) {
        self.envelope.bridge = None;
        let Some((mut span, tiles)) = self.envelope.weak.take() else { return };
        if is_prose {
            // The blanks between two stretches of prose are prose.
            let prose = tiles.iter().next().filter(|tile| tile.kind == SkipKind::Prose).map(|tile| tile.span.start);
            let next = prose.or(self.envelope.prose).filter(|_| tiles.is_empty() || prose.is_some());
            // If nothing has come, what comes may be prose.
            self.envelope.bridge = (tiles.is_empty() && next.is_none()).then_some(span.end);
            span.end = next.unwrap_or(span.end);
            self.stream.outside(SkipKind::Prose, span);
        }
        for tile in tiles.iter() {
            self.stream.outside(tile.kind, tile.span);
        }
    }

    /// Releases the weak root when enough came behind it. Behind blanks alone nothing waits to be shown.
    #[inline]
    pub(in super::super) fn check_weak(&mut self) {
        if let Some((span, tiles)) = &self.envelope.weak
            && self.stream.length() - span.end > HOLD
            && (self.envelope.prose.is_some() || !tiles.is_empty())
        {
            self.release_weak(true);
        }
    }
}
