//! The source of what is held while it is read through a layer.
//!
//! There one byte may stand for two. If the root turns out to be none, what comes behind that byte is to be read as it
//! stands in the source, and at its place there.

use std::mem;

use super::layer::LayerKind;

/// What is held, as it stands in the source. Empty where nothing is held, or what is held is the source itself.
#[derive(Default)]
pub(super) struct Raw {
    source: String,
    /// How many bytes it stands for.
    held: usize,
    /// How many bytes fewer its first character stands for than it has: a full-width sign is held as the ASCII one.
    less: usize,
    /// Where it ends in the source.
    end: u32,
    /// Where what is held is said to begin, while it is read again.
    base: u32,
    /// The layer that it is read through.
    kind: Option<LayerKind>,
    again: Again,
}

/// Whether what is held is read again.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    #[default]
    Not,
    Read,
    /// The layer has ended, and so many bytes were left.
    Left(usize),
}

impl Raw {
    /// `source`, which ends at `end`, is about to be read as `count` bytes.
    pub(super) fn push(&mut self, source: &str, count: usize, end: u32, kind: LayerKind) {
        self.source.push_str(source);
        (self.held, self.end, self.kind) = (self.held + count, end, Some(kind));
    }

    /// Keeps what stands for the last `count` bytes, which are held.
    pub(super) fn keep_last(&mut self, count: usize) {
        let Some(drop) = self.held.checked_sub(count) else { return };
        let (from, read) = self.characters_within(drop);
        self.source.drain(..from);
        self.less = if from == 0 { self.less } else { 0 } + (drop - read);
        self.held = count;
    }

    pub(super) fn clear(&mut self) {
        self.source.clear();
        (self.held, self.less) = (0, 0);
    }

    /// The whole characters that stand for no more than `count` bytes: their length in the source, and for how many.
    fn characters_within(&self, count: usize) -> (usize, usize) {
        let Some(kind) = self.kind else { return (0, 0) };
        let (mut from, mut read) = (0, 0);
        while let Some(rest) = self.source.get(from..)
            && let Some(first) = rest.chars().next()
        {
            let is_pair = kind.begins_pair(rest);
            let less = if from == 0 { self.less } else { 0 };
            let stands_for = if is_pair { 1 } else { first.len_utf8() }.saturating_sub(less);
            if read + stands_for > count {
                break;
            }
            from += if is_pair { 2 } else { first.len_utf8() };
            read += stands_for;
        }
        (from, read)
    }

    /// How many bytes of the source stand for the first `count`.
    fn length_of(&self, count: usize) -> usize {
        self.characters_within(count).0
    }

    /// How many bytes it stands for.
    pub(super) fn count(&self) -> usize {
        self.held
    }

    /// What is held is read again: `count` bytes at `base`, with `behind` bytes of the same piece still to be read.
    pub(super) fn begin(&mut self, count: usize, base: u32, behind: usize) {
        self.base = base;
        // Bytes of this piece that were held before may have been read by now.
        self.keep_last(count + behind);
        self.again = if self.source.is_empty() { Again::Not } else { Again::Read };
    }

    /// Whether bytes are read again that are not as they stand in the source.
    #[inline]
    pub(super) fn is_read_again(&self) -> bool {
        self.again != Again::Not
    }

    /// Something else is read, before what is held is read on.
    pub(super) fn suspend(&mut self) -> Again {
        mem::take(&mut self.again)
    }

    /// What is held is read on.
    pub(super) fn resume(&mut self, again: Again) {
        self.again = again;
    }

    /// The layer has ended: the last `count` of those that are read again are not read.
    pub(super) fn leave(&mut self, count: usize) {
        self.again = Again::Left(count);
    }

    /// Where `at`, which is a place among the bytes that are read again, is in the source.
    pub(super) fn place_of(&self, at: u32) -> u32 {
        at.checked_sub(self.base).map_or(at, |i| self.place(i as usize))
    }

    /// Where in the source byte `i` of those is that are read again.
    fn place(&self, i: usize) -> u32 {
        let behind = self.source.len().saturating_sub(self.length_of(i));
        self.end.saturating_sub(u32::try_from(behind).unwrap_or(u32::MAX))
    }

    /// `count` bytes were read again. What was left of them, as it stands in the source, and where that is.
    pub(super) fn finish(&mut self, count: usize) -> Option<(String, u32)> {
        let Again::Left(left) = mem::take(&mut self.again) else { return None };
        let from = self.length_of(count.saturating_sub(left));
        let rest = self.source.get(from..self.length_of(count)).unwrap_or_default().to_owned();
        Some((rest, self.place(count.saturating_sub(left))))
    }
}
