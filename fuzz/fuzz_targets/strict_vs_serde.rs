//! The strict dialect against serde_json: what is accepted, where it is not, and which value it is.
#![no_main]

use jsonrill::{Duplicates, End, Options, Parser};
use jsonrill_fuzz::valid::{dialects_agree, duplicates_agree, error_is_first};
use jsonrill_fuzz::{alike, is_valid, read};
use serde_json::Value;

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::Cut);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(input) = read(data) else { return };
    let mut parser = Parser::with_options(Options::strict().duplicates(Duplicates::Last));
    for piece in &input.pieces {
        parser.push(piece);
    }
    let finished = parser.finish(End::Stopped);
    assert_eq!(error_is_first(&finished, &input.text), Ok(()));
    if finished.error().is_some_and(|error| error.is_limit()) {
        return;
    }
    assert_eq!(finished.is_complete(), is_valid(&input.text), "{:?}", String::from_utf8_lossy(&input.text));
    if !finished.is_complete() {
        return;
    }
    assert!(finished.repairs().is_empty() && finished.skipped().is_empty());
    assert_eq!(duplicates_agree(&input.text), Ok(()));
    assert_eq!(dialects_agree(&input.pieces), Ok(()));
    // serde_json has no value for some valid texts: numbers beyond f64, lone surrogates, more than 128 levels.
    if let Ok(value) = serde_json::from_slice::<Value>(&input.text) {
        let own = finished.snapshot().to_value();
        assert!(alike(&own, &value), "{own} is not {value}");
        assert!(*finished.snapshot() == value, "{} does not equal {value}", finished.snapshot());
        let shown = finished.snapshot().to_string();
        let reread: Value = serde_json::from_str(&shown).expect("a snapshot shows itself as JSON");
        assert!(alike(&reread, &value), "shown as {shown}");
        let typed: Value = finished.snapshot().deserialize().expect("a value can be deserialized into a Value");
        assert!(alike(&typed, &value), "deserialized as {typed}");
        let written = serde_json::to_value(finished.snapshot()).expect("a snapshot can be serialized");
        assert!(alike(&written, &value), "serialized as {written}");
    }
});
