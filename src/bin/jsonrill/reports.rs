//! What was repaired, looks odd, was left out or went wrong, in JSON lines: the same thing has the same form in all of
//! them, and where places are asked for, line and column, too.

use std::fmt;

use jsonrill::{
    Error, Finished, MessageError, MessageErrorKind, Outcome, Places, RepairKind, Report, ReportKind, Reports,
    SkipKind, Snapshot, WarningKind,
};
use serde::Serialize;

use crate::options::NO_OBJECT;

/// The form that a skip has.
#[derive(Serialize)]
pub(crate) struct SkipLine {
    start: u32,
    end: u32,
    kind: &'static str,
}

impl SkipLine {
    fn new(report: &Report<SkipKind>) -> Self {
        SkipLine { start: report.span.start, end: report.span.end, kind: report.kind.as_str() }
    }
}

/// All of them.
pub(crate) fn skips(reports: &Reports<SkipKind>) -> Vec<SkipLine> {
    reports.iter().map(SkipLine::new).collect()
}

/// The numbers of the repairs that may have read what was not meant, from 0.
pub(crate) fn doubtful(repairs: &Reports<RepairKind>) -> Vec<u64> {
    (0..).zip(repairs.iter()).filter(|(_, repair)| repair.kind.is_doubtful()).map(|(number, _)| number).collect()
}

/// What a reader of the text that was made would not see: that members were left out whose key was there already.
pub(crate) fn left_out(warnings: &Reports<WarningKind>) -> Option<String> {
    let repeated = warnings.iter().filter(|warning| warning.kind == WarningKind::DuplicateKey);
    let (members, have) = match repeated.map(|warning| u64::from(warning.count)).sum() {
        0_u64 => return None,
        1 => ("1 member is".to_owned(), "its object has its key"),
        more => (format!("{more} members are"), "their objects have their keys"),
    };
    Some(format!("{members} left out, for {have} more than once (--duplicates says which value stays)"))
}

/// What went wrong in a stream, whoever sent it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct StreamError {
    kind: MessageErrorKind,
    code: Option<String>,
    message: String,
}

impl StreamError {
    pub(crate) fn new(kind: MessageErrorKind, message: impl fmt::Display) -> Self {
        StreamError { kind, code: None, message: message.to_string() }
    }

    /// The one that tells most: the provider's own, without one the first.
    pub(crate) fn shown(errors: &[Self]) -> Option<&Self> {
        errors.iter().find(|error| error.kind == MessageErrorKind::Provider).or(errors.first())
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.code {
            Some(code) => write!(formatter, " ({code})"),
            None => Ok(()),
        }
    }
}

impl From<&MessageError> for StreamError {
    fn from(error: &MessageError) -> Self {
        StreamError { kind: error.kind, code: error.code.clone(), message: error.message.clone() }
    }
}

/// How many repairs, warnings and skips are not listed.
pub(crate) fn omitted(finished: &Finished) -> u64 {
    finished.repairs().omitted() + finished.warnings().omitted() + finished.skipped().omitted()
}

/// Something, and where it is for a person.
#[derive(Serialize)]
pub(crate) struct Placed<T> {
    #[serde(flatten)]
    what: T,
    line: u32,
    column: u32,
    message: &'static str,
}

/// The form that a repair or a warning has, but for its message.
#[derive(Serialize)]
pub(crate) struct ReportLine {
    kind: &'static str,
    offset: u32,
    length: u32,
}

impl ReportLine {
    fn new<K: ReportKind>(report: &Report<K>) -> Self {
        ReportLine { kind: report.kind.as_str(), offset: report.span.start, length: report.span.len() }
    }
}

/// Repairs, or warnings, with their places.
pub(crate) fn placed<K: ReportKind>(reports: &Reports<K>, places: &mut Places<'_>) -> Vec<Placed<ReportLine>> {
    reports.iter().map(|report| at_place(report, ReportLine::new(report), places)).collect()
}

/// Skips with their places.
pub(crate) fn placed_skips(reports: &Reports<SkipKind>, places: &mut Places<'_>) -> Vec<Placed<SkipLine>> {
    reports.iter().map(|report| at_place(report, SkipLine::new(report), places)).collect()
}

fn at_place<K: ReportKind, T>(report: &Report<K>, what: T, places: &mut Places<'_>) -> Placed<T> {
    let place = places.at(report.span.start);
    Placed { what, line: place.line, column: place.column, message: report.kind.message() }
}

/// What ended the reading of a text, or what is against it as what it was read as.
#[derive(Serialize)]
pub(crate) struct ErrorLine {
    code: &'static str,
    offset: u64,
    message: String,
}

impl ErrorLine {
    /// That of a text that was read to its end. `outcome` is what it amounts to as what it was read as.
    pub(crate) fn of(finished: &Finished, outcome: Outcome) -> Option<Self> {
        let read = |error: &Error| ErrorLine {
            code: error.kind().as_str(),
            offset: error.offset(),
            message: error.to_string(),
        };
        let is_other = outcome != finished.outcome();
        finished.error().map(read).or_else(|| is_other.then(|| Self::no_object(finished.snapshot())))
    }

    fn no_object(snapshot: &Snapshot) -> Self {
        let offset = snapshot.root().span().map_or(0, |span| span.start);
        ErrorLine { code: "no_object", offset: offset.into(), message: NO_OBJECT.to_owned() }
    }
}

/// An error with its place.
#[derive(Serialize)]
pub(crate) struct PlacedError {
    code: &'static str,
    offset: u64,
    line: Option<u32>,
    column: Option<u32>,
    message: String,
}

impl PlacedError {
    /// That of arguments that are malformed, and JSON.
    pub(crate) fn no_object(snapshot: &Snapshot, places: &mut Places<'_>) -> Self {
        let ErrorLine { code, offset, message } = ErrorLine::no_object(snapshot);
        let place = places.at(u32::try_from(offset).unwrap_or(u32::MAX));
        PlacedError { code, offset, line: Some(place.line), column: Some(place.column), message }
    }

    pub(crate) fn new(error: &Error) -> Self {
        PlacedError {
            code: error.kind().as_str(),
            offset: error.offset(),
            line: error.line(),
            column: error.column(),
            message: error.to_string(),
        }
    }
}
