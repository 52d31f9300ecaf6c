//! Makes the chunk, and the window behind it.

use super::decide::Cut;
use super::place::push_step;
use super::{Kind, Level, Mark, Window};

impl Window {
    /// The text of the chunk that ends there.
    pub(super) fn compose(&self, cut: &Cut) -> String {
        let part = self.text.get(..cut.end.bytes).unwrap_or_default();
        let depth = self.entries.get(cut.entry).map_or(0, |entry| entry.depth);
        let mut text = String::with_capacity(self.spine.len() + self.lead.len() + part.len() + 1 + depth);
        text.push_str(&self.spine);
        text.push_str(&self.lead);
        text.push_str(part);
        if cut.in_string {
            text.push('"');
        }
        let parent = self.entries.get(cut.entry).and_then(|entry| entry.parent);
        self.push_closers(&mut text, parent, self.top_depth(cut.entry));
        text
    }

    /// Makes the chunk that ends there. What is behind it is the window from then on.
    pub(super) fn emit(&mut self, cut: Cut) {
        let chunk = self.chunk(&cut, self.compose(&cut));
        self.ready.push_back(chunk);
        self.chunks += 1;

        self.descend(&cut);
        let mut gone = cut.end;
        let Some(entry) = self.entries.get(cut.entry).copied() else { return };
        let first = if cut.in_string {
            if entry.start.bytes < entry.inside.bytes {
                self.lead = self.text.get(entry.start.bytes..entry.inside.bytes).unwrap_or_default().to_owned();
                self.lead_size = entry.inside.size - entry.start.size;
            }
            cut.entry
        } else {
            self.lead.clear();
            self.lead_size = 0;
            gone = self.skip_closers(gone);
            entry.next
        };
        self.rebase(first, gone);
        if cut.in_string
            && let Some(rest) = self.entries.first_mut()
        {
            (rest.start, rest.inside) = (Mark::default(), Mark::default());
        }
        (self.watch, self.due) = (None, 0);
    }

    /// Makes the spine that of a window that begins at the cut.
    fn descend(&mut self, cut: &Cut) {
        let mut steps = Vec::new();
        let mut parent = self.entries.get(cut.entry).and_then(|entry| entry.parent);
        while let Some(entry) = parent.and_then(|number| self.entries.get(number)) {
            steps.push(*entry);
            parent = entry.parent;
        }
        let depth = self.top_depth(cut.entry);
        while self.levels.len() > depth {
            self.pop_level();
        }
        self.open_levels = self.open_levels.min(depth);
        for step in steps.into_iter().rev() {
            let text = self.text.get(step.start.bytes..step.inside.bytes).unwrap_or_default();
            self.spine.push_str(text);
            let mut size = step.inside.size - step.start.size;
            if let Some(around) = self.levels.last() {
                size += around.end.size;
                push_step(&mut self.pointer, around.is_array, text, step.index);
            }
            let end = Mark { bytes: self.spine.len(), size };
            let (is_array, pointer) = (step.kind == Kind::Array, self.pointer.len());
            self.levels.push(Level { is_array, index: step.index, end, pointer, children: step.children });
            // What is open is in nothing that has ended.
            self.open_levels += usize::from(step.end.is_none());
        }
    }

    /// Leaves what has ended right behind the cut, and passes over the comma. Gives where the text goes on.
    fn skip_closers(&mut self, mut at: Mark) -> Mark {
        loop {
            match self.text.as_bytes().get(at.bytes) {
                Some(b'}' | b']') => {
                    self.pop_level();
                    self.open_levels = self.open_levels.min(self.levels.len());
                }
                Some(b',') => {}
                _ => return at,
            }
            at = Mark { bytes: at.bytes + 1, size: at.size + 1 };
        }
    }

    pub(super) fn pop_level(&mut self) {
        self.levels.pop();
        let (spine, pointer) = self.levels.last().map_or((0, 0), |level| (level.end.bytes, level.pointer));
        self.spine.truncate(spine);
        self.pointer.truncate(pointer);
    }

    /// Lets the window begin at this entry, and its text here.
    fn rebase(&mut self, first: usize, gone: Mark) {
        let first = first.min(self.entries.len());
        self.text.drain(..gone.bytes.min(self.text.len()));
        self.size -= gone.size.min(self.size);
        let back = |mark: Mark| Mark {
            bytes: mark.bytes.saturating_sub(gone.bytes),
            size: mark.size.saturating_sub(gone.size),
        };
        self.entries.drain(..first);
        for entry in &mut self.entries {
            (entry.start, entry.inside, entry.end) = (back(entry.start), back(entry.inside), entry.end.map(back));
            // What it was in may be in the spine by now.
            entry.parent = entry.parent.and_then(|parent| parent.checked_sub(first));
            entry.next = if entry.next == usize::MAX { entry.next } else { entry.next - first };
        }
        self.open.retain_mut(|number| match number.checked_sub(first) {
            Some(rebased) => {
                *number = rebased;
                true
            }
            None => false,
        });
    }
}
