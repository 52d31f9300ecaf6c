//! Splits a document while a parser reads it.

use std::fmt::Write;

use crate::document::{NodeId, NodeKind, Replacing};
use crate::parser::Finished;
use crate::view::{Snapshot, Update, write_string};

use super::chunk::Chunk;
use super::error::SplitError;
use super::splitter::Splitter;
use super::stream::{StreamChunks, StreamSplitter};

/// Splits a document while a [`Parser`](crate::Parser) reads it: what a model writes, in the lenient dialect. Made by
/// [`Splitter::updates`].
///
/// A chunk leaves as soon as all of it is final, and it is known that the next value does not fit into it. The chunks
/// are those of the document as it is displayed in the end: `splitter.split(&snapshot.to_string())`.
///
/// ```
/// use jsonrill::split::Splitter;
/// use jsonrill::{End, Parser};
///
/// let mut parser = Parser::new();
/// let mut splitter = Splitter::new(30).updates();
/// let mut texts = Vec::new();
/// for piece in ["Here: {items: [{id: 1,}, {id", ": 2}, {id: 3}, {i", "d: 4}]"] {
///     let update = parser.feed(piece);
///     for chunk in splitter.push(&update) {
///         texts.push(chunk?.text);
///     }
/// }
/// assert_eq!(texts, [r#"{"items":[{"id":1},{"id":2}]}"#]);
/// for chunk in splitter.finish(&parser.finish(End::Unknown)) {
///     texts.push(chunk?.text);
/// }
/// assert_eq!(texts[1], r#"{"items":[{"id":3},{"id":4}]}"#);
/// # Ok::<(), jsonrill::split::SplitError>(())
/// ```
///
/// # What is read
///
/// One document, that of the first update. Updates may be left out, for each knows of all before it, but not the last
/// one. Where members may be replaced ([`Duplicates::Last`](crate::Duplicates::Last)), nothing is final, and no chunk
/// leaves, before the root is closed.
///
/// # Complexity
///
/// O(what was added + depth) for each update. The memory of the splitter is that of two chunks, and of what one update
/// adds. The parser keeps its whole document all the same, for whoever else reads it, and its
/// [`Options`](crate::Options) limit how long that may become. Where nobody else does, a
/// [`LenientSplitter`](super::LenientSplitter) keeps none of it.
#[derive(Debug, Clone)]
pub struct UpdateSplitter {
    stream: StreamSplitter,
    document: Option<u32>,
    /// The node to be read next.
    next: Option<NodeId>,
    /// The objects and arrays that are open in the text that was written.
    open: Vec<Open>,
    /// The string that is open there, and how many bytes of it were written.
    string: Option<(NodeId, usize)>,
    is_whole: bool,
    /// What was added, and how much of it the stream has taken.
    text: String,
    taken: usize,
    is_at_end: bool,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    node: NodeId,
    is_array: bool,
    is_empty: bool,
}

impl UpdateSplitter {
    pub(super) fn new(splitter: &Splitter) -> Self {
        Self {
            stream: splitter.stream(),
            document: None,
            next: None,
            open: Vec::new(),
            string: None,
            is_whole: false,
            text: String::new(),
            taken: 0,
            is_at_end: false,
        }
    }

    /// Takes what an update says, and gives the chunks of which it is known where they end.
    ///
    /// # Errors
    ///
    /// An item is an error where a value does not fit into a chunk. Every later call gives it again. The chunks before
    /// it are good.
    pub fn push(&mut self, update: &Update) -> StreamChunks<'_, '_> {
        self.read_update(update, false);
        self.stream.push(&self.text)
    }

    /// Takes what the end of the text says, and gives the rest of the chunks. A document that was cut is split as far
    /// as it goes. Where there was none, there are no chunks, and no error.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn finish(&mut self, finished: &Finished) -> StreamChunks<'_, '_> {
        self.read_update(finished.update(), true);
        if self.has_begun() { self.stream.push_last(&self.text) } else { self.stream.push("") }
    }

    fn read_update(&mut self, update: &Update, at_end: bool) {
        self.text.clear();
        for part in update.parts() {
            if part.snapshot().is_started() && *self.document.get_or_insert(part.document()) == part.document() {
                self.write_new(part.snapshot(), at_end);
            }
        }
    }

    /// Reads what a snapshot of the one document of a parser has that those before it had not. What comes of it is
    /// taken by [`next`](Self::next).
    pub(super) fn read(&mut self, snapshot: &Snapshot, at_end: bool) {
        self.text.clear();
        self.taken = 0;
        if snapshot.is_started() {
            self.write_new(snapshot, at_end);
        }
        self.is_at_end = at_end && self.has_begun();
    }

    /// The next chunk of what was read.
    pub(super) fn next(&mut self) -> Option<Result<Chunk, SplitError>> {
        let mut rest = self.text.as_bytes().get(self.taken..).unwrap_or_default();
        let next = self.stream.next(&mut rest, self.is_at_end);
        self.taken = self.text.len() - rest.len();
        next
    }

    fn has_begun(&self) -> bool {
        self.next.is_some() || self.is_whole
    }

    /// Goes on in the log that the parser has begun instead of the one before, all of which was read.
    pub(super) fn enter_log(&mut self, snapshot: &Snapshot) {
        for (open, place) in self.open.iter_mut().zip(snapshot.mark.open()) {
            open.node = place.node();
        }
        self.next = Some(NodeId::new(snapshot.mark.nodes));
    }

    fn write_new(&mut self, snapshot: &Snapshot, at_end: bool) {
        if snapshot.mark.replacing == Replacing::Never {
            self.write(snapshot, at_end);
        } else if !self.is_whole && (at_end || snapshot.root().is_final()) {
            self.is_whole = true;
            // Writing to a string cannot fail.
            let _ = write!(self.text, "{snapshot}");
        }
    }

    /// Writes what is new and will stay: final values, and the start of the string in flight. At the end all stays.
    fn write(&mut self, snapshot: &Snapshot, at_end: bool) {
        let reader = snapshot.reader();
        let mark = reader.mark;
        while !self.is_whole {
            if let Some((node, written)) = self.string {
                let text = reader.text(node);
                let new = text.get(written..).unwrap_or_default();
                self.write_part(new);
                if mark.leaf_is(node).is_some() && !at_end {
                    self.string = Some((node, text.len()));
                    return;
                }
                self.text.push('"');
                self.string = None;
                self.end_value();
                continue;
            }
            let node = self.next.unwrap_or(mark.root);
            let is_there = node.number() < mark.nodes;
            if let Some(open) = self.open.last()
                && !(is_there && reader.parent(node) == open.node)
            {
                let level = u32::try_from(self.open.len() - 1).unwrap_or(u32::MAX);
                if mark.open_at(level, open.node).is_some() && !at_end {
                    return;
                }
                self.text.push(if open.is_array { ']' } else { '}' });
                self.open.pop();
                self.end_value();
                continue;
            }
            let kind = reader.kind(node);
            let in_flight = mark.leaf_is(node).is_some() && !at_end;
            if !is_there || in_flight && kind != NodeKind::String {
                return;
            }
            self.next = Some(node.following());
            if let Some(open) = self.open.last_mut()
                && !std::mem::replace(&mut open.is_empty, false)
            {
                self.text.push(',');
            }
            if let Some(key) = reader.key(node) {
                let _ = write_string(key, &mut self.text);
                self.text.push(':');
            }
            match kind {
                NodeKind::Object | NodeKind::Array => {
                    let is_array = kind == NodeKind::Array;
                    self.text.push(if is_array { '[' } else { '{' });
                    self.open.push(Open { node, is_array, is_empty: true });
                    continue;
                }
                NodeKind::String => {
                    self.text.push('"');
                    self.string = Some((node, 0));
                    continue;
                }
                NodeKind::Number => self.text.push_str(reader.text(node)),
                NodeKind::Null => self.text.push_str("null"),
                NodeKind::False => self.text.push_str("false"),
                NodeKind::True => self.text.push_str("true"),
            }
            self.end_value();
        }
    }

    /// A part of a string, escaped.
    fn write_part(&mut self, part: &str) {
        let start = self.text.len();
        let _ = write_string(part, &mut self.text);
        // Its quotes are not those of the string.
        self.text.pop();
        self.text.remove(start);
    }

    fn end_value(&mut self) {
        self.is_whole = self.open.is_empty();
    }
}
