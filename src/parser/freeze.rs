//! Freezing a parser, and waking one up again.

use crate::document::Span;
use crate::frozen::{Checkpoint, Contexts, Frozen, Origin, Shape};
use crate::view::Snapshot;

use super::{Chunk, End, Finished, Parser};

impl Parser {
    /// The state at this place of the text: what a model needs to go on from here, and what another process needs. The
    /// parser goes on as if nothing had happened.
    ///
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let mut parser = Parser::new();
    /// parser.push(r#"{"user": {"profile": {"bio": "Hello Wor"#);
    /// let frozen = parser.freeze();
    /// parser.push("ld\"}}}");
    /// assert_eq!(frozen.complete_part(), r#"{"user": {"profile": {"bio": "Hello Wor"}}}"#);
    /// assert_eq!(parser.snapshot().at("/user/profile/bio"), "Hello World");
    /// ```
    ///
    /// # Complexity
    ///
    /// O(depth + rounds), whatever the size of the document.
    #[must_use]
    pub fn freeze(&mut self) -> Frozen {
        let snapshot = self.machine.snapshot();
        let shape = self.shape();
        let is_settled = self.finished || (self.machine.is_settled(&shape) && !self.rounds.is_holding());
        Frozen::new(snapshot, shape, is_settled, self.origin())
    }

    /// What there is to note about this place.
    pub(super) fn shape(&self) -> Shape {
        let mut shape = self.machine.shape(self.utf8.held());
        let root = shape.root.unwrap_or_default();
        shape.dropped.extend(self.rounds.dropped_in(root).cloned());
        shape.is_verbatim &= shape.dropped.is_empty();
        shape
    }

    /// Where this parser comes from.
    pub(super) fn origin(&self) -> Origin {
        if let Some(origin) = &self.origin_at_end {
            return origin.clone();
        }
        Origin {
            options: self.machine.options,
            updates: self.sequence,
            shown: self.reported.seen.source,
            rounds: self.rounds.starts().collect(),
            shown_rounds: self.reported_rounds,
            overflowed: self.overflowed,
        }
    }

    /// A parser that goes on where another one was frozen, perhaps in another process: it has read what that one had
    /// read, with the same options, and everything it gives from here on is what that one would have given.
    ///
    /// ```
    /// use jsonrill::{Checkpoint, Parser};
    ///
    /// let mut parser = Parser::new();
    /// parser.feed(r#"{"text": "Hel"#);
    /// let stored = serde_json::to_string(&parser.freeze().checkpoint()?)?;
    ///
    /// let checkpoint: Checkpoint = serde_json::from_str(&stored)?;
    /// let mut resumed = Parser::resume(&checkpoint);
    /// let (update, expected) = (resumed.feed("lo\"}"), parser.feed("lo\"}"));
    /// assert_eq!(update.delta().to_string(), expected.delta().to_string());
    /// assert_eq!(update.sequence(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(length of the text): it is read again.
    #[must_use]
    pub fn resume(checkpoint: &Checkpoint) -> Self {
        let origin = checkpoint.origin();
        let mut parser = Self::with_options(origin.options);
        let text = checkpoint.bytes();
        let mut at = 0;
        let mut push = |parser: &mut Self, to: usize| {
            parser.push(text.get(at..to).unwrap_or_default());
            at = at.max(to);
        };
        let ends = origin.rounds.iter().map(|round| *round as usize).chain([text.len()]);
        for (number, end) in (0..).zip(ends) {
            if number > 0 {
                parser.next_round();
            }
            if origin.updates > 0 && number == origin.shown_rounds {
                push(&mut parser, origin.shown as usize);
                let _ = parser.update();
            }
            push(&mut parser, end);
            parser.overflow_again(number, origin.overflowed);
        }
        parser.sequence = origin.updates;
        parser
    }
}

/// What the text that a frozen parser had read amounts to if nothing more comes.
pub(crate) fn settle(snapshot: &Snapshot, origin: &Origin) -> (Snapshot, Shape) {
    let mut parser = Parser::with_options(origin.options);
    parser.read_again(snapshot, origin.rounds.iter().copied(), origin.overflowed);
    parser.settled()
}

impl Parser {
    /// Reads what another parser has read, in rounds that begin there. In the one with the number `overflowed` more
    /// came than the limit allows.
    pub(super) fn read_again(
        &mut self,
        snapshot: &Snapshot,
        rounds: impl Iterator<Item = u32>,
        overflowed: Option<u32>,
    ) {
        let mut at = 0;
        for (number, end) in (0..).zip(rounds.chain([snapshot.mark.seen.source])) {
            if number > 0 {
                self.next_round();
            }
            self.push(&*snapshot.log.stream.bytes(Span::new(at, end)));
            self.overflow_again(number, overflowed);
            at = end;
        }
    }

    /// More text came than the limit allows, if that was in the round of this number.
    fn overflow_again(&mut self, round: u32, overflowed: Option<u32>) {
        if overflowed == Some(round) {
            self.overflow();
        }
    }

    /// What the text so far amounts to if it ends here. This parser goes on as if nothing had happened: another one
    /// reads its text again.
    pub(crate) fn finish_copy(&mut self, end: End) -> Finished {
        let snapshot = self.machine.snapshot();
        let mut copy = Self::with_options(self.machine.options);
        copy.read_again(&snapshot, self.rounds.starts(), self.overflowed);
        copy.finish(end)
    }

    /// What there is to note if the text ends here.
    pub(super) fn settled(mut self) -> (Snapshot, Shape) {
        self.end_head();
        let half = self.half(self.machine.text_end());
        self.machine.finish(End::Truncated, half);
        (self.machine.snapshot(), self.shape())
    }
}

/// The contexts of a text that was cut: overlap, hierarchy and complete part, with the default limits.
///
/// ```
/// use jsonrill::extract_continuation_contexts;
///
/// let text = r#"[{"id": 1, "name": "John"}, {"id": 2, "name": "Jane", "email": "jane@exa"#;
/// let (overlap, hierarchy, complete_part) = extract_continuation_contexts(text);
/// assert_eq!(overlap, r#"{"id": 2, "name": "Jane", "email": "jane@exa"#);
/// assert_eq!(hierarchy, text);
/// assert_eq!(complete_part, format!("{text}\"}}]"));
/// ```
///
/// # Complexity
///
/// O(length of the text).
#[must_use]
pub fn extract_continuation_contexts(text: impl Chunk) -> (String, String, String) {
    let Contexts { overlap, hierarchy, complete_part, .. } = get_contexts(text);
    (overlap, hierarchy, complete_part)
}

/// The contexts of a text that was cut, with the default limits. For others, and for more about the cut, there is
/// [`Parser::freeze`].
///
/// ```
/// use jsonrill::get_contexts;
///
/// let contexts = get_contexts("Sure!\n```json\n{\"user\": {\"profile\": {\"bio\": \"Hello Wor");
/// assert_eq!(contexts.complete_part, r#"{"user": {"profile": {"bio": "Hello Wor"}}}"#);
/// assert_eq!(contexts.overlap, r#"{"bio": "Hello Wor"#);
/// ```
///
/// # Complexity
///
/// O(length of the text).
#[must_use]
pub fn get_contexts(text: impl Chunk) -> Contexts {
    let mut parser = Parser::new();
    parser.push(text);
    parser.finish(End::Truncated).frozen().contexts()
}
