//! Other spellings of the same values.

use super::marked::Marked;
use super::tokens::{Kind, tokens};
use crate::random::Random;

pub fn change(marked: &mut Marked, random: &mut Random) {
    let tokens = tokens(&marked.text);
    let Some(token) = random.one_of(&tokens) else { return };
    let range = token.range.clone();
    let text = &marked.text[range.clone()];
    match token.kind {
        Kind::String => string(marked, range, random),
        Kind::Word if text.iter().all(u8::is_ascii_digit) => {
            let new: &[u8] = match random.below(4) {
                0 => b"e0",
                1 => b"E+0",
                2 => b".0",
                _ => b"0e-1",
            };
            marked.replace(range.end..range.end, new);
        }
        Kind::Blank => {
            let new: &[u8] = match random.below(4) {
                0 => b"",
                1 => b"\r\n",
                2 => b"\t ",
                _ => b" ",
            };
            marked.replace(range, new);
        }
        _ => {
            let new: &[u8] = if random.once_in(2) { b" " } else { b"\r\n  " };
            marked.replace(range.start..range.start, new);
        }
    }
}

/// A character as an escape, or an escape as its character.
fn string(marked: &mut Marked, range: std::ops::Range<usize>, random: &mut Random) {
    let Ok(text) = std::str::from_utf8(&marked.text[range.clone()]) else { return };
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let Some((at, letter)) = random.one_of(&chars).copied() else { return };
    let start = range.start + at;
    let is_end = at == 0 || start + letter.len_utf8() >= range.end;
    if letter == '\\' || is_end {
        return;
    }
    let is_escaped = text[..at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    let new = match letter {
        _ if is_escaped => return,
        '/' => "\\/".to_owned(),
        '\n' => "\\n".to_owned(),
        letter => letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    };
    marked.replace(start..start + letter.len_utf8(), new.as_bytes());
}
