//! One tool call, whose arguments are read while they come.

use std::fmt;
use std::ops::Range;

use crate::document::Kind;
use crate::parser::{Dialect, End, Expect, Finished, Options, Outcome, Parser};
use crate::stream::json_text::{Place, Text};
use crate::view::{Snapshot, State};

use super::halves::Half;

/// A tool call that a model makes.
///
/// Its arguments are parsed as they come, with [`Role::Arguments`](crate::Role::Arguments). They are handed over ([`ToolCall::arguments`]) when
/// they are final: their object was closed by its own bracket, or the call has ended without any. What there is of them
/// before that, or of ones that never are, has to be asked for as such ([`ToolCall::partial_arguments`]).
///
/// The input of a custom tool (OpenAI) is free text, which has no end of its own. It is read as arguments that are one
/// JSON string, and final when the provider says that it is whole: see [`ToolCall::is_custom`].
///
/// ```
/// use jsonrill::MessageDecoder;
///
/// let mut decoder = MessageDecoder::new();
/// let call = |arguments: &str| format!(
///     "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,\"function\":{{\"name\":\"book\",\"arguments\":{arguments:?}}}}}]}}}}]}}\n\n"
/// );
/// decoder.push(call("{\"seats\": 2").as_bytes());
/// let book = &decoder.message().tool_calls()[0];
/// assert!(book.arguments().is_none() && book.partial_arguments().at("/seats") == 2);
/// decoder.push(call("}").as_bytes());
/// let book = &decoder.message().tool_calls()[0];
/// assert_eq!((book.name(), book.arguments().unwrap().to_string()), ("book", r#"{"seats":2}"#.to_owned()));
/// ```
pub struct ToolCall {
    pub(super) index: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    raw: String,
    /// Where they are in it, without the blanks around them. (To look for that anew each time is quadratic.)
    trimmed: Range<usize>,
    /// Half a character that the arguments have ended with so far.
    pub(super) half: Half,
    is_custom: bool,
    options: Options,
    parser: Parser,
    known: Snapshot,
    /// The text that the arguments are in, by its brackets.
    text: Option<Text>,
    /// Its object was closed by its own bracket.
    is_closed: bool,
    /// The provider has said that it ends.
    pub(super) has_end: bool,
    finished: Option<Box<Finished>>,
}

impl ToolCall {
    pub(super) fn new(index: Option<u64>, options: Options) -> Self {
        let mut parser = Parser::with_options(options);
        let known = parser.snapshot();
        Self {
            index,
            id: String::new(),
            name: String::new(),
            raw: String::new(),
            trimmed: 0..0,
            half: Half::default(),
            is_custom: false,
            options,
            parser,
            known,
            text: None,
            is_closed: false,
            has_end: false,
            finished: None,
        }
    }

    /// Its id. `None` where the provider gives none.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        Some(self.id.as_str()).filter(|id| !id.is_empty())
    }

    /// The name of the tool. It may be empty, and grow, until the first of the arguments is there.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments, if they are final: they never change again. No arguments at all, at the end of a call, are `{}`.
    ///
    /// `None` while they come, and for ever if they never were whole, whatever stop reason the provider gives.
    #[must_use]
    pub fn arguments(&self) -> Option<&Snapshot> {
        self.is_final().then(|| self.partial_arguments())
    }

    /// What there is of the arguments, whether or not more of them comes.
    ///
    /// One who shows them while they come keeps the snapshot that is shown, and asks for what is new since then. A
    /// chunk may bring several events of a call, or none.
    ///
    /// ```
    /// use jsonrill::{Delta, MessageDecoder, MessageEvent, Parser};
    ///
    /// let chunk = concat!(
    ///     "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"mail\",",
    ///     "\"arguments\":\"{\\\"text\\\": \\\"Dear \"}}]}}]}\n\n",
    ///     "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"Ada\"}}]}}]}\n\n",
    /// );
    /// let mut decoder = MessageDecoder::new();
    /// let (mut seen, mut shown) = (Parser::new().snapshot(), String::new());
    /// for event in decoder.push(chunk.as_bytes()).collect::<Vec<_>>() {
    ///     if let MessageEvent::CallArguments { call, .. } = event {
    ///         let now = decoder.message().tool_calls()[call].partial_arguments();
    ///         shown.push_str(Delta::between(&seen, now).text("/text").unwrap_or_default());
    ///         seen = now.clone();
    ///     }
    /// }
    /// assert_eq!(shown, "Dear Ada");
    /// ```
    #[must_use]
    pub fn partial_arguments(&self) -> &Snapshot {
        self.finished.as_ref().map_or(&self.known, |finished| finished.snapshot())
    }

    /// Whether its arguments are free text: of a tool that takes no JSON. Then they are a string, and
    /// [`ToolCall::raw_arguments`] is the text.
    #[must_use]
    pub fn is_custom(&self) -> bool {
        self.is_custom
    }

    /// The text of the arguments, as the provider sent it. Where it sent an object in place of text, that object on one
    /// line.
    #[must_use]
    pub fn raw_arguments(&self) -> &str {
        &self.raw
    }

    /// Whether the arguments are final.
    #[must_use]
    pub fn is_final(&self) -> bool {
        let is_whole = |finished: &Finished| {
            let is_object = finished.snapshot().root().kind() == Some(Kind::Object);
            finished.is_complete() && (self.is_custom || is_object)
        };
        self.is_closed || self.finished.as_deref().is_some_and(is_whole)
    }

    /// All that is known about the text of the arguments, once the call has ended: repairs, where it was cut, and the
    /// error.
    ///
    /// It is about a text that is JSON or not, and knows nothing of calls: of `[1, 2]` it says
    /// [`Complete`](Outcome::Complete), though a list is no arguments. What they amount to is
    /// [`outcome`](Self::outcome), and whether they may be acted on [`is_final`](Self::is_final).
    ///
    /// ```
    /// use jsonrill::{MessageDecoder, Outcome};
    ///
    /// let mut decoder = MessageDecoder::new();
    /// decoder.push(concat!(
    ///     r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"[1, 2]"}}]}}]}"#,
    ///     "\n\ndata: [DONE]\n\n",
    /// ).as_bytes());
    /// let call = &decoder.message().tool_calls()[0];
    /// assert_eq!(call.finished().unwrap().outcome(), Outcome::Complete);
    /// assert_eq!((call.outcome(), call.is_final()), (Some(Outcome::Malformed), false));
    /// ```
    #[must_use]
    pub fn finished(&self) -> Option<&Finished> {
        self.finished.as_deref()
    }

    /// What the arguments amount to. `None` while the call has not ended.
    ///
    /// They are final where this is [complete](Outcome::is_complete). JSON that is no object is no arguments, and
    /// malformed here. Arguments that were final stay so, whatever is found behind them: text there that
    /// the dialect does not allow makes the outcome another, and takes nothing back.
    ///
    /// ```
    /// use jsonrill::{MessageDecoder, MessageEvent, Outcome, Provider};
    ///
    /// let mut decoder = MessageDecoder::for_provider(Provider::OpenAiChat);
    /// decoder.push(concat!(
    ///     r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"mail","#,
    ///     r#""arguments":"{\"to\": \"ada@exa"}}]},"finish_reason":"length"}]}"#,
    ///     "\n\n",
    /// ).as_bytes());
    /// let ended = MessageEvent::CallEnded { choice: 0, call: 0, outcome: Outcome::Truncated };
    /// assert_eq!(decoder.push(b"data: [DONE]\n\n").collect::<Vec<_>>(), [ended]);
    /// let call = &decoder.message().tool_calls()[0];
    /// assert_eq!((call.outcome(), call.arguments().is_some()), (Some(Outcome::Truncated), false));
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let outcome = self.finished()?.outcome();
        Some(if outcome.is_complete() && !self.is_final() { Outcome::Malformed } else { outcome })
    }

    /// Whether any of the arguments is there.
    pub(super) fn has_arguments(&self) -> bool {
        !self.trimmed.is_empty()
    }

    /// The text of the arguments without the blanks around it.
    pub(super) fn trimmed_arguments(&self) -> &str {
        self.raw.get(self.trimmed.clone()).unwrap_or_default()
    }

    /// Whether a new document is another call's. After `{}` it is not: some servers send that before the arguments.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    pub(super) fn has_ended(&self) -> bool {
        self.finished.is_some()
    }

    /// More of its id. Servers send it once, each time, or in pieces; some invent one for every piece of the arguments.
    pub(super) fn add_id(&mut self, id: &str, has_arguments: bool) {
        if !has_arguments && !self.has_arguments() || self.id.is_empty() {
            add(&mut self.id, id);
        }
    }

    /// More of its name. Servers send it once, each time, in pieces, or each time longer.
    pub(super) fn add_name(&mut self, name: &str) {
        if !self.is_closed || self.name.is_empty() {
            add(&mut self.name, name);
        }
    }

    /// What it takes is free text, if none of it has come.
    pub(super) fn make_custom(&mut self) {
        if !self.is_custom && self.raw.is_empty() && self.finished.is_none() {
            self.is_custom = true;
            self.parser = Parser::with_options(self.options.dialect(Dialect::Strict).expect(Expect::Any));
            self.parser.push("\"");
        }
    }

    /// More of its arguments. What does not belong to them is handed back: a document behind theirs is another call's.
    pub(super) fn add_arguments<'t>(&mut self, text: &'t str) -> (&'t str, Option<&'t str>) {
        if self.is_custom {
            self.keep(text);
            self.parser.push(escaped(text).as_str());
            return (text, None);
        }
        let mut read = 0;
        while let Some(rest) = text.get(read..).filter(|rest| !rest.is_empty()) {
            if self.is_closed {
                if rest.trim_start().starts_with('{') {
                    break;
                }
                self.feed(rest);
                read = text.len();
                break;
            }
            let blanks = if self.text.is_some() { 0 } else { rest.len() - rest.trim_start().len() };
            let scanned = rest.as_bytes().get(blanks..).unwrap_or_default();
            let end = scanned.first().and_then(|&first| {
                let text = self.text.get_or_insert_with(|| Text::new(Place::Element, first, 0));
                text.end(scanned)
            });
            let Some(end) = end else {
                self.feed(rest);
                read = text.len();
                break;
            };
            self.text = None;
            // What has no brackets ends before the byte that ends it, which may be its first.
            let mut end = blanks + end.max(1);
            while !rest.is_char_boundary(end) {
                end += 1;
            }
            self.feed(rest.get(..end).unwrap_or(rest));
            self.is_closed = self.closes();
            read += end;
        }
        let mine = text.get(..read).unwrap_or(text);
        let other = text.get(read..).map(str::trim_start).filter(|other| !other.is_empty());
        (mine, other)
    }

    fn feed(&mut self, text: &str) {
        self.keep(text);
        self.parser.push(text);
    }

    fn keep(&mut self, text: &str) {
        let behind_blanks = text.trim_start();
        if !behind_blanks.is_empty() {
            if self.trimmed.is_empty() {
                self.trimmed.start = self.raw.len() + text.len() - behind_blanks.len();
            }
            self.trimmed.end = self.raw.len() + text.trim_end().len();
        }
        self.raw.push_str(text);
    }

    /// Whether the arguments were closed by their own bracket, and are not the `{}` that may stand for none.
    fn closes(&mut self) -> bool {
        let snapshot = self.parser.snapshot();
        let root = snapshot.root();
        self.parser.error().is_none() && root.state() == State::Final && root.members().len() > 0
    }

    /// Shows what came since the last time.
    pub(super) fn settle(&mut self) {
        if self.finished.is_none() {
            self.known = self.parser.snapshot();
        }
    }

    /// No more of it comes. What the arguments amount to, unless it has ended before.
    ///
    /// `end` says only whether the model was cut before it had written any arguments, and whether free text is whole.
    /// That arguments are whole is believed of their own bracket alone: to one who has stopped, the last byte of
    /// `{"run": "echo ${HOME}` is a bracket.
    pub(super) fn finish(&mut self, end: End) -> Option<Outcome> {
        if self.finished.is_some() {
            return None;
        }
        let arguments = self.trimmed_arguments();
        let is_none = arguments.is_empty() || arguments == "null";
        // More than one of what may stand for none.
        let is_empty =
            arguments.starts_with("{}") && arguments.len() > 2 && arguments.replace("{}", "").trim().is_empty();
        let end = if self.is_custom || is_none { end } else { End::Truncated };
        if self.is_custom {
            if end == End::Stopped {
                self.parser.push("\"");
            }
        } else if is_none || is_empty {
            self.parser = Parser::with_options(self.options);
            self.parser.push(if is_empty { "{}" } else { "" });
        }
        self.finished = Some(Box::new(self.parser.finish(end)));
        self.outcome()
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolCall")
            .field("id", &self.id())
            .field("name", &self.name)
            .field("raw_arguments", &self.raw)
            .field("is_final", &self.is_final())
            .finish_non_exhaustive()
    }
}

/// Text as it is written in a JSON string.
pub(super) fn escaped(text: &str) -> String {
    let mut quoted = serde_json::Value::from(text).to_string();
    quoted.pop();
    quoted.drain(..1);
    quoted
}

/// How long an id or a name grows, in bytes. None is as long; what is behind this is not kept.
const MAX_NAME: usize = 1024;

/// Adds to an id or a name what may be all of it again, all of it and more, or its next piece.
fn add(whole: &mut String, piece: &str) {
    if whole == piece {
        return;
    }
    if piece.starts_with(whole.as_str()) {
        whole.clear();
    }
    if whole.len() <= MAX_NAME {
        whole.extend(piece.chars().take(MAX_NAME));
    }
}
