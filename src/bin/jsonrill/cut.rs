//! Where a text was cut: for programs, for people, and as the input of `contexts` and `complete`.

use std::fmt;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use jsonrill::{Cut, CutState, End, Finished, Parser};
use serde::Serialize;

use crate::exit::Exit;
use crate::input::{Format, Input};
use crate::options::DialectReading;
use crate::output::tell;
use crate::printable::{clip, clip_start, printable};

/// How many columns of a pointer, of the text in flight and of the closers are shown.
const POINTER: usize = 60;
const IN_FLIGHT: usize = 30;
const CLOSERS: usize = 20;

/// A text that is read as one that was cut.
#[derive(Debug, Args)]
pub(crate) struct CutText {
    /// The file to read; standard input when missing or `-`.
    file: Option<PathBuf>,
}

impl CutText {
    pub(crate) fn read(&self, reading: &DialectReading) -> Result<Finished> {
        let source = Input::open(self.file.as_deref(), Format::Text, None)?.into_rest()?;
        let mut parser = Parser::with_options(reading.options());
        parser.push(source);
        Ok(parser.finish(End::Truncated))
    }
}

/// How a command that prints what there is of a text ends, with a message where something stopped the reading of it.
pub(crate) fn exit(finished: Finished) -> Exit {
    match finished.into_complete() {
        Err(incomplete) if incomplete.finished().error().is_some() => complain(&incomplete),
        _ => Exit::Done,
    }
}

/// Says on standard error why there is not what was asked for.
pub(crate) fn complain(why: &dyn fmt::Display) -> Exit {
    tell(&format!("jsonrill: {why}\n"));
    Exit::Unusable
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
