//! Splits what a model writes, and keeps none of it.

use crate::document::SkipKind;
use crate::parser::{End, ErrorKind, Limits, Options, Outcome, Parser, RepairKind, Reports, WarningKind};

use super::chunk::Chunk;
use super::error::SplitError;
use super::splitter::Splitter;
use super::stream::STEP;
use super::updates::UpdateSplitter;

/// How large the parser's log may become before it is let go, in bytes. In debug builds that is done as often as it
/// can be, so that tests come by every place where it might be wrong.
const LOG: u64 = if cfg!(debug_assertions) { 1 } else { 64 << 10 };

/// Splits a text as a model writes it, in the lenient dialect: JSON in prose and fences, cut off, and slightly wrong.
/// Made by [`Splitter::lenient`].
///
/// A chunk leaves as soon as all of it is final, and it is known that the next value does not fit into it. The chunks
/// are those that an [`UpdateSplitter`] gives over a [`Parser`] of its own, to the letter, but of what has left nothing
/// is kept.
///
/// ```
/// use jsonrill::split::Splitter;
/// use jsonrill::{End, Outcome, SkipKind};
///
/// let mut splitter = Splitter::new(30).lenient();
/// let mut texts = Vec::new();
/// for piece in ["Here: {items: [{id: 1,}, {id", ": 2}, {id: 3}, {i", "d: 4}]"] {
///     for chunk in splitter.push(piece) {
///         texts.push(chunk?.text);
///     }
/// }
/// assert_eq!(texts, [r#"{"items":[{"id":1},{"id":2}]}"#]);
/// for chunk in splitter.finish(End::Unknown) {
///     texts.push(chunk?.text);
/// }
/// assert_eq!(texts[1], r#"{"items":[{"id":3},{"id":4}]}"#);
/// assert_eq!(splitter.outcome(), Some(Outcome::Truncated)); // a brace is missing
/// assert_eq!(splitter.repairs().len(), 6); // keys without quotes, and a comma too much
/// assert_eq!(splitter.skipped().iter().next().map(|skip| skip.kind), Some(SkipKind::Prose)); // `Here: `
/// # Ok::<(), jsonrill::split::SplitError>(())
/// ```
///
/// Of a `Stream` of bytes or text, [`decode`](crate::ParseJsonExt::decode) makes a stream of chunks.
///
/// # What is read
///
/// The answer in the text, up to where it ends: [`unread`](Self::unread) says whether more came behind it. For other
/// [`Options`] than the default ones use [`Splitter::updates`].
///
/// # Complexity
///
/// O(bytes), however they are cut. Memory is that of two chunks and of the longest string; of the objects that are
/// open, that of all their keys, for the second of two members with the same key is left out; of 10 000 repairs, and
/// some bytes for each fence or tag before the document. What is not settled is kept until it is:
///
/// - what may be prose, like `[{}, {}`, until it is an answer;
/// - a member that is left out, until it ends;
/// - words without quotes, and strings and numbers without commas, up to the next bracket that closes something.
///
/// Up to 4 GB are read.
#[derive(Debug)]
pub struct LenientSplitter {
    parser: Parser,
    updates: UpdateSplitter,
    /// At which size the log is let go.
    limit: u64,
    /// How many bytes are read before the next try to let the log go, and how many after the last one: each that fails
    /// makes it more.
    wait: usize,
    pause: usize,
    outcome: Option<Outcome>,
    skipped: Reports<SkipKind>,
    /// Why the parser has stopped.
    error: Option<SplitError>,
}

impl LenientSplitter {
    pub(super) fn new(splitter: &Splitter) -> Self {
        // Of bytes, so many as can be told from one another.
        let limits = Limits::new().bytes(u32::MAX);
        let mut parser = Parser::with_options(Options::new().keep_source(false).limits(limits));
        parser.leave_unread();
        let skipped = Reports::default();
        Self { parser, updates: splitter.updates(), limit: LOG, wait: 0, pause: 0, outcome: None, skipped, error: None }
    }

    /// Takes a piece of text, and gives the chunks of which it is known where they end. What is not asked for is read
    /// when the iterator is dropped, and its chunks are lost.
    ///
    /// # Errors
    ///
    /// An item is an error where a value does not fit into a chunk. Nothing is read behind it, and every later call
    /// gives it again. The chunks before it are good.
    pub fn push<'s, 't>(&'s mut self, piece: &'t (impl AsRef<[u8]> + ?Sized)) -> LenientChunks<'s, 't> {
        LenientChunks { splitter: self, rest: piece.as_ref(), end: None, is_failed: false }
    }

    /// Says that the text has ended, and why, and gives the rest of the chunks. A document that was cut is split as far
    /// as it goes. Where there was none, there are no chunks, and no error.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push); and, behind the chunks of what was read, where the document goes beyond a limit.
    pub fn finish(&mut self, end: End) -> LenientChunks<'_, 'static> {
        LenientChunks { splitter: self, rest: &[], end: Some(end), is_failed: false }
    }

    /// What the text turned out to be, once it was [finished](Self::finish).
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Where the text departed from RFC 8259 so far.
    #[must_use]
    pub fn repairs(&self) -> &Reports<RepairKind> {
        self.parser.repairs()
    }

    /// What is valid but worth a look so far: a member that is left out because of its key.
    #[must_use]
    pub fn warnings(&self) -> &Reports<WarningKind> {
        self.parser.warnings()
    }

    /// What stands before the document, once the text was [finished](Self::finish): prose, fences, reasoning. What is
    /// behind it is [not read](Self::unread).
    #[must_use]
    pub const fn skipped(&self) -> &Reports<SkipKind> {
        &self.skipped
    }

    /// How many bytes came behind the document, white space aside. They are not read.
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.parser.unread()
    }

    fn next(&mut self, rest: &mut &[u8], end: &mut Option<End>) -> Option<Result<Chunk, SplitError>> {
        loop {
            if let Some(next) = self.updates.next() {
                return Some(next);
            }
            if !rest.is_empty() && self.outcome.is_none() {
                self.read(rest);
            } else if let Some(end) = end.take().filter(|_| self.outcome.is_none()) {
                self.read_end(end);
            } else {
                return self.error.clone().map(Err);
            }
        }
    }

    /// Reads some of the text.
    fn read(&mut self, rest: &mut &[u8]) {
        let step = rest.get(..STEP).unwrap_or(rest);
        // The log can be let go between two values. In the middle of a string there may be what looks like that, too.
        let is_due = self.parser.log_size() >= self.limit;
        let from = self.wait.min(step.len());
        self.wait -= from;
        let between = memchr::memchr3(b',', b']', b'}', step.get(from..).unwrap_or_default()).filter(|_| is_due);
        let (step, behind) = rest.split_at(between.map_or(step.len(), |place| from + place + 1));
        *rest = behind;
        self.parser.push(step);
        self.updates.read(&self.parser.snapshot(), false);
        // All that is there between two values was read.
        if is_due && self.parser.let_go() {
            self.updates.enter_log(&self.parser.snapshot());
            self.limit = LOG.max(2 * self.parser.log_size());
            (self.wait, self.pause) = (0, 0);
        } else if between.is_some() {
            self.pause = (2 * self.pause + 1).min(STEP);
            self.wait = self.pause;
        }
    }

    fn read_end(&mut self, end: End) {
        let finished = self.parser.finish(end);
        self.outcome = Some(finished.outcome());
        self.skipped = finished.skipped().clone();
        self.error = self.parser.error().map(|error| match error.kind() {
            ErrorKind::DepthLimit => SplitError::too_deep(),
            _ => SplitError::too_long(),
        });
        self.updates.read(finished.snapshot(), true);
    }
}

/// The chunks that a piece of text ends. Made by [`LenientSplitter::push`] and [`LenientSplitter::finish`].
///
/// ```
/// use jsonrill::End;
/// use jsonrill::split::Splitter;
///
/// let mut splitter = Splitter::new(8).lenient();
/// let mut chunks: Vec<_> = splitter.push("Here: [1, 22, 333,]").collect::<Result<_, _>>()?;
/// chunks.extend(splitter.finish(End::Stopped).collect::<Result<Vec<_>, _>>()?);
/// assert_eq!(chunks.iter().map(|chunk| &*chunk.text).collect::<Vec<_>>(), ["[1,22]", "[333]"]);
/// # Ok::<(), jsonrill::split::SplitError>(())
/// ```
#[derive(Debug)]
pub struct LenientChunks<'s, 't> {
    splitter: &'s mut LenientSplitter,
    rest: &'t [u8],
    end: Option<End>,
    is_failed: bool,
}

impl Iterator for LenientChunks<'_, '_> {
    type Item = Result<Chunk, SplitError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_failed {
            return None;
        }
        // A measure that panics is not asked again by what drops this.
        self.is_failed = true;
        let next = self.splitter.next(&mut self.rest, &mut self.end);
        self.is_failed = matches!(next, Some(Err(_)));
        next
    }
}

impl Drop for LenientChunks<'_, '_> {
    fn drop(&mut self) {
        while self.next().is_some() {}
    }
}
