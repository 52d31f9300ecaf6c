//! How the service says no: one shape for every error.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use super::generate;

/// Why there is not what was asked for. As a response it is empty, until [`render`] has seen which route it is of.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    message: Cow<'static, str>,
    /// How long a model was given, in milliseconds, and what it had said.
    timeout: Option<u64>,
    partial_output: Option<String>,
    /// In how many seconds to ask again.
    retry_after: Option<u64>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into(), timeout: None, partial_output: None, retry_after: None }
    }

    pub(crate) fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// A bad request whose reason another program gives, which may quote what it was given at any length.
    pub(crate) fn misread(what: &str, why: &str) -> Self {
        const MOST: usize = 200;
        let why = match why.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}…", &why[..end]),
            None => why.to_owned(),
        };
        Self::bad_request(format!("{what} is not as it should be: {why}"))
    }

    pub(crate) fn too_many(message: impl Into<Cow<'static, str>>, retry_after: u64) -> Self {
        Self { retry_after: Some(retry_after.max(1)), ..Self::new(StatusCode::TOO_MANY_REQUESTS, message) }
    }

    pub(crate) fn timed_out(message: String) -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, message)
    }

    pub(crate) fn is_timeout(&self) -> bool {
        self.status == StatusCode::REQUEST_TIMEOUT
    }

    pub(crate) fn shutting_down() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the service is shutting down")
    }

    /// The same of a model that was given so many milliseconds.
    pub(crate) fn timeout(mut self, timeout: u64) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The same with what there is of an answer.
    pub(crate) fn partial_output(mut self, text: String) -> Self {
        self.partial_output = (!text.is_empty()).then_some(text);
        self
    }

    /// As it is sent.
    pub(crate) fn body(&self) -> FailureBody<'_> {
        FailureBody {
            code: self.status.as_u16(),
            success: false,
            message: &self.message,
            timeout: self.timeout,
            partial_output: self.partial_output.as_deref(),
        }
    }
}

/// Every error.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Failure)]
pub(crate) struct FailureBody<'a> {
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    code: u16,
    /// Always false.
    success: bool,
    /// What is wrong, for a person.
    message: &'a str,
    /// How long the model was given, in milliseconds. With `/api/generate/cc` always.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    timeout: Option<u64>,
    /// What the model had said, if it had said anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    partial_output: Option<&'a str>,
}

/// How every route of the API may say no. (Its doc comments are the descriptions in the OpenAPI document.)
#[derive(IntoResponses)]
#[expect(dead_code, reason = "the schema of what failures are rendered as")]
pub(crate) enum Refused {
    /// No token, or none that is known
    #[response(status = 401)]
    NoToken(FailureBody<'static>),
    /// A page of another site asks
    #[response(status = 403)]
    OtherSite(FailureBody<'static>),
    /// Too many requests
    #[response(status = 429, headers(("Retry-After" = u64, description = "Seconds")))]
    TooMany(FailureBody<'static>),
}

/// And how those say no that take a text in one piece.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "the schema of what failures are rendered as")]
pub(crate) enum TextRefused {
    /// The body or the query is not as it should be
    #[response(status = 400)]
    Bad(FailureBody<'static>),
    /// The request took too long
    #[response(status = 408)]
    TooLong(FailureBody<'static>),
    /// The body is too large
    #[response(status = 413)]
    TooLarge(FailureBody<'static>),
    /// The body is of another type
    #[response(status = 415)]
    OtherType(FailureBody<'static>),
    /// The service is shutting down
    #[response(status = 503)]
    ShuttingDown(FailureBody<'static>),
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Gives every error of a route the one shape: those of the handlers, and those of the router, which have none.
pub(crate) fn render(response: Response, route: &str) -> Response {
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut parts, _) = response.into_parts();
    let mut failure = parts.extensions.remove::<Failure>().unwrap_or_else(|| Failure::new(status, unsaid(status)));
    if route == generate::PATH {
        failure.timeout.get_or_insert(generate::DEFAULT_TIMEOUT);
        // Its contract knows no other statuses.
        failure.status = match failure.status {
            StatusCode::UNSUPPORTED_MEDIA_TYPE => StatusCode::BAD_REQUEST,
            StatusCode::SERVICE_UNAVAILABLE => StatusCode::INTERNAL_SERVER_ERROR,
            status => status,
        };
    }
    let mut headers = HeaderMap::new();
    if let Some(allow) = parts.headers.remove(ALLOW) {
        headers.insert(ALLOW, allow);
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if failure.status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(seconds) = failure.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    // A struct of numbers and text has a JSON form.
    let body = serde_json::to_vec(&failure.body()).unwrap_or_default();
    headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
    parts.headers = headers;
    parts.status = failure.status;
    Response::from_parts(parts, Body::from(body))
}

/// What is said of an error that says nothing itself.
fn unsaid(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "there is no such route",
        StatusCode::METHOD_NOT_ALLOWED => "the route does not take this method",
        status => status.canonical_reason().unwrap_or("the request failed"),
    }
}
