//! Where a key ends.
//!
//! **A quote in a key** closes it if a colon follows, or a value; if the key has a colon in it that a value follows,
//! the key's closing quote was missing and it ended there; otherwise the quote is text.

use std::mem;
use std::ops::Range;

use crate::document::Span;

use super::super::machine::{Candidate, Machine, Step, Stop, offset};
use super::super::report::RepairKind;
use super::GAP;
use super::ahead::{BOUND, place};
use super::blanks::Blank;
use super::decide::{Answer, Question};
use super::gap::Gap;
use super::layer::LayerKind;
use super::numbers;
use super::quotes::Quote;
use super::signs::is_keyword;

impl Machine {
    /// Behind a key, at a byte that is no colon.
    #[cold]
    pub(in super::super) fn behind_key(&mut self, text: &str, i: usize, byte: u8) -> Result<usize, Stop> {
        let first = text.get(i..).and_then(|rest| rest.chars().next());
        let is_doubled = self.writer.open_text().is_empty()
            && self.lenient.gap.is_empty()
            && first.is_some_and(char::is_alphanumeric);
        if is_doubled && self.candidate == Candidate::Weak && self.lenient.layer.is_none() {
            // `{""a"": 1}`: the first key shows it.
            self.step = self.key_step();
            let opened = self.token_start;
            self.begin_layer(LayerKind::Doubled, Span::new(opened, self.lenient.key_end));
            self.token_start = opened + 1;
            self.lenient.holes.push_pair(opened, opened);
            // All quotes up to here are the key's opening one.
            self.lenient.dropped.clear();
            return Ok(i);
        }
        if !self.is_tolerant() {
            return self.unexpected(self.offset(i), "`:`").map(|()| i);
        }
        if let Some(next) = self.sign_for_colon(text, i, byte)? {
            return Ok(next);
        }
        match self.blank(text, i, byte) {
            Blank::Skipped(next) => return Ok(next),
            Blank::Held => return Ok(text.len()),
            Blank::No => {}
        }
        if self.lenient.gap.as_str().len() >= GAP {
            return self.key_without_colon(text, i, byte);
        }
        let rest = text.get(i..).unwrap_or_default();
        let next = rest.chars().next().unwrap_or(' ');
        if self.is_directly_behind(self.lenient.key_end, i) && self.lenient.quote.ends_with(next) {
            // `"a"": 1` and `""a": 1`.
            self.repair(RepairKind::DoubledQuote, i, next.len_utf8());
            self.lenient.dropped.push(next);
            self.lenient.key_end = self.offset(i + next.len_utf8());
            return Ok(i + next.len_utf8());
        }
        if is_doubled {
            self.repairs.add(RepairKind::DoubledQuote, self.quote_span(self.lenient.key_end));
            self.lenient.dropped.clear();
            self.step = self.key_step();
            return Ok(i);
        }
        let around = self.around();
        let question = if self.candidate == Candidate::Weak {
            Question::DoubtfulKeyQuote(around)
        } else {
            Question::ClosingKeyQuote(around)
        };
        match self.look(question, text, i) {
            Some(Answer::Text) if self.candidate == Candidate::Weak && matches!(byte, b'{' | b'[') => {
                // In prose as in JSON.
                self.unexpected(self.offset(i), "`:`").map(|()| i)
            }
            None => Ok(text.len()),
            Some(Answer::Structure) => self.key_without_colon(text, i, byte),
            Some(_) => self.quote_in_key().map(|()| i),
        }
    }

    fn key_step(&self) -> Step {
        if self.lenient.quote == Quote::Double { Step::KeyString } else { Step::OtherKey }
    }

    /// The quote in the key does not close it.
    fn quote_in_key(&mut self) -> Result<(), Stop> {
        let quote = self.written_quote();
        if let Some(colon) = self.missing_key_quote(BOUND as usize) {
            let end = self.lenient.holes.end_before(self.quote_span(self.lenient.key_end).start);
            let dropped = mem::take(&mut self.lenient.dropped);
            // What was skipped behind the quotes is not in the gap, and not read again.
            let behind = self.lenient.key_end;
            let gap = mem::take(&mut self.lenient.gap);
            return self.end_key_at(colon, end..behind, &format!("{quote}{dropped}"), gap);
        }
        self.repairs.add(RepairKind::InnerQuote, self.quote_span(self.lenient.key_end));
        self.lenient.dropped.clear();
        let gap = self.take_gap();
        self.push_text(&quote)?;
        self.push_text(&gap)?;
        self.step = self.key_step();
        Ok(())
    }

    /// Where in the key's text the colon is that ended the key, if its closing quote is missing: the first that a value
    /// follows.
    ///
    /// A key of more than `longest` bytes has none.
    pub(super) fn missing_key_quote(&self, longest: usize) -> Option<usize> {
        let is_long = self.writer.open_text().len() > longest;
        if self.lenient.raw_from > 0 || is_long || self.options.is_strict() {
            return None;
        }
        let text = std::str::from_utf8(self.writer.open_text()).ok()?;
        let found = text.match_indices(':').filter(|(at, _)| *at > 0).take(8).find(|(at, _)| {
            let value = text.get(at + 1..).unwrap_or_default().trim_start();
            let word = value.split([',', '}', ']', '\n']).next().unwrap_or_default().trim_end();
            value.is_empty()
                || value.starts_with(['{', '['])
                || (word.len() < value.len() && (is_keyword(word.as_bytes()) || numbers::is_json(word)))
        });
        found.map(|(at, _)| at)
    }

    /// The key, whose text ends at the start of `quotes` in the source, ended before byte `colon` of it. What is behind
    /// that, and `more`, which is the quotes, and the gap behind them are read again.
    pub(super) fn end_key_at(&mut self, colon: usize, quotes: Range<u32>, more: &str, gap: Gap) -> Result<(), Stop> {
        let text = String::from_utf8_lossy(self.writer.open_text()).into_owned();
        let again = text.get(colon..).unwrap_or_default();
        let at = self.place_before(quotes.start, again.len());
        self.repairs.forget_between(at, quotes.end);
        self.repairs.add(RepairKind::MissingQuote, place(at));
        self.lenient.key_end = self.lenient.holes.end_before(at);
        self.writer.shorten_text(offset(text.get(..colon).unwrap_or_default().trim_end().len()));
        self.step = Step::Colon;
        self.replay_with_gap(format!("{again}{more}"), at, gap)
    }
}
