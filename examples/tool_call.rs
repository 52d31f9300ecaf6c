//! Acts on the arguments of a tool call while the model still writes them, and runs the call when it is whole.
//!
//!     cargo run --example tool_call
//!
//! Replays a provider's stream of server-sent events in pieces that end anywhere, as a connection gives them.
//!
//! What to take home:
//!
//! 1. `arguments(0)` is the text of the first call's arguments; `Fields` on it gives each the moment it is final. Here
//!    the search begins while the filters are being written.
//! 2. A call is run when its own bytes have closed it, and never because a stop reason came: `ToolCall::arguments`
//!    is `None` until then. What there is before has to be asked for as such, `partial_arguments`.

use futures::executor::block_on;
use futures::stream;
use jsonrill::{FieldError, Fields, MessageDecoder, Options, ParseJsonExt, Parser, Role};
use serde::Deserialize;

/// The pieces of the arguments, as the model writes them.
const PIECES: [&str; 6] = [
    "{\"query\": \"mountain h",
    "uts\", \"near\": ",
    "\"Bern\", \"filt",
    "ers\": {\"beds\": 1",
    "2, \"open\": tr",
    "ue}}",
];

#[derive(Debug, Deserialize)]
struct Filters {
    beds: u32,
    open: bool,
}

fn main() -> Result<(), FieldError> {
    let text = response();
    let reads: Vec<Vec<u8>> = text.as_bytes().chunks(60).map(<[u8]>::to_vec).collect();
    let arguments = stream::iter(reads).decode(MessageDecoder::new()).arguments(0);
    let message = arguments.message();
    let fields = Fields::with_parser(arguments, Parser::with_options(Options::new().role(Role::Arguments)));

    block_on(async {
        let (query, near) = (fields.value::<String>("/query").await?, fields.value::<String>("/near").await?);
        println!("the search for {query:?} near {near} begins");
        message.read(|message| println!("  so far: {}", message.tool_calls()[0].partial_arguments()));

        let filters = fields.value::<Filters>("/filters").await?;
        println!("and is narrowed: {} beds, open: {}", filters.beds, filters.open);

        fields.finished().await;
        Ok::<_, FieldError>(())
    })?;

    message.read(|message| {
        let call = &message.tool_calls()[0];
        let arguments = call.arguments().expect("its own bracket closed it");
        println!("run {} {}: {arguments}", call.name(), call.id().unwrap_or("without an id"));
    });
    Ok(())
}

/// What the provider sends.
fn response() -> String {
    let event = |delta: serde_json::Value| {
        format!("data: {}\n\n", serde_json::json!({"choices": [{"index": 0, "delta": delta}]}))
    };
    let call = |call: serde_json::Value| event(serde_json::json!({"tool_calls": [call]}));
    let mut text =
        call(serde_json::json!({"index": 0, "id": "call_1", "function": {"name": "search", "arguments": ""}}));
    for piece in PIECES {
        text += &call(serde_json::json!({"index": 0, "function": {"arguments": piece}}));
    }
    text + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"
}
