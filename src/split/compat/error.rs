//! The errors that the Python package raises.

use std::fmt;

/// What the Python package raises, with its text.
///
/// ```
/// use jsonrill::split::compat::{CompatErrorKind, RecursiveJsonSplitter};
///
/// let list = "[1, 2]".parse()?;
/// let error = RecursiveJsonSplitter::new(100).split_json(&list, false).unwrap_err();
/// assert_eq!(error.kind(), CompatErrorKind::Type);
/// assert_eq!(
///     error.to_string(),
///     "json_data must be a dict, got list. Top-level lists can be split by passing convert_lists=True."
/// );
/// # Ok::<(), jsonrill::split::compat::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompatError {
    kind: CompatErrorKind,
    message: String,
}

/// The class of an error in Python.
///
/// ```
/// use jsonrill::split::compat::{CompatErrorKind, RecursiveJsonSplitter};
///
/// let error = RecursiveJsonSplitter::new(100).split_json(&"[1]".parse()?, false).unwrap_err();
/// assert_eq!((error.kind(), error.kind().as_str()), (CompatErrorKind::Type, "TypeError"));
/// # Ok::<(), jsonrill::split::compat::JsonError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompatErrorKind {
    /// `TypeError`: the value at the top is neither an object nor null.
    Type,
    /// `IndexError`: there are fewer metadatas than texts.
    Index,
}

impl CompatErrorKind {
    /// The name of the class in Python.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Type => "TypeError",
            Self::Index => "IndexError",
        }
    }
}

crate::names::named!(CompatErrorKind);

impl CompatError {
    pub(super) fn no_dict(type_name: &str, can_convert: bool) -> Self {
        let advice = if can_convert { " Top-level lists can be split by passing convert_lists=True." } else { "" };
        Self { kind: CompatErrorKind::Type, message: format!("json_data must be a dict, got {type_name}.{advice}") }
    }

    pub(super) fn no_metadata() -> Self {
        Self { kind: CompatErrorKind::Index, message: "list index out of range".to_owned() }
    }

    /// The class of the error in Python.
    #[must_use]
    pub const fn kind(&self) -> CompatErrorKind {
        self.kind
    }
}

impl fmt::Display for CompatError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for CompatError {}
