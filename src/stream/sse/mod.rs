//! Server-sent events, as the HTML standard has them (section 9.2.6, "Interpreting an event stream").
//!
//! Of the crates that decode them, `sse-stream` 0.3 and `eventsource-stream` 0.2 were run through the vectors in
//! `tests/data/sse-conformance.json` first: the former fails 2 of 34, the latter 5, and is quadratic in the length of a
//! line (`benches/peers/src/stream.rs`).
//!
//! `mod.rs` is what is known between chunks; `events.rs` cuts a chunk into lines and makes events of them; `field.rs`
//! knows what a line says; `event.rs` is what comes out. Bytes flow one way, and none is looked at twice:
//!
//! | where a line lies | what becomes of it |
//! |---|---|
//! | in one chunk | its value is borrowed from the chunk; copied only if another `data` line, or the chunk's end, comes before the blank line |
//! | across chunks | its bytes are collected in `line`, unless it is a comment or an unknown field: those are skipped as they come |
//!
//! To keep the events the same however the stream is cut, limits count what a line *says* and not what is held of it.

mod event;
mod events;
mod field;

use std::borrow::Cow;
use std::sync::Arc;

pub use event::SseEvent;
pub use events::SseEvents;
pub(super) use events::SseItem;

use super::limit::{MAX_EVENT_BYTES, TooLong};
use super::text::{into_text, text};
use field::{Field, LONGEST_NAME};

/// Decodes server-sent events from bytes that arrive in chunks cut anywhere.
///
/// It follows the HTML standard: a byte order mark, lines that end in CR, LF or CRLF, comments, `data` over several
/// lines, `event`, `id` and `retry`. What is no UTF-8 becomes U+FFFD. Where the stream is cut never matters.
///
/// ```
/// use jsonrill::SseDecoder;
///
/// let mut decoder = SseDecoder::new();
/// let mut events = decoder.push(b"event: delta\nid: 7\ndata: {\"text\":\"Hi\"}\n\ndata: [DO");
/// let event = events.next().unwrap()?;
/// assert_eq!((&*event.event, &*event.data, &*event.id), ("delta", r#"{"text":"Hi"}"#, "7"));
/// assert!(events.next().is_none());
/// drop(events);
///
/// let event = decoder.push(b"NE]\n\n").next().unwrap()?;
/// assert_eq!((&*event.event, &*event.data), ("message", "[DONE]"));
/// # Ok::<(), jsonrill::TooLong>(())
/// ```
///
/// # Complexity
///
/// O(bytes), however they are cut. An event whose data is one line in one chunk is borrowed from the chunk; others are
/// copied once. Memory is that of one event, which is bounded ([`SseDecoder::with_limit`]).
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about the line and the event that are read")]
pub struct SseDecoder {
    limit: usize,
    /// How many bytes of a byte order mark were read; 3 behind it, and where there is none.
    bom: usize,
    /// A CR ended the last line, so that a LF does not end another.
    after_cr: bool,
    /// The line that the chunks so far have not ended.
    line: Vec<u8>,
    /// That line says nothing: the rest of it is not kept.
    skip_line: bool,
    /// The lines of data of the event that is read, where they were copied.
    data: Vec<u8>,
    has_data: bool,
    event: Option<String>,
    /// What the fields of the event amount to, in bytes.
    size: usize,
    too_long: bool,
    /// An id that the next blank line makes the last one.
    id: Option<Arc<str>>,
    last_id: Arc<str>,
    /// A reconnection time that no event has carried yet.
    retry: Option<u64>,
    reconnection_time: Option<u64>,
    /// Bytes of the stream so far.
    offset: u64,
    /// Where the event begins.
    start: u64,
}

impl Default for SseDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl SseDecoder {
    /// A decoder for events of up to [`MAX_EVENT_BYTES`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(MAX_EVENT_BYTES)
    }

    /// A decoder for events of up to `limit` bytes, which is the sum over its fields of the length of the value and 1.
    /// One that is longer is an error, and passed over.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self {
            limit,
            bom: 0,
            after_cr: false,
            line: Vec::new(),
            skip_line: false,
            data: Vec::new(),
            has_data: false,
            event: None,
            size: 0,
            too_long: false,
            id: None,
            last_id: Arc::default(),
            retry: None,
            reconnection_time: None,
            offset: 0,
            start: 0,
        }
    }

    /// Takes a chunk, and gives the events that it ends.
    ///
    /// The chunk is read as the iterator is asked; what is left when it is dropped is read then, and its events are
    /// lost.
    ///
    /// # Errors
    ///
    /// An item is [`TooLong`] for an event beyond the limit. What follows it is read.
    pub fn push<'d, 'c>(&'d mut self, chunk: &'c [u8]) -> SseEvents<'d, 'c> {
        SseEvents::new(self, chunk)
    }

    /// Says that the stream has ended, and gives the event that it broke off in: the one that has data but no blank
    /// line behind it. The standard drops it, for nobody knows whether it is whole; servers that forget the last blank
    /// line exist.
    ///
    /// The decoder is as new afterwards, but for [`SseDecoder::last_event_id`] and
    /// [`SseDecoder::reconnection_time`], which a reconnection needs.
    pub fn finish(&mut self) -> Option<SseEvent<'static>> {
        match self.end()? {
            SseItem::Event(event) => Some(event),
            SseItem::Stray(_) | SseItem::TooLong(_) => None,
        }
    }

    /// What the stream broke off in, with what the standard passes over.
    pub(in crate::stream) fn end(&mut self) -> Option<SseItem<'static>> {
        // What was read of a line is all that there will be of it.
        let line = std::mem::take(&mut self.line);
        let mut events = self.push(b"");
        let item = if line.is_empty() { None } else { events.owned_line(line) };
        drop(events);
        let event = SseEvent {
            event: self.event.take().map_or(Cow::Borrowed("message"), Cow::Owned),
            data: Cow::Owned(into_text(std::mem::take(&mut self.data))),
            id: self.id.take().unwrap_or_else(|| self.last_id.clone()),
            retry: self.retry.take(),
        };
        let is_event = self.has_data && !self.too_long;
        *self = Self {
            last_id: self.last_id.clone(),
            reconnection_time: self.reconnection_time,
            ..Self::with_limit(self.limit)
        };
        item.or_else(|| is_event.then_some(SseItem::Event(event)))
    }

    /// The id that a reconnection asks to go on behind: that of the last block that a blank line ended, or of one
    /// before it. Empty where there was none.
    #[must_use]
    pub fn last_event_id(&self) -> &str {
        &self.last_id
    }

    /// How long a client should wait before it reconnects, in milliseconds, where the stream has said so.
    #[must_use]
    pub const fn reconnection_time(&self) -> Option<u64> {
        self.reconnection_time
    }

    /// Keeps a part of a line that the chunk does not end.
    fn keep(&mut self, part: &[u8]) -> Option<TooLong> {
        if self.skip_line {
            return None;
        }
        self.line.extend_from_slice(part);
        if self.line.len() < LONGEST_NAME {
            return None;
        }
        let error = match Field::of(&self.line) {
            Some((field, value)) if value.len() < self.room(field) => return None,
            Some(_) => self.exceed(),
            None => None,
        };
        self.skip_line = true;
        self.line = Vec::new();
        error
    }

    /// Values shorter than this are read.
    fn room(&self, field: Field) -> usize {
        match field {
            _ if !self.too_long => self.limit.saturating_sub(self.size),
            // They are about the stream, and outlive the event.
            Field::Id | Field::Retry => self.limit,
            Field::Data | Field::Event | Field::Stray => 0,
        }
    }

    /// The event is beyond the limit. An error the first time.
    #[cold]
    fn exceed(&mut self) -> Option<TooLong> {
        self.data = Vec::new();
        self.event = None;
        let is_new = !std::mem::replace(&mut self.too_long, true);
        is_new.then(|| TooLong::new(self.start, self.limit))
    }

    /// A field that is about the stream and not about the event.
    fn state(&mut self, field: Field, value: &[u8]) {
        if field == Field::Id {
            if memchr::memchr(0, value).is_none() {
                self.id = Some(text(value).into());
            }
            return;
        }
        if !value.is_empty() && value.iter().all(u8::is_ascii_digit) {
            let digit = |time: u64, digit: &u8| time.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            let time = value.iter().fold(0, digit);
            self.retry = Some(time);
            self.reconnection_time = Some(time);
        }
    }
}
