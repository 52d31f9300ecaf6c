//! What may happen to the calls of a message.

use crate::parser::End;

use super::calls::Piece;
use super::choice::Choice;
use super::error::{MessageError, MessageErrorKind};
use super::event::MessageEvent;
use super::growing::HALF;
use super::message::Message;
use super::tool_call::ToolCall;

impl Message {
    fn call_mut(&mut self, choice: u64, call: usize) -> Option<&mut ToolCall> {
        self.choice_mut(choice, Some(call))?.calls.get_mut(call)
    }

    /// Begins a call, and says which it is. None if it would be one too many.
    pub(super) fn begin_call(&mut self, choice: u64, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        self.choice_mut(choice, None)?;
        if !self.has_room() {
            return None;
        }
        let options = self.arguments;
        let call = self.choice_mut(choice, None)?.calls.begin(index, id, name, options);
        self.events.push(MessageEvent::CallStarted { choice, call });
        Some(call)
    }

    /// More of a call's id and name.
    pub(super) fn describe_call(&mut self, choice: u64, call: usize, id: &str, name: &str) {
        if let Some(known) = self.choice_mut(choice, Some(call)) {
            known.calls.describe(call, id, name, false);
        }
    }

    /// Says that what a call takes is free text, if none of it has come.
    pub(super) fn make_custom(&mut self, choice: u64, call: usize) {
        if let Some(known) = self.call_mut(choice, call) {
            known.make_custom();
        }
    }

    /// The last call with this number, which is a new one if there is none.
    pub(super) fn call_with_index(&mut self, choice: u64, index: u64) -> Option<usize> {
        let known = self.choices.get(&choice).and_then(|choice| choice.calls.with_index(index));
        known.or_else(|| self.begin_call(choice, Some(index), "", ""))
    }

    /// A piece of some call, which may be a new one.
    pub(super) fn add_piece(&mut self, choice: u64, piece: &Piece<'_>) {
        let Some(known) = self.choice_mut(choice, None) else { return };
        let call = match known.calls.owner(piece) {
            Some(call) => {
                known.calls.describe(call, piece.id, piece.name, !piece.arguments.is_empty());
                Some(call)
            }
            None => self.begin_call(choice, piece.index, piece.id, piece.name),
        };
        let Some(call) = call else { return };
        if piece.is_custom {
            self.make_custom(choice, call);
        }
        if piece.is_whole {
            self.add_whole(choice, call, piece.arguments);
        } else {
            self.add_arguments(choice, call, piece.arguments);
        }
    }

    /// More of a call's arguments. A document behind theirs is that of a further call of the same tool, unless it is
    /// theirs again.
    pub(super) fn add_arguments(&mut self, choice: u64, call: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let has_marks = self.has_marks;
        let Some(known) = self.call_mut(choice, call) else { return };
        let text = known.half.join(text, has_marks);
        self.add_whole_characters(choice, call, &text);
    }

    fn add_whole_characters(&mut self, choice: u64, mut call: usize, text: &str) {
        let mut text = text;
        while !text.is_empty() {
            let Some(known) = self.call_mut(choice, call) else { return };
            if known.has_ended() {
                if text.trim() != known.trimmed_arguments() {
                    let error =
                        MessageError::new(MessageErrorKind::Contradiction, "arguments came for a call that had ended");
                    self.add_error(error.about(text));
                }
                return;
            }
            let was_final = known.is_final();
            let (mine, other) = known.add_arguments(text);
            let is_final = known.is_final() && !was_final;
            let other = other.filter(|other| *other != known.trimmed_arguments());
            let next = other.map(|other| (other, known.name().to_owned(), known.index));
            if !mine.is_empty() {
                self.events.push(MessageEvent::CallArguments { choice, call, text: mine.to_owned() });
            }
            if is_final {
                self.events.push(MessageEvent::CallFinal { choice, call });
            }
            let Some((other, name, index)) = next else { return };
            text = other;
            let Some(next) = self.begin_call(choice, index, "", &name) else { return };
            call = next;
        }
    }

    /// The arguments of a call that comes in one piece; empty if it has none.
    pub(super) fn add_whole(&mut self, choice: u64, call: usize, text: &str) {
        self.add_arguments(choice, call, text);
        self.end_half(choice, call);
        self.end_call(choice, call, End::Stopped);
    }

    /// No more of a call comes: says so once, and what its arguments amount to.
    fn end_call(&mut self, choice: u64, call: usize, end: End) {
        let Some(known) = self.call_mut(choice, call) else { return };
        let was_final = known.is_final();
        let Some(outcome) = known.finish(end) else { return };
        if known.is_final() && !was_final {
            self.events.push(MessageEvent::CallFinal { choice, call });
        }
        self.events.push(MessageEvent::CallEnded { choice, call, outcome });
    }

    /// Half a character at the end of a call's arguments, of which no more comes.
    fn end_half(&mut self, choice: u64, call: usize) {
        if self.call_mut(choice, call).is_some_and(|known| known.half.end()) {
            self.add_whole_characters(choice, call, HALF);
        }
    }

    /// All of a call's arguments, some or all of which may have come before.
    pub(super) fn complete_arguments(&mut self, choice: u64, call: usize, text: &str) {
        let known = self.choices.get(&choice).and_then(|choice| choice.tool_calls().get(call));
        let (raw, trimmed) = known.map_or(("", ""), |known| (known.raw_arguments(), known.trimmed_arguments()));
        match text.strip_prefix(raw) {
            Some(rest) => {
                // What has ended has all of it.
                if !rest.is_empty() {
                    if let Some(known) = self.call_mut(choice, call) {
                        known.half.end(); // which is in the rest
                    }
                    self.add_arguments(choice, call, rest);
                }
            }
            None if text.trim() == trimmed => {}
            None => {
                let error = MessageError::new(
                    MessageErrorKind::Contradiction,
                    "the arguments that end a call are not those that came before",
                );
                self.add_error(error.about(text));
            }
        }
    }

    /// The provider says that no more of a call's arguments comes. If there are none, the stop reason still has to say
    /// whether the model was cut before it had written any.
    pub(super) fn finish_call(&mut self, choice: u64, call: usize, end: End) {
        self.end_half(choice, call);
        let Some(known) = self.call_mut(choice, call) else { return };
        known.has_end = true;
        if known.has_arguments() {
            self.end_call(choice, call, end);
        }
    }

    pub(super) fn finish_calls(&mut self) {
        let open = |choice: &Choice| {
            let calls = choice.tool_calls().iter().enumerate().filter(|(_, call)| call.half.is_open());
            calls.map(|(call, _)| (choice.index, call)).collect::<Vec<_>>()
        };
        for (choice, call) in self.choices().flat_map(open).collect::<Vec<_>>() {
            self.end_half(choice, call);
        }
        for (choice, call, end) in self.choices().flat_map(ends).collect::<Vec<_>>() {
            self.end_call(choice, call, end);
        }
    }
}

/// The calls of a choice that are open, now that the response has ended, and how that ends each.
fn ends(choice: &Choice) -> Vec<(u64, usize, End)> {
    let calls = choice.tool_calls();
    let is_cut = choice.stop_reason.as_ref().is_some_and(|reason| reason.end() == End::Truncated);
    // A model that went on to the arguments of another call was done with this one. That it named another is not enough:
    // some servers name all calls before they send arguments of any.
    let went_on_to = calls.iter().rposition(ToolCall::has_arguments).unwrap_or_default();
    let end = |call: usize, known: &ToolCall| {
        let is_done = call < went_on_to || known.has_end && !is_cut;
        if is_done { End::Stopped } else { choice.end() }
    };
    let open = calls.iter().enumerate().filter(|(_, known)| !known.has_ended());
    open.map(|(call, known)| (choice.index, call, end(call, known))).collect()
}
