//! Asks a model at a server, and gets JSON: in as many rounds as it takes, or out of whatever it writes.
//!
//!     cargo run --features http --example ask_model
//!     OPENAI_API_KEY=… cargo run --features http --example ask_model -- openai:gpt-5-mini
//!     ANTHROPIC_API_KEY=… cargo run --features http --example ask_model -- anthropic:claude-haiku-4-5
//!     cargo run --features http --example ask_model -- openai:llama3.2 http://localhost:11434/v1
//!
//! Without arguments it starts a server on this machine that plays a model: its first answer is cut, as those of real
//! ones are where they may not be longer. So it runs without a key and without a network.
//!
//! What to take home:
//!
//! 1. `HttpModel` is a `LanguageModel`: whatever takes one, such as `accumulate`, takes it. Its key is shown nowhere.
//! 2. `accumulate` gives one document that grows, over all rounds.
//! 3. Or read the stream yourself: its text goes into a parser, or, when it is all there, into `repair`.

use std::error::Error;

use futures::StreamExt;
use jsonrill::{
    AccumulationEvent, AccumulationOptions, ApiKey, HttpModel, LanguageModel, ModelEvent, ModelRequest, Purpose,
    accumulate, repair,
};

const REQUEST: &str =
    "Name three rivers of Europe as JSON: {\"rivers\": [{\"name\", \"km\"}, …]}. Answer with JSON alone.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let model = match args.as_slice() {
        [] => HttpModel::openai("pretender").base_url(&pretender::start().await?)?,
        [name] => by_name(name, true)?,
        [name, url] => by_name(name, false)?.base_url(url)?,
        _ => return Err("usage: ask_model [openai:NAME | anthropic:NAME [URL]]".into()),
    };
    println!("{model:?}");

    // All of it, in as many rounds as it takes.
    let mut events = accumulate(&model, REQUEST, AccumulationOptions::new().ask_for_kpis(false));
    while let Some(event) = events.next().await {
        match event {
            AccumulationEvent::Asked(purpose) => println!("\nasked for: {purpose}"),
            AccumulationEvent::Update(update) if update.snapshot().is_started() => println!("  {}", update.snapshot()),
            AccumulationEvent::RoundEnded(round) => match round.error {
                Some(error) => println!("  failed: {error}"),
                None => println!("  ended: {}", round.stop_reason),
            },
            AccumulationEvent::Done(report) => {
                println!("\ntokens: {}", report.usage().output_tokens);
                // A cut answer is another type than a whole one.
                match report.into_complete() {
                    Ok(answer) => println!("all of it: {answer}"),
                    Err(incomplete) => println!("not all of it: {incomplete}"),
                }
            }
            _ => {}
        }
    }

    // One answer, whatever it is: what was said before an error is there, and `repair` makes JSON of it.
    let mut text = String::new();
    let mut response = model.respond(ModelRequest::new(Purpose::Answer, REQUEST));
    while let Some(event) = response.next().await {
        match event {
            Ok(ModelEvent::Text(piece)) => text.push_str(&piece),
            Ok(_) => {}
            Err(error) => println!("\n{}: {error}", error.kind()),
        }
    }
    let repaired = repair(&text);
    println!("\none answer, {}: {}", repaired.outcome(), repaired.text());
    Ok(())
}

/// A provider's model, with the key from the environment where it is the provider's own server.
fn by_name(name: &str, with_key: bool) -> Result<HttpModel, Box<dyn Error>> {
    let (model, variable) = match name.split_once(':') {
        Some(("openai", name)) => (HttpModel::openai(name), "OPENAI_API_KEY"),
        Some(("anthropic", name)) => (HttpModel::anthropic(name), "ANTHROPIC_API_KEY"),
        _ => return Err("a model is openai:NAME or anthropic:NAME".into()),
    };
    Ok(if with_key { model.key(ApiKey::from_env(variable)?) } else { model })
}

/// A server that plays a model.
mod pretender {
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::Router;
    use axum::routing::post;
    use serde_json::json;
    use tokio::net::TcpListener;

    /// What it says, and why it stops. The second goes on with the very next character; the third is cut, and damaged,
    /// too.
    const ANSWERS: [(&str, &str); 3] = [
        ("Sure!\n```json\n{\"rivers\": [{\"name\": \"Danube\", \"km\": 2850}, {\"name\": \"Rhi", "length"),
        ("ne\", \"km\": 1233}, {\"name\": \"Loire\", \"km\": 1006}]}", "stop"),
        ("{'rivers': [{name: 'Danube', km: 2850},], ", "length"),
    ];

    pub(super) async fn start() -> io::Result<String> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let router = Router::new().route("/v1/chat/completions", post(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(url)
    }

    async fn answer() -> ([(&'static str, &'static str); 1], String) {
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        let (text, reason) = ANSWERS[ASKED.fetch_add(1, Ordering::Relaxed) % ANSWERS.len()];
        ([("content-type", "text/event-stream")], events(text, reason))
    }

    /// An answer as a chat completion that streams.
    fn events(text: &str, reason: &str) -> String {
        let delta = |text: &str| json!({"choices": [{"index": 0, "delta": {"content": text}}]});
        let stop = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
        let usage = json!({"choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": text.len() / 4}});
        let payloads = text.split_inclusive(' ').map(delta).chain([stop, usage]).map(|payload| payload.to_string());
        payloads
            .chain(["[DONE]".to_owned()])
            .flat_map(|payload| ["data: ".to_owned(), payload, "\n\n".to_owned()])
            .collect()
    }
}
