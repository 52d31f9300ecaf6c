//! `POST /api/contexts`: what a model needs to go on with an answer that was cut.

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::response::Response;
use jsonrill::{BUDGET_LIMIT, ContextOptions, End, OVERLAP_MAX_CHARS, Options, Parser};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::answer::{self, CutShape, ErrorShape};
use super::bodies::{Given, given};
use super::failure::{Failure, Refused, TextRefused};
use super::reading::{query, reading, size};
use super::state::App;
use crate::contexts::members;
use crate::options::{Dialect, Roots};
use crate::reports::PlacedError;

/// What was cut.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "there must be a text, or rounds that are texts, and nothing else")]
pub(crate) enum ContextsRequest {
    Text(CutText),
    Rounds(CutRounds),
}

/// A text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CutText {
    text: String,
}

/// The responses of several rounds, in order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CutRounds {
    rounds: Vec<String>,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ContextsParams {
    /// How many characters of string values the hierarchy keeps. 500 when missing.
    #[param(maximum = 4_294_967_295_u32)]
    budget: Option<u32>,
    /// How many characters the overlap has at most. 1000 when missing.
    #[param(maximum = 4_294_967_295_u32)]
    overlap: Option<u32>,
    /// How many characters the hierarchy has at most. Less than 128 is 128; no limit when missing.
    #[param(maximum = 4_294_967_295_u32)]
    limit: Option<u32>,
    /// How strict to read. Lenient when missing.
    #[param(inline, required = false)]
    dialect: Dialect,
    /// Which JSON texts in the input are the answer. The first when missing.
    #[param(inline, required = false)]
    roots: Roots,
}

/// What a model needs to go on.
#[derive(Debug, ToSchema)]
#[schema(as = Contexts)]
#[expect(dead_code, reason = "the schema of what is written member by member")]
pub(crate) struct ContextsShape {
    /// The innermost open object or array up to the cut.
    overlap: String,
    overlap_clipped: bool,
    /// The structure from the root to the cut, with some of the data.
    hierarchy: String,
    /// Valid JSON up to the cut.
    complete_part: String,
    cut: CutShape,
    /// How the text ended.
    outcome: String,
    error: Option<ErrorShape>,
}

/// The contexts at a cut
///
/// The text is read as one that was cut, and the answer is what a model needs to go on with it. The body is a text, or
/// an object with `text` or `rounds`.
#[utoipa::path(
    post,
    path = "/api/contexts",
    tag = "texts",
    security((), ("bearer" = [])),
    params(ContextsParams),
    request_body(content(
        (ContextsRequest = "application/json"),
        (String = "text/plain"),
        (Vec<u8> = "application/octet-stream"),
    )),
    responses(
        (status = 200, description = "The contexts", body = ContextsShape),
        Refused,
        TextRefused,
    )
)]
pub(crate) async fn contexts(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let params: ContextsParams = query(request.uri())?;
    app.within(async {
        let rounds = match given(&app, request).await? {
            Given::Text(text) => vec![text],
            Given::Json(ContextsRequest::Text(CutText { text })) => vec![Bytes::from(text)],
            Given::Json(ContextsRequest::Rounds(CutRounds { rounds })) => rounds.into_iter().map(Bytes::from).collect(),
        };
        let size = rounds.iter().map(Bytes::len).sum();
        app.work(size, move || write(&params, &rounds)).await?
    })
    .await
}

fn write(params: &ContextsParams, rounds: &[Bytes]) -> Result<Response, Failure> {
    let options: Options = reading(params.dialect, params.roots, <_>::default(), |reading| reading).options();
    let mut parser = Parser::with_options(options);
    for (number, round) in rounds.iter().enumerate() {
        if number > 0 {
            parser.next_round();
        }
        parser.push(round);
    }
    let finished = parser.finish(End::Truncated);
    let options = ContextOptions::new()
        .budget_limit(params.budget.map_or(BUDGET_LIMIT, size))
        .overlap_max_chars(params.overlap.map_or(OVERLAP_MAX_CHARS, size))
        .total_limit(params.limit.map(size));
    answer::object(|line| {
        members(line, finished.frozen(), &options)?;
        line.member("outcome", finished.outcome().as_str())?
            .member("error", &finished.error().map(PlacedError::new))?;
        Ok(())
    })
}
