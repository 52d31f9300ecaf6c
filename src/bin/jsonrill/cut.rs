//! Where a text was cut, for programs and for people.

use std::fmt;

use jsonrill::{Cut, CutState, Finished, Outcome};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::About;
use crate::printable::{clip, clip_start, printable};

/// How many columns of a pointer, of the text in flight and of the closers are shown.
const POINTER: usize = 60;
const IN_FLIGHT: usize = 30;
const CLOSERS: usize = 20;

/// How a command that prints what there is of a text ends, with a message where something stopped the reading of it.
pub(crate) fn exit(finished: Finished, about: &About) -> Exit {
    match finished.into_complete() {
        Err(incomplete) if incomplete.finished().error().is_some() => about.complain(incomplete),
        _ => Exit::Done,
    }
}

/// How a command ends that says what the JSON is, with a message where there is none or something stopped the reading
/// of it. `outcome` is what the text amounts to as what it was read as: what there is against that is told elsewhere.
pub(crate) fn judged(finished: Finished, outcome: Outcome, about: &About) -> Exit {
    match finished.into_complete() {
        Err(incomplete) if incomplete.outcome() != Outcome::Truncated => about.complain(incomplete),
        _ => outcome.into(),
    }
}

/// The form that a cut has in JSON lines.
#[derive(Debug, Serialize)]
pub(crate) struct CutLine<'a> {
    offset: u64,
    state: CutState,
    open: Option<&'a str>,
    closers: &'a str,
}

impl<'a> CutLine<'a> {
    pub(crate) fn new(cut: &'a Cut) -> Self {
        CutLine { offset: cut.offset(), state: cut.state(), open: cut.open(), closers: cut.closers() }
    }
}

/// A cut as a person is told of it.
pub(crate) struct Told<'a>(pub(crate) &'a Cut);

impl fmt::Display for Told<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(cut) = self;
        formatter.write_str("the text stops ")?;
        match cut.open() {
            None | Some("") => formatter.write_str("in the root")?,
            Some(open) => write!(formatter, "in {}", clip_start(&printable(open), POINTER))?,
        }
        if !cut.in_flight().is_empty() {
            write!(formatter, ", behind `{}`", clip_start(&printable(cut.in_flight()), IN_FLIGHT))?;
        }
        if !cut.closers().is_empty() {
            write!(formatter, ", and `{}` is missing", clip(cut.closers(), CLOSERS))?;
        }
        Ok(())
    }
}
