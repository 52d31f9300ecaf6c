//! Who is let in: checks that come before any work, and before a byte of a body is read.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, MonotonicClock};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::failure::Failure;
use super::observe::{Carried, Notes};
use super::router::STREAM;
use super::state::App;

/// Refuses what a page of another site sends. On every route.
pub(crate) async fn check_host(State(app): State<App>, request: Request, next: Next) -> Response {
    match app.hosts.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    }
}

/// Asks for a token, where there are any.
pub(crate) async fn check_token(State(app): State<App>, request: Request, next: Next) -> Response {
    match identify(&app, &request) {
        Ok(_) => next.run(request).await,
        Err(failure) => failure.into_response(),
    }
}

/// Asks for a token, and keeps to the rate and to the number of open requests.
pub(crate) async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    let permit = match identify(&app, &request).and_then(|caller| permit(&app, caller, request.uri().path() == STREAM))
    {
        Ok(permit) => permit,
        Err(failure) => return failure.into_response(),
    };
    // The request is open until its response is sent.
    next.run(request).await.map(|body| Carried::body(body, Arc::new(AtomicU64::new(0)), permit))
}

/// Whose token a request has; the first where nobody needs one.
fn identify(app: &App, request: &Request) -> Result<usize, Failure> {
    if app.tokens.is_empty() {
        return Ok(0);
    }
    let unauthorized = |why| Failure::new(StatusCode::UNAUTHORIZED, why);
    let Some(token) = bearer(request.headers()) else {
        return Err(unauthorized("a token is needed: Authorization: Bearer TOKEN"));
    };
    let caller = app.tokens.find(token).ok_or_else(|| unauthorized("the token is not known"))?;
    if let (Some(notes), Some(name)) = (request.extensions().get::<Arc<Notes>>(), app.tokens.name(caller)) {
        let _ = notes.caller.set(name.to_owned());
    }
    Ok(caller)
}

/// The token. Of two, none is taken: whoever stands in front of the service may have looked at the other one.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.as_bytes().split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(token.trim_ascii())
}

fn permit(app: &App, caller: usize, is_stream: bool) -> Result<OwnedSemaphorePermit, Failure> {
    if let Some(rate) = app.rates.get(caller)
        && let Err(until) = rate.check()
    {
        let wait = until.wait_time_from(MonotonicClock.now());
        return Err(Failure::too_many("too many requests in a second", wait.as_secs() + 1));
    }
    let (open, what) = if is_stream {
        (&app.streams, "too many streams are open")
    } else {
        (&app.requests, "too many requests are open")
    };
    Semaphore::try_acquire_owned(Arc::clone(open)).map_err(|_| Failure::too_many(what, 1))
}
