//! `jsonrill complete`: valid JSON out of a text that was cut.

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use clap::Args as ClapArgs;
use jsonrill::{ContextOptions, End, Outcome};

use crate::cut;
use crate::exit::Exit;
use crate::options::DialectReading;
use crate::output::write_line;
use crate::reports::left_out;
use crate::rounds::Rounds;

/// Print what there is of an answer that was cut, as valid JSON.
///
/// Everything that is open is closed. Half keys, keys without a value, half escapes, and numbers and keywords that the
/// cut went through are dropped; a string that it went through is kept as far as it goes. Valid JSON keeps its spelling
/// and its layout; members whose key their object has already are left out, which is told on standard error. Of several documents (`--roots many`) it is the last.
///
/// The text is read as one that was cut. The exit code is 0 where it is truncated, too; 3 where there is nothing to
/// print, and where it is malformed or beyond a limit, after printing what there is before that.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    rounds: Rounds,

    /// Keep a number that the cut went through, as far as it is a number.
    #[arg(long)]
    keep_scalars: bool,

    #[command(flatten)]
    reading: DialectReading,
}

/// Runs `jsonrill complete`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let finished = args.rounds.read(&args.reading, End::Truncated)?;
    let about = args.rounds.about();
    let part = finished.frozen().complete_part_with(&ContextOptions::new().keep_scalars(args.keep_scalars));

    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    write_line(&mut out, &part)?;
    out.flush()?;
    if let Some(left_out) = left_out(finished.warnings()) {
        about.tell(left_out);
    }
    Ok(match (finished.outcome(), part.is_empty()) {
        (Outcome::Empty, _) => about.complain("the text has no JSON"),
        (Outcome::Truncated, true) => about.complain("nothing of the JSON is whole before the cut"),
        _ => cut::exit(finished, &about),
    })
}
