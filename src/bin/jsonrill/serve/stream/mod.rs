//! `POST /api/stream`: what is known of an answer while it comes in.

mod live;

use std::convert::Infallible;
use std::num::{NonZeroU32, NonZeroUsize};
use std::option;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, EXPECT};
use axum::response::{IntoResponse, Response};
use futures_util::stream::Chain;
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use tokio::task;
use tokio::time::{Instant, Sleep, sleep_until, timeout};
use utoipa::{IntoParams, ToSchema};

use self::live::{Live, Plan};
use super::bodies::is_plain;
use super::failure::{Failure, FailureBody, Refused};
use super::metrics::OpenStream;
use super::reading::{query, reading, size};
use super::state::App;
use crate::input::Format;
use crate::lines::Detail;
use crate::options::{Dialect, Duplicates, End, Role, Roots};
use crate::stream::Speaker;

/// What is read and thrown away of a stream that was ended from here, and for how long: a client that is still sending
/// would else not see why it ended.
const DRAINED: usize = 64 << 20;
const DRAINING: Duration = Duration::from_secs(5);

/// A server-sent event.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what is written piece by piece")]
pub(crate) struct StreamEvent {
    /// `update`, `warning`, `end` or `error`.
    event: String,
    /// JSON.
    data: String,
}

// Some are those of `ReadingParams`, which cannot be flattened into this: serde would allow names that are none.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StreamParams {
    /// What the body is. The text itself when missing.
    #[param(inline, required = false)]
    input: Format,
    /// Whose form a provider's stream has; it is seen from the stream when missing.
    provider: Option<String>,
    /// How strict to read. Lenient when missing.
    #[param(inline, required = false)]
    dialect: Dialect,
    /// Which JSON texts in the input are the answer. The first when missing.
    #[param(inline, required = false)]
    roots: Roots,
    /// What the text is for. An answer when missing.
    #[param(inline, required = false)]
    role: Role,
    /// With `role=arguments`: which tool call of a provider's stream is read, from 0. The first when missing.
    #[param(maximum = 4_294_967_295_u32)]
    call: Option<u32>,
    /// What becomes of a key that an object has twice. The first stays when missing.
    #[param(inline, required = false)]
    duplicates: Duplicates,
    /// Why the text ends where it does. Unknown when missing; then a provider's word counts.
    #[param(inline, required = false)]
    end: End,
    /// What to send: `lines` has all that is known in every update, `deltas` what is new, `final` the last event alone.
    /// Deltas when missing.
    #[param(inline)]
    emit: Option<Detail>,
    /// Cut the text into pieces of this many bytes. When missing each piece that comes in is one, and of a provider's
    /// stream each piece that the provider sends.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4_294_967_295_u32)]
    chunk: Option<NonZeroU32>,
}

impl StreamParams {
    fn plan(self) -> Result<Plan, Failure> {
        let is_stream = self.input.wire().is_some();
        let provider = self.provider.as_deref().unwrap_or("auto");
        if provider != "auto" && !is_stream {
            return Err(Failure::bad_request("provider needs input to be sse, ndjson or json-array"));
        }
        if self.chunk.is_some() && is_stream {
            return Err(Failure::bad_request("chunk goes with input json and chunks alone"));
        }
        if self.call.is_some() && !(is_stream && matches!(self.role, Role::Arguments)) {
            return Err(Failure::bad_request("call needs role to be arguments, and input sse, ndjson or json-array"));
        }
        let speaker = Speaker::named(provider).map_err(|error| Failure::bad_request(error.to_string()))?;
        Ok(Plan {
            input: self.input,
            speaker,
            call: matches!(self.role, Role::Arguments).then(|| self.call.map_or(0, size)),
            reading: reading(self.dialect, self.roots, self.role, |reading| crate::options::Reading {
                duplicates: self.duplicates,
                ..reading
            }),
            end: self.end.into(),
            chunk: self.chunk.and_then(|chunk| NonZeroUsize::new(size(chunk.get()))),
            detail: self.emit.unwrap_or(Detail::Deltas),
        })
    }
}

/// Watch an answer while it comes in
///
/// The body is a text that a model writes, or a provider's stream, sent as it comes. The response begins at once, and
/// is server-sent events: an `update` as soon as its bytes have come in, with what `jsonrill watch` prints after a
/// chunk; and `end`, with its last line. A `warning` says what is wrong with a provider's stream. An `error` ends the
/// response: `{"code", "success": false, "message"}`. Comments keep an idle stream alive.
#[utoipa::path(
    post,
    path = "/api/stream",
    tag = "texts",
    security((), ("bearer" = [])),
    params(StreamParams),
    request_body(content(
        (String = "text/plain"),
        (String = "text/event-stream"),
        (Vec<u8> = "application/octet-stream"),
    )),
    responses(
        (status = 200, description = "The events", body = StreamEvent, content_type = "text/event-stream"),
        (status = 400, description = "The query is not as it should be", body = FailureBody),
        (status = 415, description = "The body is compressed", body = FailureBody),
        Refused,
    )
)]
pub(crate) async fn stream(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let params: StreamParams = query(request.uri())?;
    is_plain(request.headers())?;
    if request.body().is_end_stream() && !request.headers().contains_key(CONTENT_TYPE) {
        return Err(Failure::bad_request("there is no body"));
    }
    let plan = params.plan()?;
    let waits = request.headers().contains_key(EXPECT);
    let mut body = request.into_body().into_data_stream();
    // Who waits for a word to begin gets it when the body is asked for, and before the response begins: or never.
    let first = if waits {
        tokio::select! {
            biased;
            piece = body.next() => piece,
            () = task::yield_now() => None,
        }
    } else {
        None
    };
    let now = Instant::now();
    let open = Open {
        live: Live::new(&plan),
        body: stream::iter(first).chain(body),
        taken: 0,
        last_in: now,
        last_out: now,
        clock: Box::pin(sleep_until(now + app.limits.idle.min(app.limits.keep_alive))),
        stage: Stage::Begun,
        _counted: app.metrics.stream(),
        app,
    };
    let headers = [
        (CONTENT_TYPE.as_str(), "text/event-stream"),
        (CACHE_CONTROL.as_str(), "no-cache"),
        // A proxy that gathers what it passes on would hold the updates back.
        ("x-accel-buffering", "no"),
    ];
    Ok((headers, Body::from_stream(stream::unfold(open, Open::next))).into_response())
}

/// The body, with what came in before the response began.
type Incoming = Chain<stream::Iter<option::IntoIter<Result<Bytes, axum::Error>>>, BodyDataStream>;

/// A stream between its two ends. It is polled when the client has taken what there was: so one that does not read is
/// not read from either. It ends wherever it is dropped.
struct Open {
    live: Live,
    body: Incoming,
    taken: usize,
    last_in: Instant,
    last_out: Instant,
    /// When to look what time it is. It is not set anew with every piece, which would cost more than the piece.
    clock: Pin<Box<Sleep>>,
    stage: Stage,
    app: App,
    _counted: OpenStream,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Begun,
    Running,
    /// It was ended from here, and the client may still be sending.
    Failed,
}

impl Open {
    /// The next piece of the response.
    async fn next(mut self) -> Option<(Result<Vec<u8>, Infallible>, Self)> {
        let out = match self.stage {
            Stage::Begun => {
                self.stage = Stage::Running;
                // The head alone may be held back on its way.
                b": open\n\n".to_vec()
            }
            Stage::Running => match self.events().await {
                Ok(None) => return None,
                Ok(Some(out)) => out,
                Err(failure) => {
                    self.stage = Stage::Failed;
                    let mut out = Vec::new();
                    live::event(&mut out, "error", &serde_json::to_string(&failure.body()).unwrap_or_default());
                    out
                }
            },
            Stage::Failed => {
                if !self.app.cut.is_cancelled() {
                    let _ = timeout(DRAINING, self.drain()).await;
                }
                return None;
            }
        };
        self.last_out = Instant::now();
        Some((Ok(out), self))
    }

    async fn events(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        loop {
            if self.app.cut.is_cancelled() {
                return Err(Failure::shutting_down());
            }
            let out = if self.live.is_heavy() { task::block_in_place(|| self.live.step()) } else { self.live.step() }?;
            if !out.is_empty() {
                return Ok(Some(out));
            }
            if self.live.is_over() {
                return Ok(None);
            }
            let limits = &self.app.limits;
            tokio::select! {
                biased;
                () = self.app.cut.cancelled() => {}
                piece = self.body.next() => match piece {
                    Some(Ok(piece)) => {
                        self.taken = self.taken.saturating_add(piece.len());
                        if self.taken > limits.max_stream {
                            let why = format!("the stream is longer than {} bytes", limits.max_stream);
                            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, why));
                        }
                        self.last_in = Instant::now();
                        self.live.push(piece);
                        // A client that is always ready does not keep the others waiting.
                        task::consume_budget().await;
                    }
                    Some(Err(_)) => return Err(Failure::bad_request("the stream breaks off")),
                    None => self.live.close(),
                },
                () = &mut self.clock => {
                    let now = Instant::now();
                    let (dead, quiet) = (self.last_in + limits.idle, self.last_out + limits.keep_alive);
                    if now >= dead {
                        let why = format!("nothing came in for {} ms", limits.idle.as_millis());
                        return Err(Failure::timed_out(why));
                    }
                    let is_quiet = now >= quiet;
                    self.clock.as_mut().reset(dead.min(if is_quiet { now + limits.keep_alive } else { quiet }));
                    if is_quiet {
                        return Ok(Some(b": keep-alive\n\n".to_vec()));
                    }
                }
            }
        }
    }

    /// Reads what the client still sends, and throws it away.
    async fn drain(&mut self) {
        let mut left = DRAINED;
        while let Some(Ok(piece)) = self.body.next().await {
            let Some(rest) = left.checked_sub(piece.len()) else { return };
            left = rest;
        }
    }
}
