//! Chunks keep the cap, do not depend on how the text arrives, and join to the document; over updates they are those of
//! what is displayed, and the same where nothing is kept; and what is split as Python does is JSON.
#![no_main]

use jsonrill::split::compat::{Json, RecursiveJsonSplitter};
use jsonrill::split::{Boundary, Chunk, SplitError, Splitter, join};
use jsonrill::{End, Parser};

type Measure = fn(&str) -> usize;

/// Sizes that add up, and one that does not.
const MEASURES: [Measure; 3] = [|text| text.chars().count(), str::len, |text| text.split([',', ' ', ':']).count()];

fn until_error(chunks: impl Iterator<Item = Result<Chunk, SplitError>>) -> Vec<Result<Chunk, SplitError>> {
    let mut taken = Vec::new();
    for chunk in chunks {
        let is_last = chunk.is_err();
        taken.push(chunk);
        if is_last {
            break;
        }
    }
    taken
}

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::Whole);

// What is asked for is in the last two bytes, so that any JSON file is a seed.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((text, &[first, second])) = data.split_last_chunk::<2>() else { return };
    let (first, second) = (usize::from(first), usize::from(second));
    let measure = MEASURES[first % 3];
    let (max, min) = (second * second / 16, second * (first % 5));
    let (convert_lists, piece) = (first & 64 != 0, 1 + first);
    let mut splitter = Splitter::new(max).min(min).convert_lists(convert_lists);
    splitter = match first % 3 {
        0 => splitter,
        1 => splitter.in_bytes(),
        _ => splitter.measured_by(measure),
    };
    splitter = match first / 8 % 4 {
        0 => splitter,
        1 => splitter.cut_strings(Boundary::Sentence),
        2 => splitter.cut_strings(Boundary::Word),
        _ => splitter.cut_strings(Boundary::Character),
    };

    let chunks = until_error(splitter.split(text));
    let mut stream = splitter.stream();
    let mut arrived = Vec::new();
    for piece in text.chunks(piece) {
        arrived.extend(stream.push(piece));
    }
    arrived.extend(stream.finish());
    assert_eq!(until_error(arrived.into_iter()), chunks);
    for chunk in chunks.iter().flatten() {
        assert!(measure(&chunk.text) <= max);
        assert!(serde_json::from_str::<serde::de::IgnoredAny>(&chunk.text).is_ok());
    }
    if let Ok(chunks) = chunks.into_iter().collect::<Result<Vec<_>, _>>() {
        let joined = join(&chunks).expect("they are all of one document");
        let whole = Splitter::new(usize::MAX).convert_lists(convert_lists).split(text).next();
        assert_eq!(whole.map(|chunk| chunk.map(|chunk| chunk.text)), Some(Ok(joined)));
    }

    let mut parser = Parser::new();
    let mut updates = splitter.updates();
    let mut over_updates = Vec::new();
    for piece in text.chunks(piece) {
        over_updates.extend(updates.push(&parser.feed(piece)));
    }
    let finished = parser.finish(End::Unknown);
    over_updates.extend(updates.finish(&finished));
    let shown = finished.snapshot();
    let expected = if shown.is_started() { until_error(splitter.split(&shown.to_string())) } else { Vec::new() };
    assert_eq!(until_error(over_updates.into_iter()), expected);

    let mut lenient = splitter.lenient();
    let mut let_go = Vec::new();
    for piece in text.chunks(piece) {
        let_go.extend(lenient.push(piece));
    }
    let_go.extend(lenient.finish(End::Unknown));
    let mut let_go = until_error(let_go.into_iter());
    // What is beyond a limit is told behind what there is before it.
    if finished.error().is_some() && let_go.len() > expected.len() {
        assert!(let_go.pop().is_some_and(|last| last.is_err()));
    }
    assert_eq!(let_go, expected);

    if let Some(json) = std::str::from_utf8(text).ok().and_then(|text| text.parse::<Json>().ok()) {
        // What is printed reads as what it was printed from.
        assert_eq!(json.to_string().parse(), Ok(json.clone()));
        assert_eq!(json.to_text(false).parse(), Ok(json.clone()));
        let package = RecursiveJsonSplitter::new(max).min_chunk_size(min);
        if let Ok(chunks) = package.split_json(&json, convert_lists) {
            for chunk in chunks {
                assert_eq!(chunk.to_string().parse(), Ok(chunk));
            }
        }
    }
});
