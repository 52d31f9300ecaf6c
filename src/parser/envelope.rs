//! What is around the JSON in the lenient dialect: prose, code fences, reasoning, byte order mark.
//!
//! Outside the roots the text is read byte by byte for the few that mean something: `{` and `[` begin a candidate,
//! three back-ticks or tildes are a fence, `<think>` begins reasoning. A candidate is *strong* from its first quoted
//! key and colon, its first string, or its second scalar in one array on: then it is a root for good. One that breaks
//! before that was prose, and the reading goes on where it broke. One that is closed before that is *weak*, and used
//! at the end if nothing stronger came.

use std::mem;

use crate::document::{SkipKind, Span, Tile};

use super::machine::{Candidate, Machine, Step, Stop, offset};
use super::options::{Expect, Options, Roots};

/// A part of what a bare scalar has taken: text, or a number of bytes that are no UTF-8.
type Held = Result<String, u32>;

/// Where the reading outside the roots stands.
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts about the text so far that have nothing to do with each other"
)]
pub(super) struct Envelope {
    mode: Mode,
    /// The open code fence: its character and how many of them.
    fence: Option<(u8, u32)>,
    /// Only blanks since the line began.
    line_start: bool,
    /// Only blanks, fences and reasoning since the text began.
    clean: bool,
    /// Nothing but blanks and a byte order mark has been read.
    fresh: bool,
    /// Where the prose that is being read begins, if it has begun.
    prose: Option<u32>,
    held: Vec<Held>,
    /// Where a weak root ended that was released as prose: blanks behind it are prose if prose comes next.
    bridge: Option<u32>,
    /// A weak root has come that may be used at the end.
    has_weak: bool,
    /// A weak root that is neither prose nor an answer yet, and what is outside the JSON behind it.
    weak: Option<(Span, Vec<Tile>)>,
}

/// How many bytes behind a weak root are held: after them it is shown as prose, so that a note like `[1]` does not
/// stop the text. It stays what is used at the end if nothing stronger comes.
const WEAK_HOLD: u32 = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Prose,
    /// So many of a fence's character, the first at `start`.
    Marks {
        mark: u8,
        count: u32,
        start: u32,
    },
    /// Behind an opening fence, up to the end of its line.
    FenceInfo {
        start: u32,
    },
    /// So many bytes of a tag that begins at `start`.
    Tag {
        letters: [u8; TAG_LENGTH],
        count: usize,
        start: u32,
    },
    /// Inside reasoning that goes on since `start`.
    Reasoning {
        start: u32,
    },
    /// A tag inside reasoning.
    EndTag {
        letters: [u8; TAG_LENGTH],
        count: usize,
        start: u32,
    },
}

const TAG_LENGTH: usize = 11;
const OPENING: [&[u8]; 2] = [b"<think>", b"<thinking>"];
const CLOSING: [&[u8]; 2] = [b"</think>", b"</thinking>"];

/// What the letters of a tag are so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Opening,
    Closing,
    Unfinished,
    None,
}

fn tag(letters: &[u8]) -> Tag {
    if OPENING.contains(&letters) {
        Tag::Opening
    } else if CLOSING.contains(&letters) {
        Tag::Closing
    } else if OPENING.iter().chain(&CLOSING).any(|tag| tag.starts_with(letters)) {
        Tag::Unfinished
    } else {
        Tag::None
    }
}

impl Envelope {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            mode: if options.reasoning_expected { Mode::Reasoning { start: 0 } } else { Mode::Prose },
            fence: None,
            line_start: true,
            clean: true,
            fresh: true,
            prose: None,
            held: Vec::new(),
            bridge: None,
            has_weak: false,
            weak: None,
        }
    }

    /// Whether nothing but blanks, fences and reasoning came so far.
    pub(super) fn is_clean(&self) -> bool {
        self.clean
    }

    /// Whether only blanks have come since the line began, or a root ended in it and more are wanted.
    pub(super) fn begins_line(&self) -> bool {
        self.line_start
    }

    pub(super) fn hold_text(&mut self, text: &str) {
        match self.held.last_mut() {
            Some(Ok(held)) => held.push_str(text),
            _ => self.held.push(Ok(text.to_owned())),
        }
    }

    pub(super) fn hold_invalid(&mut self, count: u32) {
        self.held.push(Err(count));
    }

    pub(super) fn take_held(&mut self) -> Vec<Held> {
        mem::take(&mut self.held)
    }

    /// A root ended. Where many are wanted, a bare scalar may follow it.
    pub(super) fn root_ended(&mut self, roots: Roots) {
        self.clean = false;
        self.line_start = roots == Roots::Many;
    }

    pub(super) fn candidate_failed(&mut self) {
        self.mode = Mode::Prose;
    }
}

impl Machine {
    /// Outside the roots.
    pub(super) fn outside(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        match self.envelope.mode {
            Mode::Prose => self.in_prose(text, i),
            Mode::Marks { mark, count, start } => Ok(self.in_marks(text, i, mark, count, start)),
            Mode::FenceInfo { start } => Ok(self.in_fence_info(text, i, start)),
            Mode::Tag { letters, count, start } => Ok(self.in_tag(text, i, letters, count, start)),
            Mode::Reasoning { start } => Ok(self.in_reasoning(text, i, start)),
            Mode::EndTag { letters, count, start } => Ok(self.in_end_tag(text, i, letters, count, start)),
        }
    }

    fn in_prose(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let bytes = text.as_bytes();
        let mut i = i;
        while let Some(&byte) = bytes.get(i) {
            match byte {
                b'\n' => self.envelope.line_start = true,
                b' ' | b'\t' | b'\r' => {}
                b'{' | b'[' if self.is_wanted(byte) => {
                    self.end_prose(self.offset(i));
                    self.begin_root(self.offset(i), Candidate::Weak);
                    self.envelope.fresh = false;
                    return self.value_at(text, byte, i);
                }
                b'`' | b'~' => {
                    self.envelope.mode = Mode::Marks { mark: byte, count: 0, start: self.offset(i) };
                    return Ok(i);
                }
                b'<' => {
                    let start = self.offset(i);
                    self.envelope.mode = Mode::Tag { letters: [0; TAG_LENGTH], count: 0, start };
                    return Ok(i);
                }
                0xEF if self.offset(i) == 0 && text.starts_with('\u{feff}') => {
                    self.skip(SkipKind::Bom, Span::new(0, 3));
                    i += 2;
                }
                b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' if self.may_be_scalar() => {
                    self.end_prose(self.offset(i));
                    self.begin_root(self.offset(i), Candidate::Scalar);
                    self.envelope.fresh = false;
                    self.step = Step::Value;
                    return self.value_at(text, byte, i);
                }
                _ => self.prose_at(self.offset(i)),
            }
            i += 1;
        }
        Ok(i)
    }

    /// Whether a root of this kind is one that is asked for.
    fn is_wanted(&self, opener: u8) -> bool {
        match self.options.expect {
            Expect::Any => true,
            Expect::Object => opener == b'{',
            Expect::Array => opener == b'[',
        }
    }

    /// Whether a bare scalar can be a root here: the whole text is one, or, of many, it begins a line.
    fn may_be_scalar(&self) -> bool {
        let in_line = self.options.roots == Roots::Many && self.envelope.line_start;
        self.options.expect == Expect::Any && (self.envelope.fresh || in_line)
    }

    /// The byte at `at` is prose.
    #[inline]
    fn prose_at(&mut self, at: u32) {
        let envelope = &mut self.envelope;
        envelope.line_start = false;
        envelope.clean = false;
        envelope.fresh = false;
        let start = envelope.bridge.take().unwrap_or(at);
        envelope.prose.get_or_insert(start);
    }

    /// `span` is outside the JSON.
    pub(super) fn skip(&mut self, kind: SkipKind, span: Span) {
        if kind != SkipKind::Prose {
            self.envelope.bridge = None;
        }
        match &mut self.envelope.weak {
            None => self.stream.outside(kind, span),
            Some(_) if span.is_empty() => {}
            Some((_, tiles)) => match tiles.last_mut() {
                Some(last) if last.kind == kind && last.span.end >= span.start => last.span.end = span.end,
                _ => tiles.push(Tile { kind, span }),
            },
        }
    }

    /// Whether there is prose in the text.
    pub(super) fn has_prose(&self) -> bool {
        let held = self.envelope.weak.iter().flat_map(|(_, tiles)| tiles);
        let (count, end) = self.stream.seen();
        let shown = (0..count).filter_map(|number| self.stream.stream.tile(number, count, end));
        held.copied().chain(shown).any(|tile| tile.kind == SkipKind::Prose)
    }

    /// A root ended that is weak.
    pub(super) fn weak_root(&mut self, span: Span) {
        if self.document.is_none() && !self.envelope.has_weak {
            self.envelope.has_weak = true;
            self.envelope.weak = Some((span, Vec::new()));
            self.envelope.prose = None;
        } else {
            self.prose(span);
        }
    }

    /// The weak root that is held is prose, for all that is known now, if `is_prose`; otherwise it is the answer. What
    /// is behind it can be shown.
    pub(super) fn release_weak(&mut self, is_prose: bool) {
        self.envelope.bridge = None;
        let Some((mut span, tiles)) = self.envelope.weak.take() else { return };
        if is_prose {
            // The blanks between two stretches of prose are prose.
            let prose = tiles.first().filter(|tile| tile.kind == SkipKind::Prose).map(|tile| tile.span.start);
            let next = prose.or(self.envelope.prose).filter(|_| tiles.is_empty() || prose.is_some());
            // If nothing has come, what comes may be prose.
            self.envelope.bridge = (tiles.is_empty() && next.is_none()).then_some(span.end);
            span.end = next.unwrap_or(span.end);
            self.stream.outside(SkipKind::Prose, span);
        }
        for tile in tiles {
            self.stream.outside(tile.kind, tile.span);
        }
    }

    /// Releases the weak root when enough came behind it.
    #[inline]
    pub(super) fn check_weak(&mut self) {
        if let Some((span, _)) = &self.envelope.weak
            && self.stream.length() - span.end > WEAK_HOLD
        {
            self.release_weak(true);
        }
    }

    /// All of `span` is prose.
    pub(super) fn prose(&mut self, span: Span) {
        if !span.is_empty() {
            self.prose_at(span.start);
            self.end_prose(span.end);
            self.envelope.prose = Some(span.end);
        }
    }

    /// The prose that is being read, if there is any, goes up to `at`.
    fn show_prose(&mut self, at: u32) {
        if let Some(start) = self.envelope.prose {
            self.skip(SkipKind::Prose, Span::new(start, at));
        }
    }

    /// Prose ends before `at`, if there is any.
    fn end_prose(&mut self, at: u32) {
        self.show_prose(at);
        self.envelope.prose = None;
    }

    /// The piece ends: what has been read of prose, a fence or reasoning is shown.
    pub(super) fn envelope_pause(&mut self, end: u32) {
        match self.envelope.mode {
            Mode::Prose => self.show_prose(end),
            Mode::FenceInfo { start } => self.skip(SkipKind::Fence, Span::new(start, end)),
            Mode::Reasoning { start } => self.skip(SkipKind::Reasoning, Span::new(start, end)),
            Mode::Marks { start, .. } | Mode::Tag { start, .. } => self.show_prose(start),
            // What is before it has been shown.
            Mode::EndTag { .. } => {}
        }
    }

    /// The text ends: what was held of a fence or tag is settled.
    pub(super) fn envelope_end(&mut self, end: u32) {
        match self.envelope.mode {
            Mode::Marks { count, start, .. } if count >= 3 => {
                self.end_prose(start);
                self.skip(SkipKind::Fence, Span::new(start, end));
            }
            Mode::Marks { start, .. } | Mode::Tag { start, .. } => {
                self.prose_at(start);
                self.end_prose(end);
            }
            Mode::EndTag { start, .. } => self.skip(SkipKind::Reasoning, Span::new(start, end)),
            Mode::Prose | Mode::FenceInfo { .. } | Mode::Reasoning { .. } => {}
        }
        self.envelope.mode = Mode::Prose;
    }

    /// Bytes that are no UTF-8, outside the roots.
    pub(super) fn invalid_outside(&mut self, span: Span) {
        match self.envelope.mode {
            Mode::Marks { mark, count, start } => self.marks_ended(mark, count, start, span.start),
            Mode::Tag { start, .. } => {
                self.envelope.mode = Mode::Prose;
                self.prose_at(start);
            }
            Mode::EndTag { start, .. } => self.envelope.mode = Mode::Reasoning { start },
            Mode::Prose | Mode::FenceInfo { .. } | Mode::Reasoning { .. } => {}
        }
        if self.envelope.mode == Mode::Prose {
            self.prose_at(span.start);
        }
        self.envelope_pause(span.end);
    }

    // ----- fences -----

    fn in_marks(&mut self, text: &str, i: usize, mark: u8, count: u32, start: u32) -> usize {
        let rest = text.as_bytes().get(i..).unwrap_or_default();
        let more = rest.iter().take_while(|byte| **byte == mark).count();
        let count = count.saturating_add(offset(more));
        self.envelope.mode = Mode::Marks { mark, count, start };
        if more == rest.len() {
            return text.len();
        }
        let i = i + more;
        self.marks_ended(mark, count, start, self.offset(i));
        i
    }

    /// A run of `count` marks from `start` to `end` is whole.
    fn marks_ended(&mut self, mark: u8, count: u32, start: u32, end: u32) {
        self.envelope.mode = Mode::Prose;
        match self.envelope.fence {
            _ if count < 3 => self.prose_at(start),
            None => {
                self.end_prose(start);
                self.envelope.fence = Some((mark, count));
                self.envelope.fresh = false;
                self.envelope.mode = Mode::FenceInfo { start };
            }
            Some((open, length)) if open == mark && count >= length => {
                self.end_prose(start);
                self.envelope.fence = None;
                self.envelope.line_start = false;
                self.skip(SkipKind::Fence, Span::new(start, end));
            }
            Some(_) => self.prose_at(start),
        }
    }

    fn in_fence_info(&mut self, text: &str, i: usize, start: u32) -> usize {
        let rest = text.as_bytes().get(i..).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| matches!(byte, b'\n' | b'{' | b'[')) else {
            return text.len();
        };
        let newline = rest.get(length) == Some(&b'\n');
        let end = i + length + usize::from(newline);
        self.skip(SkipKind::Fence, Span::new(start, self.offset(end)));
        self.envelope.line_start = newline;
        self.envelope.mode = Mode::Prose;
        end
    }

    // ----- reasoning -----

    fn in_tag(&mut self, text: &str, i: usize, letters: [u8; TAG_LENGTH], count: usize, start: u32) -> usize {
        let (i, found, letters, count) = read_tag(text, i, letters, count);
        self.envelope.mode = Mode::Prose;
        match found {
            Tag::Unfinished => self.envelope.mode = Mode::Tag { letters, count, start },
            Tag::None => self.prose_at(start),
            Tag::Opening => {
                self.end_prose(start);
                let end = self.offset(i);
                self.skip(SkipKind::Tag, Span::new(start, end));
                self.envelope.fresh = false;
                self.envelope.mode = Mode::Reasoning { start: end };
            }
            Tag::Closing => {
                self.end_prose(start);
                self.skip(SkipKind::Tag, Span::new(start, self.offset(i)));
                self.envelope.fresh = false;
                // Everything before was reasoning, so what looked like a small answer was none.
                if self.document.is_none() {
                    self.release_weak(true);
                    self.envelope.has_weak = false;
                    self.roots.clear();
                    self.envelope.clean = true;
                    self.envelope.fence = None;
                }
            }
        }
        i
    }

    fn in_reasoning(&mut self, text: &str, i: usize, start: u32) -> usize {
        self.envelope.fresh = false;
        let rest = text.as_bytes().get(i..).unwrap_or_default();
        let Some(length) = memchr::memchr(b'<', rest) else { return text.len() };
        let at = self.offset(i + length);
        self.skip(SkipKind::Reasoning, Span::new(start, at));
        self.envelope.mode = Mode::EndTag { letters: [0; TAG_LENGTH], count: 0, start: at };
        i + length
    }

    fn in_end_tag(&mut self, text: &str, i: usize, letters: [u8; TAG_LENGTH], count: usize, start: u32) -> usize {
        let (i, found, letters, count) = read_tag(text, i, letters, count);
        match found {
            Tag::Unfinished => self.envelope.mode = Mode::EndTag { letters, count, start },
            // A second opening tag opens nothing; the letters are part of the reasoning.
            Tag::None | Tag::Opening => self.envelope.mode = Mode::Reasoning { start },
            Tag::Closing => {
                self.skip(SkipKind::Tag, Span::new(start, self.offset(i)));
                self.envelope.mode = Mode::Prose;
            }
        }
        i
    }
}

/// Reads letters of a tag until it is one or cannot become one. The byte that breaks it is not taken.
fn read_tag(
    text: &str,
    mut i: usize,
    mut letters: [u8; TAG_LENGTH],
    mut count: usize,
) -> (usize, Tag, [u8; TAG_LENGTH], usize) {
    while let Some(byte) = text.as_bytes().get(i) {
        let Some(place) = letters.get_mut(count) else { return (i, Tag::None, letters, count) };
        *place = byte.to_ascii_lowercase();
        let found = tag(letters.get(..=count).unwrap_or_default());
        if found == Tag::None {
            return (i, found, letters, count);
        }
        count += 1;
        i += 1;
        if found != Tag::Unfinished {
            return (i, found, letters, count);
        }
    }
    (i, Tag::Unfinished, letters, count)
}
