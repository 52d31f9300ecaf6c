//! What is seen of every request: an id, a line in the log, and the counters. Never what is in it, nor who it is from
//! beyond a token's name.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};

use super::failure::render;
use super::metrics::{RequestLabels, RouteLabels};
use super::router::{ROUTES, STREAM};
use super::state::App;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// How long an id may be that a client gives.
const ID_LENGTH: usize = 128;

/// The status in the log of a request whose client went away before there was a response.
const GONE: u16 = 499;

/// What is learnt of a request on its way.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// The name of its token.
    pub(crate) caller: OnceLock<String>,
}

/// The outermost layer.
pub(crate) async fn observe(
    State(app): State<App>,
    path: Option<MatchedPath>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = request_id(request.headers());
    let route = path.and_then(|path| ROUTES.into_iter().find(|route| path.as_str() == *route)).unwrap_or("none");
    let notes = Arc::new(Notes::default());
    request.extensions_mut().insert(Arc::clone(&notes));
    let seen = Seen {
        app,
        route,
        method: request.method().clone(),
        id: id.clone(),
        start: Instant::now(),
        status: GONE,
        bytes_in: Arc::default(),
        bytes_out: Arc::default(),
        notes,
    };
    let counted = Arc::clone(&seen.bytes_in);
    let request = request.map(|body| Carried::body(body, counted, ()));
    // Where the client goes away this future is dropped, and tells so in the log.
    let mut seen = seen;
    let mut response = render(next.run(request).await, route);
    seen.status = response.status().as_u16();
    response.headers_mut().insert(REQUEST_ID, id);
    let counted = Arc::clone(&seen.bytes_out);
    response.map(|body| Carried::body(body, counted, seen))
}

/// The method, if it is one that everybody knows: a client may write anything there.
fn known(method: &Method) -> &str {
    const KNOWN: [Method; 9] = [
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::HEAD,
        Method::OPTIONS,
        Method::CONNECT,
        Method::PATCH,
        Method::TRACE,
    ];
    if KNOWN.contains(method) { method.as_str() } else { "other" }
}

/// The id that a client gave, if it is one that may stand in a log; else a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_sane = |id: &&HeaderValue| {
        let id = id.as_bytes();
        (1..=ID_LENGTH).contains(&id.len())
            && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte))
    };
    headers.get(REQUEST_ID).filter(is_sane).cloned().unwrap_or_else(new_id)
}

/// The time when the program started and a count: no two are the same, and nobody needs to guess any.
fn new_id() -> HeaderValue {
    static START: OnceLock<u64> = OnceLock::new();
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let start = START.get_or_init(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(now.as_nanos()).unwrap_or(u64::MAX)
    });
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let id = format!("{start:016x}-{count:x}");
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("unknown"))
}

/// What is told of a request when it is over: when the last of its response is sent, or its client is gone.
struct Seen {
    app: App,
    route: &'static str,
    method: Method,
    id: HeaderValue,
    start: Instant,
    status: u16,
    bytes_in: Arc<AtomicU64>,
    bytes_out: Arc<AtomicU64>,
    notes: Arc<Notes>,
}

impl Drop for Seen {
    fn drop(&mut self) {
        let (route, status) = (self.route, self.status);
        let took = self.start.elapsed();
        let (bytes_in, bytes_out) = (self.bytes_in.load(Ordering::Relaxed), self.bytes_out.load(Ordering::Relaxed));
        let metrics = &self.app.metrics;
        metrics.requests.get_or_create(&RequestLabels { route, status }).inc();
        metrics.bytes_in.get_or_create(&RouteLabels { route }).inc_by(bytes_in);
        metrics.bytes_out.get_or_create(&RouteLabels { route }).inc_by(bytes_out);
        if route != STREAM {
            metrics.seconds.get_or_create(&RouteLabels { route }).observe(took.as_secs_f64());
        }
        tracing::info!(
            request_id = self.id.to_str().unwrap_or_default(),
            method = known(&self.method),
            route,
            status,
            milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            bytes_in,
            bytes_out,
            caller = self.notes.caller.get().map_or("", String::as_str),
            "request"
        );
    }
}

/// A body that is counted, and that carries something along which is dropped when the body is.
pub(crate) struct Carried<T> {
    body: Body,
    count: Arc<AtomicU64>,
    _with: T,
}

impl<T: Send + Unpin + 'static> Carried<T> {
    pub(crate) fn body(body: Body, count: Arc<AtomicU64>, carried: T) -> Body {
        Body::new(Self { body, count, _with: carried })
    }
}

impl<T: Unpin> HttpBody for Carried<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame {
            let length = frame.data_ref().map_or(0, Bytes::len);
            self.count.fetch_add(length as u64, Ordering::Relaxed);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
