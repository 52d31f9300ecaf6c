//! Tokens that lie whole in a piece.
//!
//! What is whole is read in one go, and nothing of it has to be remembered. Whatever is not, here is `None`: it is read
//! by the steps, which can stop at any byte.

use crate::document::{MAX_LABEL, NodeKind};

use super::scalar::keyword_letters;
use super::string::plain_length;

/// The place of the first byte from `i` on that is no white space of RFC 8259, and the byte.
#[inline(always)]
pub(super) fn skip_blanks(bytes: &[u8], i: usize) -> (usize, Option<u8>) {
    let at = |i: usize| bytes.get(i).copied();
    match at(i) {
        Some(byte) if byte > b' ' => (i, Some(byte)),
        Some(b' ') if at(i + 1).is_some_and(|byte| byte > b' ') => (i + 1, at(i + 1)),
        None => (i, None),
        _ => skip_more(bytes, i),
    }
}

#[inline(never)]
fn skip_more(bytes: &[u8], i: usize) -> (usize, Option<u8>) {
    let blanks =
        bytes.get(i..).unwrap_or_default().iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
    let at = i + blanks.count();
    (at, bytes.get(at).copied())
}

/// Whether the byte closes the innermost container, an object or an array.
#[inline(always)]
pub(super) fn closes(byte: Option<u8>, in_object: bool) -> bool {
    byte == Some(if in_object { b'}' } else { b']' })
}

/// Where the comma or closer is that shows, in the lenient dialect as well, that the scalar before `end` has ended
/// there.
#[inline(always)]
pub(super) fn follower(bytes: &[u8], end: usize, kind: NodeKind, in_object: bool) -> Option<usize> {
    let (at, byte) = skip_blanks(bytes, end);
    let fits = if byte == Some(b',') {
        // In an object a digit behind the comma would make a number text.
        let may_be_digit = || bytes.get(at + 1).is_none_or(u8::is_ascii_digit);
        !(in_object && kind == NodeKind::Number && may_be_digit())
    } else {
        closes(byte, in_object)
    };
    fits.then_some(at)
}

/// The length of the string that begins with the quote at `i`, if it has no escapes and ends in this piece.
#[inline(always)]
pub(super) fn whole_string(bytes: &[u8], i: usize) -> Option<usize> {
    let rest = bytes.get(i + 1..)?;
    let length = plain_length(rest);
    (rest.get(length) == Some(&b'"')).then_some(length)
}

/// The length of the key that begins with the quote at `i`, if it is whole, no longer than a node can say, and a colon
/// follows it directly.
#[inline(always)]
pub(super) fn whole_key(bytes: &[u8], i: usize) -> Option<usize> {
    let length = whole_string(bytes, i)?;
    (bytes.get(i + length + 2) == Some(&b':') && length <= MAX_LABEL as usize).then_some(length)
}

/// The end of the number that begins at `i`, if a byte behind it shows that it goes no further.
#[inline(always)]
pub(super) fn whole_number(bytes: &[u8], i: usize) -> Option<usize> {
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

/// The keyword that begins at `i`, if all of it is in this piece, and the place behind it.
#[inline]
pub(super) fn whole_keyword(bytes: &[u8], i: usize) -> Option<(NodeKind, usize)> {
    let rest = bytes.get(i..)?;
    let (kind, letters) = keyword_letters(*rest.first()?);
    rest.starts_with(letters).then_some((kind, i + letters.len()))
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

    #[test]
    fn blanks_end_at_any_other_byte() {
        let all: [(&[u8], usize); 6] = [(b"", 0), (b" ", 1), (b" \0", 1), (b"\0", 0), (b"\n\t\r  ,", 5), (b" \x0b", 1)];
        for (text, at) in all {
            assert_eq!(skip_blanks(text, 0), (at, text.get(at).copied()), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_number_is_whole_with_the_byte_behind_it() {
        for number in ["0", "-0", "12", "-3.25", "1e5", "1E+05", "-0.5e-7"] {
            assert_eq!(whole_number(number.as_bytes(), 0), None, "{number}");
            assert_eq!(whole_number(format!("[{number},").as_bytes(), 1), Some(number.len() + 1), "{number}");
        }
        for other in ["-,", "1.,", "1.e5,", "1e,", "1e+,", ".5,", "+1,"] {
            assert_eq!(whole_number(other.as_bytes(), 0), None, "{other}");
        }
    }
}
