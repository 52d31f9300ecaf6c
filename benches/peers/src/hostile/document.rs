//! The document that `--write` makes.

use std::fmt::Write as _;
use std::process::Command;

use crate::measure::{BYTES, MEMORY, TIME};

/// What stands above the tables.
pub fn head(attacks: usize, cells: usize, faults: usize) -> String {
    let mut out = String::from(GUARANTEES);
    let _ = write!(
        out,
        "## Measured\n\n\
        {attacks} attacks, {cells} pairs of an attack and an operation; {} grew more than they may. {}: {}, {}, jsonrill {}.\n\n",
        if faults == 0 { "none".to_owned() } else { faults.to_string() },
        output("date", &["-u", "+%F"]),
        machine(),
        output("rustc", &["--version"]),
        version(),
    );
    let _ = write!(
        out,
        "Times are of the thread, the shortest of a few runs. *Growth* is how many times as long a byte takes in a text \
        as in one a tenth as long: 1 × is linear, 10 × quadratic, and {TIME} × fails. *Held* are the most bytes of heap at \
        a time for each byte of the text, the text itself aside; more than {BYTES}, or {MEMORY} times as much as in a \
        tenth of the text, fails. The feeds are measured at all sizes, the other operations at 100 KB and 1 MB; of those \
        each line has the slowest.\n"
    );
    out
}

const GUARANTEES: &str = "\
# Hostile input

What jsonrill is fed was written by somebody else. This is what it may cost, whatever it is and however it is cut, and \
the proof: texts made to cost as much as they can, one for each rule that looks ahead, holds or keeps something. \
`cargo run --release --manifest-path benches/peers/Cargo.toml --bin hostile` measures them and fails where a cost grows \
faster than the text (`--write HOSTILE.md` makes this page, `--quick` takes small texts).

- **Time and memory are linear in the bytes.** Nothing recurses on the input, and nothing panics.
- **A decision looks at most 256 bytes ahead.** A tag, a fence or a weak root is held for at most as many, the start of a \
round for 512 unless it repeats what there is or is reasoning, and a scalar that may be the whole text to its end.
- **An update costs O(open path)**, which is at most 512 containers, and a snapshot copies nothing.
- **Limits** have errors of their own: 512 levels, 1 GiB of input and 134 million values unless \
[`Limits`](https://docs.rs/jsonrill/latest/jsonrill/struct.Limits.html) says less; 64 MiB for one event of a stream.
- **Reports are capped**: 10 000 of a list are kept, those behind are counted.
- **Names are found by a hash** whose seed is random for each document.
- **The next round copies the text of the root that is open**, so that a text of *n* bytes in *r* rounds costs O(*r* × *n*): \
bound the rounds. What a round repeats is followed at 4096 bytes before the cut and at what is open.
- **What names paths is as long as they are**: a delta printed as JSON has a pointer for each operation.

";

/// What a command says, or a dash.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map_or("–".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    format!("{}, {cores} cores, {}", model.trim_start_matches([' ', '\t', ':']), std::env::consts::OS)
}

fn version() -> String {
    let manifest = include_str!("../../../../Cargo.toml");
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    line.unwrap_or_default().trim_matches('"').to_owned()
}
