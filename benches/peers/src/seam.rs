//! Where a round is joined to a text that was cut: what it costs to find out how it goes on.
//!
//! What is timed begins with `next_round` and ends with the first byte at which the seam is decided. To have read the
//! text before it is not timed, and the time to read as many bytes plainly is taken off.

use jsonrill::{Parser, SeamKind};
use jsonrill_bench_peers::data::{MB, Shape};

use super::race::{Lane, Times, race};
use super::{Bar, Report, Settings, float, lane};

const SIZES: [(usize, &str); 3] = [(MB / 10, "100 KB"), (MB, "1 MB"), (10 * MB, "10 MB")];

/// How far the document goes on behind the cut: so much, and this share of it.
const REST: usize = 5000;
const SHARE: usize = 8;

/// How much of the text before the cut a response repeats that repeats its tail.
const OVERLAP: usize = 1000;

/// A document that is cut inside a string.
struct Cut {
    document: String,
    at: usize,
}

/// A response, as far as it takes to decide on it.
struct Head {
    text: String,
    /// How many bytes of it are held behind what it repeats.
    held: usize,
    kind: SeamKind,
}

impl Cut {
    fn of(shape: Shape, bytes: usize) -> Self {
        let document = shape.document(bytes + bytes / SHARE + REST);
        let opener = match shape {
            Shape::Records => r#""name": ""#,
            Shape::Agent => r#""thought": ""#,
            _ => ". ",
        };
        let before = document.get(..bytes).unwrap_or(&document);
        let at = before.rfind(opener).expect("the opener is in the document") + opener.len() + 2;
        Self { document, at }
    }

    fn first(&self) -> &str {
        &self.document[..self.at]
    }

    fn rest(&self) -> &str {
        &self.document[self.at..]
    }

    fn parser(&self) -> Parser {
        let mut parser = Parser::new();
        parser.push(self.first());
        parser
    }

    /// The last element again, in another layout, and the rest; and how much of it is a repeat. None where the string
    /// is no part of an element.
    fn element(&self, shape: Shape) -> Option<(String, usize)> {
        let opener = match shape {
            Shape::Records => r#"{"id": "#,
            Shape::Agent => r#"{"step": "#,
            _ => return None,
        };
        let start = self.first().rfind(opener)?;
        let relaid = |text: &str| text.replace(", \"", ",\n    \"").replace("{\"", "{\n    \"");
        Some((relaid(&self.document[start..]), relaid(&self.first()[start..]).len()))
    }

    /// The start of a response, up to where it is decided on.
    fn head(&self, response: &str, repeated: usize, kind: SeamKind) -> Head {
        let mut parser = self.parser();
        parser.next_round();
        let is_decided = |parser: &Parser| parser.seams().last().is_some_and(|seam| seam.kind != SeamKind::Undecided);
        let mut length = repeated;
        parser.push(&response.as_bytes()[..length]);
        while !is_decided(&parser) {
            parser.push(&response.as_bytes()[length..=length]);
            length += 1;
        }
        assert_eq!(parser.seams().last().map(|seam| seam.kind), Some(kind), "how it goes on");
        let length = (length..).find(|length| response.is_char_boundary(*length)).expect("the end is one");
        Head { text: response[..length].to_owned(), held: length - repeated, kind }
    }

    /// Joins the start of a response.
    fn joined<'a>(&'a self, name: &'static str, head: &'a Head) -> Lane<'a> {
        Lane::after(
            name,
            || self.parser(),
            |mut parser| {
                parser.next_round();
                parser.push(head.text.as_str());
                assert_eq!(parser.seams()[0].kind, head.kind);
                parser
            },
        )
    }

    /// Reads as many bytes of what follows the cut, as if there were none.
    fn plain<'a>(&'a self, name: &'static str, head: &Head) -> Lane<'a> {
        let length = head.text.len().min(self.rest().len());
        let length = (0..=length).rev().find(|length| self.rest().is_char_boundary(*length)).unwrap_or(0);
        Lane::after(
            name,
            || self.parser(),
            move |mut parser| {
                parser.push(&self.rest()[..length]);
                parser
            },
        )
    }
}

/// Times of one size, in nanoseconds: those of all the seams beyond plain reading.
fn measure(shape: Shape, (bytes, size): (usize, &str), settings: &Settings, report: &mut Report) -> Vec<Times> {
    let cut = Cut::of(shape, bytes);
    let start = (cut.at - OVERLAP..).find(|at| cut.document.is_char_boundary(*at)).expect("the end is one");
    let rest = cut.head(cut.rest(), 0, SeamKind::Rest);
    let tail = cut.head(&cut.document[start..], cut.at - start, SeamKind::Repeat);
    let whole = cut.head(&cut.document, cut.at, SeamKind::Restart);
    let element = cut.element(shape).map(|(element, repeated)| cut.head(&element, repeated, SeamKind::Repeat));
    let mut lanes = vec![
        Lane::new("reading the document", || cut.parser()),
        Lane::after(
            "`next_round`",
            || cut.parser(),
            |mut parser| {
                parser.next_round();
                parser
            },
        ),
        cut.joined("the rest", &rest),
        cut.plain("plain, the rest", &rest),
        cut.joined("its tail again", &tail),
        cut.plain("plain, its tail again", &tail),
        cut.joined("all of it again", &whole),
        Lane::new("plain, all of it again", || {
            let mut parser = Parser::new();
            parser.push(whole.text.as_str());
            parser
        }),
    ];
    if let Some(element) = &element {
        lanes.push(cut.joined("its last element again, re-indented", element));
        lanes.push(cut.plain("plain, its last element again, re-indented", element));
    }
    let times = race(settings.rounds, lanes);
    let what = |name: &str| format!("{}, {size}: {name}", shape.name());
    let document = lane(&times, "reading the document");
    let next_round = lane(&times, "`next_round`");
    report.spread(what("`next_round`"), next_round.spread().scaled(1e-3), "µs", &Bar::None);
    let share = document.faster_than(next_round);
    report.spread(what("`next_round`, times reading the document"), share, "×", &Bar::None);
    let heads = [
        ("the rest", "plain, the rest", Some(&rest)),
        ("its tail again", "plain, its tail again", Some(&tail)),
        ("its last element again, re-indented", "plain, its last element again, re-indented", element.as_ref()),
    ];
    for (name, plain, head) in heads {
        let Some(head) = head else { continue };
        let beyond = lane(&times, name).beyond(lane(&times, plain)).scaled(1e-3);
        report.spread(what(&format!("{name}, beyond plain reading")), beyond, "µs", &Bar::None);
        report.row(what(&format!("{name}, held")), format!("{} bytes", head.held), float(head.held), &Bar::None);
    }
    report.row(what("all of it again, held"), format!("{} bytes", whole.held), float(whole.held), &Bar::None);
    for name in ["all of it again", "plain, all of it again"] {
        let a_byte = lane(&times, name).spread().scaled(1.0 / float(whole.text.len()));
        report.spread(what(&format!("{name}, a byte")), a_byte, "ns", &Bar::None);
    }
    let ratio = lane(&times, "plain, all of it again").faster_than(lane(&times, "all of it again"));
    report.spread(format!("**{}**", what("all of it again, times plain reading")), ratio, "×", &Bar::None);
    times
}

/// Each way to go on, at three sizes.
pub fn seam(settings: &Settings, report: &mut Report) {
    for shape in [Shape::Records, Shape::Agent, Shape::Text] {
        Report::section(&format!("A seam in {}: from `next_round` to the decision", shape.name()));
        let sizes = SIZES.map(|size| measure(shape, size, settings, report));
        let [_, short, long] = &sizes;
        for name in ["`next_round`", "the rest", "its tail again", "all of it again"] {
            // Not by turns, so medians.
            let growth = lane(long, name).spread().median / lane(short, name).spread().median;
            report.row(format!("{}: {name}, 10 MB takes", shape.name()), format!("{growth:.2} ×"), growth, &Bar::None);
        }
    }
}
