//! Finds where a JSON text ends, without reading what it says.
//!
//! NDJSON lines and the elements of an array are cut out of their stream here, and read elsewhere. A byte is looked at
//! once: what is open is kept between chunks, and the text is copied only if its chunk does not have all of it.

use std::borrow::Cow;

use memchr::{memchr2, memchr3};

use super::limit::TooLong;
use super::text::{into_text, text};

/// Where texts stand, which says what ends those that are broken or have no brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// On lines: no string goes beyond its line, and a number goes to its end.
    Line,
    /// In an array: a number ends at a comma, a bracket or a blank.
    Element,
}

/// What a text is, by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Container,
    String,
    /// A number, a keyword, or no JSON at all.
    Plain,
}

/// A JSON text of which the start was seen.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a text")]
pub(super) struct Text {
    place: Place,
    shape: Shape,
    /// Where it begins in the stream.
    offset: u64,
    /// How many bytes it has so far, blanks at its end included.
    length: usize,
    /// What earlier chunks had of it.
    held: Vec<u8>,
    too_long: bool,
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The last byte outside strings that is no blank.
    last: u8,
    /// A line has just begun.
    at_line_start: bool,
}

/// What a text does with a chunk.
pub(super) enum Step<'c> {
    /// It takes all of it and goes on.
    More(Option<TooLong>),
    /// It takes so many bytes and ends. `None` in place of text: it was too long, and that was said before.
    End(usize, Option<Result<Cow<'c, str>, TooLong>>),
}

impl Text {
    /// A text that begins with this byte at this place of the stream.
    pub(super) fn new(place: Place, first: u8, offset: u64) -> Self {
        let shape = match first {
            b'{' | b'[' => Shape::Container,
            b'"' => Shape::String,
            _ => Shape::Plain,
        };
        Self {
            place,
            shape,
            offset,
            length: 0,
            held: Vec::new(),
            too_long: false,
            depth: 0,
            in_string: false,
            escaped: false,
            last: 0,
            at_line_start: false,
        }
    }

    /// Reads on.
    pub(super) fn take<'c>(&mut self, chunk: &'c [u8], limit: usize) -> Step<'c> {
        let Some(end) = self.end(chunk) else {
            self.length = self.length.saturating_add(chunk.len());
            let is_new = self.length > limit && !std::mem::replace(&mut self.too_long, self.length > limit);
            if self.too_long {
                self.held = Vec::new();
            } else {
                self.held.extend_from_slice(chunk);
            }
            return Step::More(is_new.then(|| TooLong::new(self.offset, limit)));
        };
        let part = chunk.get(..end).unwrap_or(chunk);
        if self.too_long {
            return Step::End(end, None);
        }
        if self.length + part.len() > limit {
            return Step::End(end, Some(Err(TooLong::new(self.offset, limit))));
        }
        let text = if self.held.is_empty() {
            text(part.trim_ascii_end())
        } else {
            self.held.extend_from_slice(part);
            self.held.truncate(self.held.trim_ascii_end().len());
            Cow::Owned(into_text(std::mem::take(&mut self.held)))
        };
        Step::End(end, Some(Ok(text)))
    }

    /// What there is of it, when no more comes.
    pub(super) fn rest(mut self) -> Option<String> {
        self.held.truncate(self.held.trim_ascii_end().len());
        (!self.too_long).then(|| into_text(self.held))
    }

    /// How many bytes of the chunk are its last, if it ends there.
    pub(super) fn end(&mut self, chunk: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = chunk.get(at) {
            if self.in_string {
                at += self.string(chunk.get(at..)?);
                if !self.in_string && self.depth == 0 {
                    return Some(at);
                }
                continue;
            }
            if self.place == Place::Line {
                // A line that goes on in the next one is laid out over several. But no valid text has an object right
                // behind a value: that line was broken, and a new text begins.
                let begins = std::mem::replace(&mut self.at_line_start, byte == b'\n');
                if begins && byte == b'{' && !matches!(self.last, b'[' | b',' | b':') {
                    return Some(at);
                }
            }
            if self.shape == Shape::Plain {
                let ends = match self.place {
                    Place::Line => byte == b'\n',
                    Place::Element => matches!(byte, b',' | b']' | b' ' | b'\t' | b'\r' | b'\n'),
                };
                if ends {
                    return Some(at);
                }
                at += 1;
                continue;
            }
            at += 1;
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                self.last = byte;
            }
        }
        None
    }

    /// Reads on in a string. How many bytes that takes.
    fn string(&mut self, rest: &[u8]) -> usize {
        let mut at = usize::from(std::mem::take(&mut self.escaped));
        loop {
            let Some(tail) = rest.get(at..) else { return rest.len() };
            let found = match self.place {
                Place::Line => memchr3(b'"', b'\\', b'\n', tail),
                Place::Element => memchr2(b'"', b'\\', tail),
            };
            let Some(found) = found else { return rest.len() };
            at += found;
            match rest.get(at) {
                Some(b'\\') if at + 1 == rest.len() => {
                    self.escaped = true;
                    return rest.len();
                }
                Some(b'\\') => at += 2,
                Some(b'"') => {
                    self.in_string = false;
                    return at + 1;
                }
                // The line ends in a string, so it is broken.
                _ => {
                    (self.in_string, self.depth) = (false, 0);
                    return at;
                }
            }
        }
    }
}
