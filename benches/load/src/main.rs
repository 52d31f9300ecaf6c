//! What the service stands: repairs a second and how long each takes; a thousand live streams at a fixed rate, how late
//! their updates are, and how much memory a stream takes.
//!
//! `cargo build --release --features serve`, then `cargo run --release --manifest-path benches/load/Cargo.toml --
//! [--quick] [PROGRAM]`. The service is a process of its own, and shares the machine with this one.

mod client;
mod repairs;
mod streams;

use std::env;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::runtime::Runtime;

/// The service.
pub struct Server {
    pub address: SocketAddr,
    process: Child,
}

impl Server {
    fn start(program: &str) -> Self {
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "warn"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} does not start ({error}): build it with --features serve"));
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("it says where it listens");
        let address = line.trim().rsplit('/').next().and_then(|address| address.parse().ok());
        Self { address: address.expect("an address"), process }
    }

    /// Its resident memory, in KB. None where the machine does not tell.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The value that a share of the samples is not above.
pub fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let last = sorted.len().saturating_sub(1);
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
}

/// In milliseconds.
pub fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn main() {
    let mut is_quick = false;
    let mut program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/jsonrill").display().to_string();
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--quick" => is_quick = true,
            other => program = other.to_owned(),
        }
    }
    rlimit::increase_nofile_limit(u64::MAX).expect("files can be opened");
    let runtime = Runtime::new().expect("threads start");
    let time = Duration::from_secs(if is_quick { 1 } else { 5 });

    println!("repairs over 16 connections");
    println!("{:<10} {:>12} {:>10} {:>10} {:>10}", "text", "requests/s", "MB/s", "p50", "p99");
    for size in [1_000, 100_000] {
        let server = Server::start(&program);
        runtime.block_on(repairs::run(&server, size, time));
    }

    println!("\nlive streams, each with 20 chunks of 16 bytes a second");
    let titles = ["streams", "updates/s", "p50 delay", "p99 delay", "slowest", "memory each"];
    println!(
        "{:<10} {:>12} {:>10} {:>10} {:>10} {:>12}",
        titles[0], titles[1], titles[2], titles[3], titles[4], titles[5]
    );
    for count in [100, 1_000] {
        let server = Server::start(&program);
        runtime.block_on(streams::run(&server, count, time * 2));
    }
}
