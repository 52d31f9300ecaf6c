//! The guard against a model that repeats itself.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The rounds so far, as fingerprints.
#[derive(Debug, Clone, Default)]
pub(super) struct Repeats {
    /// Of their text.
    seen: Vec<u64>,
    /// Of the document after the last one.
    document: Option<u64>,
    in_a_row: u32,
}

/// What is new in a round.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Novelty {
    /// The document is the same as before it.
    pub(super) adds_nothing: bool,
    /// How many rounds in a row, this one included, had nothing new.
    pub(super) repeats: u32,
}

impl Repeats {
    /// Takes in a round: its text, and the document as it is if nothing more comes. (What a parser shows before that is
    /// not enough: it holds the start of a round until it knows how that goes on.)
    pub(super) fn round(&mut self, text: &str, document: &str) -> Novelty {
        let (text, document) = (fingerprint(text.trim()), fingerprint(document));
        let adds_nothing = self.document.replace(document) == Some(document);
        let is_repeat = adds_nothing || self.seen.contains(&text);
        self.in_a_row = if is_repeat { self.in_a_row.saturating_add(1) } else { 0 };
        self.seen.push(text);
        Novelty { adds_nothing, repeats: self.in_a_row }
    }

    /// Takes in the document after a round that counts for nothing here: neither as a repeat nor as something new.
    pub(super) fn pass_over(&mut self, document: &str) {
        self.document = Some(fingerprint(document));
    }
}

fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_repeats_in_a_row_count() {
        let mut repeats = Repeats::default();
        let rounds = [
            ("[1, ", "[1]", (false, 0)),
            (" [1, \n", "[1,1]", (false, 1)),
            ("2, ", "[1,1]", (true, 2)),
            ("3, ", "[1,1,3]", (false, 0)),
            ("2, ", "[1,1,3,2]", (false, 1)),
            ("4, ", "[1,1,3,2,4]", (false, 0)),
        ];
        for (text, document, (adds_nothing, in_a_row)) in rounds {
            assert_eq!(repeats.round(text, document), Novelty { adds_nothing, repeats: in_a_row }, "{text}");
        }
    }

    #[test]
    fn what_is_passed_over_does_not_count() {
        let mut repeats = Repeats::default();
        repeats.round("[1, ", "[1]");
        assert_eq!(repeats.round("[1, ", "[1]"), Novelty { adds_nothing: true, repeats: 1 });
        repeats.pass_over("[1,2]");
        assert_eq!(repeats.round("2, ", "[1,2]"), Novelty { adds_nothing: true, repeats: 2 });
    }
}
