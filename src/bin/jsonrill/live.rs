//! `--emit live`: a view for people that redraws in place.
//!
//! A thread of its own draws, at its own pace, the newest state it finds: parsing never waits for the terminal, and a
//! stream that pauses leaves its last state on the screen. Snapshots are what makes that one line: owned, `Send`,
//! and free to take.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossterm::cursor::MoveToPreviousLine;
use crossterm::queue;
use crossterm::style::{Attribute, Color, Print, ResetColor, SetAttribute, SetForegroundColor};
use crossterm::terminal::{self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use crossterm::terminal::{DisableLineWrap, EnableLineWrap};
use jsonrill::{Finished, Kind, Outcome, SkipKind, Snapshot, ValueRef};

use crate::cut::Told;
use crate::options::NO_OBJECT;
use crate::printable::{clip, fitting, printable, quoted};
use crate::reports::StreamError;
use crate::watch::{Feed, View, total};
use crate::watched::Spoken;

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(33);
/// How many pieces of text outside the JSON are shown.
const OUTSIDE: usize = 3;
/// Where the next byte will go.
const CURSOR: &str = "▌";

/// The view: what it counts, and the thread that draws.
pub(crate) struct Live {
    status: Status,
    /// `None` where standard output is no terminal: the last state is printed, once.
    painter: Option<Painter>,
}

#[derive(Clone, Debug, Default)]
struct Status {
    bytes: u64,
    feeds: u64,
    spent: Duration,
    repairs: u64,
    document: u32,
    /// How it ended.
    end: Option<Ended>,
}

#[derive(Clone, Debug)]
struct Ended {
    outcome: &'static str,
    /// What was wrong, or where the text was cut.
    why: Option<String>,
    /// The pointer of what was in flight at the cut, also where nothing of it is shown.
    open: Option<String>,
}

/// What a frame shows.
struct State {
    snapshot: Snapshot,
    status: Status,
}

impl Live {
    pub(crate) fn new(terminal: bool) -> Self {
        Live { status: Status::default(), painter: terminal.then(Painter::start) }
    }
}

impl View for Live {
    fn feed(&mut self, feed: &Feed<'_>) -> io::Result<()> {
        self.status.bytes += feed.bytes as u64;
        self.status.feeds += 1;
        self.status.spent += feed.took;
        self.status.repairs = feed.repairs;
        self.status.document = feed.update.document();
        if let Some(painter) = &mut self.painter {
            let state = State { snapshot: feed.update.snapshot().clone(), status: self.status.clone() };
            painter.show(state)?;
        }
        Ok(())
    }

    fn end(&mut self, finished: &Finished, outcome: Outcome, spoken: Option<&Spoken>) -> io::Result<()> {
        self.status.repairs = total(finished.repairs());
        self.status.document = finished.update().document();
        let cut = finished.cut();
        let broken = spoken.and_then(|spoken| StreamError::shown(&spoken.errors)).map(ToString::to_string);
        let error = finished.error().map(ToString::to_string).or(broken).map(|error| printable(&error));
        self.status.end = Some(Ended {
            outcome: outcome.as_str(),
            why: error
                .or_else(|| (outcome != finished.outcome()).then(|| NO_OBJECT.to_owned()))
                .or_else(|| cut.map(|cut| format!("{}, {}", cut.state(), Told(cut))))
                .or_else(|| repaired(finished).map(str::to_owned)),
            open: cut.and_then(|cut| cut.open().map(str::to_owned)),
        });
        let state = State { snapshot: finished.snapshot().clone(), status: self.status.clone() };
        match &mut self.painter {
            Some(painter) => {
                painter.show(state)?;
                painter.stop()
            }
            None => print_plain(&state.rows(usize::MAX, usize::MAX), &mut io::stdout().lock()),
        }
    }
}

/// What was done to a text that is repaired although nothing in its JSON was.
fn repaired(finished: &Finished) -> Option<&'static str> {
    let is_whole = finished.outcome() == Outcome::Repaired && finished.repairs().is_empty();
    is_whole.then_some("the JSON is as it was written, and what is around it was left out")
}

/// The thread that draws, and the place where it finds what to draw.
struct Painter {
    slot: Arc<Slot>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

#[derive(Default)]
struct Slot {
    inner: Mutex<Next>,
    changed: Condvar,
}

#[derive(Default)]
struct Next {
    state: Option<State>,
    closed: bool,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Next> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something new to draw; `None` when there will be nothing more.
    fn take(&self) -> Option<State> {
        let mut next = self
            .changed
            .wait_while(self.lock(), |next| next.state.is_none() && !next.closed)
            .unwrap_or_else(PoisonError::into_inner);
        next.state.take()
    }
}

impl Painter {
    fn start() -> Self {
        let slot = Arc::new(Slot::default());
        let thread = thread::spawn({
            let slot = Arc::clone(&slot);
            move || paint_all(&slot)
        });
        Painter { slot, thread: Some(thread) }
    }

    fn show(&mut self, state: State) -> io::Result<()> {
        self.slot.lock().state = Some(state);
        self.slot.changed.notify_one();
        // The thread ends before it is told to only when it can no longer write.
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) { self.stop() } else { Ok(()) }
    }

    fn stop(&mut self) -> io::Result<()> {
        self.slot.lock().closed = true;
        self.slot.changed.notify_one();
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(io::Error::other("the thread that draws failed")),
        }
    }
}

impl Drop for Painter {
    /// The last state is drawn even if the input fails.
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

/// Draws until there is nothing more to draw.
fn paint_all(slot: &Slot) -> io::Result<()> {
    let mut drawn = 0;
    while let Some(state) = slot.take() {
        let start = Instant::now();
        let (columns, lines) = terminal::size().unwrap_or((80, 24));
        // The last line stays free: that is where the cursor rests.
        let rows = state.rows(usize::from(columns), usize::from(lines).saturating_sub(1));
        // A frame is written at once, so that an interrupted program leaves the terminal as it should be.
        let mut frame = Vec::new();
        paint(&rows, drawn, &mut frame)?;
        let mut stdout = io::stdout().lock();
        stdout.write_all(&frame)?;
        stdout.flush()?;
        drawn = u16::try_from(rows.len()).unwrap_or(u16::MAX);
        // A large document takes long to draw: never more than a fifth of the time goes there.
        if state.status.end.is_none() {
            thread::sleep(FRAME.max(start.elapsed() * 4));
        }
    }
    Ok(())
}

fn paint(rows: &[Row], drawn: u16, frame: &mut Vec<u8>) -> io::Result<()> {
    queue!(frame, BeginSynchronizedUpdate, DisableLineWrap)?;
    if drawn > 0 {
        queue!(frame, MoveToPreviousLine(drawn))?;
    }
    for row in rows {
        queue!(frame, Clear(ClearType::CurrentLine))?;
        for (tone, text) in &row.0 {
            match tone {
                Tone::Plain => {}
                Tone::Final => queue!(frame, SetForegroundColor(Color::Green))?,
                Tone::Growing => queue!(frame, SetForegroundColor(Color::Yellow))?,
                Tone::Bad => queue!(frame, SetForegroundColor(Color::Red))?,
                Tone::Dim => queue!(frame, SetAttribute(Attribute::Dim))?,
            }
            queue!(frame, Print(text), ResetColor, SetAttribute(Attribute::Reset))?;
        }
        queue!(frame, Print("\r\n"))?;
    }
    queue!(frame, Clear(ClearType::FromCursorDown), EnableLineWrap, EndSynchronizedUpdate)
}

fn print_plain(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    for row in rows {
        for (_, text) in &row.0 {
            out.write_all(text.as_bytes())?;
        }
        out.write_all(b"\n")?;
    }
    out.flush()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    Plain,
    Final,
    Growing,
    Bad,
    Dim,
}

impl Tone {
    fn of(value: ValueRef<'_>) -> Self {
        if value.is_final() { Tone::Final } else { Tone::Growing }
    }
}

/// A line on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Row(Vec<(Tone, String)>);

impl State {
    /// What a frame shows, in at most `height` rows of `width` columns.
    fn rows(&self, width: usize, height: usize) -> Vec<Row> {
        let mut value = value_rows(&self.snapshot, width);
        let mut outside = self.outside_rows(width);
        let status = self.status_rows(width);
        // What is newest is what people look at: the rest makes way for it.
        let room = height.saturating_sub(status.len());
        outside.truncate(room.saturating_sub(value.len()).max(room.min(OUTSIDE)));
        let room = room - outside.len();
        if value.len() > room {
            let above = value.len() - room.saturating_sub(1);
            value.drain(..above);
            value.insert(0, Row(vec![(Tone::Dim, format!("… {above} lines above"))]));
            value.truncate(room);
        }
        let mut rows: Vec<Row> = outside.into_iter().chain(value).chain(status).collect();
        rows.drain(..rows.len().saturating_sub(height));
        rows
    }

    /// The text outside the JSON: its newest pieces, a row each.
    fn outside_rows(&self, width: usize) -> Vec<Row> {
        let pieces: Vec<Row> = self
            .snapshot
            .outside()
            .filter(|piece| !matches!(piece.kind, SkipKind::Fence | SkipKind::Bom) && !piece.text.trim().is_empty())
            .map(|piece| {
                let text = format!("{}: {}", piece.kind.as_str(), printable(piece.text.trim()));
                Row(vec![(Tone::Dim, clip(&text, width))])
            })
            .collect();
        let first = pieces.len().saturating_sub(OUTSIDE);
        pieces.into_iter().skip(first).collect()
    }

    /// Where the text is, what it came to, and how it ended, which is wrapped: the rest would not be seen again.
    fn status_rows(&self, width: usize) -> Vec<Row> {
        let status = &self.status;
        let open = status.end.as_ref().and_then(|ended| ended.open.clone()).or_else(|| self.snapshot.open_path());
        let open = match open {
            Some(path) if path.is_empty() => "the root".to_owned(),
            Some(path) => printable(&path),
            None => "nothing".to_owned(),
        };
        let per_feed = status.spent.as_nanos() / u128::from(status.feeds.max(1));
        let mut counts = format!(
            "{} · {} · {per_feed} ns a feed · {}",
            counted(status.bytes, "byte"),
            counted(status.feeds, "feed"),
            counted(status.repairs, "repair"),
        );
        if status.document > 0 {
            let _ = write!(counts, " · document {}", status.document);
        }
        let mut printer = Printer::new(width);
        printer.put(Tone::Dim, "open: ".to_owned());
        printer.put(Tone::Growing, clip(&open, width.saturating_sub("open: ".len())));
        printer.end_line();
        printer.put(Tone::Dim, counts);
        printer.end_line();
        if let Some(Ended { outcome, why, .. }) = &status.end {
            let tone = if matches!(*outcome, "complete" | "repaired") { Tone::Final } else { Tone::Bad };
            let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            printer.put(tone, format!("{outcome}{why}"));
            printer.end_line();
        }
        printer.rows
    }
}

/// The value, pretty-printed, each part in the colour of its state, and a cursor where it grows.
fn value_rows(snapshot: &Snapshot, width: usize) -> Vec<Row> {
    let mut printer = Printer::new(width);
    if !snapshot.is_started() {
        printer.put(Tone::Growing, CURSOR.to_owned());
        printer.end_line();
        return printer.rows;
    }
    let open = snapshot.open_path();
    let is_open = |value: ValueRef<'_>| !value.is_final() && open.as_deref() == Some(value.path().as_str());
    // The containers on the way, with what is left of them. A document may be deep, so this is no recursion.
    let mut stack: Vec<(ValueRef<'_>, Box<dyn Iterator<Item = ValueRef<'_>> + '_>)> = Vec::new();
    let mut next = Some(snapshot.root());
    loop {
        if let Some(value) = next.take() {
            if let Some(key) = value.key() {
                printer.put(Tone::Plain, format!("{}: ", quoted(key)));
            }
            if !matches!(value.kind(), Some(Kind::Object | Kind::Array)) {
                printer.scalar(value);
            } else if let Some(line) = inline(value) {
                printer.put(Tone::Final, line);
            } else {
                printer.put(Tone::of(value), brackets(value).0.to_owned());
                printer.end_line();
                printer.indent += 1;
                stack.push((value, Box::new(value.elements())));
            }
        }
        let Some((container, children)) = stack.last_mut() else { break };
        let container = *container;
        if let Some(child) = children.next() {
            if !printer.is_line_start() {
                printer.put(Tone::of(container), ",".to_owned());
                printer.end_line();
            }
            next = Some(child);
            continue;
        }
        stack.pop();
        if !printer.is_line_start() {
            printer.end_line();
        }
        if is_open(container) {
            printer.put(Tone::Growing, CURSOR.to_owned());
            printer.end_line();
        }
        printer.indent -= 1;
        printer.put(Tone::of(container), brackets(container).1.to_owned());
    }
    printer.end_line();
    printer.rows
}

/// Lays out lines, wrapped to the width.
struct Printer {
    rows: Vec<Row>,
    line: Vec<(Tone, String)>,
    indent: usize,
    width: usize,
}

impl Printer {
    fn new(width: usize) -> Self {
        Printer { rows: Vec::new(), line: Vec::new(), indent: 0, width }
    }

    fn put(&mut self, tone: Tone, text: String) {
        self.line.push((tone, text));
    }

    fn is_line_start(&self) -> bool {
        self.line.is_empty()
    }

    fn scalar(&mut self, value: ValueRef<'_>) {
        let text = scalar(value);
        if value.is_final() {
            self.put(Tone::Final, text);
        } else {
            let text = if value.as_str().is_some() { &text[..text.len() - 1] } else { &text };
            self.put(Tone::Growing, format!("{text}{CURSOR}"));
        }
    }

    fn end_line(&mut self) {
        let indent = "  ".repeat(self.indent);
        let mut column = indent.len();
        let mut row = Row(vec![(Tone::Plain, indent.clone())]);
        for (tone, text) in self.line.drain(..) {
            let mut rest = text.as_str();
            loop {
                let (head, columns) = fitting(rest, self.width.saturating_sub(column));
                if head.len() == rest.len() {
                    column += columns;
                    row.0.push((tone, rest.to_owned()));
                    break;
                }
                row.0.push((tone, head.to_owned()));
                rest = &rest[head.len()..];
                self.rows.push(std::mem::take(&mut row));
                // A continued line stands a little in, unless there is hardly any room.
                let indent = if indent.len() + 4 < self.width / 2 { format!("{indent}    ") } else { String::new() };
                column = indent.len();
                row.0.push((Tone::Plain, indent));
                if self.width < 2 {
                    break;
                }
            }
        }
        self.rows.push(row);
    }
}

/// A container that is final and holds a few short scalars, in one line; `None` for any other.
fn inline(container: ValueRef<'_>) -> Option<String> {
    if !container.is_final() || container.len() > 8 {
        return None;
    }
    let mut line = String::new();
    for child in container.elements() {
        if matches!(child.kind(), Some(Kind::Object | Kind::Array)) {
            return None;
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        if let Some(key) = child.key() {
            line.push_str(&quoted(key));
            line.push_str(": ");
        }
        line.push_str(&scalar(child));
        if line.len() > 48 {
            return None;
        }
    }
    let (open, close) = brackets(container);
    Some(format!("{open}{line}{close}"))
}

fn brackets(container: ValueRef<'_>) -> (&'static str, &'static str) {
    if container.kind() == Some(Kind::Object) { ("{", "}") } else { ("[", "]") }
}

fn scalar(value: ValueRef<'_>) -> String {
    value.as_str().map_or_else(|| value.to_string(), quoted)
}

/// `1 byte`, `2 bytes`.
fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use jsonrill::{End, Parser};

    use crate::printable::columns_of;

    use super::*;

    const TEXT: &str = r#"Look: {"name": "Grüße aus 東京 🎉 and on and on", "list": [1, 2, {"a": [], "b": {}}],
        "deep": [[[["text"]]]], "price": 12.50, "none": null}"#;

    /// The state after `bytes` of the text.
    fn state(bytes: usize) -> State {
        let mut parser = Parser::new();
        let update = parser.feed(&TEXT.as_bytes()[..bytes]);
        State { snapshot: update.snapshot().clone(), status: Status::default() }
    }

    fn plain(rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| row.0.iter().map(|(_, text)| text.as_str()).collect()).collect()
    }

    #[test]
    fn a_frame_fits_and_shows_where_it_grows() {
        for bytes in 0..=TEXT.len() {
            let state = state(bytes);
            for height in [0, 1, 2, 3, 4, 5, 9, 29] {
                for width in [0, 1, 2, 3, 10, 40, 200] {
                    let rows = state.rows(width, height);
                    assert!(rows.len() <= height, "{bytes} bytes in {width} x {height}");
                }
            }
            let rows = plain(&state.rows(200, 100));
            let cursors = rows.iter().filter(|row| row.contains(CURSOR)).count();
            assert_eq!(cursors, usize::from(bytes < TEXT.len()), "{rows:#?}");
        }
    }

    #[test]
    fn wrapping_loses_nothing() {
        let state = state(TEXT.len());
        let squeeze = |rows: &[Row]| plain(rows).concat().replace(' ', "");
        let whole = value_rows(&state.snapshot, usize::MAX);
        for width in 2..100 {
            let rows = value_rows(&state.snapshot, width);
            assert_eq!(squeeze(&rows), squeeze(&whole), "width {width}");
            for row in plain(&rows) {
                let columns: usize = row.trim_start().chars().map(columns_of).sum();
                assert!(columns <= width, "{row:?} in {width}");
            }
        }
    }

    #[test]
    fn what_is_not_final_keeps_its_colour_at_the_end() {
        let mut parser = Parser::new();
        parser.push(r#"{"a": [1, 2"#);
        let finished = parser.finish(End::Truncated);
        let rows = value_rows(finished.snapshot(), 80);
        let tones = |part: &str| {
            let found = rows.iter().flat_map(|row| &row.0).find(|(_, text)| text.contains(part));
            found.map(|(tone, _)| *tone)
        };
        assert_eq!(tones("1"), Some(Tone::Final));
        assert_eq!(tones("2"), Some(Tone::Growing));
        assert_eq!(tones("]"), Some(Tone::Growing));
    }
}
