//! Law 5: valid JSON that is full of what the rules look for comes out untouched.

use jsonrill::{Dialect, Finished, Outcome, Parser};

use crate::common::view::root;
use crate::common::{ENDS, laws, options, strict};

/// Each is valid JSON.
const VALID: &[&str] = &[
    // Quotes, escaped, where one could be missing or too many.
    r#"{"a": "one\", \"b\": 2", "c": 3}"#,
    r#"{"a": "one, \"b\": 2}", "c": "\""}"#,
    r#"{"a": "\"", "b": "\"\"", "c": "\"x\"", "d": "x\""}"#,
    r#"["say \"hi\"", "a 65\" tv", "\"", "\",\"", "\"]", "\"}"]"#,
    r#"{"bar": "foo \"bar\", baz", "q": ["\"a\", \"b\""]}"#,
    r#"{"\"k\": 1, \"": {"\"": "\": \""}, "k: 1, ": 2, "ready: true, \"x\": 1}": null}"#,
    // Strings that end in what a string is held from.
    r#"{"a": "x,", "b": "y}", "c": "z]", "d": "w\n", "e": ",", "f": "}", "g": "]", "h": ",,,"}"#,
    r#"["x, ", "}]}", "{\"a\":", "[1, 2", ", ", "a, \"b\": ", "\n\n"]"#,
    r#"{"a": ", ", "b": ": ", "c": "\", \"d\": \"", "": ""}"#,
    r#"[{"a": "]"}, {"a": "},{"}, "x", ["}"], "]["]"#,
    // Other quotes, and apostrophes, as content.
    r#"{"a": "it's", "b": "'", "c": "''", "d": "`x`", "e": "“y”, ‘z’", "f": "'a': 'b'", "'k'": "“"}"#,
    r#"["'", "', '", "` + `", "r'x'", "b\"y\"", "\"\"\"z\"\"\""]"#,
    // Comments, dots, calls, keywords, numbers as text.
    r##"{"a": "// no", "b": "/* no */", "c": "# no", "d": "http://x.example//y", "e": "#fff", "// k": 1}"##,
    r#"["...", "…", "a...", ["..."], {"...": "..."}]"#,
    r#"["f(1)", "(1, 2)", "ISODate(\"x\")", "None", "True", "NaN", "undefined", "12:30", "1,234", "01"]"#,
    r#"{"None": "None of it", "true": "true", "1": 1, "a b": "c d", "a-b": "+1", "x = 1": "=> 2"}"#,
    // Backslashes, properly escaped, before a quote that closes.
    r#"{"p": "C:\\dir\\", "q": "D:\\", "r": ["\\", "\\\\"], "s": "\\\"", "t": "\\n\\t"}"#,
    r#"{"path": "C:\\new\\table\\", "re": "^\\d+\\.\\w*\"$", "tex": "$\\frac{a}{b}$, \\\\[2pt]"}"#,
    r#"{"sh": "echo \"a\" && cat <<'E'\n{\"x\": 1}\nE\n", "win": "\"C:\\Program Files\\x\" /y"}"#,
    r#"{"esc": "\u0022, \u0022b\u0022: 1", "sol": "\/\/", "u": "\u005C\u0022"}"#,
    // Code, mark-up, fences, tags.
    "{\"md\": \"```json\\n{\\\"a\\\": 1}\\n```\\nsee `b`, ~~~ and ```\", \"n\": 1}",
    r#"{"html": "<a href=\"x.html\" class='y'>go</a>, <b>\"z\"</b>", "t": "<think>no</think></think>", "e": "&quot;&amp;"}"#,
    r#"{"js": "const o = {a: 1, 'b': \"c\",};\nfunction f(x) { return [x, ...y]; } // ok", "css": "a { b: c; }"}"#,
    r#"{"py": "d = {'a': None, \"b\": (1, 2)}  # x\nprint(f\"{d['a']}\")", "sql": "SELECT \"a\", 'b' FROM t;"}"#,
    r#"{"json": "{\"a\": \"{\\\"b\\\": [1, \\\"2\\\"]}\"}", "csv": "\"a\",\"b\"\n\"c\",\"d\""}"#,
    r#"{"ctl": "<|im_end|> [TOOL_CALLS] </s>", "sse": "data: {\"a\": 1}\n\ndata: [DONE]"}"#,
    // Signs that are read as others outside.
    "{\"a\": \"：，｛｝［］\", \"b\": \"\u{a0}\u{3000}\u{200b}\u{feff}\", \"：\": \"，\"}",
    // Structure that could be something else for a byte or two.
    r#"[1, "a", {"b": 2}, "c", [3], "d", null, "e", true, "f"]"#,
    r#"{"a": 1 , "b": [1,2,-3], "c":{"d":4},"e" :-5,"f": 1.5e3, "g": [[]], "h": {}, "i":[{}]}"#,
    "{\"a\": [\n1\n,\n\"x\"\n]\n,\n\"b\"\n:\n\"y\"\n}",
    "[\"a\" , \"b\"\t,\r\n\"c\"\n]",
    r#"[[1, 2], [3, "a"], [{"b": []}], {}, [], "", 0, -0, false]"#,
    r#"{"a":"","b":"","":"","c":["",""],"d":{"":""}}"#,
    "[\"}}}]]]\",\"\\\\\",\"\\\"\\\\\\\"\"]",
    // Whole texts that are scalars.
    r#""{\"a\": 1}""#,
    r#""\"\"a\"\": 1""#,
    r#""say \"hi\", he said""#,
    "\"it's, \\\"b\\\": 2}\"",
    "-12.50e-3",
];

fn untouched(finished: &Finished, text: &str) -> Result<(), String> {
    let judge = strict(text);
    if finished.outcome() != Outcome::Complete || !finished.repairs().is_empty() || !finished.skipped().is_empty() {
        return Err(format!("is {} with {:?} and {:?}", finished.outcome(), finished.repairs(), finished.skipped()));
    }
    if root(finished.snapshot()) != root(judge.snapshot()) {
        return Err(format!("reads {:?}, not {:?}", finished.snapshot(), judge.snapshot()));
    }
    let spans = |finished: &Finished| -> Vec<_> {
        crate::common::view::values(finished.snapshot()).into_iter().map(jsonrill::ValueRef::span).collect()
    };
    if spans(finished) != spans(&judge) {
        return Err("has values in other places".to_owned());
    }
    Ok(())
}

#[test]
fn look_alikes_in_valid_json() {
    let mut faults = Vec::new();
    for text in VALID {
        assert_eq!(strict(text).outcome(), Outcome::Complete, "{text:?} is not valid");
        let is_number = text.parse::<f64>().is_ok();
        for size in [text.len(), 1, 2, 3, 5, 7] {
            for end in ENDS.into_iter().filter(|end| !(is_number && *end == jsonrill::End::Truncated)) {
                let mut parser = Parser::new();
                for chunk in text.as_bytes().chunks(size) {
                    let update = parser.feed(chunk);
                    assert!(update.error().is_none(), "{text:?}");
                    assert!(parser.repairs().is_empty(), "{text:?}: {:?}", parser.repairs());
                }
                let fault = untouched(&parser.finish(end), text);
                faults.extend(fault.err().map(|fault| format!("{text} in pieces of {size}, {end:?}: {fault}")));
            }
        }
        faults.extend(
            laws::keep(&options(Dialect::Lenient), text.as_bytes()).err().map(|fault| format!("{text}: {fault}")),
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The same within a document, deep enough that every kind of container is around them.
#[test]
fn look_alikes_within_each_other() {
    let all = VALID.join(",\n");
    let nested = format!("{{\"list\": [{all}], \"again\": {{\"list\": [[{all}]], \"end\": \"\\\", \\\"x\\\": 1\"}}}}");
    for size in [nested.len(), 1, 64] {
        let mut parser = Parser::new();
        nested.as_bytes().chunks(size).for_each(|chunk| parser.push(chunk));
        assert_eq!(untouched(&parser.finish(jsonrill::End::Stopped), &nested), Ok(()));
    }
}

/// A document full of them, in what models write around one, keeps its value all the same.
#[test]
fn look_alikes_within_prose_and_fences() {
    for text in VALID.iter().filter(|text| text.starts_with('{')) {
        for (before, after) in [
            ("Here is it: ", "\nThat's \"all\", folks."),
            ("```json\n", "\n```"),
            ("<think>so {\"a\": \"b, \"c\"}</think>\n", ""),
            ("", " // done"),
        ] {
            let wrapped = format!("{before}{text}{after}");
            let finished = crate::common::lenient(wrapped.as_str());
            assert_eq!(root(finished.snapshot()), root(strict(text).snapshot()), "{wrapped}");
            assert_eq!(finished.outcome(), Outcome::Repaired, "{wrapped}");
            assert!(finished.repairs().is_empty(), "{wrapped}: {:?}", finished.repairs());
        }
    }
}
