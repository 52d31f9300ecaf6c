//! The elements of an array that is streamed.

use super::cutter::{Cutter, JsonTexts};
use super::limit::MAX_EVENT_BYTES;

/// Decodes an array that arrives over time: cuts the stream into the JSON texts of its elements, each at its end.
///
/// Gemini streams so where it is not asked for server-sent events. Where the stream is no array but an object, as an
/// error's may be, that object is what it gives.
///
/// ```
/// use jsonrill::JsonArrayDecoder;
///
/// let mut decoder = JsonArrayDecoder::new();
/// let texts: Vec<_> = decoder.push(b"[{\"n\": 1}\n,\r\n{\"s\": \"}\", \"n\"").map(Result::unwrap).collect();
/// assert_eq!(texts, ["{\"n\": 1}"]);
/// let texts: Vec<_> = decoder.push(b": 2}, 3]").map(Result::unwrap).collect();
/// assert_eq!(texts, ["{\"s\": \"}\", \"n\": 2}", "3"]);
/// assert!(decoder.is_closed());
/// ```
///
/// # Complexity
///
/// O(bytes), however they are cut. An element in one chunk is borrowed from it, others are copied once. Memory is that
/// of one element, which is bounded.
#[derive(Debug, Clone)]
pub struct JsonArrayDecoder(Cutter);

impl Default for JsonArrayDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl JsonArrayDecoder {
    /// A decoder for elements of up to [`MAX_EVENT_BYTES`].
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limit(MAX_EVENT_BYTES)
    }

    /// A decoder for elements of up to `limit` bytes. One that is longer is an error, and passed over.
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        Self(Cutter::new(limit, true))
    }

    /// Takes a chunk, and gives the elements that it ends.
    ///
    /// # Errors
    ///
    /// An item is [`TooLong`](crate::TooLong) for an element beyond the limit. What follows it is read.
    pub fn push<'d, 'c>(&'d mut self, chunk: &'c [u8]) -> JsonTexts<'d, 'c> {
        self.0.push(chunk)
    }

    /// Whether no array is open: the one that was read has ended, or none has begun.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        !self.0.is_in_array()
    }

    /// Says that the stream has ended, and gives the element that it broke off in. The decoder is as new afterwards.
    pub fn finish(&mut self) -> Option<String> {
        self.0.finish()
    }
}
