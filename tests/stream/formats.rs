//! What each wire format says, beyond the transcripts. Sources of odd shapes are named.

use jsonrill::{Provider, Usage};
use serde_json::{Value, json};

use crate::say::{delta, events, listed, read, read_as, sse, stop};

fn usage(input: u64, output: u64) -> Value {
    json!(Usage::new(input, output))
}

// --- chat completions -------------------------------------------------------------------------------------------------

#[test]
fn reasoning_by_any_name_and_once() {
    for piece in [
        json!({"reasoning_content": "hm"}),
        json!({"reasoning": "hm"}),
        json!({"reasoning": "hm", "reasoning_content": "hm"}),
        json!({"reasoning": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}),
        json!({"reasoning_details": [{"type": "reasoning.summary", "summary": "hm"}]}),
        json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}, {"type": "text", "text": "m"}]}]}),
        json!({"content": [{"type": "thinking", "thinking": "hm"}]}),
    ] {
        let message =
            read(&sse(&[delta(piece.clone()), delta(json!({"content": "a", "reasoning": ""})), stop("stop")]));
        assert_eq!((&message["thinking"], &message["content"]), (&json!("hm"), &json!("a")), "{piece}");
    }
}

#[test]
fn content_in_parts_and_refusals() {
    let message = read(&sse(&[
        delta(json!({"content": [{"type": "text", "text": "a"}, {"type": "reference", "reference_ids": [1]}]})),
        delta(json!({"content": "b", "refusal": "I "})),
        delta(json!({"content": null, "refusal": "won't"})),
        stop("stop"),
    ]));
    assert_eq!((&message["content"], &message["refusal"]), (&json!("ab"), &json!("I won't")));
}

#[test]
fn choices_are_kept_apart() {
    let chunk = |index: Value, content: &str, reason: Value| json!({"choices": [{"index": index, "delta": {"content": content}, "finish_reason": reason}]});
    let message = read(&sse(&[
        chunk(json!(0), "{\"a\":", json!(null)),
        chunk(json!(2), "[1", json!(null)),
        chunk(json!(0), "1}", json!("stop")),
        chunk(json!(2), "]", json!("length")),
        json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
    ]));
    let choices = message["choices"].as_array().unwrap();
    let shown: Vec<_> = choices
        .iter()
        .map(|one| json!([one[0], one[1]["json"], one[1]["json_complete"], one[1]["finish_reason"]]))
        .collect();
    assert_eq!(shown, [json!([0, {"a": 1}, true, "stop"]), json!([2, [1], true, "length"])]);
    assert_eq!(message["usage"], usage(3, 4));
}

#[test]
fn a_server_that_does_not_stream() {
    let message = read(
        &json!({"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {
            "content": "hi", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}},
                {"id": "b", "function": {"name": "f", "arguments": "{\"x\":2}"}}]}}]})
        .to_string(),
    );
    assert_eq!(listed(&message), (json!([["a", "f", {"x": 1}], ["b", "f", {"x": 2}]]), vec![true, true]));
    assert_eq!((&message["content"], &message["errors"]), (&json!("hi"), &json!([])));
}

#[test]
fn members_of_the_wrong_kind_are_as_good_as_missing() {
    let message = read(&sse(&[
        json!({"choices": [null, 1, {"index": 0, "delta": 5, "finish_reason": 7}, {"index": 0, "delta": {"content": {"a": 1}, "tool_calls": {}}}]}),
        json!({"choices": [{"index": null, "delta": {"content": "a", "tool_calls": [[], "x", {"function": []}]}}], "usage": "no"}),
        stop("stop"),
    ]));
    assert_eq!(
        (&message["content"], &message["tool_calls"], &message["errors"]),
        (&json!("a"), &json!([]), &json!([]))
    );
}

// --- responses --------------------------------------------------------------------------------------------------------

#[test]
fn texts_of_responses_count_once() {
    let item = json!({"type": "message", "id": "m", "content": [{"type": "output_text", "text": "Hello"}]});
    let whole = json!({"type": "response.completed", "response": {"status": "completed", "output": [item],
        "usage": {"input_tokens": 1, "output_tokens": 2}}});
    let pieces = [
        json!({"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": "Hel"}),
        json!({"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": "lo"}),
        json!({"type": "response.output_text.done", "item_id": "m", "output_index": 0, "content_index": 0, "text": "Hello"}),
        json!({"type": "response.content_part.done", "item_id": "m", "part": {"type": "output_text", "text": "Hello"}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        whole,
    ];
    // Whatever is missing: ogx#5309 (no `done`), gemini-web2api#57 (no pieces), Switchyard#777 (nothing but the end).
    for missing in 0..1_usize << pieces.len() {
        let kept: Vec<_> = pieces
            .iter()
            .enumerate()
            .filter(|(at, _)| missing >> at & 1 == 0)
            .map(|(_, piece)| piece.clone())
            .collect();
        let has_all = kept.iter().skip_while(|piece| piece["type"] == "response.output_text.delta").count() > 0;
        let message = read_as(Provider::OpenAiResponses, &events(&kept));
        // Without the first piece, the second is taken for it.
        let first_is_lost = missing & 3 == 1;
        let is_only_part = kept.iter().all(|piece| piece["type"] == "response.content_part.done");
        if has_all && !first_is_lost && !is_only_part {
            let content = message["content"].as_str().unwrap_or_default();
            let part_alone = kept.iter().all(|piece| {
                piece["type"] == "response.output_text.delta" || piece["type"] == "response.content_part.done"
            });
            assert_eq!(content, if part_alone { &"Hello"[..content.len()] } else { "Hello" }, "{kept:?}");
        }
    }
    // vLLM#29947: the number of the part counts pieces. llm-rosetta#56: no numbers at all.
    for numbers in [json!({"output_index": 0, "content_index": 12}), json!({})] {
        let stream: Vec<_> = pieces
            .iter()
            .cloned()
            .map(|mut piece| {
                for key in ["item_id", "output_index", "content_index"] {
                    piece.as_object_mut().unwrap().remove(key);
                }
                piece.as_object_mut().unwrap().extend(numbers.as_object().unwrap().clone());
                piece
            })
            .collect();
        let message = read(&events(&stream));
        assert_eq!((&message["content"], &message["errors"]), (&json!("Hello"), &json!([])), "{numbers}");
        assert_eq!(message["usage"], usage(1, 2));
    }
}

#[test]
fn arguments_of_responses_count_once_and_may_come_with_done_alone() {
    let item = |status: &str, arguments: &str| json!({"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "status": status, "arguments": arguments});
    let pieces = [
        json!({"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", "")}),
        json!({"type": "response.function_call_arguments.delta", "item_id": "fc", "output_index": 0, "delta": "{\"x\":"}),
        json!({"type": "response.function_call_arguments.delta", "item_id": "fc", "output_index": 0, "delta": "1}"}),
        json!({"type": "response.function_call_arguments.done", "item_id": "fc", "output_index": 0, "arguments": "{\"x\":1}"}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item("completed", "{\"x\":1}")}),
        json!({"type": "response.completed", "response": {"status": "completed", "output": [item("completed", "{\"x\":1}")]}}),
    ];
    // opencodex#4652: no pieces. Every one of these has all that there is to know, in some event.
    for kept in [
        &[0, 1, 2, 3, 4, 5][..],
        &[0, 3, 5],
        &[0, 4],
        &[4],
        &[5],
        &[1, 2, 4],
        &[3, 4],
        &[0, 1, 4],
        &[0, 1, 2, 5],
        &[1, 3, 5],
    ] {
        let stream: Vec<_> = kept.iter().map(|&at| pieces[at].clone()).collect();
        let message = read_as(Provider::OpenAiResponses, &events(&stream));
        assert_eq!(listed(&message), (json!([["c", "f", {"x": 1}]]), vec![true]), "{kept:?}");
        assert!(message["errors"].as_array().unwrap().iter().all(|error| error[0] == "unended"), "{message}");
    }
    // An item that says itself that it is not whole.
    let cut = [json!({"type": "response.output_item.done", "output_index": 0, "item": item("incomplete", "{\"x\":1")})];
    assert_eq!(listed(&read(&events(&cut))).1, [false]);
}

#[test]
fn a_text_that_contradicts_its_pieces_is_an_error_and_the_pieces_stay() {
    let message = read(&events(&[
        json!({"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "delta": "Hello"}),
        json!({"type": "response.output_text.done", "item_id": "m", "output_index": 0, "text": "Hi"}),
        json!({"type": "response.completed", "response": {"status": "completed"}}),
    ]));
    assert_eq!(message["content"], "Hello");
    assert_eq!(
        message["errors"],
        json!([["contradiction", null, "a text that is done is not what came of it in pieces"]])
    );
}

#[test]
fn responses_that_are_cut_say_why() {
    let message = read(&events(&[
        json!({"type": "response.output_text.delta", "delta": "{\"a\": 1"}),
        json!({"type": "response.incomplete", "response": {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}}),
    ]));
    assert_eq!((&message["finish_reason"], &message["json_complete"]), (&json!("max_output_tokens"), &json!(false)));
    assert_eq!((&message["ended"], &message["errors"]), (&json!(true), &json!([])));
}

#[test]
fn reasoning_and_refusals_of_responses() {
    let message = read(&events(&[
        json!({"type": "response.reasoning_summary_text.delta", "item_id": "r", "output_index": 0, "summary_index": 0, "delta": "One."}),
        json!({"type": "response.reasoning_summary_text.done", "item_id": "r", "output_index": 0, "summary_index": 0, "text": "One."}),
        json!({"type": "response.reasoning_summary_text.delta", "item_id": "r", "output_index": 0, "summary_index": 1, "delta": "Tw"}),
        json!({"type": "response.reasoning_summary_text.done", "item_id": "r", "output_index": 0, "summary_index": 1, "text": "Two."}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": {"type": "reasoning", "id": "r",
            "summary": [{"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}]}}),
        json!({"type": "response.refusal.delta", "item_id": "m", "output_index": 1, "delta": "No"}),
        json!({"type": "response.refusal.done", "item_id": "m", "output_index": 1, "refusal": "No."}),
        json!({"type": "response.completed", "response": {"status": "completed"}}),
    ]));
    assert_eq!(
        (&message["thinking"], &message["refusal"], &message["errors"]),
        (&json!("One.Two."), &json!("No."), &json!([]))
    );
}

#[test]
fn free_text_of_custom_tools() {
    // Responses: Oaklight/llm-rosetta#182, langchainjs#8854.
    let item = |status: &str, input: &str| json!({"type": "custom_tool_call", "id": "ctc", "call_id": "c", "name": "shell", "status": status, "input": input});
    let text = "echo {\"a\"} \n";
    let pieces = [
        json!({"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", "")}),
        json!({"type": "response.custom_tool_call_input.delta", "item_id": "ctc", "output_index": 0, "delta": "echo {"}),
        json!({"type": "response.custom_tool_call_input.delta", "item_id": "ctc", "output_index": 0, "delta": "\"a\"} \n"}),
        json!({"type": "response.custom_tool_call_input.done", "item_id": "ctc", "output_index": 0, "input": text}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item("completed", text)}),
        json!({"type": "response.completed", "response": {"status": "completed", "output": [item("completed", text)]}}),
    ];
    for kept in [&[0, 1, 2, 3, 4, 5][..], &[0, 3, 5], &[0, 4], &[4], &[5], &[1, 2, 4], &[3, 4], &[0, 1, 4]] {
        let stream: Vec<_> = kept.iter().map(|&at| pieces[at].clone()).collect();
        let message = read_as(Provider::OpenAiResponses, &events(&stream));
        assert_eq!(listed(&message), (json!([["c", "shell", text]]), vec![true]), "{kept:?}");
        assert_eq!(message["tool_calls"][0]["raw_arguments"], text);
    }
    // Text that nobody says is whole is not handed over.
    for kept in [&[0, 1][..], &[0, 1, 2]] {
        let mut stream: Vec<_> = kept.iter().map(|&at| pieces[at].clone()).collect();
        assert_eq!(listed(&read(&events(&stream))).1, [false]);
        stream.push(json!({"type": "response.incomplete", "response": {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}}));
        assert_eq!(listed(&read(&events(&stream))).1, [false]);
    }

    // Chat: openai-python#2530. The text has no end of its own: that the model went on or stopped is all there is.
    let piece = |custom: Value| delta(json!({"tool_calls": [custom]}));
    let chat = |reason: &str| {
        read(&sse(&[
            piece(json!({"index": 0, "id": "a", "type": "custom", "custom": {"name": "shell", "input": ""}})),
            piece(json!({"index": 0, "custom": {"input": "{\"not\": "}})),
            piece(json!({"index": 0, "custom": {"input": "json}} {"}})),
            piece(json!({"index": 1, "id": "b", "type": "custom", "custom": {"name": "shell", "input": "ls"}})),
            stop(reason),
        ]))
    };
    let expected = json!([["a", "shell", "{\"not\": json}} {"], ["b", "shell", "ls"]]);
    assert_eq!(listed(&chat("tool_calls")), (expected.clone(), vec![true, true]));
    assert_eq!(listed(&chat("length")), (expected.clone(), vec![true, false]));
    assert_eq!(listed(&chat("?")), (expected, vec![true, false]));
}

#[test]
fn what_it_cost_is_said_by_each() {
    let chat = json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}});
    assert_eq!(read(&sse(&[stop("stop"), chat]))["usage"], usage(3, 4));
    // Groq: in a place of its own; go-moonshot#17: with the choice.
    let own = json!({"choices": [], "x_groq": {"usage": {"prompt_tokens": 3, "completion_tokens": 4}}});
    assert_eq!(read(&sse(&[stop("stop"), own]))["usage"], usage(3, 4));
    let with_choice = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop", "usage": {"prompt_tokens": 3, "completion_tokens": 4}}]});
    assert_eq!(read(&sse(&[with_choice]))["usage"], usage(3, 4));
    for kind in ["completed", "incomplete", "failed"] {
        let response = json!({"type": format!("response.{kind}"), "response": {"status": kind, "usage": {"input_tokens": 3, "output_tokens": 4}}});
        assert_eq!(read(&events(&[response]))["usage"], usage(3, 4));
    }
    let start = json!({"type": "message_start", "message": {"usage": {"input_tokens": 3, "output_tokens": 1}}});
    assert_eq!(read(&events(std::slice::from_ref(&start)))["usage"], usage(3, 1));
    let delta = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}});
    assert_eq!(read(&events(&[start, delta]))["usage"], usage(3, 4));
    let gemini = json!({"candidates": [], "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 3, "thoughtsTokenCount": 1}});
    assert_eq!(read(&events(&[gemini]))["usage"], usage(3, 4));
    let ollama = json!({"done": true, "prompt_eval_count": 3, "eval_count": 4});
    assert_eq!(read(&format!("{ollama}\n"))["usage"], usage(3, 4));
}

// --- messages of Anthropic --------------------------------------------------------------------------------------------

#[expect(clippy::needless_pass_by_value, reason = "written in place")]
fn block(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn input(index: u64, text: &str) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": {"type": "input_json_delta", "partial_json": text}})
}

fn ended(reason: &str) -> [Value; 2] {
    [
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ]
}

#[test]
fn blocks_that_interleave_start_with_their_input_or_never_stop() {
    let mut stream = vec![
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 5, "output_tokens": 1}}}),
        json!({"type": "ping"}),
        block(0, json!({"type": "tool_use", "id": "a", "name": "f", "input": {}})),
        block(1, json!({"type": "tool_use", "id": "b", "name": "g", "input": {}})),
        input(0, "{\"x\""),
        input(1, "{\"y\""),
        input(0, ":1}"),
        input(1, ":2}"),
        json!({"type": "content_block_stop", "index": 0}),
        block(2, json!({"type": "tool_use", "id": "c", "name": "h", "input": {"z": 3}})),
        json!({"type": "content_block_stop", "index": 2}),
        block(3, json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}})),
        input(3, "{\"query\":\"x\"}"),
        json!({"type": "content_block_stop", "index": 3}),
        block(4, json!({"type": "tool_use", "id": "d", "name": "i", "input": {}})),
    ];
    stream.extend(ended("tool_use"));
    let message = read(&events(&stream));
    let expected = json!([["a", "f", {"x": 1}], ["b", "g", {"y": 2}], ["c", "h", {"z": 3}], ["d", "i", {}]]);
    assert_eq!(listed(&message), (expected, vec![true; 4]));
    assert_eq!((&message["usage"], &message["errors"]), (&usage(5, 9), &json!([])));
}

#[test]
fn a_block_that_the_token_limit_cut_is_no_call() {
    for (text, is_final) in [("{\"x\": \"y", false), ("", false), ("{\"x\": 1}", true)] {
        let mut stream = vec![
            block(0, json!({"type": "tool_use", "id": "a", "name": "f", "input": {}})),
            input(0, text),
            json!({"type": "content_block_stop", "index": 0}),
        ];
        stream.extend(ended("max_tokens"));
        assert_eq!(listed(&read(&events(&stream))).1, [is_final], "{text}");
    }
}

#[test]
fn input_of_a_block_whose_start_was_lost_is_kept() {
    let mut stream = vec![input(7, "{\"x\""), input(7, ":1}")];
    stream.extend(ended("tool_use"));
    assert_eq!(listed(&read(&events(&stream))), (json!([[null, "", {"x": 1}]]), vec![true]));
}

#[test]
fn the_type_of_a_payload_may_be_the_name_of_its_event() {
    let stream = "event: message_start\ndata: {\"message\":{\"usage\":{\"input_tokens\":5}}}\n\n\
                  event: content_block_start\ndata: {\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
                  event: ping\ndata: {}\n\n\
                  event: content_block_delta\ndata: {\"index\":0,\"delta\":{\"text\":\"Hi\"}}\n\n\
                  event: content_block_stop\ndata: {\"index\":0}\n\n\
                  event: message_delta\ndata: {\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n\
                  event: message_stop\ndata: {}\n\n";
    let message = read(stream);
    assert_eq!((&message["provider"], &message["content"]), (&json!("anthropic"), &json!("Hi")));
    assert_eq!((&message["finish_reason"], &message["ended"]), (&json!("end_turn"), &json!(true)));
    assert_eq!(message["errors"], json!([]));
    // pi#1983: no names of events, which is how all streams above are.

    let message = read(
        "event: response.output_text.delta\ndata: {\"delta\":\"Hi\"}\n\n\
         event: response.completed\ndata: {\"response\":{\"status\":\"completed\"}}\n\n",
    );
    assert_eq!((&message["content"], &message["errors"]), (&json!("Hi"), &json!([])));
    // The name that events have without one is no type.
    let message = read_as(Provider::Anthropic, "data: {\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}\n\n");
    assert_eq!(message["content"], json!(null));
    // An error that is nothing but the payload of its event.
    for provider in [Provider::Anthropic, Provider::OpenAiChat, Provider::OpenAiResponses] {
        let message = read_as(provider, "event: error\ndata: {\"message\":\"overloaded\",\"code\":529}\n\n");
        assert_eq!(message["errors"][0], json!(["provider", "529", "overloaded"]));
        let message = read_as(provider, "event: error\ndata: {\"error\":{\"message\":\"overloaded\"}}\n\n");
        assert_eq!(message["errors"], json!([["provider", null, "overloaded"]]));
    }
}

#[test]
fn a_block_may_start_with_its_text() {
    // pi#7283.
    let mut stream = vec![
        block(0, json!({"type": "thinking", "thinking": "h"})),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "m"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "x"}}),
        block(1, json!({"type": "text", "text": "H"})),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "i"}}),
    ];
    stream.extend(ended("end_turn"));
    let message = read(&events(&stream));
    assert_eq!((&message["thinking"], &message["content"]), (&json!("hm"), &json!("Hi")));
}

// --- Gemini and Ollama ------------------------------------------------------------------------------------------------

#[test]
fn gemini_over_an_array() {
    // symfony/ai#1988.
    let message = read(
        "[{\n  \"candidates\": [{\"content\": {\"parts\": [{\"text\": \"Hel\"}]}, \"index\": 0}]\n}\n,\r\n{\"candidates\": [{\"content\": \
         {\"parts\": [{\"text\": \"lo\"}, {\"functionCall\": {\"name\": \"f\"}}, {\"functionCall\": {\"name\": \"f\", \"id\": \"i\", \"args\": \
         {\"x\":1}}}]}, \"finishReason\": \"STOP\"}], \"usageMetadata\": {\"promptTokenCount\": 2, \"candidatesTokenCount\": 3, \
         \"thoughtsTokenCount\": 4}}\n]",
    );
    assert_eq!((&message["content"], &message["finish_reason"]), (&json!("Hello"), &json!("STOP")));
    assert_eq!(listed(&message), (json!([[null, "f", {}], ["i", "f", {"x": 1}]]), vec![true, true]));
    assert_eq!((&message["usage"], &message["errors"]), (&usage(2, 7), &json!([])));
}

#[test]
fn gemini_that_gives_no_answer_says_why() {
    let blocked = read("data: {\"promptFeedback\":{\"blockReason\":\"PROHIBITED_CONTENT\"},\"usageMetadata\":{}}\n\n");
    assert_eq!((&blocked["finish_reason"], &blocked["ended"]), (&json!("PROHIBITED_CONTENT"), &json!(true)));
    let malformed = read(
        "data: {\"candidates\":[{\"content\":{},\"finishReason\":\"MALFORMED_FUNCTION_CALL\",\"finishMessage\":\"Malformed: call:f{\"}]}\n\n",
    );
    assert_eq!(malformed["errors"], json!([["provider", "MALFORMED_FUNCTION_CALL", "Malformed: call:f{"]]));
}

#[test]
fn ollama_completions_and_calls() {
    let message = read("{\"response\":\"a\",\"done\":false}\n{\"response\":\"b\",\"thinking\":\"t\",\"done\":true}");
    assert_eq!(
        (&message["content"], &message["thinking"], &message["finish_reason"]),
        (&json!("ab"), &json!("t"), &json!("stop"))
    );
    // haystack-core-integrations#3321: ids of late; and the same tool twice.
    let line = |id: &str, x: u64| json!({"message": {"content": "", "tool_calls": [{"id": id, "function": {"name": "f", "arguments": {"x": x}}}]}, "done": false});
    let done = json!({"done": true, "done_reason": "stop", "prompt_eval_count": 4, "eval_count": 5});
    let message = read(&format!("{}\n{}\n{}\n{done}\n", line("", 1), line("b", 1), line("c", 2)));
    assert_eq!(listed(&message).0, json!([[null, "f", {"x": 1}], ["b", "f", {"x": 1}], ["c", "f", {"x": 2}]]));
    assert_eq!(message["usage"], usage(4, 5));
}

#[test]
fn providers_by_name_and_by_sight() {
    for name in Provider::names() {
        let provider: Provider = name.to_uppercase().parse().unwrap();
        assert_eq!(provider.as_str().parse(), Ok(provider));
    }
    assert_eq!("mistral".parse(), Ok(Provider::OpenAiChat));
    assert!("".parse::<Provider>().unwrap_err().to_string().starts_with("no provider `` is known, but openai, "));
    for (payload, provider) in [
        (json!({"choices": []}), Some(Provider::OpenAiChat)),
        (json!({"object": "chat.completion.chunk", "choices": null}), Some(Provider::OpenAiChat)),
        (json!({"type": "response.created"}), Some(Provider::OpenAiResponses)),
        (json!({"type": "ping"}), None),
        (json!({"type": "content_block_stop", "index": 0}), Some(Provider::Anthropic)),
        (json!({"usageMetadata": {}}), Some(Provider::Gemini)),
        (json!({"model": "m", "done": false}), Some(Provider::Ollama)),
        (json!({"error": {}}), None),
        (json!([]), None),
    ] {
        assert_eq!(Provider::detect(&payload.to_string()), provider, "{payload}");
    }
}

fn candidate(parts: &Value, reason: Option<&str>) -> Value {
    json!({"candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": reason}]})
}

#[test]
fn gemini_calls_among_thoughts_and_signatures() {
    // js-genai's types: `thought`, `thoughtSignature`; calls may be in the same part.
    let message = read(&events(&[
        candidate(&json!([{"text": "hm", "thought": true, "thoughtSignature": "x"}]), None),
        candidate(
            &json!([{"functionCall": {"name": "f", "args": {"x": 1}}, "thought": true, "thoughtSignature": "y"},
            {"text": "", "thoughtSignature": "z"}, {"functionCall": {"name": "g"}}, {"text": "a"}]),
            Some("STOP"),
        ),
    ]));
    assert_eq!(listed(&message), (json!([[null, "f", {"x": 1}], [null, "g", {}]]), vec![true, true]));
    assert_eq!((&message["thinking"], &message["content"]), (&json!("hm"), &json!("a")));
}

#[test]
fn gemini_arguments_leaf_by_leaf() {
    // Vertex, `streamFunctionCallArguments`: litellm#23815, js-genai's `FunctionCall` and `PartialArg`.
    let leaf =
        |path: &str, text: &str, goes_on: bool| json!({"jsonPath": path, "stringValue": text, "willContinue": goes_on});
    let call = |call: Value| candidate(&json!([{"functionCall": call}]), None);
    let pieces = [
        call(json!({"name": "f", "id": "i", "willContinue": true})),
        call(json!({"partialArgs": [leaf("$.city", "Os", true)], "willContinue": true})),
        call(json!({"partialArgs": [leaf("$.city", "lo \"1\"", true)], "willContinue": true})),
        call(
            json!({"partialArgs": [leaf("$.city", "", false), {"jsonPath": "$.days[0]", "numberValue": 1}], "willContinue": true}),
        ),
        call(
            json!({"name": "f", "partialArgs": [{"jsonPath": "$.days[1]", "numberValue": 2.50}], "willContinue": true}),
        ),
        call(json!({})),
        call(json!({"name": "f", "partialArgs": [{"jsonPath": "$.x", "boolValue": true}]})),
        call(json!({"name": "now", "willContinue": true})),
        call(json!({})),
        candidate(&json!([]), Some("STOP")),
    ];
    let message = read(&events(&pieces));
    let expected =
        json!([["i", "f", {"city": "Oslo \"1\"", "days": [1, 2.5]}], [null, "f", {"x": true}], [null, "now", {}]]);
    assert_eq!(listed(&message), (expected, vec![true; 3]), "{message}");
    assert_eq!(message["errors"], json!([]));

    // As it comes.
    let mut decoder = jsonrill::MessageDecoder::new();
    decoder.push(events(&pieces[..3]).as_bytes());
    let call_so_far = &decoder.message().tool_calls()[0];
    assert_eq!(call_so_far.partial_arguments().at("/city"), "Oslo \"1"); // the last quote is held
    assert!(call_so_far.arguments().is_none());

    // What is not ended is not handed over, whatever the stop reason says; nor is what has no place.
    let cut = read(&events(&[pieces[0].clone(), pieces[3].clone(), candidate(&json!([]), Some("STOP"))]));
    assert_eq!(listed(&cut), (json!([["i", "f", {"city": "", "days": [1]}]]), vec![false]));
    let twice = [
        call(
            json!({"name": "f", "partialArgs": [leaf("$.a", "x", false), leaf("$.a", "y", false)], "willContinue": true}),
        ),
        call(json!({})),
        candidate(&json!([]), Some("STOP")),
    ];
    let message = read(&events(&twice));
    assert_eq!(listed(&message), (json!([[null, "f", {"a": "x"}]]), vec![false]));
    assert_eq!(message["errors"][0][0], "contradiction");
}

#[test]
fn a_call_of_which_more_was_to_come_is_left_for_one_of_another_name() {
    let calls = [
        json!({"name": "f", "partialArgs": [{"jsonPath": "$.a", "numberValue": 1}], "willContinue": true}),
        json!({"name": "g", "args": {"b": 2}}),
    ];
    let payloads = calls
        .map(|call| json!({"candidates": [{"content": {"parts": [{"functionCall": call}]}, "finishReason": "STOP"}]}));
    let expected = json!([[null, "f", {"a": 1}], [null, "g", {"b": 2}]]);
    assert_eq!(listed(&read(&events(&payloads))), (expected, vec![false, true]));
}
