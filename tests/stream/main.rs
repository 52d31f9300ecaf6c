//! Decoders of streams, and the messages that providers send over them.

#[path = "../common/mod.rs"]
mod common;

mod calls;
mod ended;
mod errors;
mod formats;
mod halves;
mod laws;
mod payloads;
mod say;
mod sse;
mod texts;
mod transcripts;
