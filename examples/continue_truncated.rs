//! An answer that was cut: what to tell the model so that it goes on, and how another process goes on reading.
//!
//!     cargo run --example continue_truncated
//!
//! Replays a recorded answer that ran into its token limit in the middle of a sentence. Three steps:
//!
//! 1. *Freeze* the parser: where the text stopped, what is open, and what there is of the answer, as valid JSON.
//! 2. Build a *continuation prompt* from the contexts. Most of a long answer is not needed for that: the hierarchy with
//!    a limit says what there is, and the overlap has the place of the cut word for word.
//! 3. Keep a *checkpoint*. It is text, and can be stored anywhere. A parser that is resumed from it reads the rest as
//!    if nothing had happened: the same document, the next delta.

use jsonrill::{Checkpoint, ContextOptions, End, Parser, continuation_prompt};

/// What the model was asked for.
const REQUEST: &str = "Plan a weekend in Oslo, as JSON.";

/// A chunk a line, as JSON strings; `jsonrill watch --input chunks` reads it, too.
const RECORDING: &str = include_str!("data/cut_plan.jsonl");

/// What the model wrote when it was asked to go on.
const REST: [&str; 4] = ["e light on th", "e water.\"}\n  ],\n  \"bud", "get\": 24", "00\n}\n```\nHave a good time!"];

/// How much of the answer the model is shown again, in characters, and how much of that may be the text of strings. A
/// short answer is shown whole, of a long one the end and the outline.
const LIMIT: usize = 800;
const BUDGET: usize = 250;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parser = Parser::new();
    for line in RECORDING.lines() {
        let chunk: String = serde_json::from_str(line)?;
        parser.feed(chunk);
    }

    let frozen = parser.freeze();
    heading("the cut");
    let cut = frozen.cut();
    println!(
        "byte {}, {}, {}",
        cut.offset(),
        cut.place().map(|place| place.to_string()).unwrap_or_default(),
        cut.state()
    );
    println!("open: {}", cut.open().unwrap_or("nothing"));
    println!("in flight: …{}", tail(cut.in_flight(), 40));
    println!("missing: {}", cut.closers());

    let options = ContextOptions::new().total_limit(Some(LIMIT)).budget_limit(BUDGET);
    let contexts = frozen.contexts_with(&options);
    heading("overlap: the innermost open object, word for word");
    println!("{}", contexts.overlap);
    heading(&format!("hierarchy: from the root to the cut, in at most {LIMIT} characters"));
    println!("{}", contexts.hierarchy);
    heading("complete part: valid JSON, whatever comes");
    let plan: serde_json::Value = serde_json::from_str(&contexts.complete_part)?;
    let sights = plan["sights"].as_array().map_or(0, Vec::len);
    println!("{} bytes, {sights} sights; it ends with", contexts.complete_part.len());
    println!("…{}", tail(&contexts.complete_part, 60));

    heading("the prompt that makes the model go on");
    println!("{}", continuation_prompt(REQUEST, &contexts));

    // Another process, another day: all that it needs is the checkpoint.
    let stored = serde_json::to_string(&frozen.checkpoint()?)?;
    drop(parser);

    heading("the rest, read by a parser that was resumed");
    let checkpoint: Checkpoint = serde_json::from_str(&stored)?;
    println!("checkpoint: {} bytes for {} bytes of text", stored.len(), checkpoint.length());
    let mut parser = Parser::resume(&checkpoint);
    for chunk in REST {
        let update = parser.feed(chunk);
        println!("update {}: {}", update.sequence(), update.delta());
    }

    // What came in two parts is one answer.
    let answer = parser.finish(End::Stopped).into_complete()?;
    let last = answer.at("/sights/11/text");
    println!("the string that was cut: …{}", tail(last.as_str().unwrap_or_default(), 60));
    println!("the answer is whole: {} sights, budget {}", answer.at("/sights").len(), answer.at("/budget"));
    assert_eq!(answer.at("/budget"), 2400);
    Ok(())
}

fn heading(text: &str) {
    println!("\n── {text} ──\n");
}

/// The last characters of a text.
fn tail(text: &str, characters: usize) -> &str {
    let start = text.char_indices().rev().nth(characters.saturating_sub(1)).map_or(0, |(index, _)| index);
    &text[start..]
}
