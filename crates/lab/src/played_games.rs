//! Chess games for experiments that go through a game: fixed, so that node counts can be repeated.

use mnemon_chess::pgn::PgnReader;
use mnemon_engine::EvaluatedPosition;

/// D. Byrne against Fischer, New York 1956, and Kasparov against Topalov, Wijk aan Zee 1999.
const GAMES: &str = "\
1. Nf3 Nf6 2. c4 g6 3. Nc3 Bg7 4. d4 O-O 5. Bf4 d5 6. Qb3 dxc4 7. Qxc4 c6 8. e4 Nbd7 9. Rd1 Nb6 10. Qc5 Bg4 11. Bg5 Na4
12. Qa3 Nxc3 13. bxc3 Nxe4 14. Bxe7 Qb6 15. Bc4 Nxc3 16. Bc5 Rfe8+ 17. Kf1 Be6 18. Bxb6 Bxc4+ 19. Kg1 Ne2+ 20. Kf1 Nxd4+
21. Kg1 Ne2+ 22. Kf1 Nc3+ 23. Kg1 axb6 24. Qb4 Ra4 25. Qxb6 Nxd1 26. h3 Rxa2 27. Kh2 Nxf2 28. Re1 Rxe1 29. Qd8+ Bf8
30. Nxe1 Bd5 31. Nf3 Ne4 32. Qb8 b5 33. h4 h5 34. Ne5 Kg7 35. Kg1 Bc5+ 36. Kf1 Ng3+ 37. Ke1 Bb4+ 38. Kd1 Bb3+ 39. Kc1 Ne2+
40. Kb1 Nc3+ 41. Kc1 Rc2# 0-1

1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5 11. O-O-O Qe7
12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5 20. Qf4+ Ka7 21. Rhe1 d4
22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4 cxd4 25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4 28. Qc3 Qxd5 29. Ra7 Bb7 30. Rxb7 Qc4
31. Qxf6 Kxa3 32. Qxa6+ Kxb4 33. c3+ Kxc3 34. Qa1+ Kd2 35. Qb2+ Kd1 36. Bf1 Rd2 37. Rd7 Rxd7 38. Bxc4 bxc4 39. Qxh8 Rd3
40. Qa8 c3 41. Qa4+ Ke1 42. f4 f5 43. Kc1 Rd2 44. Qa7 1-0
";

/// The positions of each game in which a move was played, from the first to the last.
pub(crate) fn played_games() -> Vec<Vec<EvaluatedPosition>> {
    let games = PgnReader::new("games", GAMES.as_bytes()).flatten();
    let positions = |game: mnemon_chess::pgn::PgnGame| {
        let mut position = game.start;
        let mut step = |mv| {
            let next = position.after(mv);
            EvaluatedPosition(std::mem::replace(&mut position, next))
        };
        game.moves.into_iter().map(&mut step).collect()
    };
    games.map(positions).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_played_to_their_ends() {
        let plies: Vec<usize> = played_games().iter().map(Vec::len).collect();
        assert_eq!(plies, [82, 87]);
        let last = played_games().concat().pop().expect("positions");
        assert_eq!(last.0.fullmove_number(), 44);
    }
}
