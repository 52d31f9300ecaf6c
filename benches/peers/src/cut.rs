//! A document that was cut: what it costs to freeze a parser there, and to make what a model goes on from.
//!
//! The bar is about work, not about output, which may be as long as the document. So the same bytes are also copied
//! into fresh strings, by turns with the work, and that time is taken off.

use std::cell::RefCell;

use jsonrill::{ContextOptions, Contexts, CutState, Frozen, Parser};
use jsonrill_bench_peers::data::{MB, Shape};
use jsonrill_bench_peers::malformed::Kind;

use super::race::{Lane, Spread, Times, race};
use super::{Bar, Report, Settings, float, lane};

/// What a model is shown of a long answer.
const LIMIT: usize = 4000;

/// Microseconds that the contexts may take beyond copying them.
const BAR: f64 = 100.0;

/// How often a state is frozen for one time: once is too fast for the clock.
const TIMES: usize = 1000;

const FREEZE: &str = "`freeze`";

/// A parser that has read a document up to a place inside a string near its end.
struct Stopped {
    name: &'static str,
    bytes: usize,
    parser: RefCell<Parser>,
}

impl Stopped {
    /// Stops `inside` bytes behind the last `opener` of the document.
    fn new(name: &'static str, document: &str, opener: &str, inside: usize) -> Self {
        let start = document.rfind(opener).expect("the opener is in the document") + opener.len();
        let text = document.get(..start + inside).expect("between characters");
        let mut parser = Parser::new();
        parser.push(text);
        assert_eq!(parser.freeze().cut().state(), CutState::InString, "{name} is cut inside a string");
        Self { name, bytes: text.len(), parser: RefCell::new(parser) }
    }

    fn of(shape: Shape, bytes: usize) -> Self {
        let opener = match shape {
            Shape::Records => r#""name": ""#,
            Shape::Agent => r#""thought": ""#,
            Shape::Text => ". ",
            Shape::Numbers => unreachable!("no string is in it"),
            Shape::Deep => r#", ""#,
        };
        Self::new(shape.name(), &shape.document(bytes), opener, 2)
    }

    fn malformed(kind: Kind, opener: &str, bytes: usize) -> Self {
        Self::new(kind.name(), &kind.document(bytes).text, opener, 2)
    }

    /// Frozen anew each time: what is made from a frozen state may be kept in it.
    fn frozen(&self) -> Frozen {
        self.parser.borrow_mut().freeze()
    }

    fn freeze_lane(&self, name: &'static str) -> Lane<'_> {
        Lane::new(name, || {
            for _ in 0..TIMES {
                std::hint::black_box(self.frozen());
            }
        })
    }

    /// Copies the contexts into fresh strings.
    fn copy_lane(&self, name: &'static str, options: &ContextOptions) -> Lane<'_> {
        let contexts: Contexts = self.frozen().contexts_with(options);
        Lane::new(name, move || contexts.clone())
    }

    /// The contexts are the bar's; the rest tells where the time goes.
    fn measure(&self, settings: &Settings, report: &mut Report, bar: &Bar) {
        let whole = ContextOptions::new();
        let limited = whole.total_limit(Some(LIMIT));
        let checkpoint = self.frozen().checkpoint().expect("the source is kept");
        let lanes = vec![
            self.freeze_lane(FREEZE),
            Lane::new("`cut`", || {
                let frozen = self.frozen();
                let _ = frozen.cut();
                frozen
            }),
            Lane::new("`overlap`", || self.frozen().overlap()),
            Lane::new("`hierarchy`", || self.frozen().hierarchy()),
            Lane::new("`hierarchy`, limited", move || self.frozen().hierarchy_with(&limited)),
            Lane::new("`complete_part`", || self.frozen().complete_part()),
            Lane::new("all three", || self.frozen().contexts()),
            self.copy_lane("copied", &whole),
            Lane::new("all three, limited", move || self.frozen().contexts_with(&limited)),
            self.copy_lane("limited, copied", &limited),
            Lane::new("`checkpoint`, as JSON", || {
                serde_json::to_string(&self.frozen().checkpoint().expect("the source is kept"))
                    .expect("written to a string")
            }),
            Lane::new("`Parser::resume`", || Parser::resume(&checkpoint)),
        ];
        let times = race(settings.rounds, lanes);
        self.tell(&times, report);
        for (name, copied) in [("all three", "copied"), ("all three, limited", "limited, copied")] {
            let beyond = microseconds(lane(&times, name).beyond(lane(&times, copied)));
            report.spread(format!("**{}: {name}, beyond copying them**", self.what()), beyond, "µs", bar);
        }
    }

    fn tell(&self, times: &[Times], report: &mut Report) {
        for times in times {
            let spread = microseconds(times.spread());
            let spread = if times.name == FREEZE { spread.scaled(1.0 / float(TIMES)) } else { spread };
            report.spread(format!("{}: {}", self.what(), times.name), spread, "µs", &Bar::None);
        }
    }

    fn what(&self) -> String {
        format!("{}, {} MB", self.name, (self.bytes + MB / 2) / MB)
    }
}

fn microseconds(nanoseconds: Spread) -> Spread {
    nanoseconds.scaled(1e-3)
}

/// Freezing a parser, and what is made from that.
pub fn freeze(settings: &Settings, report: &mut Report) {
    Report::section("Frozen inside a string near the end (limited: hierarchy of at most 4000 characters)");
    for shape in [Shape::Records, Shape::Agent, Shape::Text, Shape::Deep] {
        let (short, long) = (Stopped::of(shape, MB), Stopped::of(shape, 10 * MB));
        short.measure(settings, report, &Bar::AtMost(BAR));
        long.measure(settings, report, &Bar::None);
        // Freezing copies the open path, whatever is in the document.
        let times = race(settings.rounds * 2, vec![short.freeze_lane("1 MB"), long.freeze_lane("10 MB")]);
        let growth = times[0].faster_than(&times[1]);
        report.spread(format!("**{}: `freeze` at 10 MB takes**", short.name), growth, "×", &Bar::AtMost(1.5));
    }
    // Repairs that the cut is in, and repairs before it.
    for (kind, opener) in [(Kind::SingleQuotes, "'name': '"), (Kind::Comments, r#""name": ""#)] {
        let stopped = Stopped::malformed(kind, opener, MB);
        let times = race(
            settings.rounds,
            vec![
                stopped.freeze_lane(FREEZE),
                Lane::new("`complete_part`", || stopped.frozen().complete_part()),
                Lane::new("all three", || stopped.frozen().contexts()),
                stopped.copy_lane("copied", &ContextOptions::new()),
            ],
        );
        stopped.tell(&times, report);
    }
}
