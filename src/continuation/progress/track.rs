//! Progress from round to round.

use serde::{Deserialize, Serialize};

use super::node::Measured;
use super::report::KpiReport;
use super::set::KpiSet;
use super::values::KpiValues;
use super::verdict::Verdict;

/// The KPIs of an answer that comes in rounds, and what they were after the last one.
///
/// ```
/// use jsonrill::{KpiProgress, KpiSet, Parser, Verdict};
///
/// let kpis = KpiSet::read(r#"[{"id": "items", "jsonPath": "items", "targetValue": 6, "currentValue": 5}]"#)?;
/// let mut parser = Parser::new();
/// parser.push(r#"{"items": [1, 2"#);
/// parser.next_round(); // round 1 has ended
/// let mut progress = KpiProgress::new(kpis, &parser.snapshot());
/// assert_eq!(progress.last().get("items"), Some(2.0)); // measured, whatever its `currentValue` says
///
/// parser.push(", 3, 4");
/// parser.next_round(); // round 2 has ended: nothing of it is held any more
/// let round = progress.after_round(&parser.snapshot(), false);
/// assert_eq!((round.round, round.verdict.as_pair()), (2, (true, "Progress")));
/// assert_eq!(round.reason(), "`items` went from 2 to 4 of 6");
///
/// parser.push("I am sorry.");
/// parser.next_round(); // round 3
/// assert_eq!(progress.after_round(&parser.snapshot(), false).verdict, Verdict::NoProgress);
///
/// parser.push(", 5, 6");
/// parser.next_round(); // round 4
/// let round = progress.after_round(&parser.snapshot(), false);
/// assert_eq!((round.verdict, round.reason().as_str()), (Verdict::Complete, "all targets are reached"));
/// # Ok::<(), jsonrill::KpiSetError>(())
/// ```
///
/// It can be written and read with serde, so another process can go on with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KpiProgress {
    kpis: KpiSet,
    last: KpiValues,
    rounds: u32,
}

impl KpiProgress {
    /// Begins with the document as it is after round 1: see [`after_round`](Self::after_round). What the KPIs say of
    /// their own values is not looked at.
    #[must_use]
    pub fn new(kpis: KpiSet, after_first_round: &(impl Measured + ?Sized)) -> Self {
        Self::after_rounds(kpis, after_first_round, 1)
    }

    /// The same where those before the first with something in it count as well.
    pub(in crate::continuation) fn after_rounds(
        kpis: KpiSet,
        document: &(impl Measured + ?Sized),
        rounds: usize,
    ) -> Self {
        let last = kpis.measure(document);
        Self { kpis, last, rounds: u32::try_from(rounds).unwrap_or(u32::MAX) }
    }

    /// The KPIs.
    #[must_use]
    pub fn kpis(&self) -> &KpiSet {
        &self.kpis
    }

    /// What they were after the last round that did not go backwards.
    #[must_use]
    pub fn last(&self) -> &KpiValues {
        &self.last
    }

    /// How many rounds there were.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// How far the document is in the middle of a round, beside the last one. Changes nothing.
    ///
    /// # Complexity
    ///
    /// That of [`KpiSet::measure`].
    #[must_use]
    pub fn report(&self, document: &(impl Measured + ?Sized)) -> KpiReport {
        self.kpis.report_since(document, &self.last)
    }

    /// Says what the round that has ended has brought, and remembers what the KPIs are now, unless one went backwards:
    /// then the round before stays the one to beat. Where the JSON is complete (`is_json_complete`: its root was closed,
    /// [`Snapshot::is_final`](crate::Snapshot::is_final) of `""`), that is the verdict, whatever the KPIs say.
    ///
    /// # Which document
    ///
    /// The one that there is when the round has ended, and the same kind of it each time. That matters where an element
    /// has only just begun: an open parser holds half a key and shows no object for it, but where the text ends there
    /// is one. [`accumulate`](crate::accumulate()) measures what the text amounts to if it ends here: all that has
    /// begun counts. By hand, a parser that is resumed gives that; it reads the text again. `parser.snapshot()` costs
    /// nothing, and does as well if it is used each time, behind [`next_round`](crate::Parser::next_round): before
    /// that, the start of the round may still be held. (The [complete part](crate::Frozen::complete_part) leaves out
    /// numbers in flight.)
    ///
    /// ```
    /// use jsonrill::{End, Parser};
    ///
    /// let mut parser = Parser::new();
    /// parser.push(r#"{"p": [{"a": 1}, {"i"#);
    /// assert_eq!(parser.snapshot().at("/p").len(), 1);
    /// let ended = Parser::resume(&parser.freeze().checkpoint()?).finish(End::Truncated);
    /// assert_eq!(ended.snapshot().at("/p").len(), 2); // what `accumulate` measures
    /// # Ok::<(), jsonrill::CheckpointError>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// That of [`KpiSet::measure`].
    pub fn after_round(&mut self, document: &(impl Measured + ?Sized), is_json_complete: bool) -> RoundProgress {
        let report = self.report(document);
        let verdict = report.verdict(is_json_complete);
        if verdict != Verdict::Backwards {
            self.last = report.values();
        }
        self.rounds = self.rounds.saturating_add(1);
        RoundProgress { round: self.rounds, verdict, is_json_complete, report }
    }
}

/// What a round has brought. Made by [`KpiProgress::after_round`].
///
/// As JSON it is `{"round", "verdict", "is_json_complete", "kpis", "ratio"}`.
///
/// ```
/// use jsonrill::{KpiProgress, KpiSet, Verdict};
/// use serde_json::json;
///
/// let kpis = KpiSet::read(r#"[{"id": "items", "jsonPath": "items", "targetValue": 4}]"#)?;
/// let mut progress = KpiProgress::new(kpis, &json!({"items": [1]}));
/// let round = progress.after_round(&json!({"items": [1, 2, 3]}), false);
/// assert_eq!((round.round, round.verdict), (2, Verdict::Progress));
/// assert_eq!(round.reason(), "`items` went from 1 to 3 of 4");
/// # Ok::<(), jsonrill::KpiSetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RoundProgress {
    /// Which round it was, from 1. The first that has something to say is 2.
    pub round: u32,
    /// What it has brought. [`Verdict::Complete`] does not say that the JSON is.
    pub verdict: Verdict,
    /// Whether the JSON is complete. With [`Verdict::Complete`] and `false` here, all targets are reached.
    pub is_json_complete: bool,
    /// How far the KPIs are.
    #[serde(flatten)]
    pub report: KpiReport,
}

impl RoundProgress {
    /// Why the verdict is what it is: see [`KpiReport::reason`].
    #[must_use]
    pub fn reason(&self) -> String {
        self.report.reason(self.is_json_complete)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn progress(first: &Value) -> KpiProgress {
        let kpis = json!([
            {"id": "items", "jsonPath": "items", "targetValue": 4},
            {"id": "tags", "jsonPath": "tags", "targetValue": 2},
            {"id": "all", "jsonPath": "leaves()", "targetValue": null},
        ]);
        KpiProgress::new(KpiSet::from_value(&kpis).unwrap(), first)
    }

    fn document(items: usize, tags: usize) -> Value {
        json!({"items": vec![1; items], "tags": vec!["x"; tags]})
    }

    #[test]
    fn verdicts_in_their_order() {
        for (items, tags, is_complete, verdict, reason) in [
            (1, 1, true, Verdict::Complete, "the JSON is complete"),
            (2, 1, true, Verdict::Complete, "the JSON is complete"),
            (4, 2, false, Verdict::Complete, "all targets are reached"),
            (9, 9, false, Verdict::Complete, "all targets are reached"),
            (1, 9, false, Verdict::Backwards, "`items` went from 2 to 1 of 4"),
            (
                2,
                1,
                false,
                Verdict::NoProgress,
                "nothing grew: `items` stays at 2 of 4, `tags` stays at 1 of 2, `all` stays at 3",
            ),
            (3, 1, false, Verdict::Progress, "`items` went from 2 to 3 of 4, `all` went from 3 to 4"),
            (4, 1, false, Verdict::Progress, "`items` went from 2 to 4 of 4, `all` went from 3 to 5"),
        ] {
            let mut progress = progress(&document(2, 1));
            let round = progress.after_round(&document(items, tags), is_complete);
            assert_eq!((round.verdict, round.reason().as_str()), (verdict, reason), "{items} items, {tags} tags");
            assert_eq!((round.round, progress.rounds()), (2, 2));
        }
    }

    #[test]
    fn a_round_that_went_backwards_is_not_the_one_to_beat() {
        let mut progress = progress(&document(3, 0));
        assert_eq!(progress.after_round(&document(1, 1), false).verdict, Verdict::Backwards);
        assert_eq!(progress.last().get("items"), Some(3.0));
        assert_eq!(progress.after_round(&document(2, 1), false).verdict, Verdict::Backwards);
        assert_eq!(progress.after_round(&document(3, 1), false).verdict, Verdict::Progress);
        assert_eq!((progress.last().get("tags"), progress.rounds()), (Some(1.0), 4));
    }

    #[test]
    fn it_goes_on_in_another_process() {
        let mut here = progress(&document(1, 0));
        let stored = serde_json::to_string(&here).unwrap();
        let mut there: KpiProgress = serde_json::from_str(&stored).unwrap();
        assert_eq!(here, there);
        let round = here.after_round(&document(2, 0), false);
        assert_eq!(there.after_round(&document(2, 0), false), round);
        assert_eq!(
            serde_json::to_value(&round).unwrap(),
            json!({
                "round": 2, "verdict": "progress", "is_json_complete": false, "ratio": 0.25,
                "kpis": [
                    {"id": "items", "current": 2, "last": 1, "target": 4, "ratio": 0.5},
                    {"id": "tags", "current": 0, "last": 0, "target": 2, "ratio": 0},
                    {"id": "all", "current": 2, "last": 1, "target": null, "ratio": null},
                ],
            })
        );
    }
}
