//! What is known about a response.

use std::error::Error;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::continuation::progress::{KpiSetError, RoundProgress};
use crate::model::{ModelError, StopReason, Usage};

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
    /// What went wrong on the model's side, if something did. As JSON it is its message.
    pub error: Option<RoundError>,
    /// What it has brought, with all that its end settles: where the last bytes were held, the snapshot, which waits for
    /// the next round, may show less. `None` where there was nothing to compare it with: for the first round, and all
    /// before there were KPIs. Also `None` for a round that was broken off here: at a limit of bytes, where the text could
    /// not be read any further, or because the whole was cancelled. What came before a model failed is compared.
    pub progress: Option<RoundProgress>,
}

impl Round {
    pub(super) fn new(bytes: u64, stop_reason: StopReason, usage: Option<Usage>, error: Option<RoundError>) -> Self {
        Self { bytes, stop_reason, usage, error, progress: None }
    }
}

/// What went wrong in a round on the model's side. It says what the error in it says.
///
/// ```
/// use jsonrill::{Accumulation, AccumulationOptions, ModelError, ModelErrorKind, RoundError};
///
/// let mut accumulation = Accumulation::new("Two numbers.", AccumulationOptions::new().ask_for_kpis(false));
/// accumulation.text("[1, ");
/// accumulation.fail(ModelError::of_kind(ModelErrorKind::RateLimited, "too many requests"));
/// let Some(RoundError::Model(error)) = &accumulation.rounds()[0].error else { unreachable!() };
/// assert_eq!((error.kind(), error.to_string()), (ModelErrorKind::RateLimited, "too many requests".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RoundError {
    /// The model could not be asked, or its response broke off.
    Model(ModelError),
    /// Some of the KPIs that the model has defined cannot be used, or all. Those that can are. Only of the call that asks
    /// for them: [`AccumulationReport::kpi_call`](crate::AccumulationReport::kpi_call).
    Kpis(KpiSetError),
}

impl fmt::Display for RoundError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => error.fmt(formatter),
            Self::Kpis(error) => error.fmt(formatter),
        }
    }
}

impl Error for RoundError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // It says what they say, so what is behind it is what is behind them.
        match self {
            Self::Model(error) => error.source(),
            Self::Kpis(error) => error.source(),
        }
    }
}

impl Serialize for RoundError {
    /// As its message.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
