//! Code fences.
//!
//! Three or more back-ticks open one, anywhere; three or more tildes where they begin a line. What is behind them in
//! their line is the info string; it is held up to the end of the line, a second run of back-ticks, which makes it
//! code within the prose, or [`HOLD`] bytes, at which marks that do not begin their line were prose. A bracket in it
//! begins a candidate if what follows it can follow it in JSON, and it is no part of an attribute (`title="{x}"`).
//!
//! As many of the same marks close the fence, wherever they stand, and so does any fence right behind a root. Marks
//! that begin a line within a fence of more or other marks are a fence line, too, and change nothing.

use crate::document::{SkipKind, Span};

use super::super::machine::{Machine, Stop, offset};
use super::{Before, Mode};

/// How long an info string is held, in bytes from the first mark on.
const HOLD: u32 = 128;

/// The line of an opening fence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Info {
    start: u32,
    mark: u8,
    count: u32,
    begins_line: bool,
    /// The byte before.
    last: u8,
    /// A bracket, where it is, and where the line ended that it was in; only blanks have come since.
    bracket: Option<(u8, u32, Option<u32>)>,
}

impl Info {
    /// How far it can be shown if the piece ends at `end`.
    pub(super) fn shown(&self, end: u32) -> Option<Span> {
        let end = self.bracket.map_or(end, |(_, at, _)| at);
        (self.begins_line && end - self.start > HOLD).then(|| Span::new(self.start, end))
    }

    pub(super) fn start(&self) -> u32 {
        self.start
    }
}

impl Machine {
    /// In a run of marks.
    pub(super) fn in_marks(&mut self, text: &str, i: usize, mark: u8, count: u32, start: u32) -> usize {
        let rest = text.as_bytes().get(i..).unwrap_or_default();
        let more = rest.iter().take_while(|byte| **byte == mark).count();
        let count = count.saturating_add(offset(more));
        self.envelope.mode = Mode::Marks { mark, count, start };
        let i = i + more;
        let Some(&next) = rest.get(more) else { return i };
        self.marks_ended(mark, count, start, self.offset(i), Some(next));
        // A tag in back-ticks is talked about.
        if mark == b'`' && count < 3 && next == b'<' { i + 1 } else { i }
    }

    /// A run of `count` marks from `start` to `end` is whole; `next` is behind it.
    pub(super) fn marks_ended(&mut self, mark: u8, count: u32, start: u32, end: u32, next: Option<u8>) {
        let envelope = &mut self.envelope;
        envelope.mode = Mode::Prose;
        let begins_line = envelope.line_start;
        let is_named = next.is_some_and(|byte| byte.is_ascii_alphanumeric());
        let closes = match envelope.fence {
            Some((open, length)) => open == mark && count >= length,
            None => envelope.behind_root && !is_named,
        };
        let info = Info { start, mark, count, begins_line, last: mark, bracket: None };
        if count < 3 {
            self.prose_at(start);
        } else if closes {
            self.end_prose(start);
            self.skip(SkipKind::Fence, Span::new(start, end));
            self.envelope.fence = None;
            self.envelope.line_start = false;
            self.envelope.before.raise(Before::Marks);
            if begins_line && is_named {
                // No closing fence has a name: it opens the next one, and the one before was left open.
                self.envelope.mode = Mode::Info(Info { start: end, ..info });
            }
        } else if begins_line || (envelope.fence.is_none() && mark == b'`') {
            envelope.mode = Mode::Info(info);
        } else {
            self.prose_at(start);
        }
    }

    /// Behind the marks of an opening fence, in the same line.
    pub(super) fn in_info(&mut self, text: &str, mut i: usize, mut info: Info) -> Result<usize, Stop> {
        while let Some(&byte) = text.as_bytes().get(i) {
            let at = self.offset(i);
            if let Some((opener, begin, line_end)) = info.bracket {
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' => {
                        let line_end = line_end.or((byte == b'\n').then_some(at + 1));
                        info.bracket = Some((opener, begin, line_end));
                        i += 1;
                        continue;
                    }
                    _ if may_follow(opener, byte) => {
                        self.fence_line(info, begin);
                        self.begin_held(&[opener], begin)?;
                        return Ok(i);
                    }
                    _ => info.bracket = None,
                }
                if let Some(end) = line_end {
                    self.fence_line(info, end);
                    return Ok(i);
                }
            }
            match byte {
                b'\n' => {
                    self.fence_line(info, at + 1);
                    return Ok(i + 1);
                }
                b'`' if info.mark == b'`' && at - info.start <= HOLD => {
                    self.prose_at(info.start);
                    self.envelope.mode = Mode::CodeEnd;
                    return Ok(i);
                }
                b'{' | b'[' if self.is_wanted(byte) && !matches!(info.last, b'"' | b'\'' | b'=') => {
                    info.bracket = Some((byte, at, None));
                }
                _ if !info.begins_line && at - info.start > HOLD => {
                    self.prose_at(info.start);
                    self.envelope.mode = Mode::Prose;
                    return Ok(i);
                }
                _ => {}
            }
            info.last = byte;
            i += 1;
        }
        self.envelope.mode = Mode::Info(info);
        Ok(i)
    }

    /// In the back-ticks at the end of code within the prose.
    pub(super) fn in_code_end(&mut self, text: &str, i: usize) -> usize {
        let rest = text.as_bytes().get(i..).unwrap_or_default();
        let more = rest.iter().take_while(|byte| **byte == b'`').count();
        if more < rest.len() {
            self.envelope.mode = Mode::Prose;
        }
        i + more
    }

    /// Bytes that are no UTF-8 are part of the info string.
    pub(super) fn invalid_in_info(&mut self, mut info: Info) {
        info.last = 0;
        let line_end = info.bracket.take().and_then(|(_, _, line_end)| line_end);
        match line_end {
            Some(end) => self.fence_line(info, end),
            None => self.envelope.mode = Mode::Info(info),
        }
    }

    /// The text ends in an info string.
    pub(super) fn info_ended(&mut self, info: Info, end: u32) {
        match info.bracket {
            Some((opener, begin, _)) => {
                self.fence_line(info, begin);
                // What goes wrong is kept in the machine.
                let _ = self.begin_held(&[opener], begin);
            }
            None => self.fence_line(info, end),
        }
    }

    /// The line of an opening fence goes up to `end`: behind its newline, or where a root begins in it.
    fn fence_line(&mut self, info: Info, end: u32) {
        self.end_prose(info.start);
        self.skip(SkipKind::Fence, Span::new(info.start, end));
        let envelope = &mut self.envelope;
        envelope.mode = Mode::Prose;
        envelope.fence.get_or_insert((info.mark, info.count));
        envelope.before.raise(Before::Marks);
        envelope.line_start = true;
    }
}

/// Whether `byte` shows that the bracket before it is JSON, and no part of an info string such as `js {1,3}`.
fn may_follow(opener: u8, byte: u8) -> bool {
    match byte {
        b'"' | b'\'' => true,
        b'}' | b'/' => opener == b'{',
        b'{' | b'[' | b']' | b'-' | b'0'..=b'9' => opener == b'[',
        _ => false,
    }
}
