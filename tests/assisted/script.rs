//! A model that answers what the test says.

use jsonrill::{AssistedOptions, AssistedRepair, AssistedReport, AssistedStep};

/// Answers each request with the next of these, until there is a report.
pub fn answered(text: &str, options: AssistedOptions, answers: &[&str]) -> AssistedReport {
    let mut repair = AssistedRepair::new(text, options);
    let mut answers = answers.iter();
    while let AssistedStep::Ask { .. } = repair.next_step() {
        let Some(answer) = answers.next() else { break };
        repair.text(*answer);
        repair.end("stop", None);
    }
    let report = repair.into_report();
    assert_eq!(answers.len(), 0, "not all answers were asked for: {:?}", report.error());
    report
}

/// The same with one attempt.
pub fn once(text: &str, answer: &str) -> AssistedReport {
    answered(text, AssistedOptions::new().attempts(1), &[answer])
}

/// The prompt of the first request.
pub fn prompt(text: &str, options: AssistedOptions) -> Option<String> {
    match AssistedRepair::new(text, options).next_step() {
        AssistedStep::Ask { request, .. } => Some(request.prompt.clone()),
        AssistedStep::Done(_) => None,
    }
}

/// The code of the error.
pub fn code(report: &AssistedReport) -> &'static str {
    report.error().map_or("", |error| error.code())
}
