//! The attacks, by what they aim at.

mod documents;
mod members;
mod outside;
mod seams;
mod strings;
mod values;
mod wire;

use crate::attack::Attack;

/// A little less than may be looked ahead for a decision, which is 256 bytes.
const FAR: usize = 230;

/// A group of attacks.
pub struct Group {
    pub name: &'static str,
    pub attacks: Vec<Attack>,
}

pub fn all() -> Vec<Group> {
    vec![
        Group { name: "Strings and keys", attacks: strings::all() },
        Group { name: "Values without quotes, numbers, escapes", attacks: values::all() },
        Group { name: "Commas, colons, brackets, comments", attacks: members::all() },
        Group { name: "Outside the JSON", attacks: outside::all() },
        Group { name: "Documents", attacks: documents::all() },
        Group { name: "Seams, contexts and prompts", attacks: seams::all() },
        Group { name: "Streams", attacks: wire::all() },
    ]
}

/// So many times the same.
fn times(unit: &str, count: usize) -> String {
    unit.repeat(count)
}

/// `before`, and `behind`, with as many of `unit` between them as one look-ahead sees.
fn far(before: &str, unit: &str, behind: &str) -> String {
    format!("{before}{}{behind}", unit.repeat(FAR / unit.len()))
}
