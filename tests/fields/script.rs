//! A source that does what a test says.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use futures::Stream;

/// What a source does when it is polled.
#[derive(Debug, Clone)]
pub enum Act {
    Chunk(String),
    /// It has nothing yet, and wakes later.
    Stall,
    Fail,
}

/// A source that does one act each time it is polled, and panics when it is polled after its end.
#[derive(Debug, Default)]
pub struct Script(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    acts: VecDeque<Act>,
    is_open: bool,
    waker: Option<Waker>,
    polls: usize,
    has_ended: bool,
    is_dropped: bool,
}

/// The test's side of it.
#[derive(Debug, Clone)]
pub struct Handle(Arc<Mutex<Inner>>);

/// A source, and the handle of it. It stalls where there are no more acts, until it is closed.
pub fn script(acts: impl IntoIterator<Item = Act>) -> (Script, Handle) {
    let inner = Inner { acts: acts.into_iter().collect(), is_open: true, ..Inner::default() };
    let inner = Arc::new(Mutex::new(inner));
    (Script(inner.clone()), Handle(inner))
}

/// A source that gives these chunks, and then ends.
pub fn chunks<C: Into<String>>(chunks: impl IntoIterator<Item = C>) -> Script {
    let (script, handle) = script(chunks.into_iter().map(|chunk| Act::Chunk(chunk.into())));
    handle.close();
    script
}

impl Handle {
    pub fn send(&self, chunk: &str) {
        self.act(Act::Chunk(chunk.to_owned()));
    }

    pub fn act(&self, act: Act) {
        let mut inner = self.0.lock().unwrap();
        inner.acts.push_back(act);
        let waker = inner.waker.take();
        drop(inner);
        waker.into_iter().for_each(Waker::wake);
    }

    pub fn close(&self) {
        let mut inner = self.0.lock().unwrap();
        inner.is_open = false;
        let waker = inner.waker.take();
        drop(inner);
        waker.into_iter().for_each(Waker::wake);
    }

    pub fn polls(&self) -> usize {
        self.0.lock().unwrap().polls
    }

    pub fn is_dropped(&self) -> bool {
        self.0.lock().unwrap().is_dropped
    }
}

impl Stream for Script {
    type Item = Result<String, io::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut inner = self.0.lock().unwrap();
        assert!(!inner.has_ended, "polled after its end");
        inner.polls += 1;
        match inner.acts.pop_front() {
            Some(Act::Chunk(chunk)) => Poll::Ready(Some(Ok(chunk))),
            Some(Act::Fail) => Poll::Ready(Some(Err(io::Error::other("the line is dead")))),
            Some(Act::Stall) => {
                inner.waker = Some(context.waker().clone());
                Poll::Pending
            }
            None if inner.is_open => {
                inner.waker = Some(context.waker().clone());
                Poll::Pending
            }
            None => {
                inner.has_ended = true;
                Poll::Ready(None)
            }
        }
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        self.0.lock().unwrap().is_dropped = true;
    }
}

/// A waker that counts.
#[derive(Debug, Default)]
pub struct Alarm(Mutex<usize>);

impl Alarm {
    pub fn new() -> (Arc<Self>, Waker) {
        let alarm = Arc::new(Self::default());
        (alarm.clone(), alarm.into())
    }

    /// How often it rang since it was asked last.
    pub fn rang(&self) -> usize {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        *self.0.lock().unwrap() += 1;
    }
}
