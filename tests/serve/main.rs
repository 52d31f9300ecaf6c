//! The service `jsonrill serve`, run as a process and asked over HTTP.
//!
//! No test depends on time: what is waited for comes, or the test fails when [`server::PATIENCE`] ends.

#[path = "../common/mod.rs"]
mod common;

#[path = "../common/devtools.rs"]
mod devtools;

mod client;
mod server;

mod assisting;
mod ends;
mod errors;
mod generating;
mod guards;
mod guide;
mod limits;
mod logging;
mod many;
mod page;
mod streaming;
mod texts;
