//! Several fields, when all of them are final.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::document::OwnedPath;
use crate::stream::piece::ChunkStream;

use super::error::FieldError;
use super::shared::{Subscriber, View};

/// Resolves when all of some fields are final. Made by [`Fields::all_final`](crate::Fields::all_final).
///
/// A future, which loses nothing when it is dropped. Polled again after it has resolved, it resolves to the same.
///
/// ```
/// use futures::executor::block_on;
/// use jsonrill::Fields;
///
/// let chunks = [r#"{"reply": "Hel"#, r#"lo", "ids": [1, 2], "o"#, r#"k": true}"#];
/// let fields = Fields::new(futures::stream::iter(chunks));
/// block_on(fields.all_final(["/reply", "/ids"]))?;
/// assert!(!fields.snapshot().at("/ok").exists()); // the rest was not waited for
/// # Ok::<(), jsonrill::FieldError>(())
/// ```
#[must_use = "futures do nothing unless they are awaited"]
pub struct AllFinal<S> {
    subscriber: Subscriber<S>,
    /// Those that are not final yet.
    left: Vec<OwnedPath>,
}

impl<S> AllFinal<S> {
    pub(super) fn new(subscriber: Subscriber<S>, paths: Vec<OwnedPath>) -> Self {
        Self { subscriber, left: paths }
    }
}

fn look(left: &mut Vec<OwnedPath>, view: &View) -> Poll<Result<(), FieldError>> {
    let mut error = Poll::Pending;
    left.retain(|path| {
        let never = match view.look(path, path) {
            Poll::Ready(Ok(value)) if value.is_final() => return false,
            Poll::Ready(Ok(value)) => view.cut(path, value.kind()),
            Poll::Ready(Err(never)) => Poll::Ready(never),
            Poll::Pending => Poll::Pending,
        };
        if error.is_pending() {
            error = never;
        }
        true
    });
    if left.is_empty() { Poll::Ready(Ok(())) } else { error.map(Err) }
}

impl<S: ChunkStream> Future for AllFinal<S> {
    type Output = Result<(), FieldError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { subscriber, left } = self.get_mut();
        subscriber.poll(context, |view| look(left, view))
    }
}

impl<S> fmt::Debug for AllFinal<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left: Vec<_> = self.left.iter().map(ToString::to_string).collect();
        formatter.debug_struct("AllFinal").field("left", &left).finish_non_exhaustive()
    }
}
