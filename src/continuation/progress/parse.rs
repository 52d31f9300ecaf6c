//! Reads a path that names one place: keys with dots, indices and quoted keys in brackets; or a JSON pointer.
//!
//! It reads all paths of RFC 9535 that name one place (its *singular queries*) as the RFC does, and in names more signs
//! than the RFC allows. What it refuses may still be a query.

use crate::document::{Path as _, Token};

/// How the number of leaves is written.
pub(super) const LEAVES: &str = "leaves()";

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Segment {
    Key(String),
    Index(usize),
    /// Counted from the end: 1 is the last.
    FromEnd(usize),
    /// A name without quotes: a key, or an index if it is written like one.
    KeyOrIndex(String, Option<usize>),
    /// `length` at the end: an array itself, or the member of that name; `length()`, which is no name, has none.
    Length(Option<String>),
}

/// Why a text does not name one place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) expected: &'static str,
    pub(super) at: usize,
    pub(super) may_be_query: bool,
}

/// The segments of a JSON pointer.
///
/// A `*` in it is a key, says RFC 6901. But in the pointers of [`PathPattern`](crate::PathPattern) it is all of them, and
/// who writes it here means that: it would measure 0 for ever.
pub(super) fn pointer(text: &str) -> Result<Vec<Segment>, Refused> {
    let mut at = 0;
    for key in text.split('/') {
        if key == "*" || key == "**" {
            return Err(Refused {
                expected: "a key (a query counts all, as in `a[*].b`; the key `*` itself is `['*']`)",
                at,
                may_be_query: false,
            });
        }
        at += key.len() + 1;
    }
    let segment = |token: Token<'_>| Some(Segment::KeyOrIndex(token.key()?.into_owned(), token.index()));
    text.tokens().map(segment).collect::<Option<_>>().ok_or_else(|| {
        let is_bad = |(at, _): &(usize, &str)| !text.get(at + 1..).unwrap_or_default().starts_with(['0', '1']);
        let at = text.match_indices('~').find(is_bad).map_or(0, |(at, _)| at);
        Refused { expected: "`~0` or `~1`", at, may_be_query: false }
    })
}

/// The segments of a path. Without a leading `$` one is understood.
pub(super) fn segments(text: &str) -> Result<Vec<Segment>, Refused> {
    let mut reader = Reader { text, at: 0 };
    let mut segments = Vec::new();
    let has_root = text == "$" || text.starts_with("$.") || text.starts_with("$[");
    if has_root {
        reader.at = 1;
    } else if !text.starts_with(['.', '[']) {
        segments.push(reader.name()?);
    }
    while let Some(sign) = reader.peek() {
        segments.push(match sign {
            '.' => {
                reader.at += 1;
                reader.name()?
            }
            '[' => reader.bracket()?,
            _ => return Err(reader.refuse("`.` or `[`")),
        });
    }
    if let Some(last) = segments.last_mut()
        && let Segment::KeyOrIndex(name, _) = last
        && name == "length"
    {
        *last = Segment::Length(Some(std::mem::take(name)));
    }
    Ok(segments)
}

/// Signs that only queries have outside quotes, and that names without quotes have not.
const OF_QUERIES: [char; 8] = ['*', '?', '(', ')', ',', '\'', '"', ']'];

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// What is refused here. A query has a sign of its own.
    fn refuse(&self, expected: &'static str) -> Refused {
        let may_be_query =
            self.text.contains(['*', '?', ':', ',', '(', ' ', '\t', '\n', '\r']) || self.text.contains("..");
        Refused { expected, at: self.at, may_be_query }
    }

    /// A key without quotes, up to the next dot or bracket.
    fn name(&mut self) -> Result<Segment, Refused> {
        let rest = self.rest();
        let name = rest.find(['.', '[']).and_then(|end| rest.get(..end)).unwrap_or(rest);
        if name == "length()" && name.len() == rest.len() {
            self.at = self.text.len();
            return Ok(Segment::Length(None));
        }
        if name.is_empty() || name.trim() != name {
            return Err(self.refuse("a key"));
        }
        if let Some(place) = name.find('/') {
            self.at += place;
            return Err(Refused {
                expected: "a key without `/` (a JSON pointer begins with one; a key that has it is `['a/b']`)",
                at: self.at,
                may_be_query: false,
            });
        }
        if let Some(place) = name.find(OF_QUERIES) {
            self.at += place;
            return Err(self.refuse("a key without signs, or one in brackets and quotes"));
        }
        self.at += name.len();
        Ok(Segment::KeyOrIndex(name.to_owned(), index(name)))
    }

    /// An index or a quoted key in brackets.
    fn bracket(&mut self) -> Result<Segment, Refused> {
        self.at += 1;
        let segment = match self.peek() {
            Some(quote @ ('"' | '\'')) => Segment::Key(self.quoted(quote)?),
            _ => self.index()?,
        };
        if self.peek() != Some(']') {
            return Err(self.refuse("`]`"));
        }
        self.at += 1;
        Ok(segment)
    }

    fn index(&mut self) -> Result<Segment, Refused> {
        const EXPECTED: &str = "an index or a quoted key";
        let rest = self.rest();
        let (is_back, digits) = rest.strip_prefix('-').map_or((false, rest), |digits| (true, digits));
        let end = digits.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(digits.len());
        let number = digits.get(..end).and_then(index).ok_or_else(|| self.refuse(EXPECTED))?;
        let segment = match (is_back, number) {
            (false, _) => Segment::Index(number),
            (true, 0) => return Err(self.refuse(EXPECTED)),
            (true, _) => Segment::FromEnd(number),
        };
        self.at += end + usize::from(is_back);
        Ok(segment)
    }

    /// A key in quotes, with the escapes of JSON, and its own quote escaped.
    fn quoted(&mut self, quote: char) -> Result<String, Refused> {
        let start = self.at;
        let mut json = String::from("\"");
        let mut signs = self.rest().char_indices().skip(1);
        while let Some((place, sign)) = signs.next() {
            match sign {
                '\\' => match signs.next() {
                    Some((_, '\'')) if quote == '\'' => json.push('\''),
                    Some((_, '"')) if quote == '\'' => break,
                    Some((_, escaped)) => json.extend(['\\', escaped]),
                    None => break,
                },
                _ if sign == quote => {
                    json.push('"');
                    self.at = start + place + 1;
                    return serde_json::from_str(&json).map_err(|_| {
                        self.at = start;
                        self.refuse("a key whose escapes are those of JSON")
                    });
                }
                '"' => json.push_str("\\\""),
                _ => json.push(sign),
            }
        }
        Err(self.refuse("a key that its quote ends"))
    }
}

/// An index: decimal digits without leading zeros.
fn index(text: &str) -> Option<usize> {
    let is_index = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if is_index { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: &str) -> Segment {
        Segment::Key(key.to_owned())
    }

    fn name(name: &str) -> Segment {
        Segment::KeyOrIndex(name.to_owned(), name.parse().ok())
    }

    #[test]
    fn one_place_in_every_spelling() {
        for (text, expected) in [
            ("$", vec![]),
            ("a", vec![name("a")]),
            ("$.a", vec![name("a")]),
            (".a", vec![name("a")]),
            (
                "sections[0].elements[12].items",
                vec![name("sections"), Segment::Index(0), name("elements"), Segment::Index(12), name("items")],
            ),
            ("$[0][1].a", vec![Segment::Index(0), Segment::Index(1), name("a")]),
            ("[0].a", vec![Segment::Index(0), name("a")]),
            ("a.0.b", vec![name("a"), name("0"), name("b")]),
            ("a[-1]", vec![name("a"), Segment::FromEnd(1)]),
            ("$['a']['b c'].d", vec![key("a"), key("b c"), name("d")]),
            ("[\"a.b\"][\"\"]", vec![key("a.b"), key("")]),
            (r#"['it\'s "so"']"#, vec![key("it's \"so\"")]),
            (r#"["a\"b'\\\n\u00e9\ud83d\ude00"]"#, vec![key("a\"b'\\\né😀")]),
            (
                "my-key.größe.$ref.@type.x:y.a b",
                vec![name("my-key"), name("größe"), name("$ref"), name("@type"), name("x:y"), name("a b")],
            ),
            ("$schema.x", vec![name("$schema"), name("x")]),
            ("items.length", vec![name("items"), Segment::Length(Some("length".to_owned()))]),
            ("items.length()", vec![name("items"), Segment::Length(None)]),
            ("length.a", vec![name("length"), name("a")]),
            ("['length']", vec![key("length")]),
        ] {
            assert_eq!(segments(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn pointers_are_those_of_views() {
        for (text, expected) in [
            ("/a/0/b", vec![name("a"), name("0"), name("b")]),
            ("/a~1b/c~0d/01", vec![key_or_none("a/b"), key_or_none("c~d"), key_or_none("01")]),
            ("/", vec![key_or_none("")]),
            ("/a/length", vec![name("a"), key_or_none("length")]),
            ("/a.b/$", vec![key_or_none("a.b"), key_or_none("$")]),
        ] {
            assert_eq!(pointer(text), Ok(expected), "{text}");
        }
        for (text, at) in [("/s/*/i", 3), ("/*", 1), ("/a/**", 3), ("/a/*/~", 3)] {
            let refused = pointer(text).unwrap_err();
            assert!(refused.at == at && !refused.may_be_query && refused.expected.contains("`['*']`"), "{text}");
        }
        assert_eq!(pointer("/a*/x"), Ok(vec![key_or_none("a*"), key_or_none("x")]));
        for (text, at) in [("/a/~", 3), ("/~0~2", 3), ("/a~x/b", 2)] {
            assert_eq!(pointer(text), Err(Refused { expected: "`~0` or `~1`", at, may_be_query: false }), "{text}");
        }
    }

    /// A key that is no index.
    fn key_or_none(key: &str) -> Segment {
        Segment::KeyOrIndex(key.to_owned(), None)
    }

    #[test]
    fn what_is_wrong_and_where() {
        for (text, expected, at) in [
            ("a.", "a key", 2),
            ("a[", "an index or a quoted key", 2),
            ("a[x]", "an index or a quoted key", 2),
            ("a[01]", "an index or a quoted key", 2),
            ("a[-0]", "an index or a quoted key", 2),
            ("a[99999999999999999999999]", "an index or a quoted key", 2),
            ("a[0", "`]`", 3),
            ("a[0]b", "`.` or `[`", 4),
            ("a['b]", "a key that its quote ends", 2),
            ("a['b\\", "a key that its quote ends", 2),
            (r#"['a\"']"#, "a key that its quote ends", 1),
            (r"['\ud83d']", "a key whose escapes are those of JSON", 1),
            (r"['\x']", "a key whose escapes are those of JSON", 1),
            ("a]", "a key without signs, or one in brackets and quotes", 1),
        ] {
            assert_eq!(segments(text), Err(Refused { expected, at, may_be_query: false }), "{text}");
        }
        for (text, at) in [("s/0/i", 1), ("a.b/c", 3), ("$/s/0", 1), ("s/*/i", 1), ("a[0].b/c", 6)] {
            let refused = segments(text).unwrap_err();
            assert!(refused.at == at && !refused.may_be_query && refused.expected.contains("JSON pointer"), "{text}");
        }
        assert_eq!(segments("a['b/c']"), Ok(vec![name("a"), key("b/c")]));
        for text in ["a[*]", "$..a", "a.*", "$[?@.x]", "a[1:2]", "a[0,1]", "$ .a", "$[ 0 ]", "a.length().b", "a(b)"] {
            assert!(segments(text).unwrap_err().may_be_query, "{text}");
        }
    }
}
