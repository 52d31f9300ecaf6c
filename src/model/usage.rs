//! What a response cost.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// What a response cost, in tokens. Adds up.
///
/// ```
/// use jsonrill::Usage;
///
/// let both = Usage::new(900, 400) + Usage::new(700, 100);
/// assert_eq!((both.input_tokens, both.output_tokens), (1600, 500));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    /// Tokens of the response.
    pub output_tokens: u64,
}

impl Usage {
    /// So many tokens of prompt and of response.
    #[must_use]
    pub const fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens }
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
