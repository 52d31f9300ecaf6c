//! Which of the readings of a round is the best.
//!
//! In this order: a long repeat is one ([`lanes`](super::lanes)), be it that the round ends in it; a round that begins
//! as the root does and then says something else is another document, or the path to new members
//! ([`path`](super::path)); a short repeat is one if the round cannot go on as it is ([`plain`]); a container that
//! cannot stand at the cut holds new members; anything else is the rest. Behind a whole value the rest may begin without
//! its comma.

use std::ops::ControlFlow;

use crate::document::NodeKind;
use crate::frozen::CutState;

use super::SeamKind;
use super::before::{Before, Open};
use super::decision::Decision;
use super::head::HELD;
use super::junk::{has_structure, may_be_aside, may_end_otherwise};
use super::lanes::{Lane, Match};
use super::path::{Path, Repeats, Said, Target};
use super::plain::{Plain, plain};
use super::surplus::{Closer, Inside, closer};
use super::units::{Lexer, behind_comma, blanks, end_of_container, kind_at};
use super::usual::is_usual;

/// A repeat with fewer tokens is a coincidence if the round can go on as it is.
const TOKENS: usize = 8;

/// So many bytes of a string that are said again are no coincidence.
const CHARACTERS: usize = 24;

/// What begins with so many tokens of the root is no coincidence, whatever follows.
const ROOT_TOKENS: usize = 3;

/// What there is of a round, when nothing in it may go on repeating, or nothing more comes.
pub(super) struct Reading<'a> {
    pub(super) before: &'a Before,
    pub(super) round: &'a [u8],
    /// Where its text begins.
    pub(super) start: usize,
    pub(super) lanes: &'a [Lane],
    /// Nothing more comes.
    pub(super) is_end: bool,
}

impl Reading<'_> {
    /// How the round goes on. None if that is not known yet.
    pub(super) fn decide(&self, repeats: &mut Repeats) -> Option<Decision> {
        let best = self.lanes.iter().filter_map(|lane| lane.best).max_by_key(|found| found.tokens);
        if let Some(decision) = self.cut_again(best) {
            return Some(decision);
        }
        if let Some(found) = best.filter(|found| found.tokens >= TOKENS) {
            return self.long_repeat(found);
        }
        let root_tokens = self.lanes.iter().map(|lane| lane.root_tokens).max().unwrap_or(0);
        let is_root = root_tokens >= ROOT_TOKENS && best.is_none_or(|best| best.tokens < root_tokens);
        let mut path = Path { before: self.before, round: self.round, repeats, is_repeating: false };
        let said = path.said(self.content(), is_root);
        if matches!(said, Said::Unknown) && !self.is_end {
            return None;
        }
        if is_root { self.like_the_root(root_tokens, best, said) } else { self.by_what_fits(best, said) }
    }

    /// A repeat that the round ends in, before it comes to the cut.
    fn cut_again(&self, best: Option<Match>) -> Option<Decision> {
        let (known, is_start) = best.map_or((0, false), |best| (best.tokens, self.is_start(best.start)));
        let alive = self.lanes.iter().flat_map(Lane::alive);
        let (start, tokens) = alive
            .filter(|(start, tokens)| *tokens >= TOKENS.max(known + 1) && (self.is_start(*start) || !is_start))
            .max_by_key(|(start, tokens)| (*tokens, self.is_start(*start), usize::MAX - start))?;
        let is_certain = tokens >= 2 * TOKENS && self.plain(self.start) == Plain::No;
        Some(Decision::new(repeat_of(start), self.round.len(), is_certain))
    }

    /// A repeat that is no coincidence.
    fn long_repeat(&self, found: Match) -> Option<Decision> {
        if found.end > self.round.len() {
            // Half an escape is still to come.
            return self.is_end.then(|| Decision::new(repeat_of(found.start), self.round.len(), true));
        }
        let is_certain = !self.has_rival(found) && !self.is_usual(found);
        self.behind(found, repeat_of(found.start), is_certain)
    }

    /// Whether what is taken for a repeat may as well be what comes next in data that repeats itself, or a repeat of less.
    fn is_usual(&self, found: Match) -> bool {
        let fits = self.plain(self.start) != Plain::No;
        if found.shorter.is_some_and(|shorter| shorter >= TOKENS) {
            // It is said over and over. The whole document is not.
            return fits || found.start > 0;
        }
        if !fits && found.shorter.is_none() {
            return false;
        }
        let before = self.before;
        if before.is_in_text() && found.start >= before.token {
            return is_usual(&before.text, 0, found.start);
        }
        // An array may go on as it did before. An object does not have its keys twice.
        let around = before.open.iter().rev().find(|open| open.start < found.start);
        let array = around.filter(|around| around.kind == NodeKind::Array);
        array.is_some_and(|array| is_usual(&before.text, array.start, found.start))
    }

    /// It begins as the root does, and then says something else.
    fn like_the_root(&self, root_tokens: usize, best: Option<Match>, said: Said) -> Option<Decision> {
        let plain = self.plain(self.start);
        if plain == Plain::SoFar && !self.is_settled() {
            return None;
        }
        // An open container again, and then all that follows fits.
        if let Some(found) = best.filter(|found| plain == Plain::No && !self.is_weak(*found, said))
            && self.fits_behind(found)?
        {
            return self.behind(found, SeamKind::Repeat, false);
        }
        // The path from the root is more likely than such a path in a value.
        if said.is_new() && (plain == Plain::No || (plain == Plain::SoFar && said.is_path())) {
            return self.new_members(said, plain);
        }
        Some(match plain {
            // The keys of a text that is escaped are not read as what they mean.
            Plain::No => {
                let is_certain = root_tokens >= TOKENS && self.before.layer.is_none();
                Decision::new(SeamKind::Diverged, self.start, is_certain)
            }
            Plain::SoFar | Plain::Yes => self.rest(plain, false),
        })
    }

    /// Without a repeat that is long enough, it counts how the round can go on.
    fn by_what_fits(&self, best: Option<Match>, said: Said) -> Option<Decision> {
        let plain = self.plain(self.start);
        let in_text = self.before.is_in_text();
        let strong = best.filter(|found| !self.is_weak(*found, said));
        // A container that is there again brings its own closer: a round that closes the root as it is has none for it,
        // but for a surplus one where all of the root is there again.
        let is_whole = best.is_some_and(|found| found.start == 0);
        let is_element = matches!(said, Said::Members(target) if target.depth == 1) && self.is_next_element();
        let is_new = said.is_new() && (plain != Plain::Yes || is_whole) && !is_element;
        if let Said::Repeat { found: again, .. } = said
            && is_new
            && strong.is_none_or(|found| found.tokens < again.tokens)
        {
            if plain == Plain::SoFar && !self.is_settled() {
                return None;
            }
            return self.new_members(said, plain);
        }
        if let Some(found) = strong
            && let ControlFlow::Break(decision) = self.short_repeat(found, plain)
        {
            return decision;
        }
        // What is behind a container shows whether a comma is missing before it.
        if is_new && plain == Plain::SoFar && !self.is_settled() && self.lacks_comma(self.start) {
            return None;
        }
        let is_likely = is_new && ((plain == Plain::No && !self.may_be_due(said)) || self.is_likely(said));
        if is_new && (is_likely || in_text) && plain == Plain::SoFar && !self.is_settled() {
            return None;
        }
        if is_likely {
            return self.new_members(said, plain);
        }
        if let Some(decision) = self.behind_blanks(plain) {
            return Some(decision);
        }
        if plain == Plain::No && !in_text && !has_structure(self.round) {
            // Words where none can stand.
            return self.is_end.then(|| Decision::nothing(SeamKind::Refused, self.round.len(), true));
        }
        // What has no structure may be words to the reader.
        let has_none = || self.is_end && self.round.len() < HELD && !has_structure(self.round);
        let text = self.round.get(self.start..).unwrap_or_default();
        let is_doubtful = in_text && (may_be_aside(text) || may_end_otherwise(text) || has_none());
        let is_certain = plain != Plain::No && self.is_alone(best, said) && !self.may_be_longer() && !is_doubtful;
        Some(self.rest(plain, is_certain))
    }

    /// The round goes on with the very next character, or behind a comma that is missing.
    fn rest(&self, plain: Plain, is_certain: bool) -> Decision {
        if (plain != Plain::No || self.is_next_element()) && self.lacks_comma(self.start) {
            // That it closes the root as well is no chance.
            return Decision::rest_behind_comma(self.start, is_certain && plain == Plain::Yes);
        }
        Decision::rest(self.start, is_certain)
    }

    /// The rest of a number or a keyword, where blanks are before it: nothing else can follow there.
    fn behind_blanks(&self, plain: Plain) -> Option<Decision> {
        let is_token = matches!(self.before.state, CutState::InNumber | CutState::InKeyword);
        let content = self.content();
        let goes_on = || self.plain(content) != Plain::No;
        let is_rest = is_token && plain == Plain::No && content > self.start && goes_on();
        is_rest.then(|| Decision::rest_behind(content, false))
    }

    /// Whether there is no other reading than that of the exact rest.
    fn is_alone(&self, best: Option<Match>, said: Said) -> bool {
        // A character or two are said again by chance, but for a digit with its comma: that may be an element.
        let is_digit = |found: Match| found.tokens > 1 && self.before.text.ends_with(b",");
        let is_chance = best.is_none_or(|found| self.before.text.len() - found.start < 3 && !is_digit(found));
        let is_short = self.round.len() - self.content() < 3;
        let is_cut = !is_short && self.lanes.iter().any(Lane::is_alive);
        is_chance && !is_cut && (!said.is_new() || self.is_element(self.content()))
    }

    /// Whether an element begins there as there are others, where one is due.
    fn is_element(&self, start: usize) -> bool {
        let Some(innermost) = self.before.open.last() else { return false };
        let is_due = (self.before.is_behind_comma && self.before.member.is_none()) || self.lacks_comma(start);
        let is_due = innermost.kind == NodeKind::Array && is_due;
        is_due && innermost.children.is_some() && innermost.children == kind_at(self.round, start)
    }

    /// Whether the round begins with the next element, and the comma before it is missing.
    fn is_next_element(&self) -> bool {
        let content = self.content();
        let inside = kind_at(self.round, content + 1 + blanks(self.round, content + 1));
        // An array of arrays is one around new elements.
        self.lacks_comma(self.start) && self.is_element(content) && inside != kind_at(self.round, content)
    }

    /// Whether the number at the cut may go on.
    fn may_be_longer(&self) -> bool {
        let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        // Behind blanks they may be those of another.
        let next = self.round.get(self.content());
        self.before.state == CutState::InNumber
            && (next.is_none() || (is_digit(next) && is_digit(self.before.text.last())))
    }

    /// A repeat of a few tokens, if it is no coincidence.
    fn short_repeat(&self, found: Match, plain: Plain) -> ControlFlow<Option<Decision>> {
        if found.end > self.round.len() {
            return if self.is_end { ControlFlow::Continue(()) } else { ControlFlow::Break(None) };
        }
        let kind = repeat_of(found.start);
        // With more again than a quote, or than the last digits, it is not a comma that is missing.
        // (A quote has a byte before it where the document is escaped.)
        let least = usize::from(self.before.layer.is_some());
        let is_token =
            found.tokens > least && (self.before.state != CutState::InNumber || found.start <= self.before.token);
        let plain = if is_token && self.lacks_comma(self.start) { Plain::No } else { plain };
        if self.before.state == CutState::InNumber && found.start == self.before.token {
            // The number again, or more of it.
            let next = self.round.get(found.end);
            let is_longer = next.is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'.');
            let is_short = self.before.text.len() - self.before.token < 2;
            if plain != Plain::No && (is_short || is_longer) {
                return ControlFlow::Continue(());
            }
            let is_known = self.is_end || next.is_some();
            return ControlFlow::Break(is_known.then(|| Decision::new(kind, found.end, false)));
        }
        match plain {
            Plain::No => {
                let is_whole = found.tokens > 3 && self.is_start(found.start);
                ControlFlow::Break(self.behind(found, kind, is_whole && !self.has_rival(found)))
            }
            // Half an escape that is there again, or many characters, are no coincidence either.
            Plain::SoFar | Plain::Yes if self.is_said_again(found) => {
                ControlFlow::Break(self.behind(found, kind, false))
            }
            Plain::SoFar if !self.is_settled() => ControlFlow::Break(None),
            // It closes the root, and the round as it is does not.
            Plain::SoFar if self.is_end && self.plain(found.end) == Plain::Yes => {
                ControlFlow::Break(self.behind(found, kind, false))
            }
            Plain::SoFar | Plain::Yes => ControlFlow::Continue(()),
        }
    }

    /// Whether the text of a string is said again, by more than chance.
    fn is_said_again(&self, found: Match) -> bool {
        let before = self.before;
        let is_half = found.start == before.half && before.half_unit().len() > 1;
        found.lexer.is_in_string() && (is_half || before.text.len() - found.start >= CHARACTERS)
    }

    /// The members of a new container go on with what is open there.
    fn new_members(&self, said: Said, plain: Plain) -> Option<Decision> {
        let (decision, inside) = match said {
            Said::Repeat { found, from, .. } => {
                // Where all keys are the same, a value says by chance what is on the path.
                let is_certain = found.tokens >= TOKENS && plain == Plain::No;
                let open = self.before.open.len() - from;
                let inside = Inside { at: found.end, lexer: found.lexer, open, level: from };
                (self.behind(found, SeamKind::NewMembers, is_certain)?, inside)
            }
            Said::Members(target) => {
                // An element is in no container of the round.
                let open = if target.members == self.content() { 0 } else { target.depth };
                let level = target.level + 1 - target.depth;
                let inside = Inside { at: target.members, lexer: Lexer::default(), open, level };
                (Decision::members(self.before, target.level, target.members), inside)
            }
            Said::Contradiction | Said::Other | Said::Unknown => return None,
        };
        match closer(self.before, self.round, inside, self.is_end) {
            Closer::Own => Some(decision),
            Closer::Surplus(at) => Some(Decision { surplus: Some(at), is_certain: false, ..decision }),
            Closer::Unknown => None,
        }
    }

    fn behind(&self, found: Match, kind: SeamKind, is_certain: bool) -> Option<Decision> {
        Decision::behind(self.before, self.round, found, kind, is_certain, self.is_end)
    }

    /// Where the first byte is that is no blank.
    fn content(&self) -> usize {
        self.start + blanks(self.round, self.start)
    }

    /// Whether no more is waited for.
    fn is_settled(&self) -> bool {
        self.is_end || self.round.len() - self.start >= HELD
    }

    fn plain(&self, start: usize) -> Plain {
        let round = self.round.get(start..).unwrap_or_default();
        match plain(self.before, round.get(..HELD).unwrap_or(round)) {
            // As many models begin a container around new members as forget a comma.
            Plain::SoFar if self.is_settled() && self.may_be_around(start) => Plain::No,
            plain => plain,
        }
    }

    /// Whether a comma is missing before a container there, and none follows it: it may be around new members.
    fn may_be_around(&self, start: usize) -> bool {
        let content = start + blanks(self.round, start);
        self.lacks_comma(start) && kind_at(self.round, content).is_some() && !self.has_comma_behind(content)
    }

    /// Whether a comma is missing before what follows there.
    fn lacks_comma(&self, start: usize) -> bool {
        self.before.lacks_comma(self.round.get(start..).unwrap_or_default())
    }

    /// Whether a comma is behind the container that begins there.
    fn has_comma_behind(&self, start: usize) -> bool {
        let held = self.round.get(..start + HELD).unwrap_or(self.round);
        end_of_container(held, start).is_some_and(|end| behind_comma(held, end + blanks(held, end)).is_some())
    }

    /// Whether an open container, or the member that is cut, begins there.
    fn is_start(&self, at: usize) -> bool {
        self.before.open.iter().any(|open| open.start == at) || self.before.member == Some(at)
    }

    /// Whether a longer repeat than this one may have been cut.
    fn has_rival(&self, found: Match) -> bool {
        self.lanes.iter().flat_map(Lane::alive).any(|(_, tokens)| tokens > found.tokens)
    }

    /// Whether a repeat of next to nothing is more likely the start of the path from the root.
    fn is_weak(&self, found: Match, said: Said) -> bool {
        let is_elsewhere = |child: &Open| child.start != found.start && child.member != found.start;
        let is_other = match said {
            Said::Members(target) => self.before.open.get(target.level + 1).is_some_and(is_elsewhere),
            _ => false,
        };
        found.tokens < 3 && (said.depth() > 1 || is_other)
    }

    /// Whether what follows a repeat of an open container goes on there, if that is known.
    fn fits_behind(&self, found: Match) -> Option<bool> {
        if !self.is_start(found.start) || found.end > self.round.len() {
            return Some(false);
        }
        match self.plain(found.end) {
            Plain::SoFar if !self.is_settled() => None,
            // What has keys in other quotes does not fit anywhere.
            Plain::No => Some(!self.begins_as_json()),
            Plain::SoFar | Plain::Yes => Some(true),
        }
    }

    /// Whether the first container of the round begins with a key in double quotes, or with another container.
    fn begins_as_json(&self) -> bool {
        let inside = self.content() + 1;
        let first = inside + blanks(self.round, inside);
        self.round.get(first).is_none_or(|first| b"\"{[]}".contains(first))
    }

    /// Whether a container is more likely the value that is due.
    fn may_be_due(&self, said: Said) -> bool {
        let is_known = |target: Target| target.agrees || target.depth > 1;
        self.before.state == CutState::AfterColon && matches!(said, Said::Members(target) if !is_known(target))
    }

    /// Whether a container that could be a value is more likely one around new members.
    fn is_likely(&self, said: Said) -> bool {
        let Said::Members(target) = said else { return true };
        if self.before.state == CutState::AfterColon {
            return false;
        }
        if self.lacks_comma(self.start) {
            return self.may_be_around(self.start);
        }
        let holds_objects = |open: &Open| open.kind == NodeKind::Array && open.children == Some(NodeKind::Object);
        let next = target.members + blanks(self.round, target.members);
        let has_object = kind_at(self.round, next) == Some(NodeKind::Object);
        let is_innermost = target.level + 1 == self.before.open.len();
        said.is_path() || (self.before.open.last().is_some_and(holds_objects) && has_object && is_innermost)
    }
}

/// What a repeat is called that begins there.
fn repeat_of(start: usize) -> SeamKind {
    if start == 0 { SeamKind::Restart } else { SeamKind::Repeat }
}
