//! The table: buckets of slots, probed and stored without locks.

mod operations;

use std::marker::PhantomData;

use crate::pages::{LINE_BYTES, Line, Pages};
use crate::prefetch::prefetch_line;
use crate::replace::{Aged, Replace};
use crate::slot::{LINE_WORDS, Layout, Wide, Words};
use crate::sync::{AtomicU8, Ordering};
use crate::{Entry, Mates, Score, TableError};
use operations::{Find, Store, Ways};

/// A lock-free transposition table: `L` is the layout of its entries, `R` the scheme that replaces them.
///
/// Share it between threads by reference: probing and storing need no lock and no `&mut`. Racing stores may lose an
/// entry; a torn or foreign entry fails its verification, but for the odds that each [layout](Layout) states.
///
/// ```
/// use mnemon_table::{Entry, Table, Window};
///
/// let table: Table = Table::new(16 << 20)?;
/// let key = 0x9d39_247e_3377_6d41;
/// assert_eq!(table.probe(key), None);
///
/// table.store(key, Entry { window: Window::exact(-12), depth: 8, best: 42, ..Entry::default() });
/// let found = table.probe(key).expect("nothing else was stored");
/// assert_eq!((found.window, found.depth, found.best), (Window::exact(-12), 8, 42));
/// # Ok::<(), mnemon_table::TableError>(())
/// ```
pub struct Table<L: Layout = Wide, R: Replace = Aged> {
    pages: Pages,
    generation: AtomicU8,
    scheme: R,
    layout: PhantomData<fn() -> L>,
}

/// The result of [`Table::lookup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The position's entry.
    Hit(Entry),
    /// The position has no entry, and its bucket has a vacant slot.
    Vacant,
    /// The position has no entry, and other positions fill its bucket.
    Full,
}

impl<L: Layout, R: Replace> Table<L, R> {
    /// The slots of a cache line.
    const LINE_SLOTS: usize = {
        assert!(LINE_WORDS.is_multiple_of(<L::Words as Words>::COUNT), "slots fill a line evenly");
        LINE_WORDS / <L::Words as Words>::COUNT
    };

    /// An empty table of at most `bytes` bytes: any size, not only powers of two, rounded down to whole cache lines.
    ///
    /// All its memory is touched, on as many threads as the machine has processors, so that no search waits for the
    /// system to provide it.
    ///
    /// # Errors
    /// Less than one line, more than the machine's memory, or memory that the system refuses.
    pub fn new(bytes: usize) -> Result<Self, TableError> {
        Self::with_scheme(bytes, R::default())
    }

    /// As [`new`](Self::new), with a scheme that has settings of its own.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_scheme(bytes: usize, scheme: R) -> Result<Self, TableError> {
        let table = Self::lazy(bytes, scheme)?;
        table.touch();
        Ok(table)
    }

    /// As [`with_scheme`](Self::with_scheme), but the system provides the memory page by page, when it is first used or
    /// [touched](Self::touch): for a large table that may not be needed, or one that takes another's place.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn lazy(bytes: usize, scheme: R) -> Result<Self, TableError> {
        Ok(Self::with_pages(Pages::new(bytes)?, scheme))
    }

    /// Makes the system provide all memory of a [lazy](Self::lazy) table, on as many threads as the machine has processors.
    /// What is stored stays.
    pub fn touch(&self) {
        self.pages.touch(std::thread::available_parallelism().map_or(1, usize::from));
    }

    /// An empty table of at least `entries` slots, rounded up to whole cache lines; [`capacity`](Self::capacity) has
    /// their number.
    ///
    /// ```
    /// use mnemon_table::{Table, Wide, replace::TwoTier};
    ///
    /// let table: Table<Wide, TwoTier> = Table::with_entries(8192, TwoTier)?;
    /// assert_eq!((table.capacity(), table.ways()), (8192, 2)); // in 4,096 buckets
    /// # Ok::<(), mnemon_table::TableError>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_entries(entries: usize, scheme: R) -> Result<Self, TableError> {
        Self::with_scheme(entries.div_ceil(Self::LINE_SLOTS).saturating_mul(LINE_BYTES), scheme)
    }

    pub(crate) fn with_pages(pages: Pages, scheme: R) -> Self {
        Table { pages, generation: AtomicU8::new(0), scheme, layout: PhantomData }
    }

    /// A mate scale that this table's layout keeps exactly: a won position scores `win`, and scores within `longest` of
    /// `±win` are mate scores.
    ///
    /// ```
    /// use mnemon_table::{Full, Mates, Table};
    ///
    /// type Tt = Table<Full>;
    /// const MATES: Mates = Tt::mates(32_000, 1_000);
    /// ```
    /// The default layout keeps scores within ±16,383, so that this does not compile:
    /// ```compile_fail
    /// use mnemon_table::{Mates, Table, Wide};
    ///
    /// type Tt = Table<Wide>;
    /// const MATES: Mates = Tt::mates(32_000, 1_000);
    /// ```
    ///
    /// # Panics
    /// If a score does not fit the layout, or as [`Mates::new`]: at compile time in a `const`.
    pub const fn mates(win: Score, longest: Score) -> Mates {
        let mates = Mates::new(win, longest);
        assert!(mates.fits::<L>(), "the layout cannot keep scores up to this win: take one with wider scores, as Full");
        mates
    }

    /// This depth as [`Entry::depth`], for a `const` with the deepest search of a program: one that the layout cannot keep
    /// does not compile.
    ///
    /// ```
    /// use mnemon_table::{Dense, Table};
    ///
    /// const MAX_DEPTH: u8 = Table::<Dense>::depth(120);
    /// ```
    /// ```compile_fail
    /// use mnemon_table::{Dense, Table};
    ///
    /// const MAX_DEPTH: u8 = Table::<Dense>::depth(246);
    /// ```
    ///
    /// # Panics
    /// If the layout has a limit, and the depth is beyond it: at compile time in a `const`.
    pub const fn depth(plies: u32) -> u8 {
        let limit = match L::DEPTH_LIMIT {
            Some(limit) => limit,
            None => u8::MAX,
        };
        assert!(plies <= limit as u32, "the layout cannot keep this depth");
        plies as u8
    }

    /// The flag of this number, from 0, for [`Entry::flags`].
    ///
    /// ```
    /// use mnemon_table::{Entry, Table, Wide};
    ///
    /// const WAS_PV: u8 = Table::<Wide>::flag(0);
    ///
    /// let table: Table = Table::new(1 << 20)?;
    /// table.store(7, Entry { depth: 3, flags: WAS_PV, ..Entry::default() });
    /// assert!(table.probe(7).is_some_and(|entry| entry.flags & WAS_PV != 0));
    /// # Ok::<(), mnemon_table::TableError>(())
    /// ```
    ///
    /// # Panics
    /// If the layout has no such flag: at compile time in a `const`.
    pub const fn flag(number: u32) -> u8 {
        assert!(number < L::FLAG_BITS, "the layout has fewer flags");
        1 << number
    }

    /// The odds that a probe of a full bucket finds another position's entry.
    pub fn false_hit_odds(&self) -> f64 {
        self.ways() as f64 / 2_f64.powi(L::CHECK_BITS as i32)
    }

    /// The replacement scheme.
    pub fn scheme(&self) -> R {
        self.scheme
    }

    /// The ways of a bucket: the number of slots that one position may be stored in.
    #[inline]
    pub fn ways(&self) -> usize {
        Self::ways_of(self.scheme)
    }

    #[inline]
    pub(crate) fn ways_of(scheme: R) -> usize {
        scheme.run(Ways::<L>(PhantomData))
    }

    /// A copy of the position's entry if one verifies, the first if several do; `None` otherwise.
    // In the inner loop of every search: left to the compiler, a second caller in a crate makes it a function call.
    #[inline(always)]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        Some(L::decode(self.scheme.run(Find { table: self, key })?, self.generation()))
    }

    /// As [`probe`](Self::probe), and distinguishes a miss in a full bucket from a miss in one with a vacant slot.
    #[inline]
    pub fn lookup(&self, key: u64) -> Lookup {
        if let Some(entry) = self.probe(key) {
            return Lookup::Hit(entry);
        }
        let ways = self.ways();
        let bucket = self.bucket(key, ways);
        let vacant = (0..ways).any(|way| L::is_vacant(bucket.load(way)));
        if vacant { Lookup::Vacant } else { Lookup::Full }
    }

    /// Stores the entry for the position.
    ///
    /// - A position that has an entry is [renewed](Replace::renew) in its slot.
    /// - Otherwise the scheme chooses the slot, or discards the entry; entries that were recalled or advised in this
    ///   generation are not replaced by those of the search.
    /// - An entry of which the layout can keep nothing, or whose depth is beyond its limit, is not stored
    ///   ([`Layout::encode`]).
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        self.scheme.run(Store { table: self, key, entry });
    }

    /// Prefetches the position's cache line, for a probe or store that follows some 100 ns later.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_line(self.bucket(key, Self::LINE_SLOTS).line);
    }

    /// Starts a new generation: all entries age by one, and recalled or advised ones lose their protection.
    ///
    /// Call it once for each search. Generations are counted modulo [`GENERATIONS`](crate::Layout::GENERATIONS).
    pub fn new_generation(&self) {
        self.generation.store((self.generation() + 1) % L::GENERATIONS, Ordering::Relaxed);
    }

    /// Empties the table, with `threads` threads.
    ///
    /// Other threads may store meanwhile; what they store may stay.
    pub fn clear(&self, threads: usize) {
        self.pages.clear(threads);
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Replaces the table by an empty one of another size, whose memory is touched as by [`new`](Self::new).
    ///
    /// # Errors
    /// As [`new`](Self::new); then this table stays as it is.
    pub fn resize(&mut self, bytes: usize) -> Result<(), TableError> {
        // The old memory is given back before the new is used, so that both need not fit at once.
        self.pages = Pages::new(bytes)?;
        self.touch();
        self.generation.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Slots that hold entries of this generation, in per mille, from a sample: the first thousand cache lines. Keys
    /// spread evenly, and a sample from all over would touch pages that were never used.
    pub fn hashfull(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let (mut current, mut seen) = (0, 0);
        for line in self.pages.lines().iter().take(SAMPLE) {
            for slot in 0..Self::LINE_SLOTS {
                let words = L::Words::load(&line.0, slot * <L::Words as Words>::COUNT);
                current += usize::from(!L::is_vacant(words) && L::decode(words, self.generation()).age == 0);
                seen += 1;
            }
        }
        (current * 1000 / seen) as u32
    }

    /// The number of slots.
    pub fn capacity(&self) -> usize {
        self.pages.lines().len() * L::slots_per_line()
    }

    /// The bytes of all slots.
    pub fn bytes(&self) -> usize {
        self.pages.lines().len() * LINE_BYTES
    }

    #[cfg(feature = "snapshot")]
    pub(crate) fn lines(&self) -> &[Line] {
        self.pages.lines()
    }

    #[inline]
    pub(crate) fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    #[cfg(feature = "snapshot")]
    pub(crate) fn set_generation(&mut self, generation: u8) {
        self.generation.store(generation % L::GENERATIONS, Ordering::Relaxed);
    }

    /// The bucket of a key, which has this many ways: `key * buckets >> 64`, so that the number of lines need not be a
    /// power of two.
    #[inline(always)]
    fn bucket(&self, key: u64, ways: usize) -> Bucket<'_, L> {
        let lines = self.pages.lines();
        let buckets_per_line = Self::LINE_SLOTS / ways;
        let buckets = lines.len() * buckets_per_line;
        let index = ((key as u128 * buckets as u128) >> 64) as usize;
        let line = &lines[index / buckets_per_line];
        let first = index % buckets_per_line * ways * <L::Words as Words>::COUNT;
        Bucket { line, first, layout: PhantomData }
    }
}

/// The adjacent slots that a position may be stored in, all within one cache line.
struct Bucket<'a, L> {
    line: &'a Line,
    first: usize,
    layout: PhantomData<fn() -> L>,
}

impl<L: Layout> Bucket<'_, L> {
    /// The first of the `ways` slots that verifies for this key, with its way and words; `None` if none does.
    ///
    /// The tags of all slots are compared before one is read whole: without a branch for each, since which of them holds
    /// the key cannot be predicted.
    #[inline(always)]
    fn find(&self, key: u64, ways: usize) -> Option<(usize, L::Words)> {
        let mut candidates = 0_u32;
        for way in 0..ways {
            let tag = self.line.0[(self.first_word(way) + L::TAG_WORD) % LINE_WORDS].load(Ordering::Relaxed);
            candidates |= u32::from(L::may_hold(tag, key)) << way;
        }
        while candidates != 0 {
            let way = candidates.trailing_zeros() as usize;
            let words = self.load(way);
            if L::verifies(words, key) {
                return Some((way, words));
            }
            candidates &= candidates - 1;
        }
        None
    }

    #[inline(always)]
    fn load(&self, way: usize) -> L::Words {
        L::Words::load(&self.line.0, self.first_word(way))
    }

    #[inline(always)]
    fn store(&self, way: usize, words: L::Words) {
        words.store(&self.line.0, self.first_word(way));
    }

    #[inline(always)]
    fn first_word(&self, way: usize) -> usize {
        self.first + way * <L::Words as Words>::COUNT
    }
}
