//! What holds for any text, however it is cut, and whoever is polled when: each subscriber gives what reading the whole
//! document at the end would give, as soon as the document has it.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures::channel::mpsc;
use futures::{FutureExt, Stream, StreamExt};
use jsonrill::{
    Dialect, Duplicates, End, FieldError, Fields, Finished, Kind, Limits, Options, Parser, PathPattern, Snapshot,
    ValueRef,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use crate::common::chunks::chunking;
use crate::common::generate::{VALID, anything, documents};
use crate::common::{DIALECTS, config};

type Source = mpsc::UnboundedReceiver<Vec<u8>>;

/// What a subscriber says, whichever it is.
#[derive(Debug, Clone, PartialEq)]
enum Said {
    Text(String),
    Value(String, Value),
    Last(String),
    Done,
    Error(String),
}

fn error(error: &FieldError) -> Said {
    Said::Error(error.to_string())
}

/// A subscriber as a stream of what it says.
type Subscriber = Pin<Box<dyn Stream<Item = Said>>>;

/// What to subscribe to.
#[derive(Debug, Clone)]
enum Wish {
    Text(String),
    Texts(String),
    Value(String),
    Values(String),
    Items(String),
    AllFinal(Vec<String>),
}

impl Wish {
    fn subscribe(&self, fields: &Fields<Source>) -> Subscriber {
        match self {
            Self::Text(path) => {
                Box::pin(fields.text(path).map(|text| text.map_or_else(|told| error(&told), Said::Text)))
            }
            Self::Texts(pattern) => Box::pin(fields.texts(pattern).flat_map(|piece| {
                let said = match piece {
                    Ok(piece) if piece.is_last => vec![Said::Text(piece.text), Said::Last(piece.path)],
                    Ok(piece) => vec![Said::Text(piece.text)],
                    Err(told) => vec![error(&told)],
                };
                futures::stream::iter(said)
            })),
            Self::Value(path) => {
                let path = path.clone();
                Box::pin(
                    fields.value::<Value>(&path).into_stream().map(move |value| {
                        value.map_or_else(|told| error(&told), |value| Said::Value(path.clone(), value))
                    }),
                )
            }
            Self::Values(pattern) => Box::pin(
                fields
                    .values::<Value>(pattern)
                    .map(|found| found.map_or_else(|told| error(&told), |found| Said::Value(found.path, found.value))),
            ),
            Self::Items(path) => Box::pin(
                fields
                    .items::<Value>(path)
                    .map(|item| item.map_or_else(|told| error(&told), |value| Said::Value(String::new(), value))),
            ),
            Self::AllFinal(paths) => Box::pin(
                fields
                    .all_final(paths)
                    .into_stream()
                    .map(|told| told.map_or_else(|told| error(&told), |()| Said::Done)),
            ),
        }
    }

    /// What is to be said in the end, text joined, seen from the end of the text. Of what is said last, only whether it
    /// is an error.
    fn expected(&self, finished: &Finished, replaces: bool) -> (Vec<Said>, bool) {
        let snapshot = finished.snapshot();
        let mut said = Vec::new();
        let is_error = match self {
            Self::Text(path) => {
                let value = snapshot.at(path);
                let is_shown = value.is_final() || !replaces;
                if let Some(text) = value.as_str().filter(|text| is_shown && !text.is_empty()) {
                    said.push(Said::Text(text.to_owned()));
                }
                !(value.is_final() && value.kind() == Some(Kind::String))
            }
            Self::Value(path) => {
                let value = snapshot.at(path);
                match value.deserialize::<Value>() {
                    Ok(read) if value.is_final() => {
                        said.push(Said::Value(path.clone(), read));
                        false
                    }
                    _ => true,
                }
            }
            Self::Items(path) => {
                let array = snapshot.at(path);
                if array.kind() == Some(Kind::Array) {
                    let is_final = |element: &ValueRef<'_>| element.is_final();
                    said.extend(array.elements().filter(is_final).map(|element| read(String::new(), element)));
                }
                !(array.is_final() && array.kind() == Some(Kind::Array))
            }
            Self::AllFinal(paths) => {
                let all = paths.iter().all(|path| snapshot.is_final(path));
                said.extend(all.then_some(Said::Done));
                !all
            }
            Self::Values(pattern) => {
                let (found, is_error) = found(snapshot, pattern);
                said.extend(found.into_iter().filter(|value| value.is_final()).map(|value| read(value.path(), value)));
                is_error
            }
            Self::Texts(pattern) => {
                let (found, is_error) = found(snapshot, pattern);
                for (value, text) in found.into_iter().filter_map(|value| Some((value, value.as_str()?))) {
                    if value.is_final() || !replaces && !text.is_empty() {
                        said.push(Said::Text(text.to_owned()));
                    }
                    if value.is_final() {
                        said.push(Said::Last(value.path()));
                    }
                }
                is_error
            }
        };
        (said, is_error)
    }
}

fn read(path: String, value: ValueRef<'_>) -> Said {
    match value.deserialize() {
        Ok(read) => Said::Value(path, read),
        Err(_) => Said::Error(path),
    }
}

/// The values that a pattern means, and whether it ends with an error: by its definition, and recursively.
fn found<'s>(snapshot: &'s Snapshot, pattern: &str) -> (Vec<ValueRef<'s>>, bool) {
    fn means(segments: &[&str], path: &[String]) -> bool {
        match (segments, path) {
            ([], []) => true,
            (["**", rest @ ..], _) => {
                means(rest, path) || path.split_first().is_some_and(|(_, path)| means(segments, path))
            }
            (["*", segments @ ..], [_, path @ ..]) => means(segments, path),
            ([segment, segments @ ..], [step, path @ ..]) => {
                let literal = segment.replace("~2", "*");
                literal == *step && means(segments, path)
            }
            _ => false,
        }
    }

    fn walk<'s>(value: ValueRef<'s>, segments: &[&str], found: &mut Vec<ValueRef<'s>>) {
        value.elements().for_each(|child| walk(child, segments, found));
        let path = value.path();
        let path: Vec<String> = path.split('/').skip(1).map(str::to_owned).collect();
        if means(segments, &path) {
            found.push(value);
        }
    }

    let segments: Vec<_> = pattern.split('/').skip(1).collect();
    let mut all = Vec::new();
    if snapshot.is_started() {
        walk(snapshot.root(), &segments, &mut all);
    }
    let top: Vec<_> = segments.iter().take_while(|segment| !segment.starts_with('*')).collect();
    let is_strict = segments.iter().skip(top.len()).any(|segment| *segment != "**");
    let top: String = top.into_iter().flat_map(|segment| ["/", segment]).collect::<String>().replace("~2", "*");
    let top = snapshot.at(top);
    let is_scalar = !matches!(top.kind(), Some(Kind::Array | Kind::Object));
    (all, !top.is_final() || is_strict && is_scalar)
}

fn text_of(said: &Said) -> &str {
    if let Said::Text(text) = said { text } else { "" }
}

/// What was said, with pieces of text joined.
fn joined(said: &[Said]) -> Vec<Said> {
    let mut joined: Vec<Said> = Vec::new();
    for said in said {
        match (joined.last_mut(), said) {
            (Some(Said::Text(text)), Said::Text(more)) => text.push_str(more),
            _ => joined.push(said.clone()),
        }
    }
    joined
}

fn poll(subscriber: &mut Subscriber) -> Poll<Option<Said>> {
    subscriber.as_mut().poll_next(&mut Context::from_waker(Waker::noop()))
}

/// Polls until there is nothing more for now. Whether that is the end.
fn drain(subscriber: &mut Subscriber, said: &mut Vec<Said>) -> bool {
    loop {
        match poll(subscriber) {
            Poll::Ready(Some(more)) => said.push(more),
            Poll::Ready(None) => return true,
            Poll::Pending => return false,
        }
    }
}

fn pointers(snapshot: &Snapshot) -> Vec<String> {
    fn walk(value: ValueRef<'_>, out: &mut BTreeSet<String>) {
        out.insert(value.path());
        value.elements().for_each(|child| walk(child, out));
    }
    let mut out = BTreeSet::new();
    if snapshot.is_started() {
        walk(snapshot.root(), &mut out);
    }
    out.into_iter().collect()
}

/// What to subscribe to, picked from what there will be, and from what will not.
fn wishes(finished: &Finished, picks: &[(Index, Index, u8, u8)]) -> Vec<Wish> {
    let pointers = pointers(finished.snapshot());
    let pick = |index: &Index, change: u8| {
        let path = if pointers.is_empty() { String::new() } else { index.get(&pointers).clone() };
        match change % 8 {
            0 => path + "/x",
            1 => path + "/0",
            2 => path.rsplit_once('/').map_or("/a".to_owned(), |(parent, _)| parent.to_owned() + "/1"),
            _ => path,
        }
    };
    let pattern = |index: &Index, change: u8, mut wild: u8| {
        let path = pick(index, change);
        let segments = path.split('/').skip(1).map(|segment| {
            let kind = wild % 4;
            wild /= 4;
            match kind {
                0 => "*".to_owned(),
                1 => "**".to_owned(),
                _ => segment.replace('*', "~2"),
            }
        });
        segments.flat_map(|segment| ["/".to_owned(), segment]).collect::<String>()
    };
    picks
        .iter()
        .map(|(index, other, kind, change)| match kind % 6 {
            0 => Wish::Text(pick(index, *change)),
            1 => Wish::Texts(pattern(index, *change, kind / 6)),
            2 => Wish::Value(pick(index, *change)),
            3 => Wish::Values(pattern(index, *change, kind / 6)),
            4 => Wish::Items(pick(index, *change)),
            _ => Wish::AllFinal(vec![pick(index, *change), pick(other, 7)]),
        })
        .collect()
}

fn options() -> impl Strategy<Value = Options> {
    (
        select(DIALECTS.to_vec()),
        select(vec![Duplicates::First, Duplicates::First, Duplicates::Last, Duplicates::Error]),
        prop_oneof![3 => Just(Limits::default()), 1 => (1..200_u32).prop_map(|bytes| Limits::new().bytes(bytes))],
    )
        .prop_map(|(dialect, duplicates, limits)| Options::new().dialect(dialect).duplicates(duplicates).limits(limits))
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        2 => documents(VALID).prop_map(String::into_bytes),
        // Cut.
        2 => (documents(VALID), any::<Index>()).prop_map(|(text, at)| {
            let mut bytes = text.into_bytes();
            bytes.truncate(at.index(bytes.len() + 1));
            bytes
        }),
        3 => anything().prop_map(|input| input.0),
    ]
}

fn pick() -> impl Strategy<Value = (Index, Index, u8, u8)> {
    any::<(Index, Index, u8, u8)>()
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn each_sees_what_reading_it_at_the_end_gives(
        text in text(),
        cuts in chunking(),
        options in options(),
        picks in prop::collection::vec(pick(), 1..8),
        schedule in prop::collection::vec(any::<u16>(), 1..40),
        drops in any::<u8>(),
    ) {
        let replaces = options_replace(&options);
        let finished = {
            let mut parser = Parser::with_options(options);
            parser.push(&text);
            parser.finish(End::Unknown)
        };
        let wishes = wishes(&finished, &picks);

        let (sender, source) = mpsc::unbounded();
        let fields = Fields::with_parser(source, Parser::with_options(options));
        // Some come late: at a moment of the schedule.
        let mut subscribers: Vec<Option<(Subscriber, Vec<Said>, bool)>> = wishes.iter().map(|_| None).collect();
        let mut schedule = schedule.into_iter().cycle();
        for chunk in cuts.cut(&text) {
            sender.unbounded_send(chunk.to_vec()).expect("it listens until it has ended");
            // Not all of them, not in order, and not each time.
            for _ in 0..schedule.next().unwrap_or_default() % 4 {
                let number = usize::from(schedule.next().unwrap_or_default()) % wishes.len();
                let new = || (wishes[number].subscribe(&fields), Vec::new(), false);
                let (subscriber, said, is_over) = subscribers[number].get_or_insert_with(new);
                if !*is_over {
                    match poll(subscriber) {
                        Poll::Ready(Some(more)) => said.push(more),
                        Poll::Ready(None) => *is_over = true,
                        Poll::Pending => {}
                    }
                }
            }
            if fields.finished().now_or_never().is_some() {
                break; // behind an error
            }
        }
        drop(sender);
        // One is dropped before the end.
        if let Some(place) = subscribers.get_mut(usize::from(drops)) {
            *place = None;
        }
        for (number, wish) in wishes.iter().enumerate() {
            let new = || (wish.subscribe(&fields), Vec::new(), false);
            let (mut subscriber, mut said, is_over) = subscribers[number].take().unwrap_or_else(new);
            prop_assert!(is_over || drain(&mut subscriber, &mut said), "{wish:?} waits for ever");

            let late = {
                let mut said = Vec::new();
                prop_assert!(drain(&mut wish.subscribe(&fields), &mut said));
                said
            };
            prop_assert_eq!(joined(&said), joined(&late), "{:?}: late ones, and their errors", wish);

            let whole = {
                let (sender, source) = mpsc::unbounded();
                sender.unbounded_send(text.clone()).expect("it listens");
                drop(sender);
                let mut said = Vec::new();
                let fields = Fields::with_parser(source, Parser::with_options(options));
                prop_assert!(drain(&mut wish.subscribe(&fields), &mut said));
                said
            };
            prop_assert_eq!(joined(&said), joined(&whole), "{:?}: cuts, and places in errors", wish);

            let (expected, is_error) = wish.expected(&finished, replaces);
            let (last, items) = match said.split_last() {
                Some((last @ Said::Error(_), items)) if is_error => (Some(last), items),
                _ => (None, said.as_slice()),
            };
            prop_assert_eq!(last.is_some(), is_error, "{:?} {:?}", wish, said);
            let items = joined(items);
            prop_assert_eq!(items.len(), expected.len(), "{:?} {:?} {:?}", wish, &items, &expected);
            for (item, expected) in items.iter().zip(&expected) {
                if !matches!((item, expected), (Said::Error(_), Said::Error(_))) {
                    prop_assert_eq!(item, expected, "{:?}", wish);
                }
            }
        }
    }

    #[test]
    fn each_is_as_prompt_as_the_document(
        text in text(),
        cuts in chunking(),
        options in options(),
        picks in prop::collection::vec(pick(), 1..6),
    ) {
        let replaces = options_replace(&options);
        let finished = {
            let mut parser = Parser::with_options(options);
            parser.push(&text);
            parser.finish(End::Unknown)
        };
        let wishes = wishes(&finished, &picks);
        let (sender, source) = mpsc::unbounded();
        let fields = Fields::with_parser(source, Parser::with_options(options));
        let mut parser = Parser::with_options(options);
        let mut subscribers: Vec<_> = wishes.iter().map(|wish| (wish.subscribe(&fields), Vec::new(), false)).collect();
        for chunk in cuts.cut(&text) {
            sender.unbounded_send(chunk.to_vec()).expect("it listens until it has ended");
            let update = parser.feed(chunk);
            if update.error().is_some() {
                break;
            }
            let snapshot = update.snapshot();
            for (wish, (subscriber, said, is_over)) in wishes.iter().zip(&mut subscribers) {
                *is_over = *is_over || drain(subscriber, said);
                let has_failed = matches!(said.last(), Some(Said::Error(_)));
                match wish {
                    Wish::Text(path) if !replaces => {
                        let text: String = said.iter().map(text_of).collect();
                        prop_assert_eq!(&text, snapshot.at(path).as_str().unwrap_or_default());
                        prop_assert!(!snapshot.is_final(path) || *is_over);
                        prop_assert!(snapshot.state(path) != jsonrill::State::Pending || said.is_empty());
                    }
                    Wish::Value(path) => {
                        prop_assert!(!snapshot.is_final(path) || !said.is_empty());
                        prop_assert!(!snapshot.is_ambiguous(path) || said.is_empty());
                    }
                    Wish::AllFinal(paths) => {
                        prop_assert_eq!(paths.iter().all(|path| snapshot.is_final(path)), said == &[Said::Done]);
                    }
                    Wish::Items(path) if snapshot.at(path).kind() == Some(Kind::Array) && !has_failed => {
                        let count = snapshot.at(path).elements().filter(|element| element.is_final()).count();
                        prop_assert_eq!(said.len(), count);
                        prop_assert_eq!(snapshot.is_final(path), *is_over);
                    }
                    Wish::Values(pattern) if !has_failed => {
                        let (found, _) = found(snapshot, pattern);
                        let count = found.into_iter().filter(|value| value.is_final()).count();
                        prop_assert_eq!(said.len(), count, "{:?} {:?}", wish, said);
                    }
                    Wish::Texts(pattern) if !replaces && !has_failed => {
                        let (found, _) = found(snapshot, pattern);
                        let strings = || found.iter().filter_map(|value| value.as_str());
                        let length: usize = strings().map(str::len).sum();
                        let given: usize = said.iter().map(|said| text_of(said).len()).sum();
                        prop_assert_eq!(given, length, "{:?} {:?}", wish, said);
                    }
                    _ => {}
                }
            }
        }
        drop(subscribers);
        drop(fields);
        prop_assert!(sender.is_closed());
    }
}

/// Whether these options let a later member take the place of an earlier one.
fn options_replace(options: &Options) -> bool {
    let mut parser = Parser::with_options(options.dialect(Dialect::Strict).limits(Limits::default()));
    parser.push("{\"a\": [1], ");
    !parser.snapshot().is_final("/a")
}

#[test]
fn patterns_are_what_they_were_made_of() {
    for text in ["", "/a/*/b", "/**", "/~2/~01", "no pointer"] {
        assert_eq!(PathPattern::from(text).to_string(), text);
    }
}
