//! Damages of which nothing is promised but the laws.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::document::{Token, document, text};
use crate::wrappings;

#[derive(Clone, Debug)]
pub enum Wound {
    Delete,
    Repeat,
    Swap,
    /// The first or last byte: of a string, a quote.
    Front,
    Back,
    Turn,
    Insert(&'static str),
}

fn wound() -> BoxedStrategy<Wound> {
    let signs = vec![
        "\"", "\"\"", "'", ",", ":", "{", "}", "[", "]", "(", ")", "\\", "\n", "+", "//", "/*", "...", "`", "“",
        "word ", "1", "\"k\": ", "f(", "\u{a0}", "：", "#", "```\n", "<think>", "\\\"", "\"\"\"", "True", ".5",
        "{\"a\", ", "]},",
    ];
    prop_oneof![
        2 => Just(Wound::Delete),
        1 => Just(Wound::Repeat),
        1 => Just(Wound::Swap),
        2 => Just(Wound::Front),
        2 => Just(Wound::Back),
        1 => Just(Wound::Turn),
        4 => select(signs).prop_map(Wound::Insert),
    ]
    .boxed()
}

fn hurt(tokens: &mut Vec<Token>, wound: &Wound, at: usize) {
    match wound {
        Wound::Delete => drop(tokens.remove(at)),
        Wound::Repeat => tokens.insert(at, tokens[at].clone()),
        Wound::Swap => {
            let other = (at + 1) % tokens.len();
            tokens.swap(at, other);
        }
        Wound::Front => drop(tokens[at].text.remove(0)),
        Wound::Back => drop(tokens[at].text.pop()),
        Wound::Turn => {
            let turned = match tokens[at].text.as_str() {
                "{" => "[",
                "[" => "{",
                "}" => "]",
                "]" => "}",
                "," => ":",
                _ => ",",
            };
            tokens[at].text = String::from(turned);
        }
        Wound::Insert(sign) => {
            let text = &mut tokens[at].text;
            let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
            text.insert_str(middle, sign);
        }
    }
}

/// A document that was hurt up to four times, anywhere.
pub fn hurt_document() -> BoxedStrategy<String> {
    (document(), vec((wound(), any::<Index>()), 1..5), select(wrappings()), prop::bool::weighted(0.2))
        .prop_map(|(document, wounds, (before, after), wrapped)| {
            let mut tokens = document.tokens;
            for (wound, at) in &wounds {
                let at = at.index(tokens.len());
                if !tokens[at].text.is_empty() {
                    hurt(&mut tokens, wound, at);
                }
            }
            let text = text(&tokens);
            if wrapped { format!("{before}{text}{after}") } else { text }
        })
        .boxed()
}
