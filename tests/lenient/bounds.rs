//! Look-ahead is bounded: what is held is shown or settled within 256 bytes, 64 for a string right after an element
//! that is none, however long the text goes on without saying which reading is meant.

use jsonrill::{End, Outcome, Parser, Snapshot, State};

use crate::common;
use crate::common::{laws, options, view::view};

const BOUND: usize = 256;
const ELEMENT_BOUND: usize = 64;

/// Feeds `tail` byte by byte behind `head` and returns the most bytes by which what is shown lagged behind.
fn lag(head: &str, tail: &str, shown: impl Fn(&Snapshot) -> usize) -> usize {
    let mut parser = Parser::new();
    parser.push(head);
    let before = shown(&parser.snapshot());
    let bytes = tail.as_bytes().iter().enumerate();
    bytes
        .map(|(at, byte)| {
            let shown = shown(parser.feed([*byte]).snapshot());
            (at + 1).saturating_sub(shown.saturating_sub(before))
        })
        .max()
        .unwrap_or(0)
}

fn length(snapshot: &Snapshot, path: &str) -> usize {
    snapshot.at(path).as_str().map_or(0, str::len)
}

/// How many bytes of `tail` it takes until `settled`.
fn bytes_until(head: &str, tail: &str, settled: impl Fn(&Snapshot) -> bool) -> Option<usize> {
    let mut parser = Parser::new();
    parser.push(head);
    let mut bytes = tail.bytes().enumerate();
    bytes.find_map(|(at, byte)| settled(parser.feed([byte]).snapshot()).then_some(at + 1))
}

/// What could still be structure is text after so many bytes.
#[test]
fn the_tail_of_a_string_is_text_in_the_end() {
    let tails = [
        ",".repeat(600),
        ", ".repeat(400),
        " ,\n".repeat(250),
        "\n".repeat(600),
        "\n    ".repeat(150),
        "}".repeat(600),
        "]}".repeat(400),
        "}\n]\n".repeat(200),
        format!(",{}x", " ".repeat(600)),
        format!("}}{}x", "\n".repeat(600)),
        "a,".repeat(400),
        "a}, ".repeat(200),
        // Something like a key, and never its end.
        format!(", \"{}\": 1", "k".repeat(700)),
        format!(", \"{}\": 1", "key ".repeat(200)),
        format!(", \"k\":{}1", " ".repeat(700)),
        format!("}}, \"{}\": 1", "k".repeat(700)),
    ];
    for tail in &tails {
        let found = lag(r#"{"a": "x"#, tail, |snapshot| length(snapshot, "/a"));
        assert!(found <= BOUND, "{tail:.20}… lags by {found} bytes");
        // It is held at all.
        assert!(found >= 1, "{tail:.20}…");
    }
}

/// The same in a string that has quotes inside: there it ends, at the latest.
#[test]
fn a_patient_string_closes_in_the_end() {
    let tails = [
        format!("\", \"{}\": 1}}", "k".repeat(700)),
        format!("\", \"{}\": 1}}", "key ".repeat(200)),
        format!("\",{}\"k\": 1}}", " ".repeat(700)),
        format!("\"{}, \"k\": 1}}", " ".repeat(700)),
        format!("\", \"k\"{}: 1}}", "\n".repeat(700)),
    ];
    for tail in &tails {
        let settled = |snapshot: &Snapshot| snapshot.is_final("/a") || length(snapshot, "/a") > r#"x "y" z"#.len();
        let found = bytes_until(r#"{"a": "x "y" z"#, tail, settled);
        assert!(found.is_some_and(|bytes| bytes <= BOUND + 1), "{tail:.20}… takes {found:?} bytes");
        let mut parser = Parser::new();
        parser.push(r#"{"a": "x "y" z"#);
        parser.push(tail);
        assert_eq!(parser.snapshot().at("/a"), "x \"y\" z", "{tail:.20}…");
    }
    // In an array a value that is too long to be looked at ends it, too.
    let tail = format!("\", \"{}\"]", "v".repeat(700));
    let settled = |snapshot: &Snapshot| snapshot.is_final("/l/0") || length(snapshot, "/l/0") > r#"x "y" z"#.len();
    let found = bytes_until(r#"{"l": ["x "y" z"#, &tail, settled);
    assert!(found.is_some_and(|bytes| bytes <= BOUND + 1), "takes {found:?} bytes");
}

/// Valid JSON may have any number of blanks behind a quote; whatever comes then, the string has ended.
#[test]
fn blanks_behind_a_quote() {
    for count in [1, 255, 256, 257, 1000] {
        let blanks = " ".repeat(count);
        for rest in [", \"b\": 1}", "}", "\n,\"b\": [1]}"] {
            let text = format!("{{\"a\": \"x\"{blanks}{rest}");
            let finished = common::lenient(text.as_str());
            assert_eq!(finished.outcome(), Outcome::Complete, "{count} blanks, then {rest}");
            assert_eq!(finished.snapshot().at("/a"), "x");
        }
    }
    for rest in ["y\", \"b\": 1}", "\"b\": 1}", "b: 1}"] {
        let text = format!("{{\"a\": \"x\"{}{rest}", " ".repeat(1000));
        let finished = common::lenient(text.as_str());
        assert_eq!(finished.snapshot().at("/a"), "x", "then {rest}");
        assert_ne!(finished.outcome(), Outcome::Complete);
    }
}

/// A bare word is one of that many bytes, whatever it may become.
#[test]
fn long_words_are_shown() {
    let words = ["w".repeat(700), "true".repeat(200), "a_1.".repeat(200), "NaN".repeat(250)];
    for word in &words {
        let found = lag(r#"{"a": "#, word, |snapshot| length(snapshot, "/a"));
        assert!((2..=BOUND).contains(&found), "{word:.20}… lags by {found} bytes");
        let text = format!("{{\"a\": {word}, \"b\": 1}}");
        let finished = common::lenient(text.as_str());
        assert_eq!(finished.snapshot().at("/a"), word.as_str());
        assert_eq!(finished.snapshot().at("/b"), 1);
    }
    // A word that long is no call.
    let text = format!("{{\"a\": {}(1), \"b\": 2}}", "f".repeat(700));
    let snapshot = common::lenient(text.as_str()).snapshot().clone();
    assert!(length(&snapshot, "/a") >= 700 && snapshot.at("/b") == 2, "{snapshot:?}");
    // Blanks behind a bare string are held, as they may be its end.
    let settled = |snapshot: &Snapshot| snapshot.is_final("/a") || length(snapshot, "/a") > 5;
    let found = bytes_until(r#"{"a": hello"#, &format!("{}, \"b\": 1}}", " ".repeat(1000)), settled);
    assert!(found.is_some_and(|bytes| bytes <= BOUND + 1), "takes {found:?} bytes");
}

/// So is what stands in a call, which may have been a bare string.
#[test]
fn long_arguments_of_calls_are_shown() {
    let found = lag("{\"a\": f(\"", &"words ".repeat(200), |snapshot| length(snapshot, "/a"));
    assert!(found <= BOUND, "lags by {found} bytes");
}

#[test]
fn a_string_after_an_element_that_is_none_is_shown_within_64_bytes() {
    for head in [r#"{"l": [1, "#, r#"{"l": [{}, "#, "[[0], [1, 2], ", r#"{"l": [null, "#] {
        let path = if head.starts_with('{') { "/l/1" } else { "/2" };
        let exists = |snapshot: &Snapshot| snapshot.at(path).exists();
        let short = |count: usize| format!("\"{}\", \"next\"]", "s".repeat(count));
        for tail in [short(700), short(100), format!("\"short\"{}]", " ".repeat(300)), short(60)] {
            let found = bytes_until(head, &tail, exists);
            assert!(found.is_some_and(|bytes| bytes <= ELEMENT_BOUND + 1), "{head}{tail:.20}… takes {found:?} bytes");
        }
        // A shorter one is held up to the byte behind its quote.
        let found = bytes_until(head, "\"ab\", 2]", exists);
        assert_eq!(found, Some(5), "{head}");
    }
    // What was shown stays, and the text is read on.
    let text = format!("{{\"l\": [1, \"{}\": 2}}", "s".repeat(100));
    let finished = common::lenient(text.as_str());
    assert_eq!(finished.snapshot().at("/l/1"), "s".repeat(100).as_str());
    assert_ne!(finished.outcome(), Outcome::Complete);
}

/// A closer of the other kind waits for the next token, but not for ever.
#[test]
fn what_a_wrong_closer_means_is_settled() {
    let mut parser = Parser::new();
    parser.push(r#"{"a": [1}"#);
    let update = parser.feed(" ".repeat(BOUND + 1));
    // It has closed something, or it is skipped: in either case it is told.
    assert!(!parser.repairs().is_empty() && parser.error().is_none(), "{update:?}");
}

/// Texts that give a reason to look ahead again and again: read to their end, and alike however they are cut.
#[test]
fn texts_that_are_held_again_and_again() {
    let pieces = [
        "\"frag ment\", ",
        ", \"k\" ",
        "\n\"",
        "}, ",
        "]} \"",
        "' + ",
        "\"\" ",
        "\\\", ",
        "12,",
        "{ \"a\" ",
        "... ",
        "/* ",
        "f(",
        "[1} ",
    ];
    for piece in pieces {
        let text = format!("{{\"a\": \"open, {}end", piece.repeat(5000));
        let mut whole = Parser::new();
        whole.push(text.as_str());
        let whole = whole.finish(End::Stopped);
        assert_ne!(whole.outcome(), Outcome::Complete, "{piece:?}");
        assert!(whole.snapshot().is_started(), "{piece:?}");
        assert_eq!(laws::nothing_is_lost(&whole, text.as_bytes()), Ok(()), "{piece:?}");
        let mut bytewise = Parser::new();
        text.as_bytes().chunks(7).for_each(|chunk| bytewise.push(chunk));
        let bytewise = bytewise.finish(End::Stopped);
        assert_eq!(whole.snapshot().to_string(), bytewise.snapshot().to_string(), "{piece:?}");
        assert_eq!(whole.outcome(), bytewise.outcome(), "{piece:?}");
    }
}

/// At the bound and one byte before and behind it, however the text is cut.
#[test]
fn the_bound_is_where_it_is_however_the_text_is_cut() {
    let texts = |count: usize| {
        [
            format!("{{\"a\": \"x, \"{}\": 1}}", "k".repeat(count)),
            format!("{{\"a\": \"x \"y\" z\", \"{}\": 1}}", "k".repeat(count)),
            format!("{{\"a\": \"x{}\", \"b\": 1}}", ",".repeat(count)),
            format!("{{\"a\": \"x\"{}y\"}}", " ".repeat(count)),
            format!("{{\"a\": {}, \"b\": 1}}", "w".repeat(count)),
            format!("{{\"a\": [1}}{}, \"b\": 1}}", " ".repeat(count)),
        ]
    };
    for count in [250, 251, 252, 253, 254, 255, 256, 257, 258] {
        for text in texts(count) {
            let ends = laws::ends(&options(jsonrill::Dialect::Lenient), text.as_bytes());
            assert_eq!(ends, Ok(()), "{count}: {text}");
        }
    }
    for count in 58..68 {
        let text = format!("{{\"l\": [1, \"{}\": 2], \"b\": 3}}", "k".repeat(count));
        assert_eq!(laws::ends(&options(jsonrill::Dialect::Lenient), text.as_bytes()), Ok(()), "{text}");
    }
}

/// Nothing that is held is called final.
#[test]
fn what_lags_is_ambiguous() {
    let mut parser = Parser::new();
    parser.push(r#"{"a": "x"#);
    for _ in 0..600 {
        assert_eq!(parser.feed(", ").state("/a"), State::Growing);
    }
}

/// What is looked at begins at the same byte, whatever was held before: here the look goes to the bound, for `#` begins
/// a comment.
#[test]
fn the_bound_does_not_depend_on_the_chunks() {
    for key in ["{\"a\" 1, b-", "{\"a\" : 1 , b-", "[1 , {b-"] {
        let text = format!("{key}\"#\" = 2, \"c\": [{}]}}", "3, ".repeat(120));
        let mut by_byte = Parser::new();
        for at in 0..text.len() {
            let shown = by_byte.feed(&text[at..=at]).snapshot().to_string();
            assert_eq!(shown, Parser::new().feed(&text[..=at]).snapshot().to_string(), "{}", &text[..=at]);
        }
    }
}

/// Long white space of more than one kind, behind all that waits for what follows: it is one gap, however it is cut.
#[test]
fn white_space_of_more_than_one_kind_is_one_gap() {
    for count in (200..262).step_by(3) {
        for (one, other) in [("\u{b}", " "), (" ", "\u{b}"), ("\u{a0}", " "), ("\t", "\u{3000}"), ("\u{c}", "\r\n")] {
            let first = one.repeat(count / one.len() - 2);
            let gap = format!("{first}{}", other.repeat(12 / other.len()));
            for text in [
                format!("[word{gap}1, 2]"),
                format!("[true{gap}1, 2]"),
                format!("[17{gap}word, 2]"),
                format!("{{\"a\": word{gap}\"b\": 2}}"),
                format!("{{\"a\"{gap}1, \"b\": 2}}"),
                format!("{{a{gap}: 1, \"b\": 2}}"),
                format!("{{\"a\": \"x\"{gap}y\", \"b\": 2}}"),
            ] {
                let ends = laws::ends(&options(jsonrill::Dialect::Lenient), text.as_bytes());
                assert_eq!(ends, Ok(()), "{text:?}");
            }
        }
    }
}

/// What has waited long enough is final, also where it was held for another reason until it came.
#[test]
fn long_white_space_settles_however_it_comes() {
    for stem in [
        "[1,\"aa\"",
        "[{},\"aa\"",
        "[\"x\",\"aa\"",
        "[[1],  \"aa\"",
        "{\"a\":[1,\"aa\"",
        "[12",
        "[true",
        "{\"a\"",
        "[word",
    ] {
        let mut by_byte = Parser::new();
        by_byte.push(stem);
        let mut text = stem.to_owned();
        for _ in 0..300 {
            text.push(' ');
            by_byte.push(" ");
            let mut whole = Parser::new();
            whole.push(text.as_str());
            assert_eq!(view(&mut by_byte), view(&mut whole), "{text:?}");
            let mut behind = Parser::new();
            behind.push(stem);
            behind.push(&text[stem.len()..]);
            assert_eq!(view(&mut by_byte), view(&mut behind), "{text:?}");
        }
    }
}
