//! All that a frozen state can tell, as plain data that can be compared and printed.

use jsonrill::{ContextOptions, CutState, Finished, Frozen, Place};

use crate::common::tree::Tree;

/// The pointer of a number or keyword in flight that is shown at the end.
pub fn scalar_in_flight<'a>(frozen: &'a Frozen, finished: &Finished) -> Option<&'a str> {
    let cut = frozen.cut();
    let pointer = cut.open().filter(|_| matches!(cut.state(), CutState::InNumber | CutState::InKeyword))?;
    // The second value of a key is not shown, and the first stays. Half a character may follow.
    let span = finished.snapshot().at(pointer).span()?;
    (u64::from(span.start) + cut.in_flight().len() as u64 + 3 >= cut.offset()).then_some(pointer)
}

/// `tree` without the value at a pointer, if there is one.
pub fn without(tree: Option<Tree>, pointer: Option<&str>) -> Option<Tree> {
    let Some(pointer) = pointer else { return tree };
    if pointer.is_empty() {
        return None;
    }
    let mut tree = tree;
    if let Some(tree) = &mut tree {
        remove(tree, &pointer[1..]);
    }
    tree
}

fn remove(tree: &mut Tree, pointer: &str) {
    let (step, rest) = pointer.split_once('/').map_or((pointer, None), |(step, rest)| (step, Some(rest)));
    let key = step.replace("~1", "/").replace("~0", "~");
    let place = match tree {
        Tree::Object(members) => members.iter().position(|(name, _)| *name == key),
        Tree::Array(items) => key.parse().ok().filter(|index| *index < items.len()),
        _ => None,
    };
    match (place, rest, tree) {
        (Some(at), None, Tree::Object(members)) => drop(members.remove(at)),
        (Some(at), None, Tree::Array(items)) => drop(items.remove(at)),
        (Some(at), Some(rest), Tree::Object(members)) => remove(&mut members[at].1, rest),
        (Some(at), Some(rest), Tree::Array(items)) => remove(&mut items[at], rest),
        _ => {}
    }
}

/// Options that cut into small texts, too.
pub fn some_options() -> [ContextOptions; 4] {
    let new = ContextOptions::new;
    [
        new(),
        new().budget_limit(7).overlap_max_chars(9).keep_scalars(true),
        new().budget_limit(0).overlap_max_chars(1).total_limit(Some(0)),
        new().budget_limit(40).overlap_max_chars(0).total_limit(Some(200)),
    ]
}

/// All but the snapshot: that is what was shown when it was taken, and the end of a text shows more.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs {
    pub cut: (u64, Option<Place>, CutState, Option<String>, String, String),
    /// Overlap, whether it is clipped, hierarchy and complete part, for each of some options.
    pub contexts: Vec<(String, bool, String, String)>,
}

pub fn outputs(frozen: &Frozen) -> Outputs {
    let cut = frozen.cut();
    let contexts = some_options().map(|options| {
        let contexts = frozen.contexts_with(&options);
        (contexts.overlap, contexts.overlap_clipped, contexts.hierarchy, contexts.complete_part)
    });
    Outputs {
        cut: (
            cut.offset(),
            cut.place(),
            cut.state(),
            cut.open().map(str::to_owned),
            cut.closers().to_owned(),
            cut.in_flight().to_owned(),
        ),
        contexts: contexts.into(),
    }
}

/// Where two of them differ, if they do.
pub fn difference(one: &Outputs, other: &Outputs) -> Option<String> {
    if one.cut != other.cut {
        return Some(format!("{:?} is not {:?}", one.cut, other.cut));
    }
    let (one, other) = one.contexts.iter().zip(&other.contexts).find(|(one, other)| one != other)?;
    Some(format!("{one:?} is not {other:?}"))
}
