//! Sub-trees of random parts of small games, judged by the definition itself: all distances between all positions.

use std::borrow::Cow;
use std::num::NonZeroU16;

use mnemon_memory::subtree::{SubtreeQuery, subtree};
use mnemon_memory::{Item, Key, RamStore, Record, Source, Store};
use mnemon_search::games::{Maze, MazeRules, TicTacToe};
use mnemon_search::random::Random;
use mnemon_search::{Game, Outcome};
use mnemon_table::Score;

/// A maze in which many places share a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Colliding(Maze);

impl Game for Colliding {
    type Move = u8;
    const CYCLES: bool = true;
    fn name() -> Cow<'static, str> {
        "colliding-maze".into()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn moves(&self, moves: &mut Vec<u8>) {
        self.0.moves(moves);
    }
    fn play(&self, exit: u8) -> Self {
        Colliding(self.0.play(exit))
    }
    fn evaluate(&self) -> Score {
        self.0.evaluate()
    }
    /// Also one less than the hash of another place, which is where a second place with the same hash goes.
    fn key(&self) -> u64 {
        u64::from(self.0.place() % 5)
    }
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.0.pack(bytes);
    }
    fn unpack(bytes: &[u8]) -> Option<Self> {
        Maze::unpack(bytes).map(Colliding)
    }
    fn code(exit: u8) -> NonZeroU16 {
        Maze::code(exit)
    }
}

/// No line leads there.
const NEVER: i64 = i64::MAX;

/// What a store knows, and the position whose sub-tree is asked for.
struct Case<G> {
    /// Each known position with the records of two sources.
    known: Vec<(G, Vec<Record>)>,
    root: G,
    before: Vec<G>,
    ply: Option<u16>,
    start: Option<G>,
}

/// A position of a sub-tree as the definition gives it.
#[derive(Debug, PartialEq, Eq)]
struct Expected<G> {
    position: G,
    plies_below_root: i64,
    is_dominated: bool,
}

fn packed<G: Game>(position: &G) -> Vec<u8> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes
}

fn children<G: Game>(position: &G) -> Vec<G> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().map(|mv| position.play(mv)).collect()
}

/// The least distance from each position to each other one, by Floyd and Warshall, on lines that do not pass `without`.
fn distances<G: Game>(positions: &[G], without: Option<&G>) -> Vec<Vec<i64>> {
    let is_open = |position: &G| Some(position) != without;
    let mut distances: Vec<Vec<i64>> = vec![vec![NEVER; positions.len()]; positions.len()];
    for (from, position) in positions.iter().enumerate().filter(|(_, position)| is_open(position)) {
        for child in children(position).iter().filter(|child| is_open(child)) {
            if let Some(to) = positions.iter().position(|other| other == child) {
                distances[from][to] = 1;
            }
        }
        distances[from][from] = 0;
    }
    for via in 0..positions.len() {
        for from in 0..positions.len() {
            for to in 0..positions.len() {
                let (first, second) = (distances[from][via], distances[via][to]);
                if first != NEVER && second != NEVER {
                    distances[from][to] = distances[from][to].min(first + second);
                }
            }
        }
    }
    distances
}

impl<G: Game> Case<G> {
    /// The line up to where it first comes to the root, and the root's ply there.
    fn line(&self) -> (&[G], Option<u16>) {
        let first = self.before.iter().position(|position| *position == self.root).unwrap_or(self.before.len());
        let dropped = (self.before.len() - first) as u16;
        (&self.before[..first], self.ply.map(|ply| ply.saturating_sub(dropped)))
    }

    /// All positions of the graph.
    fn positions(&self) -> Vec<G> {
        let mut positions: Vec<G> = Vec::new();
        let known = self.known.iter().map(|(position, _)| position);
        for position in known.chain(self.start.iter()).chain(self.line().0).chain([&self.root]) {
            if !positions.contains(position) {
                positions.push(position.clone());
            }
        }
        positions
    }

    /// The root's ply, and the ply at which records saw each known position, on the same count.
    fn plies(&self, from_start: Option<i64>) -> (i64, Vec<Option<i64>>) {
        let is_numbered = |record: &Record| match (record.game_ply, record.root_ply) {
            (Record::NO_PLY, _) => false,
            (ply, Record::NO_PLY) => ply > 1,
            (ply, below) => u32::from(ply) > u32::from(below) + 1,
        };
        let of_root = self.known.iter().find(|(position, _)| *position == self.root);
        let of_root = of_root.map_or(&[][..], |(_, records)| records);
        let given = self.line().1.map(i64::from);
        let only_numbered = given.is_some() || from_start.is_some() || of_root.iter().any(is_numbered);
        let count = |records: &[Record]| {
            let counts = records.iter().filter(|record| !only_numbered || is_numbered(record));
            let plies = counts.map(|record| record.game_ply).filter(|&ply| ply != Record::NO_PLY);
            plies.map(i64::from).min()
        };
        let ply = [given, from_start, count(of_root)].into_iter().flatten().min().unwrap_or(0);
        (ply, self.known.iter().map(|(_, records)| count(records)).collect())
    }

    /// The sub-tree, and whether anything is known to have stood before the root.
    fn expected(&self) -> (Vec<Expected<G>>, bool) {
        let positions = self.positions();
        let number = |position: &G| positions.iter().position(|other| other == position).expect("in the graph");
        let (all, around) = (distances(&positions, None), distances(&positions, Some(&self.root)));
        let root = number(&self.root);
        let from_start = self.start.as_ref().map(|start| all[number(start)][root]).filter(|&plies| plies != NEVER);
        let (ply, seen) = self.plies(from_start);

        let (before, given) = self.line();
        let mut entries: Vec<(usize, i64)> = Vec::new();
        for ((position, _), seen) in self.known.iter().zip(seen) {
            entries.extend(seen.filter(|&seen| seen < ply).map(|seen| (number(position), seen)));
        }
        for (position, back) in before.iter().rev().zip(1..) {
            entries.push((number(position), given.map_or(ply, i64::from) - back));
        }
        let mut is_placed = !entries.is_empty() || from_start.is_some();
        entries.extend(self.start.iter().map(|start| (number(start), 0)));

        let soonest = |entries: &[(usize, i64)], at: usize| {
            let ways = entries.iter().filter(|(entry, _)| around[*entry][at] != NEVER);
            ways.map(|(entry, entered)| entered + around[*entry][at]).min().unwrap_or(NEVER)
        };
        let is_apart = |at: usize, entries: &[(usize, i64)]| all[root][at] == NEVER && soonest(entries, at) == NEVER;
        let ancestors = (0..positions.len()).filter(|&at| is_apart(at, &entries) && all[at][root] != NEVER);
        let ancestors: Vec<(usize, i64)> = ancestors.map(|at| (at, ply - all[at][root])).collect();
        is_placed |= !ancestors.is_empty();
        entries.extend(ancestors);
        let rest: Vec<usize> = (0..positions.len()).filter(|&at| is_apart(at, &entries)).collect();

        let mut expected = Vec::new();
        for (at, position) in positions.iter().enumerate() {
            let (below, sooner) = (all[root][at], soonest(&entries, at));
            if at == root || (below != NEVER && ply + below <= sooner) {
                let is_elsewhere = rest.iter().any(|&other| around[other][at] != NEVER);
                let is_dominated = at == root || (ply + below < sooner && !is_elsewhere);
                expected.push(Expected { position: position.clone(), plies_below_root: below, is_dominated });
            }
        }
        expected.sort_by_key(|expected| packed(&expected.position));
        (expected, is_placed)
    }

    fn store(&self) -> RamStore {
        let store = RamStore::new();
        for (position, records) in &self.known {
            for (record, version) in records.iter().zip(["1", "2"]) {
                let key = Key::new(&G::name().into(), packed(position), &Source::engine("tested", version));
                store.merge_many(&[Item { key, record: *record }]).expect("RAM does not fail");
            }
        }
        store
    }

    /// What is found, with each line played.
    fn found(&self) -> (Vec<Expected<G>>, bool) {
        let (before, start) = (&self.before[..], self.start.as_ref());
        let query = SubtreeQuery { before, ply: self.ply, start, ..SubtreeQuery::new(&self.root) };
        let found = subtree(&self.store(), query).expect("RAM does not fail");
        let members = found.members().iter().enumerate().map(|(number, member)| {
            let line = found.line(number);
            let position = line.iter().fold(self.root.clone(), |position, &code| {
                let mut moves = Vec::new();
                position.moves(&mut moves);
                let mv = moves.into_iter().find(|&mv| G::code(mv).get() == code).expect("a legal move");
                position.play(mv)
            });
            assert_eq!(packed(&position), *member.packed, "the line leads to the position");
            assert_eq!(found.find(&member.packed), Some(number));
            Expected { position, plies_below_root: line.len() as i64, is_dominated: member.is_dominated }
        });
        let mut members: Vec<_> = members.collect();
        assert!(members.is_sorted_by_key(|member| member.plies_below_root), "the nearest first");
        assert_eq!(members[0].position, self.root);
        members.sort_by_key(|member| packed(&member.position));
        (members, found.is_placed())
    }
}

/// Records that saw their position at random plies; one in `rare` does, the others say none.
fn records(random: &mut Random, rare: usize) -> Vec<Record> {
    let one = |_| {
        let game_ply = if random.below(rare) == 0 { random.below(12) as u16 } else { Record::NO_PLY };
        let root_ply = [Record::NO_PLY, 0, random.below(6) as u16][random.below(3)];
        Record { game_ply, root_ply, ..Record::exact(0, 5) }
    };
    (0..2).map(one).collect()
}

/// A line of random moves, the last of which is the root.
fn random_line<G: Game>(random: &mut Random, from: &G, plies: usize) -> Vec<G> {
    let mut line = vec![from.clone()];
    for _ in 0..plies {
        let all = children(line.last().expect("a position"));
        if all.is_empty() {
            break;
        }
        line.push(all[random.below(all.len())].clone());
    }
    line
}

/// What the cases were about: members that are not dominated, positions below the root that are no members, members
/// besides the root that are dominated, and roots before which nothing is known to have stood.
#[derive(Debug, Default)]
struct Seen {
    shared: usize,
    left_out: usize,
    dominated: usize,
    unplaced: usize,
}

impl Seen {
    fn check<G: Game>(&mut self, case: &Case<G>, name: &str) {
        let expected = case.expected();
        assert_eq!(case.found(), expected, "{name}: root {:?}, before {:?}", case.root, case.before);
        let (expected, is_placed) = expected;
        let positions = case.positions();
        let root = positions.iter().position(|position| *position == case.root).expect("in the graph");
        let below = distances(&positions, None)[root].iter().filter(|&&plies| plies != NEVER).count();
        self.unplaced += usize::from(!is_placed);
        self.shared += expected.iter().filter(|member| !member.is_dominated).count();
        self.left_out += below - expected.len();
        self.dominated += expected.iter().filter(|member| member.is_dominated && member.position != case.root).count();
    }
}

/// A case in a random maze, whose places `of` makes positions of.
fn maze_case<G: Game>(random: &mut Random, seed: u32, of: fn(Maze) -> G) -> Case<G> {
    let places = 4 + random.below(36) as u16;
    let rules = MazeRules { ends: [0, 6][random.below(2)], ..MazeRules::new(seed, places) };
    let place = |random: &mut Random| of(Maze::new(rules, random.below(places.into()) as u16));
    let (share, rare) = (1 + random.below(4), [1, 4, 20][random.below(3)]);
    let known: Vec<u16> = (0..places).filter(|_| random.below(4) < share).collect();
    let known = known.into_iter().map(|at| (of(Maze::new(rules, at)), records(random, rare))).collect();
    let (from, plies) = (place(random), random.below(7));
    let mut before = random_line(random, &from, plies);
    let root = before.pop().expect("a position");
    let ply = (random.below(2) == 0).then(|| (before.len() + random.below(5)) as u16);
    let start = (random.below(2) == 0).then(|| place(random));
    Case { known, root, before, ply, start }
}

#[test]
fn subtrees_of_mazes_are_those_of_the_definition() {
    let (mut random, mut seen) = (Random::new(7), Seen::default());
    for seed in 0..3_000 {
        seen.check(&maze_case(&mut random, seed, |maze| maze), &format!("maze {seed}"));
    }
    let counts = [seen.shared, seen.left_out, seen.dominated, seen.unplaced];
    assert!(counts.into_iter().all(|count| count > 200), "{seen:?}");
}

#[test]
fn positions_that_share_a_hash_are_not_confused() {
    let (mut random, mut seen) = (Random::new(9), Seen::default());
    for seed in 0..500 {
        seen.check(&maze_case(&mut random, seed, Colliding), &format!("maze {seed}"));
    }
    assert!(seen.shared > 50 && seen.dominated > 100, "{seen:?}");
}

#[test]
fn subtrees_without_cycles_are_those_of_the_definition() {
    let (mut random, mut seen) = (Random::new(8), Seen::default());
    let start = TicTacToe::new();
    for number in 0..300 {
        let mut known: Vec<(TicTacToe, Vec<Record>)> = Vec::new();
        for _ in 0..12 {
            for position in random_line(&mut random, &start, 5) {
                if random.below(5) > 0 && !known.iter().any(|(other, _)| *other == position) {
                    known.push((position, records(&mut random, 3)));
                }
            }
        }
        let plies = random.below(4);
        let mut before = random_line(&mut random, &start, plies);
        let root = before.pop().expect("a position");
        let ply = Some(before.len() as u16);
        seen.check(&Case { known, root, before, ply, start: Some(start) }, &format!("tic-tac-toe {number}"));
    }
    assert!(seen.shared > 50 && seen.dominated > 500, "{seen:?}");
}
