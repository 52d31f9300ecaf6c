//! Places in a text that is not in one piece in the source.
//!
//! In a document that is read through a layer a pair of bytes stands for one, and it is the second that is said to be
//! there. The first stands for nothing, and so does what a seam leaves out: what is directly before and behind such a hole
//! is next to each other, and so many bytes of the text are not so many bytes of the source.

use crate::document::Span;

use super::super::machine::{Machine, offset};
use super::ahead::Places;

/// A stretch of the source that stands for nothing.
#[derive(Clone, Copy)]
struct Hole {
    start: u32,
    end: u32,
    /// How long this is, and all before it.
    total: u32,
    /// It is the first byte of a pair.
    is_pair: bool,
}

/// Where the text has holes, as far back as the start of the token that is being read. Empty where there is neither a
/// layer nor a seam.
#[derive(Default)]
pub(super) struct Holes {
    holes: Vec<Hole>,
}

impl Holes {
    pub(super) fn clear(&mut self) {
        self.holes.clear();
    }

    /// A pair begins at `at`. No place before `token_start` is asked about any more.
    pub(super) fn push_pair(&mut self, at: u32, token_start: u32) {
        self.push(Span::new(at, at + 1), token_start, true);
    }

    /// A seam leaves this out.
    fn push_left_out(&mut self, span: Span, token_start: u32) {
        match self.holes.last_mut() {
            Some(last) if last.end == span.start => {
                last.end = span.end;
                last.total += span.len();
            }
            _ => self.push(span, token_start, false),
        }
    }

    fn push(&mut self, span: Span, token_start: u32, is_pair: bool) {
        if self.holes.last().is_some_and(|last| last.start < token_start) {
            // But for what is directly before it: what a seam leaves out, and a pair behind that.
            self.holes.drain(..self.holes.len().saturating_sub(2));
        }
        let total = self.holes.last().map_or(0, |last| last.total) + span.len();
        self.holes.push(Hole { start: span.start, end: span.end, total, is_pair });
    }

    /// Whether a pair begins at `at`.
    pub(super) fn pair_begins_at(&self, at: u32) -> bool {
        let found = self.holes.binary_search_by_key(&at, |hole| hole.start).ok();
        found.and_then(|found| self.holes.get(found)).is_some_and(|hole| hole.is_pair)
    }

    /// Whether what is at `at` is directly behind what ends at `end`.
    pub(super) fn touch(&self, end: u32, at: u32) -> bool {
        at == end || self.end_before(at) == end
    }

    /// How many bytes are read from `start` to `end`.
    pub(super) fn count(&self, start: u32, end: u32) -> u32 {
        let total = |at: u32| {
            let before = self.holes.partition_point(|hole| hole.start < at).checked_sub(1);
            let last = before.and_then(|before| self.holes.get(before));
            last.map_or(0, |hole| hole.total - hole.end.saturating_sub(at))
        };
        let first = self.holes.first().map_or(0, |first| first.total - (first.end - first.start));
        let left_out = total(end).saturating_sub(total(start).max(first));
        end.saturating_sub(start).saturating_sub(left_out)
    }

    /// Where the first of `count` bytes is that end at `end`.
    pub(super) fn back(&self, end: u32, count: u32) -> u32 {
        let (mut at, mut left) = (end, count);
        for hole in self.holes.iter().rev().skip_while(|hole| hole.start >= end) {
            let run = at.saturating_sub(hole.end);
            if left <= run {
                break;
            }
            left -= run;
            at = hole.start;
        }
        at.saturating_sub(left)
    }

    /// Where the byte before the one at `at` ends.
    pub(super) fn end_before(&self, at: u32) -> u32 {
        let count = self.holes.partition_point(|hole| hole.end <= at);
        let mut end = at;
        for hole in self.holes.iter().take(count).rev() {
            if hole.end != end {
                break;
            }
            end = hole.start;
        }
        end
    }

    /// The stretches of `count` bytes that begin at `at`.
    pub(super) fn places(&self, at: u32, count: usize) -> Places {
        let mut places = Places::from_slice(&[(0, at)]);
        let from = self.holes.partition_point(|hole| hole.start < at);
        let (mut start, mut read) = (at, 0);
        for hole in self.holes.iter().skip(from) {
            read += hole.start.saturating_sub(start);
            if read as usize >= count {
                break;
            }
            start = hole.end;
            places.push((read, start));
        }
        places
    }
}

impl Machine {
    /// Whether byte `i` of the piece is directly behind what ends at `end`.
    pub(super) fn is_directly_behind(&self, end: u32, i: usize) -> bool {
        self.lenient.holes.touch(end, self.offset(i))
    }

    /// Where what is before byte `i` of the piece ends.
    #[inline]
    pub(in super::super) fn end_before(&self, i: usize) -> u32 {
        let at = self.offset(i);
        if i == 0 && !self.lenient.holes.holes.is_empty() { self.lenient.holes.end_before(at) } else { at }
    }

    /// How many bytes are read from `start` to `end`.
    pub(in super::super) fn read_between(&self, start: u32, end: u32) -> u32 {
        self.lenient.holes.count(start, end)
    }

    /// Where text of so many bytes begins that ends at `end`, in the string or key that is being read. What a seam
    /// supplied is not in the source, and may be longer than all of the string that is.
    pub(super) fn place_before(&self, end: u32, length: usize) -> u32 {
        self.lenient.holes.back(end, offset(length)).max(self.token_start.min(end))
    }

    /// Where the byte before that ends.
    pub(super) fn end_back(&self, end: u32, length: usize) -> u32 {
        self.lenient.holes.end_before(self.place_before(end, length)).max(self.token_start.min(end))
    }

    /// A seam leaves this out.
    pub(in super::super) fn leave_hole(&mut self, span: Span) {
        if !span.is_empty() {
            self.lenient.holes.push_left_out(span, self.token_start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Holes, Span};

    /// `ab..c.d....e`, where the points are holes, the second of them the first byte of a pair.
    fn holes() -> Holes {
        let mut holes = Holes::default();
        holes.push_left_out(Span::new(2, 4), 0);
        holes.push_pair(5, 0);
        holes.push_left_out(Span::new(7, 9), 0);
        holes.push_left_out(Span::new(9, 11), 0);
        holes
    }

    #[test]
    fn places_are_counted_around_holes() {
        let holes = holes();
        let is_hole = |at: u32| [2..4, 5..6, 7..11].iter().any(|hole| hole.contains(&at));
        for end in 0..=12 {
            for start in 0..=end {
                let read = (start..end).filter(|at| !is_hole(*at)).count();
                assert_eq!(holes.count(start, end) as usize, read, "{start}..{end}");
            }
            let before: Vec<u32> = (0..end).filter(|at| !is_hole(*at)).collect();
            for (count, at) in (1..).zip(before.iter().rev()) {
                assert_eq!(holes.back(end, count), *at, "{count} before {end}");
            }
            let touching = (end..=12).filter(|at| holes.touch(end, *at)).max().unwrap_or(end);
            assert!((end..touching).all(is_hole), "{end} to {touching}");
        }
        assert_eq!([4, 5, 6, 7, 11, 12].map(|at| holes.end_before(at)), [2, 5, 5, 7, 7, 12]);
        let mut touching = Holes::default();
        touching.push_left_out(Span::new(2, 4), 0);
        touching.push_pair(4, 0);
        assert_eq!((touching.end_before(5), touching.touch(2, 5), touching.back(6, 2)), (2, true, 1));
        assert_eq!([2, 5, 7].map(|at| holes.pair_begins_at(at)), [false, true, false]);
        assert_eq!(holes.places(1, 4)[..], [(0, 1), (1, 4), (2, 6), (3, 11)]);
    }

    /// What is before the token is forgotten, but for the last of it.
    #[test]
    fn holes_before_the_token_are_forgotten() {
        let mut holes = holes();
        holes.push_pair(20, 18);
        assert_eq!((holes.end_before(11), holes.end_before(4), holes.count(11, 22)), (7, 4, 10));
        assert_eq!(holes.count(0, 22), 22 - 6);
    }
}
