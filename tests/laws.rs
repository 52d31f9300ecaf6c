//! The laws, as ARCHITECTURE.md has them, each as a property of generated input.

mod common;

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::thread;

use common::chunks::{Chunking, chunking};
use common::generate::{ANY_VALID, VALID, anything, containers, damaged_behind_start, documents, enveloped};
use common::laws::{Replicas, may_become, nothing_is_lost};
use common::layers::{Layer, reads_alike};
use common::reference::{self, Rules, Stop, Visibility};
use common::tree::{Tree, child, same_value};
use common::view::{agree, ambiguity, ending, root, seen, states, tree, values, view};
use common::{DIALECTS, ENDS, config, fed, finished, lenient, options, rules, strict};
use jsonrill::{
    Delta, Dialect, Duplicates, End, Expect, Limits, Op, Options, Outcome, Parser, Role, Roots, Snapshot, State,
    ValueRef,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::de::IgnoredAny;
use serde_json::Value;

fn dialect() -> impl Strategy<Value = Dialect> {
    select(DIALECTS.to_vec())
}

fn end() -> impl Strategy<Value = End> {
    select(ENDS.to_vec())
}

/// Any options, with limits so small that generated documents run into them now and then.
fn any_options() -> impl Strategy<Value = Options> {
    let limits = prop_oneof![
        3 => Just(Limits::default()),
        1 => (1..8_u32, 1..200_u32, 1..20_u32).prop_map(|(depth, bytes, nodes)| Limits::new().depth(depth).bytes(bytes).nodes(nodes)),
    ];
    (
        dialect(),
        select(vec![Roots::One, Roots::One, Roots::Last, Roots::Many]),
        select(vec![Duplicates::First, Duplicates::First, Duplicates::Last, Duplicates::Error]),
        select(vec![Role::Answer, Role::Answer, Role::Arguments]),
        select(vec![Expect::Any, Expect::Any, Expect::Object, Expect::Array]),
        any::<[bool; 2]>(),
        limits,
    )
        .prop_map(|(dialect, roots, duplicates, role, expect, [reasoning, source], limits)| {
            Options::new()
                .dialect(dialect)
                .roots(roots)
                .duplicates(duplicates)
                .role(role)
                .expect(expect)
                .reasoning_expected(reasoning)
                .keep_source(source)
                .limits(limits)
        })
}

/// Every snapshot of a parse, from before the first feed to after the end.
fn snapshots(options: &Options, input: &[u8], chunking: &Chunking, end: End) -> Vec<Snapshot> {
    let mut parser = Parser::with_options(*options);
    let mut snapshots = vec![parser.snapshot()];
    for chunk in chunking.cut(input) {
        snapshots.push(parser.feed(chunk).snapshot().clone());
    }
    snapshots.push(parser.finish(end).snapshot().clone());
    snapshots
}

mod law_1_chunking_never_matters {
    use super::*;

    proptest! {
        #![proptest_config(config(200))]

        #[test]
        fn after_every_chunk_all_views_are_those_of_the_bytes_so_far(
            input in anything(), options in any_options(), chunking in chunking(), end in end(),
        ) {
            let mut parser = Parser::with_options(options);
            let mut count = 0;
            for chunk in chunking.cut(&input) {
                count += chunk.len();
                let update = parser.feed(chunk);
                let mut whole = fed(&options, &input[..count]);
                prop_assert_eq!(view(&mut parser), view(&mut whole), "after {} bytes", count);
                prop_assert_eq!(seen(update.snapshot()), seen(&parser.snapshot()));
                // Taking what came in between does not change what is read later.
                whole.update();
            }
            prop_assert_eq!(ending(&parser.finish(end)), ending(&finished(&options, &input, end)));
        }

        #[test]
        fn pushes_and_one_update_are_one_feed(
            input in anything(), options in any_options(), chunking in chunking(),
        ) {
            let mut pushed = Parser::with_options(options);
            for chunk in chunking.cut(&input) {
                pushed.push(chunk);
            }
            let mut parser = Parser::with_options(options);
            let (one, other) = (pushed.update(), parser.feed(&input));
            prop_assert_eq!(view(&mut pushed), view(&mut parser));
            prop_assert_eq!(one.delta().to_ops(), other.delta().to_ops());
            prop_assert_eq!(one.document(), other.document());
            prop_assert_eq!(one.parts().count(), other.parts().count());
        }

        #[test]
        fn empty_chunks_add_nothing(input in anything(), dialect in dialect(), at in any::<Index>()) {
            let (head, tail) = input.split_at(at.index(input.len() + 1));
            let mut parser = fed(&options(dialect), head);
            let before = view(&mut parser);
            let update = parser.feed("");
            prop_assert!(update.delta().is_empty());
            prop_assert_eq!(view(&mut parser), before);
            parser.feed(tail);
            prop_assert_eq!(view(&mut parser), view(&mut fed(&options(dialect), &input)));
        }
    }
}

mod law_2_append_only {
    use super::*;

    proptest! {
        #![proptest_config(config(400))]

        #[test]
        fn what_is_shown_only_grows(
            input in anything(), dialect in dialect(), chunking in chunking(), end in end(),
        ) {
            let snapshots = snapshots(&options(dialect), &input, &chunking, end);
            for pair in snapshots.windows(2) {
                let grown = may_become(pair[0].root(), pair[1].root());
                prop_assert!(grown.is_ok(), "{}", grown.unwrap_err());
                prop_assert!(pair[1].is_started() || !pair[0].is_started());
            }
        }

        #[test]
        fn what_is_shown_holds_whatever_comes_next(
            text in documents(ANY_VALID), at in any::<Index>(), dialect in dialect(), futures in prop::array::uniform2(anything()),
        ) {
            let prefix = &text.as_bytes()[..at.index(text.len() + 1)];
            let before = fed(&options(dialect), prefix).snapshot();
            for future in futures {
                let after = fed(&options(dialect), [prefix, &*future].concat()).snapshot();
                let grown = may_become(before.root(), after.root());
                prop_assert!(grown.is_ok(), "{}", grown.unwrap_err());
            }
        }
    }
}

mod law_3_deltas_add_up {
    use super::*;

    proptest! {
        #![proptest_config(config(300))]

        #[test]
        fn all_of_them_applied_to_nothing_give_each_snapshot(
            input in anything(), options in any_options(), many in any::<bool>(),
            chunking in chunking(), end in end(),
        ) {
            let options = if many { options.roots(Roots::Many) } else { options };
            let mut parser = Parser::with_options(options);
            let mut replicas = Replicas::default();
            let mut sequence = 0;
            for chunk in chunking.cut(&input) {
                let update = parser.feed(chunk);
                for part in update.parts() {
                    sequence += 1;
                    prop_assert_eq!(part.sequence(), sequence);
                }
                replicas.apply(&update).map_err(TestCaseError::fail)?;
            }
            let finished = parser.finish(end);
            replicas.apply(finished.update()).map_err(TestCaseError::fail)?;
            for document in finished.documents().filter(|_| many) {
                prop_assert_eq!(&replicas.0[&document.number], &document.snapshot.to_value());
            }
        }

        #[test]
        fn between_any_two_snapshots(
            input in anything(), dialect in dialect(), chunking in chunking(), end in end(),
            [one, other] in any::<[Index; 2]>(),
        ) {
            let snapshots = snapshots(&options(dialect), &input, &chunking, end);
            let (one, other) = (one.index(snapshots.len()), other.index(snapshots.len()));
            let (old, new) = (&snapshots[one.min(other)], &snapshots[one.max(other)]);
            let delta = Delta::between(old, new);
            let mut replica = old.to_value();
            delta.apply(&mut replica).unwrap();
            prop_assert_eq!(&replica, &new.to_value());
            prop_assert_eq!(delta.is_empty(), delta.ops().next().is_none());
            prop_assert!(same_value(&delta.to_value(), &mirror(old, new)), "{} is not {}", delta.to_value(), mirror(old, new));
        }

        #[test]
        fn each_value_becomes_final_once_children_first(
            input in anything(), dialect in dialect(), chunking in chunking(), end in end(),
        ) {
            let snapshots = snapshots(&options(dialect), &input, &chunking, end);
            for pair in snapshots.windows(2) {
                let finals = |snapshot: &Snapshot| -> BTreeSet<String> {
                    let states = states(snapshot);
                    states.into_iter().filter(|(_, state)| *state == State::Final).map(|(path, _)| path).collect()
                };
                let delta = Delta::between(&pair[0], &pair[1]);
                let told: Vec<String> = delta.finals().map(ValueRef::path).collect();
                let told_by_ops: Vec<String> = delta
                    .to_ops()
                    .into_iter()
                    .filter_map(|op| if let Op::Final { path } = op { Some(path) } else { None })
                    .collect();
                prop_assert_eq!(&told, &told_by_ops);
                let new: BTreeSet<String> = finals(&pair[1]).difference(&finals(&pair[0])).cloned().collect();
                prop_assert_eq!(told.len(), new.len());
                prop_assert_eq!(told.iter().cloned().collect::<BTreeSet<_>>(), new);
                for (index, path) in told.iter().enumerate() {
                    let inside = format!("{path}/");
                    prop_assert!(!told[index..].iter().any(|later| later.starts_with(&inside)), "{:?}", told);
                }
            }
        }
    }

    /// What is new, by comparing the trees: strings by what they gained, scalars whole, arrays as
    /// objects keyed by index, and nothing at all as null.
    fn mirror(old: &Snapshot, new: &Snapshot) -> Value {
        fn grown(old: Option<&Tree>, new: &Tree) -> Option<Value> {
            let entries = |pairs: Vec<(String, Option<&Tree>, &Tree)>| {
                let changed: serde_json::Map<_, _> =
                    pairs.into_iter().filter_map(|(key, old, new)| Some((key, grown(old, new)?))).collect();
                (old.is_none() || !changed.is_empty()).then_some(Value::Object(changed))
            };
            match (old, new) {
                (Some(old), new) if old == new => None,
                (Some(Tree::String(old)), Tree::String(new)) => Some(new[old.len()..].into()),
                (old, Tree::Array(items)) => {
                    let old = if let Some(Tree::Array(old)) = old { &old[..] } else { &[] };
                    let pairs = items.iter().enumerate();
                    entries(pairs.map(|(index, item)| (index.to_string(), old.get(index), item)).collect())
                }
                (old, Tree::Object(members)) => {
                    let old = if let Some(Tree::Object(old)) = old { &old[..] } else { &[] };
                    let pairs = members.iter().enumerate();
                    entries(
                        pairs
                            .map(|(index, (key, value))| (key.clone(), old.get(index).map(|(_, value)| value), value))
                            .collect(),
                    )
                }
                (_, scalar) => Some(scalar.to_value()),
            }
        }
        root(new).and_then(|new| grown(root(old).as_ref(), &new)).unwrap_or(Value::Null)
    }
}

mod law_4_final_is_sound_and_prompt {
    use super::*;

    proptest! {
        #![proptest_config(config(200))]

        #[test]
        fn every_prefix_of_valid_json_shows_what_the_reference_shows(
            text in documents(ANY_VALID), dialect in dialect(),
        ) {
            let mut parser = Parser::with_options(options(dialect));
            for (at, byte) in text.bytes().enumerate() {
                let update = parser.feed([byte]);
                let snapshot = update.snapshot();
                let prefix = &text.as_bytes()[..=at];
                let expected = reference::read(prefix, rules(dialect));
                let shown = match rules(dialect) {
                    Rules::Strict => Visibility::Shown,
                    Rules::Lenient => reference::visibility(&expected, prefix),
                };
                match (shown, snapshot.is_started()) {
                    (Visibility::Hidden | Visibility::Either, false) => continue,
                    (Visibility::Hidden, true) => prop_assert!(false, "shown too early at {}", at),
                    (Visibility::Shown | Visibility::Either, _) => {}
                }
                prop_assert_eq!(root(snapshot), expected.tree.clone(), "at {}", at);
                let states = states(snapshot);
                prop_assert!(agree(&states, &expected.marks), "at {}: {:?} for {:?}", at, states, expected.marks);
            }
            let finished = parser.finish(End::Unknown);
            prop_assert!(states(finished.snapshot()).values().all(|state| *state == State::Final));
        }

        #[test]
        fn the_open_path_and_the_ambiguity_are_the_states_seen_otherwise(
            input in anything(), dialect in dialect(), chunking in chunking(), end in end(),
        ) {
            for snapshot in snapshots(&options(dialect), &input, &chunking, end) {
                let growing = values(&snapshot).into_iter().filter(|value| value.state() == State::Growing);
                let growing: Vec<String> = growing.map(ValueRef::path).collect();
                for pair in growing.windows(2) {
                    prop_assert!(pair[1].starts_with(&format!("{}/", pair[0])), "{:?} is no path", growing);
                }
                if let Some(innermost) = growing.last() {
                    prop_assert_eq!(snapshot.open_path(), Some(innermost.clone()));
                }
                let expected = if snapshot.is_started() {
                    ambiguity(snapshot.root())
                } else {
                    serde_json::json!({"ambiguous": true})
                };
                prop_assert_eq!(snapshot.ambiguity().to_value(), expected);
                for value in values(&snapshot) {
                    let path = value.path();
                    let same = snapshot.at(path.as_str());
                    prop_assert_eq!((same.state(), tree(same)), (value.state(), tree(value)));
                    prop_assert_eq!(snapshot.state(path.as_str()), value.state());
                    prop_assert_eq!(snapshot.is_final(path.as_str()), value.is_final());
                    prop_assert_eq!(snapshot.is_ambiguous(path.as_str()), !value.is_final());
                    let missing = child(&path, "not there");
                    if value.is_final() {
                        prop_assert_eq!(snapshot.state(missing.as_str()), State::Absent);
                    } else if tree(value).is_some_and(|tree| matches!(tree, Tree::Object(_))) {
                        prop_assert_eq!(snapshot.state(missing.as_str()), State::Pending);
                    }
                }
            }
        }
    }
}

mod law_5_valid_json_is_never_repaired {
    use super::*;

    proptest! {
        #![proptest_config(config(400))]

        #[test]
        fn lenient_reads_it_as_strict_and_serde_json_do(text in documents(VALID), end in end()) {
            let judge: Value = serde_json::from_str(&text).unwrap();
            for dialect in DIALECTS {
                let finished = finished(&options(dialect), &text, end);
                prop_assert_eq!(ending(&finished).repairs, Default::default());
                prop_assert!(finished.skipped().is_empty());
                let is_number = judge.is_number() && !text.ends_with([' ', '\t', '\n', '\r']);
                if !(end == End::Truncated && is_number) {
                    prop_assert_eq!(finished.outcome(), Outcome::Complete);
                }
                prop_assert!(same_value(&finished.snapshot().to_value(), &judge));
            }
            prop_assert_eq!(root(strict(&text).snapshot()), root(lenient(&text).snapshot()));
        }

        #[test]
        fn not_even_on_the_way(text in documents(ANY_VALID), chunking in chunking(), dialect in dialect()) {
            let mut parser = Parser::with_options(options(dialect));
            for chunk in chunking.cut(text.as_bytes()) {
                let update = parser.feed(chunk);
                prop_assert!(update.error().is_none());
                prop_assert!(parser.repairs().is_empty());
                prop_assert_eq!(update.snapshot().outside().count(), 0);
            }
            prop_assert_eq!(root(parser.finish(End::Stopped).snapshot()), reference_tree(&text));
        }

        #[test]
        fn warnings_are_for_repeated_keys_and_lone_surrogates_alone(text in documents(VALID)) {
            for dialect in DIALECTS {
                prop_assert!(finished(&options(dialect), &text, End::Unknown).warnings().is_empty());
            }
        }
    }

    fn reference_tree(text: &str) -> Option<Tree> {
        reference::read(text.as_bytes(), Rules::Strict).tree
    }
}

mod law_6_nothing_is_lost {
    use super::*;

    proptest! {
        #![proptest_config(config(300))]

        #[test]
        fn the_root_and_what_is_skipped_tile_the_input(
            input in anything(), dialect in dialect(), chunking in chunking(), end in end(),
        ) {
            let mut parser = Parser::with_options(options(dialect));
            for chunk in chunking.cut(&input) {
                parser.feed(chunk);
            }
            let finished = parser.finish(end);
            prop_assert_eq!(nothing_is_lost(&finished, &input), Ok(()));
        }

        #[test]
        fn the_text_is_kept(input in anything(), dialect in dialect(), chunking in chunking()) {
            let mut parser = Parser::with_options(options(dialect));
            for chunk in chunking.cut(&input) {
                parser.feed(chunk);
            }
            let finished = parser.finish(End::Unknown);
            prop_assert_eq!(finished.snapshot().text(), String::from_utf8_lossy(&input));
        }

        #[test]
        fn repairs_lie_in_the_text_in_order(input in enveloped(), chunking in chunking()) {
            let mut parser = Parser::new();
            for chunk in chunking.cut(input.text.as_bytes()) {
                parser.feed(chunk);
            }
            let finished = parser.finish(End::Unknown);
            let root = finished.snapshot().root().span().expect("a root");
            let mut at = root.start;
            for repair in finished.repairs() {
                prop_assert!(at <= repair.span.start && repair.span.end <= root.end);
                at = repair.span.start;
            }
        }

        #[test]
        fn through_a_layer_all_is_where_it_is_within(
            input in damaged_behind_start(), layer in select(vec![Layer::Escaped, Layer::Doubled]),
            bytewise in any::<bool>(), end in end(),
        ) {
            prop_assert_eq!(reads_alike(&input, layer, bytewise, end), Ok(()));
        }

        #[test]
        fn what_lies_between_the_values_of_a_container_is_structure_and_keys(text in containers(VALID)) {
            let finished = strict(&text);
            for value in values(finished.snapshot()) {
                let span = value.span().expect("a source");
                let judge: Value = serde_json::from_str(&finished.snapshot().source(span)).unwrap();
                prop_assert!(same_value(&value.to_value(), &judge), "{} is at {:?}", value.path(), span);
                if !tree(value).is_some_and(|tree| tree.is_container()) {
                    continue;
                }
                let mut rest = String::new();
                let mut at = span.range().start;
                for child in value.elements() {
                    let child = child.span().expect("a source").range();
                    rest += &text[at..child.start];
                    rest += "0";
                    at = child.end;
                }
                rest += &text[at..span.range().end];
                let skeleton: Value = serde_json::from_str(&rest).expect("the container with its values left out");
                match (skeleton, value.to_value()) {
                    (Value::Array(zeros), Value::Array(items)) => prop_assert_eq!(zeros.len(), items.len()),
                    (Value::Object(zeros), Value::Object(members)) => {
                        prop_assert!(zeros.keys().eq(members.keys()));
                    }
                    (skeleton, _) => prop_assert!(false, "{} is another kind than {}", skeleton, value.path()),
                }
            }
        }
    }
}

mod law_7_bounded {
    use super::*;

    proptest! {
        #![proptest_config(config(200))]

        #[test]
        fn limits_are_exact(text in containers(VALID), dialect in dialect(), chunking in chunking()) {
            let whole = strict(&text);
            let tree = root(whole.snapshot()).expect("a root");
            let length = u32::try_from(text.len()).unwrap();
            let free = Limits::default();
            let exact = [
                free.depth(tree.depth()),
                free.nodes(tree.count()),
                free.bytes(length),
            ];
            let short = [
                free.depth(tree.depth() - 1),
                free.nodes(tree.count() - 1),
                free.bytes(length - 1),
            ];
            let read = |limits: Limits| {
                let mut parser = Parser::with_options(options(dialect).limits(limits));
                for chunk in chunking.cut(text.as_bytes()) {
                    parser.feed(chunk);
                }
                parser.finish(End::Unknown)
            };
            for limits in exact {
                let finished = read(limits);
                prop_assert_eq!(finished.outcome(), Outcome::Complete, "{:?}", limits);
                prop_assert_eq!(root(finished.snapshot()), Some(tree.clone()));
            }
            for limits in short {
                let finished = read(limits);
                prop_assert_eq!(finished.outcome(), Outcome::Limit, "{:?}", limits);
                prop_assert!(!finished.is_complete());
                let error = finished.error().expect("an error");
                prop_assert!(error.is_limit());
                // Everything up to the limit was read: the text up to it says the same.
                let up_to = &text.as_bytes()[..usize::try_from(error.offset()).unwrap()];
                let read = common::finished(&options(dialect), up_to, End::Unknown);
                prop_assert_eq!(root(finished.snapshot()), root(read.snapshot()), "{:?}", limits);
            }
        }

        #[test]
        fn nothing_is_read_after_an_error(
            input in anything(), options in any_options(), more in anything(),
        ) {
            let mut parser = fed(&options, &input);
            let Some(error) = parser.error().cloned() else { return Ok(()) };
            let before = seen(&parser.snapshot());
            let update = parser.feed(&more);
            prop_assert_eq!(update.error().map(ToString::to_string), Some(error.to_string()));
            prop_assert_eq!((seen(update.snapshot()).tree, seen(update.snapshot()).states), (before.tree, before.states));
        }
    }
}

mod law_8_snapshots_stand_still {
    use super::*;

    proptest! {
        #![proptest_config(config(60))]

        #[test]
        fn on_any_thread(input in anything(), dialect in dialect(), chunking in chunking(), end in end()) {
            let (send, receive) = mpsc::channel::<(Snapshot, common::view::Seen)>();
            let reader = thread::spawn(move || {
                let mut held = Vec::new();
                for (snapshot, then) in receive {
                    held.push((snapshot, then));
                    // Read an old and a new one while the writer goes on.
                    for (snapshot, then) in [&held[held.len() / 2], &held[held.len() - 1]] {
                        assert_eq!(seen(snapshot), *then);
                    }
                }
                for (snapshot, then) in &held {
                    assert_eq!(seen(snapshot), *then);
                }
            });
            let mut parser = Parser::with_options(options(dialect));
            for chunk in chunking.cut(&input) {
                let snapshot = parser.feed(chunk).snapshot().clone();
                let then = seen(&snapshot);
                send.send((snapshot, then)).unwrap();
            }
            drop(parser.finish(end));
            drop(parser);
            drop(send);
            prop_assert!(reader.join().is_ok());
        }
    }
}

mod law_9_a_cut_value_never_passes_for_a_finished_one {
    use super::*;

    proptest! {
        #![proptest_config(config(150))]

        #[test]
        fn no_proper_prefix_is_complete(text in containers(ANY_VALID), dialect in dialect()) {
            let text = text.as_bytes();
            for at in 0..text.len() {
                for end in ENDS {
                    // A cut string that ends with closers may be one that was not closed.
                    let open_closers = text[..at].trim_ascii_end().ends_with(b"}") || text[..at].trim_ascii_end().ends_with(b"]");
                    if dialect == Dialect::Lenient && end != End::Truncated && open_closers {
                        continue;
                    }
                    let finished = finished(&options(dialect), &text[..at], end);
                    let expected = if at == 0 { Outcome::Empty } else { Outcome::Truncated };
                    prop_assert_eq!(finished.outcome(), expected, "cut at {} with {:?}", at, end);
                    prop_assert!(!finished.is_complete());
                    prop_assert!(!finished.snapshot().is_final(""));
                    let incomplete = finished.into_complete().expect_err("incomplete");
                    prop_assert_eq!(incomplete.outcome(), expected);
                }
            }
            for end in ENDS {
                let complete = finished(&options(dialect), text, end).into_complete().expect("complete");
                prop_assert!(complete.is_final(""));
            }
        }

        #[test]
        fn nor_is_damaged_text_that_does_not_end_its_root(input in anything(), end in end()) {
            let finished = finished(&options(Dialect::Strict), &input, end);
            let whole = reference::read(&input, Rules::Strict);
            let is_number = matches!(whole.tree, Some(Tree::Number(_)));
            let complete = match whole.stop {
                Stop::Done => true,
                // A number at the end is whole, unless the text is said to be cut. (It may be out of the range of an
                // f64.)
                Stop::Cut => is_number && end != End::Truncated && serde_json::from_slice::<IgnoredAny>(&input).is_ok(),
                Stop::Bad(_) => false,
            };
            prop_assert_eq!(finished.is_complete(), complete);
        }
    }
}
