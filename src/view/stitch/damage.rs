//! Which places of a source are not sound.

use crate::document::Span;

/// The damaged places of a source, asked about from the front to the back.
pub(crate) struct Damage {
    /// In order; no two of them touch.
    spans: Vec<Span>,
    /// From here on nothing is known.
    known: u32,
    /// How many of the spans end before the last place that was asked about.
    passed: usize,
}

impl Damage {
    /// From all places, in any order, as far as they are known.
    pub(crate) fn new(mut places: Vec<Span>, known: u32) -> Self {
        places.sort_unstable();
        let mut spans: Vec<Span> = Vec::with_capacity(places.len());
        for place in places {
            match spans.last_mut() {
                Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
                _ => spans.push(place),
            }
        }
        Self { spans, known, passed: 0 }
    }

    /// Where the next damage begins, if there is none from `from` to `to`, nor at either. To be asked with places `to`
    /// that come in order.
    pub(super) fn next_behind(&mut self, from: usize, to: usize) -> Option<u32> {
        while self.spans.get(self.passed).is_some_and(|span| (span.end as usize) < to) {
            self.passed += 1;
        }
        let last = self.passed.checked_sub(1).and_then(|last| self.spans.get(last));
        if last.is_some_and(|span| span.end as usize >= from) {
            return None;
        }
        let next = self.spans.get(self.passed).map_or(self.known, |span| span.start.min(self.known));
        (next as usize > to).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_damage_behind_what_is_sound() {
        let places = [(30, 30), (5, 8), (8, 10), (6, 7), (40, 50)].map(|(start, end)| Span::new(start, end));
        let mut damage = Damage::new(places.to_vec(), 45);
        assert_eq!(damage.next_behind(0, 2), Some(5));
        assert_eq!(damage.next_behind(2, 5), None);
        assert_eq!(damage.next_behind(3, 20), None);
        assert_eq!(damage.next_behind(10, 21), None);
        assert_eq!(damage.next_behind(11, 22), Some(30));
        assert_eq!(damage.next_behind(22, 30), None);
        assert_eq!(damage.next_behind(31, 35), Some(40));
        assert_eq!(damage.next_behind(51, 60), None);
        assert_eq!(Damage::new(Vec::new(), 7).next_behind(0, 3), Some(7));
    }
}
