//! Generated content of Gemini, of which each payload is a whole response with a part of the answer.
//!
//! The arguments of a call come as one object, or, of Vertex, leaf by leaf (`streamFunctionCallArguments`).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::error::{MessageError, MessageErrorKind};
use super::failure::Failure;
use super::gemini_args::{Leaf, Leaves};
use super::loose::{Count, List, Object, Raw, Text};
use super::message::Message;

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Response<'a> {
    #[serde(borrow)]
    candidates: List<Object<Candidate<'a>>>,
    #[serde(borrow)]
    prompt_feedback: Object<Feedback<'a>>,
    usage_metadata: Object<Usage>,
    #[serde(borrow)]
    error: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Candidate<'a> {
    index: Count,
    #[serde(borrow)]
    content: Object<Content<'a>>,
    #[serde(borrow)]
    finish_reason: Text<'a>,
    #[serde(borrow)]
    finish_message: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Content<'a> {
    #[serde(borrow)]
    parts: List<Object<Part<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Part<'a> {
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    thought: Raw<'a>,
    #[serde(borrow)]
    function_call: Object<FunctionCall<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct FunctionCall<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    args: Raw<'a>,
    #[serde(borrow)]
    partial_args: List<Object<Leaf<'a>>>,
    /// More of this call comes.
    #[serde(borrow)]
    will_continue: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Feedback<'a> {
    #[serde(borrow)]
    block_reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Usage {
    #[serde(rename = "promptTokenCount")]
    prompt: Count,
    #[serde(rename = "candidatesTokenCount")]
    candidates: Count,
    #[serde(rename = "thoughtsTokenCount")]
    thoughts: Count,
}

/// The call of each candidate of which more comes.
#[derive(Debug, Default)]
pub(super) struct OpenCalls(BTreeMap<u64, OpenCall>);

#[derive(Debug)]
struct OpenCall {
    call: usize,
    id: String,
    name: String,
    leaves: Leaves,
    /// A leaf had no place: what there is of the arguments is not all.
    is_broken: bool,
}

/// Reads one payload into the message.
pub(super) fn read(payload: &str, open: &mut OpenCalls, message: &mut Message) -> serde_json::Result<()> {
    let response: Response = serde_json::from_str(payload)?;
    for (place, candidate) in response.candidates.0.iter().enumerate() {
        let Some(candidate) = &candidate.0 else { continue };
        let choice = candidate.index.0.unwrap_or(place as u64);
        message.open(choice);
        for part in candidate.content.0.iter().flat_map(|content| &content.parts.0).filter_map(|part| part.0.as_ref()) {
            if part.thought.json() == Some("true") {
                message.add_reasoning(choice, &part.text);
            } else {
                message.add_content(choice, &part.text);
            }
            if let Some(call) = &part.function_call.0 {
                open.read(choice, call, message);
            }
        }
        if !candidate.finish_message.is_empty() {
            let error = MessageError::new(MessageErrorKind::Provider, &*candidate.finish_message);
            message.add_error(MessageError { code: Some(candidate.finish_reason.to_string()), ..error });
        }
        message.stop(choice, &candidate.finish_reason);
    }
    if let Some(feedback) = response.prompt_feedback.0.filter(|feedback| !feedback.block_reason.is_empty()) {
        // Nothing was generated at all.
        message.stop(0, &feedback.block_reason);
    }
    if let Some(usage) = response.usage_metadata.0 {
        let output = usage.candidates.0.map(|tokens| tokens.saturating_add(usage.thoughts.0.unwrap_or(0)));
        message.set_usage(usage.prompt.0, output.or(usage.thoughts.0));
    }
    if let Some(failure) = Failure::of(response.error) {
        message.add_error(failure.into_error());
    }
    Ok(())
}

impl OpenCalls {
    fn read(&mut self, choice: u64, call: &FunctionCall<'_>, message: &mut Message) {
        let goes_on = call.will_continue.json() == Some("true");
        let is_other = |known: &OpenCall| {
            let is_other = |known: &str, new: &str| !new.is_empty() && !known.is_empty() && known != new;
            is_other(&known.id, &call.id) || is_other(&known.name, &call.name)
        };
        let mut known = self.0.remove(&choice).filter(|known| !is_other(known));
        if known.is_none() {
            let args = call.args.unquoted();
            let is_empty = call.name.is_empty() && call.id.is_empty() && args.is_none();
            if is_empty && call.partial_args.0.is_empty() {
                return;
            }
            let Some(number) = message.begin_call(choice, None, &call.id, &call.name) else { return };
            if !goes_on && call.partial_args.0.is_empty() {
                message.add_whole(choice, number, &args.unwrap_or_default());
                return;
            }
            let (id, name) = (call.id.to_string(), call.name.to_string());
            known = Some(OpenCall { call: number, id, name, leaves: Leaves::default(), is_broken: false });
        }
        let Some(mut known) = known else { return };
        known.grow(choice, call, message);
        if goes_on {
            self.0.insert(choice, known);
        } else if !known.is_broken {
            message.add_whole(choice, known.call, &known.leaves.end());
        }
    }
}

impl OpenCall {
    fn grow(&mut self, choice: u64, call: &FunctionCall<'_>, message: &mut Message) {
        for leaf in call.partial_args.0.iter().filter_map(|leaf| leaf.0.as_ref()) {
            match self.leaves.add(leaf) {
                Some(text) if !self.is_broken => message.add_arguments(choice, self.call, &text),
                Some(_) => {}
                None => {
                    self.is_broken = true;
                    let what = "a leaf of a call's arguments has no place behind those before it";
                    message.add_error(MessageError::new(MessageErrorKind::Contradiction, what).about(leaf.path()));
                }
            }
        }
    }
}
