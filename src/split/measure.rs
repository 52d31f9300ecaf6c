//! How long a text is.

use std::fmt;
use std::sync::Arc;

/// What the size of a chunk is counted in.
#[derive(Clone)]
pub(super) enum Measure {
    Characters,
    Bytes,
    By(Arc<dyn Fn(&str) -> usize + Send + Sync>),
}

impl Measure {
    /// The size of a text.
    pub(super) fn of(&self, text: &str) -> usize {
        match self {
            Self::By(measure) => measure(text),
            _ => self.of_part(text),
        }
    }

    /// What a part adds to the size of a text it is in. Of no use where [`is_additive`](Self::is_additive) is not.
    pub(super) fn of_part(&self, text: &str) -> usize {
        match self {
            Self::Characters => text.chars().count(),
            Self::Bytes | Self::By(_) => text.len(),
        }
    }

    /// Whether the size of a text is the sum of those of its parts.
    pub(super) const fn is_additive(&self) -> bool {
        !matches!(self, Self::By(_))
    }
}

impl fmt::Debug for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Characters => "Characters",
            Self::Bytes => "Bytes",
            Self::By(_) => "By(..)",
        })
    }
}
