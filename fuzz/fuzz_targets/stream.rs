//! Streams: whatever the bytes, cuts do not matter, nothing panics, and what a text has is all given.
#![no_main]

use jsonrill::{JsonArrayDecoder, MessageDecoder, MessageEvent, NdjsonDecoder, Provider, SseDecoder};

const PROVIDERS: [Option<Provider>; 6] = [
    None,
    Some(Provider::OpenAiChat),
    Some(Provider::OpenAiResponses),
    Some(Provider::Anthropic),
    Some(Provider::Gemini),
    Some(Provider::Ollama),
];

/// All that the decoders make of a stream.
#[derive(Debug, PartialEq)]
struct Seen {
    events: Vec<String>,
    lines: Vec<String>,
    elements: Vec<String>,
    message: Vec<MessageEvent>,
    arguments: Vec<String>,
}

fn seen<'c>(chunks: impl Iterator<Item = &'c [u8]>, provider: Option<Provider>, limit: usize) -> Seen {
    let (mut sse, mut lines, mut array) =
        (SseDecoder::with_limit(limit), NdjsonDecoder::with_limit(limit), JsonArrayDecoder::with_limit(limit));
    let mut decoder = provider.map_or_else(MessageDecoder::new, MessageDecoder::for_provider);
    let mut seen = Seen { events: vec![], lines: vec![], elements: vec![], message: vec![], arguments: vec![] };
    for chunk in chunks {
        seen.events.extend(sse.push(chunk).map(|event| format!("{event:?}").replace("Borrowed", "Owned")));
        seen.lines.extend(lines.push(chunk).map(|text| format!("{text:?}")));
        seen.elements.extend(array.push(chunk).map(|text| format!("{text:?}")));
        seen.message.extend(decoder.push(chunk));
    }
    seen.events.push(format!("{:?}", sse.finish()));
    seen.lines.push(format!("{:?}", lines.finish()));
    seen.elements.push(format!("{:?}", array.finish()));
    seen.message.extend(decoder.finish());
    for call in decoder.message().choices().flat_map(|choice| choice.tool_calls()) {
        assert_eq!(call.arguments().is_some(), call.is_final());
        seen.arguments.push(format!("{} {}", call.is_final(), call.partial_arguments()));
    }
    seen
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [provider, limit, size, stream @ ..] = data else { return };
    let provider = PROVIDERS[usize::from(*provider) % PROVIDERS.len()];
    let limit = if *limit < 64 { usize::from(*limit) } else { 1 << 20 };
    let whole = seen([stream].into_iter(), provider, limit);
    assert_eq!(seen(stream.chunks(1), provider, limit), whole, "byte by byte");
    assert_eq!(seen(stream.chunks(usize::from(*size).max(1)), provider, limit), whole, "in pieces of {size}");
});
