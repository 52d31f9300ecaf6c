//! What was measured, as Markdown.

use std::fmt::Write as _;
use std::time::Duration;

use crate::measure::Growth;

/// An attack, and what each operation took on it.
pub struct Row {
    pub name: &'static str,
    pub aim: &'static str,
    pub growths: Vec<(&'static str, Growth)>,
}

impl Row {
    /// The first operation is the main one.
    fn main(&self) -> &(&'static str, Growth) {
        self.growths.first().expect("an operation")
    }

    /// Of the others, the one that takes the most time.
    fn slowest(&self) -> Option<&(&'static str, Growth)> {
        let time = |growth: &Growth| growth.last().nanoseconds();
        self.growths.iter().skip(1).max_by(|one, other| time(&one.1).total_cmp(&time(&other.1)))
    }

    /// The most bytes that any operation holds for each byte of the text.
    fn held(&self) -> f64 {
        self.growths.iter().map(|(_, growth)| growth.last().held()).fold(0.0, f64::max)
    }
}

pub fn head(operation: &str, sizes: &[usize]) -> String {
    let sizes: Vec<_> = sizes.iter().map(|size| format!("{operation}, {}", bytes(*size))).collect();
    format!(
        "| attack | aims at | {} | ns a byte | growth | bytes held a byte | slowest of the others | ns a byte | growth | most held |\n|---|---|{}---|---:|---|---:|\n",
        sizes.join(" | "),
        "---:|".repeat(sizes.len() + 3),
    )
}

pub fn row(row: &Row) -> String {
    let mut line = format!("| {} | {} |", row.name, row.aim);
    let growth = &row.main().1;
    for number in 0..growth.sizes {
        let time = growth.costs.get(number).map_or("–".to_owned(), |cost| shown(cost.time));
        let _ = write!(line, " {time} |");
    }
    let last = growth.last();
    let _ = write!(line, " {:.0} | {} | {:.1} |", last.nanoseconds(), grown(growth), last.held());
    match row.slowest() {
        Some((name, growth)) => {
            let _ = write!(line, " {name} | {:.0} | {} |", growth.last().nanoseconds(), grown(growth));
        }
        None => line.push_str(" | | |"),
    }
    let _ = write!(line, " {:.1} |", row.held());
    line
}

/// How many times as long a byte takes in each text as in the one before.
fn grown(growth: &Growth) -> String {
    growth.times().map(|growth| format!("{growth:.1} ×")).collect::<Vec<_>>().join(", ")
}

/// Each operation over all attacks.
pub fn operations(rows: &[Row], operations: &[(&'static str, &'static str)]) -> String {
    let mut table = "| operation | what it is | ns a byte: median | most | at | bytes held a byte: median | most | at |\n|---|---|---:|---:|---|---:|---:|---|\n".to_owned();
    for (name, what) in operations {
        let mut of: Vec<(f64, f64, &str)> = Vec::new();
        for row in rows {
            let growths = row.growths.iter().filter(|(operation, _)| operation == name);
            of.extend(growths.map(|(_, growth)| (growth.last().nanoseconds(), growth.last().held(), row.name)));
        }
        if of.is_empty() {
            continue;
        }
        let middle = of.len() / 2;
        of.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (median, most) = (of[middle].0, of[of.len() - 1]);
        of.sort_by(|one, other| one.1.total_cmp(&other.1));
        let (held, largest) = (of[middle].1, of[of.len() - 1]);
        let _ = writeln!(
            table,
            "| {name} | {what} | {median:.0} | {:.0} | {} | {held:.1} | {:.1} | {} |",
            most.0, most.2, largest.1, largest.2
        );
    }
    table
}

fn bytes(size: usize) -> String {
    if size >= 1_000_000 { format!("{} MB", size / 1_000_000) } else { format!("{} KB", size / 1000) }
}

fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = if seconds >= 1.0 {
        (seconds, "s")
    } else if seconds >= 1e-3 {
        (seconds * 1e3, "ms")
    } else {
        (seconds * 1e6, "µs")
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}
