//! A whole document at once, into what the peer has for a value.

use std::any::Any;

use jiter::{JsonValue, PartialMode};
use jsonrill::{Dialect, Parser};
use jsonrill_bench_peers::work;
use serde_json::Value;

use super::show;

type Made = Box<dyn Any>;

#[derive(Clone, Copy)]
pub enum Run {
    /// Reads a text.
    Shared(fn(&str) -> Made),
    /// Reads a text that it may write into.
    Own(fn(Vec<u8>) -> Made),
}

const VALID: &str = "a bench document is valid JSON";

pub const PEERS: [(&str, Run); 10] = [
    ("jsonrill, strict", Run::Shared(|text| Box::new(work::whole(work::options(Dialect::Strict), text)))),
    ("jsonrill, lenient", Run::Shared(|text| Box::new(work::whole(work::options(Dialect::Lenient), text)))),
    (
        "jsonrill, lenient, owned value",
        Run::Shared(|text| {
            let (mut parser, _) = work::whole(work::options(Dialect::Lenient), text);
            Box::new(parser.snapshot().to_value())
        }),
    ),
    ("serde_json", Run::Shared(|text| Box::new(serde_json::from_str::<Value>(text).expect(VALID)))),
    ("sonic-rs", Run::Shared(|text| Box::new(sonic_rs::from_str::<sonic_rs::Value>(text).expect(VALID)))),
    (
        "simd-json, owned value",
        Run::Own(|mut text| Box::new((simd_json::to_owned_value(&mut text).expect(VALID), text))),
    ),
    (
        "simd-json, tape",
        Run::Own(|mut text| {
            let nodes = simd_json::to_tape(&mut text).expect(VALID).0.len();
            Box::new((nodes, text))
        }),
    ),
    (
        "jiter",
        Run::Shared(|text| Box::new(JsonValue::parse_owned(text.as_bytes(), false, PartialMode::Off).expect(VALID))),
    ),
    ("actson, events", Run::Shared(|text| Box::new(work::actson_events(&[text])))),
    ("jsonmodem, events", Run::Shared(|text| Box::new(work::jsonmodem_events(&[text])))),
];

/// Whether the peer's value is that of the document; events are only read.
pub fn is_right(peer: &str, text: &str) -> bool {
    let wanted: Value = serde_json::from_str(text).expect(VALID);
    let made = match peer {
        "jsonrill, strict" => {
            let mut parser = Parser::strict();
            parser.push(text);
            serde_json::to_value(parser.snapshot().to_value()).ok()
        }
        "jsonrill, lenient" | "jsonrill, lenient, owned value" => {
            let mut parser = Parser::new();
            parser.push(text);
            Some(parser.snapshot().to_value())
        }
        "sonic-rs" => sonic_rs::from_str::<sonic_rs::Value>(text)
            .ok()
            .and_then(|value| serde_json::from_str(&sonic_rs::to_string(&value).ok()?).ok()),
        "simd-json, owned value" | "simd-json, tape" => {
            let mut bytes = text.to_owned().into_bytes();
            simd_json::to_owned_value(&mut bytes)
                .ok()
                .and_then(|value| serde_json::from_str(&simd_json::to_string(&value).ok()?).ok())
        }
        "jiter" => JsonValue::parse(text.as_bytes(), false).ok().and_then(|value| show::of_jiter(&value)),
        _ => serde_json::from_str(text).ok(),
    };
    made.is_some_and(|made| show::same(&made, &wanted))
}
