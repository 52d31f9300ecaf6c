//! Documents that are escaped, or quoted, as a whole: `{\"a\": 1}`, `"{""a"": 1}"`.
//!
//! Where the first key of a root shows that, what follows is read through a *layer* that gives each byte the meaning it
//! had before: `\"` is a quote, `\\` a backslash, `\n` a line break; or `""` a quote. It ends with the root.

use crate::document::Span;

use super::super::machine::{Machine, Step, Stop};
use super::super::report::RepairKind;
use super::decide::{Answer, Question, Second};

/// What is read through.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layer {
    kind: LayerKind,
    /// The step that reads what comes through.
    step: Step,
    /// The first byte of a pair has come.
    half: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LayerKind {
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

    /// From here to the end of the root, the text is read through a layer.
    pub(super) fn begin_layer(&mut self, kind: LayerKind, span: Span) {
        let report = match kind {
            LayerKind::Escaped => RepairKind::EscapedDocument,
            LayerKind::Doubled => RepairKind::DoubledDocument,
        };
        if !self.lenient.in_string {
            self.repairs.add(report, span);
        }
        self.lenient.layer = Some(Layer { kind, step: self.step, half: false });
        self.step = Step::Layered;
    }

    /// The root ended.
    pub(in super::super) fn end_layer(&mut self) {
        self.lenient.layer = None;
    }

    /// Whether the first byte of a pair is the last that came.
    pub(super) fn layer_is_half(&self) -> bool {
        self.lenient.layer.is_some_and(|layer| layer.half)
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
            if layer.half {
                layer.half = false;
                let (meaning, length) = meaning(kind, rest);
                // The pair's first byte may be behind the start of the piece: it ends where the pair ends.
                let at = self.offset(i + length) - u32::try_from(meaning.len()).unwrap_or_default();
                self.read_through(meaning, at)?;
                i += length;
                continue;
            }
            let plain = memchr::memchr(mark, rest.as_bytes()).unwrap_or(rest.len());
            if plain == 0 {
                layer.half = true;
                i += 1;
                continue;
            }
            let at = self.offset(i);
            self.read_through(rest.get(..plain).unwrap_or_default(), at)?;
            i += plain;
        }
        Ok(i)
    }

    fn read_through(&mut self, text: &str, at: u32) -> Result<(), Stop> {
        self.enter_layer();
        self.replay(text, at)?;
        self.leave_layer();
        Ok(())
    }
}

/// What a pair means whose second byte begins `rest`, and how much of `rest` it takes.
fn meaning(kind: LayerKind, rest: &str) -> (&'static str, usize) {
    let second = rest.chars().next().unwrap_or(' ');
    let meaning = match (kind, second) {
        (LayerKind::Doubled | LayerKind::Escaped, '"') => "\"",
        (LayerKind::Doubled, _) => return ("\"", 0),
        (LayerKind::Escaped, '\\') => "\\",
        (LayerKind::Escaped, '/') => "/",
        (LayerKind::Escaped, 'n') => "\n",
        (LayerKind::Escaped, 'r') => "\r",
        (LayerKind::Escaped, 't') => "\t",
        // Any other escape means the same within.
        (LayerKind::Escaped, _) => return ("\\", 0),
    };
    (meaning, 1)
}
