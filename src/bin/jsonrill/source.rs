//! Where a whole text comes from: a file that is one, or a provider's stream that has it as its answer.

use std::collections::VecDeque;
use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;
use jsonrill::{End, PayloadDecoder, Provider, Wire};

use crate::input::{Format, Input};
use crate::options::Reading;
use crate::output::About;
use crate::reports::StreamError;
use crate::stream::Speaker;
use crate::watched::{Said, Watched};

/// How much of a text is looked at to see whether it is a stream.
pub(crate) const HEAD: usize = 64 * 1024;

/// What the files are.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// What the input is. Of a provider's stream the text of the answer is read, of any other stream the payloads.
    #[arg(long = "input", value_enum, value_name = "FORMAT", default_value_t = Format::Json)]
    pub(crate) format: Format,

    #[command(flatten)]
    speaker: Speaker,
}

impl Source {
    /// Whether the input is the text itself.
    pub(crate) fn is_plain(&self) -> Result<bool> {
        Ok(self.speaker.wire(self.format.wire())?.is_none() && self.format == Format::Json)
    }

    /// What finds the text in a stream, where the input is one.
    pub(crate) fn watched(&self, reading: &Reading) -> Result<Option<Watched>> {
        let (wire, call) = (self.speaker.wire(self.format.wire())?, reading.call()?);
        if reading.call.is_some() && wire.is_none() {
            bail!("--call says which call of a stream is read: it needs --input sse, ndjson or json-array");
        }
        Ok(wire.map(|wire| Watched::new(&self.speaker, wire, call)))
    }

    /// The text of a file, standard input where there is none or it is `-`.
    pub(crate) fn read(&self, file: Option<&Path>, about: &About, reading: &Reading) -> Result<Text> {
        let watched = self.watched(reading)?;
        let input = Input::open(file, self.format, None)?.into_rest()?;
        let Some(mut watched) = watched else {
            Suspicion::new(self.format, about).look(&input);
            return Ok(Text { bytes: input, end: End::Unknown, errors: Vec::new() });
        };
        let (mut said, mut bytes) = (VecDeque::new(), Vec::new());
        watched.push(&input, &mut said);
        let end = watched.finish(&mut said);
        for said in said {
            match said {
                Said::Text(piece) => bytes.extend(piece.into_bytes()),
                Said::Trouble(message) => about.tell(message),
            }
        }
        Ok(Text { bytes, end, errors: watched.spoken().errors })
    }
}

/// A whole text.
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    /// A provider's word on why it ends there.
    pub(crate) end: End,
    /// What went wrong in the stream that had it.
    pub(crate) errors: Vec<StreamError>,
}

/// Looks whether a text is a provider's stream, and says so: the first JSON in it is no answer.
pub(crate) struct Suspicion<'a> {
    about: &'a About,
    /// What the stream would come over, and what finds its payloads. None before the first byte that is no blank.
    decoder: Option<(&'static str, PayloadDecoder)>,
    /// How much more is looked at.
    left: usize,
}

impl<'a> Suspicion<'a> {
    /// Who says what the input is, is believed.
    pub(crate) fn new(format: Format, about: &'a About) -> Self {
        Self { about, decoder: None, left: if format == Format::Json { HEAD } else { 0 } }
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
            self.about.tell(format_args!(
                "the input is a provider's stream, read as if it were an answer: --input {name} reads the answer in it"
            ));
            self.left = 0;
        }
    }
}
