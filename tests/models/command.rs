//! Models that are a program: small shell scripts, which do what programs do.

use std::fs;
use std::path::Path;
use std::time::Duration;

use futures::StreamExt;
use futures::executor::block_on;
use jsonrill::{AccumulationOptions, CommandModel, Conclusion, LanguageModel, ModelErrorKind, ModelEvent, accumulate};
use serde_json::json;
use tempfile::TempDir;

use crate::read::{ask, request};

const SHORT: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(3600);

/// A shell that runs this.
fn shell(script: &str) -> CommandModel {
    CommandModel::new("sh").args(["-c", script])
}

/// A folder for a script's files, in which it runs.
fn in_dir(script: &str) -> (TempDir, CommandModel) {
    let dir = tempfile::tempdir().unwrap();
    let model = shell(script).current_dir(dir.path());
    (dir, model)
}

/// Reads the number of a process that a script writes when it has started it.
async fn pid(dir: &TempDir, name: &str) -> String {
    loop {
        match fs::read_to_string(dir.path().join(name)) {
            Ok(pid) if pid.ends_with('\n') => return pid.trim().to_owned(),
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}

/// Whether a process is there, if only as a zombie.
fn exists(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

/// Whether it runs.
fn runs(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with(['Z', 'X']))
}

/// Waits until it does not. It is not killed at once, but surely.
async fn until_dead(pid: &str) {
    while runs(pid) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until it was reaped, too.
async fn until_gone(pid: &str) {
    while exists(pid) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

// --- answers ----------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn an_answer() {
    let given = ask(&CommandModel::new("cat"), "{\"stadt\": \"Köln 🎉\"}\n").await.good();
    assert_eq!((given.text.as_str(), given.stop_reason, given.usage), ("{\"stadt\": \"Köln 🎉\"}\n", None, None));
    let given = ask(&CommandModel::new("true"), "Hi").await.good();
    assert_eq!(given.text, "");
}

#[tokio::test]
async fn with_the_rest_of_the_library() {
    let model = shell("cat > /dev/null; printf 'Sure:\\n```json\\n{\"n\": [1, 2]}\\n```\\n'");
    let report = accumulate(&model, "Two numbers, as JSON.", AccumulationOptions::new()).report().await;
    assert_eq!((report.conclusion, report.snapshot().to_value()), (Conclusion::Complete, json!({"n": [1, 2]})));
}

/// No shell comes between.
#[tokio::test]
async fn arguments_stay_what_they_are() {
    let model = CommandModel::new("printf").args(["%s|", "a b", "$HOME", "`id`", "*", "", "é"]);
    assert_eq!(ask(&model, "").await.good().text, "a b|$HOME|`id`|*||é|");
    let model = CommandModel::from_line(r#"printf '%s|' "a b" c\ d $HOME '' "#).unwrap();
    assert_eq!(ask(&model, "").await.good().text, "a b|c d|$HOME||");
    for line in ["", "  ", "printf 'a"] {
        assert_eq!(CommandModel::from_line(line).unwrap_err().kind(), ModelErrorKind::Setup, "{line}");
    }
}

#[tokio::test]
async fn where_it_runs_and_with_what() {
    let (dir, model) = in_dir("pwd -P; echo $TEA; echo ${CARGO_PKG_NAME-none}");
    let home = fs::canonicalize(dir.path()).unwrap();
    let given = ask(&model.clone().env("TEA", "green"), "").await.good();
    assert_eq!(given.text, format!("{}\ngreen\n{}\n", home.display(), env!("CARGO_PKG_NAME")));
    let given = ask(&model.clone().env_remove("CARGO_PKG_NAME"), "").await.good();
    assert!(given.text.ends_with("\nnone\n"), "{}", given.text);
    let path = std::env::var("PATH").unwrap();
    let given = ask(&model.env_clear().env("PATH", path).env("TEA", "sk-black"), "").await.good();
    assert!(given.text.ends_with("\nsk-black\nnone\n"), "{}", given.text);
    assert!(!format!("{:?}", shell("").env("KEY", "sk-black")).contains("sk-black"));
}

/// Each byte in a write of its own, as far as a shell does that.
#[tokio::test]
async fn characters_cut_anywhere() {
    let text = "é漢🎉z";
    let script: Vec<_> = text.bytes().map(|byte| format!("printf '\\{byte:03o}'; sleep 0.01; ")).collect();
    assert_eq!(ask(&shell(&script.concat()), "").await.good().text, text);
}

#[tokio::test]
async fn what_is_no_text() {
    let given = ask(&shell("printf 'a\\377b\\360\\237'"), "").await.good();
    assert_eq!(given.text, "a\u{FFFD}b\u{FFFD}");
}

#[tokio::test]
async fn as_it_comes() {
    let (dir, model) = in_dir("printf '[1, '; while [ ! -e go ]; do sleep 0.01; done; printf '2]'");
    let mut response = model.respond(request(""));
    assert_eq!(response.next().await.unwrap().unwrap(), ModelEvent::Text("[1, ".to_owned()));
    fs::write(dir.path().join("go"), "").unwrap();
    assert_eq!(response.next().await.unwrap().unwrap(), ModelEvent::Text("2]".to_owned()));
    assert!(response.next().await.is_none());
}

// --- prompts ----------------------------------------------------------------------------------------------------------

/// A program that prints while it reads must not wait for one who writes before he reads.
#[tokio::test]
async fn a_large_prompt_and_a_large_answer() {
    let prompt = "0123456789abcdef".repeat(1 << 18); // 4 MB, 60 times what a pipe holds
    let given = ask(&CommandModel::new("cat"), &prompt).await.good();
    assert!(given.text == prompt, "{} of {}", given.text.len(), prompt.len());
    let given = ask(&shell("tee /dev/stderr"), &prompt).await.good();
    assert_eq!(given.text.len(), prompt.len());
}

#[tokio::test]
async fn a_prompt_that_is_not_read() {
    let prompt = "x".repeat(1 << 22);
    assert_eq!(ask(&shell("echo ready"), &prompt).await.good().text, "ready\n");
    assert_eq!(ask(&shell("exec < /dev/null; sleep 0.05; echo ready"), &prompt).await.good().text, "ready\n");
    assert_eq!(ask(&shell("head -c 3; exec < /dev/null; echo ready"), &prompt).await.good().text, "xxxready\n");
}

// --- failures ---------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_status() {
    let given = ask(&shell("echo partial; echo 'no such model: m' >&2; exit 3"), "").await;
    assert_eq!((given.text.as_str(), given.error().kind()), ("partial\n", ModelErrorKind::Unavailable));
    assert_eq!(given.error().to_string(), "the program sh ended with exit status: 3: no such model: m");
    let given = ask(&CommandModel::new("false"), "").await;
    assert_eq!(given.error().to_string(), "the program false ended with exit status: 1");
    let given = ask(&shell("kill -9 $$"), "").await;
    assert_eq!(given.error().to_string(), "the program sh ended with signal: 9 (SIGKILL)");
}

/// Complaints alone are none, and only the last of them are told.
#[tokio::test]
async fn complaints() {
    assert_eq!(ask(&shell("echo 'loading …' >&2; echo ready"), "").await.good().text, "ready\n");
    let flood = "i=0; while [ $i -lt 20000 ]; do echo \"line $i\" >&2; i=$((i+1)); done; echo ready; exit 1";
    let given = ask(&shell(flood), "").await;
    let told = given.error().to_string();
    assert!(told.len() < 4300 && told.contains(": …") && told.ends_with("line 19998\nline 19999"), "{told}");
    assert_eq!(given.text, "ready\n");
}

#[tokio::test]
async fn a_program_that_is_none() {
    let dir = tempfile::tempdir().unwrap();
    for model in [
        CommandModel::new("jsonrill-no-such-program"),
        CommandModel::new(dir.path()),
        CommandModel::new("cat").current_dir(dir.path().join("nowhere")),
        CommandModel::new("a\0b"),
    ] {
        let given = ask(&model, "Hi").await;
        assert_eq!(given.error().kind(), ModelErrorKind::Setup);
        assert!(given.error().to_string().contains(" cannot be started: "), "{}", given.error());
    }
}

#[test]
fn outside_of_a_runtime() {
    let model = CommandModel::new("cat");
    let error = block_on(model.respond(request("Hi")).next()).unwrap().unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Setup);
}

#[tokio::test]
async fn a_flood() {
    let (dir, model) = in_dir("echo $$ > pid; while :; do echo 0123456789; done");
    let given = ask(&model.max_response_bytes(100_003).timeout(LONG), "").await;
    assert_eq!((given.text.len(), given.error().kind()), (100_003, ModelErrorKind::Protocol));
    assert_eq!(given.error().to_string(), "the program sh prints more than the limit of 100003 bytes");
    assert!(!exists(&pid(&dir, "pid").await));

    let given = ask(&shell("printf 12345").max_response_bytes(5), "").await.good();
    assert_eq!(given.text, "12345");
}

// --- ends -------------------------------------------------------------------------------------------------------------

/// What there is was given, and what it has started ends with it.
#[tokio::test]
async fn a_partial_answer_that_hangs() {
    let (dir, model) = in_dir("echo $$ > pid; sleep 3600 & echo $! > child; printf '[1, 2'; wait");
    // A machine that has much to do may not get so far in a short time.
    for timeout in [SHORT, 30 * SHORT, 300 * SHORT] {
        let given = ask(&model.clone().timeout(timeout), "").await;
        assert_eq!(given.error().kind(), ModelErrorKind::Timeout);
        assert_eq!(given.error().to_string(), format!("the program sh has not ended within {timeout:?}"));
        if given.text.is_empty() {
            continue;
        }
        assert_eq!(given.text, "[1, 2");
        assert!(!exists(&pid(&dir, "pid").await), "it was reaped");
        until_dead(&pid(&dir, "child").await).await;
        return;
    }
    panic!("it never said anything");
}

/// The same, but it depends on no clock: it is dropped when it has said something.
#[tokio::test]
async fn a_stream_that_is_dropped() {
    let script =
        "echo $$ > pid; sh -c 'sleep 3600 & echo $! > grandchild; wait' & echo $! > child; printf '[1, 2'; wait";
    let (dir, model) = in_dir(script);
    let model = model.timeout(LONG);
    let mut response = model.respond(request(""));
    assert_eq!(response.next().await.unwrap().unwrap(), ModelEvent::Text("[1, 2".to_owned()));
    let (program, child, grandchild) =
        (pid(&dir, "pid").await, pid(&dir, "child").await, pid(&dir, "grandchild").await);
    assert!(runs(&program) && runs(&child) && runs(&grandchild));
    drop(response);
    until_gone(&program).await;
    until_dead(&child).await;
    until_dead(&grandchild).await;
}

/// A program that traps what it can is killed all the same.
#[tokio::test]
async fn one_that_does_not_want_to_end() {
    let (dir, model) = in_dir("trap '' TERM INT HUP; echo $$ > pid; printf x; while :; do sleep 1; done");
    let model = model.timeout(LONG);
    let mut response = model.respond(request(""));
    assert!(response.next().await.unwrap().is_ok());
    let program = pid(&dir, "pid").await;
    drop(response);
    until_gone(&program).await;
}

/// A child that holds the pipe does not make the answer wait.
#[tokio::test]
async fn what_it_leaves_behind() {
    let (dir, model) = in_dir("sleep 3600 & echo $! > child; echo ready");
    assert_eq!(ask(&model.timeout(LONG), "").await.good().text, "ready\n");
    until_dead(&pid(&dir, "child").await).await;
}

/// One that prints no more may still have something to do.
#[tokio::test]
async fn a_closed_output() {
    let (dir, model) = in_dir("echo ready; exec >&-; cat > prompt; exit 4");
    let prompt = "x".repeat(1 << 20);
    let given = ask(&model, &prompt).await;
    assert_eq!((given.text.as_str(), given.error().kind()), ("ready\n", ModelErrorKind::Unavailable));
    assert_eq!(fs::metadata(dir.path().join("prompt")).unwrap().len(), 1 << 20);
}

#[tokio::test]
async fn no_zombies() {
    for script in ["echo $$ > pid", "echo $$ > pid; exit 1", "echo $$ > pid; kill -9 $$"] {
        let (dir, model) = in_dir(script);
        ask(&model, "Hi").await;
        assert!(!exists(&pid(&dir, "pid").await));
    }
}

/// A child that has left the group lives on, and does not make the answer wait either.
#[tokio::test]
async fn one_that_has_left() {
    let (dir, model) =
        in_dir("setsid sh -c 'echo $$ > daemon; exec sleep 3600' & while [ ! -s daemon ]; do :; done; echo ready");
    assert_eq!(ask(&model.timeout(LONG), "").await.good().text, "ready\n");
    let daemon = pid(&dir, "daemon").await;
    assert!(runs(&daemon));
    std::process::Command::new("kill").args(["-9", &daemon]).status().unwrap();
    until_dead(&daemon).await;
}
