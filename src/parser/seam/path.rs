//! A round that begins with a container of its own: the path from an open container to new members, or new members
//! alone.
//!
//! What the container says is followed along the open path. What it says again must agree with what there is.

use std::collections::BTreeMap;

use crate::document::NodeKind;

use super::before::{Before, Open};
use super::head::HELD;
use super::lanes::{Lane, Match, Same, same};
use super::units::{Lexer, Next, Unit, blanks, kind_at};

/// Where the new members of a round belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    /// The number of the open container, 0 for the root.
    pub(super) level: usize,
    /// Where in the round the members begin.
    pub(super) members: usize,
    /// How many containers the round goes into.
    pub(super) depth: usize,
    /// Whether it says members again that are there.
    pub(super) agrees: bool,
}

/// What a round says that begins with a container.
#[derive(Debug, Clone, Copy)]
pub(super) enum Said {
    /// What is cut, again, as far as the cut, in so many containers of the round, the first of which is the open one with
    /// this number.
    Repeat { found: Match, depth: usize, from: usize },
    /// New members.
    Members(Target),
    /// Another value where one is final.
    Contradiction,
    /// Nothing that fits.
    Other,
    /// It is not known yet.
    Unknown,
}

impl Said {
    /// Whether there is something new in it.
    pub(super) fn is_new(self) -> bool {
        matches!(self, Self::Repeat { .. } | Self::Members(_))
    }

    /// Whether the round goes there from the root, or to what is cut from anywhere.
    pub(super) fn is_path(self) -> bool {
        match self {
            Self::Members(target) => target.depth > 1 && target.depth == target.level + 1,
            said => said.depth() > 1,
        }
    }

    /// How many containers the round goes into.
    pub(super) fn depth(self) -> usize {
        match self {
            Self::Repeat { depth, .. } | Self::Members(Target { depth, .. }) => depth,
            _ => 0,
        }
    }
}

/// The repeats of open members that a round may hold, by where they begin in the round and before.
///
/// Where each level of a document is like the next there is one for each two levels, and each may go on as long as the
/// round does. So they end, and no more begin, when they have read [`MUCH`] times as much as there is.
#[derive(Default)]
pub(super) struct Repeats {
    lanes: BTreeMap<(usize, usize), Lane>,
    /// How many bytes all of them have read.
    read: usize,
}

/// What all repeats may read, in lengths of the text before.
const MUCH: usize = 8;

/// As much is read of every text.
const LITTLE: usize = 16 << 10;

/// A round that is followed along the open path.
pub(super) struct Path<'a> {
    pub(super) before: &'a Before,
    pub(super) round: &'a [u8],
    pub(super) repeats: &'a mut Repeats,
    /// Whether the round may go on with what it repeats.
    pub(super) is_repeating: bool,
}

impl Path<'_> {
    /// What the container says that begins at `start`. With `is_root` it begins as the root does.
    pub(super) fn said(&mut self, start: usize, is_root: bool) -> Said {
        let Some(kind) = kind_at(self.round, start) else { return Said::Other };
        let mut alone = Said::Other;
        let innermost = self.innermost(kind, start);
        for from in 0..self.before.open.len() {
            match self.from(start, from) {
                Said::Unknown if self.round.len() < start + HELD || self.is_repeating => return Said::Unknown,
                Said::Contradiction if is_root && from == 0 => return Said::Contradiction,
                found @ Said::Repeat { .. } => return found,
                found @ Said::Members(target) if target.depth > 1 || target.agrees => return found,
                found @ Said::Members(_) if Some(from) == innermost => alone = found,
                Said::Contradiction if self.is_other_element(start, from) => {
                    alone = Said::Members(Target { level: from - 1, members: start, depth: 1, agrees: false });
                }
                _ => {}
            }
        }
        alone
    }

    /// The number of the innermost container of this kind that may hold what the round's first one does.
    fn innermost(&self, kind: NodeKind, start: usize) -> Option<usize> {
        let inside = start + 1 + blanks(self.round, start + 1);
        let element = kind_at(self.round, inside);
        let is_open = |open: &Open| open.kind == kind;
        let fits = |level: usize| match self.before.element_kind(level) {
            Some(known) if known.is_container() => element == Some(known),
            Some(_) => element.is_none(),
            None => true,
        };
        let open = || self.before.open.iter().enumerate().filter(|(_, open)| is_open(open)).map(|(level, _)| level);
        match kind {
            NodeKind::Array => open().rfind(|level| fits(*level)).or_else(|| open().next_back()),
            _ => open().next_back(),
        }
    }

    /// Whether the round begins with an object like the element with this number, with another value for its first key.
    fn is_other_element(&self, start: usize, number: usize) -> bool {
        let is_element = self.before.open.get(number).is_some_and(|open| open.key.is_none()) && number > 0;
        let first = start + 1 + blanks(self.round, start + 1);
        is_element && key(self.round, first).is_some_and(|(key, _)| self.before.first_key(number) == Some(&*key))
    }

    /// What it says if it is the open container with this number.
    fn from(&mut self, start: usize, from: usize) -> Said {
        let (mut at, mut level) = (start, from);
        // An element that is the one that is open, or new.
        let mut new: Option<New> = None;
        let said = loop {
            let Some(open) = self.before.open.get(level) else { break Said::Other };
            match kind_at(self.round, at) {
                None if at >= self.round.len() => return Said::Unknown,
                kind if kind == Some(open.kind) => {}
                _ if level == from => break Said::Other,
                _ => break Said::Contradiction,
            }
            let first = at + 1 + blanks(self.round, at + 1);
            let target = |members| Target { level, members, depth: level - from + 1, agrees: members > first };
            let found = match open.kind {
                NodeKind::Array => self.element(level, at + 1),
                _ => self.member(level, at + 1, &mut new),
            };
            match found {
                Found::Open(value) => at = value,
                Found::MayBeOpen(element) => {
                    if new.is_none_or(|new| new.is_open) {
                        new = Some(New { target: target(element), is_open: false });
                    }
                    at = element;
                }
                Found::Repeat(found) => return Said::Repeat { found, depth: level - from + 1, from },
                // There is nothing in it, or nothing new.
                Found::New(members) if (level > from) == (members == first) && self.is_closer(members) => {
                    break Said::Other;
                }
                Found::New(members) => break Said::Members(target(members)),
                Found::Contradiction => break Said::Contradiction,
                Found::Unknown => return Said::Unknown,
            }
            level += 1;
        };
        match (said, new) {
            (Said::Members(_), Some(New { is_open: true, .. })) | (_, None) => said,
            (_, Some(new)) => Said::Members(new.target),
        }
    }

    /// What the object with this number has at `at`.
    fn member(&mut self, level: usize, at: usize, new: &mut Option<New>) -> Found {
        let mut member = at + blanks(self.round, at);
        loop {
            if member >= self.round.len() {
                return Found::Unknown;
            }
            if self.is_closer(member) {
                return Found::New(member);
            }
            let Some((key, value)) = key(self.round, member) else { return Found::Unknown };
            let other = match self.before.open.get(level + 1) {
                Some(open) if open.key.as_deref() == Some(&*key) => Found::Open(value),
                None if self.before.cut_key() == Some(&*key) => Found::Contradiction,
                _ => Found::New(member),
            };
            let Some(known) = self.before.member_named(level, &key) else {
                return match self.again(level, member) {
                    Again::Cut(found) => Found::Repeat(found),
                    Again::Unknown => Found::Unknown,
                    Again::No => other,
                };
            };
            match same(self.before, known, self.round, value) {
                Same::Until(end) => {
                    if let Some(new) = new {
                        new.is_open = true;
                    }
                    member = end + blanks(self.round, end);
                    if self.round.get(member) == Some(&b',') {
                        member += 1 + blanks(self.round, member + 1);
                    }
                }
                Same::No => return Found::Contradiction,
                Same::Unknown => {
                    self.is_repeating = true;
                    return Found::Unknown;
                }
            }
        }
    }

    /// What the array with this number has at `at`.
    fn element(&mut self, level: usize, at: usize) -> Found {
        let element = at + blanks(self.round, at);
        if element >= self.round.len() {
            return Found::Unknown;
        }
        if let Some(first) = self.before.first_element(level) {
            match same(self.before, first, self.round, element) {
                Same::Until(_) => return Found::Contradiction,
                Same::Unknown => {
                    self.is_repeating = true;
                    return Found::Unknown;
                }
                Same::No => {}
            }
        }
        match self.again(level, element) {
            Again::Cut(found) => return Found::Repeat(found),
            Again::Unknown => return Found::Unknown,
            Again::No => {}
        }
        let inside = element + 1 + blanks(self.round, element + 1);
        match self.before.open.get(level + 1) {
            Some(open) if kind_at(self.round, element) == Some(open.kind) => match open.kind {
                _ if inside >= self.round.len() => Found::Unknown,
                NodeKind::Array if open.children.is_some() && open.children == kind_at(self.round, inside) => {
                    Found::Open(element)
                }
                NodeKind::Array => Found::New(element),
                _ => Found::MayBeOpen(element),
            },
            _ => Found::New(element),
        }
    }

    /// Whether what is cut in the container with this number is said again at `at`.
    fn again(&mut self, level: usize, at: usize) -> Again {
        let open = self.before.open.get(level + 1).map(|open| open.member);
        let Some(cut) = open.or(self.before.member) else { return Again::No };
        if self.repeats.read > MUCH * (self.before.text.len() + LITTLE) {
            return Again::No;
        }
        let lane = self.repeats.lanes.entry((at, cut)).or_insert_with(|| Lane::one(cut, at));
        self.repeats.read += lane.read(self.before, self.round);
        match lane.best {
            Some(found) if found.end <= self.round.len() => Again::Cut(found),
            None if !lane.is_alive() => Again::No,
            _ => {
                self.is_repeating = true;
                Again::Unknown
            }
        }
    }

    fn is_closer(&self, at: usize) -> bool {
        matches!(self.round.get(at), Some(b'}' | b']'))
    }
}

/// An element of the round that is the one that is open, or new.
#[derive(Clone, Copy)]
struct New {
    target: Target,
    /// It says what the open one says.
    is_open: bool,
}

/// What a container of the round holds, as far as it was looked at.
enum Found {
    /// The container that is open in it begins there.
    Open(usize),
    /// An element that may be the one that is open.
    MayBeOpen(usize),
    /// What is cut in it, as far as the cut.
    Repeat(Match),
    /// What is new begins there.
    New(usize),
    Contradiction,
    Unknown,
}

/// Whether something is said again.
enum Again {
    /// As far as the cut.
    Cut(Match),
    No,
    Unknown,
}

/// The key of the member that begins at `at`, and where its value begins.
pub(super) fn key(text: &[u8], mut at: usize) -> Option<(String, usize)> {
    let (mut lexer, mut key) = (Lexer::default(), String::new());
    loop {
        let Next::Unit(unit, next) = lexer.next(text, at) else { return None };
        at = next;
        if unit.is(':') && !lexer.is_in_string() {
            let value = at + blanks(text, at);
            return (value < text.len()).then_some((key, value));
        }
        if unit != Unit::QUOTE {
            key.push(unit.character());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::before::tests::before;
    use super::*;

    fn said(text: &str, round: &str, is_root: bool) -> Said {
        let (before, mut repeats) = (before(text), Repeats::default());
        let mut said = Said::Unknown;
        // Byte by byte, and at the end known.
        for end in 1..=round.len() {
            let round = &round.as_bytes()[..end];
            let mut path = Path { before: &before, round, repeats: &mut repeats, is_repeating: false };
            said = path.said(0, is_root);
            if !matches!(said, Said::Unknown) {
                return said;
            }
        }
        said
    }

    /// In the open container with this number, what follows in the round.
    fn members<'a>(text: &str, round: &'a str) -> Option<(usize, &'a str)> {
        match said(text, round, false) {
            Said::Members(target) => Some((target.level, &round[target.members..])),
            _ => None,
        }
    }

    const NESTED: &str = "{\"sections\": [{\"title\": \"A\", \"elements\": [{\"x\": 1}, {\"x\": 2";

    #[test]
    fn a_path_leads_to_the_open_array() {
        for (round, place) in [
            ("{\"sections\": [{\"title\": \"A\", \"elements\": [{\"x\": 3}]}]}", (3, 4)),
            ("{\"elements\": [{\"x\": 3}]}", (3, 2)),
            // Without its title it is another section.
            ("{\"sections\": [{\"elements\": [{\"x\": 3}]}]}", (1, 2)),
        ] {
            let Said::Members(target) = said(NESTED, round, false) else { panic!("new members in {round}") };
            assert_eq!((target.level, target.depth), place, "{round}");
        }
    }

    #[test]
    fn members_alone_belong_to_the_innermost() {
        assert_eq!(members("{\"a\": 1, ", "{\"b\": 2}"), Some((0, "\"b\": 2}")));
        assert_eq!(members("{\"a\": [1, 2, ", "[3, 4]"), Some((1, "3, 4]")));
        assert_eq!(members("{\"a\": [[1], [2, ", "[3]"), Some((2, "3]")));
        assert_eq!(members("{\"a\": [[1], [2", "[3, 4]"), Some((2, "3, 4]")));
    }

    #[test]
    fn members_that_are_there_must_agree() {
        assert_eq!(members("{\"a\": 1, \"b\": 2, ", "{\"a\": 1, \"d\": 3}"), Some((0, "\"d\": 3}")));
        assert!(matches!(said("{\"a\": 1, \"b\": [2, ", "{\"a\": 3, \"b\": [", true), Said::Contradiction));
        assert!(matches!(said("{\"a\": 1, \"b\": [2, ", "{\"a\": 1, \"b\": {\"c\": 3}}", true), Said::Contradiction));
        assert!(!said("{\"a\": 1, \"b\": [2, ", "{\"a\": 3}", false).is_new());
    }

    #[test]
    fn an_element_is_the_open_one_or_a_new_one() {
        let text = "[{\"id\": 1, \"n\": \"a\"}, {\"id\": 2, \"n\": \"bc";
        let Said::Repeat { found, depth, .. } = said(text, "[{\"id\": 2, \"n\": \"bcd\"}]", false) else {
            panic!("a repeat")
        };
        assert_eq!((found.end, depth), (19, 1));
        assert_eq!(members(text, "[{\"id\": 3, \"n\": \"x\"}]"), Some((0, "{\"id\": 3, \"n\": \"x\"}]")));
        // The first one again: the whole document.
        assert!(!said(text, "[{\"id\": 1, \"n\": \"a\"}, ", false).is_new());
    }

    #[test]
    fn keys_are_read_with_their_escapes() {
        for (text, wanted) in [
            ("\"a\\u00e9\\\"\": 1", Some(("aé\"", 13))),
            ("key : 1", Some(("key", 6))),
            ("'k': [", Some(("k", 5))),
            ("\"a:b\":1", Some(("a:b", 6))),
            ("\"a\": ", None),
            ("\"a\"", None),
        ] {
            assert_eq!(key(text.as_bytes(), 0), wanted.map(|(key, at)| (key.to_owned(), at)), "{text}");
        }
    }

    #[test]
    fn levels_that_are_alike_are_not_read_for_each_other() {
        let levels = "[{\"a\":".repeat(200);
        let (text, round) = (format!("{levels}[{}", "1,".repeat(5000)), format!("{levels}[{}2]", "1,".repeat(4000)));
        let (before, mut repeats) = (before(text.as_str()), Repeats::default());
        // As often as it is looked at while it comes.
        for end in [round.len() / 2, round.len() * 3 / 4, round.len()] {
            let round = &round.as_bytes()[..end];
            Path { before: &before, round, repeats: &mut repeats, is_repeating: false }.said(0, true);
        }
        let most = MUCH * (text.len() + LITTLE) + round.len();
        assert!(repeats.read <= most, "{} bytes of {}", repeats.read, text.len());
    }
}
