//! The text of an answer, out of a provider's stream.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};

use crate::model::StopReason;
use crate::parser::{Chunk, End};

use super::decode::{DecodeError, DecodedStream};
use super::piece::Piece;
use super::provider::{Message, MessageDecoder, MessageEvent};

impl<S> DecodedStream<S, MessageDecoder> {
    /// The text of the answer: what [`Fields`](crate::Fields) can be made of, and
    /// [`parse_json`](crate::ParseJsonExt::parse_json) reads. They end it as the provider's stop reason says.
    ///
    /// It is the content of choice 0, which is the only one unless more were asked for; for others, filter the events.
    /// What may have left a gap in it is an error: an error of the provider, a payload that cannot be read, an end
    /// without an end marker. What cannot have is not, and is in [`Message::errors`](crate::Message::errors) alone, as
    /// all that goes wrong.
    ///
    /// ```
    /// use futures::executor::block_on;
    /// use jsonrill::{Fields, MessageDecoder, ParseJsonExt};
    ///
    /// let response = futures::stream::iter([
    ///     "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"spam\\\": tr\"}}]}\n\nda",
    ///     "ta: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ue, \\\"why\\\": \"}}]}\n\n",
    /// ]);
    /// let fields = Fields::new(response.decode(MessageDecoder::new()).content());
    /// assert!(block_on(fields.value::<bool>("/spam"))?);
    /// # Ok::<(), jsonrill::FieldError>(())
    /// ```
    ///
    /// All else that the provider says is in the [message](ContentStream::message), which outlives the stream. The JSON
    /// in the content is not: the one who reads this stream reads it, and once is enough.
    ///
    /// ```
    /// # use futures::executor::block_on;
    /// # use jsonrill::{FieldError, Fields, MessageDecoder, ParseJsonExt};
    /// # let response = futures::stream::iter([
    /// #     "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"spam\\\": tr\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n",
    /// # ]);
    /// let content = response.decode(MessageDecoder::new()).content();
    /// let message = content.message();
    /// let fields = Fields::new(content);
    /// if let Err(FieldError::Cut { .. }) = block_on(fields.value::<bool>("/spam")) {
    ///     message.read(|message| {
    ///         assert_eq!(message.stop_reason().unwrap().as_str(), "length");
    ///         assert!(message.tool_calls().is_empty() && message.refusal().is_empty());
    ///     });
    /// }
    /// ```
    pub fn content(self) -> ContentStream<S> {
        let events = self.with(SharedMessage::new);
        ContentStream { events, call: None, has_ended: false }
    }

    /// The text of a tool call's arguments: of the first with 0, as
    /// [`Choice::tool_calls`](crate::Choice::tool_calls) counts. Read it with [`Role::Arguments`](crate::Role), which
    /// takes a call without arguments for one with `{}`. A call that was never made is an error of the stream's end
    /// ([`MessageErrorKind::NoCall`](crate::MessageErrorKind::NoCall)).
    ///
    /// Act on what is final, field by field. Whether all of it is, [`ToolCall::is_final`](crate::ToolCall::is_final)
    /// says, or [`Fields::finished`](crate::Fields::finished). As for [`content`](Self::content), what may have left a
    /// gap is an error, and all else is in the [message](ContentStream::message).
    ///
    /// ```
    /// use futures::executor::block_on;
    /// use jsonrill::{Fields, MessageDecoder, Options, ParseJsonExt, Parser, Role};
    ///
    /// let response = futures::stream::iter([
    ///     "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{",
    ///     "\"name\":\"book\",\"arguments\":\"{\\\"seats\\\": 2, \\\"row\\\": \"}}]}}]}\n\n",
    /// ]);
    /// let arguments = response.decode(MessageDecoder::new()).arguments(0);
    /// let message = arguments.message();
    /// let fields = Fields::with_parser(arguments, Parser::with_options(Options::new().role(Role::Arguments)));
    /// assert_eq!(block_on(fields.value::<u8>("/seats"))?, 2); // though the call is not whole yet
    /// message.read(|message| assert_eq!((message.tool_calls()[0].name(), message.tool_calls()[0].is_final()), ("book", false)));
    /// # Ok::<(), jsonrill::FieldError>(())
    /// ```
    pub fn arguments(self, call: usize) -> ContentStream<S> {
        let events = self.with(SharedMessage::new);
        ContentStream { events, call: Some(call), has_ended: false }
    }
}

/// A piece of an answer's text, or of a tool call's arguments. Made by [`ContentStream`].
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::{MessageDecoder, ParseJsonExt};
///
/// let response = ["{\"message\":{\"content\":\"[1]\"},\"done\":false}\n", "{\"done\":true,\"done_reason\":\"stop\"}\n"];
/// let content = futures::stream::iter(response).decode(MessageDecoder::new()).content();
/// let pieces: Vec<_> = block_on_stream(content).collect::<Result<_, _>>()?;
/// assert_eq!(pieces[0].text, "[1]");
/// assert_eq!(pieces[1].stop_reason.as_ref().map(|reason| reason.as_str()), Some("stop"));
/// # Ok::<(), jsonrill::DecodeError<std::convert::Infallible>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContentPiece {
    /// The text: in the piece that has the stop reason there is none.
    pub text: String,
    /// Why the answer stops here.
    pub stop_reason: Option<StopReason>,
}

impl Chunk for ContentPiece {
    fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    fn text(&self) -> Option<&str> {
        Some(&self.text)
    }

    fn end(&self) -> Option<End> {
        self.stop_reason.as_ref().map(StopReason::end)
    }
}

/// The text of an answer, or of a tool call's arguments, as it comes. Made by [`DecodedStream::content`] and
/// [`DecodedStream::arguments`].
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::{MessageDecoder, ParseJsonExt};
///
/// let response = ["{\"message\":{\"content\":\"[1, \"},\"done\":false}\n", "{\"message\":{\"content\":\"2]\"},\"done\":true}\n"];
/// let content = futures::stream::iter(response).decode(MessageDecoder::new()).content();
/// let updates: Vec<_> = block_on_stream(content.parse_json()).collect::<Result<_, _>>()?;
/// assert_eq!(updates.last().unwrap().snapshot().to_string(), "[1,2]");
/// # Ok::<(), jsonrill::DecodeError<std::convert::Infallible>>(())
/// ```
#[derive(Debug)]
#[must_use = "streams do nothing unless they are read"]
pub struct ContentStream<S> {
    events: DecodedStream<S, SharedMessage>,
    /// Of this call the arguments, else the content.
    call: Option<usize>,
    /// Nothing more comes.
    has_ended: bool,
}

impl<S> ContentStream<S> {
    /// The message that the text is of: stop reason, tool calls, usage, refusal, errors. It can be looked at while the
    /// stream is read elsewhere, and when that has ended.
    #[must_use]
    pub fn message(&self) -> SharedMessage {
        self.events.decoder().clone()
    }
}

impl<S: Stream<Item: Piece>> Stream for ContentStream<S> {
    type Item = Result<ContentPiece, DecodeError<<S::Item as Piece>::Error>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { events, call: wanted, has_ended } = self.get_mut();
        let mut events = Pin::new(events);
        loop {
            return Poll::Ready(match ready!(events.as_mut().poll_next(context)) {
                Some(Ok(MessageEvent::Content { choice: 0, text })) if wanted.is_none() => {
                    Some(Ok(ContentPiece { text, stop_reason: None }))
                }
                Some(Ok(MessageEvent::CallArguments { choice: 0, call, text })) if Some(call) == *wanted => {
                    Some(Ok(ContentPiece { text, stop_reason: None }))
                }
                Some(Ok(MessageEvent::Stopped { choice: 0, reason })) => {
                    Some(Ok(ContentPiece { text: String::new(), stop_reason: Some(reason) }))
                }
                Some(Ok(MessageEvent::Error(error))) if error.kind.loses_text() => {
                    Some(Err(DecodeError::Message(error)))
                }
                Some(Ok(_)) => continue,
                Some(Err(error)) => Some(Err(error)),
                None => {
                    // A call without arguments has `{}`. One that was never made is none.
                    let call = wanted.filter(|_| !std::mem::replace(has_ended, true));
                    let missing = call.and_then(|call| events.decoder().read(|message| message.missing_call(call)));
                    missing.map(|error| Err(DecodeError::Message(error)))
                }
            });
        }
    }
}

impl<S: Stream<Item: Piece>> FusedStream for ContentStream<S> {
    fn is_terminated(&self) -> bool {
        self.events.is_terminated() && (self.has_ended || self.call.is_none())
    }
}

/// A message that grows while its text is read. Made by [`ContentStream::message`].
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::{MessageDecoder, ParseJsonExt};
///
/// let response = ["{\"message\":{\"content\":\"[1, \"},\"done\":false}\n", "{\"message\":{\"content\":\"2]\"},\"done\":true,\"done_reason\":\"stop\"}\n"];
/// let content = futures::stream::iter(response).decode(MessageDecoder::new()).content();
/// let message = content.message();
/// assert_eq!(block_on_stream(content).count(), 3); // two pieces of text, and the end
/// message.read(|message| assert!(message.is_ended() && message.content() == "[1, 2]"));
/// ```
#[derive(Clone)]
pub struct SharedMessage(Arc<Mutex<MessageDecoder>>);

impl SharedMessage {
    fn new(mut decoder: MessageDecoder) -> Self {
        decoder.leave_json();
        Self(Arc::new(Mutex::new(decoder)))
    }

    pub(super) fn decoder(&self) -> MutexGuard<'_, MessageDecoder> {
        // A decoder does not panic, and one who only looks at it leaves it as it was.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the message as far as it has come. Nothing is read for it.
    ///
    /// The stream waits meanwhile, so do not poll it in there: that would wait for ever.
    pub fn read<T>(&self, look: impl FnOnce(&Message) -> T) -> T {
        look(self.decoder().message())
    }
}

impl fmt::Debug for SharedMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.read(|message| formatter.debug_tuple("SharedMessage").field(message).finish())
    }
}
