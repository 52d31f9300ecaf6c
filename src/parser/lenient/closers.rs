//! Closers that do not fit, and containers that JSON does not have.
//!
//! **A closer that does not fit the innermost container** is surplus where nothing is open that it closes. Otherwise
//! what follows decides ([`Question::WrongCloser`]): it closes the innermost container where what follows fits then
//! (`["a", "b" }}`, `[1, 2}, "b": 3`); it is surplus where a value follows in an array; at the end, or before prose, it
//! closes everything up to the container it fits.
//!
//! **Tuples and sets** are arrays, and `)` and `}` close them as `]` does. A call around one value is that value.

use crate::document::NodeKind;

use super::super::machine::{Candidate, Machine, Step, Stop};
use super::super::options::MAX_DEPTH;
use super::super::report::RepairKind;
use super::ahead::place;
use super::decide::{Answer, Question};
use super::signs::narrow;

/// Something that another closer than a bracket of JSON closes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Odd {
    /// How many containers are open in it, itself included. It is closed as soon as there are fewer.
    depth: usize,
    closer: u8,
    kind: OddKind,
    /// Where it begins, or the value that it is a part of.
    start: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OddKind {
    /// A tuple or set.
    Container,
    /// A call around a value: no container of its own.
    Call,
    /// A second pair of braces around an object. The object is the container that it names.
    Braces,
}

impl Machine {
    /// What is open that an odd closer closes, the innermost first.
    fn open_odd(&self) -> impl Iterator<Item = Odd> {
        let depth = self.writer.depth();
        self.lenient.odd.iter().rev().copied().skip_while(move |odd| odd.depth > depth)
    }

    /// A container is about to begin: what other means have closed at its level, or deeper, is no more looked at.
    #[inline]
    pub(in super::super) fn forget_closed_odd(&mut self) {
        let depth = self.writer.depth();
        while self.lenient.odd.last().is_some_and(|odd| odd.depth > depth) {
            self.lenient.odd.pop();
        }
    }

    /// Whether something is open that this closes.
    pub(super) fn closes_odd(&self, closer: u8) -> bool {
        self.open_odd().any(|odd| odd.closer == closer && odd.kind != OddKind::Braces)
    }

    /// What this closes right here.
    fn odd_here(&self, closer: u8) -> Option<Odd> {
        let mut odd = self.open_odd().filter(|odd| odd.kind != OddKind::Braces);
        odd.next().filter(|odd| odd.closer == closer && odd.depth == self.writer.depth())
    }

    /// Whether this, or the ASCII sign that it stands for, closes what is odd right here.
    pub(super) fn closes_odd_here(&self, character: char) -> bool {
        let closer = narrow(character).or_else(|| u8::try_from(character).ok());
        closer.is_some_and(|closer| self.odd_here(closer).is_some())
    }

    /// An array began with `【`, and a `】` behind a quote, which is text elsewhere, closes it.
    pub(super) fn expect_lenticular(&mut self) {
        self.push_odd(b']', OddKind::Container);
    }

    fn push_odd(&mut self, closer: u8, kind: OddKind) {
        self.forget_closed_odd();
        // Calls and braces can be in each other without end, and all are looked at for each closer.
        if self.lenient.odd.len() >= MAX_DEPTH as usize {
            return;
        }
        let depth = self.writer.depth();
        self.lenient.odd.push(Odd { depth, closer, kind, start: self.token_start });
    }

    fn pop_odd(&mut self, odd: Odd) {
        while let Some(last) = self.lenient.odd.pop() {
            if last.depth == odd.depth && last.closer == odd.closer && last.kind == odd.kind {
                break;
            }
        }
    }

    /// `(` where a value belongs.
    pub(super) fn begin_tuple(&mut self, i: usize) -> Result<usize, Stop> {
        self.repair(RepairKind::Tuple, i, 1);
        let next = self.open(NodeKind::Array, Step::FirstElement, i)?;
        if self.step == Step::FirstElement {
            self.push_odd(b')', OddKind::Container);
        }
        Ok(next)
    }

    /// `(` behind a word: what is in it is the value.
    pub(super) fn begin_call(&mut self) {
        self.push_odd(b')', OddKind::Call);
        self.step = Step::Value;
    }

    /// A brace was repeated: the innermost object is in two pairs of them.
    pub(super) fn expect_brace(&mut self) {
        self.push_odd(b'}', OddKind::Braces);
    }

    /// Whether this brace, at `i`, closes the second pair around the innermost object: it is skipped.
    #[cold]
    pub(in super::super) fn closes_braces(&mut self, i: usize) -> bool {
        let depth = self.writer.depth();
        let here = |odd: &Odd| odd.depth == depth && odd.kind == OddKind::Braces;
        let Some(odd) = self.open_odd().next().filter(here) else { return false };
        self.pop_odd(odd);
        self.repair(RepairKind::RepeatedBrace, i, 1);
        self.step = Step::After;
        true
    }

    /// Whether the innermost object may be a set: it has nothing in it, and is not shown.
    pub(super) fn may_be_set(&self) -> bool {
        self.writer.is_held_and_empty()
    }

    /// The innermost object is a set.
    pub(super) fn begin_set(&mut self, start: u32) {
        let start = self.writer.container_start().unwrap_or(start);
        self.repairs.add(RepairKind::Set, self.sign(start));
        self.writer.become_array();
        self.push_odd(b'}', OddKind::Container);
        if self.candidate == Candidate::Shown {
            self.writer.settle();
        }
    }

    /// An object begins whose brace is missing.
    pub(super) fn begin_object_at(&mut self, start: u32) -> Result<(), Stop> {
        self.writer.hold();
        self.forget_closed_odd();
        if self.writer.begin_container(NodeKind::Object, start, self.options.limits.nodes).is_err() {
            return self.too_many_nodes(start);
        }
        Ok(())
    }

    /// The innermost container ends before `i`, where its closer is missing.
    pub(super) fn supply_closer(&mut self, i: usize) -> Result<(), Stop> {
        let at = self.sign(self.offset(i)).start;
        self.supply_closer_at(at)
    }

    pub(super) fn supply_closer_at(&mut self, at: u32) -> Result<(), Stop> {
        self.repairs.add(RepairKind::MissingCloser, place(at));
        self.end_container(self.lenient.holes.end_before(at))
    }

    /// A closer where none fits as it is.
    pub(super) fn other_closer(&mut self, text: &str, i: usize, closer: u8) -> Result<usize, Stop> {
        if let Some(odd) = self.odd_here(closer) {
            let is_call = odd.kind == OddKind::Call;
            // Behind a comma in the call only that is too many.
            if is_call && self.step != Step::After && (self.writer.has_key() || self.comma < odd.start) {
                self.missing_value(self.offset(i))?;
            }
            self.pop_odd(odd);
            self.drop_comma();
            if is_call {
                self.step = Step::After;
                return Ok(i + 1);
            }
            return self.close(i);
        }
        let around = self.around();
        if !around.is_open(closer) {
            self.repair(RepairKind::SurplusCloser, i, 1);
            return Ok(i + 1);
        }
        let fits = match closer {
            b'}' => Some(NodeKind::Object),
            b']' => Some(NodeKind::Array),
            _ => None,
        };
        if fits.is_some() && self.writer.container() == fits {
            self.drop_comma();
            return self.close(i);
        }
        match self.look(Question::WrongCloser(around), text, i) {
            None => Ok(text.len()),
            Some(Answer::Surplus) => {
                self.repair(RepairKind::SurplusCloser, i, 1);
                Ok(i + 1)
            }
            Some(Answer::Through) => {
                self.drop_comma();
                self.close_through(i, closer, fits)
            }
            Some(_) => {
                self.drop_comma();
                self.repair(RepairKind::WrongCloser, i, 1);
                self.close(i)
            }
        }
    }

    /// The comma before a closer has nothing behind it.
    fn drop_comma(&mut self) {
        if matches!(self.step, Step::Key | Step::Value) && !self.writer.has_key() {
            self.repairs.add(RepairKind::ExtraComma, self.sign(self.comma));
        }
    }

    /// Closes everything up to what the closer fits, and that.
    fn close_through(&mut self, i: usize, closer: u8, fits: Option<NodeKind>) -> Result<usize, Stop> {
        let at = self.sign(self.offset(i)).start;
        while self.writer.depth() > 0 {
            if fits.is_some() && self.writer.container() == fits {
                return self.close(i);
            }
            if self.odd_here(closer).is_some() {
                self.step = Step::After;
                return Ok(i);
            }
            self.supply_closer_at(at)?;
        }
        Ok(i)
    }
}
