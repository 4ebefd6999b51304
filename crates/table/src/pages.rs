//! The table's memory: whole cache lines, zeroed, on huge pages where the system gives them.

use crate::TableError;
use crate::slot::LINE_WORDS;
use crate::sync::{AtomicU64, Ordering};

/// One cache line, the unit of allocation and of every memory access.
#[repr(align(64))]
#[derive(Default)]
pub(crate) struct Line(pub(crate) [AtomicU64; LINE_WORDS]);

/// Bytes in a line.
pub(crate) const LINE_BYTES: usize = 64;

#[cfg(not(mnemon_loom))]
const _: () = assert!(size_of::<Line>() == LINE_BYTES && align_of::<Line>() == LINE_BYTES);

/// Lines that are worth a thread of their own: a thread's stack and start cost more than zeroing fewer, and where memory is
/// short, a thousand stacks would take the last of it.
const LEAST_SHARE: usize = (4 << 20) / LINE_BYTES;

/// Bytes in the smallest page that a system has.
const PAGE_BYTES: usize = 4096;

impl Line {
    fn clear(&self) {
        for word in &self.0 {
            word.store(0, Ordering::Relaxed);
        }
    }
}

/// A fixed number of lines, initially zero.
pub(crate) struct Pages(backing::Backing);

impl Pages {
    /// As many whole lines as fit into `bytes`.
    pub(crate) fn new(bytes: usize) -> Result<Self, TableError> {
        let lines = bytes / LINE_BYTES;
        if lines == 0 {
            return Err(TableError::TooSmall { bytes, least: LINE_BYTES });
        }
        let memory = physical_memory();
        if bytes > memory {
            return Err(TableError::TooLarge { bytes, memory });
        }
        backing::allocate(lines).map(Pages).map_err(|source| TableError::Refused { bytes, source })
    }

    #[inline]
    pub(crate) fn lines(&self) -> &[Line] {
        self.0.lines()
    }

    /// Zeroes every line, with `threads` threads.
    pub(crate) fn clear(&self, threads: usize) {
        self.each_share(threads, std::thread::Builder::new, |share| share.iter().for_each(Line::clear));
    }

    /// Writes to every page, with `threads` threads, and changes nothing: only then does the system provide the page.
    pub(crate) fn touch(&self, threads: usize) {
        self.each_share(threads, std::thread::Builder::new, |share| {
            for line in share.iter().step_by(PAGE_BYTES / LINE_BYTES) {
                // Not an OR with 0, which compilers turn into a read: that provides nothing.
                let _ = line.0[0].compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
            }
        });
    }

    /// Does `work` with all lines, each of the `threads` threads with an equal share; there are no more threads than shares
    /// of [`LEAST_SHARE`]. The calling thread does the shares of those that cannot be started.
    fn each_share(&self, threads: usize, builder: impl Fn() -> std::thread::Builder, work: fn(&[Line])) {
        let lines = self.lines();
        let share = lines.len().div_ceil(threads.max(1)).max(LEAST_SHARE);
        std::thread::scope(|scope| {
            let mut shares = lines.chunks(share);
            let own = shares.next();
            for share in shares {
                if builder().spawn_scoped(scope, move || work(share)).is_err() {
                    work(share);
                }
            }
            own.into_iter().for_each(work);
        });
    }
}

/// The bytes of physical memory; the largest address range if the system does not tell.
#[cfg(all(target_os = "linux", not(miri)))]
fn physical_memory() -> usize {
    // SAFETY: sysconf reads a system constant and touches no memory of ours.
    let (pages, page) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    match (usize::try_from(pages), usize::try_from(page)) {
        (Ok(pages), Ok(page)) if pages > 0 && page > 0 => pages.saturating_mul(page),
        _ => isize::MAX as usize,
    }
}

/// The largest address range: this target has no portable query for physical memory.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn physical_memory() -> usize {
    isize::MAX as usize
}

/// Anonymous mapped memory: the system zeroes each page when it is first touched.
#[cfg(not(any(miri, mnemon_loom, target_family = "wasm")))]
mod backing {
    use super::{LINE_BYTES, Line};
    use memmap2::{MmapMut, MmapOptions};
    use std::io;

    pub(super) struct Backing {
        map: MmapMut,
        /// The offset of the first line in the map.
        start: usize,
        lines: usize,
    }

    /// The lines start at a multiple of this, so that no huge page is lost at either end.
    const HUGE_PAGE: usize = 2 << 20;

    pub(super) fn allocate(lines: usize) -> io::Result<Backing> {
        let bytes = lines * LINE_BYTES;
        let slack = if bytes >= HUGE_PAGE { HUGE_PAGE } else { 0 };
        let map = MmapOptions::new().len(bytes + slack).map_anon()?;
        let start = if slack == 0 { 0 } else { map.as_ptr().align_offset(HUGE_PAGE) };
        debug_assert!(start + bytes <= map.len());
        advise_huge_pages(&map);
        Ok(Backing { map, start, lines })
    }

    /// Asks for huge pages. A refusal costs speed only, so it is ignored.
    fn advise_huge_pages(map: &MmapMut) {
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        #[cfg(not(target_os = "linux"))]
        let _ = map;
    }

    impl Backing {
        #[inline]
        pub(super) fn lines(&self) -> &[Line] {
            // SAFETY: `start` is a multiple of a line's size within a page-aligned map that is `start` plus `lines`
            // lines long or longer and lives as long as `self`; atomics are valid for any bits, zero included, and
            // no `&mut` to the map is ever given out.
            unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(self.start).cast(), self.lines) }
        }
    }
}

/// Heap memory, for WebAssembly, which maps nothing, and for Miri and loom, which do not model the system calls.
#[cfg(any(miri, mnemon_loom, target_family = "wasm"))]
mod backing {
    use super::Line;
    use std::io;

    pub(super) struct Backing(Vec<Line>);

    pub(super) fn allocate(lines: usize) -> io::Result<Backing> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(lines).map_err(io::Error::other)?;
        memory.resize_with(lines, Line::default);
        Ok(Backing(memory))
    }

    impl Backing {
        pub(super) fn lines(&self) -> &[Line] {
            &self.0
        }
    }
}

#[cfg(all(test, not(any(miri, mnemon_loom, target_family = "wasm"))))]
mod tests {
    use super::*;

    #[test]
    fn what_no_thread_clears_the_calling_thread_clears() {
        let pages = Pages::new((2 * LEAST_SHARE + 100) * LINE_BYTES).expect("a small table");
        pages.lines().iter().for_each(|line| line.0[0].store(1, Ordering::Relaxed));
        // No system has room for this stack.
        let builder = || std::thread::Builder::new().stack_size(usize::MAX / 4);
        pages.each_share(8, builder, |share| share.iter().for_each(Line::clear));
        assert!(pages.lines().iter().all(|line| line.0[0].load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn several_threads_clear_everything() {
        let pages = Pages::new((2 * LEAST_SHARE + 100) * LINE_BYTES).expect("a small table");
        pages.lines().iter().for_each(|line| line.0[0].store(1, Ordering::Relaxed));
        pages.clear(8);
        assert!(pages.lines().iter().all(|line| line.0[0].load(Ordering::Relaxed) == 0));
    }
}
