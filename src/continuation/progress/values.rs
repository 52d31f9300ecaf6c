//! The values of KPIs by id.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use super::clip::clip;
use super::node::Node;
use super::{number, read};

/// The values of KPIs at some moment, by id. As JSON, an object: `{"items": 12}`.
///
/// It also reads what has them in it: a [`KpiReport`](crate::KpiReport), or the line that `jsonrill progress` prints. A
/// number may be a string.
///
/// ```
/// use jsonrill::KpiValues;
///
/// let values: KpiValues = serde_json::from_str(r#"{"items": 12, "pages": "3"}"#)?;
/// assert_eq!((values.get("items"), values.get("pages"), values.get("lines")), (Some(12.0), Some(3.0), None));
/// assert_eq!(serde_json::to_string(&values)?, r#"{"items":12,"pages":3}"#);
///
/// let printed = r#"{"kpis": [{"id": "items", "current": 12, "target": 50, "ratio": 0.24}], "ratio": 0.24}"#;
/// assert_eq!(serde_json::from_str::<KpiValues>(printed)?.get("items"), Some(12.0));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KpiValues(BTreeMap<String, f64>);

impl KpiValues {
    /// The value of the KPI with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<f64> {
        self.0.get(id).copied()
    }

    /// All of them, sorted by id.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, f64)> {
        self.0.iter().map(|(id, value)| (id.as_str(), *value))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads them; what is wrong, in words.
    fn read(value: &Value) -> Result<Self, String> {
        let root = Node::Owned(value);
        if !root.is_object() {
            return Err("expected an object with a number for each KPI".to_owned());
        }
        let entry = |id: &str, node: Option<Node<'_>>| match node.and_then(read::number) {
            Some(number) => Ok((id.to_owned(), number)),
            None => Err(format!("the value of `{}` is no number", clip(id))),
        };
        match root.member("kpis").filter(|kpis| kpis.is_array()) {
            None => root.children().map(|(id, node)| entry(id.unwrap_or_default(), Some(node))).collect(),
            Some(kpis) => kpis
                .children()
                .map(|(_, kpi)| match kpi.member("id").and_then(Node::text) {
                    Some(id) => entry(id, kpi.member("current")),
                    None => Err("a KPI has no `id`".to_owned()),
                })
                .collect(),
        }
    }
}

impl FromIterator<(String, f64)> for KpiValues {
    fn from_iter<I: IntoIterator<Item = (String, f64)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl Serialize for KpiValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Number(f64);

        impl Serialize for Number {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                number::serialize(&self.0, serializer)
            }
        }

        serializer.collect_map(self.0.iter().map(|(id, value)| (id, Number(*value))))
    }
}

impl<'de> Deserialize<'de> for KpiValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(&Value::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_value_is_named() {
        let fails = |text: &str| serde_json::from_str::<KpiValues>(text).unwrap_err().to_string();
        assert_eq!(fails("[1]"), "expected an object with a number for each KPI");
        assert_eq!(fails(r#"{"a": 1, "b": "x"}"#), "the value of `b` is no number");
        assert_eq!(fails(r#"{"kpis": [{"id": "a"}]}"#), "the value of `a` is no number");
        assert_eq!(fails(r#"{"kpis": [{"current": 1}]}"#), "a KPI has no `id`");
        // An id that happens to be `kpis`.
        assert_eq!(serde_json::from_str::<KpiValues>(r#"{"kpis": 2}"#).unwrap().get("kpis"), Some(2.0));
        assert!(serde_json::from_str::<KpiValues>("{}").unwrap().is_empty());
    }
}
