//! What providers say: one file per wire format, which reads a payload into the message.
//!
//! | file | what |
//! |---|---|
//! | `decoder` | bytes in, message grown |
//! | `detect` | whose form a payload has |
//! | `openai_chat`, `openai_responses`, `anthropic`, `gemini` (`gemini_args`), `ollama` | one wire format each |
//! | `loose`, `failure`, `halves` | JSON that may be other than it should; errors as providers write them; half characters |
//! | `message`, `choice`, `tool_call`, `calls` | the message; which call a piece of a call belongs to |
//! | `growing`, `growing_calls` | what may happen to a message, and to its calls |
//!
//! Not read is the binary event stream of Amazon Bedrock: its frames are signed and checked, which is left to the
//! crates of the AWS SDK. What they unpack from its frames is JSON of these formats or Bedrock's own.

mod anthropic;
mod calls;
mod choice;
mod decoder;
mod detect;
mod encoding;
mod error;
mod event;
mod failure;
mod gemini;
mod gemini_args;
mod growing;
mod growing_calls;
mod halves;
mod loose;
mod message;
mod ollama;
mod openai_chat;
mod openai_responses;
mod opening;
mod tool_call;

pub use choice::Choice;
pub use decoder::{MessageDecoder, MessageEvents};
pub use detect::{Provider, UnknownProvider};
pub use error::{MessageError, MessageErrorKind};
pub use event::MessageEvent;
pub use message::Message;
pub use tool_call::ToolCall;
