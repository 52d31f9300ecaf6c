//! How a stream begins: what is told of one that turns out to be of something else.

use super::Provider;
use super::error::{MessageError, MessageErrorKind};

/// How many bytes of it are kept.
const KEPT: usize = 200;

/// The beginning of a stream.
#[derive(Debug, Default)]
pub(super) struct Opening {
    bytes: Vec<u8>,
    has_payload: bool,
    /// Whose form the first payload has.
    form: Option<Provider>,
}

impl Opening {
    pub(super) fn take(&mut self, chunk: &[u8]) {
        let room = KEPT.saturating_sub(self.bytes.len());
        if room > 0 {
            let chunk = if self.bytes.is_empty() { chunk.trim_ascii_start() } else { chunk };
            self.bytes.extend_from_slice(chunk.get(..room).unwrap_or(chunk));
        }
    }

    pub(super) fn take_payload(&mut self, payload: &str) {
        if !self.has_payload {
            self.has_payload = true;
            self.form = Provider::detect(payload);
        }
    }

    /// What is wrong with a stream that had nothing of a message. `None` if it is only short of it.
    pub(super) fn mistake(&self, provider: Option<Provider>) -> Option<MessageError> {
        let what = match (self.form, provider) {
            (Some(form), Some(provider)) if form == provider => return None,
            (Some(form), Some(provider)) => format!("the stream has the form of {form}, and not of {provider}"),
            _ if self.bytes.is_empty() => return None,
            _ if !self.has_payload => "the stream has no payload".to_owned(),
            (_, Some(provider)) => format!("no payload of the stream has the form of {provider}"),
            (_, None) => "no payload of the stream is of a form that is known".to_owned(),
        };
        let text = String::from_utf8_lossy(&self.bytes);
        Some(MessageError::new(MessageErrorKind::NoMessage, what).about(text))
    }
}
