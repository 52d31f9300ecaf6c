//! Worked examples, character for character.

use jsonrill::{
    BUDGET_LIMIT, CheckpointError, ContextOptions, Contexts, CutState, Dialect, End, Frozen, OVERLAP_MAX_CHARS, Parser,
    extract_continuation_contexts, get_contexts,
};
use serde_json::json;

use crate::common::{DIALECTS, fed, options};
use crate::oracle;

fn frozen(dialect: Dialect, text: &str) -> Frozen {
    fed(&options(dialect), text).freeze()
}

/// Every fault in a table at once.
fn check<R>(rows: &[R], fault: impl Fn(Dialect, &R) -> Option<String>) {
    let faults: Vec<String> = DIALECTS
        .into_iter()
        .flat_map(|dialect| rows.iter().map(move |row| (dialect, row)))
        .filter_map(|(dialect, row)| Some(format!("{dialect:?} {}", fault(dialect, row)?)))
        .collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// The text, its state, what is open, what is missing, and what is in flight.
const CUTS: &[(&str, &str, Option<&str>, &str, &str)] = &[
    ("", "before_root", None, "", ""),
    (" \n\t", "before_root", None, "", ""),
    // Between members.
    ("[", "between_members", Some(""), "]", ""),
    ("{", "between_members", Some(""), "}", ""),
    ("{ ", "between_members", Some(""), "}", ""),
    ("[1,", "between_members", Some(""), "]", ""),
    ("[1, ", "between_members", Some(""), "]", ""),
    ("[1 ", "between_members", Some(""), "]", ""),
    ("[-1.5e3\n", "between_members", Some(""), "]", ""),
    ("[true", "between_members", Some(""), "]", ""),
    ("[null ", "between_members", Some(""), "]", ""),
    ("[false,", "between_members", Some(""), "]", ""),
    ("[\"a\"", "between_members", Some(""), "]", ""),
    ("[\"a\" ", "between_members", Some(""), "]", ""),
    ("[[]", "between_members", Some(""), "]", ""),
    ("[[", "between_members", Some("/0"), "]]", ""),
    ("[[], [[", "between_members", Some("/1/0"), "]]]", ""),
    ("{\"a\":1,", "between_members", Some(""), "}", ""),
    ("{\"a\": \"b\"", "between_members", Some(""), "}", ""),
    ("{\"a\": {}", "between_members", Some(""), "}", ""),
    ("{\"a\": {", "between_members", Some("/a"), "}}", ""),
    ("{\"a\": [true", "between_members", Some("/a"), "]}", ""),
    // Keys.
    ("{\"", "in_key", Some(""), "}", "\""),
    ("{\"na", "in_key", Some(""), "}", "\"na"),
    ("{\"n\\u00", "in_key", Some(""), "}", "\"n\\u00"),
    ("{\"a\": 1, \"b", "in_key", Some(""), "}", "\"b"),
    ("[{\"a\": {\"b", "in_key", Some("/0/a"), "}}]", "\"b"),
    ("{\"a\"", "after_key", Some("/a"), "}", ""),
    ("{\"a\" ", "after_key", Some("/a"), "}", ""),
    ("{\"a/b~c\"", "after_key", Some("/a~1b~0c"), "}", ""),
    ("{\"\\u0061\\n\"", "after_key", Some("/a\n"), "}", ""),
    ("[0, {\"a\"", "after_key", Some("/1/a"), "}]", ""),
    ("{\"a\":", "after_colon", Some("/a"), "}", ""),
    ("{\"a\": ", "after_colon", Some("/a"), "}", ""),
    ("{\"a\": 1, \"\" :\n", "after_colon", Some("/"), "}", ""),
    // Strings.
    ("\"", "in_string", Some(""), "\"", "\""),
    ("\"ab", "in_string", Some(""), "\"", "\"ab"),
    ("[\"ab", "in_string", Some("/0"), "\"]", "\"ab"),
    ("[1, \"a, b", "in_string", Some("/1"), "\"]", "\"a, b"),
    ("{\"a\": \"", "in_string", Some("/a"), "\"}", "\""),
    ("{\"a\": \"x\\n", "in_string", Some("/a"), "\"}", "\"x\\n"),
    ("{\"a\": \"x\\ud83d\\ude00", "in_string", Some("/a"), "\"}", "\"x\\ud83d\\ude00"),
    ("{\"email\": \"jane@exa", "in_string", Some("/email"), "\"}", "\"jane@exa"),
    ("{\"items\": [{\"name\": \"Jane\"}, {\"name\": \"Jo", "in_string", Some("/items/1/name"), "\"}]}", "\"Jo"),
    // Escapes.
    ("\"ab\\", "in_escape", Some(""), "\"", "\\"),
    ("[\"ab\\", "in_escape", Some("/0"), "\"]", "\\"),
    ("[\"ab\\u", "in_escape", Some("/0"), "\"]", "\\u"),
    ("[\"ab\\u00", "in_escape", Some("/0"), "\"]", "\\u00"),
    ("[\"ab\\ud83d", "in_escape", Some("/0"), "\"]", "\\ud83d"),
    ("[\"ab\\ud83d\\", "in_escape", Some("/0"), "\"]", "\\ud83d\\"),
    ("[\"ab\\ud83d\\u", "in_escape", Some("/0"), "\"]", "\\ud83d\\u"),
    ("[\"ab\\ud83d\\ude0", "in_escape", Some("/0"), "\"]", "\\ud83d\\ude0"),
    ("[\"\\\\\\", "in_escape", Some("/0"), "\"]", "\\"),
    // Numbers and keywords.
    ("12", "in_number", Some(""), "", "12"),
    ("-", "in_number", Some(""), "", "-"),
    ("[12", "in_number", Some("/0"), "]", "12"),
    ("[-", "in_number", Some("/0"), "]", "-"),
    ("[1.", "in_number", Some("/0"), "]", "1."),
    ("[1.5E+", "in_number", Some("/0"), "]", "1.5E+"),
    ("[0", "in_number", Some("/0"), "]", "0"),
    ("{\"a\": [1, 2", "in_number", Some("/a/1"), "]}", "2"),
    ("{\"a\":1", "in_number", Some("/a"), "}", "1"),
    ("t", "in_keyword", Some(""), "", "t"),
    ("[tru", "in_keyword", Some("/0"), "]", "tru"),
    ("{\"a\": n", "in_keyword", Some("/a"), "}", "n"),
    ("{\"a\": fals", "in_keyword", Some("/a"), "}", "fals"),
    // Behind the root.
    ("{}", "done", None, "", ""),
    ("[1] \n", "done", None, "", ""),
    ("{\"a\": {\"b\": \"c\"}}", "done", None, "", ""),
    ("true", "done", None, "", ""),
    ("\"ab\"", "done", None, "", ""),
    ("12 ", "done", None, "", ""),
];

#[test]
fn where_it_was_cut() {
    check(CUTS, |dialect, (text, state, open, closers, in_flight)| {
        let frozen = frozen(dialect, text);
        let cut = frozen.cut();
        let got = (cut.state().as_str(), cut.open(), cut.closers(), cut.in_flight());
        let is_right = got == (*state, *open, *closers, *in_flight) && cut.offset() == text.len() as u64;
        (!is_right).then(|| format!("{text:?} is {cut:?}"))
    });
}

#[test]
fn the_oracle_knows_where_it_was_cut() {
    for (text, state, open, closers, in_flight) in CUTS {
        let oracle = oracle::read(text.as_bytes());
        let got = (oracle.state, oracle.open.as_deref(), oracle.closers(), oracle.in_flight);
        assert_eq!(got, (*state, *open, (*closers).to_owned(), *in_flight), "{text:?}");
    }
}

#[test]
fn the_place_counts_characters_from_one() {
    for (text, line, column) in [("", 1, 1), ("[", 1, 2), ("[\n", 2, 1), ("[\n  \"日本", 2, 6), ("[\r\n1,\r\n", 3, 1)]
    {
        let place = frozen(Dialect::Lenient, text).cut().place().unwrap();
        assert_eq!((place.line, place.column), (line, column), "{text:?}");
    }
    let without = options(Dialect::Lenient).keep_source(false);
    assert_eq!(fed(&without, "[\n1").freeze().cut().place(), None);
}

/// The text, its complete part, and the one that keeps numbers in flight.
const COMPLETE: &[(&str, &str, &str)] = &[
    ("", "", ""),
    (" \n", "", ""),
    (
        r#"{"user": {"profile": {"bio": "Hello Wor"#,
        r#"{"user": {"profile": {"bio": "Hello Wor"}}}"#,
        r#"{"user": {"profile": {"bio": "Hello Wor"}}}"#,
    ),
    (
        r#"{"items": [{"id": 1, "name": "First"}, {"id": 3, "name": "Third", "add"#,
        r#"{"items": [{"id": 1, "name": "First"}, {"id": 3, "name": "Third"}]}"#,
        r#"{"items": [{"id": 1, "name": "First"}, {"id": 3, "name": "Third"}]}"#,
    ),
    ("{", "{}", "{}"),
    ("[", "[]", "[]"),
    ("{ ", "{}", "{}"),
    (" \n[ \n", "[]", "[]"),
    ("[1", "[]", "[1]"),
    ("[1 ", "[1]", "[1]"),
    ("[1, ", "[1]", "[1]"),
    ("[1 , ", "[1]", "[1]"),
    ("[ 1 , 2", "[ 1]", "[ 1 , 2]"),
    ("[1.50, 1.", "[1.50]", "[1.50, 1]"),
    ("[1.50, 2e", "[1.50]", "[1.50, 2]"),
    ("[1.50, 2.5E+", "[1.50]", "[1.50, 2.5]"),
    ("[1.50, -", "[1.50]", "[1.50]"),
    ("[-0", "[]", "[-0]"),
    ("[-0.0e1", "[]", "[-0.0e1]"),
    ("12", "", "12"),
    ("12.", "", "12"),
    ("-", "", ""),
    ("12 ", "12", "12"),
    ("tru", "", ""),
    ("true", "true", "true"),
    ("[tru", "[]", "[]"),
    ("[true", "[true]", "[true]"),
    ("[true, fals", "[true]", "[true]"),
    ("\"", "\"\"", "\"\""),
    ("\"ab", "\"ab\"", "\"ab\""),
    (" \"ab\" ", "\"ab\"", "\"ab\""),
    ("\"ab\\", "\"ab\"", "\"ab\""),
    ("[\"ab\\u00", "[\"ab\"]", "[\"ab\"]"),
    ("[\"ab\\ud83d", "[\"ab\"]", "[\"ab\"]"),
    ("[\"ab\\ud83d\\ude0", "[\"ab\"]", "[\"ab\"]"),
    ("[\"ab\\ud83d\\ude00", "[\"ab\\ud83d\\ude00\"]", "[\"ab\\ud83d\\ude00\"]"),
    ("[\"a, ", "[\"a, \"]", "[\"a, \"]"),
    ("[\"a}]", "[\"a}]\"]", "[\"a}]\"]"),
    ("{\"a", "{}", "{}"),
    ("{\"a\"", "{}", "{}"),
    ("{\"a\": ", "{}", "{}"),
    ("{\"a\": \"", "{\"a\": \"\"}", "{\"a\": \"\"}"),
    ("{\"a\": {\"b\": 1", "{\"a\": {}}", "{\"a\": {\"b\": 1}}"),
    ("{\"a\": {\"b\": ", "{\"a\": {}}", "{\"a\": {}}"),
    ("{\"a\" : [ [ ] , {\n", "{\"a\" : [ [ ] , {}]}", "{\"a\" : [ [ ] , {}]}"),
    ("{\"a\": 1, \"b\": 2", "{\"a\": 1}", "{\"a\": 1, \"b\": 2}"),
    ("{\"a\": {\"b\": 1} ,", "{\"a\": {\"b\": 1}}", "{\"a\": {\"b\": 1}}"),
    ("{\n  \"list\": [\n    1,\n    2,\n  ", "{\n  \"list\": [\n    1,\n    2]}", "{\n  \"list\": [\n    1,\n    2]}"),
    (" {\"a\": [1, 2]}\n", "{\"a\": [1, 2]}", "{\"a\": [1, 2]}"),
];

#[test]
fn the_complete_part() {
    check(COMPLETE, |dialect, (text, part, kept)| {
        let frozen = frozen(dialect, text);
        let got = [frozen.complete_part(), frozen.complete_part_with(&ContextOptions::new().keep_scalars(true))];
        (got != [*part, *kept]).then(|| format!("{text:?} gives {got:?}"))
    });
}

#[test]
fn the_oracle_knows_the_complete_part() {
    for (text, part, kept) in COMPLETE {
        let oracle = oracle::read(text.as_bytes());
        assert_eq!([oracle.complete_part(false), oracle.complete_part(true)], [*part, *kept], "{text:?}");
    }
}

/// The text, how many characters, the overlap, and whether it is clipped.
const OVERLAPS: &[(&str, usize, &str, bool)] = &[
    ("", 1000, "", false),
    (
        r#"{"users": [{"id": 1, "name": "John"}, {"id": 2, "name": "Jane", "email": "jane@exa"#,
        1000,
        r#"{"id": 2, "name": "Jane", "email": "jane@exa"#,
        false,
    ),
    ("[", 1000, "[", false),
    ("[1, [2, [3], ", 1000, "[2, [3], ", false),
    ("{\"a\": [1, 2], \"b", 1000, "{\"a\": [1, 2], \"b", false),
    ("{\"a\": {\n  \"b\": ", 1000, "{\n  \"b\": ", false),
    ("{\"a\": 1}", 1000, "", false),
    ("{\"a\": 1} \n", 1000, "", false),
    ("\"abc", 1000, "", false),
    ("12", 1000, "", false),
    // Clipped.
    ("[\"abcdef", 8, "[\"abcdef", false),
    ("[\"abcdef", 7, "\"abcdef", true),
    ("[\"abcdef", 2, "ef", true),
    ("[\"abcdef", 0, "", true),
    ("[\"日本語", 2, "本語", true),
    ("[\"a\\nb", 3, "\\nb", true),
    ("[\"a\\nb", 2, "b", true),
    ("[\"a\\u00e9b", 7, "\\u00e9b", true),
    ("[\"a\\u00e9b", 6, "b", true),
    ("[\"a\\u00e9b", 2, "b", true),
    ("[\"\\ud83d\\ude00b", 13, "\\ud83d\\ude00b", true),
    ("[\"\\ud83d\\ude00b", 12, "b", true),
    ("[\"\\ud83d\\ude00b", 7, "b", true),
    ("[\"\\\\\\\\b", 4, "\\\\b", true),
    ("[\"\\ud83d\\u", 8, "\\ud83d\\u", true),
    ("[\"\\ud83d\\u", 2, "", true),
    ("{\"\\n\": 1", 6, "\\n\": 1", true),
    ("{\"\\n\": 1", 5, "\": 1", true),
];

#[test]
fn the_overlap() {
    check(OVERLAPS, |dialect, (text, max, overlap, is_clipped)| {
        let got = frozen(dialect, text).overlap_with(&ContextOptions::new().overlap_max_chars(*max));
        let is_right = got.text == *overlap && got.is_clipped == *is_clipped;
        (!is_right).then(|| format!("{text:?} in {max} gives {got:?}"))
    });
}

/// Half a character at the cut is no character.
#[test]
fn the_overlap_of_half_a_character() {
    let text = "[\"é日本🌶\\ud800語";
    for dialect in DIALECTS {
        for end in 0..=text.len() {
            let prefix = &text.as_bytes()[..end];
            for max in 0..12 {
                let frozen = fed(&options(dialect), prefix).freeze();
                let got = frozen.overlap_with(&ContextOptions::new().overlap_max_chars(max));
                let (wanted, is_clipped) = oracle::read(prefix).overlap(max);
                let place = format!("{} in {dialect:?}, at most {max}", prefix.escape_ascii());
                if dialect == Dialect::Strict || end > 1 {
                    assert_eq!((got.text.as_str(), got.is_clipped), (wanted, is_clipped), "{place}");
                }
            }
        }
    }
}

#[test]
fn the_oracle_knows_the_overlap() {
    for (text, max, overlap, is_clipped) in OVERLAPS {
        let got = oracle::read(text.as_bytes()).overlap(*max);
        assert_eq!(got, (*overlap, *is_clipped), "{text:?} in {max}");
    }
}

/// The text, the budget, and the hierarchy.
const HIERARCHIES: &[(&str, usize, &str)] = &[
    ("", 500, ""),
    (" ", 500, ""),
    ("[", 0, "["),
    (" {\"a\": ", 0, "{\"a\": "),
    // The budget is spent to the last character.
    (r#"{"a": "12345", "b": "123", "c": "12"#, 10, r#"{"a": "12345", "b": "123", "c": "12"#),
    (r#"{"a": "12345", "b": "123", "c": "12"#, 9, r#"{"a": "...", "b": "123", "c": "12"#),
    (r#"{"a": "12345", "b": "123", "c": "12"#, 5, r#"{"a": "...", "b": "123", "c": "12"#),
    (r#"{"a": "12345", "b": "123", "c": "12"#, 4, r#"{"a": "...", "b": "...", "c": "12"#),
    (r#"{"a": "12345", "b": "123", "c": "12"#, 2, r#"{"a": "...", "b": "...", "c": "12"#),
    (r#"{"a": "12345", "b": "123", "c": "12"#, 1, r#"{"a": "...", "b": "...", "c": "...2"#),
    (r#"{"a": "12345", "b": "123", "c": "12"#, 0, r#"{"a": "...", "b": "...", "c": "..."#),
    // The first that does not fit stops all that are farther, be they short or empty.
    (
        r#"{"e": "", "s": "x", "long": "123456789", "n": "ab", "t": "z"#,
        5,
        r#"{"e": "...", "s": "...", "long": "...", "n": "ab", "t": "z"#,
    ),
    (r#"["", "a", "", ""#, 0, r#"["...", "...", "", ""#),
    // One in flight that is clipped is the first that does not fit.
    (r#"["", "abc"#, 1, r#"["...", "...c"#),
    (r#"["", "a"#, 1, r#"["", "a"#),
    (r#"["x", "ab", "y"]"#, 2, r#"["...", "...", "y"]"#),
    // The distance is that in the text, whatever the depth.
    (r#"{"a": {"b": ["12", "34"]}, "c": ["5", ["6"#, 4, r#"{"a": {"b": ["...", "34"]}, "c": ["5", ["6"#),
    // Keys, numbers and keywords are free, and only strings that are values are data.
    (
        r#"{"a long key of many letters": 12345678901234567890, "k": true, "n": null, "s": "ab"#,
        2,
        r#"{"a long key of many letters": 12345678901234567890, "k": true, "n": null, "s": "ab"#,
    ),
    (r#"{"k": "v", "a key in fli"#, 0, r#"{"k": "...", "a key in fli"#),
    (r#"{"k": "v", "key""#, 1, r#"{"k": "v", "key""#),
    (r#"{"k": "v", "\ud800 key""#, 1, r#"{"k": "v", "\ud800 key""#),
    (r#"{"k": "v", "k""#, 1, r#"{"k": "v", "k""#),
    (r#"{"k": "v", "n": 123"#, 0, r#"{"k": "...", "n": 123"#),
    // A string in flight longer than the budget keeps its tail.
    (r#"["one", "two three"#, 5, r#"["...", "...three"#),
    ("\"two three", 5, "\"...three"),
    ("\"two three\"", 5, "\"...\""),
    // What is written counts, and an escape is not cut.
    (r#"{"a": "x\ny", "b": ""#, 4, r#"{"a": "x\ny", "b": ""#),
    (r#"{"a": "x\ny", "b": ""#, 3, r#"{"a": "...", "b": ""#),
    (r#"["ab\ncd"#, 6, r#"["ab\ncd"#),
    (r#"["ab\ncd"#, 5, r#"["...b\ncd"#),
    (r#"["ab\ncd"#, 4, r#"["...\ncd"#),
    (r#"["ab\ncd"#, 3, r#"["...cd"#),
    (r#"["\u00e9x"#, 7, r#"["\u00e9x"#),
    (r#"["a\u00e9x"#, 7, r#"["...\u00e9x"#),
    (r#"["a\u00e9x"#, 4, r#"["...x"#),
    (r#"["a\ud83d\ude00x"#, 13, r#"["...\ud83d\ude00x"#),
    (r#"["a\ud83d\ude00x"#, 12, r#"["...x"#),
    (r#"["a\ud83d\ude00x"#, 7, r#"["...x"#),
    (r#"["a\ud83d\u"#, 8, r#"["...\ud83d\u"#),
    (r#"["a\ud83d\u"#, 7, r#"["..."#),
    (r#"["a\ud83d\u"#, 2, r#"["..."#),
    (r#"["a\ud83d\u0"#, 8, r#"["...\u0"#),
    (r#"["a\u00"#, 3, r#"["..."#),
    (r#"["a\\\\b"#, 5, r#"["...\\\\b"#),
    (r#"["a\\\\b"#, 4, r#"["...\\b"#),
    (r#"["a\"b"#, 2, r#"["...b"#),
    (r#"["日本語"#, 3, r#"["日本語"#),
    (r#"["日本語"#, 2, r#"["...本語"#),
    (r#"["日本語", ""#, 3, r#"["日本語", ""#),
    (r#"["日本語", ""#, 2, r#"["...", ""#),
    // In its own layout.
    (
        "{\n  \"user\": {\n    \"name\": \"Ada\",\n    \"bio\": \"Hello W",
        7,
        "{\n  \"user\": {\n    \"name\": \"...\",\n    \"bio\": \"Hello W",
    ),
    ("\n{\r\n\t\"a\" : [\r\n\t\t\"one\" ,\r\n", 2, "{\r\n\t\"a\" : [\r\n\t\t\"...\" ,\r\n"),
    // A whole document, to the end of its root.
    ("{\"a\": \"b\"} \n", 500, "{\"a\": \"b\"}"),
    ("{\"a\": \"b\"} \n", 0, "{\"a\": \"...\"}"),
];

#[test]
fn the_hierarchy() {
    check(HIERARCHIES, |dialect, (text, budget, hierarchy)| {
        let got = frozen(dialect, text).hierarchy_with(&ContextOptions::new().budget_limit(*budget));
        (got != *hierarchy).then(|| format!("{text:?} for {budget} gives {got:?}, not {hierarchy:?}"))
    });
}

#[test]
fn the_oracle_knows_the_hierarchy() {
    for (text, budget, hierarchy) in HIERARCHIES {
        assert_eq!(oracle::read(text.as_bytes()).hierarchy(*budget), *hierarchy, "{text:?} for {budget}");
    }
}

#[test]
fn the_budgets_without_being_asked() {
    assert_eq!((BUDGET_LIMIT, OVERLAP_MAX_CHARS), (500, 1000));
    let default = ContextOptions::new();
    assert_eq!(default, default.total_limit(None).keep_scalars(false));
    for dialect in DIALECTS {
        let long = "é".repeat(1200);
        let frozen = frozen(dialect, &format!("{{\"a\": \"x\", \"b\": \"{long}"));
        assert_eq!(frozen.hierarchy(), format!("{{\"a\": \"...\", \"b\": \"...{}", "é".repeat(500)));
        let overlap = frozen.overlap();
        assert_eq!((overlap.text, overlap.is_clipped), ("é".repeat(1000), true));

        // To the character.
        for (first, is_whole) in [(400, true), (401, false)] {
            let text = format!("[\"{}\", \"{}", "y".repeat(first), "z".repeat(100));
            let whole = text.as_str() == self::frozen(dialect, &text).hierarchy();
            assert_eq!(whole, is_whole, "{first}");
        }
    }
}

#[test]
fn all_at_once() {
    let text = r#"{"items": [{"id": 1, "name": "First"}, {"id": 3, "name": "Third", "add"#;
    let frozen = frozen(Dialect::Lenient, text);
    let contexts = frozen.contexts();
    assert_eq!(contexts.overlap, r#"{"id": 3, "name": "Third", "add"#);
    assert!(!contexts.overlap_clipped);
    assert_eq!(contexts.hierarchy, text);
    assert_eq!(contexts.complete_part, r#"{"items": [{"id": 1, "name": "First"}, {"id": 3, "name": "Third"}]}"#);
    assert_eq!(get_contexts(text), contexts);
    assert_eq!(get_contexts(text.as_bytes()), contexts);
    let Contexts { overlap, hierarchy, complete_part, .. } = contexts.clone();
    assert_eq!(extract_continuation_contexts(text), (overlap, hierarchy, complete_part));

    let written = serde_json::to_value(&contexts).unwrap();
    let wanted = json!({
        "overlap": contexts.overlap,
        "overlap_clipped": false,
        "hierarchy": contexts.hierarchy,
        "complete_part": contexts.complete_part,
    });
    assert_eq!(written, wanted);
    assert_eq!(serde_json::from_value::<Contexts>(written).unwrap(), contexts);
}

#[test]
fn around_the_json() {
    for (before, after) in [
        ("Here it is:\n", ""),
        ("```json\n", ""),
        ("<think>{\"x\": \"y\"} or [1, 2]?</think>\n", ""),
        ("\u{feff}", ""),
        ("Sure.\n\n```json\n", "\n```\nThat is \"all\"."),
    ] {
        let json = if after.is_empty() { r#"{"a": ["b", {"c": "d"#.to_owned() } else { r#"{"a": ["b"]}"#.to_owned() };
        let frozen = frozen(Dialect::Lenient, &format!("{before}{json}{after}"));
        assert_eq!(frozen.hierarchy(), json, "{before:?}");
        if after.is_empty() {
            assert_eq!(frozen.overlap().text, r#"{"c": "d"#);
            assert_eq!(frozen.complete_part(), r#"{"a": ["b", {"c": "d"}]}"#);
        } else {
            assert_eq!(frozen.overlap().text, "");
            assert_eq!(frozen.complete_part(), json);
            assert_eq!(frozen.cut().state(), CutState::Done);
        }
    }
    let prose = frozen(Dialect::Lenient, "Let me see, \"this");
    assert_eq!(prose.cut().state(), CutState::BeforeRoot);
    assert_eq!((prose.hierarchy(), prose.complete_part()), (String::new(), String::new()));
}

/// What is missing is the quote that the text began with; numbers and keywords of other languages are such.
#[test]
fn what_is_in_flight_in_other_spellings() {
    for (text, state, closers, part) in [
        (r#"{"a": 1_5"#, CutState::InNumber, "}", "{}"),
        ("[0x1F", CutState::InNumber, "]", "[]"),
        (r#"{"a": Tru"#, CutState::InKeyword, "}", "{}"),
        (r#"{"a": hello wor"#, CutState::InString, "}", r#"{"a": "hello wor"}"#),
        (r#"{"a": 'x"#, CutState::InString, "'}", r#"{"a": "x"}"#),
        (r#"{"a": “x"#, CutState::InString, "”}", r#"{"a": "x"}"#),
    ] {
        let frozen = frozen(Dialect::Lenient, text);
        assert_eq!((frozen.cut().state(), frozen.cut().closers()), (state, closers), "{text}");
        assert_eq!(frozen.complete_part(), part, "{text}");
    }
}

#[test]
fn what_was_finished_is_frozen() {
    for end in [End::Stopped, End::Truncated, End::Unknown] {
        let mut parser = Parser::new();
        parser.push(r#"{"a": [1, "two, "#);
        let finished = parser.finish(end);
        assert_eq!(finished.frozen().complete_part(), r#"{"a": [1, "two, "]}"#, "{end:?}");
        assert_eq!(finished.cut(), Some(finished.frozen().cut()));
    }
    let mut parser = Parser::new();
    parser.push("{}");
    let finished = parser.finish(End::Unknown);
    assert_eq!(finished.cut(), None);
    assert_eq!(finished.frozen().cut().state(), CutState::Done);
}

/// Without the source there is no text to go on from, but the value is known.
#[test]
fn without_the_source() {
    for dialect in DIALECTS {
        let frozen = fed(&options(dialect).keep_source(false), r#"{"a": ["b", {"c": 1.50, "d": "e\n"#).freeze();
        assert_eq!(frozen.checkpoint().unwrap_err(), CheckpointError::NoSource);
        assert_eq!(frozen.cut().state(), CutState::InString);
        assert_eq!(frozen.cut().closers(), "\"}]}");
        let part: serde_json::Value = serde_json::from_str(&frozen.complete_part()).unwrap();
        assert_eq!(part, json!({"a": ["b", {"c": 1.50, "d": "e\n"}]}));
        let long = format!("{{\"a\": [\"{}", "b, ".repeat(1000));
        let frozen = fed(&options(dialect).keep_source(false), &long).freeze();
        let few = ContextOptions::new().overlap_max_chars(1).total_limit(Some(128)).budget_limit(1);
        let contexts = frozen.contexts_with(&few);
        assert_eq!((contexts.overlap.as_str(), contexts.hierarchy.as_str()), ("", ""));
        assert!(contexts.complete_part.ends_with("\"]}"));
    }
}
