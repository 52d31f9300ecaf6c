//! Puts a text together from the values that were read and the source that they were read from.
//!
//! The values are walked in order, and with them the source. Whatever stands in the source for the next token, or
//! between two of them, is copied if it is valid there, and written anew if not. So the text is valid whatever the
//! repairs were and wherever they were made: none of them is looked at.
//!
//! Each stretch of the source is looked at once by the container it is in, and copied by the block. Where it is known
//! which places are damaged, what lies between them is copied without a look.

mod damage;
mod source;

use std::ops::Range;

pub(crate) use damage::Damage;

use crate::document::{Children, NodeKind, Span, Visited, Visitor};

use super::Snapshot;
use source::{Gap, Source, is_blank};

/// A text being put together.
pub(crate) struct Stitch<'s> {
    source: Source<'s>,
    /// Whether line breaks are left out.
    flat: bool,
    out: Vec<u8>,
    /// What is to be copied from the source next: neighbours are copied together.
    copied: Range<usize>,
    /// What is not sound, if that is known.
    damage: Option<Damage>,
}

/// A container whose closer was not written yet.
struct Frame {
    /// Its closer.
    closer: &'static str,
    /// Where it is in the source.
    span: Range<usize>,
    is_open: bool,
    children: Children,
    /// How far the source is done, in this container.
    cursor: usize,
    /// How far it was done before the last child.
    before: usize,
    is_first: bool,
    /// Where its opener ends in the text.
    opened: usize,
    /// Whether its first child is in a line of its own.
    is_tall: bool,
}

impl<'s> Stitch<'s> {
    /// From this source; with `flat` on one line.
    pub(crate) fn new(source: &'s [u8], flat: bool) -> Self {
        Self { source: Source(source), flat, out: Vec::with_capacity(source.len()), copied: 0..0, damage: None }
    }

    /// From this source, in which everything that is not valid JSON, and no other value than it says, is damage.
    pub(crate) fn with_damage(source: &'s [u8], damage: Damage) -> Self {
        Self { damage: Some(damage), ..Self::new(source, false) }
    }

    pub(crate) fn into_text(mut self) -> String {
        self.flush();
        match String::from_utf8(self.out) {
            Ok(text) => text,
            // What is copied was compared with text, so that this never is.
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }

    // ----- writing -----

    fn flush(&mut self) {
        let copied = std::mem::replace(&mut self.copied, 0..0);
        self.out.extend_from_slice(self.source.get(copied));
    }

    fn copy(&mut self, range: Range<usize>) {
        if range.start == self.copied.end {
            self.copied.end = range.end.max(range.start);
        } else {
            self.flush();
            self.copied = range;
        }
    }

    pub(crate) fn put(&mut self, text: &[u8]) {
        self.flush();
        self.out.extend_from_slice(text);
    }

    fn put_string(&mut self, text: &[u8]) {
        self.flush();
        // It is text, and writing into a vector does not fail.
        let _ = serde_json::to_writer(&mut self.out, &String::from_utf8_lossy(text));
    }

    /// The byte at `at` if it is this one, else this one.
    fn sign(&mut self, at: usize, sign: &str) {
        if self.source.get(at..at + 1) == sign.as_bytes() { self.copy(at..at + 1) } else { self.put(sign.as_bytes()) }
    }

    /// Blanks. In a flat text those with a line break become one blank behind a comma, and nothing elsewhere.
    fn blanks(&mut self, blanks: Range<usize>, behind_comma: bool) {
        if !self.flat || !self.source.has_line_break(blanks.clone()) {
            self.copy(blanks);
        } else if behind_comma {
            self.put(b" ");
        }
    }

    /// Copies a stretch outside the values if it is blank, and says whether it is.
    pub(crate) fn blank_copy(&mut self, range: Range<usize>) -> bool {
        let is_blank = self.source.is_blank(range.clone());
        if is_blank {
            self.copy(range);
        }
        is_blank
    }

    // ----- values -----

    /// The root of a snapshot that was read from the source.
    pub(crate) fn document(&mut self, snapshot: &Snapshot) {
        let mut visitor = Visitor::new(snapshot.reader());
        let Some(root) = visitor.root() else { return };
        let mut open: Vec<Frame> = Vec::new();
        open.extend(self.value(root));
        while let Some(frame) = open.last_mut() {
            self.copy_sound(&mut visitor, frame);
            let end = if let Some(child) = visitor.next(&mut frame.children) {
                self.gap(frame, child.key, child.span.range().start);
                frame.is_first = false;
                frame.before = frame.cursor;
                let end = child.span.range().end;
                if let Some(container) = self.value(child) {
                    open.push(container);
                    continue;
                }
                end
            } else {
                let end = self.close(frame);
                open.pop();
                end
            };
            if let Some(frame) = open.last_mut() {
                frame.cursor = frame.cursor.max(end);
            }
        }
    }

    /// Copies the next children as far as nothing in them, nor between them, is damaged.
    ///
    /// Behind a child that may be damaged itself nothing is known: what began before it may end there.
    fn copy_sound(&mut self, visitor: &mut Visitor<'_>, frame: &mut Frame) {
        let Some(damage) = self.damage.as_mut().filter(|_| !frame.is_first) else { return };
        let Some(limit) = damage.next_behind(frame.before, frame.cursor) else { return };
        let source = self.source;
        let fits = |kind: NodeKind, span: Span| {
            let signs = match kind {
                NodeKind::Object => (b'{', b'}'),
                NodeKind::Array => (b'[', b']'),
                NodeKind::String => (b'"', b'"'),
                _ => return true,
            };
            let range = span.range();
            source.byte(range.start) == Some(signs.0) && source.byte(range.end.wrapping_sub(1)) == Some(signs.1)
        };
        if let Some(end) = visitor.pass(&mut frame.children, limit, fits) {
            let end = end as usize;
            self.copy(frame.cursor..end);
            (frame.before, frame.cursor) = (frame.cursor, end);
        }
    }

    /// Writes a scalar, or the opener of a container.
    #[inline]
    fn value(&mut self, value: Visited<'_>) -> Option<Frame> {
        let span = value.span.range();
        let (opener, closer) = match value.kind {
            NodeKind::Object => ("{", "}"),
            NodeKind::Array => ("[", "]"),
            NodeKind::String => {
                // What waits for the text behind it has a span that goes on to the end.
                match self.source.literal(span.start, value.text).filter(|end| *end <= span.end) {
                    Some(end) => self.copy(span.start..end),
                    None => self.put_string(value.text),
                }
                return None;
            }
            NodeKind::Number => return self.spelling(span, value.text),
            NodeKind::True => return self.spelling(span, b"true"),
            NodeKind::False => return self.spelling(span, b"false"),
            NodeKind::Null => return self.spelling(span, b"null"),
        };
        self.sign(span.start, opener);
        Some(Frame {
            closer,
            is_open: value.is_open,
            children: value.children,
            cursor: self.source.behind_opener(span.start),
            before: span.start,
            is_first: true,
            opened: self.out.len() + self.copied.len(),
            is_tall: false,
            span,
        })
    }

    /// Writes a scalar that has one spelling only.
    #[inline]
    fn spelling(&mut self, span: Range<usize>, text: &[u8]) -> Option<Frame> {
        if self.source.get(span.clone()) == text {
            self.copy(span);
        } else {
            self.put(text);
        }
        None
    }

    /// What is between the last child, or the opener, and the child that begins at `start`.
    fn gap(&mut self, frame: &mut Frame, key: Option<&[u8]>, start: usize) {
        let (from, comma) = (frame.cursor, !frame.is_first);
        if start < from {
            return self.displaced(frame, key, start);
        }
        let is_sound = self.source.sound_gap(from, start, comma, key).is_some();
        if is_sound && !(self.flat && self.source.has_line_break(from..start)) {
            frame.is_tall |= !comma && self.source.has_line_break(from..self.source.skip_blanks(from, start));
            return self.copy(from..start);
        }
        let gap = self.source.damaged_gap(from, start, comma);
        frame.is_tall |= !comma && !self.flat && self.source.has_line_break(gap.before.clone());
        self.child(&gap, key, comma, start);
    }

    /// A comma, layout, and a key with its colon.
    fn child(&mut self, gap: &Gap, key: Option<&[u8]>, comma: bool, start: usize) {
        if comma {
            self.blanks(gap.lead.clone(), false);
            self.put(b",");
        }
        self.blanks(gap.before.clone(), comma);
        let Some(key) = key else { return };
        let source = self.source;
        let mut colon = None;
        if let Some(end) = source.literal(gap.at, key).filter(|end| *end <= start) {
            self.copy(gap.at..end);
            colon = Some((end, source.skip_blanks(end, start)));
        } else {
            self.put_string(key);
        }
        let is_colon = |at: usize| at < start && source.byte(at) == Some(b':');
        if let Some((end, at)) = colon.filter(|(_, at)| is_colon(*at)) {
            self.blanks(end..at, false);
            self.copy(at..at + 1);
            self.blanks(at + 1..source.skip_blanks(at + 1, start), false);
            return;
        }
        // Where the key is in the source is not known, but its value is.
        let after = source.skip_blanks_back(gap.at, start);
        if let Some(at) = after.checked_sub(1).filter(|at| *at >= gap.at && is_colon(*at)) {
            self.blanks(source.skip_blanks_back(gap.at, at)..at, false);
        }
        self.put(b":");
        self.blanks(after..start, false);
    }

    /// A child that is in another place in the source than in the value: the last of several members of one name. Its
    /// layout is that of its own place.
    fn displaced(&mut self, frame: &Frame, key: Option<&[u8]>, start: usize) {
        let source = self.source;
        let from = source.behind_opener(frame.span.start);
        let mut gap = Gap { at: start, ..Gap::default() };
        if let Some(key) = key {
            let after = source.skip_blanks_back(from, start);
            let colon = after.checked_sub(1).filter(|at| source.byte(*at) == Some(b':'));
            let end = colon.map(|colon| source.skip_blanks_back(from, colon));
            if let Some(at) = end.and_then(|end| source.literal_before(end, key)).filter(|at| *at >= from) {
                gap.at = at;
            }
        }
        gap.before = source.skip_blanks_back(from, gap.at)..gap.at;
        self.child(&gap, key, !frame.is_first, start);
    }

    /// The end of a container. Gives how far the source is done: what is behind the last child of one that has no
    /// closer is between it and the next.
    fn close(&mut self, frame: &Frame) -> usize {
        let place = if frame.is_open { None } else { self.source.closer_before(frame.span.end) };
        if let Some(place) = place.filter(|place| *place >= frame.cursor) {
            self.blanks(self.source.skip_blanks_back(frame.cursor, place)..place, false);
            self.sign(place, frame.closer);
            frame.span.end
        } else {
            if frame.is_tall {
                self.break_line(frame.opened);
            }
            self.put(frame.closer.as_bytes());
            frame.cursor
        }
    }

    /// Begins a line with the indentation of the line that ends at `opened`.
    fn break_line(&mut self, opened: usize) {
        self.flush();
        let line = memchr::memrchr(b'\n', self.out.get(..opened).unwrap_or_default()).map_or(0, |at| at + 1);
        let indent = self.out.get(line..opened).unwrap_or_default().iter().take_while(|byte| is_blank(**byte)).count();
        let carriage_return = self.out.get(opened) == Some(&b'\r');
        self.out.extend_from_slice(if carriage_return { b"\r\n" } else { b"\n" });
        self.out.extend_from_within(line..line + indent);
    }
}
