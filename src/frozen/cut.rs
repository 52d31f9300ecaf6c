//! Where a text was cut.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::document::Place;

/// What was being read where the text stopped.
///
/// ```
/// use jsonrill::{CutState, Parser};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"items": [{"name": "Jane"}, {"name": "Jo"#);
/// let frozen = parser.freeze();
/// assert_eq!((frozen.cut().state(), frozen.cut().state().as_str()), (CutState::InString, "in_string"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CutState {
    /// No root has begun.
    BeforeRoot,
    /// Inside a string. Where a quote may be the string's end or part of its text, it is taken for the end.
    InString,
    /// Inside an escape in a string, or between the halves of a surrogate pair.
    InEscape,
    /// Inside a key.
    InKey,
    /// Behind a key, before its colon.
    AfterKey,
    /// Behind a colon, before its value.
    AfterColon,
    /// Inside a number, or right behind one that could go on.
    InNumber,
    /// Inside `true`, `false` or `null`.
    InKeyword,
    /// In a container, between its members.
    BetweenMembers,
    /// Behind the root.
    Done,
}

impl CutState {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BeforeRoot => "before_root",
            Self::InString => "in_string",
            Self::InEscape => "in_escape",
            Self::InKey => "in_key",
            Self::AfterKey => "after_key",
            Self::AfterColon => "after_colon",
            Self::InNumber => "in_number",
            Self::InKeyword => "in_keyword",
            Self::BetweenMembers => "between_members",
            Self::Done => "done",
        }
    }
}

impl fmt::Display for CutState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for CutState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Where a text was cut, and in what state.
///
/// ```
/// use jsonrill::{CutState, Parser};
///
/// let mut parser = Parser::new();
/// parser.push("{\"items\": [{\"name\": \"Jane\"},\n{\"name\": \"Jo");
/// let frozen = parser.freeze();
/// let cut = frozen.cut();
/// assert_eq!(cut.offset(), 41);
/// assert_eq!(cut.place().unwrap().to_string(), "2:13");
/// assert_eq!(cut.state(), CutState::InString);
/// assert_eq!(cut.open(), Some("/items/1/name"));
/// assert_eq!(cut.in_flight(), "\"Jo");
/// assert_eq!(cut.closers(), "\"}]}");
/// assert_eq!(cut.to_string(), "byte 41 (in_string)"); // for a message: all else may be long
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cut {
    pub(super) offset: u32,
    pub(super) place: Option<Place>,
    pub(super) state: CutState,
    pub(super) open: Option<String>,
    pub(super) closers: String,
    pub(super) in_flight: String,
}

impl Cut {
    /// How far the text was read, in bytes: to its end, or to an error.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// The same as line and column, in characters. `None` where the source is not kept.
    #[must_use]
    pub const fn place(&self) -> Option<Place> {
        self.place
    }

    /// What was being read.
    #[must_use]
    pub const fn state(&self) -> CutState {
        self.state
    }

    /// The pointer of what was in flight: a value, also one of which nothing is shown; with only half a key, or between
    /// members, the container it is in. `None` before and after a root.
    #[must_use]
    pub fn open(&self) -> Option<&str> {
        self.open.as_deref()
    }

    /// The quote and brackets that are missing, in the order in which they have to come. The quote is the one that the
    /// string was begun with: where that is none, none is missing.
    #[must_use]
    pub fn closers(&self) -> &str {
        &self.closers
    }

    /// The text of the token in flight as it is in the source, from its first byte on: `"jane@exa`, `12`, `tru`. Inside
    /// an escape it is the escape alone: `\ud83d`. Empty where no token is in flight, or the source is not kept.
    #[must_use]
    pub fn in_flight(&self) -> &str {
        &self.in_flight
    }
}

impl fmt::Display for Cut {
    /// As `byte 41 (in_string)`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "byte {} ({})", self.offset, self.state)
    }
}
