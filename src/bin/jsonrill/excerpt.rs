//! A place in a text, shown to a person: the line it is in, as much of it as fits, and a mark under the place.

use std::fmt::{self, Write};
use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many columns of the line are shown before the place, where not all of it fits, and how many in all.
const BEFORE: usize = 36;
const WIDTH: usize = 76;

/// How many bytes around the place are looked at, whatever the length of the line.
const REACH: usize = 4 * WIDTH;

/// A tab, whatever column it is in.
const TAB: &str = "    ";

/// A line with a mark. Printed as two lines, each with its end.
pub(crate) struct Excerpt {
    line: String,
    /// Columns before the mark, and of the mark.
    indent: usize,
    marked: usize,
}

impl Excerpt {
    /// The line of `text` in which `span` begins. Where it goes on in other lines, the mark ends with this one.
    pub(crate) fn new(text: &[u8], span: Range<usize>) -> Self {
        let at = span.start.min(text.len());
        let before = &text[at.saturating_sub(REACH)..at];
        let behind = &text[at..text.len().min(at + REACH)];
        let (start, clipped) = match before.iter().rposition(|byte| *byte == b'\n') {
            Some(line_break) => (at - before.len() + line_break + 1, false),
            None => (at - before.len(), before.len() < at),
        };
        let start = if clipped { start + leading_continuations(&text[start..at]) } else { start };
        let (end, more) = match behind.iter().position(|byte| *byte == b'\n') {
            Some(line_break) => (at + line_break, false),
            None => (at + behind.len(), at + behind.len() < text.len()),
        };
        // The end may be inside a character.
        let end = if more && leading_continuations(&text[end..]) > 0 { character_start(text, at, end) } else { end };
        let carriage_return = !more && end > at && text[end - 1] == b'\r' && span.end < end;
        let line = Shown::new(text, start..if carriage_return { end - 1 } else { end });
        line.excerpt(at..span.end.max(at + 1), clipped, more)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "    {}", self.line)?;
        writeln!(formatter, "    {:indent$}{}", "", "^".repeat(self.marked), indent = self.indent)
    }
}

/// A stretch of text as it is shown.
struct Shown {
    text: String,
    /// For each character, and each byte that is part of none: where it is in the source, and where in `text`. And for
    /// the end.
    pieces: Vec<(usize, usize)>,
}

impl Shown {
    fn new(source: &[u8], range: Range<usize>) -> Self {
        let mut shown = Shown { text: String::new(), pieces: Vec::new() };
        let mut at = range.start;
        for chunk in source[range.clone()].utf8_chunks() {
            for c in chunk.valid().chars() {
                shown.pieces.push((at, shown.text.len()));
                push_visible(&mut shown.text, c);
                at += c.len_utf8();
            }
            for byte in chunk.invalid() {
                shown.pieces.push((at, shown.text.len()));
                // Writing into a string does not fail.
                let _ = write!(shown.text, "\\x{byte:02x}");
                at += 1;
            }
        }
        shown.pieces.push((range.end, shown.text.len()));
        shown
    }

    /// The part around `marked` that fits, the mark at least a column wide.
    fn excerpt(&self, marked: Range<usize>, clipped: bool, more: bool) -> Excerpt {
        let width = |from: usize, to: usize| self.text[self.pieces[from].1..self.pieces[to].1].width();
        let count = self.pieces.len() - 1;
        // The piece that holds the place, and the one behind the last that is marked.
        let place = self.pieces.partition_point(|(source, _)| *source <= marked.start).saturating_sub(1);
        let marked_end = self.pieces.partition_point(|(source, _)| *source < marked.end).min(count);

        let all = width(0, count);
        let (mut from, mut to) = (0, count);
        if all > WIDTH {
            let mut columns = 0;
            from = place;
            while from > 0 && columns + width(from - 1, from) <= BEFORE {
                from -= 1;
                columns += width(from, from + 1);
            }
            to = place;
            while to < count && columns + width(to, to + 1) <= WIDTH {
                columns += width(to, to + 1);
                to += 1;
            }
        }
        let head = if clipped || from > 0 { "…" } else { "" };
        let tail = if more || to < count { "…" } else { "" };
        Excerpt {
            line: format!("{head}{}{tail}", &self.text[self.pieces[from].1..self.pieces[to].1]),
            indent: head.width() + width(from, place),
            marked: width(place, marked_end.min(to).max(place)).max(1),
        }
    }
}

/// Appends a character so that it can be seen, takes the columns that it seems to take, and makes no terminal obey.
fn push_visible(text: &mut String, c: char) {
    match c {
        '\t' => text.push_str(TAB),
        '\0'..='\u{1f}' => text.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('␦')),
        '\u{7f}' => text.push('␡'),
        // Parts of emoji that show with what is before them.
        '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' => text.push(c),
        _ if c.is_control() || is_invisible(c) => text.extend(c.escape_unicode()),
        _ => text.push(c),
    }
}

/// Characters that say how other text is shown, or show as nothing.
fn is_invisible(c: char) -> bool {
    let is_format = matches!(u32::from(c),
        0xAD | 0x61C | 0x180E | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xFFF9..=0xFFFB
        | 0xE0000..=0xE0FFF);
    is_format || c.width().is_none()
}

/// How many bytes at the start are the rest of a character.
fn leading_continuations(text: &[u8]) -> usize {
    text.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count()
}

/// The start of the character that `end` is in, no farther back than `from`.
fn character_start(text: &[u8], from: usize, end: usize) -> usize {
    let back = text[from..end].iter().rev().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    end.saturating_sub(back + 1).max(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn shows(text: impl AsRef<[u8]>, span: Range<usize>, line: &str, mark: &str) {
        let excerpt = Excerpt::new(text.as_ref(), span);
        assert_eq!(excerpt.to_string(), format!("    {line}\n    {mark}\n"));
        assert!(!excerpt.line.chars().any(char::is_control));
    }

    #[test]
    fn the_mark_is_under_the_place() {
        shows("one\n  two: x,\nthree", 9..10, "  two: x,", "     ^");
        shows("one\n  two: x,\nthree", 6..9, "  two: x,", "  ^^^");
        shows("one", 0..0, "one", "^");
        shows("one", 3..3, "one", "   ^");
        shows("one\n", 4..4, "", "^");
        shows("", 0..0, "", "^");
        shows("one\r\ntwo", 1..2, "one", " ^");
        // Up to the end of the line, where it goes on.
        shows("one two\nthree", 4..12, "one two", "    ^^^");
        shows("x", 90..99, "x", " ^");
    }

    #[test]
    fn what_is_not_plain_is_shown_and_counted() {
        shows("\t\"a\t\": b", 3..4, "    \"a    \": b", "      ^^^^");
        shows("\"a\u{1b}[2J\"", 2..3, "\"a␛[2J\"", "  ^");
        shows("日本: é, x", 6..7, "日本: é, x", "    ^");
        shows("🎉x", 4..5, "🎉x", "  ^");
        shows("e\u{301}x", 3..4, "e\u{301}x", " ^");
        shows("a\u{feff}x\u{202e}", 4..5, "a\\u{feff}x\\u{202e}", "         ^");
        shows(b"a\xff\xc3x", 2..3, "a\\xff\\xc3x", "     ^^^^");
        shows("\u{9b}x", 2..3, "\\u{9b}x", "      ^");
        shows("👩\u{200d}💻x", 11..12, "👩\u{200d}💻x", "  ^");
    }

    #[test]
    fn a_long_line_is_clipped_around_the_place() {
        let line = (0..100).map(|n| format!("{n:04} ")).collect::<Vec<_>>().concat();
        let excerpt = Excerpt::new(line.as_bytes(), 250..254);
        assert_eq!(excerpt.line.width(), WIDTH + 2);
        assert!(excerpt.line.starts_with('…') && excerpt.line.ends_with('…'));
        assert_eq!((&excerpt.line[excerpt.line.find("0050").unwrap()..][..4], excerpt.marked), ("0050", 4));
        assert_eq!(excerpt.indent, 1 + BEFORE);
        assert!(Excerpt::new(line.as_bytes(), 1..2).line.starts_with("0000"));
        assert!(Excerpt::new(line.as_bytes(), 499..500).line.ends_with("0099 "));

        // At any place, in characters of any length, and without reading all of the line.
        let wide = "日".repeat(300_000);
        for at in (0..3000).chain(450_000..450_100).chain(899_000..900_001) {
            let excerpt = Excerpt::new(wide.as_bytes(), at..at + 3);
            assert!(excerpt.line.chars().all(|c| c == '日' || c == '…') && excerpt.line.width() <= WIDTH + 2, "{at}");
        }
    }
}
