//! What holds for any stream: cuts do not matter, nothing panics.

use jsonrill::{MessageDecoder, Provider};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::common::chunks::chunking;
use crate::common::config;
use crate::say::{delta, piece, stop, told};

const PROVIDERS: [Provider; 5] =
    [Provider::OpenAiChat, Provider::OpenAiResponses, Provider::Anthropic, Provider::Gemini, Provider::Ollama];

/// A piece of a tool call, which may be as odd as they come.
fn call() -> impl Strategy<Value = Value> {
    let index = select(vec![json!(0), json!(1), json!(null), json!("1"), json!(-1)]);
    let id = select(vec![json!("a"), json!("b"), json!(""), json!(null)]);
    let name = select(vec![json!("f"), json!("g"), json!(""), json!(null)]);
    let arguments = select(vec![
        json!(""),
        json!("{\"x\""),
        json!(":1"),
        json!("}"),
        json!("{\"x\":1}"),
        json!("{}"),
        json!({"y": 2}),
        json!(" "),
        json!("{\"z\": \"{"),
        json!("\"}{"),
        json!("null"),
    ]);
    (index, id, name, arguments)
        .prop_map(|(index, id, name, arguments)| json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}}))
}

/// A payload of one of the formats.
fn payload() -> impl Strategy<Value = Value> {
    let text = select(vec!["", "{\"a\": \"", "b", "\"}", "é"]);
    let item = json!({"type": "function_call", "id": "i", "call_id": "c", "name": "f", "arguments": "{\"x\":1}"});
    prop_oneof![
        3 => call().prop_map(piece),
        1 => prop::collection::vec(call(), 0..3).prop_map(|calls| delta(json!({"tool_calls": calls}))),
        2 => text.clone().prop_map(|text| delta(json!({"content": text, "reasoning": text}))),
        1 => select(vec!["stop", "length", "tool_calls"]).prop_map(stop),
        1 => (0..3_u64, select(vec![json!({"type": "text", "text": "t"}), json!({"type": "tool_use", "id": "a", "name": "f", "input": {"y": 1}})]))
            .prop_map(|(index, block)| json!({"type": "content_block_start", "index": index, "content_block": block})),
        1 => (0..3_u64, text.clone()).prop_map(|(index, text)| json!({"type": "content_block_delta", "index": index,
            "delta": {"partial_json": text}})),
        1 => (0..3_u64).prop_map(|index| json!({"type": "content_block_stop", "index": index})),
        1 => text.clone().prop_map(|text| json!({"type": "response.output_text.delta", "item_id": "i", "delta": text})),
        1 => text.clone().prop_map(|text| json!({"type": "response.output_text.done", "item_id": "i", "text": text})),
        1 => text.clone().prop_map(|text| json!({"type": "response.function_call_arguments.delta", "item_id": "i", "delta": text})),
        1 => select(vec!["response.output_item.added", "response.output_item.done"])
            .prop_map(move |kind| json!({"type": kind, "output_index": 0, "item": item})),
        1 => text.clone().prop_map(|text| json!({"candidates": [{"content": {"parts": [{"text": text},
            {"functionCall": {"name": "f", "args": {"x": text}}}]}}]})),
        1 => text.prop_map(|text| json!({"message": {"content": text}, "done": false})),
        1 => Just(json!({"error": {"message": "m"}})),
    ]
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    (
        0..3_usize,
        prop::collection::vec(
            (payload(), prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..2)),
            0..8,
        ),
    )
        .prop_map(|(wire, payloads)| {
            let mut stream = Vec::new();
            for (at, (payload, damage)) in payloads.into_iter().enumerate() {
                let mut text = payload.to_string().into_bytes();
                // One in some payloads is damaged.
                for (place, byte) in damage.into_iter().filter(|(_, byte)| *byte < 40) {
                    let place = place.index(text.len());
                    text[place] = byte;
                }
                let (before, after): (&[u8], &[u8]) = match wire {
                    0 => (b"data: ", b"\n\n"),
                    1 => (b"", b"\n"),
                    _ if at == 0 => (b"[", b"\n"),
                    _ => (b",", b"\n"),
                };
                stream.extend([before, &text, after].concat());
            }
            stream
        })
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn streams_read_the_same_however_they_are_cut(stream in stream(), cut in chunking(), named in prop::option::of(select(&PROVIDERS[..]))) {
        let decoder = || named.map_or_else(MessageDecoder::new, MessageDecoder::for_provider);
        let whole = told(decoder(), [stream.as_slice()]);
        prop_assert_eq!(told(decoder(), cut.cut(&stream)), whole);
    }

    #[test]
    fn any_bytes_do(stream in prop::collection::vec(any::<u8>(), 0..64), cut in chunking(), provider in select(&PROVIDERS[..])) {
        let whole = told(MessageDecoder::for_provider(provider), [stream.as_slice()]);
        prop_assert_eq!(told(MessageDecoder::for_provider(provider), cut.cut(&stream)), whole);
    }
}
