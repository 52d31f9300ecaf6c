//! Places in a document that is read through a layer.
//!
//! There a pair of bytes stands for one, and it is the second that is said to be there. The first stands for nothing:
//! what is directly before and behind it is next to each other, and so many bytes of the document are not so many bytes
//! of the source.

use super::super::machine::{Machine, offset};
use super::ahead::Places;

/// Where the first bytes of pairs are, as far back as the start of the token that is being read. Empty where nothing is
/// read through a layer.
#[derive(Default)]
pub(super) struct Pairs {
    marks: Vec<u32>,
}

impl Pairs {
    pub(super) fn clear(&mut self) {
        self.marks.clear();
    }

    /// A pair begins at `at`. No place before `token_start` is asked about any more.
    pub(super) fn push(&mut self, at: u32, token_start: u32) {
        if self.marks.last().is_some_and(|last| *last < token_start) {
            // But for what is directly before it.
            self.marks.drain(..self.marks.len() - 1);
        }
        self.marks.push(at);
    }

    /// Whether a pair begins at `at`.
    pub(super) fn begins_at(&self, at: u32) -> bool {
        self.marks.binary_search(&at).is_ok()
    }

    /// Whether what is at `at` is directly behind what ends at `end`.
    pub(super) fn touch(&self, end: u32, at: u32) -> bool {
        at == end || (at == end.saturating_add(1) && self.begins_at(end))
    }

    /// How many bytes are read from `start` to `end`.
    pub(super) fn count(&self, start: u32, end: u32) -> u32 {
        if self.marks.is_empty() {
            return end.saturating_sub(start);
        }
        let before = |at: u32| self.marks.partition_point(|mark| *mark < at);
        end.saturating_sub(start).saturating_sub(offset(before(end).saturating_sub(before(start))))
    }

    /// Where the first of `count` bytes is that end at `end`.
    pub(super) fn back(&self, end: u32, count: u32) -> u32 {
        let (mut at, mut left) = (end, count);
        for mark in self.marks.iter().rev().skip_while(|mark| **mark >= end) {
            let run = at.saturating_sub(mark + 1);
            if left <= run {
                break;
            }
            left -= run;
            at = *mark;
        }
        at.saturating_sub(left)
    }

    /// Where the byte before the one at `at` ends.
    pub(super) fn end_before(&self, at: u32) -> u32 {
        at.checked_sub(1).filter(|before| self.begins_at(*before)).unwrap_or(at)
    }

    /// The stretches of `count` bytes that begin at `at`.
    pub(super) fn places(&self, at: u32, count: usize) -> Places {
        let mut places = Places::from_slice(&[(0, at)]);
        let from = self.marks.partition_point(|mark| *mark < at);
        let (mut start, mut read) = (at, 0);
        for mark in self.marks.iter().skip(from) {
            read += mark.saturating_sub(start);
            if read as usize >= count {
                break;
            }
            start = mark + 1;
            places.push((read, start));
        }
        places
    }
}

impl Machine {
    /// Whether byte `i` of the piece is directly behind what ends at `end`.
    pub(super) fn is_directly_behind(&self, end: u32, i: usize) -> bool {
        self.lenient.pairs.touch(end, self.offset(i))
    }

    /// Where what is before byte `i` of the piece ends.
    #[inline]
    pub(in super::super) fn end_before(&self, i: usize) -> u32 {
        let at = self.offset(i);
        if i == 0 && !self.lenient.pairs.marks.is_empty() { self.lenient.pairs.end_before(at) } else { at }
    }

    /// How many bytes are read from `start` to `end`.
    pub(in super::super) fn read_between(&self, start: u32, end: u32) -> u32 {
        self.lenient.pairs.count(start, end)
    }

    /// Where text of so many bytes begins that ends at `end`, in the string or key that is being read. What a seam
    /// supplied is not in the source, and may be longer than all of the string that is.
    pub(super) fn place_before(&self, end: u32, length: usize) -> u32 {
        self.lenient.pairs.back(end, offset(length)).max(self.token_start.min(end))
    }

    /// Where the byte before that ends.
    pub(super) fn end_back(&self, end: u32, length: usize) -> u32 {
        self.lenient.pairs.end_before(self.place_before(end, length)).max(self.token_start.min(end))
    }
}
