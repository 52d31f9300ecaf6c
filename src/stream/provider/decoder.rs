//! Bytes in, message grown.

use serde::Deserialize;

use crate::parser::Options;
use crate::stream::payload::{Payload, PayloadDecoder, parse};

use super::Provider;
use super::anthropic::Blocks;
use super::encoding::Encoding;
use super::error::{MessageError, MessageErrorKind};
use super::event::MessageEvent;
use super::failure::Failure;
use super::gemini::{self, OpenCalls};
use super::halves::mark;
use super::loose::{Object, Raw, Text};
use super::message::Message;
use super::openai_responses::Items;
use super::opening::Opening;
use super::{ollama, openai_chat};

/// Decodes a provider's stream into a [`Message`] that grows, from bytes that arrive in chunks cut anywhere.
///
/// What the payloads come over (server-sent events, lines, an array) and, unless it is named, whose form they have are
/// seen from the stream itself.
///
/// ```
/// use jsonrill::{MessageDecoder, MessageEvent};
///
/// let mut decoder = MessageDecoder::new();
/// let events: Vec<_> = decoder
///     .push(br#"data: {"choices":[{"index":0,"delta":{"content":"{\"city\": \"Os"}}]}
///
/// "#)
///     .collect();
/// assert_eq!(events, [MessageEvent::Content { choice: 0, text: "{\"city\": \"Os".into() }]);
/// assert_eq!(decoder.message().json().unwrap().at("/city"), "Os");
///
/// decoder.push(br#"data: {"choices":[{"index":0,"delta":{"content":"lo\"}"},"finish_reason":"stop"}]}
///
/// data: [DONE]
///
/// "#);
/// decoder.finish();
/// let message = decoder.message();
/// assert_eq!(message.content(), r#"{"city": "Oslo"}"#);
/// assert_eq!(message.stop_reason().unwrap().as_str(), "stop");
/// assert!(message.choice(0).unwrap().is_json_complete() && message.errors().is_empty());
/// ```
///
/// Tool calls are handed over when their arguments are final.
///
/// ```
/// use jsonrill::{MessageDecoder, MessageEvent, Provider};
///
/// let mut decoder = MessageDecoder::for_provider(Provider::Ollama);
/// let line = br#"{"message":{"tool_calls":[{"function":{"name":"weather","arguments":{"city":"Oslo"}}}]},"done":false}"#;
/// for event in decoder.push(line).collect::<Vec<_>>() {
///     if let MessageEvent::CallFinal { choice, call } = event {
///         let call = &decoder.message().choice(choice).unwrap().tool_calls()[call];
///         assert_eq!((call.name(), call.arguments().unwrap().at("/city").as_str()), ("weather", Some("Oslo")));
///     }
/// }
/// ```
///
/// Nothing stops it: an error of the provider, a payload that is no JSON, an end without an end marker are values among
/// the others ([`MessageEvent::Error`]), and all that came before them is kept.
///
/// # Complexity
///
/// O(bytes), however they are cut. The message holds its text, and the JSON in it, once each; beside that one payload
/// is held, which is bounded ([`PayloadDecoder::with_limit`]).
#[derive(Debug)]
pub struct MessageDecoder {
    payloads: PayloadDecoder,
    reader: Reader,
    opening: Opening,
    encoding: Encoding,
    is_finished: bool,
}

/// Reads payloads into the message.
#[derive(Debug)]
struct Reader {
    message: Message,
    /// What is known of an Anthropic stream, of OpenAI's responses, and of a Gemini stream, beside the message.
    blocks: Blocks,
    items: Items,
    open_calls: OpenCalls,
}

impl Default for MessageDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl MessageDecoder {
    /// A decoder that sees from the first payload whose form it is: see [`Provider::detect`].
    #[must_use]
    pub fn new() -> Self {
        Self {
            payloads: PayloadDecoder::new(),
            reader: Reader {
                message: Message::new(),
                blocks: Blocks::default(),
                items: Items::default(),
                open_calls: OpenCalls::default(),
            },
            opening: Opening::default(),
            encoding: Encoding::default(),
            is_finished: false,
        }
    }

    /// A decoder for this provider.
    #[must_use]
    pub fn for_provider(provider: Provider) -> Self {
        let mut decoder = Self::new();
        decoder.reader.message.set_provider(provider);
        decoder
    }

    /// The same, which reads the JSON in the text of choices with these options. They are the default ones otherwise.
    #[must_use]
    pub fn content_options(mut self, options: Options) -> Self {
        self.reader.message.read_content(options);
        self
    }

    /// The same, which reads the arguments of tool calls with these options: dialect, limits, what is done with a second
    /// member of one name. They are the default ones otherwise.
    ///
    /// What arguments are stays: their role is [`Role::Arguments`](crate::Role::Arguments), and they have one root. So two
    /// members of one name that differ make them malformed, unless [`Duplicates::Last`](crate::Duplicates::Last) is asked
    /// for. Of the free text of a custom tool only the limits count.
    ///
    /// ```
    /// use jsonrill::{Duplicates, MessageDecoder, Options, Outcome, Provider};
    ///
    /// let line = br#"{"message":{"tool_calls":[{"function":{"name":"pay","arguments":{"sum":1,"sum":2}}}]},"done":true}"#;
    /// let pay = |decoder: MessageDecoder| {
    ///     let mut decoder = decoder;
    ///     decoder.push(line);
    ///     decoder.finish();
    ///     let call = &decoder.message().tool_calls()[0];
    ///     (call.outcome().unwrap(), call.arguments().map(|arguments| arguments.to_string()))
    /// };
    /// let decoder = || MessageDecoder::for_provider(Provider::Ollama);
    /// assert_eq!(pay(decoder()), (Outcome::Malformed, None));
    /// let last = decoder().arguments_options(Options::new().duplicates(Duplicates::Last));
    /// assert_eq!(pay(last), (Outcome::Complete, Some(r#"{"sum":2}"#.into())));
    /// ```
    #[must_use]
    pub fn arguments_options(mut self, options: Options) -> Self {
        self.reader.message.read_arguments(options);
        self
    }

    /// Leaves the JSON in the text of choices to whoever reads that.
    pub(crate) fn leave_json(&mut self) {
        self.reader.message.leave_json();
    }

    /// The same over this decoder of payloads, which knows what they come over or has a limit of its own. Otherwise it
    /// is [`PayloadDecoder::new`].
    #[must_use]
    pub fn payloads(self, payloads: PayloadDecoder) -> Self {
        Self { payloads, ..self }
    }

    /// Takes a chunk, and says what it added to the message. The message has it whether or not that is looked at.
    ///
    /// # Errors
    ///
    /// There are none: what goes wrong is a [`MessageEvent::Error`]. After [`MessageDecoder::finish`] a chunk changes
    /// nothing.
    pub fn push<'d>(&'d mut self, chunk: &[u8]) -> MessageEvents<'d> {
        if !self.is_finished {
            self.opening.take(chunk);
            let mut rest = chunk;
            if let Some(bad) = self.encoding.take(chunk) {
                // Between what comes before it and what comes behind, however the stream is cut.
                let (before, behind) = chunk.split_at_checked(bad.before).unwrap_or((chunk, &[]));
                self.read(before);
                let what =
                    format!("the stream is not UTF-8 at byte {}: U+FFFD stands for what cannot be read", bad.offset);
                self.reader.message.add_error(MessageError::new(MessageErrorKind::NotUtf8, what));
                rest = behind;
            }
            self.read(rest);
            self.reader.message.settle();
        }
        MessageEvents(self.reader.message.events.drain(..))
    }

    fn read(&mut self, chunk: &[u8]) {
        for payload in self.payloads.push(chunk) {
            match payload {
                Ok(payload) => {
                    self.opening.take_payload(&payload.data);
                    self.reader.read(&payload);
                }
                Err(error) => {
                    self.reader.message.add_error(MessageError::new(MessageErrorKind::TooLong, error.to_string()));
                }
            }
        }
    }

    /// Says that the stream has ended, and what that added to the message. Text that was held is settled, calls have
    /// ended; a stream without an end marker is an error.
    pub fn finish(&mut self) -> MessageEvents<'_> {
        if !std::mem::replace(&mut self.is_finished, true) {
            match self.payloads.finish() {
                Ok(payloads) => payloads.iter().for_each(|payload| {
                    self.opening.take_payload(&payload.data);
                    self.reader.read(payload);
                }),
                Err(unended) => self.reader.message.break_off(&unended),
            }
            self.reader.finish(&self.opening);
        }
        MessageEvents(self.reader.message.events.drain(..))
    }

    /// The message as far as it has come.
    #[must_use]
    pub fn message(&self) -> &Message {
        &self.reader.message
    }

    /// The message as far as it has come, for good.
    #[must_use]
    pub fn into_message(self) -> Message {
        self.reader.message
    }
}

/// What a chunk added to a message. Made by [`MessageDecoder::push`] and [`MessageDecoder::finish`]. The message has it
/// all, also where this is dropped.
///
/// ```
/// use jsonrill::MessageDecoder;
///
/// let mut decoder = MessageDecoder::new();
/// let response = b"{\"message\":{\"content\":\"a\"},\"done\":false}\n{\"message\":{\"content\":\"b\"},\"done\":false}\n";
/// assert_eq!(decoder.push(response).len(), 2);
/// assert_eq!(decoder.message().content(), "ab");
/// ```
#[derive(Debug)]
pub struct MessageEvents<'d>(std::vec::Drain<'d, MessageEvent>);

impl Iterator for MessageEvents<'_> {
    type Item = MessageEvent;

    fn next(&mut self) -> Option<MessageEvent> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for MessageEvents<'_> {}

impl Reader {
    fn read(&mut self, payload: &Payload<'_>) {
        if payload.is_done() {
            self.message.end();
            return;
        }
        let data = payload.data.trim();
        if data.is_empty() {
            return;
        }
        // What an event is called that has no name says nothing.
        let name = payload.event.as_deref().filter(|name| *name != "message").unwrap_or_default();
        let marked = mark(data);
        self.message.has_marks = marked.is_some();
        let json = marked.as_deref().unwrap_or(data);
        if self.read_json(json, name).is_ok() {
            return;
        }
        // `serde_json` refuses control characters, which our parser reads, and says less of what is wrong.
        let error = match parse(json) {
            Ok(json) if self.read_json(&json.to_string(), name).is_ok() => return,
            Ok(_) => "a payload has a name twice".to_owned(),
            Err(incomplete) => format!("a payload is no JSON: {incomplete}"),
        };
        self.message.add_error(MessageError::new(MessageErrorKind::BadPayload, error).about(data));
    }

    /// Reads a payload, which may be of the type that its event has as its name.
    fn read_json(&mut self, json: &str, name: &str) -> serde_json::Result<()> {
        if name == "error" && is_bare_error(json)? {
            self.message.add_error(Failure::is(json).into_error());
            return Ok(());
        }
        let message = &mut self.message;
        let Some(provider) = message.provider().or_else(|| Provider::detect_named(json, name)) else {
            return self.read_unknown(json);
        };
        message.set_provider(provider);
        match provider {
            Provider::OpenAiChat => openai_chat::read(json, message),
            Provider::OpenAiResponses => self.items.read(json, name, message),
            Provider::Anthropic => self.blocks.read(json, name, message),
            Provider::Gemini => gemini::read(json, &mut self.open_calls, message),
            Provider::Ollama => ollama::read(json, message),
        }
    }

    /// A payload before it is known whose form it has: an error, a sign of life, or of no use.
    fn read_unknown(&mut self, json: &str) -> serde_json::Result<()> {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Any<'a> {
            #[serde(borrow)]
            error: Raw<'a>,
            #[serde(borrow, rename = "type")]
            kind: Text<'a>,
            #[serde(borrow)]
            object: Text<'a>,
        }

        let any = serde_json::from_str::<Object<Any>>(json)?.0.unwrap_or_default();
        if let Some(failure) = Failure::of(any.error) {
            self.message.add_error(failure.into_error());
        } else if &*any.object == "error" {
            self.message.add_error(Failure::is(json).into_error());
        } else if &*any.kind != "ping" {
            let what = "a payload is of no form that is known";
            self.message.add_error(MessageError::new(MessageErrorKind::UnknownProvider, what).about(json));
        }
        Ok(())
    }

    /// The stream has ended.
    fn finish(&mut self, opening: &Opening) {
        if self.message.has_nothing()
            && let Some(mistake) = opening.mistake(self.message.provider())
        {
            self.message.add_error(mistake);
        }
        // Gemini has no end marker, and not all who speak OpenAI's form send theirs: a stop reason does as well.
        let has_unmarked_end = matches!(self.message.provider(), Some(Provider::Gemini | Provider::OpenAiChat));
        if has_unmarked_end && self.message.has_stopped() {
            self.message.end();
        }
        self.message.settle();
        self.message.finish();
    }
}

/// Whether the payload of an event that is called an error is that error itself, and has none in it.
fn is_bare_error(json: &str) -> serde_json::Result<bool> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Any<'a> {
        #[serde(borrow)]
        error: Raw<'a>,
    }

    let any = serde_json::from_str::<Object<Any>>(json)?.0;
    Ok(any.is_none_or(|any| any.error.json().is_none()))
}
