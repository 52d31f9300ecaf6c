//! The state at the cut: where a text stopped, its complete part, the two contexts for the next round, and checkpoints.
//!
//! What is wanted of valid JSON is worked out by a reader of its own (`oracle`), for every byte at which it can be cut.
//! Of damaged text only what holds whatever it reads as.

#[path = "../common/mod.rs"]
mod common;

// What is around the JSON in life: the cases of `tests/envelope.rs`.
#[allow(dead_code)]
#[path = "../envelope/cases.rs"]
mod cases;

mod checkpoint;
mod damaged;
mod every_cut;
mod examples;
mod folding;
mod oracle;
mod outputs;
mod owned;
mod texts;
