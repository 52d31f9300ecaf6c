//! What may happen to a message: all that the formats of providers come down to. What happens to its calls is in
//! `growing_calls`.

use crate::model::{StopReason, Usage};
use crate::parser::{Options, Role, Roots};
use crate::stream::payload::Unended;

use super::Provider;
use super::choice::{Channel, Choice};
use super::error::{MessageError, MessageErrorKind};
use super::event::MessageEvent;
use super::message::Message;

/// How many errors a message keeps: a stream of nothing else would fill the memory.
const MAX_ERRORS: usize = 1000;

/// How many choices and calls a message keeps, all together: each has a parser of some kilobytes, and a payload says
/// that there is one more in a few bytes.
const MAX_PARTS: usize = 10_000;

/// What half a character is in the end.
pub(super) const HALF: &str = "\u{FFFD}";

impl Message {
    /// How the text of choices is to be read that begin from now on.
    pub(super) fn read_content(&mut self, options: Options) {
        self.content = Some(options);
    }

    /// How the arguments of calls are to be read that begin from now on.
    pub(super) fn read_arguments(&mut self, options: Options) {
        self.arguments = options.role(Role::Arguments).roots(Roots::One);
    }

    /// Reads no more JSON in the text of choices.
    pub(super) fn leave_json(&mut self) {
        self.content = None;
    }

    /// The stream ended inside a payload.
    pub(super) fn break_off(&mut self, unended: &Unended) {
        if !self.is_ended {
            let error = MessageError::new(MessageErrorKind::Unended, unended.to_string());
            self.add_error(error.about(unended.text()));
        }
    }

    pub(super) fn set_provider(&mut self, provider: Provider) {
        self.provider = Some(provider);
    }

    /// Whether there is room for one more choice or call.
    pub(super) fn has_room(&mut self) -> bool {
        let has_room = self.parts < MAX_PARTS;
        if has_room {
            self.parts += 1;
        } else if !std::mem::replace(&mut self.has_too_many, true) {
            let what = format!("the message has more than {MAX_PARTS} choices and calls: the others are passed over");
            self.add_error(MessageError::new(MessageErrorKind::TooMany, what));
        }
        has_room
    }

    /// A choice that may change. None if it would be one too many.
    pub(super) fn choice_mut(&mut self, index: u64, call: Option<usize>) -> Option<&mut Choice> {
        if !self.choices.contains_key(&index) {
            if !self.has_room() {
                return None;
            }
            self.choices.insert(index, Box::new(Choice::new(index, self.content)));
        }
        if self.touched.last() != Some(&(index, call)) {
            self.touched.push((index, call));
        }
        self.choices.get_mut(&index).map(|choice| &mut **choice)
    }

    /// The provider speaks of this choice, whatever it says.
    pub(super) fn open(&mut self, choice: u64) {
        self.choice_mut(choice, None);
    }

    pub(super) fn add_content(&mut self, choice: u64, text: &str) -> usize {
        self.add_text(choice, Channel::Content, text)
    }

    pub(super) fn add_reasoning(&mut self, choice: u64, text: &str) -> usize {
        self.add_text(choice, Channel::Reasoning, text)
    }

    pub(super) fn add_refusal(&mut self, choice: u64, text: &str) -> usize {
        self.add_text(choice, Channel::Refusal, text)
    }

    /// More of a text. How much longer that makes it, in bytes.
    fn add_text(&mut self, choice: u64, channel: Channel, piece: &str) -> usize {
        if piece.is_empty() {
            return 0;
        }
        let has_marks = self.has_marks;
        let Some(known) = self.choice_mut(choice, None) else { return 0 };
        let text = known.add(channel, piece, has_marks).into_owned();
        let length = text.len();
        if length > 0 {
            self.events.push(match channel {
                Channel::Content => MessageEvent::Content { choice, text },
                Channel::Reasoning => MessageEvent::Reasoning { choice, text },
                Channel::Refusal => MessageEvent::Refusal { choice, text },
            });
        }
        length
    }

    pub(super) fn stop(&mut self, choice: u64, reason: &str) {
        if reason.is_empty() {
            return;
        }
        let Some(known) = self.choice_mut(choice, None) else { return };
        if known.stop_reason.as_ref().is_some_and(|known| known.as_str() == reason) {
            return;
        }
        let reason = StopReason::new(reason.to_owned());
        known.stop_reason = Some(reason.clone());
        self.events.push(MessageEvent::Stopped { choice, reason });
    }

    /// What is known of the cost. What a provider does not say stays as it was.
    pub(super) fn set_usage(&mut self, input: Option<u64>, output: Option<u64>) {
        let known = self.usage.unwrap_or_default();
        let usage = Usage::new(input.unwrap_or(known.input_tokens), output.unwrap_or(known.output_tokens));
        if (input.is_some() || output.is_some()) && self.usage != Some(usage) {
            self.usage = Some(usage);
            self.events.push(MessageEvent::Usage(usage));
        }
    }

    pub(super) fn add_error(&mut self, error: MessageError) {
        if self.errors.len() < MAX_ERRORS || error.kind == MessageErrorKind::Unended {
            self.errors.push(error.clone());
        }
        self.events.push(MessageEvent::Error(error));
    }

    /// The provider has said that this is all: calls that it did not end have ended, too.
    pub(super) fn end(&mut self) {
        if !std::mem::replace(&mut self.is_ended, true) {
            self.finish_calls();
        }
    }

    /// The stream has ended.
    pub(super) fn finish(&mut self) {
        self.finish_calls();
        let texts = |choice: &mut Choice| Channel::ALL.map(|channel| (choice.index, channel, choice.end_text(channel)));
        let texts: Vec<_> = self
            .choices
            .values_mut()
            .map(|choice| &mut **choice)
            .flat_map(texts)
            .filter(|(_, _, is_half)| *is_half)
            .collect();
        for (choice, channel, _) in texts {
            self.add_text(choice, channel, HALF);
        }
        for choice in self.choices.values_mut() {
            choice.finish();
        }
        let says_so = |error: &MessageError| {
            use MessageErrorKind::{NoMessage, Provider, Unended};
            matches!(error.kind, Provider | NoMessage | Unended)
        };
        if !self.is_ended && !self.errors.iter().any(says_so) {
            self.add_error(MessageError::new(MessageErrorKind::Unended, "the stream ended without its end marker"));
        }
    }

    /// Whether nothing is known of it, not even that something went wrong.
    pub(super) fn has_nothing(&self) -> bool {
        // (Bytes that are no text say nothing about what they were meant for.)
        let has_errors = self.errors.iter().any(|error| error.kind != MessageErrorKind::NotUtf8);
        self.choices.is_empty() && self.usage.is_none() && !has_errors
    }

    /// Whether there are choices, and all have stopped.
    pub(super) fn has_stopped(&self) -> bool {
        !self.choices.is_empty() && self.choices.values().all(|choice| choice.stop_reason.is_some())
    }

    /// Shows what a chunk brought, once for each thing that it changed.
    pub(super) fn settle(&mut self) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        for (index, call) in touched {
            let Some(choice) = self.choices.get_mut(&index) else { continue };
            match call {
                None => choice.settle(),
                Some(call) => {
                    if let Some(call) = choice.calls.get_mut(call) {
                        call.settle();
                    }
                }
            }
        }
    }
}
