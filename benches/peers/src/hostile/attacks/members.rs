//! What stands between values: commas, colons, brackets, comments.

use super::{far, times};
use crate::attack::{Attack, again};

pub fn all() -> Vec<Attack> {
    [signs(), closers(), containers(), blanks()].into_iter().flatten().collect()
}

fn signs() -> Vec<Attack> {
    vec![
        again("commas in an array", "commas too many", "[1", ","),
        again("commas in an object", "commas too many", "{\"a\": 1", ","),
        again("colons where a value belongs", "text that is skipped", "{\"a\"", ":"),
        again("colons where a comma belongs", "text that is skipped", "{\"a\": 1", ":"),
        again("semicolons", "a semicolon for a comma", "[1", ";"),
        again("arrows", "another sign for a colon", "{", "\"a\" => 1, "),
        again("equal signs", "another sign for a colon", "{\"a\"", "="),
        again("values without commas", "commas that are missing", "[", "1 \"a\" {} "),
        again("members without commas", "commas that are missing", "{", "\"a\": 1 \"b\": [] "),
        again("words where a comma belongs", "a key, or text that is skipped", "{\"a\": []", " oops"),
        again("long words where a comma belongs", "the same, to the bound", "{\"a\": []", far(" ", "o", "")),
        again("blanks before words where a comma belongs", "the same behind blanks", "{\"a\": []", far(" x", " ", "")),
        again("words where a comma belongs in an array", "the same in an array", "[[]", " oops y"),
        again("keys without values", "a value that is missing", "{", "\"a\": , "),
        again("full-width signs", "signs that stand for others", "［１", "，｛＂ａ＂：１｝"),
        again("full-width brackets", "signs that stand for others", "[", "【】，"),
    ]
}

fn closers() -> Vec<Attack> {
    vec![
        again("closers that close nothing", "closers too many", "{\"a\": 1", "]"),
        again("parentheses that close nothing", "closers too many", "{\"a\": 1", ")"),
        again("closers that close the wrong bracket", "what follows decides", "{\"a\": [1", "}, 1"),
        again("wrong closers before long words", "the same, to the bound", "{\"a\": [[1]", far("}, ", "x", ": ")),
        again("wrong closers before comments", "the same, what is behind is nothing", "{\"a\": [[1]", "}#\n"),
        again("arrays closed by braces", "each closes what it does not fit", "[", "[1}, "),
        again("objects that are not closed", "a brace that is missing", "[", "{\"a\": 1, "),
        again("500 objects and wrong closers", "what is open is looked through", times("{\"a\":", 500), "]"),
        again("500 arrays and wrong closers", "what is open is looked through", times("[", 500), "}"),
        again("brackets opened, and the outer one closed", "closed through", "{\"a\": [", "[[[}]"),
    ]
}

fn containers() -> Vec<Attack> {
    vec![
        again("brackets where a key belongs", "a container that is skipped", "{\"a\": 1, ", "["),
        again("brackets before long keys", "the same, to the bound", "{\"a\": 1, ", far("[\"", "k", "\" ")),
        again("brackets before keys", "a bracket alone before a key", "{\"a\": 1, ", "[\"b\": "),
        again("brackets with quotes where a key belongs", "strings in what is skipped", "{\"a\": 1, [", "\"]\\\""),
        again("braces where a key belongs", "braces that are repeated", "{\"a\": 1, ", "{"),
        again("braces in braces", "the same, around objects", "{", "{\"a\": {"),
        again("sets", "values without keys in braces", "[", "{\"a\", \"b\"}, "),
        again("tuples", "arrays in parentheses", "[", "(1, 2), "),
        again("parentheses", "tuples in tuples", "[", "("),
        again("tuples in tuples, closed", "what a closer closes", "[", "((1)), "),
        again("members in an array", "a brace that is missing", "[", "1, \"a\": 2, "),
    ]
}

fn blanks() -> Vec<Attack> {
    vec![
        again("blanks in an array", "blanks behind a number", "[1", " "),
        again("blanks behind a string", "blanks, to the bound", "{\"a\": [{\"t\": \"abc\"", " "),
        again("line comments", "comments", "[1", "//\n"),
        again("block comments", "comments", "[", "/**/"),
        again("a block comment without end", "comments", "[1 /*", " *"),
        again("slashes", "half a comment", "[1", "/ "),
        again("slashes and nothing else", "comments without end", "[1, ", "/"),
        again("number signs", "comments", "[1", "#\n"),
        again("comments before a key", "comments where a key belongs", "{", "/*x*/ "),
        again("comments and commas", "comments and commas too many", "[1", "/**/,"),
        again("points", "an ellipsis", "[1, ", "."),
        again("ellipses and commas", "ellipses", "[1, ", "..., "),
        again("spaces that JSON does not have", "special white space", "[1", "\u{a0}"),
        again("escaped blanks between values", "white space that is escaped", "[1", "\\n"),
    ]
}
