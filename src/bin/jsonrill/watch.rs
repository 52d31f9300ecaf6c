//! `jsonrill watch`: what the parser knows after every chunk.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, ValueEnum};
use jsonrill::{
    Chunk, End, Finished, MessageEvent, Parser, PayloadDecoder, Provider, ReportKind, Reports, SkipKind, Snapshot,
    StopReason, Update, Wire,
};
use serde::Serialize;
use serde_json::Value;

use crate::cut::CutLine;
use crate::exit::Exit;
use crate::input::{Format, Input};
use crate::live::Live;
use crate::options::{DialectReading, Ending, Roots};
use crate::output::{Line, tell};
use crate::stream::Speaker;

/// Show what is known after every chunk: snapshot, delta, and what may still change.
///
/// One JSON line per chunk: `{"feed", "snapshot", "delta", "ambiguity", "open", "final"}`. The last line,
/// `{"end": true, …}`, says how it ended, with the value and everything that was repaired or skipped.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file to read; standard input when missing or `-`. A file is one chunk, standard input is fed as it arrives.
    file: Option<PathBuf>,

    /// What the input is. Of a provider's stream the text of the answer is watched, and with `--role arguments` the
    /// arguments of the first tool call; each piece that the provider sends is a feed. Of any other stream the payloads
    /// are watched.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = InputFormat::Json)]
    input: InputFormat,

    #[command(flatten)]
    speaker: Speaker,

    /// Cut the input into chunks of this many bytes.
    #[arg(long, value_name = "BYTES")]
    chunk: Option<NonZeroUsize>,

    #[command(flatten)]
    reading: DialectReading,

    #[command(flatten)]
    ending: Ending,

    /// What to print.
    #[arg(long, value_enum, default_value_t = Emit::Lines)]
    emit: Emit,

    /// Wait this long after every chunk, so that a file can be watched as if it were streamed.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    delay: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum InputFormat {
    /// The text itself.
    Json,
    /// A chunk a line: a JSON string, or {"base64": "…"}.
    Chunks,
    /// A provider's stream of server-sent events.
    Sse,
    /// A provider's stream of JSON lines.
    Ndjson,
    /// A provider's stream of the elements of an array.
    JsonArray,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// A line per chunk with everything, and the last line.
    Lines,
    /// The same without snapshot and ambiguity, whose repetition makes the output quadratic.
    Deltas,
    /// A view for people that redraws in place.
    Live,
    /// The last line only.
    Final,
}

impl Args {
    fn format(&self) -> Format {
        match self.input {
            InputFormat::Chunks => Format::Chunks,
            _ => Format::Text,
        }
    }

    /// What a provider's stream comes over, where the input is one.
    fn wire(&self) -> Option<Wire> {
        match self.input {
            InputFormat::Json | InputFormat::Chunks => None,
            InputFormat::Sse => Some(Wire::Sse),
            InputFormat::Ndjson => Some(Wire::Ndjson),
            InputFormat::JsonArray => Some(Wire::JsonArray),
        }
    }

    /// The text that is watched of what a provider sends.
    fn watched<'e>(&self, event: &'e MessageEvent) -> Option<&'e str> {
        match event {
            MessageEvent::Content { choice: 0, text } if !self.reading.reading.is_arguments() => Some(text),
            MessageEvent::CallArguments { choice: 0, call: 0, text } if self.reading.reading.is_arguments() => {
                Some(text)
            }
            _ => None,
        }
    }

    fn view(&self, flush: bool) -> Box<dyn View> {
        let stdout = io::stdout();
        if self.emit == Emit::Live {
            return Box::new(Live::new(stdout.is_terminal()));
        }
        Box::new(Lines {
            out: BufWriter::with_capacity(64 * 1024, stdout.lock()),
            emit: self.emit,
            roots: self.reading.reading.roots,
            flush,
            feeds: 0,
        })
    }
}

/// What a view is told about a feed.
pub(crate) struct Feed<'a> {
    pub(crate) update: &'a Update,
    pub(crate) bytes: usize,
    pub(crate) took: Duration,
    pub(crate) repairs: u64,
}

/// Shows feeds, and the end.
pub(crate) trait View {
    fn feed(&mut self, feed: &Feed<'_>) -> io::Result<()>;
    fn end(&mut self, finished: &Finished) -> io::Result<()>;
}

/// Runs `jsonrill watch`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    if args.speaker.is_named() && args.wire().is_none() {
        bail!("--provider says whose stream it is: it needs --input sse, ndjson or json-array");
    }
    let mut input = Input::open(args.file.as_deref(), args.format(), args.chunk)?;
    let mut watch = Watch {
        view: args.view(input.is_live() || args.delay > 0),
        parser: Parser::with_options(args.reading.options()),
        delay: Duration::from_millis(args.delay),
    };
    let mut end = args.ending.end();
    if let Some(wire) = args.wire() {
        let said = watch.stream(args, wire, &mut input)?;
        // Who knows better may say so.
        end = if end == End::Unknown { said } else { end };
    } else {
        while let Some(chunk) = input.next()? {
            watch.feed(chunk)?;
        }
    }
    let finished = watch.parser.finish(end);
    watch.view.end(&finished)?;
    Ok(finished.outcome().into())
}

/// A parser that is looked at after each feed.
struct Watch {
    view: Box<dyn View>,
    parser: Parser,
    delay: Duration,
}

impl Watch {
    fn feed(&mut self, chunk: impl Chunk) -> io::Result<()> {
        let start = Instant::now();
        let update = self.parser.feed(&chunk);
        let took = start.elapsed();
        let repairs = total(self.parser.repairs());
        self.view.feed(&Feed { update: &update, bytes: chunk.bytes().len(), took, repairs })?;
        thread::sleep(self.delay);
        Ok(())
    }

    /// Watches what a provider streams, and gives its word on why the text ends. Where nobody is named, and the first
    /// payload that says anything is of no provider's form, the payloads themselves are the text.
    fn stream(&mut self, args: &Args, wire: Wire, input: &mut Input) -> Result<End> {
        let mut decoder = args.speaker.decoder(Some(wire));
        let mut payloads = PayloadDecoder::of(wire);
        let mut is_provider = args.speaker.is_named().then_some(true);
        // What came before it was clear whose they are.
        let mut held = Vec::new();
        while let Some(chunk) = input.next()? {
            let events: Vec<MessageEvent> = decoder.push(chunk).collect();
            let mut errors = Vec::new();
            if is_provider != Some(true) {
                for item in payloads.push(chunk) {
                    match item {
                        Ok(payload) if payload.is_done() => {}
                        Ok(payload) => held.push(payload.into_owned()),
                        Err(error) => errors.push(error),
                    }
                }
                is_provider = is_provider.or_else(|| held.iter().find_map(|payload| speaks(&payload.data)));
            }
            match is_provider {
                Some(true) => self.events(args, &events)?,
                Some(false) => {
                    for error in errors {
                        tell(&format!("jsonrill: {error}\n"));
                    }
                    self.texts(wire, held.drain(..).map(|payload| payload.data))?;
                }
                None => {}
            }
        }
        let events: Vec<MessageEvent> = decoder.finish().collect();
        let (last, unended) = payloads.finish().map_or_else(|unended| (Vec::new(), Some(unended)), |last| (last, None));
        held.extend(last.into_iter().filter(|payload| !payload.is_done()));
        is_provider = is_provider.or_else(|| held.iter().find_map(|payload| speaks(&payload.data)));
        if is_provider.unwrap_or(held.is_empty()) {
            self.events(args, &events)?;
            return Ok(decoder.message().stop_reason().map_or(End::Truncated, StopReason::end));
        }
        self.texts(wire, held.drain(..).map(|payload| payload.data))?;
        let Some(unended) = unended else { return Ok(End::Unknown) };
        tell(&format!("jsonrill: {unended}\n"));
        if !unended.text().is_empty() {
            self.feed(unended.text())?;
        }
        Ok(End::Truncated)
    }

    /// Feeds payloads that are the text: of an event stream each is a piece of it, else each is a text.
    fn texts<'t>(&mut self, wire: Wire, mut texts: impl Iterator<Item = Cow<'t, str>>) -> io::Result<()> {
        texts.try_for_each(|text| if wire == Wire::Sse { self.feed(&*text) } else { self.feed(format!("{text}\n")) })
    }

    fn events(&mut self, args: &Args, events: &[MessageEvent]) -> io::Result<()> {
        events.iter().try_for_each(|event| self.event(args, event))
    }

    fn event(&mut self, args: &Args, event: &MessageEvent) -> io::Result<()> {
        if let MessageEvent::Error(error) = event {
            tell(&format!("jsonrill: {error}\n"));
        }
        args.watched(event).map_or(Ok(()), |text| self.feed(text))
    }
}

/// Whether a payload is a provider's: of a form that is known, or an error. None for a sign of life, which anybody may
/// give.
fn speaks(payload: &str) -> Option<bool> {
    let mut parser = Parser::strict();
    let update = parser.feed(payload);
    let at = |path: &str| update.snapshot().at(path);
    if at("/type") == "ping" {
        return None;
    }
    Some(Provider::detect(payload).is_some() || at("/error").exists())
}

/// All reports, with those that are beyond the cap.
pub(crate) fn total<K: ReportKind>(reports: &Reports<K>) -> u64 {
    reports.len() as u64 + reports.omitted()
}

/// The views that are JSON lines.
struct Lines<W: Write> {
    out: W,
    emit: Emit,
    roots: Roots,
    /// Whether somebody may be waiting for each line.
    flush: bool,
    feeds: u64,
}

impl<W: Write> View for Lines<W> {
    fn feed(&mut self, feed: &Feed<'_>) -> io::Result<()> {
        self.feeds += 1;
        if self.emit == Emit::Final {
            return Ok(());
        }
        if self.has_parts() {
            for part in feed.update.parts() {
                self.update(part)?;
            }
        } else {
            self.update(feed.update)?;
        }
        if self.flush { self.out.flush() } else { Ok(()) }
    }

    fn end(&mut self, finished: &Finished) -> io::Result<()> {
        let update = finished.update();
        if self.has_parts() && self.emit != Emit::Final {
            // What the end settles may be more than one document; the last is part of the last line.
            let parts: Vec<&Update> = update.parts().collect();
            for part in parts.iter().take(parts.len().saturating_sub(1)) {
                self.update(part)?;
            }
        }
        let has_parts = self.has_parts();
        let mut line = Line::new(&mut self.out);
        line.member("end", &true)?;
        if has_parts {
            line.member("document", &update.document())?;
        }
        line.json("delta", update.delta())?
            .json_array("final", finals(update))?
            .member("outcome", finished.outcome().as_str())?
            .member("complete", &finished.is_complete())?
            .json_or_null("value", started(finished.snapshot()))?;
        if self.roots == Roots::Many {
            line.json_array("documents", finished.documents().map(|document| document.snapshot))?;
        }
        line.member("repairs", finished.repairs())?
            .member("warnings", finished.warnings())?
            .member("skipped", &skips(finished.skipped()))?
            .member("cut", &finished.cut().map(CutLine::new))?
            .member("error", &finished.error())?
            .end()?;
        self.out.flush()
    }
}

impl<W: Write> Lines<W> {
    /// Whether an update can be about more than one document, each of which gets a line.
    fn has_parts(&self) -> bool {
        self.roots != Roots::One
    }

    fn update(&mut self, update: &Update) -> io::Result<()> {
        let has_parts = self.has_parts();
        let snapshot = update.snapshot();
        let mut line = Line::new(&mut self.out);
        line.member("feed", &self.feeds)?;
        if has_parts {
            line.member("document", &update.document())?;
        }
        if self.emit == Emit::Lines {
            line.json_or_null("snapshot", started(snapshot))?;
        }
        if !snapshot.is_started() {
            line.member("started", &false)?;
        }
        line.json("delta", update.delta())?;
        if self.emit == Emit::Lines {
            line.json("ambiguity", update.ambiguity())?;
        }
        line.member("open", &snapshot.open_path())?.json_array("final", finals(update))?.end()
    }
}

/// The snapshot, if anything is known.
fn started(snapshot: &Snapshot) -> Option<&Snapshot> {
    snapshot.is_started().then_some(snapshot)
}

/// The pointers of what became final, as JSON.
fn finals(update: &Update) -> impl Iterator<Item = Value> {
    update.delta().finals().map(|value| Value::String(value.path()))
}

fn skips(reports: &Reports<SkipKind>) -> Vec<SkipLine> {
    reports
        .iter()
        .map(|report| SkipLine { start: report.span.start, end: report.span.end, kind: report.kind.as_str() })
        .collect()
}

#[derive(Serialize)]
struct SkipLine {
    start: u32,
    end: u32,
    kind: &'static str,
}
