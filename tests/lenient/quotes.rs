//! Quotes: which one closes, which is text, and what happens where one is missing, doubled, or another sign.

use crate::common::rows::{Row, check, row};

/// A quote that is followed by anything but `,` or a closer is text.
const INNER: &[Row] = &[
    row(r#"{"tv": "a 65" screen"}"#, r#"{"tv":"a 65\" screen"}"#, "inner_quote"),
    row(r#"{"tv": "about 12" wide", "n": 1}"#, r#"{"tv":"about 12\" wide","n":1}"#, "inner_quote"),
    row(r#"{"said": "he said "yes" twice"}"#, r#"{"said":"he said \"yes\" twice"}"#, "inner_quote inner_quote"),
    row(
        r#"{"said": "the "end". Then more", "n": [1]}"#,
        r#"{"said":"the \"end\". Then more","n":[1]}"#,
        "inner_quote inner_quote",
    ),
    row(r#"{"k": "x"yz"w"}"#, r#"{"k":"x\"yz\"w"}"#, "inner_quote inner_quote"),
    row(r#"["so "they" say", "ok"]"#, r#"["so \"they\" say","ok"]"#, "inner_quote inner_quote"),
    row(
        r#"{"l": ["one "two" three", 4, {"a": "b"c"}]}"#,
        r#"{"l":["one \"two\" three",4,{"a":"b\"c"}]}"#,
        "inner_quote inner_quote inner_quote",
    ),
    // Between `"cons" BOGUS"` and `32" display"`, the same shape, inner quotes win.
    row(r#"{"a": "cons" BOGUS", "b": 1}"#, r#"{"a":"cons\" BOGUS","b":1}"#, "inner_quote"),
    row(
        "{\"html\": \"<a href=\"x.html\">go</a>\", \"n\": 1}",
        r#"{"html":"<a href=\"x.html\">go</a>","n":1}"#,
        "inner_quote inner_quote",
    ),
    row("{\"a\": \"日本\"語\"です\"}", r#"{"a":"日本\"語\"です"}"#, "inner_quote inner_quote"),
];

/// A string that has one is patient: a comma after a quote closes it only before a whole `"…":`, or, in an array,
/// before a whole value.
const PATIENT: &[Row] = &[
    row(
        r#"{"t": "the "a", "b" and "c" parts", "n": 2}"#,
        r#"{"t":"the \"a\", \"b\" and \"c\" parts","n":2}"#,
        "inner_quote inner_quote inner_quote inner_quote inner_quote inner_quote",
    ),
    row(
        r#"{"t": "call it "x", then stop.", "n": 2}"#,
        r#"{"t":"call it \"x\", then stop.","n":2}"#,
        "inner_quote inner_quote",
    ),
    row(r#"{"t": "it is "x", y", "n" : 2}"#, r#"{"t":"it is \"x\", y","n":2}"#, "inner_quote inner_quote"),
    row(r#"{"t": "it is "x" y" , "n": "z"}"#, r#"{"t":"it is \"x\" y","n":"z"}"#, "inner_quote inner_quote"),
    row(r#"["an "x" here", 1, "y"]"#, r#"["an \"x\" here",1,"y"]"#, "inner_quote inner_quote"),
    row(r#"["an "x" here", {"a": 1}, []]"#, r#"["an \"x\" here",{"a":1},[]]"#, "inner_quote inner_quote"),
    row(r#"["the "x", as it were", "z"]"#, r#"["the \"x\", as it were","z"]"#, "inner_quote inner_quote"),
    // A closer needs no patience.
    row(r#"{"o": {"t": "say "x" now"}, "n": 1}"#, r#"{"o":{"t":"say \"x\" now"},"n":1}"#, "inner_quote inner_quote"),
];

/// Of two quotes the first is text where one is open inside, else one is dropped.
const DOUBLED: &[Row] = &[
    row(
        r#"{"n": "The "Big" O"Neil"", "k": 2}"#,
        r#"{"n":"The \"Big\" O\"Neil\"","k":2}"#,
        "inner_quote inner_quote inner_quote inner_quote",
    ),
    row(r#"{"n": "say "hi""}"#, r#"{"n":"say \"hi\""}"#, "inner_quote inner_quote"),
    row(r#"["say "hi"", 1]"#, r#"["say \"hi\"",1]"#, "inner_quote inner_quote"),
    row(r#"{"n": "x"", "k": 2}"#, r#"{"n":"x","k":2}"#, "doubled_quote"),
    row(
        r#"{"n": "say "hi" now"", "k": 2}"#,
        r#"{"n":"say \"hi\" now","k":2}"#,
        "inner_quote inner_quote doubled_quote",
    ),
    row(r#"{"n": ""x""}"#, r#"{"n":"x"}"#, "doubled_quote doubled_quote"),
    row(
        r#"{"n": ""two words"", "k": ""y""}"#,
        r#"{"n":"two words","k":"y"}"#,
        "doubled_quote doubled_quote doubled_quote doubled_quote",
    ),
    row(r#"[""x"", ""y""]"#, r#"["x","y"]"#, "doubled_quote doubled_quote doubled_quote doubled_quote"),
    row(r#"{"a": 1, ""k"": 2}"#, r#"{"a":1,"k":2}"#, "doubled_quote doubled_quote"),
];

/// What ends a string without its quote: `, "key":` and the begin of a value.
const MISSING_AT_THE_END: &[Row] = &[
    row(r#"{"a": "one, "b": 2}"#, r#"{"a":"one","b":2}"#, "missing_quote"),
    row(r#"{"a": "one, two, "b": "x"}"#, r#"{"a":"one, two","b":"x"}"#, "missing_quote"),
    row(r#"{"a": "one , "b" : [2], "c": 3}"#, r#"{"a":"one ","b":[2],"c":3}"#, "missing_quote"),
    row(
        "{\n  \"a\": \"one,\n  \"b\": \"two\",\n  \"c\": \"3\"\n}",
        r#"{"a":"one","b":"two","c":"3"}"#,
        "missing_quote",
    ),
    row("{\"a\": \"one\n, \"b\": {\"c\": 2}}", "{\"a\":\"one\",\"b\":{\"c\":2}}", "missing_quote"),
    row(r#"{"o": {"a": "x}, "b": 1}"#, r#"{"o":{"a":"x"},"b":1}"#, "missing_quote"),
    row(r#"{"o": {"l": ["x]}, "b": true}"#, r#"{"o":{"l":["x"]},"b":true}"#, "missing_quote"),
    row(r#"{"a": "one, "b": "two, "c": 3}"#, r#"{"a":"one","b":"two","c":3}"#, "missing_quote missing_quote"),
    // The end of the text gives the closers back to the structure.
    row(r#"{"a": 1, "b": "two}"#, r#"{"a":1,"b":"two"}"#, "missing_quote"),
    row(
        r#"{"t": [{"s": "00:01", "e": "00:02"}, {"s": "00:03", "e": "00:04}]}"#,
        r#"{"t":[{"s":"00:01","e":"00:02"},{"s":"00:03","e":"00:04"}]}"#,
        "missing_quote",
    ),
    row(r#"{"f": "run", "p": ["A(1)", "B(2)]}"#, r#"{"f":"run","p":["A(1)","B(2)"]}"#, "missing_quote"),
];

/// What only looks like it.
const NOT_MISSING: &[Row] = &[
    row(r#"{"a": "he said, "well" and left"}"#, r#"{"a":"he said, \"well\" and left"}"#, "inner_quote inner_quote"),
    row(r#"{"a": "to } and ] of "x" there"}"#, r#"{"a":"to } and ] of \"x\" there"}"#, "inner_quote inner_quote"),
    // An empty string is not repaired this way: its inside is text.
    row(r#"{"a": ", "b": "c"}"#, r#"{"a":", \"b\": \"c"}"#, "inner_quote inner_quote inner_quote"),
    // Lines of code in a string, with what could be keys.
    row(
        "{\"code\": \"x\nundo: (a: T, b: U) => v;\"}",
        r#"{"code":"x\nundo: (a: T, b: U) => v;"}"#,
        "control_character",
    ),
];

/// Keys without their closing quote.
const MISSING_IN_KEYS: &[Row] = &[
    row(
        r#"{"id": 7, "ready: true, "retry: false}"#,
        r#"{"id":7,"ready":true,"retry":false}"#,
        "missing_quote missing_quote",
    ),
    row(r#"{"body": "x", "gone: null, "k": 1}"#, r#"{"body":"x","gone":null,"k":1}"#, "missing_quote"),
    row(r#"{"o": {"n: 12, "m": 3}}"#, r#"{"o":{"n":12,"m":3}}"#, "missing_quote"),
];

/// Values and keys without their opening quote.
const MISSING_AT_THE_START: &[Row] = &[
    row(r#"{"a": word"}"#, r#"{"a":"word"}"#, "missing_quote"),
    row(r#"{"a": two words", "d": 1}"#, r#"{"a":"two words","d":1}"#, "missing_quote"),
    row(r#"{"x": 1, a": 2}"#, r#"{"x":1,"a":2}"#, "missing_quote"),
    row(r#"{"x": 1, two words": "y"}"#, r#"{"x":1,"two words":"y"}"#, "missing_quote"),
];

/// Strings in other quotes.
const OTHER: &[Row] = &[
    row("{'a': 'b'}", r#"{"a":"b"}"#, "other_quotes other_quotes"),
    row("{'a': \"b\", \"c\": 'd'}", r#"{"a":"b","c":"d"}"#, "other_quotes other_quotes"),
    row("{\"l\": ['a', 'b c', '']}", r#"{"l":["a","b c",""]}"#, "other_quotes other_quotes other_quotes"),
    row("{\"a\": `b`, \"c\": `d e`}", r#"{"a":"b","c":"d e"}"#, "other_quotes other_quotes"),
    row("{“a”: “b”, “c”: 1}", r#"{"a":"b","c":1}"#, "other_quotes other_quotes other_quotes"),
    row("{\"a\": “b c”}", r#"{"a":"b c"}"#, "other_quotes"),
    // Opened with the sign that should close.
    row("{“a”:“b”,”c”:”d”}", r#"{"a":"b","c":"d"}"#, "other_quotes other_quotes other_quotes other_quotes"),
    row("{‘a’: ‘b’}", r#"{"a":"b"}"#, "other_quotes other_quotes"),
    // An apostrophe inside a word is text.
    row(
        "{'a': 'it's fine', 'b': 1}",
        r#"{"a":"it's fine","b":1}"#,
        "other_quotes other_quotes inner_quote? other_quotes",
    ),
    row(
        "{'a': 'the dogs' bowl', 'b': 1}",
        r#"{"a":"the dogs' bowl","b":1}"#,
        "other_quotes other_quotes inner_quote? other_quotes",
    ),
    row(r"{'a': 'it\'s', 'b': 1}", r#"{"a":"it's","b":1}"#, "other_quotes other_quotes invalid_escape? other_quotes"),
    // One kind of quote is text in another.
    row(r#"[{'id': 1, 'n': '3"4"'}]"#, r#"[{"id":1,"n":"3\"4\""}]"#, "other_quotes other_quotes other_quotes"),
    row(r#"{"re": '[^<>:;"`|~]*', "ok": true}"#, r#"{"re":"[^<>:;\"`|~]*","ok":true}"#, "other_quotes"),
    row(r#"{"a": `it's "b"`}"#, r#"{"a":"it's \"b\""}"#, "other_quotes"),
    row(r#"{"a": 'x', "b": "it's"}"#, r#"{"a":"x","b":"it's"}"#, "other_quotes"),
    row("{“来”: \"有“咖啡”和书\"}", r#"{"来":"有“咖啡”和书"}"#, "other_quotes"),
    // Three at a time: what is inside is text.
    row(r#"{"a": """b"""}"#, r#"{"a":"b"}"#, "other_quotes"),
    row(r#"{"a": """say "hi", she said""", "n": 1}"#, r#"{"a":"say \"hi\", she said","n":1}"#, "other_quotes"),
    row("{\"a\": \"\"\"one\ntwo\"\"\"}", r#"{"a":"one\ntwo"}"#, "other_quotes control_character?"),
    row("{\"a\": '''it's \"b\"''', \"c\": 1}", r#"{"a":"it's \"b\"","c":1}"#, "other_quotes"),
    // A letter before them.
    row(r#"{"a": b'x', "c": f"y z"}"#, r#"{"a":"x","c":"y z"}"#, "other_quotes other_quotes"),
    row(r#"{"a": r"x", "n": [r'y']}"#, r#"{"a":"x","n":["y"]}"#, "other_quotes other_quotes"),
    row(r#"{"re": r'\d+\s', "n": 1}"#, r#"{"re":"\\d+\\s","n":1}"#, "other_quotes invalid_escape? invalid_escape?"),
];

/// `+` between strings.
const JOINED: &[Row] = &[
    row(r#"{"a": "x" + "y"}"#, r#"{"a":"xy"}"#, "concatenation"),
    row("{\"a\": \"x \" +\n  \"y \"\n + \"z\", \"b\": 1}", r#"{"a":"x y z","b":1}"#, "concatenation concatenation"),
    row(r#"["x"+"y", "z"]"#, r#"["xy","z"]"#, "concatenation"),
    row(r#"{"a": "" + "y"}"#, r#"{"a":"y"}"#, "concatenation"),
];

#[test]
fn inner_quotes_are_text() {
    check(INNER);
}

#[test]
fn a_string_with_an_inner_quote_is_patient() {
    check(PATIENT);
}

#[test]
fn doubled_quotes_go_by_parity() {
    check(DOUBLED);
}

#[test]
fn a_missing_closing_quote_is_supplied_where_a_member_follows() {
    check(MISSING_AT_THE_END);
}

#[test]
fn what_only_looks_like_a_missing_quote_is_text() {
    check(NOT_MISSING);
}

#[test]
fn a_missing_quote_of_a_key_is_supplied() {
    check(MISSING_IN_KEYS);
}

#[test]
fn a_missing_opening_quote_is_supplied() {
    check(MISSING_AT_THE_START);
}

#[test]
fn other_quotes_are_read() {
    check(OTHER);
}

#[test]
fn strings_are_joined() {
    check(JOINED);
}
