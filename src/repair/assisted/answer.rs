//! Whether a model's response is what was asked for, and what it makes of the text.

use super::compare::Comparison;
use super::doubt::{Damage, is_merely_cut, unread};
use super::report::Taken;
use super::window::Window;
use super::{AssistedError, AssistedOptions};
use crate::document::{Kind, Span};
use crate::frozen::Frozen;
use crate::parser::{Dialect, Duplicates, End, Expect, Finished, Options, Outcome, Parser, Seam, SeamKind};
use crate::repair::{Repaired, stitched};

/// What a model is asked for.
#[derive(Debug)]
pub(super) enum Task {
    /// To mend this part of the text.
    Mend(Window),
    /// To go on with a text that was cut: the responses that were cut themselves, and the state after them.
    GoOn { rounds: Vec<Vec<u8>>, frozen: Box<Frozen> },
}

impl Task {
    /// What is to be done, or why that cannot be.
    pub(super) fn new(
        text: &str,
        repaired: &Repaired,
        damage: &Damage,
        options: &AssistedOptions,
    ) -> Result<Self, AssistedError> {
        if is_merely_cut(repaired) {
            return Ok(Self::GoOn { rounds: Vec::new(), frozen: Box::new(repaired.frozen().clone()) });
        }
        Window::choose(text, repaired, damage, options.byte_limit).map(Self::Mend)
    }
}

/// A response that was looked at.
pub(super) struct Judged {
    pub(super) result: Result<Taken, AssistedError>,
    /// Of one that is not taken.
    pub(super) comparison: Option<Comparison>,
    pub(super) seam: Option<Seam>,
}

impl From<AssistedError> for Judged {
    fn from(error: AssistedError) -> Self {
        Self { result: Err(error), comparison: None, seam: None }
    }
}

/// What a text becomes with the model's answer to it.
pub(super) struct Judge<'a> {
    pub(super) text: &'a str,
    pub(super) repaired: &'a Repaired,
    pub(super) options: &'a AssistedOptions,
}

impl Judge<'_> {
    /// Looks at a mended text.
    pub(super) fn mended(&self, window: &Window, response: &[u8], end: End) -> Judged {
        let json = match self.extract(window, response, end) {
            Ok(json) => json,
            Err(error) => return error.into(),
        };
        let answer = match self.strictly(&json) {
            Ok(answer) => answer,
            Err(error) => return error.into(),
        };
        let text = window.splice(self.repaired.text(), &json);
        let snapshot = match self.strictly(&text) {
            Ok(finished) => finished.snapshot().clone(),
            Err(error) => return error.into(),
        };
        let raw = self.text.get(window.source.clone()).unwrap_or_default();
        let values = window.values(self.repaired.snapshot());
        let unread = if window.part.is_none() { unread(self.text, self.repaired) } else { "" };
        let comparison = Comparison::of_mended(&values, raw, unread, answer.snapshot().root(), window.origin());
        let missing = snapshot.missing_at_end(&self.options.required);
        let differences = comparison.differences();
        let error = if !missing.is_empty() {
            AssistedError::MissingFields(missing)
        } else if comparison.ratio() > self.options.tolerance {
            AssistedError::Different { differences }
        } else if values.is_empty()
            && answer.snapshot().root().is_empty()
            && is_container(answer.snapshot().root().kind())
        {
            // Where the rules found nothing, finding nothing is no help.
            AssistedError::NoJson
        } else {
            // What the text did not close the model may close, but that does not make it whole.
            let was_cut = self.repaired.outcome() == Outcome::Truncated;
            let outcome = if was_cut { Outcome::Truncated } else { Outcome::Repaired };
            let taken = Taken { text, snapshot, outcome, comparison };
            return Judged { result: Ok(taken), comparison: None, seam: None };
        };
        Judged { result: Err(error), comparison: Some(comparison), seam: None }
    }

    /// The JSON in a response, as it stands there.
    fn extract(&self, window: &Window, response: &[u8], end: End) -> Result<String, AssistedError> {
        let expect = match &window.part {
            Some(part) if part.kind == Kind::Array => Expect::Array,
            Some(_) => Expect::Object,
            None => self.options.parser.expect,
        };
        let reasons = self.options.parser.reasoning_expected;
        let mut parser = Parser::with_options(Options::new().expect(expect).reasoning_expected(reasons));
        parser.push(response);
        let finished = parser.finish(end);
        match finished.outcome() {
            Outcome::Complete | Outcome::Repaired => {}
            Outcome::Truncated => return Err(AssistedError::Cut),
            Outcome::Empty => return Err(AssistedError::NoJson),
            Outcome::Malformed | Outcome::Limit => return Err(invalid(&finished)),
        }
        if let Some(repair) = finished.repairs().iter().next() {
            return Err(AssistedError::Invalid { kind: repair.kind.as_str(), offset: repair.span.start.into() });
        }
        let root = finished.snapshot().root().span().map(Span::range).and_then(|span| response.get(span));
        root.and_then(|json| std::str::from_utf8(json).ok()).map(str::to_owned).ok_or(AssistedError::NoJson)
    }

    /// Reads what has to be valid, with each name once in an object.
    fn strictly(&self, json: &str) -> Result<Finished, AssistedError> {
        let options = Options { limits: self.options.parser.limits, ..Options::strict() };
        let mut parser = Parser::with_options(options.duplicates(Duplicates::Error));
        parser.push(json);
        let finished = parser.finish(End::Stopped);
        match (finished.outcome(), finished.warnings().iter().next()) {
            (Outcome::Complete, None) => Ok(finished),
            (Outcome::Complete, Some(warning)) => {
                Err(AssistedError::Invalid { kind: warning.kind.as_str(), offset: warning.span.start.into() })
            }
            _ => Err(invalid(&finished)),
        }
    }

    /// Looks at the rest of a text that was cut. A rest that was cut itself is another round.
    pub(super) fn continued(
        &self,
        rounds: &mut Vec<Vec<u8>>,
        frozen: &mut Frozen,
        response: &[u8],
        end: End,
    ) -> Judged {
        let options = Options { dialect: Dialect::Lenient, ..self.options.parser };
        let mut parser = Parser::with_options(options);
        parser.push(self.text);
        let mut source = self.text.as_bytes().to_vec();
        for round in rounds.iter().map(Vec::as_slice).chain([response]) {
            parser.next_round();
            parser.push(round);
            source.extend_from_slice(round);
        }
        let finished = parser.finish(end);
        let seam = finished.seams().last().cloned();
        let kind = seam.as_ref().map_or(SeamKind::Undecided, |seam| seam.kind);
        let error = match (kind, finished.outcome()) {
            (SeamKind::Empty, _) => AssistedError::NoJson,
            (SeamKind::Refused | SeamKind::Diverged, _) => AssistedError::NotContinued(kind),
            (_, Outcome::Complete | Outcome::Repaired) => match doubtful(&finished) {
                Some(error) => error,
                None => return self.whole(&source, &finished, seam),
            },
            (_, Outcome::Truncated) => {
                // A round that adds nothing takes nothing away, and is not kept.
                if kind != SeamKind::Undecided && doubtful(&finished).is_none() {
                    rounds.push(response.to_vec());
                    *frozen = finished.frozen().clone();
                }
                AssistedError::Cut
            }
            _ => invalid(&finished),
        };
        Judged { result: Err(error), comparison: None, seam }
    }

    /// A text that was gone on with to its end.
    fn whole(&self, source: &[u8], finished: &Finished, seam: Option<Seam>) -> Judged {
        let read = finished.snapshot();
        let says_the_same = |text: &String| {
            self.strictly(text).is_ok_and(|finished| finished.snapshot().to_string() == read.to_string())
        };
        // The layout of several responses, where that can be had.
        let text = Some(stitched(source, finished)).filter(says_the_same).unwrap_or_else(|| read.to_string());
        let comparison = Comparison::of_continued(self.repaired.snapshot(), read);
        let missing = read.missing_at_end(&self.options.required);
        if !missing.is_empty() {
            let error = AssistedError::MissingFields(missing);
            return Judged { result: Err(error), comparison: Some(comparison), seam };
        }
        let snapshot = match self.strictly(&text) {
            Ok(finished) => finished.snapshot().clone(),
            Err(error) => return Judged { result: Err(error), comparison: Some(comparison), seam },
        };
        let taken = Taken { text, snapshot, outcome: Outcome::Repaired, comparison };
        Judged { result: Ok(taken), comparison: None, seam }
    }
}

fn is_container(kind: Option<Kind>) -> bool {
    matches!(kind, Some(Kind::Object | Kind::Array))
}

/// The first repair that is doubtful, as an error: of a text that had none before the model went on with it.
fn doubtful(finished: &Finished) -> Option<AssistedError> {
    let repair = finished.repairs().iter().find(|repair| repair.kind.is_doubtful())?;
    Some(AssistedError::Invalid { kind: repair.kind.as_str(), offset: repair.span.start.into() })
}

fn invalid(finished: &Finished) -> AssistedError {
    match finished.error() {
        Some(error) => AssistedError::Invalid { kind: error.kind().as_str(), offset: error.offset() },
        None => AssistedError::Cut,
    }
}
