//! What goes wrong in a stream.

use std::fmt;

/// How much of a text is kept in the error that is about it, in characters.
const KEPT: usize = 4096;

/// What kind of thing went wrong.
///
/// ```
/// use jsonrill::{MessageDecoder, MessageErrorKind};
///
/// let mut decoder = MessageDecoder::new();
/// decoder.push(b"data: {\"error\":{\"code\":\"overloaded\",\"message\":\"try again\"}}\n\n");
/// let error = &decoder.message().errors()[0];
/// assert_eq!((error.kind, error.kind.as_str()), (MessageErrorKind::Provider, "provider"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MessageErrorKind {
    /// The provider reported an error.
    Provider,
    /// A payload is no JSON.
    BadPayload,
    /// A payload is longer than the limit.
    TooLong,
    /// There are more choices and calls than a message keeps. Those beyond are passed over.
    TooMany,
    /// No payload was of a form that is known.
    UnknownProvider,
    /// There was nothing of a message: the stream has another form than was said, or is no model's.
    NoMessage,
    /// The provider said something that contradicts what it had said before, which was kept.
    Contradiction,
    /// The stream ended without its end marker.
    Unended,
    /// The tool call that is asked for was never made: [`Message::missing_call`](crate::Message::missing_call).
    NoCall,
    /// The stream is not UTF-8: U+FFFD stands in the text for what cannot be read. Said once, at the first such byte.
    NotUtf8,
}

impl MessageErrorKind {
    /// Whether text of the answer may be missing because of it.
    pub(crate) const fn loses_text(self) -> bool {
        match self {
            Self::Provider
            | Self::BadPayload
            | Self::TooLong
            | Self::TooMany
            | Self::NoMessage
            | Self::Unended
            | Self::NoCall => true,
            // What was of no form was no answer, or the whole stream is of none, and then has no end either. What is
            // not UTF-8 is in the text, as U+FFFD.
            Self::UnknownProvider | Self::Contradiction | Self::NotUtf8 => false,
        }
    }

    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::BadPayload => "bad_payload",
            Self::TooLong => "too_long",
            Self::TooMany => "too_many",
            Self::UnknownProvider => "unknown_provider",
            Self::NoMessage => "no_message",
            Self::Contradiction => "contradiction",
            Self::Unended => "unended",
            Self::NoCall => "no_call",
            Self::NotUtf8 => "not_utf8",
        }
    }
}

crate::names::named!(MessageErrorKind);

/// Something that went wrong in a stream. It is a value and not the end of anything: all that came before it is kept,
/// and what comes after it is read.
///
/// ```
/// use jsonrill::{MessageDecoder, MessageErrorKind};
///
/// let mut decoder = MessageDecoder::new();
/// decoder.push(b"data: {\"error\":{\"code\":\"overloaded\",\"message\":\"try again\"}}\n\n");
/// let error = &decoder.message().errors()[0];
/// assert_eq!((error.kind, error.code.as_deref()), (MessageErrorKind::Provider, Some("overloaded")));
/// assert_eq!(error.to_string(), "try again (overloaded)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageError {
    /// What kind of thing.
    pub kind: MessageErrorKind,
    /// The provider's code or type for it, where it has one: `502`, `overloaded_error`.
    pub code: Option<String>,
    /// What went wrong, in the provider's words if it is its error.
    pub message: String,
    /// The text that it is about: the provider's error as it wrote it (JSON), or the payload that cannot be read. Its
    /// first 4096 characters.
    pub text: Option<String>,
}

impl MessageError {
    pub(super) fn new(kind: MessageErrorKind, message: impl Into<String>) -> Self {
        Self { kind, code: None, message: message.into(), text: None }
    }

    pub(super) fn about(self, text: impl Into<String>) -> Self {
        let mut text = text.into();
        let end = text.char_indices().nth(KEPT).map_or(text.len(), |(end, _)| end);
        text.truncate(end);
        Self { text: Some(text), ..self }
    }
}

impl fmt::Display for MessageError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.code {
            Some(code) => write!(formatter, " ({code})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for MessageError {}
