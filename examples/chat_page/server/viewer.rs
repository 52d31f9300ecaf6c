//! One connection that looks at an answer.

use std::convert::Infallible;
use std::task::Poll;
use std::time::Duration;

use axum::response::sse;
use futures::Stream;
use futures::stream::unfold;
use tokio::sync::watch;

use super::answer::{Answer, Progress};
use super::event::Event;

/// How long a browser waits before it connects again.
const RETRY: Duration = Duration::from_millis(1500);

pub struct Viewer {
    progress: watch::Receiver<Progress>,
    /// The number of the moment that it knows.
    seen: usize,
    disconnections: usize,
    is_new: bool,
}

impl Viewer {
    /// A viewer that knows this moment; `None` if there is no such moment.
    pub fn new(answer: &Answer, seen: usize) -> Option<Self> {
        let progress = answer.watch();
        let now = progress.borrow();
        let (is_known, disconnections) = (seen <= now.newest(), now.disconnections);
        drop(now);
        is_known.then_some(Self { progress, seen, disconnections, is_new: true })
    }

    /// Whether it knows all there will ever be.
    pub fn has_all(&self) -> bool {
        let progress = self.progress.borrow();
        progress.ending.is_some() && self.seen == progress.newest()
    }

    /// The events up to the end of the answer or of the connection.
    ///
    /// Each takes the viewer from what it knows to what there is by then. A connection that takes its time gets fewer
    /// and larger ones, and nothing waits in a queue for it.
    pub fn events(self) -> impl Stream<Item = Result<sse::Event, Infallible>> {
        unfold(self, |mut viewer| async move {
            loop {
                match viewer.next() {
                    Poll::Ready(event) => return Some((Ok(event?), viewer)),
                    Poll::Pending => viewer.progress.changed().await.ok()?,
                }
            }
        })
    }

    /// What is new, if anything is yet; `None` at the end.
    fn next(&mut self) -> Poll<Option<sse::Event>> {
        let progress = self.progress.borrow_and_update();
        if progress.disconnections != self.disconnections {
            return Poll::Ready(None);
        }
        let newest = progress.newest();
        if self.seen == newest {
            return if progress.ending.is_some() { Poll::Ready(None) } else { Poll::Pending };
        }
        let data = serde_json::to_string(&Event::since(&progress.moments[self.seen], &progress));
        self.seen = newest;
        let event = data.ok().map(|data| sse::Event::default().id(newest.to_string()).data(data));
        Poll::Ready(if std::mem::take(&mut self.is_new) { event.map(|event| event.retry(RETRY)) } else { event })
    }
}
