//! What there was before the seam.

use std::sync::OnceLock;

use crate::document::{NodeId, NodeKind, Span};
use crate::frozen::{CutState, Dropped, Shape};
use crate::view::Snapshot;

use super::super::lenient::LayerKind;
use super::path::key;
use super::units::{Lexer, Next, behind_comma, blanks, end_of_container, kind_at};

/// How far back a repeat may begin anywhere; farther back it begins with an open container.
pub(super) const WINDOW: usize = 4096;

/// The text of the root that is open, up to the cut, and what is open in it.
pub(super) struct Before {
    pub(super) text: Vec<u8>,
    pub(super) state: CutState,
    /// Outermost first.
    pub(super) open: Vec<Open>,
    /// Where the member begins that is cut, if one is.
    pub(super) member: Option<usize>,
    /// Where the token in flight begins.
    pub(super) token: usize,
    /// Where the escape or the character begins that is cut.
    pub(super) half: usize,
    /// What closes the string in flight.
    pub(super) closing: String,
    /// Whether the parser reads on as this says, and what it says is known.
    pub(super) is_sure: bool,
    /// All of the root is JSON as it is in the standard, but for what is around it.
    pub(super) is_plain: bool,
    /// The root is escaped, or its quotes are doubled; the cut may be in a pair.
    pub(super) layer: Option<(LayerKind, bool)>,
    /// Whether nothing but blanks is between the last comma, or the opener, and the cut.
    pub(super) is_behind_comma: bool,
    cut_key: OnceLock<Option<String>>,
    snapshot: Snapshot,
    places: Places,
}

/// A container on the open path.
pub(super) struct Open {
    pub(super) kind: NodeKind,
    pub(super) start: usize,
    /// Where the member begins that it is in the container around it, with its key.
    pub(super) member: usize,
    /// Its name in the object that it is in.
    pub(super) key: Option<String>,
    /// Of what kind its finished children are, if all that were looked at are of one.
    pub(super) children: Option<NodeKind>,
    /// None for one that is not shown yet.
    node: Option<NodeId>,
}

/// How many children are looked at to know of what kind they are.
const CHILDREN: usize = 8;

impl Before {
    /// Of a root that is open at the cut.
    /// `is_plain`: the root is JSON as it is in the standard. `layer`: it is read through that.
    pub(super) fn new(
        snapshot: &Snapshot,
        shape: &Shape,
        is_plain: bool,
        layer: Option<(LayerKind, bool)>,
    ) -> Option<Self> {
        let root = shape.root?;
        // What was supplied is JSON, not JSON that is escaped or quoted.
        let supplied = |dropped: &'_ Dropped| if layer.is_none() { dropped.supplied.len() } else { 0 };
        let places = Places::new(root.start, &shape.dropped, supplied);
        let mut text = Vec::new();
        let mut at = root.start;
        let source = |start: u32, end: u32, text: &mut Vec<u8>| {
            let span = Span::new(start, end.max(start));
            snapshot.log.stream.for_pieces(span, |piece| text.extend_from_slice(piece));
        };
        for dropped in &shape.dropped {
            source(at, dropped.span.start, &mut text);
            text.extend_from_slice(dropped.supplied.as_bytes().get(..supplied(dropped)).unwrap_or_default());
            at = dropped.span.end.max(at);
        }
        source(at, shape.offset, &mut text);
        let reader = snapshot.reader();
        let mut open: Vec<Open> = Vec::new();
        for (level, container) in (0..).zip(reader.mark.open()) {
            let id = container.node();
            let children = std::iter::successors(reader.first_child(level, id), |child| reader.next_written(*child));
            let finished = children.filter(|child| !reader.mark.is_open(level + 1, *child)).take(CHILDREN);
            let mut kinds = finished.map(|child| reader.kind(child));
            let first = kinds.next();
            open.push(Open {
                kind: reader.kind(id),
                start: places.of(reader.span(level, id).start),
                member: 0,
                key: reader.key(id).map(str::to_owned),
                children: first.filter(|first| kinds.all(|kind| kind == *first)),
                node: Some(id),
            });
        }
        if let Some(start) = shape.container.map(|container| places.of(container))
            && open.last().is_none_or(|last| last.start < start)
        {
            open.push(Open { kind: NodeKind::Object, start, member: 0, key: None, children: None, node: None });
        }
        let mut around = 0;
        for open in &mut open {
            open.member = member_start(&text, around, open.start);
            around = open.start;
        }
        let mut member = places.end_of(shape.settled);
        let rest = text.get(member..).unwrap_or_default();
        let mut is_behind_comma = member == open.last().map_or(0, |last| last.start + 1);
        member += blanks(rest, 0);
        if let Some(behind) = behind_comma(&text, member) {
            is_behind_comma = true;
            member = behind + blanks(&text, behind);
        }
        if shape.state == CutState::BetweenMembers {
            // Remarks are no part of it.
            text.truncate(member);
        }
        let is_cut = member < text.len();
        let token = shape.token.map_or(text.len(), |token| places.of(token.start));
        let half = half_unit(&text, token);
        let closing = match shape.state {
            CutState::InKey => quote_at(&text, member),
            CutState::InString | CutState::InEscape => shape.closers.trim_end_matches(['}', ']']).to_owned(),
            _ => String::new(),
        };
        Some(Self {
            state: shape.state,
            open,
            member: is_cut.then_some(member),
            token,
            half,
            closing,
            is_sure: true,
            is_plain,
            layer,
            is_behind_comma: is_behind_comma || is_cut,
            cut_key: OnceLock::new(),
            text,
            snapshot: snapshot.clone(),
            places,
        })
    }

    /// Where the last value begins before a place, of those in the innermost container that is open there.
    fn value_before(&self, place: usize) -> Option<usize> {
        let reader = self.snapshot.reader();
        let (level, open) = self.open.iter().enumerate().rev().find(|(_, open)| open.start <= place)?;
        let (level, container) = (u32::try_from(level).ok()?, open.node?);
        let backwards = std::iter::successors(reader.last_child(level, container), |child| {
            reader.previous_written(container, *child)
        });
        let mut starts = backwards.map(|child| self.places.of(reader.span(level + 1, child).start));
        starts.find(|start| *start <= place)
    }

    /// Where the value stands of a finished member of the open object with this number.
    pub(super) fn member_named(&self, level: usize, key: &str) -> Option<(usize, usize)> {
        let (reader, depth) = (self.snapshot.reader(), u32::try_from(level).ok()?);
        self.finished(depth + 1, reader.member(depth, self.open.get(level)?.node?, key)?)
    }

    /// Where the first element stands of the open array with this number, if it is finished.
    pub(super) fn first_element(&self, level: usize) -> Option<(usize, usize)> {
        let depth = u32::try_from(level).ok()?;
        self.finished(depth + 1, self.snapshot.reader().first_child(depth, self.open.get(level)?.node?)?)
    }

    /// Of what kind the elements are of the open array with this number, if that is known.
    pub(super) fn element_kind(&self, level: usize) -> Option<NodeKind> {
        let inner = self.open.get(level + 1).map(|inner| inner.kind);
        inner.or_else(|| self.open.get(level)?.children)
    }

    /// The name of the first member of the open object with this number.
    pub(super) fn first_key(&self, level: usize) -> Option<&str> {
        let (reader, depth) = (self.snapshot.reader(), u32::try_from(level).ok()?);
        reader.key(reader.first_child(depth, self.open.get(level)?.node?)?)
    }

    fn finished(&self, depth: u32, node: NodeId) -> Option<(usize, usize)> {
        let reader = self.snapshot.reader();
        let span = reader.span(depth, node);
        let is_open = reader.mark.is_open(depth, node) || reader.mark.leaf_is(node).is_some();
        let start = self.places.of(span.start);
        // Of several closers that were supplied it may have any.
        let end = || if self.places.is_supplied(span.end) { end_of_value(&self.text, start) } else { None };
        (!is_open).then(|| (start, end().unwrap_or_else(|| self.places.of(span.end))))
    }

    /// The key of the member that is cut, if that is whole.
    pub(super) fn cut_key(&self) -> Option<&str> {
        // Asked for each member that the round says, and as long as the model made it.
        let read = || {
            let in_object = self.open.last().is_some_and(|open| open.kind == NodeKind::Object);
            let is_whole = !matches!(self.state, CutState::InKey | CutState::AfterKey);
            let member = self.member.filter(|_| in_object && is_whole)?;
            key(&self.text, member).map(|(key, _)| key)
        };
        self.cut_key.get_or_init(read).as_deref()
    }

    /// Whether the cut is in a string or a key.
    pub(super) fn is_in_text(&self) -> bool {
        matches!(self.state, CutState::InString | CutState::InEscape | CutState::InKey)
    }

    /// The quote that ends the string in flight, where what it means is read.
    pub(super) fn quote(&self) -> u8 {
        if self.closing == "'" && self.layer.is_none() { b'\'' } else { b'"' }
    }

    /// The places where a repeat may begin, each with the lexer that reads from there.
    pub(super) fn anchors(&self) -> Vec<(usize, Lexer)> {
        let window = self.text.len().saturating_sub(WINDOW);
        let containers =
            self.open.iter().flat_map(|open| [open.member, open.start]).chain(self.member).chain([self.token]);
        let mut anchors: Vec<(usize, Lexer)> =
            containers.clone().filter(|start| *start < window).map(|start| (start, Lexer::default())).collect();
        // From the last container, value or token that is known to begin before the window.
        let safe = containers.chain([0]).chain(self.value_before(window));
        let safe = safe.filter(|start| *start <= window).max().unwrap_or(0);
        let (mut at, mut lexer) = (safe, Lexer::default());
        if self.token < window && matches!(self.state, CutState::InString | CutState::InEscape) {
            at = (window..self.text.len())
                .find(|at| self.text.get(*at).is_some_and(|byte| byte & 0xC0 != 0x80))
                .unwrap_or(window);
            lexer = self.in_string();
        }
        loop {
            let before = lexer;
            if !lexer.is_in_string() {
                at += blanks(&self.text, at);
            }
            let place = at;
            let Next::Unit(_, next) = lexer.next(&self.text, at) else { break };
            if place >= window {
                anchors.push((place, before));
            }
            at = next;
        }
        if self.half < self.text.len() {
            anchors.push((self.half, self.in_string()));
        }
        anchors
    }

    /// Whether the innermost container has members before the cut, and a comma behind them.
    pub(super) fn has_members(&self) -> bool {
        let text = self.text.trim_ascii_end();
        // A comma of full width has three bytes.
        [1, 3]
            .iter()
            .any(|length| text.len().checked_sub(*length).and_then(|at| behind_comma(text, at)) == Some(text.len()))
    }

    /// Whether a round begins with a member, and no comma is before that.
    pub(super) fn lacks_comma(&self, round: &[u8]) -> bool {
        let before = round.first();
        let next = Lexer::default().next(round, 0);
        let is_whole = match self.state {
            CutState::BetweenMembers => !self.is_behind_comma,
            // What follows at once may be more of it.
            CutState::InNumber => before.is_some_and(|before| before.is_ascii_whitespace() || b"\"{[".contains(before)),
            _ => false,
        };
        // Behind a scalar that is the root none can be.
        is_whole
            && !self.open.is_empty()
            && matches!(next, Next::Unit(unit, _) if ![',', ']', '}'].iter().any(|sign| unit.is(*sign)))
    }

    /// Whether a whole unit follows: there is a sign, and it is not one of the last before the cut.
    pub(super) fn is_far(&self, at: usize) -> bool {
        self.text.len() - at > 16 && self.text.get(at).is_some_and(u8::is_ascii_graphic)
    }

    /// Inside the string that is cut.
    fn in_string(&self) -> Lexer {
        Lexer::in_string(if self.closing == "'" { b'\'' } else { b'"' })
    }

    /// The escape or the character that is cut.
    pub(super) fn half_unit(&self) -> &[u8] {
        self.text.get(self.half..).unwrap_or_default()
    }
}

/// How offsets of the source are places in the text of the root.
struct Places {
    start: u32,
    stretches: Vec<Stretch>,
}

/// A stretch of the source that is no part of the text.
struct Stretch {
    span: Span,
    /// Where it would be in the text, and how much was read in its place.
    place: usize,
    supplied: usize,
    /// The comma aside, which is behind what that closed.
    closing: usize,
}

impl Stretch {
    /// Where what follows it is in the text.
    fn behind(&self) -> usize {
        self.place + self.supplied
    }
}

impl Places {
    /// Without these, which are in order, of a root that begins at `start`.
    fn new(start: u32, dropped: &[Dropped], supplied: impl Fn(&Dropped) -> usize) -> Self {
        let mut places = Self { start, stretches: Vec::new() };
        for dropped in dropped.iter().filter(|dropped| dropped.span.start >= start) {
            let supplied = supplied(dropped);
            let comma = usize::from(supplied > 0 && dropped.supplied.ends_with(','));
            let (span, place) = (dropped.span, places.of(dropped.span.start));
            places.stretches.push(Stretch { span, place, supplied, closing: supplied - comma });
        }
        places
    }

    /// Where it is that begins at this offset.
    fn of(&self, offset: u32) -> usize {
        let before = self.stretches.partition_point(|stretch| stretch.span.end <= offset);
        let last = before.checked_sub(1).and_then(|last| self.stretches.get(last));
        let (from, place) = last.map_or((self.start, 0), |last| (last.span.end, last.behind()));
        place + offset.saturating_sub(from) as usize
    }

    /// Where it ends that ends at this offset, and has a comma behind it, or nothing.
    fn end_of(&self, offset: u32) -> usize {
        self.supplied_at(offset).map_or_else(|| self.of(offset), |stretch| stretch.place + stretch.closing)
    }

    /// Whether what ends at this offset may have been ended by what was supplied.
    fn is_supplied(&self, offset: u32) -> bool {
        self.supplied_at(offset).is_some()
    }

    fn supplied_at(&self, offset: u32) -> Option<&Stretch> {
        let stretch = self.stretches.get(self.stretches.partition_point(|stretch| stretch.span.end < offset))?;
        let is_there = stretch.span.start < offset || (stretch.span.is_empty() && stretch.span.start == offset);
        (is_there && stretch.supplied > 0).then_some(stretch)
    }
}

/// Where the string or container ends that begins there.
fn end_of_value(text: &[u8], start: usize) -> Option<usize> {
    if kind_at(text, start).is_some() {
        return end_of_container(text, start);
    }
    let (mut lexer, mut at) = (Lexer::default(), start);
    while let Next::Unit(_, next) = lexer.next(text, at) {
        if !lexer.is_in_string() {
            return (at > start).then_some(next);
        }
        at = next;
    }
    None
}

/// The quote that stands there.
fn quote_at(text: &[u8], at: usize) -> String {
    let quote = text.get(at).filter(|byte| matches!(byte, b'"' | b'\''));
    quote.map(|quote| char::from(*quote).to_string()).unwrap_or_default()
}

/// Where the escape or the character begins that the text is cut in, in the token that begins at `token`.
fn half_unit(text: &[u8], token: usize) -> usize {
    // The longest are two of six bytes.
    let from = token.max(text.len().saturating_sub(24));
    let slashes = text.get(token..from).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'\\').count();
    let mut at = from + slashes % 2;
    let quote = if text.get(token) == Some(&b'\'') { b'\'' } else { b'"' };
    let mut lexer = if at == token { Lexer::default() } else { Lexer::in_string(quote) };
    while let Next::Unit(_, next) = lexer.next(text, at) {
        at = next;
    }
    if lexer.is_in_string() { at } else { text.len() }
}

/// Where the member begins whose value begins at `start`, in the container that begins at `around`: what is before that
/// is not looked at, so that all of an open path takes one walk.
fn member_start(text: &[u8], around: usize, start: usize) -> usize {
    let before = text.get(around..start).unwrap_or_default().trim_ascii_end();
    let Some(name) = before.strip_suffix(b":").map(<[u8]>::trim_ascii_end) else { return start };
    let Some((quote, inside)) = name.split_last().filter(|(quote, _)| matches!(quote, b'"' | b'\'')) else {
        // Without quotes.
        let word = name.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        return around + name.len() - word;
    };
    let is_open = |at: &usize| {
        let escapes = || inside.get(..*at).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'\\').count();
        inside.get(*at) == Some(quote) && escapes() % 2 == 0
    };
    (0..inside.len()).rev().find(is_open).map_or(start, |at| around + at)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::super::Parser;
    use super::*;

    /// What there is before the seam behind this text.
    pub(in super::super) fn before(text: impl super::super::super::Chunk) -> Before {
        let mut parser = Parser::new();
        parser.push(text);
        parser.before_seam().expect("a root is open")
    }

    #[test]
    fn rounds_of_nothing_new_are_left_out_as_one() {
        let mut parser = Parser::new();
        parser.push("{\"a\": [1, {\"b\": \"x");
        for round in 0..100 {
            parser.next_round();
            parser.push(if round % 2 == 0 { "Here is the rest:\n```json\n" } else { "{\"a\": [1, {\"b\": \"x" });
        }
        parser.next_round();
        parser.push("y");
        let before = parser.before_seam().expect("a root is open");
        assert_eq!((before.text.as_slice(), before.places.stretches.len()), (&b"{\"a\": [1, {\"b\": \"xy"[..], 1));
    }

    #[test]
    fn places_behind_what_was_left_out() {
        let dropped =
            |start, end, supplied: &str| Dropped { span: Span::new(start, end), supplied: supplied.to_owned() };
        let all = [dropped(12, 15, ""), dropped(20, 21, "\"},"), dropped(25, 25, ",")];
        let places = Places::new(10, &all, |dropped| dropped.supplied.len());
        assert_eq!([10, 11, 15, 19, 21, 24, 25, 30].map(|offset| places.of(offset)), [0, 1, 2, 6, 10, 13, 15, 20]);
        assert_eq!([12, 20, 21, 25, 26].map(|offset| places.end_of(offset)), [2, 7, 9, 14, 16]);
        let supplied = [12, 14, 20, 21, 24, 25, 26].map(|offset| places.is_supplied(offset));
        assert_eq!(supplied, [false, false, false, true, false, true, false]);
    }

    #[test]
    fn what_was_supplied_is_part_of_the_text() {
        for (rounds, wanted) in [
            (&["{\"a\": {\"b\": \"x", "{\"c\": 1"][..], "{\"a\": {\"b\": \"x\",\"c\": 1"),
            (&["[{\"id\": 1}", "{\"id\": 2}"], "[{\"id\": 1},{\"id\": 2}"),
            (&["[\"x\\u00", "[\"xé, y"], "[\"x\\u00e9, y"),
            (&["{'a': 'x", "{\"a\": \"xy\", \"b\": 1"], "{'a': 'xy', \"b\": 1"),
        ] {
            let mut parser = Parser::new();
            for (number, round) in rounds.iter().enumerate() {
                if number > 0 {
                    parser.next_round();
                }
                parser.push(*round);
            }
            parser.end_head();
            let before = parser.before_seam().map(|before| String::from_utf8_lossy(&before.text).into_owned());
            assert_eq!(before.as_deref(), Some(wanted));
        }
    }

    fn starts(text: &str) -> Vec<(usize, usize)> {
        before(text).open.iter().map(|open| (open.member, open.start)).collect()
    }

    fn member(text: &str) -> Option<&str> {
        before(text).member.map(|at| &text[at..])
    }

    #[test]
    fn only_the_root_counts_and_without_what_was_dropped() {
        assert_eq!(before("Here: ```json\n{\"a\": [1, ").text, b"{\"a\": [1, ");
        let mut parser = Parser::new();
        parser.push("Well: {\"a\": \"b c");
        parser.next_round();
        parser.push("```json\n{\"a\": \"b cd");
        assert_eq!(parser.before_seam().map(|before| before.text), Some(b"{\"a\": \"b cd".to_vec()));
        for closed in ["", "prose", "{\"a\": 1}", "[1] and so on"] {
            let mut parser = Parser::new();
            parser.push(closed);
            assert!(parser.before_seam().is_none(), "{closed}");
        }
    }

    #[test]
    fn open_containers_begin_with_their_keys() {
        assert_eq!(starts("[{\"id\": 1}, {\"id\": 2, \"a\\\"b\" : [ 3"), [(0, 0), (12, 12), (22, 31)]);
        assert_eq!(starts("{\"a\": {\"b\": {"), [(0, 0), (1, 6), (7, 12)]);
        assert_eq!(starts("{key: {\"b\": "), [(0, 0), (1, 6)]);
    }

    #[test]
    fn the_member_that_is_cut() {
        assert_eq!(member("{\"a\": 1, \"b\": \"x"), Some("\"b\": \"x"));
        assert_eq!(member("{\"a\": 1, \"b"), Some("\"b"));
        assert_eq!(member("[1, 23"), Some("23"));
        assert_eq!(member("[\"a\", \"b"), Some("\"b"));
        assert_eq!(member("[1, "), None);
        assert_eq!(member("{\"a\": [1, 2]"), None);
        for (text, key) in [("{\"a\": 1, \"b\": \"x", Some("b")), ("{\"b", None), ("{\"b\"", None), ("[\"b\", 1", None)]
        {
            assert_eq!(before(text).cut_key(), key, "{text}");
        }
    }

    #[test]
    fn finished_members_are_found() {
        let text = "{\"a\": [1, 2], \"b\": {\"c\": 3, \"d\": [{\"e\": 4}, 5";
        let before = before(text);
        let named = |level, key| before.member_named(level, key).map(|(start, end)| &text[start..end]);
        assert_eq!(named(0, "a"), Some("[1, 2]"));
        assert_eq!(named(1, "c"), Some("3"));
        assert_eq!((named(0, "b"), named(1, "d"), named(1, "x")), (None, None, None));
        assert_eq!(before.first_element(2).map(|(start, end)| &text[start..end]), Some("{\"e\": 4}"));
    }

    #[test]
    fn a_repeat_may_begin_at_each_unit_nearby_and_with_open_containers_far_away() {
        let near = before("{\"a\": \"xy");
        let places: Vec<usize> = near.anchors().into_iter().map(|(at, _)| at).collect();
        assert_eq!(places, [0, 1, 2, 3, 4, 6, 7, 8]);
        let text = format!("{{\"a\": [{}{{\"b\": \"{}", "1, ".repeat(100), "x".repeat(2 * WINDOW));
        let far = before(text.as_str());
        let anchors = far.anchors();
        let windows = anchors.iter().filter(|(at, _)| *at >= text.len() - WINDOW).count();
        assert_eq!(windows, WINDOW);
        for open in &far.open {
            assert!(anchors.iter().any(|(at, lexer)| *at == open.start && !lexer.is_in_string()));
        }
    }

    #[test]
    fn half_an_escape_is_known() {
        for (text, half) in [("[\"a\\", "\\"), ("[\"\\u00", "\\u00"), ("[\"\\ud83d\\u", "\\ud83d\\u"), ("[\"\\n", "")] {
            assert_eq!(before(text).half_unit(), half.as_bytes(), "{text}");
        }
    }
}
