//! Numbers that JSON spells otherwise.

use super::super::number::Number;

/// How long a number in another spelling can be.
pub(super) const LONGEST: usize = 64;

/// Whether this is a number of RFC 8259.
pub(super) fn is_json(text: &str) -> bool {
    let mut bytes = text.bytes();
    let Some(begun) = bytes.next().and_then(Number::begin) else { return false };
    bytes.try_fold(begun, Number::step).is_some_and(Number::is_whole)
}

/// The JSON spelling of a number that is spelled as in another language: with `+` before it, no digit before or behind
/// the point, digits in groups, or hexadecimal. None for all else, also for what JSON has itself.
///
/// `+1` → `1`, `.5` → `0.5`, `1.` → `1.0`, `1_000` → `1000`, `0x1F` → `31`
pub(super) fn spelling(text: &str) -> Option<String> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => ("-", text.get(1..)?),
        b'+' => ("", text.get(1..)?),
        _ => ("", text),
    };
    let plain = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) if hexadecimal.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            u128::from_str_radix(hexadecimal, 16).ok()?.to_string()
        }
        Some(_) => return None,
        None => decimal(digits)?,
    };
    let number = format!("{sign}{plain}");
    (number != text && is_json(&number)).then_some(number)
}

fn decimal(digits: &str) -> Option<String> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.' | b'e' | b'E' | b'+' | b'-')) {
        return None;
    }
    let mut plain = String::with_capacity(digits.len() + 2);
    let mut bytes = digits.bytes().peekable();
    let mut previous = b' ';
    let mut has_point = false;
    while let Some(byte) = bytes.next() {
        let next_is_digit = bytes.peek().is_some_and(u8::is_ascii_digit);
        match byte {
            b'_' if previous.is_ascii_digit() && next_is_digit => continue,
            b'_' => return None,
            b'.' if has_point => return None,
            b'.' => {
                has_point = true;
                if !previous.is_ascii_digit() {
                    plain.push('0');
                }
                if next_is_digit {
                    plain.push('.');
                }
                if !previous.is_ascii_digit() && !next_is_digit {
                    return None;
                }
            }
            _ => plain.push(char::from(byte)),
        }
        previous = byte;
    }
    Some(plain)
}

/// Whether more bytes could make this a number, in JSON's spelling or one with [`spelling`].
pub(super) fn may_be_number(text: &[u8]) -> bool {
    text.len() <= LONGEST && text.iter().try_fold(Loose::Start, |state, byte| state.step(*byte)).is_some()
}

/// Whether this is a number, in JSON's spelling or another.
pub(super) fn is_number(text: &[u8]) -> bool {
    may_be_number(text) && std::str::from_utf8(text).is_ok_and(|text| is_json(text) || spelling(text).is_some())
}

/// What has been read of a number in any spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loose {
    Start,
    Sign,
    Zero,
    Digits,
    /// `_` between digits, before the point or behind it.
    Group,
    FractionGroup,
    /// A point with no digit before it, or one with.
    BarePoint,
    Point,
    Fraction,
    E,
    ExponentSign,
    Exponent,
    Hexadecimal,
}

impl Loose {
    fn step(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Start, b'+' | b'-') => Self::Sign,
            (Self::Start | Self::Sign, b'0') => Self::Zero,
            (Self::Start | Self::Sign, b'.') => Self::BarePoint,
            (Self::Start | Self::Sign | Self::Digits | Self::Group, b'0'..=b'9') => Self::Digits,
            (Self::Zero, b'x' | b'X') => Self::Hexadecimal,
            (Self::Hexadecimal, _) if byte.is_ascii_hexdigit() => Self::Hexadecimal,
            (Self::Digits, b'_') => Self::Group,
            (Self::Zero | Self::Digits, b'.') => Self::Point,
            (Self::BarePoint | Self::Point | Self::Fraction | Self::FractionGroup, b'0'..=b'9') => Self::Fraction,
            (Self::Fraction, b'_') => Self::FractionGroup,
            (Self::Zero | Self::Digits | Self::Point | Self::Fraction, b'e' | b'E') => Self::E,
            (Self::E, b'+' | b'-') => Self::ExponentSign,
            (Self::E | Self::ExponentSign | Self::Exponent, b'0'..=b'9') => Self::Exponent,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{is_number, may_be_number, spelling};

    #[test]
    fn numbers_of_other_languages_get_their_json_spelling() {
        let rows = [
            ("+1", "1"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("1.", "1"),
            ("1_000", "1000"),
            ("0x1F", "31"),
            ("-0xff", "-255"),
            ("+0", "0"),
            ("1.e3", "1e3"),
            ("1_0.0_1", "10.01"),
            ("+1.5e+3", "1.5e+3"),
        ];
        for (text, number) in rows {
            assert_eq!(spelling(text).as_deref(), Some(number), "{text}");
            assert!(is_number(text.as_bytes()), "{text}");
        }
        for text in [
            "", "+", "-", ".", "1", "01", "+01", "1__0", "_1", "1_", "0x", "0xg", "1e", "1,0", "1/2", "e5", "1.2.3",
            "1..5",
        ] {
            assert_eq!(spelling(text), None, "{text}");
        }
    }

    #[test]
    fn what_may_become_a_number_is_held() {
        for text in ["+", "-", ".", "1", "1.", "1_", "0x", "0x1", "1e", "1e+", "12_000."] {
            assert!(may_be_number(text.as_bytes()), "{text}");
        }
        for text in ["a", "1:", "10%", "1.2.", "01", "--", "0xg"] {
            assert!(!may_be_number(text.as_bytes()), "{text}");
        }
    }
}
