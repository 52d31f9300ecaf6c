//! Tool calls, and what servers that speak OpenAI's form make of them. The source of each shape is named; the streams
//! are written anew.

use jsonrill::{Delta, MessageDecoder, MessageEvent, Provider};
use serde_json::{Value, json};

use crate::say::{calls, delta, events, listed, piece, read, read_as, sse, stop};

fn check(pieces: &[Value], expected: &Value) {
    let (found, complete) = calls(pieces);
    assert_eq!(&found, expected);
    assert!(complete.iter().all(|complete| *complete), "{found}");
}

// --- as it should be --------------------------------------------------------------------------------------------------

#[test]
fn parallel_calls_by_their_numbers() {
    check(
        &[
            json!({"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}),
            json!({"index": 0, "function": {"arguments": "{\"x\""}}),
            json!({"index": 1, "id": "b", "type": "function", "function": {"name": "g", "arguments": ""}}),
            json!({"index": 1, "function": {"arguments": "{\"y\":"}}),
            json!({"index": 0, "function": {"arguments": ":1}"}}),
            json!({"index": 1, "function": {"arguments": "2}"}}),
        ],
        &json!([["a", "f", {"x": 1}], ["b", "g", {"y": 2}]]),
    );
}

#[test]
fn a_call_is_handed_over_at_its_own_bracket() {
    let mut decoder = MessageDecoder::new();
    let mut push = |payload: Value| decoder.push(format!("data: {payload}\n\n").as_bytes()).collect::<Vec<_>>();
    let started = push(piece(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\": \"}"}})));
    assert_eq!(started.len(), 2);
    let ended = push(piece(json!({"index": 0, "function": {"arguments": "\"}"}})));
    assert_eq!(ended[1..], [MessageEvent::CallFinal { choice: 0, call: 0 }]);
    // The stream has not stopped.
    let call = &decoder.message().tool_calls()[0];
    assert_eq!(call.arguments().unwrap().at("/x"), "}");
    assert!(call.finished().is_none());
}

#[test]
fn arguments_are_read_while_they_come() {
    let mut decoder = MessageDecoder::new();
    let payload = piece(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"city\": \"Os"}}));
    decoder.push(format!("data: {payload}\n\n").as_bytes());
    let call = &decoder.message().tool_calls()[0];
    assert!(call.arguments().is_none());
    assert_eq!(call.partial_arguments().at("/city"), "Os");
    let seen = call.partial_arguments().clone();
    decoder.push(format!("data: {}\n\n", piece(json!({"index": 0, "function": {"arguments": "lo\"}"}}))).as_bytes());
    let call = &decoder.message().tool_calls()[0];
    assert_eq!(Delta::between(&seen, call.partial_arguments()).to_value(), json!({"city": "lo"}));
}

#[test]
fn what_is_new_is_new_once() {
    let pieces = [
        piece(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\": \""}})),
        piece(json!({"index": 1, "id": "b", "function": {"name": "f", "arguments": "{\"x\": \""}})),
        piece(json!({"index": 0, "function": {"arguments": "1"}})),
        piece(json!({"index": 1, "function": {"arguments": "2"}})),
        piece(json!({"index": 0, "function": {"arguments": "1"}})),
    ];
    let stream = events(&pieces);
    let mut decoder = MessageDecoder::new();
    decoder.push(stream.as_bytes());
    let known =
        |decoder: &MessageDecoder, call: usize| decoder.message().tool_calls()[call].partial_arguments().clone();
    let (first, second) = (known(&decoder, 0), known(&decoder, 1));
    assert_eq!((first.to_value(), second.to_value()), (json!({"x": "11"}), json!({"x": "2"})));
    decoder.push(events(&[piece(json!({"index": 1, "function": {"arguments": "3"}}))]).as_bytes());
    assert!(Delta::between(&first, &known(&decoder, 0)).is_empty());
    assert_eq!(Delta::between(&second, &known(&decoder, 1)).to_value(), json!({"x": "3"}));
}

#[test]
fn no_arguments_at_the_end_of_a_call_are_an_empty_object() {
    for arguments in [json!(""), json!(null), json!(" \n"), json!("{}"), json!("null"), json!({})] {
        let call = json!({"index": 0, "id": "a", "function": {"name": "now", "arguments": arguments}});
        check(&[call], &json!([["a", "now", {}]]));
    }
    // openai-php#623, of vLLM: not even the key.
    check(&[json!({"index": 0, "id": "a", "function": {"name": "now"}})], &json!([["a", "now", {}]]));
}

// --- never finished ---------------------------------------------------------------------------------------------------

#[test]
fn what_is_not_closed_is_never_handed_over_whatever_the_stop_reason() {
    // vLLM#53269: a call that `max_tokens` cut is said to be done.
    for reason in ["tool_calls", "stop", "length", "function_call", "whatever"] {
        for arguments in
            ["{\"path\": \"/tmp\", \"content\": \"fi", "{\"path\": \"/tmp\"", "{\"a\": [1]", "{", "{\"a\": 1]"]
                // Cut in a string, behind what would be a bracket outside of it; behind a placeholder; and what has no
                // bracket.
                .into_iter()
                .chain(["{\"run\": \"echo ${HOME}", "{\"a\": \"x\\\"}", "{\"a\": {\"b\": \"x}}", "{'a': 'x}"])
                .chain(["{}{", "{}{\"a", "{} {\"a\": \"x}", "12", "true", "\"x\"", "[1]", "[{\"a\": 1}]"])
        {
            let call = json!({"index": 0, "id": "a", "function": {"name": "write", "arguments": arguments}});
            let message = read(&sse(&[piece(call), stop(reason)]));
            assert_eq!(listed(&message).1, [false], "{reason} {arguments}");
            assert_eq!(message["tool_calls"][0]["raw_arguments"], arguments);
        }
    }
}

#[test]
fn a_model_that_was_cut_before_the_arguments_has_made_no_call() {
    let call = || piece(json!({"index": 0, "id": "a", "function": {"name": "rm", "arguments": ""}}));
    assert_eq!(listed(&read(&sse(&[call(), stop("length")]))).1, [false]);
    assert_eq!(listed(&read(&sse(&[call(), stop("tool_calls")]))).1, [true]);
    // No end at all.
    let cut = read(&format!("data: {}\n\n", call()));
    assert_eq!(listed(&cut).1, [false]);
    assert_eq!(cut["errors"], json!([["unended", null, "the stream ended without its end marker"]]));
    // Nor has one that had only named another call by then.
    let both = || {
        let named =
            |index: u64, name: &str| json!({"index": index, "id": name, "function": {"name": name, "arguments": ""}});
        delta(json!({"tool_calls": [named(0, "rm"), named(1, "ls")]}))
    };
    assert_eq!(listed(&read(&events(&[both()]))).1, [false, false]);
    assert_eq!(listed(&read(&sse(&[both(), stop("length")]))).1, [false, false]);
    assert_eq!(listed(&read(&sse(&[both(), stop("tool_calls")]))).1, [true, true]);
    // But a call is done when the model goes on to the arguments of another.
    let other = piece(json!({"index": 1, "id": "b", "function": {"name": "ls", "arguments": "{\"a\": 1"}}));
    assert_eq!(listed(&read(&sse(&[call(), other, stop("length")]))).1, [true, false]);
}

#[test]
fn two_values_for_one_argument_are_no_arguments() {
    let call = json!({"index": 0, "id": "a", "function": {"name": "pay", "arguments": "{\"sum\": 1, \"sum\": 100}"}});
    assert_eq!(calls(&[call]).1, [false]);
}

// --- index ------------------------------------------------------------------------------------------------------------

#[test]
fn numbers_are_missing() {
    // openai-python#2806, AstrBot#6661, of Gemini; ollama#7881.
    check(
        &[
            json!({"id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}}),
            json!({"id": "b", "function": {"name": "f", "arguments": "{\"x\":2}"}}),
        ],
        &json!([["a", "f", {"x": 1}], ["b", "f", {"x": 2}]]),
    );
    // open-webui/computer#224: and the arguments come in pieces.
    check(
        &[
            json!({"id": "a", "function": {"name": "f", "arguments": "{\"x\""}}),
            json!({"function": {"arguments": ":1}"}}),
            json!({"id": "b", "function": {"name": "g", "arguments": ""}}),
            json!({"function": {"arguments": "{\"y\":2}"}}),
        ],
        &json!([["a", "f", {"x": 1}], ["b", "g", {"y": 2}]]),
    );
    // dayu-agent#57: several in one payload, and more in the next.
    let both = delta(json!({"tool_calls": [
        {"id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}},
        {"id": "b", "function": {"name": "f", "arguments": "{\"x\":2}"}},
    ]}));
    let third = piece(json!({"id": "c", "function": {"name": "f", "arguments": "{\"x\":3}"}}));
    let (found, _) = listed(&read(&sse(&[both, third, stop("stop")])));
    assert_eq!(found, json!([["a", "f", {"x": 1}], ["b", "f", {"x": 2}], ["c", "f", {"x": 3}]]));
    // Neither numbers nor ids.
    let both =
        delta(json!({"tool_calls": [{"function": {"name": "f"}}, {"function": {"name": "g", "arguments": ""}}]}));
    assert_eq!(
        listed(&read(&sse(&[both, stop("stop")]))),
        (json!([[null, "f", {}], [null, "g", {}]]), vec![true, true])
    );
}

#[test]
fn all_calls_have_the_number_zero() {
    // ollama#15457, gcli2api#406, omnigent#28.
    check(
        &[
            json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}}),
            json!({"index": 0, "id": "b", "function": {"name": "f", "arguments": "{\"x\":2}"}}),
            json!({"index": 0, "id": "c", "function": {"name": "g", "arguments": ""}}),
            json!({"index": 0, "id": "d", "function": {"name": "g", "arguments": ""}}),
            json!({"index": 0, "function": {"arguments": "{\"x\":3}"}}),
        ],
        &json!([["a", "f", {"x": 1}], ["b", "f", {"x": 2}], ["c", "g", {}], ["d", "g", {"x": 3}]]),
    );
    // unsloth#10059: without ids.
    check(
        &[
            json!({"index": 0, "function": {"name": "f", "arguments": "{\"x\":1}"}}),
            json!({"index": 0, "function": {"name": "f", "arguments": "{\"x\":2}"}}),
            json!({"index": 0, "function": {"name": "g", "arguments": "{\"x\":2}"}}),
        ],
        &json!([[null, "f", {"x": 1}], [null, "f", {"x": 2}], [null, "g", {"x": 2}]]),
    );
}

#[test]
fn numbers_are_far_apart_or_no_numbers() {
    check(
        &[
            json!({"index": 3, "id": "a", "function": {"name": "f", "arguments": "{\"x\""}}),
            json!({"index": 18_446_744_073_709_551_615_u64, "id": "b", "function": {"name": "g", "arguments": "{\"y\""}}),
            json!({"index": 3, "function": {"arguments": ":1}"}}),
            json!({"index": 18_446_744_073_709_551_615_u64, "function": {"arguments": ":2}"}}),
            json!({"index": "7", "id": "c", "function": {"name": "h", "arguments": "{\"z\""}}),
            json!({"index": 7.0, "function": {"arguments": ":3}"}}),
            json!({"index": -1, "id": "d", "function": {"name": "i", "arguments": "{\"z\":4}"}}),
            json!({"index": {}, "id": "e", "function": {"name": "j", "arguments": "{\"z\":5}"}}),
        ],
        &json!([
            ["a", "f", {"x": 1}], ["b", "g", {"y": 2}], ["c", "h", {"z": 3}], ["d", "i", {"z": 4}], ["e", "j", {"z": 5}],
        ]),
    );
}

// --- id and name ------------------------------------------------------------------------------------------------------

#[test]
fn ids_and_names_are_repeated_empty_or_null() {
    // SillyTavern#5948, of Fireworks; hermes-agent#8259, of MiniMax; vLLM#44098: with each piece, the last one too.
    check(
        &[
            json!({"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}, "name": null}),
            json!({"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\":"}}),
            json!({"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "1}"}}),
            json!({"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}),
            json!({"index": 0, "function": {"name": "f", "arguments": ""}}),
        ],
        &json!([["a", "f", {"x": 1}]]),
    );
    // sglang#35542: null; and others: empty.
    check(
        &[
            json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}),
            json!({"index": 0, "id": null, "type": null, "function": {"name": null, "arguments": "{\"x\""}}),
            json!({"index": 0, "id": "", "function": {"name": "", "arguments": ":1}"}}),
            json!({"index": 0, "id": "", "function": null}),
            json!(null),
        ],
        &json!([["a", "f", {"x": 1}]]),
    );
    // Only names, without a number.
    check(
        &[
            json!({"function": {"name": "f", "arguments": ""}}),
            json!({"function": {"name": "f", "arguments": "{\"x\":"}}),
            json!({"function": {"name": "f", "arguments": "1}"}}),
        ],
        &json!([[null, "f", {"x": 1}]]),
    );
}

#[test]
fn each_piece_has_an_id_of_its_own() {
    // hermes-agent#5254, of LM Studio.
    check(
        &[
            json!({"index": 0, "id": "1", "function": {"name": "f", "arguments": ""}}),
            json!({"index": 0, "id": "2", "function": {"name": "", "arguments": "{"}}),
            json!({"index": 0, "id": "3", "function": {"name": "", "arguments": "\"x\":"}}),
            json!({"index": 0, "id": "4", "function": {"name": "", "arguments": "1}"}}),
        ],
        &json!([["1", "f", {"x": 1}]]),
    );
    // And the name again.
    check(
        &[
            json!({"index": 0, "id": "1", "function": {"name": "f", "arguments": "{\"x\":"}}),
            json!({"index": 0, "id": "2", "function": {"name": "f", "arguments": "1}"}}),
        ],
        &json!([["1", "f", {"x": 1}]]),
    );
}

#[test]
fn ids_and_names_come_in_pieces_or_late() {
    // openclaw#127603, of Mistral's library.
    check(
        &[
            json!({"index": 0, "id": "a", "function": {"name": "get_", "arguments": "{\"city\":"}}),
            json!({"index": 0, "id": "a", "function": {"name": "weather", "arguments": "\"Paris\"}"}}),
        ],
        &json!([["a", "get_weather", {"city": "Paris"}]]),
    );
    // llama.cpp#13800: the name grows.
    check(
        &[
            json!({"index": 0, "id": "a", "function": {"name": "get", "arguments": ""}}),
            json!({"index": 0, "id": "a", "function": {"name": "get_weather", "arguments": "{\"x\":1}"}}),
        ],
        &json!([["a", "get_weather", {"x": 1}]]),
    );
    check(
        &[
            json!({"index": 0, "id": "call_", "function": {"name": "f", "arguments": ""}}),
            json!({"index": 0, "id": "abc"}),
            json!({"index": 0, "function": {"arguments": "{\"x\":1}"}}),
        ],
        &json!([["call_abc", "f", {"x": 1}]]),
    );
    check(
        &[
            json!({"index": 0, "function": {"name": "f", "arguments": "{\"x\""}}),
            json!({"index": 0, "id": "a", "function": {"arguments": ":1}"}}),
        ],
        &json!([["a", "f", {"x": 1}]]),
    );
}

// --- arguments --------------------------------------------------------------------------------------------------------

#[test]
fn arguments_are_an_object() {
    // llama.cpp#20198, LiteLLM#37792.
    let (found, complete) = calls(&[
        json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": {"x": [1, 1.50], "s": "a:b, \"c\" é"}}}),
        json!({"index": 0, "id": "b", "function": {"name": "g", "arguments": {}}}),
    ]);
    assert_eq!(found, json!([["a", "f", {"x": [1, 1.5], "s": "a:b, \"c\" é"}], ["b", "g", {}]]));
    assert_eq!(complete, [true, true]);
    let raw = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{ \"x\" :[1 ,\n1.50], \
               \"s\":\"a : b\"}}}]}}]}\n\n"
        .replace('\n', " ");
    let message = read(&format!("{raw}\n\n"));
    assert_eq!(message["tool_calls"][0]["raw_arguments"], "{\"x\": [1, 1.50], \"s\": \"a : b\"}");
}

#[test]
fn arguments_that_are_no_object_are_not_handed_over_as_none() {
    for arguments in [json!([1]), json!(12), json!(true), json!([{"a": 1}])] {
        let openai =
            sse(&[piece(json!({"index": 0, "function": {"name": "f", "arguments": arguments}})), stop("stop")]);
        let ollama =
            json!({"message": {"tool_calls": [{"function": {"name": "f", "arguments": arguments}}]}, "done": true});
        let gemini = json!({"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": arguments}}]},
                            "finishReason": "STOP"}]});
        let anthropic = json!({"type": "message", "stop_reason": "tool_use",
                               "content": [{"type": "tool_use", "name": "f", "input": arguments}]});
        let responses = json!({"object": "response", "status": "completed",
                               "output": [{"type": "function_call", "name": "f", "arguments": arguments}]});
        let others = [ollama, gemini, anthropic, responses].map(|payload| events(&[payload]));
        for stream in others.into_iter().chain([openai]) {
            let message = read(&stream);
            assert_eq!(listed(&message).1, [false], "{stream}");
            assert_eq!(message["tool_calls"][0]["arguments"], arguments, "{stream}");
        }
    }
    // How PHP writes an empty object.
    check(&[json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": []}})], &json!([["a", "f", {}]]));
}

#[test]
fn a_placeholder_comes_before_the_arguments() {
    // The arguments may be none, too.
    for arguments in ["{}", " {}", "{}{}"] {
        check(
            &[
                json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}),
                json!({"index": 0, "function": {"arguments": arguments}}),
            ],
            &json!([["a", "f", {}]]),
        );
    }
    // autogen#7549, of Gemini; llama-stack#5464.
    check(
        &[
            json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}),
            json!({"index": 0, "function": {"arguments": "{\"stock\":"}}),
            json!({"index": 0, "function": {"arguments": "\"MSFT\"}"}}),
        ],
        &json!([["a", "f", {"stock": "MSFT"}]]),
    );
}

#[test]
fn documents_are_glued_together() {
    // semantic-kernel#6106, gcli2api#406.
    check(
        &[
            json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\":1}{\"x\":2} {\"x\":"}}),
            json!({"index": 0, "function": {"arguments": "3}\n{\"x\":4}"}}),
        ],
        &json!([["a", "f", {"x": 1}], [null, "f", {"x": 2}], [null, "f", {"x": 3}], [null, "f", {"x": 4}]]),
    );
}

#[test]
fn all_arguments_come_again_behind_the_pieces() {
    check(
        &[
            json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\":"}}),
            json!({"index": 0, "function": {"arguments": "1}"}}),
            json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}}),
            json!({"index": 0, "function": {"arguments": "{\"x\":1}"}}),
        ],
        &json!([["a", "f", {"x": 1}]]),
    );
}

#[test]
fn brackets_in_strings_close_nothing() {
    // ollama#12017, Rapid-MLX#1591.
    for text in ["}", "{", "})] ", "\\\"}", "{\\\"a\\\":1}{"] {
        let arguments = format!("{{\"x\": \"{text}\"}}");
        for cut in 1..arguments.len() {
            let (head, tail) = arguments.split_at(cut);
            let (found, complete) = calls(&[
                json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": head}}),
                json!({"index": 0, "function": {"arguments": tail}}),
            ]);
            let expected: Value = serde_json::from_str(&arguments).unwrap();
            assert_eq!((found, complete), (json!([["a", "f", expected]]), vec![true]));
        }
    }
}

#[test]
fn arguments_are_in_a_string_in_a_string() {
    check(
        &[json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "\"{\\\"x\\\":1}\""}})],
        &json!([["a", "f", {"x": 1}]]),
    );
}

#[test]
fn calls_of_choices_do_not_mix() {
    let one = |choice: u64, arguments: &str| json!({"choices": [{"index": choice, "delta": {"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": arguments}}]}}]});
    let message = read(&sse(&[one(1, "{\"x\""), one(0, "{\"x\""), one(1, ":1}"), one(0, ":0}")]));
    let found: Vec<_> = message["choices"].as_array().unwrap().iter().map(|choice| listed(&choice[1]).0).collect();
    assert_eq!(found, [json!([[null, "f", {"x": 0}]]), json!([[null, "f", {"x": 1}]])]);
}

#[test]
fn the_older_function_call() {
    let payloads = [
        delta(json!({"function_call": {"name": "f", "arguments": ""}})),
        delta(json!({"function_call": {"arguments": "{\"x\":1}"}})),
        stop("function_call"),
    ];
    assert_eq!(listed(&read_as(Provider::OpenAiChat, &sse(&payloads))), (json!([[null, "f", {"x": 1}]]), vec![true]));
}
