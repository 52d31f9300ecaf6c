//! The loop over a model: a thin driver around [`Accumulation`].

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::accumulation::{Accumulation, AccumulationOptions, AccumulationReport, NextStep, Round};
use crate::model::{LanguageModel, ModelEvent, ModelStream, Purpose, StopReason, Usage};
use crate::view::Update;

/// How many parts of responses are taken in at a time that give nothing to the reader. Then the executor has its turn:
/// a model may be ready with more for ever.
const EVENTS: usize = 128;

/// Asks a model for an answer, in as many rounds as it takes: a stream of updates of one document, and a report at its
/// end. See [`Accumulation`] for what is asked, and when it ends.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::{AccumulationEvent, AccumulationOptions, Conclusion, ScriptedModel, ScriptedReply, accumulate};
///
/// let model = ScriptedModel::new([
///     ScriptedReply::new([r#"{"primes": [2, 3, "#, "5, 7"], "length"), // the answer, cut
///     ScriptedReply::new([r#"[{"id": "primes", "jsonPath": "primes", "targetValue": 6}]"#], "stop"), // how to measure it
///     ScriptedReply::new([", 11, ", "13]}"], "stop"), // the rest
/// ]);
/// for event in block_on_stream(accumulate(&model, "Six primes, as JSON.", AccumulationOptions::new())) {
///     match event {
///         AccumulationEvent::Asked(purpose) => println!("asked for: {purpose}"),
///         AccumulationEvent::Update(update) => println!("{}", update.delta()),
///         AccumulationEvent::Done(report) => {
///             assert_eq!(report.conclusion, Conclusion::Complete);
///             assert_eq!(report.snapshot().to_string(), r#"{"primes":[2,3,5,7,11,13]}"#);
///         }
///         _ => {}
///     }
/// }
/// ```
pub fn accumulate(
    model: &dyn LanguageModel,
    request: impl Into<String>,
    options: AccumulationOptions,
) -> Accumulate<'_> {
    Accumulate {
        model,
        accumulation: Accumulation::new(request, options),
        response: None,
        last_update: None,
        rounds_told: 0,
        is_over: false,
    }
}

/// What happens while an answer is accumulated.
///
/// ```
/// use futures::StreamExt;
/// use futures::executor::block_on;
/// use jsonrill::{AccumulationEvent, AccumulationOptions, Conclusion, Purpose, ScriptedModel, ScriptedReply, accumulate};
///
/// let model = ScriptedModel::new([
///     ScriptedReply::new([r#"{"a": [1, "#], "length"),
///     ScriptedReply::new(["2]}"], "stop"),
/// ]);
/// let options = AccumulationOptions::new().ask_for_kpis(false);
/// let events: Vec<_> = block_on(accumulate(&model, "Two numbers.", options).collect());
/// assert!(matches!(events[0], AccumulationEvent::Asked(Purpose::Answer)));
/// assert!(events.iter().any(|event| matches!(event, AccumulationEvent::Asked(Purpose::Continuation))));
/// assert_eq!(events.iter().filter(|event| matches!(event, AccumulationEvent::RoundEnded(_))).count(), 2);
/// let Some(AccumulationEvent::Done(report)) = events.last() else { panic!("the report is the last") };
/// assert_eq!(report.conclusion, Conclusion::Complete);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum AccumulationEvent {
    /// The model is being asked for this.
    Asked(Purpose),
    /// The document has changed, or may have: one for each chunk of text, and for each end of a round. Many change
    /// nothing that is shown ([`Delta::is_empty`](crate::Delta::is_empty)): the start of a round is held, and the end
    /// of one mostly has nothing to settle. Where the model begins another document, the update is about that one, and
    /// its [parts](Update::parts) about both.
    Update(Update),
    /// A round has ended: what it cost, what went wrong, and what it has brought. It comes after the last update of the
    /// round. The call that defines KPIs is no round.
    RoundEnded(Round),
    /// No more rounds are asked for. The last event.
    ///
    /// The update of its [`finished`](AccumulationReport::finished) was given out before, as the last
    /// [`Update`](Self::Update): it is not to be applied again.
    Done(Box<AccumulationReport>),
}

/// A stream of [`AccumulationEvent`]s. Made by [`accumulate`].
///
/// It needs no runtime but what the model needs. It can be given up at any time: a future that waits for its next event
/// can be dropped without losing anything, and dropping the stream itself drops the response. Before that,
/// [`cancel`](Self::cancel) makes a report of what there is.
///
/// ```
/// use futures::executor::block_on;
/// use jsonrill::{AccumulationOptions, ScriptedModel, ScriptedReply, accumulate};
///
/// let model = ScriptedModel::new([
///     ScriptedReply::new([r#"{"a": [1, "#], "length"),
///     ScriptedReply::new(["2]}"], "stop"),
/// ]);
/// let options = AccumulationOptions::new().ask_for_kpis(false);
/// // It is a stream of events; whoever wants the end alone asks for the report.
/// let report = block_on(accumulate(&model, "Two numbers.", options).report());
/// assert_eq!(report.into_complete()?.to_string(), r#"{"a":[1,2]}"#);
/// # Ok::<(), jsonrill::IncompleteAccumulation>(())
/// ```
#[must_use = "streams do nothing unless they are read"]
pub struct Accumulate<'m> {
    model: &'m dyn LanguageModel,
    accumulation: Accumulation,
    response: Option<Response<'m>>,
    /// What became of the document when it was cancelled, to be given out.
    last_update: Option<Update>,
    /// How many rounds were given out.
    rounds_told: usize,
    /// Whether the report has been given out.
    is_over: bool,
}

/// A response that is arriving.
struct Response<'m> {
    stream: ModelStream<'m>,
    stop_reason: StopReason,
    usage: Option<Usage>,
}

impl Accumulate<'_> {
    /// How it is: document, rounds, KPIs, and how far it has got.
    #[must_use]
    pub fn accumulation(&self) -> &Accumulation {
        &self.accumulation
    }

    /// Drops the response that is arriving, and makes a report of what there is. The stream still gives the last update
    /// and the report.
    pub fn cancel(&mut self) {
        self.response = None;
        let update = self.accumulation.cancel();
        self.last_update = self.last_update.take().or(update);
    }

    /// Goes on to the end, and gives the report.
    ///
    /// ```
    /// use futures::executor::block_on;
    /// use jsonrill::{AccumulationOptions, ScriptedModel, ScriptedReply, accumulate};
    ///
    /// let model = ScriptedModel::new([ScriptedReply::new(["[\"a\", \"b\"]"], "stop")]);
    /// let report = block_on(accumulate(&model, "Two letters, as JSON.", AccumulationOptions::new()).report());
    /// assert_eq!(report.into_complete()?.at("/1"), "b");
    /// # Ok::<(), jsonrill::IncompleteAccumulation>(())
    /// ```
    pub async fn report(mut self) -> AccumulationReport {
        loop {
            let event = poll_fn(|context| Pin::new(&mut self).poll_next(context)).await;
            match (event, self.accumulation.report()) {
                (Some(AccumulationEvent::Done(report)), _) => return *report,
                // It was given out before.
                (None, Some(report)) => return report.clone(),
                _ => {}
            }
        }
    }
}

impl Stream for Accumulate<'_> {
    type Item = AccumulationEvent;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<AccumulationEvent>> {
        let this = self.get_mut();
        for _ in 0..EVENTS {
            if this.is_over {
                return Poll::Ready(None);
            }
            if let Some(update) = this.last_update.take() {
                return Poll::Ready(Some(AccumulationEvent::Update(update)));
            }
            if let Some(round) = this.accumulation.rounds().get(this.rounds_told) {
                this.rounds_told += 1;
                return Poll::Ready(Some(AccumulationEvent::RoundEnded(round.clone())));
            }
            let Some(response) = &mut this.response else { return Poll::Ready(Some(this.step())) };
            let event =
                if this.accumulation.has_enough() { None } else { ready!(response.stream.as_mut().poll_next(context)) };
            let update = match event {
                Some(Ok(ModelEvent::Text(text))) => this.accumulation.text(text),
                Some(Ok(ModelEvent::Stopped(reason))) => {
                    response.stop_reason = reason;
                    None
                }
                Some(Ok(ModelEvent::Usage(usage))) => {
                    response.usage = Some(usage);
                    None
                }
                ended => {
                    let (reason, usage) = (std::mem::take(&mut response.stop_reason), response.usage);
                    this.response = None;
                    match ended {
                        Some(Err(error)) => this.accumulation.fail(error),
                        _ => this.accumulation.end(reason, usage),
                    }
                }
            };
            if this.accumulation.is_done() {
                this.response = None;
            }
            if let Some(update) = update {
                return Poll::Ready(Some(AccumulationEvent::Update(update)));
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Accumulate<'_> {
    /// Does what is to be done next.
    fn step(&mut self) -> AccumulationEvent {
        match self.accumulation.next_step() {
            NextStep::Ask(request) => {
                let purpose = request.purpose;
                let stream = self.model.respond(request.clone());
                self.response = Some(Response { stream, stop_reason: StopReason::unknown(), usage: None });
                AccumulationEvent::Asked(purpose)
            }
            NextStep::Done(report) => {
                self.is_over = true;
                AccumulationEvent::Done(Box::new(report.clone()))
            }
        }
    }
}

impl fmt::Debug for Accumulate<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Accumulate")
            .field("accumulation", &self.accumulation)
            .field("is_answered", &self.response.is_some())
            .finish_non_exhaustive()
    }
}
