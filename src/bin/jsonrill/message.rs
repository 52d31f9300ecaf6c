//! `jsonrill message`: what a provider's stream amounts to.

use std::fmt::{self, Display};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use jsonrill::{Choice, Message, MessageError, MessageErrorKind, Outcome, Parser, Snapshot, StopReason, ToolCall};
use serde_json::json;

use crate::exit::Exit;
use crate::input::{self, Format, Input};
use crate::output::{About, Line};
use crate::printable::printable;
use crate::reports::StreamError;
use crate::stream::{Speaker, Wire};

/// Print the message that a provider's stream amounts to.
///
/// One JSON line: `{"content", "thinking", "tool_calls", "finish_reason", "error", "json", "json_complete"}`. A tool
/// call is `{"id", "name", "arguments", "raw_arguments", "complete"}`; its arguments are there as far as they came, and
/// `complete` says whether they were closed. `json` is the JSON in the content. `error` is what went wrong, of
/// several errors the provider's own or the first; messages on standard error name the rest.
///
/// The provider's own error is as it wrote it: an object, whose members and their types are its own, a string, or what
/// else it sends. All others are `{"code", "message"}`, two strings. A script tests `.error != null`, and reads `errors`,
/// which has all of them in one form, whoever says them: `[{"kind", "code", "message"}]`, the kind `provider`, `unended`
/// where the stream broke off, and others; the code, which only a provider gives, a string or null.
///
/// Behind these comes what not every stream has: `refusal`, why the model will not answer; `call_outcomes`, what the
/// arguments of each tool call amount to, in the order of the calls (`complete`, `repaired`, `truncated`, `malformed`,
/// `empty` or `limit`); `usage`, `{"input_tokens", "output_tokens"}`; `errors`. Where there are several choices, all but
/// usage and errors is of the first, and `choices` has them all.
///
/// The exit code is 3 where there is no message at all, but nothing or an error alone, which is told on standard error.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file to read; standard input when missing or `-`.
    file: Option<PathBuf>,

    #[command(flatten)]
    speaker: Speaker,

    /// What the stream comes over; seen from the stream where it is not given.
    #[arg(long, value_enum, value_name = "FORMAT")]
    input: Option<Wire>,

    /// Cut the input into chunks of this many bytes.
    #[arg(long, value_name = "BYTES", value_parser = input::size)]
    chunk: Option<NonZeroUsize>,
}

/// Runs `jsonrill message`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let mut input = Input::open(args.file.as_deref(), Format::Json, args.chunk)?;
    let mut decoder = args.speaker.decoder(args.input.map(Wire::wire));
    let mut is_blank = true;
    while let Some(chunk) = input.next()? {
        is_blank = is_blank && chunk.trim_ascii().is_empty();
        decoder.push(chunk);
    }
    decoder.finish();
    let message = decoder.message();
    let error = shown(message);

    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    let mut line = Line::new(&mut out);
    choice(&mut line, message.choices().next(), error)?;
    if let Some(usage) = message.usage() {
        line.member("usage", &usage)?;
    }
    if !message.errors().is_empty() {
        let errors: Vec<_> = message.errors().iter().map(StreamError::from).collect();
        line.member("errors", &errors)?;
    }
    if message.choices().len() > 1 {
        line.json_array("choices", message.choices().map(Whole))?;
    }
    line.end()?;
    out.flush()?;
    let about = About::file(args.file.as_deref());
    let is_providers =
        message.provider().is_some() || error.is_some_and(|error| error.kind == MessageErrorKind::Provider);
    if !is_blank && !is_providers && message.choices().len() == 0 {
        // As a stream it is broken, too, but that is not what is wrong with it.
        return Ok(about.complain("there is no message: the input is no provider's stream"));
    }
    for other in message.errors().iter().filter(|other| Some(*other) != error) {
        about.tell(other);
    }
    Ok(match (message.choices().len(), error) {
        (0, None) => about.complain("there is no message"),
        (0, Some(error)) => about.complain(printable(&format!("there is no message: {error}"))),
        _ => Exit::Done,
    })
}

/// The error that tells most: the provider's own, without one the first.
fn shown(message: &Message) -> Option<&MessageError> {
    let errors = message.errors();
    errors.iter().find(|error| error.kind == MessageErrorKind::Provider).or(errors.first())
}

/// The members of a choice; of none where there is none.
fn choice<W: Write>(line: &mut Line<'_, W>, choice: Option<&Choice>, error: Option<&MessageError>) -> io::Result<()> {
    let calls = choice.map_or(&[][..], Choice::tool_calls);
    line.member("content", choice.map_or("", Choice::content))?
        .member("thinking", choice.map_or("", Choice::reasoning))?
        .json_array("tool_calls", calls.iter().map(Call))?
        .member("finish_reason", &choice.and_then(Choice::stop_reason).map(StopReason::as_str))?
        .json_or_null("error", error.map(error_json))?
        .json_or_null("json", choice.map(Choice::json).and_then(started))?
        .member("json_complete", &choice.is_some_and(Choice::is_json_complete))?;
    let refusal = choice.map_or("", Choice::refusal);
    if !refusal.is_empty() {
        line.member("refusal", refusal)?;
    }
    if !calls.is_empty() {
        // The calls themselves are as the contract has them.
        let outcomes: Vec<_> = calls.iter().map(|call| call.outcome().map(Outcome::as_str)).collect();
        line.member("call_outcomes", &outcomes)?;
    }
    Ok(())
}

fn started(snapshot: &Snapshot) -> Option<&Snapshot> {
    snapshot.is_started().then_some(snapshot)
}

/// The error as the provider wrote it, or in the same form.
fn error_json(error: &MessageError) -> String {
    let written = error.text.as_deref().filter(|_| error.kind == MessageErrorKind::Provider);
    let written =
        written.map(|text| Parser::strict().feed(text).snapshot().to_string()).filter(|text| !text.is_empty());
    let code = error.code.as_deref().unwrap_or(error.kind.as_str());
    written.unwrap_or_else(|| json!({"code": code, "message": error.message}).to_string())
}

/// What prints itself as a line prints: without its end.
fn print(
    formatter: &mut fmt::Formatter<'_>,
    members: impl FnOnce(&mut Line<'_, Vec<u8>>) -> io::Result<()>,
) -> fmt::Result {
    let mut text = Vec::new();
    let mut line = Line::new(&mut text);
    members(&mut line).and_then(|()| line.end()).map_err(|_| fmt::Error)?;
    formatter.write_str(String::from_utf8_lossy(&text).trim_end())
}

struct Whole<'m>(&'m Choice);

impl Display for Whole<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(formatter, |line| {
            line.member("index", &self.0.index())?;
            choice(line, Some(self.0), None)
        })
    }
}

struct Call<'m>(&'m ToolCall);

impl Display for Call<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(formatter, |line| {
            line.member("id", &self.0.id())?
                .member("name", self.0.name())?
                .json_or_null("arguments", started(self.0.partial_arguments()))?
                .member("raw_arguments", self.0.raw_arguments())?
                .member("complete", &self.0.is_final())?;
            Ok(())
        })
    }
}
