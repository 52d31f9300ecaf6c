//! The structure from the root to the cut, with as much of the data as the budget allows.
//!
//! It is the source with some of it left out: [`strings`] finds the string values and says which the budget allows,
//! [`fold`] which finished values are left out altogether where the whole is limited. What is kept is copied.

mod fold;
mod strings;

use crate::document::Span;
use crate::view::Snapshot;

use super::options::{ContextOptions, LEAST_TOTAL_LIMIT};
use super::shape::Shape;
use super::text::{Text, last_characters, whole_characters};

use strings::{Budget, Document, LeftOut, StringValue};

pub(super) fn hierarchy(snapshot: &Snapshot, shape: &Shape, options: &ContextOptions) -> String {
    let Some(root) = shape.root else { return String::new() };
    let document = Document::new(snapshot, shape);
    let limit = options.total_limit.map(|limit| limit.max(LEAST_TOTAL_LIMIT));
    // Half of the whole is for structure.
    let budget = limit.map_or(options.budget_limit, |limit| options.budget_limit.min(limit / 2));
    let mut budget = Budget::new(budget);
    let in_flight = InFlight::new(document, &mut budget);
    let mut out = String::new();
    // What is not much longer than the limit may have room as it is.
    let length = in_flight.start.saturating_sub(root.start) as usize;
    if limit.is_none_or(|limit| length / 8 <= limit) {
        let elided = elided(document, &in_flight, budget);
        copy(document.text, root.start, in_flight.start, &elided, &mut out);
        out.push_str(&in_flight.kept);
    }
    if let Some(limit) = limit.filter(|limit| out.is_empty() || out.chars().count() > *limit) {
        out.clear();
        fold::folded(document, &in_flight, budget, limit, &mut out);
    }
    out
}

/// All string values before the one in flight that the budget does not allow.
fn elided(document: Document<'_>, in_flight: &InFlight, mut budget: Budget) -> Vec<LeftOut> {
    let start = document.shape.root.unwrap_or_default().start;
    let root = document.reader.mark.root;
    let mut all = Vec::new();
    if !root.is_none() {
        document.each_value(root, (start, in_flight.start), |_, string| {
            all.extend(string);
            true
        });
    }
    let kept = all.iter().rev().take_while(|value| value.is_kept(document.text, &mut budget)).count();
    all.truncate(all.len() - kept);
    all.into_iter().map(LeftOut::String).collect()
}

/// Copies a stretch of the source without what is left out.
fn copy(text: Text<'_>, start: u32, end: u32, left_out: &[LeftOut], out: &mut String) {
    let mut at = start;
    for left_out in left_out {
        let span = left_out.span();
        text.copy(at, span.start, out);
        left_out.write(text, out);
        at = span.end;
    }
    text.copy(at, end, out);
}

/// The string in flight, which is the end of the source, as far as the budget allows.
struct InFlight {
    /// Where it begins; the end of the source where there is none.
    start: u32,
    kept: String,
}

impl InFlight {
    fn new(Document { shape, text, .. }: Document<'_>, budget: &mut Budget) -> Self {
        let end = match shape.root {
            Some(root) if shape.state == super::CutState::Done => root.end,
            _ => shape.offset,
        };
        let Some(token) = shape.token.filter(|_| shape.is_string_in_flight()) else {
            return Self { start: end - text.half_character(0, end), kept: String::new() };
        };
        let content = (token.start + shape.quote).min(end);
        let bytes = text.last_bytes(content, end, budget.left());
        let written = String::from_utf8_lossy(whole_characters(&bytes));
        let mut kept = String::new();
        text.copy(token.start, content, &mut kept);
        let length = written.chars().count();
        let allowed = budget.take(length);
        if allowed < length {
            kept.push_str("...");
        }
        kept.push_str(if allowed < length { last_characters(&written, allowed) } else { &written });
        Self { start: token.start, kept }
    }
}

impl StringValue {
    /// Whether the budget, which was spent on all that is nearer to the cut, allows it.
    fn is_kept(self, text: Text<'_>, budget: &mut Budget) -> bool {
        let Span { start, end } = self.inside();
        budget.keeps(text.characters(start, end))
    }
}
