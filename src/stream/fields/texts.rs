//! The text of the strings that a pattern means.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};

use crate::stream::piece::ChunkStream;

use super::error::FieldError;
use super::shared::{Subscriber, View};
use super::walk::{Stop, Walk};

/// The text of all strings that a pattern means, as it comes: a stream of pieces, in the order of the text. Made by
/// [`Fields::texts`](crate::Fields::texts).
///
/// It ends when nothing that the pattern means can come any more. Values that are no strings are passed over. An error
/// is the last thing it gives. Cancel-safe, fused.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::Fields;
///
/// let chunks = [r#"{"reply": "Hel"#, r#"lo", "ids": [1, 2], "o"#, r#"k": true}"#];
/// let fields = Fields::new(futures::stream::iter(chunks));
/// let pieces: Vec<_> = block_on_stream(fields.texts("/*")).collect::<Result<_, _>>()?;
/// assert_eq!(pieces.iter().map(|piece| &*piece.text).collect::<String>(), "Hello"); // the others are no strings
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
#[must_use = "streams do nothing unless they are read"]
pub struct FieldTexts<S> {
    subscriber: Subscriber<S>,
    cursor: Cursor,
}

/// More text of a string.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::Fields;
///
/// let chunks = [r#"{"reply": "Hel"#, r#"lo", "ids": [1, 2], "o"#, r#"k": true}"#];
/// let fields = Fields::new(futures::stream::iter(chunks));
/// let piece = block_on_stream(fields.texts("/*")).next().unwrap()?;
/// assert_eq!((&*piece.path, &*piece.text, piece.is_last), ("/reply", "Hel", false));
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundText {
    /// The pointer of the string.
    pub path: String,
    /// The text: in the last piece there may be none.
    pub text: String,
    /// Whether it is the last piece: the string is final. There is one for each string.
    pub is_last: bool,
}

struct Cursor {
    walk: Walk,
    /// Bytes that were given of the string that the walk is at.
    given: usize,
}

impl<S> FieldTexts<S> {
    pub(super) fn new(subscriber: Subscriber<S>, walk: Walk) -> Self {
        Self { subscriber, cursor: Cursor { walk, given: 0 } }
    }
}

impl Cursor {
    fn look(&mut self, view: &View) -> Poll<Option<Result<FoundText, FieldError>>> {
        loop {
            let (value, is_meant) = match ready!(self.walk.next(view)) {
                Stop::At { value, is_meant } => (value, is_meant),
                Stop::Never(error) => return Poll::Ready(Some(Err(error))),
                Stop::End => return Poll::Ready(None),
            };
            let is_last = value.is_final();
            let is_there = is_meant && (is_last || !view.may_be_replaced());
            let text = value.as_str().filter(|_| is_there);
            let new = text.and_then(|text| text.get(self.given..)).unwrap_or_default();
            if is_last {
                self.walk.pass(value);
                self.given = 0;
            } else if new.is_empty() {
                let found = value.kind().filter(|_| is_meant);
                return view.cut(self.walk.pattern(), found).map(|error| Some(Err(error)));
            } else {
                self.given += new.len();
            }
            if text.is_some() {
                return Poll::Ready(Some(Ok(FoundText { path: value.path(), text: new.to_owned(), is_last })));
            }
        }
    }
}

impl<S: ChunkStream> Stream for FieldTexts<S> {
    type Item = Result<FoundText, FieldError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { subscriber, cursor } = self.get_mut();
        subscriber.poll_next(context, |view| cursor.look(view))
    }
}

impl<S: ChunkStream> FusedStream for FieldTexts<S> {
    fn is_terminated(&self) -> bool {
        self.subscriber.is_over()
    }
}

impl<S> fmt::Debug for FieldTexts<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FieldTexts").field("pattern", self.cursor.walk.pattern()).finish_non_exhaustive()
    }
}
