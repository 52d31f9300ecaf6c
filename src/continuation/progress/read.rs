//! KPIs out of JSON as models write it.

use std::collections::HashSet;

use super::error::{KpiProblem, KpiProblemKind, KpiSetError};
use super::kpi::Kpi;
use super::node::Node;
use super::number::numeric;
use super::set::KpiSet;

/// The KPIs in a value, and what is wrong with them.
#[derive(Default)]
pub(super) struct Found {
    kpis: Vec<Kpi>,
    problems: Vec<KpiProblem>,
    count: usize,
}

impl Found {
    /// Adds those in an array of KPIs, an object with a member `kpis`, or one KPI.
    pub(super) fn add(&mut self, node: Node<'_>) {
        match member(node, &["kpis"]).filter(|inner| inner.is_array() || inner.is_object()) {
            Some(inner) => self.add_list(inner),
            None => self.add_list(node),
        }
    }

    fn add_list(&mut self, node: Node<'_>) {
        if node.is_array() {
            for (_, child) in node.children() {
                self.add_one(child, Some(self.count));
            }
        } else if is_kpi(node) {
            self.add_one(node, None);
        }
    }

    fn add_one(&mut self, node: Node<'_>, index: Option<usize>) {
        self.count += 1;
        match kpi(node, index) {
            Ok(kpi) => self.kpis.push(kpi),
            Err(problem) => self.problems.push(problem),
        }
    }

    /// Adds what is wrong with all of them.
    pub(super) fn add_problem(&mut self, kind: KpiProblemKind) {
        self.problems.push(KpiProblem { index: None, id: None, kind });
    }

    /// The set, if nothing is wrong.
    pub(super) fn into_set(mut self) -> Result<KpiSet, KpiSetError> {
        if self.count == 0 && self.problems.is_empty() {
            self.add_problem(KpiProblemKind::NoKpis);
        }
        let checked = KpiSet::new(self.kpis);
        if self.problems.is_empty() {
            return checked;
        }
        let (usable, more) = match checked {
            Ok(set) => (set.into_iter().collect(), Vec::new()),
            Err(error) => (error.usable, error.problems),
        };
        self.problems.extend(more.into_iter().filter(|problem| problem.kind != KpiProblemKind::NoKpis));
        Err(KpiSetError { problems: self.problems, usable })
    }
}

/// Whether an object looks like one KPI.
pub(super) fn is_kpi(node: Node<'_>) -> bool {
    [ID, PATH, TARGET].iter().any(|names| member(node, names).is_some())
}

const ID: &[&str] = &["id"];
const PATH: &[&str] = &["jsonpath", "path"];
const TARGET: &[&str] = &["targetvalue", "target"];
const CURRENT: &[&str] = &["currentvalue", "current"];
const DESCRIPTION: &[&str] = &["description"];

/// One KPI.
pub(super) fn kpi(node: Node<'_>, index: Option<usize>) -> Result<Kpi, KpiProblem> {
    let id = member(node, ID).and_then(words);
    let problem = |kind| KpiProblem { index, id: id.clone(), kind };
    if !node.is_object() {
        return Err(problem(KpiProblemKind::NotAnObject));
    }
    let missing = |what| problem(KpiProblemKind::Missing(what));
    let path = member(node, PATH).and_then(words).ok_or_else(|| missing("jsonPath"));
    let target = member(node, TARGET).ok_or_else(|| missing("targetValue"));
    let Some(id) = &id else { return Err(missing("id")) };
    let path = path?.parse().map_err(|error| problem(KpiProblemKind::BadPath(error)))?;
    let target = match target? {
        target if target.is_null() => None,
        target => Some(number(target).ok_or_else(|| problem(KpiProblemKind::NotANumber("targetValue")))?),
    };
    let mut kpi = Kpi::new(id, path, target);
    kpi.description = member(node, DESCRIPTION).and_then(words).unwrap_or_default();
    kpi.current_value = member(node, CURRENT).and_then(number).unwrap_or_default();
    Ok(kpi)
}

/// The member with one of these names, whatever their case, and with or without `_`, `-` and blanks.
fn member<'a>(node: Node<'a>, names: &[&str]) -> Option<Node<'a>> {
    if !node.is_object() {
        return None;
    }
    let is = |key: &str, name: &str| {
        let signs = key.chars().filter(|sign| !matches!(sign, '_' | '-' | ' '));
        signs.map(|sign| sign.to_ascii_lowercase()).eq(name.chars())
    };
    names.iter().find_map(|name| {
        let found = node.children().find(|(key, _)| key.is_some_and(|key| is(key, name)));
        found.map(|(_, child)| child)
    })
}

/// A text that is not blank, or a number as a text.
fn words(node: Node<'_>) -> Option<String> {
    match node.text() {
        Some(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        None => node.number().map(|number| number.to_string()),
    }
}

/// A number, or a text that is one.
pub(super) fn number(node: Node<'_>) -> Option<f64> {
    match node.text() {
        Some(text) => numeric(text),
        None => node.number(),
    }
}

/// The places of ids that were there before.
pub(super) fn repeated<'k>(kpis: impl Iterator<Item = &'k Kpi>) -> Vec<usize> {
    let mut seen = HashSet::new();
    kpis.enumerate().filter(|(_, kpi)| !seen.insert(kpi.id.as_str())).map(|(index, _)| index).collect()
}
