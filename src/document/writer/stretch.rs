//! Whole values, one after the other: the writer's part of a piece that has many of them.
//!
//! What the writer must know between any two bytes is not written down between any two tokens here: the innermost
//! container is at hand, and what bookmarks copy is brought up to date once, when the stretch ends.

use super::super::bookmark::INLINE;
use super::super::node::{LabelCells, cells};
use super::{Frame, NodeId, NodeKind, Writer};

/// A stretch in which nothing is held, in flight, or dropped.
pub(crate) struct Stretch<'w> {
    writer: &'w mut Writer,
    /// The innermost container, which is not on the writer's stack meanwhile.
    frame: Frame,
    /// What the next value is called.
    label: LabelCells,
    /// The first node that is written in it.
    first: u32,
    /// The fewest containers that were open.
    lowest: usize,
    /// At most so many nodes.
    limit: u32,
}

impl Writer {
    /// Begins a stretch; none where something is held or in flight, or no container is open.
    #[inline]
    pub(crate) fn stretch(&mut self, limit: u32) -> Option<Stretch<'_>> {
        let is_even = self.hold.is_none()
            && self.leaf.is_none()
            && self.key.is_none()
            && self.replaces.is_none()
            && self.discards.is_empty();
        if !is_even {
            return None;
        }
        let lowest = self.frames.len();
        let frame = self.frames.pop()?;
        let first = self.record.nodes;
        Some(Stretch { writer: self, frame, label: LabelCells::index(frame.count), first, lowest, limit })
    }
}

impl Stretch<'_> {
    /// Whether the innermost container is an object.
    #[inline(always)]
    pub(crate) fn is_in_object(&self) -> bool {
        self.frame.kind == NodeKind::Object
    }

    /// How many containers are open.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.writer.frames.len() + 1
    }

    /// The next value is an element of the array.
    #[inline(always)]
    pub(crate) fn element(&mut self) {
        self.label = LabelCells::index(self.frame.count);
    }

    /// Writes the key of the next value: `count` bytes of `text` from `from` on. `false`, and nothing done, where the
    /// object has it already, or there is no room.
    #[inline(always)]
    pub(crate) fn key(&mut self, text: &str, from: usize, count: usize) -> bool {
        let Some(name) = text.as_bytes().get(from..from + count) else { return false };
        if !self.frame.note_name(name) && self.is_again(name) {
            return false;
        }
        let Some((start, length)) = self.writer.text.push_whole(text, from, count) else { return false };
        self.label = LabelCells::key(start, length);
        true
    }

    #[cold]
    #[inline(never)]
    fn is_again(&self, name: &[u8]) -> bool {
        self.writer.find(&self.frame, name).is_some()
    }

    /// Writes a value that was read as a whole, from `span.0` up to `span.1` in the source. What is to be kept of its
    /// text is `count` bytes from `from` on. `false` where there is no room.
    #[inline(always)]
    pub(crate) fn scalar(&mut self, kind: NodeKind, span: (u32, u32), text: &str, from: usize, count: usize) -> bool {
        let place = if count == 0 { Some((0, 0)) } else { self.writer.text.push_whole(text, from, count) };
        place.is_some_and(|place| self.value(kind, span, place).is_some())
    }

    /// Begins an array at `at`. `false`, and nothing done, where there is no room.
    #[inline(always)]
    pub(crate) fn open_array(&mut self, at: u32) -> bool {
        self.open(NodeKind::Array, at)
    }

    /// Begins an object at `at` and writes its first key, `count` bytes of `text` from `from` on. `false`, and nothing
    /// that is seen done, where there is no room for both.
    #[inline(always)]
    pub(crate) fn open_object(&mut self, at: u32, text: &str, from: usize, count: usize) -> bool {
        let Some(name) = text.as_bytes().get(from..from + count) else { return false };
        let Some((start, length)) = self.writer.text.push_whole(text, from, count) else { return false };
        if !self.open(NodeKind::Object, at) {
            return false;
        }
        self.frame.note_name(name);
        self.label = LabelCells::key(start, length);
        true
    }

    #[inline(always)]
    fn open(&mut self, kind: NodeKind, at: u32) -> bool {
        let Some(node) = self.value(kind, (at, at), (0, 0)) else { return false };
        self.writer.frames.push(self.frame);
        self.frame = Frame::new(kind, node);
        true
    }

    /// Ends the innermost container, whose closer ends at `end`. `false`, and nothing done, if it is the root.
    #[inline(always)]
    pub(crate) fn close(&mut self, end: u32) -> bool {
        let Some(outer) = self.writer.frames.pop() else { return false };
        if let Some(node) = self.writer.node(self.frame.node) {
            node.end_container(self.frame.count, end);
            if self.frame.indexed {
                node.set_indexed();
            }
        }
        self.frame = outer;
        self.lowest = self.lowest.min(self.depth());
        true
    }

    #[inline(always)]
    fn value(&mut self, kind: NodeKind, span: (u32, u32), text: (u32, u32)) -> Option<NodeId> {
        let (writer, frame) = (&mut *self.writer, &mut self.frame);
        if writer.record.nodes >= self.limit {
            return None;
        }
        let id = NodeId::new(writer.record.nodes);
        if !writer.cursor.write(&writer.log.nodes, id, cells(kind, self.label, frame.node, span, text)) {
            return None;
        }
        if frame.last != frame.node
            && let Some(last) = writer.cursor.get(&writer.log.nodes, frame.last)
        {
            last.link(Some(id));
        }
        frame.last = id;
        frame.count += 1;
        writer.record.nodes += 1;
        if frame.is_to_be_indexed() {
            self.index(id);
        }
        Some(id)
    }

    #[cold]
    #[inline(never)]
    fn index(&mut self, id: NodeId) {
        self.writer.index_child_of(&mut self.frame, id);
    }

    /// Ends the stretch. With `waits` the key that was written waits for its value.
    #[inline]
    pub(crate) fn end(self, waits: bool) {
        let writer = self.writer;
        writer.frames.push(self.frame);
        if waits {
            writer.key = self.label.name();
        }
        // No value, and no closer: what is open is as it was.
        if writer.record.nodes == self.first && writer.record.depth as usize == self.lowest {
            return;
        }
        writer.many = None;
        // Those around the outermost that anything happened in are as they were.
        let same = self.lowest.saturating_sub(1);
        let Writer { record, frames, all, .. } = writer;
        for (near, frame) in record.near.iter_mut().zip(&*frames).skip(same) {
            *near = frame.open();
        }
        all.truncate(if frames.len() > INLINE { same } else { 0 });
        if frames.len() > INLINE {
            let from = all.len();
            all.extend(frames.iter().skip(from).map(Frame::open));
        }
        record.innermost = self.frame.node;
        // Far below what fits: at most the greatest depth.
        record.depth = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    }
}
