//! What bytes carry, as streams.

use std::error::Error;
use std::io;

use futures::executor::{block_on, block_on_stream};
use futures::stream::{self, FusedStream};
use futures::{FutureExt, StreamExt};
use jsonrill::split::Splitter;
use jsonrill::{
    Decode, DecodeError, FieldError, Fields, JsonArrayDecoder, MessageDecoder, MessageEvent, NdjsonDecoder, Options,
    Outcome, ParseJsonExt, Parser, PayloadDecoder, Role, SseDecoder,
};

use serde_json::json;

use crate::script::{Act, script};

const CHAT: &str = concat!(
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Sure: {\\\"a\\\": \\\"x\"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"y\\\", \\\"b\\\": [1, 2\"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"]}\"},\"finish_reason\":\"stop\"}]}\n\n",
    "data: [DONE]\n\n",
);

fn cut(text: &str, size: usize) -> impl futures::Stream<Item = Result<Vec<u8>, io::Error>> + Unpin {
    stream::iter(text.as_bytes().chunks(size).map(|chunk| Ok(chunk.to_vec())).collect::<Vec<_>>())
}

#[test]
fn each_decoder_gives_what_it_gives_by_hand() {
    for size in [1, 2, 7, 4096] {
        let events: Vec<_> = block_on_stream(cut(CHAT, size).decode(SseDecoder::new())).map(Result::unwrap).collect();
        assert_eq!(events, SseDecoder::new().push(CHAT.as_bytes()).map(Result::unwrap).collect::<Vec<_>>());
        let payloads: Vec<_> =
            block_on_stream(cut(CHAT, size).decode(PayloadDecoder::new())).map(Result::unwrap).collect();
        assert_eq!(payloads.len(), 4);

        let mut messages = cut(CHAT, size).decode(MessageDecoder::new());
        let seen: Vec<_> = block_on_stream(&mut messages).map(Result::unwrap).collect();
        let mut decoder = MessageDecoder::new();
        let mut expected: Vec<MessageEvent> = decoder.push(CHAT.as_bytes()).collect();
        expected.extend(decoder.finish());
        assert_eq!(seen, expected);
        assert_eq!(messages.decoder().message().content(), r#"Sure: {"a": "xy", "b": [1, 2]}"#);
        assert!(messages.is_terminated());

        let lines: Vec<_> = block_on_stream(cut("{\"n\":1}\n{\"n\":2}", size).decode(NdjsonDecoder::new())).collect();
        assert_eq!(lines.into_iter().map(Result::unwrap).collect::<Vec<_>>(), ["{\"n\":1}", "{\"n\":2}"]);
        let elements: Vec<_> = block_on_stream(cut("[1, {\"n\":2}]", size).decode(JsonArrayDecoder::new())).collect();
        assert_eq!(elements.into_iter().map(Result::unwrap).collect::<Vec<_>>(), ["1", "{\"n\":2}"]);
    }
}

#[test]
fn the_message_outlives_its_text() {
    let content = cut(CHAT, 5).decode(MessageDecoder::new()).content();
    let message = content.message();
    let fields = Fields::new(content);
    assert_eq!(message.read(|message| message.content().to_owned()), "");
    assert_eq!(block_on(fields.value::<String>("/a")).unwrap(), "xy");
    assert!(message.read(|message| message.stop_reason().is_none() && message.content().contains("xy")));
    block_on(fields.finished());
    drop(fields);
    message.read(|message| {
        assert_eq!(message.content(), r#"Sure: {"a": "xy", "b": [1, 2]}"#);
        assert!(message.stop_reason().is_some() && message.is_ended());
        // One who reads the text reads the JSON in it, and the message does not again.
        assert!(message.json().is_none());
    });
}

#[test]
fn from_the_bytes_of_a_response_to_a_field() {
    for size in [1, 5, 64, 4096] {
        let fields = Fields::new(cut(CHAT, size).decode(MessageDecoder::new()).content());
        let text: String = block_on(fields.text("/a").map(Result::unwrap).collect());
        assert_eq!(text, "xy");
        let items: Vec<u8> = block_on(fields.items::<u8>("/b").map(Result::unwrap).collect());
        assert_eq!(items, [1, 2]);
        assert!(block_on(fields.finished()).is_complete());
    }
}

#[test]
fn errors_of_each_layer_are_told_apart() {
    let long = cut("data: much too long\n\ndata: x\n\n", 3).decode(SseDecoder::with_limit(8));
    let events: Vec<_> = block_on_stream(long).collect();
    assert!(matches!(events[0], Err(DecodeError::TooLong(_))));
    assert_eq!(events[1].as_ref().unwrap().data, "x");

    let unended: Vec<_> = block_on_stream(cut("data: {\"a\":", 3).decode(PayloadDecoder::new())).collect();
    assert!(matches!(unended[..], [Err(DecodeError::Unended(_))]));

    let (source, handle) = script([Act::Fail, Act::Chunk(CHAT.to_owned())]);
    handle.close();
    let events: Vec<_> = block_on_stream(source.decode(SseDecoder::new())).collect();
    assert!(matches!(events[0], Err(DecodeError::Source(_))));
    assert_eq!(events.len(), 5);
    assert!(handle.is_dropped());

    let text = format!("{}data: {{\"error\":{{\"message\":\"overloaded\"}}}}\n\n", &CHAT[..100]);
    let fields = Fields::new(cut(&text, 9).decode(MessageDecoder::new()).content());
    let error = block_on(fields.value::<u8>("/b")).unwrap_err();
    assert!(matches!(error, FieldError::Source { .. }), "{error}");
}

#[test]
fn a_document_is_split_as_it_comes() {
    let whole = r#"{"items": [{"id": 1}, {"id": 2}, {"id": 3}]}"#;
    let sloppy = "Here: {items: [{id: 1}, {id: 2}, {id: 3},]";
    let expected = [r#"{"items":[{"id":1},{"id":2}]}"#, r#"{"items":[{"id":3}]}"#];
    for size in [1, 2, 7, 4096] {
        let mut stream = cut(whole, size).decode(Splitter::new(30).stream());
        let texts: Vec<_> = block_on_stream(&mut stream).map(|chunk| chunk.unwrap().text).collect();
        assert_eq!(texts, expected);
        assert!(stream.is_terminated());

        let mut stream = cut(sloppy, size).decode(Splitter::new(30).lenient());
        let texts: Vec<_> = block_on_stream(&mut stream).map(|chunk| chunk.unwrap().text).collect();
        assert_eq!(texts, expected);
        assert_eq!(stream.decoder().outcome(), Some(Outcome::Truncated));

        // What is good comes before the error, which is told once: nothing comes behind it.
        let chunks: Vec<_> =
            block_on_stream(cut("[\"one\", \"two\", x, \"three\"]", size).decode(Splitter::new(8).stream())).collect();
        let (error, good) = chunks.split_last().unwrap();
        assert_eq!(good.iter().map(|chunk| &*chunk.as_ref().unwrap().text).collect::<Vec<_>>(), ["[\"one\"]"]);
        assert!(matches!(error, Err(DecodeError::Split(error)) if error.offset() == Some(15)), "{error:?}");
        let chunks: Vec<_> =
            block_on_stream(cut("{a: 1, b: 'much too long'}", size).decode(Splitter::new(8).lenient())).collect();
        assert!(matches!(chunks.last(), Some(Err(DecodeError::Split(error))) if error.pointer() == Some("/b")));
    }
}

/// The first error of a stream.
fn failed<D: Decode>(
    source: impl futures::Stream<Item = Result<Vec<u8>, io::Error>>,
    decoder: D,
) -> DecodeError<io::Error> {
    block_on_stream(Box::pin(source).decode(decoder)).find_map(Result::err).unwrap()
}

#[test]
fn an_error_says_what_is_behind_it() {
    let overloaded = "data: {\"error\":{\"code\":\"overloaded\",\"message\":\"try again\"}}\n\n";
    let content = cut(overloaded, 9).decode(MessageDecoder::new()).content();
    for (error, said) in [
        (
            failed(cut("data: much too long\n\n", 3), SseDecoder::with_limit(8)),
            "the event at byte 0 is longer than the limit of 8 bytes",
        ),
        (failed(cut("data: {\"a\":", 3), PayloadDecoder::new()), "the stream ended inside a payload, 5 bytes into it"),
        (failed(cut("[x]", 3), Splitter::new(8).stream()), "no JSON at byte 1, expected a value"),
        (block_on_stream(content).find_map(Result::err).unwrap(), "try again (overloaded)"),
    ] {
        assert_eq!(error.to_string(), said);
        assert!(error.source().is_none(), "it says that itself");
    }
    // What the source said keeps its type, and what that comes from.
    let error = io::Error::other(Timeout(io::Error::other("no route")));
    let error = failed(stream::iter([Err(error)]), SseDecoder::new());
    let source = error.source().unwrap();
    assert_eq!((error.to_string(), source.to_string()), ("it took too long".to_owned(), "it took too long".to_owned()));
    assert!(source.downcast_ref::<io::Error>().is_some());
    assert_eq!(source.source().unwrap().to_string(), "no route");
}

#[derive(Debug)]
struct Timeout(io::Error);

impl std::fmt::Display for Timeout {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("it took too long")
    }
}

impl Error for Timeout {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// The events of a chat completion with this content, which stops for this reason, or breaks off.
fn chat(content: &[&str], reason: Option<&str>) -> String {
    let pieces = content.iter().map(|piece| json!({"choices": [{"index": 0, "delta": {"content": piece}}]}));
    let stop = reason.map(|reason| json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}));
    let events = pieces.chain(stop).map(|payload| format!("data: {payload}\n\n"));
    events.chain(reason.map(|_| "data: [DONE]\n\n".to_owned())).collect()
}

#[test]
fn the_text_ends_as_the_provider_says() {
    // A number at the end is whole if the model stopped, and may go on if it was cut; an object has its own end.
    for (content, reason, outcome) in [
        ("12", Some("stop"), Outcome::Complete),
        ("12", Some("length"), Outcome::Truncated),
        ("12", None, Outcome::Truncated),
        ("{\"a\": 12", Some("stop"), Outcome::Truncated),
        ("{\"a\": 12}", Some("stop"), Outcome::Complete),
        ("{\"a\": 12}", Some("length"), Outcome::Complete),
    ] {
        let stream = chat(&[content], reason);
        let mut updates = cut(&stream, 7).decode(MessageDecoder::new()).content().parse_json();
        for update in block_on_stream(&mut updates) {
            assert!(update.is_ok() || reason.is_none());
        }
        assert_eq!(updates.into_finished().outcome(), outcome, "{content} {reason:?}");

        let fields = Fields::new(cut(&stream, 7).decode(MessageDecoder::new()).content());
        assert_eq!(block_on(fields.finished()).outcome(), outcome, "{content} {reason:?}");
        // Also through what knows nothing of it.
        let boxed = cut(&stream, 7).decode(MessageDecoder::new()).content().chain(stream::empty()).boxed();
        assert_eq!(block_on(Fields::new(boxed).finished()).outcome(), outcome, "{content} {reason:?}");
    }
    let pieces: Vec<_> =
        block_on_stream(cut(&chat(&["1", "2"], Some("length")), 7).decode(MessageDecoder::new()).content())
            .map(|piece| piece.map(|piece| (piece.text, piece.stop_reason)).unwrap())
            .collect();
    assert_eq!(pieces, [("1".into(), None), ("2".into(), None), (String::new(), Some("length".into()))]);
}

#[test]
fn what_cannot_have_left_a_gap_is_no_error_of_the_content() {
    let call = |arguments: &str| json!({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": arguments}}]}}]});
    // Arguments behind the end of a call; a payload of no form that is known, before one that is.
    let odd =
        ["data: {\"hello\": 1}\n\n".to_owned(), chat(&["{\"a\": \"x"], None), format!("data: {}\n\n", call("null"))];
    let stream = odd.concat() + &chat(&["y\"}"], Some("stop"));
    let fields = Fields::new(cut(&stream, 9).decode(MessageDecoder::new()).content());
    assert_eq!(block_on(fields.value::<String>("/a")).unwrap(), "xy");
    // A payload that cannot be read may have been part of the text.
    let stream = [chat(&["{\"a\": \"x"], None), "data: {\"cho\n\n".to_owned(), chat(&["y\"}"], Some("stop"))].concat();
    let fields = Fields::new(cut(&stream, 9).decode(MessageDecoder::new()).content());
    assert!(matches!(block_on(fields.value::<String>("/a")), Err(FieldError::Source { .. })));
    // So may one that is too long.
    let long = [chat(&["{\"a\": \"x"], None), chat(&[&"x".repeat(200)], None), chat(&["y\"}"], Some("stop"))].concat();
    let decoder = MessageDecoder::new().payloads(PayloadDecoder::with_limit(200));
    let fields = Fields::new(cut(&long, 9).decode(decoder).content());
    assert!(matches!(block_on(fields.value::<String>("/a")), Err(FieldError::Source { .. })));
    // By itself the content goes on behind it, for whoever is told and knows better.
    let content = cut(&stream, 9).decode(MessageDecoder::new()).content();
    let text: String = block_on_stream(content).flatten().map(|piece| piece.text).collect();
    assert_eq!(text, "{\"a\": \"xy\"}");
}

#[test]
fn no_stage_polls_ahead_of_the_one_behind_it() {
    let event = |text: &str| Act::Chunk(chat(&[text], None));
    let (source, handle) = script([event("[1"), event(", 2"), Act::Stall, event("]")]);
    handle.close();
    let mut updates = source.decode(MessageDecoder::new()).content().parse_json();
    assert_eq!(handle.polls(), 0);
    for polls in [1, 2] {
        block_on(updates.next()).unwrap().unwrap();
        assert_eq!(handle.polls(), polls, "one poll of the source for one piece of what it gives");
    }
    assert!(updates.next().now_or_never().is_none()); // given up while it waits
    assert_eq!(handle.polls(), 3);
    assert_eq!(block_on(updates.next()).unwrap().unwrap().snapshot().to_string(), "[1,2]");
    assert_eq!(handle.polls(), 4);

    // What a chunk has more of is given before the source is asked for more.
    let (source, handle) = script([Act::Chunk("data: 1\n\ndata: 2\n\ndata: 3\n\n".to_owned())]);
    let mut events = source.decode(SseDecoder::new());
    for data in ["1", "2", "3"] {
        assert_eq!(block_on(events.next()).unwrap().unwrap().data, data);
        assert_eq!(handle.polls(), 1);
    }
    assert!(events.next().now_or_never().is_none());
}

#[test]
fn a_call_that_was_never_made_is_an_error_and_never_complete() {
    let refused =
        "data: {\"choices\":[{\"delta\":{\"refusal\":\"No.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let calls = |count: usize| {
        let calls: Vec<_> =
            (0..count).map(|n| json!({"index": n, "id": n.to_string(), "function": {"name": "f"}})).collect();
        let payload = json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}, "finish_reason": "tool_calls"}]});
        format!("data: {payload}\n\ndata: [DONE]\n\n")
    };
    for (stream, call, said) in [
        (refused.to_owned(), 0, Some("there is no tool call 0: the stream has 0 calls")),
        (String::new(), 0, Some("there is no tool call 0: the stream has 0 calls")),
        (calls(1), 1, Some("there is no tool call 1: the stream has 1 call")),
        (calls(2), 2, Some("there is no tool call 2: the stream has 2 calls")),
        (calls(2), 1, None), // without any arguments
    ] {
        for size in [1, 9, 4096] {
            let parser = || Parser::with_options(Options::new().role(Role::Arguments));
            let arguments = || cut(&stream, size).decode(MessageDecoder::new()).arguments(call);
            let fields = Fields::with_parser(arguments(), parser());
            let ended = block_on(fields.finished());
            assert_eq!(ended.is_complete(), said.is_none(), "{stream}");
            if said.is_none() {
                assert_eq!(ended.snapshot().to_string(), "{}");
            }
            let mut updates = arguments().parse_json_with(parser());
            let last = block_on_stream(&mut updates).filter_map(Result::err).last().map(|error| error.to_string());
            assert!(updates.is_terminated());
            assert!(last.is_none() == said.is_none() && (stream.is_empty() || last.as_deref() == said), "{last:?}");
            assert_eq!(updates.into_finished().is_complete(), said.is_none());
        }
    }
}

#[test]
fn a_stream_that_is_not_utf_8_says_so_once_and_is_read_on() {
    let good = chat(&["\u{e9}a"], None);
    let bad =
        good.replace("\u{e9}", "~").into_bytes().iter().map(|&b| if b == b'~' { 0xe9 } else { b }).collect::<Vec<_>>();
    let stream = [good.as_bytes(), &bad, &bad, chat(&["z"], Some("stop")).as_bytes()].concat();
    let offset = good.len() + bad.iter().position(|&byte| byte == 0xe9).unwrap();
    let read = |size: usize| {
        let mut decoder = MessageDecoder::new();
        let mut events = Vec::new();
        for chunk in stream.chunks(size) {
            events.extend(decoder.push(chunk));
        }
        events.extend(decoder.finish());
        (events, decoder.into_message())
    };
    let (expected, message) = read(4096);
    assert_eq!(message.content(), "\u{e9}a\u{fffd}a\u{fffd}az");
    let [error] = message.errors() else { panic!("{:?}", message.errors()) };
    assert_eq!(error.kind.as_str(), "not_utf8");
    let said = format!("the stream is not UTF-8 at byte {offset}: U+FFFD stands for what cannot be read");
    assert_eq!(error.to_string(), said);
    assert!(matches!(&expected[1], MessageEvent::Error(told) if told == error), "between the two texts");
    for size in [1, 2, 3, 7, 64] {
        assert_eq!(read(size).0, expected, "{size}");
    }
}
