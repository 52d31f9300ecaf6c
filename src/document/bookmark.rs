//! A bookmark: how far the log had come at some moment, and what was open then.

use std::sync::Arc;

use super::log::OwnBlock;
use super::node::{NodeId, NodeKind};

/// A container on the open path.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OpenNode {
    node: u32,
    /// The number of children, and in the highest bit whether the index knows them.
    count: u32,
}

const INDEXED: u32 = 1 << 31;

impl OpenNode {
    #[inline]
    pub(crate) fn new(node: NodeId, count: u32, indexed: bool) -> Self {
        Self { node: node.number(), count: count | if indexed { INDEXED } else { 0 } }
    }

    #[inline]
    pub(crate) fn node(self) -> NodeId {
        NodeId::new(self.node)
    }

    /// Its children so far.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.count & !INDEXED
    }

    #[inline]
    pub(crate) fn is_indexed(self) -> bool {
        self.count & INDEXED != 0
    }
}

/// Containers that are open in the bookmark itself; more of them are kept aside.
const INLINE: usize = 6;

/// The containers that are open, outermost first.
///
/// Copied whole, whatever its length: for a few nodes that is cheaper than to look how many they are.
#[derive(Clone, Default)]
pub(crate) struct OpenPath {
    near: [OpenNode; INLINE],
    length: u32,
    /// All of them where they are more than fit.
    many: Option<Arc<[OpenNode]>>,
}

impl OpenPath {
    #[inline]
    pub(crate) fn new(nodes: impl ExactSizeIterator<Item = OpenNode>) -> Self {
        let count = nodes.len();
        let mut path = Self { length: u32::try_from(count).unwrap_or(u32::MAX), ..Self::default() };
        if count > INLINE {
            path.many = Some(nodes.collect());
        } else {
            path.near.iter_mut().zip(nodes).for_each(|(place, node)| *place = node);
        }
        path
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[OpenNode] {
        let nodes = self.many.as_deref().unwrap_or(&self.near);
        nodes.get(..self.length as usize).unwrap_or_default()
    }

    /// Takes the innermost one off.
    pub(crate) fn pop(&mut self) -> Option<OpenNode> {
        let last = self.as_slice().last().copied();
        self.length = self.length.saturating_sub(1);
        last
    }

    /// Says how many children the innermost one has.
    pub(crate) fn set_count(&mut self, count: u32) {
        let Some(last) = (self.length as usize).checked_sub(1) else { return };
        let nodes = match &mut self.many {
            Some(many) => Arc::make_mut(many),
            None => &mut self.near[..],
        };
        if let Some(open) = nodes.get_mut(last) {
            *open = OpenNode::new(open.node(), count, open.is_indexed());
        }
    }
}

/// The scalar at the end of the open path.
#[derive(Clone)]
pub(crate) struct OpenLeaf {
    pub(crate) node: NodeId,
    pub(crate) kind: NodeKind,
    /// Where the text shown so far lies.
    pub(crate) start: u32,
    pub(crate) length: u32,
    /// The block it lies in, for a long text that has one of its own.
    pub(crate) block: Option<OwnBlock>,
}

/// A state of the log. Small, owned, and good for ever: the log only grows.
#[derive(Clone)]
pub(crate) struct Bookmark {
    /// The value at the top, [`NodeId::NONE`] while there is none.
    pub(crate) root: NodeId,
    /// Nodes from here on are not seen.
    pub(crate) nodes: u32,
    pub(crate) open: OpenPath,
    pub(crate) leaf: Option<OpenLeaf>,
    /// How members of the same name are treated, as far as reading is concerned.
    pub(crate) replacing: Replacing,
    /// Bytes of input read.
    pub(crate) source: u32,
    /// Stretches of text outside the JSON that have begun, and where the last of them ends.
    pub(crate) outside: u32,
    pub(crate) outside_end: u32,
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

impl Bookmark {
    /// The bookmark of a document of which nothing is known.
    #[inline]
    pub(crate) fn nothing(replacing: Replacing) -> Self {
        Self {
            root: NodeId::NONE,
            nodes: 0,
            open: OpenPath::default(),
            leaf: None,
            replacing,
            source: 0,
            outside: 0,
            outside_end: 0,
        }
    }

    /// The containers that are open, outermost first.
    #[inline]
    pub(crate) fn open(&self) -> &[OpenNode] {
        self.open.as_slice()
    }

    /// The open container `node` if it is the one at `level` (the root's level is 0).
    #[inline]
    pub(crate) fn open_at(&self, level: u32, node: NodeId) -> Option<OpenNode> {
        self.open().get(level as usize).copied().filter(|open| open.node() == node)
    }

    /// The scalar in flight if it is `node`.
    #[inline]
    pub(crate) fn leaf_is(&self, node: NodeId) -> Option<&OpenLeaf> {
        self.leaf.as_ref().filter(|leaf| leaf.node == node)
    }

    /// Whether a value may still change, being open itself.
    #[inline]
    pub(crate) fn is_open(&self, level: u32, node: NodeId) -> bool {
        self.open_at(level, node).is_some() || self.leaf_is(node).is_some()
    }
}
