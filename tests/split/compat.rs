//! What the Python package gives, result for result. `tests/data/splitter/generate.py` writes what is expected.

use jsonrill::split::compat::{CompatError, Json, RecursiveJsonSplitter};
use serde::Deserialize;
use serde_json::{Map, Value, json};

const FIXTURES: &str = include_str!("../data/splitter/langchain.jsonl");
const OPENAPI: &str = include_str!("../data/splitter/openapi.json");

#[derive(Deserialize)]
struct Case {
    name: String,
    texts: Vec<String>,
    max: usize,
    min: Option<usize>,
    convert_lists: bool,
    ensure_ascii: bool,
    metadatas: Option<Vec<Map<String, Value>>>,
    json: Vec<Value>,
    text: Vec<Value>,
    documents: Option<Value>,
}

/// A result as the fixtures have it.
fn told<T: serde::Serialize>(result: Result<T, CompatError>) -> Value {
    match result {
        Ok(result) => json!({ "result": result }),
        Err(error) => json!({ "error": [error.kind().as_str(), error.to_string()] }),
    }
}

/// The same of a long document.
fn summed(chunks: &[String]) -> Value {
    json!({ "count": chunks.len(), "crc32": crc32fast::hash(chunks.join("\n").as_bytes()) })
}

/// Says in which chunk two results differ.
#[track_caller]
fn same(ours: &Value, theirs: &Value, name: &str) {
    let list = |value: &Value| value["result"].as_array().cloned().unwrap_or_default();
    for (our, their) in list(ours).iter().zip(&list(theirs)) {
        assert_eq!(our, their, "{name}");
    }
    assert_eq!(ours, theirs, "{name}");
}

#[test]
fn every_result_is_that_of_the_package() {
    let mut count = 0;
    for line in FIXTURES.lines() {
        let case: Case = serde_json::from_str(line).expect(line);
        let name = &case.name;
        let mut splitter = RecursiveJsonSplitter::new(case.max);
        if let Some(min) = case.min {
            splitter = splitter.min_chunk_size(min);
        }
        let is_long = case.texts == ["openapi.json"];
        let texts: Vec<Json> =
            case.texts.iter().map(|text| if is_long { OPENAPI } else { text }.parse().expect(name)).collect();
        for (index, text) in texts.iter().enumerate() {
            let chunks = splitter.split_json(text, case.convert_lists);
            let chunks = chunks.map(|chunks| chunks.iter().map(Json::to_string).collect::<Vec<_>>());
            let lines = splitter.split_text(text, case.convert_lists, case.ensure_ascii);
            if is_long {
                assert_eq!(summed(&chunks.unwrap()), case.json[index], "{name}");
                assert_eq!(summed(&lines.unwrap()), case.text[index], "{name}");
            } else {
                same(&told(chunks), &case.json[index], name);
                same(&told(lines), &case.text[index], name);
            }
        }
        if let Some(documents) = case.documents {
            let metadatas = case.metadatas.unwrap_or_default();
            let made = splitter.create_documents(&texts, case.convert_lists, case.ensure_ascii, &metadatas);
            assert_eq!(told(made), documents, "{name}");
        }
        count += 1;
    }
    assert!(count > 500, "{count} cases");
}

/// Floats near and at which Python and Rust round otherwise: each is printed so that it reads back, in no more digits.
#[test]
fn floats_are_spelled_as_python_does() {
    let spelled = [
        ("978555261122219.25", "978555261122219.2"),
        ("5e-324", "5e-324"),
        ("9007199254740993.0", "9007199254740992.0"),
        ("2.2250738585072011e-308", "2.225073858507201e-308"),
        ("-1E+2", "-100.0"),
        ("1e16", "1e+16"),
        ("0.0001", "0.0001"),
        ("0.00001", "1e-05"),
        ("-0.0e5", "-0.0"),
        ("-0", "0"),
    ];
    for (text, python) in spelled {
        assert_eq!(text.parse::<Json>().unwrap().to_string(), python);
    }
}

#[test]
fn values_of_other_kinds_are_read_as_they_are_printed() {
    let text = r#"{"b": [1.50, null], "a": "\u00e9", "n": 12345678901234567890123}"#;
    let mut parser = jsonrill::Parser::new();
    parser.push(text);
    let snapshot = parser.snapshot();
    let json = Json::try_from(snapshot.root()).unwrap();
    assert_eq!(json, text.parse().unwrap());
    assert_eq!(json.to_string(), r#"{"b": [1.5, null], "a": "\u00e9", "n": 12345678901234567890123}"#);
    assert_eq!(Json::try_from(snapshot.at("/nowhere")).unwrap().to_string(), "null");
    assert_eq!(Json::try_from(&json!({"a": [1, "é"]})).unwrap().to_text(false), r#"{"a": [1, "é"]}"#);
}

#[test]
fn what_python_does_not_read_is_no_json() {
    for (text, offset, said) in [
        ("", 0, "no JSON at byte 0, expected a value"),
        ("{'a': 1}", 1, "no JSON at byte 1, expected a key or }"),
        ("[1, 2,]", 6, "no JSON at byte 6, expected a value"),
        ("[-NaN]", 2, "no JSON at byte 2, expected a digit"),
        ("[nan]", 2, "no JSON at byte 2, expected the rest of a keyword"),
        ("\u{feff}{}", 0, "no JSON at byte 0, expected a value"),
    ] {
        let error = text.parse::<Json>().unwrap_err();
        assert_eq!((error.offset(), error.to_string().as_str()), (Some(offset), said));
    }
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels)).parse::<Json>();
    assert!(deep(512).is_ok());
    let error = deep(513).unwrap_err();
    assert_eq!((error.offset(), error.to_string().as_str()), (None, "more than 512 levels"));
}

/// Sizes that nobody should ask for.
#[test]
fn sizes_at_the_ends() {
    let json: Json = r#"{"a": {"b": [1, 2]}, "c": "d"}"#.parse().unwrap();
    for (max, min) in [(0, 0), (0, usize::MAX), (usize::MAX, 0), (usize::MAX, usize::MAX)] {
        let chunks = RecursiveJsonSplitter::new(max).min_chunk_size(min).split_json(&json, true).unwrap();
        assert!(chunks.last().is_some_and(|chunk| chunk.to_string() != "{}"));
    }
    assert_eq!(RecursiveJsonSplitter::default(), RecursiveJsonSplitter::new(2000).min_chunk_size(1800));
    assert_eq!(RecursiveJsonSplitter::new(100), RecursiveJsonSplitter::new(100).min_chunk_size(50));
}
