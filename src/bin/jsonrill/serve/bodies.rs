//! Bodies of requests: as far as they may go, and what they are.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use axum::http::{HeaderMap, StatusCode};
use bytes::BytesMut;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;

use super::failure::Failure;
use super::state::App;

/// How much of a body that is too large is read and thrown away. A client that has sent all of it reads the response;
/// one that is cut off while it sends may not.
const DRAINED: usize = 64 << 20;

/// What a body is.
#[derive(Debug)]
pub(crate) enum Given<T> {
    /// An object with the text in it, and what to do with it.
    Json(T),
    /// The text itself.
    Text(Bytes),
}

/// Reads a body that is JSON or a text.
pub(crate) async fn given<T: DeserializeOwned>(app: &App, request: Request) -> Result<Given<T>, Failure> {
    let kind = Kind::of(request.headers())?;
    let is_said = request.headers().contains_key(CONTENT_TYPE);
    let body = read(app, request).await?;
    if body.is_empty() && !is_said {
        return Err(Failure::bad_request("there is no body"));
    }
    Ok(match kind {
        Kind::Json => Given::Json(json(&body)?),
        Kind::Text => Given::Text(body),
    })
}

/// Reads a body that is JSON.
pub(crate) async fn json_bytes(app: &App, request: Request) -> Result<Bytes, Failure> {
    match Kind::of(request.headers())? {
        Kind::Json => read(app, request).await,
        Kind::Text => Err(unsupported("the body must be application/json")),
    }
}

/// Reads JSON.
pub(crate) fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| {
        let why = error.to_string();
        // The place stands last, where what is quoted before it may leave no room. Some errors have none.
        let place = format!(" at line {} column {}", error.line(), error.column());
        match why.strip_suffix(&place) {
            Some(why) => Failure::misread(&format!("the body{place}"), why),
            None => Failure::misread("the body", &why),
        }
    })
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Json,
    Text,
}

impl Kind {
    /// What the head says. A body of which it says nothing is text, if there is one.
    fn of(headers: &HeaderMap) -> Result<Self, Failure> {
        is_plain(headers)?;
        let Some(value) = headers.get(CONTENT_TYPE) else { return Ok(Self::Text) };
        let value = value.to_str().unwrap_or_default().to_ascii_lowercase();
        let name = value.split(';').next().unwrap_or_default().trim();
        match name {
            "application/json" => Ok(Self::Json),
            "application/octet-stream" => Ok(Self::Text),
            _ if name.starts_with("text/") => Ok(Self::Text),
            _ => Err(unsupported("the body must be application/json, text/plain or application/octet-stream")),
        }
    }
}

/// Refuses a body that is compressed: as it stands it would be a text that is very damaged.
pub(crate) fn is_plain(headers: &HeaderMap) -> Result<(), Failure> {
    match headers.get(CONTENT_ENCODING) {
        Some(encoding) if !encoding.as_bytes().eq_ignore_ascii_case(b"identity") => {
            Err(unsupported("the body must not be compressed"))
        }
        _ => Ok(()),
    }
}

fn unsupported(why: &'static str) -> Failure {
    Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why)
}

/// Reads a body to its end.
pub(crate) async fn read(app: &App, request: Request) -> Result<Bytes, Failure> {
    let max = app.limits.max_body;
    let headers = request.headers();
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let waits = headers.contains_key(EXPECT);
    let body = request.into_body();
    if length.is_some_and(|length| length > max as u64) {
        // Who waits for a word to begin is told at once.
        if !waits {
            drain(body, DRAINED).await;
        }
        return Err(too_large(max));
    }
    let mut whole = BytesMut::new();
    let mut body = body.into_data_stream();
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|_| Failure::bad_request("the body breaks off"))?;
        if piece.len() > max - whole.len() {
            drain(Body::from_stream(body), DRAINED).await;
            return Err(too_large(max));
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.freeze())
}

fn too_large(max: usize) -> Failure {
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body is larger than {max} bytes"))
}

async fn drain(body: Body, mut most: usize) {
    let mut body = body.into_data_stream();
    while let Some(Ok(piece)) = body.next().await {
        let Some(left) = most.checked_sub(piece.len()) else { return };
        most = left;
    }
}
