//! Values that have to be there.

use std::fmt;

use serde::Serialize;

use crate::document::Kind;
use crate::view::Snapshot;

/// How many places a message names.
const NAMED: usize = 10;

/// What is wrong with a required value.
///
/// ```
/// use jsonrill::{Ask, AssistedOptions, AssistedRepair, Lack};
///
/// let options = AssistedOptions::new().ask(Ask::Never).require("/a").require("/b");
/// let report = AssistedRepair::new("{a: \"\"}", options).into_report();
/// assert_eq!(report.missing().iter().map(|field| field.lack).collect::<Vec<_>>(), [Lack::Empty, Lack::Missing]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Lack {
    /// There is none.
    Missing,
    /// It is `null`.
    Null,
    /// It is `""`, `[]` or `{}`.
    Empty,
}

impl Lack {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Null => "null",
            Self::Empty => "empty",
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A required value that is not there.
///
/// ```
/// use jsonrill::{Ask, AssistedOptions, AssistedRepair};
///
/// let options = AssistedOptions::new().ask(Ask::Never).require("/a").require("/b");
/// let report = AssistedRepair::new("{a: \"\"}", options).into_report();
/// assert_eq!(report.missing()[0].to_string(), "/a is empty");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MissingField {
    /// The place that was [required](crate::AssistedOptions::require).
    pub pointer: String,
    /// What is wrong with it.
    pub lack: Lack,
}

impl fmt::Display for MissingField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.pointer.is_empty() { "the root" } else { &self.pointer };
        write!(formatter, "{name} is {}", self.lack)
    }
}

/// Those of the required values that are not there.
pub(super) fn missing(required: &[String], snapshot: &Snapshot) -> Vec<MissingField> {
    let lack = |pointer: &String| {
        let value = snapshot.at(pointer.as_str());
        let lack = match value.kind() {
            None => Lack::Missing,
            Some(Kind::Null) => Lack::Null,
            Some(Kind::String) if value.as_str() == Some("") => Lack::Empty,
            Some(Kind::Object | Kind::Array) if value.is_empty() => Lack::Empty,
            Some(_) => return None,
        };
        Some(MissingField { pointer: pointer.clone(), lack })
    };
    required.iter().filter_map(lack).collect()
}

/// The first of them, for a message.
pub(super) fn list(fields: &[MissingField]) -> String {
    let named: Vec<_> = fields.iter().take(NAMED).map(ToString::to_string).collect();
    match fields.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{}, and {more} more", named.join(", ")),
    }
}
