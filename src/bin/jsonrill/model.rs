//! The model that a command asks: the options that subcommands share.

use std::fs;
#[cfg(feature = "http")]
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
#[cfg(feature = "command")]
use jsonrill::CommandModel;
#[cfg(feature = "http")]
use jsonrill::{ApiKey, HttpModel};
use jsonrill::{LanguageModel, ScriptedModel, ScriptedReply};

/// Options of every subcommand that asks a model. A key is never the value of one: every program on the machine sees
/// those.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArgs {
    /// Ask this model: `openai:NAME` or `anthropic:NAME` (at a server), `command:PROGRAM ARG…` (a program that reads a
    /// prompt and prints an answer), or `script:FILE` (lines of responses as JSON, for tests).
    #[arg(long, value_name = "KIND:MODEL", value_parser = NonEmptyStringValueParser::new())]
    model: Option<String>,

    /// The server's address, behind which `/chat/completions` or `/messages` stands, where it is not the provider's.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "URL", requires = "model")]
    model_url: Option<String>,

    /// The environment variable that has the key. For the provider's own server it is `OPENAI_API_KEY` or
    /// `ANTHROPIC_API_KEY` where none is named; others are sent a key only where one is named.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "VAR", requires = "model", conflicts_with = "model_key_file")]
    model_key_env: Option<String>,

    /// The file that has the key.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "FILE", requires = "model")]
    model_key_file: Option<PathBuf>,

    /// How many tokens a response may have.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u32).range(1..))]
    model_max_tokens: Option<u32>,

    /// How long a whole response may take, in milliseconds. Where nothing is said it is 30000 for a program and in a
    /// repair, and 600000 for a server.
    #[arg(long, value_name = "MS", requires = "model", value_parser = clap::value_parser!(u64).range(1..))]
    model_timeout: Option<u64>,
}

impl ModelArgs {
    /// Whether a model is named.
    pub(crate) fn is_named(&self) -> bool {
        self.model.is_some()
    }

    /// The model. None if none is named. A program does not get the environment variable `hidden`.
    #[cfg_attr(not(feature = "command"), expect(unused_variables, reason = "only a program has an environment"))]
    pub(crate) fn build(&self, hidden: Option<&str>) -> Result<Option<Box<dyn LanguageModel>>> {
        let Some(model) = &self.model else { return Ok(None) };
        let Some((kind, what)) = model.split_once(':').filter(|(_, what)| !what.trim().is_empty()) else {
            bail!("--model {model}: it should be openai:NAME, anthropic:NAME, command:PROGRAM or script:FILE");
        };
        Ok(Some(match kind {
            #[cfg(feature = "http")]
            "openai" => Box::new(self.http(HttpModel::openai(what), "OPENAI_API_KEY")?),
            #[cfg(feature = "http")]
            "anthropic" => Box::new(self.http(HttpModel::anthropic(what), "ANTHROPIC_API_KEY")?),
            #[cfg(not(feature = "http"))]
            "openai" | "anthropic" => bail!("--model {model}: this program was built without the feature http"),
            #[cfg(feature = "command")]
            "command" => {
                let model = self.command(what)?;
                Box::new(match hidden {
                    Some(variable) => model.env_remove(variable),
                    None => model,
                })
            }
            #[cfg(not(feature = "command"))]
            "command" => bail!("--model {model}: this program was built without the feature command"),
            "script" => Box::new(self.script(what)?),
            _ => bail!("--model {model}: there is no kind {kind:?}; it is openai, anthropic, command or script"),
        }))
    }

    /// Whether it is a program on this machine.
    #[cfg(feature = "command")]
    pub(crate) fn is_program(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.starts_with("command:"))
    }

    /// How long a response may take, where that is said.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.model_timeout.map(Duration::from_millis)
    }

    #[cfg(feature = "http")]
    fn http(&self, mut model: HttpModel, variable: &str) -> Result<HttpModel> {
        let key = match (&self.model_key_file, &self.model_key_env, &self.model_url) {
            (Some(file), ..) => Some(ApiKey::from_file(file)?),
            (None, Some(variable), _) => Some(ApiKey::from_env(variable)?),
            (None, None, None) => Some(ApiKey::from_env(variable)?),
            // The provider's key is nobody else's business.
            (None, None, Some(_)) => None,
        };
        if let Some(url) = &self.model_url {
            model = model.base_url(url).context("--model-url")?;
        }
        if let Some(key) = key {
            model = model.key(key);
        }
        if let Some(tokens) = self.model_max_tokens {
            model = model.max_tokens(tokens);
        }
        if let Some(timeout) = self.timeout() {
            model = model.timeout(timeout);
        }
        Ok(model)
    }

    #[cfg(feature = "command")]
    fn command(&self, line: &str) -> Result<CommandModel> {
        self.for_server_only("command")?;
        let model = CommandModel::from_line(line)?;
        Ok(match self.timeout() {
            Some(timeout) => model.timeout(timeout),
            None => model,
        })
    }

    fn script(&self, path: &str) -> Result<ScriptedModel> {
        self.for_server_only("script")?;
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let replies = lines.map(|(number, line)| {
            serde_json::from_str::<ScriptedReply>(line).with_context(|| format!("{path}, line {}", number + 1))
        });
        Ok(ScriptedModel::new(replies.collect::<Result<Vec<_>>>()?))
    }

    /// Refuses what says nothing to a model that is no server.
    #[cfg(feature = "http")]
    fn for_server_only(&self, kind: &str) -> Result<()> {
        let named = [
            ("--model-url", self.model_url.is_some()),
            ("--model-key-env", self.model_key_env.is_some()),
            ("--model-key-file", self.model_key_file.is_some()),
            ("--model-max-tokens", self.model_max_tokens.is_some()),
        ];
        match named.iter().find(|(_, is_named)| *is_named) {
            Some((option, _)) => bail!("{option} is for a model at a server, and not for {kind}:…"),
            None => Ok(()),
        }
    }

    #[cfg(not(feature = "http"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "there are no such options")]
    fn for_server_only(&self, _: &str) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tempfile::NamedTempFile;

    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        model: ModelArgs,
    }

    /// What becomes of these options: whether there is a model, or what is wrong.
    fn build(args: &[&str]) -> Result<bool, String> {
        let program = Program::try_parse_from(std::iter::once(&"program").chain(args));
        let program = program.map_err(|error| error.to_string())?;
        program.model.build(None).map(|model| model.is_some()).map_err(|error| format!("{error:#}"))
    }

    #[track_caller]
    fn refused(args: &[&str], why: &str) {
        let error = build(args).unwrap_err();
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn no_model() {
        assert_eq!(build(&[]), Ok(false));
        refused(&["--model-timeout", "5"], "--model <KIND:MODEL>");
        refused(&["--model", "m", "--model-timeout", "0"], "0 is not in 1..");
    }

    #[test]
    fn names_that_are_none() {
        for name in ["m", "gpt", "openai:", "openai: ", ":x"] {
            refused(&["--model", name], &format!("--model {name}: "));
        }
        refused(&["--model", "oracle:m"], "there is no kind \"oracle\"");
        refused(&["--model", ""], "a value is required");
    }

    #[test]
    fn scripts() {
        let file = NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        let name = format!("script:{path}");
        fs::write(path, "{\"chunks\": [\"[1]\"], \"stop_reason\": \"stop\"}\n\n{\"chunks\": []}\n").unwrap();
        assert_eq!(build(&["--model", &name]), Ok(true));
        fs::write(path, "{\"chunks\": []}\n\n{\"chunk\": []}\n").unwrap();
        refused(&["--model", &name], &format!("{path}, line 3: unknown field `chunk`"));
        refused(&["--model", "script:/no/such/file"], "cannot read /no/such/file: ");
    }

    #[cfg(feature = "command")]
    #[test]
    fn programs() {
        assert_eq!(build(&["--model", "command:llm -m 'my model'", "--model-timeout", "5"]), Ok(true));
        refused(&["--model", "command:llm 'm"], "a quote that is not closed");
    }

    #[cfg(feature = "http")]
    #[test]
    fn servers() {
        let file = NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        for name in ["openai:m", "anthropic:m:latest"] {
            assert_eq!(build(&["--model", name, "--model-key-env", "CARGO_PKG_NAME"]), Ok(true));
            assert_eq!(build(&["--model", name, "--model-url", "http://localhost:1/v1"]), Ok(true));
            let missing =
                ["--model", name, "--model-url", "http://localhost:1", "--model-key-env", "JSONRILL_NO_SUCH_KEY"];
            refused(&missing, "the environment variable JSONRILL_NO_SUCH_KEY is not set");
            fs::write(path, "sk-1\n").unwrap();
            let all = ["--model-key-file", path, "--model-max-tokens", "9", "--model-timeout", "5"];
            assert_eq!(build(&[&["--model", name][..], &all].concat()), Ok(true));
            fs::write(path, "").unwrap();
            refused(&[&["--model", name][..], &all].concat(), &format!("the key in {path} is empty"));
            refused(
                &["--model", name, "--model-url", "http://u:sk-1@localhost"],
                "--model-url: the model's address has",
            );
        }
        let both = ["--model", "openai:m", "--model-key-env", "PATH", "--model-key-file", path];
        refused(&both, "cannot be used with");
        for (variable, name) in [("OPENAI_API_KEY", "openai:m"), ("ANTHROPIC_API_KEY", "anthropic:m")] {
            // Whoever runs this may have one.
            if std::env::var_os(variable).is_none() {
                refused(&["--model", name], &format!("the environment variable {variable} is not set"));
            }
        }
        refused(&["--model", "script:x", "--model-max-tokens", "9"], "--model-max-tokens is for a model at a server");
    }
}
