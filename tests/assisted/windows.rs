//! Long texts, of which a part is sent.

use jsonrill::{AssistedOptions, AssistedRepair, AssistedStep, Outcome, RepairCache, RepairSource};
use serde_json::Value;

use crate::script::{answered, code, prompt};

/// Records with the one at `at` damaged so, and whether the rules leave its neighbours alone.
fn records(count: usize, at: usize, damaged: &str) -> String {
    let record = |n: usize| {
        if n == at {
            damaged.to_owned()
        } else {
            format!("{{\"id\": {n}, \"name\": \"name of {n}\", \"tags\": [\"x\"]}}")
        }
    };
    let list: Vec<_> = (0..count).map(record).collect();
    format!("{{\n  \"total\": {count},\n  \"items\": [\n    {}\n  ]\n}}\n", list.join(",\n    "))
}

/// What the model is sent.
fn sent(text: &str) -> (String, String) {
    let repair = AssistedRepair::new(text, AssistedOptions::new());
    let AssistedStep::Ask { request, .. } = repair.next_step() else { panic!() };
    let between = |tag: &str| {
        let part = request.prompt.split(&format!("<{tag}>\n")).nth(1).unwrap();
        part.split(&format!("\n</{tag}>")).next().unwrap().to_owned()
    };
    (between("text"), between("place"))
}

#[test]
fn an_object_that_lacks_a_value() {
    let text = records(2_000, 1_000, r#"{"id": 1000, "name": , "tags": ["x"]}"#);
    let (part, place) = sent(&text);
    assert_eq!(part, r#"{"id": 1000, "name": , "tags": ["x"]}"#);
    assert_eq!(place, "the value at /items/1000 of a longer document");
    let answer = "```json\n{\n \"id\": 1000, \"name\": null, \"tags\": [\"x\"] }\n```";
    let report = answered(&text, AssistedOptions::new(), &[answer]);
    assert_eq!((report.source(), report.outcome(), code(&report)), (RepairSource::Model, Outcome::Repaired, ""));
    // All around it is as it was, to the byte.
    let mended = text
        .replace(r#"{"id": 1000, "name": , "tags": ["x"]}"#, "{\n \"id\": 1000, \"name\": null, \"tags\": [\"x\"] }");
    assert_eq!(report.text(), mended);
    assert_eq!(report.comparison().unwrap().values, 6);
}

#[test]
fn brackets_that_are_missing() {
    let text = records(2_000, 1_000, r#"{"id": 1000, "name": "name of 1000", "tags": ["x"}"#);
    let (part, place) = sent(&text);
    let record = |n: usize| format!("{{\"id\": {n}, \"name\": \"name of {n}\", \"tags\": [\"x\"]}}");
    let damaged = r#"{"id": 1000, "name": "name of 1000", "tags": ["x"}"#;
    assert!(part.contains(damaged) && part.len() < 1_000, "{place}: {part}");
    let mended = part.replace(damaged, &record(1000));
    let report = answered(&text, AssistedOptions::new(), &[&mended]);
    assert_eq!((report.source(), code(&report)), (RepairSource::Model, ""), "{:?}", report.comparison());
    assert_eq!(report.text(), text.replace(damaged, &record(1000)));
    serde_json::from_str::<Value>(report.text()).unwrap();
}

#[test]
fn elements_of_an_array_and_their_neighbours() {
    let text = records(2_000, 1_000, r#"{"id": 1000, "name": "name of 1000", "tags": ["x"] oops}"#);
    let text = text.replace("\"name of 500\", \"tags\": [\"x\"]", "\"name of 500\", \"tags\": [\"x\"] oops");
    let repair = AssistedRepair::new(text.as_str(), AssistedOptions::new());
    // Two damages that are far apart: all that is between them.
    let AssistedStep::Ask { request, .. } = repair.next_step() else {
        let report = repair.into_report();
        panic!("{:?} {:?}", report.error(), report.repaired().repairs())
    };
    assert!(request.prompt.contains("of the array at /items of a longer document, as an array"));
    assert!(request.prompt.contains("\"name of 499\"") && !request.prompt.contains("\"name of 498\""));
    assert!(request.prompt.contains("\"name of 1001\"") && !request.prompt.contains("\"name of 1002\""));

    // Numbers, of which one has no comma and something else.
    let numbers: Vec<_> = (0..5_000).map(|n| n.to_string()).collect();
    let text = format!("[{}]", numbers.join(", ")).replace(", 2500,", ", 2500 }},");
    let (part, place) = sent(&text);
    assert!(place.starts_with("elements 24") && place.ends_with("answer with an array of these elements"), "{place}");
    assert!(part.starts_with("[24") && part.contains("2500 }}, 2501") && part.len() < 100, "{part}");
    let mended = part.replace(" }}", "");
    let report = answered(&text, AssistedOptions::new(), &[&mended]);
    assert_eq!((report.source(), code(&report)), (RepairSource::Model, ""), "{:?}", report.comparison());
    assert_eq!(report.to_value(), Some((0..5_000).collect::<Vec<_>>().into()));
    // Paths are those of the document.
    let wrong = mended.replace("2500", "9999");
    let report = answered(&text, AssistedOptions::new().attempts(1), &[&wrong]);
    assert_eq!(report.comparison().unwrap().changed.listed[0].path, "/2500");
    let more = mended.replace(']', ", 77]");
    let report = answered(&text, AssistedOptions::new().attempts(1), &[&more]);
    assert_eq!(report.source(), RepairSource::Rules);
    assert!(report.comparison().unwrap().invented.listed[0].path.starts_with("/25"));
}

#[test]
fn too_much_is_not_sent() {
    let long = "word ".repeat(25_000);
    let report = answered(&format!("{{\"a\": \"{long}\", \"b\": }}"), AssistedOptions::new(), &[]);
    assert_eq!(code(&report), "too_large");
    let bytes = long.len() + 16;
    let message = format!("what is to be mended has {bytes} bytes, and at most 102400 are sent");
    assert_eq!(report.error().unwrap().to_string(), message);
    assert_eq!(report.attempts().len(), 0);
    assert_eq!(report.text(), format!("{{\"a\": \"{long}\", \"b\": null}}"));
    let options = AssistedOptions::new().byte_limit(20);
    assert_eq!(code(&answered("{\"a\": [1, 2, \"bcdef\": 3}", options, &[])), "too_large");
    // A part of it may be small enough.
    let text = format!("{{\"a\": \"{long}\", \"b\": {{\"c\": }}}}");
    let report = answered(&text, AssistedOptions::new(), &["{\"c\": null}"]);
    assert_eq!(report.text(), text.replace("\"c\": ", "\"c\": null"));
}

#[test]
fn damage_that_is_in_no_part_takes_all_of_it() {
    let text = records(500, 9_999, "");
    let cut_early = format!("{}, \"more\": [\"a\", \"b\"]}}", text.trim_end());
    let (part, place) = sent(&cut_early);
    assert_eq!((part, &*place), (cut_early.clone(), "the whole text"));
    let wanted = text.trim_end().strip_suffix("\n}").unwrap();
    let answer = format!("{wanted}, \"more\": [\"a\", \"b\"]}}");
    let report = answered(&cut_early, AssistedOptions::new(), &[&answer]);
    assert_eq!((report.source(), report.text()), (RepairSource::Model, &*answer));
    // A missing value may be anywhere.
    let options = AssistedOptions::new().require("/more/0");
    assert!(prompt(&text, options).unwrap().contains("the whole text"));
}

/// Where borders had to be guessed, the damage may be outside of what is sent at first.
#[test]
fn what_is_around_is_sent_where_an_answer_differs() {
    let damaged = r#"{"id": 300, "name": "name of 300", "tags": ["x"}"#;
    let mended = damaged.replace("\"}", "\"]}");
    let text = records(600, 300, damaged);
    let ask = |limit: usize| {
        let mut repair = AssistedRepair::new(text.as_str(), AssistedOptions::new().byte_limit(limit));
        repair.text("[{\"id\": 1}]");
        repair.end("stop", None);
        let AssistedStep::Ask { request, .. } = repair.next_step() else { panic!() };
        let part = request.prompt.split("<text>\n").nth(1).unwrap().split("\n</text>").next().unwrap().to_owned();
        (repair, part)
    };
    let (mut repair, part) = ask(100_000);
    assert!(part.contains("\"total\": 600") && part.contains(damaged) && part.contains("name of 599"), "{part}");
    repair.text(part.replace(damaged, &mended));
    repair.end("stop", None);
    let cache = RepairCache::new();
    repair.store(&cache);
    assert_eq!(cache.len(), 0, "it is no answer to what is asked first");
    let report = repair.into_report();
    assert_eq!((report.source(), code(&report)), (RepairSource::Model, ""), "{:?}", report.comparison());
    assert_eq!(report.text(), text.replace(damaged, &mended));
    // Where that is too large, the same is asked again.
    let (_, part) = ask(2_000);
    assert!(part.len() < 1_000 && part.contains(damaged), "{part}");
    // Nothing was guessed here: what differs is the model's own.
    let text = records(600, 300, r#"{"id": 300, "name": , "tags": ["x"]}"#);
    let mut repair = AssistedRepair::new(text.as_str(), AssistedOptions::new());
    repair.text("{\"id\": 1}");
    repair.end("stop", None);
    let AssistedStep::Ask { request, .. } = repair.next_step() else { panic!() };
    assert!(request.prompt.contains("the value at /items/300"));
}
