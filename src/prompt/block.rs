//! Data in a prompt: between two tags, of which the closing one is nowhere in the data.

use std::collections::BTreeSet;

/// Writes `<name>`, the data and `</name>`, each on lines of their own.
pub(super) fn put_block(out: &mut String, name: &str, suffix: &str, data: &str) {
    for part in ["<", name, suffix, ">\n", data, "\n</", name, suffix, ">"] {
        out.push_str(part);
    }
}

/// What the names are followed by in all tags of a prompt: nothing, unless some data has a closing tag of one of them
/// (or what a careless reader takes for one); then the first number that none of them has.
pub(super) fn suffix<'a>(names: &[&str], data: impl Iterator<Item = &'a str>) -> String {
    let tags = data.flat_map(|data| data.match_indices("</").filter_map(|(at, _)| number(names, data.get(at + 2..)?)));
    let taken: BTreeSet<usize> = tags.collect();
    if taken.is_empty() {
        return String::new();
    }
    // Of so many and one more, one is free.
    let free = (1..=taken.len()).find(|number| !taken.contains(number)).unwrap_or(taken.len() + 1);
    format!("-{free}")
}

/// The number of the tag whose name the text begins with.
fn number(names: &[&str], text: &str) -> Option<usize> {
    let text = text.trim_start();
    let starts = |name: &&&str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let rest = text.get(names.iter().find(starts)?.len()..)?;
    let digits = rest.strip_prefix('-').unwrap_or_default();
    let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
    // One too large to be ours is taken for none.
    Some(digits.get(..end).and_then(|digits| digits.parse().ok()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_the_data_has_are_not_used() {
        let names = ["request", "overlap"];
        for (data, expected) in [
            ("", ""),
            ("<overlap>", ""),
            ("</other>", ""),
            ("</overlap>", "-1"),
            ("a </ OverLap >", "-1"),
            ("</request-1></overlap-7>", "-2"),
            ("</request-99999999999>", "-1"),
            ("</overlap", "-1"),
            ("</é", ""),
        ] {
            assert_eq!(suffix(&names, [data].into_iter()), expected, "{data}");
        }
    }
}
