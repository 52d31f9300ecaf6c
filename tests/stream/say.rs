//! Messages as plain data, and streams written down shortly.

use jsonrill::{Choice, Message, MessageDecoder, MessageEvent, Provider, Snapshot, StopReason, ToolCall};
use serde_json::{Value, json};

/// What a stream told: its events, and the message that they make.
#[derive(Debug, PartialEq)]
pub struct Told {
    pub events: Vec<MessageEvent>,
    pub message: Value,
}

/// Reads a stream in these chunks.
pub fn told<'c>(mut decoder: MessageDecoder, chunks: impl IntoIterator<Item = &'c [u8]>) -> Told {
    let mut events = Vec::new();
    for chunk in chunks {
        events.extend(decoder.push(chunk));
    }
    events.extend(decoder.finish());
    assert_eq!(decoder.push(b"data: {}\n\n").count() + decoder.finish().count(), 0, "nothing comes behind the end");
    assert_events_make_the_message(&events, decoder.message());
    Told { events, message: message(decoder.message()) }
}

/// Reads a whole stream of a provider that is seen from the stream.
pub fn read(stream: &str) -> Value {
    told(MessageDecoder::new(), [stream.as_bytes()]).message
}

/// The same of a provider that is named.
pub fn read_as(provider: Provider, stream: &str) -> Value {
    told(MessageDecoder::for_provider(provider), [stream.as_bytes()]).message
}

fn value(snapshot: &Snapshot) -> Value {
    snapshot.to_value()
}

fn call(call: &ToolCall) -> Value {
    assert_eq!(call.arguments().is_some(), call.is_final());
    json!({
        "id": call.id(),
        "name": call.name(),
        "arguments": value(call.partial_arguments()),
        "raw_arguments": call.raw_arguments(),
        "complete": call.is_final(),
    })
}

pub fn choice(choice: &Choice) -> Value {
    json!({
        "content": choice.content(),
        "thinking": choice.reasoning(),
        "refusal": choice.refusal(),
        "tool_calls": choice.tool_calls().iter().map(call).collect::<Vec<_>>(),
        "finish_reason": choice.stop_reason().map(StopReason::as_str),
        "json": value(choice.json()),
        "json_complete": choice.is_json_complete(),
    })
}

/// The form that `jsonrill message` prints, with some more.
fn message(message: &Message) -> Value {
    let mut told = message.choices().next().map_or_else(|| json!({}), choice);
    told["choices"] = message.choices().map(|one| json!([one.index(), choice(one)])).collect();
    told["usage"] = json!(message.usage());
    told["errors"] =
        message.errors().iter().map(|error| json!([error.kind.as_str(), error.code, error.message])).collect();
    told["provider"] = json!(message.provider().map(Provider::as_str));
    told["ended"] = json!(message.is_ended());
    told
}

/// Events are all that a message is made of.
fn assert_events_make_the_message(events: &[MessageEvent], message: &Message) {
    let text = |wanted: &dyn Fn(&MessageEvent) -> Option<&str>| events.iter().filter_map(wanted).collect::<String>();
    for choice in message.choices() {
        let index = choice.index();
        let content = text(&|event| match event {
            MessageEvent::Content { choice, text } if *choice == index => Some(text),
            _ => None,
        });
        assert_eq!(content, choice.content());
        let reasoning = text(&|event| match event {
            MessageEvent::Reasoning { choice, text } if *choice == index => Some(text),
            _ => None,
        });
        assert_eq!(reasoning, choice.reasoning());
        for (number, known) in choice.tool_calls().iter().enumerate() {
            let arguments = text(&|event| match event {
                MessageEvent::CallArguments { choice, call, text } if (*choice, *call) == (index, number) => Some(text),
                _ => None,
            });
            assert_eq!(arguments, known.raw_arguments());
            let is = |event: &&MessageEvent, wanted: &MessageEvent| *event == wanted;
            let count = |wanted: MessageEvent| events.iter().filter(|event| is(event, &wanted)).count();
            assert_eq!(count(MessageEvent::CallStarted { choice: index, call: number }), 1);
            assert_eq!(count(MessageEvent::CallFinal { choice: index, call: number }), usize::from(known.is_final()));
            assert_ends_once(events, index, number, known);
        }
    }
    let errors: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            MessageEvent::Error(error) => Some(error.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(errors, message.errors());
}

/// A call that started ends once, as it says itself, and nothing of it comes behind that.
fn assert_ends_once(events: &[MessageEvent], of: u64, number: usize, known: &ToolCall) {
    let is_mine = |choice: u64, call: usize| (choice, call) == (of, number);
    let ends = events.iter().enumerate().filter_map(|(at, event)| match event {
        MessageEvent::CallEnded { choice, call, outcome } if is_mine(*choice, *call) => Some((at, *outcome)),
        _ => None,
    });
    let ends: Vec<_> = ends.collect();
    let [(at, outcome)] = ends[..] else { panic!("{known:?} ends with {ends:?}") };
    assert_eq!(Some(outcome), known.outcome());
    assert_eq!(outcome.is_complete(), known.is_final(), "{known:?} is {outcome}");
    let late = events[at + 1..].iter().find(|event| match event {
        MessageEvent::CallStarted { choice, call }
        | MessageEvent::CallArguments { choice, call, .. }
        | MessageEvent::CallFinal { choice, call } => is_mine(*choice, *call),
        _ => false,
    });
    assert_eq!(late, None, "of a call that has ended");
}

/// The stream of server-sent events with these payloads, and an end marker.
pub fn sse(payloads: &[Value]) -> String {
    events(payloads) + "data: [DONE]\n\n"
}

/// The same without an end marker.
pub fn events(payloads: &[Value]) -> String {
    payloads.iter().fold(String::new(), |stream, payload| format!("{stream}data: {payload}\n\n"))
}

/// A chunk of OpenAI's form with this delta.
#[expect(clippy::needless_pass_by_value, reason = "written in place")]
pub fn delta(delta: Value) -> Value {
    json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

/// A chunk with one tool call's piece.
#[expect(clippy::needless_pass_by_value, reason = "written in place")]
pub fn piece(call: Value) -> Value {
    delta(json!({"tool_calls": [call]}))
}

/// The last chunk.
pub fn stop(reason: &str) -> Value {
    json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

/// The calls that these pieces make, each as `[id, name, arguments]`, and whether each is complete.
pub fn calls(pieces: &[Value]) -> (Value, Vec<bool>) {
    let mut payloads: Vec<_> = pieces.iter().cloned().map(piece).collect();
    payloads.push(stop("tool_calls"));
    listed(&read(&sse(&payloads)))
}

/// The calls of a message, each as `[id, name, arguments]`, and whether each is complete.
pub fn listed(message: &Value) -> (Value, Vec<bool>) {
    let calls = message["tool_calls"].as_array().unwrap();
    let complete = calls.iter().map(|call| call["complete"].as_bool().unwrap()).collect();
    (calls.iter().map(|call| json!([call["id"], call["name"], call["arguments"]])).collect(), complete)
}
