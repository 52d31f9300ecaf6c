//! What is held when the text ends.
//!
//! [`End::Truncated`]: every held byte takes the strict reading, so a quote closes, and commas and closers in an open
//! string are text. [`End::Stopped`]: the reading that closes the document, if there is one. [`End::Unknown`]: as
//! `Stopped` if the closers that are held, less those that pair with openers in the text, close exactly what is open,
//! else as `Truncated`. Whether the text is complete is another question, which its closers alone answer.

use crate::document::NodeKind;

use super::super::machine::{Candidate, Machine, Step, Stop, offset};
use super::super::outcome::End;
use super::gap::Gap;

impl Machine {
    /// The text ends here: settles what the lenient rules hold.
    pub(in super::super) fn end_lenient(&mut self, end: End) -> Result<(), Stop> {
        self.enter_layer();
        let half = self.half_pair();
        let text_end = self.at;
        if let Some((at, _)) = half {
            self.at = at;
        }
        let settled = self.settle_held(end);
        self.at = text_end;
        settled?;
        let is_over = self.lenient.layer.is_none();
        self.end_layer();
        // Half a pair is part of the cut. Behind the root that is read so it is what it is.
        match half {
            Some((at, alone)) if is_over => self.replay(alone, at),
            _ => Ok(()),
        }
    }

    fn settle_held(&mut self, end: End) -> Result<(), Stop> {
        self.release_at_end()?;
        if self.step == Step::Comment {
            self.end_comment(self.text_end());
        }
        match self.step {
            Step::String | Step::OtherString => {
                self.release_marks()?;
                if end != End::Truncated {
                    self.close_open_string(end)?;
                }
            }
            Step::KeyString | Step::OtherKey if end != End::Truncated => self.close_open_key()?,
            Step::Bare => self.show_bare_at_end()?,
            // Nothing has shown that the braces around some words are more than that.
            Step::BareKey if self.candidate == Candidate::Weak => {
                self.unexpected(self.text_end(), "`:`")?;
            }
            Step::HeldString => {
                self.show_held_string()?;
                self.step = Step::String;
            }
            Step::AfterHeldString => {
                self.show_held_string()?;
                self.leaf_end = self.lenient.key_end;
                self.step = Step::After;
            }
            Step::AfterPatient | Step::Join => self.step = Step::After,
            _ => {}
        }
        // What is open now stays as it is: nothing can become structure any more.
        if matches!(self.step, Step::String | Step::OtherString | Step::After)
            && self.writer.leaf_kind() == Some(NodeKind::String)
        {
            self.show_tail();
        }
        Ok(())
    }

    /// Closes the open string if the closers at its end close the document.
    fn close_open_string(&mut self, end: End) -> Result<(), Stop> {
        let Some(tail) = self.string_tail() else { return Ok(()) };
        let text = self.writer.open_text();
        let structure = text.get(tail.structure..).unwrap_or_default();
        if !structure.trim_ascii_end().ends_with(b"}") && !structure.trim_ascii_end().ends_with(b"]") {
            return Ok(());
        }
        let closers: Vec<u8> = structure.iter().copied().filter(|byte| matches!(byte, b'}' | b']')).collect();
        let before = text.get(..tail.start).unwrap_or_default();
        let mut paired = unpaired_openers(before);
        if closers.get(paired..).is_none_or(|closers| !self.closes_all(closers)) {
            paired = 0;
            if end != End::Stopped || !self.closes_all(&closers) {
                return Ok(());
            }
        }
        // The first closers pair with openers in the text, and are text. White space before the others is not.
        let mut places = structure.iter().enumerate().filter(|(_, byte)| matches!(byte, b'}' | b']'));
        let skip = paired.checked_sub(1).and_then(|last| places.nth(last)).map_or(0, |(at, _)| at + 1);
        let structure = String::from_utf8_lossy(structure.get(skip..).unwrap_or_default()).into_owned();
        let source_end = self.at;
        if skip > 0 {
            self.lenient.raw_from = offset(tail.structure + skip);
            self.lenient.escaped_quote = false;
        }
        if self.end_string_before_tail(source_end)?.is_none() {
            return Ok(());
        }
        self.replay(&structure, self.place_before(source_end, structure.len()))
    }

    /// Whether these closers close exactly what is open.
    fn closes_all(&self, closers: &[u8]) -> bool {
        let fits = |(level, closer): (usize, &u8)| {
            let kind = if *closer == b'}' { NodeKind::Object } else { NodeKind::Array };
            self.writer.container_at(level) == Some(kind)
        };
        closers.len() == self.writer.depth() && closers.iter().enumerate().all(fits)
    }

    /// Ends a key whose closing quote is missing, if the closers at the end close the document then.
    fn close_open_key(&mut self) -> Result<(), Stop> {
        let Some(colon) = self.missing_key_quote(usize::MAX) else { return Ok(()) };
        let text = self.writer.open_text();
        let closers: Vec<u8> = text
            .iter()
            .rev()
            .filter(|byte| !byte.is_ascii_whitespace())
            .take_while(|byte| matches!(byte, b'}' | b']'))
            .copied()
            .collect();
        let closers: Vec<u8> = closers.into_iter().rev().collect();
        if !self.closes_all(&closers) {
            return Ok(());
        }
        let end = self.at;
        self.end_key_at(colon, end..u32::MAX, "", Gap::default())
    }
}

/// How many openers in a text have no closer behind them.
fn unpaired_openers(text: &[u8]) -> usize {
    text.iter().fold(0_usize, |open, byte| match byte {
        b'{' | b'[' => open + 1,
        b'}' | b']' => open.saturating_sub(1),
        _ => open,
    })
}
