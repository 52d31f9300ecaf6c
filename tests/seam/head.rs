//! The text of the rounds so far, cut somewhere, with all that the generator knows about it.

use std::collections::HashMap;

use jsonrill::{End, Parser};

use crate::common::tree::Tree;
use crate::common::view;
use crate::syntax::{Sort, Syntax, Token};

/// A repeat of fewer tokens is a coincidence (see `given`).
pub const ENOUGH: usize = 8;

/// How many bytes of a response are held while it is not decided.
pub const HELD: usize = 512;

/// Shorter repeats than so many bytes have too few tokens.
const KEY: usize = ENOUGH;

pub struct Head<'a> {
    /// The whole document.
    pub syntax: &'a Syntax,
    /// Where it is cut.
    pub at: usize,
    /// The beginning without the blanks between tokens, and where each byte is in the text.
    dense: Vec<u8>,
    places: Vec<usize>,
    /// What is shown of it when no more comes.
    pub shown: Option<Tree>,
}

impl<'a> Head<'a> {
    pub fn new(syntax: &'a Syntax, at: usize) -> Self {
        let mut dense = Vec::new();
        let mut places = Vec::new();
        for token in &syntax.tokens {
            for place in token.span.start..token.span.end.min(at) {
                dense.push(syntax.text.as_bytes()[place]);
                places.push(place);
            }
        }
        let mut parser = Parser::new();
        parser.push(&syntax.text[..at]);
        let shown = view::root(parser.finish(End::Truncated).snapshot());
        Self { syntax, at, dense, places, shown }
    }

    pub fn text(&self) -> &'a str {
        &self.syntax.text[..self.at]
    }

    pub fn rest(&self) -> &'a str {
        &self.syntax.text[self.at..]
    }

    /// The token that the cut is in, or right behind.
    pub fn last_token(&self) -> &'a Token {
        let (whole, is_cut) = self.syntax.token_at(self.at);
        &self.syntax.tokens[if is_cut { whole } else { whole - 1 }]
    }

    /// Whether the cut is in a token, or where a number may go on.
    pub fn in_flight(&self) -> Option<Sort> {
        let token = self.last_token();
        let is_cut = token.span.end > self.at || (token.sort == Sort::Number && token.span.end == self.at);
        is_cut.then_some(token.sort)
    }

    /// How many tokens begin there or later.
    pub fn tokens_from(&self, start: usize) -> usize {
        let begun = |at: usize| self.syntax.tokens.partition_point(|token| token.span.start < at);
        begun(self.at) - begun(start)
    }

    fn in_string(&self, at: usize) -> bool {
        let (whole, is_cut) = self.syntax.token_at(at);
        is_cut && matches!(self.syntax.tokens[whole].sort, Sort::Text | Sort::Key)
    }

    /// Where the longest stretch up to the cut begins that a response begins with, of enough tokens.
    pub fn longest_repeat(&self, response: &str) -> Option<usize> {
        self.repeat(response, ENOUGH, KEY).map(|(place, _)| place)
    }

    /// The longest one of however few tokens, and how many it has.
    pub fn any_repeat(&self, response: &str) -> Option<(usize, usize)> {
        self.repeat(response, 1, 1)
    }

    fn repeat(&self, response: &str, enough: usize, key: usize) -> Option<(usize, usize)> {
        let key = self.dense.get(self.dense.len().checked_sub(key)?..)?;
        let mut longest: Option<(usize, usize)> = None;
        for is_inside in [false, true] {
            let dense = without_blanks(response, is_inside);
            let windows = dense.windows(key.len()).enumerate();
            let ends = windows.filter(|(_, window)| *window == key).map(|(at, _)| at + key.len());
            for length in ends.filter(|length| *length <= self.dense.len()) {
                let start = self.dense.len() - length;
                let place = self.places[start];
                if self.dense[start..] == dense[..length]
                    && self.in_string(place) == is_inside
                    && self.tokens_from(place) >= enough
                    && longest.is_none_or(|(longest, _)| place < longest)
                {
                    longest = Some((place, self.tokens_from(place)));
                }
            }
        }
        longest
    }

    /// What follows in a response behind the repeat of the text from a place on.
    pub fn after_repeat<'r>(&self, response: &'r str, place: usize) -> Option<&'r str> {
        let is_inside = self.in_string(place);
        let length = self.places.iter().filter(|other| **other >= place).count();
        // It ends with the last of its bytes that is no blank between tokens.
        let last = kept_bytes(response, is_inside).nth(length - 1)?;
        response.get(last + 1..)
    }

    /// Whether a text is valid JSON, or begins some.
    pub fn parses(text: &str) -> bool {
        let mut parser = Parser::strict();
        parser.push(text);
        parser.error().is_none()
    }

    /// How many tokens a response and the text begin with alike.
    pub fn tokens_alike(&self, response: &str) -> usize {
        let dense = without_blanks(response, false);
        let alike = self.dense.iter().zip(&dense).take_while(|(one, other)| one == other).count();
        self.places.get(alike).map_or(self.tokens_from(0), |place| self.tokens_from(0) - self.tokens_from(*place))
    }

    /// Whether the response may be the plain rest: both together are valid JSON, or begin some, as far as it is held.
    pub fn plain_parses(&self, response: &str) -> bool {
        let head = (0..=response.len().min(HELD)).rev().find(|end| response.is_char_boundary(*end));
        Self::parses(&format!("{}{}", self.text(), &response[..head.unwrap_or(0)]))
    }

    /// A number at the cut that the response says again.
    pub fn number_is_repeated(&self, response: &str) -> bool {
        let token = self.last_token();
        let digits = &self.syntax.text[token.span.start..token.span.end.min(self.at)];
        self.in_flight() == Some(Sort::Number) && digits.len() > 1 && response.starts_with(digits)
    }

    /// Where the root's and all other open brackets are, from the root inwards.
    pub fn open_brackets(&self) -> Vec<usize> {
        self.syntax.open_at(self.at).into_iter().map(|node| node.tokens.start).collect()
    }
}

/// A text without the blanks between tokens, read from within a string or not.
pub fn without_blanks(text: &str, in_string: bool) -> Vec<u8> {
    kept_bytes(text, in_string).map(|at| text.as_bytes()[at]).collect()
}

/// The places of the bytes that are no blanks between tokens.
fn kept_bytes(text: &str, mut in_string: bool) -> impl Iterator<Item = usize> {
    let mut is_escaped = false;
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        if is_escaped {
            is_escaped = false;
        } else if byte == b'"' {
            in_string = !in_string;
        } else if in_string && byte == b'\\' {
            is_escaped = true;
        } else if !in_string && byte.is_ascii_whitespace() {
            return None;
        }
        Some(at)
    })
}

/// Whether what is shown of something open may become the other.
pub fn may_become(shown: &Tree, whole: &Tree) -> bool {
    match (shown, whole) {
        (Tree::String(shown), Tree::String(whole)) | (Tree::Number(shown), Tree::Number(whole)) => {
            whole.starts_with(shown.as_str())
        }
        (Tree::Array(shown), Tree::Array(whole)) => {
            let Some((last, before)) = shown.split_last() else { return true };
            whole.starts_with(before) && whole.get(before.len()).is_some_and(|whole| may_become(last, whole))
        }
        (Tree::Object(shown), Tree::Object(whole)) => {
            let whole: HashMap<&str, &Tree> = whole.iter().map(|(key, value)| (key.as_str(), value)).collect();
            shown.iter().enumerate().all(|(index, (key, value))| {
                whole.get(key.as_str()).is_some_and(|whole| {
                    if index + 1 == shown.len() { may_become(value, whole) } else { value == *whole }
                })
            })
        }
        (shown, whole) => shown == whole,
    }
}
