//! What is written: JSON lines, in which numbers keep their source text and keys their order; text; and messages.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::exit::Exit;
use crate::input::name;

/// One line of output: a JSON object, written member by member.
///
/// The library's views are written through `Display`, which prints a number as the source spelled it; a
/// `serde_json::Value` in between would lose that.
pub(crate) struct Line<'w, W: Write> {
    out: &'w mut W,
    empty: bool,
}

impl<'w, W: Write> Line<'w, W> {
    /// A line without a member yet.
    pub(crate) fn new(out: &'w mut W) -> Self {
        Line { out, empty: true }
    }

    /// A member whose value prints itself as JSON.
    pub(crate) fn json(&mut self, key: &str, value: impl Display) -> io::Result<&mut Self> {
        self.key(key)?;
        write!(self.out, "{value}")?;
        Ok(self)
    }

    /// A member whose value prints itself as JSON, or null.
    pub(crate) fn json_or_null(&mut self, key: &str, value: Option<impl Display>) -> io::Result<&mut Self> {
        match value {
            Some(value) => self.json(key, value),
            None => self.json(key, "null"),
        }
    }

    /// A member that is an array of values that print themselves as JSON.
    pub(crate) fn json_array<T: Display>(
        &mut self,
        key: &str,
        values: impl IntoIterator<Item = T>,
    ) -> io::Result<&mut Self> {
        self.key(key)?;
        self.out.write_all(b"[")?;
        for (index, value) in values.into_iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(self.out, "{comma}{value}")?;
        }
        self.out.write_all(b"]")?;
        Ok(self)
    }

    /// A member with any other value.
    pub(crate) fn member(&mut self, key: &str, value: &(impl Serialize + ?Sized)) -> io::Result<&mut Self> {
        self.key(key)?;
        serde_json::to_writer(&mut *self.out, value)?;
        Ok(self)
    }

    /// Ends the line.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.out.write_all(if self.empty { b"{}\n" } else { b"}\n" })
    }

    fn key(&mut self, key: &str) -> io::Result<()> {
        self.out.write_all(if self.empty { b"{" } else { b"," })?;
        self.empty = false;
        serde_json::to_writer(&mut *self.out, key)?;
        self.out.write_all(b":")
    }
}

/// Writes text that is a line of its own: what was none gets an end. Nothing for no text.
pub(crate) fn write_line(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    if text.is_empty() || text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") }
}

/// Writes to standard error. If nobody reads it, that is no failure.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// What messages are about: the files that are read, by name. Of standard input alone there is nothing to name.
#[derive(Clone, Debug)]
pub(crate) struct About(Option<String>);

impl About {
    /// What there is in this file.
    pub(crate) fn file(file: Option<&Path>) -> Self {
        Self(file.filter(|file| *file != Path::new("-")).map(|file| name(Some(file))))
    }

    /// What there is in one of several files, of which standard input may be one.
    pub(crate) fn one_of(file: &Path) -> Self {
        Self(Some(name(Some(file))))
    }

    /// What there is in all of these files.
    pub(crate) fn all<'a>(mut files: impl Iterator<Item = &'a Path>) -> Self {
        let first = files.next();
        match (first, files.count()) {
            (first, 0) => Self::file(first),
            (first, more) => Self(Some(format!("{} and {more} more", name(first)))),
        }
    }

    /// A message as it is told.
    pub(crate) fn line(&self, message: impl Display) -> String {
        match self {
            Self(Some(name)) => format!("jsonrill: {name}: {message}\n"),
            Self(None) => format!("jsonrill: {message}\n"),
        }
    }

    /// Says something on standard error.
    pub(crate) fn tell(&self, message: impl Display) {
        tell(&self.line(message));
    }

    /// Says on standard error why there is not what was asked for.
    pub(crate) fn complain(&self, why: impl Display) -> Exit {
        self.tell(why);
        Exit::Unusable
    }
}
