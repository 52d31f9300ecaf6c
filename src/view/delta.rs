//! What is new between two moments.

use std::fmt;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::document::{Node, NodeId, NodeKind, Path, PostOrder, Reader, Replacing, Seen, Span, Start};

use super::op::{ApplyError, Op};
use super::ser::{Event, Walk, write_json, write_string};
use super::snapshot::{OutsideText, Snapshot};
use super::value::ValueRef;

/// What is new in a snapshot since an earlier one.
///
/// It is not computed, it is the stretch of log between two bookmarks: asking for its operations walks what was
/// added and nothing else. Because it needs the two bookmarks only, a slow reader can take the delta over any number of
/// feeds ([`Delta::between`]).
///
/// ```
/// use jsonrill::{Delta, Parser};
/// use serde_json::{Value, json};
///
/// let mut parser = Parser::strict();
/// let early = parser.feed(r#"{"text": "Hel"#).snapshot().clone();
/// parser.push(r#"lo", "n": 1"#);
/// let late = parser.feed("2}").snapshot().clone();
///
/// let delta = Delta::between(&early, &late);
/// assert_eq!(serde_json::to_value(delta)?, json!([
///     {"op": "append", "path": "/text", "text": "lo"},
///     {"op": "final", "path": "/text"},
///     {"op": "add", "path": "/n", "value": 12},
///     {"op": "final", "path": "/n"},
///     {"op": "final", "path": ""},
/// ]));
///
/// let mut replica = early.to_value();
/// delta.apply(&mut replica)?;
/// assert_eq!(replica, late.to_value());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Delta<'a> {
    before: &'a Start,
    /// What was seen of the text outside: of another document of the same text, too.
    told: &'a Seen,
    after: &'a Snapshot,
}

/// One operation of a [`Delta`]. It borrows from the snapshot; [`Op`] is the one to keep or send.
///
/// There will be no others: whoever keeps a replica must handle all of them.
///
/// ```
/// use jsonrill::{DeltaOp, Parser};
///
/// let mut parser = Parser::new();
/// parser.feed(r#"{"a": [1, 2], "b": "te"#);
/// let update = parser.feed(r#"a", "#);
/// let ops: Vec<_> = update.delta().ops().collect();
/// assert!(matches!(ops[0], DeltaOp::Append(value, "a") if value.path() == "/b"));
/// assert!(matches!(ops[1], DeltaOp::Final(value) if value == "tea"));
/// ```
#[derive(Debug, Clone, Copy)]
pub enum DeltaOp<'a> {
    /// A value appeared, with all that is in it by now: the first operation of a document is mostly an `Add` of its
    /// root with a member or two in it.
    Add(ValueRef<'a>),
    /// A string grew by this text.
    Append(ValueRef<'a>, &'a str),
    /// A value took the place of another: a number that went on, or a member that came again.
    Replace(ValueRef<'a>),
    /// A value can never change again.
    Final(ValueRef<'a>),
}

impl<'a> DeltaOp<'a> {
    /// The value it is about, as it is by now.
    #[must_use]
    pub fn value(self) -> ValueRef<'a> {
        match self {
            Self::Add(value) | Self::Append(value, _) | Self::Replace(value) | Self::Final(value) => value,
        }
    }

    /// The pointer of that value.
    #[must_use]
    pub fn path(self) -> String {
        self.value().path()
    }

    /// Its name: `add`, `append`, `replace` or `final`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Add(_) => "add",
            Self::Append(..) => "append",
            Self::Replace(_) => "replace",
            Self::Final(_) => "final",
        }
    }

    /// The same, owned.
    #[must_use]
    pub fn to_op(self) -> Op {
        let path = self.path();
        match self {
            Self::Add(value) => Op::Add { path, value: value.to_value() },
            Self::Append(_, text) => Op::Append { path, text: text.to_owned() },
            Self::Replace(value) => Op::Replace { path, value: value.to_value() },
            Self::Final(_) => Op::Final { path },
        }
    }
}

impl fmt::Display for DeltaOp<'_> {
    /// The operation as a JSON object. Numbers keep their source text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{{\"op\":\"{}\",\"path\":", self.name())?;
        write_string(&self.path(), formatter)?;
        match self {
            Self::Add(value) | Self::Replace(value) => {
                formatter.write_str(",\"value\":")?;
                write_json(*value, formatter)?;
            }
            Self::Append(_, text) => {
                formatter.write_str(",\"text\":")?;
                write_string(text, formatter)?;
            }
            Self::Final(_) => {}
        }
        formatter.write_str("}")
    }
}

impl Serialize for DeltaOp<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("op", self.name())?;
        fields.serialize_entry("path", &self.path())?;
        match self {
            Self::Add(value) | Self::Replace(value) => fields.serialize_entry("value", value)?,
            Self::Append(_, text) => fields.serialize_entry("text", text)?,
            Self::Final(_) => {}
        }
        fields.end()
    }
}

/// Where all deltas begin that do not begin at a snapshot.
static NOTHING: Start = Start::nothing(Replacing::Never);

impl<'a> Delta<'a> {
    pub(super) fn new(before: &'a Start, after: &'a Snapshot) -> Self {
        Self { before, told: &before.seen, after }
    }

    /// What is new in `after`, of which `before` is an earlier state. Where it is not (nothing is known in it, it is of
    /// another document or parser, a part that was detached, or the later one), everything is new, beginning with an
    /// `add` of the root, which takes the place of whatever a replica has. (Text outside is told once for all documents of
    /// a parser.)
    ///
    /// ```
    /// use jsonrill::{Delta, Options, Parser, Roots};
    ///
    /// let mut parser = Parser::with_options(Options::new().roots(Roots::Last));
    /// let first = parser.feed(r#"{"title": "Oslo", "days": [1, 2"#).snapshot().clone();
    /// let second = parser.feed(r#"]} {"title": "Bergen", "da"#).snapshot().clone();
    ///
    /// let mut replica = first.to_value();
    /// Delta::between(&first, &second).apply(&mut replica)?;
    /// assert_eq!(replica, serde_json::json!({"title": "Bergen"}));
    /// # Ok::<(), jsonrill::ApplyError>(())
    /// ```
    #[must_use]
    pub fn between(before: &'a Snapshot, after: &'a Snapshot) -> Self {
        let start = before.mark.start();
        Self {
            before: if before.leads_to(after) { start } else { &NOTHING },
            told: if before.is_told_before(after) { &start.seen } else { &NOTHING.seen },
            after,
        }
    }

    /// The operations, in the order of the text: those that make the old value the new one, and, for each value that
    /// became final, that it did. A value becomes final after those in it.
    ///
    /// # Complexity
    ///
    /// O(what was added + depth) for all of them together.
    #[must_use]
    pub fn ops(self) -> Ops<'a> {
        Ops::new(self.before, self.after)
    }

    /// The values that became final, those in a container before it.
    #[must_use]
    pub fn finals(self) -> Finals<'a> {
        Finals(self.ops())
    }

    /// Whether the value at a path became final: it is, and was not before. True once for each value, so there is no
    /// need to remember what has been acted on.
    ///
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let seen: Vec<bool> = [r#"{"admin": tr"#, "ue, ", r#""n": 1"#, "}"]
    ///     .into_iter()
    ///     .map(|chunk| parser.feed(chunk).delta().became_final("/admin"))
    ///     .collect();
    /// assert_eq!(seen, [false, true, false, false]);
    /// ```
    #[must_use]
    pub fn became_final(self, path: impl Path) -> bool {
        let value = self.after.at(path);
        value.is_final() && !self.was_final(value)
    }

    /// Whether a value that is final by now was there and final before.
    fn was_final(self, value: ValueRef<'a>) -> bool {
        let (before, node) = (self.before, value.node());
        if before.root.is_none() || node.number() >= before.nodes || before.leaf_is(node).is_some() {
            return false;
        }
        let is_around = |around: (usize, NodeId)| around.1 == node;
        let in_object = before.replacing != Replacing::Never && self.was_in_open_object(value);
        !in_object && !open_before(before, self.after).any(is_around)
    }

    /// Whether a value was in an object that was open.
    #[cold]
    fn was_in_open_object(self, value: ValueRef<'a>) -> bool {
        let reader = self.after.reader();
        let around = std::iter::successors(Some(reader.parent(value.node())), |node| Some(reader.parent(*node)));
        let open: Vec<_> = open_before(self.before, self.after).map(|(_, node)| node).collect();
        // The root is the last in both.
        let mut around: Vec<_> = around.take(value.level() as usize).collect();
        around.reverse();
        let both = around.iter().zip(open.iter().rev()).take_while(|(one, other)| one == other);
        both.into_iter().any(|(node, _)| is_object(self.after, *node))
    }

    /// The new text of the string at a path: all of it where the string is new, what was added where it grew. `None`
    /// where nothing was added, or there is no string.
    ///
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let mut shown = String::new();
    /// for chunk in [r#"{"reply": "He"#, "llo", r#"!", "#, r#""done": true}"#] {
    ///     shown.push_str(parser.feed(chunk).delta().text("/reply").unwrap_or_default());
    /// }
    /// assert_eq!(shown, "Hello!");
    /// ```
    #[must_use]
    pub fn text(self, path: impl Path) -> Option<&'a str> {
        let value = self.after.at(path);
        let text = value.as_str()?;
        let known = match self.before.leaf_is(value.node()) {
            Some(leaf) => leaf.length as usize,
            None if self.before.root.is_none() || value.node().number() >= self.before.nodes => 0,
            None => return None,
        };
        text.get(known..).filter(|text| !text.is_empty())
    }

    /// The new text outside the JSON, in order: stretches that began, and what was added to the one that goes on.
    ///
    /// ```
    /// use jsonrill::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let mut shown = String::new();
    /// for chunk in ["Here ", "it is: ", "{\"a\"", ": 1} Any", "thing else?"] {
    ///     let update = parser.feed(chunk);
    ///     update.delta().outside().for_each(|text| shown.push_str(&text.text));
    /// }
    /// assert_eq!(shown, "Here it is: Anything else?");
    /// ```
    pub fn outside(self) -> impl Iterator<Item = OutsideText<'a>> {
        let (seen, end) = (self.told.outside, self.told.outside_end);
        let (after, mark) = (self.after, &self.after.mark);
        (seen.saturating_sub(1)..mark.seen.outside).filter_map(move |number| {
            let tile = after.log.stream.tile(number, mark.seen.outside, mark.seen.outside_end)?;
            let start = if number < seen { end } else { tile.span.start };
            let span = Span::new(start, tile.span.end);
            (!span.is_empty()).then(|| OutsideText { kind: tile.kind, span, text: after.source(span) })
        })
    }

    /// Whether nothing is new in the document. Text [outside](Delta::outside) it may be new all the same.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.ops().next().is_none()
    }

    /// The operations, owned.
    ///
    /// # Complexity
    ///
    /// O(what was added, and for each operation its path).
    #[must_use]
    pub fn to_ops(self) -> Vec<Op> {
        self.ops().map(DeltaOp::to_op).collect()
    }

    /// Makes a replica of the earlier snapshot one of the later.
    ///
    /// # Errors
    ///
    /// [`ApplyError`] where the replica is not one of the earlier snapshot.
    pub fn apply(self, replica: &mut Value) -> Result<(), ApplyError> {
        // What is final changes nothing, and its path would cost more than it is worth.
        let mut ops = self.ops().filter(|op| !matches!(op, DeltaOp::Final(_)));
        ops.try_for_each(|op| op.to_op().apply(replica))
    }

    /// The *mirror*: the shape of the document holding only what is new. Strings hold the new text, other scalars the
    /// new value, arrays are objects keyed by index. `Null` where nothing is new.
    ///
    /// It does not say whether text is to be added or takes the place of other text, so it is no use where members or
    /// documents are replaced ([`Duplicates::Last`](crate::Duplicates::Last), [`Roots::Last`](crate::Roots::Last)): use
    /// the operations there.
    ///
    /// ```
    /// use jsonrill::Parser;
    /// use serde_json::json;
    ///
    /// let mut parser = Parser::new();
    /// parser.feed(r#"{"list": ["", "a"#);
    /// let update = parser.feed(r#"b", 2], "x": {"#);
    /// assert_eq!(update.delta().to_value(), json!({"list": {"1": "b", "2": 2}}));
    /// ```
    #[must_use]
    pub fn to_value(self) -> Value {
        let mut mirror = Value::Null;
        for op in self.ops() {
            let (value, content) = match op {
                DeltaOp::Add(value) | DeltaOp::Replace(value) => (value, mirrored(value)),
                DeltaOp::Append(value, text) => (value, Value::String(text.to_owned())),
                DeltaOp::Final(_) => continue,
            };
            let mut place = &mut mirror;
            for label in labels(value) {
                if !place.is_object() {
                    *place = Value::Object(Map::new());
                }
                let Value::Object(members) = place else { break };
                place = members.entry(label).or_insert(Value::Null);
            }
            *place = content;
        }
        mirror
    }
}

/// What the values on the way from the root are called, the root left out.
fn labels(value: ValueRef<'_>) -> Vec<String> {
    let reader = value.reader();
    let mut node = value.node();
    let mut labels: Vec<_> = (0..value.level())
        .map(|_| {
            let label = label(reader, node);
            node = reader.parent(node);
            label
        })
        .collect();
    labels.reverse();
    labels
}

fn label(reader: Reader<'_>, node: NodeId) -> String {
    match reader.key(node) {
        Some(key) => key.to_owned(),
        None => reader.index(node).unwrap_or_default().to_string(),
    }
}

/// A copy of a value with its arrays as objects.
fn mirrored(value: ValueRef<'_>) -> Value {
    let mut open: Vec<(Map<String, Value>, String)> = Vec::new();
    for event in Walk::new(value) {
        let (at, done) = match event {
            Event::Key(_) => continue,
            Event::Open(value) => {
                open.push((Map::new(), label(value.reader(), value.node())));
                continue;
            }
            Event::Scalar(value) => (label(value.reader(), value.node()), value.to_value()),
            Event::Close(_) => match open.pop() {
                Some((members, label)) => (label, Value::Object(members)),
                None => break,
            },
        };
        match open.last_mut() {
            Some((members, _)) => {
                members.insert(at, done);
            }
            None => return done,
        }
    }
    Value::Null
}

impl fmt::Display for Delta<'_> {
    /// The operations as a JSON array. Numbers keep their source text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[")?;
        for (number, op) in self.ops().enumerate() {
            if number > 0 {
                formatter.write_str(",")?;
            }
            fmt::Display::fmt(&op, formatter)?;
        }
        formatter.write_str("]")
    }
}

impl fmt::Debug for Delta<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for Delta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut ops = serializer.serialize_seq(None)?;
        for op in self.ops() {
            ops.serialize_element(&op)?;
        }
        ops.end()
    }
}

/// The operations of a [`Delta`]. Made by [`Delta::ops`].
///
/// They come in the order of the log. What was open before is looked at from the innermost out: the scalar in flight
/// went on, then each container got new children, and was closed or not. The first that was not closed is the last to
/// look at, for whatever is around it can have nothing new.
///
/// ```
/// use jsonrill::{Parser};
///
/// let mut parser = Parser::new();
/// parser.feed(r#"{"a": [1, 2], "b": "te"#);
/// let update = parser.feed(r#"a", "#);
/// let names: Vec<_> = update.delta().ops().map(|op| op.name()).collect();
/// assert_eq!(names, ["append", "final"]);
/// ```
#[derive(Clone)]
pub struct Ops<'a> {
    before: &'a Start,
    after: &'a Snapshot,
    step: Step<'a>,
    /// What is in a value that was closed, or added.
    ended: Option<PostOrder<'a>>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    /// The text of the scalar that was in flight.
    Leaf,
    /// A value in `level` containers has ended, and all that is in it was told.
    Ended {
        id: NodeId,
        node: Node<'a>,
        level: u32,
    },
    /// The next child of a container that was open, and in `level` others.
    Children {
        container: NodeId,
        level: u32,
        next: Option<NodeId>,
    },
    Root,
    End,
}

impl<'a> Ops<'a> {
    #[inline]
    fn new(before: &'a Start, after: &'a Snapshot) -> Self {
        let idle = before.nodes == after.mark.nodes && before.depth() == after.mark.depth();
        let step = if after.mark.root.is_none() || (idle && before.leaf().is_none()) {
            // Nothing was begun and nothing closed.
            Step::End
        } else if before.leaf().is_some() {
            Step::Leaf
        } else if before.root.is_none() {
            Step::Root
        } else {
            match before.depth().checked_sub(1) {
                Some(level) => {
                    let (container, next) = (before.innermost, NodeId::new(before.nodes));
                    let is_child = before.nodes < after.mark.nodes && after.reader().parent(next) == container;
                    Step::Children { container, level, next: is_child.then_some(next) }
                }
                None => Step::End,
            }
        };
        Self { before, after, step, ended: None }
    }

    /// The value of a node that is in `level` containers.
    fn value(&self, node: NodeId, level: u32) -> ValueRef<'a> {
        ValueRef::new(self.after, node, level)
    }

    /// What became of the text of the scalar that was in flight.
    #[inline]
    fn leaf(&mut self) -> Option<DeltaOp<'a>> {
        let (old, level, reader) = (self.before.leaf()?, self.before.depth(), self.after.reader());
        let value = self.value(old.node, level);
        let (kind, is_same) = if let Some(now) = self.after.mark.leaf_is(old.node) {
            // What is in flight is the last that there is.
            self.step = Step::End;
            if old.kind == NodeKind::String {
                let grown = now.length > old.length;
                return grown.then(|| DeltaOp::Append(value, reader.open_text(now, old.length)));
            }
            (now.kind, now.length == old.length && now.kind == old.kind)
        } else {
            self.step = Step::End;
            let node = reader.node(old.node)?;
            self.step = Step::Ended { id: old.node, node, level };
            if old.kind == NodeKind::String {
                let more = reader.closed_text(node, old.length);
                return (!more.is_empty()).then_some(DeltaOp::Append(value, more));
            }
            let same_length = node.kind() == old.kind && node.text().1 == old.length;
            (node.kind(), same_length && reader.closed_text(node, 0) == reader.text_at(old.start, old.length))
        };
        (old.kind == NodeKind::Number && !(is_same && kind == old.kind)).then_some(DeltaOp::Replace(value))
    }

    /// A value that has ended is final, and what is behind it comes next.
    #[inline]
    fn ended(&mut self, id: NodeId, node: Node<'a>, level: u32) -> Option<DeltaOp<'a>> {
        self.step = match level.checked_sub(1) {
            Some(level) => {
                let next = self.after.reader().next_to(node);
                Step::Children { container: node.parent(), level, next }
            }
            None => Step::End,
        };
        (!self.waits_for_object(level)).then(|| DeltaOp::Final(self.value(id, level)))
    }

    /// Whether a value in `level` containers that were open became final only with one of them: the outermost object,
    /// where members may be replaced as long as it is open.
    #[inline]
    fn waits_for_object(&self, level: u32) -> bool {
        self.after.mark.replacing != Replacing::Never && self.was_in_object(level)
    }

    #[cold]
    fn was_in_object(&self, level: u32) -> bool {
        let mut around = open_before(self.before, self.after).filter(|(at, _)| *at < level as usize);
        around.any(|(_, node)| is_object(self.after, node))
    }

    /// A child of a container that was open.
    #[inline]
    fn child(&mut self, container: NodeId, level: u32, id: NodeId) -> Option<DeltaOp<'a>> {
        let (reader, mark) = (self.after.reader(), &self.after.mark);
        let Some(node) = reader.node(id) else {
            self.step = Step::End;
            return None;
        };
        let next = reader.next_to(node);
        self.step = Step::Children { container, level, next };
        if mark.replacing != Replacing::Never {
            return self.child_for_now(level, id);
        }
        let value = self.value(id, level + 1);
        // The last one may be open, and then nothing is behind it.
        let open = if next.is_none() { mark.open_at(level + 1, id) } else { None };
        let count = match open {
            Some(open) => open.count(),
            None if node.kind().is_container() => node.count(),
            None => 0,
        };
        if count > 0 {
            self.ended = Some(PostOrder::new(reader, id, level + 1));
        } else if open.is_some() || mark.leaf_is(id).is_some() {
            self.step = Step::End;
        } else {
            self.step = Step::Ended { id, node, level: level + 1 };
        }
        Some(DeltaOp::Add(value))
    }

    /// The same where members are replaced.
    #[cold]
    fn child_for_now(&mut self, level: u32, id: NodeId) -> Option<DeltaOp<'a>> {
        let reader = self.after.reader();
        if self.after.mark.replacing == Replacing::Happened && reader.is_replacement(id) {
            // Of several replacements in one stretch the last one counts.
            return self.is_current(id).then(|| DeltaOp::Replace(self.value(id, level + 1)));
        }
        // One that was replaced in the same stretch is added as what it is by now.
        let value = self.value(reader.current(id), level + 1);
        if !self.waits_for_object(level + 1) {
            self.ended = Some(PostOrder::new(reader, value.node(), value.level()));
        }
        Some(DeltaOp::Add(value))
    }

    /// Whether a replacement is what stands in its place, and that place was there before.
    #[cold]
    fn is_current(&self, node: NodeId) -> bool {
        let reader = self.after.reader();
        let first = reader.original(node);
        first.number() < self.before.nodes && reader.current(first) == node
    }

    /// A container that was open has no more children: it may have ended.
    #[inline]
    fn close(&mut self, container: NodeId, level: u32) -> Option<DeltaOp<'a>> {
        self.step = Step::End;
        if self.after.mark.open_at(level, container).is_some() {
            return None;
        }
        let node = self.after.reader().node(container)?;
        if self.after.mark.replacing != Replacing::Never && is_object(self.after, container) {
            let final_now = self.ended(container, node, level).is_some();
            if final_now {
                // All that is in it becomes final with it.
                self.ended = Some(PostOrder::new(self.after.reader(), container, level));
            }
            return None;
        }
        self.ended(container, node, level)
    }
}

/// The containers that were open, innermost first, each with how many it was in.
fn open_before<'a>(before: &'a Start, after: &'a Snapshot) -> impl Iterator<Item = (usize, NodeId)> + 'a {
    let around = std::iter::successors(Some(before.innermost), |node| Some(after.reader().parent(*node)));
    (0..before.depth() as usize).rev().zip(around)
}

fn is_object(snapshot: &Snapshot, node: NodeId) -> bool {
    snapshot.reader().kind(node) == NodeKind::Object
}

impl<'a> Iterator for Ops<'a> {
    type Item = DeltaOp<'a>;

    #[inline]
    fn next(&mut self) -> Option<DeltaOp<'a>> {
        match (self.step, &self.ended) {
            (Step::End, None) => None,
            _ => self.advance(),
        }
    }
}

impl<'a> Ops<'a> {
    /// The next of the values that ended together which is final.
    #[inline]
    fn next_ended(&mut self) -> Option<ValueRef<'a>> {
        let ended = self.ended.as_mut()?;
        while let Some((node, level)) = ended.next() {
            let value = ValueRef::new(self.after, node, level);
            if !ended.is_open((node, level)) && !value.may_be_replaced() {
                return Some(value);
            }
        }
        self.ended = None;
        None
    }

    fn advance(&mut self) -> Option<DeltaOp<'a>> {
        loop {
            if let Some(value) = self.next_ended() {
                return Some(DeltaOp::Final(value));
            }
            let op = match self.step {
                Step::End => return None,
                Step::Leaf => self.leaf(),
                Step::Ended { id, node, level } => self.ended(id, node, level),
                Step::Children { container, level, next: Some(next) } => self.child(container, level, next),
                Step::Children { container, level, next: None } => self.close(container, level),
                Step::Root => {
                    self.step = Step::End;
                    let root = self.after.root();
                    self.ended = Some(PostOrder::new(self.after.reader(), root.node(), 0));
                    Some(DeltaOp::Add(root))
                }
            };
            if op.is_some() {
                return op;
            }
        }
    }
}

impl fmt::Debug for Ops<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.clone()).finish()
    }
}

/// The values that became final. Made by [`Delta::finals`].
///
/// ```
/// use jsonrill::{Parser};
///
/// let mut parser = Parser::new();
/// parser.feed(r#"{"a": [1, 2], "b": "te"#);
/// let update = parser.feed(r#"a", "#);
/// let paths: Vec<_> = update.delta().finals().map(|value| value.path()).collect();
/// assert_eq!(paths, ["/b"]);
/// ```
#[derive(Clone)]
pub struct Finals<'a>(Ops<'a>);

impl<'a> Iterator for Finals<'a> {
    type Item = ValueRef<'a>;

    fn next(&mut self) -> Option<ValueRef<'a>> {
        self.0.find_map(|op| match op {
            DeltaOp::Final(value) => Some(value),
            _ => None,
        })
    }
}

impl fmt::Debug for Finals<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.clone()).finish()
    }
}
