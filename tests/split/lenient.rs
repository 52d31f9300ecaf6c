//! What models write, split as it arrives: the chunks are those over the updates of a parser that keeps all of it.

use std::fs;

use jsonrill::split::{Boundary, Chunk, LenientSplitter, SplitError, SplitErrorKind, Splitter};
use jsonrill::{End, ErrorKind, Outcome, Parser, SkipKind};
use proptest::prelude::*;

use crate::common::chunks::{Chunking, chunking};
use crate::common::config;
use crate::common::generate::{Input, anything};

type Result<T> = std::result::Result<T, SplitError>;

/// Up to the first error: every later call says it again.
fn until_error(mut chunks: Vec<Result<Chunk>>) -> Vec<Result<Chunk>> {
    if let Some(first) = chunks.iter().position(Result::is_err) {
        chunks.truncate(first + 1);
    }
    chunks
}

/// What a parser that keeps its document gives.
fn kept(splitter: &Splitter, text: &[u8], end: End) -> (Vec<Result<Chunk>>, Outcome, String) {
    let mut parser = Parser::new();
    let mut updates = splitter.updates();
    let mut chunks: Vec<_> = updates.push(&parser.feed(text)).collect();
    let finished = parser.finish(end);
    chunks.extend(updates.finish(&finished));
    let limit = finished.error().map(jsonrill::Error::kind);
    if let Some(code) = limit.filter(|_| chunks.iter().all(Result::is_ok)) {
        assert_eq!(code, ErrorKind::DepthLimit);
        chunks.extend(Splitter::new(1 << 20).split(&"[".repeat(600)).take(1));
    }
    (until_error(chunks), finished.outcome(), format!("{:?}", parser.repairs()))
}

/// What one that keeps nothing gives.
fn streamed(splitter: &Splitter, pieces: &[&[u8]], end: End) -> (Vec<Result<Chunk>>, LenientSplitter) {
    let mut lenient = splitter.lenient();
    let mut chunks = Vec::new();
    for piece in pieces {
        chunks.extend(lenient.push(piece));
    }
    chunks.extend(lenient.finish(end));
    (until_error(chunks), lenient)
}

#[track_caller]
fn same(splitter: &Splitter, text: &[u8], chunking: &Chunking, end: End) {
    let (expected, outcome, repairs) = kept(splitter, text, end);
    let (chunks, lenient) = streamed(splitter, &chunking.cut(text), end);
    assert_eq!(chunks, expected, "{}", text.escape_ascii());
    if chunks.iter().any(Result::is_err) {
        return;
    }
    let told = |lenient: &LenientSplitter| (lenient.outcome(), lenient.unread(), format!("{:?}", lenient.repairs()));
    assert_eq!(told(&lenient), told(&streamed(splitter, &[text], end).1), "{}", text.escape_ascii());
    // What is behind the document is not read, and has no part in it.
    if lenient.unread() == 0 {
        assert_eq!(told(&lenient), (Some(outcome), 0, repairs), "{}", text.escape_ascii());
    }
}

/// Documents in a long one, damaged and whole, so that there is much before each of them.
fn collections() -> impl Strategy<Value = Input> {
    let around = prop::sample::select(vec![
        ("[", ", ", "]"),
        ("[", ",\n", ""),
        ("[", "\n", "]"),
        ("{\"items\": [", ", ", "], \"more\": [1, 2]}"),
        ("Here they are: {items: [", ", ", "]} That is all."),
        ("{\"a\": ", ", \"b\": ", "}"),
        ("{a: ", ",\n b: ", "}"),
        ("{\"x\": [{\"y\": [1, [", ", ", "]], \"x\": 1}, {\"y\": 2}], \"x\": 3}"),
        ("", "\n", ""),
    ]);
    (prop::collection::vec(anything(), 1..12), around).prop_map(|(parts, (open, between, close))| {
        let parts: Vec<_> = parts.into_iter().map(|part| part.0).collect();
        Input([open.as_bytes(), &parts.join(between.as_bytes()), close.as_bytes()].concat())
    })
}

fn ends() -> impl Strategy<Value = End> {
    prop::sample::select(vec![End::Stopped, End::Truncated, End::Unknown])
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn what_is_let_go_changes_no_chunk(
        input in prop_oneof![1 => anything(), 3 => collections()], chunking in chunking(), max in 1..100_usize,
        min in 0..50_usize, end in ends(), cut in any::<bool>(), lists in any::<bool>(),
    ) {
        let splitter = Splitter::new(max).min(min).convert_lists(lists);
        let splitter = if cut { splitter.cut_strings(Boundary::Word) } else { splitter };
        same(&splitter, &input.0, &chunking, end);
    }
}

/// Every shape of damage that is known to the fuzzers, alone and one behind the other.
#[test]
fn known_damage() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    assert!(texts.len() > 50);
    let splitter = Splitter::new(60).cut_strings(Boundary::Character);
    for text in &texts {
        for chunking in [Chunking::Whole, Chunking::Every(1), Chunking::Every(7)] {
            same(&splitter, text, &chunking, End::Unknown);
        }
    }
    for pair in texts.windows(3) {
        for (open, close) in [("[[1, 2], ", "]"), ("{\"a\": [{\"b\": 1}, ", "], \"c\": 2}")] {
            let text = [open.as_bytes(), &pair.join(&b", "[..]), close.as_bytes()].concat();
            same(&splitter, &text, &Chunking::Whole, End::Unknown);
        }
    }
}

/// A member with a key that was there is left out, also where the first has long left; in large objects, too.
#[test]
fn keys_are_remembered() {
    let members: Vec<_> = (0..200).map(|number| format!("k{}: [{number}, {{x: 1, x: 2}}]", number % 90)).collect();
    let text = format!("{{{}}}", members.join(", "));
    same(&Splitter::new(40), text.as_bytes(), &Chunking::Whole, End::Unknown);
    let mut lenient = Splitter::new(40).lenient();
    let held = lenient.push(&text).map(|chunk| chunk.unwrap().text.matches("\"k").count()).sum::<usize>();
    assert!((85..90).contains(&held), "{held}");
    assert_eq!(lenient.warnings().len(), 200);
}

#[test]
fn what_is_behind_the_document_is_counted() {
    let mut lenient = Splitter::new(40).lenient();
    let chunks = lenient.push("Two: {\"a\": 1}  {\"b\"").count() + lenient.push(": 2}\n```").count();
    assert_eq!((chunks, lenient.outcome()), (0, None));
    let texts: Vec<_> = lenient.finish(End::Stopped).map(|chunk| chunk.unwrap().text).collect();
    assert_eq!(texts, [r#"{"a":1}"#]);
    assert_eq!((lenient.outcome(), lenient.unread()), (Some(Outcome::Repaired), 10));
    let skipped: Vec<_> = lenient.skipped().iter().map(|skip| (skip.kind, skip.span.range())).collect();
    assert_eq!(skipped, [(SkipKind::Prose, 0..5)]);
    assert_eq!(lenient.push("{").count() + lenient.finish(End::Stopped).count(), 0);
}

#[test]
fn a_text_without_json_has_no_chunks() {
    for text in ["", "No JSON."] {
        let (chunks, lenient) = streamed(&Splitter::new(40), &[text.as_bytes()], End::Unknown);
        assert_eq!((chunks, lenient.outcome()), (vec![], Some(Outcome::Empty)));
    }
}

#[test]
fn a_stream_becomes_a_stream_of_chunks() {
    use futures::StreamExt;
    use jsonrill::ParseJsonExt;
    let response = futures::stream::iter(["One: ['one', \"tw", "o\", three", ", ...]"]);
    let chunks = response.map(Ok::<_, std::io::Error>).decode(Splitter::new(14).lenient());
    let chunks: Vec<_> = futures::executor::block_on(chunks.collect());
    let texts: Vec<_> = chunks.into_iter().map(|chunk| chunk.unwrap().text).collect();
    assert_eq!(texts, [r#"["one","two"]"#, r#"["three"]"#]);
}

#[test]
fn limits_are_told_behind_what_there_is() {
    let (chunks, lenient) = streamed(&Splitter::new(2000), &["[".repeat(600).as_bytes()], End::Unknown);
    assert_eq!(lenient.outcome(), Some(Outcome::Limit));
    assert_eq!(chunks.len(), 2);
    assert_eq!(chunks[0].as_ref().unwrap().text.len(), 1024);
    assert_eq!(chunks[1].as_ref().unwrap_err().kind(), SplitErrorKind::TooDeep);
}
