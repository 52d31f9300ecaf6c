//! Values without quotes.
//!
//! **A bare value** is text up to a comma, a closer or a line break that ends it: in an array the first of them, in an
//! object a comma or line break only before a key and its colon, or a closer ([`Question::BareEnd`]). Brackets in it
//! are part of it as long as they pair. What it is shows at its end: a keyword of JSON or another language, a number in
//! another spelling, or a string. It is held as long as it may be one of the former, and shown as a growing string from
//! the first byte on that rules that out.
//!
//! **A word and a parenthesis** is a call around a value, if there is one value in it ([`Question::Wrapper`]).

use crate::document::NodeKind;

use super::super::machine::{Candidate, Machine, Step, Stop, offset};
use super::super::report::RepairKind;
use super::ahead::BOUND;
use super::decide::{Answer, Question, Second};
use super::quotes::Quote;
use super::signs::{is_opening_quote, is_word_byte, keyword, may_be_keyword, narrow};
use super::{GAP, numbers, signs};
use crate::document::Span;

/// What is remembered of a value or key without quotes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BareState {
    /// How much of its text there is up to the last byte that is no blank, and where that ends in the source.
    pub(super) length: u32,
    pub(super) end: u32,
    /// Brackets in it that are open.
    brackets: u32,
    /// Quotes in it.
    quotes: u32,
}

impl Machine {
    /// A value without quotes begins at `i`.
    pub(super) fn begin_bare(&mut self, i: usize) -> usize {
        self.token_start = self.offset(i);
        self.begin_string_text();
        self.lenient.bare = BareState::default();
        self.lenient.has_bare = true;
        self.step = Step::Bare;
        i
    }

    /// What was read as a number, or keyword, goes on as something else: its text is `text`, which ends at `end`.
    pub(in super::super) fn go_on_as_bare(&mut self, word: Option<&str>, end: u32) -> Result<(), Stop> {
        if let Some(word) = word {
            self.keyword = None;
            self.begin_string_text();
            self.push_text(word)?;
        }
        self.lenient.has_bare = true;
        self.lenient.bare = BareState { length: self.writer.text_length(), end, brackets: 0, quotes: 0 };
        let gap = self.take_gap();
        self.push_text(&gap)?;
        self.step = Step::Bare;
        Ok(())
    }

    /// The comma at `i` is part of the value.
    pub(in super::super) fn comma_in_bare(&mut self, i: usize) -> Result<usize, Stop> {
        self.push_bare(",", i)?;
        Ok(i + 1)
    }

    /// In a value without quotes.
    #[cold]
    pub(in super::super) fn bare(&mut self, text: &str, mut i: usize) -> Result<usize, Stop> {
        while let Some(rest) = text.get(i..).filter(|rest| !rest.is_empty()) {
            let is_special = |character: char| {
                matches!(
                    character,
                    ',' | '{' | '}' | '[' | ']' | '(' | ')' | '｝' | '］' | '）' | '】' | '\n' | '\r' | '/' | '#' | '<'
                ) || is_opening_quote(character)
            };
            let length = rest.find(is_special).unwrap_or(rest.len());
            let plain = rest.get(..length).unwrap_or_default();
            if let Some(end) = self.long_gap(plain) {
                self.push_bare(plain.get(..end).unwrap_or_default(), i)?;
                return self.end_bare().map(|()| i + end);
            }
            self.push_bare(plain, i)?;
            i += length;
            let Some(character) = rest.get(length..).and_then(|rest| rest.chars().next()) else { break };
            let next = i + character.len_utf8();
            if let Some(next) = self.sign_in_bare(text, i, character)? {
                return Ok(next);
            }
            self.push_bare(text.get(i..next).unwrap_or_default(), i)?;
            i = next;
        }
        Ok(i)
    }

    /// A sign in the value that may be structure. Gives where the reading goes on, none where the sign is text.
    fn sign_in_bare(&mut self, text: &str, i: usize, sign: char) -> Result<Option<usize>, Stop> {
        let in_array = self.writer.container() == Some(NodeKind::Array);
        let has_brackets = self.lenient.bare.brackets > 0;
        match sign {
            ',' if has_brackets => Ok(None),
            '\n' | '\r' if in_array => {
                self.end_bare()?;
                self.lenient.line_ended = true;
                Ok(Some(i))
            }
            // No text begins with a keyword of its own.
            ',' if in_array || self.is_whole_word() => self.end_bare().map(|()| Some(i)),
            ',' | '\n' | '\r' => {
                if !self.is_whole_word() {
                    self.become_string()?;
                }
                // Brackets that do not pair in a line do not pair.
                self.lenient.bare.brackets = 0;
                self.ends_bare(Question::BareEnd, text, i)
            }
            '}' | ']' | ')' if has_brackets => {
                self.lenient.bare.brackets -= 1;
                Ok(None)
            }
            '}' | ']' | ')' | '｝' | '］' => {
                let closer = narrow(sign).or_else(|| u8::try_from(sign).ok()).unwrap_or_default();
                if self.around().is_open(closer) { self.end_bare().map(|()| Some(i)) } else { Ok(None) }
            }
            '）' | '】' => {
                if self.closes_odd_here(sign) {
                    self.end_bare().map(|()| Some(i))
                } else {
                    Ok(None)
                }
            }
            '{' | '[' if self.candidate == Candidate::Weak => self.unexpected(self.offset(i), "`,`").map(|()| Some(i)),
            '(' if self.is_call_name() => match self.look(Question::Wrapper, text, i) {
                None => Ok(Some(text.len())),
                Some(Answer::Text) => {
                    self.lenient.bare.brackets += 1;
                    Ok(None)
                }
                Some(_) => {
                    self.repairs.add(RepairKind::Wrapper, Span::new(self.token_start, self.offset(i + 1)));
                    self.begin_call();
                    Ok(Some(i + 1))
                }
            },
            '{' | '[' | '(' => {
                self.lenient.bare.brackets += 1;
                Ok(None)
            }
            '/' if self.is_behind_blank() => self.ends_bare(Question::Second(Second::Slash), text, i),
            '#' if self.is_behind_blank() && self.is_whole_word() => self.end_bare().map(|()| Some(i)),
            '<' if !self.writer.open_text().is_empty() => self.ends_bare(Question::Second(Second::Angle), text, i),
            '/' | '#' | '<' => Ok(None),
            _ => self.quote_in_bare(text, i, sign),
        }
    }

    /// Ends the value at `i` if the answer is that what is there is structure.
    fn ends_bare(&mut self, question: Question, text: &str, i: usize) -> Result<Option<usize>, Stop> {
        match self.look(question, text, i) {
            None => Ok(Some(text.len())),
            Some(Answer::Text) => Ok(None),
            Some(_) => self.end_bare().map(|()| Some(i)),
        }
    }

    /// A quote in the value: the start of the next key, the closing quote whose opening one is missing, the start of
    /// the value itself behind a prefix, or text (none). Gives where the reading goes on.
    fn quote_in_bare(&mut self, text: &str, i: usize, quote: char) -> Result<Option<usize>, Stop> {
        let next = i + quote.len_utf8();
        if quote == '"' && self.lenient.bare.quotes % 2 == 1 {
            // The second of a pair.
            self.lenient.bare.quotes += 1;
            return Ok(None);
        }
        if self.is_behind_blank() && self.writer.container() == Some(NodeKind::Object) {
            match self.look(Question::KeyAfterText, text, i) {
                None => return Ok(Some(text.len())),
                Some(Answer::Structure) => return self.end_bare().map(|()| Some(i)),
                Some(_) => {
                    self.lenient.bare.quotes += u32::from(quote == '"');
                    return Ok(None);
                }
            }
        }
        match self.look(Question::BareQuote(self.around()), text, i) {
            None => Ok(Some(text.len())),
            Some(Answer::Text) if self.is_string_prefix() => {
                self.begin_prefixed(quote, next)?;
                Ok(Some(next))
            }
            Some(Answer::Text) => Ok(None),
            Some(_) => {
                self.repairs.add(RepairKind::MissingQuote, super::ahead::place(self.token_start));
                let end = self.offset(next);
                self.become_string()?;
                self.end_bare_leaf(end)?;
                Ok(Some(next))
            }
        }
    }

    /// Where in `text`, which comes next, so much white space has come that the value has ended.
    fn long_gap(&self, text: &str) -> Option<usize> {
        let mut gap = self.writer.open_text().len().saturating_sub(self.lenient.bare.length as usize);
        // What is none of the text at its end, whatever white space it is.
        let end = text.char_indices().find(|(_, sign)| {
            gap = if sign.is_whitespace() { gap + sign.len_utf8() } else { 0 };
            gap > GAP
        });
        end.map(|(end, _)| end)
    }

    /// Takes text that stands at `i`.
    fn push_bare(&mut self, text: &str, i: usize) -> Result<(), Stop> {
        if text.is_empty() {
            return Ok(());
        }
        self.push_text(text)?;
        let trimmed = text.trim_end();
        if !trimmed.is_empty() {
            self.lenient.bare.end = self.offset(i + trimmed.len());
            self.lenient.bare.length = self.writer.text_length() - offset(text.len() - trimmed.len());
        }
        if self.writer.leaf_kind() == Some(NodeKind::String) {
            self.writer.show(self.lenient.bare.length);
        } else if !self.may_be_no_string() {
            self.become_string()?;
        }
        Ok(())
    }

    /// Whether the text so far may still be a keyword, a number, or the name of a call.
    fn may_be_no_string(&self) -> bool {
        let (text, word) = (self.writer.open_text(), self.bare_word());
        if text.len() >= BOUND as usize - 8 {
            return false;
        }
        let has_blank = word.len() < text.len();
        if self.writer.has_leaf() {
            return if has_blank { numbers::is_number(word) } else { numbers::may_be_number(word) };
        }
        let is_word = word.iter().all(|byte| is_word_byte(*byte));
        if has_blank {
            return keyword(word).is_some() || numbers::is_number(word);
        }
        is_word || may_be_keyword(word) || numbers::may_be_number(word)
    }

    /// The value is a string: it is shown.
    fn become_string(&mut self) -> Result<(), Stop> {
        if self.writer.has_leaf() {
            self.writer.become_string();
        } else {
            self.begin_string_leaf(self.token_start)?;
        }
        self.writer.show(self.lenient.bare.length);
        Ok(())
    }

    pub(super) fn bare_word(&self) -> &[u8] {
        self.writer.open_text().get(..self.lenient.bare.length as usize).unwrap_or_default()
    }

    fn is_call_name(&self) -> bool {
        // A name that is so long is shown as text.
        let text = self.writer.open_text();
        !self.writer.has_leaf()
            && text.first().is_some_and(u8::is_ascii_alphabetic)
            && text.iter().all(|byte| is_word_byte(*byte))
    }

    /// Whether white space is before what comes.
    pub(super) fn is_behind_blank(&self) -> bool {
        self.writer.open_text().last().is_some_and(|byte| matches!(byte, b' ' | b'\t'))
    }

    /// Whether the text so far is a keyword or number.
    fn is_whole_word(&self) -> bool {
        if self.writer.leaf_kind() == Some(NodeKind::String) {
            // What is shown as text is neither.
            return false;
        }
        let word = self.bare_word();
        signs::is_keyword(word) || numbers::is_number(word)
    }

    /// Whether the text so far is what Python writes before a string.
    fn is_string_prefix(&self) -> bool {
        let text = self.writer.open_text();
        !self.writer.has_leaf()
            && matches!(text.len(), 1 | 2)
            && text.iter().all(|byte| matches!(byte, b'r' | b'b' | b'f' | b'u' | b'R' | b'B' | b'F' | b'U'))
    }

    fn begin_prefixed(&mut self, quote: char, next: usize) -> Result<(), Stop> {
        self.repairs.add(RepairKind::OtherQuotes, Span::new(self.token_start, self.offset(next)));
        self.begin_quoted(Quote::of(quote), self.token_start, false)?;
        let opened = self.read_between(self.token_start, self.offset(next));
        self.lenient.prefix = opened.saturating_sub(offset(quote.len_utf8()));
        Ok(())
    }

    /// The value without quotes ends.
    pub(super) fn end_bare(&mut self) -> Result<(), Stop> {
        let (start, end) = (self.token_start, self.lenient.bare.end);
        let is_string = self.writer.leaf_kind() == Some(NodeKind::String);
        let span = Span::new(start, end);
        let word = self.bare_word();
        if !is_string && let Some(name) = keyword(word) {
            let kind = match name {
                "true" => NodeKind::True,
                "false" => NodeKind::False,
                _ => NodeKind::Null,
            };
            if name.as_bytes() != word {
                self.repairs.add(RepairKind::ForeignKeyword, span);
            }
            self.write_keyword(kind, start, end)?;
            return self.value_ended(end);
        }
        if !is_string && numbers::may_be_number(word) {
            let text = std::str::from_utf8(word).unwrap_or_default();
            if numbers::is_json(text) {
                self.begin_number_leaf()?;
                self.writer.show(self.lenient.bare.length);
                return self.end_bare_leaf(end);
            }
            if let Some(number) = numbers::spelling(text) {
                self.repairs.add(RepairKind::NumberSpelling, span);
                self.writer.begin_text();
                self.push_text(&number)?;
                self.begin_number_leaf()?;
                self.writer.show_all();
                return self.end_bare_leaf(end);
            }
        }
        self.report_bare();
        self.become_string()?;
        self.end_bare_leaf(end)
    }

    /// Reports the string without quotes.
    fn report_bare(&mut self) {
        let digits = self.bare_word().iter().find(|byte| !matches!(byte, b'-' | b'+' | b'.'));
        let is_numeric = digits.is_some_and(u8::is_ascii_digit);
        let kind = if is_numeric { RepairKind::NumberAsText } else { RepairKind::BareString };
        self.repairs.add(kind, Span::new(self.token_start, self.lenient.bare.end));
    }

    fn begin_number_leaf(&mut self) -> Result<(), Stop> {
        let start = self.token_start;
        if !self.writer.has_leaf()
            && self.writer.begin_leaf(NodeKind::Number, start, self.options.limits.nodes).is_err()
        {
            return self.too_many_nodes(start);
        }
        Ok(())
    }

    fn end_bare_leaf(&mut self, end: u32) -> Result<(), Stop> {
        self.writer.end_leaf(end);
        self.lenient.line_ended = false;
        self.value_ended(end)
    }

    /// Behind a number or keyword, and white space: something that is neither a comma nor a fitting closer.
    pub(super) fn behind_scalar(&mut self, text: &str, i: usize, byte: u8) -> Result<usize, Stop> {
        if self.closes_odd_here(char::from(byte)) {
            self.settle_scalar()?;
            return Ok(i);
        }
        if byte == b'"' && self.lenient.gap.is_empty() {
            // `[3", "4"]`: the opening quote is missing.
            match self.look(Question::BareQuote(self.around()), text, i) {
                None => return Ok(text.len()),
                Some(Answer::Structure) => {
                    let word = self.waiting_word();
                    self.go_on_as_bare(word, self.leaf_end)?;
                    return Ok(i);
                }
                Some(_) => {}
            }
        }
        if byte == b'/' {
            match self.look(Question::Second(Second::Slash), text, i) {
                None => return Ok(text.len()),
                Some(Answer::Structure) => {
                    self.settle_scalar()?;
                    return Ok(i);
                }
                Some(_) => {}
            }
        }
        match self.look(Question::AfterScalar(self.around()), text, i) {
            None => Ok(text.len()),
            Some(Answer::Text) => {
                let word = self.waiting_word();
                self.go_on_as_bare(word, self.leaf_end)?;
                Ok(i)
            }
            Some(_) => {
                self.settle_scalar()?;
                Ok(i)
            }
        }
    }

    /// The keyword that waits for what follows it.
    fn waiting_word(&self) -> Option<&'static str> {
        self.waiting_keyword().map(|kind| match kind {
            NodeKind::True => "true",
            NodeKind::False => "false",
            _ => "null",
        })
    }

    /// What is shown of the value at the end of the text.
    pub(super) fn show_bare_at_end(&mut self) -> Result<(), Stop> {
        let is_string = self.writer.leaf_kind() == Some(NodeKind::String);
        if is_string || (self.writer.has_leaf() && !numbers::is_number(self.bare_word())) {
            self.report_bare();
        }
        if self.writer.has_leaf() {
            return Ok(());
        }
        let word = String::from_utf8_lossy(self.bare_word()).into_owned();
        let kind = match keyword(word.as_bytes()) {
            Some("true") => NodeKind::True,
            Some("false") => NodeKind::False,
            Some(_) => NodeKind::Null,
            None if may_be_keyword(word.as_bytes()) => return Ok(()),
            None => {
                if let Some(number) = numbers::spelling(&word) {
                    self.writer.begin_text();
                    self.push_text(&number)?;
                    return self.begin_number_leaf();
                }
                // A sign alone is no value.
                if word.len() == 1 && !word.as_bytes().iter().all(u8::is_ascii_alphanumeric) {
                    return Ok(());
                }
                self.report_bare();
                return self.become_string();
            }
        };
        let start = self.token_start;
        if self.writer.open_keyword(kind, start, self.options.limits.nodes).is_err() {
            return self.too_many_nodes(start);
        }
        Ok(())
    }
}
