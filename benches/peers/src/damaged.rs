//! Malformed text: how fast it is read, that this takes linear time, and what others make of it.

use std::time::Instant;

use jsonrill::{Dialect, End, Parser};
use jsonrill_bench_peers::data::{self, MB};
use jsonrill_bench_peers::malformed::{self, Kind, Malformed, REPEATED, share_right};
use jsonrill_bench_peers::{ports, work};
use serde_json::Value;

use super::race::{Lane, Spread, Times, race};
use super::{Bar, Report, Settings, float, lane};

/// The text of a quarter of the size, whose time times four is what linear means.
const QUARTER: usize = MB / 4;

/// A port that needs longer for a text of this size is not raced.
const PATIENCE: f64 = 0.25;

fn speed(times: &Times, bytes: usize) -> Spread {
    let spread = times.spread();
    let speed = |time: f64| float(bytes) / time * 1e3;
    Spread { median: speed(spread.median), low: speed(spread.high), high: speed(spread.low) }
}

/// Malformed text in chunks, everything looked at on every feed: its speed, and how it grows.
pub fn in_chunks(settings: &Settings, report: &mut Report) {
    Report::section("Malformed text in 16-character chunks, all looked at: 1 MB, and 1 MB against 250 KB");
    for kind in Kind::all() {
        let (long, short) = (kind.document(MB).text, kind.document(QUARTER).text);
        let (many, few) = (data::character_chunks(&long, 16), data::character_chunks(&short, 16));
        let run = |pieces: &[&str]| work::feeds(work::options(Dialect::Lenient), pieces, "/0/id");
        let times = race(
            settings.rounds,
            vec![
                Lane::new("long", || run(&many)),
                // Four of them, so that both take as long and noise falls on both alike.
                Lane::new("short", || [run(&few), run(&few), run(&few), run(&few)]),
            ],
        );
        let (long_times, short_times) = (lane(&times, "long"), lane(&times, "short"));
        report.spread(kind.name(), speed(long_times, long.len()), "MB/s", &Bar::None);
        let growth = short_times.faster_than(long_times).scaled(4.0);
        report.spread(format!("**{}: growth**", kind.name()), growth, "×", &Bar::AtMost(4.6));
    }
    repeated(report);
}

/// Patterns without an end. Told by their speed, not by how it grows: what takes quadratic time is far below the bar at
/// this size, and what is fast is over before a clock could tell how it grows.
fn repeated(report: &mut Report) {
    const SIZE: usize = 64_000;
    const BAR: f64 = 1.5;
    Report::section(
        "Patterns repeated to 64 KB, in one feed and in 16-character chunks: the slowest, and all below the bar",
    );
    let mut speeds = Vec::new();
    for pattern in REPEATED {
        let text = malformed::repeated(pattern, SIZE);
        for (cut, characters) in [("one feed", usize::MAX), ("16 characters", 16)] {
            let pieces = data::character_chunks(&text, characters);
            let timed = || {
                let start = Instant::now();
                drop(std::hint::black_box(pushed(&pieces)));
                float(text.len()) / start.elapsed().as_secs_f64() * 1e-6
            };
            let mut speed = timed();
            if (BAR / 4.0..BAR).contains(&speed) {
                speed = speed.max(timed());
            }
            let (open, pattern, close) = pattern;
            let name = format!("`{open}{pattern}{pattern} … {close}`, {cut}").replace('\n', "⏎").replace('|', "\\|");
            speeds.push((speed, name));
        }
    }
    speeds.sort_by(|one, other| one.0.total_cmp(&other.0));
    for (index, (speed, name)) in speeds.into_iter().enumerate() {
        if index == 0 || speed < BAR {
            report.row(format!("**{name}**"), format!("{speed:.2} MB/s"), speed, &Bar::AtLeast(BAR));
        }
    }
}

fn pushed(pieces: &[&str]) -> Parser {
    let mut parser = Parser::new();
    for piece in pieces {
        parser.push(piece);
    }
    let _ = std::hint::black_box(parser.finish(End::Unknown));
    parser
}

/// A malformed text at once, against other repairers. A fast wrong answer is none, so how much of it is right is told.
pub fn repair(settings: &Settings, report: &mut Report) {
    Report::section("Malformed text at once, 1 MB: speed, and share of the objects that are as meant");
    for kind in Kind::all() {
        let Malformed { text, meant } = kind.document(MB);
        let meant: Value = serde_json::from_str(&meant).expect("valid JSON");
        let text = text.as_str();
        let share = |made: Option<String>| {
            let made = made.and_then(|made| serde_json::from_str(&made).ok());
            made.map_or_else(
                || "no JSON".to_owned(),
                |made| format!("{:.1} % right", share_right(&meant, &made) * 100.0),
            )
        };
        let ours: Vec<(&str, ports::Repair)> =
            vec![("**jsonrill, `repair`**", |text| Some(jsonrill::repair(text).into_text()))];
        let mut lanes = vec![Lane::new("jsonrill, parser alone", || pushed(&[text]))];
        let mut shares = Vec::new();
        for (name, repair) in ours.into_iter().chain(ports::ALL) {
            if let Some((bytes, seconds)) = too_slow(kind, repair) {
                let speed = float(bytes) / seconds * 1e-6;
                report.row(
                    format!("{}: {name}", kind.name()),
                    format!("{speed:.1} MB/s at {bytes} bytes, not raced"),
                    0.0,
                    &Bar::None,
                );
                continue;
            }
            shares.push((name, share(repair(text))));
            lanes.push(Lane::new(name, move || repair(text)));
        }
        let times = race(settings.rounds, lanes);
        for times in &times {
            let speed = speed(times, text.len());
            let right = shares.iter().find(|(name, _)| *name == times.name).map(|(_, share)| share.as_str());
            let bar = if times.name.starts_with("**") { Bar::AtLeast(150.0) } else { Bar::None };
            let what = format!("{}: {}", kind.name(), times.name);
            let measured = format!(
                "{}{}",
                super::shown(speed, "MB/s"),
                right.map(|right| format!(", {right}")).unwrap_or_default()
            );
            report.row(what, measured, speed.median, &bar);
        }
    }
}

/// Whether this repairer needs too long: the size at which that shows, and the time.
fn too_slow(kind: Kind, repair: ports::Repair) -> Option<(usize, f64)> {
    [MB / 64, MB / 16, MB / 4].into_iter().find_map(|bytes| {
        let text = kind.document(bytes).text;
        let start = Instant::now();
        std::hint::black_box(repair(&text));
        let seconds = start.elapsed().as_secs_f64();
        (seconds > PATIENCE).then_some((text.len(), seconds))
    })
}
