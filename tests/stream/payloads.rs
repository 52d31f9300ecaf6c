//! Payloads: what streams carry, and the ways in which servers depart from the standard.

use jsonrill::{PayloadDecoder, Wire};
use serde_json::{Value, json};

use crate::common::chunks::two_way_splits;

/// What the payloads say, null for no JSON; `Err` for what the stream broke off in.
fn read<'c>(mut decoder: PayloadDecoder, chunks: impl IntoIterator<Item = &'c [u8]>) -> (Vec<Value>, Option<String>) {
    let mut payloads = Vec::new();
    let value = |payload: &jsonrill::Payload<'_>| {
        if payload.is_done() { json!("done") } else { payload.parse().map_or(Value::Null, |json| json.to_value()) }
    };
    for chunk in chunks {
        payloads.extend(decoder.push(chunk).map(|payload| value(&payload.unwrap())));
    }
    match decoder.finish() {
        Ok(last) => {
            payloads.extend(last.iter().map(value));
            (payloads, None)
        }
        Err(unended) => (payloads, Some(unended.text().to_owned())),
    }
}

fn check(wire: Wire, stream: &str, expected: &Value) {
    let expected = expected.as_array().unwrap();
    let bytes = stream.as_bytes();
    for (decoder, what) in [(PayloadDecoder::for_wire(wire), "named"), (PayloadDecoder::new(), "seen")] {
        for split in two_way_splits(bytes) {
            assert_eq!(&read(decoder.clone(), split).0, expected, "{what}: {stream}");
        }
        assert_eq!(&read(decoder, bytes.chunks(1)).0, expected, "{what}: {stream}");
    }
}

#[test]
fn payloads_of_event_streams_as_servers_write_them() {
    // Clawith#106: no blank behind the colon, not for the end marker either.
    check(Wire::Sse, "data:{\"n\":1}\n\ndata:[DONE]\n\n", &json!([{"n": 1}, "done"]));
    // openai-python#2722: a keep-alive between events, while there is an id.
    check(Wire::Sse, "id: 7\ndata: {\"n\":1}\n\n: ping\n\ndata: {\"n\":2}\n\n", &json!([{"n": 1}, {"n": 2}]));
    // term-llm#456: JSON that is laid out over several lines of data.
    check(Wire::Sse, "event: x\ndata: {\ndata:   \"n\": 1,\ndata: }\n\n", &json!([null]));
    check(Wire::Sse, "event: x\ndata: {\ndata:   \"n\": 1\ndata: }\n\n", &json!([{"n": 1}]));
    // eventsource-parser#31: two payloads without a blank line between them.
    check(Wire::Sse, "data: {\"n\":1}\ndata: {\"n\":2}\n\n", &json!([{"n": 1}, {"n": 2}]));
    check(Wire::Sse, "data: {\"n\":1}\ndata: {\"n\":2}\ndata: [DONE]\n", &json!([{"n": 1}, {"n": 2}, "done"]));
    // openclaw#97474: events in events.
    check(Wire::Sse, "data: data: {\"n\":1}\n\ndata: data: [DONE]\n\n", &json!([{"n": 1}, "done"]));
    // oh-my-pi#8195: control characters that are not escaped.
    check(Wire::Sse, "data: {\"s\":\"a\tb \u{1b}\"}\n\n", &json!([{"s": "a\tb \u{1b}"}]));
    // Half of a surrogate pair is a character of no text.
    check(Wire::Sse, "data: {\"s\":\"\\ud83d\"}\n\n", &json!([{"s": "\u{fffd}"}]));
    // lemonade#2975: an error in place of the stream; and one in the middle of it.
    check(Wire::Sse, "{\"error\":{\"code\":400}}", &json!([{"error": {"code": 400}}]));
    check(Wire::Sse, "\r\n {\"error\":{\n\"code\":400}}\n", &json!([{"error": {"code": 400}}]));
    check(Wire::Sse, "data: 1\n\n{\"error\":\"e\"}\n\ndata: 2\n\n", &json!([1, {"error": "e"}, 2]));
    check(Wire::Sse, "data: 1\n\n{\"error\":\"e\"}", &json!([1, {"error": "e"}]));
    // What is lenient elsewhere is wrong here.
    check(Wire::Sse, "data: {n: 1}\n\ndata: Sorry: {\"n\":1}\n\ndata: {\"n\":1\n\n", &json!([null, null, null]));
}

#[test]
fn lines_and_arrays() {
    check(Wire::Ndjson, "{\"n\":1}\n{\"n\":2}", &json!([{"n": 1}, {"n": 2}]));
    check(Wire::JsonArray, "[{\n  \"n\": 1\n}\n,\r\n{\"n\":2}]", &json!([{"n": 1}, {"n": 2}]));
    let bom = "\u{feff}\n[{\"n\":1}]";
    check(Wire::JsonArray, bom, &json!([{"n": 1}]));
    // An array is a line's JSON where lines were asked for.
    assert_eq!(read(PayloadDecoder::for_wire(Wire::Ndjson), [b"[1]\n[2]\n".as_slice()]).0, [json!([1]), json!([2])]);
}

#[test]
fn what_a_stream_breaks_off_in_is_given_if_it_is_whole() {
    let end = |stream: &str| read(PayloadDecoder::new(), [stream.as_bytes()]);
    assert_eq!(end("data: {\"n\":1}"), (vec![json!({"n": 1})], None));
    assert_eq!(end("data: [DONE]\n"), (vec![json!("done")], None));
    assert_eq!(end("data: {\"n\":"), (vec![], Some("{\"n\":".to_owned())));
    assert_eq!(end("{\"n\":1}\n{\"n\":"), (vec![json!({"n": 1})], Some("{\"n\":".to_owned())));
    assert_eq!(end("[{\"n\":1}"), (vec![json!({"n": 1})], Some(String::new())));
    assert_eq!(end("[{\"n\":1},{\"n\""), (vec![json!({"n": 1})], Some("{\"n\"".to_owned())));
    assert_eq!(end("  \n"), (vec![], None));
    assert_eq!(end(""), (vec![], None));
}

#[test]
fn offsets_of_what_is_too_long_count_from_the_start_of_the_stream() {
    for stream in ["\n\ndata: 123456\n\n", "\n\n123456789\n", "\n\n{\"a\":1234}\n", "\n[{\"a\":1234}]"] {
        for cut in 1..stream.len() {
            let mut decoder = PayloadDecoder::with_limit(6);
            let (head, tail) = stream.as_bytes().split_at(cut);
            let errors: Vec<_> = decoder.push(head).filter_map(Result::err).collect();
            let errors: Vec<_> = errors.into_iter().chain(decoder.push(tail).filter_map(Result::err)).collect();
            assert!(errors.iter().all(|error| error.offset() == 2), "{stream} {cut} {errors:?}");
            assert_eq!(errors.len(), usize::from(!stream.contains("\n123")), "{stream} {cut}");
        }
    }
}
