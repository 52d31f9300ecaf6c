//! What comes over a wire.

use crate::attack::{Attack, again};

pub fn all() -> Vec<Attack> {
    let again = |name, aim, head: &str, unit: &str| again(name, aim, head, unit).decoded();
    let chat = |delta: &str| format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n");
    vec![
        again("data without end", "a field", "data: ", "x"),
        again("JSON without end", "a payload", "data: {\"choices\":[{\"delta\":{\"content\":\"", "x"),
        again("a name without end", "a field", "", "x"),
        again("an id without end", "a field that is kept", "id: ", "x"),
        again("events without end", "a field", "event: ", "x"),
        again("comments", "lines that mean nothing", "", ":\n"),
        again("a comment without end", "a line that means nothing", ":", "x"),
        again("lines of data without an end of the event", "data of many lines", "", "data: x\n"),
        again("lines of no data", "data of many lines", "", "data\n"),
        again("carriage returns", "the end of a line in halves", "", "\r"),
        again("line feeds", "empty events", "", "\n"),
        again("ids", "a field that is kept", "", "id: 1\ndata: x\n\n"),
        again("times to wait", "a field of digits", "retry: ", "1"),
        again("small events", "events", "", "data: x\n\n"),
        again("payloads that are no JSON", "payloads", "", "data: {\n\n"),
        again("deep payloads", "payloads", "", &format!("data: {}\n\n", "[".repeat(1000))),
        again("empty pieces of text", "a message", "", &chat("{\"content\":\"\"}")),
        again("halves of characters", "a message", "", &chat("{\"content\":\"\\ud83d\"}")),
        again(
            "calls without a name",
            "calls of a message",
            "",
            &chat("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\"}}]}"),
        ),
        again("lines of JSON", "payloads in lines", "", "{\"message\":{\"content\":\"x\"},\"done\":false}\n"),
        again("an array of payloads", "payloads in an array", "[", "{\"candidates\":[]},"),
        again("half a payload in an array", "payloads in an array", "[{\"candidates\":[", "{},"),
    ]
}
