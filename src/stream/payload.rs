//! What providers send, whatever it comes over: the payload of an event, a line, or an element.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::IgnoredAny;

use crate::document::BOM;
use crate::parser::{Complete, End, Incomplete, Options, Parser, RepairKind};

use super::array::JsonArrayDecoder;
use super::cutter::JsonTexts;
use super::limit::TooLong;
use super::ndjson::NdjsonDecoder;
use super::sse::{SseDecoder, SseEvents, SseItem};

/// What payloads come over.
///
/// ```
/// use jsonrill::{PayloadDecoder, Wire};
///
/// let mut decoder = PayloadDecoder::for_wire(Wire::Ndjson);
/// assert_eq!(decoder.push(b"{\"a\":1}\n").next().unwrap()?.data, "{\"a\":1}");
/// assert_eq!(Wire::JsonArray.as_str(), "json_array");
/// # Ok::<(), jsonrill::TooLong>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wire {
    /// Server-sent events.
    Sse,
    /// JSON texts on lines.
    Ndjson,
    /// The elements of one array.
    JsonArray,
}

impl Wire {
    /// What a stream is that begins with these bytes: an array with `[`, lines with `{`, else server-sent events.
    /// `None` while there are only blanks.
    ///
    /// ```
    /// use jsonrill::Wire;
    ///
    /// assert_eq!(Wire::detect(b"\n[{\"candidates\""), Some(Wire::JsonArray));
    /// assert_eq!(Wire::detect(b"{\"model\": "), Some(Wire::Ndjson));
    /// assert_eq!(Wire::detect(b": ping\n\n"), Some(Wire::Sse));
    /// assert_eq!(Wire::detect(b"\r\n"), None);
    /// ```
    #[must_use]
    pub fn detect(start: &[u8]) -> Option<Self> {
        Some(match start.get(blanks(start))? {
            b'[' => Self::JsonArray,
            b'{' => Self::Ndjson,
            _ => Self::Sse,
        })
    }

    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sse => "sse",
            Self::Ndjson => "ndjson",
            Self::JsonArray => "json_array",
        }
    }
}

crate::names::named!(Wire);

/// How many bytes stand before the first that says something: blanks, and those of a byte order mark.
fn blanks(start: &[u8]) -> usize {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || BOM.contains(byte);
    start.iter().take_while(|byte| is_blank(byte)).count()
}

/// With what OpenAI and others end a stream.
const DONE: &str = "[DONE]";

/// A payload: text that should be JSON, or an end marker.
///
/// ```
/// use jsonrill::PayloadDecoder;
///
/// let mut decoder = PayloadDecoder::new();
/// let payload = decoder.push(b"event: note\ndata: {\"n\": 1}\n\n").next().unwrap()?;
/// assert_eq!((payload.event.as_deref(), &*payload.data, payload.is_done()), (Some("note"), "{\"n\": 1}", false));
/// assert_eq!(payload.parse().unwrap().at("/n"), 1);
/// # Ok::<(), jsonrill::TooLong>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Payload<'c> {
    /// The type of the server-sent event that carried it.
    pub event: Option<Cow<'c, str>>,
    /// That event's id; empty where there was none.
    pub id: Option<Arc<str>>,
    /// Its text.
    pub data: Cow<'c, str>,
}

impl Payload<'_> {
    /// Whether it is `[DONE]`, with which OpenAI and others end a stream.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.data.trim() == DONE
    }

    /// The same without the chunk that it borrows from.
    #[must_use]
    pub fn into_owned(self) -> Payload<'static> {
        Payload {
            event: self.event.map(|event| Cow::Owned(event.into_owned())),
            id: self.id,
            data: Cow::Owned(self.data.into_owned()),
        }
    }

    /// What its text says. It has to be RFC 8259, but for control characters in strings, which some servers do not
    /// escape, and half surrogate pairs, which become U+FFFD.
    ///
    /// # Errors
    ///
    /// [`Incomplete`], with what is wrong and where, and all that was read before it.
    pub fn parse(&self) -> Result<Complete, Incomplete> {
        parse(&self.data)
    }
}

/// Reads a payload's text: see [`Payload::parse`].
pub(super) fn parse(text: &str) -> Result<Complete, Incomplete> {
    let read = |options| {
        let mut parser = Parser::with_options(options);
        parser.push(text);
        parser.finish(End::Stopped)
    };
    read(Options::strict()).into_complete().or_else(|error| {
        let lenient = read(Options::new());
        let is_close = lenient.skipped().is_empty()
            && lenient.repairs().iter().all(|repair| repair.kind == RepairKind::ControlCharacter);
        if is_close { lenient.into_complete().map_err(|_| error) } else { Err(error) }
    })
}

/// Decodes payloads from bytes that arrive in chunks cut anywhere, whatever they come over.
///
/// ```
/// use jsonrill::PayloadDecoder;
///
/// let mut decoder = PayloadDecoder::new();
/// for item in decoder.push(b"event: ping\ndata: {\"n\": 1}\n\ndata: [DONE]\n\n") {
///     let payload = item?;
///     if !payload.is_done() {
///         assert_eq!(payload.event.as_deref(), Some("ping"));
///         assert_eq!(payload.parse()?.at("/n"), 1);
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Some servers depart from the standard, and are understood: two payloads on adjacent `data` lines are two payloads, a
/// doubled `data:` is one, a line of bare JSON among events is a payload, and a body of JSON in place of events is read
/// as what it is.
#[derive(Debug, Clone)]
pub struct PayloadDecoder {
    limit: usize,
    decoder: Decoder,
    /// It is known what the stream is. Until then it is read as events, in which blanks do nothing.
    is_certain: bool,
    /// Bytes that stood before that.
    skipped: u64,
}

#[derive(Debug, Clone)]
enum Decoder {
    Sse(SseDecoder),
    Ndjson(NdjsonDecoder),
    JsonArray(JsonArrayDecoder),
}

impl Decoder {
    fn new(wire: Wire, limit: usize) -> Self {
        match wire {
            Wire::Sse => Self::Sse(SseDecoder::with_limit(limit)),
            Wire::Ndjson => Self::Ndjson(NdjsonDecoder::with_limit(limit)),
            Wire::JsonArray => Self::JsonArray(JsonArrayDecoder::with_limit(limit)),
        }
    }
}

impl Default for PayloadDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl PayloadDecoder {
    /// A decoder that sees from the first byte what the stream is: see [`Wire::detect`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(super::MAX_EVENT_BYTES)
    }

    /// The same for payloads of up to `limit` bytes. One that is longer is an error, and passed over.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self { limit, decoder: Decoder::new(Wire::Sse, limit), is_certain: false, skipped: 0 }
    }

    /// A decoder for what comes over this. [`Wire::Sse`] is left if the stream begins as JSON does, for an event stream
    /// never does.
    #[must_use]
    pub fn for_wire(wire: Wire) -> Self {
        let decoder = Self::new();
        Self { decoder: Decoder::new(wire, decoder.limit), is_certain: wire != Wire::Sse, ..decoder }
    }

    /// Takes a chunk, and gives the payloads that it ends.
    ///
    /// # Errors
    ///
    /// An item is [`TooLong`] for a payload beyond the limit. What follows it is read.
    pub fn push<'d, 'c>(&'d mut self, chunk: &'c [u8]) -> Payloads<'d, 'c> {
        let mut chunk = chunk;
        if !self.is_certain {
            let wire = Wire::detect(chunk);
            self.is_certain = wire.is_some();
            if let Some(wire @ (Wire::Ndjson | Wire::JsonArray)) = wire {
                self.decoder = Decoder::new(wire, self.limit);
                let (before, rest) = chunk.split_at_checked(blanks(chunk)).unwrap_or((&[], chunk));
                self.skipped += before.len() as u64;
                chunk = rest;
            } else if wire.is_none() {
                self.skipped += chunk.len() as u64;
            } else {
                // The event decoder has counted them.
                self.skipped = 0;
            }
        }
        let source = match &mut self.decoder {
            Decoder::Sse(decoder) => Source::Events(decoder.push(chunk)),
            Decoder::Ndjson(decoder) => Source::Texts(decoder.push(chunk)),
            Decoder::JsonArray(decoder) => Source::Texts(decoder.push(chunk)),
        };
        Payloads { source, skipped: self.skipped, more: Vec::new() }
    }

    /// Says that the stream has ended, and gives the payloads that nothing ended: the last line of a file, or an
    /// event without a blank line behind it, if it is whole JSON or an end marker.
    ///
    /// # Errors
    ///
    /// [`Unended`] if the stream broke off inside a payload, or before an array was closed.
    pub fn finish(&mut self) -> Result<Vec<Payload<'static>>, Unended> {
        let (payload, is_open) = match &mut self.decoder {
            Decoder::Sse(decoder) => (decoder.end().and_then(payload), false),
            Decoder::Ndjson(decoder) => (decoder.finish().map(plain), false),
            Decoder::JsonArray(decoder) => {
                let is_open = !decoder.is_closed();
                (decoder.finish().map(plain), is_open)
            }
        };
        let payloads = payload.map(several).unwrap_or_default();
        if payloads.iter().all(|payload| !is_open && (payload.is_done() || payload.parse().is_ok())) {
            return if is_open { Err(Unended { text: String::new() }) } else { Ok(payloads) };
        }
        Err(Unended { text: payloads.into_iter().map(|payload| payload.data).collect() })
    }
}

/// The stream broke off inside a payload.
///
/// ```
/// use jsonrill::PayloadDecoder;
///
/// let mut decoder = PayloadDecoder::new();
/// assert_eq!(decoder.push(b"data: 1\n\ndata: {\"b").count(), 1);
/// assert_eq!(decoder.finish().unwrap_err().text(), "{\"b");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unended {
    text: String,
}

impl Unended {
    /// What there is of the payload; empty where it broke off between two.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Unended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text.is_empty() {
            return formatter.write_str("the stream ended before its array did");
        }
        write!(formatter, "the stream ended inside a payload, {} bytes into it", self.text.len())
    }
}

impl std::error::Error for Unended {}

/// The payloads that a chunk ends. Made by [`PayloadDecoder::push`].
///
/// ```
/// use jsonrill::PayloadDecoder;
///
/// let mut decoder = PayloadDecoder::new();
/// assert_eq!(decoder.push(b"data: 1\n\ndata: 2\n\ndata: ").count(), 2);
/// ```
#[derive(Debug)]
pub struct Payloads<'d, 'c> {
    source: Source<'d, 'c>,
    skipped: u64,
    /// Further payloads of the event that was read last, the next one last.
    more: Vec<Payload<'c>>,
}

#[derive(Debug)]
enum Source<'d, 'c> {
    Events(SseEvents<'d, 'c>),
    Texts(JsonTexts<'d, 'c>),
}

impl<'c> Iterator for Payloads<'_, 'c> {
    type Item = Result<Payload<'c>, TooLong>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(payload) = self.more.pop() {
                return Some(Ok(payload));
            }
            let item = match &mut self.source {
                Source::Texts(texts) => texts.next()?.map(plain),
                Source::Events(events) => match events.next_item()? {
                    SseItem::TooLong(error) => Err(error),
                    item => match payload(item) {
                        Some(payload) => Ok(payload),
                        None => continue,
                    },
                },
            };
            return Some(match item {
                Ok(payload) if memchr::memchr(b'\n', payload.data.as_bytes()).is_some() => {
                    self.more = several(payload);
                    self.more.reverse();
                    continue;
                }
                Ok(payload) => Ok(payload),
                Err(error) => Err(TooLong::new(error.offset().saturating_add(self.skipped), error.limit())),
            });
        }
    }
}

fn plain<'c>(data: impl Into<Cow<'c, str>>) -> Payload<'c> {
    Payload { event: None, id: None, data: undoubled(data.into()) }
}

fn payload(item: SseItem<'_>) -> Option<Payload<'_>> {
    match item {
        SseItem::Event(event) => {
            Some(Payload { event: Some(event.event), id: Some(event.id), data: undoubled(event.data) })
        }
        SseItem::Stray(data) => Some(plain(data)),
        SseItem::TooLong(_) => None,
    }
}

/// Without a second `data:` before JSON or an end marker, which a proxy that wraps events in events leaves there.
fn undoubled(data: Cow<'_, str>) -> Cow<'_, str> {
    let rest = |data: &str| {
        let rest = data.strip_prefix("data:")?.trim_start();
        rest.starts_with(['{', '[']).then_some(data.len() - rest.len())
    };
    match (rest(&data), data) {
        (None, data) => data,
        (Some(start), Cow::Borrowed(data)) => Cow::Borrowed(data.get(start..).unwrap_or_default()),
        (Some(start), Cow::Owned(mut data)) => {
            data.drain(..start);
            Cow::Owned(data)
        }
    }
}

/// How long an event's type may be that each of several payloads is given.
const LONGEST_TYPE: usize = 128;

/// The payloads of an event over several lines: each of its lines if each is a JSON object or an end marker, else one.
fn several(payload: Payload<'_>) -> Vec<Payload<'_>> {
    let one = |line: &str| Payload {
        data: Cow::Owned(line.to_owned()),
        event: payload.event.clone(),
        id: payload.id.clone(),
    };
    let lines = || payload.data.lines().map(str::trim).filter(|line| !line.is_empty());
    // Cheap where it is no such event: the first line of one that is laid out is no object.
    let has_type = payload.event.as_ref().is_none_or(|event| event.len() <= LONGEST_TYPE);
    let are_payloads = has_type
        && lines().nth(1).is_some()
        && lines().all(|line| line == DONE || line.starts_with('{') && is_json(line));
    if are_payloads { lines().map(one).collect() } else { vec![payload] }
}

/// Whether a text is one whole JSON text.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}
