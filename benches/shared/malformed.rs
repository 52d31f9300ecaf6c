//! Malformed documents of every kind that the lenient dialect reads, with the JSON that they mean.
//!
//! Made as those of `data` are, and of the same words. Each is one document, an array of objects that have an `id`, so
//! that what a repair made of it can be compared object by object.

// Each includer needs some of these only.
#![allow(dead_code)]

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::data::{FIRST, LAST, Random, WORDS, records};

/// What is wrong with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    MissingCommas,
    SingleQuotes,
    InnerQuotes,
    MissingQuotes,
    Bare,
    Literals,
    Comments,
    ExtraCommas,
    ControlCharacters,
    Escapes,
    Numbers,
    Closers,
    Wrappers,
    OtherPunctuation,
    /// All of the above by turns.
    Mixed,
    /// Valid JSON in a fence, with as much prose around it, brackets in it.
    Surrounded,
    /// Valid JSON, escaped as if it were in a string.
    Escaped,
}

/// Those that are about an element of the array. Bare keys do not follow where a quote may be missing: it shows by the
/// quoted key behind it.
const OF_ELEMENTS: [Kind; 14] = [
    Kind::MissingCommas,
    Kind::SingleQuotes,
    Kind::InnerQuotes,
    Kind::MissingQuotes,
    Kind::Literals,
    Kind::Bare,
    Kind::Comments,
    Kind::ExtraCommas,
    Kind::ControlCharacters,
    Kind::Escapes,
    Kind::Numbers,
    Kind::Closers,
    Kind::Wrappers,
    Kind::OtherPunctuation,
];

/// A malformed text, and the JSON that it means.
pub struct Malformed {
    pub text: String,
    pub meant: String,
}

impl Kind {
    pub fn all() -> impl Iterator<Item = Self> {
        OF_ELEMENTS.into_iter().chain([Self::Mixed, Self::Surrounded, Self::Escaped])
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::MissingCommas => "missing commas",
            Self::SingleQuotes => "single quotes",
            Self::InnerQuotes => "inner quotes",
            Self::MissingQuotes => "missing quotes",
            Self::Bare => "bare keys and strings",
            Self::Literals => "Python literals",
            Self::Comments => "comments",
            Self::ExtraCommas => "extra commas",
            Self::ControlCharacters => "control characters",
            Self::Escapes => "invalid escapes",
            Self::Numbers => "numbers that are none",
            Self::Closers => "wrong closers",
            Self::Wrappers => "wrappers, tuples, sets",
            Self::OtherPunctuation => "curly, full-width",
            Self::Mixed => "mixed",
            Self::Surrounded => "prose and a fence",
            Self::Escaped => "escaped as a whole",
        }
    }

    /// The document of this kind with about `bytes` bytes.
    pub fn document(self, bytes: usize) -> Malformed {
        match self {
            Self::Surrounded => surrounded(bytes),
            Self::Escaped => escaped(bytes),
            _ => self.elements(bytes),
        }
    }

    fn elements(self, bytes: usize) -> Malformed {
        let (open, between, close) = match self {
            Self::MissingCommas => ("[", "\n", "\n{\"id\": \"last\"}]"),
            Self::ExtraCommas => ("[,", ",, ", ",\n{\"id\": \"last\"},]"),
            Self::Wrappers => ("callback([", ", ", ", {\"id\": \"last\"}]);"),
            Self::OtherPunctuation => ("[", "，", "，{“id”：“last”}]"),
            _ => ("[", ", ", ", {\"id\": \"last\"}]"),
        };
        let mut random = Random(6);
        let mut made = Malformed { text: open.to_owned(), meant: "[".to_owned() };
        let mut index: usize = 0;
        while made.text.len() + close.len() < bytes {
            let (turn, kind) = match self {
                Self::Mixed => (index / OF_ELEMENTS.len(), OF_ELEMENTS[index % OF_ELEMENTS.len()]),
                _ => (index, self),
            };
            if index > 0 {
                made.text.push_str(between);
            }
            kind.element(&mut random, index, turn, &mut made);
            made.meant.push_str(", ");
            index += 1;
        }
        made.text.push_str(close);
        made.meant.push_str(r#"{"id": "last"}]"#);
        made
    }

    /// Adds an element; `turn` counts those of its kind, which may have several forms.
    #[expect(clippy::too_many_lines, reason = "a table")]
    fn element(self, random: &mut Random, id: usize, turn: usize, made: &mut Malformed) {
        let name = format!("{} {}", random.pick(&FIRST), random.pick(&LAST));
        let (tag, other) = (random.pick(&WORDS), random.pick(&WORDS));
        let words = random.sentence(6);
        let (yes, n, part) = (random.below(2) == 0, 10 + random.below(90), random.below(100));
        let (text, meant) = match self {
            Self::MissingCommas => (
                format!(
                    "{{\"id\": {id} \"name\": \"{name}\"\n  \"active\": {yes} \"at\": [{n} 1.{part:02}] \"tags\": [\"{tag}\" \"{other}\"]\n  \"note\": \"{words}\"}}"
                ),
                format!(
                    r#"{{"id": {id}, "name": "{name}", "active": {yes}, "at": [{n}, 1.{part:02}], "tags": ["{tag}", "{other}"], "note": "{words}"}}"#
                ),
            ),
            Self::SingleQuotes => (
                format!(
                    "{{'id': {id}, 'name': '{name}', 'active': {yes}, 'tags': ['{tag}', '{other}'], 'note': 'it isn't {words}', 'n': {n}}}"
                ),
                format!(
                    r#"{{"id": {id}, "name": "{name}", "active": {yes}, "tags": ["{tag}", "{other}"], "note": "it isn't {words}", "n": {n}}}"#
                ),
            ),
            Self::InnerQuotes => (
                format!(
                    r#"{{"id": {id}, "name": "{name}", "note": "they said "{tag} {other}" twice, {words}", "size": "{n}" tv"}}"#
                ),
                format!(
                    r#"{{"id": {id}, "name": "{name}", "note": "they said \"{tag} {other}\" twice, {words}", "size": "{n}\" tv"}}"#
                ),
            ),
            Self::MissingQuotes => {
                let text = match turn % 3 {
                    0 => format!(r#"{{"id": {id}, "tags": ["{tag}", "{other}"], "name": "{name}, "note": "{words}"}}"#),
                    1 => format!(r#"{{"id": {id}, "tags": ["{tag}", "{other}], "name": "{name}", "note": "{words}"}}"#),
                    _ => format!(r#"{{"id": {id}, "tags": ["{tag}", "{other}"], "name": "{name}", "note": "{words}}}"#),
                };
                let meant =
                    format!(r#"{{"id": {id}, "tags": ["{tag}", "{other}"], "name": "{name}", "note": "{words}"}}"#);
                (text, meant)
            }
            Self::Bare => (
                format!("{{id: {id}, name: {name}, active: {yes}, tags: [{tag}, {other}], note: so {words}, n: {n}}}"),
                format!(
                    r#"{{"id": {id}, "name": "{name}", "active": {yes}, "tags": ["{tag}", "{other}"], "note": "so {words}", "n": {n}}}"#
                ),
            ),
            Self::Literals => (
                format!(
                    r#"{{"id": {id}, "active": True, "done": False, "note": None, "x": undefined, "y": NaN, "name": "{name}", "all": [True, None, {n}]}}"#
                ),
                format!(
                    r#"{{"id": {id}, "active": true, "done": false, "note": null, "x": null, "y": null, "name": "{name}", "all": [true, null, {n}]}}"#
                ),
            ),
            Self::Comments => (
                format!(
                    "{{\"id\": {id}, // the {tag} of it\n  \"name\": \"{name}\", /* {words} */ \"url\": \"https://{tag}.example/#{n}\", \"tags\": [\"{tag}\", # {other}\n  \"{other}\"]}}"
                ),
                format!(
                    r#"{{"id": {id}, "name": "{name}", "url": "https://{tag}.example/#{n}", "tags": ["{tag}", "{other}"]}}"#
                ),
            ),
            Self::ExtraCommas => (
                format!(
                    r#"{{"id": {id}, "name": "{name}",, "tags": ["{tag}", "{other}",], "at": [, {n},, 1.{part:02}], "note": "{words}",}}"#
                ),
                format!(
                    r#"{{"id": {id}, "name": "{name}", "tags": ["{tag}", "{other}"], "at": [{n}, 1.{part:02}], "note": "{words}"}}"#
                ),
            ),
            Self::ControlCharacters => (
                format!("{{\"id\": {id}, \"name\": \"{name}\", \"note\": \"{words}\n{tag}\t{other}\u{1} {n}\"}}"),
                format!(r#"{{"id": {id}, "name": "{name}", "note": "{words}\n{tag}\t{other}\u0001 {n}"}}"#),
            ),
            Self::Escapes => (
                format!(
                    r#"{{"id": {id}, "name": "{name}", "note": "it isn\'t \${n}, \d+ of \u00zz {words}", "in": "C:\Home\Work\", "n": {n}}}"#
                ),
                format!(
                    r#"{{"id": {id}, "name": "{name}", "note": "it isn't \\${n}, \\d+ of \\u00zz {words}", "in": "C:\\Home\\Work\\", "n": {n}}}"#
                ),
            ),
            Self::Numbers => (
                format!(
                    r#"{{"id": {id}, "a": +{n}, "b": .5{n}, "c": {n}., "d": 0x1F, "e": 1_000, "f": 0{n}, "g": {n},250, "h": {n}/3, "i": {n}:30, "j": {n}%, "k": {n} MB, "l": 1.{n}.3}}"#
                ),
                format!(
                    r#"{{"id": {id}, "a": {n}, "b": 0.5{n}, "c": {n}, "d": 31, "e": 1000, "f": "0{n}", "g": "{n},250", "h": "{n}/3", "i": "{n}:30", "j": "{n}%", "k": "{n} MB", "l": "1.{n}.3"}}"#
                ),
            ),
            Self::Closers => {
                let text = match turn % 4 {
                    // A wrong one, for the innermost.
                    0 => format!(
                        r#"{{"id": {id}, "name": "{name}", "in": {{"tags": ["{tag}", {n}}}, "note": "{words}"}}}}"#
                    ),
                    // One too many.
                    1 => format!(
                        r#"{{"id": {id}, "name": "{name}", "in": {{"tags": ["{tag}", {n}], "note": "{words}"}}}}}}"#
                    ),
                    // One too few.
                    2 => format!(
                        r#"{{"id": {id}, "name": "{name}", "in": {{"tags": ["{tag}", {n}, "note": "{words}"}}}}"#
                    ),
                    _ => format!(
                        r#"{{"id": {id}, "name": "{name}", "in": {{"tags": ["{tag}", {n}], "note": "{words}"]}}"#
                    ),
                };
                let meant =
                    format!(r#"{{"id": {id}, "name": "{name}", "in": {{"tags": ["{tag}", {n}], "note": "{words}"}}}}"#);
                (text, meant)
            }
            Self::Wrappers => (
                format!(
                    r#"{{"id": NumberLong({id}), "name": "{name}", "at": ({n}, 1.{part:02}), "tags": {{"{tag}", "{other}"}}, "day": ISODate("2026-11-{n}"), "note": "{words}" + " and on"}}"#
                ),
                format!(
                    r#"{{"id": {id}, "name": "{name}", "at": [{n}, 1.{part:02}], "tags": ["{tag}", "{other}"], "day": "2026-11-{n}", "note": "{words} and on"}}"#
                ),
            ),
            Self::OtherPunctuation => (
                format!(
                    "{{“id”：{id}，“name”：“{name}”，“active”：{yes}，“tags”：[“{tag}”，“{other}”]，“note”：“{words}”}}"
                ),
                format!(
                    r#"{{"id": {id}, "name": "{name}", "active": {yes}, "tags": ["{tag}", "{other}"], "note": "{words}"}}"#
                ),
            ),
            Self::Mixed | Self::Surrounded | Self::Escaped => unreachable!("made of a whole document"),
        };
        made.text.push_str(&text);
        made.meant.push_str(&meant);
    }
}

fn surrounded(bytes: usize) -> Malformed {
    let mut random = Random(7);
    let prose = |random: &mut Random, text: &mut String, bytes: usize| {
        let end = text.len() + bytes;
        while text.len() < end {
            match random.below(6) {
                0 => write!(
                    text,
                    "See [1] and {{{}}}, or [the list]({}.md).\n\n",
                    random.pick(&WORDS),
                    random.pick(&WORDS)
                ),
                1 => writeln!(text, "- \"{}\": {}", random.sentence(2), random.sentence(9)),
                _ => write!(text, "{}, isn't it: {}. ", random.sentence(18), random.sentence(14)),
            }
            .expect("writing to a string");
        }
    };
    let meant = records(bytes / 2);
    let mut text = String::with_capacity(bytes + 4096);
    prose(&mut random, &mut text, bytes / 4);
    write!(text, "\n\n```json\n{meant}\n```\n\n").expect("writing to a string");
    prose(&mut random, &mut text, bytes / 4);
    Malformed { text, meant }
}

fn escaped(bytes: usize) -> Malformed {
    // Every quote becomes two bytes: of a record of 120 bytes there are 20.
    let meant = format!(r#"{{"rows": {}}}"#, records(bytes * 6 / 7));
    Malformed { text: meant.replace('"', "\\\""), meant }
}

/// Which part of the objects that are meant is in what was made, equal to the last leaf.
pub fn share_right(meant: &Value, made: &Value) -> f64 {
    let rows = |value: &Value| value.get("rows").unwrap_or(value).as_array().cloned().unwrap_or_default();
    let (meant, made) = (rows(meant), rows(made));
    let id = |row: &Value| row.get("id").map(ToString::to_string);
    let by_id: HashMap<_, _> = made.iter().filter_map(|row| Some((id(row)?, row))).collect();
    let right = meant.iter().filter(|row| id(row).is_some_and(|id| by_id.get(&id) == Some(row))).count();
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    let share = right as f64 / meant.len().max(made.len()).max(1) as f64;
    share
}

/// What may be said again and again without an end, each an invitation to look back, or ahead, too often: what a text
/// begins with, what is repeated, and how it ends.
pub const REPEATED: [(&str, &str, &str); 75] = [
    ("{\"a\": ", "1,", " }"),
    ("{\"a\": 1:", "1,1:", " }"),
    ("{a: ", "b,", "}"),
    ("{a: b", "(", "}"),
    ("{a: ", "f(x) ", "}"),
    ("{a: ", "b\n", "}"),
    ("{a: b", "\"c\" ", "}"),
    ("{a: b ", "/ ", "}"),
    ("{a: b ", "# ", "}"),
    ("{a: b", "}]", "}"),
    ("{\"a\": \"b", "\"c\" ", "\"}"),
    ("{\"a\": \"b", "\"\" ", "\"}"),
    ("{\"a\": \"b", ", ", "\"}"),
    ("{\"a\": \"b", "}]", "\"}"),
    ("{\"a\": \"b", "\n", "\"}"),
    ("{\"a\": \"b", ", \"k\" ", "\"}"),
    ("{\"a\": \"b", ", \"k\": x", "\"}"),
    ("{\"a", "\": \"b", "\"}"),
    ("{\"a", ": ", "\": 1}"),
    ("{\"a", "\" b", "\": 1}"),
    ("{a", " b", "\": 1}"),
    ("{'a': 'b", "'c' ", "'}"),
    ("{'a': 'b", "' ", "'}"),
    ("{\"a\": ", "`", " }"),
    ("{\"a\": \"\"\"", "\"\"", "\"}"),
    ("[1", "}]", ""),
    ("{\"a\":[1", "}", "]"),
    ("", "{", "}"),
    ("", "[{", "}"),
    ("[", "(", "]"),
    ("[", "f(", "]"),
    ("[", "{\"a\",", "}]"),
    ("[1", ",\" a\"", "]"),
    ("[1", ",\"a\" ,1", "]"),
    ("[\"a\"", " + \"b\"", "]"),
    ("[\"a\"", " + ", "]"),
    ("[1", " /* */", "]"),
    ("[1", " ...", "]"),
    ("[1", " /", "]"),
    ("[1", " #\n", "]"),
    ("{\"a\":1", ";", "}"),
    ("{\"a\"", " =>", "1}"),
    ("{\"a\"", "=", "1}"),
    ("{\\\"a\\\": \\\"", "b\\\\\\\" ", "\\\"}"),
    ("{\"\"a\"\": \"\"", "b\"\"", "\"\"}"),
    ("{\"a\": \"", "\\d", "\"}"),
    ("{\"a\": \"", "\\u0", "\"}"),
    ("{“a”: “", "b” ", "”}"),
    ("text ", "{x} ", ""),
    ("text ", "[x](y) ", ""),
    ("", "```json\n", ""),
    ("", "` ", ""),
    ("", "<think>", ""),
    ("", "<|x|>", ""),
    ("[", "-", "]"),
    ("[", "+", "]"),
    ("[1", "_1", "]"),
    ("[", "1", "]"),
    ("[0", "1", "]"),
    ("[1", ".1", "]"),
    ("[1", "e1", "]"),
    ("[", "true ", "]"),
    ("[", "tru ", "]"),
    ("[", "a b,", "]"),
    ("[", "true", "x]"),
    ("{", "a ", ":1}"),
    ("{", "a\n", ":1}"),
    ("{", "\"a\" ", ":1}"),
    ("{", "\"a\",", ":1}"),
    ("{", "\"a\" 1 ", "}"),
    ("{", "\"a\": 1 ", "}"),
    ("{\"a\": \"b\" ", " ", "}"),
    ("{\"a\": \"b\"x", " ", "}"),
    ("{\"a\": \"b\" c", "\",", "}"),
    ("{\"a\": \"b\" c\" ", ", \"x", "}"),
];

/// The text that repeats a pattern to about so many bytes.
pub fn repeated((open, pattern, close): (&str, &str, &str), bytes: usize) -> String {
    format!("{open}{}{close}", pattern.repeat(bytes / pattern.len()))
}
