//! `jsonrill repair --model`: what a model is asked where the rules are not enough, and what it changed.

use std::fmt::Write as _;
use std::io::{self, Write};
#[cfg(feature = "command")]
use std::pin::pin;
#[cfg(all(feature = "command", unix))]
use std::task::Poll;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use jsonrill::{AssistedError, AssistedOptions, AssistedReport, Difference, End, Options, repair_assisted};
use serde::Serialize;

use crate::exit::Exit;
use crate::model::ModelArgs;
use crate::output::Line;
use crate::printable::printable;

/// Options of a repair that may ask a model.
#[derive(Debug, Args)]
pub(crate) struct AssistedArgs {
    #[command(flatten)]
    model: ModelArgs,

    /// A value that has to be there, as a JSON pointer; may be given several times. Where it is missing, null or empty
    /// the model is asked, and where it stays so the exit code is 3.
    #[arg(long, value_name = "POINTER", requires = "model", help_heading = "Model")]
    require: Vec<String>,

    /// How often the model is asked at most.
    #[arg(long, value_name = "N", requires = "model", help_heading = "Model", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=5))]
    attempts: u32,

    /// When the model is asked.
    #[arg(long, value_enum, requires = "model", help_heading = "Model", default_value_t = Ask::Needed)]
    ask: Ask,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ask {
    /// Where the rules are not enough.
    Needed,
    /// Where they repair anything at all.
    Always,
}

impl AssistedArgs {
    /// Whether a model is named.
    pub(crate) fn is_asked(&self) -> bool {
        self.model.is_named()
    }

    /// Repairs the text with the model that is named. None if none is.
    pub(crate) fn repair(&self, source: &[u8], options: Options, end: End) -> Result<Option<AssistedReport>> {
        let Some(model) = self.model.build(None)? else { return Ok(None) };
        let mut assisted =
            AssistedOptions::new().parser(options).end(end).attempts(self.attempts).ask(match self.ask {
                Ask::Needed => jsonrill::Ask::WhenNeeded,
                Ask::Always => jsonrill::Ask::Always,
            });
        for pointer in &self.require {
            if !(pointer.is_empty() || pointer.starts_with('/')) {
                bail!("--require {pointer}: a JSON pointer begins with a slash");
            }
            assisted = assisted.require(pointer);
        }
        if let Some(timeout) = self.model.timeout() {
            assisted = assisted.timeout(timeout);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?;
        // A prompt is text.
        let text = String::from_utf8_lossy(source);
        let repaired = runtime.block_on(async {
            let repairing = repair_assisted(&model, text, assisted, None, tokio::time::sleep);
            #[cfg(feature = "command")]
            if self.model.is_program() {
                return unless_interrupted(repairing).await;
            }
            Ok(repairing.await)
        })?;
        Ok(Some(repaired))
    }
}

/// What comes of this, unless this process is to end. The model's program has to end with it then: it is in a group of
/// its own, so the terminal does not tell it.
#[cfg(feature = "command")]
async fn unless_interrupted<T>(coming: impl Future<Output = T>) -> Result<T> {
    use futures_util::future::{Either, select};

    #[cfg(unix)]
    let interrupted = {
        use tokio::signal::unix::{SignalKind, signal};

        let mut signals = Vec::new();
        for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
            signals.push(signal(kind).context("cannot listen to signals")?);
        }
        std::future::poll_fn(move |context| {
            let is_any = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if is_any { Poll::Ready(()) } else { Poll::Pending }
        })
    };
    #[cfg(not(unix))]
    let interrupted = tokio::signal::ctrl_c();
    match select(pin!(coming), pin!(interrupted)).await {
        Either::Left((came, _)) => Ok(came),
        Either::Right(_) => bail!("interrupted"),
    }
}

/// How the program ends.
pub(crate) fn exit(report: &AssistedReport) -> Exit {
    match report.error() {
        Some(AssistedError::MissingFields(_)) => Exit::Unusable,
        _ => Exit::from(report.outcome()),
    }
}

/// Writes what there is to say about the model as a member of a line.
pub(crate) fn member(line: &mut Line<'_, impl Write>, report: &AssistedReport) -> io::Result<()> {
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

/// What the model changed, for people: what became of it, and each difference in a line.
pub(crate) fn told(report: &AssistedReport) -> String {
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
    // Writing into a string does not fail.
    let mut text = String::new();
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

/// The message where nothing else is asked for: why the model was of no use, if it was not.
pub(crate) fn message(report: &AssistedReport) -> Option<String> {
    report.error().map(|error| format!("jsonrill: the model was of no use: {}\n", printable(&error.to_string())))
}
