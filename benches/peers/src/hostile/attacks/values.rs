//! Values and keys without quotes, numbers, escapes.

use super::{FAR, far, times};
use crate::attack::{Attack, again};

pub fn all() -> Vec<Attack> {
    [bare(), numbers(), escapes(), layers()].into_iter().flatten().collect()
}

fn bare() -> Vec<Attack> {
    vec![
        again("words in an array", "strings without quotes", "[", "word "),
        again("lines in an array", "a line ends an element", "[", "a b\n"),
        again("commas in a value without quotes", "is it a comma?", "{a: b", ",b"),
        again("line breaks in a value without quotes", "does the line end it?", "{a: b", "\nb"),
        again(
            "200 line breaks and words",
            "each is asked about, all the same",
            "{a: b",
            format!("{}x y z", times("\n", 200)),
        ),
        again(
            "line breaks and comments",
            "what is behind each is nothing",
            "{a: b",
            format!("{}x y z", times("\n#", 100)),
        ),
        again("line breaks before a long word", "each is looked behind to the bound", "{a: b", far("\n", "x", "")),
        again("number signs in a value without quotes", "a comment, or text", "{a: b", " #"),
        again("slashes in a value without quotes", "a comment, or text", "{a: b", " /"),
        again("brackets in a value without quotes", "brackets that pair", "{a: b", "(["),
        again("quotes in a value without quotes", "the start of a key, or text", "{a: b", " \"c"),
        again("quotes and comments in a value without quotes", "what is behind each is nothing", "{a: b", " \"#"),
        again("single quotes in a value without quotes", "the closing quote of one", "[b", "' c"),
        again("keys without quotes", "a key, and the next", "{", "a: b\n"),
        again("keys without colons or quotes", "a key of many words", "{", "a b "),
        again("quotes in keys without quotes", "the closing quote of a key", "{", "a\" b "),
        again("long keys without quotes", "a key that is held", "{\"a\": 1", far(", ", "k", " x")),
        again("calls in calls", "a word and a parenthesis", "[", "f("),
        again("calls and nothing in them", "the same, closed", "[", "f(),"),
        again("two calls in turn", "the same", "[f(", "g("),
        again("long names before parentheses", "a name that is too long", "[", far("", "f", "(")),
        again("closers in 500 calls", "what a closer closes", format!("[{}", times("f(", 500)), "}"),
        again("parentheses in 500 calls", "the same, of the other kind", format!("{{\"a\":{}", times("f(", 500)), "]"),
        again("keywords of other languages", "words that stand for others", "[", "True, None, NaN, "),
        again("half keywords", "words that are none", "[", "tru, nul, "),
        again("one long word", "a string without quotes", "[", "word"),
    ]
}

fn numbers() -> Vec<Attack> {
    vec![
        again("digits without end", "a number", "[", "1234567890"),
        again("digits without end, in strict", "a number", "[", "1234567890").strict(),
        again("exponents without end", "a number", "[1e", "1234567890"),
        again("digits behind a zero", "what begins like a number", "[0", "1234567890"),
        again("signs", "what begins like a number", "[", "-"),
        again("hexadecimal digits without end", "another spelling, too long", "[0x", "1234567890abcdef"),
        again("digits in groups without end", "another spelling, too long", "[1", "_000"),
        again("numbers of 64 bytes in other spellings", "another spelling", "[", format!("+{}.5, ", times("1_", 29))),
        again("numbers with commas in them", "a comma that groups digits", "[", "1,234 "),
        again("commas and digits in an object", "is it the next member?", "{\"a\": 1", ",1"),
        again("numbers before words", "a number, or text", "[", "10 MB "),
        again(
            "numbers before blanks and words",
            "the same, to the bound",
            "{\"a\": 1",
            format!("{}b: 1", times(" ", FAR)),
        ),
        again("points between digits", "a number that is text", "[", "1.2.3, "),
        again("numbers that end in an exponent", "the longest valid prefix", "[", "1e, 1., -, "),
    ]
}

fn escapes() -> Vec<Attack> {
    vec![
        again("backslashes", "escapes", "{\"a\": \"", "\\"),
        again("backslashes before a letter that makes none", "escapes that are none", "{\"a\": \"", "\\q_"),
        again("high surrogates alone", "pairs of escapes", "{\"a\": \"", "\\ud83d"),
        again("low surrogates alone", "pairs of escapes", "{\"a\": \"", "\\ude00"),
        again("surrogates the wrong way round", "pairs of escapes", "{\"a\": \"", "\\ude00\\ud83d"),
        again("high surrogates and text", "pairs of escapes", "{\"a\": \"", "\\ud83dx"),
        again("half escapes", "escapes that are none", "{\"a\": \"", "\\u12"),
        again("half escapes in a key", "the same in a key", "{\"a", "\\u12"),
        again("control characters", "raw ones are kept", "{\"a\": \"", "\u{1}"),
        again("bytes that are no UTF-8, in a string", "bytes that are replaced", "{\"a\": \"", [0xFF]),
        again("bytes that are no UTF-8, in a key", "the same in a key", "{\"a", [0xFF]),
        again("half characters", "the first half of one, again and again", "{\"a\": \"", [0xF0, 0x9F]),
        again("bytes that are no UTF-8, between values", "the same where they are nothing", "[", [b'1', b',', 0xFF]),
        again(
            "bytes that are no UTF-8, behind held quotes",
            "what is held is released",
            "{\"a\": \"x",
            [b'"', b' ', 0xFF],
        ),
        again("escapes for everything", "each character is another spelling", "{\"a\": \"", "\\u0041"),
    ]
}

fn layers() -> Vec<Attack> {
    vec![
        again("a document that is escaped", "a layer that reads `\\\"` as `\"`", "{\\\"a\\\": [", "\\\"b\\\", "),
        again("quotes in an escaped document", "inner quotes through the layer", "{\\\"a\\\": ", "\\\"b"),
        again("backslashes in an escaped document", "half a pair, again and again", "{\\\"a\\\": \\\"", "\\\\"),
        again("a document whose quotes are doubled", "the other layer", "{\"\"a\"\": [", "\"\"b\"\", "),
        again(
            "quotes in a document whose quotes are doubled",
            "inner quotes through the layer",
            "{\"\"a\"\": ",
            "\"\"b",
        ),
        again("escaped openers", "a root that is escaped, or not", "", "{\\\" "),
        again("a document in a string, without end", "a string that is read as JSON", "\"{\\\"a\\\": [", "1,")
            .arguments(),
        again("strings of documents", "the same, closed", "", "\"{\\\"a\\\": 1}\" ").arguments(),
    ]
}
