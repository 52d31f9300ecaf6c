//! Acting on the fields of an answer while the model still writes it, and stopping the model when there is enough.
//!
//!     cargo run --example act_on_fields
//!     cargo run --example act_on_fields -- --fast      # without pauses
//!
//! A support assistant answers as JSON. Its reply is shown as it comes; whether a person is needed is acted on the
//! moment it is final; each step is begun when it is whole, while the next is being written. What the model would write
//! after that is for nobody, so its connection is closed.

use std::thread;
use std::time::Duration;

use futures::channel::mpsc;
use futures::executor::block_on;
use futures::{SinkExt, StreamExt};
use jsonrill::{FieldError, Fields};

/// What the model says, as its tokens come.
const ANSWER: &str = r#"Of course. ```json
{"reply": "I am sorry to hear that. I have asked the shop for your money back, and it takes three days.",
 "needs_person": false,
 "steps": [
  {"do": "refund", "order": 1077, "amount": 12.5},
  {"do": "email", "to": "ada@example.com"},
  {"do": "close", "ticket": 4}
 ],
 "reasoning": "The customer wrote that the parcel never came. The carrier says that it was handed to a neighbour, which the customer denies. Since the amount is small and the customer has ordered many times before, I decided that a refund is cheaper than an argument, and "#;

#[derive(Debug, serde::Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Step {
    Refund { order: u32, amount: f64 },
    Email { to: String },
    Close { ticket: u32 },
}

fn main() -> Result<(), FieldError> {
    let pause = if std::env::args().any(|argument| argument == "--fast") { 0 } else { 25 };
    let (tokens, model) = model(Duration::from_millis(pause));

    let fields = Fields::new(tokens);
    let show = async {
        let mut reply = fields.text("/reply");
        while let Some(text) = reply.next().await {
            print!("{}", text?);
            flush();
        }
        println!("\n[the reply is whole]");
        Ok(())
    };
    let route = async {
        let needs_person = fields.value::<bool>("/needs_person").await?;
        println!("[needs a person: {needs_person}]");
        Ok(())
    };
    let work = async {
        let mut steps = fields.items::<Step>("/steps");
        while let Some(step) = steps.next().await {
            match step? {
                Step::Refund { order, amount } => println!("[refunding {amount} for order {order}]"),
                Step::Email { to } => println!("[writing to {to}]"),
                Step::Close { ticket } => println!("[closing ticket {ticket}]"),
            }
        }
        Ok(())
    };
    let enough = fields.all_final(["/reply", "/needs_person", "/steps"]);

    block_on(async { futures::try_join!(show, route, work, enough) })?;
    fields.stop();

    let (sent, all) = model.join().expect("the model does not panic");
    println!("[stopped the model after {sent} of {all} tokens]");
    Ok(())
}

/// A model at the other end of a connection. It says how many tokens it had sent when that was closed, and of how many.
fn model(pause: Duration) -> (mpsc::Receiver<&'static str>, thread::JoinHandle<(usize, usize)>) {
    let (mut sender, receiver) = mpsc::channel(0);
    let handle = thread::spawn(move || {
        let tokens: Vec<_> = ANSWER.split_inclusive(' ').collect();
        let sent = tokens.iter().copied().take_while(|token| {
            thread::sleep(pause);
            block_on(sender.send(*token)).is_ok()
        });
        (sent.count(), tokens.len())
    });
    (receiver, handle)
}

fn flush() {
    use std::io::Write;
    let _ = std::io::stdout().flush();
}
