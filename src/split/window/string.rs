//! Where a string that is too long is cut.

use unicode_segmentation::UnicodeSegmentation;

use crate::parser::short_escape;
use crate::split::splitter::Boundary;

use super::decide::Cut;
use super::{Entry, Mark, Window};

/// How many characters behind the largest chunk are looked at.
const BEHIND: usize = 64;

/// How many places between words are looked for from behind, before all are from the front: to find one from behind may
/// take a look at all that is before it, where flags follow one another.
const FROM_BEHIND: usize = 2 * BEHIND;

impl Window {
    /// The last place in a string at which the chunk may end. Where the string begins the chunk, any place will do
    /// rather than none.
    pub(super) fn cut_within(&self, number: usize, entry: &Entry, begins_chunk: bool) -> Option<Cut> {
        let asked = self.splitter.strings?;
        // Without the closing quote.
        let end = entry.end.map_or(self.text.len(), |end| end.bytes.saturating_sub(1));
        let raw = self.within_reach(self.text.get(entry.inside.bytes..end).unwrap_or_default());
        let mut plain = String::with_capacity(raw.len());
        // Where each character ends: in what is meant, and in what is written.
        let mut ends = Vec::new();
        for (end, character) in characters(raw) {
            plain.push(character);
            ends.push((plain.len(), end));
        }
        let cut = |written: usize| {
            let size = self.splitter.measure.of_part(raw.get(..written).unwrap_or_default());
            let end = Mark { bytes: entry.inside.bytes + written, size: entry.inside.size + size };
            Cut { entry: number, end, in_string: true }
        };
        // How much there is room for, and what a boundary of each kind is before that.
        let room = ends.partition_point(|end| self.fits(&cut(end.1)));
        let room = room.checked_sub(1).and_then(|last| ends.get(last))?.0;
        let kinds = std::iter::successors(Some(asked), |kind| kind.finer().filter(|_| begins_chunk));
        for kind in kinds {
            let mut places = kind.places_back(&plain, room).filter_map(|place| {
                let found = ends.binary_search_by_key(&place, |end| end.0).ok()?;
                ends.get(found).map(|end| cut(end.1))
            });
            if let Some(found) = places.find(|cut| self.fits(cut)) {
                return Some(found);
            }
        }
        // A character of several, which is too long as a whole.
        let mut inner = ends.iter().rev().filter(|end| end.0 <= room && end.1 < raw.len()).map(|end| cut(end.1));
        inner.find(|cut| begins_chunk && self.fits(cut))
    }

    /// As much of a text as a chunk can have, and a little more: what is behind a place says whether it is a boundary.
    fn within_reach<'t>(&self, text: &'t str) -> &'t str {
        if !self.splitter.measure.is_additive() {
            return text;
        }
        let reach = self.splitter.max.saturating_add(BEHIND);
        text.char_indices().nth(reach).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
    }
}

impl Boundary {
    /// The next finer kind.
    const fn finer(self) -> Option<Self> {
        match self {
            Self::Sentence => Some(Self::Word),
            Self::Word => Some(Self::Character),
            Self::Character => None,
        }
    }

    /// The places within a text up to `room`, in bytes, the last one first. The ends of the text are none of them: it
    /// may go on.
    fn places_back(self, text: &str, room: usize) -> Box<dyn Iterator<Item = usize> + '_> {
        // Words and characters are found from behind, so what lies far behind the room is left out.
        let near = (room..text.len()).filter(|end| text.is_char_boundary(*end)).nth(BEHIND);
        let near = near.and_then(|end| text.get(..end)).unwrap_or(text);
        let within = move |place: &usize| (1..=room).contains(place);
        match self {
            Self::Sentence => {
                let places: Vec<_> =
                    near.split_sentence_bound_indices().map(|(place, _)| place).filter(within).collect();
                Box::new(places.into_iter().rev())
            }
            Self::Word => {
                let first = near.split_word_bound_indices().rev().take(FROM_BEHIND).map(|(place, _)| place);
                let rest = std::iter::once_with(|| {
                    let places: Vec<_> = near.split_word_bound_indices().map(|(place, _)| place).collect();
                    places.into_iter().rev().skip(FROM_BEHIND)
                });
                let places = first.chain(rest.flatten());
                Box::new(places.filter(move |place| within(place) && begins_word(near, *place)))
            }
            Self::Character => Box::new(near.grapheme_indices(true).rev().map(|(place, _)| place).filter(within)),
        }
    }
}

/// Whether a word begins at this boundary, rather than what stands behind one: a piece should begin with neither a
/// blank nor a comma.
fn begins_word(text: &str, place: usize) -> bool {
    let Some((before, behind)) = text.split_at_checked(place) else { return false };
    let (last, first) = (before.chars().next_back(), behind.chars().next());
    first.is_some_and(char::is_alphanumeric)
        || last.is_some_and(char::is_whitespace) && !first.is_some_and(char::is_whitespace)
}

/// The characters that the inside of a string stands for, each with the place where it ends. Half of a surrogate pair
/// is U+FFFD; an escape that is cut off is nothing.
pub(super) fn characters(raw: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = raw.get(at..)?;
        let first = rest.chars().next()?;
        let (length, character) = if first == '\\' { escape(rest)? } else { (first.len_utf8(), first) };
        at += length;
        Some((at, character))
    })
}

/// The escape that a text begins with: its length, and what it stands for.
fn escape(text: &str) -> Option<(usize, char)> {
    let letter = *text.as_bytes().get(1)?;
    if letter != b'u' {
        return Some((2, short_escape(letter)?));
    }
    let unit = |text: &str| text.strip_prefix("\\u")?.get(..4).and_then(|hex| u16::from_str_radix(hex, 16).ok());
    let first = unit(text)?;
    let second = text.get(6..).and_then(unit);
    match char::decode_utf16([first].into_iter().chain(second)).next()? {
        Ok(character) => Some((6 * character.len_utf16(), character)),
        Err(_) => Some((6, char::REPLACEMENT_CHARACTER)),
    }
}
