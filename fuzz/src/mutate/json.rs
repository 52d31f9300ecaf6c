//! Other values and tokens.

use std::ops::Range;

use super::marked::Marked;
use super::tokens::{Item, Kind, Token, items, tokens};
use crate::random::Random;

/// What is put in anew.
const NEW: &[&str] = &[
    "1",
    "-0.0",
    "1e400",
    "12345678901234567890",
    "0.1e-5",
    "true",
    "null",
    "\"\"",
    "\"a\"",
    "\"x, y\"",
    "[]",
    "{}",
    "[1,2]",
    "{\"a\":1}",
    "\"a\":1",
    "\"a\": \"b\"",
    "[{\"a\":[",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"é😀\"",
];

pub fn change(marked: &mut Marked, random: &mut Random) {
    let tokens = tokens(&marked.text);
    let items = items(&marked.text, &tokens);
    match random.below(4) {
        0 => token(marked, &tokens, random),
        _ => value(marked, &tokens, &items, random),
    }
}

fn value(marked: &mut Marked, tokens: &[Token], items: &[Item], random: &mut Random) {
    let (Some(item), Some(other)) = (random.one_of(items), random.one_of(items)) else {
        let at = random.below(marked.text.len() + 1);
        return marked.replace(at..at, one_of(NEW, random));
    };
    let copy = |range: &Range<usize>| marked.text[range.clone()].to_vec();
    match random.below(9) {
        0 => {
            let twice = [b",", &copy(&item.range)[..]].concat();
            marked.replace(item.range.end..item.range.end, &twice);
        }
        1 => {
            // Two that are in each other cannot change places.
            let (first, second) = if item.range.start < other.range.start { (item, other) } else { (other, item) };
            if first.range.end <= second.range.start {
                let (one, two) = (copy(&first.range), copy(&second.range));
                marked.replace(second.range.clone(), &one);
                marked.replace(first.range.clone(), &two);
            }
        }
        2 => marked.replace(with_comma(item, tokens), b""),
        3 => {
            let new = copy(&other.value);
            marked.replace(item.value.clone(), &new);
        }
        4 => {
            let (open, close) = *random
                .one_of(&[("[", "]"), ("{\"k\":", "}"), ("[1,", "]"), ("{\"k\":", ",\"l\":2}"), ("[", ",{}]")])
                .expect("there are some");
            let new = [open.as_bytes(), &copy(&item.value), close.as_bytes()].concat();
            marked.replace(item.value.clone(), &new);
        }
        5 => {
            // Only what is in it.
            if item.is_container && item.value.len() > 2 {
                let new = copy(&(item.value.start + 1..item.value.end - 1));
                marked.replace(item.value.clone(), &new);
            }
        }
        6 => marked.replace(item.value.clone(), one_of(NEW, random)),
        7 => {
            let new = [b",", one_of(NEW, random)].concat();
            marked.replace(item.range.end..item.range.end, &new);
        }
        _ => marked.replace(item.value.end..marked.text.len(), b""),
    }
}

fn token(marked: &mut Marked, tokens: &[Token], random: &mut Random) {
    let Some(token) = random.one_of(tokens) else { return };
    let range = token.range.clone();
    match (random.below(4), token.kind) {
        (0, Kind::Close) => {
            let other: &[u8] = if marked.text[range.start] == b'}' { b"]" } else { b"}" };
            marked.replace(range, other);
        }
        (0, Kind::Open) => {
            let other: &[u8] = if marked.text[range.start] == b'{' { b"[" } else { b"{" };
            marked.replace(range, other);
        }
        (0, Kind::String) => marked.replace(range.end - 1..range.end, b""),
        (1, Kind::String) => marked.replace(range.start..range.start + 1, b""),
        (0 | 1, _) => marked.replace(range, b""),
        (2, _) => {
            let twice = marked.text[range.clone()].to_vec();
            marked.replace(range.end..range.end, &twice);
        }
        _ => {
            let new = one_of(&[",", ":", "\"", "}", "]", "{", "[", "\n", "\\", "'", "\"\"", "//", ".", "-"], random);
            marked.replace(range.start..range.start, new);
        }
    }
}

/// An item and the comma behind it, or else the one before.
fn with_comma(item: &Item, tokens: &[Token]) -> Range<usize> {
    let mut range = item.range.clone();
    let told = |token: &&Token| token.kind != Kind::Blank;
    let next = tokens.iter().find(|token| token.range.start >= range.end && told(token));
    let last = tokens.iter().rev().find(|token| token.range.end <= range.start && told(token));
    match (next, last) {
        (Some(next), _) if next.kind == Kind::Comma => range.end = next.range.end,
        (_, Some(last)) if last.kind == Kind::Comma => range.start = last.range.start,
        _ => {}
    }
    range
}

/// Puts a value of another text in the place of one, or behind it.
pub fn splice(marked: &mut Marked, from: &[u8], random: &mut Random) {
    let theirs = items(from, &tokens(from));
    let own = items(&marked.text, &tokens(&marked.text));
    let Some(new) = random.one_of(&theirs) else { return };
    let place = random.one_of(&own);
    match place {
        Some(item) if random.once_in(2) => marked.replace(item.value.clone(), &from[new.value.clone()]),
        Some(item) => {
            let new = [b",", &from[new.range.clone()]].concat();
            marked.replace(item.range.end..item.range.end, &new);
        }
        None => {
            let at = random.below(marked.text.len() + 1);
            marked.replace(at..at, &from[new.value.clone()]);
        }
    }
}

fn one_of<'a>(all: &[&'a str], random: &mut Random) -> &'a [u8] {
    random.one_of(all).map_or(b"", |text| text.as_bytes())
}
