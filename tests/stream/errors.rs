//! What goes wrong in a stream: always a value, with all that came before kept.

use jsonrill::{MessageDecoder, MessageErrorKind, PayloadDecoder, Provider};
use serde_json::json;

use crate::say::{delta, read, read_as, sse, stop, told};

#[test]
fn errors_in_mid_stream_keep_what_came_before() {
    // goose#8031.
    let message = read(&format!(
        "data: {}\n\ndata: {}\n\n",
        delta(json!({"content": "{\"a\": \"Hel"})),
        json!({"error": {"message": "upstream overloaded", "type": "server_error", "code": 503}}),
    ));
    assert_eq!((&message["content"], &message["json"]), (&json!("{\"a\": \"Hel"), &json!({"a": "Hel"})));
    assert_eq!(message["errors"], json!([["provider", "503", "upstream overloaded"]]));
    assert_eq!((&message["finish_reason"], &message["ended"]), (&json!(null), &json!(false)));
}

#[test]
fn what_comes_behind_an_error_is_read() {
    let stream =
        sse(&[delta(json!({"content": "a"})), json!({"error": "busy"}), delta(json!({"content": "b"})), stop("stop")]);
    let message = read(&stream);
    assert_eq!((&message["content"], &message["errors"]), (&json!("ab"), &json!([["provider", null, "busy"]])));
}

#[test]
fn errors_of_each_provider() {
    let anthropic = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let expected = json!([["provider", "overloaded_error", "Overloaded"]]);
    assert_eq!(read(anthropic)["errors"], expected);
    assert_eq!(read_as(Provider::Anthropic, anthropic)["errors"], expected);
    assert_eq!(
        read_as(
            Provider::OpenAiResponses,
            "data: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"oops\"}\n\n"
        )["errors"],
        json!([["provider", "server_error", "oops"]])
    );
    assert_eq!(
        read(
            "data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"x\",\"message\":\"m\"}}}\n\n"
        )["errors"],
        json!([["provider", "x", "m"]])
    );
    // python-genai#1162.
    assert_eq!(
        read(
            "[{\"error\": {\"code\": 503, \"message\": \"The model is overloaded.\", \"status\": \"UNAVAILABLE\"}}\n]"
        )["errors"],
        json!([["provider", "503", "The model is overloaded."]])
    );
    assert_eq!(read("{\"error\":\"model not found\"}\n")["errors"], json!([["provider", null, "model not found"]]));
    // vLLM, in place of a stream.
    let vllm = "{\"object\":\"error\",\"message\":\"no such model\",\"type\":\"NotFoundError\",\"code\":404}";
    for message in [read(vllm), read_as(Provider::OpenAiChat, vllm)] {
        assert_eq!(message["errors"], json!([["provider", "404", "no such model"]]));
    }
    assert_eq!(
        read("{\"error\":{\"odd\":1}}")["errors"],
        json!([["provider", null, "the provider reported an error"]])
    );
}

#[test]
fn an_error_keeps_the_provider_s_own_words() {
    let mut decoder = MessageDecoder::new();
    decoder.push(b"data: {\"error\":{\"message\":\"m\",\"code\":429,\"retry\":[1]}}\n\n");
    let error = &decoder.message().errors()[0];
    assert_eq!(error.text.as_deref(), Some("{\"message\":\"m\",\"code\":429,\"retry\":[1]}"));
    assert_eq!(error.to_string(), "m (429)");
}

#[test]
fn no_error_is_none() {
    let payload = json!({"choices": [{"delta": {"content": "a"}, "error": null}], "error": null, "usage": null});
    assert_eq!(read(&sse(&[payload, json!({"choices": [], "error": {}}), stop("stop")]))["errors"], json!([]));
}

#[test]
fn a_payload_that_is_no_json_is_reported_and_passed_over() {
    let stream =
        format!("data: {}\n\ndata: {{\"choices\":[{{\"de\n\n{}", delta(json!({"content": "a"})), sse(&[stop("stop")]));
    let message = read(&stream);
    assert_eq!(message["content"], "a");
    let what = "a payload is no JSON: the JSON is truncated at byte 16 (in_key)";
    assert_eq!(message["errors"], json!([["bad_payload", null, what]]));

    let mut decoder = MessageDecoder::for_provider(Provider::OpenAiChat);
    decoder.push(b"data: <html>oops</html>\n\n");
    let error = &decoder.message().errors()[0];
    assert_eq!((error.kind, error.text.as_deref()), (MessageErrorKind::BadPayload, Some("<html>oops</html>")));
}

#[test]
fn control_characters_and_half_surrogates_are_no_errors() {
    let message =
        read("data: {\"choices\":[{\"delta\":{\"content\":\"a\tb\\ud83d\"},\"finish_reason\":\"stop\"}]}\n\n");
    assert_eq!((&message["content"], &message["errors"]), (&json!("a\tb\u{fffd}"), &json!([])));
}

#[test]
fn payloads_beyond_the_limit_are_reported_and_passed_over() {
    let stream = sse(&[delta(json!({"content": "x".repeat(500)})), delta(json!({"content": "a"})), stop("stop")]);
    let decoder = || MessageDecoder::new().payloads(PayloadDecoder::with_limit(300));
    let whole = told(decoder(), [stream.as_bytes()]);
    assert_eq!(whole.message["content"], "a");
    assert_eq!(whole.message["errors"][0][0], "too_long");
    assert_eq!(told(decoder(), stream.as_bytes().chunks(1)), whole);
}

#[test]
fn a_stream_without_its_end_marker_says_so() {
    let unended = json!([["unended", null, "the stream ended without its end marker"]]);
    assert_eq!(read("")["errors"], unended);
    assert_eq!(read(&format!("data: {}\n\n", delta(json!({"content": "a"}))))["errors"], unended);
    // A stop reason does where the marker is not always sent.
    assert_eq!(read(&format!("data: {}\n\n", stop("stop")))["errors"], json!([]));
    for (provider, stream) in [
        (Provider::Anthropic, "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"),
        (Provider::OpenAiResponses, "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n"),
        (Provider::Ollama, "{\"message\":{\"content\":\"a\"},\"done\":false}\n"),
        (Provider::Gemini, "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}]"),
    ] {
        assert_eq!(read_as(provider, stream)["errors"], unended, "{provider}");
    }
    let inside = read(&format!("data: {}", &delta(json!({"content": "a"})).to_string()[..20]));
    assert_eq!(inside["errors"], json!([["unended", null, "the stream ended inside a payload, 20 bytes into it"]]));
}

#[test]
fn payloads_of_no_known_form() {
    let message = read("data: {\"hello\": 1}\n\ndata: 5\n\n");
    let unknown = json!(["unknown_provider", null, "a payload is of no form that is known"]);
    assert_eq!(
        message["errors"],
        json!([unknown, unknown, ["unended", null, "the stream ended without its end marker"]])
    );
    assert_eq!(message["provider"], json!(null));
    // What is of no use to one who is known is no error.
    assert_eq!(read(&sse(&[stop("stop"), json!({"hello": 1}), json!({"choices": {"a": 1}})]))["errors"], json!([]));
}

#[test]
fn a_sign_of_life_says_nothing_of_who_lives() {
    let message =
        read(&format!("data: {{\"type\":\"ping\"}}\n\n{}", sse(&[delta(json!({"content": "a"})), stop("stop")])));
    assert_eq!((&message["provider"], &message["errors"]), (&json!("openai"), &json!([])));
}

#[test]
fn errors_are_kept_up_to_a_number() {
    let mut decoder = MessageDecoder::new();
    assert_eq!(decoder.push("data: oops\n\n".repeat(5000).as_bytes()).count(), 5000);
    assert_eq!(decoder.message().errors().len(), 1000);
    decoder.finish();
    assert_eq!(decoder.message().errors().last().unwrap().kind, MessageErrorKind::Unended);
}

/// A payload of a few megabytes that asks for a million parsers.
#[test]
fn choices_and_calls_are_kept_up_to_a_number() {
    let kinds =
        |decoder: &MessageDecoder| decoder.message().errors().iter().map(|error| error.kind).collect::<Vec<_>>();
    let mut decoder = MessageDecoder::for_provider(Provider::OpenAiChat);
    decoder.push(format!("data: {{\"choices\":[{{}}{}]}}\n\n", ",{}".repeat(1_000_000)).as_bytes());
    assert_eq!(decoder.message().choices().len(), 10_000);
    assert_eq!(kinds(&decoder), [MessageErrorKind::TooMany]);
    // Those that there are go on.
    decoder.push(b"data: {\"choices\":[{\"index\":7,\"delta\":{\"content\":\"a\"}}]}\n\n");
    assert_eq!(decoder.message().choice(7).unwrap().content(), "a");

    for payload in [
        json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{\"x\":1}".repeat(50_000)}}]}}]}),
        json!({"type": "message_start", "message": {"content": vec![json!({"type": "tool_use", "id": "a"}); 15_000]}}),
        json!({"candidates": [{"content": {"parts": vec![json!({"functionCall": {"name": "f"}}); 15_000]}}]}),
        json!({"message": {"tool_calls": vec![json!({"function": {}}); 15_000]}, "done": false}),
    ] {
        let mut decoder = MessageDecoder::new();
        decoder.push(format!("data: {payload}\n\n").as_bytes());
        assert_eq!(decoder.message().tool_calls().len(), 9_999, "{:?}", decoder.message().provider());
        assert_eq!(kinds(&decoder), [MessageErrorKind::TooMany]);
        decoder.finish();
    }
}

#[test]
fn what_an_error_is_about_is_kept_up_to_a_length() {
    let mut decoder = MessageDecoder::new();
    decoder
        .push(format!("data: {{\"error\":{{\"message\":\"m\",\"body\":\"{}\"}}}}\n\n", "é".repeat(10_000)).as_bytes());
    assert_eq!(decoder.message().errors()[0].text.as_ref().unwrap().chars().count(), 4096);
}

#[test]
fn a_stream_of_something_else_says_what_it_is() {
    let told = |provider: Option<Provider>, stream: &str| {
        let mut decoder = provider.map_or_else(MessageDecoder::new, MessageDecoder::for_provider);
        decoder.push(stream.as_bytes());
        decoder.finish();
        let errors = decoder.message().errors();
        let error = errors.last().unwrap();
        // One error, and not that the end is missing, too.
        let told = (errors.len(), error.kind, error.to_string(), error.text.clone().unwrap_or_default());
        (told.1 == MessageErrorKind::NoMessage && told.0 == 1).then_some((told.2, told.3))
    };
    let chat = sse(&[delta(json!({"content": "a"})), stop("stop")]) + "data: [DONE]\n\n";
    let (what, text) = told(Some(Provider::Anthropic), &chat).unwrap();
    assert_eq!(what, "the stream has the form of openai, and not of anthropic");
    assert!(text.starts_with("data: {"), "{text}");
    let (what, text) = told(None, "\n<html>\n<h1>502 Bad Gateway</h1>").unwrap();
    assert_eq!((what.as_str(), text.as_str()), ("the stream has no payload", "<html>\n<h1>502 Bad Gateway</h1>"));
    let (what, _) = told(Some(Provider::OpenAiChat), "data: {\"hello\": 1}\n\n").unwrap();
    assert_eq!(what, "no payload of the stream has the form of openai");
    // What begins as it should is short of a message, and no other thing.
    assert_eq!(told(Some(Provider::OpenAiChat), "data: {\"choices\":[]}\n\n"), None);
    assert_eq!(told(None, ""), None);
}
