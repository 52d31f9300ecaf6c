//! The last part of what a program complains about.

use std::collections::VecDeque;

/// How much of it is kept, in bytes.
const KEPT: usize = 4096;

/// The last bytes of a stream.
#[derive(Debug, Default)]
pub(super) struct Tail(VecDeque<u8>);

impl Tail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let bytes = bytes.get(bytes.len().saturating_sub(KEPT)..).unwrap_or(bytes);
        let surplus = (self.0.len() + bytes.len()).saturating_sub(KEPT);
        self.0.drain(..surplus);
        self.0.extend(bytes);
    }

    /// As text, without control characters but for the ends of lines.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.0.iter().copied().collect();
        let is_cut = bytes.len() == KEPT;
        // It may begin inside a character.
        let whole = bytes.iter().position(|byte| byte & 0xC0 != 0x80).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes.get(if is_cut { whole } else { 0 }..).unwrap_or_default());
        let shown = text.chars().filter(|character| !character.is_control() || *character == '\n');
        let mut shown = shown.collect::<String>().trim().to_owned();
        if is_cut {
            shown.insert(0, '…');
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_is_kept() {
        let mut tail = Tail::default();
        assert_eq!(tail.text(), "");
        tail.push(b"\x1b[31mno such model\r\n");
        assert_eq!(tail.text(), "[31mno such model");
        for _ in 0..10_000 {
            tail.push("é1".as_bytes());
        }
        tail.push(b"end\n");
        assert_eq!(tail.0.len(), KEPT);
        let text = tail.text();
        assert!(text.starts_with("…") && text.ends_with("é1é1end"), "{text}");
        assert!(!text.contains(char::REPLACEMENT_CHARACTER));
        tail.push(&[b'x'; 3 * KEPT]);
        assert_eq!(tail.text(), format!("…{}", "x".repeat(KEPT)));
    }
}
