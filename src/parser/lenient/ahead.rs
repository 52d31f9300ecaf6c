//! The one place that looks ahead.
//!
//! A rule that cannot tell yet how a byte reads asks a [`Question`] about what follows it. [`Machine::look`] answers
//! from the text at hand; where that ends first, the bytes from the one in question on are *held* ([`Step::Held`]): no
//! view shows them. Each later byte goes to the same [`Scan`], which goes on where it stood, until the answer is
//! clear, the [`BOUND`] is reached, or the text ends. Then the held bytes are read again, by the step that asked, and
//! the same question finds its answer in them.
//!
//! So a question must be asked before anything is changed for the byte it is about, and its answer must depend on
//! nothing but the machine's state and the bytes ahead.

use crate::document::Span;

use super::super::machine::{Machine, Step, Stop};
use super::decide::{Answer, Question};
use super::layer::LayerKind;
use super::raw::Raw;
use super::scan::{Scan, Sign};

/// How many bytes are looked at to settle how one reads.
pub(in super::super) const BOUND: u32 = 256;

/// A quote, and a character that goes beyond the bound.
const MARGIN: u32 = 8;

/// Bytes whose reading is not settled.
struct Held {
    /// The step that asked.
    step: Step,
    question: Question,
    scan: Scan,
}

/// What is held, and what to do where no more can come.
#[derive(Default)]
pub(super) struct Ahead {
    held: Option<Held>,
    /// The held bytes. Kept when nothing is held, for its memory.
    text: String,
    /// Their source, where they are read through a layer.
    raw: Raw,
    /// Set while held bytes are read for the last time.
    last: Option<Sign>,
}

impl Ahead {
    /// `source` is about to be read as `count` bytes, which end at `end`, and may go on with what is held.
    pub(super) fn note_source(&mut self, kind: LayerKind, source: &str, count: usize, end: u32) {
        if self.held.is_none() {
            self.raw.clear();
        } else {
            self.raw.push(source, count, end, kind);
        }
    }

    /// It was read: keeps the source of what is held now.
    pub(super) fn keep_source(&mut self, is_layered: bool, kind: LayerKind, source: &str, count: usize, end: u32) {
        let held = self.text.len();
        if !is_layered || self.held.is_none() {
            self.raw.clear();
            return;
        }
        // It has been held since later than the start of this.
        if self.raw.count() < held {
            self.raw.push(source, count, end, kind);
        }
        self.raw.keep_last(held);
    }
}

impl Machine {
    /// Answers a question about the bytes from `i` on; none where the text ends first. Then they are held, all of
    /// `text` is taken, and the same step will be asked to read them again.
    pub(super) fn look(&mut self, question: Question, text: &str, i: usize) -> Option<Answer> {
        let rest = text.get(i..).unwrap_or_default();
        // Mostly the byte behind is there, and enough.
        if let (Question::Second(second), [first, next, ..]) = (question, rest.as_bytes())
            && first.is_ascii()
            && next.is_ascii()
        {
            return Some(second.decide(char::from(*next)));
        }
        // One character is always seen.
        let left = if matches!(question, Question::Second(_)) { MARGIN } else { self.left_to_look() };
        let mut scan = Scan::new(&question, left);
        if let Some((answer, _)) = scan.run(rest, &question) {
            return Some(answer);
        }
        if let Some(sign) = self.lenient.ahead.last {
            return Some(scan.end(sign, &question));
        }
        let held = Held { step: self.step, question, scan };
        let ahead = &mut self.lenient.ahead;
        ahead.held = Some(held);
        ahead.text.clear();
        ahead.text.push_str(rest);
        self.step = Step::Held;
        None
    }

    /// How far may be looked: what is held already, before the byte in question, counts as well.
    fn left_to_look(&self) -> u32 {
        let tail = match self.writer.leaf_kind() {
            Some(crate::document::NodeKind::String) => {
                self.string_tail().map_or(0, |tail| self.writer.open_text().len() - tail.start)
            }
            _ => 0,
        };
        let held = super::super::machine::offset(self.lenient.gap.len() + tail) + MARGIN;
        BOUND.saturating_sub(held)
    }

    /// Reads on while bytes are held.
    #[cold]
    pub(in super::super) fn held(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let rest = text.get(i..).unwrap_or_default();
        let ahead = &mut self.lenient.ahead;
        let Some(held) = &mut ahead.held else { return Ok(text.len()) };
        let Some((_, taken)) = held.scan.run(rest, &held.question) else {
            ahead.text.push_str(rest);
            return Ok(text.len());
        };
        ahead.text.push_str(rest.get(..taken).unwrap_or_default());
        self.read_held(self.offset(i + taken), rest.len() - taken)?;
        Ok(i + taken)
    }

    /// Reads the held bytes again, which end at `end`, with `behind` bytes of the same piece still to be read. (Where
    /// they begin may be elsewhere than so many bytes before: what is read through a layer is longer in the source.)
    fn read_held(&mut self, end: u32, behind: usize) -> Result<(), Stop> {
        let Some(held) = self.lenient.ahead.held.take() else { return Ok(()) };
        let text = std::mem::take(&mut self.lenient.ahead.text);
        self.step = held.step;
        let at = end.saturating_sub(super::super::machine::offset(text.len()));
        self.lenient.ahead.raw.begin(text.len(), at, behind);
        let read = self.read_at(&text, at);
        let left = self.lenient.ahead.raw.finish(text.len());
        if self.lenient.ahead.held.is_none() {
            self.lenient.ahead.text = text;
            // What is behind it is at hand, and may be long: it is not to be moved with each that is held in it.
            self.lenient.ahead.raw.clear();
        }
        read?;
        let Some((left, at)) = left else { return Ok(()) };
        self.lenient.ahead.raw.clear();
        self.replay(&left, at)
    }

    /// Whether held bytes are read that were read through a layer: what follows may be read as it stands in the source.
    #[inline]
    pub(in super::super) fn is_source_left(&self) -> bool {
        self.lenient.ahead.raw.is_read_again()
    }

    /// Leaves the bytes from `i` on to be read as they stand in the source, if they are held ones that were read through
    /// a layer, which has ended.
    pub(in super::super) fn leave_to_source(&mut self, text: &str, i: usize) -> bool {
        let raw = &mut self.lenient.ahead.raw;
        if raw.is_read_again() {
            raw.leave(text.len() - i);
        }
        raw.is_read_again()
    }

    /// Where `at` is in the source, if held bytes are read that were read through a layer.
    pub(in super::super) fn place_in_source(&self, at: u32) -> u32 {
        let raw = &self.lenient.ahead.raw;
        if raw.is_read_again() { raw.place_of(at) } else { at }
    }

    /// Reads bytes that lie at `at` again. While held ones are, these are others.
    pub(in super::super) fn replay(&mut self, text: &str, at: u32) -> Result<(), Stop> {
        let again = self.lenient.ahead.raw.suspend();
        let read = self.read_at(text, at);
        self.lenient.ahead.raw.resume(again);
        read
    }

    /// Reads bytes, at `at`, that are the ones at hand in another form.
    pub(super) fn read_at(&mut self, text: &str, at: u32) -> Result<(), Stop> {
        let here = std::mem::replace(&mut self.at, at);
        let read = self.run_again(text);
        self.at = here;
        read
    }

    /// Nothing that settles the held bytes can come, but `last`: reads them as they are.
    fn release(&mut self, last: Sign) -> Result<(), Stop> {
        self.lenient.ahead.last = Some(last);
        while self.lenient.ahead.held.is_some() {
            self.read_held(self.at, 0)?;
        }
        Ok(())
    }

    /// Bytes follow that are no text.
    #[cold]
    pub(in super::super) fn release_before_invalid(&mut self) -> Result<(), Stop> {
        let read = self.release(Sign::Bound);
        self.lenient.ahead.last = None;
        read
    }

    /// The text ends: nothing is held from here on.
    pub(in super::super) fn release_at_end(&mut self) -> Result<(), Stop> {
        self.release(Sign::End)
    }

    /// Forgets what is held: it is read again by other means.
    pub(in super::super) fn forget_held(&mut self) {
        self.lenient.ahead.held = None;
    }

    /// The step that reads, be it that its bytes are held.
    pub(in super::super) fn reading_step(&self) -> Step {
        self.lenient.ahead.held.as_ref().map_or(self.step, |held| held.step)
    }
}

/// Where something stands that has no length.
pub(super) fn place(at: u32) -> Span {
    Span::new(at, at)
}
