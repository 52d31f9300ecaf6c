//! What the parser knows after every chunk, as JSON lines: what `jsonrill watch` prints, and what the service streams.

use std::io::{self, Write};

use jsonrill::{Finished, Outcome, Snapshot, Update};
use serde_json::Value;

use crate::cut::CutLine;
use crate::options::Roots;
use crate::output::Line;
use crate::reports::{ErrorLine, doubtful, omitted, skips};
use crate::watched::Spoken;

/// How much of what is known the lines say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, utoipa::ToSchema), serde(rename_all = "lowercase"))]
pub(crate) enum Detail {
    /// A line per chunk with everything, and the last line.
    #[cfg_attr(feature = "serve", serde(rename = "lines"))]
    Full,
    /// The same without snapshot and ambiguity, whose repetition makes the output quadratic.
    Deltas,
    /// The last line only.
    #[cfg_attr(feature = "serve", serde(rename = "final"))]
    End,
}

/// Writes the lines.
pub(crate) struct Lines {
    detail: Detail,
    roots: Roots,
    feeds: u64,
}

impl Lines {
    pub(crate) fn new(detail: Detail, roots: Roots) -> Self {
        Self { detail, roots, feeds: 0 }
    }

    /// Writes what a feed has brought: a line, or one for each document that it is about.
    pub(crate) fn feed(&mut self, update: &Update, out: &mut impl Write) -> io::Result<()> {
        self.feeds += 1;
        if self.detail == Detail::End {
            return Ok(());
        }
        if !self.has_parts() {
            return self.update(update, out);
        }
        update.parts().try_for_each(|part| self.update(part, out))
    }

    /// Writes how it ended, with what there is to say about the stream if it is one. `outcome` is what the text amounts
    /// to as what it was read as.
    pub(crate) fn end(
        &self,
        finished: &Finished,
        outcome: Outcome,
        spoken: Option<&Spoken>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let update = finished.update();
        if self.has_parts() && self.detail != Detail::End {
            // What the end settles may be more than one document; the last is part of the last line.
            let parts: Vec<&Update> = update.parts().collect();
            for part in parts.iter().take(parts.len().saturating_sub(1)) {
                self.update(part, out)?;
            }
        }
        let has_parts = self.has_parts();
        let mut line = Line::new(out);
        line.member("end", &true)?;
        if has_parts {
            line.member("document", &update.document())?;
        }
        line.json("delta", update.delta())?
            .json_array("final", finals(update))?
            .member("outcome", outcome.as_str())?
            .member("complete", &outcome.is_complete())?
            .json_or_null("value", started(finished.snapshot()))?;
        if self.roots == Roots::Many {
            line.json_array("documents", finished.documents().map(|document| document.snapshot))?;
        }
        line.member("repairs", finished.repairs())?
            .member("warnings", finished.warnings())?
            .member("skipped", &skips(finished.skipped()))?
            .member("cut", &finished.cut().map(CutLine::new))?;
        let doubtful = doubtful(finished.repairs());
        if !doubtful.is_empty() {
            line.member("doubtful", &doubtful)?;
        }
        let omitted = omitted(finished);
        if omitted > 0 {
            line.member("omitted", &omitted)?;
        }
        line.member("error", &ErrorLine::of(finished, outcome))?;
        if let Some(Spoken { finish_reason, errors }) = spoken {
            line.member("finish_reason", finish_reason)?;
            if !errors.is_empty() {
                line.member("stream_errors", errors)?;
            }
        }
        line.end()
    }

    /// Whether an update can be about more than one document, each of which gets a line.
    fn has_parts(&self) -> bool {
        self.roots != Roots::One
    }

    fn update(&self, update: &Update, out: &mut impl Write) -> io::Result<()> {
        let has_parts = self.has_parts();
        let snapshot = update.snapshot();
        let mut line = Line::new(out);
        line.member("feed", &self.feeds)?;
        if has_parts {
            line.member("document", &update.document())?;
        }
        if self.detail == Detail::Full {
            line.json_or_null("snapshot", started(snapshot))?;
        }
        if !snapshot.is_started() {
            line.member("started", &false)?;
        }
        line.json("delta", update.delta())?;
        if self.detail == Detail::Full {
            line.json("ambiguity", update.ambiguity())?;
        }
        line.member("open", &snapshot.open_path())?.json_array("final", finals(update))?.end()
    }
}

/// The snapshot, if anything is known.
fn started(snapshot: &Snapshot) -> Option<&Snapshot> {
    snapshot.is_started().then_some(snapshot)
}

/// The pointers of what became final, as JSON.
fn finals(update: &Update) -> impl Iterator<Item = Value> {
    update.delta().finals().map(|value| Value::String(value.path()))
}
