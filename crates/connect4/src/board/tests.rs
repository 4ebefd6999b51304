use super::*;

fn fault(moves: &str) -> (usize, MoveFault) {
    let error = Board::<7, 6>::parse(moves).unwrap_err();
    (error.index, error.fault)
}

#[test]
fn invalid_moves_are_named_with_their_index() {
    assert_eq!(fault("4444444"), (6, MoveFault::FullColumn(4)));
    assert_eq!(fault("12x4"), (2, MoveFault::NotADigit('x')));
    assert_eq!(fault("128"), (2, MoveFault::NoSuchColumn { column: 8, width: 7 }));
    assert_eq!(fault("0"), (0, MoveFault::NoSuchColumn { column: 0, width: 7 }));
    assert_eq!(fault("1212121"), (6, MoveFault::EndsGame(1)));
    assert_eq!(fault("12121212"), (6, MoveFault::EndsGame(1)));
    assert_eq!(fault("1½"), (1, MoveFault::NotADigit('½')));
    let error = Board::<7, 6>::parse("4444444").unwrap_err();
    assert_eq!(error.to_string(), "move 7: column 4 is full");
}

#[test]
fn a_megabyte_is_refused_at_its_first_bad_move() {
    assert_eq!(fault(&"4".repeat(1 << 20)), (6, MoveFault::FullColumn(4)));
}

#[test]
fn the_empty_line_is_the_empty_board() {
    let board: Board = Board::parse("").unwrap();
    assert_eq!((board, board.stones(), board.pack()), (Board::new(), 0, 0));
}

#[test]
fn four_is_found_in_every_direction() {
    assert!(Board::<7, 6>::parse("112233").unwrap().wins_by(3));
    assert!(Board::<7, 6>::parse("121212").unwrap().wins_by(0));
    // Rising and falling diagonals.
    assert!(Board::<7, 6>::parse("122373347474").unwrap().wins_by(3));
    assert!(Board::<7, 6>::parse("766515541414").unwrap().wins_by(3));
}

#[test]
fn the_mirror_image_of_the_mirror_image_is_the_position() {
    let board = Board::<7, 6>::parse("1223314").unwrap();
    assert_ne!(board.mirror(), board);
    assert_eq!(board.mirror().mirror(), board);
    assert_eq!(board.mirror(), Board::parse("7665574").unwrap());
}

#[test]
fn different_positions_pack_differently() {
    let mut seen = std::collections::HashMap::new();
    let mut boards = vec![Board::<4, 4>::new()];
    while let Some(board) = boards.pop() {
        if board.stones() == 8 {
            continue;
        }
        for column in board.columns().filter(|&column| !board.wins_by(column)) {
            let next = board.play(column);
            match seen.insert(next.pack(), next) {
                Some(other) => assert_eq!(other, next),
                None => boards.push(next),
            }
        }
    }
}
