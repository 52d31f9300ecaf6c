//! Valid documents that are damaged in known ways: what the design promises of each, and the laws whatever is done.
//!
//! A document is made as tokens, so that a damage knows where it is done and what the text reads as afterwards.

#[path = "../common/mod.rs"]
mod common;

mod document;
mod known;
mod wounds;

use common::chunks::{Chunking, chunking};
use common::tree::same_value;
use common::{config, laws, lenient, options, strict};
use document::document;
use jsonrill::{Dialect, End, Outcome, Parser, RepairKind};
use known::{DAMAGES, Damage, Damaged, damaged};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;
use wounds::hurt_document;

/// What models write around a document.
fn wrappings() -> Vec<(&'static str, &'static str)> {
    vec![
        ("Here you are: ", "\nThat is \"all\", I think."),
        ("```json\n", "\n```"),
        ("Sure!\n\n~~~\n", "\n~~~\nAnything else?"),
        ("<think>maybe {x} or \"y\"</think>\n", ""),
        ("<answer>", "</answer>"),
        ("\u{feff}", ""),
        ("callback(", ");"),
        ("const data = ", ";"),
        ("", "}}"),
    ]
}

fn not_as_meant(damaged: &Damaged, chunking: &Chunking) -> Result<(), String> {
    let Damaged { damage, value, text, .. } = damaged;
    let mut parser = Parser::new();
    for chunk in chunking.cut(text.as_bytes()) {
        parser.push(chunk);
    }
    let finished = parser.finish(End::Unknown);
    // The order of members and the spelling of numbers count, too.
    let clean = strict(value.to_string().as_str()).snapshot().to_string();
    let shown = finished.snapshot().to_string();
    let told: Vec<RepairKind> = finished.repairs().iter().map(|repair| repair.kind).collect();
    if shown != clean {
        Err(format!("reads {shown}"))
    } else if finished.outcome() != Outcome::Repaired || !told.contains(&damage.told()) {
        Err(format!("is {} and told as {told:?}", finished.outcome()))
    } else if !finished.skipped().is_empty() {
        Err(format!("skips {:?}", finished.skipped()))
    } else {
        laws::all_is_kept_or_told(&finished, text)
    }
}

#[test]
fn what_is_open_in_what_is_dropped_is_not_open_behind_it() {
    for text in ["[1, 2", r#"[{"x": f(1}], "b": [{"y": 2)}]"#, r#"[{"x": f(1)}], "b": [{"y": 2)}]"#] {
        assert_eq!(laws::drops_nothing_else(text), Ok(()));
    }
}

proptest! {
    #![proptest_config(config(150))]

    /// Each of them in one document, so that one that is not mended hides no other.
    #[test]
    fn one_damage_reads_as_what_was_meant(document in document(), place in any::<Index>(), chunking in chunking()) {
        let damaged = DAMAGES.iter().filter_map(|damage| Damaged::new(document.clone(), *damage, place));
        let fault = |damaged: Damaged| {
            let fault = not_as_meant(&damaged, &chunking).err()?;
            Some(format!("{:?} in {:?}: {fault}", damaged.damage, damaged.text))
        };
        let faults: Vec<String> = damaged.filter_map(fault).collect();
        prop_assert!(faults.is_empty(), "{} damages:\n{}", faults.len(), faults.join("\n"));
    }

    #[test]
    fn a_damaged_document_in_what_models_write(
        damaged in damaged(), (before, after) in select(wrappings()),
    ) {
        let wrapped = format!("{before}{}{after}", damaged.text);
        let finished = lenient(wrapped.as_str());
        prop_assert_eq!(&finished.snapshot().to_value(), &damaged.value, "{:?} in {}", damaged.damage, wrapped);
        prop_assert_eq!(finished.outcome(), Outcome::Repaired);
    }

    #[test]
    fn a_whole_document_in_what_models_write(document in document(), (before, after) in select(wrappings())) {
        let wrapped = format!("{before}{}{after}", document.text());
        let finished = lenient(wrapped.as_str());
        prop_assert_eq!(&finished.snapshot().to_value(), &document.value, "{}", wrapped);
        prop_assert_eq!(finished.outcome(), Outcome::Repaired);
        prop_assert!(!finished.repairs().is_empty() || !finished.skipped().is_empty());
    }

    /// Once the last member's value has begun, all that came before is final: damage holds nothing back for long.
    #[test]
    fn members_behind_a_damage_are_final(damaged in damaged()) {
        let Damaged { damage, value, text, last, .. } = &damaged;
        let begun = text.len() - last.text.len() - "}".len() + 1;
        // Where a keyword begins there, a word might.
        prop_assume!(!text[begun - 1..].starts_with(['n', 't', 'f']));
        let mut parser = Parser::new();
        parser.push(&text[..begun]);
        let shown = parser.snapshot();
        for (key, value) in value.as_object().unwrap().iter().filter(|(key, _)| *key != last.member()) {
            let found = shown.get(key.as_str());
            prop_assert!(found.is_final(), "{} of {:?} in {}", key, damage, text);
            prop_assert_eq!(&found.to_value(), value, "{:?} in {}", damage, text);
        }
    }

    /// A cut is no damage to what came before it.
    #[test]
    fn a_cut_leaves_what_was_before(damaged in damaged(), at in any::<Index>(), end in select(common::ENDS.to_vec())) {
        let Damaged { damage, member, value, text, .. } = &damaged;
        let mut at = 1 + at.index(text.len() - 1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
        let whole = common::fed(&options(Dialect::Lenient), text.as_str()).snapshot();
        let mut parser = Parser::new();
        parser.push(&text[..at]);
        let before = parser.snapshot();
        let finished = parser.finish(end);
        prop_assert_eq!(laws::may_become(before.root(), whole.root()), Ok(()), "{:?} in {}", damage, text);
        prop_assert_eq!(laws::may_become(before.root(), finished.snapshot().root()), Ok(()));
        // A closer of the other kind at the end closes all up to its opener, which may be the root.
        if at < text.len() && *damage != Damage::WrongCloser {
            prop_assert!(!finished.is_complete(), "{:?} in {} cut at {} with {:?}", damage, text, at, end);
        }
        for (key, value) in value.as_object().unwrap().iter().filter(|(key, _)| *key != member) {
            let found = finished.snapshot().get(key.as_str());
            if found.is_final() {
                prop_assert_eq!(&found.to_value(), value, "{:?} in {} cut at {}", damage, text, at);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn what_is_dropped_changes_nothing_else(text in hurt_document()) {
        prop_assert_eq!(laws::drops_nothing_else(&text), Ok(()));
    }

    #[test]
    fn what_is_let_go_changes_no_chunk(text in hurt_document()) {
        prop_assert_eq!(laws::splits_alike(&text), Ok(()));
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_laws_hold_whatever_is_damaged(text in hurt_document(), chunking in chunking()) {
        let kept = laws::keep_in_chunks(&options(Dialect::Lenient), &chunking.cut(text.as_bytes()));
        prop_assert_eq!(kept, Ok(()), "{}", text);
    }

    #[test]
    fn the_laws_hold_for_damage_that_is_mended(damaged in damaged(), chunking in chunking()) {
        let kept = laws::keep_in_chunks(&options(Dialect::Lenient), &chunking.cut(damaged.text.as_bytes()));
        prop_assert_eq!(kept, Ok(()), "{:?} in {}", damaged.damage, damaged.text);
    }

    /// What is no JSON is never called JSON, and what is, is read as it is.
    #[test]
    fn damage_is_told(text in hurt_document()) {
        let finished = lenient(text.as_str());
        if let Ok(judge) = serde_json::from_str::<Value>(&text) {
            prop_assert_eq!(finished.outcome(), Outcome::Complete, "{}", text);
            prop_assert!(finished.repairs().is_empty());
            let has_duplicates = !finished.warnings().is_empty();
            prop_assert!(has_duplicates || same_value(&finished.snapshot().to_value(), &judge), "{}", text);
        } else {
            prop_assert_ne!(finished.outcome(), Outcome::Complete, "{}", text);
            let said = !finished.repairs().is_empty() || !finished.skipped().is_empty();
            prop_assert!(said || !finished.is_complete(), "{} is {} and nothing is told", text, finished.outcome());
        }
    }
}
