//! What means nothing between values: comments, ellipses, white space that JSON does not have.

use crate::document::Span;

use super::super::machine::{Machine, Step};
use super::super::report::RepairKind;
use super::decide::{Answer, Question, Second};
use super::signs::is_special_space;

/// A comment that is being skipped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comment {
    start: u32,
    /// It ends with `*/`, else with its line.
    is_block: bool,
    /// The byte before was a star.
    star: bool,
    /// The step that it interrupts.
    then: Step,
}

/// What a byte between values turned out to be.
pub(super) enum Blank {
    /// Nothing: it was skipped, and the reading goes on here.
    Skipped(usize),
    /// Not known yet: all was taken.
    Held,
    /// No blank.
    No,
}

impl Machine {
    /// Skips what means nothing at byte `i`, if anything does.
    pub(super) fn blank(&mut self, text: &str, i: usize, byte: u8) -> Blank {
        let question = match byte {
            b'/' => Second::Slash,
            b'#' if self.step == Step::Value || self.step == Step::FirstElement => Second::NumberSign,
            b'#' => {
                self.begin_comment(i, false);
                return Blank::Skipped(i + 1);
            }
            b'.' if self.is_directly_behind(self.lenient.dots_end, i) => {
                // More of the same, behind the end of a piece.
                self.repair(RepairKind::Ellipsis, i, 1);
                self.lenient.dots_end = self.offset(i + 1);
                return Blank::Skipped(i + 1);
            }
            b'.' => Second::Point,
            // White space of a text that was escaped once more.
            b'\\' => Second::Space,
            // Vertical tab and form feed.
            0x0B | 0x0C => {
                self.repair(RepairKind::SpecialSpace, i, 1);
                return Blank::Skipped(i + 1);
            }
            0x80.. => return self.wide_blank(text, i),
            _ => return Blank::No,
        };
        match (self.look(Question::Second(question), text, i), question) {
            (None, _) => Blank::Held,
            (Some(Answer::Text), _) => Blank::No,
            (Some(_), Second::Point) => {
                let dots = text.bytes().skip(i).take_while(|byte| *byte == b'.').count();
                self.repair(RepairKind::Ellipsis, i, dots);
                self.lenient.dots_end = self.offset(i + dots);
                Blank::Skipped(i + dots)
            }
            (Some(_), Second::Space) => {
                self.repair(RepairKind::SpecialSpace, i, 2);
                Blank::Skipped(i + 2)
            }
            (Some(_), Second::Slash) => {
                // What the second byte is has been seen, so it is here.
                self.begin_comment(i, text.as_bytes().get(i + 1) == Some(&b'*'));
                Blank::Skipped(i + 2)
            }
            (Some(_), _) => {
                self.begin_comment(i, false);
                Blank::Skipped(i + 1)
            }
        }
    }

    fn wide_blank(&mut self, text: &str, i: usize) -> Blank {
        let Some(character) = text.get(i..).and_then(|rest| rest.chars().next()) else { return Blank::No };
        let kind = match character {
            '…' => RepairKind::Ellipsis,
            space if is_special_space(space) => RepairKind::SpecialSpace,
            _ => return Blank::No,
        };
        self.repair(kind, i, character.len_utf8());
        Blank::Skipped(i + character.len_utf8())
    }

    fn begin_comment(&mut self, i: usize, is_block: bool) {
        self.lenient.comment = Some(Comment { start: self.offset(i), is_block, star: false, then: self.step });
        self.step = Step::Comment;
    }

    /// In a comment.
    #[cold]
    pub(in super::super) fn comment(&mut self, text: &str, i: usize) -> usize {
        let Some(mut comment) = self.lenient.comment else { return text.len() };
        let rest = text.as_bytes().get(i..).unwrap_or_default();
        let length = rest.iter().position(|byte| {
            let ends = if comment.is_block { comment.star && *byte == b'/' } else { matches!(byte, b'\n' | b'\r') };
            comment.star = *byte == b'*';
            ends
        });
        let Some(length) = length else {
            self.lenient.comment = Some(comment);
            return text.len();
        };
        let end = i + length + usize::from(comment.is_block);
        self.end_comment(self.end_before(end));
        end
    }

    /// The comment that is being skipped ends here.
    pub(super) fn end_comment(&mut self, end: u32) {
        if let Some(comment) = self.lenient.comment.take() {
            self.repairs.add(RepairKind::Comment, Span::new(comment.start, end));
            self.step = comment.then;
        }
    }

    /// Skips what is neither key nor value: the character at byte `i`.
    pub(super) fn stray(&mut self, text: &str, i: usize) -> usize {
        let length = text.get(i..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        self.repair(RepairKind::StrayText, i, length);
        i + length
    }
}
