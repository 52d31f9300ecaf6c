//! Chat bubbles that grow while the model writes, and flags that are acted on the moment they are certain.
//!
//!     cargo run --example chat_bubbles             # as a person would see it
//!     cargo run --example chat_bubbles -- --fast   # without the pauses
//!
//! Replays a recorded stream of an OpenAI-style chat completion. The model was asked for JSON like
//! `{"need_admin": …, "is_adult": …, "messages": [{"from": …, "text": …}, …]}`; it talked before and after it, put it
//! into a code fence, and its tokens end in the middle of keys, of words and of escapes.
//!
//! What to take home:
//!
//! 1. The screen is built from *deltas* alone: an `append` is text to put at the end of a bubble.
//! 2. A *final* value never changes again. So a flag can be acted on long before the answer ends, and a bubble that is
//!    final is printed once and never touched again.
//! 3. Everything else is *ambiguous*, and drawn as such: that is what the cursor `▌` stands for.
//! 4. Text outside the JSON is not lost: it streams too.

use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::Duration;

use jsonrill::{
    DeltaOp, End, Finished, MessageDecoder, MessageEvent, Parser, SkipKind, Step, StopReason, Update, ValueRef,
};

const RECORDING: &str = include_str!("data/chat.sse");

fn main() {
    let live = io::stdout().is_terminal();
    let fast = std::env::args().any(|arg| arg == "--fast");
    let pause = Duration::from_millis(if live && !fast { 60 } else { 0 });

    let mut parser = Parser::new();
    let mut chat = Chat { live, ..Chat::default() };

    // A client reads the response in pieces that end anywhere.
    let mut decoder = MessageDecoder::new();
    for read in RECORDING.as_bytes().chunks(200) {
        for event in decoder.push(read) {
            if let MessageEvent::Content { text, .. } = event {
                // This is all: feed what came, show what the update says.
                chat.show(&parser.feed(text), false);
                thread::sleep(pause);
            }
        }
    }
    decoder.finish();

    // The end may settle what was still open, so it is an update like any other.
    let finished = parser.finish(decoder.message().stop_reason().map_or(End::Truncated, StopReason::end));
    chat.show(finished.update(), true);
    chat.end(&finished);
}

/// A chat window, which knows of the answer only what the deltas told it.
#[derive(Default)]
struct Chat {
    bubbles: Vec<Bubble>,
    /// How many bubbles, and pieces of text outside the JSON, are on the screen for good.
    settled: usize,
    told: usize,
    chunks: usize,
    live: bool,
    /// How many rows of the screen still change.
    rows: usize,
}

#[derive(Default)]
struct Bubble {
    from: String,
    text: String,
    pieces: usize,
}

impl Chat {
    fn show(&mut self, update: &Update, ended: bool) {
        self.chunks += 1;
        self.erase();
        let growing_prose = self.tell_prose(update, ended);
        for op in update.delta().ops() {
            match op {
                // Something new, maybe with things inside it.
                DeltaOp::Add(value) | DeltaOp::Replace(value) => self.add(value),
                // More text at the end of a string: in a page, one text node grows.
                DeltaOp::Append(value, text) => self.append(&value.path(), text),
                // It cannot change any more: now, and not a chunk later, is the time to act.
                DeltaOp::Final(value) => self.settle(value),
            }
        }
        self.draw(update, growing_prose.as_deref());
    }

    /// A new value: looks for the strings of bubbles in it.
    fn add(&mut self, value: ValueRef<'_>) {
        match value.as_str() {
            Some(text) => self.append(&value.path(), text),
            None => value.elements().for_each(|child| self.add(child)),
        }
    }

    /// Appends to the string at `path`, if it is one of a bubble: `/messages/2/text`.
    fn append(&mut self, path: &str, text: &str) {
        let Some((index, field)) = path.strip_prefix("/messages/").and_then(|rest| rest.split_once('/')) else {
            return;
        };
        let Ok(index) = index.parse::<usize>() else { return };
        // Arrays only grow at the end: a new bubble is always the next one.
        if index >= self.bubbles.len() {
            self.bubbles.resize_with(index + 1, Bubble::default);
        }
        let bubble = &mut self.bubbles[index];
        match field {
            "from" => bubble.from.push_str(text),
            "text" => {
                bubble.text.push_str(text);
                bubble.pieces += 1;
            }
            _ => {}
        }
    }

    /// Acts on what is final.
    fn settle(&mut self, value: ValueRef<'_>) {
        let path = value.path();
        match path.as_str() {
            "/need_admin" if value == true => self.flag("need_admin is true: paging an admin"),
            "/is_adult" if value == false => self.flag("is_adult is false: switching to the rules for minors"),
            _ => {}
        }
        if path == format!("/messages/{}", self.settled) {
            if let Some(bubble) = self.bubbles.get(self.settled) {
                println!("{}", bubble.rows("").join("\n"));
                if !self.live {
                    println!("  (it grew in {} pieces, and was final at chunk {})", bubble.pieces, self.chunks);
                }
            }
            self.settled += 1;
        }
    }

    fn flag(&self, action: &str) {
        println!("⚑ chunk {}: {action}", self.chunks);
    }

    /// Prints the prose that is whole; returns the piece that still grows.
    fn tell_prose(&mut self, update: &Update, ended: bool) -> Option<String> {
        let snapshot = update.snapshot();
        let root = snapshot.root().span();
        let prose: Vec<_> = snapshot.outside().filter(|piece| piece.kind == SkipKind::Prose).collect();
        for (index, piece) in prose.iter().enumerate().skip(self.told) {
            // What comes before another piece, or before the JSON, cannot grow any more.
            let is_whole =
                ended || index + 1 < prose.len() || root.as_ref().is_some_and(|root| piece.span.start < root.start);
            if !is_whole {
                return Some(piece.text.trim().to_owned());
            }
            if !piece.text.trim().is_empty() {
                println!("{}", wrap(&format!("« {} »", piece.text.trim())).join("\n"));
            }
            self.told += 1;
        }
        None
    }

    /// Draws what still changes, below everything that does not.
    fn draw(&mut self, update: &Update, growing_prose: Option<&str>) {
        if !self.live {
            return;
        }
        let mut rows = Vec::new();
        rows.extend(growing_prose.iter().flat_map(|prose| wrap(&format!("« {prose}▌"))));
        for (index, bubble) in self.bubbles.iter().enumerate().skip(self.settled) {
            let is_ambiguous = update.is_ambiguous([Step::Key("messages"), index.into(), Step::Key("text")]);
            rows.extend(bubble.rows(if is_ambiguous { "▌" } else { "" }));
        }
        if let Some(open) = update.snapshot().open_path() {
            rows.push(format!("\x1b[2m(open: {open})\x1b[0m"));
        }
        for row in &rows {
            println!("{row}");
        }
        self.rows = rows.len();
        let _ = io::stdout().flush();
    }

    /// Takes away what [`draw`](Self::draw) drew.
    fn erase(&mut self) {
        if self.rows > 0 {
            print!("\x1b[{}F\x1b[J", self.rows);
            self.rows = 0;
        }
    }

    fn end(&mut self, finished: &Finished) {
        self.erase();
        for bubble in self.bubbles.iter().skip(self.settled) {
            println!("{}\n  (cut off)", bubble.rows("").join("\n"));
        }
        println!("{} chunks, outcome: {}", self.chunks - 1, finished.outcome().as_str());
    }
}

impl Bubble {
    /// The rows of the bubble, with `cursor` where it grows.
    fn rows(&self, cursor: &str) -> Vec<String> {
        let indent = if self.from == "Support" { "        " } else { "" };
        let mut rows = vec![format!("{indent}╭ {}", self.from)];
        rows.extend(wrap(&format!("{}{cursor}", self.text)).iter().map(|line| format!("{indent}│ {line}")));
        rows.push(format!("{indent}╰"));
        rows
    }
}

/// The lines of a text, none much longer than a bubble is wide.
fn wrap(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && line.chars().count() + word.chars().count() > 56 {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
