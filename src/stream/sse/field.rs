//! What a line of an event stream says.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Data,
    Event,
    Id,
    Retry,
    /// No field: a line that begins as an object does.
    Stray,
}

/// The bytes after which it is certain what a line says: `event:` or `retry:`.
pub(super) const LONGEST_NAME: usize = 6;

impl Field {
    /// The field of a line and its value, without the one space that may stand before it. `None` for comments and
    /// whatever else the standard passes over.
    #[inline]
    pub(super) fn of(line: &[u8]) -> Option<(Self, &[u8])> {
        let (field, rest) = match line {
            [b'd', b'a', b't', b'a', rest @ ..] => (Self::Data, rest),
            [b'e', b'v', b'e', b'n', b't', rest @ ..] => (Self::Event, rest),
            [b'i', b'd', rest @ ..] => (Self::Id, rest),
            [b'r', b'e', b't', b'r', b'y', rest @ ..] => (Self::Retry, rest),
            [b'{', ..] => return Some((Self::Stray, line)),
            _ => return None,
        };
        match rest {
            [b':', b' ', value @ ..] | [b':', value @ ..] => Some((field, value)),
            [] => Some((field, rest)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_whole_and_values_lose_one_space() {
        let of = |line: &'static str| Field::of(line.as_bytes()).map(|(field, value)| (field, value.to_vec()));
        assert_eq!(of("data:  a"), Some((Field::Data, b" a".to_vec())));
        assert_eq!(of("data"), Some((Field::Data, vec![])));
        assert_eq!(of("id:a:b"), Some((Field::Id, b"a:b".to_vec())));
        assert_eq!(of("event: "), Some((Field::Event, vec![])));
        assert_eq!(of("retry:\t1"), Some((Field::Retry, b"\t1".to_vec())));
        for line in [": data: a", ":", "Data: a", "datax: a", "data : a", " data: a", "\u{feff}data: a", "ids"] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
