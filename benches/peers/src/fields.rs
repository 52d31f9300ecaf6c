//! Streams of updates and subscriptions to fields: what driving costs beyond reading by hand, from end to end, and what
//! a stream that is open holds.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures::executor::{block_on, block_on_stream};
use futures::future::{Either, join_all, select};
use futures::{FutureExt, Stream, StreamExt, stream};
use jsonrill::{ChunkStream, Fields, MessageDecoder, MessageEvent, ParseJsonExt, Parser, Provider};
use jsonrill_bench_peers::counting;
use jsonrill_bench_peers::data::{MB, Shape, character_chunks};

use super::race::{Lane, race};
use super::{Bar, Report, Settings, float, lane};

/// The string that nearly all of [`Shape::Text`] is.
const LONG: &str = "/body";

fn by_hand(pieces: &[&str]) -> usize {
    let mut parser = Parser::new();
    pieces.iter().map(|piece| parser.feed(piece).delta().text(LONG).map_or(0, str::len)).sum()
}

fn updates(pieces: &[&'static str]) -> usize {
    let updates = stream::iter(pieces.iter().copied()).parse_json();
    block_on_stream(updates).map(|update| update.delta().text(LONG).map_or(0, str::len)).sum()
}

/// The length of a text.
fn text(source: impl ChunkStream) -> usize {
    let fields = Fields::new(source);
    block_on_stream(fields.text(LONG)).map(|piece| piece.expect("text").len()).sum()
}

/// The same with so many other fields waited for in the same task.
fn text_among(source: impl ChunkStream, others: usize) -> usize {
    let fields = Fields::new(source);
    let text = fields.text(LONG).map(|piece| piece.expect("text").len()).fold(0, async |sum, length| sum + length);
    let others = join_all((0..others).map(|_| fields.value::<u8>("/none")));
    match block_on(select(pin!(text), others)) {
        Either::Left((length, _)) => length,
        Either::Right(_) => unreachable!("they end with the text"),
    }
}

/// A source that has nothing between one chunk and the next, so that each is read by itself.
fn paced<'a>(pieces: &'a [&'static str]) -> impl Stream<Item = &'static str> + 'a {
    let mut pieces = pieces.iter().copied();
    let mut is_due = false;
    stream::poll_fn(move |context| {
        is_due = !is_due;
        if is_due {
            return Poll::Ready(pieces.next());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

pub fn drive(settings: &Settings, report: &mut Report) {
    Report::section("Fields: a text of 1 MB in 4-character chunks, its deltas");
    let document: &'static str = Box::leak(Shape::Text.document(MB).into_boxed_str());
    let pieces = character_chunks(document, 4);
    let source = || stream::iter(pieces.iter().copied());
    let length = by_hand(&pieces);
    assert!(length > MB * 8 / 10, "it is nearly all of it: {length}");
    assert_eq!((updates(&pieces), text(source())), (length, length));
    let times = race(
        settings.rounds,
        vec![
            Lane::new("by hand", || by_hand(&pieces)),
            Lane::new("parse_json", || updates(&pieces)),
            Lane::new("fields.text", || text(source())),
            Lane::new("fields.text, woken for each chunk", || text(paced(&pieces))),
            Lane::new("the same, and 10 others wait", || text_among(paced(&pieces), 10)),
        ],
    );
    for times in &times {
        report.spread(times.name, times.spread().scaled(1.0 / float(pieces.len())), "ns a chunk", &Bar::None);
    }
    let beyond = lane(&times, "parse_json").beyond(lane(&times, "by hand"));
    report.spread("parse_json beyond by hand", beyond.scaled(1.0 / float(pieces.len())), "ns a chunk", &Bar::None);
}

/// The bytes of a chat completion that has this document as its content, in reads of 1460.
fn response(document: &str) -> Vec<Bytes> {
    let mut text = String::new();
    for piece in character_chunks(document, 4) {
        let content = serde_json::json!({"id": "chatcmpl-CaP0001", "object": "chat.completion.chunk", "created": 1_769_900_000,
            "model": "gpt-5-mini-2025-08-07", "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": null}]});
        text.push_str(&format!("data: {content}\n\n"));
    }
    text.push_str("data: [DONE]\n\n");
    text.as_bytes().chunks(1460).map(Bytes::copy_from_slice).collect()
}

pub fn end_to_end(settings: &Settings, report: &mut Report) {
    Report::section(
        "Fields from end to end: server-sent events in 1460-byte reads, of an answer of 1 MB in 4-character pieces",
    );
    let document = Shape::Text.document(MB);
    let reads = response(&document);
    let (bytes, events): (usize, usize) = (reads.iter().map(Bytes::len).sum(), character_chunks(&document, 4).len());
    let source = || stream::iter(reads.iter().cloned());
    let decoder = || MessageDecoder::for_provider(Provider::OpenAiChat);
    let message = || {
        let mut decoder = decoder();
        let content = |event| if let MessageEvent::Content { text, .. } = event { text.len() } else { 0 };
        reads.iter().map(|read| decoder.push(read).map(content).sum::<usize>()).sum::<usize>()
    };
    let deltas = || {
        let updates = source().decode(decoder()).content().parse_json();
        let length = |update: Result<jsonrill::Update, _>| -> usize {
            let update: jsonrill::Update = update.unwrap_or_else(|_: jsonrill::DecodeError<_>| unreachable!());
            update.delta().text(LONG).map_or(0, str::len)
        };
        block_on_stream(updates).map(length).sum::<usize>()
    };
    let fields = || text(source().decode(decoder()).content());
    assert_eq!(deltas(), fields());
    let times = race(
        settings.rounds,
        vec![
            Lane::new("message decoder by hand", message),
            Lane::new("bytes to deltas (parse_json)", deltas),
            Lane::new("bytes to deltas (fields.text)", fields),
        ],
    );
    for times in &times {
        report.spread(times.name, times.spread().scaled(1e-6), "ms", &Bar::None);
        report.spread(
            format!("{}: an event", times.name),
            times.spread().scaled(1.0 / float(events)),
            "ns",
            &Bar::None,
        );
    }
    report.row("the events as bytes", format!("{:.1} MB", float(bytes) * 1e-6), float(bytes), &Bar::None);
}

/// How many streams are open.
const OPEN: usize = 10_000;

pub fn open(_: &Settings, report: &mut Report) {
    Report::section("Memory of an open stream: 10 000 that wait, each with its first bytes read");
    let source = || stream::iter(["{\"reply\": \"He"]).chain(stream::pending());
    let mut context = Context::from_waker(Waker::noop());
    let mut row = |what: &str, measured: counting::Heap| {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let (live, allocations) = (measured.live as f64 / float(OPEN), measured.allocations as f64 / float(OPEN));
        report.row(what, format!("{live:.0} bytes in {allocations:.0} allocations"), live, &Bar::None);
    };

    counting::start();
    let parsers: Vec<_> = (0..OPEN)
        .map(|_| {
            let mut parser = Parser::new();
            parser.push("{\"reply\": \"He");
            parser
        })
        .collect();
    row("Parser, by itself", counting::stop());
    drop(parsers);

    counting::start();
    let streams: Vec<_> = (0..OPEN)
        .map(|_| {
            let mut updates = source().parse_json();
            while updates.poll_next_unpin(&mut context).is_ready() {}
            updates
        })
        .collect();
    row("parse_json", counting::stop());
    drop(streams);

    counting::start();
    let fields: Vec<_> = (0..OPEN)
        .map(|_| {
            let fields = Fields::new(source());
            let (mut text, mut value) = (fields.text("/reply"), fields.value::<bool>("/done"));
            while text.poll_next_unpin(&mut context).is_ready() {}
            assert!(value.poll_unpin(&mut context).is_pending());
            (fields, text, value)
        })
        .collect();
    row("Fields, with two that wait", counting::stop());
    drop(fields);
}
