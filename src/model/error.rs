//! What goes wrong with a model.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What kind of thing went wrong with a model: enough to decide what to do about it.
///
/// ```
/// use jsonrill::{ModelError, ModelErrorKind};
///
/// let is_worth_another = |error: &ModelError| {
///     matches!(error.kind(), ModelErrorKind::RateLimited | ModelErrorKind::Unavailable | ModelErrorKind::Timeout)
/// };
/// assert!(is_worth_another(&ModelError::of_kind(ModelErrorKind::RateLimited, "too many requests")));
/// assert_eq!(ModelErrorKind::RateLimited.as_str(), "rate_limited");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// It cannot be asked as it is set up: no key, no such program, an address that is none.
    Setup,
    /// It was not reached: no connection, or none that is trusted.
    Connect,
    /// It took too long.
    Timeout,
    /// The key is not accepted.
    Unauthorized,
    /// It is asked too often. Later it may answer.
    RateLimited,
    /// It does not take this request, and asking again will not help.
    Rejected,
    /// It has failed, and may answer when it is asked again.
    Unavailable,
    /// What it said is no response.
    Protocol,
    /// The response broke off.
    Interrupted,
    /// Anything else.
    #[default]
    Other,
}

impl ModelErrorKind {
    /// Whether asking again may help. Not where the set-up, the key or the request has to change first.
    ///
    /// ```
    /// use jsonrill::ModelErrorKind;
    ///
    /// assert!(ModelErrorKind::RateLimited.may_pass() && !ModelErrorKind::Unauthorized.may_pass());
    /// ```
    #[must_use]
    pub const fn may_pass(self) -> bool {
        !matches!(self, Self::Setup | Self::Unauthorized | Self::Rejected)
    }

    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Connect => "connect",
            Self::Timeout => "timeout",
            Self::Unauthorized => "unauthorized",
            Self::RateLimited => "rate_limited",
            Self::Rejected => "rejected",
            Self::Unavailable => "unavailable",
            Self::Protocol => "protocol",
            Self::Interrupted => "interrupted",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for ModelErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A model could not be asked, or its response broke off. What it had said before that is kept by whoever read it.
///
/// ```
/// use std::error::Error;
///
/// use jsonrill::{ModelError, ModelErrorKind};
///
/// let lost = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
/// let error = ModelError::of_kind(ModelErrorKind::Interrupted, "the connection was lost").with_source(lost);
/// assert_eq!(error.to_string(), "the connection was lost");
/// assert_eq!(error.kind(), ModelErrorKind::Interrupted);
/// assert!(error.source().is_some());
/// ```
#[derive(Debug, Clone)]
pub struct ModelError {
    kind: ModelErrorKind,
    message: String,
    status: Option<u16>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl ModelError {
    /// An error of no particular kind with this message: lower case, without a full stop.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self::of_kind(ModelErrorKind::Other, message)
    }

    /// An error of this kind with this message: lower case, without a full stop.
    #[must_use]
    pub fn of_kind(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), status: None, source: None }
    }

    /// The same, with what it comes from.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// The same, with the HTTP status that the model's server answered with.
    #[must_use]
    pub const fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// What kind of thing went wrong.
    #[must_use]
    pub const fn kind(&self) -> ModelErrorKind {
        self.kind
    }

    /// The HTTP status that the model's server answered with, if it did.
    #[must_use]
    pub const fn status(&self) -> Option<u16> {
        self.status
    }
}

/// Two are equal that say the same: what they come from is not looked at.
impl PartialEq for ModelError {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, self.status, &self.message) == (other.kind, other.status, &other.message)
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for ModelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| &**source as _)
    }
}
