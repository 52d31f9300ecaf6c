//! Walks what is in a value, children before their container: the order in which values end.

use super::node::NodeWalk;
use super::{NodeId, Reader, Replacing};

/// Gives each value in a value, and last itself, with its level.
#[derive(Clone)]
pub(crate) struct PostOrder<'a> {
    reader: Reader<'a>,
    nodes: NodeWalk<'a>,
    /// The value that is walked, and its level.
    top: (NodeId, u32),
    /// The value that was given last.
    at: Option<(NodeId, u32)>,
    /// Whether the value is on the open path. If it is not, nothing in it is.
    is_open: bool,
}

impl<'a> PostOrder<'a> {
    #[inline]
    pub(crate) fn new(reader: Reader<'a>, node: NodeId, level: u32) -> Self {
        let is_open = reader.mark.is_open(level, node);
        Self { reader, nodes: NodeWalk::new(&reader.log.nodes), top: (node, level), at: None, is_open }
    }

    /// Whether a value that was given is on the open path.
    #[inline]
    pub(crate) fn is_open(&self, (node, level): (NodeId, u32)) -> bool {
        self.is_open && self.reader.mark.is_open(level, node)
    }

    /// The first value to be given in this one: down along the first children.
    #[inline]
    fn innermost_first(&mut self, (mut node, mut level): (NodeId, u32)) -> (NodeId, u32) {
        loop {
            let open = if self.is_open { self.reader.mark.open_at(level, node) } else { None };
            let count = match (open, self.nodes.get(node)) {
                (Some(open), _) => open.count(),
                (None, Some(closed)) if closed.kind().is_container() => closed.count(),
                _ => 0,
            };
            if count == 0 {
                return (node, level);
            }
            node = self.reader.current(node.following());
            level += 1;
        }
    }

    /// The member or element behind `node`, as it is by now.
    #[inline]
    fn sibling(&mut self, node: NodeId) -> Option<NodeId> {
        if self.reader.mark.replacing == Replacing::Happened {
            let next = self.reader.next(self.reader.original(node))?;
            return Some(self.reader.current(next));
        }
        self.nodes.get(node)?.next().filter(|next| next.number() < self.reader.mark.nodes)
    }
}

impl Iterator for PostOrder<'_> {
    type Item = (NodeId, u32);

    #[inline]
    fn next(&mut self) -> Option<(NodeId, u32)> {
        let next = match self.at {
            None => self.innermost_first(self.top),
            Some(at) if at == self.top => return None,
            Some((node, level)) => match self.sibling(node) {
                Some(sibling) => self.innermost_first((sibling, level)),
                None => (self.nodes.get(node)?.parent(), level.saturating_sub(1)),
            },
        };
        self.at = Some(next);
        Some(next)
    }
}
