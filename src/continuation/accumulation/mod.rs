//! The loop around a model whose answers are cut: ask, read, and ask for the rest, until the document is whole or there
//! is no point in going on.
//!
//! A state machine that does no input or output. It is always in one of two states: a request is to be answered
//! ([`State::Asked`]), or there is a report ([`State::Done`]). What a caller does is feed text and say how a response
//! ended; what follows from that is in `flow`, and whether a round was the last one in `decide`.
//!
//! To decide, another parser reads the text so far once more and ends it (`finish_copy`): only the end settles what is
//! held, and the parser itself has to stay open for the next round. That is some 3 ms a megabyte, beside the seconds
//! that a model takes.

mod conclusion;
mod decide;
mod flow;
mod incomplete;
mod options;
mod repeats;
mod report;
mod round;

pub use conclusion::Conclusion;
pub use incomplete::IncompleteAccumulation;
pub use options::AccumulationOptions;
pub use report::AccumulationReport;
pub use round::{Round, RoundError};

use super::progress::KpiProgress;
use crate::frozen::Frozen;
use crate::model::{ModelError, ModelRequest, Purpose, StopReason, Usage};
use crate::parser::{Chunk, Parser, Roots, Seam};
use crate::view::{Snapshot, Update};

use repeats::Repeats;

/// How much of a response that defines KPIs is read, in bytes. More is no list of KPIs.
const KPI_BYTES: usize = 64 * 1024;

/// An answer that is asked for in as many rounds as it takes: the flow of it, without any input or output.
///
/// [`next_step`](Self::next_step) says what the model is to be asked. Its text goes into [`text`](Self::text), and how
/// it ended into [`end`](Self::end) or [`fail`](Self::fail); then there is a next step. Text becomes one document
/// across all rounds: its updates simply go on. For a [`LanguageModel`](crate::LanguageModel),
/// [`accumulate`](crate::accumulate()) does all that.
///
/// 1. The first request is the user's own. Where the answer is whole, that is all.
/// 2. If it was cut, the model is asked for KPIs, which say how far the answer has got (unless you
///    [give some](AccumulationOptions::kpis)). If it gives none, the number of leaves has to do.
/// 3. The model is asked to go on, and after each round but the first it is measured what that has brought: until the
///    document is whole, all targets are reached, nothing gets on, or a limit is reached ([`Conclusion`]).
///
/// ```
/// use jsonrill::{Accumulation, AccumulationOptions, Conclusion, NextStep, Purpose};
///
/// let mut accumulation = Accumulation::new("The numbers from 1 to 5, as JSON.", AccumulationOptions::new());
/// let report = loop {
///     match accumulation.next_step() {
///         NextStep::Ask(request) => {
///             // Here, a model would be asked `request.prompt`.
///             let (text, stop_reason) = match request.purpose {
///                 Purpose::Answer => (r#"{"numbers": [1, 2, 3"#, "length"),
///                 Purpose::Kpis => (r#"[{"id": "n", "jsonPath": "numbers", "targetValue": 5}]"#, "stop"),
///                 _ => (", 4, 5]}", "stop"),
///             };
///             accumulation.text(text);
///             accumulation.end(stop_reason, None);
///         }
///         NextStep::Done(report) => break report,
///     }
/// };
/// assert_eq!(report.conclusion, Conclusion::Complete);
/// assert_eq!(report.snapshot().to_string(), r#"{"numbers":[1,2,3,4,5]}"#);
/// assert_eq!(report.rounds.len(), 2);
/// ```
///
/// # Complexity
///
/// Text costs what [`Parser::feed`] does. The end of a round costs O(length of all text), some 3 ms a megabyte.
#[derive(Debug)]
pub struct Accumulation {
    request: String,
    options: AccumulationOptions,
    parser: Parser,
    state: State,
    rounds: Vec<Round>,
    kpi_call: Option<Round>,
    /// The state after the first round, while KPIs for it are asked for.
    cut: Option<Frozen>,
    progress: Option<KpiProgress>,
    repeats: Repeats,
    /// How many rounds in a row brought no progress.
    stalled: u32,
    /// How much text all rounds have.
    bytes: u64,
    /// How much of it was before the text that the parser has: rounds without any of the document.
    before_text: u64,
    snapshot: Snapshot,
}

/// What is to be done next. Made by [`Accumulation::next_step`].
///
/// ```
/// use jsonrill::{Accumulation, AccumulationOptions, NextStep, Purpose};
///
/// let mut accumulation = Accumulation::new("Two numbers.", AccumulationOptions::new().ask_for_kpis(false));
/// let NextStep::Ask(request) = accumulation.next_step() else { panic!("nothing was asked yet") };
/// assert_eq!(request.purpose, Purpose::Answer);
/// accumulation.text("[1, 2]");
/// accumulation.end("stop", None);
/// assert!(matches!(accumulation.next_step(), NextStep::Done(report) if report.outcome() == jsonrill::Outcome::Complete));
/// ```
#[derive(Debug, Clone, Copy)]
pub enum NextStep<'a> {
    /// The model is to be asked this.
    Ask(&'a ModelRequest),
    /// Nothing: this is what has become of it.
    Done(&'a AccumulationReport),
}

#[derive(Debug)]
enum State {
    Asked(Asked),
    Done(Box<AccumulationReport>),
}

/// A request, and its response as far as it has come.
#[derive(Debug)]
struct Asked {
    request: ModelRequest,
    bytes: u64,
    /// The text of a response that defines KPIs.
    kpis: Vec<u8>,
    /// Whether the parser knows of the round.
    has_begun: bool,
}

impl Accumulation {
    /// Begins with what the user asks for.
    #[must_use]
    pub fn new(request: impl Into<String>, mut options: AccumulationOptions) -> Self {
        let request = request.into();
        options.parser = options.parser.keep_source(true).roots(Roots::One);
        let mut parser = Parser::with_options(options.parser);
        let snapshot = parser.snapshot();
        let state = State::Asked(Asked {
            request: ModelRequest::new(Purpose::Answer, request.clone()),
            bytes: 0,
            kpis: Vec::new(),
            has_begun: true,
        });
        Self {
            request,
            options,
            parser,
            state,
            rounds: Vec::new(),
            kpi_call: None,
            cut: None,
            progress: None,
            repeats: Repeats::default(),
            stalled: 0,
            bytes: 0,
            before_text: 0,
            snapshot,
        }
    }

    // --- what to do ---------------------------------------------------------------------------------------------------

    /// What is to be done next. While a response arrives, it is still the request that is being answered.
    #[must_use]
    pub fn next_step(&self) -> NextStep<'_> {
        match &self.state {
            State::Asked(asked) => NextStep::Ask(&asked.request),
            State::Done(report) => NextStep::Done(report),
        }
    }

    /// Takes a chunk of the model's response, of any size, and says what it changed in the document.
    ///
    /// `None` where it has nothing to do with the document: the response defines KPIs, or no more text is wanted. The
    /// latter may come to pass in the middle of a response, at a limit or where the text is malformed; then
    /// [`is_done`](Self::is_done) is true, and the rest of the response may be dropped.
    ///
    /// # Complexity
    ///
    /// That of [`Parser::feed`].
    pub fn text(&mut self, chunk: impl Chunk) -> Option<Update> {
        let State::Asked(asked) = &mut self.state else { return None };
        let text = chunk.bytes();
        if asked.request.purpose == Purpose::Kpis {
            asked.bytes += text.len() as u64;
            let room = KPI_BYTES.saturating_sub(asked.kpis.len());
            asked.kpis.extend(text.iter().take(room));
            return None;
        }
        asked.begin(&mut self.parser, self.rounds.len());
        let room = self.options.byte_limit.saturating_sub(self.bytes);
        let fits = usize::try_from(room).ok().and_then(|room| text.get(..room));
        match fits {
            Some(part) if part.len() < text.len() => self.parser.push(part),
            _ => self.parser.push(&chunk),
        }
        let taken = room.min(text.len() as u64);
        asked.bytes += taken;
        self.bytes += taken;
        if self.parser.error().is_some() {
            return Some(self.break_off(Conclusion::Unreadable));
        }
        if taken < text.len() as u64 {
            return Some(self.break_off(Conclusion::ByteLimit));
        }
        Some(self.update())
    }

    /// Whether the rest of the response that is arriving may be dropped: there is a report, or the response is longer
    /// than any list of KPIs. Of the latter, [`end`](Self::end) is to be said all the same.
    #[must_use]
    pub fn has_enough(&self) -> bool {
        match &self.state {
            State::Asked(asked) => asked.kpis.len() >= KPI_BYTES,
            State::Done(_) => true,
        }
    }

    /// The response has ended for this reason, and cost so much, if that is known. Says what that changed in the
    /// document, as [`text`](Self::text) does: the end of the last round settles what was still held. That update is
    /// the one that [`AccumulationReport::finished`] has, too.
    pub fn end(&mut self, stop_reason: impl Into<StopReason>, usage: Option<Usage>) -> Option<Update> {
        self.response_ended(stop_reason.into(), usage, None)
    }

    /// The model could not be asked, or its response broke off. What it has written is kept. If that was to be KPIs, it
    /// does without; otherwise this is the end, unless there is [`patience`](AccumulationOptions::patience) left.
    pub fn fail(&mut self, error: ModelError) -> Option<Update> {
        self.response_ended(StopReason::unknown(), None, Some(RoundError::Model(error)))
    }

    /// No more is wanted: makes a report of what there is. Nothing changes where there is one already.
    pub fn cancel(&mut self) -> Option<Update> {
        match self.state {
            State::Asked(_) => Some(self.break_off(Conclusion::Cancelled)),
            State::Done(_) => None,
        }
    }

    // --- how it is ----------------------------------------------------------------------------------------------------

    /// Whether there is a report.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.report().is_some()
    }

    /// What has become of it, when no more rounds are asked for.
    #[must_use]
    pub fn report(&self) -> Option<&AccumulationReport> {
        match &self.state {
            State::Asked(_) => None,
            State::Done(report) => Some(report),
        }
    }

    /// What the user asked for.
    #[must_use]
    pub fn request(&self) -> &str {
        &self.request
    }

    /// The document as far as it is known.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The rounds that have ended.
    #[must_use]
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// How the rounds were joined so far: one for each but the first, as soon as there is any of it. The last may be
    /// [`SeamKind::Undecided`](crate::SeamKind::Undecided) while its round arrives, and where no text follows that
    /// would decide it.
    #[must_use]
    pub fn seams(&self) -> &[Seam] {
        self.parser.seams()
    }

    /// The KPIs, and what they were after the last round. `None` before the first round was cut, and while KPIs are
    /// asked for.
    #[must_use]
    pub fn progress(&self) -> Option<&KpiProgress> {
        self.progress.as_ref()
    }

    /// How far the answer is by its KPIs, from 0 to 1, also in the middle of a round: for a progress bar. `None` where
    /// nobody knows: there are no KPIs yet, or none has a target.
    ///
    /// It is 1 in two cases. All targets are reached, by what has only just begun, too: more may follow. Or the answer is
    /// whole, whatever the targets were. That is known when the round that closes it has ended, and not with its last
    /// bracket: what comes behind that may still make it malformed, and a bar that was full would go back.
    ///
    /// ```
    /// use jsonrill::{Accumulation, AccumulationOptions};
    ///
    /// let mut accumulation = Accumulation::new("Three moons, as JSON.", AccumulationOptions::new());
    /// accumulation.text(r#"{"moons": ["Io", "#);
    /// assert_eq!(accumulation.completion(), None); // nobody was asked yet
    /// accumulation.end("length", None);
    /// accumulation.text(r#"[{"id": "moons", "jsonPath": "moons", "targetValue": 4}]"#); // one more than there will be
    /// accumulation.end("stop", None);
    /// accumulation.text(r#""Europa", "Ganymede"]}"#);
    /// assert_eq!(accumulation.completion(), Some(0.75));
    /// accumulation.end("stop", None);
    /// assert_eq!(accumulation.completion(), Some(1.0));
    /// ```
    ///
    /// # Complexity
    ///
    /// That of [`KpiSet::measure`](crate::KpiSet::measure): small for paths, and O(size of the document) where leaves
    /// or queries are counted.
    #[must_use]
    pub fn completion(&self) -> Option<f64> {
        if self.report().is_some_and(|report| report.finished.is_complete()) {
            return Some(1.0);
        }
        let kpis = self.progress.as_ref()?.kpis();
        // Without a target there is nothing to say, and counting leaves takes its time.
        if kpis.has_target() { kpis.report(&self.snapshot).ratio } else { None }
    }
}

impl Asked {
    /// The first text of a round, or its end, tells the parser that there is one: one that nobody ever answered is
    /// none.
    fn begin(&mut self, parser: &mut Parser, rounds: usize) {
        if self.has_begun {
            return;
        }
        self.has_begun = true;
        match self.request.purpose {
            // Once more: what the rounds before left open, such as reasoning, is not for this one to go on with.
            Purpose::Answer => parser.begin_anew(rounds),
            _ => parser.next_round(),
        }
    }
}
