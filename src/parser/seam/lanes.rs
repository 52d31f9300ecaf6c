//! Finds out whether a round repeats what there was before it.
//!
//! Each place where a repeat may begin is followed as long as the round says the same. Where one comes to the cut, that
//! is a match; the longest is the best.
//!
//! A round may begin in a string. Then blanks before that are part of the string, or stand before the round as before any
//! other: both are followed.

use std::fmt::Write;

use crate::frozen::CutState;

use super::before::Before;
use super::units::{Lexer, Next, Tokens, Unit, blanks};

/// After so many tokens there are few repeats that the round may still be in,
const SETTLED: usize = 64;

/// and of more than so many not all are followed: the work is linear.
const MANY: usize = 16;

/// What is said again behind blanks in fewer bytes, without a quote, is a coincidence.
const WORD: usize = 3;

/// A repeat that goes as far as the cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Match {
    /// Where it begins in the text before.
    pub(super) start: usize,
    /// Where what follows it begins in the round.
    pub(super) end: usize,
    /// How many tokens it has.
    pub(super) tokens: usize,
    /// What the round is in there.
    pub(super) lexer: Lexer,
    /// The character that the escape is of that is cut, where the round has it in another spelling.
    pub(super) completes: Option<char>,
    /// How many tokens the longest shorter repeat has that goes as far as the cut, if there is one: the text before says
    /// the same over and over.
    pub(super) shorter: Option<usize>,
}

/// A repeat that may be.
#[derive(Clone, Copy)]
struct Follower {
    start: usize,
    at: usize,
    lexer: Lexer,
    /// The last unit of the round was a quote that the text before does not have.
    has_skipped: bool,
}

/// All repeats that may be in a round that is read from a certain place on, in or outside a string.
pub(super) struct Lane {
    lexer: Lexer,
    at: usize,
    tokens: Tokens,
    /// What is before its first unit, if blanks are no part of the string that it begins in.
    lead: Option<Lead>,
    followers: Vec<Follower>,
    pub(super) best: Option<Match>,
    /// The most tokens for which the round said what the root says, if it did not say it up to the cut.
    pub(super) root_tokens: usize,
}

/// The blanks before a round that begins in a string.
#[derive(Clone, Copy)]
struct Lead {
    start: usize,
    has_line_break: bool,
    /// It is known what follows them.
    is_over: bool,
    /// That is a quote.
    has_quote: bool,
}

impl Lane {
    /// The lanes of a round that is read from `start` on: in a string behind blanks, outside of one, and in one; where
    /// the text before has strings in quotes of both kinds, in a string of each.
    pub(super) fn all(before: &Before, start: usize) -> Vec<Self> {
        let (inside, outside): (Vec<_>, Vec<_>) =
            before.anchors().into_iter().partition(|(_, lexer)| lexer.is_in_string());
        let lead = Some(Lead { start, has_line_break: false, is_over: false, has_quote: false });
        let (mut lanes, mut others) = (Vec::new(), vec![Self::new(Lexer::default(), start, outside)]);
        for lexer in [b'"', b'\''].map(Lexer::in_string) {
            let inside: Vec<_> = inside.iter().copied().filter(|(_, other)| other.quote() == lexer.quote()).collect();
            if !inside.is_empty() {
                lanes.push(Self { lead, ..Self::new(lexer, start, Vec::new()) });
                others.push(Self::new(lexer, start, inside));
            }
        }
        lanes.extend(others);
        lanes
    }

    /// A repeat that begins at one place only.
    pub(super) fn one(place: usize, at: usize) -> Self {
        Self::new(Lexer::default(), at, vec![(place, Lexer::default())])
    }

    fn new(lexer: Lexer, at: usize, anchors: Vec<(usize, Lexer)>) -> Self {
        Self {
            lexer,
            at,
            tokens: Tokens::default(),
            lead: None,
            followers: anchors.into_iter().map(|(at, lexer)| Follower::new(at, lexer)).collect(),
            best: None,
            root_tokens: 0,
        }
    }

    /// Whether the round may go on repeating.
    pub(super) fn is_alive(&self) -> bool {
        !self.followers.is_empty()
    }

    /// Where the repeats begin that the round may be in, and how many tokens they have so far.
    pub(super) fn alive(&self) -> impl Iterator<Item = (usize, usize)> {
        self.followers.iter().map(|follower| (follower.start, self.tokens.count))
    }

    /// Reads what there is of the round, and says how much that was.
    pub(super) fn read(&mut self, before: &Before, round: &[u8]) -> usize {
        let begun = self.at;
        self.read_lead(before, round);
        while self.is_alive() {
            let lexer = self.lexer;
            let from = self.at;
            // (In a string, blanks are units like any other, and a long run of them is not looked through for each.)
            let sign = if lexer.is_in_string() { from } else { from + blanks(round, from) };
            let Next::Unit(unit, end) = self.lexer.next(round, self.at) else {
                self.lexer = lexer;
                if !lexer.is_in_string() {
                    self.at = sign;
                }
                break;
            };
            self.at = end;
            self.tokens.add(unit);
            let now = self.lexer;
            let mut best: Option<Match> = None;
            let tokens = self.tokens.count;
            let mut root_fell = false;
            // A key that has just begun, or ended, whose quotes the round leaves out.
            let is_bare = unit.is(':') || (before.state == CutState::InKey && unit.is_word());
            self.followers.retain_mut(|follower| {
                if is_bare && !lexer.is_in_string() && follower.is_before_quote(before) {
                    best = best.or(Some(Match {
                        start: follower.start,
                        end: sign,
                        tokens,
                        lexer,
                        completes: None,
                        shorter: None,
                    }));
                    return false;
                }
                if follower.at == before.half && !before.half_unit().is_empty() {
                    let found = half(before.half_unit(), unit, round.get(from..end).unwrap_or_default());
                    // It goes on with nothing but itself: another spelling would be no repeat.
                    let found = found.filter(|(_, completes)| follower.start < before.half || completes.is_none());
                    best = best.or(found.map(|(length, completes)| Match {
                        start: follower.start,
                        end: from + length,
                        tokens,
                        lexer,
                        completes,
                        shorter: None,
                    }));
                    return false;
                }
                if !follower.step(before, unit) {
                    root_fell |= follower.start == 0;
                    return false;
                }
                if before.is_far(follower.at) {
                    return true;
                }
                let mut old = follower.lexer;
                if old.next(&before.text, follower.at) == Next::End && before.half_unit().is_empty() {
                    best = best.or(Some(Match {
                        start: follower.start,
                        end,
                        tokens,
                        lexer: now,
                        completes: None,
                        shorter: None,
                    }));
                    return false;
                }
                true
            });
            if root_fell {
                self.root_tokens = tokens.saturating_sub(1);
            }
            if tokens > SETTLED && self.followers.len() > MANY {
                // What still says the same is the same over and over: the outermost and the innermost will do.
                let inner = self.followers.len() - MANY / 2;
                self.followers.drain(MANY / 2..inner);
            }
            let shorter = self.best.map(|best| best.tokens);
            let best = best.filter(|best| !self.is_chance(before, best.start));
            self.best = best.map(|best| Match { shorter, ..best }).or(self.best);
        }
        self.at - begun
    }

    /// Reads the blanks before a round that begins in a string. They are known to be none of it where there is a line
    /// break, or a quote behind them.
    fn read_lead(&mut self, before: &Before, round: &[u8]) {
        let Some(lead) = self.lead.as_mut().filter(|lead| !lead.is_over) else { return };
        while let Some(byte) = round.get(self.at).filter(|byte| byte.is_ascii_whitespace()) {
            lead.has_line_break |= matches!(byte, b'\n' | b'\r');
            self.at += 1;
        }
        let Some(next) = round.get(self.at) else { return };
        lead.is_over = true;
        lead.has_quote = matches!(next, b'"' | b'\'');
        if self.at > lead.start && (lead.has_line_break || lead.has_quote) {
            let quote = self.lexer.quote();
            let inside = before.anchors().into_iter().filter(|(_, lexer)| lexer.quote() == quote);
            self.followers = inside.map(|(at, lexer)| Follower::new(at, lexer)).collect();
        }
    }

    /// Whether what begins there is said again behind blanks by chance.
    fn is_chance(&self, before: &Before, start: usize) -> bool {
        self.lead.is_some_and(|lead| !lead.has_quote) && before.text.len() - start < WORD
    }
}

/// Whether a unit of the round, of these bytes, begins with half of one: how many of its bytes are repeated, and the
/// character, where what is missing is to be spelled as it began.
fn half(half: &[u8], unit: Unit, bytes: &[u8]) -> Option<(usize, Option<char>)> {
    let is_escape = half.first() == Some(&b'\\');
    if bytes.starts_with(half) {
        // A character is read again as a whole.
        return Some((if is_escape { half.len() } else { 0 }, None));
    }
    let character = (unit != Unit::QUOTE).then(|| unit.character())?;
    if is_escape {
        return missing(half, character).map(|_| (bytes.len(), Some(character)));
    }
    character.encode_utf8(&mut [0; 4]).as_bytes().starts_with(half).then_some((0, None))
}

/// What is missing of the escape of a character.
pub(super) fn missing(half: &[u8], character: char) -> Option<String> {
    let mut escape = String::new();
    for unit in character.encode_utf16(&mut [0; 2]) {
        // Writing to a string does not fail.
        let _ = write!(escape, "\\u{unit:04x}");
    }
    let begins = escape.as_bytes().get(..half.len()).is_some_and(|start| start.eq_ignore_ascii_case(half));
    if begins { escape.get(half.len()..).map(str::to_owned) } else { None }
}

/// Whether a round says a value again.
pub(super) enum Same {
    /// It does, and what follows begins there.
    Until(usize),
    No,
    /// It is not known yet.
    Unknown,
}

/// Whether the round says at `at` what stands between two places of the text before.
pub(super) fn same(before: &Before, (start, end): (usize, usize), round: &[u8], mut at: usize) -> Same {
    let mut follower = Follower::new(start, Lexer::default());
    let mut lexer = Lexer::default();
    while follower.at < end {
        let Next::Unit(unit, next) = lexer.next(round, at) else { return Same::Unknown };
        at = next;
        if !follower.step(before, unit) {
            return Same::No;
        }
    }
    match round.get(at) {
        None => Same::Unknown,
        // A longer number.
        Some(next) if next.is_ascii_alphanumeric() || b"+-.".contains(next) => Same::No,
        Some(_) => Same::Until(at),
    }
}

impl Follower {
    fn new(start: usize, lexer: Lexer) -> Self {
        Self { start, at: start, lexer, has_skipped: false }
    }

    /// Whether there is nothing but a quote before the cut.
    fn is_before_quote(&self, before: &Before) -> bool {
        let mut lexer = self.lexer;
        match lexer.next(&before.text, self.at) {
            Next::Unit(Unit::QUOTE, at) => {
                lexer.next(&before.text, at) == Next::End && (at == before.text.len() || !lexer.is_in_string())
            }
            _ => false,
        }
    }

    /// Whether the text before says the same.
    fn step(&mut self, before: &Before, unit: Unit) -> bool {
        for _ in 0..2 {
            let here = *self;
            let Next::Unit(next, at) = self.lexer.next(&before.text, self.at) else { return false };
            self.at = at;
            if next == unit {
                self.has_skipped = false;
                return true;
            }
            if unit == Unit::QUOTE {
                // A key without quotes before.
                let is_bare = !here.lexer.is_in_string() && !here.has_skipped;
                *self = Self { has_skipped: true, ..here };
                return is_bare;
            }
            if next != Unit::QUOTE {
                return false;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::before::tests::before;
    use super::*;

    /// The longest repeat of what stands before: what is repeated, and what follows it in the round.
    fn repeat<'a>(text: &'a str, round: &'a str) -> Option<(&'a str, &'a str)> {
        let before = before(text);
        let mut lanes = Lane::all(&before, 0);
        // In two pieces, anywhere: it goes on where it was.
        let middle = round.len() / 2;
        for head in [&round.as_bytes()[..middle], round.as_bytes()] {
            for lane in &mut lanes {
                lane.read(&before, head);
            }
        }
        let best = lanes.iter().filter_map(|lane| lane.best).max_by_key(|best| best.tokens)?;
        Some((&text[best.start..], &round[best.end..]))
    }

    const TEXT: &str = "[{\"id\": 1, \"n\": \"Ann\"}, {\"id\": 2, \"n\": \"Ja";

    #[test]
    fn repeats_come_to_the_cut() {
        assert_eq!(repeat(TEXT, "{\"id\": 2, \"n\": \"Jane\"}]"), Some((&TEXT[24..], "ne\"}]")));
        assert_eq!(repeat(TEXT, "{\n  'id' : 2,\n  'n': \"Jane\"}]"), Some((&TEXT[24..], "ne\"}]")));
        assert_eq!(repeat(TEXT, &format!("{TEXT}ne\"}}]")), Some((TEXT, "ne\"}]")));
        assert_eq!(repeat(TEXT, "Jane\"}]"), Some(("Ja", "ne\"}]")));
        // With its quote or without is the same.
        assert_eq!(repeat(TEXT, "\"Jane\"}]").map(|(_, rest)| rest), Some("ne\"}]"));
        assert_eq!(repeat("{\"a\": 1, \"ke", "key: 2}"), Some(("ke", "y: 2}")));
        assert_eq!(repeat("[\"x\\u00", "\"x\\u00e9\"]").map(|(_, rest)| rest), Some("e9\"]"));
        // Behind blanks that are none of a string.
        assert_eq!(repeat("{\"a\": 1, \"bc\":", "\n\": 2}"), Some(("\":", " 2}")));
        assert_eq!(repeat(TEXT, "\n\nAnn\"}, {\"id\": 2, \"n\": \"Jane").map(|(_, rest)| rest), Some("ne"));
        assert_eq!(repeat("[\"(hello", " hello\"]"), None);
    }

    #[test]
    fn what_stops_before_the_cut_is_none() {
        for round in ["ne\"}]", "{\"id\": 2, \"n\": \"Bob\"}]", "{\"id\": 1, \"n\": \"Ann\"}, 3]", "]", "jane"] {
            assert_eq!(repeat(TEXT, round), None, "{round}");
        }
    }

    #[test]
    fn how_much_of_the_root_is_said() {
        let before = before(TEXT);
        let Ok([_, mut outside, mut lane]) = <[Lane; 3]>::try_from(Lane::all(&before, 0)) else {
            panic!("its strings have one kind of quotes")
        };
        assert!(lane.is_alive());
        outside.read(&before, b"[{\"id\": 1, \"n\": \"Bob\"}]");
        assert!(!outside.is_alive());
        assert_eq!(outside.root_tokens, 8, "up to the name");
        lane.read(&before, b"]");
        assert!(!lane.is_alive());
    }

    #[test]
    fn the_same_value_in_another_spelling() {
        let text = "{\"a\": [1, \"é\"], \"n\": 12, \"x\": ";
        let before = before(text);
        let same = |(start, end), round: &str| match same(&before, (start, end), round.as_bytes(), 0) {
            Same::Until(at) => Ok(round[at..].to_owned()),
            Same::No => Err("no"),
            Same::Unknown => Err("unknown"),
        };
        let array = before.member_named(0, "a").expect("it is finished");
        assert_eq!(same(array, "[ 1,'\\u00e9' ], 3"), Ok(", 3".to_owned()));
        assert_eq!(same(array, "[1, \"e\"], 3"), Err("no"));
        assert_eq!(same(array, "[1, \""), Err("unknown"));
        let number = before.member_named(0, "n").expect("it is finished");
        assert_eq!(same(number, "12}"), Ok("}".to_owned()));
        assert_eq!(same(number, "123"), Err("no"));
        assert_eq!(same(number, "12"), Err("unknown"));
    }
}
