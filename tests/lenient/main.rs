//! The lenient dialect: what each of its rules makes of texts that are not JSON, what is shown on the way, and that valid JSON comes out untouched. Each table is read whole, cut at every byte, and byte by byte, under
//! all laws: see `common::rows`.

#[path = "../common/mod.rs"]
mod common;

mod bounds;
mod combined;
mod commas;
mod containers;
mod ends;
mod found;
mod keys;
mod kinds;
mod layers;
mod numbers;
mod outside;
mod quotes;
mod silent;
mod streaming;
mod strings;
mod untouched;
mod words;
