//! Valid documents, cut at every byte: what the oracle says, and what holds of all that is told.

use jsonrill::{ContextOptions, Dialect, End, Options, Parser};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::common::generate::{ANY_VALID, VALID, containers, documents};
use crate::common::reference::{self, Rules};
use crate::common::tree::{Tree, same_value};
use crate::common::view::{ending, root};
use crate::common::{DIALECTS, config, options, strict};
use crate::oracle;
use crate::outputs::{difference, outputs, scalar_in_flight, without};

/// The cuts of a text: every byte, of a long one every few.
pub fn cuts(text: &[u8], most: usize) -> impl Iterator<Item = usize> {
    (0..=text.len()).step_by(text.len() / most + 1)
}

/// Strings of a length that reaches the limits, in every layout.
fn long() -> BoxedStrategy<String> {
    let piece =
        select(vec!["a", "word ", "é", "日本", "🌶️", r"\n", r#"\""#, r"\\", r"\u00e9", r"\ud83d\ude00", ", ", "}]"]);
    let string = (vec(piece, 0..6), select(vec![0_usize, 1, 2, 20, 60])).prop_map(|(pieces, times)| {
        let text = pieces.concat().repeat(times);
        format!("\"{text}\"")
    });
    let value = prop_oneof![4 => string, 1 => Just("12.50".to_owned()), 1 => Just("null".to_owned())];
    (vec((vec(value, 0..4), any::<bool>()), 0..5), select(vec!["", " ", "\n  ", "\r\n\t"]))
        .prop_map(|(groups, blank)| {
            let groups: Vec<String> = groups
                .iter()
                .map(|(values, is_object)| {
                    let entries = values.iter().enumerate().map(|(index, value)| {
                        if *is_object {
                            format!("{blank}\"k{index}\":{blank}{value}")
                        } else {
                            format!("{blank}{value}")
                        }
                    });
                    let inside = entries.collect::<Vec<_>>().join(",");
                    if *is_object { format!("{{{inside}{blank}}}") } else { format!("[{inside}{blank}]") }
                })
                .collect();
            format!("{{{blank}\"groups\":{blank}[{}{blank}]}}", groups.join(","))
        })
        .boxed()
}

fn frozen_at(options: &Options, prefix: &[u8]) -> (jsonrill::Frozen, jsonrill::Finished) {
    let mut parser = Parser::with_options(*options);
    parser.push(prefix);
    (parser.freeze(), parser.finish(End::Truncated))
}

/// All that is told at a cut is what the oracle says.
fn agrees(options: &Options, prefix: &[u8]) -> Result<(), TestCaseError> {
    let (frozen, finished) = frozen_at(options, prefix);
    let oracle = oracle::read(prefix);
    let cut = frozen.cut();
    prop_assert_eq!(cut.offset(), prefix.len() as u64);
    prop_assert_eq!(cut.state().as_str(), oracle.state);
    prop_assert_eq!(cut.open(), oracle.open.as_deref());
    prop_assert_eq!(cut.closers(), oracle.closers());
    prop_assert_eq!(cut.in_flight(), oracle.in_flight);
    prop_assert_eq!(finished.cut(), oracle.open.is_some().then_some(cut));
    if finished.warnings().is_empty() {
        prop_assert_eq!(frozen.complete_part(), oracle.complete_part(false));
        let kept = ContextOptions::new().keep_scalars(true);
        prop_assert_eq!(frozen.complete_part_with(&kept), oracle.complete_part(true));
    }
    for max in [0, 1, 3, 10, 50, 1000] {
        let got = frozen.overlap_with(&ContextOptions::new().overlap_max_chars(max));
        let (text, is_clipped) = oracle.overlap(max);
        prop_assert_eq!(&got.text, text, "at most {}", max);
        prop_assert_eq!(got.is_clipped, is_clipped, "at most {}", max);
    }
    for budget in [0, 1, 3, 10, 50, 500] {
        let got = frozen.hierarchy_with(&ContextOptions::new().budget_limit(budget));
        prop_assert_eq!(got, oracle.hierarchy(budget), "for {}", budget);
    }
    Ok(())
}

/// Whether `part` is a beginning of `whole`: less only at the end of its last path.
fn begins(part: &Tree, whole: &Tree) -> bool {
    match (part, whole) {
        (Tree::String(part), Tree::String(whole)) => whole.starts_with(part.as_str()),
        (Tree::Array(part), Tree::Array(whole)) => {
            let Some((last, before)) = part.split_last() else { return true };
            part.len() <= whole.len() && whole.starts_with(before) && begins(last, &whole[before.len()])
        }
        (Tree::Object(part), Tree::Object(whole)) => {
            let Some(((key, last), before)) = part.split_last() else { return true };
            part.len() <= whole.len() && whole.starts_with(before) && {
                let (other, whole) = &whole[before.len()];
                key == other && begins(last, whole)
            }
        }
        _ => part == whole,
    }
}

/// What holds of a cut, whoever works it out.
fn holds(options: &Options, text: &[u8], at: usize) -> Result<(), TestCaseError> {
    let prefix = &text[..at];
    let (frozen, finished) = frozen_at(options, prefix);
    prop_assert_eq!(difference(&outputs(&frozen), &outputs(finished.frozen())), None);
    // The snapshot is what was shown before the end was known.
    prop_assert_eq!(root(frozen.snapshot()), {
        let mut parser = Parser::with_options(*options);
        parser.push(prefix);
        root(&parser.snapshot())
    });

    let part = frozen.complete_part();
    let shown = root(finished.snapshot());
    let scalar = scalar_in_flight(&frozen, &finished);
    let wanted = without(shown.clone(), scalar);
    prop_assert_eq!(part.is_empty(), wanted.is_none(), "{}", part);
    if let Some(wanted) = wanted {
        let read = reference::read(part.as_bytes(), Rules::Strict).tree.expect("a value");
        let whole = reference::read(text, Rules::Strict).tree.expect("a value");
        prop_assert_eq!(&read, &wanted);
        prop_assert!(begins(&read, &whole), "{}", part);
        let judge: Value =
            serde_json::from_str(&part).map_err(|error| TestCaseError::fail(format!("{error}: {part}")))?;
        prop_assert!(same_value(&judge, &wanted.to_value()), "{}", part);
        // Blanks may be left before them where something was left out.
        prop_assert!(part.ends_with(frozen.cut().closers()) || !finished.warnings().is_empty(), "{}", part);
    }
    // With scalars kept, all that is shown but half a keyword.
    let kept = frozen.complete_part_with(&ContextOptions::new().keep_scalars(true));
    let keyword = scalar.filter(|_| frozen.cut().state().as_str() == "in_keyword");
    let wanted = without(shown, keyword);
    prop_assert_eq!(strict_root(&kept), wanted);

    let valid = String::from_utf8_lossy(&prefix[..valid_length(prefix)]).into_owned();
    let (overlap, hierarchy) = (frozen.overlap().text, frozen.hierarchy());
    prop_assert!(valid.ends_with(&overlap));
    // As far as no string is left out.
    let kept = hierarchy.rfind("\"...").map_or(hierarchy.len(), |last| hierarchy.len() - last - 5).min(overlap.len());
    prop_assert!(
        hierarchy.as_bytes().ends_with(&overlap.as_bytes()[overlap.len() - kept..]),
        "{} and {}",
        overlap,
        hierarchy
    );
    Ok(())
}

fn strict_root(text: &str) -> Option<Tree> {
    if text.is_empty() { None } else { root(strict(text).snapshot()) }
}

/// How much of a prefix there is without half a character at its end.
pub fn valid_length(prefix: &[u8]) -> usize {
    let is_half = |length: &usize| {
        let half = prefix.get(prefix.len().wrapping_sub(*length)..);
        let error = half.and_then(|half| std::str::from_utf8(half).err());
        error.is_some_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    };
    prefix.len() - (1..4).find(is_half).unwrap_or(0)
}

fn every(text: &str, check: impl Fn(&Options, usize) -> Result<(), TestCaseError>) -> Result<(), TestCaseError> {
    for dialect in DIALECTS {
        for at in cuts(text.as_bytes(), 300) {
            check(&options(dialect), at).map_err(|error| {
                let cut = String::from_utf8_lossy(&text.as_bytes()[..at]);
                TestCaseError::fail(format!("{dialect:?} cut at {at}, behind {cut:?}: {error}"))
            })?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn documents_as_the_oracle_says(text in documents(ANY_VALID)) {
        every(&text, |options, at| agrees(options, &text.as_bytes()[..at]))?;
    }

    #[test]
    fn long_strings_as_the_oracle_says(text in long()) {
        every(&text, |options, at| agrees(options, &text.as_bytes()[..at]))?;
    }

    #[test]
    fn the_complete_part_is_a_beginning_of_the_whole(text in prop_oneof![documents(ANY_VALID), documents(VALID), long()]) {
        every(&text, |options, at| holds(options, text.as_bytes(), at))?;
    }

    /// Freezing at every byte changes nothing of what is told, then or later.
    #[test]
    fn freezing_does_no_harm(text in containers(ANY_VALID), end in select(crate::common::ENDS.to_vec())) {
        for dialect in DIALECTS {
            let [mut frozen, mut other] = [(); 2].map(|()| Parser::with_options(options(dialect)));
            let mut kept = Vec::new();
            for byte in text.as_bytes() {
                if kept.len() < 200 {
                    let state = frozen.freeze();
                    kept.push((outputs(&state), state));
                }
                let [one, two] = [&mut frozen, &mut other].map(|parser| parser.feed([*byte]));
                prop_assert_eq!(one.snapshot().to_string(), two.snapshot().to_string());
                prop_assert_eq!(one.delta().to_string(), two.delta().to_string());
                prop_assert_eq!(one.ambiguity().open_path(), two.ambiguity().open_path());
                prop_assert_eq!(one.sequence(), two.sequence());
            }
            prop_assert_eq!(outputs(&frozen.freeze()), outputs(&frozen.freeze()));
            prop_assert_eq!(ending(&frozen.finish(end)), ending(&other.finish(end)));
            // The states stand still.
            for (before, state) in &kept {
                prop_assert_eq!(&outputs(state), before);
            }
        }
    }

    /// How the text came does not matter.
    #[test]
    fn chunking_does_not_matter(text in documents(ANY_VALID), chunking in crate::common::chunks::chunking()) {
        for dialect in DIALECTS {
            let mut parser = Parser::with_options(options(dialect));
            let mut count = 0;
            for chunk in chunking.cut(text.as_bytes()).into_iter().take(100) {
                parser.feed(chunk);
                count += chunk.len();
                let whole = frozen_at(&options(dialect), &text.as_bytes()[..count]).0;
                prop_assert_eq!(outputs(&parser.freeze()), outputs(&whole), "{} bytes", count);
            }
        }
    }
}

/// In strict and lenient alike, whatever stands around it in the text.
#[test]
fn a_frozen_state_after_the_end_is_that_before_it() {
    for dialect in [Dialect::Strict, Dialect::Lenient] {
        let mut parser = Parser::with_options(options(dialect));
        parser.push(r#"{"a": [1, tru"#);
        let before = outputs(&parser.freeze());
        let finished = parser.finish(End::Truncated);
        assert_eq!(outputs(finished.frozen()), before);
    }
}
