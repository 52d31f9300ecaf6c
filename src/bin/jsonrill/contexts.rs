//! `jsonrill contexts`: what a model needs to go on with an answer that was cut.

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use clap::Args as ClapArgs;
use jsonrill::{BUDGET_LIMIT, ContextOptions, Contexts, End, Frozen, OVERLAP_MAX_CHARS, Outcome};

use crate::cut::{self, CutLine};
use crate::exit::Exit;
use crate::options::DialectReading;
use crate::output::Line;
use crate::rounds::Rounds;

/// Print what a model needs to go on with an answer that was cut.
///
/// One JSON line: `{"overlap", "overlap_clipped", "hierarchy", "complete_part", "cut"}`. The overlap is the innermost
/// open object or array up to the cut, the hierarchy the structure from the root to the cut with some of the data, the
/// complete part valid JSON up to the cut. The cut says where and in what state the text stops:
/// `{"offset", "state", "open", "closers"}`.
///
/// The text is read as one that was cut. The exit code is 0 where it is truncated, too, and where it is complete or has
/// no JSON, which is told on standard error (the contexts are empty, and the state of the cut is `before_root`); 3 where it is malformed or beyond a limit, and the line is about what there is before that.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    rounds: Rounds,

    /// How many characters of string values the hierarchy keeps, those nearest to the cut.
    #[arg(long, value_name = "CHARS", default_value_t = BUDGET_LIMIT)]
    budget: usize,

    /// How many characters the overlap has at most, the last ones.
    #[arg(long, value_name = "CHARS", default_value_t = OVERLAP_MAX_CHARS)]
    overlap: usize,

    /// How many characters the hierarchy has at most: what is far from the cut is folded into comments that count what
    /// was left out. Less than 128 is 128; no limit when missing.
    #[arg(long, value_name = "CHARS")]
    limit: Option<usize>,

    #[command(flatten)]
    reading: DialectReading,
}

/// Runs `jsonrill contexts`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let finished = args.rounds.read(&args.reading, End::Truncated)?;
    let frozen = finished.frozen();
    let options =
        ContextOptions::new().budget_limit(args.budget).overlap_max_chars(args.overlap).total_limit(args.limit);

    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    let mut line = Line::new(&mut out);
    members(&mut line, frozen, &options)?;
    line.end()?;
    out.flush()?;
    let about = args.rounds.about();
    if finished.outcome() == Outcome::Empty {
        about.tell("the text has no JSON: there is nothing to go on with");
    }
    Ok(cut::exit(finished, &about))
}

/// Writes the contexts as the members of one JSON object.
pub(crate) fn members(line: &mut Line<'_, impl Write>, frozen: &Frozen, options: &ContextOptions) -> io::Result<()> {
    let Contexts { overlap, overlap_clipped, hierarchy, complete_part, .. } = frozen.contexts_with(options);
    line.member("overlap", &overlap)?
        .member("overlap_clipped", &overlap_clipped)?
        .member("hierarchy", &hierarchy)?
        .member("complete_part", &complete_part)?
        .member("cut", &CutLine::new(frozen.cut()))?;
    Ok(())
}
