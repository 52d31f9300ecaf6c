//! The log: JSON lines on standard error.

use std::io;
use std::panic;

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;

/// How much is told.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Level {
    /// Nothing.
    Off,
    /// What is broken.
    Error,
    /// The same, and what is odd.
    Warn,
    /// The same, and a line for each request.
    Info,
}

/// Begins the log.
pub(crate) fn start(level: Level) {
    let filter = match level {
        Level::Off => LevelFilter::OFF,
        Level::Error => LevelFilter::ERROR,
        Level::Warn => LevelFilter::WARN,
        Level::Info => LevelFilter::INFO,
    };
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_target(false)
        .with_current_span(false)
        .with_span_list(false)
        .with_max_level(filter)
        .with_writer(io::stderr)
        .init();
    // Where, and not what: the message may quote a text.
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panic");
    }));
}
