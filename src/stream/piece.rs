//! What streams give: chunks, or chunks that may fail to come.

use std::convert::Infallible;
use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::parser::Chunk;

/// An item of a stream that can be read: a [`Chunk`], or a `Result` with one.
///
/// What is made of a stream is shaped like its items: of a stream of `Result`s it is `Result`s again, of one of bare
/// chunks it is bare. The trait is implemented for both, and for nothing else.
///
/// ```
/// use futures::executor::block_on_stream;
/// use jsonrill::ParseJsonExt;
///
/// let bare = futures::stream::iter(["[1, ", "2]"]);
/// assert_eq!(block_on_stream(bare.parse_json()).last().unwrap().snapshot().to_string(), "[1,2]");
/// let with_errors = futures::stream::iter([Ok("[1, "), Err("the line is dead")]);
/// let updates: Vec<_> = block_on_stream(with_errors.parse_json()).collect();
/// assert_eq!(updates[1].as_ref().err(), Some(&"the line is dead"));
/// ```
pub trait Piece: sealed::Sealed {
    /// The bytes or text.
    type Chunk: Chunk;
    /// What may come instead.
    type Error;
    /// What is made of a `T` for an item of this kind: `T`, or a `Result` with it.
    type Output<T>;

    #[doc(hidden)]
    fn chunk(self) -> Result<Self::Chunk, Self::Error>;

    #[doc(hidden)]
    fn output<T>(result: Result<T, Self::Error>) -> Self::Output<T>;
}

mod sealed {
    use super::Chunk;

    pub trait Sealed {}
    impl<C: Chunk> Sealed for C {}
    impl<C: Chunk, E> Sealed for Result<C, E> {}
}

impl<C: Chunk> Piece for C {
    type Chunk = C;
    type Error = Infallible;
    type Output<T> = T;

    fn chunk(self) -> Result<C, Infallible> {
        Ok(self)
    }

    fn output<T>(result: Result<T, Infallible>) -> T {
        match result {
            Ok(output) => output,
            Err(never) => match never {},
        }
    }
}

impl<C: Chunk, E> Piece for Result<C, E> {
    type Chunk = C;
    type Error = E;
    type Output<T> = Result<T, E>;

    fn chunk(self) -> Self {
        self
    }

    fn output<T>(result: Result<T, E>) -> Result<T, E> {
        result
    }
}

/// An error that several readers are told.
pub(super) type SharedError = Arc<dyn Error + Send + Sync>;

/// A stream that [`Fields`](crate::Fields) can read: its items are bytes or text, bare or in a `Result`, and its errors
/// can be told to several readers. Implemented for all such streams.
///
/// ```
/// use futures::executor::block_on;
/// use jsonrill::{ChunkStream, FieldError, Fields};
///
/// /// Works on whatever gives text or bytes.
/// async fn title<S: ChunkStream>(response: S) -> Result<String, FieldError> {
///     Fields::new(response).value("/title").await
/// }
///
/// let response = futures::stream::iter(["{\"title\": \"Te", "a\"}"]);
/// assert_eq!(block_on(title(response))?, "Tea");
/// # Ok::<(), FieldError>(())
/// ```
pub trait ChunkStream: Stream<Item: Piece> {
    #[doc(hidden)]
    #[expect(clippy::type_complexity, reason = "what a stream gives, with its error shared")]
    fn poll_chunk(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<<Self::Item as Piece>::Chunk, Arc<dyn Error + Send + Sync>>>>;
}

impl<S: Stream<Item: Piece<Error: Into<Box<dyn Error + Send + Sync>>>>> ChunkStream for S {
    fn poll_chunk(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<<Self::Item as Piece>::Chunk, SharedError>>> {
        let piece = ready!(self.poll_next(context));
        Poll::Ready(piece.map(|piece| piece.chunk().map_err(|error| Arc::from(error.into()))))
    }
}
