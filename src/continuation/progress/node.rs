//! What is measured: a value of a snapshot, or one that somebody has already.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde_json::Value;

use crate::document::{Kind, Step};
use crate::view::{Snapshot, ValueRef};

use super::measure::leaves;

/// A value, read in place.
#[derive(Debug, Clone, Copy)]
pub enum Node<'a> {
    Streamed(ValueRef<'a>),
    Owned(&'a Value),
}

impl<'a> Node<'a> {
    fn streamed(value: ValueRef<'a>) -> Option<Self> {
        value.exists().then_some(Self::Streamed(value))
    }

    pub(super) fn member(self, key: &str) -> Option<Self> {
        match self {
            Self::Streamed(value) => Self::streamed(value.get(key)),
            Self::Owned(value) => value.get(key).map(Self::Owned),
        }
    }

    pub(super) fn element(self, index: usize) -> Option<Self> {
        match self {
            Self::Streamed(value) => Self::streamed(value.get(Step::Index(index))),
            Self::Owned(value) => value.get(index).map(Self::Owned),
        }
    }

    pub(super) fn is_array(self) -> bool {
        match self {
            Self::Streamed(value) => value.kind() == Some(Kind::Array),
            Self::Owned(value) => value.is_array(),
        }
    }

    pub(super) fn is_object(self) -> bool {
        match self {
            Self::Streamed(value) => value.kind() == Some(Kind::Object),
            Self::Owned(value) => value.is_object(),
        }
    }

    pub(super) fn is_null(self) -> bool {
        match self {
            Self::Streamed(value) => value.is_null(),
            Self::Owned(value) => value.is_null(),
        }
    }

    pub(super) fn is_true(self) -> bool {
        match self {
            Self::Streamed(value) => value.as_bool() == Some(true),
            Self::Owned(value) => value.as_bool() == Some(true),
        }
    }

    pub(super) fn text(self) -> Option<&'a str> {
        match self {
            Self::Streamed(value) => value.as_str(),
            Self::Owned(value) => value.as_str(),
        }
    }

    /// The number; `None` for one that is beyond the range of `f64`.
    pub(super) fn number(self) -> Option<f64> {
        let number = match self {
            Self::Streamed(value) => value.as_f64(),
            Self::Owned(value) => value.as_f64(),
        };
        number.filter(|number| number.is_finite())
    }

    /// Whether its last element or member is open: the cut goes through that.
    pub(super) fn has_open_child(self) -> bool {
        match self {
            Self::Streamed(value) => open_child(value).is_some(),
            Self::Owned(_) => false,
        }
    }

    /// How many members or elements there are.
    pub(super) fn len(self) -> usize {
        match self {
            Self::Streamed(value) => value.len(),
            Self::Owned(Value::Array(elements)) => elements.len(),
            Self::Owned(Value::Object(members)) => members.len(),
            Self::Owned(_) => 0,
        }
    }

    /// The elements of an array and the members of an object, these with their keys; nothing for everything else.
    pub(super) fn children(self) -> Children<'a> {
        match self {
            Self::Streamed(value) => Box::new(value.elements().map(|child| (child.key(), Self::Streamed(child)))),
            Self::Owned(Value::Array(elements)) => Box::new(elements.iter().map(|child| (None, Self::Owned(child)))),
            Self::Owned(Value::Object(members)) => {
                Box::new(members.iter().map(|(key, child)| (Some(key.as_str()), Self::Owned(child))))
            }
            Self::Owned(_) => Box::new(std::iter::empty()),
        }
    }
}

/// The last element or member of a container, if that is open.
pub(super) fn open_child(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    if value.is_final() { None } else { value.elements().last().filter(|child| !child.is_final()) }
}

pub(super) type Children<'a> = Box<dyn Iterator<Item = (Option<&'a str>, Node<'a>)> + 'a>;

/// What a KPI can be measured in: a [`Snapshot`] or a part of one ([`ValueRef`]) while the answer streams, or a
/// [`serde_json::Value`].
///
/// ```
/// use jsonrill::{KpiPath, Parser};
/// use serde_json::json;
///
/// let path: KpiPath = "items".parse()?;
/// let update = Parser::new().feed(r#"{"items": ["a", "b", "c"#);
/// assert_eq!(path.measure(update.snapshot()), 3.0);
/// assert_eq!(path.measure(&update.snapshot().root()), 3.0);
/// assert_eq!(path.measure(&json!({"items": ["a", "b"]})), 2.0);
/// # Ok::<(), jsonrill::KpiPathError>(())
/// ```
///
/// The trait is sealed: it is to be named in bounds, not implemented elsewhere.
pub trait Measured: sealed::Sealed {
    #[doc(hidden)]
    fn node(&self) -> Option<Node<'_>>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::view::Snapshot {}
    impl Sealed for crate::view::ValueRef<'_> {}
    impl Sealed for serde_json::Value {}
    impl<T: Sealed + ?Sized> Sealed for &T {}
}

impl Measured for Snapshot {
    fn node(&self) -> Option<Node<'_>> {
        Node::streamed(self.root())
    }
}

impl Measured for ValueRef<'_> {
    fn node(&self) -> Option<Node<'_>> {
        Node::streamed(*self)
    }
}

impl Measured for Value {
    fn node(&self) -> Option<Node<'_>> {
        Some(Node::Owned(self))
    }
}

impl<T: Measured + ?Sized> Measured for &T {
    fn node(&self) -> Option<Node<'_>> {
        (**self).node()
    }
}

/// A document, and what its measures share: several queries need one copy of it.
pub(super) struct Whole<'a> {
    pub(super) root: Option<Node<'a>>,
    leaves: OnceCell<f64>,
    #[cfg_attr(not(feature = "jsonpath"), expect(dead_code, reason = "only queries need a copy"))]
    value: OnceCell<Cow<'a, Value>>,
}

impl<'a> Whole<'a> {
    pub(super) fn new(document: &'a (impl Measured + ?Sized)) -> Self {
        Self { root: document.node(), leaves: OnceCell::new(), value: OnceCell::new() }
    }

    pub(super) fn leaves(&self) -> f64 {
        *self.leaves.get_or_init(|| self.root.map_or(0.0, leaves))
    }

    /// It as a `Value`. One that is nested deeper than a query may go down is nothing.
    #[cfg(feature = "jsonpath")]
    pub(super) fn value(&self) -> &Value {
        self.value.get_or_init(|| match self.root {
            Some(Node::Streamed(value)) => Cow::Owned(value.to_value()),
            Some(Node::Owned(value)) if super::measure::is_nested_within(value, crate::MAX_DEPTH) => {
                Cow::Borrowed(value)
            }
            Some(Node::Owned(_)) | None => Cow::Owned(Value::Null),
        })
    }
}
