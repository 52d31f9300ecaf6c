//! The tokens of a text that may be damaged, and the values that they make.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Open,
    Close,
    Comma,
    Colon,
    String,
    /// A number, a keyword, or any other word.
    Word,
    Blank,
    Other,
}

pub struct Token {
    pub kind: Kind,
    pub range: Range<usize>,
}

/// The tokens, without a gap.
pub fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let run = |fits: fn(&u8) -> bool| text[at..].iter().take_while(|byte| fits(byte)).count();
        let (kind, length) = match byte {
            b'{' | b'[' => (Kind::Open, 1),
            b'}' | b']' => (Kind::Close, 1),
            b',' => (Kind::Comma, 1),
            b':' => (Kind::Colon, 1),
            b'"' => (Kind::String, string(&text[at..])),
            byte if is_blank(byte) => (Kind::Blank, run(is_blank)),
            byte if is_word(byte) => (Kind::Word, run(is_word)),
            _ => (Kind::Other, 1),
        };
        tokens.push(Token { kind, range: at..at + length });
        at += length;
    }
    tokens
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_' | b'$' | 0x80..)
}

/// How long a string is that begins here; up to the end of the text if it has none.
fn string(text: &[u8]) -> usize {
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// What stands in a container, or alone.
pub struct Item {
    /// With its key and colon, if it has them.
    pub range: Range<usize>,
    pub value: Range<usize>,
    pub is_container: bool,
}

/// All values in the order of their starts.
pub fn items(text: &[u8], tokens: &[Token]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    // Containers that are open, by the item that each is.
    let mut open = Vec::new();
    // A string that may be a key, and where its colon was seen.
    let (mut key, mut is_member) = (None, false);
    for token in tokens {
        match token.kind {
            Kind::Blank | Kind::Other => {}
            Kind::Colon => is_member = key.is_some(),
            Kind::Comma => (key, is_member) = (None, false),
            Kind::Close => {
                if let Some(index) = open.pop() {
                    let item: &mut Item = &mut items[index];
                    item.range.end = token.range.end;
                    item.value.end = token.range.end;
                }
                (key, is_member) = (None, false);
            }
            Kind::Open | Kind::String | Kind::Word => {
                let is_container = token.kind == Kind::Open;
                // A container without an end goes on to the end of the text.
                let end = if is_container { text.len() } else { token.range.end };
                let start = match key.take() {
                    Some((index, start)) if is_member => {
                        // What was taken for a value is a key.
                        items.remove(index);
                        start
                    }
                    _ => token.range.start,
                };
                if is_container {
                    open.push(items.len());
                } else {
                    key = (!is_member).then_some((items.len(), start));
                }
                is_member = false;
                items.push(Item { range: start..end, value: token.range.start..end, is_container });
            }
        }
    }
    items
}
