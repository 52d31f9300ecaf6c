//! A reader of prefixes that is as simple as can be: what may be shown of a document, and what of
//! that is final, when only its first bytes have come.
//!
//! It knows nothing of the library. It starts over for every prefix, recurses, copies, and looks as
//! far back or ahead in the prefix as it likes. [`Rules::Strict`] reads RFC 8259 and says where a
//! text stops being a prefix of it; [`Rules::Lenient`] says when the lenient dialect shows and
//! finalises the parts of a document that is valid JSON, and must not be asked about others.

use std::collections::BTreeMap;
use std::ops::Range;

use super::tree::{Tree, child};

/// How many blanks a scalar waits behind for what follows it.
const WAITS: usize = 240;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    Strict,
    Lenient,
}

/// Whether what is shown at a place can still change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Growing,
    Final,
    /// Both are right here: the rules leave one byte of freedom.
    Either,
}

/// Why the reader stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The root is whole, and nothing but blanks came after it.
    Done,
    /// The text ends where more must come. (A root number is never `Done`: a digit may follow.)
    Cut,
    /// No document begins like this: the error is at one of these bytes.
    Bad(Range<usize>),
}

/// What a prefix shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    pub tree: Option<Tree>,
    /// Every shown value, by pointer.
    pub marks: BTreeMap<String, Mark>,
    pub stop: Stop,
}

/// Whether the lenient dialect shows the root yet, of a text that holds nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Hidden,
    Either,
    Shown,
}

/// Reads a prefix.
pub fn read(prefix: &[u8], rules: Rules) -> Reading {
    let mut reader = Reader {
        bytes: prefix,
        at: 0,
        rules,
        path: vec![String::new()],
        marks: BTreeMap::new(),
        muted: 0,
        escaped: (0, false),
    };
    reader.blanks();
    if reader.peek().is_none() {
        return Reading { tree: None, marks: reader.marks, stop: Stop::Cut };
    }
    let (tree, flow) = reader.value(Place::Root);
    let stop = if let Err(stop) = flow {
        stop
    } else {
        reader.blanks();
        let at = reader.at;
        if reader.peek().is_some() { Stop::Bad(at..at + 1) } else { Stop::Done }
    };
    Reading { tree, marks: reader.marks, stop }
}

/// The text of a whole string token, quotes included.
pub fn decode(token: &str) -> String {
    match read(token.as_bytes(), Rules::Strict) {
        Reading { tree: Some(Tree::String(text)), stop: Stop::Done, .. } => text,
        other => panic!("{token:?} is no string: {other:?}"),
    }
}

/// The quote and the brackets that a prefix still lacks, in the order in which they must come. Half a
/// key is dropped, so its quote is not among them.
pub fn closers(prefix: &[u8]) -> String {
    let mut missing = Vec::new();
    let mut before = b' ';
    let mut is_key = false;
    let mut bytes = prefix.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' if missing.last() == Some(&'"') => drop(missing.pop()),
            b'\\' => drop(bytes.next()),
            _ if missing.last() == Some(&'"') => {}
            b'"' => {
                is_key = before == b'{' || (before == b',' && missing.last() == Some(&'}'));
                missing.push('"');
            }
            b'[' => missing.push(']'),
            b'{' => missing.push('}'),
            b']' | b'}' => drop(missing.pop()),
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = *byte;
        }
    }
    if is_key && missing.last() == Some(&'"') {
        missing.pop();
    }
    missing.into_iter().rev().collect()
}

/// When the lenient dialect shows a root before which only blanks came: an object with its first key and colon, an empty container when it is closed, an
/// array when it holds a string, a second scalar or something that would itself be shown, a scalar
/// not before the end.
pub fn visibility(reading: &Reading, prefix: &[u8]) -> Visibility {
    let Some(tree) = &reading.tree else { return Visibility::Hidden };
    let closed = reading.marks[""] == Mark::Final;
    match tree {
        Tree::Object(_) => Visibility::Shown,
        Tree::Array(items) if items.is_empty() && closed => Visibility::Shown,
        Tree::Array(_) if is_strong(tree, "", &reading.marks) => Visibility::Shown,
        Tree::Array(_) if might_be_strong(tree, prefix) => Visibility::Either,
        _ => Visibility::Hidden,
    }
}

/// By now, at the latest, a nested value makes the array around it strong.
fn is_strong(tree: &Tree, at: &str, marks: &BTreeMap<String, Mark>) -> bool {
    let is_final = |pointer: &str| marks[pointer] == Mark::Final;
    match tree {
        Tree::Object(members) => !members.is_empty() || !is_final(at),
        Tree::Array(items) => {
            let mut scalars = 0;
            items.iter().enumerate().any(|(index, item)| {
                let at = child(at, &index.to_string());
                scalars += usize::from(!item.is_container() && is_final(&at));
                scalars == 2
                    || (matches!(item, Tree::String(_)) && is_final(&at))
                    || (item.is_container() && is_strong(item, &at, marks))
            })
        }
        _ => false,
    }
}

/// No array is strong before it holds a string, a member, or a scalar with a comma after it.
fn might_be_strong(tree: &Tree, prefix: &[u8]) -> bool {
    match tree {
        Tree::Object(members) => !members.is_empty(),
        Tree::Array(items) => items.iter().any(|item| match item {
            Tree::String(_) => true,
            Tree::Array(_) | Tree::Object(_) => might_be_strong(item, prefix),
            _ => prefix.contains(&b','),
        }),
        _ => false,
    }
}

type Flow = Result<(), Stop>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Array,
    /// Behind an element that is no string.
    ArrayBehindOther,
    Object,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    rules: Rules,
    /// The pointers from the root to the value that is read now.
    path: Vec<String>,
    marks: BTreeMap<String, Mark>,
    /// Above zero within the second value of a key, which is read and not shown.
    muted: usize,
    /// How much of the last string's text is from escapes or before one, and whether the last of them was a quote.
    escaped: (usize, bool),
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// No way on from here: the text is cut, or this byte is wrong.
    fn stop(&self) -> Stop {
        if self.at == self.bytes.len() { Stop::Cut } else { Stop::Bad(self.at..self.at + 1) }
    }

    fn mark(&mut self, mark: Mark) {
        if self.muted == 0 {
            let pointer = self.path.last().expect("the root is always on it").clone();
            self.marks.insert(pointer, mark);
        }
    }

    fn within<T>(&mut self, step: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let pointer = child(self.path.last().expect("the root is always on it"), step);
        self.path.push(pointer);
        let result = read(self);
        self.path.pop();
        result
    }

    fn value(&mut self, place: Place) -> (Option<Tree>, Flow) {
        match self.peek() {
            Some(b'[') => self.array(),
            Some(b'{') => self.object(),
            Some(b'"') => {
                let start = self.at;
                let (mut text, flow) = self.string();
                if self.rules == Rules::Lenient
                    && place != Place::Root
                    && (flow.is_err() || self.settled(place).is_none())
                {
                    // It may be a key whose bracket is missing.
                    if place == Place::ArrayBehindOther && self.bytes.len() - start <= 64 {
                        return (None, flow);
                    }
                    text.truncate(self.tail(&text));
                }
                let mark = match (&flow, self.rules) {
                    (Err(_), _) => Mark::Growing,
                    (Ok(()), Rules::Strict) => Mark::Final,
                    (Ok(()), Rules::Lenient) => self.settled(place).unwrap_or(Mark::Growing),
                };
                self.mark(mark);
                (Some(Tree::String(text)), flow)
            }
            Some(b'-' | b'0'..=b'9') => self.number(place),
            Some(b't') => self.keyword("true", Tree::Bool(true), place),
            Some(b'f') => self.keyword("false", Tree::Bool(false), place),
            Some(b'n') => self.keyword("null", Tree::Null, place),
            _ => (None, Err(self.stop())),
        }
    }

    /// In lenient, a scalar is final once the next byte that is no blank has come, or so many that are blanks.
    fn settled(&self, place: Place) -> Option<Mark> {
        let rest = &self.bytes[self.at..];
        let next = rest.iter().position(|byte| !b" \t\n\r".contains(byte));
        let Some(next) = next else { return (rest.len() > WAITS).then_some(Mark::Final) };
        match (rest[next], place) {
            (b',' | b']', Place::Array | Place::ArrayBehindOther) | (b',' | b'}', Place::Object) => Some(Mark::Final),
            (byte, _) => panic!("{:?} after a scalar: not valid JSON", char::from(byte)),
        }
    }

    fn keyword(&mut self, word: &str, tree: Tree, place: Place) -> (Option<Tree>, Flow) {
        for letter in word.bytes() {
            if self.peek() != Some(letter) {
                return (None, Err(self.stop()));
            }
            self.at += 1;
        }
        if self.rules == Rules::Lenient && self.settled(place).is_none() {
            return (None, Ok(()));
        }
        self.mark(Mark::Final);
        (Some(tree), Ok(()))
    }

    /// The text shown of a number is its longest prefix that is itself a number.
    fn number(&mut self, place: Place) -> (Option<Tree>, Flow) {
        let start = self.at;
        let mut valid = None;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let flow = 'number: {
            match self.peek() {
                Some(b'0') => self.at += 1,
                Some(b'1'..=b'9') => self.digits(),
                _ => break 'number Err(self.stop()),
            }
            valid = Some(self.at);
            if self.peek() == Some(b'.') {
                self.at += 1;
                if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    break 'number Err(self.stop());
                }
                self.digits();
                valid = Some(self.at);
            }
            if matches!(self.peek(), Some(b'e' | b'E')) {
                self.at += 1;
                if matches!(self.peek(), Some(b'+' | b'-')) {
                    self.at += 1;
                }
                if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    break 'number Err(self.stop());
                }
                self.digits();
                valid = Some(self.at);
            }
            if self.peek().is_none() { Err(Stop::Cut) } else { Ok(()) }
        };
        let Some(end) = valid else { return (None, flow) };
        let mark = match (&flow, self.rules) {
            (Err(_), _) => Mark::Growing,
            (Ok(()), Rules::Strict) => Mark::Final,
            (Ok(()), Rules::Lenient) => match self.settled(place) {
                // `1,234` in an object: the comma may wait for the byte after it.
                Some(_) if place == Place::Object && self.bytes.ends_with(b",") => Mark::Either,
                settled => settled.unwrap_or(Mark::Growing),
            },
        };
        self.mark(mark);
        let text = std::str::from_utf8(&self.bytes[start..end]).expect("ASCII").to_owned();
        (Some(Tree::Number(text)), flow)
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// A string without what is only half there.
    fn string(&mut self) -> (String, Flow) {
        let mut text = String::new();
        // A high surrogate waits for what follows it.
        let mut high: Option<u32> = None;
        self.at += 1;
        self.escaped = (0, false);
        loop {
            let Some(byte) = self.peek() else { return (text, Err(Stop::Cut)) };
            let next = match byte {
                b'"' => {
                    if high.is_some() {
                        text.push('\u{FFFD}');
                        self.escaped = (text.len(), false);
                    }
                    self.at += 1;
                    return (text, Ok(()));
                }
                b'\\' => {
                    self.escaped = (text.len(), false);
                    self.escape()
                }
                0..0x20 => Err(self.stop()),
                0x20..0x80 => {
                    self.at += 1;
                    Ok(u32::from(byte))
                }
                0x80.. => self.multibyte(),
            };
            let code = match next {
                Ok(code) => code,
                Err(stop) => return (text, Err(stop)),
            };
            match (high.take(), code) {
                (Some(high), 0xDC00..0xE000) => {
                    let pair = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00);
                    text.push(char::from_u32(pair).expect("a surrogate pair"));
                    self.escaped = (text.len(), false);
                    continue;
                }
                (Some(_), _) => {
                    text.push('\u{FFFD}');
                    self.escaped = (text.len(), false);
                }
                (None, _) => {}
            }
            match code {
                0xD800..0xDC00 => high = Some(code),
                _ => text.push(char::from_u32(code).unwrap_or('\u{FFFD}')),
            }
            if byte == b'\\' && !(0xD800..0xDC00).contains(&code) {
                self.escaped = (text.len(), self.bytes[self.at - 2..self.at] == *b"\\\"");
            }
        }
    }

    /// Where the end of an open string begins that would be structure if its closing quote were missing: closers, a
    /// comma and openers, each of which can be missing, with blanks anywhere but before them all.
    fn tail(&self, text: &str) -> usize {
        let (raw_from, escaped_quote) = self.escaped;
        let is_structure = |tail: &str| {
            let blank = |c: char| " \t\r\n".contains(c);
            let rest = tail.trim_start_matches(|c| blank(c) || c == '}' || c == ']');
            let rest = rest
                .strip_prefix(',')
                .map_or(rest, |rest| rest.trim_start_matches(|c| blank(c) || c == '{' || c == '['));
            rest.is_empty()
        };
        let starts = (raw_from..=text.len()).filter(|at| text.is_char_boundary(*at));
        let Some(start) = starts.clone().find(|at| is_structure(&text[*at..])) else { return text.len() };
        if text.len() - start >= 256 {
            return text.len();
        }
        let start = start + (text[start..].len() - text[start..].trim_start_matches(' ').len());
        let before = &text[..start];
        let signs = |c: char| " \t\r\n,{}[]".contains(c);
        let quote = match before.chars().next_back() {
            Some('"') if escaped_quote && start == raw_from => 1,
            Some(c @ ('“' | '”' | '‟' | '»' | '＂')) if start > raw_from && !text[start..].starts_with('\t') => {
                c.len_utf8()
            }
            _ => 0,
        };
        if (start == text.len() && quote == 0) || before.chars().all(signs) { text.len() } else { start - quote }
    }

    fn escape(&mut self) -> Result<u32, Stop> {
        self.at += 1;
        let code = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => u32::from(byte),
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => 10,
            Some(b'r') => 13,
            Some(b't') => 9,
            Some(b'u') => {
                let mut code = 0;
                for _ in 0..4 {
                    self.at += 1;
                    let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
                    code = code * 16 + digit.ok_or_else(|| self.stop())?;
                }
                code
            }
            _ => return Err(self.stop()),
        };
        self.at += 1;
        Ok(code)
    }

    fn multibyte(&mut self) -> Result<u32, Stop> {
        let window = &self.bytes[self.at..self.bytes.len().min(self.at + 4)];
        let valid = match std::str::from_utf8(window) {
            Ok(text) => text,
            Err(error) if error.valid_up_to() > 0 => {
                std::str::from_utf8(&window[..error.valid_up_to()]).expect("valid so far")
            }
            Err(error) => {
                return Err(match error.error_len() {
                    None => Stop::Cut,
                    // At the first byte of the sequence, or at the one that does not belong to it.
                    Some(len) => Stop::Bad(self.at..self.at + len + 1),
                });
            }
        };
        let first = valid.chars().next().expect("not empty");
        self.at += first.len_utf8();
        Ok(u32::from(first))
    }

    fn array(&mut self) -> (Option<Tree>, Flow) {
        let mut items = Vec::new();
        self.at += 1;
        self.mark(Mark::Growing);
        let flow = 'array: {
            self.blanks();
            if self.peek() == Some(b']') {
                self.at += 1;
                break 'array Ok(());
            }
            loop {
                self.blanks();
                let index = items.len().to_string();
                let behind_other = items.last().is_some_and(|item| !matches!(item, Tree::String(_)));
                let place = if behind_other { Place::ArrayBehindOther } else { Place::Array };
                let (item, flow) = self.within(&index, |reader| reader.value(place));
                items.extend(item);
                if flow.is_err() {
                    break 'array flow;
                }
                self.blanks();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b']') => {
                        self.at += 1;
                        break 'array Ok(());
                    }
                    _ => break 'array Err(self.stop()),
                }
            }
        };
        if flow.is_ok() {
            self.mark(Mark::Final);
        }
        (Some(Tree::Array(items)), flow)
    }

    fn object(&mut self) -> (Option<Tree>, Flow) {
        let mut members: Vec<(String, Tree)> = Vec::new();
        self.at += 1;
        let mut shown = self.rules == Rules::Strict;
        if shown {
            self.mark(Mark::Growing);
        }
        let flow = 'object: {
            self.blanks();
            if self.peek() == Some(b'}') {
                self.at += 1;
                break 'object Ok(());
            }
            loop {
                self.blanks();
                if self.peek() != Some(b'"') {
                    break 'object Err(self.stop());
                }
                let (key, flow) = self.string();
                if flow.is_err() {
                    break 'object flow;
                }
                self.blanks();
                if self.peek() != Some(b':') {
                    break 'object Err(self.stop());
                }
                self.at += 1;
                if !shown {
                    shown = true;
                    self.mark(Mark::Growing);
                }
                self.blanks();
                let repeated = members.iter().any(|(other, _)| *other == key);
                self.muted += usize::from(repeated);
                let (value, flow) = self.within(&key, |reader| reader.value(Place::Object));
                self.muted -= usize::from(repeated);
                if let (Some(value), false) = (value, repeated) {
                    members.push((key, value));
                }
                if flow.is_err() {
                    break 'object flow;
                }
                self.blanks();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b'}') => {
                        self.at += 1;
                        break 'object Ok(());
                    }
                    _ => break 'object Err(self.stop()),
                }
            }
        };
        if flow.is_ok() {
            self.mark(Mark::Final);
        } else if !shown {
            return (None, flow);
        }
        (Some(Tree::Object(members)), flow)
    }
}
