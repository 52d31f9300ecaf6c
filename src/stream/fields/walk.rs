//! The places that a pattern means, in the order in which they end.

use std::task::{Poll, ready};

use crate::document::{Kind, NodeId, PathPattern, Replacing};
use crate::view::ValueRef;

use super::error::FieldError;
use super::shared::View;

/// Goes through the values that a pattern may mean, children before what they are in. All that it remembers is the
/// value that it passed last: where it goes on is seen from there, in any later snapshot.
pub(super) struct Walk {
    pattern: PathPattern,
    /// The value passed last, and in how many containers it is.
    passed: Option<(NodeId, u32)>,
}

/// Where a walk is.
pub(super) enum Stop<'v> {
    /// At a value that the pattern means, or at one that is not final.
    At {
        value: ValueRef<'v>,
        is_meant: bool,
    },
    /// All was passed.
    End,
    Never(FieldError),
}

impl Walk {
    pub(super) fn new(pattern: PathPattern) -> Self {
        Self { pattern, passed: None }
    }

    pub(super) fn pattern(&self) -> &PathPattern {
        &self.pattern
    }

    /// The next value that the pattern means, or the next that is not final: what is behind that one may still change.
    /// Pending while the value at the top may come.
    ///
    /// A value that is not to be given again has to be [passed](Self::pass).
    pub(super) fn next<'v>(&mut self, view: &'v View) -> Poll<Stop<'v>> {
        let top = match ready!(view.look(self.pattern.top(), &self.pattern)) {
            Ok(value) => value,
            Err(error) => return Poll::Ready(Stop::Never(error)),
        };
        if self.pattern.below().is_strict() && !matches!(top.kind(), Some(Kind::Array | Kind::Object)) {
            return view.absent(top, None, &self.pattern).map(Stop::Never);
        }
        loop {
            let next = match self.passed {
                Some(passed) if passed == place(top) => return Poll::Ready(Stop::End),
                Some(passed) => self.behind(top, passed),
                None => self.first(top, place(top)),
            };
            let value = ValueRef::new(&view.snapshot, next.0, next.1);
            let is_meant = self.pattern.below().means(value.reader(), value.node(), depth(top, value.level()));
            if is_meant || !value.is_final() {
                return Poll::Ready(Stop::At { value, is_meant });
            }
            self.pass(value);
        }
    }

    /// Goes on behind a value.
    pub(super) fn pass(&mut self, value: ValueRef<'_>) {
        self.passed = Some(place(value));
    }

    /// The first value in this one that is worth a look, or itself.
    fn first(&self, top: ValueRef<'_>, (mut node, mut level): (NodeId, u32)) -> (NodeId, u32) {
        let reader = top.reader();
        while self.pattern.below().is_on_the_way(reader, node, depth(top, level))
            && let Some(child) = reader.first_child(level, node)
        {
            (node, level) = (reader.current(child), level + 1);
        }
        (node, level)
    }

    fn behind(&self, top: ValueRef<'_>, (node, level): (NodeId, u32)) -> (NodeId, u32) {
        let reader = top.reader();
        let original = if reader.mark.replacing == Replacing::Happened { reader.original(node) } else { node };
        match reader.next(original) {
            Some(sibling) => self.first(top, (reader.current(sibling), level)),
            None => (reader.parent(node), level.saturating_sub(1)),
        }
    }
}

fn place(value: ValueRef<'_>) -> (NodeId, u32) {
    (value.node(), value.level())
}

/// How far below the top a level is.
fn depth(top: ValueRef<'_>, level: u32) -> usize {
    level.saturating_sub(top.level()) as usize
}
