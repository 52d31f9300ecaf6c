//! Halves of surrogate pairs, of which each came in a payload of its own.
//!
//! JSON escapes a character beyond U+FFFF as a pair: `\ud83d\ude00`. A server that counts in UTF-16 may cut its text
//! between the two, so that one string ends with the first half, and the next one of that text begins with the second.
//! No string can hold either, so a payload with such halves is rewritten before it is read: a half at the edge of a
//! piece of text becomes a mark, which is one private character, any other U+FFFD. What takes the pieces joins marks to
//! characters.

use std::borrow::Cow;

use memchr::memmem;

/// The members whose strings are pieces of a text.
const PIECES: [&str; 13] = [
    "arguments",
    "content",
    "delta",
    "input",
    "partial_json",
    "reasoning",
    "reasoning_content",
    "refusal",
    "response",
    "stringValue",
    "summary",
    "text",
    "thinking",
];

/// The mark of the half U+D800. No payload has it for any other reason: one that has these characters itself is not
/// marked.
const FIRST_MARK: u32 = 0x10_F000;
const FIRST_HALF: u32 = 0xD800;
const FIRST_LOW: u32 = 0xDC00;
const LAST_HALF: u32 = 0xDFFF;

/// How long `\ud83d` is.
const ESCAPE: usize = 6;

fn mark_of(half: u32) -> Option<char> {
    char::from_u32(FIRST_MARK + (half - FIRST_HALF))
}

fn half_of(mark: char) -> Option<u32> {
    let half = u32::from(mark).checked_sub(FIRST_MARK)? + FIRST_HALF;
    (half <= LAST_HALF).then_some(half)
}

fn joined(high: u32, low: u32) -> Option<char> {
    char::from_u32(0x1_0000 + ((high - FIRST_HALF) << 10) + (low - FIRST_LOW))
}

/// The half that an escape at the start of these bytes stands for.
fn escaped(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(..ESCAPE)? else { return None };
    let value = std::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok())?;
    (FIRST_HALF..=LAST_HALF).contains(&value).then_some(value)
}

/// A payload in which no half of a pair is alone. `None` where that is so already.
pub(super) fn mark(payload: &str) -> Option<String> {
    let bytes = payload.as_bytes();
    if memmem::find(bytes, b"\\ud").is_none() && memmem::find(bytes, b"\\uD").is_none() {
        return None;
    }
    let halves = lone(bytes);
    if halves.is_empty() {
        return None;
    }
    let marks_are_free = !has_marks(payload);
    let mut marked = String::with_capacity(payload.len());
    let mut read = 0;
    for (at, mark) in halves {
        marked.push_str(payload.get(read..at).unwrap_or_default());
        marked.push(mark.filter(|_| marks_are_free).unwrap_or(char::REPLACEMENT_CHARACTER));
        read = at + ESCAPE;
    }
    marked.push_str(payload.get(read..).unwrap_or_default());
    Some(marked)
}

/// Whether the payload has characters that look like marks, escaped or not.
fn has_marks(payload: &str) -> bool {
    let escapes = memmem::find_iter(payload.as_bytes(), b"\\u").any(|at| {
        let (high, low) = (payload.as_bytes().get(at..), payload.as_bytes().get(at + ESCAPE..));
        let pair = high.and_then(escaped).filter(|high| *high < FIRST_LOW).zip(low.and_then(escaped));
        let pair = pair.filter(|(_, low)| *low >= FIRST_LOW);
        pair.and_then(|(high, low)| joined(high, low)).is_some_and(|character| half_of(character).is_some())
    });
    escapes || payload.chars().any(|character| half_of(character).is_some())
}

/// Where the lone halves are, and the marks of those at the edge of a piece of text.
fn lone(bytes: &[u8]) -> Vec<(usize, Option<char>)> {
    let mut halves: Vec<(usize, Option<char>)> = Vec::new();
    let (mut in_string, mut start, mut is_piece) = (false, 0, false);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' if !in_string => (in_string, start) = (true, at + 1),
            b'"' => {
                in_string = false;
                // It was a name if a colon follows, and what follows that has this name.
                let next = bytes.get(at + 1..).and_then(|rest| rest.iter().find(|byte| !byte.is_ascii_whitespace()));
                if next == Some(&b':') {
                    let name = bytes.get(start..at).unwrap_or_default();
                    is_piece = PIECES.iter().any(|piece| piece.as_bytes() == name);
                    halves.iter_mut().rev().take_while(|(at, _)| *at >= start).for_each(|(_, mark)| *mark = None);
                }
            }
            b'\\' if in_string => {
                let half = bytes.get(at..).and_then(escaped);
                let next = bytes.get(at + ESCAPE..).and_then(escaped);
                let is_low = |half: u32| half >= FIRST_LOW;
                match half {
                    None => at += 1,
                    Some(half) if !is_low(half) && next.is_some_and(is_low) => at += 2 * ESCAPE - 1,
                    Some(half) => {
                        let is_at_edge = if is_low(half) { at == start } else { bytes.get(at + ESCAPE) == Some(&b'"') };
                        halves.push((at, mark_of(half).filter(|_| is_at_edge && is_piece)));
                        at += ESCAPE - 1;
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    halves
}

/// The first half of a pair that a text has ended with so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Half(Option<u32>);

impl Half {
    /// What a piece of the text adds to it: with the character that it ends, without the half that it ends with.
    pub(super) fn join<'t>(&mut self, piece: &'t str, has_marks: bool) -> Cow<'t, str> {
        if !has_marks && self.0.is_none() {
            return Cow::Borrowed(piece);
        }
        let mut text = String::with_capacity(piece.len() + ESCAPE);
        for character in piece.chars() {
            let half = Some(character).filter(|_| has_marks).and_then(half_of);
            let high = self.0.take();
            if let (Some(high), Some(low @ FIRST_LOW..)) = (high, half) {
                text.extend(joined(high, low));
                continue;
            }
            text.extend(high.map(|_| char::REPLACEMENT_CHARACTER));
            match half {
                None => text.push(character),
                Some(FIRST_LOW..) => text.push(char::REPLACEMENT_CHARACTER),
                Some(_) => self.0 = half,
            }
        }
        Cow::Owned(text)
    }

    pub(super) fn is_open(self) -> bool {
        self.0.is_some()
    }

    /// Says that no more of the text comes. Whether that leaves half a character.
    pub(super) fn end(&mut self) -> bool {
        self.0.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_at_the_edges_of_pieces_are_marked() {
        assert_eq!(mark(r#"{"content":"a\ud83d\ude00 \\ud83d"}"#), None);
        assert_eq!(mark(r#"{"content":"a\ud83d"}"#).unwrap(), "{\"content\":\"a\u{10F03D}\"}");
        assert_eq!(mark(r#"{"text" : "\uDE00b"}"#).unwrap(), "{\"text\" : \"\u{10F600}b\"}");
        // In the middle, under another name, in a name.
        for (payload, expected) in [
            (r#"{"text":"a\ud83db"}"#, "{\"text\":\"a\u{FFFD}b\"}"),
            (r#"{"text":"\ud83d\ud83d\ude00"}"#, "{\"text\":\"\u{FFFD}\\ud83d\\ude00\"}"),
            (r#"{"id":"\ud83d"}"#, "{\"id\":\"\u{FFFD}\"}"),
            (r#"{"text":1,"\ud83d":2}"#, "{\"text\":1,\"\u{FFFD}\":2}"),
        ] {
            assert_eq!(mark(payload).unwrap(), expected);
        }
        // The marks are taken.
        for taken in ["\u{10F03D}", r"\udbfc\udc3d"] {
            let marked = mark(&format!("{{\"text\":\"{taken}\\ud83d\"}}")).unwrap();
            assert_eq!(marked, format!("{{\"text\":\"{taken}\u{FFFD}\"}}"));
        }
    }

    #[test]
    fn halves_are_joined() {
        let mut half = Half::default();
        assert_eq!(half.join("a\u{10F03D}", true), "a");
        assert_eq!(half.join("\u{10F600}b", true), "😀b");
        assert_eq!(half.join("\u{10F600}\u{10F03D}", true), "\u{FFFD}");
        assert_eq!(half.join("\u{10F03D}", false), "\u{FFFD}\u{10F03D}");
        assert!(!half.end());
        assert_eq!(half.join("\u{10F03D}", true), "");
        assert!(half.end());
    }
}
