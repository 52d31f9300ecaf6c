//! Where chunks come from: a file or standard input, plain or as recorded chunks, re-cut on request.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use clap::ValueEnum;
use jsonrill::Wire;
use serde::Deserialize;

use crate::output::tell;
use crate::printable::printable;

/// How much is read at a time from what arrives bit by bit.
const READ: usize = 64 * 1024;

/// What the input is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[cfg_attr(feature = "serve", derive(Deserialize, utoipa::ToSchema), serde(rename_all = "kebab-case"))]
pub(crate) enum Format {
    /// The text itself.
    #[default]
    Json,
    /// A chunk a line: a JSON string, or {"base64": "…"}.
    Chunks,
    /// A provider's stream of server-sent events.
    Sse,
    /// A provider's stream of JSON lines.
    Ndjson,
    /// A provider's stream of the elements of an array.
    JsonArray,
}

impl Format {
    /// What a provider's stream comes over, where the input is one.
    pub(crate) fn wire(self) -> Option<Wire> {
        match self {
            Self::Json | Self::Chunks => None,
            Self::Sse => Some(Wire::Sse),
            Self::Ndjson => Some(Wire::Ndjson),
            Self::JsonArray => Some(Wire::JsonArray),
        }
    }
}

/// The chunks of an input, one after the other.
pub(crate) struct Input {
    name: String,
    source: Source,
    cut: Option<NonZeroUsize>,
    /// What was read and not given out, from `given` on.
    held: Vec<u8>,
    given: usize,
    live: bool,
    /// The first bytes, until there are enough to tell what they are the start of.
    head: Vec<u8>,
}

enum Source {
    /// A file that is one chunk.
    Whole(Box<dyn Read>),
    /// Each read is a chunk.
    Reads(Box<dyn Read>),
    /// Each line says what the chunk is.
    Lines { reader: BufReader<Box<dyn Read>>, line: Vec<u8>, number: u64 },
}

/// The size of a chunk, as an option says it.
pub(crate) fn size(text: &str) -> Result<NonZeroUsize> {
    NonZeroUsize::new(text.parse()?).context("it must be at least 1")
}

impl Input {
    /// Opens `file`, or standard input where there is none or it is `-`. Of recorded chunks it gives what they hold, of
    /// all else the bytes as they are.
    ///
    /// With `cut` the bytes are given out in pieces of that many, whatever the input's own chunks are.
    pub(crate) fn open(file: Option<&Path>, format: Format, cut: Option<NonZeroUsize>) -> Result<Self> {
        let name = name(file);
        let file = file.filter(|path| *path != Path::new("-"));
        let reader: Box<dyn Read> = match file {
            None => Box::new(io::stdin().lock()),
            Some(path) => Box::new(File::open(path).with_context(|| format!("cannot open {name}"))?),
        };
        let source = match format {
            Format::Chunks => {
                Source::Lines { reader: BufReader::with_capacity(READ, reader), line: Vec::new(), number: 0 }
            }
            _ if file.is_some() && cut.is_none() => Source::Whole(reader),
            _ => Source::Reads(reader),
        };
        Ok(Input { name, source, cut, held: Vec::new(), given: 0, live: file.is_none(), head: Vec::new() })
    }

    /// Whether asking for the next chunk may take as long as somebody else likes.
    pub(crate) fn is_live(&self) -> bool {
        self.live
    }

    /// The next chunk; `None` at the end.
    ///
    /// A recorded chunk may be empty, all others have at least a byte.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>> {
        let Some(size) = self.cut.map(NonZeroUsize::get) else {
            self.held.clear();
            let more = self.read()?;
            return Ok(more.then_some(self.held.as_slice()));
        };
        while self.held.len() - self.given < size {
            self.held.drain(..self.given);
            self.given = 0;
            if !self.read()? {
                break;
            }
        }
        let start = self.given;
        self.given = self.held.len().min(start.saturating_add(size));
        let chunk = &self.held[start..self.given];
        Ok((!chunk.is_empty()).then_some(chunk))
    }

    /// All that was not given out yet.
    pub(crate) fn into_rest(mut self) -> Result<Vec<u8>> {
        self.held.drain(..self.given);
        while self.read()? {}
        Ok(self.held)
    }

    /// Appends the input's own next chunk to what is held; false at the end.
    fn read(&mut self) -> Result<bool> {
        let cannot_read = || format!("cannot read {}", self.name);
        let start = self.held.len();
        match &mut self.source {
            Source::Whole(reader) => {
                let count = reader.read_to_end(&mut self.held).with_context(cannot_read)?;
                look(&mut self.head, &self.held[start..], &self.name);
                Ok(count > 0)
            }
            Source::Reads(reader) => {
                let count = read_once(reader, &mut self.held).with_context(cannot_read)?;
                look(&mut self.head, &self.held[start..], &self.name);
                Ok(count > 0)
            }
            Source::Lines { reader, line, number } => loop {
                line.clear();
                if reader.read_until(b'\n', line).with_context(cannot_read)? == 0 {
                    return Ok(false);
                }
                look(&mut self.head, line, &self.name);
                *number += 1;
                if line.trim_ascii().is_empty() {
                    continue;
                }
                decode_chunk(line, &mut self.held).with_context(|| format!("{}, line {number}", self.name))?;
                return Ok(true);
            },
        }
    }
}

/// What a file is called in messages; standard input where there is none or it is `-`.
pub(crate) fn name(file: Option<&Path>) -> String {
    match file.filter(|path| *path != Path::new("-")) {
        None => "standard input".to_owned(),
        // What a folder has is not all fit for a terminal.
        Some(path) => printable(&path.display().to_string()),
    }
}

/// Looks at the next bytes of an input, and says so on standard error where its first two are those of what is no text
/// in UTF-8. It is read all the same.
fn look(head: &mut Vec<u8>, bytes: &[u8], name: &str) {
    let missing = 2_usize.saturating_sub(head.len()).min(bytes.len());
    if missing == 0 {
        return;
    }
    head.extend_from_slice(&bytes[..missing]);
    match head.as_slice() {
        [0xFF, 0xFE] | [0xFE, 0xFF] => tell(&format!("jsonrill: {name} looks like UTF-16: convert it to UTF-8\n")),
        [0x1F, 0x8B] => tell(&format!("jsonrill: {name} looks like gzip: unpack it first\n")),
        _ => {}
    }
}

/// Appends what one read gives.
fn read_once(reader: &mut dyn Read, held: &mut Vec<u8>) -> io::Result<usize> {
    let start = held.len();
    held.resize(start + READ, 0);
    let result = loop {
        match reader.read(&mut held[start..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => break result,
        }
    };
    held.truncate(start + result.as_ref().copied().unwrap_or(0));
    result
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RecordedChunk<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Bytes(Base64Chunk),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Base64Chunk {
    base64: String,
}

/// Appends the bytes that a line of recorded chunks stands for.
pub(crate) fn decode_chunk(line: &[u8], held: &mut Vec<u8>) -> Result<()> {
    match serde_json::from_slice(line) {
        Ok(RecordedChunk::Text(text)) => held.extend_from_slice(text.as_bytes()),
        Ok(RecordedChunk::Bytes(bytes)) => {
            BASE64.decode_vec(bytes.base64, held).context("not base64")?;
        }
        Err(error) if error.is_data() => bail!("neither a JSON string nor {{\"base64\": \"…\"}}"),
        Err(error) => {
            // serde_json counts lines too, and would say 1.
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or(&message);
            bail!("not JSON, column {}: {message}", error.column())
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(line: &str) -> Result<Vec<u8>> {
        let mut held = Vec::new();
        decode_chunk(line.as_bytes(), &mut held)?;
        Ok(held)
    }

    #[test]
    fn recorded_chunks_are_strings_or_base64() {
        assert_eq!(chunk(r#""a\n\u00e9""#).unwrap(), "a\né".as_bytes());
        assert_eq!(chunk("\"\"\r\n").unwrap(), b"");
        assert_eq!(chunk(r#"{"base64": "w6k="}"#).unwrap(), "é".as_bytes());
        for bad in ["42", "null", "{}", r#"{"base64": 1}"#, r#"{"base64": "!"}"#, r#"{"base64": "", "x": 1}"#, "\"a"] {
            assert!(chunk(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn recut_pieces_have_the_size_asked_for() {
        for (size, expected) in [(2, vec!["ab", "cd", "e"]), (3, vec!["abc", "de"]), (9, vec!["abcde"])] {
            let text: Box<dyn Read> = Box::new("a".as_bytes().chain("bcd".as_bytes()).chain("e".as_bytes()));
            let mut input = Input {
                name: String::new(),
                source: Source::Reads(text),
                cut: NonZeroUsize::new(size),
                held: Vec::new(),
                given: 0,
                live: false,
                head: Vec::new(),
            };
            let mut pieces = Vec::new();
            while let Some(piece) = input.next().unwrap() {
                pieces.push(String::from_utf8(piece.to_vec()).unwrap());
            }
            assert_eq!(pieces, expected);
        }
    }
}
