//! How far an answer is at one moment.

use std::fmt::Write as _;

use serde::Serialize;

use super::clip::clip;
use super::number;
use super::values::KpiValues;
use super::verdict::Verdict;

/// How far one KPI is. Part of a [`KpiReport`].
///
/// ```
/// use jsonrill::{KpiProgress, KpiSet};
/// use serde_json::json;
///
/// let kpis = KpiSet::read(r#"[{"id": "items", "jsonPath": "items", "targetValue": 4}]"#)?;
/// let mut progress = KpiProgress::new(kpis, &json!({"items": [1]}));
/// let round = progress.after_round(&json!({"items": [1, 2, 3]}), false);
/// let status = &round.report.kpis[0];
/// assert_eq!((&*status.id, status.last, status.current, status.target), ("items", Some(1.0), 3.0, Some(4.0)));
/// assert_eq!(status.change(), 2.0);
/// # Ok::<(), jsonrill::KpiSetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct KpiStatus {
    /// Its id.
    pub id: String,
    /// What it is now.
    #[serde(serialize_with = "number::serialize")]
    pub current: f64,
    /// What it was at the moment before, if there was one. Left out of the JSON if not.
    #[serde(serialize_with = "number::serialize_option", skip_serializing_if = "Option::is_none")]
    pub last: Option<f64>,
    /// What it is to be in the end, if that is known.
    #[serde(serialize_with = "number::serialize_option")]
    pub target: Option<f64>,
    /// How much of the target it is, from 0 to 1.
    #[serde(serialize_with = "number::serialize_option")]
    pub ratio: Option<f64>,
}

impl KpiStatus {
    /// How much larger it is than at the moment before; less than 0 where it is smaller. Where there was none it was 0.
    #[must_use]
    pub fn change(&self) -> f64 {
        self.current - self.last.unwrap_or(0.0)
    }
}

/// How far an answer is. Made by [`KpiSet::report`](crate::KpiSet::report).
///
/// As JSON it is `{"kpis": [{"id", "current", "target", "ratio"}, …], "ratio"}`, with a `last` where there was a moment
/// before.
///
/// ```
/// use jsonrill::{KpiProgress, KpiSet};
/// use serde_json::json;
///
/// let kpis = KpiSet::read(r#"[{"id": "items", "jsonPath": "items", "targetValue": 4}]"#)?;
/// let mut progress = KpiProgress::new(kpis, &json!({"items": [1]}));
/// let round = progress.after_round(&json!({"items": [1, 2, 3]}), false);
/// assert_eq!((round.report.ratio, round.report.all_reached()), (Some(0.75), false));
/// # Ok::<(), jsonrill::KpiSetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct KpiReport {
    /// How far each KPI is, in the order of the set.
    pub kpis: Vec<KpiStatus>,
    /// How far all are: the mean of their ratios, from 0 to 1. `None` where none has a target.
    #[serde(serialize_with = "number::serialize_option")]
    pub ratio: Option<f64>,
}

impl KpiReport {
    pub(super) fn new(kpis: impl Iterator<Item = KpiStatus>) -> Self {
        let kpis: Vec<_> = kpis.collect();
        let (sum, count) =
            kpis.iter().filter_map(|kpi| kpi.ratio).fold((0.0, 0), |(sum, count), ratio| (sum + ratio, count + 1));
        Self { kpis, ratio: (count > 0).then(|| sum / number::count(count)) }
    }

    /// Whether there are targets, and all of them are reached.
    #[must_use]
    #[expect(clippy::float_cmp, reason = "a target that is reached has a ratio of exactly 1")]
    pub fn all_reached(&self) -> bool {
        self.ratio.is_some() && self.kpis.iter().all(|kpi| kpi.ratio.is_none_or(|ratio| ratio == 1.0))
    }

    /// What this says beside the moment before: see [`Verdict`]. Where there was none, everything was 0.
    #[must_use]
    pub fn verdict(&self, is_json_complete: bool) -> Verdict {
        let (mut shrank, mut grew) = (false, false);
        for kpi in &self.kpis {
            shrank |= kpi.change() < 0.0;
            grew |= kpi.change() > 0.0;
        }
        match (is_json_complete || self.all_reached(), shrank, grew) {
            (true, _, _) => Verdict::Complete,
            (_, true, _) => Verdict::Backwards,
            (_, _, false) => Verdict::NoProgress,
            (_, _, true) => Verdict::Progress,
        }
    }

    /// Why the verdict is what it is, in words, with the KPIs that decided it (the first three).
    ///
    /// ```
    /// use jsonrill::{KpiSet, KpiValues};
    /// use serde_json::json;
    ///
    /// let kpis = KpiSet::read(r#"{"id": "items", "path": "items", "target": 10}"#)?;
    /// let before = KpiValues::from_iter([("items".to_owned(), 4.0)]);
    /// let report = kpis.report_since(&json!({"items": [1, 2, 3]}), &before);
    /// assert_eq!(report.reason(false), "`items` went from 4 to 3 of 10");
    /// assert_eq!(report.reason(true), "the JSON is complete");
    /// # Ok::<(), jsonrill::KpiSetError>(())
    /// ```
    #[must_use]
    pub fn reason(&self, is_json_complete: bool) -> String {
        match self.verdict(is_json_complete) {
            Verdict::Complete if is_json_complete => "the JSON is complete".to_owned(),
            Verdict::Complete => "all targets are reached".to_owned(),
            Verdict::Backwards => self.list(|kpi| kpi.change() < 0.0),
            Verdict::NoProgress => format!("nothing grew: {}", self.list(|_| true)),
            Verdict::Progress => self.list(|kpi| kpi.change() > 0.0),
        }
    }

    fn list(&self, is_wanted: impl Fn(&KpiStatus) -> bool) -> String {
        const SHOWN: usize = 3;
        let mut text = String::new();
        for (at, kpi) in self.kpis.iter().filter(|kpi| is_wanted(kpi)).enumerate() {
            if at >= SHOWN {
                text.push_str(", …");
                break;
            }
            let comma = if at == 0 { "" } else { ", " };
            let (id, last, now) = (clip(&kpi.id), kpi.last.unwrap_or(0.0), kpi.current);
            // Writing to a String cannot fail.
            let _ = match kpi.change() {
                0.0 => write!(text, "{comma}`{id}` stays at {now}"),
                _ => write!(text, "{comma}`{id}` went from {last} to {now}"),
            };
            if let Some(target) = kpi.target {
                let _ = write!(text, " of {target}");
            }
        }
        text
    }

    /// What each KPI is now, by id.
    #[must_use]
    pub fn values(&self) -> KpiValues {
        self.kpis.iter().map(|kpi| (kpi.id.clone(), kpi.current)).collect()
    }
}
