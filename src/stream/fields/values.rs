//! The values that a pattern means, each when it is final.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use crate::stream::piece::ChunkStream;

use super::error::FieldError;
use super::look::read;
use super::shared::{Subscriber, View};
use super::walk::{Stop, Walk};

/// The values that a pattern means, each when it is final: a stream, in the order in which they end. Made by
/// [`Fields::values`](crate::Fields::values).
///
/// It ends when nothing that the pattern means can come any more. A value that does not fit the type is an error in its
/// place, and those behind it still come; any other error is the last thing it gives. Cancel-safe, fused.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::Fields;
///
/// let chunks = [r#"{"reply": "Hel"#, r#"lo", "ids": [1, 2], "o"#, r#"k": true}"#];
/// let fields = Fields::new(futures::stream::iter(chunks));
/// let ids: Vec<_> = block_on_stream(fields.values::<u8>("/ids/*")).collect::<Result<_, _>>()?;
/// assert_eq!(ids.iter().map(|id| id.value).collect::<Vec<_>>(), [1, 2]);
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
#[must_use = "streams do nothing unless they are read"]
pub struct FieldValues<S, T> {
    subscriber: Subscriber<S>,
    walk: Walk,
    item: PhantomData<fn() -> T>,
}

/// A value that a pattern means.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::Fields;
///
/// let chunks = [r#"{"reply": "Hel"#, r#"lo", "ids": [1, 2], "o"#, r#"k": true}"#];
/// let fields = Fields::new(futures::stream::iter(chunks));
/// let id = block_on_stream(fields.values::<u8>("/ids/*")).next().unwrap()?;
/// assert_eq!((&*id.path, id.value), ("/ids/0", 1));
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundValue<T> {
    /// Its pointer.
    pub path: String,
    /// The value.
    pub value: T,
}

impl<S, T> FieldValues<S, T> {
    pub(super) fn new(subscriber: Subscriber<S>, walk: Walk) -> Self {
        Self { subscriber, walk, item: PhantomData }
    }
}

fn look<T: DeserializeOwned>(walk: &mut Walk, view: &View) -> Poll<Option<Result<FoundValue<T>, FieldError>>> {
    Poll::Ready(match ready!(walk.next(view)) {
        Stop::At { value, .. } if value.is_final() => {
            walk.pass(value);
            Some(read(value).map(|read| FoundValue { path: value.path(), value: read }))
        }
        Stop::At { value, is_meant } => {
            let found = value.kind().filter(|_| is_meant);
            Some(Err(ready!(view.cut(walk.pattern(), found))))
        }
        Stop::Never(error) => Some(Err(error)),
        Stop::End => None,
    })
}

impl<S: ChunkStream, T: DeserializeOwned> Stream for FieldValues<S, T> {
    type Item = Result<FoundValue<T>, FieldError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { subscriber, walk, .. } = self.get_mut();
        subscriber.poll_next(context, |view| look(walk, view))
    }
}

impl<S: ChunkStream, T: DeserializeOwned> FusedStream for FieldValues<S, T> {
    fn is_terminated(&self) -> bool {
        self.subscriber.is_over()
    }
}

impl<S, T> fmt::Debug for FieldValues<S, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FieldValues").field("pattern", self.walk.pattern()).finish_non_exhaustive()
    }
}
