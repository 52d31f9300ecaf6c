//! Where a KPI points.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::view::Snapshot;

use super::clip::clip;
use super::measure::figure;
use super::node::{Measured, Node, Whole, open_child};
use super::parse::{self, Segment};

/// How long a path may be, in bytes.
pub(super) const MAX_LENGTH: usize = 4096;

/// A path to the value that a KPI measures: `sections[0].items`, a JSON pointer, or JSONPath.
///
/// | written | meaning |
/// |---|---|
/// | `sections[0].items`, `$.sections[0].items`, `sections.0.items`, `/sections/0/items` | the member `items` of the first element of `sections` |
/// | `["a key"].x`, `a['it\'s']`, `/a~1b` | keys with other signs in them |
/// | `items[-1].pages` | counted from the end |
/// | `items.length`, `items.length()` | the same as `items`, where that is an array |
/// | `$` | the whole document |
/// | `leaves()` | how many values there are that are neither objects nor arrays |
/// | `sections[*].items`, `$..id`, `items[?@.done == true]` | JSONPath ([RFC 9535]), with the feature `jsonpath` |
///
/// What begins with `/` is a JSON pointer, as everywhere else. (The empty one, which is the whole document elsewhere, is
/// an error here: a model that leaves a path empty means nothing by it.) What would be a pointer but for its first `/`
/// (`sections/0/items`), or a pattern (`/sections/*/items`), is an error with a hint, for there would never be anything
/// at it: a key with a `/`, or one that is `*`, is written in brackets and quotes. The leading `$` may be left out. A path that names one place is read without the feature, too, and is followed in a
/// [`Snapshot`](crate::Snapshot) in O(depth). All else is a *query*.
///
/// A query needs a [`serde_json::Value`], so on a snapshot it costs a copy of the document. As it may come from a
/// model, its cost is bounded: a path has at most 4096 bytes, and a query no second `..`, at most 4 commas, no filter
/// in a filter, no selection of many values by an inner `$`, and no regular expressions (`match`, `search`).
///
/// [RFC 9535]: https://www.rfc-editor.org/rfc/rfc9535
///
/// ```
/// use jsonrill::{KpiPath, Parser};
///
/// let update = Parser::new().feed(r#"{"sections": [{"items": ["a", "b"]}, {"items": ["c"#);
/// let path: KpiPath = "sections[0].items".parse()?;
/// assert_eq!(path.measure(update.snapshot()), 2.0);
/// assert_eq!(path.to_string(), "sections[0].items");
///
/// let error = "sections[0.items".parse::<KpiPath>().unwrap_err();
/// assert_eq!(error.to_string(), "`sections[0.items` is no path: expected `]` at byte 10");
/// for (pointer_like, written) in [("sections/0/items", "/sections/0/items"), ("/sections/*/items", "sections[*].items")] {
///     assert!(pointer_like.parse::<KpiPath>().is_err());
/// #   if cfg!(feature = "jsonpath") {
///     assert!(written.parse::<KpiPath>().is_ok());
/// #   }
/// }
/// # Ok::<(), jsonrill::KpiPathError>(())
/// ```
#[derive(Debug, Clone)]
pub struct KpiPath {
    text: String,
    target: Target,
}

#[derive(Debug, Clone)]
enum Target {
    Leaves,
    Place(Vec<Segment>),
    #[cfg(feature = "jsonpath")]
    Query(super::query::Query),
}

impl KpiPath {
    /// How many values there are that are neither objects nor arrays: `leaves()`.
    #[must_use]
    pub fn leaves() -> Self {
        Self { text: parse::LEAVES.to_owned(), target: Target::Leaves }
    }

    /// The path as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is a query, which needs a copy of the document, rather than a path to one place.
    #[must_use]
    pub fn is_query(&self) -> bool {
        match self.target {
            Target::Leaves | Target::Place(_) => false,
            #[cfg(feature = "jsonpath")]
            Target::Query(_) => true,
        }
    }

    /// What there is at the path, as a figure:
    ///
    /// - an array: the number of its elements, the one that is still open among them;
    /// - an object: the number of its members;
    /// - a number: itself, and a string that is a number: that number. Beyond the range of `f64` it is 0;
    /// - `true`: 1;
    /// - anything else, and a value that is missing: 0.
    ///
    /// A query may select many values. Then it is their number, and an array counts as many as it has elements:
    /// `sections[*].items` is the number of items of all sections.
    ///
    /// In a document that grows, no count gets smaller. A number in flight may:
    /// [`Snapshot::without_number_in_flight`](crate::Snapshot::without_number_in_flight) leaves it out.
    ///
    /// # Complexity
    ///
    /// O(length of the path); `leaves()` and queries O(size of the document). A [`serde_json::Value`] that is nested
    /// deeper than [`MAX_DEPTH`](crate::MAX_DEPTH) counts nothing for a query.
    ///
    /// ```
    /// use jsonrill::KpiPath;
    /// use serde_json::json;
    ///
    /// let answer = json!({"list": [1, 2], "map": {"a": 1}, "n": 7.5, "text": "12", "done": true, "name": "Ada"});
    /// let measure = |path: &str| path.parse().map(|path: KpiPath| path.measure(&answer));
    /// assert_eq!((measure("list")?, measure("map")?, measure("n")?), (2.0, 1.0, 7.5));
    /// assert_eq!((measure("text")?, measure("done")?, measure("name")?), (12.0, 1.0, 0.0));
    /// assert_eq!((measure("missing[3].x")?, measure("leaves()")?), (0.0, 7.0));
    /// # Ok::<(), jsonrill::KpiPathError>(())
    /// ```
    #[must_use]
    pub fn measure(&self, document: &(impl Measured + ?Sized)) -> f64 {
        self.measure_in(&Whole::new(document))
    }

    pub(super) fn measure_in(&self, document: &Whole<'_>) -> f64 {
        match &self.target {
            Target::Leaves => document.leaves(),
            Target::Place(segments) => figure(follow(document.root, segments)),
            #[cfg(feature = "jsonpath")]
            Target::Query(query) => {
                let each = |node: Node<'_>| if node.is_array() { node.len() } else { 1 };
                super::number::count(query.select(document.value()).map(|value| each(Node::Owned(value))).sum())
            }
        }
    }
}

impl KpiPath {
    /// How much of a figure is only begun: 1 where the last of what is counted is open.
    ///
    /// Which of its values a query took from the open ones is not known. So it is 1 wherever the cut is inside an
    /// element of an array.
    pub(super) fn begun_in(&self, snapshot: &Snapshot) -> f64 {
        let is_begun = if let Target::Place(segments) = &self.target {
            follow(snapshot.node(), segments).is_some_and(Node::has_open_child)
        } else {
            is_in_element(snapshot)
        };
        f64::from(u8::from(is_begun))
    }
}

/// Whether a document is cut inside an element of an array, however deep.
fn is_in_element(snapshot: &Snapshot) -> bool {
    let mut open = std::iter::successors(Some(snapshot.root()), |value| open_child(*value));
    open.any(|value| value.index().is_some())
}

/// The value that segments lead to.
fn follow<'a>(root: Option<Node<'a>>, segments: &[Segment]) -> Option<Node<'a>> {
    let mut node = root?;
    for segment in segments {
        node = match segment {
            Segment::Index(index) => node.element(*index),
            Segment::FromEnd(back) => {
                node.is_array().then(|| node.len().checked_sub(*back))?.and_then(|at| node.element(at))
            }
            Segment::KeyOrIndex(_, index) if node.is_array() => index.and_then(|index| node.element(index)),
            Segment::Length(_) if node.is_array() => Some(node),
            Segment::Key(key) | Segment::KeyOrIndex(key, _) | Segment::Length(Some(key)) => node.member(key),
            Segment::Length(None) => Some(node),
        }?;
    }
    Some(node)
}

impl FromStr for KpiPath {
    type Err = KpiPathError;

    /// # Errors
    ///
    /// [`KpiPathError`] where the text is no path, or is a query that cannot be asked.
    fn from_str(text: &str) -> Result<Self, KpiPathError> {
        let text = text.trim();
        let fail = |reason, offset| Err(KpiPathError { path: clip(text).into_owned(), offset, reason });
        if text.is_empty() {
            return fail(Reason::Empty, 0);
        }
        if text.len() > MAX_LENGTH {
            return fail(Reason::TooLong, MAX_LENGTH);
        }
        if text.starts_with('/') {
            return match parse::pointer(text) {
                Ok(segments) => Ok(Self { text: text.to_owned(), target: Target::Place(segments) }),
                Err(refused) => fail(Reason::Expected(refused.expected), refused.at),
            };
        }
        if text == parse::LEAVES {
            return Ok(Self::leaves());
        }
        match parse::segments(text) {
            Ok(segments) => Ok(Self { text: text.to_owned(), target: Target::Place(segments) }),
            Err(refused) if !refused.may_be_query => fail(Reason::Expected(refused.expected), refused.at),
            #[cfg(feature = "jsonpath")]
            Err(_) => match super::query::Query::parse(text) {
                Ok(query) => Ok(Self { text: text.to_owned(), target: Target::Query(query) }),
                Err((reason, at)) => fail(reason, at),
            },
            #[cfg(not(feature = "jsonpath"))]
            Err(refused) => fail(Reason::NeedsFeature, refused.at),
        }
    }
}

impl fmt::Display for KpiPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl PartialEq for KpiPath {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for KpiPath {}

impl Serialize for KpiPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for KpiPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Why a text is no path of a KPI, and where. Made by parsing a [`KpiPath`].
///
/// ```
/// use jsonrill::KpiPath;
///
/// let error = "sections[x]".parse::<KpiPath>().unwrap_err();
/// assert_eq!((error.path(), error.offset()), ("sections[x]", 9));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KpiPathError {
    path: String,
    offset: usize,
    reason: Reason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reason {
    Empty,
    TooLong,
    Expected(&'static str),
    #[cfg(not(feature = "jsonpath"))]
    NeedsFeature,
    #[cfg(feature = "jsonpath")]
    TooCostly(&'static str),
    #[cfg(feature = "jsonpath")]
    Query(String),
}

impl KpiPathError {
    /// The path; the start of a long one.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Where it is wrong: bytes from its start, white space before it aside.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for KpiPathError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, offset, reason } = self;
        match reason {
            Reason::Empty => write!(formatter, "the path is empty (the whole document is `$`)"),
            Reason::TooLong => write!(formatter, "`{path}` is too long: a path has at most {MAX_LENGTH} bytes"),
            Reason::Expected(what) => write!(formatter, "`{path}` is no path: expected {what} at byte {offset}"),
            #[cfg(not(feature = "jsonpath"))]
            Reason::NeedsFeature => {
                write!(
                    formatter,
                    "`{path}` is no path to one place (byte {offset}): a query needs the feature `jsonpath`"
                )
            }
            #[cfg(feature = "jsonpath")]
            Reason::TooCostly(what) => write!(formatter, "`{path}` may cost too much: {what} (byte {offset})"),
            #[cfg(feature = "jsonpath")]
            Reason::Query(message) => write!(formatter, "`{path}` is no path: {message} (byte {offset})"),
        }
    }
}

impl std::error::Error for KpiPathError {}
