//! The loop around a model that does not go on with the very next character.

mod common;

use common::config;
use futures::executor::block_on;
use jsonrill::{
    Accumulation, AccumulationOptions, AccumulationReport, Conclusion, ModelError, NextStep, Outcome, Parser,
    ScriptedModel, ScriptedReply, SeamKind, Update, accumulate, apply_all,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

const FIRST: &str = r#"{"title": "Planets", "items": [{"id": 1, "name": "Mercury"}, {"id": 2, "name": "Ven"#;

/// What becomes of an answer that begins with [`FIRST`] and goes on with these responses.
fn run(rest: &[&str]) -> AccumulationReport {
    let (last, cut) = rest.split_last().expect("a response");
    let cut = [FIRST].iter().chain(cut).map(|text| ScriptedReply::new([*text], "length"));
    let model = ScriptedModel::new(cut.chain([ScriptedReply::new([*last], "stop")]));
    block_on(accumulate(&model, "The planets, as JSON.", AccumulationOptions::new().ask_for_kpis(false)).report())
}

fn seams(report: &AccumulationReport) -> Vec<SeamKind> {
    report.seams().iter().map(|seam| seam.kind).collect()
}

#[test]
fn what_models_do_instead_of_going_on() {
    let rest = r#"us"}, {"id": 3, "name": "Earth"}]}"#;
    let again = format!(r#"{{"id": 2, "name": "Ven{rest}"#);
    let whole = format!("{FIRST}{rest}");
    for (response, kind) in [
        (rest.to_owned(), SeamKind::Rest),
        (again.clone(), SeamKind::Repeat),
        (again.replace(": ", ":").replace(", ", ",\n  "), SeamKind::Repeat),
        (format!("```json\n{again}\n```"), SeamKind::Repeat),
        (format!("Here is the rest:\n\n{again}"), SeamKind::Repeat),
        (whole.clone(), SeamKind::Restart),
        (format!("```json\n{whole}\n```"), SeamKind::Restart),
    ] {
        let report = run(&[&response]);
        let expected = json!({"title": "Planets", "items": [
            {"id": 1, "name": "Mercury"}, {"id": 2, "name": "Venus"}, {"id": 3, "name": "Earth"},
        ]});
        assert_eq!(report.snapshot().to_value(), expected, "{response}");
        assert_eq!((report.conclusion, seams(&report)), (Conclusion::Complete, vec![kind]), "{response}");
    }
}

#[test]
fn three_rounds_with_repeats() {
    let report = run(&[
        r#"{"id": 2, "name": "Venus"}, {"id": 3, "name": "Earth"}, {"id": 4, "na"#,
        "```json\n{\"id\": 4, \"name\": \"Mars\"}, {\"id\": 5, \"name\": \"Jup",
        "iter\"}]}",
    ]);
    assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::Complete, 4));
    let names: Vec<_> =
        report.snapshot().at("/items").elements().filter_map(|item| item.get("name").as_str()).collect();
    assert_eq!(names, ["Mercury", "Venus", "Earth", "Mars", "Jupiter"]);
    let ids: Vec<_> = report.snapshot().at("/items").elements().filter_map(|item| item.get("id").as_u64()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5]);
}

#[test]
fn a_round_that_only_repeats_brings_no_progress() {
    let report = run(&[r#"{"id": 2, "name": "Ven"#]);
    assert_eq!((report.conclusion, report.outcome()), (Conclusion::NoProgress, Outcome::Truncated));
    assert_eq!(report.snapshot().at("/items/1/name"), "Ven");
}

#[test]
fn a_refusal_in_a_later_round() {
    let report = run(&[r#"us"}, {"id": 3, "name": "Earth"}, "#, "I'm sorry, but I cannot go on with this list."]);
    assert_eq!((report.conclusion, report.outcome()), (Conclusion::Refused, Outcome::Truncated));
    assert_eq!(report.snapshot().at("/items").len(), 3);
    assert_eq!(seams(&report), [SeamKind::Rest, SeamKind::Refused]);
}

#[test]
fn another_document() {
    let report = run(&[r#"{"title": "Moons", "items": [{"id": 1, "name": "Io"}, {"id": 2, "name": "Europa"}]}"#]);
    assert_eq!(report.conclusion, Conclusion::Diverged);
    let documents: Vec<_> = report.finished.documents().collect();
    let titles: Vec<_> = documents.iter().map(|document| document.snapshot.at("/title").as_str()).collect();
    assert_eq!((titles, documents[0].is_complete), (vec![Some("Planets"), Some("Moons")], false));
    // The report is about the new one, which is whole.
    assert_eq!(report.into_complete().unwrap().at("/title"), "Moons");
}

/// Text that a seam supplies is not in the source, and may be longer than all that is.
#[test]
fn text_that_is_supplied_before_there_is_so_much() {
    let kpis = r#"[{"id": "n", "jsonPath": "n", "targetValue": 3}]"#;
    let mut parser = Parser::new();
    for round in ["{", "\"k\"\\u", &format!("{{\"n\": [Here is the rest:\n\n{kpis}\"k\"{kpis}")] {
        parser.next_round();
        parser.push(round);
    }
    assert_eq!(parser.finish(jsonrill::End::Truncated).seams().len(), 3);
}

/// What a seam supplies is JSON, also where the document is escaped or its quotes are doubled as a whole, and half a
/// pair before the cut is no part of it.
#[test]
fn text_that_is_supplied_to_an_escaped_document() {
    for (first, next, shown) in [
        (r#"{\"\"\"#, r#"{"a": 1}"#, r#"{"":null,"a":1}"#),
        (r#"{\"n\":[{\"x\":\"1\"#, r#"[{"x":2}]"#, r#"{"n":[{"x":"1"},{"x":2}]}"#),
        (r#"{""n"":[{""x"":""1""#, r#"[{""x"":2}]"#, r#"{"n":[{"x":"1"},{"x":2}]}"#),
    ] {
        let mut parser = Parser::new();
        parser.push(first);
        parser.next_round();
        parser.push(next);
        let finished = parser.finish(jsonrill::End::Unknown);
        assert_eq!(finished.snapshot().to_string(), shown, "{first} {:?}", finished.seams());
    }
}

/// What a seam supplies is in the contexts, too: what a model is shown is the document as far as it has come.
#[test]
fn contexts_have_what_a_seam_supplied() {
    for (first, next, hierarchy) in [
        // A comma that was missing.
        (r#"{"a": [{"i": 1}"#, r#"{"i": 2}, {"i": 3"#, r#"{"a": [{"i": 1},{"i": 2}, {"i": 3"#),
        // What closes what is not there again.
        (r#"{"a": [{"i": 1"#, r#"[{"i": 2}, {"i": 3"#, r#"{"a": [{"i": 1},{"i": 2}, {"i": 3"#),
        (r#"{"a": {"x": "abc"#, r#"{"c": 2, "d": 3"#, r#"{"a": {"x": "abc","c": 2, "d": 3"#),
        (r#"[{"i": 1, "s": "ab"#, r#"[{"i": 2}, {"i": 3"#, r#"[{"i": 1, "s": "ab"},{"i": 2}, {"i": 3"#),
        // The rest of a string that is there again in other quotes, and of an escape.
        (r#"{"a": "abc"#, r#"{'a': 'abcdef', "b": 1"#, r#"{"a": "abcdef", "b": 1"#),
        (r#"{"a": "caf\u00"#, r#"{"a": "café", "b": 1"#, r#"{"a": "caf\u00e9", "b": 1"#),
    ] {
        let mut parser = Parser::new();
        parser.push(first);
        parser.next_round();
        parser.push(next);
        let frozen = parser.freeze();
        assert_eq!(frozen.hierarchy(), hierarchy, "{first} ⟂ {next} {:?}", parser.seams());
        assert!(hierarchy.ends_with(frozen.overlap().text.as_str()), "{:?} of {hierarchy}", frozen.overlap());
        let shown: Value = serde_json::from_str(&frozen.complete_part()).unwrap();
        let mut again = Parser::new();
        again.push(hierarchy);
        let read: Value = serde_json::from_str(&again.freeze().complete_part()).unwrap();
        assert_eq!(read, shown, "{hierarchy}");
    }
}

// --- laws -------------------------------------------------------------------------------------------------------------

/// What responses are made of.
const PARTS: [&str; 30] = [
    "{\"n\": [",
    "1",
    ", 2",
    "\"a\"",
    "]",
    "}",
    "{",
    "[",
    ", ",
    ": ",
    "\"k\"",
    "```json\n",
    "\n```",
    "Sorry, I cannot.",
    "<think>",
    "</think>",
    "é",
    "\\u",
    "\\",
    "-",
    "e",
    "null",
    "tru",
    "// c\n",
    "{\"id\": 1, \"name\": \"x",
    "Here is the rest:\n\n",
    "[{\"id\": \"n\", \"jsonPath\": \"n\", \"targetValue\": 3}]",
    "'",
    " \n",
    "\"",
];

fn response() -> impl Strategy<Value = (String, usize, Index)> {
    let text = proptest::collection::vec(select(&PARTS[..]), 0..9).prop_map(|parts| parts.concat());
    (text, 1..9_usize, any::<Index>())
}

proptest! {
    #![proptest_config(config(300))]

    /// Whatever a model says: it comes to an end, no update is lost, they add up, and no limit is passed.
    #[test]
    fn whatever_a_model_says(responses in proptest::collection::vec(response(), 1..12), limit in 20..400_u64) {
        let options = AccumulationOptions::new().byte_limit(limit).patience(2).round_limit(8);
        let mut accumulation = Accumulation::new("x", options);
        let (mut replica, mut document, mut sequence) = (Value::Null, 0, 0);
        for (text, size, ending) in responses.iter().cycle().take(20) {
            let mut updates: Vec<Update> = Vec::new();
            for chunk in text.as_bytes().chunks(*size) {
                updates.extend(accumulation.text(chunk));
            }
            updates.extend(match ending.index(20) {
                0 => accumulation.fail(ModelError::new("lost")),
                1 => accumulation.cancel(),
                2..=6 => accumulation.end("stop", None),
                _ => accumulation.end("length", None),
            });
            for update in updates.iter().flat_map(Update::parts) {
                if update.document() != document {
                    (replica, document) = (Value::Null, update.document());
                }
                sequence += 1;
                prop_assert_eq!(update.sequence(), sequence);
                apply_all(&update.delta().to_ops(), &mut replica).unwrap();
                prop_assert_eq!(&replica, &update.snapshot().to_value());
            }
            prop_assert!(accumulation.completion().is_none_or(|ratio| (0.0..=1.0).contains(&ratio)));
        }
        let NextStep::Done(report) = accumulation.next_step() else { panic!("{accumulation:?}") };
        prop_assert!(report.rounds.iter().map(|round| round.bytes).sum::<u64>() <= limit && report.rounds.len() <= 8);
        prop_assert!(report.rounds.is_empty() || report.seams().len() + 1 == report.rounds.len());
        let is_complete = report.conclusion == Conclusion::Complete;
        prop_assert!(report.conclusion == Conclusion::Diverged || report.finished.is_complete() == is_complete);
        prop_assert_eq!(&replica, &report.snapshot().to_value());
    }
}
