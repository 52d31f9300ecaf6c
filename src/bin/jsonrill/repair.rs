//! `jsonrill repair`: valid JSON out of a damaged text.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use jsonrill::{
    Ask, AssistedOptions, AssistedRepair, AssistedReport, End, Options, Outcome, Places, RepairSource, Repaired,
    ReportKind, Reports, Snapshot, Span, repair_with,
};

use crate::cut::{CutLine, Told};
use crate::excerpt::Excerpt;
use crate::exit::Exit;
use crate::options::{Ending, NO_OBJECT, Reading, Role, Roots};
use crate::output::{About, Line, tell, write_line};
use crate::reports::{PlacedError, StreamError, doubtful, left_out, omitted, placed, placed_skips};
use crate::required::{Required, exit, members, message, told};
use crate::source::{Source, Text};
use crate::summary::Summary;

/// Turn a damaged text into valid JSON.
///
/// Prints the JSON as the input has it: valid JSON comes back unchanged, but for a key that its object has more than
/// once, of which one member stays (`--duplicates`) and the others are left out, which is told on standard error. Of
/// anything else what is valid keeps its spelling and its layout. Text around the JSON is left out, and what was cut off
/// is closed. The exit code, and a message on standard error, say whether the JSON was all there.
#[cfg_attr(
    any(feature = "http", feature = "command"),
    doc = "\n\nWith --model, a language model is asked where the rules are not enough. Its answer is taken if it is valid\n           and differs from the text in its syntax alone; --report and --json say what it changed."
)]
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file to read; standard input when missing or `-`.
    file: Option<PathBuf>,

    /// Tell on standard error what was repaired and left out, where it is, and how it ended.
    #[arg(long)]
    report: bool,

    /// Print one JSON object with the text, its value, and all that was repaired and left out; where there are any with
    /// what is `missing` of what has to be there (`--require`), and with what went wrong in the stream that has the text
    /// (`stream_errors`, `[{"kind", "code", "message"}]`).
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    input: Source,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    ending: Ending,

    #[command(flatten)]
    required: Required,

    #[cfg(any(feature = "http", feature = "command"))]
    #[command(flatten)]
    assisted: crate::assisted::AssistedArgs,
}

/// Whether a model is to be asked.
#[cfg(any(feature = "http", feature = "command"))]
fn has_model(args: &Args) -> bool {
    args.assisted.is_asked()
}

/// There are no models.
#[cfg(not(any(feature = "http", feature = "command")))]
fn has_model(_: &Args) -> bool {
    false
}

impl Args {
    /// Says what a reader of the text would not see. In the object it is a warning.
    fn tell_left_out(&self, repaired: &Repaired, about: &About) {
        if !self.json
            && let Some(left_out) = left_out(repaired.warnings())
        {
            about.tell(left_out);
        }
    }

    /// Repairs the text with a model's help, or by the rules alone where something is required. None where neither is
    /// asked for.
    fn assisted(&self, source: &[u8], options: Options, end: End) -> Result<Option<AssistedReport>> {
        let options = self.required.apply(AssistedOptions::new().parser(options).end(end))?;
        #[cfg(any(feature = "http", feature = "command"))]
        if let Some(report) = self.assisted.repair(source, &options)? {
            return Ok(Some(report));
        }
        let by_rules = || AssistedRepair::new(String::from_utf8_lossy(source), options.ask(Ask::Never)).into_report();
        Ok((!self.required.is_empty()).then(by_rules))
    }
}

/// Runs `jsonrill repair`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let about = About::file(args.file.as_deref());
    let Text { bytes: source, end: said, errors } = args.input.read(args.file.as_deref(), &about, &args.reading)?;
    // Who knows better than the provider may say so.
    let end = Some(args.ending.end()).filter(|end| *end != End::Unknown).unwrap_or(said);
    let options = args.reading.apply(Options::new());
    if args.reading.roots == Roots::Many && (has_model(args) || !args.required.is_empty()) {
        bail!("--model and --require are for one root, and not for --roots many");
    }
    if let Some(report) = args.assisted(&source, options, end)? {
        return assisted(args, &report, &errors, &about);
    }
    let repaired = repair_with(&source, options, end);
    let made = Made::by_rules(&repaired).read_as(args.reading.role);
    let (outcome, is_other) = (made.outcome, made.is_other);

    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    if args.json {
        let mut line = Line::new(&mut out);
        object(&mut line, &source, &made, args.reading.roots == Roots::Many)?;
        stream_errors(&mut line, &errors)?;
        line.end()?;
    } else {
        write_line(&mut out, repaired.text())?;
    }
    out.flush()?;

    if args.report {
        tell(&report(&source, &repaired));
    } else {
        args.tell_left_out(&repaired, &about);
    }
    if is_other {
        about.tell(NO_OBJECT);
    } else if !args.report
        && let Err(incomplete) = repaired.into_finished().into_complete()
    {
        about.tell(incomplete);
    }
    Ok(outcome.into())
}

/// Prints what was made of a text in which something is required, or with a model's help.
fn assisted(args: &Args, report: &AssistedReport, errors: &[StreamError], about: &About) -> Result<Exit> {
    let (source, repaired) = (report.original().as_bytes(), report.repaired());
    let made = Made::assisted(report).read_as(args.reading.role);
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    if args.json {
        let mut line = Line::new(&mut out);
        object(&mut line, source, &made, false)?;
        stream_errors(&mut line, errors)?;
        members(&mut line, report)?;
        line.end()?;
    } else {
        write_line(&mut out, report.text())?;
    }
    out.flush()?;

    if args.report {
        tell(&(self::report(source, repaired) + &told(report, has_model(args))));
    } else {
        if report.source() == RepairSource::Rules {
            args.tell_left_out(repaired, about);
        }
        tell(&message(report, has_model(args), about));
        // What the rules say is of the text without the model's help.
        if !report.is_complete()
            && let Err(incomplete) = repaired.finished().clone().into_complete()
        {
            about.tell(incomplete);
        }
    }
    if made.is_other {
        about.tell(NO_OBJECT);
    }
    Ok(exit(report, made.outcome))
}

// --- for programs -----------------------------------------------------------------------------------------------------

/// What was made of a text, and what the rules say about it.
pub(crate) struct Made<'a> {
    pub(crate) text: &'a str,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) outcome: Outcome,
    /// Whether that is not what it was read to be, for it is not fit for what it was read as.
    pub(crate) is_other: bool,
    pub(crate) repaired: &'a Repaired,
}

impl<'a> Made<'a> {
    pub(crate) fn by_rules(repaired: &'a Repaired) -> Self {
        let (text, snapshot, outcome) = (repaired.text(), repaired.snapshot(), repaired.outcome());
        Self { text, snapshot, outcome, is_other: false, repaired }
    }

    /// Where something is required, or with a model's help.
    pub(crate) fn assisted(report: &'a AssistedReport) -> Self {
        let (text, snapshot, outcome) = (report.text(), report.snapshot(), report.outcome());
        Self { text, snapshot, outcome, is_other: false, repaired: report.repaired() }
    }

    /// The same, as what it was read as.
    pub(crate) fn read_as(self, role: Role) -> Self {
        let outcome = role.outcome(self.outcome, self.snapshot);
        Self { outcome, is_other: outcome != self.outcome, ..self }
    }
}

/// Writes everything into one JSON object.
pub(crate) fn object(line: &mut Line<'_, impl Write>, source: &[u8], made: &Made<'_>, many: bool) -> io::Result<()> {
    let Made { text, snapshot, outcome, is_other, repaired } = made;
    line.member("outcome", outcome.as_str())?
        .member("complete", &outcome.is_complete())?
        .json_or_null("value", snapshot.is_started().then_some(*snapshot))?;
    if many {
        line.json_array("documents", repaired.documents().map(|document| document.snapshot))?;
    }
    let mut places = Places::new(source);
    line.member("text", *text)?
        .member("repairs", &placed(repaired.repairs(), &mut places))?
        .member("warnings", &placed(repaired.warnings(), &mut places))?
        .member("skipped", &placed_skips(repaired.skipped(), &mut places))?
        .member("cut", &repaired.cut().map(CutLine::new))?;
    let doubtful = doubtful(repaired.repairs());
    if !doubtful.is_empty() {
        line.member("doubtful", &doubtful)?;
    }
    let omitted = omitted(repaired.finished());
    if omitted > 0 {
        line.member("omitted", &omitted)?;
    }
    let error = repaired.error().map(PlacedError::new);
    // Where it is, the rules know: a model's answer is another text.
    let error = error.or_else(|| is_other.then(|| PlacedError::no_object(repaired.snapshot(), &mut places)));
    line.member("error", &error)?;
    Ok(())
}

/// Writes what went wrong in the stream that has the text, if anything did.
fn stream_errors(line: &mut Line<'_, impl Write>, errors: &[StreamError]) -> io::Result<()> {
    if !errors.is_empty() {
        line.member("stream_errors", errors)?;
    }
    Ok(())
}

// --- for people -------------------------------------------------------------------------------------------------------

/// Something to show, at a place.
struct Entry {
    span: Span,
    what: String,
}

/// Shows every repair, warning and skip where it is, and sums up.
fn report(source: &[u8], repaired: &Repaired) -> String {
    let mut entries = Vec::new();
    if let Some(error) = repaired.error() {
        entries.push(at(error.offset(), format!("error {}: {error}", error.kind())));
    }
    if let Some(cut) = repaired.cut() {
        entries.push(at(cut.offset(), format!("cut {}: {}", cut.state(), Told(cut))));
    }
    add(&mut entries, "repair", repaired.repairs());
    add(&mut entries, "warning", repaired.warnings());
    add(&mut entries, "skip", repaired.skipped());
    entries.sort_by_key(|entry| entry.span.start);

    let mut places = Places::new(source);
    let mut text = String::new();
    for Entry { span, what } in entries {
        // Writing into a string does not fail.
        let _ = writeln!(text, "{} {what}", places.at(span.start));
        let _ = write!(text, "{}", Excerpt::new(source, span.range()));
    }
    let _ = writeln!(text, "{}", Summary::of_repaired(repaired));
    text
}

fn add<K: ReportKind>(entries: &mut Vec<Entry>, class: &str, reports: &Reports<K>) {
    entries.extend(reports.iter().map(|report| {
        let mut what = format!("{class} {}: {}", report.kind.as_str(), report.kind.message());
        if report.count > 1 {
            what = format!("{what} ({} times)", report.count);
        }
        Entry { span: report.span, what }
    }));
}

fn at(offset: u64, what: String) -> Entry {
    let offset = u32::try_from(offset).unwrap_or(u32::MAX);
    Entry { span: Span { start: offset, end: offset }, what }
}
