//! Instruction counts under valgrind: the gate that does not depend on the clock.
//!
//! `cargo bench --bench instructions` fails when a limit is passed. Needs valgrind and the runner of the same version:
//! `cargo install gungraun-runner --version 0.20.0 --locked`.
//!
//! What is counted is parsing and looking: an owned update kept at each feed, its delta read op by op, one
//! `is_ambiguous`. Making the document, cutting it and giving everything back is not.

use std::convert::Infallible;
use std::hint::black_box;

use futures::executor::block_on_stream;
use futures::stream::{self, Stream};
use gungraun::prelude::*;
use gungraun::{Callgrind, EventKind, library_benchmark, library_benchmark_group, main};
use jsonrill::{
    ContentPiece, DecodeError, Dialect, Fields, Finished, MessageDecoder, ParseJsonExt, Parser, Provider, Repaired,
    SseDecoder,
};
use jsonrill_bench_peers::data::{self, Shape};
use jsonrill_bench_peers::malformed::Kind;
use jsonrill_bench_peers::work::{self, Fed};

/// A quarter of a megabyte: the counts are exact, so more would only take longer.
const SIZE: usize = 250_000;

/// A document in pieces, and the path that is asked about. The pieces borrow from a document that is never given back:
/// valgrind runs one benchmark a process.
pub struct Work {
    pieces: Vec<&'static str>,
    watched: &'static str,
}

fn cut(shape: Shape, bytes: usize) -> Work {
    let document: &'static str = Box::leak(shape.document(SIZE).into_boxed_str());
    Work { pieces: data::byte_chunks(document, bytes), watched: shape.early_path() }
}

/// A malformed document in pieces.
fn cut_malformed(kind: Kind, bytes: usize) -> Work {
    let document: &'static str = Box::leak(kind.document(SIZE).text.into_boxed_str());
    Work { pieces: data::byte_chunks(document, bytes), watched: "/0/id" }
}

/// A 100-byte document, which is dominated by what it costs to begin.
fn small() -> Work {
    Work { pieces: vec![data::SMALL], watched: "/reply" }
}

/// A limit in instructions a byte: what was reached and about a twentieth more, so that a step back is seen. The aim
/// for records in 4-byte chunks is 60. It is given as the number of instructions for a document of this size.
fn limit(a_byte: u64) -> LibraryBenchmarkConfig {
    let bytes = u64::try_from(SIZE).expect("a small size");
    at_most(a_byte * bytes)
}

/// A limit in instructions: what was reached and about a seventh more.
fn at_most(instructions: u64) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default().tool(count_only().hard_limits([(EventKind::Ir, instructions)]).clone()).clone()
}

fn count_only_config() -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default().tool(count_only()).clone()
}

fn count_only() -> Callgrind {
    Callgrind::default().args(["--cache-sim=no"]).format([EventKind::Ir]).clone()
}

#[library_benchmark]
#[bench::four_bytes(args = (cut(Shape::Records, 4)), config = limit(300))]
#[bench::sixteen_bytes(args = (cut(Shape::Records, 16)), config = limit(145))]
#[bench::sixty_four_bytes(args = (cut(Shape::Records, 64)), config = limit(82))]
#[bench::whole(args = (cut(Shape::Records, usize::MAX)), config = limit(44))]
fn lenient_records(work: Work) -> Fed {
    black_box(work::feeds(work::options(Dialect::Lenient), black_box(&work.pieces), work.watched))
}

#[library_benchmark]
#[bench::four_bytes(args = (cut(Shape::Records, 4)), config = limit(288))]
#[bench::sixteen_bytes(args = (cut(Shape::Records, 16)), config = limit(139))]
#[bench::sixty_four_bytes(args = (cut(Shape::Records, 64)), config = limit(79))]
#[bench::whole(args = (cut(Shape::Records, usize::MAX)), config = limit(44))]
fn strict_records(work: Work) -> Fed {
    black_box(work::feeds(work::options(Dialect::Strict), black_box(&work.pieces), work.watched))
}

#[library_benchmark]
#[bench::agent(args = (cut(Shape::Agent, 4)), config = limit(327))]
#[bench::text(args = (cut(Shape::Text, 4)), config = limit(283))]
#[bench::numbers(args = (cut(Shape::Numbers, 4)), config = limit(358))]
#[bench::deep(args = (cut(Shape::Deep, 4)), config = limit(498))]
fn lenient_four_bytes(work: Work) -> Fed {
    black_box(work::feeds(work::options(Dialect::Lenient), black_box(&work.pieces), work.watched))
}

// Every object damaged, in fourteen ways by turns.
#[library_benchmark]
#[bench::four_bytes(args = (cut_malformed(Kind::Mixed, 4)), config = limit(376))]
#[bench::whole(args = (cut_malformed(Kind::Mixed, usize::MAX)), config = limit(130))]
fn lenient_malformed(work: Work) -> Fed {
    black_box(work::feeds(work::options(Dialect::Lenient), black_box(&work.pieces), work.watched))
}

#[library_benchmark]
#[bench::records(args = (cut(Shape::Records, usize::MAX)), config = limit(31))]
#[bench::malformed(args = (cut_malformed(Kind::Mixed, usize::MAX)), config = limit(178))]
fn one_shot_repair(work: Work) -> Repaired {
    black_box(jsonrill::repair(black_box(work.pieces[0])))
}

#[library_benchmark]
#[bench::lenient(args = (cut(Shape::Records, usize::MAX), Dialect::Lenient), config = limit(29))]
#[bench::strict(args = (cut(Shape::Records, usize::MAX), Dialect::Strict), config = limit(29))]
#[bench::lenient_small(args = (small(), Dialect::Lenient), config = count_only_config())]
#[bench::lenient_text(args = (cut(Shape::Text, usize::MAX), Dialect::Lenient), config = limit(7))]
fn whole_document(work: Work, dialect: Dialect) -> (Parser, Finished) {
    black_box(work::whole(work::options(dialect), black_box(work.pieces[0])))
}

/// A chat completion's events in reads of 1460 bytes, a quarter of a megabyte of them.
fn reads() -> Work {
    let event = "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1769900000,\"model\":\"gpt-5-mini\",\
                 \"choices\":[{\"index\":0,\"delta\":{\"content\":\" word\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n";
    let stream: &'static str = Box::leak(event.repeat(SIZE / event.len()).into_boxed_str());
    Work { pieces: data::byte_chunks(stream, 1460), watched: "" }
}

#[library_benchmark]
#[bench::chat(args = (reads()), config = at_most(1_200_000))]
fn server_sent_events(work: Work) -> usize {
    let mut decoder = SseDecoder::new();
    let pieces = black_box(&work.pieces).iter();
    black_box(
        pieces.map(|piece| decoder.push(piece.as_bytes()).flatten().map(|event| event.data.len()).sum::<usize>()).sum(),
    )
}

#[library_benchmark]
#[bench::chat(args = (reads()), config = at_most(13_300_000))]
fn messages(work: Work) -> MessageDecoder {
    let mut decoder = MessageDecoder::for_provider(Provider::OpenAiChat);
    for piece in black_box(&work.pieces) {
        black_box(decoder.push(piece.as_bytes()).count());
    }
    black_box(decoder)
}

/// A chat completion whose content is a document, in reads of 1460 bytes.
fn answer() -> Work {
    let document = Shape::Text.document(SIZE / 40);
    let event = |piece: &str| {
        format!("data: {}\n\n", serde_json::json!({"choices": [{"index": 0, "delta": {"content": piece}}]}))
    };
    let stream: String = data::character_chunks(&document, 4).into_iter().map(event).collect();
    let stream: &'static str = Box::leak(stream.into_boxed_str());
    Work { pieces: data::byte_chunks(stream, 1460), watched: "/body" }
}

fn content(work: &Work) -> impl Stream<Item = Result<ContentPiece, DecodeError<Infallible>>> + use<> {
    let decoder = MessageDecoder::for_provider(Provider::OpenAiChat);
    stream::iter(black_box(work.pieces.clone())).decode(decoder).content()
}

#[library_benchmark]
#[bench::updates(args = (answer()), config = at_most(15_700_000))]
fn bytes_to_deltas(work: Work) -> usize {
    let updates = block_on_stream(content(&work).parse_json());
    black_box(updates.flatten().map(|update| update.delta().text(work.watched).map_or(0, str::len)).sum())
}

#[library_benchmark]
#[bench::text(args = (answer()), config = at_most(18_500_000))]
fn bytes_to_fields(work: Work) -> usize {
    let fields = Fields::new(content(&work));
    black_box(block_on_stream(fields.text(work.watched)).flatten().map(|piece| piece.len()).sum())
}

// For comparison, without a limit: what others need for their bare events on the same pieces, and for a `Value`.
#[library_benchmark(config = count_only_config())]
#[bench::actson(args = (cut(Shape::Records, 4), work::actson_events))]
#[bench::jsonmodem(args = (cut(Shape::Records, 4), work::jsonmodem_events))]
#[bench::serde_json_whole(args = (cut(Shape::Records, usize::MAX), serde_json_value))]
#[bench::serde_json_small(args = (small(), serde_json_value))]
#[bench::sonic_rs_whole(args = (cut(Shape::Records, usize::MAX), sonic_rs_value))]
#[bench::serde_json_whole_text(args = (cut(Shape::Text, usize::MAX), serde_json_value))]
fn peers(work: Work, run: fn(&[&str]) -> u64) -> u64 {
    black_box(run(black_box(&work.pieces)))
}

fn serde_json_value(pieces: &[&str]) -> u64 {
    let value = serde_json::from_slice::<serde_json::Value>(pieces[0].as_bytes()).expect("valid JSON");
    std::mem::forget(black_box(value));
    1
}

fn sonic_rs_value(pieces: &[&str]) -> u64 {
    let value = sonic_rs::from_slice::<sonic_rs::Value>(pieces[0].as_bytes()).expect("valid JSON");
    std::mem::forget(black_box(value));
    1
}

library_benchmark_group!(
    name = feeds,
    benchmarks = [
        lenient_records,
        strict_records,
        lenient_four_bytes,
        lenient_malformed,
        one_shot_repair,
        whole_document,
        server_sent_events,
        messages,
        bytes_to_deltas,
        bytes_to_fields,
        peers
    ]
);

main!(library_benchmark_groups = feeds);
