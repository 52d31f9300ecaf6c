//! What the fuzz targets share: how an input is read, and what "the same" means.
//!
//! An input is the text first, so that any JSON file is a seed, and the options in its last two bytes (two
//! newlines are the defaults). A byte 0xFF, which
//! is in no UTF-8 text, is where the fuzzer wants the text cut.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jsonrill::{Dialect, Duplicates, End, Expect, Finished, Options, Outcome, Parser, Role, Roots, Snapshot, ValueRef};
use serde_json::Value;

pub mod damaged;
pub mod mutate;
pub mod random;
pub mod rounds;
pub mod valid;

// The laws as the tests check them.
#[path = "../../tests/common/laws.rs"]
#[allow(dead_code)]
pub mod laws;
#[path = "../../tests/common/layers.rs"]
pub mod layers;
#[path = "../../tests/common/reference.rs"]
#[allow(dead_code)]
pub mod reference;
#[path = "../../tests/common/tree.rs"]
#[allow(dead_code)]
pub mod tree;
#[path = "../../tests/common/view.rs"]
#[allow(dead_code)]
pub mod view;

/// Every reason for which a stream can end.
pub const ENDS: [End; 3] = [End::Stopped, End::Truncated, End::Unknown];

/// A place where the text is cut.
pub const CUT: u8 = 0xff;

/// An input, read.
pub struct Input<'a> {
    pub pieces: Vec<&'a [u8]>,
    /// The text without the cuts.
    pub text: Vec<u8>,
    pub options: Options,
    pub end: End,
    pub duplicates: Duplicates,
    pub expect: Expect,
}

/// Reads an input; `None` when it is too short to hold options.
pub fn read(data: &[u8]) -> Option<Input<'_>> {
    let (data, &[first, second]) = data.split_last_chunk::<2>()?;
    let pieces: Vec<&[u8]> = data.split(|byte| *byte == CUT).collect();
    let duplicates = match (first >> 3) & 3 {
        0 | 1 => Duplicates::First,
        2 => Duplicates::Last,
        _ => Duplicates::Error,
    };
    let expect = match (second >> 4) & 3 {
        0 | 1 => Expect::Any,
        2 => Expect::Object,
        _ => Expect::Array,
    };
    let options = Options::new()
        .dialect(if first & 1 == 0 { Dialect::Lenient } else { Dialect::Strict })
        .roots(match (first >> 1) & 3 {
            0 | 1 => Roots::One,
            2 => Roots::Last,
            _ => Roots::Many,
        })
        .duplicates(duplicates)
        .role(if first & 0x20 == 0 { Role::Answer } else { Role::Arguments })
        .reasoning_expected(first & 0x40 != 0)
        .keep_source(first & 0x80 == 0)
        .expect(expect);
    let end = match (second >> 2) & 3 {
        0 | 2 => End::Unknown,
        1 => End::Stopped,
        _ => End::Truncated,
    };
    Some(Input { text: pieces.concat(), pieces, options, end, duplicates, expect })
}

/// Everything that can be seen of a parser between feeds, as text: two parsers at the same place must say the same.
pub fn seen(parser: &mut Parser) -> String {
    let mut out = seen_in(&parser.snapshot());
    for report in parser.repairs().iter() {
        writeln!(out, "repair {report:?}").expect("writing to a string");
    }
    for report in parser.warnings().iter() {
        writeln!(out, "warning {report:?}").expect("writing to a string");
    }
    writeln!(out, "error {:?}", parser.error()).expect("writing to a string");
    out
}

/// Everything that can be seen of a snapshot.
pub fn seen_in(snapshot: &Snapshot) -> String {
    let mut out = String::new();
    writeln!(out, "{} {snapshot}", snapshot.is_started()).expect("writing to a string");
    writeln!(out, "{} {:?}", snapshot.ambiguity(), snapshot.open_path()).expect("writing to a string");
    writeln!(out, "{:?}", snapshot.text()).expect("writing to a string");
    for outside in snapshot.outside() {
        writeln!(out, "outside {outside:?}").expect("writing to a string");
    }
    walk(snapshot.root(), &mut |value| {
        writeln!(
            out,
            "{} {:?} {:?} {:?} {:?}",
            value.path(),
            value.kind(),
            value.state(),
            value.span(),
            value.number_text()
        )
        .expect("writing to a string");
    });
    out
}

/// Everything that can be seen at the end.
pub fn seen_at_end(finished: &Finished) -> String {
    let mut out = seen_in(finished.snapshot());
    writeln!(out, "{:?} {} {:?} {:?}", finished.outcome(), finished.is_complete(), finished.cut(), finished.error())
        .expect("writing to a string");
    for report in finished.repairs().iter() {
        writeln!(out, "repair {report:?}").expect("writing to a string");
    }
    for report in finished.warnings().iter() {
        writeln!(out, "warning {report:?}").expect("writing to a string");
    }
    for report in finished.skipped().iter() {
        writeln!(out, "skip {report:?}").expect("writing to a string");
    }
    for document in finished.documents() {
        writeln!(out, "document {document:?} {}", document.snapshot).expect("writing to a string");
    }
    out
}

/// Visits a value and all below it, parents first. A document is at most 512 levels deep.
pub fn walk<'a>(value: ValueRef<'a>, visit: &mut impl FnMut(ValueRef<'a>)) {
    if value.exists() {
        visit(value);
        for element in value.elements() {
            walk(element, visit);
        }
    }
}

/// Equal values, where two readings of a decimal fraction may differ in its last bit.
pub fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other
                || match (one.as_f64(), other.as_f64()) {
                    (Some(one), Some(other)) => {
                        one == other || (one - other).abs() <= f64::EPSILON * one.abs().max(other.abs()) * 2.0
                    }
                    _ => false,
                }
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|((key, one), (same, other))| key == same && alike(one, other))
        }
        _ => one == other,
    }
}

/// RFC 8259 as serde_json reads it: syntax alone, no limit on numbers or depth.
pub fn is_valid(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok() && serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok()
}

/// What the strict parser reads, numbers as they are spelled. The text must be valid and whole.
pub fn strictly(text: &str) -> String {
    let mut parser = Parser::with_options(Options::strict().duplicates(Duplicates::Error));
    parser.push(text);
    let finished = parser.finish(End::Unknown);
    assert_eq!(finished.outcome(), Outcome::Complete, "{text:?}: {:?}", finished.error());
    finished.snapshot().to_string()
}

/// Copies of documents, kept by applying deltas.
pub type Replicas = BTreeMap<u32, Value>;
