//! `jsonrill repair`: valid JSON out of a damaged text.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use jsonrill::{Options, Places, Repaired, Report, ReportKind, Reports, Span, repair_with};
use serde::Serialize;

use crate::cut::{CutLine, Told};
use crate::excerpt::Excerpt;
use crate::exit::Exit;
use crate::input::{Format, Input};
use crate::options::{Ending, Reading, Roots};
use crate::output::{Line, tell, write_line};
use crate::summary::Summary;

/// Turn a damaged text into valid JSON.
///
/// Prints the JSON as the input has it: valid JSON comes back unchanged, and of anything else what is valid keeps its
/// spelling and its layout. Text around the JSON is left out, and what was cut off is closed. The exit code, and a
/// message on standard error, say whether the JSON was all there.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file to read; standard input when missing or `-`.
    file: Option<PathBuf>,

    /// Tell on standard error what was repaired and left out, where it is, and how it ended.
    #[arg(long)]
    report: bool,

    /// Print one JSON object with the text, its value, and all that was repaired and left out.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    ending: Ending,
}

/// Runs `jsonrill repair`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let source = Input::open(args.file.as_deref(), Format::Text, None)?.into_rest()?;
    let repaired = repair_with(&source, args.reading.apply(Options::new()), args.ending.end());
    let exit = Exit::from(repaired.outcome());

    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    if args.json {
        object(&mut out, &source, &repaired, args.reading.roots == Roots::Many)?;
    } else {
        write_line(&mut out, repaired.text())?;
    }
    out.flush()?;

    if args.report {
        report(&source, &repaired);
    } else if !args.json
        && let Err(incomplete) = repaired.into_finished().into_complete()
    {
        tell(&format!("jsonrill: {incomplete}\n"));
    }
    Ok(exit)
}

// --- for programs -----------------------------------------------------------------------------------------------------

/// Writes everything as one JSON object.
fn object(out: &mut impl Write, source: &[u8], repaired: &Repaired, many: bool) -> io::Result<()> {
    let snapshot = repaired.snapshot();
    let mut line = Line::new(out);
    line.member("outcome", repaired.outcome().as_str())?
        .member("complete", &repaired.is_complete())?
        .json_or_null("value", snapshot.is_started().then_some(snapshot))?;
    if many {
        line.json_array("documents", repaired.documents().map(|document| document.snapshot))?;
    }
    let mut places = Places::new(source);
    line.member("text", repaired.text())?
        .member("repairs", &placed(repaired.repairs(), &mut places))?
        .member("warnings", &placed(repaired.warnings(), &mut places))?
        .member("skipped", &placed(repaired.skipped(), &mut places))?
        .member("cut", &repaired.cut().map(CutLine::new))?;
    let omitted = repaired.repairs().omitted() + repaired.warnings().omitted() + repaired.skipped().omitted();
    if omitted > 0 {
        line.member("omitted", &omitted)?;
    }
    let error = repaired.error().map(|error| PlacedError {
        code: error.code().as_str(),
        offset: error.offset(),
        line: error.line(),
        column: error.column(),
        message: error.to_string(),
    });
    line.member("error", &error)?.end()
}

#[derive(Serialize)]
struct Placed {
    kind: &'static str,
    offset: u32,
    length: u32,
    line: u32,
    column: u32,
    message: &'static str,
}

#[derive(Serialize)]
struct PlacedError {
    code: &'static str,
    offset: u64,
    line: Option<u32>,
    column: Option<u32>,
    message: String,
}

fn placed<K: ReportKind>(reports: &Reports<K>, places: &mut Places<'_>) -> Vec<Placed> {
    let with_place = |report: &Report<K>| {
        let place = places.at(report.span.start);
        Placed {
            kind: report.kind.as_str(),
            offset: report.span.start,
            length: report.span.len(),
            line: place.line,
            column: place.column,
            message: report.kind.message(),
        }
    };
    reports.iter().map(with_place).collect()
}

// --- for people -------------------------------------------------------------------------------------------------------

/// Something to show, at a place.
struct Entry {
    span: Span,
    what: String,
}

/// Shows every repair, warning and skip where it is, and sums up.
fn report(source: &[u8], repaired: &Repaired) {
    let mut entries = Vec::new();
    if let Some(error) = repaired.error() {
        entries.push(at(error.offset(), format!("error {}: {error}", error.code())));
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
    tell(&text);
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
