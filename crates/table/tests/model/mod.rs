//! A slow, obvious model of the table: vectors of slots, and each scheme written from its description.

use mnemon_table::{Bound, Entry, Origin, Window};

/// A stored entry, and the generation it was stored in, counted from the start.
#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    entry: Entry,
    generation: u32,
}

type Bucket = Vec<Option<Slot>>;

pub(crate) struct Model {
    scheme: &'static str,
    buckets: Vec<Bucket>,
    generation: u32,
    /// Ages are counted modulo this.
    generations: u32,
    /// Whether the layout keeps tainted windows with their mark; otherwise it drops them.
    keeps_tainted: bool,
    /// Whether the layout keeps both bounds of a window; otherwise it keeps one, the new one where a position is stored
    /// again.
    keeps_both: bool,
}

/// Where a new entry is stored.
enum Choice {
    Reject,
    Replace(usize),
    /// In the first slot, whose entry moves to the second.
    PushDown,
}

impl Model {
    pub(crate) fn new(
        scheme: &'static str,
        ways: usize,
        capacity: usize,
        generations: u8,
        keeps_tainted: bool,
        keeps_both: bool,
    ) -> Self {
        let buckets = vec![vec![None; ways]; capacity / ways];
        Model { scheme, buckets, generation: 0, generations: generations.into(), keeps_tainted, keeps_both }
    }

    pub(crate) fn new_generation(&mut self) {
        self.generation += 1;
    }

    pub(crate) fn clear(&mut self) {
        self.buckets.iter_mut().flatten().for_each(|slot| *slot = None);
        self.generation = 0;
    }

    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.residents(self.index(key));
        bucket.into_iter().flatten().find(|(resident, _)| *resident == key).map(|(_, entry)| entry)
    }

    pub(crate) fn store(&mut self, key: u64, entry: Entry) {
        let drops = entry.tainted && !self.keeps_tainted;
        let entry = Entry { window: if drops { Window::UNKNOWN } else { entry.window }, ..entry };
        let entry = self.one_sided(entry, |window| Window::at_least(window.lower));
        let index = self.index(key);
        let residents = self.residents(index);
        let marked = |entry: Entry| Entry { tainted: entry.tainted && self.keeps_tainted, ..entry };
        let slot = |entry| Some(Slot { key, entry: marked(entry), generation: self.generation });
        let known = residents.iter().position(|resident| resident.is_some_and(|(resident, _)| resident == key));
        if let Some((way, (_, old))) = known.and_then(|way| Some((way, residents[way]?))) {
            self.buckets[index][way] = slot(self.one_sided(updated(self.scheme, &old, &entry), |_| entry.window));
            return;
        }
        let residents: Vec<Option<Entry>> = residents.iter().map(|slot| slot.map(|(_, entry)| entry)).collect();
        let slot = slot(entry);
        match protecting(choice(self.scheme, &residents, &entry), &residents, &entry) {
            Choice::Reject => {}
            Choice::Replace(way) => self.buckets[index][way] = slot,
            Choice::PushDown => {
                self.buckets[index].insert(0, slot);
                self.buckets[index].pop();
            }
        }
    }

    /// The entry with one bound, where the layout keeps no more and there are two.
    fn one_sided(&self, entry: Entry, kept: impl Fn(Window) -> Window) -> Entry {
        let Window { lower, upper } = entry.window;
        let is_one = lower == Window::NO_LOWER || upper == Window::NO_UPPER || lower == upper;
        if self.keeps_both || is_one { entry } else { Entry { window: kept(entry.window), ..entry } }
    }

    /// The key as a fraction of 2^64, of the number of buckets.
    fn index(&self, key: u64) -> usize {
        ((key as u128 * self.buckets.len() as u128) >> 64) as usize
    }

    /// The bucket's keys and entries, with their ages filled in.
    fn residents(&self, index: usize) -> Vec<Option<(u64, Entry)>> {
        let aged = |slot: Slot| {
            let age = (self.generation - slot.generation) % self.generations;
            (slot.key, Entry { age: age as u8, ..slot.entry })
        };
        self.buckets[index].iter().map(|slot| slot.map(aged)).collect()
    }
}

/// The entry that is kept when a position is stored again: of this generation, a deep entry is not lost to a bound from a
/// search that is four plies shallower or more, unless the scheme prefers the latest.
fn updated(scheme: &str, old: &Entry, new: &Entry) -> Entry {
    let either = |first: u16, second: u16| if first != 0 { first } else { second };
    let is_bound = new.window.lower != new.window.upper;
    let says_something = old.window.lower != Window::NO_LOWER || old.window.upper != Window::NO_UPPER;
    let is_worthier = old.age == 0 && i32::from(old.depth) - i32::from(new.depth) >= 4 && is_bound && says_something;
    if scheme != "Latest" && is_worthier && old.tainted == new.tainted {
        return Entry { best: either(old.best, new.best), ..*old };
    }
    if is_protected(old) && new.origin == Origin::Search && new.depth < old.depth {
        return Entry { best: either(old.best, new.best), ..*old };
    }
    if old.age == 0 && !old.tainted && new.tainted && old.depth >= new.depth {
        return Entry { best: either(old.best, new.best), ..*old };
    }
    let is_found = old.origin == Origin::Search && !old.tainted;
    if is_found && new.origin == Origin::Recalled && old.depth > new.depth {
        return Entry { best: either(old.best, new.best), ..*old };
    }
    let lower = old.window.lower.max(new.window.lower);
    let upper = old.window.upper.min(new.window.upper);
    let comparable = old.depth == new.depth && old.tainted == new.tainted && new.origin == Origin::Search;
    let joins = comparable && lower <= upper;
    Entry {
        window: if joins { Window { lower, upper } } else { new.window },
        best: if joins && old.window.lower > new.window.lower {
            either(old.best, new.best)
        } else {
            either(new.best, old.best)
        },
        eval: if new.eval.is_some() { new.eval } else { old.eval },
        ..*new
    }
}

/// Recalled or advised in the current generation.
fn is_protected(entry: &Entry) -> bool {
    entry.age == 0 && entry.origin != Origin::Search
}

/// The scheme's own choice, protection aside.
fn choice(scheme: &str, residents: &[Option<Entry>], new: &Entry) -> Choice {
    let Some(first) = residents[0] else { return Choice::Replace(0) };
    match scheme {
        "Always" => Choice::Replace(0),
        "Old" => Choice::Reject,
        "Deeper" if new.depth >= first.depth => Choice::Replace(0),
        "Deeper" => Choice::Reject,
        "Big1" | "BigAll" if new.nodes >= first.nodes => Choice::Replace(0),
        "Big1" | "BigAll" => Choice::Reject,
        "TwoTier" if new.depth >= first.depth => Choice::Replace(0),
        "TwoDeep" if new.depth >= first.depth => Choice::PushDown,
        "TwoBig1" if new.nodes >= first.nodes => Choice::PushDown,
        "TwoTier" | "TwoDeep" | "TwoBig1" => Choice::Replace(1),
        "Worth" => Choice::Replace(cheapest(residents, |old| worth(old) - 4 * old.age as i32)),
        "Aged" | "Latest" => Choice::Replace(cheapest(residents, |old| old.depth as i32 - 4 * old.age as i32)),
        other => panic!("no model of the scheme {other}"),
    }
}

/// The first vacant slot, or the first of those with the lowest price.
fn cheapest(residents: &[Option<Entry>], price: impl Fn(&Entry) -> i32) -> usize {
    let vacant = residents.iter().position(Option::is_none);
    let prices = residents.iter().flatten().map(price);
    vacant.or_else(|| prices.enumerate().min_by_key(|&(way, price)| (price, way)).map(|(way, _)| way)).unwrap_or(0)
}

/// Depth, plus a ply for each of 1024, 2048, 4096 and 8192 that the score reaches.
fn worth(entry: &Entry) -> i32 {
    let score = match entry.window.bound(i16::MIN) {
        Some((score, Bound::Exact | Bound::AtLeast | Bound::AtMost)) => (score as i32).abs(),
        None => 0,
    };
    entry.depth as i32 + (0..4).filter(|doubling| score >= 1024 << doubling).count() as i32
}

/// The choice, unless an entry of the search would replace a protected resident, or a recalled or advised entry would
/// be rejected: then the shallowest unprotected slot, if there is one.
fn protecting(choice: Choice, residents: &[Option<Entry>], new: &Entry) -> Choice {
    let is_searched = new.origin == Origin::Search;
    let is_kept = |way: usize| residents[way].as_ref().is_some_and(is_protected);
    let stands = match choice {
        Choice::Reject => is_searched,
        Choice::Replace(way) => !is_searched || !is_kept(way),
        Choice::PushDown => !is_searched || !is_kept(1),
    };
    if stands {
        return choice;
    }
    let free = (0..residents.len()).filter(|&way| !is_kept(way));
    let shallowest = free.min_by_key(|&way| residents[way].map(|old| old.depth));
    shallowest.map_or(Choice::Reject, Choice::Replace)
}
