//! The lenient dialect: what models write, read as what they mean.
//!
//! # The principle
//!
//! The rules here are asked only where RFC 8259 has no way on, so valid JSON never meets them. Each gives a byte that
//! does not fit a reading that does, and reports it. Where a byte has two readings, the one that what follows fits is
//! taken ([`decide`]), and until that has come the bytes are held ([`ahead`], [`scan`]): nothing is shown and taken
//! back.
//!
//! # Where what is decided
//!
//! | file | decides |
//! |---|---|
//! | [`quotes`] | where a string ends: inner, doubled, missing and other quotes, joined strings |
//! | [`keys`] | where a key ends |
//! | [`tail`] | which part of an open string may turn out to be structure, and is not shown yet |
//! | [`members`] | what stands where a key, colon, value or comma belongs |
//! | [`bare`], [`bare_key`] | values and keys without quotes; numbers and keywords that are none in JSON |
//! | [`closers`] | wrong, surplus and missing closers; tuples, sets and calls |
//! | [`blanks`] | comments, ellipses, white space that JSON does not have |
//! | [`end`] | what is held when the text ends |
//! | [`layer`], [`holes`] | documents that are escaped or quoted as a whole, and where things are in them |
//! | [`signs`], [`numbers`] | (what characters, words and numbers of other languages mean) |

mod ahead;
mod bare;
mod bare_key;
mod blanks;
mod closers;
mod decide;
mod end;
mod gap;
mod holes;
mod keys;
mod layer;
mod members;
mod numbers;
mod quotes;
mod scan;
mod signs;
mod tail;

pub(super) use layer::LayerKind;
pub(super) use signs::{keyword, narrow};
pub(super) use tail::may_be_tail;

use ahead::Ahead;
use bare::BareState;
use blanks::Comment;
use closers::Odd;
use decide::Around;
use gap::Gap;
use holes::Holes;
use layer::Layer;
use members::Stray;
use quotes::Quote;

use crate::document::NodeKind;

use super::machine::{Candidate, Machine, Step, offset};
use super::report::RepairKind;
use crate::document::Span;

/// How many bytes of a string element behind another kind of element are held, for it may be a key.
pub(super) const HELD_STRING: u32 = 64;

/// How many bytes of white space may stand between a quote, number or keyword and what shows whether it has ended.
const GAP: usize = ahead::BOUND as usize - 16;

/// What the lenient rules remember.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts about the text so far that have nothing to do with each other"
)]
pub(super) struct Lenient {
    ahead: Ahead,
    /// The quote that the string or key being read began with.
    quote: Quote,
    /// How many letters stand before it: `f"…"`.
    pub(super) prefix: u32,
    /// The one that may have ended it, and how many of three have come.
    closing: char,
    pub(super) marks: u8,
    /// The quotes directly behind that one, which were dropped.
    dropped: String,
    /// How many quotes in the string were read as text.
    pub(super) inner: u32,
    /// The last inner quote opened a pair, and none has closed it.
    in_pair: bool,
    /// How much of a string with inner quotes has been looked at for brackets, and how many of them are open.
    counted: u32,
    open_brackets: u32,
    /// White space behind what waits for the byte behind it, or waited last ([`Machine::gap`]).
    pub(super) gap: Gap,
    /// Where the quote ends that may close a key.
    pub(super) key_end: u32,
    /// How much of the text being read is from escapes, or before one.
    pub(super) raw_from: u32,
    /// The last escape was a quote.
    pub(super) escaped_quote: bool,
    /// Part of the open string is not shown.
    hides_tail: bool,
    bare: BareState,
    /// The root has a value without quotes.
    pub(super) has_bare: bool,
    /// It has a key without quotes.
    has_bare_key: bool,
    comment: Option<Comment>,
    stray: Stray,
    /// Where the last ellipsis ended.
    dots_end: u32,
    /// Where a quote is that has a backslash before it.
    escaped_open: u32,
    /// Where the last stray word ended, as far as it has come.
    stray_end: u32,
    /// Where the last `=` between key and value ended.
    arrow: u32,
    /// A line break ended the bare string before.
    line_ended: bool,
    odd: Vec<Odd>,
    /// What was read where the answer ended that the root is in.
    before_end: Option<Step>,
    layer: Option<Layer>,
    holes: Holes,
    /// The root is in a string: its closing quote is to come.
    pub(super) in_string: bool,
}

impl Lenient {
    /// The quote that may have ended the string.
    fn closing_quote(&self) -> char {
        match self.quote {
            Quote::Double => '"',
            Quote::Triple(quote) => quote,
            Quote::Single(_) | Quote::Curly => self.closing,
        }
    }
}

impl Machine {
    /// Whether what is read is certain, or likely, to be JSON: only then it is repaired. In the middle of a line of
    /// prose nothing is, until it has shown itself.
    pub(super) fn is_tolerant(&self) -> bool {
        self.options.is_lenient()
            && match self.candidate {
                Candidate::Shown | Candidate::Aside => true,
                Candidate::Weak => self.root_begins_line,
                Candidate::Scalar | Candidate::None => false,
            }
    }

    /// A root begins.
    pub(super) fn begin_lenient(&mut self) {
        self.lenient.odd.clear();
        self.lenient.has_bare = false;
        self.lenient.has_bare_key = false;
    }

    /// Whether the root has anything that other closers close than those of JSON.
    #[inline]
    pub(super) fn has_odd(&self) -> bool {
        !self.lenient.odd.is_empty()
    }

    /// White space behind what waits for the byte behind it; none where nothing waits.
    fn gap(&self) -> &str {
        let waits = match self.step {
            Step::Colon | Step::AfterHeldString => true,
            Step::After | Step::AfterPatient => self.writer.has_leaf() || self.keyword.is_some(),
            _ => false,
        };
        if waits { self.lenient.gap.as_str() } else { "" }
    }

    /// What a decision about a byte depends on.
    fn around(&self) -> Around {
        let kinds = [NodeKind::Object, NodeKind::Array];
        let [objects, arrays] = kinds.map(|kind| self.writer.has_open(kind));
        let gap = self.gap();
        Around {
            inner: self.writer.container(),
            outer: self.writer.outer_container(),
            third: self.writer.container_at(2),
            last: self.writer.last_child(),
            closes: [objects || self.closes_odd(b'}'), arrays, self.closes_odd(b')')],
            patient: self.lenient.inner > 0,
            gap: !gap.is_empty(),
            newline: gap.contains('\n'),
        }
    }

    /// Reports a repair of `length` bytes at byte `i` of the piece.
    fn repair(&mut self, kind: RepairKind, i: usize, length: usize) {
        let at = self.offset(i);
        let span = if length == 1 { self.sign(at) } else { Span::new(at, at + offset(length)) };
        // What is skipped a byte at a time, or a word, is the same thing.
        let count = if matches!(kind, RepairKind::StrayText | RepairKind::Ellipsis) { offset(length) } else { 1 };
        self.repairs.add_many(kind, span, count);
    }

    /// The sign that was read at `at`: a byte, or the full-width sign that stands for it.
    pub(super) fn sign(&self, at: u32) -> Span {
        let mut before = self.repairs.latest().skip_while(|report| report.span.start > at).take(4);
        match before.find(|report| report.kind == RepairKind::FullWidth && report.span.end > at) {
            // Each of them has three bytes.
            Some(wide) => Span::new(at - (at - wide.span.start) % 3, at - (at - wide.span.start) % 3 + 3),
            None => Span::new(at, at + 1),
        }
    }

    /// White space that lies at `at` came behind what waits for the byte behind it. Too much of it, and it waits no longer.
    pub(super) fn waits_behind(&mut self, blanks: &str, at: u32) -> Result<(), super::machine::Stop> {
        if self.step == Step::Colon {
            // So much behind a key, and it has ended: no more of it is needed.
            let room = GAP.saturating_sub(self.lenient.gap.as_str().len());
            self.lenient.gap.push(blanks.get(..room).unwrap_or(blanks), at);
            return Ok(());
        }
        self.lenient.gap.push(blanks, at);
        if self.lenient.gap.as_str().len() > GAP && matches!(self.step, Step::After | Step::AfterPatient) {
            self.settle_scalar()?;
            self.lenient.gap.clear();
        }
        Ok(())
    }
}
