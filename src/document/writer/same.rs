//! Whether two values that are being written are the same: for members of one name.

use super::{Label, Node, NodeId, NodeKind, Writer};

impl Writer {
    /// Whether the closed value at `first` and the one at `second`, which ends the log, are the same to the letter of
    /// their keys, strings and numbers.
    pub(super) fn is_same(&self, first: NodeId, second: NodeId) -> bool {
        let count = self.record.nodes - second.number();
        let distance = second.number() - first.number();
        (0..count).all(|step| {
            let at = |id: NodeId| self.node(NodeId::new(id.number() + step));
            let (Some(one), Some(other)) = (at(first), at(second)) else { return false };
            let inner = step == 0
                || (self.same_label(one, other) && one.parent().number() + distance == other.parent().number());
            inner && one.kind() == other.kind() && self.same_content(one, other)
        }) && self.has_nodes(first, count)
    }

    fn same_label(&self, one: Node<'_>, other: Node<'_>) -> bool {
        match (one.label(), other.label()) {
            (Label::Key { start: a, length: n }, Label::Key { start: b, length: m }) => {
                self.text.read(a, n) == self.text.read(b, m)
            }
            (Label::Index(a), Label::Index(b)) => a == b,
            _ => false,
        }
    }

    fn same_content(&self, one: Node<'_>, other: Node<'_>) -> bool {
        match one.kind() {
            NodeKind::String | NodeKind::Number => {
                let text = |node: Node<'_>| node.text();
                let ((a, n), (b, m)) = (text(one), text(other));
                self.text.read(a, n) == self.text.read(b, m)
            }
            NodeKind::Array | NodeKind::Object => one.count() == other.count(),
            _ => true,
        }
    }

    /// Whether the closed value at `id` has `count` nodes, itself and all below it: the node behind them is not in it.
    fn has_nodes(&self, id: NodeId, count: u32) -> bool {
        let behind = NodeId::new(id.number() + count);
        self.node(behind).is_none_or(|node| node.parent() < id || behind.number() >= self.record.nodes)
    }
}
