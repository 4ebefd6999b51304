//! Features of pawns and kings alone: pawn structure, passed pawns, king shelter. They change rarely, so the
//! [cache](super::cache) keeps their sum.

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};

use super::context::{EvalContext, square_index};
use super::features::FeatureSink;
use super::masks::{
    adjacent_files, all_ahead, beside, distance_ahead, file_number, front_span, one_ahead, rank_number, squares, wing,
};
use super::terms::{self, Group};

/// Reports the features that depend on pawns and kings only. Returns the passed pawns of both sides.
pub(super) fn trace_pawns<S: FeatureSink>(context: &EvalContext<'_>, sink: &mut S) -> BitBoard {
    trace_side(context, Color::White, sink) | trace_side(context, Color::Black, sink)
}

/// One side's part of [`trace_pawns`].
#[inline(always)]
fn trace_side<S: FeatureSink>(context: &EvalContext<'_>, side: Color, sink: &mut S) -> BitBoard {
    let own = context.side(side);
    sink.add(side, terms::MATERIAL, Piece::Pawn as usize, own.pawns.len() as i32);
    sink.add(side, terms::SQUARES, Piece::King as usize * 64 + square_index(side, own.king, own.king), 1);
    for pawn in squares(own.pawns) {
        sink.add(side, terms::SQUARES, Piece::Pawn as usize * 64 + square_index(side, own.king, pawn), 1);
    }
    chains(context, side, sink);
    weaknesses(context, side, sink);
    let passed = passed_and_candidates(context, side, sink);
    shelter(context, side, sink);
    if (wing(own.king) & context.board.pieces(Piece::Pawn)).is_empty() {
        sink.add(side, terms::PAWNLESS_FLANK, 0, 1);
    }
    passed
}

/// Phalanxes, protected pawns, and pawns that an enemy pawn blocks.
#[inline(always)]
fn chains<S: FeatureSink>(context: &EvalContext<'_>, side: Color, sink: &mut S) {
    let [own, other] = context.both(side);
    by_rank(side, terms::PHALANX, own.pawns & beside(own.pawns), sink);
    by_rank(side, terms::PROTECTED, own.pawns & own.pawn_attacks(), sink);
    by_rank(side, terms::RAMMED, own.pawns & one_ahead(!side, other.pawns), sink);
}

/// Doubled, isolated and backward pawns.
#[inline(always)]
fn weaknesses<S: FeatureSink>(context: &EvalContext<'_>, side: Color, sink: &mut S) {
    let [own, other] = context.both(side);
    let doubled = own.pawns & all_ahead(!side, own.pawns);
    sink.add(side, terms::DOUBLED, 0, doubled.len() as i32);
    let files = own.pawns | all_ahead(side, own.pawns) | all_ahead(!side, own.pawns);
    let isolated = own.pawns & !beside(files);
    for (number, files) in FILES_FROM_THE_EDGE.into_iter().enumerate() {
        sink.add(side, terms::ISOLATED, number, (isolated & files).len() as i32);
    }
    let can_be_reached = beside(own.pawns) | all_ahead(side, beside(own.pawns));
    let cannot_advance = one_ahead(!side, other.pawn_attacks());
    let backward = own.pawns & cannot_advance & !(isolated | own.pawn_attacks() | can_be_reached);
    sink.add(side, terms::BACKWARD, 0, backward.len() as i32);
}

/// Candidate and passed pawns. Returns the passed ones.
#[inline(always)]
fn passed_and_candidates<S: FeatureSink>(context: &EvalContext<'_>, side: Color, sink: &mut S) -> BitBoard {
    let [own, other] = context.both(side);
    let open = own.pawns & !all_ahead(!side, other.pawns);
    let guarded = all_ahead(!side, beside(other.pawns));
    for pawn in squares(open & guarded) {
        let span = front_span(side, pawn);
        let helpers = adjacent_files(pawn) & !span & own.pawns;
        if helpers.len() >= (span & other.pawns).len() {
            sink.add(side, terms::CANDIDATE, rank_number(side, pawn), 1);
        }
    }
    let passed = open & !guarded & !all_ahead(!side, own.pawns);
    for pawn in squares(passed) {
        passed_pawn(context, side, pawn, sink);
    }
    passed
}

/// The files by their distance from the edge.
const FILES_FROM_THE_EDGE: [BitBoard; 4] = [
    BitBoard(0x8181_8181_8181_8181),
    BitBoard(0x4242_4242_4242_4242),
    BitBoard(0x2424_2424_2424_2424),
    BitBoard(0x1818_1818_1818_1818),
];

/// Reports the number of the pawns on each rank.
#[inline(always)]
fn by_rank<S: FeatureSink>(side: Color, group: Group, pawns: BitBoard, sink: &mut S) {
    for rank in Rank::Second as usize..=Rank::Seventh as usize {
        let squares = match side {
            Color::White => BitBoard(0xff << (8 * rank)),
            Color::Black => BitBoard(0xff << (8 * (7 - rank))),
        };
        sink.add(side, group, rank, (pawns & squares).len() as i32);
    }
}

#[inline(always)]
fn passed_pawn<S: FeatureSink>(context: &EvalContext<'_>, side: Color, pawn: Square, sink: &mut S) {
    let [own, other] = context.both(side);
    let rank = rank_number(side, pawn);
    sink.add(side, terms::PASSED, rank, 1);
    if rank >= Rank::Fourth as usize {
        sink.add(side, terms::PASSED_OWN_KING, distance_ahead(side, own.king, pawn), 1);
        sink.add(side, terms::PASSED_OTHER_KING, distance_ahead(side, other.king, pawn), 1);
    }
}

#[inline(always)]
fn shelter<S: FeatureSink>(context: &EvalContext<'_>, side: Color, sink: &mut S) {
    let [own, other] = context.both(side);
    let centre = file_number(own.king).clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        let beside = usize::from(file != file_number(own.king)) * 8;
        let file = BitBoard(File::A.bitboard().0 << file);
        let [shelter, storm] = [own, other].map(|whose| nearest(side, whose.pawns & file));
        sink.add(side, terms::SHELTER, beside + shelter, 1);
        sink.add(side, terms::STORM, beside + storm, 1);
        if shelter > 0 && storm == shelter + 1 {
            sink.add(side, terms::STORM_STOPPED, storm, 1);
        }
    }
}

/// The rank, seen from the side, of the pawn nearest to its first rank; 0 if there is none.
#[inline(always)]
fn nearest(side: Color, pawns: BitBoard) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    match side {
        Color::White => pawns.0.trailing_zeros() as usize / 8,
        Color::Black => 7 - (63 - pawns.0.leading_zeros()) as usize / 8,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use mnemon_chess::Position;
    use mnemon_chess::random_games::walk;

    /// The reported features, by side and number of the weight.
    #[derive(Default)]
    struct Reported(HashMap<(Color, usize), i32>);

    impl FeatureSink for Reported {
        fn add(&mut self, side: Color, group: Group, number: usize, times: i32) {
            *self.0.entry((side, group.start + number)).or_default() += times;
        }
    }

    const BY_SETS: [Group; 8] = [
        terms::PHALANX,
        terms::PROTECTED,
        terms::RAMMED,
        terms::DOUBLED,
        terms::ISOLATED,
        terms::BACKWARD,
        terms::CANDIDATE,
        terms::PASSED,
    ];

    /// A pawn's file and rank as its side sees it.
    fn file_and_rank(side: Color, square: Square) -> (i32, i32) {
        (file_number(square) as i32, rank_number(side, square) as i32)
    }

    /// One pawn and those around it, by files and ranks.
    fn pawn_by_pawn(position: &Position, side: Color, reported: &mut Reported) {
        let pawns = |whose| {
            position.board().colored_pieces(whose, Piece::Pawn).into_iter().map(|square| file_and_rank(side, square))
        };
        let own: Vec<_> = pawns(side).collect();
        let other: Vec<_> = pawns(!side).collect();
        for &(file, rank) in &own {
            let beside = |other: i32| (other - file).abs() == 1;
            let number = rank as usize;
            let mut add = |group, number, holds: bool| reported.add(side, group, number, i32::from(holds));
            let protected = own.iter().any(|&(f, r)| beside(f) && r == rank - 1);
            let isolated = !own.iter().any(|&(f, _)| beside(f));
            let stopped = other.iter().any(|&(f, r)| f == file && r > rank);
            let doubled = own.iter().any(|&(f, r)| f == file && r > rank);
            let sentries = other.iter().filter(|&&(f, r)| beside(f) && r > rank).count();
            let helpers = own.iter().filter(|&&(f, r)| beside(f) && r <= rank).count();
            let held_back = other.iter().any(|&(f, r)| beside(f) && r == rank + 2);
            add(terms::PHALANX, number, own.iter().any(|&(f, r)| beside(f) && r == rank));
            add(terms::PROTECTED, number, protected);
            add(terms::RAMMED, number, other.contains(&(file, rank + 1)));
            add(terms::DOUBLED, 0, doubled);
            add(terms::ISOLATED, file.min(7 - file) as usize, isolated);
            add(terms::BACKWARD, 0, !isolated && !protected && helpers == 0 && held_back);
            add(terms::CANDIDATE, number, !stopped && sentries > 0 && helpers >= sentries);
            add(terms::PASSED, number, !stopped && !doubled && sentries == 0);
        }
    }

    /// The bitboard code reports the same features as a loop over single pawns.
    #[test]
    fn bitboards_and_single_pawns_give_the_same_features() {
        walk(9, 5_000, |position, _, _| {
            let (mut by_sets, mut by_pawns) = (Reported::default(), Reported::default());
            trace_pawns(&EvalContext::new(position.board()), &mut by_sets);
            Color::ALL.iter().for_each(|&side| pawn_by_pawn(position, side, &mut by_pawns));
            for group in BY_SETS {
                for key in Color::ALL.iter().flat_map(|&side| (0..group.len).map(move |n| (side, group.start + n))) {
                    let times = |reported: &Reported| reported.0.get(&key).copied().unwrap_or_default();
                    assert_eq!(times(&by_sets), times(&by_pawns), "{position}: {} {key:?}", group.name);
                }
            }
        });
    }
}
