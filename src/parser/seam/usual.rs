//! Whether a text repeats itself, so that what a round says again may be what comes next.

use std::collections::HashSet;

use super::before::WINDOW;

/// Rows that are like others are so by more or less: this part of what is said again is looked for.
const PART: usize = 2;

/// Whether what stands from `start` on, up to the end of the text, is usual in it: half as much is there twice somewhere,
/// or between `from` and `start` there is too little for anyone to know.
///
/// Linear: looks at the last [`WINDOW`] bytes. Of texts that were made for it, hashes may be the same where the stretches
/// are not; such a text is taken for one that repeats itself, which costs nothing but certainty.
pub(super) fn is_usual(text: &[u8], from: usize, start: usize) -> bool {
    let length = text.len().saturating_sub(start);
    if start.saturating_sub(from) <= length {
        return true;
    }
    let window = text.get(text.len().saturating_sub(WINDOW)..).unwrap_or(text);
    // What is longer than half of the window cannot be in it twice.
    let length = (length / PART).clamp(1, WINDOW / 2);
    let mut seen = HashSet::new();
    hashes(window, length).any(|hash| !seen.insert(hash))
}

/// The hash of every stretch of this length, each from that of the one before.
fn hashes(text: &[u8], length: usize) -> impl Iterator<Item = u64> {
    let weight = (1..length).fold(1_u64, |weight, _| weight.wrapping_mul(BASE));
    let leaving = std::iter::repeat_n(0, length).chain(text.iter().map(|byte| sign(*byte)));
    let all = text.iter().zip(leaving).scan(0_u64, move |hash, (byte, leaving)| {
        let kept = hash.wrapping_sub(leaving.wrapping_mul(weight));
        *hash = kept.wrapping_mul(BASE).wrapping_add(sign(*byte));
        Some(*hash)
    });
    all.skip(length - 1)
}

/// Odd, so that no byte of a stretch is lost.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

fn sign(byte: u8) -> u64 {
    u64::from(byte) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the end of a text, from a bar on, is usual in what is before it.
    fn usual(text: &str) -> bool {
        let (before, again) = text.split_once('|').expect("a bar");
        is_usual((before.to_owned() + again).as_bytes(), 0, before.len())
    }

    #[test]
    fn half_of_it_is_there_twice() {
        assert!(usual("[1,2,3,4,5,6,1,2,3|,4,5,6"));
        // Not the end itself, but something as long.
        assert!(usual("[\"ab\",\"ab\",\"ab\",|\"c\",\"d\""));
        assert!(!usual("[1,2,3,4,5,6,7,8,9|,10,11,12"));
    }

    #[test]
    fn little_before_it_says_nothing() {
        assert!(usual("[1,2,|3,4,5"));
        assert!(!usual("[1,2,3,4,|5,6,7"));
        assert!(is_usual(b"[1,2,3,4,5,6,7", 4, 9));
    }

    #[test]
    fn equal_stretches_have_equal_hashes() {
        let text = b"abcabdabcab";
        let found: Vec<u64> = hashes(text, 3).collect();
        for (one, stretch) in text.windows(3).enumerate() {
            for (other, others) in text.windows(3).enumerate() {
                assert_eq!(stretch == others, found[one] == found[other]);
            }
        }
        assert_eq!(found.len(), text.len() - 2);
        assert_eq!(hashes(b"ab", 3).count(), 0);
    }

    #[test]
    fn what_is_longer_than_the_window_is_bounded() {
        let numbers: Vec<String> = (0..4000).map(|number| number.to_string()).collect();
        let numbers = numbers.join(",") + ",";
        assert!(!is_usual(numbers.as_bytes(), 0, numbers.len() * 3 / 5));
        let zeros = "0,".repeat(8000);
        assert!(is_usual(zeros.as_bytes(), 0, zeros.len() * 3 / 5));
    }
}
