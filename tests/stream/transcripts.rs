//! The recorded streams in `tests/data/streams`, whole, byte by byte, and cut in two at every byte.

use std::fs;

use jsonrill::{MessageDecoder, PayloadDecoder, Provider, Wire};
use serde_json::Value;

use crate::common::chunks::two_way_splits;
use crate::say::{Told, told};

struct Transcript {
    name: String,
    stream: Vec<u8>,
    expected: Value,
}

fn transcripts() -> Vec<Transcript> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/streams");
    let mut transcripts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".expected.json") {
            let expected: Value = serde_json::from_slice(&fs::read(format!("{folder}/{name}")).unwrap()).unwrap();
            let stream = fs::read(format!("{folder}/{}", expected["file"].as_str().unwrap())).unwrap();
            transcripts.push(Transcript { name, stream, expected });
        }
    }
    assert_eq!(transcripts.len(), 8);
    transcripts
}

impl Transcript {
    fn check(&self, told: &Told) {
        let (message, name) = (&told.message, &self.name);
        for key in ["content", "tool_calls", "finish_reason", "json", "json_complete"] {
            if let Some(expected) = self.expected.get(key) {
                assert_eq!(&message[key], expected, "{name}: {key}");
            }
        }
        assert_eq!(message["thinking"], *self.expected.get("thinking").unwrap_or(&"".into()), "{name}");
        if let Some(error) = self.expected.get("error") {
            let code = error["code"].to_string();
            assert_eq!(message["errors"], serde_json::json!([["provider", code, error["message"]]]), "{name}");
        } else {
            assert_eq!(message["errors"], serde_json::json!([]), "{name}");
            assert_eq!(message["ended"], true, "{name}");
        }
    }
}

#[test]
fn transcripts_read_as_expected_however_they_are_cut() {
    for transcript in transcripts() {
        let stream = &transcript.stream;
        let provider: Provider = transcript.expected["provider"].as_str().unwrap().parse().unwrap();
        let whole = told(MessageDecoder::for_provider(provider), [stream.as_slice()]);
        transcript.check(&whole);
        assert_eq!(told(MessageDecoder::new(), stream.chunks(1)), whole, "{}, byte by byte", transcript.name);
        for split in two_way_splits(stream) {
            assert_eq!(told(MessageDecoder::new(), split), whole, "{}, cut at {}", transcript.name, split[0].len());
        }
    }
}

#[test]
fn transcripts_have_so_many_payloads_however_they_are_cut() {
    for transcript in transcripts() {
        let wire = if transcript.expected["wire"] == "sse" { Wire::Sse } else { Wire::Ndjson };
        let count = |chunks: &mut dyn Iterator<Item = &[u8]>, mut decoder: PayloadDecoder| {
            let mut payloads = 0;
            for chunk in chunks {
                payloads += decoder.push(chunk).map(Result::unwrap).filter(|payload| !payload.is_done()).count();
            }
            payloads + decoder.finish().unwrap().iter().filter(|payload| !payload.is_done()).count()
        };
        let expected = usize::try_from(transcript.expected["payload_events"].as_u64().unwrap()).unwrap();
        assert_eq!(count(&mut transcript.stream.chunks(1), PayloadDecoder::for_wire(wire)), expected);
        for split in two_way_splits(&transcript.stream) {
            assert_eq!(count(&mut split.into_iter(), PayloadDecoder::new()), expected, "{}", transcript.name);
        }
    }
}

#[test]
fn a_transcript_that_is_cut_anywhere_never_passes_for_a_finished_one() {
    for transcript in transcripts() {
        let whole = told(MessageDecoder::new(), [transcript.stream.as_slice()]);
        for end in 0..transcript.stream.len() {
            let cut = told(MessageDecoder::new(), [&transcript.stream[..end]]);
            let (cut, whole) = (&cut.message, &whole.message);
            assert!(whole["content"].as_str().unwrap().starts_with(cut["content"].as_str().unwrap_or_default()));
            let calls = |message: &Value| message["tool_calls"].as_array().cloned().unwrap_or_default();
            for (cut, whole) in calls(cut).iter().zip(calls(whole)) {
                // What was handed over is what the whole stream hands over.
                assert!(cut["complete"] == false || *cut == whole, "{}, {end}: {cut} {whole}", transcript.name);
            }
            if cut["ended"] == false {
                assert_ne!(cut["errors"], serde_json::json!([]), "{}, {end}", transcript.name);
            } else {
                assert_eq!(cut["content"], whole["content"]);
            }
        }
    }
}
