//! What a text amounts to, and all that is known when it has ended.

use std::fmt;
use std::ops::Deref;

use smallvec::SmallVec;

use crate::document::{Bookmark, Replacing, SkipKind, Span};
use crate::frozen::{Cut, CutState, Frozen};
use crate::view::{Snapshot, Update};

use super::machine::{Root, offset};
use super::report::{RepairKind, Reports, WarningKind};
use super::seam::Seam;

/// Why no more text comes.
///
/// It settles how the last bytes are read, never whether the text is complete: a root that its own bytes did not close
/// is [`Outcome::Truncated`] whatever is said here.
///
/// ```
/// use jsonrill::{End, Parser};
///
/// let read = |end| {
///     let mut parser = Parser::new();
///     parser.push(r#"{"note": "tea}"#); // is the bracket text, or is a quote missing before it?
///     parser.finish(end).snapshot().at("/note").as_str().map(str::to_owned)
/// };
/// assert_eq!(read(End::Truncated).as_deref(), Some("tea}"));
/// assert_eq!(read(End::Stopped).as_deref(), Some("tea"));
/// assert_eq!(End::from_stop_reason("max_tokens"), End::Truncated);
/// ```
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
        const TRUNCATED: [&str; 23] = [
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
            // a turn that the model takes up again
            "pause_turn",
            "repetition",
            "blocklist",
            "prohibited_content",
            "spii",
            "malformed_function_call",
            "insufficient_system_resource",
            "network_error",
            "sensitive",
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
///
/// ```
/// use jsonrill::{Outcome, repair};
///
/// let outcome = |text: &str| repair(text).outcome();
/// assert_eq!(outcome("{\"a\": 1}"), Outcome::Complete);
/// assert_eq!(outcome("{\"a\": 1,}"), Outcome::Repaired);
/// assert_eq!(outcome("{\"a\": 1"), Outcome::Truncated);
/// assert_eq!(outcome("Sorry."), Outcome::Empty);
/// assert!(Outcome::Repaired.is_complete() && !Outcome::Empty.is_complete());
/// assert_eq!(Outcome::Empty.as_str(), "empty");
/// ```
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
    /// Whether the text itself closed the root, with nothing missing: complete or repaired.
    #[must_use]
    pub const fn is_complete(self) -> bool {
        matches!(self, Self::Complete | Self::Repaired)
    }

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

crate::names::named!(Outcome);

/// One of the roots that a text has.
///
/// ```
/// use jsonrill::{End, Options, Parser, Roots};
///
/// let mut parser = Parser::with_options(Options::new().roots(Roots::Many));
/// parser.push("{\"id\": 1}\n{\"id\": 2");
/// let finished = parser.finish(End::Unknown);
/// let documents: Vec<_> = finished.documents().collect();
/// assert!(documents[0].is_complete && !documents[1].is_complete);
/// assert_eq!(documents[1].snapshot.at("/id"), 2);
/// ```
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
///
/// ```
/// use jsonrill::{End, Outcome, Parser};
///
/// let mut parser = Parser::new();
/// parser.push("{\"a\": [1, 2,");
/// let finished = parser.finish(End::Truncated);
/// assert_eq!((finished.outcome(), finished.is_complete()), (Outcome::Truncated, false));
/// assert_eq!(finished.snapshot().to_string(), r#"{"a":[1,2]}"#);
/// assert_eq!(finished.cut().map(|cut| cut.closers()), Some("]}"));
/// ```
#[derive(Debug, Clone)]
pub struct Finished {
    pub(super) update: Update,
    pub(super) outcome: Outcome,
    pub(super) repairs: Reports<RepairKind>,
    pub(super) warnings: Reports<WarningKind>,
    pub(super) skipped: Reports<SkipKind>,
    pub(super) frozen: Frozen,
    pub(super) documents: Documents,
    pub(super) seams: Vec<Seam>,
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
        self.outcome.is_complete()
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
        let is_open =
            self.update.error().is_none() && !matches!(self.frozen.state(), CutState::BeforeRoot | CutState::Done);
        is_open.then(|| self.frozen.cut())
    }

    /// The state at the end of the text: what a model needs to go on from there.
    ///
    /// ```
    /// use jsonrill::{End, Parser};
    ///
    /// let mut parser = Parser::new();
    /// parser.push(r#"{"items": [{"name": "First"}, {"name": "Second", "add"#);
    /// let finished = parser.finish(End::Truncated);
    /// assert_eq!(finished.frozen().overlap().text, r#"{"name": "Second", "add"#);
    /// assert_eq!(finished.frozen().complete_part(), r#"{"items": [{"name": "First"}, {"name": "Second"}]}"#);
    /// ```
    #[must_use]
    pub fn frozen(&self) -> &Frozen {
        &self.frozen
    }

    /// How the rounds were joined, in order: see [`Parser::next_round`](crate::Parser::next_round). There is one for each
    /// time that was called, so also for a last round that never came: [`SeamKind::Empty`](crate::SeamKind::Empty), or,
    /// behind a document that is whole, [`SeamKind::Rest`](crate::SeamKind::Rest), at the end of the text.
    ///
    /// ```
    /// use jsonrill::{End, Parser, SeamKind};
    ///
    /// let mut parser = Parser::new();
    /// parser.push("[1, 2");
    /// parser.next_round();
    /// let finished = parser.finish(End::Unknown); // the model was not asked again, or gave nothing
    /// let seam = &finished.seams()[0];
    /// assert_eq!((seam.kind, seam.offset, seam.is_certain), (SeamKind::Empty, 5, true));
    /// ```
    #[must_use]
    pub fn seams(&self) -> &[Seam] {
        &self.seams
    }

    /// Every root that was read, in the order of the text, the answer among them.
    #[must_use]
    pub fn documents(&self) -> impl ExactSizeIterator<Item = Document> {
        let Documents { closed, open } = &self.documents;
        let last = &self.update.snapshot().mark;
        (0..closed.len() + usize::from(open.is_some())).map(move |at| {
            let (snapshot, span) = match (closed.get(at), open) {
                (Some(root), _) => (root.snapshot(last), root.span),
                (None, Some((snapshot, span))) => (snapshot.clone(), *span),
                (None, None) => (self.update.snapshot().clone(), Span::default()),
            };
            let is_complete = closed.get(at).is_some_and(|root| root.open.is_none());
            Document { number: offset(at), snapshot, is_complete, span }
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
///
/// ```
/// use jsonrill::{End, Parser};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"city": "Oslo", "days": [1, 2]}"#);
/// let answer = parser.finish(End::Stopped).into_complete()?;
/// assert_eq!((answer.at("/days/1").as_i64(), answer.is_final("")), (Some(2), true));
/// # Ok::<(), jsonrill::Incomplete>(())
/// ```
#[derive(Debug, Clone)]
pub struct Complete(Finished);

impl Complete {
    /// The value.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        self.0.update.snapshot()
    }

    /// How the text ended: `Complete`, or `Repaired`.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.0.outcome()
    }

    /// All that is known about the text.
    #[must_use]
    pub fn finished(&self) -> &Finished {
        &self.0
    }

    /// All that is known about the text.
    #[must_use]
    pub fn into_finished(self) -> Finished {
        self.0
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
///
/// ```
/// use jsonrill::{End, Outcome, Parser};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"city": "Os"#);
/// let incomplete = parser.finish(End::Stopped).into_complete().unwrap_err();
/// assert_eq!((incomplete.outcome(), incomplete.snapshot().at("/city").as_str()), (Outcome::Truncated, Some("Os")));
/// assert_eq!(incomplete.to_string(), "the JSON is truncated at byte 12 (in_string)");
/// ```
#[derive(Debug, Clone)]
pub struct Incomplete(Box<Finished>);

impl Incomplete {
    /// All that is known about the text.
    #[must_use]
    pub fn finished(&self) -> &Finished {
        &self.0
    }

    /// All that is known about the text.
    #[must_use]
    pub fn into_finished(self) -> Finished {
        *self.0
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
            (Some(error), _) if error.is_limit() => write!(formatter, "the JSON is beyond a limit: {error}"),
            (Some(error), _) => write!(formatter, "the JSON is {}: {error}", self.0.outcome),
            (None, Some(cut)) => write!(formatter, "the JSON is truncated at {cut}"),
            (None, None) => formatter.write_str("the text has no JSON"),
        }
    }
}

// It says what the parser's error says: `finished().error()` has that.
impl std::error::Error for Incomplete {}

/// The roots of a text, of which snapshots are made when they are asked for: there may be very many.
#[derive(Clone)]
pub(super) struct Documents {
    pub(super) closed: SmallVec<[Root; 1]>,
    /// The one that is open, and where it is.
    pub(super) open: Option<(Snapshot, Span)>,
}

impl fmt::Debug for Documents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.closed.iter().map(|root| root.span)).entries(&self.open).finish()
    }
}

impl Root {
    /// Its value, with the text around it as `last` sees it.
    fn snapshot(&self, last: &Bookmark) -> Snapshot {
        if let Some(open) = &self.open {
            return Snapshot::new(self.log.clone(), Bookmark::clone(open));
        }
        let mut mark = Bookmark::nothing(match last.replacing {
            Replacing::Never => Replacing::Never,
            // It may have happened in this one.
            Replacing::Possible | Replacing::Happened => Replacing::Happened,
        });
        (mark.root, mark.nodes) = (self.node, self.nodes);
        mark.seen = last.seen;
        Snapshot::new(self.log.clone(), mark)
    }
}
