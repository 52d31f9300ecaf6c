//! The calls of a choice, and which of them a piece of a call belongs to.
//!
//! OpenAI numbers the calls of a choice, and sends id and name with the first piece of each. Others who speak its form
//! leave the number out, send 0 for all, repeat id and name with each piece, send a new id with each, or send all calls
//! without an id. So every piece is looked at by all that it says, in this order:
//!
//! 1. A known id (with the same number, if both have one): its call.
//! 2. The last call with the number, without one the last call; unless the piece begins another, see
//!    [`begins_another`].
//! 3. A new call.

use std::collections::HashMap;

use crate::parser::Options;

use super::tool_call::ToolCall;

/// A piece of a call. What it does not say is empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'p> {
    pub(super) index: Option<u64>,
    pub(super) id: &'p str,
    pub(super) name: &'p str,
    pub(super) arguments: &'p str,
    /// The arguments are all of them, not a piece.
    pub(super) is_whole: bool,
    /// The arguments are free text.
    pub(super) is_custom: bool,
    /// Other pieces came with it.
    pub(super) has_company: bool,
}

/// The calls, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Calls {
    list: Vec<ToolCall>,
    /// The last call with each id, and with each number.
    by_id: HashMap<String, usize>,
    by_index: HashMap<u64, usize>,
}

impl Calls {
    pub(super) fn list(&self) -> &[ToolCall] {
        &self.list
    }

    pub(super) fn get_mut(&mut self, call: usize) -> Option<&mut ToolCall> {
        self.list.get_mut(call)
    }

    /// The last call with this number.
    pub(super) fn with_index(&self, index: u64) -> Option<usize> {
        self.by_index.get(&index).copied()
    }

    /// A new call.
    pub(super) fn begin(&mut self, index: Option<u64>, id: &str, name: &str, options: Options) -> usize {
        let number = self.list.len();
        self.list.push(ToolCall::new(index, options));
        if let Some(index) = index {
            self.by_index.insert(index, number);
        }
        self.describe(number, id, name, false);
        number
    }

    /// More of a call's id and name.
    pub(super) fn describe(&mut self, number: usize, id: &str, name: &str, has_arguments: bool) {
        let Some(call) = self.list.get_mut(number) else { return };
        if !id.is_empty() {
            let old = call.id().map(str::to_owned);
            call.add_id(id, has_arguments);
            let new = call.id();
            if let Some(old) = old.filter(|old| Some(old.as_str()) != new)
                && self.by_id.get(&old) == Some(&number)
            {
                self.by_id.remove(&old);
            }
            if let Some(id) = new
                && self.by_id.get(id) != Some(&number)
            {
                self.by_id.insert(id.to_owned(), number);
            }
        }
        if !name.is_empty() {
            call.add_name(name);
        }
    }

    /// The call that a piece belongs to. `None`: a new one.
    pub(super) fn owner(&self, piece: &Piece<'_>) -> Option<usize> {
        let get = |number: usize| self.list.get(number).map(|call| (number, call));
        if let Some((number, call)) = self.by_id.get(piece.id).and_then(|&number| get(number)) {
            let is_same = call.index == piece.index || call.index.is_none() || piece.index.is_none();
            if is_same && call.id() == Some(piece.id) {
                return Some(number);
            }
        }
        let (number, call) = match piece.index {
            Some(index) => self.with_index(index),
            None => self.list.len().checked_sub(1),
        }
        .and_then(get)?;
        (!begins_another(call, piece)).then_some(number)
    }
}

/// Whether a piece that by its number could go on with a call begins another one.
fn begins_another(call: &ToolCall, piece: &Piece<'_>) -> bool {
    let begins_document = piece.arguments.trim_start().starts_with('{');
    let has_arguments = !piece.arguments.trim_start().is_empty();
    let has_name = !piece.name.is_empty();
    let is_other_name = has_name && !call.name.is_empty() && piece.name != call.name;
    let is_other_id = !piece.id.is_empty() && call.id().is_some_and(|id| id != piece.id);
    if piece.is_whole {
        return call.has_arguments() || is_other_name || is_other_id;
    }
    if !has_name {
        // A call begins with a name: some servers send a new id with each piece of its arguments. But a whole document
        // that comes under an id of its own is a call, too.
        return is_other_id && call.is_closed() && begins_document;
    }
    if is_other_id {
        // ... or even a new id and the same name.
        let goes_on = call.has_arguments() && !call.is_closed() && !is_other_name && has_arguments && !begins_document;
        return !goes_on;
    }
    if call.is_closed() {
        return is_other_name || has_arguments;
    }
    if call.has_arguments() {
        return is_other_name && (begins_document || !has_arguments);
    }
    // Without a number another name is another call, with one it may be the next piece of a name.
    is_other_name && (piece.index.is_none() || piece.has_company)
}
