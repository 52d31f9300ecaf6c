//! What is said about a seam.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the text of a round goes on with that of the rounds before.
///
/// ```
/// use jsonrill::{Parser, SeamKind};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"city": "Os"#);
/// parser.next_round();
/// parser.push(r#"{"city": "Oslo", "days": 2}"#);
/// parser.next_round();
/// assert_eq!(parser.seams()[0].kind, SeamKind::Restart);
/// assert_eq!(SeamKind::NewMembers.as_str(), "new_members");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SeamKind {
    /// It is not known yet: the start of the round is held.
    Undecided,
    /// With the very next character; where that begins a value behind one that is whole, a comma is put between them.
    ///
    /// So it is, too, where the document before is whole, and there is nothing to go on
    /// with: what the round says stands behind that document, as if it had come in the same response. It may be nothing
    /// that counts, a document that is skipped ([`Roots::One`](crate::Roots::One)), the next of them
    /// ([`Roots::Many`](crate::Roots::Many)), or an error of the strict dialect; whether the document was whole,
    /// [`Snapshot::root`](crate::Snapshot::root) says before the round begins.
    ///
    /// ```
    /// use jsonrill::{End, Parser, SeamKind, SkipKind, State};
    ///
    /// let mut parser = Parser::new();
    /// parser.push(r#"{"city": "Oslo"}"#);
    /// assert_eq!(parser.snapshot().root().state(), State::Final); // there is no need of another round
    /// parser.next_round();
    /// parser.push(r#"{"city": "Bergen"}"#);
    /// let finished = parser.finish(End::Stopped);
    /// let seam = &finished.seams()[0];
    /// assert_eq!((seam.kind, seam.dropped, seam.is_certain), (SeamKind::Rest, 0, true));
    /// assert_eq!(finished.snapshot().to_string(), r#"{"city":"Oslo"}"#);
    /// assert_eq!(finished.skipped().iter().map(|skip| skip.kind).collect::<Vec<_>>(), [SkipKind::Document]);
    /// ```
    Rest,
    /// With a tail of the text again, or an open object or array, and then the rest.
    Repeat,
    /// With the whole document again, and then the rest.
    Restart,
    /// With a new container that holds nothing but new members.
    NewMembers,
    /// Not at all: it is another document. The one before stays as it is, truncated.
    Diverged,
    /// Not at all: it is text without any structure, such as an apology. It is left out.
    Refused,
    /// There is no text, or nothing but an introduction to one, such as `Here is the rest:`.
    Empty,
}

impl SeamKind {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::Rest => "rest",
            Self::Repeat => "repeat",
            Self::Restart => "restart",
            Self::NewMembers => "new_members",
            Self::Diverged => "diverged",
            Self::Refused => "refused",
            Self::Empty => "empty",
        }
    }
}

impl fmt::Display for SeamKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The place where a round was joined to those before. One for each [`Parser::next_round`](crate::Parser::next_round).
///
/// ```
/// use jsonrill::{Parser, SeamKind};
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"city": "Os"#);
/// parser.next_round();
/// parser.push(r#"{"city": "Oslo", "days": 2}"#);
/// parser.next_round();
/// let seam = &parser.seams()[0];
/// assert_eq!((seam.kind, seam.is_certain, seam.offset), (SeamKind::Restart, true, 12));
/// assert_eq!(parser.snapshot().to_string(), r#"{"city":"Oslo","days":2}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Seam {
    /// Where the round begins, in bytes of the text of all rounds.
    pub offset: u64,
    /// How it goes on.
    pub kind: SeamKind,
    /// How many of its first bytes were not read as part of the document: what was there before, and what is around it.
    pub dropped: u64,
    /// Whether there is no other reading that is as good. In data that repeats itself there often is: what looks like a
    /// tail again may be the next rows.
    pub is_certain: bool,
}
