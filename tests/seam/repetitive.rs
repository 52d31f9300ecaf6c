//! Documents that say the same over and over: that a round says something again shows little there.
//!
//! Whether it is the exact rest, or the last elements again and then the rest: a seam that loses rows, or has them twice,
//! is never certain.

use std::fmt::Write;

use jsonrill::End;
use serde::de::IgnoredAny;
use serde_json::error::Category;

use crate::random::Random;
use crate::rounds::whole;
use crate::syntax::{Node, Syntax};

/// How many elements are said again.
const AGAIN: [usize; 5] = [1, 2, 3, 5, 9];

#[derive(Clone, Copy, Default)]
struct Count {
    right: usize,
    wrong: usize,
    wrong_and_certain: usize,
    certain: usize,
}

impl Count {
    fn add(&mut self, is_right: bool, is_certain: bool) {
        self.right += usize::from(is_right);
        self.wrong += usize::from(!is_right && !is_certain);
        self.wrong_and_certain += usize::from(!is_right && is_certain);
        self.certain += usize::from(is_right && is_certain);
    }
}

fn list(count: usize, row: impl FnMut(usize) -> String) -> String {
    format!("[{}]", (0..count).map(row).collect::<Vec<_>>().join(", "))
}

/// Of many shapes: what they are called, whether each row has something of its own, and the text.
fn documents() -> Vec<(&'static str, bool, String)> {
    let mut random = Random::new(29);
    let mut any = |count: usize| random.within(0..count);
    let shifts = ["early", "late", "night", "free", "free", "early"];
    let teams = ["red", "blue"];
    let named = |name: &str, value: String| format!("{{\"{name}\": {value}}}");
    let shift = |row: usize| format!("{{\"shift\": \"{}\", \"team\": \"{}\"}}", shifts[row % 6], teams[row % 2]);
    let lessons = ["Maths", "Music", "Sports", "Art", "History"];
    let lesson = |row: usize| {
        format!("{{\"day\": {}, \"hour\": {}, \"lesson\": \"{}\"}}", row / 3 % 5, row % 3, lessons[row * row % 5])
    };
    let votes = ["yes", "no", "maybe"];
    let dated = |row: usize| {
        format!("{{\"date\": \"2026-{:02}-{:02}\", \"shift\": \"{}\"}}", 1 + row / 28, 1 + row % 28, shifts[row % 6])
    };
    let person = |row: usize| {
        format!("{{\"id\": {}, \"name\": \"P{:x}\", \"age\": {}}}", row + 1, row * 7919 % 4093, 20 + row * 7 % 41)
    };
    vec![
        ("shifts", false, named("shifts", list(36, shift))),
        ("numbers, period 5", false, named("cells", list(60, |row| (row % 5).to_string()))),
        ("numbers, shifted", false, named("cells", list(60, |row| ((row + row / 6) % 6).to_string()))),
        ("numbers, any of six", false, named("cells", list(80, |_| any(6).to_string()))),
        ("strings, period 4", false, list(60, |row| format!("\"{}\"", ["a", "bc", "d", "ef"][row % 4]))),
        ("votes", false, named("votes", list(40, |_| format!("{{\"value\": \"{}\"}}", votes[any(3)])))),
        ("zeros", false, named("board", list(8, |_| list(8, |_| "0".to_owned())))),
        ("a board", false, named("board", list(8, |_| list(8, |_| any(2).to_string())))),
        ("pairs", false, list(30, |_| format!("[{}, {}]", any(2), any(3)))),
        ("lessons, twice", false, named("weeks", list(2, |_| named("lessons", list(15, lesson))))),
        ("lessons, one week after the other", false, list(45, lesson)),
        ("flags", false, named("flags", list(30, |_| format!("{{\"on\": {}, \"off\": null}}", any(2) == 1)))),
        ("lines", false, named("text", format!("\"{}\"", "the same line again, and again\\n".repeat(6)))),
        ("shifts with a date", true, named("shifts", list(30, dated))),
        ("persons", true, named("persons", list(30, person))),
    ]
}

/// Whether the text may be the start of a document.
fn may_be_json(text: &str) -> bool {
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => true,
        Err(error) => error.classify() == Category::Eof,
    }
}

#[test]
fn what_is_lost_is_never_certain() {
    let mut table = String::new();
    let mut faults = Vec::new();
    for (name, is_unique, text) in documents() {
        let syntax = Syntax::of(text.as_str());
        let (mut rest, mut fits, mut other) = (Count::default(), Count::default(), Count::default());
        for cut in (1..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            let mut tried = |count: &mut Count, from: usize| {
                let got = whole(&[&text[..cut], &text[from..]], End::Stopped);
                let is_right = got.root == Some(syntax.value());
                count.add(is_right, got.is_certain());
                if !is_right && (got.is_certain() || is_unique) {
                    let start = cut.saturating_sub(60);
                    let round = text[from..].get(..60).unwrap_or(&text[from..]);
                    faults.push(format!("{name}: …{} ⟂ {round}… is {}", &text[start..cut], got.kinds()));
                }
            };
            tried(&mut rest, cut);
            for from in AGAIN.iter().filter_map(|count| again(&syntax, cut, *count)) {
                let is_open = may_be_json(&format!("{}{}", &text[..cut], &text[from..]));
                tried(if is_open { &mut fits } else { &mut other }, from);
            }
        }
        let _ = writeln!(table, "{name:<36} {} {} {}", shown(rest), shown(fits), shown(other));
    }
    println!(
        "right, wrong, wrong and certain, right and certain: the exact rest | a repeat that may be one | others\n{table}"
    );
    for fault in faults.iter().take(5) {
        println!("{fault}");
    }
    assert!(faults.is_empty(), "{} wrong, and certain, or wrong though nothing is there twice", faults.len());
}

/// The example of a user: a repeat of fifteen bytes, or the exact rest.
#[test]
fn a_row_that_moves_on() {
    let got = whole(&["{\"cells\": [1, 2, 3, 4, 0, 5", ", 2, 3, 4, 0, 5, 1]}"], End::Stopped);
    assert_eq!(got.kinds(), "repeat?");
}

fn shown(count: Count) -> String {
    format!("{:>5} {:>5} {:>5} {:>6} |", count.right, count.wrong, count.wrong_and_certain, count.certain)
}

/// Where the last elements begin of the innermost array that has any.
fn again(syntax: &Syntax, cut: usize, count: usize) -> Option<usize> {
    let begun = |node: &&Node| -> Vec<usize> {
        node.children.iter().map(|child| syntax.start(child)).filter(|start| *start < cut).collect()
    };
    let open = syntax.open_at(cut);
    let starts = open.iter().rev().filter(|node| node.is_array()).map(begun).find(|starts| !starts.is_empty())?;
    starts.len().checked_sub(count).and_then(|first| starts.get(first).copied())
}
