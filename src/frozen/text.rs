//! The source, counted in characters and never cut inside one.

use std::borrow::Cow;

use crate::document::{Span, Stream};

use super::shape::{Dropped, Shape};

/// The longest escape: a surrogate pair.
const LONGEST_ESCAPE: usize = 12;

/// Room for the longest escape, and half a character.
const ESCAPE: u32 = 16;

/// How much is counted in one go: little of it is copied, for it rarely lies in two blocks.
const STRETCH: u32 = 1 << 14;

/// From how many bytes on vectors are worth it.
const VECTORS: usize = 64;

/// The source of a frozen state.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    stream: &'a Stream,
    /// What of it is left out, and what is there instead.
    dropped: &'a [Dropped],
}

impl<'a> Text<'a> {
    pub(super) fn new(stream: &'a Stream, shape: &'a Shape) -> Self {
        Self { stream, dropped: &shape.dropped }
    }

    /// With nothing left out.
    pub(super) fn of_all(stream: &'a Stream) -> Self {
        Self { stream, dropped: &[] }
    }

    pub(super) fn bytes(self, start: u32, end: u32) -> Cow<'a, [u8]> {
        let span = Span::new(start, end.max(start));
        if self.is_whole(span) {
            return self.stream.bytes(span);
        }
        let mut bytes = Vec::new();
        self.for_pieces(span, |piece| bytes.extend_from_slice(piece));
        Cow::Owned(bytes)
    }

    /// Whether a stretch is as it is in the source.
    #[inline]
    fn is_whole(self, span: Span) -> bool {
        !self.dropped.iter().any(|dropped| dropped.is_in(span))
    }

    /// Calls `each` with what there is of a stretch, block by block.
    fn for_pieces(self, span: Span, mut each: impl FnMut(&[u8])) {
        let mut at = span.start;
        for dropped in self.dropped.iter().filter(|dropped| dropped.is_in(span)) {
            self.stream.for_pieces(Span::new(at, dropped.span.start.max(at)), &mut each);
            each(dropped.supplied_in(span));
            at = dropped.span.end.max(at);
        }
        self.stream.for_pieces(Span::new(at, span.end.max(at)), each);
    }

    /// Adds a stretch to `out`.
    pub(super) fn copy(self, start: u32, end: u32, out: &mut String) {
        let span = Span::new(start, end.max(start));
        if let Some(bytes) = self.stream.block(span).filter(|_| self.is_whole(span)) {
            return push(out, bytes);
        }
        out.reserve(span.len() as usize);
        // A character that lies in two blocks.
        let mut half = Vec::new();
        self.for_pieces(span, |mut piece| {
            if !half.is_empty() {
                let rest = piece.iter().take(3).take_while(|byte| !begins_character(**byte)).count();
                let (rest, behind) = piece.split_at_checked(rest).unwrap_or((piece, &[]));
                half.extend_from_slice(rest);
                push(out, &half);
                half.clear();
                piece = behind;
            }
            let whole = whole_characters(piece);
            push(out, whole);
            half.extend_from_slice(piece.get(whole.len()..).unwrap_or_default());
        });
        push(out, &half);
    }

    /// The end of a stretch, or all of it: enough to see whether it has more than `limit` characters, and to take the
    /// last of them.
    pub(super) fn last_bytes(self, start: u32, end: u32, limit: usize) -> Cow<'a, [u8]> {
        // The longest character has four bytes. One more of them shows whether there is more than is wanted, and an
        // escape whether the last one begins in it.
        let enough = u32::try_from(limit.saturating_add(1).saturating_mul(4)).unwrap_or(u32::MAX);
        let mut from = end.saturating_sub(enough.saturating_add(ESCAPE)).max(start);
        // It begins with a whole character, of which at most three bytes are before.
        let is_inside = |at: &u32| self.bytes(*at, at + 1).first().is_some_and(|byte| !begins_character(*byte));
        from = (from.saturating_sub(3).max(start)..=from).rev().find(|at| !is_inside(at)).unwrap_or(from);
        // And not behind a backslash: whether that is escaped depends on all before it.
        while from > start {
            let block = self.bytes(from.saturating_sub(STRETCH).max(start), from);
            let run = block.iter().rev().take_while(|byte| **byte == b'\\').count();
            from -= u32::try_from(run).unwrap_or_default();
            // (Where the source is not kept there is none.)
            if run < block.len() || block.is_empty() {
                break;
            }
        }
        self.bytes(from, end)
    }

    /// How many bytes at the end of a stretch are a character that has not come to its end.
    pub(super) fn half_character(self, start: u32, end: u32) -> u32 {
        let bytes = self.bytes(end.saturating_sub(4).max(start), end);
        u32::try_from(bytes.len() - whole_characters(&bytes).len()).unwrap_or_default()
    }

    /// How many characters a stretch has.
    pub(super) fn characters(self, start: u32, end: u32) -> usize {
        let (mut at, mut count) = (start, 0);
        while at < end {
            let next = end.min(at.saturating_add(STRETCH));
            let bytes = self.bytes(at, next);
            // A character that goes on behind this stretch is counted in the next.
            let counted = if next < end { whole_characters(&bytes) } else { &bytes };
            count += characters(counted);
            at = at.saturating_add(u32::try_from(counted.len()).unwrap_or(u32::MAX)).max(at + 1);
        }
        count
    }
}

/// How many characters some bytes are; what is none counts as the U+FFFD that it is shown as.
pub(super) fn characters(bytes: &[u8]) -> usize {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => text.chars().count(),
        Err(_) => bytes
            .utf8_chunks()
            .map(|chunk| chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty()))
            .sum(),
    }
}

/// Whether a byte is the first of a character.
fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// The same without the first bytes of a character that has not come to its end.
pub(super) fn whole_characters(bytes: &[u8]) -> &[u8] {
    let Some(last) = bytes.iter().rev().take(4).position(|byte| begins_character(*byte)) else { return bytes };
    let start = bytes.len() - 1 - last;
    let is_half = bytes.get(start..).and_then(|last| std::str::from_utf8(last).err()).is_some_and(|error| {
        // What can become a character is half of one; anything else is none.
        error.error_len().is_none()
    });
    if is_half { bytes.get(..start).unwrap_or_default() } else { bytes }
}

/// The last `limit` characters of some JSON, or a little less: it does not begin in an escape.
pub(super) fn last_characters(text: &str, limit: usize) -> &str {
    let last = limit.checked_sub(1).map(|last| text.char_indices().nth_back(last).map_or(0, |(at, _)| at));
    text.get(behind_escape(text, last.unwrap_or(text.len()))..).unwrap_or_default()
}

/// The end of the escape that `at` is in; `at` itself if it is in none.
fn behind_escape(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut start = at.saturating_sub(LONGEST_ESCAPE - 1);
    // A backslash begins an escape if those before it pair.
    let before = bytes.get(..start).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'\\').count();
    let mut is_escaped = before % 2 == 1;
    while start < at {
        if bytes.get(start) == Some(&b'\\') && !is_escaped {
            let end = start + escape_length(text.get(start..).unwrap_or_default());
            if end > at {
                return end.min(text.len());
            }
            start = end;
        } else {
            start += 1;
        }
        is_escaped = false;
    }
    at
}

/// The length of the escape at the start, with the second half of a surrogate pair. What the end cuts off is taken for
/// what it can become.
fn escape_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_unit = |at: usize, third: &[u8]| {
        let signs = [&b"\\"[..], b"u", b"dD", third];
        (at..).zip(signs).all(|(at, signs)| bytes.get(at).is_none_or(|byte| signs.contains(byte)))
    };
    match text.chars().nth(1) {
        Some('u') if is_unit(0, b"89abAB") && bytes.len() > 6 && is_unit(6, b"cdefCDEF") => LONGEST_ESCAPE,
        Some('u') => 6,
        other => 1 + other.map_or(1, char::len_utf8),
    }
}

/// Adds bytes to `out`. They are characters, but for what the source has that are none.
#[inline]
fn push(out: &mut String, bytes: &[u8]) {
    // What is short is seen quicker without vectors.
    let text =
        if bytes.len() < VECTORS { std::str::from_utf8(bytes).ok() } else { simdutf8::basic::from_utf8(bytes).ok() };
    match text {
        Some(text) => out.push_str(text),
        None => out.push_str(&String::from_utf8_lossy(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_characters_begin_with_a_whole_one() {
        let rows = [
            ("abc", 5, "abc"),
            ("abc", 2, "bc"),
            ("abc", 0, ""),
            ("a日本", 2, "日本"),
            ("a日本", 1, "本"),
            (r"a\nb", 2, "b"),
            (r"a\nb", 3, r"\nb"),
            (r"a\\nb", 3, "nb"),
            (r"a\\nb", 4, r"\\nb"),
            (r"a\\\nb", 2, "b"),
            (r"x\u00e9y", 4, "y"),
            (r"x\u00e9y", 7, r"\u00e9y"),
            (r"x\ud83d\ude00y", 7, "y"),
            (r"x\ud83d\ude00y", 13, r"\ud83d\ude00y"),
            (r"x\ud83dy\ude00z", 8, r"y\ude00z"),
            (r"x\ud83d\u0041z", 7, r"\u0041z"),
            (r"x\ud8", 2, ""),
            (r"C:\日本", 2, "本"),
            (r"a\ébc", 3, "bc"),
            (r"x\ud83d\u", 2, ""),
            (r"x\ud83d\u", 8, r"\ud83d\u"),
            (r"x\ud83d\n", 2, r"\n"),
        ];
        for (text, limit, expected) in rows {
            assert_eq!(last_characters(text, limit), expected, "{limit} of {text}");
        }
    }

    #[test]
    fn half_a_character_is_left_out() {
        assert_eq!(whole_characters(b"a\xe6\x97"), b"a");
        assert_eq!(whole_characters("a日".as_bytes()), "a日".as_bytes());
        assert_eq!(whole_characters(b"a\xf0"), b"a");
        assert_eq!(whole_characters(b"a\xff"), b"a\xff");
        assert_eq!(whole_characters(b""), b"");
        assert_eq!(whole_characters(b"\x80\x80\x80\x80\x80"), b"\x80\x80\x80\x80\x80");
    }
}
