//! The work that is measured, one function a parser and a way to use it.
//!
//! Each function returns what it built, so that the caller decides whether giving it back is part of the measurement.

use actson::feeder::PushJsonFeeder;
use actson::{JsonEvent, JsonParser};
use jsonmodem::{ParserOptions, StreamingParser};
use jsonrill::{DeltaOp, Dialect, End, Finished, Options, Parser, Snapshot, Update};

pub fn options(dialect: Dialect) -> Options {
    Options::new().dialect(dialect)
}

/// A whole document in one feed, to the end.
pub fn whole(options: Options, document: &str) -> (Parser, Finished) {
    let mut parser = Parser::with_options(options);
    parser.push(document);
    let finished = parser.finish(End::Stopped);
    assert!(finished.is_complete(), "a bench document is valid JSON");
    (parser, finished)
}

/// What a stretch of feeds leaves behind.
pub struct Fed {
    pub parser: Parser,
    pub last: Option<Update>,
    /// Something that depends on all that was read, so that no reading can be left out.
    pub tally: u64,
}

/// Reads an update as a user interface would: every op of the delta, and whether one field may still change.
#[inline]
pub fn read(update: &Update, watched: &str) -> u64 {
    let mut tally = 0;
    for op in update.delta().ops() {
        tally += match op {
            DeltaOp::Append(_, text) => text.len() as u64,
            DeltaOp::Add(value) | DeltaOp::Replace(value) => 1 + u64::from(value.kind().is_some()),
            DeltaOp::Final(value) => 3 + u64::from(value.kind().is_some()),
        };
    }
    tally + u64::from(update.is_ambiguous(watched))
}

/// A document in chunks: at every feed an owned update, kept until the next, its delta read op by op, and one
/// `is_ambiguous`.
pub fn feeds(options: Options, chunks: &[&str], watched: &str) -> Fed {
    let mut parser = Parser::with_options(options);
    let mut last = None;
    let mut tally = 0;
    for chunk in chunks {
        let update = parser.feed(chunk);
        tally += read(&update, watched);
        last = Some(update);
    }
    Fed { parser, last, tally }
}

/// The same, and the text of one value looked up in every snapshot.
pub fn feeds_reading(options: Options, chunks: &[&str], watched: &str) -> Fed {
    let mut parser = Parser::with_options(options);
    let mut last = None;
    let mut tally = 0;
    for chunk in chunks {
        let update = parser.feed(chunk);
        tally += read(&update, watched);
        let value = update.snapshot().at(watched);
        tally += value.as_str().or_else(|| value.number_text()).map_or(0, |text| text.len() as u64);
        last = Some(update);
    }
    Fed { parser, last, tally }
}

/// The same as [`feeds`], and every snapshot kept to the end.
pub fn feeds_keeping(options: Options, chunks: &[&str], watched: &str, kept: &mut Vec<Snapshot>) -> Fed {
    let mut parser = Parser::with_options(options);
    let mut tally = 0;
    for chunk in chunks {
        let update = parser.feed(chunk);
        tally += read(&update, watched);
        kept.push(update.snapshot().clone());
    }
    Fed { parser, last: None, tally }
}

/// jsonmodem, its bare events: no values built, no snapshot.
pub fn jsonmodem_events(chunks: &[&str]) -> u64 {
    let mut parser = StreamingParser::new(ParserOptions::default());
    let mut events = 0;
    for chunk in chunks {
        parser.feed(chunk);
        for event in parser.by_ref() {
            std::hint::black_box(event.expect("a bench document is valid JSON"));
            events += 1;
        }
    }
    for event in parser.finish() {
        std::hint::black_box(event.expect("a bench document is valid JSON"));
        events += 1;
    }
    events
}

/// actson, its bare events: no text of a value looked at.
pub fn actson_events(chunks: &[&str]) -> u64 {
    let mut parser = JsonParser::new(PushJsonFeeder::new());
    let mut events = 0;
    for chunk in chunks {
        let mut rest = chunk.as_bytes();
        while !rest.is_empty() {
            let taken = parser.feeder.push_bytes(rest);
            rest = &rest[taken..];
            events += actson_drain(&mut parser);
        }
    }
    parser.feeder.done();
    events + actson_drain(&mut parser)
}

fn actson_drain(parser: &mut JsonParser<PushJsonFeeder>) -> u64 {
    let mut events = 0;
    loop {
        match parser.next_event().expect("a bench document is valid JSON") {
            Some(JsonEvent::NeedMoreInput) | None => return events,
            Some(event) => {
                std::hint::black_box(event);
                events += 1;
            }
        }
    }
}
