//! Repair with a model's help: for damage that no rule mends.
//!
//! A state machine that does no input or output, of the same shape as that of an accumulation: a request is to be
//! answered, or there is a report. When a model is asked says [`doubt`], what it is sent [`window`], in which words
//! [`prompt`], and whether its answer is taken [`answer`], by way of [`compare`] and [`required`].
//!
//! A text that was cut is not mended but gone on with. That needs nothing of the loop over many rounds in
//! `continuation`, no KPIs and no request of a user: the parser joins rounds by itself, so it is asked to, and the two
//! folders do not know each other. They share the templates of `prompt`.

mod answer;
mod cache;
mod compare;
mod doubt;
mod drive;
mod error;
mod options;
mod prompt;
mod report;
mod window;

use std::fmt;
use std::time::Duration;

pub use cache::{CacheLimits, RepairCache};
pub use compare::{Comparison, Difference, Differences};
pub use drive::repair_assisted;
pub use error::AssistedError;
pub use options::{Ask, AssistedOptions};
pub use prompt::RepairTemplate;
pub use report::{AssistedReport, Attempt, RepairSource};

use super::repair_with;
use crate::frozen::ContextOptions;
use crate::model::{ModelError, ModelRequest, Purpose, StopReason, Usage};
use crate::parser::{Chunk, End, Outcome};
use answer::{Judge, Judged, Task};
use cache::Question;
use doubt::Damage;

/// How much longer than what was sent a response may be: so many times, and so many bytes. It may begin with some
/// reasoning.
const RESPONSE: (usize, usize) = (4, 64 * 1024);

/// How much of a cut text's structure a prompt has, in characters.
const STRUCTURE: usize = 8_000;

/// A text that is repaired with a model's help: the flow of it, without any input or output.
///
/// [`next_step`](Self::next_step) says what the model is to be asked, if it is. Its text goes into
/// [`text`](Self::text), and how it ended into [`end`](Self::end) or [`fail`](Self::fail); then there is a next step.
/// For a [`LanguageModel`](crate::LanguageModel), [`repair_assisted`] does all that.
///
/// 1. The rules come first ([`repair`](crate::repair)). Where they are enough ([`Ask`]) that is all.
/// 2. The model is asked to mend the syntax. A text that is merely cut it is asked to go on with. Of a text of more
///    than 4 KiB only the part around the damage is sent.
/// 3. Its answer may stand in prose, fences or behind reasoning. It has to be valid JSON as it was written, and whole;
///    it has to have the [required](AssistedOptions::require) values; and it may not differ from the original in more
///    than its syntax ([`Comparison`]). Otherwise the model is told what is wrong, and asked once more: with more of the
///    text, where the rules had to guess where something begins or ends.
/// 4. An answer that passes takes the place of the damaged part in what the rules made; all else stays as it is.
///    Without one the result is what the rules made, and the report says why ([`AssistedError`]).
///
/// ```
/// use jsonrill::{AssistedOptions, AssistedRepair, AssistedStep, RepairSource};
///
/// let mut repair = AssistedRepair::new("{\"tags\": [\"a\", \"b\", \"done\": true}", AssistedOptions::new());
/// while let AssistedStep::Ask { request, timeout } = repair.next_step() {
///     assert!(request.prompt.contains("\"done\": true}"));
///     println!("waiting for {timeout:?} at most");
///     // Here, a model would be asked `request.prompt`.
///     repair.text("```json\n{\"tags\": [\"a\", \"b\"], ");
///     repair.text("\"done\": true}\n```");
///     repair.end("stop", None);
/// }
/// let report = repair.into_report();
/// assert_eq!(report.source(), RepairSource::Model);
/// assert_eq!(report.text(), "{\"tags\": [\"a\", \"b\"], \"done\": true}");
/// assert!(report.comparison().unwrap().is_faithful());
/// ```
///
/// # Complexity
///
/// O(length of the text and of the responses), and O(n log n) in what is compared where texts are alike; memory the
/// same. Of a response at most four times what was sent and 64 KiB are read (of the rest of a cut text, four times the
/// [limit](AssistedOptions::byte_limit) at most).
pub struct AssistedRepair {
    options: AssistedOptions,
    /// What has become of the text so far: without the model, what the rules made of it.
    report: AssistedReport,
    /// What the model is to do; `None` where the rules were enough.
    task: Option<Task>,
    /// The request that is to be answered.
    asked: Option<Asked>,
    /// The response that was taken, for the cache.
    answer: Option<String>,
    /// Whether more of the text was sent than at first.
    is_enlarged: bool,
}

/// What is to be done next. Made by [`AssistedRepair::next_step`].
///
/// ```
/// use jsonrill::{AssistedOptions, AssistedRepair, AssistedStep, Purpose};
///
/// let mut repair = AssistedRepair::new("{\"a\": [1, \"b\": 2}", AssistedOptions::new());
/// let AssistedStep::Ask { request, timeout } = repair.next_step() else { panic!("the rules are not enough") };
/// assert_eq!((request.purpose, timeout.as_secs()), (Purpose::Repair, 30));
/// repair.text("{\"a\": [1], \"b\": 2}");
/// repair.end("stop", None);
/// assert!(matches!(repair.next_step(), AssistedStep::Done(report) if report.is_complete()));
/// ```
#[derive(Debug, Clone, Copy)]
pub enum AssistedStep<'a> {
    /// The model is to be asked this.
    Ask {
        /// The request.
        request: &'a ModelRequest,
        /// How long it has: what takes longer has [failed](AssistedRepair::fail) with a
        /// [time-out](crate::ModelErrorKind::Timeout).
        timeout: Duration,
    },
    /// Nothing: this is what has become of it.
    Done(&'a AssistedReport),
}

/// A request, and its response as far as it has come.
struct Asked {
    request: ModelRequest,
    response: Vec<u8>,
    /// How much of a response is read.
    limit: usize,
}

impl AssistedRepair {
    /// Begins with a text: the rules are applied here.
    ///
    /// # Complexity
    ///
    /// O(length of the text).
    #[must_use]
    pub fn new(text: impl Into<String>, options: AssistedOptions) -> Self {
        let original = text.into();
        let repaired = repair_with(&original, options.parser, options.end);
        let missing = repaired.snapshot().missing_at_end(&options.required);
        let report = AssistedReport {
            original,
            repaired,
            missing,
            taken: None,
            from_cache: false,
            attempts: Vec::new(),
            comparison: None,
            error: None,
        };
        let mut this = Self { options, report, task: None, asked: None, answer: None, is_enlarged: false };
        match this.first_task() {
            Ok(task) => this.task = task,
            Err(error) => this.report.error = Some(error),
        }
        this.ask(None);
        this
    }

    /// What a model has to do, if anything.
    fn first_task(&self) -> Result<Option<Task>, AssistedError> {
        let AssistedReport { original, repaired, missing, .. } = &self.report;
        let is_missing = !missing.is_empty();
        if self.options.ask == Ask::Never {
            return if is_missing { Err(AssistedError::MissingFields(missing.clone())) } else { Ok(None) };
        }
        if original.trim().is_empty() && !repaired.is_complete() {
            return Err(AssistedError::Blank);
        }
        if repaired.outcome() == Outcome::Limit {
            return Err(AssistedError::Limit(repaired.error().map_or("limit", |error| error.kind().as_str())));
        }
        let damage = match doubt::damage(original, repaired, self.options.ask) {
            None if !is_missing => return Ok(None),
            // Where a value is that is missing, nobody knows.
            Some(damage) => Damage { place: damage.place.filter(|_| !is_missing), ..damage },
            None => Damage { place: None, crosses_borders: false },
        };
        Task::new(original, repaired, &damage, &self.options).map(Some)
    }

    // --- what to do ---------------------------------------------------------------------------------------------------

    /// What is to be done next. While a response arrives, it is still the request that is being answered.
    #[must_use]
    pub fn next_step(&self) -> AssistedStep<'_> {
        match &self.asked {
            Some(asked) => AssistedStep::Ask { request: &asked.request, timeout: self.options.timeout },
            None => AssistedStep::Done(&self.report),
        }
    }

    /// Takes a chunk of the model's response, of any size. It is looked at when it has ended.
    pub fn text(&mut self, chunk: impl Chunk) {
        if let Some(asked) = &mut self.asked {
            // One more than is allowed says that there are more.
            let room = (asked.limit + 1).saturating_sub(asked.response.len());
            asked.response.extend(chunk.bytes().iter().take(room));
        }
    }

    /// Whether the rest of the response that is arriving may be dropped: it is too long, or nothing was asked.
    /// [`end`](Self::end) is to be said all the same.
    #[must_use]
    pub fn has_enough(&self) -> bool {
        self.asked.as_ref().is_none_or(|asked| asked.response.len() > asked.limit)
    }

    /// The response has ended for this reason, and cost so much, if that is known.
    pub fn end(&mut self, stop_reason: impl Into<StopReason>, usage: Option<Usage>) {
        let Some(asked) = self.asked.take() else { return };
        let stop_reason = stop_reason.into();
        let judged = if asked.response.len() > asked.limit {
            AssistedError::TooLong { limit: asked.limit }.into()
        } else {
            self.judge(&asked.response, stop_reason.end())
        };
        self.response_ended(&asked, stop_reason, usage, judged);
    }

    /// The model could not be asked, took too long, or its response broke off. What it has written is kept in the
    /// [attempt](Attempt::output), and not used.
    pub fn fail(&mut self, error: ModelError) {
        let Some(asked) = self.asked.take() else { return };
        self.response_ended(&asked, StopReason::unknown(), None, AssistedError::Model(error).into());
    }

    /// The report. Where the model is still being asked, it is about what there is without its answer
    /// ([`AssistedError::Cancelled`]).
    #[must_use]
    pub fn into_report(mut self) -> AssistedReport {
        if self.asked.is_some() {
            self.report.error = Some(AssistedError::Cancelled);
        }
        self.report
    }

    // --- the cache ----------------------------------------------------------------------------------------------------

    /// Looks for an answer in the cache, before the model has said anything. Says whether one was taken: then there is
    /// a report. Drivers of your own call this first, and [`store`](Self::store) last.
    ///
    /// ```
    /// use jsonrill::{AssistedOptions, AssistedRepair, RepairCache};
    ///
    /// let cache = RepairCache::new();
    /// let new = || AssistedRepair::new("{\"a\": [1, \"b\": 2}", AssistedOptions::new());
    /// let mut repair = new();
    /// assert!(!repair.look_up(&cache));
    /// repair.text("{\"a\": [1], \"b\": 2}");
    /// repair.end("stop", None);
    /// repair.store(&cache);
    /// assert!(new().look_up(&cache));
    /// ```
    pub fn look_up(&mut self, cache: &RepairCache) -> bool {
        let is_new = self.report.attempts.is_empty() && self.asked.is_some();
        let answer = self.question().filter(|_| is_new).and_then(|question| cache.get(&question));
        let Some(answer) = answer else { return false };
        let Ok(taken) = self.judge(answer.as_bytes(), End::Stopped).result else { return false };
        self.asked = None;
        (self.report.taken, self.report.from_cache) = (Some(taken), true);
        true
    }

    /// Keeps the model's answer in the cache, if one was taken.
    pub fn store(&self, cache: &RepairCache) {
        if let (Some(question), Some(answer)) = (self.question(), &self.answer) {
            cache.put(question, answer.clone());
        }
    }

    /// What the model was asked first, as far as it matters.
    fn question(&self) -> Option<Question> {
        let AssistedReport { original, repaired, .. } = &self.report;
        let (purpose, content) = match self.task.as_ref()? {
            // Neither is the answer to another part.
            Task::Mend(_) if self.is_enlarged => return None,
            Task::Mend(window) => (Purpose::Repair, window.text(original)),
            // The rest of several rounds is no answer to what was asked first.
            Task::GoOn { rounds, .. } if !rounds.is_empty() => return None,
            Task::GoOn { .. } => (Purpose::Continuation, original.clone()),
        };
        Some(Question {
            purpose,
            content,
            pattern: doubt::pattern(repaired),
            required: self.options.required.clone(),
            model: self.options.model_name.clone(),
            parser: self.options.parser,
        })
    }

    // --- what follows -------------------------------------------------------------------------------------------------

    /// Asks the model, if there is something to ask.
    fn ask(&mut self, failure: Option<&str>) {
        let AssistedOptions { required, template, .. } = &self.options;
        let (purpose, prompt, sent) = match &self.task {
            Some(Task::Mend(window)) => {
                let text = window.text(&self.report.original);
                (Purpose::Repair, template.fill(&text, window, required, failure), text.len())
            }
            Some(Task::GoOn { frozen, .. }) => {
                let contexts = frozen.contexts_with(&ContextOptions::new().total_limit(Some(STRUCTURE)));
                let repeated = self.report.original.len().min(self.options.byte_limit);
                (Purpose::Continuation, prompt::cut_prompt(&contexts, required, failure), repeated)
            }
            None => return,
        };
        let limit = RESPONSE.0.saturating_mul(sent).saturating_add(RESPONSE.1);
        self.asked = Some(Asked { request: ModelRequest::new(purpose, prompt), response: Vec::new(), limit });
    }

    /// Looks at a response.
    fn judge(&mut self, response: &[u8], end: End) -> Judged {
        let AssistedReport { original, repaired, .. } = &self.report;
        let judge = Judge { text: original, repaired, options: &self.options };
        match &mut self.task {
            Some(Task::Mend(window)) => judge.mended(window, response, end),
            Some(Task::GoOn { rounds, frozen }) => judge.continued(rounds, frozen, response, end),
            None => AssistedError::NoJson.into(),
        }
    }

    fn response_ended(&mut self, asked: &Asked, stop_reason: StopReason, usage: Option<Usage>, judged: Judged) {
        let Judged { result, comparison, seam } = judged;
        let output = String::from_utf8_lossy(&asked.response).into_owned();
        if comparison.is_some() {
            self.report.comparison.clone_from(&comparison);
        }
        let (taken, error) = match result {
            Ok(taken) => (Some(taken), None),
            Err(error) => (None, Some(error)),
        };
        self.report.attempts.push(Attempt {
            purpose: asked.request.purpose,
            bytes: asked.response.len() as u64,
            output,
            stop_reason,
            usage,
            seam,
            error: error.clone(),
        });
        let asked_so_far = self.report.attempts.len();
        match error {
            Some(error) if error.is_worth_another() && asked_so_far < self.options.attempts as usize => {
                if matches!(error, AssistedError::Different { .. } | AssistedError::MissingFields(_)) {
                    self.enlarge();
                }
                let failure = prompt::failure(&error, comparison.as_ref());
                self.ask(failure.as_deref());
            }
            Some(error) => self.report.error = Some(error),
            None => {
                // Bytes that are no text are not what they are shown as.
                self.answer = std::str::from_utf8(&asked.response).ok().map(str::to_owned);
                self.report.taken = taken;
            }
        }
    }
}

impl AssistedRepair {
    /// Sends more of the text, where the damage may be outside of what was sent.
    fn enlarge(&mut self) {
        let AssistedReport { original, repaired, .. } = &self.report;
        if let Some(Task::Mend(window)) = &mut self.task
            && let Some(larger) = window.larger(original, repaired, self.options.byte_limit)
        {
            *window = larger;
            self.is_enlarged = true;
        }
    }
}

impl fmt::Debug for AssistedRepair {
    /// Without the texts.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AssistedRepair")
            .field("attempts", &self.report.attempts.len())
            .field("is_asked", &self.asked.is_some())
            .field("outcome", &self.report.outcome())
            .finish_non_exhaustive()
    }
}
