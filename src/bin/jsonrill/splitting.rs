//! How a document is split, and how its chunks are written: what `jsonrill split` and the service share.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use jsonrill::split::compat::{CompatError, Json, RecursiveJsonSplitter};
use jsonrill::split::{Boundary, Chunk, Document, Splitter};
use serde_json::Map;

/// How to split.
#[derive(Clone, Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // each is asked for by itself
pub(crate) struct How {
    /// The largest size of a chunk, in characters, its path and punctuation included.
    #[arg(long, value_name = "N")]
    pub(crate) max: usize,

    /// The smallest size that a chunk should have: one that is smaller is filled with a part of the next value.
    #[arg(long, value_name = "N")]
    pub(crate) min: Option<usize>,

    /// Make arrays objects whose keys are the indices.
    #[arg(long)]
    pub(crate) convert_lists: bool,

    /// Where to cut strings that do not fit into a chunk; without it they end the splitting.
    #[arg(long, value_enum, value_name = "WHERE", conflicts_with = "compat")]
    pub(crate) cut_strings: Option<CutStrings>,

    /// Count bytes instead of characters.
    #[arg(long, conflicts_with = "compat")]
    pub(crate) bytes: bool,

    /// Split as another program does, and print as it prints.
    #[arg(long, value_enum, value_name = "PROGRAM")]
    pub(crate) compat: Option<Compat>,

    /// Print `{"page_content", "metadata"}` instead of the text alone. The metadata says which part of the document the
    /// chunk holds, and how many chunks there are.
    #[arg(long)]
    pub(crate) documents: bool,
}

impl How {
    pub(crate) fn splitter(&self) -> Splitter {
        let mut splitter = Splitter::new(self.max).min(self.min.unwrap_or(0)).convert_lists(self.convert_lists);
        if self.bytes {
            splitter = splitter.in_bytes();
        }
        match self.cut_strings {
            Some(cut_strings) => splitter.cut_strings(cut_strings.boundary()),
            None => splitter,
        }
    }

    /// Writes a chunk, of so many.
    pub(crate) fn write(&self, out: &mut impl Write, mut chunk: Chunk, count: Option<u64>) -> io::Result<()> {
        if !self.documents {
            return out.write_all(chunk.text.as_bytes());
        }
        chunk.count = count;
        Ok(serde_json::to_writer(out, &chunk.into_document(Map::new()))?)
    }

    /// Splits as the Python package does.
    pub(crate) fn langchain(&self, json: Json) -> Result<Vec<Document>, CompatError> {
        let mut splitter = RecursiveJsonSplitter::new(self.max);
        if let Some(min) = self.min {
            splitter = splitter.min_chunk_size(min);
        }
        splitter.create_documents(&[json], self.convert_lists, true, &[])
    }

    /// Writes a chunk of the Python package.
    pub(crate) fn write_langchain(&self, out: &mut impl Write, document: &Document) -> io::Result<()> {
        if self.documents {
            return Ok(serde_json::to_writer(out, document)?);
        }
        out.write_all(document.page_content.as_bytes())
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, utoipa::ToSchema), serde(rename_all = "lowercase"))]
pub(crate) enum CutStrings {
    /// Between sentences; where one is too long, between words.
    Sentence,
    /// Between words; where one is too long, between characters.
    Word,
    /// Between characters.
    Character,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, utoipa::ToSchema), serde(rename_all = "lowercase"))]
pub(crate) enum Compat {
    /// `RecursiveJsonSplitter` of Python's langchain-text-splitters 1.1.3.
    Langchain,
}

impl CutStrings {
    pub(crate) fn boundary(self) -> Boundary {
        match self {
            Self::Sentence => Boundary::Sentence,
            Self::Word => Boundary::Word,
            Self::Character => Boundary::Character,
        }
    }
}
