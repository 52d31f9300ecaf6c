//! A global allocator that counts, for the thread that asks.
//!
//! Counters are per thread, so tests that run side by side do not disturb each other, and off unless asked for, so that
//! timings taken in the same program stay fair: when off, an allocation costs one more predictable branch.

// Each includer needs some of these only. `unsafe`: a global allocator cannot be written without it.
#![allow(dead_code, unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// What a stretch of program did with the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// How often memory was asked for: new blocks and blocks made larger or smaller.
    pub allocations: u64,
    /// Bytes held now, less those held at the start.
    pub live: i64,
    /// The most that `live` ever was.
    pub peak: i64,
}

thread_local! {
    static COUNTING: Cell<bool> = const { Cell::new(false) };
    static HEAP: Cell<Heap> = const { Cell::new(Heap { allocations: 0, live: 0, peak: 0 }) };
}

/// Starts counting on this thread, from nothing.
pub fn start() {
    HEAP.set(Heap::default());
    COUNTING.set(true);
}

/// What was counted on this thread since `start`.
pub fn so_far() -> Heap {
    HEAP.get()
}

/// Stops counting on this thread and says what was counted.
pub fn stop() -> Heap {
    COUNTING.set(false);
    HEAP.get()
}

pub struct Counting;

impl Counting {
    #[inline]
    fn note(allocations: u64, bytes: i64) {
        if COUNTING.get() {
            let mut heap = HEAP.get();
            heap.allocations += allocations;
            heap.live += bytes;
            heap.peak = heap.peak.max(heap.live);
            HEAP.set(heap);
        }
    }
}

fn signed(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

// SAFETY: every call is handed to the system allocator unchanged. The counters are thread locals without a destructor
// and with a constant start value, so touching them allocates nothing and works while a thread ends.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::note(1, signed(layout.size()));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::note(1, signed(layout.size()));
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        Self::note(0, -signed(layout.size()));
        // SAFETY: the block came from `System`, with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::note(1, signed(size) - signed(layout.size()));
        // SAFETY: the block came from `System`, with this layout; the caller keeps the contract on `size`.
        unsafe { System.realloc(block, layout, size) }
    }
}
