//! How much memory it takes, and how often it asks for more. Exact counts, so they hold on any machine.

#[path = "../benches/shared/counting.rs"]
mod counting;
#[path = "../benches/shared/data.rs"]
mod data;

use counting::{Counting, Heap};
use data::{MB, Shape};
use jsonrill::{Delta, DeltaOp, Dialect, End, Options, Parser, Update};

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

/// Documents whose open path is short enough to lie in the bookmark itself. A longer one is shared between bookmarks and
/// copied when it changes, so deep documents allocate as their containers open and close.
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
