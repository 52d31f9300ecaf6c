//! How the program ends.

use std::process::ExitCode;

use jsonrill::Outcome;

/// The part of the help that lists the exit codes.
pub(crate) const HELP: &str = "\
Exit codes:
  0  the JSON is complete, or was repaired (contexts, complete, split, events, message: there is
     output)
  1  usage, or input and output failed
  2  the JSON is truncated
  3  the JSON is malformed, there is none, or it is beyond a limit (repair --require: a value is
     missing)";

/// The exit codes of the command-line contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Complete or repaired; or the output that was asked for is there.
    Done,
    /// Usage, or input and output.
    Failed,
    /// The text stopped before its JSON did.
    Truncated,
    /// Malformed, empty or beyond a limit.
    Unusable,
}

impl From<Outcome> for Exit {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Complete | Outcome::Repaired => Exit::Done,
            Outcome::Truncated => Exit::Truncated,
            _ => Exit::Unusable,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Truncated => 2,
            Exit::Unusable => 3,
        })
    }
}
