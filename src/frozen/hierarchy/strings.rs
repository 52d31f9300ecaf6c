//! The string values of a document, and which of them the budget allows.

use crate::document::{NodeId, NodeKind, Reader, Span};
use crate::view::Snapshot;

use super::super::CutState;
use super::super::shape::Shape;
use super::super::text::Text;

/// How long what is between two values is, in bytes, before it is looked at for strings that are in no value.
const KEY: u32 = 128;

/// What stands for a string value that is left out.
pub(super) const ELIDED: &str = "\"...\"";

/// How many characters of string values may still be kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    left: usize,
    /// One did not fit: all that are farther do not, either.
    is_spent: bool,
}

impl Budget {
    pub(super) fn new(left: usize) -> Self {
        Self { left, is_spent: false }
    }

    pub(super) fn left(self) -> usize {
        self.left
    }

    /// Whether a value of so many characters, farther than all before, is kept.
    pub(super) fn keeps(&mut self, characters: usize) -> bool {
        self.is_spent |= characters > self.left;
        if !self.is_spent {
            self.left -= characters;
        }
        !self.is_spent
    }

    /// How many characters of the value in flight are kept, which is charged first.
    pub(super) fn take(&mut self, characters: usize) -> usize {
        let taken = characters.min(self.left);
        self.left -= taken;
        self.is_spent = taken < characters;
        taken
    }
}

/// A string value in the source.
#[derive(Debug, Clone, Copy)]
pub(super) struct StringValue {
    /// Its bytes, quotes and all.
    pub(super) span: Span,
    /// What is before and behind its text.
    quotes: (u32, u32),
}

impl StringValue {
    pub(super) fn new(text: Text<'_>, span: Span) -> Self {
        let begins = |at: u32, byte: u8| text.bytes(at, at + 1).first() == Some(&byte);
        if span.len() < 2 || !begins(span.start, b'"') || !begins(span.end - 1, b'"') {
            return Self { span, quotes: (0, 0) };
        }
        // In a document that is escaped as a whole, or has its quotes doubled, each quote has a byte before it.
        let mark = span.start.checked_sub(1).and_then(|before| text.bytes(before, span.start).first().copied());
        let has_mark =
            mark.is_some_and(|mark| matches!(mark, b'\\' | b'"') && span.len() > 2 && begins(span.end - 2, mark));
        Self { span, quotes: (1, if has_mark { 2 } else { 1 }) }
    }

    /// The text between its quotes.
    pub(super) fn inside(self) -> Span {
        Span::new(self.span.start + self.quotes.0, self.span.end - self.quotes.1)
    }

    /// What it takes with its text left out, in characters.
    pub(super) fn elided_length(self) -> usize {
        ELIDED.len() + usize::from(self.quotes.1 == 2)
    }

    /// Adds it to `out` with its text left out.
    pub(super) fn elide(self, text: Text<'_>, out: &mut String) {
        if self.quotes.1 == 2 {
            out.push_str("\"...");
            text.copy(self.span.end - 2, self.span.end, out);
        } else {
            out.push_str(ELIDED);
        }
    }
}

/// Something that is left out of the source, and what stands for it.
#[derive(Debug, Clone, Copy)]
pub(super) enum LeftOut {
    /// The text of a string.
    String(StringValue),
    /// What is in a container: where, of what kind that is, and how many children.
    Children(Span, NodeKind, usize),
}

impl LeftOut {
    pub(super) fn span(self) -> Span {
        match self {
            Self::String(value) => value.span,
            Self::Children(span, ..) => span,
        }
    }

    pub(super) fn write(self, text: Text<'_>, out: &mut String) {
        match self {
            Self::String(value) => value.elide(text, out),
            Self::Children(_, kind, count) => out.push_str(&marker(kind, count)),
        }
    }
}

/// What stands for so many children of a container.
pub(super) fn marker(kind: NodeKind, count: usize) -> String {
    let what = if kind == NodeKind::Object { "member" } else { "element" };
    format!("/* {count} {what}{} left out */", if count == 1 { "" } else { "s" })
}

/// A document and its source at the cut.
#[derive(Clone, Copy)]
pub(super) struct Document<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) shape: &'a Shape,
    pub(super) text: Text<'a>,
}

impl<'a> Document<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, shape: &'a Shape) -> Self {
        Self { reader: snapshot.reader(), shape, text: Text::new(&snapshot.log.stream, shape) }
    }

    /// Where a value ends that is not open; one that waits for what is behind it, where its own bytes end.
    pub(super) fn value_end(self, id: NodeId, level: u32) -> u32 {
        match self.shape.token {
            Some(token) if self.reader.mark.leaf_is(id).is_some() => token.end,
            _ => self.reader.span(level, id).end,
        }
    }

    /// Gives the starts of the values in a value to `each`, in the order of the source, and those that are strings, as
    /// long as that wants more. `from` and `to` are where what belongs to the value begins and ends, such as its key.
    /// Says whether that were all.
    pub(super) fn each_value(
        self,
        top: NodeId,
        (from, to): (u32, u32),
        mut each: impl FnMut(u32, Option<StringValue>) -> bool,
    ) -> bool {
        let Self { reader, shape, text } = self;
        // What was looked at: in what was repaired there may be strings that are in no value.
        let mut cursor = from;
        for (id, kind, Span { start, end }) in reader.in_order(top) {
            // What is before a value is its key, unless there is much of it.
            if shape.has_dropped || !shape.is_verbatim && start.saturating_sub(cursor) > KEY {
                for value in between(text, cursor, start) {
                    if !each(value.span.start, Some(value)) {
                        return false;
                    }
                }
            }
            let leaf = shape.token.filter(|_| reader.mark.leaf_is(id).is_some());
            cursor = if kind.is_container() { start } else { leaf.map_or(end, |token| token.end) };
            let in_flight = leaf.is_some() && shape.is_string_in_flight();
            let string = (kind == NodeKind::String && !in_flight).then(|| {
                let span = Span::new(start, cursor);
                // Nothing but a string of RFC 8259 is written without a repair.
                if shape.is_verbatim { StringValue { span, quotes: (1, 1) } } else { StringValue::new(text, span) }
            });
            if !each(start, string) {
                return false;
            }
        }
        if shape.is_verbatim {
            return true;
        }
        let mut rest = between(text, cursor, to);
        if shape.state == CutState::AfterKey {
            // The key whose colon has not come.
            rest.pop_if(|last| text.bytes(last.span.end, to).trim_ascii().is_empty());
        }
        rest.into_iter().all(|value| each(value.span.start, Some(value)))
    }
}

/// The strings in a stretch that is in no value of the log, such as a member that was dropped: those that are no keys.
fn between(text: Text<'_>, start: u32, end: u32) -> Vec<StringValue> {
    let bytes = text.bytes(start, end);
    let offset = |at: usize| start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'"', bytes.get(at..).unwrap_or_default()).map(|open| at + open) {
        let inside = bytes.get(open + 1..).unwrap_or_default();
        let mut is_escaped = false;
        let close = inside.iter().position(|byte| {
            let closes = *byte == b'"' && !is_escaped;
            is_escaped = *byte == b'\\' && !is_escaped;
            closes
        });
        let Some(close) = close else { break };
        at = open + 1 + close + 1;
        let behind = bytes.get(at..).unwrap_or_default().trim_ascii_start();
        if behind.first() != Some(&b':') {
            found.push(StringValue { span: Span::new(offset(open), offset(at)), quotes: (1, 1) });
        }
    }
    found
}
