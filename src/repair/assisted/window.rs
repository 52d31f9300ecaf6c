//! The part of a text that is sent to a model, and what becomes of the answer.
//!
//! A text of a few kilobytes is sent as it is. Of a longer one it is the part around the damage: the innermost object
//! or array that holds all of it, and of an array only the elements that it touches and one on each side. Where the
//! rules had to guess where something begins or ends the damage may go beyond that, so it is one level more, and where
//! the answer to that differs from the text in more than its syntax, what is around it is sent next: an array without
//! its `]` has taken in what stands behind it, and the damage is before all that is in it. The answer takes the place of
//! that part in what the rules made, and all else stays as it is.

use std::ops::Range;

use super::AssistedError;
use super::doubt::Damage;
use crate::document::Kind;
use crate::parser::{End, Options, Parser};
use crate::repair::Repaired;
use crate::view::{Snapshot, ValueRef};

/// Texts up to this many bytes are sent whole.
const WHOLE: usize = 4 * 1024;

/// A part is not enlarged to more than this many bytes.
const ENLARGED: usize = 16 * 1024;

/// What is sent.
#[derive(Debug)]
pub(super) struct Window {
    /// Where it is in the text.
    pub(super) source: Range<usize>,
    /// What it is. `None` is the whole text.
    pub(super) part: Option<Part>,
    /// Whether the damage may go beyond it.
    is_guessed: bool,
}

/// A part of the document.
#[derive(Debug)]
pub(super) struct Part {
    /// The object or array.
    pub(super) pointer: String,
    pub(super) kind: Kind,
    /// Which of its elements, from and up to; `None` for all that it is.
    pub(super) elements: Option<(usize, usize)>,
    /// Where it is in what the rules made.
    rules: Range<usize>,
}

/// A part that could be sent: a value, and which of its elements.
struct Choice<'a> {
    value: ValueRef<'a>,
    elements: Option<(usize, usize)>,
    source: Range<usize>,
}

impl Window {
    /// What to send.
    pub(super) fn choose(
        text: &str,
        repaired: &Repaired,
        damage: &Damage,
        limit: usize,
    ) -> Result<Self, AssistedError> {
        let window = if text.len() <= WHOLE { None } else { Self::around(text, repaired, damage) };
        let window = window.unwrap_or_else(|| Self::whole(text));
        let bytes = window.source.len();
        if bytes > limit { Err(AssistedError::TooLarge { bytes, limit }) } else { Ok(window) }
    }

    fn whole(text: &str) -> Self {
        Self { source: 0..text.len(), part: None, is_guessed: false }
    }

    /// What is around it, if the damage may be there and it is not too large: the next object or array that can be sent,
    /// or else the whole text.
    pub(super) fn larger(&self, text: &str, repaired: &Repaired, limit: usize) -> Option<Self> {
        let part = self.part.as_ref().filter(|_| self.is_guessed)?;
        let place = repaired.snapshot().at(part.pointer.as_str()).span()?.range();
        let levels = levels(repaired.snapshot(), &place);
        let mut choices = levels.iter().rev().filter_map(|value| Choice::new(text, *value, &place));
        let around = choices.next().and_then(|choice| Self::of_choice(choice, repaired, true));
        around.into_iter().chain([Self::whole(text)]).find(|window| window.source.len() <= limit)
    }

    fn around(text: &str, repaired: &Repaired, damage: &Damage) -> Option<Self> {
        let place = damage.place.as_ref()?;
        let levels = levels(repaired.snapshot(), place);
        let mut choices = levels.iter().rev().filter_map(|value| Choice::new(text, *value, place));
        let mut choice = choices.next()?;
        if damage.crosses_borders
            && let Some(larger) = choices.next().filter(|larger| larger.source.len() <= ENLARGED)
        {
            choice = larger;
        }
        Self::of_choice(choice, repaired, damage.crosses_borders)
    }

    fn of_choice(choice: Choice<'_>, repaired: &Repaired, is_guessed: bool) -> Option<Self> {
        let pointer = choice.value.path();
        let rules = strictly(repaired.text(), Options::strict());
        let rules = part_in(repaired.text(), rules.at(pointer.as_str()), choice.elements)?;
        let part = Part { pointer, kind: choice.value.kind()?, elements: choice.elements, rules };
        Some(Self { source: choice.source, part: Some(part), is_guessed })
    }

    /// The part of the text, as a model is shown it.
    pub(super) fn text(&self, text: &str) -> String {
        let sent = text.get(self.source.clone()).unwrap_or_default();
        if self.part.as_ref().is_some_and(|part| part.elements.is_some()) {
            format!("[{sent}]")
        } else {
            sent.to_owned()
        }
    }

    /// All of the text with this JSON in place of the part.
    pub(super) fn splice(&self, rules: &str, json: &str) -> String {
        let Some(part) = &self.part else { return json.to_owned() };
        let inner = match part.elements {
            Some(_) => json.trim().strip_prefix('[').and_then(|json| json.strip_suffix(']')).unwrap_or_default(),
            None => json,
        };
        let (before, behind) = (rules.get(..part.rules.start), rules.get(part.rules.end..));
        [before.unwrap_or_default(), inner, behind.unwrap_or_default()].concat()
    }

    /// The values of what the rules read that are in the part, each with its place in what is sent.
    pub(super) fn values<'a>(&self, snapshot: &'a Snapshot) -> Vec<(Option<usize>, ValueRef<'a>)> {
        let root = match &self.part {
            Some(part) => snapshot.at(part.pointer.as_str()),
            None => snapshot.root(),
        };
        match self.part.as_ref().and_then(|part| part.elements) {
            Some((from, to)) => root.elements().take(to).skip(from).enumerate().map(|(at, v)| (Some(at), v)).collect(),
            None if root.exists() => vec![(None, root)],
            None => Vec::new(),
        }
    }

    /// Where the sent part's root is in the document, and by how much indices in it are off.
    pub(super) fn origin(&self) -> (&str, usize) {
        match &self.part {
            Some(part) => (&part.pointer, part.elements.map_or(0, |(from, _)| from)),
            None => ("", 0),
        }
    }
}

/// The objects and arrays that a place is in, from the root on.
fn levels<'a>(snapshot: &'a Snapshot, place: &Range<usize>) -> Vec<ValueRef<'a>> {
    let holds = |value: &ValueRef<'_>| {
        let span = value.span().map(crate::document::Span::range);
        span.is_some_and(|span| span.start < place.start && place.end < span.end)
    };
    let mut levels = Vec::new();
    let mut next = Some(snapshot.root()).filter(holds);
    while let Some(value) = next {
        levels.push(value);
        next = value.elements().find(|child| matches!(child.kind(), Some(Kind::Object | Kind::Array)) && holds(child));
    }
    levels
}

impl<'a> Choice<'a> {
    /// What could be sent of an object or array that a place is in.
    fn new(text: &str, value: ValueRef<'a>, place: &Range<usize>) -> Option<Self> {
        let span = value.span()?.range();
        if value.kind() == Some(Kind::Array)
            && let Some((from, to)) = touched(value, place)
        {
            let at = |index: usize| Some(value.elements().nth(index)?.span()?.range());
            // At its ends, up to the brackets, if it has any.
            let is = |at: usize, signs: &str| text.get(at..at + 1).is_some_and(|sign| signs.contains(sign));
            let start = if from > 0 { at(from)?.start } else { span.start + usize::from(is(span.start, "[({")) };
            let end = match to {
                to if to < value.len() => at(to.checked_sub(1)?)?.end,
                _ if value.is_final() => span.end - usize::from(is(span.end.checked_sub(1)?, "])}")),
                _ => return None,
            };
            text.get(start..end)?;
            return Some(Self { value, elements: Some((from, to)), source: start..end });
        }
        text.get(span.clone())?;
        value.is_final().then_some(Self { value, elements: None, source: span })
    }
}

/// The elements of an array that a place touches, and one on each side; `None` for all of them.
fn touched(array: ValueRef<'_>, place: &Range<usize>) -> Option<(usize, usize)> {
    let spans = || array.elements().filter_map(|child| Some(child.span()?.range()));
    let from = spans().take_while(|span| span.start <= place.start).count().saturating_sub(2);
    let to = (spans().take_while(|span| span.end < place.end).count() + 2).min(array.len());
    (from > 0 || to < array.len()).then_some((from, to))
}

/// Where a value, or some of its elements, is in a text that is valid.
fn part_in(text: &str, value: ValueRef<'_>, elements: Option<(usize, usize)>) -> Option<Range<usize>> {
    let span = value.span()?.range();
    let Some((from, to)) = elements else { return Some(span) };
    let at = |index: usize| Some(value.elements().nth(index)?.span()?.range());
    let start = if from == 0 { span.start + 1 } else { at(from)?.start };
    let end = if to < value.len() { at(to.checked_sub(1)?)?.end } else { span.end.checked_sub(1)? };
    text.get(start..end).map(|_| start..end)
}

/// What is read of a text with these options, which is all of it if it is valid.
fn strictly(text: &str, options: Options) -> Snapshot {
    let mut parser = Parser::with_options(options);
    parser.push(text);
    parser.finish(End::Unknown).snapshot().clone()
}
