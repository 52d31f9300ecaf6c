//! Keys without quotes: text up to a colon.
//!
//! In prose, where nothing has shown yet that the brace before is more than that, a word and a colon are not enough: a
//! second pair of them is, or a value with a quote or bracket. Where a comma or closer comes first, the key has no
//! value, or, if nothing is shown of the object, it is a set.

use crate::document::Span;

use super::super::machine::{Candidate, Machine, Step, Stop};
use super::super::report::RepairKind;
use super::bare::BareState;
use super::decide::{Answer, Question};
use super::numbers;
use super::signs::is_opening_quote;

impl Machine {
    /// A key without quotes begins at `i`.
    pub(super) fn begin_bare_key(&mut self, i: usize) -> usize {
        self.token_start = self.offset(i);
        self.begin_string_text();
        self.lenient.bare = BareState::default();
        self.step = Step::BareKey;
        i
    }

    /// In a key without quotes.
    #[cold]
    pub(in super::super) fn bare_key(&mut self, text: &str, mut i: usize) -> Result<usize, Stop> {
        while let Some(character) = text.get(i..).and_then(|rest| rest.chars().next()) {
            let next = i + character.len_utf8();
            let certain = self.is_tolerant();
            match character {
                ':' | '：' => {
                    if character == '：' {
                        self.repair(RepairKind::FullWidth, i, 3);
                    }
                    return self.end_bare_key(true).map(|()| next);
                }
                _ if !certain => {
                    if !(character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '$' | ' ')) {
                        return self.unexpected(self.offset(i), "a key or `}`").map(|()| i);
                    }
                    self.push_bare_key(character, i)?;
                }
                '=' => {
                    self.repair(RepairKind::MissingColon, i, 1);
                    self.lenient.arrow = self.offset(next);
                    return self.end_bare_key(true).map(|()| next);
                }
                ',' | '}' | ']' => return self.bare_key_without_value(i, character),
                '{' | '[' if self.candidate == Candidate::Weak => {
                    return self.unexpected(self.offset(i), "`:`").map(|()| i);
                }
                '{' | '[' => {
                    self.end_bare_key(true)?;
                    self.repairs.add(RepairKind::MissingColon, super::ahead::place(self.lenient.bare.end));
                    return Ok(i);
                }
                '\n' | '\r' if self.candidate == Candidate::Weak => {
                    return self.unexpected(self.offset(i), "`:`").map(|()| i);
                }
                quote if quote == '"' || (is_opening_quote(quote) && self.is_behind_blank()) => {
                    match self.quote_in_bare_key(text, i, quote)? {
                        Some(place) => return Ok(place),
                        None => self.push_bare_key(character, i)?,
                    }
                }
                _ => self.push_bare_key(character, i)?,
            }
            i = next;
        }
        Ok(i)
    }

    fn push_bare_key(&mut self, character: char, i: usize) -> Result<(), Stop> {
        self.push_text(character.encode_utf8(&mut [0; 4]))?;
        if !character.is_whitespace() {
            self.lenient.bare.length = self.writer.text_length();
            self.lenient.bare.end = self.offset(i + character.len_utf8());
        }
        Ok(())
    }

    /// A quote in a key without quotes: the closing one whose opening one is missing, the start of another key, the
    /// start of the value, or text (none).
    fn quote_in_bare_key(&mut self, text: &str, i: usize, quote: char) -> Result<Option<usize>, Stop> {
        match self.look(Question::ClosingQuoteOfBareKey, text, i) {
            None => return Ok(Some(text.len())),
            // `{a": 1`
            Some(Answer::Structure) => {
                self.repairs.add(RepairKind::MissingQuote, super::ahead::place(self.token_start));
                let end = i + quote.len_utf8();
                self.lenient.key_end = self.offset(end);
                self.writer.shorten_text(self.lenient.bare.length);
                self.lenient.gap.clear();
                self.step = Step::Colon;
                return Ok(Some(end));
            }
            Some(_) => {}
        }
        match self.look(Question::KeyAfterText, text, i) {
            None => Ok(Some(text.len())),
            // `{note "a": 1`
            Some(Answer::Structure) => {
                self.repairs.add(RepairKind::StrayText, Span::new(self.token_start, self.lenient.bare.end));
                self.step = if self.writer.children() == 0 { Step::FirstKey } else { Step::Key };
                Ok(Some(i))
            }
            // `{a "b"`
            Some(Answer::Join) if self.candidate != Candidate::Weak || self.is_behind_blank() => {
                self.end_bare_key(true)?;
                self.repairs.add(RepairKind::MissingColon, super::ahead::place(self.lenient.bare.end));
                Ok(Some(i))
            }
            Some(_) => Ok(None),
        }
    }

    /// The key without quotes is whole.
    fn end_bare_key(&mut self, has_value: bool) -> Result<(), Stop> {
        self.lenient.key_end = self.lenient.bare.end;
        self.repairs.add(RepairKind::BareKey, Span::new(self.token_start, self.lenient.bare.end));
        self.writer.shorten_text(self.lenient.bare.length);
        let certain = !has_value || self.is_tolerant();
        if certain {
            return self.colon_found();
        }
        // In prose a word and a colon are not enough; two are.
        if self.writer.children() > 0 {
            return self.colon_found();
        }
        self.lenient.has_bare_key = true;
        self.step = Step::Colon;
        self.name_key()?;
        if self.step == Step::Colon {
            self.step = Step::Value;
        }
        Ok(())
    }

    /// The member ends where a key without quotes has no colon.
    fn bare_key_without_value(&mut self, i: usize, character: char) -> Result<usize, Stop> {
        let is_first = self.may_be_set();
        let is_number = numbers::is_number(self.bare_word());
        if is_first && (character == ',' || (is_number && character == '}')) {
            self.begin_set(self.token_start);
            self.step = Step::Bare;
            self.end_bare()?;
            return Ok(i);
        }
        if character == ']' && !self.around().is_open(b']') {
            self.push_bare_key(character, i)?;
            return Ok(i + 1);
        }
        self.end_bare_key(false)?;
        if self.step == Step::Value {
            self.missing_value(self.lenient.key_end)?;
        }
        Ok(i)
    }
}
