//! What `RecursiveJsonSplitter` of langchain-text-splitters 1.1.3 does, result for result.
//!
//! For those who have an index that was made with it, and must go on with the same chunks. For anything new there is
//! [`Splitter`](super::Splitter), which has none of the faults listed at [`RecursiveJsonSplitter`].

mod error;
mod json;
mod lists;
mod spelling;
mod splitter;

pub use error::{CompatError, CompatErrorKind};
pub use json::{Json, JsonError};
pub use splitter::RecursiveJsonSplitter;
