//! Plays out tic-tac-toe with best play on both sides: `cargo run -p mnemon-search --example tictactoe`.

use mnemon_search::games::TicTacToe;
use mnemon_search::{Game, Limits, Search, Silent};
use mnemon_table::{Table, TableError};

fn main() -> Result<(), TableError> {
    let table: Table = Table::new(1 << 20)?;
    let mut position = TicTacToe::new();
    let mut cells = ['.'; 9];
    for mark in ['X', 'O'].into_iter().cycle() {
        table.new_generation();
        let outcome = Search { limits: Limits::depth(9), ..Search::new(&table) }.run(&position, &mut Silent);
        let Some(cell) = outcome.best else { break };
        position = position.play(cell);
        cells[usize::from(cell)] = mark;
        println!("{mark} plays {cell}: score {} for {mark}, {} nodes", outcome.score, outcome.stats.nodes);
    }
    for row in cells.chunks(3) {
        println!("{}", row.iter().collect::<String>());
    }
    Ok(())
}
