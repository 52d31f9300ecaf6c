//! Values that have to be there, and are not.

use std::fmt;

use serde::Serialize;

use crate::document::Kind;

use super::snapshot::Snapshot;
use super::value::ValueRef;

/// What is wrong with a required value.
///
/// ```
/// use jsonrill::{Lack, Parser};
///
/// let update = Parser::new().feed(r#"{"a": "", "b": null, "c": "so f"#);
/// let lacks: Vec<_> = update.snapshot().missing(["/a", "/b", "/c", "/d"]).iter().map(|field| field.lack).collect();
/// assert_eq!(lacks, [Lack::Empty, Lack::Null, Lack::Growing, Lack::Missing]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Lack {
    /// There is none.
    Missing,
    /// There is one, but it may still change. An [assisted repair](crate::AssistedReport::missing) takes what there is.
    Growing,
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
            Self::Growing => "growing",
            Self::Null => "null",
            Self::Empty => "empty",
        }
    }

    /// What is wrong with a value, whether or not it is final.
    fn of(value: ValueRef<'_>) -> Option<Self> {
        match value.kind() {
            None => Some(Self::Missing),
            Some(Kind::Null) => Some(Self::Null),
            Some(Kind::String) if value.as_str() == Some("") => Some(Self::Empty),
            Some(Kind::Object | Kind::Array) if value.is_empty() => Some(Self::Empty),
            Some(_) => None,
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A required value that is not there. Made by [`Snapshot::missing`] and
/// [`AssistedReport::missing`](crate::AssistedReport::missing).
///
/// ```
/// use jsonrill::Parser;
///
/// let update = Parser::new().feed(r#"{"a": "", "b": 1}"#);
/// assert_eq!(update.snapshot().missing(["/a", "/b"])[0].to_string(), "/a is empty");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MissingField {
    /// The place that was required: a JSON pointer.
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

impl Snapshot {
    /// Those of some places, as JSON pointers, where there is nothing to use yet: no value, one that is not final, `null`,
    /// or an empty one. In the order in which they are asked for; where it is empty, all are there for good.
    ///
    /// What is no JSON pointer, such as `city` without its slash, names no place, and is missing for ever. Whether a value
    /// that is missing may still come, [`Snapshot::state`] says. What kind of value there has to be is a
    /// question for [`Snapshot::deserialize`].
    ///
    /// ```
    /// use jsonrill::{End, Lack, Parser};
    ///
    /// let required = ["/city", "/days", "/stops"];
    /// let mut parser = Parser::new();
    /// parser.push(r#"{"city": "Oslo", "days": 1"#);
    /// let missing: Vec<_> = parser.snapshot().missing(required).iter().map(ToString::to_string).collect();
    /// assert_eq!(missing, ["/days is growing", "/stops is missing"]);
    ///
    /// parser.push(r#"2, "stops": []}"#);
    /// let missing = parser.finish(End::Stopped).snapshot().missing(required);
    /// assert_eq!((missing.len(), missing[0].lack), (1, Lack::Empty));
    /// ```
    ///
    /// # Complexity
    ///
    /// O(length of the pointers), as that of [`Snapshot::at`] for each.
    #[must_use]
    pub fn missing<P: Into<String>>(&self, required: impl IntoIterator<Item = P>) -> Vec<MissingField> {
        let lack = |value: ValueRef<'_>| {
            let may_change = value.exists() && !value.is_final();
            if may_change { Some(Lack::Growing) } else { Lack::of(value) }
        };
        self.lacking(required, lack)
    }

    /// The same of a text of which no more comes: what there is counts, be it final or not.
    pub(crate) fn missing_at_end(&self, required: &[String]) -> Vec<MissingField> {
        self.lacking(required, Lack::of)
    }

    fn lacking<P: Into<String>>(
        &self,
        required: impl IntoIterator<Item = P>,
        lack: impl Fn(ValueRef<'_>) -> Option<Lack>,
    ) -> Vec<MissingField> {
        let field = |pointer: String| lack(self.at(&pointer)).map(|lack| MissingField { pointer, lack });
        required.into_iter().map(Into::into).filter_map(field).collect()
    }
}
