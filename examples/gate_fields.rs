//! Acting on a field the moment it is final, and never before.
//!
//!     cargo run --example gate_fields
//!
//! The trap: halfway through the stream the answer reads `{"action": "refund", "amount": 1`. That is a number, it is
//! there, and it is wrong: `1` becomes `12` and then `125`. Whoever acts on what is merely *there* refunds 1 euro.
//! A path is in one of four states, and only one of them is a reason to act:
//!
//! - `Pending`: not seen yet, may still come
//! - `Growing`: seen, may still change
//! - `Final`: will never change again, whatever comes
//! - `Absent`: not seen, and the object it would be in is closed: it will never come

use jsonrill::{End, Parser, State};

fn main() {
    let chunks = [
        "{\"act",
        "ion\": \"ref",
        "und\", \"amount\": 1",
        "2",
        "5",
        ", \"customer\": {\"id\": ",
        "77",
        "0}, \"note\": \"no",
        " receipt",
        "\"}",
    ];
    let paths = ["/action", "/amount", "/customer/id", "/note", "/approved_by"];

    let mut parser = Parser::new();
    for chunk in chunks {
        let update = parser.feed(chunk);

        println!("{chunk:24} {}", states(&paths, |path| (update.state(path), update.snapshot().at(path).to_string())));

        // The gate: true once, in the update that made the field final, long before the answer ends.
        if update.became_final("/amount") {
            let snapshot = update.snapshot();
            if snapshot.at("/action") == "refund" {
                println!("{:24} => refunding {} now", "", snapshot.at("/amount"));
            }
        }
    }

    // A field that is not there says so only when it can no longer come.
    let finished = parser.finish(End::Stopped);
    assert_eq!(finished.snapshot().state("/approved_by"), State::Absent);
    println!("{:24} => nobody approved it, and nobody will", "");

    // An answer that was cut off is another type than a finished one, so it cannot be taken for one by mistake.
    let mut cut = Parser::new();
    cut.feed("{\"action\": \"refund\", \"amount\": 1");
    match cut.finish(End::Truncated).into_complete() {
        Ok(answer) => println!("complete: {}", *answer),
        Err(incomplete) => println!("{:24} => the cut answer is refused: {incomplete}", ""),
    }
}

/// `/amount Growing 12, …`
fn states(paths: &[&str], state: impl Fn(&str) -> (State, String)) -> String {
    let states = paths.iter().map(|path| match state(path) {
        (state @ (State::Growing | State::Final), value) => format!("{path} {state:?} {value}"),
        (state, _) => format!("{path} {state:?}"),
    });
    states.collect::<Vec<_>>().join("  ")
}
