//! The lower limit: one random cache line read (or written) in the same kind of memory, and nothing else.
#![allow(unsafe_code, reason = "reads mapped memory, and prefetches it")]

use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::{Advice, MmapMut, MmapOptions};

use super::Contender;

#[repr(align(64))]
struct Line([AtomicU64; 8]);

const HUGE_PAGE: usize = 2 << 20;

pub(crate) struct Bare {
    map: MmapMut,
    start: usize,
    lines: usize,
}

impl Bare {
    #[inline]
    pub(super) fn prefetch_address(address: *const i8) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch loads nothing into registers or memory, and is harmless at any address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(address);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = address;
    }

    #[inline]
    fn line(&self, key: u64) -> &Line {
        // SAFETY: `start` is a multiple of a line's size within a map that is `start` plus `lines` lines long or
        // longer and lives as long as `self`; atomics are valid for any bits, and no `&mut` to the map is given out.
        let lines: &[Line] =
            unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(self.start).cast(), self.lines) };
        &lines[((key as u128 * lines.len() as u128) >> 64) as usize]
    }
}

impl Contender for Bare {
    const NAME: &'static str = "bare read";

    fn with_bytes(bytes: usize) -> Self {
        let map = MmapOptions::new().len(bytes + HUGE_PAGE).map_anon().expect("memory for the benchmark");
        #[cfg(target_os = "linux")]
        let _ = map.advise(Advice::HugePage);
        let start = map.as_ptr().align_offset(HUGE_PAGE);
        Bare { map, start, lines: bytes / size_of::<Line>() }
    }

    fn held(&self) -> u64 {
        2 * self.lines as u64
    }

    #[inline]
    fn probe(&self, key: u64) -> u64 {
        let line = self.line(key);
        line.0[0].load(Ordering::Relaxed) ^ line.0[1].load(Ordering::Relaxed)
    }

    #[inline]
    fn store(&self, key: u64) {
        let word = &self.line(key).0[0];
        word.store(word.load(Ordering::Relaxed) ^ key, Ordering::Relaxed);
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        Self::prefetch_address(std::ptr::from_ref(self.line(key)).cast());
    }
}
