//! Values out: as JSON text, as [`serde_json::Value`], and through [`Serialize`].
//!
//! Text and values are built from one iterative walk; only `Serialize` recurses, as serde does, over a document that
//! the parser keeps within 512 levels. Text keeps the source spelling of every number. Everything that goes through
//! serde or becomes a `Value` reads numbers as `serde_json` does, see `read_number`.

use std::fmt;
use std::io;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Number, Value};

use crate::document::Kind;
use crate::view::snapshot::Snapshot;
use crate::view::value::{Elements, ValueRef};

// ---- the walk ----

/// What a [`Walk`] meets, in document order.
pub(crate) enum Event<'a> {
    /// The key of the member whose value comes next.
    Key(&'a str),
    /// A value that is neither an array nor an object (or is missing, at the top only).
    Scalar(ValueRef<'a>),
    /// An array or object begins.
    Open(ValueRef<'a>),
    /// It ends.
    Close(ValueRef<'a>),
}

/// Walks a value depth first, without recursion. Its memory is the depth of the value.
pub(crate) struct Walk<'a> {
    next: Option<ValueRef<'a>>,
    open: Vec<(ValueRef<'a>, Elements<'a>)>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(value: ValueRef<'a>) -> Self {
        Walk { next: Some(value), open: Vec::new() }
    }

    fn enter(&mut self, value: ValueRef<'a>) -> Event<'a> {
        match value.kind() {
            Some(Kind::Array | Kind::Object) => {
                self.open.push((value, value.elements()));
                Event::Open(value)
            }
            _ => Event::Scalar(value),
        }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if let Some(value) = self.next.take() {
            return Some(self.enter(value));
        }
        let (container, children) = self.open.last_mut()?;
        let Some(child) = children.next() else {
            let container = *container;
            self.open.pop();
            return Some(Event::Close(container));
        };
        match child.key() {
            Some(key) => {
                self.next = Some(child);
                Some(Event::Key(key))
            }
            None => Some(self.enter(child)),
        }
    }
}

// ---- JSON text ----

/// Writes a value as compact JSON, numbers as their source text. A missing value is written as `null`.
pub(crate) fn write_json(value: ValueRef<'_>, out: &mut impl fmt::Write) -> fmt::Result {
    let mut comma = false;
    for event in Walk::new(value) {
        let closes = matches!(event, Event::Close(_));
        if comma && !closes {
            out.write_char(',')?;
        }
        comma = true;
        match event {
            Event::Key(key) => {
                write_string(key, out)?;
                out.write_char(':')?;
                comma = false;
            }
            Event::Scalar(value) => write_scalar(value, out)?,
            Event::Open(value) => {
                out.write_char(if value.kind() == Some(Kind::Object) { '{' } else { '[' })?;
                comma = false;
            }
            Event::Close(value) => out.write_char(if value.kind() == Some(Kind::Object) { '}' } else { ']' })?,
        }
    }
    Ok(())
}

fn write_scalar(value: ValueRef<'_>, out: &mut impl fmt::Write) -> fmt::Result {
    if let Some(text) = value.as_str() {
        write_string(text, out)
    } else if let Some(text) = value.number_text() {
        out.write_str(text)
    } else {
        out.write_str(match value.as_bool() {
            Some(true) => "true",
            Some(false) => "false",
            None => "null",
        })
    }
}

/// Writes a string in its quotes, escaped as `serde_json` escapes it.
pub(crate) fn write_string(text: &str, out: &mut impl fmt::Write) -> fmt::Result {
    let plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        out.write_char('"')?;
        out.write_str(text)?;
        out.write_char('"')
    } else {
        serde_json::to_writer(Utf8Writer(out), text).map_err(|_| fmt::Error)
    }
}

/// Lets `serde_json`, which writes bytes, write into text. It hands over whole `str`s and ASCII escapes, so that the
/// check of each piece never fails.
struct Utf8Writer<'w, W>(&'w mut W);

impl<W: fmt::Write> io::Write for Utf8Writer<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_str(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The value so far as compact JSON. Numbers keep their source text; a missing value is `null`.
///
/// ```
/// use jsonrill::Parser;
///
/// let update = Parser::strict().feed(r#"{ "price": 1.50, "note": "say \"hi"#);
/// assert_eq!(update.snapshot().root().to_string(), r#"{"price":1.50,"note":"say \"hi"}"#);
/// ```
impl fmt::Display for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_json(*self, f)
    }
}

/// The document so far as compact JSON. Numbers keep their source text; `null` when nothing has begun.
impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_json(self.root(), f)
    }
}

// ---- numbers ----

/// A number as `serde_json` reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    Unsigned(u64),
    Signed(i64),
    /// A fraction, an exponent, `-0`, or an integer beyond 64 bits.
    Float(f64),
    /// Beyond the range of `f64`, as `1e999` is.
    OutOfRange,
}

/// Reads the text of a number, bit for bit as `serde_json::from_str` does.
///
/// That is not always the nearest `f64`: by default `serde_json` may be off in the last place for long fractions. What
/// goes through serde agrees with `serde_json` all the same, so that a program can move between the two.
pub(crate) fn read_number(text: &str) -> Reading {
    if text != "-0" {
        if let Ok(number) = text.parse() {
            return Reading::Unsigned(number);
        }
        if let Ok(number) = text.parse() {
            return Reading::Signed(number);
        }
    }
    match serde_json::from_str(text) {
        Ok(number) => Reading::Float(number),
        Err(_) => Reading::OutOfRange,
    }
}

/// The `Number` that `serde_json` would read from this text; none where it would refuse it as out of range.
pub(crate) fn to_number(text: &str) -> Option<Number> {
    match read_number(text) {
        Reading::Unsigned(number) => Some(number.into()),
        Reading::Signed(number) => Some(number.into()),
        // Not through the float: with `arbitrary_precision` a `Number` keeps the text.
        Reading::Float(_) | Reading::OutOfRange => serde_json::from_str(text).ok(),
    }
}

// ---- serde_json::Value ----

/// Copies a value out. A missing value is `Null`, and so is a number that no `Number` can hold (`1e999`), which
/// `serde_json` itself refuses to read.
pub(crate) fn to_value(value: ValueRef<'_>) -> Value {
    let mut open: Vec<Partial> = Vec::new();
    for event in Walk::new(value) {
        let done = match event {
            Event::Key(key) => {
                if let Some(Partial::Object(_, slot)) = open.last_mut() {
                    key.clone_into(slot);
                }
                continue;
            }
            Event::Open(value) => {
                open.push(match value.kind() {
                    Some(Kind::Object) => Partial::Object(Map::new(), String::new()),
                    _ => Partial::Array(Vec::new()),
                });
                continue;
            }
            Event::Scalar(value) => scalar_to_value(value),
            Event::Close(_) => match open.pop() {
                Some(Partial::Array(elements)) => Value::Array(elements),
                Some(Partial::Object(members, _)) => Value::Object(members),
                None => Value::Null,
            },
        };
        match open.last_mut() {
            Some(Partial::Array(elements)) => elements.push(done),
            Some(Partial::Object(members, key)) => {
                members.insert(std::mem::take(key), done);
            }
            None => return done,
        }
    }
    Value::Null
}

/// A container being built; an object with the key of the member that is.
enum Partial {
    Array(Vec<Value>),
    Object(Map<String, Value>, String),
}

fn scalar_to_value(value: ValueRef<'_>) -> Value {
    if let Some(text) = value.as_str() {
        Value::String(text.to_owned())
    } else if let Some(text) = value.number_text() {
        to_number(text).map_or(Value::Null, Value::Number)
    } else {
        value.as_bool().map_or(Value::Null, Value::Bool)
    }
}

// ---- serde ----

/// Writes the value so far into any serde format.
///
/// Integers that fit go out as `u64` or `i64`, other numbers as `f64` (infinite beyond its range, which `serde_json`
/// writes as `null`): what every format can hold. A missing value goes out as a unit. Where numbers must keep their
/// spelling, `Display` writes JSON text.
///
/// ```
/// use jsonrill::Parser;
///
/// let update = Parser::strict().feed(r#"{"id": 18446744073709551615, "tags": ["a", "b"#);
/// let text = serde_json::to_string(&update.snapshot().root())?;
/// assert_eq!(text, r#"{"id":18446744073709551615,"tags":["a","b"]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for ValueRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.kind() {
            Some(Kind::Array) => {
                let mut seq = serializer.serialize_seq(Some(self.len()))?;
                for element in self.elements() {
                    seq.serialize_element(&element)?;
                }
                seq.end()
            }
            Some(Kind::Object) => {
                let mut map = serializer.serialize_map(Some(self.len()))?;
                for (key, value) in self.members() {
                    map.serialize_entry(key, &value)?;
                }
                map.end()
            }
            _ => serialize_scalar(*self, serializer),
        }
    }
}

/// Writes the document so far into any serde format, as its root; a unit when nothing has begun.
impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.root().serialize(serializer)
    }
}

fn serialize_scalar<S: Serializer>(value: ValueRef<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    if let Some(text) = value.as_str() {
        serializer.serialize_str(text)
    } else if let Some(text) = value.number_text() {
        serialize_number(text, serializer)
    } else if let Some(flag) = value.as_bool() {
        serializer.serialize_bool(flag)
    } else {
        serializer.serialize_unit()
    }
}

fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match read_number(text) {
        Reading::Unsigned(number) => serializer.serialize_u64(number),
        Reading::Signed(number) => serializer.serialize_i64(number),
        Reading::Float(number) => serializer.serialize_f64(number),
        Reading::OutOfRange if text.starts_with('-') => serializer.serialize_f64(f64::NEG_INFINITY),
        Reading::OutOfRange => serializer.serialize_f64(f64::INFINITY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parser;

    fn snapshot(text: &str) -> Snapshot {
        let mut parser = Parser::strict();
        parser.feed(text);
        parser.snapshot()
    }

    #[test]
    fn text_is_compact_and_keeps_numbers() {
        let cases = [
            ("[]", "[]"),
            ("{}", "{}"),
            ("[ [ ] , { } , [ [ ] ] ]", "[[],{},[[]]]"),
            (r#"{"a":1.50,"b":[1E5,-0,123456789012345678901234567890],"c":{"d":null}}"#, ""),
            (r#"["\"\\\/\b\f\n\r\t\u0001\u007fé\ud83d\ude00", "", "a\nb"]"#, {
                "[\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u{7f}é😀\",\"\",\"a\\nb\"]"
            }),
            (r#"{"\"\n": {"": true}, "x": false}"#, r#"{"\"\n":{"":true},"x":false}"#),
            (r#"{"a": [1, {"b": "ope"#, r#"{"a":[1,{"b":"ope"}]}"#),
        ];
        for (text, expected) in cases {
            let expected = if expected.is_empty() { text } else { expected };
            assert_eq!(snapshot(text).to_string(), expected);
        }
        assert_eq!(snapshot("").to_string(), "null");
    }

    #[test]
    fn values_are_those_of_serde_json() {
        let cases = [
            "null",
            "[true,false,null]",
            "[0,-0,-1,1.0,-1.5e3,18446744073709551615,18446744073709551616]",
            "[-9223372036854775808,-9223372036854775809,1e308,5e-324,1e-400]",
            "[0.1234567890123456789,123456789012345678901234567890.5e-20,2.2250738585072011e-308]",
            r#"{"a":{"b":[{"c":"d"},[],{}]},"e":""}"#,
        ];
        for text in cases {
            let text = format!("{text} ");
            let expected: Value = serde_json::from_str(&text).unwrap();
            let snapshot = snapshot(&text);
            assert_eq!(to_value(snapshot.root()), expected, "{text}");
            assert_eq!(snapshot, expected, "{text}");
            assert_eq!(serde_json::to_value(&snapshot).unwrap(), expected, "{text}");
        }
        assert_eq!(to_value(snapshot("").root()), Value::Null);
        assert_eq!(to_value(snapshot("[1e999]").root()), serde_json::json!([null]));
    }

    #[test]
    fn serde_sees_exact_integers() {
        let text = "[1,-1,18446744073709551615,-9223372036854775808,-0.0]";
        assert_eq!(serde_json::to_string(&snapshot(text)).unwrap(), text);
        assert_eq!(serde_json::to_string(&snapshot("[1e999,-1e999]")).unwrap(), "[null,null]");
        assert_eq!(serde_json::to_string(&snapshot("")).unwrap(), "null");
        assert_eq!(serde_json::to_value(snapshot(r#"{"a":[1,"b"#)).unwrap(), serde_json::json!({"a": [1, "b"]}));
    }

    #[test]
    fn the_deepest_document_goes_out_every_way() {
        let text = format!("{}{}", "[".repeat(512), "]".repeat(512));
        let snapshot = snapshot(&text);
        assert_eq!(snapshot.to_string(), text);
        assert_eq!(to_value(snapshot.root()).to_string(), text);
        assert_eq!(serde_json::to_string(&snapshot).unwrap(), text);
    }
}
