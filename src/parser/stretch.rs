//! Whole members and elements that lie in one piece, read in one go.
//!
//! Most of a large piece is values that RFC 8259 has a way on through, with all of their bytes at hand. They are read
//! here without a note of each step: the state of the machine is what it would be between values, before and behind a
//! stretch. A stretch ends before whatever is not whole, or not plain (an escape, a mistake, a name that came before,
//! the end of the root), and the steps of `grammar` read that.

use crate::document::{MAX_LABEL, NodeKind};

use super::grammar::whole_keyword;
use super::machine::{Candidate, Machine, Step};
use super::string::plain_length;

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
            && self.lenient.gap.is_empty()
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
                    let (at, byte) = next(bytes, i);
                    if byte == b',' {
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
                let (at, byte) = next(bytes, i);
                if byte != b'"' {
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
                let (at, byte) = next(bytes, i);
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
                        let Some((kind, end)) = whole_keyword(text, at) else { break 'stretch expected };
                        (kind, at, 0, end)
                    }
                    b'[' if out.depth() < depth && out.open(NodeKind::Array, offset(at)) => {
                        (in_object, expected, i) = (false, Step::FirstElement, at + 1);
                        out.element();
                        continue;
                    }
                    b'{' if out.depth() < depth => {
                        // Whether it is an object shows with its first key and colon.
                        let (first, quote) = next(bytes, at + 1);
                        if quote != b'"' {
                            break 'stretch expected;
                        }
                        let Some(length) = whole_key(bytes, first) else { break 'stretch expected };
                        if !out.open(NodeKind::Object, offset(at)) {
                            break 'stretch expected;
                        }
                        (in_object, i) = (true, at + 1);
                        // It is the first: there is no room.
                        if !out.key(text, first + 1, length) {
                            break 'stretch Step::FirstKey;
                        }
                        (token, i, expected) = (Some(first), first + length + 3, Step::Value);
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

/// The place of the first byte from `i` on that is no white space of RFC 8259, and the byte: 0 at the end.
#[inline(always)]
fn next(bytes: &[u8], i: usize) -> (usize, u8) {
    let at = |i: usize| bytes.get(i).copied().unwrap_or_default();
    let byte = at(i);
    if byte > b' ' {
        return (i, byte);
    }
    let second = at(i + 1);
    if byte == b' ' && second > b' ' { (i + 1, second) } else { far_next(bytes, i) }
}

#[inline(never)]
fn far_next(bytes: &[u8], i: usize) -> (usize, u8) {
    let blanks =
        bytes.get(i..).unwrap_or_default().iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
    let at = i + blanks.count();
    (at, bytes.get(at).copied().unwrap_or_default())
}

/// Where the comma or closer is that shows that the scalar before `end` has ended there.
#[inline(always)]
fn follower(bytes: &[u8], end: usize, kind: NodeKind, in_object: bool) -> Option<usize> {
    let (at, byte) = next(bytes, end);
    let fits = if byte == b',' {
        // A digit behind the comma would make a number text.
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        !(in_object && kind == NodeKind::Number && bytes.get(at + 1).is_none_or(is_digit))
    } else {
        closes(byte, in_object)
    };
    fits.then_some(at)
}

/// Whether the byte closes the innermost container.
#[inline(always)]
fn closes(byte: u8, in_object: bool) -> bool {
    byte == if in_object { b'}' } else { b']' }
}

/// The length of the string that begins with the quote at `i`, if it has no escapes and ends in this piece.
#[inline(always)]
fn whole_string(bytes: &[u8], i: usize) -> Option<usize> {
    let rest = bytes.get(i + 1..)?;
    let length = plain_length(rest);
    (rest.get(length) == Some(&b'"')).then_some(length)
}

/// The length of the key that begins with the quote at `i`, if it is whole, no longer than a node can say, and a colon
/// follows it directly.
#[inline(always)]
fn whole_key(bytes: &[u8], i: usize) -> Option<usize> {
    let length = whole_string(bytes, i)?;
    (bytes.get(i + length + 2) == Some(&b':') && length <= MAX_LABEL as usize).then_some(length)
}

/// The end of the number that begins at `i`, if a byte behind it shows that it goes no further.
#[inline(always)]
fn whole_number(bytes: &[u8], i: usize) -> Option<usize> {
    let mut at = i;
    let mut byte = *bytes.get(at)?;
    let step = |at: &mut usize| {
        *at += 1;
        bytes.get(*at).copied()
    };
    if byte == b'-' {
        byte = step(&mut at)?;
    }
    if byte == b'0' {
        byte = step(&mut at)?;
    } else {
        if !byte.is_ascii_digit() {
            return None;
        }
        while byte.is_ascii_digit() {
            byte = step(&mut at)?;
        }
    }
    if byte == b'.' {
        let from = at;
        byte = step(&mut at)?;
        while byte.is_ascii_digit() {
            byte = step(&mut at)?;
        }
        if at == from + 1 {
            return None;
        }
    }
    if byte | 0x20 == b'e' {
        byte = step(&mut at)?;
        if matches!(byte, b'+' | b'-') {
            byte = step(&mut at)?;
        }
        let from = at;
        while byte.is_ascii_digit() {
            byte = step(&mut at)?;
        }
        if at == from {
            return None;
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_no_longer_than_a_node_can_say() {
        let longest = MAX_LABEL as usize;
        let mut text = vec![b'a'; longest + 5];
        text[0] = b'"';
        for length in [longest + 1, longest] {
            text[length + 1] = b'"';
            text[length + 2] = b':';
            assert_eq!(whole_key(&text, 0), (length == longest).then_some(length));
        }
    }
}
