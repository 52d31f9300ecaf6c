//! How much memory it takes, and how often it asks for more. Exact counts, so they hold on any machine.

#[path = "../benches/shared/counting.rs"]
mod counting;
#[path = "../benches/shared/data.rs"]
mod data;
#[path = "../benches/shared/malformed.rs"]
mod malformed;

use counting::{Counting, Heap};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use data::{MB, Shape};
use futures::{FutureExt, Stream, StreamExt, stream};
use jsonrill::{
    Delta, DeltaOp, Dialect, End, Fields, MessageDecoder, Options, ParseJsonExt, Parser, SseDecoder, Update,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const DIALECTS: [Dialect; 2] = [Dialect::Lenient, Dialect::Strict];

/// Reads an update as a user interface would, without making anything of it.
fn read(update: &Update, watched: &str) -> usize {
    let mut tally = usize::from(update.is_ambiguous(watched));
    for op in update.delta().ops() {
        tally += match op {
            DeltaOp::Append(_, text) => text.len(),
            DeltaOp::Add(value) | DeltaOp::Replace(value) | DeltaOp::Final(value) => usize::from(value.exists()),
        };
    }
    tally + update.snapshot().at(watched).as_str().map_or(0, str::len)
}

/// What a document in pieces did with the heap, with everything looked at on every feed and the source kept.
struct Run {
    heap: Heap,
    /// The feeds that asked for memory, by number.
    asking: Vec<usize>,
}

fn run(dialect: Dialect, pieces: &[&str], watched: &str) -> Run {
    // Space for the numbers of feeds is made beforehand, so that noting one is not counted.
    let mut asking = Vec::with_capacity(10_000);
    counting::start();
    let mut parser = Parser::with_options(Options::new().dialect(dialect));
    let mut last = None;
    for (index, piece) in pieces.iter().enumerate() {
        let before = counting::so_far().allocations;
        let update = parser.feed(piece);
        std::hint::black_box(read(&update, watched));
        last = Some(update);
        if counting::so_far().allocations > before && asking.len() < asking.capacity() {
            asking.push(index);
        }
    }
    let heap = counting::stop();
    assert!(last.is_some_and(|update| update.error().is_none()));
    assert!(parser.finish(End::Stopped).is_complete());
    Run { heap, asking }
}

/// Documents whose open path is short enough to lie in the bookmark itself. A longer one is shared between bookmarks
/// and copied when it changes, so deep documents allocate as their containers open and close.
const SHALLOW: [Shape; 4] = [Shape::Records, Shape::Agent, Shape::Text, Shape::Numbers];

#[test]
fn a_feed_allocates_nothing_in_steady_state() {
    let mut failures = Vec::new();
    for dialect in DIALECTS {
        for shape in SHALLOW {
            let document = shape.document(MB);
            let pieces = data::byte_chunks(&document, 4);
            let run = run(dialect, &pieces, shape.early_path());
            // What is left is the next block of a log, now and then.
            let (asking, early) = (run.asking.len(), run.asking.iter().filter(|feed| **feed < 1000).count());
            if asking > 64 || asking - early > 48 {
                let first = &run.asking[..asking.min(40)];
                failures.push(format!("{dialect:?} {}: {asking} feeds allocate, first {first:?}", shape.name()));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A long open path is copied when it has changed, and not because a piece was read.
#[test]
fn blanks_in_a_deep_document_allocate_nothing() {
    let blanks = " ".repeat(64);
    for dialect in DIALECTS {
        let mut parser = Parser::with_options(Options::new().dialect(dialect).keep_source(false));
        parser.feed(format!("{}1, ", "[".repeat(12)).as_str());
        counting::start();
        for _ in 0..100 {
            std::hint::black_box(parser.feed(blanks.as_str()));
        }
        assert_eq!(counting::stop().allocations, 0, "{dialect:?}");
    }
}

#[test]
fn allocations_a_megabyte() {
    let mut failures = Vec::new();
    for dialect in DIALECTS {
        // The bar is for records; more nodes a byte, or three logs that all grow, take a few blocks more.
        for (shape, limit) in [(Shape::Records, 64), (Shape::Text, 64), (Shape::Agent, 80), (Shape::Numbers, 80)] {
            let document = shape.document(MB);
            for (cut, pieces) in [
                ("4-byte chunks", data::byte_chunks(&document, 4)),
                ("16-character chunks", data::character_chunks(&document, 16)),
                ("one feed", vec![document.as_str()]),
            ] {
                let count = run(dialect, &pieces, shape.early_path()).heap.allocations;
                if count > limit {
                    failures.push(format!("{dialect:?} {}, {cut}: {count} allocations", shape.name()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "sizes far below 2^52")]
fn memory_at_the_end() {
    for dialect in DIALECTS {
        for (shape, limit) in [(Shape::Text, 3.5), (Shape::Records, 8.0)] {
            for size in [MB, 4 * MB] {
                let document = shape.document(size);
                for (cut, pieces) in
                    [("4-byte chunks", data::byte_chunks(&document, 4)), ("one feed", vec![document.as_str()])]
                {
                    let run = run(dialect, &pieces, shape.early_path());
                    let ratio = run.heap.live as f64 / document.len() as f64;
                    assert!(ratio <= limit, "{dialect:?} {} of {size} bytes, {cut}: {ratio:.2} times", shape.name());
                }
            }
        }
    }
}

/// An owned snapshot is a bookmark: taking and keeping one copies nothing of the document.
#[test]
fn snapshots_held_take_no_heap() {
    let document = Shape::Records.document(MB);
    let pieces = data::byte_chunks(&document, 4);
    let mut held = Vec::with_capacity(pieces.len());
    counting::start();
    let mut parser = Parser::new();
    for piece in &pieces {
        held.push(parser.feed(piece).snapshot().clone());
    }
    let heap = counting::stop();
    assert!(heap.allocations <= 64, "{} allocations for {} snapshots", heap.allocations, held.len());
}

/// A slow reader's delta, over many feeds at once, is found without asking for memory either.
#[test]
fn a_delta_over_many_feeds_takes_no_heap() {
    let document = Shape::Records.document(MB);
    let pieces = data::byte_chunks(&document, 4);
    let mut parser = Parser::new();
    let (early, late) = pieces.split_at(pieces.len() / 2);
    for piece in early {
        parser.push(piece);
    }
    let old = parser.snapshot();
    for piece in late {
        parser.push(piece);
    }
    let new = parser.snapshot();
    counting::start();
    let ops = Delta::between(&old, &new).ops().count();
    let heap = counting::stop();
    assert!(ops > 10_000);
    assert!(heap.allocations <= 4, "{} allocations for {ops} ops", heap.allocations);
}

#[test]
fn server_sent_events_in_one_chunk_need_no_memory() {
    let chunk =
        "event: delta\nid: \ndata: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n: ping\n\n".repeat(20);
    let mut decoder = SseDecoder::new();
    let mut read = || decoder.push(chunk.as_bytes()).map(|event| event.unwrap().data.len()).sum::<usize>();
    read();
    counting::start();
    let length = read();
    let heap = counting::stop();
    // An id is kept by whoever wants it, so each one that the stream names is.
    assert_eq!((length, heap.allocations), (20 * 43, 20));
}

#[test]
fn an_event_in_many_chunks_is_held_once() {
    let mut line = b"data: ".to_vec();
    line.resize(16 * MB, b'a');
    line.extend_from_slice(b"\n\n");
    counting::start();
    let mut decoder = SseDecoder::new();
    let length: usize =
        line.chunks(1460).map(|chunk| decoder.push(chunk).map(|event| event.unwrap().data.len()).sum::<usize>()).sum();
    let heap = counting::stop();
    assert_eq!(length, 16 * MB - 6);
    // A buffer that doubles holds up to twice as much, and while it moves half of that again.
    let peak = usize::try_from(heap.peak).unwrap();
    assert!(peak <= 3 * line.len() && heap.allocations < 40, "{heap:?}");
}

/// How many streams are open at once.
const OPEN: i64 = 10_000;

/// Bytes that each of so many open streams holds.
fn idle<T>(what: &str, mut open: impl FnMut() -> T) -> i64 {
    counting::start();
    let streams: Vec<T> = (0..OPEN).map(|_| open()).collect();
    let Heap { live, allocations, .. } = counting::stop();
    let (live, allocations) = (live / OPEN, allocations / OPEN.cast_unsigned());
    println!("{OPEN} open streams, {what}: {live} bytes in {allocations} allocations each");
    drop(streams);
    live
}

fn read_all(stream: &mut (impl Stream + Unpin)) {
    let mut context = Context::from_waker(Waker::noop());
    while let Poll::Ready(item) = Pin::new(&mut *stream).poll_next(&mut context) {
        assert!(item.is_some(), "it is open");
    }
}

/// The limits are some way above what is measured.
#[test]
fn ten_thousand_open_streams_take_little_each() {
    let source = || stream::iter(["{\"reply\": \"He"]).chain(stream::pending());
    let parser = idle("Parser", || {
        let mut parser = Parser::new();
        parser.push("{\"reply\": \"He");
        parser
    });
    let updates = idle("parse_json", || {
        let mut updates = source().parse_json();
        read_all(&mut updates);
        updates
    });
    let fields = idle("Fields, two waiting", || {
        let fields = Fields::new(source());
        let (mut text, mut value) = (fields.text("/reply"), fields.value::<bool>("/done"));
        read_all(&mut text);
        assert!((&mut value).now_or_never().is_none());
        (text, value)
    });
    let event = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"reply\\\": \\\"He\"}}]}\n\nda";
    let message = idle("MessageDecoder", || {
        let mut decoder = MessageDecoder::new();
        decoder.push(event.as_bytes());
        decoder
    });
    let content = idle("decode, content, Fields, two waiting", || {
        let source = stream::iter([event]).chain(stream::pending());
        let fields = Fields::new(source.decode(MessageDecoder::new()).content());
        let (mut text, mut value) = (fields.text("/reply"), fields.value::<bool>("/done"));
        read_all(&mut text);
        assert!((&mut value).now_or_never().is_none());
        (text, value)
    });
    for (what, bytes, most) in [
        ("Parser", parser, 6 << 10),
        ("parse_json", updates, 6 << 10),
        ("Fields", fields, 7 << 10),
        ("MessageDecoder", message, 9 << 10),
        ("content and Fields", content, 16 << 10),
    ] {
        assert!(bytes < most, "{what}: {bytes} bytes");
    }
}

/// However long a document is, splitting it takes the memory of two chunks.
#[test]
fn a_stream_is_split_in_the_memory_of_two_chunks() {
    use jsonrill::split::{Boundary, Splitter};

    for shape in Shape::ALL {
        let document = shape.document(4 * MB);
        counting::start();
        let mut stream = Splitter::new(2000).cut_strings(Boundary::Sentence).stream();
        let mut size = 0;
        for piece in document.as_bytes().chunks(1000) {
            size += stream.push(piece).map(|chunk| chunk.unwrap().text.len()).sum::<usize>();
        }
        size += stream.finish().map(|chunk| chunk.unwrap().text.len()).sum::<usize>();
        drop(stream);
        let heap = counting::stop();
        assert_eq!(heap.live, 0);
        assert!(size > document.len() / 2);
        // Two chunks have 4 KB of text. To that comes what is known of each value in them, and where the path is long,
        // as in what is deep, the chunks that come of one step.
        let most = match shape {
            Shape::Records => 40_000,
            Shape::Agent => 25_000,
            Shape::Text => 80_000,
            Shape::Numbers => 70_000,
            Shape::Deep => 130_000,
        };
        assert!(heap.peak < most, "{}: {} bytes", shape.name(), heap.peak);
    }
}

/// The same of what models write: what was read is let go. Most of it is the list of repairs, which has an end.
#[test]
fn what_models_write_is_split_in_the_memory_of_two_chunks() {
    use jsonrill::split::Splitter;
    use malformed::Kind;

    for kind in Kind::all() {
        let text = kind.document(8 * MB).text;
        counting::start();
        let mut lenient = Splitter::new(2000).lenient();
        let mut size = 0;
        for piece in text.as_bytes().chunks(1000) {
            size += lenient.push(piece).map(|chunk| chunk.unwrap().text.len()).sum::<usize>();
        }
        size += lenient.finish(End::Stopped).map(|chunk| chunk.unwrap().text.len()).sum::<usize>();
        assert_eq!(lenient.outcome(), Some(jsonrill::Outcome::Repaired));
        drop(lenient);
        let heap = counting::stop();
        assert_eq!(heap.live, 0);
        assert!(size > text.len() / 3, "{}: {size} bytes", kind.name());
        assert!(heap.peak < 800_000, "{}: {} bytes", kind.name(), heap.peak);
    }
}

/// What is let go is let go whatever is open around it: nothing but keys and the last string is kept.
#[test]
fn little_is_kept_of_what_is_split_in_any_shape() {
    use jsonrill::split::Splitter;

    type Element = fn(usize) -> String;
    let shapes: [(&str, Element); 4] = [
        ("{a: {b: [[{c: [", |number| format!("[{number}, ['x'], {{y: {number}}}], ")),
        ("[", |number| format!("'element, or no. {number}',\n")),
        ("[[0, 1], ", |_| "(a, {b}, [c]) ".to_owned()),
        ("{x: 1, y: {list: [1, ", |number| format!("{number}, {number}\n")),
    ];
    for (open, element) in shapes {
        counting::start();
        let mut lenient = Splitter::new(200).lenient();
        let mut chunks = lenient.push(open).count();
        for number in 0..100_000 {
            chunks += lenient.push(&element(number)).map(Result::unwrap).count();
        }
        chunks += lenient.finish(End::Unknown).map(Result::unwrap).count();
        drop(lenient);
        let heap = counting::stop();
        assert!(chunks > 5000, "{open}: {chunks} chunks");
        assert_eq!(heap.live, 0);
        assert!(heap.peak < 600_000, "{open}: {} bytes", heap.peak);
    }
}
