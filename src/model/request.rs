//! What a model is asked.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What the answer to a request is for.
///
/// ```
/// use jsonrill::{ModelRequest, Purpose};
///
/// // A small model will do to say what is counted.
/// let model = |request: &ModelRequest| if request.purpose == Purpose::Kpis { "small" } else { "large" };
/// assert_eq!(model(&ModelRequest::new(Purpose::Kpis, "…")), "small");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Purpose {
    /// It is the answer, from its start.
    Answer,
    /// It says what is counted to see whether an answer gets on. A small model will do.
    Kpis,
    /// It goes on with an answer that was cut.
    Continuation,
    /// It is the text that it is given, without its mistakes.
    Repair,
}

impl Purpose {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Kpis => "kpis",
            Self::Continuation => "continuation",
            Self::Repair => "repair",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What a model is asked: one prompt, which has all that it needs to know. Which model it is, how warm it runs and how
/// much it may say is the business of the [`LanguageModel`](crate::LanguageModel).
///
/// ```
/// use jsonrill::{ModelRequest, Purpose};
///
/// let request = ModelRequest::new(Purpose::Answer, "A recipe for crêpes, as JSON.");
/// assert_eq!(request.prompt, "A recipe for crêpes, as JSON.");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelRequest {
    /// What the answer is for.
    pub purpose: Purpose,
    /// The prompt.
    pub prompt: String,
}

impl ModelRequest {
    /// A request.
    #[must_use]
    pub fn new(purpose: Purpose, prompt: impl Into<String>) -> Self {
        Self { purpose, prompt: prompt.into() }
    }
}
