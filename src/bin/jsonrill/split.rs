//! `jsonrill split`: chunks of a document that is too large for a model or an index.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args as ClapArgs;
use clap::builder::UnknownArgumentValueParser;
use indicatif::{ProgressBar, ProgressStyle};
use jsonrill::split::compat::Json;
use jsonrill::split::{Chunk, SplitError, SplitErrorKind, Splitter, StreamChunks, StreamSplitter};
use jsonrill::{End, Finished, Options, Outcome, Parser, SkipKind};

use crate::exit::Exit;
use crate::input::{Format, Input, name};
use crate::options::Reading;
use crate::output::About;
use crate::source::{HEAD, Source, Suspicion};
use crate::splitting::{Compat, How};
use crate::summary::Summary;

/// How much of a file is read at a time.
const READ: usize = 64 * 1024;

/// How many bytes a file has for which there is a progress bar.
const LARGE: u64 = 16 << 20;

/// Split a document into chunks of a size, each with the path to what it holds.
///
/// Prints a chunk a line. Each is JSON of its own, at most as large as asked, its values at the path at which they are
/// in the document. Valid JSON is split as it is spelled. Anything else is read as a text that was cut, as `jsonrill
/// complete` reads it, and what there is of it is split; what was repaired and left out, and where the text was cut, is
/// told on standard error.
///
/// The exit code is 0 where there are chunks; 3 where the text has no JSON, and, after the chunks before it, where it
/// is malformed or beyond a limit, or a value does not fit into a chunk. A large valid file takes little memory; other
/// texts, and those from standard input, are kept in memory.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file to read; standard input when missing or `-`.
    file: Option<PathBuf>,

    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    how: How,

    #[arg(long, hide = true, value_parser = UnknownArgumentValueParser::suggest(NO_ROLE))]
    role: Option<()>,

    #[arg(long, hide = true, value_parser = UnknownArgumentValueParser::suggest(NO_ROLE))]
    call: Option<()>,
}

/// What is said to who would split the arguments of a tool call.
const NO_ROLE: &str = "of a stream the answer is split; the arguments of a tool call are printed by \
    `jsonrill complete --role arguments`, which this reads on standard input";

/// Runs `jsonrill split`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let how = &args.how;
    ensure!(how.max > 0, "--max must be at least 1");
    if let Some(min) = how.min {
        ensure!(min <= how.max, "--min {min} is larger than --max {}", how.max);
    }
    let about = About::file(args.file.as_deref());
    let mut document = Document::open(&args.source, args.file.as_deref(), &about)?;
    let mut out = BufWriter::with_capacity(READ, io::stdout().lock());
    let exit = match how.compat {
        Some(Compat::Langchain) => as_langchain(how, document, &about, &mut out)?,
        None => {
            let splitter = how.splitter();
            let bar = document.bar();
            // A text that turns out to be none when half of its chunks are printed would be half printed.
            let (count, error) = document.chunks(&splitter, &bar, |_| Ok(()))?;
            let exit = match error {
                Some(error) if matches!(error.kind(), SplitErrorKind::Syntax | SplitErrorKind::TooDeep) => {
                    repaired(how, &splitter, document, &about, &mut out)?
                }
                _ => {
                    let count = error.is_none().then_some(count);
                    let (_, error) = document.chunks(&splitter, &bar, |chunk| {
                        how.write(&mut out, chunk, count)?;
                        end_line(&mut out)
                    })?;
                    error.map_or(Exit::Done, |error| about.complain(error))
                }
            };
            bar.finish_and_clear();
            exit
        }
    };
    out.flush()?;
    Ok(exit)
}

fn end_line(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\n")
}

/// Splits what there is of a text that is no JSON.
fn repaired(how: &How, splitter: &Splitter, document: Document, about: &About, out: &mut impl Write) -> Result<Exit> {
    let (part, finished) = complete_part(document)?;
    let chunks: Vec<_> = splitter.split(&part).collect();
    let count = chunks.iter().all(Result::is_ok).then_some(chunks.len() as u64);
    for chunk in chunks {
        match chunk {
            Ok(chunk) => {
                how.write(out, chunk, count)?;
                end_line(out)?;
            }
            Err(_) if part.is_empty() => {}
            Err(error) => return Ok(about.complain(error)),
        }
    }
    Ok(ended(&part, finished, about))
}

/// Splits as the Python package does.
fn as_langchain(how: &How, document: Document, about: &About, out: &mut impl Write) -> Result<Exit> {
    let text = document.into_text()?;
    let read = str::from_utf8(&text).ok().and_then(|text| text.parse::<Json>().ok());
    let (json, exit) = if let Some(json) = read {
        (json, Exit::Done)
    } else {
        let (part, finished) = complete_part(Document::Text(text))?;
        let Ok(json) = part.parse() else { return Ok(ended("", finished, about)) };
        (json, ended(&part, finished, about))
    };
    match how.langchain(json) {
        Err(error) => Ok(about.complain(error)),
        Ok(documents) if documents.is_empty() => {
            Ok(about.complain("the Python package makes no chunk of what is empty"))
        }
        Ok(documents) => {
            for document in documents {
                how.write_langchain(out, &document)?;
                end_line(out)?;
            }
            Ok(exit)
        }
    }
}

/// What there is of a text, as valid JSON.
fn complete_part(document: Document) -> Result<(String, Finished)> {
    let mut parser = Parser::with_options(Options::new());
    parser.push(document.into_text()?);
    let finished = parser.finish(End::Truncated);
    Ok((finished.frozen().complete_part(), finished))
}

/// How the splitting of what there is of a text ends. What a reader of the chunks would not see is told.
fn ended(part: &str, finished: Finished, about: &About) -> Exit {
    match (finished.outcome(), part.is_empty()) {
        (Outcome::Empty, _) => return about.complain("the text has no JSON"),
        (Outcome::Truncated, true) => return about.complain("nothing of the JSON is whole before the cut"),
        _ => {}
    }
    if let Some(summary) = Summary::of_finished(&finished) {
        about.tell(summary);
    }
    match finished
        .skipped()
        .iter()
        .filter(|skip| skip.kind == SkipKind::Document)
        .map(|skip| u64::from(skip.count))
        .sum()
    {
        0_u64 => {}
        1 => about.tell("another document is in the text, which is not split"),
        more => about.tell(format_args!("{more} other documents are in the text, which are not split")),
    }
    match finished.into_complete() {
        Err(incomplete) if incomplete.finished().error().is_some() => about.complain(incomplete),
        // There is output, and that is what was asked for.
        Err(incomplete) => {
            about.tell(incomplete);
            Exit::Done
        }
        Ok(_) => Exit::Done,
    }
}

/// Where the document is. It is read twice.
enum Document {
    File { file: PathBuf, size: u64 },
    Text(Vec<u8>),
}

impl Document {
    fn open(source: &Source, file: Option<&Path>, about: &About) -> Result<Self> {
        // What cannot be read twice is kept, and so is what is not the text itself.
        if source.is_plain()?
            && let Some(file) = file.filter(|file| *file != Path::new("-"))
            && let Ok(metadata) = file.metadata()
            && metadata.is_file()
        {
            if let Some(head) = Input::open(Some(file), Format::Json, NonZeroUsize::new(HEAD))?.next()? {
                Suspicion::new(Format::Json, about).look(head);
            }
            return Ok(Self::File { file: file.to_owned(), size: metadata.len() });
        }
        Ok(Self::Text(source.read(file, about, &Reading::default())?.bytes))
    }

    /// A bar on standard error, of a large file if somebody sees it and nothing else is printed there.
    fn bar(&self) -> ProgressBar {
        match self {
            Self::File { size, .. } if *size >= LARGE && !io::stdout().is_terminal() => {
                let bar = ProgressBar::new(*size * 2);
                let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %  {bytes_per_sec}  {eta} left");
                // The template is known to be one.
                if let Ok(style) = style { bar.with_style(style) } else { bar }
            }
            _ => ProgressBar::hidden(),
        }
    }

    /// Splits the text: how many chunks there were, and the error that ended it.
    fn chunks(
        &mut self,
        splitter: &Splitter,
        bar: &ProgressBar,
        each: impl FnMut(Chunk) -> io::Result<()>,
    ) -> Result<(u64, Option<SplitError>)> {
        let mut stream = splitter.stream();
        let mut taking = Taking { each, count: 0 };
        let error = match self {
            Self::Text(text) => taking.take(stream.push(text))?,
            Self::File { file, .. } => file_chunks(file, &mut stream, bar, &mut taking)?,
        };
        let error = match error {
            None => taking.take(stream.finish())?,
            error => error,
        };
        Ok((taking.count, error))
    }

    fn into_text(self) -> Result<Vec<u8>> {
        match self {
            // What it looks like is told already.
            Self::File { file, .. } => fs::read(&file).with_context(|| format!("cannot read {}", name(Some(&file)))),
            Self::Text(text) => Ok(text),
        }
    }
}

/// What is done with each chunk, and how many there were.
struct Taking<F> {
    each: F,
    count: u64,
}

impl<F: FnMut(Chunk) -> io::Result<()>> Taking<F> {
    /// Takes chunks up to an error.
    fn take(&mut self, chunks: StreamChunks<'_, '_>) -> io::Result<Option<SplitError>> {
        for chunk in chunks {
            match chunk {
                Ok(chunk) => (self.each)(chunk)?,
                Err(error) => return Ok(Some(error)),
            }
            self.count += 1;
        }
        Ok(None)
    }
}

/// Reads a file into a splitter.
fn file_chunks<F: FnMut(Chunk) -> io::Result<()>>(
    file: &Path,
    stream: &mut StreamSplitter,
    bar: &ProgressBar,
    taking: &mut Taking<F>,
) -> Result<Option<SplitError>> {
    let mut reader = File::open(file).with_context(|| format!("cannot open {}", name(Some(file))))?;
    let mut buffer = vec![0; READ];
    loop {
        let count = match reader.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count.with_context(|| format!("cannot read {}", name(Some(file))))?,
        };
        if count == 0 {
            return Ok(None);
        }
        bar.inc(count as u64);
        if let Some(error) = taking.take(stream.push(&buffer[..count]))? {
            return Ok(Some(error));
        }
    }
}
