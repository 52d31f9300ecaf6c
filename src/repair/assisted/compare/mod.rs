//! What an answer has of the original, and what not.
//!
//! Both are made lists of keys and scalar values in the order of the text ([`items`]). A repair of the syntax leaves
//! that order as it is, so the two are aligned as versions of a text are ([`align`]). The original is damaged, and what
//! the rules read of it may be wrong; so what is left over on either side is looked up, word by word, in the text
//! itself ([`words`]).

mod align;
mod items;
mod words;

use std::collections::{HashMap, HashSet, VecDeque};

use serde::Serialize;

use crate::document::Kind;
use crate::view::{Snapshot, ValueRef};
use items::{Item, Items};
use words::{Order, Types, Words};

/// How many differences of a kind are listed.
const LISTED: usize = 20;

/// How many characters of a value are shown.
const SHOWN: usize = 80;

/// How a model's answer differs from the original in more than its syntax.
///
/// What is compared are keys and scalar values: against what the rules read of the original, and against its raw text,
/// for the rules may have read it wrongly. So a value is *lost* only if its words stand in the original and not in the
/// answer, and *invented* only if its words are not left in the original when all that is in both is taken away, or do
/// not follow each other there. A value that became another at the same place, or of another type, is *changed*. One
/// that is in both, but in another order and at another place, is *moved*: whoever mends brackets and quotes does not
/// need that. (The members of an object may change their order.)
///
/// A model that mends the syntax leaves nothing of that kind, and one that drops an element, changes a number,
/// translates, sums up, makes something up, or does what the text says leaves something. So the default of
/// [`AssistedOptions::tolerance`](crate::AssistedOptions::tolerance) is 0.
///
/// Not seen are: ASCII punctuation and white space in a string of which no word was changed; how a number is spelled
/// (`1.0` and `1`); in which of the objects and arrays around it a value is, and empty strings, objects and arrays, for
/// all of that may be the damage; the second of two members of the same name, which the rules leave out; stray text
/// that was left out, such as a comment; and the order of values in what the rules did not read, all of it or what
/// stands behind a root that was closed too early: of that, each word has to be in the answer.
///
/// ```
/// use jsonrill::{AssistedOptions, AssistedRepair};
///
/// let mut repair = AssistedRepair::new("{\"tea\": [3, \"cups\" oops], \"milk\": }", AssistedOptions::new().attempts(1));
/// repair.text("{\"tea\": [3, \"mugs\", \"oops\"], \"milk\": null, \"sugar\": true}");
/// repair.end("stop", None);
/// let report = repair.into_report();
/// let comparison = report.comparison().unwrap();
/// assert_eq!((comparison.changed.count, comparison.invented.count), (1, 2)); // a new member is a key and a value
/// assert_eq!(comparison.changed.listed[0].path, "/tea/1");
/// assert!(!comparison.is_faithful());
/// assert!(report.error().is_some()); // so what the rules made is what there is
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Comparison {
    /// How many keys and scalar values the rules read in the part of the original that the model was sent.
    pub values: u64,
    /// Those of the original that the answer does not have.
    pub lost: Differences,
    /// Values that are another one in the answer, at the same place.
    pub changed: Differences,
    /// Values that are at another place in the answer, in another order.
    pub moved: Differences,
    /// What the answer has and the original has not.
    pub invented: Differences,
    /// How many values the rules had read otherwise, and whose words are all in the answer.
    pub reread: u64,
    /// How many keys and values the model has added behind the cut of a text that it was to go on with. They are no
    /// differences.
    pub added: u64,
}

/// Differences of a kind: how many, and the first 20 of them.
///
/// ```
/// use jsonrill::{AssistedOptions, AssistedRepair};
///
/// let mut repair = AssistedRepair::new("{\"a\": [1, \"b\": 2}", AssistedOptions::new());
/// repair.text("{\"a\": [1], \"b\": 3}");
/// repair.end("stop", None);
/// let report = repair.into_report();
/// let comparison = report.comparison().unwrap();
/// assert!(comparison.differences() > 0);
/// assert_eq!(comparison.changed.count, comparison.changed.listed.len() as u64); // few are all listed
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Differences {
    /// How many there are.
    pub count: u64,
    /// The first ones.
    pub listed: Vec<Difference>,
}

/// A key or a value that is not the same in both.
///
/// ```
/// use jsonrill::{AssistedOptions, AssistedRepair};
///
/// let mut repair = AssistedRepair::new("{\"a\": [1, \"b\": 2}", AssistedOptions::new());
/// repair.text("{\"a\": [1], \"b\": 3}");
/// repair.end("stop", None);
/// let report = repair.into_report();
/// let comparison = report.comparison().unwrap();
/// let difference = comparison.invented.listed.iter().chain(&comparison.changed.listed).next().unwrap();
/// assert_eq!(difference.path, "/b");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// Where it is: a JSON pointer into what the rules made of the original, or, where it is not there, into the
    /// repaired text.
    pub path: String,
    /// The value in the original, as JSON, at most 80 characters of it. `None` for a key, and where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The value in the answer, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Comparison {
    /// How many keys and values are lost, changed, moved or invented.
    #[must_use]
    pub fn differences(&self) -> u64 {
        self.lost.count + self.changed.count + self.moved.count + self.invented.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_faithful(&self) -> bool {
        self.differences() == 0
    }

    /// How many there are for each key and value of the original: 0 for none, and more than 1 where the answer has
    /// little to do with it.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // it is a ratio
    pub fn ratio(&self) -> f64 {
        self.differences() as f64 / self.values.max(1) as f64
    }

    /// Of a text that was gone on with: all of it is there, and something was added.
    pub(super) fn of_continued(before: &Snapshot, after: &Snapshot) -> Self {
        let (before, after) = (items::count(before.root()), items::count(after.root()));
        Self { values: before, added: after.saturating_sub(before), ..Self::default() }
    }

    /// Compares an answer with the values that the rules read, and with the text that they read them from.
    ///
    /// `unread` is what the rules did not read of it, and `places` says where the answer's root is in the document, and
    /// how far indices in it are off.
    pub(super) fn of_mended(
        original: &[(Option<usize>, ValueRef<'_>)],
        raw: &str,
        unread: &str,
        answer: ValueRef<'_>,
        places: (&str, usize),
    ) -> Self {
        let names = items::Names::default();
        let (mut before, mut after) = (Items::new(&names), Items::new(&names));
        for (at, value) in original {
            match at {
                Some(at) => before.add_element(*at, *value),
                None => before.add_root(*value),
            }
        }
        after.add_root(answer);
        Comparing { before: before.list, after: after.list, places }.compare(raw, unread)
    }
}

impl Differences {
    fn add(&mut self, difference: impl FnOnce() -> Difference) {
        self.count += 1;
        if self.listed.len() < LISTED {
            self.listed.push(difference());
        }
    }
}

struct Comparing<'a> {
    before: Vec<Item<'a>>,
    after: Vec<Item<'a>>,
    places: (&'a str, usize),
}

impl Comparing<'_> {
    fn compare(self, raw: &str, unread: &str) -> Comparison {
        let Self { before, after, places } = &self;
        let mut report = Comparison { values: before.len() as u64, ..Comparison::default() };
        let aligned = align::align(before, after, |item| item.id);
        let (mut kept, mut found) = (vec![false; before.len()], vec![false; after.len()]);
        for (old, new) in aligned {
            mark(&mut kept, old);
            mark(&mut found, new);
        }
        // Members in another order are at the same path.
        for (old, new) in pairs(before, after, &kept, &found, |item| item.path ^ item.id.rotate_left(1)) {
            mark(&mut kept, old);
            mark(&mut found, new);
        }
        for (old, new) in pairs(before, after, &kept, &found, |item| item.id) {
            mark(&mut kept, old);
            mark(&mut found, new);
            if let (Some(old), Some(new)) = (before.get(old), after.get(new)) {
                report.moved.add(|| Difference { path: old.value.path(), before: old.shown(), after: new.shown() });
            }
        }

        // What is left on either side, with what is left of the text.
        let mut text = Words::of_source(raw);
        before.iter().zip(&kept).filter(|(_, kept)| **kept).for_each(|(item, _)| _ = text.take(item));
        let mut said = text.none_of();
        after.iter().zip(&found).filter(|(_, found)| !**found).for_each(|(item, _)| said.add_all(item));
        let mut here: HashMap<u64, &Item<'_>> = HashMap::new();
        for (item, _) in after.iter().zip(&found).filter(|(item, found)| !**found && !item.is_key) {
            here.entry(item.path).or_insert(item);
        }
        let (mut spare, mut changed) = (text.clone(), Vec::new());
        for (old, _) in before.iter().zip(&kept).filter(|(_, kept)| !**kept) {
            let new = here.get(&old.path).copied().filter(|_| !old.is_key);
            if new.is_some_and(|new| old.is_respelled_as(new)) {
                report.reread += 1;
                changed.extend(new.map(|new| new.path));
                text.take(old);
                spare.take(old);
                continue;
            }
            let is_all_said = !text.has_unsaid(old, &mut said);
            let is_replaced = new.is_some_and(|new| old.is_replaced_by(new));
            if is_all_said && !is_replaced {
                report.reread += 1;
            } else if let Some(new) = new {
                changed.push(new.path);
                report.changed.add(|| Difference { path: old.value.path(), before: old.shown(), after: new.shown() });
            } else {
                report.lost.add(|| Difference { path: old.value.path(), before: old.shown(), after: None });
            }
        }
        Words::each_unread(unread, &mut said, |word| {
            report.lost.add(|| Difference {
                path: String::new(),
                before: Some(word.chars().take(SHOWN).collect()),
                after: None,
            });
        });
        let (types, order) = (Types::of(raw), Order::of_source(raw));
        let changed: HashSet<u64> = changed.into_iter().collect();
        for (at, (new, _)) in after.iter().zip(&found).enumerate().filter(|(_, (_, found))| !**found) {
            let is_told = !new.is_key && changed.contains(&new.path);
            // The first value behind a key is that of its member, or in it.
            let key = at.checked_sub(1).and_then(|at| after.get(at)).filter(|before| before.is_key && !new.is_key);
            let is_in_order = order.fits(new) && key.is_none_or(|key| order.follows(key, new));
            let is_there = spare.take(new) && types.fit(new) && is_in_order;
            if is_there || is_told {
                continue;
            }
            report.invented.add(|| Difference { path: placed(new.value, *places), before: None, after: new.shown() });
        }
        report
    }
}

fn mark(flags: &mut [bool], at: usize) {
    if let Some(flag) = flags.get_mut(at) {
        *flag = true;
    }
}

/// Pairs of what is left on both sides and has the same name, in order.
fn pairs(
    before: &[Item<'_>],
    after: &[Item<'_>],
    kept: &[bool],
    found: &[bool],
    name: impl Fn(&Item<'_>) -> u64,
) -> Vec<(usize, usize)> {
    let mut left: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for (at, (item, _)) in after.iter().zip(found).enumerate().filter(|(_, (_, found))| !**found) {
        left.entry(name(item)).or_default().push_back(at);
    }
    let olds = before.iter().zip(kept).enumerate().filter(|(_, (_, kept))| !**kept);
    olds.filter_map(|(at, (item, _))| Some((at, left.get_mut(&name(item))?.pop_front()?))).collect()
}

/// The path of a value of the answer in the document.
fn placed(value: ValueRef<'_>, (origin, offset): (&str, usize)) -> String {
    let path = value.path();
    if offset == 0 {
        return format!("{origin}{path}");
    }
    let mut tokens = path.splitn(3, '/').skip(1);
    let index = tokens.next().and_then(|token| token.parse::<usize>().ok());
    let rest = tokens.next().map(|rest| format!("/{rest}")).unwrap_or_default();
    match index {
        Some(index) => format!("{origin}/{}{rest}", index + offset),
        None => format!("{origin}{path}"),
    }
}

/// A value as it is shown in a report.
fn shown(value: ValueRef<'_>) -> String {
    let text = match value.kind() {
        // Not all of a long string for its first characters.
        Some(Kind::String) => {
            let text: String = value.as_str().unwrap_or_default().chars().take(SHOWN + 1).collect();
            serde_json::Value::from(text).to_string()
        }
        Some(Kind::Object) => "{}".to_owned(),
        Some(Kind::Array) => "[]".to_owned(),
        _ => value.to_string(),
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
