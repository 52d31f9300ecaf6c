//! The responses of the rounds of one answer: files that are read as one document.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use jsonrill::{End, Finished, Parser, Seam, SeamKind};
use serde::Serialize;

use crate::options::{DialectReading, NO_OBJECT};
use crate::output::About;
use crate::reports::StreamError;
use crate::source::Source;

/// What editors begin a file with: it is none of its text.
const BOM: &str = "\u{feff}";

/// A text, or the responses of several rounds.
#[derive(Debug, Args)]
pub(crate) struct Rounds {
    /// The file to read; standard input when missing or `-`. Several files are the responses of several rounds, in
    /// order, and are joined as `jsonrill join` does.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    source: Source,
}

impl Rounds {
    /// Reads them to their end.
    pub(crate) fn read(&self, reading: &DialectReading, end: End) -> Result<Finished> {
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard_input } else { self.files.as_slice() };
        Ok(read(files.iter().map(PathBuf::as_path), &self.source, reading, end)?.finished)
    }

    /// What messages about the whole are about.
    pub(crate) fn about(&self) -> About {
        About::all(self.files.iter().map(PathBuf::as_path))
    }
}

/// The responses of all rounds, read to their end.
pub(crate) struct Read {
    pub(crate) finished: Finished,
    /// What went wrong in the streams that had them, and in which, from 0.
    pub(crate) errors: Vec<RoundError>,
}

/// What went wrong in the stream of a round.
#[derive(Serialize)]
pub(crate) struct RoundError {
    round: usize,
    #[serde(flatten)]
    error: StreamError,
}

/// Joins the responses in these files, and says on standard error which of them may have been joined wrongly, and which
/// have nothing of the document. Where
/// `end` says nothing, the provider's word on the last of them does.
pub(crate) fn read<'a>(
    files: impl Iterator<Item = &'a Path> + Clone,
    source: &Source,
    reading: &DialectReading,
    mut end: End,
) -> Result<Read> {
    if files.clone().filter(|file| *file == Path::new("-")).count() > 1 {
        bail!("standard input can be only one of the responses");
    }
    let is_alone = files.clone().nth(1).is_none();
    let about = |file| if is_alone { About::file(Some(file)) } else { About::one_of(file) };
    let mut parser = Parser::with_options(reading.options());
    let (mut said, mut errors, mut blank) = (End::Unknown, Vec::new(), Vec::new());
    for (number, file) in files.clone().enumerate() {
        if number > 0 {
            parser.next_round();
        }
        let text = source.read(Some(file), &about(file), &reading.reading)?;
        said = text.end;
        blank.push(text.bytes.trim_ascii().is_empty());
        errors.extend(text.errors.into_iter().map(|error| RoundError { round: number, error }));
        // That of the first file is before the text, and the parser's. In what goes on with a string it would be text.
        let mark = if number > 0 && source.is_plain()? { BOM } else { "" };
        parser.push(text.bytes.strip_prefix(mark.as_bytes()).unwrap_or(&text.bytes));
    }
    if end == End::Unknown {
        end = said;
    }
    let finished = parser.finish(end);
    // Where the value ends, if it does. What begins behind that goes on with nothing.
    let root = finished.snapshot().root();
    let end = root.span().filter(|_| finished.cut().is_none()).map(|span| u64::from(span.end));
    for ((seam, file), is_blank) in finished.seams().iter().zip(files.clone().skip(1)).zip(blank.into_iter().skip(1)) {
        if !seam.is_certain {
            about(file).tell(format_args!("may have been joined wrongly: {}", taken_for(seam)));
        } else if is_blank {
            // There is nothing in it that would be left out.
        } else if end.is_some_and(|end| end <= seam.offset) {
            about(file).tell("it has nothing of the document, which ends before it");
        } else if matches!(seam.kind, SeamKind::Refused | SeamKind::Empty) {
            about(file).tell("it has nothing of the document");
        }
    }
    if reading.reading.role.outcome(finished.outcome(), finished.snapshot()) != finished.outcome() {
        About::all(files).tell(NO_OBJECT);
    }
    Ok(Read { finished, errors })
}

/// What a file was taken for.
fn taken_for(seam: &Seam) -> &'static str {
    match seam.kind {
        SeamKind::Rest => "it was taken for the exact rest",
        SeamKind::Repeat => "it was taken for a repeat of the end, and the rest",
        SeamKind::Restart => "it was taken for the whole document again",
        SeamKind::NewMembers => "it was taken for new members",
        SeamKind::Diverged => "it was taken for another document",
        SeamKind::Refused => "it was taken for text without any of the document",
        SeamKind::Empty => "it was taken for nothing",
        _ => "it is not clear what it goes on with",
    }
}
