//! Valid JSON up to the cut.

use crate::document::Span;
use crate::view::{Snapshot, Stitch};

use super::CutState;
use super::shape::Shape;
use super::text::Text;

/// The value as far as it goes, closed.
pub(super) fn complete_part(snapshot: &Snapshot, shape: &Shape, has_source: bool, keep_scalars: bool) -> String {
    let Some(root) = shape.root else { return String::new() };
    let text = Text::new(&snapshot.log.stream, shape);
    if shape.is_verbatim && has_source {
        return verbatim(text, root, shape, keep_scalars).unwrap_or_default();
    }
    let drops = !keep_scalars && matches!(shape.state, CutState::InNumber | CutState::InKeyword);
    let without = drops.then(|| snapshot.without_leaf());
    let snapshot = without.as_ref().unwrap_or(snapshot);
    if !snapshot.is_started() {
        return String::new();
    }
    if !has_source {
        return snapshot.to_string();
    }
    let source = text.bytes(0, snapshot.mark.seen.source);
    let mut stitch = Stitch::new(&source, false);
    stitch.document(snapshot);
    stitch.into_text()
}

/// The source as far as it is settled, and the closers.
fn verbatim(text: Text<'_>, root: Span, shape: &Shape, keep_scalars: bool) -> Option<String> {
    let end = match (shape.state, shape.token) {
        (CutState::Done, _) => root.end,
        (CutState::InString | CutState::InEscape, Some(token)) => token.end,
        (CutState::InNumber, Some(token)) if keep_scalars && !token.is_empty() => token.end,
        // A scalar alone.
        _ if shape.container.is_none() => return None,
        _ => shape.settled,
    };
    let mut out = String::with_capacity((end - root.start) as usize + shape.closers.len());
    text.copy(root.start, end, &mut out);
    if !shape.is_string_in_flight() {
        out.truncate(out.trim_end_matches([' ', '\t', '\n', '\r']).len());
    }
    out.push_str(&shape.closers);
    Some(out)
}
