//! Texts with something around the JSON, and how they read.

use jsonrill::Outcome;

/// One text with what is read of it.
pub struct Case {
    pub text: &'static str,
    /// The answer as JSON, or nothing.
    pub value: &'static str,
    /// What is around it, in order, `|` for the answer; empty when it does not matter.
    pub around: &'static str,
    pub outcome: Outcome,
}

const fn case(text: &'static str, value: &'static str, around: &'static str) -> Case {
    let outcome = if value.is_empty() { Outcome::Empty } else { Outcome::Repaired };
    Case { text, value, around, outcome }
}

/// Valid JSON, in which the same things are content.
const fn valid(text: &'static str) -> Case {
    Case { text, value: text, around: "|", outcome: Outcome::Complete }
}

pub const PROSE: &[Case] = &[
    case(r#"The card: {"title": "Tea"} - enjoy!"#, r#"{"title":"Tea"}"#, "prose | prose"),
    case(r#"{"title": "Tea"}."#, r#"{"title":"Tea"}"#, "| prose"),
    case("Sure.\n\n  {\"a\": 1}\n", r#"{"a":1}"#, "prose |"),
    case("{\"n\": 1}\n\nNow I look for it.", r#"{"n":1}"#, "| prose"),
    case(r#"After the talk {on hiking}: {"topics": ["boots"]}"#, r#"{"topics":["boots"]}"#, "prose |"),
    case("{\"ok\": true}\n\nPut {name} where {place} is.", r#"{"ok":true}"#, "| prose"),
    case(r#"Colours: ["red", "blue"]. That is it."#, r#"["red","blue"]"#, "prose | prose"),
    case("Read [the guide](https://g.example/x) and\n[[3,4],[5,6]]\nfrom [the guide]", "[[3,4],[5,6]]", ""),
    case(r#"Here is `the` thing: {"a": 1}"#, r#"{"a":1}"#, "prose |"),
    case("{\"a\": [\"b\"]}\n\nNote: `a` is a `list[str]` of {1, 2}.", r#"{"a":["b"]}"#, ""),
    case("It weighs 42 kg, and that is \"final\".", "", "prose"),
    case("No JSON here; it's null and void, true.", "", "prose"),
    case("a } b ] c : d , e", "", "prose"),
    case("6 }", "", "prose"),
    case("日本語の答え：{\"a\": \"天気\"}。", r#"{"a":"天気"}"#, "prose | prose"),
    case("1. first\n2. second\n{\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("He said \"wait\" {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    valid(r#"{"md":"use `pip`","code":"```py\nx\n```","h":"&lt;p&gt; &amp;"}"#),
    valid(r#"{"s":"<think>no</think> [1,2] {\"a\":1}"}"#),
    valid("  \n{\"a\": 1}\n\n"),
];

pub const FENCES: &[Case] = &[
    case("the result:\n```json\n{\n \"n\": \"J\",\n \"a\": 10\n}\n```\n", r#"{"n":"J","a":10}"#, "prose fence | fence"),
    case("```\n{\"a\": {\"b\": \"c\"}}\n```", r#"{"a":{"b":"c"}}"#, "fence | fence"),
    case("```JSON\n{\"a\": 1}\n```", r#"{"a":1}"#, "fence | fence"),
    case("```jsonc title=\"x.json\"\n{\"a\": 1}\n```", r#"{"a":1}"#, "fence | fence"),
    case("~~~json\n{\"a\": 1}\n~~~", r#"{"a":1}"#, "fence | fence"),
    case("`````json\n{\"a\": 1}\n`````", r#"{"a":1}"#, "fence | fence"),
    case("```json\r\n{\"a\": 1}\r\n```\r\n", r#"{"a":1}"#, "fence | fence"),
    case("```json\n{\"a\": 1}\n```          ", r#"{"a":1}"#, "fence | fence"),
    case("```json\n{\"a\": 1}", r#"{"a":1}"#, "fence |"),
    case("{\"a\": 1}\n```", r#"{"a":1}"#, "| fence"),
    case("```json\n[1]\n```", "[1]", "fence | fence"),
    case("```json\n{}\n```", "{}", "fence | fence"),
    case("```json\n{\"a\": 1}\n```\nDone.", r#"{"a":1}"#, "fence | fence prose"),
    case("```json\n{\"md\": \"```js\\nx\\n```\"}\n```", r#"{"md":"```js\nx\n```"}"#, "fence | fence"),
    case("```\nstep 1: look\nstep 2: {think}\n```\n```json\n{\"f\": [\"a\"]}\n```", r#"{"f":["a"]}"#, ""),
    case("```py\nprint(1)\n```\n{\"a\": 1}", r#"{"a":1}"#, "fence prose fence |"),
    // Brackets in the info string are no candidates unless JSON goes on behind them.
    case("```json title=\"{x}\" [main.js] {1,3-5}\n{\"a\": 1}\n```", r#"{"a":1}"#, "fence | fence"),
    case("```{.json}\n{\"a\": 1}\n```", r#"{"a":1}"#, "fence | fence"),
    case("```json title=\"{\"\n{}\n```", "{}", "fence | fence"),
    case("```json {\"a\": 1}```", r#"{"a":1}"#, "fence | fence"),
    case("```json {\n  \"a\": 1}\n```", r#"{"a":1}"#, "fence | fence"),
    case("```json [ {\"a\": 1}]```", r#"[{"a":1}]"#, "fence | fence"),
    case("```js {\nx\n```\n{\"a\": 1}", r#"{"a":1}"#, "fence prose fence |"),
    // Within a line.
    case("Here: ```json\n{\"a\": 1}\n```", r#"{"a":1}"#, "prose fence | fence"),
    case("Use ```x``` and ```y = {z}```, then\n{\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("```x``` it is: {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("It is ~~~ 3 and ``two`` {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("{\"a\": 1}``` Done.", r#"{"a":1}"#, "| fence prose"),
    case("{\"a\": 1}```", r#"{"a":1}"#, "| fence"),
    case("~~~ a `b` ``` c\n{\"a\": 1}\n~~~", r#"{"a":1}"#, "fence | fence"),
    // In each other, and left open.
    case("````md\n```json\n{\"a\": 1}\n```\n````\nBye", r#"{"a":1}"#, "fence | fence prose"),
    case("~~~\n```json\n[]\n```\n~~~", "[]", "fence | fence"),
    case("```\nlook at this\n```json\n{\"a\": 1}\n```", r#"{"a":1}"#, "fence prose fence | fence"),
    case("```json\n```json\n{}\n```", "{}", "fence | fence"),
    case("{\"a\": 1}\n```json\n{\"b\": 2}\n```", r#"{"a":1}"#, "| fence document fence"),
    case("```json\n\n```\n", "", "fence"),
    case("```json", "", "fence"),
];

pub const REASONING: &[Case] = &[
    case("<think>Let me see.</think>{\"a\": 1}", r#"{"a":1}"#, "tag reasoning tag |"),
    case("<think>\nmaybe {\"a\": 0}?\n</think>\n\n{\"a\": 1}", r#"{"a":1}"#, "tag reasoning tag |"),
    case("<thinking>[1, 2]</thinking>[3, 4]", "[3,4]", "tag reasoning tag |"),
    case("Hm. <think>what</think> So: {\"a\": 1}", r#"{"a":1}"#, "prose tag reasoning tag prose |"),
    case("<think>x</think>{}", "{}", "tag reasoning tag |"),
    case("<think>a</think><think>{b}</think>{\"a\": 1}", r#"{"a":1}"#, "tag reasoning tag reasoning tag |"),
    case("I should greet.</think>{\"a\": 1}", r#"{"a":1}"#, ""),
    case("<think>it goes on and on {\"a\": 1}", "", "tag reasoning"),
    case("<think>{\"a\": 1}</think>", "", "tag reasoning tag"),
    case("<Thinking budget=\"high\">{\"a\": 0}</THINKING >{\"a\": 1}", r#"{"a":1}"#, "tag reasoning tag |"),
    case("<reasoning>{\"a\": 0} </think> </reasoning>{}", "{}", "tag reasoning tag |"),
    case("<thought>a</thought><scratchpad>[1,2]</scratchpad>{}", "{}", "tag reasoning tag reasoning tag |"),
    case("[THINK]{\"a\": 0} <b> [x][/THINK]{}", "{}", "tag reasoning tag |"),
    case("<|START_THINKING|>{\"a\": 0}<|END_THINKING|>{}", "{}", "tag reasoning tag |"),
    // The first closing tag ends it: models talk about the tag more than they nest it.
    case("<think>I close <think> with it.</think>{\"a\": 1}", r#"{"a":1}"#, "tag reasoning tag |"),
    case("<think>a<think>[1]</think>[2]</think>{}", "{}", ""),
    // What was before it was reasoning, and no answer.
    case("[1] or {}?</think>\n[]", "[]", ""),
    case("so {} </thinking>", "", ""),
    case("[1] <think>hm</think>", "[1]", "| tag reasoning tag"),
    case("Note [1]: <think>hm</think>", "[1]", "prose | prose tag reasoning tag"),
    // What never becomes a tag is prose.
    case("a <think {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("<thinker> <thin </thinks> < think> {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("the `<think>` tag: {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("x <think", "", "prose"),
    // A message on a channel for it.
    case(
        "<|channel|>analysis<|message|>say {\"a\": 0}<|end|><|start|>assistant<|channel|>final<|message|>{\"a\": 1}",
        r#"{"a":1}"#,
        "tag reasoning tag |",
    ),
    case(
        "<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>",
        "{}",
        "tag | tag",
    ),
];

pub const MARKS: &[Case] = &[
    case("\u{feff}{\"a\": 1}", r#"{"a":1}"#, "bom |"),
    case("\u{feff}```json\n{\"a\": 1}\n```", r#"{"a":1}"#, "bom fence | fence"),
    case("\u{feff}[1]", "[1]", "bom |"),
    case(" \n\u{feff}{}", "{}", "bom |"),
    case("\u{feff}42", "42", "bom |"),
    case("Hi\n\u{feff}{\"a\": 1}", r#"{"a":1}"#, "prose bom |"),
    case("H\u{feff}i {\"a\": 1}", r#"{"a":1}"#, "prose |"),
];

pub const TAGS: &[Case] = &[
    case("<|im_start|>{\"a\": 1}<|im_end|>", r#"{"a":1}"#, "tag | tag"),
    case("<|im_start|>assistant\n{}<|im_end|>\n<|endoftext|>", "{}", "tag | tag"),
    case("<|start_header_id|>assistant<|end_header_id|>\n\n[]<|eot_id|>", "[]", "tag | tag"),
    case("<｜tool▁calls▁begin｜>{}<｜tool▁calls▁end｜>", "{}", "tag | tag"),
    case("<|tool_call>{}<tool_call|>", "{}", "tag | tag"),
    case("<s>[INST] {} [/INST]</s>", "{}", "tag | tag"),
    case("<bos><start_of_turn>{}<end_of_turn><eos>", "{}", "tag | tag"),
    case("[TOOL_CALLS][{\"name\": \"get\"}]", r#"[{"name":"get"}]"#, "tag |"),
    case("[TOOL_CALLS]get[ARGS]{\"a\": 1}", r#"{"a":1}"#, "tag prose tag |"),
    case("[TOOL_REQUEST]\n{}\n[END_TOOL_REQUEST]", "{}", "tag | tag"),
    case("<answer>{\"a\": 1}</answer>", r#"{"a":1}"#, "tag | tag"),
    case("Done.<answer>\n{\"a\": 1}\n</answer> Bye", r#"{"a":1}"#, "prose tag | tag prose"),
    case("<tool_call>{}</tool_call>", "{}", "tag | tag"),
    case("<tool_call>\n```json\n[]\n```\n</tool_call>", "[]", "tag fence | fence tag"),
    case("<function=get_it>{}</function>", "{}", "tag | tag"),
    case("<invoke name=\"get it\">{}</invoke>", "{}", "tag | tag"),
    case("<function_calls>{}</function_calls>", "{}", "tag | tag"),
    case("<JSON>{}</JSON><output/><response><final-answer><json_output>", "{}", "tag | tag"),
    case("42</answer> {\"a\": 1}", r#"{"a":1}"#, "prose tag |"),
    // HTML, placeholders, comparisons and types are text people want to see.
    case("<b>Hi</b> <name> a < b, a<b> <http://x.example> {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("Vec<Result> f <| g |> h <|> <||> <> </> {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("`<answer>` and [NAME] [TODO] [THING] {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("<answer {\"a\": 1}> <tool\nx> <json <b>", r#"{"a":1}"#, "prose | prose"),
    case("<｜x <\u{ff5b} <ｘ> {\"a\": 1}", r#"{"a":1}"#, "prose |"),
    case("{\"a\": 1} <|im_en", r#"{"a":1}"#, "| prose"),
    case("<answer>", "", "tag"),
    case("[TOOL_CALLS", "", "prose"),
    case("[```json\n[\n {\"id\": \"1\"}\n]\n```]", r#"[{"id":"1"}]"#, "prose fence | fence closer"),
    case("{\"a\": 1}}", r#"{"a":1}"#, "| closer"),
    case("{\"a\": [1]\n}\n]}\n```\n} Bye }", r#"{"a":[1]}"#, "| closer fence closer prose"),
    case("callback({\"a\": 1});", r#"{"a":1}"#, "prose | prose"),
];

pub const CANDIDATES: &[Case] = &[
    // The first strong one wins, for ever.
    case("{\"v\": 1}\n\nI was wrong:\n\n{\"v\": 2}", r#"{"v":1}"#, "| prose document"),
    case("[{\"t\": \"A\"}] and [{\"t\": \"B\"}]", r#"[{"t":"A"}]"#, "| prose document"),
    case("{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n", r#"{"a":1}"#, "| document"),
    // A weak one gives way to a strong one.
    case("As in [1], the answer is {\"a\": 1}", r#"{"a":1}"#, ""),
    case("With {} it is {\"a\": 1}", r#"{"a":1}"#, ""),
    case("Use [x] or {y} in [1, 2, 3]", "[1,2,3]", ""),
    // It is used when nothing stronger came.
    case("See [1].", "[1]", "prose | prose"),
    case("It is {} then", "{}", "prose | prose"),
    case("Either [1] or [2]", "[1]", ""),
    case("Take [1] [2", "[1]", "prose | prose"),
    // Where nothing came before, the empty ones are strong.
    case("{} is what {\"a\": 1} is not", "{}", ""),
    case("[] is what [1, 2] is not", "[]", ""),
    // Brackets around words are no JSON.
    case("See [docs](http://d.example) and [x].", "", ""),
    case("In {some place} at {time}", "", ""),
    valid("[1]"),
    valid("[[1]]"),
    valid("{}"),
    valid("42"),
    valid("\"[1, 2]\""),
    valid("\"say {\\\"a\\\": 1}\""),
    valid("null"),
];
