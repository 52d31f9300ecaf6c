//! What holds of every document and every splitter.

use jsonrill::split::{Boundary, Chunk, Document, SplitError, Splitter, join};
use proptest::prelude::*;

use crate::common::chunks::chunking;
use crate::common::config;
use crate::common::generate::{ANY_VALID, documents};
use crate::tree::{Node, Reference, minify, parse, render};

type Measure = fn(&str) -> usize;

/// Sizes of three kinds: two that add up, and one that does not.
const MEASURES: [Measure; 3] =
    [|text| text.chars().count(), str::len, |text| text.len().div_ceil(3) + text.matches(',').count()];

fn splitter(max: usize, min: usize, measure: usize) -> Splitter {
    let splitter = Splitter::new(max).min(min);
    match measure {
        0 => splitter,
        1 => splitter.in_bytes(),
        _ => splitter.measured_by(MEASURES[2]),
    }
}

fn split(splitter: &Splitter, text: &str) -> (Vec<Chunk>, Option<SplitError>) {
    let mut chunks = Vec::new();
    for chunk in splitter.split(text) {
        match chunk {
            Ok(chunk) => chunks.push(chunk),
            Err(error) => return (chunks, Some(error)),
        }
    }
    (chunks, None)
}

fn tree(text: &str) -> Node {
    parse(&mut &*minify(text))
}

/// A token of a pointer as it is spelled in one: from a key with its quotes.
fn token(key: &str) -> String {
    let key = decoded(key);
    key.replace('~', "~0").replace('/', "~1")
}

/// What a string stands for, halves of surrogate pairs as U+FFFD.
fn decoded(string: &str) -> String {
    let mut parser = jsonrill::Parser::strict();
    parser.push(string);
    let finished = parser.finish(jsonrill::End::Unknown);
    finished.snapshot().root().as_str().expect(string).to_owned()
}

/// The leaves of a chunk, each with its pointer in the document.
fn leaves(chunk: &Chunk) -> Vec<(String, String)> {
    let first: Vec<&str> = chunk.first.split('/').skip(1).collect();
    let mut found = Vec::new();
    for (path, leaf) in tree(&chunk.text).leaves() {
        let mut pointer = String::new();
        for (depth, (index, key)) in path.iter().enumerate() {
            // What is on the way to the first value goes on where an earlier chunk has ended.
            let is_on_the_way = depth < first.len() && path.iter().take(depth).all(|step| step.0 == 0);
            let begun = if is_on_the_way && key.is_none() { first[depth].parse().expect("an index") } else { 0 };
            pointer.push('/');
            pointer.push_str(&key.as_ref().map_or_else(|| (index + begun).to_string(), |key| token(key)));
        }
        found.push((pointer, leaf));
    }
    found
}

fn check(text: &str, splitter: &Splitter, max: usize, measure: Measure) {
    let document = tree(text);
    let (chunks, error) = split(splitter, text);
    for (number, chunk) in chunks.iter().enumerate() {
        assert!(measure(&chunk.text) <= max, "{} is {} of {max}", chunk.text, measure(&chunk.text));
        assert_eq!(chunk.index, number as u64);
        assert_eq!(chunk.count, None);
        assert!(serde_json::from_str::<serde::de::IgnoredAny>(&chunk.text).is_ok(), "{}", chunk.text);
        let leaves = leaves(chunk);
        assert!(!leaves.is_empty());
        assert!(leaves[0].0.starts_with(&chunk.first), "{} in {}", chunk.first, chunk.text);
        for (pointer, _) in &leaves {
            assert!(pointer.starts_with(&chunk.pointer), "{pointer} is not in {}: {}", chunk.pointer, chunk.text);
        }
        // What the range says of an array is what the pointers of the leaves say.
        let below = |pointer: &str| pointer[chunk.pointer.len()..].split('/').nth(1).map(str::to_owned);
        if let Some(range) = &chunk.range {
            assert!(range.start < range.end);
            if document_at(&document, &chunk.pointer).is_some_and(|node| matches!(node, Node::Array(_))) {
                assert_eq!(below(&leaves[0].0), Some(range.start.to_string()), "{chunk:?}");
                assert_eq!(below(&leaves[leaves.len() - 1].0), Some((range.end - 1).to_string()), "{chunk:?}");
            }
        } else {
            assert!(chunks.len() == 1 || chunk.continues || chunk.continued, "{chunk:?}");
        }
    }
    if error.is_some() {
        return;
    }
    assert_eq!(join(&chunks).unwrap(), minify(text));
    // Every leaf once, in its order, at its pointer.
    let mut held: Vec<(String, String)> = Vec::new();
    for chunk in &chunks {
        for (number, (pointer, leaf)) in leaves(chunk).into_iter().enumerate() {
            if chunk.continues && number == 0 {
                let (at, string) = held.last_mut().unwrap();
                assert_eq!(*at, pointer);
                string.pop();
                string.push_str(&leaf[1..]);
            } else {
                held.push((pointer, leaf));
            }
        }
    }
    let expected: Vec<(String, String)> = document
        .leaves()
        .into_iter()
        .map(|(path, leaf)| {
            let tokens =
                path.iter().map(|(index, key)| key.as_ref().map_or_else(|| index.to_string(), |key| token(key)));
            (tokens.flat_map(|token| ["/".to_owned(), token]).collect(), leaf)
        })
        .collect();
    assert_eq!(held, expected);
}

/// The first value at a pointer.
fn document_at<'n>(node: &'n Node, pointer: &str) -> Option<&'n Node> {
    let mut node = node;
    for asked in pointer.split('/').skip(1) {
        let named = |(index, key): &(usize, Option<String>)| {
            key.as_ref().map_or_else(|| index.to_string(), |key| token(key)) == asked
        };
        let children = node.children();
        // With two of that name it cannot be said which is meant.
        let mut fitting = children.into_iter().filter(|(step, _)| named(step));
        node = fitting.next()?.1;
        if fitting.next().is_some() {
            return None;
        }
    }
    Some(node)
}

fn boundary() -> impl Strategy<Value = Option<Boundary>> {
    prop::sample::select(vec![None, Some(Boundary::Sentence), Some(Boundary::Word), Some(Boundary::Character)])
}

fn with(splitter: Splitter, boundary: Option<Boundary>) -> Splitter {
    match boundary {
        Some(boundary) => splitter.cut_strings(boundary),
        None => splitter,
    }
}

/// Documents with strings that are looked at before they end.
fn with_long_strings() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "word",
        "a",
        "Sentence. ",
        "Why? ",
        " ",
        ", ",
        "é",
        "漢字",
        "。",
        "👩‍👩‍👧",
        r"\n",
        "\\\"",
        r"\\",
        r"\u00e9",
        r"\ud83d\ude00",
        r"\ud83d",
        "a\u{301}",
        "antidisestablishmentarianism",
    ]);
    let string = (prop::collection::vec(word, 0..30), 1..60_usize)
        .prop_map(|(words, times)| format!("\"{}\"", words.concat().repeat(times)));
    let value = prop_oneof![3 => string.clone(), 2 => documents(ANY_VALID)];
    prop::collection::vec((string, value, any::<bool>()), 1..5).prop_map(|members| {
        let members = members.into_iter().map(|(key, value, short)| {
            let key = if short { "\"k\"".to_owned() } else { key };
            format!("{key}: {value}")
        });
        format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
    })
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn long_strings_keep_the_laws(
        text in with_long_strings(), chunking in chunking(), max in 20..4000_usize, min in 0..2000_usize,
        measure in 0..3_usize, cut in boundary(),
    ) {
        let splitter = with(splitter(max, min, measure), cut);
        check(&text, &splitter, max, MEASURES[measure]);
        let mut stream = splitter.stream();
        let mut arrived = Vec::new();
        for piece in chunking.cut(text.as_bytes()) {
            arrived.extend(stream.push(piece));
        }
        arrived.extend(stream.finish());
        // An error is said by every later call.
        let errors = arrived.iter().filter(|chunk| chunk.is_err()).count();
        arrived.truncate(arrived.len() + 1 - errors.max(1));
        let expected: Vec<_> = splitter.split(&text).collect();
        prop_assert_eq!(arrived, expected);
    }
}

/// A string is cut at a boundary of the kind that was asked for wherever there is one.
#[test]
fn strings_are_cut_between_sentences_words_and_characters() {
    let text = r#"{"t": "One sentence here. Another one, longer than that. 👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧"}"#;
    let pieces = |max: usize, boundary: Boundary| -> Vec<String> {
        let chunks = Splitter::new(max).cut_strings(boundary).split(text).map(Result::unwrap);
        chunks.map(|chunk| chunk.text[6..chunk.text.len() - 2].to_owned()).collect()
    };
    assert_eq!(pieces(48, Boundary::Sentence)[..2], ["One sentence here. ", "Another one, longer than that. "]);
    assert_eq!(pieces(30, Boundary::Sentence)[..3], ["One sentence here. ", "Another one, longer ", "than that. "]);
    assert_eq!(pieces(20, Boundary::Word)[..3], ["One ", "sentence ", "here. "]);
    assert_eq!(pieces(13, Boundary::Character)[..2], ["One s", "enten"]);
    // A family is not torn unless it fits into no chunk.
    assert!(pieces(13, Boundary::Character).ends_with(&["👩‍👩‍👧".to_owned()]));
    assert!(pieces(10, Boundary::Character).contains(&"👩\u{200d}".to_owned()));
}

/// What is looked at in the middle of an emoji that is spelled in escapes is not all of it.
#[test]
fn emoji_in_escapes_are_not_torn() {
    for piece in [r"\ud83c\udde9\ud83c\uddea", r"\uD83D\uDC69\u200d\uD83D\uDC67", r"e\u0301", r"\ud83c\udde9🇪"] {
        for pad in 0..12 {
            for max in (60..70).chain(1000..1060) {
                let text = format!(r#"["{}{}"]"#, "x".repeat(pad), piece.repeat(200));
                let chunks = split(&Splitter::new(max).cut_strings(Boundary::Character), &text).0;
                let mut read = 0;
                for chunk in &chunks {
                    read += chunk.text.len() - 4;
                    assert!(read < pad || (read - pad).is_multiple_of(piece.len()), "{} in {max}", chunk.text);
                }
                assert_eq!(join(&chunks).unwrap(), text);
            }
        }
    }
    // Halves alone are looked at as often as anything else.
    for half in [r"\ud83d", r"\ude00", r"\ud83da"] {
        let text = format!(r#"["{}"]"#, half.repeat(10_000));
        let mut stream = Splitter::new(2000).cut_strings(Boundary::Character).stream();
        let early = text.as_bytes()[..text.len() - 4000].chunks(100).map(|piece| stream.push(piece).count());
        assert!(early.sum::<usize>() > text.len() / 2000 - 5);
    }
}

/// A measure that panics is not asked again while that unwinds, which would end the program.
#[test]
fn a_measure_that_panics() {
    let text = format!("[{}1]", "1,2,3,".repeat(5000));
    let splitter = Splitter::new(10).measured_by(|text| if text.len() > 10 { panic!("as it should") } else { 1 });
    for lenient in [false, true] {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            if lenient { splitter.lenient().push(&text).count() } else { splitter.stream().push(&text).count() }
        }));
        assert!(caught.is_err());
    }
}

/// Chunks that are not all of a document, in their order, are not joined.
#[test]
fn what_is_no_document_is_not_joined() {
    let splitter = Splitter::new(20).cut_strings(Boundary::Character);
    let chunks = split(&splitter, r#"{"a": [1, [2], "some string"], "b": {"c": 3, "d": 4}}"#).0;
    assert!(join(&chunks).is_ok());
    assert_eq!(join::<Chunk>([]).unwrap(), "");
    for missing in 0..chunks.len() - 1 {
        let mut some = chunks.clone();
        some.remove(missing);
        let error = join(&some).unwrap_err();
        assert_eq!(error.number(), missing as u64);
        assert_eq!(error.to_string(), format!("chunk {missing} does not go on with the one before it"));
    }
    // That the last are missing shows where a string goes on, or where it is said how many there are.
    let continued = chunks.iter().position(|chunk| chunk.continued).unwrap() + 1;
    assert_eq!(join(&chunks[..continued]).unwrap_err().to_string(), format!("chunk {continued} is missing"));
    let mut counted = chunks.clone();
    for chunk in &mut counted {
        chunk.count = Some(chunks.len() as u64);
    }
    assert_eq!(join(&counted), join(&chunks));
    for count in 1..counted.len() {
        assert_eq!(join(&counted[..count]).unwrap_err().number(), count as u64);
        // Nor are those of two documents.
        let mut other = counted.clone();
        other[count].count = Some(100);
        assert_eq!(join(&other).unwrap_err().number(), count as u64);
        other = counted.clone();
        other[0].count = Some(count as u64);
        assert!(join(&other).is_err());
    }
    // Nor is what somebody has changed, and there is no panic.
    for number in 0..chunks.len() {
        for text in ["", "{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":[", "[", "\"", "é", "{\"é\\"] {
            for first in ["", "/a", "/a/0/1/2/3/4", "/////////"] {
                for continues in [false, true] {
                    let mut some = chunks.clone();
                    some[number].text = text.to_owned();
                    some[number].first = first.to_owned();
                    some[number].continues = continues;
                    let _ = join(&some);
                }
            }
        }
    }
}

#[test]
fn a_document_that_no_chunk_became() {
    let whole = Splitter::new(20).documents("[1, 2]", &serde_json::Map::new()).unwrap().remove(0);
    assert!(Chunk::try_from(&whole).is_ok());
    for key in ["pointer", "first", "index"] {
        let mut document = whole.clone();
        document.metadata.remove(key);
        assert_eq!(Chunk::try_from(&document).unwrap_err().key(), key);
    }
    for (key, wrong) in [("range", "[1]"), ("range", "[1,-2]"), ("count", "-1"), ("continues", "2"), ("first", "3")] {
        let mut document = whole.clone();
        document.metadata.insert(key.to_owned(), serde_json::from_str(wrong).unwrap());
        let error = Chunk::try_from(&document).unwrap_err();
        assert_eq!(error.to_string(), format!("the metadata is not that of a chunk: {key:?}"));
    }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn chunks_keep_the_cap_and_lose_nothing(
        text in documents(ANY_VALID), max in 1..120_usize, min in 0..60_usize, measure in 0..3_usize, cut in boundary(),
    ) {
        check(&text, &with(splitter(max, min, measure), cut), max, MEASURES[measure]);
    }

    #[test]
    fn chunks_end_where_it_is_described(
        text in documents(ANY_VALID), max in 1..120_usize, min in 0..60_usize, measure in 0..3_usize,
    ) {
        let (chunks, error) = split(&splitter(max, min, measure), &text);
        let texts: Vec<_> = chunks.into_iter().map(|chunk| chunk.text).collect();
        let expected = Reference::split(&tree(&text), max, min, &MEASURES[measure]);
        match expected {
            Some(expected) => {
                prop_assert_eq!(error, None);
                prop_assert_eq!(texts, expected);
            }
            None => prop_assert!(error.is_some()),
        }
    }

    /// A chunk comes back from the document that it became, also over its JSON, whatever the source says.
    #[test]
    fn chunks_come_back_from_documents(
        text in documents(ANY_VALID), max in 1..120_usize, cut in boundary(), count in any::<Option<u64>>(),
    ) {
        let source = serde_json::json!({"count": "many", "continues": 1, "source": "x", "first": 2, "pointer": null});
        for chunk in split(&with(splitter(max, 0, 0), cut), &text).0 {
            let mut chunk = chunk;
            chunk.count = count;
            let document = chunk.clone().into_document(source.as_object().unwrap().clone());
            prop_assert_eq!(Chunk::try_from(&document), Ok(chunk.clone()));
            let read: Document = serde_json::from_str(&serde_json::to_string(&document).unwrap()).unwrap();
            prop_assert_eq!(Chunk::try_from(&read), Ok(chunk));
        }
    }

    /// A chunk is smaller than it should be only where not even the next scalar has room in it.
    #[test]
    fn chunks_are_as_large_as_asked_where_they_can_be(
        text in documents(ANY_VALID), max in 1..120_usize, percent in 1..130_usize, measure in 0..3_usize,
    ) {
        let min = max * percent / 100;
        let measured = MEASURES[measure];
        let (chunks, _) = split(&splitter(max, min, measure), &text);
        let all: Vec<_> = tree(&text).leaves().into_iter().map(|(path, leaf)| (path, Node::Scalar(leaf))).collect();
        let mut start = 0;
        for chunk in &chunks {
            let end = start + leaves(chunk).len();
            prop_assert_eq!(&render(&all[start..end]), &chunk.text);
            if measured(&chunk.text) < min && end < all.len() {
                let more = render(&all[start..=end]);
                prop_assert!(measured(&more) > max, "{} could be {}", chunk.text, more);
            }
            start = end;
        }
    }

    #[test]
    fn how_a_text_arrives_does_not_matter(
        text in documents(ANY_VALID), chunking in chunking(), max in 1..120_usize, min in 0..60_usize,
        measure in 0..3_usize, cut in boundary(), lists in any::<bool>(),
    ) {
        let splitter = with(splitter(max, min, measure), cut).convert_lists(lists);
        let (expected, expected_error) = split(&splitter, &text);
        let mut stream = splitter.stream();
        let (mut chunks, mut error) = (Vec::new(), None);
        for piece in chunking.cut(text.as_bytes()) {
            for chunk in stream.push(piece) {
                match chunk {
                    Ok(chunk) => chunks.push(chunk),
                    Err(found) => error = Some(found),
                }
            }
        }
        for chunk in stream.finish() {
            match chunk {
                Ok(chunk) => chunks.push(chunk),
                Err(found) => error = Some(found),
            }
        }
        prop_assert_eq!(chunks, expected);
        prop_assert_eq!(error, expected_error);
    }
}
