//! The rules of seams, one by one.

use jsonrill::{ContextOptions, Dialect, End, Finished, Options, Parser, RepairKind, Roots, SeamKind, SkipKind};
use serde_json::Value;

use crate::common::chunks::Chunking;
use crate::common::generate::Input;
use crate::common::options;
use crate::common::view::root;
use crate::laws;
use crate::syntax::Syntax;

struct Row {
    name: &'static str,
    rounds: &'static [&'static str],
    /// The document in the end; nothing where nothing is shown.
    value: &'static str,
    kind: SeamKind,
    is_certain: Option<bool>,
    is_complete: bool,
    dropped: Option<u64>,
    /// All documents, where there is more than one.
    documents: &'static [&'static str],
}

const fn row(name: &'static str, rounds: &'static [&'static str], value: &'static str, kind: SeamKind) -> Row {
    Row { name, rounds, value, kind, is_certain: None, is_complete: true, dropped: None, documents: &[] }
}

impl Row {
    const fn certain(self) -> Self {
        Self { is_certain: Some(true), ..self }
    }

    const fn uncertain(self) -> Self {
        Self { is_certain: Some(false), ..self }
    }

    const fn cut(self) -> Self {
        Self { is_complete: false, ..self }
    }

    const fn drops(self, bytes: u64) -> Self {
        Self { dropped: Some(bytes), ..self }
    }

    const fn beside(self, documents: &'static [&'static str]) -> Self {
        Self { documents, ..self }
    }
}

fn read(rounds: &[&str], end: End) -> Finished {
    let mut parser = Parser::new();
    for (index, round) in rounds.iter().enumerate() {
        if index > 0 {
            parser.next_round();
        }
        parser.push(*round);
    }
    parser.finish(end)
}

fn fault(row: &Row) -> Result<(), String> {
    let finished = read(row.rounds, End::Unknown);
    let shown = finished.snapshot();
    let documents: Vec<_> = finished.documents().map(|document| root(&document.snapshot)).collect();
    let told = || {
        let documents: Vec<_> = finished.documents().map(|document| document.snapshot.to_string()).collect();
        format!("{documents:?} ({}), {:?}", finished.outcome(), finished.seams())
    };
    let wanted = |text: &str| (!text.is_empty()).then(|| Syntax::of(text).value());
    let seam = finished.seams().last().ok_or("no seam")?;
    if row.documents.is_empty() {
        if root(shown) != wanted(row.value) {
            return Err(format!("not {}: {}", row.value, told()));
        }
    } else if documents != row.documents.iter().map(|text| wanted(text)).collect::<Vec<_>>() {
        return Err(format!("not {:?}: {}", row.documents, told()));
    }
    let is_as_told = seam.kind == row.kind
        && row.is_certain.is_none_or(|certain| seam.is_certain == certain)
        && row.dropped.is_none_or(|dropped| seam.dropped == dropped)
        && (!row.documents.is_empty() || finished.is_complete() == row.is_complete);
    if !is_as_told {
        let Row { kind, is_certain, dropped, is_complete, .. } = row;
        return Err(format!(
            "not {kind}, certain {is_certain:?}, dropped {dropped:?}, complete {is_complete}: {}",
            told()
        ));
    }
    let rounds: Vec<Input> = row.rounds.iter().map(|round| Input(round.as_bytes().to_vec())).collect();
    laws::keep(&options(jsonrill::Dialect::Lenient), &rounds, &Chunking::Every(3), End::Unknown)
}

fn check(rows: &[Row]) {
    let faults: Vec<String> =
        rows.iter().filter_map(|row| Some(format!("{} {:?}: {}", row.name, row.rounds, fault(row).err()?))).collect();
    assert!(faults.is_empty(), "{} of {} rows:\n{}", faults.len(), rows.len(), faults.join("\n"));
}

/// A lenient sign behind the seam does not make the exact rest a repeat of a letter, or a container of new members.
#[test]
fn signs_of_models_behind_the_rest() {
    let kettle = r#"{"a":"kettle","b":null}"#;
    check(&[
        row("a comma at the end", &[r#"["a", "ket"#, r#"tle", 1,]"#], r#"["a","kettle",1]"#, SeamKind::Rest),
        row("a foreign keyword", &[r#"{"a": "ket"#, r#"tle", "b": None}"#], kettle, SeamKind::Rest),
        row("a remark", &[r#"{"a": "ket"#, "tle\", // that is all\n \"b\": null}"], kettle, SeamKind::Rest),
        row("a remark that ends", &[r#"{"a": "ket"#, r#"tle", /* so */ "b": null}"#], kettle, SeamKind::Rest),
        row("signs of full width", &[r#"{"a"："ket"#, r#"tle"，"b"：null}"#], kettle, SeamKind::Rest),
        row("a bare key", &[r#"{a: "ket"#, r#"tle", b: null}"#], kettle, SeamKind::Rest),
        row("single quotes", &["{'a': 'ket", "tle', 'b': None}"], kettle, SeamKind::Rest),
        row("in a key", &[r#"{""#, r#"a": "kettle", "b": null,}"#], kettle, SeamKind::Rest),
        row("brackets in a string", &[r#"["the"#, r#" [1] kettle", 2,]"#], r#"["the [1] kettle",2]"#, SeamKind::Rest),
        row("elements", &["[", "[1, 2], [3],]"], "[[1,2],[3]]", SeamKind::Rest),
        row("a comma at the seam", &[r#"["kettle""#, r#"，"b"]"#], r#"["kettle","b"]"#, SeamKind::Rest),
    ]);
}

/// A container behind a colon is the value that is due, whatever is wrong behind it.
#[test]
fn a_value_that_is_due() {
    let wanted = r#"{"a":{"b":1},"c":2}"#;
    check(&[
        row("signs of full width", &[r#"{"a"："#, r#"{"b"：1}，"c"：2}"#], wanted, SeamKind::Rest),
        row("single quotes", &["{'a':", "{'b':1},'c':2}"], wanted, SeamKind::Rest),
        row("no comma", &[r#"{"a":"#, r#"{"b": 1} "c": 2}"#], wanted, SeamKind::Rest),
    ]);
}

/// A key whose first quote alone is before the cut ends with its own quote.
#[test]
fn a_key_that_has_its_quote_behind_the_seam() {
    let wanted = r#"{"a":1,"beta":"x y","c":2}"#;
    check(&[
        row("full width", &[r#"{"a"：1，""#, r#"beta"："x y"，"c"：2}"#], wanted, SeamKind::Rest),
        row("a comma at the end", &[r#"{"a": 1, ""#, r#"beta": "x y", "c": 2,}"#], wanted, SeamKind::Rest),
    ]);
    // What is wrong has no other spelling.
    let finished = read(&[r#"{"a": 1, ""#, r#"beta": "x y", "c" 2}"#], End::Unknown);
    assert_eq!(root(finished.snapshot()), Some(Syntax::of(wanted).value()), "{:?}", finished.seams());
}

/// What is cut within an escape.
#[test]
fn an_escape_that_is_cut() {
    check(&[
        row(
            "half an escape, and the character as it is",
            &[r#"{"a":"one","b":"caf\u00"#, r#"{"a":"one","b":"café au lait, s'il vous plaît","c":1}"#],
            r#"{"a":"one","b":"café au lait, s'il vous plaît","c":1}"#,
            SeamKind::Restart,
        ),
        row(
            "half a pair, and the character as it is",
            &[r#"{"a": "smile \ud83d"#, r#"{"a": "smile 😀"}"#],
            r#"{"a":"smile 😀"}"#,
            SeamKind::Restart,
        ),
        row(
            "the same in an element",
            &[r#"[{"id":1,"b":"x"},{"id":2,"b":"caf\u00"#, r#"{"id":2,"b":"café"},{"id":3}]"#],
            r#"[{"id":1,"b":"x"},{"id":2,"b":"café"},{"id":3}]"#,
            SeamKind::Repeat,
        ),
        row(
            "half a pair, and the whole pair",
            &[r#"["smile \ud83d"#, r#"\ud83d\ude00"]"#],
            r#"["smile 😀"]"#,
            SeamKind::Repeat,
        ),
        row("half an escape, and the whole one", &[r#"["caf\u00"#, r#"\u00e9"]"#], r#"["café"]"#, SeamKind::Repeat),
    ]);
}

/// What is cut within an escape, or within a string of quotes of another kind.
#[test]
fn what_is_cut_and_comes_in_other_quotes() {
    check(&[
        row(
            "half an escape, and the character as it is, in other quotes",
            &[r#"{"a": "caf\u00"#, "{'a': 'café', 'b': 2}"],
            r#"{"a":"café","b":2}"#,
            SeamKind::Restart,
        ),
        row(
            "half an escape, and the whole one, in other quotes",
            &[r#"{"a": "caf\u00"#, r"{'a': 'caf\u00e9', 'b': 2}"],
            r#"{"a":"café","b":2}"#,
            SeamKind::Restart,
        ),
        row(
            "half a short escape, and the whole one, in other quotes",
            &[r#"[{"id": 102, "name": "tab\"#, r"[{'id': 102, 'name': 'tab\tbed', 'q': 1}]"],
            r#"[{"id":102,"name":"tab\tbed","q":1}]"#,
            SeamKind::Restart,
        ),
        row(
            "half of the second of a pair, and the character as it is, in other quotes",
            &[r#"{"a": "t\ud83d\"#, "{'a': 't😀', 'b': 2}"],
            r#"{"a":"t😀","b":2}"#,
            SeamKind::Restart,
        ),
        row(
            "half an escape, which is that of the other quote",
            &[r#"{"a": "it\"#, r"{'a': 'it\'s', 'b': 2}"],
            r#"{"a":"it's","b":2}"#,
            SeamKind::Restart,
        ),
        row(
            "half the escape of a quote, and the quote in others",
            &[r#"{"a": "it\"#, "{'a': 'it\"s', 'b': 2}"],
            r#"{"a":"it\"s","b":2}"#,
            SeamKind::Restart,
        ),
        row(
            "half an escape in a key, and the key in other quotes",
            &[r#"{"caf\u00"#, "{'café': 1, 'b': 2}"],
            r#"{"café":1,"b":2}"#,
            SeamKind::Restart,
        ),
        row(
            "half an escape in a key, and the key in none",
            &[r#"{"caf\u00"#, "{café: 1, b: 2}"],
            r#"{"café":1,"b":2}"#,
            SeamKind::Restart,
        ),
        row(
            "single quotes in both",
            &["{'a': 'one', 'b': 'He sai", "{'a': 'one', 'b': 'He said it', 'c': 3}"],
            r#"{"a":"one","b":"He said it","c":3}"#,
            SeamKind::Restart,
        ),
        row(
            "single quotes, then double ones",
            &["{'a': 'one', 'b': 'He sai", r#"{"a": "one", "b": "He said 'it'", "c": 3}"#],
            r#"{"a":"one","b":"He said 'it'","c":3}"#,
            SeamKind::Restart,
        ),
        row(
            "double quotes, then single ones with quotes in them",
            &[r#"{"a": "one", "b": "It"#, r#"{'a': 'one', 'b': 'It\'s "me"', 'c': 3}"#],
            r#"{"a":"one","b":"It's \"me\"","c":3}"#,
            SeamKind::Restart,
        ),
        row(
            "a key in single quotes",
            &["{'a': 'one', 'bod", "{'a': 'one', 'body': 'He said it', 'c': 3}"],
            r#"{"a":"one","body":"He said it","c":3}"#,
            SeamKind::NewMembers,
        ),
    ]);
}

/// What is cut within a character.
#[test]
fn a_character_that_is_cut() {
    for (first, next, wanted) in [
        (
            &b"{\"a\":\"one\",\"c\":\"caf\xC3"[..],
            "{\"a\":\"one\",\"c\":\"café au lait\",\"d\":1}".as_bytes(),
            r#"{"a":"one","c":"café au lait","d":1}"#,
        ),
        (b"[\"caf\xC3", "[\"café\"]".as_bytes(), r#"["café"]"#),
        (b"[\"caf\xC3", "é\"]".as_bytes(), r#"["café"]"#),
        (b"[\"caf\xC3", b"\xA9\"]", r#"["café"]"#),
        (b"[\"caf\xC3", b"```json\n\xA9\"]\n```", r#"["café"]"#),
    ] {
        let mut parser = Parser::new();
        parser.push(first);
        parser.next_round();
        parser.push(next);
        let finished = parser.finish(End::Unknown);
        assert_eq!(finished.snapshot().to_string(), wanted, "{:?}", finished.seams());
    }
    // Rounds of nothing keep it.
    let mut parser = Parser::new();
    for round in [&b"[\"caf\xC3"[..], b"\n", b"I'm sorry, I can't.", b"", b"\xA9\"]"] {
        parser.push(round);
        parser.next_round();
    }
    assert_eq!(parser.snapshot().to_string(), r#"["café"]"#);
}

/// Responses end in remarks, and begin with words that are no JSON.
#[test]
fn words_around_rounds() {
    for rounds in [
        &["```json\n{\"items\": [1,\n```\n", "```json\n2]}\n```"][..],
        &["```json\n{\"items\": [1,\n```\nLet me know if I should go on.", "2]}"],
        &["{\"items\": [1,\n// continued in the next message", "2]}"],
        &["{\"items\": [1,", "**Continued:**\n\n```json\n2]}\n```"],
        &["{\"items\": [1,", "[continued]\n2]}"],
        &["{\"items\": [1,", "Here's the rest:\n\n---\n\n2]}"],
        &["{\"items\": [1,", "I apologize for the cut. Here is the rest:\n\n```json\n2]}\n```"],
        &["{\"items\": [1,", "Here is the rest of the \"items\" array:\n```json\n2]}\n```"],
        &["{\"items\": [1,", "Voici la suite :\n\n```json\n2]}\n```"],
    ] {
        let mut parser = Parser::new();
        for (index, round) in rounds.iter().enumerate() {
            if index > 0 {
                parser.next_round();
            }
            parser.push(*round);
        }
        let finished = parser.finish(End::Unknown);
        assert_eq!(finished.snapshot().to_string(), r#"{"items":[1,2]}"#, "{rounds:?} {:?}", finished.seams());
    }
    // In a string that is cut as well.
    for words in [
        "**Continued:**\n\n```json\n",
        "Alright, continuing:\n",
        "Great! Let me go on.\n\n```json\n",
        "Part 2:\n",
        "Voici la suite :\n\n```json\n",
        "<json>\n",
        "[continued]\n",
        "Sorry about that! Continuing:\n",
    ] {
        let mut parser = Parser::new();
        parser.push(r#"{"items": [{"id": 1, "name": "Ja"#);
        parser.next_round();
        parser.push(words);
        parser.push(r#"ne"}]}"#);
        let finished = parser.finish(End::Unknown);
        let shown = finished.snapshot().to_string();
        assert_eq!(shown, r#"{"items":[{"id":1,"name":"Jane"}]}"#, "{words:?} {:?}", finished.seams());
        let prose = finished.skipped().iter().next().expect("it is told what is left out");
        assert_eq!(prose.kind, jsonrill::SkipKind::Prose, "{words:?}");
    }
}

#[test]
fn the_exact_rest() {
    check(&[
        row(
            "in a string",
            &[r#"{"title":"Tea","body":"On a warm evening the pot"#, r#"ter sat down."}"#],
            r#"{"title":"Tea","body":"On a warm evening the potter sat down."}"#,
            SeamKind::Rest,
        )
        .drops(0),
        row("a blank in a string", &[r#"["one"#, r#" two"]"#], r#"["one two"]"#, SeamKind::Rest).certain(),
        row("in an escape", &[r#"{"p":"D:\"#, r#"\work"}"#], r#"{"p":"D:\\work"}"#, SeamKind::Rest).certain(),
        row("in a code", &[r#"["caf\u00"#, r#"e9","b"]"#], r#"["café","b"]"#, SeamKind::Rest).certain(),
        row("in a pair", &[r#"["\ud83d"#, r#"\ude00!"]"#], r#"["😀!"]"#, SeamKind::Rest).certain(),
        row("in a key", &[r#"{"first":1,"sec"#, r#"ond":2}"#], r#"{"first":1,"second":2}"#, SeamKind::Rest).certain(),
        row("after a key", &[r#"{"first":1,"second""#, ":2}"], r#"{"first":1,"second":2}"#, SeamKind::Rest).certain(),
        row("after a colon", &[r#"{"a":1,"b": "#, "[2]}"], r#"{"a":1,"b":[2]}"#, SeamKind::Rest).certain(),
        row("in a keyword", &[r#"{"ok": fal"#, r#"se, "n": 1}"#], r#"{"ok":false,"n":1}"#, SeamKind::Rest).certain(),
        row("after a comma", &["[1, \"two\",", " \"three\"]"], r#"[1,"two","three"]"#, SeamKind::Rest).certain(),
        row("after an opener", &[r#"{"a": {"#, r#""b": 1}}"#], r#"{"a":{"b":1}}"#, SeamKind::Rest).certain(),
        row(
            "in fenced JSON",
            &["```json\n{\"a\": \"first\\nsec", "ond\", \"b\": [1]}\n```\n"],
            r#"{"a":"first\nsecond","b":[1]}"#,
            SeamKind::Rest,
        ),
        row("cut twice", &[r#"{"a": "on"#, "e\", \"b", "\": 2}"], r#"{"a":"one","b":2}"#, SeamKind::Rest).certain(),
        row(
            "a value that says what is on the path, and closes the root",
            &[r#"{"b":{},"a":{"b":{},"a":"#, r#"{"a":{"b":{},"a":1}}}}"#],
            r#"{"b":{},"a":{"b":{},"a":{"a":{"b":{},"a":1}}}}"#,
            SeamKind::Rest,
        )
        .uncertain()
        .drops(0),
        row("cut again", &[r#"{"a": "on"#, "e\", \"b\": [1, 2"], r#"{"a":"one","b":[1,2]}"#, SeamKind::Rest).cut(),
    ]);
}

#[test]
fn a_scalar_at_the_cut() {
    check(&[
        row("more digits", &[r#"{"n": 12"#, "34}"], r#"{"n":1234}"#, SeamKind::Rest),
        row("it was whole", &[r#"{"n": 12"#, r#", "m": 1}"#], r#"{"n":12,"m":1}"#, SeamKind::Rest),
        row("a closer", &[r#"{"n": 12"#, "}"], r#"{"n":12}"#, SeamKind::Rest),
        row("one digit is glued", &[r#"{"n": 1"#, "1}"], r#"{"n":11}"#, SeamKind::Rest),
        row("its whole text is not", &[r#"{"n": 12"#, "12}"], r#"{"n":12}"#, SeamKind::Repeat).uncertain(),
        row("a fraction", &["[1", ".5, 2]"], "[1.5,2]", SeamKind::Rest),
        row("an exponent", &["[\"x\", 2e", "3]"], "[\"x\",2e3]", SeamKind::Rest),
    ]);
}

#[test]
fn a_repeat_and_then_the_rest() {
    check(&[
        row(
            "from within a string in single quotes",
            &["['first one', 'second one', 'third on", "cond one', 'third one', 4]"],
            r#"["first one","second one","third oncond one","third one",4]"#,
            SeamKind::Rest,
        )
        .uncertain(),
        row(
            "from the end of a string in single quotes",
            &["['first one', 'second one', 'third on", "', 'second one', 'third one', 4]"],
            r#"["first one","second one","third one",4]"#,
            SeamKind::Repeat,
        ),
        row(
            "from within a string, where the quotes are of both kinds",
            &["['first one', \"second one\", 'third on", "cond one\", 'third one', 4]"],
            r#"["first one","second one","third one",4]"#,
            SeamKind::Repeat,
        ),
        row(
            "what was said over and over may go on",
            &["[[1,2],[1,2],[1,2],[1,2],[1,2],", "[1,2],[1,2],[1,2],[1,2],[1,2],[1,2]]"],
            "[[1,2],[1,2],[1,2],[1,2],[1,2],[1,2]]",
            SeamKind::Repeat,
        )
        .uncertain(),
        row(
            "the cut element",
            &[r#"[{"id":1},{"id":2,"n":"par"#, r#"{"id":2,"n":"part two"},{"id":3}]"#],
            r#"[{"id":1},{"id":2,"n":"part two"},{"id":3}]"#,
            SeamKind::Repeat,
        )
        .drops(16),
        row(
            "re-spaced",
            &[r#"{"items": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Be"#, r#"{"id":2,"name":"Bert"},{"id":3}]}"#],
            r#"{"items":[{"id":1,"name":"Ann"},{"id":2,"name":"Bert"},{"id":3}]}"#,
            SeamKind::Repeat,
        ),
        row(
            "re-indented",
            &[
                r#"{"items":[{"id":1,"tags":["a","b"]},{"id":2,"tags":["c","#,
                "{\n  \"id\": 2,\n  \"tags\": [\n    \"c\",\n    \"d\"\n  ]\n}\n]\n}",
            ],
            r#"{"items":[{"id":1,"tags":["a","b"]},{"id":2,"tags":["c","d"]}]}"#,
            SeamKind::Repeat,
        ),
        row(
            "other quotes",
            &[
                r#"{"items": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Be"#,
                "{'id': 2, 'name': 'Bert'}, {'id': 3}]}",
            ],
            r#"{"items":[{"id":1,"name":"Ann"},{"id":2,"name":"Bert"},{"id":3}]}"#,
            SeamKind::Repeat,
        ),
        row(
            "bare keys",
            &[r#"{"items": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Be"#, r#"{id: 2, name: "Bert"}, {id: 3}]}"#],
            r#"{"items":[{"id":1,"name":"Ann"},{"id":2,"name":"Bert"},{"id":3}]}"#,
            SeamKind::Repeat,
        ),
        row(
            "a tail of many tokens",
            &[r#"{"a":1,"b":[2,3,4,5],"c":{"d":"e"},"f":"gh"#, r#"[2,3,4,5],"c":{"d":"e"},"f":"ghi"}"#],
            r#"{"a":1,"b":[2,3,4,5],"c":{"d":"e"},"f":"ghi"}"#,
            SeamKind::Repeat,
        )
        .drops(31),
        row(
            "a tail from within a string",
            &[
                r#"{"title":"A quiet evening","n":[1,2,3],"ok":true,"end":"Good ni"#,
                r#"evening","n":[1,2,3],"ok":true,"end":"Good night"}"#,
            ],
            r#"{"title":"A quiet evening","n":[1,2,3],"ok":true,"end":"Good night"}"#,
            SeamKind::Repeat,
        ),
        row("fewer tokens, and the plain rest parses", &["[1,2,1,2,", "1,2,3]"], "[1,2,1,2,1,2,3]", SeamKind::Rest),
        row("eight tokens", &["[1,2,3,4,5,6,7,8,9,", "6,7,8,9,10,11]"], "[1,2,3,4,5,6,7,8,9,10,11]", SeamKind::Repeat),
        row(
            "fewer, and it does not",
            &[r#"{"a": 1, "b": [2, 3]"#, r#""b": [2, 3], "c": 4}"#],
            r#"{"a":1,"b":[2,3],"c":4}"#,
            SeamKind::Repeat,
        ),
        row("surplus closers", &[r#"{"a": [1, 2"#, ", 3]}}]"], r#"{"a":[1,2,3]}"#, SeamKind::Rest),
        row(
            "all of the text that was held is a repeat",
            &[r#"{"a":"one","b":[1,2,3,4],"c":"tw"#, r#"{"a":"one","b":[1,2,3,4],"c":"tw"#],
            r#"{"a":"one","b":[1,2,3,4],"c":"tw"}"#,
            SeamKind::Restart,
        )
        .cut(),
    ]);
}

#[test]
fn the_whole_document_again() {
    check(&[
        row(
            "fenced, in a string",
            &[
                "```json\n{\"findings\":[{\"id\":1,\"t\":\"the call from PO",
                "```json\n{\"findings\":[{\"id\":1,\"t\":\"the call from POLO\"},{\"id\":2,\"t\":\"x\"}]}\n```",
            ],
            r#"{"findings":[{"id":1,"t":"the call from POLO"},{"id":2,"t":"x"}]}"#,
            SeamKind::Restart,
        ),
        row(
            "re-indented",
            &[
                r#"{"a":"one","b":[{"c":1},{"c":2}],"d":"tw"#,
                "{\n  \"a\": \"one\",\n  \"b\": [\n    {\"c\": 1},\n    {\"c\": 2}\n  ],\n  \"d\": \"two\"\n}\n",
            ],
            r#"{"a":"one","b":[{"c":1},{"c":2}],"d":"two"}"#,
            SeamKind::Restart,
        ),
        row(
            "longer",
            &[r#"{"a":"one","b":[1,2,3],"d":tr"#, r#"{"a":"one","b":[1,2,3],"d":true,"e":{"f":null}}"#],
            r#"{"a":"one","b":[1,2,3],"d":true,"e":{"f":null}}"#,
            SeamKind::Restart,
        ),
        row(
            "it contradicts a final value",
            &[r#"{"a":"x","n":[1,2],"b":"hel"#, r#"{"a":"y","n":[1,2],"b":"hello"}"#],
            "",
            SeamKind::Diverged,
        )
        .beside(&[r#"{"a":"x","n":[1,2],"b":"hel"}"#, r#"{"a":"y","n":[1,2],"b":"hello"}"#]),
        row(
            "it contradicts one far within",
            &[
                r#"{"a":"x","list":[{"id":1,"t":"a"},{"id":2,"t":"b"},{"id":3,"t":"c"#,
                r#"{"a":"x","list":[{"id":1,"t":"a"},{"id":2,"t":"B"},{"id":3,"t":"cc"}]}"#,
            ],
            "",
            SeamKind::Diverged,
        )
        .beside(&[
            r#"{"a":"x","list":[{"id":1,"t":"a"},{"id":2,"t":"b"},{"id":3,"t":"c"}]}"#,
            r#"{"a":"x","list":[{"id":1,"t":"a"},{"id":2,"t":"B"},{"id":3,"t":"cc"}]}"#,
        ]),
        row(
            "cut again within the repeat, and then the rest",
            &[r#"{"a":"one","b":[1,2,3,4],"c":"tw"#, r#"{"a":"one","b":[1,2,3"#, r#"o","d":4}"#],
            r#"{"a":"one","b":[1,2,3,4],"c":"two","d":4}"#,
            SeamKind::Rest,
        ),
    ]);
}

#[test]
fn new_members() {
    check(&[
        row(
            "a first element that agrees with element 0 is a restart",
            &[r#"[{"id":1,"t":"a"},{"id":2,"t":"b"#, r#"[{"id":1,"t":"a"},{"id":2,"t":"bb"}]"#],
            r#"[{"id":1,"t":"a"},{"id":2,"t":"bb"}]"#,
            SeamKind::Restart,
        ),
        row(
            "one that agrees with the cut element goes on with it",
            &[r#"[{"id":1,"t":"a"},{"id":2,"t":"b"#, r#"[{"id":2,"t":"bb"},{"id":3,"t":"c"}]"#],
            r#"[{"id":1,"t":"a"},{"id":2,"t":"bb"},{"id":3,"t":"c"}]"#,
            SeamKind::NewMembers,
        ),
        row(
            "with neither, all are new",
            &[r#"[{"id":1,"t":"a"},{"id":2,"t":"b"#, r#"[{"id":3,"t":"c"},{"id":4,"t":"d"}]"#],
            r#"[{"id":1,"t":"a"},{"id":2,"t":"b"},{"id":3,"t":"c"},{"id":4,"t":"d"}]"#,
            SeamKind::NewMembers,
        ),
        row(
            "an array between elements",
            &[r#"[{"id":1},{"id":2}"#, r#"[{"id":3},{"id":4}]"#],
            r#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#,
            SeamKind::NewMembers,
        ),
        row(
            "the path from the root",
            &[r#"{"data":{"items":[{"id":1},{"id":2}"#, r#"{"data":{"items":[{"id":3}]},"n":3}"#],
            r#"{"data":{"items":[{"id":1},{"id":2},{"id":3}]},"n":3}"#,
            SeamKind::NewMembers,
        ),
        row(
            "other members that are repeated agree",
            &[r#"{"a":1,"b":"x","items":[{"id":1},{"id":2}"#, r#"{"a":1,"items":[{"id":3}]}"#],
            r#"{"a":1,"b":"x","items":[{"id":1},{"id":2},{"id":3}]}"#,
            SeamKind::NewMembers,
        ),
    ]);
}

/// What a model thinks before it goes on, and what editors put before a text.
#[test]
fn what_is_before_the_rest() {
    check(&[
        row("reasoning", &[r#"{"a": 1"#, r#"<think>hm {"a": 2}</think>, "b": 2}"#], r#"{"a":1,"b":2}"#, SeamKind::Rest),
        row(
            "in an array of objects",
            &[r#"{"items": [{"id": 1}"#, r#"<think>hm {"a": 1} go</think>, {"id": 2}]}"#],
            r#"{"items":[{"id":1},{"id":2}]}"#,
            SeamKind::Rest,
        ),
        row(
            "in a string, and a fence",
            &[r#"["Hel"#, "<think>\nIt was \"Hel\".\n</think>\n\n```json\nlo\"]\n```"],
            r#"["Hello"]"#,
            SeamKind::Rest,
        ),
        row("a tag that is not known is text", &[r#"["Hel"#, r#"<b>lo</b>"]"#], r#"["Hel<b>lo</b>"]"#, SeamKind::Rest),
        row("reasoning that does not end", &["[1, ", "<think>hm [1, 2"], "[1]", SeamKind::Empty).cut(),
        row("a byte order mark", &["[1, ", "\u{feff}2]"], "[1,2]", SeamKind::Rest),
    ]);
    let mut parser = Parser::new();
    parser.push("[1, ");
    parser.next_round();
    parser.push("\u{feff}<think>hm</think>\nHere is the rest:\n```json\n2]\n```");
    let finished = parser.finish(End::Stopped);
    let told: Vec<_> = finished.skipped().iter().map(|skip| (skip.kind.as_str(), skip.span.start)).collect();
    let kinds = ["bom", "tag", "reasoning", "tag", "prose", "fence", "fence"];
    assert_eq!(told.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), kinds, "{told:?}");
}

/// The rest of a document that is escaped, or has its quotes doubled, as a whole.
#[test]
fn the_rest_through_a_layer() {
    check(&[
        row(
            "an object where a value is due",
            &[r#"[{\"a\": "#, r#"[{\"b\": 1}]}]"#],
            r#"[{"a":[{"b":1}]}]"#,
            SeamKind::Rest,
        ),
        row(
            "a closer",
            &[r#"{\"a\": {\"c\": {\"d\": 1}"#, r#"}, \"e\": 2}"#],
            r#"{"a":{"c":{"d":1}},"e":2}"#,
            SeamKind::Rest,
        ),
        row("an element", &[r#"{""a"": ["#, r#"{""b"": 1}], ""n"": 3}"#], r#"{"a":[{"b":1}],"n":3}"#, SeamKind::Rest),
        row("in a pair", &[r#"{\"a\": \"x\"#, r#"", \"b\": 2}"#], r#"{"a":"x","b":2}"#, SeamKind::Rest),
    ]);
}

/// What was taken for the start of a document, and the start of a round in it that was left out.
#[test]
fn nothing_is_lost_where_a_document_was_none() {
    for (rounds, from) in [(&["[1, ", "Continuing:\nhello {\"k\": 1}]"][..], 0), (&["a [[1, ", "é\naé2], [3, 4]]"], 0)]
    {
        let finished = read(rounds, End::Unknown);
        let text = rounds.concat();
        let mut told = vec![false; text.len()];
        let documents = finished.documents().map(|document| document.span);
        for span in finished.skipped().iter().map(|skip| skip.span).chain(documents) {
            told[span.range()].fill(true);
        }
        let lost = (from..text.len()).filter(|at| !told[*at] && !text.as_bytes()[*at].is_ascii_whitespace());
        assert_eq!(lost.collect::<Vec<_>>(), [0; 0], "{rounds:?} {:?}", finished.skipped());
    }
}

/// What the end of the text would make of the cut is not what the parser goes on with.
#[test]
fn what_is_not_settled_at_the_cut() {
    for rounds in [
        [r#"["he said "hi", then "{x} har"#, r#"["he said "hi", then "{x} harbour"]"#],
        [r#"["a b"，"{x} har"#, r#"["a b"，"{x} harbour"]"#],
        // It may be none of the answer.
        ["{ k", "```json\ney2: false}\n```"],
        ["{ key", "I'm sorry, I cannot continue."],
        ["{\n  k", "Here is the complete JSON:\n```json\n{\n  key: 1}\n```"],
    ] {
        let finished = read(&rounds, End::Unknown);
        assert!(finished.seams().iter().all(|seam| !seam.is_certain), "{rounds:?}: {:?}", finished.seams());
    }
}

/// The quote that closes it may be that of either round.
#[test]
fn a_string_in_quotes_of_two_kinds_is_not_certain() {
    for rounds in [
        &["[{\"q\": \"x y", "[{'q': 'x y", " z', 'r': 1}]"][..],
        &["[{\"q\": \"x y", "[{'q': 'x y z", "", " w', 'r': 1}]"],
    ] {
        let finished = read(rounds, End::Unknown);
        assert_eq!(finished.seams().last().map(|seam| seam.is_certain), Some(false), "{rounds:?}");
    }
}

#[test]
fn a_round_of_blanks_in_a_string_may_be_text() {
    for (rounds, is_certain) in [
        ([r#"["say:"#, " "], false),
        ([r#"["say:"#, "\n"], false),
        ([r#"{"say:"#, " "], false),
        ([r#"["say:"#, ""], true),
        ([r#"["say:","#, " "], true),
    ] {
        let finished = read(&rounds, End::Unknown);
        let seam = &finished.seams()[0];
        assert_eq!((seam.kind, seam.is_certain), (SeamKind::Empty, is_certain), "{rounds:?}");
    }
}

#[test]
fn what_is_certain_of_the_rest() {
    check(&[
        row("digits may be a new number", &[r#"{"a": 1"#, "2}"], r#"{"a":12}"#, SeamKind::Rest).uncertain(),
        row("a fraction is of the one before", &[r#"{"a": 22"#, ".50}"], r#"{"a":22.50}"#, SeamKind::Rest).certain(),
        row("and so are its digits", &[r#"{"a": 22."#, "50}"], r#"{"a":22.50}"#, SeamKind::Rest).certain(),
        row(
            "words that introduce the rest in the same line",
            &[r#"{"a": "Blue wid"#, r#"Sure, here is the rest: get"}"#],
            r#"{"a":"Blue widSure, here is the rest: get"}"#,
            SeamKind::Rest,
        )
        .uncertain(),
    ]);
    // Where a string goes on, all this may be its text, or none of it.
    let first = r#"{"a": "Blue wid"#;
    for (aside, dropped) in [
        ("...", 0),
        (" ... ", 0),
        ("[...] ", 0),
        ("(…)", 0),
        ("**Continued:** ", 0),
        ("\u{feff}", 0),
        ("</think>", 0),
        ("Where was I?</think>", 0),
        ("[/THINK]", 0),
        ("and so on:\n```json\n", 19),
        ("Voici la suite :\n", 17),
    ] {
        let finished = read(&[first, &format!(r#"{aside}get", "b": 1}}"#)], End::Unknown);
        let text = format!("Blue wid{}get", if dropped == 0 { aside } else { "" });
        assert_eq!(finished.snapshot().at("/a"), text.as_str());
        let seam = &finished.seams()[0];
        assert_eq!((seam.kind, seam.dropped, seam.is_certain), (SeamKind::Rest, dropped, false), "{aside}");
    }
    for round in ["get', 'b': 1}", "get'}", "get’, ‘b’: 1}", "get': 1}"] {
        let finished = read(&[first, round], End::Unknown);
        assert!(!finished.seams()[0].is_certain, "{round}");
    }
    for round in
        ["get's, and more\", 1]}", "<b>get</b>\"}", "get 'b', 'c'\"}", "get (as it's called)\"}", "\\\"get\\\", \"}"]
    {
        let finished = read(&[first, round], End::Unknown);
        assert!(finished.seams()[0].is_certain, "{round}");
    }
}

/// The cut is behind a whole value, and the next one follows at once.
#[test]
fn a_comma_that_is_missing() {
    check(&[
        row(
            "between elements",
            &[r#"{"items": [{"id": 1, "name": "A"}"#, "\n {\"id\": 2, \"name\": \"B\"}, {\"id\": 3}]}"],
            r#"{"items":[{"id":1,"name":"A"},{"id":2,"name":"B"},{"id":3}]}"#,
            SeamKind::Rest,
        )
        .drops(0),
        row(
            "before one that is cut again",
            &[r#"{"items": [{"id": 1, "name": "A"}"#, r#"{"id": 2, "name": "B"}"#],
            r#"{"items":[{"id":1,"name":"A"},{"id":2,"name":"B"}]}"#,
            SeamKind::Rest,
        )
        .cut(),
        row("between arrays", &[r#"{"s": [[1, 2]"#, "[3, 4]]}"], r#"{"s":[[1,2],[3,4]]}"#, SeamKind::Rest),
        row("between members", &[r#"{"a": {"b": 1}"#, r#""c": 2}"#], r#"{"a":{"b":1},"c":2}"#, SeamKind::Rest),
        row("behind a string", &[r#"{"a": "London""#, r#""b": 36}"#], r#"{"a":"London","b":36}"#, SeamKind::Rest),
        row("between strings", &[r#"["London" "#, r#""Paris"]"#], r#"["London","Paris"]"#, SeamKind::Rest),
        row("between numbers", &["[126", "\n65.5, 7]"], "[126,65.5,7]", SeamKind::Rest),
        row("fenced", &["[true", "```json\n false]\n```"], "[true,false]", SeamKind::Rest),
        row("escaped", &[r#"{\"a\": \"x\""#, r#"\"b\": 2}"#], r#"{"a":"x","b":2}"#, SeamKind::Rest),
        // What is said again is a repeat, and a container that fits in no other way is around new members.
        row("but an element again", &[r#"["a""#, r#""a", "b"]"#], r#"["a","b"]"#, SeamKind::Repeat),
        row("but a number again", &["[1, 20", "\n20, 3]"], "[1,20,3]", SeamKind::Repeat),
        row(
            "but an object of members",
            &[r#"{"a": {"b": 1}"#, r#"{"c": 2}"#],
            r#"{"a":{"b":1},"c":2}"#,
            SeamKind::NewMembers,
        ),
        row("but an array of elements", &[r#"{"a": ["b""#, r#"["c"]"#], r#"{"a":["b","c"]}"#, SeamKind::NewMembers)
            .cut(),
        row("but an array of arrays", &["[[1, 2]", "[[3, 4], [5, 6]]"], "[[1,2],[3,4],[5,6]]", SeamKind::NewMembers),
    ]);
}

/// Braces or brackets around the new members, behind which the members go on: their closer is none of the document's.
#[test]
fn members_go_on_behind_their_container() {
    check(&[
        row(
            "behind a whole value",
            &[r#"{"a": {"x": 1}"#, r#"{"b": 2}, "d": 1}"#],
            r#"{"a":{"x":1},"b":2,"d":1}"#,
            SeamKind::NewMembers,
        )
        .uncertain()
        .drops(1),
        row(
            "behind a comma, fenced",
            &[r#"{"a": 1, "#, "```json\n{\"b\": 2},\n\"d\": {\"e\": [1]}}\n```"],
            r#"{"a":1,"b":2,"d":{"e":[1]}}"#,
            SeamKind::NewMembers,
        ),
        row(
            "the cut member left out",
            &[r#"{"a": "On a co"#, r#"{"d": "x}"}, "e": 5}"#],
            r#"{"a":"On a co","d":"x}","e":5}"#,
            SeamKind::NewMembers,
        ),
        row(
            "the cut member again",
            &[r#"{"a": 1, "b": "x", "c": "On a co"#, r#"{"c": "On a cold day"}, "d": 4}"#],
            r#"{"a":1,"b":"x","c":"On a cold day","d":4}"#,
            SeamKind::NewMembers,
        ),
        row(
            "the path to an array, and members behind that",
            &[r#"{"a": 1, "items": [{"id": 1}, {"id": 2}"#, r#"{"items": [{"id": 3}]}, "n": 3}"#],
            r#"{"a":1,"items":[{"id":1},{"id":2},{"id":3}],"n":3}"#,
            SeamKind::NewMembers,
        ),
        row(
            "an array around an element that is cut, and others behind it",
            &[r#"{"items": [{"id": 1}, {"id": 2, "t": "o"#, r#"[{"id": 2, "t": "one"}], {"id": 3}], "n": 1}"#],
            r#"{"items":[{"id":1},{"id":2,"t":"one"},{"id":3}],"n":1}"#,
            SeamKind::NewMembers,
        ),
        row(
            "in an element, behind which no element is",
            &[r#"[{"id": 1, "#, r#"{"n": 2}, "m": 3}, {"id": 4}]"#],
            r#"[{"id":1,"n":2,"m":3},{"id":4}]"#,
            SeamKind::NewMembers,
        ),
        row(
            "in an object, by how often that is closed",
            &[r#"{"r": {"a": 1, "#, r#"{"b": 2}, "d": 1}}"#],
            r#"{"r":{"a":1,"b":2,"d":1}}"#,
            SeamKind::NewMembers,
        ),
        // What is open around it goes on behind its own closer.
        row(
            "but in an element, behind which the next one is",
            &[r#"[{"id": 1, "#, r#"{"n": 2}, {"id": 4}]"#],
            r#"[{"id":1,"n":2},{"id":4}]"#,
            SeamKind::NewMembers,
        )
        .drops(1),
        row(
            "but in an object that is closed once",
            &[r#"{"r": {"a": 1, "#, r#"{"b": 2}, "d": 1}"#],
            r#"{"r":{"a":1,"b":2},"d":1}"#,
            SeamKind::NewMembers,
        ),
        row(
            "but with nothing behind the comma",
            &[r#"{"a": {"x": 1}"#, r#"{"b": 2},"#],
            r#"{"a":{"x":1},"b":2}"#,
            SeamKind::NewMembers,
        ),
    ]);
    // In the round after, what was left out is no part of the text before.
    let finished = read(&[r#"{"a": {"x": 1}"#, r#"{"b": 2}, "d": 1"#, r#""b": 2, "d": 1, "e": 3}"#], End::Unknown);
    assert_eq!(finished.snapshot().to_string(), r#"{"a":{"x":1},"b":2,"d":1,"e":3}"#, "{:?}", finished.seams());
    assert_eq!(finished.seams()[1].kind, SeamKind::Repeat);
    let finished = read(&[r#"{"a": {"x": 1}"#, r#"{"b": 2}, "d": 1}"#], End::Unknown);
    let told: Vec<_> = finished.skipped().iter().map(|skip| (skip.kind.as_str(), skip.span.range())).collect();
    assert_eq!(told, [("repeat", 14..15), ("closer", 21..22)]);
    assert_eq!(finished.snapshot().at("/b").span().map(jsonrill::Span::range), Some(20..21));
    assert_eq!(finished.snapshot().at("/d").span().map(jsonrill::Span::range), Some(29..30));
}

/// Blanks are before a repeat that begins in a string: no line break stands in one.
#[test]
fn blanks_before_a_repeat() {
    check(&[
        row("a quote that closes a key", &[r#"{"a": 1, "bc":"#, "\n\": 2}"], r#"{"a":1,"bc":2}"#, SeamKind::Repeat)
            .uncertain()
            .drops(3),
        row("behind other blanks", &[r#"{"a": 1, "bc":"#, r#"  ": 2}"#], r#"{"a":1,"bc":2}"#, SeamKind::Repeat)
            .uncertain(),
        row("without its colon", &[r#"{"a": 1, "bc""#, "\r\n\": 2}"], r#"{"a":1,"bc":2}"#, SeamKind::Repeat)
            .uncertain(),
        row("a quote that closes a string", &[r#"["a","#, "\n\", \"b\"]"], r#"["a","b"]"#, SeamKind::Repeat)
            .uncertain(),
        row(
            "words of a string",
            &[r#"["one", "hello wor"#, "\n\nhello world\"]"],
            r#"["one","hello world"]"#,
            SeamKind::Repeat,
        )
        .uncertain(),
        row(
            "from within a key on",
            &[r#"{"first": 1, "second": "#, "\ncond\": 2}"],
            r#"{"first":1,"second":2}"#,
            SeamKind::Repeat,
        ),
        // A letter or two are there again by chance, and so may be words behind a space.
        row("but a letter", &[r#"["the cat sat"#, "\nto it\"]"], "[\"the cat sat\\nto it\"]", SeamKind::Rest)
            .uncertain(),
        row("but a word in the line", &[r#"["(the"#, r#" the end"]"#], r#"["(the the end"]"#, SeamKind::Rest).certain(),
        row("but text", &[r#"{"a": "#, "\n\": 2\"}"], r#"{"a":": 2"}"#, SeamKind::Rest).uncertain(),
    ]);
}

/// Blanks before the rest of a number or a keyword. They end a number, so that digits behind them are another one, whose
/// comma is missing; but a response may begin with a line break by habit, and then they go on with it: nobody can know.
/// What cannot be another value, or behind what cannot be one, goes on with the token.
#[test]
fn blanks_in_a_token() {
    check(&[
        row("digits", &[r#"["x", 10"#, "\n0, 20]"], r#"["x",10,0,20]"#, SeamKind::Rest).uncertain(),
        row("digits behind a space", &[r#"["x", 10"#, " 0, 20]"], r#"["x",10,0,20]"#, SeamKind::Rest).uncertain(),
        row("a sign", &[r#"["x", 10"#, "\n-5, 20]"], r#"["x",10,-5,20]"#, SeamKind::Rest),
        row("a comma", &[r#"["x", 10"#, "\n, 20]"], r#"["x",10,20]"#, SeamKind::Rest).certain(),
        row("a fraction", &["[1", "\n.5, 2]"], "[1.5,2]", SeamKind::Rest).uncertain(),
        row("an exponent", &["[1", "\ne5]"], "[1e5]", SeamKind::Rest).uncertain(),
        row("behind a point", &["[1.", "\n5]"], "[1.5]", SeamKind::Rest).uncertain(),
        row("behind a sign", &["[-", "\n5]"], "[-5]", SeamKind::Rest).uncertain(),
        row("in a keyword", &["[tr", "\n ue]"], "[true]", SeamKind::Rest).uncertain(),
        row("in a keyword, and cut again", &["[f", "\nal", "\nse]"], "[false]", SeamKind::Rest).uncertain(),
    ]);
}

/// An ellipsis before the rest says that it goes on. In a string it may be text, and between elements it may stand for
/// some that were left out.
#[test]
fn an_ellipsis_before_the_rest() {
    check(&[
        row("in an array", &["[1, ", "...2]"], "[1,2]", SeamKind::Rest).uncertain().drops(3),
        row("one sign, and a blank", &["[1, ", "… 2]"], "[1,2]", SeamKind::Rest).uncertain().drops(3),
        row("in a number", &["[1", "...2]"], "[12]", SeamKind::Rest).uncertain().drops(3),
        row("behind a number", &["[1", "..., 2]"], "[1,2]", SeamKind::Rest).uncertain(),
        row("in a keyword", &["[tr", "...ue]"], "[true]", SeamKind::Rest).uncertain(),
        row("before a key", &[r#"{"a": 1, "#, r#"..."b": 2}"#], r#"{"a":1,"b":2}"#, SeamKind::Rest).uncertain(),
        row("before a comma", &[r#"{"a": 1"#, r#"...., "b": 2}"#], r#"{"a":1,"b":2}"#, SeamKind::Rest).uncertain(),
        row("before a value", &[r#"{"a": "#, "...2}"], r#"{"a":2}"#, SeamKind::Rest).uncertain(),
        row(
            "before a repeat",
            &[r#"{"a": 1, "bc": [1, 2, 3, 4"#, r#"..."bc": [1, 2, 3, 4, 5]}"#],
            r#"{"a":1,"bc":[1,2,3,4,5]}"#,
            SeamKind::Repeat,
        )
        .uncertain(),
        row("fenced", &["[1", "```json\n...2]\n```"], "[12]", SeamKind::Rest).uncertain(),
        row("nothing behind it", &["[1, ", "..."], "[1]", SeamKind::Empty).cut(),
        row("in a line of its own in a string", &[r#"["Hel"#, "...\nlo\"]"], r#"["Hello"]"#, SeamKind::Rest),
        row("but in a string", &[r#"["Hel"#, r#"...lo"]"#], r#"["Hel...lo"]"#, SeamKind::Rest).uncertain(),
        row("but one sign in a string", &[r#"["Hel"#, r#"…lo"]"#], r#"["Hel…lo"]"#, SeamKind::Rest).uncertain(),
        row("but a fraction", &["[1", ".5]"], "[1.5]", SeamKind::Rest).certain(),
    ]);
}

/// What a seam put between two rounds is part of the text that the next one may repeat.
#[test]
fn what_was_supplied_is_said_again() {
    check(&[
        row(
            "the quote of the cut member",
            &[r#"{"a": "On a co"#, r#"{"d": 4, "e": "fo"#, r#"{"a": "On a co", "d": 4, "e": "foo"}"#],
            r#"{"a":"On a co","d":4,"e":"foo"}"#,
            SeamKind::Restart,
        ),
        row(
            "closers",
            &[
                r#"{"n": [{"id": 1, "t": ["a", "b"#,
                r#"{"id": 2, "t": ["c"]}, {"id": 3, "t": ["d"#,
                r#"{"n": [{"id": 1, "t": ["a", "b"]}, {"id": 2, "t": ["c"]}, {"id": 3, "t": ["d"]}]}"#,
            ],
            r#"{"n":[{"id":1,"t":["a","b"]},{"id":2,"t":["c"]},{"id":3,"t":["d"]}]}"#,
            SeamKind::Restart,
        )
        .certain(),
        row(
            "closers of what agrees, before new members",
            &[
                r#"{"m": {"k": {"x": "lo"#,
                r#"{"m": {"k": {"x": "lo"}}, "n": 1, "#,
                r#"{"m": {"k": {"x": "lo"}}, "n": 1, "o": [2]}"#,
            ],
            r#"{"m":{"k":{"x":"lo"}},"n":1,"o":[2]}"#,
            SeamKind::Restart,
        ),
        row(
            "a comma",
            &[
                r#"[{"id": 1}"#,
                r#"{"id": 2, "n": "x"}, {"id": 3, "n": "y"#,
                r#"[{"id": 1}, {"id": 2, "n": "x"}, {"id": 3, "n": "yz"}]"#,
            ],
            r#"[{"id":1},{"id":2,"n":"x"},{"id":3,"n":"yz"}]"#,
            SeamKind::Restart,
        ),
        row(
            "half an escape",
            &[r#"{"a": "caf\u00"#, r#"{"a": "café au", "b": "x"#, r#"{"a": "café au", "b": "xy"}"#],
            r#"{"a":"café au","b":"xy"}"#,
            SeamKind::Restart,
        ),
        row(
            "the rest of a string in other quotes",
            &[
                "{'a': 'one', 'b': 'tw",
                r#"{"a": "one", "b": "two", "c": "thr"#,
                r#"{"a": "one", "b": "two", "c": "three"}"#,
            ],
            r#"{"a":"one","b":"two","c":"three"}"#,
            SeamKind::Restart,
        ),
        row(
            "a value that a closer ended, and then something new",
            &[r#"{"a": {"k": "x"#, r#"{"d": 4, "e": {"f": "fo"#, r#"{"d": 4, "e": {"f": "foo"}}"#],
            r#"{"a":{"k":"x","d":4,"e":{"f":"foo"}}}"#,
            SeamKind::NewMembers,
        )
        .cut(),
    ]);
}

/// Signs of full width are those of structure, in what is before the cut as well.
#[test]
fn full_width_signs_at_the_cut() {
    check(&[
        row("a comma", &[r#"[{"id": 1}，"#, r#"{"id": 2}]"#], r#"[{"id":1},{"id":2}]"#, SeamKind::Rest),
        row("a comma behind a number", &["[1、", "2]"], "[1,2]", SeamKind::Rest),
        row("a colon", &[r#"{"a"："#, "1}"], r#"{"a":1}"#, SeamKind::Rest),
        row("a colon again", &[r#"{"a": 1, "b"："#, r#"": 2}"#], r#"{"a":1,"b":2}"#, SeamKind::Repeat).uncertain(),
        row(
            "an element again",
            &[r#"[{"id"：1}，{"id"：2，"n"：3"#, r#"{"id": 2, "n": 3}, {"id": 4}]"#],
            r#"[{"id":1},{"id":2,"n":3},{"id":4}]"#,
            SeamKind::Repeat,
        ),
        row(
            "the rest begins with one",
            &[r#"[{"id": 1}"#, r#"，{"id": 2}]"#],
            r#"[{"id":1},{"id":2}]"#,
            SeamKind::Rest,
        ),
    ]);
    for (first, next) in [("[1，", "2]"), ("{\"a\": 1，", "\"b\": 2}"), ("[{\"id\": 1}，", "{\"id\": 2}]")] {
        let finished = read(&[first, next], End::Unknown);
        let repairs: Vec<_> = finished.repairs().iter().map(|repair| repair.kind.as_str()).collect();
        assert_eq!(repairs, ["full_width"], "the comma is there: {first}");
    }
}

#[test]
fn new_members_where_they_belong() {
    check(&[
        row(
            "bare elements, the cut one left out, behind a string that is cut",
            &[
                r#"{"items": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Ja"#,
                r#"{"id": 3, "name": "Cy"}, {"id": 4, "name": "Di"}]}"#,
            ],
            r#"{"items":[{"id":1,"name":"Ann"},{"id":2,"name":"Ja"},{"id":3,"name":"Cy"},{"id":4,"name":"Di"}]}"#,
            SeamKind::NewMembers,
        ),
        row(
            "the same, fenced, and in an array of its elements",
            &[
                r#"{"items": [{"id": 1, "tags": ["a"]}, {"id": 2, "tags": ["b", "c"#,
                "Here is the rest:\n```json\n{\"id\": 3, \"tags\": []}]}\n```",
            ],
            r#"{"items":[{"id":1,"tags":["a"]},{"id":2,"tags":["b","c"]},{"id":3,"tags":[]}]}"#,
            SeamKind::NewMembers,
        ),
        row(
            "an array belongs to the elements that are like its own",
            &[
                r#"[{"id": 1, "tags": ["a"]}, {"id": 2, "tags": ["b", "c"#,
                r#"[{"id": 3, "tags": []}, {"id": 4, "tags": []}]"#,
            ],
            r#"[{"id":1,"tags":["a"]},{"id":2,"tags":["b","c"]},{"id":3,"tags":[]},{"id":4,"tags":[]}]"#,
            SeamKind::NewMembers,
        ),
        row(
            "also where an inner object is open",
            &[r#"{"title": "My report", "meta": {"author": "Ann", "#, r#"{"title": "My report", "sections": [1]}"#],
            r#"{"title":"My report","meta":{"author":"Ann"},"sections":[1]}"#,
            SeamKind::NewMembers,
        ),
        row(
            "or it is another document",
            &[r#"{"a":1,"b":"x","items":[{"id":1},{"id":2}"#, r#"{"a":2,"items":[{"id":3}]}"#],
            "",
            SeamKind::Diverged,
        )
        .beside(&[r#"{"a":1,"b":"x","items":[{"id":1},{"id":2}]}"#, r#"{"a":2,"items":[{"id":3}]}"#]),
        row(
            "an object around the new members",
            &[r#"{"a":1,"b":"x","c":[1,2]"#, r#"{"d":4,"e":5}"#],
            r#"{"a":1,"b":"x","c":[1,2],"d":4,"e":5}"#,
            SeamKind::NewMembers,
        ),
        row(
            "the cut member again",
            &[r#"{"a":1,"b":"x","c":"On a co"#, r#"{"c":"On a cold day","d":4}"#],
            r#"{"a":1,"b":"x","c":"On a cold day","d":4}"#,
            SeamKind::NewMembers,
        ),
        row(
            "the cut member left out",
            &[r#"{"a":1,"b":"x","c":"On a co"#, r#"{"d":4,"e":5}"#],
            r#"{"a":1,"b":"x","c":"On a co","d":4,"e":5}"#,
            SeamKind::NewMembers,
        ),
        row(
            "fenced and introduced",
            &[
                r#"[{"id":1,"t":"a"},{"id":2,"t":"b"#,
                "Here are the remaining items:\n\n```json\n[\n  {\"id\": 2, \"t\": \"bb\"},\n  {\"id\": 3, \"t\": \"c\"}\n]\n```",
            ],
            r#"[{"id":1,"t":"a"},{"id":2,"t":"bb"},{"id":3,"t":"c"}]"#,
            SeamKind::NewMembers,
        ),
    ]);
}

#[test]
fn what_is_around_in_an_open_string() {
    check(&[
        row(
            "a fence",
            &[r#"{"a": "one tw"#, "```json\no\", \"b\": 2}\n```"],
            r#"{"a":"one two","b":2}"#,
            SeamKind::Rest,
        )
        .drops(8),
        row("a fence without a name", &[r#"{"a": "one"#, "```\n two\"}\n```"], r#"{"a":"one two"}"#, SeamKind::Rest),
        row(
            "an introduction",
            &[r#"{"a": "one tw"#, "Here is the continuation:\no\", \"b\": 2}"],
            r#"{"a":"one two","b":2}"#,
            SeamKind::Rest,
        )
        .drops(26),
        row(
            "both",
            &[r#"{"a": "one tw"#, "Continuing from where I left off…\n\n```json\no\", \"b\": 2}\n```"],
            r#"{"a":"one two","b":2}"#,
            SeamKind::Rest,
        ),
        row(
            "no fence: it is not alone on its line",
            &[r#"{"md": "Type "#, "```json and a name\", \"b\": 1}"],
            r#"{"md":"Type ```json and a name","b":1}"#,
            SeamKind::Rest,
        )
        .drops(0),
        row(
            "no introduction: there is no new line",
            &[r#"{"a": "It says: "#, r#"Here is the continuation: none.", "b": 1}"#],
            r#"{"a":"It says: Here is the continuation: none.","b":1}"#,
            SeamKind::Rest,
        )
        .drops(0),
        row(
            "a refusal",
            &[r#"{"a": "one tw"#, "I'm sorry, but I can't continue this."],
            r#"{"a":"one tw"}"#,
            SeamKind::Refused,
        )
        .cut()
        .drops(37),
        row(
            "a refusal, and then the rest",
            &[r#"{"a": "one tw"#, "I'm sorry, but I can't continue this.", "o\"}"],
            r#"{"a":"one two"}"#,
            SeamKind::Rest,
        ),
        row(
            "a character who is sorry",
            &[r#"{"a": "She said: "#, r#"I'm sorry, but I can't stay.", "b": 1}"#],
            r#"{"a":"She said: I'm sorry, but I can't stay.","b":1}"#,
            SeamKind::Rest,
        ),
        row("text without structure", &[r#"{"a": "one"#, " and two and"], r#"{"a":"one and two and"}"#, SeamKind::Rest)
            .cut(),
    ]);
}

#[test]
fn between_tokens() {
    check(&[
        row(
            "a refusal",
            &[r#"{"a": [1, 2],"#, "I'm sorry, but I can't continue this."],
            r#"{"a":[1,2]}"#,
            SeamKind::Refused,
        )
        .cut(),
        row("nothing", &[r#"{"a": "x"#, ""], r#"{"a":"x"}"#, SeamKind::Empty).cut().drops(0),
        row("nothing, and then the rest", &[r#"{"a": "x"#, "", "y\"}"], r#"{"a":"xy"}"#, SeamKind::Rest),
        row("a fence", &[r#"{"a": [1, "#, "```json\n2]}\n```"], r#"{"a":[1,2]}"#, SeamKind::Rest),
        row("an introduction", &[r#"{"a": [1, "#, "Here is the rest:\n\n2]}"], r#"{"a":[1,2]}"#, SeamKind::Rest),
    ]);
}

/// No second document: the updates of the rounds are those of one.
/// A scalar turns into prose behind the cut, and is read again: what lies there was left out, and is no part of it.
#[test]
fn what_is_read_again_keeps_its_place() {
    for (first, next) in [("\"", "```json\n{\"\":{\"b\":1}}\n```"), ("\"a", "A\n\"b\",,"), ("\"\u{e9}", "b\u{1f}\"x")] {
        let rounds = [first, next].map(|text| Input(text.as_bytes().to_vec()));
        assert_eq!(laws::keep(&options(Dialect::Lenient), &rounds, &Chunking::Whole, End::Unknown), Ok(()), "{next}");
    }
    let finished = read(&["\"", "```json\n{\"a\":{\"b\":1}}\n```"], End::Unknown);
    assert_eq!(finished.snapshot().root().span().map(jsonrill::Span::range), Some(9..22));
    assert_eq!(finished.snapshot().at("/a").span().map(jsonrill::Span::range), Some(14..21));
}

/// What a seam leaves out within a key or string is no part of what is read again, nor of what is counted in it.
#[test]
fn what_is_read_again_is_around_what_was_left_out() {
    // The key ends at its colon, which is before the cut; the document with what closes it.
    let [first, second, third] = ["({\"first\": , \"seco", "'second': 2})", "eco'second': 2});,[{\"a\":["];
    let finished = read(&[first, second, third], End::Unknown);
    assert_eq!(finished.snapshot().to_string(), r#"{"first":null,"seco'second'":2}"#);
    let cut = first.len() + second.len();
    let document = finished.documents().next().map(|document| document.span.range());
    assert_eq!(document, Some(1..cut - 1));
    let quote = finished.repairs().iter().find(|repair| repair.kind == RepairKind::MissingQuote);
    assert_eq!(quote.map(|repair| repair.span.range()), Some(cut - 5..cut - 5));
    let prose = finished.skipped().iter().filter(|skip| skip.kind == SkipKind::Prose);
    let prose: Vec<_> = prose.map(|skip| skip.span.range()).collect();
    assert_eq!(prose, [0..1, cut - 1..cut, cut + 16..cut + 18]);
    // The quote that closes the string is missing: what is structure in it is before what was left out, or around it.
    for (first, next) in [
        ("{\"a\": \"the end,\n  \"b\": \"", "```json\nx\"}\n```"),
        ("{\"a\": \"the end, ", "Here is the rest:\n\"b\": 1}"),
        ("[\"the end], ", "```json\n2]\n```"),
        ("{key one", "Here is the rest:\n: 1}"),
    ] {
        let rounds = [first, next].map(|text| Input(text.as_bytes().to_vec()));
        for chunking in [Chunking::Whole, Chunking::Every(1)] {
            assert_eq!(laws::keep(&options(Dialect::Lenient), &rounds, &chunking, End::Unknown), Ok(()), "{next}");
        }
    }
}

/// What of a string a round has in other quotes is read, and told as nothing else, though it is read in another spelling.
#[test]
fn what_is_read_in_another_spelling_is_not_left_out() {
    for (first, next, dropped) in [
        (r#"{"a": "he said "#, r#"{'a': 'he said it\'s "b"', 'c': 1}"#, 15),
        (r#"{"a": "he said \"#, r"{'a': 'he said \\ it\'s', 'c': 1}", 15),
        ("{ :,,\"\\", "{ :,,\"\\ \\\"}\u{1}\"", 6),
    ] {
        let rounds = [first, next].map(|text| Input(text.as_bytes().to_vec()));
        assert_eq!(
            laws::keep(&options(Dialect::Lenient), &rounds, &Chunking::Every(1), End::Unknown),
            Ok(()),
            "{next}"
        );
        let finished = read(&[first, next], End::Unknown);
        assert_eq!(finished.seams()[0].dropped, dropped, "{next}");
        let repeat = finished.skipped().iter().find(|skip| skip.kind == SkipKind::Repeat);
        let length = usize::try_from(dropped).unwrap();
        assert_eq!(repeat.map(|skip| skip.span.range()), Some(first.len()..first.len() + length), "{next}");
    }
}

/// What closes the containers at the cut may be longer than what it stands for.
#[test]
fn what_is_supplied_lies_behind_the_cut() {
    for (first, next) in [
        ("{\"a\": {\"b\": [[false, \"", "{\"c\": null}}"),
        ("{\"a\": {\"b\": [[[[[[[[[false, \"x", "{\"c\": null}}"),
        ("[[[[[[[[[1, \"x\"", "[[2, \"y\"]]"),
        ("{]\"]", "{\"id\": 1, \"name\": \"x"),
    ] {
        let rounds = [first, next].map(|text| Input(text.as_bytes().to_vec()));
        assert_eq!(laws::keep(&options(Dialect::Lenient), &rounds, &Chunking::Whole, End::Unknown), Ok(()), "{first}");
    }
}

/// An escape at the cut shows that what is before it is text, also where the seam leaves the escape out.
#[test]
fn what_an_escape_shows_stays() {
    for (first, next) in
        [("{\"n\": [\n```{\"id\": 1, \"name\": \"x]// c\n\\", "\\\"a\""), ("[`\"x\n\\", "\\\"a\""), ("[\"a,\\", "[1]")]
    {
        let rounds = [first, next].map(|text| Input(text.as_bytes().to_vec()));
        assert_eq!(laws::keep(&options(Dialect::Lenient), &rounds, &Chunking::Whole, End::Unknown), Ok(()), "{first}");
    }
}

#[test]
fn updates_go_on_across_the_cut() {
    let mut parser = Parser::new();
    let first = parser.feed(r#"{"items":[{"id":1,"t":"one"},{"id":2,"t":"tw"#);
    parser.next_round();
    let again = r#"{"items":[{"id":1,"t":"one"},{"id":2,"t":"tw"#;
    for byte in again.bytes() {
        let update = parser.feed([byte]);
        assert!(update.delta().is_empty(), "a repeat is consumed silently: {}", update.delta());
        assert_eq!(update.document(), first.document());
        assert_eq!(update.snapshot().to_string(), first.snapshot().to_string());
    }
    let update = parser.feed(r#"o"}]}"#);
    assert_eq!(update.document(), first.document());
    let value: Value = serde_json::from_str(r#"{"items":{"1":{"t":"o"}}}"#).unwrap();
    assert_eq!(update.delta().to_value(), value);
    assert_eq!(update.snapshot().to_string(), r#"{"items":[{"id":1,"t":"one"},{"id":2,"t":"two"}]}"#);
    assert_eq!(update.sequence(), first.sequence() + again.len() as u64 + 1);
}

/// What is new behind a long repeat is shown at once.
#[test]
fn the_end_of_a_repeat_is_seen_where_it_is() {
    let record = |id: usize| format!("{{\"id\": {id}, \"name\": \"Person {id}\"}}, ");
    let records: Vec<String> = (0..20_000).map(record).collect();
    let records = records.concat();
    let document = format!("[{records}null]");
    let at = document.len() / 2;
    let mut parser = Parser::new();
    parser.push(&document[..at]);
    parser.next_round();
    parser.push(&document[..at - 1]);
    assert_eq!(parser.seams()[0].kind, SeamKind::Undecided);
    parser.push(&document[at - 1..at + 64]);
    assert_eq!((parser.seams()[0].kind, parser.seams()[0].dropped), (SeamKind::Restart, at as u64));
}

/// A quote that keys have, or have not, is no repeat of everything.
#[test]
fn quotes_are_not_followed_for_ever() {
    for (first, response) in [
        (r#"{"items": [{"id": 1, "name": "abc"}, {"id": 2, "name": "Bo"#, "\"".repeat(2000)),
        (r#"{items: [{id: 1, name: "abc"}, {id: 2, name: "Bo"#, "\"'".repeat(1000)),
        ("{items: [{id: 1}, {id", "\"".repeat(2000)),
    ] {
        let mut parser = Parser::new();
        parser.push(first);
        parser.next_round();
        parser.push(response.as_str());
        assert_ne!(parser.seams()[0].kind, SeamKind::Undecided, "{first}");
    }
}

/// The undecided head is held for at most 512 bytes.
#[test]
fn a_head_is_not_held_for_long() {
    for (first, response) in [
        (r#"{"a":"one"#, "word".repeat(300)),
        (r#"{"a":[1,2,"#, "3,".repeat(500)),
        (r#"[{"id":1,"t":"x"},"#, r#"{"id":2,"t":"y"},"#.repeat(100)),
        (r#"{"a":"it "#, "{x}[y]".repeat(200)),
    ] {
        let mut parser = Parser::new();
        parser.push(first);
        let before = parser.snapshot().to_string().len();
        parser.next_round();
        for (count, byte) in response.bytes().enumerate() {
            let shown = parser.feed([byte]).snapshot().to_string().len();
            // The token at the end may be held as well.
            assert!(shown + 512 + 24 >= before + count, "{first}: after {count} bytes: {shown} of {before}");
        }
        assert_ne!(parser.seams()[0].kind, SeamKind::Undecided);
    }
}

/// The old document stays as it is, truncated, and is not rewritten.
#[test]
fn a_document_that_diverges_is_a_new_one() {
    let first = r#"{"title":"Tea","steps":["Warm the pot.","Wait."],"note":"ha"#;
    let other = r#"{"title":"Coffee","steps":["Warm the pot.","Wait."],"note":"half"}"#;
    let mut parser = Parser::new();
    let before = parser.feed(first);
    parser.next_round();
    let update = parser.feed(other);
    let numbers: Vec<u32> = update.parts().map(jsonrill::Update::document).collect();
    assert_eq!(before.snapshot().at("/title"), "Tea");
    assert_ne!(numbers.last(), Some(&before.document()), "{numbers:?}");
    let finished = parser.finish(End::Unknown);
    let documents: Vec<_> =
        finished.documents().map(|document| (document.snapshot.to_string(), document.is_complete)).collect();
    assert_eq!(documents.len(), 2, "{documents:?}");
    assert_eq!(documents[0], (r#"{"title":"Tea","steps":["Warm the pot.","Wait."],"note":"ha"}"#.to_owned(), false));
    assert_eq!(documents[1], (other.to_owned(), true));
    assert_eq!(finished.seams()[0].kind, SeamKind::Diverged);
}

/// An element that was cut and left out is closed, and that is told.
#[test]
fn a_cut_element_that_is_closed_is_reported() {
    let finished = read(&[r#"[{"id":1,"t":"a"},{"id":2,"t":"b"#, r#"[{"id":3,"t":"c"}]"#], End::Unknown);
    assert!(!finished.repairs().is_empty(), "{:?}", finished.seams());
}

#[test]
fn seams_are_written_as_json() {
    let finished = read(&[r#"{"a": "one tw"#, r#"o"}"#], End::Unknown);
    let told = serde_json::to_value(finished.seams()).unwrap();
    let wanted = serde_json::json!([{"offset": 13, "kind": "rest", "dropped": 0, "is_certain": true}]);
    assert_eq!(told, wanted);
}

/// What a round says again stands once in what a model is given of the rounds before.
#[test]
fn what_several_rounds_say_again_is_in_the_contexts_once() {
    let mut parser = Parser::new();
    parser.push(r#"{"a": 1, "b": [1, 2"#);
    parser.next_round();
    parser.push(r#""b": [1, 2, 3], "s": "a text", "c": [4, 5"#);
    parser.next_round();
    parser.push(r#""c": [4, 5, 6], "d": "x"#);
    let frozen = parser.freeze();
    assert_eq!(frozen.hierarchy(), r#"{"a": 1, "b": [1, 2, 3], "s": "a text", "c": [4, 5, 6], "d": "x"#);
    let elided = frozen.hierarchy_with(&ContextOptions::new().budget_limit(1));
    assert_eq!(elided, r#"{"a": 1, "b": [1, 2, 3], "s": "...", "c": [4, 5, 6], "d": "x"#);
}

/// No comma is missing behind a number that is the root: what follows is another, or an error where it stands.
#[test]
fn a_number_alone() {
    for (roots, value, spans, error) in
        [(Roots::One, "12", &[(0, 2)][..], Some(3)), (Roots::Many, "3", &[(0, 2), (3, 4)], None)]
    {
        for second in ["\n3", " 3"] {
            let mut parser = Parser::with_options(Options::strict().roots(roots));
            parser.push("12");
            parser.next_round();
            parser.push(second);
            let finished = parser.finish(End::Stopped);
            assert_eq!(finished.snapshot().to_string(), value);
            let documents = finished.documents().map(|document| (document.span.start, document.span.end));
            assert_eq!(documents.collect::<Vec<_>>(), spans, "{second:?}");
            assert_eq!(finished.error().map(jsonrill::Error::offset), error);
        }
    }
}

/// What repeats itself says little about where a response begins: the exact rest may be taken for a repeat, but never for
/// certain.
#[test]
fn data_that_repeats_itself() {
    let list = |rows: Vec<String>| format!("{{\"rows\": [{}]}}", rows.join(", "));
    let words = ["yes", "no", "maybe"];
    let documents = [
        list(
            (0..24)
                .map(|row| format!("{{\"day\": \"{}\", \"shift\": {}}}", ["Mon", "Tue"][row % 2], row % 3))
                .collect(),
        ),
        list((0..40).map(|row| format!("\"{}\"", ["a", "bc", "d", "ef"][row % 4])).collect()),
        list((0..40).map(|row| format!("{{\"value\": \"{}\"}}", words[(row * row + row / 3) % 3])).collect()),
        list(vec![format!("[{}]", ["0"; 8].join(", ")); 8]),
        list((0..60).map(|row| (row % 5).to_string()).collect()),
    ];
    for document in documents {
        let whole: Value = serde_json::from_str(&document).unwrap();
        for cut in 1..document.len() {
            let mut parser = Parser::new();
            parser.push(&document[..cut]);
            parser.next_round();
            parser.push(&document[cut..]);
            let finished = parser.finish(End::Stopped);
            let is_certain = finished.seams().iter().all(|seam| seam.is_certain);
            let value = finished.snapshot().to_value();
            assert!(!is_certain || value == whole, "{} ⟂ {} is {value}", &document[..cut], &document[cut..]);
        }
    }
}
