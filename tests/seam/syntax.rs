//! Valid JSON as tokens and nodes with their places in the text, and the same tokens laid out anew.

use std::fmt::Write;
use std::ops::Range;

use crate::common::tree::Tree;

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
    pub span: Range<usize>,
    /// How many containers are around it; a bracket is in those around its own container.
    pub depth: usize,
}

/// A value with its place among the tokens.
#[derive(Clone, Debug)]
pub struct Node {
    /// The tokens of the value, from the first to behind the last.
    pub tokens: Range<usize>,
    /// The token of its key.
    pub key: Option<usize>,
    pub sort: Sort,
    pub is_object: bool,
    pub children: Vec<Node>,
}

impl Node {
    pub fn is_container(&self) -> bool {
        self.sort == Sort::Open
    }

    pub fn is_array(&self) -> bool {
        self.is_container() && !self.is_object
    }
}

/// The text of a string token.
pub fn decode(token: &str) -> String {
    serde_json::from_str(token).unwrap_or_else(|error| panic!("{token}: {error}"))
}

/// A whole valid text.
#[derive(Clone, Debug)]
pub struct Syntax {
    pub text: String,
    pub tokens: Vec<Token>,
    pub root: Node,
}

impl Syntax {
    /// Reads a text that must be valid JSON.
    pub fn of(text: impl Into<String>) -> Self {
        let text = text.into();
        let mut tokens = tokens(&text);
        let mut at = 0;
        let root = node(&text, &mut tokens, &mut at, 0);
        assert_eq!(at, tokens.len(), "behind the root of {text}");
        Self { text, tokens, root }
    }

    pub fn written(&self, token: usize) -> &str {
        &self.text[self.tokens[token].span.clone()]
    }

    /// The text of a value.
    pub fn source(&self, node: &Node) -> &str {
        &self.text[self.start(node)..self.end(node)]
    }

    pub fn start(&self, node: &Node) -> usize {
        self.tokens[node.tokens.start].span.start
    }

    pub fn end(&self, node: &Node) -> usize {
        self.tokens[node.tokens.end - 1].span.end
    }

    pub fn key(&self, node: &Node) -> Option<String> {
        node.key.map(|key| decode(self.written(key)))
    }

    pub fn tree(&self, node: &Node) -> Tree {
        match node.sort {
            Sort::Open if node.is_object => Tree::Object(
                node.children.iter().map(|child| (self.key(child).expect("a member"), self.tree(child))).collect(),
            ),
            Sort::Open => Tree::Array(node.children.iter().map(|child| self.tree(child)).collect()),
            Sort::Text => Tree::String(decode(self.written(node.tokens.start))),
            Sort::Number => Tree::Number(self.written(node.tokens.start).to_owned()),
            _ => match self.written(node.tokens.start) {
                "null" => Tree::Null,
                word => Tree::Bool(word == "true"),
            },
        }
    }

    pub fn value(&self) -> Tree {
        self.tree(&self.root)
    }

    /// The containers that are open at a place, from the root inwards.
    pub fn open_at(&self, at: usize) -> Vec<&Node> {
        let mut open = Vec::new();
        let mut next = Some(&self.root);
        while let Some(node) = next {
            // Its bracket has come, and its other one has not.
            let is_open = node.is_container() && self.start(node) < at && at < self.end(node);
            next = None;
            if is_open {
                open.push(node);
                next = node.children.iter().find(|child| self.start(child) < at && at < self.end(child));
            }
        }
        open
    }

    /// The token that is cut in two there, and how many tokens are whole before it.
    pub fn token_at(&self, at: usize) -> (usize, bool) {
        let whole = self.tokens.partition_point(|token| token.span.end <= at);
        let is_cut = self.tokens.get(whole).is_some_and(|token| token.span.start < at);
        (whole, is_cut)
    }
}

/// The tokens of a text that is well-formed as far as tokens go.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += 1;
        let sort = match bytes[start] {
            b' ' | b'\t' | b'\n' | b'\r' => continue,
            b'{' | b'[' => Sort::Open,
            b'}' | b']' => Sort::Close,
            b',' => Sort::Comma,
            b':' => Sort::Colon,
            b'"' => {
                while bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                Sort::Text
            }
            byte => {
                let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                at += bytes[at..].iter().take_while(|byte| goes_on(byte)).count();
                if byte.is_ascii_lowercase() { Sort::Keyword } else { Sort::Number }
            }
        };
        depth -= usize::from(sort == Sort::Close);
        tokens.push(Token { sort, span: start..at, depth });
        depth += usize::from(sort == Sort::Open);
    }
    tokens
}

fn node(text: &str, tokens: &mut [Token], at: &mut usize, depth: usize) -> Node {
    let start = *at;
    let Token { sort, span, .. } = tokens[start].clone();
    assert_eq!(tokens[start].depth, depth);
    *at += 1;
    let is_object = text[span].starts_with('{');
    let mut children = Vec::new();
    if sort == Sort::Open {
        while tokens[*at].sort != Sort::Close {
            let key = is_object.then(|| {
                tokens[*at].sort = Sort::Key;
                assert_eq!(tokens[*at + 1].sort, Sort::Colon, "in {text}");
                *at += 2;
                *at - 2
            });
            children.push(Node { key, ..node(text, tokens, at, depth + 1) });
            if tokens[*at].sort == Sort::Comma {
                *at += 1;
                assert_ne!(tokens[*at].sort, Sort::Close, "in {text}");
            }
        }
        *at += 1;
    }
    Node { tokens: start..*at, key: None, sort, is_object, children }
}

/// How the blanks are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// None at all.
    Minified,
    /// One behind each comma and colon.
    Line,
    /// A line for each member.
    Indented(&'static str, &'static str),
    /// A line for each member down to a depth, one line for what is deeper.
    Mixed(usize),
}

pub const TWO: Layout = Layout::Indented("\n", "  ");
pub const FOUR: Layout = Layout::Indented("\n", "    ");

/// How keys are quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    Same,
    Single,
    Bare,
}

/// Tokens laid out anew.
pub struct Rendered {
    pub text: String,
    /// Where each token is now.
    pub spans: Vec<Range<usize>>,
}

impl Rendered {
    /// The place of this text that corresponds to a place of the other.
    pub fn place(&self, syntax: &Syntax, at: usize, keys: Keys) -> usize {
        let (whole, is_cut) = syntax.token_at(at);
        if is_cut {
            let token = &syntax.tokens[whole];
            // A bare key has no quote before it.
            let less = usize::from(keys == Keys::Bare && token.sort == Sort::Key);
            return self.spans[whole].start + (at - token.span.start) - less;
        }
        whole.checked_sub(1).map_or(0, |last| self.spans[last].end)
    }
}

/// The same tokens with other blanks; `spell` writes each token.
pub fn render(syntax: &Syntax, layout: Layout, mut spell: impl FnMut(usize, &Token, &str) -> String) -> Rendered {
    let mut text = String::new();
    let mut spans = Vec::new();
    for (index, token) in syntax.tokens.iter().enumerate() {
        let previous = index.checked_sub(1).map(|before| syntax.tokens[before].sort);
        let breaks = match (previous, token.sort) {
            (Some(Sort::Open), Sort::Close) => false,
            (Some(Sort::Open | Sort::Comma), _) | (Some(_), Sort::Close) => true,
            _ => false,
        };
        let indent = |newline: &str, step: &str| format!("{newline}{}", step.repeat(token.depth));
        let blank = match layout {
            Layout::Minified => String::new(),
            Layout::Indented(newline, step) if breaks => indent(newline, step),
            Layout::Mixed(depth) if breaks && token.depth <= depth => indent("\n", "  "),
            _ if matches!(previous, Some(Sort::Comma | Sort::Colon)) => " ".to_owned(),
            _ => String::new(),
        };
        text += &blank;
        let start = text.len();
        text += &spell(index, token, syntax.written(index));
        spans.push(start..text.len());
    }
    Rendered { text, spans }
}

/// Laid out anew, word for word.
pub fn laid_out(syntax: &Syntax, layout: Layout) -> Rendered {
    render(syntax, layout, |_, _, written| written.to_owned())
}

/// Laid out anew, with the keys quoted in another way.
pub fn requoted(syntax: &Syntax, layout: Layout, keys: Keys) -> Rendered {
    render(syntax, layout, |_, token, written| {
        let inside = written.get(1..written.len() - 1).unwrap_or_default();
        match keys {
            Keys::Single if token.sort == Sort::Key && !inside.contains(['\'', '"', '\\']) => format!("'{inside}'"),
            Keys::Bare if token.sort == Sort::Key => inside.to_owned(),
            _ => written.to_owned(),
        }
    })
}

/// Whether all keys can be written without quotes.
pub fn has_plain_keys(syntax: &Syntax) -> bool {
    let is_plain = |key: &str| {
        let words = ["true", "false", "null", "none", "nan", "undefined", "infinity"];
        key.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            && !words.contains(&key.to_lowercase().as_str())
    };
    let keys = syntax.tokens.iter().enumerate().filter(|(_, token)| token.sort == Sort::Key);
    keys.into_iter().all(|(index, _)| is_plain(syntax.written(index).trim_matches('"')))
}

/// A string as JSON, with everything beyond ASCII escaped or not.
pub fn quoted(text: &str, is_ascii: bool) -> String {
    let mut written = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => written += "\\\"",
            '\\' => written += "\\\\",
            '\n' => written += "\\n",
            '\t' => written += "\\t",
            '\r' => written += "\\r",
            letter if letter < ' ' || (is_ascii && !letter.is_ascii()) => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    let _ = write!(written, "\\u{unit:04x}");
                }
            }
            letter => written.push(letter),
        }
    }
    written + "\""
}

/// A value as JSON without blanks.
pub fn minified(tree: &Tree, is_ascii: bool) -> String {
    match tree {
        Tree::Null => "null".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Number(text) => text.clone(),
        Tree::String(text) => quoted(text, is_ascii),
        Tree::Array(items) => {
            format!("[{}]", items.iter().map(|item| minified(item, is_ascii)).collect::<Vec<_>>().join(","))
        }
        Tree::Object(members) => {
            let member =
                |(key, value): &(String, Tree)| format!("{}:{}", quoted(key, is_ascii), minified(value, is_ascii));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
    }
}
