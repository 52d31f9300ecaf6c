//! An input as a text and what is marked in it.

use std::ops::Range;

use crate::CUT;
use crate::rounds::{ALL, ROUND, TAIL};

/// Where in an input the text is, and which marks it may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A text with cuts, and two bytes of options.
    Cut,
    /// The same; what is behind two cuts that stand together is kept.
    UpToCuts,
    /// The same, with the marks of rounds.
    Rounds,
    /// Two lines, then as [`Cut`](Self::Cut).
    BehindLines,
    /// A text alone, and two bytes of options.
    Whole,
    /// A text up to the first zero byte; what is behind it is kept.
    UpToZero,
}

impl Layout {
    pub fn has_cuts(self) -> bool {
        !matches!(self, Self::Whole | Self::UpToZero)
    }

    /// What stands before the text, the text, and what stands behind it.
    pub fn read(self, data: &[u8]) -> Option<(&[u8], Marked, &[u8])> {
        let mut range = 0..data.len();
        match self {
            Self::UpToZero => range.end = data.iter().position(|byte| *byte == 0).unwrap_or(data.len()),
            Self::Cut | Self::Whole | Self::Rounds => range.end = data.len().checked_sub(2)?,
            Self::UpToCuts => {
                let behind = data.windows(2).position(|pair| pair == [CUT, CUT]);
                range.end = behind.unwrap_or(data.len()).checked_sub(2)?;
            }
            Self::BehindLines => {
                let mut ends = data.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
                range = ends.nth(1)?..data.len().checked_sub(2)?;
            }
        }
        let text = data.get(range.clone())?;
        Some((&data[..range.start], Marked::read(text, self), &data[range.end..]))
    }
}

/// A text, with what is marked in it by where it stands, in order.
pub struct Marked {
    pub text: Vec<u8>,
    pub marks: Vec<(usize, Vec<u8>)>,
}

impl Marked {
    fn read(data: &[u8], layout: Layout) -> Self {
        let mut marked = Self { text: Vec::with_capacity(data.len()), marks: Vec::new() };
        let mut rest = data.iter().copied();
        while let Some(byte) = rest.next() {
            match byte {
                CUT if layout.has_cuts() => marked.marks.push((marked.text.len(), vec![CUT])),
                ROUND | ALL if layout == Layout::Rounds => marked.marks.push((marked.text.len(), vec![byte])),
                TAIL if layout == Layout::Rounds => {
                    marked.marks.push((marked.text.len(), [byte].into_iter().chain(rest.next()).collect()));
                }
                byte => marked.text.push(byte),
            }
        }
        marked
    }

    /// The bytes of which this was read.
    pub fn written(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len() + self.marks.len());
        let mut from = 0;
        for (at, mark) in &self.marks {
            out.extend_from_slice(&self.text[from..*at]);
            out.extend_from_slice(mark);
            from = *at;
        }
        out.extend_from_slice(&self.text[from..]);
        out
    }

    /// Puts these bytes in the place of those; marks keep their places in what stays.
    pub fn replace(&mut self, range: Range<usize>, with: &[u8]) {
        for (at, _) in &mut self.marks {
            if *at >= range.end {
                *at = *at - range.len() + with.len();
            } else if *at > range.start {
                *at = range.start + (*at - range.start).min(with.len());
            }
        }
        self.text.splice(range, with.iter().copied());
    }

    /// Marks a place, behind what is marked there already, unless that is the same.
    pub fn mark(&mut self, at: usize, mark: &[u8]) {
        if self.marks.iter().any(|(other, same)| *other == at && same == mark) {
            return;
        }
        let index = self.marks.partition_point(|(other, _)| *other <= at);
        self.marks.insert(index, (at, mark.to_vec()));
    }
}
