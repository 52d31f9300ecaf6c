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
    /// `"C:\dir"` reads as `C:\dir`.
    InvalidEscape,
    /// Bytes that are no UTF-8: replaced by U+FFFD.
    InvalidUtf8,
    /// A quote inside a string that should have been escaped: text. `"say "hi" now"` reads as `say "hi" now`.
    InnerQuote,
    /// A quote written twice where one belongs: one is dropped. `""a""` reads as `a`.
    DoubledQuote,
    /// A string in other quotes than `"`: `'a'`, `` `a` ``, `“a”`, `"""a"""`, with or without a letter before them.
    OtherQuotes,
    /// A string without its opening or closing quote: `"a": "b, "c": 1` reads as `"a": "b", "c": 1`.
    MissingQuote,
    /// A comma with no value before or behind it: dropped. `[1,,2,]` reads as `[1,2]`.
    ExtraComma,
    /// Two values with no comma between them: `[1 2]` reads as `[1,2]`. The span is where the comma should be.
    MissingComma,
    /// A key and a value with no colon, or another sign, between them: `"a" 1`, `"a" = 1`, `"a" => 1`.
    MissingColon,
    /// A key without a value: `null`. `{"a": , "b"}` reads as `{"a":null,"b":null}`.
    MissingValue,
    /// A key without quotes: `{a: 1}` reads as `{"a":1}`.
    BareKey,
    /// A string without quotes: `{"a": hello world}` reads as `{"a":"hello world"}`.
    BareString,
    /// `True`, `None`, `undefined`, `NaN` and their like: `true`, `false` or `null`.
    ForeignKeyword,
    /// A number that JSON spells otherwise: `+1`, `.5`, `1.`, `0x1F`, `1_000`.
    NumberSpelling,
    /// What begins like a number and is none: its text as a string. `12:30`, `01`, `1,234`, `10%`, `1.2.3`.
    NumberAsText,
    /// A comment: `// …`, `/* … */`, `# …`.
    Comment,
    /// Dots that stand for something left out: `[1, 2, ...]` reads as `[1,2]`.
    Ellipsis,
    /// An array in parentheses: `(1, 2)` reads as `[1,2]`.
    Tuple,
    /// Values without keys in braces: `{"a", "b"}` reads as `["a","b"]`.
    Set,
    /// A value in a call: `NumberLong(2)` reads as `2`.
    Wrapper,
    /// Strings joined by `+`: `"a" + "b"` reads as `"ab"`.
    Concatenation,
    /// A full-width sign: `：` `，` `｛` and their like.
    FullWidth,
    /// White space that JSON does not have: non-breaking, ideographic, of no width.
    SpecialSpace,
    /// A closer of the other kind that closes: `{"a": [1, 2}, "b": 3}` reads as `{"a":[1,2],"b":3}`.
    WrongCloser,
    /// A closer that closes nothing: skipped.
    SurplusCloser,
    /// A closer that is missing before what follows: `[{"a": 1, {"b": 2}]` reads as `[{"a":1},{"b":2}]`.
    MissingCloser,
    /// A brace that is missing before a member: `[1, "a": 2}]` reads as `[1,{"a":2}]`.
    MissingOpener,
    /// A brace where a key belongs: skipped. `{{"a": 1}}` reads as `{"a":1}`.
    RepeatedBrace,
    /// Text that is neither key nor value: skipped. `{"a": [] oops, "b": 1}` reads as `{"a":[],"b":1}`.
    StrayText,
    /// A whole document with its quotes escaped: `{\"a\": 1}` reads as `{"a":1}`.
    EscapedDocument,
    /// A whole document with its quotes doubled: `"{""a"": 1}"` reads as `{"a":1}`.
    DoubledDocument,
}

/// Something that RFC 8259 allows but that is worth a look.
///
/// ```
/// use jsonrill::{WarningKind, repair};
///
/// let repaired = repair(r#"{"a": 1, "a": 2}"#);
/// assert_eq!(repaired.warnings().iter().next().map(|warning| warning.kind), Some(WarningKind::DuplicateKey));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningKind {
    /// A member whose name its object has already.
    DuplicateKey,
    /// Half of a surrogate pair: read as U+FFFD.
    LoneSurrogate,
}

/// A kind of report that has a name and a message: [`RepairKind`], [`WarningKind`] and [`SkipKind`]. The trait is sealed.
///
/// ```
/// use jsonrill::{ReportKind, Reports, repair};
///
/// fn names<K: ReportKind>(reports: &Reports<K>) -> Vec<&'static str> {
///     reports.iter().map(|report| report.kind.as_str()).collect()
/// }
///
/// let repaired = repair("Here: {\"a\": 1,}");
/// assert_eq!((names(repaired.repairs()), names(repaired.skipped())), (vec!["extra_comma"], vec!["prose"]));
/// ```
pub trait ReportKind: Copy + Eq + fmt::Debug + fmt::Display + Serialize + sealed::Sealed {
    /// Its name in output: snake case.
    fn as_str(self) -> &'static str;
    /// What it means, for a person.
    fn message(self) -> &'static str;
}

impl RepairKind {
    /// All of them, in the order of their declaration.
    pub const ALL: &'static [Self] = &[
        Self::ControlCharacter,
        Self::InvalidEscape,
        Self::InvalidUtf8,
        Self::InnerQuote,
        Self::DoubledQuote,
        Self::OtherQuotes,
        Self::MissingQuote,
        Self::ExtraComma,
        Self::MissingComma,
        Self::MissingColon,
        Self::MissingValue,
        Self::BareKey,
        Self::BareString,
        Self::ForeignKeyword,
        Self::NumberSpelling,
        Self::NumberAsText,
        Self::Comment,
        Self::Ellipsis,
        Self::Tuple,
        Self::Set,
        Self::Wrapper,
        Self::Concatenation,
        Self::FullWidth,
        Self::SpecialSpace,
        Self::WrongCloser,
        Self::SurplusCloser,
        Self::MissingCloser,
        Self::MissingOpener,
        Self::RepeatedBrace,
        Self::StrayText,
        Self::EscapedDocument,
        Self::DoubledDocument,
    ];

    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ControlCharacter => "control_character",
            Self::InvalidEscape => "invalid_escape",
            Self::InvalidUtf8 => "invalid_utf8",
            Self::InnerQuote => "inner_quote",
            Self::DoubledQuote => "doubled_quote",
            Self::OtherQuotes => "other_quotes",
            Self::MissingQuote => "missing_quote",
            Self::ExtraComma => "extra_comma",
            Self::MissingComma => "missing_comma",
            Self::MissingColon => "missing_colon",
            Self::MissingValue => "missing_value",
            Self::BareKey => "bare_key",
            Self::BareString => "bare_string",
            Self::ForeignKeyword => "foreign_keyword",
            Self::NumberSpelling => "number_spelling",
            Self::NumberAsText => "number_as_text",
            Self::Comment => "comment",
            Self::Ellipsis => "ellipsis",
            Self::Tuple => "tuple",
            Self::Set => "set",
            Self::Wrapper => "wrapper",
            Self::Concatenation => "concatenation",
            Self::FullWidth => "full_width",
            Self::SpecialSpace => "special_space",
            Self::WrongCloser => "wrong_closer",
            Self::SurplusCloser => "surplus_closer",
            Self::MissingCloser => "missing_closer",
            Self::MissingOpener => "missing_opener",
            Self::RepeatedBrace => "repeated_brace",
            Self::StrayText => "stray_text",
            Self::EscapedDocument => "escaped_document",
            Self::DoubledDocument => "doubled_document",
        }
    }

    /// What was done, for a person.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::ControlCharacter => "line break, tab or other control character in a string kept as it is",
            Self::InvalidEscape => "backslash that begins no escape read as text",
            Self::InvalidUtf8 => "bytes that are no UTF-8 replaced by U+FFFD",
            Self::InnerQuote => "quote inside a string, without a backslash, read as text",
            Self::DoubledQuote => "quote written twice: one of the two dropped",
            Self::OtherQuotes => "quotes of another kind read as `\"`",
            Self::MissingQuote => "missing quote added",
            Self::ExtraComma => "comma with nothing before or behind it dropped",
            Self::MissingComma => "missing comma added",
            Self::MissingColon => "missing colon added",
            Self::MissingValue => "missing value read as null",
            Self::BareKey => "key without quotes: quotes added",
            Self::BareString => "text without quotes read as a string",
            Self::ForeignKeyword => "word such as True, None or NaN read as true, false or null",
            Self::NumberSpelling => {
                "number in a form that JSON does not have, such as +1 or .5, written as JSON has it"
            }
            Self::NumberAsText => "text that only begins like a number read as a string",
            Self::Comment => "comment skipped",
            Self::Ellipsis => "dots that stand for something left out skipped",
            Self::Tuple => "parentheses around values read as an array",
            Self::Set => "braces around values without keys read as an array",
            Self::Wrapper => "function call around a value dropped: the value stays",
            Self::Concatenation => "strings with `+` between them joined",
            Self::FullWidth => "full-width sign, such as `：`, read as the plain one",
            Self::SpecialSpace => "white space that JSON does not have skipped",
            Self::WrongCloser => "bracket that does not fit read as the one that does, `]` for `}` or the other way",
            Self::SurplusCloser => "closing bracket that closes nothing skipped",
            Self::MissingCloser => "missing closing bracket added",
            Self::MissingOpener => "missing `{` added",
            Self::RepeatedBrace => "`{` where a key belongs skipped",
            Self::StrayText => "text that is neither key nor value skipped",
            Self::EscapedDocument => "backslashes before all quotes of a document removed",
            Self::DoubledDocument => "quotes that a whole document has twice read as one each",
        }
    }
}

crate::names::named!(RepairKind, WarningKind);

mod sealed {
    use super::{RepairKind, SkipKind, WarningKind};

    pub trait Sealed {}
    impl Sealed for RepairKind {}
    impl Sealed for WarningKind {}
    impl Sealed for SkipKind {}
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
            Self::DuplicateKey => "key that its object has already",
            Self::LoneSurrogate => "half of a surrogate pair, such as \\ud83d alone, read as U+FFFD",
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
        Self::message(self)
    }
}

/// One thing to report: what, and where. Several of a kind that follow each other directly are one.
///
/// ```
/// use jsonrill::{RepairKind, repair};
///
/// let repaired = repair("[1, 2,,]");
/// let report = repaired.repairs().iter().next().unwrap();
/// assert_eq!((report.kind, report.span.start, report.span.end), (RepairKind::ExtraComma, 5, 7));
/// assert_eq!(report.count, 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
///
/// ```
/// use jsonrill::repair;
///
/// let repaired = repair("[1,, 2,]");
/// assert_eq!((repaired.repairs().len(), repaired.repairs().omitted()), (2, 0));
/// for report in repaired.repairs() {
///     assert_eq!(report.kind.message(), "comma with nothing before or behind it dropped");
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Reports<K> {
    /// Those that are kept, and behind them the last of the others: what touches those is of their run, and what is read
    /// again is forgotten.
    all: Vec<Report<K>>,
    /// How many there were between the two.
    dropped: u64,
    /// How many were when the candidate began.
    dropped_before: u64,
}

/// How many of those that are not kept can be forgotten: more than are found in what is held or hidden.
const SPARE: usize = 1024;

impl<K> Default for Reports<K> {
    fn default() -> Self {
        Self { all: Vec::new(), dropped: 0, dropped_before: 0 }
    }
}

/// By what is seen of them.
impl<K: ReportKind> PartialEq for Reports<K> {
    fn eq(&self, other: &Self) -> bool {
        self.kept() == other.kept() && self.omitted() == other.omitted()
    }
}

impl<K: ReportKind> Eq for Reports<K> {}

impl<K: ReportKind> Reports<K> {
    /// How many reports are kept.
    pub const CAP: usize = 10_000;

    pub(crate) fn add(&mut self, kind: K, span: Span) {
        self.add_many(kind, span, 1);
    }

    /// Adds a run of `count` of a kind. What it touches of the same kind is of the same run.
    pub(crate) fn add_many(&mut self, kind: K, span: Span, count: u32) {
        // What is before it was found earlier, but for the little that a later byte shows.
        let behind = self.all.iter().rev().take_while(|report| report.span.start > span.start).count();
        let at = self.all.len() - behind;
        let (before, after) = self.all.split_at_mut(at);
        let is_same = |report: &&mut Report<K>| report.kind == kind;
        let before = before.last_mut().filter(is_same).filter(|last| last.span.end == span.start);
        let after = after.first_mut().filter(is_same).filter(|next| next.span.start == span.end);
        match (before, after) {
            (Some(before), Some(after)) => {
                before.span.end = after.span.end;
                before.count = before.count.saturating_add(count).saturating_add(after.count);
                self.all.remove(at);
            }
            (Some(before), None) => {
                before.span.end = span.end;
                before.count = before.count.saturating_add(count);
            }
            (None, Some(after)) => {
                after.span.start = span.start;
                after.count = after.count.saturating_add(count);
            }
            (None, None) => {
                self.all.insert(at, Report { kind, span, count });
                if self.all.len() > Self::CAP + 2 * SPARE {
                    self.drop_all_but(SPARE);
                }
            }
        }
    }

    /// Counts those that are not kept, but for so many at the end.
    fn drop_all_but(&mut self, spare: usize) {
        let end = self.all.len().saturating_sub(spare);
        if end > Self::CAP {
            self.dropped += self.all.drain(Self::CAP..end).map(|report| u64::from(report.count)).sum::<u64>();
        }
    }

    /// A candidate begins, which may have to be forgotten.
    pub(crate) fn begin_candidate(&mut self) {
        self.drop_all_but(0);
        self.dropped_before = self.dropped;
    }

    /// Forgets what was reported of the candidate that begins at `start`: it was no JSON.
    pub(crate) fn forget_candidate(&mut self, start: u32) {
        self.forget(start);
        self.dropped = self.dropped_before;
    }

    /// Forgets what was reported from `start` on: it is read again.
    pub(crate) fn forget(&mut self, start: u32) {
        while self.all.last().is_some_and(|report| report.span.start >= start) {
            self.all.pop();
        }
        // Of a run, those before it stay; they are of one length.
        if let Some(run) = self.all.last_mut().filter(|last| last.count > 1 && last.span.end > start) {
            let each = (run.span.len() / run.count).max(1);
            run.span.end = start;
            run.count = run.span.len().div_ceil(each);
        }
    }

    /// Forgets what was reported from `start` on and before `end`: that alone is read again.
    pub(crate) fn forget_between(&mut self, start: u32, end: u32) {
        let behind = self.all.iter().rev().take_while(|report| report.span.start >= end).count();
        let behind = self.all.split_off(self.all.len() - behind);
        self.forget(start);
        self.all.extend(behind);
    }

    /// The report that begins at `start`, or has one that does, goes as far as `end`.
    pub(crate) fn stretch(&mut self, start: u32, end: u32) {
        let mut before = self.all.iter_mut().rev().skip_while(|report| report.span.start > start);
        if let Some(report) = before.next().filter(|report| report.span.end > start) {
            report.span.end = report.span.end.max(end);
        }
    }

    fn kept(&self) -> &[Report<K>] {
        self.all.get(..Self::CAP).unwrap_or(&self.all)
    }

    /// The last reports, the last first, also of those that are not kept.
    pub(crate) fn latest(&self) -> impl Iterator<Item = &Report<K>> {
        self.all.iter().rev()
    }

    /// The reports, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Report<K>> {
        self.kept().iter()
    }

    /// How many are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept().len()
    }

    /// Whether there is nothing to report.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many came after the list was full.
    #[must_use]
    pub fn omitted(&self) -> u64 {
        let spare = self.all.iter().skip(Self::CAP).map(|report| u64::from(report.count));
        self.dropped + spare.sum::<u64>()
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
        serializer.collect_seq(self.kept())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(spans: &[(u32, u32)]) -> Reports<RepairKind> {
        let mut reports = Reports::default();
        for (start, end) in spans {
            reports.add(RepairKind::ExtraComma, Span::new(*start, *end));
        }
        reports
    }

    fn told(reports: &Reports<RepairKind>) -> Vec<(u32, u32, u32)> {
        reports.iter().map(|report| (report.span.start, report.span.end, report.count)).collect()
    }

    #[test]
    fn what_touches_is_one_run_in_whatever_order_it_comes() {
        for spans in [[(1, 2), (2, 3), (3, 4)], [(3, 4), (2, 3), (1, 2)], [(1, 2), (3, 4), (2, 3)]] {
            assert_eq!(told(&added(&spans)), [(1, 4, 3)], "{spans:?}");
        }
        let mut reports = added(&[(1, 2), (3, 4)]);
        assert_eq!(told(&reports), [(1, 2, 1), (3, 4, 1)]);
        reports.add(RepairKind::Comment, Span::new(2, 3));
        assert_eq!(reports.len(), 3);
    }

    #[test]
    fn what_is_forgotten_is_not_counted() {
        let cap = u32::try_from(Reports::<RepairKind>::CAP).unwrap();
        let spare = u32::try_from(SPARE).unwrap();
        // All of them lie apart, so that each is one.
        let mut reports = Reports::default();
        for number in 0..cap + 10 * spare {
            reports.add(RepairKind::ExtraComma, Span::new(2 * number, 2 * number + 1));
        }
        let omitted = u64::from(10 * spare);
        assert_eq!((reports.len(), reports.omitted()), (Reports::<RepairKind>::CAP, omitted));
        let last = 2 * (cap + 10 * spare);
        // What is read again is told again.
        for _ in 0..3 {
            reports.forget(last - 200);
            assert_eq!(reports.omitted(), omitted - 100);
            for number in 0..100 {
                reports.add(RepairKind::ExtraComma, Span::new(last - 200 + 2 * number, last - 199 + 2 * number));
            }
            assert_eq!((reports.len(), reports.omitted()), (Reports::<RepairKind>::CAP, omitted));
        }
        // Nor is a candidate that was none.
        reports.begin_candidate();
        for number in 0..5 * spare {
            reports.add(RepairKind::ExtraComma, Span::new(last + 2 * number, last + 2 * number + 1));
        }
        assert_eq!(reports.omitted(), omitted + u64::from(5 * spare));
        reports.forget_candidate(last);
        assert_eq!((reports.len(), reports.omitted()), (Reports::<RepairKind>::CAP, omitted));
        // What two touch makes one of them, and those that are kept are the first.
        let mut reports = Reports::default();
        for number in 0..=cap {
            reports.add(RepairKind::ExtraComma, Span::new(2 * number, 2 * number + 1));
        }
        reports.add(RepairKind::ExtraComma, Span::new(1, 2));
        assert_eq!((reports.len(), reports.omitted()), (Reports::<RepairKind>::CAP, 0));
        assert_eq!(reports.iter().next_back().map(|report| report.span.start), Some(2 * cap));
    }

    #[test]
    fn a_run_is_forgotten_in_part() {
        let mut reports = added(&[(1, 2), (2, 3), (3, 4), (6, 7)]);
        reports.forget(2);
        assert_eq!(told(&reports), [(1, 2, 1)]);
        reports.forget(1);
        assert!(reports.is_empty());
    }

    #[test]
    fn what_lies_between_is_forgotten() {
        let mut reports = added(&[(1, 2), (2, 3), (6, 7), (8, 9)]);
        reports.forget_between(2, 8);
        assert_eq!(told(&reports), [(1, 2, 1), (8, 9, 1)]);
    }

    #[test]
    fn one_of_a_run_goes_on() {
        let mut reports = added(&[(1, 2), (2, 3), (8, 9)]);
        reports.stretch(2, 5);
        reports.stretch(6, 7);
        assert_eq!(told(&reports), [(1, 5, 2), (8, 9, 1)]);
    }
}
