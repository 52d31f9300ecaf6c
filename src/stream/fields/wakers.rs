//! Who waits for the source.

use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, PoisonError};
use std::task::{Wake, Waker};

#[cfg(loom_models)]
use loom::sync::{Mutex, MutexGuard, atomic::AtomicBool};
#[cfg(not(loom_models))]
use std::sync::{Mutex, MutexGuard, atomic::AtomicBool};

use smallvec::SmallVec;

/// The wakers of all subscribers that wait. The source is polled with this as its waker: whoever polled it last, it
/// wakes all of them. So no subscriber is the one that the others depend on, and any may be dropped at any time.
#[derive(Debug, Default)]
pub(super) struct Wakers {
    inner: Mutex<Inner>,
    /// Whether the source has woken since [`Wakers::listen`].
    was_woken: AtomicBool,
}

#[derive(Debug, Default)]
struct Inner {
    /// By the number of the subscriber.
    waiting: Vec<Option<Waker>>,
    /// Numbers that were given back.
    free: Vec<usize>,
}

impl Wakers {
    // A lock is poisoned when its holder panicked. What is done under it, cloning a waker aside, does not.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number for a new subscriber.
    pub(super) fn enter(&self) -> usize {
        let mut inner = self.lock();
        inner.free.pop().unwrap_or_else(|| {
            inner.waiting.push(None);
            inner.waiting.len() - 1
        })
    }

    /// Takes a subscriber's number back.
    pub(super) fn leave(&self, subscriber: usize) {
        let mut inner = self.lock();
        let waker = inner.waiting.get_mut(subscriber).and_then(Option::take);
        inner.free.push(subscriber);
        // Dropping one runs the code of the runtime.
        drop(inner);
        drop(waker);
    }

    /// Says that a subscriber waits, until it is woken. One that has found what it waited for may be woken once more.
    pub(super) fn wait(&self, subscriber: usize, waker: &Waker) {
        let is_known = self
            .lock()
            .waiting
            .get(subscriber)
            .is_some_and(|known| known.as_ref().is_some_and(|known| known.will_wake(waker)));
        if is_known {
            return;
        }
        // Cloning one, and dropping the old one, run the code of the runtime.
        let waker = waker.clone();
        let old = self.lock().waiting.get_mut(subscriber).and_then(|place| place.replace(waker));
        drop(old);
    }

    /// Says that the source is about to be polled.
    pub(super) fn listen(&self) {
        self.was_woken.store(false, SeqCst);
    }

    /// Whether the source has woken since then.
    pub(super) fn was_woken(&self) -> bool {
        self.was_woken.load(SeqCst)
    }

    /// Wakes all who wait.
    pub(super) fn wake_all(&self) {
        self.wake_some(|_| true);
    }

    /// Wakes all who wait but one, who knows already.
    pub(super) fn wake_others(&self, subscriber: usize) {
        self.wake_some(|number| number != subscriber);
    }

    fn wake_some(&self, which: impl Fn(usize) -> bool) {
        let wakers: SmallVec<[Waker; 4]> = {
            let mut inner = self.lock();
            let waiting = inner.waiting.iter_mut().enumerate().filter(|(number, _)| which(*number));
            waiting.filter_map(|(_, waker)| waker.take()).collect()
        };
        // Not under the lock: a waker may do anything, polling a subscriber included.
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Wake for Wakers {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // Before the others are: whoever comes too late to be among them finds this.
        self.was_woken.store(true, SeqCst);
        self.wake_all();
    }
}
