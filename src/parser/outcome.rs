//! The end of a text, and what it amounts to.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::document::{Bookmark, NodeKind, Replacing, SkipKind, Span};
use crate::frozen::Cut;
use crate::view::{Snapshot, Update};

use super::error::{Error, ErrorCode};
use super::machine::{Candidate, Machine, Root, Step, Stop, offset};
use super::options::{Role, Roots};
use super::report::{RepairKind, Reports, WarningKind};

/// Why no more text comes.
///
/// It settles how the last bytes are read, never whether the text is complete: a root that its own bytes did not close
/// is [`Outcome::Truncated`] whatever is said here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum End {
    /// The model said that it had finished.
    Stopped,
    /// The model was stopped: a token limit, a time-out, a lost connection.
    Truncated,
    /// Nobody knows.
    #[default]
    Unknown,
}

impl End {
    /// What a provider's stop reason says: `stop`, `end_turn`, `tool_calls` and their like, or `length`,
    /// `max_tokens` and theirs. Anything else is [`End::Unknown`].
    ///
    /// ```
    /// use jsonrill::End;
    ///
    /// assert_eq!(End::from_stop_reason("end_turn"), End::Stopped);
    /// assert_eq!(End::from_stop_reason("MAX_TOKENS"), End::Truncated);
    /// assert_eq!(End::from_stop_reason("content_filter"), End::Truncated);
    /// assert_eq!(End::from_stop_reason("?"), End::Unknown);
    /// ```
    #[must_use]
    pub fn from_stop_reason(reason: &str) -> Self {
        const STOPPED: [&str; 10] = [
            "stop",
            "end_turn",
            "stop_sequence",
            "tool_calls",
            "tool_use",
            "function_call",
            "completed",
            "complete",
            "eos",
            "eos_token",
        ];
        const TRUNCATED: [&str; 14] = [
            "length",
            "max_tokens",
            "max_output_tokens",
            "model_length",
            "model_context_window_exceeded",
            "incomplete",
            "content_filter",
            "safety",
            "recitation",
            "refusal",
            "error",
            "failed",
            "cancelled",
            "abort",
        ];
        let is = |known: &&str| known.eq_ignore_ascii_case(reason);
        if STOPPED.iter().any(is) {
            Self::Stopped
        } else if TRUNCATED.iter().any(is) {
            Self::Truncated
        } else {
            Self::Unknown
        }
    }
}

/// What a text amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Outcome {
    /// The text is JSON and nothing else.
    Complete,
    /// The root is closed, but the text departs from RFC 8259: see the repairs and what was skipped.
    Repaired,
    /// The text ended before its root did.
    Truncated,
    /// The text has something that no rule reads.
    Malformed,
    /// There is no JSON in the text.
    Empty,
    /// A limit was reached.
    Limit,
}

impl Outcome {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Repaired => "repaired",
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::Empty => "empty",
            Self::Limit => "limit",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One of the roots that a text has.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Document {
    /// Its place among them, from 0. Where many roots are wanted it is [`Update::document`], too.
    pub number: u32,
    /// Its value.
    pub snapshot: Snapshot,
    /// Whether its own bytes closed it.
    pub is_complete: bool,
    /// Where it is in the source.
    pub span: Span,
}

/// All that is known when a text has ended.
///
/// It reads like the last [`Update`], and says what the text amounts to. To get at a value that is certainly whole, ask
/// for [`Finished::into_complete`].
#[derive(Debug, Clone)]
pub struct Finished {
    pub(super) update: Update,
    pub(super) outcome: Outcome,
    pub(super) repairs: Reports<RepairKind>,
    pub(super) warnings: Reports<WarningKind>,
    pub(super) skipped: Reports<SkipKind>,
    pub(super) cut: Option<Cut>,
    pub(super) documents: Documents,
}

impl Finished {
    /// What the end of the text added.
    #[must_use]
    pub fn update(&self) -> &Update {
        &self.update
    }

    /// What the text amounts to.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Whether the text itself closed the root, with nothing missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        matches!(self.outcome, Outcome::Complete | Outcome::Repaired)
    }

    /// Where the text departed from RFC 8259.
    #[must_use]
    pub fn repairs(&self) -> &Reports<RepairKind> {
        &self.repairs
    }

    /// What is valid but worth a look.
    #[must_use]
    pub fn warnings(&self) -> &Reports<WarningKind> {
        &self.warnings
    }

    /// What is outside the JSON.
    #[must_use]
    pub fn skipped(&self) -> &Reports<SkipKind> {
        &self.skipped
    }

    /// Where and in what state the text stopped, if it was cut.
    #[must_use]
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.as_ref()
    }

    /// Every root that was read, in the order of the text, the answer among them.
    #[must_use]
    pub fn documents(&self) -> impl ExactSizeIterator<Item = Document> {
        let Documents { closed, open, replacing } = &self.documents;
        (0..closed.len() + usize::from(open.is_some())).map(move |at| {
            let (snapshot, span) = match (closed.get(at), open) {
                (Some(root), _) => (root.snapshot(*replacing), root.span),
                (None, Some((snapshot, span))) => (snapshot.clone(), *span),
                (None, None) => (self.update.snapshot().clone(), Span::default()),
            };
            Document { number: offset(at), snapshot, is_complete: at < closed.len(), span }
        })
    }

    /// The whole answer, or all that there is of it.
    ///
    /// # Errors
    ///
    /// [`Incomplete`], which keeps everything, where the outcome is neither complete nor repaired.
    ///
    /// ```
    /// use jsonrill::{End, Outcome, Parser};
    ///
    /// let mut parser = Parser::new();
    /// parser.push(r#"{"city": "Oslo", "days": [1, 2"#);
    /// let incomplete = parser.finish(End::Stopped).into_complete().unwrap_err();
    /// assert_eq!(incomplete.outcome(), Outcome::Truncated);
    /// assert_eq!(incomplete.snapshot().at("/city"), "Oslo");
    /// ```
    pub fn into_complete(self) -> Result<Complete, Incomplete> {
        if self.is_complete() { Ok(Complete(self)) } else { Err(Incomplete(Box::new(self))) }
    }
}

impl Deref for Finished {
    type Target = Update;

    fn deref(&self) -> &Update {
        &self.update
    }
}

/// An answer that is whole. Reads like its [`Snapshot`].
#[derive(Debug, Clone)]
pub struct Complete(Finished);

impl Complete {
    /// All that is known about the text.
    #[must_use]
    pub fn finished(&self) -> &Finished {
        &self.0
    }
}

impl Deref for Complete {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        self.0.update.snapshot()
    }
}

impl fmt::Display for Complete {
    /// The answer as JSON.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0.update.snapshot(), formatter)
    }
}

/// An answer that is not whole, with everything that there is of it.
#[derive(Debug, Clone)]
pub struct Incomplete(Box<Finished>);

impl Incomplete {
    /// All that is known about the text.
    #[must_use]
    pub fn finished(&self) -> &Finished {
        &self.0
    }

    /// The value as far as it goes.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        self.0.update.snapshot()
    }

    /// Why it is not whole.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.0.outcome
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.update.error(), self.0.cut()) {
            (Some(error), _) => write!(formatter, "the JSON is {}: {error}", self.0.outcome),
            (None, Some(cut)) => write!(formatter, "the JSON is truncated at byte {} ({})", cut.offset(), cut.state()),
            (None, None) => formatter.write_str("the text has no JSON"),
        }
    }
}

impl std::error::Error for Incomplete {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.update.error().map(|error| error as _)
    }
}

/// The roots of a text, of which snapshots are made when they are asked for: there may be very many.
#[derive(Clone)]
pub(super) struct Documents {
    closed: Vec<Root>,
    open: Option<(Snapshot, Span)>,
    replacing: Replacing,
}

impl fmt::Debug for Documents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.closed.iter().map(|root| root.span)).entries(&self.open).finish()
    }
}

impl Root {
    fn snapshot(&self, replacing: Replacing) -> Snapshot {
        let mut mark = Bookmark::nothing(match replacing {
            Replacing::Never => Replacing::Never,
            // It may have happened in this one.
            Replacing::Possible | Replacing::Happened => Replacing::Happened,
        });
        (mark.root, mark.nodes) = (self.node, self.nodes);
        Snapshot::new(self.log.clone(), mark)
    }
}

impl Machine {
    /// No more text comes: settles what can be settled. `held` bytes at the end are the start of a character.
    pub(super) fn finish(&mut self, end: End, held: u32) {
        // What goes wrong is kept where it is looked for.
        let _ = match self.error.as_ref().map(|error| error.code) {
            // Up to a limit the text is read like one that ends there.
            None | Some(ErrorCode::ByteLimit) => self.settle_end(end, held),
            Some(_) if self.step == Step::After && self.writer.depth() > 0 => self.settle_last_scalar(end),
            Some(_) => Ok(()),
        };
        self.settle_shown(end);
        if let Some(error) = &self.error {
            self.stream.outside(SkipKind::Unread, Span::new(error.offset, self.stream.length()));
        }
    }

    fn settle_end(&mut self, end: End, held: u32) -> Result<(), Stop> {
        // Half a character in a string is part of the cut, and may be elsewhere in what models write.
        let in_string = matches!(self.step, Step::String | Step::KeyString) && !self.escape.is_unfinished();
        if held > 0 && !in_string && (self.step == Step::Outside || !self.options.is_lenient()) {
            self.at = self.stream.length() - held;
            self.invalid(held)?;
        }
        self.settle_last_scalar(end)?;
        if self.step == Step::Outside {
            self.envelope_end(self.stream.length());
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
    fn read_end(&self) -> u32 {
        self.error.as_ref().map_or(self.stream.length(), |error| error.offset)
    }

    /// The scalar at the end of the text has nothing behind it.
    fn settle_last_scalar(&mut self, end: End) -> Result<(), Stop> {
        let is_root = self.writer.depth() == 0;
        match self.step {
            Step::Number(state) if is_root && state.is_whole() && end != End::Truncated => {
                let at = self.stream.length();
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
            (_, Candidate::Weak) => self.settle_root(),
            (_, Candidate::Scalar) if self.writer.has_leaf() => self.settle_root(),
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
            Roots::One => self.roots.iter().find(|root| !root.is_weak).map(|root| root.span),
            _ => None,
        };
        // Of several roots of which the last is wanted, the others.
        let mut replaced = match (self.options.roots, self.candidate) {
            (Roots::Last, Candidate::Shown) => &self.roots[..],
            (Roots::Last, _) => self.roots.split_last().map(|(_, replaced)| replaced).unwrap_or_default(),
            _ => &[],
        }
        .iter()
        .filter(|root| !root.is_weak)
        .map(|root| root.span)
        .peekable();
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
        Documents { closed, open, replacing: self.options.replacing() }
    }

    /// Input that came after the end.
    pub(super) fn after_end(&self) -> Arc<Error> {
        Arc::new(Error {
            code: ErrorCode::Finished,
            offset: self.stream.length(),
            place: None,
            expected: "no more input",
        })
    }
}
