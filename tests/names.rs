//! Names in output: programs compare with them, so they stay as they are.

use jsonrill::split::SplitErrorKind;
use jsonrill::{
    AssistedError, CheckpointError, Conclusion, ErrorKind, MessageErrorKind, ModelErrorKind, Outcome, RepairKind,
    RepairSource, ReportKind, SkipKind, State, Verdict, WarningKind,
};

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

/// What is named alike in Rust, in text and in JSON.
macro_rules! named {
    ($($kind:expr => $name:literal),+ $(,)?) => {$(
        assert_eq!(($kind.as_str(), $kind.to_string().as_str()), ($name, $name));
        assert_eq!(serde_json::to_value($kind).unwrap(), $name);
    )+};
}

#[test]
fn of_errors() {
    named! {
        ModelErrorKind::Setup => "setup",
        ModelErrorKind::Connect => "connect",
        ModelErrorKind::Timeout => "timeout",
        ModelErrorKind::Unauthorized => "unauthorized",
        ModelErrorKind::RateLimited => "rate_limited",
        ModelErrorKind::Rejected => "rejected",
        ModelErrorKind::Unavailable => "unavailable",
        ModelErrorKind::Protocol => "protocol",
        ModelErrorKind::Interrupted => "interrupted",
        ModelErrorKind::Other => "other",
    }
    named! {
        SplitErrorKind::Syntax => "syntax",
        SplitErrorKind::TooDeep => "too_deep",
        SplitErrorKind::TooLong => "too_long",
        SplitErrorKind::PathTooLong => "path_too_long",
        SplitErrorKind::ValueTooLarge => "value_too_large",
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

#[test]
fn of_verdicts() {
    for (verdict, name, pair, goes_on) in [
        (Verdict::Complete, "complete", (true, "Complete"), false),
        (Verdict::Backwards, "backwards", (false, "KPI went backwards"), false),
        (Verdict::NoProgress, "no_progress", (false, "No progress"), false),
        (Verdict::Progress, "progress", (true, "Progress"), true),
    ] {
        assert_eq!((verdict.as_str(), verdict.as_pair(), verdict.goes_on()), (name, pair, goes_on));
        assert_eq!(verdict.to_string(), pair.1);
    }
}

#[test]
fn of_states_and_outcomes() {
    named! {
        State::Pending => "pending",
        State::Growing => "growing",
        State::Final => "final",
        State::Absent => "absent",
        Outcome::Complete => "complete",
        Outcome::Repaired => "repaired",
        Outcome::Truncated => "truncated",
        Outcome::Malformed => "malformed",
        Outcome::Empty => "empty",
        Outcome::Limit => "limit",
        RepairSource::Rules => "rules",
        RepairSource::Model => "model",
        RepairSource::Cache => "cache",
    }
}

#[test]
fn of_what_is_wrong_in_a_text_or_a_stream() {
    named! {
        ErrorKind::UnexpectedByte => "unexpected_byte",
        ErrorKind::InvalidEscape => "invalid_escape",
        ErrorKind::ControlCharacter => "control_character",
        ErrorKind::InvalidNumber => "invalid_number",
        ErrorKind::InvalidUtf8 => "invalid_utf8",
        ErrorKind::DuplicateKey => "duplicate_key",
        ErrorKind::DepthLimit => "depth_limit",
        ErrorKind::ByteLimit => "byte_limit",
        ErrorKind::NodeLimit => "node_limit",
        ErrorKind::Finished => "finished",
        MessageErrorKind::Provider => "provider",
        MessageErrorKind::BadPayload => "bad_payload",
        MessageErrorKind::TooLong => "too_long",
        MessageErrorKind::TooMany => "too_many",
        MessageErrorKind::UnknownProvider => "unknown_provider",
        MessageErrorKind::NoMessage => "no_message",
        MessageErrorKind::Contradiction => "contradiction",
        MessageErrorKind::Unended => "unended",
    }
}

#[test]
fn of_answers_that_are_not_taken() {
    for (error, name, message) in [
        (AssistedError::Blank, "blank", "the text is blank"),
        (
            AssistedError::TooLarge { bytes: 9, limit: 5 },
            "too_large",
            "what is to be mended has 9 bytes, and at most 5 are sent",
        ),
        (AssistedError::Limit("depth_limit"), "limit", "the text is beyond a limit of the parser: depth_limit"),
        (AssistedError::NoJson, "no_json", "the answer has no JSON"),
        (AssistedError::Cut, "cut", "the answer was cut off"),
        (
            AssistedError::Invalid { kind: "missing_comma", offset: 3 },
            "invalid",
            "the answer is not valid JSON: missing_comma at byte 3",
        ),
        (AssistedError::TooLong { limit: 7 }, "too_long", "the answer has more than 7 bytes"),
        (AssistedError::Different { differences: 1 }, "different", "the answer differs from the text in 1 place"),
        (AssistedError::Different { differences: 2 }, "different", "the answer differs from the text in 2 places"),
        (AssistedError::Cancelled, "cancelled", "it was cancelled"),
    ] {
        assert_eq!((error.code(), error.to_string().as_str()), (name, message));
        assert_eq!(serde_json::to_value(&error).unwrap(), serde_json::json!({"code": name, "message": message}));
    }
}
