//! Comparison of values with literals and with [`serde_json::Value`].
//!
//! - Numbers compare by value and never cross between integers and fractions unseen: `1.0` is not the integer 1, nor
//!   is `-0`, which `serde_json` reads as a float, the integer 0. Integers compare exactly at any size.
//! - With a float, a fraction compares as the nearest float to its text; an integer must be exactly that float.
//! - With a `Value`, numbers compare as `serde_json` reads them, so that a value equals its own `to_value()`
//!   (unless it is beyond an `f64`, which `to_value` cannot hold).
//! - A missing value equals nothing.

use std::fmt::{self, Write as _};

use serde_json::{Number, Value};

use crate::document::Kind;
use crate::view::ser::to_number;
use crate::view::snapshot::Snapshot;
use crate::view::value::ValueRef;

/// Compares in both directions, by one function from the value and the other's reference.
macro_rules! compare {
    ($($(#[$doc:meta])* $other:ty => $same:expr;)+) => {$(
        $(#[$doc])*
        impl PartialEq<$other> for ValueRef<'_> {
            fn eq(&self, other: &$other) -> bool {
                let same: fn(ValueRef<'_>, &$other) -> bool = $same;
                same(*self, other)
            }
        }

        impl PartialEq<ValueRef<'_>> for $other {
            fn eq(&self, other: &ValueRef<'_>) -> bool {
                other == self
            }
        }
    )+};
}

macro_rules! compare_integers {
    ($($integer:ty)+) => {
        compare! {$(
            // An integer that does not fit the type fails to parse, and so do fractions and exponents.
            $integer => |value, other| {
                integer_text(value).and_then(|text| text.parse::<$integer>().ok()) == Some(*other)
            };
        )+}
    };
}

compare! {
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let update = Parser::strict().feed(r#"{"msg": "Hel"#);
    /// assert!(update.snapshot().at("/msg") == *"Hel");
    /// ```
    str => |value, other| value.as_str() == Some(other);
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let update = Parser::strict().feed(r#"{"msg": "Hel"#);
    /// assert_eq!(update.snapshot().at("/msg"), "Hel");
    /// assert_ne!(update.snapshot().at("/missing"), "");
    /// ```
    &str => |value, other| value.as_str() == Some(*other);
    String => |value, other| value.as_str() == Some(other.as_str());
    bool => |value, other| value.as_bool() == Some(*other);
    /// `null` is the unit.
    ///
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let update = Parser::strict().feed(r#"{"nick": null, "x": "#);
    /// assert_eq!(update.snapshot().at("/nick"), ());
    /// assert_ne!(update.snapshot().at("/x"), ()); // not there yet
    /// ```
    () => |value, &()| value.is_null();
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let update = Parser::strict().feed("[0.1, 2, 9007199254740993, 1e3]");
    /// let list = update.snapshot().root();
    /// assert_eq!(list.at("/0"), 0.1);
    /// assert_eq!(list.at("/1"), 2.0);
    /// assert_ne!(list.at("/2"), 9_007_199_254_740_992.0); // the nearest float, but another number
    /// assert_eq!(list.at("/3"), 1000.0);
    /// assert_ne!(list.at("/3"), 1000); // a fraction or an exponent makes no integer
    /// ```
    f64 => |value, other| same_float(value, other, *other);
    f32 => |value, other| same_float(value, other, f64::from(*other));
    /// ```
    /// use jsonrill::Parser;
    /// use serde_json::json;
    ///
    /// let update = Parser::strict().feed(r#"{"b": [1, 2.50], "a": "x"#);
    /// assert_eq!(update.snapshot().root(), json!({"a": "x", "b": [1, 2.5]}));
    /// assert_ne!(update.snapshot().at("/b/0"), json!(1.0));
    /// ```
    Value => same_value;
}

compare_integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

/// Compares the document so far. A snapshot in which nothing has begun equals nothing, not even `null`.
///
/// ```
/// use jsonrill::Parser;
/// use serde_json::json;
///
/// let mut parser = Parser::strict();
/// assert_eq!(*parser.feed(r#"{"a": ["#).snapshot(), json!({"a": []}));
/// assert_eq!(json!({"a": [true]}), *parser.feed("true").snapshot());
/// ```
impl PartialEq<Value> for Snapshot {
    fn eq(&self, other: &Value) -> bool {
        same_value(self.root(), other)
    }
}

impl PartialEq<Snapshot> for Value {
    fn eq(&self, other: &Snapshot) -> bool {
        other == self
    }
}

/// The text of a number that is an integer as `serde_json` sees it: without fraction and exponent, and not `-0`.
fn integer_text(value: ValueRef<'_>) -> Option<&str> {
    value.number_text().filter(|&text| text != "-0" && !text.contains(['.', 'e', 'E']))
}

/// Compares with a float of either size, given as itself and widened.
fn same_float<F>(value: ValueRef<'_>, other: &F, wide: f64) -> bool
where
    F: PartialEq + std::str::FromStr,
{
    if !wide.is_finite() {
        return false;
    }
    if let Some(text) = integer_text(value) {
        same_integer(text, wide)
    } else {
        value.number_text().and_then(|text| text.parse::<F>().ok()).is_some_and(|number| number == *other)
    }
}

/// Whether a float is exactly the integer with this text.
fn same_integer(text: &str, float: f64) -> bool {
    if float.fract() != 0.0 {
        return false;
    }
    // Without decimals a float is written exactly, all digits of it. Adding zero makes -0.0 write as 0.
    let mut rest = Expect(text);
    write!(rest, "{:.0}", float + 0.0).is_ok() && rest.0.is_empty()
}

/// A sink that fails at the first departure from the text it expects.
struct Expect<'t>(&'t str);

impl fmt::Write for Expect<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// Compares with a `Value` of any depth, without recursion: what is not compared yet waits on a stack.
fn same_value(value: ValueRef<'_>, other: &Value) -> bool {
    let mut waiting = vec![(value, other)];
    while let Some((value, other)) = waiting.pop() {
        match other {
            Value::Array(others) => {
                if value.kind() != Some(Kind::Array) || value.len() != others.len() {
                    return false;
                }
                for (element, other) in value.elements().zip(others) {
                    if !same_or_wait(element, other, &mut waiting) {
                        return false;
                    }
                }
            }
            Value::Object(others) => {
                // Keys are unique on both sides, so equal counts and one inclusion make equal sets.
                if value.kind() != Some(Kind::Object) || value.len() != others.len() {
                    return false;
                }
                for (key, member) in value.members() {
                    let Some(other) = others.get(key) else { return false };
                    if !same_or_wait(member, other, &mut waiting) {
                        return false;
                    }
                }
            }
            _ => {
                if !same_scalar(value, other) {
                    return false;
                }
            }
        }
    }
    true
}

/// Compares scalars at once, so that the stack holds containers only.
fn same_or_wait<'a, 'v>(value: ValueRef<'a>, other: &'v Value, waiting: &mut Vec<(ValueRef<'a>, &'v Value)>) -> bool {
    if other.is_array() || other.is_object() {
        waiting.push((value, other));
        true
    } else {
        same_scalar(value, other)
    }
}

fn same_scalar(value: ValueRef<'_>, other: &Value) -> bool {
    match other {
        Value::Null => value.is_null(),
        Value::Bool(flag) => value.as_bool() == Some(*flag),
        Value::String(text) => value.as_str() == Some(text.as_str()),
        Value::Number(number) => same_number(value, number),
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn same_number(value: ValueRef<'_>, other: &Number) -> bool {
    value.number_text().and_then(to_number).is_some_and(|number| number == *other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parser;
    use serde_json::json;

    fn snapshot(text: &str) -> Snapshot {
        let mut parser = Parser::strict();
        parser.feed(text);
        parser.snapshot()
    }

    /// Whether a number with this text equals the other side, both ways round.
    #[expect(clippy::needless_pass_by_value, reason = "literals read better without a reference")]
    fn equal<T>(text: &str, other: T) -> bool
    where
        T: for<'a> PartialEq<ValueRef<'a>>,
        for<'a> ValueRef<'a>: PartialEq<T>,
    {
        let snapshot = snapshot(&format!("[{text}]"));
        let value = snapshot.root().at("/0");
        assert!(value.exists(), "{text}");
        let one = value == other;
        assert_eq!(one, other == value, "{text}");
        one
    }

    #[test]
    fn integers_are_exact() {
        assert!(equal("1", 1) && equal("1", 1u8) && equal("1", 1i128) && equal("1", 1usize));
        assert!(equal("-128", i8::MIN) && !equal("128", -128i8) && !equal("256", 0u8));
        assert!(equal("18446744073709551615", u64::MAX) && !equal("18446744073709551615", -1));
        assert!(equal("340282366920938463463374607431768211455", u128::MAX));
        assert!(!equal("340282366920938463463374607431768211456", u128::MAX));
        assert!(equal("-170141183460469231731687303715884105728", i128::MIN));
        assert!(!equal("9007199254740993", 9_007_199_254_740_992_u64));
        for text in ["1.0", "1e0", "10e-1"] {
            assert!(!equal(text, 1) && equal(text, 1.0) && equal(text, 1.0f32), "{text}");
        }
        assert!(!equal("-0", 0) && !equal("-0", 0u8) && equal("-0", 0.0) && equal("-0", -0.0));
    }

    #[test]
    fn floats_compare_by_value() {
        assert!(equal("0.1", 0.1) && equal("0.1", 0.1f32) && !equal("0.1", f64::from(0.1f32)));
        assert!(equal("0", -0.0) && equal("0", 0.0) && equal("2", 2.0) && !equal("2", 2.5) && equal("-3", -3.0f32));
        assert!(equal("100000000000000000000", 1e20) && !equal("100000000000000000001", 1e20));
        assert!(!equal("9007199254740993", 9_007_199_254_740_992.0));
        assert!(!equal("1e999", f64::INFINITY) && !equal("1e999", f64::MAX) && !equal("1", f64::NAN));
        assert!(!equal("16777217", 16_777_216.0f32));
        let max = format!("{:.0}", f64::MAX);
        assert!(equal(&max, f64::MAX) && !equal(&max, f64::INFINITY));
    }

    #[test]
    fn other_literals() {
        assert!(equal("\"a\"", "a") && equal("\"a\"", String::from("a")) && !equal("\"1\"", 1) && !equal("1", "1"));
        assert!(equal("true", true) && !equal("true", false) && !equal("1", true) && !equal("null", false));
        assert!(equal("null", ()) && !equal("false", ()) && !equal("\"\"", ()));
        let snapshot = snapshot(r#"["a"]"#);
        assert!(snapshot.root().at("/0") == *"a" && *"a" == snapshot.root().at("/0"));
    }

    #[test]
    fn missing_equals_nothing() {
        let snapshot = snapshot("{");
        let missing = snapshot.root().at("/x");
        assert!(missing != () && missing != Value::Null && missing != *"" && missing != false && missing != 0);
        assert!(missing != json!({}) && missing != json!([]));
        assert!(Parser::strict().snapshot() != Value::Null);
    }

    #[test]
    fn values_of_serde_json() {
        let text = r#"{"a":[1,1.0,-0,"x",null,true,{"b":[],"c":{}}],"d":18446744073709551616}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert!(snapshot(text) == value && value == snapshot(text));
        assert!(snapshot(text).root() == value && value == snapshot(text).root());
        for other in [
            r#"{"a":[1,1.0,-0,"x",null,true,{"b":[],"c":{}}]}"#,
            r#"{"a":[1,1.0,-0,"x",null,true,{"b":[],"c":{}}],"d":18446744073709551616,"e":0}"#,
            r#"{"a":[1,1.0,-0,"x",null,true,{"b":[],"c":[]}],"d":18446744073709551616}"#,
            r#"{"a":[1.0,1.0,-0,"x",null,true,{"b":[],"c":{}}],"d":18446744073709551616}"#,
            r#"{"a":[1,1.0,-0,"x",null,true,{"b":[],"c":{}}],"D":18446744073709551616}"#,
            r#"{"a":[1,1.0,0,"x",null,true,{"b":[],"c":{}}],"d":18446744073709551616}"#,
            r#"{"a":[1,1.0,-0,"x",null,true,{"b":[],"c":{}},{}],"d":18446744073709551616}"#,
            r#"{"a":{"0":1},"d":18446744073709551616}"#,
            "[]",
        ] {
            let other: Value = serde_json::from_str(other).unwrap();
            assert!(snapshot(text) != other, "{other}");
        }
        assert!(equal("1", json!(1)) && !equal("1", json!(1.0)) && !equal("1e999", Value::Null));
    }
}
