//! Splits a text that arrives in pieces, and with the same means one that is there.

use super::chunk::Chunk;
use super::error::SplitError;
use super::lists::Lists;
use super::scan::Scanner;
use super::splitter::Splitter;
use super::window::Window;

/// How many bytes are read before it is asked whether there are chunks.
pub(super) const STEP: usize = 4096;

/// Splits a text that arrives in pieces, cut anywhere. Made by [`Splitter::stream`].
///
/// A chunk leaves as soon as it is known where it ends: behind the value that no longer fits into it.
///
/// ```
/// use jsonrill::split::Splitter;
///
/// let mut stream = Splitter::new(30).stream();
/// let mut texts = Vec::new();
/// for piece in [r#"{"items": [{"id": 1}, {"i"#, r#"d": 2}, {"id": 3"#, "}]}"] {
///     for chunk in stream.push(piece) {
///         texts.push(chunk?.text);
///     }
/// }
/// assert_eq!(texts, [r#"{"items":[{"id":1},{"id":2}]}"#]); // that the third does not fit is known by now
/// for chunk in stream.finish() {
///     texts.push(chunk?.text);
/// }
/// assert_eq!(texts[1], r#"{"items":[{"id":3}]}"#);
/// # Ok::<(), jsonrill::split::SplitError>(())
/// ```
///
/// Of a `Stream` of bytes or text, [`decode`](crate::ParseJsonExt::decode) makes a stream of chunks:
///
/// ```
/// use futures::StreamExt;
/// use jsonrill::{DecodeError, ParseJsonExt, split::Splitter};
///
/// # futures::executor::block_on(async {
/// let response = futures::stream::iter(["[\"one\", \"tw", "o\", \"three\"]"]);
/// let mut chunks = response.decode(Splitter::new(14).stream());
/// let mut texts = Vec::new();
/// while let Some(chunk) = chunks.next().await {
///     texts.push(chunk?.text);
/// }
/// assert_eq!(texts, ["[\"one\",\"two\"]", "[\"three\"]"]);
/// # Ok::<_, DecodeError<std::convert::Infallible>>(())
/// # })?;
/// # Ok::<(), DecodeError<std::convert::Infallible>>(())
/// ```
///
/// # Complexity
///
/// O(bytes), however they are cut. Memory is that of two chunks, however long the document is, as
/// [`Splitter`] says.
#[derive(Debug, Clone)]
pub struct StreamSplitter {
    scanner: Scanner,
    lists: Lists,
    /// Why it has stopped.
    error: Option<SplitError>,
    finished: bool,
}

impl StreamSplitter {
    pub(super) fn new(splitter: &Splitter) -> Self {
        let window = Window::new(splitter.clone());
        Self {
            scanner: Scanner::new(),
            lists: Lists::new(window, splitter.convert_lists),
            error: None,
            finished: false,
        }
    }

    /// Takes a piece of text, and gives the chunks of which it is known where they end. What is not asked for is read
    /// when the iterator is dropped, and its chunks are lost.
    ///
    /// # Errors
    ///
    /// An item is an error where the text is no JSON, or a value does not fit into a chunk. Nothing is read behind it,
    /// and every later call gives it again. The chunks before it are good.
    pub fn push<'s, 't>(&'s mut self, piece: &'t (impl AsRef<[u8]> + ?Sized)) -> StreamChunks<'s, 't> {
        StreamChunks { stream: self, rest: piece.as_ref(), is_end: false, is_failed: false }
    }

    /// Says that the text has ended, and gives the rest of the chunks. There is nothing more to give after that.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push); and the text may have ended before its document did.
    pub fn finish(&mut self) -> StreamChunks<'_, 'static> {
        StreamChunks { stream: self, rest: &[], is_end: true, is_failed: false }
    }

    /// Takes the last piece of text.
    pub(super) fn push_last<'s, 't>(&'s mut self, piece: &'t str) -> StreamChunks<'s, 't> {
        StreamChunks { stream: self, rest: piece.as_bytes(), is_end: true, is_failed: false }
    }

    /// The next chunk, as far as it is in the text.
    pub(super) fn next(&mut self, rest: &mut &[u8], is_end: bool) -> Option<Result<Chunk, SplitError>> {
        loop {
            if let Some(chunk) = self.lists.window.take() {
                return Some(Ok(chunk));
            }
            if let Some(error) = &self.error {
                return Some(Err(error.clone()));
            }
            let read = if let Some((step, behind)) =
                rest.split_at_checked(rest.len().min(STEP)).filter(|it| !it.0.is_empty())
            {
                *rest = behind;
                self.scanner.push(step, &mut self.lists)
            } else if is_end && !self.finished {
                self.finished = true;
                self.scanner.finish(&mut self.lists).and_then(|()| self.lists.window.finish())
            } else {
                return None;
            };
            self.error = read.err();
        }
    }
}

/// The chunks that a piece of text ends. Made by [`StreamSplitter::push`] and [`StreamSplitter::finish`].
///
/// ```
/// use jsonrill::split::Splitter;
///
/// let mut splitter = Splitter::new(8).stream();
/// let early: Vec<_> = splitter.push("[1, 22, 3").collect::<Result<_, _>>()?;
/// let late: Vec<_> = splitter.push("33]").collect::<Result<_, _>>()?;
/// let last: Vec<_> = splitter.finish().collect::<Result<_, _>>()?;
/// assert_eq!(early.len() + late.len() + last.len(), 2);
/// # Ok::<(), jsonrill::split::SplitError>(())
/// ```
#[derive(Debug)]
pub struct StreamChunks<'s, 't> {
    stream: &'s mut StreamSplitter,
    rest: &'t [u8],
    is_end: bool,
    is_failed: bool,
}

impl Iterator for StreamChunks<'_, '_> {
    type Item = Result<Chunk, SplitError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_failed {
            return None;
        }
        // A measure that panics is not asked again by what drops this.
        self.is_failed = true;
        let next = self.stream.next(&mut self.rest, self.is_end);
        self.is_failed = matches!(next, Some(Err(_)));
        next
    }
}

impl Drop for StreamChunks<'_, '_> {
    fn drop(&mut self) {
        while self.next().is_some() {}
    }
}

/// The chunks of a whole text. Made by [`Splitter::split`].
///
/// ```
/// use jsonrill::split::Splitter;
///
/// let splitter = Splitter::new(8);
/// let mut chunks = splitter.split("[1, 22, 333]");
/// assert_eq!(chunks.next().unwrap()?.text, "[1,22]");
/// assert_eq!(chunks.next().unwrap()?.text, "[333]");
/// assert!(chunks.next().is_none());
/// # Ok::<(), jsonrill::split::SplitError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "chunks are made as they are asked for"]
pub struct Chunks<'t> {
    stream: StreamSplitter,
    rest: &'t [u8],
    is_failed: bool,
}

impl<'t> Chunks<'t> {
    pub(super) fn new(splitter: &Splitter, text: &'t [u8]) -> Self {
        Self { stream: splitter.stream(), rest: text, is_failed: false }
    }
}

impl Iterator for Chunks<'_> {
    type Item = Result<Chunk, SplitError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_failed {
            return None;
        }
        let next = self.stream.next(&mut self.rest, true);
        self.is_failed = matches!(next, Some(Err(_)));
        next
    }
}
