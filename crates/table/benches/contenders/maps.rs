//! Concurrent hash maps of the same entries, as many as fit into the same bytes. Their hash is the key itself, which is
//! spread already, so that the comparison does not measure a hash function.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;

use dashmap::DashMap;
use mnemon_table::Entry;

use super::{Contender, entry, used};

/// A hasher that returns the `u64` key unchanged.
#[derive(Default)]
pub(crate) struct KeyItself(u64);

impl Hasher for KeyItself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are u64");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type Build = BuildHasherDefault<KeyItself>;

/// The entries that fit into `bytes` bytes: a key, an entry and a control byte each, at a load of 7/8.
fn entries_in(bytes: usize) -> usize {
    bytes / (size_of::<(u64, Entry)>() + 1) / 8 * 7
}

pub(crate) struct Dash {
    map: DashMap<u64, Entry, Build>,
    held: u64,
}

impl Contender for Dash {
    const NAME: &'static str = "dashmap";

    fn with_bytes(bytes: usize) -> Self {
        let held = entries_in(bytes);
        Dash { map: DashMap::with_capacity_and_hasher(held, Build::default()), held: held as u64 }
    }

    fn held(&self) -> u64 {
        self.held
    }

    #[inline]
    fn probe(&self, key: u64) -> u64 {
        self.map.get(&key).map_or(0, |found| used(*found))
    }

    #[inline]
    fn store(&self, key: u64) {
        self.map.insert(key, entry(key));
    }
}

const SHARDS: usize = 256;

pub(crate) struct Sharded {
    shards: Vec<Mutex<HashMap<u64, Entry, Build>>>,
    held: u64,
}

impl Sharded {
    /// Chosen by bits that the maps do not use for their buckets.
    #[inline]
    fn shard(&self, key: u64) -> &Mutex<HashMap<u64, Entry, Build>> {
        &self.shards[(key >> 40) as usize % SHARDS]
    }
}

impl Contender for Sharded {
    const NAME: &'static str = "256 × Mutex<HashMap>";

    fn with_bytes(bytes: usize) -> Self {
        let held = entries_in(bytes);
        let shard = || Mutex::new(HashMap::with_capacity_and_hasher(held / SHARDS, Build::default()));
        Sharded { shards: (0..SHARDS).map(|_| shard()).collect(), held: held as u64 }
    }

    fn held(&self) -> u64 {
        self.held
    }

    #[inline]
    fn probe(&self, key: u64) -> u64 {
        self.shard(key).lock().expect("no thread panics").get(&key).map_or(0, |&found| used(found))
    }

    #[inline]
    fn store(&self, key: u64) {
        self.shard(key).lock().expect("no thread panics").insert(key, entry(key));
    }
}
