//! The next round: responses that go on with a cut answer, in every style that models have.
//!
//! `experiment` tries sixty documents, cut at twenty-five places each, with every style of a generator that knows the
//! whole; `soundness` judges the generator without the library. `given` has the rules of seams
//! one by one, `repetitive` what is certain where a document says the same over and over, and `laws` what holds whatever
//! is said.

#[path = "../common/mod.rs"]
mod common;

mod cases;
mod cuts;
mod documents;
mod experiment;
mod given;
mod head;
mod laws;
mod random;
mod repetitive;
mod rounds;
mod rules;
mod soundness;
mod styles;
mod syntax;
