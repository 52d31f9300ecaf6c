//! Lists into objects whose keys are the indices.

use std::fmt::Write;

use crate::split::scan::string_end;

/// A printed value with its lists made objects.
pub(super) fn lists_to_dicts(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    // For each open container how many elements it has; none for an object.
    let mut open: Vec<Option<u64>> = Vec::new();
    let mut rest = text;
    while let Some(token) = Token::first(rest) {
        let (printed, behind) = rest.split_at_checked(token.length()).unwrap_or((rest, ""));
        rest = behind;
        if !matches!(token, Token::Close | Token::Separator)
            && let Some(Some(count)) = open.last_mut()
        {
            // Writing to a string cannot fail.
            let _ = write!(out, "\"{count}\": ");
            *count += 1;
        }
        match token {
            Token::Open { is_array } => {
                out.push('{');
                open.push(is_array.then_some(0));
            }
            Token::Close => {
                out.push('}');
                open.pop();
            }
            Token::Separator | Token::Scalar(_) => out.push_str(printed),
        }
    }
    out
}

/// A token of a printed value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Token {
    Open {
        is_array: bool,
    },
    Close,
    /// A comma or colon, and the blank behind it.
    Separator,
    /// A key or a scalar of so many bytes.
    Scalar(usize),
}

impl Token {
    pub(super) fn first(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        Some(match bytes.first()? {
            b'{' => Self::Open { is_array: false },
            b'[' => Self::Open { is_array: true },
            b'}' | b']' => Self::Close,
            b',' | b':' => Self::Separator,
            b'"' => Self::Scalar(string_end(text.get(1..)?).map_or(text.len(), |end| end + 2)),
            _ => Self::Scalar(bytes.iter().position(|byte| matches!(byte, b',' | b'}' | b']')).unwrap_or(bytes.len())),
        })
    }

    pub(super) const fn length(self) -> usize {
        match self {
            Self::Open { .. } | Self::Close => 1,
            Self::Separator => 2,
            Self::Scalar(length) => length,
        }
    }
}
