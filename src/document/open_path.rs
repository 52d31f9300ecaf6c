//! What the open path alone says about a place.

use super::path::{Named, Token, Tokens};
use super::{Reader, Replacing};

impl Reader<'_> {
    /// Whether what is named may still change, or still come. Of what is closed it is not asked whether it is there:
    /// neither that nor its absence changes any more.
    ///
    /// `None` where more has to be looked at: where members are replaced, and for a key that is written with escapes.
    pub(crate) fn may_change(self, mut tokens: Tokens<'_>) -> Option<bool> {
        let mark = self.mark;
        if mark.replacing != Replacing::Never {
            return None;
        }
        if mark.root.is_none() {
            return Some(true);
        }
        let leaf = mark.leaf().map(|leaf| leaf.node);
        let mut rest = mark.open().iter();
        while let Some(open) = rest.next() {
            // Of its children only the last can be open.
            let inner = rest.as_slice().first().map(|open| open.node()).or(leaf);
            if open.is_object() {
                let Some(token) = tokens.next() else { return Some(true) };
                let key = match token {
                    Token::Plain(key) | Token::Key(key) => key,
                    Token::Pointer(_) => return None,
                    Token::Index(_) | Token::Nothing(_) => return Some(false),
                };
                let is_inner =
                    inner.is_some_and(|inner| self.log.node(inner).is_some_and(|node| self.has_key(node, key)));
                if !is_inner {
                    return Some(self.member_of(*open, key).is_none());
                }
            } else {
                let behind = open.count() as usize;
                let index = match tokens.next_named() {
                    Named::Element(index) => index,
                    Named::Nothing => return Some(false),
                    Named::End => return Some(true),
                };
                if index >= behind {
                    return Some(true);
                }
                if index + 1 < behind || inner.is_none() {
                    return Some(false);
                }
            }
        }
        Some(leaf.is_some() && tokens.next().is_none())
    }
}
