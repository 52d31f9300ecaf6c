//! Tags and control tokens, outside reasoning and in it.
//!
//! A tag is, from `<` to `>`, one of
//! - `<|name|>`, also with full-width bars or one bar missing: a control token, whatever its name, of letters, digits
//!   and `_-:./▁`;
//! - `<name>`, `</name>`, `<name …>`, `<name=…>`, with a name known to [`super::names`].
//!
//! And from `[` to `]` a control token that is listed there. Names have at most [`NAME`] bytes, tags at most [`WHOLE`],
//! and no newline, back-tick, `<`, `{` or `[` in them. A tag is held until its last byte. What breaks one is read as if
//! no tag had been thought of: the held bytes hold nothing that means anything in prose, and those in square brackets,
//! few and capital, are given to the grammar again.

use std::mem;

use crate::document::{SkipKind, Span};

use super::super::machine::{Candidate, Machine, Stop};
use super::names::{self, Square, Thinking};
use super::{Before, Mode};

/// The longest name, in bytes.
const NAME: usize = 64;

/// The longest tag, in bytes.
const WHOLE: u32 = 256;

/// A tag of which not all has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag {
    pub(super) start: u32,
    part: Part,
    /// The reasoning that it is in.
    pub(super) within: Option<&'static Thinking>,
    /// A letter or digit is right before it, as in `Vec<Result>`: it can only close something, or be a control token.
    in_word: bool,
}

/// The part of a tag that is being read. Its letters are in [`super::Envelope::letters`].
#[derive(Debug, Clone, Copy)]
enum Part {
    /// Its name.
    Name,
    /// The name of a control token.
    Control,
    /// What is behind its name, which is a known one.
    Rest,
    /// A control token in square brackets.
    Square,
}

/// What a byte makes of a tag.
enum Read {
    More(Part),
    Whole,
    Broken,
}

impl Machine {
    /// `opener`, at `start`, may begin a tag.
    pub(super) fn begin_tag(&mut self, opener: u8, start: u32, within: Option<&'static Thinking>) {
        let part = if opener == b'[' { Part::Square } else { Part::Name };
        self.envelope.letters.clear();
        self.envelope.letters.push(opener);
        let in_word = self.envelope.word_end == start;
        self.envelope.mode = Mode::Tag(Tag { start, part, within, in_word });
    }

    /// In a tag.
    pub(super) fn in_tag(&mut self, text: &str, mut i: usize, mut tag: Tag) -> Result<usize, Stop> {
        while let Some(&byte) = text.as_bytes().get(i) {
            let letters = &mut self.envelope.letters;
            let opens = letters.len() == 1 && byte.is_ascii_alphabetic();
            let read = match tag.part {
                Part::Name if opens && tag.in_word => Read::Broken,
                Part::Name => name_byte(letters, byte),
                Part::Control => control_byte(letters, byte),
                Part::Rest => rest_byte(byte),
                Part::Square => square_byte(letters, byte),
            };
            match read {
                Read::More(part) if self.offset(i) - tag.start < WHOLE => tag.part = part,
                Read::Whole => {
                    self.tag_ended(tag, self.offset(i + 1));
                    return Ok(i + 1);
                }
                Read::More(_) | Read::Broken => {
                    self.no_tag(tag)?;
                    return Ok(i);
                }
            }
            i += 1;
        }
        self.envelope.mode = Mode::Tag(tag);
        Ok(i)
    }

    /// What was held as a tag is none.
    fn no_tag(&mut self, tag: Tag) -> Result<(), Stop> {
        if let Some(thinking) = tag.within {
            self.envelope.mode = Mode::Reasoning { start: tag.start, thinking };
            return Ok(());
        }
        self.envelope.mode = Mode::Prose;
        if matches!(tag.part, Part::Square) && self.is_wanted(b'[') {
            let letters = mem::take(&mut self.envelope.letters);
            let read = self.begin_held(&letters, tag.start);
            self.envelope.letters = letters;
            return read;
        }
        self.prose_at(tag.start);
        Ok(())
    }

    /// Begins a candidate with what was held: a bracket, and maybe capital letters.
    pub(super) fn begin_held(&mut self, held: &[u8], start: u32) -> Result<(), Stop> {
        let Some((&opener, rest)) = held.split_first() else { return Ok(()) };
        let bracket = if opener == b'{' { "{" } else { "[" };
        let at = mem::replace(&mut self.at, start);
        self.end_prose(start);
        self.begin_root(start, Candidate::Weak);
        self.envelope.before.raise(Before::Marks);
        let mut read = self.value_at(bracket, opener, 0).map(|_| ());
        if read.is_ok() && !rest.is_empty() {
            self.at = start + 1;
            read = self.run_again(str::from_utf8(rest).unwrap_or_default());
        }
        self.at = at;
        read
    }

    /// The tag that was held goes up to `end`.
    fn tag_ended(&mut self, tag: Tag, end: u32) {
        let letters = mem::take(&mut self.envelope.letters);
        let span = Span::new(tag.start, end);
        match tag.within {
            Some(thinking) if thinking.closes(&letters) => {
                self.known_tag(&letters, span);
                self.envelope.line_start = true;
            }
            Some(thinking) => self.envelope.mode = Mode::Reasoning { start: tag.start, thinking },
            None => {
                self.end_prose(tag.start);
                self.known_tag(&letters, span);
                if self.document.is_none() && Thinking::closed_by(&letters).is_some_and(|thinking| thinking.in_prompt) {
                    self.all_was_reasoning();
                }
            }
        }
        self.envelope.letters = letters;
    }

    /// The text ends within a tag.
    pub(super) fn tag_cut(&mut self, tag: Tag, end: u32) {
        if tag.within.is_some() {
            self.skip(SkipKind::Reasoning, Span::new(tag.start, end));
        } else if self.envelope.letters == b"[" && self.is_wanted(b'[') {
            // What goes wrong is kept in the machine.
            let _ = self.no_tag(tag);
        } else {
            self.prose_at(tag.start);
            self.end_prose(end);
        }
    }
}

/// Whether the letters so far are a tag that is known.
fn is_known(letters: &[u8]) -> bool {
    names::is_wrapper(letters) || Thinking::opened_by(letters).is_some() || Thinking::closed_by(letters).is_some()
}

fn name_byte(letters: &mut Vec<u8>, byte: u8) -> Read {
    let has_name = letters.last().is_some_and(|last| !matches!(last, b'<' | b'/'));
    let part = match byte {
        b'a'..=b'z' | b'A'..=b'Z' if letters.len() <= NAME => Part::Name,
        b'0'..=b'9' | b'_' | b'-' | b':' | b'.' if has_name && letters.len() <= NAME => Part::Name,
        b'/' if letters == b"<" => Part::Name,
        // A bar, or the first byte of a full-width one.
        b'|' | 0xEF if letters == b"<" => Part::Control,
        b'>' if has_name && is_known(letters) => return Read::Whole,
        b' ' | b'\t' | b'=' | b'/' | b'|' if has_name && is_known(letters) => return Read::More(Part::Rest),
        _ => return Read::Broken,
    };
    letters.push(byte.to_ascii_lowercase());
    Read::More(part)
}

fn control_byte(letters: &mut Vec<u8>, byte: u8) -> Read {
    const BAR: &[u8] = "｜".as_bytes();
    let is_bar = letters.len() <= BAR.len() && letters.get(1) == BAR.first();
    if is_bar && letters.get(1..) != Some(BAR) {
        if BAR.get(letters.len() - 1) != Some(&byte) {
            return Read::Broken;
        }
        letters.push(byte);
        if letters.get(1..) == Some(BAR) {
            letters.truncate(1);
            letters.push(b'|');
        }
        return Read::More(Part::Control);
    }
    match byte {
        b'>' => {
            while letters.len() > 2 && letters.last() == Some(&b'|') {
                letters.pop();
            }
            return if letters.len() > 2 { Read::Whole } else { Read::Broken };
        }
        b'_' | b'-' | b':' | b'.' | b'/' | b'|' | 0x80.. => {}
        _ if byte.is_ascii_alphanumeric() => {}
        _ => return Read::Broken,
    }
    if letters.len() > NAME {
        return Read::Broken;
    }
    letters.push(byte.to_ascii_lowercase());
    if letters.len() > BAR.len() + 1 && letters.ends_with(BAR) {
        letters.truncate(letters.len() - BAR.len());
        letters.push(b'|');
    }
    Read::More(Part::Control)
}

fn rest_byte(byte: u8) -> Read {
    match byte {
        b'>' => Read::Whole,
        b'<' | b'{' | b'[' | b'`' | b'\n' => Read::Broken,
        _ => Read::More(Part::Rest),
    }
}

fn square_byte(letters: &mut Vec<u8>, byte: u8) -> Read {
    letters.push(byte);
    match names::square(letters) {
        Square::Token => Read::Whole,
        Square::Unfinished => Read::More(Part::Square),
        Square::Other => {
            letters.pop();
            Read::Broken
        }
    }
}

/// Whether a control token in square brackets may go on so.
pub(super) fn may_be_square(next: u8) -> bool {
    names::square(&[b'[', next]) != Square::Other
}
