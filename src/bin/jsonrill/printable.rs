//! Text of unknown origin, made fit to be shown: in one line, clipped, and without anything that a terminal would obey.

use std::fmt::Write as _;

/// The longest head of the text that fits, and its columns.
pub(crate) fn fitting(text: &str, room: usize) -> (&str, usize) {
    if text.len() <= room && text.is_ascii() {
        return (text, text.len());
    }
    let mut columns = 0;
    for (index, c) in text.char_indices() {
        if columns + columns_of(c) > room {
            return (&text[..index], columns);
        }
        columns += columns_of(c);
    }
    (text, columns)
}

/// The head of the text, in at most `width` columns.
pub(crate) fn clip(text: &str, width: usize) -> String {
    let (head, _) = fitting(text, width);
    if head.len() == text.len() {
        return text.to_owned();
    }
    let (head, _) = fitting(text, width.saturating_sub(1));
    format!("{head}…")
}

/// The tail of the text, in at most `width` columns.
pub(crate) fn clip_start(text: &str, width: usize) -> String {
    let mut columns = 0;
    let mut tail = text.len();
    for (index, c) in text.char_indices().rev() {
        columns += columns_of(c);
        if columns > width {
            break;
        }
        // Room for the mark, unless this is all.
        if index == 0 || columns < width {
            tail = index;
        }
    }
    if tail == 0 { text.to_owned() } else { format!("…{}", &text[tail..]) }
}

/// How many columns a character takes, nearly: lines do not wrap by themselves while a frame is drawn, so that a
/// wrong guess costs a clipped character and nothing else.
pub(crate) fn columns_of(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36F | 0x200B..=0x200D | 0xFE00..=0xFE0F | 0x1F3FB..=0x1F3FF => 0,
        0x1100..=0x115F
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

/// A JSON string that is safe to show: what a terminal would obey is escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 2);
    shown.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => shown.extend(['\\', c]),
            _ => push_printable(&mut shown, c),
        }
    }
    shown.push('"');
    shown
}

/// Text of unknown origin, in one line, without anything that a terminal would obey.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        push_printable(&mut shown, c);
    }
    shown
}

fn push_printable(shown: &mut String, c: char) {
    match c {
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        // Controls, and what turns or breaks the line.
        _ if c.is_control()
            || matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}') =>
        {
            let _ = write!(shown, "\\u{:04x}", u32::from(c));
        }
        _ => shown.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        assert_eq!(quoted("a\"\\\n\u{1b}\u{7f}\u{9b}\u{202e}é"), r#""a\"\\\n\u001b\u007f\u009b\u202eé""#);
        assert_eq!(printable("a\r\n\u{2028}"), r"a\r\n\u2028");
    }

    #[test]
    fn what_is_clipped_is_marked() {
        assert_eq!(clip("東京東京", 5), "東京…");
        assert_eq!(clip("abc", 3), "abc");
        for (text, width, tail) in
            [("abcde", 5, "abcde"), ("abcde", 4, "…cde"), ("東京東京", 5, "…東京"), ("東京", 3, "…京"), ("", 0, "")]
        {
            assert_eq!(clip_start(text, width), tail, "{text:?} in {width}");
        }
    }
}
