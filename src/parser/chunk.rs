//! What can be fed.

use std::borrow::Cow;

use bytes::{Bytes, BytesMut};

use super::outcome::End;

/// A piece of input: bytes, or text.
///
/// Implemented for the usual owners of bytes and of text. Text need not be checked for UTF-8 again, which is worth a
/// fifth of the time for long strings. For a type of yours, give its bytes.
///
/// ```
/// use jsonrill::{Chunk, Parser};
///
/// struct Token(String);
///
/// impl Chunk for Token {
///     fn bytes(&self) -> &[u8] {
///         self.0.as_bytes()
///     }
///
///     fn text(&self) -> Option<&str> {
///         Some(&self.0)
///     }
/// }
///
/// let mut parser = Parser::new();
/// assert_eq!(parser.feed(Token("[1, 2, ".to_owned())).snapshot().to_value(), serde_json::json!([1, 2]));
/// ```
pub trait Chunk {
    /// The bytes, in any encoding-unaware cut.
    fn bytes(&self) -> &[u8];

    /// The same as text, if they are known to be text. `None` says nothing about the bytes.
    fn text(&self) -> Option<&str> {
        None
    }

    /// Why the text ends behind this, if that is known: a piece of a model's answer may come with its stop reason.
    ///
    /// What reads a stream of chunks ([`JsonStream`](crate::JsonStream), [`Fields`](crate::Fields)) ends the text with
    /// it. A parser that is fed by hand is told by [`Parser::finish`](crate::Parser::finish).
    fn end(&self) -> Option<End> {
        None
    }
}

impl<T: Chunk + ?Sized> Chunk for &T {
    #[inline]
    fn bytes(&self) -> &[u8] {
        (**self).bytes()
    }

    #[inline]
    fn text(&self) -> Option<&str> {
        (**self).text()
    }

    #[inline]
    fn end(&self) -> Option<End> {
        (**self).end()
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl Chunk for $type {
            #[inline]
            fn bytes(&self) -> &[u8] {
                self.as_bytes()
            }

            #[inline]
            fn text(&self) -> Option<&str> {
                Some(self)
            }
        }
    )*};
}

macro_rules! bytes {
    ($($type:ty),*) => {$(
        impl Chunk for $type {
            #[inline]
            fn bytes(&self) -> &[u8] {
                self
            }
        }
    )*};
}

text!(str, String, Box<str>, Cow<'_, str>, std::rc::Rc<str>, std::sync::Arc<str>);
bytes!([u8], Vec<u8>, Box<[u8]>, Cow<'_, [u8]>, std::sync::Arc<[u8]>, Bytes, BytesMut);

impl<const N: usize> Chunk for [u8; N] {
    #[inline]
    fn bytes(&self) -> &[u8] {
        self
    }
}
