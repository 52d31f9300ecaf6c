//! How a document is split.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::chunk::Chunk;
use super::document::Document;
use super::error::SplitError;
use super::lenient::LenientSplitter;
use super::measure::Measure;
use super::stream::{Chunks, StreamSplitter};
use super::updates::UpdateSplitter;

/// Splits a document into chunks of a size that is never exceeded.
///
/// - Each chunk is JSON of its own, with its values at the path at which they are in the document. The path counts, and
///   so do all brackets, commas and quotes.
/// - A value stays whole where it fits into a chunk. Neighbours share a chunk as far as they fit, in the order of the
///   document; what must be torn apart fills it up.
/// - Arrays stay arrays: the [`Chunk`] says which of its elements it has.
/// - No chunk is empty, every scalar and every empty object and array is in one of them, once, and
///   [`join`](super::join) gives the document back.
/// - The same document has the same chunks, whether it is split [at once](Self::split) or [as it
///   arrives](Self::stream).
///
/// ```
/// use jsonrill::split::{Boundary, Splitter, join};
///
/// let text = r#"{
///   "title": "Alps",
///   "peaks": [{"name": "Mont Blanc", "height": 4806}, {"name": "Dom", "height": 4546}],
///   "note": "The highest is in France. The others are in Switzerland."
/// }"#;
/// let splitter = Splitter::new(64).cut_strings(Boundary::Sentence);
/// let chunks = splitter.split(text).collect::<Result<Vec<_>, _>>()?;
/// let texts: Vec<_> = chunks.iter().map(|chunk| &*chunk.text).collect();
/// assert_eq!(texts, [
///     r#"{"title":"Alps","peaks":[{"name":"Mont Blanc","height":4806}]}"#,
///     r#"{"peaks":[{"name":"Dom","height":4546}]}"#,
///     r#"{"note":"The highest is in France. "}"#,
///     r#"{"note":"The others are in Switzerland."}"#,
/// ]);
/// assert!(chunks[2].continued && chunks[3].continues);
///
/// let blanks: &[_] = &[' ', '\n'];
/// assert_eq!(join(&chunks)?.replace(blanks, ""), text.replace(blanks, ""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What is read
///
/// RFC 8259, and no more than [`MAX_DEPTH`](crate::MAX_DEPTH) levels. Members with the same key stay as they are. What
/// a model wrote may be no JSON: [`LenientSplitter`] splits it all the same, while it arrives.
///
/// # Complexity
///
/// Time is O(length of the text and of the chunks) for characters and bytes, whatever the document is like. Memory is
/// that of two chunks, and of the chunks that were not taken yet; to the text of two chunks come some 110 bytes for
/// each value in them, which is most of it where the values are tiny.
#[derive(Debug, Clone)]
pub struct Splitter {
    pub(super) max: usize,
    pub(super) min: usize,
    pub(super) measure: Measure,
    pub(super) strings: Option<Boundary>,
    pub(super) convert_lists: bool,
}

/// Where a string may be cut. Each is as the Unicode standard has it in its annex 29.
///
/// ```
/// use jsonrill::split::{Boundary, Splitter};
///
/// let texts = |boundary| {
///     let splitter = Splitter::new(14).cut_strings(boundary);
///     splitter.split(r#"["One two. Three."]"#).map(|chunk| chunk.unwrap().text).collect::<Vec<_>>()
/// };
/// assert_eq!(texts(Boundary::Sentence), [r#"["One two. "]"#, r#"["Three."]"#]);
/// assert_eq!(texts(Boundary::Character), [r#"["One two. T"]"#, r#"["hree."]"#]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Boundary {
    /// Between sentences; where one is too long, between words.
    Sentence,
    /// Between words; where one is too long, between characters.
    Word,
    /// Between characters as a reader sees them: an emoji is not torn, nor a letter from its accents.
    Character,
}

impl Splitter {
    /// A splitter into chunks of up to `max` characters.
    #[must_use]
    pub const fn new(max: usize) -> Self {
        Self { max, min: 0, measure: Measure::Characters, strings: None, convert_lists: false }
    }

    /// Counts bytes instead of characters.
    #[must_use]
    pub fn in_bytes(self) -> Self {
        Self { measure: Measure::Bytes, ..self }
    }

    /// Counts what this says of a text that is emitted: the tokens of a model, say.
    ///
    /// More text should not be less, or chunks may be smaller than they need be. The cap is kept in any case.
    ///
    /// ```
    /// use jsonrill::split::Splitter;
    ///
    /// let words = |text: &str| text.split_whitespace().count();
    /// let splitter = Splitter::new(3).measured_by(words);
    /// let text = r#"["one two", "three", "four five six", "seven"]"#;
    /// let chunks = splitter.split(text).map(|chunk| chunk.map(|chunk| chunk.text)).collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(chunks, [r#"["one two","three"]"#, r#"["four five six","seven"]"#]);
    /// # Ok::<(), jsonrill::split::SplitError>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// It is asked some ten times for each chunk, about texts no longer than two chunks.
    #[must_use]
    pub fn measured_by(self, measure: impl Fn(&str) -> usize + Send + Sync + 'static) -> Self {
        Self { measure: Measure::By(Arc::new(measure)), ..self }
    }

    /// Fills a chunk that is smaller than this, in what the cap is counted in, with a part of the next object or array,
    /// rather than to keep that whole. A chunk may still be smaller where not even a part fits, before a string, for
    /// none is cut that fits into a chunk, and at the end of the document.
    ///
    /// ```
    /// use jsonrill::split::Splitter;
    ///
    /// let text = r#"[{"a": 1}, {"b": 2, "c": 3}]"#;
    /// let texts = |splitter: Splitter| splitter.split(text).map(|chunk| chunk.unwrap().text).collect::<Vec<_>>();
    /// assert_eq!(texts(Splitter::new(18)), [r#"[{"a":1}]"#, r#"[{"b":2,"c":3}]"#]);
    /// assert_eq!(texts(Splitter::new(18).min(12)), [r#"[{"a":1},{"b":2}]"#, r#"[{"c":3}]"#]);
    /// ```
    #[must_use]
    pub const fn min(mut self, min: usize) -> Self {
        self.min = min;
        self
    }

    /// Cuts strings that do not fit into a chunk, at the last such place that does. Without it they are an error.
    #[must_use]
    pub const fn cut_strings(mut self, boundary: Boundary) -> Self {
        self.strings = Some(boundary);
        self
    }

    /// Makes arrays objects whose keys are the indices, so that the text of a chunk says which elements it has. The
    /// document is another one then: it is that which [`join`](super::join) gives.
    #[must_use]
    pub const fn convert_lists(mut self, convert_lists: bool) -> Self {
        self.convert_lists = convert_lists;
        self
    }

    /// The chunks of a whole text, made as they are asked for.
    ///
    /// # Errors
    ///
    /// An item is an error, and the last one, where the text is no JSON, or a value does not fit into a chunk.
    pub fn split<'t>(&self, text: &'t (impl AsRef<[u8]> + ?Sized)) -> Chunks<'t> {
        Chunks::new(self, text.as_ref())
    }

    /// A splitter of a text that arrives in pieces.
    #[must_use]
    pub fn stream(&self) -> StreamSplitter {
        StreamSplitter::new(self)
    }

    /// A splitter of a text that a model writes, which need be no JSON.
    #[must_use]
    pub fn lenient(&self) -> LenientSplitter {
        LenientSplitter::new(self)
    }

    /// A splitter of a document that a [`Parser`](crate::Parser) is reading.
    #[must_use]
    pub fn updates(&self) -> UpdateSplitter {
        UpdateSplitter::new(self)
    }

    /// The chunks of a whole text as documents that say how many there are, each with what is known about the source.
    ///
    /// # Errors
    ///
    /// As [`split`](Self::split).
    pub fn documents(
        &self,
        text: &(impl AsRef<[u8]> + ?Sized),
        source: &Map<String, Value>,
    ) -> Result<Vec<Document>, SplitError> {
        let chunks = self.split(text).collect::<Result<Vec<_>, _>>()?;
        let count = Some(chunks.len() as u64);
        Ok(chunks.into_iter().map(|chunk| Chunk { count, ..chunk }.into_document(source.clone())).collect())
    }
}
