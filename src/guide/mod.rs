//! A guide: one short chapter for each thing that jsonrill does. All of its examples run as tests.
//!
//! | chapter | what it is about |
//! |---|---|
//! | [`feeding`] | chunks in, updates out; what is held; the two dialects |
//! | [`reading`] | what is known: values, iteration, your own types |
//! | [`gating`] | to act on a field the moment it can no longer change, and never before |
//! | [`rendering`] | to show, send and apply what is new |
//! | [`ending`] | what a text amounts to; errors and limits |
//! | [`outside`] | prose, fences, reasoning; several documents in one text |
//! | [`repairing`] | what models write, and how it is read; a whole text at once; with a model's help |
//! | [`cutting`] | the state at a cut, what a model needs to go on, and checkpoints |
//! | [`continuing`] | the next response, progress, and an answer in several rounds |
//! | [`models`] | models at a server, models that are a program, and a model of your own |
//! | [`streams`] | providers' streams and tool calls; streams of updates |
//! | [`fields`] | single fields of an answer, each when it is ready |
//! | [`splitting`] | what is too large, in chunks that keep their context |
//! | [`command_line`], [`serving`] | the program `jsonrill`, and the service |
//! | [`cost`] | what everything costs, how it works, and where its limits are |
//!
//! Three chapters are enough for a start: feeding, gating and ending.
//!
//! It is documentation alone: no code of it is compiled into the library.

#[allow(unused_imports)] // the chapters link to it
use crate::*;

macro_rules! chapters {
    ($($name:ident $file:literal)*) => {$(
        #[doc = include_str!($file)]
        pub mod $name {}
    )*};
}

chapters! {
    feeding "feeding.md"
    reading "reading.md"
    gating "gating.md"
    rendering "rendering.md"
    ending "ending.md"
    outside "outside.md"
    repairing "repairing.md"
    cutting "cutting.md"
    continuing "continuing.md"
    models "models.md"
    streams "streams.md"
    fields "fields.md"
    splitting "splitting.md"
    command_line "command_line.md"
    serving "serving.md"
    cost "cost.md"
}
