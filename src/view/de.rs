//! Values into the user's own types: a [`serde::Deserializer`] over a value reference.
//!
//! It reads what `serde_json` reads from the same text, with two differences: strings and keys are borrowed from the
//! snapshot where the type allows (they are decoded there, so that escapes do not matter), and a value that is not
//! there yet makes an `Option` none and anything else an error.

use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};

use crate::document::Kind;
use crate::view::ser::{Reading, read_number};
use crate::view::value::{Elements, Members, ValueRef};

/// Reads a value into a type; errors know their place.
pub(crate) fn deserialize<'de, T: Deserialize<'de>>(value: ValueRef<'de>) -> Result<T, DeserializeError> {
    T::deserialize(value).map_err(|error| error.at(value))
}

/// Why a value does not fit the type it was to be read into, and where.
///
/// ```
/// use jsonrill::Parser;
///
/// #[derive(serde::Deserialize, Debug)]
/// struct Card {
///     sizes: Vec<u8>,
/// }
///
/// let update = Parser::strict().feed(r#"{"sizes": [1, 300]}"#);
/// let error = update.snapshot().deserialize::<Card>().unwrap_err();
/// assert_eq!(error.path(), Some("/sizes/1"));
/// assert_eq!(error.message(), "invalid value: integer `300`, expected u8");
/// assert_eq!(error.to_string(), r#"invalid value: integer `300`, expected u8 at "/sizes/1""#);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DeserializeError {
    // Boxed so that results stay small on their way up.
    inner: Box<Inner>,
}

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    message: String,
    path: Option<String>,
}

impl DeserializeError {
    /// What went wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// The JSON pointer of the value that did not fit, when it is known.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.inner.path.as_deref()
    }

    #[cold]
    fn new(message: impl fmt::Display) -> Self {
        DeserializeError { inner: Box::new(Inner { message: message.to_string(), path: None }) }
    }

    /// Notes the place, unless a deeper one is noted already.
    #[cold]
    fn at(mut self, value: ValueRef<'_>) -> Self {
        if self.inner.path.is_none() && value.exists() {
            self.inner.path = Some(value.path());
        }
        self
    }
}

impl fmt::Display for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.inner.message)?;
        match self.path() {
            None => Ok(()),
            Some("") => f.write_str(" at the root"),
            Some(path) => write!(f, " at {path:?}"),
        }
    }
}

impl fmt::Debug for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeserializeError").field("message", &self.message()).field("path", &self.path()).finish()
    }
}

impl std::error::Error for DeserializeError {}

impl de::Error for DeserializeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        DeserializeError::new(message)
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        // serde says "unit value" for what JSON calls null.
        if unexpected == Unexpected::Unit {
            DeserializeError::new(format_args!("invalid type: null, expected {expected}"))
        } else {
            DeserializeError::new(format_args!("invalid type: {unexpected}, expected {expected}"))
        }
    }
}

/// Describes a value to an error.
fn unexpected(value: ValueRef<'_>) -> Unexpected<'_> {
    match value.kind() {
        None => Unexpected::Other("nothing"),
        Some(Kind::Null) => Unexpected::Unit,
        Some(Kind::Bool) => Unexpected::Bool(value.as_bool().unwrap_or_default()),
        Some(Kind::String) => Unexpected::Str(value.as_str().unwrap_or_default()),
        Some(Kind::Array) => Unexpected::Seq,
        Some(Kind::Object) => Unexpected::Map,
        Some(Kind::Number) => match read_number(value.number_text().unwrap_or_default()) {
            Reading::Unsigned(number) => Unexpected::Unsigned(number),
            Reading::Signed(number) => Unexpected::Signed(number),
            Reading::Float(number) => Unexpected::Float(number),
            Reading::OutOfRange => Unexpected::Other("number out of range"),
        },
    }
}

fn visit_number<'de, V: Visitor<'de>>(text: &str, visitor: V) -> Result<V::Value, DeserializeError> {
    match read_number(text) {
        Reading::Unsigned(number) => visitor.visit_u64(number),
        Reading::Signed(number) => visitor.visit_i64(number),
        Reading::Float(number) => visitor.visit_f64(number),
        Reading::OutOfRange => Err(DeserializeError::new("number out of range")),
    }
}

/// Beyond 64 bits an integer is a float to most types; these two methods are how a type asks for all of its digits.
macro_rules! deserialize_wide {
    ($($method:ident $integer:ty => $visit:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
            match self.number_text().map(|text| (read_number(text), text.parse::<$integer>())) {
                Some((Reading::Float(_), Ok(number))) if number != 0 => visitor.$visit(number),
                _ => self.deserialize_any(visitor),
            }
        }
    )+};
}

/// Reads the value so far into any type; this is what `deserialize` uses.
///
/// Strings and the keys of objects are lent to types that borrow (`&str`, `Cow` with `#[serde(borrow)]`). Integers
/// come as `u64` or `i64`, for `u128` and `i128` with all their digits, otherwise as `f64`. Enums are read as
/// `serde_json` reads them: the name of a unit variant, or an object of one member.
///
/// ```
/// use jsonrill::Parser;
///
/// #[derive(serde::Deserialize, PartialEq, Debug)]
/// struct Card<'a> {
///     title: &'a str,
///     body: Option<&'a str>,
/// }
///
/// let update = Parser::strict().feed(r#"{"title": "caf\u00e9", "#);
/// let card: Card = update.snapshot().deserialize()?;
/// assert_eq!(card, Card { title: "café", body: None });
/// # Ok::<(), jsonrill::DeserializeError>(())
/// ```
impl<'de> Deserializer<'de> for ValueRef<'de> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        let read = match self.kind() {
            None => Err(DeserializeError::new("there is no value here yet")),
            Some(Kind::Null) => visitor.visit_unit(),
            Some(Kind::Bool) => visitor.visit_bool(self.as_bool().unwrap_or_default()),
            Some(Kind::Number) => visit_number(self.number_text().unwrap_or_default(), visitor),
            Some(Kind::String) => visitor.visit_borrowed_str(self.as_str().unwrap_or_default()),
            Some(Kind::Array) => visit_array(self, visitor),
            Some(Kind::Object) => visit_object(self, visitor),
        };
        read.map_err(|error| error.at(self))
    }

    deserialize_wide! {
        deserialize_i128 i128 => visit_i128
        deserialize_u128 u128 => visit_u128
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.as_str() {
            Some(text) => {
                visitor.visit_borrowed_bytes(text.as_bytes()).map_err(|error: DeserializeError| error.at(self))
            }
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        if self.exists() && !self.is_null() { visitor.visit_some(self) } else { visitor.visit_none() }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        let read = match self.kind() {
            Some(Kind::String) => {
                let variant = self.as_str().unwrap_or_default();
                visitor.visit_enum(Enum { variant, content: None })
            }
            Some(Kind::Object) => {
                let mut members = self.members();
                match (members.next(), members.next()) {
                    (Some((variant, content)), None) => visitor.visit_enum(Enum { variant, content: Some(content) }),
                    _ => Err(de::Error::invalid_value(Unexpected::Map, &"map with a single key")),
                }
            }
            None => Err(DeserializeError::new("there is no value here yet")),
            Some(_) => Err(de::Error::invalid_type(unexpected(self), &"string or map")),
        };
        read.map_err(|error| error.at(self))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string unit unit_struct seq tuple tuple_struct map struct
        identifier
    }
}

impl<'de> IntoDeserializer<'de, DeserializeError> for ValueRef<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

// ---- arrays and objects ----

fn visit_array<'de, V: Visitor<'de>>(array: ValueRef<'de>, visitor: V) -> Result<V::Value, DeserializeError> {
    let mut access = Array { elements: array.elements(), left: array.len() };
    let value = visitor.visit_seq(&mut access)?;
    // A tuple reads as many elements as it has; more than that is an error, as in serde_json.
    match access.elements.next() {
        None => Ok(value),
        Some(_) => Err(de::Error::invalid_length(array.len(), &"fewer elements in array")),
    }
}

fn visit_object<'de, V: Visitor<'de>>(object: ValueRef<'de>, visitor: V) -> Result<V::Value, DeserializeError> {
    let mut access = Object { members: object.members(), value: None, left: object.len() };
    let value = visitor.visit_map(&mut access)?;
    match access.members.next() {
        None => Ok(value),
        Some(_) => Err(de::Error::invalid_length(object.len(), &"fewer elements in map")),
    }
}

struct Array<'de> {
    elements: Elements<'de>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Array<'de> {
    type Error = DeserializeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DeserializeError> {
        let Some(element) = self.elements.next() else { return Ok(None) };
        self.left = self.left.saturating_sub(1);
        seed.deserialize(element).map(Some).map_err(|error| error.at(element))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

struct Object<'de> {
    members: Members<'de>,
    /// The value of the key that was read last.
    value: Option<ValueRef<'de>>,
    left: usize,
}

impl<'de> MapAccess<'de> for Object<'de> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DeserializeError> {
        let Some((key, value)) = self.members.next() else { return Ok(None) };
        self.left = self.left.saturating_sub(1);
        self.value = Some(value);
        seed.deserialize(Key(key)).map(Some).map_err(|error| error.at(value))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DeserializeError> {
        match self.value.take() {
            Some(value) => seed.deserialize(value).map_err(|error| error.at(value)),
            None => Err(DeserializeError::new("a value was asked for before its key")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

// ---- keys ----

/// A key, which is text, but may be read as the number, boolean or unit variant that it spells.
struct Key<'de>(&'de str);

impl Key<'_> {
    /// Whether the key is exactly a JSON number.
    fn is_number(&self) -> bool {
        // serde_json would allow blanks around it.
        let blank = |text: &str| text.trim() != text;
        !blank(self.0) && serde_json::from_str::<serde_json::Number>(self.0).is_ok()
    }
}

macro_rules! deserialize_numeric_key {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
            if self.is_number() { visit_number(self.0, visitor) } else { self.deserialize_any(visitor) }
        }
    )+};
}

macro_rules! deserialize_wide_key {
    ($($method:ident $integer:ty => $visit:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
            match self.0.parse::<$integer>() {
                Ok(number) if self.is_number() => visitor.$visit(number),
                _ => self.deserialize_any(visitor),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_borrowed_str(self.0)
    }

    deserialize_numeric_key! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    deserialize_wide_key! {
        deserialize_i128 i128 => visit_i128
        deserialize_u128 u128 => visit_u128
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_borrowed_bytes(self.0.as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_enum(Enum { variant: self.0, content: None })
    }

    forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

// ---- enums ----

/// An enum: the name of its variant, and what the variant holds, if anything.
struct Enum<'de> {
    variant: &'de str,
    content: Option<ValueRef<'de>>,
}

impl<'de> EnumAccess<'de> for Enum<'de> {
    type Error = DeserializeError;
    type Variant = Variant<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Variant<'de>), DeserializeError> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<DeserializeError>::new(self.variant))?;
        Ok((variant, Variant(self.content)))
    }
}

struct Variant<'de>(Option<ValueRef<'de>>);

impl<'de> Variant<'de> {
    /// The content, when it is of one of these kinds.
    fn content(self, kinds: &[Kind], expected: &str) -> Result<ValueRef<'de>, DeserializeError> {
        let Some(content) = self.0 else {
            return Err(de::Error::invalid_type(Unexpected::UnitVariant, &expected));
        };
        if content.kind().is_some_and(|kind| kinds.contains(&kind)) {
            Ok(content)
        } else {
            let error: DeserializeError = de::Error::invalid_type(unexpected(content), &expected);
            Err(error.at(content))
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = DeserializeError;

    fn unit_variant(self) -> Result<(), DeserializeError> {
        self.0.map_or(Ok(()), deserialize)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DeserializeError> {
        match self.0 {
            Some(content) => seed.deserialize(content).map_err(|error| error.at(content)),
            None => Err(de::Error::invalid_type(Unexpected::UnitVariant, &"newtype variant")),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, DeserializeError> {
        self.content(&[Kind::Array], "tuple variant")?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        self.content(&[Kind::Object, Kind::Array], "struct variant")?.deserialize_any(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parser;
    use crate::view::snapshot::Snapshot;
    use serde::de::DeserializeOwned;
    use serde_json::Value;
    use std::borrow::Cow;
    use std::collections::{BTreeMap, HashMap};

    fn snapshot(text: &str) -> Snapshot {
        let mut parser = Parser::strict();
        parser.feed(text);
        parser.snapshot()
    }

    fn read<T: DeserializeOwned>(text: &str) -> Result<T, DeserializeError> {
        deserialize(snapshot(text).root())
    }

    /// Reads as `serde_json` does: the same value, or an error from both.
    fn agree<T: DeserializeOwned + PartialEq + fmt::Debug>(texts: &[&str]) {
        for text in texts {
            // A blank ends a number at the root.
            let text = format!("{text} ");
            let ours = read::<T>(&text);
            match serde_json::from_str::<T>(&text) {
                Ok(theirs) => assert_eq!(ours.unwrap(), theirs, "{text}"),
                Err(_) => assert!(ours.is_err(), "{text}: {ours:?}"),
            }
        }
    }

    #[derive(Deserialize, PartialEq, Debug)]
    struct Unit;

    #[derive(Deserialize, PartialEq, Debug)]
    struct New(u8);

    #[derive(Deserialize, PartialEq, Debug)]
    struct Pair(u8, String);

    #[derive(Deserialize, PartialEq, Debug)]
    struct Named {
        a: i32,
        #[serde(default)]
        b: Option<String>,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    enum Shape {
        Unit,
        New(u8),
        Pair(u8, String),
        Named { a: i32 },
        Deep(Box<Shape>),
    }

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(tag = "type")]
    enum Tagged {
        A { x: f64 },
        B { y: Vec<Value> },
    }

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Any {
        Number(i64),
        Float(f64),
        Text(String),
        List(Vec<Any>),
    }

    #[derive(Deserialize, PartialEq, Debug)]
    struct Flat {
        id: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }

    #[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
    enum Name {
        X,
        Y,
    }

    #[test]
    fn scalars_as_serde_json_reads_them() {
        let numbers = [
            "0",
            "-0",
            "-1",
            "1",
            "255",
            "256",
            "1.0",
            "1e2",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775808",
            "-9223372036854775809",
            "340282366920938463463374607431768211455",
            "340282366920938463463374607431768211456",
            "-170141183460469231731687303715884105728",
            "1e999",
            "0.1",
            "0.12345678901234567890123",
            "true",
            "null",
            "\"1\"",
            "[]",
            "{}",
        ];
        agree::<u8>(&numbers);
        agree::<i64>(&numbers);
        agree::<u64>(&numbers);
        agree::<f64>(&numbers);
        agree::<f32>(&numbers);
        agree::<Value>(&numbers);
        agree::<bool>(&numbers);
        agree::<()>(&numbers);
        agree::<String>(&numbers);
        agree::<Option<f64>>(&numbers);
        agree::<Unit>(&numbers);
        agree::<New>(&numbers);
        agree::<Any>(&numbers);
        agree::<char>(&["\"x\"", "\"é\"", "\"xy\"", "\"\"", "1"]);
    }

    #[test]
    fn wide_integers_keep_all_digits() {
        for text in ["0", "1", "340282366920938463463374607431768211455", "18446744073709551616"] {
            assert_eq!(read::<u128>(&format!("{text} ")).unwrap().to_string(), text);
        }
        for text in ["-1", "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"] {
            assert_eq!(read::<i128>(&format!("{text} ")).unwrap().to_string(), text);
        }
        assert!(read::<u128>("340282366920938463463374607431768211456 ").is_err());
        assert!(read::<u128>("-1 ").is_err());
        assert!(read::<i128>("1.0 ").is_err());
        assert!(read::<i128>("-0 ").is_err());
    }

    #[test]
    fn containers_as_serde_json_reads_them() {
        let texts = [
            "[]",
            "{}",
            "[1]",
            "[1,\"x\"]",
            "[1,\"x\",2]",
            r#"{"a":1}"#,
            r#"{"a":1,"b":"x"}"#,
            r#"{"b":"x"}"#,
            r#"{"a":1,"b":null,"c":[{"d":1}]}"#,
            r#"{"a":"1"}"#,
            "[1,null]",
            "null",
            "\"x\"",
        ];
        agree::<Value>(&texts);
        agree::<Vec<u8>>(&texts);
        agree::<(u8, String)>(&texts);
        agree::<Pair>(&texts);
        agree::<Named>(&texts);
        agree::<[u8; 1]>(&texts);
        agree::<Option<Named>>(&texts);
        agree::<HashMap<String, Value>>(&texts);
        agree::<BTreeMap<String, Option<u8>>>(&texts);
        agree::<Flat>(&[r#"{"id":1,"x":[1.5,{"y":null}],"z":"é"}"#, r#"{"x":1}"#]);
        agree::<Any>(&["[1,2.5,\"x\",[[]]]", "[1,null]"]);
        agree::<Tagged>(&[r#"{"type":"A","x":1}"#, r#"{"y":[1,{}],"type":"B"}"#, r#"{"type":"C"}"#, "{}"]);
    }

    #[test]
    fn enums_as_serde_json_reads_them() {
        agree::<Shape>(&[
            "\"Unit\"",
            "\"New\"",
            "\"Other\"",
            "{}",
            "1",
            "null",
            "[]",
            r#"{"Unit":null}"#,
            r#"{"Unit":1}"#,
            r#"{"New":1}"#,
            r#"{"New":"x"}"#,
            r#"{"Pair":[1,"x"]}"#,
            r#"{"Pair":[1]}"#,
            r#"{"Pair":[1,"x",2]}"#,
            r#"{"Pair":{}}"#,
            r#"{"Pair":1}"#,
            r#"{"Named":{"a":1}}"#,
            r#"{"Named":[1]}"#,
            r#"{"Named":1}"#,
            r#"{"Named":{}}"#,
            r#"{"Deep":{"Deep":"Unit"}}"#,
            r#"{"Unit":null,"New":1}"#,
            r#"{"Other":1}"#,
        ]);
    }

    #[test]
    fn keys_may_spell_other_types() {
        agree::<BTreeMap<u8, u8>>(&[r#"{"1":2,"255":3}"#, r#"{"256":1}"#, r#"{"x":1}"#, r#"{" 1":1}"#, r#"{"01":1}"#]);
        agree::<BTreeMap<i128, u8>>(&[r#"{"-170141183460469231731687303715884105728":1}"#, r#"{"+1":1}"#]);
        agree::<BTreeMap<bool, u8>>(&[r#"{"true":1,"false":0}"#, r#"{"yes":1}"#]);
        agree::<BTreeMap<Option<String>, u8>>(&[r#"{"a":1}"#]);
        agree::<BTreeMap<char, u8>>(&[r#"{"a":1}"#, r#"{"ab":1}"#]);
        agree::<BTreeMap<Name, u8>>(&[r#"{"X":1,"Y":2}"#, r#"{"Z":1}"#]);
    }

    #[test]
    fn strings_are_lent() {
        #[derive(Deserialize)]
        struct Lent<'a> {
            plain: &'a str,
            #[serde(borrow)]
            cow: Cow<'a, str>,
            bytes: &'a [u8],
            map: HashMap<&'a str, &'a str>,
        }
        let snapshot = snapshot(r#"{"plain":"a\nb","cow":"\u00e9","bytes":"xyz","map":{"\u006b":"v"}}"#);
        let lent: Lent<'_> = deserialize(snapshot.root()).unwrap();
        assert_eq!(lent.plain, "a\nb");
        assert!(matches!(lent.cow, Cow::Borrowed("é")));
        assert_eq!(lent.bytes, b"xyz");
        assert_eq!(lent.map.get("k"), Some(&"v"));
    }

    #[test]
    fn what_is_missing_is_none_or_an_error() {
        let snapshot = snapshot(r#"{"a": 1, "b": "#);
        let missing = snapshot.root().at("/b");
        assert_eq!(deserialize::<Option<u8>>(missing).unwrap(), None);
        let error = deserialize::<u8>(missing).unwrap_err();
        assert_eq!(error.to_string(), "there is no value here yet");
        assert!(deserialize::<Value>(missing).is_err());
        assert!(deserialize::<Shape>(missing).is_err());
        assert!(deserialize::<de::IgnoredAny>(missing).is_ok());
        assert_eq!(read::<Named>(r#"{"a": 1, "b": "x"#).unwrap(), Named { a: 1, b: Some("x".to_owned()) });
    }

    #[test]
    fn errors_know_their_place() {
        #[derive(Deserialize, Debug)]
        #[serde(try_from = "u8")]
        struct Even;
        impl TryFrom<u8> for Even {
            type Error = &'static str;
            fn try_from(number: u8) -> Result<Self, Self::Error> {
                if number.is_multiple_of(2) { Ok(Even) } else { Err("odd") }
            }
        }
        fn place<T: DeserializeOwned + fmt::Debug>(text: &str) -> (String, Option<String>) {
            let error = read::<T>(text).unwrap_err();
            (error.message().to_owned(), error.path().map(str::to_owned))
        }
        let at = |message: &str, path: &str| (message.to_owned(), Some(path.to_owned()));
        assert_eq!(place::<Vec<Even>>("[2,3]"), at("odd", "/1"));
        assert_eq!(place::<Even>("3 "), at("odd", ""));
        assert_eq!(place::<HashMap<String, Vec<u8>>>(r#"{"a/b":[1,null]}"#), {
            at("invalid type: null, expected u8", "/a~1b/1")
        });
        assert_eq!(place::<Vec<Named>>(r#"[{"a":1},{"b":""}]"#), at("missing field `a`", "/1"));
        assert_eq!(place::<Vec<Shape>>(r#"[{"New":"x"}]"#), {
            at("invalid type: string \"x\", expected u8", "/0/New")
        });
        assert_eq!(place::<Vec<Shape>>("[1]"), at("invalid type: integer `1`, expected string or map", "/0"));
        assert_eq!(place::<BTreeMap<u8, u8>>(r#"{"x":1}"#), at("invalid type: string \"x\", expected u8", "/x"));
        let error = read::<u8>("true ").unwrap_err();
        assert_eq!(error.to_string(), "invalid type: boolean `true`, expected u8 at the root");
    }

    #[test]
    fn the_deepest_document_is_read() {
        let text = format!("{}{}", "[".repeat(512), "]".repeat(512));
        assert_eq!(read::<Value>(&text).unwrap().to_string(), text);
        let text = format!("{}1{}", "{\"a\":".repeat(512), "}".repeat(512));
        assert_eq!(read::<Value>(&text).unwrap().to_string(), text);
    }
}
