//! `jsonrill watch`: what the parser knows after every chunk.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use jsonrill::{Finished, Parser, ReportKind, Reports, SkipKind, Snapshot, Update};
use serde::Serialize;
use serde_json::Value;

use crate::cut::CutLine;
use crate::exit::Exit;
use crate::input::{Format, Input};
use crate::live::Live;
use crate::options::{DialectReading, Ending, Roots};
use crate::output::Line;

/// Show what is known after every chunk: snapshot, delta, and what may still change.
///
/// One JSON line per chunk: `{"feed", "snapshot", "delta", "ambiguity", "open", "final"}`. The last line,
/// `{"end": true, …}`, says how it ended, with the value and everything that was repaired or skipped.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file to read; standard input when missing or `-`. A file is one chunk, standard input is fed as it arrives.
    file: Option<PathBuf>,

    /// What the input is.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = InputFormat::Json)]
    input: InputFormat,

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
            InputFormat::Json => Format::Text,
            InputFormat::Chunks => Format::Chunks,
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
    let mut input = Input::open(args.file.as_deref(), args.format(), args.chunk)?;
    let mut view = args.view(input.is_live() || args.delay > 0);
    let mut parser = Parser::with_options(args.reading.options());
    while let Some(chunk) = input.next()? {
        let start = Instant::now();
        let update = parser.feed(chunk);
        let took = start.elapsed();
        view.feed(&Feed { update: &update, bytes: chunk.len(), took, repairs: total(parser.repairs()) })?;
        if args.delay > 0 {
            thread::sleep(Duration::from_millis(args.delay));
        }
    }
    let finished = parser.finish(args.ending.end());
    view.end(&finished)?;
    Ok(finished.outcome().into())
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
