//! What a peer shows for a text: of a prefix before the end, and of a whole text at its end.

use std::io::BufRead as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jiter::{JsonValue, PartialMode};
use jsonrill::{End, Parser};
use serde_json::{Map, Number, Value, json};

use super::events::{Actson, Modem};
use super::{repairer, say, stream};

/// Reads cases, a line of JSON each: `id`, `text`, the `ends` of its chunks in bytes, and whether it has ended.
pub fn all(peer: &str) {
    std::panic::set_hook(Box::new(|_| {}));
    say(&json!({"ready": true}));
    for line in std::io::stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line.expect("text")).expect("a case");
        let text = case["text"].as_str().expect("a text");
        let ends: Vec<usize> = case["ends"].as_array().map_or_else(
            || vec![text.len()],
            |ends| ends.iter().filter_map(Value::as_u64).filter_map(|end| usize::try_from(end).ok()).collect(),
        );
        let shown = catch_unwind(AssertUnwindSafe(|| shown(peer, text, &ends, case["end"] == true)));
        say(&match shown {
            Ok(Some(shown)) => json!({"id": case["id"], "shown": shown}),
            Ok(None) => json!({"id": case["id"]}),
            Err(_) => json!({"id": case["id"], "died": true}),
        });
    }
}

/// Whether a document in chunks is read to the value that it has.
pub fn reads_to_the_end(peer: &str, text: &str, ends: &[usize]) -> bool {
    let wanted: Value = serde_json::from_str(text).expect("a bench document is valid JSON");
    shown(peer, text, ends, true).is_some_and(|shown| same(&shown, &wanted))
}

/// What is shown, if anything. Parsers of text are cut at the next character.
fn shown(peer: &str, text: &str, ends: &[usize], is_over: bool) -> Option<Value> {
    let (name, _) = peer.split_once(", ").unwrap_or((peer, ""));
    match name {
        "jsonrill" => {
            let mut parser = if peer.ends_with("strict") { Parser::strict() } else { Parser::new() };
            for piece in pieces(text.as_bytes(), ends) {
                parser.push(piece);
            }
            if is_over {
                parser.finish(End::Unknown);
            }
            if is_over && parser.error().is_some() {
                return None;
            }
            let snapshot = parser.snapshot();
            snapshot.is_started().then(|| snapshot.to_value())
        }
        "jiter" => {
            let mode = if is_over { PartialMode::Off } else { PartialMode::TrailingStrings };
            JsonValue::parse_with_config(text.as_bytes(), false, mode).ok().and_then(|value| of_jiter(&value))
        }
        "jsonmodem" => {
            let mut modem = Modem::new();
            let mut start = 0;
            for end in ends {
                let end = (*end..=text.len()).find(|end| text.is_char_boundary(*end))?;
                modem.feed(&text[start..end]);
                start = end;
            }
            if is_over {
                modem.finish();
            }
            if modem.failed && is_over { None } else { modem.value }
        }
        "actson" => {
            let mut actson = Actson::new();
            for piece in pieces(text.as_bytes(), ends) {
                actson.feed(piece);
            }
            if is_over {
                actson.finish();
            }
            if actson.failed && is_over { None } else { actson.value }
        }
        "jsonfix" if !is_over => {
            let options = jsonfix::Options::partial(jsonfix::Allow::ALL);
            stream::parsed(jsonfix::parse_partial(text, options).ok().map(|value| value.to_json_string()))
        }
        "partial-json-fixer" if !is_over => stream::parsed(Some(partial_json_fixer::fix_json(text))),
        "serde_json" => serde_json::from_str(text).ok(),
        _ => stream::parsed(repairer(name)(text)),
    }
}

fn pieces<'a>(bytes: &'a [u8], ends: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    ends.iter().scan(0, move |start, end| Some(&bytes[std::mem::replace(start, *end)..*end]))
}

pub fn of_jiter(value: &JsonValue<'_>) -> Option<Value> {
    Some(match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(value) => Value::Bool(*value),
        JsonValue::Int(value) => Value::from(*value),
        JsonValue::BigInt(value) => Value::Number(value.to_string().parse().ok()?),
        JsonValue::Float(value) => Value::Number(Number::from_f64(*value)?),
        JsonValue::Str(value) => Value::String(value.to_string()),
        JsonValue::Array(elements) => Value::Array(elements.iter().map(of_jiter).collect::<Option<_>>()?),
        JsonValue::Object(members) => {
            let members = members.iter().map(|(key, value)| Some((key.to_string(), of_jiter(value)?)));
            Value::Object(members.collect::<Option<Map<_, _>>>()?)
        }
    })
}

/// Whether two values are the same, numbers by what they are worth.
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}
