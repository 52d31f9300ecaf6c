//! What a user does with a text. Each function returns something that depends on all of it.

use std::io;

use jsonrill::split::{Boundary, Splitter};
use jsonrill::{
    AssistedOptions, AssistedRepair, AssistedStep, ContextOptions, Delivered, End, Finished, MessageDecoder, Options,
    Parser, Places, Snapshot, SseDecoder, continuation_prompt, kpi_prompt, repair_with,
};
use jsonrill_bench_peers::work;

use crate::attack::Reader;

/// Something that is done with each text.
pub struct Operation {
    pub name: &'static str,
    /// What it is, for a person.
    pub what: &'static str,
    pub reader: Reader,
    /// Whether it is measured at the largest size, too: the others take long, and show what they are at a tenth of it.
    pub is_main: bool,
    pub run: fn(Options, &[u8]) -> u64,
}

/// A read from a socket.
const READ: usize = 1460;

pub const ALL: [Operation; 12] = [
    Operation {
        name: "feeds",
        what: "feeds of 16 bytes: at each a snapshot that is kept to the next, every op of the delta, the text outside the JSON that is new, and whether a path may change",
        reader: Reader::Parser,
        is_main: true,
        run: |options, text| feeds(options, text, 16),
    },
    Operation {
        name: "bytes",
        what: "the same a byte at a time",
        reader: Reader::Parser,
        is_main: false,
        run: |options, text| feeds(options, text, 1),
    },
    Operation {
        name: "whole",
        what: "one feed, the end, every report with its line and column, the snapshot as JSON",
        reader: Reader::Parser,
        is_main: false,
        run: whole,
    },
    Operation { name: "repair", what: "`repair`", reader: Reader::Parser, is_main: false, run: repair },
    Operation {
        name: "contexts",
        what: "`freeze` at the cut, all contexts with and without a limit, the checkpoint, the prompts made of them",
        reader: Reader::Parser,
        is_main: false,
        run: contexts,
    },
    Operation {
        name: "again",
        what: "the text, and then the same text as the next round",
        reader: Reader::Parser,
        is_main: false,
        run: again,
    },
    Operation {
        name: "joined",
        what: "the text as the round that follows a document which was cut in a string",
        reader: Reader::Parser,
        is_main: false,
        run: joined,
    },
    Operation {
        name: "split",
        what: "`Splitter::lenient`, chunks of 2000 characters",
        reader: Reader::Parser,
        is_main: false,
        run: split,
    },
    Operation {
        name: "assisted",
        what: "repair with a model's help that answers with the text itself, and then with what the rules make of it",
        reader: Reader::Parser,
        is_main: false,
        run: assisted,
    },
    Operation {
        name: "events",
        what: "server-sent events, in reads of 1460 bytes",
        reader: Reader::Decoder,
        is_main: true,
        run: |_, bytes| events(bytes, READ),
    },
    Operation {
        name: "event bytes",
        what: "the same a byte at a time",
        reader: Reader::Decoder,
        is_main: true,
        run: |_, bytes| events(bytes, 1),
    },
    Operation {
        name: "message",
        what: "a provider's message, in reads of 1460 bytes",
        reader: Reader::Decoder,
        is_main: true,
        run: |_, bytes| message(bytes, READ),
    },
];

fn feeds(options: Options, text: &[u8], size: usize) -> u64 {
    let mut parser = Parser::with_options(options);
    let mut held: Vec<Snapshot> = Vec::with_capacity(2);
    let mut tally = 0;
    for chunk in text.chunks(size) {
        let update = parser.feed(chunk);
        for part in update.parts() {
            tally += work::read(&part, "/a");
        }
        tally += update.delta().outside().map(|outside| outside.text.len() as u64).sum::<u64>();
        held.clear();
        held.push(update.snapshot().clone());
    }
    tally + reports(&parser.finish(End::Unknown), &[])
}

/// Everything that is told about a text that has ended; where in its lines, if there is a text.
fn reports(finished: &Finished, text: &[u8]) -> u64 {
    let mut places = Places::new(text);
    let mut tally = finished.outcome() as u64;
    let spans = finished.repairs().iter().map(|report| (report.span, report.count));
    let warnings = finished.warnings().iter().map(|report| (report.span, report.count));
    let skipped = finished.skipped().iter().map(|report| (report.span, report.count));
    for (span, count) in spans.chain(warnings).chain(skipped) {
        tally += u64::from(places.at(span.start).line) + u64::from(count);
    }
    tally + finished.documents().map(|document| u64::from(document.span.len())).sum::<u64>()
}

fn whole(options: Options, text: &[u8]) -> u64 {
    let mut parser = Parser::with_options(options);
    let update = parser.feed(text);
    let fed: u64 = update.parts().map(|part| work::read(&part, "/a")).sum();
    let finished = parser.finish(End::Stopped);
    let mut sink = Count(0);
    serde_json::to_writer(&mut sink, finished.snapshot()).expect("a snapshot is JSON");
    fed + sink.0 + reports(&finished, text)
}

/// Counts what is written.
struct Count(u64);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn repair(options: Options, text: &[u8]) -> u64 {
    repair_with(text, options, End::Unknown).text().len() as u64
}

fn contexts(options: Options, text: &[u8]) -> u64 {
    let mut parser = Parser::with_options(options);
    parser.push(text);
    let frozen = parser.freeze();
    let limited = ContextOptions::new().total_limit(Some(4000));
    let all = frozen.contexts();
    let checkpoint = frozen.checkpoint().map_or(0, |checkpoint| Parser::resume(&checkpoint).repairs().len());
    let prompts = [
        continuation_prompt("Go on.", &all),
        continuation_prompt("Go on.", &frozen.contexts_with(&limited)),
        kpi_prompt("Go on.", &Delivered::new(&frozen, &limited)),
    ];
    let lengths = prompts.iter().map(|prompt| prompt.len() as u64).sum::<u64>();
    frozen.cut().offset() + all.complete_part.len() as u64 + checkpoint as u64 + lengths
}

fn again(options: Options, text: &[u8]) -> u64 {
    join(options, text, text)
}

/// A document that is cut in a string.
const CUT: &str = "{\"items\": [{\"id\": 1, \"name\": \"abc\", \"tags\": [\"x\", \"y\"]}, {\"id\": 2, \"name\": \"Bo";

fn joined(options: Options, text: &[u8]) -> u64 {
    join(options, CUT.as_bytes(), text)
}

fn join(options: Options, first: &[u8], round: &[u8]) -> u64 {
    let mut parser = Parser::with_options(options);
    parser.push(first);
    parser.next_round();
    let mut tally = 0;
    for chunk in round.chunks(16) {
        let update = parser.feed(chunk);
        for part in update.parts() {
            tally += work::read(&part, "/a");
        }
    }
    let finished = parser.finish(End::Stopped);
    let seams: u64 = finished.seams().iter().map(|seam| seam.dropped).sum();
    tally + seams + reports(&finished, &[])
}

fn split(_: Options, text: &[u8]) -> u64 {
    let mut splitter = Splitter::new(2000).cut_strings(Boundary::Word).lenient();
    let mut tally = 0;
    for piece in text.chunks(READ) {
        tally += splitter.push(piece).filter_map(Result::ok).map(|chunk| chunk.text.len() as u64).sum::<u64>();
    }
    let rest = splitter.finish(End::Unknown);
    tally + rest.filter_map(Result::ok).map(|chunk| chunk.text.len() as u64).sum::<u64>()
}

fn assisted(options: Options, text: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(text);
    let by_rules = repair_with(&*text, options, End::Unknown).into_text();
    let assisted = AssistedOptions::new().parser(options).byte_limit(usize::MAX).attempts(2);
    let mut repair = AssistedRepair::new(&*text, assisted);
    let mut tally = 0;
    for answer in [&*text, &by_rules] {
        let AssistedStep::Ask { request, .. } = repair.next_step() else { break };
        tally += request.prompt.len() as u64;
        repair.text(answer);
        repair.end("stop", None);
    }
    tally + repair.into_report().attempts().len() as u64
}

fn events(bytes: &[u8], size: usize) -> u64 {
    let mut decoder = SseDecoder::new();
    let mut tally = 0;
    for read in bytes.chunks(size) {
        for event in decoder.push(read).filter_map(Result::ok) {
            tally += event.data.len() as u64;
        }
    }
    tally + decoder.finish().map_or(0, |event| event.data.len() as u64)
}

fn message(bytes: &[u8], size: usize) -> u64 {
    let mut decoder = MessageDecoder::new();
    let events: usize = bytes.chunks(size).map(|read| decoder.push(read).count()).sum();
    (events + decoder.finish().count()) as u64
}
