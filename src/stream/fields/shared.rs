//! The source, the parser, and who polls.
//!
//! A subscriber that is polled looks at what is known. If that does not do, it polls the source itself, feeds what
//! comes, and looks again. The rules that make this safe for any number of subscribers in any number of tasks:
//!
//! - Foreign code (the source, wakers, the user's types) never runs under the lock. So the source is taken out of the
//!   state while it is polled; whoever finds it gone waits.
//! - Whoever waits has registered its waker before it looked at the source's place. The source is polled with a waker
//!   that wakes all who wait, and feeding wakes all others: news reaches everyone, and if nobody polls who could, it is
//!   because nobody wants to.
//! - A wake-up that comes while the source is polled may miss those who register after it and find the source gone. So
//!   whoever puts the source back wakes all who wait, if there was one.
//! - What is known has a version. One who has seen it without finding what it wants does not look again, and one that
//!   it passed by in the meantime does not begin to wait.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker, ready};

#[cfg(loom_models)]
use loom::sync::{Mutex, MutexGuard};
#[cfg(not(loom_models))]
use std::sync::{Mutex, MutexGuard};

use crate::document::Kind;
use crate::parser::{Chunk as _, End, Finished, Parser};
use crate::stream::piece::{ChunkStream, SharedError};
use crate::view::{Snapshot, Update};

use super::error::{FieldError, Panicked};
use super::wakers::Wakers;

/// What all subscribers of a stream share.
pub(super) struct Shared<S> {
    state: Mutex<State<S>>,
    wakers: Arc<Wakers>,
    /// Wakes all of them.
    waker: Waker,
}

struct State<S> {
    source: Source<S>,
    parser: Parser,
    /// The document that the fields are of.
    document: u32,
    /// Why the text ends, as far as its chunks say.
    end: End,
    view: View,
    /// Goes up whenever the view changes.
    version: u64,
}

enum Source<S> {
    Idle(Pin<Box<S>>),
    /// Somebody polls it, and will put it back.
    Polled,
    Ended,
}

/// What is known.
#[derive(Clone)]
pub(super) struct View {
    pub(super) snapshot: Snapshot,
    /// Set when nothing more comes.
    pub(super) end: Option<Arc<Ended>>,
}

/// The end of a stream.
pub(super) struct Ended {
    cause: Cause,
    pub(super) finished: Finished,
}

enum Cause {
    /// The source has ended, or the parser reads no more.
    End,
    /// Nobody wants more.
    Stop,
    Source(SharedError),
}

impl View {
    /// Why a value that is not final never will be. Pending while more may come.
    pub(super) fn cut(&self, path: &dyn fmt::Display, found: Option<Kind>) -> Poll<FieldError> {
        let Some(ended) = self.end.as_deref() else { return Poll::Pending };
        let (path, offset) = (path.to_string(), u64::from(self.snapshot.mark.seen.source));
        Poll::Ready(match (&ended.cause, ended.finished.error()) {
            (Cause::Source(error), _) => FieldError::Source { path, offset, error: error.clone() },
            (Cause::Stop, _) => FieldError::Stopped { path, found, offset },
            (Cause::End, Some(error)) => FieldError::Malformed { path, error: error.clone() },
            (Cause::End, None) => FieldError::Cut { path, found, offset },
        })
    }
}

impl Ended {
    pub(super) fn source_error(&self) -> Option<&SharedError> {
        match &self.cause {
            Cause::Source(error) => Some(error),
            Cause::End | Cause::Stop => None,
        }
    }
}

impl<S> Shared<S> {
    pub(super) fn new(source: S, mut parser: Parser) -> Self {
        let wakers = Arc::new(Wakers::default());
        let update = parser.update();
        let view = View { snapshot: update.snapshot().clone(), end: None };
        let source = Source::Idle(Box::pin(source));
        let state = State { source, parser, document: update.document(), end: End::Unknown, view, version: 1 };
        Self { state: Mutex::new(state), waker: wakers.clone().into(), wakers }
    }

    // Nothing that is done under the lock leaves the state half changed: chunks were asked for their bytes before.
    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn view(&self) -> View {
        self.lock().view.clone()
    }

    /// Drops the source.
    pub(super) fn stop(&self) {
        let source = self.lock().finish(Cause::Stop, End::Truncated);
        drop(source);
        self.wakers.wake_all();
    }
}

impl<S> State<S> {
    /// Nothing more comes. Gives the source, to be dropped where there is no lock.
    #[must_use]
    fn finish(&mut self, cause: Cause, end: End) -> Option<Pin<Box<S>>> {
        if self.view.end.is_none() {
            let finished = self.parser.finish(end);
            self.show(finished.update().clone());
            self.view.end = Some(Arc::new(Ended { cause, finished }));
        }
        match std::mem::replace(&mut self.source, Source::Ended) {
            Source::Idle(source) => Some(source),
            Source::Polled | Source::Ended => None,
        }
    }

    /// Reads a chunk. Behind an error nothing is read: then it gives the source, as [`State::finish`].
    #[must_use]
    fn feed(&mut self, bytes: &[u8], text: Option<&str>, end: Option<End>) -> Option<Pin<Box<S>>> {
        self.end = end.unwrap_or(self.end);
        let update = match text {
            Some(text) => self.parser.feed(text),
            None => self.parser.feed(bytes),
        };
        let has_failed = update.error().is_some();
        self.show(update);
        if has_failed { self.finish(Cause::End, self.end) } else { None }
    }

    fn show(&mut self, update: Update) {
        if update.document() == self.document {
            self.view.snapshot = update.snapshot;
        } else if let Some(part) = update.parts().find(|part| part.document() == self.document) {
            self.view.snapshot = part.snapshot().clone();
        }
        self.version += 1;
    }
}

/// A subscriber of a stream: what is the same for all kinds of them.
pub(super) struct Subscriber<S> {
    shared: Arc<Shared<S>>,
    number: usize,
    /// The version in which it found nothing new.
    seen: u64,
    /// Of one that gives many items: it has given all.
    is_over: bool,
}

impl<S> Subscriber<S> {
    pub(super) fn new(shared: Arc<Shared<S>>) -> Self {
        let number = shared.wakers.enter();
        Self { shared, number, seen: 0, is_over: false }
    }

    /// Whether it has given all its items.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}

impl<S> Drop for Subscriber<S> {
    fn drop(&mut self) {
        self.shared.wakers.leave(self.number);
    }
}

impl<S: ChunkStream> Subscriber<S> {
    /// Reads on until `look` finds the next item or the end. An error is the end, but for a value that does not fit its
    /// type.
    pub(super) fn poll_next<T>(
        &mut self,
        context: &mut Context<'_>,
        look: impl FnMut(&View) -> Poll<Option<Result<T, FieldError>>>,
    ) -> Poll<Option<Result<T, FieldError>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let item = ready!(self.poll(context, look));
        self.is_over = !matches!(item, Some(Ok(_) | Err(FieldError::Unreadable { .. })));
        Poll::Ready(item)
    }

    /// Reads on until `look` finds what it looks for, which it must when nothing more comes.
    pub(super) fn poll<R>(&mut self, context: &mut Context<'_>, mut look: impl FnMut(&View) -> Poll<R>) -> Poll<R> {
        loop {
            let (view, version) = {
                let state = self.shared.lock();
                let view = (state.version != self.seen).then(|| state.view.clone());
                (view, state.version)
            };
            if let Some(Poll::Ready(found)) = view.as_ref().map(&mut look) {
                return Poll::Ready(found);
            }
            self.seen = version;
            self.shared.wakers.wait(self.number, context.waker());
            let source = {
                let mut state = self.shared.lock();
                if state.version != version {
                    continue;
                }
                match std::mem::replace(&mut state.source, Source::Polled) {
                    Source::Idle(source) => source,
                    Source::Polled => return Poll::Pending,
                    Source::Ended => {
                        state.source = Source::Ended;
                        return Poll::Pending;
                    }
                }
            };
            let turn = Turn { shared: &self.shared, subscriber: self.number, source: Some(source) };
            if turn.take().is_pending() {
                return Poll::Pending;
            }
        }
    }
}

/// The right to poll the source. It is put back even if the source panics: as one that has ended.
struct Turn<'a, S> {
    shared: &'a Shared<S>,
    subscriber: usize,
    source: Option<Pin<Box<S>>>,
}

impl<S: ChunkStream> Turn<'_, S> {
    /// Polls the source, and reads what it gives.
    fn take(mut self) -> Poll<()> {
        let Some(source) = &mut self.source else { return Poll::Ready(()) };
        self.shared.wakers.listen();
        let Poll::Ready(item) = source.as_mut().poll_chunk(&mut Context::from_waker(&self.shared.waker)) else {
            self.put_back(|_| None);
            if self.shared.wakers.was_woken() {
                self.shared.wakers.wake_all();
            }
            return Poll::Pending;
        };
        match item {
            Some(Ok(chunk)) => {
                let (bytes, text, end) = (chunk.bytes(), chunk.text(), chunk.end());
                self.put_back(|state| state.feed(bytes, text, end));
            }
            Some(Err(error)) => self.put_back(|state| state.finish(Cause::Source(error), End::Truncated)),
            None => self.put_back(|state| state.finish(Cause::End, state.end)),
        }
        self.shared.wakers.wake_others(self.subscriber);
        Poll::Ready(())
    }
}

impl<S> Turn<'_, S> {
    /// Puts the source back and changes the state, unless the stream was stopped in the meantime.
    fn put_back(&mut self, change: impl FnOnce(&mut State<S>) -> Option<Pin<Box<S>>>) {
        let source = self.source.take();
        let unwanted = {
            let mut state = self.shared.lock();
            match source {
                Some(source) if state.view.end.is_none() => {
                    state.source = Source::Idle(source);
                    change(&mut state)
                }
                source => source,
            }
        };
        drop(unwanted);
    }
}

impl<S> Drop for Turn<'_, S> {
    fn drop(&mut self) {
        let Some(source) = self.source.take() else { return };
        let unwanted = self.shared.lock().finish(Cause::Source(Arc::new(Panicked)), End::Truncated);
        self.shared.wakers.wake_all();
        drop((source, unwanted));
    }
}
