//! Where a whole text comes from: a file that is one, or a provider's stream that has it as its answer.

use std::collections::VecDeque;
use std::path::Path;

use anyhow::Result;
use clap::{Args, ValueEnum};
use jsonrill::{End, PayloadDecoder, Provider, Wire};

use crate::input::{Format, Input};
use crate::output::tell;
use crate::stream::Speaker;
use crate::watched::{Said, Watched};

/// How much of a text is looked at to see whether it is a stream.
const HEAD: usize = 64 * 1024;

/// What the files are.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// What the input is. Of a provider's stream the text of the answer is read, and with `--role arguments` the
    /// arguments of the first tool call. Of any other stream the payloads are read.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextFormat::Json)]
    input: TextFormat,

    #[command(flatten)]
    speaker: Speaker,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TextFormat {
    /// The text itself.
    Json,
    /// A provider's stream of server-sent events.
    Sse,
    /// A provider's stream of JSON lines.
    Ndjson,
    /// A provider's stream of the elements of an array.
    JsonArray,
}

impl Source {
    fn wire(&self) -> Option<Wire> {
        match self.input {
            TextFormat::Json => None,
            TextFormat::Sse => Some(Wire::Sse),
            TextFormat::Ndjson => Some(Wire::Ndjson),
            TextFormat::JsonArray => Some(Wire::JsonArray),
        }
    }

    /// The text of a file, standard input where there is none or it is `-`, and a provider's word on why it ends there.
    pub(crate) fn read(&self, file: Option<&Path>, is_arguments: bool) -> Result<(Vec<u8>, End)> {
        let wire = self.speaker.wire(self.wire())?;
        let input = Input::open(file, Format::Text, None)?.into_rest()?;
        let Some(wire) = wire else {
            Suspicion::new().look(&input);
            return Ok((input, End::Unknown));
        };
        let (mut said, mut text) = (VecDeque::new(), Vec::new());
        let mut watched = Watched::new(&self.speaker, wire, is_arguments);
        watched.push(&input, &mut said);
        let end = watched.finish(&mut said);
        for said in said {
            match said {
                Said::Text(piece) => text.extend(piece.into_bytes()),
                Said::Trouble(message) => tell(&format!("jsonrill: {message}\n")),
            }
        }
        Ok((text, end))
    }
}

/// Looks whether a text is a provider's stream, and says so: the first JSON in it is no answer.
pub(crate) struct Suspicion {
    /// What the stream would come over, and what finds its payloads. None before the first byte that is no blank.
    decoder: Option<(&'static str, PayloadDecoder)>,
    /// How much more is looked at.
    left: usize,
}

impl Suspicion {
    pub(crate) fn new() -> Self {
        Self { decoder: None, left: HEAD }
    }

    /// Looks at the next piece of the text.
    pub(crate) fn look(&mut self, piece: &[u8]) {
        let head = piece.get(..self.left).unwrap_or(piece);
        self.left -= head.len();
        let head = if self.decoder.is_none() { head.trim_ascii_start() } else { head };
        let Some(first) = head.first() else { return };
        // Lines are found as events are.
        let (name, wire) = if *first == b'[' { ("json-array", Wire::JsonArray) } else { ("sse", Wire::Sse) };
        let (name, decoder) = self.decoder.get_or_insert_with(|| (name, PayloadDecoder::for_wire(wire)));
        let is_providers = |data: &str| Provider::detect(data).is_some();
        if decoder.push(head).flatten().any(|payload| is_providers(&payload.data)) {
            tell(&format!(
                "jsonrill: the input is a provider's stream, read as if it were an answer: --input {name} reads the answer in it\n"
            ));
            self.left = 0;
        }
    }
}
