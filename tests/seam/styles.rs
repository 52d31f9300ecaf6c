//! What models write when they are asked to go on, by a generator that knows the whole document.
//!
//! A body is such a text without what may be around it. It knows what the document must become, and why that cannot be
//! told from the texts alone, if it cannot: such pairs are counted apart.

use std::ops::Range;

use crate::common::tree::Tree;
use crate::head::{ENOUGH, Head, may_become};
use crate::random::Random;
use crate::syntax::{
    FOUR, Keys, Layout, Node, Rendered, Sort, Syntax, TWO, decode, has_plain_keys, laid_out, minified, quoted, render,
    requoted,
};

/// Why nobody could know what is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The tail that is repeated has fewer than 8 tokens.
    ShortTail,
    /// Read as the plain rest, it parses as well, and fewer than 8 tokens say otherwise.
    PlainRest,
    /// A container with new elements, where an element may begin.
    NestedArray,
    /// The plain rest says again what stands before the cut, 8 tokens or more; or a repeat could be a longer one.
    OtherRepeat,
    /// A scalar at the cut, which may have been whole.
    Scalar,
    /// A key at the cut: closed, its member has no value, or null.
    KeyAlone,
    /// A new element that could as well be the first one again, and all a restart.
    LikeTheFirst,
    /// A new element that could as well be the one that was cut.
    LikeTheCut,
    /// Another first element: another document, or new members.
    FirstElement,
    /// New members that could be those of a container further in.
    WhichContainer,
}

/// What the document must become.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// One document; with none, whether it is whole is not told.
    Joined(Tree, Option<bool>),
    /// What was shown, and this document beside it.
    Diverged(Tree),
    /// What was shown.
    Old,
}

/// How the next text stands to the one so far.
#[derive(Clone, Debug)]
pub enum Truth {
    Rest,
    /// It repeats the text from a place up to the cut.
    Repeat {
        from: usize,
        is_tail: bool,
    },
    /// Something that the style judges itself.
    Other,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub style: &'static str,
    pub text: String,
    /// How long the repeat is: what follows goes on from the cut. None where the text does not simply go on.
    pub repeat: Option<usize>,
    /// Where in the repeat tokens begin.
    token_starts: Vec<usize>,
    pub truth: Truth,
    pub wanted: Wanted,
    pub doubt: Option<Doubt>,
    /// The names of the seam's kind that are right.
    pub kinds: &'static [&'static str],
    /// Whether it is in the spelling of valid JSON.
    pub is_plain: bool,
}

impl Body {
    fn joined(style: &'static str, text: String, repeat: usize, truth: Truth, wanted: Tree) -> Self {
        Self {
            style,
            text,
            repeat: Some(repeat),
            token_starts: Vec::new(),
            truth,
            wanted: Wanted::Joined(wanted, Some(true)),
            doubt: None,
            kinds: &["repeat", "restart"],
            is_plain: true,
        }
    }

    /// The same, cut somewhere; it knows of the doubt that this brings.
    pub fn judged(mut self, head: &Head<'_>, end: usize) -> Self {
        self.doubt = self.doubt.or_else(|| self.doubts(head, end));
        self
    }

    fn doubts(&self, head: &Head<'_>, end: usize) -> Option<Doubt> {
        let text = &self.text[..end];
        let tokens = self.token_starts.iter().filter(|start| **start < end).count();
        let longest = head.longest_repeat(text);
        match self.truth {
            Truth::Rest if longest.is_some() => Some(Doubt::OtherRepeat),
            Truth::Rest if head.number_is_repeated(text) => Some(Doubt::Scalar),
            Truth::Repeat { is_tail: true, .. } if tokens < ENOUGH => Some(Doubt::ShortTail),
            Truth::Repeat { .. } if tokens < ENOUGH && head.plain_parses(text) => Some(Doubt::PlainRest),
            // It stops before the cut, after a few tokens, or some of it reaches the cut nevertheless.
            Truth::Repeat { .. } if self.repeat.is_some_and(|repeat| end < repeat) && tokens < ENOUGH => {
                Some(Doubt::ShortTail)
            }
            Truth::Repeat { .. } if self.repeat.is_some_and(|repeat| end < repeat) => {
                longest.map(|_| Doubt::OtherRepeat)
            }
            Truth::Repeat { from, .. } => longest.filter(|place| *place < from).map(|_| Doubt::OtherRepeat),
            _ => None,
        }
    }
}

/// All the ways to go on.
pub fn bodies(head: &Head<'_>, random: &mut Random) -> Vec<Body> {
    let mut bodies = vec![rest(head)];
    for (style, count) in [("tail of 3", 3), ("tail of 10", 10), ("tail of 40", 40), ("tail of 200", 200)] {
        bodies.push(tail(head, style, count));
    }
    bodies.push(overlap(head));
    bodies.extend(element(head, random));
    bodies.extend(whole(head, random));
    bodies.push(longer(head, random));
    bodies.extend(diverging(head, random));
    bodies.extend(new_array(head, random));
    bodies.extend(new_object(head, random));
    bodies.extend(new_path(head, random));
    bodies.extend(surplus(head, random));
    bodies.extend(rest_without_comma(head));
    bodies
        .into_iter()
        .map(|body| {
            let end = body.text.len();
            body.judged(head, end)
        })
        .collect()
}

/// Those that a round may be cut in: they repeat something and go on.
pub fn going_on(head: &Head<'_>, random: &mut Random) -> Body {
    match random.within(0..8) {
        0 | 1 => rest(head),
        2 => tail(head, "tail of 40", 40),
        3 => tail(head, "tail of 200", 200),
        4 => overlap(head),
        5 => respaced(head, random),
        6 => whole_as(head, "whole", None),
        _ => whole_as(head, "whole, re-indented", Some(other_layout(head, random))),
    }
}

pub fn rest(head: &Head<'_>) -> Body {
    let text = head.rest().to_owned();
    Body { kinds: &["rest"], ..Body::joined("rest", text, 0, Truth::Rest, head.syntax.value()) }
}

/// Behind a value that is whole, the next one at once. A scalar without quotes needs a blank or a bracket behind it.
fn rest_without_comma(head: &Head<'_>) -> Option<Body> {
    let is_whole = !matches!(head.in_flight(), Some(sort) if sort != Sort::Number);
    let text = head.rest().trim_start().strip_prefix(',').filter(|_| is_whole)?;
    let is_behind_scalar = matches!(head.last_token().sort, Sort::Number | Sort::Keyword);
    if is_behind_scalar && text.starts_with(|next: char| next != '"' && next.is_ascii_alphanumeric() || next == '-') {
        return None;
    }
    let wanted = Wanted::Joined(head.syntax.value(), Some(true));
    // What says a token or more again goes on with the very next character behind that.
    let doubt = head.any_repeat(text).map(|_| Doubt::OtherRepeat);
    let body = new_body("rest without its comma", text.to_owned(), wanted, doubt);
    Some(Body { kinds: &["rest"], ..body })
}

/// The text from a place on.
fn repeated(head: &Head<'_>, style: &'static str, from: usize, is_tail: bool) -> Body {
    let text = head.syntax.text[from..].to_owned();
    let truth = Truth::Repeat { from, is_tail };
    let starts = head.syntax.tokens.iter().map(|token| token.span.start);
    let token_starts = starts.filter(|start| (from..head.at).contains(start)).map(|start| start - from).collect();
    Body { token_starts, ..Body::joined(style, text, head.at - from, truth, head.syntax.value()) }
}

/// The last so many characters again, not from within an escape on.
pub fn tail(head: &Head<'_>, style: &'static str, count: usize) -> Body {
    let text = head.text();
    let mut from = text.char_indices().rev().nth(count - 1).map_or(0, |(at, _)| at);
    let (whole, is_cut) = head.syntax.token_at(from);
    if is_cut {
        let token = &head.syntax.tokens[whole];
        from = escape_end(&text[token.span.start..], from - token.span.start) + token.span.start;
    }
    repeated(head, style, from.min(head.at), true)
}

/// The end of the escape that a place of a token is in; the place itself if it is in none.
fn escape_end(token: &str, at: usize) -> usize {
    let bytes = token.as_bytes();
    let mut from = 0;
    while from < at {
        let is_unicode = bytes[from] == b'\\' && bytes.get(from + 1) == Some(&b'u');
        let mut length = if is_unicode { 6 } else { 1 + usize::from(bytes[from] == b'\\') };
        let is_high = |digits: &str| ["d8", "d9", "da", "db"].contains(&digits.to_ascii_lowercase().as_str());
        if is_unicode && token.get(from + 2..from + 4).is_some_and(is_high) {
            // Both halves of a pair are one.
            length = 12;
        }
        from += length;
    }
    from.min(token.len())
}

/// The overlap again, as `Frozen::overlap` gives it: from the innermost open bracket, at most 1000 characters.
pub fn overlap(head: &Head<'_>) -> Body {
    let bracket = *head.open_brackets().last().expect("the root is open");
    let start = head.syntax.tokens[bracket].span.start;
    let long = head.text()[start..].chars().count() > 1000;
    if long {
        return Body { style: "overlap", ..tail(head, "overlap", 1000) };
    }
    repeated(head, "overlap", start, false)
}

/// A layout that looks different.
fn other_layout(head: &Head<'_>, random: &mut Random) -> Layout {
    let layouts = [Layout::Minified, Layout::Line, TWO, FOUR, Layout::Mixed(2), Layout::Indented("\r\n", "\t")];
    loop {
        let layout = *random.pick(&layouts);
        if laid_out(head.syntax, layout).text != head.syntax.text.trim() {
            return layout;
        }
    }
}

/// Something laid out anew from a token on, and where the cut is in it.
fn relaid(head: &Head<'_>, style: &'static str, rendered: &Rendered, keys: Keys, from: usize) -> Body {
    let start = rendered.spans[from].start;
    let at = rendered.place(head.syntax, head.at, keys);
    let truth = Truth::Repeat { from: head.syntax.tokens[from].span.start, is_tail: false };
    let starts = rendered.spans[from..].iter().map(|span| span.start);
    let token_starts = starts.take_while(|start| *start < at).map(|token| token - start).collect();
    let text = rendered.text[start..].to_owned();
    Body { token_starts, ..Body::joined(style, text, at - start, truth, head.syntax.value()) }
}

fn respaced(head: &Head<'_>, random: &mut Random) -> Body {
    let bracket = *head.open_brackets().last().expect("the root is open");
    let rendered = laid_out(head.syntax, other_layout(head, random));
    let mut body = relaid(head, "element, re-spaced", &rendered, Keys::Same, bracket);
    // Behind the repeat, it is written as before.
    body.text.truncate(body.repeat.expect("it repeats"));
    body.text += head.rest();
    body
}

/// The innermost open container again, from its bracket on.
fn element(head: &Head<'_>, random: &mut Random) -> Vec<Body> {
    let bracket = *head.open_brackets().last().expect("the root is open");
    let layout = other_layout(head, random);
    let again = laid_out(head.syntax, layout);
    let mut bodies = vec![
        respaced(head, random),
        Body { style: "element, re-indented", ..relaid(head, "", &again, Keys::Same, bracket) },
    ];
    let layout = if random.percent(50) { Layout::Line } else { layout };
    let mut quoted_as = |style, keys| {
        let rendered = requoted(head.syntax, layout, keys);
        let is_different = rendered.text != laid_out(head.syntax, layout).text;
        if is_different {
            bodies.push(Body { is_plain: false, ..relaid(head, style, &rendered, keys, bracket) });
        }
    };
    quoted_as("element, keys in single quotes", Keys::Single);
    if has_plain_keys(head.syntax) {
        quoted_as("element, bare keys", Keys::Bare);
    }
    bodies
}

fn whole_as(head: &Head<'_>, style: &'static str, layout: Option<Layout>) -> Body {
    let body = match layout {
        Some(layout) => relaid(head, style, &laid_out(head.syntax, layout), Keys::Same, 0),
        None => repeated(head, style, head.syntax.start(&head.syntax.root), false),
    };
    Body { kinds: &["restart", "repeat"], ..body }
}

/// The whole document again.
fn whole(head: &Head<'_>, random: &mut Random) -> Vec<Body> {
    let mut bodies =
        vec![whole_as(head, "whole", None), whole_as(head, "whole, re-indented", Some(other_layout(head, random)))];
    // The strings escaped in another way, but for the one at the cut.
    let (cut, _) = head.syntax.token_at(head.at);
    let is_ascii = head.syntax.text.is_ascii();
    let mut is_different = false;
    let rendered = render(head.syntax, TWO, |index, token, written| {
        if index == cut || !matches!(token.sort, Sort::Text | Sort::Key) {
            return written.to_owned();
        }
        let mut spelled = quoted(&decode(written), !is_ascii);
        if is_ascii {
            spelled = spelled.replace('/', "\\/");
        }
        is_different |= spelled != written;
        spelled
    });
    if is_different {
        bodies.push(Body {
            kinds: &["restart", "repeat"],
            ..relaid(head, "whole, re-escaped", &rendered, Keys::Same, 0)
        });
    }
    bodies
}

/// A key that is new to an object, with a member's text.
fn extra_members(syntax: &Syntax) -> String {
    let Node { is_object, children, .. } = &syntax.root;
    let key = |name: &str| {
        let is_taken = children.iter().any(|child| syntax.key(child).as_deref() == Some(name));
        quoted(&if is_taken { format!("{name} again") } else { name.to_owned() }, false)
    };
    if *is_object {
        return format!("{}: [1, \"two\", {{}}], {}: \"added later\"", key("appendix"), key("remark"));
    }
    match children.last().map(|child| child.sort) {
        Some(Sort::Number) => "7, 77, 777".to_owned(),
        Some(Sort::Text) => "\"one more\", \"and another\"".to_owned(),
        _ => "{\"added\": true, \"note\": \"later\"}, {\"added\": false, \"note\": \"last\"}".to_owned(),
    }
}

/// The whole document again, with more members at its end.
fn longer(head: &Head<'_>, random: &mut Random) -> Body {
    let syntax = head.syntax;
    let last = syntax.end(syntax.root.children.last().expect("a document has members"));
    let (before, after) = syntax.text.split_at(last);
    let longer = Syntax::of(format!("{before}, {}{after}", extra_members(syntax)));
    let longer_head = Head::new(&longer, head.at);
    let layout = random.percent(50).then(|| other_layout(&longer_head, random));
    let body = whole_as(&longer_head, "whole, longer", layout);
    Body { wanted: Wanted::Joined(longer.value(), Some(true)), ..body }
}

/// The whole document again, with another value at a place that was final.
fn diverging(head: &Head<'_>, random: &mut Random) -> Option<Body> {
    let syntax = head.syntax;
    let scalars: Vec<usize> = (0..syntax.tokens.len())
        .filter(|index| matches!(syntax.tokens[*index].sort, Sort::Text | Sort::Number | Sort::Keyword))
        // A token behind it has come.
        .filter(|index| syntax.tokens.get(index + 1).is_some_and(|token| token.span.end <= head.at))
        .collect();
    if scalars.is_empty() {
        return None;
    }
    let changed = *random.pick(&scalars);
    let layout = if random.percent(50) { TWO } else { Layout::Line };
    let rendered = render(syntax, layout, |index, token, written| match token.sort {
        _ if index != changed => written.to_owned(),
        Sort::Text => "\"Quite another text.\"".to_owned(),
        Sort::Number => format!("9{}", written.trim_start_matches('-')),
        _ => (if written == "true" { "false" } else { "true" }).to_owned(),
    });
    let new = Syntax::of(rendered.text.clone());
    if new.value() == syntax.value() {
        return None;
    }
    let open = syntax.open_at(head.at);
    let is_in_first = open.iter().any(|node| {
        let first = node.children.first().filter(|_| node.is_array());
        first.is_some_and(|first| first.tokens.contains(&changed))
    });
    let doubt = if is_in_first {
        Some(Doubt::FirstElement)
    } else if head.plain_parses(&rendered.text) {
        Some(Doubt::PlainRest)
    } else {
        let is_other = reads_as_short_repeat(head, &rendered.text) || head.longest_repeat(&rendered.text).is_some();
        is_other.then_some(Doubt::OtherRepeat)
    };
    Some(Body {
        repeat: None,
        wanted: Wanted::Diverged(new.value()),
        doubt,
        kinds: &["diverged"],
        ..Body::joined("whole, diverging", rendered.text, 0, Truth::Other, Tree::Null)
    })
}

/// The exact rest or all again, and closers of which nothing is open.
fn surplus(head: &Head<'_>, random: &mut Random) -> Vec<Body> {
    let mut add = |style, mut body: Body| {
        let trimmed = body.text.trim_end().len();
        body.text.truncate(trimmed);
        body.text += *random.pick(&["}", "]", "]}", "}]}", "\n}", "\n  ]\n}"]);
        Body { style, ..body }
    };
    vec![add("rest, surplus closers", rest(head)), add("whole, surplus closers", whole_as(head, "", None))]
}

/// What of an array or object had come, and what is new.
struct Parted<'a> {
    node: &'a Node,
    /// The child at the cut, open or in flight.
    cut: Option<&'a Node>,
    /// How many children have begun.
    begun: usize,
}

impl<'a> Parted<'a> {
    fn new(head: &Head<'_>, node: &'a Node) -> Self {
        let syntax = head.syntax;
        let start = |child: &Node| syntax.tokens[child.key.unwrap_or(child.tokens.start)].span.start;
        let begun = node.children.iter().take_while(|child| start(child) < head.at).count();
        let cut = begun.checked_sub(1).map(|last| &node.children[last]).filter(|last| {
            let end = syntax.end(last);
            end > head.at || (end == head.at && last.sort == Sort::Number)
        });
        Self { node, cut, begun }
    }

    fn new_ones(&self) -> &'a [Node] {
        &self.node.children[self.begun..]
    }
}

/// A member or element as it is written.
fn written(syntax: &Syntax, node: &Node) -> String {
    let key = node.key.map(|key| format!("{}: ", syntax.written(key))).unwrap_or_default();
    format!("{key}{}", syntax.source(node))
}

fn enclosed(syntax: &Syntax, is_object: bool, nodes: &[&Node], random: &mut Random) -> String {
    let parts: Vec<String> = nodes.iter().map(|node| written(syntax, node)).collect();
    let (open, close) = if is_object { ('{', '}') } else { ('[', ']') };
    match random.within(0..3) {
        0 => format!("{open}{}{close}", parts.join(",")),
        1 => format!("{open}{}{close}", parts.join(", ")),
        _ => format!("{open}\n  {}\n{close}", parts.join(",\n  ")),
    }
}

/// The children that have not begun, each behind a comma.
fn following(head: &Head<'_>, node: &Node) -> String {
    let new = Parted::new(head, node).new_ones();
    new.iter().flat_map(|node| [", ".to_owned(), written(head.syntax, node)]).collect()
}

/// The value at a path of indices.
fn at_path<'t>(tree: &'t Tree, path: &[usize]) -> Option<&'t Tree> {
    let Some((index, path)) = path.split_first() else { return Some(tree) };
    match tree {
        Tree::Array(items) => at_path(items.get(*index)?, path),
        Tree::Object(members) => at_path(&members.get(*index)?.1, path),
        _ => None,
    }
}

/// The value at a path replaced, or left out where there is no other.
fn replaced(tree: &mut Tree, path: &[usize], other: Option<&Tree>) {
    let (index, path) = path.split_first().expect("not the root");
    match (tree, path.is_empty(), other) {
        (Tree::Array(items), true, Some(other)) => items[*index] = other.clone(),
        (Tree::Array(items), true, None) => drop(items.remove(*index)),
        (Tree::Array(items), false, _) => replaced(&mut items[*index], path, other),
        (Tree::Object(members), true, Some(other)) => members[*index].1 = other.clone(),
        (Tree::Object(members), true, None) => drop(members.remove(*index)),
        (Tree::Object(members), false, _) => replaced(&mut members[*index].1, path, other),
        _ => panic!("a container"),
    }
}

/// Cuts all behind the path, but not in the value at its end.
fn without_what_follows(tree: &mut Tree, path: &[usize]) {
    let Some((index, path)) = path.split_first() else { return };
    match tree {
        Tree::Array(items) => {
            items.truncate(index + 1);
            without_what_follows(&mut items[*index], path);
        }
        Tree::Object(members) => {
            members.truncate(index + 1);
            without_what_follows(&mut members[*index].1, path);
        }
        _ => panic!("a container"),
    }
}

/// The indices from the root to the innermost of some nested containers.
fn path(open: &[&Node]) -> Vec<usize> {
    let index = |pair: &[&Node]| {
        let (parent, child) = (pair[0], pair[1]);
        parent.children.iter().position(|other| other.tokens == child.tokens).expect("a child")
    };
    open.windows(2).map(index).collect()
}

/// What may be unclear when a child at the cut is left out, and so closed.
fn closed_doubt(head: &Head<'_>) -> Option<Doubt> {
    let token = head.last_token();
    match (head.in_flight(), token.sort) {
        (Some(Sort::Number | Sort::Keyword), _) => Some(Doubt::Scalar),
        (Some(Sort::Key), _) | (None, Sort::Key | Sort::Colon) => Some(Doubt::KeyAlone),
        _ => None,
    }
}

/// The doubts about new elements: the first of them, which may be the cut one again.
fn element_doubt(head: &Head<'_>, parted: &Parted<'_>, path: &[usize], first: &Node, with_cut: bool) -> Option<Doubt> {
    let syntax = head.syntax;
    let first = syntax.tree(first);
    let cut_index = parted.begun.saturating_sub(1);
    // An element that is the first one.
    let is_like_first = parted.node.children.first().is_some_and(|other| syntax.tree(other) == first);
    if is_like_first && !(with_cut && cut_index == 0) && parted.begun > 0 {
        return Some(Doubt::LikeTheFirst);
    }
    let is_like_last = parted.begun > 0 && syntax.tree(&parted.node.children[cut_index]) == first;
    let Some(cut) = parted.cut else { return is_like_last.then_some(Doubt::LikeTheCut) };
    if !cut.is_container() {
        return Some(Doubt::Scalar);
    }
    if with_cut {
        return None;
    }
    let cut_path: Vec<usize> = path.iter().copied().chain([cut_index]).collect();
    let shown = head.shown.as_ref().and_then(|shown| at_path(shown, &cut_path));
    if shown.is_none_or(|shown| may_become(shown, &first)) {
        return Some(Doubt::LikeTheCut);
    }
    closed_doubt(head)
}

/// What the document becomes: with the cut child whole, or as it was shown and closed.
fn with_cut_child(head: &Head<'_>, parted: &Parted<'_>, path: &[usize], is_whole: bool) -> Tree {
    let mut wanted = head.syntax.value();
    if parted.cut.is_some() && !is_whole {
        let path: Vec<usize> = path.iter().copied().chain([parted.begun - 1]).collect();
        let shown = head.shown.as_ref().and_then(|shown| at_path(shown, &path));
        replaced(&mut wanted, &path, shown);
    }
    wanted
}

/// The variants: the cut child whole first, or left out; with none there is but one.
fn variants<'a>(parted: &Parted<'a>, styles: [&'static str; 3]) -> Vec<(&'static str, Vec<&'a Node>, bool)> {
    let new: Vec<&Node> = parted.new_ones().iter().collect();
    match parted.cut {
        Some(cut) => {
            let first: Vec<&Node> = [cut].into_iter().chain(new.iter().copied()).collect();
            vec![(styles[0], first, true), (styles[1], new, false)]
        }
        None => vec![(styles[2], new, false)],
    }
}

fn new_body(style: &'static str, text: String, wanted: Wanted, doubt: Option<Doubt>) -> Body {
    Body {
        repeat: None,
        wanted,
        doubt,
        kinds: &["new_members", "repeat", "restart"],
        ..Body::joined(style, text, 0, Truth::Other, Tree::Null)
    }
}

fn innermost_array<'a>(open: &[&'a Node]) -> Option<(usize, &'a Node)> {
    open.iter().enumerate().rev().find(|(_, node)| node.is_array()).map(|(depth, node)| (depth, *node))
}

/// An array around the new elements of the innermost open array.
fn new_array(head: &Head<'_>, random: &mut Random) -> Vec<Body> {
    let open = head.syntax.open_at(head.at);
    let Some((depth, array)) = innermost_array(&open) else { return Vec::new() };
    let parted = Parted::new(head, array);
    let path = path(&open[..=depth]);
    let styles = ["new array, cut element first", "new array, cut element left out", "new array"];
    let mut bodies = Vec::new();
    for (style, nodes, with_cut) in variants(&parted, styles) {
        let Some(first) = nodes.first() else { continue };
        let text = enclosed(head.syntax, false, &nodes, random);
        let mut wanted = with_cut_child(head, &parted, &path, with_cut);
        without_what_follows(&mut wanted, &path);
        let is_first_again = with_cut && parted.begun == 1;
        let doubt = element_doubt(head, &parted, &path, first, with_cut)
            .or_else(|| head.plain_parses(&text).then_some(Doubt::NestedArray))
            .or_else(|| head.longest_repeat(&text).filter(|_| !is_first_again).map(|_| Doubt::OtherRepeat))
            .or_else(|| (!with_cut && reads_as_short_repeat(head, &text)).then_some(Doubt::OtherRepeat));
        let is_complete = path.is_empty().then_some(true);
        bodies.push(new_body(style, text, Wanted::Joined(wanted, is_complete), doubt));
    }
    bodies
}

/// An object around the new members of the root, or with the objects around it when there is no array on the way.
fn new_object(head: &Head<'_>, random: &mut Random) -> Vec<Body> {
    let open = head.syntax.open_at(head.at);
    let objects = open.iter().take_while(|node| node.is_object).count();
    let mut bodies = Vec::new();
    if objects == 0 {
        return bodies;
    }
    let around = |depth: usize, styles: [&'static str; 3], random: &mut Random, bodies: &mut Vec<Body>| {
        let object = open[depth];
        let parted = Parted::new(head, object);
        let path = path(&open[..=depth]);
        for (style, nodes, with_cut) in variants(&parted, styles) {
            let cut_has_value = parted.cut.is_none_or(|cut| head.syntax.start(cut) < head.at);
            // Again from the first member on is all of it again; and what has no value cannot be left out.
            if nodes.is_empty() || (with_cut && parted.begun == 1) || (!with_cut && !cut_has_value) {
                continue;
            }
            let text = enclosed(head.syntax, true, &nodes, random);
            let text = (0..depth).rev().fold(text, |inner, level| {
                let child = open[level + 1];
                let key = head.syntax.written(child.key.expect("a member"));
                format!("{{{key}: {inner}{}}}", following(head, open[level]))
            });
            let cut_doubt = match parted.cut {
                Some(cut) if with_cut && !cut.is_container() && cut_has_value && cut.sort != Sort::Text => {
                    Some(Doubt::Scalar)
                }
                Some(cut) if !with_cut && cut.is_container() => Some(Doubt::WhichContainer),
                Some(_) if !with_cut => closed_doubt(head),
                _ => None,
            };
            let doubt = cut_doubt
                .or_else(|| (head.tokens_alike(&text) < ENOUGH && head.plain_parses(&text)).then_some(Doubt::PlainRest))
                .or_else(|| head.longest_repeat(&text).map(|_| Doubt::OtherRepeat))
                .or_else(|| {
                    let is_short = head.tokens_alike(&text) < ENOUGH && reads_as_short_repeat(head, &text);
                    is_short.then_some(Doubt::OtherRepeat)
                });
            let wanted = with_cut_child(head, &parted, &path, with_cut);
            bodies.push(new_body(style, text, Wanted::Joined(wanted, Some(true)), doubt));
        }
    };
    let styles = ["new object, cut member first", "new object, cut member left out", "new object"];
    around(0, styles, random, &mut bodies);
    if objects > 1 && objects == open.len() {
        let styles =
            ["path to an object, cut member first", "path to an object, cut member left out", "path to an object"];
        around(objects - 1, styles, random, &mut bodies);
    }
    bodies
}

/// Whether it might be a repeat of a few tokens, and then the rest.
fn reads_as_short_repeat(head: &Head<'_>, text: &str) -> bool {
    let repeat = head.any_repeat(text).and_then(|(place, _)| head.after_repeat(text, place));
    repeat.is_some_and(|rest| head.plain_parses(rest))
}

/// The path from the root to the innermost open array with its new elements alone, then all that follows.
fn new_path(head: &Head<'_>, random: &mut Random) -> Vec<Body> {
    let syntax = head.syntax;
    let open = syntax.open_at(head.at);
    let Some((depth, array)) = innermost_array(&open).filter(|(depth, _)| *depth > 0) else { return Vec::new() };
    let parted = Parted::new(head, array);
    let path = path(&open[..=depth]);
    let mut bodies = Vec::new();
    let styles = ["path to an array, cut element first", "path to an array, cut element left out", "path to an array"];
    for (style, nodes, with_cut) in variants(&parted, styles) {
        let Some(first) = nodes.first() else { continue };
        let mut is_like_first = false;
        let mut text = enclosed(syntax, false, &nodes, random);
        let mut is_known = true;
        for level in (0..depth).rev() {
            let (node, child) = (open[level], open[level + 1]);
            let after = following(head, node);
            if node.is_array() {
                text = format!("[{text}{after}]");
                continue;
            }
            let key = syntax.written(child.key.expect("a member"));
            let is_element = level > 0 && open[level - 1].is_array();
            let name = if is_element {
                // Which of the elements it is, its first scalar tells.
                let name =
                    node.children.iter().find(|other| !other.is_container() && other.tokens.end < child.tokens.start);
                let Some(name) = name else {
                    is_known = false;
                    break;
                };
                let of_first =
                    open[level - 1].children[0].children.iter().find(|other| syntax.key(other) == syntax.key(name));
                let is_first = open[level - 1].children[0].tokens == node.tokens;
                is_like_first |= !is_first && of_first.is_none_or(|other| syntax.tree(other) == syntax.tree(name));
                format!("{}, ", written(syntax, name))
            } else {
                String::new()
            };
            text = format!("{{{name}{key}: {text}{after}}}");
        }
        if !is_known {
            continue;
        }
        let wanted = with_cut_child(head, &parted, &path, with_cut);
        let is_first_again = with_cut && parted.begun == 1;
        let doubt = element_doubt(head, &parted, &path, first, with_cut)
            .or(is_like_first.then_some(Doubt::LikeTheFirst))
            .or_else(|| (head.tokens_alike(&text) < ENOUGH && head.plain_parses(&text)).then_some(Doubt::PlainRest))
            .or_else(|| head.longest_repeat(&text).filter(|_| !is_first_again).map(|_| Doubt::OtherRepeat))
            .or_else(|| {
                let is_short = head.tokens_alike(&text) < ENOUGH && reads_as_short_repeat(head, &text);
                is_short.then_some(Doubt::OtherRepeat)
            })
            // An array around elements, but of which of the arrays?
            .or_else(|| syntax.root.is_array().then_some(Doubt::WhichContainer));
        bodies.push(new_body(style, text, Wanted::Joined(wanted, Some(true)), doubt));
    }
    bodies
}

/// What is around a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrap {
    Bare,
    Fenced,
    Prose,
    Both,
}

pub const WRAPS: [Wrap; 4] = [Wrap::Bare, Wrap::Fenced, Wrap::Prose, Wrap::Both];

const INTRODUCTIONS: [&str; 2] = ["Here is the continuation:\n", "Continuing from where I left off…\n\n"];

/// Others that models write.
pub const OTHER_INTRODUCTIONS: [&str; 6] = [
    "Sure, here is the rest of the JSON:\n\n",
    "Here's the rest:\n",
    "Certainly! Continuing the JSON:\n\n",
    "Continued:\n",
    "Here is the remaining part of the response:\n\n",
    "Picking up where the previous response ended:\n",
];

pub const REFUSALS: [&str; 2] = ["I'm sorry, but I can't continue this.", "I'm sorry, I cannot help with that."];
pub const OTHER_REFUSALS: [&str; 4] = [
    "I apologize, but I am unable to continue the response.",
    "Sorry, I can't assist with that request.",
    "I cannot continue from an incomplete response. Could you share the original request again?",
    "I'm unable to continue. Please provide more context.",
];

impl Wrap {
    /// What comes before the body and what behind it.
    pub fn around(self, random: &mut Random) -> (String, &'static str) {
        let introduction = *random.pick(&INTRODUCTIONS);
        let fence = *random.pick(&["```json\n", "```json\n", "```\n"]);
        match self {
            Self::Bare => (String::new(), ""),
            Self::Fenced => (fence.to_owned(), "\n```"),
            Self::Prose => (introduction.to_owned(), ""),
            Self::Both => (format!("{introduction}{fence}"), "\n```"),
        }
    }
}

/// The text of a body up to a place, for the second response and those after it.
pub fn up_to(text: &str, range: Range<usize>) -> usize {
    (range.start..=range.end).find(|at| text.is_char_boundary(*at)).expect("the end is one")
}

/// A value as it may be written in a response.
pub fn spelled(tree: &Tree) -> String {
    minified(tree, false)
}
