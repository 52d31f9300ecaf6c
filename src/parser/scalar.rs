//! Numbers and keywords.

use crate::document::{NodeKind, Span};

use super::error::ErrorKind;
use super::machine::{Candidate, Machine, Step, Stop};
use super::number::Number;
use super::report::RepairKind;

impl Machine {
    /// The first byte of a number.
    #[inline]
    pub(super) fn begin_number(&mut self, text: &str, byte: u8, i: usize) -> Result<usize, Stop> {
        let Some(state) = Number::begin(byte) else { return Ok(i) };
        self.token_start = self.offset(i);
        self.writer.begin_text();
        self.step = Step::Number(state);
        self.push_text(text.get(i..=i).unwrap_or_default())?;
        if state.is_whole() {
            self.show_number()?;
        }
        Ok(i + 1)
    }

    /// Inside a number.
    #[inline]
    pub(super) fn number(&mut self, text: &str, i: usize, mut state: Number) -> Result<usize, Stop> {
        let (mut end, mut whole) = (i, i);
        let mut next = None;
        for &byte in text.as_bytes().get(i..).unwrap_or_default() {
            let Some(stepped) = state.step(byte) else {
                next = Some(byte);
                break;
            };
            state = stepped;
            end += 1;
            if state.is_whole() {
                whole = end;
            }
        }
        self.step = Step::Number(state);
        // What is shown is the longest number in it; only when that grows is there more to show.
        if whole > i {
            self.push_text(text.get(i..whole).unwrap_or_default())?;
            self.show_number()?;
        }
        if end > whole {
            self.push_text(text.get(whole..end).unwrap_or_default())?;
        }
        match next {
            Some(_) => self.number_ended(state, text, end),
            None => Ok(end),
        }
    }

    /// All of the text so far is a number.
    #[inline]
    fn show_number(&mut self) -> Result<(), Stop> {
        if !self.writer.has_leaf() {
            if self.candidate == Candidate::Weak {
                self.weak_scalar();
            }
            let at = self.token_start;
            if self.writer.begin_leaf(NodeKind::Number, at, self.options.limits.nodes).is_err() {
                return self.too_many_nodes(at);
            }
        }
        self.writer.show(self.writer.text_length());
        Ok(())
    }

    /// The byte at `i` does not belong to the number.
    #[inline]
    fn number_ended(&mut self, state: Number, text: &str, i: usize) -> Result<usize, Stop> {
        let end = self.end_before(i);
        self.lenient.gap.clear();
        if state == Number::Minus && self.is_tolerant() && text.as_bytes().get(i).is_some_and(u8::is_ascii_whitespace) {
            // The mark of a list.
            self.repairs.add(RepairKind::StrayText, Span::new(self.token_start, end));
            self.step = Step::Value;
            return Ok(i);
        }
        if (!state.is_whole() || goes_on_as_bare(text, i)) && self.is_tolerant() {
            return self.go_on_as_bare(None, end).map(|()| i);
        }
        if !state.is_whole() {
            return self.broken(ErrorKind::InvalidNumber, self.offset(i), state.expected()).map(|()| i);
        }
        if self.options.is_lenient() {
            self.leaf_end = end;
            self.step = Step::After;
        } else {
            self.writer.end_leaf(end);
            self.value_ended(end)?;
        }
        Ok(i)
    }

    /// The first letter of a keyword.
    #[inline]
    pub(super) fn begin_keyword(&mut self, byte: u8, i: usize) -> usize {
        self.token_start = self.offset(i);
        let (kind, letters) = keyword_letters(byte);
        self.keyword = Some((kind, letters, 1));
        self.step = Step::Keyword;
        i + 1
    }

    /// Inside a keyword.
    #[inline]
    pub(super) fn keyword(&mut self, text: &str, mut i: usize) -> Result<usize, Stop> {
        let Some((kind, letters, mut count)) = self.keyword else { return Ok(text.len()) };
        while let (Some(letter), Some(byte)) = (letters.get(count), text.as_bytes().get(i)) {
            if letter != byte && self.is_tolerant() {
                self.lenient.gap.clear();
                let read = letters.get(..count).and_then(|letters| std::str::from_utf8(letters).ok());
                return self.go_on_as_bare(read, self.end_before(i)).map(|()| i);
            }
            if letter != byte {
                return self.unexpected(self.offset(i), keyword_name(kind)).map(|()| i);
            }
            count += 1;
            i += 1;
        }
        self.keyword = Some((kind, letters, count));
        if count < letters.len() {
            return Ok(i);
        }
        let end = self.offset(i);
        if self.options.is_lenient() {
            self.leaf_end = end;
            self.lenient.gap.clear();
            self.step = Step::After;
            return Ok(i);
        }
        self.keyword = None;
        if self.writer.keyword(kind, self.token_start, end, self.options.limits.nodes).is_err() {
            return self.too_many_nodes(self.token_start);
        }
        self.value_ended(end)?;
        Ok(i)
    }

    /// The keyword that was read to its last letter and waits for what follows it.
    pub(super) fn waiting_keyword(&self) -> Option<NodeKind> {
        self.keyword.filter(|(_, letters, count)| *count == letters.len()).map(|(kind, ..)| kind)
    }
}

/// The keyword that begins with this letter.
#[inline]
pub(super) fn keyword_letters(byte: u8) -> (NodeKind, &'static [u8]) {
    match byte {
        b't' => (NodeKind::True, b"true"),
        b'f' => (NodeKind::False, b"false"),
        _ => (NodeKind::Null, b"null"),
    }
}

fn keyword_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::True => "true",
        NodeKind::False => "false",
        _ => "null",
    }
}

/// Whether the byte at `i`, directly behind a number, makes it something else.
#[inline]
fn goes_on_as_bare(text: &str, i: usize) -> bool {
    let next = text.as_bytes().get(i).copied().unwrap_or(b' ');
    next.is_ascii_alphanumeric() || matches!(next, b'_' | b'.' | b'%' | b':' | b'-' | b'+' | b'*' | b'$')
}
