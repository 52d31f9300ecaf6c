//! All the KPIs of an answer.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::parser::{Chunk, End, Finished, Parser};
use crate::view::Snapshot;

use super::error::{KpiProblem, KpiProblemKind, KpiSetError};
use super::kpi::Kpi;
use super::node::{Measured, Node, Whole};
use super::read::{Found, is_kpi, repeated};
use super::report::{KpiReport, KpiStatus};
use super::values::KpiValues;

/// The KPIs of an answer: at least one, each with an id of its own.
///
/// As JSON it is an array of [`Kpi`]s. The default is [`Kpi::leaves`] alone, for when nothing else is known.
///
/// ```
/// use jsonrill::{KpiSet, Parser};
///
/// let kpis = KpiSet::read(r#"Here you are:
/// ```json
/// {"kpis": [
///   {"id": "stations", "jsonPath": "$.stations", "targetValue": 40, "currentValue": 3},
///   {"id": "lines", "jsonPath": "lines", "targetValue": "4",},
/// ]}
/// ```"#)?;
///
/// let update = Parser::new().feed(r#"{"lines": {"A": 1, "B": 2}, "stations": ["Oslo", "Ber"#);
/// let report = kpis.report(update.snapshot());
/// assert_eq!(report.ratio, Some((2.0 / 40.0 + 2.0 / 4.0) / 2.0)); // for a progress bar
/// # Ok::<(), jsonrill::KpiSetError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KpiSet {
    kpis: Vec<Kpi>,
}

impl KpiSet {
    /// A set of these.
    ///
    /// # Errors
    ///
    /// [`KpiSetError`] where there is none, or two have one id.
    pub fn new(kpis: Vec<Kpi>) -> Result<Self, KpiSetError> {
        if kpis.is_empty() {
            let problem = KpiProblem { index: None, id: None, kind: KpiProblemKind::NoKpis };
            return Err(KpiSetError { problems: vec![problem], usable: kpis });
        }
        let mut again = repeated(kpis.iter()).into_iter().peekable();
        if again.peek().is_none() {
            return Ok(Self { kpis });
        }
        let (mut problems, mut usable) = (Vec::new(), Vec::new());
        for (index, kpi) in kpis.into_iter().enumerate() {
            if again.next_if_eq(&index).is_some() {
                problems.push(KpiProblem { index: Some(index), id: Some(kpi.id), kind: KpiProblemKind::DuplicateId });
            } else {
                usable.push(kpi);
            }
        }
        Err(KpiSetError { problems, usable })
    }

    /// Reads the KPIs that a model wrote, with the lenient parser: in prose and code fences or not, slightly wrong or
    /// not.
    ///
    /// They may be an array, an object with a member `kpis`, one object, or one object after the other. Names may be
    /// written in other case or with `_`, and shortened to `path`, `target` and `current`; numbers may be strings.
    /// `id`, `jsonPath` and `targetValue` must be there (`null` is a target that is not known).
    ///
    /// # Errors
    ///
    /// [`KpiSetError`], which names everything that is missing or wrong, and keeps the KPIs that can be used. Of an
    /// answer that was cut, these are the ones of which all that counts is final.
    ///
    /// # Complexity
    ///
    /// O(length of the text).
    ///
    /// ```
    /// use jsonrill::KpiSet;
    ///
    /// let error = KpiSet::read("I cannot tell.").unwrap_err();
    /// assert_eq!(error.to_string(), "there are no KPIs");
    /// let error = KpiSet::read(r#"{"kpis": [{"jsonPath": "a[", "id": 7, "targetValue": 2}, {"id": "x"}]}"#).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "KPI `7`: `a[` is no path: expected an index or a quoted key at byte 2; KPI `x` has no `jsonPath`",
    /// );
    /// let kpis = KpiSet::read("I cannot tell.").unwrap_or_default(); // the number of leaves
    /// assert_eq!(kpis.len(), 1);
    /// ```
    pub fn read(text: impl Chunk) -> Result<Self, KpiSetError> {
        let mut parser = Parser::new();
        parser.push(text);
        let finished = parser.finish(End::Unknown);
        let mut found = Found::default();
        for snapshot in candidates(&finished) {
            if let Some(root) = snapshot.node() {
                found.add(root);
            }
        }
        if finished.snapshot().is_started()
            && let Err(incomplete) = finished.into_complete()
        {
            found.add_problem(KpiProblemKind::Incomplete(incomplete.to_string()));
        }
        found.into_set()
    }

    /// Those KPIs that can be used, the first `limit` of them, and what is wrong with the others. Without any it is the
    /// default.
    pub(crate) fn read_usable(text: impl Chunk, limit: usize) -> (Self, Option<KpiSetError>) {
        let mut error = match Self::read(text) {
            Ok(set) => KpiSetError { problems: Vec::new(), usable: set.kpis },
            Err(error) => error,
        };
        let count = error.usable.len();
        if count > limit {
            let kind = KpiProblemKind::TooMany { count, limit };
            error.problems.push(KpiProblem { index: None, id: None, kind });
            error.usable.truncate(limit);
        }
        let set = error.clone().into_usable().unwrap_or_default();
        (set, Some(error).filter(|error| !error.problems.is_empty()))
    }

    /// The KPIs in a value, in the same forms.
    ///
    /// # Errors
    ///
    /// [`KpiSetError`], as [`read`](Self::read) gives it.
    pub fn from_value(value: &Value) -> Result<Self, KpiSetError> {
        let mut found = Found::default();
        found.add(Node::Owned(value));
        found.into_set()
    }

    /// The KPIs, in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, Kpi> {
        self.kpis.iter()
    }

    /// How many there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        self.kpis.len()
    }

    /// The KPI with this id.
    ///
    /// # Complexity
    ///
    /// O(number of KPIs).
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Kpi> {
        self.kpis.iter().find(|kpi| kpi.id == id)
    }

    /// What each of them is in this document, by id.
    ///
    /// # Complexity
    ///
    /// That of [`KpiPath::measure`](crate::KpiPath::measure) for each; what queries need is copied once.
    #[must_use]
    pub fn measure(&self, document: &(impl Measured + ?Sized)) -> KpiValues {
        let whole = Whole::new(document);
        self.kpis.iter().map(|kpi| (kpi.id.clone(), kpi.json_path.measure_in(&whole))).collect()
    }

    /// How far each of them is in this document, and all together.
    ///
    /// # Complexity
    ///
    /// That of [`measure`](Self::measure).
    #[must_use]
    pub fn report(&self, document: &(impl Measured + ?Sized)) -> KpiReport {
        self.report_beside(document, None)
    }

    /// The same, beside the values of an earlier moment. What these do not have was 0.
    ///
    /// ```
    /// use jsonrill::{KpiSet, Verdict};
    /// use serde_json::json;
    ///
    /// let kpis = KpiSet::read(r#"{"id": "items", "path": "items", "target": 10}"#)?;
    /// let before = kpis.measure(&json!({"items": [1, 2, 3]}));
    /// let report = kpis.report_since(&json!({"items": [1, 2, 3, 4]}), &before);
    /// assert_eq!((report.kpis[0].last, report.kpis[0].current), (Some(3.0), 4.0));
    /// assert_eq!(report.verdict(false), Verdict::Progress);
    /// # Ok::<(), jsonrill::KpiSetError>(())
    /// ```
    #[must_use]
    pub fn report_since(&self, document: &(impl Measured + ?Sized), last: &KpiValues) -> KpiReport {
        self.report_beside(document, Some(last))
    }

    /// Whether there are targets, and all of them are reached by what is whole: an element or member that is open does
    /// not count.
    pub(in crate::continuation) fn is_reached_by_whole(&self, snapshot: &Snapshot) -> bool {
        let mut report = self.report(snapshot);
        for (status, kpi) in report.kpis.iter_mut().zip(&self.kpis) {
            status.ratio = kpi.ratio(status.current - kpi.json_path.begun_in(snapshot));
        }
        report.all_reached()
    }

    /// Whether there is a target.
    pub(in crate::continuation) fn has_target(&self) -> bool {
        self.kpis.iter().any(|kpi| kpi.target().is_some())
    }

    fn report_beside(&self, document: &(impl Measured + ?Sized), last: Option<&KpiValues>) -> KpiReport {
        let whole = Whole::new(document);
        KpiReport::new(self.kpis.iter().map(|kpi| {
            let current = kpi.json_path.measure_in(&whole);
            KpiStatus {
                id: kpi.id.clone(),
                current,
                last: last.map(|last| last.get(&kpi.id).unwrap_or(0.0)),
                target: kpi.target(),
                ratio: kpi.ratio(current),
            }
        }))
    }
}

/// The snapshots that KPIs are read from: the answer, or all roots if each is one KPI. Of one that was cut, what cannot
/// change.
fn candidates(finished: &Finished) -> Vec<Snapshot> {
    let answer = finished.snapshot();
    let answer = if finished.is_complete() { answer.clone() } else { answer.final_only() };
    let is_single = |snapshot: &Snapshot| snapshot.node().is_some_and(is_kpi);
    if !is_single(&answer) || finished.documents().len() < 2 {
        return vec![answer];
    }
    finished
        .documents()
        .filter(|document| document.is_complete)
        .map(|document| document.snapshot)
        .filter(is_single)
        .collect()
}

impl Default for KpiSet {
    /// The number of leaves: [`Kpi::leaves`].
    fn default() -> Self {
        Self { kpis: vec![Kpi::leaves()] }
    }
}

impl IntoIterator for KpiSet {
    type Item = Kpi;
    type IntoIter = std::vec::IntoIter<Kpi>;

    fn into_iter(self) -> Self::IntoIter {
        self.kpis.into_iter()
    }
}

impl<'a> IntoIterator for &'a KpiSet {
    type Item = &'a Kpi;
    type IntoIter = std::slice::Iter<'a, Kpi>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Serialize for KpiSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.kpis.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KpiSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_value(&Value::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEMS: &str =
        r#"{"id": "items", "description": "all", "jsonPath": "$.items", "targetValue": 50, "currentValue": 12}"#;
    const PAGES: &str = r#"{"id": "pages", "jsonPath": "pages", "targetValue": 3}"#;

    fn ids(kpis: &KpiSet) -> Vec<&str> {
        kpis.iter().map(|kpi| kpi.id.as_str()).collect()
    }

    #[track_caller]
    fn fails(text: &str, message: &str) -> Vec<String> {
        let error = KpiSet::read(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
        assert!(!error.problems().is_empty());
        error.into_usable().into_iter().flatten().map(|kpi| kpi.id).collect()
    }

    #[test]
    fn the_forms_that_models_write() {
        for text in [
            format!("[{ITEMS}, {PAGES}]"),
            format!("{{\"kpis\": [{ITEMS}, {PAGES}]}}"),
            format!("{{\"note\": \"x\", \"KPIs\": [{ITEMS}, {PAGES}]}}"),
            format!("{ITEMS}\n{PAGES}\n"),
            format!("Sure! Two of them:\n\n```json\n[{ITEMS},\n{PAGES},]\n```\nGood luck."),
            format!("<think>[1] {{}}</think>{{kpis: [{ITEMS} {PAGES}]}}"),
        ] {
            let kpis = KpiSet::read(&text).expect(&text);
            assert_eq!(ids(&kpis), ["items", "pages"], "{text}");
            let items = kpis.get("items").unwrap();
            assert_eq!((items.target_value, items.current_value), (Some(50.0), 12.0));
            assert_eq!((items.description.as_str(), items.json_path.as_str()), ("all", "$.items"));
        }
        for text in [ITEMS, &format!("{{\"kpis\": {ITEMS}}}"), &format!("`{ITEMS}`")] {
            assert_eq!(ids(&KpiSet::read(text).expect(text)), ["items"], "{text}");
        }
        let value: Value = serde_json::from_str(&format!("{{\"kpis\": [{ITEMS}]}}")).unwrap();
        assert_eq!(KpiSet::from_value(&value), KpiSet::read(ITEMS));
        assert_eq!(serde_json::from_value::<KpiSet>(value).ok(), KpiSet::read(ITEMS).ok());
    }

    #[test]
    fn names_and_numbers_in_other_spellings() {
        let texts = [
            r#"{"id": 7, "json_path": "a", "target_value": "50", "current_value": " 3 "}"#,
            r#"{"ID": "7", "JSONPath": "a", "target-value": 50.0, "Current Value": 3, "extra": {}}"#,
            r#"{"id": " 7 ", "path": " a ", "target": 5e1, "current": 3, "description": null}"#,
        ];
        for text in texts {
            let kpis = KpiSet::read(text).expect(text);
            let kpi = kpis.get("7").expect(text);
            assert_eq!((kpi.json_path.as_str(), kpi.target_value, kpi.current_value), ("a", Some(50.0), 3.0), "{text}");
        }
        let kpis =
            KpiSet::read(r#"{"id": "x", "jsonPath": "a", "targetValue": null, "currentValue": "many"}"#).unwrap();
        assert_eq!(kpis.get("x").map(|kpi| (kpi.target_value, kpi.current_value)), Some((None, 0.0)));
    }

    #[test]
    fn what_is_missing_is_named() {
        let none: [&str; 0] = [];
        for text in ["", "No idea.", "[]", "{}", "{\"kpis\": []}", "{\"a\": [1]}", "\"text\""] {
            assert_eq!(fails(text, "there are no KPIs"), none);
        }
        let no_path = r#"{"id": "x", "targetValue": 1}"#;
        assert_eq!(fails(no_path, "KPI `x` has no `jsonPath`"), none);
        assert_eq!(fails(&format!("[{ITEMS}, {no_path}]"), "KPI `x` has no `jsonPath`"), ["items"]);
        let no_id = r#"{"id": "", "jsonPath": "a", "targetValue": 1}"#;
        assert_eq!(fails(&format!("[{ITEMS}, {no_id}]"), "KPI 2 of the list has no `id`"), ["items"]);
        assert_eq!(fails(no_id, "the KPI has no `id`"), none);
        assert_eq!(fails(r#"{"id": "x", "path": "a"}"#, "KPI `x` has no `targetValue`"), none);
        let message = "KPI `x` has a `targetValue` that is no number in range";
        assert_eq!(fails(r#"{"id": "x", "path": "a", "target": "all"}"#, message), none);
        // One that is beyond `f64` is not 0, which would be reached.
        for target in ["1e999", "-1e999", "\"1e999\""] {
            assert_eq!(fails(&format!(r#"{{"id": "x", "path": "a", "target": {target}}}"#), message), none);
        }
        assert_eq!(fails(r#"[["x"], 1]"#, "KPI 1 of the list is no object; KPI 2 of the list is no object"), none);
    }

    #[test]
    fn bad_paths_and_duplicates_are_named() {
        let bad = ITEMS.replace("$.items", "items[");
        let message = "KPI `items`: `items[` is no path: expected an index or a quoted key at byte 6";
        assert_eq!(fails(&format!("[{PAGES}, {bad}]"), message), ["pages"]);
        assert_eq!(fails(&format!("[{ITEMS}, {PAGES}, {ITEMS}]"), "KPI `items` is there twice"), ["items", "pages"]);
        let error = KpiSet::read(format!("[{ITEMS}, {ITEMS}]")).unwrap_err();
        assert_eq!((error.problems()[0].index, &error.problems()[0].kind), (Some(1), &KpiProblemKind::DuplicateId));
        let many = format!("[{}]", vec!["0"; 1000].join(","));
        assert!(KpiSet::read(many).unwrap_err().to_string().ends_with("; and 997 more"));
    }

    #[test]
    fn of_a_cut_answer_what_cannot_change_is_usable() {
        let whole = format!("[{PAGES}, {ITEMS}]");
        for cut in 0..whole.len() {
            let text = &whole[..cut];
            let error = KpiSet::read(text).expect_err(text);
            for kpi in error.into_usable().into_iter().flatten() {
                let target = if kpi.id == "pages" { 3.0 } else { 50.0 };
                assert_eq!(kpi.target_value, Some(target), "{text}");
            }
        }
        let cut = whole.find("$.it").unwrap();
        let message = format!("the KPIs are not whole: the JSON is truncated at byte {cut} (in_string)");
        let message = format!("KPI `items` has no `jsonPath`; {message}");
        assert_eq!(fails(&whole[..cut], &message), ["pages"]);
    }

    #[test]
    fn the_default_is_the_number_of_leaves() {
        let kpis = KpiSet::default();
        assert_eq!(kpis.measure(&serde_json::json!([1, [2, {"a": 3}], {}])).get("leaves"), Some(3.0));
        let report = kpis.report(&serde_json::json!([1]));
        assert_eq!((report.ratio, report.all_reached()), (None, false));
        let written = serde_json::to_string(&kpis).unwrap();
        assert_eq!(serde_json::from_str::<KpiSet>(&written).unwrap(), kpis);
        assert_eq!(KpiSet::read(&written), Ok(kpis));
    }
}
