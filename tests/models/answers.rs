//! Answers that are good.

use futures::StreamExt;
use futures::executor::block_on;
use jsonrill::{
    AccumulationOptions, Conclusion, Fields, HttpModel, LanguageModel, ModelErrorKind, Outcome, ParseJsonExt,
    RoundError, Usage, accumulate,
};
use serde_json::json;

use crate::read::{Given, ask, request};
use crate::server::{
    KEY, Server, anthropic, bytewise, data, events, failure, hanging, json_body, openai, openai_stop, openai_text,
};

const TEXT: &str = "{\"stadt\": \"Köln 🎉\", \"n\": [1, 2.50]}";

#[track_caller]
fn is_text(given: Given, reason: &str) {
    let given = given.good();
    assert_eq!((given.text.as_str(), given.stop_reason.as_deref()), (TEXT, Some(reason)));
    assert_eq!(given.usage, Some(Usage::new(11, 22)));
}

#[tokio::test]
async fn chat_completions() {
    let server = Server::events([openai(TEXT, "stop")]).await;
    let given = ask(&server.openai(), "Cities?").await;
    assert_eq!(given.pieces, 2);
    is_text(given, "stop");

    let asked = &server.asked()[0];
    assert_eq!(asked.path, "/v1/chat/completions");
    assert_eq!(asked.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(asked.header("content-type"), Some("application/json"));
    assert_eq!((asked.header("x-api-key"), asked.header("anthropic-version")), (None, None));
    assert_eq!(
        asked.body,
        json!({
            "model": "some-model",
            "messages": [{"role": "user", "content": "Cities?"}],
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    );

    let model = server.openai().system("Only JSON.").max_tokens(99).temperature(0.2);
    ask(&model, "Cities?").await.good();
    let body = &server.asked()[1].body;
    assert_eq!(body["messages"][0], json!({"role": "system", "content": "Only JSON."}));
    assert_eq!(body["messages"][1], json!({"role": "user", "content": "Cities?"}));
    assert_eq!((&body["max_tokens"], &body["temperature"]), (&json!(99), &json!(0.2)));
}

#[tokio::test]
async fn messages() {
    let server = Server::events([anthropic(TEXT, "end_turn")]).await;
    let given = ask(&server.anthropic(), "Cities?").await;
    assert_eq!(given.pieces, 2);
    is_text(given, "end_turn");

    let asked = &server.asked()[0];
    assert_eq!(asked.path, "/v1/messages");
    assert_eq!((asked.header("x-api-key"), asked.header("authorization")), (Some(KEY), None));
    assert_eq!(asked.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(
        asked.body,
        json!({
            "model": "some-model",
            "max_tokens": 8192,
            "messages": [{"role": "user", "content": "Cities?"}],
            "stream": true,
        })
    );

    let model = server.anthropic().system("Only JSON.").max_tokens(99).temperature(0.0);
    ask(&model, "Cities?").await.good();
    let body = &server.asked()[1].body;
    assert_eq!((&body["system"], &body["max_tokens"]), (&json!("Only JSON."), &json!(99)));
    assert_eq!(body["temperature"], json!(0.0));
}

#[tokio::test]
async fn a_server_nearby_wants_no_key() {
    let server = Server::events([openai(TEXT, "stop")]).await;
    let model = HttpModel::openai("m").base_url(&format!("{}/?version=1#x", server.url())).unwrap();
    is_text(ask(&model, "Hi").await, "stop");
    let asked = &server.asked()[0];
    assert_eq!((asked.path.as_str(), asked.header("authorization")), ("/v1/chat/completions?version=1", None));
}

#[tokio::test]
async fn byte_by_byte() {
    let server = Server::start(|number, _| match number {
        0 => bytewise(&openai(TEXT, "length")),
        _ => bytewise(&anthropic(TEXT, "max_tokens")),
    })
    .await;
    is_text(ask(&server.openai(), "Hi").await, "length");
    is_text(ask(&server.anthropic(), "Hi").await, "max_tokens");
}

#[tokio::test]
async fn in_one_piece() {
    let server = Server::start(|number, _| match number {
        0 => json_body(
            200,
            &json!({
                "object": "chat.completion",
                "choices": [{"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 11, "completion_tokens": 22},
            }),
        ),
        _ => json_body(
            200,
            &json!({
                "type": "message",
                "content": [{"type": "text", "text": TEXT}],
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 11, "output_tokens": 22},
            }),
        ),
    })
    .await;
    is_text(ask(&server.openai(), "Hi").await, "stop");
    is_text(ask(&server.anthropic(), "Hi").await, "end_turn");
}

#[tokio::test]
async fn without_an_end_marker_but_with_a_reason() {
    let server = Server::events([openai_text(TEXT) + &openai_stop("stop")]).await;
    let given = ask(&server.openai(), "Hi").await.good();
    assert_eq!((given.text.as_str(), given.stop_reason.as_deref()), (TEXT, Some("stop")));
}

#[tokio::test]
async fn reasoning_and_other_choices_are_left_out() {
    let body = data(&json!({"choices": [{"index": 0, "delta": {"reasoning_content": "hm"}}]}))
        + &data(&json!({"choices": [{"index": 1, "delta": {"content": "other"}, "finish_reason": "length"}]}))
        + &openai(TEXT, "stop");
    is_text(ask(&Server::events([body]).await.openai(), "Hi").await, "stop");
}

/// An answer that has ended is over, also where the server leaves the connection open.
#[tokio::test]
async fn an_open_connection_is_not_waited_for() {
    let server = Server::start(|number, _| match number {
        0 => hanging(openai(TEXT, "stop")),
        _ => hanging(anthropic(TEXT, "end_turn")),
    })
    .await;
    is_text(ask(&server.openai(), "Hi").await, "stop");
    is_text(ask(&server.anthropic(), "Hi").await, "end_turn");
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let server = Server::events([openai(TEXT, "stop")]).await;
    let model = server.openai();
    for _ in 0..3 {
        ask(&model, "Hi").await.good();
    }
    let from: Vec<_> = server.asked().iter().map(|asked| asked.from).collect();
    assert_eq!(from, [from[0]; 3]);
}

/// Nothing is asked before the stream is polled.
#[tokio::test]
async fn nothing_is_asked_that_is_not_wanted() {
    let server = Server::events([openai(TEXT, "stop")]).await;
    let model = server.openai();
    drop(model.respond(request("Hi")));
    ask(&model, "Ho").await.good();
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn outside_of_a_runtime() {
    let model = HttpModel::openai("m").base_url("http://127.0.0.1:1").unwrap();
    let error = block_on(model.respond(request("Hi")).next()).unwrap().unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ModelErrorKind::Setup, "it is asked outside of a Tokio runtime")
    );
}

// --- with the rest of the library -------------------------------------------------------------------------------------

#[tokio::test]
async fn a_fenced_answer_in_two_rounds() {
    let server = Server::events([
        openai("Here you are:\n```json\n{\"n\": [1, 2", "length"),
        openai("```json\n, 3]}\n```\nDone.", "stop"),
    ])
    .await;
    let options = AccumulationOptions::new().ask_for_kpis(false);
    let report = accumulate(&server.openai(), "Three numbers, as JSON.", options).report().await;
    assert_eq!(report.conclusion, Conclusion::Complete);
    assert_eq!(report.snapshot().to_value(), json!({"n": [1, 2, 3]}));
    assert_eq!(report.usage(), Usage::new(22, 44));
    let asked: Vec<_> = report.rounds.iter().map(|round| round.stop_reason.as_str().to_owned()).collect();
    assert_eq!(asked, ["length", "stop"]);
}

#[tokio::test]
async fn no_json_at_all() {
    let server = Server::events([anthropic("I would rather not.", "end_turn")]).await;
    let options = AccumulationOptions::new().ask_for_kpis(false);
    let report = accumulate(&server.anthropic(), "Three numbers, as JSON.", options).report().await;
    assert_ne!(report.conclusion, Conclusion::Complete);
    assert!(report.into_complete().is_err());
}

/// A response that fails is a round that failed, with what there is.
#[tokio::test]
async fn a_failure_is_a_round() {
    let server = Server::start(|number, _| match number {
        0 => events(openai("[1, 2", "length")),
        _ => failure(400, "too long"),
    })
    .await;
    let options = AccumulationOptions::new().ask_for_kpis(false);
    let report = accumulate(&server.openai(), "Three numbers, as JSON.", options).report().await;
    assert_eq!(report.snapshot().to_value(), json!([1, 2]));
    let Some(RoundError::Model(error)) = &report.rounds.last().unwrap().error else { panic!("{:?}", report.rounds) };
    assert_eq!((error.kind(), error.status()), (ModelErrorKind::Rejected, Some(400)));
    assert_eq!(error.to_string(), "the server answers 400 Bad Request: too long (some_error)");
}

/// A model's stream is read as any other, and the text ends as the stop reason says.
#[tokio::test]
async fn fields_of_an_answer() {
    for (reason, outcome) in [("length", Outcome::Truncated), ("stop", Outcome::Repaired)] {
        let server = Server::events([openai("{\"spam\": true, \"why\": \"It is}", reason)]).await;
        let model = server.openai();
        let fields = Fields::new(model.respond(request("Spam?")));
        assert!(fields.value::<bool>("/spam").await.unwrap());
        let mut updates = model.respond(request("Spam?")).parse_json();
        while let Some(update) = updates.next().await {
            update.unwrap();
        }
        assert_eq!(updates.finished().unwrap().outcome(), outcome, "{reason}");
    }
}

#[tokio::test]
async fn many_at_once() {
    let server = Server::events([openai(TEXT, "stop")]).await;
    let model = server.openai();
    let given = futures::future::join_all((0..100).map(|_| ask(&model, "Hi"))).await;
    assert_eq!(given.len(), 100);
    for given in given {
        is_text(given, "stop");
    }
}
