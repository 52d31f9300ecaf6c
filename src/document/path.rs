//! Paths: how a place in a document is written.
//!
//! A path is a JSON pointer ([RFC 6901]) or a list of [`Step`]s. Both turn into [`Token`]s, and a reader that walks a
//! document matches tokens, never text. The difference between the two is what a token may stand for: `0` in a
//! pointer is a member of an object and an element of an array, while a step says which of them it is.
//!
//! [RFC 6901]: https://www.rfc-editor.org/rfc/rfc6901

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// One step down from a value: to a member by its key, or to an element by its index.
///
/// Steps need no escaping, so they are the better path where a key comes from data.
///
/// ```
/// use jsonrill::{Parser, Step};
///
/// let update = Parser::strict().feed(r#"{"a/b": [10, 20]}"#);
/// let snapshot = update.snapshot();
/// assert_eq!(snapshot.at([Step::Key("a/b"), Step::Index(1)]), 20);
/// assert_eq!(snapshot.at(["a/b".into(), 1.into()]), 20);
/// assert_eq!(snapshot.at("/a~1b/1"), 20); // the same as a pointer
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step<'a> {
    /// The member of an object that has this key.
    Key(&'a str),
    /// The element of an array at this index, counted from 0.
    Index(usize),
}

impl<'a> From<&'a str> for Step<'a> {
    fn from(key: &'a str) -> Self {
        Step::Key(key)
    }
}

impl<'a> From<&'a String> for Step<'a> {
    fn from(key: &'a String) -> Self {
        Step::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Step::Index(index)
    }
}

/// What one part of a path asks for: a member with some key, an element at some index, either or neither.
///
/// It is decoded when it is asked, for most are asked for one of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'p> {
    /// The text between two slashes of a pointer, with a `~` in it.
    Pointer(&'p str),
    /// The same without one.
    Plain(&'p str),
    /// A key, as it is.
    Key(&'p str),
    /// An index.
    Index(usize),
    /// Nothing that any document has: what a text asks for that is no pointer.
    Nothing(&'p str),
}

impl<'p> Token<'p> {
    /// The key it names when the value is an object.
    #[inline]
    pub(crate) fn key(self) -> Option<Cow<'p, str>> {
        match self {
            Self::Pointer(raw) => unescape(raw),
            Self::Key(key) | Self::Plain(key) => Some(Cow::Borrowed(key)),
            Self::Index(_) | Self::Nothing(_) => None,
        }
    }

    /// The index it names when the value is an array.
    #[inline]
    pub(crate) fn index(self) -> Option<usize> {
        match self {
            Self::Plain(raw) => index(raw),
            Self::Index(index) => Some(index),
            Self::Pointer(_) | Self::Key(_) | Self::Nothing(_) => None,
        }
    }
}

impl<'p> From<Step<'p>> for Token<'p> {
    fn from(step: Step<'p>) -> Self {
        match step {
            Step::Key(key) => Token::Key(key),
            Step::Index(index) => Token::Index(index),
        }
    }
}

/// The tokens of a [`Path`], from the root down.
#[derive(Debug, Clone)]
pub struct Tokens<'p> {
    rest: Rest<'p>,
}

#[derive(Debug, Clone)]
enum Rest<'p> {
    /// What follows the slash; `None` at the end.
    Pointer(Option<&'p str>),
    Steps(std::slice::Iter<'p, Step<'p>>),
    /// A text that is no pointer.
    Malformed(&'p str),
}

impl<'p> Tokens<'p> {
    fn pointer(text: &'p str) -> Self {
        let rest = match text.as_bytes().first() {
            Some(b'/') => Rest::Pointer(text.get(1..)),
            Some(_) => Rest::Malformed(text),
            None => Rest::Pointer(None),
        };
        Tokens { rest }
    }

    fn steps(steps: &'p [Step<'p>]) -> Self {
        Tokens { rest: Rest::Steps(steps.iter()) }
    }
}

impl<'p> Iterator for Tokens<'p> {
    type Item = Token<'p>;

    #[inline]
    fn next(&mut self) -> Option<Token<'p>> {
        match &mut self.rest {
            Rest::Pointer(rest) => {
                let text = (*rest)?;
                // By bytes: for a few of them that is much cheaper than a search made for long texts.
                let (mut slash, mut escaped) = (0, false);
                for byte in text.bytes().take_while(|byte| *byte != b'/') {
                    escaped |= byte == b'~';
                    slash += 1;
                }
                *rest = text.get(slash + 1..);
                let raw = text.get(..slash).unwrap_or_default();
                Some(if escaped { Token::Pointer(raw) } else { Token::Plain(raw) })
            }
            Rest::Steps(steps) => steps.next().map(|&step| step.into()),
            Rest::Malformed(text) => {
                let text = *text;
                self.rest = Rest::Pointer(None);
                Some(Token::Nothing(text))
            }
        }
    }
}

impl std::iter::FusedIterator for Tokens<'_> {}

/// What a token names in an array.
#[derive(Clone, Copy)]
pub(crate) enum Named {
    Element(usize),
    /// What no array has.
    Nothing,
    /// There is no such token.
    End,
}

impl Tokens<'_> {
    /// Takes the next token, and says what it names in an array.
    #[inline]
    pub(crate) fn next_named(&mut self) -> Named {
        if let Rest::Pointer(Some(text)) = &mut self.rest
            && let [first @ b'0'..=b'9', rest @ ..] = text.as_bytes()
        {
            let (mut index, mut length) = (usize::from(first - b'0'), 1);
            // More digits than eight are rare, and might not fit.
            for byte in rest.iter().take(7) {
                let digit = byte.wrapping_sub(b'0');
                if digit > 9 || *first == b'0' {
                    break;
                }
                index = index * 10 + usize::from(digit);
                length += 1;
            }
            match text.as_bytes().get(length) {
                Some(b'/') | None => {
                    self.rest = Rest::Pointer(text.get(length + 1..));
                    return Named::Element(index);
                }
                Some(_) => {}
            }
        }
        self.next().map_or(Named::End, |token| token.index().map_or(Named::Nothing, Named::Element))
    }
}

/// A place in a document: a JSON pointer, or a list of [`Step`]s.
///
/// Implemented for `&str` and `String` (pointers), and for slices, arrays and vectors of steps. A malformed pointer,
/// which is one that is not empty and does not begin with `/`, or has a `~` before anything but `0` and `1`, names a
/// place that no document has: `"reply"` for `"/reply"` finds nothing, ever.
///
/// ```
/// use jsonrill::Parser;
///
/// let update = Parser::strict().feed(r#"{"list": ["a", "b"], "0": true}"#);
/// let snapshot = update.snapshot();
/// assert_eq!(snapshot.at("/list/1"), "b");
/// assert_eq!(snapshot.at("/0"), true);
/// assert!(snapshot.at("").exists()); // the root
/// assert!(!snapshot.at("list").exists()); // malformed
/// assert!(!snapshot.at("/list/01").exists()); // an index has no leading zeros
/// ```
///
/// The trait is sealed: it is to be named in bounds, not implemented elsewhere.
pub trait Path: sealed::Sealed {
    #[doc(hidden)]
    fn tokens(&self) -> Tokens<'_>;
}

mod sealed {
    use super::Step;

    pub trait Sealed {}
    impl Sealed for str {}
    impl Sealed for String {}
    impl Sealed for [Step<'_>] {}
    impl<const N: usize> Sealed for [Step<'_>; N] {}
    impl Sealed for Vec<Step<'_>> {}
    impl<T: Sealed + ?Sized> Sealed for &T {}
}

impl Path for str {
    fn tokens(&self) -> Tokens<'_> {
        Tokens::pointer(self)
    }
}

impl Path for String {
    fn tokens(&self) -> Tokens<'_> {
        Tokens::pointer(self)
    }
}

impl Path for [Step<'_>] {
    fn tokens(&self) -> Tokens<'_> {
        Tokens::steps(self)
    }
}

impl<const N: usize> Path for [Step<'_>; N] {
    fn tokens(&self) -> Tokens<'_> {
        Tokens::steps(self)
    }
}

impl Path for Vec<Step<'_>> {
    fn tokens(&self) -> Tokens<'_> {
        Tokens::steps(self)
    }
}

impl<T: Path + ?Sized> Path for &T {
    fn tokens(&self) -> Tokens<'_> {
        (**self).tokens()
    }
}

/// A path to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnedPath(pub(super) Box<[OwnedToken]>);

/// A token to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OwnedToken {
    Pointer(Box<str>),
    Plain(Box<str>),
    Key(Box<str>),
    Index(usize),
    Nothing(Box<str>),
}

impl OwnedPath {
    pub(crate) fn new(path: impl Path) -> Self {
        path.tokens().map(OwnedToken::new).collect()
    }

    pub(crate) fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        self.0.iter().map(OwnedToken::borrowed)
    }
}

impl FromIterator<OwnedToken> for OwnedPath {
    fn from_iter<I: IntoIterator<Item = OwnedToken>>(tokens: I) -> Self {
        Self(tokens.into_iter().collect())
    }
}

impl fmt::Display for OwnedPath {
    /// The path as a pointer.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|token| fmt::Display::fmt(token, formatter))
    }
}

impl OwnedToken {
    pub(crate) fn new(token: Token<'_>) -> Self {
        match token {
            Token::Pointer(raw) => Self::Pointer(raw.into()),
            Token::Plain(raw) => Self::Plain(raw.into()),
            Token::Key(key) => Self::Key(key.into()),
            Token::Index(index) => Self::Index(index),
            Token::Nothing(text) => Self::Nothing(text.into()),
        }
    }

    pub(crate) fn borrowed(&self) -> Token<'_> {
        match self {
            Self::Pointer(raw) => Token::Pointer(raw),
            Self::Plain(raw) => Token::Plain(raw),
            Self::Key(key) => Token::Key(key),
            Self::Index(index) => Token::Index(*index),
            Self::Nothing(text) => Token::Nothing(text),
        }
    }
}

impl fmt::Display for OwnedToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pointer(raw) | Self::Plain(raw) => write!(formatter, "/{raw}"),
            Self::Key(key) => {
                let mut token = String::new();
                push_token(&mut token, key);
                formatter.write_str(&token)
            }
            Self::Index(index) => write!(formatter, "/{index}"),
            Self::Nothing(text) => formatter.write_str(text),
        }
    }
}

/// Undoes `~1` and `~0`; nothing when a `~` stands before anything else.
#[cold]
fn unescape(raw: &str) -> Option<Cow<'_, str>> {
    let mut parts = raw.split('~');
    let mut key = String::with_capacity(raw.len());
    key.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let rest = if let Some(rest) = part.strip_prefix('1') {
            key.push('/');
            rest
        } else {
            key.push('~');
            part.strip_prefix('0')?
        };
        key.push_str(rest);
    }
    Some(Cow::Owned(key))
}

/// Reads an array index: decimal digits without leading zeros (RFC 6901, section 4).
#[inline]
fn index(raw: &str) -> Option<usize> {
    if raw.is_empty() || (raw.len() > 1 && raw.starts_with('0')) {
        return None;
    }
    raw.bytes().try_fold(0_usize, |index, byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 { None } else { index.checked_mul(10)?.checked_add(usize::from(digit)) }
    })
}

/// Appends the token of a member to a pointer.
pub(crate) fn push_token(out: &mut String, key: &str) {
    out.push('/');
    let mut rest = key;
    while let Some(at) = rest.find(['~', '/']) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        out.push_str(if special.starts_with('~') { "~0" } else { "~1" });
        rest = special.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// Appends the token of an element to a pointer.
pub(crate) fn push_index(out: &mut String, index: usize) {
    // Writing to a String cannot fail.
    let _ = write!(out, "/{index}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(path: impl Path) -> Vec<Option<String>> {
        path.tokens().map(|token| token.key().map(Cow::into_owned)).collect()
    }

    fn some(keys: &[&str]) -> Vec<Option<String>> {
        keys.iter().map(|&key| Some(key.to_owned())).collect()
    }

    #[test]
    fn the_pointers_of_rfc_6901() {
        assert_eq!(keys(""), some(&[]));
        assert_eq!(keys("/foo"), some(&["foo"]));
        assert_eq!(keys("/foo/0"), some(&["foo", "0"]));
        assert_eq!(keys("/"), some(&[""]));
        assert_eq!(keys("//"), some(&["", ""]));
        assert_eq!(keys("/a~1b"), some(&["a/b"]));
        assert_eq!(keys("/c%d"), some(&["c%d"]));
        assert_eq!(keys("/m~0n"), some(&["m~n"]));
        assert_eq!(keys("/~01"), some(&["~1"]));
        assert_eq!(keys("/~0~1~1x"), some(&["~//x"]));
        assert_eq!(keys("/é/ "), some(&["é", " "]));
    }

    #[test]
    fn malformed_pointers_match_nothing() {
        for text in ["foo", "0", "#/foo", " /foo", "/~", "/~2", "/a~", "/~~0", "/~é"] {
            let tokens: Vec<_> = text.tokens().map(|token| (token.key(), token.index())).collect();
            assert_eq!(tokens, [(None, None)], "{text}");
        }
        assert_eq!(keys("/a/~/b"), [Some("a".to_owned()), None, Some("b".to_owned())]);
    }

    #[test]
    fn indices_follow_rfc_6901() {
        let read = |raw: &'static str| Token::Plain(raw).index();
        assert_eq!(read("0"), Some(0));
        assert_eq!(read("10"), Some(10));
        for raw in ["", "-", "00", "01", "+1", "-1", "1.0", "1e0", " 1", "١", "99999999999999999999999"] {
            assert_eq!(read(raw), None, "{raw}");
        }
    }

    #[test]
    fn steps_are_one_or_the_other() {
        let steps = [Step::Key("0"), Step::Index(0)];
        let expected = [Token::Key("0"), Token::Index(0)];
        assert_eq!(steps.tokens().collect::<Vec<_>>(), expected);
        assert_eq!(steps.as_slice().tokens().collect::<Vec<_>>(), expected);
        assert_eq!(steps.to_vec().tokens().collect::<Vec<_>>(), expected);
        let (by_value, text) = (keys(steps), String::from("/a"));
        assert_eq!(keys(steps.as_slice()), by_value);
        assert_eq!(keys(&steps[..]), by_value);
        assert_eq!(keys(&text), keys("/a"));
        assert_eq!(keys(text), keys("/a"));
    }

    #[test]
    fn what_is_pushed_reads_back() {
        for key in ["", "a", "/", "~", "~1", "~0", "a/b~c", "//~~", "é/ü~", "0", "-"] {
            let mut pointer = String::from("/x");
            push_token(&mut pointer, key);
            push_index(&mut pointer, 12);
            assert_eq!(keys(pointer.as_str()), some(&["x", key, "12"]), "{pointer}");
        }
    }
}
