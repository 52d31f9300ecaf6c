//! One figure that says how far an answer is.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use super::node::{Measured, Node};
use super::path::KpiPath;
use super::{number, read};

/// A figure that says how far an answer is: what to measure, and what it is to be in the end.
///
/// As JSON it is `{"id", "description", "jsonPath", "targetValue", "currentValue"}`. Reading it (from any format that
/// describes itself) is lenient as [`KpiSet::read`](crate::KpiSet::read) says.
///
/// ```
/// use jsonrill::{Kpi, Parser};
///
/// let kpi: Kpi = serde_json::from_str(r#"{"id": "items", "jsonPath": "$.items", "targetValue": "50"}"#)?;
/// assert_eq!((kpi.target_value, kpi.current_value, kpi.description.as_str()), (Some(50.0), 0.0, ""));
///
/// let update = Parser::new().feed(r#"{"items": [1, 2, 3, 4, 5"#);
/// assert_eq!(kpi.measure(update.snapshot()), 5.0);
/// assert_eq!(kpi.ratio(5.0), Some(0.1));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Kpi {
    /// Its name, unlike that of any other in its set.
    pub id: String,
    /// What it means, for people and models. Empty when nobody said.
    pub description: String,
    /// What is measured.
    pub json_path: KpiPath,
    /// What it is to be in the end; `None` (as JSON `null`) where that is not known: such a KPI says whether there is
    /// progress, but not how much is left. One of 0 or less is reached from the start.
    #[serde(serialize_with = "number::serialize_option")]
    pub target_value: Option<f64>,
    /// What it was when the KPI was made, says whoever made it. 0 when nobody said. Nothing here relies on it: values
    /// are measured.
    #[serde(serialize_with = "number::serialize")]
    pub current_value: f64,
}

impl Kpi {
    /// One with this name, path and target, without a description.
    #[must_use]
    pub fn new(id: impl Into<String>, json_path: KpiPath, target_value: Option<f64>) -> Self {
        Self { id: id.into(), description: String::new(), json_path, target_value, current_value: 0.0 }
    }

    /// The KPI for an answer of which nothing else is known: how many values it has that are neither objects nor
    /// arrays. It has no target.
    #[must_use]
    pub fn leaves() -> Self {
        let description = "values that are neither objects nor arrays".to_owned();
        Self { description, ..Self::new("leaves", KpiPath::leaves(), None) }
    }

    /// What it is in this document: see [`KpiPath::measure`].
    #[must_use]
    pub fn measure(&self, document: &(impl Measured + ?Sized)) -> f64 {
        self.json_path.measure(document)
    }

    /// How much of the target a value is, from 0 to 1. `None` without a target.
    #[must_use]
    pub fn ratio(&self, value: f64) -> Option<f64> {
        let target = self.target()?;
        Some(match value >= target {
            true => 1.0,
            false if target > 0.0 => (value / target).clamp(0.0, 1.0),
            false => 0.0,
        })
    }

    /// The target, if it is one that can be reached.
    pub(super) fn target(&self) -> Option<f64> {
        self.target_value.filter(|target| target.is_finite())
    }
}

impl<'de> Deserialize<'de> for Kpi {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        read::kpi(Node::Owned(&value), None).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_spelling_as_json() {
        let kpi = Kpi { description: "d".into(), ..Kpi::new("items", "$.items".parse().unwrap(), Some(50.0)) };
        let written = serde_json::to_string(&kpi).unwrap();
        assert_eq!(
            written,
            r#"{"id":"items","description":"d","jsonPath":"$.items","targetValue":50,"currentValue":0}"#
        );
        assert_eq!(serde_json::from_str::<Kpi>(&written).unwrap(), kpi);
        let leaves = serde_json::to_value(Kpi::leaves()).unwrap();
        assert_eq!((&leaves["jsonPath"], &leaves["targetValue"]), (&json!("leaves()"), &json!(null)));
        assert_eq!(serde_json::from_value::<Kpi>(leaves).unwrap(), Kpi::leaves());
    }

    #[test]
    fn ratios_are_from_0_to_1() {
        let ratio = |target, value| Kpi::new("x", KpiPath::leaves(), target).ratio(value);
        assert_eq!(ratio(Some(4.0), 1.0), Some(0.25));
        assert_eq!(ratio(Some(4.0), 9.0), Some(1.0));
        assert_eq!(ratio(Some(4.0), -9.0), Some(0.0));
        assert_eq!(
            (ratio(Some(0.0), 0.0), ratio(Some(-1.0), 0.0), ratio(Some(0.0), -1.0)),
            (Some(1.0), Some(1.0), Some(0.0))
        );
        assert_eq!((ratio(None, 1.0), ratio(Some(f64::NAN), 1.0), ratio(Some(f64::INFINITY), 1.0)), (None, None, None));
    }

    #[test]
    fn what_a_kpi_lacks_is_named() {
        let error = serde_json::from_str::<Kpi>(r#"{"id": "items", "jsonPath": "items"}"#).unwrap_err();
        assert_eq!(error.to_string(), "KPI `items` has no `targetValue`");
        let error = serde_json::from_str::<Kpi>("[]").unwrap_err();
        assert_eq!(error.to_string(), "the KPI is no object");
    }
}
