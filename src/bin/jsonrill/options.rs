//! How a text is read: the options that subcommands share.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use jsonrill::{Kind, Options, Outcome, Snapshot};

/// Options of every subcommand that reads an answer.
#[derive(Debug, Default, Args)]
pub(crate) struct Reading {
    /// Which JSON texts in the input are the answer.
    #[arg(long, value_enum, default_value_t = Roots::One)]
    pub(crate) roots: Roots,

    /// What the text is: the arguments of a tool call are read more strictly. Of a provider's stream it is this that is
    /// read.
    #[arg(long, value_enum, default_value_t = Role::Answer)]
    pub(crate) role: Role,

    /// With `--role arguments`: which tool call of a provider's stream is read, from 0. The first when missing.
    #[arg(long, value_name = "N")]
    pub(crate) call: Option<usize>,

    /// Which kind of value the answer is; others are passed over.
    #[arg(long, value_enum, default_value_t = Expect::Any)]
    pub(crate) expect: Expect,

    /// The text begins inside the model's reasoning: the answer comes behind </think>.
    #[arg(long)]
    pub(crate) reasoning_expected: bool,

    /// An answer that is a string with JSON in it is that JSON.
    #[arg(long)]
    pub(crate) unwrap_string: bool,

    /// Which value a key has that is in an object more than once.
    #[arg(long, value_enum, default_value_t = Duplicates::First)]
    pub(crate) duplicates: Duplicates,
}

/// The same where the text may also be read strictly.
#[derive(Debug, Args)]
pub(crate) struct DialectReading {
    /// How strict to read.
    #[arg(long, value_enum, default_value_t = Dialect::Lenient)]
    pub(crate) dialect: Dialect,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Where it is not known, or does not go without saying, that a text was cut.
#[derive(Debug, Args)]
pub(crate) struct Ending {
    /// Why the text ends where it does.
    #[arg(long, value_enum, default_value_t = End::Unknown)]
    end: End,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, utoipa::ToSchema), serde(rename_all = "lowercase"))]
pub(crate) enum Dialect {
    /// RFC 8259 and nothing else.
    Strict,
    /// Also what models write: prose, fences, trailing commas, …
    #[default]
    Lenient,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, utoipa::ToSchema), serde(rename_all = "lowercase"))]
pub(crate) enum Roots {
    /// The first that looks like an answer.
    #[default]
    One,
    /// The last: a later one takes the place of an earlier.
    Last,
    /// All of them, each a document of its own.
    Many,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, utoipa::ToSchema), serde(rename_all = "lowercase"))]
pub(crate) enum Role {
    /// A model's answer.
    #[default]
    Answer,
    /// The arguments of a tool call: no text at all is {}, a string with JSON in it is that JSON, and one key with two
    /// values that differ is an error, unless `duplicates` is `last`. JSON that is no object is read all the same, and
    /// malformed, which is told: a call has none such.
    Arguments,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, utoipa::ToSchema), serde(rename_all = "lowercase"))]
pub(crate) enum Expect {
    /// Anything.
    #[default]
    Any,
    /// An object.
    Object,
    /// An array.
    Array,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, utoipa::ToSchema), serde(rename_all = "lowercase"))]
pub(crate) enum Duplicates {
    /// The first, and a warning for each of the others.
    #[default]
    First,
    /// The last. While text still comes, nothing in an object that is open is certain.
    Last,
    /// None: reading stops there with an error.
    Error,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, utoipa::ToSchema), serde(rename_all = "lowercase"))]
pub(crate) enum End {
    /// The model said that it was done.
    Stopped,
    /// The model was cut off.
    Truncated,
    /// Nobody knows.
    #[default]
    Unknown,
}

/// What is told of arguments that are malformed, and JSON.
pub(crate) const NO_OBJECT: &str = "the arguments are no object: the call is malformed";

impl Role {
    /// What a text amounts to that was read as this: arguments that are no object are malformed, as those of a
    /// [`jsonrill::ToolCall`] are. (`null` is what some servers send for none.)
    pub(crate) fn outcome(self, read: Outcome, snapshot: &Snapshot) -> Outcome {
        let is_fit = matches!(snapshot.root().kind(), Some(Kind::Object | Kind::Null));
        match self {
            Role::Arguments if read.is_complete() && !is_fit => Outcome::Malformed,
            _ => read,
        }
    }
}

impl Reading {
    /// Of which tool call the arguments are read; none where the answer is.
    pub(crate) fn call(&self) -> Result<Option<usize>> {
        match (self.role, self.call) {
            (Role::Arguments, call) => Ok(Some(call.unwrap_or_default())),
            (Role::Answer, None) => Ok(None),
            (Role::Answer, Some(_)) => bail!("--call says whose arguments are read: it needs --role arguments"),
        }
    }

    /// The same options with these.
    pub(crate) fn apply(&self, options: Options) -> Options {
        options
            .roots(match self.roots {
                Roots::One => jsonrill::Roots::One,
                Roots::Last => jsonrill::Roots::Last,
                Roots::Many => jsonrill::Roots::Many,
            })
            .role(match self.role {
                Role::Answer => jsonrill::Role::Answer,
                Role::Arguments => jsonrill::Role::Arguments,
            })
            .expect(match self.expect {
                Expect::Any => jsonrill::Expect::Any,
                Expect::Object => jsonrill::Expect::Object,
                Expect::Array => jsonrill::Expect::Array,
            })
            .reasoning_expected(self.reasoning_expected)
            .unwrap_string(self.unwrap_string)
            .duplicates(match self.duplicates {
                Duplicates::First => jsonrill::Duplicates::First,
                Duplicates::Last => jsonrill::Duplicates::Last,
                Duplicates::Error => jsonrill::Duplicates::Error,
            })
    }
}

impl DialectReading {
    pub(crate) fn options(&self) -> Options {
        self.reading.apply(match self.dialect {
            Dialect::Strict => Options::strict(),
            Dialect::Lenient => Options::new(),
        })
    }
}

impl Ending {
    pub(crate) fn end(&self) -> jsonrill::End {
        self.end.into()
    }
}

impl From<End> for jsonrill::End {
    fn from(end: End) -> Self {
        match end {
            End::Stopped => Self::Stopped,
            End::Truncated => Self::Truncated,
            End::Unknown => Self::Unknown,
        }
    }
}
