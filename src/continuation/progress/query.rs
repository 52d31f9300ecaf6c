//! Queries: JSONPath that may select many values, bounded in what it costs.
//!
//! The crate that answers them goes down by recursion, and visits a value once for each way to it. So what a query is
//! built of is counted before it is read.

use std::borrow::Cow;

use serde_json::Value;
use serde_json_path::JsonPath;

use super::path::Reason;

/// How many brackets and parentheses may be in each other.
const MAX_NESTING: usize = 6;
/// How many commas there may be: each may double what is visited.
const MAX_COMMAS: usize = 4;

/// A query that can be asked.
#[derive(Debug, Clone)]
pub(super) struct Query(JsonPath);

impl Query {
    /// Reads it. Without a leading `$` one is understood.
    pub(super) fn parse(text: &str) -> Result<Self, (Reason, usize)> {
        check(text).map_err(|(what, at)| (Reason::TooCostly(what), at))?;
        let with_root: Cow<'_, str> = if text.starts_with('$') {
            text.into()
        } else if text.starts_with(['[', '.']) {
            format!("${text}").into()
        } else {
            format!("$.{text}").into()
        };
        let added = with_root.len() - text.len();
        JsonPath::parse(&with_root).map(Self).map_err(|error| {
            // It counts from 1.
            let at = error.position().saturating_sub(1 + added).min(text.len());
            (Reason::Query(error.message().to_owned()), at)
        })
    }

    /// The values that it selects.
    pub(super) fn select<'v>(&self, value: &'v Value) -> impl Iterator<Item = &'v Value> {
        self.0.query(value).all().into_iter()
    }
}

/// Refuses what may take more than linear time, or much stack: what is wrong, and where.
fn check(text: &str) -> Result<(), (&'static str, usize)> {
    let (mut quote, mut escaped, mut previous) = (None, false, ' ');
    let (mut nesting, mut commas, mut descents) = (0_usize, 0_usize, 0_usize);
    // How deep the filter is that this is in.
    let mut filter = None;
    let (mut inner_root, mut inner_many) = (false, false);
    for (at, sign) in text.char_indices() {
        if let Some(end) = quote {
            if !escaped && sign == end {
                quote = None;
            }
            escaped = !escaped && sign == '\\';
            continue;
        }
        match sign {
            '"' | '\'' => quote = Some(sign),
            '[' | '(' => {
                nesting += 1;
                if nesting > MAX_NESTING {
                    return Err(("more than 6 brackets in each other", at));
                }
            }
            ']' | ')' => {
                nesting = nesting.saturating_sub(1);
                if filter.is_some_and(|depth| nesting < depth) {
                    filter = None;
                }
            }
            ',' => {
                commas += 1;
                if commas > MAX_COMMAS {
                    return Err(("more than 4 commas", at));
                }
            }
            '.' if previous == '.' => {
                descents += 1;
                if descents > 1 {
                    return Err(("a second `..`", at));
                }
                inner_many |= filter.is_some();
            }
            '?' if filter.is_some() => return Err(("a filter in a filter", at)),
            '?' => {
                filter = Some(nesting);
                (inner_root, inner_many) = (false, false);
            }
            '$' => inner_root |= filter.is_some(),
            '*' | ':' => inner_many |= filter.is_some(),
            _ => {}
        }
        if inner_root && inner_many {
            return Err(("a filter that selects many values from `$`", at));
        }
        previous = sign;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::json;

    use super::*;

    fn select(path: &str, value: &Value) -> Vec<Value> {
        Query::parse(path).unwrap().select(value).cloned().collect()
    }

    #[test]
    fn queries_of_rfc_9535() {
        let value = json!({"a": [{"b": [1, 2], "c": true}, {"b": [3], "c": false}], "b": "x"});
        assert_eq!(select("$.a[*].b", &value), [json!([1, 2]), json!([3])]);
        assert_eq!(select("a[*].b[*]", &value), [json!(1), json!(2), json!(3)]);
        assert_eq!(select("[*][0].c", &value), [json!(true)]);
        assert_eq!(select("$..b", &value).len(), 3);
        assert_eq!(select("..c", &value).len(), 2);
        assert_eq!(select("$.a[?@.c == true].b", &value), [json!([1, 2])]);
        assert_eq!(select("$.a[?length(@.b) > 1 && count(@.*) == 2].c", &value), [json!(true)]);
        assert_eq!(select("$.a[?value(@.b[0]) == $.a[0].b[0]].c", &value), [json!(true)]);
        assert_eq!(select("$ [ 'a' ] [ 1:2 ] .c", &value), [json!(false)]);
        assert_eq!(select("$['a','b']", &value).len(), 2);
    }

    #[test]
    fn what_is_no_query_says_where() {
        for (text, at) in [("a[*", 3), ("$..", 3), ("$[?]", 3), ("a[*]x", 4), ("$[?match(@.a, 'x')]", 2)] {
            let (reason, found) = Query::parse(text).unwrap_err();
            assert!(matches!(reason, Reason::Query(_)), "{text}: {reason:?}");
            assert!(found <= text.len() && found.abs_diff(at) <= 3, "{text}: {found}");
        }
    }

    #[test]
    fn costly_queries_are_refused() {
        for (text, at) in [
            ("$..a..b", 5),
            ("$[*,*][*,*][*,*][*,*][*,*]", 23),
            ("$[?@[?@.a]]", 5),
            ("$.a[?count($.b[*]) > 1]", 15),
            ("$.a[?@.b[*] && $.c]", 15),
            ("$[?((((((@.a))))))]", 8),
            ("$[[[[[[[0]]]]]]]", 7),
        ] {
            assert_eq!(check(text).map_err(|(_, at)| at), Err(at), "{text}");
        }
        // In a key they are signs like others.
        for text in ["$['..']..['..']", "$[*]['[[[[[[[,,,,,,\\'((']", "$[?@['?$*'] == \"..$*..\"]", "$[?@.a][?@.b]"] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_is_allowed_is_quick() {
        let start = Instant::now();
        let nested = format!("$[?{}@.a", "!(".repeat(5));
        for text in [
            format!("{nested}{}]", ")".repeat(5)),
            format!("{nested}{}]", ")".repeat(4)),
            "$[?length(length(length(length(length(@.a)))))>1]".to_owned(),
            format!("$[?{}]", vec!["@.a"; 900].join("||")),
            format!("${}", "[*]".repeat(1300)),
            format!("$[?@{}]", "['a']".repeat(800)),
        ] {
            let _ = Query::parse(&text);
        }
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}
