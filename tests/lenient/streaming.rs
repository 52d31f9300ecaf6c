//! What is shown on the way: bytes that have two readings are held, and nothing is shown and then taken back.

use jsonrill::Parser;

/// What is fed in turn, and what is shown after each.
type Steps = &'static [(&'static str, &'static str)];

const TEXT: &[Steps] = &[
    // The tail of a string is held from a comma, a closer or a raw line break on.
    &[("{\"a\": \"Hello,", r#"{"a":"Hello"}"#), (" w", r#"{"a":"Hello, w"}"#), ("orld", r#"{"a":"Hello, world"}"#)],
    &[("{\"a\": \"Hello", r#"{"a":"Hello"}"#), ("}", r#"{"a":"Hello"}"#), ("x", r#"{"a":"Hello}x"}"#)],
    &[("{\"a\": \"x]", r#"{"a":"x"}"#), ("}]", r#"{"a":"x"}"#), (" is", r#"{"a":"x]}] is"}"#)],
    &[("{\"a\": \"one\n", r#"{"a":"one"}"#), ("two", r#"{"a":"one\ntwo"}"#)],
    &[("{\"a\": \"x,", r#"{"a":"x"}"#), (",", r#"{"a":"x,"}"#), ("y", r#"{"a":"x,,y"}"#)],
    // … to `, "key":` and the begin of a value.
    &[
        ("{\"a\": \"one, ", r#"{"a":"one"}"#),
        ("\"b\"", r#"{"a":"one"}"#),
        (": 2", r#"{"a":"one","b":2}"#),
        ("5}", r#"{"a":"one","b":25}"#),
    ],
    &[("{\"a\": \"one, \"b", r#"{"a":"one"}"#), (" c\". D", r#"{"a":"one, \"b c\". D"}"#)],
    // The quote that closes is not sure before the next byte.
    &[("{\"a\": \"5\"", r#"{"a":"5"}"#), (" tv\". On", r#"{"a":"5\" tv\". On"}"#)],
    // An escape that may be a path's end.
    &[("{\"p\": \"C:\\dir\\\"", r#"{"p":"C:\\dir"}"#), (", \"b\": 1", r#"{"p":"C:\\dir\\","b":1}"#)],
    &[("{\"p\": \"a \\\"b", r#"{"p":"a \"b"}"#)],
    // Strings that are joined go on growing.
    &[("{\"a\": \"x\"", r#"{"a":"x"}"#), (" + ", r#"{"a":"x"}"#), ("\"y", r#"{"a":"xy"}"#), ("z\"}", r#"{"a":"xyz"}"#)],
    // Other quotes.
    &[("{'a': 'it", r#"{"a":"it"}"#), ("'s", r#"{"a":"it's"}"#), (" so', 'b': '", r#"{"a":"it's so","b":""}"#)],
    &[("{\"a\": \"\"\"x", r#"{"a":"x"}"#), ("\"y", r#"{"a":"x\"y"}"#), ("\"\"\", ", r#"{"a":"x\"y"}"#)],
];

const KEYS: &[Steps] = &[
    &[
        ("{\"id\": 7, \"ready: true, ", r#"{"id":7}"#),
        ("\"retry\": ", r#"{"id":7,"ready":true}"#),
        ("1", r#"{"id":7,"ready":true,"retry":1}"#),
    ],
    &[
        ("{\"id\": 7, rea", r#"{"id":7}"#),
        ("dy", r#"{"id":7}"#),
        (": t", r#"{"id":7}"#),
        ("rue,", r#"{"id":7,"ready":true}"#),
    ],
    &[("{\"id\": 7, \"k\" =", r#"{"id":7}"#), ("> \"v", r#"{"id":7,"k":"v"}"#)],
    &[("{\"id\": 7, \"k\" ", r#"{"id":7}"#), ("\"v\", ", r#"{"id":7,"k":"v"}"#)],
    &[("{\"id\": 7, \"k\": ", r#"{"id":7}"#), (",", r#"{"id":7,"k":null}"#)],
];

const SCALARS: &[Steps] = &[
    // A number before a comma waits one byte, in an object.
    &[("{\"n\": 1", r#"{"n":1}"#), (",", r#"{"n":1}"#), ("234", r#"{"n":"1,234"}"#), ("}", r#"{"n":"1,234"}"#)],
    &[("{\"n\": [1", r#"{"n":[1]}"#), (",", r#"{"n":[1]}"#), ("234", r#"{"n":[1,234]}"#)],
    // One that turns out to be text is ambiguous meanwhile.
    &[("{\"t\": 12", r#"{"t":12}"#), (":3", r#"{"t":"12:3"}"#), ("0,", r#"{"t":"12:30"}"#)],
    // A bare word is held to its first byte that is no letter, digit, dot or underscore.
    &[
        ("{\"a\": hel", "{}"),
        ("lo_w.9", "{}"),
        (" ", r#"{"a":"hello_w.9"}"#),
        ("x", r#"{"a":"hello_w.9 x"}"#),
        (" ,", r#"{"a":"hello_w.9 x"}"#),
    ],
    &[("{\"a\": hello", "{}"), ("-", r#"{"a":"hello-"}"#), ("you", r#"{"a":"hello-you"}"#)],
    &[("{\"a\": Tru", "{}"), ("e", "{}"), (",", r#"{"a":true}"#)],
    &[("{\"a\": true", "{}"), ("ish", "{}"), (",", r#"{"a":"trueish"}"#)],
    &[("{\"d\": ISODate(", "{}"), ("\"2025\")", r#"{"d":"2025"}"#), (", \"b\": 1", r#"{"d":"2025","b":1}"#)],
];

const CONTAINERS: &[Steps] = &[
    // What may be prose is shown at its own bracket.
    &[("[[], \"x\"", ""), ("]", r#"[[],"x"]"#)],
    // One that is too long for a key is none, however it comes.
    &[(
        "{\"l\": [1, \"what is too long to be a key is an element, though a colon may follow it\"",
        r#"{"l":[1,"what is too long to be a key is an element, though a colon may follow it"]}"#,
    )],
    // A string right after an element that is none.
    &[
        ("{\"l\": [1, \"ab", r#"{"l":[1]}"#),
        ("c\"", r#"{"l":[1]}"#),
        (",", r#"{"l":[1,"abc"]}"#),
        (" \"de", r#"{"l":[1,"abc","de"]}"#),
    ],
    &[("{\"l\": [1, \"abc\"", r#"{"l":[1]}"#), (": 2", r#"{"l":[1],"abc":2}"#)],
    &[("[0, {\"a\": 1}, \"b\"", r#"[0,{"a":1}]"#), (": 2", r#"[0,{"a":1},{"b":2}]"#)],
    &[("{\"l\": [\"ab", r#"{"l":["ab"]}"#), ("\", \"c", r#"{"l":["ab","c"]}"#)],
    // A brace is an object at its first colon or its end, an array at its first comma.
    &[("{\"s\": {", "{}"), ("\"a\"", "{}"), (", ", r#"{"s":["a"]}"#), ("\"b", r#"{"s":["a","b"]}"#)],
    &[("{\"s\": {", "{}"), ("\"a\"", "{}"), (":", r#"{"s":{}}"#)],
    &[("{\"s\": {", "{}"), ("}", r#"{"s":{}}"#)],
    &[("{\"s\": {", "{}"), ("1", "{}"), ("}", r#"{"s":[1]}"#)],
    // A closer of the other kind.
    &[("{\"a\": [1", r#"{"a":[1]}"#), ("}", r#"{"a":[1]}"#), (", \"b\": 2", r#"{"a":[1],"b":2}"#)],
    &[("{\"a\": [1}", r#"{"a":[1]}"#), (", 2, ", r#"{"a":[1,2]}"#)],
    // What is skipped shows nothing.
    &[("{\"a\": 1, // x", r#"{"a":1}"#), ("\n\"b\":", r#"{"a":1}"#), (" []", r#"{"a":1,"b":[]}"#)],
    &[("{\"l\": [1, ..", r#"{"l":[1]}"#), (".", r#"{"l":[1]}"#), ("]", r#"{"l":[1]}"#)],
    &[("{\"p\": (1, ", r#"{"p":[1]}"#), ("2)", r#"{"p":[1,2]}"#)],
];

fn check(tables: &[Steps]) {
    let mut faults = Vec::new();
    for steps in tables {
        // In these pieces, and byte by byte.
        for size in [usize::MAX, 1] {
            let mut parser = Parser::new();
            let mut text = String::new();
            for (piece, expected) in *steps {
                text += piece;
                piece.as_bytes().chunks(size).for_each(|bytes| parser.push(bytes));
                let shown = parser.snapshot();
                let shown = if shown.is_started() { shown.to_string() } else { String::new() };
                if shown != *expected {
                    faults.push(format!("{text:?} shows {shown}, not {expected}"));
                    break;
                }
            }
        }
    }
    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn text_is_shown_as_soon_as_it_can_be_nothing_else() {
    check(TEXT);
}

#[test]
fn keys_are_shown_with_their_values() {
    check(KEYS);
}

#[test]
fn scalars_are_shown_when_they_are_settled() {
    check(SCALARS);
}

#[test]
fn containers_are_shown_when_their_kind_is_settled() {
    check(CONTAINERS);
}

/// Law 4, the prompt half: what is fed in turn, a path, and whether it is final after each.
#[test]
fn values_are_final_when_nothing_can_change_them() {
    let cases: &[(&[&str], &str, &[bool])] = &[
        // A comma or a fitting closer, blanks before it or not.
        (&["{\"t\": \"x\"", " \n", ","], "/t", &[false, false, true]),
        (&["{\"t\": 'x'", ","], "/t", &[false, true]),
        (&["{\"t\": “x”", "}"], "/t", &[false, true]),
        (&["{\"t\": hello", " world", " , n: ", "1"], "/t", &[false, false, true, true]),
        (&["{\"t\": True", ","], "/t", &[false, true]),
        (&["{\"t\": 12:30", "}"], "/t", &[false, true]),
        (&["{\"n\": 1", ",", " "], "/n", &[false, false, true]),
        (&["{\"n\": 1", ",", "\""], "/n", &[false, false, true]),
        (&["{\"n\": 1", "}"], "/n", &[false, true]),
        (&["{\"l\": [1", ","], "/l/0", &[false, true]),
        (&["{\"l\": [0x1F", ","], "/l/0", &[false, true]),
        // A title is final at `",`, whatever may have been meant.
        (&["{\"t\": \"try 65\"", ",", " which is good\""], "/t", &[false, true, true]),
        // A patient string is not, before the whole key.
        (&["{\"t\": \"a \"b\" c\"", ",", " \"k", "\":"], "/t", &[false, false, false, true]),
        (&["{\"t\": \"a \"b\" c\"", "}"], "/t", &[false, true]),
        // A missing comma or quote is settled by the member after it.
        (&["{\"t\": \"x\"", " \"b\"", ": 1"], "/t", &[false, false, true]),
        (&["{\"t\": \"x", ", \"b\"", ": 1"], "/t", &[false, false, true]),
        // Containers at their own bracket.
        (&["{\"s\": {\"a\", \"b\"", "}"], "/s", &[false, true]),
        (&["{\"p\": (1, 2", ")"], "/p", &[false, true]),
        (&["{\"o\": {\"a\": 1", "}"], "/o", &[false, true]),
        (&["{\"o\": [1", "}", ", \"b\": "], "/o", &[false, false, true]),
        (&["{\"o\": [1", "}", ", 2, "], "/o", &[false, false, false]),
        (&["{\"o\": [[1]", ", \"b\"", ": "], "/o", &[false, false, true]),
    ];
    let mut faults = Vec::new();
    for (chunks, path, finals) in cases {
        let mut parser = Parser::new();
        let found: Vec<bool> = chunks.iter().map(|chunk| parser.feed(*chunk).is_final(*path)).collect();
        if found != *finals {
            faults.push(format!("{path} of {chunks:?}: final {found:?}, not {finals:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A key that comes after a missing closer belongs to the object, and the array that was left is final.
#[test]
fn deltas_of_repairs_are_those_of_what_is_meant() {
    let mut parser = Parser::new();
    parser.push(r#"{"l": [1, 2"#);
    parser.update();
    let update = parser.feed(r#", "total": 3"#);
    assert_eq!(update.delta().to_value(), serde_json::json!({"total": 3}));
    assert!(update.became_final("/l") && update.is_final("/l/1") && !update.is_final("/total"));
    let mut parser = Parser::new();
    parser.push(r#"{"a": "one"#);
    parser.update();
    let update = parser.feed(", two");
    assert_eq!(update.delta().to_value(), serde_json::json!({"a": ", two"}));
    let update = parser.feed(", \"b\": \"x");
    assert_eq!(update.delta().to_value(), serde_json::json!({"b": "x"}));
    assert!(update.became_final("/a"));
}
