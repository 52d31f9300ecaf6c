//! `delta.js` does to a plain value what the library's `apply_all` does to a `serde_json::Value`.

use jsonrill::{Delta, Duplicates, Op, Options, Parser, apply_all};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::{Value, json};

use crate::browser::Tab;
use crate::common::generate::{Shape, documents};

const DOCUMENTS: u32 = 150;

/// What the script is given: ops, and the JSON that there is after them.
type Steps = Vec<(String, String)>;

fn steps(options: &Options, text: &str, cut: usize) -> Steps {
    let mut parser = Parser::with_options(*options);
    let mut seen = parser.snapshot();
    let mut steps = Vec::new();
    for chunk in text.as_bytes().chunks(cut) {
        parser.push(chunk);
        let now = parser.snapshot();
        // Before there is a root there is nothing to be replaced.
        steps.push((Delta::between(&seen, &now).to_string(), now.to_string()));
        seen = now;
    }
    steps
}

fn corpus() -> Vec<Steps> {
    let mut texts: Vec<String> = [
        r#"{"__proto__": {"polluted": [1, "a"]}, "constructor": {"prototype": "b"}, "toString": "c"}"#,
        r#"{"a/b": {"~": "til", "~1": ["de"], "": "empty"}, "0": "zero", "-": [{"01": "x"}]}"#,
        r#"[[], {}, "", [[["deep"]]], 12345678901234567890, 1.25e-3, -0, true, null]"#,
        r#"{"text": "\ud83c\udf77 Ch\u00e2teau \"quoted\" \u2028 \n"}"#,
        "Sure: ```json\n{name: 'Tea', list: [1 2,], \"say\": \"a \"b\" c\"}\n```",
        "\"only text\"",
        "12345.678",
    ]
    .map(str::to_owned)
    .to_vec();
    let config = proptest::test_runner::Config { rng_seed: RngSeed::Fixed(1), ..crate::common::config(1) };
    let mut runner = TestRunner::new(config);
    let strategy = documents(Shape { lone_surrogates: true, duplicates: true, messy: true });
    texts.extend((0..DOCUMENTS).map(|_| strategy.new_tree(&mut runner).unwrap().current()));
    let dialects = [Options::new(), Options::strict(), Options::new().duplicates(Duplicates::Last)];
    let cuts = [1, 3, 16, 200];
    texts
        .iter()
        .flat_map(|text| dialects.iter().flat_map(move |options| cuts.map(|cut| steps(options, text, cut))))
        .collect()
}

#[test]
fn the_twin_gives_every_snapshot() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.evaluate(
        r#"import("/delta.js").then(({ apply }) => {
            // Own members only, whatever their order: JavaScript sorts keys that look like numbers.
            const same = (a, b) => Object.is(a, b) || (typeof a === "object" && typeof b === "object" && a && b
                && Array.isArray(a) === Array.isArray(b) && Object.keys(a).length === Object.keys(b).length
                && Object.keys(a).every((key) => Object.hasOwn(b, key) && same(a[key], b[key])));
            window.apply = apply;
            window.check = (all) => all.findIndex((steps) => {
                let value = null;
                return !steps.every(([ops, json]) => same((value = apply(value, JSON.parse(ops))), JSON.parse(json)));
            });
        })"#,
    );
    let corpus = corpus();
    let count: usize = corpus.iter().map(Vec::len).sum();
    assert!(corpus.len() > 1500 && count > 10_000, "{} streams, {count} cuts", corpus.len());
    for some in corpus.chunks(100) {
        let bad = tab.evaluate(&format!("check({})", json!(some))).as_i64().unwrap();
        assert_eq!(bad, -1, "{:#?}", some[usize::try_from(bad).unwrap_or(0)]);
    }
    assert_eq!(tab.evaluate("({}).polluted === undefined"), true);
    // The check itself can fail.
    let wrong = json!([[[r#"[{"op":"add","path":"","value":{"a":1}}]"#, r#"{"a":2}"#]]]);
    assert_eq!(tab.evaluate(&format!("check({wrong})")), 0);
    tab.done();
}

/// Operations that fit, and some that do not: both do the same, or both refuse.
#[test]
fn the_twin_refuses_what_the_library_refuses() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.evaluate(
        r#"import("/delta.js").then(({ apply }) => {
            window.tried = (value, op) => { try { return [apply(value, [op])]; } catch { return null; } };
        })"#,
    );
    let start = json!({"s": "x", "n": 1, "l": [1, "e"], "o": {"": "empty", "a/b": "slash", "~": "tilde"}, "z": null});
    let paths = [
        "",
        "/",
        "s",
        "/s",
        "/n",
        "/l",
        "/o",
        "/z",
        "/l/0",
        "/l/1",
        "/l/2",
        "/l/3",
        "/l/-",
        "/l/01",
        "/l/x",
        "/l/-1",
        "/l/1.0",
        "/l/ 1",
        "/o/",
        "/o/a~1b",
        "/o/a/b",
        "/o/~0",
        "/o/~",
        "/o/~2",
        "/o/new",
        "/s/y",
        "/n/0",
        "/z/0",
        "/x/y",
        "/__proto__",
        "/__proto__/y",
        "/constructor",
        "/o/toString",
        "/l/length",
        "/l/push",
    ];
    for path in paths {
        for op in [
            json!({"op": "add", "path": path, "value": {"v": [1]}}),
            json!({"op": "replace", "path": path, "value": "r"}),
            json!({"op": "append", "path": path, "text": "t"}),
            json!({"op": "final", "path": path}),
        ] {
            let mut value = start.clone();
            let applied = apply_all([&serde_json::from_value::<Op>(op.clone()).unwrap()], &mut value);
            let expected = applied.map_or(Value::Null, |()| json!([value]));
            assert_eq!(tab.evaluate(&format!("tried({start}, {op})")), expected, "{op}");
        }
    }
    tab.done();
}
