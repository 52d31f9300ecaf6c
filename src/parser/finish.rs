//! The end of a text: what is settled then, and how.

use std::sync::Arc;

use crate::document::{NodeKind, SkipKind, Span};

use super::error::{Error, ErrorKind};
use super::machine::{Candidate, Machine, Step, Stop};
use super::options::{Role, Roots};
use super::outcome::{Documents, End, Outcome};
use super::report::Reports;

impl Machine {
    /// No more text comes: settles what can be settled. `half` is the start of a character, where what was read ends
    /// with one.
    pub(super) fn finish(&mut self, end: End, half: Span) {
        // What goes wrong is kept where it is looked for.
        let _ = match self.error.as_ref().map(|error| error.kind) {
            // Up to a limit the text is read like one that ends there.
            None | Some(ErrorKind::ByteLimit) => self.settle_end(end, half),
            Some(_) if self.step == Step::After && self.writer.depth() > 0 => self.settle_last_scalar(end),
            Some(_) => Ok(()),
        };
        self.settle_shown(end);
        if let Some(error) = &self.error {
            self.stream.outside(SkipKind::Unread, Span::new(error.offset, self.stream.length()));
        }
    }

    pub(super) fn settle_end(&mut self, end: End, half: Span) -> Result<(), Stop> {
        let held = half.len();
        // Half a character in a string is part of the cut, and may be elsewhere in what models write.
        let in_string =
            matches!(self.reading_step(), Step::String | Step::KeyString | Step::OtherString | Step::OtherKey)
                && !self.escape.is_unfinished();
        self.at = half.start;
        if held > 0 && !in_string && !self.options.is_lenient() {
            self.invalid(held)?;
        }
        if self.options.is_lenient() {
            // Half a character goes on with the text that is before it.
            self.end_lenient(if held > 0 { End::Truncated } else { end })?;
        }
        self.settle_last_scalar(end)?;
        if held > 0 && self.step == Step::Outside && self.at < half.end {
            self.invalid(held)?;
        }
        if self.step == Step::Outside {
            self.envelope_end(self.text_end());
        }
        Ok(())
    }

    /// Nothing that was held can become anything else: it is shown.
    fn settle_shown(&mut self, end: End) {
        self.check_weak();
        if self.document.is_none() {
            // Where there is no room for a last value, the error says so.
            let _ = self.choose_root(end);
        }
        self.release_weak(true);
        // Of many, one that has its line for itself is a root that was cut.
        let is_root = match self.candidate {
            Candidate::Weak => self.root_begins_line,
            Candidate::Scalar => self.writer.has_leaf(),
            _ => false,
        };
        if is_root && self.options.roots == Roots::Many {
            self.settle_root();
        }
        let end = self.read_end();
        match self.candidate {
            Candidate::Shown => self.writer.settle(),
            Candidate::Weak | Candidate::Scalar => self.drop_candidate(),
            Candidate::Aside => {
                let span = Span::new(self.root_start, end);
                self.abandon(self.root_start);
                self.skip(SkipKind::Document, span);
            }
            Candidate::None => {}
        }
    }

    /// The candidate that is open is prose.
    fn drop_candidate(&mut self) {
        let end = self.read_end();
        self.abandon(end);
        self.envelope_end(end);
    }

    /// How far the input was read.
    pub(super) fn read_end(&self) -> u32 {
        self.error.as_ref().map_or(self.stream.length(), |error| error.offset)
    }

    /// The scalar at the end of the text has nothing behind it.
    fn settle_last_scalar(&mut self, end: End) -> Result<(), Stop> {
        let is_root = self.writer.depth() == 0;
        match self.step {
            Step::Number(state) if is_root && state.is_whole() && end != End::Truncated => {
                let at = self.at;
                if self.candidate == Candidate::Scalar {
                    self.settle_root();
                }
                self.writer.end_leaf(at);
                self.value_ended(at)
            }
            Step::After if is_root => self.end_scalar_root(),
            Step::After => {
                let (kind, start) = (self.waiting_keyword(), self.token_start);
                match kind.map(|kind| self.writer.open_keyword(kind, start, self.options.limits.nodes)) {
                    Some(Err(_)) => self.too_many_nodes(start),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// No root is shown: takes the best there is.
    fn choose_root(&mut self, end: End) -> Result<(), Stop> {
        let was_cut = end == End::Truncated;
        let first_weak = self.roots.iter().position(|root| root.is_weak);
        match (first_weak, self.candidate) {
            // In a text that was cut, a note like `[1]` is no answer: that was still to come, or had just begun.
            (Some(weak), candidate) if !was_cut || (candidate == Candidate::None && !self.has_prose()) => {
                if matches!(candidate, Candidate::Weak | Candidate::Scalar) {
                    self.drop_candidate();
                }
                self.use_weak_root(weak);
            }
            // Also a scalar of which nothing can be shown, such as `tru`.
            (_, Candidate::Weak | Candidate::Scalar) => self.settle_root(),
            _ if self.options.role == Role::Arguments && !was_cut && self.error.is_none() && self.is_blank() => {
                return self.no_arguments();
            }
            _ => {}
        }
        Ok(())
    }

    /// The weak root with this number is the answer.
    fn use_weak_root(&mut self, number: usize) {
        if let Some(root) = self.roots.get_mut(number) {
            root.is_weak = false;
            let node = root.node;
            self.answer = Some(root.span);
            self.candidate = Candidate::None;
            self.release_weak(false);
            self.writer.begin_candidate();
            self.writer.show_root(node);
            self.document = Some(0);
        }
    }

    /// Whether the text has nothing but blanks so far.
    fn is_blank(&self) -> bool {
        let fresh = matches!(self.step, Step::Root | Step::Outside);
        fresh && self.stream.seen().0 == 0 && self.roots.is_empty()
    }

    /// A call without arguments.
    fn no_arguments(&mut self) -> Result<(), Stop> {
        let at = self.stream.length();
        self.begin_root(at, Candidate::Shown);
        if self.writer.begin_container(NodeKind::Object, at, self.options.limits.nodes).is_err() {
            return self.too_many_nodes(at);
        }
        self.writer.end_container(at);
        self.value_ended(at)
    }

    /// What the text amounts to.
    pub(super) fn outcome(&self, skipped: &Reports<SkipKind>) -> Outcome {
        if let Some(error) = &self.error {
            return if error.is_limit() { Outcome::Limit } else { Outcome::Malformed };
        }
        if self.is_left {
            return Outcome::Truncated;
        }
        let began = !matches!(self.step, Step::Outside | Step::Root | Step::Done);
        let open = began && matches!(self.candidate, Candidate::Shown);
        if open {
            Outcome::Truncated
        } else if self.document.is_none() {
            Outcome::Empty
        } else if !self.repairs.is_empty() || !skipped.is_empty() {
            Outcome::Repaired
        } else {
            Outcome::Complete
        }
    }

    /// All that is outside the JSON. A root that looked like prose while it was read, and is the answer after all, is
    /// taken out.
    pub(super) fn skipped(&self) -> Reports<SkipKind> {
        let mut skipped = Reports::default();
        let answer = match self.options.roots {
            Roots::One => self.answer,
            _ => None,
        };
        // Of several roots of which the last is wanted, the others.
        let replaced = match (self.options.roots, self.candidate) {
            (Roots::Last, Candidate::Shown) => usize::MAX,
            (Roots::Last, _) => self.roots.iter().filter(|root| !root.is_weak).count().saturating_sub(1),
            _ => 0,
        };
        let roots = self.roots.iter().filter(|root| !root.is_weak).map(|root| root.span);
        let mut replaced = roots.take(replaced).peekable();
        let (count, last_end) = self.stream.seen();
        for number in 0..count {
            let Some(tile) = self.stream.stream.tile(number, count, last_end) else { break };
            while let Some(root) = replaced.next_if(|root| root.start < tile.span.start) {
                skipped.add(SkipKind::Document, root);
            }
            let mut rest = tile.span;
            if let Some(answer) = answer.filter(|answer| answer.start >= rest.start && answer.end <= rest.end) {
                if rest.start < answer.start {
                    skipped.add(tile.kind, Span::new(rest.start, answer.start));
                }
                rest.start = answer.end;
            }
            if !rest.is_empty() {
                skipped.add(tile.kind, rest);
            }
        }
        replaced.for_each(|root| skipped.add(SkipKind::Document, root));
        skipped
    }

    /// Every root that was read to its end, and the one that is open.
    pub(super) fn documents(&mut self) -> Documents {
        // Of many, those that are prose for all that is known are no documents.
        let one = self.options.roots == Roots::One;
        let closed = self.roots.iter().filter(|root| one || !root.is_weak).cloned().collect();
        let open = (self.candidate == Candidate::Shown)
            .then(|| (self.snapshot(), Span::new(self.root_start, self.read_end())));
        Documents { closed, open }
    }

    /// Input that came after the end.
    pub(super) fn after_end(&self) -> Arc<Error> {
        Arc::new(Error {
            kind: ErrorKind::Finished,
            offset: self.stream.length(),
            place: None,
            expected: "no more input",
        })
    }
}
