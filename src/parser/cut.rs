//! The state of a parser in the words of a [`Cut`].

use crate::document::NodeKind;
use crate::frozen::{Cut, CutState};

use super::machine::{Candidate, Machine, Step};

impl Machine {
    /// Where the text stopped, if a root is open there.
    pub(super) fn cut(&self) -> Option<Cut> {
        let in_root = !matches!(self.step, Step::Outside | Step::Root | Step::Done);
        if self.error.is_some() || !in_root || self.candidate != Candidate::Shown {
            return None;
        }
        let state = self.cut_state();
        let in_flight = !matches!(state, CutState::InKey | CutState::BetweenMembers);
        let quote = matches!(state, CutState::InString | CutState::InEscape);
        let mut closers = String::from(if quote { "\"" } else { "" });
        closers.push_str(&self.writer.closers());
        Some(Cut {
            offset: self.stream.length(),
            state,
            open: Some(self.writer.path(in_flight, state == CutState::AfterKey)),
            closers,
        })
    }

    fn cut_state(&self) -> CutState {
        match self.step {
            Step::String | Step::OtherString if self.escape.is_pending() => CutState::InEscape,
            Step::String | Step::OtherString | Step::HeldString | Step::Bare => CutState::InString,
            Step::KeyString | Step::OtherKey | Step::BareKey => CutState::InKey,
            Step::Colon => CutState::AfterKey,
            Step::Value if self.writer.container() == Some(NodeKind::Object) => CutState::AfterColon,
            Step::Number(_) => CutState::InNumber,
            Step::Keyword => CutState::InKeyword,
            Step::Outside | Step::Root => CutState::BeforeRoot,
            Step::Done => CutState::Done,
            Step::Value
            | Step::FirstElement
            | Step::FirstKey
            | Step::Key
            | Step::After
            | Step::AfterPatient
            | Step::AfterHeldString
            | Step::Join
            | Step::BehindAnswer
            | Step::Stray
            | Step::Comment
            | Step::Layered
            | Step::Held => CutState::BetweenMembers,
        }
    }
}
