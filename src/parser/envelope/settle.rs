//! Where a piece or the text ends, or a character is broken, outside the roots.

use std::mem;

use crate::document::{SkipKind, Span};

use super::super::machine::Machine;
use super::Mode;
use super::tag::Tag;

impl Machine {
    /// The piece ends: what has been read of prose, a fence or reasoning is shown.
    pub(in super::super) fn envelope_pause(&mut self, end: u32) {
        match self.envelope.mode {
            Mode::Prose | Mode::CodeEnd => self.show_prose(end),
            Mode::Marks { start, .. } => self.show_prose(start),
            Mode::Info(info) => match info.shown(end) {
                Some(span) => {
                    self.end_prose(span.start);
                    self.skip(SkipKind::Fence, span);
                }
                None => self.show_prose(info.start()),
            },
            Mode::Tag(tag) if tag.within.is_none() => self.show_prose(tag.start),
            // What is before it has been shown.
            Mode::Tag(_) => {}
            Mode::Head { start, .. } => self.skip(SkipKind::Tag, Span::new(start, end)),
            Mode::Reasoning { start, .. } => self.skip(SkipKind::Reasoning, Span::new(start, end)),
        }
    }

    /// The text ends: what was held of a fence or tag is settled.
    pub(in super::super) fn envelope_end(&mut self, end: u32) {
        if let Mode::Marks { mark, count, start } = self.envelope.mode {
            self.marks_ended(mark, count, start, end, None);
            if matches!(self.envelope.mode, Mode::Prose) {
                self.show_prose(end);
            }
        }
        match mem::replace(&mut self.envelope.mode, Mode::Prose) {
            Mode::Info(info) => self.info_ended(info, end),
            Mode::Tag(tag) => self.tag_cut(tag, end),
            _ => {}
        }
    }

    /// Bytes that are no UTF-8, outside the roots.
    pub(in super::super) fn invalid_outside(&mut self, span: Span) {
        if let Mode::Marks { mark, count, start } = self.envelope.mode {
            self.marks_ended(mark, count, start, span.start, None);
        }
        match self.envelope.mode {
            Mode::Info(info) => self.invalid_in_info(info),
            Mode::Tag(Tag { within: Some(thinking), start, .. }) => {
                self.envelope.mode = Mode::Reasoning { start, thinking };
            }
            Mode::Tag(tag) => {
                self.envelope.mode = Mode::Prose;
                self.prose_at(tag.start);
            }
            Mode::CodeEnd | Mode::Head { .. } => self.envelope.mode = Mode::Prose,
            Mode::Prose | Mode::Marks { .. } | Mode::Reasoning { .. } => {}
        }
        if matches!(self.envelope.mode, Mode::Prose) {
            self.prose_at(span.start);
        }
        self.envelope_pause(span.end);
    }
}
