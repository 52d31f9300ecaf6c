//! Chat completions of OpenAI, and of all who speak their form: Mistral, vLLM, DeepSeek, OpenRouter, Ollama's other
//! endpoint, Gemini's, and many more.
//!
//! Read are `choices[].delta`, and `choices[].message` where a server answers in one piece; `content` as text or, of
//! Mistral, as a list of parts; reasoning as `reasoning_content` (DeepSeek, vLLM), `reasoning` (OpenRouter, Ollama,
//! newer vLLM), or `reasoning_details` (OpenRouter), of which some servers send the same text in two; tools that take
//! free text (`custom`).

use serde::Deserialize;

use super::calls::Piece;
use super::failure::Failure;
use super::loose::{Count, List, Object, Raw, Text};
use super::message::Message;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Chunk<'a> {
    #[serde(borrow)]
    choices: List<Object<Choice<'a>>>,
    usage: Object<Usage>,
    /// Of Groq, which has the usage in it.
    x_groq: Object<Extra>,
    #[serde(borrow)]
    error: Raw<'a>,
    /// `error` where the payload is one itself: of vLLM and `SGLang`, in place of a stream.
    #[serde(borrow)]
    object: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Extra {
    usage: Object<Usage>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Choice<'a> {
    index: Count,
    #[serde(borrow)]
    delta: Object<Delta<'a>>,
    #[serde(borrow)]
    message: Object<Delta<'a>>,
    /// Of the older completions.
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    finish_reason: Text<'a>,
    /// Of Moonshot.
    usage: Object<Usage>,
    #[serde(borrow)]
    error: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Delta<'a> {
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    reasoning_content: Text<'a>,
    #[serde(borrow)]
    reasoning: Text<'a>,
    #[serde(borrow)]
    reasoning_details: List<Object<Part<'a>>>,
    #[serde(borrow)]
    refusal: Text<'a>,
    #[serde(borrow)]
    tool_calls: List<Object<ToolCall<'a>>>,
    /// What was before tool calls.
    #[serde(borrow)]
    function_call: Object<Function<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    summary: Text<'a>,
    #[serde(borrow)]
    thinking: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ToolCall<'a> {
    index: Count,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    function: Object<Function<'a>>,
    #[serde(borrow)]
    custom: Object<Custom<'a>>,
}

/// Of a tool that takes free text.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Custom<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    input: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Function<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Usage {
    prompt_tokens: Count,
    completion_tokens: Count,
}

/// Reads one payload into the message.
pub(super) fn read(payload: &str, message: &mut Message) -> serde_json::Result<()> {
    let chunk: Chunk = serde_json::from_str(payload)?;
    for (place, choice) in chunk.choices.0.iter().enumerate() {
        let Some(choice) = &choice.0 else { continue };
        let index = choice.index.0.unwrap_or(place as u64);
        message.open(index);
        for delta in [&choice.delta, &choice.message].into_iter().filter_map(|delta| delta.0.as_ref()) {
            read_delta(index, delta, message);
        }
        message.add_content(index, &choice.text);
        message.stop(index, &choice.finish_reason);
        if let Some(failure) = Failure::of(choice.error) {
            message.add_error(failure.into_error());
        }
    }
    let of_choice = chunk.choices.0.iter().filter_map(|choice| choice.0.as_ref()?.usage.0.as_ref()).next_back();
    let extra = chunk.x_groq.0.as_ref().and_then(|extra| extra.usage.0.as_ref());
    if let Some(usage) = chunk.usage.0.as_ref().or(extra).or(of_choice) {
        message.set_usage(usage.prompt_tokens.0, usage.completion_tokens.0);
    }
    let is_error = &*chunk.object == "error";
    if let Some(failure) = Failure::of(chunk.error).or_else(|| is_error.then(|| Failure::is(payload))) {
        message.add_error(failure.into_error());
    }
    Ok(())
}

fn read_delta(choice: u64, delta: &Delta<'_>, message: &mut Message) {
    if let Some(reasoning) = [&delta.reasoning_content, &delta.reasoning].into_iter().find(|text| !text.is_empty()) {
        message.add_reasoning(choice, reasoning);
    } else {
        for detail in delta.reasoning_details.0.iter().filter_map(|detail| detail.0.as_ref()) {
            message.add_reasoning(choice, if detail.text.is_empty() { &detail.summary } else { &detail.text });
        }
    }
    if let Some(text) = delta.content.string() {
        message.add_content(choice, &text);
    } else {
        for part in parts(delta.content) {
            // Mistral's thinking is a list of texts in turn.
            if let Some(text) = part.thinking.string() {
                message.add_reasoning(choice, &text);
            }
            for thought in parts(part.thinking) {
                message.add_reasoning(choice, &thought.text);
            }
            message.add_content(choice, &part.text);
        }
    }
    message.add_refusal(choice, &delta.refusal);
    let has_company = delta.tool_calls.0.len() > 1;
    for call in delta.tool_calls.0.iter().filter_map(|call| call.0.as_ref()) {
        if let Some(custom) = &call.custom.0 {
            let piece = Piece {
                index: call.index.0,
                id: &call.id,
                name: &custom.name,
                arguments: &custom.input,
                is_whole: false,
                is_custom: true,
                has_company,
            };
            message.add_piece(choice, &piece);
            continue;
        }
        read_call(choice, call.index.0, &call.id, call.function.0.as_ref(), has_company, message);
    }
    if let Some(function) = &delta.function_call.0 {
        read_call(choice, Some(0), "", Some(function), false, message);
    }
}

fn read_call(
    choice: u64,
    index: Option<u64>,
    id: &str,
    function: Option<&Function<'_>>,
    has_company: bool,
    message: &mut Message,
) {
    let arguments = function.map(|function| function.arguments).unwrap_or_default();
    let text = arguments.string();
    // Some servers send the arguments as the object that they are.
    let whole = arguments.unquoted();
    let piece = Piece {
        index,
        id,
        name: function.map_or("", |function| &function.name),
        arguments: text.as_deref().or(whole.as_deref()).unwrap_or_default(),
        is_whole: whole.is_some(),
        is_custom: false,
        has_company,
    };
    if !(piece.id.is_empty() && piece.name.is_empty() && piece.arguments.is_empty()) {
        message.add_piece(choice, &piece);
    }
}

fn parts(list: Raw<'_>) -> impl Iterator<Item = Part<'_>> {
    let list = list.json().filter(|json| json.starts_with('['));
    let parts = list.and_then(|list| serde_json::from_str::<List<Object<Part>>>(list).ok()).unwrap_or_default();
    parts.0.into_iter().filter_map(|part| part.0)
}
