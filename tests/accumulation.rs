//! The loop around a model whose answers are cut, with models that say what they are told to.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

use futures::Stream;
use futures::executor::{block_on, block_on_stream};
use jsonrill::{
    Accumulation, AccumulationEvent, AccumulationOptions, AccumulationReport, Conclusion, ContextOptions,
    ContinuationTemplate, End, KpiSet, KpiTemplate, LanguageModel, ModelError, ModelErrorKind, ModelEvent,
    ModelRequest, ModelStream, NextStep, Outcome, Parser, Purpose, Round, RoundError, ScriptedModel, ScriptedReply,
    SeamKind, StopReason, Update, Usage, Verdict, accumulate, apply_all,
};
use serde_json::{Value, json};

const REQUEST: &str = "Six numbers and a note, as JSON.";

const KPIS: &str = r#"[{"id": "n", "description": "numbers", "jsonPath": "n", "targetValue": 6, "currentValue": 99}]"#;

/// A response in one piece.
fn reply(text: &str, stop_reason: &'static str) -> ScriptedReply {
    ScriptedReply::new([text], stop_reason)
}

/// A response that was cut.
fn cut(text: &str) -> ScriptedReply {
    reply(text, "length")
}

fn kpis() -> ScriptedReply {
    reply(KPIS, "stop")
}

/// Options that leave the model alone with KPIs.
fn quiet() -> AccumulationOptions {
    AccumulationOptions::new().ask_for_kpis(false)
}

/// What becomes of these responses, and what the model was asked for.
fn run(
    options: AccumulationOptions,
    replies: impl IntoIterator<Item = ScriptedReply>,
) -> (AccumulationReport, Vec<Purpose>) {
    let model = ScriptedModel::new(replies);
    let report = block_on(accumulate(&model, REQUEST, options).report());
    assert_eq!(model.replies_left(), 0, "all were asked for");
    (report, model.requests().into_iter().map(|request| request.purpose).collect())
}

#[track_caller]
fn ends(report: &AccumulationReport, conclusion: Conclusion, outcome: Outcome, value: &Value) {
    assert_eq!((report.conclusion, report.outcome()), (conclusion, outcome), "{}", report.snapshot());
    assert_eq!(&report.snapshot().to_value(), value);
}

fn verdicts(report: &AccumulationReport) -> Vec<Option<Verdict>> {
    report.rounds.iter().map(|round| round.progress.as_ref().map(|progress| progress.verdict)).collect()
}

// --- answers that become whole ----------------------------------------------------------------------------------------

#[test]
fn whole_at_once() {
    let (report, asked) = run(AccumulationOptions::new(), [reply(r#"{"n": [1, 2, 3, 4, 5, 6]}"#, "stop")]);
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!({"n": [1, 2, 3, 4, 5, 6]}));
    assert_eq!(asked, [Purpose::Answer]);
    assert_eq!((report.rounds.len(), report.kpi_call, report.kpis), (1, None, None));
}

#[test]
fn cut_twice() {
    let replies = [
        cut(r#"{"n": [1, 2"#).usage(Usage::new(10, 5)),
        kpis().usage(Usage::new(20, 7)),
        cut(", 3, 4, 5").usage(Usage::new(30, 5)),
        reply(", 6], \"note\": \"x\"}", "stop"),
    ];
    let (report, asked) = run(AccumulationOptions::new(), replies);
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!({"n": [1, 2, 3, 4, 5, 6], "note": "x"}));
    assert_eq!(asked, [Purpose::Answer, Purpose::Kpis, Purpose::Continuation, Purpose::Continuation]);
    assert_eq!(verdicts(&report), [None, Some(Verdict::Progress), Some(Verdict::Complete)]);
    let values = report.last_values.as_ref().and_then(|values| values.get("n"));
    assert_eq!((values, report.usage()), (Some(6.0), Usage::new(60, 17)));
    let bytes: Vec<_> = report.rounds.iter().map(|round| (round.bytes, round.stop_reason.as_str())).collect();
    assert_eq!(bytes, [(11, "length"), (9, "length"), (18, "stop")]);
    assert_eq!(report.seams().iter().map(|seam| seam.offset).collect::<Vec<_>>(), [11, 20]);
}

#[test]
fn what_an_answer_whole_is_depends_on_its_end() {
    for (text, stop_reason, conclusion) in [
        ("42", "stop", Conclusion::Complete),
        ("42", "length", Conclusion::RoundLimit),
        ("[1]", "length", Conclusion::Complete),
        (r#"{"a": "x}"#, "stop", Conclusion::Complete),
        (r#"{"a": "x}"#, "length", Conclusion::RoundLimit),
        (r#"{"a": 1"#, "stop", Conclusion::RoundLimit),
        ("Sure:\n```json\n{\"a\": 1}\n```\nBye", "length", Conclusion::Complete),
    ] {
        let (report, _) = run(quiet().round_limit(1), [reply(text, stop_reason)]);
        assert_eq!(report.conclusion, conclusion, "{text} {stop_reason}");
        assert_eq!(report.finished.is_complete(), conclusion == Conclusion::Complete, "{text} {stop_reason}");
    }
}

// --- KPIs -------------------------------------------------------------------------------------------------------------

/// What was wrong with the KPIs, or with the call that should have brought them.
fn kpi_error(call: Option<Round>) -> Option<String> {
    call?.error.map(|error| error.to_string())
}

#[test]
fn without_kpis_leaves_are_counted() {
    let failures = [
        (ScriptedReply::broken([""; 0], "no such model"), "no such model"),
        (ScriptedReply::broken(["I thi"], "lost"), "lost"),
        (reply("I cannot tell.", "stop"), "there are no KPIs"),
        (reply("[]", "stop"), "there are no KPIs"),
        (reply("", "stop"), "there are no KPIs"),
    ];
    for (failure, message) in failures {
        let replies = [cut(r#"{"n": [1, 2"#), failure, reply(", 3]}", "stop")];
        let (report, _) = run(AccumulationOptions::new(), replies);
        ends(&report, Conclusion::Complete, Outcome::Complete, &json!({"n": [1, 2, 3]}));
        assert_eq!(report.kpis, Some(KpiSet::default()));
        assert_eq!(report.last_values.and_then(|values| values.get("leaves")), Some(3.0));
        assert_eq!(kpi_error(report.kpi_call).as_deref(), Some(message));
    }
}

#[test]
fn kpis_that_can_be_used_are_used() {
    let some = r#"{"kpis": [{"id": "n", "jsonPath": "n", "targetValue": 3}, {"id": "m"}]}"#;
    let (report, _) =
        run(AccumulationOptions::new(), [cut(r#"{"n": [1, 2"#), reply(some, "stop"), reply(", 3]}", "stop")]);
    assert_eq!(report.kpis.map(|kpis| kpis.iter().map(|kpi| kpi.id.clone()).collect()), Some(vec!["n".to_owned()]));
    assert_eq!(kpi_error(report.kpi_call).as_deref(), Some("KPI `m` has no `jsonPath`"));
}

#[test]
fn kpis_of_the_caller() {
    let options = AccumulationOptions::new().kpis(KpiSet::read(KPIS).unwrap());
    let (report, asked) = run(options, [cut(r#"{"n": [1, 2"#), reply(", 3]}", "stop")]);
    assert_eq!(asked, [Purpose::Answer, Purpose::Continuation]);
    assert_eq!(report.last_values.and_then(|values| values.get("n")), Some(3.0));
}

#[test]
fn an_endless_list_of_kpis_is_cut() {
    let endless = format!("[{}", r#"{"id": "x", "jsonPath": "x", "targetValue": 1}, "#.repeat(10_000));
    let mut accumulation = Accumulation::new(REQUEST, AccumulationOptions::new());
    accumulation.text(r#"{"n": [1, "#);
    accumulation.end("length", None);
    for chunk in endless.as_bytes().chunks(1000) {
        assert!(accumulation.text(chunk).is_none());
    }
    accumulation.end("stop", None);
    assert_eq!(accumulation.progress().map(|progress| progress.kpis().len()), Some(1));
    accumulation.cancel();
    assert_eq!(accumulation.report().and_then(|report| report.kpi_call.as_ref()).map(|call| call.bytes), Some(480_001));
}

#[test]
fn of_many_kpis_the_first_are_used() {
    let many: Vec<_> = (0..30).map(|id| json!({"id": id, "jsonPath": "n", "targetValue": 9})).collect();
    let replies = [cut(r#"{"n": [1, 2"#), reply(&Value::from(many).to_string(), "stop"), reply(", 3]}", "stop")];
    let (report, _) = run(AccumulationOptions::new(), replies);
    assert_eq!((report.conclusion, report.kpis.map(|kpis| kpis.len())), (Conclusion::Complete, Some(20)));
    let message = "only the first 20 of 30 KPIs are used";
    assert_eq!(kpi_error(report.kpi_call).as_deref(), Some(message));
}

// --- answers that do not get on ---------------------------------------------------------------------------------------

#[test]
fn targets_reached_with_the_text_still_open() {
    let replies = || [cut(r#"{"n": [1, 2"#), kpis(), cut(", 3, 4, 5, 6, 7")];
    let value = json!({"n": [1, 2, 3, 4, 5, 6, 7]});
    let (report, _) = run(AccumulationOptions::new(), replies());
    ends(&report, Conclusion::TargetsReached, Outcome::Truncated, &value);
    assert_eq!(verdicts(&report), [None, Some(Verdict::Complete)]);

    // On request, rounds go on as long as they bring something.
    let options = || AccumulationOptions::new().stop_at_targets(false);
    let (report, _) = run(options(), replies().into_iter().chain([reply("]}", "stop")]));
    ends(&report, Conclusion::Complete, Outcome::Complete, &value);
    let (report, _) = run(options(), replies().into_iter().chain([cut("[1, 2, 3, 4, 5, 6, 7")]));
    ends(&report, Conclusion::NoProgress, Outcome::Truncated, &value);
}

/// With the last of three begun, two are there.
#[test]
fn targets_reached_by_what_has_only_just_begun() {
    let start = r#"{"items": [{"id": 1}, {"i"#;
    let begun = [r#"d": 2}, {"id": 3, "na"#, r#"me": "x"}], "note": "y"}"#];
    let paths: &[_] = if cfg!(feature = "jsonpath") { &["items", "$.items[*]"] } else { &["items"] };
    for path in paths {
        let kpis = KpiSet::read(format!(r#"[{{"id": "n", "jsonPath": "{path}", "targetValue": 3}}]"#)).unwrap();
        let options = || AccumulationOptions::new().kpis(kpis.clone());
        let (report, _) = run(options(), [cut(start), cut(begun[0]), reply(begun[1], "stop")]);
        assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::Complete, 3), "{path}");
        assert_eq!(verdicts(&report)[1], Some(Verdict::Complete), "{path}: all have begun");
        // A fourth has begun: three are whole.
        let (report, _) = run(options(), [cut(start), cut(begun[0]), cut(r#"me": "x"}, {"id"#)]);
        assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::TargetsReached, 3), "{path}");
        // None begins.
        let (report, _) = run(options(), [cut(start), cut(r#"d": 2}, {"id": 3}"#)]);
        assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::TargetsReached, 2), "{path}");
    }
    // Members as well; the cut may be further in.
    let kpis = KpiSet::read(r#"[{"id": "n", "jsonPath": "$", "targetValue": 2}]"#).unwrap();
    let rounds = [cut(r#"{"a": 1, "#), cut(r#""b": {"c": [1, {"d": "#), reply("2}]}}", "stop")];
    assert_eq!(run(AccumulationOptions::new().kpis(kpis), rounds).0.conclusion, Conclusion::Complete);
}

#[test]
fn backwards() {
    // The figure is one that the answer itself has: here it shrinks, in a number that was cut.
    let kpis = r#"[{"id": "left", "jsonPath": "done", "targetValue": 100}]"#;
    let (report, _) = run(AccumulationOptions::new(), [cut(r#"{"done": 1"#), reply(kpis, "stop"), cut("e-1")]);
    assert_eq!((report.conclusion, report.outcome()), (Conclusion::WentBackwards, Outcome::Truncated));
    assert_eq!(verdicts(&report), [None, Some(Verdict::Backwards)]);
    assert_eq!(report.snapshot().at("/done").number_text(), Some("1e-1"));
}

#[test]
fn no_progress() {
    let start = || [cut(r#"{"n": [1, 2], "note": "a"#), kpis()];
    let (report, _) = run(AccumulationOptions::new(), start().into_iter().chain([cut("b")]));
    ends(&report, Conclusion::NoProgress, Outcome::Truncated, &json!({"n": [1, 2], "note": "ab"}));

    // A string that takes more than a round needs patience.
    let rounds = [cut("b"), cut("c"), reply("d\"}", "stop")];
    let (report, _) = run(AccumulationOptions::new().patience(2), start().into_iter().chain(rounds));
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!({"n": [1, 2], "note": "abcd"}));
}

/// Where nobody said what counts, a string that takes several rounds is progress.
#[test]
fn one_long_string() {
    let rounds = [cut("{\"note\": \"a"), cut("b"), cut("c"), reply("d\"}", "stop")];
    let (report, _) = run(quiet(), rounds);
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!({"note": "abcd"}));
    assert_eq!(verdicts(&report)[1..3], [Some(Verdict::NoProgress); 2], "the number of leaves stays 1");
}

#[test]
fn repeated_content() {
    // Rounds that add elements, but always the same ones.
    let (report, _) = run(quiet(), [cut("[0, 0"), cut(", 0, 0"), cut(", 0, 0"), cut(", 0, 0\n")]);
    ends(&report, Conclusion::Repeated, Outcome::Truncated, &json!([0, 0, 0, 0, 0, 0, 0, 0]));
    // Rounds that add nothing.
    let element = "{\"id\": 1, \"name\": \"Mer";
    let (report, _) =
        run(quiet().patience(9), [cut(&format!("[{element}")), cut(element), cut(&format!("\n{element}"))]);
    assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::Repeated, 3));
    // Once is no habit, and who wants none is not guarded.
    let zeros = || [cut("[0, 0"), cut(", 0, 0"), cut(", 0, 0"), cut(", 0, 1"), cut(", 0, 0"), reply("]", "stop")];
    assert_eq!(run(quiet(), zeros()).0.conclusion, Conclusion::Complete);
    let zeros = [cut("[0, 0"), cut(", 0, 0"), cut(", 0, 0"), cut(", 0, 0"), reply("]", "stop")];
    assert_eq!(run(quiet().repeat_limit(None), zeros).0.conclusion, Conclusion::Complete);
}

#[test]
fn refusals_and_nothing() {
    for (text, conclusion) in [
        ("I am sorry, I cannot help with that.", Conclusion::Refused),
        ("<think>Where to begin", Conclusion::Refused),
        ("", Conclusion::Empty),
        (" \n", Conclusion::Empty),
    ] {
        let (report, asked) = run(AccumulationOptions::new(), [reply(text, "stop")]);
        ends(&report, conclusion, Outcome::Empty, &Value::Null);
        assert_eq!(asked, [Purpose::Answer], "{text}");
    }
    let (report, _) = run(quiet(), [cut(r#"{"n": [1, 2, "#), reply("", "stop")]);
    ends(&report, Conclusion::Empty, Outcome::Truncated, &json!({"n": [1, 2]}));
    assert_eq!(report.rounds.len(), 2);
    let (report, _) = run(quiet(), [cut(r#"{"n": [1, 2, "#), reply(" \n", "stop")]);
    assert_eq!(report.conclusion, Conclusion::Empty);
}

/// Rounds that bring nothing, whatever the reason, in a row.
#[test]
fn patience_with_all_that_brings_nothing() {
    let start = || cut(r#"{"n": [1, 2"#);
    let value = json!({"n": [1, 2, 3]});
    let sorry = || reply("I am sorry, I cannot go on with that.", "stop");
    let failure = || ScriptedReply::broken([""; 0], "overloaded");
    let nothing = || reply("", "stop");
    for (one, conclusion) in [
        (sorry(), Conclusion::Refused),
        (nothing(), Conclusion::Empty),
        (reply(" \n", "stop"), Conclusion::Empty),
        (failure(), Conclusion::ModelFailed),
    ] {
        let end = || reply(", 3]}", "stop");
        let (report, _) = run(quiet().patience(1), [start(), one.clone(), end()]);
        ends(&report, Conclusion::Complete, report.outcome(), &value);
        assert_eq!(verdicts(&report), [None, Some(Verdict::NoProgress), Some(Verdict::Complete)], "{one:?}");
        // Also more often than a repeat may come.
        let (report, _) = run(quiet().patience(3), [start(), one.clone(), one.clone(), one.clone(), end()]);
        ends(&report, Conclusion::Complete, report.outcome(), &value);
        // The last one says why.
        let (report, _) = run(quiet().patience(2), [start(), sorry(), failure(), one.clone()]);
        ends(&report, conclusion, Outcome::Truncated, &json!({"n": [1, 2]}));
        assert_eq!((report.rounds.len(), report.seams().len()), (4, 3));
    }
    // A round that gets on is a new beginning; one that only repeats is none.
    let rounds = [start(), nothing(), cut(", 3"), sorry(), cut(", 4"), failure(), failure()];
    assert_eq!(run(quiet().patience(1), rounds).0.conclusion, Conclusion::ModelFailed);
    let rounds = [start(), nothing(), cut("[1, 2"), nothing()];
    assert_eq!(run(quiet().patience(2), rounds).0.conclusion, Conclusion::Empty);
    // What a broken response has brought is kept, and may be all that was asked for.
    let broken = || ScriptedReply::broken([", 3, 4, "], "connection lost");
    let (report, _) = run(quiet().patience(1), [start(), broken(), reply("5]}", "stop")]);
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!({"n": [1, 2, 3, 4, 5]}));
    let kpis = KpiSet::read(r#"[{"id": "n", "jsonPath": "n", "targetValue": 4}]"#).unwrap();
    let (report, _) = run(AccumulationOptions::new().patience(1).kpis(kpis), [start(), broken()]);
    assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::TargetsReached, 2));
    let (report, _) = run(quiet().patience(9).round_limit(3), [start(), nothing(), failure()]);
    assert_eq!(report.conclusion, Conclusion::RoundLimit);
}

#[test]
fn no_patience_with_a_model_that_cannot_be_asked() {
    for (kind, is_asked_again) in [
        (ModelErrorKind::Unavailable, true),
        (ModelErrorKind::Setup, false),
        (ModelErrorKind::Unauthorized, false),
        (ModelErrorKind::Rejected, false),
    ] {
        let mut accumulation = Accumulation::new("Two numbers.", quiet().patience(5));
        accumulation.text("[1, ");
        accumulation.end("length", None);
        accumulation.fail(ModelError::of_kind(kind, "no"));
        match accumulation.next_step() {
            NextStep::Ask(_) => assert!(is_asked_again, "{kind}"),
            NextStep::Done(report) => {
                assert!(!is_asked_again, "{kind}");
                assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::ModelFailed, 2));
            }
        }
    }
}

/// Before there is any of the document, the answer itself is asked for again.
#[test]
fn patience_with_the_first_round() {
    let whole = r#"{"n": [1, 2]}"#;
    for first in [
        reply("", "stop"),
        reply("I am sorry, I cannot help with that.", "stop"),
        cut("Here you are:\n```json\n"),
        cut("<think>Where to begin"),
        ScriptedReply::broken([""; 0], "overloaded"),
        ScriptedReply::broken(["Here"], "connection lost"),
    ] {
        for second in [
            whole.to_owned(),
            format!("Here you are:\n```json\n{whole}\n```"),
            format!("<think>Where to begin?</think>\n{whole}"),
        ] {
            let (report, asked) = run(AccumulationOptions::new().patience(1), [first.clone(), reply(&second, "stop")]);
            assert_eq!(asked, [Purpose::Answer, Purpose::Answer]);
            let outcome = report.outcome();
            assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::Complete, 2), "{first:?} {second:?}");
            ends(&report, Conclusion::Complete, outcome, &json!({"n": [1, 2]}));
            assert_eq!((report.finished.snapshot().text().as_ref(), report.seams().len()), (second.as_str(), 1));
        }
    }
    // KPIs are asked for when there is something to measure; the rounds before that count.
    let rounds = [reply("", "stop"), cut(r#"{"n": [1, 2"#), kpis(), cut(", 3"), reply("]}", "stop")];
    let (report, asked) = run(AccumulationOptions::new().patience(1), rounds);
    assert_eq!(asked, [Purpose::Answer, Purpose::Answer, Purpose::Kpis, Purpose::Continuation, Purpose::Continuation]);
    let numbers: Vec<_> =
        report.rounds.iter().map(|round| round.progress.as_ref().map(|progress| progress.round)).collect();
    assert_eq!((report.conclusion, numbers), (Conclusion::Complete, vec![None, None, Some(3), Some(4)]));
    // A part of an answer is gone on with.
    let rounds = [ScriptedReply::broken([r#"{"n": [1, "#], "connection lost"), reply("2]}", "stop")];
    let (report, asked) = run(quiet().patience(1), rounds);
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!({"n": [1, 2]}));
    assert_eq!(asked, [Purpose::Answer, Purpose::Continuation]);
    // Such an answer can be taken up again as any other.
    let rounds = [cut("<think>Where to begin"), cut(r#"{"n": [1, 2"#), cut(", 3, ")];
    let (report, _) = run(quiet().patience(1).round_limit(3), rounds);
    ends(&report, Conclusion::RoundLimit, Outcome::Truncated, &json!({"n": [1, 2, 3]}));
    let mut parser = Parser::resume(&report.finished.frozen().checkpoint().unwrap());
    parser.next_round();
    let update = parser.feed("[1, 2, 3, 4]}");
    assert!(update.sequence() > 4, "they go on: {}", update.sequence());
    let answer = parser.finish(End::Stopped).into_complete().unwrap();
    assert_eq!(answer.finished().seams().len(), 3);
    assert_eq!(answer.at("/n").len(), 4);
    // It ends with the last.
    let rounds = [reply("Sorry.", "stop"), reply(" ", "stop"), ScriptedReply::broken([""; 0], "overloaded")];
    let (report, _) = run(quiet().patience(2), rounds);
    ends(&report, Conclusion::ModelFailed, Outcome::Empty, &Value::Null);
    let rounds = [reply("Sorry.", "stop"), reply(" ", "stop")];
    assert_eq!(run(quiet().patience(1), rounds).0.conclusion, Conclusion::Empty);
}

// --- failures and limits ----------------------------------------------------------------------------------------------

#[test]
fn an_error_leads_to_what_is_behind_it() {
    let mut accumulation = Accumulation::new(REQUEST, quiet());
    accumulation.text("[1, ");
    let reset = io::Error::from(io::ErrorKind::ConnectionReset);
    accumulation.fail(ModelError::new("the connection was lost").with_source(reset));
    // What went wrong in a round says what the model's error says: behind it is what is behind that.
    let error = accumulation.rounds()[0].error.as_ref().unwrap();
    assert_eq!(error.to_string(), "the connection was lost");
    assert!(error.source().unwrap().is::<io::Error>());
    // An accumulation that is not whole says more than the model's error, which is the next of the chain.
    let incomplete = accumulation.report().unwrap().clone().into_complete().unwrap_err();
    let source = incomplete.source().unwrap();
    assert!(source.is::<ModelError>() && source.source().unwrap().is::<io::Error>());
}

#[test]
fn an_error_in_mid_stream_keeps_everything() {
    let broken = || ScriptedReply::broken([r#"{"n": [1, 2, "#, "3, "], "connection lost");
    let (report, _) = run(quiet(), [broken()]);
    ends(&report, Conclusion::ModelFailed, Outcome::Truncated, &json!({"n": [1, 2, 3]}));
    let Some(RoundError::Model(error)) = &report.rounds[0].error else { panic!("{:?}", report.rounds) };
    assert_eq!((error.kind(), error.to_string().as_str()), (ModelErrorKind::Other, "connection lost"));
    assert_eq!(serde_json::to_value(&report).unwrap()["rounds"][0]["error"], "connection lost");
    assert_eq!((report.rounds[0].bytes, &report.rounds[0].stop_reason), (16, &StopReason::unknown()));

    let (report, _) = run(quiet(), [cut(r#"{"n": [1, 2, "#), ScriptedReply::broken(["3, "], "connection lost")]);
    ends(&report, Conclusion::ModelFailed, Outcome::Truncated, &json!({"n": [1, 2, 3]}));
    assert_eq!(report.rounds.len(), 2);

    let (report, _) = run(quiet(), [ScriptedReply::broken([""; 0], "no such model")]);
    ends(&report, Conclusion::ModelFailed, Outcome::Empty, &Value::Null);

    // Behind the document it does not matter.
    let (report, _) = run(quiet(), [ScriptedReply::broken([r#"{"n": []}"#], "connection lost")]);
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!({"n": []}));
    assert!(report.rounds[0].error.is_some());
}

#[test]
fn the_round_limit() {
    let rounds = || [cut("[1, 2"), cut(", 3"), cut(", 4")];
    let (report, _) = run(quiet().round_limit(3), rounds());
    ends(&report, Conclusion::RoundLimit, Outcome::Truncated, &json!([1, 2, 3, 4]));
    // No KPIs are asked for where there is no other round.
    let (report, asked) = run(AccumulationOptions::new().round_limit(0), [cut("[1, 2")]);
    assert_eq!((report.conclusion, asked.len()), (Conclusion::RoundLimit, 1));
}

#[test]
fn the_byte_limit() {
    let text = "[10, 20, 30, 40]";
    for limit in 0..=text.len() {
        for size in [1, 5, 100] {
            let mut accumulation = Accumulation::new(REQUEST, quiet().byte_limit(limit as u64));
            for chunk in text.as_bytes().chunks(size) {
                accumulation.text(chunk);
            }
            accumulation.end("length", None);
            let report = accumulation.report();
            let whole = limit == text.len();
            let conclusion = if whole { Conclusion::Complete } else { Conclusion::ByteLimit };
            let report = report.unwrap_or_else(|| panic!("done at {limit}"));
            assert_eq!(report.conclusion, conclusion, "{limit}, {size}");
            assert_eq!(report.finished.frozen().cut().offset(), limit as u64);
            assert_eq!(report.rounds.iter().map(|round| round.bytes).sum::<u64>(), limit as u64);
        }
    }
    // In a later round, and the document is whole before the limit.
    let (report, _) = run(quiet().byte_limit(12), [cut("[1, 2, "), cut("3, 4, 5, 6")]);
    ends(&report, Conclusion::ByteLimit, Outcome::Truncated, &json!([1, 2, 3, 4]));
    let (report, _) = run(quiet().byte_limit(12), [reply("{\"a\": 1}\nThat is all.", "stop")]);
    assert_eq!(report.conclusion, Conclusion::Complete);
}

#[test]
fn text_that_cannot_be_read() {
    let options = quiet().parser(jsonrill::Options::strict());
    let (report, _) = run(options.clone(), [ScriptedReply::new(["[1, ", "oops", ", 2]"], "stop")]);
    ends(&report, Conclusion::Unreadable, Outcome::Malformed, &json!([1]));
    assert_eq!(report.rounds[0].bytes, 8, "what came behind it was not wanted");
    let (report, _) = run(options, [cut("[1, "), reply("oops]", "stop")]);
    assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::Unreadable, 2));
}

#[test]
fn cancelled() {
    let mut accumulation = Accumulation::new(REQUEST, quiet());
    accumulation.text("[1, 2, ");
    assert!(accumulation.cancel().is_some());
    assert!(
        accumulation.cancel().is_none() && accumulation.text("3").is_none() && accumulation.end("stop", None).is_none()
    );
    let report = accumulation.report().unwrap();
    ends(report, Conclusion::Cancelled, Outcome::Truncated, &json!([1, 2]));
    assert_eq!(report.rounds.len(), 1);

    // Between rounds there is neither a round nor a seam more.
    let mut accumulation = Accumulation::new(REQUEST, quiet());
    accumulation.text("[1, 2, ");
    accumulation.end("length", None);
    accumulation.cancel();
    let report = accumulation.report().unwrap();
    assert_eq!((report.rounds.len(), report.seams().len()), (1, 0));
}

// --- what can be seen on the way --------------------------------------------------------------------------------------

#[test]
fn updates_add_up_across_rounds() {
    let model = ScriptedModel::new([
        ScriptedReply::new([r#"{"n": [1"#, "0, 20", ", 3"], "length"),
        kpis(),
        ScriptedReply::new(["0, 4", "0, 50], \"note\": \"a \\"], "length"),
        ScriptedReply::new(["\"b", "\\\" c\"", "} \n"], "stop"),
    ]);
    let (mut replica, mut sequence, mut asked) = (Value::Null, 0, Vec::new());
    let mut stream = block_on_stream(accumulate(&model, REQUEST, AccumulationOptions::new()));
    let report = loop {
        match stream.next() {
            Some(AccumulationEvent::Asked(purpose)) => asked.push(purpose),
            Some(AccumulationEvent::Update(update)) => {
                sequence += 1;
                assert_eq!(update.sequence(), sequence, "none is lost");
                apply_all(&update.delta().to_ops(), &mut replica).unwrap();
                assert_eq!(replica, update.snapshot().to_value());
                assert_eq!(stream.accumulation().snapshot().to_value(), replica);
            }
            Some(AccumulationEvent::RoundEnded(_)) => {}
            Some(AccumulationEvent::Done(report)) => break report,
            event => panic!("{event:?}"),
        }
    };
    assert!(stream.next().is_none());
    assert_eq!(asked, [Purpose::Answer, Purpose::Kpis, Purpose::Continuation, Purpose::Continuation]);
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!({"n": [10, 20, 30, 40, 50], "note": "a \"b\" c"}));
    assert_eq!(replica, report.snapshot().to_value());
}

/// Each round is given out once, behind its last update and with what it has brought.
#[test]
fn rounds_are_given_out_as_they_end() {
    let model = ScriptedModel::new([
        cut(r#"{"n": [1, 2"#).usage(Usage::new(1, 2)),
        kpis(),
        cut(", 3"),
        ScriptedReply::broken([", 4"], "connection lost"),
    ]);
    let mut stream = block_on_stream(accumulate(&model, REQUEST, AccumulationOptions::new()));
    let (mut log, mut rounds, mut last) = (String::new(), Vec::new(), None);
    let report = loop {
        match stream.next() {
            Some(AccumulationEvent::Asked(_)) => log.push('a'),
            Some(AccumulationEvent::Update(update)) => {
                log.push('u');
                last = Some(update);
            }
            Some(AccumulationEvent::RoundEnded(round)) => {
                log.push('r');
                rounds.push(round);
                assert_eq!(stream.accumulation().rounds(), rounds);
            }
            Some(AccumulationEvent::Done(report)) => break report,
            event => panic!("{event:?}"),
        }
    };
    assert_eq!(log, "auuraauurauur");
    assert_eq!(rounds, report.rounds);
    assert_eq!(verdicts(&report), [None, Some(Verdict::Progress), Some(Verdict::Progress)]);
    // The last update is that of the report.
    let last = last.unwrap();
    assert_eq!(last.sequence(), report.finished.update().sequence());
    assert_eq!(last.delta().to_string(), report.finished.update().delta().to_string());
}

#[test]
fn seams_while_it_runs() {
    let mut accumulation = Accumulation::new(REQUEST, quiet());
    accumulation.text(r#"[{"id": 1, "name": "A"#);
    accumulation.end("length", None);
    assert!(accumulation.seams().is_empty());
    accumulation.text(r#"{"id": 1"#);
    let kinds =
        |accumulation: &Accumulation| accumulation.seams().iter().map(|seam| seam.kind).collect::<Vec<SeamKind>>();
    assert_eq!(kinds(&accumulation), [SeamKind::Undecided]);
    accumulation.text(r#", "name": "Ann"}, {"id": 2"#);
    assert_eq!(kinds(&accumulation), [SeamKind::Repeat]);
    accumulation.end("length", None);
    accumulation.text("}]");
    accumulation.end("stop", None);
    let report = accumulation.report().unwrap();
    assert_eq!((report.conclusion, accumulation.seams()), (Conclusion::Complete, report.seams()));
}

#[test]
fn chunks_never_matter() {
    let rounds: &[&[u8]] = &[
        "Sure:\n```json\n{\"n\": [1, 2, 3],\n \"note\": \"na\u{ef}ve, \\ud83".as_bytes(),
        KPIS.as_bytes(),
        b"d\\ude00 \", \"m\": {\"a\": tr",
        b"ue}, 'b': 01",
        b"0}\n```\nDone.",
    ];
    let reports: Vec<_> = [1, 2, 3, 7, 1000]
        .into_iter()
        .map(|size| {
            let mut accumulation = Accumulation::new(REQUEST, AccumulationOptions::new().patience(2));
            for (number, text) in rounds.iter().enumerate() {
                assert!(!accumulation.is_done(), "round {number}: {:?}", accumulation.report());
                for chunk in text.chunks(size) {
                    accumulation.text(chunk);
                }
                accumulation.end(if number == 1 || number == 4 { "stop" } else { "length" }, None);
            }
            serde_json::to_string(accumulation.report().expect("it is over")).unwrap()
        })
        .collect();
    assert!(reports[0].contains(r#""conclusion":"complete","outcome":"repaired""#), "{}", reports[0]);
    assert!(reports.iter().all(|report| *report == reports[0]), "{reports:#?}");
}

#[test]
fn how_far_it_is() {
    let mut accumulation = Accumulation::new(REQUEST, AccumulationOptions::new());
    let completion = |accumulation: &Accumulation| accumulation.completion();
    accumulation.text(r#"{"n": [1, 2"#);
    assert_eq!((completion(&accumulation), accumulation.rounds().len()), (None, 0));
    accumulation.end("length", None);
    assert!(accumulation.progress().is_none());
    accumulation.text(KPIS);
    accumulation.end("stop", None);
    assert_eq!(completion(&accumulation), Some(2.0 / 6.0));
    let update: Option<Update> = accumulation.text(", 3");
    assert_eq!(update.map(|update| update.snapshot().at("/n").len()), Some(3));
    assert_eq!(completion(&accumulation), Some(0.5), "in the middle of a round");
    let last = |accumulation: &Accumulation| accumulation.progress().and_then(|progress| progress.last().get("n"));
    assert_eq!(last(&accumulation), Some(2.0), "measured, whatever the model says");
    accumulation.end("length", None);
    assert_eq!((last(&accumulation), accumulation.rounds().len()), (Some(3.0), 2));
    accumulation.text("]}");
    accumulation.end("stop", None);
    assert_eq!((completion(&accumulation), accumulation.is_done()), (Some(1.0), true));
}

#[test]
fn what_the_model_is_asked() {
    let model = ScriptedModel::new([cut(r#"{"n": [1, 2"#), kpis(), cut(", 3"), reply("]}", "stop")]);
    block_on(accumulate(&model, REQUEST, AccumulationOptions::new()).report());
    let requests = model.requests();
    assert_eq!(requests[0].prompt, REQUEST, "the user's own words");
    for (request, parts) in requests.iter().zip([
        &[][..],
        &[
            "<summary>\n11 bytes, cut inside the value at /n/1\n",
            "<last_complete>\n1\n</last_complete>",
            "<cut_element>\n2\n<",
        ],
        &["<overlap>\n[1, 2\n</overlap>"],
        &["<hierarchy>\n{\"n\": [1, 2, 3\n</hierarchy>", "<overlap>\n[1, 2, 3\n</overlap>"],
    ]) {
        assert!(request.prompt.contains(REQUEST));
        for part in parts {
            assert!(request.prompt.contains(part), "{}", request.prompt);
        }
    }
}

#[test]
fn templates_and_contexts_of_the_caller() {
    let model = ScriptedModel::new([cut(r#"{"n": [1, 2"#), kpis(), reply("]}", "stop")]);
    let options = AccumulationOptions::new()
        .contexts(ContextOptions::new().overlap_max_chars(3))
        .continuation_template(ContinuationTemplate::new("more {{overlap}}").unwrap())
        .kpi_template(KpiTemplate::new("measure {{cut_element}}").unwrap());
    block_on(accumulate(&model, REQUEST, options).report());
    let prompts: Vec<_> = model.requests().into_iter().map(|request| request.prompt).collect();
    assert_eq!(prompts, [REQUEST, "measure <cut_element>\n2\n</cut_element>", "more <overlap>\n, 2\n</overlap>"]);
}

#[test]
fn a_stream_that_is_cancelled_still_gives_its_report() {
    let model = ScriptedModel::new([ScriptedReply::new(["[1, ", "2, ", "3]"], "stop")]);
    let mut stream = block_on_stream(accumulate(&model, REQUEST, quiet()));
    let updates = stream.by_ref().filter(|event| matches!(event, AccumulationEvent::Update(_))).take(2).count();
    stream.cancel();
    let rest: Vec<_> = stream.collect();
    let [AccumulationEvent::Update(last), AccumulationEvent::RoundEnded(_), AccumulationEvent::Done(report)] =
        &rest[..]
    else {
        panic!("{rest:?}")
    };
    assert_eq!((updates, last.sequence()), (2, 3), "no update is lost");
    ends(report, Conclusion::Cancelled, Outcome::Truncated, &json!([1, 2]));
}

/// Says the same for ever when it is asked for KPIs.
struct Endless {
    start: ScriptedModel,
    event: ModelEvent,
}

impl LanguageModel for Endless {
    fn respond(&self, request: ModelRequest) -> ModelStream<'_> {
        match request.purpose {
            Purpose::Kpis => Box::pin(futures::stream::repeat_with(|| Ok(self.event.clone()))),
            _ => self.start.respond(request),
        }
    }
}

#[test]
fn a_model_that_defines_kpis_for_ever() {
    let start = || ScriptedModel::new([cut("[1, 2"), reply(", 3]", "stop")]);
    let model = Endless { start: start(), event: ModelEvent::Text("[".repeat(1000)) };
    let report = block_on(accumulate(&model, REQUEST, AccumulationOptions::new()).report());
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!([1, 2, 3]));
    assert_eq!(report.kpi_call.map(|call| call.bytes), Some(66_000));

    // One that has nothing to say leaves the executor its turn, and can be cancelled.
    let model = Endless { start: start(), event: ModelEvent::Usage(Usage::new(1, 1)) };
    let mut stream = accumulate(&model, REQUEST, AccumulationOptions::new());
    let mut context = Context::from_waker(Waker::noop());
    while Pin::new(&mut stream).poll_next(&mut context).is_ready() {}
    stream.cancel();
    assert_eq!(block_on(stream.report()).conclusion, Conclusion::Cancelled);
}

/// Gives nothing at every other poll, and counts the responses that were dropped.
struct Slow {
    replies: ScriptedModel,
    dropped: AtomicUsize,
}

struct SlowStream<'m> {
    events: ModelStream<'m>,
    is_ready: bool,
    dropped: &'m AtomicUsize,
}

impl LanguageModel for Slow {
    fn respond(&self, request: ModelRequest) -> ModelStream<'_> {
        Box::pin(SlowStream { events: self.replies.respond(request), is_ready: true, dropped: &self.dropped })
    }
}

impl Stream for SlowStream<'_> {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.is_ready = !self.is_ready;
        if self.is_ready {
            return self.events.as_mut().poll_next(context);
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Drop for SlowStream<'_> {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_model_that_takes_its_time() {
    let replies = ScriptedModel::new([cut("[1, 2"), cut(", 3"), reply("]", "stop")]);
    let model: Box<dyn LanguageModel> = Box::new(Slow { replies, dropped: AtomicUsize::new(0) });
    let mut stream = accumulate(&*model, REQUEST, quiet());
    // Nothing is lost by looking, and giving up to wait.
    let mut context = Context::from_waker(Waker::noop());
    let (mut polls, mut events) = (0, Vec::new());
    while events.len() < 5 {
        polls += 1;
        if let Poll::Ready(event) = Pin::new(&mut stream).poll_next(&mut context) {
            events.push(event.unwrap());
        }
    }
    assert!(polls > events.len());
    let report = block_on(stream.report());
    ends(&report, Conclusion::Complete, Outcome::Complete, &json!([1, 2, 3]));
}

#[test]
fn a_response_that_nobody_wants_is_dropped() {
    let replies = ScriptedModel::new([ScriptedReply::new(["[1, 2", ", 3", ", 4]"], "stop")]);
    let model = Slow { replies, dropped: AtomicUsize::new(0) };
    let mut stream = block_on_stream(accumulate(&model, REQUEST, quiet().byte_limit(6)));
    let updates = stream.by_ref().take(3).filter(|event| matches!(event, AccumulationEvent::Update(_))).count();
    assert_eq!((updates, stream.accumulation().is_done()), (2, true));
    assert_eq!(model.dropped.load(Ordering::Relaxed), 1, "at once, not with the stream");
    assert!(matches!(stream.next(), Some(AccumulationEvent::RoundEnded(round)) if round.bytes == 6));
    assert!(matches!(stream.next(), Some(AccumulationEvent::Done(_))));
}

#[test]
fn the_report_as_json() {
    let (report, _) = run(AccumulationOptions::new(), [cut(r#"{"n": [1, 2"#), kpis(), reply(", 3.50]}", "stop")]);
    let written = serde_json::to_string(&report).unwrap();
    assert!(
        written.contains(r#""value":{"n":[1,2,3.50]}"#) || written.contains(r#""value":{"n":[1,2,3.5]}"#),
        "{written}"
    );
    let value: Value = serde_json::from_str(&written).unwrap();
    let expected = json!({
        "conclusion": "complete", "outcome": "complete", "complete": true, "usage": {"input_tokens": 0, "output_tokens": 0},
        "last_values": {"n": 3}, "repairs": [], "cut": null,
    });
    for (key, expected) in expected.as_object().unwrap() {
        assert_eq!(&value[key], expected, "{key}");
    }
    assert_eq!(value["rounds"][1]["progress"]["verdict"], "complete");
    assert_eq!(value["rounds"][0]["progress"], Value::Null);
    assert_eq!((&value["rounds"][0]["stop_reason"], &value["seams"][0]["offset"]), (&json!("length"), &json!(11)));
    assert_eq!((&value["kpi_call"]["error"], &value["kpis"][0]["id"]), (&Value::Null, &json!("n")));
}

/// Counting leaves costs as much as the document is long, and says nothing about how much is left.
#[test]
fn nobody_knows_how_far_it_is_without_targets() {
    let mut accumulation = Accumulation::new(REQUEST, quiet());
    accumulation.text("[1, 2");
    accumulation.end("length", None);
    assert_eq!(
        (accumulation.progress().map(|progress| progress.kpis().len()), accumulation.completion()),
        (Some(1), None)
    );
}

/// A driver of one's own may send a response's leftovers, or ask again what is to be done.
#[test]
fn steps_stand_still() {
    let mut accumulation = Accumulation::new(REQUEST, quiet());
    for text in ["[1, ", "2, "] {
        assert!(matches!(accumulation.next_step(), NextStep::Ask(request) if request.purpose == Purpose::Answer));
        accumulation.text(text);
    }
    accumulation.end("length", None);
    assert!(matches!(accumulation.next_step(), NextStep::Ask(request) if request.purpose == Purpose::Continuation));
    accumulation.text("3]");
    accumulation.end("stop", None);
    for _ in 0..2 {
        assert!(matches!(accumulation.next_step(), NextStep::Done(report) if report.rounds.len() == 2));
        accumulation.text("4]");
    }
}

#[test]
fn streams_can_be_sent_to_other_threads() {
    fn is_send<T: Send>(_: &T) {}
    let model = ScriptedModel::default();
    let stream = accumulate(&model, REQUEST, quiet());
    is_send(&stream);
    is_send(&stream.report());
}
