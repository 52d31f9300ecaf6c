//! `POST /api/repair`: valid JSON out of a damaged text.

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use jsonrill::{
    Ask, AssistedError, AssistedOptions, AssistedRepair, AssistedReport, ModelErrorKind, repair_assisted, repair_with,
};
use serde::Deserialize;
use tokio::time::sleep;
use utoipa::ToSchema;

use super::answer::{self, CutShape, ErrorShape, ReportShape, SkipShape};
use super::bodies::{Given, given};
use super::failure::{Failure, FailureBody, Refused, TextRefused};
use super::reading::{ReadingParams, query};
use super::state::App;
use crate::options::{Role, Roots};
use crate::repair::{Made, object};
use crate::required::members;

/// What to repair.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RepairRequest {
    /// The text.
    text: String,
    /// Where there has to be something: JSON pointers.
    #[serde(default)]
    required: Vec<String>,
    /// Whether the model is asked where the rules are not enough.
    #[serde(default)]
    model: bool,
}

/// What became of a text.
#[derive(Debug, ToSchema)]
#[schema(as = Repaired)]
#[expect(dead_code, reason = "the schema of what is written member by member")]
pub(crate) struct RepairedShape {
    /// `complete`, `repaired`, `truncated`, `malformed`, `empty` or `limit`.
    outcome: String,
    /// Whether the text itself closed its JSON, and nothing was missing.
    complete: bool,
    /// The value, with numbers as they were spelled and keys in their order. Null where there is none.
    value: serde_json::Value,
    /// All values, where `roots` is `many`.
    #[schema(nullable = false)]
    documents: Option<Vec<serde_json::Value>>,
    /// The same as text, in the spelling and layout of the source.
    text: String,
    repairs: Vec<ReportShape>,
    warnings: Vec<ReportShape>,
    skipped: Vec<SkipShape>,
    cut: Option<CutShape>,
    /// The numbers of the repairs that may have read what was not meant, from 0, where there are any.
    #[schema(nullable = false)]
    doubtful: Option<Vec<u64>>,
    /// How many repairs, warnings and skips are not listed.
    #[schema(nullable = false)]
    omitted: Option<u64>,
    error: Option<ErrorShape>,
    /// Who repaired it: `rules`, `model`, or `cache`, which has what a model has answered before.
    source: String,
    /// The values that have to be there and are not: `pointer`, and `lack`, which is `missing`, `growing`, `null` or
    /// `empty`. Where there are any.
    #[schema(nullable = false, value_type = Option<Vec<Object>>)]
    missing: Option<Vec<serde_json::Value>>,
    /// Where something is required, or the model may be asked.
    #[schema(nullable = false)]
    model: Option<ModelShape>,
}

/// What the model had to do with it.
#[derive(Debug, ToSchema)]
#[schema(as = ModelPart)]
#[expect(dead_code, reason = "the schema of what is written member by member")]
pub(crate) struct ModelShape {
    /// As above.
    source: String,
    /// Each time that it was asked: `purpose`, `bytes`, `stop_reason`, `usage`, `seam`, `error`.
    #[schema(value_type = Vec<Object>)]
    attempts: Vec<serde_json::Value>,
    /// What its answer has lost, changed, moved or invented: `values`, `lost`, `changed`, `moved`, `invented`,
    /// `reread`, `added`. Null where there was no answer.
    #[schema(value_type = Object, nullable)]
    comparison: Option<serde_json::Value>,
    /// Tokens: `input_tokens`, `output_tokens`.
    #[schema(value_type = Object)]
    usage: serde_json::Value,
    /// Why no answer was taken although the rules were not enough: `code`, `message`.
    #[schema(value_type = Object, nullable)]
    error: Option<serde_json::Value>,
}

/// Repair a text
///
/// The body is the text, or an object with it.
#[utoipa::path(
    post,
    path = "/api/repair",
    tag = "texts",
    security((), ("bearer" = [])),
    params(ReadingParams),
    request_body(content(
        (RepairRequest = "application/json"),
        (String = "text/plain"),
        (Vec<u8> = "application/octet-stream"),
    )),
    responses(
        (status = 200, description = "What became of it, also where that is nothing: see `outcome`", body = RepairedShape),
        (status = 422, description = "There is no model to ask", body = FailureBody),
        Refused,
        TextRefused,
    )
)]
pub(crate) async fn repair(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let params: ReadingParams = query(request.uri())?;
    let body = app.within(given(&app, request)).await?;
    match body {
        Given::Json(request) if request.model || !request.required.is_empty() => {
            with_model(&app, &params, request).await
        }
        Given::Json(RepairRequest { text, .. }) => by_rules(&app, params, Bytes::from(text)).await,
        Given::Text(text) => by_rules(&app, params, text).await,
    }
}

async fn by_rules(app: &App, params: ReadingParams, text: Bytes) -> Result<Response, Failure> {
    let (shared, size) = (app.clone(), text.len());
    let repair = move || {
        let repaired = repair_with(&text, params.reading().options(), params.end());
        shared.metrics.repaired("rules", repaired.outcome());
        answer::object(|line| {
            object(line, &text, &Made::by_rules(&repaired).read_as(params.role()), params.roots() == Roots::Many)?;
            line.member("source", "rules")?;
            Ok(())
        })
    };
    app.within(async { app.work(size, repair).await? }).await
}

/// Repairs by the rules, and where they are not enough with the model's help. It is given its own time.
async fn with_model(app: &App, params: &ReadingParams, request: RepairRequest) -> Result<Response, Failure> {
    if params.roots() == Roots::Many {
        return Err(Failure::bad_request("roots=many goes with neither model nor required"));
    }
    if request.required.iter().any(|pointer| !(pointer.is_empty() || pointer.starts_with('/'))) {
        return Err(Failure::bad_request("required: a JSON pointer begins with a slash"));
    }
    let model = app.model.clone().filter(|_| request.model);
    if request.model && model.is_none() {
        let why = "the service is set up without a model";
        return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, why));
    }
    let ask = if model.is_some() { Ask::WhenNeeded } else { Ask::Never };
    let mut options = AssistedOptions::new().parser(params.reading().options()).end(params.end()).ask(ask);
    if let Some(timeout) = app.model_timeout {
        options = options.timeout(timeout);
    }
    let options = request.required.into_iter().fold(options, AssistedOptions::require);
    let (shared, size, role) = (app.clone(), request.text.len(), params.role());
    let repair = async move {
        let report = match model {
            Some(model) => repair_assisted(&model, request.text, options, Some(&shared.cache), sleep).await,
            None => AssistedRepair::new(request.text, options).into_report(),
        };
        shared.metrics.repaired(report.source().as_str(), report.outcome());
        for attempt in report.attempts() {
            let result = match &attempt.error {
                None => "ok",
                Some(AssistedError::Model(error)) if error.kind() == ModelErrorKind::Timeout => "timeout",
                Some(AssistedError::Model(_)) => "error",
                Some(_) => "refused",
            };
            shared.metrics.asked(attempt.purpose, result);
        }
        write(&report, role)
    };
    app.wait(size, repair).await?
}

fn write(report: &AssistedReport, role: Role) -> Result<Response, Failure> {
    let made = Made::assisted(report).read_as(role);
    answer::object(|line| {
        object(line, report.original().as_bytes(), &made, false)?;
        line.member("source", report.source().as_str())?;
        members(line, report)
    })
}
