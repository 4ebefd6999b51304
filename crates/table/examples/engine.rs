//! A small chess engine on this table alone: alpha-beta with late move reductions and a quiescence search. It speaks
//! enough UCI to play: `cargo run --release -p mnemon-table --example engine`

use std::io::stdin;
use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cozy_chess::{Board, Color, GameStatus, Move, Square, util};
use mnemon_table::{Entry, Full, Mates, Score, Table, Window};

/// Scores of 16 bits, two bounds, four flags. Another layout is another word here.
type Tt = Table<Full>;
/// A mate scores 32,000 less the plies to it: with a layout that cannot keep that, this does not compile.
const MATES: Mates = Tt::mates(32_000, 1_000);
const MAX_DEPTH: u8 = Tt::depth(100);
const WAS_PV: u8 = Tt::flag(0); // the late moves of such a node are reduced less
const INFINITE: Score = 32_001;

struct Searcher {
    table: Arc<Tt>,
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    keys: Vec<u64>,
    history: Box<[[i32; 64]; 64]>,
    nodes: u64,
}

impl Searcher {
    /// Fail-soft: a score of `alpha` or less is an upper bound, of `beta` or more a lower bound; `None` if stopped.
    fn search(&mut self, board: &Board, mut alpha: Score, beta: Score, depth: i32, ply: u16) -> Option<Score> {
        let key = board.hash();
        match board.status() {
            GameStatus::Won => return Some(MATES.lost_at(ply)),
            GameStatus::Drawn => return Some(0),
            GameStatus::Ongoing if ply > 0 && self.keys.contains(&key) => return Some(0),
            GameStatus::Ongoing if depth <= 0 || ply > 200 => return self.quiescence(board, alpha, beta),
            GameStatus::Ongoing => {}
        }
        let found = self.table.probe(key);
        if let Some(entry) = found.filter(|entry| ply > 0 && i32::from(entry.depth) >= depth)
            && let Some(score) = MATES.to_root(entry.window, ply).cutoff(alpha, beta)
        {
            return Some(score);
        }
        let is_pv = beta > alpha + 1 || found.is_some_and(|entry| entry.flags & WAS_PV != 0);
        let in_check = !board.checkers().is_empty();
        let (first_alpha, mut best, mut best_move) = (alpha, -INFINITE, 0);
        self.keys.push(key);
        for (number, mv) in self.ordered(board, found.map_or(0, |entry| entry.best), false).into_iter().enumerate() {
            let mut next = board.clone();
            next.play_unchecked(mv);
            self.table.prefetch(next.hash());
            let new_depth = depth - i32::from(!in_check);
            let is_late = number > 3 && depth > 2 && !in_check && !is_noisy(board, mv);
            let reduction = i32::from(is_late) + i32::from(is_late && !is_pv);
            let narrow = if number == 0 { beta } else { alpha + 1 };
            let mut score = -self.search(&next, -narrow, -alpha, new_depth - reduction, ply + 1)?;
            if score > alpha && (is_late || narrow < beta) {
                score = -self.search(&next, -beta, -alpha, new_depth, ply + 1)?;
            }
            if score > best {
                (best, best_move) = (score, code(mv));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                self.history[mv.from as usize][mv.to as usize] += depth * depth;
                break;
            }
        }
        self.keys.pop();
        let window = match best {
            _ if best >= beta => Window::at_least(best),
            _ if best <= first_alpha => Window::at_most(best),
            _ => Window::exact(best),
        };
        let (window, flags) = (MATES.to_node(window, ply), if is_pv { WAS_PV } else { 0 });
        self.table.store(key, Entry { window, depth: depth as u8, best: best_move, flags, ..Entry::default() });
        Some(best)
    }

    /// Captures and promotions only, until the position is quiet.
    fn quiescence(&mut self, board: &Board, mut alpha: Score, beta: Score) -> Option<Score> {
        self.nodes += 1;
        let is_over = self.nodes.is_multiple_of(1024) && self.deadline.is_some_and(|end| Instant::now() >= end);
        if is_over || self.stop.load(Relaxed) {
            return None;
        }
        let mut best = evaluate(board);
        for mv in self.ordered(board, 0, true) {
            alpha = alpha.max(best);
            if alpha < beta {
                let mut next = board.clone();
                next.play_unchecked(mv);
                best = best.max(-self.quiescence(&next, -beta, -alpha)?);
            }
        }
        Some(best)
    }

    /// The hash move, captures of much by little, then by history.
    fn ordered(&self, board: &Board, hash_move: u16, noisy_only: bool) -> Vec<Move> {
        let mut moves = Vec::new();
        board.generate_moves(|of_piece| {
            moves.extend(of_piece.into_iter().filter(|&mv| !noisy_only || is_noisy(board, mv)));
            false
        });
        let value = |square| board.piece_on(square).map_or(0, |piece| VALUES[piece as usize]);
        moves.sort_by_cached_key(|&mv| match mv {
            _ if code(mv) == hash_move => i32::MIN,
            _ if is_noisy(board, mv) => -(1 << 28) - 16 * value(mv.to) + value(mv.from),
            _ => -self.history[mv.from as usize][mv.to as usize].min(1 << 24),
        });
        moves
    }

    /// Deepens until it is stopped, then prints the hash move of the root, or any move.
    fn think(mut self, board: &Board, max_depth: u8) {
        for depth in 1..=max_depth {
            let Some(score) = self.search(board, -INFINITE, INFINITE, depth.into(), 0) else { break };
            let shown = MATES.plies(score).map_or(format!("cp {score}"), |plies| format!("mate {}", (plies + 1) / 2));
            println!("info depth {depth} score {shown} nodes {} hashfull {}", self.nodes, self.table.hashfull());
        }
        let hash_move = self.table.probe(board.hash()).map_or(0, |entry| entry.best);
        let best = self.ordered(board, hash_move, false).first().copied();
        println!("bestmove {}", best.map_or(String::new(), |mv| util::display_uci_move(board, mv).to_string()));
    }
}

const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

/// Material, and pieces that stand near the centre, the king far from it.
fn evaluate(board: &Board) -> Score {
    let worth = |color: Color, square: Square| {
        let (file, rank) = (square.file() as i32, square.rank().relative_to(color) as i32);
        let centre = 14 - (2 * file - 7).abs() - (2 * rank - 7).abs();
        let piece = board.piece_on(square).map_or(0, |piece| piece as usize);
        VALUES[piece] + if piece == 5 { -centre } else { 2 * centre }
    };
    let side = |color: Color| board.colors(color).into_iter().map(|square| worth(color, square)).sum::<i32>();
    (side(board.side_to_move()) - side(!board.side_to_move())) as Score
}

fn is_noisy(board: &Board, mv: Move) -> bool {
    board.colors(!board.side_to_move()).has(mv.to) || mv.promotion.is_some()
}

/// The move in 16 bits; no move is 0.
fn code(mv: Move) -> u16 {
    mv.from as u16 | (mv.to as u16) << 6 | mv.promotion.map_or(0, |piece| piece as u16) << 12
}

/// The position of a `position` command, and the keys of those before it.
fn position(words: &[&str]) -> Result<(Board, Vec<u64>), String> {
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let fen = words.get(1..moves).filter(|_| words[0] == "fen").map(|fen| fen.join(" "));
    let board = fen.map_or(Ok(Board::default()), |fen| Board::from_fen(&fen, false));
    let (mut board, mut keys) = (board.map_err(|error| error.to_string())?, Vec::new());
    for text in words.iter().skip(moves + 1) {
        keys.push(board.hash());
        board.play_unchecked(util::parse_uci_move(&board, text).map_err(|_| format!("{text} is no move"))?);
    }
    Ok((board, keys))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut table, mut board, mut keys) = (Arc::new(Tt::new(16 << 20)?), Board::default(), Vec::new());
    let (stop, mut running): (_, Option<JoinHandle<()>>) = (Arc::new(AtomicBool::new(false)), None);
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(search) = running.take_if(|_| words != ["isready"]) {
            stop.store(true, Relaxed);
            search.join().map_err(|_| "the search panicked")?;
        }
        match words[..] {
            ["uci"] => println!("id name example\noption name Hash type spin default 16 min 1 max 65536\nuciok"),
            ["isready"] => println!("readyok"),
            ["ucinewgame"] => table.clear(1),
            ["setoption", "name", "Hash", "value", size] => table = Arc::new(Tt::new(size.parse::<usize>()? << 20)?),
            ["position", ref words @ ..] => (board, keys) = position(words)?,
            ["go", ref limits @ ..] => {
                let after = |name| limits.iter().position(|&word| word == name).and_then(|at| limits.get(at + 1));
                let number = |name| after(name).and_then(|number| number.parse::<u64>().ok());
                let clock = number(if board.side_to_move() == Color::White { "wtime" } else { "btime" });
                let time = number("movetime").or(clock.map(|left| left / 30)).map(Duration::from_millis);
                let depth = number("depth").map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH.into()) as u8);
                table.new_generation();
                stop.store(false, Relaxed);
                let (table, stop, keys, board) = (Arc::clone(&table), Arc::clone(&stop), keys.clone(), board.clone());
                let (deadline, history) = (time.map(|time| Instant::now() + time), Box::new([[0; 64]; 64]));
                let searcher = Searcher { table, stop, deadline, keys, history, nodes: 0 };
                running = Some(thread::spawn(move || searcher.think(&board, depth)));
            }
            ["quit"] => break,
            _ => {}
        }
    }
    Ok(())
}
