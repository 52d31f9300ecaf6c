//! Random cases of the target `damaged` without a fuzzer: each finding is made as small as it gets, and printed.
//!
//!     cargo run --release --bin hunt -- SECONDS [SEED] [KINDS-TO-PASS-OVER…]
//!     cargo run --release --bin hunt -- bulk SECONDS [SEED]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use arbitrary::{Arbitrary, Unstructured};
use jsonrill::{Duplicates, Expect, Limits, Options, Parser, Role, Roots};
use jsonrill_fuzz::damaged::{self, Case};
use jsonrill_fuzz::random::Random;

/// How many of a kind are shown.
const SHOWN: usize = 4;

/// What a crash that cannot be caught was about.
const LAST: &str = "/tmp/jsonrill-hunt-last";

fn fault(case: &Case) -> Option<String> {
    let _ = std::fs::write(LAST, format!("{case:?}\nb\"{}\" {:?}", case.text.escape_ascii(), case.places));
    match catch_unwind(AssertUnwindSafe(|| case.check())) {
        Ok(checked) => checked.err(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            Some(format!("panic: {}", text.or(panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default()))
        }
    }
}

fn kind(fault: &str) -> String {
    fault.split(':').next().unwrap_or_default().to_owned()
}

/// The smallest case with the same kind of fault.
fn minimise(case: &Case) -> (Case, String) {
    let all = Case { places: Vec::new(), ..case.clone() };
    let mut best = if fault(&all).is_some() { all } else { case.clone() };
    let wanted = kind(&fault(&best).unwrap_or_default());
    let fits = |case: &Case| fault(case).is_some_and(|fault| kind(&fault) == wanted);
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        let before = (best.text.clone(), best.options, best.futures.clone());
        let simpler: [fn(Options) -> Options; 8] = [
            |_| Options::new(),
            |options| options.roots(Roots::One),
            |options| options.role(Role::Answer),
            |options| options.duplicates(Duplicates::First),
            |options| options.expect(Expect::Any),
            |options| options.keep_source(true),
            |options| options.reasoning_expected(false),
            |options| options.unwrap_string(false),
        ];
        for simpler in simpler {
            let other = Case { options: simpler(best.options), ..best.clone() };
            if other.options != best.options && fits(&other) {
                best = other;
            }
        }
        let other = Case { limits: Limits::default(), ..best.clone() };
        if other.limits != best.limits && fits(&other) {
            best = other;
        }
        for keep in 0..=best.futures.len() {
            let futures = best.futures.get(keep).cloned().into_iter().collect();
            let other = Case { futures, ..best.clone() };
            if other.futures.len() < best.futures.len() && fits(&other) {
                best = other;
                break;
            }
        }
        let mut size = best.text.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at + size <= best.text.len() {
                let mut text = best.text.clone();
                text.drain(at..at + size);
                let other = Case { text, places: Vec::new(), ..best.clone() };
                if std::str::from_utf8(&other.text).is_ok() >= std::str::from_utf8(&best.text).is_ok() && fits(&other) {
                    best = other;
                } else {
                    at += 1;
                }
                if Instant::now() > until {
                    break;
                }
            }
            size = if size > 4 { size / 2 } else { size - 1 };
        }
        for number in 0..best.futures.len() {
            let mut at = 0;
            while at < best.futures[number].len() {
                let mut other = best.clone();
                let future = &mut other.futures[number];
                if !future.is_char_boundary(at)
                    || !future[at..].chars().next().is_some_and(|c| {
                        future.drain(at..at + c.len_utf8());
                        true
                    })
                {
                    at += 1;
                    continue;
                }
                if fits(&other) { best = other } else { at += 1 }
            }
        }
        if before == (best.text.clone(), best.options, best.futures.clone()) || Instant::now() > until {
            break;
        }
    }
    let fault = fault(&best).unwrap_or_default();
    (best, fault)
}

/// Law 7: texts of one part many times over. Four times the text must not take much more than four times as long.
fn bulk(seconds: u64, seed: u64) {
    let mut random = Random::new(seed);
    let mut pick = |all: &[&str]| all[(random.next() >> 33) as usize % all.len()].to_owned();
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut slowest = 0;
    while Instant::now() < until {
        let mut start =
            pick(&["{\"a\":", "{", "[", "[1, ", "{\"a\": \"", "[\"", "{\"a\": [", "", "{\"", "{a", "{\\\"", "{\"\""]);
        start += &pick(damaged::TOKENS);
        let mut part = pick(damaged::TOKENS);
        for _ in 0..pick(&["", "x", "xx", "xxx"]).len() {
            part += &pick(damaged::TOKENS);
        }
        let time = |length: usize| {
            let text = start.clone() + &part.repeat(length / part.len());
            let _ = std::fs::write(LAST, format!("{start:?} and {part:?} many times"));
            let begun = Instant::now();
            for bytewise in [false, true] {
                let mut parser = Parser::new();
                if bytewise {
                    text.as_bytes().chunks(3).for_each(|piece| parser.push(piece));
                } else {
                    parser.push(&text);
                }
                let finished = parser.finish(jsonrill::End::Stopped);
                std::hint::black_box(finished.outcome());
            }
            std::hint::black_box(jsonrill::repair(&text).text().len());
            begun.elapsed().as_micros() as u64
        };
        let short = time(16_000);
        if short < 1_000 && short <= slowest {
            continue;
        }
        let long = time(64_000);
        if long > 15_000 && long > short * 8 {
            println!("grows: {short} and {long} us: {start:?} and {part:?} many times");
        } else if short > slowest {
            slowest = short;
            println!("slowest: {short} and {long} us: {start:?} and {part:?} many times");
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, rest @ ..] = &arguments[..]
        && mode == "bulk"
    {
        let number = |at: usize, default| rest.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
        let (seconds, seed) = (number(0, 30), number(1, 1));
        // The stack of a thread, not that of the program.
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || bulk(seconds, seed));
        thread.expect("a thread").join().expect("no panic");
        return;
    }
    let seconds = arguments.first().and_then(|text| text.parse().ok()).unwrap_or(30);
    let seed = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(1_u64);
    std::panic::set_hook(Box::new(|_| {}));
    let mut random = Random::new(seed);
    let mut found: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut count = 0_u64;
    while Instant::now() < until {
        let bytes: Vec<u8> = (0..100).flat_map(|_| random.next().to_le_bytes()).collect();
        let Ok(case) = Case::arbitrary(&mut Unstructured::new(&bytes)) else { continue };
        count += 1;
        let Some(first) = fault(&case) else { continue };
        let of_kind = found.entry(kind(&first)).or_default();
        if of_kind.len() >= SHOWN || arguments.iter().skip(2).any(|passed| *passed == kind(&first)) {
            continue;
        }
        let (case, fault) = minimise(&case);
        if !of_kind.contains(&case.text) {
            of_kind.push(case.text.clone());
            println!("== {fault}\n   {case:?}\n   b\"{}\"", case.text.escape_ascii());
        }
    }
    let kinds: Vec<_> = found.iter().map(|(kind, cases)| (kind, cases.len())).collect();
    println!("{count} cases, {kinds:?}");
}
