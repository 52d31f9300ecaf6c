//! Rounds given to a parser, and what came of them.

use std::collections::BTreeMap;

use jsonrill::{End, Finished, Parser, Seam, Update};
use serde_json::Value;

use crate::common::tree::Tree;
use crate::common::view::root;

/// What came of it, as plain data.
#[derive(Clone, Debug, PartialEq)]
pub struct Got {
    pub root: Option<Tree>,
    pub documents: Vec<Option<Tree>>,
    pub is_complete: bool,
    pub outcome: &'static str,
    pub seams: Vec<Seam>,
}

impl Got {
    fn new(finished: &Finished) -> Self {
        Self {
            root: root(finished.snapshot()),
            documents: finished.documents().map(|document| root(&document.snapshot)).collect(),
            is_complete: finished.is_complete(),
            outcome: finished.outcome().as_str(),
            seams: finished.seams().to_vec(),
        }
    }

    pub fn is_certain(&self) -> bool {
        self.seams.iter().all(|seam| seam.is_certain)
    }

    pub fn kinds(&self) -> String {
        let kinds =
            self.seams.iter().map(|seam| format!("{}{}", seam.kind.as_str(), if seam.is_certain { "" } else { "?" }));
        kinds.collect::<Vec<_>>().join(" ")
    }
}

/// Each round in one piece, without updates.
pub fn whole(rounds: &[&str], end: End) -> Got {
    let mut parser = Parser::new();
    for (index, round) in rounds.iter().enumerate() {
        if index > 0 {
            parser.next_round();
        }
        parser.push(*round);
    }
    Got::new(&parser.finish(end))
}

/// Each round in pieces of so many bytes, with an update for each: they add up to what is there in the end.
pub fn in_pieces(rounds: &[&str], end: End, size: usize) -> Result<Got, String> {
    let mut parser = Parser::new();
    let mut replicas = BTreeMap::new();
    for (index, round) in rounds.iter().enumerate() {
        if index > 0 {
            parser.next_round();
        }
        for piece in round.as_bytes().chunks(size) {
            apply(&mut replicas, &parser.feed(piece))?;
        }
    }
    let finished = parser.finish(end);
    apply(&mut replicas, finished.update())?;
    let number = finished.update().document();
    let replica = replicas.get(&number).cloned().unwrap_or_default();
    if replica != finished.snapshot().to_value() {
        return Err(format!("the updates add up to {replica}"));
    }
    Ok(Got::new(&finished))
}

fn apply(replicas: &mut BTreeMap<u32, Value>, update: &Update) -> Result<(), String> {
    for part in update.parts() {
        let replica = replicas.entry(part.document()).or_default();
        part.delta().apply(replica).map_err(|error| format!("{:?}: {error}", part.delta()))?;
    }
    Ok(())
}
