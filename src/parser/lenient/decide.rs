//! The decisions that need to look ahead: what is asked, and what the bytes ahead say.
//!
//! Each is one function from the signs ahead to an answer, none as long as they do not say. All follow from one
//! principle: a reading must fit what comes after it, and where two fit, text wins inside a string and structure
//! between values.

#![expect(
    clippy::match_same_arms,
    clippy::unnested_or_patterns,
    reason = "one pattern for each shape of what is ahead, in the order in which they are to be understood"
)]

use crate::document::NodeKind;

use super::scan::{Scan, Sign};
use Sign::{
    Bare, Bound, Close, Closing, Colon, Comma, End, Keyword, Number, Open, Plus, Quoted, Quoting, Semicolon, Wide, Word,
};

/// How the byte that was asked about reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// As a part of the text that it is in.
    Text,
    /// As structure: what was read before it ends there.
    Structure,
    /// A closer that closes nothing.
    Surplus,
    /// A closer that closes everything up to the container it fits.
    Through,
    /// Strings with `+` between them are one.
    Join,
}

/// What the machine knows that a decision depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    /// The innermost container, and the one around it.
    pub(super) inner: Option<NodeKind>,
    pub(super) outer: Option<NodeKind>,
    /// The one around that, and the last thing in the innermost.
    pub(super) third: Option<NodeKind>,
    pub(super) last: Option<NodeKind>,
    /// Something is open that `}`, `]` and `)` close.
    pub(super) closes: [bool; 3],
    /// The byte in question is in a string that has inner quotes.
    pub(super) patient: bool,
    /// White space was before the byte in question.
    pub(super) gap: bool,
    /// A line break was among it.
    pub(super) newline: bool,
}

impl Around {
    fn in_object(&self) -> bool {
        self.inner == Some(NodeKind::Object)
    }

    /// Whether the innermost container is an element of an array.
    fn is_element(&self) -> bool {
        self.outer == Some(NodeKind::Array)
    }

    /// Whether what begins so is of the kind of the innermost container, and nothing of that kind is in it.
    fn is_sibling(&self, opener: u8) -> bool {
        let kind = if opener == b'{' { NodeKind::Object } else { NodeKind::Array };
        self.inner == Some(kind) && self.last != Some(kind)
    }

    pub(super) fn is_open(&self, closer: u8) -> bool {
        match closer {
            b'}' => self.closes[0],
            b']' => self.closes[1],
            _ => self.closes[2],
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Question {
    /// Behind a quote in a string, and white space: does the quote close it?
    ClosingQuote(Around),
    /// At a comma behind a quote in a string that has inner quotes, which pair or not: does the quote close it?
    PatientComma(Around, bool),
    /// Behind two quotes that begin a string: is one of them too many? (Else it is text.)
    DoubledOpening(char),
    /// At a closer behind a quote in a string that has inner quotes, and so many open brackets: does the quote close
    /// it?
    PatientCloser(u32),
    /// Behind a quote that a comma and a line break lead up to: does it begin an element?
    ElementAfterTail(char),
    /// Behind a quote that something which may be structure leads up to: does it begin a key?
    KeyAfterTail(char),
    /// Behind a quote in a key: does the quote close it?
    ClosingKeyQuote(Around),
    /// The same where the object may be prose.
    DoubtfulKeyQuote(Around),
    /// At a comma or line break in a string without quotes: does it end there?
    BareEnd,
    /// At a quote in a string without quotes: is it the closing quote whose opening one is missing?
    BareQuote(Around),
    /// Behind a number or keyword and white space: does something new begin?
    AfterScalar(Around),
    /// At a closer that does not fit the innermost container.
    WrongCloser(Around),
    /// At the parenthesis behind a word: is it a call around one value?
    Wrapper,
    /// At a bracket where a key belongs: is it a container, or alone before a key (text)?
    StrayBracket,
    /// At text where a member or comma belongs: is it a key?
    KeyWithoutComma,
    /// At a quote behind a bare key: is it the closing quote whose opening one is missing?
    ClosingQuoteOfBareKey,
    /// At a quote behind a bare key: does the quote begin another key, or the value?
    KeyAfterText,
    /// At a character that is structure or text by the one behind it.
    Second(Second),
}

/// A character that is structure or text by the one behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Second {
    /// A comma behind a number in an object: before a digit it groups digits.
    NumberComma,
    /// A slash: before another, or a star, it begins a comment.
    Slash,
    /// A number sign where a value belongs: before a letter or digit it is text (`#fff`), else it begins a comment.
    NumberSign,
    /// A point: before another it begins an ellipsis.
    Point,
    /// A back-tick: before another it is part of a code fence, not a quote.
    BackTick,
    /// A quote where the root belongs: before a bracket the root is in a string.
    QuotedRoot,
    /// `<`: before a slash or bar, a closing tag or control token begins.
    Angle,
    /// A backslash between values: before a letter for white space, it is that.
    Space,
    /// A backslash where the first key or string belongs: before a quote, or a letter for white space, the document is
    /// escaped.
    Backslash,
}

impl Second {
    pub(super) fn decide(self, second: char) -> Answer {
        let is_structure = match self {
            Self::NumberComma => !second.is_ascii_digit(),
            Self::Slash => matches!(second, '/' | '*'),
            Self::NumberSign => !second.is_alphanumeric(),
            Self::Point => second == '.',
            Self::BackTick => second == '`',
            Self::Angle => matches!(second, '/' | '|' | '｜'),
            Self::Space => matches!(second, 'n' | 'r' | 't'),
            Self::QuotedRoot => matches!(second, '{' | '['),
            Self::Backslash => matches!(second, '"' | 'n' | 'r' | 't'),
        };
        if is_structure { Answer::Structure } else { Answer::Text }
    }
}

impl Question {
    /// The quote of the text that the scan begins in.
    pub(super) fn begins_inside(&self) -> Option<char> {
        match self {
            Self::KeyAfterTail(quote) | Self::ElementAfterTail(quote) | Self::DoubledOpening(quote) => Some(*quote),
            _ => None,
        }
    }

    /// Whether the byte that is asked about is behind a quote in a string, which a full-width sign does not close.
    pub(super) fn is_in_string(&self) -> bool {
        matches!(self, Self::ClosingQuote(_) | Self::PatientComma(..))
    }

    /// Whether the byte that is asked about has been understood, and only what is behind it counts.
    pub(super) fn skips_first(&self) -> bool {
        matches!(self, Self::BareQuote(_) | Self::ClosingQuoteOfBareKey)
    }

    /// The answer, if the signs ahead give it.
    pub(super) fn decide(&self, scan: &Scan) -> Option<Answer> {
        let signs = scan.signs();
        match self {
            Self::ClosingQuote(around) if around.in_object() => closing_quote_in_object(signs, around, scan),
            Self::ClosingQuote(around) => closing_quote_in_array(signs, around),
            Self::PatientComma(around, is_paired) => patient_comma(signs, around, *is_paired, scan),
            Self::DoubledOpening(_) => match signs {
                [Quoting | Quoted] => None,
                [Quoted, Comma | Close(_) | Colon | Quoting | Quoted | End, ..] => Some(Answer::Structure),
                _ => Some(Answer::Text),
            },
            Self::PatientCloser(open) => patient_closer(signs, *open),
            Self::ElementAfterTail(_) => element_after_tail(signs),
            Self::KeyAfterTail(_) => key_after_tail(signs, scan),
            Self::ClosingKeyQuote(around) => closing_key_quote(signs, around),
            Self::DoubtfulKeyQuote(around) => match signs {
                [Open(b'{'), Quoted, Colon, ..] => Some(Answer::Structure),
                [Open(b'{')] | [Open(b'{'), Quoting | Quoted] => None,
                [Open(_), ..] => Some(Answer::Text),
                signs => closing_key_quote(signs, around),
            },
            Self::BareEnd => bare_end(signs, scan),
            Self::BareQuote(around) => bare_quote(signs, around),
            Self::AfterScalar(around) => after_scalar(signs, around, scan),
            Self::WrongCloser(around) => wrong_closer(signs, around),
            Self::Wrapper => wrapper(signs),
            Self::StrayBracket => match signs {
                [] | [Open(_)] | [Open(_), Quoting | Bare] | [Open(_), Quoted | Word] => None,
                [Open(_), Quoted, Colon, ..] | [Open(_), Word, Quoting | Quoted, ..] => Some(Answer::Text),
                _ => Some(Answer::Structure),
            },
            Self::KeyWithoutComma => key_without_comma(signs),
            Self::ClosingQuoteOfBareKey => signs.first().map(|sign| only_if(*sign == Colon)),
            Self::KeyAfterText => key_after_text(signs),
            Self::Second(second) => scan.second().map(|character| second.decide(character)),
        }
    }

    /// The answer where the bound comes first.
    pub(super) fn at_bound(&self, scan: &Scan) -> Answer {
        match self {
            Self::ClosingQuote(around) if around.in_object() || scan.signs().first() == Some(&Bare) => Answer::Text,
            Self::KeyAfterTail(_)
            | Self::ElementAfterTail(_)
            | Self::ClosingKeyQuote(_)
            | Self::DoubtfulKeyQuote(_)
            | Self::AfterScalar(_)
            | Self::KeyWithoutComma
            | Self::ClosingQuoteOfBareKey
            | Self::KeyAfterText
            | Self::BareQuote(_)
            | Self::Second(
                Second::Slash
                | Second::Point
                | Second::BackTick
                | Second::Backslash
                | Second::QuotedRoot
                | Second::Angle
                | Second::Space,
            ) => Answer::Text,
            _ => Answer::Structure,
        }
    }
}

/// Behind a quote in a string that is a member's value. `,` and `}` directly behind it have closed it already.
///
/// `"x" "b": 1` and, on a new line, `"x" b: 1` lack a comma; all else is text: `"say "hi" now"`.
fn closing_quote_in_object(signs: &[Sign], around: &Around, scan: &Scan) -> Option<Answer> {
    match signs {
        [Comma | Closing | End, ..] => Some(Answer::Structure),
        [Close(closer), ..] if around.is_open(*closer) => Some(Answer::Structure),
        // A closer with no opener is surplus before structure, and else a bracket in the text.
        [Close(_), Close(closer), ..] if around.is_open(*closer) => Some(Answer::Structure),
        [Close(_), End, ..] | [Close(_), Comma, Quoted, Colon, ..] => Some(Answer::Structure),
        [Close(_)] | [Close(_), Comma] | [Close(_), Comma, Quoting | Quoted] => None,
        [Quoted, Colon, ..] => Some(Answer::Structure),
        [Quoting | Quoted] | [Plus] => None,
        [Plus, Quoting | Quoted | End, ..] => Some(Answer::Join),
        [Wide, Quoted, Colon, ..] => Some(Answer::Structure),
        [Wide] | [Wide, Quoting | Quoted] => None,
        [Semicolon, Quoted, Colon, ..] | [Semicolon, End, ..] => Some(Answer::Structure),
        [Semicolon, Close(_), Comma | Close(_) | End, ..] => Some(Answer::Structure),
        [Semicolon] | [Semicolon, Close(_)] | [Semicolon, Quoting | Quoted] => None,
        [Bare, ..] if !around.gap => Some(Answer::Text),
        [Bare] => None,
        // Words and a closer, and no quote so far: they are in no string.
        [Word | Keyword | Number, Close(closer), ..] if !around.patient && around.is_open(*closer) => {
            Some(Answer::Structure)
        }
        [Word | Keyword | Number, rest @ ..] => word_begins_member(rest, around.newline || scan.newline_before(0)),
        [Open(b'{'), Quoted, Colon, ..] if around.is_element() => Some(Answer::Structure),
        [Open(b'{')] | [Open(b'{'), Quoting | Quoted] if around.is_element() => None,
        [] => None,
        _ => Some(Answer::Text),
    }
}

/// Whether the word before `rest` is a bare key: on a new line its colon shows it, else a value that looks like one.
fn word_begins_member(rest: &[Sign], newline: bool) -> Option<Answer> {
    match rest {
        [] => None,
        [Colon, ..] if newline => Some(Answer::Structure),
        [Colon, Quoting | Quoted | Open(_), ..] | [Colon, Number | Keyword, Comma | Close(_), ..] => {
            Some(Answer::Structure)
        }
        [Colon] | [Colon, Bare | Number | Keyword] => None,
        _ => Some(Answer::Text),
    }
}

/// The same in an array: `["a" "b"]`, `["a" 1]` and `["a" {…}]` lack a comma.
fn closing_quote_in_array(signs: &[Sign], around: &Around) -> Option<Answer> {
    match signs {
        [Comma | Colon | Closing | End | Open(b'{' | b'['), ..] => Some(Answer::Structure),
        // Closers with no opener are surplus at the end, and else brackets in the text.
        [Close(_), ..] => after_closers(signs, around),
        [Quoting | Quoted] | [Plus] => None,
        [Quoted, Comma | Close(_) | Quoting | Quoted | Open(_) | Number | Keyword | End, ..] => Some(Answer::Structure),
        [Quoted, Bare] => None,
        [Plus, Quoting | Quoted | End, ..] => Some(Answer::Join),
        [Bare, ..] if !around.gap => Some(Answer::Text),
        [Wide, Quoted | Number | Keyword, Comma | Close(_) | End, ..] => Some(Answer::Structure),
        [Wide, Open(b'{'), Quoted, Colon, ..] | [Wide, Open(b'{' | b'['), Close(_) | Open(b'{' | b'['), ..] => {
            Some(Answer::Structure)
        }
        [Wide, Open(b'['), Quoted | Number | Keyword, Comma | Close(_) | End, ..] => Some(Answer::Structure),
        [Wide] | [Wide, Quoting | Quoted | Bare | Number | Keyword] => None,
        [Wide, Open(b'{' | b'[')] | [Wide, Open(b'{' | b'['), Quoting | Quoted | Bare | Number | Keyword] => None,
        [Number | Keyword] if around.newline => Some(Answer::Structure),
        [Bare | Number | Keyword | Word] | [] => None,
        [Number | Keyword, Comma | Close(_) | Quoting | Quoted | Open(_) | End, ..] => Some(Answer::Structure),
        [Number | Keyword, ..] if around.newline => Some(Answer::Structure),
        [Word, Close(closer), ..] if !around.patient && around.is_open(*closer) => Some(Answer::Structure),
        _ => Some(Answer::Text),
    }
}

/// Behind a quote and closers: structure if one of them closes something, or they end the text, or the element.
fn after_closers(signs: &[Sign], around: &Around) -> Option<Answer> {
    let closes = |sign: &Sign| matches!(sign, Close(closer) if around.is_open(*closer));
    match signs.iter().find(|sign| !matches!(sign, Close(_)) || closes(sign)) {
        None => None,
        Some(Close(_) | Comma | Closing | End) => Some(Answer::Structure),
        Some(_) => Some(Answer::Text),
    }
}

/// A string that has inner quotes ends at `",` only before a whole key, or an element. In an array the inner quotes
/// that came in pairs count: where one is open, this closes it, unless one more element ends the array.
fn patient_comma(signs: &[Sign], around: &Around, is_paired: bool, scan: &Scan) -> Option<Answer> {
    match (around.in_object(), signs) {
        (_, [] | [Comma]) => None,
        (_, [Comma, Close(_) | Closing | End | Bound, ..]) => Some(Answer::Structure),
        (true, [Comma, Quoted, Colon, ..]) => Some(Answer::Structure),
        (true, [Comma, Word, Colon, ..]) if scan.newline_before(1) => Some(Answer::Structure),
        (true, [Comma, Word, Colon, Quoting | Quoted | Open(_), ..])
        | (true, [Comma, Word, Colon, Number | Keyword, Comma | Close(_), ..])
            if is_paired && scan.is_one_word() =>
        {
            Some(Answer::Structure)
        }
        (true, [Comma, Word, Colon] | [Comma, Word, Colon, Bare | Number | Keyword]) if is_paired => None,
        (true, [Comma, Quoting | Bare | Quoted | Word]) => None,
        (false, [Comma, Open(_), ..]) => Some(Answer::Structure),
        (false, [Comma, Quoting | Number | Keyword, ..]) if is_paired => Some(Answer::Structure),
        (false, [Comma, Quoting | Bare]) => None,
        (false, [Comma, Quoted | Number | Keyword, Close(_) | End, ..]) => Some(Answer::Structure),
        (false, [Comma, Quoted | Number | Keyword]) => None,
        _ => Some(Answer::Text),
    }
}

/// A closer behind a quote is text if it pairs with a bracket in the text, and the text goes on behind it:
/// `"{"a": "b"}"`.
fn patient_closer(signs: &[Sign], open: u32) -> Option<Answer> {
    let closers = signs.iter().take_while(|sign| matches!(sign, Close(_))).count();
    match signs.get(closers) {
        _ if closers > open as usize => Some(Answer::Structure),
        None => None,
        Some(Comma | Colon | Closing | End | Bound) => Some(Answer::Structure),
        Some(_) => Some(Answer::Text),
    }
}

/// Behind the quote in `,` and a line break and `"` in an open element: it begins another if that ends like one.
fn element_after_tail(signs: &[Sign]) -> Option<Answer> {
    match signs {
        [Quoting | Quoted] => None,
        [Quoted, Comma | Close(_) | End, ..] => Some(Answer::Structure),
        _ => Some(Answer::Text),
    }
}

/// Behind the quote in `, "` in an open string: a key, its colon and the start of a value make it structure.
fn key_after_tail(signs: &[Sign], scan: &Scan) -> Option<Answer> {
    match signs {
        [Quoted, Colon, Bare] if scan.begins_number() => Some(Answer::Structure),
        [Quoting | Quoted] | [Quoted, Colon] | [Quoted, Colon, Bare] => None,
        [Quoted, Colon, Quoting | Quoted | Open(_) | Number | Keyword, ..] => Some(Answer::Structure),
        _ => Some(Answer::Text),
    }
}

/// Behind a quote in a key that no colon follows: a value closes it, and so does the end of the member.
fn closing_key_quote(signs: &[Sign], around: &Around) -> Option<Answer> {
    match signs {
        [Colon | Comma | Open(b'{' | b'[') | End, ..] => Some(Answer::Structure),
        [Close(closer), ..] if around.is_open(*closer) => Some(Answer::Structure),
        [Quoted | Number | Keyword, Close(closer), ..] if around.is_open(*closer) => Some(Answer::Structure),
        [Quoted | Number | Keyword, Comma | End, ..] => Some(Answer::Structure),
        [Quoting | Quoted | Bare | Number | Keyword] | [] => None,
        _ => Some(Answer::Text),
    }
}

/// At `,` or a line break in a string without quotes. In an array it ends there. In an object a key and colon, or a
/// closer, must follow.
fn bare_end(signs: &[Sign], scan: &Scan) -> Option<Answer> {
    let behind_comma = match signs {
        [Comma, rest @ ..] => rest,
        signs => signs,
    };
    match behind_comma {
        [] => None,
        [Comma | Close(_) | Closing | End | Bound, ..] => Some(Answer::Structure),
        [Quoted | Word | Number | Keyword, Colon, ..]
            if signs.contains(&Quoted) || scan.is_one_word() || scan.newline_before(signs.len() - 2) =>
        {
            Some(Answer::Structure)
        }
        [Quoting | Quoted | Bare | Word | Number | Keyword] => None,
        _ => Some(Answer::Text),
    }
}

/// At a quote in a string without quotes: it closes the string if what follows it ends a value.
fn bare_quote(signs: &[Sign], around: &Around) -> Option<Answer> {
    match signs {
        [] | [Quoting | Quoted] => None,
        [Comma | Colon | End, ..] | [Quoted, Colon, ..] => Some(Answer::Structure),
        [Close(closer), ..] if around.is_open(*closer) => Some(Answer::Structure),
        _ => Some(Answer::Text),
    }
}

/// Behind a number or keyword and white space: `1 "b": 2` and `[1 2]` lack a comma, `10 MB` is text.
fn after_scalar(signs: &[Sign], around: &Around, scan: &Scan) -> Option<Answer> {
    match signs {
        [] | [Bare] => None,
        [Bare | Word, ..] if !around.gap => Some(Answer::Text),
        [Number | Keyword, Comma | Close(_) | Number | Keyword | Quoting | Quoted | Open(_) | End, ..]
            if !around.in_object() =>
        {
            Some(Answer::Structure)
        }
        [Number | Keyword] if !around.in_object() => None,
        [Word | Number | Keyword, rest @ ..] if around.in_object() => {
            word_begins_member(rest, around.newline || scan.newline_before(0))
        }
        [Quoting | Quoted | Open(b'{' | b'[') | Close(_) | Comma | Semicolon | Closing | End, ..] => {
            Some(Answer::Structure)
        }
        _ => Some(Answer::Text),
    }
}

/// At a closer that does not fit. What follows must fit what is open then.
fn wrong_closer(signs: &[Sign], around: &Around) -> Option<Answer> {
    match signs {
        [] | [Close(_)] | [Close(_), Comma] | [Close(_), Comma, Quoting | Bare] => None,
        // It closes the innermost: another closer is behind it, or a member of the object around.
        [Close(_), Close(_), ..] => Some(Answer::Structure),
        [Close(_), Comma, Quoted | Word | Number | Keyword] => None,
        [Close(_), Comma, Quoted | Word | Number | Keyword, Colon, ..] => Some(Answer::Structure),
        // A value is behind it, which the array takes: the closer is too many.
        [Close(_), Comma, Close(_) | Comma, ..] => Some(Answer::Structure),
        [Close(_), Comma, ..] if around.in_object() && around.is_element() => Some(Answer::Structure),
        // An object in an array of objects: the array of other things in it was not closed.
        [Close(b'}'), Comma, Open(b'{'), ..]
            if around.outer == Some(NodeKind::Object)
                && around.third == Some(NodeKind::Array)
                && around.last != Some(NodeKind::Object) =>
        {
            Some(Answer::Through)
        }
        [Close(_), Comma, Open(opener), ..] if around.is_element() && around.is_sibling(*opener) => {
            Some(Answer::Structure)
        }
        [Close(_), Comma, ..] => Some(Answer::Surplus),
        [Close(_), Bound, ..] => Some(Answer::Structure),
        // The end, or prose.
        _ => Some(Answer::Through),
    }
}

/// At the parenthesis behind a word: a call around one value, or around nothing.
fn wrapper(signs: &[Sign]) -> Option<Answer> {
    match signs {
        [] | [Open(_)] | [Open(_), Quoting | Quoted | Bare | Number | Keyword | Word] => None,
        [Open(_), Close(b')') | Open(_) | Bound | End, ..]
        | [Open(_), Quoted | Number | Keyword, Close(b')') | End, ..]
        | [Open(_), Word, Open(b'('), ..]
        | [Open(_), Quoting | Quoted, Bound | End, ..] => Some(Answer::Structure),
        _ => Some(Answer::Text),
    }
}

/// At text where a comma and a member belong: with a colon behind it, it is a key.
fn key_without_comma(signs: &[Sign]) -> Option<Answer> {
    match signs {
        [] | [Bare | Word | Number | Keyword] => None,
        [Word | Number | Keyword, Colon, ..] => Some(Answer::Structure),
        _ => Some(Answer::Text),
    }
}

/// At a quote behind text where a key belongs: with a colon behind the quoted text, that is the key, else it is the
/// value.
fn key_after_text(signs: &[Sign]) -> Option<Answer> {
    match signs {
        [] | [Quoting | Quoted] => None,
        [Quoted, Colon, ..] => Some(Answer::Structure),
        [Quoted, Comma | Close(_) | End, ..] => Some(Answer::Join),
        _ => Some(Answer::Text),
    }
}

fn only_if(is_structure: bool) -> Answer {
    if is_structure { Answer::Structure } else { Answer::Text }
}
