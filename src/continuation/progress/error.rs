//! What is wrong with KPIs.

use std::fmt;

use super::clip::clip;
use super::kpi::Kpi;
use super::path::KpiPathError;

/// Something that is wrong with a KPI, or with all of them. Part of a [`KpiSetError`].
///
/// ```
/// use jsonrill::{KpiProblemKind, KpiSet};
///
/// let error = KpiSet::read(r#"[{"id": "m", "targetValue": 3}]"#).unwrap_err();
/// let problem = &error.problems()[0];
/// assert_eq!((problem.id.as_deref(), &problem.kind), (Some("m"), &KpiProblemKind::Missing("jsonPath")));
/// assert_eq!(problem.to_string(), "KPI `m` has no `jsonPath`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KpiProblem {
    /// Which of the KPIs it is about, from 0; `None` where it is about all, or the only one.
    pub index: Option<usize>,
    /// The name of that KPI, if it has one.
    pub id: Option<String>,
    /// What is wrong.
    pub kind: KpiProblemKind,
}

/// What is wrong with a KPI, or with all of them.
///
/// ```
/// use jsonrill::{KpiProblemKind, KpiSet};
///
/// let error = KpiSet::read(r#"[{"id": "m", "targetValue": 3}]"#).unwrap_err();
/// let problem = &error.problems()[0];
/// assert_eq!((problem.id.as_deref(), &problem.kind), (Some("m"), &KpiProblemKind::Missing("jsonPath")));
/// assert_eq!(problem.to_string(), "KPI `m` has no `jsonPath`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum KpiProblemKind {
    /// There is no JSON, or no KPI in it.
    NoKpis,
    /// The text ends, or stops being JSON, before the KPIs do: the message says where.
    Incomplete(String),
    /// A KPI that is no object.
    NotAnObject,
    /// A member that a KPI must have: `id`, `jsonPath` or `targetValue`.
    Missing(&'static str),
    /// A member that is to be a number, and is none, or one beyond the range of `f64`.
    NotANumber(&'static str),
    /// A path that cannot be read.
    BadPath(KpiPathError),
    /// An id that an earlier KPI has already.
    DuplicateId,
    /// A model has defined more than are measured.
    TooMany {
        /// How many can be used.
        count: usize,
        /// How many are: the first ones.
        limit: usize,
    },
}

impl fmt::Display for KpiProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            KpiProblemKind::NoKpis => return formatter.write_str("there are no KPIs"),
            KpiProblemKind::Incomplete(why) => return write!(formatter, "the KPIs are not whole: {why}"),
            KpiProblemKind::TooMany { count, limit } => {
                return write!(formatter, "only the first {limit} of {count} KPIs are used");
            }
            _ => {}
        }
        match (&self.id, self.index) {
            (Some(id), _) => write!(formatter, "KPI `{}`", clip(id))?,
            (None, Some(index)) => write!(formatter, "KPI {} of the list", index.saturating_add(1))?,
            (None, None) => formatter.write_str("the KPI")?,
        }
        match &self.kind {
            KpiProblemKind::NotAnObject => formatter.write_str(" is no object"),
            KpiProblemKind::Missing(member) => write!(formatter, " has no `{member}`"),
            KpiProblemKind::NotANumber(member) => write!(formatter, " has a `{member}` that is no number in range"),
            KpiProblemKind::BadPath(error) => write!(formatter, ": {error}"),
            KpiProblemKind::DuplicateId => formatter.write_str(" is there twice"),
            KpiProblemKind::NoKpis | KpiProblemKind::Incomplete(_) | KpiProblemKind::TooMany { .. } => Ok(()),
        }
    }
}

/// Why KPIs cannot be used as they are. It names every problem, and keeps the KPIs that have none.
///
/// ```
/// use jsonrill::KpiSet;
///
/// let error = KpiSet::read(r#"[{"id": "a", "jsonPath": "a", "targetValue": 3}, {"id": "b", "jsonPath": "b"}]"#).unwrap_err();
/// assert_eq!(error.to_string(), "KPI `b` has no `targetValue`");
/// let usable = error.into_usable().unwrap();
/// assert_eq!(usable.iter().map(|kpi| kpi.id.as_str()).collect::<Vec<_>>(), ["a"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KpiSetError {
    pub(super) problems: Vec<KpiProblem>,
    pub(super) usable: Vec<Kpi>,
}

impl KpiSetError {
    /// What is wrong, in the order of the text; at least one.
    #[must_use]
    pub fn problems(&self) -> &[KpiProblem] {
        &self.problems
    }

    /// The KPIs that nothing is wrong with; `None` if there is none.
    #[must_use]
    pub fn into_usable(self) -> Option<super::KpiSet> {
        super::KpiSet::new(self.usable).ok()
    }
}

impl fmt::Display for KpiSetError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        for (at, problem) in self.problems.iter().take(SHOWN).enumerate() {
            let separator = if at == 0 { "" } else { "; " };
            write!(formatter, "{separator}{problem}")?;
        }
        match self.problems.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(formatter, "; and {more} more"),
        }
    }
}

impl std::error::Error for KpiSetError {}
