//! What kind of failure it is, and what is told of it.

use std::time::Duration;

use crate::model::{ModelError, ModelErrorKind};
use crate::stream::{MessageDecoder, MessageError, MessageErrorKind};

use super::ApiKey;
use super::address::Address;

/// How much of a server's words is told, in characters.
const TOLD: usize = 1000;

/// The error of a response with a status that is none of success, and this at the start of its body.
pub(super) fn of_status(status: u16, body: &[u8], key: Option<&ApiKey>) -> ModelError {
    let kind = match status {
        401 | 403 => ModelErrorKind::Unauthorized,
        408 => ModelErrorKind::Timeout,
        429 => ModelErrorKind::RateLimited,
        // One that goes elsewhere would go there again.
        300..=499 => ModelErrorKind::Rejected,
        500.. => ModelErrorKind::Unavailable,
        _ => ModelErrorKind::Protocol,
    };
    let name = reqwest::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    let name = name.map(|name| format!(" {name}")).unwrap_or_default();
    let mut what = format!("the server answers {status}{name}");
    if (300..400).contains(&status) {
        what.push_str(", and redirects are not followed");
    }
    let said = said(body, key);
    if !said.is_empty() {
        what.push_str(": ");
        what.push_str(&said);
    }
    ModelError::of_kind(kind, what).with_status(status)
}

/// What a server says in the body of an error: its message if it is JSON that has one, else the text. Nothing of a
/// page.
fn said(body: &[u8], key: Option<&ApiKey>) -> String {
    let mut decoder = MessageDecoder::new();
    decoder.push(body);
    decoder.finish();
    let error = decoder.message().errors().iter().find(|error| error.kind == MessageErrorKind::Provider);
    if let Some(error) = error {
        return told(error, key);
    }
    let text = String::from_utf8_lossy(body);
    if text.trim_start().starts_with('<') { String::new() } else { short(&text, key) }
}

/// What is told of an error in a stream.
fn told(error: &MessageError, key: Option<&ApiKey>) -> String {
    // An error without a message that is known is told as it came.
    let text = error.text.as_deref().filter(|_| error.message == NO_MESSAGE);
    text.map_or_else(|| short(&error.to_string(), key), |text| short(text, key))
}

/// The message of an error of a provider that has none.
const NO_MESSAGE: &str = "the provider reported an error";

/// On one line, not too long, and without the key, which some servers repeat.
fn short(text: &str, key: Option<&ApiKey>) -> String {
    let text = key.map_or_else(|| text.to_owned(), |key| key.hide(text));
    let mut words = String::new();
    for word in text.split(|character: char| character.is_whitespace() || character.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if let Some((end, _)) = words.char_indices().nth(TOLD) {
            words.truncate(end);
            words.push('…');
            break;
        }
    }
    words
}

/// The error of a response that began well.
pub(super) fn of_message(error: &MessageError, key: Option<&ApiKey>) -> ModelError {
    let (kind, what) = match error.kind {
        MessageErrorKind::Provider => (of_code(error.code.as_deref().unwrap_or_default()), "the server breaks off"),
        MessageErrorKind::Unended => (ModelErrorKind::Interrupted, "the response breaks off"),
        _ => (ModelErrorKind::Protocol, "the response is none of a model"),
    };
    let mut what = format!("{what}: {}", told(error, key));
    if let (true, Some(text)) = (kind == ModelErrorKind::Protocol, &error.text) {
        what.push_str(": ");
        what.push_str(&short(text, key));
    }
    ModelError::of_kind(kind, what)
}

/// What kind the provider's code for an error is.
fn of_code(code: &str) -> ModelErrorKind {
    match code {
        "rate_limit_error" | "rate_limit_exceeded" | "429" => ModelErrorKind::RateLimited,
        "authentication_error" | "permission_error" | "invalid_api_key" | "401" | "403" => ModelErrorKind::Unauthorized,
        "invalid_request_error"
        | "not_found_error"
        | "request_too_large"
        | "context_length_exceeded"
        | "400"
        | "404"
        | "413"
        | "422" => ModelErrorKind::Rejected,
        "timeout_error" => ModelErrorKind::Timeout,
        _ => ModelErrorKind::Unavailable,
    }
}

/// The error of a request that did not get through, or of a response that was lost.
pub(super) fn of_transport(error: reqwest::Error, address: &Address, has_begun: bool) -> ModelError {
    // Where the request went may have a key in it.
    let error = error.without_url();
    let host = address.host();
    let (kind, what) = if error.is_connect() && error.is_timeout() {
        (ModelErrorKind::Connect, format!("{host} was not reached in time"))
    } else if error.is_connect() {
        (ModelErrorKind::Connect, format!("{host} was not reached: {}", innermost(&error)))
    } else if error.is_builder() {
        (ModelErrorKind::Setup, format!("the request cannot be made: {}", innermost(&error)))
    } else if has_begun {
        (ModelErrorKind::Interrupted, format!("the connection to {host} was lost: {}", innermost(&error)))
    } else {
        (ModelErrorKind::Interrupted, format!("{host} gives no response: {}", innermost(&error)))
    };
    ModelError::of_kind(kind, what).with_source(error)
}

/// What an error comes down to.
fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    short(&error.to_string(), None)
}

/// The error of one that took too long.
pub(super) fn timeout(what: &str, time: Duration) -> ModelError {
    ModelError::of_kind(ModelErrorKind::Timeout, format!("{what} within {time:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says() {
        for (status, body, kind, message) in [
            (
                401,
                r#"{"error": {"message": "no such\nkey", "type": "invalid_request_error", "code": "invalid_api_key"}}"#,
                ModelErrorKind::Unauthorized,
                "the server answers 401 Unauthorized: no such key (invalid_api_key)",
            ),
            (
                529,
                r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#,
                ModelErrorKind::Unavailable,
                "the server answers 529: Overloaded (overloaded_error)",
            ),
            (
                404,
                r#"{"error": "no such model"}"#,
                ModelErrorKind::Rejected,
                "the server answers 404 Not Found: no such model",
            ),
            (
                422,
                r#"{"detail": "too long"}"#,
                ModelErrorKind::Rejected,
                r#"the server answers 422 Unprocessable Entity: {"detail": "too long"}"#,
            ),
            (
                400,
                r#"{"error": {"detail": "too long"}}"#,
                ModelErrorKind::Rejected,
                r#"the server answers 400 Bad Request: {"detail": "too long"}"#,
            ),
            (502, "<html>\r\n<h1>502</h1>", ModelErrorKind::Unavailable, "the server answers 502 Bad Gateway"),
            (
                503,
                " try\tlater\u{1b}[2J ",
                ModelErrorKind::Unavailable,
                "the server answers 503 Service Unavailable: try later [2J",
            ),
            (429, "", ModelErrorKind::RateLimited, "the server answers 429 Too Many Requests"),
            (
                307,
                "",
                ModelErrorKind::Rejected,
                "the server answers 307 Temporary Redirect, and redirects are not followed",
            ),
        ] {
            let error = of_status(status, body.as_bytes(), None);
            assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
            assert_eq!(error.status(), Some(status));
        }
    }

    #[test]
    fn not_all_that_it_says() {
        for body in ["x".repeat(1 << 16), format!(r#"{{"error": {{"message": "{}"}}}}"#, "y ".repeat(1 << 15))] {
            let told = of_status(500, body.as_bytes(), None).to_string();
            assert!(told.chars().count() < TOLD + 60 && told.ends_with('…'), "{told}");
        }
    }
}
