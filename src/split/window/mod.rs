//! What is read and not yet in a chunk: the engine of the splitter.
//!
//! The window is compact JSON: the tokens as they are spelled, without blanks, from where the last chunk ended. What is
//! open there, and was begun in earlier chunks, is the *spine*: the brackets and keys on the path from the root. So a
//! chunk is always the spine, a first part of the window, and the brackets that close it. Nothing is printed twice.
//!
//! | part | what it does |
//! |---|---|
//! | here | takes tokens, and notes where values begin and end |
//! | `decide` | where the chunk in hand ends, or that this cannot be said yet |
//! | `string` | where a string that is too long is cut |
//! | `emit` | makes the chunk, and the window that begins behind it |
//! | `place` | which part of the document the chunk holds |
//!
//! Where a chunk ends is asked when the window has become too large for one, and must depend on the tokens alone, not
//! on how they arrived. A window holds the chunk in hand, at most one value that may be the first of the next chunk,
//! and what one look at a token adds: hence memory is that of two chunks.

mod decide;
mod emit;
mod place;
mod string;

use std::collections::VecDeque;

use crate::parser::MAX_DEPTH;

use super::chunk::Chunk;
use super::error::SplitError;
use super::scan::Sink;
use super::splitter::Splitter;

use decide::{Cut, Decision};

/// A place in the window: how many bytes are before it, and their size where sizes add up.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    bytes: usize,
    size: usize,
}

/// What a value is, as far as it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Only its key was seen, or a part of that.
    Unknown,
    Plain,
    String,
    Object,
    Array,
}

impl Kind {
    const fn is_container(self) -> bool {
        matches!(self, Self::Object | Self::Array)
    }
}

/// A value of the window. They are kept in the order in which they begin, so all that is in one follows it.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Where its key begins, or it itself.
    start: Mark,
    /// Where what is in it begins: behind the bracket or quote.
    inside: Mark,
    /// Where it ends.
    end: Option<Mark>,
    /// The entry it is in; none for what is in the spine.
    parent: Option<usize>,
    /// How many objects and arrays it is in.
    depth: usize,
    /// Its place in what it is in.
    index: u64,
    children: u64,
    /// The entry behind all that is in it, once it has ended.
    next: usize,
    kind: Kind,
}

/// An object or array that earlier chunks began.
#[derive(Debug, Clone, Copy)]
struct Level {
    is_array: bool,
    /// Its place in what it is in.
    index: u64,
    /// Where the spine ends at its bracket.
    end: Mark,
    /// Where its pointer ends in that of the spine.
    pointer: usize,
    children: u64,
}

/// The window of a splitter on its document.
#[derive(Debug, Clone)]
pub(super) struct Window {
    splitter: Splitter,
    spine: String,
    /// The pointer of the innermost level: those of the others are its starts.
    pointer: String,
    levels: Vec<Level>,
    /// How many levels of the spine have not ended in the window.
    open_levels: usize,
    /// The key and the quote of the string that the window begins in, if it does.
    lead: String,
    lead_size: usize,
    text: String,
    size: usize,
    entries: Vec<Entry>,
    /// The objects and arrays of the window that have not ended.
    open: Vec<usize>,
    /// What the value is that must have ended, or become too large, before it is asked again where the chunk ends.
    watch: Option<Watch>,
    /// Where sizes do not add up: the length of the text from which on it is asked again.
    due: usize,
    chunks: u64,
    ready: VecDeque<Chunk>,
}

/// What a decision waits for.
#[derive(Debug, Clone, Copy)]
struct Watch {
    entry: usize,
    /// The size of the window, with the brackets that close it, beyond which the value is too large.
    limit: usize,
    /// Where the chunk ends if the value fits into one of its own.
    cut: Cut,
    /// The size of the path to what the value is in.
    path: usize,
}

impl Window {
    pub(super) fn new(splitter: Splitter) -> Self {
        Self {
            splitter,
            spine: String::new(),
            pointer: String::new(),
            levels: Vec::new(),
            open_levels: 0,
            lead: String::new(),
            lead_size: 0,
            text: String::new(),
            size: 0,
            entries: Vec::new(),
            open: Vec::new(),
            watch: None,
            due: 0,
            chunks: 0,
            ready: VecDeque::new(),
        }
    }

    /// The next chunk that is final.
    pub(super) fn take(&mut self) -> Option<Chunk> {
        self.ready.pop_front()
    }

    /// Makes chunks of all that is left.
    pub(super) fn finish(&mut self) -> Result<(), SplitError> {
        // Nothing is open by now, so that each decision is a cut.
        while !self.text.is_empty()
            && let Decision::Cut(cut) = self.decide(true)?
        {
            self.emit(cut);
        }
        Ok(())
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        self.size += self.splitter.measure.of_part(text);
    }

    /// Where the text ends now.
    fn here(&self) -> Mark {
        Mark { bytes: self.text.len(), size: self.size }
    }

    /// How many objects and arrays are open.
    fn open_count(&self) -> usize {
        self.open_levels + self.open.len()
    }

    /// Begins a value, or the key of one.
    fn begin(&mut self, kind: Kind) {
        if !matches!(self.text.as_bytes().last(), None | Some(b'{' | b'[')) {
            self.put(",");
        }
        let (parent, depth) = (self.open.last().copied(), self.open_count());
        let children = match parent {
            Some(parent) => self.entries.get_mut(parent).map(|parent| &mut parent.children),
            None => self.open_levels.checked_sub(1).and_then(|last| Some(&mut self.levels.get_mut(last)?.children)),
        };
        let index = children.map_or(0, |children| {
            *children += 1;
            *children - 1
        });
        let start = self.here();
        let next = usize::MAX;
        self.entries.push(Entry { start, inside: start, end: None, parent, depth, index, children: 0, next, kind });
    }

    /// A value begins here, with this; if it has a key, that was read.
    fn begin_value(&mut self, kind: Kind, bracket: &str) {
        match self.entries.last_mut() {
            Some(entry) if entry.kind == Kind::Unknown => entry.kind = kind,
            _ => self.begin(kind),
        }
        self.put(bracket);
        let inside = self.here();
        if let Some(entry) = self.entries.last_mut() {
            entry.inside = inside;
        }
    }

    /// The value of this entry ends here.
    fn end(&mut self, entry: usize) {
        let (here, behind) = (self.here(), self.entries.len());
        if let Some(entry) = self.entries.get_mut(entry) {
            (entry.end, entry.next) = (Some(here), behind);
        }
    }

    /// Makes the chunks of which it is known where they end.
    fn settle(&mut self) -> Result<(), SplitError> {
        while self.is_due() {
            match self.decide(false)? {
                Decision::Cut(cut) => self.emit(cut),
                Decision::More(watch, due) => {
                    (self.watch, self.due) = (watch, due);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether there is reason to ask where the chunk in hand ends.
    fn is_due(&self) -> bool {
        if let Some(watch) = self.watch
            && self.entries.get(watch.entry).is_none_or(|entry| entry.end.is_some())
        {
            return true;
        }
        if !self.splitter.measure.is_additive() {
            return self.text.len() >= self.due;
        }
        match self.watch {
            Some(watch) => self.size + self.open_count() > watch.limit,
            None => self.total() > self.splitter.max,
        }
    }
}

impl Sink for Window {
    type Error = SplitError;

    fn open(&mut self, is_array: bool) -> Result<(), SplitError> {
        if self.open_count() >= MAX_DEPTH as usize {
            return Err(SplitError::too_deep());
        }
        let (kind, bracket) = if is_array { (Kind::Array, "[") } else { (Kind::Object, "{") };
        self.begin_value(kind, bracket);
        self.open.push(self.entries.len().saturating_sub(1));
        self.settle()
    }

    fn close(&mut self) -> Result<(), SplitError> {
        if let Some(entry) = self.open.pop() {
            let is_array = self.entries.get(entry).is_some_and(|entry| entry.kind == Kind::Array);
            self.put(if is_array { "]" } else { "}" });
            self.end(entry);
        } else if let Some(last) = self.open_levels.checked_sub(1) {
            self.open_levels = last;
            if self.text.is_empty() {
                self.pop_level();
            } else {
                let is_array = self.levels.get(last).is_some_and(|level| level.is_array);
                self.put(if is_array { "]" } else { "}" });
            }
        }
        self.settle()
    }

    fn begin_key(&mut self) -> Result<(), SplitError> {
        self.begin(Kind::Unknown);
        self.put("\"");
        Ok(())
    }

    fn end_key(&mut self) -> Result<(), SplitError> {
        self.put("\":");
        Ok(())
    }

    fn begin_scalar(&mut self, is_string: bool) -> Result<(), SplitError> {
        let (kind, quote) = if is_string { (Kind::String, "\"") } else { (Kind::Plain, "") };
        self.begin_value(kind, quote);
        Ok(())
    }

    fn end_scalar(&mut self) -> Result<(), SplitError> {
        let Some(entry) = self.entries.len().checked_sub(1) else { return Ok(()) };
        if self.entries.get(entry).is_some_and(|entry| entry.kind == Kind::String) {
            self.put("\"");
        }
        self.end(entry);
        self.settle()
    }

    fn text(&mut self, text: &str) {
        self.put(text);
    }

    fn look(&mut self) -> Result<(), SplitError> {
        self.settle()
    }
}
