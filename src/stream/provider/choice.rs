//! One choice: an answer of which a response may hold several.

use std::borrow::Cow;
use std::fmt;

use crate::model::StopReason;
use crate::parser::{End, Finished, Options, Parser};
use crate::view::Snapshot;

use super::calls::Calls;
use super::halves::Half;
use super::tool_call::ToolCall;

/// What a text of a choice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    Content,
    Reasoning,
    Refusal,
}

impl Channel {
    pub(super) const ALL: [Self; 3] = [Self::Content, Self::Reasoning, Self::Refusal];
}

/// A text as far as it has come.
#[derive(Debug, Default)]
struct Text {
    whole: String,
    half: Half,
}

/// One answer. Providers that are asked for several number them, in one stream.
///
/// ```
/// use jsonrill::{MessageDecoder};
///
/// let mut decoder = MessageDecoder::new();
/// decoder.push(b"{\"message\":{\"content\":\"[1, 2]\"},\"done\":true,\"done_reason\":\"stop\"}\n");
/// decoder.finish();
/// let message = decoder.into_message();
/// let choice = message.choice(0).unwrap();
/// assert_eq!((choice.content(), choice.is_json_complete()), ("[1, 2]", true));
/// assert_eq!(choice.json().at("/1"), 2);
/// ```
pub struct Choice {
    pub(super) index: u64,
    texts: [Text; 3],
    pub(super) calls: Calls,
    pub(super) stop_reason: Option<StopReason>,
    /// Whether the JSON in its text is read.
    reads_json: bool,
    parser: Parser,
    json: Snapshot,
    finished: Option<Box<Finished>>,
}

impl Choice {
    pub(super) fn new(index: u64, options: Option<Options>) -> Self {
        let mut parser = Parser::with_options(options.unwrap_or_default());
        let json = parser.snapshot();
        Self {
            index,
            texts: Default::default(),
            calls: Calls::default(),
            stop_reason: None,
            reads_json: options.is_some(),
            parser,
            json,
            finished: None,
        }
    }

    /// Its number, as the provider counts.
    #[must_use]
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The text of the answer.
    #[must_use]
    pub fn content(&self) -> &str {
        self.text(Channel::Content)
    }

    /// The reasoning that came on a channel of its own.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        self.text(Channel::Reasoning)
    }

    /// Why the model will not answer, where the provider has a channel for that.
    #[must_use]
    pub fn refusal(&self) -> &str {
        self.text(Channel::Refusal)
    }

    /// The tool calls, in the order in which they began.
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        self.calls.list()
    }

    /// Why it stopped, in the provider's word. `None` while it has not.
    #[must_use]
    pub fn stop_reason(&self) -> Option<&StopReason> {
        self.stop_reason.as_ref()
    }

    /// The JSON in the answer's text, as far as it is known. Missing where the text has none. What is new in it since
    /// an earlier look, [`Delta::between`](crate::Delta::between) says.
    #[must_use]
    pub fn json(&self) -> &Snapshot {
        self.finished.as_ref().map_or(&self.json, |finished| finished.snapshot())
    }

    /// Whether the text itself closed its JSON, with nothing missing. Known when the stream has ended.
    #[must_use]
    pub fn is_json_complete(&self) -> bool {
        self.finished.as_ref().is_some_and(|finished| finished.is_complete())
    }

    /// All that is known about the JSON in the answer's text, when the stream has ended: repairs, skipped text, the
    /// cut.
    #[must_use]
    pub fn finished(&self) -> Option<&Finished> {
        self.finished.as_deref()
    }

    /// The stop reason's word on the text. Without one the stream was cut.
    pub(super) fn end(&self) -> End {
        self.stop_reason.as_ref().map_or(End::Truncated, StopReason::end)
    }

    fn text(&self, channel: Channel) -> &str {
        self.texts.get(channel as usize).map_or("", |text| &text.whole)
    }

    /// More of a text. What that adds to it, which is less where the piece ends in half a character.
    pub(super) fn add<'t>(&mut self, channel: Channel, piece: &'t str, has_marks: bool) -> Cow<'t, str> {
        let Some(text) = self.texts.get_mut(channel as usize) else { return Cow::Borrowed("") };
        let new = text.half.join(piece, has_marks);
        text.whole.push_str(&new);
        if channel == Channel::Content && self.reads_json {
            self.parser.push(&*new);
        }
        new
    }

    /// No more of a text comes. Whether that leaves half a character.
    pub(super) fn end_text(&mut self, channel: Channel) -> bool {
        self.texts.get_mut(channel as usize).is_some_and(|text| text.half.end())
    }

    /// Shows what came since the last time.
    pub(super) fn settle(&mut self) {
        if self.finished.is_none() {
            self.json = self.parser.snapshot();
        }
    }

    /// No more of its text comes.
    pub(super) fn finish(&mut self) {
        let end = self.end();
        let parser = &mut self.parser;
        self.finished.get_or_insert_with(|| Box::new(parser.finish(end)));
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Choice")
            .field("index", &self.index)
            .field("content", &self.content())
            .field("reasoning", &self.reasoning())
            .field("refusal", &self.refusal())
            .field("tool_calls", &self.tool_calls())
            .field("stop_reason", &self.stop_reason)
            .finish_non_exhaustive()
    }
}
