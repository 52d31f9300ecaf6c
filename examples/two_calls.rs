//! Acts on the fields of two tool calls that the model writes at the same time, each the moment it is final.
//!
//!     cargo run --example two_calls
//!
//! Replays a provider's stream in which the arguments of two calls come in turns. The second is cut by the token limit.
//!
//! What to take home:
//!
//! 1. The events of one decoder say which call a piece of text is of. Each call has a channel of its own, and `Fields` on
//!    the other end of it: so there may be any number of calls, in one task or in many.
//! 2. A channel that is closed says nothing of why. `ModelEvent` is what goes through, for it can say that, too: then a
//!    field of a call that was cut is `FieldError::Cut`.
//! 3. What a field is good for can begin before the call is whole, such as a search. What changes something waits for
//!    `CallFinal`, as in `text_and_calls`.

use futures::channel::mpsc::{self, UnboundedReceiver, UnboundedSender};
use futures::executor::block_on;
use futures::stream::{self, FuturesUnordered};
use futures::{StreamExt, select_biased};
use jsonrill::{FieldError, Fields, MessageDecoder, MessageEvent, ModelEvent, Options, ParseJsonExt, Parser, Role};
use serde_json::{Value, json};

/// Pieces of the arguments, and of which call they are.
const PIECES: [(usize, &str); 7] = [
    (0, "{\"place\": \"Be"),
    (1, "{\"place\": \"Oslo\", \"ni"),
    (0, "rn\", \"nights"),
    (1, "ghts\": 2, \"guests\": 4, \"wi"),
    (0, "\": 3, \"guests\": "),
    (0, "2}"),
    (1, "shes\": \"a room with"),
];

fn main() {
    let text = response();
    let reads: Vec<Vec<u8>> = text.as_bytes().chunks(60).map(<[u8]>::to_vec).collect();
    let mut events = stream::iter(reads).decode(MessageDecoder::new());

    let mut calls: Vec<UnboundedSender<ModelEvent>> = Vec::new();
    let mut searches = FuturesUnordered::new();
    let mut answers = Vec::new();
    block_on(async {
        loop {
            // What can go on goes on before more is read. With a runtime, each search would be a task.
            select_biased! {
                answer = searches.select_next_some() => answers.push(answer),
                event = events.select_next_some() => match event {
                    Ok(MessageEvent::CallStarted { call, .. }) => {
                        let (sender, receiver) = mpsc::unbounded();
                        calls.push(sender);
                        searches.push(search(call, receiver));
                    }
                    Ok(MessageEvent::CallArguments { call, text, .. }) => {
                        println!("call {call}: {text}");
                        send(&calls, call, ModelEvent::Text(text));
                    }
                    Ok(MessageEvent::CallEnded { call, outcome, .. }) => {
                        println!("call {call} has ended: {outcome}");
                        let reason = if outcome.is_complete() { "stop" } else { "length" };
                        send(&calls, call, ModelEvent::Stopped(reason.into()));
                        if let Some(call) = calls.get(call) {
                            call.close_channel();
                        }
                    }
                    Ok(_) => {}
                    Err(error) => println!("{error}"),
                },
                complete => break,
            }
        }
    });

    assert!(matches!(answers[0], (0, Ok(()))));
    assert!(matches!(answers[1], (1, Err(FieldError::Cut { .. }))));
}

/// Looks for a hotel while the arguments of the call are still being written.
async fn search(call: usize, arguments: UnboundedReceiver<ModelEvent>) -> (usize, Result<(), FieldError>) {
    let fields = Fields::with_parser(arguments, Parser::with_options(Options::new().role(Role::Arguments)));
    let steps = async {
        let place = fields.value::<String>("/place").await?;
        println!("  call {call}: hotels in {place} are looked up");
        let guests = fields.value::<u32>("/guests").await?;
        println!("  call {call}: those with room for {guests} are left");
        let wishes = fields.value::<Option<String>>("/wishes").await?;
        println!("  call {call}: and their wishes: {wishes:?}");
        Ok(())
    };
    let done = steps.await;
    if let Err(error) = &done {
        println!("  call {call}: {error}");
    }
    (call, done)
}

fn send(calls: &[UnboundedSender<ModelEvent>], call: usize, event: ModelEvent) {
    if let Some(call) = calls.get(call) {
        // Who does not want any more of it has dropped the other end.
        let _ = call.unbounded_send(event);
    }
}

/// What the provider sends.
fn response() -> String {
    let event = |choice: Value| format!("data: {}\n\n", json!({"choices": [choice]}));
    let call = |call: Value| event(json!({"index": 0, "delta": {"tool_calls": [call]}}));
    let begin = |at: usize| call(json!({"index": at, "id": format!("call_{at}"), "function": {"name": "hotels"}}));
    let mut text = begin(0) + &begin(1);
    for (at, piece) in PIECES {
        text += &call(json!({"index": at, "function": {"arguments": piece}}));
    }
    text + &event(json!({"index": 0, "delta": {}, "finish_reason": "length"})) + "data: [DONE]\n\n"
}
