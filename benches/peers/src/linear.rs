//! Growth of what a stream may have much of: ten times as much of it costs ten times as much.

use futures::executor::{block_on, block_on_stream};
use jsonrill::{FieldError, Fields, MessageDecoder};
use serde_json::{Value, json};

use crate::race::{Lane, race};
use crate::{Bar, Report, Settings};

/// How much longer the long one is.
const SCALE: usize = 10;

/// The short one is read as often as the long one is longer, so what is linear takes 1 ×, and what is quadratic 10 ×. A
/// long one leaves the caches.
const BAR: Bar = Bar::Must(4.0);

fn compare(what: &str, settings: &Settings, report: &mut Report, run: impl Fn(usize) -> usize) {
    let times = race(
        settings.rounds,
        vec![
            Lane::new("short ones", || (0..SCALE).map(|_| run(1)).sum::<usize>()),
            Lane::new("a long one", || run(SCALE)),
        ],
    );
    report.spread(what, times[0].faster_than(&times[1]), "×", &BAR);
}

/// Messages, from bytes, in reads of 1460 where nothing else is said.
pub fn messages(settings: &Settings, report: &mut Report) {
    Report::section("Growth of messages: one ten times as long against ten");
    let mut read = |what: &str, size: usize, stream: &dyn Fn(usize) -> String| {
        let streams = [stream(1), stream(SCALE)];
        compare(what, settings, report, |scale| {
            let stream = &streams[usize::from(scale > 1)];
            let mut decoder = MessageDecoder::new();
            let events: usize = stream.as_bytes().chunks(size).map(|chunk| decoder.push(chunk).count()).sum();
            events + decoder.finish().count()
        });
    };
    let event = |payload: &Value| format!("data: {payload}\n\n");
    let many = |count: usize, payload: &dyn Fn(usize) -> Value| -> String {
        (0..count).map(|number| event(&payload(number))).collect()
    };
    let call = |call: Value| json!({"choices": [{"delta": {"tool_calls": [call]}}]});
    let leaf = |leaf: Value| {
        let call = json!({"name": "f", "partialArgs": [leaf], "willContinue": true});
        json!({"candidates": [{"content": {"parts": [{"functionCall": call}]}}]})
    };
    let text = |text: &str| json!({"choices": [{"delta": {"content": text}}]});

    read("one long event, byte by byte", 1, &|scale| event(&text(&"x".repeat(scale * 100_000))));
    let mut case = |what: &str, stream: &dyn Fn(usize) -> String| read(what, 1460, stream);
    case("one long line", &|scale| {
        let message = json!({"message": {"content": "x".repeat(scale * 100_000)}, "done": false});
        format!("{message}\n")
    });
    case("one long element", &|scale| {
        let part = json!({"text": "x".repeat(scale * 100_000)});
        format!("[{}]", json!({"candidates": [{"content": {"parts": [part]}}]}))
    });
    case("one long text", &|scale| event(&text(&"x".repeat(scale * 100_000))));
    case("many pieces of text", &|scale| many(scale * 2000, &|_| text("ab")));
    case("long arguments", &|scale| {
        let arguments = format!("{{\"x\": \"{}\"}}", "x".repeat(scale * 100_000));
        event(&call(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": arguments}})))
    });
    case("many calls", &|scale| {
        many(scale * 500, &|number| {
            let function = json!({"name": "f", "arguments": "{\"x\":1}"});
            call(json!({"index": number, "id": number.to_string(), "function": function}))
        })
    });
    case("many calls without an end", &|scale| {
        many(scale * 500, &|number| {
            let block = json!({"type": "tool_use", "id": "a", "name": "f"});
            json!({"type": "content_block_start", "index": number, "content_block": block})
        })
    });
    case("many calls glued together", &|scale| {
        let arguments = "{\"x\":1} ".repeat(scale * 500);
        event(&call(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": arguments}})))
    });
    case("many choices", &|scale| {
        many(scale * 500, &|number| json!({"choices": [{"index": number, "delta": {"content": "[1"}}]}))
    });
    case("many items", &|scale| {
        many(
            scale * 2000,
            &|number| json!({"type": "response.output_text.done", "item_id": number.to_string(), "text": "ab"}),
        )
    });
    case("blanks for arguments, and what they are, many times", &|scale| {
        let blanks = json!({"type": "response.function_call_arguments.delta", "delta": " ".repeat(scale * 20_000)});
        let done = json!({"type": "response.function_call_arguments.done", "arguments": "{}"});
        event(&blanks) + &event(&done).repeat(scale * 1000)
    });
    case("an id and a name in many pieces", &|scale| {
        many(scale * 2000, &|number| {
            let piece = (number % 7).to_string();
            call(json!({"index": 0, "id": piece, "function": {"name": piece}}))
        })
    });
    case("a long name, and many pieces of arguments", &|scale| {
        let name = "n".repeat(scale * 50_000);
        let first = call(json!({"index": 0, "id": "a", "function": {"name": name, "arguments": "["}}));
        event(&first) + &many(scale * 500, &|_| call(json!({"index": 0, "function": {"arguments": "1,"}})))
    });
    case("a long name of an event with many lines of data", &|scale| {
        format!("event: {}\n{}\n", "n".repeat(scale * 20_000), "data: {}\n".repeat(scale * 2000))
    });
    case("many lines of data", &|scale| format!("{}\n", "data: {}\n".repeat(scale * 20_000)));
    case("paths of many steps", &|scale| {
        many(200, &|number| {
            leaf(json!({"jsonPath": format!("$.x{number}{}", ".a".repeat(scale * 50)), "numberValue": 1}))
        })
    });
    case("many leaves", &|scale| {
        many(scale * 500, &|number| leaf(json!({"jsonPath": format!("$.x[{number}].y"), "stringValue": "a"})))
    });
    case("many halves of characters", &|scale| {
        let halves = "\\ud83d".repeat(scale * 20_000);
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{halves}\"}}}}]}}\n\n")
    });
    case("many errors", &|scale| many(scale * 2000, &|_| json!({"choices": [], "error": "e"})));
    case("blanks", &|scale| "\n".repeat(scale * 100_000));
}

type Source<'a> = futures::stream::Iter<std::slice::Iter<'a, String>>;

fn count<T>(stream: impl futures::Stream<Item = Result<T, FieldError>> + Unpin) -> usize {
    block_on_stream(stream).filter_map(Result::ok).count()
}

/// Fields, from a text in chunks of 7 bytes.
pub fn fields(settings: &Settings, report: &mut Report) {
    Report::section("Growth of fields: a text ten times as long against ten");
    let mut case = |what: &str, text: &dyn Fn(usize) -> String, read: &dyn Fn(&Fields<Source<'_>>, usize) -> usize| {
        let cut = |text: String| -> Vec<String> {
            text.as_bytes().chunks(7).map(|piece| String::from_utf8_lossy(piece).into_owned()).collect()
        };
        let texts = [cut(text(1)), cut(text(SCALE))];
        compare(what, settings, report, |scale| {
            read(&Fields::new(futures::stream::iter(&texts[usize::from(scale > 1)])), scale)
        });
    };
    let list = |scale: usize| format!("[{}{{}}]", "{\"x\": [\"y\", 1]}, ".repeat(scale * 1000));
    let object = |scale: usize| {
        let members: Vec<String> = (0..scale * 2000).map(|number| format!("\"k{number}\": {{\"x\": \"y\"}}")).collect();
        format!("{{{}}}", members.join(", "))
    };
    let text = |scale: usize| format!("\"{}\"", "x".repeat(scale * 50_000));
    // What is looked at for each chunk has as many steps.
    let deep = |scale: usize| {
        let depth = scale * 50;
        format!("{}\"{}\"{}", "[".repeat(depth), "x".repeat(20_000), "]".repeat(depth))
    };
    case("elements", &list, &|fields, _| count(fields.items::<Value>("")));
    case("values of a pattern", &list, &|fields, _| count(fields.values::<Value>("/*/x/0")));
    case("values of a pattern of any depth", &list, &|fields, _| count(fields.values::<Value>("/**/x")));
    case("all values", &list, &|fields, _| count(fields.values::<Value>("/**")));
    case("texts of a pattern", &list, &|fields, _| count(fields.texts("/*/x/0")));
    case("texts of any depth", &list, &|fields, _| count(fields.texts("/**")));
    case("members", &object, &|fields, _| count(fields.values::<String>("/*/x")));
    case("members that do not match", &object, &|fields, _| count(fields.values::<String>("/*/z")));
    case("a member behind many", &object, &|fields, scale| {
        block_on(fields.value::<Value>(&format!("/k{}", scale * 2000 - 1))).map_or(0, |_| 1)
    });
    case("one long text", &text, &|fields, _| count(fields.text("")));
    case("a deep path", &deep, &|fields, scale| count(fields.text("/0".repeat(scale * 50).as_str())));
    case("a deep text of any depth", &deep, &|fields, _| count(fields.texts("/**")));
}
