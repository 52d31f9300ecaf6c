//! JSON as a sequence of what counts when two spellings of it are compared: structure, and the characters of keys and
//! scalars. White space between tokens, the kind of quotes, the width of signs, and how a character is escaped do not
//! count.

use crate::document::NodeKind;

use super::super::lenient::narrow;

/// A character of a token, or a sign between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit(u32);

/// Set for signs of structure that stand in a string.
const IN_STRING: u32 = 1 << 31;

impl Unit {
    /// A quote that begins or ends a string.
    pub(super) const QUOTE: Self = Self('"' as u32);

    fn new(character: u32, in_string: bool) -> Self {
        let is_sign = u8::try_from(character).is_ok_and(|byte| b"{}[],:\"".contains(&byte));
        Self(character | if in_string && is_sign { IN_STRING } else { 0 })
    }

    /// Whether it is this character of a key or scalar, or this sign of structure.
    pub(super) fn is(self, character: char) -> bool {
        self.0 & !IN_STRING == u32::from(character)
    }

    /// The character.
    pub(super) fn character(self) -> char {
        char::from_u32(self.0 & !IN_STRING).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn is_blank(self) -> bool {
        self.character().is_whitespace()
    }

    /// Whether it is part of a word or a number.
    pub(super) fn is_word(self) -> bool {
        self.character().is_alphanumeric()
    }
}

/// What comes next in some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// A unit, and where what follows it begins.
    Unit(Unit, usize),
    /// The bytes end before that.
    End,
}

/// Reads units. It can stop and go on at any byte.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lexer {
    /// The quote of the string that it is in.
    quote: Option<u8>,
}

impl Lexer {
    /// Inside a string that this quote closes.
    pub(super) fn in_string(quote: u8) -> Self {
        Self { quote: Some(quote) }
    }

    /// Inside a string between these quotes.
    pub(super) fn in_quotes(quote: u8) -> Self {
        Self { quote: Some(quote) }
    }

    /// The quote of the string that it is in.
    pub(super) fn quote(self) -> Option<u8> {
        self.quote
    }

    pub(super) fn is_in_string(self) -> bool {
        self.quote.is_some()
    }

    /// The unit at or behind `at`.
    pub(super) fn next(&mut self, bytes: &[u8], mut at: usize) -> Next {
        loop {
            let Some(&byte) = bytes.get(at) else { return Next::End };
            match self.quote {
                None if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                None if matches!(byte, b'"' | b'\'') => {
                    self.quote = Some(byte);
                    return Next::Unit(Unit::QUOTE, at + 1);
                }
                Some(quote) if byte == quote => {
                    self.quote = None;
                    return Next::Unit(Unit::QUOTE, at + 1);
                }
                Some(_) if byte == b'\\' => return escape(bytes, at),
                _ => return character(bytes, at, self.quote.is_some()),
            }
        }
    }
}

fn character(bytes: &[u8], at: usize, in_string: bool) -> Next {
    if let Some(byte) = bytes.get(at).filter(|byte| byte.is_ascii()) {
        return Next::Unit(Unit::new(u32::from(*byte), in_string), at + 1);
    }
    let head = bytes.get(at..bytes.len().min(at + 4)).unwrap_or_default();
    let Some(chunk) = head.utf8_chunks().next() else { return Next::End };
    match chunk.valid().chars().next() {
        Some(character) => {
            let sign = narrow(character).filter(|_| !in_string);
            let unit = Unit::new(sign.map_or(u32::from(character), u32::from), in_string);
            Next::Unit(unit, at + character.len_utf8())
        }
        None if std::str::from_utf8(head).is_err_and(|error| error.error_len().is_none()) => Next::End,
        None => Next::Unit(Unit::new(u32::from(char::REPLACEMENT_CHARACTER), in_string), at + chunk.invalid().len()),
    }
}

fn escape(bytes: &[u8], at: usize) -> Next {
    let Some(&second) = bytes.get(at + 1) else { return Next::End };
    if second != b'u' {
        let character = super::super::short_escape(second).map_or(u32::from(second), u32::from);
        return Next::Unit(Unit::new(character, true), at + 2);
    }
    let unit = |at: usize| {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
    };
    if bytes.len() < at + 6 {
        return Next::End;
    }
    match unit(at) {
        Some(high) if (0xD800..0xDC00).contains(&high) && bytes.len() < at + 12 => Next::End,
        Some(high) if (0xD800..0xDC00).contains(&high) => match unit(at + 6) {
            Some(low) if (0xDC00..0xE000).contains(&low) => {
                Next::Unit(Unit::new(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00), true), at + 12)
            }
            _ => Next::Unit(Unit::new(high, true), at + 6),
        },
        Some(character) => Next::Unit(Unit::new(character, true), at + 6),
        None => Next::Unit(Unit::new(u32::from(b'\\'), true), at + 1),
    }
}

/// The container that begins there.
pub(super) fn kind_at(round: &[u8], at: usize) -> Option<NodeKind> {
    match round.get(at)? {
        b'{' => Some(NodeKind::Object),
        b'[' => Some(NodeKind::Array),
        _ => None,
    }
}

/// Where the container ends that begins there.
pub(super) fn end_of_container(round: &[u8], at: usize) -> Option<usize> {
    end_of_open(round, at, Lexer::default(), 0)
}

/// Where the outermost of so many containers ends that are open there.
pub(super) fn end_of_open(round: &[u8], mut at: usize, mut lexer: Lexer, mut open: usize) -> Option<usize> {
    while let Next::Unit(unit, next) = lexer.next(round, at) {
        at = next;
        if lexer.is_in_string() {
            continue;
        }
        if unit.is('{') || unit.is('[') {
            open += 1;
        } else if unit.is('}') || unit.is(']') {
            open = open.saturating_sub(1);
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}

/// Where a comma ends that stands there.
pub(super) fn behind_comma(text: &[u8], at: usize) -> Option<usize> {
    match Lexer::default().next(text, at) {
        Next::Unit(unit, next) if unit.is(',') && blanks(text, at) == 0 => Some(next),
        _ => None,
    }
}

/// How many blanks are there.
pub(super) fn blanks(round: &[u8], at: usize) -> usize {
    round.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Counts tokens: words, numbers, and signs one by one, but quotes and blanks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tokens {
    pub(super) count: usize,
    in_word: bool,
}

impl Tokens {
    pub(super) fn add(&mut self, unit: Unit) {
        let is_word = unit.is_word();
        self.count += usize::from(unit != Unit::QUOTE && !unit.is_blank() && !(is_word && self.in_word));
        self.in_word = is_word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<Unit> {
        let (mut lexer, mut at, mut units) = (Lexer::default(), 0, Vec::new());
        while let Next::Unit(unit, next) = lexer.next(text.as_bytes(), at) {
            units.push(unit);
            at = next;
        }
        units
    }

    #[test]
    fn spellings_of_the_same_are_equal() {
        for (one, other) in [
            ("{\"a\": [1, 2]}", " {\n\t\"a\" :[1,2 ]\r\n}"),
            ("\"é\"", "\"\\u00e9\""),
            ("\"é\"", "\"\\u00E9\""),
            ("\"😀\"", "\"\\ud83d\\ude00\""),
            ("\"a/b\"", "\"a\\/b\""),
            ("\"a\tb\"", "\"a\\tb\""),
            ("\"a\nb\"", "\"a\\u000ab\""),
            ("{\"a\": 'b'}", "{'a': \"b\"}"),
            ("\"it's\"", "'it\\'s'"),
            ("'say \"x\"'", "\"say \\\"x\\\"\""),
            ("｛\"a\"：1，\"b\"： 2｝", "{\"a\": 1, \"b\": 2}"),
        ] {
            assert_eq!(units(one), units(other), "{one} and {other}");
        }
    }

    #[test]
    fn what_differs_is_not_equal() {
        for (one, other) in [
            ("\"a b\"", "\"ab\""),
            ("\"{\"", "{"),
            ("\"，\"", "\",\""),
            ("\"a\", \"b\"", "\"a, b\""),
            ("\"\\\"\"", "\"\""),
            ("1", "1.0"),
            ("\"\\u00e9\"", "\"\\u00e8\""),
            ("\"\\ud83d\"", "\"\\ud83d\\ude00\""),
        ] {
            assert_ne!(units(one), units(other), "{one} and {other}");
        }
    }

    #[test]
    fn half_a_unit_is_none() {
        for half in ["\"\\", "\"\\u", "\"\\u00e", "\"\\ud83d", "\"\\ud83d\\", "\"\\ud83d\\ude0"] {
            assert_eq!(units(half), [Unit::QUOTE], "{half}");
        }
        let mut lexer = Lexer::in_string(b'"');
        assert_eq!(lexer.next("é".as_bytes().get(..1).unwrap_or_default(), 0), Next::End);
    }

    #[test]
    fn where_containers_end() {
        for (text, end) in
            [("{}", Some(2)), ("[[\"]\"], {\"a}\": '}'}] ]", Some(20)), ("[1", None), ("[{]", None), ("", None)]
        {
            assert_eq!(end_of_container(text.as_bytes(), 0), end, "{text}");
        }
    }

    #[test]
    fn words_and_signs_are_tokens() {
        for (text, count) in [("", 0), ("{\"a\": [12, true]}", 9), ("\"\"", 0), ("'a'", 1), ("-1.5", 4)] {
            let mut tokens = Tokens::default();
            for unit in units(text) {
                tokens.add(unit);
            }
            assert_eq!(tokens.count, count, "{text}");
        }
    }
}
