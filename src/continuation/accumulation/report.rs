//! What is known when no more rounds are asked for.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::continuation::progress::{KpiSet, KpiValues};
use crate::model::Usage;
use crate::parser::{Complete, Finished, Outcome, Seam};
use crate::view::Snapshot;

use super::conclusion::Conclusion;
use super::incomplete::IncompleteAccumulation;
use super::round::Round;

/// All that is known about an accumulated answer when no more rounds are asked for.
///
/// As JSON it is `{"conclusion", "outcome", "complete", "value", "rounds", "kpi_call", "kpis", "last_values", "usage",
/// "seams", "repairs", "cut"}`; there, each round has its `progress`, which is the history of the KPIs.
///
/// An answer that is still truncated can be taken up again by hand, also in another process: a parser that is
/// [resumed](crate::Parser::resume) has all that was read, its updates go on, and what follows
/// [`next_round`](crate::Parser::next_round) is the next response.
///
/// ```
/// use futures::executor::block_on;
/// use jsonrill::{AccumulationOptions, Conclusion, End, Parser, ScriptedModel, ScriptedReply, accumulate};
///
/// let model = ScriptedModel::new([ScriptedReply::new([r#"{"moons": ["Io", "Euro"#], "length")]);
/// let options = AccumulationOptions::new().round_limit(1);
/// let report = block_on(accumulate(&model, "The large moons of Jupiter, as JSON.", options).report());
/// assert_eq!(report.conclusion, Conclusion::RoundLimit);
///
/// let checkpoint = report.finished.frozen().checkpoint()?; // can be stored
/// let mut parser = Parser::resume(&checkpoint);
/// parser.next_round();
/// let update = parser.feed(r#""Europa", "Ganymede", "Callisto"]}"#);
/// assert_eq!(update.delta().text("/moons/1"), Some("pa"));
/// assert_eq!(parser.finish(End::Stopped).into_complete()?.at("/moons").len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AccumulationReport {
    /// Why no more rounds are asked for.
    pub conclusion: Conclusion,
    /// The rounds, in order.
    pub rounds: Vec<Round>,
    /// The call that defined the KPIs, if there was one.
    pub kpi_call: Option<Round>,
    /// The KPIs; `None` where the first round was the last.
    pub kpis: Option<KpiSet>,
    /// What they were after the last round that ended by itself and did not go backwards, by id: what a next round
    /// would have to surpass. So they are not those of the document where the last round was broken off (cancelled, a
    /// limit), or went backwards; another document ([`Conclusion::Diverged`]) with less in it goes backwards, too.
    /// [`KpiSet::measure`] of the [`snapshot`](Self::snapshot) gives what there is.
    pub last_values: Option<KpiValues>,
    /// The document, and all that is known about it. Its [update](Finished::update) is the last one that was given out:
    /// whoever has applied that does not apply this one.
    pub finished: Finished,
}

impl AccumulationReport {
    /// What the text of all rounds amounts to.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.finished.outcome()
    }

    /// The document as far as it goes.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        self.finished.snapshot()
    }

    /// How the rounds were joined: one for each but the first. Rounds before there was any of the document have one as
    /// well, which says nothing.
    #[must_use]
    pub fn seams(&self) -> &[Seam] {
        self.finished.seams()
    }

    /// What all calls cost that said so.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let calls = self.rounds.iter().chain(&self.kpi_call);
        calls.filter_map(|round| round.usage).fold(Usage::default(), |sum, usage| sum + usage)
    }

    /// The whole answer, or all that there is of it. After [`Conclusion::Diverged`] it is the document that was begun
    /// anew, and [`conclusion`](Self::conclusion) is for the caller to look at.
    ///
    /// # Errors
    ///
    /// [`IncompleteAccumulation`], which keeps everything, where the outcome is neither complete nor repaired.
    pub fn into_complete(self) -> Result<Complete, IncompleteAccumulation> {
        IncompleteAccumulation::or_complete(self)
    }
}

impl Serialize for AccumulationReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = Some(self.snapshot()).filter(|snapshot| snapshot.is_started());
        let mut fields = serializer.serialize_struct("AccumulationReport", 12)?;
        fields.serialize_field("conclusion", &self.conclusion)?;
        fields.serialize_field("outcome", self.outcome().as_str())?;
        fields.serialize_field("complete", &self.finished.is_complete())?;
        fields.serialize_field("value", &value)?;
        fields.serialize_field("rounds", &self.rounds)?;
        fields.serialize_field("kpi_call", &self.kpi_call)?;
        fields.serialize_field("kpis", &self.kpis)?;
        fields.serialize_field("last_values", &self.last_values)?;
        fields.serialize_field("usage", &self.usage())?;
        fields.serialize_field("seams", self.seams())?;
        fields.serialize_field("repairs", self.finished.repairs())?;
        fields.serialize_field("cut", &self.finished.cut())?;
        fields.end()
    }
}
