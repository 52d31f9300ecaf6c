//! The rules of seams, read to the letter by one who has the whole response at hand, and all the time: it shows that
//! what the experiment wants follows from the rules, wherever it does not count the case apart.

use jsonrill::{End, Parser};

use crate::common::tree::Tree;
use crate::common::view::root;
use crate::head::{ENOUGH, Head, may_become};
use crate::styles::Wanted;
use crate::syntax::{Node, Syntax};

/// What the rules make of a response in the spelling of valid JSON, with nothing around it.
pub fn join(head: &Head<'_>, response: &str) -> Option<Wanted> {
    let repeat = head.any_repeat(response);
    let after = |place: usize| head.after_repeat(response, place).map(|rest| head.text().to_owned() + rest);
    if let Some((place, tokens)) = repeat
        && tokens >= ENOUGH
    {
        return after(place).map(|text| joined(&text).unwrap_or_else(|| open_still(&text)));
    }
    let text = head.text().to_owned() + response;
    if Head::parses(&text) {
        if let Some(wanted) = joined(&text) {
            return Some(wanted);
        }
        if head.tokens_alike(response) < ENOUGH {
            return Some(open_still(&text));
        }
    }
    // Of two readings, the one that closes the root.
    let short = repeat.and_then(|(place, _)| after(place)).filter(|text| Head::parses(text));
    if let Some(wanted) = short.as_ref().and_then(|text| joined(text)) {
        return Some(wanted);
    }
    // A comma may be missing.
    let behind_comma = format!("{},{response}", head.text());
    if short.is_none()
        && Head::parses(&behind_comma)
        && let Some(wanted) = joined(&behind_comma)
    {
        return Some(wanted);
    }
    container(head, response).or_else(|| short.map(|text| open_still(&text)))
}

/// A whole new container, to be merged.
fn container(head: &Head<'_>, response: &str) -> Option<Wanted> {
    let new = serde_json::from_str::<serde::de::IgnoredAny>(response).ok().map(|_| Syntax::of(response).value())?;
    let open = head.syntax.open_at(head.at);
    let Some(shown) = &head.shown else { return Some(Wanted::Joined(new, Some(true))) };
    if may_become(shown, &new) {
        return Some(Wanted::Joined(new, Some(true)));
    }
    match (shown, &new) {
        (Tree::Object(_), Tree::Array(_)) => in_innermost_array(head, &open, shown, &new),
        (Tree::Array(items), Tree::Array(others)) if items.first() != others.first() => {
            in_innermost_array(head, &open, shown, &new)
        }
        _ => Some(match merged(head, &open, shown, &new) {
            Some(tree) => Wanted::Joined(tree, Some(true)),
            None => Wanted::Diverged(new),
        }),
    }
}

fn joined(text: &str) -> Option<Wanted> {
    let text = text.trim_end();
    let end = {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
        values.next()?.ok()?;
        values.byte_offset()
    };
    Some(Wanted::Joined(Syntax::of(&text[..end]).value(), Some(true)))
}

/// What is there of a document that is not whole.
fn open_still(text: &str) -> Wanted {
    let mut parser = Parser::strict();
    parser.push(text);
    Wanted::Joined(root(parser.finish(End::Truncated).snapshot()).unwrap_or(Tree::Null), None)
}

/// An array is around the new elements of the innermost array that is open.
fn in_innermost_array(head: &Head<'_>, open: &[&Node], shown: &Tree, new: &Tree) -> Option<Wanted> {
    let depth = open.iter().rposition(|node| node.is_array())?;
    let mut whole = shown.clone();
    let mut place = &mut whole;
    for _ in 0..depth {
        place = match place {
            Tree::Array(items) => items.last_mut()?,
            Tree::Object(members) => &mut members.last_mut()?.1,
            _ => return None,
        };
    }
    let Some(tree) = merged(head, &open[depth..], place, new) else { return Some(Wanted::Diverged(new.clone())) };
    *place = tree;
    Some(Wanted::Joined(whole, (depth == 0).then_some(true)))
}

/// Whether the last of so many children is the one at the cut.
fn cut_is_last(head: &Head<'_>, node: &Node, count: usize) -> bool {
    count > 0
        && node.children.get(count - 1).is_some_and(|child| {
            let (start, end) = (head.syntax.start(child), head.syntax.end(child));
            start < head.at && end >= head.at
        })
}

/// New members put to what was shown of an open container; nothing if they contradict it.
fn merged(head: &Head<'_>, open: &[&Node], shown: &Tree, new: &Tree) -> Option<Tree> {
    // What is open within, or in flight.
    let goes_on = |old: &Tree, new: &Tree| match (old, new) {
        (Tree::Array(_), Tree::Array(_)) | (Tree::Object(_), Tree::Object(_)) if open.len() > 1 => {
            merged(head, &open[1..], old, new)
        }
        _ if may_become(old, new) => Some(new.clone()),
        _ => None,
    };
    let node = open.first()?;
    match (shown, new) {
        (Tree::Object(members), Tree::Object(others)) => {
            let is_cut = cut_is_last(head, node, members.len());
            let mut members = members.clone();
            for (key, value) in others {
                match members.iter().position(|(other, _)| other == key) {
                    Some(at) if is_cut && at + 1 == members.len() => members[at].1 = goes_on(&members[at].1, value)?,
                    Some(at) if members[at].1 != *value => return None,
                    Some(_) => {}
                    None => members.push((key.clone(), value.clone())),
                }
            }
            Some(Tree::Object(members))
        }
        (Tree::Array(items), Tree::Array(others)) => {
            let is_cut = cut_is_last(head, node, items.len());
            let (Some(first), Some(other)) = (items.first(), others.first()) else {
                return Some(Tree::Array([items.as_slice(), others.as_slice()].concat()));
            };
            let (last, before) = items.split_last()?;
            if first == other && !(is_cut && before.is_empty()) {
                // A restart: all that is repeated must agree.
                return may_become(shown, new).then(|| new.clone());
            }
            let with_cut = is_cut.then(|| goes_on(last, other)).flatten();
            let kept = if with_cut.is_some() { before } else { items };
            let new: Vec<Tree> = match with_cut {
                Some(cut) => [cut].into_iter().chain(others[1..].iter().cloned()).collect(),
                None => others.clone(),
            };
            Some(Tree::Array([kept, new.as_slice()].concat()))
        }
        _ => None,
    }
}
