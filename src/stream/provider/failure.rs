//! An error as providers write it.

use serde::Deserialize;

use super::error::{MessageError, MessageErrorKind};
use super::loose::{Raw, Text};

/// The `error` of a payload: an object with a message and a code, a type or a status; or a string; or what else one
/// comes up with.
pub(super) struct Failure<'a>(&'a str);

#[derive(Deserialize, Default)]
#[serde(default)]
struct Fields<'a> {
    #[serde(borrow)]
    message: Text<'a>,
    #[serde(borrow)]
    code: Raw<'a>,
    #[serde(borrow)]
    status: Text<'a>,
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
}

impl<'a> Failure<'a> {
    /// None where there is no error: null, false, an empty string.
    pub(super) fn of(error: Raw<'a>) -> Option<Self> {
        error.json().filter(|json| !matches!(*json, "false" | "\"\"" | "{}")).map(Self)
    }

    /// The payload itself is one.
    pub(super) fn is(payload: &'a str) -> Self {
        Self(payload.trim())
    }

    pub(super) fn into_error(self) -> MessageError {
        let error = if let Ok(text) = serde_json::from_str::<Text>(self.0).map(|text| text.0)
            && !text.is_empty()
        {
            MessageError::new(MessageErrorKind::Provider, text)
        } else {
            let fields: Fields = serde_json::from_str(self.0).unwrap_or_default();
            let code = fields.code.string().or(fields.code.json().map(Into::into));
            let code = code.into_iter().chain([fields.kind.0, fields.status.0]).find(|code| !code.is_empty());
            let message = if fields.message.is_empty() { "the provider reported an error" } else { &fields.message };
            MessageError { code: code.map(Into::into), ..MessageError::new(MessageErrorKind::Provider, message) }
        };
        error.about(self.0)
    }
}
