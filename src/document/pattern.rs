//! Path patterns: which places in a document are meant.

use std::fmt;

use smallvec::SmallVec;

use super::path::{OwnedPath, OwnedToken, Path};
use super::{NodeId, Reader};

/// Places in a document: a JSON pointer in which `*` stands for any member or element, and `**` for any number of
/// levels, none included.
///
/// | pattern | means |
/// |---|---|
/// | `/items/*` | the elements of `/items`, or its members |
/// | `/items/*/name` | the name of each |
/// | `/**/id` | every `id`, at the root and wherever else it is |
/// | `/a/**` | `/a`, and all that is in it |
///
/// As in a pointer, `~1` is a slash in a key and `~0` a tilde; `~2` is a star, for keys that are `*` or `**`
/// themselves. A pattern that is not empty and does not begin with `/` means no place at all.
///
/// ```
/// use jsonrill::PathPattern;
///
/// let pattern = PathPattern::from("/items/*/name");
/// assert_eq!(pattern.to_string(), "/items/*/name");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern {
    /// The way down to the first wildcard.
    top: OwnedPath,
    rest: Box<[Segment]>,
    /// How many segments of the rest stand before its first `**`, if it has one.
    before_deep: Option<usize>,
    text: Box<str>,
}

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    One(OwnedToken),
    Any,
    Deep,
}

impl PathPattern {
    /// The value that all places are in, or are.
    pub(crate) fn top(&self) -> &OwnedPath {
        &self.top
    }

    /// What is asked for in that value.
    pub(crate) fn below(&self) -> Below<'_> {
        Below { segments: &self.rest, before_deep: self.before_deep }
    }
}

impl From<&str> for PathPattern {
    fn from(text: &str) -> Self {
        let mut segments = text.tokens().map(|token| match OwnedToken::new(token) {
            OwnedToken::Plain(raw) if &*raw == "*" => Segment::Any,
            OwnedToken::Plain(raw) if &*raw == "**" => Segment::Deep,
            // What is left is a pointer's token: a `2` behind `~0` is no part of this.
            OwnedToken::Pointer(raw) if raw.contains("~2") => {
                Segment::One(OwnedToken::Pointer(raw.replace("~2", "*").into()))
            }
            token => Segment::One(token),
        });
        let (mut top, mut rest) = (Vec::new(), Vec::new());
        for segment in segments.by_ref() {
            match segment {
                Segment::One(token) => top.push(token),
                wildcard => {
                    rest.push(wildcard);
                    break;
                }
            }
        }
        rest.extend(segments);
        let before_deep = rest.iter().position(|segment| *segment == Segment::Deep);
        Self { top: top.into_iter().collect(), rest: rest.into(), before_deep, text: text.into() }
    }
}

impl From<&String> for PathPattern {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<String> for PathPattern {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// What a pattern asks for in the value at its top. Values are named with their depth below that, and are looked at
/// from there down: one is asked about only if what it is in was worth a look ([`Below::is_on_the_way`]).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Below<'p> {
    segments: &'p [Segment],
    before_deep: Option<usize>,
}

impl Below<'_> {
    /// Whether it does not mean the value at the top itself.
    pub(crate) fn is_strict(self) -> bool {
        self.segments.iter().any(|segment| *segment != Segment::Deep)
    }

    /// Whether there may be something in a value that the pattern means.
    pub(crate) fn is_on_the_way(self, reader: Reader<'_>, node: NodeId, depth: usize) -> bool {
        match self.before_deep {
            Some(fixed) if depth > fixed => true,
            None if depth >= self.segments.len() => false,
            _ => self.fits_last(reader, node, depth),
        }
    }

    /// Whether the pattern means a value.
    pub(crate) fn means(self, reader: Reader<'_>, node: NodeId, depth: usize) -> bool {
        let Some(fixed) = self.before_deep else {
            return depth == self.segments.len() && self.fits_last(reader, node, depth);
        };
        if depth < fixed || depth == fixed && !self.fits_last(reader, node, depth) {
            return false;
        }
        let mut way: SmallVec<[NodeId; 16]> = SmallVec::new();
        let mut at = node;
        for _ in fixed..depth {
            way.push(at);
            at = reader.parent(at);
        }
        way.reverse();
        fits(self.segments.get(fixed..).unwrap_or_default(), &way, |segment, node| segment.fits(reader, node))
    }

    /// Whether a value before the first `**` is called what its segment asks for.
    fn fits_last(self, reader: Reader<'_>, node: NodeId, depth: usize) -> bool {
        let segment = depth.checked_sub(1).and_then(|last| self.segments.get(last));
        segment.is_none_or(|segment| segment.fits(reader, node))
    }
}

impl Segment {
    fn fits(&self, reader: Reader<'_>, node: NodeId) -> bool {
        let Self::One(token) = self else { return true };
        match (reader.key(node), reader.index(node)) {
            (Some(key), _) => token.borrowed().key().is_some_and(|asked| asked == key),
            (None, Some(index)) => token.borrowed().index() == Some(index as usize),
            (None, None) => false,
        }
    }
}

/// Whether segments stand for all of a way, where [`Segment::Deep`] stands for any part of it. Each segment is tried at
/// most once at each place, without recursion.
fn fits<T: Copy>(segments: &[Segment], way: &[T], one: impl Fn(&Segment, T) -> bool) -> bool {
    let (mut segment, mut at) = (0, 0);
    // The last `**`, and how far the way goes that it stands for.
    let mut deep = None;
    loop {
        match (segments.get(segment), way.get(at)) {
            (None, None) => return true,
            (Some(Segment::Deep), _) => {
                segment += 1;
                deep = Some((segment, at));
                continue;
            }
            (Some(asked), Some(&step)) if one(asked, step) => {
                segment += 1;
                at += 1;
                continue;
            }
            _ => {}
        }
        match deep {
            Some((behind, taken)) if taken < way.len() => {
                (segment, at) = (behind, taken + 1);
                deep = Some((behind, taken + 1));
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(pattern: &str, path: &str) -> bool {
        let pattern = PathPattern::from(pattern);
        let mut segments: Vec<_> = pattern.top.0.iter().cloned().map(Segment::One).collect();
        segments.extend(pattern.rest.iter().cloned());
        let way: Vec<_> = path.tokens().map(|token| token.key().unwrap_or_default().into_owned()).collect();
        let steps: Vec<_> = way.iter().map(String::as_str).collect();
        fits(&segments, &steps, |segment, step| match segment {
            Segment::One(token) => token.borrowed().key().is_some_and(|key| key == step),
            Segment::Any | Segment::Deep => true,
        })
    }

    #[test]
    fn wildcards_stand_for_levels() {
        for (pattern, path, expected) in [
            ("", "", true),
            ("", "/a", false),
            ("/a", "/a", true),
            ("/*", "/a", true),
            ("/*", "", false),
            ("/*", "/a/b", false),
            ("/a/*/c", "/a/b/c", true),
            ("/a/*/c", "/a/c", false),
            ("/**", "", true),
            ("/**", "/a/b/c", true),
            ("/**/c", "/c", true),
            ("/**/c", "/a/b/c", true),
            ("/**/c", "/a/c/b", false),
            ("/a/**/c/**/e", "/a/b/c/d/e", true),
            ("/a/**/c/**/e", "/a/c/e", true),
            ("/a/**/c/**/e", "/a/e/c", false),
            ("/**/*/c", "/c", false),
            ("/**/b/*/c", "/b/x/b/y/c", true),
            ("/a~1b/~2", "/a~1b/*", true),
            ("/~2~2", "/**", true),
            ("/~2", "/x", false),
            ("/a~2b/a*b", "/a*b/a*b", true),
            ("/~02", "/~02", true),
            ("*", "/x", false),
        ] {
            assert_eq!(means(pattern, path), expected, "{pattern} {path}");
        }
    }
}
