//! What a viewer is sent: what is new between two moments of an answer.

use jsonrill::{Delta, SkipKind};
use serde::Serialize;

use super::answer::{Call, Ending, Moment, Progress};

#[derive(Serialize)]
pub struct Event<'a> {
    /// What is new in the answer's JSON. `page/delta.js` applies it.
    ops: Delta<'a>,
    /// What is new around it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outside: Vec<Outside<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    thinking: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    calls: &'a [Call],
    /// Where the model is writing.
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'a Ending>,
}

#[derive(Serialize)]
struct Outside<'a> {
    kind: &'static str,
    /// Whether it stands before the JSON. A viewer that is told of both at once could not know.
    is_before: bool,
    text: std::borrow::Cow<'a, str>,
}

impl Moment {
    /// Whether there is anything to say about the step from this moment to a later one.
    pub fn differs(&self, later: &Self) -> bool {
        let delta = Delta::between(&self.snapshot, &later.snapshot);
        self.thinking < later.thinking
            || self.calls < later.calls
            || self.has_ended != later.has_ended
            || !delta.is_empty()
            || outside(delta, later).next().is_some()
    }
}

impl<'a> Event<'a> {
    /// What is new since a moment, which must be one of this answer.
    pub fn since(seen: &'a Moment, progress: &'a Progress) -> Self {
        let now = &progress.moments[progress.newest()];
        let delta = Delta::between(&seen.snapshot, &now.snapshot);
        Self {
            ops: delta,
            outside: outside(delta, now).collect(),
            thinking: progress.thinking.get(seen.thinking..).unwrap_or_default(),
            calls: progress.calls.get(seen.calls..).unwrap_or_default(),
            open: now.snapshot.open_path(),
            end: progress.ending.as_ref(),
        }
    }
}

/// What the model says to a reader: no fences, tags or blanks between these.
fn outside<'a>(delta: Delta<'a>, now: &'a Moment) -> impl Iterator<Item = Outside<'a>> {
    let root = now.snapshot.root().span();
    delta.outside().filter(|text| matches!(text.kind, SkipKind::Prose | SkipKind::Reasoning)).map(move |text| Outside {
        kind: text.kind.as_str(),
        is_before: root.as_ref().is_none_or(|root| text.span.start < root.start),
        text: text.text,
    })
}
