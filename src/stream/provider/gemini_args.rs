//! Arguments of a call that come leaf by leaf, as Vertex streams them (`partialArgs`): each leaf has a JSONPath
//! (`$.steps[0].name`) and a value, and a string may come in pieces. They come in the order of the text, so that they
//! can be written down as the text that they are of: what is open is closed when the next leaf is elsewhere, or the
//! call ends.

use std::collections::HashSet;

use serde::Deserialize;

use crate::parser::MAX_DEPTH;

use super::loose::{Raw, Text};
use super::tool_call::escaped;

/// A leaf, or a piece of one.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Leaf<'a> {
    #[serde(borrow)]
    json_path: Text<'a>,
    #[serde(borrow)]
    string_value: Raw<'a>,
    #[serde(borrow)]
    number_value: Raw<'a>,
    #[serde(borrow)]
    bool_value: Raw<'a>,
    #[serde(borrow)]
    struct_value: Raw<'a>,
    #[serde(borrow)]
    list_value: Raw<'a>,
    #[serde(borrow)]
    null_value: Raw<'a>,
    #[serde(borrow)]
    will_continue: Raw<'a>,
}

impl Leaf<'_> {
    pub(super) fn path(&self) -> &str {
        &self.json_path
    }
}

/// How deep a leaf may be: deeper than the parser reads.
const MAX_STEPS: usize = MAX_DEPTH as usize;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(u64),
}

/// An object or array that was written and not closed, and the step in it that was written last.
#[derive(Debug)]
struct Level {
    step: Step,
    /// The names before it.
    known: HashSet<String>,
}

/// Writes leaves as one text.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    open: Vec<Level>,
    has_begun: bool,
    in_string: bool,
}

impl Leaves {
    /// The text that a leaf adds. None if it has no place behind those that came before.
    pub(super) fn add(&mut self, leaf: &Leaf<'_>) -> Option<String> {
        let path = steps(&leaf.json_path).filter(|path| !path.is_empty() && path.len() <= MAX_STEPS)?;
        let goes_on = leaf.will_continue.json() == Some("true");
        let string = leaf.string_value.string();
        let mut scalars = [leaf.number_value, leaf.bool_value, leaf.struct_value, leaf.list_value].into_iter();
        let mut text = String::new();
        let is_same = self.in_string && self.open.iter().map(|level| &level.step).eq(&path);
        if !is_same {
            self.go_to(path, &mut text)?;
            let is_null = leaf.null_value.json().is_some() || !goes_on;
            match (scalars.find_map(Raw::json), &string) {
                (Some(scalar), None) => text.push_str(scalar),
                (None, None) if is_null => text.push_str("null"),
                _ => {
                    text.push('"');
                    self.in_string = true;
                }
            }
        }
        if self.in_string {
            text.push_str(&escaped(string.as_deref().unwrap_or_default()));
            if !goes_on {
                self.close_string(&mut text);
            }
        }
        Some(text)
    }

    /// The text that ends the arguments.
    pub(super) fn end(&mut self) -> String {
        let mut text = String::new();
        self.close_string(&mut text);
        if !std::mem::replace(&mut self.has_begun, true) {
            text.push_str("{}");
        }
        self.close_to(0, &mut text);
        text
    }

    fn close_string(&mut self, text: &mut String) {
        if std::mem::take(&mut self.in_string) {
            text.push('"');
        }
    }

    fn close_to(&mut self, depth: usize, text: &mut String) {
        for level in self.open.drain(depth.min(self.open.len())..).rev() {
            text.push(if matches!(level.step, Step::Key(_)) { '}' } else { ']' });
        }
    }

    /// Closes what the path does not go through, and opens what it does.
    fn go_to(&mut self, path: Vec<Step>, text: &mut String) -> Option<()> {
        let common = self.open.iter().zip(&path).take_while(|(level, step)| level.step == **step).count();
        let is_elsewhere = common < path.len() && (common < self.open.len() || !self.has_begun);
        let is_next = self.open.get(common).is_none_or(|level| match (&level.step, path.get(common)) {
            (Step::Key(_), Some(Step::Key(key))) => !level.known.contains(key),
            (Step::Index(last), Some(Step::Index(index))) => last.checked_add(1) == Some(*index),
            _ => false,
        });
        // What is opened begins at its first element.
        let below = path.get(common.saturating_add(usize::from(self.has_begun))..).unwrap_or_default();
        if !is_elsewhere || !is_next || below.iter().any(|step| matches!(step, Step::Index(1..))) {
            return None;
        }
        self.close_string(text);
        self.close_to(common + 1, text);
        let mut is_first = !std::mem::replace(&mut self.has_begun, true);
        for (depth, step) in path.into_iter().enumerate().skip(common) {
            if is_first {
                text.push(if matches!(step, Step::Key(_)) { '{' } else { '[' });
            } else {
                text.push_str(", ");
            }
            is_first = true;
            if let Step::Key(key) = &step {
                text.push('"');
                text.push_str(&escaped(key));
                text.push_str("\": ");
            }
            if self.open.len() == depth {
                self.open.push(Level { step: Step::Index(0), known: HashSet::new() });
            }
            if let Some(level) = self.open.get_mut(depth) {
                level.enter(step);
            }
        }
        Some(())
    }
}

impl Level {
    fn enter(&mut self, step: Step) {
        if let Step::Key(key) = &step {
            self.known.insert(key.clone());
        }
        self.step = step;
    }
}

/// The steps of a path (RFC 9535) to one place. None if it is no such path.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, behind) = name.split_at_checked(end)?;
            if name.is_empty() {
                return None;
            }
            steps.push(Step::Key(name.to_owned()));
            rest = behind;
            continue;
        }
        let inside = rest.strip_prefix('[')?;
        if let Some(quote) = inside.chars().next().filter(|quote| matches!(quote, '\'' | '"')) {
            let (name, behind) = quoted(inside.get(1..)?, quote)?;
            steps.push(Step::Key(name));
            rest = behind.strip_prefix(']')?;
        } else {
            let (index, behind) = inside.split_once(']')?;
            steps.push(Step::Index(index.parse().ok()?));
            rest = behind;
        }
    }
    Some(steps)
}

/// A quoted name, and what is behind its last quote.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut json = String::from("\"");
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == quote {
            json.push('"');
            return Some((serde_json::from_str(&json).ok()?, text.get(at + 1..)?));
        }
        match character {
            '\\' => match characters.next()?.1 {
                // Of the escapes, JSON has no single quote.
                '\'' => json.push('\''),
                escape => json.extend(['\\', escape]),
            },
            '"' => json.push_str("\\\""),
            _ => json.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Step {
        Step::Key(name.to_owned())
    }

    #[test]
    fn paths() {
        assert_eq!(steps("$"), Some(vec![]));
        assert_eq!(steps("$.a.b_c[10][0]"), Some(vec![key("a"), key("b_c"), Step::Index(10), Step::Index(0)]));
        assert_eq!(steps(r#"$['a.b']["c\"]\u00e9'"]['d\'"']"#), Some(vec![key("a.b"), key("c\"]é'"), key("d'\"")]));
        for path in ["", "a", "$a", "$.", "$..a", "$[", "$[x]", "$['a", "$['a'", "$[-1]", "$.a[*]", "$['\\x']"] {
            assert_eq!(steps(path), None, "{path}");
        }
    }

    /// The text of these leaves.
    fn written(leaves: &str) -> Option<String> {
        let mut writer = Leaves::default();
        let leaves: Vec<Leaf<'_>> = serde_json::from_str(leaves).unwrap();
        let text: Option<String> = leaves.iter().map(|leaf| writer.add(leaf)).collect();
        text.map(|text| text + &writer.end())
    }

    #[test]
    fn leaves_in_order_are_the_text() {
        for (leaves, text) in [
            ("[]", "{}"),
            (
                r#"[{"jsonPath":"$.a","numberValue":1.50},{"jsonPath":"$.b","boolValue":false}]"#,
                r#"{"a": 1.50, "b": false}"#,
            ),
            (
                r#"[{"jsonPath":"$.a","nullValue":"NULL_VALUE"},{"jsonPath":"$.b","nullValue":null}]"#,
                r#"{"a": null, "b": null}"#,
            ),
            (
                r#"[{"jsonPath":"$.a","stringValue":"x\"","willContinue":true},{"jsonPath":"$.a","stringValue":"é\n"}]"#,
                r#"{"a": "x\"é\n"}"#,
            ),
            (
                r#"[{"jsonPath":"$.a","stringValue":"x","willContinue":true},{"jsonPath":"$.a","stringValue":"","willContinue":true},
                    {"jsonPath":"$.b","stringValue":"y"}]"#,
                r#"{"a": "x", "b": "y"}"#,
            ),
            (r#"[{"jsonPath":"$.a","willContinue":true},{"jsonPath":"$.a","stringValue":"x"}]"#, r#"{"a": "x"}"#),
            (
                r#"[{"jsonPath":"$.q[0].o[0].l","stringValue":"x"},{"jsonPath":"$.q[0].o[1].l","stringValue":"y"},
                    {"jsonPath":"$.q[0].t","boolValue":true},{"jsonPath":"$.q[1].t","boolValue":true},{"jsonPath":"$.z","numberValue":0}]"#,
                r#"{"q": [{"o": [{"l": "x"}, {"l": "y"}], "t": true}, {"t": true}], "z": 0}"#,
            ),
            (
                r#"[{"jsonPath":"$.a","structValue":{"b":1}},{"jsonPath":"$.c","listValue":[]}]"#,
                r#"{"a": {"b":1}, "c": []}"#,
            ),
        ] {
            assert_eq!(written(leaves).as_deref(), Some(text), "{leaves}");
        }
    }

    #[test]
    fn leaves_that_have_no_place_are_refused() {
        for leaves in [
            r#"[{"jsonPath":"$","stringValue":"x"}]"#,
            r#"[{"stringValue":"x"}]"#,
            r#"[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.a","numberValue":2}]"#,
            r#"[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.a.b","numberValue":2}]"#,
            r#"[{"jsonPath":"$.a.b","numberValue":1},{"jsonPath":"$.a","numberValue":2}]"#,
            r#"[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.b","numberValue":2},{"jsonPath":"$.a","numberValue":3}]"#,
            r#"[{"jsonPath":"$.a[1]","numberValue":1}]"#,
            r#"[{"jsonPath":"$.a[0]","numberValue":1},{"jsonPath":"$.a[2]","numberValue":1}]"#,
            r#"[{"jsonPath":"$.a[0]","numberValue":1},{"jsonPath":"$.a.b","numberValue":1}]"#,
        ] {
            assert_eq!(written(leaves), None, "{leaves}");
        }
    }
}
