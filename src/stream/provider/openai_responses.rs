//! Responses of OpenAI.
//!
//! A response is a list of items, each of which is added, grows, and is done. Everything is sent two or three times
//! over: in pieces, whole when it is done, whole again with its item, and again with the response. Pieces count; of
//! what comes whole only that which no piece has brought, so that a stream without pieces reads the same.

use std::collections::HashMap;

use serde::Deserialize;

use crate::parser::End;

use super::error::{MessageError, MessageErrorKind};
use super::failure::Failure;
use super::loose::{Count, List, Object, Raw, Text};
use super::message::Message;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Event<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    item_id: Text<'a>,
    output_index: Count,
    #[serde(borrow)]
    delta: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    refusal: Text<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
    #[serde(borrow)]
    input: Text<'a>,
    #[serde(borrow)]
    item: Object<Item<'a>>,
    #[serde(borrow)]
    response: Object<Response<'a>>,
    #[serde(borrow)]
    error: Raw<'a>,
    #[serde(borrow)]
    object: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Response<'a> {
    #[serde(borrow)]
    status: Text<'a>,
    #[serde(borrow)]
    output: List<Object<Item<'a>>>,
    #[serde(borrow)]
    incomplete_details: Object<Incomplete<'a>>,
    usage: Object<Usage>,
    #[serde(borrow)]
    error: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Incomplete<'a> {
    #[serde(borrow)]
    reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Usage {
    input_tokens: Count,
    output_tokens: Count,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Item<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    call_id: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
    /// Of a tool that takes free text.
    #[serde(borrow)]
    input: Text<'a>,
    #[serde(borrow)]
    status: Text<'a>,
    #[serde(borrow)]
    content: List<Object<Part<'a>>>,
    #[serde(borrow)]
    summary: List<Object<Part<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    refusal: Text<'a>,
}

/// What a text is of the message.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Content,
    Refusal,
    Reasoning,
    Summary,
}

/// How much of an item's text of one kind has come, in bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    /// In all of its parts.
    total: usize,
    /// In the part that is not done.
    part: usize,
}

/// What is known of an item.
#[derive(Debug, Default)]
struct Known {
    id: String,
    texts: [Progress; 4],
    call: Option<usize>,
}

/// What is known of the items.
///
/// Events name their item by id and by number. Some servers leave one of them out, or make it up anew for each event,
/// so both are looked at.
#[derive(Debug, Default)]
pub(super) struct Items {
    list: Vec<Known>,
    by_id: HashMap<String, usize>,
    by_number: HashMap<u64, usize>,
}

impl Items {
    /// Reads one payload into the message.
    ///
    /// Its type is that of its event where it has none of its own.
    pub(super) fn read(&mut self, payload: &str, name: &str, message: &mut Message) -> serde_json::Result<()> {
        let event: Event = serde_json::from_str(payload)?;
        match if event.kind.is_empty() { name } else { &event.kind } {
            "response.output_text.delta" => self.grow(&event, Kind::Content, message),
            "response.output_text.done" => self.complete(&event, Kind::Content, &event.text, message),
            "response.refusal.delta" => self.grow(&event, Kind::Refusal, message),
            "response.refusal.done" => self.complete(&event, Kind::Refusal, &event.refusal, message),
            "response.reasoning_text.delta" => self.grow(&event, Kind::Reasoning, message),
            "response.reasoning_text.done" => self.complete(&event, Kind::Reasoning, &event.text, message),
            "response.reasoning_summary_text.delta" => self.grow(&event, Kind::Summary, message),
            "response.reasoning_summary_text.done" => self.complete(&event, Kind::Summary, &event.text, message),
            "response.output_item.added" => {
                if let Some(item) = event.item.0.as_ref().filter(|item| item.is_call()) {
                    let known = self.known(&item.id, event.output_index.0, false);
                    self.describe(known, item, event.output_index.0, message);
                }
            }
            "response.function_call_arguments.delta" => {
                if let Some(call) = self.call(&event, message) {
                    message.add_arguments(0, call, &event.delta);
                }
            }
            "response.function_call_arguments.done" => {
                if let Some(call) = self.call(&event, message) {
                    complete_arguments(call, event.arguments, message);
                }
            }
            "response.custom_tool_call_input.delta" => {
                if let Some(call) = self.call(&event, message) {
                    message.make_custom(0, call);
                    message.add_arguments(0, call, &event.delta);
                }
            }
            "response.custom_tool_call_input.done" => {
                if let Some(call) = self.call(&event, message) {
                    message.make_custom(0, call);
                    message.complete_arguments(0, call, &event.input);
                }
            }
            "response.output_item.done" => {
                if let Some(item) = &event.item.0 {
                    let known = self.known(&item.id, event.output_index.0, false);
                    self.done(known, item, event.output_index.0, message);
                }
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                if let Some(response) = &event.response.0 {
                    self.end(response, message);
                }
                message.end();
            }
            "error" if event.error.json().is_none() => message.add_error(Failure::is(payload).into_error()),
            "" if &*event.object == "response" => {
                // A server that does not stream.
                self.end(&serde_json::from_str(payload)?, message);
                message.end();
            }
            _ => {}
        }
        if let Some(failure) = Failure::of(event.error) {
            message.add_error(failure.into_error());
        }
        Ok(())
    }

    /// The item with this id, without one with this number. Numbers are sure at the end, where they are places.
    fn known(&mut self, id: &str, number: Option<u64>, number_is_sure: bool) -> usize {
        let by_id = self.by_id.get(id).copied();
        let by_number = || {
            let known = number.and_then(|number| self.by_number.get(&number).copied())?;
            let fits = id.is_empty() || number_is_sure || self.list.get(known).is_some_and(|known| known.id.is_empty());
            fits.then_some(known)
        };
        let last = || {
            let last = self.list.len().checked_sub(1).filter(|_| number.is_none())?;
            let fits = id.is_empty() || self.list.get(last).is_some_and(|last| last.id.is_empty());
            fits.then_some(last)
        };
        let known = by_id.or_else(by_number).or_else(last).unwrap_or_else(|| {
            let known = self.list.len();
            self.list.push(Known::default());
            // Without a number it is the next.
            self.by_number.entry(known as u64).or_insert(known);
            known
        });
        if by_id.is_none() && !id.is_empty() {
            self.by_id.insert(id.to_owned(), known);
            if let Some(item) = self.list.get_mut(known) {
                id.clone_into(&mut item.id);
            }
        }
        if let Some(number) = number {
            self.by_number.insert(number, known);
        }
        known
    }

    fn progress(&mut self, known: usize, kind: Kind) -> Option<&mut Progress> {
        self.list.get_mut(known)?.texts.get_mut(kind as usize)
    }

    fn grow(&mut self, event: &Event<'_>, kind: Kind, message: &mut Message) {
        let known = self.known(&event.item_id, event.output_index.0, false);
        self.add(known, kind, &event.delta, message);
    }

    fn add(&mut self, known: usize, kind: Kind, text: &str, message: &mut Message) {
        let length = match kind {
            Kind::Content => message.add_content(0, text),
            Kind::Refusal => message.add_refusal(0, text),
            Kind::Reasoning | Kind::Summary => message.add_reasoning(0, text),
        };
        if let Some(progress) = self.progress(known, kind) {
            progress.total += length;
            progress.part += length;
        }
    }

    /// A part of an item is done, and there as a whole. Parts come one after the other, so that their numbers, which
    /// some servers count otherwise, are not needed.
    fn complete(&mut self, event: &Event<'_>, kind: Kind, text: &str, message: &mut Message) {
        let known = self.known(&event.item_id, event.output_index.0, false);
        let part = self.progress(known, kind).map_or(0, |progress| progress.part);
        match text.get(part..) {
            Some(rest) => self.add(known, kind, rest, message),
            None => shorter(text, message),
        }
        if let Some(progress) = self.progress(known, kind) {
            progress.part = 0;
        }
    }

    /// The call that an item is. None if it would be one too many.
    fn describe(&mut self, known: usize, item: &Item<'_>, number: Option<u64>, message: &mut Message) -> Option<usize> {
        let id = if item.call_id.is_empty() { &item.id } else { &item.call_id };
        if let Some(call) = self.list.get(known).and_then(|known| known.call) {
            message.describe_call(0, call, id, &item.name);
            return Some(call);
        }
        let call = message.begin_call(0, number, id, &item.name)?;
        if item.is_custom() {
            message.make_custom(0, call);
        }
        if let Some(known) = self.list.get_mut(known) {
            known.call = Some(call);
        }
        Some(call)
    }

    /// The call that an event is about, which is new if its item was never added.
    fn call(&mut self, event: &Event<'_>, message: &mut Message) -> Option<usize> {
        let known = self.known(&event.item_id, event.output_index.0, false);
        let call = self.list.get(known).and_then(|known| known.call);
        call.or_else(|| self.describe(known, &Item::default(), event.output_index.0, message))
    }

    /// An item is done, and there as a whole.
    fn done(&mut self, known: usize, item: &Item<'_>, number: Option<u64>, message: &mut Message) {
        if item.is_call() {
            let Some(call) = self.describe(known, item, number, message) else { return };
            if item.is_custom() {
                message.complete_arguments(0, call, &item.input);
            } else {
                complete_arguments(call, item.arguments, message);
            }
            message.finish_call(0, call, if &*item.status == "incomplete" { End::Truncated } else { End::Stopped });
            return;
        }
        let content = if &*item.kind == "reasoning" { Kind::Reasoning } else { Kind::Content };
        self.fill(known, content, &item.content, |part| &part.text, message);
        self.fill(known, Kind::Refusal, &item.content, |part| &part.refusal, message);
        self.fill(known, Kind::Summary, &item.summary, |part| &part.text, message);
    }

    /// Adds what no piece has brought of the texts of an item.
    fn fill<'i>(
        &mut self,
        known: usize,
        kind: Kind,
        parts: &'i List<Object<Part<'_>>>,
        text: impl Fn(&'i Part<'_>) -> &'i str,
        message: &mut Message,
    ) {
        let mut seen = self.progress(known, kind).map_or(0, |progress| progress.total);
        for text in parts.0.iter().filter_map(|part| part.0.as_ref()).map(text) {
            match text.get(seen.min(text.len())..) {
                Some(rest) => self.add(known, kind, rest, message),
                None => shorter(text, message),
            }
            seen = seen.saturating_sub(text.len());
        }
    }

    /// The response has ended, and is there as a whole.
    fn end(&mut self, response: &Response<'_>, message: &mut Message) {
        message.open(0);
        for (number, item) in response.output.0.iter().enumerate() {
            if let Some(item) = &item.0 {
                let number = Some(number as u64);
                let known = self.known(&item.id, number, true);
                self.done(known, item, number, message);
            }
        }
        let reason = response.incomplete_details.0.as_ref().map_or("", |details| &details.reason);
        message.stop(0, if reason.is_empty() { &response.status } else { reason });
        if let Some(usage) = &response.usage.0 {
            message.set_usage(usage.input_tokens.0, usage.output_tokens.0);
        }
        if let Some(failure) = Failure::of(response.error) {
            message.add_error(failure.into_error());
        }
    }
}

impl Item<'_> {
    fn is_call(&self) -> bool {
        &*self.kind == "function_call" || self.is_custom()
    }

    fn is_custom(&self) -> bool {
        &*self.kind == "custom_tool_call"
    }
}

#[cold]
fn shorter(text: &str, message: &mut Message) {
    let what = "a text that is done is not what came of it in pieces";
    message.add_error(MessageError::new(MessageErrorKind::Contradiction, what).about(text));
}

fn complete_arguments(call: usize, arguments: Raw<'_>, message: &mut Message) {
    let text = arguments.string();
    let whole = arguments.unquoted();
    message.complete_arguments(0, call, text.as_deref().or(whole.as_deref()).unwrap_or_default());
}
