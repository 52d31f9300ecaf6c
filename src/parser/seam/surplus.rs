//! Members that go on behind the container that was around the first of them.
//!
//! `{"a": [1]` and then `{"b": 2}, "c": 3}`: the brace before `b` is left out, so the one behind it would close the
//! document. It is none of it, as what follows shows.

use crate::document::NodeKind;

use super::super::{Options, Parser};
use super::before::{Before, Open};
use super::head::HELD;
use super::plain::Plain;
use super::units::{Lexer, behind_comma, blanks, end_of_open};

/// How far into a round the members may begin, in bytes: all before them is looked at for each byte that is waited for.
const FAR: usize = 16 << 10;

/// A place in a round that began with a container around its members.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    pub(super) at: usize,
    pub(super) lexer: Lexer,
    /// How many containers of the round are open there.
    pub(super) open: usize,
    /// Which of the open containers before the cut the outermost of them is.
    pub(super) level: usize,
}

/// What the closer is of the outermost container of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closer {
    /// That of the open container that it was taken for.
    Own,
    /// None of the document's. It stands there.
    Surplus(usize),
    /// It is not known yet.
    Unknown,
}

/// What the closer is of the container that a place of the round is in. With `is_end` no more comes.
pub(super) fn closer(before: &Before, round: &[u8], inside: Inside, is_end: bool) -> Closer {
    if inside.open == 0 || inside.at > FAR || before.layer.is_some() {
        return Closer::Own;
    }
    let held = round.get(..inside.at + HELD).unwrap_or(round);
    let is_over = is_end || held.len() == inside.at + HELD;
    let unknown = if is_over { Closer::Own } else { Closer::Unknown };
    let Some(end) = end_of_open(held, inside.at, inside.lexer, inside.open) else { return unknown };
    let comma = end + blanks(held, end);
    let Some(behind) = behind_comma(held, comma) else {
        return if comma < held.len() { Closer::Own } else { unknown };
    };
    let next = held.get(behind + blanks(held, behind)..).unwrap_or_default();
    match next.first() {
        None => return unknown,
        Some(b'}' | b']') => return Closer::Own,
        Some(_) => {}
    }
    let rest = held.get(comma..).unwrap_or_default();
    let fits = |levels| fits(before.open.get(..levels).unwrap_or_default(), rest);
    let surplus = Closer::Surplus(end - 1);
    match (fits(inside.level), fits(inside.level + 1)) {
        // Nothing that comes changes that.
        (Plain::No, Plain::Yes | Plain::SoFar) => surplus,
        (Plain::No, Plain::No) if before.is_plain => Closer::Own,
        // A key in other quotes, or in none, as those before.
        (Plain::No, Plain::No) => match memchr::memchr(b':', next).and_then(|colon| next.get(..colon)) {
            None => unknown,
            Some(name) if is_key(name.trim_ascii_end()) => surplus,
            Some(_) => Closer::Own,
        },
        // Where both fit, it is shown by how many closers there are.
        _ if !is_over => Closer::Unknown,
        (Plain::SoFar, Plain::Yes) => surplus,
        _ => Closer::Own,
    }
}

fn is_key(name: &[u8]) -> bool {
    match name {
        [b'\'', inside @ .., b'\''] => memchr::memchr(b'\'', inside).is_none(),
        _ => !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'),
    }
}

/// Whether this goes on behind a value in the innermost of these containers, and closes the first one with its last
/// sign.
fn fits(open: &[Open], rest: &[u8]) -> Plain {
    let mut parser = Parser::with_options(Options::strict().keep_source(false));
    for open in open {
        parser.push(if open.kind == NodeKind::Object { &b"{\"\":"[..] } else { b"[" });
    }
    parser.push("[]");
    for (at, byte) in rest.iter().enumerate() {
        if parser.is_done() {
            // What is around it may follow.
            let next = rest.get(at..).unwrap_or_default().trim_ascii_start().first();
            return if next.is_some_and(|next| b",:]}".contains(next)) { Plain::No } else { Plain::Yes };
        }
        parser.push([*byte]);
        if parser.error().is_some() {
            return Plain::No;
        }
    }
    if parser.is_done() { Plain::Yes } else { Plain::SoFar }
}

#[cfg(test)]
mod tests {
    use super::super::before::tests::before;
    use super::*;

    /// What becomes of the closer of the first container, which was taken for the open one with this number.
    fn known(text: &str, level: usize, round: &str) -> Closer {
        let before = before(text);
        let inside = Inside { at: 1, lexer: Lexer::default(), open: 1, level };
        let all = closer(&before, round.as_bytes(), inside, true);
        for end in 1..=round.len() {
            let so_far = closer(&before, &round.as_bytes()[..end], inside, false);
            assert!(so_far == Closer::Unknown || so_far == all, "{:?}: {so_far:?}, not {all:?}", &round[..end]);
        }
        all
    }

    #[test]
    fn what_follows_shows_what_a_closer_is() {
        for (text, level, round, wanted) in [
            ("{\"a\": 1, ", 0, "{\"b\": 2}, \"d\": 1}", Closer::Surplus(7)),
            ("{\"a\": 1, ", 0, "{\"b\": \"}\"} , \"d", Closer::Surplus(9)),
            ("[1, ", 0, "[2], 3]", Closer::Surplus(2)),
            ("{\"a\": 1, ", 0, "{\"b\": 2}", Closer::Own),
            ("{\"a\": 1, ", 0, "{\"b\": 2},", Closer::Own),
            ("{\"a\": 1, ", 0, "{\"b\": 2}, }", Closer::Own),
            ("{\"a\": 1, ", 0, "{\"b\": 2}, and so on", Closer::Own),
            ("{\"a\": 1, ", 0, "{\"b\": 2}\n\"d\": 1}", Closer::Own),
            ("{\"a\": 1, ", 0, "{\"b\": 2}, d: 1}", Closer::Own),
            ("{a: 1, ", 0, "{b: 2}, d: 1}", Closer::Surplus(5)),
            ("{'a': 1, ", 0, "{'b': 2}, 'd' : 1}", Closer::Surplus(7)),
            ("{'a': 1, ", 0, "{'b': 2}, and so on: 1", Closer::Own),
            ("[{\"a\": 1, ", 1, "{\"b\": 2}, {\"a\": 3}]", Closer::Own),
            ("[{\"a\": 1, ", 1, "{\"b\": 2}, \"d\": 3}]", Closer::Surplus(7)),
            ("{\"r\": {\"a\": 1, ", 1, "{\"b\": 2}, \"d\": 3}", Closer::Own),
            ("{\"r\": {\"a\": 1, ", 1, "{\"b\": 2}, \"d\": 3}\n```", Closer::Own),
            ("{\"r\": {\"a\": 1, ", 1, "{\"b\": 2}, \"d\": 3}}", Closer::Surplus(7)),
        ] {
            assert_eq!(known(text, level, round), wanted, "{text} ⟂ {round}");
        }
    }

    #[test]
    fn not_more_than_the_start_of_a_round_is_waited_for() {
        let before = before("{\"a\": 1, ");
        let inside = Inside { at: 1, lexer: Lexer::default(), open: 1, level: 0 };
        let round = format!("{{\"b\": \"{}\"}}, \"d\": 1}}", "x".repeat(HELD));
        let known = |length: usize| closer(&before, &round.as_bytes()[..length], inside, false);
        assert_eq!((known(HELD), known(HELD + 1)), (Closer::Unknown, Closer::Own));
    }
}
