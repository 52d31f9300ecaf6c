//! `POST /api/generate/cc`: asks the model that the service is set up with.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use futures_util::StreamExt;
use jsonrill::{ModelErrorKind, ModelEvent, ModelRequest, Purpose};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::{Instant as Deadline, timeout_at};
use utoipa::ToSchema;

use super::bodies::json_bytes;
use super::failure::{Failure, FailureBody, Refused};
use super::state::App;

pub(crate) const PATH: &str = "/api/generate/cc";

/// How long a model is given, in milliseconds, and how long it may be given.
pub(crate) const DEFAULT_TIMEOUT: u64 = 30_000;
const MAX_TIMEOUT: u64 = 600_000;

/// What the model is asked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is the schema of what is read by hand, for messages that say what is wrong")]
pub(crate) struct GenerateRequest {
    /// The prompt.
    #[schema(min_length = 1, pattern = r"\S")]
    prompt: String,
    /// How long the model may take, in milliseconds.
    #[schema(minimum = 1, maximum = 600_000, default = 30_000, nullable = false)]
    timeout: Option<u64>,
}

/// What the model said.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Generated {
    /// 200.
    code: u16,
    /// Always true.
    success: bool,
    /// Its text.
    output: String,
    /// How long it took, in milliseconds.
    execution_time: u64,
}

/// A prompt, and how long it has.
struct Asked {
    prompt: String,
    timeout: u64,
}

impl Asked {
    fn read(body: &[u8], max_prompt: usize) -> Result<Self, Failure> {
        let Ok(Value::Object(mut body)) = serde_json::from_slice(body) else {
            return Err(Failure::bad_request("the body must be a JSON object"));
        };
        let timeout = time(&mut body)?;
        let bad = |why: String| Err(Failure::bad_request(why).timeout(timeout));
        let prompt = match body.remove("prompt") {
            None => return bad("prompt is missing".to_owned()),
            Some(Value::String(prompt)) if prompt.trim().is_empty() => return bad("prompt is empty".to_owned()),
            Some(Value::String(prompt)) if prompt.len() > max_prompt => {
                return bad(format!("prompt is longer than {max_prompt} bytes"));
            }
            Some(Value::String(prompt)) => prompt,
            Some(_) => return bad("prompt must be a string".to_owned()),
        };
        if !body.is_empty() {
            return bad("the body has members other than prompt and timeout".to_owned());
        }
        Ok(Self { prompt, timeout })
    }
}

fn time(body: &mut Map<String, Value>) -> Result<u64, Failure> {
    match body.remove("timeout").map(|timeout| whole(&timeout)) {
        None => Ok(DEFAULT_TIMEOUT),
        Some(Some(timeout @ 1..=MAX_TIMEOUT)) => Ok(timeout),
        Some(_) => {
            Err(Failure::bad_request(format!("timeout must be a number of milliseconds from 1 to {MAX_TIMEOUT}")))
        }
    }
}

/// A whole number, also where it is written as `1.0`, which is an integer to JSON Schema.
fn whole(value: &Value) -> Option<u64> {
    let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..=1e15).contains(number);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole, and in range")]
    value.as_u64().or_else(|| value.as_f64().filter(is_whole).map(|number| number as u64))
}

/// Ask the model
///
/// Gives the text that the model answers a prompt with.
#[utoipa::path(
    post,
    path = "/api/generate/cc",
    tag = "models",
    security((), ("bearer" = [])),
    request_body = GenerateRequest,
    responses(
        (status = 200, description = "What the model said", body = Generated),
        (status = 400, description = "The prompt is missing, empty, too long or no string, or the timeout is none", body = FailureBody),
        (status = 408, description = "The model took too long", body = FailureBody),
        (status = 413, description = "The body is too large", body = FailureBody),
        (status = 500, description = "The model failed, or there is none", body = FailureBody),
        Refused,
    )
)]
pub(crate) async fn generate(State(app): State<App>, request: Request) -> Result<Json<Generated>, Failure> {
    let body = app.within(json_bytes(&app, request)).await?;
    let Asked { prompt, timeout } = Asked::read(&body, app.limits.max_prompt)?;
    let start = Instant::now();
    let answered = ask(&app, prompt, timeout).await;
    let took = start.elapsed();
    let result = match &answered {
        Ok(_) => "ok",
        Err(Unanswered { failure, .. }) if failure.is_timeout() => "timeout",
        Err(_) => "error",
    };
    app.metrics.asked(Purpose::Answer, result);
    app.metrics.seconds_of_models.inc_by(took.as_secs_f64());
    match answered {
        Ok(output) => {
            let execution_time = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
            Ok(Json(Generated { code: 200, success: true, output, execution_time }))
        }
        Err(Unanswered { failure, said }) => Err(failure.timeout(timeout).partial_output(said)),
    }
}

/// Why there is no answer, and what there is of it.
struct Unanswered {
    failure: Failure,
    said: String,
}

/// Asks the model. A client that goes away drops this, and with it the model's response.
async fn ask(app: &App, prompt: String, timeout: u64) -> Result<String, Unanswered> {
    let mut said = String::new();
    let failure = match app.model.as_deref() {
        None => Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the service is set up without a model"),
        Some(model) => {
            let deadline = Deadline::now() + Duration::from_millis(timeout);
            let mut response = model.respond(ModelRequest::new(Purpose::Answer, prompt));
            loop {
                let event = tokio::select! {
                    event = timeout_at(deadline, response.next()) => event,
                    () = app.cut.cancelled() => break Failure::shutting_down(),
                };
                match event {
                    Err(_) => break Failure::timed_out(format!("the model took longer than {timeout} ms")),
                    Ok(None) => return Ok(said),
                    Ok(Some(Ok(ModelEvent::Text(text)))) => {
                        if text.len() > app.limits.max_body.saturating_sub(said.len()) {
                            let max = app.limits.max_body;
                            break Failure::new(
                                StatusCode::INTERNAL_SERVER_ERROR,
                                format!("the model said more than {max} bytes"),
                            );
                        }
                        said.push_str(&text);
                    }
                    Ok(Some(Ok(_))) => {}
                    Ok(Some(Err(error))) if error.kind() == ModelErrorKind::Timeout => {
                        break Failure::timed_out(error.to_string());
                    }
                    Ok(Some(Err(error))) => {
                        break Failure::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the model failed: {error}"));
                    }
                }
            }
        }
    };
    Err(Unanswered { failure, said })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_request_is_said() {
        let read = |body: &str| Asked::read(body.as_bytes(), 10).map(|asked| asked.timeout);
        for (body, timeout) in [
            (r#"{"prompt": "hi"}"#, 30_000),
            (r#"{"prompt": "hi", "timeout": 1}"#, 1),
            (r#"{"prompt": "0123456789", "timeout": 600000}"#, 600_000),
            (r#"{"prompt": "hi", "timeout": 5e3}"#, 5000),
        ] {
            assert_eq!(read(body).unwrap(), timeout, "{body}");
        }
        for (body, why) in [
            ("", "JSON object"),
            ("[]", "JSON object"),
            ("{}", "missing"),
            (r#"{"prompt": 5}"#, "string"),
            (r#"{"prompt": null}"#, "string"),
            (r#"{"prompt": " \n"}"#, "empty"),
            (r#"{"prompt": "0123456789a"}"#, "longer"),
            (r#"{"prompt": "hi", "model": "x"}"#, "other than"),
            (r#"{"prompt": "hi", "timeout": 0}"#, "timeout must"),
            (r#"{"prompt": "hi", "timeout": -5}"#, "timeout must"),
            (r#"{"prompt": "hi", "timeout": 1.5}"#, "timeout must"),
            (r#"{"prompt": "hi", "timeout": 600001}"#, "timeout must"),
            (r#"{"prompt": "hi", "timeout": "1"}"#, "timeout must"),
            (r#"{"prompt": "hi", "timeout": null}"#, "timeout must"),
        ] {
            let failure = read(body).unwrap_err();
            let body_of_it = serde_json::to_value(failure.body()).unwrap();
            assert!(body_of_it["message"].as_str().unwrap().contains(why), "{body}: {body_of_it}");
            assert_eq!(body_of_it["code"], 400);
        }
    }
}
