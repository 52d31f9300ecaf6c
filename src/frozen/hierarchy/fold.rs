//! A hierarchy of limited length: finished values that are far from the cut are folded.
//!
//! What must be there is the open path: brackets, keys, and the text from the last finished value to the cut. What is
//! left of the limit is spent on the finished values, level by level from the innermost outwards and in each from the
//! cut backwards. A level gets half of what is left, so that both the near and the large structure are seen, and in a
//! second round what the levels around it did not need. Of a finished container that has no room its key and brackets
//! are kept.

use std::fmt::Write;

use crate::document::{NodeId, NodeKind, Span};

use super::super::CutState;
use super::super::text::{Text, last_characters};
use super::strings::{Budget, Document, LeftOut, StringValue, marker};
use super::{InFlight, copy};

/// The most characters that the marker of outer levels takes.
const OUTER: usize = 48;

/// The most blanks that are kept before a marker.
const LAYOUT: u32 = 64;

/// An open container.
struct Level {
    kind: NodeKind,
    /// How many containers are around it.
    number: u32,
    id: NodeId,
    /// How many children are finished, and the last of them.
    count: usize,
    last: Option<NodeId>,
    start: u32,
    /// Where its opener ends.
    opened: u32,
    /// Where its last finished child ends, or its opener.
    finished: u32,
    /// Where what is open in it begins; in the innermost, where the text in flight does.
    end: u32,
    /// Whether anything is open in it, or in flight.
    is_followed: bool,
    /// What of it is kept.
    kept: Kept,
}

#[derive(Default)]
struct Kept {
    /// How many of its last finished children, and the one before them.
    children: usize,
    before: Option<NodeId>,
    /// How many characters they take beyond what is there in any case.
    length: usize,
    /// How many more it would be without any budget: what stands for a short string is longer than it.
    growth: usize,
    /// What is left out of them, the nearest first.
    left_out: Vec<LeftOut>,
}

pub(super) fn folded(document: Document<'_>, in_flight: &InFlight, budget: Budget, limit: usize, out: &mut String) {
    let text = document.text;
    let mut left = limit.saturating_sub(in_flight.kept.chars().count());
    let needed = |level: &Level| 1 + level.marker(text, level.count).len() + text.characters(level.finished, level.end);
    let has_room = |levels: &Vec<Level>| levels.iter().map(needed).sum::<usize>() <= left;
    // Directly behind a value, what is last in it is near as well.
    let inside = Some(levels(document, in_flight, true)).filter(has_room);
    let mut levels = inside.unwrap_or_else(|| levels(document, in_flight, false));
    // The open path, as far outwards as there is room for it.
    if !has_room(&levels) {
        left = left.saturating_sub(OUTER);
    }
    let mut outer = levels.len();
    for needed in levels.iter().rev().map(needed) {
        if needed > left {
            break;
        }
        left -= needed;
        outer -= 1;
    }
    // Of those in a member that is dropped only the innermost is known.
    let dropped = levels.iter().take(outer + 1).position(|level| level.id.is_none()).map(|level| level + 1);
    let open = document.shape.closers.bytes().filter(|closer| matches!(closer, b'}' | b']')).count();
    let unknown = dropped.map_or(0, |levels| open.saturating_sub(levels));
    let levels = levels.get_mut(outer..).unwrap_or_default();
    if levels.is_empty() {
        return clipped(document, in_flight, limit, out);
    }

    // What the levels around one took in the first round, and what the same takes where no budget is left for it.
    let mut wanted = 0;
    for round in 0..2 {
        let (mut budget, mut left) = (budget, left);
        for level in levels.iter_mut().rev() {
            wanted -= level.kept.length + level.kept.growth;
            let allowance = if round == 0 { left / 2 } else { left.saturating_sub(wanted) };
            level.keep(document, &mut budget, allowance);
            left = left.saturating_sub(level.kept.length);
        }
        wanted = levels.iter().map(|level| level.kept.length + level.kept.growth).sum();
    }

    let outer = outer + unknown;
    if outer > 0 {
        let plural = if outer == 1 { "" } else { "s" };
        // Writing into a string does not fail.
        let _ = write!(out, "/* {outer} outer level{plural} left out */ ");
    }
    for level in levels {
        level.copy(document, out);
    }
    out.push_str(&in_flight.kept);
}

/// Not even what is innermost has room: the last characters of the source.
fn clipped(Document { shape, text, .. }: Document<'_>, in_flight: &InFlight, limit: usize, out: &mut String) {
    let room = limit.saturating_sub(OUTER);
    let enough = u32::try_from(room.saturating_mul(4)).unwrap_or(u32::MAX);
    let start = shape.root.unwrap_or_default().start;
    let from = in_flight.start.saturating_sub(enough).max(start);
    let mut end = String::new();
    text.copy(from, in_flight.start, &mut end);
    end.push_str(&in_flight.kept);
    let kept = last_characters(&end, room);
    if from > start || kept.len() < end.len() {
        out.push_str("/* the start is left out */ ");
    }
    out.push_str(kept);
}

/// The containers on the open path, outermost first; a root that is closed stands for itself. Then, with `inside`,
/// those that ended directly before the cut.
fn levels(document: Document<'_>, in_flight: &InFlight, inside: bool) -> Vec<Level> {
    let Document { reader, shape, .. } = document;
    let root = reader.mark.root;
    let mut ids: Vec<NodeId> = reader.mark.open().iter().map(|open| open.node()).collect();
    if ids.is_empty() && !root.is_none() && reader.kind(root).is_container() {
        ids.push(root);
    }
    let mut levels: Vec<Level> = Vec::new();
    for (number, id) in (0..).zip(&ids) {
        let open_child = ids.get(number as usize + 1).copied();
        let is_finished = |child: &NodeId| {
            Some(*child) != open_child && (reader.mark.leaf_is(*child).is_none() || !shape.is_value_in_flight())
        };
        // Before what is open there is what is finished.
        let last = match open_child {
            Some(child) => Some(child),
            None => reader.last_child(number, *id),
        };
        let mut count = reader.written(number, *id);
        let last = last.and_then(|last| {
            if is_finished(&last) {
                return Some(last);
            }
            count -= 1;
            reader.previous_written(*id, last)
        });
        let start = reader.span(number, *id).start;
        levels.push(Level::new(document, reader.kind(*id), (*id, number), start, (count, last)));
    }
    // One that is not shown, for its kind is not settled, has nothing in it.
    if let Some(start) = shape.container.filter(|start| levels.last().is_some_and(|shown| shown.start < *start)) {
        let number = u32::try_from(levels.len()).unwrap_or(u32::MAX);
        levels.push(Level::new(document, NodeKind::Object, (NodeId::NONE, number), start, (0, None)));
    }
    let is_between = matches!(shape.state, CutState::BetweenMembers | CutState::Done);
    while let Some(level) = levels.last_mut().filter(|_| inside && is_between)
        && let Some(last) = level.take_last_container(document)
    {
        levels.push(last);
    }
    let mut end = (in_flight.start, !is_between);
    for level in levels.iter_mut().rev() {
        (level.end, level.is_followed) = end;
        end = (level.start, true);
    }
    levels
}

impl Level {
    fn new(
        document: Document<'_>,
        kind: NodeKind,
        (id, number): (NodeId, u32),
        start: u32,
        (count, last): (usize, Option<NodeId>),
    ) -> Self {
        // A bracket, or the full-width one that stands for it.
        let opened = start + if document.text.bytes(start, start + 1).is_ascii() { 1 } else { 3 };
        let finished = last.map_or(opened, |last| document.value_end(last, number + 1));
        let kept = Kept::default();
        Self { kind, number, id, count, last, start, opened, finished, end: finished, is_followed: false, kept }
    }

    /// The last child as a level of its own, if it is a container.
    fn take_last_container(&mut self, document: Document<'_>) -> Option<Self> {
        let reader = document.reader;
        let last = self.last.filter(|last| reader.kind(*last).is_container())?;
        self.count -= 1;
        self.last = reader.previous_written(self.id, last);
        let number = self.number + 1;
        self.finished = self.last.map_or(self.opened, |before| document.value_end(before, number));
        let children = (reader.written(number, last), reader.last_child(number, last));
        Some(Self::new(document, reader.kind(last), (last, number), reader.span(number, last).start, children))
    }

    /// Keeps as many of the last children as have room.
    fn keep(&mut self, document: Document<'_>, budget: &mut Budget, allowance: usize) {
        let text = document.text;
        self.kept = Kept { before: self.last, ..Kept::default() };
        // Each child that is kept makes the marker shorter, or is the last.
        let all = self.marker(text, self.count).len();
        let mut taken = 0;
        for number in (0..self.count).rev() {
            let Some(child) = self.kept.before else { break };
            let before = document.reader.previous_written(self.id, child);
            let from = before.map_or(self.opened, |before| document.value_end(before, self.number + 1));
            let end = document.value_end(child, self.number + 1);
            let room = (allowance + all).saturating_sub(taken + self.marker(text, number).len());
            let mut after = *budget;
            let whole = measured(document, child, (from, end), room, &mut after);
            if whole.is_some() {
                *budget = after;
            }
            let kept = whole.or_else(|| hollow(document, (child, self.number + 1), from, room));
            let Some((length, growth, left_out)) = kept else { break };
            taken += length;
            self.kept.children += 1;
            self.kept.before = before;
            self.kept.growth += growth;
            self.kept.length = (taken + self.marker(text, number).len()).saturating_sub(all);
            self.kept.left_out.extend(left_out.into_iter().rev());
        }
    }

    /// What stands for so many of the first children, behind the blanks that stand before them.
    fn marker(&self, text: Text<'_>, folded: usize) -> String {
        if folded == 0 {
            return String::new();
        }
        let layout = text.bytes(self.opened, (self.opened + LAYOUT).min(self.end));
        let blanks = layout.iter().take_while(|byte| byte.is_ascii_whitespace()).copied().map(char::from);
        blanks.chain(marker(self.kind, folded).chars()).collect()
    }

    fn copy(&self, document: Document<'_>, out: &mut String) {
        let text = document.text;
        let left_out: Vec<LeftOut> = self.kept.left_out.iter().rev().copied().collect();
        let Some(last) = self.kept.before else {
            return copy(text, self.start, self.end, &left_out, out);
        };
        text.copy(self.start, self.opened, out);
        out.push_str(&self.marker(text, self.count - self.kept.children));
        let from = document.value_end(last, self.number + 1);
        let behind = behind_comma(text, from, self.end);
        // Also by a member that is dropped, for its key came before.
        let is_followed = self.is_followed || self.kept.children > 0 || has_token(&text.bytes(behind, self.end));
        copy(text, if is_followed { behind } else { from }, self.end, &left_out, out);
    }
}

/// The place behind the comma that separates what is folded from what follows.
fn behind_comma(text: Text<'_>, from: u32, end: u32) -> u32 {
    let bytes = text.bytes(from, end.min(from.saturating_add(LAYOUT)));
    let blanks = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let rest = bytes.get(blanks..).unwrap_or_default();
    let comma = [",", "，"].into_iter().find(|comma| rest.starts_with(comma.as_bytes()));
    comma.map_or(from, |comma| from + u32::try_from(blanks + comma.len()).unwrap_or_default())
}

/// Whether there is more in it than white space and comments.
fn has_token(mut text: &[u8]) -> bool {
    loop {
        text = text.trim_ascii_start();
        let end: &[u8] = match text {
            [] => return false,
            [b'/', b'*', ..] => b"*/",
            [b'/', b'/', ..] | [b'#', ..] => b"\n",
            _ => return true,
        };
        let length = text.windows(end.len()).position(|bytes| bytes == end).map_or(text.len(), |at| at + end.len());
        text = text.get(length..).unwrap_or_default();
    }
}

/// How many characters a stretch takes that ends with a value, how many more it would take without any budget, and what
/// is left out of it. `None` if it does not have room.
fn measured(
    document: Document<'_>,
    child: NodeId,
    (start, end): (u32, u32),
    room: usize,
    budget: &mut Budget,
) -> Option<(usize, usize, Vec<LeftOut>)> {
    let text = document.text;
    let mut found: Vec<StringValue> = Vec::new();
    let (mut at, mut structure) = (start, 0);
    let fits = document.each_value(child, (start, end), |start, string| {
        if let Some(value) = string {
            structure += counted(text, at, start, room);
            at = value.span.end;
            found.push(value);
        }
        // The shortest string takes two characters.
        structure + start.saturating_sub(at) as usize / 4 + 2 * found.len() <= room
    });
    if !fits {
        return None;
    }
    structure += counted(text, at, end, room);
    let kept = found.iter().rev().take_while(|value| value.is_kept(text, budget)).count();
    let elided = found.len() - kept;
    let (mut length, mut growth) = (structure, 0);
    for (number, value) in found.iter().enumerate() {
        if number < elided {
            length += value.elided_length();
        } else {
            let written = text.characters(value.span.start, value.span.end);
            length += written;
            growth += value.elided_length().saturating_sub(written);
        }
    }
    found.truncate(elided);
    (length <= room).then(|| (length, growth, found.into_iter().map(LeftOut::String).collect()))
}

/// The same of a container of which nothing but the brackets, and the key that begins at `from`, is kept.
fn hollow(
    document: Document<'_>,
    (child, number): (NodeId, u32),
    from: u32,
    room: usize,
) -> Option<(usize, usize, Vec<LeftOut>)> {
    let Document { reader, text, .. } = document;
    let (kind, count, span) = (reader.kind(child), reader.written(number, child), reader.span(number, child));
    // Those with other brackets than JSON has are rare.
    let is_plain = |at: u32| text.bytes(at, at + 1).iter().all(|byte| b"{}[]".contains(byte));
    let has_room = counted(text, from, span.start, room) < room;
    if !has_room || count == 0 || !kind.is_container() || !is_plain(span.start) || !is_plain(span.end.max(1) - 1) {
        return None;
    }
    let inside = Span::new(span.start + 1, span.end - 1);
    let length = counted(text, from, inside.start, room) + marker(kind, count).len() + 1;
    (length <= room).then(|| (length, 0, vec![LeftOut::Children(inside, kind, count)]))
}

/// How many characters a stretch has; more than there is room for if it is much too long to be counted.
fn counted(text: Text<'_>, start: u32, end: u32, room: usize) -> usize {
    let is_long = end.saturating_sub(start) as usize / 4 > room;
    if is_long { room + 1 } else { text.characters(start, end) }
}
