//! What another process needs to go on: the text, how it is read, and how much of it was shown.
//!
//! A text is read again in a few milliseconds a megabyte, so nothing else is stored: a checkpoint is as long as its
//! text (but for bytes that are no UTF-8, which take more in formats of text), does not depend on how that was cut into
//! chunks, and stays good when the inner workings of the parser change.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::parser::Options;

use super::stored_options;

/// What a checkpoint says that it is.
const FORMAT: &str = "jsonrill checkpoint";

/// The version that is written; older ones are read.
const VERSION: u32 = 1;

/// Where a parser comes from, beside its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) options: Options,
    /// How many updates it has made.
    pub(crate) updates: u64,
    /// How much of the text, in bytes, the last of them has seen.
    pub(crate) shown: u32,
    /// Where the rounds begin, but for the first, and how many of these had begun by then.
    pub(crate) rounds: Vec<u32>,
    pub(crate) shown_rounds: u32,
    /// The round in which more text came than the limit allows; the first has the number 0.
    pub(crate) overflowed: Option<u32>,
}

/// A parser's state in a form that can be stored: see [`Parser::resume`](crate::Parser::resume). Made by
/// [`Frozen::checkpoint`](crate::Frozen::checkpoint).
///
/// It has the whole text, as it is, and the options. It is written and read with any serde format. What is read is
/// checked: the format's error has the message of a [`CheckpointError`].
/// Of the same text, read with the same options and as many updates, the checkpoints are equal, however it was cut into
/// chunks.
///
/// ```
/// use jsonrill::{Checkpoint, Parser};
///
/// let mut parser = Parser::new();
/// parser.push("[1, 2");
/// let stored = serde_json::to_string(&parser.freeze().checkpoint()?)?;
/// let checkpoint: Checkpoint = serde_json::from_str(&stored)?;
/// assert_eq!(checkpoint.length(), 5);
///
/// let error = serde_json::from_str::<Checkpoint>(&stored.replace("1, 2", "1, 3")).unwrap_err();
/// assert!(error.to_string().starts_with("the checkpoint is damaged"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub struct Checkpoint {
    origin: Origin,
    text: String,
    /// What is not UTF-8: where in the text, in bytes of it, and the bytes.
    invalid: Vec<(u32, Vec<u8>)>,
}

/// As it is stored.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename = "Checkpoint")]
struct Stored {
    format: String,
    version: u32,
    // What an older or newer version does not have shows in the checksum.
    #[serde(default)]
    options: Vec<u8>,
    #[serde(default)]
    updates: u64,
    #[serde(default)]
    shown: u32,
    #[serde(default)]
    rounds: Vec<u32>,
    #[serde(default)]
    shown_rounds: u32,
    #[serde(default)]
    overflowed: Option<u32>,
    #[serde(default)]
    text: String,
    #[serde(default)]
    invalid: Vec<(u32, Vec<u8>)>,
    #[serde(default)]
    checksum: u32,
}

impl Checkpoint {
    pub(super) fn new(origin: Origin, bytes: &[u8]) -> Self {
        let mut text = String::with_capacity(bytes.len());
        let mut invalid: Vec<(u32, Vec<u8>)> = Vec::new();
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                let at = u32::try_from(text.len()).unwrap_or(u32::MAX);
                match invalid.last_mut().filter(|(last, _)| *last == at) {
                    Some((_, bytes)) => bytes.extend_from_slice(chunk.invalid()),
                    None => invalid.push((at, chunk.invalid().to_vec())),
                }
            }
        }
        Self { origin, text, invalid }
    }

    /// How much text it has, in bytes: where the next response goes on.
    #[must_use]
    pub fn length(&self) -> u64 {
        let invalid: usize = self.invalid.iter().map(|(_, bytes)| bytes.len()).sum();
        (self.text.len() + invalid) as u64
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The text as it came.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        if self.invalid.is_empty() {
            return Cow::Borrowed(self.text.as_bytes());
        }
        let mut bytes = Vec::with_capacity(self.text.len());
        let mut at = 0;
        for (place, invalid) in &self.invalid {
            let place = *place as usize;
            bytes.extend_from_slice(self.text.as_bytes().get(at..place).unwrap_or_default());
            bytes.extend_from_slice(invalid);
            at = place;
        }
        bytes.extend_from_slice(self.text.as_bytes().get(at..).unwrap_or_default());
        Cow::Owned(bytes)
    }
}

impl From<Checkpoint> for Stored {
    fn from(checkpoint: Checkpoint) -> Self {
        let Checkpoint { origin, text, invalid } = checkpoint;
        let Origin { options, updates, shown, rounds, shown_rounds, overflowed } = origin;
        let (format, options) = (FORMAT.to_owned(), stored_options::store(options));
        let version = VERSION;
        let mut stored = Self {
            format,
            version,
            options,
            updates,
            shown,
            rounds,
            shown_rounds,
            overflowed,
            text,
            invalid,
            checksum: 0,
        };
        stored.checksum = stored.checksum();
        stored
    }
}

impl Stored {
    fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(self.text.as_bytes());
        for (place, bytes) in &self.invalid {
            add(&place.to_le_bytes());
            add(bytes);
        }
        add(&self.updates.to_le_bytes());
        add(&self.shown.to_le_bytes());
        for round in &self.rounds {
            add(&round.to_le_bytes());
        }
        add(&self.shown_rounds.to_le_bytes());
        add(self.overflowed.map(u32::to_le_bytes).as_ref().map_or(&[], |rounds| rounds));
        add(&self.options);
        hasher.finalize()
    }
}

impl TryFrom<Stored> for Checkpoint {
    type Error = CheckpointError;

    fn try_from(stored: Stored) -> Result<Self, CheckpointError> {
        if stored.format != FORMAT {
            return Err(CheckpointError::Foreign);
        }
        if stored.version == 0 || stored.version > VERSION {
            return Err(CheckpointError::Version(stored.version));
        }
        let checksum = stored.checksum();
        let Stored { options, updates, shown, rounds, shown_rounds, overflowed, text, invalid, .. } = stored;
        let options = stored_options::read(&options).ok_or(CheckpointError::Damaged)?;
        let origin = Origin { options, updates, shown, rounds, shown_rounds, overflowed };
        let checkpoint = Self { origin, text, invalid };
        if checksum != stored.checksum || !checkpoint.is_sound() {
            return Err(CheckpointError::Damaged);
        }
        Ok(checkpoint)
    }
}

impl Checkpoint {
    /// Whether it could have been made from a text: a checksum can be forged.
    fn is_sound(&self) -> bool {
        let places = self.invalid.iter().map(|(place, _)| *place);
        let is_ordered = places.clone().zip(places.clone().skip(1)).all(|(first, next)| first < next);
        let is_inside = places.clone().all(|place| self.text.is_char_boundary(place as usize));
        let Origin { options, updates, shown, rounds, shown_rounds, overflowed } = self.origin.clone();
        // What was shown last was shown in the round that it is in.
        let begun = shown_rounds as usize;
        let is_in_round = begun <= rounds.len()
            && rounds.iter().take(begun).all(|round| *round <= shown)
            && rounds.iter().skip(begun).all(|round| *round >= shown);
        let (length, limit) = (self.length(), u64::from(options.limits.bytes));
        // Nothing of what came after it is kept.
        let is_full = |before: u32| {
            let mut after = rounds.iter().skip(before as usize);
            length == limit && before as usize <= rounds.len() && after.all(|round| u64::from(*round) == limit)
        };
        is_ordered
            && is_inside
            && self.invalid.iter().all(|(_, bytes)| !bytes.is_empty())
            && u64::from(shown) <= length
            && (shown == 0 && begun == 0 || updates > 0)
            && is_in_round
            && rounds.is_sorted()
            && rounds.last().is_none_or(|last| u64::from(*last) <= length)
            && length <= limit
            && overflowed.is_none_or(is_full)
            && *self == Self::new(self.origin.clone(), &self.bytes())
    }
}

/// Why there is no [`Checkpoint`], or why something that was read is none.
///
/// ```
/// use jsonrill::{CheckpointError, Options, Parser};
///
/// let mut parser = Parser::with_options(Options::new().keep_source(false));
/// assert_eq!(parser.freeze().checkpoint(), Err(CheckpointError::NoSource));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It is something else.
    Foreign,
    /// It was made by a version of this library whose checkpoints this one does not know.
    Version(u32),
    /// It is not as it was written.
    Damaged,
    /// There is none: the parser was told not to keep the source.
    NoSource,
}

impl CheckpointError {
    /// Its name in output: snake case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Foreign => "foreign",
            Self::Version(_) => "version",
            Self::Damaged => "damaged",
            Self::NoSource => "no_source",
        }
    }
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => formatter.write_str("this is no jsonrill checkpoint"),
            Self::Version(version) => {
                write!(formatter, "the checkpoint has version {version}, and this library reads version {VERSION}")
            }
            Self::Damaged => formatter.write_str("the checkpoint is damaged: it is not as it was written"),
            Self::NoSource => formatter.write_str("there is no checkpoint of a text whose source is not kept"),
        }
    }
}

impl std::error::Error for CheckpointError {}

#[cfg(test)]
mod tests {
    use crate::parser::Limits;

    use super::*;

    /// A text of eleven bytes, two of which are no UTF-8, with a second round that was shown, and a third.
    fn sound() -> Stored {
        let origin = Origin {
            options: Options::new(),
            updates: 2,
            shown: 6,
            rounds: vec![4, 9],
            shown_rounds: 1,
            overflowed: None,
        };
        let stored = Stored::from(Checkpoint::new(origin, b"[\"\xc3\xa9\xff\xfeb\", 1"));
        assert_eq!((stored.text.as_str(), stored.invalid.as_slice()), ("[\"éb\", 1", &[(4, vec![0xff, 0xfe])][..]));
        stored
    }

    /// The same with something else in it, and the checksum of that.
    fn forged(change: fn(&mut Stored)) -> Result<Checkpoint, CheckpointError> {
        let mut stored = sound();
        change(&mut stored);
        stored.checksum = stored.checksum();
        stored.try_into()
    }

    fn limited(bytes: u32) -> Vec<u8> {
        stored_options::store(Options::new().limits(Limits { bytes, ..Limits::default() }))
    }

    #[test]
    fn what_can_be_is_taken() {
        let rows: [fn(&mut Stored); 11] = [
            |_| {},
            |stored| stored.shown = 4,
            |stored| stored.shown = 9,
            |stored| (stored.shown, stored.rounds) = (11, vec![4, 11]),
            |stored| (stored.rounds, stored.shown_rounds) = (vec![6, 6], 2),
            |stored| (stored.rounds, stored.shown_rounds) = (vec![6, 6], 0),
            |stored| (stored.updates, stored.shown, stored.shown_rounds) = (0, 0, 0),
            |stored| (stored.shown, stored.rounds, stored.shown_rounds) = (0, Vec::new(), 0),
            |stored| stored.options = limited(11),
            |stored| (stored.options, stored.overflowed) = (limited(11), Some(2)),
            |stored| (stored.options, stored.rounds, stored.overflowed) = (limited(11), vec![4, 11], Some(1)),
        ];
        for (row, change) in rows.into_iter().enumerate() {
            assert!(forged(change).is_ok(), "row {row}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused_though_its_checksum_is_right() {
        let rows: [fn(&mut Stored); 22] = [
            // More was shown than there is.
            |stored| (stored.shown, stored.rounds) = (12, vec![4]),
            // Something was shown, and by no update.
            |stored| stored.updates = 0,
            |stored| (stored.updates, stored.rounds, stored.shown_rounds) = (0, vec![9], 0),
            |stored| (stored.updates, stored.shown, stored.rounds) = (0, 0, vec![0]),
            // Rounds that had begun before there were any, or after what was shown; others that had begun by then.
            |stored| (stored.shown, stored.shown_rounds) = (9, 3),
            |stored| stored.rounds = vec![7, 9],
            |stored| stored.rounds = vec![4, 5],
            // Rounds out of order, and beyond the end.
            |stored| (stored.rounds, stored.shown_rounds) = (vec![4, 2], 2),
            |stored| (stored.rounds, stored.shown_rounds) = (vec![9, 7], 0),
            |stored| stored.rounds = vec![4, 12],
            // More text than is allowed, and more than that where there is less.
            |stored| stored.options = limited(10),
            |stored| stored.overflowed = Some(2),
            |stored| (stored.options, stored.overflowed) = (limited(12), Some(2)),
            // Text that came after what was too much, or in a round that there was not.
            |stored| (stored.options, stored.overflowed) = (limited(11), Some(1)),
            |stored| (stored.options, stored.overflowed) = (limited(11), Some(3)),
            // What is no UTF-8: out of order, twice at one place, in a character, beyond the end, nothing, or a text.
            |stored| stored.invalid = vec![(7, vec![0xff]), (4, vec![0xfe])],
            |stored| stored.invalid = vec![(4, vec![0xff]), (4, vec![0xfe])],
            |stored| stored.invalid = vec![(3, vec![0xff, 0xfe])],
            |stored| stored.invalid = vec![(10, vec![0xff, 0xfe])],
            |stored| stored.invalid = vec![(4, vec![0xff, 0xfe]), (u32::MAX, vec![0xff])],
            |stored| stored.invalid.push((5, Vec::new())),
            |stored| stored.invalid = vec![(4, b"ab".to_vec())],
        ];
        for (row, change) in rows.into_iter().enumerate() {
            assert_eq!(forged(change), Err(CheckpointError::Damaged), "row {row}");
        }
    }
}
