//! Answers that were taken once, to be used again.

use std::fmt;
use std::hash::{Hash, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lru::LruCache;

use crate::model::Purpose;
use crate::parser::Options;

/// How much a [`RepairCache`] keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CacheLimits {
    /// How many answers. By default 1000.
    pub entries: usize,
    /// How many bytes, of the texts and of the answers. By default 16 MiB.
    pub bytes: usize,
    /// For how long. By default a day.
    pub age: Duration,
}

impl Default for CacheLimits {
    fn default() -> Self {
        Self::new()
    }
}

impl CacheLimits {
    /// Those that count where nobody asks for others: 1000 answers, 16 MiB, a day.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use jsonrill::{CacheLimits, RepairCache};
    ///
    /// let cache = RepairCache::with_limits(CacheLimits::new().entries(50).age(Duration::from_secs(3600)));
    /// assert!(cache.is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: 1000, bytes: 16 << 20, age: Duration::from_secs(24 * 60 * 60) }
    }

    /// How many answers are kept.
    #[must_use]
    pub const fn entries(mut self, entries: usize) -> Self {
        self.entries = entries;
        self
    }

    /// How many bytes they may have together.
    #[must_use]
    pub const fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// How long each is good for.
    #[must_use]
    pub const fn age(mut self, age: Duration) -> Self {
        self.age = age;
        self
    }
}

/// Answers of models that were taken, to be used again for the same damage: the same program makes the same mistake on
/// the same text again and again, and then nobody has to be asked twice.
///
/// An answer is found by what the model was sent and by the *error pattern*: the outcome and the kinds of repairs that
/// the rules report, without places and numbers. So the same text is another question where the rules see it
/// otherwise, that is with other options or another version of them; and of long texts it is the damaged part that
/// counts, which may well be the same in many of them. Required places, options of the parser and the
/// [name of the model](crate::AssistedOptions::model_name) count as well. All of it is compared, not only its hash, and
/// an answer from the cache is checked like one that was just given.
///
/// It is shared by reference, also between threads. What was not used for longest goes first, and what is too old is
/// not found. Answers that were not taken are not kept.
///
/// ```
/// use jsonrill::{AssistedOptions, RepairCache, RepairSource, ScriptedModel, ScriptedReply, repair_assisted};
///
/// # futures::executor::block_on(async {
/// let model = ScriptedModel::new([ScriptedReply::new(["{\"a\": [1], \"b\": 2}"], "stop")]);
/// let cache = RepairCache::new();
/// for source in [RepairSource::Model, RepairSource::Cache] {
///     let timer = |_| std::future::pending(); // such as `tokio::time::sleep`
///     let text = "{\"a\": [1, \"b\": 2}";
///     let report = repair_assisted(&model, text, AssistedOptions::new(), Some(&cache), timer).await;
///     assert_eq!((report.source(), report.text()), (source, "{\"a\": [1], \"b\": 2}"));
/// }
/// # });
/// ```
pub struct RepairCache {
    limits: CacheLimits,
    clock: Box<dyn Fn() -> Instant + Send + Sync>,
    kept: Mutex<Kept>,
}

struct Kept {
    answers: LruCache<Question, Answer, RandomState>,
    bytes: usize,
}

/// What a model was asked, as far as it matters for the answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    pub(super) purpose: Purpose,
    pub(super) content: String,
    pub(super) pattern: String,
    pub(super) required: Vec<String>,
    pub(super) model: String,
    pub(super) parser: Options,
}

struct Answer {
    text: String,
    since: Instant,
}

/// What an entry takes beside its texts, about.
const ENTRY: usize = 256;

impl Question {
    fn bytes(&self) -> usize {
        let required: usize = self.required.iter().map(String::len).sum();
        self.content.len() + self.pattern.len() + self.model.len() + required + ENTRY
    }
}

impl Default for RepairCache {
    fn default() -> Self {
        Self::new()
    }
}

impl RepairCache {
    /// An empty one with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(CacheLimits::default())
    }

    /// An empty one with these limits.
    #[must_use]
    pub fn with_limits(limits: CacheLimits) -> Self {
        Self::with_clock(limits, Instant::now)
    }

    /// An empty one with these limits that asks for the time here: for tests.
    #[must_use]
    pub fn with_clock(limits: CacheLimits, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        // Not bounded by itself: that would take the room for all entries at once, and know nothing of bytes.
        let answers = LruCache::unbounded_with_hasher(RandomState::new());
        Self { limits, clock: Box::new(clock), kept: Mutex::new(Kept { answers, bytes: 0 }) }
    }

    /// How many answers there are, those that are too old included until somebody asks for them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.with(|kept| kept.answers.len())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes they take: texts, answers, and some for each.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.with(|kept| kept.bytes)
    }

    /// Forgets all of them.
    pub fn clear(&self) {
        self.with(|kept| {
            kept.answers.clear();
            kept.bytes = 0;
        });
    }

    pub(super) fn get(&self, question: &Question) -> Option<String> {
        let now = (self.clock)();
        self.with(|kept| {
            let answer = kept.answers.get(question)?;
            if now.saturating_duration_since(answer.since) < self.limits.age {
                return Some(answer.text.clone());
            }
            kept.remove(question);
            None
        })
    }

    pub(super) fn put(&self, question: Question, text: String) {
        let since = (self.clock)();
        let bytes = question.bytes() + text.len();
        if bytes > self.limits.bytes || self.limits.entries == 0 {
            return;
        }
        self.with(|kept| {
            kept.remove(&question);
            kept.bytes += bytes;
            kept.answers.push(question, Answer { text, since });
            while kept.answers.len() > self.limits.entries || kept.bytes > self.limits.bytes {
                kept.remove_oldest();
            }
        });
    }

    fn with<T>(&self, look: impl FnOnce(&mut Kept) -> T) -> T {
        // A thread that died with it has lost an answer at most.
        look(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    fn remove(&mut self, question: &Question) {
        if let Some(answer) = self.answers.pop(question) {
            self.bytes = self.bytes.saturating_sub(question.bytes() + answer.text.len());
        }
    }

    fn remove_oldest(&mut self) {
        if let Some((question, answer)) = self.answers.pop_lru() {
            self.bytes = self.bytes.saturating_sub(question.bytes() + answer.text.len());
        }
    }
}

impl fmt::Debug for RepairCache {
    /// Without the texts.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, bytes) = self.with(|kept| (kept.answers.len(), kept.bytes));
        formatter
            .debug_struct("RepairCache")
            .field("limits", &self.limits)
            .field("entries", &entries)
            .field("bytes", &bytes)
            .finish_non_exhaustive()
    }
}
