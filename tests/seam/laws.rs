//! The laws, as ARCHITECTURE.md has them, for texts that come in rounds: the ends of rounds are part of the input.

use std::collections::BTreeMap;

use jsonrill::{
    Checkpoint, Dialect, Duplicates, End, Finished, Options, Parser, Role, Roots, Seam, SeamKind, Snapshot, Update,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::Config;

use crate::common::chunks::{Chunking, chunking};
use crate::common::generate::{ANY_VALID, Input, Shape, VALID, anything, containers, documents, enveloped, soup};
use crate::common::laws::{Replicas, may_become};
use crate::common::view::{Ending, View, ending, root, seen, view};
use crate::common::{ENDS, config, options};
use crate::head::Head;
use crate::styles::{OTHER_INTRODUCTIONS, OTHER_REFUSALS, REFUSALS};
use crate::syntax::{Layout, Syntax, TWO, laid_out};

type Rounds = Vec<Input>;

/// What happens to a parser.
#[derive(Clone, Copy, Debug)]
enum Event<'a> {
    Feed(&'a [u8]),
    NextRound,
}

impl Event<'_> {
    fn happens(self, parser: &mut Parser) -> Update {
        match self {
            Self::Feed(bytes) => parser.feed(bytes),
            Self::NextRound => {
                parser.next_round();
                parser.update()
            }
        }
    }
}

/// The rounds as events, each cut into pieces.
fn events<'a>(rounds: &'a [Input], chunking: &Chunking) -> Vec<Event<'a>> {
    let mut events = Vec::new();
    for (index, round) in rounds.iter().enumerate() {
        if index > 0 {
            events.push(Event::NextRound);
        }
        events.extend(chunking.cut(round).into_iter().map(Event::Feed));
    }
    events
}

/// All that is shown after so many bytes and rounds.
type Views = BTreeMap<(usize, usize), (View, Vec<Seam>)>;

struct Watched {
    views: Views,
    ending: (Ending, Vec<Seam>),
    finished: Finished,
}

/// Feeds the events and checks each step: nothing shown is taken back, deltas add up, snapshots stand still, and a seam
/// that is decided stays as it is.
fn watched(options: &Options, events: &[Event<'_>], end: End) -> Result<Watched, String> {
    let mut parser = Parser::with_options(*options);
    let mut replicas = Replicas::default();
    let mut last: BTreeMap<u32, Snapshot> = BTreeMap::new();
    let mut kept = Vec::new();
    let mut views = Views::new();
    let (mut bytes, mut rounds) = (0, 0);
    let mut seams: Vec<Seam> = Vec::new();
    let replaces = Options::new().duplicates(Duplicates::Last);
    let only_grows = *options != replaces;
    let mut step = |update: &Update, place: String| {
        replicas.apply(update).map_err(|fault| format!("{place}: {fault}"))?;
        for part in update.parts() {
            let before = last.insert(part.document(), part.snapshot().clone());
            if let Some(before) = before.filter(|_| only_grows) {
                may_become(before.root(), part.snapshot().root()).map_err(|fault| format!("{place}: {fault}"))?;
            }
            kept.push((part.snapshot().clone(), seen(part.snapshot())));
        }
        Ok::<(), String>(())
    };
    for event in events {
        match event {
            Event::Feed(piece) => bytes += piece.len(),
            Event::NextRound => rounds += 1,
        }
        let place = format!("after {bytes} bytes in round {rounds}");
        let update = event.happens(&mut parser);
        step(&update, place.clone())?;
        stay(&seams, parser.seams()).map_err(|fault| format!("{place}: {fault}"))?;
        if parser.seams().len() != rounds {
            return Err(format!("{place}: seams {:?}", parser.seams()));
        }
        seams = parser.seams().to_vec();
        views.insert((bytes, rounds), (view(&mut parser), seams.clone()));
    }
    let finished = parser.finish(end);
    step(finished.update(), "at the end".to_owned())?;
    stay(&seams, finished.seams())?;
    if let Some(seam) = finished.seams().iter().find(|seam| seam.kind == SeamKind::Undecided) {
        return Err(format!("never decided: {seam:?}"));
    }
    for (snapshot, before) in &kept {
        if seen(snapshot) != *before {
            return Err(format!("a snapshot did not stand still: {before:?}"));
        }
    }
    let ending = (ending(&finished), finished.seams().to_vec());
    Ok(Watched { views, ending, finished })
}

fn stay(before: &[Seam], after: &[Seam]) -> Result<(), String> {
    for (index, seam) in before.iter().enumerate() {
        let is_open = index + 1 == before.len() && seam.kind == SeamKind::Undecided;
        if !is_open && after.get(index) != Some(seam) {
            return Err(format!("{seam:?} became {:?}", after.get(index)));
        }
    }
    // Only the last may be undecided.
    let early = after.iter().rev().skip(1).find(|seam| seam.kind == SeamKind::Undecided);
    early.map_or(Ok(()), |seam| Err(format!("{seam:?} was left undecided")))
}

/// Laws 1, 2, 3, 4 and 8, byte by byte and in these chunks.
pub fn keep(options: &Options, rounds: &[Input], chunking: &Chunking, end: End) -> Result<(), String> {
    let bytewise = watched(options, &events(rounds, &Chunking::Every(1)), end)?;
    for chunking in [chunking, &Chunking::Whole] {
        let chunks =
            watched(options, &events(rounds, chunking), end).map_err(|fault| format!("{chunking:?}: {fault}"))?;
        for (place, view) in &chunks.views {
            let Some(other) = bytewise.views.get(place) else { continue };
            if let Some(difference) = difference(view, other) {
                return Err(format!("{chunking:?}, at {place:?}: {difference}"));
            }
        }
        if chunks.ending != bytewise.ending {
            return Err(format!("{chunking:?}: {:?}, and byte by byte {:?}", chunks.ending, bytewise.ending));
        }
    }
    offsets(rounds, bytewise.finished.seams())?;
    nothing_is_told_twice(&bytewise.finished)?;
    nothing_is_lost(&bytewise.finished, rounds)
}

/// Of what is outside the JSON each byte is told once.
fn nothing_is_told_twice(finished: &Finished) -> Result<(), String> {
    let mut spans: Vec<_> = finished.snapshot().outside().map(|outside| outside.span.range()).collect();
    spans.sort_unstable_by_key(|span| span.start);
    match spans.windows(2).find(|pair| pair[0].end > pair[1].start) {
        Some(pair) => Err(format!("{:?} and {:?} are outside", pair[0], pair[1])),
        None => Ok(()),
    }
}

/// The first thing that differs: a view is long.
fn difference(one: &(View, Vec<Seam>), other: &(View, Vec<Seam>)) -> Option<String> {
    let parts = |(view, seams): &(View, Vec<Seam>)| {
        let View { seen, error, repairs, warnings } = view;
        [
            format!("seams {seams:?}"),
            format!("error {error:?}"),
            format!("shows {}", seen.display),
            format!("outside {:?}", seen.outside),
            format!("repairs {repairs:?}"),
            format!("warnings {warnings:?}"),
            format!("states {:?}", seen.states),
            format!("{view:?}"),
        ]
    };
    let (one, other) = (parts(one), parts(other));
    let (one, other) = one.iter().zip(&other).find(|(one, other)| one != other)?;
    Some(format!("{one}, and byte by byte {other}"))
}

fn offsets(rounds: &[Input], seams: &[Seam]) -> Result<(), String> {
    let mut offset = 0;
    for (index, (round, seam)) in rounds.iter().zip(seams).enumerate() {
        offset += round.len() as u64;
        let length = rounds[index + 1].len() as u64;
        if seam.offset != offset || seam.dropped > length {
            return Err(format!("{seam:?} is not at {offset}, or drops more than {length}"));
        }
    }
    Ok(())
}

/// Law 6, where it can be counted: letters and digits that are in no document are repaired, skipped or dropped.
fn nothing_is_lost(finished: &Finished, rounds: &[Input]) -> Result<(), String> {
    let bytes: Vec<u8> = rounds.iter().flat_map(|round| round.0.iter().copied()).collect();
    let Ok(text) = String::from_utf8(bytes) else { return Ok(()) };
    let is_told = finished.error().is_some() || !finished.warnings().is_empty() || finished.repairs().omitted() > 0;
    if is_told || !finished.is_complete() || text.contains('\\') {
        return Ok(());
    }
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count();
    let kept: usize = finished.documents().map(|document| letters(&document.snapshot.to_string())).sum();
    let repaired: usize = finished.repairs().iter().map(|repair| repair.span.range().len()).sum();
    let skipped: usize = finished.skipped().iter().map(|skip| letters(&text[skip.span.range()])).sum();
    let dropped: u64 = finished.seams().iter().map(|seam| seam.dropped).sum();
    let told = kept + repaired + skipped + usize::try_from(dropped).expect("a text in memory");
    if letters(&text) > told {
        let all = letters(&text);
        return Err(format!(
            "of {all} letters, {kept} are kept, {repaired} repaired, {skipped} skipped, {dropped} dropped"
        ));
    }
    Ok(())
}

fn any_options() -> BoxedStrategy<Options> {
    let new = Options::new;
    prop_oneof![
        6 => Just(new()),
        1 => Just(options(Dialect::Strict)),
        1 => Just(new().role(Role::Arguments)),
        1 => Just(new().roots(Roots::Many)),
        1 => Just(new().roots(Roots::Last)),
        1 => Just(new().duplicates(Duplicates::Last)),
        1 => Just(new().reasoning_expected(true)),
    ]
    .boxed()
}

/// Documents that are not long, so that there are many.
fn small(shape: Shape) -> BoxedStrategy<String> {
    containers(shape).prop_filter("long", |text| text.len() < LONGEST).boxed()
}

/// A response to a text that was cut: of every style, or none.
fn response(document: String, at: usize) -> BoxedStrategy<Vec<u8>> {
    let at = (at..=document.len()).find(|at| document.is_char_boundary(*at)).expect("the end");
    let rest = document[at..].to_owned();
    let tail = {
        let document = document.clone();
        (1..60_usize).prop_map(move |count| {
            let from = (0..=at.saturating_sub(count)).rev().find(|from| document.is_char_boundary(*from));
            document[from.expect("the start")..].to_owned()
        })
    };
    let syntax = Syntax::of(document.clone());
    let relaid =
        select(vec![Layout::Minified, TWO, Layout::Line]).prop_map(move |layout| laid_out(&syntax, layout).text);
    let inner = {
        let document = document.clone();
        let starts: Vec<usize> = document[..at].match_indices(['{', '[']).map(|(at, _)| at).collect();
        any::<Index>().prop_map(move |index| match starts.len() {
            0 => document.clone(),
            count => document[starts[index.index(count)]..].to_owned(),
        })
    };
    let body = prop_oneof![
        3 => Just(rest),
        3 => tail,
        2 => Just(document),
        2 => relaid,
        2 => inner,
        2 => containers(VALID),
        1 => select([REFUSALS.as_slice(), OTHER_REFUSALS.as_slice(), &["", "\n", "  "]].concat()).prop_map(str::to_owned),
    ];
    let around = select(vec![
        ("", ""),
        ("", ""),
        ("", ""),
        ("```json\n", "\n```"),
        ("Here is the continuation:\n", ""),
        (OTHER_INTRODUCTIONS[1], "\nThat is all."),
        ("Continuing from where I left off…\n\n```\n", "\n```\n"),
        ("", "}"),
        ("", "]}"),
    ]);
    (body, around).prop_map(|(body, (before, after))| format!("{before}{body}{after}").into_bytes()).boxed()
}

/// Each byte is looked at with all before it.
fn shortened(mut input: Input) -> Input {
    input.0.truncate(LONGEST);
    input
}

const LONGEST: usize = 400;

/// Rounds that belong together, more or less; each may be cut.
fn rounds() -> BoxedStrategy<Rounds> {
    let first = prop_oneof![
        3 => small(ANY_VALID),
        1 => small(VALID),
    ];
    let first = (first, any::<Index>()).prop_map(|(text, at)| {
        let at = at.index(text.len() + 1);
        (text, at)
    });
    let joined = first.prop_flat_map(|(document, at)| {
        let first = document.as_bytes()[..at].to_vec();
        let next = (response(document, at), prop::option::weighted(0.3, any::<Index>())).prop_map(|(mut text, cut)| {
            if let Some(cut) = cut {
                text.truncate(cut.index(text.len() + 1));
            }
            text
        });
        vec(next, 1..4).prop_map(move |next| [first.clone()].into_iter().chain(next).map(Input).collect::<Rounds>())
    });
    let junk = vec(prop_oneof![anything(), soup()].prop_map(shortened), 1..4);
    let mixed = (joined.clone(), junk.clone()).prop_map(|(mut rounds, junk)| {
        rounds.extend(junk);
        rounds
    });
    let enveloped = (enveloped(), any::<Index>(), junk.clone()).prop_map(|(envelope, at, junk)| {
        let mut text = envelope.text.into_bytes();
        text.truncate(at.index(text.len() + 1));
        [Input(text)].into_iter().chain(junk).collect()
    });
    prop_oneof![6 => joined, 1 => junk, 2 => mixed, 1 => enveloped].boxed()
}

proptest! {
    #![proptest_config(Config { max_shrink_iters: 150, ..config(200) })]

    #[test]
    fn the_laws_hold_across_rounds(
        rounds in rounds(), options in any_options(), chunking in chunking(), end in select(ENDS.to_vec()),
    ) {
        prop_assert_eq!(keep(&options, &rounds, &chunking, end), Ok(()));
    }

    /// However often a document is cut, the exact rests make it whole, and nothing is dropped.
    #[test]
    fn exact_rests_make_the_whole(text in containers(VALID), places in vec(any::<Index>(), 1..4), chunking in chunking()) {
        let mut places: Vec<usize> = places.iter().map(|place| place.index(text.len())).collect();
        for place in &mut places {
            *place = (*place..=text.len()).find(|at| text.is_char_boundary(*at)).expect("the end");
        }
        places.sort_unstable();
        let syntax = Syntax::of(text.clone());
        for pair in places.windows(2) {
            prop_assume!(is_clear(&syntax, pair[0], pair[1]));
        }
        prop_assume!(is_clear(&syntax, places[places.len() - 1], text.len()));
        let ends = places.iter().copied().chain([text.len()]);
        let mut start = 0;
        let rounds: Rounds = ends.map(|end| Input(text.as_bytes()[std::mem::replace(&mut start, end)..end].to_vec())).collect();
        // A response without text is an empty one: its blanks are left out, also those of a string.
        prop_assume!(!rounds.iter().any(|round| !round.is_empty() && round.iter().all(u8::is_ascii_whitespace)));
        let mut parser = Parser::new();
        for event in events(&rounds, &chunking) {
            event.happens(&mut parser);
        }
        let finished = parser.finish(End::Unknown);
        let shown = finished.snapshot().to_string();
        // Where all keys are the same, a rest may read as well as the path from the root: that is said.
        prop_assume!(finished.seams().iter().all(|seam| seam.is_certain || seam.kind == SeamKind::Rest));
        prop_assert_eq!(root(finished.snapshot()), Some(syntax.value()), "{} {:?}", shown, finished.seams());
        prop_assert!(finished.is_complete(), "{} {:?}", shown, finished.seams());
        for (seam, round) in finished.seams().iter().zip(&rounds[1..]) {
            let wanted = if round.is_empty() { SeamKind::Empty } else { SeamKind::Rest };
            let is_blank = round.iter().all(u8::is_ascii_whitespace);
            prop_assert!(seam.dropped == 0 || is_blank, "{:?}", seam);
            prop_assert!(seam.kind == wanted || is_blank, "{:?}", seam);
        }
    }

    /// With nothing open, the next round is read on as it is.
    #[test]
    fn with_nothing_open_rounds_are_one_text(
        first in prop_oneof![
            select(vec!["", " \n", "Here you are:\n", "<think>hm</think>\n"]).prop_map(str::to_owned),
            containers(VALID).prop_map(|text| text + "\n"),
        ],
        next in prop_oneof![anything(), documents(VALID).prop_map(|text| Input(text.into_bytes()))],
        end in select(ENDS.to_vec()),
    ) {
        let mut rounds = Parser::new();
        rounds.push(first.as_str());
        rounds.next_round();
        rounds.push(&*next);
        let mut one = Parser::new();
        one.push(first.as_str());
        one.push(&*next);
        prop_assert_eq!(view(&mut rounds), view(&mut one));
        prop_assert_eq!(ending(&rounds.finish(end)), ending(&one.finish(end)));
    }

    /// Stopped anywhere, also while the head of a round is held, and gone on with from a checkpoint.
    #[test]
    fn checkpoints_know_of_rounds(rounds in rounds(), options in any_options(), stop in any::<Index>(), chunking in chunking()) {
        let events = events(&rounds, &chunking);
        let (before, after) = events.split_at(stop.index(events.len() + 1));
        let mut parser = Parser::with_options(options);
        for event in before {
            event.happens(&mut parser);
        }
        let checkpoint = parser.freeze().checkpoint().expect("the source is kept");
        let written = serde_json::to_string(&checkpoint).expect("it can be written");
        let read: Checkpoint = serde_json::from_str(&written).expect("it can be read");
        prop_assert_eq!(&read, &checkpoint);
        let mut resumed = Parser::resume(&read);
        prop_assert_eq!(resumed.seams(), parser.seams());
        let views = [&mut resumed, &mut parser].map(|parser| (view(parser), parser.seams().to_vec()));
        prop_assert_eq!(difference(&views[0], &views[1]), None);
        for event in after {
            let (one, other) = (event.happens(&mut resumed), event.happens(&mut parser));
            prop_assert_eq!(one.sequence(), other.sequence());
            prop_assert_eq!(one.document(), other.document());
            prop_assert_eq!(one.delta().to_string(), other.delta().to_string());
            prop_assert_eq!(resumed.seams(), parser.seams());
        }
        let (one, other) = (resumed.finish(End::Unknown), parser.finish(End::Unknown));
        prop_assert_eq!(ending(&one), ending(&other));
        prop_assert_eq!(one.seams(), other.seams());
    }

    /// Freezing between rounds, as a loop does, changes nothing.
    #[test]
    fn freezing_does_no_harm(rounds in rounds(), chunking in chunking()) {
        let [mut frozen, mut other] = [Parser::new(), Parser::new()];
        for event in events(&rounds, &chunking) {
            let _ = frozen.freeze().contexts();
            event.happens(&mut frozen);
            event.happens(&mut other);
            prop_assert_eq!(frozen.seams(), other.seams());
        }
        let (one, other) = (frozen.finish(End::Unknown), other.finish(End::Unknown));
        prop_assert_eq!(ending(&one), ending(&other));
        prop_assert_eq!(one.seams(), other.seams());
    }
}

/// Whether nothing of the rest says again what stands before it.
fn is_clear(syntax: &Syntax, at: usize, end: usize) -> bool {
    if at <= syntax.start(&syntax.root) {
        return true;
    }
    let head = Head::new(syntax, at);
    let rest = &syntax.text[at..end];
    // A round that says nothing but what stands there already may be a repeat that was cut.
    let dense = |text: &str| text.chars().filter(|character| !character.is_whitespace()).collect::<String>();
    let is_there = rest.len() >= 8 && dense(&syntax.text[..at]).contains(&dense(rest));
    !is_there && head.longest_repeat(rest).is_none() && !head.number_is_repeated(rest)
}

#[test]
fn rounds_after_the_end_or_an_error_do_nothing() {
    let mut parser = Parser::new();
    parser.push("{\"a\": 1");
    let before = ending(&parser.finish(End::Unknown));
    parser.next_round();
    parser.push(", \"b\": 2}");
    let after = ending(&parser.finish(End::Unknown));
    assert_eq!(before.seen.tree, after.seen.tree);

    let mut parser = Parser::strict();
    parser.push("[1 2");
    assert!(parser.error().is_some());
    let shown = parser.snapshot().to_string();
    parser.next_round();
    parser.push(", 3]");
    assert_eq!(parser.snapshot().to_string(), shown);
    assert!(parser.error().is_some());
}

/// What is prose after all has the starts of rounds in it, which were told before.
#[test]
fn starts_of_rounds_in_what_becomes_prose() {
    let first = "```    \n{\" \"\"  {";
    let second = "```    \n{\" \"\"  {} \u{9f}";
    let third = format!("{first}{second}\" \", ,\",  : \r\n  `\n{{\\\"a\\\" : \r\n  1  \n\n .\n```\n }} \" {{\\\"a\\");
    let fourth = format!("{first}{second}{third}\"\r\n : \r\n \n");
    for rounds in [vec![first, second, &third], vec![first, second, &third, &fourth], vec![first, first, second]] {
        let rounds: Vec<_> = rounds.into_iter().map(|round| Input(round.as_bytes().to_vec())).collect();
        for end in [End::Unknown, End::Truncated] {
            assert_eq!(keep(&Options::new(), &rounds, &Chunking::Every(3), end), Ok(()));
        }
    }
}

/// Half a character is where it is, though a round that was left out is behind it.
#[test]
fn half_a_character_before_a_round_that_is_left_out() {
    for (first, at) in [(&b"{\xEF"[..], 1), (b"[1, \xF0\x9F", 4), (b"\xE2\x80", 0)] {
        for second in [&b"I'm sorry, I can't."[..], b"\xEF\xBC\x9A\xB4", b"\n"] {
            let rounds: Vec<_> = [first, second].into_iter().map(|round| Input(round.to_vec())).collect();
            for options in [Options::strict(), Options::new()] {
                assert_eq!(keep(&options, &rounds, &Chunking::Every(2), End::Unknown), Ok(()));
            }
            let mut parser = Parser::strict();
            parser.push(first);
            parser.next_round();
            parser.push(second);
            let finished = parser.finish(End::Unknown);
            if finished.seams()[0].dropped == second.len() as u64 {
                assert_eq!(finished.error().map(jsonrill::Error::offset), Some(at), "{second:?}");
            }
        }
    }
}

/// What goes wrong in what a seam supplies is said behind what it left out, which is told as that.
#[test]
fn an_error_in_what_is_supplied() {
    for rounds in [["[{\"a\": [[ {", "[0.1e-5,", "{],-0.0,{}]"], ["[{\"a\":[", "[1,", "{],2]"]] {
        let inputs: Vec<_> = rounds.iter().map(|round| Input(round.as_bytes().to_vec())).collect();
        for options in [Options::strict(), Options::new()] {
            assert_eq!(keep(&options, &inputs, &Chunking::Every(2), End::Unknown), Ok(()), "{rounds:?}");
        }
        let mut parser = Parser::strict();
        for (index, round) in rounds.iter().enumerate() {
            if index > 0 {
                parser.next_round();
            }
            parser.push(round.as_bytes());
        }
        let finished = parser.finish(End::Unknown);
        let [.., seam] = finished.seams() else { panic!("no seam: {rounds:?}") };
        let error = finished.error().map(jsonrill::Error::offset);
        assert_eq!((seam.dropped, error), (1, Some(seam.offset + 1)), "{rounds:?}");
    }
}

#[test]
fn many_rounds_of_nothing() {
    let mut parser = Parser::new();
    for _ in 0..50 {
        parser.next_round();
    }
    parser.push("{\"a\": \"b");
    for _ in 0..50 {
        parser.next_round();
    }
    parser.push("c\"}");
    let finished = parser.finish(End::Unknown);
    assert_eq!(finished.snapshot().to_string(), "{\"a\":\"bc\"}");
    assert_eq!(finished.seams().len(), 100);
    let empty = finished.seams().iter().filter(|seam| seam.kind == SeamKind::Empty).count();
    assert!(empty >= 49, "{:?}", finished.seams());
}

#[test]
fn what_is_left_ends_where_the_round_begins() {
    let first = r#"Here: {"a": 1, "b": [1, 2, {"c": "x"#;
    let next = r#"{"a": 2, "b": [7], "d": {"e": "another document", "f": 12}}"#;
    for size in [1, 7, 100] {
        let mut parser = Parser::new();
        parser.push(first);
        parser.next_round();
        next.as_bytes().chunks(size).for_each(|chunk| parser.push(chunk));
        let update = parser.update();
        let told: Vec<_> = update.parts().flat_map(|part| part.delta().outside().map(|outside| outside.span)).collect();
        assert_eq!(told.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), [(0, 6)], "{size}");
        let finished = parser.finish(End::Stopped);
        let left = finished.documents().next().unwrap();
        assert_eq!(left.snapshot.text(), first, "{size}");
        assert_eq!(left.snapshot.at("/b").span().map(|span| (span.start, span.end)), Some((20, 35)), "{size}");
    }
}
