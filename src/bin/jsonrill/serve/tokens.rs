//! Who may use the service: bearer tokens.

use std::collections::HashSet;
use std::env;
use std::fmt;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Where the tokens are.
#[derive(Debug, Args)]
pub(crate) struct TokenArgs {
    /// A file with the tokens that may use the service: one a line, as `TOKEN` or `NAME:TOKEN`. Empty lines and those
    /// that begin with `#` are none. The name is what the log calls it.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// An environment variable that holds such lines.
    #[arg(long, value_name = "NAME")]
    token_env: Option<String>,
}

impl TokenArgs {
    /// The environment variable that holds tokens.
    pub(crate) fn variable(&self) -> Option<&str> {
        self.token_env.as_deref()
    }

    /// Reads them. An error never shows what is in the file.
    pub(crate) fn read(&self) -> Result<Tokens> {
        let mut tokens = Tokens::default();
        if let Some(file) = &self.token_file {
            let name = file.display();
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
            tokens.add(&text).with_context(|| format!("cannot use {name}"))?;
        }
        if let Some(name) = &self.token_env {
            let Ok(text) = env::var(name) else { bail!("the environment has no {name}") };
            tokens.add(&text).with_context(|| format!("cannot use {name}"))?;
        }
        Ok(tokens)
    }
}

/// Tokens, as their hashes: whoever reads the memory of the service, or a message of it, does not have them.
#[derive(Default)]
pub(crate) struct Tokens(Vec<Token>);

struct Token {
    name: String,
    hash: [u8; 32],
}

impl fmt::Debug for Tokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.0.iter().map(|token| &token.name)).finish()
    }
}

impl Tokens {
    fn add(&mut self, text: &str) -> Result<()> {
        let before = self.0.len();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, token) = match line.split_once(':') {
                Some((name, token)) => (name.trim().to_owned(), token.trim()),
                None => (format!("token-{}", self.0.len() + 1), line),
            };
            ensure!(is_name(&name), "line {}: a name is of letters, digits, `-`, `_` and `.`", number + 1);
            ensure!(
                is_token(token),
                "line {}: a token is of letters, digits and `-._~+/`, and may end in `=`",
                number + 1
            );
            self.0.push(Token { name, hash: Sha256::digest(token).into() });
        }
        ensure!(self.0.len() > before, "it has no token");
        let names: HashSet<&str> = self.0.iter().map(|token| token.name.as_str()).collect();
        ensure!(names.len() == self.0.len(), "a name is there twice");
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn name(&self, index: usize) -> Option<&str> {
        self.0.get(index).map(|token| token.name.as_str())
    }

    /// Which token this is. It takes as long whether it is one or not, and whichever it is: hashes are compared, and
    /// all of them.
    pub(crate) fn find(&self, token: &[u8]) -> Option<usize> {
        let hash: [u8; 32] = Sha256::digest(token).into();
        let mut found = u64::MAX;
        for (index, token) in (0..).zip(&self.0) {
            let is_it: Choice = token.hash.ct_eq(&hash);
            found = u64::conditional_select(&found, &index, is_it);
        }
        usize::try_from(found).ok().filter(|index| *index < self.0.len())
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// What RFC 6750 lets a bearer token be.
fn is_token(token: &str) -> bool {
    let body = token.trim_end_matches('=');
    !body.is_empty() && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Tokens> {
        let mut tokens = Tokens::default();
        tokens.add(text)?;
        Ok(tokens)
    }

    #[test]
    fn tokens_are_lines_with_or_without_a_name() {
        let known = tokens("# who may\n\nada:abc-DEF_1.2~+/==\r\n  s3cret  \nbob : x\n").unwrap();
        let name = |token: &str| known.find(token.as_bytes()).and_then(|index| known.name(index));
        assert_eq!(name("abc-DEF_1.2~+/=="), Some("ada"));
        assert_eq!(name("s3cret"), Some("token-2"));
        assert_eq!(name("x"), Some("bob"));
        for other in ["", "ada", "ada:abc-DEF_1.2~+/==", "abc", "S3cret", "s3cret ", "# who may"] {
            assert_eq!(name(other), None, "{other}");
        }
        assert_eq!(format!("{known:?}"), r#"["ada", "token-2", "bob"]"#);
    }

    #[test]
    fn what_is_no_token_is_named_by_its_line_alone() {
        for (text, why) in [
            ("", "it has no token"),
            ("# none\n", "it has no token"),
            ("good\nvery secret", "line 2: a token is of"),
            ("a b:secret", "line 1: a name is of"),
            ("ada:", "line 1: a token is of"),
            (":secret", "line 1: a name is of"),
            ("a:secret\na:other", "a name is there twice"),
        ] {
            let error = tokens(text).unwrap_err().to_string();
            assert!(error.starts_with(why) && !error.contains("secret"), "{text}: {error}");
        }
    }
}
