//! The message that a stream amounts to.

use std::collections::BTreeMap;

use crate::model::{StopReason, Usage};
use crate::parser::{End, Options, Role, Roots};
use crate::stream::payload::Unended;
use crate::view::Snapshot;

use super::Provider;
use super::calls::Piece;
use super::choice::{Channel, Choice};
use super::error::{MessageError, MessageErrorKind};
use super::event::MessageEvent;
use super::tool_call::ToolCall;

/// How many errors a message keeps: a stream of nothing else would fill the memory.
const MAX_ERRORS: usize = 1000;

/// How many choices and calls a message keeps, all together: each has a parser of some kilobytes, and a payload says
/// that there is one more in a few bytes.
const MAX_PARTS: usize = 10_000;

/// What half a character is in the end.
const HALF: &str = "\u{FFFD}";

/// A model's response, as far as it has come. Made by a [`MessageDecoder`](crate::MessageDecoder).
///
/// Most responses have one choice, and what is asked of the message itself is asked of the first.
///
/// ```
/// use jsonrill::{MessageDecoder, Provider};
///
/// let mut decoder = MessageDecoder::new();
/// decoder.push(b"{\"message\":{\"content\":\"[1, 2]\"},\"done\":true,\"done_reason\":\"stop\"}\n");
/// decoder.finish();
/// let message = decoder.into_message();
/// assert_eq!((message.provider(), message.content()), (Some(Provider::Ollama), "[1, 2]"));
/// assert_eq!(message.stop_reason().map(|reason| reason.as_str()), Some("stop"));
/// assert!(message.is_ended() && message.errors().is_empty());
/// ```
#[derive(Debug)]
pub struct Message {
    provider: Option<Provider>,
    /// Boxed, for a node of the map has room for eleven, of which most messages have one.
    choices: BTreeMap<u64, Box<Choice>>,
    usage: Option<Usage>,
    errors: Vec<MessageError>,
    is_ended: bool,
    /// Choices and calls.
    parts: usize,
    /// There were more, and that was said.
    has_too_many: bool,
    /// The payload that is read has marks for halves of characters: see [`halves`](super::halves).
    pub(super) has_marks: bool,
    /// How the JSON in the text of choices is read. None if it is not.
    content: Option<Options>,
    /// How the arguments of calls are read.
    arguments: Options,
    pub(super) events: Vec<MessageEvent>,
    /// The choices, and the calls of choices, that came further since they were last settled.
    touched: Vec<(u64, Option<usize>)>,
}

impl Message {
    pub(super) fn new() -> Self {
        Self {
            provider: None,
            choices: BTreeMap::new(),
            usage: None,
            errors: Vec::new(),
            is_ended: false,
            parts: 0,
            has_too_many: false,
            has_marks: false,
            content: Some(Options::new()),
            arguments: Options::new().role(Role::Arguments),
            events: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Whose form the stream has. `None` while that is not clear.
    #[must_use]
    pub fn provider(&self) -> Option<Provider> {
        self.provider
    }

    /// The choices, in the order of their numbers.
    #[must_use]
    pub fn choices(&self) -> impl ExactSizeIterator<Item = &Choice> {
        self.choices.values().map(|choice| &**choice)
    }

    /// The choice with a number.
    #[must_use]
    pub fn choice(&self, index: u64) -> Option<&Choice> {
        self.choices.get(&index).map(|choice| &**choice)
    }

    fn first(&self) -> Option<&Choice> {
        self.choices().next()
    }

    /// The text of the answer.
    #[must_use]
    pub fn content(&self) -> &str {
        self.first().map_or("", Choice::content)
    }

    /// The reasoning that came on a channel of its own.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        self.first().map_or("", Choice::reasoning)
    }

    /// Why the model will not answer, where the provider has a channel for that.
    #[must_use]
    pub fn refusal(&self) -> &str {
        self.first().map_or("", Choice::refusal)
    }

    /// The tool calls, in the order in which they began.
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        self.first().map_or(&[], Choice::tool_calls)
    }

    /// Why the model stopped, in the provider's word. `None` while it has not.
    #[must_use]
    pub fn stop_reason(&self) -> Option<&StopReason> {
        self.first().and_then(Choice::stop_reason)
    }

    /// The JSON in the answer's text, as far as it is known. `None` while there is none.
    #[must_use]
    pub fn json(&self) -> Option<&Snapshot> {
        self.first().map(Choice::json).filter(|json| json.is_started())
    }

    /// What the response cost, as far as the provider has said.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// What went wrong, in order: the first 1000 things, and the end of a stream that had none. More of them are events
    /// only.
    #[must_use]
    pub fn errors(&self) -> &[MessageError] {
        &self.errors
    }

    /// Whether the provider has said that this is all. After the end of a stream: whether it was not cut.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }
}

/// What may happen to a message: all that the formats of providers come down to.
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
    fn has_room(&mut self) -> bool {
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
    fn choice_mut(&mut self, index: u64, call: Option<usize>) -> Option<&mut Choice> {
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

    fn call_mut(&mut self, choice: u64, call: usize) -> Option<&mut ToolCall> {
        self.choice_mut(choice, Some(call))?.calls.get_mut(call)
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

    fn finish_calls(&mut self) {
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
        self.choices.is_empty() && self.usage.is_none() && self.errors.is_empty()
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
