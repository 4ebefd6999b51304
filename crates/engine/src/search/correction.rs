//! Correction history: by how much searches of similar positions differed from their static evaluation.

use mnemon_chess::Position;

/// Errors of the static evaluation, by side to move and by the keys of the pawns and of each side's pieces.
pub(super) struct CorrectionHistory {
    tables: [Vec<i16>; 3],
}

impl CorrectionHistory {
    const BITS: u32 = 14;
    const SIZE: usize = 1 << Self::BITS;
    /// Statistics are stored in 64ths of a hundredth of a pawn.
    const GRAIN: i32 = 64;
    /// Larger errors count as this, in hundredths of a pawn.
    const MAX_ERROR: i32 = 128;

    pub(super) fn new() -> Self {
        CorrectionHistory { tables: std::array::from_fn(|_| vec![0; 2 * Self::SIZE]) }
    }

    pub(super) fn clear(&mut self) {
        self.tables.iter_mut().for_each(|table| table.fill(0));
    }

    fn indices(position: &Position) -> [usize; 3] {
        let side = position.side_to_move() as usize * Self::SIZE;
        position.mailbox().part_keys().map(|key| side + (key >> (u64::BITS - Self::BITS)) as usize)
    }

    /// What to add to the evaluation, in hundredths of a pawn.
    pub(super) fn get(&self, position: &Position) -> i32 {
        let errors = self.tables.iter().zip(Self::indices(position)).map(|(table, index)| i32::from(table[index]));
        4 * errors.sum::<i32>() / (9 * Self::GRAIN)
    }

    /// Moves the averages towards an error that a search to `depth` found; deeper searches weigh more.
    pub(super) fn update(&mut self, position: &Position, depth: i32, error: i32) {
        let weight = (depth + 1).min(16);
        let target = error.clamp(-Self::MAX_ERROR, Self::MAX_ERROR) * Self::GRAIN;
        for (table, index) in self.tables.iter_mut().zip(Self::indices(position)) {
            let old = i32::from(table[index]);
            table[index] = ((old * (256 - weight) + target * weight) / 256) as i16;
        }
    }
}
