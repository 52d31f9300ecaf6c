//! What happens when a response has ended.

use super::{Accumulation, AccumulationReport, Asked, Conclusion, Round, RoundError, State};
use crate::continuation::progress::{KpiProgress, KpiSet};
use crate::continuation::prompt::Delivered;
use crate::frozen::Frozen;
use crate::model::{ModelRequest, Purpose, StopReason, Usage};
use crate::parser::{End, Outcome};
use crate::view::Update;

/// How many of a model's KPIs are used. It is asked for five at most.
const KPIS: usize = 20;

impl Accumulation {
    pub(super) fn response_ended(
        &mut self,
        stop: StopReason,
        usage: Option<Usage>,
        error: Option<RoundError>,
    ) -> Option<Update> {
        let State::Asked(asked) = &mut self.state else { return None };
        let response = Round::new(asked.bytes, stop, usage, error);
        if asked.request.purpose == Purpose::Kpis {
            let text = std::mem::take(&mut asked.kpis);
            self.end_kpis(response, &text);
            return None;
        }
        asked.begin(&mut self.parser, self.rounds.len());
        Some(self.end_round(response))
    }

    /// Takes the KPIs that a model has defined, and goes on with the answer.
    fn end_kpis(&mut self, mut response: Round, text: &[u8]) {
        // As many as are measured: each may cost as much as the whole document is long.
        let (kpis, problems) = KpiSet::read_usable(text, KPIS);
        response.error = response.error.or(problems.map(RoundError::Kpis));
        self.kpi_call = Some(response);
        let cut = self.cut.take().unwrap_or_else(|| self.parser.freeze());
        self.progress = Some(KpiProgress::after_rounds(kpis, cut.snapshot(), self.rounds.len()));
        self.ask_to_go_on(&cut);
    }

    /// Decides what to do when a round has ended.
    fn end_round(&mut self, round: Round) -> Update {
        let failed = round.error.is_some();
        let end = if failed { End::Truncated } else { round.stop_reason.end() };
        self.rounds.push(round);
        let ended = self.parser.finish_copy(end);
        let progress =
            self.progress.as_mut().map(|progress| progress.after_round(ended.snapshot(), ended.is_complete()));
        if let Some(round) = self.rounds.last_mut() {
            round.progress.clone_from(&progress);
        }
        if let Some(conclusion) = self.conclusion(&ended, failed, progress) {
            return self.conclude(conclusion, end);
        }
        if ended.outcome() == Outcome::Empty {
            // There is nothing to go on with.
            self.before_text = self.bytes;
            self.ask(ModelRequest::new(Purpose::Answer, self.request.clone()));
            return self.update();
        }
        match (&self.progress, &self.options.kpis) {
            (Some(_), _) => self.ask_to_go_on(ended.frozen()),
            (None, None) if self.options.ask_for_kpis => self.ask_for_kpis(ended.frozen()),
            (None, kpis) => {
                let kpis = kpis.clone().unwrap_or_default();
                self.progress = Some(KpiProgress::after_rounds(kpis, ended.snapshot(), self.rounds.len()));
                self.ask_to_go_on(ended.frozen());
            }
        }
        self.update()
    }

    fn ask_for_kpis(&mut self, cut: &Frozen) {
        let delivered = Delivered::new(cut, &self.options.contexts);
        let prompt = self.options.kpi.fill(&self.request, &delivered);
        self.cut = Some(cut.clone());
        self.ask(ModelRequest::new(Purpose::Kpis, prompt));
    }

    fn ask_to_go_on(&mut self, cut: &Frozen) {
        let contexts = cut.contexts_with(&self.options.contexts);
        let prompt = self.options.continuation.fill(&self.request, &contexts);
        self.ask(ModelRequest::new(Purpose::Continuation, prompt));
    }

    fn ask(&mut self, request: ModelRequest) {
        self.state = State::Asked(Asked { request, bytes: 0, kpis: Vec::new(), has_begun: false });
    }

    /// Ends it in the middle of a response.
    pub(super) fn break_off(&mut self, conclusion: Conclusion) -> Update {
        if let State::Asked(asked) = &self.state {
            let response = Round::new(asked.bytes, StopReason::unknown(), None, None);
            match asked.request.purpose {
                Purpose::Kpis => self.kpi_call = Some(response),
                _ if asked.bytes > 0 => self.rounds.push(response),
                _ => {}
            }
        }
        let update = self.conclude(conclusion, End::Truncated);
        if let State::Done(report) = &mut self.state
            && report.finished.is_complete()
        {
            // What was broken off came behind the document.
            report.conclusion = Conclusion::Complete;
        }
        update
    }

    fn conclude(&mut self, conclusion: Conclusion, end: End) -> Update {
        let finished = self.parser.finish(end);
        let update = finished.update().clone();
        self.snapshot = update.snapshot().clone();
        let progress = self.progress.as_ref();
        let report = AccumulationReport {
            conclusion,
            rounds: self.rounds.clone(),
            kpi_call: self.kpi_call.clone(),
            kpis: progress.map(|progress| progress.kpis().clone()),
            last_values: progress.map(|progress| progress.last().clone()),
            finished,
        };
        self.state = State::Done(Box::new(report));
        update
    }

    pub(super) fn update(&mut self) -> Update {
        let update = self.parser.update();
        self.snapshot = update.snapshot().clone();
        update
    }
}
