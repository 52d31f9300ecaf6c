//! What was made of a text, in a line.

use std::fmt;

use jsonrill::{Finished, Outcome, RepairKind, Repaired, Reports, SkipKind, WarningKind};

use crate::watch::total;

/// How a text ended, and how much in it was repaired and left out.
pub(crate) struct Summary<'a> {
    outcome: Outcome,
    repairs: &'a Reports<RepairKind>,
    warnings: &'a Reports<WarningKind>,
    skipped: &'a Reports<SkipKind>,
}

impl<'a> Summary<'a> {
    pub(crate) fn of_repaired(repaired: &'a Repaired) -> Self {
        Self {
            outcome: repaired.outcome(),
            repairs: repaired.repairs(),
            warnings: repaired.warnings(),
            skipped: repaired.skipped(),
        }
    }

    /// The same of a text that has something to tell.
    pub(crate) fn of_finished(finished: &'a Finished) -> Option<Self> {
        let (repairs, warnings, skipped) = (finished.repairs(), finished.warnings(), finished.skipped());
        let is_silent = repairs.is_empty() && warnings.is_empty() && skipped.is_empty();
        (!is_silent).then_some(Self { outcome: finished.outcome(), repairs, warnings, skipped })
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let repairs = count(total(self.repairs), "repair");
        let warnings = count(total(self.warnings), "warning");
        let skips = count(total(self.skipped), "skip");
        write!(formatter, "{}: {repairs}, {warnings}, {skips}", self.outcome)?;
        match self.repairs.omitted() + self.warnings.omitted() + self.skipped.omitted() {
            0 => Ok(()),
            omitted => write!(formatter, " ({omitted} of them not listed)"),
        }
    }
}
