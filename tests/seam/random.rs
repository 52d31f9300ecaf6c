//! Numbers that look random and are the same in every run.

use std::ops::Range;

/// `SplitMix64`.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EED)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number of the range, which must not be empty.
    pub fn within(&mut self, range: Range<usize>) -> usize {
        let size = u64::try_from(range.len()).expect("a range in memory");
        range.start + usize::try_from(self.next() % size).expect("less than the size")
    }

    /// Yes, so many times in a hundred.
    pub fn percent(&mut self, share: usize) -> bool {
        self.within(0..100) < share
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.within(0..from.len())]
    }
}
