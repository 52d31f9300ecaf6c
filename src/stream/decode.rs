//! A stream of bytes becomes a stream of what a decoder makes of them.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};

use crate::parser::{Chunk as _, End};
use crate::split::{Chunk as SplitChunk, LenientSplitter, SplitError, StreamSplitter};

use super::array::JsonArrayDecoder;
use super::content::SharedMessage;
use super::limit::TooLong;
use super::ndjson::NdjsonDecoder;
use super::payload::{Payload, PayloadDecoder, Unended};
use super::piece::Piece;
use super::provider::{MessageDecoder, MessageError, MessageEvent};
use super::sse::{SseDecoder, SseEvent};

/// A decoder that a stream can be read through: [`SseDecoder`], [`NdjsonDecoder`], [`JsonArrayDecoder`],
/// [`PayloadDecoder`], [`MessageDecoder`], [`StreamSplitter`], [`LenientSplitter`]. The trait is sealed.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::{Decode, NdjsonDecoder, ParseJsonExt, PayloadDecoder};
///
/// fn count<D: Decode>(decoder: D) -> usize {
///     let bytes = futures::stream::iter(["{\"a\":1}\n{\"a", "\":2}\n"]);
///     block_on_stream(bytes.decode(decoder)).filter(Result::is_ok).count()
/// }
/// assert_eq!((count(NdjsonDecoder::new()), count(PayloadDecoder::new())), (2, 2));
/// ```
pub trait Decode: sealed::Sealed {
    /// What it makes of the bytes.
    type Item;

    #[doc(hidden)]
    fn take(&mut self, chunk: &[u8], items: &mut Items<Self::Item>);

    #[doc(hidden)]
    fn end(&mut self, items: &mut Items<Self::Item>);
}

/// What was made of a chunk.
type Items<T> = VecDeque<Result<T, Bad>>;

/// What a decoder cannot read.
#[doc(hidden)]
#[derive(Debug)]
pub enum Bad {
    TooLong(TooLong),
    Unended(Unended),
    Split(SplitError),
}

mod sealed {
    use super::{
        JsonArrayDecoder, LenientSplitter, MessageDecoder, NdjsonDecoder, PayloadDecoder, SharedMessage, SseDecoder,
        StreamSplitter,
    };

    pub trait Sealed {}
    impl Sealed for SseDecoder {}
    impl Sealed for NdjsonDecoder {}
    impl Sealed for JsonArrayDecoder {}
    impl Sealed for PayloadDecoder {}
    impl Sealed for MessageDecoder {}
    impl Sealed for SharedMessage {}
    impl Sealed for StreamSplitter {}
    impl Sealed for LenientSplitter {}
}

impl Decode for SseDecoder {
    type Item = SseEvent<'static>;

    fn take(&mut self, chunk: &[u8], items: &mut Items<Self::Item>) {
        items.extend(self.push(chunk).map(|event| event.map(SseEvent::into_owned).map_err(Bad::TooLong)));
    }

    // The event that the stream broke off in is dropped, as the standard has it.
    fn end(&mut self, _: &mut Items<Self::Item>) {}
}

macro_rules! texts {
    ($($decoder:ty),*) => {$(
        impl Decode for $decoder {
            type Item = String;

            fn take(&mut self, chunk: &[u8], items: &mut Items<String>) {
                items.extend(self.push(chunk).map(|text| text.map(Into::into).map_err(Bad::TooLong)));
            }

            fn end(&mut self, items: &mut Items<String>) {
                items.extend(self.finish().map(Ok));
            }
        }
    )*};
}

texts!(NdjsonDecoder, JsonArrayDecoder);

impl Decode for PayloadDecoder {
    type Item = Payload<'static>;

    fn take(&mut self, chunk: &[u8], items: &mut Items<Self::Item>) {
        items.extend(self.push(chunk).map(|payload| payload.map(Payload::into_owned).map_err(Bad::TooLong)));
    }

    fn end(&mut self, items: &mut Items<Self::Item>) {
        match self.finish() {
            Ok(payloads) => items.extend(payloads.into_iter().map(Ok)),
            Err(unended) => items.push_back(Err(Bad::Unended(unended))),
        }
    }
}

impl Decode for MessageDecoder {
    type Item = MessageEvent;

    fn take(&mut self, chunk: &[u8], items: &mut Items<MessageEvent>) {
        items.extend(self.push(chunk).map(Ok));
    }

    fn end(&mut self, items: &mut Items<MessageEvent>) {
        items.extend(self.finish().map(Ok));
    }
}

impl Decode for SharedMessage {
    type Item = MessageEvent;

    fn take(&mut self, chunk: &[u8], items: &mut Items<MessageEvent>) {
        self.decoder().take(chunk, items);
    }

    fn end(&mut self, items: &mut Items<MessageEvent>) {
        self.decoder().end(items);
    }
}

impl Decode for StreamSplitter {
    type Item = SplitChunk;

    fn take(&mut self, chunk: &[u8], items: &mut Items<SplitChunk>) {
        items.extend(self.push(chunk).map(|chunk| chunk.map_err(Bad::Split)));
    }

    fn end(&mut self, items: &mut Items<SplitChunk>) {
        items.extend(self.finish().map(|chunk| chunk.map_err(Bad::Split)));
    }
}

impl Decode for LenientSplitter {
    type Item = SplitChunk;

    fn take(&mut self, chunk: &[u8], items: &mut Items<SplitChunk>) {
        items.extend(self.push(chunk).map(|chunk| chunk.map_err(Bad::Split)));
    }

    fn end(&mut self, items: &mut Items<SplitChunk>) {
        items.extend(self.finish(End::Unknown).map(|chunk| chunk.map_err(Bad::Split)));
    }
}

/// Why a stream gives no item.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::{DecodeError, NdjsonDecoder, ParseJsonExt};
///
/// let bytes = futures::stream::iter([Ok("{\"a\":1}\n"), Err("the line is dead"), Ok("{\"b\":2}\n")]);
/// let lines: Vec<_> = block_on_stream(bytes.decode(NdjsonDecoder::new())).collect();
/// assert_eq!(lines[1], Err(DecodeError::Source("the line is dead")));
/// assert_eq!(lines[2], Ok("{\"b\":2}".to_owned())); // what the source gives after it is read
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DecodeError<E> {
    /// The source failed. What it gives after that is read.
    Source(E),
    /// An event, a line or an element is beyond the limit. It is passed over.
    TooLong(TooLong),
    /// The stream broke off inside a payload.
    Unended(Unended),
    /// A document is not split, or not to its end. The stream ends with it, and its source is dropped.
    Split(SplitError),
    /// The provider reports an error, or what it sends cannot be read: [`DecodedStream::content`] gives this.
    Message(MessageError),
}

impl<E> From<Bad> for DecodeError<E> {
    fn from(bad: Bad) -> Self {
        match bad {
            Bad::TooLong(error) => Self::TooLong(error),
            Bad::Unended(error) => Self::Unended(error),
            Bad::Split(error) => Self::Split(error),
        }
    }
}

impl<E: fmt::Display> fmt::Display for DecodeError<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(formatter),
            Self::TooLong(error) => error.fmt(formatter),
            Self::Unended(error) => error.fmt(formatter),
            Self::Split(error) => error.fmt(formatter),
            Self::Message(error) => error.fmt(formatter),
        }
    }
}

impl<E: Error + 'static> Error for DecodeError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // It says what they say, so what is behind it is what is behind them. What the source said is of a type that
        // only the caller knows: it is the next of the chain.
        match self {
            Self::Source(error) => Some(error),
            Self::TooLong(error) => error.source(),
            Self::Unended(error) => error.source(),
            Self::Split(error) => error.source(),
            Self::Message(error) => error.source(),
        }
    }
}

/// A stream of what a decoder makes of a stream of bytes. Made by
/// [`ParseJsonExt::decode`](crate::ParseJsonExt::decode).
///
/// An error of the source is passed on, and what the source gives after it is read. The source is polled when this
/// stream is and has nothing left of the chunk before, and never again after its end. Cancel-safe, fused.
///
/// What is made of one chunk is held until it is asked for, so memory is that of the decoder and of one chunk.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::{MessageDecoder, MessageEvent, ParseJsonExt};
///
/// let response = ["{\"message\":{\"content\":\"[1, \"},\"done\":false}\n", "{\"message\":{\"content\":\"2]\"},\"done\":true}\n"];
/// let mut events = block_on_stream(futures::stream::iter(response).decode(MessageDecoder::new()));
/// let first = events.next().unwrap()?;
/// assert!(matches!(first, MessageEvent::Content { choice: 0, text } if text == "[1, "));
/// # Ok::<(), jsonrill::DecodeError<std::convert::Infallible>>(())
/// ```
#[must_use = "streams do nothing unless they are read"]
pub struct DecodedStream<S, D: Decode> {
    /// None after its end.
    source: Option<Pin<Box<S>>>,
    decoder: D,
    items: Items<D::Item>,
}

// Of what it holds only the source is pinned, in a box.
impl<S, D: Decode> Unpin for DecodedStream<S, D> {}

impl<S, D: Decode> DecodedStream<S, D> {
    pub(super) fn new(source: S, decoder: D) -> Self {
        Self { source: Some(Box::pin(source)), decoder, items: VecDeque::new() }
    }

    /// The same with a decoder that is made of this one.
    pub(super) fn with<E: Decode<Item = D::Item>>(self, decoder: impl FnOnce(D) -> E) -> DecodedStream<S, E> {
        DecodedStream { source: self.source, decoder: decoder(self.decoder), items: self.items }
    }

    /// The decoder, which has read all chunks that have come: of a [`MessageDecoder`], the message so far.
    #[must_use]
    pub fn decoder(&self) -> &D {
        &self.decoder
    }
}

impl<S: Stream<Item: Piece>, D: Decode> Stream for DecodedStream<S, D> {
    type Item = Result<D::Item, DecodeError<<S::Item as Piece>::Error>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(item) = this.items.pop_front() {
                if matches!(item, Err(Bad::Split(_))) {
                    // Nothing is read behind it, and the splitter would say so again at each chunk.
                    this.source = None;
                }
                return Poll::Ready(Some(item.map_err(DecodeError::from)));
            }
            let Some(source) = &mut this.source else { return Poll::Ready(None) };
            match ready!(source.as_mut().poll_next(context)).map(Piece::chunk) {
                Some(Ok(chunk)) => this.decoder.take(chunk.bytes(), &mut this.items),
                Some(Err(error)) => return Poll::Ready(Some(Err(DecodeError::Source(error)))),
                None => {
                    this.source = None;
                    this.decoder.end(&mut this.items);
                }
            }
        }
    }
}

impl<S: Stream<Item: Piece>, D: Decode> FusedStream for DecodedStream<S, D> {
    fn is_terminated(&self) -> bool {
        self.source.is_none() && self.items.is_empty()
    }
}

impl<S, D: Decode + fmt::Debug> fmt::Debug for DecodedStream<S, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DecodedStream")
            .field("decoder", &self.decoder)
            .field("has_ended", &self.source.is_none())
            .finish_non_exhaustive()
    }
}
