//! Where a string or key ends.
//!
//! **A quote in a string** closes it if, behind white space, `,` or a fitting closer follows: then the string is final
//! there, and nothing here is asked. Otherwise, in this order:
//!
//! 1. A quote directly behind it: of two, one is dropped, or, if the string has an odd number of inner quotes, the
//!    first is text and the second closes. Behind an opening quote they are `"""`.
//! 2. What is before it looks like structure (see [`tail`](super::tail)) and a key, a colon and a value follow: the
//!    string ended before that.
//! 3. What follows is structure ([`Question::ClosingQuote`]): it closes.
//! 4. It is text. From then on the string is *patient*: `",` closes it only before a whole key, or an element that
//!    ends ([`Question::PatientComma`]).

use std::mem;

use crate::document::{NodeKind, Span};

use super::super::machine::{Candidate, Machine, Step, Stop, offset};
use super::super::report::RepairKind;
use super::decide::{Answer, Question, Second};
use super::signs::{is_closing_curly, is_opening_quote, last_character};

/// The quote that a string or key began with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Quote {
    /// `"`
    #[default]
    Double,
    /// `'` or `` ` ``.
    Single(char),
    /// A typographic one: any of them, or `"`, ends it.
    Curly,
    /// Three of these.
    Triple(char),
}

impl Quote {
    pub(super) fn of(character: char) -> Self {
        match character {
            '"' => Self::Double,
            '\'' | '`' => Self::Single(character),
            '´' => Self::Single('\''),
            _ => Self::Curly,
        }
    }

    /// Whether the string can end with this character.
    pub(super) fn ends_with(self, character: char) -> bool {
        match self {
            Self::Double => character == '"',
            Self::Single('\'') => matches!(character, '\'' | '’' | '´'),
            Self::Single(quote) | Self::Triple(quote) => character == quote,
            Self::Curly => character == '"' || is_closing_curly(character),
        }
    }
}

impl Machine {
    // ----- other quotes -----

    /// The quote that ends the string in other quotes.
    pub(in super::super) fn closing_quote(&self) -> String {
        match self.lenient.quote {
            Quote::Double => "\"".to_owned(),
            Quote::Single(quote) => quote.to_string(),
            Quote::Triple(quote) => [quote; 3].into_iter().collect(),
            Quote::Curly => "”".to_owned(),
        }
    }

    /// Begins a string or key in other quotes than `"`, if there is one at `i`. Gives the place behind it.
    pub(super) fn begin_other_quote(&mut self, text: &str, i: usize, is_key: bool) -> Result<Option<usize>, Stop> {
        let Some(character) = text.get(i..).and_then(|rest| rest.chars().next()) else { return Ok(None) };
        if !is_opening_quote(character) || character == '"' {
            return Ok(None);
        }
        if character == '`' {
            if !self.is_tolerant() {
                return Ok(None);
            }
            match self.look(Question::Second(Second::BackTick), text, i) {
                None => return Ok(Some(text.len())),
                Some(Answer::Text) => {}
                Some(_) => return Ok(None),
            }
        }
        let length = character.len_utf8();
        self.repair(RepairKind::OtherQuotes, i, length);
        let at = self.offset(i);
        self.begin_quoted(Quote::of(character), at, is_key)?;
        Ok(Some(i + length))
    }

    pub(super) fn begin_quoted(&mut self, quote: Quote, at: u32, is_key: bool) -> Result<(), Stop> {
        self.token_start = at;
        self.begin_string_text();
        self.lenient.quote = quote;
        if is_key {
            self.step = Step::OtherKey;
            return Ok(());
        }
        if self.candidate == Candidate::Weak {
            self.weak_scalar();
        }
        self.step = Step::OtherString;
        self.begin_string_leaf(at)
    }

    /// A string begins: nothing of it has been read.
    pub(in super::super) fn begin_string_text(&mut self) {
        self.writer.begin_text();
        let lenient = &mut self.lenient;
        lenient.quote = Quote::Double;
        lenient.prefix = 0;
        lenient.dropped.clear();
        lenient.inner = 0;
        lenient.in_pair = false;
        lenient.counted = 0;
        lenient.open_brackets = 0;
        lenient.raw_from = 0;
        lenient.escaped_quote = false;
        lenient.hides_tail = false;
    }

    /// In a string or key in other quotes.
    pub(in super::super) fn other_string(&mut self, text: &str, mut i: usize, is_key: bool) -> Result<usize, Stop> {
        let quote = self.lenient.quote;
        while let Some(rest) = text.get(i..).filter(|rest| !rest.is_empty()) {
            if self.escape.is_unfinished() {
                i = self.escaped(text, i)?;
                continue;
            }
            let special = |character: char| character == '\\' || character < ' ' || quote.ends_with(character);
            let length = rest.find(special).unwrap_or(rest.len());
            if length > 0 {
                self.release_high()?;
                self.release_marks()?;
                self.push_text(rest.get(..length).unwrap_or_default())?;
            }
            i += length;
            match rest.get(length..).and_then(|rest| rest.chars().next()) {
                None => {}
                Some('\\') => {
                    self.release_marks()?;
                    self.begin_escape(i);
                    i += 1;
                }
                Some(character) if character < ' ' => {
                    self.release_marks()?;
                    i = self.control_character(text, i)?;
                }
                Some(character) => {
                    self.release_high()?;
                    let end = i + character.len_utf8();
                    i = end;
                    if let Quote::Triple(_) = quote {
                        self.lenient.marks += 1;
                        if self.lenient.marks < 3 {
                            continue;
                        }
                        self.lenient.marks = 0;
                    }
                    self.lenient.closing = character;
                    return Ok(self.quote_ended(i, is_key));
                }
            }
        }
        if !is_key {
            self.hide_tail();
        }
        Ok(i)
    }

    /// Fewer than three quotes in a string that three end are text.
    pub(in super::super) fn release_marks(&mut self) -> Result<(), Stop> {
        let marks = mem::take(&mut self.lenient.marks);
        let Quote::Triple(mark) = self.lenient.quote else { return Ok(()) };
        for _ in 0..marks {
            self.push_text(mark.encode_utf8(&mut [0; 4]))?;
        }
        Ok(())
    }

    /// The quote before `i` may end the string or key.
    fn quote_ended(&mut self, i: usize, is_key: bool) -> usize {
        self.lenient.gap.clear();
        if is_key {
            self.lenient.key_end = self.offset(i);
            self.step = Step::Colon;
        } else {
            self.leaf_end = self.offset(i);
            self.hide_tail();
            self.step = if self.lenient.inner == 0 { Step::After } else { Step::AfterPatient };
        }
        i
    }

    /// The quote that may have ended the string or key, as it was written.
    pub(super) fn written_quote(&self) -> String {
        let count = if matches!(self.lenient.quote, Quote::Triple(_)) { 3 } else { 1 };
        std::iter::repeat_n(self.lenient.closing_quote(), count).collect()
    }

    // ----- strings -----

    /// Behind a quote in a string with inner quotes.
    #[cold]
    pub(in super::super) fn after_patient(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let (at, byte) = super::super::whole::skip_blanks(text.as_bytes(), i);
        self.waits_behind(text.get(i..at).unwrap_or_default(), self.offset(i))?;
        let Some(byte) = byte else { return Ok(at) };
        if !self.writer.has_leaf() {
            self.step = Step::After;
            return Ok(at);
        }
        match (byte, self.writer.container()) {
            (b',', Some(_)) if !self.holds_json() => {
                match self.look(Question::PatientComma(self.around(), !self.lenient.in_pair), text, at) {
                    None => Ok(text.len()),
                    Some(Answer::Text) => self.inner_quote().map(|()| at),
                    Some(_) => self.close_string().map(|()| at),
                }
            }
            (b'}', Some(NodeKind::Object)) | (b']', Some(NodeKind::Array)) => {
                let open = self.open_brackets();
                if open > 0 {
                    match self.look(Question::PatientCloser(open), text, at) {
                        None => return Ok(text.len()),
                        Some(Answer::Text) => return self.inner_quote().map(|()| at),
                        Some(_) => {}
                    }
                }
                self.close_string().map(|()| at)
            }
            (b',', Some(_)) if self.holds_json() => self.inner_quote().map(|()| at),
            _ => self.behind_string(text, at),
        }
    }

    /// How many brackets are open in the text of the string.
    fn open_brackets(&mut self) -> u32 {
        let text = self.writer.open_text();
        let new = text.get(self.lenient.counted as usize..).unwrap_or_default();
        let open = new.iter().fold(self.lenient.open_brackets, |open, byte| match byte {
            b'{' | b'[' | b'(' => open + 1,
            b'}' | b']' | b')' => open.saturating_sub(1),
            _ => open,
        });
        self.lenient.counted = offset(text.len());
        self.lenient.open_brackets = open;
        open
    }

    /// Whether the string holds JSON whose quotes are not escaped, and which is not whole.
    fn holds_json(&mut self) -> bool {
        let text = self.writer.open_text();
        let begins = text.iter().take(16).find(|byte| !byte.is_ascii_whitespace());
        matches!(begins, Some(b'{' | b'[')) && self.open_brackets() > 0
    }

    /// Behind a quote in a string, at a byte that is neither `,` nor a fitting closer.
    pub(super) fn behind_string(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let rest = text.get(i..).unwrap_or_default();
        let Some(character) = rest.chars().next() else { return Ok(i) };
        if self.closes_odd_here(character) {
            return self.close_string().map(|()| i);
        }
        if self.lenient.gap.is_empty() {
            if is_opening_quote(character)
                && self.writer.container() == Some(NodeKind::Object)
                && !self.writer.open_text().is_empty()
            {
                // `"x""b": 1`
                match self.look(Question::KeyAfterText, text, i) {
                    None => return Ok(text.len()),
                    Some(Answer::Structure) => return self.close_string().map(|()| i),
                    Some(_) => {}
                }
            }
            if let Some(next) = self.doubled_quote(character, text, i)? {
                return Ok(next);
            }
            if self.is_apostrophe(character) {
                self.push_inner_quote()?;
                return Ok(i);
            }
        }
        if self.lenient.inner > 0 && self.open_brackets() > 0 {
            // JSON or code in the string, with quotes that are not escaped.
            let is_closer = matches!(character, '}' | ']' | ')');
            if !is_closer {
                return self.behind_quote(text, i);
            }
            let open = self.open_brackets();
            return match self.look(Question::PatientCloser(open), text, i) {
                None => Ok(text.len()),
                Some(Answer::Text) => self.inner_quote().map(|()| i),
                Some(_) => self.behind_quote(text, i),
            };
        }
        if self.string_tail().is_some() {
            let quote = self.lenient.closing_quote();
            match self.look(Question::KeyAfterTail(quote), text, i) {
                None => return Ok(text.len()),
                Some(Answer::Structure) if self.tail_fits() => return self.end_before_tail().map(|()| i),
                Some(_) => {}
            }
            if self.tail_is_line_end() {
                match self.look(Question::ElementAfterTail(quote), text, i) {
                    None => return Ok(text.len()),
                    Some(Answer::Structure) => return self.end_before_tail().map(|()| i),
                    Some(_) => {}
                }
            }
        }
        self.behind_quote(text, i)
    }

    /// The same where what is before the quote is part of the string.
    fn behind_quote(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        match self.look(Question::ClosingQuote(self.around()), text, i) {
            None => Ok(text.len()),
            Some(Answer::Text) => self.inner_quote().map(|()| i),
            Some(Answer::Join) => {
                self.step = Step::Join;
                Ok(i)
            }
            Some(_) => self.close_string().map(|()| i),
        }
    }

    /// The string that waits for what follows it is closed.
    fn close_string(&mut self) -> Result<(), Stop> {
        self.settle_scalar()?;
        self.step = Step::After;
        Ok(())
    }

    /// The quote that may have closed the string, and the white space behind it, are text.
    fn push_inner_quote(&mut self) -> Result<(), Stop> {
        let quote = self.written_quote();
        let gap = self.take_gap();
        self.lenient.dropped.clear();
        self.push_text(&quote)?;
        self.push_text(&gap)?;
        self.hide_tail();
        self.step = self.string_step();
        Ok(())
    }

    /// Whether the string is in back-ticks.
    pub(in super::super) fn is_in_ticks(&self) -> bool {
        self.lenient.quote == Quote::Single('`')
    }

    fn string_step(&self) -> Step {
        if self.lenient.quote == Quote::Double { Step::String } else { Step::OtherString }
    }

    fn inner_quote(&mut self) -> Result<(), Stop> {
        self.repairs.add(RepairKind::InnerQuote, self.quote_span(self.leaf_end));
        self.lenient.inner = self.lenient.inner.saturating_add(1);
        // One behind a blank or bracket opens a pair, another closes it, or is a sign such as in `5"`.
        let before = last_character(self.writer.open_text());
        let opens = before.is_none_or(|before| before.is_whitespace() || matches!(before, '(' | '[' | '{'));
        self.lenient.in_pair = opens;
        self.push_inner_quote()
    }

    /// Where the quote is that may have ended the string or key, if it ends at `end` with those that were dropped.
    pub(super) fn quote_span(&self, end: u32) -> Span {
        let end = self.end_back(end, self.lenient.dropped.len());
        Span::new(self.place_before(end, self.written_quote().len()), end)
    }

    /// A quote is directly behind a quote.
    fn doubled_quote(&mut self, character: char, text: &str, i: usize) -> Result<Option<usize>, Stop> {
        let quote = self.lenient.quote;
        let length = character.len_utf8();
        let is_empty = self.writer.open_text().is_empty();
        match quote {
            Quote::Double | Quote::Single(_) if quote.ends_with(character) => {
                if is_empty {
                    // Of others, and of those with a letter before them, the first told it.
                    if quote == Quote::Double && self.lenient.prefix == 0 {
                        self.repairs.add(RepairKind::OtherQuotes, Span::new(self.token_start, self.offset(i + length)));
                    }
                    self.lenient.quote = Quote::Triple(character);
                    self.step = Step::OtherString;
                    return Ok(Some(i + length));
                }
                if self.lenient.inner % 2 == 1 {
                    self.inner_quote()?;
                    self.step = Step::AfterPatient;
                } else {
                    self.repair(RepairKind::DoubledQuote, i, length);
                    self.lenient.dropped.push(character);
                }
                self.leaf_end = self.offset(i + length);
                Ok(Some(i + length))
            }
            // `""a""`: the second opening quote. In `""a" b"` it is text.
            Quote::Double | Quote::Single(_) if is_empty && !matches!(character, ',' | ':' | '}' | ']' | '/' | '#') => {
                match self.look(Question::DoubledOpening(self.lenient.closing_quote()), text, i) {
                    None => Ok(Some(text.len())),
                    Some(Answer::Structure) => {
                        self.repairs.add(RepairKind::DoubledQuote, self.quote_span(self.leaf_end));
                        self.lenient.dropped.clear();
                        self.step = self.string_step();
                        Ok(Some(i))
                    }
                    Some(_) => self.inner_quote().map(|()| Some(i)),
                }
            }
            _ => Ok(None),
        }
    }

    /// Whether the quote is an apostrophe: between letters, in a string in such quotes.
    fn is_apostrophe(&self, next: char) -> bool {
        let before = last_character(self.writer.open_text());
        matches!(self.lenient.quote, Quote::Single('\'') | Quote::Curly)
            && matches!(self.lenient.closing, '\'' | '’' | '‘')
            && next.is_alphanumeric()
            && before.is_some_and(char::is_alphanumeric)
    }

    // ----- a missing closing quote -----

    /// Whether the open containers take what is in the tail, and a key behind it.
    fn tail_fits(&self) -> bool {
        let Some(tail) = self.string_tail() else { return false };
        let mut opened = None;
        let mut level = 0;
        for byte in self.writer.open_text().get(tail.structure..).unwrap_or_default() {
            let kind = match byte {
                b'}' | b'{' => NodeKind::Object,
                b']' | b'[' => NodeKind::Array,
                _ => continue,
            };
            if matches!(byte, b'{' | b'[') {
                opened = Some(kind);
            } else if self.writer.container_at(level) == Some(kind) {
                level += 1;
            } else {
                return false;
            }
        }
        opened.or_else(|| self.writer.container_at(level)) == Some(NodeKind::Object)
    }

    /// Whether the tail is a comma and a line break, in an array.
    fn tail_is_line_end(&self) -> bool {
        let tail = self.string_tail().and_then(|tail| self.writer.open_text().get(tail.structure..));
        self.writer.container() == Some(NodeKind::Array)
            && tail.is_some_and(|tail| tail.first() == Some(&b',') && tail.contains(&b'\n'))
    }

    /// The string ended before its tail: what is in it, and the quote behind it, are read again as structure.
    pub(super) fn end_before_tail(&mut self) -> Result<(), Stop> {
        let quote = self.written_quote() + &mem::take(&mut self.lenient.dropped);
        let quote_at = self.end_back(self.leaf_end, quote.len());
        let gap = mem::take(&mut self.lenient.gap);
        let Some(mut structure) = self.end_string_before_tail(quote_at)? else { return Ok(()) };
        let at = self.place_before(quote_at, structure.len());
        structure.push_str(&quote);
        self.replay_with_gap(structure, at, gap)
    }

    /// The string ended before its tail, which ends at `end` in the source. Gives what of it is structure.
    pub(super) fn end_string_before_tail(&mut self, end: u32) -> Result<Option<String>, Stop> {
        let Some(tail) = self.string_tail() else { return Ok(None) };
        let text = self.writer.open_text();
        let structure = String::from_utf8_lossy(text.get(tail.structure..).unwrap_or_default()).into_owned();
        let quote_length = tail.structure - tail.start;
        let is_escaped = quote_length > 0 && tail.structure == self.lenient.raw_from as usize;
        let at = self.end_back(end, structure.len());
        let escape = Span::new(self.place_before(at, 2), self.end_back(at, 1));
        self.repairs.forget(at);
        if is_escaped && self.lenient.holes.touch(self.lenient.escaped_open, self.token_start) {
            // So was the quote that began it.
            self.writer.show(offset(tail.start));
            self.repairs.add(RepairKind::StrayText, escape);
        } else if is_escaped {
            // The backslash was meant: `"C:\dir\"`.
            let whole = String::from_utf8_lossy(text.get(..tail.start).unwrap_or_default()).into_owned();
            self.writer.begin_text();
            self.push_text(&whole)?;
            self.push_text("\\")?;
            self.writer.show_all();
            self.repairs.add(RepairKind::InvalidEscape, escape);
        } else {
            self.writer.show(offset(tail.start));
            let kind = if quote_length > 0 { RepairKind::OtherQuotes } else { RepairKind::MissingQuote };
            self.repairs.add(kind, Span::new(self.place_before(at, quote_length), at));
        }
        self.lenient.hides_tail = false;
        self.leaf_end = at;
        self.writer.end_leaf(at);
        self.end_dropped(at)?;
        self.step = Step::After;
        Ok(Some(structure))
    }

    // ----- joined strings -----

    /// Between a string and the quote that it goes on behind.
    #[cold]
    pub(in super::super) fn join(&mut self, text: &str, i: usize) -> usize {
        let rest = text.get(i..).unwrap_or_default();
        let Some((at, character)) = rest.char_indices().find(|(_, character)| is_opening_quote(*character)) else {
            return text.len();
        };
        let end = i + at + character.len_utf8();
        self.repairs.add(RepairKind::Concatenation, Span::new(self.leaf_end, self.offset(end)));
        self.lenient.quote = Quote::of(character);
        self.lenient.raw_from = self.writer.text_length();
        self.lenient.escaped_quote = false;
        self.lenient.inner = 0;
        self.show_tail();
        self.lenient.gap.clear();
        self.step = self.string_step();
        end
    }
}
