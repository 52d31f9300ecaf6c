//! `jsonrill events`: the payloads of a stream.

use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use jsonrill::{Payload, PayloadDecoder};

use crate::exit::Exit;
use crate::input::{self, Format, Input};
use crate::output::{About, Line};
use crate::stream::Wire;

/// Print the payloads of a stream, one a line.
///
/// A line is `{"event", "id", "data", "json"}`: the type and the last id of the server-sent event (null where there are
/// no such events), its data, and what the data says if it is JSON. An end marker (`[DONE]`) is none. An event that the
/// stream ended in is one if it is whole JSON.
///
/// The exit code is 3 where there is none.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file to read; standard input when missing or `-`.
    file: Option<PathBuf>,

    /// What the stream comes over.
    #[arg(long, value_enum, value_name = "FORMAT")]
    input: Wire,

    /// Cut the input into chunks of this many bytes.
    #[arg(long, value_name = "BYTES", value_parser = input::size)]
    chunk: Option<NonZeroUsize>,
}

/// Runs `jsonrill events`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let mut input = Input::open(args.file.as_deref(), Format::Json, args.chunk)?;
    let mut lines = Lines { out: BufWriter::with_capacity(64 * 1024, io::stdout().lock()), any: false };
    let mut decoder = PayloadDecoder::for_wire(args.input.wire());
    let about = About::file(args.file.as_deref());
    let is_live = input.is_live();
    while let Some(chunk) = input.next()? {
        for item in decoder.push(chunk) {
            match item {
                Ok(payload) => lines.print(&payload)?,
                Err(error) => about.tell(error),
            }
        }
        if is_live {
            lines.out.flush()?;
        }
    }
    match decoder.finish() {
        Ok(last) => last.iter().try_for_each(|payload| lines.print(payload))?,
        Err(unended) => about.tell(unended),
    }
    lines.out.flush()?;
    Ok(if lines.any { Exit::Done } else { Exit::Unusable })
}

struct Lines<W: Write> {
    out: W,
    any: bool,
}

impl<W: Write> Lines<W> {
    fn print(&mut self, payload: &Payload<'_>) -> io::Result<()> {
        if payload.is_done() {
            return Ok(());
        }
        self.any = true;
        Line::new(&mut self.out)
            .member("event", &payload.event)?
            .member("id", &payload.id.as_deref())?
            .member("data", &payload.data)?
            .json_or_null("json", payload.parse().ok())?
            .end()
    }
}
