//! A response that arrives.

use std::collections::VecDeque;

use crate::model::{ModelError, ModelErrorKind, ModelEvent};
use crate::stream::{MessageDecoder, MessageEvent, PayloadDecoder, Provider};

use super::{ApiKey, failure};

/// Bytes in, events out.
#[derive(Debug)]
pub(super) struct Answer {
    decoder: MessageDecoder,
    events: VecDeque<ModelEvent>,
    /// What is behind the events.
    error: Option<ModelError>,
    has_given: bool,
    bytes: u64,
    max_bytes: u64,
    /// What errors do not repeat.
    key: Option<ApiKey>,
}

impl Answer {
    /// A response in the form of this provider, of at most so many bytes.
    pub(super) fn new(provider: Provider, max_bytes: u64, key: Option<ApiKey>) -> Self {
        let payloads = PayloadDecoder::with_limit(usize::try_from(max_bytes).unwrap_or(usize::MAX));
        let mut decoder = MessageDecoder::for_provider(provider).payloads(payloads);
        decoder.leave_json();
        Self { decoder, events: VecDeque::new(), error: None, has_given: false, bytes: 0, max_bytes, key }
    }

    /// Takes a chunk.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        // Up to the limit it is read, however it is cut.
        let room = usize::try_from(self.max_bytes.saturating_sub(self.bytes)).unwrap_or(usize::MAX);
        self.bytes = self.bytes.saturating_add(chunk.len() as u64);
        let read = self.decoder.push(chunk.get(..room).unwrap_or(chunk)).collect();
        self.take(read);
        if chunk.len() > room {
            let what = format!("the response is longer than the limit of {} bytes", self.max_bytes);
            self.error.get_or_insert(ModelError::of_kind(ModelErrorKind::Protocol, what));
        }
    }

    /// Says that no more comes.
    pub(super) fn finish(&mut self) {
        let read = self.decoder.finish().collect();
        self.take(read);
    }

    fn take(&mut self, read: Vec<MessageEvent>) {
        for event in read {
            if self.error.is_some() {
                return;
            }
            match event {
                // More than one is not asked for.
                MessageEvent::Content { choice: 0, text } => self.events.push_back(ModelEvent::Text(text)),
                MessageEvent::Stopped { choice: 0, reason } => self.events.push_back(ModelEvent::Stopped(reason)),
                MessageEvent::Usage(usage) => self.events.push_back(ModelEvent::Usage(usage)),
                MessageEvent::Error(error) if error.kind.loses_text() => {
                    self.error = Some(failure::of_message(&error, self.key.as_ref()));
                }
                _ => {}
            }
        }
    }

    /// The next event, or what is wrong behind all of them.
    pub(super) fn next(&mut self) -> Result<Option<ModelEvent>, ModelError> {
        if let Some(event) = self.events.pop_front() {
            // What it costs counts once however often it is said, and so may come before a failure that is tried again.
            self.has_given |= !matches!(event, ModelEvent::Usage(_));
            return Ok(Some(event));
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(None),
        }
    }

    /// Whether a part of the answer was given out.
    pub(super) fn has_given(&self) -> bool {
        self.has_given
    }

    /// Whether the server has said that this is all.
    pub(super) fn has_ended(&self) -> bool {
        self.decoder.message().is_ended()
    }
}
