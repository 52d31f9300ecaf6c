//! What is around the JSON in the lenient dialect: prose, code fences, reasoning, tags, byte order marks.
//!
//! # The procedure
//!
//! Outside the roots every byte is looked at for the few that mean something; all others are prose, except blanks
//! between other things, which are nothing.
//!
//! | at | held until | may become | subject of |
//! |---|---|---|---|
//! | `{` `[` | it fails, is strong, or is closed | a candidate, see below | `machine`, [`weak`] |
//! | `` ``` `` `~~~` | the end of its line, 128 bytes | a fence line | [`fence`] |
//! | `<` `[` | the tag's end, 256 bytes (names: 64) | a tag or control token | [`tag`], [`names`], [`thinking`] |
//! | U+FEFF at the start of a line | its last byte | a byte order mark | here |
//! | `}` `]` behind a root | – | left-over closers | here |
//! | `"`, a digit, `-`, `t` `f` `n` | the end of the text; of many roots, of the line | a bare scalar | `machine` |
//!
//! Inside reasoning nothing but its closing tag means anything, and nothing in it is ever an answer. Reasoning may be
//! left open; then all of the rest is reasoning. A closing tag that stands alone makes reasoning of all before it, as
//! long as no root is shown. Fences change nothing but what the fence lines are; JSON in them is like any other.
//!
//! # Which candidate is the root
//!
//! One candidate is read at a time; one that fails was prose up to the byte that it failed at, where the reading goes
//! on. Nothing is read twice but a bracket and a few capital letters that could have become a control token (18 bytes
//! at most), so the work is linear. The order of preference:
//!
//! 1. The first *strong* one, for ever: it is shown as soon as it has a quoted key and a colon, a string, or a second
//!    scalar in one array. `{}` and `[]` are strong, too, if only blanks, fences, tags and reasoning came before
//!    (not among the arguments of a call: there `{}` is often a placeholder). Later ones are further documents.
//! 2. At the end of the text the first *weak* one: closed before it was strong, like `[1]` or `{}` behind prose. It is
//!    held with up to 256 bytes behind it, then shown as prose. In a text that was cut it is the answer only if there
//!    is no prose.
//! 3. At the end of the text the one that is open, be it weak.
//! 4. A bare scalar, if nothing else but blanks and a byte order mark is in the text. All of it is held, and read again
//!    as prose if anything follows.
//!
//! Of many roots each strong one is a document, and of the others each one that has begun a line.
//!
//! # Law 1
//!
//! Every decision above is made at a byte, by what came up to it. No part looks at the bytes behind the piece: it keeps
//! what it waits for in [`Mode`], with the place where the held bytes begin. What a piece ends with is shown by
//! [`Machine::envelope_pause`], which knows how far each mode is settled.

mod fence;
mod names;
mod prose;
mod settle;
mod tag;
mod thinking;
mod weak;

use std::mem;

use crate::document::{SkipKind, Span, Tiles};

use super::machine::{Candidate, Machine, Step, Stop, offset};
use super::options::{Expect, Options, Roots};

pub(super) use names::{Thought, ends_thought, thought};

use fence::Info;
use names::{Head, Thinking};
use tag::Tag;

/// A part of what a bare scalar has taken: where it begins, and its text, or a number of bytes that are no UTF-8.
/// Between two parts there may be some of a round that was left out.
type Held = (u32, Result<String, u32>);

/// What the text has had so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Before {
    /// Nothing but blanks and byte order marks.
    Blanks,
    /// Also fences, tags and reasoning, or what may be a root.
    Marks,
    /// Prose or a root.
    Words,
}

impl Before {
    fn raise(&mut self, to: Self) {
        *self = (*self).max(to);
    }
}

/// Where the reading outside the roots stands.
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts about the text so far that have nothing to do with each other"
)]
pub(super) struct Envelope {
    mode: Mode,
    before: Before,
    /// The open code fence: its character and how many of them.
    fence: Option<(u8, u32)>,
    /// Only blanks and tags since the line began.
    line_start: bool,
    /// Nothing but blanks, closers, fences, tags and reasoning since a root ended.
    behind_root: bool,
    /// The letters of the tag that is held.
    letters: Vec<u8>,
    /// The message that comes next is reasoning.
    is_analysis: bool,
    /// Behind the last letter or digit of the prose: a `<` there begins no tag that opens something.
    word_end: u32,
    /// Where the prose that is being read begins, if it has begun.
    prose: Option<u32>,
    held: Vec<Held>,
    /// Where a weak root ended that was released as prose: blanks behind it are prose if prose comes next.
    bridge: Option<u32>,
    /// A weak root has come that may be used at the end.
    has_weak: bool,
    /// A weak root that is neither prose nor an answer yet, and what is outside the JSON behind it.
    weak: Option<(Span, Tiles)>,
}

#[derive(Debug, Clone, Copy)]
enum Mode {
    Prose,
    /// So many of a fence's character, the first at `start`.
    Marks {
        mark: u8,
        count: u32,
        start: u32,
    },
    /// Behind the marks of an opening fence, up to the end of its line.
    Info(Info),
    /// In the back-ticks that end code within the prose.
    CodeEnd,
    /// In what may be a tag.
    Tag(Tag),
    /// Behind a control token, in what belongs to it since `start`; so many letters of `analysis`.
    Head {
        start: u32,
        count: usize,
        head: Head,
    },
    /// Inside reasoning that goes on since `start`.
    Reasoning {
        start: u32,
        thinking: &'static Thinking,
    },
}

impl Envelope {
    pub(super) fn new(options: &Options) -> Self {
        let reasoning = Mode::Reasoning { start: 0, thinking: &names::EXPECTED };
        Self {
            mode: if options.reasoning_expected { reasoning } else { Mode::Prose },
            before: Before::Blanks,
            fence: None,
            line_start: true,
            behind_root: false,
            letters: Vec::new(),
            is_analysis: false,
            word_end: u32::MAX,
            prose: None,
            held: Vec::new(),
            bridge: None,
            has_weak: false,
            weak: None,
        }
    }

    /// Whether nothing but blanks, fences, tags and reasoning came so far.
    pub(super) fn is_clean(&self) -> bool {
        self.before < Before::Words
    }

    /// Whether only blanks and tags have come since the line began, or a root ended in it and more are wanted.
    pub(super) fn begins_line(&self) -> bool {
        self.line_start
    }

    /// Whether a code fence is open.
    pub(super) fn in_fence(&self) -> bool {
        self.fence.is_some()
    }

    /// Notes text that lies at `at` in the source.
    pub(super) fn hold_text(&mut self, text: &str, at: u32) {
        match self.held.last_mut() {
            Some((start, Ok(held))) if *start + offset(held.len()) == at => held.push_str(text),
            _ => self.held.push((at, Ok(text.to_owned()))),
        }
    }

    pub(super) fn hold_invalid(&mut self, count: u32, at: u32) {
        self.held.push((at, Err(count)));
    }

    pub(super) fn take_held(&mut self) -> Vec<Held> {
        mem::take(&mut self.held)
    }

    /// A root ended. Where many are wanted, a bare scalar may follow it.
    pub(super) fn root_ended(&mut self, roots: Roots) {
        self.before = Before::Words;
        self.behind_root = true;
        self.line_start = roots == Roots::Many;
    }

    pub(super) fn candidate_failed(&mut self) {
        self.mode = Mode::Prose;
    }
}

impl Machine {
    /// Outside the roots.
    pub(super) fn outside(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let rest = text.as_bytes().get(i..).unwrap_or_default();
        if self.is_unread() {
            self.leave_unread(rest.iter().filter(|byte| !byte.is_ascii_whitespace()).count());
            return Ok(text.len());
        }
        match self.envelope.mode {
            Mode::Prose => self.in_prose(text, i),
            Mode::Marks { mark, count, start } => Ok(self.in_marks(text, i, mark, count, start)),
            Mode::Info(info) => self.in_info(text, i, info),
            Mode::CodeEnd => Ok(self.in_code_end(text, i)),
            Mode::Tag(tag) => self.in_tag(text, i, tag),
            Mode::Head { start, count, head } => Ok(self.in_head(text, i, start, count, head)),
            Mode::Reasoning { start, thinking } => Ok(self.in_reasoning(text, i, start, thinking)),
        }
    }

    /// Whether what comes is behind the answer, and is not read. The quote behind a quoted root is.
    pub(in super::super) fn is_unread(&self) -> bool {
        self.unread.is_some() && self.answer.is_some() && !self.lenient.in_string
    }

    /// So many bytes more are not read.
    pub(in super::super) fn leave_unread(&mut self, count: usize) {
        if let Some(unread) = &mut self.unread {
            *unread = unread.saturating_add(count as u64);
        }
    }

    fn in_prose(&mut self, text: &str, mut i: usize) -> Result<usize, Stop> {
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(i) {
            let at = self.offset(i);
            match byte {
                b'\n' => self.envelope.line_start = true,
                b' ' | b'\t' | b'\r' => {}
                b'[' if bytes.get(i + 1).is_none_or(|next| tag::may_be_square(*next)) => {
                    self.begin_tag(byte, at, None);
                    return Ok(i + 1);
                }
                b'{' | b'[' if self.is_wanted(byte) => {
                    self.end_prose(at);
                    self.begin_root(at, Candidate::Weak);
                    self.envelope.before.raise(Before::Marks);
                    return self.value_at(text, byte, i);
                }
                b'}' | b']' if self.envelope.behind_root && self.envelope.prose.is_none() => {
                    self.skip(SkipKind::Closer, Span::new(at, at + 1));
                }
                b'`' | b'~' => {
                    self.envelope.mode = Mode::Marks { mark: byte, count: 0, start: at };
                    return Ok(i);
                }
                b'<' => {
                    self.begin_tag(byte, at, None);
                    return Ok(i + 1);
                }
                0xEF if self.envelope.line_start && text.get(i..).is_some_and(|rest| rest.starts_with('\u{feff}')) => {
                    self.end_prose(at);
                    self.skip(SkipKind::Bom, Span::new(at, at + 3));
                    i += 2;
                }
                b'"' if self.lenient.in_string && self.envelope.behind_root => {
                    self.end_prose(at);
                    self.quote_around_root(i);
                }
                b'"' if self.may_be_scalar() && !self.lenient.in_string => match self.begins_quoted_root(text, i) {
                    None => {
                        self.envelope_pause(at);
                        return Ok(text.len());
                    }
                    Some(true) => self.quote_around_root(i),
                    Some(false) => return self.begin_scalar(text, i, byte),
                },
                b'-' | b'0'..=b'9' | b't' | b'f' | b'n' if self.may_be_scalar() => {
                    return self.begin_scalar(text, i, byte);
                }
                _ => {
                    self.prose_at(at);
                    if byte.is_ascii_alphanumeric() {
                        self.envelope.word_end = at + 1;
                    }
                }
            }
            i += 1;
        }
        Ok(i)
    }

    /// A bare scalar begins that may be the root.
    fn begin_scalar(&mut self, text: &str, i: usize, byte: u8) -> Result<usize, Stop> {
        let at = self.offset(i);
        self.end_prose(at);
        self.begin_root(at, Candidate::Scalar);
        if at < self.piece_start {
            self.envelope.hold_text(text.get(i..=i).unwrap_or_default(), at);
        }
        self.envelope.before.raise(Before::Marks);
        self.step = Step::Value;
        self.value_at(text, byte, i)
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
        self.options.expect == Expect::Any && (self.envelope.before == Before::Blanks || in_line)
    }
}
