//! Where an answer is cut: twenty-five places of a document, in every state that it has.

use crate::random::Random;
use crate::syntax::{Sort, Syntax, Token};

pub const COUNT: usize = 25;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    InString,
    StringStart,
    StringEnd,
    InEscape,
    InKey,
    AfterKey,
    AfterColon,
    InNumber,
    AfterNumber,
    InKeyword,
    AfterValue,
    AfterClose,
    AfterComma,
    AfterBlank,
    AfterOpen,
    Deepest,
    Shallow,
    Anywhere,
}

const STATES: [State; 18] = [
    State::InString,
    State::AfterComma,
    State::InKey,
    State::AfterClose,
    State::InNumber,
    State::Deepest,
    State::AfterColon,
    State::InEscape,
    State::AfterOpen,
    State::InKeyword,
    State::AfterKey,
    State::AfterValue,
    State::StringStart,
    State::Shallow,
    State::AfterBlank,
    State::AfterNumber,
    State::StringEnd,
    State::Anywhere,
];

#[derive(Clone, Copy, Debug)]
pub struct Cut {
    pub at: usize,
    pub state: State,
}

/// Places on character boundaries, behind the first byte and before the last, each once.
pub fn cuts(syntax: &Syntax, seed: u64) -> Vec<Cut> {
    let mut random = Random::new(seed);
    let mut cuts: Vec<Cut> = Vec::new();
    let deepest = syntax.tokens.iter().map(|token| token.depth).max().unwrap_or(0);
    let mut wanted = STATES.iter().cycle();
    let mut tries = 0;
    while cuts.len() < COUNT && tries < 2000 {
        tries += 1;
        let state = *wanted.next().expect("an endless supply");
        let token = random.within(0..syntax.tokens.len());
        // A state that few tokens have is looked for from there on.
        let found = (0..syntax.tokens.len())
            .map(|step| (token + step) % syntax.tokens.len())
            .find_map(|index| place(syntax, index, state, deepest, &mut random));
        let Some(at) = found else { continue };
        let is_inside = syntax.start(&syntax.root) < at && at < syntax.end(&syntax.root);
        if is_inside && cuts.iter().all(|cut| cut.at != at) {
            cuts.push(Cut { at, state });
        }
    }
    cuts
}

fn place(syntax: &Syntax, index: usize, state: State, deepest: usize, random: &mut Random) -> Option<usize> {
    let token = &syntax.tokens[index];
    let written = syntax.written(index);
    let (start, end) = (token.span.start, token.span.end);
    let has = |sort: Sort| token.sort == sort;
    let next = syntax.tokens.get(index + 1).map(|token| token.span.start);
    Some(match state {
        State::InString if has(Sort::Text) && written.len() > 3 => inside(syntax, token, random)?,
        State::StringStart if has(Sort::Text) => start + 1,
        State::StringEnd if has(Sort::Text) && written.len() > 2 => end - 1,
        State::InEscape if has(Sort::Text) => {
            let escapes: Vec<usize> = escapes(written).collect();
            let escape = *escapes.get(random.within(0..escapes.len().max(1)))?;
            let length = if written[escape..].starts_with("\\u") { random.within(1..6) } else { 1 };
            let pair = written[escape..].starts_with("\\ud83d\\u") && random.percent(50);
            start + escape + if pair { random.within(6..12) } else { length }
        }
        State::InKey if has(Sort::Key) && written.len() > 2 => inside(syntax, token, random)?,
        State::AfterKey if has(Sort::Key) => end,
        State::AfterColon if has(Sort::Colon) => {
            if random.percent(50) {
                end
            } else {
                next?
            }
        }
        State::InNumber if has(Sort::Number) && written.len() > 1 => random.within(start + 1..end),
        State::AfterNumber if has(Sort::Number) => end,
        State::InKeyword if has(Sort::Keyword) => random.within(start + 1..end),
        State::AfterValue if has(Sort::Text) || has(Sort::Keyword) => end,
        State::AfterClose if has(Sort::Close) => end,
        State::AfterComma if has(Sort::Comma) => end,
        State::AfterBlank if matches!(token.sort, Sort::Comma | Sort::Open | Sort::Close) && next? > end => next?,
        State::AfterOpen if has(Sort::Open) => end,
        State::Deepest if token.depth == deepest && !has(Sort::Close) => {
            if random.percent(70) && written.len() > 2 {
                inside(syntax, token, random)?
            } else {
                end
            }
        }
        State::Shallow if token.depth == 1 && !has(Sort::Open) => {
            if random.percent(50) && written.len() > 2 {
                inside(syntax, token, random)?
            } else {
                end
            }
        }
        State::Anywhere => inside(syntax, token, random).unwrap_or(end),
        _ => return None,
    })
}

/// A place within a token, on a character boundary.
fn inside(syntax: &Syntax, token: &Token, random: &mut Random) -> Option<usize> {
    if token.span.len() < 2 {
        return None;
    }
    let at = random.within(token.span.start + 1..token.span.end);
    (at..token.span.end).find(|at| syntax.text.is_char_boundary(*at))
}

fn escapes(written: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + written.get(at..)?.find('\\')?;
        at = start + 2;
        // Both halves of a pair are one.
        if written[start..].starts_with("\\ud83d\\u") {
            at = start + 12;
        }
        Some(start)
    })
}
