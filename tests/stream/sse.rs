//! Server-sent events: the vectors of `tests/data/sse-conformance.json`, as given, byte by byte and at every split.
//!
//! The vectors are those of the crate sse-parse (MIT), made from the HTML standard. What other crates make of them is
//! said in `benches/peers/src/stream.rs`.

use jsonrill::{SseDecoder, SseEvent};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::chunks::{chunking, two_way_splits};
use crate::common::config;

const VECTORS: &str = include_str!("../data/sse-conformance.json");

/// What came out of a stream: its events, the event it broke off in, and what a reconnection needs.
#[derive(Debug, Clone, PartialEq)]
struct Decoded {
    events: Vec<Value>,
    unended: Option<String>,
    last_event_id: String,
    reconnection_time: Option<u64>,
}

fn event(event: &SseEvent<'_>) -> Value {
    json!({"event": event.event, "data": event.data, "id": &*event.id, "retry": event.retry})
}

fn decode_with<'c>(mut decoder: SseDecoder, chunks: impl IntoIterator<Item = &'c [u8]>) -> Decoded {
    let mut events = Vec::new();
    for chunk in chunks {
        for item in decoder.push(chunk) {
            events.push(match item {
                Ok(given) => event(&given),
                Err(error) => json!(error.to_string()),
            });
        }
    }
    let unended = decoder.finish().map(|event| event.data.into_owned());
    Decoded {
        events,
        unended,
        last_event_id: decoder.last_event_id().to_owned(),
        reconnection_time: decoder.reconnection_time(),
    }
}

fn decode<'c>(chunks: impl IntoIterator<Item = &'c [u8]>) -> Decoded {
    decode_with(SseDecoder::new(), chunks)
}

fn bytes(chunk: &Value) -> Vec<u8> {
    match (chunk["text"].as_str(), chunk["hex"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, Some(hex)) => {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        }
        (None, None) => panic!("no chunk: {chunk}"),
    }
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// The chunks of a vector, and the events that it should give.
fn vector(vector: &Value) -> (Vec<Vec<u8>>, Vec<Value>) {
    let expected = &vector["expected"]["events"];
    let Some(generator) = vector["generator"].as_object() else {
        let chunks = vector["chunks"].as_array().unwrap().iter().map(bytes).collect();
        return (chunks, expected.as_array().unwrap().clone());
    };
    let text = |key: &str| generator[key].as_str().unwrap();
    let (stream, events) = if generator["kind"] == "repeat_stream" {
        let count = number(&generator["count"]);
        (text("unit_text").repeat(count), vec![expected["event"].clone(); count])
    } else {
        let filling = text("fill_char").repeat(number(&generator["fill_count"]));
        let event =
            json!({"event": expected["event"], "data": filling, "id": expected["id"], "retry": expected["retry"]});
        (format!("{}{filling}{}", text("prefix"), text("suffix")), vec![event])
    };
    let chunks = stream.as_bytes().chunks(number(&generator["chunk_bytes"])).map(<[u8]>::to_vec).collect();
    (chunks, events)
}

/// A generated vector with less in it.
fn shorter(case: &Value) -> Value {
    let mut case = case.clone();
    for key in ["count", "fill_count"] {
        if let Some(count) = case["generator"].get_mut(key) {
            *count = json!(number(count) / 100);
        }
    }
    case
}

#[test]
fn every_vector_of_the_standard_however_it_is_cut() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let vectors = vectors["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 36);
    for case in vectors {
        let id = case["id"].as_str().unwrap();
        let (chunks, events) = vector(case);
        let whole = chunks.concat();
        let given = decode(chunks.iter().map(Vec::as_slice));
        assert_eq!(given.events, events, "{id}");
        assert_eq!(given.last_event_id, case["expected"]["final_last_event_id"], "{id}");
        let retries = case["expected"]["retry_updates"].as_array().unwrap();
        assert_eq!(given.reconnection_time, retries.last().and_then(Value::as_u64), "{id}");
        assert_eq!(decode([whole.as_slice()]), given, "{id}, whole");
        assert_eq!(decode(whole.chunks(1)), given, "{id}, byte by byte");
        if whole.len() < 4096 {
            for split in two_way_splits(&whole) {
                assert_eq!(decode(split), given, "{id}, split {:?}", split.map(String::from_utf8_lossy));
            }
        } else {
            // The two that are there for their length: at every byte of both ends, and many between; at every byte of
            // one that is made in the same way, and shorter.
            let ends = (0..300).chain(whole.len() - 300..=whole.len());
            for at in ends.chain((300..whole.len()).step_by(997)) {
                let (head, tail) = whole.split_at(at);
                assert_eq!(decode([head, tail]), given, "{id}, split at {at}");
            }
            let short = vector(&shorter(case)).0.concat();
            let given = decode([short.as_slice()]);
            assert!(!given.events.is_empty() && short.len() < 4096);
            for split in two_way_splits(&short) {
                assert_eq!(decode(split), given, "{id}, shorter, split {:?}", split.map(String::from_utf8_lossy));
            }
        }
    }
}

#[test]
fn data_in_one_chunk_is_borrowed() {
    use std::borrow::Cow;
    let mut decoder = SseDecoder::new();
    let events: Vec<_> = decoder.push(b"event: a\ndata: {}\n\ndata: {}\n\ndata: 1\ndata: 2\n\n").flatten().collect();
    assert!(matches!((&events[0].event, &events[0].data), (Cow::Borrowed("a"), Cow::Borrowed("{}"))));
    assert!(matches!((&events[1].event, &events[1].data), (Cow::Borrowed("message"), Cow::Borrowed("{}"))));
    assert!(matches!(&events[2].data, Cow::Owned(data) if data == "1\n2"));
}

#[test]
fn an_event_without_its_blank_line_is_given_at_the_end() {
    let decoded = decode([b"id: 1\ndata: a\n\nid: 2\ndata: b\ndata: c".as_slice()]);
    assert_eq!((decoded.events.len(), decoded.unended.as_deref()), (1, Some("b\nc")));
    assert_eq!(decoded.last_event_id, "1"); // no blank line has made the second the last
    assert_eq!(decode([b"event: x\n".as_slice()]).unended, None);
}

#[test]
fn what_is_not_asked_for_is_read_all_the_same() {
    let mut decoder = SseDecoder::new();
    decoder.push(b"id: 3\ndata: lost\n\nevent: e\ndata: ke");
    let event = decoder.push(b"pt\n\n").next().unwrap().unwrap();
    assert_eq!((&*event.event, &*event.data, &*event.id), ("e", "kept", "3"));
}

#[test]
fn a_limit_holds_to_the_byte_and_what_follows_is_read() {
    // A field counts as its value and 1.
    let stream = b"data: 12\ndata: 45\n\nid: 1\ndata: 1234567\nretry: 5\nid: 22\ndata: x\n\n: a long, long comment\ndata: 123456\n\n";
    let decoded = decode_with(SseDecoder::with_limit(7), [stream.as_slice()]);
    let data: Vec<_> = decoded.events.iter().map(|event| event.get("data").unwrap_or(event).clone()).collect();
    assert_eq!(data, ["12\n45", "the event at byte 19 is longer than the limit of 7 bytes", "123456"]);
    assert_eq!((decoded.last_event_id.as_str(), decoded.reconnection_time), ("22", Some(5)));
    assert_eq!(decode_with(SseDecoder::with_limit(7), stream.chunks(1)), decoded);
    for split in two_way_splits(stream) {
        assert_eq!(decode_with(SseDecoder::with_limit(7), split), decoded);
    }
}

#[test]
fn comments_and_unknown_fields_are_not_kept_however_long() {
    let mut decoder = SseDecoder::with_limit(10);
    for start in ["data: a\n:", "unknown: "] {
        assert_eq!(decoder.push(start.as_bytes()).count(), 0);
        for _ in 0..1000 {
            assert_eq!(decoder.push(&[b'x'; 1460]).count(), 0);
        }
        assert_eq!(decoder.push(b"\n").count(), 0);
    }
    assert_eq!(decoder.push(b"\n").next().unwrap().unwrap().data, "a");
}

/// Lines of an event stream, mostly sensible, and line ends of all kinds.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        4 => "data: ?[a-z{}\":é]{0,12}",
        1 => "(event|id|retry): ?[a-z0-9]{0,6}",
        1 => Just("data".to_owned()),
        1 => ":[a-z]{0,5}",
        1 => "[a-z{:]{0,9}",
        3 => Just(String::new()),
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    let noise = prop_oneof![9 => Just(vec![]), 1 => prop::collection::vec(any::<u8>(), 0..3)];
    (any::<bool>(), prop::collection::vec((line, noise, end), 0..12)).prop_map(|(bom, lines)| {
        let mut stream = if bom { b"\xEF\xBB\xBF".to_vec() } else { Vec::new() };
        for (line, noise, end) in lines {
            stream.extend_from_slice(line.as_bytes());
            stream.extend(noise);
            stream.extend_from_slice(end.as_bytes());
        }
        stream
    })
}

/// The algorithm of the standard, word for word, over the whole stream.
fn oracle(stream: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(stream).replace("\r\n", "\n").replace('\r', "\n");
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let (mut events, mut data, mut name, mut id, mut last, mut retry) =
        (vec![], String::new(), String::new(), String::new(), String::new(), None);
    let mut lines: Vec<_> = text.split('\n').collect();
    lines.pop(); // no line end: it was not read yet
    for line in lines {
        if line.is_empty() {
            last.clone_from(&id);
            if !data.is_empty() {
                data.pop();
                let event = if name.is_empty() { "message" } else { &name };
                events.push(json!({"event": event, "data": data, "id": last, "retry": retry}));
                retry = None;
            }
            data.clear();
            name.clear();
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut name),
            "data" => {
                data.push_str(value);
                data.push('\n');
            }
            "id" if !value.contains('\0') => value.clone_into(&mut id),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                retry = value.parse::<u64>().ok();
            }
            _ => {}
        }
    }
    events
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn any_stream_reads_as_the_standard_says_however_it_is_cut(stream in stream(), cut in chunking()) {
        let whole = decode([stream.as_slice()]);
        prop_assert_eq!(&whole.events, &oracle(&stream));
        prop_assert_eq!(decode(cut.cut(&stream)), whole);
    }

    #[test]
    fn limits_hold_however_it_is_cut(stream in stream(), cut in chunking(), limit in 0..12_usize) {
        let whole = decode_with(SseDecoder::with_limit(limit), [stream.as_slice()]);
        prop_assert_eq!(decode_with(SseDecoder::with_limit(limit), cut.cut(&stream)), whole);
    }

    #[test]
    fn any_bytes_do(stream in prop::collection::vec(any::<u8>(), 0..64), cut in chunking()) {
        prop_assert_eq!(decode(cut.cut(&stream)), decode([stream.as_slice()]));
    }
}
