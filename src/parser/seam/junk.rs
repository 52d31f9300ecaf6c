//! What models write before they go on: reasoning, an introduction, the opening mark of a fence.

use super::super::envelope::{Thought, thought};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Junk {
    /// Nothing, or so many bytes.
    Until(usize),
    /// It is not known yet.
    Unknown,
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

/// A byte order mark, with which editors begin a file.
pub(super) const BOM: &[u8] = "\u{feff}".as_bytes();

/// What is before the text of a round. With `is_end` nothing more comes.
pub(super) fn junk(round: &[u8], is_end: bool, fits: &Fits<'_>) -> Junk {
    // In a string it may be text.
    if BOM.starts_with(round) && !is_end && !fits.in_text {
        return Junk::Unknown;
    }
    let mut at = if round.starts_with(BOM) && !fits.in_text { BOM.len() } else { 0 };
    let mut found = at;
    // An introduction, or two: `Sure!`, `Here is the rest:`
    for _ in 0..LINES {
        at += blanks(round, at);
        let rest = round.get(at..).unwrap_or_default();
        match fence(rest, is_end) {
            Line::Is(length) => return Junk::Until(at + length),
            Line::MayBe => return Junk::Unknown,
            Line::No => {}
        }
        match reasoning(rest, fits).or_else(|| introduction(rest, is_end)).or_else(|| words(rest, is_end, fits)) {
            Line::Is(length) => at += length,
            Line::MayBe => return Junk::Unknown,
            Line::No => return Junk::Until(found),
        }
        // Empty lines behind it are part of it, the blanks that the text begins with are not.
        let blanks = blanks(round, at);
        if at + blanks == round.len() && !is_end {
            return Junk::Unknown;
        }
        at += round.get(at..at + blanks).and_then(|blanks| memchr::memrchr(b'\n', blanks)).map_or(0, |line| line + 1);
        found = at;
    }
    Junk::Until(found)
}

/// Whether a round declines to go on, or may begin to. With `is_end` nothing more comes.
pub(super) fn is_refusal(round: &[u8], is_end: bool) -> bool {
    let text = lower(round.trim_ascii_start());
    REFUSALS.iter().any(|refusal| text.starts_with(refusal) || (!is_end && refusal.starts_with(&text)))
}

/// The reasoning in what is before the text of a round, and where it begins: what was left out is looked at again.
pub(super) fn thoughts(around: &[u8]) -> impl Iterator<Item = (usize, Thought)> {
    let mut at = if around.starts_with(BOM) { BOM.len() } else { 0 };
    std::iter::from_fn(move || {
        // At the start of a line, or behind other reasoning.
        loop {
            at += blanks(around, at);
            let rest = around.get(at..).filter(|rest| !rest.is_empty())?;
            match thought(rest) {
                found @ Thought::Until(.., end) => {
                    let begin = at;
                    at += end;
                    return Some((begin, found));
                }
                Thought::Open => {
                    let begin = at;
                    at = around.len();
                    return Some((begin, Thought::Open));
                }
                _ => at += memchr::memchr(b'\n', rest).map_or(rest.len(), |line| line + 1),
            }
        }
    })
}

/// Whether a round begins with words that introduce the rest.
pub(super) fn is_introduction(round: &[u8]) -> bool {
    let text = lower(bare(round));
    INTRODUCTIONS.iter().any(|line| text.starts_with(line))
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

/// Reasoning, with its tags.
fn reasoning(rest: &[u8], fits: &Fits<'_>) -> Line {
    match thought(rest) {
        Thought::Until(.., end) => Line::Is(end),
        Thought::MayBe | Thought::Open if !fits.is_over => Line::MayBe,
        // In a string it may be text.
        Thought::Open if !fits.in_text => Line::Is(rest.len()),
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

/// Whether it is a line of dashes or the like.
fn is_rule(line: &[u8]) -> bool {
    line.len() > 2 && line.first().is_some_and(|mark| b"-=*_".contains(mark) && line.iter().all(|byte| byte == mark))
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
    fn known(round: &str) -> Junk {
        known_behind(round, &Fits { as_json: None, in_text: true, is_over: false })
    }

    fn known_behind(round: &str, fits: &Fits<'_>) -> Junk {
        let all = junk(round.as_bytes(), true, &Fits { is_over: true, ..*fits });
        for end in 0..=round.len() {
            let so_far = junk(&round.as_bytes()[..end], false, fits);
            assert!(so_far == Junk::Unknown || so_far == all, "{:?}: {so_far:?}, not {all:?}", &round[..end]);
        }
        all
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
            assert_eq!(known(&format!("{before}\"a\": 1}}")), Junk::Until(before.len()), "{before:?}");
        }
        // The blanks behind an introduction may be those of a string.
        assert_eq!(known("Here is the rest:\n  and so on\""), Junk::Until(18));
    }

    #[test]
    fn a_line_that_cannot_be_text_is_left_out() {
        // As in a string: a line break ends it.
        let in_string = |line: &[u8]| !line.contains(&b'\n');
        let fits = Fits { as_json: Some(&in_string), in_text: true, is_over: false };
        for before in ["Voici la suite :\n\n", "**Continued:**\n---\n```json\n", "[continued]\n", "(more)\n"] {
            assert_eq!(known_behind(&format!("{before}ne\"}}"), &fits), Junk::Until(before.len()), "{before:?}");
        }
        for round in ["ne, and a long way off, said \"so\"", "ne [1] is\n", "12\n", "--\n", "-=-\n"] {
            assert_eq!(known_behind(round, &fits), Junk::Until(0), "{round:?}");
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
            assert_eq!(known(round), Junk::Until(0), "{round:?}");
        }
        let long = format!("Here is {}\n", "a very long line ".repeat(20));
        assert_eq!(known(&long), Junk::Until(0), "too long for an introduction");
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
