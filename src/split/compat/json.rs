//! A JSON value as Python has it after `json.loads`.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::parser::{MAX_DEPTH, short_escape};
use crate::split::error::Syntax;
use crate::split::scan::{Scanner, Sink};
use crate::view::ValueRef;

use super::spelling::{push_character, push_number, push_unit, unescaped};

/// A JSON value as Python has it after `json.loads`, for [`RecursiveJsonSplitter`](super::RecursiveJsonSplitter).
///
/// Parsing one takes what `json.loads` takes, `NaN`, `Infinity`, `-Infinity` and halves of surrogate pairs too. Of
/// members with the same key the last counts, in the place of the first. It is displayed as `json.dumps` prints it:
/// keys in their order, numbers as Python spells them, everything beyond ASCII escaped. Two are equal if they print the
/// same, so the order of keys counts, and `1` is not `1.0`.
///
/// ```
/// use jsonrill::split::compat::Json;
///
/// let json: Json = r#"{"a":1E2,"é":[-0,1.50,12345678901234567890],"a":NaN}"#.parse()?;
/// assert_eq!(json.to_string(), r#"{"a": NaN, "\u00e9": [0, 1.5, 12345678901234567890]}"#);
/// assert_eq!(json.to_text(false), r#"{"a": NaN, "é": [0, 1.5, 12345678901234567890]}"#);
/// # Ok::<(), jsonrill::split::compat::JsonError>(())
/// ```
///
/// # Differences
///
/// `json.loads` refuses integers of more than 4300 digits; here they are kept. More than [`MAX_DEPTH`] levels are an
/// error here; Python gives up between that and its recursion limit, depending on what called it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Json {
    /// As `json.dumps` prints it. It has one spelling for each value, and its sizes are those that count.
    text: Box<str>,
}

impl Json {
    /// What `json.dumps` printed.
    pub(super) fn from_canonical(text: String) -> Self {
        Self { text: text.into() }
    }

    /// As `json.dumps` prints it.
    pub(super) fn canonical(&self) -> &str {
        &self.text
    }

    /// As `json.dumps` prints it with this `ensure_ascii`.
    ///
    /// Half of a surrogate pair stays an escape in any case: Rust's strings cannot hold what Python prints there.
    #[must_use]
    pub fn to_text(&self, ensure_ascii: bool) -> String {
        if ensure_ascii { self.text.clone().into() } else { unescaped(&self.text) }
    }

    /// The name of its type in Python's messages.
    pub(super) fn type_name(&self) -> &'static str {
        match self.text.as_bytes() {
            [b'{', ..] => "dict",
            [b'[', ..] => "list",
            [b'"', ..] => "str",
            [b't' | b'f', ..] => "bool",
            [b'n', ..] => "NoneType",
            // `Infinity` has neither, and begins with no digit.
            text if text.iter().any(|byte| matches!(byte, b'.' | b'e' | b'I' | b'N')) => "float",
            _ => "int",
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl FromStr for Json {
    type Err = JsonError;

    fn from_str(text: &str) -> Result<Self, JsonError> {
        let (mut scanner, mut loading) = (Scanner::with_constants(), Loading::default());
        scanner.push(text.as_bytes(), &mut loading)?;
        scanner.finish(&mut loading)?;
        Ok(Self { text: loading.text.into() })
    }
}

impl TryFrom<&Value> for Json {
    type Error = JsonError;

    /// Reads the value as it is printed. Without the feature `preserve_order` of `serde_json`, keys are sorted.
    fn try_from(value: &Value) -> Result<Self, JsonError> {
        value.to_string().parse()
    }
}

impl TryFrom<ValueRef<'_>> for Json {
    type Error = JsonError;

    /// Reads the value as it is displayed; a missing one is null.
    fn try_from(value: ValueRef<'_>) -> Result<Self, JsonError> {
        if value.exists() { value.to_string().parse() } else { "null".parse() }
    }
}

/// Why a text is no [`Json`].
///
/// ```
/// use jsonrill::split::compat::Json;
///
/// let error = "{\"a\": nope}".parse::<Json>().unwrap_err();
/// assert_eq!(error.offset(), Some(7));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonError(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Syntax(Syntax),
    Depth,
}

impl JsonError {
    /// Where, in bytes from the start; `None` where the text is too deep.
    #[must_use]
    pub const fn offset(&self) -> Option<u64> {
        match self.0 {
            Kind::Syntax(syntax) => Some(syntax.offset),
            Kind::Depth => None,
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Syntax(Syntax { offset, expected }) => {
                write!(formatter, "no JSON at byte {offset}, expected {expected}")
            }
            Kind::Depth => write!(formatter, "more than {MAX_DEPTH} levels"),
        }
    }
}

impl std::error::Error for JsonError {}

impl From<Syntax> for JsonError {
    fn from(syntax: Syntax) -> Self {
        Self(Kind::Syntax(syntax))
    }
}

/// A member of an object: where its key and its value are.
#[derive(Clone, Copy)]
struct Member {
    key: usize,
    value: usize,
    end: usize,
}

/// An object or array that is being read.
struct Open {
    is_array: bool,
    start: usize,
    members: Vec<Member>,
}

/// The text as `json.dumps` would print it, as far as it was read.
#[derive(Default)]
struct Loading {
    text: String,
    open: Vec<Open>,
    /// The token in hand, if it is a number or keyword.
    plain: Option<String>,
    in_string: bool,
    /// The first half of a pair whose second may come.
    half: Option<u16>,
}

impl Loading {
    /// What stands before a value or key.
    fn separate(&mut self, is_key: bool) {
        let Some(open) = self.open.last() else { return };
        if (open.is_array || is_key) && self.text.len() > open.start + 1 {
            self.text.push_str(", ");
        }
    }

    fn end_value(&mut self) {
        let end = self.text.len();
        if let Some(member) = self.open.last_mut().and_then(|open| open.members.last_mut()) {
            member.end = end;
        }
    }

    fn end_half(&mut self) {
        if let Some(half) = self.half.take() {
            push_unit(&mut self.text, half);
        }
    }

    fn escape(&mut self, escape: &str) {
        let unit = match escape.as_bytes() {
            [b'\\', b'u', ..] => escape.get(2..).and_then(|digits| u16::from_str_radix(digits, 16).ok()),
            [b'\\', letter] => short_escape(*letter).and_then(|character| u16::try_from(u32::from(character)).ok()),
            _ => None,
        };
        let Some(unit) = unit else { return };
        match (self.half, unit) {
            (Some(first), 0xDC00..=0xDFFF) => {
                self.half = None;
                push_unit(&mut self.text, first);
                push_unit(&mut self.text, unit);
            }
            (_, 0xD800..=0xDBFF) => {
                self.end_half();
                self.half = Some(unit);
            }
            _ => {
                self.end_half();
                match char::from_u32(unit.into()) {
                    Some(character) => push_character(&mut self.text, character),
                    None => push_unit(&mut self.text, unit),
                }
            }
        }
    }

    /// Prints an object with each key once: the last value in the place of the first.
    fn without_duplicates(&mut self, open: &Open) {
        let mut places: HashMap<&str, usize> = HashMap::with_capacity(open.members.len());
        let mut kept: Vec<Member> = Vec::new();
        for member in &open.members {
            let key = self.text.get(member.key..member.value).unwrap_or_default();
            if let Some(earlier) = places.get(key).and_then(|place| kept.get_mut(*place)) {
                *earlier = *member;
            } else {
                places.insert(key, kept.len());
                kept.push(*member);
            }
        }
        if kept.len() == open.members.len() {
            return;
        }
        let mut text = String::new();
        for member in kept {
            text.push_str(if text.is_empty() { "" } else { ", " });
            text.push_str(self.text.get(member.key..member.end).unwrap_or_default());
        }
        self.text.truncate(open.start + 1);
        self.text.push_str(&text);
    }
}

impl Sink for Loading {
    type Error = JsonError;

    fn open(&mut self, is_array: bool) -> Result<(), JsonError> {
        if self.open.len() >= MAX_DEPTH as usize {
            return Err(JsonError(Kind::Depth));
        }
        self.separate(false);
        self.open.push(Open { is_array, start: self.text.len(), members: Vec::new() });
        self.text.push(if is_array { '[' } else { '{' });
        Ok(())
    }

    fn close(&mut self) -> Result<(), JsonError> {
        if let Some(open) = self.open.pop() {
            if open.members.len() > 1 {
                self.without_duplicates(&open);
            }
            self.text.push(if open.is_array { ']' } else { '}' });
        }
        self.end_value();
        Ok(())
    }

    fn begin_key(&mut self) -> Result<(), JsonError> {
        self.separate(true);
        let key = self.text.len();
        if let Some(open) = self.open.last_mut() {
            open.members.push(Member { key, value: key, end: key });
        }
        self.begin_scalar(true)
    }

    fn end_key(&mut self) -> Result<(), JsonError> {
        self.end_half();
        self.in_string = false;
        self.text.push_str("\": ");
        let value = self.text.len();
        if let Some(member) = self.open.last_mut().and_then(|open| open.members.last_mut()) {
            member.value = value;
        }
        Ok(())
    }

    fn begin_scalar(&mut self, is_string: bool) -> Result<(), JsonError> {
        // A key has its comma by now, and its value needs none.
        if self.open.last().is_some_and(|open| open.is_array) {
            self.separate(false);
        }
        self.in_string = is_string;
        if is_string {
            self.text.push('"');
        } else {
            self.plain = Some(String::new());
        }
        Ok(())
    }

    fn end_scalar(&mut self) -> Result<(), JsonError> {
        if let Some(plain) = self.plain.take() {
            push_number(&mut self.text, &plain);
        } else {
            self.end_half();
            self.text.push('"');
            self.in_string = false;
        }
        self.end_value();
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some(plain) = &mut self.plain {
            plain.push_str(text);
        } else if text.starts_with('\\') {
            self.escape(text);
        } else {
            self.end_half();
            for character in text.chars() {
                push_character(&mut self.text, character);
            }
        }
    }

    fn look(&mut self) -> Result<(), JsonError> {
        Ok(())
    }
}
