//! Text of unknown length in messages.

use std::borrow::Cow;

/// How many characters of an id or a path are shown.
const SHOWN: usize = 100;

/// The start of a long text.
pub(super) fn clip(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN).and_then(|(end, _)| text.get(..end)) {
        Some(start) => format!("{start}…").into(),
        None => text.into(),
    }
}
