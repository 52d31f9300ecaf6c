//! What tags do: they begin and end reasoning, or are heads of messages.
//!
//! Reasoning ends at the first closing tag of its kind: another opening tag in it opens nothing, since models talk
//! about the tag more often than they nest it. Behind some control tokens stands a word or a line that belongs to them:
//! `<|im_start|>assistant`, `<|channel|>commentary to=functions.f <|constrain|>json<|message|>`. A message on the
//! channel `analysis` is reasoning.

use std::mem;

use crate::document::{SkipKind, Span};

use super::super::machine::Machine;
use super::names::{self, CHANNEL, Closer, Head, Thinking};
use super::{Before, Mode};

/// How much of the line behind a control token belongs to it.
const HEAD: u32 = 128;

const ANALYSIS: &[u8] = b"analysis";

impl Machine {
    /// A tag, not in reasoning, or the one that ends it.
    pub(super) fn known_tag(&mut self, letters: &[u8], span: Span) {
        self.skip(SkipKind::Tag, span);
        let envelope = &mut self.envelope;
        envelope.before.raise(Before::Marks);
        envelope.mode = Mode::Prose;
        let is_analysis = mem::take(&mut envelope.is_analysis);
        if let Some(thinking) = Thinking::opened_by(letters) {
            envelope.mode = Mode::Reasoning { start: span.end, thinking };
        } else if is_analysis && letters == b"<|message" {
            envelope.mode = Mode::Reasoning { start: span.end, thinking: &CHANNEL };
        } else if let Some(head) = names::head(letters) {
            envelope.mode = Mode::Head { start: span.end, count: 0, head };
        }
    }

    /// A closing tag without its opening one: what looked like a small answer before it was none.
    pub(super) fn all_was_reasoning(&mut self) {
        self.release_weak(true);
        self.roots.clear();
        let envelope = &mut self.envelope;
        envelope.has_weak = false;
        envelope.before = Before::Marks;
        envelope.fence = None;
        envelope.line_start = true;
        envelope.behind_root = false;
    }

    /// Behind a control token, in what belongs to it.
    pub(super) fn in_head(&mut self, text: &str, mut i: usize, start: u32, mut count: usize, head: Head) -> usize {
        while let Some(&byte) = text.as_bytes().get(i) {
            let at = self.offset(i);
            let goes_on = match head {
                Head::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
                Head::Line => !matches!(byte, b'\n' | b'<' | b'{' | b'[' | b'`'),
            };
            if !goes_on || at - start >= HEAD {
                self.skip(SkipKind::Tag, Span::new(start, at));
                self.envelope.is_analysis = count == ANALYSIS.len();
                self.envelope.mode = Mode::Prose;
                return i;
            }
            // How many letters of `analysis` have come; too many if others have.
            count = if ANALYSIS.get(count) == Some(&byte) { count + 1 } else { usize::MAX };
            i += 1;
        }
        self.envelope.mode = Mode::Head { start, count, head };
        i
    }

    /// In reasoning.
    pub(super) fn in_reasoning(&mut self, text: &str, i: usize, start: u32, thinking: &'static Thinking) -> usize {
        self.envelope.before.raise(Before::Marks);
        let rest = text.as_bytes().get(i..).unwrap_or_default();
        let found = match thinking.closer {
            Closer::Angle => memchr::memchr(b'<', rest),
            Closer::Square => memchr::memchr(b'[', rest),
            Closer::Either => memchr::memchr2(b'<', b'[', rest),
        };
        let Some(length) = found else { return text.len() };
        let at = self.offset(i + length);
        self.skip(SkipKind::Reasoning, Span::new(start, at));
        let opener = rest.get(length).copied().unwrap_or_default();
        self.begin_tag(opener, at, Some(thinking));
        i + length + 1
    }
}
