//! What a feed returns.

use std::fmt;
use std::sync::Arc;

use crate::document::{Path, Start};
use crate::parser::Error;

use super::ambiguity::{Ambiguity, State};
use super::delta::Delta;
use super::snapshot::Snapshot;

/// What a feed, or the end of the text, returns: what is known now, what is new, and what may still change.
///
/// It is owned, can be kept and sent to other threads, and costs as much as a copy of the open path. Nothing is
/// computed before it is asked for.
///
/// ```
/// use jsonrill::Parser;
///
/// let mut parser = Parser::new();
/// parser.feed(r#"{"city": "Os"#);
/// let update = parser.feed(r#"lo", "#);
/// assert_eq!(update.snapshot().at("/city"), "Oslo"); // what is known
/// assert_eq!(update.delta().text("/city"), Some("lo")); // what is new
/// assert!(update.became_final("/city") && update.is_ambiguous("")); // what may still change
/// assert_eq!(update.sequence(), 2);
/// ```
#[derive(Clone)]
pub struct Update {
    pub(crate) before: Start,
    pub(crate) snapshot: Snapshot,
    pub(crate) sequence: u64,
    pub(crate) document: u32,
    pub(crate) error: Option<Arc<Error>>,
    pub(crate) earlier: Option<Arc<Vec<Update>>>,
}

impl Update {
    /// What is known now.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// What is new since the last update. Where another document has begun in between, all of it.
    #[must_use]
    pub fn delta(&self) -> Delta<'_> {
        Delta::new(&self.before, &self.snapshot)
    }

    /// What may still change, as a tree.
    #[must_use]
    pub fn ambiguity(&self) -> Ambiguity<'_> {
        self.snapshot.ambiguity()
    }

    /// Its number, from 1, without gaps over all updates of a parser.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The number of the document it is about, from 0.
    #[must_use]
    pub fn document(&self) -> u32 {
        self.document
    }

    /// Why the parser stopped, if it did.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.as_deref()
    }

    /// Whether the value at a path is there and can never change again.
    #[must_use]
    pub fn is_final(&self, path: impl Path) -> bool {
        self.snapshot.is_final(path)
    }

    /// Whether the value at a path became final with this update. See [`Delta::became_final`].
    #[must_use]
    pub fn became_final(&self, path: impl Path) -> bool {
        self.delta().became_final(path)
    }

    /// Whether the value at a path may still change, or may still come.
    #[must_use]
    pub fn is_ambiguous(&self, path: impl Path) -> bool {
        self.snapshot.is_ambiguous(path)
    }

    /// What is known about the value at a path: see [`State`].
    #[must_use]
    pub fn state(&self, path: impl Path) -> State {
        self.snapshot.state(path)
    }

    /// All that one feed did where it ended documents and began others: an update for each document, in order, this
    /// one last.
    ///
    /// ```
    /// use jsonrill::{Options, Parser, Roots};
    ///
    /// let mut parser = Parser::with_options(Options::new().roots(Roots::Many));
    /// let update = parser.feed("{\"id\": 1}\n{\"id\": 2}\n{\"id\"");
    /// let ids: Vec<_> = update.parts().map(|part| (part.document(), part.snapshot().at("/id").as_i64())).collect();
    /// assert_eq!(ids, [(0, Some(1)), (1, Some(2))]);
    ///
    /// // To act on each document once, when it is whole:
    /// let whole = update.parts().filter(|part| part.became_final("")).count();
    /// assert_eq!(whole, 2);
    /// ```
    ///
    /// The end of the text may end one, too: [`Finished::update`](crate::Finished::update) is one more update.
    #[must_use]
    pub fn parts(&self) -> Parts<'_> {
        Parts { earlier: self.earlier.as_deref().map(Vec::as_slice).unwrap_or_default().iter(), last: Some(self) }
    }
}

impl fmt::Debug for Update {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Update")
            .field("sequence", &self.sequence)
            .field("document", &self.document)
            .field("snapshot", &self.snapshot)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

/// The updates of one feed, one for each document. Made by [`Update::parts`].
///
/// ```
/// use jsonrill::{Options, Parser, Roots};
///
/// let mut parser = Parser::with_options(Options::new().roots(Roots::Many));
/// let update = parser.feed("{\"n\": 1}{\"n\": 2}");
/// let numbers: Vec<_> = update.parts().map(|part| (part.document(), part.snapshot().at("/n").as_i64())).collect();
/// assert_eq!(numbers, [(0, Some(1)), (1, Some(2))]);
/// ```
#[derive(Debug, Clone)]
pub struct Parts<'a> {
    earlier: std::slice::Iter<'a, Update>,
    last: Option<&'a Update>,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a Update;

    fn next(&mut self) -> Option<&'a Update> {
        self.earlier.next().or_else(|| self.last.take())
    }
}
