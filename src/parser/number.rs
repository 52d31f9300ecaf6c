//! RFC 8259 numbers as an automaton: it can stop and go on at any byte.

/// What has been read of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// `-`
    Minus,
    /// `0`, which no digit may follow.
    Zero,
    /// Digits, the first not 0.
    Integer,
    /// The point.
    Point,
    /// Digits behind the point.
    Fraction,
    /// `e`
    E,
    /// The sign of the exponent.
    Sign,
    /// Digits of the exponent.
    Exponent,
}

impl Number {
    /// The state after the first byte of a number.
    pub(super) fn begin(byte: u8) -> Option<Self> {
        match byte {
            b'-' => Some(Self::Minus),
            b'0' => Some(Self::Zero),
            b'1'..=b'9' => Some(Self::Integer),
            _ => None,
        }
    }

    /// The state after one more byte, `None` if the byte does not belong to the number.
    #[inline]
    pub(super) fn step(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Integer, b'0'..=b'9') | (Self::Minus, b'1'..=b'9') => Self::Integer,
            (Self::Fraction | Self::Point, b'0'..=b'9') => Self::Fraction,
            (Self::Exponent | Self::Sign | Self::E, b'0'..=b'9') => Self::Exponent,
            (Self::Minus, b'0') => Self::Zero,
            (Self::Zero | Self::Integer, b'.') => Self::Point,
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Self::E,
            (Self::E, b'+' | b'-') => Self::Sign,
            _ => return None,
        })
    }

    /// Whether what has been read is a number.
    #[inline]
    pub(super) fn is_whole(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::Exponent)
    }

    /// What could come next where the number cannot end yet.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::E => "a digit or a sign",
            _ => "a digit",
        }
    }
}
