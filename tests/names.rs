//! Names in output: programs compare with them, so they stay as they are.

use jsonrill::split::SplitErrorKind;
use jsonrill::{CheckpointError, Conclusion, ModelErrorKind, RepairKind, ReportKind, SkipKind, WarningKind};

#[test]
fn of_conclusions() {
    let all = [
        (Conclusion::Complete, "complete", "the document is whole"),
        (Conclusion::TargetsReached, "targets_reached", "all targets are reached"),
        (Conclusion::WentBackwards, "went_backwards", "the last round went backwards"),
        (Conclusion::NoProgress, "no_progress", "the last round brought no progress"),
        (Conclusion::Repeated, "repeated", "the model repeats itself"),
        (Conclusion::RoundLimit, "round_limit", "there were as many rounds as are allowed"),
        (Conclusion::ByteLimit, "byte_limit", "there was as much text as is allowed"),
        (Conclusion::Refused, "refused", "the model did not go on with the document"),
        (Conclusion::Empty, "empty", "the model wrote nothing"),
        (Conclusion::Diverged, "diverged", "the model began another document"),
        (Conclusion::Unreadable, "unreadable", "the text cannot be read any further"),
        (Conclusion::ModelFailed, "model_failed", "the model failed"),
        (Conclusion::Cancelled, "cancelled", "it was cancelled"),
    ];
    for (conclusion, name, message) in all {
        assert_eq!((conclusion.as_str(), conclusion.message()), (name, message));
        assert_eq!(conclusion.to_string(), message);
    }
}

#[test]
fn of_errors() {
    let all = [
        (ModelErrorKind::Setup, "setup"),
        (ModelErrorKind::Connect, "connect"),
        (ModelErrorKind::Timeout, "timeout"),
        (ModelErrorKind::Unauthorized, "unauthorized"),
        (ModelErrorKind::RateLimited, "rate_limited"),
        (ModelErrorKind::Rejected, "rejected"),
        (ModelErrorKind::Unavailable, "unavailable"),
        (ModelErrorKind::Protocol, "protocol"),
        (ModelErrorKind::Interrupted, "interrupted"),
        (ModelErrorKind::Other, "other"),
    ];
    for (kind, name) in all {
        assert_eq!((kind.as_str(), kind.to_string().as_str()), (name, name));
    }
    let all = [
        (SplitErrorKind::Syntax, "syntax"),
        (SplitErrorKind::TooDeep, "too_deep"),
        (SplitErrorKind::TooLong, "too_long"),
        (SplitErrorKind::PathTooLong, "path_too_long"),
        (SplitErrorKind::ValueTooLarge, "value_too_large"),
    ];
    for (kind, name) in all {
        assert_eq!((kind.as_str(), kind.to_string().as_str()), (name, name));
    }
    let all = [
        (CheckpointError::Foreign, "foreign"),
        (CheckpointError::Version(9), "version"),
        (CheckpointError::Damaged, "damaged"),
        (CheckpointError::NoSource, "no_source"),
    ];
    for (error, name) in all {
        assert_eq!(error.code(), name);
    }
}

/// The kinds of reports, which `repair`, `watch` and the service print with their names and messages.
#[track_caller]
fn told<K: ReportKind>(all: &[(K, &str, &str)]) {
    for &(kind, name, message) in all {
        assert_eq!((ReportKind::as_str(kind), ReportKind::message(kind)), (name, message));
        assert_eq!(kind.to_string(), name);
        assert_eq!(serde_json::to_value(kind).unwrap(), name);
    }
}

#[test]
fn of_repairs() {
    let all = [
        (
            RepairKind::ControlCharacter,
            "control_character",
            "line break, tab or other control character in a string kept as it is",
        ),
        (RepairKind::InvalidEscape, "invalid_escape", "backslash that begins no escape read as text"),
        (RepairKind::InvalidUtf8, "invalid_utf8", "bytes that are no UTF-8 replaced by U+FFFD"),
        (RepairKind::InnerQuote, "inner_quote", "quote inside a string, without a backslash, read as text"),
        (RepairKind::DoubledQuote, "doubled_quote", "quote written twice: one of the two dropped"),
        (RepairKind::OtherQuotes, "other_quotes", "quotes of another kind read as `\"`"),
        (RepairKind::MissingQuote, "missing_quote", "missing quote added"),
        (RepairKind::ExtraComma, "extra_comma", "comma with nothing before or behind it dropped"),
        (RepairKind::MissingComma, "missing_comma", "missing comma added"),
        (RepairKind::MissingColon, "missing_colon", "missing colon added"),
        (RepairKind::MissingValue, "missing_value", "missing value read as null"),
        (RepairKind::BareKey, "bare_key", "key without quotes: quotes added"),
        (RepairKind::BareString, "bare_string", "text without quotes read as a string"),
        (RepairKind::ForeignKeyword, "foreign_keyword", "word such as True, None or NaN read as true, false or null"),
        (
            RepairKind::NumberSpelling,
            "number_spelling",
            "number in a form that JSON does not have, such as +1 or .5, written as JSON has it",
        ),
        (RepairKind::NumberAsText, "number_as_text", "text that only begins like a number read as a string"),
        (RepairKind::Comment, "comment", "comment skipped"),
        (RepairKind::Ellipsis, "ellipsis", "dots that stand for something left out skipped"),
        (RepairKind::Tuple, "tuple", "parentheses around values read as an array"),
        (RepairKind::Set, "set", "braces around values without keys read as an array"),
        (RepairKind::Wrapper, "wrapper", "function call around a value dropped: the value stays"),
        (RepairKind::Concatenation, "concatenation", "strings with `+` between them joined"),
        (RepairKind::FullWidth, "full_width", "full-width sign, such as `：`, read as the plain one"),
        (RepairKind::SpecialSpace, "special_space", "white space that JSON does not have skipped"),
        (
            RepairKind::WrongCloser,
            "wrong_closer",
            "bracket that does not fit read as the one that does, `]` for `}` or the other way",
        ),
        (RepairKind::SurplusCloser, "surplus_closer", "closing bracket that closes nothing skipped"),
        (RepairKind::MissingCloser, "missing_closer", "missing closing bracket added"),
        (RepairKind::MissingOpener, "missing_opener", "missing `{` added"),
        (RepairKind::RepeatedBrace, "repeated_brace", "`{` where a key belongs skipped"),
        (RepairKind::StrayText, "stray_text", "text that is neither key nor value skipped"),
        (RepairKind::EscapedDocument, "escaped_document", "backslashes before all quotes of a document removed"),
        (RepairKind::DoubledDocument, "doubled_document", "quotes that a whole document has twice read as one each"),
    ];
    told(&all);
    assert_eq!(all.map(|(kind, ..)| kind), *RepairKind::ALL, "a kind without a row");
}

#[test]
fn of_warnings() {
    told(&[
        (WarningKind::DuplicateKey, "duplicate_key", "key that its object has already"),
        (
            WarningKind::LoneSurrogate,
            "lone_surrogate",
            "half of a surrogate pair, such as \\ud83d alone, read as U+FFFD",
        ),
    ]);
}

#[test]
fn of_what_is_outside() {
    told(&[
        (SkipKind::Prose, "prose", "text around the JSON"),
        (SkipKind::Reasoning, "reasoning", "reasoning before the answer"),
        (SkipKind::Fence, "fence", "code fence around the JSON"),
        (SkipKind::Tag, "tag", "tag or control token"),
        (SkipKind::Bom, "bom", "byte order mark"),
        (SkipKind::Closer, "closer", "bracket behind the JSON that closes nothing"),
        (SkipKind::Document, "document", "another JSON document, which is not the answer"),
        (SkipKind::Repeat, "repeat", "start of a response that says again what is there already"),
        (SkipKind::Unread, "unread", "text behind the error, which is not read"),
    ]);
}
