//! The features of the evaluation: groups of weights, one after the other in one list.
//!
//! A feature is a number within a group and how often it occurs, for White minus for Black. The evaluation is the sum of
//! features times weights and nothing else, so every part of it can be tuned.

/// A group of weights that belong together: its name, where it begins and how many it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name, as the file of weights spells it.
    pub name: &'static str,
    /// The number of its first weight.
    pub start: usize,
    /// How many weights it has.
    pub len: usize,
}

impl Group {
    const fn first(name: &'static str, len: usize) -> Self {
        Group { name, start: 0, len }
    }

    const fn then(self, name: &'static str, len: usize) -> Self {
        Group { name, start: self.start + self.len, len }
    }
}

/// Pawn, knight, bishop, rook, queen.
pub const MATERIAL: Group = Group::first("material", 5);
/// For each of six piece types the square, from its side's point of view and mirrored so that its king is on files e to h.
pub const SQUARES: Group = MATERIAL.then("piece-square", 6 * 64);
/// How many squares a knight attacks that no enemy pawn attacks and no own pawn or king occupies.
pub const KNIGHT_MOBILITY: Group = SQUARES.then("knight mobility", 9);
/// The same for a bishop.
pub const BISHOP_MOBILITY: Group = KNIGHT_MOBILITY.then("bishop mobility", 14);
/// The same for a rook.
pub const ROOK_MOBILITY: Group = BISHOP_MOBILITY.then("rook mobility", 15);
/// The same for a queen.
pub const QUEEN_MOBILITY: Group = ROOK_MOBILITY.then("queen mobility", 28);
/// A passed pawn, by its rank.
pub const PASSED: Group = QUEEN_MOBILITY.then("passed pawn", 8);
/// The square before a passed pawn is occupied, by rank.
pub const PASSED_BLOCKED: Group = PASSED.then("passed pawn, blocked", 8);
/// All squares before a passed pawn are empty and not attacked by the enemy, by rank.
pub const PASSED_FREE: Group = PASSED_BLOCKED.then("passed pawn, free path", 8);
/// The square before a passed pawn is attacked by its own side, by rank.
pub const PASSED_HELPED: Group = PASSED_FREE.then("passed pawn, supported", 8);
/// A rook behind a passed pawn on its file: its own side's, the other's.
pub const PASSED_ROOK: Group = PASSED_HELPED.then("passed pawn, rook behind: own and enemy", 2);
/// A passed pawn on the fourth rank or beyond: its own king's distance from the square before it.
pub const PASSED_OWN_KING: Group = PASSED_ROOK.then("passed pawn, own king distance", 8);
/// The same for the other king.
pub const PASSED_OTHER_KING: Group = PASSED_OWN_KING.then("passed pawn, enemy king distance", 8);
/// A pawn with no enemy before it on its file, and at least as many helpers on the next files as enemies ahead, by rank.
pub const CANDIDATE: Group = PASSED_OTHER_KING.then("candidate passed pawn", 8);
/// A pawn beside another on the same rank, by rank.
pub const PHALANX: Group = CANDIDATE.then("phalanx", 8);
/// A pawn that another protects, by rank.
pub const PROTECTED: Group = PHALANX.then("protected pawn", 8);
/// A pawn without neighbours on the next files, by file from the edge.
pub const ISOLATED: Group = PROTECTED.then("isolated pawn", 4);
/// A pawn behind another on the same file.
pub const DOUBLED: Group = ISOLATED.then("doubled pawn", 1);
/// A pawn that no pawn can come to protect and that cannot safely advance.
pub const BACKWARD: Group = DOUBLED.then("backward pawn", 1);
/// A pawn with an enemy pawn right before it, by rank.
pub const RAMMED: Group = BACKWARD.then("rammed pawn", 8);
/// Two bishops.
pub const BISHOP_PAIR: Group = RAMMED.then("bishop pair", 1);
/// A bishop's own pawns on squares of its colour, by their number.
pub const BAD_BISHOP: Group = BISHOP_PAIR.then("bad bishop: pawns on its colour", 9);
/// A knight or a bishop that a pawn protects where no enemy pawn can come.
pub const OUTPOST: Group = BAD_BISHOP.then("outpost: knight, bishop", 2);
/// Outposts that a knight attacks.
pub const OUTPOST_NEAR: Group = OUTPOST.then("outposts in reach of a knight", 1);
/// A knight or bishop right behind a pawn.
pub const SHIELDED: Group = OUTPOST_NEAR.then("minor piece behind a pawn", 1);
/// A rook on a file without pawns, and on one without own pawns.
pub const ROOK_FILE: Group = SHIELDED.then("rook on open, half-open file", 2);
/// A pawn attacks a knight, bishop, rook, queen; while it is the other side's turn, and on the own turn.
pub const PAWN_THREAT: Group = ROOK_FILE.then("threat by pawn", 2 * 4);
/// A pawn could attack one of these pieces after a safe push.
pub const PUSH_THREAT: Group = PAWN_THREAT.then("threat by pawn push", 4);
/// A knight or bishop attacks a pawn, knight, bishop, rook, queen; by turn, as above.
pub const MINOR_THREAT: Group = PUSH_THREAT.then("threat by minor piece", 2 * 5);
/// A rook attacks the same; by turn.
pub const ROOK_THREAT: Group = MINOR_THREAT.then("threat by rook", 2 * 5);
/// An enemy piece or pawn that is attacked and not protected; by turn.
pub const HANGING: Group = ROOK_THREAT.then("hanging piece", 2);
/// Enemy pieces and pawns that the king attacks and that are weakly protected.
pub const KING_THREAT: Group = HANGING.then("threat by king", 1);
/// Squares that both sides attack and the enemy does not protect well.
pub const RESTRICTED: Group = KING_THREAT.then("restricted squares", 1);
/// Safe squares from which a knight, or a bishop or rook, can attack the enemy's only queen.
pub const QUEEN_THREAT: Group = RESTRICTED.then("threats to the queen: by knight, by slider", 2);
/// Attacks on squares of the enemy king ring, by their number.
pub const KING_ATTACKS: Group = QUEEN_THREAT.then("attacks on the king ring", 16);
/// A knight, bishop, rook, queen can give check from a square that at most the king protects, by the number of these
/// squares; by turn.
pub const SAFE_CHECKS: Group = KING_ATTACKS.then("safe checks: knight, bishop, rook, queen", 2 * 16);
/// All of these, the attacking pieces and the squares that only the king protects, in one sum; by turn. Several dangers
/// at once count for more than the sum of each.
pub const KING_DANGER: Group = SAFE_CHECKS.then("king danger", 2 * 20);
/// Attacks on the king's flank, the four files around it on the five ranks nearest to its side, and squares protected there.
pub const FLANK: Group = KING_DANGER.then("king flank: attacks, defences", 2);
/// There are no pawns on the king's flank.
pub const PAWNLESS_FLANK: Group = FLANK.then("pawnless flank", 1);
/// The own pawn before the king on its own file and on the next ones, by rank seen from its side; 0 for none.
pub const SHELTER: Group = PAWNLESS_FLANK.then("king shelter: own file, adjacent files", 2 * 8);
/// The enemy pawn on those files, by rank seen from the king's side; 0 for none.
pub const STORM: Group = SHELTER.then("pawn storm: king's file, adjacent files", 2 * 8);
/// The enemy pawn on those files stands right before the own one, by rank.
pub const STORM_STOPPED: Group = STORM.then("blocked pawn storm", 8);
/// The distance of a knight, bishop, rook, queen from the enemy king.
pub const TROPISM: Group = STORM_STOPPED.then("king tropism: knight, bishop, rook, queen", 32);
/// The side to move.
pub const TEMPO: Group = TROPISM.then("tempo", 1);

/// How many weights there are.
pub const COUNT: usize = TEMPO.start + TEMPO.len;

/// Every group, in order.
pub const GROUPS: [Group; 44] = [
    MATERIAL,
    SQUARES,
    KNIGHT_MOBILITY,
    BISHOP_MOBILITY,
    ROOK_MOBILITY,
    QUEEN_MOBILITY,
    PASSED,
    PASSED_BLOCKED,
    PASSED_FREE,
    PASSED_HELPED,
    PASSED_ROOK,
    PASSED_OWN_KING,
    PASSED_OTHER_KING,
    CANDIDATE,
    PHALANX,
    PROTECTED,
    ISOLATED,
    DOUBLED,
    BACKWARD,
    RAMMED,
    BISHOP_PAIR,
    BAD_BISHOP,
    OUTPOST,
    OUTPOST_NEAR,
    SHIELDED,
    ROOK_FILE,
    PAWN_THREAT,
    PUSH_THREAT,
    MINOR_THREAT,
    ROOK_THREAT,
    HANGING,
    KING_THREAT,
    RESTRICTED,
    QUEEN_THREAT,
    KING_ATTACKS,
    SAFE_CHECKS,
    KING_DANGER,
    FLANK,
    PAWNLESS_FLANK,
    SHELTER,
    STORM,
    STORM_STOPPED,
    TROPISM,
    TEMPO,
];
