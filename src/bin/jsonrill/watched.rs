//! The text that is watched of a stream: what a provider's model says, or the payloads themselves.

use std::borrow::Cow;
use std::collections::VecDeque;

use jsonrill::{
    End, Message, MessageDecoder, MessageErrorKind, MessageEvent, Parser, Payload, PayloadDecoder, Provider, Snapshot,
    StopReason, Wire,
};

use crate::printable::{clip, printable};
use crate::reports::StreamError;
use crate::stream::Speaker;

/// How many columns of a refusal are told.
const REFUSAL: usize = 200;

/// What a stream says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// A piece of the text: a feed.
    Text(String),
    /// Something is wrong with the stream, which goes on.
    Trouble(String),
}

/// What there is to say about a stream, beside its text.
pub(crate) struct Spoken {
    /// Why the provider's model stopped.
    pub(crate) finish_reason: Option<String>,
    /// What went wrong.
    pub(crate) errors: Vec<StreamError>,
}

/// Finds the text in a stream. Where nobody is named, and the first payload that says anything is of no provider's
/// form, the payloads themselves are the text.
pub(crate) struct Watched {
    decoder: MessageDecoder,
    payloads: PayloadDecoder,
    wire: Wire,
    /// The tool call whose arguments are the text, instead of the answer.
    call: Option<usize>,
    is_provider: Option<bool>,
    /// What came before it was clear whose they are.
    held: Vec<Payload<'static>>,
    /// What went wrong in payloads of no provider.
    errors: Vec<StreamError>,
}

impl Watched {
    pub(crate) fn new(speaker: &Speaker, wire: Wire, call: Option<usize>) -> Self {
        Self {
            decoder: speaker.decoder(Some(wire)),
            payloads: PayloadDecoder::for_wire(wire),
            wire,
            call,
            is_provider: speaker.is_named().then_some(true),
            held: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Takes a piece of the stream, and adds what it says.
    pub(crate) fn push(&mut self, chunk: &[u8], said: &mut VecDeque<Said>) {
        let events: Vec<MessageEvent> = self.decoder.push(chunk).collect();
        let mut errors = Vec::new();
        if self.is_provider != Some(true) {
            for item in self.payloads.push(chunk) {
                match item {
                    Ok(payload) if payload.is_done() => {}
                    Ok(payload) => self.held.push(payload.into_owned()),
                    Err(error) => errors.push(error),
                }
            }
            self.is_provider = self.is_provider.or_else(|| self.held.iter().find_map(|payload| speaks(&payload.data)));
        }
        match self.is_provider {
            Some(true) => self.events(events, said),
            Some(false) => {
                said.extend(errors.iter().map(|error| Said::Trouble(error.to_string())));
                self.errors.extend(errors.iter().map(|error| StreamError::new(MessageErrorKind::TooLong, error)));
                self.texts(said);
            }
            None => {}
        }
    }

    /// Ends the stream: adds what was held, and gives the provider's word on why the text ends.
    pub(crate) fn finish(&mut self, said: &mut VecDeque<Said>) -> End {
        let events: Vec<MessageEvent> = self.decoder.finish().collect();
        let (last, unended) =
            self.payloads.finish().map_or_else(|unended| (Vec::new(), Some(unended)), |last| (last, None));
        self.held.extend(last.into_iter().filter(|payload| !payload.is_done()));
        let is_provider = self.is_provider.or_else(|| self.held.iter().find_map(|payload| speaks(&payload.data)));
        let is_provider = is_provider.unwrap_or(self.held.is_empty());
        self.is_provider = Some(is_provider);
        if is_provider {
            self.events(events, said);
            let message = self.decoder.message();
            said.extend(remarks(message, self.call).map(Said::Trouble));
            if let Some(missing) = self.call.and_then(|call| message.missing_call(call)) {
                said.push_back(Said::Trouble(missing.to_string()));
                // A call without arguments has `{}`. This is none.
                return End::Truncated;
            }
            return message.stop_reason().map_or(End::Truncated, StopReason::end);
        }
        self.texts(said);
        let Some(unended) = unended else { return End::Unknown };
        said.push_back(Said::Trouble(unended.to_string()));
        self.errors.push(StreamError::new(MessageErrorKind::Unended, &unended));
        if !unended.text().is_empty() {
            said.push_back(Said::Text(unended.text().to_owned()));
        }
        End::Truncated
    }

    /// What there is to say about the stream, once it has ended: of a provider's what its message says.
    pub(crate) fn spoken(self) -> Spoken {
        if self.is_provider != Some(true) {
            return Spoken { finish_reason: None, errors: self.errors };
        }
        let message = self.decoder.message();
        let missing = self.call.and_then(|call| message.missing_call(call));
        Spoken {
            finish_reason: message.stop_reason().map(|reason| reason.as_str().to_owned()),
            errors: message.errors().iter().chain(&missing).map(StreamError::from).collect(),
        }
    }

    /// Payloads that are the text: of an event stream each is a piece of it, else each is a text.
    fn texts(&mut self, said: &mut VecDeque<Said>) {
        let is_piece = self.wire == Wire::Sse;
        let text = |data: Cow<'_, str>| if is_piece { data.into_owned() } else { format!("{data}\n") };
        said.extend(self.held.drain(..).map(|payload| Said::Text(text(payload.data))));
    }

    fn events(&self, events: Vec<MessageEvent>, said: &mut VecDeque<Said>) {
        said.extend(events.into_iter().filter_map(|event| match event {
            MessageEvent::Error(error) => Some(Said::Trouble(error.to_string())),
            MessageEvent::Content { choice: 0, text } if self.call.is_none() => Some(Said::Text(text)),
            MessageEvent::CallArguments { choice: 0, call, text } if self.call == Some(call) => Some(Said::Text(text)),
            _ => None,
        }));
    }
}

/// What a reader of the text alone would not see: a refusal, and an answer that is in tool calls.
fn remarks(message: &Message, call: Option<usize>) -> impl Iterator<Item = String> {
    let refusal = message.refusal();
    let refused = (!refusal.is_empty()).then(|| format!("the model refused: {}", clip(&printable(refusal), REFUSAL)));
    let about_calls = match (call, message.tool_calls()) {
        (None, calls @ [_, ..]) if !message.json().is_some_and(Snapshot::is_started) => {
            let what = if message.content().trim().is_empty() { "is empty" } else { "has no JSON" };
            Some(format!(
                "the answer {what}, and there are tool calls ({}): `jsonrill complete --role arguments` reads one, `jsonrill message` all",
                calls.len()
            ))
        }
        _ => None,
    };
    refused.into_iter().chain(about_calls)
}

/// Whether a payload is a provider's: of a form that is known, or an error. None for a sign of life, which anybody may
/// give.
fn speaks(payload: &str) -> Option<bool> {
    let mut parser = Parser::strict();
    let update = parser.feed(payload);
    let at = |path: &str| update.snapshot().at(path);
    if at("/type") == "ping" {
        return None;
    }
    Some(Provider::detect(payload).is_some() || at("/error").exists())
}
