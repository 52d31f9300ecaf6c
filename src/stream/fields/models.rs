//! Models of the driver: in every order in which threads may run, nobody waits for ever. A wake-up that is lost is a
//! deadlock, which loom finds.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use futures_core::Stream;
use loom::sync::{Condvar, Mutex};
use loom::thread;

use super::Fields;

/// A source of which the model says when it has something.
struct Source(Arc<Mutex<Line>>);

#[derive(Default)]
struct Line {
    chunks: Vec<&'static str>,
    is_closed: bool,
    waker: Option<Waker>,
}

impl Stream for Source {
    type Item = &'static str;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<&'static str>> {
        let mut line = self.0.lock().unwrap();
        if let Some(chunk) = line.chunks.pop() {
            return Poll::Ready(Some(chunk));
        }
        if line.is_closed {
            return Poll::Ready(None);
        }
        line.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

/// Gives the source this chunk, or its end.
fn send(line: &Mutex<Line>, chunk: Option<&'static str>) {
    let mut inside = line.lock().unwrap();
    inside.chunks.extend(chunk);
    inside.is_closed |= chunk.is_none();
    let waker = inside.waker.take();
    drop(inside);
    waker.into_iter().for_each(Waker::wake);
}

/// A thread that can be woken.
struct Alarm {
    is_ringing: Mutex<bool>,
    ring: Condvar,
}

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        *self.is_ringing.lock().unwrap() = true;
        self.ring.notify_one();
    }
}

/// Runs a future on this thread.
fn block_on<F: Future>(future: F) -> F::Output {
    let alarm = Arc::new(Alarm { is_ringing: Mutex::new(false), ring: Condvar::new() });
    let waker = alarm.clone().into();
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        let mut is_ringing = alarm.is_ringing.lock().unwrap();
        while !*is_ringing {
            is_ringing = alarm.ring.wait(is_ringing).unwrap();
        }
        *is_ringing = false;
    }
}

/// Runs a model in all orders with so many switches that no thread asks for.
fn model(switches: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound.get_or_insert(switches);
    builder.max_branches = 100_000;
    builder.check(model);
}

fn fields() -> (Arc<Mutex<Line>>, Fields<Source>) {
    let line = Arc::new(Mutex::new(Line::default()));
    (line.clone(), Fields::new(Source(line)))
}

#[test]
fn loom_the_end_reaches_all_who_wait() {
    model(3, || {
        let (line, fields) = fields();
        let other = fields.finished();
        let waiting = thread::spawn(move || block_on(other));
        let sending = thread::spawn(move || send(&line, None));
        assert!(block_on(fields.finished()).snapshot().root().len() == 0);
        waiting.join().unwrap();
        sending.join().unwrap();
    });
}

#[test]
fn loom_what_one_reads_the_other_is_told() {
    model(2, || {
        let (line, fields) = fields();
        let other = fields.value::<u8>("/0");
        let waiting = thread::spawn(move || block_on(other).unwrap());
        let sending = thread::spawn(move || {
            send(&line, Some("[1, "));
            send(&line, None);
        });
        block_on(fields.finished());
        assert_eq!(waiting.join().unwrap(), 1);
        sending.join().unwrap();
    });
}

#[test]
fn loom_one_that_is_given_up_takes_no_news_with_it() {
    model(3, || {
        let (line, fields) = fields();
        let mut given_up = fields.finished();
        let giving_up = thread::spawn(move || {
            let _ = Pin::new(&mut given_up).poll(&mut Context::from_waker(Waker::noop()));
        });
        let sending = thread::spawn(move || send(&line, None));
        block_on(fields.finished());
        giving_up.join().unwrap();
        sending.join().unwrap();
    });
}

#[test]
fn loom_a_stop_reaches_all_who_wait() {
    model(3, || {
        let (line, fields) = fields();
        let other = fields.finished();
        let waiting = thread::spawn(move || block_on(other));
        let handle = fields.clone();
        let stopping = thread::spawn(move || handle.stop());
        block_on(fields.finished());
        waiting.join().unwrap();
        stopping.join().unwrap();
        drop(line);
    });
}
