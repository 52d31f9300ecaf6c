//! Progress by KPIs: its laws as properties of generated input, and whole flows over streamed answers.
#![expect(clippy::float_cmp, reason = "figures are exact")]

mod common;

use common::generate::{VALID, anything, documents};
use common::{config, lenient};
use jsonrill::{
    Kpi, KpiPath, KpiProblemKind, KpiProgress, KpiSet, KpiValues, Parser, Snapshot, Step, ValueRef, Verdict,
};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

fn path(text: &str) -> KpiPath {
    text.parse().expect(text)
}

/// Every value in a snapshot, with its path in dots and brackets, and as JSONPath has it.
fn places(snapshot: &Snapshot) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Vec<(ValueRef<'_>, String, String)> =
        snapshot.root().exists().then(|| (snapshot.root(), String::new(), "$".to_owned())).into_iter().collect();
    while let Some((value, dotted, normal)) = open.pop() {
        found.push((if dotted.is_empty() { "$".to_owned() } else { dotted.clone() }, normal.clone()));
        for child in value.elements() {
            let (step, long) = match (child.key(), child.index()) {
                (Some(key), _) if !key.is_empty() && key.chars().all(|sign| sign.is_ascii_lowercase()) => {
                    (format!("{}{key}", if dotted.is_empty() { "" } else { "." }), format!("['{key}']"))
                }
                (Some(key), _) => {
                    let quoted = serde_json::to_string(key).unwrap();
                    (format!("[{quoted}]"), format!("[{quoted}]"))
                }
                (None, index) => (format!("[{}]", index.unwrap()), format!("[{}]", index.unwrap())),
            };
            open.push((child, format!("{dotted}{step}"), format!("{normal}{long}")));
        }
    }
    found
}

/// Whether two figures are one. `serde_json` rounds the last digit of a long number otherwise.
fn alike(one: f64, other: f64) -> bool {
    (one - other).abs() <= one.abs() * 1e-14
}

/// The figure of a value, written out once more.
fn figure(value: ValueRef<'_>) -> f64 {
    let number = value.as_f64().or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()));
    match number.filter(|number: &f64| number.is_finite()) {
        Some(number) => number,
        None if value.as_bool() == Some(true) => 1.0,
        None => f64::from(u32::try_from(value.len()).unwrap()),
    }
}

// --- laws -------------------------------------------------------------------------------------------------------------

/// Paths of all kinds that generated documents may have something at.
fn some_paths() -> Vec<KpiPath> {
    let mut paths: Vec<KpiPath> =
        ["$", "a", "b[0]", "[0]", "[1][0]", "[-1]", "a.length", "0", "a.0", "a.b", "leaves()"].map(path).into();
    if cfg!(feature = "jsonpath") {
        paths.extend(["$[*]", "$..a", "$..*", "$.*.*", "$[?@.a]", "$[0:2]", "a[*].b"].map(path));
    }
    paths
}

proptest! {
    #![proptest_config(config(150))]

    /// On every prefix, a snapshot and the value made of it measure alike.
    #[test]
    fn a_snapshot_measures_as_its_value(text in documents(VALID), dense in any::<bool>()) {
        let paths = some_paths();
        let mut parser = Parser::new();
        let step = if dense { 1 } else { 1 + text.len() / 20 };
        for chunk in text.as_bytes().chunks(step) {
            parser.push(chunk);
            let snapshot = parser.snapshot();
            // Before there is anything, the value is a `null`, which is a leaf.
            let value = snapshot.to_value();
            for path in paths.iter().filter(|_| snapshot.is_started()) {
                prop_assert!(alike(path.measure(&snapshot), path.measure(&value)), "{} in {}", path, snapshot);
            }
        }
    }

    /// Every value is found by its path, in both spellings, and counts what it is.
    #[test]
    fn every_place_has_a_path(text in documents(VALID)) {
        let finished = lenient(&*text);
        let snapshot = finished.snapshot();
        let value = snapshot.to_value();
        for (dotted, normal) in places(snapshot).into_iter().take(200) {
            let Some(found) = at_normal_path(snapshot, &normal) else { continue };
            for text in [&dotted, &normal] {
                let path = path(text);
                prop_assert!(!path.is_query(), "{}", text);
                prop_assert_eq!(path.measure(snapshot), figure(found), "{} in {}", text, snapshot);
                prop_assert!(alike(path.measure(&value), figure(found)), "{} in {}", text, value);
            }
        }
    }

    /// What counts children never gets smaller while the text grows, so no round goes backwards.
    #[test]
    fn counts_only_grow(input in anything(), cuts in proptest::collection::vec(any::<Index>(), 1..6)) {
        let counts = [("a", "leaves()"), ("b", "$"), ("c", "a"), ("d", "[0]"), ("e", "a.b")];
        let is_count = |value: ValueRef<'_>| value.as_f64().is_none() && value.as_str().is_none();
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(input.len() + 1)).collect();
        places.sort_unstable();
        let mut parser = Parser::new();
        let mut progress: Option<KpiProgress> = None;
        let mut start = 0;
        for end in places.into_iter().chain([input.len()]) {
            parser.push(&input[start..end]);
            start = end;
            let snapshot = parser.snapshot();
            if !["", "/a", "/0", "/a/b"].iter().all(|pointer| is_count(snapshot.at(*pointer))) {
                break; // a number or a text may become something else
            }
            match &mut progress {
                None => {
                    let kpis = counts.map(|(id, text)| Kpi::new(id, path(text), Some(1e9)));
                    progress = Some(KpiProgress::new(KpiSet::new(kpis.into()).unwrap(), &snapshot));
                }
                Some(progress) => {
                    let round = progress.after_round(&snapshot, false);
                    prop_assert_ne!(round.verdict, Verdict::Backwards, "{}", round.reason());
                }
            }
        }
    }

    /// An array that grows by a few elements a round is progress each time, up to its target.
    #[test]
    fn a_growing_array_is_progress(rounds in proptest::collection::vec(0..5_usize, 1..12)) {
        let total: usize = 1 + rounds.iter().sum::<usize>();
        let target = u32::try_from(total).unwrap();
        let kpis = KpiSet::new(vec![Kpi::new("items", path("items"), Some(f64::from(target)))]).unwrap();
        let mut parser = Parser::new();
        parser.push("{\"items\": [\"x\"");
        let mut progress = KpiProgress::new(kpis, &parser.snapshot());
        let mut seen = 1;
        for more in rounds {
            parser.push(", \"y\"".repeat(more));
            seen += more;
            let round = progress.after_round(&parser.snapshot(), false);
            let expected = match more {
                _ if seen == total => Verdict::Complete,
                0 => Verdict::NoProgress,
                _ => Verdict::Progress,
            };
            prop_assert_eq!(round.verdict, expected);
            let ratio = f64::from(u32::try_from(seen).unwrap()) / f64::from(target);
            prop_assert_eq!(round.report.ratio, Some(ratio));
        }
    }

    /// Reading paths and KPIs never panics, and a path that reads is written as it was.
    #[test]
    fn any_text_as_a_path_or_as_kpis(text in r#"[a-c.$\[\]*?@'"0-2,:()\\ =!&|<>-]{0,24}"#, input in anything()) {
        if let Ok(path) = text.parse::<KpiPath>() {
            prop_assert_eq!(path.as_str(), text.trim());
            let value = json!({"a": [{"b": 1}, [2]], "b": {"c": "x"}, "0": [[]]});
            prop_assert!(path.measure(&value).is_finite());
            let written = serde_json::to_string(&path).unwrap();
            prop_assert_eq!(serde_json::from_str::<KpiPath>(&written).unwrap(), path);
        }
        if let Err(error) = KpiSet::read(&input) {
            prop_assert!(!error.problems().is_empty() && !error.to_string().is_empty());
        }
    }

    /// What is written reads back.
    #[test]
    fn kpis_survive_serde(ids in proptest::collection::btree_set("[a-z]{1,4}", 1..5), target in proptest::option::of(any::<i32>())) {
        let kpis = ids.iter().map(|id| Kpi::new(id, path("$.items[0]"), target.map(f64::from))).collect();
        let kpis = KpiSet::new(kpis).unwrap();
        let written = serde_json::to_string(&kpis).unwrap();
        prop_assert_eq!(&KpiSet::read(&written).unwrap(), &kpis);
        prop_assert_eq!(&serde_json::from_str::<KpiSet>(&written).unwrap(), &kpis);
        let progress = KpiProgress::new(kpis, &json!({"items": [7]}));
        let written = serde_json::to_string(&progress).unwrap();
        prop_assert_eq!(serde_json::from_str::<KpiProgress>(&written).unwrap(), progress);
    }
}

/// The value at a path of quoted keys and indices in brackets.
fn at_normal_path<'a>(snapshot: &'a Snapshot, normal: &str) -> Option<ValueRef<'a>> {
    let mut value = snapshot.root();
    let mut rest = normal.strip_prefix('$')?;
    while let Some(inner) = rest.strip_prefix('[') {
        if inner.starts_with('"') {
            let mut keys = serde_json::Deserializer::from_str(inner).into_iter::<String>();
            let key = keys.next()?.ok()?;
            rest = inner.get(keys.byte_offset()..)?.strip_prefix(']')?;
            value = value.get(Step::Key(&key));
        } else {
            let (step, after) = inner.split_once(']')?;
            rest = after;
            value = match step.parse() {
                Ok(index) => value.get(Step::Index(index)),
                Err(_) => value.get(Step::Key(step.trim_matches('\''))),
            };
        }
    }
    value.exists().then_some(value)
}

// --- paths ------------------------------------------------------------------------------------------------------------

#[test]
fn one_place_in_every_spelling() {
    let value = json!({
        "sections": [{"elements": [{"items": [1, 2, 3]}]}, {"elements": []}],
        "a.b": {"it's": [1]}, "0": [[]], "length": [1, 2, 3, 4], "box": {"length": 9},
    });
    for (text, expected) in [
        ("sections[0].elements[0].items", 3.0),
        ("$.sections[0].elements[0].items", 3.0),
        ("sections.0.elements.0.items", 3.0),
        ("/sections/0/elements/0/items", 3.0),
        (" .sections[-2].elements[-1]['items'] ", 3.0),
        ("$['sections'][0][\"elements\"]", 1.0),
        ("['a.b']['it\\'s']", 1.0),
        ("0", 1.0),
        ("/0", 1.0),
        ("/a.b/it's", 1.0),
        ("/sections/00", 0.0),
        ("/sections/length", 0.0),
        ("/box/length", 9.0),
        ("$.sections.length", 2.0),
        ("sections.length()", 2.0),
        ("length", 4.0),
        ("$['length']", 4.0),
        ("box.length", 9.0),
        ("box.length()", 1.0),
        ("$", 5.0),
        ("sections[2].elements", 0.0),
        ("sections[-3]", 0.0),
        ("sections['0']", 0.0),
        ("box[0]", 0.0),
        ("nowhere[0].at.all", 0.0),
    ] {
        assert_eq!(path(text).measure(&value), expected, "{text}");
        assert!(!path(text).is_query(), "{text}");
        let finished = lenient(value.to_string().as_str());
        assert_eq!(path(text).measure(finished.snapshot()), expected, "{text}");
    }
}

/// A pointer finds in a KPI what it finds in a view.
#[test]
fn pointers_are_those_of_views() {
    let value = json!({"a": [[1, 2], [3]], "a/b": {"~": 4}, "": 5, "01": 6, "~1": 7, "-": 8, "$": 9, " x": 10});
    let finished = lenient(value.to_string().as_str());
    for pointer in
        ["/a", "/a/1", "/a/01", "/a/-", "/a~1b/~0", "/", "/01", "/~01", "/-", "/$", "/ x", "/a/0/1", "/b", "/a/"]
    {
        let found = finished.snapshot().at(pointer);
        let expected = found.as_u64().unwrap_or(found.len() as u64);
        assert_eq!(count(path(pointer).measure(finished.snapshot())), expected, "{pointer}");
        assert_eq!(count(path(pointer).measure(&value)), expected, "{pointer}");
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
fn count(figure: f64) -> u64 {
    figure as u64
}

#[cfg(feature = "jsonpath")]
#[test]
fn a_query_counts_what_it_selects() {
    let value = json!({
        "sections": [
            {"title": "x", "items": [{"id": 1, "done": true}, {"id": 2, "done": false}]},
            {"title": "y", "items": [{"id": 3, "done": true}]},
            {"title": "z", "items": []},
        ],
    });
    for (text, expected) in [
        ("$.sections[*].items", 3.0),
        ("sections[*].items", 3.0),
        ("$.sections[*].items[*]", 3.0),
        ("$.sections[*]", 3.0),
        ("$..id", 3.0),
        ("..items[?@.done == true]", 2.0),
        ("$.sections[?length(@.items) > 0].title", 2.0),
        ("$.sections[0:2].title", 2.0),
        ("$..nothing", 0.0),
    ] {
        assert!(path(text).is_query(), "{text}");
        assert_eq!(path(text).measure(&value), expected, "{text}");
        let finished = lenient(value.to_string().as_str());
        assert_eq!(path(text).measure(finished.snapshot()), expected, "{text}");
    }
}

#[cfg(not(feature = "jsonpath"))]
#[test]
fn without_the_feature_a_query_says_so() {
    let error = "$.sections[*].items".parse::<KpiPath>().unwrap_err();
    assert!(error.to_string().ends_with("a query needs the feature `jsonpath`"), "{error}");
    assert_eq!(error.offset(), 11);
}

#[cfg(feature = "jsonpath")]
#[test]
fn bad_queries_say_where() {
    // With a root, with one that is understood, and with its point as well.
    for (text, offset) in [("$[?@.a ==]", 6), ("[?@.a ==]", 5), ("a[?@.b ==]", 6)] {
        assert_eq!(text.parse::<KpiPath>().unwrap_err().offset(), offset, "{text}");
    }
}

#[test]
fn bad_paths_say_where() {
    for (text, message) in [
        ("", "the path is empty (the whole document is `$`)"),
        (" \n", "the path is empty (the whole document is `$`)"),
        ("/a/~2", "`/a/~2` is no path: expected `~0` or `~1` at byte 3"),
        ("a[0", "`a[0` is no path: expected `]` at byte 3"),
        ("a['b]", "`a['b]` is no path: expected a key that its quote ends at byte 2"),
        ("a.", "`a.` is no path: expected a key at byte 2"),
    ] {
        assert_eq!(text.parse::<KpiPath>().unwrap_err().to_string(), message);
    }
    let error = "a".repeat(5000).parse::<KpiPath>().unwrap_err();
    assert!(error.to_string().ends_with("is too long: a path has at most 4096 bytes") && error.path().len() < 200);
    for deep in ["[".repeat(4000), "(".repeat(4000), format!("$[?{}", "!(".repeat(2000)), "[?".repeat(2000)] {
        assert!(deep.parse::<KpiPath>().is_err());
    }
}

/// No recursion on input: a deep document is measured in a small stack.
#[test]
fn deep_documents() {
    let text = format!("{}1{}", "[{\"a\":".repeat(256), "}]".repeat(256));
    let run = move || {
        let finished = lenient(text.as_str());
        assert_eq!(path("leaves()").measure(finished.snapshot()), 1.0);
        assert_eq!(path(&"[0].a".repeat(256)).measure(finished.snapshot()), 1.0);
        if cfg!(feature = "jsonpath") {
            assert_eq!(path("$..a").measure(finished.snapshot()), 256.0);
            let mut deeper = finished.snapshot().to_value();
            for _ in 0..200 {
                deeper = json!([deeper]);
            }
            assert_eq!((path("$..a").measure(&deeper), path("leaves()").measure(&deeper)), (0.0, 1.0));
        }
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}

/// A path to one place is followed in place: it costs the same in a document a thousand times as long.
#[test]
fn many_kpis_of_a_long_answer() {
    let mut parser = Parser::new();
    parser.push("{\"items\": [");
    for number in 0..20_000 {
        parser.push(format!("{}{{\"id\": {number}, \"name\": \"n{number}\"}}", if number == 0 { "" } else { ", " }));
    }
    let kpis: Vec<Kpi> = (0..20_000)
        .map(|number| Kpi::new(number.to_string(), path(&format!("items[{number}].id")), Some(1.0)))
        .collect();
    let kpis = KpiSet::new(kpis).unwrap();
    let values = kpis.measure(&parser.snapshot());
    assert_eq!((values.len(), values.get("12345")), (20_000, Some(12345.0)));
}

// --- KPIs and rounds --------------------------------------------------------------------------------------------------

#[test]
fn a_round_trip_from_a_models_answer_to_the_last_round() {
    let kpis = KpiSet::read(
        "The list is to have 4 stations and 2 lines:\n```json\n{\"kpis\": [\n\
         {\"id\": \"stations\", \"description\": \"all stops\", \"jsonPath\": \"$.stations\", \"targetValue\": 4, \"currentValue\": 4},\n\
         {\"id\": \"lines\", \"jsonPath\": \"lines\", \"targetValue\": \"2\"},\n]}\n```",
    )
    .unwrap();
    let mut parser = Parser::new();
    parser.push("{\"lines\": {\"A\": 1, \"B\": 2}, \"stations\": [\"Oslo\", \"Ber");
    // The model said 4, but 2 are there.
    let mut progress = KpiProgress::new(kpis, &parser.snapshot());
    assert_eq!(progress.last().iter().collect::<Vec<_>>(), [("lines", 2.0), ("stations", 2.0)]);

    parser.push("gen\", \"Bodø\"");
    let middle = progress.report(&parser.snapshot());
    assert_eq!((middle.kpis[0].ratio, middle.kpis[1].ratio, middle.ratio), (Some(0.75), Some(1.0), Some(0.875)));
    let round = progress.after_round(&parser.snapshot(), false);
    assert_eq!(round.verdict.as_pair(), (true, "Progress"));
    assert_eq!(round.verdict.as_str(), "progress");
    assert!(round.verdict.goes_on());

    let round = progress.after_round(&parser.snapshot(), false);
    assert_eq!(round.verdict.as_pair(), (false, "No progress"));
    assert_eq!(round.reason(), "nothing grew: `stations` stays at 3 of 4, `lines` stays at 2 of 2");

    let round = progress.after_round(&json!({"stations": [1], "lines": {"A": 1, "B": 2, "C": 3}}), false);
    assert_eq!(round.verdict.as_pair(), (false, "KPI went backwards"));
    assert_eq!(round.reason(), "`stations` went from 3 to 1 of 4");

    parser.push(", \"Moss\"");
    let round = progress.after_round(&parser.snapshot(), false);
    assert_eq!((round.verdict.as_pair(), round.is_json_complete), ((true, "Complete"), false));
    let round = progress.after_round(&json!([]), true);
    assert_eq!((round.round, round.verdict.as_pair()), (6, (true, "Complete")));
}

#[test]
fn the_default_tells_growth_alone() {
    let mut parser = Parser::new();
    parser.push("[{\"a\": 1, \"b\": \"x");
    let mut progress = KpiProgress::new(KpiSet::default(), &parser.snapshot());
    assert_eq!(progress.last().get("leaves"), Some(2.0));
    parser.push("y\"}, [[], {}]");
    assert_eq!(progress.after_round(&parser.snapshot(), false).verdict, Verdict::NoProgress);
    parser.push(", true, ");
    let round = progress.after_round(&parser.snapshot(), false);
    assert_eq!((round.verdict, round.report.ratio), (Verdict::Progress, None));
}

#[test]
fn values_of_other_kpis_do_not_count() {
    let kpis =
        KpiSet::read(r#"[{"id": "a", "path": "a", "target": 9}, {"id": "b", "path": "b", "target": 9}]"#).unwrap();
    let last: KpiValues = serde_json::from_value(json!({"a": 2, "gone": 100})).unwrap();
    let verdict = |value: Value| kpis.report_since(&value, &last).verdict(false);
    assert_eq!(verdict(json!({"a": [1, 2]})), Verdict::NoProgress);
    assert_eq!(verdict(json!({"a": [1, 2], "b": [1]})), Verdict::Progress);
    assert_eq!(verdict(json!({"a": [1], "b": [1]})), Verdict::Backwards);
    // What stays as it is did not go backwards.
    assert_eq!(kpis.report_since(&json!({"a": [1]}), &last).reason(false), "`a` went from 2 to 1 of 9");
    // Nothing before: any value is progress.
    assert_eq!(kpis.report(&json!({"b": 1})).verdict(false), Verdict::Progress);
    assert_eq!(kpis.report(&json!({"b": -1})).verdict(false), Verdict::Backwards);
}

#[test]
fn every_problem_is_kept() {
    let error = KpiSet::read(
        r#"[{"id": "a", "path": "a", "target": 1}, 7, {"id": "b", "path": "b["}, {"id": "a", "path": "c", "target": 1}, {"id": "d", "path": "d", "target": "x"}"#,
    )
    .unwrap_err();
    let kinds: Vec<_> = error.problems().iter().map(|problem| problem.kind.clone()).collect();
    assert!(matches!(kinds[0], KpiProblemKind::NotAnObject));
    assert!(matches!(kinds[1], KpiProblemKind::BadPath(_)));
    assert!(kinds.contains(&KpiProblemKind::NotANumber("targetValue")));
    assert!(kinds.contains(&KpiProblemKind::DuplicateId));
    assert!(matches!(kinds[3], KpiProblemKind::Incomplete(_)), "{kinds:?}");
    assert_eq!(error.into_usable().unwrap().len(), 1);
}

#[test]
fn paths_are_alike_as_they_are_written() {
    assert_eq!(path("a[0].b"), path("a[0].b"));
    assert_ne!(path("a[0].b"), path("a[0].c"));
}

#[test]
fn values_are_counted() {
    let values: KpiValues = serde_json::from_value(json!({"items": 12, "pages": "3"})).unwrap();
    assert_eq!((values.len(), values.is_empty()), (2, false));
    assert_eq!(values.iter().collect::<Vec<_>>(), [("items", 12.0), ("pages", 3.0)]);
    assert!(KpiValues::default().is_empty());
}
