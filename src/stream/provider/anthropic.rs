//! Messages of Anthropic.
//!
//! A message is a list of content blocks, each of which starts, grows and stops. A block of a tool that Anthropic runs
//! itself (`server_tool_use`) is no tool call.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::parser::End;

use super::failure::Failure;
use super::loose::{Count, List, Object, Raw, Text};
use super::message::Message;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Event<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    index: Count,
    #[serde(borrow)]
    message: Object<Whole<'a>>,
    #[serde(borrow)]
    content_block: Object<Block<'a>>,
    #[serde(borrow)]
    delta: Object<Delta<'a>>,
    usage: Object<Usage>,
    #[serde(borrow)]
    error: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Whole<'a> {
    #[serde(borrow)]
    content: List<Object<Block<'a>>>,
    #[serde(borrow)]
    stop_reason: Text<'a>,
    usage: Object<Usage>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    thinking: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Delta<'a> {
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    thinking: Text<'a>,
    #[serde(borrow)]
    partial_json: Text<'a>,
    #[serde(borrow)]
    stop_reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Usage {
    input_tokens: Count,
    output_tokens: Count,
}

/// The blocks that are open, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    open: BTreeMap<u64, Option<Input>>,
    /// The one that started last.
    last: u64,
}

/// A block that is a call.
#[derive(Debug)]
struct Input {
    call: usize,
    /// What it started with. Usually that is `{}`, and the real input follows.
    first: String,
}

impl Blocks {
    /// Reads one payload into the message.
    ///
    /// Its type is that of its event where it has none of its own.
    pub(super) fn read(&mut self, payload: &str, name: &str, message: &mut Message) -> serde_json::Result<()> {
        let event: Event = serde_json::from_str(payload)?;
        let index = event.index.0;
        match if event.kind.is_empty() { name } else { &event.kind } {
            "message_start" => {
                if let Some(whole) = &event.message.0 {
                    self.read_whole(whole, message);
                }
            }
            "content_block_start" => {
                if let Some(block) = &event.content_block.0 {
                    self.start(index.unwrap_or_default(), block, message);
                }
            }
            "content_block_delta" => {
                if let Some(delta) = &event.delta.0 {
                    message.add_content(0, &delta.text);
                    message.add_reasoning(0, &delta.thinking);
                    if !delta.partial_json.is_empty()
                        && let Some(call) = self.call(index, message)
                    {
                        message.add_arguments(0, call, &delta.partial_json);
                    }
                }
            }
            "content_block_stop" => self.stop(index, message),
            "message_delta" => {
                message.stop(0, event.delta.0.as_ref().map_or("", |delta| &delta.stop_reason));
            }
            "message_stop" => {
                for input in std::mem::take(&mut self.open).into_values().flatten() {
                    stop(&input, message);
                }
                message.end();
            }
            "message" => {
                // A server that does not stream.
                self.read_whole(&serde_json::from_str(payload)?, message);
                message.end();
            }
            _ => {}
        }
        if let Some(usage) = event.usage.0 {
            message.set_usage(usage.input_tokens.0, usage.output_tokens.0);
        }
        if let Some(failure) = Failure::of(event.error) {
            message.add_error(failure.into_error());
        }
        Ok(())
    }

    fn read_whole(&mut self, whole: &Whole<'_>, message: &mut Message) {
        message.open(0);
        for (index, block) in whole.content.0.iter().enumerate() {
            if let Some(block) = &block.0 {
                self.start(index as u64, block, message);
                self.stop(Some(index as u64), message);
            }
        }
        message.stop(0, &whole.stop_reason);
        if let Some(usage) = &whole.usage.0 {
            message.set_usage(usage.input_tokens.0, usage.output_tokens.0);
        }
    }

    fn start(&mut self, index: u64, block: &Block<'_>, message: &mut Message) {
        message.add_content(0, &block.text);
        message.add_reasoning(0, &block.thinking);
        let call = (&*block.kind == "tool_use").then(|| message.begin_call(0, Some(index), &block.id, &block.name));
        let input = call.flatten().map(|call| Input { call, first: block.input.unquoted().unwrap_or_default() });
        self.open.insert(index, input);
        self.last = index;
    }

    /// The call that a piece of input belongs to. `None` for tools that Anthropic runs.
    fn call(&self, index: Option<u64>, message: &mut Message) -> Option<usize> {
        let index = index.unwrap_or(self.last);
        match self.open.get(&index) {
            Some(input) => input.as_ref().map(|input| input.call),
            // The block's start was lost.
            None => message.call_with_index(0, index),
        }
    }

    /// Ends the block with this number, without one the last.
    fn stop(&mut self, index: Option<u64>, message: &mut Message) {
        if let Some(Some(input)) = self.open.remove(&index.unwrap_or(self.last)) {
            stop(&input, message);
        }
    }
}

/// Ends a block that is a call.
fn stop(input: &Input, message: &mut Message) {
    let call = message.choice(0).and_then(|choice| choice.tool_calls().get(input.call));
    if call.is_some_and(|call| !call.has_arguments()) && input.first != "{}" {
        message.add_arguments(0, input.call, &input.first);
    }
    message.finish_call(0, input.call, End::Stopped);
}
