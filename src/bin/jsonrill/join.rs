//! `jsonrill join`: one document out of the responses of several rounds.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use jsonrill::{Outcome, Seam};
use serde::Serialize;

use crate::cut::{CutLine, judged};
use crate::exit::Exit;
use crate::options::{DialectReading, Ending};
use crate::output::{About, Line};
use crate::reports::{ErrorLine, doubtful, omitted, skips};
use crate::rounds::{self, Read};
use crate::source::Source;

/// Join the responses of several rounds into one document.
///
/// Each file is a response: the first one is the start of an answer, and each of the others goes on where those before
/// it were cut. They may begin with the exact rest, with a repeat of some or all of the text, with new members alone,
/// in a code fence or behind an introduction.
///
/// One JSON line: `{"outcome", "complete", "value", "seams", "repairs", "cut"}`. There is a seam for each file but the
/// first, `{"kind", "dropped", "offset"}`: what the file begins with, how many of its first bytes are no part of
/// the document, and where it begins in the text of all files. A byte order mark at the start of a later file is not
/// counted.
///
/// Behind these comes what there is only sometimes: `uncertain`, the numbers of the seams that are a guess, from 0, which
/// messages on standard error name, too; `warnings`; `skipped`, `[{"start", "end", "kind"}]`, what was left out;
/// `doubtful`, the numbers of the repairs that may have read what was not meant; `omitted`, how much of all these is not
/// listed; `error`; and `stream_errors`, what went wrong in the streams that have the responses (`--input`, `--provider`):
/// `[{"round", "kind", "code", "message"}]`, the round from 0, the kind `unended` where a stream broke off, `provider`
/// where that reports an error, and others.
///
/// A file goes on with the document that is open where those before it stop. Behind the end of one, another may begin,
/// in the same file or the next: the value is the first (`--roots one`) or the last (`--roots last` and
/// `--roots many`). A file that begins behind the end of the value goes on with nothing: its seam is `rest`, nothing of
/// it is `dropped`, and all of it is in `skipped`. That is told on standard error, as is a file that has text and none of
/// it is of the document (`refused`, `empty`).
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The response that was cut; standard input when `-`.
    first: PathBuf,

    /// The responses that go on with it, in order.
    #[arg(required = true)]
    next: Vec<PathBuf>,

    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    reading: DialectReading,

    #[command(flatten)]
    ending: Ending,
}

/// Runs `jsonrill join`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let files = [&args.first].into_iter().chain(&args.next).map(PathBuf::as_path);
    let read = rounds::read(files.clone(), &args.source, &args.reading, args.ending.end())?;
    let outcome = args.reading.reading.role.outcome(read.finished.outcome(), read.finished.snapshot());

    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    print(&mut out, &read, outcome)?;
    out.flush()?;
    Ok(judged(read.finished, outcome, &About::all(files)))
}

fn print(out: &mut impl Write, read: &Read, outcome: Outcome) -> io::Result<()> {
    let finished = &read.finished;
    let snapshot = finished.snapshot();
    let seams: Vec<SeamLine> = finished.seams().iter().map(SeamLine::new).collect();
    let mut line = Line::new(out);
    line.member("outcome", outcome.as_str())?
        .member("complete", &outcome.is_complete())?
        .json_or_null("value", snapshot.is_started().then_some(snapshot))?
        .member("seams", &seams)?
        .member("repairs", finished.repairs())?
        .member("cut", &finished.cut().map(CutLine::new))?;
    // A seam itself is as the contract has it.
    let guesses = (0_u64..).zip(finished.seams()).filter(|(_, seam)| !seam.is_certain);
    let uncertain: Vec<_> = guesses.map(|(number, _)| number).collect();
    if !uncertain.is_empty() {
        line.member("uncertain", &uncertain)?;
    }
    if !finished.warnings().is_empty() {
        line.member("warnings", finished.warnings())?;
    }
    if !finished.skipped().is_empty() {
        line.member("skipped", &skips(finished.skipped()))?;
    }
    let doubtful = doubtful(finished.repairs());
    if !doubtful.is_empty() {
        line.member("doubtful", &doubtful)?;
    }
    let omitted = omitted(finished);
    if omitted > 0 {
        line.member("omitted", &omitted)?;
    }
    if let Some(error) = ErrorLine::of(finished, outcome) {
        line.member("error", &error)?;
    }
    if !read.errors.is_empty() {
        line.member("stream_errors", &read.errors)?;
    }
    line.end()
}

/// The form that a seam has in JSON lines.
#[derive(Serialize)]
struct SeamLine {
    kind: &'static str,
    dropped: u64,
    offset: u64,
}

impl SeamLine {
    fn new(seam: &Seam) -> Self {
        SeamLine { kind: seam.kind.as_str(), dropped: seam.dropped, offset: seam.offset }
    }
}
