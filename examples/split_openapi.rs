//! Splits an OpenAPI document for an index: chunks of at most 1500 characters, each an operation or a schema with the
//! path to it, and what is known about it. Then finds the one that a question is about, and puts all together again.
//!
//!     cargo run --example split_openapi [FILE]

use jsonrill::split::{Boundary, Splitter, join};
use serde_json::{Map, json};

/// A document in place of a file.
fn petstore() -> String {
    let operation = |name: &str| {
        json!({
            "operationId": name,
            "description": "Pets are kept for as long as somebody looks after them. ".repeat(8),
            "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}}],
            "responses": {"200": {"description": "What was asked for."}, "404": {"description": "There is none."}},
        })
    };
    let paths = (0..12).map(|number| {
        let path = format!("/pets/{number}/toys");
        (path, json!({"get": operation(&format!("listToys{number}")), "post": operation(&format!("addToy{number}"))}))
    });
    json!({"openapi": "3.1.0", "info": {"title": "Pets"}, "paths": paths.collect::<Map<_, _>>()}).to_string()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (name, text) = match std::env::args().nth(1) {
        Some(file) => (file.clone(), std::fs::read_to_string(file)?),
        None => ("petstore.json".to_owned(), petstore()),
    };
    let splitter = Splitter::new(1500).min(400).cut_strings(Boundary::Sentence);

    // What goes into the index.
    let source = Map::from_iter([("source".to_owned(), json!(name))]);
    let documents = splitter.documents(&text, &source)?;
    for document in documents.iter().take(4) {
        println!("{}", serde_json::to_string(document)?);
    }
    println!("... {} documents", documents.len());

    // What an index would find: the chunk says where it is from.
    let found = documents.iter().find(|document| document.page_content.contains("listToys7"));
    if let Some(found) = found {
        println!("listToys7 is in {}", found.metadata["pointer"]);
    }

    // Nothing is lost.
    let chunks = splitter.split(&text).collect::<Result<Vec<_>, _>>()?;
    let parsed: serde_json::Value = serde_json::from_str(&text)?;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&join(&chunks)?)?, parsed);
    Ok(())
}
