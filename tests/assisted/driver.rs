//! The driver: time, failures, dropped futures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures::StreamExt;
use futures::stream;
use jsonrill::{
    AssistedOptions, AssistedReport, LanguageModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelStream,
    Purpose, RepairCache, RepairSource, ScriptedModel, ScriptedReply, Usage, repair_assisted,
};
use tokio::time::{Instant, sleep};

use crate::script::code;

const TEXT: &str = r#"{"tags": ["a", "b", "done": true}"#;
const MENDED: &str = r#"{"tags": ["a", "b"], "done": true}"#;

async fn repaired(model: &dyn LanguageModel, options: AssistedOptions) -> AssistedReport {
    repair_assisted(model, TEXT, options, None, sleep).await
}

/// Says a part of the answer, and the rest after some time.
struct Slow {
    pauses: Vec<Duration>,
    asked: AtomicUsize,
}

impl Slow {
    fn new(pauses: impl IntoIterator<Item = u64>) -> Self {
        Self { pauses: pauses.into_iter().map(Duration::from_secs).collect(), asked: AtomicUsize::new(0) }
    }
}

impl LanguageModel for Slow {
    fn respond(&self, _: ModelRequest) -> ModelStream<'_> {
        let pause = self.pauses[self.asked.fetch_add(1, Ordering::Relaxed)];
        let (first, rest) = MENDED.split_at(10);
        let first = stream::iter([Ok(ModelEvent::Text(first.to_owned()))]);
        let rest = stream::once(async move {
            sleep(pause).await;
            Ok(ModelEvent::Text(rest.to_owned()))
        });
        Box::pin(first.chain(rest))
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_model_is_given_up_and_asked_again() {
    let start = Instant::now();
    let model = Slow::new([31, 29]);
    let report = repaired(&model, AssistedOptions::new()).await;
    assert_eq!((report.source(), report.text()), (RepairSource::Model, MENDED));
    assert_eq!(start.elapsed().as_secs(), 30 + 29);
    let [first, _] = report.attempts() else { panic!() };
    // What has come is kept.
    assert_eq!((&*first.output, first.bytes), (&MENDED[..10], 10));
    assert_eq!(first.error.as_ref().unwrap().code(), "timeout");
    assert_eq!(first.error.as_ref().unwrap().to_string(), "no answer within 30s");

    let report = repaired(&Slow::new([3, 3]), AssistedOptions::new().timeout(Duration::from_secs(2))).await;
    assert_eq!((code(&report), report.attempts().len()), ("timeout", 2));
    assert_eq!(report.text(), jsonrill::repair(TEXT).text());
}

#[tokio::test(start_paused = true)]
async fn a_model_that_never_pauses_is_given_up_as_well() {
    struct Endless;
    impl LanguageModel for Endless {
        fn respond(&self, _: ModelRequest) -> ModelStream<'_> {
            Box::pin(stream::iter(std::iter::repeat_with(|| Ok(ModelEvent::Usage(Usage::new(1, 1))))))
        }
    }
    // A timer that is over after some polls: the clock stands still while somebody is busy.
    let polls = Arc::new(AtomicUsize::new(0));
    let timer = |_| {
        let polls = polls.clone();
        std::future::poll_fn(move |_| match polls.fetch_add(1, Ordering::Relaxed) {
            10.. => std::task::Poll::Ready(()),
            _ => std::task::Poll::Pending,
        })
    };
    let options = AssistedOptions::new().attempts(1);
    let report = repair_assisted(&Endless, TEXT, options, None, timer).await;
    assert_eq!(code(&report), "timeout");
}

#[tokio::test(start_paused = true)]
async fn an_endless_answer_is_dropped() {
    struct Endless(Arc<AtomicUsize>);
    impl LanguageModel for Endless {
        fn respond(&self, _: ModelRequest) -> ModelStream<'_> {
            Box::pin(stream::iter(std::iter::repeat_with(|| {
                self.0.fetch_add(1, Ordering::Relaxed);
                Ok(ModelEvent::Text("[[".repeat(500)))
            })))
        }
    }
    let chunks = Arc::new(AtomicUsize::new(0));
    let report = repaired(&Endless(chunks.clone()), AssistedOptions::new()).await;
    assert_eq!((code(&report), report.attempts().len()), ("too_long", 2));
    assert!(chunks.load(Ordering::Relaxed) < 150);
}

#[tokio::test]
async fn failures_good_answers_and_what_it_costs() {
    let model = ScriptedModel::new([
        ScriptedReply::broken(["{\"tags\""], "overloaded"),
        ScriptedReply::new([MENDED, "\n"], "stop").usage(Usage::new(100, 20)),
        ScriptedReply::new(["never asked for"], "stop"),
    ]);
    let report = repaired(&model, AssistedOptions::new()).await;
    assert_eq!((report.source(), report.text(), code(&report)), (RepairSource::Model, MENDED, ""));
    assert_eq!((report.usage(), model.replies_left()), (Usage::new(100, 20), 1));
    assert_eq!(report.attempts()[1].stop_reason.as_str(), "stop");
    assert!(model.requests().iter().all(|request| request.purpose == Purpose::Repair));

    // No script at all.
    let report = repaired(&ScriptedModel::new([]), AssistedOptions::new()).await;
    assert_eq!((code(&report), report.attempts().len()), ("model_failed", 2));
}

#[tokio::test]
async fn a_model_that_is_not_set_up_is_asked_once() {
    struct NoKey;
    impl LanguageModel for NoKey {
        fn respond(&self, _: ModelRequest) -> ModelStream<'_> {
            let error = ModelError::of_kind(ModelErrorKind::Setup, "there is no key");
            Box::pin(stream::iter([Err(error)]))
        }
    }
    let report = repaired(&NoKey, AssistedOptions::new().attempts(5)).await;
    assert_eq!((report.attempts().len(), report.error().unwrap().to_string().as_str()), (1, "there is no key"));
    assert_eq!(report.text(), jsonrill::repair(TEXT).text());
}

#[tokio::test]
async fn the_model_is_not_asked_for_nothing() {
    let model = ScriptedModel::new([]);
    let cache = RepairCache::new();
    let report = repair_assisted(&model, "{a: 1,}", AssistedOptions::new(), Some(&cache), sleep).await;
    assert_eq!((report.text(), report.source()), ("{\"a\": 1}", RepairSource::Rules));
    assert!(model.requests().is_empty() && cache.is_empty());
}

#[tokio::test]
async fn the_cache_spares_a_request() {
    let model = ScriptedModel::new([ScriptedReply::new([MENDED], "stop")]);
    let cache = RepairCache::new();
    for source in [RepairSource::Model, RepairSource::Cache, RepairSource::Cache] {
        let report = repair_assisted(&model, TEXT, AssistedOptions::new(), Some(&cache), sleep).await;
        assert_eq!((report.source(), report.text()), (source, MENDED));
    }
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn dropping_the_future_drops_the_response() {
    struct Watched(Arc<AtomicBool>);
    struct Guard(Arc<AtomicBool>);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    impl LanguageModel for Watched {
        fn respond(&self, _: ModelRequest) -> ModelStream<'_> {
            let guard = Guard(self.0.clone());
            Box::pin(stream::pending().map(move |event: Result<ModelEvent, ModelError>| {
                let _ = &guard;
                event
            }))
        }
    }
    let dropped = Arc::new(AtomicBool::new(false));
    let model = Watched(dropped.clone());
    let repair = repair_assisted(&model, TEXT, AssistedOptions::new(), None, sleep);
    assert!(tokio::time::timeout(Duration::from_secs(1), repair).await.is_err());
    assert!(dropped.load(Ordering::Relaxed));
}

#[test]
fn it_can_be_sent_to_another_thread() {
    fn is_send<T: Send>(_: &T) {}
    let model = ScriptedModel::new([]);
    is_send(&repair_assisted(&model, TEXT, AssistedOptions::new(), None, sleep));
    let cache = Arc::new(RepairCache::new());
    is_send(&cache);
}
