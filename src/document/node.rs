//! The node log: one fixed-size entry for each value, in the order in which the values begin.
//!
//! Since the order is that of the text, the first child of a container is the entry behind it, and everything below
//! a value lies between it and its next sibling. A node has 32 bytes, half a cache line:
//!
//! | cell | a member of an object | an element of an array | written |
//! |---|---|---|---|
//! | 0 | kind, flags, length of the key | kind, flags, index | at the start; the kind of a number again at its end |
//! | 1 | address of the key's text | – | at the start |
//! | 2 | address of the text of a string or number | same | at the end |
//! | 3 | length of that text, or the number of children | same | at the end |
//! | 4 | the next sibling, 0 for none | same | when the sibling begins |
//! | 5 | the container it is in | same | at the start |
//! | 6 | offset of its first byte in the source | same | at the start |
//! | 7 | offset behind its last byte in the source | same | at the end |
//!
//! What is written “at the end” is not read through a bookmark in which the value is open: the bookmark has its own
//! copy. A sibling that lies beyond a bookmark is, for it, no sibling. So a reader never depends on a cell that the
//! writer may still change, and every cell is an atomic so that looking at one would be harmless all the same. They
//! are all `Relaxed`: whoever has a bookmark got it, in whatever way, after the nodes it covers were written.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::log::{CellBlock, CellWriter, Cells, Directory, block_base, block_size, locate};

/// The place of a node in its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The node that is none: larger than every node.
    pub(crate) const NONE: Self = Self(u32::MAX);

    pub(crate) const fn new(number: u32) -> Self {
        Self(number)
    }

    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    pub(crate) fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// The node behind this one: its first child if it has any.
    pub(crate) const fn following(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// The kind of a value, as RFC 8259 names them.
///
/// ```
/// use jsonrill::{Kind, Parser};
///
/// let update = Parser::new().feed(r#"{"a": [1, "#);
/// assert_eq!(update.snapshot().at("/a").kind(), Some(Kind::Array));
/// assert_eq!(update.snapshot().at("/a/1").kind(), None); // not there yet
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, kept as the text it was written with.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// Its name in output.
    ///
    /// ```
    /// use jsonrill::Kind;
    ///
    /// assert_eq!((Kind::Bool.as_str(), Kind::Array.as_str()), ("boolean", "array"));
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

crate::names::named!(Kind);

/// The kind as the log keeps it: the two booleans apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}

impl NodeKind {
    fn from_bits(bits: u32) -> Self {
        match bits & 7 {
            1 => Self::False,
            2 => Self::True,
            3 => Self::Number,
            4 => Self::String,
            5 => Self::Array,
            6 => Self::Object,
            _ => Self::Null,
        }
    }

    pub(crate) fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }

    pub(crate) fn public(self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::False | Self::True => Kind::Bool,
            Self::Number => Kind::Number,
            Self::String => Kind::String,
            Self::Array => Kind::Array,
            Self::Object => Kind::Object,
        }
    }
}

const HAS_KEY: u32 = 1 << 3;
const REPLACEMENT: u32 = 1 << 4;
const LABEL_SHIFT: u32 = 5;

/// The longest key in bytes, and the largest index of an element: what fits beside the kind in cell 0.
pub(crate) const MAX_LABEL: u32 = u32::MAX >> LABEL_SHIFT;

/// The most nodes a log can hold.
pub(crate) const MAX_NODES: u32 = 1 << 27;

/// What a value is called in its container, as cells 0 and 1 of its node have it.
#[derive(Clone, Copy)]
pub(super) struct LabelCells(u32, u32);

impl LabelCells {
    /// Of a member: the address and the length of its name.
    #[inline(always)]
    pub(super) fn key(start: u32, length: u32) -> Self {
        Self(HAS_KEY | length << LABEL_SHIFT, start)
    }

    /// Of an element: its place.
    #[inline(always)]
    pub(super) fn index(index: u32) -> Self {
        Self(index << LABEL_SHIFT, 0)
    }

    /// The address and the length of the name, if it has one.
    pub(super) fn name(self) -> Option<(u32, u32)> {
        (self.0 & HAS_KEY != 0).then_some((self.1, self.0 >> LABEL_SHIFT))
    }
}

/// What a value is called in its container.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Label {
    /// The address and the length of a member's name.
    Key { start: u32, length: u32 },
    /// The place of an element, from 0. Also a root, with 0.
    Index(u32),
}

/// Sixteen nodes in the first block: 512 bytes.
const FIRST_BITS: u32 = 4;

type Block = Arc<CellBlock>;

/// The readers' side of the node log.
pub(crate) struct Nodes(Directory<Block>);

impl Nodes {
    pub(crate) fn new() -> Self {
        Self(Directory::new())
    }

    /// The node, or `None` where there is no memory for it yet. A place that was never written reads as a null without
    /// a key.
    #[inline]
    pub(crate) fn get(&self, id: NodeId) -> Option<Node<'_>> {
        if id.number() >= MAX_NODES {
            return None;
        }
        let (number, offset) = locate(id.number() as usize, FIRST_BITS);
        self.0.get(number)?.get(offset).map(Node)
    }
}

/// Reads nodes one after the other: those near each other lie in one block, which is looked up once.
#[derive(Clone)]
pub(crate) struct NodeWalk<'a> {
    nodes: &'a Nodes,
    block: Option<&'a CellBlock>,
    base: u32,
}

impl<'a> NodeWalk<'a> {
    #[inline]
    pub(crate) fn new(nodes: &'a Nodes) -> Self {
        Self { nodes, block: None, base: 0 }
    }

    /// As [`Nodes::get`].
    #[inline]
    pub(crate) fn get(&mut self, id: NodeId) -> Option<Node<'a>> {
        let near = self.block.and_then(|block| block.get(id.number().wrapping_sub(self.base) as usize));
        if let Some(cells) = near {
            return Some(Node(cells));
        }
        if id.number() >= MAX_NODES {
            return None;
        }
        let (number, offset) = locate(id.number() as usize, FIRST_BITS);
        let block: &CellBlock = self.nodes.0.get(number)?;
        self.block = Some(block);
        self.base = u32::try_from(block_base(number, FIRST_BITS)).unwrap_or(u32::MAX);
        block.get(offset).map(Node)
    }
}

/// The writer's place in the node log: the last block, the only one that is not full.
pub(crate) struct NodeCursor {
    block: Option<Block>,
    writer: Option<CellWriter>,
    base: u32,
}

impl NodeCursor {
    pub(crate) fn new() -> Self {
        Self { block: None, writer: None, base: 0 }
    }

    /// A node that was written.
    #[inline(always)]
    pub(crate) fn get<'a>(&'a self, nodes: &'a Nodes, id: NodeId) -> Option<Node<'a>> {
        let near = self.block.as_ref().and_then(|block| block.get(id.number().wrapping_sub(self.base) as usize));
        match near {
            Some(cells) => Some(Node(cells)),
            None => nodes.get(id),
        }
    }

    /// Writes a node over whatever an abandoned one left there, or behind all others. `false` at [`MAX_NODES`].
    #[inline(always)]
    pub(crate) fn write(&mut self, nodes: &Nodes, id: NodeId, numbers: [u32; 8]) -> bool {
        let offset = id.number().wrapping_sub(self.base) as usize;
        if let Some(writer) = &mut self.writer
            && writer.written() == offset
            && writer.append(numbers)
        {
            return true;
        }
        self.write_elsewhere(nodes, id, numbers)
    }

    #[cold]
    fn write_elsewhere(&mut self, nodes: &Nodes, id: NodeId, numbers: [u32; 8]) -> bool {
        if let Some(node) = self.get(nodes, id) {
            for (cell, number) in numbers.into_iter().enumerate() {
                node.set(cell, number);
            }
            return true;
        }
        if id.number() >= MAX_NODES {
            return false;
        }
        let (number, _) = locate(id.number() as usize, FIRST_BITS);
        let (block, mut writer) = CellBlock::new(block_size(number, FIRST_BITS));
        let written = writer.append(numbers) && nodes.0.set(number, block.clone());
        self.block = Some(block);
        self.writer = Some(writer);
        self.base = u32::try_from(block_base(number, FIRST_BITS)).unwrap_or(u32::MAX);
        written
    }
}

/// A node in its log.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a>(&'a Cells);

/// The cells of a value that begins, or, for a scalar that was read as a whole, that begins and ends.
#[inline(always)]
pub(crate) fn cells(
    kind: NodeKind,
    LabelCells(label, key): LabelCells,
    parent: NodeId,
    (start, end): (u32, u32),
    (text, length): (u32, u32),
) -> [u32; 8] {
    [kind as u32 | label, key, text, length, 0, parent.0, start, end]
}

impl Node<'_> {
    #[inline]
    pub(crate) fn kind(self) -> NodeKind {
        NodeKind::from_bits(self.0.0[0].load(Relaxed))
    }

    /// Makes a container that nobody has seen one of another kind.
    pub(crate) fn set_kind(self, kind: NodeKind) {
        self.set(0, self.0.0[0].load(Relaxed) & !7 | kind as u32);
    }

    /// Whether it stands in place of an earlier member of the same name.
    #[inline]
    pub(crate) fn is_replacement(self) -> bool {
        self.0.0[0].load(Relaxed) & REPLACEMENT != 0
    }

    #[inline]
    pub(crate) fn label(self) -> Label {
        let bits = self.0.0[0].load(Relaxed);
        if bits & HAS_KEY == 0 {
            Label::Index(bits >> LABEL_SHIFT)
        } else {
            Label::Key { start: self.0.0[1].load(Relaxed), length: bits >> LABEL_SHIFT }
        }
    }

    /// Address and length of the text of a closed string or number.
    #[inline]
    pub(crate) fn text(self) -> (u32, u32) {
        (self.0.0[2].load(Relaxed), self.0.0[3].load(Relaxed))
    }

    /// How many children a closed container has.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.0.0[3].load(Relaxed)
    }

    /// The next sibling if it has begun.
    #[inline]
    pub(crate) fn next(self) -> Option<NodeId> {
        match self.0.0[4].load(Relaxed) {
            0 => None,
            number => Some(NodeId(number)),
        }
    }

    #[inline]
    pub(crate) fn parent(self) -> NodeId {
        NodeId(self.0.0[5].load(Relaxed))
    }

    #[inline]
    pub(crate) fn source_start(self) -> u32 {
        self.0.0[6].load(Relaxed)
    }

    /// Behind the last byte; for a closed value only.
    #[inline]
    pub(crate) fn source_end(self) -> u32 {
        self.0.0[7].load(Relaxed)
    }

    #[inline]
    pub(crate) fn set_replacement(self) {
        self.set(0, self.0.0[0].load(Relaxed) | REPLACEMENT);
    }

    #[inline]
    pub(crate) fn end_text(self, kind: NodeKind, (start, length): (u32, u32), source_end: u32) {
        let bits = self.0.0[0].load(Relaxed);
        self.set(0, bits & !7 | kind as u32);
        self.set(2, start);
        self.set(3, length);
        self.set(7, source_end);
    }

    #[inline]
    pub(crate) fn end_container(self, count: u32, source_end: u32) {
        self.set(3, count);
        self.set(7, source_end);
    }

    /// Says that the index knows the children: in the cell that a scalar has its text's address in.
    pub(crate) fn set_indexed(self) {
        self.set(2, 1);
    }

    /// Whether it says so; of a closed container.
    #[inline]
    pub(crate) fn is_indexed(self) -> bool {
        self.text().0 != 0
    }

    #[inline]
    pub(crate) fn link(self, next: Option<NodeId>) {
        self.set(4, next.map_or(0, NodeId::number));
    }

    #[inline]
    fn set(self, cell: usize, number: u32) {
        if let Some(cell) = self.0.0.get(cell) {
            cell.store(number, Relaxed);
        }
    }
}
