//! Puts a text together from the values that were read and the source that they were read from.
//!
//! The values are walked in order, and with them the source. Whatever stands in the source for the next token, or
//! between two of them, is copied if it is valid there, and written anew if not. So the text is valid whatever the
//! repairs were and wherever they were made: none of them is looked at.
//!
//! Each stretch of the source is looked at once by the container it is in, and copied by the block.

use std::ops::Range;

use crate::document::Kind;
use crate::parser::Finished;
use crate::view::{Elements, ValueRef};

use super::source::{Gap, Source, is_blank};

/// The text of the one root that is wanted.
pub(super) fn answer(source: &[u8], finished: &Finished) -> String {
    let root = finished.snapshot().root();
    let mut stitch = Stitch::new(source, false);
    if let Some(span) = root.span() {
        stitch.blank_copy(0..span.range().start);
        stitch.document(root);
        stitch.blank_copy(span.range().end..source.len());
    }
    stitch.into_text()
}

/// The text of all roots, each in a line.
pub(super) fn lines(source: &[u8], finished: &Finished) -> String {
    let mut stitch = Stitch::new(source, true);
    let mut behind = None;
    for document in finished.documents() {
        let root = document.snapshot.root();
        let Some(span) = root.span() else { continue };
        let before = behind.unwrap_or(0)..span.range().start;
        let is_separate = behind.is_none() || stitch.source.has_line_break(before.clone());
        if !(is_separate && stitch.blank_copy(before)) && behind.is_some() {
            stitch.put("\n");
        }
        stitch.document(root);
        behind = Some(span.range().end);
    }
    if let Some(behind) = behind {
        stitch.blank_copy(behind..source.len());
    }
    stitch.into_text()
}

/// A text being put together.
struct Stitch<'s> {
    source: Source<'s>,
    /// Whether line breaks are left out.
    flat: bool,
    out: Vec<u8>,
    /// What is to be copied from the source next: neighbours are copied together.
    copied: Range<usize>,
}

/// A container whose closer was not written yet.
struct Frame<'v> {
    container: ValueRef<'v>,
    children: Elements<'v>,
    /// How far the source is done, in this container.
    cursor: usize,
    is_first: bool,
    /// Where its opener ends in the text.
    opened: usize,
    /// Whether its first child is in a line of its own.
    is_tall: bool,
}

impl<'s> Stitch<'s> {
    fn new(source: &'s [u8], flat: bool) -> Self {
        Self { source: Source(source), flat, out: Vec::with_capacity(source.len()), copied: 0..0 }
    }

    fn into_text(mut self) -> String {
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

    fn put(&mut self, text: &str) {
        self.flush();
        self.out.extend_from_slice(text.as_bytes());
    }

    fn put_string(&mut self, text: &str) {
        self.flush();
        // Writing into a vector does not fail.
        let _ = serde_json::to_writer(&mut self.out, text);
    }

    /// The byte at `at` if it is this one, else this one.
    fn sign(&mut self, at: usize, sign: &str) {
        if self.source.get(at..at + 1) == sign.as_bytes() { self.copy(at..at + 1) } else { self.put(sign) }
    }

    /// Blanks. In a flat text those with a line break become one blank behind a comma, and nothing elsewhere.
    fn blanks(&mut self, blanks: Range<usize>, behind_comma: bool) {
        if !self.flat || !self.source.has_line_break(blanks.clone()) {
            self.copy(blanks);
        } else if behind_comma {
            self.put(" ");
        }
    }

    /// Copies a stretch outside the values if it is blank, and says whether it is.
    fn blank_copy(&mut self, range: Range<usize>) -> bool {
        let is_blank = self.source.is_blank(range.clone());
        if is_blank {
            self.copy(range);
        }
        is_blank
    }

    // ----- values -----

    fn document<'v>(&mut self, root: ValueRef<'v>) {
        let mut open: Vec<Frame<'v>> = Vec::new();
        open.extend(self.value(root));
        while let Some(frame) = open.last_mut() {
            match frame.children.next() {
                Some(child) => {
                    let span = child.span().unwrap_or_default().range();
                    self.gap(frame, child.key(), span.start);
                    frame.is_first = false;
                    frame.cursor = frame.cursor.max(span.end);
                    open.extend(self.value(child));
                }
                None => {
                    self.close(frame);
                    open.pop();
                }
            }
        }
    }

    /// Writes a scalar, or the opener of a container.
    fn value<'v>(&mut self, value: ValueRef<'v>) -> Option<Frame<'v>> {
        let span = value.span().unwrap_or_default().range();
        let opener = match value.kind() {
            Some(Kind::Object) => "{",
            Some(Kind::Array) => "[",
            _ => {
                self.scalar(value, span);
                return None;
            }
        };
        self.sign(span.start, opener);
        Some(Frame {
            container: value,
            children: value.elements(),
            cursor: self.source.behind_opener(span.start),
            is_first: true,
            opened: self.out.len() + self.copied.len(),
            is_tall: false,
        })
    }

    fn scalar(&mut self, value: ValueRef<'_>, span: Range<usize>) {
        if let Some(text) = value.as_str() {
            if self.source.literal(span.start, text) == Some(span.end) {
                self.copy(span);
            } else {
                self.put_string(text);
            }
            return;
        }
        let text = match (value.number_text(), value.as_bool()) {
            (Some(number), _) => number,
            (None, Some(true)) => "true",
            (None, Some(false)) => "false",
            (None, None) => "null",
        };
        if self.source.get(span.clone()) == text.as_bytes() { self.copy(span) } else { self.put(text) }
    }

    /// What is between the last child, or the opener, and the child that begins at `start`.
    fn gap(&mut self, frame: &mut Frame<'_>, key: Option<&str>, start: usize) {
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
    fn child(&mut self, gap: &Gap, key: Option<&str>, comma: bool, start: usize) {
        if comma {
            self.blanks(gap.lead.clone(), false);
            self.put(",");
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
        self.put(":");
        self.blanks(after..start, false);
    }

    /// A child that is in another place in the source than in the value: the last of several members of one name. Its
    /// layout is that of its own place.
    fn displaced(&mut self, frame: &Frame<'_>, key: Option<&str>, start: usize) {
        let source = self.source;
        let from = source.behind_opener(frame.container.span().unwrap_or_default().range().start);
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

    /// The end of a container.
    fn close(&mut self, frame: &Frame<'_>) {
        let sign = if frame.container.kind() == Some(Kind::Object) { "}" } else { "]" };
        let end = frame.container.span().unwrap_or_default().range().end;
        let place = if frame.container.is_open() { None } else { self.source.closer_before(end) };
        match place.filter(|place| *place >= frame.cursor) {
            Some(place) => {
                self.blanks(self.source.skip_blanks_back(frame.cursor, place)..place, false);
                self.sign(place, sign);
            }
            None => {
                if frame.is_tall {
                    self.break_line(frame.opened);
                }
                self.put(sign);
            }
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
