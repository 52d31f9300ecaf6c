//! Streams of providers: what they come over, and whose form they have.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use jsonrill::{MessageDecoder, PayloadDecoder, Provider};

/// What a stream comes over.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Wire {
    /// Server-sent events.
    Sse,
    /// JSON lines.
    Ndjson,
    /// The elements of an array.
    JsonArray,
}

impl Wire {
    pub(crate) fn wire(self) -> jsonrill::Wire {
        match self {
            Wire::Sse => jsonrill::Wire::Sse,
            Wire::Ndjson => jsonrill::Wire::Ndjson,
            Wire::JsonArray => jsonrill::Wire::JsonArray,
        }
    }
}

/// Who sends a stream.
#[derive(Debug, Args)]
pub(crate) struct Speaker {
    /// Whose form the stream has: openai, openai-responses, anthropic, gemini, ollama, or someone who speaks one of
    /// these, such as mistral or vllm; `auto` sees for itself.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = provider)]
    provider: Named,
}

/// A provider, or whoever it turns out to be.
#[derive(Clone, Copy, Debug)]
struct Named(Option<Provider>);

fn provider(name: &str) -> Result<Named> {
    Ok(Named(if name == "auto" { None } else { Some(name.parse()?) }))
}

impl Speaker {
    /// The one of this name.
    #[cfg(feature = "serve")]
    pub(crate) fn named(name: &str) -> Result<Self> {
        Ok(Self { provider: provider(name)? })
    }

    /// What the stream comes over, where the input is one: else nobody can send it.
    pub(crate) fn wire(&self, wire: Option<jsonrill::Wire>) -> Result<Option<jsonrill::Wire>> {
        if self.is_named() && wire.is_none() {
            bail!("--provider says whose stream it is: it needs --input sse, ndjson or json-array");
        }
        Ok(wire)
    }

    /// Whether somebody is.
    pub(crate) fn is_named(&self) -> bool {
        self.provider.0.is_some()
    }

    /// A decoder for the stream.
    pub(crate) fn decoder(&self, wire: Option<jsonrill::Wire>) -> MessageDecoder {
        let decoder = self.provider.0.map_or_else(MessageDecoder::new, MessageDecoder::for_provider);
        match wire {
            Some(wire) => decoder.payloads(PayloadDecoder::for_wire(wire)),
            None => decoder,
        }
    }
}
