//! The generator of the experiment, judged without the library: that its rounds do mean what it says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::cases::cases;
use crate::common::tree::{Tree, same_value};
use crate::cuts::{self, cuts};
use crate::documents::{self, documents};
use crate::head::{Head, without_blanks};
use crate::random::Random;
use crate::rules;
use crate::styles::{Body, Truth, Wanted, bodies};
use crate::syntax::{Node, Syntax};

fn same(tree: &Tree, text: &str) -> Result<(), String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))?;
    if same_value(&tree.to_value(), &value) && Syntax::of(text).value() == *tree {
        return Ok(());
    }
    Err(format!("{value} is not {tree:?}"))
}

#[test]
fn the_documents_are_valid_and_varied() {
    let documents = documents();
    assert_eq!(documents.len(), documents::COUNT);
    let mut texts = BTreeSet::new();
    for document in &documents {
        let text = &document.syntax.text;
        assert_eq!(same(&document.syntax.value(), text), Ok(()), "{}", document.name);
        assert!((200..=24_000).contains(&text.len()), "{} has {} bytes", document.name, text.len());
        assert!(texts.insert(text.clone()), "{} comes twice", document.name);
    }
    let total: usize = texts.iter().map(String::len).sum();
    let longest = texts.iter().map(String::len).max();
    println!("{total} bytes, {} on average, {longest:?} at most", total / documents.len());
}

#[test]
fn every_document_is_cut_in_many_states() {
    let mut states = BTreeMap::new();
    for (index, document) in documents().iter().enumerate() {
        let cuts = cuts(&document.syntax, 7000 + index as u64);
        assert_eq!(cuts.len(), cuts::COUNT, "{}", document.name);
        for cut in cuts {
            assert!(document.syntax.text.is_char_boundary(cut.at));
            *states.entry(cut.state).or_insert(0) += 1;
        }
    }
    assert!(states.len() >= 18, "{states:?}");
    assert!(states.values().all(|count| *count >= 10), "{states:?}");
    println!("{states:?}");
}

#[test]
fn texts_that_are_joined_give_the_truth() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, document) in documents().iter().enumerate() {
        for case in cases(document, index) {
            let (Some(joined), Wanted::Joined(wanted, _)) = (&case.joined, &case.wanted) else { continue };
            let joined = joined.trim_end();
            // Closers of which nothing is open are not part of it.
            let joined = if case.style.ends_with("surplus closers") { root_alone(joined) } else { joined };
            let is_same = same(wanted, joined);
            assert_eq!(is_same, Ok(()), "{case}");
            *counts.entry(case.style).or_default() += 1;
        }
    }
    println!("{counts:?}");
}

/// The first value of a text.
fn root_alone(text: &str) -> &str {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next().expect("a value").expect("valid");
    &text[..values.byte_offset()]
}

/// All bodies with what they go on from.
fn each_body(mut judge: impl FnMut(&Head<'_>, &Body)) {
    for (index, document) in documents().iter().enumerate() {
        for (number, cut) in cuts(&document.syntax, 7000 + index as u64).iter().enumerate() {
            let head = Head::new(&document.syntax, cut.at);
            for body in bodies(&head, &mut Random::new(number as u64)) {
                judge(&head, &body);
            }
        }
    }
}

#[test]
fn repeats_say_what_stands_before_the_cut() {
    let mut count = 0;
    each_body(|head, body| {
        let (Truth::Repeat { from, .. }, Some(repeat)) = (&body.truth, body.repeat) else { return };
        if !body.is_plain || body.style == "whole, re-escaped" {
            return;
        }
        count += 1;
        let (whole, is_cut) = head.syntax.token_at(*from);
        let in_string = is_cut && head.syntax.written(whole).starts_with('"');
        let again = without_blanks(&body.text[..repeat], in_string);
        let before = without_blanks(&head.text()[*from..], in_string);
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&before), "{body:?}");
    });
    assert!(count > 10_000, "{count}");
}

/// Keys in other quotes: read back with their own, it is what the re-indented text is.
#[test]
fn keys_in_other_quotes_are_the_same_keys() {
    let mut count = 0;
    each_body(|head, body| {
        let Wanted::Joined(wanted, _) = &body.wanted else { return };
        if body.is_plain {
            return;
        }
        count += 1;
        let bracket = *head.open_brackets().last().unwrap();
        let before = &head.syntax.text[..head.syntax.tokens[bracket].span.start];
        assert_eq!(same(wanted, &(before.to_owned() + &with_quotes(&body.text))), Ok(()), "{body:?}");
    });
    assert!(count > 1000, "{count}");
}

/// A text with all its keys in double quotes.
fn with_quotes(text: &str) -> String {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut written = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let end = match letter {
            '"' => {
                let closes = |(at, _): &(usize, &str)| {
                    let backslashes = rest[..*at].chars().rev().take_while(|letter| *letter == '\\').count();
                    *at > 0 && backslashes % 2 == 0
                };
                rest.match_indices('"').find(closes).expect("a quote").0 + 1
            }
            '\'' => rest[1..].find('\'').expect("a quote") + 2,
            letter if is_word(letter) => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            letter => letter.len_utf8(),
        };
        let token = &rest[..end];
        let is_key = rest[end..].trim_start().starts_with(':');
        match letter {
            letter if letter == '\'' || (is_key && is_word(letter)) => {
                written.extend(["\"", token.trim_matches('\''), "\""]);
            }
            _ => written += token,
        }
        rest = &rest[end..];
    }
    written
}

/// The rules of the design, with all the time in the world, come to what is wanted.
#[test]
fn what_is_wanted_follows_from_the_rules() {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut faults = Vec::new();
    each_body(|head, body| {
        let is_surplus = body.style.ends_with("surplus closers");
        if body.doubt.is_some() || !body.is_plain || body.style == "whole, re-escaped" || is_surplus {
            return;
        }
        let found = rules::join(head, &body.text);
        let is_right = match (&found, &body.wanted) {
            (Some(Wanted::Joined(found, _)), Wanted::Joined(wanted, _))
            | (Some(Wanted::Diverged(found)), Wanted::Diverged(wanted)) => found == wanted,
            _ => false,
        };
        let (right, all) = counts.entry(body.style).or_default();
        *all += 1;
        *right += usize::from(is_right);
        if !is_right {
            faults.push(format!(
                "{}: {}⟂\n{}\nfound {found:?}\nwanted {:?}\n",
                body.style,
                head.text(),
                body.text,
                body.wanted
            ));
        }
    });
    println!("{counts:#?}");
    faults.sort_by_key(String::len);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults[..faults.len().min(12)].join("\n"));
}

/// New members, put to where they belong.
#[test]
fn new_members_make_up_the_rest() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    each_body(|head, body| {
        let is_new = body.style.starts_with("new ") || body.style.starts_with("path ");
        let Wanted::Joined(wanted, _) = &body.wanted else { return };
        let open = head.syntax.open_at(head.at);
        let array = open.iter().rposition(|node| node.is_array());
        let target = match body.style {
            style if style.contains("array") => array,
            style if style.starts_with("path to an object") => Some(open.len() - 1),
            _ => Some(0),
        };
        let (true, Some(target)) = (is_new, target) else { return };
        let new = Syntax::of(body.text.as_str()).value();
        let put = Put { head, open: &open, target, is_first: body.style.ends_with("first") };
        let outermost = if body.style.starts_with("new array") { target } else { 0 };
        let joined = put.around(head.shown.as_ref(), 0, outermost, new);
        assert_eq!(&joined, wanted, "{body:?} after {}", head.text());
        *counts.entry(body.style).or_default() += 1;
    });
    println!("{counts:?}");
    assert!(counts.len() >= 12, "{counts:?}");
}

struct Put<'a> {
    head: &'a Head<'a>,
    open: &'a [&'a Node],
    /// Which of the open containers has new members of its own.
    target: usize,
    /// Whether the first of them is the one at the cut.
    is_first: bool,
}

impl Put<'_> {
    /// The containers around the one that the response begins with stay as they were.
    fn around(&self, shown: Option<&Tree>, level: usize, outermost: usize, new: Tree) -> Tree {
        if level == outermost {
            return self.put(shown, level, new);
        }
        let inner = |last: Option<&Tree>| self.around(last, level + 1, outermost, new);
        match shown.cloned() {
            Some(Tree::Object(mut members)) if self.is_shown(level, members.len()) => {
                let (key, last) = members.pop().expect("the open one");
                members.push((key, inner(Some(&last))));
                Tree::Object(members)
            }
            Some(Tree::Array(mut items)) if self.is_shown(level, items.len()) => {
                let last = items.pop();
                items.push(inner(last.as_ref()));
                Tree::Array(items)
            }
            // What is hidden so far, because it might be prose.
            _ if self.open[level].is_object => {
                let key = self.head.syntax.key(self.open[level + 1]).expect("a member");
                Tree::Object(vec![(key, inner(None))])
            }
            shown => {
                let mut items = if let Some(Tree::Array(items)) = shown { items } else { Vec::new() };
                items.push(inner(None));
                Tree::Array(items)
            }
        }
    }

    fn begun(&self, level: usize) -> usize {
        let begins = |child: &&Node| self.head.syntax.start(child) < self.head.at;
        self.open[level].children.iter().take_while(begins).count()
    }

    fn is_shown(&self, level: usize, count: usize) -> bool {
        count == self.begun(level)
    }

    fn put(&self, shown: Option<&Tree>, level: usize, new: Tree) -> Tree {
        let is_target = level == self.target;
        match (shown.cloned(), new) {
            (Some(Tree::Array(mut items)), Tree::Array(new)) => {
                let mut new = new.into_iter();
                let last = (self.is_shown(level, items.len()) && (!is_target || self.is_first)).then(|| items.pop());
                if !is_target {
                    let last = last.flatten();
                    items.push(self.put(last.as_ref(), level + 1, new.next().expect("the open one")));
                }
                items.extend(new);
                Tree::Array(items)
            }
            (Some(Tree::Object(mut members)), Tree::Object(new)) => {
                let on_the_way = self.open.get(level + 1).and_then(|node| self.head.syntax.key(node));
                for (key, value) in new {
                    let place = members.iter().position(|(other, _)| *other == key);
                    match place {
                        Some(place) if !is_target && on_the_way.as_ref() == Some(&key) => {
                            members[place].1 = self.put(Some(&members[place].1), level + 1, value);
                        }
                        Some(place) if is_target && self.is_first => members[place].1 = value,
                        Some(place) => assert_eq!(members[place].1, value, "they agree"),
                        None => members.push((key, value)),
                    }
                }
                Tree::Object(members)
            }
            (_, new) => new,
        }
    }
}
