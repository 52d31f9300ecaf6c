//! `bars [--quick] [FILTER]`: the bars of the design, as ratios measured in one run.
//!
//! Each line is a median over interleaved rounds with the quartiles in brackets. Only lines whose section's name holds
//! FILTER are run: `whole`, `chunks`, `growth`, `single`, `small`, `lenient`, `malformed`, `repair`, `freeze`,
//! `seam`, `split`, `events`, `messages`, `fields`, `end to end`, `open`, `linear`, `heap`, `layout`.
//!
//! A bar that is missed is told. What is not linear in `linear` fails.
//!
//! Peers in other languages, and values after every chunk: `race` beside this package.

mod cut;
mod damaged;
mod fields;
mod linear;
mod race;
mod seam;
mod split;
mod stream;

use std::process::ExitCode;
use std::time::Instant;

use jsonrill::{Dialect, Options, Parser, Snapshot, Update, ValueRef};
use jsonrill_bench_peers::counting::{self, Counting};
use jsonrill_bench_peers::data::{self, MB, SMALL, Shape};
use jsonrill_bench_peers::work;

use race::{Lane, Spread, Times, race};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The verdict that fails the run.
const FAILED: &str = "FAILED";

/// What a bar asks for.
enum Bar {
    AtLeast(f64),
    AtMost(f64),
    /// At most this, or the run fails: no machine is so noisy that it is off by so much.
    Must(f64),
    /// Only told.
    None,
}

struct Report {
    rows: Vec<[String; 4]>,
}

impl Report {
    fn row(&mut self, what: impl Into<String>, measured: impl Into<String>, value: f64, bar: &Bar) {
        let (asked, verdict) = match *bar {
            Bar::AtLeast(limit) => (format!("≥ {limit}"), if value >= limit { "met" } else { "MISSED" }),
            Bar::AtMost(limit) => (format!("≤ {limit}"), if value <= limit { "met" } else { "MISSED" }),
            Bar::Must(limit) => (format!("≤ {limit}"), if value <= limit { "met" } else { FAILED }),
            Bar::None => (String::new(), ""),
        };
        let row = [what.into(), measured.into(), asked, verdict.to_owned()];
        println!("| {} |", row.join(" | "));
        self.rows.push(row);
    }

    fn spread(&mut self, what: impl Into<String>, spread: Spread, unit: &str, bar: &Bar) {
        self.row(what, shown(spread, unit), spread.median, bar);
    }

    fn section(name: &str) {
        println!("\n### {name}\n\n| what | measured (quartiles) | bar | |\n|---|---|---|---|");
    }
}

fn shown(spread: Spread, unit: &str) -> String {
    let digits = if spread.median < 10.0 { 2 } else { usize::from(spread.median < 100.0) };
    format!("{:.digits$} {unit} ({:.digits$} to {:.digits$})", spread.median, spread.low, spread.high)
}

fn lane<'a>(times: &'a [Times], name: &str) -> &'a Times {
    times.iter().find(|times| times.name == name).expect("a lane of this race")
}

/// Measures one group of bars.
type Section = fn(&Settings, &mut Report);

struct Settings {
    rounds: usize,
    replays: usize,
}

fn main() -> ExitCode {
    let mut settings = Settings { rounds: 15, replays: 9 };
    let mut filter = String::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quick" => settings = Settings { rounds: 5, replays: 3 },
            "--help" | "-h" => {
                println!("bars [--quick] [FILTER]: the bars of the design, measured side by side");
                return ExitCode::SUCCESS;
            }
            other => other.clone_into(&mut filter),
        }
    }
    let mut report = Report { rows: Vec::new() };
    let sections: [(&str, Section); 20] = [
        ("whole", whole),
        ("chunks", chunks),
        ("growth", growth),
        ("single", single),
        ("small", small),
        ("lenient", lenient),
        ("malformed", damaged::in_chunks),
        ("repair", damaged::repair),
        ("freeze", cut::freeze),
        ("seam", seam::seam),
        ("split", split::split),
        ("events", stream::decode),
        ("messages", stream::messages),
        ("fields", fields::drive),
        ("end to end", fields::end_to_end),
        ("open", fields::open),
        ("linear: messages", linear::messages),
        ("linear: fields", linear::fields),
        ("heap", heap),
        ("layout", layout),
    ];
    for (name, run) in sections {
        if name.contains(&filter) {
            run(&settings, &mut report);
        }
    }
    let missed: Vec<_> = report.rows.iter().filter(|row| ["MISSED", FAILED].contains(&row[3].as_str())).collect();
    println!("\n{} rows, {} bars missed", report.rows.len(), missed.len());
    for row in &missed {
        println!("- {}: {}, asked {}", row[0], row[1], row[2]);
    }
    if missed.iter().any(|row| row[3] == FAILED) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[expect(clippy::cast_precision_loss, reason = "sizes and counts far below 2^52, for display")]
fn float(count: usize) -> f64 {
    count as f64
}

/// A whole document in one feed, against parsers of whole documents.
fn whole(settings: &Settings, report: &mut Report) {
    Report::section("Whole document in one feed, 1 MB");
    for shape in Shape::ALL {
        let document = shape.document(MB);
        let times = race(
            settings.rounds * 2,
            vec![
                Lane::new("strict", || work::whole(work::options(Dialect::Strict), &document)),
                Lane::new("lenient", || work::whole(work::options(Dialect::Lenient), &document)),
                Lane::new("serde_json", || {
                    serde_json::from_slice::<serde_json::Value>(document.as_bytes()).expect("valid JSON")
                }),
                Lane::new("sonic-rs", || {
                    sonic_rs::from_slice::<sonic_rs::Value>(document.as_bytes()).expect("valid JSON")
                }),
            ],
        );
        let name = shape.name();
        for times in &times {
            let spread = times.spread();
            let speed = |time: f64| float(document.len()) / time * 1e3;
            let speeds = Spread { median: speed(spread.median), low: speed(spread.high), high: speed(spread.low) };
            report.spread(format!("{name}: {}", times.name), speeds, "MB/s", &Bar::None);
        }
        let bar = match shape {
            Shape::Records => Bar::AtLeast(2.0),
            Shape::Text => Bar::AtLeast(1.2),
            _ => Bar::None,
        };
        let (strict, lenient) = (lane(&times, "strict"), lane(&times, "lenient"));
        let (serde, sonic) = (lane(&times, "serde_json"), lane(&times, "sonic-rs"));
        report.spread(format!("**{name}: strict against serde_json**"), strict.faster_than(serde), "×", &bar);
        report.spread(format!("**{name}: lenient against serde_json**"), lenient.faster_than(serde), "×", &bar);
        report.spread(format!("{name}: strict against sonic-rs"), strict.faster_than(sonic), "×", &Bar::None);
    }
}

/// How a document is cut.
fn cuts(document: &str) -> [(&'static str, Vec<&str>); 3] {
    [
        ("4-byte chunks", data::byte_chunks(document, 4)),
        ("16-character chunks", data::character_chunks(document, 16)),
        ("64-byte chunks", data::byte_chunks(document, 64)),
    ]
}

/// A document in chunks, everything looked at on every feed, against parsers that only give events.
fn chunks(settings: &Settings, report: &mut Report) {
    for shape in Shape::ALL {
        let document = shape.document(MB);
        let watched = shape.early_path();
        let name = shape.name();
        let main = shape == Shape::Records;
        Report::section(&format!("{name}, 1 MB in chunks: owned update kept, delta read, is_ambiguous at every feed"));
        for (cut, pieces) in cuts(&document) {
            let pieces = &pieces;
            let mut kept: Vec<Snapshot> = Vec::with_capacity(pieces.len());
            let mut lanes = vec![
                Lane::new("lenient", || work::feeds(work::options(Dialect::Lenient), pieces, watched)),
                Lane::new("strict", || work::feeds(work::options(Dialect::Strict), pieces, watched)),
                Lane::new("lenient, value read", || {
                    work::feeds_reading(work::options(Dialect::Lenient), pieces, watched)
                }),
                Lane::new("actson events", || work::actson_events(pieces)),
            ];
            // jsonmodem takes seconds for one long string: it is quadratic there.
            let with_modem = shape != Shape::Text;
            if with_modem {
                lanes.push(Lane::new("jsonmodem events", || work::jsonmodem_events(pieces)));
            }
            let times = race(settings.rounds, lanes);
            for times in &times {
                let a_feed = times.spread().scaled(1.0 / float(pieces.len()));
                let a_megabyte = times.spread().scaled(1e-6 * float(MB) / float(document.len()));
                let bar = match times.name {
                    "lenient" | "strict" if main && cut == "4-byte chunks" => Bar::AtMost(80.0),
                    _ => Bar::None,
                };
                report.spread(format!("{cut}: {}, a feed", times.name), a_feed, "ns", &bar);
                let bar = match times.name {
                    "lenient, value read" if main && cut == "16-character chunks" => Bar::AtMost(10.0),
                    _ => Bar::None,
                };
                report.spread(format!("{cut}: {}, a MB", times.name), a_megabyte, "ms", &bar);
            }
            let lenient = lane(&times, "lenient");
            let bar = if main && cut == "4-byte chunks" { Bar::AtLeast(4.0) } else { Bar::None };
            if with_modem {
                let modem = lenient.faster_than(lane(&times, "jsonmodem events"));
                report.spread(format!("**{cut}: lenient against jsonmodem's bare events**"), modem, "×", &bar);
            }
            let actson = lenient.faster_than(lane(&times, "actson events"));
            report.spread(format!("{cut}: lenient against actson's bare events"), actson, "×", &Bar::None);
            if main {
                // Not by turns with the rest: it needs much memory.
                let times = race(
                    settings.rounds.div_ceil(2),
                    vec![Lane::new("all kept", || {
                        kept.clear();
                        work::feeds_keeping(work::options(Dialect::Lenient), pieces, watched, &mut kept)
                    })],
                );
                let a_feed = times[0].spread().scaled(1.0 / float(pieces.len()));
                report.spread(
                    format!("{cut}: lenient, every snapshot kept to the end, a feed"),
                    a_feed,
                    "ns",
                    &Bar::None,
                );
            }
        }
    }
}

/// The same work on a document ten times as long.
fn growth(settings: &Settings, report: &mut Report) {
    Report::section("Growth from 1 MB to 10 MB, 4-byte chunks, everything looked at");
    for shape in Shape::ALL {
        let (short, long) = (shape.document(MB), shape.document(10 * MB));
        let (short, long) = (data::byte_chunks(&short, 4), data::byte_chunks(&long, 4));
        let watched = shape.early_path();
        let times = race(
            settings.rounds.div_ceil(2),
            vec![
                Lane::new("1 MB", || work::feeds(Options::new(), &short, watched)),
                Lane::new("10 MB", || work::feeds(Options::new(), &long, watched)),
            ],
        );
        let growth = times[0].faster_than(&times[1]);
        report.spread(format!("**{}: 10 MB takes**", shape.name()), growth, "×", &Bar::AtMost(11.0));
    }
}

/// The spread of the times of single feeds.
///
/// The machine stalls now and then, for longer than any feed takes. So a document is replayed several times, and each
/// feed counts with its fastest time: what is left is what the program does at that place, such as getting the next
/// block of memory.
fn single(settings: &Settings, report: &mut Report) {
    Report::section("Time of a single feed: 1 MB in 4-byte chunks, fastest of several replays at each place");
    let clock = clock_cost();
    for shape in [Shape::Records, Shape::Agent, Shape::Text] {
        let document = shape.document(MB);
        let pieces = data::byte_chunks(&document, 4);
        let watched = shape.early_path();
        let mut fastest = vec![u64::MAX; pieces.len()];
        let mut all_of_one = Vec::new();
        for _ in 0..settings.replays {
            let mut times = Vec::with_capacity(pieces.len());
            let mut parser = Parser::new();
            let mut last: Option<Update> = None;
            for piece in &pieces {
                let start = Instant::now();
                let update = parser.feed(piece);
                std::hint::black_box(work::read(&update, watched));
                last = Some(std::hint::black_box(update));
                let time = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
                times.push(time.saturating_sub(clock));
            }
            drop(last);
            for (fastest, time) in fastest.iter_mut().zip(&times) {
                *fastest = (*fastest).min(*time);
            }
            all_of_one = times;
        }
        let name = shape.name();
        for (kind, mut times) in [("fastest of the replays", fastest), ("one replay, as it came", all_of_one)] {
            times.sort_unstable();
            let at = |share: f64| {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "an index between zero and the length"
                )]
                let index = ((float(times.len()) * share).ceil() as usize).clamp(1, times.len()) - 1;
                times[index]
            };
            let (p50, p99, p999, p9999, max) = (at(0.5), at(0.99), at(0.999), at(0.9999), at(1.0));
            let bar = if kind.starts_with("fastest") { Bar::AtMost(2000.0) } else { Bar::None };
            let measured = format!("p50 {p50}, p99 {p99}, p99.9 {p999}, p99.99 {p9999}, max {max} ns");
            #[expect(clippy::cast_precision_loss, reason = "nanoseconds far below 2^52")]
            report.row(format!("{name}: {kind} (p99.99 against the bar)"), measured, p9999 as f64, &bar);
        }
    }
    report.row("the clock's own cost, taken off", format!("{clock} ns"), 0.0, &Bar::None);
}

fn clock_cost() -> u64 {
    let mut costs: Vec<u64> = (0..10_001)
        .map(|_| {
            let start = Instant::now();
            u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
        })
        .collect();
    costs.sort_unstable();
    costs[costs.len() / 2]
}

/// A tool call's worth of JSON, start to finish, the giving back included.
fn small(settings: &Settings, report: &mut Report) {
    const TIMES: usize = 2_000;
    Report::section("A 100-byte document, start to finish");
    fn many<T>(mut run: impl FnMut() -> T) {
        for _ in 0..TIMES {
            std::hint::black_box(run());
        }
    }
    let pieces = data::byte_chunks(SMALL, 4);
    let times = race(
        settings.rounds * 2,
        vec![
            Lane::new("lenient", || many(|| work::whole(work::options(Dialect::Lenient), SMALL))),
            Lane::new("strict", || many(|| work::whole(work::options(Dialect::Strict), SMALL))),
            Lane::new("lenient, with its Value", || {
                many(|| work::whole(work::options(Dialect::Lenient), SMALL).1.snapshot().to_value())
            }),
            Lane::new("lenient, in 4-byte chunks", || many(|| work::feeds(Options::new(), &pieces, "/reply"))),
            Lane::new("serde_json", || many(|| serde_json::from_str::<serde_json::Value>(SMALL).expect("valid JSON"))),
        ],
    );
    for times in &times {
        report.spread(times.name, times.spread().scaled(1.0 / float(TIMES)), "ns", &Bar::None);
    }
    let serde = lane(&times, "serde_json");
    for name in ["lenient", "strict"] {
        let ratio = serde.faster_than(lane(&times, name));
        report.spread(format!("**{name}: times serde_json's from_str::<Value>**"), ratio, "×", &Bar::AtMost(2.0));
    }
}

/// What the lenient dialect costs on text that does not need it.
fn lenient(settings: &Settings, report: &mut Report) {
    Report::section("Lenient against strict on valid input: share of its speed");
    let shapes = Shape::ALL.map(|shape| (shape.name(), shape.document(MB), shape.early_path()));
    for (name, document, watched) in shapes.into_iter().chain([("Japanese text", data::japanese(MB), "/title")]) {
        let cuts = [
            ("one feed", vec![document.as_str()]),
            ("4-byte chunks", data::byte_chunks(&document, 4)),
            ("16-character chunks", data::character_chunks(&document, 16)),
        ];
        for (cut, pieces) in &cuts {
            let times = race(
                settings.rounds * 2,
                vec![
                    Lane::new("lenient", || work::feeds(work::options(Dialect::Lenient), pieces, watched)),
                    Lane::new("strict", || work::feeds(work::options(Dialect::Strict), pieces, watched)),
                ],
            );
            let share = times[0].faster_than(&times[1]);
            report.spread(format!("**{name}, {cut}**"), share, "×", &Bar::AtLeast(0.9));
        }
    }
}

/// Allocations and memory.
fn heap(_: &Settings, report: &mut Report) {
    Report::section("Heap: 1 MB, source kept; memory as a multiple of the text");
    for shape in Shape::ALL {
        let document = shape.document(MB);
        let watched = shape.early_path();
        let name = shape.name();
        for (cut, pieces) in cuts(&document).into_iter().chain([("one feed", vec![document.as_str()])]) {
            counting::start();
            let mut parser = Parser::new();
            let mut last = None;
            let mut feeds_that_allocate: usize = 0;
            for piece in &pieces {
                let before = counting::so_far().allocations;
                let update = parser.feed(piece);
                std::hint::black_box(work::read(&update, watched));
                last = Some(update);
                feeds_that_allocate += usize::from(counting::so_far().allocations > before);
            }
            let heap = counting::stop();
            std::hint::black_box((&parser, &last));
            #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
            let (allocations, live, peak) = (heap.allocations as f64, heap.live as f64, heap.peak as f64);
            let a_megabyte = allocations * float(MB) / float(document.len());
            let bar = if shape == Shape::Records { Bar::AtMost(64.0) } else { Bar::None };
            let measured = format!("{allocations}, in {feeds_that_allocate} of {} feeds", pieces.len());
            report.row(format!("{name}, {cut}: allocations"), measured, a_megabyte, &bar);
            let bar = match shape {
                Shape::Text => Bar::AtMost(3.5),
                Shape::Records => Bar::AtMost(8.0),
                _ => Bar::None,
            };
            let (end, peak) = (live / float(document.len()), peak / float(document.len()));
            let measured = format!("{end:.2} × at the end, {peak:.2} × at the peak");
            report.row(format!("**{name}, {cut}: memory**"), measured, end, &bar);
        }
    }
}

/// Sizes of what is handed around, and what a node takes, found from outside: the growth of the heap per element.
fn layout(_: &Settings, report: &mut Report) {
    Report::section("Layout");
    let sizes = [
        ("Update", size_of::<Update>()),
        ("Snapshot", size_of::<Snapshot>()),
        ("ValueRef", size_of::<ValueRef<'_>>()),
        ("Parser", size_of::<Parser>()),
    ];
    for (name, size) in sizes {
        report.row(format!("size of {name}"), format!("{size} bytes"), float(size), &Bar::None);
    }
    // Two documents whose difference is many nodes without text of their own. Blocks grow in steps, so this is the mean
    // over a stretch of whole blocks, not exact.
    let held = |elements: usize| {
        let document = format!("[{}null]", "null,".repeat(elements - 1));
        counting::start();
        let mut parser = Parser::with_options(Options::strict().keep_source(false));
        parser.push(&document);
        let heap = counting::stop();
        drop(parser);
        heap.live
    };
    let (few, many) = (held(1_000_000), held(5_000_000));
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    let a_node = (many - few) as f64 / 4e6;
    report.row("memory a node (null elements, source off)", format!("{a_node:.1} bytes"), a_node, &Bar::None);
}
