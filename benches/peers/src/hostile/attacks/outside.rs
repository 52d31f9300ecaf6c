//! What is around the JSON.

use super::{far, times};
use crate::attack::{Attack, again};

pub fn all() -> Vec<Attack> {
    [candidates(), fences(), tags()].into_iter().flatten().collect()
}

fn candidates() -> Vec<Attack> {
    let answer = "{\"a\":1}";
    vec![
        again("prose", "nothing", "", "I cannot do that. "),
        again("`{}` in prose", "weak roots", "So ", "{} "),
        again("`[1]` in prose", "weak roots", "So ", "[1] "),
        again("`{x}` in prose", "roots that fail", "So ", "{x} "),
        again("links in prose", "roots that fail", "So ", "[link](url) "),
        again("`{ not json` again and again", "roots that fail", "", "{ not json ").ending(answer),
        again("`[ neither,` again and again", "roots that fail", "", "[ neither, ").ending(answer),
        again("`[1, x`: almost strong", "roots that fail", "", "[1, x ").ending(answer),
        again("`[[[[1] x`: almost strong", "roots that fail", "", "[[[[1] x ").ending(answer),
        again("a key without its colon", "roots that fail at the bound", "So ", far("{\"key\" ", " ", "x "))
            .ending(answer),
        again(
            "a long key without its colon",
            "roots that fail behind a long key",
            "So ",
            format!("{{\"{}\" x ", times("k", 2000)),
        )
        .ending(answer),
        again(
            "a long number, and then prose",
            "roots that fail behind a long number",
            "So ",
            format!("[{} x ", times("1", 2000)),
        ),
        again(
            "40 arrays, and then prose",
            "roots that fail behind many values",
            "So ",
            format!("[{} x ", times("[1],", 40)),
        ),
        again(
            "200 brackets, and then prose",
            "roots that fail behind a deep path",
            "So ",
            format!("{} x ", times("[", 200)),
        ),
        Attack::made("arrays without anything strong, and then prose", "a root that fails at its end", |size| {
            format!("So [{}x", "[1],".repeat(size / 4)).into_bytes()
        }),
        again("almost a member, behind a word", "bare keys in prose", "So ", "{name x: "),
        again(
            "large objects that fail behind the answer",
            "roots that fail, and are in the index",
            answer,
            format!(" {{{}x ", (0..40).map(|number| format!("\"k{number}\":1,")).collect::<String>()),
        ),
        again("documents behind the answer", "roots that are not wanted", "", "{\"a\":1} "),
        again("closers behind the answer", "closers left over", answer, "}"),
        again("a string, and then prose", "a bare scalar that is none", "\"", "aaaa").ending("\" x"),
        again("digits, and then prose", "a bare scalar that is none", "", "1234").ending(" x"),
        again("bytes that are no UTF-8, in a string that is prose", "what is held of it", "\"", [0xFF]).ending("\" x"),
        again("a string with quotes", "a bare scalar that fails at once", "", "\"a\" b "),
    ]
}

fn fences() -> Vec<Attack> {
    vec![
        again("fences opened and closed", "fence lines", "", "```\n"),
        again("fences that are named", "fence lines", "", "```json\n"),
        again("back-ticks without end", "the marks of a fence", "", "`"),
        again("tildes without end", "the marks of a fence", "\n", "~"),
        again("fences of tildes", "fence lines", "", "~~~\n"),
        again("words in back-ticks", "code in prose", "So ", "`x` "),
        again("three back-ticks and a long line", "an info string at its bound", "So ", far("``` ", "x", " ")),
        again("an info string without end", "an info string", "```", "x"),
        again("brackets in an info string", "a root, or a name", "```", " {x"),
        again("fences in the answer", "the end of the answer", "```json\n{\"a\": \"", "\n```\n"),
        again("fences between values", "the end of the answer", "```json\n{\"a\": [1", " ```"),
        again("objects in fences", "documents in fences", "", "```json\n{\"a\":1}\n```\n"),
        again("objects in fences that are not closed", "fences left open", "", "```json\n{\"a\": 1\n"),
        again("tildes between back-ticks", "marks of both kinds", "", "```\n~~~\n"),
    ]
}

fn tags() -> Vec<Attack> {
    vec![
        again("`<think>`", "reasoning in reasoning", "", "<think>"),
        again("`</think>`", "a closing tag alone: all before it was reasoning", "", "</think>"),
        again("small answers before `</think>`", "weak roots that were reasoning", "", "[1] </think>"),
        again("`<think></think>`", "reasoning, ended", "", "<think></think>"),
        again("`<think`", "half a tag", "", "<think "),
        again("`</thin` in reasoning", "half of the tag that ends it", "<think>", "</thin "),
        again("JSON in reasoning without end", "nothing in it is an answer", "<think>", "{\"a\": 1} "),
        again("`<`", "half a tag", "", "<"),
        again("a tag and a long rest", "a tag at its bound", "So ", far("<think ", "x", " <")),
        again("`<|`", "half a control token", "", "<|"),
        again("`<|x`", "half a control token", "", "<|x"),
        again("`<|x|>`", "control tokens", "", "<|x|>"),
        again("control tokens in halves", "half a control token, and half of another", "", "<|im_start<|im_end|"),
        again("`<|im_start|>` and a role", "what belongs to a control token", "", "<|im_start|>assistant"),
        again("channels", "messages that are reasoning", "", "<|channel|>analysis<|message|>x<|end|>"),
        again("full-width bars", "control tokens", "", "<｜tool▁call｜>"),
        again("`[TOOL_CALLS]`", "control tokens in square brackets", "", "[TOOL_CALLS]"),
        again("`[TOOL_CALL`", "half of one, which may be an array", "", "[TOOL_CALL"),
        again("`[THINK]`", "reasoning in square brackets", "", "[THINK]x[/THINK]"),
        again("tags between values", "the end of the answer", "{\"a\": [1", " <x"),
        again("byte order marks", "byte order marks", "", "\u{feff}"),
        again("tags and prose in turn", "stretches outside the JSON", "", "x<|y|>"),
    ]
}
