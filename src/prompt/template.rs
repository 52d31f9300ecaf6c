//! Text with placeholders.

use std::error::Error;
use std::fmt;

use super::block::{put_block, suffix};

const OPEN: &str = "{{";
const CLOSE: &str = "}}";

/// A text with placeholders, each of which has one of `N` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template<const N: usize> {
    names: [&'static str; N],
    /// Text, and the number of the name that follows it.
    parts: Vec<(String, usize)>,
    rest: String,
}

impl<const N: usize> Template<N> {
    pub(crate) fn new(text: &str, names: [&'static str; N]) -> Result<Self, TemplateError> {
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some((before, behind)) = rest.split_once(OPEN) {
            let offset = text.len() - behind.len() - OPEN.len();
            let Some((name, behind)) = behind.split_once(CLOSE) else {
                return Err(TemplateError { offset, unknown: None, known: names.join(", ") });
            };
            let name = name.trim();
            let Some(number) = names.iter().position(|known| *known == name) else {
                return Err(TemplateError { offset, unknown: Some(name.to_owned()), known: names.join(", ") });
            };
            parts.push((before.to_owned(), number));
            rest = behind;
        }
        Ok(Self { names, parts, rest: rest.to_owned() })
    }

    /// One of ours, which has no faults.
    pub(crate) fn known(text: &str, names: [&'static str; N]) -> Self {
        let without = |_| Self { names, parts: Vec::new(), rest: text.to_owned() };
        Self::new(text, names).unwrap_or_else(without)
    }

    /// The text with the data in place of the placeholders, in the order of the names.
    pub(crate) fn fill(&self, data: [&str; N]) -> String {
        let used = |number: &usize| self.parts.iter().any(|part| part.1 == *number);
        let blocks = || self.names.iter().zip(data).enumerate();
        let suffix = suffix(&self.names, blocks().filter(|(number, _)| used(number)).map(|(_, (_, data))| data));
        let mut out = String::new();
        for (text, number) in &self.parts {
            out.push_str(text);
            if let Some((_, (name, data))) = blocks().nth(*number) {
                put_block(&mut out, name, &suffix, data);
            }
        }
        out.push_str(&self.rest);
        out
    }
}

/// A template that cannot be filled in.
///
/// ```
/// use jsonrill::RepairTemplate;
///
/// let error = RepairTemplate::new("Mend this: {{txet}}").unwrap_err();
/// assert_eq!((error.offset(), error.unknown()), (11, Some("txet")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    offset: usize,
    /// The name that nobody knows; without one the placeholder does not end.
    unknown: Option<String>,
    known: String,
}

impl TemplateError {
    /// Where the placeholder begins, in bytes of the template.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The name that is not known. `None` where the placeholder does not end.
    #[must_use]
    pub fn unknown(&self) -> Option<&str> {
        self.unknown.as_deref()
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, unknown, known } = self;
        match unknown {
            Some(name) => write!(formatter, "unknown placeholder `{name}` at byte {offset}, there are: {known}"),
            None => write!(formatter, "the placeholder at byte {offset} lacks its `}}}}`"),
        }
    }
}

impl Error for TemplateError {}
