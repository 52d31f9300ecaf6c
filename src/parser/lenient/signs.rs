//! What characters and words mean to the lenient rules.

/// Whether a string in other quotes, or in `"`, can begin with this character.
pub(super) fn is_opening_quote(character: char) -> bool {
    matches!(character, '"' | '\'' | '`') || is_closing_curly(character) || matches!(character, '„' | '‚' | '«' | '´')
}

/// Whether a string that began with a curly quote can end with this character. Models confuse left and right.
pub(super) fn is_closing_curly(character: char) -> bool {
    matches!(character, '“' | '”' | '‟' | '‘' | '’' | '‛' | '»' | '＂')
}

/// White space that JSON does not have.
pub(super) fn is_special_space(character: char) -> bool {
    match character {
        ' ' | '\t' | '\n' | '\r' => false,
        // Of no width: joiners, marks of direction, byte order mark.
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => true,
        _ => character.is_whitespace(),
    }
}

/// The ASCII sign that a full-width one stands for.
pub(in crate::parser) fn narrow(character: char) -> Option<u8> {
    Some(match character {
        '，' | '、' => b',',
        '：' => b':',
        '｛' => b'{',
        '｝' => b'}',
        '［' | '【' => b'[',
        '］' | '】' => b']',
        '（' => b'(',
        '）' => b')',
        _ => return None,
    })
}

/// What a word stands for that is no string: `true`, `false` or `null`, in JSON or another language.
pub(in crate::parser) fn keyword(word: &[u8]) -> Option<&'static str> {
    Some(match word {
        b"true" | b"True" | b"TRUE" => "true",
        b"false" | b"False" | b"FALSE" => "false",
        b"null" | b"Null" | b"NULL" | b"None" | b"NONE" | b"nil" | b"undefined" | b"NaN" | b"nan" | b"-NaN"
        | b"+NaN" | b"inf" | b"-inf" | b"Infinity" | b"+Infinity" | b"-Infinity" => "null",
        _ => return None,
    })
}

pub(super) fn is_keyword(word: &[u8]) -> bool {
    keyword(word).is_some()
}

/// Whether more letters could make this a keyword.
pub(super) fn may_be_keyword(word: &[u8]) -> bool {
    const ALL: [&[u8]; 17] = [
        b"true",
        b"True",
        b"TRUE",
        b"false",
        b"False",
        b"FALSE",
        b"null",
        b"Null",
        b"NULL",
        b"None",
        b"NONE",
        b"nil",
        b"undefined",
        b"NaN",
        b"nan",
        b"Infinity",
        b"inf",
    ];
    let word = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word);
    ALL.iter().any(|keyword| keyword.starts_with(word))
}

/// Whether a word goes on with this byte before it must be shown as text.
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')
}

/// The last character of a text.
pub(super) fn last_character(text: &[u8]) -> Option<char> {
    let last = text.last_chunk::<4>().map_or(text, |last| last.as_slice());
    // It may begin in the middle of the character before.
    let start = last.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    std::str::from_utf8(last.get(start..)?).ok()?.chars().next()
}
