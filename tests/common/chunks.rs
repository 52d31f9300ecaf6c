//! Ways to cut an input into pieces, at any byte.

use proptest::prelude::*;
use proptest::sample::Index;

#[derive(Clone, Debug)]
pub enum Chunking {
    Whole,
    /// Pieces of this many bytes.
    Every(usize),
    /// Cut at these places. The same place twice gives an empty chunk.
    At(Vec<Index>),
}

impl Chunking {
    pub fn cut<'a>(&self, input: &'a [u8]) -> Vec<&'a [u8]> {
        match self {
            Self::Whole => vec![input],
            Self::Every(size) => input.chunks(*size).collect(),
            Self::At(places) => {
                let mut places: Vec<usize> = places.iter().map(|place| place.index(input.len() + 1)).collect();
                places.sort_unstable();
                let ends = places.iter().copied().chain([input.len()]);
                let mut start = 0;
                ends.map(|end| &input[std::mem::replace(&mut start, end)..end]).collect()
            }
        }
    }
}

/// Any of them: whole, byte by byte, small steps, cuts at random.
pub fn chunking() -> impl Strategy<Value = Chunking> {
    prop_oneof![
        1 => Just(Chunking::Whole),
        2 => Just(Chunking::Every(1)),
        2 => (2..9_usize).prop_map(Chunking::Every),
        5 => prop::collection::vec(any::<Index>(), 1..10).prop_map(Chunking::At),
    ]
}

/// Every way to cut an input in two.
pub fn two_way_splits(input: &[u8]) -> impl Iterator<Item = [&[u8]; 2]> {
    (0..=input.len()).map(|at| {
        let (head, tail) = input.split_at(at);
        [head, tail]
    })
}
