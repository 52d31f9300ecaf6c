//! A whole answer, mended at once: valid JSON in the layout that the model gave it, and a list of what was done.
//!
//!     cargo run --example repair_text

use jsonrill::{Places, ReportKind, Reports, repair};

/// As a model wrote it: with words and a fence around it, a path that is not escaped, a line break in a string, commas
/// too many, and the same key twice.
const ANSWER: &str = r#"Here is the configuration you asked for:

```json
{
  "service": "backup",
  "paths": {
    "source": "C:\data\reports",
    "target": "\\\\nas\\backup",
  },
  "limits": { "rate": 1.50, "max_bytes": 18446744073709551616 },
  "note": "Runs at night.
Ask Zo\u00eb before changing it.",
  "days": ["mon", "wed", "fri",],
  "service": "Backup"
}
```

Let me know if anything is missing!"#;

fn main() {
    let repaired = repair(ANSWER);
    println!("{}\n", repaired.text());

    let mut places = Places::new(ANSWER);
    list("repair", repaired.repairs(), &mut places);
    list("warning", repaired.warnings(), &mut places);
    list("skip", repaired.skipped(), &mut places);
    println!("{}", repaired.outcome());

    // What was valid has kept its spelling.
    assert!(repaired.text().contains(r#"{ "rate": 1.50, "max_bytes": 18446744073709551616 }"#));
    assert_eq!(repaired.snapshot().at("/paths/source"), "C:\\data\reports"); // `\r` is an escape, whoever meant it

    // Whether it is all there is another question. Where that matters, ask for it.
    match repair(&ANSWER[..200]).into_finished().into_complete() {
        Ok(answer) => println!("complete: {}", *answer),
        Err(incomplete) => println!("the first 200 bytes alone are refused: {incomplete}"),
    }
}

fn list<K: ReportKind>(class: &str, reports: &Reports<K>, places: &mut Places<'_>) {
    for report in reports {
        println!(
            "{:>5} {class} {}: {}",
            places.at(report.span.start).to_string(),
            report.kind.as_str(),
            report.kind.message()
        );
    }
}
