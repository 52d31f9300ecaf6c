//! A part of a document as a log of its own.

use std::sync::Arc;

use super::{Bookmark, Full, Log, MAX_NODES, Member, NodeId, NodeKind, Reader, Replacing, Seen, Stream, Writer};

/// Copies the value `node`, which is in `level` containers. What is open stays open. `None` if there is no room, which
/// cannot be where there was room for the original.
pub(crate) fn copy_value(from: Reader<'_>, level: u32, node: NodeId) -> Option<(Arc<Log>, Bookmark)> {
    let (stream, _) = Stream::new(false);
    let replacing = if from.mark.replacing == Replacing::Never { Replacing::Never } else { Replacing::Possible };
    let mut writer = Writer::new(stream, replacing, false);
    writer.begin_candidate();
    let copied = Copy { from, writer: &mut writer, open: Vec::new() }.value(level, node);
    copied.ok()?;
    writer.settle();
    let seen = Seen { outside: 0, outside_end: 0, ..from.mark.seen };
    let mark = writer.mark(seen);
    Some((writer.log().clone(), mark))
}

struct Copy<'a> {
    from: Reader<'a>,
    writer: &'a mut Writer,
    open: Vec<Open>,
}

/// A container being copied.
struct Open {
    node: NodeId,
    level: u32,
    /// Its next child.
    next: Option<NodeId>,
    /// The member that comes behind all others, for it is open, and replaces one that has others behind it.
    late: Option<NodeId>,
}

impl Copy<'_> {
    fn value(&mut self, level: u32, node: NodeId) -> Result<(), Full> {
        self.begin(level, node)?;
        while let Some(open) = self.open.last_mut() {
            let level = open.level;
            if let Some(child) = open.next {
                open.next = self.from.next(child);
                let child = self.from.current(child);
                let is_late = open.next.is_some() && self.from.mark.is_open(level + 1, child);
                if is_late {
                    open.late = Some(child);
                }
                self.name(child)?;
                if is_late {
                    // In its place until then.
                    self.writer.keyword(NodeKind::Null, 0, 0, MAX_NODES)?;
                } else {
                    self.begin(level + 1, child)?;
                }
            } else if let Some(child) = open.late.take() {
                if let Member::Again(first) = self.name(child)? {
                    self.writer.replace_next(first);
                }
                self.begin(level + 1, child)?;
            } else {
                let container = open.node;
                self.open.pop();
                if !self.from.mark.is_open(level, container) {
                    self.writer.end_container(self.from.span(level, container).end);
                }
            }
        }
        Ok(())
    }

    /// Writes the key of a child, if it has one.
    fn name(&mut self, child: NodeId) -> Result<Member, Full> {
        let Some(key) = self.from.key(child) else { return Ok(Member::New) };
        self.writer.begin_text();
        self.writer.push_text(key)?;
        self.writer.end_key()
    }

    fn begin(&mut self, level: u32, node: NodeId) -> Result<(), Full> {
        let (kind, span) = (self.from.kind(node), self.from.span(level, node));
        let is_open = self.from.mark.is_open(level, node);
        match kind {
            NodeKind::Array | NodeKind::Object => {
                self.writer.begin_container(kind, span.start, MAX_NODES)?;
                self.open.push(Open { node, level, next: self.from.first_child(level, node), late: None });
                return Ok(());
            }
            NodeKind::Null | NodeKind::True | NodeKind::False if !is_open => {
                return self.writer.keyword(kind, span.start, span.end, MAX_NODES);
            }
            _ => {}
        }
        self.writer.begin_text();
        self.writer.begin_leaf(kind, span.start, MAX_NODES)?;
        self.writer.push_text(self.from.text(node))?;
        if !is_open {
            self.writer.end_leaf(span.end);
        }
        Ok(())
    }
}
