//! Several rules in one text, as they come in life.

use crate::common::rows::{Row, check, row};

const COMBINED: &[Row] = &[
    // What Python prints.
    row(
        "{'id': None, 'ok': True, 'l': ('a', 'b'), 'n': {1, 2},}",
        r#"{"id":null,"ok":true,"l":["a","b"],"n":[1,2]}"#,
        "other_quotes foreign_keyword other_quotes foreign_keyword other_quotes tuple other_quotes other_quotes other_quotes set extra_comma",
    ),
    // What JavaScript reads.
    row(
        "{\n  // the card\n  title: 'Tea',\n  count: +3,\n  tags: ['hot', `green`,],\n  note: 'a' + \"b\",\n}",
        r#"{"title":"Tea","count":3,"tags":["hot","green"],"note":"ab"}"#,
        "comment bare_key other_quotes bare_key number_spelling bare_key other_quotes other_quotes extra_comma bare_key other_quotes concatenation extra_comma",
    ),
    // What a database shell prints.
    row(
        r#"[{_id: ObjectId("4f"), n: NumberLong(5), at: ISODate("2025-01-02")}, {_id: ObjectId("50"), n: .5}]"#,
        r#"[{"_id":"4f","n":5,"at":"2025-01-02"},{"_id":"50","n":0.5}]"#,
        "bare_key wrapper bare_key wrapper bare_key wrapper bare_key wrapper bare_key number_spelling",
    ),
    // What a word processor makes of it.
    row(
        "{“title”：“He said \"no\"”，\u{3000}“n”：1}",
        r#"{"title":"He said \"no\"","n":1}"#,
        "other_quotes full_width other_quotes inner_quote? inner_quote? full_width special_space other_quotes full_width",
    ),
    // Damage next to damage.
    row(
        r#"{"a": "x "y" z" "b": 1,, "c" [2 3}"#,
        r#"{"a":"x \"y\" z","b":1,"c":[2,3]}"#,
        "inner_quote inner_quote missing_comma extra_comma missing_colon missing_comma missing_closer|wrong_closer",
    ),
    row(
        r#"{"a": one two, "b": "three, "c": 'four' /* five */, d: , "e": 06}"#,
        r#"{"a":"one two","b":"three","c":"four","d":null,"e":"06"}"#,
        "bare_string missing_quote other_quotes comment bare_key missing_value number_as_text",
    ),
    row(
        "{\"a\": \"line\nsays \"x\", ok\", \"b\": 'it's'}",
        r#"{"a":"line\nsays \"x\", ok","b":"it's"}"#,
        "control_character inner_quote inner_quote other_quotes inner_quote?",
    ),
    row(
        r#"[{"a": 1, ...} {"b": (2, 3)}, // four"#,
        r#"[{"a":1},{"b":[2,3]}]"#,
        "extra_comma? ellipsis missing_comma tuple extra_comma? comment?",
    )
    .cut(),
    row(
        r#"{"o": {"p": [1, 2}, "q": {"r": "s"]}, "t": True}"#,
        r#"{"o":{"p":[1,2],"q":{"r":"s"},"t":true}}"#,
        "wrong_closer surplus_closer foreign_keyword",
    )
    .cut(),
    row(
        r#"{"re": "\d+ "x" \w", "s": "y""}"#,
        r#"{"re":"\\d+ \"x\" \\w","s":"y"}"#,
        "invalid_escape inner_quote inner_quote invalid_escape doubled_quote",
    ),
    row(
        r#"{"l": [1 "a", 'b', c d, True,, ...], "n": 1,5}"#,
        r#"{"l":[1,"a","b","c d",true],"n":"1,5"}"#,
        "missing_comma other_quotes bare_string foreign_keyword extra_comma extra_comma? ellipsis number_as_text",
    ),
    // In prose and fences.
    row(
        "Here you are:\n```json\n{'a': True, b: \"x \"y\" z\",}\n```\nThat's it.",
        r#"{"a":true,"b":"x \"y\" z"}"#,
        "other_quotes foreign_keyword bare_key inner_quote inner_quote extra_comma ~",
    ),
    row(
        "Thought: I'll look.\nAction Input: {'pages': ['Tea'], 'q': ''}\nObservation: none",
        r#"{"pages":["Tea"],"q":""}"#,
        "other_quotes other_quotes other_quotes other_quotes ~",
    ),
    row("<think>'hm'</think>[{id: 1} {id: 2}]", r#"[{"id":1},{"id":2}]"#, "bare_key missing_comma bare_key ~"),
    row("~~~\n{\"a\": \"x, \"b\": 1}\n~~~", r#"{"a":"x","b":1}"#, "missing_quote ~"),
    // A fence ends the document as its end would.
    row("```json\n{\"a\": 1, \"b\": [2}\n```", r#"{"a":1,"b":[2]}"#, "missing_closer|wrong_closer ~"),
];

#[test]
fn several_rules_in_one_text() {
    check(COMBINED);
}
