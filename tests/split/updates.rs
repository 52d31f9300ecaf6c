//! Over the updates of a parser: the chunks are those of the document as it is in the end.

use jsonrill::split::{Boundary, Chunk, SplitError, Splitter, join};
use jsonrill::{Dialect, Duplicates, End, Options, Parser};
use proptest::prelude::*;

use crate::common::chunks::{Chunking, chunking};
use crate::common::config;
use crate::common::generate::anything;

type Result<T> = std::result::Result<T, SplitError>;

fn split(splitter: &Splitter, options: Options, pieces: &[&[u8]], end: End) -> (Vec<Result<Chunk>>, String) {
    let mut parser = Parser::with_options(options);
    let mut updates = splitter.updates();
    let mut chunks = Vec::new();
    for piece in pieces {
        let update = parser.feed(*piece);
        chunks.extend(updates.push(&update));
    }
    let finished = parser.finish(end);
    chunks.extend(updates.finish(&finished));
    // An error is said by every later call.
    if let Some(first) = chunks.iter().position(Result::is_err) {
        chunks.truncate(first + 1);
    }
    let shown = finished.snapshot();
    (chunks, if shown.is_started() { shown.to_string() } else { String::new() })
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn updates_give_the_chunks_of_the_document(
        input in anything(), chunking in chunking(), max in 1..100_usize, min in 0..50_usize,
        strict in any::<bool>(), end in prop::sample::select(vec![End::Stopped, End::Truncated, End::Unknown]),
        duplicates in prop::sample::select(vec![Duplicates::First, Duplicates::Last, Duplicates::Error]),
        cut in any::<bool>(), lists in any::<bool>(),
    ) {
        let splitter = Splitter::new(max).min(min).convert_lists(lists);
        let splitter = if cut { splitter.cut_strings(Boundary::Word) } else { splitter };
        let dialect = if strict { Dialect::Strict } else { Dialect::Lenient };
        let options = Options::new().dialect(dialect).duplicates(duplicates);
        let (chunks, shown) = split(&splitter, options, &chunking.cut(&input.0), end);
        let expected: Vec<_> = if shown.is_empty() { vec![] } else { splitter.split(&shown).collect() };
        prop_assert_eq!(&chunks, &expected);
        if !lists && let Ok(chunks) = chunks.into_iter().collect::<Result<Vec<_>>>() {
            prop_assert_eq!(join(chunks).unwrap(), shown);
        }
    }
}

/// Pieces of a string leave while it is still being written.
#[test]
fn a_long_string_leaves_while_it_grows() {
    let mut parser = Parser::new();
    let mut updates = Splitter::new(200).cut_strings(Boundary::Sentence).updates();
    parser.push("{\"text\": \"");
    let mut count = 0;
    for _ in 0..200 {
        let update = parser.feed("It is a sentence, and not the last. ");
        count += updates.push(&update).map(Result::unwrap).filter(|chunk| chunk.continued).count();
    }
    assert!(count > 30, "{count}");
}

#[test]
fn only_the_first_document_is_split() {
    use jsonrill::Roots;
    let options = Options::new().roots(Roots::Many);
    for chunking in [Chunking::Whole, Chunking::Every(1)] {
        let pieces = chunking.cut(b"{\"a\": 1} {\"b\": 2}");
        let (chunks, _) = split(&Splitter::new(50), options, &pieces, End::Stopped);
        let texts: Vec<_> = chunks.into_iter().map(|chunk| chunk.unwrap().text).collect();
        assert_eq!(texts, [r#"{"a":1}"#]);
    }
}
