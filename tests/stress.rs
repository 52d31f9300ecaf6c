//! One parser, and readers in other threads that hold thousands of its snapshots and go on reading them (law 8). Run
//! under an address sanitizer and valgrind, too.

use std::fmt::Write as _;
use std::sync::mpsc;
use std::thread;

use jsonrill::{Delta, End, Options, Parser, Snapshot};
use serde_json::Value;

/// A document with everything that has its own way of being stored: short and very long strings, escapes, numbers, a
/// large object, a large array, deep nesting.
fn document(scale: usize) -> String {
    let mut text = String::from("{\"records\": [");
    for n in 0..20 * scale {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(
            text,
            "{comma}{{\"id\": {n}, \"name\": \"Näme \\u00e9 {n}\", \"score\": -{n}.5e1, \"tags\": [true, null]}}"
        );
    }
    text += "], \"wide\": {";
    for n in 0..10 * scale {
        let _ = write!(text, "\"key {n}\": \"{}\",", "v".repeat(n % 50));
    }
    text += "\"end\": 0}, \"deep\": ";
    let _ = write!(text, "{}{}", "[".repeat(100), "]".repeat(100));
    text += ", \"long\": \"";
    text += &"long text, 漢字, \\n and so on. ".repeat(400 * scale);
    text += "\"}";
    text
}

/// Feeds `text` and hands every snapshot with what it shows to `readers` threads, which hold on to them and look
/// again and again.
fn race(options: Options, text: &str, chunk: usize, readers: usize) {
    let (senders, threads): (Vec<_>, Vec<_>) = (0..readers)
        .map(|_| {
            let (send, receive) = mpsc::channel::<(Snapshot, usize, Option<String>)>();
            (send, thread::spawn(move || read_all(&receive)))
        })
        .unzip();
    let mut parser = Parser::with_options(options);
    for (round, piece) in text.as_bytes().chunks(chunk).enumerate() {
        let update = parser.feed(piece);
        let snapshot = update.snapshot();
        // What it shows is told by another way of reading for some, and by its length for all.
        let shown = (round % 64 == 0).then(|| snapshot.to_string());
        for sender in &senders {
            sender.send((snapshot.clone(), snapshot.at("/long").as_str().map_or(0, str::len), shown.clone())).unwrap();
        }
    }
    let finished = parser.finish(End::Stopped);
    assert!(finished.is_complete());
    assert_eq!(finished.snapshot().to_value(), serde_json::from_str::<Value>(text).unwrap());
    drop((senders, parser));
    for thread in threads {
        assert!(thread.join().unwrap() > text.len() / chunk / 2);
    }
}

fn read_all(snapshots: &mpsc::Receiver<(Snapshot, usize, Option<String>)>) -> usize {
    let mut held: Vec<(Snapshot, usize, Option<String>)> = Vec::new();
    for arrived in snapshots {
        held.push(arrived);
        if !held.len().is_multiple_of(256) {
            continue;
        }
        for (snapshot, length, shown) in held.iter().rev().step_by(1 + held.len() / 40) {
            assert_eq!(snapshot.at("/long").as_str().map_or(0, str::len), *length);
            if let Some(shown) = shown {
                assert_eq!(snapshot.to_string(), *shown);
            }
        }
        let (early, late) = (&held[held.len() / 2].0, &held[held.len() - 1].0);
        assert!(Delta::between(early, late).ops().count() < usize::MAX);
    }
    for (snapshot, _, shown) in held.iter().filter(|(.., shown)| shown.is_some()) {
        assert_eq!(Some(snapshot.to_string()), *shown);
    }
    held.len()
}

#[test]
fn stress_snapshots_in_other_threads_stand_still() {
    race(Options::strict(), &document(10), 7, 3);
    race(Options::new(), &document(10), 64, 2);
}

#[test]
fn stress_a_text_in_a_block_of_its_own() {
    let text = format!("{{\"long\": \"{}\"}}", "many words and more, ".repeat(60_000));
    race(Options::new(), &text, 1021, 2);
}
