//! The next round: how a cut answer is gone on with until it is whole.

mod accumulate;
mod accumulation;
mod progress;
mod prompt;

pub use accumulate::{Accumulate, AccumulationEvent, accumulate};
pub use accumulation::{
    Accumulation, AccumulationOptions, AccumulationReport, Conclusion, IncompleteAccumulation, NextStep, Round,
    RoundError,
};
pub use progress::{
    Kpi, KpiPath, KpiPathError, KpiProblem, KpiProblemKind, KpiProgress, KpiReport, KpiSet, KpiSetError, KpiStatus,
    KpiValues, Measured, RoundProgress, Verdict,
};
pub use prompt::{ContinuationTemplate, Delivered, KpiTemplate, continuation_prompt, kpi_prompt};
