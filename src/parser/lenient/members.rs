//! What stands where a key, a colon, a value or a comma belongs.

use crate::document::NodeKind;

use super::super::machine::{Candidate, Machine, Step, Stop};
use super::super::report::RepairKind;
use super::ahead::place;
use super::blanks::Blank;
use super::decide::{Answer, Around, Question, Second};
use super::signs::narrow;

/// A container that is skipped.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stray {
    open: u32,
    /// How many of them are braces.
    braces: u32,
    /// It was not closed: what is around it was.
    is_over: bool,
    in_string: bool,
    escaped: bool,
}

impl Machine {
    /// Where a key belongs, at a byte that begins none in JSON.
    #[cold]
    pub(in super::super) fn other_key(&mut self, text: &str, i: usize, byte: u8) -> Result<usize, Stop> {
        let expected = if self.step == Step::FirstKey { "a key or `}`" } else { "a key" };
        if self.options.is_strict() {
            return self.unexpected(self.offset(i), expected).map(|()| i);
        }
        if self.step == Step::FirstKey
            && let Some(next) = self.begin_escaped(text, i, byte)
        {
            return Ok(next);
        }
        if let Some(next) = self.begin_other_quote(text, i, true)? {
            return Ok(next);
        }
        if !self.is_tolerant() {
            // In prose: `{name: "x"}` may be meant, `{a note}` is not.
            let is_word = byte == b'_' || byte.is_ascii_alphabetic();
            if is_word && (self.step == Step::FirstKey || self.lenient.has_bare_key) {
                return Ok(self.begin_bare_key(i));
            }
            return self.unexpected(self.offset(i), expected).map(|()| i);
        }
        if let Some(next) = self.between(text, i, byte)? {
            return Ok(next);
        }
        match byte {
            b',' | b';' => {
                self.repair(RepairKind::ExtraComma, i, 1);
                Ok(i + 1)
            }
            // The object before lost its brace: `[{"a": 1, {"b": 2}]`.
            b'{' if self.step == Step::Key && self.writer.outer_container() == Some(NodeKind::Array) => {
                self.supply_closer(i)?;
                self.step = Step::Value;
                Ok(i)
            }
            b'[' | b'(' if self.step == Step::Key => {
                match self.look(Question::StrayBracket, text, i) {
                    None => return Ok(text.len()),
                    Some(Answer::Text) => return Ok(self.stray(text, i)),
                    Some(_) => {}
                }
                self.lenient.stray = Stray::default();
                self.step = Step::Stray;
                Ok(i)
            }
            b'{' => {
                self.repair(RepairKind::RepeatedBrace, i, 1);
                self.expect_brace();
                Ok(i + 1)
            }
            b']' | b')' | b'}' => self.other_closer(text, i, byte),
            b'[' | b'(' if self.may_be_set() => {
                self.begin_set(self.offset(i));
                self.step = Step::FirstElement;
                Ok(i)
            }
            b'[' | b'(' | b'=' | b':' | b'+' | b'\\' | b'<' | b'>' | b'*' | b'|' | b'&' => Ok(self.stray(text, i)),
            _ => Ok(self.begin_bare_key(i)),
        }
    }

    /// Where a colon belongs: another sign that models put there.
    pub(super) fn sign_for_colon(&mut self, text: &str, i: usize, byte: u8) -> Result<Option<usize>, Stop> {
        if byte == b'=' {
            self.repair(RepairKind::MissingColon, i, 1);
            self.lenient.arrow = self.offset(i + 1);
            self.colon_found()?;
            return Ok(Some(i + 1));
        }
        if byte >= 0x80 && text.get(i..).is_some_and(|rest| rest.starts_with('：')) {
            self.repair(RepairKind::FullWidth, i, 3);
            self.colon_found()?;
            return Ok(Some(i + 3));
        }
        Ok(None)
    }

    /// A key is closed, and at `i` is neither a colon nor another sign for one: what is there begins its value, or
    /// there is none.
    pub(super) fn key_without_colon(&mut self, text: &str, i: usize, byte: u8) -> Result<usize, Stop> {
        let ends_member =
            matches!(byte, b',' | b'}' | b']' | b')') || text.get(i..).unwrap_or_default().starts_with('，');
        if !ends_member {
            self.repairs.add(RepairKind::MissingColon, place(self.lenient.key_end));
            self.colon_found()?;
            return Ok(i);
        }
        if byte != b'}' && byte != b']' && self.may_be_set() {
            self.begin_set(self.token_start);
            let (start, end) = (self.token_start, self.lenient.key_end);
            self.begin_string_leaf(start)?;
            self.writer.end_leaf(end);
            self.step = Step::After;
            return Ok(i);
        }
        self.colon_found()?;
        if self.step == Step::Value {
            self.missing_value(self.lenient.key_end)?;
        }
        Ok(i)
    }

    /// The value that ends at `at`, where it should begin, is missing.
    pub(super) fn missing_value(&mut self, at: u32) -> Result<(), Stop> {
        let at = self.sign(at).start;
        self.repairs.add(RepairKind::MissingValue, place(at));
        self.write_keyword(NodeKind::Null, at, at)?;
        self.value_ended(at)
    }

    /// Where a value belongs, at a byte that begins none in JSON.
    #[cold]
    pub(in super::super) fn other_value(&mut self, text: &str, i: usize, byte: u8) -> Result<usize, Stop> {
        let expected = if self.step == Step::FirstElement { "a value or `]`" } else { "a value" };
        if self.options.is_strict() {
            return self.unexpected(self.offset(i), expected).map(|()| i);
        }
        if let Some(next) = self.begin_other_quote(text, i, false)? {
            return Ok(next);
        }
        if !self.is_tolerant() {
            return self.unexpected(self.offset(i), expected).map(|()| i);
        }
        let has_key = self.writer.has_key();
        // In a set there may have been strings, of which it cannot be said that they were the first.
        if !has_key
            && !self.has_odd()
            && let Some(next) = self.begin_escaped(text, i, byte)
        {
            return Ok(next);
        }
        if let Some(next) = self.between(text, i, byte)? {
            return Ok(next);
        }
        match byte {
            b',' | b'}' | b']' | b')' | b';' if has_key => self.missing_value(self.offset(i)).map(|()| i),
            b',' | b';' => {
                self.repair(RepairKind::ExtraComma, i, 1);
                Ok(i + 1)
            }
            b'}' | b']' | b')' => self.other_closer(text, i, byte),
            b'>' if self.is_directly_behind(self.lenient.arrow, i) => {
                self.repair(RepairKind::MissingColon, i, 1);
                Ok(i + 1)
            }
            b'(' => self.begin_tuple(i),
            b'`' if self.candidate == Candidate::Weak => self.unexpected(self.offset(i), expected).map(|()| i),
            b'\\' => {
                self.lenient.escaped_open = self.offset(i + 1);
                Ok(self.stray(text, i))
            }
            b':' | b'=' | b'`' => Ok(self.stray(text, i)),
            _ => Ok(self.begin_bare(i)),
        }
    }

    /// Behind a value, at a byte that is neither a comma nor a fitting closer.
    #[cold]
    pub(in super::super) fn behind_value(&mut self, text: &str, i: usize, byte: u8) -> Result<usize, Stop> {
        if !self.is_tolerant() {
            let expected = if self.writer.container() == Some(NodeKind::Object) { "`,` or `}`" } else { "`,` or `]`" };
            return self.unexpected(self.offset(i), expected).map(|()| i);
        }
        if self.writer.leaf_kind() == Some(NodeKind::String) {
            return self.behind_string(text, i);
        }
        if self.writer.has_leaf() || self.waiting_keyword().is_some() {
            return self.behind_scalar(text, i, byte);
        }
        if self.is_directly_behind(self.lenient.stray_end, i)
            && text.get(i..).is_some_and(|rest| rest.starts_with(is_in_word))
        {
            // More of the same, behind the end of a piece.
            return Ok(self.stray_word(text, i));
        }
        if let Some(next) = self.between(text, i, byte)? {
            return Ok(next);
        }
        let in_object = self.writer.container() == Some(NodeKind::Object);
        match byte {
            b'}' | b']' | b')' => self.other_closer(text, i, byte),
            b';' => {
                self.repair(RepairKind::MissingComma, i, 1);
                self.comma = self.offset(i);
                self.begin_next();
                Ok(i + 1)
            }
            b'"' | b'\'' => self.supply_comma(i),
            b'{' | b'[' if !in_object => self.supply_comma(i),
            b'{' if self.writer.outer_container() == Some(NodeKind::Array) => {
                self.supply_closer(i)?;
                self.supply_comma(i)
            }
            _ if !in_object && (byte.is_ascii_digit() || byte == b'-') => self.supply_comma(i),
            _ if super::signs::is_word_byte(byte) || byte >= 0x80 => {
                if !in_object && self.lenient.line_ended {
                    return self.supply_comma(i);
                }
                let question = if in_object {
                    Question::KeyWithoutComma
                } else {
                    Question::AfterScalar(Around { gap: true, ..self.around() })
                };
                match self.look(question, text, i) {
                    None => Ok(text.len()),
                    Some(Answer::Structure) => self.supply_comma(i),
                    Some(_) => Ok(self.stray_word(text, i)),
                }
            }
            _ => Ok(self.stray(text, i)),
        }
    }

    /// A comma is missing here.
    pub(super) fn supply_comma(&mut self, i: usize) -> Result<usize, Stop> {
        self.settle_scalar()?;
        self.comma = self.offset(i);
        self.repairs.add(RepairKind::MissingComma, place(self.comma));
        self.begin_next();
        Ok(i)
    }

    /// A member or element comes next.
    pub(super) fn begin_next(&mut self) {
        self.step = if self.writer.container() == Some(NodeKind::Object) { Step::Key } else { Step::Value };
    }

    /// In a container that stands where a key belongs: all of it is skipped.
    #[cold]
    pub(in super::super) fn in_stray(&mut self, text: &str, i: usize) -> usize {
        let rest = text.as_bytes().get(i..).unwrap_or_default();
        let stray = &mut self.lenient.stray;
        let end = rest.iter().position(|byte| {
            match byte {
                _ if std::mem::take(&mut stray.escaped) => {}
                b'\\' if stray.in_string => stray.escaped = true,
                b'"' => stray.in_string = !stray.in_string,
                _ if stray.in_string => {}
                // A brace of the object that it is in.
                b'}' if stray.braces == 0 => {
                    stray.is_over = true;
                    return true;
                }
                b'{' => {
                    stray.open += 1;
                    stray.braces += 1;
                }
                b'}' => {
                    stray.open = stray.open.saturating_sub(1);
                    stray.braces -= 1;
                }
                b'[' | b'(' => stray.open += 1,
                b']' | b')' => stray.open = stray.open.saturating_sub(1),
                _ => {}
            }
            stray.open == 0
        });
        let length = end.map_or(rest.len(), |last| last + usize::from(!stray.is_over));
        self.repair(RepairKind::StrayText, i, length);
        if end.is_some() {
            self.step = Step::After;
        }
        i + length
    }

    /// What can stand between any two things: a full-width sign, white space and comments, the end of the answer. Gives
    /// where the reading goes on.
    fn between(&mut self, text: &str, i: usize, byte: u8) -> Result<Option<usize>, Stop> {
        if let Some(next) = self.full_width(text, i)? {
            return Ok(Some(next));
        }
        match self.blank(text, i, byte) {
            Blank::Skipped(next) => Ok(Some(next)),
            Blank::Held => Ok(Some(text.len())),
            Blank::No => Ok(self.end_of_answer(text, i, byte)),
        }
    }

    /// What closes the envelope: a mark of the fence that the root is in, a closing tag, a control token. The answer is
    /// over: all behind it is outside the root, which was not closed.
    fn end_of_answer(&mut self, text: &str, i: usize, byte: u8) -> Option<usize> {
        if self.candidate != Candidate::Shown {
            return None;
        }
        match byte {
            b'`' | b'~' if self.envelope.in_fence() => {}
            b'<' => match self.look(Question::Second(Second::Angle), text, i) {
                None => return Some(text.len()),
                Some(Answer::Structure) => {}
                Some(_) => return None,
            },
            _ => return None,
        }
        self.lenient.before_end = Some(self.step);
        self.step = Step::BehindAnswer;
        self.token_start = self.offset(i);
        Some(self.behind_answer(text, i))
    }

    /// The text of the next response begins at `at`: what ends with a line, or with the answer, is over.
    pub(in super::super) fn begin_round(&mut self, at: u32) {
        match self.step {
            Step::Comment => self.end_comment(at),
            Step::Stray => self.step = Step::After,
            Step::BehindAnswer => self.step = self.lenient.before_end.take().unwrap_or(Step::After),
            _ => {}
        }
    }

    /// Behind the end of the answer.
    #[cold]
    pub(in super::super) fn behind_answer(&mut self, text: &str, i: usize) -> usize {
        self.repair(RepairKind::StrayText, i, text.len() - i);
        text.len()
    }

    /// Skips a word that is neither key nor value.
    fn stray_word(&mut self, text: &str, i: usize) -> usize {
        let rest = text.get(i..).unwrap_or_default();
        let length = rest.find(|character| !is_in_word(character)).unwrap_or(rest.len());
        if length == 0 {
            return self.stray(text, i);
        }
        self.repair(RepairKind::StrayText, i, length);
        self.lenient.stray_end = self.offset(i + length);
        i + length
    }

    /// Takes a full-width sign as the ASCII one it stands for. Gives the place behind it.
    fn full_width(&mut self, text: &str, i: usize) -> Result<Option<usize>, Stop> {
        let Some(character) = text.get(i..).and_then(|rest| rest.chars().next()) else { return Ok(None) };
        // Where a bracket could still be prose, or the start of a key, this one is.
        let is_doubtful = self.candidate == Candidate::Weak || self.step == Step::Key;
        let is_certain = |sign: &u8| !is_doubtful || !matches!(sign, b'{' | b'[' | b'(');
        let Some(sign) = narrow(character).filter(is_certain) else { return Ok(None) };
        let length = character.len_utf8();
        self.repair(RepairKind::FullWidth, i, length);
        // So that a container ends behind all of its closer.
        let shift = if matches!(sign, b'}' | b']' | b')') { length - 1 } else { 0 };
        let at = self.offset(i + shift);
        self.replay(char::from(sign).encode_utf8(&mut [0; 4]), at)?;
        if character == '【' && self.step == Step::FirstElement {
            self.expect_lenticular();
        }
        Ok(Some(i + length))
    }

    /// The first comma of a number in an object, at `i`: whether it groups digits. None while that is not known.
    pub(in super::super) fn groups_digits(&mut self, text: &str, i: usize) -> Option<bool> {
        self.look(Question::Second(Second::NumberComma), text, i).map(|answer| answer == Answer::Text)
    }

    /// Whether the string element that was held is one: `:` behind it says that a bracket is missing.
    #[cold]
    pub(in super::super) fn behind_held_string(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let (at, byte) = super::super::whole::skip_blanks(text.as_bytes(), i);
        self.waits_behind(text.get(i..at).unwrap_or_default(), self.offset(i))?;
        let is_key = byte == Some(b':') && self.may_be_held_string(self.offset(at));
        if byte.is_none() && self.may_be_held_string(self.offset(at)) {
            return Ok(at);
        }
        if !is_key {
            self.show_held_string()?;
            self.leaf_end = self.lenient.key_end;
            self.hide_tail();
            self.step = Step::After;
            // It may have waited long enough already.
            self.waits_behind("", self.offset(at))?;
            return Ok(at);
        }
        let start = self.token_start;
        if self.writer.outer_container() == Some(NodeKind::Object) {
            // If the array is dropped, all text that was written since it began is, and this is not of it.
            let key = String::from_utf8_lossy(self.writer.open_text()).into_owned();
            self.supply_closer_at(self.comma)?;
            self.writer.begin_text();
            self.push_text(&key)?;
        } else {
            self.repairs.add(RepairKind::MissingOpener, place(start));
            self.begin_object_at(start)?;
        }
        self.step = Step::Colon;
        Ok(at)
    }

    /// The string element that was held is shown.
    pub(in super::super) fn show_held_string(&mut self) -> Result<(), Stop> {
        if self.candidate == Candidate::Weak {
            self.settle_root();
        }
        self.begin_string_leaf(self.token_start)
    }
}

/// Whether a stray word goes on with this character.
fn is_in_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
