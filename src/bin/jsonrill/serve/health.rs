//! `GET /healthz`: whether the service is there. `GET /openapi.json`: what it can do.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::failure::FailureBody;
use super::state::App;

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`.
    status: &'static str,
    version: &'static str,
    /// Whether there is a model to ask.
    model: bool,
}

/// Whether the service is there
///
/// It needs no token.
#[utoipa::path(get, path = "/healthz", tag = "service", responses(
    (status = 200, description = "It is", body = Health),
    (status = 403, description = "A page of another site asks", body = FailureBody),
))]
pub(crate) async fn health(State(app): State<App>) -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION"), model: app.model.is_some() })
}

/// What the service can do
///
/// This document. It needs no token.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "service",
    responses(
        (status = 200, description = "An OpenAPI document", body = Object),
        (status = 403, description = "A page of another site asks", body = FailureBody),
    )
)]
pub(crate) async fn openapi(State(app): State<App>) -> Response {
    let document = app.openapi.get().cloned().unwrap_or_default();
    ([(CONTENT_TYPE, "application/json")], document).into_response()
}
