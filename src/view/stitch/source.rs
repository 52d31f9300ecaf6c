//! What stands in the source between values, and whether a token is the spelling of a value.
//!
//! Nothing here trusts anybody: a token counts as a spelling of a text only if it decodes to it, so that whatever is
//! copied from the source is valid JSON.

use std::ops::Range;

use crate::parser::short_escape;

/// The input, read at places that may be anywhere.
#[derive(Clone, Copy)]
pub(super) struct Source<'a>(pub(super) &'a [u8]);

/// What is kept of a stretch between two children that is not valid as it is.
#[derive(Debug, Default)]
pub(super) struct Gap {
    /// Blanks before the comma.
    pub(super) lead: Range<usize>,
    /// Blanks before the key or value.
    pub(super) before: Range<usize>,
    /// Where the key should be.
    pub(super) at: usize,
}

/// Opening signs that a container may begin with, and closing ones that it may end with.
const OPENERS: [&str; 6] = ["{", "[", "(", "｛", "［", "（"];
const CLOSERS: [&str; 6] = ["}", "]", ")", "｝", "］", "）"];
const COMMAS: [&str; 2] = [",", "，"];

impl<'a> Source<'a> {
    pub(super) fn get(self, range: Range<usize>) -> &'a [u8] {
        self.0.get(range).unwrap_or_default()
    }

    pub(super) fn byte(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    /// The end of the blanks that begin at `at`, no farther than `to`.
    pub(super) fn skip_blanks(self, at: usize, to: usize) -> usize {
        let blanks = self.get(at..to).iter().take_while(|byte| is_blank(**byte));
        at + blanks.count()
    }

    /// The start of the blanks that end before `at`, no farther back than `from`.
    pub(super) fn skip_blanks_back(self, from: usize, at: usize) -> usize {
        let blanks = self.get(from..at).iter().rev().take_while(|byte| is_blank(**byte));
        at - blanks.count()
    }

    /// Whether there is nothing but blanks.
    pub(super) fn is_blank(self, range: Range<usize>) -> bool {
        self.get(range).iter().all(|byte| is_blank(*byte))
    }

    pub(super) fn has_line_break(self, range: Range<usize>) -> bool {
        memchr::memchr2(b'\n', b'\r', self.get(range)).is_some()
    }

    /// The place behind the sign that a container has at its start; `at` where it has none.
    pub(super) fn behind_opener(self, at: usize) -> usize {
        at + sign_at(self.get(at..self.0.len()), &OPENERS).unwrap_or(0)
    }

    /// The place of the closing sign before `end`.
    pub(super) fn closer_before(self, end: usize) -> Option<usize> {
        let before = self.get(0..end);
        CLOSERS.iter().find(|sign| before.ends_with(sign.as_bytes())).map(|sign| end - sign.len())
    }

    /// The end of all that valid JSON has between `at` and the next value, which begins at `to`: a comma behind another
    /// child, blanks, and a key with its colon. `None` if it is anything else.
    pub(super) fn sound_gap(self, at: usize, to: usize, comma: bool, key: Option<&[u8]>) -> Option<()> {
        let mut at = self.skip_blanks(at, to);
        if comma {
            at = self.skip_blanks(self.expect(b',', at)?, to);
        }
        if let Some(key) = key {
            at = self.skip_blanks(self.literal(at, key)?, to);
            at = self.skip_blanks(self.expect(b':', at)?, to);
        }
        (at == to).then_some(())
    }

    fn expect(self, byte: u8, at: usize) -> Option<usize> {
        (self.byte(at) == Some(byte)).then_some(at + 1)
    }

    /// Reads what stands between `at` and `to` as far as it is blanks, commas, comments and closers of nothing. Blanks
    /// with a line break are layout; others are taken where there are no such.
    pub(super) fn damaged_gap(self, mut at: usize, to: usize, comma: bool) -> Gap {
        let end = self.skip_blanks(at, to);
        let mut gap = Gap { lead: at..at, before: at..end, at: end };
        let mut breaks = self.has_line_break(at..end);
        let mut seen = !comma;
        while let Some((end, is_comma)) = self.skipped(gap.at, to) {
            if is_comma && !seen {
                // The first comma: what comes before it is not the layout of what comes behind it.
                seen = true;
                breaks = false;
                if gap.before.end == gap.at && gap.before.start == at {
                    gap.lead = gap.before;
                }
                gap.before = end..end;
            }
            at = end;
            gap.at = self.skip_blanks(at, to);
            let is_break = self.has_line_break(at..gap.at);
            if gap.at > at && (is_break || !breaks) {
                gap.before = at..gap.at;
                breaks = is_break;
            }
        }
        gap
    }

    /// The end of a comma, a comment or a closer that begins at `at`, and whether it is a comma.
    fn skipped(self, at: usize, to: usize) -> Option<(usize, bool)> {
        let rest = self.get(at..to);
        if let Some(length) = sign_at(rest, &COMMAS) {
            return Some((at + length, true));
        }
        let length = if rest.starts_with(b"/*") {
            memchr::memmem::find(rest.get(2..)?, b"*/").map_or(rest.len(), |inside| inside + 4)
        } else if rest.starts_with(b"//") || rest.starts_with(b"#") {
            memchr::memchr(b'\n', rest).unwrap_or(rest.len())
        } else {
            sign_at(rest, &CLOSERS)?
        };
        Some((at + length, false))
    }

    /// The end of the string that begins at `at`, if it is a valid spelling of `text`.
    pub(super) fn literal(self, at: usize, text: &[u8]) -> Option<usize> {
        let start = self.expect(b'"', at)?;
        let plain_end = start + text.len();
        if self.byte(plain_end) == Some(b'"') && self.get(start..plain_end) == text && is_plain(text) {
            return Some(plain_end + 1);
        }
        let spelling = self.0.get(start..)?;
        Some(start + decoded_length(spelling, text)? + 1)
    }

    /// The start of the string that ends before `end`, if it is the plain spelling of `text`.
    pub(super) fn literal_before(self, end: usize, text: &[u8]) -> Option<usize> {
        let start = end.checked_sub(text.len().checked_add(2)?)?;
        (self.literal(start, text) == Some(end)).then_some(start)
    }
}

/// The length of the sign at the start, if it is one of these.
fn sign_at(text: &[u8], signs: &[&str]) -> Option<usize> {
    signs.iter().find(|sign| text.starts_with(sign.as_bytes())).map(|sign| sign.len())
}

/// White space of RFC 8259.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Whether text stands for itself in a string: no quote, no backslash, no control character.
fn is_plain(text: &[u8]) -> bool {
    let plain = |byte: &u8| *byte >= 0x20 && *byte != b'"' && *byte != b'\\';
    // In blocks, which the compiler turns into vector instructions.
    text.chunks(64).all(|block| block.iter().map(plain).fold(true, |all, plain| all & plain))
}

/// How long the inside of a string is that decodes to `text` and ends there with a quote.
fn decoded_length(spelling: &[u8], text: &[u8]) -> Option<usize> {
    let mut text = text;
    let mut at = 0;
    loop {
        match spelling.get(at)? {
            b'"' => return text.is_empty().then_some(at),
            b'\\' => {
                let (character, length) = escape(spelling.get(at..)?)?;
                text = text.strip_prefix(character.encode_utf8(&mut [0; 4]).as_bytes())?;
                at += length;
            }
            byte if *byte >= 0x20 && text.first() == Some(byte) => {
                text = text.get(1..)?;
                at += 1;
            }
            _ => return None,
        }
    }
}

/// The character of the escape at the start, and the length of its spelling. Half of a surrogate pair is none.
fn escape(spelling: &[u8]) -> Option<(char, usize)> {
    let second = *spelling.get(1)?;
    if second == b'u' {
        let unit = code_unit(spelling)?;
        if !(0xD800..0xDC00).contains(&unit) {
            return Some((char::from_u32(unit)?, 6));
        }
        let low = code_unit(spelling.get(6..)?).filter(|low| (0xDC00..0xE000).contains(low))?;
        return Some((char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))?, 12));
    }
    short_escape(second).map(|character| (character, 2))
}

/// The number in the `\uXXXX` at the start.
fn code_unit(spelling: &[u8]) -> Option<u32> {
    let digits = spelling.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_strings() {
        let spelled = |source: &str, text: &str| Source(source.as_bytes()).literal(0, text.as_bytes());
        for (source, text) in [
            (r#""""#, ""),
            (r#""abc""#, "abc"),
            (r#""é日🎉""#, "é日🎉"),
            (r#""\u00e9\u65E5\ud83c\udf89""#, "é日🎉"),
            (r#""\"\\\/\b\f\n\r\t\u0000""#, "\"\\/\u{8}\u{c}\n\r\t\0"),
            (r#""a/b""#, "a/b"),
        ] {
            assert_eq!(spelled(source, text), Some(source.len()), "{source}");
            assert_eq!(spelled(&format!("{source}\"x"), text), Some(source.len()), "{source}");
            assert_eq!(spelled(source, &format!("{text}x")), None, "{source}");
            assert_eq!(spelled(&source[..source.len() - 1], text), None, "{source}");
        }
        for (source, text) in [
            (r#""C:\dir""#, r"C:\dir"),
            ("\"a\nb\"", "a\nb"),
            (r#""\ud800""#, "\u{fffd}"),
            (r#""\ud800\ud800""#, "\u{fffd}\u{fffd}"),
            (r#""say "hi"""#, r#"say "hi""#),
            ("'a'", "a"),
            (r#""\u00zz""#, r"\u00zz"),
            (r#""\"#, "\\"),
        ] {
            assert_eq!(spelled(source, text), None, "{source}");
        }
    }

    #[test]
    fn layout_of_damaged_gaps() {
        let layout = |text: &str, comma: bool| {
            let gap = Source(text.as_bytes()).damaged_gap(0, text.len(), comma);
            (text[gap.lead].to_owned(), text[gap.before].to_owned(), text[gap.at..].to_owned())
        };
        let is = |lead: &str, before: &str, rest: &str| (lead.to_owned(), before.to_owned(), rest.to_owned());
        assert_eq!(layout("\n  \"b\"", true), is("", "\n  ", "\"b\""));
        assert_eq!(layout(" ,, b", true), is(" ", " ", "b"));
        assert_eq!(layout(", // one\n  'b'", true), is("", "\n  ", "'b'"));
        assert_eq!(layout(" // one, two\n  , b", true), is("\n  ", " ", "b"));
        assert_eq!(layout(",\n  /* x */ b", true), is("", "\n  ", "b"));
        assert_eq!(layout(",\n\n  # x", true), is("", "\n\n  ", ""));
        assert_eq!(layout("\n  , b", true), is("\n  ", " ", "b"));
        assert_eq!(layout("\n  , b", false), is("", "\n  ", "b"));
        assert_eq!(layout("/* open", false), is("", "", ""));
        assert_eq!(layout("，b", true), is("", "", "b"));
        assert_eq!(layout("),\n  } b", true), is("", "\n  ", "b"));
        assert_eq!(layout("= b", true), is("", "", "= b"));
    }
}
