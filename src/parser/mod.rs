//! Bytes in, document grown.

mod chunk;
mod cut;
mod envelope;
mod error;
mod finish;
mod freeze;
mod grammar;
mod lenient;
mod machine;
mod number;
mod options;
mod outcome;
mod report;
mod scalar;
mod seam;
mod stretch;
mod string;
mod utf8;
mod whole;

use std::fmt;
use std::mem;
use std::sync::Arc;

pub use chunk::Chunk;
pub use error::{Error, ErrorKind};
pub(crate) use freeze::settle;
pub use freeze::{extract_continuation_contexts, get_contexts};
pub use options::{Dialect, Duplicates, Expect, Limits, MAX_DEPTH, Options, Role, Roots};
pub use outcome::{Complete, Document, End, Finished, Incomplete, Outcome};
pub use report::{RepairKind, Report, ReportKind, Reports, WarningKind};
pub use seam::{Seam, SeamKind};
pub(crate) use string::{plain_length, short_escape};
pub(crate) use utf8::{Piece, Utf8};

use crate::document::log::ascii;
use crate::document::{Bookmark, Log, Span, Start};
use crate::frozen::{Frozen, Origin};
use crate::view::{Snapshot, Update};

use machine::Machine;
use seam::Rounds;

/// Chunks up to this many bytes are looked at before the general check for UTF-8.
const SMALL: usize = 64;

/// Reads JSON that arrives in chunks cut anywhere.
///
/// ```
/// use jsonrill::{End, Parser};
/// use serde_json::json;
///
/// let mut parser = Parser::new();
/// let update = parser.feed(r#"{"msg": "Hel"#);
/// assert_eq!(update.snapshot().at("/msg"), "Hel");
///
/// let update = parser.feed(r#"lo, World!", "#);
/// assert_eq!(update.delta().to_value(), json!({"msg": "lo, World!"}));
/// assert!(update.is_final("/msg"));
///
/// parser.push(r#""done": true}"#);
/// let answer = parser.finish(End::Unknown).into_complete()?;
/// assert_eq!(answer.at("/done"), true);
/// # Ok::<(), jsonrill::Incomplete>(())
/// ```
///
/// A parser is a state machine: it needs no runtime, does no input or output, and can be moved between threads.
pub struct Parser {
    machine: Machine,
    utf8: Utf8,
    finished: bool,
    /// Input came after the end.
    late: Option<Arc<Error>>,
    /// What the last update showed.
    reported: Start,
    /// The number of the document it showed.
    document: u32,
    sequence: u64,
    /// Where it came from when the text ended.
    origin_at_end: Option<Origin>,
    /// How many rounds had begun when the last update was made.
    reported_rounds: u32,
    /// The round in which more text came than the limit allows; the first has the number 0.
    overflowed: Option<u32>,
    rounds: Rounds,
}

impl Default for Parser {
    fn default() -> Self {
        Self::new()
    }
}

impl Parser {
    /// A lenient parser that finds JSON in whatever is around it.
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(Options::new())
    }

    /// A parser of RFC 8259 and nothing else.
    #[must_use]
    pub fn strict() -> Self {
        Self::with_options(Options::strict())
    }

    /// A parser with these options.
    #[must_use]
    pub fn with_options(options: Options) -> Self {
        Self {
            machine: Machine::new(options),
            utf8: Utf8::default(),
            finished: false,
            late: None,
            reported: Start::nothing(options.replacing()),
            document: 0,
            sequence: 0,
            origin_at_end: None,
            reported_rounds: 0,
            overflowed: None,
            rounds: Rounds::default(),
        }
    }

    /// Forgets all text, of which nothing is shown: what follows is the first that counts, after so many rounds. The
    /// numbers of its updates go on.
    pub(crate) fn begin_anew(&mut self, rounds: usize) {
        let (options, sequence) = (self.machine.options, self.sequence);
        *self = Self { sequence, ..Self::with_options(options) };
        for _ in 0..rounds {
            self.next_round();
        }
    }

    /// Takes a chunk of any size, cut anywhere, even inside a character, and says what it changed.
    ///
    /// # Errors
    ///
    /// There are none. Where the text is malformed, or a limit is reached, the update has an
    /// [`error`](Update::error), as has every one after it, and the snapshot up to there stays readable. The bytes
    /// behind the error are kept as text but not read. After [`Parser::finish`] a chunk changes nothing, and the update
    /// has an error with [`ErrorKind::Finished`].
    ///
    /// # Complexity
    ///
    /// O(bytes of the chunk + depth), with no allocation in most calls, whatever the size of the document.
    pub fn feed(&mut self, chunk: impl Chunk) -> Update {
        self.push_chunk(chunk.bytes(), chunk.text());
        self.update()
    }

    /// Takes a chunk like [`Parser::feed`] but makes no update: for those who look less often than they feed.
    ///
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let mut parser = Parser::new();
    /// for chunk in ["[\"a", "b\", ", "1", "2, "] {
    ///     parser.push(chunk);
    /// }
    /// assert_eq!(parser.update().delta().to_string(),
    ///     r#"[{"op":"add","path":"","value":["ab",12]},{"op":"final","path":"/0"},{"op":"final","path":"/1"}]"#);
    /// ```
    pub fn push(&mut self, chunk: impl Chunk) {
        self.push_chunk(chunk.bytes(), chunk.text());
    }

    #[inline]
    fn push_chunk(&mut self, chunk: &[u8], text: Option<&str>) {
        if chunk.is_empty() {
            return;
        }
        let machine = &mut self.machine;
        let room = machine.options.limits.bytes - machine.stream.length();
        if self.finished
            || machine.error.is_some()
            || chunk.len() > room as usize
            || self.utf8.held() > 0
            || self.rounds.is_holding()
        {
            return self.push_in_part(chunk);
        }
        machine.stream.push(chunk);
        // Small chunks are mostly ASCII, which is quicker to see than that they are UTF-8.
        let text = text.or_else(|| if chunk.len() <= SMALL { ascii(chunk) } else { None });
        // What goes wrong is kept in the machine.
        let _ = match text {
            Some(text) => machine.text(text),
            None => self.utf8.pieces(chunk, |piece| machine.piece(&piece)),
        };
    }

    /// A chunk of which not all may be read, or that goes on with a character.
    #[cold]
    fn push_in_part(&mut self, chunk: &[u8]) {
        if self.finished {
            self.late.get_or_insert_with(|| self.machine.after_end());
            return;
        }
        let machine = &mut self.machine;
        let room = machine.options.limits.bytes - machine.stream.length();
        let fits = chunk.len().min(room as usize);
        let (chunk, beyond) = chunk.split_at_checked(fits).unwrap_or((chunk, &[]));
        machine.stream.push(chunk);
        if machine.error.is_some() {
            return;
        }
        let chunk = self.push_head(chunk);
        let machine = &mut self.machine;
        if machine.error.is_some() {
            return;
        }
        let read = self.utf8.pieces(chunk, |piece| machine.piece(&piece));
        if read.is_ok() && !beyond.is_empty() {
            self.overflow();
        }
    }

    /// More text came than the limit allows.
    fn overflow(&mut self) {
        let limit = self.machine.options.limits.bytes;
        self.overflowed = Some(self.rounds.begun());
        let _ = self.machine.fail::<()>(ErrorKind::ByteLimit, limit, "fewer bytes");
    }

    /// What came since the last update.
    ///
    /// # Complexity
    ///
    /// O(depth).
    #[inline(never)]
    pub fn update(&mut self) -> Update {
        // An update is large: it is made where it is wanted, of parts, and not moved.
        if !self.machine.ended.is_empty() || !self.machine.shows_all() {
            return self.partial_update();
        }
        let mark = self.machine.mark_all();
        self.update_with(self.machine.writer.log().clone(), mark, None)
    }

    /// The same where documents have ended, or not all of what was read is shown.
    #[cold]
    #[inline(never)]
    fn partial_update(&mut self) -> Update {
        let earlier = if self.machine.ended.is_empty() { None } else { self.ended_documents() };
        let mark = self.machine.mark();
        self.update_with(self.machine.log().clone(), mark, earlier)
    }

    #[inline(always)]
    fn update_with(&mut self, log: Arc<Log>, mark: Bookmark, earlier: Option<Arc<Vec<Update>>>) -> Update {
        self.reported_rounds = self.rounds.begun();
        self.sequence = self.sequence.saturating_add(1);
        let error = self.late.as_ref().or(self.machine.error.as_ref()).cloned();
        let before = mem::replace(&mut self.reported, *mark.start());
        let (sequence, document) = (self.sequence, self.document);
        Update { before, snapshot: Snapshot { log, mark }, sequence, document, error, earlier }
    }

    /// The last updates of documents after which another has begun.
    #[cold]
    fn ended_documents(&mut self) -> Option<Arc<Vec<Update>>> {
        let ended = mem::take(&mut self.machine.ended);
        let parts: Vec<_> =
            ended.into_iter().filter_map(|(log, mark)| self.ended_document(Snapshot::new(log, mark))).collect();
        (!parts.is_empty()).then(|| Arc::new(parts))
    }

    /// The last update of a document after which another has begun; none if there is nothing new in it.
    fn ended_document(&mut self, snapshot: Snapshot) -> Option<Update> {
        // What is outside the roots was told, whatever document comes next: then, or with one that was left open.
        let mut next = Start::nothing(self.machine.options.replacing());
        let (told, left) = (self.reported.seen, snapshot.mark.seen);
        next.seen = if left.outside_end > told.outside_end { left } else { told };
        let before = mem::replace(&mut self.reported, next);
        let document = self.document;
        self.document += 1;
        let is_new = before.root != snapshot.mark.root || before.depth() > 0 || before.leaf().is_some();
        is_new.then(|| {
            self.sequence = self.sequence.saturating_add(1);
            Update { before, snapshot, sequence: self.sequence, document, error: None, earlier: None }
        })
    }

    /// The document as far as it is known.
    ///
    /// # Complexity
    ///
    /// O(depth).
    #[must_use]
    pub fn snapshot(&mut self) -> Snapshot {
        self.machine.snapshot()
    }

    /// How many bytes the log of the document takes, about.
    pub(crate) fn log_size(&self) -> u64 {
        self.machine.writer.size()
    }

    /// Reads nothing behind the one root that is wanted: it is counted.
    pub(crate) fn leave_unread(&mut self) {
        self.machine.unread = Some(0);
    }

    /// How many bytes were not read, white space aside.
    pub(crate) fn unread(&self) -> u64 {
        self.machine.unread.unwrap_or_default()
    }

    /// Lets go of what is final and was read by all who want to, so that its memory is free once no snapshot has it.
    /// For those alone who show no snapshot to anybody: a later one has less than those before it.
    ///
    /// `false` where that has to wait. All that the text says from then on is what it would have said.
    pub(crate) fn let_go(&mut self) -> bool {
        self.machine.let_go()
    }

    /// Says that no more text comes, and why.
    ///
    /// What was held is settled, so the last update has a delta as well ([`Finished::update`]): text that might have
    /// been structure, a root that might have been prose. A root that its own bytes did not close stays open, and so
    /// does everything on the path to where it was cut. Input after this is not read; finishing again changes nothing.
    ///
    /// # Complexity
    ///
    /// O(depth + what was held + number of roots, repairs and skips).
    pub fn finish(&mut self, end: End) -> Finished {
        if !self.finished {
            self.finished = true;
            self.origin_at_end = Some(self.origin());
            self.end_head();
            let half = self.half(self.machine.text_end());
            self.machine.finish(end, half);
        }
        let update = self.update();
        let snapshot = update.snapshot.clone();
        let skipped = self.machine.skipped();
        let outcome = self.machine.outcome(&skipped);
        Finished {
            update,
            outcome,
            repairs: self.machine.repairs.clone(),
            warnings: self.machine.warnings.clone(),
            skipped,
            frozen: Frozen::new(snapshot, self.shape(), true, self.origin()),
            documents: self.machine.documents(),
            seams: self.rounds.seams.clone(),
        }
    }

    /// The start of a character that a text up to there ends with. What was left out may be behind it.
    fn half(&self, text_end: u32) -> Span {
        let held = self.utf8.held();
        let end = if held > 0 { self.rounds.end_of_read(text_end) } else { text_end };
        Span::new(end.saturating_sub(held), end)
    }

    /// Whether the only root was closed, in the strict dialect.
    fn is_done(&self) -> bool {
        self.machine.step == machine::Step::Done
    }

    /// Why the parser stopped, if it did.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.machine.error.as_deref()
    }

    /// Where the text departed from RFC 8259 so far.
    #[must_use]
    pub fn repairs(&self) -> &Reports<RepairKind> {
        &self.machine.repairs
    }

    /// What is valid but worth a look so far.
    #[must_use]
    pub fn warnings(&self) -> &Reports<WarningKind> {
        &self.machine.warnings
    }
}

impl fmt::Debug for Parser {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Parser")
            .field("options", &self.machine.options)
            .field("step", &self.machine.step)
            .field("bytes", &self.machine.stream.length())
            .field("error", &self.machine.error)
            .finish_non_exhaustive()
    }
}
