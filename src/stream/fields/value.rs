//! One value, when it is final.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use serde::de::DeserializeOwned;

use crate::document::OwnedPath;
use crate::stream::piece::ChunkStream;
use crate::view::ValueRef;

use super::error::FieldError;
use super::look::read;
use super::shared::{Subscriber, View};

/// A value, the moment it is final. Made by [`Fields::value`](crate::Fields::value).
///
/// A future, which loses nothing when it is dropped, for the value can be asked for again. Polled again after it has
/// resolved, it resolves to the same.
///
/// ```
/// use futures::executor::block_on;
/// use jsonrill::Fields;
///
/// let chunks = [r#"{"reply": "Hel"#, r#"lo", "ids": [1, 2], "o"#, r#"k": true}"#];
/// let fields = Fields::new(futures::stream::iter(chunks));
/// assert!(block_on(fields.value::<bool>("/ok"))?);
/// assert_eq!(block_on(fields.value::<Option<u8>>("/other"))?, None); // it will not come
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
#[must_use = "futures do nothing unless they are awaited"]
pub struct FieldValue<S, T> {
    subscriber: Subscriber<S>,
    path: OwnedPath,
    value: PhantomData<fn() -> T>,
}

impl<S, T> FieldValue<S, T> {
    pub(super) fn new(subscriber: Subscriber<S>, path: OwnedPath) -> Self {
        Self { subscriber, path, value: PhantomData }
    }
}

fn look<T: DeserializeOwned>(path: &OwnedPath, view: &View) -> Poll<Result<T, FieldError>> {
    match ready!(view.look(path, path)) {
        Ok(value) if value.is_final() => Poll::Ready(read(value)),
        Ok(value) => view.cut(path, value.kind()).map(Err),
        // A type that may be missing, as an `Option` may, is read from what is missing.
        Err(error @ FieldError::Absent { .. }) => {
            Poll::Ready(ValueRef::missing(&view.snapshot, true).deserialize().map_err(|_| error))
        }
        Err(error) => Poll::Ready(Err(error)),
    }
}

impl<S: ChunkStream, T: DeserializeOwned> Future for FieldValue<S, T> {
    type Output = Result<T, FieldError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { subscriber, path, .. } = self.get_mut();
        subscriber.poll(context, |view| look(path, view))
    }
}

impl<S, T> fmt::Debug for FieldValue<S, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FieldValue").field("path", &format_args!("{}", self.path)).finish_non_exhaustive()
    }
}
