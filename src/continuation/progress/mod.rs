//! Progress: how far an answer is, by figures that say what it is to have in the end (KPIs).
//!
//! A [`Kpi`] is a path and a target. `path` says where it points, which `parse` reads, and `query` as JSONPath; `node`
//! is what it points into, a snapshot or a `serde_json::Value`, and `measure` what that counts. `set` and `read` make
//! KPIs of what a model writes. `report` is how far they are at one moment, `verdict` what that says beside the moment
//! before, `track` keeps it from round to round.

mod clip;
mod error;
mod kpi;
mod measure;
mod node;
mod number;
mod parse;
mod path;
#[cfg(feature = "jsonpath")]
mod query;
mod read;
mod report;
mod set;
mod track;
mod values;
mod verdict;

pub use error::{KpiProblem, KpiProblemKind, KpiSetError};
pub use kpi::Kpi;
pub use node::Measured;
pub use path::{KpiPath, KpiPathError};
pub use report::{KpiReport, KpiStatus};
pub use set::KpiSet;
pub use track::{KpiProgress, RoundProgress};
pub use values::KpiValues;
pub use verdict::Verdict;
