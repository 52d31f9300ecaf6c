//! Sixty documents, cut at twenty-five places each, gone on with in every style.
//!
//! `SEAM_SHOW=part of a style` prints cases that fail in full (`all` for every style), `SEAM_COUNT` how many of each
//! style (5), `SEAM_DOUBT=1` those that cannot be known as well, `SEAM_KIND=1` those with another kind of seam.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::cases::{Case, cases};
use crate::common::tree::Tree;
use crate::documents::{Document, documents};
use crate::rounds::{Got, in_pieces, whole};
use crate::styles::{Wanted, Wrap};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Right,
    Wrong,
    /// Nothing was joined, though it could have been.
    Refused,
    Panicked,
}

fn verdict(case: &Case, got: &Got) -> Verdict {
    let is_right = match &case.wanted {
        Wanted::Joined(tree, complete) => {
            got.root.as_ref() == Some(tree) && complete.is_none_or(|complete| got.is_complete == complete)
        }
        Wanted::Diverged(new) => {
            let [first, .., last] = &got.documents[..] else {
                let only = got.documents.first().and_then(Option::as_ref);
                // Where nothing was shown there is nothing that stays.
                let is_right = case.shown.is_none() && only == Some(new);
                return if is_right { Verdict::Right } else { not_right(case, got) };
            };
            *first == case.shown && last.as_ref() == Some(new)
        }
        Wanted::Old => got.root == case.shown && !got.is_complete,
    };
    if is_right { Verdict::Right } else { not_right(case, got) }
}

fn not_right(case: &Case, got: &Got) -> Verdict {
    if got.root == case.shown && !got.is_complete { Verdict::Refused } else { Verdict::Wrong }
}

#[derive(Debug, Default)]
struct Row {
    verdicts: BTreeMap<Verdict, usize>,
    /// Of those that cannot be known.
    doubtful: BTreeMap<Verdict, usize>,
    wrong_and_certain: usize,
    doubtful_wrong_and_certain: usize,
    other_kinds: usize,
    certain: usize,
    /// How the failures look: the state at the cut, the kinds of the seams.
    groups: BTreeMap<String, usize>,
    shown: Vec<String>,
}

impl Row {
    fn add(&mut self, case: &Case, verdict: Verdict, got: Option<&Got>) {
        let is_certain = got.is_some_and(Got::is_certain);
        let is_wrong = matches!(verdict, Verdict::Wrong | Verdict::Panicked);
        let counts = if case.doubt.is_some() { &mut self.doubtful } else { &mut self.verdicts };
        *counts.entry(verdict).or_default() += 1;
        let kind = got.and_then(|got| got.seams.last()).map_or("none", |seam| seam.kind.as_str());
        let is_other_kind = verdict == Verdict::Right && case.doubt.is_none() && !case.kinds.contains(&kind);
        let certain = usize::from(is_wrong && is_certain);
        if case.doubt.is_some() {
            self.doubtful_wrong_and_certain += certain;
        } else {
            self.wrong_and_certain += certain;
            self.certain += usize::from(is_certain);
            self.other_kinds += usize::from(is_other_kind);
            if verdict != Verdict::Right {
                let kinds = got.map(Got::kinds).unwrap_or_default();
                *self.groups.entry(format!("{verdict:?} {:?} → {kinds}", case.state)).or_default() += 1;
            }
        }
        let wanted = std::env::var("SEAM_SHOW").ok();
        let is_asked = wanted.is_some_and(|part| part == "all" || case.style.contains(&part));
        let is_set = |name| std::env::var_os(name).is_some();
        let is_of_interest = if is_set("SEAM_KIND") {
            is_other_kind
        } else if is_set("SEAM_DOUBT") {
            case.doubt.is_some() && verdict != Verdict::Right
        } else {
            case.doubt.is_none() && verdict != Verdict::Right
        };
        let most = std::env::var("SEAM_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(5);
        if is_asked && is_of_interest && self.shown.len() < most {
            self.shown.push(told(case, verdict, got));
        }
    }

    fn count(counts: &BTreeMap<Verdict, usize>) -> usize {
        counts.values().sum()
    }

    fn of(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    fn share(&self) -> f64 {
        let count = u32::try_from(Self::count(&self.verdicts)).expect("not that many");
        let right = u32::try_from(self.of(Verdict::Right)).expect("not that many");
        if count == 0 { 100.0 } else { 100.0 * f64::from(right) / f64::from(count) }
    }

    fn merge(&mut self, other: &Self) {
        let counts = [(&mut self.verdicts, &other.verdicts), (&mut self.doubtful, &other.doubtful)];
        for (into, from) in counts {
            add(into, from);
        }
        self.wrong_and_certain += other.wrong_and_certain;
        self.doubtful_wrong_and_certain += other.doubtful_wrong_and_certain;
        self.other_kinds += other.other_kinds;
        self.certain += other.certain;
        for (group, count) in &other.groups {
            *self.groups.entry(group.clone()).or_default() += count;
        }
        self.shown.extend(other.shown.iter().cloned());
    }
}

/// Adds counts up.
fn add(into: &mut BTreeMap<Verdict, usize>, from: &BTreeMap<Verdict, usize>) {
    for (verdict, count) in from {
        *into.entry(*verdict).or_default() += count;
    }
}

/// A case that failed, in full.
fn told(case: &Case, verdict: Verdict, got: Option<&Got>) -> String {
    let mut text = case.to_string();
    let written = |tree: Option<&Tree>| tree.map_or("nothing".to_owned(), crate::styles::spelled);
    let wanted = match &case.wanted {
        Wanted::Joined(tree, complete) => format!("{} (complete: {complete:?})", written(Some(tree))),
        Wanted::Diverged(tree) => {
            format!("{} and, apart, {}", written(case.shown.as_ref()), written(Some(tree)))
        }
        Wanted::Old => written(case.shown.as_ref()),
    };
    let found = got.map_or("a panic".to_owned(), |got| {
        let others = got.documents.iter().map(|tree| written(tree.as_ref())).collect::<Vec<_>>();
        let root = written(got.root.as_ref());
        let others = if others.len() > 1 { format!(" of {}", others.join(" | ")) } else { String::new() };
        format!("{root}{others} ({}, {}); {:?}", got.outcome, got.kinds(), got.seams)
    });
    let (wanted, found) = around_difference(&wanted, &found);
    let _ = write!(text, "wanted: {wanted}\n{verdict:?}: {found}");
    text
}

/// Both texts from shortly before they differ.
fn around_difference(one: &str, other: &str) -> (String, String) {
    let alike = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let start = alike.saturating_sub(80);
    let part = |text: &str| {
        let elided = if start > 0 { "[…]" } else { "" };
        let length = text.chars().count();
        let end: String = text.chars().skip(start.max(length.saturating_sub(250)).max(start + 400)).collect();
        let middle: String = text.chars().skip(start).take(400).collect();
        format!("{elided}{middle}{}{end}", if end.is_empty() { "" } else { "[…]" })
    };
    (part(one), part(other))
}

type Rows = BTreeMap<(&'static str, Wrap), Row>;

/// What the experiment found, for the table.
#[derive(Default)]
struct Found {
    rows: Rows,
    doubts: BTreeMap<String, BTreeMap<Verdict, usize>>,
    /// Where chunks made a difference.
    differences: Vec<String>,
    cases: usize,
    in_pieces: usize,
}

impl Found {
    fn merge(&mut self, other: &Self) {
        for (name, row) in &other.rows {
            self.rows.entry(*name).or_default().merge(row);
        }
        for (doubt, counts) in &other.doubts {
            let into = self.doubts.entry(doubt.clone()).or_default();
            add(into, counts);
        }
        self.differences.extend(other.differences.iter().cloned());
        self.cases += other.cases;
        self.in_pieces += other.in_pieces;
    }
}

/// Of the cases, one of so many is read in pieces as well: byte by byte is slow.
const BYTEWISE: usize = 23;
const IN_SEVENS: usize = 11;

fn of_document(document: &Document, index: usize) -> Found {
    let mut found = Found::default();
    for (number, case) in cases(document, index).iter().enumerate() {
        found.cases += 1;
        let rounds: Vec<&str> =
            [case.first.as_str()].into_iter().chain(case.responses.iter().map(String::as_str)).collect();
        let got = catch_unwind(AssertUnwindSafe(|| whole(&rounds, case.end))).ok();
        let verdict = got.as_ref().map_or(Verdict::Panicked, |got| verdict(case, got));
        found.rows.entry((case.style, case.wrap)).or_default().add(case, verdict, got.as_ref());
        if let Some(doubt) = case.doubt {
            *found.doubts.entry(format!("{doubt:?}")).or_default().entry(verdict).or_default() += 1;
        }
        for (size, share) in [(1, BYTEWISE), (7, IN_SEVENS)] {
            if !(number + index).is_multiple_of(share) {
                continue;
            }
            let Some(got) = &got else { continue };
            found.in_pieces += 1;
            let pieces = catch_unwind(AssertUnwindSafe(|| in_pieces(&rounds, case.end, size)));
            let fault = match pieces {
                Err(_) => Some("a panic".to_owned()),
                Ok(Err(fault)) => Some(fault),
                Ok(Ok(pieces)) if pieces != *got => Some(told(case, verdict, Some(&pieces))),
                Ok(Ok(_)) => None,
            };
            if let Some(fault) = fault {
                found.differences.push(format!("pieces of {size}: {fault}\n{}", told(case, verdict, Some(got))));
            }
        }
    }
    found
}

fn all() -> Found {
    let documents = documents();
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(document) = documents.get(index) else { return };
                    let found = of_document(document, index);
                    all.lock().unwrap().push((index, found));
                }
            });
        }
    });
    let mut parts = all.into_inner().unwrap();
    parts.sort_by_key(|(index, _)| *index);
    let mut found = Found::default();
    for (_, part) in &parts {
        found.merge(part);
    }
    found
}

fn table(found: &Found) -> String {
    let mut text = format!("{} cases, {} of them in pieces as well\n", found.cases, found.in_pieces);
    let styles = by_style(found);
    let mut all = Row::default();
    for row in styles.values() {
        all.merge(row);
    }
    text += &heading("style");
    for (style, row) in &styles {
        text += &line(style, row);
    }
    text += &line("all", &all);
    text += &heading("style and what is around");
    for ((style, wrap), row) in &found.rows {
        text += &line(&format!("{style}, {}", format!("{wrap:?}").to_lowercase()), row);
    }
    let _ = writeln!(text, "\nundecidable, by why:");
    for (doubt, counts) in &found.doubts {
        let _ = writeln!(text, "  {doubt:<14} {counts:?}");
    }
    text
}

fn by_style(found: &Found) -> BTreeMap<&str, Row> {
    let mut styles: BTreeMap<&str, Row> = BTreeMap::new();
    for ((style, _), row) in &found.rows {
        styles.entry(style).or_default().merge(row);
    }
    styles
}

fn heading(name: &str) -> String {
    format!(
        "\n{name:<48} {:>6} {:>6} {:>6} {:>7} {:>7} {:>8} {:>7} {:>6} | {:>7} {:>6} {:>7}\n",
        "cases", "right", "wrong", "refused", "% right", "certain", "w.cert.", "kind", "undec.", "right", "w.cert."
    )
}

fn line(name: &str, row: &Row) -> String {
    let wrong = row.of(Verdict::Wrong) + row.of(Verdict::Panicked);
    format!(
        "{name:<48} {:>6} {:>6} {:>6} {:>7} {:>7.2} {:>8} {:>7} {:>6} | {:>7} {:>6} {:>7}\n",
        Row::count(&row.verdicts),
        row.of(Verdict::Right),
        wrong,
        row.of(Verdict::Refused),
        row.share(),
        row.certain,
        row.wrong_and_certain,
        row.other_kinds,
        Row::count(&row.doubtful),
        row.doubtful.get(&Verdict::Right).copied().unwrap_or(0),
        row.doubtful_wrong_and_certain,
    )
}

fn failures(found: &Found) -> String {
    let mut text = String::new();
    for ((style, wrap), row) in &found.rows {
        let mut groups: Vec<(&String, &usize)> = row.groups.iter().collect();
        groups.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        if !groups.is_empty() {
            let _ = writeln!(text, "{style}, {wrap:?}:");
        }
        for (group, count) in groups.iter().take(8) {
            let _ = writeln!(text, "  {count:>5} {group}");
        }
        for shown in &row.shown {
            let _ = writeln!(text, "{shown}\n");
        }
    }
    text
}

#[test]
fn the_experiment() {
    let found = all();
    println!("{}\n{}", table(&found), failures(&found));
    for difference in found.differences.iter().take(5) {
        println!("{difference}\n");
    }
    let poor: Vec<_> =
        by_style(&found).into_iter().filter(|(_, row)| row.share() < 99.0).map(|(style, _)| style).collect();
    let wrong: usize = found.rows.values().map(|row| row.wrong_and_certain).sum();
    let doubtful: usize = found.rows.values().map(|row| Row::count(&row.doubtful)).sum();
    let doubtful_wrong: usize = found.rows.values().map(|row| row.doubtful_wrong_and_certain).sum();
    let panics: usize = found.rows.values().map(|row| row.of(Verdict::Panicked)).sum();
    assert_eq!(panics, 0, "panics");
    assert!(found.differences.is_empty(), "chunks make a difference in {} cases", found.differences.len());
    assert_eq!(wrong, 0, "wrong, and marked certain");
    assert!(poor.is_empty(), "fewer than 99 % right: {poor:?}");
    // Where nobody could know, a seam that looks like one that is certain is rare.
    assert!(
        doubtful_wrong * 50 < doubtful,
        "{doubtful_wrong} of {doubtful} that nobody could know: wrong, and marked certain"
    );
}
