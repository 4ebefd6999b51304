//! The table: buckets of slots, probed and stored without locks.

use std::marker::PhantomData;

use crate::pages::{LINE_BYTES, Line, Pages};
use crate::prefetch::prefetch_line;
use crate::replace::{Aged, Placement, Replace, Resident, guarded};
use crate::slot::{LINE_WORDS, Layout, Wide, Words};
use crate::sync::{AtomicU8, AtomicU64, Ordering};
use crate::{Entry, TableError};

/// A lock-free transposition table: `L` says how entries are laid out, `R` which of them go when it is full.
///
/// Share it between threads by reference: probing and storing need no lock and no `&mut`. It may lose entries, but it
/// never gives one position's entry to another, however threads interleave; see the layouts for how many bits say so.
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

/// What [`Table::lookup`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The position's entry.
    Hit(Entry),
    /// Not the position, and room for it.
    Vacant,
    /// Not the position: its whole bucket is taken by others, which the verification told apart.
    Full,
}

impl<L: Layout, R: Replace> Table<L, R> {
    /// How many slots one position may stand in.
    pub const WAYS: usize = {
        let slots = LINE_WORDS / <L::Words as Words>::COUNT;
        assert!(LINE_WORDS.is_multiple_of(<L::Words as Words>::COUNT), "slots fill a line evenly");
        assert!(R::WAYS.is_power_of_two(), "buckets fill a line evenly");
        if R::WAYS < slots { R::WAYS } else { slots }
    };

    const BUCKET_WORDS: usize = Self::WAYS * <L::Words as Words>::COUNT;
    const BUCKETS_PER_LINE: usize = LINE_WORDS / Self::BUCKET_WORDS;

    /// An empty table of at most `bytes` bytes: any size, not only powers of two, rounded down to whole cache lines.
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
        Ok(Table { scheme, ..Self::with_pages(Pages::new(bytes)?) })
    }

    pub(crate) fn with_pages(pages: Pages) -> Self {
        Table { pages, generation: AtomicU8::new(0), scheme: R::default(), layout: PhantomData }
    }

    /// A copy of the position's entry, or `None` if the table does not have it.
    // The inner loop of every search: left to the compiler, a second caller in a crate was enough to make it a call.
    #[inline(always)]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let (_, words) = self.bucket(key).find(key, Self::WAYS)?;
        Some(L::decode(words, self.generation()))
    }

    /// As [`probe`](Self::probe), telling a miss in an open bucket from one where other positions stand.
    #[inline]
    pub fn lookup(&self, key: u64) -> Lookup {
        if let Some(entry) = self.probe(key) {
            return Lookup::Hit(entry);
        }
        let bucket = self.bucket(key);
        let vacant = (0..Self::WAYS).any(|way| L::is_vacant(bucket.load(way)));
        if vacant { Lookup::Vacant } else { Lookup::Full }
    }

    /// Keeps the entry for the position, if the scheme finds a place for it.
    ///
    /// A position that is there already is [updated](Entry::updated_with) where it stands.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let generation = self.generation();
        let Some(words) = L::encode(key, &entry, generation) else { return };
        // What the table would keep of the newcomer is compared with what it kept of the residents. A layout that
        // cannot keep the taint has dropped the window for it, which must not cost a clean resident its own.
        let new = Entry { tainted: entry.tainted, ..L::decode(words, generation) };
        let bucket = self.bucket(key);
        if let Some((way, words)) = bucket.find(key, Self::WAYS) {
            let updated = L::decode(words, generation).updated_with(&new);
            if let Some(words) = L::encode(key, &updated, generation) {
                bucket.store(way, words);
            }
            return;
        }
        let resident = |way| {
            let words = bucket.load(way);
            (!L::is_vacant(words)).then(|| L::decode(words, generation))
        };
        // Nothing but the scheme looks at the array, so that what it does not ask for need not be decoded.
        let residents: [Resident; LINE_WORDS] =
            std::array::from_fn(|way| if way < Self::WAYS { resident(way) } else { None });
        let place = self.scheme.place(&residents[..Self::WAYS], &new);
        match guarded(place, Self::WAYS, resident, &new) {
            Placement::Discard => {}
            Placement::Way(way) => bucket.store(way, words),
            Placement::Promote => {
                bucket.store(1, bucket.load(0));
                bucket.store(0, words);
            }
        }
    }

    /// Starts fetching the position's cache line, for a probe or store that follows a little later.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_line(self.bucket(key).line);
    }

    /// Starts a new generation: entries stored before it age by one, and protection given before it ends.
    ///
    /// Call it once for each search. A layout counts up to
    /// [`GENERATIONS`](crate::Layout::GENERATIONS) and then starts anew.
    pub fn new_generation(&self) {
        self.generation.store((self.generation() + 1) % L::GENERATIONS, Ordering::Relaxed);
    }

    /// Forgets everything, with so many threads.
    ///
    /// Threads that store meanwhile do no harm; what they store may stay.
    pub fn clear(&self, threads: usize) {
        self.pages.clear(threads);
        self.generation.store(0, Ordering::Relaxed);
    }

    /// An empty table of another size in this one's place.
    ///
    /// # Errors
    /// As [`new`](Self::new); then this table stays as it is.
    pub fn resize(&mut self, bytes: usize) -> Result<(), TableError> {
        self.pages = Pages::new(bytes)?;
        self.generation.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// How full the table is with entries of this generation, in per mille, from a sample of a thousand lines: the first
    /// ones, which are as good as any, so that the system need not bring memory that nobody has used yet.
    pub fn hashfull(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let (mut current, mut seen) = (0, 0);
        for line in self.pages.lines().iter().take(SAMPLE) {
            for slot in line.0.chunks_exact(<L::Words as Words>::COUNT) {
                let words = L::Words::load(slot);
                current += usize::from(!L::is_vacant(words) && L::decode(words, self.generation()).age == 0);
                seen += 1;
            }
        }
        (current * 1000 / seen) as u32
    }

    /// How many entries fit.
    pub fn capacity(&self) -> usize {
        self.pages.lines().len() * L::slots_per_line()
    }

    /// How many bytes the entries take.
    pub fn bytes(&self) -> usize {
        self.pages.lines().len() * LINE_BYTES
    }

    pub(crate) fn lines(&self) -> &[Line] {
        self.pages.lines()
    }

    #[inline]
    pub(crate) fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    pub(crate) fn set_generation(&mut self, generation: u8) {
        self.generation.store(generation % L::GENERATIONS, Ordering::Relaxed);
    }

    /// The bucket of a key: the key's high bits choose, by multiply-high, so that any number of lines serves.
    #[inline]
    fn bucket(&self, key: u64) -> Bucket<'_, L> {
        let lines = self.pages.lines();
        let buckets = lines.len() * Self::BUCKETS_PER_LINE;
        let index = ((key as u128 * buckets as u128) >> 64) as usize;
        let line = &lines[index / Self::BUCKETS_PER_LINE];
        let first = index % Self::BUCKETS_PER_LINE * Self::BUCKET_WORDS;
        Bucket { line, first, layout: PhantomData }
    }
}

/// The neighbouring slots that a position may stand in, all within one cache line.
struct Bucket<'a, L> {
    line: &'a Line,
    first: usize,
    layout: PhantomData<fn() -> L>,
}

impl<L: Layout> Bucket<'_, L> {
    /// The first of so many slots that is an entry of this key, and where it is.
    #[inline(always)]
    fn find(&self, key: u64, ways: usize) -> Option<(usize, L::Words)> {
        (0..ways).map(|way| (way, self.load(way))).find(|&(_, words)| L::verifies(words, key))
    }

    #[inline]
    fn load(&self, way: usize) -> L::Words {
        L::Words::load(self.cells(way))
    }

    #[inline]
    fn store(&self, way: usize, words: L::Words) {
        words.store(self.cells(way));
    }

    #[inline]
    fn cells(&self, way: usize) -> &[AtomicU64] {
        let start = self.first + way * <L::Words as Words>::COUNT;
        &self.line.0[start..start + <L::Words as Words>::COUNT]
    }
}
