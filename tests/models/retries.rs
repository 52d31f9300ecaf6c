//! What is asked again.

use std::time::{Duration, Instant};

use axum::response::Response;
use jsonrill::{HttpModel, ModelErrorKind};
use serde_json::json;

use crate::read::ask;
use crate::server::{Server, anthropic_text, data, events, failure, json_body, lost, named, openai, openai_text};

const TEXT: &str = "[1, 2]";

fn later(status: u16, after: &'static str) -> Response {
    let mut response = failure(status, "not now");
    response.headers_mut().insert("retry-after", after.parse().expect("a header"));
    response
}

/// A server that answers so at first, and then well.
async fn good_after(times: usize, answer: impl Fn() -> Response + Send + Sync + 'static) -> Server {
    Server::start(move |number, _| if number < times { answer() } else { events(openai(TEXT, "stop")) }).await
}

#[tokio::test]
async fn too_often_and_then_good() {
    let server = good_after(1, || later(429, "1")).await;
    let start = Instant::now();
    let given = ask(&server.openai(), "Hi").await.good();
    assert_eq!((given.text.as_str(), server.asked().len()), (TEXT, 2));
    assert!(start.elapsed() >= Duration::from_secs(1), "as the server asks");
    let bodies = server.asked().into_iter().map(|asked| asked.body).collect::<Vec<_>>();
    assert_eq!(bodies[0], bodies[1]);
}

#[tokio::test]
async fn a_date_to_come_back() {
    let server = good_after(1, || later(503, "Sun, 06 Nov 1994 08:49:37 GMT")).await;
    assert_eq!(ask(&server.openai(), "Hi").await.good().text, TEXT);

    let server = good_after(1, || later(503, "Fri, 31 Dec 9999 23:59:59 GMT")).await;
    assert_eq!(ask(&server.openai(), "Hi").await.error().kind(), ModelErrorKind::Unavailable);
    assert_eq!(server.asked().len(), 1, "that is too long to wait");
}

#[tokio::test]
async fn each_status_that_passes() {
    for status in [429, 500, 502, 503, 504, 529] {
        let server = good_after(1, move || failure(status, "not now")).await;
        let given = ask(&server.openai(), "Hi").await.good();
        assert_eq!((given.text.as_str(), server.asked().len()), (TEXT, 2), "{status}");
    }
}

#[tokio::test]
async fn to_the_end_of_all_attempts() {
    let server = good_after(9, || failure(500, "not now")).await;
    let given = ask(&server.openai().max_retry_wait(Duration::from_millis(1)).retries(4), "Hi").await;
    let error = given.error();
    assert_eq!((error.kind(), error.status()), (ModelErrorKind::Unavailable, Some(500)));
    assert_eq!(error.to_string(), "the server answers 500 Internal Server Error: not now (some_error)");
    assert_eq!(server.asked().len(), 5);

    let server = good_after(9, || failure(500, "not now")).await;
    assert!(ask(&server.openai().retries(0), "Hi").await.error.is_some());
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn not_longer_than_one_wants_to_wait() {
    let server = good_after(1, || later(429, "3600")).await;
    let given = ask(&server.openai(), "Hi").await;
    assert_eq!((given.error().kind(), given.error().status()), (ModelErrorKind::RateLimited, Some(429)));
    assert_eq!(server.asked().len(), 1);

    // Nor beyond the time for the whole.
    let server = good_after(1, || later(429, "30")).await;
    let given = ask(&server.openai().timeout(Duration::from_secs(20)), "Hi").await;
    assert_eq!(given.error().kind(), ModelErrorKind::RateLimited);
    assert_eq!(server.asked().len(), 1);
}

/// A response that fails before anything of it was given might not have been.
#[tokio::test]
async fn lost_before_it_said_anything() {
    let opening = data(&json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}));
    let usage = data(&json!({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 0}}));
    let server = Server::start(move |number, _| match number {
        0 => lost(opening.clone()),
        1 => events(opening.clone() + &usage),
        2 => events(data(&json!({"error": {"message": "overloaded", "code": 529}}))),
        _ => events(openai(TEXT, "stop")),
    })
    .await;
    let given = ask(&server.openai().retries(3), "Hi").await.good();
    assert_eq!((given.text.as_str(), server.asked().len()), (TEXT, 4));
}

#[tokio::test]
async fn overloaded_before_it_said_anything() {
    let overloaded = named(&json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}));
    let server = Server::start(move |number, _| match number {
        0 => events(overloaded.clone()),
        1 => events(anthropic_text(TEXT) + &overloaded),
        _ => events(String::new()),
    })
    .await;
    let given = ask(&server.anthropic(), "Hi").await;
    assert_eq!((given.text.as_str(), given.error().kind()), (TEXT, ModelErrorKind::Unavailable));
    assert_eq!(server.asked().len(), 2, "text was given by the second");
}

/// A server that is not up yet.
#[tokio::test]
async fn nobody_there_at_first() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let model = HttpModel::openai("m").base_url(&format!("http://{address}/v1")).unwrap().retries(20);
    let model = model.max_retry_wait(Duration::from_millis(50));
    let server = async {
        tokio::task::yield_now().await;
        let listener = tokio::net::TcpListener::bind(address).await.unwrap();
        let router = axum::Router::new().fallback(|| async { events(openai(TEXT, "stop")) });
        axum::serve(listener, router).await
    };
    let given = tokio::select! {
        given = ask(&model, "Hi") => given.good(),
        ended = server => panic!("{ended:?}"),
    };
    assert_eq!(given.text, TEXT);
}

/// Servers that do not know all words are asked in those that they know.
#[tokio::test]
async fn other_words() {
    let refused = |word: &str| {
        let detail =
            json!([{"type": "extra_forbidden", "loc": ["body", word], "msg": "Extra inputs are not permitted"}]);
        json_body(422, &json!({"object": "error", "message": {"detail": detail}, "type": "invalid_request_error"}))
    };
    let server = Server::start(move |_, asked| {
        let has = |word: &str| asked.body.get(word).is_some();
        if has("stream_options") {
            refused("stream_options")
        } else if has("max_tokens") {
            refused("max_tokens")
        } else {
            events(openai_text(TEXT) + &openai("", "stop"))
        }
    })
    .await;
    let model = server.openai().max_tokens(100).retries(0);
    assert_eq!(ask(&model, "Hi").await.good().text, TEXT);
    assert_eq!(server.asked().len(), 3);
    assert_eq!(server.asked()[2].body["max_completion_tokens"], 100);
    ask(&model, "Hi").await.good();
    assert_eq!(server.asked().len(), 4, "it was learnt");
}

/// One that refuses all words is not asked for ever.
#[tokio::test]
async fn no_words_at_all() {
    let message = "unknown: stream_options, max_tokens, max_completion_tokens";
    let server = Server::start(move |_, _| failure(400, message)).await;
    let model = server.openai().max_tokens(100);
    assert_eq!(ask(&model, "Hi").await.error().kind(), ModelErrorKind::Rejected);
    assert!(server.asked().len() <= 3, "{}", server.asked().len());
}
