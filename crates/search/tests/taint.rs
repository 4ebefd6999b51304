//! Which scores are tainted, on graphs small enough to be drawn.

use std::borrow::Cow;
use std::num::NonZeroU16;

use mnemon_search::games::Nim;
use mnemon_search::{Algorithm, Game, Limits, Outcome, Search, SearchOutcome, Silent, WINS, laws};
use mnemon_table::{Entry, Score, Table, Window};

/// A vertex of this graph, in which edges are moves:
///
/// ```text
///          ┌─────────────────┐
///          ▼                 │
///    Q ──► A ──► B ──► C ──► D
///    │     │
///    │     └───► W  (the side to move has lost)
///    ▼
///    R ──► S ◄──► T
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vertex(u8);

const A: Vertex = Vertex(b'A');
const B: Vertex = Vertex(b'B');
const C: Vertex = Vertex(b'C');
const D: Vertex = Vertex(b'D');
const Q: Vertex = Vertex(b'Q');
const R: Vertex = Vertex(b'R');
const S: Vertex = Vertex(b'S');
const T: Vertex = Vertex(b'T');
const W: Vertex = Vertex(b'W');

impl Vertex {
    fn edges(self) -> &'static [Vertex] {
        match self {
            A => &[B, W],
            B => &[C],
            C => &[D],
            D => &[A],
            Q => &[R, A],
            R | T => &[S],
            S => &[T],
            _ => &[],
        }
    }
}

impl Game for Vertex {
    type Move = u8;

    const CYCLES: bool = true;

    fn name() -> Cow<'static, str> {
        "graph".into()
    }

    fn outcome(&self) -> Option<Outcome> {
        (*self == W).then_some(Outcome::Loss)
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(0..self.edges().len() as u8);
    }

    fn play(&self, edge: u8) -> Self {
        self.edges()[usize::from(edge)]
    }

    /// S looks a little worse than it is.
    fn evaluate(&self) -> Score {
        if *self == S { -5 } else { 0 }
    }

    fn key(&self) -> u64 {
        u64::from(self.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.0);
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        [A, B, C, D, Q, R, S, T, W].into_iter().find(|vertex| bytes == [vertex.0])
    }

    fn code(edge: u8) -> NonZeroU16 {
        NonZeroU16::MIN.saturating_add(edge.into())
    }
}

#[test]
fn the_graph_keeps_the_laws() {
    laws::check(&[Q], 30, 1).expect("the laws hold");
}

fn table() -> Table {
    Table::new(1 << 14).expect("a small table")
}

fn entry(table: &Table, vertex: Vertex) -> Entry {
    table.probe(vertex.key()).expect("it was searched")
}

fn run<G: Game>(
    search: Search<'_, mnemon_table::Wide, mnemon_table::replace::Aged>,
    root: &G,
) -> SearchOutcome<G::Move> {
    search.run(root, &mut Silent)
}

#[test]
fn a_draw_by_repetition_in_one_line_is_no_draw_in_another() {
    for algorithm in Algorithm::ALL {
        let table = table();
        let search = |depth| Search { algorithm, limits: Limits::depth(depth), ..Search::new(&table) };
        // From A the cycle comes back to A, which is a draw there: C and D look better for one side and worse for the
        // other than they are.
        let from_a = run(search(8), &A);
        assert_eq!((WINS.plies(from_a.score), from_a.tainted), (Some(1), false), "{algorithm:?}");
        for vertex in [B, C, D] {
            assert!(entry(&table, vertex).tainted, "{algorithm:?}: {vertex:?} depends on A");
        }
        let at_a = entry(&table, A);
        assert!(!at_a.tainted && WINS.plies(at_a.window.lower) == Some(1), "{algorithm:?}: A's own cycle is its own");
        // From C the same path leads to A's win.
        let from_c = run(search(5), &C);
        assert_eq!((WINS.plies(from_c.score), from_c.tainted), (Some(3), false), "{algorithm:?}");
        assert_eq!(WINS.plies(run(search(4), &D).score), Some(-2), "{algorithm:?}");
    }
}

#[test]
fn a_cycle_below_a_node_taints_only_what_is_inside_it() {
    for algorithm in Algorithm::ALL {
        let table = table();
        let outcome = run(Search { algorithm, limits: Limits::depth(6), ..Search::new(&table) }, &R);
        assert_eq!((outcome.score, outcome.tainted), (0, false));
        assert!(!entry(&table, S).tainted, "{algorithm:?}: the cycle returns to S itself");
        assert!(entry(&table, T).tainted, "{algorithm:?}: to T it matters that S was there before");
    }
}

#[test]
fn a_line_ends_where_it_repeats() {
    for algorithm in Algorithm::ALL {
        let table = table();
        let outcome = run(Search { algorithm, limits: Limits::depth(9), ..Search::new(&table) }, &S);
        assert_eq!(outcome.pv, [0, 0], "{algorithm:?}");
    }
}

#[test]
fn what_was_played_before_taints_the_root() {
    for algorithm in Algorithm::ALL {
        for (root, history) in [(S, T), (S, S), (R, T), (C, A), (D, A)] {
            let (table, history) = (table(), [history.key()]);
            let limits = Limits::depth(6);
            let outcome = run(Search { algorithm, limits, history: &history, ..Search::new(&table) }, &root);
            assert_eq!((outcome.score, outcome.tainted), (0, true), "{algorithm:?} from {root:?} after {history:x?}");
            let again = run(Search { algorithm, limits, ..Search::new(&table) }, &root);
            assert!(!again.tainted, "{algorithm:?} from {root:?}: without the history it is the position's own");
        }
        // A wins without coming near the history.
        let (table, history) = (table(), [R.key()]);
        let search = Search { algorithm, limits: Limits::depth(6), history: &history, ..Search::new(&table) };
        assert!(!run(search, &A).tainted);
    }
}

#[test]
fn a_cutoff_depends_on_the_move_that_makes_it_and_on_no_other() {
    for algorithm in [Algorithm::Negamax, Algorithm::Pvs] {
        let (table, history) = (table(), [B.key()]);
        let limits = Limits::depth(2);
        let outcome = run(Search { algorithm, limits, history: &history, ..Search::new(&table) }, &Q);
        assert_eq!((outcome.score, outcome.tainted), (-5, false), "{algorithm:?}");
        // B, tried first, is a draw by history; W refutes A's being played all the same.
        let at_a = entry(&table, A);
        assert_eq!((WINS.plies(at_a.window.lower), at_a.tainted), (Some(1), false), "{algorithm:?}");
    }
}

/// Nim with a limit of moves: a counter in a game without cycles.
#[derive(Clone, Copy, Debug)]
struct Hurried {
    game: Nim,
    moves_left: u8,
}

impl PartialEq for Hurried {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game
    }
}

impl Eq for Hurried {}

impl Game for Hurried {
    type Move = <Nim as Game>::Move;

    fn name() -> Cow<'static, str> {
        "hurried-nim".into()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        self.game.moves(moves);
    }

    fn play(&self, mv: Self::Move) -> Self {
        Hurried { game: self.game.play(mv), moves_left: self.moves_left.saturating_sub(1) }
    }

    fn evaluate(&self) -> Score {
        0
    }

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        self.game.pack(bytes);
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        Some(Hurried { game: Nim::unpack(bytes)?, moves_left: 100 })
    }

    fn code(mv: Self::Move) -> NonZeroU16 {
        Nim::code(mv)
    }

    fn is_drawn_by_counter(&self) -> bool {
        self.moves_left == 0
    }
}

#[test]
fn a_move_counter_taints_what_it_decides() {
    let game = Nim::new([1, 2, 2]);
    for algorithm in Algorithm::ALL {
        let table = table();
        let search = Search { algorithm, limits: Limits::depth(6), ..Search::new(&table) };
        let hurried = run(search, &Hurried { game, moves_left: 2 });
        assert_eq!((hurried.score, hurried.tainted), (0, true), "{algorithm:?}: no side wins in two moves");
        assert!(table.probe(game.key()).expect("the root is kept").tainted);
        let at_ease = run(search, &Hurried { game, moves_left: 50 });
        assert!(at_ease.score > 0 && game.is_won() && !at_ease.tainted, "{algorithm:?}: on the same table");
        // The end of the game comes before the counter: the last heap is taken with the last move.
        let in_time = run(search, &Hurried { game: Nim::new([3, 0, 0]), moves_left: 1 });
        assert_eq!((WINS.plies(in_time.score), in_time.tainted), (Some(1), true), "{algorithm:?}");
    }
}

#[test]
fn a_tainted_window_is_never_used_and_its_move_is() {
    let lie = Entry { window: Window::exact(77), depth: 20, best: 2, tainted: true, ..Entry::default() };
    let nodes = |hash_moves| {
        let table = table();
        table.store(A.key(), lie);
        let search =
            Search { algorithm: Algorithm::Bisection, hash_moves, limits: Limits::depth(1), ..Search::new(&table) };
        let outcome = run(search, &A);
        assert_eq!(WINS.plies(outcome.score), Some(1));
        outcome.stats.nodes
    };
    assert!(nodes(true) < nodes(false), "the second edge is searched first, and wins");
}
