//! What models write around JSON.

use super::marked::Marked;
use crate::random::Random;

const AROUND: &[(&str, &str)] = &[
    ("Here it is:\n", ""),
    ("", "\nDone."),
    ("```json\n", "\n```"),
    ("```\n", "\n```\nAnd more."),
    ("~~~~ JSON\n", "\n~~~~"),
    ("```json\n", ""),
    ("<think>\nIt is {a}.\n</think>\n", ""),
    ("Well, that was it.</think>", ""),
    ("\u{feff}", ""),
    ("[1] ", " [2]"),
    ("{} ", ""),
    ("cb(", ");"),
    ("(", ")"),
    ("{", "}"),
    ("", "\n{\"z\": 1}"),
    ("", "}]"),
];

pub fn change(marked: &mut Marked, random: &mut Random) {
    if random.once_in(4) {
        return quote(marked, random);
    }
    let Some((before, behind)) = random.one_of(AROUND) else { return };
    let end = marked.text.len();
    marked.replace(end..end, behind.as_bytes());
    marked.replace(0..0, before.as_bytes());
}

/// As the text of a string: with a backslash before each quote, or the quotes doubled.
fn quote(marked: &mut Marked, random: &mut Random) {
    let escape: u8 = if random.once_in(2) { b'\\' } else { b'"' };
    let special: Vec<usize> =
        (0..marked.text.len()).rev().filter(|at| matches!(marked.text[*at], b'"' | b'\\')).collect();
    for at in special {
        if marked.text[at] == b'"' || escape == b'\\' {
            marked.replace(at..at, &[escape]);
        }
    }
    if random.once_in(2) {
        let end = marked.text.len();
        marked.replace(end..end, b"\"");
        marked.replace(0..0, b"\"");
    }
}
