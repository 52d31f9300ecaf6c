//! The answers that can be looked at.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::answer::Answer;

/// How many are kept: the oldest goes when there are more, whether or not it has ended.
pub const KEPT: usize = 16;

pub struct Answers {
    state: Mutex<State>,
    /// A browser that connects again after the server was started again must not find another answer under its number.
    run: u64,
}

#[derive(Default)]
struct State {
    kept: VecDeque<(String, Arc<Answer>)>,
    count: u64,
}

impl Answers {
    pub fn new() -> Self {
        Self { state: Mutex::default(), run: RandomState::new().hash_one(0) }
    }

    /// Keeps an answer: its id.
    pub fn add(&self, answer: Arc<Answer>) -> String {
        let mut state = self.state();
        state.count += 1;
        let id = format!("{:016x}-{}", self.run, state.count);
        state.kept.push_back((id.clone(), answer));
        if state.kept.len() > KEPT
            && let Some((_, oldest)) = state.kept.pop_front()
        {
            oldest.give_up();
        }
        id
    }

    pub fn get(&self, id: &str) -> Option<Arc<Answer>> {
        self.state().kept.iter().find(|(known, _)| known == id).map(|(_, answer)| Arc::clone(answer))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
