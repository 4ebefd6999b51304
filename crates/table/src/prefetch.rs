//! The processor's prefetch instruction, where there is one.

use crate::pages::Line;

/// Prefetches the line into all cache levels. Never waits, and changes nothing that a program can observe.
#[cfg(all(target_arch = "x86_64", not(any(miri, mnemon_loom))))]
#[inline]
pub(crate) fn prefetch_line(line: &Line) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch loads nothing into registers or memory, and the address is that of a live line.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) }
}

/// Prefetches the line into all cache levels. Never waits, and changes nothing that a program can observe.
#[cfg(all(target_arch = "aarch64", not(any(miri, mnemon_loom))))]
#[inline]
pub(crate) fn prefetch_line(line: &Line) {
    // SAFETY: `prfm` is a hint: it loads nothing into registers or memory and preserves flags and stack.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{line}]", line = in(reg) line, options(nostack, preserves_flags, readonly));
    }
}

/// Does nothing: this target has no prefetch that we use.
#[cfg(any(miri, mnemon_loom, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[inline]
pub(crate) fn prefetch_line(_line: &Line) {}
