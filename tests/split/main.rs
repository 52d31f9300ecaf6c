//! The splitter: as the Python package splits, and as we do.

#[path = "../common/mod.rs"]
mod common;

mod compat;
mod hostile;
mod laws;
mod lenient;
mod tree;
mod updates;
