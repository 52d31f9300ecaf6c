//! What a value counts.

#[cfg(feature = "jsonpath")]
use serde_json::Value;

use super::node::{Children, Node};
use super::number::{count, numeric};

/// The figure that a value stands for: see [`KpiPath::measure`](super::KpiPath::measure).
pub(super) fn figure(node: Option<Node<'_>>) -> f64 {
    let Some(node) = node else { return 0.0 };
    if node.is_array() || node.is_object() {
        return count(node.len());
    }
    if let Some(number) = node.number() {
        return number;
    }
    match node.text() {
        Some(text) => numeric(text).unwrap_or(0.0),
        None if node.is_true() => 1.0,
        None => 0.0,
    }
}

/// How many values there are that are neither objects nor arrays.
pub(super) fn leaves(root: Node<'_>) -> f64 {
    let (mut leaves, mut open) = (0, Vec::<Children<'_>>::new());
    let mut next = Some(root);
    loop {
        match next {
            Some(node) if node.is_array() || node.is_object() => open.push(node.children()),
            Some(_) => leaves += 1,
            None => {
                open.pop();
            }
        }
        let Some(children) = open.last_mut() else { return count(leaves) };
        next = children.next().map(|(_, child)| child);
    }
}

/// Whether a value has at most so many containers in each other.
#[cfg(feature = "jsonpath")]
pub(super) fn is_nested_within(value: &Value, depth: u32) -> bool {
    let depth = usize::try_from(depth).unwrap_or(usize::MAX);
    let mut open = vec![Node::Owned(value).children()];
    while let Some(children) = open.last_mut() {
        match children.next() {
            Some((_, node)) if node.is_array() || node.is_object() => {
                if open.len() >= depth {
                    return false;
                }
                open.push(node.children());
            }
            Some(_) => {}
            None => {
                open.pop();
            }
        }
    }
    true
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "they are exact")]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::parser::Parser;

    #[test]
    fn every_kind_of_value() {
        let text =
            r#"[[1, [2, 3]], {"a": 1, "b": {}}, 12.5, -3, "40", " 7 ", "many", "", true, false, null, 1e999, "1e999"]"#;
        let expected = [2.0, 2.0, 12.5, -3.0, 40.0, 7.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let mut parser = Parser::new();
        parser.push(text);
        let snapshot = parser.snapshot();
        let value = snapshot.to_value();
        for (index, expected) in expected.into_iter().enumerate() {
            let streamed = Node::Streamed(snapshot.get(index));
            assert_eq!(figure(Some(streamed)), expected, "element {index}");
            assert_eq!(figure(Node::Owned(&value).element(index)), expected, "element {index}");
        }
        assert_eq!(figure(None), 0.0);
    }

    #[test]
    fn leaves_are_what_is_no_container() {
        for (value, expected) in [
            (json!([]), 0.0),
            (json!(1), 1.0),
            (json!({"a": {}, "b": [[], [null]]}), 1.0),
            (json!({"a": [1, 2, {"b": "x"}], "c": true, "d": [[3]]}), 5.0),
        ] {
            assert_eq!(leaves(Node::Owned(&value)), expected, "{value}");
        }
    }

    #[cfg(feature = "jsonpath")]
    #[test]
    fn depth_counts_containers() {
        assert!(is_nested_within(&json!(1), 0));
        assert!(is_nested_within(&json!([1, {"a": [2]}]), 3));
        assert!(!is_nested_within(&json!([1, {"a": [2]}]), 2));
        assert!(is_nested_within(&json!([[], [[]], []]), 3));
    }
}
