//! What the README and the guide show works as it stands there.
#![cfg(unix)]

use std::io::Write;
use std::process::Command;

use crate::server::{Server, file};

/// The blocks of shell in a text.
fn blocks(text: &str) -> Vec<String> {
    text.split("```sh\n").skip(1).map(|block| block.split_once("```").unwrap().0.to_owned()).collect()
}

/// The section of the README.
fn readme() -> &'static str {
    let (_, section) = include_str!("../../README.md").split_once("\n## The service\n").unwrap();
    section.split_once("\n## ").unwrap().0
}

/// Runs a block as it is, with the server in the place of the one that it names; any status but 2xx fails it.
fn run(block: &str, server: &Server) -> Option<String> {
    let block = block.replace("127.0.0.1:8787", &server.address.to_string());
    let script = format!("set -e\ncurl() {{ command curl --fail-with-body --max-time 60 \"$@\"; }}\n{block}");
    if Command::new("curl").arg("--version").output().is_err() {
        // Not through `eprintln!`, which is not shown for tests that pass.
        let _ = std::io::stderr().write_all(b"NOT RUN, for there is no curl in PATH: the examples of the guide\n");
        return None;
    }
    let output = Command::new("sh").args(["-c", &script]).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{block}\n{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    Some(printed)
}

fn has_all(printed: &str, parts: &[&str]) {
    for part in parts {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
}

const REPAIRED: &str = "\"text\":\"{\\\"name\\\": \\\"Ada\\\", \\\"price\\\": 1.50, \\\"tags\\\": [\\\"x\\\"]}\"";
const STREAMED: [&str; 2] = [
    "event: update\ndata: {\"feed\":3,",
    "\"outcome\":\"complete\",\"complete\":true,\"value\":{\"reply\":\"Hello\",\"done\":true}",
];

#[test]
fn the_examples_of_the_readme() {
    let blocks = blocks(readme());
    assert_eq!((blocks.len(), blocks[0].as_str()), (2, "jsonrill serve\n"));
    let Some(printed) = run(&blocks[1], &Server::new()) else { return };
    has_all(&printed, &[REPAIRED]);
    has_all(&printed, &STREAMED);
}

#[test]
fn the_examples_of_the_guide() {
    let blocks = blocks(include_str!("../../src/guide/serving.md"));
    assert_eq!(blocks.len(), 2);
    let Some(printed) = run(&blocks[0], &Server::new()) else { return };
    has_all(&printed, &STREAMED);
    has_all(
        &printed,
        &[
            REPAIRED,
            "\"documents\":[{\"id\":1},{\"id\":2}]",
            "\"overlap\":\"{\\\"id\\\": 2, \\\"na\"",
            "[{\"peaks\":[\"Dom\",\"Eiger\"]},\n{\"peaks\":[\"Mönch\"]}]",
            "\n{\"peaks\":[\"Dom\",\"Eiger\"]}\n{\"peaks\":[\"Mönch\"]}\n",
            "{\"page_content\":\"{\\\"peaks\\\":[\\\"Mönch\\\"]}\"",
            "{\"status\":\"ok\"",
            "\"code\":\"missing_fields\"",
            "jsonrill_open_streams 0",
        ],
    );

    let server = Server::with(&["--model", "command:cat", "--token-file", &file("tokens", "TOKEN\n")]);
    let (start, ask) = blocks[1].split_once("\n\n").unwrap();
    assert_eq!(start, "jsonrill serve --model 'command:cat'");
    let printed = run(ask, &server).unwrap();
    assert!(
        printed.starts_with(
            "{\"code\":200,\"success\":true,\"output\":\"A recipe for crêpes, as JSON.\",\"executionTime\":"
        )
    );
}
