//! Names in output: programs compare with them, so they stay as they are.

use jsonrill::split::SplitErrorKind;
use jsonrill::{CheckpointError, Conclusion, ModelErrorKind};

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
