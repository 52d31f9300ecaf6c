//! The words of a text, counted.
//!
//! A word is a run of letters and digits, a number with its point and minus, or another sign that is neither ASCII nor
//! white space, by itself.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use super::items::Item;
use crate::document::Kind;

/// How often each word is there. Those of texts that are compared have the same seed.
#[derive(Clone, Default)]
pub(super) struct Words {
    counts: HashMap<u64, u32>,
    names: RandomState,
}

/// What other languages write for these.
const KEYWORDS: [(&str, &str); 14] = [
    ("True", "true"),
    ("TRUE", "true"),
    ("False", "false"),
    ("FALSE", "false"),
    ("None", "null"),
    ("nil", "null"),
    ("NULL", "null"),
    ("Null", "null"),
    ("undefined", "null"),
    ("NaN", "null"),
    ("nan", "null"),
    ("Infinity", "null"),
    ("inf", "null"),
    ("NA", "null"),
];

impl Words {
    /// Those of a damaged text. It is not known whether a backslash in it begins an escape, so it is read both ways:
    /// `C:\new` has the words `C` and `new`, and in `two\nlines` it is `two` and `lines`. (`unescaped` has what is
    /// meant then; of each word the larger count is taken.)
    pub(super) fn of_source(raw: &str) -> Self {
        let mut words = Self::default();
        words.add_source(raw);
        if raw.contains('\\') {
            let mut others = Self { counts: HashMap::new(), names: words.names.clone() };
            others.add_source(&unescaped(raw));
            for (word, count) in others.counts {
                let known = words.counts.entry(word).or_default();
                *known = (*known).max(count);
            }
        }
        words
    }

    /// None yet, to be compared with these.
    pub(super) fn none_of(&self) -> Self {
        Self { counts: HashMap::new(), names: self.names.clone() }
    }

    fn add_source(&mut self, text: &str) {
        each(text, |word| {
            self.add(word);
            if let Some((_, keyword)) = KEYWORDS.iter().find(|(foreign, _)| *foreign == word) {
                self.add(keyword);
            }
        });
    }

    fn add(&mut self, word: &str) {
        *self.counts.entry(self.names.hash_one(word)).or_default() += 1;
    }

    pub(super) fn add_all(&mut self, item: &Item<'_>) {
        each(item.text(), |word| self.add(word));
    }

    /// Takes away the words of an item, as far as they are there, and says whether they all were.
    pub(super) fn take(&mut self, item: &Item<'_>) -> bool {
        let mut had_all = true;
        each(item.text(), |word| had_all &= self.take_word(word));
        had_all
    }

    fn take_word(&mut self, word: &str) -> bool {
        match self.counts.get_mut(&self.names.hash_one(word)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// Whether an item has a word that is here, and not in `said`, from which its words are taken.
    pub(super) fn has_unsaid(&mut self, item: &Item<'_>, said: &mut Self) -> bool {
        let mut is_unsaid = false;
        each(item.text(), |word| {
            // One that is not in the text was made up by the rules, but for numbers, which they may spell otherwise.
            let is_here = self.take_word(word) || (!item.is_key && item.value.number_text().is_some());
            if is_here && !said.take_word(word) {
                is_unsaid = true;
            }
        });
        is_unsaid
    }

    /// Names each word of a text that the rules did not read, and that is not in `said`, from which they are taken.
    pub(super) fn each_unread(text: &str, said: &mut Self, mut with: impl FnMut(&str)) {
        // Of an escape, both readings will do.
        let (plain, read) = (counted(text), counted(&unescaped(text)));
        for (word, count) in plain {
            let count = count.min(read.get(&*word).copied().unwrap_or(0));
            let meant = KEYWORDS.iter().find(|(foreign, _)| *foreign == word).map(|(_, keyword)| *keyword);
            for _ in 0..count {
                if !said.take_word(&word) && !meant.is_some_and(|keyword| said.take_word(keyword)) {
                    with(&word);
                }
            }
        }
    }
}

/// The words of a text, and how often each is there, in the order of the words.
fn counted(text: &str) -> BTreeMap<String, u32> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    each(text, |word| *counts.entry(word.to_owned()).or_default() += 1);
    counts
}

/// Which numbers and keywords stand in a damaged text with quotes around them, and which without. With one quote they
/// count as both.
pub(super) struct Types {
    quoted: HashSet<String>,
    bare: HashSet<String>,
}

impl Types {
    pub(super) fn of(raw: &str) -> Self {
        let mut types = Self { quoted: HashSet::new(), bare: HashSet::new() };
        let is_quote =
            |sign: Option<char>| sign.is_some_and(|sign| matches!(sign, '"' | '\'' | '`' | '“' | '”' | '\\'));
        each_at(raw, |at, word| {
            if !is_literal(word) {
                return;
            }
            let before = raw.get(..at).and_then(|before| before.chars().next_back());
            let behind = raw.get(at + word.len()..).and_then(|behind| behind.chars().next());
            let quotes = u8::from(is_quote(before)) + u8::from(is_quote(behind));
            if quotes > 0 {
                types.quoted.insert(word.to_owned());
            }
            if quotes < 2 {
                types.bare.insert(word.to_owned());
            }
        });
        types
    }

    /// Whether a value of an answer is a string where the text has one, and none where it has none. Of what is no word
    /// of the text nothing is known.
    pub(super) fn fit(&self, item: &Item<'_>) -> bool {
        let text = item.text();
        let (is_quoted, is_bare) = (self.quoted.contains(text), self.bare.contains(text));
        match item.value.kind() {
            _ if item.is_key || is_quoted == is_bare => true,
            Some(Kind::String) => is_quoted,
            Some(Kind::Number | Kind::Bool | Kind::Null) => is_bare,
            _ => true,
        }
    }
}

/// Which words of a damaged text stand behind each other, and which signs it has.
pub(super) struct Order {
    pairs: HashSet<(u64, u64)>,
    signs: HashSet<char>,
    names: RandomState,
}

impl Order {
    /// That of a text, with its escapes read and not read.
    pub(super) fn of_source(raw: &str) -> Self {
        let mut order = Self { pairs: HashSet::new(), signs: raw.chars().collect(), names: RandomState::new() };
        let unescaped = raw.contains('\\').then(|| unescaped(raw));
        order.signs.extend(unescaped.iter().flat_map(|text| text.chars()));
        for text in [Some(raw), unescaped.as_deref()].into_iter().flatten() {
            let mut last = [None, None];
            each(text, |word| {
                let keyword = KEYWORDS.iter().find(|(foreign, _)| *foreign == word).map(|(_, keyword)| *keyword);
                let these = [Some(word), keyword].map(|word| Some(order.names.hash_one(word?)));
                let pairs = these.into_iter().flatten().flat_map(|this| last.map(|last| Some((last?, this))));
                order.pairs.extend(pairs.flatten());
                last = these;
            });
        }
        order
    }

    /// Whether a value stands behind its key somewhere in the text, or that cannot be told.
    pub(super) fn follows(&self, key: &Item<'_>, value: &Item<'_>) -> bool {
        let (mut last, mut first) = (None, None);
        each(key.text(), |word| last = Some(self.names.hash_one(word)));
        each(value.text(), |word| first = first.or_else(|| Some(self.names.hash_one(word))));
        last.zip(first).is_none_or(|pair| self.pairs.contains(&pair))
    }

    /// Whether the words of an item follow each other as they do somewhere in the text; where it has none, whether the
    /// text has its signs.
    pub(super) fn fits(&self, item: &Item<'_>) -> bool {
        let (mut last, mut fits) = (None, true);
        each(item.text(), |word| {
            let name = self.names.hash_one(word);
            fits &= last.replace(name).is_none_or(|last| self.pairs.contains(&(last, name)));
        });
        let has_sign = |sign: char| sign.is_whitespace() || sign.is_control() || self.signs.contains(&sign);
        fits && (last.is_some() || item.text().chars().all(has_sign))
    }
}

/// Whether the words of one text are a part of the other's: what became of a text whose end or start was misread. What
/// is empty is a part of what has no words alone; signs without a word, such as what stands between two strings, may
/// be a part of anything.
pub(super) fn are_nested(one: &str, other: &str) -> bool {
    let of = |text: &str| {
        // With a blank around each, so that no word is taken for a part of another.
        let mut words = String::from(" ");
        each(text, |word| words.extend([word, " "]));
        words
    };
    let (words, others) = (of(one), of(other));
    match (words.trim().is_empty(), others.trim().is_empty()) {
        (true, others_empty) => others_empty || !one.is_empty(),
        (false, true) => false,
        (false, false) => words.contains(&others) || others.contains(&words),
    }
}

/// Whether a word is a value without quotes.
fn is_literal(word: &str) -> bool {
    matches!(word, "true" | "false" | "null") || word.starts_with(|sign: char| sign == '-' || sign.is_ascii_digit())
}

/// The words of a text, one after the other.
fn each(text: &str, mut with: impl FnMut(&str)) {
    each_at(text, |_, word| with(word));
}

/// The same, with their places.
fn each_at(text: &str, mut with: impl FnMut(usize, &str)) {
    let mut start: Option<usize> = None;
    let mut last = ' ';
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let is_before_digit = signs.peek().is_some_and(|next| next.1.is_ascii_digit());
        let goes_on = match sign {
            _ if sign.is_alphanumeric() => true,
            '.' => start.is_some() && last.is_ascii_digit() && is_before_digit,
            '-' => start.is_none() && !last.is_alphanumeric() && is_before_digit,
            _ => false,
        };
        last = sign;
        if goes_on {
            start.get_or_insert(at);
            continue;
        }
        if let Some((start, word)) = start.take().and_then(|start| Some((start, text.get(start..at)?))) {
            with(start, word);
        }
        if !sign.is_ascii()
            && !sign.is_whitespace()
            && !sign.is_control()
            && let Some(word) = text.get(at..at + sign.len_utf8())
        {
            with(at, word);
        }
    }
    if let Some((start, word)) = start.and_then(|start| Some((start, text.get(start..)?))) {
        with(start, word);
    }
}

/// A text with its escapes read.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        let mut signs = behind.chars();
        let (sign, length) = match signs.next() {
            Some('u') => match unit(behind.get(1..5)) {
                Some(high @ 0xD800..0xDC00) => {
                    let low = behind.get(5..7).filter(|mark| *mark == "\\u").and_then(|_| unit(behind.get(7..11)));
                    let pair = low.and_then(|low| char::decode_utf16([high, low]).next()?.ok());
                    (pair, if pair.is_some() { 11 } else { 5 })
                }
                Some(unit) => (char::decode_utf16([unit]).next().and_then(Result::ok), 5),
                None => (Some('u'), 1),
            },
            Some('b' | 'f' | 'n' | 'r' | 't') => (Some(' '), 1),
            Some(other) => (Some(other), other.len_utf8()),
            None => (None, 0),
        };
        out.extend(sign);
        rest = behind.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

fn unit(digits: Option<&str>) -> Option<u16> {
    digits
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|digits| u16::from_str_radix(digits, 16).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn what_a_word_is() {
        assert_eq!(
            words("a-b -5 1-2 3.14. v1.2.3 2020-01-02 x,y"),
            ["a", "b", "-5", "1", "2", "3.14", "v1.2.3", "2020", "01", "02", "x", "y"]
        );
        assert_eq!(words("日本 🎉é—!"), ["日本", "🎉", "é", "—"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn escapes() {
        assert_eq!(unescaped(r#"a\nb \u00e9\ud83c\udf89 \"x\" C:\dir\u12"#), "a b é🎉 \"x\" C:diru12");
        assert_eq!(unescaped("\\"), "");
        assert_eq!(unescaped(r"\ud83c \u"), " u");
    }
}
