//! What most engines have: an array of sixteen-byte structs, one for each index, behind no lock, the whole key compared.
//! Written as relaxed atomics, which compile to the same instructions as plain reads and writes.

use std::sync::atomic::{AtomicU64, Ordering};

use mnemon_table::Entry;

use super::bare::Bare;
use super::{Contender, entry};

#[derive(Default)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

const _: () = assert!(size_of::<Slot>() == 16);

pub(crate) struct Plain(Box<[Slot]>);

impl Plain {
    #[inline]
    fn slot(&self, key: u64) -> &Slot {
        &self.0[((key as u128 * self.0.len() as u128) >> 64) as usize]
    }
}

impl Contender for Plain {
    const NAME: &'static str = "plain array of 16-byte structs";

    fn with_bytes(bytes: usize) -> Self {
        Plain((0..bytes / size_of::<Slot>()).map(|_| Slot::default()).collect())
    }

    fn held(&self) -> u64 {
        self.0.len() as u64 / 2
    }

    #[inline]
    fn probe(&self, key: u64) -> u64 {
        let slot = self.slot(key);
        if slot.key.load(Ordering::Relaxed) != key {
            return 0;
        }
        let data = slot.data.load(Ordering::Relaxed);
        let [best, score, depth, bound] = [data, data >> 16, data >> 32 & 255, data >> 40 & 3];
        score ^ bound ^ depth ^ (best & 0xffff) << 8
    }

    /// The usual rule: another position is replaced, and so is an entry that is not much deeper.
    #[inline]
    fn store(&self, key: u64) {
        let Entry { window, depth, best, .. } = entry(key);
        let slot = self.slot(key);
        let old_depth = slot.data.load(Ordering::Relaxed) >> 32 & 255;
        if slot.key.load(Ordering::Relaxed) != key || depth as u64 + 4 > old_depth {
            let data = best as u64 | (window.lower as u16 as u64) << 16 | (depth as u64) << 32 | 1 << 40;
            slot.key.store(key, Ordering::Relaxed);
            slot.data.store(data, Ordering::Relaxed);
        }
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        Bare::prefetch_address(std::ptr::from_ref(self.slot(key)).cast());
    }
}
