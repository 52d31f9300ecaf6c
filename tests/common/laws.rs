//! The laws, as ARCHITECTURE.md has them, as checks of one text: each says what is wrong, if anything is.

use std::collections::BTreeMap;

use jsonrill::split::{Boundary, Splitter};
use jsonrill::{End, Finished, Op, Options, Parser, Snapshot, Update, ValueRef, WarningKind};
use serde_json::Value;

use super::ENDS;
use super::tree::{Tree, same_value};
use super::view::{Ending, View, ending, root, seen, tree, view};

/// What may come next, whatever was meant: each settles something that may be held.
const FUTURES: &[&str] = &[
    "\"",
    "\", \"k\": 1}",
    ", \"k\": 1}]",
    ", 1]",
    "}",
    "]",
    ")",
    ": 2, (",
    "x y",
    "x: 1",
    "1",
    "\n",
    "\n\"k\": 1",
    "' + ",
    "\"\"",
    "\\",
    "...",
    "// x",
    "\u{ff0c}",
    "\n```\n",
];

/// Laws 1, 2, 3, 4, 6 and 8 for a text, at each of its bytes.
pub fn keep(options: &Options, text: &[u8]) -> Result<(), String> {
    let mut parser = Parser::with_options(*options);
    let mut replicas = Replicas::default();
    let mut snapshots = vec![parser.snapshot()];
    let mut views = vec![view(&mut parser)];
    for byte in text {
        let update = parser.feed([*byte]);
        replicas.apply(&update)?;
        snapshots.push(update.snapshot().clone());
        views.push(view(&mut parser));
        let [.., old, new] = &snapshots[..] else { continue };
        may_become(old.root(), new.root())
            .map_err(|fault| format!("after {:?}: {fault}", cut(text, views.len() - 2)))?;
    }
    let finished = parser.finish(End::Unknown);
    replicas.apply(finished.update())?;
    may_become(snapshots[text.len()].root(), finished.snapshot().root())?;
    for (snapshot, view) in snapshots.iter().zip(&views) {
        if seen(snapshot) != view.seen {
            return Err(format!("a snapshot did not stand still: {:?} became {snapshot:?}", view.seen.tree));
        }
    }
    for at in 0..=text.len() {
        split(options, text, at, &views).map_err(|fault| format!("cut behind {:?}: {fault}", cut(text, at)))?;
        ends(options, &text[..at]).map_err(|fault| format!("ended behind {:?}: {fault}", cut(text, at)))?;
        for future in FUTURES {
            let mut parser = Parser::with_options(*options);
            parser.push(&text[..at]);
            let before = parser.snapshot();
            let after = parser.feed(*future);
            may_become(before.root(), after.snapshot().root())
                .map_err(|fault| format!("{:?}, then {future:?}: {fault}", cut(text, at)))?;
        }
    }
    Ok(())
}

/// A member whose name was there before is dropped, and all else is as if it had another name.
pub fn drops_nothing_else(value: &str) -> Result<(), String> {
    let read = |name: &str| {
        let mut parser = Parser::new();
        parser.push(format!(r#"{{"1st": 0, "{name}": {value}, "c": [1, {{"d": 2}}], "e": 3}}"#));
        parser.finish(End::Unknown)
    };
    let (dropped, other) = (read("1st"), read("2nd"));
    let mut expected = other.snapshot().to_value();
    if let Some(members) = expected.as_object_mut() {
        members.remove("2nd");
    }
    let is_same = dropped.snapshot().to_value() == expected
        && dropped.repairs() == other.repairs()
        && dropped.outcome() == other.outcome();
    let shown = |finished: &Finished| format!("{} {:?}", finished.snapshot(), finished.repairs());
    if is_same { Ok(()) } else { Err(format!("{value:?} is {} and {}", shown(&dropped), shown(&other))) }
}

/// A splitter that keeps nothing of the text gives the chunks of one over a parser that keeps all: of the text alone,
/// and of one with other values around it.
pub fn splits_alike(text: &str) -> Result<(), String> {
    let around = |open: &str, close: &str| [open, text, close].concat();
    for text in [text.to_owned(), around("[[1, 2], ", ", {\"k\": 3}]"), around("{a: [{b: 1}, ", "], a: 2, c: [3]}")] {
        let mut parser = Parser::new();
        let splitter = Splitter::new(30).cut_strings(Boundary::Character);
        let mut updates = splitter.updates();
        let mut expected: Vec<_> = updates.push(&parser.feed(text.as_str())).collect();
        expected.extend(updates.finish(&parser.finish(End::Unknown)));
        for size in [1, 3, text.len().max(1)] {
            let mut lenient = splitter.lenient();
            let mut chunks = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                chunks.extend(lenient.push(piece));
            }
            chunks.extend(lenient.finish(End::Unknown));
            // An error is said by every later call, and what is beyond a limit by the last.
            let until_error =
                |chunks: &[Result<_, _>]| chunks.iter().map_while(|it| it.clone().ok()).collect::<Vec<_>>();
            if until_error(&chunks) != until_error(&expected) {
                return Err(format!("{text:?} is split into {chunks:?} in pieces of {size}, and not {expected:?}"));
            }
            if lenient.unread() == 0 && chunks.iter().all(Result::is_ok) && *lenient.repairs() != *parser.repairs() {
                return Err(format!("{text:?} has the repairs {:?} in pieces of {size}", lenient.repairs()));
            }
        }
    }
    Ok(())
}

fn cut(text: &[u8], at: usize) -> String {
    String::from_utf8_lossy(&text[..at]).into_owned()
}

/// Laws 1, 2, 3, 4 and 6 for a text that comes in some chunks.
pub fn keep_in_chunks(options: &Options, chunks: &[&[u8]]) -> Result<(), String> {
    let text = chunks.concat();
    let mut parser = Parser::with_options(*options);
    let mut replicas = Replicas::default();
    let mut count = 0;
    let mut before = parser.snapshot();
    for chunk in chunks {
        count += chunk.len();
        let update = parser.feed(*chunk);
        replicas.apply(&update)?;
        may_become(before.root(), update.snapshot().root())?;
        before = update.snapshot().clone();
        let mut whole = Parser::with_options(*options);
        whole.push(&text[..count]);
        let (one, other) = (view(&mut parser), view(&mut whole));
        if one != other {
            return Err(format!("after {count} bytes {}, but whole {}", told(&one), told(&other)));
        }
        for future in FUTURES {
            let mut parser = Parser::with_options(*options);
            parser.push(&text[..count]);
            let after = parser.feed(*future);
            may_become(before.root(), after.snapshot().root()).map_err(|fault| format!("then {future:?}: {fault}"))?;
        }
    }
    ends(options, &text)
}

/// Law 1: in two pieces, all is seen that is seen byte by byte.
fn split(options: &Options, text: &[u8], at: usize, views: &[View]) -> Result<(), String> {
    let mut parser = Parser::with_options(*options);
    for (piece, count) in [(&text[..at], at), (&text[at..], text.len())] {
        parser.push(piece);
        let found = view(&mut parser);
        if found != views[count] {
            return Err(format!("{}, and byte by byte {}", told(&found), told(&views[count])));
        }
    }
    Ok(())
}

fn told(view: &View) -> String {
    let View { seen, error, repairs, .. } = view;
    format!("shows {} {:?} with {:?} and {error:?}, around it {:?}", seen.display, seen.states, repairs.0, seen.outside)
}

/// Laws 1, 2, 3, 4 and 6 for each reason for which a text may end.
pub fn ends(options: &Options, text: &[u8]) -> Result<(), String> {
    for end in ENDS {
        let mut whole = Parser::with_options(*options);
        let update = whole.feed(text);
        let mut replicas = Replicas::default();
        replicas.apply(&update)?;
        let finished = whole.finish(end);
        replicas.apply(finished.update())?;
        may_become(update.snapshot().root(), finished.snapshot().root())
            .map_err(|fault| format!("{end:?}: {fault}"))?;
        nothing_is_lost(&finished, text).map_err(|fault| format!("{end:?}: {fault}"))?;
        let mut bytewise = Parser::with_options(*options);
        for byte in text {
            bytewise.push([*byte]);
        }
        same_ending(&ending(&finished), &ending(&bytewise.finish(end))).map_err(|fault| format!("{end:?}: {fault}"))?;
    }
    Ok(())
}

/// Says what differs alone: an ending is long.
fn same_ending(whole: &Ending, bytewise: &Ending) -> Result<(), String> {
    let summary = |ending: &Ending| (ending.seen.display.clone(), ending.outcome, ending.cut.clone());
    let (one, other) = (summary(whole), summary(bytewise));
    let reports = |ending: &Ending| [&ending.repairs, &ending.warnings, &ending.skipped].map(Clone::clone);
    if one != other {
        Err(format!("{one:?}, and byte by byte {other:?}"))
    } else if reports(whole) != reports(bytewise) {
        Err(format!("tells {:?}, and byte by byte {:?}", reports(whole), reports(bytewise)))
    } else if whole.seen != bytewise.seen {
        Err(format!("shows {:?}, and byte by byte {:?}", whole.seen, bytewise.seen))
    } else if whole != bytewise {
        Err(format!("{whole:?}, and byte by byte {bytewise:?}"))
    } else {
        Ok(())
    }
}

/// Law 2, whether `new` is what `old` may become. Also the first half of law 4: final is for ever.
pub fn may_become(old: ValueRef<'_>, new: ValueRef<'_>) -> Result<(), String> {
    if !old.exists() {
        return Ok(());
    }
    let fail = |what: &str| Err(format!("{}: {what}: {old:?} became {new:?}", old.path()));
    let (was, is) = (tree(old), tree(new));
    if old.is_final() && !new.is_final() {
        return fail("no longer final");
    }
    if old.is_final() && was != is {
        return fail("changed after it was final");
    }
    let starts = |value: ValueRef<'_>| value.span().map(|span| span.start);
    if starts(old) != starts(new) {
        return fail("moved in the source");
    }
    match (was, is) {
        (Some(Tree::String(was)), Some(Tree::String(is))) if is.starts_with(&was) => Ok(()),
        (Some(Tree::Number(_)), Some(Tree::Number(_) | Tree::String(_))) => Ok(()),
        (Some(Tree::Array(_)), Some(Tree::Array(_))) => {
            let mut after = new.elements();
            old.elements().try_for_each(|value| match after.next() {
                Some(other) => may_become(value, other),
                None => fail("lost an element"),
            })
        }
        (Some(Tree::Object(_)), Some(Tree::Object(_))) => {
            let mut after = new.members();
            old.members().try_for_each(|(key, value)| match after.next() {
                Some((other, later)) if key == other => may_become(value, later),
                _ => fail("lost a member"),
            })
        }
        (was, is) if was == is => Ok(()),
        _ => fail("changed"),
    }
}

/// Law 3: what comes of applying every delta to nothing, for each document.
#[derive(Debug, Default)]
pub struct Replicas(pub BTreeMap<u32, Value>);

impl Replicas {
    /// Applies what a feed brought to the documents it touched, as deltas and as operations read from JSON.
    pub fn apply(&mut self, update: &Update) -> Result<(), String> {
        for part in update.parts() {
            let replica = self.0.entry(part.document()).or_insert(Value::Null);
            let mut by_ops = replica.clone();
            let told = serde_json::to_value(part.delta()).unwrap();
            exact("as JSON", &told, &serde_json::to_value(part.delta().to_ops()).unwrap())?;
            // What is displayed has the text of numbers, also of those that `serde_json` refuses.
            if let Ok(displayed) = serde_json::from_str::<Value>(&part.delta().to_string()) {
                same("displayed", &told, &displayed)?;
            }
            let json = serde_json::to_string(&part.delta()).unwrap();
            match serde_json::from_str(&json) {
                Ok(reread) => same("as text", &told, &reread)?,
                // It reads 127 levels, and a document has up to 512.
                Err(error) if error.to_string().starts_with("recursion limit") => {}
                Err(error) => return Err(format!("a delta as text: {error}")),
            }
            let ops: Vec<Op> = serde_json::from_value(told).unwrap();
            let paths = part.delta().ops().map(jsonrill::DeltaOp::path);
            if !paths.eq(ops.iter().map(|op| op.path().to_owned())) {
                return Err(format!("{ops:?} are not the operations of {:?}", part.delta()));
            }
            for op in ops {
                op.apply(&mut by_ops).map_err(|error| format!("{op:?}: {error}"))?;
            }
            part.delta().apply(replica).map_err(|error| format!("{:?}: {error}", part.delta()))?;
            exact("applied", replica, &part.snapshot().to_value())?;
            exact("applied one by one", replica, &by_ops)?;
        }
        Ok(())
    }
}

fn exact(what: &str, one: &Value, other: &Value) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("a delta {what}: {one} is not {other}")) }
}

fn same(what: &str, one: &Value, other: &Value) -> Result<(), String> {
    if same_value(one, other) { Ok(()) } else { Err(format!("a delta {what}: {one} is not {other}")) }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Law 6: the root and what is skipped tile the input, and what is skipped is readable outside.
pub fn nothing_is_lost(finished: &Finished, input: &[u8]) -> Result<(), String> {
    let snapshot = finished.snapshot();
    let skipped = finished.skipped().iter().map(|skip| skip.span);
    // Of a root such as `tru` nothing is shown, and yet it is no text outside.
    let held = finished.documents().filter(|document| !document.is_complete && !snapshot.is_started());
    let held = held.map(|document| document.span);
    let mut tiles: Vec<_> = skipped.chain(snapshot.root().span()).chain(held).collect();
    tiles.sort_by_key(|span| (span.start, span.end));
    let mut at = 0;
    for span in &tiles {
        let range = span.range();
        let fits = range.start >= at && range.end <= input.len();
        if !fits || !input[at..range.start].iter().all(|byte| is_blank(*byte)) {
            return Err(format!("{tiles:?} do not tile the input"));
        }
        at = range.end;
    }
    if !input[at..].iter().all(|byte| is_blank(*byte)) {
        return Err(format!("what follows {tiles:?} is lost"));
    }
    let outside: Vec<_> = snapshot.outside().map(|outside| (outside.kind, outside.span)).collect();
    if !outside.windows(2).all(|pair| pair[0].1.end <= pair[1].1.start) {
        return Err(format!("{outside:?} overlap"));
    }
    for skip in finished.skipped() {
        let is_there = outside
            .iter()
            .any(|(kind, span)| *kind == skip.kind && span.start <= skip.span.start && skip.span.end <= span.end);
        if !is_there && skip.count <= 1 {
            return Err(format!("{skip:?} is not in {outside:?}"));
        }
    }
    Ok(())
}

/// The other half of law 6: every letter and digit within the root is part of a value or key, or of a repair that is
/// told.
pub fn all_is_kept_or_told(finished: &Finished, text: &str) -> Result<(), String> {
    let snapshot: &Snapshot = finished.snapshot();
    let Some(span) = snapshot.root().span() else { return Ok(()) };
    let mut told: Vec<bool> = vec![false; text.len()];
    for repair in finished.repairs() {
        told[repair.span.range()].fill(true);
    }
    for dropped in finished.warnings().iter().filter(|warning| warning.kind == WarningKind::DuplicateKey) {
        told[dropped.span.range()].fill(true);
    }
    let kept = root(snapshot).map(|root| words(&root)).unwrap_or_default();
    let mut kept = kept.chars();
    let mut letters = text[span.range()].char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            // An escape stands for another character.
            if letters.next().is_some_and(|(_, letter)| letter == 'u') {
                letters.nth(3);
            }
            continue;
        }
        let counts = letter.is_alphanumeric() && !told[at + span.range().start];
        if counts && !kept.any(|other| other == letter) {
            return Err(format!(
                "{letter:?} behind {:?} is in no value, key or repair",
                &text[..at + span.range().start]
            ));
        }
    }
    Ok(())
}

/// All keys and values in a row.
fn words(tree: &Tree) -> String {
    match tree {
        Tree::Null => "null".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Number(text) | Tree::String(text) => text.clone(),
        Tree::Array(items) => items.iter().map(words).collect(),
        Tree::Object(members) => members.iter().flat_map(|(key, value)| [key.clone(), words(value)]).collect(),
    }
}
