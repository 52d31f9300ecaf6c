//! Answers that are used again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jsonrill::{AssistedOptions, AssistedRepair, CacheLimits, Options, RepairCache, RepairSource, Role};

use crate::script::code;

const TEXT: &str = r#"{"tags": ["a", "b", "done": true}"#;
const MENDED: &str = r#"{"tags": ["a", "b"], "done": true}"#;

/// A text that is mended, and what mends it.
fn case(number: usize) -> (String, String) {
    (TEXT.replace("\"b\"", &number.to_string()), MENDED.replace("\"b\"", &number.to_string()))
}

fn repair(text: &str) -> AssistedRepair {
    AssistedRepair::new(text, AssistedOptions::new())
}

/// Has it mended, with the cache.
fn keep(cache: &RepairCache, text: &str, answer: &str) {
    let mut repair = repair(text);
    assert!(!repair.look_up(cache));
    repair.text(answer);
    repair.end("stop", None);
    repair.store(cache);
    assert_eq!(code(&repair.into_report()), "");
}

#[test]
fn an_answer_is_found_again() {
    let cache = RepairCache::new();
    keep(&cache, TEXT, &format!("Sure:\n```json\n{MENDED}\n```"));
    let mut again = repair(TEXT);
    assert!(again.look_up(&cache));
    assert!(!again.look_up(&cache), "there is a report");
    again.store(&cache);
    let report = again.into_report();
    assert_eq!((report.source(), report.text()), (RepairSource::Cache, MENDED));
    assert_eq!((report.attempts().len(), code(&report)), (0, ""));
    assert!(report.comparison().unwrap().is_faithful());
    assert_eq!(serde_json::to_value(&report).unwrap()["source"], "cache");
    assert_eq!(cache.len(), 1);
    cache.clear();
    assert_eq!((cache.len(), cache.bytes()), (0, 0));
    assert!(cache.is_empty() && !repair(TEXT).look_up(&cache));
}

#[test]
fn only_for_the_same_question() {
    let cache = RepairCache::new();
    keep(&cache, TEXT, MENDED);
    let with = |options| AssistedRepair::new(TEXT, options).look_up(&cache);
    assert!(with(AssistedOptions::new()));
    assert!(!repair(&TEXT.replace('a', "c")).look_up(&cache));
    assert!(!with(AssistedOptions::new().model_name("another")));
    assert!(!with(AssistedOptions::new().require("/done")));
    assert!(!with(AssistedOptions::new().parser(Options::new().role(Role::Arguments))));
    // How long and how often it is asked does not matter.
    assert!(with(AssistedOptions::new().attempts(4).timeout(Duration::ZERO)));
}

#[test]
fn what_was_not_taken_is_not_kept() {
    let cache = RepairCache::new();
    for answer in ["no", "{\"tags\": []}"] {
        let mut repair = AssistedRepair::new(TEXT, AssistedOptions::new().attempts(1));
        repair.text(answer);
        repair.end("stop", None);
        repair.store(&cache);
    }
    // What is no text would be another answer the next time.
    let mut repair_of_bytes = repair("{\"list\": [1, \"2");
    repair_of_bytes.text(&b"\xc5\"]}"[..]);
    repair_of_bytes.end("stop", None);
    repair_of_bytes.store(&cache);
    assert_eq!(repair_of_bytes.into_report().source(), RepairSource::Model);
    repair("[1]").store(&cache);
    repair(TEXT).store(&cache);
    assert!(cache.is_empty());
}

#[test]
fn a_damaged_part_is_found_in_another_text() {
    let text = |n: usize| format!("{{\"n\": {n}, \"list\": [{}{{\"bad\": }}, 1, 2]}}", "\"word\", ".repeat(1_000));
    let cache = RepairCache::new();
    keep(&cache, &text(1), "{\"bad\": null}");
    let mut other = repair(&text(2));
    assert!(other.look_up(&cache));
    assert_eq!(other.into_report().text(), text(2).replace("\"bad\": ", "\"bad\": null"));
}

#[test]
fn a_rest_is_kept_as_well() {
    let cut = "{\"list\": [1, 2";
    let cache = RepairCache::new();
    keep(&cache, cut, ", 3]}");
    let mut again = repair(cut);
    assert!(again.look_up(&cache));
    assert_eq!(again.into_report().text(), "{\"list\": [1, 2, 3]}");
    // One of several rounds is not.
    let cache = RepairCache::new();
    let mut repair = repair(cut);
    for rest in [", 3", ", 4]}"] {
        repair.text(rest);
        repair.end("stop", None);
    }
    repair.store(&cache);
    assert_eq!(repair.into_report().text(), "{\"list\": [1, 2, 3, 4]}");
    assert!(cache.is_empty());
}

#[test]
fn old_answers_are_not_found() {
    let (start, now) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let clock = now.clone();
    let limits = CacheLimits::new().entries(10).bytes(10_000).age(Duration::from_secs(60));
    let cache = RepairCache::with_clock(limits, move || start + Duration::from_secs(clock.load(Ordering::Relaxed)));
    keep(&cache, TEXT, MENDED);
    now.store(59, Ordering::Relaxed);
    assert!(repair(TEXT).look_up(&cache));
    now.store(60, Ordering::Relaxed);
    assert!(!repair(TEXT).look_up(&cache));
    assert_eq!((cache.len(), cache.bytes()), (0, 0));
    // Put in again it is new.
    keep(&cache, TEXT, MENDED);
    now.store(100, Ordering::Relaxed);
    assert!(repair(TEXT).look_up(&cache));
}

#[test]
fn it_is_bounded_in_entries_and_bytes() {
    let cache = RepairCache::with_limits(CacheLimits::new().entries(3).bytes(100_000).age(Duration::from_secs(60)));
    let cases: Vec<_> = (0..5).map(case).collect();
    for (text, mended) in &cases[..3] {
        keep(&cache, text, mended);
    }
    // The first one is used, so it is the second that goes.
    assert!(repair(&cases[0].0).look_up(&cache));
    keep(&cache, &cases[3].0, &cases[3].1);
    let found: Vec<_> = cases.iter().map(|(text, _)| repair(text).look_up(&cache)).collect();
    assert_eq!(found, [true, false, true, true, false]);
    assert_eq!(cache.len(), 3);

    let one = cache.bytes() / 3;
    let small =
        RepairCache::with_limits(CacheLimits::new().entries(100).bytes(one * 2 + 20).age(Duration::from_secs(60)));
    for (text, mended) in &cases {
        keep(&small, text, mended);
        assert!(small.bytes() <= one * 2 + 20);
    }
    assert_eq!(small.len(), 2);
    let none = [
        CacheLimits::new().entries(0).bytes(1_000).age(Duration::MAX),
        CacheLimits::new().entries(10).bytes(10).age(Duration::MAX),
    ];
    for limits in none {
        let cache = RepairCache::with_limits(limits);
        keep(&cache, TEXT, MENDED);
        assert!(cache.is_empty());
    }
    assert!(!format!("{cache:?}").contains("tags"));
}

#[test]
fn it_is_shared_by_threads() {
    let cache = RepairCache::new();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let cache = &cache;
            scope.spawn(move || {
                for number in 0..50 {
                    let (text, mended) = case((number * 7 + thread) % 20);
                    let mut repair = repair(&text);
                    if !repair.look_up(cache) {
                        repair.text(mended.as_str());
                        repair.end("stop", None);
                        repair.store(cache);
                    }
                    assert_eq!(repair.into_report().text(), mended);
                }
            });
        }
    });
    assert_eq!(cache.len(), 20);
}
