//! Documents that were escaped or quoted as a whole: each reads as the document within, with all at its place.

use crate::common::ENDS;
use crate::common::layers::{Layer, reads_alike};

#[test]
fn all_is_where_it_is_within() {
    for text in [
        // An open string whose closers are missing, or pair with brackets in the text.
        "{\"a\": {\"b\": \"x\n}\n}",
        "{\"a\": [\"{x}\n]\n}\n",
        "{\"a\": \"b/,\n \"c\": 1}",
        "{\"a\": [\"b,\n\"c\"]}",
        "{\"a\": \"C:\\dir\\\", \"b\": 1}",
        // Sets, keys that end elsewhere.
        "{\"a\", \"b\"}",
        "{\"a: 1\n}",
        "{\"a:{\"b\"\"{",
        "{\"a: {\"b\": 2}}",
        // Quotes that are doubled, or of another kind.
        "{\"a\"\"}",
        "{\"a\"\"\": 1}",
        "{\"a\": \"b\"\", \"c\": 1}",
        "{\"a\": \"\"b\"\", \"c\": f\"d\"}",
        "{\"a\"'\"}\"",
        "{\"a\"”\"",
        "{\"a\": \"say \"hi\"/\"ho\" now\", \"b\": 1}",
        "{\"a\": \"b\" + \"c\"\n+\"d\"}",
        // What is directly before a pair.
        "{\"a\":2\"b\"",
        "{\"a\":[1\n, true\n, 2\n}",
        "{\"a\"=>1, \"b\" =\\\"",
        "{\"a\":c\"d\":5\\",
        "{\"a\": (1\n}",
        // Comments, tags, stray words.
        "{\"a\": 1, // x\n/* y */ \"b\": 2 # z\n}",
        "{\"a\":</x>\n",
        "{\"a\": 1 \"x\" y/z \"b\": 2}",
        // Full-width signs, before what is held.
        "{\"a\"：［\"b\"，\"c\"］｝",
        "{\"a\": 1，\"b\": [2｝",
        "{\"a\": （\"x\"）， \"b\":【\"y\"\n】}",
        // An element that may be a key, of just the length that is held.
        "{\"a\": [1, \"////////////////////////////////////////////////////////////////\": 2}",
        "{\"a\": [1, \"//////////////////////////////////////////////////////////////\": 2}",
        // A set with a string of another kind than its first.
        "{\"a{}, \",\\\"}\"]",
        // White space that is read again, with what is skipped in it.
        "{\"k\": 1, \"a: \"\n\u{a0}\n\u{a0}\t/* é */\tb\"}",
        // Arrays, of which the first element shows it.
        "[\"a\", \"b\"]",
        "[\"a\"]",
        "[\"\", \"\"]",
        "[\"a, \"b\"]\n",
        "[\"say \"hi\"\", \"C:\\dir\\\", 1]",
        "[\"a\", {\"b\": [2,\n\"c\"]}, \"d\": 1]",
        "[\"a\" \"b\"\n\"c\"",
        "[\"a\"\"b\"\", '\"']}",
        // Half of a pair, a number that is text, a name that came before.
        "{\"a\": \"\\ud83d\n\", \"b\": 1/2, \"a\": [\"x\"\n]}",
    ] {
        let places = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
        for (inner, layer) in places.flat_map(|at| [Layer::Escaped, Layer::Doubled].map(|layer| (&text[..at], layer))) {
            for (end, bytewise) in ENDS.iter().flat_map(|end| [false, true].map(|bytewise| (*end, bytewise))) {
                let read = reads_alike(inner.as_bytes(), layer, bytewise, end);
                assert_eq!(read, Ok(()), "{inner:?}, {end:?}, byte by byte: {bytewise}");
            }
        }
    }
}
