//! Looking at a position: every feature that occurs, told to a [`Tally`].

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

use super::masks::{adjacent_files, forward_file, front_span, pawn_attacks, shifted_up};
use super::terms::{self, Group};

/// Someone who counts features.
pub trait Tally {
    /// One side has the feature so many times.
    fn add(&mut self, side: Color, group: Group, number: usize, times: i32);
}

/// What both sides' men attack, and where the kings stand.
struct Scene<'b> {
    board: &'b Board,
    occupied: BitBoard,
    sides: [Side; 2],
}

/// One side's men.
#[derive(Clone, Copy)]
struct Side {
    men: BitBoard,
    pawns: BitBoard,
    king: Square,
    pawn_attacks: BitBoard,
    /// Where a piece that stands or goes there is worth counting: no own pawn or king, no enemy pawn's attack.
    mobility_area: BitBoard,
    /// The squares beside the king.
    ring: BitBoard,
    /// By each kind of piece, by any, and by two or more.
    attacks: [BitBoard; 6],
    attacked: BitBoard,
    attacked_twice: BitBoard,
    /// Attacks on the squares beside the enemy king, and pieces that make them.
    ring_attacks: usize,
    ring_attackers: usize,
}

/// Tells `tally` everything that the evaluation looks at.
pub fn look<T: Tally>(board: &Board, tally: &mut T) {
    let mut scene = Scene::new(board);
    for side in Color::ALL {
        scene.pieces(side, tally);
    }
    for side in Color::ALL {
        scene.pawns(side, tally);
        scene.threats(side, tally);
        scene.king(side, tally);
    }
    tally.add(board.side_to_move(), terms::TEMPO, 0, 1);
}

impl<'b> Scene<'b> {
    fn new(board: &'b Board) -> Self {
        let sides = Color::ALL.map(|side| Side::new(board, side));
        Scene { board, occupied: board.occupied(), sides }
    }

    fn men(&self, side: Color, piece: Piece) -> BitBoard {
        self.sides[side as usize].men & self.board.pieces(piece)
    }

    /// Material, squares, mobility, and what only pieces have.
    fn pieces<T: Tally>(&mut self, side: Color, tally: &mut T) {
        let king = self.sides[side as usize].king;
        for piece in Piece::ALL {
            for square in self.men(side, piece) {
                if piece != Piece::King {
                    tally.add(side, terms::MATERIAL, piece as usize, 1);
                }
                tally.add(side, terms::SQUARES, piece as usize * 64 + seen_from(side, king, square), 1);
                if !matches!(piece, Piece::Pawn | Piece::King) {
                    self.mobility(side, piece, square, tally);
                }
            }
        }
        self.bishops(side, tally);
        self.outposts(side, tally);
        self.rooks(side, tally);
    }

    /// The squares that a piece sees, and its part in the attack on the king.
    fn mobility<T: Tally>(&mut self, side: Color, piece: Piece, square: Square, tally: &mut T) {
        let (occupied, other) = (self.occupied, self.sides[!side as usize]);
        let queens = self.board.pieces(Piece::Queen);
        let rooks = self.men(side, Piece::Rook);
        // Own queens and rooks behind which a piece stands lend it their line.
        let (sees, group) = match piece {
            Piece::Knight => (get_knight_moves(square), terms::KNIGHT_MOBILITY),
            Piece::Bishop => (get_bishop_moves(square, occupied & !queens), terms::BISHOP_MOBILITY),
            Piece::Rook => (get_rook_moves(square, occupied & !queens & !rooks), terms::ROOK_MOBILITY),
            _ => (get_bishop_moves(square, occupied) | get_rook_moves(square, occupied), terms::QUEEN_MOBILITY),
        };
        let own = &mut self.sides[side as usize];
        own.attacks[piece as usize] |= sees;
        own.attacked_twice |= own.attacked & sees;
        own.attacked |= sees;
        let on_ring = (sees & other.ring).len() as usize;
        own.ring_attacks += on_ring;
        own.ring_attackers += usize::from(on_ring > 0);
        tally.add(side, group, (sees & own.mobility_area).len() as usize, 1);
    }

    fn bishops<T: Tally>(&self, side: Color, tally: &mut T) {
        let bishops = self.men(side, Piece::Bishop);
        if bishops.len() >= 2 {
            tally.add(side, terms::BISHOP_PAIR, 0, 1);
        }
        for bishop in bishops {
            let colour =
                if BitBoard::DARK_SQUARES.has(bishop) { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
            let blocked = (self.sides[side as usize].pawns & colour).len() as usize;
            tally.add(side, terms::BAD_BISHOP, blocked, 1);
        }
    }

    fn outposts<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = [side, !side].map(|side| &self.sides[side as usize]);
        for (number, piece) in [Piece::Knight, Piece::Bishop].into_iter().enumerate() {
            for square in self.men(side, piece) & own.pawn_attacks {
                let ahead = front_span(side, square) & adjacent_files(square.file());
                if square.rank().relative_to(side) >= Rank::Fourth && (ahead & other.pawns).is_empty() {
                    tally.add(side, terms::OUTPOST, number, 1);
                }
            }
        }
    }

    fn rooks<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = [side, !side].map(|side| &self.sides[side as usize]);
        for rook in self.men(side, Piece::Rook) {
            let file = rook.file().bitboard();
            if (file & own.pawns).is_empty() {
                tally.add(side, terms::ROOK_FILE, usize::from(!(file & other.pawns).is_empty()), 1);
            }
        }
    }

    fn pawns<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = [side, !side].map(|side| &self.sides[side as usize]);
        for pawn in own.pawns {
            let rank = pawn.rank().relative_to(side) as usize;
            let beside = adjacent_files(pawn.file());
            let ahead = forward_file(side, pawn);
            if !(pawn.rank().bitboard() & beside & own.pawns).is_empty() {
                tally.add(side, terms::PHALANX, rank, 1);
            }
            let protected = own.pawn_attacks.has(pawn);
            if protected {
                tally.add(side, terms::PROTECTED, rank, 1);
            }
            if !(ahead & own.pawns).is_empty() {
                tally.add(side, terms::DOUBLED, 0, 1);
            }
            let span = front_span(side, pawn);
            if (beside & own.pawns).is_empty() {
                let file = pawn.file() as usize;
                tally.add(side, terms::ISOLATED, file.min(7 - file), 1);
            } else if !protected {
                let cannot_be_reached = (beside & !span & own.pawns).is_empty();
                let cannot_advance = other.pawn_attacks.has(shifted_up(side, pawn));
                if cannot_be_reached && cannot_advance {
                    tally.add(side, terms::BACKWARD, 0, 1);
                }
            }
            if ((span | ahead) & other.pawns).is_empty() && (ahead & own.pawns).is_empty() {
                self.passed(side, pawn, rank, tally);
            }
        }
    }

    fn passed<T: Tally>(&self, side: Color, pawn: Square, rank: usize, tally: &mut T) {
        let [own, other] = [side, !side].map(|side| &self.sides[side as usize]);
        let next = shifted_up(side, pawn);
        tally.add(side, terms::PASSED, rank, 1);
        if self.occupied.has(next) {
            tally.add(side, terms::PASSED_BLOCKED, rank, 1);
        } else if (forward_file(side, pawn) & (other.attacked | self.occupied)).is_empty() {
            tally.add(side, terms::PASSED_FREE, rank, 1);
        }
        if rank >= Rank::Fourth as usize {
            tally.add(side, terms::PASSED_OWN_KING, distance(own.king, next), 1);
            tally.add(side, terms::PASSED_OTHER_KING, distance(other.king, next), 1);
        }
    }

    fn threats<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = [side, !side].map(|side| &self.sides[side as usize]);
        let minors = own.attacks[Piece::Knight as usize] | own.attacks[Piece::Bishop as usize];
        let rooks = own.attacks[Piece::Rook as usize];
        let steps = self.safe_steps(side);
        for (number, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
            let men = self.men(!side, piece);
            tally.add(side, terms::PAWN_THREAT, number, (men & own.pawn_attacks).len() as i32);
            tally.add(side, terms::PUSH_THREAT, number, (men & pawn_attacks(side, steps)).len() as i32);
        }
        for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let men = self.men(!side, piece) & !other.pawn_attacks;
            let loose = if matches!(piece, Piece::Rook | Piece::Queen) { self.men(!side, piece) } else { men };
            tally.add(side, terms::MINOR_THREAT, piece as usize, (loose & minors).len() as i32);
            tally.add(side, terms::ROOK_THREAT, piece as usize, (men & rooks).len() as i32);
        }
        let hanging = other.men & own.attacked & !other.attacked;
        tally.add(side, terms::HANGING, 0, hanging.len() as i32);
    }

    /// Where a pawn can step without being taken for nothing.
    fn safe_steps(&self, side: Color) -> BitBoard {
        let [own, other] = [side, !side].map(|side| &self.sides[side as usize]);
        let free = !self.occupied;
        let step = |pawns: BitBoard| match side {
            Color::White => BitBoard(pawns.0 << 8) & free,
            Color::Black => BitBoard(pawns.0 >> 8) & free,
        };
        let once = step(own.pawns);
        let twice = step(once & Rank::Third.relative_to(side).bitboard());
        (once | twice) & !other.pawn_attacks & (own.attacked | !other.attacked)
    }

    /// The safety of this side's king.
    fn king<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = [side, !side].map(|side| &self.sides[side as usize]);
        tally.add(!side, terms::KING_ATTACKS, other.ring_attacks.min(15), 1);
        tally.add(!side, terms::KING_ATTACKERS, other.ring_attackers.min(7), 1);
        let weak =
            own.ring & other.attacked & !own.attacked_twice & (!own.attacked | own.attacks[Piece::King as usize]);
        tally.add(!side, terms::KING_WEAK, weak.len().min(8) as usize, 1);
        self.checks(side, tally);
        self.shelter(side, tally);
    }

    /// The squares from which the other side can give check and nothing but perhaps the king could take.
    fn checks<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = [side, !side].map(|side| &self.sides[side as usize]);
        let safe = !other.men
            & (!own.attacked | (other.attacked_twice & !own.attacked_twice & own.attacks[Piece::King as usize]));
        let diagonal = get_bishop_moves(own.king, self.occupied);
        let straight = get_rook_moves(own.king, self.occupied);
        let from = [get_knight_moves(own.king), diagonal, straight, diagonal | straight];
        for (number, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
            let checks = (from[number] & other.attacks[piece as usize] & safe).len() as usize;
            if checks > 0 {
                tally.add(!side, terms::SAFE_CHECKS, number * 4 + checks.min(4) - 1, 1);
            }
        }
    }

    fn shelter<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = [side, !side].map(|side| &self.sides[side as usize]);
        let centre = (own.king.file() as usize).clamp(1, 6);
        for file in centre - 1..=centre + 1 {
            let beside = usize::from(file != own.king.file() as usize) * 8;
            let file = File::index(file).bitboard();
            tally.add(side, terms::SHELTER, beside + nearest(side, own.pawns & file), 1);
            tally.add(side, terms::STORM, beside + nearest(side, other.pawns & file), 1);
        }
    }
}

impl Side {
    fn new(board: &Board, side: Color) -> Self {
        let men = board.colors(side);
        let pawns = men & board.pieces(Piece::Pawn);
        let king = board.king(side);
        let pawn_attacks_of = |side| pawn_attacks(side, board.colored_pieces(side, Piece::Pawn));
        let (own_attacks, other_attacks) = (pawn_attacks_of(side), pawn_attacks_of(!side));
        let mut attacks = [BitBoard::EMPTY; 6];
        attacks[Piece::Pawn as usize] = own_attacks;
        attacks[Piece::King as usize] = get_king_moves(king);
        Side {
            men,
            pawns,
            king,
            pawn_attacks: own_attacks,
            mobility_area: !(other_attacks | pawns | king.bitboard()),
            ring: get_king_moves(king) | king.bitboard(),
            attacks,
            attacked: own_attacks | get_king_moves(king),
            attacked_twice: own_attacks & get_king_moves(king),
            ring_attacks: 0,
            ring_attackers: 0,
        }
    }
}

/// The square's number as its own side sees it, mirrored so that its king stands on the right half.
fn seen_from(side: Color, king: Square, square: Square) -> usize {
    let mirror = if (king.file() as usize) < 4 { 7 } else { 0 };
    square.relative_to(side) as usize ^ mirror
}

/// King's moves between two squares.
fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as i32).abs_diff(b.file() as i32);
    let ranks = (a.rank() as i32).abs_diff(b.rank() as i32);
    files.max(ranks) as usize
}

/// The rank, seen from the side, of the pawn nearest to its first rank; 0 if there is none.
fn nearest(side: Color, pawns: BitBoard) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    match side {
        Color::White => pawns.0.trailing_zeros() as usize / 8,
        Color::Black => 7 - (63 - pawns.0.leading_zeros()) as usize / 8,
    }
}
