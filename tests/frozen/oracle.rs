//! The state at the cut, worked out from the text alone: slow, simple, and knowing nothing of the library.
//!
//! It reads prefixes of RFC 8259 texts and panics at anything else.

use std::ops::Range;

use crate::common::reference::decode;
use crate::common::tree::child;

/// A container that is not closed.
struct Open {
    is_object: bool,
    /// Where its bracket is.
    start: usize,
    /// Where the last thing in it that is kept ends; the bracket itself if there is none.
    kept: usize,
    pointer: String,
    /// Of the member that is read now, once its key is closed.
    member: Option<String>,
    /// How many elements are closed.
    elements: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Root,
    Value,
    ValueOrCloser,
    Key,
    KeyOrCloser,
    Colon,
    CommaOrCloser,
    End,
}

/// A string that is a value.
struct Data {
    /// What is between its quotes, as written.
    inside: Range<usize>,
    is_closed: bool,
}

/// How a token that reaches the end of the text was cut.
enum Token {
    Whole,
    String,
    Escape(usize),
    Number,
    Keyword,
}

/// What is known of a prefix.
pub struct Oracle<'a> {
    /// The text, without half a character at its end.
    text: &'a str,
    root: Option<Range<usize>>,
    stack: Vec<Open>,
    data: Vec<Data>,
    /// Escapes, a surrogate pair being one; the last may be cut.
    escapes: Vec<Range<usize>>,
    pub state: &'static str,
    pub open: Option<String>,
    pub in_flight: &'a str,
    /// Where the token in flight starts.
    token: usize,
}

/// Reads a prefix of a valid text, cut at any byte.
pub fn read(prefix: &[u8]) -> Oracle<'_> {
    let text = match std::str::from_utf8(prefix) {
        Ok(text) => text,
        Err(error) => {
            assert!(error.error_len().is_none(), "not UTF-8");
            std::str::from_utf8(&prefix[..error.valid_up_to()]).expect("valid so far")
        }
    };
    let mut oracle = Oracle {
        text,
        root: None,
        stack: Vec::new(),
        data: Vec::new(),
        escapes: Vec::new(),
        state: "before_root",
        open: None,
        in_flight: "",
        token: 0,
    };
    oracle.run();
    oracle
}

impl<'a> Oracle<'a> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn run(&mut self) {
        let mut at = 0;
        let mut expect = Expect::Root;
        loop {
            while self.byte(at).is_some_and(|byte| b" \t\r\n".contains(&byte)) {
                at += 1;
            }
            let Some(byte) = self.byte(at) else { return self.stop_between(expect) };
            let closes = match expect {
                Expect::ValueOrCloser => byte == b']',
                Expect::KeyOrCloser => byte == b'}',
                Expect::CommaOrCloser => byte == if self.innermost().is_object { b'}' } else { b']' },
                _ => false,
            };
            if closes {
                self.stack.pop();
                at += 1;
                expect = self.value_ends(at);
                continue;
            }
            match expect {
                Expect::Key | Expect::KeyOrCloser => {
                    assert_eq!(byte, b'"', "a key");
                    let (end, token) = self.string(at);
                    if !matches!(token, Token::Whole) {
                        self.state = "in_key";
                        self.open = Some(self.innermost().pointer.clone());
                        self.in_flight = &self.text[at..];
                        return;
                    }
                    let key = decode(&self.text[at..end]);
                    let open = self.stack.last_mut().expect("in an object");
                    open.member = Some(child(&open.pointer, &key));
                    at = end;
                    expect = Expect::Colon;
                }
                Expect::Colon => {
                    assert_eq!(byte, b':', "a colon");
                    at += 1;
                    expect = Expect::Value;
                }
                Expect::CommaOrCloser => {
                    assert_eq!(byte, b',', "a comma");
                    at += 1;
                    expect = if self.innermost().is_object { Expect::Key } else { Expect::Value };
                }
                Expect::Root | Expect::Value | Expect::ValueOrCloser => {
                    if expect == Expect::Root {
                        self.root = Some(at..self.text.len());
                    }
                    if byte == b'[' || byte == b'{' {
                        let is_object = byte == b'{';
                        let pointer = self.value_pointer();
                        at += 1;
                        let open = Open { is_object, start: at - 1, kept: at, pointer, member: None, elements: 0 };
                        self.stack.push(open);
                        expect = if is_object { Expect::KeyOrCloser } else { Expect::ValueOrCloser };
                        continue;
                    }
                    let (end, token) = self.scalar(at, byte);
                    if !matches!(token, Token::Whole) {
                        return self.stop_in(at, &token);
                    }
                    at = end;
                    expect = self.value_ends(end);
                }
                Expect::End => panic!("{byte:?} behind the root"),
            }
        }
    }

    fn innermost(&self) -> &Open {
        self.stack.last().expect("in a container")
    }

    fn value_pointer(&self) -> String {
        match self.stack.last() {
            None => String::new(),
            Some(Open { member: Some(member), .. }) => member.clone(),
            Some(open) => child(&open.pointer, &open.elements.to_string()),
        }
    }

    fn value_ends(&mut self, end: usize) -> Expect {
        if let Some(open) = self.stack.last_mut() {
            open.kept = end;
            open.member = None;
            open.elements += 1;
            Expect::CommaOrCloser
        } else {
            self.root = self.root.as_ref().map(|root| root.start..end);
            Expect::End
        }
    }

    fn stop_between(&mut self, expect: Expect) {
        let Some(open) = self.stack.last() else {
            self.state = if expect == Expect::Root { "before_root" } else { "done" };
            return;
        };
        self.open = open.member.clone().or_else(|| Some(open.pointer.clone()));
        self.state = match expect {
            Expect::Colon => "after_key",
            Expect::Value if open.is_object => "after_colon",
            _ => "between_members",
        };
    }

    fn stop_in(&mut self, at: usize, token: &Token) {
        self.token = at;
        self.open = Some(self.value_pointer());
        self.in_flight = &self.text[at..];
        self.state = match token {
            Token::Whole => unreachable!("it goes on"),
            Token::String => "in_string",
            Token::Escape(start) => {
                self.in_flight = &self.text[*start..];
                "in_escape"
            }
            Token::Number => "in_number",
            Token::Keyword => "in_keyword",
        };
    }

    fn scalar(&mut self, at: usize, byte: u8) -> (usize, Token) {
        if byte == b'"' {
            let (end, token) = self.string(at);
            let is_closed = matches!(token, Token::Whole);
            self.data.push(Data { inside: at + 1..end - usize::from(is_closed), is_closed });
            return (end, token);
        }
        let is_word = byte.is_ascii_lowercase();
        let belongs = |byte: u8| if is_word { byte.is_ascii_lowercase() } else { b"+-.eE0123456789".contains(&byte) };
        let mut end = at;
        while self.byte(end).is_some_and(belongs) {
            end += 1;
        }
        let word = &self.text[at..end];
        let token = if !is_word {
            if end == self.text.len() { Token::Number } else { Token::Whole }
        } else if ["true", "false", "null"].contains(&word) {
            Token::Whole
        } else {
            assert_eq!(end, self.text.len(), "{word:?} is no keyword");
            Token::Keyword
        };
        (end, token)
    }

    /// Where a string ends, and how.
    fn string(&mut self, start: usize) -> (usize, Token) {
        let mut at = start + 1;
        loop {
            match self.byte(at) {
                None => return (at, Token::String),
                Some(b'"') => return (at + 1, Token::Whole),
                Some(b'\\') => {
                    let (end, is_whole) = self.escape(at);
                    // Half an escape behind a high surrogate that can no longer be its other half stands alone.
                    let second = at + "\\ud83d".len();
                    let digits = self.text.get(second..end).filter(|_| !is_whole).unwrap_or_default();
                    let is_low = |(digit, wanted): (char, &str)| wanted.contains(digit.to_ascii_lowercase());
                    if digits.chars().zip(["\\", "u", "d", "cdef"]).all(is_low) {
                        self.escapes.push(at..end);
                    } else {
                        self.escapes.extend([at..second, second..end]);
                    }
                    if !is_whole {
                        return (end, Token::Escape(at));
                    }
                    at = end;
                }
                Some(_) => at += 1,
            }
        }
    }

    /// Where an escape ends, and whether it is whole. A high surrogate is not while the other half may come.
    fn escape(&self, at: usize) -> (usize, bool) {
        let end = self.text.len();
        let Some((first_end, high)) = self.one_escape(at) else { return (end, false) };
        if !(0xD800..0xDC00).contains(&high) {
            return (first_end, true);
        }
        match self.byte(first_end) {
            None => (end, false),
            Some(b'\\') => match self.one_escape(first_end) {
                None => (end, false),
                Some((second_end, 0xDC00..0xE000)) => (second_end, true),
                Some(_) => (first_end, true),
            },
            Some(_) => (first_end, true),
        }
    }

    /// Where one escape ends, and its code if it has one.
    fn one_escape(&self, at: usize) -> Option<(usize, u32)> {
        if self.byte(at + 1)? != b'u' {
            return Some((at + 2, 0));
        }
        let digits = self.text.get(at + 2..at + 6)?;
        Some((at + 6, u32::from_str_radix(digits, 16).expect("hexadecimal digits")))
    }

    pub fn closers(&self) -> String {
        let quote = if matches!(self.state, "in_string" | "in_escape") { "\"" } else { "" };
        let brackets = self.stack.iter().rev().map(|open| if open.is_object { '}' } else { ']' });
        quote.chars().chain(brackets).collect()
    }

    pub fn complete_part(&self, keep_scalars: bool) -> String {
        let Some(root) = &self.root else { return String::new() };
        let kept = match self.state {
            "done" => Some(root.end),
            "in_string" => Some(self.text.len()),
            "in_escape" => Some(self.text.len() - self.in_flight.len()),
            "in_number" if keep_scalars && number(self.in_flight) > 0 => Some(self.token + number(self.in_flight)),
            _ => self.stack.last().map(|open| open.kept),
        };
        kept.map_or_else(String::new, |kept| self.text[root.start..kept].to_owned() + &self.closers())
    }

    /// The innermost open container, and whether it is clipped to so many characters.
    pub fn overlap(&self, max_chars: usize) -> (&'a str, bool) {
        let Some(open) = self.stack.last() else { return ("", false) };
        let whole = open.start..self.text.len();
        let start = self.tail(&whole, max_chars);
        (&self.text[start..], start > whole.start)
    }

    /// Where the last so many characters begin, not inside an escape.
    fn tail(&self, whole: &Range<usize>, max_chars: usize) -> usize {
        let text = &self.text[whole.clone()];
        let drop = text.chars().count().saturating_sub(max_chars);
        let start = whole.start + text.chars().take(drop).map(char::len_utf8).sum::<usize>();
        let inside = self.escapes.iter().find(|escape| escape.start < start && start < escape.end);
        inside.map_or(start, |escape| escape.end)
    }

    pub fn hierarchy(&self, budget: usize) -> String {
        let Some(root) = &self.root else { return String::new() };
        let mut left = budget;
        let mut fits = true;
        // What is written between the quotes of each string, from the last to the first.
        let mut written = Vec::new();
        for data in self.data.iter().rev() {
            let inside = &self.text[data.inside.clone()];
            let cost = inside.chars().count();
            if fits && cost <= left {
                left -= cost;
                written.push(inside.to_owned());
            } else if data.is_closed {
                fits = false;
                written.push("...".to_owned());
            } else {
                written.push(format!("...{}", &self.text[self.tail(&data.inside, left)..]));
                fits = false;
            }
        }
        let mut result = String::new();
        let mut at = root.start;
        for (data, written) in self.data.iter().zip(written.iter().rev()) {
            result += &self.text[at..data.inside.start];
            result += written;
            at = data.inside.end;
        }
        result + &self.text[at..root.end]
    }
}

/// The length of the longest beginning that is a number itself.
fn number(text: &str) -> usize {
    // A digit too few at each of its joints leaves no number.
    (0..=text.len()).rev().find(|end| serde_json::from_str::<serde::de::IgnoredAny>(&text[..*end]).is_ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{number, read};

    #[test]
    fn the_longest_number() {
        for (text, length) in [("-", 0), ("-0", 2), ("1.", 1), ("1.5e", 3), ("1.5E+", 3), ("1e5", 3), ("12", 2)] {
            assert_eq!(number(text), length, "{text}");
        }
    }

    #[test]
    fn half_a_character_is_left_out() {
        let text = "[\"é";
        assert_eq!(read(&text.as_bytes()[..text.len() - 1]).in_flight, "\"");
    }
}
