//! The place where the text of one response goes on with that of the one before.
//!
//! The start of a round is held ([`Head`]) until it is known how it goes on ([`head`], [`decide`]). Then what it
//! repeats is left out, and the rest is read where the text before it stopped, by the same parser.

mod before;
mod decide;
mod decision;
mod head;
mod junk;
mod lanes;
mod path;
mod plain;
mod report;
mod spelling;
mod surplus;
mod units;
mod usual;

pub use report::{Seam, SeamKind};

use std::collections::VecDeque;

use crate::document::{SkipKind, Span};
use crate::frozen::{CutState, Dropped};

use super::Parser;
use super::RepairKind;
use super::machine::{Candidate, offset};
use before::Before;
use decision::Decision;
use head::Head;

/// Repairs of a text whose strings may have line breaks, or none quotes: its rest need not be JSON as it is.
const DIALECT: [RepairKind; 5] = [
    RepairKind::BareKey,
    RepairKind::BareString,
    RepairKind::ControlCharacter,
    RepairKind::ForeignKeyword,
    RepairKind::OtherQuotes,
];

/// What a parser knows about its rounds.
#[derive(Default)]
pub(super) struct Rounds {
    pub(super) seams: Vec<Seam>,
    /// The start of the round, while it is held.
    head: Option<Box<Head>>,
    /// What was left out of the rounds.
    dropped: Vec<Dropped>,
    /// How those before go on, and, where a text is read again, how those to come do.
    decided: Vec<Option<Decision>>,
    known: VecDeque<Option<Decision>>,
    /// One that is known, and what has come of what it leaves out.
    waiting: Option<(Decision, Vec<u8>)>,
    /// Where the string begins in the text of the root that the rounds have in quotes of two kinds.
    in_other_quotes: Option<usize>,
}

impl Rounds {
    /// How many rounds there are beside the first.
    #[inline]
    pub(super) fn begun(&self) -> u32 {
        offset(self.seams.len())
    }

    /// Where they begin.
    pub(super) fn starts(&self) -> impl Iterator<Item = u32> {
        self.seams.iter().map(|seam| u32::try_from(seam.offset).unwrap_or(u32::MAX))
    }

    /// What was left out of a root.
    pub(super) fn dropped_in(&self, root: Span) -> impl Iterator<Item = &Dropped> {
        self.dropped.iter().filter(move |dropped| dropped.is_in(root))
    }

    /// Where what was read ends of a text that ends at `end`.
    pub(super) fn end_of_read(&self, end: u32) -> u32 {
        let last = self.dropped.last().filter(|dropped| dropped.span.end == end && dropped.supplied.is_empty());
        last.map_or(end, |dropped| dropped.span.start)
    }

    /// Notes what was left out. What lies behind the last of it at once is one with that: rounds that say nothing new are
    /// no more work for each that comes.
    fn leave(&mut self, span: Span, supplied: String) {
        match self.dropped.last_mut() {
            Some(last) if last.span.end == span.start && last.supplied.is_empty() && supplied.is_empty() => {
                last.span.end = span.end;
            }
            _ => self.dropped.push(Dropped { span, supplied }),
        }
    }

    /// Whether the start of a round is held.
    pub(super) fn is_holding(&self) -> bool {
        self.head.is_some() || self.waiting.is_some()
    }
}

impl Parser {
    /// Says that the text of this response is over, and that of the next one to the same request follows: what is fed
    /// from here on is joined to what there is. To be called as soon as a response has ended: what
    /// [`seams`](Self::seams) says about that one is settled then.
    ///
    /// What the response says again, as far as the cut, is left out, and so are an introduction and the opening mark of
    /// a fence, and reasoning with its tags. Its start is held while it repeats what there is, or is reasoning, else for
    /// at most 512 bytes; [`seams`](Self::seams) says then how it was joined. Nothing that was shown changes, and it does not matter how the response is cut into
    /// chunks. A response that contradicts a value that is final is a document of its own; the one before is kept,
    /// truncated, in [`Finished::documents`](crate::Finished::documents).
    ///
    /// With nothing open (no JSON yet, or it is whole), without the source
    /// ([`Options::keep_source`](crate::Options::keep_source)), or after an error, the response is read as if it were
    /// the same text.
    ///
    /// Copies the text of the root that is open: O(its bytes).
    ///
    /// ```
    /// use jsonrill::{End, Parser, SeamKind};
    ///
    /// let mut parser = Parser::new();
    /// parser.push(r#"{"items": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Ja"#);
    /// parser.next_round();
    /// parser.push("```json\n{\"id\": 2, \"name\": \"Jane\"}, {\"id\": 3}]}\n```");
    /// let finished = parser.finish(End::Stopped);
    /// assert_eq!(finished.snapshot().at("/items/1/name"), "Jane");
    /// assert_eq!(finished.snapshot().at("/items/2/id"), 3);
    /// assert_eq!(finished.seams()[0].kind, SeamKind::Repeat);
    /// ```
    pub fn next_round(&mut self) {
        self.end_head();
        let at = self.machine.stream.length();
        if let Some(known) = self.rounds.known.pop_front() {
            self.rounds.seams.push(Seam { offset: at.into(), kind: SeamKind::Rest, dropped: 0, is_certain: true });
            self.rounds.waiting = known.map(|decision| (decision, Vec::new()));
            return;
        }
        let before = if self.finished || self.machine.error.is_some() { None } else { self.before_seam() };
        let is_rest = before.is_none();
        let kind = if is_rest { SeamKind::Rest } else { SeamKind::Undecided };
        if is_rest {
            self.rounds.decided.push(None);
        }
        // What may be a root may be what the round goes on with, or says again.
        let is_certain = is_rest && (self.finished || self.machine.candidate != Candidate::Weak);
        self.rounds.head = before.map(|before| Box::new(Head::new(before)));
        self.rounds.seams.push(Seam { offset: at.into(), kind, dropped: 0, is_certain });
    }

    /// How the rounds so far were joined, in order; the last may be [`SeamKind::Undecided`] yet.
    #[must_use]
    pub fn seams(&self) -> &[Seam] {
        &self.rounds.seams
    }

    /// What is open, if a root is.
    fn before_seam(&mut self) -> Option<Before> {
        if !self.machine.options.keep_source {
            return None;
        }
        let (mut snapshot, mut shape) = (self.machine.snapshot(), self.shape());
        let is_settled = self.machine.is_settled(&shape);
        // A keyword of a text as it should be is a whole one, and its root is one, whatever follows.
        let is_weak_root = self.machine.candidate == Candidate::Weak && self.machine.repairs.is_empty();
        let is_sure = is_settled || shape.is_verbatim || is_weak_root;
        if !is_settled {
            // As the end of the text would leave it. How the rounds go on is known.
            let mut ended = Self::with_options(self.machine.options);
            ended.rounds.known.extend(self.rounds.decided.iter().cloned());
            ended.read_again(&snapshot, self.rounds.starts(), self.overflowed);
            (snapshot, shape) = ended.settled();
        }
        let is_open = !matches!(shape.state, CutState::BeforeRoot | CutState::Done);
        if !is_open {
            return None;
        }
        let is_plain = !self.machine.repairs.iter().any(|repair| DIALECT.contains(&repair.kind));
        let mut before = Before::new(&snapshot, &shape, is_plain, self.machine.layer())?;
        let has_other_quotes = before.is_in_text() && self.rounds.in_other_quotes == Some(before.token);
        before.is_sure = is_sure && !has_other_quotes;
        Some(before)
    }

    /// Takes the bytes of a round whose start is held. Gives those that are to be read as they are.
    pub(super) fn push_head<'c>(&mut self, chunk: &'c [u8]) -> &'c [u8] {
        for (at, byte) in chunk.iter().enumerate() {
            if let Some((decision, mut round)) = self.rounds.waiting.take() {
                round.push(*byte);
                if round.len() > decision.left_out() {
                    self.join(&decision, &round);
                } else {
                    self.rounds.waiting = Some((decision, round));
                }
                continue;
            }
            let Some(head) = &mut self.rounds.head else { return chunk.get(at..).unwrap_or_default() };
            if let Some(decision) = head.push(*byte) {
                self.decided(decision);
            }
        }
        &[]
    }

    /// Nothing more comes in this round.
    pub(super) fn end_head(&mut self) {
        if let Some((decision, round)) = self.rounds.waiting.take() {
            return self.join(&decision, &round);
        }
        let Some(head) = &mut self.rounds.head else { return };
        let decision = head.decide(true).unwrap_or(Decision::rest(0, false));
        self.decided(decision);
    }

    /// It is known how the round goes on.
    fn decided(&mut self, decision: Decision) {
        let Some(head) = self.rounds.head.take() else { return };
        if decision.is_in_other_quotes {
            self.rounds.in_other_quotes = Some(head.before.token);
        }
        self.join(&decision, &head.round);
        self.rounds.decided.push(Some(decision));
    }

    /// Goes on as decided.
    fn join(&mut self, decision: &Decision, round: &[u8]) {
        let Some(seam) = self.rounds.seams.last_mut() else { return };
        (seam.kind, seam.is_certain) = (decision.kind, decision.is_certain);
        seam.dropped = decision.told() as u64;
        let start = u32::try_from(seam.offset).unwrap_or(u32::MAX);
        if decision.kind == SeamKind::Diverged {
            let half = self.half(start);
            self.utf8 = super::Utf8::default();
            self.machine.leave_root(start, half);
            return self.read_round(start, round);
        }
        if self.machine.options.is_lenient() {
            self.machine.begin_round(start);
        }
        self.leave_out(start, decision);
        let at = start + offset(decision.dropped);
        if matches!(decision.kind, SeamKind::Repeat | SeamKind::Restart | SeamKind::NewMembers) {
            // What was half a character is there again as a whole, or stays one.
            let half = std::mem::take(&mut self.utf8).held();
            let is_closed = matches!(decision.supplied, Some((_, Some(RepairKind::MissingCloser))));
            if half > 0 && is_closed {
                self.machine.at = start - half;
                let _ = self.machine.invalid(half);
            }
        }
        if let Some((text, kind)) = &decision.supplied {
            self.machine.supply(text, *kind, decision.place(start));
        }
        let rest = round.get(decision.dropped..).unwrap_or_default();
        let closer = decision.surplus.and_then(|closer| rest.split_at_checked(closer.checked_sub(decision.dropped)?));
        let Some((rest, [_, behind @ ..])) = closer else { return self.read_round(at, rest) };
        self.read_round(at, rest);
        let closer = Span::new(at + offset(rest.len()), at + offset(rest.len()) + 1);
        self.machine.skip(SkipKind::Closer, closer);
        // A number before it ends there.
        let blank = " ".to_owned();
        self.machine.supply(&blank, None, closer);
        self.rounds.leave(closer, blank);
        self.read_round(closer.end, behind);
    }

    /// Notes what of a round is left out: what is around it, and what it repeats.
    fn leave_out(&mut self, start: u32, decision: &Decision) {
        let place = decision.place(start);
        let supplied = decision.supplied.as_ref().map(|(text, _)| text.clone()).unwrap_or_default();
        // What is supplied is read as if it stood at the end.
        self.machine.leave_hole(Span::new(start, Dropped::begin(place, offset(supplied.len()))));
        if place.start > start {
            self.rounds.leave(Span::new(start, place.start), String::new());
        }
        if !place.is_empty() || !supplied.is_empty() {
            self.rounds.leave(place, supplied);
        }
        let mut told = 0;
        let mut tell = |kind, until: usize| {
            let from = told;
            told = until.max(told);
            if told > from {
                self.machine.skip(kind, Span::new(start + offset(from), start + offset(told)));
            }
        };
        for (kind, until) in &decision.around {
            tell(*kind, *until);
        }
        tell(SkipKind::Repeat, decision.told());
    }

    /// Reads what is in the source from `at` on.
    fn read_round(&mut self, at: u32, rest: &[u8]) {
        let Self { machine, utf8, .. } = self;
        if machine.error.is_some() {
            return;
        }
        machine.at = at - utf8.held();
        // What goes wrong is kept in the machine.
        let _ = utf8.pieces(rest, |piece| machine.piece(&piece));
    }
}
