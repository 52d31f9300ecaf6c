//! Whatever comes in, what comes out is valid JSON that reads as what was read, and is not repaired again.
#![no_main]

use jsonrill::{Expect, Outcome, RepairKind, Roots, repair, repair_with};
use jsonrill_fuzz::{is_valid, read, strictly, valid};

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::Cut);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(input) = read(data) else { return };
    let repaired = repair_with(&input.text, input.options, input.end);
    let lines = repair_with(&input.text, input.options.roots(Roots::Many), input.end);
    let shown = lines.documents().map(|document| document.snapshot).filter(|snapshot| snapshot.is_started());
    let shown: Vec<_> = shown.map(|snapshot| snapshot.to_string()).collect();
    let read: Vec<_> = lines.text().lines().filter(|line| !line.trim_ascii().is_empty()).map(strictly).collect();
    assert_eq!(read, shown);

    let is_many = input.options == input.options.roots(Roots::Many);
    let repaired = if is_many { repair(&input.text) } else { repaired };
    if !repaired.snapshot().is_started() {
        assert_eq!(repaired.text(), "");
        return;
    }
    assert_eq!(strictly(repaired.text()), repaired.snapshot().to_string());
    assert_eq!(valid::reads_as(repaired.text(), repaired.snapshot()), Ok(()));
    let again = repair(repaired.text());
    assert_eq!(again.text(), repaired.text());
    assert_eq!(again.outcome(), Outcome::Complete);
    assert!(again.warnings().is_empty());
    // Where the text is said to begin inside reasoning it is no JSON up to where that ends, be it valid or not.
    let outside = input.options.reasoning_expected(false);
    let repaired =
        if is_many || input.options == outside { repaired } else { repair_with(&input.text, outside, input.end) };
    // A valid string may hold the document that is asked for.
    let is_unwrapped = repaired.repairs().iter().any(|repair| repair.kind == RepairKind::EscapedDocument);
    // And a document of another kind the one that is expected.
    let is_expected = match input.expect {
        Expect::Object => input.text.trim_ascii_start().starts_with(b"{"),
        Expect::Array => input.text.trim_ascii_start().starts_with(b"["),
        _ => true,
    };
    let is_whole = repaired.is_complete() && repaired.warnings().is_empty();
    if is_valid(&input.text) && is_whole && is_expected && !is_unwrapped {
        assert_eq!(repaired.text().as_bytes(), input.text);
    }
});
