//! Answers that are none.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use futures::StreamExt;
use jsonrill::{LanguageModel, ModelErrorKind, ModelEvent};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::read::{ask, request};
use crate::server::{
    KEY, Server, anthropic_text, data, endless, events, failure, hanging, json_body, lost, named, openai, openai_text,
};

const TEXT: &str = "{\"n\": [1, 2";

// --- statuses ---------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn statuses_that_asking_again_does_not_change() {
    for (status, kind, name) in [
        (400, ModelErrorKind::Rejected, "400 Bad Request"),
        (401, ModelErrorKind::Unauthorized, "401 Unauthorized"),
        (403, ModelErrorKind::Unauthorized, "403 Forbidden"),
        (404, ModelErrorKind::Rejected, "404 Not Found"),
        (408, ModelErrorKind::Timeout, "408 Request Timeout"),
        (413, ModelErrorKind::Rejected, "413 Payload Too Large"),
        (501, ModelErrorKind::Unavailable, "501 Not Implemented"),
    ] {
        let server = Server::start(move |_, _| failure(status, "no, and why")).await;
        for given in [ask(&server.openai(), "Hi").await, ask(&server.anthropic(), "Hi").await] {
            let error = given.error();
            assert_eq!((error.kind(), error.status()), (kind, Some(status)));
            assert_eq!(error.to_string(), format!("the server answers {name}: no, and why (some_error)"));
            assert_eq!((given.text.as_str(), given.stop_reason), ("", None));
        }
        assert_eq!(server.asked().len(), 2, "{status}");
    }
}

/// Some servers repeat what they were sent.
#[tokio::test]
async fn a_key_that_the_server_repeats() {
    let server = Server::start(|number, asked| match number {
        0 => failure(401, &format!("no such key: {KEY}. Headers: {:?}", asked.headers)),
        1 => failure(400, &format!("{} {KEY}", "x".repeat(990))),
        _ => events(openai_text(TEXT) + &data(&json!({"error": {"message": format!("{KEY} is used up")}}))),
    })
    .await;
    let model = server.openai();
    for _ in 0..3 {
        let given = ask(&model, "Hi").await;
        let error = given.error();
        // Not even the start of it, where it was cut.
        assert!(!format!("{error} {error:?}").contains("sk-very"), "{error:?}");
    }
}

#[tokio::test]
async fn an_error_of_any_length() {
    let server = Server::start(|number, _| {
        let mut response = match number {
            0 => endless("", "Not now. "),
            _ => endless("{\"error\": {\"message\": \"", "Not now. "),
        };
        *response.status_mut() = StatusCode::BAD_REQUEST;
        response
    })
    .await;
    for _ in 0..2 {
        let given = ask(&server.openai(), "Hi").await;
        let told = given.error().to_string();
        assert!(told.len() < 1200 && told.contains("Not now."), "{told}");
    }
}

#[tokio::test]
async fn an_error_that_never_ends() {
    let server = Server::start(|_, _| {
        let mut response = hanging("Not now.".to_owned());
        *response.status_mut() = StatusCode::BAD_REQUEST;
        response
    })
    .await;
    // A machine that has much to do may be slow, too.
    for time in [50, 1000, 20_000] {
        let given = ask(&server.openai().idle_timeout(Duration::from_millis(time)), "Hi").await;
        if given.error().kind() == ModelErrorKind::Rejected {
            assert_eq!(given.error().to_string(), "the server answers 400 Bad Request: Not now.");
            return;
        }
    }
    panic!("it never said anything");
}

#[tokio::test]
async fn a_page() {
    let page = "<!DOCTYPE html>\n<html><body><h1>It works!</h1>\n\n<p>data: really</p></body></html>\n";
    let server = Server::start(move |number, _| {
        let status = if number == 0 { 200 } else { 404 };
        (StatusCode::from_u16(status).unwrap(), [("content-type", "text/html")], page).into_response()
    })
    .await;
    let model = server.openai();
    let given = ask(&model, "Hi").await;
    assert_eq!(given.error().kind(), ModelErrorKind::Protocol);
    assert!(given.error().to_string().contains("<!DOCTYPE html>"), "{}", given.error());
    assert_eq!(ask(&model, "Hi").await.error().to_string(), "the server answers 404 Not Found");
}

/// The key goes nowhere else.
#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = Server::events([openai(TEXT, "stop")]).await;
    let to = format!("{}/chat/completions", elsewhere.url());
    for status in [301, 302, 303, 307, 308] {
        let to = to.clone();
        let server = Server::start(move |_, _| {
            (StatusCode::from_u16(status).unwrap(), [("location", to.clone())]).into_response()
        })
        .await;
        let given = ask(&server.openai(), "Hi").await;
        let error = given.error();
        assert_eq!((error.kind(), error.status()), (ModelErrorKind::Rejected, Some(status)));
        assert!(error.to_string().ends_with("and redirects are not followed"), "{error}");
        assert_eq!(server.asked().len(), 1);
    }
    assert_eq!(elsewhere.asked().len(), 0);
}

#[tokio::test]
async fn nobody_there() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let model = jsonrill::HttpModel::openai("m").base_url(&url).unwrap().retries(1);
    let given = ask(&model, "Hi").await;
    let error = given.error();
    assert_eq!((error.kind(), error.status()), (ModelErrorKind::Connect, None));
    assert!(error.to_string().starts_with("127.0.0.1 was not reached: "), "{error}");
    assert!(std::error::Error::source(error).is_some());
}

/// What is no TLS is not trusted.
#[tokio::test]
async fn a_server_that_is_not_trusted() {
    let server = Server::events([openai(TEXT, "stop")]).await;
    let url = server.url().replace("http:", "https:");
    let model = server.openai().base_url(&url).unwrap().retries(0);
    let given = ask(&model, "Hi").await;
    // A machine without certificates cannot trust anyone.
    let kind = given.error().kind();
    assert!(matches!(kind, ModelErrorKind::Connect | ModelErrorKind::Setup), "{:?}", given.error());
    assert!(server.asked().is_empty());
}

// --- bodies -----------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn cut_before_its_end() {
    let server = Server::start(|number, _| match number {
        0 => events(openai_text(TEXT)),
        1 => lost(openai_text(TEXT)),
        2 => events(openai_text(TEXT) + "data: {\"choices\": [{\"del"),
        3 => lost(openai_text(TEXT) + "data: {\"choices\": [{\"del"),
        4 => events(anthropic_text(TEXT)),
        _ => lost(anthropic_text(TEXT)),
    })
    .await;
    for number in 0..6 {
        let given = if number < 4 { ask(&server.openai(), "Hi").await } else { ask(&server.anthropic(), "Hi").await };
        assert_eq!((given.text.as_str(), given.error().kind()), (TEXT, ModelErrorKind::Interrupted), "{number}");
    }
    assert_eq!(server.asked().len(), 6, "nothing is asked again once text was given");
}

#[tokio::test]
async fn an_error_in_mid_stream() {
    let overloaded = named(&json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}));
    let server = Server::start(move |number, _| match number {
        0 => events(openai_text(TEXT) + &data(&json!({"error": {"message": "GPU fell off", "code": 500}}))),
        1 => events(openai_text(TEXT) + &data(&json!({"error": {"message": "slower", "type": "rate_limit_error"}}))),
        _ => events(anthropic_text(TEXT) + &overloaded),
    })
    .await;
    for (kind, message) in [
        (ModelErrorKind::Unavailable, "the server breaks off: GPU fell off (500)"),
        (ModelErrorKind::RateLimited, "the server breaks off: slower (rate_limit_error)"),
    ] {
        let given = ask(&server.openai(), "Hi").await;
        assert_eq!((given.text.as_str(), given.error().kind()), (TEXT, kind));
        assert_eq!(given.error().to_string(), message);
    }
    let given = ask(&server.anthropic(), "Hi").await;
    assert_eq!((given.text.as_str(), given.error().kind()), (TEXT, ModelErrorKind::Unavailable));
    assert_eq!(given.error().to_string(), "the server breaks off: Overloaded (overloaded_error)");
    assert_eq!(server.asked().len(), 3, "nothing is asked again once text was given");
}

#[tokio::test]
async fn garbage() {
    let noise: Vec<u8> = (0..10_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    for (body, kind) in [
        (Bytes::from(noise), ModelErrorKind::Protocol),
        ("data: {oh no\n\n".into(), ModelErrorKind::Protocol),
        ("data: \"choices\"\n\ndata: [DONE]\n\n".into(), ModelErrorKind::Protocol),
        ("{\"models\": [\"m\"]}".into(), ModelErrorKind::Protocol),
        (anthropic_text(TEXT).into(), ModelErrorKind::Protocol),
        (": nothing\n\n".into(), ModelErrorKind::Protocol),
        ("".into(), ModelErrorKind::Interrupted),
    ] {
        let server = Server::start({
            let body = body.clone();
            move |_, _| events(Body::from(body.clone()))
        })
        .await;
        let given = ask(&server.openai().retries(0), "Hi").await;
        assert_eq!((given.text.as_str(), given.error().kind()), ("", kind), "{body:?}: {:?}", given.error());
        assert!(given.error().to_string().len() < 4096);
    }
}

/// What came before it was given, and what comes behind it is not read.
#[tokio::test]
async fn a_payload_that_is_none() {
    let server = Server::events([openai_text(TEXT) + "data: {oh no\n\n" + &openai("]}", "stop")]).await;
    let given = ask(&server.openai(), "Hi").await;
    assert_eq!((given.text.as_str(), given.error().kind()), (TEXT, ModelErrorKind::Protocol));
    assert!(given.error().to_string().contains("{oh no"), "{}", given.error());
}

#[tokio::test]
async fn an_endless_response() {
    const PIECE: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"1, \"}}]}\n\n";
    const LIMIT: u64 = 100_000;
    let server = Server::start(|number, _| match number {
        0 => endless("", PIECE),
        1 => endless(&openai_text(TEXT), ": still here\n\n"),
        2 => endless("data: \"", "and on"),
        3 => endless("{\"choices\": [{\"message\": {\"content\": \"", "and on"),
        _ => endless("", "\n"),
    })
    .await;
    for number in 0..5 {
        let given = ask(&server.openai().max_response_bytes(LIMIT), "Hi").await;
        let error = given.error();
        assert_eq!(error.kind(), ModelErrorKind::Protocol, "{number}: {error}");
        assert_eq!(error.to_string(), "the response is longer than the limit of 100000 bytes", "{number}");
        let text = match number {
            0 => "1, ".repeat(usize::try_from(LIMIT).unwrap() / PIECE.len()),
            1 => TEXT.to_owned(),
            _ => String::new(),
        };
        assert_eq!(given.text, text);
    }
}

#[tokio::test]
async fn a_response_up_to_the_limit() {
    let body = openai(TEXT, "stop");
    let length = body.len() as u64;
    let server = Server::events([body]).await;
    assert_eq!(ask(&server.openai().max_response_bytes(length), "Hi").await.good().text, TEXT);
    assert!(ask(&server.openai().max_response_bytes(length / 2), "Hi").await.error.is_some());
}

// --- the one who asks -------------------------------------------------------------------------------------------------

/// Tells when it is dropped.
struct Gone(Option<oneshot::Sender<()>>);

impl Drop for Gone {
    fn drop(&mut self) {
        if let Some(told) = self.0.take() {
            let _ = told.send(());
        }
    }
}

/// The server sees that nobody wants the rest.
#[tokio::test]
async fn a_stream_that_is_dropped_closes_the_connection() {
    let (told, gone) = oneshot::channel();
    let told = Arc::new(Mutex::new(Some(told)));
    let server = Server::start(move |_, _| {
        let guard = Gone(told.lock().unwrap().take());
        let first = futures::stream::iter([Ok::<_, std::io::Error>(openai_text(TEXT))]);
        let rest = futures::stream::once(async move {
            let _guard = guard;
            std::future::pending().await
        });
        events(Body::from_stream(first.chain(rest)))
    })
    .await;
    let model = server.openai();
    let mut response = model.respond(request("Hi"));
    assert!(matches!(response.next().await, Some(Ok(ModelEvent::Text(_)))));
    drop(response);
    gone.await.unwrap();
}

/// A server whose status says that all is well, and whose body does not.
#[tokio::test]
async fn an_error_with_a_good_status() {
    let error = json!({"error": {"message": "no such model", "type": "invalid_request_error"}});
    let server = Server::start(move |_, _| json_body(200, &error)).await;
    for given in [ask(&server.openai(), "Hi").await, ask(&server.anthropic(), "Hi").await] {
        assert_eq!(given.error().kind(), ModelErrorKind::Rejected);
        assert!(given.error().to_string().contains("no such model"), "{}", given.error());
    }
}
