//! Recall queries: how the records that a policy recalls are found.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mnemon_search::Game;

use super::budget::{Budget, Deadline};
use super::graph::explore_until;
use super::roots::KnownRoots;
use super::set::{RecallSet, RecalledRoot};
use super::standing::{Recalled, Standing, believed, recalled, result};
use crate::learn::packed;
use crate::policy::{Policy, Reach, tree};
use crate::{Content, Item, Line, Lines, Range, Record, Result, Source, Store, Trust};

/// Reads what the store knows for a search of `root` by `own`, as far as the policy's [reach](Policy::reach) goes. Scores
/// of those in whom there is `trust` are believed; of all others the moves are taken. `stop` ends the reading early; what was found by then is in the set, and so is the root in any case.
///
/// ```
/// use mnemon_memory::policy::{Policy, Resume};
/// use mnemon_memory::recall::{Budget, recall};
/// use mnemon_memory::{Item, Key, RamStore, Record, Source, Store, Trust};
/// use mnemon_search::Game;
/// use mnemon_search::games::TicTacToe;
///
/// let (store, own, root) = (RamStore::new(), Source::engine("example", "1"), TicTacToe::new());
/// let mut packed = Vec::new();
/// root.pack(&mut packed);
/// let key = Key::new(&TicTacToe::name().into(), packed, &own);
/// store.merge_many(&[Item { key, record: Record::exact(0, 9) }])?;
///
/// let policy = Policy::Resume(Resume::default());
/// let set = recall(&store, &policy, (&own, &Trust::default()), &root, Budget::PLAYING, None)?;
/// assert_eq!(set.root().records, [(own, Record::exact(0, 9))]);
/// let table: mnemon_table::Table = mnemon_table::Table::new(1 << 20).unwrap();
/// assert_eq!(set.fill(&table), 1);
/// # Ok::<(), mnemon_memory::MemoryError>(())
/// ```
///
/// # Errors
/// A store that cannot be read.
pub fn recall<G: Game>(
    store: &dyn Store,
    policy: &Policy,
    (own, trust): (&Source, &Trust),
    root: &G,
    budget: Budget,
    stop: Option<&AtomicBool>,
) -> Result<RecallSet> {
    recall_with(store, policy, (own, trust), root, (budget, stop), &mut KnownRoots::default())
}

/// As [`recall`], with the roots that earlier recalls have read.
pub(crate) fn recall_with<G: Game>(
    store: &dyn Store,
    policy: &Policy,
    (own, trust): (&Source, &Trust),
    root: &G,
    (budget, stop): (Budget, Option<&AtomicBool>),
    roots: &mut KnownRoots,
) -> Result<RecallSet> {
    let (game, deadline): (Arc<str>, _) = (Arc::from(G::name()), Deadline::new(budget, stop));
    let reach = policy.reach();
    // A tree is read from the root down, the principal variations first. Roots are read newest first.
    let is_tree = matches!(reach, Reach::Below | Reach::BackedUp);
    let deadline_of_reading = if is_tree { deadline.reading() } else { deadline };
    let query = RecallQuery { store, own, trust, game, budget, deadline: deadline_of_reading };
    let mut set = RecallSet::new(policy, Arc::clone(&query.game));
    let lines = if reach == Reach::Nothing { Lines::default() } else { query.lines_of(root)? };
    let best = if is_tree { query.best_lines(root, &lines)? } else { Vec::new() };
    match reach {
        Reach::Nothing => {}
        Reach::Below if query.is_scan_faster()? => query.scan::<G>(&mut set)?,
        Reach::Below => query.walk(root, &mut set)?,
        Reach::BackedUp => query.back_up(root, &mut set)?,
        Reach::Results => query.results(root, &mut set)?,
        Reach::EveryRoot => {
            roots.refresh(store, &query.game, own, &deadline.half())?;
            query.walk(root, &mut set)?;
            query.add_roots::<G>(roots, policy.limit(), &mut set);
        }
    }
    query.add_missing(best, &mut set);
    if reach != Reach::Nothing {
        let records = query.records_of(root)?;
        if matches!(reach, Reach::Below | Reach::EveryRoot) {
            query.add_root(root, &records, &mut set);
        }
        let value = believed(&records, own, trust).map_or_else(Record::default, |recalled| recalled.value);
        set.finish(root, RecalledRoot { records, value, lines, ..RecalledRoot::default() });
    }
    set.set_time(deadline.start.elapsed());
    Ok(set)
}

/// The longest line of best moves that is read first.
const MAX_BEST_LINE: usize = 128;

/// A position of a principal variation.
struct LinePosition<G> {
    position: G,
    packed: Box<[u8]>,
    records: Vec<(Source, Record)>,
}

/// The move of the deepest record.
fn deepest_move(records: &[(Source, Record)]) -> Option<u16> {
    let deepest = records.iter().map(|(_, record)| record).max_by_key(|record| record.deepest().1);
    deepest.map(|record| record.best).filter(|&best| best != 0)
}

/// The position after the move of this code; `None` if the move is not legal.
fn played<G: Game>(position: &G, code: u16) -> Option<G> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().find(|&mv| G::code(mv).get() == code).map(|mv| position.play(mv))
}

struct RecallQuery<'a> {
    store: &'a dyn Store,
    own: &'a Source,
    trust: &'a Trust,
    game: Arc<str>,
    budget: Budget,
    deadline: Deadline<'a>,
}

impl RecallQuery<'_> {
    fn records_of<G: Game>(&self, position: &G) -> Result<Vec<(Source, Record)>> {
        let mut packed = Vec::new();
        position.pack(&mut packed);
        let mut records = Vec::new();
        let collect = &mut |_, source: &Source, record| records.push((source.clone(), record));
        self.store.get_many(&self.game, &[&packed], collect)?;
        Ok(records)
    }

    /// The lines of the root, of all sources that are believed.
    fn lines_of<G: Game>(&self, position: &G) -> Result<Lines> {
        let mut packed = Vec::new();
        position.pack(&mut packed);
        let annotations = self.store.annotations(&self.game, &packed)?;
        let lines = annotations.iter().filter_map(|(source, content)| match content {
            Content::Lines(lines) if self.trust.believes(source) => Some(lines),
            _ => None,
        });
        Ok(lines.fold(Lines::default(), |all, lines| all.merge(lines)))
    }

    /// The positions behind the root on its principal variations, with their records, as far as they are known: on each of the
    /// kept lines, and from the root on by the best moves. They are read first, so that a short recall has them.
    fn best_lines<G: Game>(&self, root: &G, lines: &Lines) -> Result<Vec<LinePosition<G>>> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([root.key()]);
        let kept = lines.sets().iter().flat_map(|set| &set.lines).map(Line::moves);
        for moves in kept.chain([&[][..]]) {
            let (mut position, mut records) = (root.clone(), self.records_of(root)?);
            for number in 0..MAX_BEST_LINE {
                let best = deepest_move(&records);
                let code = if moves.is_empty() { best } else { moves.get(number).copied() };
                let Some(next) = code.and_then(|code| played(&position, code)) else { break };
                if found.len() >= self.budget.positions / 2 || self.deadline.half().is_over() {
                    return Ok(found);
                }
                records = self.records_of(&next)?;
                if seen.insert(next.key()) && !records.is_empty() {
                    found.push(LinePosition {
                        position: next.clone(),
                        packed: packed(&next),
                        records: records.clone(),
                    });
                } else if moves.is_empty() {
                    break;
                }
                position = next;
            }
        }
        Ok(found)
    }

    /// Adds the positions of the principal variations that the budget did not suffice for, in place of the last that were
    /// read.
    fn add_missing<G: Game>(&self, mut best: Vec<LinePosition<G>>, set: &mut RecallSet) {
        if set.is_complete() {
            return;
        }
        let found: HashSet<&[u8]> = set.positions().iter().map(|position| &*position.packed).collect();
        best.retain(|line| !found.contains(&*line.packed));
        set.truncate(self.budget.positions.saturating_sub(best.len()));
        for LinePosition { position, packed, mut records } in best {
            self.add(&position, packed, &mut records, set);
        }
    }

    fn add<G: Game>(&self, position: &G, packed: Box<[u8]>, records: &mut Vec<(Source, Record)>, set: &mut RecallSet) {
        if let Some(Recalled { value, standing, source }) = recalled(records, self.own, self.trust) {
            if standing != Standing::Hint {
                set.rest_on(source);
            }
            set.push((position.key(), packed), (value, standing), records);
        }
    }

    /// From position to position, each with what is taken from its records.
    fn walk<G: Game>(&self, root: &G, set: &mut RecallSet) -> Result {
        let known = explore_until(self.store, root, self.budget, self.deadline)?;
        set.reserve(known.nodes.len());
        for mut node in known.nodes {
            self.add(&node.position, node.packed, &mut node.records, set);
        }
        if !known.is_complete {
            set.set_incomplete();
        }
        Ok(())
    }

    /// From position to position, each with what games have shown.
    fn results<G: Game>(&self, root: &G, set: &mut RecallSet) -> Result {
        /// A move's value matters where the move is played, and a little before.
        const PLIES: u16 = 4;
        let budget = Budget { plies: self.budget.plies.min(PLIES), ..self.budget };
        let known = explore_until(self.store, root, budget, self.deadline)?;
        for mut node in known.nodes {
            if let Some(Recalled { value, standing, source }) = result(&node.records, self.own, self.trust) {
                if standing != Standing::Hint {
                    set.rest_on(source);
                }
                set.push((node.position.key(), node.packed), (value, standing), &mut node.records);
            }
        }
        if !known.is_complete {
            set.set_incomplete();
        }
        Ok(())
    }

    /// From position to position, each with its backed-up value.
    fn back_up<G: Game>(&self, root: &G, set: &mut RecallSet) -> Result {
        let known = explore_until(self.store, root, self.budget, self.deadline)?;
        let values = tree::back_up(&known, self.trust, self.own);
        set.reserve(known.nodes.len());
        for (mut node, value) in known.nodes.into_iter().zip(values) {
            if value.is_empty() {
                self.add(&node.position, node.packed, &mut node.records, set);
                continue;
            }
            let sources = || node.records.iter().map(|(source, _)| source).filter(|source| self.trust.believes(source));
            sources().for_each(|source| set.rest_on(source));
            let is_own = sources().all(|source| source.is_same_engine(self.own));
            let standing = if is_own { Standing::Own } else { Standing::Believed };
            set.push((node.position.key(), node.packed), (value, standing), &mut node.records);
        }
        if !known.is_complete {
            set.set_incomplete();
        }
        Ok(())
    }

    /// Whether the game has so few records that a scan of all of them is faster than a walk: in the order of the file a
    /// record takes a fraction of the time that finding it does, about a microsecond.
    ///
    /// The choice is made by the store's size hint and not by a trial: a scan that gave up at half of the budget would leave
    /// the walk through a large memory only the other half. A store that would have to count returns no hint, and is walked.
    fn is_scan_faster(&self) -> Result<bool> {
        let Some(records) = self.store.size_hint(&self.game)? else { return Ok(false) };
        Ok(records <= self.budget.positions as u64 && Duration::from_micros(records) <= self.budget.time)
    }

    /// The roots that are not below this root, or were not found on the way, as far as there is room for them.
    fn add_roots<G: Game>(&self, roots: &KnownRoots, limit: Option<u64>, set: &mut RecallSet) {
        let found: HashSet<Box<[u8]>> = set.positions().iter().map(|position| position.packed.clone()).collect();
        let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let room = self.budget.positions.saturating_sub(set.len()).min(limit);
        for (packed, records) in roots.newest(room).into_iter().filter(|(packed, _)| !found.contains(*packed)) {
            self.add_scanned::<G>(packed.into(), &mut records.to_vec(), set);
        }
        if !roots.is_complete() {
            set.set_incomplete();
        }
    }

    /// All records of the game.
    fn scan<G: Game>(&self, set: &mut RecallSet) -> Result {
        let range = Range { game: Some(&self.game), ..Range::default() };
        let mut position: Box<[u8]> = Box::default();
        let mut records: Vec<(Source, Record)> = Vec::new();
        self.store.scan(&range, &mut |Item { key, record }| {
            if key.position != position {
                let packed = std::mem::replace(&mut position, key.position);
                self.add_scanned::<G>(packed, &mut records, set);
                if set.len() >= self.budget.positions || self.deadline.is_over() {
                    set.set_incomplete();
                    return ControlFlow::Break(());
                }
            }
            records.push((key.source, record));
            ControlFlow::Continue(())
        })?;
        self.add_scanned::<G>(position, &mut records, set);
        Ok(())
    }

    /// Adds a position that was scanned, if it is one of the game's.
    fn add_scanned<G: Game>(&self, packed: Box<[u8]>, records: &mut Vec<(Source, Record)>, set: &mut RecallSet) {
        if !records.is_empty()
            && let Some(position) = G::unpack(&packed)
        {
            self.add(&position, packed, records, set);
        }
        records.clear();
    }

    /// Adds the root where the budget ended before it was reached: no other record is of more use.
    fn add_root<G: Game>(&self, root: &G, records: &[(Source, Record)], set: &mut RecallSet) {
        let packed = packed(root);
        if !set.is_complete() && !set.positions().iter().any(|position| position.packed == packed) {
            self.add(root, packed, &mut records.to_vec(), set);
        }
    }
}
