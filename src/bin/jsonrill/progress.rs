//! `jsonrill progress`: how far an answer is.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use jsonrill::{KpiReport, KpiSet, KpiValues};
use serde::Serialize;

use crate::cut::judged;
use crate::exit::Exit;
use crate::options::{DialectReading, Ending};
use crate::printable::printable;
use crate::rounds::Rounds;

/// Print how far an answer is, by figures that say what it is to have in the end (KPIs).
///
/// One JSON line: `{"kpis": [{"id", "current", "target", "ratio"}, …], "ratio", "outcome", "complete"}`. A ratio is how
/// much of the target is there, from 0 to 1; the last one is the mean of all. Of a text that was cut, what there is of
/// it is measured.
///
/// With `--last` each KPI has a `last`, too, and the line has a `verdict` and the `reason` for it: `[true, "Complete"]`
/// where the JSON is complete or all targets are reached, `[false, "KPI went backwards"]` where one is smaller than the
/// last time, `[false, "No progress"]` where none is larger, else `[true, "Progress"]`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    rounds: Rounds,

    /// The KPIs: an array of `{"id", "description", "jsonPath", "targetValue", "currentValue"}`, an object that has it
    /// as `kpis`, or one KPI, as a model wrote it. Paths are `sections[0].items`, JSON
    /// pointers (`/sections/0/items`) or JSONPath (RFC 9535).
    #[arg(long, value_name = "FILE")]
    kpis: PathBuf,

    /// What the KPIs were the last time: an object with a number for each id, or what this command printed. Of several
    /// lines the last. What is not in it was 0.
    #[arg(long, value_name = "FILE")]
    last: Option<PathBuf>,

    #[command(flatten)]
    reading: DialectReading,

    #[command(flatten)]
    ending: Ending,
}

#[derive(Serialize)]
struct ProgressLine<'a> {
    #[serde(flatten)]
    report: &'a KpiReport,
    outcome: &'static str,
    complete: bool,
    #[serde(flatten)]
    verdict: Option<VerdictPart>,
}

#[derive(Serialize)]
struct VerdictPart {
    verdict: (bool, &'static str),
    reason: String,
}

/// Runs `jsonrill progress`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let kpis = read(&args.kpis, |bytes| Ok(KpiSet::read(bytes)?))?;
    let last = args.last.as_deref().map(|file| read(file, last_values)).transpose()?;
    let finished = args.rounds.read(&args.reading, args.ending.end())?;

    let outcome = args.reading.reading.role.outcome(finished.outcome(), finished.snapshot());
    let complete = outcome.is_complete();
    let report = match &last {
        Some(last) => kpis.report_since(finished.snapshot(), last),
        None => kpis.report(finished.snapshot()),
    };
    let verdict =
        last.map(|_| VerdictPart { verdict: report.verdict(complete).as_pair(), reason: report.reason(complete) });
    let line = ProgressLine { report: &report, outcome: outcome.as_str(), complete, verdict };

    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    serde_json::to_writer(&mut out, &line).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(judged(finished, outcome, &args.rounds.about()))
}

/// What is in a file; errors name it.
fn read<T>(file: &Path, parse: impl FnOnce(&[u8]) -> Result<T>) -> Result<T> {
    let name = printable(&file.display().to_string());
    let bytes = fs::read(file).with_context(|| format!("cannot read {name}"))?;
    parse(&bytes).with_context(|| format!("cannot use {name}"))
}

/// The last of the values in a file.
fn last_values(bytes: &[u8]) -> Result<KpiValues> {
    let mut last = None;
    for values in serde_json::Deserializer::from_slice(bytes).into_iter() {
        last = Some(values?);
    }
    last.context("it is empty")
}
