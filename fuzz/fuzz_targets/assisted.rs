//! Whatever the text is and whatever a model answers: what comes out is valid JSON or what the rules made of it, the
//! original is kept, a cut text is whole only where the model has gone on with it, and how answers are cut does not
//! matter.
//!
//! The input is the text and the answers, with zero bytes between them.
#![no_main]

use jsonrill::{
    Ask, AssistedOptions, AssistedRepair, AssistedReport, AssistedStep, Outcome, RepairCache, RepairSource, repair,
};
use jsonrill_fuzz::strictly;

fn answered(text: &str, ask: Ask, answers: &[&[u8]], chunk: usize, cache: &RepairCache) -> AssistedReport {
    let mut repair = AssistedRepair::new(text, AssistedOptions::new().ask(ask).attempts(3));
    repair.look_up(cache);
    let mut answers = answers.iter();
    while let AssistedStep::Ask { .. } = repair.next_step() {
        for chunk in answers.next().unwrap_or(&&b""[..]).chunks(chunk) {
            repair.text(chunk);
        }
        repair.end("stop", None);
    }
    repair.store(cache);
    repair.into_report()
}

fn holds(report: &AssistedReport, text: &str) {
    let rules = repair(text);
    assert_eq!(report.original(), text);
    if report.snapshot().is_started() {
        assert_eq!(strictly(report.text()), report.snapshot().to_string());
    } else {
        assert_eq!(report.text(), "");
    }
    if report.source() == RepairSource::Rules {
        assert_eq!((report.text(), report.outcome()), (rules.text(), rules.outcome()));
        return;
    }
    assert!(report.comparison().is_some_and(|comparison| comparison.is_faithful()));
    let went_on = report.attempts().last().is_none_or(|attempt| attempt.seam.is_some());
    assert!(rules.outcome() != Outcome::Truncated || went_on || !report.is_complete());
}

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::UpToZero);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut parts = data.split(|byte| *byte == 0);
    let text = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let answers: Vec<_> = parts.take(3).collect();
    for ask in [Ask::WhenNeeded, Ask::Always] {
        let cache = RepairCache::new();
        let whole = answered(&text, ask, &answers, usize::MAX, &RepairCache::new());
        holds(&whole, &text);
        let cut = answered(&text, ask, &answers, 1, &cache);
        assert_eq!(serde_json::to_string(&cut).ok(), serde_json::to_string(&whole).ok());
        if !cache.is_empty() {
            let again = answered(&text, ask, &[], 1, &cache);
            assert_eq!((again.source(), again.text()), (RepairSource::Cache, whole.text()));
            holds(&again, &text);
        }
    }
});
