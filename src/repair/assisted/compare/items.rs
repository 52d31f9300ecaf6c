//! Keys and scalar values of a document, in the order of the text.

use std::hash::{BuildHasher, Hash, RandomState};

use super::shown;
use super::words::are_nested;
use crate::document::Kind;
use crate::view::{Elements, ValueRef};

/// What names are made with. Seeded, so that no text can be written to have two things of one name.
pub(super) type Names = RandomState;

/// A key, or a value that is no container with something in it.
pub(super) struct Item<'a> {
    pub(super) value: ValueRef<'a>,
    pub(super) is_key: bool,
    /// What it is: the key; or the value, and the key that is next to it on the way to the root.
    pub(super) id: u64,
    /// Where it is.
    pub(super) path: u64,
}

impl Item<'_> {
    /// Its text: of a key that is the name, of a string what it says, of a number how it is spelled.
    pub(super) fn text(&self) -> &str {
        match self.value.kind() {
            _ if self.is_key => self.value.key().unwrap_or_default(),
            Some(Kind::String) => self.value.as_str().unwrap_or_default(),
            Some(Kind::Number) => self.value.number_text().unwrap_or_default(),
            Some(Kind::Bool) if self.value.as_bool() == Some(true) => "true",
            Some(Kind::Bool) => "false",
            Some(Kind::Null) => "null",
            Some(Kind::Object | Kind::Array) | None => "",
        }
    }

    /// It, for a report; a key is said by its path.
    pub(super) fn shown(&self) -> Option<String> {
        (!self.is_key).then(|| shown(self.value))
    }

    /// Whether it is the same in another spelling: what only begins like a number, such as `1,234`, which the rules
    /// keep as text.
    pub(super) fn is_respelled_as(&self, other: &Self) -> bool {
        let is_text = self.value.kind() == Some(Kind::String) && !self.is_quoted();
        let is_sign = |sign: &char| sign.is_alphanumeric() || matches!(sign, '-' | '.' | ':' | '/');
        let squashed = || self.text().chars().filter(is_sign).collect::<String>().parse::<f64>();
        is_text && other.value.as_f64().is_some_and(|number| squashed() == Ok(number))
    }

    /// Whether what the original says for certain has become another value: one of another type, or one that no misread
    /// border or escape explains, for neither is a part of the other.
    pub(super) fn is_replaced_by(&self, other: &Self) -> bool {
        let Some(source) = self.source() else { return false };
        let is_certain = match self.value.kind() {
            Some(Kind::String) => source.starts_with('"'),
            Some(Kind::Number | Kind::Bool | Kind::Null) => source == self.text(),
            _ => false,
        };
        if !is_certain || self.value.kind() != other.value.kind() {
            return is_certain;
        }
        let is_part = are_nested(self.text(), other.text());
        !(is_part || source.contains('\\') && are_nested(&source, other.text()))
    }

    fn is_quoted(&self) -> bool {
        self.source().is_some_and(|source| source.starts_with('"'))
    }

    fn source(&self) -> Option<String> {
        Some(self.value.snapshot().source(self.value.span()?).into_owned())
    }
}

/// The items of some values.
pub(super) struct Items<'a, 'n> {
    names: &'n Names,
    pub(super) list: Vec<Item<'a>>,
}

/// A container whose children are not all listed.
struct Frame<'a> {
    children: Elements<'a>,
    path: u64,
    key: u64,
    next: usize,
}

impl<'a, 'n> Items<'a, 'n> {
    pub(super) fn new(names: &'n Names) -> Self {
        Self { names, list: Vec::new() }
    }

    /// Those of a root.
    pub(super) fn add_root(&mut self, root: ValueRef<'a>) {
        self.walk(root, 0, 0);
    }

    /// Those of an element of a root that is an array.
    pub(super) fn add_element(&mut self, index: usize, element: ValueRef<'a>) {
        let path = self.name((0u64, index));
        self.walk(element, path, 0);
    }

    fn name(&self, of: impl Hash) -> u64 {
        self.names.hash_one(of)
    }

    fn walk(&mut self, value: ValueRef<'a>, path: u64, key: u64) {
        let mut open: Vec<Frame<'a>> = Vec::new();
        open.extend(self.add(value, path, key));
        while let Some(frame) = open.last_mut() {
            let Some(child) = frame.children.next() else {
                open.pop();
                continue;
            };
            let index = frame.next;
            frame.next += 1;
            let (path, key) = match child.key() {
                Some(name) => (self.name((frame.path, name)), self.name(name)),
                None => (self.name((frame.path, index)), frame.key),
            };
            if child.key().is_some() {
                self.list.push(Item { value: child, is_key: true, id: key, path });
            }
            let container = self.add(child, path, key);
            open.extend(container);
        }
    }

    /// Lists a scalar, or opens a container.
    fn add(&mut self, value: ValueRef<'a>, path: u64, key: u64) -> Option<Frame<'a>> {
        if !value.exists() {
            return None;
        }
        if !value.is_empty() {
            return Some(Frame { children: value.elements(), path, key, next: 0 });
        }
        let id = match value.kind() {
            Some(Kind::Number) => self.name((key, 'n', number(value.number_text().unwrap_or_default()))),
            Some(Kind::String) => self.name((key, 's', value.as_str())),
            Some(Kind::Bool) => self.name((key, 'b', value.as_bool())),
            Some(Kind::Null) | None => self.name((key, '0')),
            Some(Kind::Object) => self.name((key, '{')),
            Some(Kind::Array) => self.name((key, '[')),
        };
        self.list.push(Item { value, is_key: false, id, path });
        None
    }
}

/// What a number is, whatever its spelling: two of the same are the same number. Long ones are what is written.
fn number(text: &str) -> (u64, &str) {
    /// So many digits go through an `f64` and back.
    const EXACT: usize = 15;
    let is_nought =
        || !text.bytes().take_while(|byte| !matches!(byte, b'e' | b'E')).any(|byte| matches!(byte, b'1'..=b'9'));
    match text.parse::<f64>() {
        // What is too large or too small for one would all be the same.
        Ok(number) if text.len() <= EXACT && number.is_normal() => (number.to_bits(), ""),
        Ok(number) if text.len() <= EXACT && number == 0.0 && is_nought() => (0, ""),
        _ => (1, text),
    }
}

/// How many keys and scalar values there are.
pub(super) fn count(root: ValueRef<'_>) -> u64 {
    let names = Names::default();
    let mut items = Items::new(&names);
    items.add_root(root);
    items.list.len() as u64
}
