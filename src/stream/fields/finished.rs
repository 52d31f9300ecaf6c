//! The end of the text.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::parser::Finished;
use crate::stream::piece::ChunkStream;

use super::shared::Subscriber;

/// Resolves when the text has ended. Made by [`Fields::finished`](crate::Fields::finished).
///
/// A future, which loses nothing when it is dropped. Polled again after it has resolved, it resolves to the same.
///
/// ```
/// use futures::executor::block_on;
/// use jsonrill::Fields;
///
/// let chunks = [r#"{"reply": "Hel"#, r#"lo", "ids": [1, 2], "o"#, r#"k": true}"#];
/// let fields = Fields::new(futures::stream::iter(chunks));
/// let answer = block_on(fields.finished()).into_complete().unwrap();
/// assert_eq!(answer.at("/ok"), true);
/// ```
#[must_use = "futures do nothing unless they are awaited"]
pub struct FieldsFinished<S>(Subscriber<S>);

impl<S> FieldsFinished<S> {
    pub(super) fn new(subscriber: Subscriber<S>) -> Self {
        Self(subscriber)
    }
}

impl<S: ChunkStream> Future for FieldsFinished<S> {
    type Output = Finished;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Finished> {
        self.get_mut().0.poll(context, |view| match &view.end {
            Some(ended) => Poll::Ready(ended.finished.clone()),
            None => Poll::Pending,
        })
    }
}

impl<S> fmt::Debug for FieldsFinished<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("FieldsFinished")
    }
}
