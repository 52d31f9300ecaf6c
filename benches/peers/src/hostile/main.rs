//! `hostile [--quick] [--all] [--write FILE] [FILTER]`: what hostile input costs, and that it grows as the input does.
//!
//! Each attack is a text that is made to cost as much as it can: for every rule that looks ahead, holds or keeps
//! something, one that makes it do so over and over. All that a user does with a text is done with each, at sizes of
//! which one is ten times the other. It fails where ten times as much text takes much more than ten times the time or
//! memory. With `--quick` the texts are small.
//!
//! The feeds, and what comes over a wire, are measured up to the largest size, all else up to a tenth of it; with `--all`
//! all of it is, which takes some hours.
//!
//! Only attacks whose name, or that of their group, holds FILTER are run; with `--operation NAME` only that operation.

mod attack;
mod attacks;
mod document;
mod measure;
mod operations;
mod table;

use std::fmt::Write as _;
use std::process::ExitCode;

use jsonrill_bench_peers::counting::Counting;

use attack::Reader;
use measure::Growth;
use table::Row;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Sizes in bytes, each with so many runs of which the shortest counts.
const FULL: [(usize, usize); 3] = [(100_000, 3), (1_000_000, 2), (10_000_000, 1)];
const QUICK: [(usize, usize); 2] = [(20_000, 2), (200_000, 1)];

#[derive(Default)]
struct Arguments {
    is_quick: bool,
    is_whole: bool,
    file: Option<String>,
    operation: Option<String>,
    filter: String,
}

impl Arguments {
    fn read() -> Self {
        let mut this = Self::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => this.is_quick = true,
                "--all" => this.is_whole = true,
                "--write" => this.file = arguments.next(),
                "--operation" => this.operation = arguments.next(),
                _ => this.filter = argument,
            }
        }
        this
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::read();
    let sizes: &[(usize, usize)] = if arguments.is_quick { &QUICK } else { &FULL };
    let heads: Vec<usize> = sizes.iter().map(|(size, _)| *size).collect();
    let mut out = String::new();
    let mut rows = Vec::new();
    let mut faults = Vec::new();
    for group in attacks::all() {
        let is_named = group.name.contains(&arguments.filter);
        let attacks = group.attacks.into_iter().filter(|attack| is_named || attack.name.contains(&arguments.filter));
        let mut attacks = attacks.peekable();
        let Some(first) = attacks.peek() else { continue };
        let main = if first.reader == Reader::Parser { "feeds" } else { "events" };
        tell(&mut out, &format!("\n### {}\n\n{}", group.name, table::head(main, &heads)));
        for attack in attacks {
            let mut row = Row { name: attack.name, aim: attack.aim, growths: Vec::new() };
            for operation in operations::ALL.iter().filter(|operation| operation.reader == attack.reader) {
                if arguments.operation.as_ref().is_some_and(|name| name != operation.name) {
                    continue;
                }
                let run = |text: &[u8]| (operation.run)(attack.options, text);
                let count = if operation.is_main || arguments.is_whole { sizes.len() } else { 2 };
                let growth = Growth::measure(&|size| attack.text(size), &sizes[..count], &run);
                if let Some(fault) = growth.fault() {
                    println!("FAILED {}, {}: {fault}", attack.name, operation.name);
                    faults.push(format!("{}, {}: {fault}", attack.name, operation.name));
                }
                row.growths.push((operation.name, growth));
            }
            if row.growths.is_empty() {
                continue;
            }
            tell(&mut out, &format!("{}\n", table::row(&row)));
            rows.push(row);
        }
    }
    let operations: Vec<_> = operations::ALL.iter().map(|operation| (operation.name, operation.what)).collect();
    tell(&mut out, &format!("\n### By operation\n\n{}", table::operations(&rows, &operations)));
    let cells: usize = rows.iter().map(|row| row.growths.len()).sum();
    println!("\n{} attacks, {cells} cells, {} failed", rows.len(), faults.len());
    for fault in &faults {
        println!("- {fault}");
    }
    if let Some(file) = arguments.file {
        let head = document::head(rows.len(), cells, faults.len());
        std::fs::write(&file, head + &out).expect("the file can be written");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn tell(out: &mut String, text: &str) {
    print!("{text}");
    let _ = out.write_str(text);
}

#[expect(clippy::cast_precision_loss, reason = "sizes and counts far below 2^52, for display")]
fn float(count: usize) -> f64 {
    count as f64
}
