//! Texts that are merely cut: the model goes on with them.

use jsonrill::{AssistedOptions, AssistedRepair, AssistedStep, ModelError, Outcome, RepairSource, SeamKind};
use serde_json::json;

use crate::script::{answered, code};

const CUT: &str = "{\n  \"items\": [\n    {\"name\": \"Jane\"},\n    {\"name\": \"Jo";

#[test]
fn the_rest_in_several_manners() {
    for (answer, kind) in [
        ("hn\"}\n  ]\n}", SeamKind::Rest),
        ("```json\nhn\"}\n  ]\n}\n```", SeamKind::Rest),
        ("{\n  \"items\": [\n    {\"name\": \"Jane\"},\n    {\"name\": \"John\"}\n  ]\n}", SeamKind::Restart),
    ] {
        let report = answered(CUT, AssistedOptions::new(), &[answer]);
        assert_eq!((report.source(), report.outcome()), (RepairSource::Model, Outcome::Repaired), "{answer}");
        assert_eq!(report.to_value(), Some(json!({"items": [{"name": "Jane"}, {"name": "John"}]})));
        assert_eq!(report.attempts()[0].seam.as_ref().map(|seam| seam.kind), Some(kind), "{answer}");
        let comparison = report.comparison().unwrap();
        assert!(comparison.is_faithful());
        assert_eq!((comparison.values, comparison.added), (5, 0));
        assert_eq!(report.original(), CUT);
    }
    // The layout is that of both.
    let report = answered(CUT, AssistedOptions::new(), &["hn\"}\n  ]\n}"]);
    assert_eq!(report.text(), format!("{CUT}hn\"}}\n  ]\n}}"));
}

#[test]
fn it_is_shown_the_end_and_told_to_be_brief() {
    let repair = AssistedRepair::new(CUT, AssistedOptions::new().require("/total"));
    let AssistedStep::Ask { request, .. } = repair.next_step() else { panic!() };
    for part in [
        "A JSON document was cut off before its end.",
        "<overlap>\n{\"name\": \"Jo\n</overlap>",
        "<required>\n/total\n</required>",
        "Finish what was begun, add no more than that takes",
    ] {
        assert!(request.prompt.contains(part), "{part} in {}", request.prompt);
    }
}

#[test]
fn what_is_added_is_counted() {
    let report = answered(CUT, AssistedOptions::new(), &["hn\", \"age\": 3}], \"total\": 2}"]);
    assert_eq!(report.comparison().unwrap().added, 4);
    assert!(report.comparison().unwrap().is_faithful());
}

#[test]
fn a_rest_that_was_cut_is_gone_on_with() {
    let report = answered(CUT, AssistedOptions::new(), &["hn\"}, {\"name\": \"Ja", "ck\"}]}"]);
    let names = json!([{"name": "Jane"}, {"name": "John"}, {"name": "Jack"}]);
    assert_eq!(report.to_value(), Some(json!({"items": names})));
    assert_eq!(report.attempts()[0].error.as_ref().unwrap().code(), "cut");

    // A cut value is none that is finished, whatever is said.
    let report = answered(CUT, AssistedOptions::new().attempts(1), &["hn\"}"]);
    assert_eq!((report.source(), report.outcome(), code(&report)), (RepairSource::Rules, Outcome::Truncated, "cut"));
    assert!(!report.is_complete());
    assert_eq!(report.text(), jsonrill::repair(CUT).text());
}

#[test]
fn anything_else_is_not_taken() {
    for (answer, error) in [
        ("", "no_json"),
        ("I am sorry, I cannot go on with that.", "not_continued"),
        ("{\"items\": [{\"name\": \"Zoe\"}]}", "invalid"),
        ("hn\", \"age\": }]}", "invalid"),
    ] {
        let report = answered(CUT, AssistedOptions::new().attempts(1), &[answer]);
        assert_eq!((report.source(), code(&report)), (RepairSource::Rules, error), "{answer}: {report:?}");
        assert_eq!(report.text(), jsonrill::repair(CUT).text());
        // It is asked for the rest of the same text again.
        let again = answered(CUT, AssistedOptions::new(), &[answer, "hn\"}]}"]);
        assert_eq!(again.to_value(), Some(json!({"items": [{"name": "Jane"}, {"name": "John"}]})), "{answer}");
    }
    let mut repair = AssistedRepair::new(CUT, AssistedOptions::new());
    repair.text("hn\"}, {");
    repair.fail(ModelError::new("it broke off"));
    repair.text("hn\"}]}");
    repair.end("stop", None);
    assert_eq!(repair.into_report().to_value(), Some(json!({"items": [{"name": "Jane"}, {"name": "John"}]})));
}

#[test]
fn required_values_count_for_the_whole() {
    let options = || AssistedOptions::new().attempts(1).require("/total");
    assert_eq!(code(&answered(CUT, options(), &["hn\"}]}"])), "missing_fields");
    assert_eq!(code(&answered(CUT, options(), &["hn\"}], \"total\": 2}"])), "");
}
