//! An accumulated answer that is not whole.

use std::error::Error;
use std::fmt;

use crate::parser::Complete;
use crate::view::Snapshot;

use super::conclusion::Conclusion;
use super::report::AccumulationReport;
use super::round::RoundError;

/// An accumulated answer that is not whole: the error of [`AccumulationReport::into_complete`]. It says why no more rounds
/// were asked for, what the model's error was, and how far the document goes; [`source`](Error::source) is the
/// [`ModelError`](crate::ModelError), if there was one. The report is in it.
///
/// ```
/// use futures::executor::block_on;
/// use jsonrill::{AccumulationOptions, ModelError, ModelErrorKind, ScriptedModel, ScriptedReply, accumulate};
///
/// let reply = ScriptedReply::broken(["[1, "], "no answer in 30 s").error_kind(ModelErrorKind::Timeout);
/// let options = AccumulationOptions::new().ask_for_kpis(false);
/// let report = block_on(accumulate(&ScriptedModel::new([reply]), "Two numbers.", options).report());
/// let error = report.into_complete().unwrap_err();
/// let said = "the model failed: no answer in 30 s; the JSON is truncated at byte 4 (between_members)";
/// assert_eq!(error.to_string(), said);
/// let model = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<ModelError>());
/// assert_eq!(model.map(ModelError::kind), Some(ModelErrorKind::Timeout));
/// assert_eq!(error.snapshot().root().len(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct IncompleteAccumulation {
    report: Box<AccumulationReport>,
    /// What there is of the document.
    what: String,
}

impl IncompleteAccumulation {
    pub(super) fn or_complete(report: AccumulationReport) -> Result<Complete, Self> {
        report
            .finished
            .clone()
            .into_complete()
            .map_err(|incomplete| Self { what: incomplete.to_string(), report: Box::new(report) })
    }

    /// All that is known about the answer.
    #[must_use]
    pub fn report(&self) -> &AccumulationReport {
        &self.report
    }

    /// All that is known about the answer.
    #[must_use]
    pub fn into_report(self) -> AccumulationReport {
        *self.report
    }

    /// The document as far as it goes.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        self.report.snapshot()
    }

    /// The error of the last round.
    fn error(&self) -> Option<&RoundError> {
        self.report.rounds.last().and_then(|round| round.error.as_ref())
    }
}

impl fmt::Display for IncompleteAccumulation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.conclusion.fmt(formatter)?;
        if let Some(error) = self.error() {
            write!(formatter, ": {error}")?;
        } else if let (Conclusion::Empty | Conclusion::Refused, Some(last)) =
            (self.report.conclusion, self.report.rounds.last())
        {
            write!(formatter, " (stop reason: {})", last.stop_reason)?;
        }
        write!(formatter, "; {}", self.what)
    }
}

impl Error for IncompleteAccumulation {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self.error()? {
            RoundError::Model(error) => Some(error),
            RoundError::Kpis(error) => Some(error),
        }
    }
}
