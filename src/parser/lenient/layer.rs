//! Documents that are escaped, or quoted, as a whole: `{\"a\": 1}`, `"{""a"": 1}"`.
//!
//! Where the first key of a root shows that, or the first string of an array that begins a line, what follows is read
//! through a *layer* that gives each byte the meaning it had before: `\"` is a quote, `\\` a backslash, `\n` a line
//! break; or `""` a quote. It ends with the root.

use crate::document::Span;

use super::super::machine::{Candidate, Machine, Step, Stop, offset};
use super::super::report::RepairKind;
use super::decide::{Answer, Question, Second};

/// What is read through.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layer {
    kind: LayerKind,
    /// The step that reads what comes through.
    step: Step,
    /// Where the first byte of a pair is, of which the second has not come.
    half: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum LayerKind {
    /// Backslashes before quotes, backslashes and letters for line breaks.
    Escaped,
    /// Two quotes for each.
    Doubled,
}

impl LayerKind {
    /// The first byte of a pair.
    fn mark(self) -> u8 {
        match self {
            Self::Escaped => b'\\',
            Self::Doubled => b'"',
        }
    }

    /// The pair that means this.
    pub(super) fn spelled(self, meaning: char) -> String {
        let second = match meaning {
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            other => other,
        };
        [char::from(self.mark()), second].into_iter().collect()
    }

    /// What bytes mean that are read through the layer, with the first byte of a pair before them or not.
    pub(in super::super) fn meaning(self, has_half: bool, bytes: &[u8]) -> Vec<u8> {
        let half = if has_half { &[self.mark()][..] } else { &[] };
        let all = [half, bytes].concat();
        let mut meaning = Vec::with_capacity(all.len());
        let mut rest = &*all;
        while let Some((first, behind)) = rest.split_first() {
            let second = behind.get(..1).and_then(|second| std::str::from_utf8(second).ok());
            if let Some(meant) = second.and_then(|second| pair(self, second)).filter(|_| *first == self.mark()) {
                meaning.extend_from_slice(meant.as_bytes());
                rest = behind.get(1..).unwrap_or_default();
            } else {
                meaning.push(*first);
                rest = behind;
            }
        }
        meaning
    }

    /// The same, as it reads without a second.
    fn alone(self) -> &'static str {
        match self {
            Self::Escaped => "\\",
            Self::Doubled => "\"",
        }
    }
}

impl Machine {
    /// Whether the quote at `i`, where the root belongs, is around a root that is to be read; `None` while that is not
    /// known.
    pub(in super::super) fn begins_quoted_root(&mut self, text: &str, i: usize) -> Option<bool> {
        if !self.options.unwraps() {
            return Some(false);
        }
        self.look(Question::Second(Second::QuotedRoot), text, i).map(|answer| answer == Answer::Structure)
    }

    /// A quote around the root, at `i`.
    pub(in super::super) fn quote_around_root(&mut self, i: usize) {
        let at = self.offset(i);
        self.lenient.in_string = !self.lenient.in_string;
        self.repairs.add(RepairKind::EscapedDocument, Span::new(at, at + 1));
    }

    /// A backslash at `i`, where the first string of a root that is not shown may be: begins to read through a layer if
    /// there is the quote, or white space before it, of a root that is escaped. Gives where the reading goes on.
    pub(super) fn begin_escaped(&mut self, text: &str, i: usize, byte: u8) -> Option<usize> {
        if byte != b'\\' || self.candidate != Candidate::Weak || self.lenient.layer.is_some() {
            return None;
        }
        match self.look(Question::Second(Second::Backslash), text, i) {
            None => Some(text.len()),
            Some(Answer::Structure) => {
                let at = self.offset(i);
                self.begin_layer(LayerKind::Escaped, Span::new(at, at + 2));
                Some(i)
            }
            Some(_) => None,
        }
    }

    /// From here to the end of the root, the text is read through a layer.
    pub(super) fn begin_layer(&mut self, kind: LayerKind, span: Span) {
        let report = match kind {
            LayerKind::Escaped => RepairKind::EscapedDocument,
            LayerKind::Doubled => RepairKind::DoubledDocument,
        };
        if !self.lenient.in_string {
            self.repairs.add(report, span);
        }
        self.lenient.holes.clear();
        self.lenient.layer = Some(Layer { kind, step: self.step, half: None });
        self.step = Step::Layered;
    }

    /// The root ended.
    pub(in super::super) fn end_layer(&mut self) {
        if let Some(layer) = self.lenient.layer.take() {
            self.lenient.ahead.leave_layer(&self.lenient.holes, layer.kind);
            self.lenient.holes.clear();
        }
    }

    /// What follows is read through this layer, and the last byte that came may be the first of a pair.
    pub(in super::super) fn layer(&self) -> Option<(LayerKind, bool)> {
        self.lenient.layer.map(|layer| (layer.kind, layer.half.is_some()))
    }

    /// The first byte of a pair, if it is the last that came: where it is, and what it is alone.
    pub(super) fn half_pair(&self) -> Option<(u32, &'static str)> {
        self.lenient.layer.and_then(|layer| Some((layer.half?, layer.kind.alone())))
    }

    /// What follows is not read through the layer: the first byte of a pair stands alone.
    pub(in super::super) fn release_half_pair(&mut self) -> Result<(), Stop> {
        match self.lenient.layer.as_mut().and_then(|layer| Some((layer.half.take()?, layer.kind))) {
            Some((at, kind)) => self.read_through(kind.alone(), at),
            None => Ok(()),
        }
    }

    /// What replaces the rest of what was cut is not read through the layer: the first byte of a pair is no part of it.
    pub(in super::super) fn forget_half_pair(&mut self) {
        if let Some(layer) = &mut self.lenient.layer {
            layer.half = None;
        }
    }

    /// What is read through the layer goes on with the step behind it.
    pub(in super::super) fn enter_layer(&mut self) {
        if let Some(layer) = self.lenient.layer
            && self.step == Step::Layered
        {
            self.step = layer.step;
        }
    }

    /// The step behind the layer waits for more. (A layer that began meanwhile, with another root, knows its step.)
    pub(in super::super) fn leave_layer(&mut self) {
        if let Some(layer) = &mut self.lenient.layer
            && self.step != Step::Layered
        {
            layer.step = self.step;
            self.step = Step::Layered;
        }
    }

    /// Reads through the layer.
    #[cold]
    pub(in super::super) fn layered(&mut self, text: &str, mut i: usize) -> Result<usize, Stop> {
        while let Some(rest) = text.get(i..).filter(|rest| !rest.is_empty())
            && let Some(layer) = &mut self.lenient.layer
        {
            let mark = layer.kind.mark();
            let kind = layer.kind;
            if let Some(first) = layer.half.take() {
                // The first byte may be in another piece, or in another round.
                match pair(kind, rest) {
                    Some(meaning) => {
                        self.lenient.holes.push_pair(first, self.token_start);
                        self.read_through(meaning, self.offset(i))?;
                        i += 1;
                    }
                    None => self.read_through(kind.alone(), first)?,
                }
                continue;
            }
            let at = self.at + offset(i);
            let plain = memchr::memchr(mark, rest.as_bytes()).unwrap_or(rest.len());
            if plain == 0 {
                layer.half = Some(at);
                i += 1;
                continue;
            }
            self.read_through(rest.get(..plain).unwrap_or_default(), at)?;
            i += plain;
        }
        Ok(i)
    }

    /// Reads what something at `at` means.
    fn read_through(&mut self, meaning: &str, at: u32) -> Result<(), Stop> {
        self.enter_layer();
        self.read_stretches(meaning, &[(0, at)])?;
        self.leave_layer();
        Ok(())
    }
}

/// What the pair means whose second byte begins `rest`. None if the first byte stands alone.
fn pair(kind: LayerKind, rest: &str) -> Option<&'static str> {
    match (kind, rest.bytes().next()?) {
        (_, b'"') => Some("\""),
        (LayerKind::Escaped, b'\\') => Some("\\"),
        (LayerKind::Escaped, b'/') => Some("/"),
        (LayerKind::Escaped, b'n') => Some("\n"),
        (LayerKind::Escaped, b'r') => Some("\r"),
        (LayerKind::Escaped, b't') => Some("\t"),
        // Any other escape means the same within.
        _ => None,
    }
}
