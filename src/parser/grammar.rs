//! The grammar between scalars: what may follow what.

use crate::document::NodeKind;

use super::error::ErrorKind;
use super::machine::{Candidate, Machine, Step, Stop};
use super::options::{Expect, Roots};
use super::report::RepairKind;
use super::whole::{follower, skip_blanks, whole_key, whole_keyword, whole_number, whole_string};

impl Machine {
    /// Before a root in the strict dialect.
    pub(super) fn strict_root(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let (i, Some(byte)) = skip_blanks(text.as_bytes(), i) else { return Ok(text.len()) };
        let (fits, expected) = match self.options.expect {
            Expect::Any => (byte != b']' && byte != b'}', "a value"),
            Expect::Object => (byte == b'{', "an object"),
            Expect::Array => (byte == b'[', "an array"),
        };
        if !fits || !starts_value(byte) {
            return self.fail(ErrorKind::UnexpectedByte, self.offset(i), expected);
        }
        self.begin_root(self.offset(i), Candidate::Shown);
        self.value_at(text, byte, i)
    }

    /// After the only root in the strict dialect.
    pub(super) fn done(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let (i, Some(_)) = skip_blanks(text.as_bytes(), i) else { return Ok(text.len()) };
        self.fail(ErrorKind::UnexpectedByte, self.offset(i), "the end of the text")
    }

    /// A value behind a colon or a comma.
    #[inline]
    pub(super) fn value(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let (i, Some(byte)) = skip_blanks(text.as_bytes(), i) else { return Ok(text.len()) };
        if byte == b']' && self.step == Step::Value && self.options.is_lenient() && !self.writer.has_key() {
            return self.close_after_comma(NodeKind::Array, i);
        }
        self.value_at(text, byte, i)
    }

    /// The first element of an array, or its end.
    #[inline]
    pub(super) fn first_element(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let (i, Some(byte)) = skip_blanks(text.as_bytes(), i) else { return Ok(text.len()) };
        if byte == b']' {
            return self.close(i);
        }
        self.value_at(text, byte, i)
    }

    /// The first key of an object, or its end.
    #[inline]
    pub(super) fn first_key(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let (i, Some(byte)) = skip_blanks(text.as_bytes(), i) else { return Ok(text.len()) };
        match byte {
            b'"' => self.begin_key(text, i),
            b'}' => self.close(i),
            _ => self.other_key(text, i, byte),
        }
    }

    /// A key behind a comma.
    #[inline]
    pub(super) fn key(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let (i, Some(byte)) = skip_blanks(text.as_bytes(), i) else { return Ok(text.len()) };
        match byte {
            b'"' => self.begin_key(text, i),
            b'}' if self.options.is_lenient() => self.close_after_comma(NodeKind::Object, i),
            _ => self.other_key(text, i, byte),
        }
    }

    #[inline]
    fn begin_key(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        self.token_start = self.offset(i);
        if let Some(length) = whole_key(text.as_bytes(), i) {
            let end = i + length + 2;
            let member = self.writer.key((text.get(i + 1..).unwrap_or_default(), length));
            self.step = Step::Colon;
            self.key_named(member, self.offset(end))?;
            if self.step != Step::Colon {
                return Ok(end);
            }
            self.settle_object();
            self.step = Step::Value;
            // Straight on: to go by the step would cost more than the value.
            return self.value(text, end + 1);
        }
        self.begin_string_text();
        self.step = Step::KeyString;
        Ok(i + 1)
    }

    /// The colon between key and value.
    #[inline]
    pub(super) fn colon(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let (at, byte) = skip_blanks(text.as_bytes(), i);
        if byte == Some(b':') {
            self.colon_found()?;
            return Ok(if self.step == Step::Value { at + 1 } else { at });
        }
        self.waits_behind(text.get(i..at).unwrap_or_default(), self.offset(i))?;
        match byte {
            Some(byte) => self.behind_key(text, at, byte),
            None => Ok(at),
        }
    }

    /// A colon, or what stands for one, comes behind a key.
    pub(super) fn colon_found(&mut self) -> Result<(), Stop> {
        self.step = Step::Colon;
        self.name_key()?;
        // Where the key is refused, the reading goes on elsewhere.
        if self.step == Step::Colon {
            self.settle_object();
            self.step = Step::Value;
        }
        Ok(())
    }

    /// A key and a colon: what is held is an object, and the root that it is in is no prose.
    #[inline]
    fn settle_object(&mut self) {
        match self.candidate {
            Candidate::Weak => self.settle_root(),
            Candidate::Shown if self.writer.is_holding() => self.writer.settle(),
            _ => {}
        }
    }

    /// A value that begins with `byte` at `i`.
    #[inline]
    pub(super) fn value_at(&mut self, text: &str, byte: u8, i: usize) -> Result<usize, Stop> {
        let at = self.offset(i);
        if let Some(next) = self.whole_scalar(text, byte, i)? {
            return Ok(next);
        }
        match byte {
            b'"' => {
                self.token_start = at;
                self.begin_string_text();
                if self.may_be_key() {
                    self.step = Step::HeldString;
                    return Ok(i + 1);
                }
                if self.candidate == Candidate::Weak {
                    self.settle_root();
                }
                self.begin_string_leaf(at)?;
                self.step = Step::String;
                Ok(i + 1)
            }
            b'{' => self.open(NodeKind::Object, Step::FirstKey, i),
            b'[' => self.open(NodeKind::Array, Step::FirstElement, i),
            b'-' | b'0'..=b'9' => self.begin_number(text, byte, i),
            b't' | b'f' | b'n' => Ok(self.begin_keyword(byte, i)),
            _ => self.other_value(text, i, byte),
        }
    }

    /// Whether a string element that begins here may be a key: behind another kind of element.
    #[inline]
    fn may_be_key(&self) -> bool {
        self.options.is_lenient()
            && self.writer.container() == Some(NodeKind::Array)
            && self.writer.last_child().is_some_and(|last| last != NodeKind::String)
    }

    /// A scalar that is in the piece as a whole, and is final with what follows it there. The same as reading it step
    /// by step, but for the work of remembering the steps.
    #[inline]
    fn whole_scalar(&mut self, text: &str, byte: u8, i: usize) -> Result<Option<usize>, Stop> {
        if matches!(self.candidate, Candidate::Weak | Candidate::Scalar) {
            return Ok(None);
        }
        let bytes = text.as_bytes();
        let found = match byte {
            b'"' => whole_string(bytes, i).map(|length| (NodeKind::String, i + 1, length, i + length + 2)),
            b'-' | b'0'..=b'9' => whole_number(bytes, i).map(|end| (NodeKind::Number, i, end - i, end)),
            b't' | b'f' | b'n' => whole_keyword(bytes, i).map(|(kind, end)| (kind, end, 0, end)),
            _ => None,
        };
        let Some((kind, from, length, end)) = found else { return Ok(None) };
        let next = if self.options.is_lenient() {
            let Some(container) = self.writer.container() else { return Ok(None) };
            let Some(next) = follower(bytes, end, kind, container == NodeKind::Object) else { return Ok(None) };
            next
        } else {
            end
        };
        let span = (self.offset(i), self.offset(end));
        self.token_start = span.0;
        let limit = self.options.limits.nodes;
        let written = match kind {
            NodeKind::String | NodeKind::Number => {
                self.writer.scalar(kind, (text.get(from..).unwrap_or_default(), length), span, limit)
            }
            _ => self.writer.keyword(kind, span.0, span.1, limit),
        };
        if written.is_err() {
            return self.too_many_nodes(span.0);
        }
        self.value_ended(span.1)?;
        Ok(Some(next))
    }

    #[cold]
    pub(super) fn too_many_nodes<T>(&mut self, at: u32) -> Result<T, Stop> {
        // The text was read up to this value, and none of it.
        self.step = Step::Value;
        self.keyword = None;
        self.fail(ErrorKind::NodeLimit, at, "fewer values")
    }

    #[inline]
    pub(super) fn open(&mut self, kind: NodeKind, step: Step, i: usize) -> Result<usize, Stop> {
        let at = self.offset(i);
        let depth = self.writer.depth();
        if depth >= self.options.limits.depth as usize {
            return self.refuse(ErrorKind::DepthLimit, at, "fewer containers in each other").map(|()| i);
        }
        if self.options.is_lenient() {
            if self.candidate == Candidate::Weak && self.lenient.has_bare {
                // Words and brackets are prose.
                return self.unexpected(at, "`,`").map(|()| i);
            }
            // Whether `{` is an object shows with its first key and colon.
            if kind == NodeKind::Object {
                self.writer.hold();
            } else if self.candidate == Candidate::Weak {
                self.weak_scalars &= !level_bit(depth);
            }
        }
        self.forget_closed_odd();
        if self.writer.begin_container(kind, at, self.options.limits.nodes).is_err() {
            return self.too_many_nodes(at);
        }
        self.step = step;
        Ok(i + 1)
    }

    /// A scalar begins or ends in the innermost array of a weak candidate: the second one shows that it is a root.
    pub(super) fn weak_scalar(&mut self) {
        let bit = level_bit(self.writer.depth().wrapping_sub(1));
        if self.weak_scalars & bit != 0 {
            self.settle_root();
        }
        self.weak_scalars |= bit;
    }

    /// A value ended, the last of its bytes before `end`.
    #[inline]
    pub(super) fn value_ended(&mut self, end: u32) -> Result<(), Stop> {
        if self.dropping.is_some() {
            self.check_dropped(end)?;
        }
        if self.writer.depth() == 0 {
            self.root_ended(end);
        } else {
            self.step = Step::After;
        }
        Ok(())
    }

    /// What comes behind a value.
    #[inline]
    pub(super) fn after(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        let begun = i;
        let (i, Some(byte)) = skip_blanks(text.as_bytes(), i) else { return self.blanks_behind(text, i) };
        match (byte, self.writer.container()) {
            (b',', Some(container)) => {
                let is_grouping = i == begun && self.lenient.gap.is_empty();
                if is_grouping && container == NodeKind::Object && self.writer.leaf_kind() == Some(NodeKind::Number) {
                    match self.groups_digits(text, i) {
                        Some(false) => {}
                        Some(true) => {
                            self.go_on_as_bare(None, self.leaf_end)?;
                            return self.comma_in_bare(i);
                        }
                        None => return Ok(text.len()),
                    }
                }
                self.settle_scalar()?;
                self.comma = self.offset(i);
                // Straight on, as behind a key.
                if container == NodeKind::Object {
                    self.step = Step::Key;
                    self.key(text, i + 1)
                } else {
                    self.step = Step::Value;
                    self.value(text, i + 1)
                }
            }
            (b'}', Some(NodeKind::Object)) | (b']', Some(NodeKind::Array)) => {
                self.settle_scalar()?;
                self.close(i)
            }
            (_, Some(_)) => {
                self.blanks_behind(text.get(..i).unwrap_or_default(), begun)?;
                self.behind_value(text, i, byte)
            }
            (_, None) => self.after_scalar_root(i),
        }
    }

    /// The text from `i` on is white space behind a value.
    fn blanks_behind(&mut self, text: &str, i: usize) -> Result<usize, Stop> {
        if self.options.is_lenient() && (self.writer.has_leaf() || self.keyword.is_some()) {
            self.waits_behind(text.get(i..).unwrap_or_default(), self.offset(i))?;
        }
        Ok(text.len())
    }

    /// What comes behind a bare scalar that may be a root.
    #[cold]
    fn after_scalar_root(&mut self, i: usize) -> Result<usize, Stop> {
        let at = self.offset(i);
        if self.options.roots == Roots::Many && at > self.leaf_end {
            self.end_scalar_root()?;
            return Ok(i);
        }
        self.unexpected(at, "the end of the text").map(|()| i)
    }

    /// The bare scalar that is waiting is a root.
    pub(super) fn end_scalar_root(&mut self) -> Result<(), Stop> {
        let end = self.leaf_end;
        self.settle_scalar()?;
        if self.candidate != Candidate::None {
            self.root_ended(end);
        }
        Ok(())
    }

    /// The scalar that was waiting for what follows it is final.
    #[inline]
    pub(super) fn settle_scalar(&mut self) -> Result<(), Stop> {
        if !self.options.is_lenient() {
            return Ok(());
        }
        if self.writer.has_leaf() {
            self.show_tail();
            self.writer.end_leaf(self.leaf_end);
        } else if let Some((kind, ..)) = self.keyword.take() {
            if self.candidate == Candidate::Weak {
                self.weak_scalar();
            }
            let limit = self.options.limits.nodes;
            if self.writer.keyword(kind, self.token_start, self.leaf_end, limit).is_err() {
                return self.too_many_nodes(self.token_start);
            }
        } else {
            return Ok(());
        }
        if self.dropping.is_some() {
            self.check_dropped(self.leaf_end)?;
        }
        Ok(())
    }

    /// A scalar was ended before `end` by other means than [`Machine::settle_scalar`].
    pub(super) fn end_dropped(&mut self, end: u32) -> Result<(), Stop> {
        if self.dropping.is_some() { self.check_dropped(end) } else { Ok(()) }
    }

    /// A value ended before `end`, which may be the one that is dropped.
    #[cold]
    fn check_dropped(&mut self, end: u32) -> Result<(), Stop> {
        if let Some(start) = self.dropping
            && !self.writer.is_discarding()
        {
            self.dropping = None;
            self.warnings.stretch(start, end);
            if self.writer.take_conflict() && !self.is_beside_answer() {
                // However its value was read, that has ended.
                self.step = Step::After;
                return self.fail(ErrorKind::DuplicateKey, start, "the same value as before, or another key");
            }
        }
        Ok(())
    }

    /// The closer of the innermost container.
    #[inline]
    pub(super) fn close(&mut self, i: usize) -> Result<usize, Stop> {
        if self.has_odd() && self.closes_braces(i) {
            return Ok(i + 1);
        }
        self.end_container(self.offset(i + 1))?;
        Ok(i + 1)
    }

    /// The innermost container ends before `end`.
    #[inline]
    pub(super) fn end_container(&mut self, end: u32) -> Result<(), Stop> {
        self.writer.end_container(end);
        if self.candidate == Candidate::Shown && self.writer.is_holding() {
            self.writer.settle();
        }
        self.value_ended(end)
    }

    /// A closer right behind a comma.
    #[cold]
    fn close_after_comma(&mut self, container: NodeKind, i: usize) -> Result<usize, Stop> {
        if self.writer.container() != Some(container) {
            return self.unexpected(self.offset(i), "a value").map(|()| i);
        }
        self.repairs.add(RepairKind::ExtraComma, self.sign(self.comma));
        self.close(i)
    }
}

/// The bit of an array at this level; containers below the 63rd have none, and simply need stronger signs.
fn level_bit(level: usize) -> u64 {
    if level < 64 { 1 << level } else { 0 }
}

/// Whether a value can begin with this byte.
pub(super) fn starts_value(byte: u8) -> bool {
    matches!(byte, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
}
