//! Why a parser stopped.

use std::fmt;

use serde::{Serialize, Serializer};

/// What kind of thing went wrong.
///
/// ```
/// use jsonrill::{ErrorKind, Parser};
///
/// let kind = |text: &str| Parser::strict().feed(text).error().map(|error| error.kind());
/// assert_eq!(kind("[1,]"), Some(ErrorKind::UnexpectedByte));
/// assert_eq!(kind(r#"["\x"]"#), Some(ErrorKind::InvalidEscape));
/// assert_eq!(ErrorKind::InvalidEscape.as_str(), "invalid_escape");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A byte that cannot stand here.
    UnexpectedByte,
    /// A backslash with something behind it that is no escape.
    InvalidEscape,
    /// A control character in a string that is not escaped.
    ControlCharacter,
    /// A number that ends where no number ends, or begins as none does.
    InvalidNumber,
    /// Bytes that are no UTF-8.
    InvalidUtf8,
    /// A member whose name its object has already.
    DuplicateKey,
    /// More containers in each other than the limit allows.
    DepthLimit,
    /// More bytes than the limit allows.
    ByteLimit,
    /// More values, or a longer key, than the limit allows.
    NodeLimit,
    /// Input after [`finish`](crate::Parser::finish).
    Finished,
}

impl ErrorKind {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnexpectedByte => "unexpected_byte",
            Self::InvalidEscape => "invalid_escape",
            Self::ControlCharacter => "control_character",
            Self::InvalidNumber => "invalid_number",
            Self::InvalidUtf8 => "invalid_utf8",
            Self::DuplicateKey => "duplicate_key",
            Self::DepthLimit => "depth_limit",
            Self::ByteLimit => "byte_limit",
            Self::NodeLimit => "node_limit",
            Self::Finished => "finished",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::UnexpectedByte => "unexpected byte",
            Self::InvalidEscape => "invalid escape",
            Self::ControlCharacter => "control character in a string",
            Self::InvalidNumber => "invalid number",
            Self::InvalidUtf8 => "invalid UTF-8",
            Self::DuplicateKey => "duplicate key",
            Self::DepthLimit => "more nesting than the limit allows",
            Self::ByteLimit => "more input than the limit allows",
            Self::NodeLimit => "more values than the limit allows",
            Self::Finished => "the parser was finished",
        }
    }
}

crate::names::named!(ErrorKind);

/// Why a parser stopped, and where. Once there is one, it stays: the input after it is not read.
///
/// ```
/// use jsonrill::{ErrorKind, Parser};
///
/// let mut parser = Parser::strict();
/// let update = parser.feed("{\"a\": 1,\n \"b\": x}");
/// let error = update.error().unwrap();
/// assert_eq!(error.kind(), ErrorKind::UnexpectedByte);
/// assert_eq!((error.offset(), error.line(), error.column()), (15, Some(2), Some(7)));
/// assert_eq!(error.expected(), "a value");
/// assert_eq!(update.snapshot().at("/a"), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub(crate) kind: ErrorKind,
    pub(crate) offset: u32,
    pub(crate) place: Option<(u32, u32)>,
    pub(crate) expected: &'static str,
}

impl Error {
    /// What kind of thing went wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where: bytes from the start of the input.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// The line, from 1. `None` where the source is not kept.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.place.map(|(line, _)| line)
    }

    /// The column in characters, from 1. `None` where the source is not kept.
    #[must_use]
    pub fn column(&self) -> Option<u32> {
        self.place.map(|(_, column)| column)
    }

    /// What could have stood there, in words.
    #[must_use]
    pub const fn expected(&self) -> &'static str {
        self.expected
    }

    /// Whether a limit was reached, rather than the text being wrong.
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        matches!(self.kind, ErrorKind::DepthLimit | ErrorKind::ByteLimit | ErrorKind::NodeLimit)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.kind.words(), self.offset)?;
        if let Some((line, column)) = self.place {
            write!(formatter, " (line {line}, column {column})")?;
        }
        if self.is_limit() { Ok(()) } else { write!(formatter, ", expected {}", self.expected) }
    }
}

impl std::error::Error for Error {}

impl Serialize for Error {
    /// As `{"code", "offset", "message"}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("Error", 3)?;
        fields.serialize_field("code", self.kind.as_str())?;
        fields.serialize_field("offset", &self.offset)?;
        fields.serialize_field("message", &self.to_string())?;
        fields.end()
    }
}
