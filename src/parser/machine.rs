//! The state of a parser between two bytes, and the loop over the bytes.
//!
//! # For maintainers
//!
//! [`Machine::run`] hands each byte to the part that [`Step`] names: `envelope` outside the roots, `grammar` between
//! values, `string` and `scalar` inside them. A part takes as many bytes as it can and returns where it stopped, so
//! that a step is decided once for a run of bytes and not for each. Between values `stretch` is asked first: it reads
//! what lies whole and plain in the piece, and leaves the machine as the steps would. Everything a part must remember is
//! in `Machine`; nothing depends on where a piece ends, which is the whole of law 1: a part that looks ahead does so by
//! holding state, never by looking at the bytes behind the piece.
//!
//! Readings that are not settled are held by the writer (nodes) or in [`Machine::keyword`] and [`Machine::leaf_end`]
//! (a scalar that ended but may not be final). To add a lenient rule, find the step that now ends in
//! [`Machine::unexpected`] and give it a way on.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::document::{Bookmark, Log, NodeId, NodeKind, Seen, SkipKind, Span, StreamWriter, Writer};

use crate::frozen::Dropped;
use crate::view::Snapshot;

use super::envelope::Envelope;
use super::error::{Error, ErrorKind};
use super::lenient::Lenient;
use super::number::Number;
use super::options::{Options, Role, Roots};
use super::outcome::End;
use super::report::{RepairKind, Reports, WarningKind};
use super::string::Escape;
use super::utf8::Piece;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Outside the roots, in the lenient dialect.
    Outside,
    /// Before a root, in the strict dialect.
    Root,
    /// After the only root, in the strict dialect.
    Done,
    /// A value: a member's, or an element behind a comma.
    Value,
    /// The first element or `]`.
    FirstElement,
    /// The first key or `}`.
    FirstKey,
    /// A key behind a comma.
    Key,
    /// The colon.
    Colon,
    /// A comma or a closer; in the lenient dialect the scalar before may be waiting for it.
    After,
    /// Inside a key.
    KeyString,
    /// Inside a string.
    String,
    /// Inside a number.
    Number(Number),
    /// Inside `true`, `false` or `null`.
    Keyword,

    // What only the lenient dialect has.
    /// Nowhere: bytes are held until it is known how they read.
    Held,
    /// As [`Step::After`], behind a string with inner quotes.
    AfterPatient,
    /// Inside a string in other quotes.
    OtherString,
    /// Inside a key in other quotes.
    OtherKey,
    /// Inside a string element that may be a key.
    HeldString,
    /// Behind one.
    AfterHeldString,
    /// Between strings that are joined.
    Join,
    /// Inside a value without quotes.
    Bare,
    /// Inside a key without quotes.
    BareKey,
    /// Behind the answer, though the root was not closed.
    BehindAnswer,
    /// Inside a container that is skipped.
    Stray,
    /// Inside a comment.
    Comment,
    /// Inside a document that is escaped or quoted as a whole.
    Layered,
}

/// The machine stops: the error says why, or the piece must be read again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop;

/// How far the root being read has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Candidate {
    /// No root is being read.
    None,
    /// It may turn out to be prose.
    Weak,
    /// A bare scalar: a root if nothing else comes.
    Scalar,
    /// It is a root, and shown.
    Shown,
    /// It is a root, but another is the answer.
    Aside,
}

/// A root that was read to its end.
#[derive(Clone)]
pub(super) struct Root {
    pub(super) log: Arc<Log>,
    pub(super) node: NodeId,
    /// Where its nodes end.
    pub(super) nodes: u32,
    pub(super) span: Span,
    pub(super) is_weak: bool,
    /// What was open in it, if another document took its place.
    pub(super) open: Option<Arc<Bookmark>>,
}

pub(super) struct Machine {
    pub(super) options: Options,
    pub(super) step: Step,
    /// Offset of the first byte of the piece being read.
    pub(super) at: u32,
    /// Offset of the first byte of the input that came last: what is before it is read again.
    pub(super) piece_start: u32,
    pub(super) stream: StreamWriter,
    pub(super) writer: Writer,

    pub(super) escape: Escape,
    /// Where the token being read began.
    pub(super) token_start: u32,
    /// The keyword being read: its kind, its letters, and how many of them have come.
    pub(super) keyword: Option<(NodeKind, &'static [u8], usize)>,
    /// Where the scalar that waits for what follows it ended.
    pub(super) leaf_end: u32,
    /// Where the last comma was.
    pub(super) comma: u32,

    pub(super) lenient: Lenient,
    pub(super) envelope: Envelope,
    pub(super) candidate: Candidate,
    pub(super) root_start: u32,
    /// Nothing but blanks, or another root, is before it in its line.
    pub(super) root_begins_line: bool,
    /// Levels at which the weak candidate has an array with a scalar in it, one bit each.
    pub(super) weak_scalars: u64,
    pub(super) roots: SmallVec<[Root; 1]>,
    /// Where the root is that is shown, or was shown last, once it is closed.
    pub(super) answer: Option<Span>,
    /// The number of the document that is shown, from 0; `None` before there is one.
    pub(super) document: Option<u32>,
    /// What is shown of the document before, until the next root is settled.
    pub(super) retired: Option<(Arc<Log>, Bookmark)>,
    /// The document was left open for another one, which has not come yet.
    pub(super) is_left: bool,
    /// Where the next document begins, while the one before it is left.
    left_at: Option<u32>,
    /// Documents that ended since the last update.
    pub(super) ended: Vec<(Arc<Log>, Bookmark)>,

    /// How many bytes came behind the answer, white space aside; `None` where they are read.
    pub(super) unread: Option<u64>,
    /// Where the member that is being dropped begins, for the warning about it.
    pub(super) dropping: Option<u32>,
    pub(super) repairs: Reports<RepairKind>,
    pub(super) warnings: Reports<WarningKind>,
    pub(super) error: Option<Arc<Error>>,
}

impl Machine {
    pub(super) fn new(options: Options) -> Self {
        let (stream, stream_writer) = crate::document::Stream::new(options.keep_source);
        let compare = options.role == Role::Arguments;
        Self {
            options,
            step: if options.is_lenient() { Step::Outside } else { Step::Root },
            at: 0,
            piece_start: 0,
            stream: stream_writer,
            writer: Writer::new(stream, options.replacing(), compare),
            escape: Escape::default(),
            token_start: 0,
            keyword: None,
            leaf_end: 0,
            comma: 0,
            lenient: Lenient::default(),
            envelope: Envelope::new(&options),
            candidate: Candidate::None,
            root_start: 0,
            root_begins_line: false,
            weak_scalars: 0,
            roots: SmallVec::new(),
            answer: None,
            document: None,
            retired: None,
            is_left: false,
            left_at: None,
            ended: Vec::new(),
            unread: None,
            dropping: None,
            repairs: Reports::default(),
            warnings: Reports::default(),
            error: None,
        }
    }

    /// Reads a stretch of input that lies at `self.at` in the source.
    pub(super) fn piece(&mut self, piece: &Piece<'_>) -> Result<(), Stop> {
        match piece {
            Piece::Text(text) => self.text(text),
            Piece::Invalid(count) => self.invalid(*count),
        }
    }

    /// Reads text that lies at `self.at` in the source.
    #[inline]
    pub(super) fn text(&mut self, text: &str) -> Result<(), Stop> {
        // Most chunks are a few characters in the middle of a string.
        if self.step == Step::String && self.is_plain(text) {
            self.push_text(text)?;
            self.note_tail(text.as_bytes());
            if self.may_be_reread() {
                self.envelope.hold_text(text, self.at);
            }
            self.at += offset(text.len());
            return Ok(());
        }
        self.any_text(text)
    }

    #[inline(never)]
    fn any_text(&mut self, text: &str) -> Result<(), Stop> {
        let from = self.at;
        self.piece_start = from;
        self.writer.expect_text(text.len());
        let read = self.run(text);
        if read.is_ok() && self.may_be_reread() {
            let held_from = self.root_start.saturating_sub(from);
            self.envelope.hold_text(text.get(held_from as usize..).unwrap_or_default(), from + held_from);
        }
        if read.is_err() && self.error.is_none() {
            // The bare scalar at the start of the text is none: what it took is read again, as prose.
            self.reread(text, from)?;
        } else {
            read?;
        }
        self.at = from + offset(text.len());
        Ok(())
    }

    /// Lets go of what is final, if it is time for that: between values, with nothing in flight, in the root that is
    /// shown. What is shown from then on has less than what was shown before.
    pub(super) fn let_go(&mut self) -> bool {
        self.enter_layer();
        let is_between = matches!(self.step, Step::After | Step::Value | Step::Key) && self.keyword.is_none();
        self.leave_layer();
        is_between && self.candidate == Candidate::Shown && self.retired.is_none() && self.writer.let_go()
    }

    /// Whether what is read is a bare scalar that turns into prose, from its first byte on, if anything follows it. Of
    /// many roots one that breaks is prose up to there only.
    fn may_be_reread(&self) -> bool {
        self.candidate == Candidate::Scalar && self.options.roots != Roots::Many
    }

    /// Reads again from where the failed scalar began: what is held of it, then this piece.
    #[cold]
    fn reread(&mut self, text: &str, from: u32) -> Result<(), Stop> {
        let begun = self.root_start;
        self.at = begun;
        for (at, held) in self.envelope.take_held() {
            self.at = at;
            match held {
                Ok(held) => {
                    self.run_again(&held)?;
                    self.at += offset(held.len());
                }
                Err(count) => self.invalid(count)?,
            }
        }
        self.at = self.at.max(from);
        let skip = (self.at - from) as usize;
        self.run_again(text.get(skip..).unwrap_or_default())
    }

    #[inline(never)]
    pub(super) fn run_again(&mut self, text: &str) -> Result<(), Stop> {
        self.run(text)
    }

    /// Reads `count` bytes that are no UTF-8.
    #[cold]
    pub(super) fn invalid(&mut self, count: u32) -> Result<(), Stop> {
        let span = Span::new(self.at, self.at + count);
        if !self.options.is_lenient() {
            return self.fail(ErrorKind::InvalidUtf8, span.start, "UTF-8");
        }
        if self.step == Step::Layered {
            self.release_half_pair()?;
        }
        if self.step == Step::Layered {
            self.enter_layer();
            self.invalid(count)?;
            self.leave_layer();
            return Ok(());
        }
        if self.step == Step::Held {
            self.piece_start = span.start;
            self.release_before_invalid()?;
        }
        if self.step == Step::Outside && self.is_unread() {
            self.leave_unread(count as usize);
            self.at = span.end;
            return Ok(());
        }
        match self.step {
            Step::String
            | Step::KeyString
            | Step::OtherString
            | Step::OtherKey
            | Step::HeldString
            | Step::Bare
            | Step::BareKey => {
                self.release_marks()?;
                self.release_escape()?;
                self.push_char(char::REPLACEMENT_CHARACTER)?;
                if self.may_be_reread() {
                    self.envelope.hold_invalid(count, span.start);
                }
            }
            Step::Outside => self.invalid_outside(span),
            Step::Comment => {}
            _ if self.is_tolerant() => self.repairs.add_many(RepairKind::StrayText, span, count),
            _ => {
                if let Err(stop) = self.unexpected(span.start, "JSON") {
                    if self.error.is_some() {
                        return Err(stop);
                    }
                    // What the bare scalar took is read again, and these bytes behind it.
                    self.reread("", span.start)?;
                    return self.invalid(count);
                }
                self.prose(span);
            }
        }
        self.repairs.add(RepairKind::InvalidUtf8, span);
        self.at = span.end;
        Ok(())
    }

    #[inline(always)]
    fn run(&mut self, text: &str) -> Result<(), Stop> {
        let length = text.len();
        let mut i = 0;
        while i < length {
            if matches!(self.step, Step::After | Step::Key | Step::Value) {
                i = self.stretch(text, i);
                if i == length {
                    break;
                }
            }
            i = match self.step {
                Step::String => self.string::<false>(text, i)?,
                Step::KeyString => self.string::<true>(text, i)?,
                Step::After => self.after(text, i)?,
                Step::Key => self.key(text, i)?,
                Step::Colon => self.colon(text, i)?,
                Step::Value => self.value(text, i)?,
                Step::Number(state) => self.number(text, i, state)?,
                Step::FirstKey => self.first_key(text, i)?,
                Step::FirstElement => self.first_element(text, i)?,
                Step::Keyword => self.keyword(text, i)?,
                Step::Outside => self.outside(text, i)?,
                Step::Root => self.strict_root(text, i)?,
                Step::Done => self.done(text, i)?,
                Step::Held => self.held(text, i)?,
                Step::AfterPatient => self.after_patient(text, i)?,
                Step::OtherString => self.other_string(text, i, false)?,
                Step::OtherKey => self.other_string(text, i, true)?,
                Step::HeldString => self.held_string(text, i)?,
                Step::AfterHeldString => self.behind_held_string(text, i)?,
                Step::Join => self.join(text, i),
                Step::Bare => self.bare(text, i)?,
                Step::BareKey => self.bare_key(text, i)?,
                Step::BehindAnswer => self.behind_answer(text, i),
                Step::Stray => self.in_stray(text, i),
                Step::Comment => self.comment(text, i),
                Step::Layered => self.layered(text, i)?,
            };
        }
        if self.step == Step::Outside {
            self.envelope_pause(self.offset(length));
        }
        Ok(())
    }

    /// The offset in the source of byte `i` of the piece.
    #[inline(always)]
    pub(super) fn offset(&self, i: usize) -> u32 {
        self.at + offset(i)
    }

    // ----- errors -----

    /// Stops for good.
    #[cold]
    pub(super) fn fail<T>(&mut self, kind: ErrorKind, at: u32, expected: &'static str) -> Result<T, Stop> {
        if self.error.is_none() {
            let place = if self.options.keep_source { Some(self.place(at)) } else { None };
            self.error = Some(Arc::new(Error { kind, offset: at, place, expected }));
        }
        Err(Stop)
    }

    /// Line and column of a place. Walks the source up to there, once for each parser.
    fn place(&mut self, at: u32) -> (u32, u32) {
        self.stream.publish();
        let before = self.stream.stream.text(Span::new(0, at));
        let lines = before.bytes().filter(|byte| *byte == b'\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        (offset(lines) + 1, offset(column) + 1)
    }

    /// The byte at `at` cannot stand there: a candidate turns out to be prose, a root is malformed.
    ///
    /// Where the reading goes on is `Ok`: with the same byte, outside.
    #[cold]
    pub(super) fn unexpected(&mut self, at: u32, expected: &'static str) -> Result<(), Stop> {
        self.broken(ErrorKind::UnexpectedByte, at, expected)
    }

    /// As [`Machine::unexpected`], with a code of its own.
    #[cold]
    pub(super) fn broken(&mut self, code: ErrorKind, at: u32, expected: &'static str) -> Result<(), Stop> {
        match self.candidate {
            Candidate::Weak | Candidate::Aside => {
                self.abandon(at);
                Ok(())
            }
            Candidate::Scalar => {
                let in_line = self.options.roots == Roots::Many;
                let begun = self.root_start;
                self.abandon(if in_line { at } else { begun });
                if in_line { Ok(()) } else { Err(Stop) }
            }
            Candidate::Shown | Candidate::None => self.fail(code, at, expected),
        }
    }

    /// Stops at a limit on what is in a root, or at a duplicate key: for good, unless the root is not the answer
    /// anyway.
    #[cold]
    pub(super) fn refuse(&mut self, code: ErrorKind, at: u32, expected: &'static str) -> Result<(), Stop> {
        if !self.is_beside_answer() {
            return self.fail(code, at, expected);
        }
        self.abandon(at);
        Ok(())
    }

    /// Whether the root being read is not the answer, which has come.
    pub(super) fn is_beside_answer(&self) -> bool {
        self.has_answer() && matches!(self.candidate, Candidate::Aside | Candidate::Weak)
    }

    /// Whether the one root that is wanted has come.
    pub(super) fn has_answer(&self) -> bool {
        self.options.roots == Roots::One && self.document.is_some() && !self.is_left
    }

    // ----- roots -----

    /// Begins to read a root.
    pub(super) fn begin_root(&mut self, at: u32, candidate: Candidate) {
        if self.options.roots != Roots::One && self.document.is_some() && self.retired.is_none() {
            self.retire();
        }
        self.root_start = at;
        self.root_begins_line = self.envelope.begins_line();
        self.candidate = candidate;
        self.weak_scalars = 0;
        self.begin_lenient();
        self.repairs.begin_candidate();
        self.warnings.begin_candidate();
        self.writer.begin_candidate();
        if candidate == Candidate::Shown {
            self.candidate = Candidate::Weak;
            self.settle_root();
        }
    }

    /// Keeps what is shown of the document that ended, so that the writer can go on to the next.
    fn retire(&mut self) {
        let mark = self.writer.mark(Seen::default());
        self.retired = Some((self.writer.log().clone(), mark));
        self.writer.next_document(self.options.replacing());
    }

    /// The candidate is a root. It is shown, unless there is an answer already.
    pub(super) fn settle_root(&mut self) {
        if !matches!(self.candidate, Candidate::Weak | Candidate::Scalar) {
            return;
        }
        if self.has_answer() {
            self.candidate = Candidate::Aside;
            return;
        }
        self.release_weak(true);
        self.is_left = false;
        self.ended.extend(self.retired.take());
        self.document = Some(self.document.map_or(0, |number| number.saturating_add(1)));
        self.candidate = Candidate::Shown;
        self.writer.settle();
    }

    /// Leaves the root that is open as it is, for another document that begins at `at`.
    ///
    /// `half` is the start of a character that it ends with.
    pub(super) fn leave_root(&mut self, at: u32, half: Span) {
        self.left_at = Some(at);
        // Where there is no room for a last value, the error says so.
        let _ = self.settle_end(End::Truncated, half);
        self.left_at = None;
        self.writer.settle();
        let mut mark = self.mark();
        // The text behind is none of its, however much of that has come.
        (mark.seen.source, mark.seen.read) = (at, at);
        let log = self.writer.log().clone();
        let (node, nodes, span) = (mark.root, mark.nodes, Span::new(self.root_start, at));
        self.roots.push(Root {
            log: log.clone(),
            node,
            nodes,
            span,
            is_weak: false,
            open: Some(Arc::new(mark.clone())),
        });
        self.retired = Some((log, mark));
        self.writer.next_document(self.options.replacing());
        self.is_left = true;
        self.escape = Escape::default();
        self.keyword = None;
        self.dropping = None;
        self.lenient = Lenient::default();
        self.envelope = Envelope::new(&self.options);
        self.candidate = Candidate::None;
        self.step = if self.options.is_lenient() { Step::Outside } else { Step::Root };
        self.at = at;
    }

    /// Where the text ends that is read: what is behind it belongs to the document after this.
    pub(super) fn text_end(&self) -> u32 {
        self.left_at.unwrap_or_else(|| self.stream.length())
    }

    /// Reads text that is not in the source, in place of a stretch of it.
    ///
    /// `repair` says what it is called. Without one, or where it is the rest of a text in other quotes, it goes on with
    /// the escape that is cut.
    pub(super) fn supply(&mut self, text: &str, repair: Option<RepairKind>, place: Span) {
        if let Some(kind) = repair {
            if !matches!(kind, RepairKind::OtherQuotes | RepairKind::BareKey) {
                self.forget_escape();
                self.forget_half_pair();
            }
            self.repairs.add(kind, Span::new(place.end, place.end));
            // It is JSON, not JSON that is escaped or quoted.
            self.enter_layer();
        }
        let is_sound = self.error.is_none();
        let begin = Dropped::begin(place, offset(text.len()));
        for (i, character) in text.char_indices() {
            let mut bytes = [0; 4];
            let character = character.encode_utf8(&mut bytes);
            let at = (begin + offset(i)).min(place.end.saturating_sub(offset(character.len())));
            if self.replay(character, at).is_err() {
                if is_sound {
                    self.fail_behind(place.end);
                }
                return;
            }
        }
        self.leave_layer();
    }

    /// What goes wrong in what was supplied is said where the reading goes on: what was left out before is told.
    fn fail_behind(&mut self, at: u32) {
        if let Some(error) = self.error.take() {
            let _ = self.fail::<()>(error.kind, at, error.expected);
        }
    }

    /// The root was closed by its own bytes, the last of them before `end`.
    pub(super) fn root_ended(&mut self, end: u32) {
        let span = Span::new(self.root_start, end);
        if !self.options.is_lenient() {
            self.add_root(span, false);
            self.answer = Some(span);
            self.candidate = Candidate::None;
            self.step = if self.options.roots == Roots::One { Step::Done } else { Step::Root };
            return;
        }
        let is_strong = match self.candidate {
            // Of many, one that has its line for itself.
            Candidate::Weak if self.options.roots == Roots::Many => self.root_begins_line,
            // `{}` and `[]` with nothing before them.
            Candidate::Weak => {
                self.options.role == Role::Answer && self.envelope.is_clean() && self.writer.candidate_is_empty()
            }
            Candidate::Scalar => true,
            _ => false,
        };
        if is_strong {
            self.settle_root();
        }
        match self.candidate {
            Candidate::Weak => {
                self.add_root(span, true);
                self.weak_root(span);
            }
            Candidate::Aside => {
                self.add_root(span, false);
                self.skip(SkipKind::Document, span);
            }
            _ => {
                self.add_root(span, false);
                self.answer = Some(span);
            }
        }
        self.candidate = Candidate::None;
        self.step = Step::Outside;
        self.envelope.root_ended(self.options.roots);
    }

    fn add_root(&mut self, span: Span, is_weak: bool) {
        self.end_layer();
        let (node, nodes) = self.writer.put_aside();
        self.roots.push(Root { log: self.writer.log().clone(), node, nodes, span, is_weak, open: None });
    }

    /// The candidate is prose up to `at`, from where the reading goes on.
    pub(super) fn abandon(&mut self, at: u32) {
        self.writer.abandon_candidate();
        self.repairs.forget_candidate(self.root_start);
        self.warnings.forget_candidate(self.root_start);
        self.candidate = Candidate::None;
        self.escape = Escape::default();
        self.keyword = None;
        self.dropping = None;
        self.forget_held();
        self.end_layer();
        self.step = Step::Outside;
        self.envelope.candidate_failed();
        self.prose(Span::new(self.root_start, at));
    }

    // ----- what is shown -----

    /// The log that is shown.
    #[inline]
    pub(super) fn log(&self) -> &Arc<Log> {
        match &self.retired {
            Some((log, _)) => log,
            None => self.writer.log(),
        }
    }

    /// How much of the input is seen from here on.
    #[inline(always)]
    fn seen(&mut self) -> Seen {
        self.check_weak();
        self.stream.publish();
        let source = self.stream.length();
        let read = self.error.as_ref().map_or(source, |error| error.offset);
        let (outside, outside_end) = self.stream.seen();
        Seen { source, read, outside, outside_end }
    }

    /// Whether that log is the writer's, and all of it is shown.
    #[inline(always)]
    pub(super) fn shows_all(&self) -> bool {
        self.retired.is_none() && self.writer.shows_all()
    }

    /// How far it is shown then.
    #[inline(always)]
    pub(super) fn mark_all(&mut self) -> Bookmark {
        let seen = self.seen();
        self.writer.mark_all(seen)
    }

    /// How far that log is shown.
    pub(super) fn mark(&mut self) -> Bookmark {
        let seen = self.seen();
        match &self.retired {
            Some((_, retired)) => {
                let mut mark = retired.clone();
                mark.seen = seen;
                mark
            }
            None => self.writer.mark(seen),
        }
    }

    /// The document that is shown, as it is now.
    pub(super) fn snapshot(&mut self) -> Snapshot {
        let mark = self.mark();
        Snapshot::new(self.log().clone(), mark)
    }
}

/// A length or place in a piece as an offset. Pieces are shorter than the byte limit, which is below 4 GiB.
#[inline(always)]
pub(super) fn offset(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}
