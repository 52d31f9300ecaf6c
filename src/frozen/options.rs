//! How much of a cut answer goes into the contexts.

/// How many characters of string values the hierarchy keeps.
///
/// ```
/// use jsonrill::{BUDGET_LIMIT, ContextOptions};
///
/// assert_eq!(ContextOptions::new(), ContextOptions::new().budget_limit(BUDGET_LIMIT));
/// ```
pub const BUDGET_LIMIT: usize = 500;

/// How many characters the overlap has at most.
///
/// ```
/// use jsonrill::{ContextOptions, OVERLAP_MAX_CHARS};
///
/// assert_eq!(ContextOptions::new(), ContextOptions::new().overlap_max_chars(OVERLAP_MAX_CHARS));
/// ```
pub const OVERLAP_MAX_CHARS: usize = 1000;

/// The smallest total limit: room for the markers that say what was left out.
pub(super) const LEAST_TOTAL_LIMIT: usize = 128;

/// What goes into the contexts of a cut answer. All limits count characters, of the source as it is written.
///
/// ```
/// use jsonrill::{ContextOptions, Parser};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"title": "A long story", "text": "It was a dark night, and 1"#);
/// let options = ContextOptions::new().budget_limit(10).overlap_max_chars(20);
/// let contexts = parser.freeze().contexts_with(&options);
/// assert_eq!(contexts.hierarchy, r#"{"title": "...", "text": "...ght, and 1"#);
/// assert_eq!(contexts.overlap, " a dark night, and 1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContextOptions {
    pub(super) budget_limit: usize,
    pub(super) overlap_max_chars: usize,
    pub(super) total_limit: Option<usize>,
    pub(super) keep_scalars: bool,
}

impl Default for ContextOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl ContextOptions {
    /// [`BUDGET_LIMIT`] and [`OVERLAP_MAX_CHARS`], no limit for the whole, and no scalars that were cut.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            budget_limit: BUDGET_LIMIT,
            overlap_max_chars: OVERLAP_MAX_CHARS,
            total_limit: None,
            keep_scalars: false,
        }
    }

    /// How many characters of string values the hierarchy keeps; those nearest to the cut are kept.
    #[must_use]
    pub const fn budget_limit(mut self, characters: usize) -> Self {
        self.budget_limit = characters;
        self
    }

    /// How many characters the overlap has at most; the last ones are kept.
    #[must_use]
    pub const fn overlap_max_chars(mut self, characters: usize) -> Self {
        self.overlap_max_chars = characters;
        self
    }

    /// How many characters the hierarchy has at most. What is far from the cut is folded into markers that say how much
    /// was left out. A limit below 128 means 128.
    ///
    /// ```
    /// use jsonrill::{ContextOptions, Parser};
    ///
    /// let mut parser = Parser::new();
    /// parser.push("[0");
    /// for number in 1..10_000 {
    ///     parser.push(format!(", {number}"));
    /// }
    /// let options = ContextOptions::new().total_limit(Some(128));
    /// let hierarchy = parser.freeze().hierarchy_with(&options);
    /// assert!(hierarchy.starts_with("[/* 99") && hierarchy.ends_with("9997, 9998, 9999"));
    /// assert!(hierarchy.len() <= 128);
    /// ```
    #[must_use]
    pub const fn total_limit(mut self, characters: Option<usize>) -> Self {
        self.total_limit = characters;
        self
    }

    /// Whether a number in flight is part of the complete part, as far as it is a number.
    #[must_use]
    pub const fn keep_scalars(mut self, keep: bool) -> Self {
        self.keep_scalars = keep;
        self
    }
}
