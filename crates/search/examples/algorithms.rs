//! The nodes that each algorithm needs with each use of the table on a synthetic game:
//! `cargo run --release -p mnemon-search --example algorithms`.

use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::{Algorithm, Keep, Limits, Search, Silent};
use mnemon_table::{Table, TableError};

fn main() -> Result<(), TableError> {
    let root = Synthetic::new(Rules { seed: 1, tracks: 6, length: 40, gain: 10, noise: 40, sudden_end: 0 });
    println!("{:10} {:>12} {:>12} {:>12} {:>12} {:>12}", "", "Nothing", "Moves", "Exact", "Upper", "Both");
    for algorithm in Algorithm::ALL {
        print!("{:10}", format!("{algorithm:?}"));
        for keep in Keep::ALL {
            let table: Table = Table::new(64 << 20)?;
            let search = Search { algorithm, keep, limits: Limits::depth(9), ..Search::new(&table) };
            print!(" {:>12}", search.run(&root, &mut Silent).stats.nodes);
        }
        println!();
    }
    Ok(())
}
