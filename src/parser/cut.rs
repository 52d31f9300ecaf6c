//! What a parser notes about the cut, for a [`Frozen`](crate::Frozen).

use crate::document::{NodeKind, Span};
use crate::frozen::{CutState, Shape};

use super::machine::{Candidate, Machine, Step, offset as offset_of};
use super::report::{RepairKind, Report, WarningKind};

impl Machine {
    /// Whether the end of the text would settle nothing more than what [`Machine::shape`] says: no byte is held, or
    /// shown otherwise than it would be.
    pub(super) fn is_settled(&self, shape: &Shape) -> bool {
        match self.candidate {
            Candidate::Shown if shape.is_verbatim => self.waiting_keyword().is_none(),
            Candidate::Shown => {
                let hides = self.hides_tail() || self.writer.is_holding() || self.waiting_keyword().is_some();
                // Of three quotes that close a string two are held.
                let in_other = self.step == Step::OtherString && self.lenient.marks == 0;
                (self.is_at_plain_step() || in_other) && !hides
            }
            // What comes behind the answer does not change it.
            _ if self.has_answer() => true,
            // The lenient dialect may hold what is before a root, and what is behind it if there may be others.
            Candidate::None => self.options.is_strict() || shape.root.is_some_and(|root| self.is_blank_from(root.end)),
            _ => false,
        }
    }

    /// Whether the step is one that RFC 8259 has.
    fn is_at_plain_step(&self) -> bool {
        matches!(
            self.step,
            Step::Root
                | Step::Done
                | Step::Value
                | Step::FirstElement
                | Step::FirstKey
                | Step::Key
                | Step::Colon
                | Step::After
                | Step::KeyString
                | Step::String
                | Step::Number(_)
                | Step::Keyword
        )
    }

    /// Where the text stops, `half` bytes of it the start of a character, if its end settles nothing.
    pub(super) fn shape(&self, half: u32) -> Shape {
        // An error that half a character is stands where it begins.
        let whole = if self.error.is_some() { self.read_end() } else { self.read_end().saturating_sub(half) };
        let offset = match self.step {
            Step::BehindAnswer => self.token_start,
            Step::String | Step::KeyString if !self.escape.is_unfinished() => self.read_end(),
            // Outside the text of a string half a character is an error.
            _ if self.options.is_strict() => whole,
            _ => self.read_end(),
        };
        if self.candidate != Candidate::Shown {
            return self.closed_shape(offset);
        }
        let state = self.cut_state();
        let in_flight = !matches!(state, CutState::InKey | CutState::BetweenMembers);
        let quote = match self.step {
            Step::String | Step::HeldString => String::from("\""),
            Step::OtherString => self.closing_quote(),
            _ => String::new(),
        };
        let prefix = if self.step == Step::OtherString { self.lenient.prefix } else { 0 };
        let closers = quote.clone() + &self.writer.closers();

        let escape = self.escape.start().unwrap_or(offset);
        let leaf = self.writer.leaf_start();
        let token = match state {
            CutState::InString | CutState::InEscape => {
                Some(Span::new(leaf.unwrap_or(self.token_start), escape.min(whole)))
            }
            CutState::InNumber => {
                let shown = leaf.map_or(0, |_| self.writer.shown_length());
                Some(Span::new(self.token_start, self.token_start.saturating_add(shown)))
            }
            CutState::InKey | CutState::InKeyword => Some(Span::new(self.token_start, self.token_start)),
            _ => leaf.map(|start| Span::new(start, self.leaf_end)),
        };
        let container = self.writer.container_start();
        let opened = container.map_or(0, |start| start + 1);
        let settled = match (state, leaf) {
            (CutState::InNumber | CutState::InString | CutState::InEscape, Some(_)) => self.comma.max(opened),
            (CutState::BetweenMembers, Some(_)) => self.leaf_end,
            (CutState::BetweenMembers, None) if self.waiting_keyword().is_some() => self.leaf_end,
            _ => self.writer.last_child_end().unwrap_or(opened),
        };
        Shape {
            offset,
            state,
            open: Some(self.writer.path(in_flight, state == CutState::AfterKey)),
            closers,
            root: Some(Span::new(self.root_start, offset)),
            container,
            token,
            quote: prefix + offset_of(quote.len()),
            escape,
            settled,
            // A string that may be a key is an element if nothing more comes.
            is_verbatim: (self.is_at_plain_step()
                || matches!(self.step, Step::BehindAnswer | Step::HeldString | Step::BareKey))
                && self.is_verbatim(self.root_start, offset),
            dropped: Vec::new(),
            has_dropped: self.has_dropped(self.root_start, offset),
        }
    }

    /// The same while no root is open.
    fn closed_shape(&self, offset: u32) -> Shape {
        let span = self.answer.filter(|_| self.document.is_some());
        Shape {
            offset,
            state: if span.is_some() { CutState::Done } else { CutState::BeforeRoot },
            open: None,
            closers: String::new(),
            root: span,
            container: None,
            token: None,
            quote: 0,
            escape: offset,
            settled: span.map_or(0, |span| span.end),
            is_verbatim: span.is_some_and(|span| self.is_verbatim(span.start, span.end)),
            dropped: Vec::new(),
            has_dropped: span.is_some_and(|span| self.has_dropped(span.start, span.end)),
        }
    }

    /// Whether the input from here on is white space, and little of it.
    fn is_blank_from(&self, at: u32) -> bool {
        let span = Span::new(at, self.stream.length());
        span.len() < 64 && self.stream.stream.bytes(span).iter().all(u8::is_ascii_whitespace)
    }

    /// Whether nothing in this stretch was repaired, or is worth a warning.
    fn is_verbatim(&self, start: u32, end: u32) -> bool {
        // Of very many not all are kept.
        if self.repairs.omitted() + self.warnings.omitted() > 0 {
            return false;
        }
        let reaches = |span: Span| span.end > start || span.is_empty() && span.start == start;
        // What is missing at the very end was supplied where the reading stopped with an error.
        let begins = |span: Span| span.start < end || span.is_empty() && span.start == end;
        let warning = self.warnings.iter().rev().find(|report| report.span.start < end);
        // A quote around the root is before it, and makes the root another text.
        let is_repaired = |report: &Report<RepairKind>| {
            reaches(report.span) || matches!(report.kind, RepairKind::EscapedDocument | RepairKind::DoubledDocument)
        };
        let is_repair = |report: &Report<RepairKind>| begins(report.span) && is_repaired(report);
        !self.repairs.iter().any(is_repair) && !warning.is_some_and(|report| reaches(report.span))
    }

    /// Whether members of a name that was there before were dropped in this stretch.
    fn has_dropped(&self, start: u32, end: u32) -> bool {
        let is_dropped = |report: &Report<WarningKind>| {
            report.kind == WarningKind::DuplicateKey && report.span.start >= start && report.span.start < end
        };
        self.warnings.omitted() > 0 || self.warnings.iter().any(is_dropped)
    }

    fn cut_state(&self) -> CutState {
        match self.step {
            Step::String | Step::OtherString | Step::HeldString if self.escape.is_pending() => CutState::InEscape,
            Step::String | Step::OtherString | Step::HeldString => CutState::InString,
            Step::Bare => match self.writer.leaf_kind() {
                Some(NodeKind::String) => CutState::InString,
                Some(NodeKind::Number) => CutState::InNumber,
                _ => CutState::InKeyword,
            },
            Step::KeyString | Step::OtherKey | Step::BareKey => CutState::InKey,
            Step::Colon => CutState::AfterKey,
            Step::Value if self.writer.container() == Some(NodeKind::Object) => CutState::AfterColon,
            Step::Number(_) => CutState::InNumber,
            Step::Keyword => CutState::InKeyword,
            Step::Outside | Step::Root => CutState::BeforeRoot,
            Step::Done => CutState::Done,
            Step::Value
            | Step::FirstElement
            | Step::FirstKey
            | Step::Key
            | Step::After
            | Step::AfterPatient
            | Step::AfterHeldString
            | Step::Join
            | Step::BehindAnswer
            | Step::Stray
            | Step::Comment
            | Step::Layered
            | Step::Held => CutState::BetweenMembers,
        }
    }
}
