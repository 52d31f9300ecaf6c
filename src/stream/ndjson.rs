//! JSON texts on lines.

use super::cutter::{Cutter, JsonTexts};
use super::limit::MAX_EVENT_BYTES;

/// Decodes newline-delimited JSON: cuts the stream into its JSON texts, and leaves reading them to others.
///
/// An object or array is given at its last bracket, anything else at the end of its line. Also cut are texts that
/// follow each other without a line end, and those that are laid out over several lines. Blank lines are passed over. A
/// line that is broken is given as it is, for whoever reads it to say what is wrong with it; the next line is read
/// again.
///
/// ```
/// use jsonrill::NdjsonDecoder;
///
/// let mut decoder = NdjsonDecoder::new();
/// let texts: Vec<_> = decoder.push(b"{\"n\":1}\n{\n  \"n\": 2\n}\n{\"n\":").map(Result::unwrap).collect();
/// assert_eq!(texts, ["{\"n\":1}", "{\n  \"n\": 2\n}"]);
/// let texts: Vec<_> = decoder.push(b"\"cut\n{\"n\":4}{\"n\":5").map(Result::unwrap).collect();
/// assert_eq!(texts, ["{\"n\":\"cut", "{\"n\":4}"]);
/// assert_eq!(decoder.finish().as_deref(), Some("{\"n\":5"));
/// ```
///
/// # Complexity
///
/// O(bytes), however they are cut. A text in one chunk is borrowed from it, others are copied once. Memory is that of
/// one text, which is bounded.
#[derive(Debug, Clone)]
pub struct NdjsonDecoder(Cutter);

impl Default for NdjsonDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl NdjsonDecoder {
    /// A decoder for texts of up to [`MAX_EVENT_BYTES`].
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limit(MAX_EVENT_BYTES)
    }

    /// A decoder for texts of up to `limit` bytes. One that is longer is an error, and passed over.
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        Self(Cutter::new(limit, false))
    }

    /// Takes a chunk, and gives the texts that it ends.
    ///
    /// # Errors
    ///
    /// An item is [`TooLong`](crate::TooLong) for a text beyond the limit. What follows it is read.
    pub fn push<'d, 'c>(&'d mut self, chunk: &'c [u8]) -> JsonTexts<'d, 'c> {
        self.0.push(chunk)
    }

    /// Says that the stream has ended, and gives the text that it ended in: a last line without a line end, or one that
    /// was cut. The decoder is as new afterwards.
    pub fn finish(&mut self) -> Option<String> {
        self.0.finish()
    }
}
