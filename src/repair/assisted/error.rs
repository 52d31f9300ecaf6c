//! Why a model's answer was not taken, or a model was not asked.

use std::error::Error;
use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::model::{ModelError, ModelErrorKind};
use crate::parser::SeamKind;
use crate::view::MissingField;

/// Why a model's answer was not taken, or why it was not asked although the rules were not enough. Its messages hold
/// nothing of the text but the names of required places.
///
/// ```
/// use jsonrill::{AssistedOptions, AssistedError, AssistedRepair, AssistedStep, Ask};
///
/// let options = AssistedOptions::new().ask(Ask::Never).require("/total");
/// let repair = AssistedRepair::new("{\"total\": \"\"}", options);
/// let AssistedStep::Done(report) = repair.next_step() else { unreachable!() };
/// let error = report.error().unwrap();
/// assert_eq!(error.code(), "missing_fields");
/// assert_eq!(error.to_string(), "required: /total is empty");
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum AssistedError {
    /// The text has nothing but white space: there is nothing to mend.
    Blank,
    /// The part of the text that is to be mended is larger than what is sent.
    TooLarge {
        /// How large it is, in bytes.
        bytes: usize,
        /// How large it may be.
        limit: usize,
    },
    /// The text is beyond a limit of the parser, such as that on depth: its code.
    Limit(&'static str),
    /// The model could not be asked, took too long, or its response broke off.
    Model(ModelError),
    /// The answer has no JSON.
    NoJson,
    /// The answer was cut.
    Cut,
    /// The answer is damaged itself: the name of the first mistake, and its offset in the response.
    Invalid {
        /// The name of a repair, a warning or an error.
        kind: &'static str,
        /// Where it is, in bytes of the response.
        offset: u64,
    },
    /// The answer is longer than anything that is the text without its mistakes.
    TooLong {
        /// How many bytes are read.
        limit: usize,
    },
    /// The model was to go on with a text that was cut, and wrote something else.
    NotContinued(SeamKind),
    /// Required values are missing, null or empty.
    MissingFields(Vec<MissingField>),
    /// The answer differs from the original in more than its syntax: see the
    /// [`Comparison`](crate::AssistedReport::comparison).
    Different {
        /// How many keys and values are lost, changed, moved or invented.
        differences: u64,
    },
    /// The caller did not wait for the model.
    Cancelled,
}

impl AssistedError {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::TooLarge { .. } => "too_large",
            Self::Limit(_) => "limit",
            Self::Model(error) if matches!(error.kind(), ModelErrorKind::Timeout) => "timeout",
            Self::Model(_) => "model_failed",
            Self::NoJson => "no_json",
            Self::Cut => "cut",
            Self::Invalid { .. } => "invalid",
            Self::TooLong { .. } => "too_long",
            Self::NotContinued(_) => "not_continued",
            Self::MissingFields(_) => "missing_fields",
            Self::Different { .. } => "different",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether the model may do better when it is asked again.
    pub(super) fn is_worth_another(&self) -> bool {
        match self {
            Self::Model(error) => error.kind().may_pass(),
            _ => true,
        }
    }
}

impl fmt::Display for AssistedError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => formatter.write_str("the text is blank"),
            Self::TooLarge { bytes, limit } => {
                write!(formatter, "what is to be mended has {bytes} bytes, and at most {limit} are sent")
            }
            Self::Limit(code) => write!(formatter, "the text is beyond a limit of the parser: {code}"),
            Self::Model(error) => error.fmt(formatter),
            Self::NoJson => formatter.write_str("the answer has no JSON"),
            Self::Cut => formatter.write_str("the answer was cut off"),
            Self::Invalid { kind, offset } => {
                write!(formatter, "the answer is not valid JSON: {kind} at byte {offset}")
            }
            Self::TooLong { limit } => write!(formatter, "the answer has more than {limit} bytes"),
            Self::NotContinued(kind) => write!(formatter, "the answer does not go on with the text: {kind}"),
            Self::MissingFields(fields) => write!(formatter, "required: {}", list(fields)),
            Self::Different { differences } => {
                let what = if *differences == 1 { "place" } else { "places" };
                write!(formatter, "the answer differs from the text in {differences} {what}")
            }
            Self::Cancelled => formatter.write_str("it was cancelled"),
        }
    }
}

impl Error for AssistedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Model(error) => error.source(),
            _ => None,
        }
    }
}

impl Serialize for AssistedError {
    /// As `{"code", "message"}`; missing fields are listed under `fields`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = match self {
            Self::MissingFields(fields) => Some(fields),
            _ => None,
        };
        let mut out = serializer.serialize_struct("AssistedError", 2 + usize::from(fields.is_some()))?;
        out.serialize_field("code", self.code())?;
        out.serialize_field("message", &self.to_string())?;
        if let Some(fields) = fields {
            out.serialize_field("fields", fields)?;
        }
        out.end()
    }
}

/// How many places a message names.
const NAMED: usize = 10;

/// The first of them, for a message.
fn list(fields: &[MissingField]) -> String {
    let named: Vec<_> = fields.iter().take(NAMED).map(ToString::to_string).collect();
    match fields.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{}, and {more} more", named.join(", ")),
    }
}
