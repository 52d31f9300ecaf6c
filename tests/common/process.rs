//! The command line, run as a process.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use serde_json::Value;

/// What a run printed, and how it ended.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The same, if it ended with this code.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// The JSON lines that it printed.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    /// The one JSON line that it printed.
    #[track_caller]
    pub fn line(&self) -> Value {
        assert!(self.stdout.ends_with('\n') && self.stdout.lines().count() == 1, "{}", self.stdout);
        self.lines().remove(0)
    }
}

/// The program with these arguments, its three streams piped.
pub fn jsonrill(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jsonrill"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with `input` on standard input.
pub fn run(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = start(args);
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    let writer = thread::spawn(move || {
        // It may end before it has read everything.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ran");
    writer.join().expect("the writer ends");
    Run {
        code: output.status.code().expect("it was not killed"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs the program while nobody reads its output: the code it ends with, and its messages.
pub fn run_unread(args: &[&str]) -> (i32, String) {
    let mut child = start(args);
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("UTF-8");
    (child.wait().expect("it ends").code().expect("it was not killed"), stderr)
}

/// Runs the program while nobody reads its messages: the code it ends with, and its output.
pub fn run_unheard(args: &[&str]) -> (i32, String) {
    let mut child = start(args);
    drop(child.stderr.take());
    let mut stdout = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut stdout).expect("UTF-8");
    (child.wait().expect("it ends").code().expect("it was not killed"), stdout)
}

fn start(args: &[&str]) -> Child {
    jsonrill(args).spawn().expect("it starts")
}

/// A file that goes away with the test.
pub struct Temp(PathBuf);

impl Temp {
    pub fn new(content: impl AsRef<[u8]>) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("jsonrill-{}-{number}", std::process::id()));
        fs::write(&path, content).expect("a temporary file");
        Temp(path)
    }

    pub fn path(&self) -> &str {
        self.0.to_str().expect("a UTF-8 path")
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The keys of an object. `serde_json` sorts them, so this is a set.
#[track_caller]
pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}
