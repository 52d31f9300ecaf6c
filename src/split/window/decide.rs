//! Where the chunk in hand ends.
//!
//! A value goes into the chunk if all of it fits. The first that does not fit ends the chunk, if it fits into one of
//! its own and the chunk is large enough; else it is looked into, and of what is in it the same is asked. So records
//! stay whole where they can, and what cannot stay whole fills the chunk up.

use std::ops::Range;

use crate::split::error::SplitError;

use super::{Entry, Kind, Mark, Watch, Window};

/// Where a chunk ends: behind an entry, or in it if that is a string.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub(super) entry: usize,
    pub(super) end: Mark,
    pub(super) in_string: bool,
}

pub(super) enum Decision {
    Cut(Cut),
    /// It cannot be said before more was read: until this has ended or is too large, or there is so much text.
    More(Option<Watch>, usize),
}

impl Window {
    /// Where the chunk in hand ends. With `at_end` nothing follows.
    pub(super) fn decide(&self, at_end: bool) -> Result<Decision, SplitError> {
        let total = self.total();
        if total <= self.splitter.max {
            return Ok(match self.siblings(0, self.entries.len()).last() {
                Some(last) if at_end => Decision::Cut(self.cut_behind(last)),
                _ => Decision::More(None, self.next_due(total, self.text.len())),
            });
        }
        // What is before a value that is watched, and around it, has been decided.
        let mut cut = self.watch.map(|watch| watch.cut);
        let mut path = self.watch.map(|watch| watch.path);
        let mut next = self.watch.map(|watch| watch.entry);
        let mut level = 0..self.entries.len();
        loop {
            let number = match next.take() {
                Some(number) => Some(number),
                None => self.first_beyond(level, &mut cut),
            };
            let Some((number, entry)) = number.and_then(|number| Some((number, self.entries.get(number)?))) else {
                return Ok(cut.map_or(Decision::More(None, self.next_due(total, self.text.len())), Decision::Cut));
            };
            let path_size = path.unwrap_or_else(|| self.spine_to(entry.depth).size);
            let may_be_cut = match entry.kind {
                Kind::Object | Kind::Array => entry.children > 0,
                Kind::String => self.splitter.strings.is_some(),
                Kind::Plain | Kind::Unknown => false,
            };
            if !may_be_cut {
                return cut.map(Decision::Cut).ok_or_else(|| self.does_not_fit(number, entry));
            }
            if let Some(cut) = cut
                && (!entry.kind.is_container() || self.is_large_enough(&cut))
            {
                let alone = self.size_alone(number, entry, path_size);
                match entry.end {
                    _ if alone > self.splitter.max => {}
                    Some(_) => return Ok(Decision::Cut(cut)),
                    None => {
                        let due = self.next_due(alone, self.text.len() - entry.start.bytes);
                        let room = self.splitter.max.saturating_sub(path_size);
                        let limit = room.saturating_add(entry.start.size);
                        return Ok(Decision::More(Some(Watch { entry: number, limit, cut, path: path_size }), due));
                    }
                }
            }
            if entry.kind.is_container() {
                level = number + 1..entry.next;
                path = Some(path_size + entry.inside.size - entry.start.size);
                continue;
            }
            let within = self.cut_within(number, entry, cut.is_none());
            return within.or(cut).map(Decision::Cut).ok_or_else(|| self.does_not_fit(number, entry));
        }
    }

    /// The first of the siblings in this range behind which the chunk cannot end. The cut moves behind the one before.
    fn first_beyond(&self, range: Range<usize>, cut: &mut Option<Cut>) -> Option<usize> {
        let level: Vec<usize> = self.siblings(range.start, range.end).collect();
        // Only the last may be open.
        let ended = level.iter().take_while(|number| self.has_ended(**number)).count();
        let ended = level.get(..ended).unwrap_or_default();
        let fitting = ended.partition_point(|number| self.fits(&self.cut_behind(*number)));
        if let Some(last) = fitting.checked_sub(1).and_then(|last| ended.get(last)) {
            *cut = Some(self.cut_behind(*last));
        }
        level.get(fitting).copied()
    }

    /// The entries from `first` on that are not in one another, up to and without `end`.
    fn siblings(&self, first: usize, end: usize) -> impl Iterator<Item = usize> {
        let mut number = first;
        std::iter::from_fn(move || {
            let entry = self.entries.get(number).filter(|_| number < end)?;
            Some(std::mem::replace(&mut number, entry.next))
        })
    }

    fn has_ended(&self, number: usize) -> bool {
        self.entries.get(number).is_some_and(|entry| entry.end.is_some())
    }

    /// The end of a chunk behind an entry that has ended.
    pub(super) fn cut_behind(&self, entry: usize) -> Cut {
        let end = self.entries.get(entry).and_then(|entry| entry.end).unwrap_or_else(|| self.here());
        Cut { entry, end, in_string: false }
    }

    /// Whether the chunk that ends there is no larger than it may be.
    pub(super) fn fits(&self, cut: &Cut) -> bool {
        self.size_at(cut) <= self.splitter.max
    }

    /// Whether it is no smaller than it should be.
    fn is_large_enough(&self, cut: &Cut) -> bool {
        self.splitter.min == 0 || self.size_at(cut) >= self.splitter.min
    }

    /// The size of the chunk that ends there.
    fn size_at(&self, cut: &Cut) -> usize {
        if !self.splitter.measure.is_additive() {
            return self.splitter.measure.of(&self.compose(cut));
        }
        let depth = self.entries.get(cut.entry).map_or(0, |entry| entry.depth);
        self.before() + cut.end.size + usize::from(cut.in_string) + depth
    }

    /// The size of all there is, closed as if it ended here.
    pub(super) fn total(&self) -> usize {
        if self.splitter.measure.is_additive() {
            return self.before() + self.size + self.open_count();
        }
        let mut text = [&*self.spine, &*self.lead, &*self.text].concat();
        self.push_closers(&mut text, self.open.last().copied(), self.open_levels);
        self.splitter.measure.of(&text)
    }

    /// The size of what stands before the window in its chunk.
    fn before(&self) -> usize {
        self.levels.last().map_or(0, |level| level.end.size) + self.lead_size
    }

    /// The size of the spine to this depth.
    fn spine_to(&self, depth: usize) -> Mark {
        depth.checked_sub(1).and_then(|last| self.levels.get(last)).map_or(Mark::default(), |level| level.end)
    }

    /// The size of a chunk with nothing in it but this value, as far as it was read, and a path of this size to it.
    fn size_alone(&self, number: usize, entry: &Entry, path: usize) -> usize {
        let end = entry.end.unwrap_or_else(|| self.here());
        if self.splitter.measure.is_additive() {
            let closers = if entry.end.is_some() { entry.depth } else { self.open_count() };
            return path + end.size - entry.start.size + closers;
        }
        let mut text = self.path_text(entry);
        text.push_str(self.text.get(entry.start.bytes..end.bytes).unwrap_or_default());
        match entry.end {
            Some(_) => self.push_closers(&mut text, entry.parent, self.top_depth(number)),
            None => self.push_closers(&mut text, self.open.last().copied(), self.open_levels),
        }
        self.splitter.measure.of(&text)
    }

    /// The path to what an entry is in, as a chunk begins with it.
    pub(super) fn path_text(&self, entry: &Entry) -> String {
        let (mut steps, mut entry) = (Vec::new(), entry);
        while let Some(parent) = entry.parent.and_then(|parent| self.entries.get(parent)) {
            steps.push(self.text.get(parent.start.bytes..parent.inside.bytes).unwrap_or_default());
            entry = parent;
        }
        let spine = self.spine.get(..self.spine_to(entry.depth).bytes).unwrap_or_default();
        std::iter::once(spine).chain(steps.into_iter().rev()).collect()
    }

    /// How much of the spine an entry is in.
    pub(super) fn top_depth(&self, number: usize) -> usize {
        let mut entry = self.entries.get(number);
        while let Some(parent) = entry.and_then(|entry| entry.parent) {
            entry = self.entries.get(parent);
        }
        entry.map_or(0, |entry| entry.depth)
    }

    /// Closes an entry and all it is in, and then so many levels of the spine.
    pub(super) fn push_closers(&self, text: &mut String, mut innermost: Option<usize>, levels: usize) {
        while let Some(entry) = innermost.and_then(|number| self.entries.get(number)) {
            text.push(if entry.kind == Kind::Array { ']' } else { '}' });
            innermost = entry.parent;
        }
        let levels = self.levels.get(..levels).unwrap_or_default();
        text.extend(levels.iter().rev().map(|level| if level.is_array { ']' } else { '}' }));
    }

    /// Where sizes do not add up: how long the text should be before the size is asked again, if a part of this length
    /// has this size. A little before the size is reached, and never much more than there is.
    fn next_due(&self, size: usize, length: usize) -> usize {
        let room = self.splitter.max.saturating_sub(size);
        let expected = room.saturating_mul(length) / size.max(1);
        let step = (expected - expected / 8).clamp(length / 16, length.saturating_mul(2));
        self.text.len().saturating_add(step + 32)
    }

    /// Why a value cannot be in any chunk.
    #[cold]
    fn does_not_fit(&self, number: usize, entry: &Entry) -> SplitError {
        let mut path = self.path_text(entry);
        // The quote of a string is part of the value.
        let end = match entry.kind {
            Kind::Unknown => self.text.len(),
            Kind::String => entry.inside.bytes.saturating_sub(1).max(entry.start.bytes),
            _ => entry.inside.bytes,
        };
        path.push_str(self.text.get(entry.start.bytes..end).unwrap_or_default());
        self.push_closers(&mut path, entry.parent, self.top_depth(number));
        let pointer = self.pointer(number);
        // A path with nothing behind it has room for nothing, too.
        if entry.kind == Kind::Unknown || self.splitter.measure.of(&path) >= self.splitter.max {
            SplitError::path_too_long(pointer, self.splitter.max)
        } else {
            SplitError::value_too_large(pointer, self.splitter.max)
        }
    }
}
