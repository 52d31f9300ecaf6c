//! The rest of a document as the standard has it, where a model writes other signs for the same.

use super::super::lenient::keyword;
use super::units::{Lexer, Next, Unit, blanks};

/// A text in the spelling of the standard: its signs, double quotes, keywords and keys in quotes, and neither remarks nor
/// commas before closers. What has no such spelling stays as it is, and so do quotes, and keys without, if they are those
/// of another text (`is_plain`). With `may_begin` a value or key may begin at once; the lexer is in what the text begins
/// in.
///
/// A word that may go on is left out where it may still become a keyword or a key.
pub(super) fn in_standard(text: &[u8], mut lexer: Lexer, may_begin: bool, is_plain: bool) -> Vec<u8> {
    let mut spelled = Vec::with_capacity(text.len());
    // The last sign or character outside of strings, and where it was written.
    let mut last: Option<(u8, Option<usize>)> = may_begin.then_some((b',', None));
    let mut at = 0;
    loop {
        if !lexer.is_in_string() {
            let content = at + blanks(text, at);
            spelled.extend_from_slice(text.get(at..content).unwrap_or_default());
            at = content;
            if let Some(end) = end_of_remark(text, at) {
                spelled.push(b' ');
                at = end;
                continue;
            }
            if last.is_some_and(|(sign, _)| b",:[{".contains(&sign)) {
                match word(text, at, is_plain) {
                    Word::Other => {}
                    Word::Whole(spelling, end) => {
                        spelled.extend(spelling);
                        (at, last) = (end, None);
                        continue;
                    }
                    Word::Half => return spelled,
                }
            }
        }
        let quote = lexer.quote();
        let Next::Unit(unit, next) = lexer.next(text, at) else { break };
        let bytes = text.get(at..next).unwrap_or_default();
        at = next;
        if quote.is_some() || lexer.is_in_string() {
            match bytes {
                _ if is_plain => spelled.extend_from_slice(bytes),
                _ if unit == Unit::QUOTE => spelled.push(b'"'),
                b"\"" => spelled.extend(b"\\\""),
                b"\\'" => spelled.push(b'\''),
                _ => spelled.extend_from_slice(bytes),
            }
            last = None;
            continue;
        }
        let sign = u8::try_from(unit.character()).ok().filter(u8::is_ascii);
        if let (Some(b'}' | b']'), Some((b',', Some(comma)))) = (sign, last)
            && let Some(comma) = spelled.get_mut(comma)
        {
            *comma = b' ';
        }
        last = sign.map(|sign| (sign, Some(spelled.len())));
        match sign {
            Some(sign) => spelled.push(sign),
            None => spelled.extend_from_slice(bytes),
        }
    }
    spelled.extend_from_slice(text.get(at..).unwrap_or_default());
    spelled
}

/// Where the remark ends that begins there. One that has not ended goes as far as the text does.
fn end_of_remark(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let length = match rest {
        [b'/'] => Some(1),
        [b'/', b'*', inside @ ..] => inside.windows(2).position(|end| end == b"*/").map(|length| length + 4),
        [b'/', b'/', ..] => rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')),
        _ => return None,
    };
    Some(at + length.unwrap_or(rest.len()))
}

/// What a word is that begins where a value or a key may.
enum Word {
    /// A keyword or a key, as the standard spells it, and where it ends.
    Whole(Vec<u8>, usize),
    /// It may go on.
    Half,
    /// None that has another spelling.
    Other,
}

fn word(text: &[u8], at: usize, is_plain: bool) -> Word {
    let rest = text.get(at..).unwrap_or_default();
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let word = rest.get(..length).unwrap_or_default();
    if word.first().is_none_or(u8::is_ascii_digit) {
        return Word::Other;
    }
    let end = at + length;
    match Lexer::default().next(text, end) {
        Next::Unit(unit, _) if unit.is(':') && is_plain => Word::Other,
        Next::Unit(unit, _) if unit.is(':') => Word::Whole([b"\"", word, b"\""].concat(), end),
        Next::Unit(..) => keyword(word).map_or(Word::Other, |word| Word::Whole(word.into(), end)),
        Next::End => Word::Half,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_models_in_the_standard() {
        for (text, wanted) in [
            ("tle\", 1,]", "tle\", 1 ]"),
            ("tle\", 1, // so, far]\n ]", "tle\", 1   \n ]"),
            ("tle\", /* a, b */ 1]", "tle\",   1]"),
            ("tle\", // a remark", "tle\",  "),
            ("tle\"，\"b\"：｛\"c，\"：1｝", "tle\",\"b\":{\"c，\":1}"),
            ("tle\", None, True]", "tle\", null, true]"),
            ("tle\", {b: 1, c_1 : 2}", "tle\", {\"b\": 1, \"c_1\" : 2}"),
            ("tle\", 'it\\'s \"x\"']", "tle\", \"it's \\\"x\\\"\"]"),
            ("tle\", Non", "tle\", "),
            ("tle\", 1e", "tle\", 1e"),
            ("tle\" None", "tle\" None"),
            ("tle\", some words]", "tle\", some words]"),
            ("tle, [1,] // \\\"", "tle, [1,] // \\\""),
        ] {
            let spelled = in_standard(text.as_bytes(), Lexer::in_string(b'"'), false, false);
            assert_eq!(String::from_utf8_lossy(&spelled), wanted, "{text}");
        }
        assert_eq!(in_standard(b" None]", Lexer::default(), true, true), b" null]");
        assert_eq!(in_standard(b"ne]", Lexer::default(), false, true), b"ne]");
        let others = b"{a: 1, 'b': 2,}";
        assert_eq!(in_standard(others, Lexer::default(), false, true), b"{a: 1, 'b': 2 }");
    }
}
