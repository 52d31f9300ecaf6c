//! Why a document is not split.

use std::fmt;

use crate::parser::MAX_DEPTH;

/// A text that is no JSON: where, in bytes from its start, and what should have stood there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syntax {
    pub(super) offset: u64,
    pub(super) expected: &'static str,
}

/// Why a document is not split, or not to its end.
///
/// ```
/// use jsonrill::split::{SplitErrorKind, Splitter};
///
/// let error = Splitter::new(20).split(r#"{"a": {"note": "too long for a chunk"}}"#).find_map(Result::err).unwrap();
/// assert_eq!(error.kind(), SplitErrorKind::ValueTooLarge);
/// assert_eq!(error.pointer(), Some("/a/note"));
/// assert_eq!(error.to_string(), r#"the value at "/a/note" needs a chunk of more than 20"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Inner {
    Syntax(Syntax),
    TooDeep,
    TooLong,
    PathTooLong { pointer: String, max: usize },
    ValueTooLarge { pointer: String, max: usize },
}

/// What kind of thing a document is not split for.
///
/// ```
/// use jsonrill::split::{SplitErrorKind, Splitter};
///
/// let kind = |text: &str| Splitter::new(16).split(text).find_map(Result::err).map(|error| error.kind());
/// assert_eq!(kind("{\"a\": nope}"), Some(SplitErrorKind::Syntax));
/// assert_eq!(kind("[\"far too long for a chunk\"]"), Some(SplitErrorKind::ValueTooLarge));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SplitErrorKind {
    /// The text is no JSON, or not all of it.
    Syntax,
    /// There are more than [`MAX_DEPTH`] levels.
    TooDeep,
    /// The text is longer than what a parser can read: 4 GB. A [`StreamSplitter`](super::StreamSplitter) has no such
    /// limit.
    TooLong,
    /// The keys and brackets that lead to a value leave no room for any value.
    PathTooLong,
    /// A string that may not be cut, a number or a keyword does not fit into a chunk with its path.
    ValueTooLarge,
}

impl SplitErrorKind {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::TooDeep => "too_deep",
            Self::TooLong => "too_long",
            Self::PathTooLong => "path_too_long",
            Self::ValueTooLarge => "value_too_large",
        }
    }
}

crate::names::named!(SplitErrorKind);

impl SplitError {
    #[cold]
    pub(super) fn too_deep() -> Self {
        Self(Box::new(Inner::TooDeep))
    }

    #[cold]
    pub(super) fn too_long() -> Self {
        Self(Box::new(Inner::TooLong))
    }

    #[cold]
    pub(super) fn path_too_long(pointer: String, max: usize) -> Self {
        Self(Box::new(Inner::PathTooLong { pointer, max }))
    }

    #[cold]
    pub(super) fn value_too_large(pointer: String, max: usize) -> Self {
        Self(Box::new(Inner::ValueTooLarge { pointer, max }))
    }

    /// What kind of error it is.
    #[must_use]
    pub const fn kind(&self) -> SplitErrorKind {
        match &*self.0 {
            Inner::Syntax(_) => SplitErrorKind::Syntax,
            Inner::TooDeep => SplitErrorKind::TooDeep,
            Inner::TooLong => SplitErrorKind::TooLong,
            Inner::PathTooLong { .. } => SplitErrorKind::PathTooLong,
            Inner::ValueTooLarge { .. } => SplitErrorKind::ValueTooLarge,
        }
    }

    /// Where the text is no JSON: bytes from its start.
    #[must_use]
    pub const fn offset(&self) -> Option<u64> {
        match &*self.0 {
            Inner::Syntax(syntax) => Some(syntax.offset),
            _ => None,
        }
    }

    /// The pointer of the value that does not fit; as far as it was read, if the path is too long.
    #[must_use]
    pub fn pointer(&self) -> Option<&str> {
        match &*self.0 {
            Inner::Syntax(_) | Inner::TooDeep | Inner::TooLong => None,
            Inner::PathTooLong { pointer, .. } | Inner::ValueTooLarge { pointer, .. } => Some(pointer),
        }
    }
}

/// How many characters of a pointer a message has.
const POINTER: usize = 120;

/// A pointer in a message: its start.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(POINTER) {
            Some((end, _)) => write!(formatter, "{:?}…", self.0.get(..end).unwrap_or_default()),
            None => write!(formatter, "{:?}", self.0),
        }
    }
}

impl fmt::Display for SplitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Inner::Syntax(Syntax { offset, expected }) => {
                write!(formatter, "no JSON at byte {offset}, expected {expected}")
            }
            Inner::TooDeep => write!(formatter, "more than {MAX_DEPTH} levels"),
            Inner::TooLong => formatter.write_str("more text than can be read at a time"),
            Inner::PathTooLong { pointer, max } => {
                write!(formatter, "the path {} alone needs a chunk of more than {max}", Shown(pointer))
            }
            Inner::ValueTooLarge { pointer, max } => {
                write!(formatter, "the value at {} needs a chunk of more than {max}", Shown(pointer))
            }
        }
    }
}

impl std::error::Error for SplitError {}

impl From<Syntax> for SplitError {
    fn from(syntax: Syntax) -> Self {
        Self(Box::new(Inner::Syntax(syntax)))
    }
}

/// A document that no chunk became: what its metadata should say is missing, or of another kind.
///
/// ```
/// use jsonrill::split::{Chunk, Document};
///
/// let document = Document { page_content: "{}".to_owned(), ..Document::default() };
/// assert_eq!(Chunk::try_from(&document).unwrap_err().key(), "pointer");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentError {
    pub(super) key: &'static str,
}

impl DocumentError {
    /// The name of what is missing or wrong.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        self.key
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the metadata is not that of a chunk: {:?}", self.key)
    }
}

impl std::error::Error for DocumentError {}
