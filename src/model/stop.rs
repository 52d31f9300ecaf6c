//! Why a model stopped.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::parser::End;

/// Why a response ended, in the provider's own word: `stop`, `length`, `end_turn`, `max_tokens`, and so on.
///
/// ```
/// use jsonrill::{End, StopReason};
///
/// let reason = StopReason::new("max_tokens");
/// assert_eq!((reason.as_str(), reason.end()), ("max_tokens", End::Truncated));
/// assert_eq!(StopReason::unknown().end(), End::Unknown);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StopReason(Cow<'static, str>);

impl StopReason {
    /// The reason that a provider gives.
    #[must_use]
    pub fn new(word: impl Into<Cow<'static, str>>) -> Self {
        Self(word.into())
    }

    /// No reason was given.
    #[must_use]
    pub const fn unknown() -> Self {
        Self(Cow::Borrowed("unknown"))
    }

    /// The provider's word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What it means for the text: see [`End::from_stop_reason`].
    #[must_use]
    pub fn end(&self) -> End {
        End::from_stop_reason(&self.0)
    }
}

impl Default for StopReason {
    fn default() -> Self {
        Self::unknown()
    }
}

impl From<&'static str> for StopReason {
    fn from(word: &'static str) -> Self {
        Self::new(word)
    }
}

impl From<String> for StopReason {
    fn from(word: String) -> Self {
        Self::new(word)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
