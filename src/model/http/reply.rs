//! The driver: sends a request, reads the response, waits and asks again.

use std::future::Future;
use std::time::{Duration, SystemTime};

use reqwest::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response};
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep, timeout_at};

use crate::model::{ModelError, ModelErrorKind, ModelEvent};
use crate::stream::Provider;

use super::answer::Answer;
use super::openai::{Said, Turn};
use super::retry::{Retries, retry_after};
use super::{Form, HttpModel, anthropic, client, failure, openai};

/// How much of the body of an error is read, in bytes.
const ERROR_BODY: usize = 64 << 10;

/// How long the end of a connection is waited for when the answer has ended. One that is read to its end is used again.
const LINGER: Duration = Duration::from_millis(100);

/// A request and what comes of it.
pub(super) struct Reply<'m> {
    model: &'m HttpModel,
    prompt: String,
    retries: Retries,
    /// When it has to be over. None where that is for ever.
    deadline: Option<Instant>,
    stage: Stage,
}

enum Stage {
    New,
    Asking,
    Reading(Box<Reading>),
}

struct Reading {
    response: Response,
    answer: Answer,
    has_ended: bool,
}

/// An attempt that came to nothing.
struct Failed {
    error: ModelError,
    /// How long the server asks to be left alone.
    asked: Option<Duration>,
    /// It was the words, and there are others.
    has_words: bool,
}

impl From<ModelError> for Failed {
    fn from(error: ModelError) -> Self {
        Self { error, asked: None, has_words: false }
    }
}

impl<'m> Reply<'m> {
    pub(super) fn new(model: &'m HttpModel, prompt: String) -> Self {
        let retries = Retries::new(model.retries, model.max_retry_wait);
        Self { model, prompt, retries, deadline: None, stage: Stage::New }
    }

    /// The next event.
    pub(super) async fn next(mut self) -> Result<Option<(ModelEvent, Self)>, ModelError> {
        let event = self.step().await?;
        Ok(event.map(|event| (event, self)))
    }

    async fn step(&mut self) -> Result<Option<ModelEvent>, ModelError> {
        loop {
            let failed = match &mut self.stage {
                Stage::New => {
                    if Handle::try_current().is_err() {
                        let what = "it is asked outside of a Tokio runtime";
                        return Err(ModelError::of_kind(ModelErrorKind::Setup, what));
                    }
                    self.deadline = Instant::now().checked_add(self.model.timeout);
                    self.stage = Stage::Asking;
                    continue;
                }
                Stage::Asking => match self.ask().await {
                    Ok(response) => {
                        let answer =
                            Answer::new(self.model.provider(), self.model.max_response_bytes, self.model.key.clone());
                        self.stage = Stage::Reading(Box::new(Reading { response, answer, has_ended: false }));
                        continue;
                    }
                    Err(failed) => failed,
                },
                Stage::Reading(reading) => match reading.next(self.model, self.deadline).await {
                    Ok(event) => return Ok(event),
                    Err(error) if reading.answer.has_given() => return Err(error),
                    Err(error) => error.into(),
                },
            };
            // A response that failed is not kept while it waits.
            self.stage = Stage::Asking;
            self.wait(failed).await?;
        }
    }

    /// Waits until it may ask again, or gives up.
    async fn wait(&mut self, failed: Failed) -> Result<(), ModelError> {
        if failed.has_words {
            return Ok(());
        }
        let Some(wait) = self.retries.wait(&failed.error, failed.asked, fastrand::f64()) else {
            return Err(failed.error);
        };
        if self.deadline.is_some_and(|deadline| deadline.saturating_duration_since(Instant::now()) <= wait) {
            return Err(failed.error);
        }
        sleep(wait).await;
        Ok(())
    }

    /// Sends the request. The response has begun, and with success.
    async fn ask(&self) -> Result<Response, Failed> {
        let model = self.model;
        let (request, said) = model.request(&self.prompt)?;
        let sent = within(model, self.deadline, request.send()).await?;
        let mut response = sent.map_err(|error| failure::of_transport(error, &model.address, false))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let asked = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let asked = asked.and_then(|value| retry_after(value, SystemTime::now()));
        let mut body = Vec::new();
        // What cannot be read of it is not told.
        while let Ok(Ok(Some(chunk))) = within(model, self.deadline, response.chunk()).await {
            let room = ERROR_BODY.saturating_sub(body.len());
            body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
            if body.len() >= ERROR_BODY {
                break;
            }
        }
        let error = failure::of_status(status.as_u16(), &body, model.key.as_ref());
        let has_words = match (&model.form, said) {
            (Form::OpenAi(words), Some(said)) if matches!(status.as_u16(), 400 | 422) => {
                words.learn(said, &String::from_utf8_lossy(&body))
            }
            _ => false,
        };
        Err(Failed { error, asked, has_words })
    }
}

impl Reading {
    async fn next(&mut self, model: &HttpModel, deadline: Option<Instant>) -> Result<Option<ModelEvent>, ModelError> {
        loop {
            if let Some(event) = self.answer.next()? {
                return Ok(Some(event));
            }
            if self.has_ended {
                return Ok(None);
            }
            if self.answer.has_ended() {
                self.has_ended = true;
                let _ = timeout_at(Instant::now() + LINGER, self.response.chunk()).await;
                continue;
            }
            let read = within(model, deadline, self.response.chunk()).await?;
            if let Some(chunk) = read.map_err(|error| failure::of_transport(error, &model.address, true))? {
                self.answer.push(&chunk);
            } else {
                self.has_ended = true;
                self.answer.finish();
            }
        }
    }
}

/// What comes of this in the time that there is.
async fn within<T>(
    model: &HttpModel,
    deadline: Option<Instant>,
    coming: impl Future<Output = T>,
) -> Result<T, ModelError> {
    let now = Instant::now();
    // What is ready whenever it is asked for would never let the clock have its turn.
    if deadline.is_some_and(|deadline| deadline <= now) {
        return Err(failure::timeout("there is no whole response", model.timeout));
    }
    let idle = now.checked_add(model.idle_timeout);
    let Some(until) = idle.into_iter().chain(deadline).min() else { return Ok(coming.await) };
    timeout_at(until, coming).await.map_err(|_| match deadline {
        Some(deadline) if deadline <= until => failure::timeout("there is no whole response", model.timeout),
        _ => failure::timeout("the server sends nothing", model.idle_timeout),
    })
}

impl HttpModel {
    fn provider(&self) -> Provider {
        match self.form {
            Form::OpenAi(_) => Provider::OpenAiChat,
            Form::Anthropic => Provider::Anthropic,
        }
    }

    fn client(&self) -> Result<&Client, ModelError> {
        let client = self.client.get_or_init(|| client::client(&self.address, self.connect_timeout));
        client.as_ref().map_err(ModelError::clone)
    }

    /// The request, and the words that it is in.
    fn request(&self, prompt: &str) -> Result<(RequestBuilder, Option<Said>), ModelError> {
        let client = self.client()?;
        let temperature = self.temperature.filter(|temperature| temperature.is_finite());
        let user = Turn { role: "user", content: prompt };
        let (path, body, said) = match &self.form {
            Form::OpenAi(words) => {
                let system = self.system.as_deref().map(|content| Turn { role: "system", content });
                let messages = system.into_iter().chain([user]).collect();
                let (mut body, said) = words.body(&self.name, messages, self.max_tokens);
                body.temperature = temperature;
                (openai::PATH, serde_json::to_vec(&body), Some(said))
            }
            Form::Anthropic => {
                let body = anthropic::Body {
                    model: &self.name,
                    max_tokens: self.max_tokens.unwrap_or(anthropic::MAX_TOKENS),
                    system: self.system.as_deref(),
                    messages: [user],
                    temperature,
                    stream: true,
                };
                (anthropic::PATH, serde_json::to_vec(&body), None)
            }
        };
        let body = body.map_err(|error| {
            ModelError::of_kind(ModelErrorKind::Other, format!("the request cannot be written: {error}"))
        })?;
        let request = client.post(self.address.join(path)?).header(CONTENT_TYPE, "application/json");
        let request = request.header(ACCEPT, "text/event-stream, application/json").body(body);
        let request = match (&self.form, &self.key) {
            (Form::OpenAi(_), Some(key)) => request.header("authorization", key.header("Bearer ")?),
            (Form::Anthropic, Some(key)) => request.header("x-api-key", key.header("")?),
            (_, None) => request,
        };
        Ok(match self.form {
            Form::OpenAi(_) => (request, said),
            Form::Anthropic => (request.header("anthropic-version", anthropic::VERSION), said),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    #[tokio::test]
    async fn the_time_is_over_for_what_is_ready_too() {
        let model = HttpModel::openai("m");
        let error = within(&model, Some(Instant::now()), ready(1)).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Timeout);
        let later = Instant::now() + Duration::from_secs(3600);
        assert_eq!(within(&model, Some(later), ready(1)).await.unwrap(), 1);
        assert_eq!(within(&model, None, ready(1)).await.unwrap(), 1);
    }
}
