//! Append-only storage: one writer, any number of readers.
//!
//! This is the only file of the crate with `unsafe` in it. What it offers is safe to use in any way from outside this
//! file:
//!
//! - [`ByteLog`] with its [`TextWriter`] or [`PieceWriter`]: text or bytes in blocks that never move. The writer
//!   appends beyond what is published; readers borrow what is published and nothing else.
//! - [`CellBlock`] with its [`CellWriter`]: rows of eight numbers each, for the nodes.
//! - [`Directory`]: the table of the blocks, entered once and never changed.
//!
//! # For maintainers
//!
//! The whole argument rests on one number per block, `published`. Bytes below it are initialised and are never
//! written again; bytes at or above it belong to the writer alone. The number only grows, is stored with `Release`
//! by the one writer and loaded with `Acquire` by every reader. The writer may take back what it has not published
//! ([`TextWriter::truncate`]), never more.
//!
//! Addresses are `u32` and name a block and an offset in it: the first block has [`FIRST`] bytes, each next one four
//! times as many up to [`PAGE`], then every block (a *page*) has [`PAGE`] bytes. What must lie in one piece (a *run*)
//! moves to a larger block when it does not fit; a run longer than half a page gets a block of its own that doubles,
//! entered under as many page addresses as it covers once the run has ended.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::NonNull;

#[cfg(loom_models)]
use loom::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
#[cfg(not(loom_models))]
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use std::sync::OnceLock;
// Not loom's: the cells of a node say nothing about other memory (see `node`).
use std::sync::atomic::AtomicU32;

/// Bytes in the first block of a [`ByteLog`].
#[cfg(not(loom_models))]
const FIRST: usize = 1 << 8;
#[cfg(loom_models)]
const FIRST: usize = 1 << 2;

/// How often the block size grows fourfold before it stays.
const GROWTHS: usize = 6;

/// Bytes in a page: the largest ordinary block.
const PAGE: usize = FIRST << (2 * GROWTHS);

/// A piece of memory with a fixed place, written from the front.
pub(crate) struct Block {
    start: NonNull<u8>,
    capacity: usize,
    /// Bytes below this are initialised and will never be written again.
    published: AtomicUsize,
    /// What loom watches in place of the bytes: one cell a byte, since it cannot see through raw pointers.
    #[cfg(loom_models)]
    watch: Vec<loom::cell::UnsafeCell<()>>,
}

// SAFETY: a block owns its memory. All access from more than one thread goes through `published`: readers touch only
// bytes below it (immutable from then on), the one writer (`TextWriter` is neither `Clone` nor shared, and needs
// `&mut self` to write) only bytes at or above it.
unsafe impl Send for Block {}
// SAFETY: as for `Send`.
unsafe impl Sync for Block {}

impl Block {
    fn new(capacity: usize) -> Self {
        let memory = Box::leak(Box::<[u8]>::new_uninit_slice(capacity));
        Self {
            start: NonNull::from(memory).cast(),
            capacity,
            published: AtomicUsize::new(0),
            #[cfg(loom_models)]
            watch: (0..capacity).map(|_| loom::cell::UnsafeCell::new(())).collect(),
        }
    }

    /// The published bytes of `range`, or `None` where the range reaches beyond them.
    fn read(&self, range: Range<usize>) -> Option<&[u8]> {
        let published = self.published.load(Ordering::Acquire);
        if range.start > range.end || range.end > published {
            return None;
        }
        #[cfg(loom_models)]
        for cell in &self.watch[range.clone()] {
            cell.with(|_| ());
        }
        // SAFETY: the range lies below `published`, hence within the allocation, initialised, and not written again
        // while the block lives, which the borrow of `self` ensures.
        Some(unsafe { std::slice::from_raw_parts(self.start.as_ptr().add(range.start), range.len()) })
    }

    fn publish(&self, length: usize) {
        // Only the one writer stores, so this load cannot miss a larger number.
        if length > self.published.load(Ordering::Relaxed) {
            self.published.store(length, Ordering::Release);
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let memory = std::ptr::slice_from_raw_parts_mut(self.start.as_ptr().cast::<MaybeUninit<u8>>(), self.capacity);
        // SAFETY: these are the pointer and the length of the box that `new` leaked, and nobody else frees it.
        drop(unsafe { Box::from_raw(memory) });
    }
}

/// A block of the writer's: where it goes on writing, and how far it has come.
struct Open {
    block: OwnBlock,
    /// The address of the block's first byte.
    base: usize,
    /// Bytes written, published or not. Never below `block.published`.
    length: usize,
}

impl Open {
    fn room(&self) -> usize {
        self.block.0.capacity - self.length
    }

    /// Appends bytes for which there is room; what does not fit is cut off rather than written out of bounds.
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        let count = bytes.len().min(self.room());
        #[cfg(loom_models)]
        for cell in &self.block.0.watch[self.length..self.length + count] {
            cell.with_mut(|_| ());
        }
        // SAFETY: `length + count <= capacity`, so the target lies in the allocation. It lies at or above
        // `published` (`length` never falls below it), where no reader looks, and `&mut self` of the one writer
        // excludes another write and any borrow from `TextWriter::read`. `bytes` cannot overlap: a borrow of this
        // block's bytes by a reader ends below `published`.
        unsafe {
            copy(bytes.as_ptr(), self.block.0.start.as_ptr().add(self.length), count);
        }
        self.length += count;
    }

    /// The nearest place at or before `offset` that is not inside a character, nor behind the end.
    fn boundary(&self, offset: usize) -> usize {
        let written = self.read(0..self.length);
        let mut offset = offset.min(self.length);
        while written.get(offset).is_some_and(|byte| byte & 0xC0 == 0x80) {
            offset -= 1;
        }
        offset
    }

    /// The bytes of `range` that this writer has written.
    fn read(&self, range: Range<usize>) -> &[u8] {
        if range.start > range.end || range.end > self.length {
            return &[];
        }
        // SAFETY: below `length` every byte is initialised, and no write can happen while `self` is borrowed, for
        // writing needs `&mut` of the same, one writer.
        unsafe { std::slice::from_raw_parts(self.block.0.start.as_ptr().add(range.start), range.len()) }
    }
}

/// Copies `count` bytes. Tokens are short, and for those a call of `memcpy` costs more than the copy.
///
/// # Safety
///
/// As for [`std::ptr::copy_nonoverlapping`].
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8, count: usize) {
    /// Copies the first and the last `N` of `count` bytes, which overlap unless there are twice as many.
    #[inline(always)]
    unsafe fn ends<const N: usize>(from: *const u8, to: *mut u8, count: usize) {
        // SAFETY: `N <= count`, so both pieces lie in the ranges that the caller vouches for. Both are read before
        // either is written; arrays of bytes have no alignment.
        unsafe {
            let (first, last) = (from.cast::<[u8; N]>().read(), from.add(count - N).cast::<[u8; N]>().read());
            to.cast::<[u8; N]>().write(first);
            to.add(count - N).cast::<[u8; N]>().write(last);
        }
    }
    // SAFETY: the caller's; each arm names no more than `count` bytes.
    unsafe {
        if count < 4 {
            match count {
                0 => {}
                1 => to.write(from.read()),
                _ => ends::<2>(from, to, count),
            }
        } else if count <= 8 {
            ends::<4>(from, to, count);
        } else if count <= 16 {
            ends::<8>(from, to, count);
        } else if count <= 32 {
            ends::<16>(from, to, count);
        } else {
            std::ptr::copy_nonoverlapping(from, to, count);
        }
    }
}

/// Bytes as text if all of them are ASCII: what `str::from_utf8` says of them too, but cheaper for a few bytes.
#[inline(always)]
pub(crate) fn ascii(bytes: &[u8]) -> Option<&str> {
    let mut rest = bytes;
    let mut seen = 0;
    while let Some((word, more)) = rest.split_first_chunk::<8>() {
        seen |= u64::from_le_bytes(*word);
        rest = more;
    }
    match (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        (Some(first), Some(last)) => seen |= u64::from(u32::from_le_bytes(*first) | u32::from_le_bytes(*last)),
        _ => rest.iter().for_each(|byte| seen |= u64::from(*byte)),
    }
    // SAFETY: no byte has its highest bit set, and such a byte is a character of its own.
    (seen & u64::from_le_bytes([0x80; 8]) == 0).then(|| unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// The cells of one node, placed so that none lies in two cache lines: aligned to 16 bytes, as allocators do anyway, they
/// cost a small document less, and a large one a quarter more by the clock.
#[repr(align(32))]
pub(crate) struct Cells(pub(crate) [AtomicU32; 8]);

/// A row of cells with a fixed place, filled from the front.
pub(crate) struct CellBlock {
    start: NonNull<Cells>,
    capacity: usize,
    /// Cells below this are initialised. They may still be written, as the atomics that they are.
    written: AtomicUsize,
}

// SAFETY: a block owns its memory. Readers touch only cells below `written`, through shared references to atomics; the
// one `CellWriter` initialises only the cell at `written`, before it says so with `Release`.
unsafe impl Send for CellBlock {}
// SAFETY: as for `Send`.
unsafe impl Sync for CellBlock {}

impl CellBlock {
    /// An empty block for `capacity` cells and its one writer.
    pub(crate) fn new(capacity: usize) -> (std::sync::Arc<Self>, CellWriter) {
        let memory = Box::leak(Box::<[Cells]>::new_uninit_slice(capacity));
        let start = NonNull::from(memory).cast();
        let block = std::sync::Arc::new(Self { start, capacity, written: AtomicUsize::new(0) });
        (block.clone(), CellWriter { block, written: 0 })
    }

    /// The cells at this place, if they were written.
    #[inline(always)]
    pub(crate) fn get(&self, offset: usize) -> Option<&Cells> {
        if offset >= self.written.load(Ordering::Acquire) {
            return None;
        }
        // SAFETY: below `written`, hence within the allocation and initialised; only shared references to it exist.
        Some(unsafe { self.start.add(offset).as_ref() })
    }
}

impl Drop for CellBlock {
    fn drop(&mut self) {
        let memory =
            std::ptr::slice_from_raw_parts_mut(self.start.as_ptr().cast::<MaybeUninit<Cells>>(), self.capacity);
        // SAFETY: these are the pointer and the length of the box that `new` leaked; atomics need no drop.
        drop(unsafe { Box::from_raw(memory) });
    }
}

/// The one who fills a [`CellBlock`].
pub(crate) struct CellWriter {
    block: std::sync::Arc<CellBlock>,
    written: usize,
}

impl CellWriter {
    /// How many cells were written.
    #[inline(always)]
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// Writes the next cells. `false` where the block is full.
    #[inline(always)]
    pub(crate) fn append(&mut self, numbers: [u32; 8]) -> bool {
        if self.written >= self.block.capacity {
            return false;
        }
        // Number by number: as one value it would go over the stack, and be read back before it has got there.
        for (at, number) in numbers.into_iter().enumerate() {
            // SAFETY: below the capacity, and at `block.written`, so that no reader looks there; `&mut self` of the one
            // writer excludes another write. An atomic has the layout of its number.
            unsafe { self.block.start.add(self.written).cast::<u32>().add(at).write(number) };
        }
        self.written += 1;
        self.block.written.store(self.written, Ordering::Release);
        true
    }
}

/// The table of blocks: entries are set once and found by number in constant time.
///
/// The entries of the growing blocks lie in the table itself; the others in groups that are made when first needed, so
/// that a small document has a small table.
pub(crate) struct Directory<T> {
    small: [OnceLock<T>; GROWTHS + 1],
    groups: OnceLock<Box<[Group<T>]>>,
}

type Group<T> = OnceLock<Box<[OnceLock<T>]>>;

const GROUP: usize = 64;

/// Pages that a directory can hold: 4096.
pub(crate) const MAX_PAGES: usize = GROUP * GROUP;

fn empty<T>(count: usize) -> Box<[OnceLock<T>]> {
    (0..count).map(|_| OnceLock::new()).collect()
}

impl<T> Directory<T> {
    pub(crate) fn new() -> Self {
        Self { small: [const { OnceLock::new() }; GROWTHS + 1], groups: OnceLock::new() }
    }

    #[inline]
    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        match self.small.get(number) {
            Some(entry) => entry.get(),
            None => self.get_page(number - self.small.len()),
        }
    }

    fn get_page(&self, page: usize) -> Option<&T> {
        self.groups.get()?.get(page / GROUP)?.get()?.get(page % GROUP)?.get()
    }

    /// Enters a block. `false` where the number is beyond [`MAX_PAGES`] or was entered before.
    pub(crate) fn set(&self, number: usize, value: T) -> bool {
        let slot = self.small.get(number).or_else(|| {
            let page = number - self.small.len();
            let groups = self.groups.get_or_init(|| empty(GROUP));
            groups.get(page / GROUP)?.get_or_init(|| empty(GROUP)).get(page % GROUP)
        });
        slot.is_some_and(|slot| slot.set(value).is_ok())
    }
}

/// Where each growing block begins, in first blocks, and last where the pages begin: 0, 1, 1 + 4, 1 + 4 + 16, …
const BASES: [usize; GROWTHS + 2] = [0, 1, 5, 21, 85, 341, 1365, PAGES_BASE];

/// Where the pages begin, in first blocks.
const PAGES_BASE: usize = 5461;

/// Splits an address into the number of its block and the offset in it, where the first block has `1 << first` bytes.
#[inline]
pub(crate) fn locate(address: usize, first: u32) -> (usize, usize) {
    // In blocks four times as large as the one before, three times an address grows like a power of four.
    let number = (((address >> first) * 3 + 1).ilog2() / 2) as usize;
    match BASES.get(number) {
        Some(base) if number <= GROWTHS => (number, address - (base << first)),
        _ => {
            let page = first as usize + 2 * GROWTHS;
            let beyond = address - (PAGES_BASE << first);
            (GROWTHS + 1 + (beyond >> page), beyond & ((1 << page) - 1))
        }
    }
}

/// The number of items in block `number`.
pub(crate) fn block_size(number: usize, first: u32) -> usize {
    1 << (first as usize + 2 * number.min(GROWTHS))
}

/// The address of the first item of block `number`.
pub(crate) fn block_base(number: usize, first: u32) -> usize {
    match BASES.get(number) {
        Some(base) => base << first,
        None => (PAGES_BASE << first) + (number - GROWTHS - 1) * block_size(GROWTHS, first),
    }
}

const FIRST_BITS: u32 = FIRST.ilog2();

/// Where a block is entered: a long block stands under several page numbers, each with its own offset.
struct Entry {
    block: Arc<Block>,
    offset: usize,
}

/// What a [`ByteLog`] holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Whole `&str`s, in runs.
    Text,
    /// Any bytes, in pieces.
    Bytes,
}

/// The readers' side: published bytes by address.
pub(crate) struct ByteLog {
    blocks: Directory<Entry>,
    content: Content,
}

impl ByteLog {
    /// An empty log of text and its one writer.
    pub(crate) fn text() -> (std::sync::Arc<Self>, TextWriter) {
        let (log, open) = Self::new(Content::Text);
        (log.clone(), TextWriter { log, open, next: 1, run: 0, expected: 0, own_block: false })
    }

    /// An empty log of bytes and its one writer.
    pub(crate) fn bytes() -> (std::sync::Arc<Self>, PieceWriter) {
        let (log, open) = Self::new(Content::Bytes);
        (log.clone(), PieceWriter { log, open, next: 1 })
    }

    fn new(content: Content) -> (std::sync::Arc<Self>, Open) {
        let log = std::sync::Arc::new(Self { blocks: Directory::new(), content });
        let first = Arc::new(Block::new(FIRST));
        log.blocks.set(0, Entry { block: first.clone(), offset: 0 });
        (log, Open { block: OwnBlock(first), base: 0, length: 0 })
    }

    /// The published bytes from `start` on, `length` of them, which must lie in one block. `None` where they are not
    /// published or not in one piece.
    #[inline]
    pub(crate) fn read(&self, start: u32, length: u32) -> Option<&[u8]> {
        let (number, offset) = locate(start as usize, FIRST_BITS);
        let entry = self.blocks.get(number)?;
        let from = entry.offset + offset;
        entry.block.read(from..from + length as usize)
    }

    /// Published text. `None` where the log holds no text, or the range is not published, not in one piece, or cuts a
    /// character.
    #[inline]
    pub(crate) fn read_text(&self, start: u32, length: u32) -> Option<&str> {
        if self.content == Content::Bytes {
            return None;
        }
        if length == 0 {
            return Some("");
        }
        text(self.read(start, length)?)
    }

    /// Calls `each` with the pieces of a range of a log of bytes, in order.
    pub(crate) fn for_pieces(&self, range: Range<u32>, mut each: impl FnMut(&[u8])) {
        let mut at = range.start as usize;
        while at < range.end as usize {
            let (number, offset) = locate(at, FIRST_BITS);
            let count = (block_size(number, FIRST_BITS) - offset).min(range.end as usize - at);
            match self.read(u32_of(at), u32_of(count)) {
                Some(bytes) => each(bytes),
                None => return,
            }
            at += count;
        }
    }
}

/// Bytes as text, if they neither begin nor end inside a character.
///
/// To be called with bytes of a log of [`Content::Text`] only. Such logs are filled with whole `&str`s by their
/// [`TextWriter`], which goes on in another block at the end of one only and truncates between characters. So a slice
/// of them is valid exactly when both its ends are character boundaries; checking the whole would make reading a
/// growing string quadratic.
#[inline]
fn text(bytes: &[u8]) -> Option<&str> {
    let Some((&first, &last)) = bytes.first().zip(bytes.last()) else { return Some("") };
    if first.is_ascii() && last.is_ascii() {
        // SAFETY: see above; an ASCII byte is a whole character, so both ends are boundaries.
        return Some(unsafe { std::str::from_utf8_unchecked(bytes) });
    }
    let tail = bytes.len().saturating_sub(4);
    // What comes before the tail may make its first bytes look broken; only how it ends counts.
    let last = bytes.get(tail..).and_then(|tail| tail.utf8_chunks().last());
    let ends_whole = last.is_none_or(|chunk| chunk.invalid().is_empty());
    // SAFETY: as above: the first byte is no continuation byte and the last character is whole.
    (first & 0xC0 != 0x80 && ends_whole).then(|| unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// Of a number that is one of 32 bits: an address that was given out, a length in a block.
#[inline(always)]
fn low(number: usize) -> u32 {
    u32::try_from(number & 0xFFFF_FFFF).unwrap_or(u32::MAX)
}

/// Saturates: an address that is too large names nothing.
fn u32_of(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A block that a bookmark can hold on to: text in flight may lie in one that the log does not know yet.
#[derive(Clone)]
pub(crate) struct OwnBlock(Arc<Block>);

impl OwnBlock {
    /// The bytes in `range`, as [`ByteLog::read_text`].
    pub(crate) fn read_text(&self, range: Range<u32>) -> Option<&str> {
        text(self.0.read(range.start as usize..range.end as usize)?)
    }
}

/// The writer of a log of bytes. There is one for each log.
pub(crate) struct PieceWriter {
    log: std::sync::Arc<ByteLog>,
    open: Open,
    /// The number of the next block to enter.
    next: usize,
}

impl PieceWriter {
    /// Appends bytes, which need not lie in one piece. `false` when the log has no address left.
    #[inline(always)]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        if bytes.len() > self.open.room() {
            return self.push_over(bytes);
        }
        self.open.write(bytes);
        true
    }

    /// The same where they go on in other blocks.
    #[cold]
    #[inline(never)]
    fn push_over(&mut self, mut bytes: &[u8]) -> bool {
        while bytes.len() > self.open.room() {
            let (now, later) = bytes.split_at(self.open.room());
            self.open.write(now);
            let base = block_base(self.next, FIRST_BITS);
            let size = block_size(self.next, FIRST_BITS);
            let block = Arc::new(Block::new(size));
            if base + size > u32::MAX as usize
                || !self.log.blocks.set(self.next, Entry { block: block.clone(), offset: 0 })
            {
                return false;
            }
            self.publish();
            self.open = Open { block: OwnBlock(block), base, length: 0 };
            self.next += 1;
            bytes = later;
        }
        self.open.write(bytes);
        true
    }

    /// Lets readers see everything written so far.
    #[inline]
    pub(crate) fn publish(&mut self) {
        self.open.block.0.publish(self.open.length);
    }
}

/// The writer of a log of text. There is one for each log.
pub(crate) struct TextWriter {
    log: std::sync::Arc<ByteLog>,
    open: Open,
    /// The number of the next block to enter.
    next: usize,
    /// Address of the current run's first byte.
    run: usize,
    /// How many bytes may come in one go: what a block for a long run should have room for.
    expected: usize,
    /// The run lies in a block of its own that is not entered yet; addresses in it are not final.
    own_block: bool,
}

impl TextWriter {
    /// Says that up to so many bytes may come in one go.
    #[inline]
    pub(crate) fn expect(&mut self, bytes: usize) {
        self.expected = bytes;
    }

    /// The address of the next byte.
    #[inline]
    pub(crate) fn position(&self) -> u32 {
        u32_of(self.open.base + self.open.length)
    }

    /// Begins a run: what is pushed from here on lies in one piece. Ends the run before it.
    #[inline]
    pub(crate) fn begin_run(&mut self) {
        if self.own_block {
            self.enter_own_block();
        }
        self.run = self.open.base + self.open.length;
    }

    /// Where the current run lies: its first address and its length. It may change with the next push.
    #[inline]
    pub(crate) fn run(&self) -> (u32, u32) {
        (u32_of(self.run), u32_of(self.open.base + self.open.length - self.run))
    }

    /// The block of the current run if the log does not know it.
    #[inline]
    pub(crate) fn own_block(&self) -> Option<&OwnBlock> {
        self.own_block.then_some(&self.open.block)
    }

    /// Ends the run and gives its final place.
    pub(crate) fn end_run(&mut self) -> (u32, u32) {
        let length = self.run().1;
        if self.own_block {
            self.enter_own_block();
        }
        (u32_of(self.run), length)
    }

    /// Appends to the current run of a log of text. `false`, and nothing written, when the log has no address left.
    #[inline(always)]
    pub(crate) fn push_run(&mut self, text: &str) -> bool {
        if text.len() > self.open.room() && !self.move_run(text.len()) {
            return false;
        }
        self.open.write(text.as_bytes());
        true
    }

    /// Appends the first `count` bytes of `text`, which must end between characters. As [`TextWriter::push_run`], but
    /// cheaper where more text follows.
    #[inline(always)]
    pub(crate) fn push_start(&mut self, text: &str, count: usize) -> bool {
        // Whatever its length, a short token is copied as 32 bytes: what is behind it is written over.
        if let Some(bytes) = text.as_bytes().first_chunk::<32>()
            && count <= 32
            && text.is_char_boundary(count)
            && self.open.room() >= 32
        {
            let length = self.open.length;
            self.open.write(bytes);
            self.open.length = length + count;
            return true;
        }
        text.get(..count).is_some_and(|text| self.push_run(text))
    }

    /// Writes `count` bytes of `text` from `from` on as a run of its own, and gives its place. None, and nothing
    /// written, where they do not begin and end between characters, or the log has no address left.
    #[inline(always)]
    pub(crate) fn push_whole(&mut self, text: &str, from: usize, count: usize) -> Option<(u32, u32)> {
        // As in `push_start`. In text, every byte but those that go on with a character is a boundary.
        let begins = |byte: u8| byte & 0xC0 != 0x80;
        if let Some(bytes) = text.as_bytes().get(from..).and_then(<[u8]>::first_chunk::<32>)
            && let Some(behind) = bytes.get(count)
            && begins(*behind)
            && begins(bytes[0])
            && self.open.room() >= 32
            && !self.own_block
        {
            let length = self.open.length;
            self.open.write(bytes);
            self.open.length = length + count;
            self.run = self.open.base + length;
            return Some((low(self.run), low(count)));
        }
        self.push_long(text.get(from..)?.get(..count)?)
    }

    #[inline(never)]
    fn push_long(&mut self, text: &str) -> Option<(u32, u32)> {
        self.begin_run();
        self.push_run(text).then(|| self.end_run())
    }

    /// Moves the current run to where `more` bytes fit behind it.
    #[cold]
    fn move_run(&mut self, more: usize) -> bool {
        let offset = self.run - self.open.base;
        let length = self.open.length - offset;
        let need = length + more;
        if need > PAGE / 2 || self.own_block {
            return self.move_to_own_block(offset, need);
        }
        let mut number = self.next;
        while block_size(number, FIRST_BITS) < need * 2 {
            number += 1;
        }
        let size = block_size(number, FIRST_BITS);
        let base = block_base(number, FIRST_BITS);
        let block = Arc::new(Block::new(size));
        if base + size > u32::MAX as usize || !self.log.blocks.set(number, Entry { block: block.clone(), offset: 0 }) {
            return false;
        }
        let mut open = Open { block: OwnBlock(block), base, length: 0 };
        open.write(self.open.read(offset..offset + length));
        self.leave(offset, open);
        self.next = number + 1;
        self.run = base;
        true
    }

    fn move_to_own_block(&mut self, offset: usize, need: usize) -> bool {
        let number = self.next.max(GROWTHS + 1);
        let base = block_base(number, FIRST_BITS);
        // At least the next power of two, for a block that doubles copies each byte once on average; and room for all
        // that can come now.
        let expected = self.open.length - offset + self.expected;
        let capacity = need.checked_next_power_of_two().unwrap_or(need).max(expected);
        let pages = capacity.div_ceil(PAGE);
        if base + pages * PAGE > u32::MAX as usize || number - GROWTHS + pages > MAX_PAGES {
            return false;
        }
        let mut open = Open { block: OwnBlock(Arc::new(Block::new(capacity))), base, length: 0 };
        open.write(self.open.read(offset..self.open.length));
        self.leave(offset, open);
        self.next = number;
        self.run = base;
        self.own_block = true;
        true
    }

    /// Goes on in another block. What lies before the run in the block left behind stays part of the log.
    fn leave(&mut self, run_offset: usize, open: Open) {
        // Published text before the run was published with its block; unpublished text before the run (a key, held
        // nodes) is published here: nobody can see it before a bookmark names it, and it cannot be taken back by
        // `truncate` into an earlier block anyway.
        self.open.block.0.publish(run_offset);
        self.open = open;
    }

    /// Enters the run's own block under the page numbers that it covers.
    fn enter_own_block(&mut self) {
        self.own_block = false;
        let pages = self.open.block.0.capacity.div_ceil(PAGE);
        for page in 0..pages {
            let entry = Entry { block: self.open.block.0.clone(), offset: page * PAGE };
            self.log.blocks.set(self.next, entry);
            self.next += 1;
        }
    }

    /// Lets readers see everything written so far.
    #[inline]
    pub(crate) fn publish(&mut self) {
        self.open.block.0.publish(self.open.length);
    }

    /// Lets readers see what was written before `address`.
    pub(crate) fn publish_before(&mut self, address: u32) {
        if let Some(offset) = (address as usize).checked_sub(self.open.base) {
            self.open.block.0.publish(self.open.boundary(offset));
        }
    }

    /// Takes back what was written from `address` on. What is published, or lies in an earlier block, stays (and is
    /// merely unused).
    pub(crate) fn truncate(&mut self, address: u32) {
        if self.own_block {
            self.enter_own_block();
        }
        if let Some(offset) = (address as usize).checked_sub(self.open.base) {
            // Between characters only, or the text would no longer be made of whole ones. What is published ends
            // between characters, so this never takes back a byte of it.
            let published = self.open.block.0.published.load(Ordering::Relaxed);
            self.open.length = self.open.boundary(offset.max(published));
        }
        self.run = self.open.base + self.open.length;
    }

    /// What this writer has written from `start` on, `length` bytes, published or not; empty where they are not in
    /// one piece.
    pub(crate) fn read(&self, start: u32, length: u32) -> &[u8] {
        match (start as usize).checked_sub(self.open.base) {
            Some(offset) => self.open.read(offset..offset + length as usize),
            None => self.log.read(start, length).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests;
