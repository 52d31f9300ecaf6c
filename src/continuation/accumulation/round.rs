//! What is known about a response.

use serde::Serialize;

use crate::continuation::progress::RoundProgress;
use crate::model::{StopReason, Usage};

/// A response of the model, when it has ended.
///
/// ```
/// use jsonrill::{Accumulation, AccumulationOptions, Usage};
///
/// let mut accumulation = Accumulation::new("Two numbers.", AccumulationOptions::new().ask_for_kpis(false));
/// accumulation.text("[1, 2]");
/// accumulation.end("stop", Some(Usage::new(20, 6)));
/// let round = &accumulation.rounds()[0];
/// assert_eq!((round.bytes, round.stop_reason.as_str(), round.usage), (6, "stop", Some(Usage::new(20, 6))));
/// assert!(round.error.is_none() && round.progress.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Round {
    /// How much text it had, in bytes.
    pub bytes: u64,
    /// Why it ended; [`StopReason::unknown`] where nobody said, or it was broken off.
    pub stop_reason: StopReason,
    /// What it cost, if that is known.
    pub usage: Option<Usage>,
    /// What went wrong on the model's side, if something did: why the response broke off, or why its KPIs could not be
    /// used.
    pub error: Option<String>,
    /// What it has brought. `None` where there was nothing to compare it with: for the first round, and all before
    /// there were KPIs. Also `None` for a round that did not end by itself: it was broken off at a limit of bytes,
    /// where the text could not be read any further, or because the whole was cancelled.
    pub progress: Option<RoundProgress>,
}

impl Round {
    pub(super) fn new(bytes: u64, stop_reason: StopReason, usage: Option<Usage>, error: Option<String>) -> Self {
        Self { bytes, stop_reason, usage, error, progress: None }
    }
}
