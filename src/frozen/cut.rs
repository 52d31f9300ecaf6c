//! Where a text was cut.

use std::fmt;

use serde::{Serialize, Serializer};

/// What was being read where the text stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CutState {
    /// No root has begun.
    BeforeRoot,
    /// Inside a string.
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
/// use jsonrill::{CutState, End, Parser};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"items": [{"name": "Jane"}, {"name": "Jo"#);
/// let finished = parser.finish(End::Truncated);
/// let cut = finished.cut().unwrap();
/// assert_eq!(cut.offset(), 41);
/// assert_eq!(cut.state(), CutState::InString);
/// assert_eq!(cut.open(), Some("/items/1/name"));
/// assert_eq!(cut.closers(), "\"}]}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cut {
    pub(crate) offset: u32,
    pub(crate) state: CutState,
    pub(crate) open: Option<String>,
    pub(crate) closers: String,
}

impl Cut {
    /// How long the text was, in bytes.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset as u64
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

    /// The quote and brackets that are missing, in the order in which they have to come.
    #[must_use]
    pub fn closers(&self) -> &str {
        &self.closers
    }
}
