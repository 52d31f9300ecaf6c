//! A model that says what it is told to.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;
use serde::{Deserialize, Serialize};

use super::{LanguageModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, StopReason, Usage};

/// One response of a [`ScriptedModel`]. As JSON it is a line of a recording:
/// `{"chunks": ["…", "…"], "stop_reason": "length", "usage": {"input_tokens": 9, "output_tokens": 5}, "error": "…",
/// "error_kind": "timeout"}`, where everything but the chunks may be missing.
///
/// ```
/// use jsonrill::{ModelErrorKind, ScriptedReply, Usage};
///
/// let reply = ScriptedReply::new(["[1, ", "2]"], "stop").usage(Usage::new(12, 5));
/// assert_eq!((reply.chunks.len(), reply.error), (2, None));
/// let late = ScriptedReply::broken(["[1, "], "no answer in 30 s").error_kind(ModelErrorKind::Timeout);
/// assert_eq!((late.error.as_deref(), late.error_kind), (Some("no answer in 30 s"), ModelErrorKind::Timeout));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ScriptedReply {
    /// The text, in the pieces in which it arrives.
    pub chunks: Vec<String>,
    /// Why it ends, where that is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    /// What it cost, where that is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// What goes wrong behind the chunks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Of which kind that is.
    #[serde(default, skip_serializing_if = "is_other")]
    pub error_kind: ModelErrorKind,
}

fn is_other(kind: &ModelErrorKind) -> bool {
    *kind == ModelErrorKind::Other
}

impl ScriptedReply {
    /// A response that gives these chunks, and ends for this reason.
    #[must_use]
    pub fn new(chunks: impl IntoIterator<Item = impl Into<String>>, stop_reason: impl Into<StopReason>) -> Self {
        Self {
            chunks: chunks.into_iter().map(Into::into).collect(),
            stop_reason: Some(stop_reason.into()),
            ..Self::default()
        }
    }

    /// A response that gives these chunks, and then breaks off, for a reason of no particular kind. One without chunks
    /// is a model that could not be asked.
    #[must_use]
    pub fn broken(chunks: impl IntoIterator<Item = impl Into<String>>, error: impl Into<String>) -> Self {
        Self { chunks: chunks.into_iter().map(Into::into).collect(), error: Some(error.into()), ..Self::default() }
    }

    /// The same, with what it cost.
    #[must_use]
    pub const fn usage(mut self, usage: Usage) -> Self {
        self.usage = Some(usage);
        self
    }

    /// The same, with the kind of its error: who reads the response may ask again after one and not after another. It
    /// says nothing where there is no error.
    #[must_use]
    pub const fn error_kind(mut self, kind: ModelErrorKind) -> Self {
        self.error_kind = kind;
        self
    }

    fn events(self) -> impl Iterator<Item = Result<ModelEvent, ModelError>> + Send {
        let text = self.chunks.into_iter().map(ModelEvent::Text);
        let stop = self.stop_reason.map(ModelEvent::Stopped);
        let usage = self.usage.map(ModelEvent::Usage);
        let error = self.error.map(|error| Err(ModelError::of_kind(self.error_kind, error)));
        text.chain(stop).chain(usage).map(Ok).chain(error)
    }
}

/// A model for tests and examples: it gives the responses that it was made of, in their order, whatever it is asked.
/// When all have been given, it gives an error.
///
/// There are no pauses, for this crate knows no timer: who wants some puts them into the stream, as
/// `model.respond(request).then(|event| async { sleep(pause).await; event })`, in a [`LanguageModel`] of his own around
/// it. Nor are there tool calls, for a [`LanguageModel`] gives text. Code that reads them is tested with a provider's
/// stream, recorded or made up, through a [`MessageDecoder`](crate::MessageDecoder).
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::{LanguageModel, ModelEvent, ModelRequest, Purpose, ScriptedModel, ScriptedReply};
///
/// let model = ScriptedModel::new([ScriptedReply::new(["[1, ", "2]"], "stop")]);
/// let request = ModelRequest::new(Purpose::Answer, "Count to two.");
/// let events: Result<Vec<_>, _> = block_on_stream(model.respond(request.clone())).collect();
/// assert_eq!(events?, [
///     ModelEvent::Text("[1, ".into()),
///     ModelEvent::Text("2]".into()),
///     ModelEvent::Stopped("stop".into()),
/// ]);
/// assert_eq!(model.requests(), [request.clone()]); // what it was asked
/// assert!(block_on_stream(model.respond(request)).next().unwrap().is_err()); // it has nothing more to say
/// # Ok::<(), jsonrill::ModelError>(())
/// ```
#[derive(Debug, Default)]
pub struct ScriptedModel(Mutex<Script>);

#[derive(Debug, Default)]
struct Script {
    left: VecDeque<ScriptedReply>,
    requests: Vec<ModelRequest>,
}

impl ScriptedModel {
    /// A model that gives these responses.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = ScriptedReply>) -> Self {
        Self(Mutex::new(Script { left: replies.into_iter().collect(), requests: Vec::new() }))
    }

    /// What it was asked so far.
    #[must_use]
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.with(|script| script.requests.clone())
    }

    /// How many responses were not asked for yet.
    #[must_use]
    pub fn replies_left(&self) -> usize {
        self.with(|script| script.left.len())
    }

    fn with<T>(&self, look: impl FnOnce(&mut Script) -> T) -> T {
        // A thread that died with it has left nothing half done.
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl LanguageModel for ScriptedModel {
    fn respond(&self, request: ModelRequest) -> ModelStream<'_> {
        let reply = self.with(|script| {
            script.requests.push(request);
            script.left.pop_front()
        });
        let reply = reply.unwrap_or_else(|| ScriptedReply::broken([""; 0], "the script has no more responses"));
        Box::pin(Replay(Box::new(reply.events())))
    }
}

/// A response that is there at once.
struct Replay(Box<dyn Iterator<Item = Result<ModelEvent, ModelError>> + Send>);

impl Stream for Replay {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_read_from_lines() {
        let line = r#"{"chunks":["[1, ","2"],"stop_reason":"length","usage":{"input_tokens":7,"output_tokens":3}}"#;
        let reply: ScriptedReply = serde_json::from_str(line).unwrap();
        assert_eq!(reply, ScriptedReply::new(["[1, ", "2"], "length").usage(Usage::new(7, 3)));
        assert_eq!(serde_json::to_string(&reply).unwrap(), line);
        let line = r#"{"chunks":[],"error":"too slow","error_kind":"timeout"}"#;
        let reply: ScriptedReply = serde_json::from_str(line).unwrap();
        assert_eq!(reply, ScriptedReply::broken([""; 0], "too slow").error_kind(ModelErrorKind::Timeout));
        assert_eq!(serde_json::to_string(&reply).unwrap(), line);
        assert!(serde_json::from_str::<ScriptedReply>(r#"{"chunks":[],"delay":1}"#).is_err());
    }

    #[test]
    fn an_error_comes_behind_the_text() {
        let events: Vec<_> = ScriptedReply::broken(["{\"a\""], "lost").events().collect();
        assert_eq!(events.len(), 2);
        assert_eq!(events[0].as_ref().unwrap(), &ModelEvent::Text("{\"a\"".to_owned()));
        assert_eq!(events[1], Err(ModelError::new("lost")));
        let timeout = ScriptedReply::broken([""; 0], "late").error_kind(ModelErrorKind::Timeout);
        assert_eq!(timeout.events().last().unwrap().unwrap_err().kind(), ModelErrorKind::Timeout);
    }
}
