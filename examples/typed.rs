//! Your own types, while they stream and when they are done.
//!
//!     cargo run --example typed
//!
//! Two ways to use serde with an answer that is still being written:
//!
//! - *The whole, as far as it goes*: a struct whose fields are all optional is read from any snapshot. Good for
//!   drawing; not for acting on it, as its text and numbers may still grow.
//! - *A part that is final*: the real, strict type, read the moment it can no longer change. Strings can be borrowed
//!   from the snapshot.

use jsonrill::{End, Parser};
use serde::Deserialize;

/// The recipe while it streams: everything may be missing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Draft {
    title: Option<String>,
    servings: Option<u32>,
    ingredients: Vec<DraftIngredient>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct DraftIngredient {
    name: Option<String>,
    grams: Option<f64>,
}

/// An ingredient that is final: nothing is optional, and the name is the snapshot's own.
#[derive(Debug, Deserialize)]
struct Ingredient<'a> {
    name: &'a str,
    grams: f64,
}

/// The finished recipe.
#[derive(Debug, Deserialize)]
struct Recipe {
    title: String,
    servings: u32,
    ingredients: Vec<OwnedIngredient>,
}

#[derive(Debug, Deserialize)]
struct OwnedIngredient {
    name: String,
    grams: f64,
}

const ANSWER: &str = r#"{"title": "Crêpes", "servings": 4, "ingredients": [
    {"name": "flour", "grams": 250}, {"name": "milk", "grams": 500.5}, {"name": "butter", "grams": 30}]}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parser = Parser::new();
    let mut weighed = 0;

    // Chunks of 14 bytes: they end inside keys, numbers, and once inside the `ê`.
    for chunk in ANSWER.as_bytes().chunks(14) {
        let update = parser.feed(chunk);
        let snapshot = update.snapshot();
        if !snapshot.is_started() {
            continue;
        }

        // 1. The draft: always readable, never a promise.
        let draft: Draft = snapshot.deserialize()?;
        let newest = draft.ingredients.last().and_then(|last| last.name.as_deref()).unwrap_or("…");
        println!(
            "draft: {} for {}, {} ingredients, the newest: {newest} {}",
            draft.title.as_deref().unwrap_or("…"),
            draft.servings.map_or("…".to_owned(), |servings| servings.to_string()),
            draft.ingredients.len(),
            draft.ingredients.last().and_then(|last| last.grams).map_or(String::new(), |grams| format!("({grams} g?)")),
        );

        // 2. The elements that became final: the strict type, once each.
        for value in update.delta().finals() {
            if value.path() == format!("/ingredients/{weighed}") {
                let ingredient: Ingredient<'_> = value.deserialize()?;
                println!("       weigh {} g of {} now", ingredient.grams, ingredient.name);
                weighed += 1;
            }
        }
    }

    // 3. The end: only a complete answer can become a `Recipe`.
    let answer = parser.finish(End::Stopped).into_complete()?;
    let recipe: Recipe = answer.deserialize()?;
    let total: f64 = recipe.ingredients.iter().map(|ingredient| ingredient.grams).sum();
    let names: Vec<&str> = recipe.ingredients.iter().map(|ingredient| ingredient.name.as_str()).collect();
    println!("done:  {} for {}: {total} g of {}", recipe.title, recipe.servings, names.join(", "));
    Ok(())
}
