//! Streams: decoding server-sent events against other decoders, and reading providers' payloads into messages.
//!
//! What the others make of `tests/data/sse-conformance.json` (34 vectors without the two that are there for their
//! length; as given, byte by byte, and at every split; November 2026): `sse-stream` 0.3.0 fails 2 of them (an empty
//! `event:`, bytes that are no UTF-8), `eventsource-stream` 0.2.3 fails 5 (CR at the end, byte order marks, no UTF-8),
//! and its time is quadratic in the length of a line: 2 MB/s at 1 MB. So the decoder is our own.

use bytes::Bytes;
use eventsource_stream::Eventsource;
use futures::executor::block_on;
use futures::{Stream, StreamExt, stream};
use jsonrill::{MessageDecoder, Provider, SseDecoder};
use jsonrill_bench_peers::data::{MB, Shape};
use serde_json::{Value, json};
use sse_stream::SseStream;

use super::race::{Lane, Times, race};
use super::{Bar, Report, Settings, float, lane};

/// What a read from a socket gives at most, usually.
const READ: usize = 1460;

/// Megabytes a second that events are to be decoded at.
const BAR: f64 = 1200.0;

fn reads(text: &str) -> Vec<Bytes> {
    text.as_bytes().chunks(READ).map(Bytes::copy_from_slice).collect()
}

/// How many bytes of data are in the events.
fn ours(reads: &[Bytes]) -> usize {
    let mut decoder = SseDecoder::new();
    let data = |read| decoder.push(read).map(|event| event.expect("short enough").data.len()).sum::<usize>();
    reads.iter().map(|read| read.as_ref()).map(data).sum()
}

fn source(reads: &[Bytes]) -> impl Stream<Item = Result<Bytes, std::io::Error>> + Unpin {
    stream::iter(reads.to_vec().into_iter().map(Ok))
}

fn sse_stream(reads: &[Bytes]) -> usize {
    let events = SseStream::from_bytes_stream(source(reads));
    block_on(events.fold(0, async |sum, event| sum + event.expect("an event").data.map_or(0, |data| data.len())))
}

fn eventsource_stream(reads: &[Bytes]) -> usize {
    let events = source(reads).eventsource();
    block_on(events.fold(0, async |sum, event| sum + event.expect("an event").data.len()))
}

fn speed(times: &Times, bytes: usize, report: &mut Report, what: &str, bar: &Bar) {
    let spread = times.spread();
    let speed = |time: f64| float(bytes) / time * 1e3;
    let speeds = super::race::Spread { median: speed(spread.median), low: speed(spread.high), high: speed(spread.low) };
    report.spread(what, speeds, "MB/s", bar);
}

/// A chat completion whose content has about so many bytes, in pieces of four characters.
fn chat(bytes: usize) -> String {
    stream_of(&Shape::Records.document(bytes), |text| {
        json!({"id": "chatcmpl-CaP0001", "object": "chat.completion.chunk", "created": 1_769_900_000, "model": "gpt-5-mini-2025-08-07",
            "service_tier": "default", "system_fingerprint": null,
            "choices": [{"index": 0, "delta": {"content": text}, "logprobs": null, "finish_reason": null}], "usage": null})
    })
}

/// A stream of events with payloads for each four characters of a text.
fn stream_of(text: &str, payload: impl Fn(&str) -> Value) -> String {
    let pieces = jsonrill_bench_peers::data::character_chunks(text, 4);
    pieces.into_iter().map(|piece| format!("data: {}\n\n", payload(piece))).collect()
}

pub fn decode(settings: &Settings, report: &mut Report) {
    Report::section("Server-sent events at 1460-byte reads");
    let events = chat(MB / 16);
    let (short, long) = (format!("data: {}\n\n", "a".repeat(MB)), format!("data: {}\n\n", "a".repeat(16 * MB)));
    for (what, text) in [("chat events", &events), ("one line of 16 MB", &long)] {
        let reads = &reads(text);
        assert_eq!(ours(reads), sse_stream(reads), "the same events");
        let mut lanes = vec![Lane::new("jsonrill", || ours(reads)), Lane::new("sse-stream", || sse_stream(reads))];
        if text.len() < 8 * MB {
            lanes.push(Lane::new("eventsource-stream", || eventsource_stream(reads)));
        }
        for times in &race(settings.rounds, lanes) {
            let bar = if times.name == "jsonrill" { Bar::AtLeast(BAR) } else { Bar::None };
            speed(times, text.len(), report, &format!("{what}: {}", times.name), &bar);
        }
    }
    let (short, long) = (reads(&short), reads(&long));
    let times = race(settings.rounds, vec![Lane::new("1 MB", || ours(&short)), Lane::new("16 MB", || ours(&long))]);
    // Where the line no longer fits a cache, memory is the limit: the bar is far from what a quadratic decoder takes.
    let growth = lane(&times, "1 MB").faster_than(lane(&times, "16 MB"));
    report.spread("**a line of 16 MB against one of 1 MB takes**", growth, "×", &Bar::AtMost(64.0));
}

fn read(provider: Provider, reads: &[Bytes]) -> usize {
    let mut decoder = MessageDecoder::for_provider(provider);
    reads.iter().map(|read| decoder.push(read).count()).sum::<usize>() + decoder.finish().count()
}

/// What the least would be: each payload as a `Value`, and its text out of it.
fn values(reads: &[Bytes]) -> usize {
    let mut decoder = SseDecoder::new();
    let mut content = String::new();
    for read in reads {
        for event in decoder.push(read).flatten() {
            let payload: Value = serde_json::from_str(&event.data).expect("a payload");
            content.push_str(payload["choices"][0]["delta"]["content"].as_str().unwrap_or_default());
        }
    }
    content.len()
}

pub fn messages(settings: &Settings, report: &mut Report) {
    Report::section("Providers' streams into messages at 1460-byte reads, four characters an event");
    let text = Shape::Records.document(MB / 16);
    let arguments = format!("{{\"records\":{text}}}");
    let call = |piece: &str| json!({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}, "finish_reason": null}]});
    let block = |piece: &str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}});
    let item = |piece: &str| {
        json!({"type": "response.output_text.delta", "sequence_number": 2, "item_id": "msg_1", "output_index": 0, "content_index": 0,
            "delta": piece})
    };
    let candidate =
        |piece: &str| json!({"candidates": [{"content": {"parts": [{"text": piece}], "role": "model"}, "index": 0}]});
    let line =
        |piece: &str| json!({"model": "qwen3", "message": {"role": "assistant", "content": piece}, "done": false});
    let chat = chat(MB / 16);
    let streams = [
        ("OpenAI chat", Provider::OpenAiChat, chat.clone()),
        ("OpenAI chat, arguments", Provider::OpenAiChat, stream_of(&arguments, call)),
        ("OpenAI responses", Provider::OpenAiResponses, stream_of(&text, item)),
        ("Anthropic", Provider::Anthropic, stream_of(&text, block)),
        ("Gemini", Provider::Gemini, stream_of(&text, candidate)),
        ("Ollama", Provider::Ollama, stream_of(&text, line)),
    ];
    for (name, provider, stream) in &streams {
        let reads = reads(stream);
        let events = stream.matches("data: ").count();
        let times = race(settings.rounds, vec![Lane::new("message", || read(*provider, &reads))]);
        speed(&times[0], stream.len(), report, name, &Bar::None);
        report.spread(format!("{name}: an event"), times[0].spread().scaled(1.0 / float(events)), "ns", &Bar::None);
    }
    let reads = reads(&chat);
    let times = race(
        settings.rounds,
        vec![
            Lane::new("message", || read(Provider::OpenAiChat, &reads)),
            Lane::new("serde_json::Value", || values(&reads)),
        ],
    );
    let faster = lane(&times, "message").faster_than(lane(&times, "serde_json::Value"));
    report.spread("OpenAI chat against `serde_json::Value` for each event, and no JSON read", faster, "×", &Bar::None);
}
