//! Freezing a parser, and waking one up again.

use crate::document::Span;
use crate::frozen::{Checkpoint, Contexts, Frozen, Origin, Shape};
use crate::view::Snapshot;

use super::{Chunk, End, ErrorCode, Options, Parser};

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
    /// O(depth), whatever the size of the document.
    #[must_use]
    pub fn freeze(&mut self) -> Frozen {
        let snapshot = self.machine.snapshot();
        let shape = self.machine.shape(self.utf8.held());
        let is_settled = self.finished || self.machine.is_settled(&shape);
        Frozen::new(snapshot, shape, is_settled, self.origin())
    }

    /// Where this parser comes from.
    pub(super) fn origin(&self) -> Origin {
        if let Some(origin) = self.origin_at_end {
            return origin;
        }
        let overflowed = self.error().is_some_and(|error| error.code() == ErrorCode::ByteLimit);
        Origin { options: self.machine.options, updates: self.sequence, shown: self.reported.source, overflowed }
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
        let (shown, rest) = text.split_at_checked(origin.shown as usize).unwrap_or((&text, &[]));
        parser.push(shown);
        if origin.updates > 0 {
            let _ = parser.update();
        }
        parser.push(rest);
        if origin.overflowed {
            parser.overflow();
        }
        parser.sequence = origin.updates;
        parser
    }
}

/// What the text that a frozen parser had read amounts to if nothing more comes.
pub(crate) fn settle(snapshot: &Snapshot, options: Options) -> (Snapshot, Shape) {
    let mut parser = Parser::with_options(options);
    parser.push(&*snapshot.log.stream.bytes(Span::new(0, snapshot.mark.source)));
    let half = parser.utf8.held();
    parser.machine.finish(End::Truncated, half);
    (parser.machine.snapshot(), parser.machine.shape(half))
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
