//! Numbers that are the same for the same seed.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below this one, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() >> 33) as usize % count
    }

    /// True once in so many times.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of them; `None` where there is none.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if all.is_empty() { None } else { all.get(self.below(all.len())) }
    }
}
