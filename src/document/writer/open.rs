//! What is open while a document is being written.

use super::super::path;
use super::{Label, Node, NodeId, NodeKind, Writer};

impl Writer {
    /// The closers that are missing, innermost first.
    pub(crate) fn closers(&self) -> String {
        self.frames.iter().rev().map(|frame| if frame.kind == NodeKind::Object { '}' } else { ']' }).collect()
    }

    /// The pointer of the innermost open container, or, with `in_flight`, of the value being read in it: the scalar
    /// that has begun, or the one that would come next.
    ///
    /// With `in_key` the text in flight is the key of that value.
    pub(crate) fn path(&self, in_flight: bool, in_key: bool) -> String {
        let mut path = String::new();
        let mut add = |label: Option<Label>| match label {
            Some(Label::Key { start, length }) => {
                path::push_token(&mut path, &String::from_utf8_lossy(self.text.read(start, length)));
            }
            Some(Label::Index(index)) => path::push_index(&mut path, index as usize),
            None => {}
        };
        let label = |id: NodeId| self.node(id).map(Node::label);
        self.frames.iter().skip(1).for_each(|frame| add(label(frame.node)));
        if in_flight && let Some(frame) = self.frames.last() {
            add(match (&self.leaf, self.key) {
                _ if in_key => {
                    let start = self.text.run().0;
                    Some(Label::Key { start, length: u32::try_from(self.open_text().len()).unwrap_or_default() })
                }
                (Some(leaf), _) => label(leaf.node),
                (None, Some((start, length))) => Some(Label::Key { start, length }),
                (None, None) => Some(Label::Index(frame.count)),
            });
        }
        path
    }

    /// The kind of the container around the innermost one.
    pub(crate) fn outer_container(&self) -> Option<NodeKind> {
        self.container_at(1)
    }

    /// The kind of an open container: 0 is the innermost.
    pub(crate) fn container_at(&self, level: usize) -> Option<NodeKind> {
        self.frames.iter().rev().nth(level).map(|frame| frame.kind)
    }

    /// Whether a container of this kind is open.
    pub(crate) fn has_open(&self, kind: NodeKind) -> bool {
        self.frames.iter().any(|frame| frame.kind == kind)
    }

    /// Where the innermost container begins.
    pub(crate) fn container_start(&self) -> Option<u32> {
        self.frames.last().and_then(|frame| self.node(frame.node)).map(Node::source_start)
    }

    /// Whether the innermost container has nothing in it, and is not shown.
    pub(crate) fn is_held_and_empty(&self) -> bool {
        let is_empty = self.frames.last().is_some_and(|frame| frame.count == 0);
        is_empty && self.hold.is_some_and(|hold| hold.frames < self.frames.len())
    }

    /// The kind of the last child of the innermost container.
    #[inline]
    pub(crate) fn last_child(&self) -> Option<NodeKind> {
        let frame = self.frames.last().filter(|frame| frame.last != frame.node)?;
        self.node(frame.last).map(Node::kind)
    }

    /// Makes the innermost container, which must be held and empty, an array.
    pub(crate) fn become_array(&mut self) {
        let level = self.frames.len().wrapping_sub(1);
        if let Some(frame) = self.frames.last_mut() {
            frame.kind = NodeKind::Array;
            self.many = None;
            if let Some(open) = super::open_node(&mut self.record, &mut self.all, level) {
                *open = frame.open();
            }
            let id = frame.node;
            if let Some(node) = self.node(id) {
                node.set_kind(NodeKind::Array);
            }
        }
    }

    /// The kind of the scalar in flight.
    #[inline]
    pub(crate) fn leaf_kind(&self) -> Option<NodeKind> {
        self.leaf.as_ref().map(|leaf| leaf.kind)
    }

    /// Where the last child of the innermost container ends, if it has ended.
    pub(crate) fn last_child_end(&self) -> Option<u32> {
        let frame = self.frames.last().filter(|frame| frame.last != frame.node)?;
        self.node(frame.last).map(Node::source_end)
    }

    /// Where the scalar in flight begins in the source.
    pub(crate) fn leaf_start(&self) -> Option<u32> {
        self.leaf.as_ref().and_then(|leaf| self.node(leaf.node)).map(Node::source_start)
    }

    /// How much of the scalar in flight is shown, in bytes.
    pub(crate) fn shown_length(&self) -> u32 {
        self.leaf.as_ref().and_then(|leaf| leaf.shown).unwrap_or(self.text.run().1)
    }

    /// The text that was begun last, as far as it has come.
    #[inline]
    pub(crate) fn open_text(&self) -> &[u8] {
        let (start, length) = self.text.run();
        let all = self.text.read(start, length);
        self.shortened.and_then(|length| all.get(..length as usize)).unwrap_or(all)
    }
}
