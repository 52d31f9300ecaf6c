//! Whole members and elements that lie in one piece, read in one go.
//!
//! Most of a large piece is values that RFC 8259 has a way on through, with all of their bytes at hand. They are read
//! here without a note of each step: the state of the machine is what it would be between values, before and behind a
//! stretch. A stretch ends before whatever is not whole, or not plain (an escape, a mistake, a name that came before,
//! the end of the root), and the steps of `grammar` read that.

use crate::document::NodeKind;

use super::machine::{Candidate, Machine, Step};
use super::whole::{closes, follower, skip_blanks, whole_key, whole_keyword, whole_number, whole_string};

/// A piece that is shorter has little that is whole in it.
const LEAST: usize = 32;

impl Machine {
    /// Reads what is whole from `i` on. Gives the place of the first byte that was not read.
    #[inline]
    pub(super) fn stretch(&mut self, text: &str, i: usize) -> usize {
        let is_plain = self.candidate == Candidate::Shown
            && text.len() >= i + LEAST
            && self.dropping.is_none()
            && self.keyword.is_none()
            && !self.has_odd();
        if is_plain { self.whole_values(text, i) } else { i }
    }

    #[inline(never)]
    fn whole_values(&mut self, text: &str, from: usize) -> usize {
        let Some(mut out) = self.writer.stretch(self.options.limits.nodes) else { return from };
        let mut in_object = out.is_in_object();
        if self.step != Step::After && in_object != (self.step == Step::Key) {
            out.end(false);
            return from;
        }
        let depth = self.options.limits.depth as usize;
        let (mut token, mut comma) = (None, None);
        let (bytes, start) = (text.as_bytes(), self.at);
        let offset = |i: usize| start.wrapping_add(low(i));
        let mut i = from;
        let mut is_behind = self.step == Step::After;
        let step = 'stretch: loop {
            // Behind a value: closers, and a comma.
            if is_behind {
                comma = loop {
                    let (at, byte) = skip_blanks(bytes, i);
                    if byte == Some(b',') {
                        i = at + 1;
                        break Some(at);
                    }
                    if !closes(byte, in_object) || !out.close(offset(at + 1)) {
                        break 'stretch Step::After;
                    }
                    (in_object, i) = (out.is_in_object(), at + 1);
                };
            }
            is_behind = true;

            // A key.
            let mut expected = Step::Value;
            if in_object {
                let (at, byte) = skip_blanks(bytes, i);
                if byte != Some(b'"') {
                    break Step::Key;
                }
                let Some(length) = whole_key(bytes, at) else { break Step::Key };
                if !out.key(text, at + 1, length) {
                    break Step::Key;
                }
                (token, i) = (Some(at), at + length + 3);
            } else {
                out.element();
            }

            // A value, and the first ones in it.
            loop {
                let (at, Some(byte)) = skip_blanks(bytes, i) else { break 'stretch expected };
                let (kind, from, length, end) = match byte {
                    b'"' => {
                        let Some(length) = whole_string(bytes, at) else { break 'stretch expected };
                        (NodeKind::String, at + 1, length, at + length + 2)
                    }
                    b'-' | b'0'..=b'9' => {
                        let Some(end) = whole_number(bytes, at) else { break 'stretch expected };
                        (NodeKind::Number, at, end - at, end)
                    }
                    b't' | b'f' | b'n' => {
                        let Some((kind, end)) = whole_keyword(bytes, at) else { break 'stretch expected };
                        (kind, at, 0, end)
                    }
                    b'[' if out.depth() < depth && out.open_array(offset(at)) => {
                        (in_object, expected, i) = (false, Step::FirstElement, at + 1);
                        out.element();
                        continue;
                    }
                    b'{' if out.depth() < depth => {
                        // Whether it is an object shows with its first key and colon.
                        let (first, Some(b'"')) = skip_blanks(bytes, at + 1) else { break 'stretch expected };
                        let Some(length) = whole_key(bytes, first) else { break 'stretch expected };
                        if !out.open_object(offset(at), text, first + 1, length) {
                            break 'stretch expected;
                        }
                        (in_object, expected) = (true, Step::Value);
                        (token, i) = (Some(first), first + length + 3);
                        continue;
                    }
                    b']' if expected == Step::FirstElement && out.close(offset(at + 1)) => {
                        (in_object, i) = (out.is_in_object(), at + 1);
                        break;
                    }
                    _ => break 'stretch expected,
                };
                // It is final with what follows it.
                let Some(behind) = follower(bytes, end, kind, in_object) else { break 'stretch expected };
                if !out.scalar(kind, (offset(at), offset(end)), text, from, length) {
                    break 'stretch expected;
                }
                (token, i) = (Some(at), behind);
                break;
            }
        };
        out.end(in_object && step == Step::Value);
        self.step = step;
        self.token_start = token.map_or(self.token_start, offset);
        self.comma = comma.map_or(self.comma, offset);
        i
    }
}

/// A place in a piece, which is below 4 GiB.
#[inline(always)]
fn low(i: usize) -> u32 {
    u32::try_from(i & 0xFFFF_FFFF).unwrap_or_default()
}
