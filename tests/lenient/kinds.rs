//! Every kind of repair has an example, which is the one in its documentation, or near it.

use jsonrill::RepairKind;

use crate::common::rows::{Row, check, row};

const EXAMPLES: &[(RepairKind, Row)] = &[
    (RepairKind::ControlCharacter, row("{\"a\": \"b\tc\"}", r#"{"a":"b\tc"}"#, "control_character")),
    (RepairKind::InvalidEscape, row(r#"{"a": "C:\dir"}"#, r#"{"a":"C:\\dir"}"#, "invalid_escape")),
    (RepairKind::InnerQuote, row(r#"{"a": "say "hi" now"}"#, r#"{"a":"say \"hi\" now"}"#, "inner_quote inner_quote")),
    (RepairKind::DoubledQuote, row(r#"{"a": ""b""}"#, r#"{"a":"b"}"#, "doubled_quote doubled_quote")),
    (RepairKind::OtherQuotes, row("['a', “b”]", r#"["a","b"]"#, "other_quotes other_quotes")),
    (RepairKind::MissingQuote, row(r#"{"a": "b, "c": 1}"#, r#"{"a":"b","c":1}"#, "missing_quote")),
    (RepairKind::ExtraComma, row("[1,,2,]", "[1,2]", "extra_comma extra_comma")),
    (RepairKind::MissingComma, row("[1 2]", "[1,2]", "missing_comma")),
    (RepairKind::MissingColon, row(r#"{"a" 1, "b" = 2}"#, r#"{"a":1,"b":2}"#, "missing_colon missing_colon")),
    (RepairKind::MissingValue, row(r#"{"a": , "b": 1}"#, r#"{"a":null,"b":1}"#, "missing_value")),
    (RepairKind::BareKey, row("{a: 1}", r#"{"a":1}"#, "bare_key")),
    (RepairKind::BareString, row(r#"{"a": hello world}"#, r#"{"a":"hello world"}"#, "bare_string")),
    (RepairKind::ForeignKeyword, row("[True, None]", "[true,null]", "foreign_keyword foreign_keyword")),
    (
        RepairKind::NumberSpelling,
        row(
            "[+1, .5, 0x1F, 1_000]",
            "[1,0.5,31,1000]",
            "number_spelling number_spelling number_spelling number_spelling",
        ),
    ),
    (
        RepairKind::NumberAsText,
        row(r#"{"a": 12:30, "b": 1,234}"#, r#"{"a":"12:30","b":"1,234"}"#, "number_as_text number_as_text"),
    ),
    (RepairKind::Comment, row("[1, // one\n2]", "[1,2]", "comment")),
    (RepairKind::Ellipsis, row("[1, 2 ...]", "[1,2]", "ellipsis")),
    (RepairKind::Tuple, row(r#"{"a": (1, 2)}"#, r#"{"a":[1,2]}"#, "tuple")),
    (RepairKind::Set, row(r#"[{"a", "b"}]"#, r#"[["a","b"]]"#, "set")),
    (RepairKind::Wrapper, row(r#"{"a": NumberLong(2)}"#, r#"{"a":2}"#, "wrapper")),
    (RepairKind::Concatenation, row(r#"["a" + "b"]"#, r#"["ab"]"#, "concatenation")),
    (RepairKind::FullWidth, row("{\"a\"：1}", r#"{"a":1}"#, "full_width")),
    (RepairKind::SpecialSpace, row("{\"a\":\u{a0}1}", r#"{"a":1}"#, "special_space")),
    (RepairKind::WrongCloser, row(r#"{"a": [1, 2}, "b": 3}"#, r#"{"a":[1,2],"b":3}"#, "wrong_closer")),
    (RepairKind::SurplusCloser, row("[1}, 2]", "[1,2]", "surplus_closer")),
    (RepairKind::MissingCloser, row(r#"[{"a": 1, {"b": 2}]"#, r#"[{"a":1},{"b":2}]"#, "missing_closer")),
    (RepairKind::MissingOpener, row(r#"[1, "a": 2}]"#, r#"[1,{"a":2}]"#, "missing_opener")),
    (RepairKind::RepeatedBrace, row(r#"[{{"a": 1}}]"#, r#"[{"a":1}]"#, "repeated_brace repeated_brace")),
    (RepairKind::StrayText, row(r#"{"a": [] oops, "b": 1}"#, r#"{"a":[],"b":1}"#, "stray_text")),
    (RepairKind::EscapedDocument, row(r#"{\"a\": 1}"#, r#"{"a":1}"#, "escaped_document")),
    (RepairKind::DoubledDocument, row(r#"{""a"": 1}"#, r#"{"a":1}"#, "doubled_document")),
];

#[test]
fn every_kind_of_repair_has_an_example() {
    let rows: Vec<Row> = EXAMPLES.iter().map(|(_, row)| *row).collect();
    check(&rows);
    for &kind in RepairKind::ALL {
        // Bytes that are no UTF-8 are in no text: `hostile.rs` has them.
        let shown = kind == RepairKind::InvalidUtf8 || EXAMPLES.iter().any(|(example, _)| *example == kind);
        assert!(shown, "{kind:?}");
    }
    for (kind, row) in EXAMPLES {
        assert!(row.told.contains(kind.as_str()), "{kind:?} is not told in {}", row.text);
    }
}
