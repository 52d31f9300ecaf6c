//! The text of one string.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};

use crate::document::{Kind, OwnedPath};
use crate::stream::piece::ChunkStream;

use super::error::FieldError;
use super::shared::{Subscriber, View};

/// The text of a string as it comes: a stream of pieces, which together are the string. Made by
/// [`Fields::text`](crate::Fields::text).
///
/// It ends when the string is final and all of it was given. An error is the last thing it gives. Cancel-safe, fused.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::Fields;
///
/// let chunks = [r#"{"reply": "Hel"#, r#"lo", "ids": [1, 2], "o"#, r#"k": true}"#];
/// let fields = Fields::new(futures::stream::iter(chunks));
/// let pieces: Vec<String> = block_on_stream(fields.text("/reply")).collect::<Result<_, _>>()?;
/// assert_eq!(pieces.concat(), "Hello");
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
#[must_use = "streams do nothing unless they are read"]
pub struct FieldText<S> {
    subscriber: Subscriber<S>,
    cursor: Cursor,
}

struct Cursor {
    path: OwnedPath,
    /// Bytes that were given.
    given: usize,
}

impl<S> FieldText<S> {
    pub(super) fn new(subscriber: Subscriber<S>, path: OwnedPath) -> Self {
        Self { subscriber, cursor: Cursor { path, given: 0 } }
    }
}

impl Cursor {
    /// What is new: a piece, an error, or the end.
    fn look(&mut self, view: &View) -> Poll<Option<Result<String, FieldError>>> {
        let value = match ready!(view.look(&self.path, &self.path)) {
            Ok(value) => value,
            Err(error) => return Poll::Ready(Some(Err(error))),
        };
        let Some(text) = value.as_str() else {
            return view.other_kind(value, Kind::String, &self.path).map(|error| Some(Err(error)));
        };
        let is_final = value.is_final();
        let is_there = is_final || !view.may_be_replaced();
        if let Some(new) = text.get(self.given..).filter(|new| is_there && !new.is_empty()) {
            self.given += new.len();
            return Poll::Ready(Some(Ok(new.to_owned())));
        }
        if is_final {
            return Poll::Ready(None);
        }
        view.cut(&self.path, Some(Kind::String)).map(|error| Some(Err(error)))
    }
}

impl<S: ChunkStream> Stream for FieldText<S> {
    type Item = Result<String, FieldError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { subscriber, cursor } = self.get_mut();
        subscriber.poll_next(context, |view| cursor.look(view))
    }
}

impl<S: ChunkStream> FusedStream for FieldText<S> {
    fn is_terminated(&self) -> bool {
        self.subscriber.is_over()
    }
}

impl<S> fmt::Debug for FieldText<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FieldText")
            .field("path", &format_args!("{}", self.cursor.path))
            .field("given", &self.cursor.given)
            .finish_non_exhaustive()
    }
}
