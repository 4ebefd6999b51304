//! Every algorithm × every replacement scheme × every bound switch × tables from one cluster up × one and two threads
//! gives the value of plain minimax. A table may lose entries, but its entries must be true.

use mnemon_search::games::{Nim, Rules, Synthetic, TicTacToe};
use mnemon_search::random::Random;
use mnemon_search::{Algorithm, Game, Keep, Limits, Search, Silent, WINS, minimax};
use mnemon_table::replace::{Replace, SchemeVisitor, each_scheme};
use mnemon_table::{Compact, Layout, Score, Table, Wide};

/// A layout for the small scores of the synthetic games; it has bits for the depth, since positions are searched to
/// different depths.
type Small = Compact<30, 4, 7, 6>;

/// One cluster, a few, and more than enough; not powers of two.
const SIZES: [usize; 3] = [64, 64 * 7, 64 * 999];

/// A position, the depth to search it to, and its value.
struct Case<G: Game> {
    position: G,
    depth: u8,
    value: Score,
    /// The moves that reach the value.
    best: Vec<G::Move>,
}

impl<G: Game> Case<G> {
    fn new(position: G, depth: u8) -> Self {
        let value = minimax::value(&position, depth);
        assert_eq!(minimax::alpha_beta(&position, depth), value, "the two oracles agree");
        let mut best = legal_moves(&position);
        best.retain(|&mv| one_ply_older(-minimax::value(&position.play(mv), depth - 1)) == value);
        Case { position, depth, value, best }
    }
}

fn legal_moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// Runs all cases through all searches with one scheme after the other.
struct Judge<'a, G: Game> {
    cases: &'a [Case<G>],
    /// Whether the table is kept from case to case. Only if each case is searched to the end of the game: otherwise a
    /// deeper entry gives another value.
    keeps_table: bool,
    threads: usize,
}

struct Schemes<'a, G: Game, L> {
    judge: &'a Judge<'a, G>,
    layout: std::marker::PhantomData<L>,
}

impl<G: Game, L: Layout> SchemeVisitor for Schemes<'_, G, L> {
    fn visit<R: Replace>(&mut self, _scheme: R) {
        for bytes in SIZES {
            // Without a table, its size does not matter.
            let switches = Keep::ALL.into_iter().filter(|&keep| keep != Keep::Nothing || bytes == SIZES[0]);
            for keep in switches {
                for algorithm in Algorithm::ALL {
                    self.judge.run::<L, R>(bytes, keep, algorithm, false);
                    if keep == Keep::Both && bytes == SIZES[1] {
                        self.judge.run::<L, R>(bytes, keep, algorithm, true);
                    }
                }
            }
        }
    }
}

impl<G: Game> Judge<'_, G> {
    /// With one table, or with a table for each bound.
    fn run<L: Layout, R: Replace>(&self, bytes: usize, keep: Keep, algorithm: Algorithm, two_tables: bool) {
        let [table, second] = [bytes; 2].map(|bytes| Table::<L, R>::new(bytes).expect("a small table"));
        let lower_bounds = two_tables.then_some(&second);
        for case in self.cases {
            for table in [&table, &second] {
                if self.keeps_table {
                    table.new_generation();
                } else {
                    table.clear(1);
                }
            }
            let limits = Limits::depth(case.depth);
            let search = Search { algorithm, keep, limits, threads: self.threads, lower_bounds, ..Search::new(&table) };
            let outcome = search.run(&case.position, &mut Silent);
            let tables = if two_tables { "a table for each bound" } else { "one table" };
            let how = || format!("{algorithm:?} {} {keep:?} {bytes} bytes {} threads {tables}", R::NAME, self.threads);
            assert_eq!(outcome.score, case.value, "{} depth {} of {:?}", how(), case.depth, case.position);
            self.check_line(case, &outcome.pv, &how());
        }
    }

    /// The line is legal, and its first move reaches the value.
    fn check_line(&self, case: &Case<G>, pv: &[G::Move], how: &str) {
        let mut position = case.position.clone();
        for &mv in pv {
            assert!(legal_moves(&position).contains(&mv), "{how}: an illegal move in {pv:?} from {:?}", case.position);
            position = position.play(mv);
        }
        match pv.first() {
            Some(mv) => assert!(case.best.contains(mv), "{how}: {mv:?} in {:?}", case.position),
            None => assert!(case.best.is_empty(), "{how}: no move in {:?}", case.position),
        }
    }
}

/// A child's score as its parent counts it: a win takes one ply longer.
fn one_ply_older(score: Score) -> Score {
    match WINS.plies(score) {
        Some(_) if score > 0 => score - 1,
        Some(_) => score + 1,
        None => score,
    }
}

/// Random positions of random synthetic games, a few moves into the game.
fn synthetic(games: usize, seed: u64, rules: impl Fn(&mut Random) -> Rules, depth: Option<u8>) -> Vec<Case<Synthetic>> {
    let mut random = Random::new(seed);
    let mut cases = Vec::new();
    for _ in 0..games {
        let rules = rules(&mut random);
        let mut position = Synthetic::new(rules);
        for _ in 0..random.below(4) {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
        cases.push(Case::new(position, depth.unwrap_or(rules.length)));
    }
    cases
}

fn small_rules(random: &mut Random) -> Rules {
    let mut pick = |least: usize, most: usize| (least + random.below(most - least + 1)) as u8;
    Rules {
        seed: u32::from(pick(0, 255)),
        tracks: pick(2, 3),
        length: pick(4, 6),
        gain: pick(0, 2),
        noise: pick(1, 18),
        sudden_end: 0,
    }
}

fn with_sudden_ends(random: &mut Random) -> Rules {
    Rules { sudden_end: 5, length: 7, ..small_rules(random) }
}

fn judge<L: Layout, G: Game>(cases: &[Case<G>], keeps_table: bool, threads: usize) {
    let judge = Judge { cases, keeps_table, threads };
    each_scheme(&mut Schemes::<G, L> { judge: &judge, layout: std::marker::PhantomData });
}

#[test]
fn games_played_to_their_end_on_a_table_that_is_never_cleared() {
    judge::<Wide, _>(&synthetic(400, 1, small_rules, None), true, 1);
}

#[test]
fn wins_and_losses_at_the_right_distance() {
    judge::<Wide, _>(&synthetic(400, 2, with_sudden_ends, None), true, 1);
}

#[test]
fn searches_that_end_in_evaluations() {
    let long = |random: &mut Random| Rules { length: 20, ..with_sudden_ends(random) };
    judge::<Wide, _>(&synthetic(1500, 3, long, Some(4)), false, 1);
}

#[test]
fn the_compact_layout() {
    judge::<Small, _>(&synthetic(300, 4, small_rules, None), true, 1);
    judge::<Small, _>(&synthetic(300, 5, with_sudden_ends, Some(4)), false, 1);
}

#[test]
fn two_threads_on_one_table() {
    judge::<Wide, _>(&synthetic(100, 6, with_sudden_ends, None), true, 2);
    judge::<Small, _>(&synthetic(30, 7, small_rules, None), true, 2);
}

#[test]
fn tic_tac_toe_from_every_position_after_three_moves() {
    let mut cases = Vec::new();
    for cells in 0..9 * 9 * 9 {
        let [a, b, c] = [cells % 9, cells / 9 % 9, cells / 81];
        if a != b && b != c && a != c && cells % 7 == 0 {
            let position = [a, b, c].iter().fold(TicTacToe::new(), |position, &cell| position.play(cell as u8));
            cases.push(Case::new(position, 9));
        }
    }
    judge::<Wide, _>(&cases, true, 1);
}

#[test]
fn nim_whose_positions_recur_at_other_plies() {
    let cases: Vec<_> = [[3, 2, 1], [2, 2, 2], [4, 1, 1], [0, 5, 1], [3, 3, 1], [1, 1, 1], [0, 0, 4], [0, 0, 0]]
        .map(|heaps| Case::new(Nim::new(heaps), 9))
        .into();
    for case in &cases {
        assert_eq!(case.value > 0, case.position.is_won(), "the theory of the game agrees: {:?}", case.position);
    }
    judge::<Wide, _>(&cases, true, 1);
    judge::<Wide, _>(&cases, true, 2);
}
