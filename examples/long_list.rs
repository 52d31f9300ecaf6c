//! A list of 4000 items, which no single response is long enough for, with a progress bar.
//!
//!     cargo run --example long_list             # as a person would see it
//!     cargo run --example long_list -- --fast   # without the pauses
//!
//! The model here is a script, so that the example needs no network: each of its responses is cut after 45 000
//! characters, and it goes on the way models do, sometimes with the very next character, sometimes with the last
//! element again, in a code fence or behind a few words. For a real one, implement `LanguageModel`; the rest stays as
//! it is.
//!
//! What to take home:
//!
//! 1. `accumulate` asks as often as it takes. You get one document that grows, and updates that simply go on.
//! 2. After the first cut the model is asked what to measure (KPIs). What it says about targets makes the progress bar;
//!    what there is of the answer is measured, never believed.
//! 3. It ends when the answer is whole, and when there is no point in going on. The report says which.

use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::Duration;

use futures::executor::block_on_stream;
use jsonrill::{
    Accumulation, AccumulationEvent, AccumulationOptions, AccumulationReport, Purpose, Round, ScriptedModel,
    ScriptedReply, Usage, accumulate,
};

const REQUEST: &str =
    "List the first 4000 minor planets as JSON: {\"title\": …, \"items\": [{\"id\", \"name\", \"km\"}, …]}.";

const ITEMS: usize = 4000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let live = io::stdout().is_terminal();
    let fast = std::env::args().any(|arg| arg == "--fast");
    let pause = Duration::from_micros(if live && !fast { 500 } else { 0 });

    let model = ScriptedModel::new(script::replies());
    let mut bar = Bar { live, shown: None };

    // Outside of examples you would poll this in your runtime: it is a `Stream`.
    let mut events = block_on_stream(accumulate(&model, REQUEST, AccumulationOptions::new()));
    while let Some(event) = events.next() {
        match event {
            AccumulationEvent::Asked(Purpose::Answer) => bar.line("Asking for the list."),
            AccumulationEvent::Asked(Purpose::Kpis) => bar.line("It was cut. Asking what to measure."),
            AccumulationEvent::Asked(_) => bar.line("Asking for the rest."),
            // The document has grown. `update` has the delta, as with any parser; the bar needs only the total.
            AccumulationEvent::Update(_update) => {
                bar.draw(events.accumulation());
                thread::sleep(pause);
            }
            AccumulationEvent::RoundEnded(round) => bar.line(&told(&round)),
            AccumulationEvent::Done(report) => {
                bar.line("");
                summary(&report)?;
                // A cut answer is another type than a whole one: `?` refuses it.
                let answer = report.into_complete()?;
                println!("The last of {} items: {}", answer.at("/items").len(), answer.at("/items/3999"));
                assert_eq!(answer.at("/items").len(), ITEMS);
                assert!((0..ITEMS).all(|at| answer.at("/items").get(at).get("id").as_u64() == Some(at as u64 + 1)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A round that has ended, in words.
fn told(round: &Round) -> String {
    let progress = round.progress.as_ref().map(|progress| format!("; {}", progress.reason()));
    format!("{} bytes, {}{}", round.bytes, round.stop_reason, progress.unwrap_or_default())
}

/// What has become of it, and how the rounds were joined.
fn summary(report: &AccumulationReport) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {}", report.conclusion.as_str(), report.conclusion)?;
    for (number, seam) in (2..).zip(report.seams()) {
        writeln!(out, "  round {number} began with {} ({} bytes left out)", seam.kind, seam.dropped)?;
    }
    let Usage { input_tokens, output_tokens, .. } = report.usage();
    writeln!(out, "  tokens: {input_tokens} in, {output_tokens} out")
}

/// A progress bar: redrawn in place on a terminal, elsewhere a line for each tenth.
struct Bar {
    live: bool,
    /// What is on the screen, in steps.
    shown: Option<usize>,
}

impl Bar {
    const WIDTH: usize = 40;

    fn draw(&mut self, accumulation: &Accumulation) {
        // Nobody knows how far it is before there are KPIs with a target.
        let Some(ratio) = accumulation.completion() else { return };
        let steps: u32 = if self.live { 1000 } else { 10 };
        let step = (1..=steps).take_while(|step| f64::from(*step) <= ratio * f64::from(steps)).count();
        if self.shown.replace(step) == Some(step) {
            return;
        }
        let full = step * Self::WIDTH / steps as usize;
        let (done, left) = ("#".repeat(full), "-".repeat(Self::WIDTH - full));
        let percent = (ratio * 100.0).floor();
        let items = accumulation.snapshot().at("/items").len();
        let round = accumulation.rounds().len() + usize::from(!accumulation.is_done());
        let (start, end) = if self.live { ("\r", "") } else { ("", "\n") };
        print!("{start}[{done}{left}] {percent:>3} %, {items} items, round {round}{end}");
        let _ = io::stdout().flush();
    }

    /// A line of its own, below the bar.
    fn line(&mut self, text: &str) {
        if self.live && self.shown.take().is_some() {
            println!();
        }
        if !text.is_empty() {
            println!("{text}");
        }
    }
}

/// The model's part.
mod script {
    use super::{ITEMS, ScriptedReply, Usage};

    /// How long a response may be, in characters.
    const RESPONSE: usize = 45_000;

    /// All that the model says, in order: the start of the answer, the KPIs, and the rest in rounds.
    pub fn replies() -> Vec<ScriptedReply> {
        let answer = answer();
        let mut cut = RESPONSE;
        let mut replies = vec![reply(&answer[..cut], "length")];
        replies.push(reply(&kpis(), "stop"));
        for style in [Style::Rest, Style::LastElement, Style::Fenced, Style::Introduced].into_iter().cycle() {
            let end = answer.len().min(cut + RESPONSE);
            let stop_reason = if end == answer.len() { "stop" } else { "length" };
            replies.push(reply(&style.write(&answer, cut, end), stop_reason));
            cut = end;
            if stop_reason == "stop" {
                return replies;
            }
        }
        replies
    }

    /// The whole list: what the model would say if it could.
    fn answer() -> String {
        let items: Vec<String> = (1..=ITEMS)
            .map(|id| {
                let name = ["Ceres", "Pallas", "Juno", "Vesta", "Astraea", "Hebe", "Iris"][id % 7];
                format!("    {{\"id\": {id}, \"name\": \"{name} {}\", \"km\": {}.{}}}", id / 7, 900 - id / 5, id % 10)
            })
            .collect();
        format!("{{\n  \"title\": \"Minor planets\",\n  \"items\": [\n{}\n  ]\n}}", items.join(",\n"))
    }

    fn kpis() -> String {
        let kpi = r#"{"id": "items", "description": "planets listed", "jsonPath": "items", "targetValue": 4000, "currentValue": 0}"#;
        format!("Here is what I would measure:\n\n[{kpi}]")
    }

    /// How a response goes on with the one before it.
    #[derive(Clone, Copy)]
    enum Style {
        /// With the very next character.
        Rest,
        /// With the last element from its start.
        LastElement,
        /// The same in a code fence.
        Fenced,
        /// The same behind a few words.
        Introduced,
    }

    impl Style {
        fn write(self, answer: &str, cut: usize, end: usize) -> String {
            let element = answer[..cut].rfind('{').unwrap_or(cut);
            let again = &answer[element..end];
            match self {
                Self::Rest => answer[cut..end].to_owned(),
                Self::LastElement => again.to_owned(),
                Self::Fenced => format!("```json\n{again}"),
                Self::Introduced => format!("Sure, here is the rest:\n\n{again}"),
            }
        }
    }

    /// A response in chunks of a few words, as a model sends them.
    fn reply(text: &str, stop_reason: &'static str) -> ScriptedReply {
        let chunks = text.as_bytes().chunks(16).map(|chunk| String::from_utf8_lossy(chunk));
        ScriptedReply::new(chunks, stop_reason).usage(Usage::new(2_000, text.len() as u64 / 4))
    }
}
