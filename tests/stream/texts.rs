//! JSON texts on lines and in arrays: where they are cut out of their stream.

use jsonrill::{JsonArrayDecoder, NdjsonDecoder};
use proptest::prelude::*;

use crate::common::chunks::{chunking, two_way_splits};
use crate::common::config;

fn lines<'c>(chunks: impl IntoIterator<Item = &'c [u8]>, limit: usize) -> (Vec<String>, Option<String>) {
    let mut decoder = NdjsonDecoder::with_limit(limit);
    let mut texts = Vec::new();
    for chunk in chunks {
        texts.extend(decoder.push(chunk).map(|text| text.map_or_else(|error| error.to_string(), Into::into)));
    }
    (texts, decoder.finish())
}

fn elements<'c>(chunks: impl IntoIterator<Item = &'c [u8]>, limit: usize) -> (Vec<String>, bool, Option<String>) {
    let mut decoder = JsonArrayDecoder::with_limit(limit);
    let mut texts = Vec::new();
    for chunk in chunks {
        texts.extend(decoder.push(chunk).map(|text| text.map_or_else(|error| error.to_string(), Into::into)));
    }
    (texts, decoder.is_closed(), decoder.finish())
}

fn check_lines(stream: &str, texts: &[&str], rest: Option<&str>) {
    for split in
        two_way_splits(stream.as_bytes()).map(|split| split.to_vec()).chain([stream.as_bytes().chunks(1).collect()])
    {
        let (found, left) = lines(split, usize::MAX);
        assert_eq!(found, texts, "{stream}");
        assert_eq!(left.as_deref(), rest, "{stream}");
    }
}

fn check_elements(stream: &str, texts: &[&str], closed: bool, rest: Option<&str>) {
    for split in
        two_way_splits(stream.as_bytes()).map(|split| split.to_vec()).chain([stream.as_bytes().chunks(1).collect()])
    {
        let (found, is_closed, left) = elements(split, usize::MAX);
        assert_eq!(found, texts, "{stream}");
        assert_eq!((is_closed, left.as_deref()), (closed, rest), "{stream}");
    }
}

#[test]
fn lines_of_all_kinds() {
    check_lines(
        "{\"a\":1}\n{\"b\":\"}{\\\"\\n\"}\r\n\n[1,2]\n",
        &["{\"a\":1}", "{\"b\":\"}{\\\"\\n\"}", "[1,2]"],
        None,
    );
    check_lines("\u{feff}1\n\"a b\" \n null\nx y\n", &["1", "\"a b\"", "null", "x y"], None);
    check_lines("{}{}[]", &["{}", "{}", "[]"], None);
    check_lines("{\"a\":\n  [1,\n   {\"b\": 2}]\n}\n{", &["{\"a\":\n  [1,\n   {\"b\": 2}]\n}"], Some("{"));
    check_lines("12", &[], Some("12"));
    check_lines("ï»¿", &[], Some("ï»¿"));
}

#[test]
fn a_broken_line_is_given_as_it_is_and_the_next_is_read() {
    check_lines("{\"a\":\"cut\n{\"b\":2}\n", &["{\"a\":\"cut", "{\"b\":2}"], None);
    check_lines("{\"a\":[1, 2\n{\"b\":2}\n", &["{\"a\":[1, 2", "{\"b\":2}"], None);
    // An object may stand there, so one line is lost with it.
    check_lines("{\"a\":[1,\n{\"b\":2}\n{\"c\":3}\n", &["{\"a\":[1,\n{\"b\":2}", "{\"c\":3}"], None);
    check_lines("oops\n{\"b\":2}}\n{\"c\":3}\n", &["oops", "{\"b\":2}", "}", "{\"c\":3}"], None);
}

#[test]
fn elements_of_all_kinds() {
    let stream = "\u{feff} [{\"a\": [1, \"]\"]}\n,\r\n[2,3] ,4,\"x, ]\",null]\n";
    check_elements(stream, &["{\"a\": [1, \"]\"]}", "[2,3]", "4", "\"x, ]\"", "null"], true, None);
    check_elements("[]", &[], true, None);
    check_elements("[{\"a\":1}", &["{\"a\":1}"], false, None);
    check_elements("[{\"a\":1},{\"b", &["{\"a\":1}"], false, Some("{\"b"));
    // An error in place of the array.
    check_elements("{\"error\": {\"code\": 1}}", &["{\"error\": {\"code\": 1}}"], true, None);
    check_elements("[1][2]", &["1", "2"], true, None);
}

#[test]
fn limits_hold_to_the_byte() {
    let stream = b"{\"a\":12}\n{\"a\":123}\n{\"a\":45}\n";
    let expected = ["{\"a\":12}", "the event at byte 9 is longer than the limit of 8 bytes", "{\"a\":45}"];
    for split in two_way_splits(stream) {
        assert_eq!(lines(split, 8).0, expected);
    }
    assert_eq!(lines(stream.chunks(1), 8).0, expected);
    assert_eq!(elements(b"[1234,5]".chunks(1), 3).0, ["the event at byte 1 is longer than the limit of 3 bytes", "5"]);
}

/// Bytes that matter to the decoders, and some that do not.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => prop::sample::select(&b"{}[]\",:\\\n\r 1a"[..]).prop_map(|byte| vec![byte]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        2 => Just(b"{\"a\":\"b\"}".to_vec()),
        1 => Just(b"\xEF\xBB\xBF".to_vec()),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Blanks and what stands between texts are all that is not given.
fn is_all_there(stream: &[u8], texts: &[String], between: &[char]) {
    let kept = |text: &str| text.replace(|c: char| c.is_ascii_whitespace() || between.contains(&c), "");
    let whole = String::from_utf8_lossy(stream).into_owned();
    let whole = whole.strip_prefix('\u{feff}').unwrap_or(&whole);
    let given: String = texts.iter().map(|text| kept(text)).collect();
    assert_eq!(given, kept(whole));
}

proptest! {
    #![proptest_config(config(1024))]

    #[test]
    fn nothing_of_lines_is_lost_and_cuts_do_not_matter(stream in stream(), cut in chunking(), limit in 0..9_usize) {
        let whole = lines([stream.as_slice()], usize::MAX);
        prop_assert_eq!(&lines(cut.cut(&stream), usize::MAX), &whole);
        prop_assert_eq!(lines(cut.cut(&stream), limit), lines([stream.as_slice()], limit));
        // Half characters at the cut between two texts become two signs.
        if std::str::from_utf8(&stream).is_ok() {
            let texts: Vec<_> = whole.0.into_iter().chain(whole.1).collect();
            is_all_there(&stream, &texts, &[]);
        }
    }

    #[test]
    fn nothing_of_elements_is_lost_and_cuts_do_not_matter(stream in stream(), cut in chunking(), limit in 0..9_usize) {
        let whole = elements([stream.as_slice()], usize::MAX);
        prop_assert_eq!(&elements(cut.cut(&stream), usize::MAX), &whole);
        prop_assert_eq!(elements(cut.cut(&stream), limit), elements([stream.as_slice()], limit));
        if std::str::from_utf8(&stream).is_ok() {
            let texts: Vec<_> = whole.0.into_iter().chain(whole.2).collect();
            is_all_there(&stream, &texts, &['[', ']', ',']);
        }
    }

    #[test]
    fn valid_documents_are_cut_where_they_end(
        documents in prop::collection::vec(crate::common::generate::containers(crate::common::generate::ANY_VALID), 0..5),
        cut in chunking(),
    ) {
        let texts: Vec<String> = documents;
        let array = format!("[{}]", texts.join(" ,\n"));
        let (found, closed, rest) = elements(cut.cut(array.as_bytes()), usize::MAX);
        prop_assert_eq!((&found, closed, rest), (&texts, true, None));
    }
}
