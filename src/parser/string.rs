//! Strings and keys.

use crate::document::{Full, Member, NodeKind, Span};

use super::error::ErrorKind;
use super::lenient::{HELD_STRING, may_be_tail};
use super::machine::{Machine, Step, Stop};
use super::options::Duplicates;
use super::report::{RepairKind, WarningKind};

/// What is held of an escape.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Escape {
    state: State,
    /// Where its backslash is.
    start: u32,
    /// A high surrogate that waits for the low one, and where its backslash is.
    high: Option<(u16, u32)>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    None,
    /// After the backslash.
    Backslash,
    /// After `\u` and so many hexadecimal digits.
    Hex { digits: [u8; 4], count: u8 },
}

impl Escape {
    /// Whether the backslash, or the digits behind it, wait for more.
    pub(super) fn is_unfinished(self) -> bool {
        self.state != State::None
    }

    /// Where what is held begins.
    pub(super) fn start(self) -> Option<u32> {
        match self.high {
            Some((_, start)) => Some(start),
            None => self.is_unfinished().then_some(self.start),
        }
    }

    /// Whether anything is held.
    #[inline(always)]
    pub(super) fn is_pending(self) -> bool {
        self.state != State::None || self.high.is_some()
    }
}

impl Machine {
    /// Whether all of `text`, in a string, stands for itself.
    #[inline(always)]
    pub(super) fn is_plain(&self, text: &str) -> bool {
        !self.escape.is_pending() && plain_length(text.as_bytes()) == text.len()
    }

    /// Inside a string or key.
    #[inline]
    pub(super) fn string<const KEY: bool>(&mut self, text: &str, mut i: usize) -> Result<usize, Stop> {
        let bytes = text.as_bytes();
        let begun = i;
        while i < bytes.len() {
            if self.escape.state != State::None {
                i = self.escaped(text, i)?;
                continue;
            }
            let plain = i + plain_length(bytes.get(i..).unwrap_or_default());
            if plain > i {
                if self.escape.high.is_some() {
                    self.release_high()?;
                }
                self.push_text(text.get(i..plain).unwrap_or_default())?;
            }
            i = plain;
            match bytes.get(i) {
                None => {}
                Some(b'"') => {
                    if self.escape.high.is_some() {
                        self.release_high()?;
                    }
                    if KEY {
                        return Ok(self.key_ended(i));
                    }
                    self.note_tail(bytes.get(begun..i).unwrap_or_default());
                    return self.string_ended(i);
                }
                Some(b'\\') => {
                    if let Some(character) = bytes.get(i + 1).and_then(|byte| short_escape(*byte))
                        && self.escape.high.is_none()
                    {
                        // Whole in this piece, as most are: nothing to remember.
                        self.push_char(character)?;
                        self.lenient.escaped_quote = character == '"';
                        i += 2;
                        continue;
                    }
                    self.begin_escape(i);
                    i += 1;
                }
                Some(_) => i = self.control_character(text, i)?,
            }
        }
        if !KEY {
            self.note_tail(bytes.get(begun..).unwrap_or_default());
        }
        Ok(i)
    }

    /// Hides what may be structure at the end of the string, of which `read` was read last.
    #[inline(always)]
    pub(super) fn note_tail(&mut self, read: &[u8]) {
        match read {
            // A word and a blank: most chunks that end with one.
            [.., word, b' '] if !may_be_tail(*word) => self.show_tail(),
            [.., last] if may_be_tail(*last) => self.hide_tail(),
            [.., _] => self.show_tail(),
            [] => {}
        }
    }

    #[inline]
    pub(super) fn begin_escape(&mut self, i: usize) {
        self.escape.state = State::Backslash;
        self.escape.start = self.offset(i);
    }

    #[inline(always)]
    pub(super) fn push_text(&mut self, text: &str) -> Result<(), Stop> {
        if self.writer.push_text(text).is_err() {
            return self.fail(ErrorKind::NodeLimit, self.token_start, "less text");
        }
        Ok(())
    }

    /// Appends a character that the source spells otherwise.
    pub(super) fn push_char(&mut self, character: char) -> Result<(), Stop> {
        self.push_text(character.encode_utf8(&mut [0; 4]))?;
        self.lenient.raw_from = self.writer.text_length();
        self.lenient.escaped_quote = false;
        Ok(())
    }

    #[cold]
    pub(super) fn control_character(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let at = self.offset(i);
        if !self.options.is_lenient() {
            return self.fail(ErrorKind::ControlCharacter, at, "an escape for it");
        }
        if self.escape.high.is_some() {
            self.release_high()?;
        }
        self.push_text(text.get(i..=i).unwrap_or_default())?;
        self.repairs.add(RepairKind::ControlCharacter, Span::new(at, at + 1));
        Ok(i + 1)
    }

    // ----- escapes -----

    /// The bytes behind a backslash. Gives the place of the next byte to read.
    pub(super) fn escaped(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let Some(&byte) = text.as_bytes().get(i) else { return Ok(i) };
        match self.escape.state {
            State::Backslash => {
                if byte == b'u' {
                    self.escape.state = State::Hex { digits: [0; 4], count: 0 };
                    return Ok(i + 1);
                }
                let Some(character) = short_escape(byte) else { return self.no_escape(byte, i) };
                self.escape.state = State::None;
                self.release_high()?;
                self.push_char(character)?;
                self.lenient.escaped_quote = character == '"';
                Ok(i + 1)
            }
            State::Hex { mut digits, count } => {
                if !byte.is_ascii_hexdigit() {
                    return self.no_hex(i);
                }
                if let Some(place) = digits.get_mut(usize::from(count)) {
                    *place = byte;
                }
                self.escape.state = State::Hex { digits, count: count + 1 };
                if count == 3 {
                    self.escape.state = State::None;
                    self.code_unit(digits)?;
                }
                Ok(i + 1)
            }
            State::None => Ok(i),
        }
    }

    /// A whole `\uXXXX`.
    fn code_unit(&mut self, digits: [u8; 4]) -> Result<(), Stop> {
        let unit = digits.iter().fold(0, |unit, digit| {
            unit << 4 | u16::try_from(char::from(*digit).to_digit(16).unwrap_or_default()).unwrap_or_default()
        });
        let start = self.escape.start;
        match (unit, self.escape.high) {
            (0xDC00..=0xDFFF, Some((high, _))) => {
                self.escape.high = None;
                let pair = 0x10000 + ((u32::from(high) - 0xD800) << 10) + (u32::from(unit) - 0xDC00);
                self.push_char(char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            (0xDC00..=0xDFFF, None) => self.lone_surrogate(start),
            (0xD800..=0xDBFF, _) => {
                self.release_high()?;
                self.escape.high = Some((unit, start));
                Ok(())
            }
            _ => {
                self.release_high()?;
                self.push_char(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
        }
    }

    /// A high surrogate was held, and no low one came.
    pub(super) fn release_high(&mut self) -> Result<(), Stop> {
        match self.escape.high.take() {
            Some((_, start)) => self.lone_surrogate(start),
            None => Ok(()),
        }
    }

    #[cold]
    fn lone_surrogate(&mut self, start: u32) -> Result<(), Stop> {
        self.warnings.add(WarningKind::LoneSurrogate, Span::new(start, start + 6));
        self.push_char(char::REPLACEMENT_CHARACTER)
    }

    /// A backslash before `byte`, which makes no escape with it: the backslash is text.
    #[cold]
    fn no_escape(&mut self, byte: u8, i: usize) -> Result<usize, Stop> {
        let start = self.escape.start;
        if !self.options.is_lenient() {
            return self.fail(ErrorKind::InvalidEscape, self.offset(i), "one of \" \\ / b f n r t u");
        }
        self.escape.state = State::None;
        self.release_high()?;
        let drops_backslash = matches!(byte, b'\'' | b'\n' | b'\r') || (byte == b'`' && self.is_in_ticks());
        if !drops_backslash {
            self.push_text("\\")?;
        }
        self.lenient.raw_from = self.writer.text_length();
        self.lenient.escaped_quote = false;
        self.repairs.add(RepairKind::InvalidEscape, Span::new(start, start + 1));
        Ok(i)
    }

    /// A `\u` with fewer than four digits: all of it is text.
    #[cold]
    fn no_hex(&mut self, i: usize) -> Result<usize, Stop> {
        if !self.options.is_lenient() {
            return self.fail(ErrorKind::InvalidEscape, self.offset(i), "a hexadecimal digit");
        }
        self.release_escape()?;
        Ok(i)
    }

    /// What is held of an escape is no part of the string. What is before it is text still, and has been shown.
    pub(super) fn forget_escape(&mut self) {
        if self.escape.is_pending() {
            self.escape = Escape::default();
            self.lenient.raw_from = self.writer.text_length();
            self.lenient.escaped_quote = false;
        }
    }

    /// What is held of an escape is text: it was none, or is not whole.
    pub(super) fn release_escape(&mut self) -> Result<(), Stop> {
        self.release_high()?;
        let start = self.escape.start;
        let (digits, count) = match self.escape.state {
            State::None => return Ok(()),
            State::Backslash => ([0; 4], None),
            State::Hex { digits, count } => (digits, Some(count)),
        };
        self.escape.state = State::None;
        self.push_text("\\")?;
        let mut length = 1;
        if let Some(count) = count {
            self.push_text("u")?;
            for digit in digits.iter().take(usize::from(count)) {
                self.push_char(char::from(*digit))?;
            }
            length = 2 + u32::from(count);
        }
        self.repairs.add(RepairKind::InvalidEscape, Span::new(start, start + length));
        Ok(())
    }

    // ----- ends -----

    /// A quote in a key at `i`, which closes it if what follows fits.
    #[inline]
    fn key_ended(&mut self, i: usize) -> usize {
        self.lenient.key_end = self.offset(i + 1);
        self.lenient.gap.clear();
        self.step = if self.step == Step::HeldString { Step::AfterHeldString } else { Step::Colon };
        i + 1
    }

    /// The key that was read is one.
    pub(super) fn name_key(&mut self) -> Result<(), Stop> {
        let member = self.writer.end_key();
        self.key_named(member, self.lenient.key_end)
    }

    /// A key whose closing quote is before `end` is, or is not, the first of its name.
    #[inline]
    pub(super) fn key_named(&mut self, member: Result<Member, Full>, end: u32) -> Result<(), Stop> {
        match member {
            Ok(Member::New) => Ok(()),
            _ => self.key_again(member, end),
        }
    }

    #[cold]
    fn key_again(&mut self, member: Result<Member, Full>, end: u32) -> Result<(), Stop> {
        match member {
            Ok(Member::New) => {}
            Ok(Member::Again(first)) => {
                let span = Span::new(self.token_start, end);
                match self.options.duplicates {
                    Duplicates::First => {
                        self.writer.discard_next(first);
                        self.dropping = Some(span.start);
                    }
                    Duplicates::Last => self.writer.replace_next(first),
                    Duplicates::Error => {
                        return self.refuse(ErrorKind::DuplicateKey, span.start, "a key that the object does not have");
                    }
                }
                self.warnings.add(WarningKind::DuplicateKey, span);
            }
            Err(_) => return self.fail(ErrorKind::NodeLimit, self.token_start, "a shorter key"),
        }
        Ok(())
    }

    /// The closing quote of a string at `i`.
    #[inline]
    fn string_ended(&mut self, i: usize) -> Result<usize, Stop> {
        let end = self.offset(i + 1);
        if self.options.is_lenient() {
            self.leaf_end = end;
            self.lenient.gap.clear();
            self.step = if self.lenient.inner == 0 { Step::After } else { Step::AfterPatient };
        } else {
            self.writer.end_leaf(end);
            self.value_ended(end)?;
        }
        Ok(i + 1)
    }

    /// In a string element that is held, for it may be a key.
    pub(super) fn held_string(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let next = self.string::<true>(text, i)?;
        let is_long = !self.may_be_held_string(self.offset(next));
        match self.step {
            Step::HeldString if is_long => {
                self.show_held_string()?;
                self.step = Step::String;
                self.hide_tail();
            }
            Step::AfterHeldString if is_long => {
                self.show_held_string()?;
                self.leaf_end = self.lenient.key_end;
                self.hide_tail();
                self.step = Step::After;
            }
            _ => {}
        }
        Ok(next)
    }

    /// Whether a string element that ends there is short enough to be held.
    pub(super) fn may_be_held_string(&self, end: u32) -> bool {
        // What a seam supplied has no place of its own: it may seem to lie before the string.
        self.read_between(self.token_start, end) <= HELD_STRING
    }

    /// The scalar whose text is being read, or was, begins at `at`.
    pub(super) fn begin_string_leaf(&mut self, at: u32) -> Result<(), Stop> {
        if self.writer.begin_leaf(NodeKind::String, at, self.options.limits.nodes).is_err() {
            return self.too_many_nodes(at);
        }
        Ok(())
    }

    /// Writes `true`, `false` or `null`.
    pub(super) fn write_keyword(&mut self, kind: NodeKind, start: u32, end: u32) -> Result<(), Stop> {
        if self.writer.keyword(kind, start, end, self.options.limits.nodes).is_err() {
            return self.too_many_nodes(start);
        }
        Ok(())
    }
}

/// The character that a backslash and this byte stand for.
#[inline]
pub(crate) fn short_escape(byte: u8) -> Option<char> {
    Some(match byte {
        b'"' | b'\\' | b'/' => char::from(byte),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    })
}

/// How many bytes stand for themselves: up to the first quote, backslash or control character.
#[inline(always)]
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    if bytes.len() < 8 { short_plain_length(bytes) } else { word_plain_length(bytes) }
}

/// The same for a few bytes, for which a table is the cheapest.
#[inline(always)]
fn short_plain_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = bytes.get(length)
        && PLAIN.get(usize::from(byte)) == Some(&true)
    {
        length += 1;
    }
    length
}

/// The same by words.
fn word_plain_length(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    let mut at = 0;
    while let Some((word, more)) = rest.split_first_chunk::<8>() {
        let hits = special(u64::from_le_bytes(*word));
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
        rest = more;
        if at == 32 {
            at += long_plain_length(rest);
            rest = bytes.get(at..).unwrap_or_default();
        }
    }
    at + short_plain_length(rest)
}

/// Which bytes stand for themselves.
#[expect(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "below 256, and seen by the compiler")]
static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = is_plain(byte as u8);
        byte += 1;
    }
    plain
};

/// Marks the bytes of a word that are a quote, a backslash or a control character. The lowest mark is exact: those
/// above it may be wrong, for the subtractions borrow upwards.
#[inline(always)]
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let quote = zero(word ^ (ONES * 0x22));
    let backslash = zero(word ^ (ONES * 0x5C));
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (quote | backslash | control) & HIGHS
}

/// The same for long strings, in blocks that the compiler turns into vector instructions. Stops at a whole block.
fn long_plain_length(bytes: &[u8]) -> usize {
    let blocks = bytes.chunks_exact(32);
    let plain = blocks.take_while(|block| block.iter().fold(true, |plain, byte| plain & is_plain(*byte)));
    plain.count() * 32
}

#[expect(clippy::needless_bitwise_bool, reason = "without branches a block of bytes becomes vector instructions")]
#[inline(always)]
const fn is_plain(byte: u8) -> bool {
    (byte >= 0x20) & (byte != b'"') & (byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_ends_at_the_first_special_byte() {
        let plain: Vec<u8> = (0..200_u8).map(|n| 0x23 + n % 57).collect();
        for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
            for at in 0..150 {
                for length in [at + 1, at + 9, 200] {
                    let mut bytes = plain.clone();
                    bytes[at] = special;
                    assert_eq!(plain_length(&bytes[..length.min(200)]), at, "{special} at {at} of {length}");
                }
            }
        }
        for length in 0..150 {
            assert_eq!(plain_length(&plain[..length]), length);
        }
        assert_eq!(plain_length("é漢🎉\u{7f} ".as_bytes()), "é漢🎉\u{7f} ".len());
    }
}
