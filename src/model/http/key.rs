//! The key that a server wants.

use std::env;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use reqwest::header::HeaderValue;

use crate::model::{ModelError, ModelErrorKind};

/// How long a key may be, in bytes. None is as long; a file that is no key's may be.
const MAX_KEY: usize = 16 << 10;

/// How much of the start of a key says something, in bytes.
const SHORTEST_START: usize = 4;

/// A key for a model's server. It is shown nowhere: it has no `Display`, its `Debug` leaves it out, and errors that
/// [`HttpModel`](crate::HttpModel) gives do not have it either, also where the server repeats it in its own.
///
/// ```
/// use jsonrill::{ApiKey, ModelErrorKind};
///
/// let key = ApiKey::new("sk-123456")?;
/// assert_eq!(format!("{key:?}"), "ApiKey(…)");
///
/// let error = ApiKey::from_env("NO_SUCH_VARIABLE").unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::Setup);
/// assert_eq!(error.to_string(), "there is no key: the environment variable NO_SUCH_VARIABLE is not set");
/// # Ok::<(), jsonrill::ModelError>(())
/// ```
#[derive(Clone)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key. Blanks around it, such as the end of a line, are not part of it.
    ///
    /// # Errors
    ///
    /// Of the kind [`Setup`](ModelErrorKind::Setup), where the key is empty, or has characters that no header can have.
    pub fn new(key: impl AsRef<str>) -> Result<Self, ModelError> {
        Self::checked(key.as_ref()).map_err(|what| setup(format!("the key {what}")))
    }

    /// The key in this environment variable.
    ///
    /// # Errors
    ///
    /// Of the kind [`Setup`](ModelErrorKind::Setup), where the variable is not set, or is no key.
    pub fn from_env(variable: &str) -> Result<Self, ModelError> {
        match env::var(variable) {
            Ok(key) => Self::checked(&key).map_err(|what| setup(format!("the key in {variable} {what}"))),
            Err(env::VarError::NotPresent) => {
                Err(setup(format!("there is no key: the environment variable {variable} is not set")))
            }
            Err(env::VarError::NotUnicode(_)) => Err(setup(format!("the key in {variable} is no text"))),
        }
    }

    /// The key in this file, which is read once.
    ///
    /// # Errors
    ///
    /// Of the kind [`Setup`](ModelErrorKind::Setup), where the file cannot be read, or is no key.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        let path = path.as_ref();
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_KEY as u64 + 1).read_to_end(&mut bytes));
        if let Err(error) = read {
            let what = format!("the key cannot be read from {}: {error}", path.display());
            return Err(setup(what).with_source(error));
        }
        let key = std::str::from_utf8(&bytes).map_err(|_| "is no text").and_then(Self::checked);
        key.map_err(|what| setup(format!("the key in {} {what}", path.display())))
    }

    fn checked(key: &str) -> Result<Self, &'static str> {
        let key = key.trim();
        if key.is_empty() {
            return Err("is empty");
        }
        if key.len() > MAX_KEY {
            return Err("is too long for one");
        }
        let is_plain = key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        if is_plain { Ok(Self(key.to_owned())) } else { Err("has characters that a header cannot have") }
    }

    /// A header with the key behind `scheme`. Nothing shows its value.
    pub(super) fn header(&self, scheme: &str) -> Result<HeaderValue, ModelError> {
        let value = HeaderValue::try_from(format!("{scheme}{}", self.0));
        let mut value = value.map_err(|_| setup("the key has characters that a header cannot have"))?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// The same text without the key, and without the start of it where the text was cut inside.
    pub(super) fn hide(&self, text: &str) -> String {
        // In JSON it may be spelled in other ways.
        let escaped = self.0.replace('\\', "\\\\").replace('"', "\\\"");
        let slashed = escaped.replace('/', "\\/");
        let mut text = text.to_owned();
        for key in [&self.0, &escaped, &slashed] {
            text = text.replace(key, "…");
            let starts = (SHORTEST_START..key.len()).rev().filter_map(|length| key.get(..length));
            if let Some(start) = starts.into_iter().find(|start| text.ends_with(start)) {
                text.truncate(text.len() - start.len());
                text.push('…');
            }
        }
        text
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey(…)")
    }
}

fn setup(message: impl Into<String>) -> ModelError {
    ModelError::of_kind(ModelErrorKind::Setup, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_key() {
        for (key, error) in [
            ("", "the key is empty"),
            (" \n", "the key is empty"),
            ("sk\nX-Evil: 1", "the key has characters that a header cannot have"),
            ("schlüssel", "the key has characters that a header cannot have"),
            (&"k".repeat(MAX_KEY + 1), "the key is too long for one"),
        ] {
            let found = ApiKey::new(key).unwrap_err();
            assert_eq!((found.to_string().as_str(), found.kind()), (error, ModelErrorKind::Setup));
        }
    }

    #[test]
    fn blanks_around_it_are_left_out() {
        let header = ApiKey::new("sk-1\r\n").unwrap().header("Bearer ").unwrap();
        assert_eq!(header.as_bytes(), b"Bearer sk-1");
        assert_eq!(format!("{header:?}"), "Sensitive");
    }

    #[test]
    fn a_text_that_repeats_it() {
        let key = ApiKey::new("sk-123").unwrap();
        assert_eq!(key.hide("no such key: sk-123 (sk-123)"), "no such key: … (…)");
        assert_eq!(key.hide("no such key: sk-12"), "no such key: …");
        assert_eq!(key.hide("no such key: sk-"), "no such key: sk-");
        let key = ApiKey::new(r#"s/k"1\2="#).unwrap();
        for spelled in [r#"s/k"1\2="#, r#"s/k\"1\\2="#, r#"s\/k\"1\\2="#] {
            assert_eq!(key.hide(&format!("{{\"key\": \"{spelled}\"}}")), "{\"key\": \"…\"}");
        }
        assert_eq!(key.hide(r#"{"key": "s\/k\"1"#), "{\"key\": \"…");
    }
}
