//! Shows a model's text and runs its tool calls, out of one stream, while it comes.
//!
//!     cargo run --example text_and_calls
//!
//! Replays a stream of OpenAI's form, as every server sends it that speaks that form, in pieces that end anywhere. The
//! model says something, calls a tool, and is cut by its token limit in the arguments of a second call.
//!
//! What to take home:
//!
//! 1. One decoder is enough: its events are text, calls and the end, in the order in which they came. Streams of other
//!    providers give the same events.
//! 2. A call can be run at `CallFinal`, which comes with the last bracket of its arguments, long before the end.
//! 3. Each call that began has a `CallEnded`, which says what its arguments amount to. So one that was cut is told to the
//!    model, and is neither run nor waited for.

use jsonrill::{Message, MessageDecoder, MessageEvent, Outcome, ToolCall};
use serde::Deserialize;

const RESPONSE: &str = include_str!("data/text_and_calls.sse");

#[derive(Debug, Deserialize)]
struct Trip<'a> {
    from: &'a str,
    to: &'a str,
    seats: u32,
}

fn main() {
    let mut decoder = MessageDecoder::new();
    let mut answers = Vec::new();
    for read in RESPONSE.as_bytes().chunks(150) {
        let events: Vec<_> = decoder.push(read).collect();
        act_on(&events, decoder.message(), &mut answers);
    }
    // The end of the stream ends what is open, so it has events, too.
    let events: Vec<_> = decoder.finish().collect();
    act_on(&events, decoder.message(), &mut answers);

    println!("\nback to the model:");
    for (id, answer) in &answers {
        println!("  {id}: {answer}");
    }
    let ids: Vec<_> = decoder.message().tool_calls().iter().filter_map(ToolCall::id).collect();
    assert!(answers.iter().map(|(id, _)| id.as_str()).eq(ids), "each call has an answer");
}

fn act_on(events: &[MessageEvent], message: &Message, answers: &mut Vec<(String, String)>) {
    for event in events {
        match event {
            MessageEvent::Content { text, .. } => print!("{text}"),
            MessageEvent::CallFinal { choice, call } => {
                let Some(call) = find(message, *choice, *call) else { continue };
                answers.push((id(call), run(call)));
            }
            MessageEvent::CallEnded { choice, call, outcome } => {
                let Some(call) = find(message, *choice, *call) else { continue };
                if call.is_final() {
                    continue; // it runs already
                }
                println!("\n[{} is not run: its arguments are {outcome}]", call.name());
                let error = call.finished().and_then(|finished| finished.error());
                let what = match (outcome, error) {
                    (Outcome::Truncated, _) => "the arguments were cut: call again, with less".to_owned(),
                    // Prose, say. (A call without any arguments has `{}`.)
                    (Outcome::Empty, _) => "there is no JSON in the arguments".to_owned(),
                    (_, Some(error)) => format!("the arguments cannot be read: {error}"),
                    (_, None) => "the arguments are no JSON object".to_owned(),
                };
                answers.push((id(call), what));
            }
            MessageEvent::Error(error) => println!("\n[{error}]"),
            _ => {}
        }
    }
}

/// A call by the choice that it is of, and its place there. (There is one choice, unless more are asked for.)
fn find(message: &Message, choice: u64, call: usize) -> Option<&ToolCall> {
    message.choice(choice)?.tool_calls().get(call)
}

/// Runs a call whose arguments are final.
fn run(call: &ToolCall) -> String {
    let Some(arguments) = call.arguments() else { return "nothing to run".to_owned() };
    println!("\n[{} {arguments}]", call.name());
    match (call.name(), arguments.deserialize::<Trip>()) {
        ("find_trains", Ok(Trip { from, to, seats })) => format!("{from} to {to}, {seats} seats: 08:25, 12:03"),
        (_, Err(error)) => format!("other arguments are needed: {error}"),
        (name, _) => format!("there is no tool `{name}`"),
    }
}

fn id(call: &ToolCall) -> String {
    call.id().unwrap_or_default().to_owned()
}
