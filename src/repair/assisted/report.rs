//! What has become of a text.

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::compare::Comparison;
use super::error::AssistedError;
use crate::model::{Purpose, StopReason, Usage};
use crate::parser::{Outcome, Seam};
use crate::repair::Repaired;
use crate::view::{MissingField, Snapshot};

/// Where a repaired text comes from.
///
/// ```
/// use jsonrill::{AssistedOptions, AssistedRepair, RepairSource};
///
/// let mut repair = AssistedRepair::new("{\"a\": [1, \"b\": 2}", AssistedOptions::new());
/// repair.text("{\"a\": [1], \"b\": 2}");
/// repair.end("stop", None);
/// assert_eq!(repair.into_report().source(), RepairSource::Model);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RepairSource {
    /// The rules made it: the model was not asked, or its answer was not taken.
    Rules,
    /// The model's answer is in it.
    Model,
    /// An answer that a model gave before is in it.
    Cache,
}

impl RepairSource {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Model => "model",
            Self::Cache => "cache",
        }
    }
}

impl fmt::Display for RepairSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One time that the model was asked.
///
/// ```
/// use jsonrill::{AssistedOptions, AssistedRepair};
///
/// let mut repair = AssistedRepair::new("{\"a\": [1, \"b\": 2}", AssistedOptions::new());
/// repair.text("I cannot.");
/// repair.end("stop", None);
/// let report = repair.into_report();
/// let attempt = &report.attempts()[0];
/// assert_eq!((attempt.output.as_str(), attempt.error.as_ref().map(|error| error.code())), ("I cannot.", Some("no_json")));
/// ```
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Attempt {
    /// What it was asked for: [`Purpose::Repair`], or [`Purpose::Continuation`] of a text that was cut.
    pub purpose: Purpose,
    /// How much text the response had, in bytes, as far as it was read.
    pub bytes: u64,
    /// The response, as far as it was read, with U+FFFD for what is no UTF-8: also that of an attempt that failed or
    /// took too long. It is not serialized.
    #[serde(skip)]
    pub output: String,
    /// Why the response ended; [`StopReason::unknown`] where nobody said, or it broke off.
    pub stop_reason: StopReason,
    /// What it cost, if that is known.
    pub usage: Option<Usage>,
    /// How the response was joined to a text that was cut.
    pub seam: Option<Seam>,
    /// Why it was not taken. `None` for the one that was.
    pub error: Option<AssistedError>,
}

/// What has become of a text that was repaired with a model's help.
///
/// As JSON it has everything but the original and the model's responses:
/// `{"text", "value", "outcome", "complete", "source", "repairs", "warnings", "skipped", "comparison", "attempts", "usage", "error"}`,
/// where repairs, warnings and skips are what the rules say about the original.
///
/// ```
/// use jsonrill::{AssistedOptions, AssistedRepair, Outcome, RepairSource};
///
/// let mut repair = AssistedRepair::new("{\"tea\": [3, \"cups\", \"milk\": true}", AssistedOptions::new());
/// repair.text("{\"tea\": [3, \"cups\"], \"milk\": true}");
/// repair.end("stop", None);
/// let report = repair.into_report();
/// assert_eq!((report.source(), report.outcome()), (RepairSource::Model, Outcome::Repaired));
/// assert_eq!(report.text(), "{\"tea\": [3, \"cups\"], \"milk\": true}");
/// assert_eq!(report.original(), "{\"tea\": [3, \"cups\", \"milk\": true}");
/// assert!(!report.repaired().repairs().is_empty()); // what the rules say about it
/// ```
#[derive(Debug, Clone)]
pub struct AssistedReport {
    pub(super) original: String,
    pub(super) repaired: Repaired,
    /// Of what the rules made.
    pub(super) missing: Vec<MissingField>,
    /// What was taken from a model.
    pub(super) taken: Option<Taken>,
    pub(super) from_cache: bool,
    pub(super) attempts: Vec<Attempt>,
    /// Of an answer that was not taken.
    pub(super) comparison: Option<Comparison>,
    pub(super) error: Option<AssistedError>,
}

/// A text with a model's answer in it.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    pub(super) text: String,
    pub(super) snapshot: Snapshot,
    pub(super) outcome: Outcome,
    pub(super) comparison: Comparison,
}

impl AssistedReport {
    /// The text as it was given.
    #[must_use]
    pub fn original(&self) -> &str {
        &self.original
    }

    /// Valid JSON: with the model's answer, if that was taken, else what the rules made. Nothing where there is no JSON
    /// in the original and no model has found any.
    #[must_use]
    pub fn text(&self) -> &str {
        self.taken.as_ref().map_or(self.repaired.text(), |taken| &taken.text)
    }

    /// What the text reads as.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        self.taken.as_ref().map_or(self.repaired.snapshot(), |taken| &taken.snapshot)
    }

    /// The value; `None` where there is no JSON, which is not the same as JSON that says `null`.
    ///
    /// # Complexity
    ///
    /// O(size of the value).
    #[must_use]
    pub fn to_value(&self) -> Option<Value> {
        Some(self.snapshot()).filter(|snapshot| snapshot.is_started()).map(Snapshot::to_value)
    }

    /// What the original amounts to, with the model's help: [`Outcome::Repaired`] where its answer was taken. But a
    /// text that was cut stays [`Outcome::Truncated`] unless the model has gone on with it: one that is damaged as well
    /// is mended as far as it goes, and no more than that.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.taken.as_ref().map_or(self.repaired.outcome(), |taken| taken.outcome)
    }

    /// Whether the text is whole: complete, or repaired.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.outcome().is_complete()
    }

    /// Who made the text.
    #[must_use]
    pub fn source(&self) -> RepairSource {
        match (&self.taken, self.from_cache) {
            (None, _) => RepairSource::Rules,
            (Some(_), false) => RepairSource::Model,
            (Some(_), true) => RepairSource::Cache,
        }
    }

    /// What the rules made of the original, and all that they say about it.
    pub fn repaired(&self) -> &Repaired {
        &self.repaired
    }

    /// Each time that the model was asked, in order. None where it was not, and where the answer comes from the cache.
    #[must_use]
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// How the answer differs from the original: the one that was taken, else the last one that got so far. `None`
    /// where there was none.
    #[must_use]
    pub fn comparison(&self) -> Option<&Comparison> {
        self.taken.as_ref().map(|taken| &taken.comparison).or(self.comparison.as_ref())
    }

    /// Why no answer was taken although the rules were not enough: what was wrong with the last one, or why the model
    /// was not asked. `None` where the rules were enough and where an answer was taken.
    #[must_use]
    pub fn error(&self) -> Option<&AssistedError> {
        self.error.as_ref()
    }

    /// The [required](crate::AssistedOptions::require) values that the text does not have. None where an answer was
    /// taken: one that lacks them is not.
    ///
    /// ```
    /// use jsonrill::{Ask, AssistedOptions, AssistedRepair, Lack};
    ///
    /// let options = AssistedOptions::new().ask(Ask::Never).require("/name").require("/price"); // by the rules alone
    /// let report = AssistedRepair::new("{name: 'tea', price: }", options).into_report();
    /// assert_eq!(report.missing().len(), 1);
    /// assert_eq!((&*report.missing()[0].pointer, report.missing()[0].lack), ("/price", Lack::Null));
    /// ```
    #[must_use]
    pub fn missing(&self) -> &[MissingField] {
        if self.taken.is_some() { &[] } else { &self.missing }
    }

    /// What all attempts cost that said so.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.attempts.iter().filter_map(|attempt| attempt.usage).fold(Usage::default(), |sum, usage| sum + usage)
    }
}

impl fmt::Display for AssistedReport {
    /// The repaired text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}

impl Serialize for AssistedReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = Some(self.snapshot()).filter(|snapshot| snapshot.is_started());
        let mut fields = serializer.serialize_struct("AssistedReport", 12)?;
        fields.serialize_field("text", self.text())?;
        fields.serialize_field("value", &value)?;
        fields.serialize_field("outcome", self.outcome().as_str())?;
        fields.serialize_field("complete", &self.is_complete())?;
        fields.serialize_field("source", &self.source())?;
        fields.serialize_field("repairs", self.repaired.repairs())?;
        fields.serialize_field("warnings", self.repaired.warnings())?;
        fields.serialize_field("skipped", self.repaired.skipped())?;
        fields.serialize_field("comparison", &self.comparison())?;
        fields.serialize_field("attempts", &self.attempts)?;
        fields.serialize_field("usage", &self.usage())?;
        fields.serialize_field("error", &self.error)?;
        fields.end()
    }
}
