//! What is fed: a text of any length, made to cost as much as it can.

use jsonrill::{Dialect, Duplicates, Options, Role, Roots};

/// What reads the bytes of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The parser, and all that is built on it.
    Parser,
    /// The decoders of what comes over a wire.
    Decoder,
}

type Make = Box<dyn Fn(usize) -> Vec<u8>>;

/// One way to attack.
pub struct Attack {
    /// What the text is, and the rule or the structure that it aims at.
    pub name: &'static str,
    pub aim: &'static str,
    pub reader: Reader,
    pub options: Options,
    make: Make,
}

impl Attack {
    /// Text that `make` makes, of about so many bytes.
    pub fn made(name: &'static str, aim: &'static str, make: impl Fn(usize) -> Vec<u8> + 'static) -> Self {
        Self { name, aim, reader: Reader::Parser, options: Options::new(), make: Box::new(make) }
    }

    /// The same with something behind it.
    pub fn ending(self, tail: &'static str) -> Self {
        let make = self.make;
        Self { make: Box::new(move |size| [make(size), tail.into()].concat()), ..self }
    }

    pub fn many(self) -> Self {
        Self { options: self.options.roots(Roots::Many), ..self }
    }

    pub fn last_root(self) -> Self {
        Self { options: self.options.roots(Roots::Last), ..self }
    }

    pub fn arguments(self) -> Self {
        Self { options: self.options.role(Role::Arguments), ..self }
    }

    pub fn replacing(self) -> Self {
        Self { options: self.options.duplicates(Duplicates::Last), ..self }
    }

    pub fn strict(self) -> Self {
        Self { options: self.options.dialect(Dialect::Strict), ..self }
    }

    pub fn decoded(self) -> Self {
        Self { reader: Reader::Decoder, ..self }
    }

    pub fn text(&self, size: usize) -> Vec<u8> {
        (self.make)(size)
    }
}

/// `head`, and then `unit` again and again.
pub fn again(name: &'static str, aim: &'static str, head: impl Into<Vec<u8>>, unit: impl Into<Vec<u8>>) -> Attack {
    let (head, unit) = (head.into(), unit.into());
    Attack::made(name, aim, move |size| {
        let mut text = head.clone();
        while text.len() < size {
            text.extend_from_slice(&unit);
        }
        text
    })
}
