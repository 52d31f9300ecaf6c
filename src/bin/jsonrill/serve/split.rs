//! `POST /api/split`: chunks of a document that is too large for a model or an index.

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use jsonrill::split::compat::Json;
use jsonrill::split::{SplitError, SplitErrorKind, Splitter, StreamChunks, StreamSplitter};
use jsonrill::{End, Outcome, Parser};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use tokio::task;
use utoipa::{IntoParams, ToSchema};

use super::bodies::{Given, given};
use super::failure::{Failure, FailureBody, Refused, TextRefused};
use super::reading::{query, size};
use super::state::App;
use crate::splitting::{Compat, CutStrings, How};

/// How much is split before other requests have their turn, and how large a piece of the response is.
const PIECE: usize = 16 << 10;

// Its fields and those of the query are the same but for two. One cannot be flattened into the other: serde buffers what
// it flattens, which a raw value does not survive, and allows names that are none.

/// A document, or the text of one, and how to split it. What is not said here may be said in the query.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SplitRequest {
    /// The document.
    #[serde(default, deserialize_with = "document")]
    #[schema(value_type = serde_json::Value)]
    document: Option<Box<RawValue>>,
    /// Or its text, which may be one that a model wrote.
    #[schema(nullable = false)]
    text: Option<String>,
    /// The largest size of a chunk, in characters, its path and punctuation included.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32, nullable = false)]
    max: Option<u32>,
    /// The smallest size that a chunk should have.
    #[schema(maximum = 4_294_967_295_u32, nullable = false)]
    min: Option<u32>,
    /// Make arrays objects whose keys are the indices.
    #[schema(nullable = false)]
    convert_lists: Option<bool>,
    /// Where to cut strings that do not fit into a chunk; without it they are an error.
    #[schema(inline, nullable = false)]
    cut_strings: Option<CutStrings>,
    /// Count bytes instead of characters.
    #[schema(nullable = false)]
    bytes: Option<bool>,
    /// Split as another program does.
    #[schema(inline, nullable = false)]
    compat: Option<Compat>,
    /// Give `{"page_content", "metadata"}` instead of the chunks alone.
    #[schema(nullable = false)]
    documents: Option<bool>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SplitParams {
    /// The largest size of a chunk, in characters, its path and punctuation included. It is needed here or in the body.
    #[param(minimum = 1, maximum = 4_294_967_295_u32)]
    max: Option<u32>,
    /// The smallest size that a chunk should have.
    #[param(maximum = 4_294_967_295_u32)]
    min: Option<u32>,
    /// Make arrays objects whose keys are the indices.
    convert_lists: Option<bool>,
    /// Where to cut strings that do not fit into a chunk; without it they are an error.
    #[param(inline)]
    cut_strings: Option<CutStrings>,
    /// Count bytes instead of characters.
    bytes: Option<bool>,
    /// Split as another program does: the Python package langchain-text-splitters.
    #[param(inline)]
    compat: Option<Compat>,
    /// Give `{"page_content", "metadata"}` instead of the chunks alone.
    documents: Option<bool>,
}

/// A document that says null is one.
fn document<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(deserializer).map(Some)
}

/// How to split, and how the chunks are sent.
#[derive(Clone, Debug)]
struct Plan {
    how: How,
    lines: bool,
}

impl Plan {
    fn new(params: &SplitParams, lines: bool) -> Result<Self, Failure> {
        let bad = |why: &'static str| Err(Failure::bad_request(why));
        let max = match params.max {
            None => return bad("max is missing: the largest size of a chunk"),
            Some(0) => return bad("max must be at least 1"),
            Some(max) => max,
        };
        if params.min.is_some_and(|min| min > max) {
            return bad("min is larger than max");
        }
        let bytes = params.bytes.unwrap_or_default();
        if params.compat.is_some() && (bytes || params.cut_strings.is_some()) {
            return bad("compat goes with neither bytes nor cut_strings");
        }
        let how = How {
            max: size(max),
            min: params.min.map(size),
            convert_lists: params.convert_lists.unwrap_or_default(),
            cut_strings: params.cut_strings,
            bytes,
            compat: params.compat,
            documents: params.documents.unwrap_or_default(),
        };
        Ok(Self { how, lines })
    }

    fn respond(&self, outcome: Outcome, body: Body) -> Response {
        let kind = if self.lines { "application/x-ndjson" } else { "application/json" };
        ([(CONTENT_TYPE.as_str(), kind), ("jsonrill-outcome", outcome.as_str())], body).into_response()
    }
}

/// Split a document
///
/// Each chunk is JSON of its own, at most as large as asked, its values at the path at which they are in the document.
/// The body is a text, or an object with `document` or `text`. A text that is no JSON is read as one that was cut, and
/// what there is of it is split; the header `jsonrill-outcome` says how it ended. With `Accept: application/x-ndjson`
/// the response is a chunk a line, else it is an array. It is sent as it is made.
#[utoipa::path(
    post,
    path = "/api/split",
    tag = "texts",
    security((), ("bearer" = [])),
    params(SplitParams),
    request_body(content(
        (SplitRequest = "application/json"),
        (String = "text/plain"),
        (Vec<u8> = "application/octet-stream"),
    )),
    responses(
        (status = 200, description = "The chunks", content(
            (Vec<serde_json::Value> = "application/json"),
            (String = "application/x-ndjson"),
        )),
        (status = 422, description = "There is no JSON in the text, or a value does not fit into a chunk", body = FailureBody),
        Refused,
        TextRefused,
    )
)]
pub(crate) async fn split(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let params: SplitParams = query(request.uri())?;
    let lines = accepts_lines(request.headers());
    app.within(async {
        let (params, text) = match given(&app, request).await? {
            Given::Text(text) => (params, text),
            Given::Json(body) => merge(params, body)?,
        };
        let plan = Plan::new(&params, lines)?;
        match plan.how.compat {
            Some(Compat::Langchain) => app.work(text.len(), move || as_langchain(&plan, &text)).await?,
            None => chunks(&app, plan, text).await,
        }
    })
    .await
}

fn accepts_lines(headers: &HeaderMap) -> bool {
    headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(
        |kind| {
            let name = kind.split(';').next().unwrap_or_default().trim();
            ["application/x-ndjson", "application/ndjson", "application/jsonl"].contains(&name)
        },
    )
}

/// What the body says, and the query where the body does not.
fn merge(params: SplitParams, body: SplitRequest) -> Result<(SplitParams, Bytes), Failure> {
    let text = match (body.document, body.text) {
        (Some(document), None) => Bytes::from(document.get().to_owned()),
        (None, Some(text)) => Bytes::from(text),
        _ => return Err(Failure::bad_request("there must be a document, or a text, and not both")),
    };
    let params = SplitParams {
        max: body.max.or(params.max),
        min: body.min.or(params.min),
        convert_lists: body.convert_lists.or(params.convert_lists),
        cut_strings: body.cut_strings.or(params.cut_strings),
        bytes: body.bytes.or(params.bytes),
        compat: body.compat.or(params.compat),
        documents: body.documents.or(params.documents),
    };
    Ok((params, text))
}

/// Splits twice: to see whether it can be done, and how many chunks there are; then to send them.
async fn chunks(app: &App, plan: Plan, text: Bytes) -> Result<Response, Failure> {
    let splitter = plan.how.splitter();
    let (text, outcome, count) = match count(&splitter, &text).await {
        Ok(count) => (text, Outcome::Complete, count),
        Err(error) if matches!(error.kind(), SplitErrorKind::Syntax | SplitErrorKind::TooDeep) => {
            let (part, outcome) = app.work(text.len(), move || complete_part(&text)).await??;
            let count = count(&splitter, part.as_bytes()).await.map_err(|error| unprocessable(error.to_string()))?;
            (Bytes::from(part), outcome, count)
        }
        Err(error) => return Err(unprocessable(error.to_string())),
    };
    let sending = Sending { plan: plan.clone(), stream: splitter.stream(), text, count, sent: 0, is_done: false };
    Ok(plan.respond(outcome, Body::from_stream(stream::unfold(sending, Sending::next))))
}

fn unprocessable(why: String) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, why)
}

/// How many chunks there will be.
async fn count(splitter: &Splitter, text: &[u8]) -> Result<u64, SplitError> {
    fn add(count: &mut u64, chunks: StreamChunks<'_, '_>) -> Result<(), SplitError> {
        for chunk in chunks {
            chunk?;
            *count += 1;
        }
        Ok(())
    }
    let mut stream = splitter.stream();
    let mut count = 0;
    for piece in text.chunks(PIECE) {
        add(&mut count, stream.push(piece))?;
        task::yield_now().await;
    }
    add(&mut count, stream.finish())?;
    Ok(count)
}

/// What there is of a text, as valid JSON.
fn complete_part(text: &[u8]) -> Result<(String, Outcome), Failure> {
    let mut parser = Parser::new();
    parser.push(text);
    let finished = parser.finish(End::Truncated);
    let part = finished.frozen().complete_part();
    match (finished.outcome(), part.is_empty()) {
        (Outcome::Empty, _) => Err(unprocessable("the text has no JSON".to_owned())),
        (_, true) => Err(unprocessable("nothing of the JSON is whole before the cut".to_owned())),
        (outcome, false) => Ok((part, outcome)),
    }
}

/// What is left to send.
struct Sending {
    plan: Plan,
    stream: StreamSplitter,
    text: Bytes,
    count: u64,
    sent: u64,
    is_done: bool,
}

impl Sending {
    /// Makes the next piece of the response. It is asked for when the client has taken what was sent.
    async fn next(mut self) -> Option<(Result<Vec<u8>, SplitError>, Self)> {
        let mut out = Vec::new();
        while out.len() < PIECE && !self.is_done {
            let piece = self.text.split_to(self.text.len().min(PIECE));
            self.is_done = piece.is_empty();
            let chunks = if self.is_done { self.stream.finish() } else { self.stream.push(&piece) };
            for chunk in chunks {
                // It was seen that there are none.
                let Ok(chunk) = chunk else { break };
                separate(&self.plan, self.sent, &mut out);
                // A vector takes what it is given.
                let _ = self.plan.how.write(&mut out, chunk, Some(self.count));
                self.sent += 1;
            }
            if self.is_done {
                finish(&self.plan, self.sent, &mut out);
            }
            task::yield_now().await;
        }
        (!out.is_empty()).then_some((Ok(out), self))
    }
}

fn separate(plan: &Plan, index: u64, out: &mut Vec<u8>) {
    match (plan.lines, index) {
        (true, 0) => {}
        (true, _) => out.push(b'\n'),
        (false, 0) => out.push(b'['),
        (false, _) => out.extend_from_slice(b",\n"),
    }
}

fn finish(plan: &Plan, count: u64, out: &mut Vec<u8>) {
    if !plan.lines {
        out.extend_from_slice(if count == 0 { b"[]" } else { b"]" });
    }
    out.push(b'\n');
}

/// Splits as the Python package does.
fn as_langchain(plan: &Plan, text: &[u8]) -> Result<Response, Failure> {
    let read = str::from_utf8(text).ok().and_then(|text| text.parse::<Json>().ok());
    let (json, outcome) = if let Some(json) = read {
        (json, Outcome::Complete)
    } else {
        let (part, outcome) = complete_part(text)?;
        (part.parse().map_err(|_| unprocessable("the text has no JSON that can be split".to_owned()))?, outcome)
    };
    let documents = plan.how.langchain(json).map_err(|error| unprocessable(error.to_string()))?;
    let mut out = Vec::new();
    for (index, document) in (0..).zip(&documents) {
        separate(plan, index, &mut out);
        // A vector takes what it is given.
        let _ = plan.how.write_langchain(&mut out, document);
    }
    finish(plan, documents.len() as u64, &mut out);
    Ok(plan.respond(outcome, Body::from(out)))
}
