//! Documents as tokens.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Open,
    Close,
    Comma,
    Colon,
    Key,
    Text,
    Number,
    Keyword,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub sort: Sort,
    pub text: String,
    /// The blanks behind it.
    pub blank: &'static str,
    /// The pointer of the value or member that it belongs to.
    pub path: String,
    /// Whether it stands directly in an object: as a key, colon or comma, or as the bracket or text of a value.
    pub in_object: bool,
}

impl Token {
    pub fn is_value_end(&self) -> bool {
        matches!(self.sort, Sort::Close | Sort::Text | Sort::Number | Sort::Keyword)
    }

    /// The member of the root that it is in.
    pub fn member(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }
}

/// Blanks behind a comma, a colon and an opener.
type Layout = [&'static str; 3];

#[derive(Clone, Debug)]
pub struct Document {
    pub value: Value,
    pub tokens: Vec<Token>,
}

impl Document {
    pub fn new(value: Value, layout: Layout) -> Self {
        let mut tokens = Vec::new();
        tokenize(&value, "", false, layout, &mut tokens);
        Self { value, tokens }
    }

    pub fn text(&self) -> String {
        text(&self.tokens)
    }

    /// The first token and the last value of the root, which are never damaged.
    pub fn ends(&self) -> [&Token; 2] {
        [&self.tokens[1], &self.tokens[self.tokens.len() - 2]]
    }
}

pub fn text(tokens: &[Token]) -> String {
    tokens.iter().flat_map(|token| [token.text.as_str(), token.blank]).collect()
}

fn tokenize(value: &Value, path: &str, in_object: bool, layout: Layout, tokens: &mut Vec<Token>) {
    let [after_comma, after_colon, after_opener] = layout;
    let token = |sort, text: String, blank, path: &str, in_object| Token {
        sort,
        text,
        blank,
        path: path.to_owned(),
        in_object,
    };
    match value {
        Value::Object(members) => {
            tokens.push(token(Sort::Open, "{".to_owned(), after_opener, path, in_object));
            for (index, (key, value)) in members.iter().enumerate() {
                let path = format!("{path}/{key}");
                if index > 0 {
                    tokens.push(token(Sort::Comma, ",".to_owned(), after_comma, &path, true));
                }
                tokens.push(token(Sort::Key, format!("\"{key}\""), "", &path, true));
                tokens.push(token(Sort::Colon, ":".to_owned(), after_colon, &path, true));
                tokenize(value, &path, true, layout, tokens);
            }
            tokens.push(token(Sort::Close, "}".to_owned(), "", path, in_object));
        }
        Value::Array(items) => {
            tokens.push(token(Sort::Open, "[".to_owned(), after_opener, path, in_object));
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}/{index}");
                if index > 0 {
                    tokens.push(token(Sort::Comma, ",".to_owned(), after_comma, &path, false));
                }
                tokenize(item, &path, false, layout, tokens);
            }
            tokens.push(token(Sort::Close, "]".to_owned(), "", path, in_object));
        }
        Value::String(text) => tokens.push(token(Sort::Text, format!("\"{text}\""), "", path, in_object)),
        Value::Number(number) => tokens.push(token(Sort::Number, number.to_string(), "", path, in_object)),
        scalar => tokens.push(token(Sort::Keyword, scalar.to_string(), "", path, in_object)),
    }
}

/// Text that needs no escapes, and is no keyword.
fn words() -> BoxedStrategy<String> {
    let word = select(vec!["tea", "green", "cups", "leaf", "日本", "Oslo", "hot-pot", "v2.1", "4you", "it's", "a_b"]);
    vec(word, 1..4).prop_map(|words| words.join(" ")).boxed()
}

fn scalar() -> BoxedStrategy<Value> {
    prop_oneof![
        2 => words().prop_map(Value::from),
        2 => (-99..1000_i32).prop_map(Value::from),
        1 => select(vec![Value::Null, Value::Bool(true), Value::Bool(false)]),
    ]
    .boxed()
}

fn record() -> BoxedStrategy<Value> {
    (words(), scalar(), scalar(), any::<bool>())
        .prop_map(|(text, one, other, more)| {
            let mut members = Map::new();
            members.insert("name".to_owned(), text.into());
            members.insert("one".to_owned(), one);
            if more {
                members.insert("other".to_owned(), other);
            }
            Value::Object(members)
        })
        .boxed()
}

/// An object with all kinds of members in any order, so that there is a place for each damage.
pub fn document() -> BoxedStrategy<Document> {
    let texts = vec(words(), 2..4).prop_map(Value::from);
    let numbers = vec(-9..100_i32, 2..5).prop_map(Value::from);
    let records = vec(record(), 2..4).prop_map(Value::from);
    let nested = (vec(scalar(), 1..3), record()).prop_map(|(items, record)| {
        let members = [("items".to_owned(), Value::from(items)), ("record".to_owned(), record)];
        Value::Object(members.into_iter().collect())
    });
    let middle = (words(), words(), scalar(), texts, numbers, records, record(), nested);
    let middle = middle.prop_map(|(a, b, c, d, e, f, g, h)| vec![a.into(), b.into(), c, d, e, f, g, h]);
    let layout = select(vec![["", "", ""], [" ", " ", ""], ["\n  ", " ", "\n  "], ["\r\n\t", "", " "]]);
    (middle.prop_shuffle(), scalar(), scalar(), layout)
        .prop_map(|(middle, first, last, layout)| {
            let values = [first].into_iter().chain(middle).chain([last]);
            let members: Map<_, _> = values.enumerate().map(|(at, value)| (format!("m{at}"), value)).collect();
            Document::new(Value::Object(members), layout)
        })
        .boxed()
}
