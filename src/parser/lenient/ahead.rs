//! The one place that looks ahead.
//!
//! A rule that cannot tell yet how a byte reads asks a [`Question`] about what follows it. [`Machine::look`] answers
//! from the text at hand; where that ends first, the bytes from the one in question on are *held* ([`Step::Held`]): no
//! view shows them. Each later byte goes to the same [`Scan`], which goes on where it stood, until the answer is
//! clear, the [`BOUND`] is reached, or the text ends. Then the held bytes are read again, by the step that asked, and
//! the same question finds its answer in them. Each is where it was: what does not lie in one stretch of the source is
//! read stretch by stretch, with the stretches behind at hand for further questions.
//!
//! So a question must be asked before anything is changed for the byte it is about, and its answer must depend on
//! nothing but the machine's state and the bytes ahead.

use std::mem;

use smallvec::SmallVec;

use crate::document::Span;

use super::super::machine::{Machine, Step, Stop, offset};
use super::decide::{Answer, Question};
use super::gap::push;
use super::holes::Holes;
use super::layer::LayerKind;
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

/// What is held, what is at hand behind the text being read, and what to do where no more can come.
#[derive(Default)]
pub(super) struct Ahead {
    held: Option<Held>,
    /// The held bytes. Kept when nothing is held, for its memory.
    text: String,
    /// Where they are in the source. What is read through a layer does not lie in one stretch there.
    places: Places,
    /// What is read again behind the stretch that is being read, the last of it first.
    behind: Vec<Stretch>,
    /// So many of those are behind what that stretch stands in, and not at hand.
    beyond: usize,
    /// Set while held bytes are read for the last time.
    last: Option<Sign>,
}

/// From which byte of a text on it lies in one stretch of the source, and where; once for each stretch.
pub(super) type Places = SmallVec<[(u32, u32); 2]>;

/// Text that lies in one stretch of the source.
struct Stretch {
    text: String,
    at: u32,
}

impl Ahead {
    /// Holds text that lies at `at`.
    fn hold(&mut self, text: &str, at: u32) {
        let length = offset(self.text.len());
        push(&mut self.places, length, at);
        self.text.push_str(text);
    }

    /// The layer has ended: what is still to be read is read as it stands in the source.
    pub(super) fn leave_layer(&mut self, holes: &Holes, kind: LayerKind) {
        for stretch in &mut self.behind {
            if let Some(meaning) = stretch.text.chars().next()
                && let Some(at) = stretch.at.checked_sub(1)
                && holes.pair_begins_at(at)
            {
                let rest = stretch.text.get(meaning.len_utf8()..).unwrap_or_default();
                stretch.text = kind.spelled(meaning) + rest;
                stretch.at = at;
            }
        }
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
        let ahead = &mut self.lenient.ahead;
        for stretch in ahead.behind.iter().skip(ahead.beyond).rev() {
            if let Some((answer, _)) = scan.run(&stretch.text, &question) {
                return Some(answer);
            }
        }
        if let Some(sign) = ahead.last {
            return Some(scan.end(sign, &question));
        }
        ahead.held = Some(Held { step: self.step, question, scan });
        ahead.text.clear();
        ahead.places.clear();
        ahead.hold(rest, self.at + offset(i));
        for stretch in ahead.behind.split_off(ahead.beyond).into_iter().rev() {
            ahead.hold(&stretch.text, stretch.at);
        }
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
        let held = offset(self.gap().len() + tail) + MARGIN;
        BOUND.saturating_sub(held)
    }

    /// Reads on while bytes are held.
    #[cold]
    pub(in super::super) fn held(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let rest = text.get(i..).unwrap_or_default();
        let at = self.offset(i);
        let ahead = &mut self.lenient.ahead;
        let Some(held) = &mut ahead.held else { return Ok(text.len()) };
        let answer = held.scan.run(rest, &held.question);
        let taken = answer.map_or(rest.len(), |(_, taken)| taken);
        ahead.hold(rest.get(..taken).unwrap_or_default(), at);
        if answer.is_some() {
            self.read_held()?;
        }
        Ok(i + taken)
    }

    /// Reads the held bytes again.
    fn read_held(&mut self) -> Result<(), Stop> {
        let ahead = &mut self.lenient.ahead;
        let Some(held) = ahead.held.take() else { return Ok(()) };
        let (text, places) = (mem::take(&mut ahead.text), mem::take(&mut ahead.places));
        self.step = held.step;
        let read = self.read_stretches(&text, &places);
        if self.lenient.ahead.held.is_none() {
            self.lenient.ahead.text = text;
        }
        read
    }

    /// Reads text again that begins at `at`. What is read around it is not at hand behind it.
    pub(in super::super) fn replay(&mut self, text: &str, at: u32) -> Result<(), Stop> {
        let places = self.lenient.holes.places(at, text.len());
        self.read_stretches(text, &places)
    }

    /// Reads text whose stretches have these places.
    pub(super) fn read_stretches(&mut self, text: &str, places: &[(u32, u32)]) -> Result<(), Stop> {
        let Some(((_, first), others)) = places.split_first() else { return Ok(()) };
        let ahead = &mut self.lenient.ahead;
        let around = mem::replace(&mut ahead.beyond, ahead.behind.len());
        let mut end = text.len();
        for (from, at) in others.iter().rev() {
            let from = *from as usize;
            ahead.behind.push(Stretch { text: text.get(from..end).unwrap_or_default().to_owned(), at: *at });
            end = from;
        }
        let mut read = self.read_at(text.get(..end).unwrap_or_default(), *first);
        while read.is_ok() && self.lenient.ahead.behind.len() > self.lenient.ahead.beyond {
            let Some(next) = self.lenient.ahead.behind.pop() else { break };
            read = self.read_at(&next.text, next.at);
        }
        let ahead = &mut self.lenient.ahead;
        ahead.behind.truncate(ahead.beyond);
        ahead.beyond = around;
        read
    }

    /// Reads text that lies at `at` in one stretch.
    fn read_at(&mut self, text: &str, at: u32) -> Result<(), Stop> {
        let here = mem::replace(&mut self.at, at);
        let read = self.run_again(text);
        self.at = here;
        read
    }

    /// Nothing that settles the held bytes can come, but `last`: reads them as they are.
    fn release(&mut self, last: Sign) -> Result<(), Stop> {
        self.lenient.ahead.last = Some(last);
        while self.lenient.ahead.held.is_some() {
            self.read_held()?;
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
