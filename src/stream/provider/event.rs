//! What a stream adds to its message.

use crate::model::{StopReason, Usage};
use crate::parser::Outcome;

use super::error::MessageError;

/// What a payload added to the message. The events of a stream, in order, are all that the message is made of.
///
/// ```
/// use jsonrill::{MessageDecoder, MessageEvent};
///
/// let mut decoder = MessageDecoder::new();
/// let mut shown = String::new();
/// for event in decoder.push(b"{\"message\":{\"content\":\"Hel\"},\"done\":false}\n{\"message\":{\"content\":\"lo\"},\"done\":false}\n") {
///     match event {
///         MessageEvent::Content { text, .. } => shown.push_str(&text),
///         MessageEvent::Error(error) => eprintln!("{error}"),
///         _ => {}
///     }
/// }
/// assert_eq!(shown, "Hello");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MessageEvent {
    /// More of the answer's text.
    Content {
        /// The number of the choice, as the provider counts.
        choice: u64,
        /// The text.
        text: String,
    },
    /// More of the reasoning.
    Reasoning {
        /// The number of the choice, as the provider counts.
        choice: u64,
        /// The text.
        text: String,
    },
    /// More of a refusal.
    Refusal {
        /// The number of the choice, as the provider counts.
        choice: u64,
        /// The text.
        text: String,
    },
    /// A tool call has begun. Its id and name may still come.
    CallStarted {
        /// The number of the choice, as the provider counts.
        choice: u64,
        /// Its place in [`Choice::tool_calls`](crate::Choice::tool_calls).
        call: usize,
    },
    /// More of a call's arguments.
    CallArguments {
        /// The number of the choice, as the provider counts.
        choice: u64,
        /// The call's place in [`Choice::tool_calls`](crate::Choice::tool_calls).
        call: usize,
        /// The text.
        text: String,
    },
    /// A call's arguments are final: [`ToolCall::arguments`](crate::ToolCall::arguments) hands them over. It comes with
    /// their last bracket, before the call has ended, and not at all for a call whose arguments never are.
    CallFinal {
        /// The number of the choice, as the provider counts.
        choice: u64,
        /// The call's place in [`Choice::tool_calls`](crate::Choice::tool_calls).
        call: usize,
    },
    /// A call has ended: no more of its arguments comes. Each call that started has one such event, when the provider
    /// says that the call or the response ends, else with [`MessageDecoder::finish`](crate::MessageDecoder::finish).
    CallEnded {
        /// The number of the choice, as the provider counts.
        choice: u64,
        /// The call's place in [`Choice::tool_calls`](crate::Choice::tool_calls).
        call: usize,
        /// What the arguments amount to: [`ToolCall::outcome`](crate::ToolCall::outcome).
        outcome: Outcome,
    },
    /// A choice has stopped.
    Stopped {
        /// The number of the choice, as the provider counts.
        choice: u64,
        /// Why.
        reason: StopReason,
    },
    /// What the response cost so far.
    Usage(Usage),
    /// Something went wrong. What came before is kept.
    Error(MessageError),
}
