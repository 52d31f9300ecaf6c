//! The elements of one array.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use crate::document::{Kind, OwnedPath};
use crate::stream::piece::ChunkStream;

use super::error::FieldError;
use super::look::read;
use super::shared::{Subscriber, View};

/// The elements of an array, each when it is final: a stream, in the order of the array. Made by
/// [`Fields::items`](crate::Fields::items).
///
/// It ends when the array is final and all of it was given. An element that does not fit the type is an error in its
/// place, and those behind it still come; any other error is the last thing it gives. Cancel-safe, fused.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::Fields;
///
/// let chunks = [r#"{"reply": "Hel"#, r#"lo", "ids": [1, 2], "o"#, r#"k": true}"#];
/// let fields = Fields::new(futures::stream::iter(chunks));
/// let ids: Vec<u8> = block_on_stream(fields.items("/ids")).collect::<Result<_, _>>()?;
/// assert_eq!(ids, [1, 2]);
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
#[must_use = "streams do nothing unless they are read"]
pub struct FieldItems<S, T> {
    subscriber: Subscriber<S>,
    cursor: Cursor,
    item: PhantomData<fn() -> T>,
}

struct Cursor {
    path: OwnedPath,
    /// Elements that were given.
    given: usize,
}

impl<S, T> FieldItems<S, T> {
    pub(super) fn new(subscriber: Subscriber<S>, path: OwnedPath) -> Self {
        Self { subscriber, cursor: Cursor { path, given: 0 }, item: PhantomData }
    }
}

impl Cursor {
    fn look<T: DeserializeOwned>(&mut self, view: &View) -> Poll<Option<Result<T, FieldError>>> {
        let array = match ready!(view.look(&self.path, &self.path)) {
            Ok(value) => value,
            Err(error) => return Poll::Ready(Some(Err(error))),
        };
        if array.kind() != Some(Kind::Array) {
            return view.other_kind(array, Kind::Array, &self.path).map(|error| Some(Err(error)));
        }
        let element = array.get(self.given);
        if element.is_final() {
            self.given += 1;
            return Poll::Ready(Some(read(element)));
        }
        if array.is_final() {
            return Poll::Ready(None);
        }
        view.cut(&self.path, Some(Kind::Array)).map(|error| Some(Err(error)))
    }
}

impl<S: ChunkStream, T: DeserializeOwned> Stream for FieldItems<S, T> {
    type Item = Result<T, FieldError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { subscriber, cursor, .. } = self.get_mut();
        subscriber.poll_next(context, |view| cursor.look(view))
    }
}

impl<S: ChunkStream, T: DeserializeOwned> FusedStream for FieldItems<S, T> {
    fn is_terminated(&self) -> bool {
        self.subscriber.is_over()
    }
}

impl<S, T> fmt::Debug for FieldItems<S, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FieldItems")
            .field("path", &format_args!("{}", self.cursor.path))
            .field("given", &self.cursor.given)
            .finish_non_exhaustive()
    }
}
