//! Damages of which the design says what the text reads as.

use jsonrill::RepairKind;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use crate::document::{Document, Sort, Token, document};

/// A damage of which the design says what the text reads as: the same, but for what the damage itself takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    DropComma,
    DoubleComma,
    TrailingComma,
    LeadingComma,
    DropColon,
    OtherColon(&'static str),
    DropValue,
    BareKey,
    OtherQuotes(&'static str, &'static str),
    DoubleClosingQuote,
    InnerQuotes,
    RawLineBreak,
    InvalidEscape,
    DropClosingQuote,
    DropOpeningQuote,
    WrongCloser,
    SurplusCloser,
    Comment(&'static str),
    Ellipsis,
    PlusSign,
}

pub const DAMAGES: &[Damage] = &[
    Damage::DropComma,
    Damage::DoubleComma,
    Damage::TrailingComma,
    Damage::LeadingComma,
    Damage::DropColon,
    Damage::OtherColon("="),
    Damage::OtherColon(" => "),
    Damage::OtherColon("："),
    Damage::DropValue,
    Damage::BareKey,
    Damage::OtherQuotes("'", "'"),
    Damage::OtherQuotes("`", "`"),
    Damage::OtherQuotes("“", "”"),
    Damage::OtherQuotes("\"\"\"", "\"\"\""),
    Damage::DoubleClosingQuote,
    Damage::InnerQuotes,
    Damage::RawLineBreak,
    Damage::InvalidEscape,
    Damage::DropClosingQuote,
    Damage::DropOpeningQuote,
    Damage::WrongCloser,
    Damage::SurplusCloser,
    Damage::Comment("/* \"a\": [ */"),
    Damage::Comment("// it's {\n"),
    Damage::Comment("# \", \n"),
    Damage::Ellipsis,
    Damage::PlusSign,
];

impl Damage {
    pub fn told(self) -> RepairKind {
        match self {
            Self::DropComma => RepairKind::MissingComma,
            Self::DoubleComma | Self::TrailingComma | Self::LeadingComma => RepairKind::ExtraComma,
            Self::OtherColon("：") => RepairKind::FullWidth,
            Self::DropColon | Self::OtherColon(_) => RepairKind::MissingColon,
            Self::DropValue => RepairKind::MissingValue,
            Self::BareKey => RepairKind::BareKey,
            Self::OtherQuotes(..) => RepairKind::OtherQuotes,
            Self::DoubleClosingQuote => RepairKind::DoubledQuote,
            Self::InnerQuotes => RepairKind::InnerQuote,
            Self::RawLineBreak => RepairKind::ControlCharacter,
            Self::InvalidEscape => RepairKind::InvalidEscape,
            Self::DropClosingQuote | Self::DropOpeningQuote => RepairKind::MissingQuote,
            Self::WrongCloser => RepairKind::WrongCloser,
            Self::SurplusCloser => RepairKind::SurplusCloser,
            Self::Comment(_) => RepairKind::Comment,
            Self::Ellipsis => RepairKind::Ellipsis,
            Self::PlusSign => RepairKind::NumberSpelling,
        }
    }

    /// Whether the design promises a reading for this damage at a token.
    fn is_promised(self, tokens: &[Token], at: usize) -> bool {
        let token = &tokens[at];
        let before = || &tokens[at - 1];
        let (next, after_next) = (&tokens[at + 1], &tokens[at + 2]);
        let member_follows = next.sort == Sort::Comma && next.in_object;
        match self {
            // A word before a blank may go on, and a quote before anything but a quote is text.
            Self::DropComma if token.sort == Sort::Comma => match (before().sort, next.sort) {
                _ if token.in_object => true,
                pair => matches!(
                    pair,
                    (Sort::Text, Sort::Text) | (Sort::Number | Sort::Close, Sort::Number | Sort::Text | Sort::Open)
                ),
            },
            Self::DoubleComma => token.sort == Sort::Comma,
            Self::TrailingComma => token.sort == Sort::Close && before().is_value_end(),
            Self::LeadingComma => token.sort == Sort::Open && next.sort != Sort::Close,
            // Before the first colon of braces they may be a set.
            Self::DropColon | Self::OtherColon(_) => token.sort == Sort::Colon && tokens[at - 2].sort == Sort::Comma,
            Self::DropValue => token.in_object && matches!(token.sort, Sort::Text | Sort::Number | Sort::Keyword),
            Self::BareKey => token.sort == Sort::Key,
            Self::OtherQuotes("\"\"\"", _) => token.sort == Sort::Text,
            Self::OtherQuotes(..) => matches!(token.sort, Sort::Key | Sort::Text),
            Self::DoubleClosingQuote | Self::InnerQuotes | Self::RawLineBreak | Self::InvalidEscape => {
                token.sort == Sort::Text
            }
            Self::DropClosingQuote => {
                let closed = tokens[at + 1..].iter().find(|token| token.sort != Sort::Close);
                token.sort == Sort::Text && closed.is_some_and(|token| token.sort == Sort::Comma && token.in_object)
            }
            Self::DropOpeningQuote => token.sort == Sort::Text && token.in_object && !token.text.starts_with("\"4"),
            // One that has an opener to match closes the innermost only, before a member or a closer.
            Self::WrongCloser if token.text == "]" => token.in_object && (member_follows || next.sort == Sort::Close),
            Self::WrongCloser => token.text == "}" && !token.in_object && next.sort == Sort::Close,
            // One that has none is skipped.
            Self::SurplusCloser => token.text == "]" && !is_in_array(tokens, at) && after_next.sort == Sort::Key,
            // Not behind a quote, where it would be text.
            Self::Comment(_) => matches!(token.sort, Sort::Open | Sort::Comma),
            Self::Ellipsis => token.sort == Sort::Comma && !token.in_object,
            Self::PlusSign => token.sort == Sort::Number && !token.text.starts_with('-'),
            Self::DropComma => false,
        }
    }

    /// Does it, and says what is read afterwards.
    fn apply(self, document: &mut Document, at: usize) {
        let Document { value, tokens } = document;
        let token = &mut tokens[at];
        let read = value.pointer_mut(&token.path);
        let inside = token.text.trim_matches('"').to_owned();
        match self {
            Self::DropComma | Self::DropColon => token.text = String::from(" "),
            Self::DoubleComma => token.text = String::from(",,"),
            Self::TrailingComma => token.text.insert(0, ','),
            Self::LeadingComma | Self::SurplusCloser => {
                let sign = if self == Self::LeadingComma { "," } else { "]" };
                token.text.push_str(sign);
            }
            Self::OtherColon(sign) => token.text = String::from(sign),
            Self::DropValue => {
                token.text.clear();
                *read.expect("a value") = Value::Null;
            }
            Self::BareKey => token.text = inside,
            Self::OtherQuotes(open, close) => token.text = format!("{open}{inside}{close}"),
            Self::DoubleClosingQuote => token.text.push('"'),
            Self::InnerQuotes => {
                token.text = format!("\"{inside} \"so\" he said\"");
                *read.expect("a value") = format!("{inside} \"so\" he said").into();
            }
            Self::RawLineBreak => {
                token.text = format!("\"{inside}\nmore\"");
                *read.expect("a value") = format!("{inside}\nmore").into();
            }
            Self::InvalidEscape => {
                token.text = format!("\"{inside}\\dir\"");
                *read.expect("a value") = format!("{inside}\\dir").into();
            }
            Self::DropClosingQuote => token.text = format!("\"{inside}"),
            Self::DropOpeningQuote => token.text = format!("{inside}\""),
            Self::WrongCloser => token.text = String::from(if token.text == "]" { "}" } else { "]" }),
            Self::Comment(comment) => token.text.push_str(comment),
            Self::Ellipsis => token.text.push_str(" ...,"),
            Self::PlusSign => token.text.insert(0, '+'),
        }
    }
}

/// Whether an array is open around the value that ends at a token.
fn is_in_array(tokens: &[Token], at: usize) -> bool {
    let mut path = tokens[at].path.as_str();
    while let Some((parent, step)) = path.rsplit_once('/') {
        if step.parse::<usize>().is_ok() {
            return true;
        }
        path = parent;
    }
    false
}

/// What is damaged: one of the members between the first and the last.
fn places(document: &Document, damage: Damage) -> Vec<usize> {
    let tokens = &document.tokens;
    let [first, last] = document.ends().map(Token::member);
    let inside = |at: &usize| {
        let member = tokens[*at].member();
        !member.is_empty() && member != first && member != last
    };
    (0..tokens.len()).filter(inside).filter(|at| damage.is_promised(tokens, *at)).collect()
}

/// A document with one damage, and what it reads as.
#[derive(Clone, Debug)]
pub struct Damaged {
    pub damage: Damage,
    /// The member of the root that it is in.
    pub member: String,
    pub value: Value,
    /// The last value of the root.
    pub last: Token,
    pub text: String,
}

impl Damaged {
    /// Nothing if the document has no place for the damage.
    pub fn new(mut document: Document, damage: Damage, place: Index) -> Option<Self> {
        let places = places(&document, damage);
        let at = *places.get(place.index(places.len().max(1)))?;
        let member = document.tokens[at].member().to_owned();
        damage.apply(&mut document, at);
        let text = document.text();
        let last = document.ends()[1].clone();
        Some(Self { damage, member, value: document.value, last, text })
    }
}

pub fn damaged() -> BoxedStrategy<Damaged> {
    (document(), select(DAMAGES), any::<Index>())
        .prop_filter_map("no place for it", |(document, damage, place)| Damaged::new(document, damage, place))
        .boxed()
}
