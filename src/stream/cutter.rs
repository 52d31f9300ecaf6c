//! Cuts a stream of JSON texts into its texts, on lines or in an array.

use std::borrow::Cow;

use crate::document::BOM;

use super::json_text::{Place, Step, Text};
use super::limit::TooLong;

/// Where in its stream a cutter is, and the text that it is in.
#[derive(Debug, Clone)]
pub(super) struct Cutter {
    limit: usize,
    /// An array at the top is taken apart, and not one of the texts.
    opens_arrays: bool,
    in_array: bool,
    /// How many bytes of a byte order mark were read; 3 behind it, and where there is none.
    bom: usize,
    text: Option<Text>,
    offset: u64,
}

impl Cutter {
    pub(super) const fn new(limit: usize, opens_arrays: bool) -> Self {
        Self { limit, opens_arrays, in_array: false, bom: 0, text: None, offset: 0 }
    }

    /// Whether an array has begun and not ended.
    pub(super) const fn is_in_array(&self) -> bool {
        self.in_array
    }

    pub(super) fn push<'d, 'c>(&'d mut self, chunk: &'c [u8]) -> JsonTexts<'d, 'c> {
        JsonTexts { cutter: self, rest: chunk }
    }

    /// The text that the stream broke off in, and the cutter as new.
    pub(super) fn finish(&mut self) -> Option<String> {
        let rest = self.text.take().and_then(Text::rest);
        *self = Self::new(self.limit, self.opens_arrays);
        rest
    }

    /// What a byte between texts means: a text begins with it, or it is passed over.
    fn between(&mut self, byte: u8) -> Option<Text> {
        let place = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => return None,
            b'[' if self.opens_arrays && !self.in_array => {
                self.in_array = true;
                return None;
            }
            b']' if self.in_array => {
                self.in_array = false;
                return None;
            }
            b',' if self.in_array => return None,
            _ if self.in_array => Place::Element,
            _ => Place::Line,
        };
        Some(Text::new(place, byte, self.offset))
    }
}

/// The JSON texts that a chunk ends. Made by [`NdjsonDecoder::push`](crate::NdjsonDecoder::push) and
/// [`JsonArrayDecoder::push`](crate::JsonArrayDecoder::push).
///
/// The chunk is read as the iterator is asked; what is left when it is dropped is read then, and its texts are lost.
///
/// ```
/// use jsonrill::NdjsonDecoder;
///
/// let mut decoder = NdjsonDecoder::new();
/// let lines: Vec<String> = decoder.push(b"{\"a\":1}\n{\"a").map(|line| line.map(Into::into)).collect::<Result<_, _>>()?;
/// assert_eq!(lines, ["{\"a\":1}"]);
/// # Ok::<(), jsonrill::TooLong>(())
/// ```
#[derive(Debug)]
pub struct JsonTexts<'d, 'c> {
    cutter: &'d mut Cutter,
    rest: &'c [u8],
}

impl JsonTexts<'_, '_> {
    fn advance(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
        self.cutter.offset += count as u64;
    }

    /// Whether the byte is part of a byte order mark. If what came before turns out to be none, it begins a text.
    fn is_bom(&mut self, byte: u8) -> bool {
        let cutter = &mut *self.cutter;
        let Some(&expected) = BOM.get(cutter.bom) else { return false };
        if byte == expected {
            cutter.bom += 1;
            return true;
        }
        let taken = BOM.get(..cutter.bom).unwrap_or_default();
        if let Some(&first) = taken.first() {
            let mut text = Text::new(Place::Line, first, 0);
            text.take(taken, cutter.limit.max(BOM.len()));
            cutter.text = Some(text);
        }
        cutter.bom = BOM.len();
        false
    }
}

impl<'c> Iterator for JsonTexts<'_, 'c> {
    type Item = Result<Cow<'c, str>, TooLong>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let &byte = self.rest.first()?;
            if self.is_bom(byte) {
                self.advance(1);
                continue;
            }
            if self.cutter.text.is_none() {
                self.cutter.text = self.cutter.between(byte);
            }
            let Some(text) = &mut self.cutter.text else {
                self.advance(1);
                continue;
            };
            match text.take(self.rest, self.cutter.limit) {
                Step::More(error) => {
                    self.advance(self.rest.len());
                    return error.map(Err);
                }
                Step::End(count, item) => {
                    self.cutter.text = None;
                    self.advance(count);
                    if item.is_some() {
                        return item;
                    }
                }
            }
        }
    }
}

impl Drop for JsonTexts<'_, '_> {
    fn drop(&mut self) {
        while self.next().is_some() {}
    }
}
