//! A server-sent event.

use std::borrow::Cow;
use std::sync::Arc;

/// A server-sent event. Text that lay in one chunk is borrowed from it.
///
/// ```
/// use jsonrill::SseDecoder;
///
/// let mut decoder = SseDecoder::new();
/// let event = decoder.push(b"event: note\nid: 7\ndata: a\ndata: b\n\n").next().unwrap()?;
/// assert_eq!((&*event.event, &*event.data, &*event.id), ("note", "a\nb", "7"));
/// # Ok::<(), jsonrill::TooLong>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SseEvent<'c> {
    /// Its type: `message` where the stream names none.
    pub event: Cow<'c, str>,
    /// Its data: its `data` lines, joined by line feeds.
    pub data: Cow<'c, str>,
    /// The last id of the stream, its own or one before it. Empty where there was none.
    pub id: Arc<str>,
    /// How long to wait before reconnecting, in milliseconds, if the stream has said so since the event before.
    pub retry: Option<u64>,
}

impl SseEvent<'_> {
    /// The same without the chunk that it borrows from.
    #[must_use]
    pub fn into_owned(self) -> SseEvent<'static> {
        SseEvent {
            event: Cow::Owned(self.event.into_owned()),
            data: Cow::Owned(self.data.into_owned()),
            id: self.id,
            retry: self.retry,
        }
    }
}
