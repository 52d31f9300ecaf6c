//! Whether a round can go on with the text before it at its very first byte.

use std::borrow::Cow;

use crate::document::NodeKind;
use crate::frozen::CutState;

use super::super::{Options, Parser};
use super::before::Before;
use super::spelling::in_standard;
use super::units::Lexer;

/// Whether a round is JSON that goes on behind the cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// It is not.
    No,
    /// It is as far as it goes, but the root is not closed.
    SoFar,
    /// It is, and closes the root.
    Yes,
}

/// Reads a round behind a text in which the same is open, but for the comma that may be missing between them: as it is,
/// or else in the spelling of the standard.
pub(super) fn plain(before: &Before, round: &[u8]) -> Plain {
    let round = &*meaning(before, round);
    match strictly(before, round) {
        Plain::No => {}
        plain => return plain,
    }
    let may_begin = matches!(before.state, CutState::AfterColon | CutState::BetweenMembers);
    if !before.is_in_text() {
        return strictly(before, &in_standard(round, Lexer::default(), may_begin, before.is_plain));
    }
    let half = before.half_unit();
    let spelled = in_standard(&[half, round].concat(), Lexer::in_quotes(before.quote()), false, before.is_plain);
    spelled.strip_prefix(half).map_or(Plain::No, |spelled| strictly(before, spelled))
}

/// Reads a round as it is, and no other spelling of it.
pub(super) fn as_it_is(before: &Before, round: &[u8]) -> Plain {
    strictly(before, &meaning(before, round))
}

/// What a round means, where the text before it is in a layer.
fn meaning<'a>(before: &Before, round: &'a [u8]) -> Cow<'a, [u8]> {
    match before.layer {
        Some((kind, has_half)) => kind.meaning(has_half, round).into(),
        None => round.into(),
    }
}

/// Reads what a round means strictly.
fn strictly(before: &Before, round: &[u8]) -> Plain {
    let mut parser = Parser::with_options(Options::strict().keep_source(false));
    parser.push(skeleton(before));
    if before.lacks_comma(round) {
        parser.push(",");
    }
    parser.push(round);
    match parser.error().map(super::super::Error::kind) {
        // What follows the root is around it.
        _ if parser.is_done() => Plain::Yes,
        None => Plain::SoFar,
        Some(_) => Plain::No,
    }
}

/// The shortest text in which the same is open.
fn skeleton(before: &Before) -> Vec<u8> {
    let mut text = Vec::new();
    for open in before.open.iter().rev().skip(1).rev() {
        text.extend_from_slice(if open.kind == NodeKind::Object { b"{\"\":" } else { b"[" });
    }
    let is_object = before.open.last().map(|open| open.kind == NodeKind::Object);
    match is_object {
        Some(true) => text.push(b'{'),
        Some(false) => text.push(b'['),
        None => {}
    }
    let in_flight = before.text.get(before.token..).unwrap_or_default();
    let name: &[u8] = if is_object == Some(true) { b"\"\":" } else { b"" };
    match before.state {
        CutState::InString | CutState::InEscape => text.extend([name, b"\"", before.half_unit()].concat()),
        CutState::InKey => text.extend([b"\"", before.half_unit()].concat()),
        CutState::AfterKey => text.extend_from_slice(b"\"\""),
        CutState::AfterColon => text.extend_from_slice(name),
        CutState::InNumber | CutState::InKeyword => text.extend([name, in_flight].concat()),
        CutState::BetweenMembers if !before.is_behind_comma => text.extend([name, b"[]"].concat()),
        CutState::BetweenMembers if before.has_members() => text.extend([name, b"[],"].concat()),
        _ => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::before::tests::before;
    use super::*;

    /// A text and its state, rounds that close its root, one that does not, and some that cannot follow.
    type Case<'a> = (&'a str, CutState, &'a [&'a str], &'a str, &'a [&'a str]);

    #[test]
    fn rounds_in_every_state() {
        let cases: &[Case] = &[
            ("{\"a\": \"x", CutState::InString, &["y\"}", "\"}", "{\\n\"} ```"], "y", &["x\" y}", "\", 1}"]),
            ("{\"a\": \"x\\", CutState::InEscape, &["n\"}", "\\\"}"], "\"", &["x\"}", "\n\"}"]),
            ("[\"x\\u00", CutState::InEscape, &["e9\"]"], "e", &["g\"]", "\"]"]),
            ("{\"a\": 1, \"b", CutState::InKey, &["c\": 2}", "\": 2}"], "c", &["c\", 2}", "c\" 2"]),
            ("{\"a\"", CutState::AfterKey, &[": 1}", " : []}"], ":", &["1}", "}", ", \"b\": 1}"]),
            ("{\"a\":", CutState::AfterColon, &["1}", " {\"b\": []}}"], "1", &["}", ": 1}"]),
            ("[1", CutState::InNumber, &["]", "2]", ".5]", " ]", ", 2]", " 2]", "[2]]"], "e5", &["x]", "}", "1 2"]),
            ("{\"a\": 1.", CutState::InNumber, &["5}"], "5", &["}", ".5}"]),
            ("[tr", CutState::InKeyword, &["ue]"], "u", &["]", "e]"]),
            ("[", CutState::BetweenMembers, &["]", "1]"], "1", &["}", ", 1]"]),
            ("[\"a\"", CutState::BetweenMembers, &["]", ", 1]", "1]", " 1]"], ",", &["1 2]", "}", ", , 1]", ": 1]"]),
            ("{\"a\": {}", CutState::BetweenMembers, &["\"b\": 1}", ", \"b\": 1}"], "\"b\"", &["{\"b\": 1}}", "1}"]),
            ("[\"a\", ", CutState::BetweenMembers, &["1]", "[]]"], "1,", &["]", ", 1]"]),
            ("{\"a\": 1, ", CutState::BetweenMembers, &["\"b\": 1}"], "\"b", &["}", "1}", "{\"b\": 1}}"]),
        ];
        for (text, state, closing, open, wrong) in cases {
            let before = before(*text);
            assert_eq!(before.state, *state, "{text}");
            let plain = |round: &str| plain(&before, round.as_bytes());
            for round in *closing {
                assert_eq!(plain(round), Plain::Yes, "{text} ⟂ {round}");
            }
            for round in [open, ""] {
                assert_eq!(plain(round), Plain::SoFar, "{text} ⟂ {round}");
            }
            for round in *wrong {
                assert_eq!(plain(round), Plain::No, "{text} ⟂ {round}");
            }
        }
    }

    #[test]
    fn all_that_is_open_must_be_closed() {
        let before = before("{\"a\": [{\"b\": \"x");
        assert_eq!(plain(&before, b"y\"}]}"), Plain::Yes);
        assert_eq!(plain(&before, b"y\"}]"), Plain::SoFar);
        assert_eq!(plain(&before, b"y\"]}}"), Plain::No);
    }
}
