//! Which part of the document a chunk holds.

use std::ops::Range;

use crate::document::path::push_token;
use crate::split::chunk::Chunk;
use crate::split::scan::string_end;

use super::decide::Cut;
use super::{Entry, Kind, Window};

impl Window {
    /// The chunk that ends there, and has this text.
    pub(super) fn chunk(&self, cut: &Cut, text: String) -> Chunk {
        let (pointer, range) = self.held(cut);
        Chunk {
            text,
            pointer,
            range,
            first: self.pointer(0),
            index: self.chunks,
            count: None,
            continues: !self.lead.is_empty(),
            continued: cut.in_string,
        }
    }

    /// The innermost object or array that all of the chunk is in, and which of its children.
    fn held(&self, cut: &Cut) -> (String, Option<Range<u64>>) {
        // The entries that the cut is in, innermost first, and those of them that are in the spine alone.
        let mut around = vec![cut.entry];
        while let Some(parent) = around.last().and_then(|number| self.entries.get(*number)).and_then(|it| it.parent) {
            around.push(parent);
        }
        let Some(last) = around.pop().and_then(|number| Some((number, self.entries.get(number)?))) else {
            return (String::new(), None);
        };
        let (mut number, mut entry) = last;
        // What is in the spine ends in what is the least deep.
        let depth = entry.depth;
        let first = self.entries.first().map_or(0, |first| {
            if first.depth == depth { first.index } else { self.levels.get(depth).map_or(0, |level| level.index) }
        });
        let mut range = first..entry.index + 1;
        let mut pointer = self.spine_pointer(depth).to_owned();
        if depth == 0 {
            // The root is in nothing: what is told is what of it there is.
            let whole = around.is_empty();
            if !entry.kind.is_container() || entry.children == 0 {
                return (pointer, None);
            }
            if whole {
                return (pointer, Some(0..entry.children));
            }
        } else if range.end - range.start > 1 {
            return (pointer, Some(range));
        }
        // Of a single child that it does not hold whole, what is in that.
        while let Some((inner, child)) = around.pop().and_then(|inner| Some((inner, self.entries.get(inner)?))) {
            if !(depth == 0 && number == last.0) {
                self.push_label(&mut pointer, entry);
            }
            range = 0..child.index + 1;
            (number, entry) = (inner, child);
            if child.index > 0 {
                break;
            }
        }
        (pointer, Some(range))
    }

    /// The pointer of an entry.
    pub(super) fn pointer(&self, number: usize) -> String {
        let (mut steps, mut next) = (Vec::new(), Some(number));
        while let Some(entry) = next.and_then(|number| self.entries.get(number)) {
            steps.push(entry);
            next = entry.parent;
        }
        let mut pointer = self.spine_pointer(steps.last().map_or(self.levels.len(), |top| top.depth)).to_owned();
        for entry in steps.into_iter().rev() {
            if entry.depth > 0 {
                self.push_label(&mut pointer, entry);
            }
        }
        pointer
    }

    /// The pointer of the innermost of so many levels.
    fn spine_pointer(&self, depth: usize) -> &str {
        let level = depth.checked_sub(1).and_then(|last| self.levels.get(last));
        level.and_then(|level| self.pointer.get(..level.pointer)).unwrap_or_default()
    }

    /// The last token of an entry's pointer.
    fn push_label(&self, pointer: &mut String, entry: &Entry) {
        let is_array = match entry.parent.and_then(|parent| self.entries.get(parent)) {
            Some(parent) => parent.kind == Kind::Array,
            None => entry.depth.checked_sub(1).and_then(|level| self.levels.get(level)).is_some_and(|it| it.is_array),
        };
        let step = if entry.start.bytes == entry.inside.bytes && !self.lead.is_empty() && entry.start.bytes == 0 {
            &self.lead
        } else {
            self.text.get(entry.start.bytes..).unwrap_or_default()
        };
        push_step(pointer, is_array, step, entry.index);
    }
}

/// The token of what begins with this key, or has this index.
pub(super) fn push_step(pointer: &mut String, in_array: bool, text: &str, index: u64) {
    if in_array {
        return push_token(pointer, &index.to_string());
    }
    let key = text.strip_prefix('"').unwrap_or(text);
    let raw = string_end(key).and_then(|end| key.get(..end)).unwrap_or(key);
    let decoded: String = super::string::characters(raw).map(|(_, character)| character).collect();
    push_token(pointer, &decoded);
}
