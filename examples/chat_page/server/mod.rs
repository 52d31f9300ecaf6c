//! The server: what the page asks for.

mod answer;
pub mod answers;
mod event;
mod files;
mod recording;
mod viewer;

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, LOCATION, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use answer::Answer;
use answers::Answers;
use recording::Recording;
use viewer::Viewer;

pub use answer::Pace;

/// How much a browser may send: a question is short.
const BODY_LIMIT: usize = 4096;

pub struct Server {
    recordings: Vec<Arc<Recording>>,
    answers: Answers,
    pace: Pace,
}

type Shared = State<Arc<Server>>;

impl Server {
    pub fn new(pace: Pace) -> Result<Self, serde_json::Error> {
        let recordings = Recording::all()?.into_iter().map(Arc::new).collect();
        Ok(Self { recordings, answers: Answers::new(), pace })
    }

    pub fn router(self) -> Router {
        let mut router = Router::new()
            .route("/scenarios", get(scenarios))
            .route("/answers", post(ask))
            .route("/answers/{id}", get(answer))
            .route("/answers/{id}/events", get(events))
            .route("/answers/{id}/stop", post(stop))
            .route("/answers/{id}/disconnect", post(disconnect));
        if self.pace == Pace::Steps {
            router = router.route("/answers/{id}/step/{reads}", post(step));
        }
        router
            .fallback_service(get(async |uri: Uri| files::file(uri.path())))
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .layer(middleware::from_fn(local))
            .layer(middleware::map_response(headers))
            .with_state(Arc::new(self))
    }

    fn answer(&self, id: &str) -> Result<Arc<Answer>, StatusCode> {
        self.answers.get(id).ok_or(StatusCode::NOT_FOUND)
    }
}

async fn scenarios(State(server): Shared) -> Json<Value> {
    Json(server.recordings.iter().map(|recording| json!(recording.about)).collect())
}

#[derive(Deserialize)]
struct Ask {
    scenario: String,
    question: String,
}

async fn ask(State(server): Shared, Json(ask): Json<Ask>) -> Result<impl IntoResponse, StatusCode> {
    let recording = server.recordings.iter().find(|recording| recording.about.id == ask.scenario);
    let recording = Arc::clone(recording.ok_or(StatusCode::UNPROCESSABLE_ENTITY)?);
    let id = server.answers.add(Answer::start(recording, ask.question, server.pace));
    let place = format!("/answers/{id}");
    Ok((StatusCode::CREATED, [(LOCATION, place)], Json(json!({"id": id}))))
}

async fn answer(State(server): Shared, Path(id): Path<String>) -> Result<Json<Value>, StatusCode> {
    let answer = server.answer(&id)?;
    Ok(Json(json!({"scenario": answer.recording.about, "question": answer.question})))
}

async fn events(State(server): Shared, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, StatusCode> {
    let answer = server.answer(&id)?;
    let seen = match headers.get("last-event-id") {
        Some(id) => id.to_str().ok().and_then(|id| id.parse().ok()).ok_or(StatusCode::BAD_REQUEST)?,
        None => 0,
    };
    let viewer = Viewer::new(&answer, seen).ok_or(StatusCode::BAD_REQUEST)?;
    if viewer.has_all() {
        // The status that tells an `EventSource` not to come again.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(Sse::new(viewer.events()).keep_alive(KeepAlive::default()).into_response())
}

async fn stop(State(server): Shared, Path(id): Path<String>) -> Result<StatusCode, StatusCode> {
    server.answer(&id)?.stop().await;
    Ok(StatusCode::NO_CONTENT)
}

async fn disconnect(State(server): Shared, Path(id): Path<String>) -> Result<StatusCode, StatusCode> {
    server.answer(&id)?.disconnect();
    Ok(StatusCode::NO_CONTENT)
}

async fn step(State(server): Shared, Path((id, reads)): Path<(String, usize)>) -> Result<Json<Value>, StatusCode> {
    let (newest, has_ended) = server.answer(&id)?.step(reads).await;
    Ok(Json(json!({"newest": newest, "has_ended": has_ended})))
}

/// Refuses requests under any other name than this machine's own. The name of another site may be made to point here
/// (DNS rebinding), and the browser would then take this server for a part of that site.
async fn local(request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    match host.split(':').next() {
        Some("localhost" | "127.0.0.1") => next.run(request).await,
        _ => StatusCode::MISDIRECTED_REQUEST.into_response(),
    }
}

/// The page loads from this server alone, and runs nothing that is written into it.
async fn headers(mut response: Response) -> Response {
    let policy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
