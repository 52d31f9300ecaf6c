//! A character of which each half came in a payload of its own.
//!
//! elie222/rakazo#416: a delta ends with `\ud83d`, and what belongs to it is in the next one.

use jsonrill::Provider;
use serde_json::{Value, json};

use crate::say::read_as;

/// The stream of payloads with these two strings in the place of `$`.
fn halves(payload: &str, head: &str, tail: &str) -> String {
    [head, tail].map(|half| format!("data: {}\n\n", payload.replace('$', half))).concat()
}

/// Payloads with a piece of text in them, and where the message has it.
const PLACES: [(Provider, &str, &str); 14] = [
    (Provider::OpenAiChat, r#"{"choices":[{"index":0,"delta":{"content":"$"}}]}"#, "/content"),
    (Provider::OpenAiChat, r#"{"choices":[{"index":0,"delta":{"reasoning_content":"$"}}]}"#, "/thinking"),
    (Provider::OpenAiChat, r#"{"choices":[{"index":0,"delta":{"refusal":"$"}}]}"#, "/refusal"),
    (Provider::OpenAiChat, r#"{"choices":[{"index":0,"text":"$"}]}"#, "/content"),
    (Provider::OpenAiChat, r#"{"choices":[{"delta":{"content":[{"type":"text","text":"$"}]}}]}"#, "/content"),
    (
        Provider::OpenAiChat,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"$"}}]}}]}"#,
        "/tool_calls/0/raw_arguments",
    ),
    (Provider::OpenAiResponses, r#"{"type":"response.output_text.delta","item_id":"m","delta":"$"}"#, "/content"),
    (Provider::OpenAiResponses, r#"{"type":"response.reasoning_text.delta","item_id":"m","delta":"$"}"#, "/thinking"),
    (
        Provider::OpenAiResponses,
        r#"{"type":"response.function_call_arguments.delta","item_id":"m","delta":"$"}"#,
        "/tool_calls/0/raw_arguments",
    ),
    (Provider::Anthropic, r#"{"type":"content_block_delta","index":0,"delta":{"text":"$"}}"#, "/content"),
    (
        Provider::Anthropic,
        r#"{"type":"content_block_delta","index":0,"delta":{"partial_json":"$"}}"#,
        "/tool_calls/0/raw_arguments",
    ),
    (Provider::Gemini, r#"{"candidates":[{"content":{"parts":[{"text":"$"}]}}]}"#, "/content"),
    (Provider::Ollama, r#"{"message":{"content":"$"},"done":false}"#, "/content"),
    (Provider::Ollama, r#"{"response":"$","done":false}"#, "/content"),
];

fn text_of(message: &Value, place: &str) -> String {
    message.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[test]
fn halves_in_two_payloads_are_one_character() {
    for (provider, payload, place) in PLACES {
        let message = read_as(provider, &halves(payload, r"[\ud83d", r"\ude00]"));
        assert_eq!(text_of(&message, place), "[😀]", "{payload}");
        assert!(message["errors"].as_array().unwrap().iter().all(|error| error[0] == "unended"), "{message}");
    }
}

#[test]
fn a_half_whose_other_half_never_comes_is_a_replacement_character() {
    for (provider, payload, place) in PLACES {
        for (head, tail, expected) in [
            (r"[\ud83d", "]", "[\u{FFFD}]"),
            (r"[\ud83d", r"\ud83d", "[\u{FFFD}\u{FFFD}"),
            ("[", r"\ude00]", "[\u{FFFD}]"),
            (r"[\ud83d", "", "[\u{FFFD}"),
            (r"[\ud83d\u0041", r"\ude00", "[\u{FFFD}A\u{FFFD}"),
            ("[\u{10F03D}", "\u{10F600}", "[\u{10F03D}\u{10F600}"),
        ] {
            let message = read_as(provider, &halves(payload, head, tail));
            assert_eq!(text_of(&message, place), expected, "{payload} {head} {tail}");
        }
    }
}

#[test]
fn nothing_is_shown_of_half_a_character() {
    let (_, payload, _) = PLACES[0];
    let mut decoder = jsonrill::MessageDecoder::new();
    let payload = |text: &str| format!("data: {}\n\n", payload.replace('$', text));
    assert_eq!(decoder.push(payload(r"\ud83d").as_bytes()).count(), 0);
    assert_eq!(decoder.message().content(), "");
    assert_eq!(decoder.push(payload(r"\ude00").as_bytes()).count(), 1);
    assert_eq!(decoder.message().content(), "😀");
}

#[test]
fn a_whole_text_is_the_same_as_its_pieces_with_halves() {
    let pieces = [
        json!({"type": "response.output_text.done", "item_id": "m", "output_index": 0, "text": "a😀b"}),
        json!({"type": "response.completed", "response": {"status": "completed"}}),
    ];
    let stream = halves(
        r#"{"type":"response.output_text.delta","item_id":"m","output_index":0,"delta":"$"}"#,
        r"a\ud83d",
        r"\ude00b",
    ) + &crate::say::events(&pieces);
    let message = read_as(Provider::OpenAiResponses, &stream);
    assert_eq!((&message["content"], &message["errors"]), (&json!("a😀b"), &json!([])));
}

/// Where a string is not looked at until its payload is understood, a half in it once made it no string at all.
#[test]
fn a_half_loses_nothing_but_itself() {
    for (provider, payload, place) in PLACES {
        let message = read_as(provider, &halves(payload, r"[a\ud83db", "c]"));
        assert_eq!(text_of(&message, place), "[a\u{FFFD}bc]", "{payload}");
    }
}
