//! The state at the place where a text stopped: what a model needs to go on from there.
//!
//! A parser notes what is open and where ([`Shape`]); everything else is made from that, the log and the source when it
//! is asked for. Where bytes are held whose reading the end of the text would settle, the text is read again up to the
//! cut and ended there ([`settle`]), the first time that somebody asks.

mod checkpoint;
mod complete;
mod cut;
mod hierarchy;
mod options;
mod overlap;
mod shape;
mod stored_options;
mod text;

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

pub(crate) use checkpoint::Origin;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use cut::{Cut, CutState};
pub use options::{BUDGET_LIMIT, ContextOptions, OVERLAP_MAX_CHARS};
pub use overlap::Overlap;
pub(crate) use shape::{Dropped, Shape};

use crate::document::{Place, Span};
use crate::parser::settle;
use crate::view::Snapshot;

use text::Text;

/// The state of a parser at the place where its text stopped. Made by [`Parser::freeze`](crate::Parser::freeze), and by
/// [`Finished::frozen`](crate::Finished::frozen) when a text has ended.
///
/// It is owned and never changes, whatever the parser reads afterwards, and can be cloned, kept and sent to other
/// threads. Like a snapshot it keeps the document's log alive.
///
/// ```
/// use jsonrill::Parser;
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"items": [{"id": 1, "name": "First"}, {"id": 3, "name": "Third", "add"#);
/// let frozen = parser.freeze();
/// assert_eq!(frozen.cut().state().as_str(), "in_key");
/// assert_eq!(frozen.cut().open(), Some("/items/1"));
/// assert_eq!(frozen.overlap().text, r#"{"id": 3, "name": "Third", "add"#);
/// assert_eq!(
///     frozen.complete_part(),
///     r#"{"items": [{"id": 1, "name": "First"}, {"id": 3, "name": "Third"}]}"#,
/// );
/// ```
///
/// # Complexity
///
/// What the methods give is made when it is asked for. Where the cut is at a byte that has two readings, such as a
/// quote inside a string, the first of them reads the text again: O(length of the text), about 3 ms a megabyte.
#[derive(Clone)]
pub struct Frozen(Arc<State>);

struct State {
    snapshot: Snapshot,
    shape: Shape,
    is_settled: bool,
    origin: Origin,
    /// The same when the end of the text has settled what was held.
    settled: OnceLock<Box<(Snapshot, Shape)>>,
    cut: OnceLock<Box<Cut>>,
}

impl Frozen {
    pub(crate) fn new(snapshot: Snapshot, shape: Shape, is_settled: bool, origin: Origin) -> Self {
        let (settled, cut) = (OnceLock::new(), OnceLock::new());
        Self(Arc::new(State { snapshot, shape, is_settled, origin, settled, cut }))
    }

    /// The document as it was shown at the cut. Where the text has ended, with what the end settled.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.0.snapshot
    }

    /// Where the text was cut, and in what state.
    ///
    /// # Complexity
    ///
    /// The first time O(length of the text), to count its lines, and the characters of the last: some 0.3 ms a
    /// megabyte without line breaks. It has a copy of what is in flight.
    #[must_use]
    pub fn cut(&self) -> &Cut {
        self.0.cut.get_or_init(|| {
            let (_, shape) = self.at_end();
            let in_flight = match (shape.state, shape.token) {
                (CutState::InEscape, _) => self.source(shape.escape, shape.offset),
                (CutState::InString | CutState::InKey | CutState::InNumber | CutState::InKeyword, Some(token)) => {
                    self.source(token.start, shape.offset)
                }
                _ => String::new(),
            };
            Box::new(Cut {
                offset: shape.offset,
                place: self.has_source().then(|| self.place(shape.offset)),
                state: shape.state,
                open: shape.open.clone(),
                closers: shape.closers.clone(),
                in_flight,
            })
        })
    }

    /// Valid JSON up to the cut, with everything that was open closed: the value of the text as far as it goes. Half
    /// keys, keys without a value, half escapes and half keywords are dropped, strings in flight are kept, and so is a
    /// number in flight with [`ContextOptions::keep_scalars`]. Empty where there is nothing yet.
    ///
    /// Where nothing was repaired, it is the source itself, and the closers. Elsewhere it is written anew, in the
    /// spelling and the layout of the source where these are valid. Where the source is not kept, it is what is shown
    /// at the cut: bytes that are held are not in it.
    ///
    /// ```
    /// use jsonrill::{ContextOptions, Parser};
    ///
    /// let mut parser = Parser::new();
    /// parser.push("{\"sizes\": [ 10, 12");
    /// let frozen = parser.freeze();
    /// assert_eq!(frozen.complete_part(), "{\"sizes\": [ 10]}");
    /// assert_eq!(frozen.complete_part_with(&ContextOptions::new().keep_scalars(true)), "{\"sizes\": [ 10, 12]}");
    /// ```
    ///
    /// # Complexity
    ///
    /// O(length of the text): it is copied, or, where something was repaired, compared with what was read.
    #[must_use]
    pub fn complete_part(&self) -> String {
        self.complete_part_with(&ContextOptions::new())
    }

    /// The same with other options.
    #[must_use]
    pub fn complete_part_with(&self, options: &ContextOptions) -> String {
        let (snapshot, shape) = self.at_end();
        complete::complete_part(snapshot, shape, self.has_source(), options.keep_scalars)
    }

    /// The innermost open object or array as it is in the source, from its opening bracket to the cut: what the next
    /// response may begin with again. At most [`OVERLAP_MAX_CHARS`] characters, the last ones. Empty where nothing is
    /// open, or the source is not kept.
    ///
    /// A response that repeats it is fed to the parser behind [`Parser::next_round`](crate::Parser::next_round), which
    /// leaves out what is repeated.
    ///
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let mut parser = Parser::new();
    /// parser.push(r#"[{"id": 1}, {"id": 2, "name": "Jane", "email": "jane@exa"#);
    /// let overlap = parser.freeze().overlap();
    /// assert_eq!(overlap.text, r#"{"id": 2, "name": "Jane", "email": "jane@exa"#);
    /// assert!(!overlap.is_clipped);
    /// ```
    ///
    /// # Complexity
    ///
    /// O(length of the overlap), and of a run of backslashes that it begins in.
    #[must_use]
    pub fn overlap(&self) -> Overlap {
        self.overlap_with(&ContextOptions::new())
    }

    /// The same with other options.
    #[must_use]
    pub fn overlap_with(&self, options: &ContextOptions) -> Overlap {
        let (snapshot, shape) = self.at_end();
        if !self.has_source() {
            return Overlap::default();
        }
        overlap::overlap(Text::new(&snapshot.log.stream, shape), shape, options.overlap_max_chars)
    }

    /// The structure of the answer from the root to the cut, in its own spacing, with as much of the data as the budget
    /// allows: what tells a model where it is.
    ///
    /// String values are kept from the cut backwards until [`BUDGET_LIMIT`] characters are spent; from the first that
    /// does not fit any more, all are `"..."`. The string in flight comes first, and keeps its tail if it is too long.
    /// Keys, numbers and keywords are kept, and cost nothing. It ends exactly at the cut, and nothing is closed. Empty
    /// where there is no root, or the source is not kept.
    ///
    /// With [`ContextOptions::total_limit`] finished values that are far from the cut are folded into comments
    /// (`/* 120 elements left out */`, `/* 1 member left out */`), which JSON does not have, so that none is taken for
    /// data.
    ///
    /// ```
    /// use jsonrill::{ContextOptions, Parser};
    ///
    /// let mut parser = Parser::new();
    /// parser.push(r#"{"intro": "Once upon a time", "year": 1984, "names": ["Ada", "Grace", "Mar"#);
    /// let options = ContextOptions::new().budget_limit(11);
    /// assert_eq!(
    ///     parser.freeze().hierarchy_with(&options),
    ///     r#"{"intro": "...", "year": 1984, "names": ["Ada", "Grace", "Mar"#,
    /// );
    /// ```
    ///
    /// # Complexity
    ///
    /// O(length of the text); with a total limit O(limit + depth), and O(number of children of what is open) where a
    /// member has taken the place of another.
    #[must_use]
    pub fn hierarchy(&self) -> String {
        self.hierarchy_with(&ContextOptions::new())
    }

    /// The same with other options.
    #[must_use]
    pub fn hierarchy_with(&self, options: &ContextOptions) -> String {
        let (snapshot, shape) = self.at_end();
        if !self.has_source() {
            return String::new();
        }
        hierarchy::hierarchy(snapshot, shape, options)
    }

    /// Overlap, hierarchy and complete part.
    #[must_use]
    pub fn contexts(&self) -> Contexts {
        self.contexts_with(&ContextOptions::new())
    }

    /// The same with other options.
    #[must_use]
    pub fn contexts_with(&self, options: &ContextOptions) -> Contexts {
        let Overlap { text: overlap, is_clipped: overlap_clipped } = self.overlap_with(options);
        let (hierarchy, complete_part) = (self.hierarchy_with(options), self.complete_part_with(options));
        Contexts { overlap, overlap_clipped, hierarchy, complete_part }
    }

    /// What another process needs to go on from here: see [`Parser::resume`](crate::Parser::resume).
    ///
    /// That of a text that has ended ([`Finished::frozen`](crate::Finished::frozen)) is that of the same text before it
    /// ended: a parser that is resumed from it reads on.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::NoSource`] where the source is not kept.
    ///
    /// # Complexity
    ///
    /// O(length of the text), which it has a copy of.
    pub fn checkpoint(&self) -> Result<Checkpoint, CheckpointError> {
        if !self.has_source() {
            return Err(CheckpointError::NoSource);
        }
        let snapshot = self.snapshot();
        let text = snapshot.log.stream.bytes(Span::new(0, snapshot.mark.seen.source));
        Ok(Checkpoint::new(self.0.origin.clone(), &text))
    }

    /// What was being read.
    pub(crate) fn state(&self) -> CutState {
        self.at_end().1.state
    }

    fn has_source(&self) -> bool {
        self.0.origin.options.keep_source
    }

    /// The document and the shape as the end of the text leaves them.
    pub(crate) fn at_end(&self) -> (&Snapshot, &Shape) {
        let State { snapshot, shape, is_settled, origin, settled, .. } = &*self.0;
        if *is_settled || !self.has_source() {
            return (snapshot, shape);
        }
        let settled = settled.get_or_init(|| Box::new(settle(snapshot, origin)));
        (&settled.0, &settled.1)
    }

    fn source(&self, start: u32, end: u32) -> String {
        let text = Text::new(&self.0.snapshot.log.stream, self.at_end().1);
        let mut out = String::new();
        text.copy(start, end - text.half_character(start, end), &mut out);
        out
    }

    /// Line and column of an offset.
    fn place(&self, offset: u32) -> Place {
        let (mut lines, mut at, mut line_start) = (1_u32, 0_u32, 0_u32);
        self.0.snapshot.log.stream.for_pieces(Span::new(0, offset), |piece| {
            let breaks = memchr::memchr_iter(b'\n', piece).count();
            if let Some(last) = memchr::memrchr(b'\n', piece) {
                line_start = at + u32::try_from(last).unwrap_or(u32::MAX) + 1;
            }
            lines = lines.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
            at += u32::try_from(piece.len()).unwrap_or(u32::MAX);
        });
        let text = Text::of_all(&self.0.snapshot.log.stream);
        let half = text.half_character(line_start, offset);
        let characters = text.characters(line_start, offset - half);
        Place { line: lines, column: u32::try_from(characters).unwrap_or(u32::MAX).saturating_add(1) }
    }
}

impl fmt::Debug for Frozen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Frozen")
            .field("shape", &self.0.shape)
            .field("snapshot", &self.0.snapshot)
            .finish_non_exhaustive()
    }
}

/// What a model needs to go on with an answer that was cut. Made by [`Frozen::contexts`] and
/// [`get_contexts`](crate::get_contexts).
///
/// ```
/// use jsonrill::{Parser};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"items": [{"name": "Jane"}, {"name": "Jo"#);
/// let frozen = parser.freeze();
/// let contexts = frozen.contexts();
/// assert_eq!(contexts.overlap, r#"{"name": "Jo"#);
/// assert_eq!(contexts.complete_part, r#"{"items": [{"name": "Jane"}, {"name": "Jo"}]}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Contexts {
    /// The innermost open object or array up to the cut: see [`Frozen::overlap`].
    pub overlap: String,
    /// Whether its start was left out.
    pub overlap_clipped: bool,
    /// The structure from the root to the cut: see [`Frozen::hierarchy`].
    pub hierarchy: String,
    /// Valid JSON up to the cut: see [`Frozen::complete_part`].
    pub complete_part: String,
}
