//! The innermost open container, up to the cut.

use serde::{Deserialize, Serialize};

use super::shape::Shape;
use super::text::{Text, last_characters, whole_characters};

/// The innermost open object or array up to the cut. Made by [`Frozen::overlap`](crate::Frozen::overlap).
///
/// ```
/// use jsonrill::{ContextOptions, Parser};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"items": [{"name": "Jane"}, {"name": "Jo"#);
/// let frozen = parser.freeze();
/// let overlap = frozen.overlap_with(&ContextOptions::new().overlap_max_chars(3));
/// assert_eq!((overlap.text.as_str(), overlap.is_clipped), ("\"Jo", true));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Overlap {
    /// Its text, as it is in the source; half a character at the cut is left out.
    pub text: String,
    /// Whether it is longer than the limit, and its start was left out.
    pub is_clipped: bool,
}

pub(super) fn overlap(text: Text<'_>, shape: &Shape, limit: usize) -> Overlap {
    let Some(start) = shape.container else { return Overlap::default() };
    let bytes = text.last_bytes(start, shape.offset, limit);
    let whole = String::from_utf8_lossy(whole_characters(&bytes));
    let is_clipped = whole.chars().count() > limit;
    let kept = if is_clipped { last_characters(&whole, limit) } else { &whole };
    Overlap { text: kept.to_owned(), is_clipped }
}
