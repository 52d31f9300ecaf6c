//! `runner …`: one peer on one document, in a process of its own. `race` beside this package calls it.
//!
//! ```text
//! runner documents FOLDER BYTES…            writes the documents, and where their chunks end
//! runner malformed FOLDER BYTES             writes the malformed texts, and what they mean
//! runner stream PEER FILE ENDS PATH RUNS SECONDS
//! runner whole PEER FILE RUNS SECONDS
//! runner repair PEER FILE OUT RUNS SECONDS
//! runner split PEER FILE OUT RUNS SECONDS
//! runner show PEER                          reads cases, a line each, and prints what the peer shows
//! ```
//!
//! Prints lines of JSON: `ready` when all is read, a time in seconds for each run, and at last whether the result is
//! right. The runners in Python and JavaScript beside it do the same.

mod events;
mod show;
mod stream;
mod whole;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use jsonrill::split::Splitter;
use jsonrill::split::compat::{Json, RecursiveJsonSplitter};
use jsonrill_bench_peers::data::{self, Shape};
use jsonrill_bench_peers::malformed::Kind;
use jsonrill_bench_peers::ports;
use serde_json::{Value, json};

/// How a document is cut: at least so many bytes a chunk, at the next boundary of a character.
const CHUNKS: [usize; 3] = [4, 16, 64];

/// The largest chunk of a split document, in characters.
const SPLIT: usize = 2000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["documents", folder, sizes @ ..] => documents(folder.as_ref(), sizes),
        ["malformed", folder, bytes] => malformed(folder.as_ref(), number(bytes)),
        ["stream", peer, file, ends, path, runs, seconds] => {
            let (text, ends) = (read(file), read_ends(ends));
            let run = stream::PEERS.iter().find(|(name, _)| name == peer).expect("a peer that streams").1;
            let work = stream::Work::new(&text, &ends, path);
            timed(number(runs), number(seconds), || (), |()| run(&work));
            say(&json!({"right": show::reads_to_the_end(peer, &text, &ends)}));
        }
        ["whole", peer, file, runs, seconds] => whole(peer, file, number(runs), number(seconds)),
        ["repair", peer, file, out, runs, seconds] => {
            let text = read(file);
            let run = repairer(peer);
            timed(number(runs), number(seconds), || (), |()| run(&text));
            fs::write(out, run(&text).unwrap_or_default()).expect("a file to write to");
            say(&json!({"done": true}));
        }
        ["split", peer, file, out, runs, seconds] => split(peer, file, out, number(runs), number(seconds)),
        ["show", peer] => show::all(peer),
        _ => panic!("see the beginning of src/runner/main.rs"),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().ok().expect("a number")
}

fn read(file: &str) -> String {
    fs::read_to_string(file).expect("a file to read")
}

/// The ends of the chunks of a document in bytes, each in four bytes, the lowest first.
fn read_ends(file: &str) -> Vec<usize> {
    let bytes = fs::read(file).expect("a file to read");
    let (ends, _) = bytes.as_chunks::<4>();
    ends.iter().map(|end| u32::from_le_bytes(*end) as usize).collect()
}

fn say(line: &Value) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("somebody who listens");
}

/// Runs so many times, or until it has taken so many seconds, and prints each time. What a run begins with, and giving
/// back what it made, is not part of it.
fn timed<S, T>(runs: usize, seconds: f64, mut prepare: impl FnMut() -> S, mut run: impl FnMut(S) -> T) {
    say(&json!({"ready": true}));
    let mut taken = Duration::ZERO;
    for _ in 0..runs {
        let prepared = prepare();
        let start = Instant::now();
        let made = std::hint::black_box(run(prepared));
        let time = start.elapsed();
        drop(made);
        say(&json!({"seconds": time.as_secs_f64()}));
        taken += time;
        if taken.as_secs_f64() >= seconds {
            break;
        }
    }
}

fn documents(folder: &Path, sizes: &[&str]) {
    fs::create_dir_all(folder).expect("a folder to write to");
    for bytes in sizes {
        for shape in [Shape::Records, Shape::Agent, Shape::Text] {
            let document = shape.document(number(bytes));
            let name = format!("{}-{bytes}", shape.name());
            fs::write(folder.join(format!("{name}.json")), &document).expect("a file to write to");
            for size in CHUNKS {
                let mut end = 0;
                let ends = data::byte_chunks(&document, size).into_iter().flat_map(|chunk| {
                    end += chunk.len();
                    u32::try_from(end).expect("less than 4 GB").to_le_bytes()
                });
                let ends: Vec<u8> = ends.collect();
                fs::write(folder.join(format!("{name}.{size}")), ends).expect("a file to write to");
            }
        }
    }
}

fn malformed(folder: &Path, bytes: usize) {
    fs::create_dir_all(folder).expect("a folder to write to");
    for (index, kind) in Kind::all().enumerate() {
        let made = kind.document(bytes);
        let name = format!("{index:02} {}", kind.name());
        fs::write(folder.join(format!("{name}-{bytes}.txt")), made.text).expect("a file to write to");
        fs::write(folder.join(format!("{name}-{bytes}.json")), made.meant).expect("a file to write to");
    }
}

fn whole(peer: &str, file: &str, runs: usize, seconds: f64) {
    let text = read(file);
    let run = whole::PEERS.iter().find(|(name, _)| *name == peer).expect("a peer that reads whole documents").1;
    match run {
        whole::Run::Shared(run) => timed(runs, seconds, || (), |()| run(&text)),
        whole::Run::Own(run) => timed(runs, seconds, || text.clone().into_bytes(), run),
    }
    say(&json!({"right": whole::is_right(peer, &text)}));
}

fn repairer(peer: &str) -> ports::Repair {
    match peer {
        "jsonrill" => |text| Some(jsonrill::repair(text).into_text()),
        "partial-json-fixer" => |text| partial_json_fixer::fix_json_parse(text).ok().map(|value| value.to_string()),
        _ => ports::ALL.iter().find(|(name, _)| *name == peer).expect("a peer that repairs").1,
    }
}

fn split(peer: &str, file: &str, out: &str, runs: usize, seconds: f64) {
    let text = read(file);
    let lines = |text: &str| -> Vec<String> {
        match peer {
            "jsonrill" => {
                Splitter::new(SPLIT).split(text).map(|chunk| chunk.expect("it fits").text.to_string()).collect()
            }
            "jsonrill, as the package" => {
                let json: Json = text.parse().expect("valid JSON");
                RecursiveJsonSplitter::new(SPLIT).split_text(&json, true, true).expect("an object")
            }
            _ => panic!("a peer that splits"),
        }
    };
    timed(runs, seconds, || (), |()| lines(&text));
    let peak = peak();
    fs::write(out, lines(&text).join("\n")).expect("a file to write to");
    say(&json!({"done": true, "peak": peak}));
}

/// The most memory that this process has had, in MB. (What the system tells a parent counts the parent's own until then.)
fn peak() -> f64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
    kilobytes.and_then(|text| text.parse::<f64>().ok()).expect("a number of kB") / 1024.0
}
