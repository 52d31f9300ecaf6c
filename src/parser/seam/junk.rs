//! What models write before they go on: reasoning, an introduction, the opening mark of a fence.

use crate::document::{BOM, SkipKind};

use super::super::envelope::{Thought, ends_thought, thought};
use super::units::blanks;

/// How a line begins that introduces the rest. In lower case.
const INTRODUCTIONS: [&str; 32] = [
    "here is",
    "here's",
    "here are",
    "here’s",
    "continuing",
    "continuation",
    "continued",
    "sure",
    "certainly",
    "of course",
    "okay",
    "ok,",
    "ok.",
    "absolutely",
    "understood",
    "i'll continue",
    "i’ll continue",
    "i will continue",
    "let me continue",
    "picking up",
    "resuming",
    "the rest",
    "the remaining",
    "below is",
    "apolog",
    "sorry for",
    "got it",
    "no problem",
    "as requested",
    "this is the",
    "json:",
    "output:",
];

/// How a line begins that declines. In lower case.
const REFUSALS: [&str; 12] = [
    "i'm sorry",
    "i’m sorry",
    "i am sorry",
    "sorry",
    "i can't",
    "i can’t",
    "i cannot",
    "i'm unable",
    "i am unable",
    "unfortunately",
    "i won't",
    "i apologize",
];

/// The longest line that is taken for an introduction, in bytes: some forty words.
const LONGEST: usize = 240;

/// How many lines are looked at.
const LINES: usize = 8;

/// What is before the text of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Junk {
    /// This, if anything.
    Until(Around),
    /// It is not known yet.
    Unknown,
}

/// What is around the text of a round, before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Around {
    /// What it is, and where each piece of it ends.
    pub(super) pieces: Vec<(SkipKind, usize)>,
    /// There is an ellipsis in it, which may stand for something that was left out, or what may be text.
    pub(super) is_doubtful: bool,
}

impl Around {
    /// Where it ends.
    pub(super) fn end(&self) -> usize {
        self.pieces.last().map_or(0, |(_, end)| *end)
    }

    /// Adds an ellipsis, if one is there; false if that is not known yet.
    fn add_ellipsis(&mut self, rest: &[u8], is_end: bool, fits: &Fits<'_>) -> bool {
        match ellipsis(rest, is_end, fits) {
            Line::Is(length) => {
                self.add(SkipKind::Prose, self.end() + length);
                self.is_doubtful = true;
                true
            }
            Line::MayBe => false,
            Line::No => !rest.is_empty() || is_end || fits.in_text,
        }
    }

    fn add(&mut self, kind: SkipKind, until: usize) {
        match self.pieces.last_mut() {
            Some((_, end)) if *end == until => {}
            Some((SkipKind::Prose, end)) if kind == SkipKind::Prose => *end = until,
            _ => self.pieces.push((kind, until)),
        }
    }
}

/// Looks at a line.
pub(super) type Look<'a> = &'a dyn Fn(&[u8]) -> bool;

/// How a round may go on as it is.
pub(super) struct Fits<'a> {
    /// Whether this goes on with the text before it, as JSON. None where that need not be JSON as it is in the
    /// standard.
    pub(super) as_json: Option<Look<'a>>,
    /// Whether the cut is in a string or a key.
    pub(super) in_text: bool,
    /// Whether the round is over: reasoning, however long, that has not ended by then never will.
    pub(super) is_over: bool,
}

/// An ellipsis that is one sign.
const ELLIPSIS: &[u8] = "…".as_bytes();

/// What is before the text of a round. With `is_end` nothing more comes.
pub(super) fn junk(round: &[u8], is_end: bool, fits: &Fits<'_>) -> Junk {
    // In a string it may be text.
    if BOM.starts_with(round) && !is_end && !fits.in_text {
        return Junk::Unknown;
    }
    let mut around = Around::default();
    if round.starts_with(BOM) && !fits.in_text {
        around.add(SkipKind::Bom, BOM.len());
    }
    // An introduction, or two: `Sure!`, `Here is the rest:`
    for _ in 0..LINES {
        let at = around.end() + blanks(round, around.end());
        let rest = round.get(at..).unwrap_or_default();
        let found = match fence(rest, is_end) {
            Line::Is(length) => {
                around.add(SkipKind::Prose, at);
                around.add(SkipKind::Fence, at + length);
                let rest = rest.get(length..).unwrap_or_default();
                return if around.add_ellipsis(rest, is_end, fits) { Junk::Until(around) } else { Junk::Unknown };
            }
            Line::MayBe => return Junk::Unknown,
            Line::No => match thought(rest) {
                Thought::Until(opened, closes, ends) => {
                    around.add(SkipKind::Prose, at);
                    around.add(SkipKind::Tag, at + opened);
                    around.add(SkipKind::Reasoning, at + closes);
                    around.add(SkipKind::Tag, at + ends);
                    Line::Is(ends)
                }
                Thought::MayBe | Thought::Open if !fits.is_over => Line::MayBe,
                // In a string it may be text.
                Thought::Open if !fits.in_text => {
                    around.add(SkipKind::Prose, at);
                    around.add(SkipKind::Reasoning, round.len());
                    Line::Is(rest.len())
                }
                _ => introduction(rest, is_end),
            },
        };
        let found = found.or_else(|| {
            let found = ellipsis(rest, is_end, fits);
            around.is_doubtful |= matches!(found, Line::Is(_));
            found
        });
        let found = found.or_else(|| {
            let found = words(rest, is_end, fits);
            // In a string they may be text with a line break.
            around.is_doubtful |= fits.in_text && matches!(found, Line::Is(_));
            found
        });
        match found {
            Line::Is(length) => around.add(SkipKind::Prose, at + length),
            Line::MayBe => return Junk::Unknown,
            Line::No => return Junk::Until(around),
        }
        // Empty lines behind it are part of it, the blanks that the text begins with are not.
        let (at, blanks) = (around.end(), blanks(round, around.end()));
        if at + blanks == round.len() && !is_end {
            return Junk::Unknown;
        }
        let lines = round.get(at..at + blanks).and_then(|blanks| memchr::memrchr(b'\n', blanks));
        around.add(SkipKind::Prose, at + lines.map_or(0, |line| line + 1));
    }
    Junk::Until(around)
}

/// Whether a round declines to go on, or may begin to. With `is_end` nothing more comes.
pub(super) fn is_refusal(round: &[u8], is_end: bool) -> bool {
    let text = lower(round.trim_ascii_start());
    REFUSALS.iter().any(|refusal| text.starts_with(refusal) || (!is_end && refusal.starts_with(&text)))
}

/// Whether what a round begins with, where it goes on in a string, may be none of its text: words that introduce the
/// rest in the same line, an ellipsis, a byte order mark, the end of reasoning.
pub(super) fn may_be_aside(text: &[u8]) -> bool {
    let words = lower(bare(text));
    let is_mark = |byte: &u8| byte.is_ascii_whitespace() || b"[(*_".contains(byte);
    let start = text.iter().take_while(|byte| is_mark(byte)).count();
    let unmarked = text.get(start..).unwrap_or_default();
    let string = text.split(|byte| *byte == b'"').next().unwrap_or_default();
    INTRODUCTIONS.iter().any(|line| words.starts_with(line))
        || unmarked.starts_with(b"...")
        || unmarked.starts_with(ELLIPSIS)
        || text.starts_with(BOM)
        || ends_thought(string)
}

/// Whether a string that a round goes on in may end with a quote of another kind there: it is the first of all, and has
/// structure behind it.
pub(super) fn may_end_otherwise(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let Some((_, behind)) = text.split_once(['"', '\'', '’', '”']).filter(|(string, _)| {
        let quote = text.get(string.len()..).and_then(|rest| rest.chars().next());
        quote != Some('"')
    }) else {
        return false;
    };
    let behind = behind.trim_start();
    match behind.chars().next() {
        Some(':' | '}' | ']') => true,
        Some(',') => behind.get(1..).unwrap_or_default().trim_start().starts_with(['\'', '"', '‘', '“', '{', '[']),
        _ => false,
    }
}

/// Whether there are signs of structure.
pub(super) fn has_structure(text: &[u8]) -> bool {
    text.iter().any(|byte| b"{}[]\"".contains(byte))
}

enum Line {
    Is(usize),
    MayBe,
    No,
}

impl Line {
    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::No => other(),
            line => line,
        }
    }
}

/// The opening mark of a fence and its line.
fn fence(rest: &[u8], is_end: bool) -> Line {
    let mark = match rest.first() {
        Some(mark @ (b'`' | b'~')) => *mark,
        _ => return Line::No,
    };
    let marks = rest.iter().take_while(|byte| **byte == mark).count();
    if marks < 3 {
        return if marks == rest.len() && !is_end { Line::MayBe } else { Line::No };
    }
    let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let info = rest.get(marks..line).unwrap_or_default();
    let is_info =
        info.len() < 40 && info.iter().all(|byte| byte.is_ascii_alphanumeric() || b" \t\r-_+.=\"".contains(byte));
    // A quote alone is one that closes a string.
    let is_info = is_info && memchr::memchr_iter(b'"', info).count().is_multiple_of(2);
    match (is_info, line < rest.len()) {
        (true, true) => Line::Is(line + 1),
        (true, false) if !is_end => Line::MayBe,
        _ => Line::No,
    }
}

/// Dots that say that the text goes on.
fn ellipsis(rest: &[u8], is_end: bool, fits: &Fits<'_>) -> Line {
    let dots = rest.iter().take_while(|byte| **byte == b'.').count();
    let may_be = dots == rest.len() || ELLIPSIS.starts_with(rest);
    match dots {
        // In a string they may be text.
        _ if fits.in_text || rest.is_empty() => Line::No,
        _ if rest.starts_with(ELLIPSIS) => Line::Is(ELLIPSIS.len()),
        _ if may_be && !is_end => Line::MayBe,
        3.. => Line::Is(dots),
        _ => Line::No,
    }
}

/// A line that introduces the rest.
fn introduction(rest: &[u8], is_end: bool) -> Line {
    let text = lower(bare(rest));
    if text.is_empty() {
        return if is_end { Line::No } else { Line::MayBe };
    }
    if !INTRODUCTIONS.iter().any(|line| text.starts_with(line)) {
        let may_be = INTRODUCTIONS.iter().any(|line| line.starts_with(&text));
        return if may_be && !is_end { Line::MayBe } else { Line::No };
    }
    match memchr::memchr(b'\n', rest) {
        // Structure in the line, and it is more than words, unless something is said to follow.
        Some(end) if end <= LONGEST => {
            let line = rest.get(..end).unwrap_or_default();
            if line.trim_ascii_end().ends_with(b":") || !has_structure(bare(line)) {
                Line::Is(end + 1)
            } else {
                Line::No
            }
        }
        None if rest.len() <= LONGEST && !is_end => Line::MayBe,
        _ => Line::No,
    }
}

/// A line of words that does not go on with the text before it: a line break stands in no string, words stand nowhere
/// else.
fn words(rest: &[u8], is_end: bool, fits: &Fits<'_>) -> Line {
    let Some(as_json) = fits.as_json else { return Line::No };
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let line = rest.get(..end).unwrap_or_default();
    if end > LONGEST || has_structure(line) || !(has_words(line) || is_rule(line.trim_ascii())) {
        return Line::No;
    }
    match rest.get(..=end) {
        Some(whole) if as_json(whole) => Line::No,
        Some(whole) => Line::Is(whole.len()),
        None if !is_end && (fits.in_text || !as_json(line)) => Line::MayBe,
        None => Line::No,
    }
}

fn has_words(line: &[u8]) -> bool {
    line.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
}

/// Whether it is a line of dashes, dots or the like.
fn is_rule(line: &[u8]) -> bool {
    line.len() > 2 && line.first().is_some_and(|mark| b"-=*_.".contains(mark) && line.iter().all(|byte| byte == mark))
}

/// A line without the marks around its words: `[continued]`, `**Continued:**`.
fn bare(line: &[u8]) -> &[u8] {
    let is_mark = |byte: &u8| byte.is_ascii_punctuation() && !b"{\"'".contains(byte) || *byte == b' ';
    let start = line.iter().take_while(|byte| is_mark(byte)).count();
    let line = line.get(start..).unwrap_or_default();
    let end = line.iter().rev().take_while(|byte| is_mark(byte) || **byte == b'\r').count();
    line.get(..line.len() - end).unwrap_or_default()
}

/// The first characters in lower case.
fn lower(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.get(..bytes.len().min(24)).unwrap_or_default())
        .trim_end_matches('\u{fffd}')
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a round is known to begin with, from the first byte on at which it is known; the same at every one after
    /// it.
    fn known(round: &str) -> usize {
        known_behind(round, &Fits { as_json: None, in_text: true, is_over: false })
    }

    fn known_behind(round: &str, fits: &Fits<'_>) -> usize {
        let all = junk(round.as_bytes(), true, &Fits { is_over: true, ..*fits });
        for end in 0..=round.len() {
            let so_far = junk(&round.as_bytes()[..end], false, fits);
            assert!(so_far == Junk::Unknown || so_far == all, "{:?}: {so_far:?}, not {all:?}", &round[..end]);
        }
        match all {
            Junk::Until(around) => around.end(),
            Junk::Unknown => panic!("the round is over"),
        }
    }

    #[test]
    fn introductions_and_fences_are_left_out() {
        for before in [
            "Here is the rest:\n",
            "HERE'S the continuation of the JSON:\n\n",
            "Here’s the rest:\n",
            "Sure!\nContinuing from where I left off:\n",
            "  \nCertainly, here it is.\n",
            "```json\n",
            "````\n",
            "~~~ json\n",
            "Sure! Here you go:\n\n```json\n",
            "json:\n```\n",
            "<think>Where was I? {\"a\": 1}</think>",
            "<think>\nWhere was I?\n\n</think>\n\n```json\n",
            "[THINK]So.[/THINK]\nHere is the rest:\n",
            "<|START_THINKING|>So.<|END_THINKING|>",
        ] {
            assert_eq!(known(&format!("{before}\"a\": 1}}")), before.len(), "{before:?}");
        }
        // The blanks behind an introduction may be those of a string.
        assert_eq!(known("Here is the rest:\n  and so on\""), 18);
    }

    #[test]
    fn a_line_that_cannot_be_text_is_left_out() {
        // As in a string: a line break ends it.
        let in_string = |line: &[u8]| !line.contains(&b'\n');
        let fits = Fits { as_json: Some(&in_string), in_text: true, is_over: false };
        for before in ["Voici la suite :\n\n", "**Continued:**\n---\n```json\n", "[continued]\n", "(more)\n"] {
            assert_eq!(known_behind(&format!("{before}ne\"}}"), &fits), before.len(), "{before:?}");
        }
        for round in ["ne, and a long way off, said \"so\"", "ne [1] is\n", "12\n", "--\n", "-=-\n"] {
            assert_eq!(known_behind(round, &fits), 0, "{round:?}");
        }
    }

    #[test]
    fn an_ellipsis_is_left_out_but_of_a_string() {
        for (round, wanted) in
            [("...2]", 3), ("…2]", 3), ("... 2]", 3), ("...\n2]", 4), ("......2]", 6), ("……2]", 6), ("```\n…2]", 7)]
        {
            let fits = |in_text| Fits { as_json: None, in_text, is_over: false };
            assert_eq!(known_behind(round, &fits(false)), wanted, "{round:?}");
            assert_eq!(known_behind(round, &fits(true)), if wanted == 7 { 4 } else { 0 }, "{round:?}");
        }
        for round in [".5]", "..5]", ".", "..", "2...]"] {
            let fits = Fits { as_json: None, in_text: false, is_over: false };
            assert_eq!(known_behind(round, &fits), 0, "{round:?}");
        }
    }

    #[test]
    fn text_is_not_left_out() {
        for round in [
            "\"a\": 1}",
            "ne\"}",
            "  \n {\"a\": 1}",
            "hereby",
            "herself is",
            "`code`\n",
            "``\n",
            "```not a fence \"}\n",
            "```\"\n},null]}",
            "Sure, \"he said\n",
            "Here is [a link]\n",
            "of cotton\n",
            "<thin>\n",
            "<think> that never ends",
        ] {
            assert_eq!(known(round), 0, "{round:?}");
        }
        let long = format!("Here is {}\n", "a very long line ".repeat(20));
        assert_eq!(known(&long), 0, "too long for an introduction");
    }

    #[test]
    fn refusals_are_seen_as_they_come() {
        for round in ["I'm sorry, but I can't.", "  I cannot continue", "SORRY", "Unfortunately, no.", "I apologize"] {
            assert!(is_refusal(round.as_bytes(), true), "{round:?}");
            assert!((0..round.len()).all(|end| is_refusal(&round.as_bytes()[..end], false)), "{round:?}");
        }
        for round in ["I can do that", "\"a\": 1", "12", "}", "Sor"] {
            assert!(!is_refusal(round.as_bytes(), true), "{round:?}");
        }
        assert!(is_refusal(b"Sor", false));
    }
}
