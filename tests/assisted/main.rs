//! Repair with a model's help: when it is asked, what, how far it is trusted, and what becomes of the text.

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod asking;
mod cache;
mod comparison;
mod corpus;
mod cut;
mod driver;
mod laws;
mod script;
mod windows;
