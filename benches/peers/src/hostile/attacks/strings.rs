//! Where strings and keys end.

use super::{far, times};
use crate::attack::{Attack, again};

pub fn all() -> Vec<Attack> {
    [quotes(), ends(), keys(), tails()].into_iter().flatten().collect()
}

/// Quotes that may close a string.
fn quotes() -> Vec<Attack> {
    vec![
        again("quotes and nothing else", "the first key or value", "", "\""),
        again("quotes behind an opened object", "two quotes directly behind each other", "{\"a\": ", "\""),
        again("two quotes again and again in a string", "doubled quotes", "{\"a\": \"x", "\"\" "),
        again("two quotes and a letter in a string", "doubled quotes, one of them text", "{\"a\": \"x", "\"\"y"),
        again("quotes with a letter between", "inner quotes", "{\"a\": \"x", "\"y"),
        again("quotes before words", "inner quotes: is it a missing comma?", "{\"a\": \"x", " \"y"),
        again("quotes before words in an array", "the same in an array", "[\"x", " \"y"),
        again(
            "quotes before long words",
            "inner quotes, looked behind to the bound",
            "{\"a\": \"x",
            far("\" ", "y", ""),
        ),
        again(
            "quotes before what begins a comment",
            "what is behind each is nothing, to the bound",
            "{\"a\": \"x",
            "\"#",
        ),
        again("quotes before `/*`", "the same with a comment that does not end", "{\"a\": \"x", "\"/*"),
        again("quotes before `/*` in an array", "the same in an array", "[\"x", "\" /*"),
        again("quotes before closers that close nothing", "closers behind a quote", "[\"x", far("\"", "}", "z")),
        again("quotes before half a member", "`\"key` without its colon", "{\"a\": \"x", "\" \"key\" y"),
        again("quotes before a plus", "strings that are not joined", "{\"a\": \"x", "\" + y"),
        again("quotes before a semicolon", "a semicolon for a comma", "{\"a\": \"x", "\" ; ] y"),
        again("quotes before a full-width comma", "a full-width comma in a string", "{\"a\": \"x", "\" ，\"b\" y"),
        again("quotes before white space", "blanks behind a quote, to the bound", "{\"a\": \"x", far("\"", " ", "y")),
        again("`'` and `\"` in turn", "which quote began the string", "{\"a\": ", "\"'"),
        again("quotes of all kinds", "other quotes, mixed", "{\"a\": ", "\"'`“”‘’«»„´＂"),
        again("typographic quotes in an array", "other quotes, opened and never closed", "[“a", "„b"),
        again("three quotes", "`\"\"\"`", "{\"a\": ", "\"\"\""),
        again("two of three quotes", "marks of a string in three quotes", "{\"a\": \"\"\"x", "\"\"y"),
        again("apostrophes", "an apostrophe in a word, or the end", "{'a': 'b", "'c"),
        again("apostrophes behind blanks", "a quote that opens a pair", "{'a': '", "b'c "),
        again("back-ticks in an array", "a quote, or a fence", "[`a", "`b"),
        again("letters before quotes", "`f\"…\"`", "[", "f'x' r\"y\" "),
        again("strings joined", "`\"a\" + \"b\"`", "[\"a\"", " + \"b\""),
        again("pluses behind a string", "strings that are not joined", "[\"a\"", " +"),
    ]
}

/// A string that has inner quotes, and commas or closers behind them.
fn ends() -> Vec<Attack> {
    vec![
        again("a comma behind each inner quote", "a string that has become patient", "{\"a\": \"x \"y\" z", "\", b"),
        again(
            "a comma and half a member",
            "the same, looked behind to the bound",
            "{\"a\": \"x \"y\" z",
            far("\", ", "k", "\""),
        ),
        again("a comma behind each inner quote, in an array", "the same in an array", "[\"x \"y\" z", "\", b"),
        again("a comma and a comment behind each", "what is behind each is nothing", "{\"a\": \"x \"y\" z", "\",#"),
        again("JSON in a string, its quotes not escaped", "brackets in the text are counted", "{\"a\": \"{", "\"}"),
        again("objects in a string, closed in turn", "the same, opened again", "{\"a\": \"{ \"b\" ", "\"} {\" "),
        again("a comma in JSON in a string", "the same", "{\"a\": \"{ \"b\" ", "\", \"c\": "),
        again(
            "closers behind inner quotes",
            "closers that pair with brackets in the text",
            far("{\"a\": \"{ \"b\" ", "[", ""),
            "\" ]",
        ),
    ]
}

fn keys() -> Vec<Attack> {
    vec![
        again("quotes in a key", "where a key ends", "{\"a\"", " b\""),
        again("quotes in keys with values", "a key without its colon", "{", "\"a\" 1 "),
        again("keys without colons", "a key, or a member of a set", "{", "\"a\" "),
        again("quotes in a key before comments", "what is behind each is nothing", "{\"a\": 1, \"k", "\"#"),
        again("keys that lack their closing quote", "a colon in a key", "{", "\"key: 1, "),
        again(
            "colons and quotes in keys of 250 bytes",
            "colons in a key, each looked behind",
            "{\"a\": 1",
            format!(", \"{}\": 1", times("k:x\"", 60)),
        ),
        again("a key of quotes and colons", "the same in one key", "{\"a\": 1, \"k", ":\"x"),
        again("strings that may be keys", "a string element that is held", "[", format!("1, \"{}\" x", times("k", 60))),
        again("short strings behind numbers", "the same, short", "[", "1, \"k\", "),
        again("a key and blanks", "blanks behind a key", "{\"a\": 1, \"key\"", far("", " ", "x")),
    ]
}

/// Text at the end of a string that may be structure.
fn tails() -> Vec<Attack> {
    vec![
        again("commas in a string", "a tail, hidden and shown", "{\"a\": \"x", ", "),
        again("closers in a string", "a tail of closers", "{\"a\": \"x", "}"),
        again("openers in a string", "a tail of openers", "{\"a\": \"x", ",{"),
        again("line breaks in a string", "a tail of blanks", "{\"a\": \"x", "\n"),
        again("a word and 250 closers in a string", "a tail at its bound", "{\"a\": \"x", far("y", "}", "")),
        again("a comma and a quote in a string", "the missing quote before a key", "{\"a\": \"x", ", \"y"),
        again("closers, a comma and a quote in a string", "the same behind closers", "{\"a\": \"x", "}, \"b"),
        again("a comma, a line break and a quote", "the missing quote before an element", "[\"x", ",\n\"y z\" w"),
        again(
            "a comma and a long word in quotes",
            "a key that is none, at the bound",
            "{\"a\": \"x",
            far(", \"", "k", "\" y"),
        ),
        again("a comma, a key and no value", "a key and colon without a value", "{\"a\": \"x", ", \"key\": y\" "),
        again("members that lack their closing quote", "the missing quote, found", "{\"a\": \"x", ", \"b\": \"y"),
        again("elements that lack their closing quote", "the same in an array", "[\"a", "\", \"b"),
        again("escaped quotes before commas", "`\"C:\\dir\\\"`", "{\"a\": \"x", "\\\", "),
        again("escaped quotes before members", "the same, found", "{\"a\": \"x", "\\\", \"b\": \"y"),
        again("curly quotes before commas", "a quote of another kind that closes", "{\"a\": \"x", "”, "),
    ]
}
