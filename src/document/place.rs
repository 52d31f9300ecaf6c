//! Line and column of a place in a text.

use std::fmt;

use serde::Serialize;

/// Where something is, as people and editors count: from 1.
///
/// ```
/// use jsonrill::Places;
///
/// let place = Places::new("{\n  \"né\": 1}").at(9_u32);
/// assert_eq!((place.line, place.column, place.to_string().as_str()), (2, 7, "2:7"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The line. A line ends behind its `\n`.
    pub line: u32,
    /// The column, in characters. Each stretch of bytes that is no UTF-8 counts as the U+FFFD that it would be shown
    /// as.
    pub column: u32,
}

impl fmt::Display for Place {
    /// As `line:column`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// How far apart places are kept to go on from.
const STRIDE: usize = 4096;

/// Finds the lines and columns of byte offsets in a text.
///
/// Reports and spans say where something is in bytes. For people, ask here.
///
/// ```
/// use jsonrill::{Places, repair};
///
/// let text = "{\n  \"naïve\": \"C:\\dir\",\n}";
/// let mut places = Places::new(text);
/// let repaired = repair(text);
/// let found: Vec<_> = repaired.repairs().iter().map(|repair| places.at(repair.span.start).to_string()).collect();
/// assert_eq!(found, ["2:15", "2:20"]);
/// ```
///
/// # Complexity
///
/// All of the text is walked at most once, however many places are asked for, and then at most 4 KB for each. Offsets
/// in ascending order, as reports have them, are the cheapest: nothing is walked twice.
#[derive(Clone)]
pub struct Places<'a> {
    text: &'a [u8],
    /// The last place that was found.
    at: Mark,
    /// Places on the way to the farthest that was found, in order.
    marks: Vec<Mark>,
}

/// The place of a character, or of the end.
#[derive(Debug, Clone, Copy)]
struct Mark {
    offset: usize,
    place: Place,
}

const START: Mark = Mark { offset: 0, place: Place { line: 1, column: 1 } };

impl<'a> Places<'a> {
    /// Of this text or these bytes.
    #[must_use]
    pub fn new(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self { text: text.as_ref(), at: START, marks: Vec::new() }
    }

    /// The place of the byte at `offset`. Inside a character it is that of the character, beyond the text that of its
    /// end.
    #[must_use]
    pub fn at(&mut self, offset: impl Into<u64>) -> Place {
        let offset = usize::try_from(offset.into()).unwrap_or(usize::MAX).min(self.text.len());
        if offset < self.at.offset {
            let before = self.marks.partition_point(|mark| mark.offset <= offset);
            self.at = before.checked_sub(1).and_then(|last| self.marks.get(last)).copied().unwrap_or(START);
        }
        while offset - self.at.offset > STRIDE {
            self.walk(self.at.offset + STRIDE);
            if self.marks.last().is_none_or(|last| last.offset < self.at.offset) {
                self.marks.push(self.at);
            }
        }
        self.walk(offset);
        self.at.place
    }

    /// Goes on to `offset`, or to the start of the character that it is in.
    fn walk(&mut self, offset: usize) {
        let Self { text, at, .. } = self;
        for chunk in text.get(at.offset..offset).unwrap_or_default().utf8_chunks() {
            at.pass(chunk.valid());
            let invalid = chunk.invalid().len();
            if invalid > 0 {
                let length = first_length(text.get(at.offset..).unwrap_or_default());
                if length > offset - at.offset {
                    return;
                }
                at.offset += invalid;
                at.place.column = at.place.column.saturating_add(1);
            }
        }
    }
}

impl Mark {
    fn pass(&mut self, text: &str) {
        let line = match memchr::memrchr(b'\n', text.as_bytes()) {
            Some(last) => {
                let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
                self.place.line = self.place.line.saturating_add(count(lines));
                self.place.column = 1;
                text.get(last + 1..).unwrap_or_default()
            }
            None => text,
        };
        self.place.column = self.place.column.saturating_add(count(line.chars().count()));
        self.offset += text.len();
    }
}

/// The length of the first character, or of what is none.
fn first_length(text: &[u8]) -> usize {
    let head = text.get(..4).unwrap_or(text);
    let Some(chunk) = head.utf8_chunks().next() else { return 0 };
    chunk.valid().chars().next().map_or(chunk.invalid().len(), char::len_utf8)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl fmt::Debug for Places<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Places").field("length", &self.text.len()).field("at", &self.at).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of each offset, found the slow way.
    fn slowly(text: &[u8], offset: usize) -> Place {
        let mut mark = START;
        while mark.offset < text.len() {
            let length = first_length(&text[mark.offset..]);
            if mark.offset + length > offset {
                break;
            }
            let is_break = text[mark.offset] == b'\n';
            mark.place = match mark.place {
                Place { line, .. } if is_break => Place { line: line + 1, column: 1 },
                Place { line, column } => Place { line, column: column + 1 },
            };
            mark.offset += length;
        }
        mark.place
    }

    #[test]
    fn every_offset_in_any_order() {
        let texts: [&[u8]; 6] = [
            b"",
            b"\n\n\r\na\tb\n",
            "é\n日本\n🎉x".as_bytes(),
            b"a\xff\xffb\n\xe6\x97c\xf0\x9f\x8e",
            b"\x80\x80\n\xed\xa0\x80",
            b"no break",
        ];
        for text in texts {
            let mut places = Places::new(text);
            let offsets = || 0..=text.len();
            for offset in offsets().chain(offsets().rev()).chain(offsets().flat_map(|at| [at, text.len() - at])) {
                let found = places.at(u32::try_from(offset).unwrap());
                assert_eq!(found, slowly(text, offset), "{offset} in {}", text.escape_ascii());
            }
            assert_eq!(places.at(u32::MAX), slowly(text, text.len()));
        }
    }

    #[test]
    fn a_long_text_is_walked_once() {
        let text = "日本語 text\n".repeat(20_000) + &"é".repeat(100_000);
        let mut places = Places::new(&text);
        let end = u32::try_from(text.len()).unwrap();
        assert_eq!(places.at(end), Place { line: 20_001, column: 100_001 });
        assert!(places.marks.len() >= text.len() / STRIDE - 1);
        // Back and forth, which would take minutes if it began at the start each time.
        for step in 0..5_000 {
            assert_eq!(places.at(end - 2 * (step % 1000)).line, 20_001);
            assert_eq!(places.at(end / 4).line, places.at(end / 4 + 1).line);
        }
        assert_eq!(places.at(0_u32), Place { line: 1, column: 1 });
    }
}
