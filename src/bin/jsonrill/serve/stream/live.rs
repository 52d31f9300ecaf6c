//! The state of a stream: bytes go in, server-sent events come out. No input, no output, no time.

use std::collections::VecDeque;
use std::num::NonZeroUsize;

use axum::body::Bytes;
use bytes::BytesMut;
use jsonrill::{End, Parser};
use serde_json::json;

use crate::input::{Format, decode_chunk};
use crate::lines::{Detail, Lines};
use crate::options::{DialectReading, NO_OBJECT, Role};
use crate::serve::failure::Failure;
use crate::stream::Speaker;
use crate::watched::{Said, Watched};

/// How much is written before it is sent.
const FRAME: usize = 16 << 10;

/// How much of a stream is decoded at a time. What it says is held until it is fed.
const STEP: usize = 1 << 10;

/// From what size on an answer takes its time to print.
const LARGE: u64 = 128 << 10;

/// How a stream is read, and what of it is told.
pub(crate) struct Plan {
    pub(crate) input: Format,
    pub(crate) speaker: Speaker,
    /// The tool call whose arguments are the text, instead of the answer.
    pub(crate) call: Option<usize>,
    pub(crate) reading: DialectReading,
    pub(crate) end: End,
    pub(crate) chunk: Option<NonZeroUsize>,
    pub(crate) detail: Detail,
}

/// What is known of a stream.
pub(crate) struct Live {
    parser: Parser,
    lines: Lines,
    role: Role,
    source: Source,
    /// What came in and was not looked at yet.
    waiting: Bytes,
    said: VecDeque<Said>,
    /// What is to be fed in pieces of a size.
    held: BytesMut,
    chunk: Option<NonZeroUsize>,
    detail: Detail,
    end: End,
    fed: u64,
    stage: Stage,
    scratch: Vec<u8>,
}

enum Source {
    /// The text itself.
    Text,
    /// A chunk a line: what there is of a line, and the number of the line.
    Chunks(BytesMut, u64),
    Stream(Box<Watched>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// More may come in.
    Open,
    /// Nothing more comes in.
    Closed,
    /// The same, and the source has said its last.
    Drained,
    /// The last event was given.
    Over,
}

impl Live {
    pub(crate) fn new(plan: &Plan) -> Self {
        let source = match (plan.input, plan.input.wire()) {
            (_, Some(wire)) => Source::Stream(Box::new(Watched::new(&plan.speaker, wire, plan.call))),
            (Format::Chunks, _) => Source::Chunks(BytesMut::new(), 0),
            _ => Source::Text,
        };
        Self {
            parser: Parser::with_options(plan.reading.options()),
            lines: Lines::new(plan.detail, plan.reading.reading.roots),
            role: plan.reading.reading.role,
            source,
            waiting: Bytes::new(),
            said: VecDeque::new(),
            held: BytesMut::new(),
            chunk: plan.chunk,
            detail: plan.detail,
            end: plan.end,
            fed: 0,
            stage: Stage::Open,
            scratch: Vec::new(),
        }
    }

    /// Takes what came in. It must have been asked for: [`step`](Self::step) has nothing more to give.
    pub(crate) fn push(&mut self, piece: Bytes) {
        self.waiting = piece;
    }

    /// Nothing more comes in.
    pub(crate) fn close(&mut self) {
        self.stage = Stage::Closed;
    }

    /// Whether the last event was given.
    pub(crate) fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// Whether the next step takes its time.
    pub(crate) fn is_heavy(&self) -> bool {
        self.fed > LARGE && (self.detail == Detail::Full || self.stage != Stage::Open)
    }

    /// The next events, a frame of them; none when more must come in first, or the last were given.
    pub(crate) fn step(&mut self) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::new();
        while out.len() < FRAME {
            if let Some(said) = self.said.pop_front() {
                match said {
                    Said::Text(text) => self.text(text.as_bytes(), &mut out),
                    Said::Trouble(message) => event(&mut out, "warning", &json!({"message": message}).to_string()),
                }
            } else if self.feed_held(&mut out) {
            } else if !self.waiting.is_empty() {
                self.read(&mut out)?;
            } else if self.stage == Stage::Closed {
                self.stage = Stage::Drained;
                self.drain(&mut out)?;
            } else if self.stage == Stage::Drained {
                self.finish(&mut out);
                break;
            } else {
                break;
            }
        }
        Ok(out)
    }

    /// Looks at some of what came in.
    fn read(&mut self, out: &mut Vec<u8>) -> Result<(), Failure> {
        match &mut self.source {
            Source::Text => {
                let piece = std::mem::take(&mut self.waiting);
                self.text(&piece, out);
            }
            Source::Stream(watched) => {
                let piece = self.waiting.split_to(self.waiting.len().min(STEP));
                watched.push(&piece, &mut self.said);
            }
            Source::Chunks(line, number) => {
                let Some(end) = memchr::memchr(b'\n', &self.waiting) else {
                    line.extend_from_slice(&std::mem::take(&mut self.waiting));
                    return Ok(());
                };
                line.extend_from_slice(&self.waiting.split_to(end + 1));
                *number += 1;
                if let Some(chunk) = recorded(&line.split(), *number)? {
                    self.text(&chunk, out);
                }
            }
        }
        Ok(())
    }

    /// What the source says at its end.
    fn drain(&mut self, out: &mut Vec<u8>) -> Result<(), Failure> {
        match &mut self.source {
            Source::Text => {}
            Source::Stream(watched) => {
                let end = watched.finish(&mut self.said);
                // Who knows better may say so.
                self.end = if self.end == End::Unknown { end } else { self.end };
            }
            Source::Chunks(line, number) => {
                // The last line needs no end.
                if let Some(chunk) = recorded(&line.split(), *number + 1)? {
                    self.text(&chunk, out);
                }
            }
        }
        Ok(())
    }

    /// Takes a piece of the text.
    fn text(&mut self, text: &[u8], out: &mut Vec<u8>) {
        if self.chunk.is_some() {
            self.held.extend_from_slice(text);
        } else {
            self.feed(text, out);
        }
    }

    /// Feeds a piece of what is held, if that is large enough or nothing more comes.
    fn feed_held(&mut self, out: &mut Vec<u8>) -> bool {
        let size = self.chunk.map_or(1, NonZeroUsize::get);
        let is_last = self.stage == Stage::Drained;
        if self.held.is_empty() || (self.held.len() < size && !is_last) {
            return false;
        }
        let piece = self.held.split_to(self.held.len().min(size));
        self.feed(&piece, out);
        true
    }

    fn feed(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        let update = self.parser.feed(piece);
        self.fed += piece.len() as u64;
        self.scratch.clear();
        // A vector takes what it is given.
        let _ = self.lines.feed(&update, &mut self.scratch);
        events(out, &self.scratch, "update");
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.stage = Stage::Over;
        let mut parser = std::mem::replace(&mut self.parser, Parser::new());
        let finished = parser.finish(self.end);
        self.scratch.clear();
        let spoken = match std::mem::replace(&mut self.source, Source::Text) {
            Source::Stream(watched) => Some(watched.spoken()),
            Source::Text | Source::Chunks(..) => None,
        };
        let outcome = self.role.outcome(finished.outcome(), finished.snapshot());
        if outcome != finished.outcome() {
            event(out, "warning", &json!({"message": NO_OBJECT}).to_string());
        }
        let _ = self.lines.end(&finished, outcome, spoken.as_ref(), &mut self.scratch);
        events(out, &self.scratch, "end");
    }
}

/// The bytes that a line of recorded chunks stands for. None for a blank line.
fn recorded(line: &[u8], number: u64) -> Result<Option<Vec<u8>>, Failure> {
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    let mut chunk = Vec::new();
    decode_chunk(line, &mut chunk).map_err(|error| Failure::bad_request(format!("line {number}: {error:#}")))?;
    Ok(Some(chunk))
}

/// Lines as events: the last is of this name, those before it are updates.
fn events(out: &mut Vec<u8>, lines: &[u8], last: &str) {
    let mut lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        let name = if lines.peek().is_some() { "update" } else { last };
        event(out, name, &String::from_utf8_lossy(line));
    }
}

/// Writes an event. The data is JSON in a line.
pub(crate) fn event(out: &mut Vec<u8>, name: &str, data: &str) {
    for part in ["event: ", name, "\ndata: ", data, "\n\n"] {
        out.extend_from_slice(part.as_bytes());
    }
}
