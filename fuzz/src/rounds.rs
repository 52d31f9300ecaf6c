//! Answers that come in rounds, and the laws that they must keep: the ends of rounds are part of the input.

use std::collections::BTreeMap;
use std::fmt;

use jsonrill::{
    Checkpoint, Duplicates, End, Finished, Options, Outcome, Parser, Report, Seam, SeamKind, SkipKind, Snapshot,
    Update, WarningKind,
};

use crate::laws::{Replicas, may_become};
use crate::read;
use crate::view::{Ending, Seen, View, ending, seen, view};

/// Where a round ends. Like [`CUT`](crate::CUT) it is in no UTF-8 text.
pub const ROUND: u8 = 0xfe;

/// With the byte behind it: so many bytes of the text before this round, up to its end.
pub const TAIL: u8 = 0xfd;

/// All of the text before this round.
pub const ALL: u8 = 0xfc;

/// How long a text may become.
const LONGEST: usize = 2000;

/// At how many places all views are compared; each costs a reading from the start.
const PLACES: usize = 6;

/// How many snapshots are kept to see that they stand still.
const KEPT: usize = 8;

/// What happens to a parser.
#[derive(Clone, PartialEq, Eq)]
pub enum Event {
    Feed(Vec<u8>),
    NextRound,
}

/// Rounds in pieces, and how they are read.
#[derive(Clone)]
pub struct Rounds {
    pub events: Vec<Event>,
    pub options: Options,
    pub end: End,
    pub replaces: bool,
}

impl fmt::Debug for Rounds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for round in self.rounds() {
            write!(formatter, "b\"{}\", ", round.escape_ascii())?;
        }
        write!(formatter, "{:?} with {:?}", self.end, self.options)
    }
}

impl Rounds {
    /// Reads an input; `None` when it is no text of a sensible length.
    pub fn read(data: &[u8]) -> Option<Self> {
        let input = read(data)?;
        let mut events = Vec::new();
        // Of the rounds before this one, and with it.
        let (mut before, mut text) = (Vec::new(), Vec::new());
        for piece in &input.pieces {
            let mut bytes = Vec::new();
            let mut rest = piece.iter();
            while let Some(byte) = rest.next() {
                match *byte {
                    ROUND => {
                        text.extend_from_slice(&bytes);
                        events.push(Event::Feed(std::mem::take(&mut bytes)));
                        events.push(Event::NextRound);
                        before.clone_from(&text);
                    }
                    TAIL => {
                        let count = rest.next().map_or(0, |count| usize::from(*count));
                        bytes.extend_from_slice(&before[before.len().saturating_sub(count)..]);
                    }
                    ALL => bytes.extend_from_slice(&before),
                    byte => bytes.push(byte),
                }
                if text.len() + bytes.len() > LONGEST {
                    return None;
                }
            }
            text.extend_from_slice(&bytes);
            events.push(Event::Feed(bytes));
        }
        let replaces = matches!(input.duplicates, Duplicates::Last);
        Some(Self { events, options: input.options, end: input.end, replaces })
    }

    /// Each in one piece.
    pub fn rounds(&self) -> Vec<Vec<u8>> {
        let mut rounds = vec![Vec::new()];
        for event in &self.events {
            match event {
                Event::Feed(piece) => rounds.last_mut().expect("there is one").extend_from_slice(piece),
                Event::NextRound => rounds.push(Vec::new()),
            }
        }
        rounds
    }

    /// Whether checkpoints can be made.
    fn has_source(&self) -> bool {
        self.options == self.options.keep_source(true)
    }

    /// All laws; says what is wrong, if anything is.
    pub fn check(&self) -> Result<(), String> {
        let rounds = self.rounds();
        let watched = self.watched()?;
        let mut bytewise = Parser::with_options(self.options);
        self.places(&rounds, &mut bytewise)?;
        let mut whole = self.fed(rounds.iter().map(Vec::as_slice));
        let whole = whole.finish(self.end);
        let (one, other) = (ended(&watched), ended(&whole));
        same("in pieces, at the end", &told_end(&one), &told_end(&other))?;
        let bytewise = ended(&bytewise.finish(self.end));
        same("byte by byte, at the end", &told_end(&bytewise), &told_end(&other))?;
        offsets(&rounds, whole.seams())?;
        nothing_is_told_twice(&whole)?;
        letters_are_told(&whole, &rounds)
    }

    /// A parser that was given these rounds, each in one piece.
    fn fed<'r>(&self, rounds: impl IntoIterator<Item = &'r [u8]>) -> Parser {
        let mut parser = Parser::with_options(self.options);
        for (index, round) in rounds.into_iter().enumerate() {
            if index > 0 {
                parser.next_round();
            }
            parser.push(round);
        }
        parser
    }

    /// Laws 2, 3, 4 and 8 at each event; and that a seam that is decided stays as it is.
    fn watched(&self) -> Result<Finished, String> {
        let mut parser = Parser::with_options(self.options);
        let mut watch = Watch { replaces: self.replaces, ..Watch::default() };
        let mut count = 0;
        for event in &self.events {
            let update = match event {
                Event::Feed(piece) => parser.feed(piece),
                Event::NextRound => {
                    count += 1;
                    parser.next_round();
                    parser.update()
                }
            };
            watch.see(&update)?;
            watch.stays(parser.seams())?;
            if parser.seams().len() != count {
                return Err(format!("seams: {count} rounds, {:?}", parser.seams()));
            }
        }
        let finished = parser.finish(self.end);
        watch.see(finished.update())?;
        watch.stays(finished.seams())?;
        if let Some(seam) = finished.seams().iter().find(|seam| seam.kind == SeamKind::Undecided) {
            return Err(format!("undecided: {seam:?} at the end"));
        }
        for (snapshot, before) in &watch.kept {
            if seen(snapshot) != *before {
                return Err(format!("stands still: {before:?} became {snapshot}"));
            }
        }
        Ok(finished)
    }

    /// Byte by byte; at some places the same as in whole rounds, and the same from a checkpoint.
    fn places(&self, rounds: &[Vec<u8>], parser: &mut Parser) -> Result<(), String> {
        let length: usize = rounds.iter().map(Vec::len).sum();
        let step = length.div_ceil(PLACES).max(1);
        let mut resumed: Vec<(usize, Parser)> = Vec::new();
        let mut at = 0;
        for (index, round) in rounds.iter().enumerate() {
            if index > 0 {
                parser.next_round();
                resumed.iter_mut().for_each(|(_, parser)| parser.next_round());
            }
            for (count, byte) in (1..).zip(round) {
                parser.push([*byte]);
                resumed.iter_mut().for_each(|(_, parser)| parser.push([*byte]));
                at += 1;
                // Just behind the start of a round most is held.
                if at % step != 0 && count != 3 {
                    continue;
                }
                let mut whole = self.fed(rounds[..index].iter().map(Vec::as_slice).chain([&round[..count]]));
                same(&format!("chunking: after {at} bytes"), &told(parser), &told(&mut whole))?;
                let frozen = parser.freeze();
                if !self.has_source() {
                    continue;
                }
                let part = frozen.complete_part();
                if !part.is_empty() {
                    let mut strict = Parser::with_options(Options::strict());
                    strict.push(&part);
                    if strict.finish(End::Stopped).outcome() != Outcome::Complete {
                        return Err(format!("complete part: {part:?} after {at} bytes is not valid JSON"));
                    }
                }
                std::hint::black_box(frozen.contexts());
                let checkpoint = frozen.checkpoint().map_err(|error| format!("checkpoint: after {at}: {error}"))?;
                let mut other = Parser::resume(&reread(&checkpoint));
                same(&format!("resumed: after {at} bytes"), &told(&mut other), &told(parser))?;
                if resumed.len() < 3 {
                    resumed.push((at, other));
                }
            }
        }
        for (at, other) in &mut resumed {
            same(&format!("resumed: at {at}, and all the rest"), &told(other), &told(parser))?;
        }
        Ok(())
    }
}

fn reread(checkpoint: &Checkpoint) -> Checkpoint {
    let stored = serde_json::to_string(checkpoint).expect("a checkpoint can be stored");
    serde_json::from_str(&stored).expect("and read")
}

/// What is seen from update to update.
#[derive(Default)]
struct Watch {
    replaces: bool,
    replicas: Replicas,
    last: BTreeMap<u32, Snapshot>,
    kept: Vec<(Snapshot, Seen)>,
    seams: Vec<Seam>,
}

impl Watch {
    fn see(&mut self, update: &Update) -> Result<(), String> {
        self.replicas.apply(update).map_err(|fault| format!("deltas: {fault}"))?;
        for part in update.parts() {
            let before = self.last.insert(part.document(), part.snapshot().clone());
            if let Some(before) = before.filter(|_| !self.replaces) {
                may_become(before.root(), part.snapshot().root()).map_err(|fault| format!("grows: {fault}"))?;
            }
            if self.kept.len() < KEPT {
                self.kept.push((part.snapshot().clone(), seen(part.snapshot())));
            }
        }
        Ok(())
    }

    fn stays(&mut self, now: &[Seam]) -> Result<(), String> {
        for (index, seam) in self.seams.iter().enumerate() {
            let is_open = index + 1 == self.seams.len() && seam.kind == SeamKind::Undecided;
            if !is_open && now.get(index) != Some(seam) {
                return Err(format!("seam changed: {seam:?} became {:?}", now.get(index)));
            }
        }
        if let Some(seam) = now.iter().rev().skip(1).find(|seam| seam.kind == SeamKind::Undecided) {
            return Err(format!("undecided: {seam:?} and another round"));
        }
        self.seams = now.to_vec();
        Ok(())
    }
}

fn told(parser: &mut Parser) -> [String; 5] {
    let seams = format!("{:?}", parser.seams());
    let View { seen, error, repairs, warnings } = view(parser);
    [seams, seen.display.clone(), format!("{error:?} {repairs:?} {warnings:?}"), format!("{:?}", seen.outside), {
        format!("{seen:?}")
    }]
}

fn ended(finished: &Finished) -> (Ending, Vec<Seam>) {
    (ending(finished), finished.seams().to_vec())
}

fn told_end((ending, seams): &(Ending, Vec<Seam>)) -> [String; 5] {
    [
        format!("{seams:?}"),
        format!("{} {:?} {:?}", ending.seen.display, ending.outcome, ending.cut),
        format!("{:?} {:?} {:?}", ending.error, ending.repairs, ending.warnings),
        format!("{:?}", ending.seen.outside),
        format!("{ending:?}"),
    ]
}

fn same(place: &str, one: &[String; 5], other: &[String; 5]) -> Result<(), String> {
    match one.iter().zip(other).find(|(one, other)| one != other) {
        Some((one, other)) => Err(format!("{place}: {one}, and of whole rounds or uninterrupted {other}")),
        None => Ok(()),
    }
}

fn offsets(rounds: &[Vec<u8>], seams: &[Seam]) -> Result<(), String> {
    let mut offset = 0;
    for (index, (round, seam)) in rounds.iter().zip(seams).enumerate() {
        offset += round.len() as u64;
        let length = rounds[index + 1].len() as u64;
        if seam.offset != offset || seam.dropped > length {
            return Err(format!("offsets: {seam:?} is not at {offset}, or drops more than {length}"));
        }
    }
    Ok(())
}

/// Of what is outside the JSON each byte is told once.
fn nothing_is_told_twice(finished: &Finished) -> Result<(), String> {
    let mut spans: Vec<_> = finished.snapshot().outside().map(|outside| outside.span.range()).collect();
    spans.sort_unstable_by_key(|span| span.start);
    match spans.windows(2).find(|pair| pair[0].end > pair[1].start) {
        Some(pair) => Err(format!("told twice: {:?} and {:?}", pair[0], pair[1])),
        None => Ok(()),
    }
}

/// Law 6, where it can be counted: letters and digits that are in no document are repaired, skipped or dropped.
fn letters_are_told(finished: &Finished, rounds: &[Vec<u8>]) -> Result<(), String> {
    let Ok(text) = String::from_utf8(rounds.concat()) else { return Ok(()) };
    let drops = finished.warnings().iter().any(|warning| warning.kind == WarningKind::DuplicateKey);
    let omits = finished.repairs().omitted() + finished.skipped().omitted() > 0;
    // Of a document that is not complete half a key is not shown.
    let is_cut = finished.documents().any(|document| !document.is_complete);
    if drops || omits || is_cut || finished.error().is_some() || !finished.is_complete() || text.contains('\\') {
        return Ok(());
    }
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count();
    let kept: usize = finished.documents().map(|document| letters(&document.snapshot.to_string())).sum();
    let repaired: usize = finished.repairs().iter().map(|repair| repair.span.range().len()).sum();
    // A round may begin within a character.
    let skipped = |skip: &Report<SkipKind>| letters(&String::from_utf8_lossy(&text.as_bytes()[skip.span.range()]));
    let skipped: usize = finished.skipped().iter().map(skipped).sum();
    let dropped: u64 = finished.seams().iter().map(|seam| seam.dropped).sum();
    if letters(&text) > kept + repaired + skipped + usize::try_from(dropped).expect("a text in memory") {
        let all = letters(&text);
        return Err(format!(
            "lost: of {all} letters {kept} are kept, {repaired} repaired, {skipped} skipped, {dropped} dropped"
        ));
    }
    Ok(())
}
