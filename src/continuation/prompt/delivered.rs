//! What there is of an answer that was cut, as a model is told of it when it is to define KPIs.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::document::{Kind, Span};
use crate::frozen::{ContextOptions, CutState, Frozen, OVERLAP_MAX_CHARS};
use crate::view::{Snapshot, State, ValueRef};

/// How many members of the root a summary lists.
const MEMBERS: usize = 20;

/// How many characters of a path a summary shows, the last ones.
const PATH: usize = 100;

/// How many open containers a summary lists, the outermost ones.
const LEVELS: usize = 20;

/// What there is of an answer that was cut: what a model has to know to say how the rest is to be measured. Made by
/// [`Delivered::new`], and put into words by [`kpi_prompt`](crate::kpi_prompt).
///
/// ```
/// use jsonrill::{ContextOptions, Delivered, Parser};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"year": 2024, "films": [{"title": "Heat"}, {"title": "Ran"}, {"title": "Play"#);
/// let delivered = Delivered::new(&parser.freeze(), &ContextOptions::new());
/// assert_eq!(
///     delivered.summary,
///     "77 bytes, cut inside the string at /films/2/title\n\
///      the root: an object, open, 2 members so far\n\
///      /films: an array, open, 3 elements so far\n\
///      /films/2: an object, open, 1 member so far\n\
///      /year: a number, whole",
/// );
/// assert_eq!(delivered.last_complete, r#"{"title": "Ran"}"#);
/// assert_eq!(delivered.cut_element, r#"{"title": "Play"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Delivered {
    /// What there is, in short, a line each: how much, where the cut is, what is open and how large it is, and the
    /// members of the root that are whole (the first 20).
    pub summary: String,
    /// The last element that is whole, as it is in the source: of the innermost open array that has whole objects or
    /// arrays; where there is none, of the innermost open array that has anything whole; elsewhere the last member of
    /// the innermost open object. At most [`OVERLAP_MAX_CHARS`] characters, the first ones.
    pub last_complete: String,
    /// The element of the same container that the cut went through, up to the cut. At most [`OVERLAP_MAX_CHARS`]
    /// characters, the last ones. Empty where the cut is between two.
    pub cut_element: String,
    /// The structure from the root to the cut: [`Frozen::hierarchy_with`].
    pub structure: String,
}

impl Delivered {
    /// What there is at a cut. The options bound the structure.
    ///
    /// # Complexity
    ///
    /// O(length of the text).
    #[must_use]
    pub fn new(frozen: &Frozen, options: &ContextOptions) -> Self {
        let snapshot = frozen.snapshot();
        let open = open_path(snapshot);
        let (last_complete, cut_element) = elements(frozen, &open);
        let summary = summary(frozen, &open);
        Self { summary, last_complete, cut_element, structure: frozen.hierarchy_with(options) }
    }
}

/// The open objects and arrays, from the root on.
fn open_path(snapshot: &Snapshot) -> Vec<ValueRef<'_>> {
    let Some(pointer) = snapshot.open_path() else { return Vec::new() };
    let ends = pointer.match_indices('/').map(|(at, _)| at).chain([pointer.len()]);
    let path = ends.filter_map(|end| Some(snapshot.at(pointer.get(..end)?)));
    path.filter(|value| is_container(*value)).collect()
}

fn is_container(value: ValueRef<'_>) -> bool {
    matches!(value.kind(), Some(Kind::Object | Kind::Array))
}

// --- the summary ------------------------------------------------------------------------------------------------------

fn summary(frozen: &Frozen, open: &[ValueRef<'_>]) -> String {
    let cut = frozen.cut();
    let path = cut.open().map(name);
    let place = match (cut.state(), path) {
        (CutState::InString | CutState::InEscape, Some(path)) => format!("cut inside the string at {path}"),
        (CutState::InNumber | CutState::InKeyword, Some(path)) => format!("cut inside the value at {path}"),
        (CutState::InKey, Some(path)) => format!("cut inside a key of {path}"),
        (CutState::AfterKey | CutState::AfterColon, Some(path)) => format!("cut before the value at {path}"),
        (CutState::Done, _) => "whole".to_owned(),
        (_, Some(path)) => format!("cut inside {path}"),
        (_, None) => "cut before the JSON begins".to_owned(),
    };
    let mut lines = format!("{} bytes, {place}", cut.offset());
    // Writing into a string does not fail.
    for value in open.iter().take(LEVELS) {
        let _ = write!(lines, "\n{}: {}, open, {} so far", name(&value.path()), kind(*value), size(*value));
    }
    if open.len() > LEVELS {
        let _ = write!(lines, "\nand {} more levels", open.len() - LEVELS);
    }
    let whole = || frozen.snapshot().root().elements().filter(|value| value.is_final() && value.key().is_some());
    for value in whole().take(MEMBERS) {
        let _ = write!(lines, "\n{}: {}, whole", name(&value.path()), kind(value));
        if is_container(value) {
            let _ = write!(lines, ", {}", size(value));
        }
    }
    match whole().skip(MEMBERS).count() {
        0 => {}
        more => _ = write!(lines, "\nand {more} more members of the root, whole"),
    }
    lines
}

fn name(path: &str) -> String {
    if path.is_empty() { "the root".to_owned() } else { final_part(path, PATH) }
}

fn kind(value: ValueRef<'_>) -> &'static str {
    match value.kind() {
        Some(Kind::Object) => "an object",
        Some(Kind::Array) => "an array",
        Some(Kind::String) => "a string",
        Some(Kind::Number) => "a number",
        Some(Kind::Bool) => "a boolean",
        Some(Kind::Null) => "null",
        None => "nothing",
    }
}

fn size(value: ValueRef<'_>) -> String {
    let what = if value.kind() == Some(Kind::Array) { "element" } else { "member" };
    let count = value.len();
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

// --- the elements -----------------------------------------------------------------------------------------------------

/// The last whole element, and the one that was cut.
fn elements(frozen: &Frozen, open: &[ValueRef<'_>]) -> (String, String) {
    let arrays = || open.iter().rev().filter(|value| value.kind() == Some(Kind::Array)).copied();
    let has_containers = |array: &ValueRef<'_>| last_whole(*array).is_some_and(is_container);
    let has_any = |array: &ValueRef<'_>| last_whole(*array).is_some();
    let array = arrays().find(has_containers).or_else(|| arrays().find(has_any));
    let Some(container) = array.or_else(|| open.last().copied()) else { return Default::default() };
    let (snapshot, end) = (frozen.snapshot(), offset(frozen.cut().offset()));
    let whole = last_whole(container);
    let last_complete = whole.and_then(|value| Some(first(&source(snapshot, value, value.span()?.end)?)));
    let open = last(container).filter(|value| value.state() == State::Growing);
    let cut_element = match open {
        Some(value) => source(snapshot, value, end),
        None => unseen(frozen, container, whole),
    };
    (
        last_complete.unwrap_or_default(),
        cut_element.map(|text| final_part(&text, OVERLAP_MAX_CHARS)).unwrap_or_default(),
    )
}

/// An element that has begun and has nothing to show yet, such as `{"na`.
fn unseen(frozen: &Frozen, container: ValueRef<'_>, whole: Option<ValueRef<'_>>) -> Option<String> {
    let overlap = frozen.overlap();
    let start = frozen.cut().offset().checked_sub(overlap.text.len() as u64)?;
    let before = whole.and_then(ValueRef::span).map_or(container.span()?.start + 1, |span| span.end);
    (!overlap.is_clipped && start >= u64::from(before)).then_some(overlap.text)
}

fn last(container: ValueRef<'_>) -> Option<ValueRef<'_>> {
    child(container, container.len().checked_sub(1)?)
}

fn last_whole(container: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let before = || child(container, container.len().checked_sub(2)?);
    last(container).filter(|value| value.is_final()).or_else(before)
}

/// The element of an array, or the member of an object, with this number.
fn child(container: ValueRef<'_>, number: usize) -> Option<ValueRef<'_>> {
    match container.kind()? {
        Kind::Array => Some(container.get(number)),
        _ => container.elements().nth(number),
    }
}

/// A value as it is in the source; a member with its key.
fn source(snapshot: &Snapshot, value: ValueRef<'_>, end: u32) -> Option<String> {
    let text = snapshot.source(Span { start: value.span()?.start, end });
    Some(match value.key() {
        Some(key) => format!("{}: {text}", serde_json::Value::from(key)),
        None => text.into_owned(),
    })
}

fn offset(offset: u64) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The first characters of a text that is too long.
fn first(text: &str) -> String {
    match text.char_indices().nth(OVERLAP_MAX_CHARS) {
        Some((end, _)) => format!("{} ...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The last characters of a text that is too long.
fn final_part(text: &str, limit: usize) -> String {
    match text.char_indices().rev().nth(limit) {
        Some((at, character)) => format!("... {}", text.get(at + character.len_utf8()..).unwrap_or_default()),
        None => text.to_owned(),
    }
}
