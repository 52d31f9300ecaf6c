//! How a repair with a model is done.

use std::time::Duration;

use super::prompt::RepairTemplate;
use crate::parser::{End, Options, Roots};

/// How long a model has for an answer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How often a model is asked by default: once, and once more.
const ATTEMPTS: u32 = 2;

/// How often it is asked at most.
const MAX_ATTEMPTS: u32 = 5;

/// How much of a text is sent, in bytes.
const BYTES: usize = 100 * 1024;

/// When a model is asked.
///
/// ```
/// use jsonrill::{Ask, AssistedOptions, AssistedRepair, AssistedStep};
///
/// let is_asked = |ask| {
///     let repair = AssistedRepair::new("{a: 1,}", AssistedOptions::new().ask(ask)); // the rules mend that for certain
///     matches!(repair.next_step(), AssistedStep::Ask { .. })
/// };
/// assert_eq!((is_asked(Ask::Never), is_asked(Ask::WhenNeeded), is_asked(Ask::Always)), (false, false, true));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Ask {
    /// It is not. The report says whether the rules were enough.
    Never,
    /// Where the rules were not enough. That is so where
    ///
    /// - the text has no JSON that the rules find, or is malformed, or was cut;
    /// - a [required](AssistedOptions::require) value is missing, null or empty;
    /// - the rules left out text, made up a value, or had to guess where an object or array begins or ends
    ///   ([`RepairKind::is_doubtful`](crate::RepairKind::is_doubtful)), or what stands behind the root looks like more
    ///   of it, as in `{"a": 1}, "b": 2}`.
    ///
    /// All else that the rules repair (commas, quotes, comments, keywords, numbers, text around the JSON) has one
    /// reading that is plausible, and a model has no better one.
    #[default]
    WhenNeeded,
    /// Also where the rules have repaired anything at all. Valid JSON is never sent, whatever stands around it.
    Always,
}

/// How a text is repaired with a model's help: when the model is asked, what for, and how far it is trusted.
///
/// ```
/// use std::time::Duration;
///
/// use jsonrill::AssistedOptions;
///
/// let options = AssistedOptions::new()
///     .require("/invoice/total") // there has to be something
///     .attempts(3)
///     .timeout(Duration::from_secs(20))
///     .model_name("small-model-2"); // answers of another one are not taken from the cache
/// ```
#[derive(Debug, Clone)]
pub struct AssistedOptions {
    pub(super) parser: Options,
    pub(super) end: End,
    pub(super) ask: Ask,
    pub(super) required: Vec<String>,
    pub(super) attempts: u32,
    pub(super) timeout: Duration,
    pub(super) byte_limit: usize,
    pub(super) tolerance: f64,
    pub(super) template: RepairTemplate,
    pub(super) model_name: String,
}

impl Default for AssistedOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl AssistedOptions {
    /// A model that is asked when it is needed, at most twice, for 30 seconds each, about at most 100 KiB, and whose
    /// answer has all of the original and nothing else; a lenient parser; nothing that is required.
    #[must_use]
    pub fn new() -> Self {
        Self {
            parser: Options::new(),
            end: End::Unknown,
            ask: Ask::WhenNeeded,
            required: Vec::new(),
            attempts: ATTEMPTS,
            timeout: TIMEOUT,
            byte_limit: BYTES,
            tolerance: 0.0,
            template: RepairTemplate::default(),
            model_name: String::new(),
        }
    }

    /// How the text is read by the rules. In any case its source is kept, and one root is wanted: [`Roots::Many`] means
    /// [`Roots::One`].
    #[must_use]
    pub fn parser(mut self, mut options: Options) -> Self {
        if options.roots == Roots::Many {
            options = options.roots(Roots::One);
        }
        self.parser = options.keep_source(true);
        self
    }

    /// Why the text ends where it does. By default nobody knows.
    #[must_use]
    pub fn end(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    /// When the model is asked.
    #[must_use]
    pub fn ask(mut self, ask: Ask) -> Self {
        self.ask = ask;
        self
    }

    /// A place where there has to be something: a JSON pointer. What is missing there, `null`, `""`, `[]` or `{}` is
    /// named in the error. May be said any number of times.
    #[must_use]
    pub fn require(mut self, pointer: impl Into<String>) -> Self {
        self.required.push(pointer.into());
        self
    }

    /// How often the model is asked at most, from 1 to 5. 2 by default. From the second time on it is told what was
    /// wrong with the answer before. An error that asking again does not mend (no key, no such program, a request that
    /// is not taken) is the last attempt in any case.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.clamp(1, MAX_ATTEMPTS);
        self
    }

    /// How long the model has each time. 30 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How much of the text is sent at most, in bytes. 100 KiB by default. Of a long text that is the part around the
    /// damage; where that is longer, the model is not asked ([`AssistedError::TooLarge`](crate::AssistedError)).
    #[must_use]
    pub fn byte_limit(mut self, bytes: usize) -> Self {
        self.byte_limit = bytes;
        self
    }

    /// Which share of the original's keys and values may be lost, changed, moved or invented in an answer that is
    /// taken: from 0, the default, to 1. See [`Comparison`](crate::Comparison) for what counts, and for why 0 is
    /// enough. What differs is reported in any case.
    #[must_use]
    pub fn tolerance(mut self, share: f64) -> Self {
        // Also where it is no number.
        self.tolerance = if share > 0.0 { share.min(1.0) } else { 0.0 };
        self
    }

    /// The prompt in words of your own.
    #[must_use]
    pub fn template(mut self, template: RepairTemplate) -> Self {
        self.template = template;
        self
    }

    /// Which model it is, for the cache: an answer is used again for the same name only.
    #[must_use]
    pub fn model_name(mut self, name: impl Into<String>) -> Self {
        self.model_name = name.into();
        self
    }
}
