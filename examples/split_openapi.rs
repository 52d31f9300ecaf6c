//! Splits an OpenAPI document for an index: chunks of at most 1000 characters, each an operation with the path to it,
//! and what is known about it. Then finds the one that a question is about, and puts all together again.
//!
//!     cargo run --example split_openapi [FILE]

use jsonrill::split::{Boundary, Chunk, Splitter, join};
use serde_json::{Map, json};

/// A document in place of a file.
fn petstore() -> String {
    let operation = |name: &str| {
        let description = "Pets are kept for as long as somebody looks after them. ".repeat(8);
        format!(
            r#"{{
        "operationId": "{name}",
        "description": "{description}",
        "parameters": [{{"name": "limit", "in": "query", "schema": {{"type": "integer", "maximum": 100}}}}],
        "responses": {{"200": {{"description": "What was asked for."}}, "404": {{"description": "There is none."}}}}
      }}"#
        )
    };
    let path = |number: u32| {
        let (get, post) = (operation(&format!("listToys{number}")), operation(&format!("addToy{number}")));
        format!(
            r#"
    "/pets/{number}/toys": {{
      "get": {get},
      "post": {post}
    }}"#
        )
    };
    let paths: Vec<_> = (0..12).map(path).collect();
    let paths = paths.join(",");
    format!(
        r#"{{
  "openapi": "3.1.0",
  "info": {{"title": "Pets", "version": "1.0"}},
  "paths": {{{paths}
  }}
}}
"#
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (name, text) = match std::env::args().nth(1) {
        Some(file) => (file.clone(), std::fs::read_to_string(file)?),
        None => ("petstore.json".to_owned(), petstore()),
    };
    // Without a minimum, no operation is torn that fits into a chunk.
    let splitter = Splitter::new(1000).cut_strings(Boundary::Sentence);

    // What goes into the index.
    let source = Map::from_iter([("source".to_owned(), json!(name))]);
    let documents = splitter.documents(&text, &source)?;
    println!("{}", serde_json::to_string(&documents[0])?);
    for document in documents.iter().take(6) {
        let start: String = document.page_content.chars().take(60).collect();
        println!("{} from {} on: {start}...", document.metadata["pointer"], document.metadata["first"]);
    }
    println!("... {} documents", documents.len());

    // What an index would find: the chunk says where it is from.
    let found = documents.iter().find(|document| document.page_content.contains("listToys7"));
    if let Some(found) = found {
        println!("listToys7 is in {}", found.metadata["first"]);
    }

    // Nothing is lost: what the index has is the document, but for the blanks.
    let chunks = documents.iter().map(Chunk::try_from).collect::<Result<Vec<_>, _>>()?;
    let parsed: serde_json::Value = serde_json::from_str(&text)?;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&join(&chunks)?)?, parsed);
    Ok(())
}
