//! Streams of updates, and subscriptions to fields.

#[path = "../common/mod.rs"]
mod common;

mod adapter;
mod decode;
mod errors;
mod hostile;
mod laws;
mod script;
mod subscribers;
mod tasks;
