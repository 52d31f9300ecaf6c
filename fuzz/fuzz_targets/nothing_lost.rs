//! Law 6: every byte of any input is part of a value, of structure, or of a reported skip, repair or warning.
#![no_main]

use jsonrill::{Kind, Parser, RepairKind, Span, ValueRef, WarningKind};
use jsonrill_fuzz::{read, walk};

/// Which bytes are accounted for.
struct Accounts {
    known: Vec<bool>,
}

impl Accounts {
    fn add(&mut self, span: Span) {
        self.known[span.range()].fill(true);
    }
}

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::Cut);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(input) = read(data) else { return };
    let mut parser = Parser::with_options(input.options);
    for piece in &input.pieces {
        parser.push(piece);
    }
    let finished = parser.finish(input.end);
    if finished.repairs().omitted() + finished.warnings().omitted() + finished.skipped().omitted() > 0 {
        return;
    }
    // Of a member that was replaced no value is left, and the value of one that is dropped may be cut.
    if finished.warnings().iter().any(|report| report.kind == WarningKind::DuplicateKey) {
        return;
    }
    // Keys in other quotes, or in none, or that end elsewhere: what is left is no plain structure.
    let is_plain =
        |kind| matches!(kind, RepairKind::ControlCharacter | RepairKind::InvalidEscape | RepairKind::ExtraComma);
    if !finished.repairs().iter().all(|report| is_plain(report.kind)) {
        return;
    }
    let text = &input.text;
    let mut accounts = Accounts { known: vec![false; text.len()] };
    for report in finished.repairs().iter() {
        accounts.add(report.span);
    }
    for report in finished.warnings().iter() {
        accounts.add(report.span);
    }
    for report in finished.skipped().iter() {
        accounts.add(report.span);
    }
    let mut inside: Vec<bool> = vec![false; text.len()];
    let mut roots: Vec<ValueRef<'_>> = vec![finished.snapshot().root()];
    let documents: Vec<_> = finished.documents().collect();
    roots.extend(documents.iter().map(|document| document.snapshot.root()));
    for root in roots {
        if let Some(span) = root.span() {
            inside[span.range()].fill(true);
        }
        walk(root, &mut |value| {
            if !matches!(value.kind(), Some(Kind::Array | Kind::Object)) {
                accounts.add(value.span().expect("a value has a span"));
            }
        });
    }
    // What is left inside a root is structure and keys, between which nothing but blanks may stand.
    let mut in_key = false;
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate() {
        if accounts.known[at] {
            continue;
        }
        let blank = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        if !inside[at] {
            // A key or value that was cut before it was shown.
            let cut = finished.cut().is_some() || finished.error().is_some();
            assert!(blank || cut, "byte {at} {:?} of {:?}", char::from(*byte), String::from_utf8_lossy(text));
            continue;
        }
        if in_key {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_key = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_key = true,
            b'{' | b'}' | b'[' | b']' | b',' | b':' => {}
            _ => {
                let cut = finished.cut().is_some() || finished.error().is_some();
                assert!(blank || cut, "byte {at} {:?} of {:?}", char::from(*byte), String::from_utf8_lossy(text));
            }
        }
    }
});
