//! The parsing files of nst/JSONTestSuite.
//!
//! `JSON_TEST_SUITE` names the folder, the repository's own or its `test_parsing`. Without it the
//! same rules are applied to a small list that is built in.

mod common;

use std::path::Path;

use common::tree::same_value;
use common::view::root;
use common::{DIALECTS, ENDS, finished, lenient, options, strict};
use jsonrill::{Outcome, Parser};
use serde_json::Value;

/// Name and bytes; as in the suite, `y_` must be accepted, `n_` must not, and `i_` may be.
const BUILT_IN: &[(&str, &[u8])] = &[
    ("y_array_empty", b"[]"),
    ("y_array_with_blanks", b" [ 1 ,\t2\r\n] "),
    ("y_number_minus_zero", b"[-0]"),
    ("y_number_real_exponent", b"[123.456e78]"),
    ("y_object_empty_key", b"{\"\":0}"),
    ("y_object_duplicated_key", b"{\"a\":\"b\",\"a\":\"b\"}"),
    ("y_string_escapes", b"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0060\"]"),
    ("y_string_surrogate_pair", b"[\"\\uD801\\udc37\"]"),
    ("y_string_nonshortest_escape", b"[\"\\u0041\"]"),
    ("y_structure_lonely_string", b"\"asd\""),
    ("y_structure_lonely_negative_real", b"-0.1"),
    ("y_structure_true_in_array", b"[true]"),
    ("n_array_extra_comma", b"[\"\",]"),
    ("n_array_comma_and_number", b"[,1]"),
    ("n_array_double_comma", b"[1,,2]"),
    ("n_array_incomplete", b"[\"x\""),
    ("n_number_leading_zero", b"[012]"),
    ("n_number_plus", b"[+1]"),
    ("n_number_hex", b"[0x1]"),
    ("n_number_no_fraction", b"[1.]"),
    ("n_object_bare_key", b"{a: 1}"),
    ("n_object_missing_colon", b"{\"a\" 1}"),
    ("n_object_extra_comma", b"{\"a\":0,}"),
    ("n_object_with_single_quotes", b"{'a':0}"),
    ("n_string_raw_newline", b"[\"a\nb\"]"),
    ("n_string_invalid_escape", b"[\"\\x00\"]"),
    ("n_string_incomplete_surrogate", b"[\"\\uD834\\uDd\"]"),
    ("n_string_invalid_utf8", b"[\"\xe5\"]"),
    ("n_structure_no_data", b""),
    ("n_structure_space", b" "),
    ("n_structure_bom_only", b"\xef\xbb\xbf"),
    ("n_structure_trailing_garbage", b"{\"a\":true} x"),
    ("n_structure_two_roots", b"[][]"),
    ("n_structure_comment", b"[1]/* */"),
    ("n_structure_formfeed", b"[\x0c]"),
    ("n_structure_null_byte", b"123\0"),
    ("n_structure_capital_keyword", b"[True]"),
    ("n_structure_unclosed", b"{\"a\":"),
    ("i_number_huge_exponent", b"[0.4e00669999999999999999999999999999999]"),
    ("i_string_lone_surrogate", b"[\"\\uDADA\"]"),
    ("i_string_utf16", b"\xff\xfe[\0\"\0\"\0]\0"),
    ("i_structure_bom", b"\xef\xbb\xbf{}"),
];

fn files() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = std::env::var_os("JSON_TEST_SUITE") else {
        eprintln!("JSON_TEST_SUITE is not set: only {} built-in texts are tried", BUILT_IN.len());
        return BUILT_IN.iter().map(|(name, text)| ((*name).to_owned(), text.to_vec())).collect();
    };
    let folder = Path::new(&folder);
    let inner = folder.join("test_parsing");
    let folder = if inner.is_dir() { inner } else { folder.to_owned() };
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "json"))
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    for kind in ["y_", "n_", "i_"] {
        let count = files.iter().filter(|(name, _)| name.starts_with(kind)).count();
        assert!(count > 30, "{} has {count} files {kind}*: is it the suite?", folder.display());
    }
    files
}

/// The files whose names begin with `kind`.
fn each(kind: &str, check: impl Fn(&str, &[u8])) {
    for (name, text) in files().iter().filter(|(name, _)| name.starts_with(kind)) {
        check(name, text);
    }
}

#[test]
fn what_must_be_accepted_is_read_as_serde_json_reads_it() {
    each("y_", |name, text| {
        let judge: Value = serde_json::from_slice(text).unwrap();
        for dialect in DIALECTS {
            let finished = finished(&options(dialect), text, jsonrill::End::Unknown);
            assert_eq!(finished.outcome(), Outcome::Complete, "{name} in {dialect:?}");
            assert!(finished.repairs().is_empty() && finished.skipped().is_empty(), "{name} in {dialect:?}");
            // `serde_json` keeps the last of repeated keys.
            if finished.warnings().is_empty() {
                assert!(same_value(&finished.snapshot().to_value(), &judge), "{name} in {dialect:?}");
            }
        }
        assert_eq!(root(strict(text).snapshot()), root(lenient(text).snapshot()), "{name}");
    });
}

#[test]
fn what_must_be_rejected_is_never_complete_in_strict() {
    each("n_", |name, text| {
        for end in ENDS {
            let finished = finished(&options(jsonrill::Dialect::Strict), text, end);
            assert!(!finished.is_complete(), "{name}");
            let outcome = finished.outcome();
            assert!(!matches!(outcome, Outcome::Complete | Outcome::Repaired), "{name}: {outcome:?}");
        }
    });
}

#[test]
fn what_must_be_rejected_is_never_silently_read_in_lenient() {
    each("n_", |name, text| {
        let finished = lenient(text);
        let told = !finished.repairs().is_empty() || !finished.skipped().is_empty();
        assert!(finished.outcome() != Outcome::Complete, "{name}");
        assert!(told || finished.outcome() != Outcome::Repaired, "{name}: {:?}", finished.outcome());
    });
}

#[test]
fn nothing_depends_on_the_chunks() {
    each("", |name, text| {
        if text.len() > 10_000 {
            return;
        }
        for dialect in DIALECTS {
            let mut parser = Parser::with_options(options(dialect));
            for byte in text {
                parser.push([*byte]);
            }
            let bytewise = common::view::ending(&parser.finish(jsonrill::End::Unknown));
            let whole = finished(&options(dialect), text, jsonrill::End::Unknown);
            assert_eq!(bytewise, common::view::ending(&whole), "{name} in {dialect:?}");
        }
    });
}
