//! The state at the place where a text stopped.

mod cut;

pub use cut::{Cut, CutState};
