//! A document in chunks, something read after every chunk, as each peer is used for that.
//!
//! A peer that keeps no state reads all of the text again after every chunk: that is how it is used. What is read each
//! time is one string of the document, by its path; of a parser that only gives events, the events.

use jiter::{JsonValue, PartialMode};
use jsonrill::{Dialect, Parser};
use jsonrill_bench_peers::{ports, work};
use serde_json::Value;

use super::events::Modem;

pub struct Work<'a> {
    text: &'a str,
    ends: &'a [usize],
    chunks: Vec<&'a str>,
    path: &'a str,
}

impl<'a> Work<'a> {
    pub fn new(text: &'a str, ends: &'a [usize], path: &'a str) -> Self {
        let chunks = ends.iter().scan(0, |start, end| Some(&text[std::mem::replace(start, *end)..*end])).collect();
        Self { text, ends, chunks, path }
    }
}

/// Returns something that depends on all that was read, so that no reading can be left out.
pub type Run = fn(&Work<'_>) -> u64;

pub const PEERS: [(&str, Run); 13] = [
    ("jsonrill, three views", |work| work::feeds(work::options(Dialect::Lenient), &work.chunks, work.path).tally),
    ("jsonrill, one field", |work| {
        let mut parser = Parser::new();
        let read = |chunk: &&str| {
            let update = parser.feed(*chunk);
            update.snapshot().at(work.path).as_str().map_or(0, |text| text.len() as u64)
        };
        work.chunks.iter().map(read).sum()
    }),
    ("jsonrill, owned value", |work| {
        let mut parser = Parser::new();
        work.chunks.iter().map(|chunk| length(Some(parser.feed(*chunk).snapshot().to_value()), work.path)).sum()
    }),
    ("jiter", |work| {
        prefixes(work, |prefix| {
            let value = JsonValue::parse_with_config(prefix.as_bytes(), false, PartialMode::TrailingStrings);
            value.map_or(0, |value| jiter_length(&value, work.path))
        })
    }),
    ("jsonmodem, events", |work| work::jsonmodem_events(&work.chunks)),
    ("jsonmodem, value by hand", |work| {
        let mut modem = Modem::new();
        let mut read = |chunk: &&str| {
            modem.feed(chunk);
            borrowed_length(modem.value.as_ref(), work.path)
        };
        work.chunks.iter().map(&mut read).sum()
    }),
    ("actson, events", |work| work::actson_events(&work.chunks)),
    ("jsonfix", |work| {
        prefixes(work, |prefix| {
            let value = jsonfix::parse_partial(prefix, jsonfix::Options::partial(jsonfix::Allow::ALL)).ok();
            let found = value.as_ref().and_then(|value| value.pointer(work.path)?.as_str());
            found.map_or(0, |text| text.len() as u64)
        })
    }),
    ("partial-json-fixer", |work| {
        prefixes(work, |prefix| length(parsed(Some(partial_json_fixer::fix_json(prefix))), work.path))
    }),
    ("llm_json", |work| {
        prefixes(work, |prefix| length(llm_json::loads(prefix, &llm_json::RepairOptions::default()).ok(), work.path))
    }),
    ("jsonrepair", |work| ported(work, "jsonrepair")),
    ("jsonrepair-rs", |work| ported(work, "jsonrepair-rs")),
    ("anyrepair", |work| ported(work, "anyrepair")),
];

/// Reads the text up to the end of every chunk.
fn prefixes(work: &Work<'_>, mut read: impl FnMut(&str) -> u64) -> u64 {
    work.ends.iter().map(|end| read(&work.text[..*end])).sum()
}

fn ported(work: &Work<'_>, name: &str) -> u64 {
    let repair = ports::ALL.iter().find(|(port, _)| *port == name).expect("a port").1;
    prefixes(work, |prefix| length(parsed(repair(prefix)), work.path))
}

pub fn parsed(text: Option<String>) -> Option<Value> {
    serde_json::from_str(&text?).ok()
}

fn length(value: Option<Value>, path: &str) -> u64 {
    borrowed_length(value.as_ref(), path)
}

fn borrowed_length(value: Option<&Value>, path: &str) -> u64 {
    value.and_then(|value| value.pointer(path)).and_then(Value::as_str).map_or(0, |text| text.len() as u64)
}

fn jiter_length(value: &JsonValue<'_>, path: &str) -> u64 {
    let found = path.split('/').skip(1).try_fold(value, |value, step| match value {
        JsonValue::Array(elements) => elements.get(step.parse::<usize>().ok()?),
        JsonValue::Object(members) => members.iter().find(|(key, _)| key == step).map(|(_, value)| value),
        _ => None,
    });
    match found {
        Some(JsonValue::Str(text)) => text.len() as u64,
        _ => 0,
    }
}
