//! A model of your own: the trait has one method, which returns a stream.
//!
//!     cargo run --example own_model
//!
//! For a model behind a client or a runtime that this library does not know. Here it is a thread that "thinks" and sends
//! words through a channel; whatever gives its text bit by bit does as well.
//!
//! What to take home:
//!
//! 1. `LanguageModel::respond` returns a boxed `Stream` (of the crate `futures-core`, which `futures` has, too). Nothing
//!    is asked before it is polled, and dropping it ends the response.
//! 2. An error is the last thing that a stream gives. Say what kind it is, and others know whether to ask again.
//! 3. Whatever takes a model takes yours: `Fields` on one response, `accumulate` over as many as it takes.

use std::thread;
use std::time::Duration;

use futures::channel::mpsc;
use futures::executor::block_on;
use futures::{StreamExt, stream};
use jsonrill::{
    AccumulationOptions, Fields, LanguageModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelStream,
    Purpose, accumulate,
};

/// Knows one answer, and says so much of it at a time.
struct Poet {
    words_a_response: usize,
}

const ANSWER: &str =
    r#"{"title": "The brook", "lines": ["over stones it goes", "not asking where", "and is there"], "mood": "calm"}"#;

impl LanguageModel for Poet {
    fn respond(&self, request: ModelRequest) -> ModelStream<'_> {
        let start = match request.purpose {
            Purpose::Answer => 0,
            // It goes on where it stopped: a real one finds that in the prompt.
            Purpose::Continuation => self.words_a_response,
            _ => {
                let error = ModelError::of_kind(ModelErrorKind::Rejected, "the poet does not count");
                return Box::pin(stream::iter([Err(error)]));
            }
        };
        let words: Vec<_> = ANSWER.split_inclusive(' ').map(str::to_owned).collect();
        let said: Vec<_> = words.iter().skip(start).take(self.words_a_response).cloned().collect();
        let is_whole = start + said.len() == words.len();

        let (sender, receiver) = mpsc::unbounded();
        thread::spawn(move || {
            for word in said {
                thread::sleep(Duration::from_millis(2));
                // Nobody reads on: the stream was dropped.
                if sender.unbounded_send(Ok(ModelEvent::Text(word))).is_err() {
                    return;
                }
            }
            let reason = if is_whole { "stop" } else { "length" };
            let _ = sender.unbounded_send(Ok(ModelEvent::Stopped(reason.into())));
        });
        Box::pin(receiver)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One response: its text ends as the model says, here in the middle.
    let poet = Poet { words_a_response: 9 };
    let fields = Fields::new(poet.respond(ModelRequest::new(Purpose::Answer, "A poem, as JSON.")));
    block_on(async {
        println!("title: {}", fields.value::<String>("/title").await?);
        let mut lines = fields.items::<String>("/lines");
        while let Some(line) = lines.next().await {
            match line {
                Ok(line) => println!("line:  {line}"),
                Err(error) => println!("       … {error}"),
            }
        }
        Ok::<_, jsonrill::FieldError>(())
    })?;

    // As many as it takes.
    let report = block_on(accumulate(&poet, "A poem, as JSON.", AccumulationOptions::new()).report());
    println!("{} responses: {}", report.rounds.len(), report.conclusion);
    let answer = report.into_complete()?;
    println!("{answer}");
    assert_eq!(answer.to_value(), serde_json::from_str::<serde_json::Value>(ANSWER)?);
    Ok(())
}
