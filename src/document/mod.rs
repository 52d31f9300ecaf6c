//! The append-only log of what the bytes mean, and bookmarks into it.
//!
//! [`Writer`] grows a [`Log`]; a [`Bookmark`] says how far the log had come; everything in `view` reads a log through a
//! bookmark. Nothing here knows JSON's grammar.

mod bookmark;
mod copy;
mod index;
pub(crate) mod log;
mod node;
mod open_path;
mod outside;
pub(crate) mod path;
mod pattern;
mod place;
mod post_order;
mod visit;
mod writer;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub(crate) use bookmark::{Bookmark, OpenLeaf, OpenNode, Replacing, Seen, Start};
pub(crate) use copy::copy_value;
pub(crate) use index::{LARGE, STRIDE};
pub use node::Kind;
pub(crate) use node::{Label, MAX_LABEL, MAX_NODES, Node, NodeId, NodeKind};
pub(crate) use outside::{BOM, Stream, StreamWriter, Tiles};
pub use outside::{SkipKind, Span};
pub(crate) use path::{OwnedPath, Token};
pub use path::{Path, Step};
pub use pattern::PathPattern;
pub use place::{Place, Places};
pub(crate) use post_order::PostOrder;
pub(crate) use visit::{Children, Visited, Visitor};
pub(crate) use writer::{Full, Member, Writer};

use index::Index;
use log::{ByteLog, TextWriter};
use node::{NodeWalk, Nodes};

/// The log of one document (or of several small ones), shared by the writer and every bookmark's owner.
pub(crate) struct Log {
    nodes: Nodes,
    text: Arc<ByteLog>,
    index: RwLock<Index>,
    replaced: RwLock<Replaced>,
    /// The input that the document was read from.
    pub(crate) stream: Arc<Stream>,
}

/// Members that were replaced. Empty unless replacing was asked for.
#[derive(Default)]
struct Replaced {
    /// For each that was there first, those that took its place, in order.
    later: HashMap<NodeId, Vec<NodeId>>,
    /// For each that took a place, the one that was there first.
    first: HashMap<NodeId, NodeId>,
}

impl Log {
    fn new(stream: Arc<Stream>) -> (Arc<Self>, TextWriter) {
        let (text, writer) = ByteLog::text();
        let log = Self { nodes: Nodes::new(), text, index: RwLock::default(), replaced: RwLock::default(), stream };
        (Arc::new(log), writer)
    }

    // A lock is poisoned when its holder panicked. Ours only call the hash table, which is whole again by then.
    fn index(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn index_mut(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn replaced(&self) -> RwLockReadGuard<'_, Replaced> {
        self.replaced.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that `later` took the place of `first`.
    fn replace(&self, first: NodeId, later: NodeId) {
        let mut replaced = self.replaced.write().unwrap_or_else(PoisonError::into_inner);
        replaced.later.entry(first).or_default().push(later);
        replaced.first.insert(later, first);
    }

    #[inline]
    fn node(&self, id: NodeId) -> Option<Node<'_>> {
        self.nodes.get(id)
    }
}

/// A path leads on from this container, and there is nothing there.
pub(crate) struct Missing {
    pub(crate) level: u32,
    pub(crate) container: NodeId,
    /// It may come, the container being open.
    pub(crate) may_come: bool,
}

/// A log read through a bookmark: what every view is made of.
///
/// Nodes are named by their id and their level (how many containers they are in), for the open path is ordered by
/// level.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) log: &'a Log,
    pub(crate) mark: &'a Bookmark,
}

impl<'a> Reader<'a> {
    #[inline]
    pub(crate) fn kind(self, id: NodeId) -> NodeKind {
        match self.mark.leaf_is(id) {
            Some(leaf) => leaf.kind,
            None => self.log.node(id).map_or(NodeKind::Null, Node::kind),
        }
    }

    /// The text of a string or number: all of it that is shown.
    #[inline]
    pub(crate) fn text(self, id: NodeId) -> &'a str {
        match self.mark.leaf_is(id) {
            Some(leaf) => self.open_text(leaf, 0),
            None => self.log.node(id).map_or("", |node| self.closed_text(node, 0)),
        }
    }

    /// The text of the scalar in flight from byte `from` on.
    #[inline]
    pub(crate) fn open_text(self, leaf: &OpenLeaf, from: u32) -> &'a str {
        let text = match self.mark.leaf_block() {
            Some(block) => block.read_text(from..leaf.length),
            None => self.log.text.read_text(leaf.start.saturating_add(from), leaf.length.saturating_sub(from)),
        };
        text.unwrap_or_default()
    }

    /// The text of a closed string or number from byte `from` on.
    #[inline]
    pub(crate) fn closed_text(self, node: Node<'a>, from: u32) -> &'a str {
        let (start, length) = node.text();
        let (start, length) = (start.saturating_add(from), length.saturating_sub(from));
        self.log.text.read_text(start, length).unwrap_or_default()
    }

    /// The text at an address, as far as the log knows it.
    pub(crate) fn text_at(self, start: u32, length: u32) -> &'a str {
        self.log.text.read_text(start, length).unwrap_or_default()
    }

    /// The node itself.
    #[inline]
    pub(crate) fn node(self, id: NodeId) -> Option<Node<'a>> {
        self.log.node(id)
    }

    pub(crate) fn key(self, id: NodeId) -> Option<&'a str> {
        match self.log.node(id)?.label() {
            Label::Key { start, length } => Some(self.log.text.read_text(start, length).unwrap_or_default()),
            Label::Index(_) => None,
        }
    }

    /// The place in its array; a root has 0.
    pub(crate) fn index(self, id: NodeId) -> Option<u32> {
        match self.log.node(id)?.label() {
            Label::Key { .. } => None,
            Label::Index(index) => Some(index),
        }
    }

    pub(crate) fn parent(self, id: NodeId) -> NodeId {
        self.log.node(id).map_or(NodeId::NONE, Node::parent)
    }

    #[inline]
    pub(crate) fn count(self, level: u32, id: NodeId) -> u32 {
        match self.mark.open_at(level, id) {
            Some(open) => open.count(),
            None => self.log.node(id).filter(|node| node.kind().is_container()).map_or(0, Node::count),
        }
    }

    /// How many children a container has in the log, replacements included.
    pub(crate) fn written(self, level: u32, id: NodeId) -> usize {
        if self.mark.replacing == Replacing::Happened {
            return self.written_children(level, id).count();
        }
        self.count(level, id) as usize
    }

    /// The children of a container in the order of the log, replacements included.
    fn written_children(self, level: u32, id: NodeId) -> impl Iterator<Item = NodeId> + 'a {
        std::iter::successors(self.first_child(level, id), move |child| self.next_written(*child))
    }

    #[inline]
    pub(crate) fn first_child(self, level: u32, id: NodeId) -> Option<NodeId> {
        (self.count(level, id) > 0).then(|| id.following())
    }

    /// The next sibling in the log, replacements included.
    #[inline]
    pub(crate) fn next_written(self, id: NodeId) -> Option<NodeId> {
        self.next_to(self.log.node(id)?)
    }

    /// The sibling behind a node in the log, replacements included.
    #[inline]
    pub(crate) fn next_to(self, node: Node<'_>) -> Option<NodeId> {
        node.next().filter(|next| next.number() < self.mark.nodes)
    }

    /// The next member or element. For a replaced member give the one that was there first.
    #[inline]
    pub(crate) fn next(self, id: NodeId) -> Option<NodeId> {
        let mut next = self.next_written(id)?;
        if self.mark.replacing == Replacing::Happened {
            while self.is_replacement(next) {
                next = self.next_written(next)?;
            }
        }
        Some(next)
    }

    /// The last child of a container in the log, replacements included.
    pub(crate) fn last_child(self, level: u32, container: NodeId) -> Option<NodeId> {
        if self.count(level, container) == 0 {
            return None;
        }
        // What is before the value behind it is in it; where that is not known, they are walked.
        let behind = self.next_written(container).map_or(self.mark.nodes, NodeId::number);
        let last = behind.checked_sub(1).and_then(|last| self.child_around(container, NodeId::new(last)));
        last.or_else(|| self.written_children(level, container).last())
    }

    /// The child of `container` before `child` in the log, replacements included.
    pub(crate) fn previous_written(self, container: NodeId, child: NodeId) -> Option<NodeId> {
        // What is before it is the last in the one before it.
        let before = child.number().checked_sub(1).map(NodeId::new)?;
        if before == container { None } else { self.child_around(container, before) }
    }

    /// The child of `container` that `id` is in, or is itself.
    fn child_around(self, container: NodeId, mut id: NodeId) -> Option<NodeId> {
        loop {
            match self.parent(id) {
                parent if parent == container => return Some(id),
                parent if parent.is_none() => return None,
                parent => id = parent,
            }
        }
    }

    /// The value `top` and all in it, in the order in which they begin, each with its kind and its bytes. Those of a
    /// container that is open are not told: it ends where it begins.
    pub(crate) fn in_order(self, top: NodeId) -> impl Iterator<Item = (NodeId, NodeKind, Span)> + 'a {
        let (mut walk, first) = (NodeWalk::new(&self.log.nodes), top.number());
        (first..self.mark.nodes).map_while(move |number| {
            let (id, node) = (NodeId::new(number), walk.get(NodeId::new(number))?);
            // What follows is in the value as long as what that is in is.
            if id != top && !(first..number).contains(&node.parent().number()) {
                return None;
            }
            let leaf = self.mark.leaf_is(id);
            let kind = leaf.map_or(node.kind(), |leaf| leaf.kind);
            let start = node.source_start();
            Some((id, kind, Span::new(start, if leaf.is_some() { self.mark.seen.read } else { node.source_end() })))
        })
    }

    pub(crate) fn is_replacement(self, id: NodeId) -> bool {
        self.log.node(id).is_some_and(Node::is_replacement)
    }

    /// What stands in the place of a member by now: itself unless it was replaced.
    #[inline]
    pub(crate) fn current(self, id: NodeId) -> NodeId {
        if self.mark.replacing != Replacing::Happened {
            return id;
        }
        let replaced = self.log.replaced();
        let Some(later) = replaced.later.get(&id) else { return id };
        let seen = later.partition_point(|node| node.number() < self.mark.nodes);
        seen.checked_sub(1).and_then(|last| later.get(last)).copied().unwrap_or(id)
    }

    /// The member whose place this one took: itself unless it replaced one.
    pub(crate) fn original(self, id: NodeId) -> NodeId {
        if self.is_replacement(id) { self.log.replaced().first.get(&id).copied().unwrap_or(id) } else { id }
    }

    /// The bytes of a value in the source. An open one goes as far as the input does.
    pub(crate) fn span(self, level: u32, id: NodeId) -> Span {
        let Some(node) = self.log.node(id) else { return Span::default() };
        self.span_of(node, self.mark.is_open(level, id))
    }

    #[inline]
    fn span_of(self, node: Node<'_>, is_open: bool) -> Span {
        let start = node.source_start();
        // What a seam closed may end where it begins.
        Span::new(start, if is_open { self.mark.seen.read } else { node.source_end() }.max(start))
    }

    /// What tokens name below the value `id`, as it is by now.
    #[inline]
    pub(crate) fn find<'p>(
        self,
        mut level: u32,
        mut id: NodeId,
        tokens: impl Iterator<Item = Token<'p>>,
    ) -> Result<(u32, NodeId), Missing> {
        let mut walk = NodeWalk::new(&self.log.nodes);
        for token in tokens {
            match self.child(&mut walk, level, id, token) {
                Ok(child) => (level, id) = (level + 1, child),
                Err(may_come) => return Err(Missing { level, container: id, may_come }),
            }
        }
        Ok((level, id))
    }

    /// What a token names in the value `id`, as it is by now. Without it: whether it may come, the container being
    /// open.
    #[inline]
    fn child(self, walk: &mut NodeWalk<'a>, level: u32, id: NodeId, token: Token<'_>) -> Result<NodeId, bool> {
        let Some(container) = walk.get(id).filter(|_| self.mark.leaf_is(id).is_none()) else { return Err(false) };
        let (count, indexed, open) = match self.mark.open_at(level, id) {
            Some(open) => (open.count(), open.is_indexed(), true),
            None => (container.count(), container.is_indexed(), false),
        };
        match container.kind() {
            NodeKind::Object => {
                let key = token.key().ok_or(false)?;
                let found =
                    if indexed { self.indexed_member(id, &key) } else { self.walked_member(walk, id, count, &key) };
                found.map(|member| self.current(member)).ok_or(open)
            }
            NodeKind::Array => {
                let index = token.index().ok_or(false)?;
                let index = u32::try_from(index).ok().filter(|index| *index < count).ok_or(open)?;
                self.element(walk, id, indexed, index).ok_or(open)
            }
            _ => Err(false),
        }
    }

    /// The member with this name.
    pub(crate) fn member(self, level: u32, object: NodeId, key: &str) -> Option<NodeId> {
        self.find(level, object, std::iter::once(Token::Key(key))).ok().map(|(_, member)| member)
    }

    /// The member of an open object with this name, where none is ever replaced.
    fn member_of(self, object: OpenNode, key: &str) -> Option<NodeId> {
        if object.is_indexed() {
            return self.indexed_member(object.node(), key);
        }
        self.walked_member(&mut NodeWalk::new(&self.log.nodes), object.node(), object.count(), key)
    }

    #[inline]
    fn walked_member(self, walk: &mut NodeWalk<'a>, object: NodeId, count: u32, key: &str) -> Option<NodeId> {
        let mut child = object.following();
        let mut node = walk.get(child).filter(|_| count > 0)?;
        while !self.has_key(node, key) || node.is_replacement() {
            child = node.next().filter(|next| next.number() < self.mark.nodes)?;
            node = walk.get(child)?;
        }
        Some(child)
    }

    #[inline]
    fn has_key(self, node: Node<'_>, key: &str) -> bool {
        match node.label() {
            // Nothing may lie where no block is.
            Label::Key { start, length } if length as usize == key.len() => {
                key.is_empty() || self.log.text.read(start, length) == Some(key.as_bytes())
            }
            _ => false,
        }
    }

    fn indexed_member(self, object: NodeId, key: &str) -> Option<NodeId> {
        let is_it = |id: &NodeId| {
            id.number() < self.mark.nodes
                && self.log.node(*id).is_some_and(|node| node.parent() == object && self.has_key(node, key))
        };
        self.log.index().member(object, key.as_bytes()).find(is_it)
    }

    #[inline]
    fn element(self, walk: &mut NodeWalk<'a>, array: NodeId, indexed: bool, index: u32) -> Option<NodeId> {
        let (mut id, mut at) = (array.following(), 0);
        if index >= STRIDE && indexed {
            (id, at) = self.indexed_element(array, index - index % STRIDE).unwrap_or((id, at));
        }
        while at < index {
            id = walk.get(id)?.next().filter(|next| next.number() < self.mark.nodes)?;
            at += 1;
        }
        Some(id)
    }

    fn indexed_element(self, array: NodeId, index: u32) -> Option<(NodeId, u32)> {
        let is_it =
            |id: &NodeId| id.number() < self.mark.nodes && self.parent(*id) == array && self.index(*id) == Some(index);
        self.log.index().element(array, index).find(is_it).map(|id| (id, index))
    }
}
