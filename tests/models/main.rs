//! The models that are reached through something: a real server on this machine that plays the providers' answers, and
//! real programs.

#[cfg(feature = "http")]
mod answers;
#[cfg(all(feature = "command", unix))]
mod command;
#[cfg(feature = "http")]
mod failures;
#[cfg(feature = "http")]
mod keys;
#[cfg(any(feature = "http", all(feature = "command", unix)))]
mod read;
#[cfg(feature = "http")]
mod retries;
#[cfg(feature = "http")]
mod server;
#[cfg(feature = "http")]
mod slow;
