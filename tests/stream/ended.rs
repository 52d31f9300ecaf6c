//! How calls end: once each, and with what their arguments amount to. That every call of every stream ends once is
//! asserted wherever [`told`] reads one.

use jsonrill::{
    Dialect, Duplicates, ErrorKind, Limits, Message, MessageDecoder, MessageEvent, Options, Outcome, Provider,
};
use serde_json::{Value, json};

use crate::say::{events, piece, sse, stop, told};

/// What the arguments of the calls of a stream amount to, in the order in which the calls ended.
fn ended(decoder: MessageDecoder, stream: &str) -> Vec<(usize, Outcome)> {
    let told = told(decoder, stream.as_bytes().chunks(7));
    let ended = told.events.iter().filter_map(|event| match event {
        MessageEvent::CallEnded { call, outcome, .. } => Some((*call, *outcome)),
        _ => None,
    });
    ended.collect()
}

fn outcome(arguments: &str, reason: &str) -> Outcome {
    let call = json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": arguments}});
    let ended = ended(MessageDecoder::new(), &sse(&[piece(call), stop(reason)]));
    assert_eq!(ended.len(), 1, "{arguments}");
    ended[0].1
}

#[test]
fn a_call_ends_with_what_its_arguments_amount_to() {
    for (arguments, expected) in [
        ("{\"a\": 1}", Outcome::Complete),
        ("{\"a\": 1} \n", Outcome::Complete),
        ("", Outcome::Complete),
        ("{}", Outcome::Complete),
        ("{a: 1,}", Outcome::Repaired),
        ("```json\n{\"a\": 1}\n```", Outcome::Repaired),
        ("{\"a\": 1", Outcome::Truncated),
        ("{\"a\": \"b", Outcome::Truncated),
        ("{", Outcome::Truncated),
        ("{\"a\": 1, \"a\": 2}", Outcome::Malformed),
        ("[1, \"a\"]", Outcome::Malformed),
        ("No arguments.", Outcome::Empty),
    ] {
        assert_eq!(outcome(arguments, "tool_calls"), expected, "{arguments}");
    }
}

#[test]
fn a_stop_reason_tells_only_of_a_call_without_arguments() {
    assert_eq!(outcome("{\"a\": 1}", "length"), Outcome::Complete);
    assert_eq!(outcome("{\"a\": 1", "tool_calls"), Outcome::Truncated);
    assert_eq!(outcome("", "length"), Outcome::Empty);
}

/// The same two calls in every form: one that is whole, and one that the token limit cut, or that is malformed where
/// the form has whole calls only.
#[test]
fn calls_end_in_the_form_of_every_provider() {
    let anthropic = |index: u64, text: &str| {
        [
            json!({"type": "content_block_start", "index": index,
                "content_block": {"type": "tool_use", "id": index.to_string(), "name": "f", "input": {}}}),
            json!({"type": "content_block_delta", "index": index,
                "delta": {"type": "input_json_delta", "partial_json": text}}),
            json!({"type": "content_block_stop", "index": index}),
        ]
    };
    let responses = |index: u64, text: &str| {
        let item = |arguments: &str, status: &str| {
            json!({"type": "function_call", "id": format!("fc_{index}"), "call_id": index.to_string(), "name": "f",
                "arguments": arguments, "status": status})
        };
        [
            json!({"type": "response.output_item.added", "output_index": index, "item": item("", "in_progress")}),
            json!({"type": "response.function_call_arguments.delta", "output_index": index,
                "item_id": format!("fc_{index}"), "delta": text}),
            json!({"type": "response.output_item.done", "output_index": index, "item": item(text, "incomplete")}),
        ]
    };
    let chat = |index: u64, text: &str| {
        piece(json!({"index": index, "id": index.to_string(), "function": {"name": "f", "arguments": text}}))
    };
    let (whole, cut) = ("{\"a\": 1}", "{\"a\": \"b");
    let both = |one: &dyn Fn(u64, &str) -> [Value; 3]| [one(0, whole), one(1, cut)].concat();

    let expected = [(0, Outcome::Complete), (1, Outcome::Truncated)];
    for (provider, stream) in [
        (Provider::OpenAiChat, sse(&[chat(0, whole), chat(1, cut), stop("length")])),
        (Provider::OpenAiChat, events(&[chat(0, whole), chat(1, cut)])),
        (Provider::Anthropic, events(&both(&anthropic))),
        (Provider::OpenAiResponses, events(&both(&responses))),
        // Without the events that end a call.
        (Provider::Anthropic, events(&both(&anthropic)[..5])),
        (Provider::OpenAiResponses, events(&both(&responses)[..5])),
    ] {
        assert_eq!(ended(MessageDecoder::new(), &stream), expected, "{provider}: {stream}");
        assert_eq!(ended(MessageDecoder::for_provider(provider), &stream), expected, "{provider}: {stream}");
    }

    let gemini = |call: Value| json!({"candidates": [{"content": {"parts": [{"functionCall": call}]}}]});
    let stream = events(&[
        gemini(json!({"name": "f", "args": {"a": 1}})),
        gemini(json!({"name": "g", "willContinue": true})),
        gemini(json!({"partialArgs": [{"jsonPath": "$.a", "stringValue": "b", "willContinue": true}],
            "willContinue": true})),
    ]);
    assert_eq!(ended(MessageDecoder::new(), &stream), expected, "{stream}");

    let line = |arguments: &str| {
        format!("{{\"message\":{{\"tool_calls\":[{{\"function\":{{\"name\":\"f\",\"arguments\":{arguments}}}}}]}}}}\n")
    };
    let stream = line(whole) + &line("{\"a\": 1, \"a\": 2}") + "{\"done\":true}\n";
    let expected = [(0, Outcome::Complete), (1, Outcome::Malformed)];
    assert_eq!(ended(MessageDecoder::for_provider(Provider::Ollama), &stream), expected);
}

#[test]
fn a_call_ends_as_soon_as_the_provider_says_so() {
    let mut decoder = MessageDecoder::new();
    let mut push = |payload: Value| decoder.push(format!("data: {payload}\n\n").as_bytes()).collect::<Vec<_>>();
    push(json!({"type": "content_block_start", "index": 0,
        "content_block": {"type": "tool_use", "id": "a", "name": "f", "input": {}}}));
    let last = push(json!({"type": "content_block_delta", "index": 0,
        "delta": {"type": "input_json_delta", "partial_json": "{\"a\": 1}"}}));
    assert_eq!(last[1..], [MessageEvent::CallFinal { choice: 0, call: 0 }]);
    let ended = MessageEvent::CallEnded { choice: 0, call: 0, outcome: Outcome::Complete };
    assert_eq!(push(json!({"type": "content_block_stop", "index": 0})), [ended]);
}

/// The first call of a stream that is read with these options for arguments.
fn read_with<T>(options: Options, call: Value, look: impl FnOnce(&Message) -> T) -> T {
    let mut decoder = MessageDecoder::new().arguments_options(options);
    decoder.push(sse(&[piece(call), stop("tool_calls")]).as_bytes());
    decoder.finish();
    look(decoder.message())
}

fn called(arguments: &str) -> Value {
    json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": arguments}})
}

#[test]
fn arguments_are_read_with_their_options() {
    let read = |options: Options, arguments: &str| {
        read_with(options, called(arguments), |message| {
            let call = &message.tool_calls()[0];
            let error = call.finished().unwrap().error().map(jsonrill::Error::kind);
            (call.outcome().unwrap(), error, call.arguments().map(ToString::to_string))
        })
    };
    let whole = |text: &str| Some(text.to_owned());
    assert_eq!(read(Options::new(), "{a: 1}"), (Outcome::Repaired, None, whole("{\"a\":1}")));
    let strict = Options::new().dialect(Dialect::Strict);
    assert!(matches!(read(strict, "{a: 1}"), (Outcome::Malformed, Some(_), None)));
    assert_eq!(read(strict, "{\"a\": 1}"), (Outcome::Complete, None, whole("{\"a\":1}")));
    // What stands for no arguments does so in every dialect.
    for none in ["", "null", "{}", "{}{}"] {
        assert_eq!(read(strict, none), (Outcome::Complete, None, whole("{}")), "{none}");
    }
    let shallow = Options::new().limits(Limits::new().depth(2));
    assert_eq!(read(shallow, "{\"a\": [[1]]}"), (Outcome::Limit, Some(ErrorKind::DepthLimit), None));
    let twice = "{\"a\": 1, \"a\": 2}";
    assert_eq!(read(Options::new(), twice), (Outcome::Malformed, Some(ErrorKind::DuplicateKey), None));
    let last = Options::new().duplicates(Duplicates::Last);
    assert_eq!(read(last, twice), (Outcome::Complete, None, whole("{\"a\":2}")));
}

#[test]
fn arguments_that_are_final_stay_so_whatever_comes_behind_them() {
    let strict = Options::strict();
    read_with(strict, called("{\"a\": 1} and so on"), |message| {
        let call = &message.tool_calls()[0];
        assert_eq!((call.outcome(), call.arguments().unwrap().at("/a").as_i64()), (Some(Outcome::Malformed), Some(1)));
    });
}

#[test]
fn of_free_text_the_limits_count_alone() {
    let custom =
        |input: &str| json!({"index": 0, "id": "a", "type": "custom", "custom": {"name": "f", "input": input}});
    let object = Options::new().expect(jsonrill::Expect::Object);
    for options in [Options::new(), Options::strict(), object] {
        read_with(options, custom("a \"b\""), |message| {
            let call = &message.tool_calls()[0];
            assert_eq!(
                (call.outcome(), call.arguments().unwrap().root().as_str()),
                (Some(Outcome::Complete), Some("a \"b\""))
            );
        });
    }
    let short = Options::new().limits(Limits::new().bytes(4));
    read_with(short, custom("a long text"), |message| {
        assert_eq!(message.tool_calls()[0].outcome(), Some(Outcome::Limit));
    });
}
