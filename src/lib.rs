//! Reads the JSON that a language model streams.
#![deny(missing_docs)]
#![warn(missing_debug_implementations, unreachable_pub)]
// No input may make the library panic, so what could is not used at all.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod document;
mod frozen;
mod parser;
mod view;

pub use document::{Kind, Path, SkipKind, Span, Step};
pub use frozen::{Cut, CutState};
pub use parser::{
    Complete, Dialect, Document, Duplicates, End, Error, ErrorCode, Expect, Finished, Incomplete, Limits, MAX_DEPTH,
    Options, Outcome, Parser, RepairKind, Report, ReportKind, Reports, Role, Roots, WarningKind,
};
pub use view::{
    Ambiguity, ApplyError, Delta, DeltaOp, DeserializeError, Elements, Finals, Members, Op, Ops, OutsideText, Parts,
    Snapshot, State, Update, ValueRef, apply_all,
};
