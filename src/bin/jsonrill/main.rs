//! `jsonrill`: the command line of the library.
//!
//! One module per subcommand (`watch`, `repair`, `contexts`, `complete`, `join`, `progress`, `split`, `events`,
//! `message`), each with an `Args` for clap and a `run` that returns how the program ends; what they share is in
//! `input` (where chunks come from), `stream` (how a provider's response comes), `rounds` (files that are the responses
//! of one answer), `lines` and `watched` (what is known after every chunk, and of what of a stream), `options` (how
//! they are read), `output` (JSON lines and messages), `cut` (where a text was cut), `reports` (what was repaired, left out, or went wrong), `model` (which model is asked),
//! `assisted` (a repair that asks it), `required` (what is said of such a repair, and of values that have to be there),
//! `excerpt` (a place in a text, shown), `printable` (text that a terminal may
//! show) and `exit` (exit codes). The service is a subcommand with modules of its own, `serve`.

#[cfg(any(feature = "http", feature = "command"))]
mod assisted;
mod complete;
mod contexts;
mod cut;
mod events;
mod excerpt;
mod exit;
mod input;
mod join;
mod lines;
mod live;
mod message;
#[cfg(any(feature = "http", feature = "command"))]
mod model;
mod options;
mod output;
mod printable;
mod progress;
mod repair;
mod reports;
mod required;
mod rounds;
#[cfg(feature = "serve")]
mod serve;
mod source;
mod split;
mod splitting;
mod stream;
mod summary;
mod watch;
mod watched;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::Exit;

/// Reads the JSON that a language model streams.
///
/// Reads a file or standard input, writes JSON lines to standard output and messages to standard error.
#[derive(Debug, Parser)]
#[command(name = "jsonrill", version, after_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Watch(watch::Args),
    Repair(repair::Args),
    Contexts(contexts::Args),
    Complete(complete::Args),
    Join(join::Args),
    Progress(progress::Args),
    Split(split::Args),
    Events(events::Args),
    Message(message::Args),
    #[cfg(feature = "serve")]
    Serve(Box<serve::Args>),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // clap's own code for a usage error is 2, which is `truncated` here. A reader of the help that went away
            // is no reason to fail.
            let exit = if error.use_stderr() { Exit::Failed } else { Exit::Done };
            let _ = error.print();
            return exit.into();
        }
    };
    let result = match &cli.command {
        Command::Watch(args) => watch::run(args),
        Command::Repair(args) => repair::run(args),
        Command::Contexts(args) => contexts::run(args),
        Command::Complete(args) => complete::run(args),
        Command::Join(args) => join::run(args),
        Command::Progress(args) => progress::run(args),
        Command::Split(args) => split::run(args),
        Command::Events(args) => events::run(args),
        Command::Message(args) => message::run(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args),
    };
    match result {
        Ok(exit) => exit.into(),
        // Whoever read our output has had enough, as `head` does: nothing went wrong.
        Err(error) if is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            eprintln!("jsonrill: {error:#}");
            Exit::Failed.into()
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
