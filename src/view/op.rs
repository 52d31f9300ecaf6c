//! Operations that stand alone: what a delta says, as data that can be stored, sent and applied elsewhere.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::path::{Path, Token};

/// One operation of a delta, owned.
///
/// As JSON these are the objects of a JSON patch (RFC 6902), with two more names: `append` puts text at the end of a
/// string, and `final` says that the value at the path can never change again. Paths are JSON pointers.
///
/// What `serde_json` cannot read, it cannot receive: numbers beyond an `f64` are `null` in an `Op`, and by default it
/// refuses values nested more than about 120 deep (set [`Limits::depth`](crate::Limits) for such receivers).
///
/// ```
/// use jsonrill::Op;
/// use serde_json::json;
///
/// let op = Op::Append { path: "/msg".to_owned(), text: "lo".to_owned() };
/// assert_eq!(serde_json::to_value(&op)?, json!({"op": "append", "path": "/msg", "text": "lo"}));
/// assert_eq!(serde_json::from_value::<Op>(json!({"op": "append", "path": "/msg", "text": "lo"}))?, op);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Op {
    /// A value appeared.
    Add {
        /// Where: a new member, the next element of an array, or the root (the empty path).
        path: String,
        /// The value as far as it was known.
        value: Value,
    },
    /// A string grew.
    Append {
        /// Which string.
        path: String,
        /// The text that came after what was there.
        text: String,
    },
    /// A value took the place of another.
    Replace {
        /// Which value.
        path: String,
        /// What it is now.
        value: Value,
    },
    /// A value can never change again.
    Final {
        /// Which value.
        path: String,
    },
}

impl Op {
    /// The place it is about, as a JSON pointer.
    ///
    /// ```
    /// use jsonrill::Op;
    ///
    /// assert_eq!(Op::Final { path: "/items/0".to_owned() }.path(), "/items/0");
    /// ```
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Op::Add { path, .. } | Op::Append { path, .. } | Op::Replace { path, .. } | Op::Final { path } => path,
        }
    }

    /// Its name in JSON: `add`, `append`, `replace` or `final`.
    ///
    /// ```
    /// use jsonrill::Op;
    ///
    /// assert_eq!(Op::Final { path: String::new() }.name(), "final");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Op::Add { .. } => "add",
            Op::Append { .. } => "append",
            Op::Replace { .. } => "replace",
            Op::Final { .. } => "final",
        }
    }

    /// Applies it to a replica.
    ///
    /// `add` and `replace` mean what they mean in RFC 6902: adding a member that is there replaces it, adding an
    /// element at the length of the array (or at `-`) pushes, and before that inserts. `final` does nothing.
    ///
    /// ```
    /// use jsonrill::Op;
    /// use serde_json::{Value, json};
    ///
    /// let mut replica = Value::Null;
    /// Op::Add { path: String::new(), value: json!({"msg": "Hel"}) }.apply(&mut replica)?;
    /// Op::Append { path: "/msg".to_owned(), text: "lo".to_owned() }.apply(&mut replica)?;
    /// assert_eq!(replica, json!({"msg": "Hello"}));
    /// # Ok::<(), jsonrill::ApplyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the path does not fit the value; the value is then unchanged.
    pub fn apply(&self, value: &mut Value) -> Result<(), ApplyError> {
        let applied = match self {
            Op::Add { path, value: new } => add(value, path, new),
            Op::Append { path, text } => append(value, path, text),
            Op::Replace { path, value: new } => find(value, path).map(|old| old.clone_from(new)),
            Op::Final { .. } => Ok(()),
        };
        applied.map_err(|reason| ApplyError { op: self.name(), path: self.path().to_owned(), reason })
    }
}

/// Applies operations in order, up to the first that fails.
///
/// ```
/// use jsonrill::{Op, apply_all};
/// use serde_json::{Value, json};
///
/// let ops: Vec<Op> = serde_json::from_value(json!([
///     {"op": "add", "path": "", "value": []},
///     {"op": "add", "path": "/0", "value": "a"},
///     {"op": "append", "path": "/0", "text": "b"},
///     {"op": "final", "path": "/0"},
/// ]))?;
/// let mut replica = Value::Null;
/// apply_all(&ops, &mut replica)?;
/// assert_eq!(replica, json!(["ab"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// That of the first operation that does not fit. Those before it have been applied.
pub fn apply_all<'a>(ops: impl IntoIterator<Item = &'a Op>, value: &mut Value) -> Result<(), ApplyError> {
    ops.into_iter().try_for_each(|op| op.apply(value))
}

/// Why an operation could not be applied: its path does not fit the value.
///
/// ```
/// use jsonrill::Op;
/// use serde_json::json;
///
/// let op = Op::Append { path: "/n".to_owned(), text: "x".to_owned() };
/// let error = op.apply(&mut json!({"n": 1})).unwrap_err();
/// assert_eq!(error.to_string(), r#"cannot append at "/n": the value is not a string"#);
/// assert_eq!(error.path(), "/n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplyError {
    op: &'static str,
    path: String,
    reason: Reason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Pointer,
    Missing,
    Scalar,
    Index,
    NotString,
}

impl ApplyError {
    /// The path of the operation that failed.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            Reason::Pointer => "the path is not a JSON pointer",
            Reason::Missing => "there is no such value",
            Reason::Scalar => "the path leads into a value that is neither an object nor an array",
            Reason::Index => "the index is not one of the array, nor the next",
            Reason::NotString => "the value is not a string",
        };
        write!(f, "cannot {} at {:?}: {reason}", self.op, self.path)
    }
}

impl std::error::Error for ApplyError {}

/// Follows a pointer down.
fn find<'v>(root: &'v mut Value, path: &str) -> Result<&'v mut Value, Reason> {
    path.tokens().try_fold(root, |value, token| {
        let key = token.key().ok_or(Reason::Pointer)?;
        match value {
            Value::Object(members) => members.get_mut(&*key).ok_or(Reason::Missing),
            Value::Array(elements) => token.index().and_then(|at| elements.get_mut(at)).ok_or(Reason::Missing),
            _ => Err(Reason::Scalar),
        }
    })
}

fn add(root: &mut Value, path: &str, new: &Value) -> Result<(), Reason> {
    if path.is_empty() {
        root.clone_from(new);
        return Ok(());
    }
    let (parent, last) = path.rsplit_once('/').ok_or(Reason::Pointer)?;
    let parent = find(root, parent)?;
    let key = Token::Pointer(last).key().ok_or(Reason::Pointer)?;
    match parent {
        Value::Object(members) => {
            members.insert(key.into_owned(), new.clone());
        }
        Value::Array(elements) => {
            let at = if last == "-" { Some(elements.len()) } else { Token::Plain(last).index() };
            let at = at.filter(|&at| at <= elements.len()).ok_or(Reason::Index)?;
            elements.insert(at, new.clone());
        }
        _ => return Err(Reason::Scalar),
    }
    Ok(())
}

fn append(root: &mut Value, path: &str, text: &str) -> Result<(), Reason> {
    match find(root, path)? {
        Value::String(string) => {
            string.push_str(text);
            Ok(())
        }
        _ => Err(Reason::NotString),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn op(value: Value) -> Op {
        serde_json::from_value(value).unwrap()
    }

    fn applied(start: &Value, ops: Value) -> Value {
        let ops: Vec<Op> = serde_json::from_value(ops).unwrap();
        let mut value = start.clone();
        apply_all(&ops, &mut value).unwrap();
        value
    }

    #[test]
    fn json_form_round_trips() {
        for value in [
            json!({"op": "add", "path": "/a", "value": {"b": [1, null]}}),
            json!({"op": "append", "path": "/a", "text": "x"}),
            json!({"op": "replace", "path": "", "value": null}),
            json!({"op": "final", "path": "/a"}),
        ] {
            assert_eq!(serde_json::to_value(op(value.clone())).unwrap(), value);
        }
        let text = serde_json::to_string(&Op::Add { path: "/a".to_owned(), value: json!(1) }).unwrap();
        assert_eq!(text, r#"{"op":"add","path":"/a","value":1}"#);
    }

    #[test]
    fn builds_a_replica() {
        let ops = json!([
            {"op": "add", "path": "", "value": {}},
            {"op": "add", "path": "/a~1b", "value": []},
            {"op": "add", "path": "/a~1b/0", "value": "x"},
            {"op": "append", "path": "/a~1b/0", "text": "y"},
            {"op": "final", "path": "/a~1b/0"},
            {"op": "add", "path": "/a~1b/1", "value": 1},
            {"op": "replace", "path": "/a~1b/1", "value": 12},
            {"op": "add", "path": "/0", "value": "key"},
            {"op": "add", "path": "/", "value": "empty"},
            {"op": "final", "path": ""},
            {"op": "final", "path": "/never/mind"},
        ]);
        assert_eq!(applied(&Value::Null, ops), json!({"a/b": ["xy", 12], "0": "key", "": "empty"}));
        assert_eq!(applied(&json!("a"), json!([{"op": "append", "path": "", "text": "b"}])), json!("ab"));
        assert_eq!(applied(&json!("a"), json!([{"op": "replace", "path": "", "value": 1}])), json!(1));
        let inserts = json!([
            {"op": "add", "path": "/0", "value": 0},
            {"op": "add", "path": "/-", "value": 2},
        ]);
        assert_eq!(applied(&json!([1]), inserts), json!([0, 1, 2]));
    }

    #[test]
    fn what_does_not_fit_changes_nothing() {
        let start = json!({"s": "x", "n": 1, "l": [1]});
        for (bad, reason) in [
            (json!({"op": "add", "path": "s", "value": 1}), Reason::Pointer),
            (json!({"op": "add", "path": "s/x", "value": 1}), Reason::Pointer),
            (json!({"op": "add", "path": "/~2", "value": 1}), Reason::Pointer),
            (json!({"op": "add", "path": "/x/y", "value": 1}), Reason::Missing),
            (json!({"op": "add", "path": "/s/y", "value": 1}), Reason::Scalar),
            (json!({"op": "add", "path": "/l/2", "value": 1}), Reason::Index),
            (json!({"op": "add", "path": "/l/01", "value": 1}), Reason::Index),
            (json!({"op": "add", "path": "/l/x", "value": 1}), Reason::Index),
            (json!({"op": "append", "path": "/n", "text": "x"}), Reason::NotString),
            (json!({"op": "append", "path": "/l/1", "text": "x"}), Reason::Missing),
            (json!({"op": "append", "path": "/n/0", "text": "x"}), Reason::Scalar),
            (json!({"op": "replace", "path": "/x", "value": 1}), Reason::Missing),
            (json!({"op": "replace", "path": "/l/-", "value": 1}), Reason::Missing),
            (json!({"op": "replace", "path": "x", "value": 1}), Reason::Pointer),
        ] {
            let mut value = start.clone();
            let error = op(bad.clone()).apply(&mut value).unwrap_err();
            assert_eq!(error.reason, reason, "{bad}");
            assert_eq!(error.path(), bad.get("path").unwrap());
            assert_eq!(value, start, "{bad}");
        }
    }
}
