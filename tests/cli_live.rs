//! `jsonrill watch --emit live`, in a terminal: what its screen shows.
#![cfg(all(feature = "cli", unix))]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use pty_process::Size;
use pty_process::blocking::{Command, open};
use vt100::{Color, Parser};

const GREEN: Color = Color::Idx(10);
const YELLOW: Color = Color::Idx(11);
const RED: Color = Color::Idx(9);

/// The program in a terminal of its own, which it writes to, and a pipe that it reads.
struct Terminal {
    child: Child,
    input: Option<ChildStdin>,
    screen: Parser,
    written: Receiver<Vec<u8>>,
}

impl Terminal {
    /// With so many lines and columns.
    fn new(lines: u16, columns: u16, args: &[&str]) -> Self {
        let (mut pty, pts) = open().expect("a terminal");
        pty.resize(Size::new(lines, columns)).expect("a size");
        let command = Command::new(env!("CARGO_BIN_EXE_jsonrill")).args(["watch", "--emit", "live"]).args(args);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn(pts).expect("it starts");
        let (sender, written) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Linux tells the end of the program as an error.
            while let Ok(length @ 1..) = pty.read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let size = |size| NonZeroU16::new(size).expect("not 0");
        // What a frame pushed out of the screen would be seen above it.
        let screen = Parser::new(size(lines), size(columns), 1000);
        Terminal { input: child.stdin.take(), child, screen, written }
    }

    fn write(&mut self, text: &str) {
        self.input.as_mut().expect("open").write_all(text.as_bytes()).expect("it reads");
    }

    /// Waits until a line of the screen is this.
    #[track_caller]
    fn wait(&mut self, line: &str) {
        while !self.rows().iter().any(|row| row == line) {
            match self.written.recv_timeout(Duration::from_secs(60)) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(error) => panic!("{error} before {line:?}: {:#?}", self.rows()),
            }
        }
    }

    /// Ends the input, waits for the program, and gives the code that it ends with.
    #[track_caller]
    fn end(&mut self) -> Option<i32> {
        drop(self.input.take());
        let status = self.child.wait().expect("it ends");
        while let Ok(bytes) = self.written.recv_timeout(Duration::from_secs(60)) {
            self.screen.process(&bytes);
        }
        status.code()
    }

    /// The lines of the screen that have something, with the time that a feed took left out.
    fn rows(&self) -> Vec<String> {
        let screen = self.screen.screen();
        screen.contents().lines().map(untimed).collect()
    }

    /// The colour of this text, where the screen has it first.
    #[track_caller]
    fn colour(&self, text: &str) -> Color {
        let screen = self.screen.screen();
        let (_, columns) = screen.size();
        for (number, row) in (0..).zip(screen.rows(0, columns.get())) {
            if let Some((before, _)) = row.split_once(text) {
                let column = u16::try_from(before.chars().count()).expect("narrow");
                return screen.cell(number, column).expect("a cell").fgcolor();
            }
        }
        panic!("no {text:?}: {:#?}", self.rows());
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn untimed(row: &str) -> String {
    let parts: Vec<_> = row.split(" · ").filter(|part| !part.ends_with("ns a feed")).collect();
    parts.join(" · ")
}

#[test]
fn each_frame_takes_the_place_of_the_one_before() {
    let mut terminal = Terminal::new(24, 60, &[]);
    terminal.write(r#"{"name": "Ana", "list": [1, 2"#);
    terminal.wait("29 bytes · 1 feed · 0 repairs");
    let frame = [
        "{",
        "  \"name\": \"Ana\",",
        "  \"list\": [",
        "    1,",
        "    2▌",
        "  ]",
        "}",
        "open: /list/1",
        "29 bytes · 1 feed · 0 repairs",
    ];
    assert_eq!(terminal.rows(), frame);
    assert_eq!([terminal.colour("\"Ana\""), terminal.colour("1,"), terminal.colour("2")], [GREEN, GREEN, YELLOW]);
    assert_eq!([terminal.colour("\"name\""), terminal.colour("/list/1")], [Color::Default, YELLOW]);

    terminal.write("], x");
    terminal.wait("33 bytes · 2 feeds · 0 repairs");
    assert_eq!(terminal.rows()[2], "  \"list\": [1, 2]");
    assert_eq!(terminal.colour("[1, 2]"), GREEN);
    terminal.write(": true}");
    assert_eq!(terminal.end(), Some(0));
    let frame = [
        "{",
        "  \"name\": \"Ana\",",
        "  \"list\": [1, 2],",
        "  \"x\": true",
        "}",
        "open: nothing",
        "40 bytes · 3 feeds · 1 repair",
        "repaired",
    ];
    assert_eq!(terminal.rows(), frame, "and nothing of a longer frame below");
    assert_eq!([terminal.colour("true"), terminal.colour("repaired")], [GREEN, GREEN]);
    let screen = terminal.screen.screen();
    assert_eq!((screen.cursor_position(), screen.scrollback_len()), ((8, 0), 0));
}

#[test]
fn what_is_newest_stays_on_a_small_screen() {
    let mut terminal = Terminal::new(8, 50, &[]);
    terminal.write(r#"Here it is: [{"a": 1}, {"b": 2}, {"c": 3}, {"d": "so far"#);
    terminal.wait("open: /3/d");
    let frame = [
        "prose: Here it is:",
        "… 5 lines above",
        "    \"d\": \"so far▌",
        "  }",
        "]",
        "open: /3/d",
        "56 bytes · 1 feed · 0 repairs",
    ];
    assert_eq!(terminal.rows(), frame);
    assert_eq!(terminal.end(), Some(2));
    // Why it ended is there to its end, though it is longer than a line.
    let frame = [
        "]",
        "open: /3/d",
        "56 bytes · 1 feed · 0 repairs",
        "truncated: in_string, the text stops in /3/d, behi",
        "    nd `\"so far`, and `\"}]` is missing",
    ];
    assert_eq!(terminal.rows()[2..], frame);
    assert_eq!(terminal.colour("truncated"), RED);
    assert_eq!(terminal.screen.screen().scrollback_len(), 0);
}
