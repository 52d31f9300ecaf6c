//! What the service does not do more of, or longer.

use std::num::NonZeroU32;
use std::time::Duration;

use clap::Args;

/// Limits. Sizes are in bytes, times in milliseconds.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits (sizes in bytes, times in milliseconds)")]
pub(crate) struct Limits {
    /// How large the body of a request may be: 413.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    pub(crate) max_body: usize,

    /// How much may come in over a stream: it ends with an error.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    pub(crate) max_stream: usize,

    /// How long a prompt may be: 400.
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 10)]
    pub(crate) max_prompt: usize,

    /// How many requests may be open, streams not counted: 429.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = count)]
    pub(crate) max_concurrent: usize,

    /// How many streams may be open: 429.
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = count)]
    pub(crate) max_streams: usize,

    /// How many requests a token has in a second, at once or spread: 429. Without tokens, all requests together. No
    /// limit when missing.
    #[arg(long, value_name = "N")]
    pub(crate) rate: Option<NonZeroU32>,

    /// How long a request may take to come in and to be worked on: 408. Asking a model is not in it.
    #[arg(long, value_name = "MS", default_value = "30000", value_parser = time)]
    pub(crate) timeout: Duration,

    /// How long a stream may pause, and how long a client may take to read what is sent: it ends with an error.
    #[arg(long, value_name = "MS", default_value = "300000", value_parser = time)]
    pub(crate) idle: Duration,

    /// How often an idle stream is sent a comment, so that nothing on the way takes it for dead.
    #[arg(long, value_name = "MS", default_value = "15000", value_parser = time)]
    pub(crate) keep_alive: Duration,

    /// How long what is open may go on after SIGTERM or SIGINT: then it ends with an error.
    #[arg(long, value_name = "MS", default_value = "10000", value_parser = time)]
    pub(crate) grace: Duration,
}

/// More permits than these a semaphore does not have.
fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1_000_000) => Ok(count),
        _ => Err("a number from 1 to 1000000".to_owned()),
    }
}

/// A day is the longest.
fn time(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(time @ 1..=86_400_000) => Ok(Duration::from_millis(time)),
        _ => Err("milliseconds, from 1 to 86400000".to_owned()),
    }
}
