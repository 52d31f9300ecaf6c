//! What is known at a moment.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use crate::document::{Bookmark, Log, NodeId, NodeKind, Path, Reader, Replacing, SkipKind, Span, Step, copy_value};

use super::DeserializeError;
use super::ambiguity::{Ambiguity, State};
use super::value::ValueRef;

/// A document as far as it was known at some moment.
///
/// It is owned and never changes, whatever the parser reads afterwards; it can be cloned, kept and sent to other
/// threads. Making one copies the open path, not the document. In return it keeps the document's log alive:
/// [`Snapshot::detach`] copies a part out.
///
/// ```
/// use jsonrill::Parser;
///
/// let mut parser = Parser::new();
/// let early = parser.feed(r#"{"a": "x", "b": "y"#).snapshot().clone();
/// parser.push("z\"}");
/// assert_eq!(early.at("/b"), "y");
/// assert_eq!(parser.snapshot().at("/b"), "yz");
/// ```
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) log: Arc<Log>,
    pub(crate) mark: Bookmark,
}

impl Snapshot {
    pub(crate) fn new(log: Arc<Log>, mark: Bookmark) -> Self {
        Self { log, mark }
    }

    #[inline]
    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader { log: &self.log, mark: &self.mark }
    }

    /// Whether `later` is this one after some more input.
    pub(super) fn leads_to(&self, later: &Self) -> bool {
        let (mark, end) = (&self.mark, &later.mark);
        let is_same = || Arc::ptr_eq(&self.log, &later.log) && mark.root == end.root && mark.nodes <= end.nodes;
        self.is_told_before(later) && (!self.is_started() || is_same())
    }

    /// Whether `later` is of the same text, or more of it.
    pub(super) fn is_told_before(&self, later: &Self) -> bool {
        Arc::ptr_eq(&self.log.stream, &later.log.stream) && self.mark.seen.source <= later.mark.seen.source
    }

    /// The value at the top; missing before there is one.
    #[must_use]
    pub fn root(&self) -> ValueRef<'_> {
        if self.mark.root.is_none() { ValueRef::missing(self, false) } else { ValueRef::new(self, self.mark.root, 0) }
    }

    /// Whether anything is known.
    #[must_use]
    pub fn is_started(&self) -> bool {
        !self.mark.root.is_none()
    }

    /// The value at a path from the root: a JSON pointer, or steps.
    ///
    /// ```
    /// use jsonrill::{Parser, Step};
    ///
    /// let update = Parser::new().feed(r#"{"a/b": [{"c": 1}]}"#);
    /// assert_eq!(update.snapshot().at("/a~1b/0/c"), 1);
    /// assert_eq!(update.snapshot().at([Step::Key("a/b"), Step::Index(0), Step::Key("c")]), 1);
    /// ```
    #[must_use]
    pub fn at(&self, path: impl Path) -> ValueRef<'_> {
        self.root().at(path)
    }

    /// The root's member with this key, or its element at this index.
    #[must_use]
    pub fn get<'s>(&self, step: impl Into<Step<'s>>) -> ValueRef<'_> {
        self.root().get(step)
    }

    /// What is known about the value at a path: see [`State`].
    #[must_use]
    pub fn state(&self, path: impl Path) -> State {
        self.at(path).state()
    }

    /// Whether the value at a path is there and can never change again.
    #[must_use]
    pub fn is_final(&self, path: impl Path) -> bool {
        self.state(path) == State::Final
    }

    /// Whether the value at a path may still change, or may still come.
    #[must_use]
    pub fn is_ambiguous(&self, path: impl Path) -> bool {
        let long_way = || matches!(self.state(&path), State::Growing | State::Pending);
        self.reader().may_change(path.tokens()).unwrap_or_else(long_way)
    }

    /// The pointer of the innermost thing that is open, `None` if nothing is.
    #[must_use]
    pub fn open_path(&self) -> Option<String> {
        self.innermost().map(ValueRef::path)
    }

    fn innermost(&self) -> Option<ValueRef<'_>> {
        let level = u32::try_from(self.mark.open().len()).unwrap_or(u32::MAX);
        match (self.mark.leaf(), self.mark.open().last()) {
            (Some(leaf), _) => Some(ValueRef::new(self, leaf.node, level)),
            (None, Some(open)) => Some(ValueRef::new(self, open.node(), level.saturating_sub(1))),
            (None, None) => None,
        }
    }

    /// What may still change, as a tree.
    #[must_use]
    pub fn ambiguity(&self) -> Ambiguity<'_> {
        Ambiguity::new(self)
    }

    /// A copy of the root. `Null` before there is one.
    ///
    /// # Complexity
    ///
    /// O(size of the document).
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.root().to_value()
    }

    /// The root as a type of yours. See [`ValueRef::deserialize`].
    ///
    /// # Errors
    ///
    /// [`DeserializeError`] where the value does not fit the type.
    pub fn deserialize<'a, T: Deserialize<'a>>(&'a self) -> Result<T, DeserializeError> {
        self.root().deserialize()
    }

    /// The input so far, with U+FFFD for what is no UTF-8. Empty where the source is not kept.
    ///
    /// # Complexity
    ///
    /// O(length of the input), and a copy if the input is longer than a block.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        self.source(Span::new(0, self.mark.seen.source))
    }

    /// A part of the input, as [`Snapshot::text`].
    #[must_use]
    pub fn source(&self, span: Span) -> Cow<'_, str> {
        let end = span.end.min(self.mark.seen.source);
        self.log.stream.text(Span::new(span.start.min(end), end))
    }

    /// What is outside the JSON, in order: prose, reasoning, code fences.
    ///
    /// ```
    /// use jsonrill::{Parser, SkipKind};
    ///
    /// let update = Parser::new().feed("Here you are:\n```json\n{\"a\": 1}\n```\nAnything else");
    /// let outside: Vec<_> = update.snapshot().outside().map(|text| (text.kind, text.text.into_owned())).collect();
    /// assert_eq!(outside, [
    ///     (SkipKind::Prose, "Here you are:\n".to_owned()),
    ///     (SkipKind::Fence, "```json\n".to_owned()),
    ///     (SkipKind::Fence, "```".to_owned()),
    ///     (SkipKind::Prose, "Anything else".to_owned()),
    /// ]);
    /// ```
    pub fn outside(&self) -> impl Iterator<Item = OutsideText<'_>> {
        (0..self.mark.seen.outside).filter_map(|number| {
            let tile = self.log.stream.tile(number, self.mark.seen.outside, self.mark.seen.outside_end)?;
            Some(OutsideText { kind: tile.kind, span: tile.span, text: self.source(tile.span) })
        })
    }

    /// The same without what may still change: final values, and the open containers they are in.
    ///
    /// ```
    /// use jsonrill::Parser;
    /// use serde_json::json;
    ///
    /// let update = Parser::strict().feed(r#"{"a": [1, 2], "b": {"c": "gro"#);
    /// assert_eq!(update.snapshot().final_only(), json!({"a": [1, 2]}));
    /// ```
    #[must_use]
    pub fn final_only(&self) -> Self {
        let mut settled = self.without_leaf();
        if settled.mark.replacing != Replacing::Never {
            // Nothing in an open object is final then.
            let is_object = |open: &crate::document::OpenNode| self.reader().kind(open.node()) == NodeKind::Object;
            if let Some(level) = settled.mark.open().iter().position(is_object) {
                while settled.mark.open().len() > level {
                    settled.drop_innermost();
                }
            }
        }
        while settled.mark.open().last().is_some_and(|open| open.count() == 0) {
            settled.drop_innermost();
        }
        settled
    }

    /// The same without the number in flight, if there is one: for those who would rather not see `1` on the way to
    /// `12`.
    #[must_use]
    pub fn without_number_in_flight(&self) -> Self {
        match self.mark.leaf() {
            Some(leaf) if leaf.kind == NodeKind::Number => self.without_leaf(),
            _ => self.clone(),
        }
    }

    /// The same without the scalar in flight.
    pub(crate) fn without_leaf(&self) -> Self {
        let mut rest = self.clone();
        if let Some(leaf) = rest.mark.take_leaf() {
            rest.drop_from(leaf.node);
        }
        rest
    }

    fn drop_innermost(&mut self) {
        if let Some(open) = self.mark.pop() {
            self.drop_from(open.node());
        }
    }

    /// Forgets the last child of the innermost open container, which is `node`.
    fn drop_from(&mut self, node: NodeId) {
        self.mark.nodes = node.number();
        // One that stands in for an earlier member was not counted.
        let counted = u32::from(!self.reader().is_replacement(node));
        match self.mark.open().last() {
            Some(parent) => self.mark.set_count(parent.count().saturating_sub(counted)),
            None => self.mark.root = NodeId::NONE,
        }
    }

    /// A copy of the value at a path as a snapshot of its own, which does not keep the document alive. `None` where
    /// there is no value. Its source is not copied with it: spans still say where it was.
    ///
    /// # Complexity
    ///
    /// O(size of the value).
    #[must_use]
    pub fn detach(&self, path: impl Path) -> Option<Self> {
        let value = self.at(path);
        let node = value.exists().then(|| value.node())?;
        let (log, mark) = copy_value(self.reader(), value.level(), node)?;
        Some(Self { log, mark })
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.root(), formatter)
    }
}

/// A stretch of text outside the JSON. Made by [`Snapshot::outside`].
///
/// ```
/// use jsonrill::{Parser, SkipKind};
///
/// let update = Parser::new().feed("Here: {\"a\": 1} That is all.");
/// let prose: Vec<_> = update.snapshot().outside().filter(|piece| piece.kind == SkipKind::Prose).collect();
/// assert_eq!((&*prose[0].text, prose[0].span.start, &*prose[1].text), ("Here: ", 0, "That is all."));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutsideText<'a> {
    /// What it is.
    pub kind: SkipKind,
    /// Where it is, in bytes of the source.
    pub span: Span,
    /// Its text; empty where the source is not kept.
    pub text: Cow<'a, str>,
}
