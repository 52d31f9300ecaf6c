//! Why a field does not come.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::document::Kind;
use crate::parser;
use crate::view::DeserializeError;

/// Why a field does not come, said as soon as it is known.
///
/// | | when | what to do |
/// |---|---|---|
/// | [`Absent`](Self::Absent), [`Impossible`](Self::Impossible) | it is clear that there is none | do without, or ask for an `Option` |
/// | [`OtherKind`](Self::OtherKind), [`Unreadable`](Self::Unreadable) | it is there, and not what was asked for | tell the model, or ask for another type |
/// | [`Cut`](Self::Cut), [`Malformed`](Self::Malformed), [`Source`](Self::Source) | the text ended, was wrong, or broke off before it was final | ask the model to go on, or again |
/// | [`Stopped`](Self::Stopped) | [`Fields::stop`](crate::Fields::stop) was called | – |
/// | [`NotAPointer`](Self::NotAPointer) | at once: a path without its slash | mend the program |
///
/// ```
/// use futures::executor::block_on;
/// use jsonrill::{FieldError, Fields};
///
/// let fields = Fields::new(futures::stream::iter(["{\"seats\": 2, \"note\": \"by the win"]));
/// assert_eq!(block_on(fields.value::<u8>("/seats"))?, 2);
/// match block_on(fields.value::<String>("/note")).unwrap_err() {
///     FieldError::Cut { path, found: Some(kind), .. } => assert_eq!((&*path, kind.as_str()), ("/note", "string")),
///     error => panic!("{}: {error}", error.code()),
/// }
/// # Ok::<(), FieldError>(())
/// ```
///
/// Each has the pointer of the field (of a subscription to many, its pattern). Offsets are bytes of the JSON's text,
/// from 0; they do not depend on how it was cut into chunks.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum FieldError {
    /// It will not come: the object or array that it would be in was closed without it.
    Absent {
        /// The field.
        path: String,
        /// That object or array.
        inside: String,
        /// Where that ends.
        offset: u64,
    },
    /// It cannot come: something on the way to it is no object, or no array.
    Impossible {
        /// The field.
        path: String,
        /// The value in which there is no such place.
        inside: String,
        /// What that is.
        found: Kind,
        /// Where that begins.
        offset: u64,
    },
    /// It is there, and of another kind than was asked for.
    OtherKind {
        /// The field.
        path: String,
        /// What was asked for.
        expected: Kind,
        /// What it is.
        found: Kind,
        /// Where it begins.
        offset: u64,
    },
    /// It is final, and does not fit the type that was asked for. Of a subscription to many, what follows it still
    /// comes.
    Unreadable {
        /// The value, which may be one of many.
        path: String,
        /// Where it begins.
        offset: u64,
        /// Why.
        error: DeserializeError,
    },
    /// What was asked for is no path: a JSON pointer begins with `/`, or is empty.
    NotAPointer {
        /// What was asked for.
        path: String,
    },
    /// [`Fields::stop`](crate::Fields::stop) came before it was final.
    Stopped {
        /// The field.
        path: String,
        /// What there is of it.
        found: Option<Kind>,
        /// Where the text was stopped.
        offset: u64,
    },
    /// The text ended before it was final.
    Cut {
        /// The field.
        path: String,
        /// What there is of it.
        found: Option<Kind>,
        /// Where the text ended.
        offset: u64,
    },
    /// The parser stopped before it was final: the text is malformed, or beyond a limit.
    Malformed {
        /// The field.
        path: String,
        /// Why the parser stopped, and where.
        error: parser::Error,
    },
    /// The source failed before it was final.
    Source {
        /// The field.
        path: String,
        /// Where the text broke off.
        offset: u64,
        /// What the source said.
        error: Arc<dyn Error + Send + Sync>,
    },
}

impl FieldError {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Absent { .. } => "absent",
            Self::Impossible { .. } => "impossible",
            Self::OtherKind { .. } => "other_kind",
            Self::Unreadable { .. } => "unreadable",
            Self::NotAPointer { .. } => "not_a_pointer",
            Self::Stopped { .. } => "stopped",
            Self::Cut { .. } => "cut",
            Self::Malformed { .. } => "malformed",
            Self::Source { .. } => "source",
        }
    }

    /// The pointer of the field, or the pattern.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Absent { path, .. }
            | Self::Impossible { path, .. }
            | Self::OtherKind { path, .. }
            | Self::Unreadable { path, .. }
            | Self::NotAPointer { path }
            | Self::Stopped { path, .. }
            | Self::Cut { path, .. }
            | Self::Malformed { path, .. }
            | Self::Source { path, .. } => path,
        }
    }

    /// Where it was found, in bytes of the JSON's text.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match self {
            Self::Absent { offset, .. }
            | Self::Impossible { offset, .. }
            | Self::OtherKind { offset, .. }
            | Self::Unreadable { offset, .. }
            | Self::Stopped { offset, .. }
            | Self::Cut { offset, .. }
            | Self::Source { offset, .. } => *offset,
            Self::Malformed { error, .. } => error.offset(),
            Self::NotAPointer { .. } => 0,
        }
    }
}

/// What a value is, in words.
fn a(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { path, inside, offset } => {
                write!(formatter, "{path:?} will not come: {inside:?} was closed without it at byte {offset}")
            }
            Self::Impossible { path, inside, found, offset } => {
                write!(formatter, "{path:?} cannot come: {inside:?}, at byte {offset}, is {}", a(*found))
            }
            Self::OtherKind { path, expected, found, offset } => {
                write!(formatter, "{path:?}, at byte {offset}, is {} and not {}", a(*found), a(*expected))
            }
            Self::Unreadable { path, offset, error } => {
                write!(formatter, "{path:?}, at byte {offset}, does not fit its type: ")?;
                if error.path() == Some(path) { formatter.write_str(error.message()) } else { error.fmt(formatter) }
            }
            Self::NotAPointer { path } => {
                write!(formatter, "{path:?} is no JSON pointer: that begins with a slash, or is empty")
            }
            Self::Stopped { path, found: Some(kind), offset } => {
                write!(formatter, "{path:?} was stopped at byte {offset}; it is {} so far", a(*kind))
            }
            Self::Stopped { path, found: None, offset } => {
                write!(formatter, "the text was stopped at byte {offset}, before {path:?} came")
            }
            Self::Cut { path, found: Some(kind), offset } => {
                write!(formatter, "{path:?} was cut at byte {offset}; it is {} so far", a(*kind))
            }
            Self::Cut { path, found: None, offset } => {
                write!(formatter, "the text ended at byte {offset}, before {path:?} came")
            }
            Self::Malformed { path, error } => write!(formatter, "{path:?} will not be read: {error}"),
            Self::Source { path, offset, error } => {
                write!(formatter, "{path:?} was lost at byte {offset}: {error}")
            }
        }
    }
}

impl Error for FieldError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // It says what they say, so what is behind it is what is behind them. What the source said is of a type that
        // only the caller knows: it is the next of the chain.
        match self {
            Self::Unreadable { error, .. } => error.source(),
            Self::Malformed { error, .. } => error.source(),
            Self::Source { error, .. } => Some(&**error),
            _ => None,
        }
    }
}

/// The source panicked while it was polled.
#[derive(Debug)]
pub(super) struct Panicked;

impl fmt::Display for Panicked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the source panicked")
    }
}

impl Error for Panicked {}
