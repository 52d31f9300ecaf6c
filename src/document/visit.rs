//! Walks what is in a value in the order of the text, with one look-up for each value.

use super::node::{Label, NodeWalk};
use super::{NodeId, NodeKind, Reader, Replacing, Span};

/// Gives the values of a document to somebody who keeps the stack.
pub(crate) struct Visitor<'a> {
    reader: Reader<'a>,
    nodes: NodeWalk<'a>,
}

/// All about a value.
pub(crate) struct Visited<'a> {
    pub(crate) kind: NodeKind,
    /// The name of a member. Like `text` it is text, which is not checked again.
    pub(crate) key: Option<&'a [u8]>,
    /// What a string says, or how a number is spelled.
    pub(crate) text: &'a [u8],
    pub(crate) span: Span,
    /// Whether its own bytes have not ended it.
    pub(crate) is_open: bool,
    /// What is in it, to be visited next.
    pub(crate) children: Children,
}

/// The children of a container that were not visited yet.
pub(crate) struct Children {
    next: Option<NodeId>,
    left: u32,
    level: u32,
    /// Whether one of them may be open.
    is_open: bool,
}

impl<'a> Visitor<'a> {
    pub(crate) fn new(reader: Reader<'a>) -> Self {
        Self { reader, nodes: NodeWalk::new(&reader.log.nodes) }
    }

    /// The value at the top, if there is one.
    pub(crate) fn root(&mut self) -> Option<Visited<'a>> {
        let root = self.reader.mark.root;
        if root.is_none() { None } else { self.visit(root, 0, true) }
    }

    /// The next of these.
    #[inline(always)]
    pub(crate) fn next(&mut self, children: &mut Children) -> Option<Visited<'a>> {
        let id = children.next.filter(|_| children.left > 0)?;
        children.left -= 1;
        children.next = if self.reader.mark.replacing == Replacing::Happened {
            self.reader.next(id)
        } else {
            self.nodes.get(id)?.next().filter(|next| next.number() < self.reader.mark.nodes)
        };
        self.visit(self.reader.current(id), children.level, children.is_open)
    }

    /// Passes over the next of these as long as they are closed, end before `limit`, and `fits` their kind and span.
    /// Gives where the last of them ends.
    pub(crate) fn pass(
        &mut self,
        children: &mut Children,
        limit: u32,
        fits: impl Fn(NodeKind, Span) -> bool,
    ) -> Option<u32> {
        let mut end = None;
        if self.reader.mark.replacing != Replacing::Never {
            return end;
        }
        while children.left > 0
            && let Some(id) = children.next
            && let Some(node) = self.nodes.get(id)
            && node.source_end() < limit
            && !(children.is_open && self.reader.mark.is_open(children.level, id))
            && fits(node.kind(), self.reader.span_of(node, false))
        {
            end = Some(node.source_end());
            children.left -= 1;
            children.next = node.next().filter(|next| next.number() < self.reader.mark.nodes);
        }
        end
    }

    #[inline(always)]
    fn visit(&mut self, id: NodeId, level: u32, may_be_open: bool) -> Option<Visited<'a>> {
        let node = self.nodes.get(id)?;
        let text = &self.reader.log.text;
        let key = match node.label() {
            Label::Key { start, length } => Some(if length == 0 { &[] } else { text.read(start, length)? }),
            Label::Index(_) => None,
        };
        let is_open = may_be_open && self.reader.mark.is_open(level, id);
        let (kind, text, count) = if is_open {
            (self.reader.kind(id), self.reader.text(id).as_bytes(), self.reader.count(level, id))
        } else {
            match (node.kind(), node.text()) {
                (kind @ (NodeKind::Array | NodeKind::Object), _) => (kind, &[][..], node.count()),
                (kind @ (NodeKind::String | NodeKind::Number), (start, length)) if length > 0 => {
                    (kind, text.read(start, length)?, 0)
                }
                (kind, _) => (kind, &[][..], 0),
            }
        };
        let span = self.reader.span_of(node, is_open);
        let children = Children { next: Some(id.following()), left: count, level: level + 1, is_open };
        Some(Visited { kind, key, text, span, is_open, children })
    }
}
