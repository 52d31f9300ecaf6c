//! Shapes that no document should have.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use jsonrill::split::{Boundary, Chunk, SplitError, SplitErrorKind, Splitter, join};

use crate::tree::minify;

fn split(splitter: &Splitter, text: &str) -> Result<Vec<Chunk>, SplitError> {
    splitter.split(text).collect()
}

/// The chunks, which join to the text, and arrive the same however the text does.
#[track_caller]
fn checked(splitter: &Splitter, max: usize, text: &str) -> Vec<Chunk> {
    let chunks = split(splitter, text).unwrap();
    assert_eq!(join(&chunks).unwrap(), minify(text));
    for chunk in &chunks {
        assert!(chunk.text.chars().count() <= max, "{} characters: {}", chunk.text.chars().count(), chunk.first);
    }
    for size in [1, 7, 1000, 5000] {
        let mut stream = splitter.stream();
        let mut arrived = Vec::new();
        for piece in text.as_bytes().chunks(size) {
            arrived.extend(stream.push(piece).map(Result::unwrap));
        }
        arrived.extend(stream.finish().map(Result::unwrap));
        assert!(arrived == chunks, "in pieces of {size}");
    }
    chunks
}

#[test]
fn one_giant_key() {
    let key = "k".repeat(1 << 20);
    let text = format!(r#"{{"a": 1, "b": {{"{key}": 1}}}}"#);
    let mut chunks = Splitter::new(1000).split(&text);
    assert_eq!(chunks.next().unwrap().unwrap().text, r#"{"a":1}"#);
    let error = chunks.next().unwrap().unwrap_err();
    assert_eq!(error.kind(), SplitErrorKind::PathTooLong);
    // It is known long before the key has ended, and what is said of it is short.
    assert!(error.pointer().unwrap().len() < 3000);
    assert!(error.to_string().len() < 300);
    assert!(chunks.next().is_none());
    checked(&Splitter::new(1 << 21), 1 << 21, &text);
}

#[test]
fn depth() {
    for (open, close) in [("[", "]"), (r#"{"a": "#, "}"), (r#"[0, {"b": [], "a": "#, r#", "c": 1}, 2]"#)] {
        let levels = if open.starts_with("[0") { 250 } else { 500 };
        let text = format!("{}1{}", open.repeat(levels), close.repeat(levels));
        for max in [1_500, 4_000, 100_000] {
            match split(&Splitter::new(max), &text) {
                Ok(_) => drop(checked(&Splitter::new(max), max, &text)),
                Err(error) => assert_eq!(error.kind(), SplitErrorKind::PathTooLong, "{max}"),
            }
        }
        checked(&Splitter::new(100_000), 100_000, &text);
        let error = split(&Splitter::new(100), &text).unwrap_err();
        assert_eq!(error.kind(), SplitErrorKind::PathTooLong);
    }
    let error = split(&Splitter::new(1 << 20), &"[".repeat(1 << 20)).unwrap_err();
    assert_eq!(error.kind(), SplitErrorKind::TooDeep);
    assert_eq!(error.to_string(), "more than 512 levels");
}

#[test]
fn a_hundred_thousand_empty_objects() {
    let text = format!("[{}]", vec!["{}"; 100_000].join(", "));
    let chunks = checked(&Splitter::new(1000), 1000, &text);
    assert_eq!(chunks.len(), 100_000_usize.div_ceil(333));
    assert_eq!(chunks[7].range, Some(7 * 333..8 * 333));
    let members: Vec<_> = (0..100_000).map(|number| format!(r#""k{number}": {{}}"#)).collect();
    checked(&Splitter::new(1000), 1000, &format!("{{{}}}", members.join(",")));
}

#[test]
fn one_giant_string() {
    for piece in ["x", "One sentence. And another! ", "漢字かな。", "👩‍👩‍👧", r"\n", r"\ud83d\ude00", r"\ud83d", "a\u{301}"]
    {
        let text = format!(r#"{{"id": 1, "text": "{}", "next": [2]}}"#, piece.repeat(60_000 / piece.len()));
        for boundary in [Boundary::Sentence, Boundary::Word, Boundary::Character] {
            for max in [40, 3000] {
                let chunks = checked(&Splitter::new(max).cut_strings(boundary), max, &text);
                assert!(chunks.len() < 2 + 3 * text.len() / max, "{piece}: {} chunks of {max}", chunks.len());
            }
        }
        let error = split(&Splitter::new(3000), &text).unwrap_err();
        assert_eq!(error.kind(), SplitErrorKind::ValueTooLarge);
        assert_eq!(error.to_string(), r#"the value at "/text" needs a chunk of more than 3000"#);
    }
}

/// Each of these took a minute and more while something was counted anew at each step.
#[test]
fn shapes_of_which_much_is_looked_at_often_take_linear_time() {
    let size = 200_000;
    let (key, string) = ("k".repeat(4 * size), "s".repeat(8 * size));
    let nested = format!("{}0{}", "[0,".repeat(500), "]".repeat(500));
    let cases = [
        // A key that the chunk begins with, before very many members.
        (format!(r#"{{"{key}":"{string}"{}}}"#, r#","":1"#.repeat(size)), 11 * size),
        // Flags, which are told from one another by counting all before them.
        (format!(r#"["{}"]"#, "🇦".repeat(2 * size)), size),
        // Each level is a little smaller than the one around it, and waited for alone.
        (format!("[{}]", vec![nested; 3000].join(",")), 2000),
    ];
    for (text, max) in cases {
        let start = Instant::now();
        let chunks = split(&Splitter::new(max).min(max / 4).cut_strings(Boundary::Word), &text).unwrap();
        assert_eq!(join(&chunks).unwrap(), text);
        let taken = start.elapsed().as_secs_f64();
        assert!(taken < 10.0, "{taken} s for {} ...", text.get(..20).unwrap_or_default());
    }
}

#[test]
fn one_giant_number() {
    let text = format!("[1, {}]", "7".repeat(1 << 20));
    let error = split(&Splitter::new(1000).cut_strings(Boundary::Character), &text).unwrap_err();
    assert_eq!((error.kind(), error.pointer()), (SplitErrorKind::ValueTooLarge, Some("/1")));
    checked(&Splitter::new(1 << 21), 1 << 21, &text);
}

#[test]
fn caps_too_small_for_anything() {
    // Each with the size that it needs, and the size of its longest path with nothing behind it.
    let cases = [
        ("1", 1, 0),
        ("{}", 2, 1),
        ("[]", 2, 1),
        (r#""""#, 2, 0),
        (r#"{"":""}"#, 7, 5),
        ("[[[]]]", 6, 5),
        (r#"{"a":{"b":{"c":"d"}}}"#, 21, 18),
        ("[1,2,3,4,5,6,7,8]", 3, 2),
    ];
    for (text, needed, path) in cases {
        for max in 0..25 {
            for splitter in [Splitter::new(max), Splitter::new(max).cut_strings(Boundary::Character)] {
                let error = match split(&splitter, text) {
                    Ok(_) => {
                        checked(&splitter, max, text);
                        None
                    }
                    Err(error) => Some(error.kind()),
                };
                let expected = match max {
                    _ if max >= needed => None,
                    _ if max > path => Some(SplitErrorKind::ValueTooLarge),
                    _ => Some(SplitErrorKind::PathTooLong),
                };
                assert_eq!(error, expected, "{text} in {max}");
            }
        }
    }
}

#[test]
fn texts_that_are_no_json() {
    let wrong: [(&[u8], u64, &str); 22] = [
        (b"", 0, "a value"),
        (b"  ", 2, "a value"),
        (b"{\"a\" 1}", 5, "a colon"),
        (b"[1,]", 3, "a value"),
        (b"{\"a\":1,}", 7, "a key"),
        (b"{1", 1, "a key or }"),
        (b"[1 2]", 3, "a comma or the end of an object or array"),
        (b"[1}", 2, "a comma or the end of an object or array"),
        (b"[1", 2, "the rest of the document"),
        (b"1 2", 2, "nothing behind the document"),
        (b"\"a", 2, "the end of a string"),
        (b"\"a\n\"", 2, "an escape in place of a control character"),
        (b"\"\\x\"", 2, "an escape"),
        (b"\"\\u12G4\"", 5, "a hexadecimal digit"),
        (b"-", 1, "the rest of a number"),
        (b"[1.]", 3, "a digit"),
        (b"[-Infinity]", 2, "a digit"),
        (b"[NaN]", 1, "a value"),
        (b"tru", 3, "the rest of a keyword"),
        (b"[trie]", 3, "the rest of a keyword"),
        (b"\"a\xff\"", 2, "UTF-8"),
        (b"\"a\xe2\x82", 2, "the rest of a character"),
    ];
    for (text, offset, expected) in wrong {
        for size in [1, 100] {
            let mut stream = Splitter::new(100).stream();
            let mut found = Vec::new();
            for piece in text.chunks(size) {
                found.extend(stream.push(piece).filter_map(Result::err));
            }
            found.extend(stream.finish().filter_map(Result::err));
            let error = &found[0];
            let said = format!("no JSON at byte {offset}, expected {expected}");
            assert_eq!(error.to_string(), said, "{:?}", String::from_utf8_lossy(text));
            assert_eq!(error.offset(), Some(offset));
        }
    }
}

/// Chunks of what came before a mistake are good, and it is said again and again.
#[test]
fn an_error_stays() {
    let mut stream = Splitter::new(8).stream();
    let texts: Vec<_> = stream.push("[11, 22, 33 44").map(|chunk| chunk.map(|chunk| chunk.text)).collect();
    assert_eq!(texts[0].as_deref(), Ok("[11,22]"));
    assert!(texts[1].is_err() && texts.len() == 2);
    assert!(stream.push("]").next().unwrap().is_err());
    assert!(stream.finish().next().unwrap().is_err());
}

type Measure = fn(&str) -> usize;

/// Whether all texts have a size of no more than this.
type Fits = fn(usize) -> bool;

/// What a measure that makes no sense does: no chunk is larger than it may be, there is an end, and where the whole
/// text fits, or every part of it, the chunks join to it.
#[test]
fn measures_that_make_no_sense() {
    let text = r#"{"a": [1, 2, {"b": "some text that is longer", "c": []}], "d": {"e": null, "f": [true, false]}}"#;
    let measures: [(Measure, Fits); 5] = [
        (|_| 0, |_| true),
        (|_| 7, |max| max >= 7),
        (|_| usize::MAX, |max| max == usize::MAX),
        (|text| 100_usize.saturating_sub(text.len()), |max| max >= 100),
        (|text| text.bytes().map(usize::from).sum::<usize>() % 31, |max| max >= 30),
    ];
    for (measure, fits) in measures {
        for max in [0, 1, 5, 7, 20, 100, usize::MAX] {
            for min in [0, 10, usize::MAX] {
                let splitter = Splitter::new(max).min(min).cut_strings(Boundary::Word).measured_by(measure);
                let found: Vec<_> = splitter.split(text).take(1000).collect();
                assert!(found.len() < 1000);
                assert!(found.iter().flatten().all(|chunk| measure(&chunk.text) <= max));
                let chunks: Result<Vec<_>, _> = found.into_iter().collect();
                if fits(max) {
                    // Nothing is ever too large.
                    let chunks = chunks.unwrap();
                    assert_eq!((chunks.len(), &*chunks[0].text), (1, &*minify(text)));
                } else if let Ok(chunks) = chunks {
                    assert_eq!(join(&chunks).unwrap(), minify(text));
                }
            }
        }
    }
}

/// What a measure of the user's is asked does not grow with the document, nor, by much, with the chunk.
#[test]
fn a_measure_is_asked_some_ten_times_a_chunk() {
    let record =
        r#"{"id": 12345, "name": "Ada Lovelace", "tags": ["one", "two"], "note": "some words, and some more"}"#;
    for (records, max) in [(1_000, 100), (4_000, 100), (4_000, 1_000), (4_000, 10_000)] {
        let text = format!("[{}]", vec![record; records].join(","));
        let asked = Arc::new(Mutex::new((0_usize, 0_usize)));
        let counted = asked.clone();
        let splitter = Splitter::new(max).min(max / 2).cut_strings(Boundary::Word).measured_by(move |text| {
            let mut asked = counted.lock().unwrap();
            *asked = (asked.0 + 1, asked.1 + text.len());
            text.len() / 4
        });
        let chunks = split(&splitter, &text).unwrap();
        let (times, bytes) = *asked.lock().unwrap();
        assert!(times < 30 * chunks.len(), "{times} times for {} chunks of {max}", chunks.len());
        assert!(bytes < 40 * text.len(), "{bytes} bytes for {} of {max}", text.len());
    }
}
