//! `jsonrill watch`: what the parser knows after every chunk.

use std::collections::VecDeque;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use jsonrill::{Chunk, End, Finished, Outcome, Parser, ReportKind, Reports, Update};

use crate::cut::judged;
use crate::exit::Exit;
use crate::input::{self, Input};
use crate::lines::{Detail, Lines};
use crate::live::Live;
use crate::options::{DialectReading, Ending, NO_OBJECT};
use crate::output::About;
use crate::source::{Source, Suspicion};
use crate::watched::{Said, Spoken, Watched};

/// Show what is known after every chunk: snapshot, delta, and what may still change.
///
/// One JSON line per chunk: `{"feed", "snapshot", "delta", "ambiguity", "open", "final"}`. The last line,
/// `{"end": true, …}`, says how it ended, with the value and everything that was repaired or skipped, and where there are
/// any the numbers of the repairs that may have read what was not meant (`doubtful`, from 0); of a stream
/// also why the provider's model stopped (`finish_reason`) and, where anything did, what went wrong in the stream
/// (`stream_errors`, `[{"kind", "code", "message"}]`: the kind `unended` where it broke off, `provider` where that
/// reports an error, and others). Of such a stream each piece that the provider sends is a feed.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file to read; standard input when missing or `-`. A file is one chunk, standard input is fed as it arrives.
    file: Option<PathBuf>,

    #[command(flatten)]
    source: Source,

    /// Cut the input into chunks of this many bytes.
    #[arg(long, value_name = "BYTES", value_parser = input::size)]
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
    fn end(&mut self, finished: &Finished, outcome: Outcome, spoken: Option<&Spoken>) -> io::Result<()>;
}

/// Runs `jsonrill watch`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let watched = args.source.watched(&args.reading.reading)?;
    let mut input = Input::open(args.file.as_deref(), args.source.format, args.chunk)?;
    let about = About::file(args.file.as_deref());
    let mut watch = Watch {
        view: args.view(input.is_live() || args.delay > 0),
        parser: Parser::with_options(args.reading.options()),
        delay: Duration::from_millis(args.delay),
        about: &about,
    };
    let mut end = args.ending.end();
    let mut spoken = None;
    if let Some(watched) = watched {
        let said;
        (said, spoken) = watch.stream(watched, &mut input).map(|(said, spoken)| (said, Some(spoken)))?;
        // Who knows better may say so.
        end = if end == End::Unknown { said } else { end };
    } else {
        let mut suspicion = Suspicion::new(args.source.format, &about);
        while let Some(chunk) = input.next()? {
            suspicion.look(chunk);
            watch.feed(chunk)?;
        }
    }
    let finished = watch.parser.finish(end);
    let outcome = args.reading.reading.role.outcome(finished.outcome(), finished.snapshot());
    watch.view.end(&finished, outcome, spoken.as_ref())?;
    if outcome != finished.outcome() {
        about.tell(NO_OBJECT);
    }
    Ok(judged(finished, outcome, &about))
}

/// A parser that is looked at after each feed.
struct Watch<'a> {
    view: Box<dyn View>,
    parser: Parser,
    delay: Duration,
    about: &'a About,
}

impl Watch<'_> {
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
    fn stream(&mut self, mut watched: Watched, input: &mut Input) -> Result<(End, Spoken)> {
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
                self.about.tell(message);
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

    fn end(&mut self, finished: &Finished, outcome: Outcome, spoken: Option<&Spoken>) -> io::Result<()> {
        self.lines.end(finished, outcome, spoken, &mut self.out)?;
        self.out.flush()
    }
}
