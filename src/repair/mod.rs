//! One-shot repair: damaged text in, valid JSON out, in the spelling and layout of the source. What rules alone do is
//! here, and what they do not in [`assisted`].

mod assisted;

use std::fmt;
use std::ops::Deref;

use serde_json::Value;

use crate::document::Span;
use crate::parser::{Chunk, End, Finished, Options, Parser, RepairKind, ReportKind, Reports, Roots};
use crate::view::{Damage, Stitch};

pub use assisted::{
    Ask, AssistedError, AssistedOptions, AssistedRepair, AssistedReport, AssistedStep, Attempt, CacheLimits,
    Comparison, Difference, Differences, RepairCache, RepairSource, RepairTemplate, repair_assisted,
};

/// Makes valid JSON of a whole text, whatever it is.
///
/// The text is read as [`Parser::new`] reads it: JSON with the mistakes that models and people make, in prose and code
/// fences or not, cut off or not. What [`Repaired::text`] gives is always valid, and keeps everything of the source
/// that is: see there. For other ways to read there is [`repair_with`].
///
/// ```
/// use jsonrill::{Outcome, repair};
///
/// let repaired = repair("Here you are:\n{\n  \"path\": \"C:\\dir\",\n  \"price\": 1.50,\n}\nEnjoy!");
/// assert_eq!(repaired.text(), "{\n  \"path\": \"C:\\\\dir\",\n  \"price\": 1.50\n}");
/// assert_eq!(repaired.outcome(), Outcome::Repaired);
/// let kinds: Vec<_> = repaired.repairs().iter().map(|repair| repair.kind.as_str()).collect();
/// assert_eq!(kinds, ["invalid_escape", "extra_comma"]);
///
/// // A text that was cut off is closed, and says so.
/// let repaired = repair(r#"{"items": [{"name": "Jane"}, {"name": "Jo"#);
/// assert_eq!(repaired.text(), r#"{"items": [{"name": "Jane"}, {"name": "Jo"}]}"#);
/// assert_eq!(repaired.outcome(), Outcome::Truncated);
/// ```
///
/// # Errors
///
/// There are none. Look at [`outcome`](Finished::outcome): where it is neither complete nor repaired, the text holds
/// what could be read, and not all that was meant.
///
/// # Complexity
///
/// O(length of the text), in time and memory.
pub fn repair(text: impl Chunk) -> Repaired {
    repair_with(text, Options::new(), End::Unknown)
}

/// Makes valid JSON of a whole text that is read with these options, and ended for this reason.
///
/// With [`Roots::Many`] each document has a line of its own: JSON lines.
///
/// ```
/// use jsonrill::{End, Options, Roots, repair_with};
///
/// let text = "{\"id\": 1}{\"id\": 2,}\n{\n  \"id\": 3\n}";
/// let repaired = repair_with(text, Options::new().roots(Roots::Many), End::Stopped);
/// assert_eq!(repaired.text(), "{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}");
/// ```
///
/// # Errors
///
/// There are none, as with [`repair`]. The strict dialect repairs nothing: it keeps what comes before the first
/// mistake.
///
/// # Complexity
///
/// O(length of the text), in time and memory.
pub fn repair_with(text: impl Chunk, options: Options, end: End) -> Repaired {
    let mut parser = Parser::with_options(options);
    parser.push(&text);
    let finished = parser.finish(end);
    let text = match options.roots {
        Roots::Many => lines(text.bytes(), &finished),
        Roots::One | Roots::Last => match verbatim(text.bytes(), &finished) {
            Some(text) => text,
            None => stitched(text.bytes(), &finished),
        },
    };
    Repaired { text, finished }
}

/// The answer as it stands in the source, where nothing in it was repaired: then there is nothing to put together.
fn verbatim(source: &[u8], finished: &Finished) -> Option<String> {
    let is_valid = finished.is_complete() && finished.repairs().is_empty() && finished.warnings().is_empty();
    // A call without arguments has none in the source, either.
    let span = finished.snapshot().root().span().filter(|span| is_valid && !span.is_empty())?;
    // JSON and nothing else keeps the white space around it as well.
    let answer = if finished.skipped().is_empty() { source } else { source.get(span.range())? };
    std::str::from_utf8(answer).ok().map(str::to_owned)
}

/// The text of the one root that is wanted.
fn stitched(source: &[u8], finished: &Finished) -> String {
    let mut stitch = match damage(finished) {
        Some(damage) => Stitch::with_damage(source, damage),
        None => Stitch::new(source, false),
    };
    if let Some(span) = finished.snapshot().root().span() {
        stitch.blank_copy(0..span.range().start);
        stitch.document(finished.snapshot());
        stitch.blank_copy(span.range().end..source.len());
    }
    stitch.into_text()
}

/// Where the source says something else than the value, as far as the reports tell. None where what is sound in it is
/// no JSON as it stands.
fn damage(finished: &Finished) -> Option<Damage> {
    let is_layer = |kind| matches!(kind, RepairKind::EscapedDocument | RepairKind::DoubledDocument);
    if finished.repairs().iter().any(|repair| is_layer(repair.kind)) {
        return None;
    }
    let mut places = Vec::with_capacity(finished.repairs().len() + finished.warnings().len());
    let known = add_places(&mut places, finished.repairs())
        .min(add_places(&mut places, finished.warnings()))
        .min(add_places(&mut places, finished.skipped()));
    Some(Damage::new(places, known))
}

/// Adds where the reports are. From the last of them on, there may be some that were not kept.
fn add_places<K: ReportKind>(places: &mut Vec<Span>, reports: &Reports<K>) -> u32 {
    places.extend(reports.iter().map(|report| report.span));
    let last = reports.iter().next_back().filter(|_| reports.omitted() > 0);
    last.map_or(u32::MAX, |last| last.span.start)
}

/// The text of all roots, each in a line.
fn lines(source: &[u8], finished: &Finished) -> String {
    let mut stitch = Stitch::new(source, true);
    let mut behind = None;
    for document in finished.documents() {
        let Some(span) = document.snapshot.root().span() else { continue };
        let before = behind.unwrap_or(0)..span.range().start;
        let is_separate =
            behind.is_none() || source.get(before.clone()).is_some_and(|between| between.contains(&b'\n'));
        if !(is_separate && stitch.blank_copy(before)) && behind.is_some() {
            stitch.put(b"\n");
        }
        stitch.document(&document.snapshot);
        behind = Some(span.range().end);
    }
    if let Some(behind) = behind {
        stitch.blank_copy(behind..source.len());
    }
    stitch.into_text()
}

/// A repaired text, with all that is known about it. Made by [`repair`] and [`repair_with`].
///
/// It reads like its [`Finished`]: `outcome()`, `repairs()`, `warnings()`, `skipped()`, `cut()`, `error()`,
/// `snapshot()`.
///
/// ```
/// use jsonrill::repair;
/// use serde_json::json;
///
/// let repaired = repair(r#"{"name": "Ada", "tags": ["x", ]}"#);
/// assert_eq!(repaired.to_value(), Some(json!({"name": "Ada", "tags": ["x"]})));
/// assert_eq!(repaired.snapshot().at("/name"), "Ada");
/// assert!(repaired.is_complete());
/// assert_eq!(repaired.repairs().len(), 1);
/// ```
#[must_use]
#[derive(Debug, Clone)]
pub struct Repaired {
    text: String,
    finished: Finished,
}

impl Repaired {
    /// The repaired text: valid JSON, or nothing where there is none in the source.
    ///
    /// - If the source is JSON and nothing else, it is the source, to the byte. (Where that gives a warning it is not:
    ///   of two members of one name one is dropped, and half of a surrogate pair is replaced.)
    /// - Otherwise what is around the JSON is left out, and every string, number, keyword and key that is valid is as
    ///   it was: escapes, trailing zeros and all.
    /// - So is the white space between them. Where something between two values was repaired, the indentation before
    ///   the second one stays.
    /// - What was open is closed, in the layout of what is open. What is missing is not made up: a key without a value
    ///   is left out, as in a snapshot.
    ///
    /// It reads as the snapshot does, and repairing it again changes nothing. A number beyond the range of `f64`, which
    /// is valid JSON but no number for `serde_json`, is kept as well.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same, without a copy.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// The value; `None` where there is no JSON, which is not the same as JSON that says `null`. With
    /// [`Roots::Many`] it is that of the last document: see [`Finished::documents`] for all.
    ///
    /// # Complexity
    ///
    /// O(size of the value).
    #[must_use]
    pub fn to_value(&self) -> Option<Value> {
        let snapshot = self.finished.snapshot();
        snapshot.is_started().then(|| snapshot.to_value())
    }

    /// All that is known about the source.
    #[must_use]
    pub fn finished(&self) -> &Finished {
        &self.finished
    }

    /// The same, to go on with: [`Finished::into_complete`] refuses what was cut.
    ///
    /// ```
    /// use jsonrill::repair;
    ///
    /// assert!(repair("[1, 2,]").into_finished().into_complete().is_ok());
    /// assert!(repair("[1, 2,").into_finished().into_complete().is_err());
    /// ```
    #[must_use]
    pub fn into_finished(self) -> Finished {
        self.finished
    }
}

impl Deref for Repaired {
    type Target = Finished;

    fn deref(&self) -> &Finished {
        &self.finished
    }
}

impl fmt::Display for Repaired {
    /// The repaired text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}
