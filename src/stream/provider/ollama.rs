//! Chats of Ollama, and its older completions: a line for each piece, the last one with `done`.
//!
//! Calls come whole: their arguments are an object.

use serde::Deserialize;

use super::failure::Failure;
use super::loose::{Count, List, Object, Raw, Text};
use super::message::Message;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    message: Object<Said<'a>>,
    /// Of completions, beside what they say.
    #[serde(borrow)]
    response: Text<'a>,
    #[serde(borrow)]
    thinking: Text<'a>,
    #[serde(borrow)]
    done: Raw<'a>,
    #[serde(borrow)]
    done_reason: Text<'a>,
    prompt_eval_count: Count,
    eval_count: Count,
    #[serde(borrow)]
    error: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Said<'a> {
    #[serde(borrow)]
    content: Text<'a>,
    #[serde(borrow)]
    thinking: Text<'a>,
    #[serde(borrow)]
    tool_calls: List<Object<ToolCall<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ToolCall<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    function: Object<Function<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Function<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
}

/// Reads one payload into the message.
pub(super) fn read(payload: &str, message: &mut Message) -> serde_json::Result<()> {
    let line: Line = serde_json::from_str(payload)?;
    message.add_reasoning(0, &line.thinking);
    message.add_content(0, &line.response);
    if let Some(said) = &line.message.0 {
        message.open(0);
        message.add_reasoning(0, &said.thinking);
        message.add_content(0, &said.content);
        for call in said.tool_calls.0.iter().filter_map(|call| call.0.as_ref()) {
            let Some(function) = &call.function.0 else { continue };
            let Some(number) = message.begin_call(0, None, &call.id, &function.name) else { return Ok(()) };
            // Some that speak its form send them as text.
            let arguments = function.arguments.string().or_else(|| function.arguments.unquoted().map(Into::into));
            message.add_whole(0, number, &arguments.unwrap_or_default());
        }
    }
    message.set_usage(line.prompt_eval_count.0, line.eval_count.0);
    if line.done.json() == Some("true") {
        message.stop(0, if line.done_reason.is_empty() { "stop" } else { &line.done_reason });
        message.end();
    }
    if let Some(failure) = Failure::of(line.error) {
        message.add_error(failure.into_error());
    }
    Ok(())
}
