//! What the bars, the runner and the instruction counts share: the documents, the counting allocator and the work
//! itself.

#[path = "../../shared/counting.rs"]
pub mod counting;
#[path = "../../shared/data.rs"]
pub mod data;
#[path = "../../shared/malformed.rs"]
pub mod malformed;
pub mod ports;
pub mod work;
