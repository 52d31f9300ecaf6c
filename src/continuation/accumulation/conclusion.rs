//! Why no more rounds are asked for.

use std::fmt;

use serde::{Serialize, Serializer};

/// Why no more rounds of an answer are asked for. What there is of it is kept, whatever it is.
///
/// ```
/// use jsonrill::{Accumulation, AccumulationOptions, Conclusion};
///
/// let mut accumulation = Accumulation::new("Two numbers.", AccumulationOptions::new().ask_for_kpis(false));
/// accumulation.text("[1, 2]");
/// accumulation.end("stop", None);
/// let conclusion = accumulation.report().unwrap().conclusion;
/// assert_eq!((conclusion, conclusion.as_str()), (Conclusion::Complete, "complete"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Conclusion {
    /// The document is whole.
    Complete,
    /// All KPIs are where they are to be, and the document is still open: it stays truncated. An element that has only
    /// just begun does not count for that, and the first round is not judged: a document that was cut is asked to go on
    /// at least once.
    TargetsReached,
    /// A round left a KPI smaller than it was.
    WentBackwards,
    /// A round made no KPI larger. Where nobody defined any, a round that added nothing. (With
    /// [`patience`](crate::AccumulationOptions::patience) this, and the three below that say so, is the last of several
    /// rounds in a row.)
    NoProgress,
    /// Rounds in a row had nothing new: see [`repeat_limit`](crate::AccumulationOptions::repeat_limit).
    Repeated,
    /// There were as many rounds as are allowed.
    RoundLimit,
    /// There was as much text as is allowed.
    ByteLimit,
    /// The model wrote text that is no part of a document: it refuses, or it was cut before it began with the JSON.
    /// Subject to patience.
    Refused,
    /// The model wrote nothing. Subject to patience.
    Empty,
    /// The model began another document, which contradicts what it had written before. That one is what the report is
    /// about, whole or not; the one before is the first of [`Finished::documents`](crate::Finished::documents), as it
    /// was cut.
    Diverged,
    /// The text cannot be read any further: it is malformed, or beyond a limit of the parser.
    Unreadable,
    /// The model could not be asked, or its response broke off. The last round has the message. Subject to patience.
    ModelFailed,
    /// The caller has had enough.
    Cancelled,
}

impl Conclusion {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::TargetsReached => "targets_reached",
            Self::WentBackwards => "went_backwards",
            Self::NoProgress => "no_progress",
            Self::Repeated => "repeated",
            Self::RoundLimit => "round_limit",
            Self::ByteLimit => "byte_limit",
            Self::Refused => "refused",
            Self::Empty => "empty",
            Self::Diverged => "diverged",
            Self::Unreadable => "unreadable",
            Self::ModelFailed => "model_failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// What happened, for a person.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Complete => "the document is whole",
            Self::TargetsReached => "all targets are reached",
            Self::WentBackwards => "the last round went backwards",
            Self::NoProgress => "the last round brought no progress",
            Self::Repeated => "the model repeats itself",
            Self::RoundLimit => "there were as many rounds as are allowed",
            Self::ByteLimit => "there was as much text as is allowed",
            Self::Refused => "the model did not go on with the document",
            Self::Empty => "the model wrote nothing",
            Self::Diverged => "the model began another document",
            Self::Unreadable => "the text cannot be read any further",
            Self::ModelFailed => "the model failed",
            Self::Cancelled => "it was cancelled",
        }
    }
}

impl fmt::Display for Conclusion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

impl Serialize for Conclusion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
