//! Chunks into the document that they are parts of.

use std::borrow::Borrow;
use std::fmt;

use super::chunk::Chunk;
use super::scan::string_end;

/// Puts the chunks of a document together again: the text of the document without blanks, keys and scalars as they were
/// spelled. `""` for no chunks.
///
/// ```
/// use jsonrill::split::{Splitter, join};
///
/// let chunks = Splitter::new(20).split(r#"{"a": [1.50, [], {"b": -0}], "a": "\u00e9"}"#).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(chunks.len(), 3);
/// assert_eq!(join(&chunks)?, r#"{"a":[1.50,[],{"b":-0}],"a":"\u00e9"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What an index stores are [`Document`](super::Document)s: `Chunk::try_from` makes a chunk of each again.
///
/// # Errors
///
/// [`JoinError`] where the chunks are not those of one document, all of them and in their order. That the last ones are
/// missing shows where a chunk says how many there are, or where a string goes on: of chunks that a stream gave, which
/// do not say it, nobody can tell otherwise.
///
/// # Complexity
///
/// O(length of the chunks).
pub fn join<C: Borrow<Chunk>>(chunks: impl IntoIterator<Item = C>) -> Result<String, JoinError> {
    let mut text = String::new();
    let mut goes_on = false;
    let (mut joined, mut count) = (0, None);
    for (number, chunk) in (0..).zip(chunks) {
        let chunk = chunk.borrow();
        let wrong = JoinError { number, is_missing: false };
        let is_counted = chunk.count.is_none_or(|of| number < of && *count.get_or_insert(of) == of);
        if chunk.index != number || chunk.continues != goes_on || !is_counted {
            return Err(wrong);
        }
        if number == 0 {
            text.push_str(&chunk.text);
        } else {
            append(&mut text, chunk).ok_or(wrong)?;
        }
        goes_on = chunk.continued;
        joined = number + 1;
    }
    if goes_on || count.is_some_and(|count| count != joined) {
        return Err(JoinError { number: joined, is_missing: true });
    }
    Ok(text)
}

/// Appends a chunk to the text of those before it, which is JSON that was closed early.
fn append(text: &mut String, chunk: &Chunk) -> Option<()> {
    // In so many objects and arrays its first value is, and these are open between the two.
    let depth = chunk.first.matches('/').count();
    let mut rest = &*chunk.text;
    let mut in_object = false;
    for level in 0..depth {
        rest = rest.strip_prefix(['{', '['])?;
        in_object = chunk.text.get(chunk.text.len() - rest.len() - 1..)?.starts_with('{');
        if in_object && level + 1 < depth {
            rest = behind_key(rest)?;
        }
    }
    if chunk.continues {
        rest = if in_object { behind_key(rest)? } else { rest };
        rest = rest.strip_prefix('"')?;
    }
    let closers = text.len().checked_sub(depth)?;
    if !text.get(closers..)?.bytes().all(|byte| matches!(byte, b'}' | b']')) {
        return None;
    }
    text.truncate(closers);
    if chunk.continues {
        text.pop().filter(|quote| *quote == '"')?;
    } else if depth == 0 {
        return None;
    } else {
        text.push(',');
    }
    text.push_str(rest);
    Some(())
}

/// What stands behind the key and the colon that a text begins with.
fn behind_key(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('"')?;
    inside.get(string_end(inside)?..)?.strip_prefix("\":")
}

/// A chunk that does not go on with the one before it, or is missing at the end.
///
/// ```
/// use jsonrill::split::{Splitter, join};
///
/// let mut chunks: Vec<_> = Splitter::new(8).split("[1, 22, 333, 4444]").collect::<Result<_, _>>()?;
/// chunks.remove(1);
/// assert_eq!(join(&chunks).unwrap_err().number(), 1);
/// # Ok::<(), jsonrill::split::SplitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JoinError {
    number: u64,
    is_missing: bool,
}

impl JoinError {
    /// The number of the chunk in what was joined, from 0.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }
}

impl fmt::Display for JoinError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_missing {
            return write!(formatter, "chunk {} is missing", self.number);
        }
        write!(formatter, "chunk {} does not go on with the one before it", self.number)
    }
}

impl std::error::Error for JoinError {}
