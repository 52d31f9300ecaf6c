//! JSON that may be other than it should: what is of the wrong kind is as good as missing, and never an error.
//!
//! Payloads are read by `serde_json` into borrowed structs and not by our own parser: 0.5 µs an event against 1.7 µs,
//! measured on the transcripts in `tests/data/streams`. What `serde_json` refuses is given to our parser afterwards,
//! which also says better what is wrong.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Passes over whatever is of no use, in a visitor that gives its default for it.
macro_rules! ignore {
    (scalars) => {
        ignore!(text);
        ignore!(numbers);
    };
    (numbers) => {
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }

        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }

        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (text) => {
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (always) => {
        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("anything")
        }

        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (object) => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
    (array) => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
            while array.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

/// A string; empty if it is anything else.
#[derive(Debug, Clone, Default)]
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Text<'de>;

            ignore!(always);
            ignore!(numbers);
            ignore!(object);
            ignore!(array);

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// A number that counts something; also one in a string.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count(pub(super) Option<u64>);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Count;

            ignore!(always);
            ignore!(object);
            ignore!(array);

            fn visit_u64<E>(self, number: u64) -> Result<Count, E> {
                Ok(Count(Some(number)))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Count, E> {
                Ok(Count(None))
            }

            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "only of what is whole and small"
            )]
            fn visit_f64<E>(self, number: f64) -> Result<Count, E> {
                Ok(Count(((0.0..1e15).contains(&number) && number.fract() == 0.0).then_some(number as u64)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Count, E> {
                Ok(Count(text.parse().ok()))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// An object; none if it is anything else.
#[derive(Debug, Clone)]
pub(super) struct Object<T>(pub(super) Option<T>);

impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Any<T> {
            type Value = Object<T>;

            ignore!(always);
            ignore!(scalars);
            ignore!(array);

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(|value| Object(Some(value)))
            }
        }

        deserializer.deserialize_any(Any(PhantomData))
    }
}

/// How many elements of an array are read: no payload has as many, and each takes more memory than its text.
const MAX_ELEMENTS: usize = 20_000;

/// An array; empty if it is anything else.
#[derive(Debug, Clone)]
pub(super) struct List<T>(pub(super) Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Any<T> {
            type Value = List<T>;

            ignore!(always);
            ignore!(scalars);
            ignore!(object);

            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<List<T>, A::Error> {
                let mut list = Vec::new();
                while let Some(element) = array.next_element()? {
                    list.push(element);
                    if list.len() == MAX_ELEMENTS {
                        while array.next_element::<IgnoredAny>()?.is_some() {}
                    }
                }
                Ok(List(list))
            }
        }

        deserializer.deserialize_any(Any(PhantomData))
    }
}

/// Any value, as it is written; none for null.
#[derive(Debug, Clone, Copy, Default, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct Raw<'a>(#[serde(borrow)] pub(super) Option<&'a RawValue>);

impl<'a> Raw<'a> {
    /// Its text.
    pub(super) fn json(self) -> Option<&'a str> {
        self.0.map(RawValue::get)
    }

    /// What it holds, if it is a string.
    pub(super) fn string(self) -> Option<Cow<'a, str>> {
        let text = self.json().filter(|json| json.starts_with('"'))?;
        serde_json::from_str::<Text>(text).ok().map(|text| text.0)
    }

    /// Its text on one line, unless it is a string: a blank behind each comma and colon and no others, tokens as they
    /// are. So an object of arguments reads like most that come as text, however its server lays out JSON. What is
    /// neither is there, too, for it must not pass for no arguments; but an empty array does, which is how PHP writes
    /// an empty object.
    pub(super) fn unquoted(self) -> Option<String> {
        let json = self.json().filter(|json| !json.starts_with('"'))?;
        let mut line = String::with_capacity(json.len() + json.len() / 8);
        let (mut in_string, mut escaped) = (false, false);
        for character in json.chars() {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = !in_string,
                ' ' | '\t' | '\n' | '\r' if !in_string => continue,
                _ => {}
            }
            line.push(character);
            if !in_string && matches!(character, ',' | ':') {
                line.push(' ');
            }
        }
        (line != "[]").then_some(line)
    }
}
