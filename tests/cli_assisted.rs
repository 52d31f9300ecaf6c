//! `jsonrill repair --model`, run as a process: a model that is a script, or a program.
#![cfg(all(feature = "cli", any(feature = "http", feature = "command")))]

mod common;

use common::process::{Run, Temp, run};
use serde_json::json;

const TEXT: &str = r#"{"tags": ["a", "b", "done": true}"#;
const MENDED: &str = r#"{"tags": ["a", "b"], "done": true}"#;

/// A script of these answers.
fn script(answers: &[&str]) -> Temp {
    let line = |answer: &&str| json!({"chunks": [answer], "stop_reason": "stop"}).to_string() + "\n";
    Temp::new(answers.iter().map(line).collect::<String>())
}

/// `jsonrill repair --model script:… ARGS`, with `input` on standard input.
fn repair(answers: &[&str], args: &[&str], input: &str) -> Run {
    let script = script(answers);
    let model = format!("script:{}", script.path());
    run(&[&["repair", "--model", &model], args].concat(), input)
}

#[test]
fn the_model_mends_what_the_rules_do_not() {
    let run = repair(&[&format!("```json\n{MENDED}\n```")], &[], TEXT).code(0);
    assert_eq!((&*run.stdout, &*run.stderr), (&*format!("{MENDED}\n"), ""));
    // It is not asked without need.
    let run = repair(&[], &[], "{a: 1,}").code(0);
    assert_eq!((&*run.stdout, &*run.stderr), ("{\"a\": 1}\n", ""));
    let run = repair(&["{\"a\": 1}"], &["--ask", "always", "--report"], "{a: 1,}").code(0);
    assert!(
        run.stderr.ends_with(
            "model: it was asked once; its answer was taken\nmodel: all of the 2 keys and values are there\n"
        ),
        "{}",
        run.stderr
    );
    // Where it was cut, it goes on.
    let run = repair(&["{\"b\": 1}]}"], &["--report"], "{\"list\": [").code(0);
    assert_eq!(run.stdout, "{\"list\": [{\"b\": 1}]}\n");
    assert!(run.stderr.contains("model: added behind the cut:"), "{}", run.stderr);
}

#[test]
fn an_answer_that_is_not_taken_is_told() {
    let wrong = r#"{"tags": ["a", "c\u001b"], "done": true, "x": 1}"#;
    let run = repair(&[wrong, "no"], &[], TEXT).code(0);
    assert_eq!(run.stdout, "{\"tags\": [\"a\", \"b\", \"done\",true]}\n");
    assert_eq!(run.stderr, "jsonrill: the model was of no use: the answer has no JSON\n");
    let run = repair(&[wrong], &["--report", "--attempts", "1"], TEXT).code(0);
    let told = "\
model: it was asked once; the rules made the text: the answer differs from the text in 3 places
model: changed /tags/1: \"b\" became \"c\\u001b\"
model: invented /x
model: invented /x: 1
";
    assert!(run.stderr.ends_with(told) && run.stderr.contains("repair stray_text"), "{}", run.stderr);
    let cut = repair(&["Sorry."], &["--attempts", "1"], "{\"a\": [1, 2").code(2);
    assert_eq!(cut.stdout, "{\"a\": [1, 2]}\n");
    assert!(cut.stderr.contains("the answer does not go on with the text: refused\n"), "{}", cut.stderr);
    assert!(cut.stderr.ends_with("jsonrill: the JSON is truncated at byte 11 (in_number)\n"), "{}", cut.stderr);
}

#[test]
fn json_has_what_the_model_did() {
    let line = repair(&["no", MENDED], &["--json"], TEXT).code(0).line();
    assert_eq!(
        (&line["outcome"], &line["complete"], &line["text"]),
        (&json!("repaired"), &json!(true), &json!(MENDED))
    );
    assert_eq!(line["value"], json!({"tags": ["a", "b"], "done": true}));
    assert_eq!(line["repairs"][0]["kind"], "stray_text");
    let model = &line["model"];
    assert_eq!((&model["source"], &model["error"]), (&json!("model"), &json!(null)));
    assert_eq!(model["comparison"]["values"], 5);
    let attempts = model["attempts"].as_array().unwrap();
    let codes: Vec<_> = attempts.iter().map(|attempt| &attempt["error"]["code"]).collect();
    assert_eq!(codes, [&json!("no_json"), &json!(null)]);
    // Without a model there is nothing of it.
    assert_eq!(run(&["repair", "--json"], TEXT).line().get("model"), None);
}

#[test]
fn required_values() {
    let run = repair(&["{\"a\": null}", "{\"a\": null}"], &["--require", "/a", "--require", "/b"], "{\"a\": }").code(3);
    assert_eq!(run.stdout, "{\"a\": null}\n");
    assert_eq!(run.stderr, "jsonrill: the model was of no use: required: /a is null, /b is missing\n");
    repair(&["{\"a\": 1, \"b\": 2}"], &["--require", "/b"], "a=1 b=2").code(0);
    assert!(repair(&[], &["--require", "b"], "{}").code(1).stderr.contains("a JSON pointer begins with a slash"));
    // What is missing counts, also where the model has failed for another reason.
    let run = repair(&[], &["--require", "/a", "--require", "/b"], "{\"b\": 1,}").code(3);
    let lines: Vec<_> = run.stderr.lines().collect();
    assert!(lines[0].starts_with("jsonrill: the model was of no use: "), "{}", run.stderr);
    assert_eq!((run.stdout.as_str(), lines[1]), ("{\"b\": 1}\n", "jsonrill: required: /a is missing"));
}

#[test]
fn usage() {
    let told = |args: &[&str]| run(&[&["repair"], args].concat(), TEXT).code(1).stderr;
    assert!(told(&["--attempts", "1"]).contains("--model"));
    assert!(told(&["--model", "script:/nonexistent/script"]).contains("/nonexistent/script"));
    assert!(repair(&[], &["--roots", "many"], "[1]").code(1).stderr.contains("--roots many"));
    assert!(repair(&[], &["--attempts", "9"], "[1]").code(1).stderr.contains("--attempts"));
}

#[cfg(all(unix, feature = "command"))]
mod program {
    use super::*;

    #[test]
    fn a_program_mends_it() {
        let program = Temp::new(format!("cat > /dev/null\nprintf '%s' '{MENDED}'\n"));
        let model = format!("command:sh {}", program.path());
        let run = run(&["repair", "--model", &model], TEXT).code(0);
        assert_eq!((&*run.stdout, &*run.stderr), (&*format!("{MENDED}\n"), ""));
    }

    #[test]
    fn a_program_sees_the_text_and_no_shell_does() {
        let seen = Temp::new("");
        let program = Temp::new(format!("cat > {}\n", seen.path()));
        let model = format!("command:sh {}", program.path());
        let text = r#"{"a": "$(touch /tmp/never) </text>", "b": }"#;
        run(&["repair", "--attempts", "1", "--model", &model], text).code(0);
        let prompt = std::fs::read_to_string(seen.path()).unwrap();
        assert!(prompt.contains(&format!("<text-1>\n{text}\n</text-1>")), "{prompt}");
    }

    #[test]
    fn a_program_that_fails_or_takes_too_long() {
        let run_with = |lines: &str, args: &[&str]| {
            let program = Temp::new(lines);
            let model = format!("command:sh {}", program.path());
            run(&[&["repair", "--attempts", "1", "--model", &model], args].concat(), TEXT).code(0)
        };
        let failed = run_with("echo 'no model today' >&2\nexit 7\n", &["--json"]).line();
        assert_eq!(failed["model"]["error"]["code"], "model_failed");
        let slow = run_with("printf '{\"tags\": '\nsleep 60\n", &["--model-timeout", "300", "--json"]).line();
        assert_eq!(slow["model"]["error"]["code"], "timeout");
        assert_eq!((&slow["model"]["attempts"][0]["bytes"], &slow["model"]["source"]), (&json!(9), &json!("rules")));
    }

    /// Whether a process is there, and has not ended.
    fn runs(pid: &str) -> bool {
        let state = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
        let state = String::from_utf8(state.stdout).unwrap();
        !state.trim().is_empty() && !state.trim().starts_with('Z')
    }

    #[test]
    fn a_program_ends_with_the_one_that_asked_it() {
        for signal in ["INT", "TERM", "HUP"] {
            let pid = Temp::new("");
            let program = Temp::new(format!("echo $$ > {}\nkill -{signal} $PPID\nexec sleep 1000\n", pid.path()));
            let model = format!("command:sh {}", program.path());
            let run = run(&["repair", "--model", &model], TEXT).code(1);
            assert_eq!((&*run.stdout, &*run.stderr), ("", "jsonrill: interrupted\n"));
            let pid = std::fs::read_to_string(pid.path()).unwrap();
            while runs(pid.trim()) {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        }
    }
}
