//! Other cuts of the same text.

use super::marked::{Layout, Marked};
use super::tokens::{Kind, tokens};
use crate::CUT;
use crate::random::Random;
use crate::rounds::{ALL, ROUND, TAIL};

/// What there is an end or a start of, by the text that is looked for.
const WHOLE: &[&[u8]] = &[b"\r\n", b"```", b"~~~", b"<think>", b"</think>", b"//", b"/*", b"*/", b"...", b"\"\"\""];

pub fn change(marked: &mut Marked, layout: Layout, random: &mut Random) {
    let mark = mark(layout, random);
    match random.below(8) {
        0 => marked.mark(random.below(marked.text.len() + 1), &mark),
        1 | 2 => {
            let places = places(&marked.text);
            if let Some(at) = random.one_of(&places) {
                marked.mark(*at, &mark);
            }
        }
        3 => shift(marked, random),
        4 => {
            if !marked.marks.is_empty() {
                marked.marks.remove(random.below(marked.marks.len()));
            }
        }
        5 => marked.marks.retain(|(_, mark)| *mark != [CUT]),
        6 => {
            // A stretch byte by byte.
            let from = random.below(marked.text.len() + 1);
            for at in from..(from + 1 + random.below(8)).min(marked.text.len()) {
                marked.mark(at, &[CUT]);
            }
        }
        _ => {
            let places = places(&marked.text);
            let share = 1 + random.below(6);
            for at in places {
                if random.once_in(share) {
                    marked.mark(at, &[CUT]);
                }
            }
        }
    }
}

/// Mostly a cut; where there are rounds, also what marks them.
fn mark(layout: Layout, random: &mut Random) -> Vec<u8> {
    match (layout, random.below(6)) {
        (Layout::Rounds, 0 | 1) => vec![ROUND],
        (Layout::Rounds, 2) => vec![ROUND, TAIL, random.below(256) as u8],
        (Layout::Rounds, 3) => vec![ROUND, ALL],
        _ => vec![CUT],
    }
}

/// Moves a mark by a few bytes, or to a place that matters.
fn shift(marked: &mut Marked, random: &mut Random) {
    if marked.marks.is_empty() {
        return;
    }
    let (at, mark) = marked.marks.remove(random.below(marked.marks.len()));
    let places = places(&marked.text);
    let new = match (random.below(3), random.one_of(&places)) {
        (0, Some(place)) => *place,
        (1, _) => at.saturating_sub(1 + random.below(4)),
        _ => (at + 1 + random.below(4)).min(marked.text.len()),
    };
    marked.mark(new, &mark);
}

/// Places that matter: around tokens, and within characters, escapes, words, fences and tags.
fn places(text: &[u8]) -> Vec<usize> {
    let mut places = Vec::new();
    for token in tokens(text) {
        let (start, end) = (token.range.start, token.range.end);
        match token.kind {
            Kind::String => places.extend([start + 1, end - 1, end]),
            Kind::Word => places.extend([start + 1, (start + end) / 2, end]),
            Kind::Blank => places.push(end),
            _ => places.push(start),
        }
    }
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\\' => {
                let escape = if text.get(at + 1) == Some(&b'u') { at + 1..at + 7 } else { at + 1..at + 3 };
                places.extend(escape);
            }
            // Within a character.
            0x80..=0xbf => places.push(at),
            _ => {}
        }
    }
    for whole in WHOLE {
        for (at, _) in text.windows(whole.len()).enumerate().filter(|(_, window)| window == whole) {
            places.extend(at..=at + whole.len());
        }
    }
    places.retain(|at| *at <= text.len());
    places.sort_unstable();
    places.dedup();
    places
}
