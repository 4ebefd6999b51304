//! A hint to the processor, where it takes one.

use crate::pages::Line;

/// Asks for the line to be brought into the cache. Never waits, and changes nothing that a program can see.
#[cfg(all(target_arch = "x86_64", not(any(miri, loom))))]
#[inline]
pub(crate) fn prefetch_line(line: &Line) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that the program sees, and the address is that of a live line.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) }
}

/// Asks for the line to be brought into the cache. Never waits, and changes nothing that a program can see.
#[cfg(all(target_arch = "aarch64", not(any(miri, loom))))]
#[inline]
pub(crate) fn prefetch_line(line: &Line) {
    // SAFETY: `prfm` is a hint: it reads nothing that the program sees and keeps flags, stack and registers.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{line}]", line = in(reg) line, options(nostack, preserves_flags, readonly));
    }
}

/// No hint on this processor.
#[cfg(any(miri, loom, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[inline]
pub(crate) fn prefetch_line(_line: &Line) {}
