//! A stream of chunks becomes a stream of updates.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};

use crate::parser::{Chunk as _, End, Finished, Parser};
use crate::view::Update;

use super::decode::{Decode, DecodedStream};
use super::piece::Piece;

/// Reads the JSON in a stream of bytes or text, or what the bytes carry it in.
///
/// Implemented for every [`Stream`] whose items are [`Chunk`](crate::Chunk)s, or `Result`s with them: what HTTP
/// libraries, channels and the wrappers of `tokio-stream` give.
pub trait ParseJsonExt: Stream<Item: Piece> + Sized {
    /// The stream of what is known after each chunk, read by a lenient parser.
    ///
    /// ```
    /// use futures::StreamExt;
    /// use futures::executor::block_on;
    /// use jsonrill::ParseJsonExt;
    ///
    /// # block_on(async {
    /// let chunks = futures::stream::iter(["{\"reply\": \"Hel", "lo, Wor", "ld\"}"]);
    /// let mut updates = chunks.parse_json();
    /// let mut shown = String::new();
    /// while let Some(update) = updates.next().await {
    ///     shown.push_str(update.delta().text("/reply").unwrap_or_default());
    /// }
    /// assert_eq!(shown, "Hello, World");
    ///
    /// let answer = updates.into_finished().into_complete()?; // a cut answer would be an error
    /// assert_eq!(answer.at("/reply"), "Hello, World");
    /// # Ok::<(), jsonrill::Incomplete>(())
    /// # }).unwrap();
    /// ```
    fn parse_json(self) -> JsonStream<Self> {
        self.parse_json_with(Parser::new())
    }

    /// The same with a parser of yours: one with options, or one that has read the beginning of the text already.
    fn parse_json_with(self, parser: Parser) -> JsonStream<Self> {
        JsonStream { source: Some(Box::pin(self)), parser, has_failed: false, end: End::Unknown, finished: None }
    }

    /// What a decoder makes of the bytes: server-sent events, JSON texts, payloads, or a provider's message.
    ///
    /// ```
    /// use futures::StreamExt;
    /// use futures::executor::block_on;
    /// use jsonrill::{ParseJsonExt, SseDecoder};
    ///
    /// let bytes = futures::stream::iter(["event: note\ndata: {\"n\"", ":1}\n\ndata: [DONE]\n\n"]);
    /// let events = bytes.decode(SseDecoder::new());
    /// let data: Vec<_> = block_on(events.map(|event| event.map(|event| event.data)).collect());
    /// assert_eq!(data, [Ok("{\"n\":1}".into()), Ok("[DONE]".into())]);
    /// ```
    fn decode<D: Decode>(self, decoder: D) -> DecodedStream<Self, D> {
        DecodedStream::new(self, decoder)
    }
}

impl<S: Stream<Item: Piece>> ParseJsonExt for S {}

/// A stream of [`Update`]s. Made by [`ParseJsonExt::parse_json`].
///
/// It gives an update for each chunk, and one more when the source has ended, for the end settles what was held. Of a
/// source of `Result`s it gives `Result`s: an error of the source is passed on, all that was read before it is kept,
/// and what the source gives after it is read, for whoever reads this has been told, and decides. A source that ends
/// behind an error has broken off ([`End::Truncated`]); else the text has ended as a chunk has said
/// ([`Chunk::end`](crate::Chunk::end)), as [`ContentStream`](crate::ContentStream)'s do; else nobody knows
/// ([`End::Unknown`]).
///
/// The source is polled when this stream is, once for each item, and never again after its end; then it is dropped. So
/// back-pressure is what it was, and a future that waits for the next update can be dropped without losing anything.
/// It needs no runtime, and can be moved between threads if the source can.
///
/// # Complexity
///
/// That of [`Parser::feed`] for each chunk. The source is boxed, so that the stream can be moved while it is polled.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::{Outcome, ParseJsonExt};
///
/// let mut updates = futures::stream::iter(["[1, ", "2"]).parse_json();
/// assert_eq!(block_on_stream(&mut updates).count(), 3); // one for each chunk, and one for the end
/// assert_eq!(updates.finished().map(|finished| finished.outcome()), Some(Outcome::Truncated));
/// ```
#[must_use = "streams do nothing unless they are read"]
pub struct JsonStream<S> {
    /// None after its end.
    source: Option<Pin<Box<S>>>,
    parser: Parser,
    /// The source's last item was an error.
    has_failed: bool,
    /// Why the text ends, as far as its chunks say.
    end: End,
    finished: Option<Box<Finished>>,
}

impl<S> JsonStream<S> {
    /// The parser, which knows all that has come.
    #[must_use]
    pub fn parser(&self) -> &Parser {
        &self.parser
    }

    /// What the text amounts to, when it has ended.
    #[must_use]
    pub fn finished(&self) -> Option<&Finished> {
        self.finished.as_deref()
    }

    /// What the text amounts to. If it has not ended, the source is given up, and the text is cut here.
    ///
    /// ```
    /// use futures::StreamExt;
    /// use futures::executor::block_on;
    /// use jsonrill::{Outcome, ParseJsonExt};
    ///
    /// let mut updates = futures::stream::iter(["{\"spam\": true, ", "\"reasons\": [\"caps\""]).parse_json();
    /// let update = block_on(updates.next()).unwrap();
    /// assert!(update.is_final("/spam")); // this is all we wanted to know
    /// let finished = updates.into_finished();
    /// assert_eq!(finished.outcome(), Outcome::Truncated);
    /// assert_eq!(finished.snapshot().at("/spam"), true);
    /// ```
    #[must_use]
    pub fn into_finished(mut self) -> Finished {
        match self.finished {
            Some(finished) => *finished,
            None => self.parser.finish(End::Truncated),
        }
    }
}

impl<S: Stream<Item: Piece>> Stream for JsonStream<S> {
    type Item = <S::Item as Piece>::Output<Update>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let Some(source) = &mut this.source else { return Poll::Ready(None) };
        let update = if let Some(piece) = ready!(source.as_mut().poll_next(context)) {
            let chunk = piece.chunk();
            this.has_failed = chunk.is_err();
            chunk.map(|chunk| {
                this.end = chunk.end().unwrap_or(this.end);
                this.parser.feed(chunk)
            })
        } else {
            this.source = None;
            let finished = this.parser.finish(if this.has_failed { End::Truncated } else { this.end });
            Ok(this.finished.insert(Box::new(finished)).update().clone())
        };
        Poll::Ready(Some(S::Item::output(update)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let Some(source) = &self.source else { return (0, Some(0)) };
        let (least, most) = source.size_hint();
        (least.saturating_add(1), most.and_then(|most| most.checked_add(1)))
    }
}

impl<S: Stream<Item: Piece>> FusedStream for JsonStream<S> {
    fn is_terminated(&self) -> bool {
        self.source.is_none()
    }
}

impl<S> fmt::Debug for JsonStream<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("JsonStream")
            .field("parser", &self.parser)
            .field("has_ended", &self.source.is_none())
            .finish_non_exhaustive()
    }
}
