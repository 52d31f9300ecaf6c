//! The one who grows a [`Log`].
//!
//! # For maintainers
//!
//! What is written becomes visible through bookmarks only, so the writer decides what is shown by what it puts into
//! them. There are three ways to hold nodes back:
//!
//! - A *candidate* ([`Writer::begin_candidate`]) is a whole root: nothing of it is shown until [`Writer::settle`].
//! - A *hold* ([`Writer::hold`]) is a container whose kind is not settled yet, with all that is in it, until `settle`.
//! - A *discard* is a member whose name was there before. Its value is read like any other and dropped when it ends.
//!
//! What is held lies at the end of the log, and nothing that is shown points at it but the sibling link of the value
//! before it, which bookmarks do not follow beyond their end. So abandoning means: take the link back, and write the
//! next nodes over it. Only where the index knows abandoned nodes are their places left empty, or the index would take
//! what is written there for what was.
//!
//! [`Writer::let_go`] goes on in another log, where ids and addresses of before mean nothing, and what was abandoned or
//! dropped has ids that come again: nobody keeps some of them from one piece of text to the next.

mod let_go;
mod open;
mod same;
mod stretch;

use std::mem;
use std::sync::Arc;

use super::bookmark::{INLINE, Record, Seen};
use super::log::TextWriter;
use super::node::{LabelCells, Node, NodeCursor, cells};
use super::{Bookmark, LARGE, Label, Log, MAX_LABEL, NodeId, NodeKind, OpenLeaf, OpenNode, Replacing, STRIDE, Stream};

/// From how many nodes on a log is not used for another document.
const SHARED_NODES: u32 = 1024;

/// No node was written, because there is no room for one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full;

/// A container on the writer's stack.
#[derive(Clone, Copy)]
struct Frame {
    node: NodeId,
    kind: NodeKind,
    indexed: bool,
    count: u32,
    /// The next child goes into the index if there are so many before it.
    index_from: u32,
    /// Members that took the place of others, which are written, and not counted.
    replacements: u32,
    /// The child that began last, itself if none has.
    last: NodeId,
    /// Which names may have been there: one bit for each hash.
    names: [u64; 2],
}

impl Frame {
    /// A container that begins.
    #[inline]
    fn new(kind: NodeKind, node: NodeId) -> Self {
        Self { node, kind, indexed: false, count: 0, index_from: LARGE, replacements: 0, last: node, names: [0; 2] }
    }

    fn open(&self) -> OpenNode {
        OpenNode::new(self.node, self.kind).with_count(self.count).with_index(self.indexed)
    }

    /// Notes a name. `false` where one like it may have been there before.
    #[inline(always)]
    fn note_name(&mut self, name: &[u8]) -> bool {
        let hash = name_hash(name);
        let bit = 1_u64 << (hash & 63);
        let [low, high] = &mut self.names;
        let names = if (hash >> 6) & 1 == 0 { low } else { high };
        let is_new = *names & bit == 0;
        *names |= bit;
        is_new
    }

    /// Whether the child that just began goes into the index.
    #[inline(always)]
    fn is_to_be_indexed(&self) -> bool {
        self.count > self.index_from
    }

    /// All children are in the index, as far as they belong there.
    fn set_indexed(&mut self) {
        self.indexed = true;
        self.index_from = if self.kind == NodeKind::Object { 0 } else { self.count.next_multiple_of(STRIDE) };
    }

    /// The index knows none of the children: it is made when the next one comes.
    fn set_unknown(&mut self) {
        self.indexed = false;
        self.index_from = LARGE;
    }
}

/// The scalar being written.
struct Leaf {
    node: NodeId,
    kind: NodeKind,
    /// How much of the run is shown; `None`: all of it.
    shown: Option<u32>,
}

/// Where the visible part ends while something is held.
#[derive(Clone, Copy)]
struct Hold {
    nodes: u32,
    frames: usize,
    /// Children of the innermost visible container.
    count: u32,
    text: u32,
}

/// What to go back to when a discarded member ends.
struct Discard {
    frames: usize,
    nodes: u32,
    count: u32,
    last: NodeId,
    text: u32,
    first: NodeId,
}

/// What a name is in its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Member {
    /// It was not there before.
    New,
    /// It is the name of this node, too.
    Again(NodeId),
}

pub(crate) struct Writer {
    log: Arc<Log>,
    text: TextWriter,
    cursor: NodeCursor,
    /// What a bookmark says that has all that is written, held or not: kept at hand to be copied. The root is the one
    /// that is shown.
    record: Record,
    frames: Vec<Frame>,
    /// All of them as a bookmark has them, where they are more than have room in the record.
    all: Vec<OpenNode>,
    /// The same as the last bookmark had them, until they change.
    many: Option<Arc<[OpenNode]>>,
    leaf: Option<Leaf>,
    /// How much of the text in flight counts, if not all of it.
    shortened: Option<u32>,
    /// The name of the member whose value comes next: address and length.
    key: Option<(u32, u32)>,
    hold: Option<Hold>,
    /// The index, or the log, knows nodes of the candidate.
    is_known: bool,
    discards: Vec<Discard>,
    /// Whether to compare what is discarded with what stays.
    compare: bool,
    conflict: bool,
    /// The member that the next value replaces.
    replaces: Option<NodeId>,
    /// The root that is being read, shown or not.
    candidate: NodeId,
}

impl Writer {
    /// A writer of a new log. With `compare` it says in [`Writer::take_conflict`] when a member that was discarded had
    /// another value than the one that stays.
    pub(crate) fn new(stream: Arc<Stream>, replacing: Replacing, compare: bool) -> Self {
        let (log, text) = Log::new(stream);
        Self {
            log,
            text,
            cursor: NodeCursor::new(),
            record: Record::nothing(replacing),
            frames: Vec::new(),
            all: Vec::new(),
            many: None,
            leaf: None,
            shortened: None,
            key: None,
            hold: None,
            is_known: false,
            discards: Vec::new(),
            compare,
            conflict: false,
            replaces: None,
            candidate: NodeId::NONE,
        }
    }

    /// A node that was written, shown or not.
    #[inline]
    fn node(&self, id: NodeId) -> Option<Node<'_>> {
        self.cursor.get(&self.log.nodes, id)
    }

    pub(crate) fn log(&self) -> &Arc<Log> {
        &self.log
    }

    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The kind of the innermost open container.
    #[inline]
    pub(crate) fn container(&self) -> Option<NodeKind> {
        self.frames.last().map(|frame| frame.kind)
    }

    /// How many children the innermost open container has.
    pub(crate) fn children(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.count)
    }

    #[inline]
    pub(crate) fn has_leaf(&self) -> bool {
        self.leaf.is_some()
    }

    // ----- text -----

    /// Begins the text of a key, a string or a number. What is pushed from here on belongs to it.
    #[inline]
    pub(crate) fn begin_text(&mut self) {
        self.text.begin_run();
    }

    /// Says that up to so many bytes of text may come in one go.
    #[inline]
    pub(crate) fn expect_text(&mut self, bytes: usize) {
        self.text.expect(bytes);
    }

    #[inline(always)]
    pub(crate) fn push_text(&mut self, text: &str) -> Result<(), Full> {
        if self.text.push_run(text) { Ok(()) } else { Err(Full) }
    }

    /// How long the text is that was begun last, in bytes.
    #[inline]
    pub(crate) fn text_length(&self) -> u32 {
        self.text.run().1
    }

    /// Takes only the first `length` bytes of the text that was begun last.
    pub(crate) fn shorten_text(&mut self, length: u32) {
        self.shortened = Some(length);
    }

    // ----- members -----

    /// Writes a key that was read in one piece: the first `count` bytes of `text`. As [`Writer::end_key`].
    #[inline]
    pub(crate) fn key(&mut self, (text, count): (&str, usize)) -> Result<Member, Full> {
        self.text.begin_run();
        if !self.text.push_start(text, count) {
            return Err(Full);
        }
        self.end_key()
    }

    /// Ends a key, and says whether the innermost object has it already.
    #[inline]
    pub(crate) fn end_key(&mut self) -> Result<Member, Full> {
        let (start, length) = self.text.end_run();
        let length = self.shortened.take().unwrap_or(length);
        if length > MAX_LABEL {
            return Err(Full);
        }
        self.key = Some((start, length));
        // What is dropped anyway needs no look for names in it.
        if !self.discards.is_empty() {
            return Ok(Member::New);
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(Member::New) };
        let name = self.text.read(start, length);
        if frame.note_name(name) {
            return Ok(Member::New);
        }
        Ok(self.frames.last().and_then(|frame| self.find(frame, name)).map_or(Member::New, Member::Again))
    }

    /// The first member of an open object that has this key.
    fn find(&self, frame: &Frame, key: &[u8]) -> Option<NodeId> {
        let is_it = |id: &NodeId| match self.node(*id).map(Node::label) {
            Some(Label::Key { start, length }) => self.text.read(start, length) == key,
            _ => false,
        };
        if frame.indexed {
            let ours = |id: &NodeId| self.node(*id).is_some_and(|node| node.parent() == frame.node) && is_it(id);
            return self.log.index().member(frame.node, key).find(ours);
        }
        let mut child = (frame.count > 0).then(|| frame.node.following());
        while let Some(id) = child.filter(|id| !is_it(id)) {
            child = self.node(id).and_then(Node::next);
        }
        child
    }

    /// The key that was ended last, if its value has not begun.
    pub(crate) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// The coming value will be read and dropped: `first` stays the member of this name.
    pub(crate) fn discard_next(&mut self, first: NodeId) {
        let (Some(frame), Some((start, _))) = (self.frames.last(), self.key) else { return };
        self.discards.push(Discard {
            frames: self.frames.len(),
            nodes: self.record.nodes,
            count: frame.count,
            last: frame.last,
            text: start,
            first,
        });
        self.hold();
    }

    /// Whether two members of one name were found to differ since this was asked.
    pub(crate) fn take_conflict(&mut self) -> bool {
        mem::take(&mut self.conflict)
    }

    /// The coming value takes the place of `first`.
    pub(crate) fn replace_next(&mut self, first: NodeId) {
        self.replaces = Some(first);
    }

    // ----- values -----

    /// Writes a node for a value that begins at `span.0` (and, where it is known already, ends at `span.1` and has
    /// its text at `text`).
    #[inline(always)]
    fn begin_value(&mut self, kind: NodeKind, span: (u32, u32), text: (u32, u32), limit: u32) -> Result<NodeId, Full> {
        if self.record.nodes >= limit {
            return Err(Full);
        }
        let id = NodeId::new(self.record.nodes);
        let level = self.frames.len();
        let Some(frame) = self.frames.last_mut() else { return self.begin_root(kind, span, text) };
        let label = match self.key.take() {
            Some((start, length)) => LabelCells::key(start, length),
            None if frame.count > MAX_LABEL => return Err(Full),
            None => LabelCells::index(frame.count),
        };
        if !self.cursor.write(&self.log.nodes, id, cells(kind, label, frame.node, span, text)) {
            return Err(Full);
        }
        if frame.last != frame.node
            && let Some(last) = self.cursor.get(&self.log.nodes, frame.last)
        {
            last.link(Some(id));
        }
        frame.last = id;
        self.record.nodes += 1;
        if self.replaces.is_some() {
            self.replace(id);
            return Ok(id);
        }
        frame.count += 1;
        self.many = None;
        if let Some(open) = open_node(&mut self.record, &mut self.all, level - 1) {
            open.add_child();
        }
        if frame.is_to_be_indexed() {
            self.index_child(id);
        }
        Ok(id)
    }

    /// The value at the top.
    fn begin_root(&mut self, kind: NodeKind, span: (u32, u32), text: (u32, u32)) -> Result<NodeId, Full> {
        let id = NodeId::new(self.record.nodes);
        if !self.cursor.write(&self.log.nodes, id, cells(kind, LabelCells::index(0), NodeId::NONE, span, text)) {
            return Err(Full);
        }
        self.record.nodes += 1;
        self.candidate = id;
        if self.hold.is_none() {
            self.record.root = id;
        }
        Ok(id)
    }

    /// The value that began takes the place of another.
    #[cold]
    fn replace(&mut self, id: NodeId) {
        if let Some(node) = self.node(id) {
            node.set_replacement();
        }
        if let Some(first) = self.replaces.take() {
            self.log.replace(first, id);
            // The log remembers both.
            self.is_known = true;
            self.record.replacing = Replacing::Happened;
        }
        // Whoever walks the members walks all that are written.
        let Some(frame) = self.frames.last_mut() else { return };
        frame.replacements = frame.replacements.saturating_add(1);
        if frame.count.saturating_add(frame.replacements) > LARGE && !frame.indexed {
            self.index_child(id);
        }
    }

    /// Enters the child that just began into the index, and those before it when it is the first to be entered.
    #[cold]
    #[inline(never)]
    fn index_child(&mut self, id: NodeId) {
        // What is dropped when it ends is not indexed: its places are used again, and the index would take what is
        // written there for what was.
        if !self.discards.is_empty() {
            return;
        }
        let Some(mut frame) = self.frames.last().copied() else { return };
        self.index_child_of(&mut frame, id);
        let level = self.frames.len() - 1;
        self.many = None;
        if let Some(open) = open_node(&mut self.record, &mut self.all, level) {
            *open = frame.open();
        }
        if let Some(last) = self.frames.last_mut() {
            *last = frame;
        }
    }

    /// The same for the innermost container, of which nothing is said to others.
    fn index_child_of(&mut self, frame: &mut Frame, id: NodeId) {
        self.is_known = true;
        let mut child = Some(if frame.indexed { id } else { frame.node.following() });
        frame.set_indexed();
        let container = frame.node;
        let mut index = self.log.index_mut();
        while let Some(id) = child {
            let Some(node) = self.node(id) else { break };
            match node.label() {
                Label::Key { start, length } if !node.is_replacement() => {
                    index.add_member(container, self.text.read(start, length), id);
                }
                Label::Index(place) if place.is_multiple_of(STRIDE) => index.add_element(container, place, id),
                _ => {}
            }
            child = node.next();
        }
    }

    /// Begins an array or object.
    #[inline]
    pub(crate) fn begin_container(&mut self, kind: NodeKind, offset: u32, limit: u32) -> Result<(), Full> {
        let node = self.begin_value(kind, (offset, offset), (0, 0), limit)?;
        match self.record.near.get_mut(self.frames.len()) {
            Some(near) => *near = OpenNode::new(node, kind),
            None => self.open_far(OpenNode::new(node, kind)),
        }
        self.many = None;
        self.frames.push(Frame::new(kind, node));
        self.record.open(node);
        Ok(())
    }

    /// A container begins that has no room in the record.
    #[cold]
    fn open_far(&mut self, open: OpenNode) {
        if self.all.is_empty() {
            self.all.extend_from_slice(&self.record.near);
        }
        self.all.push(open);
    }

    /// Ends the innermost container, whose closer ends at `end`. It is final.
    #[inline]
    pub(crate) fn end_container(&mut self, end: u32) {
        let Some(frame) = self.frames.pop() else { return };
        self.many = None;
        self.all.truncate(if self.frames.len() > INLINE { self.frames.len() } else { 0 });
        self.record.close(self.frames.last().map_or(NodeId::NONE, |outer| outer.node));
        if let Some(node) = self.node(frame.node) {
            node.end_container(frame.count, end);
            if frame.indexed {
                node.set_indexed();
            }
        }
        self.value_ended();
    }

    /// Begins a string, or a number of which something can be shown. Its text is the run begun last.
    #[inline]
    pub(crate) fn begin_leaf(&mut self, kind: NodeKind, offset: u32, limit: u32) -> Result<(), Full> {
        let node = self.begin_value(kind, (offset, offset), (0, 0), limit)?;
        self.leaf = Some(Leaf { node, kind, shown: None });
        Ok(())
    }

    /// Writes a string or number that was read in one piece: the first `count` bytes of `text`, from `span.0` up to
    /// `span.1` in the source with its quotes. It is final.
    #[inline]
    pub(crate) fn scalar(
        &mut self,
        kind: NodeKind,
        (text, count): (&str, usize),
        span: (u32, u32),
        limit: u32,
    ) -> Result<(), Full> {
        self.text.begin_run();
        if !self.text.push_start(text, count) {
            return Err(Full);
        }
        let place = self.text.end_run();
        self.begin_value(kind, span, place, limit)?;
        self.value_ended();
        Ok(())
    }

    /// Of the text in flight, show `length` bytes only.
    #[inline]
    pub(crate) fn show(&mut self, length: u32) {
        if let Some(leaf) = &mut self.leaf {
            leaf.shown = Some(length);
        }
    }

    /// Show all of the text in flight.
    #[inline]
    pub(crate) fn show_all(&mut self) {
        if let Some(leaf) = &mut self.leaf {
            leaf.shown = None;
        }
    }

    /// The number in flight turned out to be text.
    pub(crate) fn become_string(&mut self) {
        if let Some(leaf) = &mut self.leaf {
            leaf.kind = NodeKind::String;
        }
    }

    /// Ends the string or number in flight, whose last byte is before `end`. It is final.
    #[inline]
    pub(crate) fn end_leaf(&mut self, end: u32) {
        let Some(leaf) = self.leaf.take() else { return };
        let (start, length) = self.text.end_run();
        if let Some(node) = self.node(leaf.node) {
            node.end_text(leaf.kind, (start, leaf.shown.unwrap_or(length)), end);
        }
        self.value_ended();
    }

    /// Writes `null`, `true` or `false`.
    #[inline]
    pub(crate) fn keyword(&mut self, kind: NodeKind, start: u32, end: u32, limit: u32) -> Result<(), Full> {
        self.begin_value(kind, (start, end), (0, 0), limit)?;
        self.value_ended();
        Ok(())
    }

    /// Writes a keyword that stays open: the text ended before anything settled it.
    pub(crate) fn open_keyword(&mut self, kind: NodeKind, start: u32, limit: u32) -> Result<(), Full> {
        self.text.begin_run();
        self.begin_leaf(kind, start, limit)
    }

    #[inline]
    fn value_ended(&mut self) {
        if !self.discards.is_empty() {
            self.discard_ended();
        }
    }

    #[cold]
    fn discard_ended(&mut self) {
        if self.discards.last().is_none_or(|discard| discard.frames != self.frames.len()) {
            return;
        }
        let Some(discard) = self.discards.pop() else { return };
        self.conflict |= self.compare && !self.is_same(discard.first, NodeId::new(discard.nodes));
        let level = self.frames.len().wrapping_sub(1);
        let Some(frame) = self.frames.last_mut() else { return };
        frame.count = discard.count;
        self.many = None;
        if let Some(open) = open_node(&mut self.record, &mut self.all, level) {
            *open = frame.open();
        }
        frame.last = discard.last;
        if frame.last != frame.node
            && let Some(last) = self.cursor.get(&self.log.nodes, frame.last)
        {
            last.link(None);
        }
        self.record.nodes = discard.nodes;
        self.text.truncate(discard.text);
        if self.hold.is_some_and(|hold| hold.frames == discard.frames && hold.nodes == discard.nodes) {
            self.hold = None;
        }
    }

    // ----- what is shown -----

    /// Leaves the document that is shown, and goes on to another: in the same log if that is small, else in a new one,
    /// so that nobody who holds on to one of many small documents holds on to much.
    pub(crate) fn next_document(&mut self, replacing: Replacing) {
        if self.record.nodes >= SHARED_NODES {
            let (log, text) = Log::new(self.log.stream.clone());
            (self.log, self.text, self.cursor, self.record.nodes) = (log, text, NodeCursor::new(), 0);
        }
        self.record.root = NodeId::NONE;
        self.candidate = NodeId::NONE;
        self.record.replacing = replacing;
    }

    /// Whether the candidate, which was closed, is a container with nothing in it.
    pub(crate) fn candidate_is_empty(&self) -> bool {
        self.node(self.candidate).is_some_and(|node| node.kind().is_container() && node.count() == 0)
    }

    /// Forgets the root that was being written, and all that was to come in it.
    fn clear(&mut self) {
        self.frames.clear();
        self.all.clear();
        self.many = None;
        self.record.close_all();
        self.leaf = None;
        self.shortened = None;
        self.key = None;
        self.discards.clear();
        self.replaces = None;
        self.conflict = false;
    }

    /// Begins a root that is not shown until [`Writer::settle`].
    pub(crate) fn begin_candidate(&mut self) {
        self.clear();
        self.is_known = false;
        self.hold = Some(Hold { nodes: self.record.nodes, frames: 0, count: 0, text: self.text.position() });
    }

    /// Drops the candidate.
    pub(crate) fn abandon_candidate(&mut self) {
        if let Some(hold) = self.hold.take() {
            // Places that are known elsewhere are not used again.
            if !self.is_known {
                self.record.nodes = hold.nodes;
            }
            self.text.truncate(hold.text);
        }
        self.clear();
        self.candidate = NodeId::NONE;
    }

    /// Ends a candidate that was closed but is not shown for now. Gives its root and where its nodes end.
    pub(crate) fn put_aside(&mut self) -> (NodeId, u32) {
        self.hold = None;
        self.text.publish();
        (mem::replace(&mut self.candidate, NodeId::NONE), self.record.nodes)
    }

    /// From here on, what is written is not shown. Nothing changes if that is so already.
    #[inline]
    pub(crate) fn hold(&mut self) {
        if self.hold.is_none() {
            self.hold = Some(Hold {
                nodes: self.record.nodes,
                frames: self.frames.len(),
                count: self.children(),
                text: self.text.position(),
            });
        }
    }

    /// Whether something is held.
    #[inline]
    pub(crate) fn is_holding(&self) -> bool {
        self.hold.is_some()
    }

    /// Whether what is held is a member that will be dropped.
    #[inline]
    pub(crate) fn is_discarding(&self) -> bool {
        !self.discards.is_empty()
    }

    /// Shows everything that is held, but not what will be dropped.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if self.discards.is_empty() {
            self.hold = None;
            self.record.root = self.candidate;
        }
    }

    /// Shows a root that was put aside.
    pub(crate) fn show_root(&mut self, root: NodeId) {
        self.hold = None;
        self.record.root = root;
    }

    /// The state as readers may see it, who see so much of the input.
    pub(crate) fn mark(&mut self, seen: Seen) -> Bookmark {
        if self.shows_all() { self.mark_all(seen) } else { self.mark_part(seen) }
    }

    /// Whether there is a root that is shown, and nothing is held.
    #[inline]
    pub(crate) fn shows_all(&self) -> bool {
        !self.record.root.is_none() && self.hold.is_none()
    }

    /// The same where all is shown.
    #[inline(always)]
    pub(crate) fn mark_all(&mut self, seen: Seen) -> Bookmark {
        self.text.publish();
        self.record.seen = seen;
        let (leaf, block) = match &self.leaf {
            Some(leaf) => {
                let (start, length) = self.text.run();
                let length = leaf.shown.unwrap_or(length);
                (OpenLeaf { node: leaf.node, kind: leaf.kind, start, length }, self.text.own_block().cloned())
            }
            None => (OpenLeaf::NONE, None),
        };
        self.record.leaf = leaf;
        let many = if self.frames.len() > INLINE { Some(self.many()) } else { None };
        Bookmark::new(self.record, many, block)
    }

    /// The same while nothing is shown, or something is held.
    #[cold]
    #[inline(never)]
    fn mark_part(&mut self, seen: Seen) -> Bookmark {
        let Some(hold) = self.hold.filter(|_| !self.record.root.is_none()) else {
            let mut mark = Bookmark::nothing(self.record.replacing);
            mark.seen = seen;
            return mark;
        };
        self.text.publish_before(hold.text);
        let many = if hold.frames > INLINE { self.all.get(..hold.frames).map(Arc::from) } else { None };
        let mut record = self.record;
        (record.nodes, record.leaf, record.seen) = (hold.nodes, OpenLeaf::NONE, seen);
        let innermost = hold.frames.checked_sub(1).and_then(|last| self.frames.get(last));
        record.innermost = innermost.map_or(NodeId::NONE, |frame| frame.node);
        // Far below what fits: at most the greatest depth.
        record.depth = u32::try_from(hold.frames).unwrap_or(u32::MAX);
        let mut mark = Bookmark::new(record, many, None);
        mark.set_count(hold.count);
        mark
    }

    /// The open containers where they are more than fit into the bookmark itself.
    #[inline(never)]
    fn many(&mut self) -> Arc<[OpenNode]> {
        self.many.get_or_insert_with(|| Arc::from(self.all.as_slice())).clone()
    }
}

/// The open container at this level, which is the innermost, as a bookmark has it.
#[inline]
fn open_node<'a>(record: &'a mut Record, all: &'a mut [OpenNode], level: usize) -> Option<&'a mut OpenNode> {
    match record.near.get_mut(level) {
        Some(near) => Some(near),
        None => all.get_mut(level),
    }
}

/// A cheap hash of a name, for a first look only: equal names have equal hashes. It takes the ends and the length.
#[inline]
fn name_hash(name: &[u8]) -> u64 {
    let (head, tail) = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => match (name.first_chunk::<4>(), name.last_chunk::<4>()) {
            (Some(head), Some(tail)) => (u32::from_le_bytes(*head).into(), u32::from_le_bytes(*tail).into()),
            _ => (name.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0),
        },
    };
    let mixed = (head ^ tail.rotate_left(23)).wrapping_add(name.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed >> 57
}
