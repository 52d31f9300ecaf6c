//! Whose form a stream has.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use super::loose::{Raw, Text};

/// A form in which a model's response is streamed. Many providers share OpenAI's.
///
/// Amazon Bedrock's binary event stream is none of them: its frames are for the crates of the AWS SDK to unpack.
///
/// ```
/// use jsonrill::Provider;
///
/// assert_eq!(Provider::detect(r#"{"candidates": []}"#), Some(Provider::Gemini));
/// assert_eq!("anthropic".parse(), Ok(Provider::Anthropic));
/// assert!("aol".parse::<Provider>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// Chat completions of OpenAI, and of Mistral, vLLM, DeepSeek, OpenRouter, and all others who speak that form.
    OpenAiChat,
    /// Responses of OpenAI.
    OpenAiResponses,
    /// Messages of Anthropic.
    Anthropic,
    /// Generated content of Gemini, over server-sent events or as an array.
    Gemini,
    /// Chats and completions of Ollama.
    Ollama,
}

/// Who speaks whose form.
const NAMES: [(&str, Provider); 30] = [
    ("openai", Provider::OpenAiChat),
    ("openai-chat", Provider::OpenAiChat),
    ("openai-responses", Provider::OpenAiResponses),
    ("anthropic", Provider::Anthropic),
    ("gemini", Provider::Gemini),
    ("ollama", Provider::Ollama),
    ("azure", Provider::OpenAiChat),
    ("azure-openai", Provider::OpenAiChat),
    ("cerebras", Provider::OpenAiChat),
    ("deepseek", Provider::OpenAiChat),
    ("fireworks", Provider::OpenAiChat),
    ("google", Provider::Gemini),
    ("groq", Provider::OpenAiChat),
    ("litellm", Provider::OpenAiChat),
    ("llama-cpp", Provider::OpenAiChat),
    ("llamacpp", Provider::OpenAiChat),
    ("lm-studio", Provider::OpenAiChat),
    ("lmstudio", Provider::OpenAiChat),
    ("mistral", Provider::OpenAiChat),
    ("moonshot", Provider::OpenAiChat),
    ("nvidia", Provider::OpenAiChat),
    ("openrouter", Provider::OpenAiChat),
    ("perplexity", Provider::OpenAiChat),
    ("qwen", Provider::OpenAiChat),
    ("responses", Provider::OpenAiResponses),
    ("sglang", Provider::OpenAiChat),
    ("together", Provider::OpenAiChat),
    ("vertex", Provider::Gemini),
    ("vllm", Provider::OpenAiChat),
    ("xai", Provider::OpenAiChat),
];

#[derive(Deserialize, Default)]
#[serde(default)]
struct Marks<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    object: Text<'a>,
    #[serde(borrow)]
    choices: Raw<'a>,
    #[serde(borrow)]
    candidates: Raw<'a>,
    #[serde(borrow, rename = "usageMetadata")]
    usage_metadata: Raw<'a>,
    #[serde(borrow, rename = "promptFeedback")]
    prompt_feedback: Raw<'a>,
    #[serde(borrow)]
    done: Raw<'a>,
}

impl Provider {
    /// Whose form a payload has. `None` where it does not say, as a bare error does not.
    ///
    /// ```
    /// use jsonrill::Provider;
    ///
    /// let payload = r#"{"type":"message_start","message":{"role":"assistant"}}"#;
    /// assert_eq!(Provider::detect(payload), Some(Provider::Anthropic));
    /// assert_eq!(Provider::detect(r#"{"error":{"message":"overloaded"}}"#), None);
    /// ```
    #[must_use]
    pub fn detect(payload: &str) -> Option<Self> {
        Self::detect_named(payload, "")
    }

    /// The same of a payload whose type may be the name of its event instead.
    pub(super) fn detect_named(payload: &str, name: &str) -> Option<Self> {
        let marks: Marks = serde_json::from_str(payload).ok()?;
        let kind = if marks.kind.is_empty() { name } else { &marks.kind };
        if kind.starts_with("response.") || &*marks.object == "response" {
            return Some(Self::OpenAiResponses);
        }
        if kind.starts_with("message") || kind.starts_with("content_block") {
            return Some(Self::Anthropic);
        }
        let is_there = |mark: Raw<'_>| mark.json().is_some();
        if is_there(marks.choices) || marks.object.starts_with("chat.completion") {
            Some(Self::OpenAiChat)
        } else if [marks.candidates, marks.usage_metadata, marks.prompt_feedback].into_iter().any(is_there) {
            Some(Self::Gemini)
        } else {
            is_there(marks.done).then_some(Self::Ollama)
        }
    }

    /// Its name: that by which [`Provider::from_str`] knows it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// All names that are known, of forms and of those who speak them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }
}

crate::names::named!(Provider);

impl FromStr for Provider {
    type Err = UnknownProvider;

    /// The form that a provider of this name speaks: `openai`, `openai-responses`, `anthropic`, `gemini`, `ollama`, or
    /// one who speaks one of these, such as `mistral`, `vllm` or `openrouter`.
    ///
    /// ```
    /// use jsonrill::Provider;
    ///
    /// assert_eq!("vLLM".parse(), Ok(Provider::OpenAiChat));
    /// assert!("carrier pigeon".parse::<Provider>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, provider)| *provider).ok_or_else(|| UnknownProvider(name.to_owned()))
    }
}

/// No provider of this name is known.
///
/// ```
/// use jsonrill::Provider;
///
/// let error = "aol".parse::<Provider>().unwrap_err();
/// assert!(error.to_string().contains("aol"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownProvider(String);

impl fmt::Display for UnknownProvider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "no provider `{}` is known, but", self.0)?;
        for (at, name) in Provider::names().enumerate() {
            write!(formatter, "{} {name}", if at == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownProvider {}
