//! Which tags are known: those around reasoning, those around an answer, and control tokens.
//!
//! A tag is compared as [`super::tag`] keeps it: its opener, a `/` if it has one, and its name, in lower case; a
//! control token in angle brackets without its bar at the end, one in square brackets whole.

/// One way to mark reasoning.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Thinking {
    opening: &'static [&'static str],
    closing: &'static [&'static str],
    /// Prompts end with its opening tag, so that the text may begin inside it.
    pub(super) in_prompt: bool,
    /// What the closing tag begins with.
    pub(super) closer: Closer,
}

/// What a closing tag begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closer {
    Angle,
    Square,
    Either,
}

/// Not here: `analysis` and `reflection`, which name what people ask for as well.
static THINKING: [Thinking; 7] = [
    Thinking {
        opening: &["<think", "<thinking", "<seed:think"],
        closing: &["</think", "</thinking", "</seed:think"],
        in_prompt: true,
        closer: Closer::Angle,
    },
    Thinking {
        opening: &["<thought", "<thoughts"],
        closing: &["</thought", "</thoughts"],
        in_prompt: false,
        closer: Closer::Angle,
    },
    Thinking { opening: &["<reasoning"], closing: &["</reasoning"], in_prompt: false, closer: Closer::Angle },
    Thinking { opening: &["<scratchpad"], closing: &["</scratchpad"], in_prompt: false, closer: Closer::Angle },
    Thinking { opening: &["<|start_thinking"], closing: &["<|end_thinking"], in_prompt: true, closer: Closer::Angle },
    Thinking {
        opening: &["<|begin_of_thought"],
        closing: &["<|end_of_thought"],
        in_prompt: true,
        closer: Closer::Angle,
    },
    Thinking { opening: &["[THINK]"], closing: &["[/THINK]"], in_prompt: true, closer: Closer::Square },
];

/// Reasoning that the text begins with, in whatever way it is marked.
pub(super) static EXPECTED: Thinking = Thinking {
    opening: &["<think", "<thinking", "<seed:think", "<|start_thinking", "<|begin_of_thought", "[THINK]"],
    closing: &["</think", "</thinking", "</seed:think", "<|end_thinking", "<|end_of_thought", "[/THINK]"],
    in_prompt: true,
    closer: Closer::Either,
};

/// The message behind `<|channel|>analysis<|message|>`: up to the next message.
pub(super) static CHANNEL: Thinking = Thinking {
    opening: &[],
    closing: &["<|end", "<|return", "<|call", "<|start", "<|channel"],
    in_prompt: false,
    closer: Closer::Angle,
};

impl Thinking {
    pub(super) fn opens(&self, tag: &[u8]) -> bool {
        self.opening.iter().any(|name| name.as_bytes() == tag)
    }

    pub(super) fn closes(&self, tag: &[u8]) -> bool {
        self.closing.iter().any(|name| name.as_bytes() == tag)
    }

    /// The kind of reasoning that this tag begins.
    pub(super) fn opened_by(tag: &[u8]) -> Option<&'static Self> {
        THINKING.iter().find(|thinking| thinking.opens(tag))
    }

    /// The kind of reasoning that this tag ends.
    pub(super) fn closed_by(tag: &[u8]) -> Option<&'static Self> {
        THINKING.iter().find(|thinking| thinking.closes(tag))
    }
}

/// Reasoning, with its tags, that a text begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::parser) enum Thought {
    No,
    /// It may begin with the opening tag.
    MayBe,
    /// It has not ended.
    Open,
    /// Where the opening tag ends, the closing one begins, and that ends.
    Until(usize, usize, usize),
}

/// The reasoning that a text begins with.
pub(in crate::parser) fn thought(text: &[u8]) -> Thought {
    let mut found = Thought::No;
    for thinking in &THINKING {
        for name in thinking.opening {
            match tag_end(text, name) {
                Tag::Until(opened) => return thinking.thought(text, opened),
                Tag::MayBe => found = Thought::MayBe,
                Tag::No => {}
            }
        }
    }
    found
}

/// Whether a tag that ends reasoning is in a text, or may be one at its end.
pub(in crate::parser) fn ends_thought(text: &[u8]) -> bool {
    memchr::memchr2_iter(b'<', b'[', text).filter_map(|mark| text.get(mark..)).any(|rest| {
        let mut names = THINKING.iter().flat_map(|thinking| thinking.closing);
        names.any(|name| !matches!(tag_end(rest, name), Tag::No))
    })
}

enum Tag {
    No,
    MayBe,
    Until(usize),
}

/// Where a tag of this name ends that stands at the start of a text.
fn tag_end(text: &[u8], name: &str) -> Tag {
    let head = text.get(..name.len()).unwrap_or(text);
    if !head.eq_ignore_ascii_case(name.as_bytes().get(..head.len()).unwrap_or_default()) {
        return Tag::No;
    }
    let Some(behind) = text.get(name.len()..) else { return Tag::MayBe };
    match behind {
        _ if name.ends_with(']') => Tag::Until(name.len()),
        [b'>', ..] => Tag::Until(name.len() + 1),
        [b'|', b'>', ..] => Tag::Until(name.len() + 2),
        [] | [b'|'] => Tag::MayBe,
        _ => Tag::No,
    }
}

impl Thinking {
    /// The reasoning behind an opening tag.
    fn thought(&self, text: &[u8], opened: usize) -> Thought {
        let mut at = opened;
        while let Some(mark) = memchr::memchr2(b'<', b'[', text.get(at..).unwrap_or_default()) {
            let rest = text.get(at + mark..).unwrap_or_default();
            for name in self.closing {
                if let Tag::Until(end) = tag_end(rest, name) {
                    return Thought::Until(opened, at + mark, at + mark + end);
                }
            }
            at += mark + 1;
        }
        Thought::Open
    }
}

/// Names of tags that are known as a whole.
const NAMES: [&str; 11] =
    ["s", "bos", "eos", "pad", "unk", "eot", "eom", "endoftext", "parameter", "parameters", "final"];

/// Names of which one part is enough: `tool_call`, `antml:function_calls`, `final-answer`, `end_of_turn`.
const WORDS: [&str; 16] = [
    "answer",
    "answers",
    "args",
    "arguments",
    "function",
    "functions",
    "invoke",
    "json",
    "output",
    "response",
    "responses",
    "result",
    "results",
    "tool",
    "tools",
    "turn",
];

/// Whether a tag of this name, with its opener, stands around answers. Any other name is HTML, or a placeholder, or
/// whatever else people want to see.
pub(super) fn is_wrapper(tag: &[u8]) -> bool {
    let name = tag.strip_prefix(b"<").unwrap_or(tag);
    let name = name.strip_prefix(b"/").unwrap_or(name);
    let is_in = |names: &[&str], word: &[u8]| names.iter().any(|known| known.as_bytes() == word);
    is_in(&NAMES, name) || name.split(|byte| matches!(byte, b'_' | b'-' | b':' | b'.')).any(|word| is_in(&WORDS, word))
}

/// The control tokens in square brackets. They are a list, since a rule would take placeholders like `[NAME]` with it.
const SQUARE: [&str; 24] = [
    "[INST]",
    "[/INST]",
    "[TOOL_CALLS]",
    "[/TOOL_CALLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CONTENT]",
    "[TOOL_REQUEST]",
    "[END_TOOL_REQUEST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[MODEL_SETTINGS]",
    "[/MODEL_SETTINGS]",
    "[ARGS]",
    "[CALL_ID]",
    "[THINK]",
    "[/THINK]",
    "[BEGIN_OF_TEXT]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[DONE]",
];

/// What letters in square brackets are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Square {
    Token,
    Unfinished,
    Other,
}

pub(super) fn square(letters: &[u8]) -> Square {
    let mut starting = SQUARE.iter().filter(|token| token.as_bytes().starts_with(letters));
    match starting.next() {
        Some(token) if token.len() == letters.len() => Square::Token,
        Some(_) => Square::Unfinished,
        None => Square::Other,
    }
}

/// What stands behind a control token and belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// One word: the role of who speaks.
    Word,
    /// All up to the next token: role, channel, receiver, format.
    Line,
}

/// What stands behind this control token.
pub(super) fn head(tag: &[u8]) -> Option<Head> {
    match tag {
        b"<|im_start" | b"<|start_header_id" | b"<|header_start" => Some(Head::Word),
        b"<|start" | b"<|channel" | b"<|constrain" => Some(Head::Line),
        _ => None,
    }
}
