//! Asks a model: a thin driver around [`AssistedRepair`].

use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Duration;

use super::cache::RepairCache;
use super::options::AssistedOptions;
use super::report::AssistedReport;
use super::{AssistedRepair, AssistedStep};
use crate::model::{LanguageModel, ModelError, ModelErrorKind, ModelEvent, ModelStream, StopReason, Usage};

/// How many parts of a response are taken in at a time. Then the timer and the executor have their turn: a model may be
/// ready with more for ever.
const EVENTS: usize = 128;

/// Repairs a text: by the rules, and where they are not enough with the help of a model. See [`AssistedRepair`] for
/// when it is asked, what, and how far it is trusted.
///
/// It needs no runtime, so it is told how to wait: `sleep` makes a future that is ready after that time, such as
/// `tokio::time::sleep`. Dropping the future drops the response. With a [`RepairCache`] the model is not asked what it
/// has answered before.
///
/// ```
/// use std::time::Duration;
///
/// use jsonrill::{AssistedOptions, RepairSource, ScriptedModel, ScriptedReply, repair_assisted};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let model = ScriptedModel::new([
///     ScriptedReply::new(["Here you are: {\"a\": [1, 2"], "length"), // cut
///     ScriptedReply::new(["{\"a\": [1, 2], ", "\"b\": 3}"], "stop"),
/// ]);
/// let text = "{\"a\": [1, 2, \"b\": 3}";
/// let report = repair_assisted(&model, text, AssistedOptions::new(), None, tokio::time::sleep).await;
/// assert_eq!(report.source(), RepairSource::Model);
/// assert_eq!(report.text(), "{\"a\": [1, 2], \"b\": 3}");
///
/// let [first, _] = report.attempts() else { unreachable!() };
/// assert_eq!(first.error.as_ref().unwrap().to_string(), "the answer was cut off");
///
/// // What the rules mend for certain is not asked for.
/// let report = repair_assisted(&model, "{a: [1, 2,]}", AssistedOptions::new(), None, tokio::time::sleep).await;
/// assert_eq!((report.source(), report.text()), (RepairSource::Rules, "{\"a\": [1, 2]}"));
/// # }
/// ```
///
/// # Errors
///
/// There are none: what the rules made is always there. [`AssistedReport::error`] says why there is no more.
pub async fn repair_assisted<S: Future<Output = ()>>(
    model: &dyn LanguageModel,
    text: impl Into<String>,
    options: AssistedOptions,
    cache: Option<&RepairCache>,
    sleep: impl Fn(Duration) -> S,
) -> AssistedReport {
    let mut repair = AssistedRepair::new(text, options);
    if cache.is_some_and(|cache| repair.look_up(cache)) {
        return repair.into_report();
    }
    while let AssistedStep::Ask { request, timeout } = repair.next_step() {
        let mut response =
            Response { stream: model.respond(request.clone()), stop_reason: StopReason::unknown(), usage: None };
        let mut timer = pin!(sleep(timeout));
        poll_fn(|context| {
            if response.poll(&mut repair, context).is_ready() {
                return Poll::Ready(());
            }
            if timer.as_mut().poll(context).is_ready() {
                let message = format!("no answer within {timeout:?}");
                repair.fail(ModelError::of_kind(ModelErrorKind::Timeout, message));
                return Poll::Ready(());
            }
            Poll::Pending
        })
        .await;
    }
    if let Some(cache) = cache {
        repair.store(cache);
    }
    repair.into_report()
}

/// A response that is arriving.
struct Response<'m> {
    stream: ModelStream<'m>,
    stop_reason: StopReason,
    usage: Option<Usage>,
}

impl Response<'_> {
    /// Reads on, to the end of the response.
    fn poll(&mut self, repair: &mut AssistedRepair, context: &mut Context<'_>) -> Poll<()> {
        for _ in 0..EVENTS {
            let event = if repair.has_enough() { Poll::Ready(None) } else { self.stream.as_mut().poll_next(context) };
            match event {
                Poll::Ready(Some(Ok(ModelEvent::Text(text)))) => repair.text(text),
                Poll::Ready(Some(Ok(ModelEvent::Stopped(reason)))) => self.stop_reason = reason,
                Poll::Ready(Some(Ok(ModelEvent::Usage(usage)))) => self.usage = Some(usage),
                Poll::Ready(Some(Err(error))) => {
                    repair.fail(error);
                    return Poll::Ready(());
                }
                Poll::Ready(None) => {
                    repair.end(std::mem::take(&mut self.stop_reason), self.usage);
                    return Poll::Ready(());
                }
                Poll::Pending => return Poll::Pending,
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
