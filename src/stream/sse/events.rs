//! A chunk of an event stream, read event by event.

use std::borrow::Cow;

use memchr::memchr2;

use crate::document::BOM;
use crate::stream::limit::TooLong;
use crate::stream::text::{into_text, text};

use super::field::Field;
use super::{SseDecoder, SseEvent};

/// The events that a chunk ends. Made by [`SseDecoder::push`].
///
/// ```
/// use jsonrill::SseDecoder;
///
/// let mut decoder = SseDecoder::new();
/// assert_eq!(decoder.push(b"data: 1\n\n: ping\n\ndata: 2\n\ndata: 3").count(), 2);
/// ```
#[derive(Debug)]
pub struct SseEvents<'d, 'c> {
    decoder: &'d mut SseDecoder,
    rest: &'c [u8],
    /// The only line of data so far, where this chunk has all of it.
    data: Option<&'c [u8]>,
    /// The event's name, where this chunk has it.
    event: Option<&'c [u8]>,
}

/// What a line may bring about.
pub(in crate::stream) enum SseItem<'c> {
    Event(SseEvent<'c>),
    /// A line that is no field but JSON: an error that a server wrote into the stream as it was.
    Stray(Cow<'c, str>),
    TooLong(TooLong),
}

impl<'d, 'c> SseEvents<'d, 'c> {
    pub(super) fn new(decoder: &'d mut SseDecoder, chunk: &'c [u8]) -> Self {
        Self { decoder, rest: chunk, data: None, event: None }
    }

    /// The next thing, with what the standard passes over.
    pub(in crate::stream) fn next_item(&mut self) -> Option<SseItem<'c>> {
        if self.decoder.bom < BOM.len() {
            self.skip_bom();
        }
        loop {
            let &first = self.rest.first()?;
            if std::mem::take(&mut self.decoder.after_cr) && first == b'\n' {
                // It belongs to the line before, and so to the event before.
                let is_between = self.decoder.start == self.decoder.offset;
                self.decoder.start += u64::from(is_between);
                self.advance(1);
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', self.rest) else {
                let part = self.rest;
                self.advance(part.len());
                return self.decoder.keep(part).map(SseItem::TooLong);
            };
            let (line, ending) = self.rest.split_at_checked(end)?;
            self.decoder.after_cr = ending.first() == Some(&b'\r');
            self.advance(end + 1);
            let item = if self.decoder.line.is_empty() && !self.decoder.skip_line {
                self.line(line)
            } else {
                let error = self.decoder.keep(line);
                let skipped = std::mem::take(&mut self.decoder.skip_line);
                let whole = std::mem::take(&mut self.decoder.line);
                match error {
                    Some(error) => Some(SseItem::TooLong(error)),
                    None if skipped => None,
                    None => self.owned_line(whole),
                }
            };
            if item.is_some() {
                return item;
            }
        }
    }

    fn advance(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
        self.decoder.offset += count as u64;
    }

    fn skip_bom(&mut self) {
        while let Some(expected) = BOM.get(self.decoder.bom) {
            match self.rest.first() {
                Some(byte) if byte == expected => {
                    self.decoder.bom += 1;
                    self.advance(1);
                }
                Some(_) => {
                    // It was none: what was taken for its start is the start of a line.
                    let taken = BOM.get(..self.decoder.bom).unwrap_or_default();
                    self.decoder.line.extend_from_slice(taken);
                    self.decoder.bom = BOM.len();
                }
                None => return,
            }
        }
    }

    /// A line that this chunk has all of.
    #[inline]
    fn line(&mut self, line: &'c [u8]) -> Option<SseItem<'c>> {
        if line.is_empty() {
            return self.dispatch().map(SseItem::Event);
        }
        let (field, value) = Field::of(line)?;
        if let Err(error) = self.count(field, value) {
            return error.map(SseItem::TooLong);
        }
        match field {
            Field::Data if !self.decoder.has_data => {
                self.decoder.has_data = true;
                self.data = Some(value);
            }
            Field::Data => {
                self.settle_data();
                self.decoder.data.push(b'\n');
                self.decoder.data.extend_from_slice(value);
            }
            Field::Event => (self.event, self.decoder.event) = (Some(value), None),
            Field::Id | Field::Retry => self.decoder.state(field, value),
            Field::Stray => return Some(SseItem::Stray(text(value))),
        }
        None
    }

    /// A line that several chunks have parts of.
    pub(super) fn owned_line(&mut self, mut line: Vec<u8>) -> Option<SseItem<'c>> {
        if line.is_empty() {
            return self.dispatch().map(SseItem::Event);
        }
        let (field, value) = Field::of(&line)?;
        if let Err(error) = self.count(field, value) {
            return error.map(SseItem::TooLong);
        }
        match field {
            Field::Data if !self.decoder.has_data => {
                self.decoder.has_data = true;
                let start = line.len() - value.len();
                line.drain(..start);
                self.decoder.data = line;
            }
            Field::Data => {
                self.settle_data();
                self.decoder.data.push(b'\n');
                self.decoder.data.extend_from_slice(value);
            }
            Field::Event => {
                self.event = None;
                self.decoder.event = Some(text(value).into_owned());
            }
            Field::Id | Field::Retry => self.decoder.state(field, value),
            Field::Stray => return Some(SseItem::Stray(Cow::Owned(into_text(line)))),
        }
        None
    }

    /// Counts a field. It is not to be read if there is no room for it, which is an error the first time.
    #[inline]
    fn count(&mut self, field: Field, value: &[u8]) -> Result<(), Option<TooLong>> {
        let decoder = &mut *self.decoder;
        if value.len() >= decoder.room(field) {
            return Err(decoder.exceed());
        }
        if !decoder.too_long {
            decoder.size += value.len() + 1;
        }
        Ok(())
    }

    /// Copies the line of data that is borrowed from the chunk.
    fn settle_data(&mut self) {
        if let Some(data) = self.data.take().filter(|_| !self.decoder.too_long) {
            self.decoder.data.extend_from_slice(data);
        }
    }

    /// A blank line.
    #[inline]
    fn dispatch(&mut self) -> Option<SseEvent<'c>> {
        let decoder = &mut *self.decoder;
        decoder.start = decoder.offset;
        decoder.size = 0;
        if let Some(id) = decoder.id.take() {
            decoder.last_id = id;
        }
        let event = match (self.event.take(), decoder.event.take()) {
            (Some(name), _) if !name.is_empty() => text(name),
            (None, Some(name)) if !name.is_empty() => Cow::Owned(name),
            _ => Cow::Borrowed("message"),
        };
        let (has_data, data) = (std::mem::take(&mut decoder.has_data), self.data.take());
        if std::mem::take(&mut decoder.too_long) || !has_data {
            return None;
        }
        let data = match data {
            Some(data) => text(data),
            None => Cow::Owned(into_text(std::mem::take(&mut decoder.data))),
        };
        Some(SseEvent { event, data, id: decoder.last_id.clone(), retry: decoder.retry.take() })
    }
}

impl<'c> Iterator for SseEvents<'_, 'c> {
    type Item = Result<SseEvent<'c>, TooLong>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_item()? {
                SseItem::Event(event) => return Some(Ok(event)),
                SseItem::Stray(_) => {}
                SseItem::TooLong(error) => return Some(Err(error)),
            }
        }
    }
}

impl Drop for SseEvents<'_, '_> {
    fn drop(&mut self) {
        while self.next_item().is_some() {}
        // What is borrowed from the chunk outlives it.
        self.settle_data();
        if let Some(name) = self.event.take() {
            self.decoder.event = Some(text(name).into_owned());
        }
    }
}
