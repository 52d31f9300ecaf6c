//! Chat completions of OpenAI, and of all who speak its form.
//!
//! They do not all speak the same of it. OpenAI's newer models refuse `max_tokens`, others know nothing else. OpenAI
//! and most others say what a response cost only when `stream_options` asks for it, which Mistral refuses. Which words
//! a server takes is in its own error, once.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

/// Where they are, behind the base of the address.
pub(super) const PATH: &str = "chat/completions";
pub(super) const BASE: &str = "https://api.openai.com/v1";
/// The machine that wants the newer word for the length of a response.
const OPENAI: &str = "api.openai.com";

/// With what words servers say that they do not know one.
const REFUSALS: [&str; 7] =
    ["not supported", "unsupported", "not permitted", "forbidden", "unrecognized", "unknown", "unexpected"];

/// A request.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    pub(super) model: &'a str,
    pub(super) messages: Vec<Turn<'a>>,
    #[serde(flatten)]
    length: Option<Length>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f64>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

/// What one side says.
#[derive(Serialize)]
pub(super) struct Turn<'a> {
    pub(super) role: &'static str,
    pub(super) content: &'a str,
}

/// How many tokens a response may have.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Length {
    MaxTokens(u32),
    MaxCompletionTokens(u32),
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// The words that a server takes, as far as that is known.
#[derive(Debug)]
pub(super) struct Words {
    new_length: Word,
    usage: Word,
}

/// Whether a word is used. It changes at most once, so that two servers behind one address cannot make it swing.
#[derive(Debug)]
struct Word {
    used: AtomicBool,
    is_settled: AtomicBool,
}

impl Word {
    const fn new(used: bool) -> Self {
        Self { used: AtomicBool::new(used), is_settled: AtomicBool::new(false) }
    }

    fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether to say it from now on. True if a request that had said `said` may be heard now.
    fn turn(&self, said: bool) -> bool {
        if !self.is_settled.swap(true, Ordering::Relaxed) {
            self.used.store(!said, Ordering::Relaxed);
        }
        self.is_used() != said
    }
}

/// What a request said.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    new_length: Option<bool>,
    usage: bool,
}

impl Words {
    /// The words for the server at `host`.
    pub(super) fn new(host: &str) -> Self {
        Self { new_length: Word::new(host == OPENAI), usage: Word::new(true) }
    }

    /// A request in them.
    pub(super) fn body<'a>(
        &self,
        model: &'a str,
        messages: Vec<Turn<'a>>,
        max_tokens: Option<u32>,
    ) -> (Body<'a>, Said) {
        let (new_length, usage) = (self.new_length.is_used(), self.usage.is_used());
        let word = if new_length { Length::MaxCompletionTokens } else { Length::MaxTokens };
        let length = max_tokens.map(word);
        let stream_options = usage.then_some(StreamOptions { include_usage: true });
        let said = Said { new_length: length.is_some().then_some(new_length), usage };
        (Body { model, messages, length, temperature: None, stream: true, stream_options }, said)
    }

    /// Learns from the error of a server that refused a request. Whether to ask again, in other words.
    pub(super) fn learn(&self, said: Said, error: &str) -> bool {
        let lower = error.to_ascii_lowercase();
        // A number that is too large is no reason.
        if !REFUSALS.iter().any(|refusal| lower.contains(refusal)) {
            return false;
        }
        if said.usage && error.contains("stream_options") {
            return self.usage.turn(true);
        }
        match said.new_length {
            // It names the word that it does not take, and may name the other.
            Some(said @ false) if error.contains("max_tokens") => self.new_length.turn(said),
            Some(said @ true) if error.contains("max_completion_tokens") => self.new_length.turn(said),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &Words) -> (String, Said) {
        let (body, said) = words.body("m", vec![Turn { role: "user", content: "Hi" }], Some(9));
        (serde_json::to_string(&body).unwrap(), said)
    }

    #[test]
    fn each_server_in_its_words() {
        let (openai, _) = said(&Words::new("api.openai.com"));
        assert!(openai.contains(r#""max_completion_tokens":9"#) && openai.contains(r#"{"include_usage":true}"#));

        let words = Words::new("api.mistral.ai");
        let (text, first) = said(&words);
        assert!(text.contains(r#""max_tokens":9"#) && text.contains("stream_options"), "{text}");
        assert!(words.learn(first, r#"{"type": "extra_forbidden", "loc": ["body", "stream_options"]}"#));
        let (text, second) = said(&words);
        assert_eq!(text, r#"{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_tokens":9,"stream":true}"#);
        assert!(!words.learn(second, "stream_options: not permitted"), "it was not said");
    }

    #[test]
    fn a_word_is_changed_once() {
        let words = Words::new("models.example.org");
        let (_, first) = said(&words);
        assert!(!words.learn(first, "max_tokens is too large: 9"));
        assert!(words.learn(first, "'max_tokens' is not supported. Use 'max_completion_tokens' instead."));
        assert!(words.learn(first, "max_tokens is unsupported"), "another request that was on its way");
        let (text, second) = said(&words);
        assert!(text.contains("max_completion_tokens"));
        assert!(!words.learn(second, "max_completion_tokens: not permitted"));
        assert!(said(&words).0.contains("max_completion_tokens"));
    }
}
