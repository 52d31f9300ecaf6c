//! The service as a process of its own.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::client::{Client, Request, Response};
use crate::common::process::jsonrill;

/// When a test fails because nothing comes. No test waits for it otherwise.
pub const PATIENCE: Duration = Duration::from_secs(60);

static COUNT: AtomicU32 = AtomicU32::new(0);

pub struct Server {
    pub address: SocketAddr,
    process: Child,
    log: Option<JoinHandle<String>>,
}

impl Server {
    /// One that was told nothing but its port.
    pub fn new() -> Self {
        Self::with(&[])
    }

    pub fn with(args: &[&str]) -> Self {
        Self::start(args, &[])
    }

    pub fn start(args: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = jsonrill(&["serve", "--listen", "127.0.0.1:0"]);
        let mut process = command.args(args).envs(environment.iter().copied()).stdin(Stdio::null()).spawn().unwrap();
        let mut stderr = process.stderr.take().unwrap();
        let log = thread::spawn(move || {
            let mut log = String::new();
            stderr.read_to_string(&mut log).unwrap();
            log
        });
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let Some(address) = line.strip_prefix("jsonrill serve: listening on http://") else {
            panic!("it does not say where it listens: {line:?}, {}", log.join().unwrap());
        };
        Self { address: address.trim_end().parse().unwrap(), process, log: Some(log) }
    }

    /// A connection of its own.
    pub fn connect(&self) -> Client {
        Client::new(self.address)
    }

    /// Asks over a connection of its own.
    pub fn ask(&self, request: Request) -> Response {
        self.connect().ask(request)
    }

    pub fn get(&self, path: &str) -> Response {
        self.ask(Request::get(path))
    }

    /// A figure of `/metrics`; 0 where it was not counted yet.
    pub fn figure(&self, name: &str) -> u64 {
        let figures = self.get("/metrics").text();
        let figure = figures.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        figure.map_or(0, |figure| figure.parse().unwrap())
    }

    /// Its resident memory, in KB.
    pub fn memory(&self) -> u64 {
        self.status("VmRSS:")
    }

    pub fn threads(&self) -> u64 {
        self.status("Threads:")
    }

    fn status(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.process.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits until it ends by itself: its code, and its log.
    pub fn ended(mut self) -> (Option<i32>, String) {
        let mut status = None;
        until("it ends", || {
            status = self.process.try_wait().unwrap();
            status.is_some()
        });
        (status.unwrap().code(), self.log.take().unwrap().join().unwrap())
    }

    /// Ends it, and gives its log.
    pub fn log(self) -> String {
        self.signal("TERM");
        self.ended().1
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until something is so.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "it never was so: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process runs. One that has ended may be there until somebody asks how it ended, and does not.
#[cfg(unix)]
pub fn is_running(pid: &str) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'),
        Err(_) => Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status().unwrap().success(),
    }
}

/// A path for a file of the test, which is not there yet.
pub fn scratch(name: &str) -> PathBuf {
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("serve-{}-{number}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// A file of the test.
pub fn file(name: &str, content: &str) -> String {
    let path = scratch(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}
