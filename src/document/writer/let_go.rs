//! Letting go of what nobody will read again.

use std::mem;
use std::sync::Arc;

use super::super::log::TextWriter;
use super::super::node::{LabelCells, NodeCursor, cells};
use super::{Frame, Label, Log, NodeId, NodeKind, Replacing, Writer};

/// The log that takes the place of another.
struct Copy {
    log: Arc<Log>,
    text: TextWriter,
    cursor: NodeCursor,
    nodes: u32,
}

impl Copy {
    /// Copies a value without what is in it: its key, its kind, and where it is in the source.
    fn push(&mut self, from: &Writer, id: NodeId, parent: NodeId) -> Option<NodeId> {
        let node = from.node(id)?;
        let label = match node.label() {
            Label::Key { start, length } => {
                self.text.begin_run();
                let key = std::str::from_utf8(from.text.read(start, length)).ok()?;
                let (start, length) = self.text.push_run(key).then(|| self.text.end_run())?;
                LabelCells::key(start, length)
            }
            Label::Index(index) => LabelCells::index(index),
        };
        let copy = NodeId::new(self.nodes);
        let span = (node.source_start(), node.source_end());
        let is_written = self.cursor.write(&self.log.nodes, copy, cells(node.kind(), label, parent, span, (0, 0)));
        self.nodes += 1;
        is_written.then_some(copy)
    }

    /// Says that `next` is the sibling of `last`, if that is a child of `container` and not itself.
    fn link(&self, container: NodeId, last: NodeId, next: NodeId) {
        if last != container
            && let Some(node) = self.cursor.get(&self.log.nodes, last)
        {
            node.link(Some(next));
        }
    }
}

impl Writer {
    /// How many bytes the log takes, about.
    pub(crate) fn size(&self) -> u64 {
        u64::from(self.record.nodes) * 32 + u64::from(self.text.position())
    }

    /// Goes on in a new log, which has of the document what the reading will ask for: the objects and arrays that are
    /// open, how many children they have and the last of them, and of objects the keys of all. What is behind lives as
    /// long as somebody holds it.
    ///
    /// `false`, and nothing done, where something is held or in flight, or values that have ended are asked for again.
    pub(crate) fn let_go(&mut self) -> bool {
        let is_between = self.hold.is_none()
            && self.leaf.is_none()
            && self.key.is_none()
            && self.replaces.is_none()
            && self.discards.is_empty();
        if !is_between
            || self.compare
            || self.record.replacing != Replacing::Never
            || self.record.root != self.candidate
        {
            return false;
        }
        let (log, text) = Log::new(self.log.stream.clone());
        let mut copy = Copy { log, text, cursor: NodeCursor::new(), nodes: 0 };
        let Some(places) = self.copy_open(&mut copy) else { return false };
        let Some((root, _)) = places.first() else { return false };
        (self.record.root, self.candidate) = (*root, *root);
        (self.log, self.text, self.cursor, self.record.nodes) = (copy.log, copy.text, copy.cursor, copy.nodes);
        (self.many, self.is_known) = (None, false);
        let mut frames = mem::take(&mut self.frames);
        for (level, (frame, (node, last))) in frames.iter_mut().zip(places).enumerate() {
            // The log is new.
            (frame.node, frame.last) = (node, last);
            frame.set_unknown();
            // A name that came before may come again and again, and none that is new.
            if frame.kind == NodeKind::Object && frame.is_to_be_indexed() {
                self.index_child_of(frame, last);
            }
            if let Some(near) = self.record.near.get_mut(level) {
                *near = frame.open();
            }
            if let Some(open) = self.all.get_mut(level) {
                *open = frame.open();
            }
        }
        self.record.innermost = frames.last().map_or(NodeId::NONE, |frame| frame.node);
        self.frames = frames;
        true
    }

    /// Copies what is open, and what must be known of the children. Gives for each frame its node and its last child.
    fn copy_open(&self, copy: &mut Copy) -> Option<Vec<(NodeId, NodeId)>> {
        let mut places: Vec<(NodeId, NodeId)> = Vec::with_capacity(self.frames.len());
        let mut inner = self.frames.iter().skip(1).map(|frame| frame.node);
        for frame in &self.frames {
            let parent = places.last().map_or(NodeId::NONE, |place| place.0);
            let node = copy.push(self, frame.node, parent)?;
            if let Some((outer, last)) = places.last_mut() {
                copy.link(*outer, mem::replace(last, node), node);
            }
            let (mut last, inner) = (node, inner.next());
            for child in self.asked_for(frame).take_while(|child| Some(*child) != inner) {
                let child = copy.push(self, child, node)?;
                copy.link(node, mem::replace(&mut last, child), child);
            }
            places.push((node, last));
        }
        Some(places)
    }

    /// The children of which something must be known: of an object all, for a name may come again.
    fn asked_for<'w>(&'w self, frame: &Frame) -> impl Iterator<Item = NodeId> + use<'w> {
        let (first, is_object) = match frame.kind {
            NodeKind::Object if frame.count > 0 => (Some(frame.node.following()), true),
            _ => (Some(frame.last).filter(|last| *last != frame.node), false),
        };
        std::iter::successors(first, move |child| if is_object { self.node(*child)?.next() } else { None })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{MAX_NODES, Stream};
    use super::super::Member;
    use super::*;

    #[test]
    fn the_names_of_a_large_object_are_not_walked_in_the_new_log() {
        for (count, is_large) in [(32, false), (33, true), (400, true)] {
            let mut writer = Writer::new(Stream::new(false).0, Replacing::Never, false);
            writer.begin_candidate();
            writer.begin_container(NodeKind::Object, 0, MAX_NODES).unwrap();
            writer.settle();
            for number in 0..count {
                let name = format!("k{number}");
                assert_eq!(writer.key((&name, name.len())), Ok(Member::New));
                writer.keyword(NodeKind::Null, 0, 0, MAX_NODES).unwrap();
            }
            assert!(writer.let_go());
            assert_eq!(writer.frames[0].indexed, is_large);
            assert_eq!(writer.record.near[0].is_indexed(), is_large);
            assert!(matches!(writer.key(("k7", 2)), Ok(Member::Again(_))));
            assert_eq!(writer.key(("new", 3)), Ok(Member::New));
        }
    }
}
