//! How Python's `json.dumps` spells characters and numbers.

use std::fmt::Write;

/// A character in a string, escaped unless it is in ASCII.
pub(super) fn push_character(text: &mut String, character: char) {
    match character {
        '"' => text.push_str("\\\""),
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        '\u{8}' => text.push_str("\\b"),
        '\u{c}' => text.push_str("\\f"),
        ' '..='~' => text.push(character),
        _ => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| push_unit(text, *unit)),
    }
}

/// A unit of UTF-16 as an escape.
pub(super) fn push_unit(text: &mut String, unit: u16) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\\u{unit:04x}");
}

/// A number or keyword of JSON, as Python prints what it made of it.
pub(super) fn push_number(text: &mut String, plain: &str) {
    let is_number = plain.bytes().any(|byte| byte.is_ascii_digit());
    let is_float = plain.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    match (is_number, is_float) {
        // An integer has no zero below it.
        (true, false) => text.push_str(if plain == "-0" { "0" } else { plain }),
        (true, true) => push_float(text, plain.parse().unwrap_or(f64::NAN)),
        (false, _) => text.push_str(plain),
    }
}

/// As `float.__repr__`: the shortest digits that give the same number back, with an exponent below -4 and from 16 on.
fn push_float(text: &mut String, number: f64) {
    if number.is_infinite() {
        return text.push_str(if number > 0.0 { "Infinity" } else { "-Infinity" });
    }
    let shortest = shortest(number);
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or_default();
    text.push_str(sign);
    let _ = match usize::try_from(exponent) {
        Ok(exponent) if exponent < 16 => {
            let (whole, fraction) = digits.split_at_checked(exponent + 1).unwrap_or((&digits, ""));
            let fraction = if fraction.is_empty() { "0" } else { fraction };
            write!(text, "{whole:0<width$}.{fraction}", width = exponent + 1)
        }
        Err(_) if exponent >= -4 => {
            let zeros = usize::try_from(-exponent - 1).unwrap_or_default();
            write!(text, "0.{:0<zeros$}{digits}", "")
        }
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            write!(text, "{mantissa}e{sign}{:02}", exponent.unsigned_abs())
        }
    };
}

/// The fewest digits that give the same number back, and of those the nearest; of two as near, the even ones, where
/// Rust takes the larger.
fn shortest(number: f64) -> String {
    let shortest = format!("{number:e}");
    let digits = shortest.split('e').next().unwrap_or_default().bytes().filter(u8::is_ascii_digit).count();
    let even = format!("{number:.*e}", digits.saturating_sub(1));
    // The digits may be nearer and yet those of another number where the steps between numbers change.
    if even.parse() == Ok(number) { even } else { shortest }
}

/// What was escaped only because it is not in ASCII, as it is.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let unit = |text: &str| text.strip_prefix("\\u")?.get(..4).and_then(|hex| u16::from_str_radix(hex, 16).ok());
        let length = match unit(escape) {
            // Control characters keep theirs.
            Some(first) if first > 0x7e => {
                let second = escape.get(6..).and_then(unit);
                let pair = char::decode_utf16([first].into_iter().chain(second)).next();
                if let Some(Ok(character)) = pair {
                    out.push(character);
                    6 * character.len_utf16()
                } else {
                    out.push_str(escape.get(..6).unwrap_or_default());
                    6
                }
            }
            _ => {
                out.push_str(escape.get(..2).unwrap_or_default());
                2
            }
        };
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}
