//! Values in a snapshot.

use std::{fmt, iter};

use serde::Deserialize;
use serde_json::Value;

use crate::document::path::{push_index, push_token};
use crate::document::{Kind, Missing, NodeId, NodeKind, Path, Reader, Replacing, Span, Step, Token};

use super::ambiguity::State;
use super::snapshot::Snapshot;
use super::{DeserializeError, de, ser};

/// A value in a [`Snapshot`], or the news that there is none.
///
/// It is a small copy, not the value: reading through it costs nothing until it is asked something. A reference to
/// what is not there says so ([`ValueRef::exists`]), answers `None` to all questions, equals nothing, and still knows
/// whether the value may come ([`ValueRef::state`]).
///
/// ```
/// use jsonrill::{Kind, Parser, State};
///
/// let update = Parser::new().feed(r#"{"user": {"name": "Ada", "age": 36}, "tags": ["#);
/// let user = update.snapshot().at("/user");
/// assert_eq!(user.kind(), Some(Kind::Object));
/// assert_eq!(user.get("name").as_str(), Some("Ada"));
/// assert_eq!(user.members().map(|(key, _)| key).collect::<Vec<_>>(), ["name", "age"]);
///
/// let missing = user.get("email");
/// assert!(!missing.exists());
/// assert_eq!(missing.state(), State::Absent); // the object is closed
/// assert_eq!(update.snapshot().at("/tags/0").state(), State::Pending);
/// ```
#[derive(Clone, Copy)]
pub struct ValueRef<'a> {
    snapshot: &'a Snapshot,
    /// [`NodeId::NONE`] for a missing value.
    node: NodeId,
    /// How many containers it is in; for a missing value 0 where it may come, 1 where it cannot.
    level: u32,
}

impl<'a> ValueRef<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot, node: NodeId, level: u32) -> Self {
        Self { snapshot, node, level }
    }

    pub(crate) fn missing(snapshot: &'a Snapshot, absent: bool) -> Self {
        Self { snapshot, node: NodeId::NONE, level: u32::from(absent) }
    }

    pub(crate) fn reader(self) -> Reader<'a> {
        self.snapshot.reader()
    }

    pub(crate) fn snapshot(self) -> &'a Snapshot {
        self.snapshot
    }

    pub(crate) fn node(self) -> NodeId {
        self.node
    }

    pub(crate) fn level(self) -> u32 {
        self.level
    }

    fn node_kind(self) -> Option<NodeKind> {
        (!self.node.is_none()).then(|| self.reader().kind(self.node))
    }

    fn is_container(self) -> bool {
        self.node_kind().is_some_and(NodeKind::is_container)
    }

    /// Whether there is a value.
    #[must_use]
    pub fn exists(self) -> bool {
        !self.node.is_none()
    }

    /// Its kind. A number in flight may still turn out to be text, every other kind stays.
    #[must_use]
    pub fn kind(self) -> Option<Kind> {
        self.node_kind().map(NodeKind::public)
    }

    /// Whether it is `null`. A missing value is not.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.node_kind() == Some(NodeKind::Null)
    }

    /// The boolean, if it is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.node_kind()? {
            NodeKind::True => Some(true),
            NodeKind::False => Some(false),
            _ => None,
        }
    }

    /// The text of a string, so far.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        (self.node_kind()? == NodeKind::String).then(|| self.reader().text(self.node))
    }

    /// The text of a number, exactly as it was written (a repaired one as it would be written in JSON). Of one in
    /// flight the longest part that is a number: `1` of `1.`.
    #[must_use]
    pub fn number_text(self) -> Option<&'a str> {
        (self.node_kind()? == NodeKind::Number).then(|| self.reader().text(self.node))
    }

    /// The number, if it is written as an integer and fits. `-0` is none: it is a fraction, as for `serde_json`.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.number_text().filter(|text| *text != "-0")?.parse().ok()
    }

    /// The number, if it is written as an integer and fits.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.number_text()?.parse().ok()
    }

    /// The number, rounded to the nearest `f64`; `None` where it is too large for one.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.number_text()?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// How many members or elements it has so far; 0 for everything else.
    #[must_use]
    pub fn len(self) -> usize {
        if self.is_container() { self.reader().count(self.level, self.node) as usize } else { 0 }
    }

    /// Whether it has no members or elements.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The member with this key, or the element at this index.
    ///
    /// # Complexity
    ///
    /// At most 32 children are looked at, whatever the size of the container.
    #[must_use]
    pub fn get<'s>(self, step: impl Into<Step<'s>>) -> ValueRef<'a> {
        self.child(step.into().into())
    }

    /// The value at a path from here: a JSON pointer, or steps.
    #[must_use]
    pub fn at(self, path: impl Path) -> ValueRef<'a> {
        self.find(path.tokens())
    }

    /// What a token names in it.
    #[inline]
    pub(crate) fn child(self, token: Token<'_>) -> Self {
        self.find(iter::once(token))
    }

    #[inline]
    fn find<'p>(self, tokens: impl Iterator<Item = Token<'p>>) -> Self {
        if self.node.is_none() {
            return self;
        }
        match self.reader().find(self.level, self.node, tokens) {
            Ok((level, node)) => Self::new(self.snapshot, node, level),
            // It may come, too, if another may take the container's place.
            Err(Missing { level, container, may_come }) => {
                let container = Self::new(self.snapshot, container, level);
                Self::missing(self.snapshot, !may_come && !container.may_be_replaced())
            }
        }
    }

    /// The members of an object, in the order of the text; nothing for everything else.
    #[must_use]
    pub fn members(self) -> Members<'a> {
        let is_object = self.node_kind() == Some(NodeKind::Object);
        Members(if is_object { self.elements() } else { Elements::none(self.snapshot) })
    }

    /// The elements of an array or the values of an object, in the order of the text; nothing for everything else.
    #[must_use]
    pub fn elements(self) -> Elements<'a> {
        if !self.is_container() {
            return Elements::none(self.snapshot);
        }
        Elements {
            snapshot: self.snapshot,
            next: self.reader().first_child(self.level, self.node),
            level: self.level + 1,
            left: self.len(),
        }
    }

    /// Its key, if it is a member of an object.
    #[must_use]
    pub fn key(self) -> Option<&'a str> {
        if self.level == 0 {
            return None;
        }
        self.reader().key(self.node)
    }

    /// Its index, if it is an element of an array.
    #[must_use]
    pub fn index(self) -> Option<usize> {
        if self.level == 0 || self.node.is_none() {
            return None;
        }
        self.reader().index(self.node).map(|index| index as usize)
    }

    /// Its JSON pointer; empty for the root and for a missing value.
    ///
    /// # Complexity
    ///
    /// O(depth + length of the pointer).
    #[must_use]
    pub fn path(self) -> String {
        let mut path = String::new();
        self.write_path(&mut path);
        path
    }

    pub(super) fn write_path(self, path: &mut String) {
        if self.node.is_none() {
            return;
        }
        let reader = self.reader();
        let mut nodes = smallvec::SmallVec::<[NodeId; 16]>::new();
        let mut node = self.node;
        for _ in 0..self.level {
            nodes.push(node);
            node = reader.parent(node);
        }
        for node in nodes.into_iter().rev() {
            match (reader.key(node), reader.index(node)) {
                (Some(key), _) => push_token(path, key),
                (None, Some(index)) => push_index(path, index as usize),
                (None, None) => {}
            }
        }
    }

    /// What is known about it: see [`State`].
    #[must_use]
    pub fn state(self) -> State {
        let reader = self.reader();
        match (self.node.is_none(), self.level) {
            (true, 0) => State::Pending,
            (true, _) => State::Absent,
            _ if reader.mark.is_open(self.level, self.node) || self.may_be_replaced() => State::Growing,
            _ => State::Final,
        }
    }

    /// Whether it can never change again.
    #[must_use]
    pub fn is_final(self) -> bool {
        self.state() == State::Final
    }

    #[inline]
    pub(super) fn may_be_replaced(self) -> bool {
        self.reader().mark.replacing != Replacing::Never && self.is_in_open_object()
    }

    #[cold]
    fn is_in_open_object(self) -> bool {
        let reader = self.reader();
        let mut node = self.node;
        let levels = (0..self.level).rev();
        levels.into_iter().any(|level| {
            node = reader.parent(node);
            reader.mark.open_at(level, node).is_some() && reader.kind(node) == NodeKind::Object
        })
    }

    /// Where it is in the source, in bytes, quotes and brackets included. Of a value in flight, all of the input from
    /// its start. Of one that reaches across [rounds](crate::Parser::next_round), what was left out between them as
    /// well.
    #[must_use]
    pub fn span(self) -> Option<Span> {
        self.exists().then(|| self.reader().span(self.level, self.node))
    }

    /// A copy of it. `Null` for a missing value, and for a number too large for an `f64`.
    ///
    /// # Complexity
    ///
    /// O(size of the value).
    #[must_use]
    pub fn to_value(self) -> Value {
        ser::to_value(self)
    }

    /// It as a type of yours, which may borrow its strings from the snapshot.
    ///
    /// # Errors
    ///
    /// [`DeserializeError`] where the value does not fit the type, with the pointer of the place.
    ///
    /// ```
    /// use jsonrill::Parser;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct User<'a> {
    ///     name: &'a str,
    ///     #[serde(default)]
    ///     age: Option<u8>,
    /// }
    ///
    /// let update = Parser::new().feed(r#"{"user": {"name": "Ad"#);
    /// let user: User = update.snapshot().at("/user").deserialize()?;
    /// assert_eq!((user.name, user.age), ("Ad", None));
    /// # Ok::<(), jsonrill::DeserializeError>(())
    /// ```
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, DeserializeError> {
        de::deserialize(self)
    }
}

impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.exists() {
            fmt::Display::fmt(self, formatter)
        } else {
            write!(formatter, "<missing: {:?}>", self.state())
        }
    }
}

/// The elements of an array, or the values of an object. Made by [`ValueRef::elements`].
///
/// ```
/// use jsonrill::{Parser};
///
/// let mut parser = Parser::new();
/// parser.feed(r#"{"a": [1, 2], "b": "te"#);
/// let update = parser.feed(r#"a", "#);
/// let mut elements = update.snapshot().at("/a").elements();
/// assert_eq!((elements.len(), elements.next().unwrap().as_i64()), (2, Some(1)));
/// ```
#[derive(Clone)]
pub struct Elements<'a> {
    snapshot: &'a Snapshot,
    next: Option<NodeId>,
    level: u32,
    left: usize,
}

impl<'a> Elements<'a> {
    fn none(snapshot: &'a Snapshot) -> Self {
        Self { snapshot, next: None, level: 0, left: 0 }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = ValueRef<'a>;

    fn next(&mut self) -> Option<ValueRef<'a>> {
        let node = self.next.filter(|_| self.left > 0)?;
        let reader = self.snapshot.reader();
        self.left -= 1;
        self.next = reader.next(node);
        Some(ValueRef::new(self.snapshot, reader.current(node), self.level))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Elements<'_> {}

impl fmt::Debug for Elements<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.clone()).finish()
    }
}

/// The members of an object: key and value. Made by [`ValueRef::members`].
///
/// ```
/// use jsonrill::{Parser};
///
/// let mut parser = Parser::new();
/// parser.feed(r#"{"a": [1, 2], "b": "te"#);
/// let update = parser.feed(r#"a", "#);
/// let keys: Vec<_> = update.snapshot().root().members().map(|(key, _)| key).collect();
/// assert_eq!(keys, ["a", "b"]); // in the order of the text
/// ```
#[derive(Clone)]
pub struct Members<'a>(Elements<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, ValueRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let value = self.0.next()?;
        Some((value.key().unwrap_or_default(), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Members<'_> {}

impl fmt::Debug for Members<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.clone()).finish()
    }
}
