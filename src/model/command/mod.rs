//! Models that are a program on this machine.
//!
//! | file | what |
//! |---|---|
//! | `pipes` | a program's three streams, all served at once |
//! | `tail` | the last part of what it complains about |
//! | `run` | the driver: starts, reads, waits, ends |

mod pipes;
mod run;
mod tail;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::{LanguageModel, ModelError, ModelErrorKind, ModelRequest, ModelStream};
use run::Run;

/// A program on this machine that reads a prompt on standard input and prints an answer: a provider's command-line
/// client, a model runner, a script.
///
/// It is started for each request, without a shell in between. It has the environment of this process, with the keys
/// that are in there, unless [that is cleared](Self::env_clear). What it prints is given as it comes, as UTF-8. It does
/// not say why it ends, so there is no stop reason, and no usage.
///
/// ```
/// use futures::StreamExt;
/// use jsonrill::{CommandModel, LanguageModel, ModelEvent, ModelRequest, Purpose};
///
/// # #[cfg(unix)]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), jsonrill::ModelError> {
/// let model = CommandModel::new("sed").arg("s/^/> /");
/// let mut answer = model.respond(ModelRequest::new(Purpose::Answer, "Hello."));
/// assert_eq!(answer.next().await.transpose()?, Some(ModelEvent::Text("> Hello.".to_owned())));
/// assert!(answer.next().await.is_none());
/// # Ok(())
/// # }
/// # #[cfg(not(unix))]
/// # fn main() {}
/// ```
///
/// # Errors
///
/// A program that cannot be started is one of the kind [`Setup`](ModelErrorKind::Setup); one that ends with another
/// status than 0 is one of the kind [`Unavailable`](ModelErrorKind::Unavailable), which has the last part of what it
/// printed on standard error; one that takes too long is one of the kind [`Timeout`](ModelErrorKind::Timeout). What it
/// had printed before was given. That it does not read its prompt is none.
///
/// # How it ends
///
/// A program that takes too long, that prints too much, or whose stream is dropped, is killed with all that it has
/// started: on Unix its process group, on Windows its job. So is what it leaves behind when it ends by itself. Being in
/// a group of its own, it does not hear a terminal's Ctrl-C: a process that has one itself drops the stream first.
///
/// # Runtime
///
/// The stream has to be polled in a Tokio runtime with input, output and time enabled; outside of any it gives an
/// error.
///
/// # Memory
///
/// One read of its output, and some kilobytes of what it prints on standard error, however much that is.
#[derive(Clone)]
pub struct CommandModel {
    program: OsString,
    args: Vec<OsString>,
    dir: Option<PathBuf>,
    /// Variables, and what they are set to; `None` for those that it does not get.
    env: Vec<(OsString, Option<OsString>)>,
    is_env_cleared: bool,
    timeout: Duration,
    max_response_bytes: u64,
}

impl CommandModel {
    /// The program with this name or path.
    #[must_use]
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            dir: None,
            env: Vec::new(),
            is_env_cleared: false,
            timeout: Duration::from_secs(30),
            max_response_bytes: 16 << 20,
        }
    }

    /// The program and the arguments in a line, which is split as a shell would split it: at blanks, but for those in
    /// quotes or behind a backslash. Nothing in it is expanded.
    ///
    /// ```
    /// use jsonrill::CommandModel;
    ///
    /// let model = CommandModel::from_line("llm -m 'my model' --no-log")?;
    /// assert_eq!(format!("{model:?}"), r#"CommandModel { command: ["llm", "-m", "my model", "--no-log"], timeout: 30s, .. }"#);
    /// # Ok::<(), jsonrill::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Of the kind [`Setup`](ModelErrorKind::Setup), where the line is empty, or a quote in it is not closed.
    pub fn from_line(line: &str) -> Result<Self, ModelError> {
        let setup = |what: &str| ModelError::of_kind(ModelErrorKind::Setup, what);
        let words = shlex::split(line).ok_or_else(|| setup("the command has a quote that is not closed"))?;
        let mut words = words.into_iter();
        let program = words.next().ok_or_else(|| setup("the command is empty"))?;
        Ok(Self::new(program).args(words))
    }

    /// The same with one more argument. A key has no place there: other programs on the machine see it, and `Debug`
    /// shows it. [`env`](Self::env) is for keys.
    #[must_use]
    pub fn arg(self, arg: impl AsRef<OsStr>) -> Self {
        self.args([arg])
    }

    /// The same with more arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// The same, started in this directory. Otherwise it is that of this process.
    #[must_use]
    pub fn current_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    /// The same with this environment variable.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    /// The same without this environment variable: for what is in the environment of this process, and is none of the
    /// program's business.
    #[must_use]
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().to_owned(), None));
        self
    }

    /// The same without the environment of this process: the program has the variables that it was given here, and no
    /// others.
    #[must_use]
    pub const fn env_clear(mut self) -> Self {
        self.is_env_cleared = true;
        self
    }

    /// The same with so much time for an answer, and for the reader of the stream. 30 seconds otherwise.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The same where it may print so many bytes. 16 MiB otherwise.
    #[must_use]
    pub const fn max_response_bytes(mut self, bytes: u64) -> Self {
        self.max_response_bytes = bytes;
        self
    }
}

impl LanguageModel for CommandModel {
    fn respond(&self, request: ModelRequest) -> ModelStream<'_> {
        Box::pin(futures_util::stream::try_unfold(Run::new(self, request.prompt), Run::next))
    }
}

/// Without the environment, in which keys may be.
impl fmt::Debug for CommandModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command: Vec<_> = std::iter::once(&self.program).chain(&self.args).collect();
        formatter
            .debug_struct("CommandModel")
            .field("command", &command)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
