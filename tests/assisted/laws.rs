//! What holds whatever the text and the answers are.

use jsonrill::{Ask, AssistedOptions, AssistedRepair, AssistedReport, AssistedStep, Comparison, Outcome, RepairSource};
use proptest::prelude::*;
use proptest::sample::select;

use crate::common::chunks::{Chunking, chunking};
use crate::common::{config, strict};
use crate::corpus::DAMAGED;

/// Answers with these, cut so.
fn answered(text: &str, options: AssistedOptions, answers: &[String], chunking: &Chunking) -> AssistedReport {
    let mut repair = AssistedRepair::new(text, options);
    for answer in answers {
        for chunk in chunking.cut(answer.as_bytes()) {
            repair.text(chunk);
        }
        repair.end("stop", None);
    }
    while let AssistedStep::Ask { .. } = repair.next_step() {
        repair.end("stop", None);
    }
    repair.into_report()
}

fn keeps_the_laws(report: &AssistedReport, text: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(report.original(), text);
    let rules = jsonrill::repair(text);
    if report.text().is_empty() {
        prop_assert!(!report.snapshot().is_started());
    } else {
        let read = strict(report.text());
        prop_assert_eq!(read.outcome(), Outcome::Complete, "{}", report.text());
        prop_assert_eq!(read.snapshot().to_string(), report.snapshot().to_string());
    }
    if report.source() == RepairSource::Rules {
        prop_assert_eq!(report.text(), rules.text());
        prop_assert_eq!(report.outcome(), rules.outcome());
    } else {
        prop_assert!(report.comparison().is_some_and(Comparison::is_faithful));
        prop_assert!(report.error().is_none());
    }
    Ok(())
}

/// A text, an answer, or what is left of one.
fn piece() -> BoxedStrategy<String> {
    let whole = select(DAMAGED.to_vec()).prop_flat_map(|(text, mended)| select(vec![text, mended]));
    prop_oneof![
        3 => whole.clone().prop_map(str::to_owned),
        2 => (whole.clone(), any::<prop::sample::Index>()).prop_map(|(text, at)| {
            let at = at.index(text.len() + 1);
            String::from_utf8_lossy(&text.as_bytes()[..at]).into_owned()
        }),
        1 => (whole, any::<prop::sample::Index>(), "[{}\\[\\]\",: a1\\\\]{0,3}").prop_map(|(text, at, sign)| {
            let mut at = at.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            format!("{}{sign}{}", &text[..at], &text[at..])
        }),
        1 => "[{}\\[\\]\",: a1\\\\\n]{0,40}",
    ]
    .boxed()
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn the_text_is_valid_and_the_original_is_kept(
        text in piece(),
        answers in prop::collection::vec(piece(), 0..3),
        ask in select(vec![Ask::Never, Ask::WhenNeeded, Ask::Always]),
    ) {
        let report = answered(&text, AssistedOptions::new().ask(ask), &answers, &Chunking::Whole);
        keeps_the_laws(&report, &text)?;
    }

    #[test]
    fn how_an_answer_is_cut_does_not_matter(
        (text, mended) in select(DAMAGED.to_vec()), answer in piece(), chunking in chunking(),
    ) {
        let answers = [answer, mended.to_owned()];
        let whole = answered(text, AssistedOptions::new(), &answers, &Chunking::Whole);
        let cut = answered(text, AssistedOptions::new(), &answers, &chunking);
        prop_assert_eq!(serde_json::to_string(&cut).unwrap(), serde_json::to_string(&whole).unwrap());
        keeps_the_laws(&cut, text)?;
    }

    /// A cut text that the model closes without going on with it, or that it was not asked to go on with.
    #[test]
    fn a_cut_value_never_passes_for_a_finished_one(
        (_, mended) in select(DAMAGED.to_vec()), at in any::<prop::sample::Index>(), answers in prop::collection::vec(piece(), 0..3),
    ) {
        let mut at = 1 + at.index(mended.len() - 1);
        while !mended.is_char_boundary(at) {
            at += 1;
        }
        let text = &mended[..at];
        prop_assume!(jsonrill::repair(text).outcome() == Outcome::Truncated);
        let report = answered(text, AssistedOptions::new(), &answers, &Chunking::Whole);
        // The model's own bytes closed it, behind those of the text.
        let closed = report.attempts().last().is_some_and(|attempt| attempt.error.is_none() && attempt.seam.is_some());
        prop_assert_eq!(report.is_complete(), closed, "{:?}", report);
        keeps_the_laws(&report, text)?;
    }

    /// Damage in a long list is mended where it is.
    #[test]
    fn what_is_outside_the_window_stays_as_it_is(
        (text, mended) in select(DAMAGED.to_vec()), before in 150usize..300, behind in 150usize..300,
    ) {
        let filler = |count: usize| vec!["{\"id\": 7, \"text\":\t\"filler\"}"; count].join(" , ");
        let long = format!("[{} , {text} , {}]", filler(before), filler(behind));
        let mut repair = AssistedRepair::new(long.as_str(), AssistedOptions::new());
        let AssistedStep::Ask { request, .. } = repair.next_step() else { return Ok(()) };
        // Where the damage eats into what is behind it there is more to it than this.
        prop_assume!(request.prompt.contains(&format!(" , {text} , ")) && request.prompt.len() < 9_000);
        let sent = request.prompt.split("<text>\n").nth(1).unwrap().split("\n</text>").next().unwrap();
        let answer = sent.replacen(text, mended, 1);
        repair.text(answer);
        repair.end("stop", None);
        while let AssistedStep::Ask { .. } = repair.next_step() {
            repair.end("stop", None);
        }
        let report = repair.into_report();
        keeps_the_laws(&report, &long)?;
        if report.source() == RepairSource::Model {
            prop_assert_eq!(report.text(), format!("[{} , {mended} , {}]", filler(before), filler(behind)));
        }
    }
}
