//! Recorded responses: what a provider sent, read by read, with the pause before each.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A response, and what it answers.
#[derive(Debug)]
pub struct Recording {
    pub about: About,
    pub reads: Vec<Read>,
}

/// The first line of a recording's file.
#[derive(Debug, Serialize, Deserialize)]
pub struct About {
    #[serde(skip_deserializing)]
    pub id: String,
    pub name: String,
    pub provider: String,
    pub question: String,
}

/// Each further line: milliseconds, and what one read of the socket gave.
#[derive(Debug, Deserialize)]
pub struct Read(u64, pub String);

impl Read {
    pub fn pause(&self) -> Duration {
        Duration::from_millis(self.0)
    }
}

macro_rules! files {
    ($($id:literal),* $(,)?) => {
        [$(($id, include_str!(concat!("../recordings/", $id, ".jsonl")))),*]
    };
}

impl Recording {
    /// All there are, in the order in which the page shows them.
    pub fn all() -> Result<Vec<Self>, serde_json::Error> {
        let files = files!["broken_cases", "charged_twice", "tasting", "birthday", "cider"];
        files.into_iter().map(|(id, file)| Self::parse(id, file)).collect()
    }

    fn parse(id: &str, file: &str) -> Result<Self, serde_json::Error> {
        let (first, rest) = file.split_once('\n').unwrap_or((file, ""));
        let about = About { id: id.to_owned(), ..serde_json::from_str(first)? };
        let reads = rest.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        Ok(Self { about, reads })
    }
}
