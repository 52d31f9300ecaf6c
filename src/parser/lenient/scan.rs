//! What is ahead of a byte, as coarse as decisions need it, read so that it can stop at any byte.

use smallvec::SmallVec;

use super::decide::{Answer, Question};
use super::numbers::is_number;
use super::signs::{is_closing_curly, is_keyword, is_opening_quote, is_special_space, narrow};

/// What is ahead, as coarse as decisions need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Comma,
    Semicolon,
    Colon,
    Open(u8),
    Close(u8),
    Plus,
    /// A quoted text has begun; it becomes `Quoted`, or `Other` at a line break.
    Quoting,
    Quoted,
    /// Text without quotes has begun; it becomes one of the next three.
    Bare,
    Word,
    Keyword,
    Number,
    Other,
    /// A code fence, a closing tag or a control token: the answer is over.
    Closing,
    /// A full-width comma behind a quote in a string.
    Wide,
    /// Nothing more can be seen: the bound, or bytes that are no text.
    Bound,
    /// The text ends.
    End,
}

/// Reads signs, and can stop at any byte.
#[derive(Debug, Clone)]
pub(super) struct Scan {
    signs: SmallVec<[Sign; 6]>,
    /// A line break came before the sign with this number: one bit for each.
    newlines: u32,
    state: State,
    /// The first bytes of a text without quotes.
    word: SmallVec<[u8; 24]>,
    /// The character before, in a text.
    previous: char,
    left: u32,
    /// The byte in question is behind a quote in a string.
    in_string: bool,
    /// Two back-ticks have come with nothing between them: a third makes them a fence.
    empty_ticks: bool,
    first: bool,
    /// The second character of all.
    second: Option<char>,
}

/// How many bytes of a text without quotes are kept; the last character may go beyond.
const WORD: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    /// In a quoted text, and whether behind a backslash.
    Quoted(char, bool),
    Bare,
    /// Behind a slash that may begin a comment.
    Slash,
    /// Behind `<`, which may begin a tag.
    Angle,
    LineComment,
    /// And whether behind a star.
    BlockComment(bool),
}

impl Scan {
    pub(super) fn new(question: &Question, left: u32) -> Self {
        let mut scan = Self {
            signs: SmallVec::new(),
            newlines: 0,
            state: State::Between,
            word: SmallVec::new(),
            previous: ' ',
            left,
            in_string: question.is_in_string(),
            empty_ticks: false,
            first: true,
            second: None,
        };
        if let Some(quote) = question.begins_inside() {
            scan.begin_quoted(quote);
        }
        scan
    }

    /// The character behind the one that was asked about.
    pub(super) fn second(&self) -> Option<char> {
        self.second
    }

    pub(super) fn signs(&self) -> &[Sign] {
        &self.signs
    }

    /// Whether text without quotes, which is the last sign, begins like a number.
    pub(super) fn begins_number(&self) -> bool {
        self.word.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')
    }

    /// Whether text without quotes, which is the last sign, is one word.
    pub(super) fn is_one_word(&self) -> bool {
        self.word.trim_ascii().iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$'))
    }

    /// Whether a line break came before the sign with this number.
    pub(super) fn newline_before(&self, number: usize) -> bool {
        number < 32 && self.newlines & 1 << number != 0
    }

    /// Reads on. Gives the answer, and how many bytes of `text` it took.
    pub(super) fn run(&mut self, text: &str, question: &Question) -> Option<(Answer, usize)> {
        let mut i = 0;
        while let Some(rest) = text.get(i..) {
            let passed = self.pass(rest.as_bytes());
            i += passed;
            let Some(character) = rest.get(passed..).and_then(|rest| rest.chars().next()) else { break };
            let length = character.len_utf8();
            i += length;
            if self.left == 0 {
                self.signs.push(Sign::Bound);
                // This character is taken, or reading the held bytes again would not come to the bound.
                return Some((question.at_bound(self), i));
            }
            self.left = self.left.saturating_sub(u32::try_from(length).unwrap_or(1));
            let is_first = std::mem::take(&mut self.first);
            if is_first && question.skips_first() {
                continue;
            }
            let is_second = !is_first && self.second.is_none();
            if is_second {
                self.second = Some(character);
            }
            if (self.take(character) || is_second)
                && let Some(answer) = question.decide(self)
            {
                return Some((answer, i));
            }
        }
        None
    }

    /// Passes what says nothing new: the inside of comments, quoted texts and words, and blanks. Gives its length. (It
    /// is most of what is looked at where every byte of a text makes the rules look as far as they may.)
    #[inline]
    fn pass(&mut self, text: &[u8]) -> usize {
        if self.second.is_none() {
            return 0;
        }
        let text = text.get(..self.left as usize).unwrap_or(text);
        let length = match self.state {
            State::Between if !self.empty_ticks => ascii(text, |byte| matches!(byte, b' ' | b'\t')),
            State::Quoted(_, false) => ascii(text, |byte| !matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'\n' | b'\r')),
            State::Bare => ascii(text, |byte| byte.is_ascii_alphanumeric() || byte == b' '),
            State::LineComment => ascii(text, |byte| !matches!(byte, b'\n' | b'\r')),
            State::BlockComment(false) => ascii(text, |byte| byte != b'*'),
            _ => 0,
        };
        if let Some(last) = length.checked_sub(1).and_then(|last| text.get(last)) {
            match self.state {
                State::Quoted(..) => self.previous = char::from(*last),
                State::Bare => {
                    // As one by one: the first is taken as long as there is room.
                    let room = WORD.saturating_sub(self.word.len()).min(length);
                    self.word.extend_from_slice(text.get(..room).unwrap_or_default());
                    self.previous = char::from(*last);
                }
                _ => {}
            }
            self.left -= u32::try_from(length).unwrap_or(self.left);
        }
        length
    }

    /// Nothing more can be seen.
    pub(super) fn end(mut self, sign: Sign, question: &Question) -> Answer {
        if self.state == State::Bare {
            self.end_bare();
        }
        if let Some(answer) = question.decide(&self) {
            return answer;
        }
        self.signs.push(sign);
        question.decide(&self).unwrap_or_else(|| question.at_bound(&self))
    }

    /// Takes a character. Whether there is a new sign, or one changed.
    fn take(&mut self, character: char) -> bool {
        match self.state {
            State::Between if character == '`' && std::mem::take(&mut self.empty_ticks) => {
                self.become_sign(Sign::Closing);
                self.state = State::LineComment;
                true
            }
            State::Between => {
                self.empty_ticks = false;
                self.begin(character)
            }
            State::Quoted(quote, escaped) => self.quoted(character, quote, escaped),
            State::Bare => self.bare(character),
            State::Slash => match character {
                '/' => self.skip(State::LineComment),
                '*' => self.skip(State::BlockComment(false)),
                _ => {
                    self.begin_bare('/');
                    self.bare(character);
                    true
                }
            },
            State::Angle if matches!(character, '/' | '|' | '｜') => {
                self.signs.push(Sign::Closing);
                self.state = State::LineComment;
                true
            }
            State::Angle => {
                self.begin_bare('<');
                self.bare(character);
                true
            }
            State::LineComment => {
                if matches!(character, '\n' | '\r') {
                    self.newline();
                    self.state = State::Between;
                }
                false
            }
            State::BlockComment(star) => match (star, character) {
                (true, '/') => self.skip(State::Between),
                _ => self.skip(State::BlockComment(character == '*')),
            },
        }
    }

    fn skip(&mut self, state: State) -> bool {
        self.state = state;
        false
    }

    fn newline(&mut self) {
        if self.signs.len() < 32 {
            self.newlines |= 1 << self.signs.len();
        }
    }

    fn begin(&mut self, character: char) -> bool {
        let sign = match character {
            '\n' | '\r' => {
                self.newline();
                return false;
            }
            ' ' | '\t' => return false,
            ',' => Sign::Comma,
            ';' => Sign::Semicolon,
            ':' => Sign::Colon,
            '{' => Sign::Open(b'{'),
            '[' => Sign::Open(b'['),
            '(' => Sign::Open(b'('),
            '}' => Sign::Close(b'}'),
            ']' => Sign::Close(b']'),
            ')' => Sign::Close(b')'),
            '+' => Sign::Plus,
            '#' => return self.skip(State::LineComment),
            '/' => return self.skip(State::Slash),
            '<' => return self.skip(State::Angle),
            '，' | '、' if self.signs.is_empty() && self.in_string => Sign::Wide,
            '：' | '）' | '】' if self.signs.is_empty() && self.in_string => Sign::Other,
            quote if is_opening_quote(quote) => {
                self.begin_quoted(quote);
                return true;
            }
            wide if narrow(wide).is_some() => return self.begin(narrow(wide).map_or(' ', char::from)),
            space if is_special_space(space) => return false,
            _ => {
                self.begin_bare(character);
                return true;
            }
        };
        self.signs.push(sign);
        true
    }

    fn begin_quoted(&mut self, quote: char) {
        self.signs.push(Sign::Quoting);
        self.state = State::Quoted(quote, false);
        self.previous = quote;
    }

    fn quoted(&mut self, character: char, quote: char, escaped: bool) -> bool {
        let ends = match quote {
            '"' | '\'' | '`' => character == quote,
            _ => character == '"' || is_closing_curly(character),
        };
        let becomes = match character {
            '\n' | '\r' => Sign::Other,
            _ if escaped => return self.skip(State::Quoted(quote, false)),
            '\\' => return self.skip(State::Quoted(quote, true)),
            _ if ends => Sign::Quoted,
            _ => {
                self.previous = character;
                return false;
            }
        };
        self.become_sign(becomes);
        self.state = State::Between;
        self.empty_ticks = quote == '`' && character == '`' && self.previous == '`';
        true
    }

    fn become_sign(&mut self, sign: Sign) {
        if let Some(last) = self.signs.last_mut() {
            *last = sign;
        }
    }

    fn begin_bare(&mut self, character: char) {
        self.signs.push(Sign::Bare);
        self.word.clear();
        self.state = State::Bare;
        self.push_bare(character);
    }

    fn push_bare(&mut self, character: char) {
        if self.word.len() < WORD {
            self.word.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.previous = character;
    }

    fn bare(&mut self, character: char) -> bool {
        let ends = match character {
            ',' | ':' | '{' | '}' | '[' | ']' | '(' | ')' | '\n' | '\r' | ';' => true,
            wide if narrow(wide).is_some() => true,
            // Not the apostrophe in a word.
            '\'' | '`' => !self.previous.is_alphanumeric(),
            '/' | '#' | '<' => matches!(self.previous, ' ' | '\t'),
            _ => is_opening_quote(character),
        };
        if !ends {
            self.push_bare(character);
            return false;
        }
        self.end_bare();
        self.begin(character);
        true
    }

    fn end_bare(&mut self) {
        let word = self.word.trim_ascii();
        if word.len() > 1 && word.iter().all(|byte| *byte == b'.') {
            // An ellipsis is nothing.
            self.signs.pop();
        } else if word.starts_with(b"~~~") {
            self.become_sign(Sign::Closing);
        } else if all_words(word, is_keyword) {
            self.become_sign(Sign::Keyword);
        } else if all_words(word, is_number) {
            self.become_sign(Sign::Number);
        } else {
            self.become_sign(Sign::Word);
        }
        self.state = State::Between;
    }
}

/// How many bytes of ASCII `text` begins with that go on.
#[inline]
fn ascii(text: &[u8], goes_on: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|byte| !byte.is_ascii() || !goes_on(*byte)).unwrap_or(text.len())
}

/// Whether each of the words is one of these.
fn all_words(words: &[u8], fits: fn(&[u8]) -> bool) -> bool {
    words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_says_nothing_new() {
        const UNITS: [&str; 20] = [
            " ", "\t", "\n", "a", "bc1", "\"", "'", "`", "\\", "/", "*", "#", ",", ":", "é", "“", ".", "~~~", "true",
            "12 ",
        ];
        let mut seed = 7_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % below
        };
        for _ in 0..20_000 {
            let text: String = (0..random(40)).map(|_| UNITS[random(UNITS.len())]).collect();
            let mut slow = Scan::new(&Question::BareEnd, 200);
            (slow.first, slow.second) = (false, Some(' '));
            let mut quick = slow.clone();
            for character in text.chars() {
                slow.take(character);
            }
            let mut rest = text.as_str();
            loop {
                rest = &rest[quick.pass(rest.as_bytes())..];
                let Some(character) = rest.chars().next() else { break };
                quick.take(character);
                rest = &rest[character.len_utf8()..];
            }
            let all =
                |scan: &Scan| (scan.signs.clone(), scan.newlines, scan.state, scan.word.clone(), scan.empty_ticks);
            assert_eq!(all(&quick), all(&slow), "{text:?}");
            if matches!(slow.state, State::Quoted(..) | State::Bare) {
                assert_eq!(quick.previous, slow.previous, "{text:?}");
            }
        }
    }
}
