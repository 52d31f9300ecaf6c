//! A server that plays a provider.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures::stream::{self, StreamExt};
use jsonrill::{ApiKey, HttpModel};
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub const KEY: &str = "sk-very-secret-0123456789";

/// What it was asked.
#[derive(Debug, Clone)]
pub struct Asked {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
    pub from: SocketAddr,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }
}

/// A server on this machine. It ends with the runtime of the test.
pub struct Server {
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// One that answers so, the first request with number 0.
    pub async fn start(answer: impl Fn(usize, &Asked) -> Response + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answer, log) = (Arc::new(answer), Arc::clone(&asked));
        let handler = async move |ConnectInfo(from): ConnectInfo<SocketAddr>, request: Request| {
            let (head, body) = request.into_parts();
            let body = to_bytes(body, 1 << 20).await.expect("a request");
            let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
            let now = Asked { path: head.uri.to_string(), headers: head.headers, body, from };
            let number = {
                let mut log = log.lock().expect("no panic");
                log.push(now.clone());
                log.len() - 1
            };
            answer(number, &now)
        };
        let router = Router::new().fallback(handler).into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, asked }
    }

    /// One that gives these bodies as server-sent events, and the last for ever.
    pub async fn events(bodies: impl IntoIterator<Item = String>) -> Self {
        let bodies: Vec<_> = bodies.into_iter().collect();
        Self::start(move |number, _| events(bodies[number.min(bodies.len() - 1)].clone())).await
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no panic").clone()
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Its model in OpenAI's form.
    pub fn openai(&self) -> HttpModel {
        self.set_up(HttpModel::openai("some-model"))
    }

    /// Its model in Anthropic's form.
    pub fn anthropic(&self) -> HttpModel {
        self.set_up(HttpModel::anthropic("some-model"))
    }

    fn set_up(&self, model: HttpModel) -> HttpModel {
        model.base_url(&self.url()).expect("an address").key(ApiKey::new(KEY).expect("a key"))
    }
}

// --- bodies -----------------------------------------------------------------------------------------------------------

/// A chat completion that says this, in two pieces, and ends for this reason.
pub fn openai(text: &str, reason: &str) -> String {
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 22}});
    openai_text(text) + &openai_stop(reason) + &data(&usage) + "data: [DONE]\n\n"
}

pub fn openai_text(text: &str) -> String {
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let (first, second) = text.split_at(middle);
    let piece = |text| data(&json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}));
    piece(first) + &piece(second)
}

pub fn openai_stop(reason: &str) -> String {
    data(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
}

/// A message of Anthropic that says this, in two pieces, and ends for this reason.
pub fn anthropic(text: &str, reason: &str) -> String {
    let delta = json!({
        "type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": null},
        "usage": {"output_tokens": 22},
    });
    anthropic_text(text)
        + &named(&json!({"type": "content_block_stop", "index": 0}))
        + &named(&delta)
        + &named(&json!({"type": "message_stop"}))
}

pub fn anthropic_text(text: &str) -> String {
    let start = json!({
        "type": "message_start",
        "message": {"role": "assistant", "content": [], "usage": {"input_tokens": 11, "output_tokens": 1}},
    });
    let block = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}});
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let (first, second) = text.split_at(middle);
    let delta = |text| {
        let delta = json!({"type": "text_delta", "text": text});
        named(&json!({"type": "content_block_delta", "index": 0, "delta": delta}))
    };
    named(&start) + &named(&block) + "event: ping\ndata: {\"type\": \"ping\"}\n\n" + &delta(first) + &delta(second)
}

pub fn data(payload: &Value) -> String {
    format!("data: {payload}\n\n")
}

/// An event that is named as its payload's type.
pub fn named(payload: &Value) -> String {
    format!("event: {}\ndata: {payload}\n\n", payload["type"].as_str().expect("a type"))
}

// --- responses --------------------------------------------------------------------------------------------------------

pub fn events(body: impl Into<Body>) -> Response {
    ([("content-type", "text/event-stream")], body.into()).into_response()
}

/// The same, each byte a chunk of its own.
pub fn bytewise(body: &str) -> Response {
    let bytes = body.bytes().map(|byte| Ok::<_, Infallible>(Bytes::from(vec![byte]))).collect::<Vec<_>>();
    events(Body::from_stream(stream::iter(bytes)))
}

/// The same, and then nothing: the connection stays open.
pub fn hanging(body: String) -> Response {
    let first = stream::iter([Ok::<_, Infallible>(body)]);
    events(Body::from_stream(first.chain(stream::pending())))
}

/// The same, and then the connection is lost.
pub fn lost(body: String) -> Response {
    // The server writes what it has when the next part is not there at once.
    let lost = stream::once(async {
        tokio::task::yield_now().await;
        Err(io::Error::other("lost"))
    });
    events(Body::from_stream(stream::iter([Ok(body)]).chain(lost)))
}

/// This, over and over.
pub fn endless(first: &str, piece: &'static str) -> Response {
    let first = stream::iter([Ok::<_, Infallible>(first.to_owned())]);
    events(Body::from_stream(first.chain(stream::repeat(Ok(piece.to_owned())))))
}

pub fn json_body(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).expect("a status");
    (status, [("content-type", "application/json")], body.to_string()).into_response()
}

/// An error as OpenAI writes it.
pub fn failure(status: u16, message: &str) -> Response {
    json_body(status, &json!({"error": {"message": message, "type": "some_error", "code": null}}))
}
