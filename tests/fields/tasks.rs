//! Many subscribers in many tasks: everyone is told, nobody is waited for, and nobody is woken for nothing for ever.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::{FutureExt, Stream, StreamExt};
use jsonrill::{FieldError, Fields};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;

use crate::script::{Act, Alarm, Script, script};

fn polled<S: Stream + Unpin>(stream: &mut S, waker: &std::task::Waker) -> Poll<Option<S::Item>> {
    stream.poll_next_unpin(&mut Context::from_waker(waker))
}

#[test]
fn whoever_polls_drives_for_all() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let (mut a, mut b) = (fields.text("/a"), fields.text("/b"));
    let ((alarm_a, waker_a), (alarm_b, waker_b)) = (Alarm::new(), Alarm::new());
    assert!(polled(&mut a, &waker_a).is_pending() && polled(&mut b, &waker_b).is_pending());

    // News of the source wakes both, whoever polled last; what one reads for the other wakes that.
    handle.send("{\"b\": \"x");
    assert_eq!((alarm_a.rang(), alarm_b.rang()), (1, 1));
    assert!(polled(&mut a, &waker_a).is_pending()); // reads the chunk, which is for the other
    assert_eq!((alarm_a.rang(), alarm_b.rang()), (0, 0)); // who was woken already
    assert_eq!(polled(&mut b, &waker_b).map(Option::unwrap).map(Result::unwrap), Poll::Ready("x".to_owned()));
    assert!(polled(&mut b, &waker_b).is_pending());

    handle.act(Act::Chunk("y".to_owned()));
    assert_eq!((alarm_a.rang(), alarm_b.rang()), (1, 1));
    assert!(polled(&mut a, &waker_a).is_pending());
    assert_eq!(alarm_b.rang(), 0);
    assert_eq!(polled(&mut b, &waker_b).map(Option::unwrap).map(Result::unwrap), Poll::Ready("y".to_owned()));
}

#[test]
fn one_that_waits_is_told_of_what_another_reads() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let mut a = fields.value::<Value>("/a");
    let (alarm_a, waker_a) = Alarm::new();
    assert!(a.poll_unpin(&mut Context::from_waker(&waker_a)).is_pending());
    handle.send("{\"a\": 1, ");
    assert_eq!(alarm_a.rang(), 1);
    assert!(a.poll_unpin(&mut Context::from_waker(&waker_a)).is_ready());

    let mut c = fields.value::<Value>("/c");
    assert!(c.poll_unpin(&mut Context::from_waker(&waker_a)).is_pending());
    // Somebody reads without having been woken.
    handle.send("\"b\": 2, ");
    alarm_a.rang();
    assert!(c.poll_unpin(&mut Context::from_waker(&waker_a)).is_pending());
    handle.act(Act::Chunk("\"c\": 3}".to_owned()));
    let b = fields.value::<Value>("/c").now_or_never();
    assert_eq!(b.unwrap().unwrap(), 3);
    assert!(alarm_a.rang() >= 1);
    assert!(c.poll_unpin(&mut Context::from_waker(&waker_a)).is_ready());
}

#[test]
fn if_the_one_that_polled_last_is_dropped_another_goes_on() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let (mut a, mut b) = (fields.value::<Value>("/a"), fields.value::<Value>("/b"));
    let ((alarm_a, waker_a), (alarm_b, waker_b)) = (Alarm::new(), Alarm::new());
    assert!(b.poll_unpin(&mut Context::from_waker(&waker_b)).is_pending());
    assert!(a.poll_unpin(&mut Context::from_waker(&waker_a)).is_pending()); // the source knows this poll's waker
    drop(a);
    handle.send("{\"b\": 1}");
    assert_eq!((alarm_a.rang(), alarm_b.rang()), (0, 1)); // and no waker of one that is gone
    assert!(b.poll_unpin(&mut Context::from_waker(&waker_b)).is_ready());

    // Woken, and dropped before it could poll.
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let (mut a, mut b) = (fields.value::<Value>("/a"), fields.value::<Value>("/b"));
    assert!(b.poll_unpin(&mut Context::from_waker(&waker_b)).is_pending());
    assert!(a.poll_unpin(&mut Context::from_waker(&waker_a)).is_pending());
    handle.send("{\"b\": 1}");
    drop(a);
    assert_eq!(alarm_b.rang(), 1);
    assert!(b.poll_unpin(&mut Context::from_waker(&waker_b)).is_ready());
}

#[test]
fn a_stop_wakes_those_who_wait() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let mut a = fields.value::<Value>("/a");
    let (alarm, waker) = Alarm::new();
    assert!(a.poll_unpin(&mut Context::from_waker(&waker)).is_pending());
    fields.stop();
    assert!(handle.is_dropped());
    assert_eq!(alarm.rang(), 1);
    assert!(matches!(a.poll_unpin(&mut Context::from_waker(&waker)), Poll::Ready(Err(FieldError::Stopped { .. }))));
    fields.stop(); // again
}

/// A source that, while it is polled, polls another subscriber of the same stream, or stops it.
struct Inward {
    fields: Arc<std::sync::Mutex<Option<Fields<Inward>>>>,
    stops: bool,
    left: usize,
}

impl Stream for Inward {
    type Item = &'static str;

    fn poll_next(mut self: std::pin::Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<&'static str>> {
        let fields = self.fields.lock().unwrap().clone();
        if let Some(fields) = fields {
            assert!(fields.value::<Value>("/z").poll_unpin(context).is_pending());
            if self.stops {
                fields.stop();
            }
        }
        self.left -= 1;
        Poll::Ready(if self.left == 0 { None } else { Some("[1, ") })
    }
}

#[test]
fn a_source_may_use_the_fields_that_are_made_of_it() {
    for stops in [false, true] {
        let place = Arc::new(std::sync::Mutex::new(None));
        let fields = Fields::new(Inward { fields: place.clone(), stops, left: 4 });
        *place.lock().unwrap() = Some(fields.clone());
        let finished = fields.finished().now_or_never().unwrap();
        assert_eq!(finished.snapshot().root().len(), if stops { 0 } else { 2 });
        place.lock().unwrap().take(); // it held itself
    }
}

/// A source that lets another subscriber be polled while it is polled, the first time.
struct Hasty {
    other: Arc<std::sync::Mutex<Option<Other>>>,
    /// It wakes before that and then has nothing yet; else it gives its chunk, and wakes nobody.
    wakes: bool,
}

type Other = Box<dyn FnMut() + Send>;

impl Stream for Hasty {
    type Item = &'static str;

    fn poll_next(self: std::pin::Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<&'static str>> {
        let Some(mut other) = self.other.lock().unwrap().take() else { return Poll::Ready(Some("[1, 2]")) };
        if self.wakes {
            context.waker().wake_by_ref();
        }
        other();
        if self.wakes { Poll::Pending } else { Poll::Ready(Some("[1, 2]")) }
    }
}

#[test]
fn what_comes_while_the_source_is_polled_reaches_those_who_wait_for_their_turn() {
    for wakes in [false, true] {
        hasty(wakes);
    }
}

fn hasty(wakes: bool) {
    let place = Arc::new(std::sync::Mutex::new(None));
    let fields = Fields::new(Hasty { other: place.clone(), wakes });
    let (mut first, second) = (fields.value::<u8>("/0"), Arc::new(std::sync::Mutex::new(fields.value::<u8>("/1"))));
    let ((alarm_first, waker_first), (alarm_second, waker_second)) = (Alarm::new(), Alarm::new());
    let poll_second = {
        let (second, alarm) = (second.clone(), waker_second.clone());
        move || second.lock().unwrap().poll_unpin(&mut Context::from_waker(&alarm))
    };
    let poll_inside = poll_second.clone();
    *place.lock().unwrap() = Some(Box::new(move || assert!(poll_inside().is_pending())) as Other);
    assert_eq!(first.poll_unpin(&mut Context::from_waker(&waker_first)).is_ready(), !wakes);
    assert_eq!(alarm_first.rang(), usize::from(wakes));
    drop(first); // it does not poll again, though it may have been woken
    assert_eq!(alarm_second.rang(), 1, "so the other has to");
    assert!(poll_second().is_ready());
}

/// A waker that does something when it is dropped.
struct Last(std::sync::Mutex<Option<Other>>);

impl std::task::Wake for Last {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Last {
    fn drop(&mut self) {
        self.0.lock().unwrap().take().into_iter().for_each(|mut other| other());
    }
}

#[test]
fn what_comes_between_a_look_and_a_wait_is_seen() {
    let (source, handle) = script([]);
    let fields = Fields::new(source);
    let (mut a, mut b) = (fields.value::<Value>("/a"), fields.value::<Value>("/b"));
    // `b` drops this waker when it is about to wait with another one. By then it has looked.
    let read = {
        let handle = handle.clone();
        move || {
            handle.act(Act::Chunk("{\"b\": 1, ".to_owned()));
            assert!(a.poll_unpin(&mut Context::from_waker(std::task::Waker::noop())).is_pending());
        }
    };
    let waker = Arc::new(Last(std::sync::Mutex::new(Some(Box::new(read) as Other)))).into();
    assert!(b.poll_unpin(&mut Context::from_waker(&waker)).is_pending());
    drop(waker);
    assert!(b.poll_unpin(&mut Context::from_waker(std::task::Waker::noop())).is_ready());
}

/// The chunks of a text as a task sends them, with pauses.
fn sent(text: String, cut: usize) -> ReceiverStream<String> {
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        let characters: Vec<char> = text.chars().collect();
        for chunk in characters.chunks(cut) {
            if sender.send(chunk.iter().collect()).await.is_err() {
                return;
            }
            if chunk.contains(&'7') {
                sleep(Duration::from_micros(50)).await;
            }
        }
    });
    ReceiverStream::new(receiver)
}

fn long() -> (String, Value) {
    let items: Vec<Value> = (0..200).map(|id| serde_json::json!({"id": id, "name": format!("n{id}é")})).collect();
    let value = serde_json::json!({"items": items, "reply": "word ".repeat(300), "last": true});
    // `reply` last but one, `last` at the end.
    let text = format!("{{\"items\": {}, \"reply\": {}, \"last\": true}}", value["items"], value["reply"]);
    (text, value)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn subscribers_on_several_threads_all_see_all() {
    let (text, expected) = long();
    let expected = Arc::new(expected);
    for round in 0..20 {
        let fields = Fields::new(sent(text.clone(), 1 + round * 3));
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..8 {
            let (fields, expected) = (fields.clone(), expected.clone());
            tasks.spawn(async move {
                match number % 4 {
                    0 => {
                        let items: Vec<Value> = fields.items("/items").map(Result::unwrap).collect().await;
                        assert_eq!(Value::from(items), expected["items"]);
                    }
                    1 => {
                        let text: String = fields.text("/reply").map(Result::unwrap).collect().await;
                        assert_eq!(text, expected["reply"].as_str().unwrap());
                    }
                    2 => assert!(fields.value::<bool>("/last").await.unwrap()),
                    _ => {
                        let ids = fields.values::<u64>("/items/*/id").map(|id| id.unwrap().value);
                        assert_eq!(ids.collect::<Vec<_>>().await, (0..200).collect::<Vec<_>>());
                    }
                }
            });
        }
        // Those that are given up again and again drive for the others in the meantime.
        for patience in 0..20 {
            let fields = fields.clone();
            tasks.spawn(async move {
                let _ = timeout(Duration::from_micros(patience * 40), fields.finished()).await;
            });
        }
        drop(fields);
        let all = async { while tasks.join_next().await.transpose().expect("no task panics").is_some() {} };
        timeout(Duration::from_secs(60), all).await.expect("a wake-up was lost");
    }
}

#[tokio::test(start_paused = true)]
async fn a_source_that_stalls_stalls_nobody_else() {
    let (text, _) = long();
    let (half, rest) = text.split_at(text.find("\"reply\"").unwrap());
    let chunks = vec![half.to_owned(), rest.to_owned()];
    let source = tokio_stream::StreamExt::throttle(futures::stream::iter(chunks), Duration::from_secs(3600));
    let fields = Fields::new(Box::pin(source));
    let start = Instant::now();
    assert_eq!(fields.items::<Value>("/items").count().await, 200);
    assert!(timeout(Duration::from_secs(60), fields.value::<bool>("/last")).await.is_err());
    assert!(start.elapsed() < Duration::from_secs(3600));
    assert!(fields.value::<bool>("/last").await.unwrap());
    assert!(start.elapsed() >= Duration::from_secs(3600));
}

#[tokio::test]
async fn ten_thousand_streams_at_once() {
    let mut handles = Vec::new();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..10_000_u32 {
        let (source, handle): (Script, _) = script([Act::Chunk(format!("{{\"n\": {number}, \"text\": \"he"))]);
        handles.push(handle);
        tasks.spawn(async move {
            let fields = Fields::new(source);
            let text = fields.text("/text").map(Result::unwrap).collect::<String>();
            let (n, text) = futures::join!(fields.value::<u32>("/n"), text);
            (n.unwrap(), text)
        });
    }
    tokio::task::yield_now().await;
    for handle in &handles {
        handle.send("llo\"}");
    }
    let mut sum = 0_u64;
    while let Some(done) = tasks.join_next().await {
        let (n, text) = done.unwrap();
        assert_eq!(text, "hello");
        sum += u64::from(n);
    }
    assert_eq!(sum, 49_995_000);
}
