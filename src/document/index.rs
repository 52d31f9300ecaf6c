//! Finding a member by name, or an element by place, in a large container without walking it.
//!
//! One table serves all containers of a log. Members of an object with more than [`LARGE`] are in it one by one, of an
//! array every [`STRIDE`]th element. An entry is a hash and a node: whether the node really is the member asked for is
//! seen from the node, so entries of abandoned nodes do no harm, and a bookmark simply ignores nodes beyond it. The
//! hash is seeded at random for each log, so that nobody can prepare keys that collide.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use hashbrown::HashTable;

use super::node::NodeId;

/// A container with more children than this is indexed; smaller ones are walked.
pub(crate) const LARGE: u32 = 32;

/// Every how many elements of an array one is entered.
pub(crate) const STRIDE: u32 = 32;

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    node: NodeId,
}

/// The index of one log.
#[derive(Default)]
pub(crate) struct Index {
    table: HashTable<Entry>,
    seed: RandomState,
}

impl Index {
    fn hash(&self, container: NodeId, name: impl Hash) -> u64 {
        let mut hasher = self.seed.build_hasher();
        container.hash(&mut hasher);
        name.hash(&mut hasher);
        hasher.finish()
    }

    pub(crate) fn add_member(&mut self, object: NodeId, key: &[u8], node: NodeId) {
        self.add(self.hash(object, key), node);
    }

    pub(crate) fn add_element(&mut self, array: NodeId, index: u32, node: NodeId) {
        self.add(self.hash(array, index), node);
    }

    fn add(&mut self, hash: u64, node: NodeId) {
        self.table.insert_unique(hash, Entry { hash, node }, |entry| entry.hash);
    }

    /// The nodes that may be the member; the caller looks whether they are.
    pub(crate) fn member(&self, object: NodeId, key: &[u8]) -> impl Iterator<Item = NodeId> {
        self.find(self.hash(object, key))
    }

    /// The nodes that may be the element; the caller looks whether they are.
    pub(crate) fn element(&self, array: NodeId, index: u32) -> impl Iterator<Item = NodeId> {
        self.find(self.hash(array, index))
    }

    fn find(&self, hash: u64) -> impl Iterator<Item = NodeId> {
        self.table.iter_hash(hash).filter(move |entry| entry.hash == hash).map(|entry| entry.node)
    }
}
