//! What a parser can be told before it starts.

use crate::document::{MAX_NODES, Replacing};

/// The deepest nesting that can be read: 512 containers in each other.
///
/// Views of the document as foreign types ([`serde_json::Value`], your own through serde) recurse, so there is no way
/// to ask for more.
pub const MAX_DEPTH: u32 = 512;

/// The most input that the log has addresses for.
const MAX_BYTES: u32 = u32::MAX - (1 << 21);

/// Which texts are read.
///
/// ```
/// use jsonrill::{Dialect, End, Options, Outcome, Parser};
///
/// let outcome = |dialect| {
///     let mut parser = Parser::with_options(Options::new().dialect(dialect));
///     parser.push("[1, 2,]");
///     parser.finish(End::Stopped).outcome()
/// };
/// assert_eq!((outcome(Dialect::Strict), outcome(Dialect::Lenient)), (Outcome::Malformed, Outcome::Repaired));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// RFC 8259 and nothing else.
    Strict,
    /// Also what models write: JSON in prose and fences, and slightly wrong. Valid JSON reads the same in both.
    #[default]
    Lenient,
}

/// Which roots of a text are wanted.
///
/// ```
/// use jsonrill::{End, Options, Parser, Roots};
///
/// let read = |roots| {
///     let mut parser = Parser::with_options(Options::new().roots(roots));
///     parser.push("{\"v\": 1} or rather {\"v\": 2}");
///     parser.finish(End::Stopped).snapshot().at("/v").as_i64()
/// };
/// assert_eq!((read(Roots::One), read(Roots::Last), read(Roots::Many)), (Some(1), Some(2), Some(2)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Roots {
    /// The first that looks like an answer (an object with a key, an array with a string or two scalars, anything that
    /// is all of the text); others are found in [`Finished::documents`](crate::Finished::documents).
    #[default]
    One,
    /// Each takes the place of the one before it.
    Last,
    /// All, as documents of their own: NDJSON, `{}{}`.
    ///
    /// One feed may end several; [`Update::parts`](crate::Update::parts) has them all, and
    /// `part.became_final("")` is true once for each. An error in one ends the reading, and the parser keeps all
    /// documents up to its byte limit: for an endless stream of lines use a parser for each line.
    Many,
}

/// What the text is.
///
/// ```
/// use jsonrill::{End, Options, Parser, Role};
///
/// let mut parser = Parser::with_options(Options::new().role(Role::Arguments));
/// assert_eq!(parser.finish(End::Stopped).into_complete()?.to_string(), "{}");
/// # Ok::<(), jsonrill::Incomplete>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Role {
    /// An answer to a person or a program.
    #[default]
    Answer,
    /// The arguments of a tool call: no text at all means `{}` (unless it was cut), a string with JSON in it is that
    /// JSON ([`Options::unwrap_string`]), and two members of one name that differ, be it in spelling, are an error.
    /// Where nothing but an object will do, say so with [`Expect::Object`].
    Arguments,
}

/// What to do with a member whose name its object has already.
///
/// ```
/// use jsonrill::{Duplicates, End, Options, Parser};
///
/// let read = |duplicates| {
///     let mut parser = Parser::with_options(Options::new().duplicates(duplicates));
///     parser.push(r#"{"a": 1, "a": 2}"#);
///     parser.finish(End::Stopped)
/// };
/// assert_eq!(read(Duplicates::First).snapshot().at("/a"), 1);
/// assert_eq!(read(Duplicates::Last).snapshot().at("/a"), 2);
/// assert!(read(Duplicates::Error).error().is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Duplicates {
    /// Keep the first, which may have been shown as final, and warn. With [`Role::Arguments`] one that differs from it
    /// is an error.
    #[default]
    First,
    /// Keep the last. Nothing in an object is final before that object is.
    Last,
    /// Stop with an error.
    Error,
}

/// Which kind of root is expected.
///
/// ```
/// use jsonrill::{End, Expect, Options, Parser};
///
/// let mut parser = Parser::with_options(Options::new().expect(Expect::Object));
/// parser.push("The keys are [\"a\", \"b\"], so: {\"a\": 1, \"b\": 2}");
/// assert_eq!(parser.finish(End::Stopped).snapshot().to_string(), r#"{"a":1,"b":2}"#);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Expect {
    /// Any value.
    #[default]
    Any,
    /// An object. In the lenient dialect arrays and scalars around it are passed over.
    Object,
    /// An array. In the lenient dialect objects and scalars around it are passed over.
    Array,
}

/// How much is read before the parser stops with an error. It reads exactly up to the limit, however the input is cut.
///
/// ```
/// use jsonrill::{ErrorKind, Limits, Options, Parser};
///
/// let mut parser = Parser::with_options(Options::strict().limits(Limits::new().depth(2)));
/// let update = parser.feed("[[1, [2]]]");
/// assert_eq!(update.error().map(|error| error.kind()), Some(ErrorKind::DepthLimit));
/// assert_eq!(update.snapshot().to_string(), "[[1]]");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// Containers in each other. At most, and by default, [`MAX_DEPTH`].
    pub depth: u32,
    /// Bytes of input. By default 1 GiB; at most 4 GiB less 2 MB.
    pub bytes: u32,
    /// Values. By default, and at most, 2²⁷ (134 million, about 4 GB of memory).
    pub nodes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

impl Limits {
    /// Those that count where nobody asks for others.
    #[must_use]
    pub const fn new() -> Self {
        Self { depth: MAX_DEPTH, bytes: 1 << 30, nodes: MAX_NODES }
    }

    /// Containers in each other.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Bytes of input.
    #[must_use]
    pub const fn bytes(mut self, bytes: u32) -> Self {
        self.bytes = bytes;
        self
    }

    /// Values.
    #[must_use]
    pub const fn nodes(mut self, nodes: u32) -> Self {
        self.nodes = nodes;
        self
    }
}

/// How a parser reads. Made by [`Options::new`] and changed by its methods, each of which hands it on.
///
/// ```
/// use jsonrill::{Options, Parser, Roots};
///
/// let mut parser = Parser::with_options(Options::new().roots(Roots::Many));
/// parser.push("{\"id\": 1}\n{\"id\": 2}\n");
/// assert_eq!(parser.finish(jsonrill::End::Unknown).documents().count(), 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    pub(crate) dialect: Dialect,
    pub(crate) roots: Roots,
    pub(crate) role: Role,
    pub(crate) duplicates: Duplicates,
    pub(crate) expect: Expect,
    pub(crate) reasoning_expected: bool,
    pub(crate) unwrap_string: bool,
    pub(crate) keep_source: bool,
    pub(crate) limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Options {
    /// Lenient, one root, the source kept, the default limits.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            dialect: Dialect::Lenient,
            roots: Roots::One,
            role: Role::Answer,
            duplicates: Duplicates::First,
            expect: Expect::Any,
            reasoning_expected: false,
            unwrap_string: false,
            keep_source: true,
            limits: Limits::new(),
        }
    }

    /// The same in the strict dialect.
    #[must_use]
    pub const fn strict() -> Self {
        Self::new().dialect(Dialect::Strict)
    }

    /// Which texts are read.
    #[must_use]
    pub const fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Which roots are wanted.
    #[must_use]
    pub const fn roots(mut self, roots: Roots) -> Self {
        self.roots = roots;
        self
    }

    /// What the text is.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// What to do with a second member of the same name.
    #[must_use]
    pub const fn duplicates(mut self, duplicates: Duplicates) -> Self {
        self.duplicates = duplicates;
        self
    }

    /// Which kind of root is expected.
    #[must_use]
    pub const fn expect(mut self, expect: Expect) -> Self {
        self.expect = expect;
        self
    }

    /// The text begins inside the model's reasoning: everything up to `</think>` is passed over. For models whose
    /// opening tag is part of the prompt.
    #[must_use]
    pub const fn reasoning_expected(mut self, expected: bool) -> Self {
        self.reasoning_expected = expected;
        self
    }

    /// Whether a root that is a string with JSON in it, `"{\"a\": 1}"`, is read as that JSON. In the lenient dialect;
    /// off by default, and always on for [`Role::Arguments`], where a string makes no sense.
    ///
    /// ```
    /// use jsonrill::{End, Options, Parser};
    ///
    /// let mut parser = Parser::with_options(Options::new().unwrap_string(true));
    /// parser.push(r#""{\"a\": 1}""#);
    /// assert_eq!(parser.finish(End::Stopped).snapshot().at("/a"), 1);
    /// ```
    #[must_use]
    pub const fn unwrap_string(mut self, unwrap: bool) -> Self {
        self.unwrap_string = unwrap;
        self
    }

    /// Whether the input itself stays readable ([`Snapshot::text`](crate::Snapshot::text)) and errors know their line.
    /// On by default; without it the log takes less memory by the length of the text.
    #[must_use]
    pub const fn keep_source(mut self, keep: bool) -> Self {
        self.keep_source = keep;
        self
    }

    /// How much is read at most. Limits beyond what is possible mean the largest possible.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = Limits {
            depth: if limits.depth > MAX_DEPTH { MAX_DEPTH } else { limits.depth },
            bytes: if limits.bytes > MAX_BYTES { MAX_BYTES } else { limits.bytes },
            nodes: if limits.nodes > MAX_NODES { MAX_NODES } else { limits.nodes },
        };
        self
    }

    /// Whether a root in a string is read as what the string holds.
    pub(crate) fn unwraps(&self) -> bool {
        self.is_lenient() && (self.unwrap_string || self.role == Role::Arguments)
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.dialect == Dialect::Strict
    }

    pub(crate) fn is_lenient(&self) -> bool {
        self.dialect == Dialect::Lenient
    }

    pub(crate) fn replacing(&self) -> Replacing {
        if self.duplicates == Duplicates::Last { Replacing::Possible } else { Replacing::Never }
    }
}
