//! All that a user can see of a parser, as plain data that can be compared and printed.

use std::collections::BTreeMap;

use jsonrill::{Finished, Kind, Parser, ReportKind, Reports, Snapshot, Span, State, ValueRef};
use serde_json::{Value, json};

use super::reference::Mark;
use super::tree::Tree;

/// A value as plain data, read through the reading interface.
pub fn tree(value: ValueRef<'_>) -> Option<Tree> {
    Some(match value.kind()? {
        Kind::Null => Tree::Null,
        Kind::Bool => Tree::Bool(value.as_bool().expect("a boolean")),
        Kind::Number => Tree::Number(value.number_text().expect("a number").to_owned()),
        Kind::String => Tree::String(value.as_str().expect("a string").to_owned()),
        Kind::Array => Tree::Array(value.elements().filter_map(tree).collect()),
        Kind::Object => {
            Tree::Object(value.members().filter_map(|(key, value)| Some((key.to_owned(), tree(value)?))).collect())
        }
    })
}

/// The root as plain data; nothing when nothing is shown.
pub fn root(snapshot: &Snapshot) -> Option<Tree> {
    tree(snapshot.root())
}

/// Every shown value in document order, parents first.
pub fn values(snapshot: &Snapshot) -> Vec<ValueRef<'_>> {
    let mut found = Vec::new();
    let mut todo = vec![snapshot.root()];
    while let Some(value) = todo.pop() {
        if value.exists() {
            found.push(value);
            let children: Vec<_> = value.elements().collect();
            todo.extend(children.into_iter().rev());
        }
    }
    found
}

/// The state of every shown value, by pointer.
pub fn states(snapshot: &Snapshot) -> BTreeMap<String, State> {
    values(snapshot).into_iter().map(|value| (value.path(), value.state())).collect()
}

/// Whether the states are those that the reference gives.
pub fn agree(states: &BTreeMap<String, State>, marks: &BTreeMap<String, Mark>) -> bool {
    states.len() == marks.len()
        && states.iter().zip(marks).all(|((pointer, state), (other, mark))| {
            pointer == other
                && match mark {
                    Mark::Growing => *state == State::Growing,
                    Mark::Final => *state == State::Final,
                    Mark::Either => true,
                }
        })
}

/// The ambiguity as JSON, built from the states.
pub fn ambiguity(value: ValueRef<'_>) -> Value {
    let ambiguous = value.state() != State::Final;
    match value.kind() {
        Some(Kind::Object) => {
            let fields: serde_json::Map<_, _> =
                value.members().map(|(key, value)| (key.to_owned(), ambiguity(value))).collect();
            json!({"ambiguous": ambiguous, "fields": fields})
        }
        Some(Kind::Array) => {
            json!({"ambiguous": ambiguous, "items": value.elements().map(ambiguity).collect::<Vec<_>>()})
        }
        _ => json!({"ambiguous": ambiguous}),
    }
}

/// What a snapshot shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub tree: Option<Tree>,
    pub states: BTreeMap<String, State>,
    pub spans: Vec<Option<Span>>,
    pub open: Option<String>,
    pub ambiguity: Value,
    pub display: String,
    pub text: String,
    pub outside: Vec<(&'static str, Span, String)>,
    pub final_only: Option<Tree>,
    pub settled_numbers: Option<Tree>,
}

pub fn seen(snapshot: &Snapshot) -> Seen {
    Seen {
        tree: root(snapshot),
        states: states(snapshot),
        spans: values(snapshot).into_iter().map(ValueRef::span).collect(),
        open: snapshot.open_path(),
        ambiguity: snapshot.ambiguity().to_value(),
        display: snapshot.to_string(),
        text: snapshot.text().into_owned(),
        outside: snapshot
            .outside()
            .map(|outside| (outside.kind.as_str(), outside.span, outside.text.into_owned()))
            .collect(),
        final_only: root(&snapshot.final_only()),
        settled_numbers: root(&snapshot.without_number_in_flight()),
    }
}

/// Kind, place and count of each report, and how many were left out.
pub type Reported = (Vec<(String, Span, u64)>, u64);

pub fn reported<K: ReportKind>(reports: &Reports<K>) -> Reported {
    let entries =
        reports.iter().map(|report| (format!("{:?}", report.kind), report.span, u64::from(report.count))).collect();
    (entries, reports.omitted())
}

/// Code, offset, line, column and what was expected.
pub type Fault = (&'static str, u64, Option<u32>, Option<u32>, &'static str);

fn fault(error: &jsonrill::Error) -> Fault {
    (error.kind().as_str(), error.offset(), error.line(), error.column(), error.expected())
}

/// What a parser shows between two feeds.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    pub seen: Seen,
    pub error: Option<Fault>,
    pub repairs: Reported,
    pub warnings: Reported,
}

pub fn view(parser: &mut Parser) -> View {
    View {
        seen: seen(&parser.snapshot()),
        error: parser.error().map(fault),
        repairs: reported(parser.repairs()),
        warnings: reported(parser.warnings()),
    }
}

/// What is shown at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    pub seen: Seen,
    pub outcome: &'static str,
    pub complete: bool,
    pub error: Option<Fault>,
    pub repairs: Reported,
    pub warnings: Reported,
    pub skipped: Reported,
    pub documents: Vec<(u32, Option<Tree>, bool, Option<Span>)>,
    pub cut: Option<(u64, &'static str, Option<String>, String)>,
}

pub fn ending(finished: &Finished) -> Ending {
    Ending {
        seen: seen(finished.snapshot()),
        outcome: finished.outcome().as_str(),
        complete: finished.is_complete(),
        error: finished.error().map(fault),
        repairs: reported(finished.repairs()),
        warnings: reported(finished.warnings()),
        skipped: reported(finished.skipped()),
        documents: finished
            .documents()
            .map(|document| (document.number, root(&document.snapshot), document.is_complete, Some(document.span)))
            .collect(),
        cut: finished
            .cut()
            .map(|cut| (cut.offset(), cut.state().as_str(), cut.open().map(str::to_owned), cut.closers().to_owned())),
    }
}
