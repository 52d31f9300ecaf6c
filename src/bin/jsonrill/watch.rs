//! `jsonrill watch`: what the parser knows after every chunk.

use std::collections::VecDeque;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use jsonrill::{Chunk, End, Finished, Parser, ReportKind, Reports, Update, Wire};

use crate::exit::Exit;
use crate::input::{Format, Input};
use crate::lines::{Detail, Lines};
use crate::live::Live;
use crate::options::{DialectReading, Ending};
use crate::output::tell;
use crate::source::Suspicion;
use crate::stream::Speaker;
use crate::watched::{Said, Spoken, Watched};

/// Show what is known after every chunk: snapshot, delta, and what may still change.
///
/// One JSON line per chunk: `{"feed", "snapshot", "delta", "ambiguity", "open", "final"}`. The last line,
/// `{"end": true, …}`, says how it ended, with the value and everything that was repaired or skipped; of a provider's
/// stream also why the model stopped (`finish_reason`) and what the provider reports (`stream_error`).
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

    fn view(&self, flush: bool) -> Box<dyn View> {
        let stdout = io::stdout();
        if self.emit == Emit::Live {
            return Box::new(Live::new(stdout.is_terminal()));
        }
        let detail = match self.emit {
            Emit::Lines | Emit::Live => Detail::Full,
            Emit::Deltas => Detail::Deltas,
            Emit::Final => Detail::End,
        };
        Box::new(Printed {
            lines: Lines::new(detail, self.reading.reading.roots),
            out: BufWriter::with_capacity(64 * 1024, stdout.lock()),
            flush,
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
    fn end(&mut self, finished: &Finished, spoken: Option<&Spoken>) -> io::Result<()>;
}

/// Runs `jsonrill watch`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let wire = args.speaker.wire(args.wire())?;
    let mut input = Input::open(args.file.as_deref(), args.format(), args.chunk)?;
    let mut watch = Watch {
        view: args.view(input.is_live() || args.delay > 0),
        parser: Parser::with_options(args.reading.options()),
        delay: Duration::from_millis(args.delay),
    };
    let mut end = args.ending.end();
    let mut spoken = None;
    if let Some(wire) = wire {
        let said;
        (said, spoken) = watch.stream(args, wire, &mut input)?;
        // Who knows better may say so.
        end = if end == End::Unknown { said } else { end };
    } else {
        let mut suspicion = matches!(args.input, InputFormat::Json).then(Suspicion::new);
        while let Some(chunk) = input.next()? {
            if let Some(suspicion) = &mut suspicion {
                suspicion.look(chunk);
            }
            watch.feed(chunk)?;
        }
    }
    let finished = watch.parser.finish(end);
    watch.view.end(&finished, spoken.as_ref())?;
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

    /// Watches what a provider streams, and gives its word on why the text ends.
    fn stream(&mut self, args: &Args, wire: Wire, input: &mut Input) -> Result<(End, Option<Spoken>)> {
        let mut watched = Watched::new(&args.speaker, wire, args.reading.reading.is_arguments());
        let mut said = VecDeque::new();
        while let Some(chunk) = input.next()? {
            watched.push(chunk, &mut said);
            self.said(&mut said)?;
        }
        let end = watched.finish(&mut said);
        self.said(&mut said)?;
        Ok((end, watched.spoken()))
    }

    fn said(&mut self, said: &mut VecDeque<Said>) -> io::Result<()> {
        said.drain(..).try_for_each(|said| match said {
            Said::Text(text) => self.feed(text),
            Said::Trouble(message) => {
                tell(&format!("jsonrill: {message}\n"));
                Ok(())
            }
        })
    }
}

/// All reports, with those that are beyond the cap.
pub(crate) fn total<K: ReportKind>(reports: &Reports<K>) -> u64 {
    reports.len() as u64 + reports.omitted()
}

/// The views that are JSON lines.
struct Printed<W: Write> {
    lines: Lines,
    out: W,
    /// Whether somebody may be waiting for each line.
    flush: bool,
}

impl<W: Write> View for Printed<W> {
    fn feed(&mut self, feed: &Feed<'_>) -> io::Result<()> {
        self.lines.feed(feed.update, &mut self.out)?;
        if self.flush { self.out.flush() } else { Ok(()) }
    }

    fn end(&mut self, finished: &Finished, spoken: Option<&Spoken>) -> io::Result<()> {
        self.lines.end(finished, spoken, &mut self.out)?;
        self.out.flush()
    }
}
