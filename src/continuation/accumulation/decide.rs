//! Whether a round was the last one.

use super::repeats::Novelty;
use super::{Accumulation, Conclusion, RoundError};
use crate::continuation::progress::{KpiProgress, KpiSet, RoundProgress, Verdict};
use crate::document::Span;
use crate::parser::{Finished, Outcome, SeamKind};
use crate::view::Snapshot;

impl Accumulation {
    /// Why the round was the last one, if it was.
    pub(super) fn conclusion(
        &mut self,
        ended: &Finished,
        failed: bool,
        progress: Option<RoundProgress>,
    ) -> Option<Conclusion> {
        if let Some(conclusion) = self.end_of_text(ended) {
            return Some(conclusion);
        }
        let document = ended.snapshot().to_string();
        let lack = self.lack(ended, failed);
        let adds_nothing = if lack.is_some() {
            // Such a round is no repeat, whatever it says.
            self.repeats.pass_over(&document);
            true
        } else {
            let text = ended.snapshot().source(self.last_round());
            let Novelty { adds_nothing, repeats } = self.repeats.round(&text, &document);
            if self.options.repeat_limit.is_some_and(|limit| repeats >= limit) {
                return Some(Conclusion::Repeated);
            }
            adds_nothing
        };
        let verdict = progress.map(|progress| self.verdict(ended, progress.verdict, adds_nothing));
        let lack = lack.or((verdict == Some(Verdict::NoProgress)).then_some(Conclusion::NoProgress));
        self.stalled = if lack.is_some() { self.stalled.saturating_add(1) } else { 0 };
        if self.stalled > self.options.patience || self.failed_for_good() {
            return lack;
        }
        match verdict {
            Some(Verdict::Complete) => return Some(Conclusion::TargetsReached),
            Some(Verdict::Backwards) => return Some(Conclusion::WentBackwards),
            Some(Verdict::NoProgress | Verdict::Progress) | None => {}
        }
        let is_full = self.bytes >= self.options.byte_limit;
        let is_last = self.rounds.len() as u64 >= u64::from(self.options.round_limit);
        match (is_full, is_last) {
            (true, _) => Some(Conclusion::ByteLimit),
            (_, true) => Some(Conclusion::RoundLimit),
            _ => None,
        }
    }

    /// Whether the text says that nothing can follow.
    fn end_of_text(&self, ended: &Finished) -> Option<Conclusion> {
        match (ended.outcome(), self.last_seam(ended)) {
            (_, Some(SeamKind::Diverged)) => Some(Conclusion::Diverged),
            (Outcome::Complete | Outcome::Repaired, _) => Some(Conclusion::Complete),
            (Outcome::Malformed | Outcome::Limit, _) => Some(Conclusion::Unreadable),
            _ => None,
        }
    }

    /// Whether the round is no part of the answer, or only a part of a round.
    fn lack(&self, ended: &Finished, failed: bool) -> Option<Conclusion> {
        let is_blank = || ended.snapshot().source(self.last_round()).trim().is_empty();
        match (ended.outcome(), self.last_seam(ended)) {
            _ if failed => Some(Conclusion::ModelFailed),
            (_, Some(SeamKind::Empty)) => Some(Conclusion::Empty),
            _ if self.rounds.last().is_some_and(|round| round.bytes == 0) => Some(Conclusion::Empty),
            (Outcome::Empty, _) if is_blank() => Some(Conclusion::Empty),
            (Outcome::Empty, _) | (_, Some(SeamKind::Refused)) => Some(Conclusion::Refused),
            _ => None,
        }
    }

    /// Whether the model has failed in a way that no other round would be spared.
    fn failed_for_good(&self) -> bool {
        let error = self.rounds.last().and_then(|round| round.error.as_ref());
        matches!(error, Some(RoundError::Model(error)) if !error.kind().may_pass())
    }

    /// How the round was joined to those before; the first one was not.
    fn last_seam(&self, ended: &Finished) -> Option<SeamKind> {
        let at = self.rounds.len().checked_sub(2)?;
        ended.seams().get(at).map(|seam| seam.kind)
    }

    /// What a whole round has brought.
    fn verdict(&self, ended: &Finished, verdict: Verdict, adds_nothing: bool) -> Verdict {
        match verdict {
            Verdict::Complete if self.stops_at_targets(ended.snapshot()) => Verdict::Complete,
            // Whether it got on is for the document to say: all targets are reached, or there was nobody to set any.
            Verdict::Complete if adds_nothing => Verdict::NoProgress,
            Verdict::Complete => Verdict::Progress,
            Verdict::NoProgress if !adds_nothing && self.counts_leaves() => Verdict::Progress,
            verdict => verdict,
        }
    }

    /// Whether targets that are reached are the end. Not where that takes an element that has only just begun: with
    /// the last of ten begun, nine are there.
    fn stops_at_targets(&self, snapshot: &Snapshot) -> bool {
        let kpis = self.progress.as_ref().map(KpiProgress::kpis);
        self.options.stop_at_targets && kpis.is_some_and(|kpis| kpis.is_reached_by_whole(snapshot))
    }

    /// Whether the number of leaves has to do.
    fn counts_leaves(&self) -> bool {
        self.progress.as_ref().is_some_and(|progress| *progress.kpis() == KpiSet::default())
    }

    /// Where the text of the round that has ended is.
    fn last_round(&self) -> Span {
        let bytes = self.rounds.last().map_or(0, |round| round.bytes);
        let start = self.bytes.saturating_sub(bytes + self.before_text);
        Span { start: u32::try_from(start).unwrap_or(u32::MAX), end: u32::MAX }
    }
}
