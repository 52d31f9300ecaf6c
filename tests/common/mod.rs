//! What the test files share: generators, the reference reader, and the views as plain data.

// Each test binary uses its own part of this module.
#![allow(dead_code)]

pub mod chunks;
pub mod generate;
pub mod laws;
pub mod layers;
#[cfg(feature = "cli")]
pub mod process;
pub mod reference;
pub mod rows;
pub mod tree;
pub mod view;

use jsonrill::{Dialect, End, Finished, Options, Parser};
use proptest::test_runner::Config;

use reference::Rules;

/// Both dialects, for what must hold in each.
pub const DIALECTS: [Dialect; 2] = [Dialect::Strict, Dialect::Lenient];

/// Every reason for which a stream can end.
pub const ENDS: [End; 3] = [End::Stopped, End::Truncated, End::Unknown];

/// The proptest configuration: `cases` unless `PROPTEST_CASES` asks for another number.
///
/// Failures are not written to disk: a minimal input that matters becomes a named test.
pub fn config(cases: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    Config { cases: asked.unwrap_or(cases), failure_persistence: None, ..Config::default() }
}

/// What the reference reader is told for a dialect.
pub fn rules(dialect: Dialect) -> Rules {
    if dialect == Dialect::Strict { Rules::Strict } else { Rules::Lenient }
}

/// The default options of a dialect.
pub fn options(dialect: Dialect) -> Options {
    Options::new().dialect(dialect)
}

/// A parser that was fed `input` in one piece.
pub fn fed(options: &Options, input: impl jsonrill::Chunk) -> Parser {
    let mut parser = Parser::with_options(*options);
    parser.feed(input);
    parser
}

/// `input` read to its end, in one piece.
pub fn finished(options: &Options, input: impl jsonrill::Chunk, end: End) -> Finished {
    fed(options, input).finish(end)
}

/// A whole text in the strict dialect.
pub fn strict(input: impl jsonrill::Chunk) -> Finished {
    finished(&options(Dialect::Strict), input, End::Unknown)
}

/// A whole text in the lenient dialect.
pub fn lenient(input: impl jsonrill::Chunk) -> Finished {
    finished(&options(Dialect::Lenient), input, End::Unknown)
}
