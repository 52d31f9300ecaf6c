//! What a round has brought.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a round has brought: the first of these that applies.
///
/// ```
/// use jsonrill::Verdict;
///
/// assert_eq!(Verdict::Complete.as_pair(), (true, "Complete"));
/// assert_eq!(Verdict::Backwards.as_pair(), (false, "KPI went backwards"));
/// assert_eq!(Verdict::NoProgress.as_pair(), (false, "No progress"));
/// assert_eq!(Verdict::Progress.as_pair(), (true, "Progress"));
/// assert!(Verdict::Progress.goes_on() && !Verdict::Complete.goes_on()); // for a loop of your own
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// The JSON is complete, or all targets are reached. In the latter case the JSON may be far from complete, and the
    /// targets wrong: [`RoundProgress::is_json_complete`](crate::RoundProgress::is_json_complete) tells.
    Complete,
    /// A KPI is smaller than before.
    Backwards,
    /// No KPI is larger than before.
    NoProgress,
    /// A KPI is larger than before, and none smaller.
    Progress,
}

impl Verdict {
    /// Whether all is well, and the verdict in words.
    #[must_use]
    pub const fn as_pair(self) -> (bool, &'static str) {
        match self {
            Self::Complete => (true, "Complete"),
            Self::Backwards => (false, "KPI went backwards"),
            Self::NoProgress => (false, "No progress"),
            Self::Progress => (true, "Progress"),
        }
    }

    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Backwards => "backwards",
            Self::NoProgress => "no_progress",
            Self::Progress => "progress",
        }
    }

    /// Whether another round is worth asking for.
    #[must_use]
    pub const fn goes_on(self) -> bool {
        matches!(self, Self::Progress)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_pair().1)
    }
}
