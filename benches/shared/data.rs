//! The documents that the benches and the allocation gate read.
//!
//! Made by a program with fixed seeds, so that every run, on every machine, measures the same bytes and nothing has to
//! be shipped. Each function returns valid JSON of at least the asked size, by less than one element more.

// Each includer needs some of these only.
#![allow(dead_code)]

use std::fmt::Write as _;

/// A kind of document, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An array of flat objects of about 120 bytes: strings, numbers, flags, a short list.
    Records,
    /// An agent's trace: thoughts, nested tool calls whose arguments are JSON in a string, outputs full of escapes.
    Agent,
    /// One long markdown answer as a string in an object.
    Text,
    /// An array of triples of integers and decimal fractions.
    Numbers,
    /// Elements that are each 96 levels deep, objects and arrays in turn.
    Deep,
}

impl Shape {
    pub const ALL: [Self; 5] = [Self::Records, Self::Agent, Self::Text, Self::Numbers, Self::Deep];

    pub fn name(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Agent => "agent",
            Self::Text => "text",
            Self::Numbers => "numbers",
            Self::Deep => "deep",
        }
    }

    /// The document of this shape with about `bytes` bytes.
    pub fn document(self, bytes: usize) -> String {
        match self {
            Self::Records => records(bytes),
            Self::Agent => agent(bytes),
            Self::Text => text(bytes),
            Self::Numbers => numbers(bytes),
            Self::Deep => deep(bytes),
        }
    }

    /// A path that exists early in the document: what a caller would look at while the rest arrives.
    pub fn early_path(self) -> &'static str {
        match self {
            Self::Records => "/0/name",
            Self::Agent => "/trace/0/thought",
            Self::Text => "/title",
            Self::Numbers => "/0/1",
            Self::Deep => "/0/a",
        }
    }
}

/// One megabyte, as the bars count it.
pub const MB: usize = 1_000_000;

/// A tool call's worth of JSON: 100 bytes exactly.
pub const SMALL: &str =
    r#"{"reply": "Hello! How can I help you?", "mood": "calm", "done": false, "n": 3, "tags": ["a", "b12"]}"#;

pub(crate) const FIRST: [&str; 8] = ["Ada", "Grace", "Edsger", "Barbara", "Donald", "Zoë", "Niklaus", "Radia"];
pub(crate) const LAST: [&str; 8] = ["Lovelace", "Hopper", "Dijkstra", "Liskov", "Knuth", "Müller", "Wirth", "Perlman"];
pub(crate) const WORDS: [&str; 24] = [
    "the", "answer", "grows", "while", "you", "read", "it", "and", "nothing", "that", "was", "shown", "is", "taken",
    "back", "so", "a", "field", "can", "act", "early", "naïve", "parser", "stream",
];

/// The generator `SplitMix64`: small, fixed, and good enough to keep branch predictors from learning a document by
/// heart.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let index = self.below(from.len() as u64);
        from[usize::try_from(index).expect("an index into a short list")]
    }

    pub(crate) fn sentence(&mut self, words: u64) -> String {
        let mut sentence = String::new();
        for word in 0..words {
            if word > 0 {
                sentence.push(' ');
            }
            sentence.push_str(self.pick(&WORDS));
        }
        sentence
    }
}

/// Adds elements until the document, closing text included, has `bytes` bytes.
fn elements(open: &str, close: &str, bytes: usize, mut element: impl FnMut(&mut String, u64)) -> String {
    let mut out = String::with_capacity(bytes + 16 * 1024);
    out.push_str(open);
    let mut index = 0;
    loop {
        element(&mut out, index);
        if out.len() + close.len() >= bytes {
            break;
        }
        out.push_str(", ");
        index += 1;
    }
    out.push_str(close);
    out
}

pub fn records(bytes: usize) -> String {
    let mut random = Random(1);
    elements("[", "]", bytes, |out, index| {
        let (first, last) = (random.pick(&FIRST), random.pick(&LAST));
        let active = random.below(2) == 0;
        let (whole, part) = (random.below(100), random.below(100));
        let (tag, other) = (random.pick(&WORDS), random.pick(&WORDS));
        let note = if random.below(3) == 0 { format!("\"{}\"", random.sentence(3)) } else { "null".to_owned() };
        write!(
            out,
            r#"{{"id": {index}, "name": "{first} {last}", "active": {active}, "score": {whole}.{part:02}, "tags": ["{tag}", "{other}"], "note": {note}}}"#
        )
        .expect("writing to a string");
    })
}

pub fn agent(bytes: usize) -> String {
    let mut random = Random(2);
    elements(r#"{"model": "demo", "trace": ["#, r#"], "status": "done"}"#, bytes, |out, step| {
        let thought = random.sentence(14);
        let (query, path) = (random.sentence(3), random.pick(&WORDS));
        let (line, code) = (random.below(900), random.below(2));
        let (first, second) = (random.sentence(6), random.sentence(9));
        write!(
            out,
            concat!(
                r#"{{"step": {step}, "thought": "I look for \"{query}\" first.\n{thought}.", "calls": ["#,
                r#"{{"id": "call_{line}", "type": "function", "function": {{"name": "search_files", "#,
                r#""arguments": "{{\"query\": \"{query}\", \"path\": \"src\\/{path}.rs\", \"limit\": 20}}"}}}}], "#,
                r#""result": {{"exit_code": {code}, "output": "src/{path}.rs:{line}:\t{first}\n\u2014 {second}\n", "#,
                r#""matches": [{{"line": {line}, "span": [4, 19]}}]}}}}"#
            ),
            step = step,
            thought = thought,
            query = query,
            path = path,
            line = line,
            code = code,
            first = first,
            second = second,
        )
        .expect("writing to a string");
    })
}

pub fn text(bytes: usize) -> String {
    let mut random = Random(3);
    let mut out = String::with_capacity(bytes + 1024);
    out.push_str(r#"{"title": "How it works", "body": ""#);
    let close = r#"", "done": true}"#;
    while out.len() + close.len() < bytes {
        match random.below(8) {
            0 => write!(out, r"## {}\n\n", random.sentence(4)),
            1 => write!(out, r"- **{}**: {}\n", random.sentence(2), random.sentence(9)),
            2 => write!(out, r#"```rust\nlet {} = \"{}\";\n```\n\n"#, random.pick(&WORDS), random.sentence(3)),
            3 => write!(out, r#"{} \"{}\" — {} 🙂.\n\n"#, random.sentence(12), random.sentence(3), random.sentence(20)),
            _ => write!(out, r"{}, {}. {}.\n\n", random.sentence(18), random.sentence(14), random.sentence(25)),
        }
        .expect("writing to a string");
    }
    out.push_str(close);
    out
}

/// A long answer in another script: few bytes of it are ASCII.
pub fn japanese(bytes: usize) -> String {
    let mut random = Random(8);
    let mut out = String::with_capacity(bytes + 1024);
    out.push_str(r#"{"title": "仕組み", "body": ""#);
    let close = r#"", "done": true}"#;
    let phrases = [
        "答えは",
        "読んでいる間に",
        "伸びます",
        "見せたものは",
        "決して",
        "取り消されません",
        "だから",
        "項目は",
        "早く",
        "使えます",
    ];
    while out.len() + close.len() < bytes {
        for _ in 0..=random.below(9) {
            out.push_str(random.pick(&phrases));
        }
        out.push_str(if random.below(4) == 0 { r"。\n" } else { "、" });
    }
    out.push_str(close);
    out
}

pub fn numbers(bytes: usize) -> String {
    let mut random = Random(4);
    elements("[", "]", bytes, |out, _| {
        let (index, whole, part) = (random.below(1_000_000), random.below(180), random.below(1_000_000));
        let (mantissa, exponent) = (random.below(10_000), random.below(20));
        let sign = if random.below(2) == 0 { "-" } else { "" };
        write!(out, "[{index}, {sign}{whole}.{part:06}, {mantissa}e-{exponent}]").expect("writing to a string");
    })
}

pub fn deep(bytes: usize) -> String {
    const PAIRS: usize = 47;
    let mut random = Random(5);
    elements("[", "]", bytes, |out, index| {
        for _ in 0..PAIRS {
            out.push_str(r#"{"a": ["#);
        }
        write!(out, r#"{index}, "{}""#, random.pick(&WORDS)).expect("writing to a string");
        for _ in 0..PAIRS {
            out.push_str("]}");
        }
    })
}

/// Cuts a document into pieces of at least `bytes` bytes, at the next character boundary, since the peers take `&str`.
pub fn byte_chunks(document: &str, bytes: usize) -> Vec<&str> {
    let mut chunks = Vec::with_capacity(document.len() / bytes + 1);
    let mut rest = document;
    while !rest.is_empty() {
        let mut end = bytes.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (chunk, tail) = rest.split_at(end);
        chunks.push(chunk);
        rest = tail;
    }
    chunks
}

/// Cuts a document into pieces of `characters` characters.
pub fn character_chunks(document: &str, characters: usize) -> Vec<&str> {
    let mut chunks = Vec::with_capacity(document.len() / characters + 1);
    let mut rest = document;
    while !rest.is_empty() {
        let end = rest.char_indices().nth(characters).map_or(rest.len(), |(at, _)| at);
        let (chunk, tail) = rest.split_at(end);
        chunks.push(chunk);
        rest = tail;
    }
    chunks
}
