//! A JSON value as plain data, with the exact text of its numbers and the order of its members.

use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// The number of values in the tree, itself included.
    pub fn count(&self) -> u32 {
        1 + match self {
            Self::Array(items) => items.iter().map(Self::count).sum(),
            Self::Object(members) => members.iter().map(|(_, value)| value.count()).sum(),
            _ => 0,
        }
    }

    /// How many containers lie within each other at the deepest place.
    pub fn depth(&self) -> u32 {
        match self {
            Self::Array(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(members) => 1 + members.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }

    pub fn is_container(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Object(_))
    }

    /// The tree as `serde_json` has it, with null for numbers that are too large for it.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(text) => serde_json::from_str(text).unwrap_or(Value::Null),
            Self::String(text) => Value::String(text.clone()),
            Self::Array(items) => items.iter().map(Self::to_value).collect(),
            Self::Object(members) => members.iter().map(|(key, value)| (key.clone(), value.to_value())).collect(),
        }
    }
}

/// `parent` with one more step, as an RFC 6901 pointer.
pub fn child(parent: &str, step: &str) -> String {
    format!("{parent}/{}", step.replace('~', "~0").replace('/', "~1"))
}

/// Equal values, where floats may differ in their last place: `serde_json` without its feature
/// `float_roundtrip` does not always round correctly.
pub fn same_value(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) if left.is_f64() && right.is_f64() => {
            let (left, right) = (left.as_f64().unwrap(), right.as_f64().unwrap());
            (left - right).abs() <= left.abs() * 2.0 * f64::EPSILON
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same_value(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|((k, l), (q, r))| k == q && same_value(l, r))
        }
        _ => left == right,
    }
}
