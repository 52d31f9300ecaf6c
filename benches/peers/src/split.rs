//! The splitter: how fast, how it grows, and how much memory a long stream takes.

use jsonrill::End;
use jsonrill::split::compat::{Json, RecursiveJsonSplitter};
use jsonrill::split::{Boundary, Splitter};
use jsonrill_bench_peers::counting;
use jsonrill_bench_peers::data::{MB, Shape};
use jsonrill_bench_peers::malformed::Kind;

use super::race::{Lane, Spread, race};
use super::{Bar, Report, Settings, float, lane};

/// The largest chunk, in characters or bytes.
const MAX: usize = 2000;

/// How long the stream is, and how much of it arrives at a time.
const STREAM: usize = 1000 * MB;
const PIECE: usize = 64 * 1024;

/// What is allowed of the heap for it.
const HEAP: usize = 50 * MB;

fn count(splitter: &Splitter, text: &str) -> usize {
    splitter.split(text).map(|chunk| chunk.expect("it fits").text.len()).sum()
}

/// A count of tokens in place of a real one, in about the time of one: a token is a word's start or a sign.
fn tokens(text: &str) -> usize {
    let mut before = b' ';
    text.bytes()
        .filter(|byte| !std::mem::replace(&mut before, *byte).is_ascii_alphanumeric() || !byte.is_ascii_alphanumeric())
        .count()
}

pub fn split(settings: &Settings, report: &mut Report) {
    Report::section("Chunks of up to 2000");
    for shape in Shape::ALL {
        let document = shape.document(MB);
        let (characters, bytes) = (
            Splitter::new(MAX).cut_strings(Boundary::Sentence),
            Splitter::new(MAX).in_bytes().cut_strings(Boundary::Character),
        );
        let measured = Splitter::new(MAX / 4).measured_by(tokens).cut_strings(Boundary::Character);
        let json: Json = document.parse().expect("valid JSON");
        let package = RecursiveJsonSplitter::new(MAX);
        let times = race(
            settings.rounds,
            vec![
                Lane::new("characters", || count(&characters, &document)),
                Lane::new("bytes", || count(&bytes, &document)),
                Lane::new("tokens, by a function", || count(&measured, &document)),
                Lane::new("as the Python package, read before", || package.split_text(&json, true, true)),
                Lane::new("as the Python package, with reading", || {
                    package.split_text(&document.parse().expect("valid JSON"), true, true)
                }),
            ],
        );
        for times in &times {
            let spread = times.spread();
            let speed = |time: f64| float(document.len()) / time * 1e3;
            let speeds = Spread { median: speed(spread.median), low: speed(spread.high), high: speed(spread.low) };
            report.spread(format!("{}: {}", shape.name(), times.name), speeds, "MB/s", &Bar::None);
        }
    }

    let (short, long) = (Shape::Records.document(MB), Shape::Records.document(10 * MB));
    let splitter = Splitter::new(MAX);
    let times = race(
        settings.replays,
        vec![Lane::new("1 MB", || count(&splitter, &short)), Lane::new("10 MB", || count(&splitter, &long))],
    );
    report.spread(
        "**1 MB to 10 MB takes**",
        lane(&times, "1 MB").faster_than(lane(&times, "10 MB")),
        "×",
        &Bar::AtMost(11.0),
    );

    let records = Shape::Records.document(PIECE);
    lenient(report, "valid records", ("[", ", ", "]"), records.trim_matches(['[', ']', '\n', ' ']));
    let damaged = Kind::Mixed.document(PIECE).text;
    lenient(report, "damaged records", ("Here they are:\n```json\n{items: [", ",\n", "]}\n```\n"), {
        damaged.trim_matches(['[', ']'])
    });

    for (name, open, close) in [("a root array", "[", "]"), ("an array in an object", "{\"items\":[", "]}")] {
        let records = Shape::Records.document(PIECE);
        let records = records.trim_matches(['[', ']', '\n', ' ']);
        let mut stream = Splitter::new(MAX).stream();
        let (mut size, mut chunks) = (0, 0_usize);
        counting::start();
        let start = std::time::Instant::now();
        chunks += stream.push(open).map(|chunk| chunk.expect("it fits")).count();
        while size < STREAM {
            for piece in [if size > 0 { "," } else { "" }, records] {
                chunks += stream.push(piece).map(|chunk| chunk.expect("it fits")).count();
            }
            size += records.len();
        }
        chunks += stream.push(close).map(|chunk| chunk.expect("it fits")).count();
        chunks += stream.finish().map(|chunk| chunk.expect("it fits")).count();
        let (seconds, heap) = (start.elapsed().as_secs_f64(), counting::stop());
        let peak = usize::try_from(heap.peak).unwrap_or_default();
        let measured = format!("{:.3} MB, {seconds:.2} s, {chunks} chunks", float(peak) / float(MB));
        report.row(
            format!("**{name} of 1 GB, streamed: heap at most**"),
            measured,
            float(peak),
            &Bar::AtMost(float(HEAP)),
        );
    }
}

/// A text as a model writes it, of 1 GB, through the splitter that keeps nothing of it.
fn lenient(report: &mut Report, name: &str, (open, between, close): (&str, &str, &str), records: &str) {
    let mut splitter = Splitter::new(MAX).lenient();
    let (mut size, mut chunks, mut bytes) = (0, 0_usize, 0);
    counting::start();
    let start = std::time::Instant::now();
    let mut push = |piece: &str| {
        for chunk in splitter.push(piece) {
            chunks += 1;
            bytes += chunk.expect("it fits").text.len();
        }
    };
    push(open);
    while size < STREAM {
        push(if size > 0 { between } else { "" });
        push(records);
        size += records.len();
    }
    push(close);
    chunks += splitter.finish(End::Stopped).map(|chunk| chunk.expect("it fits")).count();
    let (seconds, heap) = (start.elapsed().as_secs_f64(), counting::stop());
    let peak = usize::try_from(heap.peak).unwrap_or_default();
    assert!(bytes > STREAM / 2, "{bytes} bytes of chunks");
    report.row(
        format!("**lenient, {name}, 1 GB, streamed: heap at most**"),
        format!("{:.3} MB, {seconds:.2} s, {chunks} chunks", float(peak) / float(MB)),
        float(peak),
        &Bar::AtMost(float(HEAP)),
    );
}
