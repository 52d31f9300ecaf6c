//! The input itself: its bytes, and which stretches of it are outside the JSON.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use serde::Serialize;

use super::log::{ByteLog, PieceWriter};

/// A stretch of the input, in bytes: from `start` up to, and without, `end`.
///
/// ```
/// use jsonrill::Parser;
///
/// let text = r#"{"a": [1, 2]}"#;
/// let update = Parser::new().feed(text);
/// let span = update.snapshot().at("/a").span().unwrap();
/// assert_eq!((span.start, span.len(), &text[span.range()]), (6, 6, "[1, 2]"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord, Serialize)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    pub(crate) const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Its length in bytes.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it holds nothing.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The same as a range, to cut it out of the input.
    ///
    /// ```
    /// let text = r#"{"a": [1, 2]}"#;
    /// let mut parser = jsonrill::Parser::strict();
    /// let snapshot = parser.feed(text).snapshot().clone();
    /// let span = snapshot.at("/a").span().unwrap();
    /// assert_eq!(&text[span.range()], "[1, 2]");
    /// ```
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..{}", self.start, self.end)
    }
}

/// A byte order mark, with which editors begin a file.
pub(crate) const BOM: &[u8] = "\u{feff}".as_bytes();

/// What a stretch of text outside the JSON is.
///
/// ```
/// use jsonrill::{SkipKind, repair};
///
/// let repaired = repair("Here:\n```json\n[1, 2]\n```");
/// let kinds: Vec<_> = repaired.skipped().iter().map(|skip| skip.kind).collect();
/// assert_eq!(kinds, [SkipKind::Prose, SkipKind::Fence, SkipKind::Fence]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkipKind {
    /// Words around the JSON.
    Prose,
    /// What the model thought: the inside of `<think>…</think>`.
    Reasoning,
    /// The line that opens or closes a code fence.
    Fence,
    /// A tag or control token such as `<think>`, `</tool_call>`, `<|im_end|>`, `[TOOL_CALLS]`.
    Tag,
    /// A byte order mark.
    Bom,
    /// Brackets that close nothing: behind the JSON, or around new members of a round.
    Closer,
    /// Another JSON document that is not the answer.
    Document,
    /// The start of a response that says what is there already ([`Parser::next_round`](crate::Parser::next_round)).
    Repeat,
    /// What came after an error that ended the reading.
    Unread,
}

impl SkipKind {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prose => "prose",
            Self::Reasoning => "reasoning",
            Self::Fence => "fence",
            Self::Tag => "tag",
            Self::Bom => "bom",
            Self::Closer => "closer",
            Self::Document => "document",
            Self::Repeat => "repeat",
            Self::Unread => "unread",
        }
    }

    /// What it is, for a person.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Prose => "text around the JSON",
            Self::Reasoning => "reasoning before the answer",
            Self::Fence => "code fence around the JSON",
            Self::Tag => "tag or control token",
            Self::Bom => "byte order mark",
            Self::Closer => "bracket behind the JSON that closes nothing",
            Self::Document => "another JSON document, which is not the answer",
            Self::Repeat => "start of a response that says again what is there already",
            Self::Unread => "text behind the error, which is not read",
        }
    }
}

crate::names::named!(SkipKind);

/// A stretch outside the JSON. The end of the last one is the bookmark's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tile {
    pub(crate) kind: SkipKind,
    pub(crate) span: Span,
}

/// What is outside the JSON, as it was said: each tile, and how far it and those before it reach.
#[derive(Default)]
pub(crate) struct Tiles(Vec<(Tile, u32)>);

impl Tiles {
    /// Says that `span` is outside the JSON. Spans come in order; one that goes on where one of its kind ended, or is
    /// the same one grown, makes it longer.
    pub(crate) fn add(&mut self, kind: SkipKind, span: Span) {
        if span.is_empty() {
            return;
        }
        let begun = self.0.last().map_or(0, |(last, _)| last.span.start);
        let told = self.0.iter().nth_back(1).map_or(0, |(_, reach)| *reach);
        if span.start < begun.max(told) {
            return self.add_but_for_what_is_told(kind, span);
        }
        self.push(Tile { kind, span });
    }

    /// Adds a tile, or makes the last one longer that it goes on with.
    fn push(&mut self, tile: Tile) {
        let before = self.0.last().map_or(0, |(_, reach)| *reach);
        let reach = before.max(tile.span.end);
        match self.0.last_mut() {
            Some((last, last_reach))
                if last.kind == tile.kind && (last.span.start..=last.span.end).contains(&tile.span.start) =>
            {
                last.span.end = last.span.end.max(tile.span.end);
                *last_reach = reach;
            }
            _ => self.0.push((tile, reach)),
        }
    }

    /// The same of what was taken for JSON, and something in it was said to be outside nevertheless: the start of a round.
    #[cold]
    fn add_but_for_what_is_told(&mut self, kind: SkipKind, span: Span) {
        let told = self.0.iter().rev().take_while(|(_, reach)| *reach > span.start);
        let mut told: Vec<Span> = told.map(|(tile, _)| tile.span).collect();
        told.sort_unstable_by_key(|told| told.start);
        let mut at = span.start;
        for told in told.into_iter().chain([Span::new(span.end, span.end)]) {
            let end = told.start.min(span.end);
            if at < end {
                self.push(Tile { kind, span: Span::new(at, end) });
            }
            at = at.max(told.end);
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tile> {
        self.0.iter().map(|(tile, _)| tile)
    }
}

/// What readers see of the input.
pub(crate) struct Stream {
    source: Arc<ByteLog>,
    outside: RwLock<Tiles>,
}

impl Stream {
    pub(crate) fn new(keep_source: bool) -> (Arc<Self>, StreamWriter) {
        let (source, bytes) = ByteLog::bytes();
        let stream = Arc::new(Self { source, outside: RwLock::default() });
        let writer = StreamWriter {
            stream: stream.clone(),
            bytes: keep_source.then_some(bytes),
            length: 0,
            tiles: 0,
            last_end: 0,
        };
        (stream, writer)
    }

    /// The input in `span`, what is not UTF-8 replaced. Empty where the source is not kept.
    pub(crate) fn text(&self, span: Span) -> Cow<'_, str> {
        match self.bytes(span) {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            }),
        }
    }

    /// The same as bytes: a copy where the span is in more than one block.
    pub(crate) fn bytes(&self, span: Span) -> Cow<'_, [u8]> {
        if let Some(bytes) = self.block(span) {
            return Cow::Borrowed(bytes);
        }
        let mut bytes = Vec::new();
        self.for_pieces(span, |piece| bytes.extend_from_slice(piece));
        Cow::Owned(bytes)
    }

    /// The same if it is in one block.
    #[inline]
    pub(crate) fn block(&self, span: Span) -> Option<&[u8]> {
        self.source.read(span.start, span.len())
    }

    /// Calls `each` with the bytes in `span`, block by block.
    pub(crate) fn for_pieces(&self, span: Span, each: impl FnMut(&[u8])) {
        self.source.for_pieces(span.start..span.end, each);
    }

    /// The tile with this number if a bookmark with these limits sees it.
    pub(crate) fn tile(&self, number: u32, seen: u32, last_end: u32) -> Option<Tile> {
        if number >= seen {
            return None;
        }
        let tiles = self.outside.read().unwrap_or_else(PoisonError::into_inner);
        let (mut tile, _) = *tiles.0.get(number as usize)?;
        if number + 1 == seen {
            tile.span.end = last_end;
        }
        Some(tile)
    }
}

/// The writer's side of a [`Stream`].
pub(crate) struct StreamWriter {
    pub(crate) stream: Arc<Stream>,
    bytes: Option<PieceWriter>,
    length: u32,
    tiles: u32,
    last_end: u32,
}

impl StreamWriter {
    /// Bytes of input so far.
    #[inline]
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// Takes more input. The caller sees to it that all of it is below 4 GiB.
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if let Some(writer) = &mut self.bytes {
            writer.push(bytes);
        }
        self.length = self.length.saturating_add(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    }

    /// Lets readers see the input so far.
    #[inline]
    pub(crate) fn publish(&mut self) {
        if let Some(writer) = &mut self.bytes {
            writer.publish();
        }
    }

    /// Says that `span` is outside the JSON ([`Tiles::add`]).
    pub(crate) fn outside(&mut self, kind: SkipKind, span: Span) {
        let mut tiles = self.stream.outside.write().unwrap_or_else(PoisonError::into_inner);
        tiles.add(kind, span);
        self.tiles = u32::try_from(tiles.0.len()).unwrap_or(u32::MAX);
        self.last_end = tiles.0.last().map_or(0, |(tile, _)| tile.span.end);
    }

    /// What a bookmark must know: how many tiles there are and where the last one ends.
    #[inline]
    pub(crate) fn seen(&self) -> (u32, u32) {
        (self.tiles, self.last_end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_around_what_was_told_grows_as_one() {
        let (stream, mut writer) = Stream::new(false);
        writer.outside(SkipKind::Repeat, Span::new(5, 8));
        for end in 9..13 {
            writer.outside(SkipKind::Prose, Span::new(0, end));
        }
        let (count, end) = writer.seen();
        let tiles: Vec<_> = (0..).map_while(|number| stream.tile(number, count, end)).collect();
        let spans: Vec<_> = tiles.iter().map(|tile| (tile.kind, tile.span.start, tile.span.end)).collect();
        assert_eq!(spans, [(SkipKind::Repeat, 5, 8), (SkipKind::Prose, 0, 5), (SkipKind::Prose, 8, 12)]);
    }

    #[test]
    fn a_stretch_that_was_told_up_to_there_leaves_out_what_was_told() {
        for ends in [&[12][..], &[3, 12], &[5, 6, 12], &[3, 6, 8, 12]] {
            let mut tiles = Tiles::default();
            tiles.add(SkipKind::Fence, Span::new(5, 7));
            tiles.add(SkipKind::Repeat, Span::new(7, 8));
            let mut start = 0;
            for end in ends {
                tiles.add(SkipKind::Prose, Span::new(start, *end));
                start = *end;
            }
            tiles.add(SkipKind::Tag, Span::new(12, 14));
            let spans: Vec<_> = tiles.iter().map(|tile| (tile.kind, tile.span.start, tile.span.end)).collect();
            let around = [(SkipKind::Prose, 0, 5), (SkipKind::Prose, 8, 12), (SkipKind::Tag, 12, 14)];
            assert_eq!(spans, [&[(SkipKind::Fence, 5, 7), (SkipKind::Repeat, 7, 8)], &around[..]].concat(), "{ends:?}");
        }
    }
}
