//! A chat in the browser: a recorded model stream becomes bubbles while it comes.
//!
//!     cargo run --example chat_page
//!     cargo run --example chat_page -- --port 8080
//!     cargo run --example chat_page -- --fast         # without pauses
//!
//! It prints an address on this machine; open it. No key and no network is needed, for what the models said is in
//! `recordings/`: made up, but in the providers' own formats and at their pace.
//!
//! Bytes flow one way:
//!
//! | file | takes | gives |
//! |---|---|---|
//! | `server/recording.rs` | a file | the response as it was sent: bytes, cut anywhere, with pauses |
//! | `server/answer.rs` | the response | moments: what is known after each change |
//! | `server/event.rs` | two moments | what is new between them, as JSON |
//! | `server/viewer.rs` | an answer | one connection's events |
//! | `page/delta.js`, `page/view.js` | events | the answer's JSON; bubbles, of which only what changed is touched |
//!
//! The task that reads the model knows of no connection. A viewer is the number of the moment that it has seen, so one
//! who comes late, is slow, or lost the connection is sent the delta between that moment and now.

mod server;

use std::error::Error;
use std::net::Ipv4Addr;

use server::{Pace, Server};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (mut pace, mut port) = (Pace::Recorded, 0);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--fast" => pace = Pace::Fast,
            "--port" => port = arguments.next().ok_or("--port needs a number")?.parse()?,
            other => return Err(format!("unknown argument {other:?}: there are --port N and --fast").into()),
        }
    }

    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, Server::new(pace)?.router()).await?;
    Ok(())
}
