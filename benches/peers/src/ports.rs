//! The other repairers in Rust that are measured beside ours, each as its documentation says to use it.
//!
//! Left out: `partial-json-fixer`, `repair_json` and `llm-json-repair`, which close what is open, take a fence off or
//! drop a comma, and leave the rest of these texts as it is; `json-repair`, which needs a nightly compiler.

/// Makes JSON of a text; `None` where it gives up.
pub type Repair = fn(&str) -> Option<String>;

pub const ALL: [(&str, Repair); 5] = [
    ("jsonrepair", |text| jsonrepair::repair_to_string(text, &jsonrepair::Options::default()).ok()),
    ("jsonrepair-rs", |text| jsonrepair_rs::jsonrepair(text).ok()),
    // As for models' answers: what is around the JSON is not wanted.
    ("jsonfix", |text| jsonfix::repair_extract(text).ok()),
    ("llm_json", |text| llm_json::repair_json(text, &llm_json::RepairOptions::default()).ok()),
    ("anyrepair", |text| anyrepair::jsonrepair(text).ok()),
];
