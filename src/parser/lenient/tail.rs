//! The tail of an open string that may turn out to be structure, because the string's closing quote is missing.
//!
//! `"a": "b, "c": 1`: that the comma ends the string shows with the key and colon behind it. Until then the tail is
//! text that is not shown. It is, at the end of the text so far:
//!
//! - closers, in front of
//! - a comma, in front of
//! - openers (only behind a comma),
//!
//! each of which can be missing, with white space anywhere; or a line break alone. It does not begin with a blank. A
//! quote of another kind, or an escaped one, directly before it is part of it: that was meant to close the string.
//!
//! What is read later never makes more of the text a tail than was one before, so nothing that was shown is hidden.

use super::super::machine::Machine;
use super::ahead::BOUND;
use super::signs::{is_closing_curly, last_character};

/// Whether a text that ends with this byte may have a tail.
pub(in super::super) fn may_be_tail(byte: u8) -> bool {
    // The last five end the closing curly quotes.
    matches!(
        byte,
        b' ' | b'\n' | b'\r' | b'\t' | b',' | b'}' | b']' | b'{' | b'[' | b'"' | 0x82 | 0x9C | 0x9D | 0x9F | 0xBB
    )
}

/// A tail in an open string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tail {
    /// Where it begins in the text.
    pub(super) start: usize,
    /// Where what may be structure begins: behind a quote that is part of the tail.
    pub(super) structure: usize,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// The tail of `text`, of which the first `raw_from` bytes are from escapes, or before one. `escaped_quote` says that
/// the last of those was a quote.
pub(super) fn tail(text: &[u8], raw_from: usize, escaped_quote: bool) -> Option<Tail> {
    let floor = raw_from.max(text.len().saturating_sub(BOUND as usize));
    let back = |mut at: usize, fits: fn(u8) -> bool| {
        while at > floor && text.get(at - 1).is_some_and(|byte| fits(*byte)) {
            at -= 1;
        }
        at
    };
    let before_openers = back(text.len(), |byte| is_blank(byte) || matches!(byte, b'{' | b'['));
    let has_comma = before_openers > floor && text.get(before_openers - 1) == Some(&b',');
    let behind_closers = if has_comma { before_openers - 1 } else { text.len() };
    let mut at = back(behind_closers, |byte| is_blank(byte) || matches!(byte, b'}' | b']'));
    if at == floor && floor > raw_from {
        return None;
    }
    while text.get(at) == Some(&b' ') {
        at += 1;
    }
    let structure = at;
    if escaped_quote && at == raw_from {
        at = at.saturating_sub(1);
    } else if at > raw_from && text.get(at).is_none_or(|next| *next != b'\t') {
        at -= quote_before(text, at).min(at - raw_from);
    }
    // A string that has nothing but such signs in it is more likely one of signs than one that was not closed.
    let before = text.get(..structure.min(BOUND as usize)).unwrap_or_default();
    let has_text = before.iter().any(|byte| !is_blank(*byte) && !matches!(byte, b',' | b'{' | b'}' | b'[' | b']'));
    (at < text.len() && (has_text || structure > BOUND as usize)).then_some(Tail { start: at, structure })
}

/// The length of the quote of another kind that ends before `at`; 0 for none.
fn quote_before(text: &[u8], at: usize) -> usize {
    // Not `’`, which is an apostrophe more often.
    last_character(text.get(..at).unwrap_or_default())
        .filter(|last| is_closing_curly(*last) && !matches!(last, '‘' | '’' | '‛'))
        .map_or(0, char::len_utf8)
}

impl Machine {
    /// The tail of the string that is being read, if it can have one: of a value in a container.
    pub(super) fn string_tail(&self) -> Option<Tail> {
        let text = self.writer.open_text();
        // An escape that has begun shows that what is before it is text.
        (self.writer.depth() > 0 && !self.escape.is_pending())
            .then(|| tail(text, self.lenient.raw_from as usize, self.lenient.escaped_quote))
            .flatten()
    }

    /// Hides the tail of the open string.
    #[cold]
    pub(in super::super) fn hide_tail(&mut self) {
        if self.options.is_strict() {
            return;
        }
        match self.string_tail() {
            Some(tail) => {
                self.writer.show(super::super::machine::offset(tail.start));
                self.lenient.hides_tail = true;
            }
            None => self.show_tail(),
        }
    }

    /// Whether part of the open string is not shown.
    pub(in super::super) fn hides_tail(&self) -> bool {
        self.lenient.hides_tail
    }

    /// The open string has no tail.
    #[inline]
    pub(in super::super) fn show_tail(&mut self) {
        if self.lenient.hides_tail {
            self.writer.show_all();
            self.lenient.hides_tail = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tail, tail};

    fn start(text: &str) -> Option<usize> {
        tail(text.as_bytes(), 0, false).map(|tail| tail.start)
    }

    #[test]
    fn structure_at_the_end_of_a_text_is_its_tail() {
        let rows = [
            ("a", None),
            ("a ", None),
            ("a b", None),
            ("a,", Some(1)),
            ("a, ", Some(1)),
            ("a , ", Some(2)),
            ("a}", Some(1)),
            ("a} ]", Some(1)),
            ("a}, ", Some(1)),
            ("a}, {", Some(1)),
            ("a {", None),
            ("a,b", None),
            ("a\n  ", Some(1)),
            ("a,\n  ", Some(1)),
            ("a,,", Some(2)),
            (",", None),
            ("}", None),
            ("a'", None),
            ("a',", Some(2)),
            ("a” ,", Some(5)),
            ("a”, ", Some(1)),
            ("é”", Some(2)),
            ("a” ", None),
            ("a”", Some(1)),
        ];
        for (text, expected) in rows {
            assert_eq!(start(text), expected, "{text:?}");
        }
        let long = format!("a{}", "}".repeat(300));
        assert_eq!(start(&long), None);
    }

    #[test]
    fn an_escaped_quote_before_the_tail_is_part_of_it() {
        assert_eq!(tail(b"C:\\dir\", ", 7, true), Some(Tail { start: 6, structure: 7 }));
        assert_eq!(tail(b"a\", ", 2, false), Some(Tail { start: 2, structure: 2 }));
        assert_eq!(tail(b"a\" b", 2, true), None);
        assert_eq!(tail(b"a\n", 2, false), None);
    }

    #[test]
    fn what_was_shown_is_never_hidden() {
        let letters = ["a", " ", ",", "}", "]", "{", "[", "\n", "'", "”"];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            texts = texts.iter().flat_map(|text| letters.iter().map(move |letter| format!("{text}{letter}"))).collect();
            for text in &texts {
                let before = text.char_indices().next_back().map_or(0, |(at, _)| at);
                let shown = |text: &str| start(text).unwrap_or(text.len());
                assert!(shown(text) >= shown(&text[..before]), "{text:?}");
            }
        }
    }
}
