//! How long one event may be.

use std::fmt;

/// The longest event that decoders take unless they are told otherwise: 64 MiB.
pub const MAX_EVENT_BYTES: usize = 64 << 20;

/// An event, a line or an element is longer than the decoder's limit. It is passed over; what follows it is read.
///
/// ```
/// use jsonrill::SseDecoder;
///
/// let mut decoder = SseDecoder::with_limit(8);
/// let events: Vec<_> = decoder.push(b"data: much too long\n\ndata: short\n\n").collect();
/// let error = events[0].as_ref().unwrap_err();
/// assert_eq!((error.offset(), error.limit()), (0, 8));
/// assert_eq!(error.to_string(), "the event at byte 0 is longer than the limit of 8 bytes");
/// assert_eq!(events[1].as_ref().unwrap().data, "short");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    offset: u64,
    limit: usize,
}

impl TooLong {
    pub(super) const fn new(offset: u64, limit: usize) -> Self {
        Self { offset, limit }
    }

    /// Where the event begins in the stream, in bytes.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The limit, in bytes.
    #[must_use]
    pub const fn limit(&self) -> usize {
        self.limit
    }
}

impl fmt::Display for TooLong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the event at byte {} is longer than the limit of {} bytes", self.offset, self.limit)
    }
}

impl std::error::Error for TooLong {}
