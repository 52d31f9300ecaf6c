//! What a text had that RFC 8259 does not, and what was done about it.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::document::{SkipKind, Span};

/// A departure from RFC 8259 and how it was read. One variant for each rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RepairKind {
    /// A raw line break, tab or other control character in a string: kept as it is.
    ControlCharacter,
    /// A backslash that begins no escape: kept, except before `'` and a raw line break, where it is dropped.
    InvalidEscape,
    /// A comma before a closer: dropped.
    TrailingComma,
    /// Bytes that are no UTF-8: replaced by U+FFFD.
    InvalidUtf8,
}

/// Something that RFC 8259 allows but that is worth a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningKind {
    /// A member whose name its object has already.
    DuplicateKey,
    /// Half of a surrogate pair: read as U+FFFD.
    LoneSurrogate,
}

/// A kind of report that has a name and a message.
pub trait ReportKind: Copy + Eq + fmt::Debug {
    /// Its name in output: snake case.
    fn as_str(self) -> &'static str;
    /// What it means, for a person.
    fn message(self) -> &'static str;
}

impl RepairKind {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ControlCharacter => "control_character",
            Self::InvalidEscape => "invalid_escape",
            Self::TrailingComma => "trailing_comma",
            Self::InvalidUtf8 => "invalid_utf8",
        }
    }

    /// What was done, for a person.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::ControlCharacter => "raw control character in a string kept",
            Self::InvalidEscape => "backslash that begins no escape read as text",
            Self::TrailingComma => "comma before a closer dropped",
            Self::InvalidUtf8 => "bytes that are no UTF-8 replaced",
        }
    }
}

impl ReportKind for RepairKind {
    fn as_str(self) -> &'static str {
        Self::as_str(self)
    }

    fn message(self) -> &'static str {
        Self::message(self)
    }
}

impl WarningKind {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DuplicateKey => "duplicate_key",
            Self::LoneSurrogate => "lone_surrogate",
        }
    }

    /// What was done, for a person.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::DuplicateKey => "the object has this key already",
            Self::LoneSurrogate => "half of a surrogate pair read as U+FFFD",
        }
    }
}

impl ReportKind for WarningKind {
    fn as_str(self) -> &'static str {
        Self::as_str(self)
    }

    fn message(self) -> &'static str {
        Self::message(self)
    }
}

impl ReportKind for SkipKind {
    fn as_str(self) -> &'static str {
        Self::as_str(self)
    }

    fn message(self) -> &'static str {
        "text outside the JSON"
    }
}

/// One thing to report: what, and where. Several of a kind that follow each other directly are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Report<K> {
    /// What it is.
    pub kind: K,
    /// Where it is, in bytes of the source.
    pub span: Span,
    /// How many of them the span holds.
    pub count: u32,
}

impl<K: ReportKind> Serialize for Report<K> {
    /// As `{"kind", "offset", "length", "message"}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("Report", 4)?;
        fields.serialize_field("kind", self.kind.as_str())?;
        fields.serialize_field("offset", &self.span.start)?;
        fields.serialize_field("length", &self.span.len())?;
        fields.serialize_field("message", self.kind.message())?;
        fields.end()
    }
}

/// Reports in the order of the text. The first [`Reports::CAP`] are kept, the others counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reports<K> {
    kept: Vec<Report<K>>,
    omitted: u64,
}

impl<K> Default for Reports<K> {
    fn default() -> Self {
        Self { kept: Vec::new(), omitted: 0 }
    }
}

impl<K: ReportKind> Reports<K> {
    /// How many reports are kept.
    pub const CAP: usize = 10_000;

    pub(crate) fn add(&mut self, kind: K, span: Span) {
        let is_full = self.kept.len() >= Self::CAP;
        match self.kept.last_mut() {
            Some(last) if self.omitted == 0 && last.kind == kind && last.span.end == span.start => {
                last.span.end = span.end;
                last.count = last.count.saturating_add(1);
            }
            _ if is_full => self.omitted += 1,
            _ => self.kept.push(Report { kind, span, count: 1 }),
        }
    }

    /// Forgets what was reported from `start` on: it was no JSON.
    pub(crate) fn forget(&mut self, start: u32) {
        while self.kept.last().is_some_and(|report| report.span.start >= start) {
            self.kept.pop();
        }
    }

    /// The report that begins at `start` goes as far as `end`.
    pub(crate) fn stretch(&mut self, start: u32, end: u32) {
        if let Some(report) = self.kept.iter_mut().rev().find(|report| report.span.start <= start)
            && report.span.start == start
        {
            report.span.end = end;
        }
    }

    /// The reports, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Report<K>> {
        self.kept.iter()
    }

    /// How many are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there is nothing to report.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// How many came after the list was full.
    #[must_use]
    pub fn omitted(&self) -> u64 {
        self.omitted
    }
}

impl<'a, K: ReportKind> IntoIterator for &'a Reports<K> {
    type Item = &'a Report<K>;
    type IntoIter = std::slice::Iter<'a, Report<K>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: ReportKind> Serialize for Reports<K> {
    /// As the list of what is kept.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.kept)
    }
}
