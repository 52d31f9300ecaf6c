//! What may still change.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::document::{Kind, Path};

use super::ser::{Event, Walk, write_string};
use super::snapshot::Snapshot;
use super::value::ValueRef;

/// What is known about a place in a document.
///
/// ```
/// use jsonrill::{Parser, State};
///
/// let update = Parser::new().feed(r#"{"a": {"b": 1}, "c": "te"#);
/// assert_eq!((update.state("/a/b"), update.state("/a/x")), (State::Final, State::Absent));
/// assert_eq!((update.state("/c"), update.state("/d")), (State::Growing, State::Pending));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Not seen, and may come. After the end of a text that was cut: it would have been to come.
    Pending,
    /// Seen, and may still change: it is on the open path.
    Growing,
    /// Seen, and will never change, whatever comes.
    Final,
    /// Not seen, and will not come: the object or array it would be in is final.
    Absent,
}

impl State {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Growing => "growing",
            Self::Final => "final",
            Self::Absent => "absent",
        }
    }
}

crate::names::named!(State);

/// What may still change in a document: the path from the root to where the text is being read, seen as a tree.
///
/// ```
/// use jsonrill::{Parser, State};
/// use serde_json::json;
///
/// let update = Parser::new().feed(r#"{"header": {"id": 7}, "items": ["one", "tw"#);
/// let ambiguity = update.ambiguity();
/// assert!(!ambiguity.is_ambiguous("/header/id"));
/// assert_eq!(ambiguity.state("/items/1"), State::Growing);
/// assert_eq!(ambiguity.open_path().as_deref(), Some("/items/1"));
/// assert_eq!(ambiguity.to_value(), json!({"ambiguous": true, "fields": {
///     "header": {"ambiguous": false, "fields": {"id": {"ambiguous": false}}},
///     "items": {"ambiguous": true, "items": [{"ambiguous": false}, {"ambiguous": true}]},
/// }}));
/// ```
#[derive(Clone, Copy)]
pub struct Ambiguity<'a>(&'a Snapshot);

impl<'a> Ambiguity<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Self {
        Self(snapshot)
    }

    /// Whether the value at a path may still change, or may still come.
    #[must_use]
    pub fn is_ambiguous(self, path: impl Path) -> bool {
        self.0.is_ambiguous(path)
    }

    /// What is known about the value at a path: see [`State`].
    #[must_use]
    pub fn state(self, path: impl Path) -> State {
        self.0.state(path)
    }

    /// The pointer of the innermost thing that is open, `None` if nothing is.
    #[must_use]
    pub fn open_path(self) -> Option<String> {
        self.0.open_path()
    }

    /// The tree: `{"ambiguous": …}` for each value, with `"fields"` for the members of an object and `"items"` for the
    /// elements of an array. Where nothing is known yet, everything is ambiguous.
    ///
    /// # Complexity
    ///
    /// O(size of the document), for it names every value. To ask about one, use [`Ambiguity::state`].
    #[must_use]
    pub fn to_value(self) -> Value {
        let root = self.0.root();
        let mut done = Value::Null;
        let mut open: Vec<(Value, Option<&str>)> = Vec::new();
        let mut label = None;
        for event in Walk::new(root) {
            let (ended, key) = match event {
                Event::Key(key) => {
                    label = Some(key);
                    continue;
                }
                Event::Open(value) => {
                    open.push((leaf(value), label.take()));
                    continue;
                }
                Event::Scalar(value) => (leaf(value), label.take()),
                Event::Close(value) => {
                    let Some((mut tree, key)) = open.pop() else { break };
                    if value.is_empty() {
                        insert(&mut tree, value.kind(), None, None);
                    }
                    (tree, key)
                }
            };
            match open.last_mut() {
                Some((parent, _)) => {
                    let kind = if key.is_some() { Some(Kind::Object) } else { Some(Kind::Array) };
                    insert(parent, kind, key, Some(ended));
                }
                None => done = ended,
            }
        }
        done
    }
}

/// The tree of a value without what is in it.
fn leaf(value: ValueRef<'_>) -> Value {
    let mut fields = Map::new();
    fields.insert("ambiguous".to_owned(), Value::Bool(!value.is_final()));
    Value::Object(fields)
}

/// Puts a child into a tree, or, without one, only the place for children.
fn insert(tree: &mut Value, kind: Option<Kind>, key: Option<&str>, child: Option<Value>) {
    let Value::Object(fields) = tree else { return };
    if kind == Some(Kind::Array) {
        let items = fields.entry("items").or_insert_with(|| Value::Array(Vec::new()));
        if let (Value::Array(items), Some(child)) = (items, child) {
            items.push(child);
        }
    } else {
        let members = fields.entry("fields").or_insert_with(|| Value::Object(Map::new()));
        if let (Value::Object(members), Some(child)) = (members, child) {
            members.insert(key.unwrap_or_default().to_owned(), child);
        }
    }
}

impl fmt::Display for Ambiguity<'_> {
    /// The tree as JSON, members in the order of the text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for event in Walk::new(self.0.root()) {
            if !first && matches!(event, Event::Key(_) | Event::Scalar(_) | Event::Open(_)) {
                formatter.write_str(",")?;
            }
            first = false;
            match event {
                Event::Key(key) => {
                    write_string(key, formatter)?;
                    formatter.write_str(":")?;
                    first = true;
                }
                Event::Scalar(value) => write!(formatter, "{{\"ambiguous\":{}}}", !value.is_final())?,
                Event::Open(value) => {
                    let (name, opener) =
                        if value.kind() == Some(Kind::Object) { ("fields", '{') } else { ("items", '[') };
                    write!(formatter, "{{\"ambiguous\":{},\"{name}\":{opener}", !value.is_final())?;
                    first = true;
                }
                Event::Close(value) => {
                    formatter.write_str(if value.kind() == Some(Kind::Object) { "}}" } else { "]}" })?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Ambiguity<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for Ambiguity<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}
