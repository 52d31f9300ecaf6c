//! Servers that take their time. None of them ever answers, so that nothing here depends on how fast anything is.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use futures::stream::{self, StreamExt};
use jsonrill::{HttpModel, LanguageModel, ModelErrorKind, ModelEvent};
use tokio::net::TcpListener;

use crate::read::{Given, ask, request};
use crate::server::{Server, events, hanging, openai_text};

const TEXT: &str = "[1, 2";
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(3600);

/// Takes connections, and says nothing.
async fn silent() -> (TcpListener, HttpModel) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let model = HttpModel::openai("m").base_url(&url).unwrap();
    (listener, model)
}

#[tokio::test]
async fn no_response_at_all() {
    let (_listener, model) = silent().await;
    let given = ask(&model.idle_timeout(SHORT), "Hi").await;
    assert_eq!(given.error().kind(), ModelErrorKind::Timeout);
    assert_eq!(given.error().to_string(), "the server sends nothing within 50ms");

    let (_listener, model) = silent().await;
    let given = ask(&model.timeout(SHORT), "Hi").await;
    assert_eq!(given.error().kind(), ModelErrorKind::Timeout);
    assert_eq!(given.error().to_string(), "there is no whole response within 50ms");
}

/// What is asked with more and more time, until there is text: a machine that has much to do is slow, too. Gives the
/// time that it took.
async fn until_text(mut ask: impl AsyncFnMut(Duration) -> Given) -> (Given, Duration) {
    for time in [SHORT, 20 * SHORT, 400 * SHORT] {
        let given = ask(time).await;
        if !given.text.is_empty() {
            return (given, time);
        }
    }
    panic!("there never was any text");
}

#[tokio::test]
async fn nothing_more() {
    let server = Server::start(|_, _| hanging(openai_text(TEXT))).await;
    let mut times = 0;
    let (given, time) = until_text(async |time| {
        times += 1;
        ask(&server.openai().idle_timeout(time), "Hi").await
    })
    .await;
    assert_eq!((given.text.as_str(), given.error().kind()), (TEXT, ModelErrorKind::Timeout));
    assert_eq!(given.error().to_string(), format!("the server sends nothing within {time:?}"));
    assert_eq!(server.asked().len(), times);
}

/// Signs of life are no answer: the time for the whole runs out all the same.
#[tokio::test]
async fn signs_of_life() {
    let server = Server::start(|_, _| {
        let first = stream::iter([Ok::<_, Infallible>(openai_text(TEXT))]);
        let pings = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            Some((Ok(": ping\n\n".to_owned()), ()))
        });
        events(Body::from_stream(first.chain(pings)))
    })
    .await;
    let asking = async |time| ask(&server.openai().idle_timeout(LONG).timeout(time), "Hi").await;
    let (given, time) = until_text(asking).await;
    assert_eq!((given.text.as_str(), given.error().kind()), (TEXT, ModelErrorKind::Timeout));
    assert_eq!(given.error().to_string(), format!("there is no whole response within {time:?}"));
}

/// A time that never runs out is no reason to panic.
#[tokio::test]
async fn all_the_time_in_the_world() {
    let server = Server::start(|_, _| hanging(openai_text(TEXT))).await;
    let model = server.openai().idle_timeout(Duration::MAX).timeout(Duration::MAX).connect_timeout(Duration::MAX);
    let mut response = model.respond(request("Hi"));
    assert!(matches!(response.next().await, Some(Ok(ModelEvent::Text(_)))));
}
