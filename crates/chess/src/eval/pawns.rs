//! What pawns and kings alone decide: the pawn structure, passed pawns, the kings' shelter. It changes seldom, so a
//! [cache](super::cache) can keep its sum.

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};

use super::features::Tally;
use super::masks::{
    adjacent_files, distance_ahead, file_number, forward_file, front_span, neighbours, one_ahead, rank_number, squares,
    wing,
};
use super::scene::{Scene, seen_from};
use super::terms;

/// Tells everything that depends on pawns and kings only. Gives the passed pawns of both sides.
pub(super) fn look_at_pawns<T: Tally>(scene: &Scene<'_>, tally: &mut T) -> BitBoard {
    look_at_side(scene, Color::White, tally) | look_at_side(scene, Color::Black, tally)
}

/// One side's part of it.
#[inline(always)]
fn look_at_side<T: Tally>(scene: &Scene<'_>, side: Color, tally: &mut T) -> BitBoard {
    let own = scene.side(side);
    let mut passed = BitBoard::EMPTY;
    tally.add(side, terms::MATERIAL, Piece::Pawn as usize, own.pawns.len() as i32);
    tally.add(side, terms::SQUARES, Piece::King as usize * 64 + seen_from(side, own.king, own.king), 1);
    for pawn in squares(own.pawns) {
        tally.add(side, terms::SQUARES, Piece::Pawn as usize * 64 + seen_from(side, own.king, pawn), 1);
        structure(scene, side, pawn, tally);
        if is_passed(scene, side, pawn) {
            passed |= pawn.bitboard();
            passes(scene, side, pawn, tally);
        }
    }
    shelter(scene, side, tally);
    if (wing(own.king) & scene.board.pieces(Piece::Pawn)).is_empty() {
        tally.add(side, terms::PAWNLESS_FLANK, 0, 1);
    }
    passed
}

/// A pawn and those around it.
#[inline(always)]
fn structure<T: Tally>(scene: &Scene<'_>, side: Color, pawn: Square, tally: &mut T) {
    let [own, other] = scene.both(side);
    let rank = rank_number(side, pawn);
    let beside = adjacent_files(pawn);
    if !(neighbours(pawn) & own.pawns).is_empty() {
        tally.add(side, terms::PHALANX, rank, 1);
    }
    let protected = own.pawn_attacks().has(pawn);
    if protected {
        tally.add(side, terms::PROTECTED, rank, 1);
    }
    if !(forward_file(side, pawn) & own.pawns).is_empty() {
        tally.add(side, terms::DOUBLED, 0, 1);
    }
    let ahead = forward_file(side, pawn) & other.pawns;
    let next = one_ahead(side, pawn.bitboard());
    if !(ahead & next).is_empty() {
        tally.add(side, terms::RAMMED, rank, 1);
    }
    if (beside & own.pawns).is_empty() {
        let file = file_number(pawn);
        tally.add(side, terms::ISOLATED, file.min(7 - file), 1);
    } else if !protected {
        let cannot_be_reached = (beside & !front_span(side, pawn) & own.pawns).is_empty();
        let cannot_advance = !(other.pawn_attacks() & next).is_empty();
        if cannot_be_reached && cannot_advance {
            tally.add(side, terms::BACKWARD, 0, 1);
        }
    }
    if ahead.is_empty() {
        let sentries = (front_span(side, pawn) & other.pawns).len();
        let helpers = (beside & !front_span(side, pawn) & own.pawns).len();
        if sentries > 0 && helpers >= sentries {
            tally.add(side, terms::CANDIDATE, rank, 1);
        }
    }
}

/// Whether no enemy pawn can stop or take it on its way, and no own pawn stands before it.
#[inline(always)]
fn is_passed(scene: &Scene<'_>, side: Color, pawn: Square) -> bool {
    let [own, other] = scene.both(side);
    let ahead = forward_file(side, pawn);
    ((front_span(side, pawn) | ahead) & other.pawns).is_empty() && (ahead & own.pawns).is_empty()
}

#[inline(always)]
fn passes<T: Tally>(scene: &Scene<'_>, side: Color, pawn: Square, tally: &mut T) {
    let [own, other] = scene.both(side);
    let rank = rank_number(side, pawn);
    tally.add(side, terms::PASSED, rank, 1);
    if rank >= Rank::Fourth as usize {
        tally.add(side, terms::PASSED_OWN_KING, distance_ahead(side, own.king, pawn), 1);
        tally.add(side, terms::PASSED_OTHER_KING, distance_ahead(side, other.king, pawn), 1);
    }
}

#[inline(always)]
fn shelter<T: Tally>(scene: &Scene<'_>, side: Color, tally: &mut T) {
    let [own, other] = scene.both(side);
    let centre = file_number(own.king).clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        let beside = usize::from(file != file_number(own.king)) * 8;
        let file = BitBoard(File::A.bitboard().0 << file);
        let [shelter, storm] = [own, other].map(|men| nearest(side, men.pawns & file));
        tally.add(side, terms::SHELTER, beside + shelter, 1);
        tally.add(side, terms::STORM, beside + storm, 1);
        if shelter > 0 && storm == shelter + 1 {
            tally.add(side, terms::STORM_STOPPED, storm, 1);
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
