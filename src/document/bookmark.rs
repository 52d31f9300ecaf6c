//! A bookmark: how far the log had come at some moment, and what was open then.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::log::OwnBlock;
use super::node::{NodeId, NodeKind};

/// A container on the open path.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OpenNode {
    node: u32,
    /// The number of children, which is at most that of all nodes, and in the highest bits the flags below.
    count: u32,
}

/// The index knows the children.
const INDEXED: u32 = 1 << 31;
/// It is an object.
const OBJECT: u32 = 1 << 30;
const FLAGS: u32 = INDEXED | OBJECT;

impl OpenNode {
    /// A container without children.
    #[inline]
    pub(crate) fn new(node: NodeId, kind: NodeKind) -> Self {
        Self { node: node.number(), count: if kind == NodeKind::Object { OBJECT } else { 0 } }
    }

    /// The same with so many children.
    #[inline]
    pub(crate) fn with_count(self, count: u32) -> Self {
        Self { count: count | self.count & FLAGS, ..self }
    }

    /// The same, its children known to the index or not.
    pub(crate) fn with_index(self, indexed: bool) -> Self {
        Self { count: if indexed { self.count | INDEXED } else { self.count & !INDEXED }, ..self }
    }

    #[inline]
    pub(crate) fn node(self) -> NodeId {
        NodeId::new(self.node)
    }

    /// Its children so far.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.count & !FLAGS
    }

    /// It has one more.
    #[inline]
    pub(super) fn add_child(&mut self) {
        self.count += 1;
    }

    #[inline]
    pub(crate) fn is_indexed(self) -> bool {
        self.count & INDEXED != 0
    }

    #[inline]
    pub(crate) fn is_object(self) -> bool {
        self.count & OBJECT != 0
    }
}

/// Containers that are open in the bookmark itself; more of them are kept aside.
pub(super) const INLINE: usize = 8;

/// The scalar at the end of the open path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenLeaf {
    /// [`NodeId::NONE`] for none.
    pub(crate) node: NodeId,
    pub(crate) kind: NodeKind,
    /// Where the text shown so far lies.
    pub(crate) start: u32,
    pub(crate) length: u32,
}

impl OpenLeaf {
    pub(crate) const NONE: Self = Self { node: NodeId::NONE, kind: NodeKind::Null, start: 0, length: 0 };
}

/// How much of the input a bookmark sees.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    /// Bytes of input so far.
    pub(crate) source: u32,
    /// Bytes of it that were read: all, or those up to an error.
    pub(crate) read: u32,
    /// Stretches of text outside the JSON that have begun, and where the last of them ends.
    pub(crate) outside: u32,
    pub(crate) outside_end: u32,
}

/// What a delta has to know of the bookmark that it begins at: a record of numbers, copied as such.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    /// The value at the top, [`NodeId::NONE`] while there is none.
    pub(crate) root: NodeId,
    /// Nodes from here on are not seen.
    pub(crate) nodes: u32,
    /// How many containers are open.
    pub(super) depth: u32,
    /// The innermost of them: the others are around it.
    pub(crate) innermost: NodeId,
    pub(super) leaf: OpenLeaf,
    /// How members of the same name are treated, as far as reading is concerned.
    pub(crate) replacing: Replacing,
    pub(crate) seen: Seen,
}

impl Start {
    /// Where nothing is known.
    pub(crate) const fn nothing(replacing: Replacing) -> Self {
        Self {
            root: NodeId::NONE,
            nodes: 0,
            depth: 0,
            innermost: NodeId::NONE,
            leaf: OpenLeaf::NONE,
            replacing,
            seen: Seen { source: 0, read: 0, outside: 0, outside_end: 0 },
        }
    }

    /// How many containers are open.
    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// The scalar in flight.
    #[inline]
    pub(crate) fn leaf(&self) -> Option<&OpenLeaf> {
        if self.leaf.node.is_none() { None } else { Some(&self.leaf) }
    }

    /// The scalar in flight if it is `node`.
    #[inline]
    pub(crate) fn leaf_is(&self, node: NodeId) -> Option<&OpenLeaf> {
        self.leaf().filter(|leaf| leaf.node == node)
    }
}

/// The part of a bookmark that is a mere record of numbers, and copied as such.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    start: Start,
    /// The containers that are open, outermost first, as far as they have room here.
    pub(super) near: [OpenNode; INLINE],
}

impl Record {
    /// Where nothing is known.
    pub(super) fn nothing(replacing: Replacing) -> Self {
        Self { start: Start::nothing(replacing), near: [OpenNode::default(); INLINE] }
    }

    /// A container begins in the innermost one.
    #[inline]
    pub(super) fn open(&mut self, node: NodeId) {
        self.start.depth += 1;
        self.start.innermost = node;
    }

    /// The innermost container ends, which is in `outer`.
    #[inline]
    pub(super) fn close(&mut self, outer: NodeId) {
        self.start.depth = self.start.depth.saturating_sub(1);
        self.start.innermost = outer;
    }

    /// No container is open any more.
    pub(super) fn close_all(&mut self) {
        (self.start.depth, self.start.innermost) = (0, NodeId::NONE);
    }
}

impl Deref for Record {
    type Target = Start;

    #[inline]
    fn deref(&self) -> &Start {
        &self.start
    }
}

impl DerefMut for Record {
    #[inline]
    fn deref_mut(&mut self) -> &mut Start {
        &mut self.start
    }
}

/// A state of the log. Small, owned, and good for ever: the log only grows.
#[derive(Clone)]
pub(crate) struct Bookmark {
    record: Record,
    /// The open containers where they are more than have room in the record.
    many: Option<Arc<[OpenNode]>>,
    /// The block that the text in flight lies in, if it is so long that it has one of its own.
    block: Option<OwnBlock>,
}

/// Whether a later member may take the place of an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replacing {
    /// Never: what is closed is final.
    Never,
    /// It may happen as long as an object is open, but has not yet.
    Possible,
    /// It has happened somewhere in this document.
    Happened,
}

impl Deref for Bookmark {
    type Target = Record;

    #[inline]
    fn deref(&self) -> &Record {
        &self.record
    }
}

impl DerefMut for Bookmark {
    #[inline]
    fn deref_mut(&mut self) -> &mut Record {
        &mut self.record
    }
}

impl Bookmark {
    /// The bookmark of a document of which nothing is known.
    pub(crate) fn nothing(replacing: Replacing) -> Self {
        Self { record: Record::nothing(replacing), many: None, block: None }
    }

    /// A bookmark with this in it: what is open beyond what has room in the record, and the block of the text in flight.
    #[inline(always)]
    pub(super) fn new(record: Record, many: Option<Arc<[OpenNode]>>, block: Option<OwnBlock>) -> Self {
        Self { record, many, block }
    }

    #[inline]
    fn note_innermost(&mut self) {
        self.innermost = self.open().last().map_or(NodeId::NONE, |open| open.node());
    }

    /// What a delta that begins here has to know.
    #[inline]
    pub(crate) fn start(&self) -> &Start {
        &self.record.start
    }

    /// The containers that are open, outermost first.
    #[inline]
    pub(crate) fn open(&self) -> &[OpenNode] {
        let nodes = self.many.as_deref().unwrap_or(&self.near);
        nodes.get(..self.depth as usize).unwrap_or_default()
    }

    /// Takes the innermost open container off.
    pub(crate) fn pop(&mut self) -> Option<OpenNode> {
        let last = self.open().last().copied();
        self.depth = self.depth.saturating_sub(1);
        self.note_innermost();
        last
    }

    /// Says how many children the innermost open container has.
    pub(crate) fn set_count(&mut self, count: u32) {
        let Some(last) = (self.depth as usize).checked_sub(1) else { return };
        let nodes = match &mut self.many {
            Some(many) => Arc::make_mut(many),
            None => &mut self.record.near[..],
        };
        if let Some(open) = nodes.get_mut(last) {
            *open = open.with_count(count);
        }
    }

    /// The block that its text lies in, if it has one of its own.
    #[inline]
    pub(crate) fn leaf_block(&self) -> Option<&OwnBlock> {
        self.block.as_ref()
    }

    /// Takes the scalar in flight off.
    pub(crate) fn take_leaf(&mut self) -> Option<OpenLeaf> {
        let leaf = self.leaf().copied();
        self.leaf = OpenLeaf::NONE;
        self.block = None;
        leaf
    }

    /// The open container `node` if it is the one at `level` (the root's level is 0).
    #[inline]
    pub(crate) fn open_at(&self, level: u32, node: NodeId) -> Option<OpenNode> {
        self.open().get(level as usize).copied().filter(|open| open.node() == node)
    }

    /// Whether a value may still change, being open itself.
    #[inline]
    pub(crate) fn is_open(&self, level: u32, node: NodeId) -> bool {
        self.open_at(level, node).is_some() || self.leaf_is(node).is_some()
    }
}
