//! Reads JSON text that arrives cut anywhere, and tells its tokens to a sink as they are spelled.
//!
//! Nothing is kept but the open brackets, so that a text of any length passes through. What the sink is told, and when,
//! depends on the text alone: a token may be told in parts, for a sink must not rely on where they are cut, but it is
//! asked to [`look`](Sink::look) at the same places whatever the chunks are.

use crate::parser::{Piece, Utf8, plain_length};

use super::error::Syntax;

/// After how many bytes of one token a sink is asked to look at it.
const BLOCK: usize = 1024;

/// What takes the tokens.
pub(super) trait Sink {
    type Error: From<Syntax>;

    /// An object or array begins.
    fn open(&mut self, is_array: bool) -> Result<(), Self::Error>;
    /// The innermost object or array ends.
    fn close(&mut self) -> Result<(), Self::Error>;
    /// The key of a member begins.
    fn begin_key(&mut self) -> Result<(), Self::Error>;
    /// It ends.
    fn end_key(&mut self) -> Result<(), Self::Error>;
    /// A string, number or keyword begins.
    fn begin_scalar(&mut self, is_string: bool) -> Result<(), Self::Error>;
    /// It ends.
    fn end_scalar(&mut self) -> Result<(), Self::Error>;
    /// More of the key or scalar, without quotes. An escape is never cut.
    fn text(&mut self, text: &str);
    /// The key or scalar has become so long that it may be looked at before it ends.
    fn look(&mut self) -> Result<(), Self::Error>;
}

/// Where to go on, or where something else should have stood, and what.
type Step = Result<usize, (usize, &'static str)>;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Value,
    /// A value, or the end of the array.
    Element,
    /// A key, or the end of the object.
    Member,
    Key,
    Colon,
    /// A comma or a closing bracket.
    Comma,
    /// The rest of a string.
    String,
    /// What stands behind a backslash.
    Escape,
    /// So many hexadecimal digits.
    Hex(u8),
    Number(Number),
    /// The rest of a keyword, from this byte on.
    Keyword(&'static str, usize),
    /// The text has ended.
    End,
}

/// What of a number was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    E,
    Sign,
    Exponent,
}

impl Number {
    /// What it is with this byte behind it.
    fn after(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Minus, b'0') => Some(Self::Zero),
            (Self::Minus, b'1'..=b'9') | (Self::Integer, b'0'..=b'9') => Some(Self::Integer),
            (Self::Zero | Self::Integer, b'.') => Some(Self::Point),
            (Self::Point | Self::Fraction, b'0'..=b'9') => Some(Self::Fraction),
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Some(Self::E),
            (Self::E, b'+' | b'-') => Some(Self::Sign),
            (Self::E | Self::Sign | Self::Exponent, b'0'..=b'9') => Some(Self::Exponent),
            _ => None,
        }
    }

    fn is_whole(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::Exponent)
    }
}

/// The state of the reading.
#[derive(Debug, Clone)]
pub(super) struct Scanner {
    state: State,
    /// For each open bracket, whether it is that of an array.
    open: Vec<bool>,
    in_key: bool,
    /// The start of an escape.
    escape: String,
    /// How many bytes the token has, and when the sink looks at it next.
    token: usize,
    next_look: usize,
    utf8: Utf8,
    /// Bytes read before the piece at hand.
    offset: u64,
    /// `NaN`, `Infinity` and `-Infinity` are numbers, as for Python.
    constants: bool,
}

impl Scanner {
    /// Reads RFC 8259.
    pub(super) fn new() -> Self {
        Self {
            state: State::Value,
            open: Vec::new(),
            in_key: false,
            escape: String::new(),
            token: 0,
            next_look: BLOCK,
            utf8: Utf8::default(),
            offset: 0,
            constants: false,
        }
    }

    /// Reads also what Python's `json.loads` takes for numbers.
    pub(super) fn with_constants() -> Self {
        Self { constants: true, ..Self::new() }
    }

    /// Reads a chunk.
    pub(super) fn push<S: Sink>(&mut self, chunk: &[u8], sink: &mut S) -> Result<(), S::Error> {
        let mut utf8 = std::mem::take(&mut self.utf8);
        let read = utf8.pieces(chunk, |piece| match piece {
            Piece::Text(text) => self.text(text, sink),
            Piece::Invalid(_) => Err(Syntax { offset: self.offset, expected: "UTF-8" }.into()),
        });
        self.utf8 = utf8;
        read
    }

    /// Says that the text has ended.
    pub(super) fn finish<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        if let State::Number(number) = self.state
            && number.is_whole()
            && self.utf8.held() == 0
        {
            self.end_scalar(sink)?;
        }
        let expected = match self.state {
            _ if self.utf8.held() > 0 => "the rest of a character",
            State::End => return Ok(()),
            State::Value if self.open.is_empty() => "a value",
            State::String | State::Escape | State::Hex(_) => "the end of a string",
            State::Number(_) => "the rest of a number",
            State::Keyword(..) => "the rest of a keyword",
            _ => "the rest of the document",
        };
        Err(Syntax { offset: self.offset, expected }.into())
    }

    fn text<S: Sink>(&mut self, text: &str, sink: &mut S) -> Result<(), S::Error> {
        let mut at = 0;
        while let Some(&byte) = text.as_bytes().get(at) {
            at = match self.step(text, at, byte, sink) {
                Ok(Ok(next)) => next,
                Ok(Err((wrong, expected))) => {
                    return Err(Syntax { offset: self.offset + wrong as u64, expected }.into());
                }
                Err(error) => return Err(error),
            };
        }
        self.offset += text.len() as u64;
        Ok(())
    }

    /// Reads on at a byte, and says where to go on, or what should have stood there.
    #[inline]
    fn step<S: Sink>(&mut self, text: &str, at: usize, byte: u8, sink: &mut S) -> Result<Step, S::Error> {
        match self.state {
            State::String => return self.string(text, at, sink),
            State::Escape => {
                self.escape.push(char::from(byte));
                match byte {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.end_escape(sink)?,
                    b'u' => self.state = State::Hex(4),
                    _ => return Ok(Err((at, "an escape"))),
                }
                return Ok(Ok(at + 1));
            }
            State::Hex(left) => {
                if !byte.is_ascii_hexdigit() {
                    return Ok(Err((at, "a hexadecimal digit")));
                }
                self.escape.push(char::from(byte));
                match left {
                    0 | 1 => self.end_escape(sink)?,
                    _ => self.state = State::Hex(left - 1),
                }
                return Ok(Ok(at + 1));
            }
            State::Number(number) => return self.number(text, at, number, sink),
            State::Keyword(word, read) => return self.keyword(word, read, at, byte, sink),
            _ if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') => return Ok(Ok(at + 1)),
            _ => {}
        }
        match (self.state, byte) {
            (State::Element, b']') | (State::Member, b'}') => self.close(sink)?,
            (State::Comma, b']') if self.open.last() == Some(&true) => self.close(sink)?,
            (State::Comma, b'}') if self.open.last() == Some(&false) => self.close(sink)?,
            (State::Comma, b',') => {
                self.state = if self.open.last() == Some(&true) { State::Value } else { State::Key };
            }
            (State::Colon, b':') => self.state = State::Value,
            (State::Key | State::Member, b'"') => {
                sink.begin_key()?;
                self.in_key = true;
                self.begin_token(State::String);
            }
            (State::Value | State::Element, _) => return self.value(at, byte, sink),
            (State::Key, _) => return Ok(Err((at, "a key"))),
            (State::Member, _) => return Ok(Err((at, "a key or }"))),
            (State::Colon, _) => return Ok(Err((at, "a colon"))),
            (State::End, _) => return Ok(Err((at, "nothing behind the document"))),
            _ => return Ok(Err((at, "a comma or the end of an object or array"))),
        }
        Ok(Ok(at + 1))
    }

    fn value<S: Sink>(&mut self, at: usize, byte: u8, sink: &mut S) -> Result<Step, S::Error> {
        let keyword = match byte {
            b'{' | b'[' => {
                sink.open(byte == b'[')?;
                self.open.push(byte == b'[');
                self.state = if byte == b'[' { State::Element } else { State::Member };
                return Ok(Ok(at + 1));
            }
            b'"' => {
                sink.begin_scalar(true)?;
                self.in_key = false;
                self.begin_token(State::String);
                return Ok(Ok(at + 1));
            }
            b'-' | b'0'..=b'9' => {
                sink.begin_scalar(false)?;
                self.begin_token(State::Number(Number::Minus));
                // A digit is what a minus may have behind it; the minus itself is read here.
                if byte == b'-' {
                    sink.text("-");
                    self.token = 1;
                    return Ok(Ok(at + 1));
                }
                return Ok(Ok(at));
            }
            b't' => "true",
            b'f' => "false",
            b'n' => "null",
            b'N' if self.constants => "NaN",
            b'I' if self.constants => "Infinity",
            b']' if self.state == State::Element => return Ok(Err((at, "an element or ]"))),
            _ => return Ok(Err((at, "a value"))),
        };
        sink.begin_scalar(false)?;
        self.begin_token(State::Keyword(keyword, 1));
        Ok(Ok(at + 1))
    }

    fn begin_token(&mut self, state: State) {
        self.state = state;
        self.token = 0;
        self.next_look = BLOCK;
    }

    fn string<S: Sink>(&mut self, text: &str, at: usize, sink: &mut S) -> Result<Step, S::Error> {
        let rest = text.get(at..).unwrap_or_default();
        let length = plain_length(rest.as_bytes());
        self.token_text(rest.get(..length).unwrap_or_default(), sink)?;
        let end = at + length;
        match text.as_bytes().get(end) {
            None => return Ok(Ok(end)),
            Some(b'\\') => {
                self.escape.clear();
                self.escape.push('\\');
                self.state = State::Escape;
            }
            Some(b'"') if self.in_key => {
                sink.end_key()?;
                self.state = State::Colon;
            }
            Some(b'"') => self.end_scalar(sink)?,
            Some(_) => return Ok(Err((end, "an escape in place of a control character"))),
        }
        Ok(Ok(end + 1))
    }

    fn end_escape<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        self.state = State::String;
        let escape = std::mem::take(&mut self.escape);
        let told = self.token_text(&escape, sink);
        self.escape = escape;
        told
    }

    /// Tells text of the token, and lets the sink look at the places that are due.
    fn token_text<S: Sink>(&mut self, mut text: &str, sink: &mut S) -> Result<(), S::Error> {
        while !text.is_empty() && self.token + text.len() >= self.next_look {
            let mut due = self.next_look.saturating_sub(self.token);
            while !text.is_char_boundary(due) && due < text.len() {
                due += 1;
            }
            // An escape is not cut. Nor is a pair of them, so behind the first half there is no look before it is known
            // what follows.
            let is_half = begins_pair(text);
            if is_half && due > 0 {
                break;
            }
            let due = if text.starts_with('\\') && !is_half { text.len() } else { due };
            let (part, rest) = text.split_at_checked(due).unwrap_or((text, ""));
            sink.text(part);
            self.token += part.len();
            text = rest;
            self.next_look = self.token + BLOCK;
            sink.look()?;
        }
        if !text.is_empty() {
            sink.text(text);
            self.token += text.len();
        }
        Ok(())
    }

    fn number<S: Sink>(
        &mut self,
        text: &str,
        start: usize,
        mut number: Number,
        sink: &mut S,
    ) -> Result<Step, S::Error> {
        let mut at = start;
        let mut next = None;
        while let Some(&byte) = text.as_bytes().get(at) {
            next = Some(byte);
            // Most of a number is digits like the one before.
            let goes_on =
                byte.is_ascii_digit() && matches!(number, Number::Integer | Number::Fraction | Number::Exponent);
            let Some(after) = (if goes_on { Some(number) } else { number.after(byte) }) else { break };
            (number, next) = (after, None);
            at += 1;
        }
        self.state = State::Number(number);
        self.token_text(text.get(start..at).unwrap_or_default(), sink)?;
        match next {
            None => {}
            Some(_) if number.is_whole() => self.end_scalar(sink)?,
            Some(b'I') if number == Number::Minus && self.constants => self.state = State::Keyword("Infinity", 0),
            Some(_) => return Ok(Err((at, "a digit"))),
        }
        Ok(Ok(at))
    }

    fn keyword<S: Sink>(
        &mut self,
        word: &'static str,
        read: usize,
        at: usize,
        byte: u8,
        sink: &mut S,
    ) -> Result<Step, S::Error> {
        if word.as_bytes().get(read) != Some(&byte) {
            return Ok(Err((at, "the rest of a keyword")));
        }
        self.state = State::Keyword(word, read + 1);
        if read + 1 == word.len() {
            sink.text(word);
            self.end_scalar(sink)?;
        }
        Ok(Ok(at + 1))
    }

    fn close<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        self.open.pop();
        self.after_value();
        sink.close()
    }

    fn end_scalar<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        self.after_value();
        sink.end_scalar()
    }

    fn after_value(&mut self) {
        self.state = if self.open.is_empty() { State::End } else { State::Comma };
    }
}

/// Whether a text begins with the escape of the first half of a surrogate pair.
fn begins_pair(text: &str) -> bool {
    matches!(text.as_bytes(), [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'A' | b'b' | b'B', ..])
}

/// Where the closing quote of a string is in what stands behind its opening one.
pub(super) fn string_end(inside: &str) -> Option<usize> {
    let bytes = inside.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}
