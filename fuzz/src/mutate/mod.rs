//! Changes of inputs that know what a text and its cuts are: cuts are moved to places that matter, and JSON is changed
//! by whole values and tokens. All is decided by the seed.

use crate::random::Random;

mod cuts;
mod json;
mod marked;
mod spelling;
mod tokens;
mod wrap;

pub use marked::Layout;

/// What libFuzzer would do.
type Plain = fn(&mut [u8], usize, usize) -> usize;

/// Changes the input of this size in place; gives its new size. A third of all changes are libFuzzer's own.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, layout: Layout, plain: Plain) -> usize {
    let mut random = Random::new(u64::from(seed) + 1);
    let room = max_size.min(data.len());
    if random.once_in(3) {
        return plain(data, size, room);
    }
    let Some((head, mut marked, tail)) = layout.read(&data[..size]) else { return plain(data, size, room) };
    for _ in 0..=random.below(3) {
        if layout.has_cuts() && random.once_in(3) {
            cuts::change(&mut marked, layout, &mut random);
        } else {
            match random.below(8) {
                0 | 1 => spelling::change(&mut marked, &mut random),
                2 => wrap::change(&mut marked, &mut random),
                _ => json::change(&mut marked, &mut random),
            }
        }
    }
    let new = [head, &marked.written()[..], tail].concat();
    if new.len() > room || new == data[..size] {
        return plain(data, size, room);
    }
    data[..new.len()].copy_from_slice(&new);
    new.len()
}

/// Puts a value of the other input into the place of one of this input, or behind it; gives the size of what it wrote, and
/// mostly does nothing.
pub fn cross(one: &[u8], other: &[u8], out: &mut [u8], seed: u32, layout: Layout) -> usize {
    let mut random = Random::new(u64::from(seed) + 1);
    // libFuzzer asks for this as often as for the other.
    if !random.once_in(6) {
        return 0;
    }
    let (Some((head, mut marked, tail)), Some((_, from, _))) = (layout.read(one), layout.read(other)) else { return 0 };
    json::splice(&mut marked, &from.text, &mut random);
    let new = [head, &marked.written()[..], tail].concat();
    let size = new.len().min(out.len());
    out[..size].copy_from_slice(&new[..size]);
    size
}

/// Makes a target use these changes for an input of this layout.
#[macro_export]
macro_rules! mutate_as {
    ($layout:expr) => {
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate::mutate(data, size, max_size, seed, $layout, libfuzzer_sys::fuzzer_mutate)
        });
        libfuzzer_sys::fuzz_crossover!(|data1: &[u8], data2: &[u8], out: &mut [u8], seed: u32| {
            $crate::mutate::cross(data1, data2, out, seed, $layout)
        });
    };
}
