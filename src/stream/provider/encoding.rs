//! Whether a stream is UTF-8. What decodes it puts U+FFFD in the place of what is not, as the standard of event streams
//! has it, and that must be told.

use crate::parser::{Piece, Utf8};

/// Looks for the first bytes of a stream that are no UTF-8.
#[derive(Debug, Default)]
pub(super) struct Encoding {
    utf8: Utf8,
    /// Bytes of whole characters so far.
    seen: u64,
    is_bad: bool,
}

/// Bytes that are no UTF-8.
pub(super) struct Bad {
    /// How much of the chunk is in front of them.
    pub(super) before: usize,
    /// Where they are in the stream, in bytes.
    pub(super) offset: u64,
}

impl Encoding {
    /// Takes a chunk. Nothing is looked at behind the first bytes that are none.
    pub(super) fn take(&mut self, chunk: &[u8]) -> Option<Bad> {
        if self.is_bad {
            return None;
        }
        let start = self.seen + u64::from(self.utf8.held());
        let seen = &mut self.seen;
        let all = self.utf8.pieces(chunk, |piece| match piece {
            Piece::Text(text) => {
                *seen += text.len() as u64;
                Ok(())
            }
            Piece::Invalid(_) => Err(()),
        });
        self.is_bad = all.is_err();
        // It may have begun in the chunk before.
        let before = usize::try_from(self.seen.saturating_sub(start)).unwrap_or(usize::MAX);
        self.is_bad.then_some(Bad { before, offset: self.seen })
    }
}
