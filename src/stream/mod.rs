//! Streams as they come over the wire.
//!
//! Bytes flow one way, and every stage is a state machine that does no input or output:
//!
//! | stage | takes | gives |
//! |---|---|---|
//! | `sse`, `ndjson`, `array` | bytes | events, JSON texts |
//! | `payload` | bytes | payloads, whichever of these they come over |
//! | `provider` | payloads | a message that grows |
//!
//! The others drive: they poll a stream, feed what it gives to a state machine, and give what that says.
//!
//! | driver | of | gives |
//! |---|---|---|
//! | `adapter` | bytes or text | updates |
//! | `decode` | bytes | what one of the stages above gives |
//! | `content` | bytes | the text of a provider's answer |
//! | `fields` | bytes or text | single fields, to any number of subscribers |

mod adapter;
mod array;
mod content;
mod cutter;
mod decode;
mod fields;
mod json_text;
mod limit;
mod ndjson;
mod payload;
mod piece;
mod provider;
mod sse;
mod text;

pub use adapter::{JsonStream, ParseJsonExt};
pub use array::JsonArrayDecoder;
pub use content::{ContentPiece, ContentStream, SharedMessage};
pub use cutter::JsonTexts;
pub use decode::{Decode, DecodeError, DecodedStream};
pub use fields::{
    AllFinal, FieldError, FieldItems, FieldText, FieldTexts, FieldValue, FieldValues, Fields, FieldsFinished,
    FoundText, FoundValue,
};
pub use limit::{MAX_EVENT_BYTES, TooLong};
pub use ndjson::NdjsonDecoder;
pub use payload::{Payload, PayloadDecoder, Payloads, Unended, Wire};
pub use piece::{ChunkStream, Piece};
pub use provider::{
    Choice, Message, MessageDecoder, MessageError, MessageErrorKind, MessageEvent, MessageEvents, Provider, ToolCall,
    UnknownProvider,
};
pub use sse::{SseDecoder, SseEvent, SseEvents};
