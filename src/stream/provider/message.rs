//! The message that a stream amounts to.

use std::collections::BTreeMap;

use crate::model::{StopReason, Usage};
use crate::parser::{Options, Role};
use crate::view::Snapshot;

use super::Provider;
use super::choice::Choice;
use super::error::{MessageError, MessageErrorKind};
use super::event::MessageEvent;
use super::tool_call::ToolCall;

/// A model's response, as far as it has come. Made by a [`MessageDecoder`](crate::MessageDecoder).
///
/// Most responses have one choice, and what is asked of the message itself is asked of the first.
///
/// ```
/// use jsonrill::{MessageDecoder, Provider};
///
/// let mut decoder = MessageDecoder::new();
/// decoder.push(b"{\"message\":{\"content\":\"[1, 2]\"},\"done\":true,\"done_reason\":\"stop\"}\n");
/// decoder.finish();
/// let message = decoder.into_message();
/// assert_eq!((message.provider(), message.content()), (Some(Provider::Ollama), "[1, 2]"));
/// assert_eq!(message.stop_reason().map(|reason| reason.as_str()), Some("stop"));
/// assert!(message.is_ended() && message.errors().is_empty());
/// ```
#[derive(Debug)]
pub struct Message {
    pub(super) provider: Option<Provider>,
    /// Boxed, for a node of the map has room for eleven, of which most messages have one.
    pub(super) choices: BTreeMap<u64, Box<Choice>>,
    pub(super) usage: Option<Usage>,
    pub(super) errors: Vec<MessageError>,
    pub(super) is_ended: bool,
    /// Choices and calls.
    pub(super) parts: usize,
    /// There were more, and that was said.
    pub(super) has_too_many: bool,
    /// The payload that is read has marks for halves of characters: see [`halves`](super::halves).
    pub(super) has_marks: bool,
    /// How the JSON in the text of choices is read. None if it is not.
    pub(super) content: Option<Options>,
    /// How the arguments of calls are read.
    pub(super) arguments: Options,
    pub(super) events: Vec<MessageEvent>,
    /// The choices, and the calls of choices, that came further since they were last settled.
    pub(super) touched: Vec<(u64, Option<usize>)>,
}

impl Message {
    pub(super) fn new() -> Self {
        Self {
            provider: None,
            choices: BTreeMap::new(),
            usage: None,
            errors: Vec::new(),
            is_ended: false,
            parts: 0,
            has_too_many: false,
            has_marks: false,
            content: Some(Options::new()),
            arguments: Options::new().role(Role::Arguments),
            events: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Whose form the stream has. `None` while that is not clear.
    #[must_use]
    pub fn provider(&self) -> Option<Provider> {
        self.provider
    }

    /// The choices, in the order of their numbers.
    #[must_use]
    pub fn choices(&self) -> impl ExactSizeIterator<Item = &Choice> {
        self.choices.values().map(|choice| &**choice)
    }

    /// The choice with a number.
    #[must_use]
    pub fn choice(&self, index: u64) -> Option<&Choice> {
        self.choices.get(&index).map(|choice| &**choice)
    }

    fn first(&self) -> Option<&Choice> {
        self.choices().next()
    }

    /// The text of the answer.
    #[must_use]
    pub fn content(&self) -> &str {
        self.first().map_or("", Choice::content)
    }

    /// The reasoning that came on a channel of its own.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        self.first().map_or("", Choice::reasoning)
    }

    /// Why the model will not answer, where the provider has a channel for that.
    #[must_use]
    pub fn refusal(&self) -> &str {
        self.first().map_or("", Choice::refusal)
    }

    /// The tool calls, in the order in which they began.
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        self.first().map_or(&[], Choice::tool_calls)
    }

    /// That a tool call of the first choice was never made, where the stream has ended without it: else it would read
    /// as one without arguments, which has `{}`. `call` is its place, from 0. `None` where there is one, of that kind
    /// [`NoCall`](MessageErrorKind::NoCall) otherwise.
    ///
    /// ```
    /// use jsonrill::MessageDecoder;
    ///
    /// let mut decoder = MessageDecoder::new();
    /// decoder.push(b"data: {\"choices\":[{\"delta\":{\"refusal\":\"No.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
    /// decoder.finish();
    /// let error = decoder.message().missing_call(0).unwrap();
    /// assert_eq!(error.to_string(), "there is no tool call 0: the stream has 0 calls");
    /// ```
    #[must_use]
    pub fn missing_call(&self, call: usize) -> Option<MessageError> {
        let count = self.choice(0).map_or(0, |choice| choice.tool_calls().len());
        let s = if count == 1 { "" } else { "s" };
        (call >= count).then(|| {
            let what = format!("there is no tool call {call}: the stream has {count} call{s}");
            MessageError::new(MessageErrorKind::NoCall, what)
        })
    }

    /// Why the model stopped, in the provider's word. `None` while it has not.
    #[must_use]
    pub fn stop_reason(&self) -> Option<&StopReason> {
        self.first().and_then(Choice::stop_reason)
    }

    /// The JSON in the answer's text, as far as it is known. `None` while there is none.
    #[must_use]
    pub fn json(&self) -> Option<&Snapshot> {
        self.first().map(Choice::json).filter(|json| json.is_started())
    }

    /// What the response cost, as far as the provider has said.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// What went wrong, in order: the first 1000 things, and the end of a stream that had none. More of them are events
    /// only.
    #[must_use]
    pub fn errors(&self) -> &[MessageError] {
        &self.errors
    }

    /// Whether the provider has said that this is all. After the end of a stream: whether it was not cut.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }
}
