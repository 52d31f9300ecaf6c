//! Reads JSON while a language model is still writing it.
//!
//! A model's answer arrives in chunks that end anywhere. Feed them to a [`Parser`], and each feed returns an [`Update`]
//! with three views of the answer:
//!
//! - the [`Snapshot`]: what is known now, owned and immutable;
//! - the [`Delta`]: what this feed added;
//! - the [`Ambiguity`]: what may still change. Everything else that was seen is *final*.
//!
//! A feed costs as much as its chunk, not as much as the document. A stream is read in linear time even if all three
//! views are taken on every chunk. Only what copies a whole document, such as `to_value`, costs as much as it is long.
//!
//! ```
//! use jsonrill::{End, Parser};
//!
//! let mut parser = Parser::new();
//!
//! let update = parser.feed(r#"{"city": "Os"#);
//! assert_eq!(update.snapshot().at("/city"), "Os"); // shown at once
//! assert!(update.is_ambiguous("/city")); // but it may go on
//!
//! let update = parser.feed(r#"lo", "days": 1"#);
//! assert!(update.is_final("/city")); // safe to act on
//! assert_eq!(update.delta().to_value(), serde_json::json!({"city": "lo", "days": 1}));
//!
//! parser.push("2}");
//! let answer = parser.finish(End::Stopped).into_complete()?; // a cut answer would be an error
//! assert_eq!(answer.at("/days"), 12);
//! # Ok::<(), jsonrill::Incomplete>(())
//! ```
//!
//! # Where to find what
//!
//! The [guide] teaches all of this by short examples that run. To look something up:
//!
//! | to | use | guide |
//! |---|---|---|
//! | read chunks | [`Parser`], [`Update`], [`Chunk`], [`Options`], [`Limits`] | [feeding](guide::feeding) |
//! | look at what is known | [`Snapshot`], [`ValueRef`], [`Kind`], [`Step`], [`Path`], [`PathPattern`], [`Span`] | [reading](guide::reading) |
//! | act on a field when it cannot change | [`State`], [`Update::became_final`], [`Ambiguity`] | [gating](guide::gating) |
//! | show or send what is new | [`Delta`], [`DeltaOp`], [`Op`], [`apply_all`] | [rendering](guide::rendering) |
//! | know what a text amounts to | [`End`], [`Finished`], [`Outcome`], [`Complete`], [`Incomplete`], [`Error`] | [ending](guide::ending) |
//! | get at prose, reasoning, several documents | [`Snapshot::outside`], [`SkipKind`], [`Roots`], [`Document`] | [outside](guide::outside) |
//! | see what was repaired; mend a whole text | [`RepairKind`], [`Reports`], [`Places`], [`repair`](fn@repair), [`repair_assisted`] | [repairing](guide::repairing) |
//! | stop, show a model where, go on elsewhere | [`Frozen`], [`Cut`], [`Contexts`], [`Checkpoint`] | [cutting](guide::cutting) |
//! | join the next response; ask until it is whole | [`Parser::next_round`], [`Seam`], [`KpiSet`], [`accumulate`](accumulate()), [`Accumulation`] | [continuing](guide::continuing) |
//! | ask a model | [`LanguageModel`], [`ModelRequest`], `HttpModel`, `CommandModel`, [`ScriptedModel`] | [models](guide::models) |
//! | read a provider's stream | [`MessageDecoder`], [`Message`], [`ToolCall`], [`SseDecoder`], [`PayloadDecoder`], [`ParseJsonExt`] | [streams](guide::streams) |
//! | wait for single fields | [`Fields`], [`FieldError`] | [fields](guide::fields) |
//! | cut what is too large into chunks | [`split::Splitter`], [`split::join`], [`split::compat`] | [splitting](guide::splitting) |
//! | do it from a shell, or over HTTP | the program `jsonrill` | [command line](guide::command_line), [serving](guide::serving) |
//!
//! What each costs, what the limits are, and how it works inside stands in [cost](guide::cost).
//!
//! All that is public is named from the root, but for the splitter, whose chunks and documents are others than the
//! parser's: it is in [`split`].
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | (none) | the library: parser, log, views, the state at the cut, progress, rounds, streams, the splitter. Nothing is on by default |
//! | `jsonpath` | JSONPath (RFC 9535) as paths of KPIs; brings `serde_json_path` |
//! | `http` | `HttpModel`, for models at a server; brings `reqwest`, `rustls` with `ring`, `tokio`, `fastrand`, `httpdate` |
//! | `command` | `CommandModel`, for models that are a program; brings `process-wrap`, `shlex`, `tokio` |
//! | `cli` | the program `jsonrill`; brings `jsonpath`, `clap`, `anyhow`, `base64`, `crossterm`, `indicatif`, `unicode-width` |
//! | `serve` | the service `jsonrill serve`; brings `cli`, `http`, `command`, `axum`, `tower-http`, `tracing`, `utoipa` and more |
//!
//! # What it is not
//!
//! - Not the fastest way to read a document that is already whole: `serde_json` into your own type has less to do.
//! - Not a client for all that providers offer: without features it opens no connection, and needs no runtime. Feed it
//!   what yours receives, or make a [`LanguageModel`] of it.
//! - Not a validator: it says what the JSON is, not whether it has the shape you asked for. `deserialize` does.
//! - Not for `no_std`.
//!
//! # Conventions
//!
//! - **Views are cheap.** What is called a reference or a view copies nothing; what begins with `to_` copies, `into_`
//!   consumes. The [cost](guide::cost) of each is in its documentation.
//! - **Names in output.** Kinds, states and outcomes have `as_str`, which is their name in JSON, in snake case. It is also
//!   their `Display`.
//! - **Errors** say it all in one line, in lower case, without a full stop; their source is what is behind that. Those that
//!   a program may want to tell apart have a `kind`, or are an enum with a `code`.
//! - **Offsets** are bytes from the start of the input, and what counts characters says so.
//! - **Paths** are JSON pointers, `/items/0/name`, with their slash; the empty one is the root.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_docs)]
#![warn(missing_debug_implementations, unreachable_pub)]
// No input may make the library panic, so what could is not used at all.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod continuation;
mod document;
mod frozen;
#[cfg(any(doc, doctest))]
pub mod guide;
mod model;
mod names;
mod parser;
mod prompt;
mod repair;
pub mod split;
mod stream;
mod view;

pub use continuation::{
    Accumulate, Accumulation, AccumulationEvent, AccumulationOptions, AccumulationReport, Conclusion,
    ContinuationTemplate, Delivered, IncompleteAccumulation, Kpi, KpiPath, KpiPathError, KpiProblem, KpiProblemKind,
    KpiProgress, KpiReport, KpiSet, KpiSetError, KpiStatus, KpiTemplate, KpiValues, Measured, NextStep, Round,
    RoundError, RoundProgress, Verdict, accumulate, continuation_prompt, kpi_prompt,
};
pub use document::{Kind, Path, PathPattern, Place, Places, SkipKind, Span, Step};
pub use frozen::{
    BUDGET_LIMIT, Checkpoint, CheckpointError, ContextOptions, Contexts, Cut, CutState, Frozen, OVERLAP_MAX_CHARS,
    Overlap,
};
#[cfg(feature = "command")]
pub use model::CommandModel;
#[cfg(feature = "http")]
pub use model::{ApiKey, HttpModel};
pub use model::{
    LanguageModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Purpose, ScriptedModel,
    ScriptedReply, StopReason, Usage,
};
pub use parser::{
    Chunk, Complete, Dialect, Document, Duplicates, End, Error, ErrorKind, Expect, Finished, Incomplete, Limits,
    MAX_DEPTH, Options, Outcome, Parser, RepairKind, Report, ReportKind, Reports, Role, Roots, Seam, SeamKind,
    WarningKind, extract_continuation_contexts, get_contexts,
};
pub use prompt::TemplateError;
pub use repair::{
    Ask, AssistedError, AssistedOptions, AssistedRepair, AssistedReport, AssistedStep, Attempt, CacheLimits,
    Comparison, Difference, Differences, RepairCache, RepairSource, RepairTemplate, Repaired, repair, repair_assisted,
    repair_with,
};
pub use stream::{
    AllFinal, Choice, ChunkStream, ContentPiece, ContentStream, Decode, DecodeError, DecodedStream, FieldError,
    FieldItems, FieldText, FieldTexts, FieldValue, FieldValues, Fields, FieldsFinished, FoundText, FoundValue,
    JsonArrayDecoder, JsonStream, JsonTexts, MAX_EVENT_BYTES, Message, MessageDecoder, MessageError, MessageErrorKind,
    MessageEvent, MessageEvents, NdjsonDecoder, ParseJsonExt, Payload, PayloadDecoder, Payloads, Piece, Provider,
    SharedMessage, SseDecoder, SseEvent, SseEvents, TooLong, ToolCall, Unended, UnknownProvider, Wire,
};
pub use view::{
    Ambiguity, ApplyError, Delta, DeltaOp, DeserializeError, Elements, Finals, Lack, Members, MissingField, Op, Ops,
    OutsideText, Parts, Snapshot, State, Update, ValueRef, apply_all,
};

/// The examples of the README, run as tests.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct ReadmeDoctests;
