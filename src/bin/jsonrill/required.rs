//! What is said about a repair with values that have to be there, or with a model's help.

use std::fmt::Write as _;
use std::io::{self, Write};

use anyhow::{Result, bail};
use clap::Args;
use jsonrill::{AssistedError, AssistedOptions, AssistedReport, Difference, Outcome};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{About, Line};
use crate::printable::printable;

/// What has to be there.
#[derive(Debug, Args)]
pub(crate) struct Required {
    /// A value that has to be there, as a JSON pointer; may be given several times. Where it is missing, null or empty
    /// the exit code is 3; a model that is named is asked for it first.
    #[arg(long, value_name = "POINTER")]
    require: Vec<String>,
}

impl Required {
    pub(crate) fn is_empty(&self) -> bool {
        self.require.is_empty()
    }

    /// The same options with these.
    pub(crate) fn apply(&self, options: AssistedOptions) -> Result<AssistedOptions> {
        if let Some(pointer) = self.require.iter().find(|pointer| !(pointer.is_empty() || pointer.starts_with('/'))) {
            bail!("--require {pointer}: a JSON pointer begins with a slash");
        }
        Ok(self.require.iter().fold(options, AssistedOptions::require))
    }
}

/// How the program ends.
pub(crate) fn exit(report: &AssistedReport, outcome: Outcome) -> Exit {
    if report.missing().is_empty() { Exit::from(outcome) } else { Exit::Unusable }
}

/// Writes what is missing, and what there is to say about the model, as members of a line.
pub(crate) fn members(line: &mut Line<'_, impl Write>, report: &AssistedReport) -> io::Result<()> {
    if !report.missing().is_empty() {
        line.member("missing", report.missing())?;
    }
    let model = Model {
        source: report.source().as_str(),
        comparison: report.comparison(),
        attempts: report.attempts(),
        usage: report.usage(),
        error: report.error(),
    };
    line.member("model", &model)?;
    Ok(())
}

#[derive(Serialize)]
struct Model<'a> {
    source: &'a str,
    comparison: Option<&'a jsonrill::Comparison>,
    attempts: &'a [jsonrill::Attempt],
    usage: jsonrill::Usage,
    error: Option<&'a AssistedError>,
}

/// What is missing and what the model changed, for people: what became of it, and each difference in a line.
pub(crate) fn told(report: &AssistedReport, has_model: bool) -> String {
    // Writing into a string does not fail.
    let mut text = String::new();
    for missing in report.missing() {
        let _ = writeln!(text, "required: {}", printable(&missing.to_string()));
    }
    if !has_model {
        return text;
    }
    let asked = match report.attempts().len() {
        0 => "was not asked".to_owned(),
        1 => "was asked once".to_owned(),
        times => format!("was asked {times} times"),
    };
    let what = match report.error() {
        Some(error) => format!("the rules made the text: {error}"),
        None if report.attempts().is_empty() => "the rules were enough".to_owned(),
        None => "its answer was taken".to_owned(),
    };
    let _ = writeln!(text, "model: it {asked}; {}", printable(&what));
    let Some(comparison) = report.comparison() else { return text };
    if comparison.is_faithful() {
        let _ = writeln!(text, "model: all of the {} keys and values are there", comparison.values);
        if comparison.added > 0 {
            let _ = writeln!(text, "model: added behind the cut: {} keys and values", comparison.added);
        }
    }
    for (kind, differences) in [
        ("lost", &comparison.lost),
        ("changed", &comparison.changed),
        ("moved", &comparison.moved),
        ("invented", &comparison.invented),
    ] {
        for Difference { path, before, after, .. } in &differences.listed {
            let values = match (before, after) {
                (Some(before), Some(after)) if before != after => format!(": {before} became {after}"),
                (Some(value), _) | (None, Some(value)) => format!(": {value}"),
                (None, None) => String::new(),
            };
            let _ = writeln!(text, "model: {kind} {}", printable(&format!("{path}{values}")));
        }
        let more = differences.count - differences.listed.len() as u64;
        if more > 0 {
            let _ = writeln!(text, "model: {kind}: {more} more");
        }
    }
    text
}

/// The message where nothing else is asked for: why the model was of no use, if it was not, and what is missing.
pub(crate) fn message(report: &AssistedReport, has_model: bool, about: &About) -> String {
    let mut text = String::new();
    let mut tell = |why: &str| text.push_str(&about.line(printable(why)));
    let error = report.error();
    match error {
        Some(error) if has_model => tell(&format!("the model was of no use: {error}")),
        Some(error) => tell(&error.to_string()),
        None => {}
    }
    // What the error does not say itself.
    if !matches!(error, Some(AssistedError::MissingFields(_))) {
        report.missing().iter().for_each(|missing| tell(&format!("required: {missing}")));
    }
    text
}
